"""The run kind of the guide works: installed as a package, started, killed, gone on with, listed."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.docs.blocks import ROOT, python_blocks
from tradingagents.dataflows.market_data import MarketData
from tradingagents.graph.estimates import estimate_run
from tradingagents.graph.start import resume
from tradingagents.runtime.executor import RunOptions, start
from tradingagents.runtime.registry import NoSuchKind, built_in_kinds, kind_names, kind_of
from tradingagents.runtime.runs.run_index import RunIndex
from tradingagents.runtime.runs.run_rows import run_rows
from tradingagents.runtime.services import Services, open_services
from tradingagents.settings import load_settings

GUIDE = ROOT / "docs" / "guides" / "adding-a-run-kind.md"
TICKER, DAY = "VELQ", "2025-03-14"


@pytest.fixture
def rise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The guide's package, installed as pip would leave it."""
    (block,) = python_blocks(GUIDE)
    site = tmp_path / "site"
    info = site / "tradingagents_rise-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "tradingagents_rise.py").write_text(block.text, encoding="utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tradingagents-rise\nVersion: 1.0\n", encoding="utf-8")
    points = GUIDE.read_text("utf-8").split("```toml\n")[1].split("```")[0]
    points = points.replace('[project.entry-points."tradingagents.kinds"]', "[tradingagents.kinds]")
    (info / "entry_points.txt").write_text(points.replace('"', ""), encoding="utf-8")
    monkeypatch.syspath_prepend(str(site))
    yield importlib.import_module("tradingagents_rise")
    sys.modules.pop("tradingagents_rise", None)


@pytest.fixture
async def services(tmp_path: Path) -> AsyncIterator[Services]:
    settings = load_settings(
        {"llm_provider": "offline", "data_vendor": "simulated", "home": tmp_path / "home"}, environ={}
    )
    opened = open_services(settings, {})
    yield opened
    opened.close()


async def test_it_runs_streams_its_events_and_is_listed(rise: Any, services: Services) -> None:
    handle = start(rise.RISE, rise.RiseRequest(ticker=TICKER.lower(), day=DAY), services)
    events = [event async for event in handle.events()]
    record = await handle.result()

    close = MarketData(services.settings, record_day(record)).prices(TICKER).close
    assert record["rise"] == pytest.approx(close[-1] / close[-6] - 1)
    assert [event.type for event in events][:1] + [event.type for event in events][-1:] == ["run_start", "result"]
    folder = services.settings.home_dir / "runs" / handle.run_id
    assert json.loads((folder / "run.json").read_text("utf-8"))["kind"] == "rise"
    assert f"{record['rise']:.2%}" in (folder / "reports" / "complete_report.md").read_text("utf-8")
    assert not (folder / "unfinished").exists()
    (row,) = run_rows(RunIndex(services.settings.home_dir), kind="rise")
    assert (row["run_id"], row["kind"], row["status"]) == (handle.run_id, "rise", "done")
    assert list(run_rows(RunIndex(services.settings.home_dir), kind="trading")) == []


async def test_a_run_that_failed_goes_on_where_it_was(rise: Any, services: Services, monkeypatch: Any) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(rise, "describe", failing)
        handle = start(rise.RISE, rise.RiseRequest(ticker=TICKER, day=DAY), services)
        with pytest.raises(RuntimeError, match="no words"):
            await handle.result()
    services.graphs.clear()  # the graph with the broken node
    assert next(run_rows(RunIndex(services.settings.home_dir)))["status"] == "failed"
    monkeypatch.setattr(rise, "measure", failing)  # done already: not asked again
    record = await resume(services, handle.run_id)
    assert (record["run_id"], record["status"], record["timing"]["starts"]) == (handle.run_id, "done", 2)


async def test_it_leaves_no_more_than_is_wanted(rise: Any, services: Services) -> None:
    home, request = services.settings.home_dir, rise.RiseRequest(ticker=TICKER, day=DAY)
    nothing = await start(rise.RISE, request, services, RunOptions(persist="none")).result()
    assert (nothing["status"], nothing["paths"], (home / "runs").exists()) == ("done", {}, False)
    card = await start(rise.RISE, request, services, RunOptions(persist="card")).result()
    assert [path.name for path in Path(card["paths"]["folder"]).iterdir()] == ["run.json"]
    assert card["rise"] == nothing["rise"]


async def test_its_cost_is_estimated(rise: Any, services: Services) -> None:
    estimate = await estimate_run(services.settings, rise.RISE, rise.RiseRequest(ticker=TICKER, day=DAY))
    (part,) = estimate["parts"]
    assert (part["kind"], part["agents"], estimate["total"]["llm_calls"]) == ("rise", [], 0)
    assert list(services.settings.home_dir.rglob("*")) == []


def test_its_kind_is_known_as_long_as_it_is_installed(rise: Any) -> None:
    assert kind_names()[-1] == "rise"
    assert set(kind_names()) == {*built_in_kinds(), "rise"}
    assert kind_of("rise") is rise.RISE


def test_a_kind_that_is_not_installed_is_named() -> None:
    with pytest.raises(NoSuchKind, match="no kind of run called rise; there are scan, trading, assistant_turn"):
        kind_of("rise")


async def failing(state: Any) -> dict[str, Any]:
    raise RuntimeError("no words")


def record_day(record: Any) -> Any:
    from datetime import date

    return date.fromisoformat(record["session"])
