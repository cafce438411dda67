"""On halts, old prices and short histories no run decides as on full ones: figures, levels and sizes are absent."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.support.graph_factory import DECIDERS, report_of, role_of, scripted, sound_verdict, trading_graph
from tests.support.offline_runs import graph_on
from tests.support.snapshot_folder import write_prices, year_and_more
from tradingagents.errors import DataError
from tradingagents.graph.start import Run

SYMBOL, DAY = "ACMQ", date(2025, 3, 14)
Rows = list[dict[str, Any]]
LEVELS = ("entry", "stop", "target", "position_size")


def folder_with(folder: Path, change: Callable[[Rows], Rows]) -> Path:
    """A folder in which the bars of the company are others."""
    rows = pq.ParquetFile(year_and_more(folder) / "prices.parquet").read().to_pylist()
    own = [row for row in rows if row["symbol"] == SYMBOL]
    write_prices(folder, [*(row for row in rows if row["symbol"] != SYMBOL), *change(own)])
    return folder


def halt(first: date, last: date) -> Callable[[Rows], Rows]:
    """Bars of [first, last] at the close before, with volume 0, as vendors fill a halt."""

    def change(rows: Rows) -> Rows:
        before: dict[str, Any] = {}
        for row in rows:
            if first <= row["date"].date() <= last:
                row.update(dict.fromkeys(("open", "high", "low", "close"), before["close"]))
                row.update(adj_close=before["adj_close"], volume=0)
            else:
                before = row
        return rows

    return change


def newest(count: int) -> Callable[[Rows], Rows]:
    """The last bars up to the day, as of a company that was just listed."""
    return lambda rows: [row for row in rows if row["date"].date() <= DAY][-count:]


def without_last(sessions: int) -> Callable[[Rows], Rows]:
    """The bars without those of the last sessions up to the day, as of a feed that stopped."""
    return lambda rows: [row for row in rows if row["date"].date() <= DAY][:-sessions]


async def run_with(tmp_path: Path, change: Callable[[Rows], Rows]) -> Run:
    folder = folder_with(tmp_path / "f", change)
    return await graph_on(folder, home=str(tmp_path / "home")).arun(SYMBOL, DAY.isoformat())


def figures(run: Run) -> dict[str, float]:
    own = (row for row in run.record["data_sheet"] if row["symbol"] == SYMBOL)
    return {name: value for row in own for name, value in row["figures"].items()}


def levels(run: Run) -> list[float | None]:
    return [run.record["decision"][name] for name in LEVELS]  # type: ignore[index, literal-required]


def kinds(run: Run) -> set[str]:
    return {one["kind"] for one in run.record["data_faults"]}


async def test_a_halt_that_ended_weeks_ago_leaves_the_figures_of_the_sessions_since(tmp_path: Path):
    run = await run_with(tmp_path, halt(date(2024, 12, 2), date(2025, 1, 15)))
    clean = await run_with(tmp_path / "clean", lambda rows: rows)
    given, sound = figures(run), figures(clean)
    assert given["volatility_20d"] == pytest.approx(sound["volatility_20d"])
    assert given["change_1m"] == pytest.approx(sound["change_1m"])
    absent = {"atr", "rsi", "macdh", "close_50_sma", "close_200_sma", "change_3m"}
    absent |= {"high_52w", "max_drawdown_1y"}  # six weeks without a price could hold another high
    assert absent <= set(sound)
    assert not absent & set(given)
    assert kinds(run) == {"no-trade"}
    assert any("30 bars up to 2025-01-15 show no trade" in one for one in run.record["warnings"])
    size, usual = run.record["decision"]["position_size"], clean.record["decision"]["position_size"]
    assert size is not None
    assert usual is not None
    assert 0 < size <= usual  # the range is taken wide where the average true range is not known


async def test_six_weeks_without_a_trade_give_no_stop_and_no_size(tmp_path: Path):
    run = await run_with(tmp_path, halt(date(2025, 1, 27), date(2025, 3, 10)))
    assert run.record["decision"]["action"] == "BUY"
    assert levels(run) == [None] * 4
    assert "30 sessions since 2024-12-30 had no trade" in run.record["decision"]["rationale"]
    assert any(one.startswith("No level and no size: 30 sessions") for one in run.record["warnings"])
    assert not {"volatility_20d", "atr", "avg_volume_20d", "change_1m", "boll_ub"} & set(figures(run))
    texts = [turn["text"] for turn in run.record["debates"]["risk"]]
    assert all("I ask for no size" in text for text in texts)


async def test_a_stock_that_is_halted_today_has_no_decision(tmp_path: Path):
    run = await run_with(tmp_path, halt(date(2025, 3, 10), DAY))
    decision = run.record["decision"]
    assert (decision["action"], levels(run)) == ("NO_DECISION", [None] * 4)
    assert decision["rationale"].startswith("ACMQ has not traded since 2025-03-07: the bars of 5 sessions")
    assert kinds(run) == {"no-trade"}


async def test_a_halt_of_more_than_ten_days_is_an_error_that_says_so(tmp_path: Path):
    with pytest.raises(DataError, match="ACMQ has not traded from 2025-01-31 up to 2025-03-14"):
        await run_with(tmp_path, halt(date(2025, 2, 3), DAY))


async def test_a_bar_that_lags_by_one_session_is_a_warning(tmp_path: Path):
    run = await run_with(tmp_path, without_last(1))
    assert run.record["decision"]["action"] == "BUY"
    assert None not in levels(run)
    assert kinds(run) == set()
    assert (
        "The newest prices of ACMQ are of 2025-03-13, though the last session is 2025-03-14." in run.record["warnings"]
    )
    noted = {
        row["method"]
        for row in run.record["data_sheet"]
        if any("is of 2025-03-13, that of" in one for one in row["notes"])
    }
    assert {"get_stock_data", "get_indicators"} <= noted


@pytest.mark.parametrize(("sessions", "last"), [(2, "2025-03-12"), (3, "2025-03-11"), (8, "2025-03-04")])
async def test_prices_that_are_older_give_no_decision(tmp_path: Path, sessions: int, last: str):
    run = await run_with(tmp_path, without_last(sessions))
    decision = run.record["decision"]
    assert (decision["action"], levels(run)) == ("NO_DECISION", [None] * 4)
    assert f"are of {last}, {sessions} sessions before 2025-03-14" in decision["rationale"]
    assert kinds(run) == {"stale-end"}


@pytest.mark.parametrize("bars", [3, 20])
async def test_below_21_sessions_there_is_an_action_without_levels_or_size(tmp_path: Path, bars: int):
    run = await run_with(tmp_path, newest(bars))
    decision = run.record["decision"]
    assert decision["action"] == "BUY"  # of statements and news
    assert levels(run) == [None] * 4
    assert f"needs 21 sessions of prices, and ACMQ has {bars}" in decision["rationale"]
    assert kinds(run) == {"short-history"}
    assert any(f"{bars} sessions, and the longest figures need 253" in one for one in run.record["warnings"])
    everything = " ".join((decision["rationale"], *run.record["reports"].values()))
    assert "close to its 52-week high" not in everything
    assert not {"high_52w", "low_52w", "volatility_20d", "max_drawdown_1y", "atr", "beta"} & set(figures(run))


@pytest.mark.parametrize(
    ("bars", "known", "absent"),
    [
        (30, {"volatility_20d", "change_1m", "boll_ub"}, {"close_50_sma", "change_3m", "beta", "rsi", "high_52w"}),
        (100, {"close_50_sma", "change_3m", "beta"}, {"rsi", "atr", "macdh", "close_200_sma", "max_drawdown_1y"}),
    ],
)
async def test_a_young_company_gets_a_decision_with_what_is_known(
    tmp_path: Path, bars: int, known: set[str], absent: set[str]
):
    run = await run_with(tmp_path, newest(bars))
    given = set(figures(run))
    assert known <= given
    assert not absent & given
    assert run.record["decision"]["action"] == "BUY"
    assert None not in levels(run)
    assert run.record["decision"]["position_size"] < 0.04  # with all figures 0.0366: never more for knowing less
    assert "taken wide at three standard deviations" in run.record["decisions"]["trader_investment_plan"]["rationale"]
    notes = [note for row in run.record["data_sheet"] for note in row["notes"] if "short-history" in note]
    assert any(f"ACMQ has {bars} sessions from" in note for note in notes)


async def test_a_model_cannot_set_a_size_where_nothing_measures_the_risk(tmp_path: Path):
    """The prompt says that there is none; what the model sets all the same is taken out and said."""
    folder, seen = folder_with(tmp_path / "f", newest(3)), dict[str, str]()

    def sized(messages: Any, _tools: Any) -> Any:
        seen[role_of(messages)] = "\n".join(message.text for message in messages)
        return sound_verdict(messages, position_size=0.10)

    def argued(messages: Any, _tools: Any) -> Any:
        seen[role_of(messages)] = "\n".join(message.text for message in messages)
        return report_of(messages)

    model = scripted({**dict.fromkeys(DECIDERS, sized), "Aggressive Debator": argued})
    folders = {"data_vendor": "snapshot", "data_dir": str(folder), "home": str(tmp_path / "home")}
    run = await trading_graph(model, auto_settle=False, **folders).arun(SYMBOL, DAY.isoformat())
    assert run.record["decision"]["action"] == "BUY"
    assert levels(run) == [None] * 4
    assert "There is no entry, stop, target or size: the volatility of 20 sessions needs 21" in run.decision.rationale
    assert "entry, stop, target and position_size of a trade are null: the volatility" in seen["Trader"]
    assert "No size can be set: the volatility of 20 sessions" in seen["Aggressive Debator"]


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("symbol", "day", "has_levels"),
    [
        ("KVUE", "2023-05-08", False),  # third session after its listing
        ("KVUE", "2023-06-15", True),  # thirtieth
        ("GEV", "2024-06-14", True),
        ("SW", "2024-07-12", False),  # fifth session in New York; before, one in two had no trade over the counter
        ("SW", "2024-08-13", True),
    ],
)
async def test_young_companies_of_the_recorded_market_get_a_decision_with_what_is_known(
    symbol: str, day: str, has_levels: bool, test_data: Path, tmp_path: Path
):
    run = await graph_on(test_data / "snapshot", home=str(tmp_path)).arun(symbol, day)
    assert run.record["decision"]["action"] in ("BUY", "SELL", "HOLD")
    if run.record["decision"]["action"] != "HOLD":
        assert [level is not None for level in levels(run)] == [has_levels] * 4
    assert kinds(run) & {"short-history", "no-trade"}


@pytest.mark.real_data
async def test_a_day_without_a_trade_over_the_counter_has_no_decision(test_data: Path, tmp_path: Path):
    run = await graph_on(test_data / "snapshot", home=str(tmp_path)).arun("SW", "2024-03-13")
    assert run.record["decision"]["action"] == "NO_DECISION"
    assert run.record["decision"]["rationale"].startswith("SW has not traded since 2024-03-12: the bars of 1 session")
