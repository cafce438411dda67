"""What the first page waits for is asked once when a server over recorded data has started."""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.support.snapshot_folder import LAST, write_snapshot
from tradingagents.errors import TradingAgentsError
from tradingagents.service.kernel.kernel import Kernel
from tradingagents.service.workspace.read_ahead import HOME, HOME_DEAR, OF_A_COMPANY, ReadAhead
from tradingagents.service.workspace.workspace import Workspace
from tradingagents.settings import Settings


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, Any], Any]]:
    """The questions put to the kernel, in their order; it answers them as ever."""
    found: list[tuple[str, dict[str, Any], Any]] = []
    plain = Kernel.invoke

    def noted(self: Kernel, name: str, arguments: Any, **more: Any) -> Any:
        found.append((name, dict(arguments), more["as_of"]))
        return plain(self, name, arguments, **more)

    monkeypatch.setattr(Kernel, "invoke", noted)
    return found


def settings_of(folder: Path) -> Settings:
    return Settings(data_vendor="snapshot", data_dir=folder / "data")


def test_a_company_of_the_folder_is_asked_for_on_its_last_day(tmp_path: Path, asked: list[Any]) -> None:
    write_snapshot(tmp_path / "data")
    workspace = Workspace(settings_of(tmp_path), {})
    ahead = ReadAhead(workspace)
    ahead.start()
    ahead.join()
    names = [name for name, _, _ in asked]
    assert set(names) == {"get_market_movers", "open_chart", "get_news", *OF_A_COMPANY, *HOME, *HOME_DEAR}
    assert len(names) == len(set(names))
    assert names[-len(HOME_DEAR) :] == list(HOME_DEAR)  # nothing of a company waits for what judges all of them
    assert {day for _, _, day in asked} == {LAST}
    symbols = {arguments["ticker"] for name, arguments, _ in asked if name in OF_A_COMPANY}
    (symbol,) = symbols
    workspace.kernel.invoke("company_info", {"ticker": symbol}, as_of=LAST)


def test_who_stops_it_waits_for_one_question_at_most(tmp_path: Path, asked: list[Any]) -> None:
    write_snapshot(tmp_path / "data")
    workspace = Workspace(settings_of(tmp_path), {})
    ahead = ReadAhead(workspace)
    ahead.start()
    ahead.stop()
    assert len(asked) <= 1


def test_no_vendor_is_asked_where_data_are_not_recorded(asked: list[Any]) -> None:
    ahead = ReadAhead(Workspace(Settings(data_vendor="simulated"), {}))
    ahead.start()
    ahead.join()
    assert asked == []


def test_a_past_day_asked_after_a_later_one_answers_as_if_it_came_first(tmp_path: Path) -> None:
    """What is read ahead is of the last day: nothing of it may show on an earlier one."""
    write_snapshot(tmp_path / "data")
    past = LAST - timedelta(days=60)
    first = Workspace(settings_of(tmp_path), {}).kernel
    later = Workspace(settings_of(tmp_path), {})
    ahead = ReadAhead(later)
    ahead.start()
    ahead.join()
    for name in (*HOME, *HOME_DEAR, *OF_A_COMPANY):
        arguments = {"ticker": "ACMQ"} if name in OF_A_COMPANY else {}
        assert said(later.kernel, name, arguments, past) == said(first, name, arguments, past), name


def said(kernel: Kernel, name: str, arguments: dict[str, Any], day: date) -> str:
    """Return an answer without the instant of the question, or why there is none."""
    try:
        answer = kernel.invoke(name, arguments, as_of=day).model_dump_json()
    except TradingAgentsError as error:
        return str(error)
    return re.sub(r'"fetched_at":"[^"]*"', "", answer)
