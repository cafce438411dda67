"""A run's folder: names that cannot leave it, files written whole or not at all, a log that ends with the run."""

from __future__ import annotations

import json
import os
import re
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import BadSymbol, HomeNotWritable, UsageError
from tradingagents.events import Event
from tradingagents.runtime.runs.run_folder import RunFolder, checked_component, new_run_id


def event(seq: int = 0, kind: Any = "warning", message: str = "", **data: Any) -> Event:
    return Event(
        type=kind, message=message, run_id="r", seq=seq, ts=datetime(2025, 3, 14, tzinfo=UTC).isoformat(), data=data
    )


def logged(folder: RunFolder) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder.path / "events.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../x",
        "a/b",
        "/etc",
        "a\\b",
        "a\0b",
        "a\nb",
        "a..b",
        ".hidden",
        "-rf",
        "a" * 129,
        "ü",
        "a b",
        "a:b",
    ],
)
def test_a_name_that_could_leave_the_folder_is_refused(tmp_path: Path, name: str):
    with pytest.raises(UsageError, match="is not a run id"):
        RunFolder(tmp_path / "here", name)
    assert not (tmp_path / "here").exists()


@pytest.mark.parametrize("name", ["a", "20250314T210000Z-AAPL-2025-03-14-abc123", "A" * 128, "7203.T"])
def test_a_plain_name_is_one_component(name: str):
    assert checked_component(name) == name


SYMBOL_CHARACTERS = "ABCXYZabcxyz0189^.=-+ /\\_\0ü"


@given(
    text=st.text(SYMBOL_CHARACTERS, min_size=1, max_size=34)
    | st.from_regex(r"[A-Z0-9^][A-Z0-9.^=\-]{0,31}", fullmatch=True)
)
def test_an_id_is_one_safe_component_for_any_symbol(text: str):
    try:
        symbol = normalise(text)
    except BadSymbol:
        return
    name = new_run_id(symbol, "2025-03-14")
    assert checked_component(name) == name
    assert len(PurePosixPath(name).parts) == len(PureWindowsPath(name).parts) == 1
    assert re.fullmatch(r"\d{8}T\d{6}Z-[A-Z0-9][A-Z0-9._\-]*-2025-03-14-[0-9a-f]{6}", name)


def test_two_ids_of_the_same_instant_differ():
    assert len({new_run_id("AAPL", "2025-03-14") for _ in range(50)}) == 50


def test_a_folder_is_never_shared(tmp_path: Path):
    RunFolder(tmp_path, "a").close()
    with pytest.raises(HomeNotWritable, match="File exists"):
        RunFolder(tmp_path, "a")


@pytest.mark.parametrize("occupied", ["", "runs"])
def test_a_home_that_cannot_be_one_is_named_with_the_way_out(tmp_path: Path, occupied: str):
    home = tmp_path / "here"
    (home / occupied).parent.mkdir(parents=True, exist_ok=True)
    (home / occupied).write_text("mine", encoding="utf-8")
    with pytest.raises(
        HomeNotWritable, match=rf"Cannot write to {re.escape(str(home))} \(.+\); name a folder with the setting home"
    ):
        RunFolder(home, "a")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_home_is_named(tmp_path: Path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(HomeNotWritable, match="Permission denied"):
            RunFolder(tmp_path, "a")
    finally:
        tmp_path.chmod(0o700)


def test_a_file_is_replaced_whole_and_no_draft_stays(tmp_path: Path):
    folder = RunFolder(tmp_path, "a")
    path = folder.write_text("reports/x/one.md", "first — ü\n")
    assert folder.write_text("reports/x/one.md", "second\r\n") == path
    assert path.read_bytes() == b"second\r\n"
    assert [one.name for one in path.parent.iterdir()] == ["one.md"]
    folder.close()


def test_a_write_that_fails_leaves_the_old_file_and_no_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = RunFolder(tmp_path, "a")
    path = folder.write_text("run.json", "old")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(HomeNotWritable, match=r"No space left on device.*home or TRADINGAGENTS_HOME"):
        folder.write_text("run.json", "new")
    assert path.read_text("utf-8") == "old"
    assert sorted(one.name for one in folder.path.iterdir()) == ["events.jsonl", "lock", "run.json", "unfinished"]
    folder.close()


def test_text_that_no_encoding_has_is_escaped_rather_than_lost(tmp_path: Path):
    folder = RunFolder(tmp_path, "a")
    assert folder.write_text("one.md", "half \ud83d a pair").read_bytes() == b"half \\ud83d a pair"
    assert json.loads(folder.write_json("run.json", {"text": "\ud83d"}).read_text("utf-8")) == {"text": "\ud83d"}
    folder.append(event(0, message="\ud83d"))
    assert logged(folder)[0]["message"] == "\ud83d"
    folder.close()


def test_events_are_on_disk_one_a_line_as_soon_as_they_happened(tmp_path: Path):
    folder = RunFolder(tmp_path, "a")
    for seq in range(3):
        folder.append(event(seq, message=f"line\nbreak {seq} ü", rows=seq))
        assert [one["seq"] for one in logged(folder)] == list(range(seq + 1))
    assert logged(folder)[2] == event(2, message="line\nbreak 2 ü", rows=2).to_dict()
    folder.close()


def test_tokens_are_not_logged(tmp_path: Path):
    folder = RunFolder(tmp_path, "a")
    folder.append(event(0, "token", "word"))
    folder.append(event(1))
    assert [one["seq"] for one in logged(folder)] == [1]
    folder.close()


def test_an_event_after_the_end_is_dropped(tmp_path: Path):
    folder = RunFolder(tmp_path, "a")
    folder.append(event(0))
    folder.close()
    folder.append(event(1))
    folder.close()
    assert [one["seq"] for one in logged(folder)] == [0]


def test_json_is_utf8_and_holds_no_number_that_is_none(tmp_path: Path):
    folder = RunFolder(tmp_path, "a")
    path = folder.write_json("run.json", {"name": "Société", "when": datetime(2025, 3, 14, tzinfo=UTC)})
    assert "Société".encode() in path.read_bytes()
    assert json.loads(path.read_text("utf-8"))["when"] == "2025-03-14 00:00:00+00:00"
    with pytest.raises(ValueError, match="Out of range float values"):
        folder.write_json("run.json", {"price": float("nan")})
    assert json.loads(path.read_text("utf-8"))["name"] == "Société"
    folder.close()
