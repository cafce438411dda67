"""A small object several processes change: nothing is lost between reading and writing, and damage is named."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.served_runs import ROOT
from tradingagents.errors import HomeNotWritable
from tradingagents.files.atomic import UnreadableFile
from tradingagents.files.json_file import JsonFile

COUNT = """
import sys
from pathlib import Path
from tradingagents.files.json_file import JsonFile
kept = JsonFile(Path(sys.argv[1]), Path(sys.argv[1]) / "count.json", way_out="mend it")
for _ in range(50):
    with kept.changing():
        kept.write({"count": kept.read().get("count", 0) + 1})
"""


def test_changes_of_several_processes_are_all_kept(tmp_path: Path):
    processes = [subprocess.Popen([sys.executable, "-c", COUNT, str(tmp_path)], cwd=ROOT) for _ in range(3)]
    assert [process.wait(60) for process in processes] == [0, 0, 0]
    assert JsonFile(tmp_path, tmp_path / "count.json", way_out="mend it").read() == {"count": 150}
    assert {path.name for path in tmp_path.iterdir()} >= {"count.json", "count.lock"}


def test_what_does_not_exist_is_empty(tmp_path: Path):
    assert JsonFile(tmp_path, tmp_path / "none" / "x.json", way_out="mend it").read() == {}


@pytest.mark.parametrize(("text", "why"), [("{", "it is not JSON"), ("[]", "it holds no JSON object")])
def test_a_damaged_file_is_named_with_the_way_out(tmp_path: Path, text: str, why: str):
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableFile, match=rf"Cannot read .*x\.json \({why}\); mend it\."):
        JsonFile(tmp_path, path, way_out="mend it").read()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path):
    (tmp_path / "occupied").write_text("mine", encoding="utf-8")
    kept = JsonFile(tmp_path / "occupied", tmp_path / "occupied" / "watch" / "x.json", way_out="mend it")
    with pytest.raises(HomeNotWritable, match="home or TRADINGAGENTS_HOME"), kept.changing():
        raise AssertionError("changed")
