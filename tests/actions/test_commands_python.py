"""Commands of the family python: what each line means."""

from __future__ import annotations

import pytest

from streams.actions import ask

LINES = [
    (
        "python -m pytest -xvs tests/test_a.py::TestX::test_y -k 'foo and bar'",
        "check:test:pytest -k foo and bar tests/test_a.py::TestX::test_y",
    ),
    ("timeout 60 pytest -q --tb=short -n 4", "check:test:pytest"),
    ("uv run --with foo pytest tests/a.py", "check:test:pytest tests/a.py"),
    ("poetry run pytest tests", "check:test:pytest tests"),
    ("python -m unittest discover -s tests -v", "check:test:unittest tests"),
    ("python manage.py test app.tests", "check:test:python manage.py test app.tests"),
    ("coverage run -m pytest", "check:test:pytest"),
    ("tox -e py39", "check:test:tox -e py39"),
    ("nosetests a", "check:test:nosetests a"),
    ("python tests/test_foo.py", "check:test:python tests/test_foo.py"),
    ("python reproduce.py", "check:probe:python reproduce.py"),
    ("python -m mypkg.cli run", "check:probe:python -m mypkg.cli run"),
    ("ruff check .", "check:lint:ruff check"),
    ("mypy src", "check:lint:mypy src"),
    ("black --check .", "check:lint:black"),
    ("python -m py_compile a.py", "check:build:py_compile a.py"),
    ("python setup.py build_ext --inplace", "setup"),
    ("pytest --version", "explore"),
    ("pytest --collect-only tests", "explore"),
    ("python manage.py migrate", "setup"),
    ("./tests/runtests.py admin -v 2", "check:test:tests/runtests.py admin"),
    ("bin/test sympy/core", "check:test:bin/test sympy/core"),
    ("python -m http.server 8000", "setup"),
    ("python --version", "explore"),
]
"""A line; per action its class, for a check also kind and normalised command."""


@pytest.mark.parametrize(("line", "wanted"), LINES)
def test_python_lines_mean_what_they_do(line: str, wanted: str) -> None:
    """Class, kind and normalised command follow from the line alone."""
    got = [
        f"check:{action.kind}:{action.command}" if action.cls == "check" else action.cls
        for action in ask("Bash", {"command": line}, "/repo").actions
    ]
    expected = wanted.split(",")
    assert len(got) == len(expected)
    for mine, want in zip(got, expected, strict=True):
        assert mine == want or (want.count(":") == 1 and mine.startswith(want + ":"))
