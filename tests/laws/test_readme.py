"""The README keeps its word: its commands, its example and its links are real."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from streams.cli import verbs
from streams.events import Rejected
from streams.events.decode import decoder
from streams.topics import topics

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
SETUP = "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/boutwatch demo"
TESTS = "python3 -m venv .venv && .venv/bin/pip install -e '.[dev]' && .venv/bin/pytest"


def blocks(language: str) -> list[str]:
    """The fenced blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("command", [SETUP, TESTS])
def test_one_command_does_all_the_set_up(command: str) -> None:
    """Running it and testing it are one line each, alone in their blocks."""
    assert f"{command}\n" in blocks("sh")


def test_the_checks_use_the_readmes_own_command() -> None:
    """What `.ci/run` takes out of the README is the test command, and it can be run."""
    script = ROOT / ".ci/run"
    marker = re.search(r'grep -m 1 -F "(.*?)" README\.md', script.read_text("utf-8"))
    assert marker is not None
    assert next(line for line in README.splitlines() if marker[1] in line) == TESTS
    assert os.access(script, os.X_OK)


def test_every_command_is_in_the_table() -> None:
    """The table names each verb, and no other."""
    rows = re.findall(r"^\| `(.+?)` \|", README.partition("| command | what it does |")[2], re.MULTILINE)
    assert sorted(row.split()[0] for row in rows) == sorted(verbs())


def test_the_example_event_is_an_event() -> None:
    """The JSON that a harness is told to send is accepted."""
    (example,) = blocks("json")
    json.loads(example)
    assert not isinstance(decoder()(example.encode()), Rejected)


def test_the_topics_named_are_topics() -> None:
    """Each topic in the text is one of the table."""
    named = set(re.findall(r"`(bouts\.[a-z]+\.v1)`", README))
    assert len(named) == 8
    assert named <= {topic.name for topic in topics()}


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/architecture.md"])
def test_every_link_leads_somewhere(page: str) -> None:
    """Links inside the repository point at files that are there."""
    path = ROOT / page
    links = re.findall(r"\]\((?!https?://)([^)#]+)", path.read_text("utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []
