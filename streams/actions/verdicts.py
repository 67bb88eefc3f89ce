"""A check's outcome: exit code first, then the framework's own summary, then what the program prints."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from streams.actions.base import UNKNOWN, Action, Answer, Outcome, Status, TestRun

_TOOLS: Final = frozenset({"tsc", "gcc", "mypy", "ruff", "eslint", "pyright", "pylint"})
_BOTH: Final = frozenset({"surefire", "gradle", "cargo"})
_SYNTAX: Final = ("SyntaxError", "IndentationError", "TabError")


def outcome(action: Action, answer: Answer, *, guilty: bool, shared: bool) -> Action:
    """The check with its outcome, counts and the places its failure enters."""
    run = _run(action, answer.runs)
    code = _code(action, answer, guilty=guilty)
    mixed = shared and len(answer.runs) == 1
    result, weak = _told(action, answer, _own_part(action, run) if mixed and code is None else run, code)
    counted = run is not None and not mixed
    status: Status = "ok"
    if result == "error":
        status = "interrupted" if answer.status == "interrupted" else "failed"
    elif result == "failed" and answer.status == "failed":
        status = "failed"
    telling = result in {"failed", "error"}
    return replace(
        action,
        status=status,
        framework=action.framework or (run.framework if run else ""),
        outcome=result,
        weak=weak,
        masked=False,
        passed=run.passed if counted and run else UNKNOWN,
        failed=run.failed if counted and run else UNKNOWN,
        errors=run.errors if counted and run else UNKNOWN,
        skipped=run.skipped if counted and run else UNKNOWN,
        failing=run.failing if run and telling else (),
        places=answer.places if telling else (),
    )


def _own_part(action: Action, run: TestRun | None) -> TestRun | None:
    """The part of a shared summary that is this check's, by the names of what failed; None where they do not tell."""
    if run is None or (not run.failing and run.outcome != "passed"):
        return None
    if any(name.startswith(target) for name in run.failing for target in action.targets):
        return replace(run, outcome="failed")
    return replace(run, outcome="passed") if action.targets or not run.failing else None


def _run(action: Action, runs: tuple[TestRun, ...]) -> TestRun | None:
    """The run that is this check's: of its framework, else of its kind; of several the largest."""
    if not runs:
        return None
    same = [run for run in runs if action.framework and run.framework == action.framework]
    if not same:
        tools = action.kind in {"build", "lint"}
        same = [run for run in runs if run.framework in _BOTH or (run.framework in _TOOLS) == tools]
    if action.kind == "probe":
        same = [run for run in same if run.passed > 0 or run.failed > 0 or run.errors > 0]
    return max(same, key=lambda run: run.passed + run.failed + run.errors + run.skipped, default=None)


def _code(action: Action, answer: Answer, *, guilty: bool) -> int | None:
    """The exit code, where it is this check's own: 0 for one that passed on in an `&&` list."""
    if answer.exit_code is None:
        return None
    if action.masked:
        return None
    return answer.exit_code if guilty or answer.exit_code == 0 else 0


def _told(action: Action, answer: Answer, run: TestRun | None, code: int | None) -> tuple[Outcome, bool]:
    if answer.status == "interrupted":
        return "error", False
    if code is None:
        return _by_text(action, answer, run)
    if code == 0:
        return _succeeded(action, answer, run)
    return _failed(action, answer, run, code), False


def _succeeded(action: Action, answer: Answer, run: TestRun | None) -> tuple[Outcome, bool]:
    """Exit code 0. A wrapper may swallow a framework's failure: what it asserts is false all the same."""
    if run is not None and action.kind == "test" and run.failed > 0:
        return "failed", False
    if action.kind != "probe":
        return "passed", False
    if run is not None and run.outcome in {"passed", "failed"}:
        return run.outcome, False
    if answer.own_fail or answer.trace:
        return "failed", True
    if action.asserts:
        return "passed", False
    return ("passed", True) if answer.own_pass else ("unknown", False)


def _failed(action: Action, answer: Answer, run: TestRun | None, code: int) -> Outcome:
    """Exit code not 0: whether it could run at all."""
    if action.kind == "test" and action.framework == "pytest":
        return "failed" if code == 1 and not _unstarted(answer, run) else _pytest_error(answer, run, code)
    if run is not None and action.kind == "test" and run.outcome in {"failed", "error"}:
        return run.outcome
    if run is not None and action.kind in {"build", "lint"} and run.outcome == "failed":
        return "failed"
    if answer.missing or code in {124, 126, 127, 137, 143}:
        return "error"
    if action.kind == "lint" and code > 1:
        return "error"
    if action.kind == "test" and action.framework == "unittest" and code == 5:
        return "error"
    if action.kind in {"probe", "test"} and _own_syntax(action, answer):
        return "error"
    return "failed"


def _unstarted(answer: Answer, run: TestRun | None) -> bool:
    return run is None and answer.missing


def _pytest_error(answer: Answer, run: TestRun | None, code: int) -> Outcome:
    """Exits 2 to 5 of pytest mean that it could not run, or not to the end; other codes are a wrapper's own."""
    if code > 5 and run is not None and not answer.missing:
        return run.outcome if run.outcome in {"failed", "error"} else "failed"
    return "error"


def _own_syntax(action: Action, answer: Answer) -> bool:
    """The snippet or script itself cannot be parsed."""
    if not answer.error.startswith(_SYNTAX):
        return False
    return not answer.places or answer.places[-1].endswith(tuple(action.paths) or ("\0",))


def _by_text(action: Action, answer: Answer, run: TestRun | None) -> tuple[Outcome, bool]:
    """No exit code of its own: the framework's summary, else what the text shows."""
    if run is not None and run.outcome:
        return run.outcome, False
    if answer.missing and (answer.status == "failed" or answer.trace or len(answer.error) > 0):
        return "error", False
    if answer.trace:
        return ("error", False) if _own_syntax(action, answer) else ("failed", False)
    if answer.status == "failed" and not action.masked:
        return ("failed", False)
    if action.kind == "probe":
        return _succeeded(action, answer, run)
    if answer.own_fail:
        return "failed", True
    if action.kind == "test":
        return ("passed", True) if answer.own_pass else ("unknown", False)
    return ("unknown", False) if action.masked else ("passed", True)
