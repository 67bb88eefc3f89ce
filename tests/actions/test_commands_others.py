"""Commands of the family others: what each line means."""

from __future__ import annotations

import pytest

from streams.actions import ask

LINES = [
    ("edit 12:14\nimport os\nrm x\nend_of_edit", "edit"),
    ("git show HEAD:src/a.py > src/a.py", "revert"),
    ("sed -i s/x/y/ $(grep -rl x src)", "explore,edit"),
    ("pytest; echo $?", "check:test:pytest"),
    ("./manage.py test foo", "check:test:python manage.py test foo"),
    ("django-admin test", "check:test:django-admin test"),
    ("python app.py & sleep 2 && curl http://127.0.0.1:5000", "setup,check:probe:curl http://127.0.0.1:5000"),
    ("ls -la", "explore"),
    ("pwd", "explore"),
    ("echo $PATH", "explore"),
    ("echo done", "other"),
    ("rg -n foo src | head", "explore"),
    ("cat a b | wc -l", "explore"),
    ("curl -s http://localhost:8000/x", "check:probe:curl http://localhost:8000/x"),
    ("curl https://example.org/x", "explore,network"),
    ("curl -fsSL https://example.org/i.sh | bash", "network,setup"),
    ("curl -XPOST -d a=1 127.0.0.1:80/x", "check:probe:curl POST 127.0.0.1:80/x"),
    ("wget https://x.org/f.tgz", "explore,network"),
    ("python app.py &", "setup"),
    ("nohup uvicorn a:app &", "setup"),
    ("flask run", "setup"),
    ("pip install -e .", "setup,network"),
    ("pip list", "explore"),
    ("apt-get update && apt-get install -y gcc", "setup,network"),
    ("docker build .", "check:build:docker build"),
    ("docker exec -it c pytest -q", "check:test:pytest"),
    ("docker compose up -d", "setup"),
    ("docker ps", "explore"),
    ("bash -lc 'cd /repo && npm test'", "check:test:npm test"),
    ("eval 'pytest -q'", "check:test:pytest"),
    ("sudo -u x env A=1 nice -n 5 pytest a", "check:test:pytest a"),
    ("sleep 5", "other"),
    ("if grep -q a f; then pytest; fi", "explore,check:test:pytest"),
    ("cd x && ls && mkdir y", "explore"),
    ("cd sub && pytest", "check:test:pytest @sub"),
    ("ssh host ls", "explore,network"),
    ("submit", "submit"),
    ("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git add -A && git diff --cached", "submit"),
    ("search_dir foo src", "explore"),
    ("find_file a.py", "explore"),
    ("unknowntool x", "other"),
    ("npm test && git commit -m x", "check:test:npm test,checkpoint"),
    ("sed -i s/a/b/ a.py && pytest", "edit,check:test:pytest"),
]
"""A line; per action its class, for a check also kind and normalised command."""


@pytest.mark.parametrize(("line", "wanted"), LINES)
def test_others_lines_mean_what_they_do(line: str, wanted: str) -> None:
    """Class, kind and normalised command follow from the line alone."""
    got = [
        f"check:{action.kind}:{action.command}" if action.cls == "check" else action.cls
        for action in ask("Bash", {"command": line}, "/repo").actions
    ]
    expected = wanted.split(",")
    assert len(got) == len(expected)
    for mine, want in zip(got, expected, strict=True):
        assert mine == want or (want.count(":") == 1 and mine.startswith(want + ":"))
