"""Calendars are built once and read back: what is read is what was built, and a damaged file is built again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tradingagents.dataflows.reference import calendar
from tradingagents.dataflows.reference.calendar import Sessions, read_sessions, sessions, write_sessions

LAST = date(2026, 12, 31)
CALENDAR = Sessions(
    "XLON",
    (date(2020, 1, 2), date(2020, 1, 3)),
    (datetime(2020, 1, 2, 14, 30, tzinfo=UTC), datetime(2020, 1, 3, 14, 30, tzinfo=UTC)),
    (datetime(2020, 1, 2, 21, tzinfo=UTC), datetime(2020, 1, 3, 21, tzinfo=UTC)),
    ZoneInfo("America/New_York"),
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: tmp_path / "cache")
    calendar._sessions_of.cache_clear()
    yield tmp_path / "cache" / "calendars"
    calendar._sessions_of.cache_clear()


def test_what_is_read_back_is_what_was_built(folder: Path, monkeypatch: pytest.MonkeyPatch):
    built = sessions("XLON")
    calendar._sessions_of.cache_clear()
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
    write_sessions(CALENDAR, LAST)
    (file,) = folder.iterdir()
    file.write_text(text)
    assert read_sessions("XLON", LAST) is None
    write_sessions(CALENDAR, LAST)
    assert read_sessions("XLON", LAST) == CALENDAR


def test_a_folder_that_takes_no_file_costs_only_time(folder: Path):
    folder.parent.write_text("a file where the folder should be")
    write_sessions(CALENDAR, LAST)
    assert read_sessions("XLON", LAST) is None
    assert sessions("XLON").is_session(date(2025, 3, 14))


def test_another_last_day_is_another_file(folder: Path):
    write_sessions(CALENDAR, LAST)
    assert read_sessions("XLON", LAST.replace(year=2027)) is None
    assert read_sessions("XLON", LAST) == CALENDAR
