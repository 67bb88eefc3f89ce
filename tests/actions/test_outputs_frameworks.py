"""What test frameworks print: outcome, counts and failing names, one table row an output."""

from __future__ import annotations

import pytest

from streams.actions import answer
from streams.actions.base import TestRun
from streams.actions.outputs import readers, runs_in

PYTEST_FAILED = """\
============================= test session starts ==============================
collected 10 items

tests/test_a.py ..F.s.E...                                               [100%]

=================================== FAILURES ===================================
E       assert 1 == 2
=========================== short test summary info ============================
FAILED tests/test_a.py::test_one[a b] - assert 1 == 2
ERROR tests/test_a.py::test_two - ValueError: x
============== 1 failed, 7 passed, 1 skipped, 1 error in 0.12s ===============
"""
PYTEST_COLLECT = """\
==================================== ERRORS ====================================
___________________ ERROR collecting tests/test_a.py ____________________
E   ModuleNotFoundError: No module named 'foo'
=========================== short test summary info ============================
ERROR tests/test_a.py
!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!
=============================== 1 error in 0.10s ===============================
"""
UNITTEST = """\
.F.E
======================================================================
ERROR: test_b (tests.test_a.TestA)
----------------------------------------------------------------------
ValueError
======================================================================
FAIL: test_a (tests.test_a.TestA)
----------------------------------------------------------------------
AssertionError: 1 != 2

----------------------------------------------------------------------
Ran 4 tests in 0.002s

FAILED (failures=1, errors=1, skipped=1)
"""
UNITTEST_UNLOADED = """\
E
======================================================================
ERROR: tests.test_a (unittest.loader._FailedTest)
----------------------------------------------------------------------
ImportError: Failed to import test module: tests.test_a

----------------------------------------------------------------------
Ran 1 test in 0.000s

FAILED (errors=1)
"""
GO = """\
--- FAIL: TestAdd (0.00s)
    add_test.go:10: got 3, want 4
--- PASS: TestSub (0.00s)
FAIL
FAIL\texample.org/calc\t0.002s
ok  \texample.org/other\t0.001s
"""
GO_BROKEN = "# example.org/calc\n./a.go:3:2: undefined: x\nFAIL\texample.org/calc [build failed]\nFAIL\n"
CARGO = """\
running 3 tests
test tests::a ... ok
test tests::b ... FAILED
test tests::c ... ignored

failures:

test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s

error: test failed, to rerun pass `--lib`
"""
CARGO_BROKEN = (
    "error[E0425]: cannot find value `x` in this scope\n"
    " --> src/lib.rs:3:5\nerror: could not compile `calc` (lib test) due to 1 previous error\n"
)
JEST = """\
FAIL src/sum.test.js
  ● math › adds

    expect(received).toBe(expected)

Test Suites: 1 failed, 1 passed, 2 total
Tests:       1 failed, 1 skipped, 3 passed, 5 total
Snapshots:   0 total
"""
JEST_BROKEN = (
    "FAIL src/a.test.js\n  ● Test suite failed to run\n\n"
    "    Cannot find module './x'\n\nTest Suites: 1 failed, 1 total\nTests:       0 total\n"
)
VITEST = """\
 FAIL  src/a.test.ts > Compaction > sets it
AssertionError: expected undefined to deeply equal { auto: true }

 Test Files  1 failed (1)
      Tests  1 failed | 15 skipped (16)
   Start at  11:42:53
"""
VITEST_BROKEN = (
    " FAIL  src/a.test.ts [ src/a.test.ts ]\nError: Failed to load\n\n Test Files  1 failed (1)\n      Tests  no tests\n"
)
MOCHA = (
    "  Array\n    ✓ works\n    1) fails\n\n  1 passing (5ms)\n"
    "  1 pending\n  1 failing\n\n  1) Array\n       fails:\n     AssertionError\n"
)
CTEST = """\
50% tests passed, 1 tests failed out of 2

Total Test time (real) =   0.01 sec

The following tests FAILED:
\t  2 - b_test (Failed)
Errors while running CTest
"""
MAVEN = """\
[INFO] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.05 s <<< FAILURE! -- in com.x.ATest
[ERROR] Failures:
[ERROR]   ATest.adds:12 expected: <4> but was: <3>
[INFO]
[ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1
[INFO] BUILD FAILURE
"""
MAVEN_BROKEN = "[ERROR] COMPILATION ERROR : \n[ERROR] /a/A.java:[3,5] cannot find symbol\n[INFO] BUILD FAILURE\n"
GRADLE = (
    "CalcTest > adds() FAILED\n    org.opentest4j.AssertionFailedError\n\n"
    "3 tests completed, 1 failed\n\nFAILURE: Build failed with an exception.\nBUILD FAILED in 2s\n"
)
GRADLE_BROKEN = (
    "> Task :compileJava FAILED\n\n"
    "FAILURE: Build failed with an exception.\nExecution failed for task ':compileJava'.\nBUILD FAILED in 1s\n"
)
RSPEC = "Failed examples:\n\nrspec ./spec/a_spec.rb:12 # A adds\n\nFinished in 0.01 seconds\n5 examples, 1 failure, 1 pending\n"
SYMPY = """\
________________________________________________________________________________
_______ sympy/core/tests/test_assumptions.py:test_infinity _______
AssertionError

=== tests finished: 64 passed, 2 failed, 3 expected to fail, in 0.77 seconds ===
DO *NOT* COMMIT!
"""

TABLE = [
    ("pytest", PYTEST_FAILED, "failed", (7, 1, 1, 1), ("tests/test_a.py::test_one[a b]", "tests/test_a.py::test_two")),
    ("pytest", "....\n4 passed in 0.01s\n", "passed", (4, 0, 0, 0), ()),
    ("pytest", "===== 2 errors in 0.29s =====\n", "failed", (0, 0, 2, 0), ()),
    ("pytest", PYTEST_COLLECT, "error", (0, 0, 1, 0), ("tests/test_a.py",)),
    ("pytest", "no tests ran in 0.01s\n", "error", (0, 0, 0, 0), ()),
    (
        "pytest",
        "1 passed in 0.01s\n=== 9 failed, 16 passed, 2 xfailed, 1 warning in 1:02.11s ===\n",
        "failed",
        (16, 9, 0, 0),
        (),
    ),
    ("unittest", UNITTEST, "failed", (1, 1, 1, 1), ("tests.test_a.TestA.test_a", "tests.test_a.TestA.test_b")),
    ("unittest", "....\nRan 4 tests in 0.002s\n\nOK\n", "passed", (4, 0, 0, 0), ()),
    ("unittest", UNITTEST_UNLOADED, "error", (0, 0, 1, 0), ("unittest.loader._FailedTest.tests.test_a",)),
    ("unittest", "Ran 0 tests in 0.000s\n\nNO TESTS RAN\n", "error", (0, 0, 0, 0), ()),
    ("go", GO, "failed", (1, 1, 0, 0), ("TestAdd",)),
    ("go", "ok  \texample.org/calc\t0.002s\nok  \texample.org/b\t(cached)\n", "passed", (2, 0, 0, 0), ()),
    ("go", GO_BROKEN, "error", (0, 0, 1, 0), ("example.org/calc",)),
    ("cargo", CARGO, "failed", (1, 1, 0, 1), ("tests::b",)),
    ("cargo", CARGO_BROKEN, "error", (0, 0, 0, 0), ()),
    ("jest", JEST, "failed", (3, 1, 0, 1), ("math › adds",)),
    ("jest", JEST_BROKEN, "error", (0, 0, 1, 0), ()),
    ("vitest", VITEST, "failed", (0, 1, 0, 15), ("src/a.test.ts > Compaction > sets it",)),
    ("vitest", " Test Files  1 passed (1)\n      Tests  16 passed (16)\n", "passed", (16, 0, 0, 0), ()),
    ("vitest", VITEST_BROKEN, "error", (0, 0, 1, 0), ()),
    ("mocha", MOCHA, "failed", (1, 1, 0, 1), ("Array fails",)),
    ("ctest", CTEST, "failed", (1, 1, 0, 0), ("b_test",)),
    ("ctest", "100% tests passed, 0 tests failed out of 12\n", "passed", (12, 0, 0, 0), ()),
    ("surefire", MAVEN, "failed", (2, 1, 1, 1), ("ATest.adds",)),
    ("surefire", MAVEN_BROKEN, "error", (-1, -1, -1, -1), ()),
    ("gradle", GRADLE, "failed", (2, 1, 0, 0), ("CalcTest > adds",)),
    ("gradle", GRADLE_BROKEN, "error", (-1, -1, -1, -1), ()),
    ("gradle", "BUILD SUCCESSFUL in 3s\n4 actionable tasks\n", "passed", (-1, -1, -1, -1), ()),
    ("rspec", RSPEC, "failed", (3, 1, 0, 1), ("./spec/a_spec.rb:12",)),
    ("rspec", "0 examples, 0 failures, 1 error occurred outside of examples\n", "error", (0, 0, 1, 0), ()),
    ("minitest", "5 runs, 10 assertions, 1 failures, 1 errors, 0 skips\n", "failed", (3, 1, 1, 0), ()),
    ("phpunit", "OK (5 tests, 10 assertions)\n", "passed", (5, 0, 0, 0), ()),
    (
        "phpunit",
        "1) App\\ATest::testX\n\nTests: 5, Assertions: 10, Failures: 1.\n",
        "failed",
        (4, 1, 0, 0),
        ("App\\ATest::testX",),
    ),
    (
        "dotnet",
        "  Failed A.B.C [1 ms]\nFailed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5\n",
        "failed",
        (4, 1, 0, 0),
        ("A.B.C",),
    ),
    ("exunit", "Finished in 0.1 seconds\n5 tests, 1 failure\n", "failed", (4, 1, 0, 0), ()),
    ("tap", "TAP version 13\nok 1 - a\nnot ok 2 - b\n# tests 2\n# pass 1\n# fail 1\n", "failed", (1, 1, 0, 0), ("b",)),
    ("bun", "(fail) adds [0.1ms]\n\n 1 pass\n 1 fail\n 2 expect() calls\n", "failed", (1, 1, 0, 0), ("adds",)),
    ("deno", "ok | 5 passed | 0 failed (12ms)\n", "passed", (5, 0, 0, 0), ()),
    ("xctest", "Executed 5 tests, with 1 failure (0 unexpected) in 0.1 seconds\n", "failed", (4, 1, 0, 0), ()),
    ("sympy", SYMPY, "failed", (64, 2, 0, 0), ("sympy/core/tests/test_assumptions.py:test_infinity",)),
    (
        "sympy",
        " tests finished: 39 passed, 4 skipped, 1 expected to fail, 1 exceptions, \nin 0.15 seconds \n",
        "failed",
        (39, 0, 1, 4),
        (),
    ),
]


@pytest.mark.parametrize(("framework", "text", "outcome", "counts", "failing"), TABLE)
def test_a_framework_is_read_from_its_own_output(
    framework: str, text: str, outcome: str, counts: tuple[int, ...], failing: tuple[str, ...]
) -> None:
    """Outcome, counts (passed, failed, errors, skipped) and names are those that the framework prints."""
    run = next(run for run in runs_in(text) if run.framework == framework)
    assert (run.outcome, (run.passed, run.failed, run.errors, run.skipped), run.failing) == (outcome, counts, failing)


@pytest.mark.parametrize(
    ("framework", "text", "outcome", "errors"),
    [
        ("tsc", "src/a.ts(3,5): error TS2322: Type 'x'.\nsrc/b.ts:1:2 - error TS1005: ';' expected.\n", "failed", 2),
        ("gcc", "a.c:3:5: error: 'x' undeclared\na.c:4:1: warning: unused\n", "failed", 1),
        ("gcc", "/usr/bin/ld: a.o: undefined reference to `f'\n", "failed", -1),
        ("mypy", "a.py:1: error: x\nFound 1 error in 1 file (checked 3 source files)\n", "failed", 1),
        ("mypy", "Success: no issues found in 3 source files\n", "passed", 0),
        ("ruff", "a.py:1:1: F401 unused\nFound 1 error.\n", "failed", 1),
        ("ruff", "All checks passed!\n", "passed", 0),
        ("eslint", "\n/a.js\n  1:1  error  x\n\n✖ 3 problems (2 errors, 1 warning)\n", "failed", 2),
        ("eslint", "✖ 1 problem (0 errors, 1 warning)\n", "passed", 0),
    ],
)
def test_compilers_and_linters_are_read_from_their_messages(framework: str, text: str, outcome: str, errors: int) -> None:
    """The verdict and the number of errors."""
    run = next(run for run in runs_in(text) if run.framework == framework)
    assert (run.outcome, run.errors) == (outcome, errors)


@pytest.mark.parametrize(
    "text",
    ["", "hello\n", "total 3\n-rw-r--r-- 1 a.py\n", "def test_x():\n    assert f() == 1\n", "the tests passed in the end\n"],
)
def test_plain_text_holds_no_run(text: str) -> None:
    """Listings, sources and prose are no test runs."""
    assert runs_in(text) == ()


def test_every_reader_is_found_with_marks() -> None:
    """Discovery gives each reader and the texts that call for it."""
    assert len(readers()) >= 20
    assert all(marks and callable(read) for marks, read in readers())


def test_every_output_in_the_table_gets_past_the_first_glance() -> None:
    """The quick way out of reading never skips a framework's output."""
    for framework, text, *_ in TABLE:
        assert any(run.framework == framework for run in answer(text, "ok", 0).runs)


def test_a_run_is_plain_data() -> None:
    """Two readings of one text are equal."""
    assert isinstance(runs_in(PYTEST_FAILED)[0], TestRun)
    assert runs_in(PYTEST_FAILED) == runs_in(PYTEST_FAILED)
