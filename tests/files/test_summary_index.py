"""Summaries of files: computed once, again when a file changes, and never trusted where they cannot be read."""

from __future__ import annotations

import os
from pathlib import Path

from pydantic import BaseModel

from tradingagents.files.summary_index import SummaryIndex


class Length(BaseModel):
    length: int


class Longer(Length):
    words: int


class Counted:
    """Summarizes a file and counts how often."""

    def __init__(self, path: Path) -> None:
        self.path, self.times = path, 0

    def __call__(self) -> Length | None:
        self.times += 1
        text = self.path.read_text()
        return Longer(length=len(text), words=len(text.split())) if text else None


def asked(home: Path, counted: Counted, model: type[Length] = Longer) -> Length | None:
    index = SummaryIndex(home, home / "index.json", model)
    found = index.get("one", [counted.path, home / "absent"], counted)
    index.save()
    return found


def test_a_file_is_read_again_only_when_it_has_changed(tmp_path: Path):
    path = tmp_path / "a.txt"
    path.write_text("two words")
    counted = Counted(path)
    assert asked(tmp_path, counted) == asked(tmp_path, counted) == Longer(length=9, words=2)
    assert counted.times == 1
    replaced = tmp_path / "b.txt"
    replaced.write_text("tow words")
    os.utime(replaced, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
    replaced.replace(path)  # the same size and time
    asked(tmp_path, counted)
    assert counted.times == 2
    path.write_text("")
    assert asked(tmp_path, counted) is None
    assert asked(tmp_path, counted) is None
    assert counted.times == 3


def test_an_index_that_is_damaged_or_of_another_version_is_computed_anew(tmp_path: Path):
    path, index = tmp_path / "a.txt", tmp_path / "index.json"
    path.write_text("two words")
    counted = Counted(path)
    for content in ("{", '{"one": 3}', '{"one": {"state": []}}', "[]"):
        index.write_text(content)
        assert asked(tmp_path, counted) == Longer(length=9, words=2)
    assert counted.times == 4
    known = index.read_text()
    index.write_text(known.replace('"words"', '"wrods"'))
    assert asked(tmp_path, counted) == Longer(length=9, words=2)
    assert index.read_text() == known
    assert counted.times == 5


def test_entries_that_are_gone_are_forgotten_and_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path):
    path = tmp_path / "a.txt"
    path.write_text("two words")
    counted = Counted(path)
    asked(tmp_path, counted)
    SummaryIndex(tmp_path, tmp_path / "index.json", Longer).save()
    assert (tmp_path / "index.json").read_text() == "{\n\n}\n"
    (tmp_path / "file").write_text("")
    index = SummaryIndex(tmp_path / "file", tmp_path / "file" / "index.json", Longer)
    assert index.get("one", [path], counted) == Longer(length=9, words=2)
    index.save()
