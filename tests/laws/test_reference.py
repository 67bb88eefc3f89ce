"""The reference is generated, complete and current; one new file is enough to add a metric to everything."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from judges import all_judges
from metrics import all_metrics
from streams.settings import Settings
from streams.sources import discover

ROOT = Path(__file__).resolve().parents[2]
NEW_METRIC = '''"""How many calls there were."""

from __future__ import annotations

from metrics.base import Metric, Reading


class CallCount(Metric):
    """Calls of the run, counted. A metric that a test adds."""

    name = "call_count"
    unit = "calls"

    def measure(self, run) -> Reading:
        """The number of calls."""
        return self.absent("not_applicable", "it is never measured")
'''


def generator() -> ModuleType:
    """`docs/generate.py` as a module."""
    spec = importlib.util.spec_from_file_location("generate_docs", ROOT / "docs/generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GENERATE = generator()
REFERENCE = GENERATE.reference()


def test_every_generated_page_is_as_the_code_says() -> None:
    """`python docs/generate.py` has been run since the last change."""
    stale = [str(path.relative_to(ROOT)) for path, text in GENERATE.pages().items() if path.read_text("utf-8") != text]
    assert stale == []


@pytest.mark.parametrize("name", [one.name for one in (*all_metrics(), *all_judges())] + sorted(discover()))
def test_everything_that_discovery_finds_is_documented(name: str) -> None:
    """Each metric, judge and format has its heading, with more than a line below it."""
    part = REFERENCE.partition(f"### {name}\n")[2].partition("\n#")[0]
    assert len(part.split()) >= 5


def test_every_setting_is_documented() -> None:
    """Each setting is there under its variable's name, with its meaning."""
    for name, field in Settings.model_fields.items():
        assert f"`BOUTWATCH_{name.upper()}`" in REFERENCE
        assert field.description


def test_a_metric_in_one_new_file_is_found_shown_and_documented(tmp_path: Path) -> None:
    """A file in `metrics/` is enough: discovery, the reports of `score` and the reference have it."""
    for part in ("streams", "metrics", "judges", "docs"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__", "schema"))
    shutil.copy(ROOT / "README.md", tmp_path)
    (tmp_path / "metrics/call_count.py").write_text(NEW_METRIC)
    bout = tmp_path / "bout.jsonl"
    bout.write_text('{"kind":"tool_call","match_id":"m","contestant_id":"c","tool":"bash","ended_at":1769860800}\n')

    def run(*arguments: str) -> str:
        environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
        command = [sys.executable, *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=100)
        assert done.returncode == 0, done.stderr
        return done.stdout

    found = run("-c", "import metrics; print(metrics.__file__, [one.name for one in metrics.all_metrics()])")
    assert found.startswith(str(tmp_path))
    assert "'call_count'" in found
    assert "call_count" in run("-m", "streams.cli", "score", "bout.jsonl", "--json")
    run("docs/generate.py")
    assert "### call_count\n\nCalls of the run, counted." in (tmp_path / "docs/reference.md").read_text("utf-8")
