"""What the first page waits for is asked once when a server over recorded data has started."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.snapshot_folder import LAST, write_snapshot
from tradingagents.service.kernel.kernel import Kernel
from tradingagents.service.workspace.read_ahead import HOME, OF_A_COMPANY, read_ahead
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
    ahead = read_ahead(workspace.kernel, workspace.settings)
    assert ahead is not None
    ahead.start()
    ahead.join()
    names = [name for name, _, _ in asked]
    assert set(names) == {"get_market_movers", "open_chart", "get_news", *OF_A_COMPANY, *HOME}
    assert len(names) == len(set(names))
    assert {day for _, _, day in asked} == {LAST}
    symbols = {arguments["ticker"] for name, arguments, _ in asked if name in OF_A_COMPANY}
    (symbol,) = symbols
    workspace.kernel.invoke("company_info", {"ticker": symbol}, as_of=LAST)


def test_who_stops_it_waits_for_one_question_at_most(tmp_path: Path, asked: list[Any]) -> None:
    write_snapshot(tmp_path / "data")
    workspace = Workspace(settings_of(tmp_path), {})
    ahead = read_ahead(workspace.kernel, workspace.settings)
    assert ahead is not None
    ahead.start()
    ahead.stop()
    assert len(asked) <= 1


def test_nothing_is_asked_where_data_are_not_recorded(tmp_path: Path) -> None:
    settings = Settings(data_vendor="simulated")
    assert read_ahead(Workspace(settings, {}).kernel, settings) is None
