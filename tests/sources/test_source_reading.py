"""Telling a file's format and opening it."""

from __future__ import annotations

import pytest

from streams.sources import Source, SourceError, discover, read_file, sniff

HEADS = {
    "native": b'{"kind":"message","match_id":"m"}\n',
    "claude_code": b'{"type":"summary","summary":"s","leafUuid":"u"}\n{"type":"user","sessionId":"s","message":{}}\n',
    "codex": b'{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"x"}}\n',
    "mini_swe_agent": b'{\n "info": {"mini_version": "2.0"},\n "messages": []\n}',
    "swe_agent": b'{\n "environment": "main",\n "trajectory": [{"action": "ls", "observation": "x"}]\n}',
}


def test_every_source_is_found_by_name():
    """Discovery finds one source a format, each with a name and a description."""
    sources = discover()
    assert set(sources) >= set(HEADS)
    assert all(isinstance(source, Source) and source.name == name and source.about for name, source in sources.items())


@pytest.mark.parametrize("name", HEADS)
def test_the_content_tells_the_format(name):
    """The file's name does not matter."""
    assert sniff(HEADS[name], "anything.txt").name == name


@pytest.mark.parametrize("name", [name for name in HEADS if name not in {"mini_swe_agent", "swe_agent"}])
def test_rows_that_quote_another_format_are_still_their_own(name):
    """A session about mini-swe-agent or with a trajectory in its output stays a session."""
    quoted = b'{"type":"x","text":"{\\"mini_version\\": \\"1\\", \\"trajectory\\": [{\\"observation\\": 1}]}"}\n'
    assert sniff(HEADS[name] + quoted, "x.jsonl").name == name


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b" \n\n", "empty"),
        (b"\x1f\x8b\x08rest", "gzip; unpack it first"),
        (b"PK\x03\x04", "zip"),
        (b"\xff\xfe{\x00", "UTF-8"),
        (b"\x7fELF\x00\x00", "binary"),
        (b"hello", r"tried: .*codex.*native"),
    ],
)
def test_what_is_no_known_file_says_what_to_do(tmp_path, content, words):
    """Empty, packed, binary and unknown files each have their own words."""
    path = tmp_path / "f"
    path.write_bytes(content)
    with pytest.raises(SourceError, match=words):
        read_file(path)


def test_a_missing_file_and_an_unknown_format_are_named(tmp_path):
    """At once, before anything is read."""
    with pytest.raises(SourceError, match="No such file"):
        read_file(tmp_path / "none")
    with pytest.raises(SourceError, match=r"no format 'xml'.*codex"):
        read_file(tmp_path / "none", format="xml")
    with pytest.raises(SourceError, match="directory"):
        read_file(tmp_path)


def test_a_named_format_overrides_the_content(tmp_path):
    """What the content would say is not asked."""
    path = tmp_path / "f.jsonl"
    path.write_bytes(HEADS["codex"])
    assert [item.stage for item in read_file(path, format="native")] == ["kind"]


def test_names_given_outside_win_over_the_files_own(read):
    """Match and contestant can be set for any format."""
    (event,) = read(HEADS["codex"], "f.jsonl", match_id="final", contestant_id="blue").events
    assert event.run == "final/blue"
    assert read(HEADS["codex"], "f.jsonl").events[0].run == "x/contestant"


def test_a_byte_order_mark_is_no_obstacle(read):
    """Editors on Windows write one."""
    assert len(read(b"\xef\xbb\xbf" + HEADS["codex"], "f.jsonl").events) == 1
