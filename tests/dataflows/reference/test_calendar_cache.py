"""Calendars are built once and read back: what is read is what was built, and a damaged file is built again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tradingagents.dataflows.reference import calendar
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.reference.calendar_cache import SessionTable, read_table, write_table

LAST = date(2026, 12, 31)
TABLE = SessionTable([737425, 737426], [1577975400, 1578061800], [1577998800, 1578085200], "America/New_York")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: tmp_path / "cache")
    calendar._table.cache_clear()
    yield tmp_path / "cache" / "calendars"
    calendar._table.cache_clear()


def test_what_is_read_back_is_what_was_built(folder: Path, monkeypatch: pytest.MonkeyPatch):
    built = sessions("XLON")
    calendar._table.cache_clear()
    monkeypatch.setattr(calendar, "_build", lambda *_: pytest.fail("the calendar was built again"))
    assert sessions("XLON") == built
    assert len(list(folder.iterdir())) == 1


def damage(change: Callable[[dict[str, Any]], None]) -> str:
    content = {"days": [1, 2], "opens": [10, 20], "closes": [11, 21], "zone": "UTC"}
    change(content)
    return json.dumps(content)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"days": [1',
        damage(lambda table: table["days"].append(3)),
        damage(lambda table: table["opens"].reverse()),
        damage(lambda table: table.update(closes=[10, 20])),
        damage(lambda table: table.update(days=[1, True])),
        damage(lambda table: table.update(days=[], opens=[], closes=[])),
        damage(lambda table: table.pop("zone")),
    ],
)
def test_a_damaged_file_is_not_read(folder: Path, text: str):
    write_table("XLON", LAST, TABLE)
    (file,) = folder.iterdir()
    file.write_text(text)
    assert read_table("XLON", LAST) is None
    write_table("XLON", LAST, TABLE)
    assert read_table("XLON", LAST) == TABLE


def test_a_folder_that_takes_no_file_costs_only_time(folder: Path):
    folder.parent.write_text("a file where the folder should be")
    write_table("XLON", LAST, TABLE)
    assert read_table("XLON", LAST) is None
    assert sessions("XLON").is_session(date(2025, 3, 14))


def test_another_last_day_is_another_file(folder: Path):
    write_table("24/7", LAST, TABLE)
    assert read_table("24/7", LAST.replace(year=2027)) is None
    assert read_table("24/7", LAST) == TABLE
