"""On prices with a break no run decides as if they were sound: figures across it are withheld, the days are named."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.support.offline_runs import graph_on
from tests.support.snapshot_folder import write_prices, year_and_more
from tradingagents.errors import DataError
from tradingagents.graph.start import Run

SYMBOL, LEVELS = "ACMQ", ("open", "high", "low", "close", "adj_close")
DAY = date(2025, 3, 14)
SPIKE = (date(2025, 3, 5), date(2025, 3, 7))


def spoiled(folder: Path, first: date, last: date, factor: float, *, shares: float = 1.0) -> Path:
    """A folder in which the bars of [first, last] are wrong by a factor, and their volumes by another."""
    rows = pq.ParquetFile(year_and_more(folder) / "prices.parquet").read().to_pylist()
    for row in rows:
        if row["symbol"] == SYMBOL and first <= row["date"].date() <= last:
            row.update({name: row[name] * factor for name in LEVELS}, volume=round(row["volume"] * shares))
    write_prices(folder, rows)
    return folder


async def run_on(folder: Path, home: Path, day: date = DAY) -> Run:
    return await graph_on(folder, home=str(home)).arun(SYMBOL, day.isoformat())


def figures(run: Run) -> dict[str, float]:
    return {name: value for row in run.record["data_sheet"] for name, value in row["figures"].items()}


async def test_a_hundredfold_stretch_a_week_ago_ends_in_no_decision_that_names_its_days(tmp_path: Path):
    run = await run_on(spoiled(tmp_path / "f", *SPIKE, 100.0), tmp_path / "home")
    decision = run.record["decision"]
    assert (decision["action"], decision["confidence"]) == ("NO_DECISION", 0.0)
    assert "sound since 2025-03-10 only, 5 sessions, and a decision needs 21" in decision["rationale"]
    assert "on 2025-03-05, and back to " in decision["rationale"]
    assert any("prices before 2025-03-10 are withheld" in one for one in run.record["warnings"])
    assert not {"high_52w", "volatility_20d", "max_drawdown_1y", "beta", "close_200_sma"} & set(figures(run))


async def test_a_split_not_applied_months_ago_leaves_the_figures_of_the_sound_stretch(tmp_path: Path):
    folder = spoiled(tmp_path / "f", date(2024, 1, 1), date(2024, 11, 29), 4.0, shares=0.25)
    run = await run_on(folder, tmp_path / "home")
    clean = await run_on(year_and_more(tmp_path / "clean"), tmp_path / "home2")
    withheld = {"high_52w", "max_drawdown_1y", "close_200_sma", "beta"}
    given, sound = figures(run), figures(clean)
    assert withheld <= set(sound)
    assert not withheld & set(given)
    for name in ("volatility_20d", "close_50_sma", "change_3m", "last_close"):
        assert given[name] == pytest.approx(sound[name])
    prices, statements = run.record["degraded"]
    assert prices.as_json() == {
        "kind": "withheld_prices",
        "agent": "Market Analyst",
        "detail": "the prices of ACMQ before 2024-12-02 are withheld",
    }
    assert (statements["kind"], statements["agent"]) == ("withheld_statements", "Fundamentals Analyst")
    assert "like a 4 for 1 split that is not listed" in statements["detail"]  # counts of before are of another basis
    assert {one["kind"] for one in run.record["data_faults"]} == {"split-not-listed", "share-basis"}
    assert clean.record["degraded"] == []
    assert any("like a 4 for 1 split that is not listed" in one for one in run.record["warnings"])


async def test_inside_of_the_stretch_the_prices_are_not_used(tmp_path: Path):
    folder = spoiled(tmp_path / "f", *SPIKE, 100.0)
    with pytest.raises(DataError, match="their level since 2025-03-05 cannot be told from an error"):
        await run_on(folder, tmp_path / "home", SPIKE[0])


async def test_two_different_bars_of_a_session_are_an_error_that_shows_both(tmp_path: Path):
    folder = year_and_more(tmp_path / "f")
    rows = pq.ParquetFile(folder / "prices.parquet").read().to_pylist()
    again = next(row for row in rows if row["symbol"] == SYMBOL and row["date"].date() == date(2025, 3, 13))
    write_prices(folder, [*rows, {**again, "close": again["low"]}])
    with pytest.raises(DataError, match=r"ACMQ 2025-03-13 .*two different bars of this session, .* and "):
        await run_on(folder, tmp_path / "home")


def with_split(folder: Path, day: date, ratio: float) -> Path:
    """The folder with one more split on its list."""
    with (folder / "actions.csv").open("a", encoding="utf-8") as file:
        file.write(f"{SYMBOL},{day},split,{ratio}\n")
    return folder


def kinds(run: Run) -> set[str]:
    return {fault["kind"] for fault in run.record.data_faults}


async def test_a_reverse_split_that_is_listed_and_not_applied_moves_no_figure(tmp_path: Path):
    folder = with_split(spoiled(tmp_path / "f", date(2024, 1, 1), date(2025, 3, 6), 0.1), date(2025, 3, 7), 0.1)
    run = await run_on(folder, tmp_path / "home")
    assert run.record["decision"]["action"] == "NO_DECISION"
    assert "the listed 1 for 10 split is not applied" in run.record["decision"]["rationale"]
    assert run.record["decision"]["rationale"].endswith("(docs/reference/data-faults.md#split-not-applied).")
    assert kinds(run) == {"split-not-applied"}
    assert not {"high_52w", "volatility_20d", "max_drawdown_1y", "change_1m"} & set(figures(run))


async def test_a_small_split_months_ago_that_is_not_applied_leaves_the_figures_since(tmp_path: Path):
    day = date(2024, 12, 2)
    folder = with_split(spoiled(tmp_path / "f", date(2024, 1, 1), date(2024, 11, 29), 1.25), day, 1.25)
    run, clean = (
        await run_on(folder, tmp_path / "home"),
        await run_on(year_and_more(tmp_path / "c"), tmp_path / "home2"),
    )
    assert "split-not-applied" in kinds(run)
    given, sound = figures(run), figures(clean)
    assert "high_52w" not in given
    assert given["volatility_20d"] == pytest.approx(sound["volatility_20d"])


async def test_closes_that_contain_the_dividends_they_are_listed_with_give_levels_and_no_return_across_them(
    tmp_path: Path,
):
    """As of yfinance's `history()`: the adjusted close is the close, and dividends are listed."""
    folder = year_and_more(tmp_path / "f")
    rows = pq.ParquetFile(folder / "prices.parquet").read().to_pylist()
    for row in rows:
        if row["symbol"] == SYMBOL:
            row["adj_close"] = row["close"]
    write_prices(folder, rows)
    run, clean = (
        await run_on(folder, tmp_path / "home"),
        await run_on(year_and_more(tmp_path / "c"), tmp_path / "home2"),
    )
    given, sound = figures(run), figures(clean)
    assert kinds(run) == {"dividends-disagree"}
    assert {"change_3m", "max_drawdown_1y"} <= set(sound)
    assert not {"change_3m", "max_drawdown_1y", "beta"} & set(given)
    for name in ("last_close", "high_52w", "close_200_sma"):
        assert given[name] == pytest.approx(sound[name])
    notes = [note for row in run.record.data_sheet for note in row.notes]
    assert any(note.startswith(f"Returns of {SYMBOL} that reach back before 2025-02-18 are withheld") for note in notes)


async def test_days_that_are_shifted_by_one_are_an_error_that_says_so(tmp_path: Path):
    folder = year_and_more(tmp_path / "f")
    rows = pq.ParquetFile(folder / "prices.parquet").read().to_pylist()
    for row in rows:
        if row["symbol"] == SYMBOL:
            row["date"] -= timedelta(days=1)
    write_prices(folder, rows)
    with pytest.raises(DataError, match=r"its days are shifted: .*the days are shifted against the sessions"):
        await run_on(folder, tmp_path / "home")
