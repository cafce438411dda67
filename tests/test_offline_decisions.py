"""Offline runs decide on their data: other data, other decision; what is missing is said; nothing later is seen."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.support.figures import assert_decision_stands_on_the_sheet, missing_from_sheet
from tests.support.offline_runs import DERIVED, answer, graph_on, mirror_prices
from tests.support.snapshot_folder import POISON_MARK, poison, write_snapshot
from tests.support.tiers import sampled
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.vendors.simulated import COMPANIES, NO_NEWS, NO_STATEMENTS
from tradingagents.errors import AllVendorsFailed, NoData
from tradingagents.graph.trading_graph import TradingAgentsGraph

DAY = "2025-03-14"


def simulated(**more: Any) -> TradingAgentsGraph:
    return TradingAgentsGraph(config={"llm_provider": "offline", "data_vendor": "simulated", **more})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_snapshot(tmp_path_factory.mktemp("snapshot") / "market")


async def test_the_decision_quotes_figures_of_the_data_sheet(folder: Path):
    run = await graph_on(folder).arun("ACMQ", DAY)
    assert run.decision.action in ("BUY", "SELL", "HOLD")
    assert_decision_stands_on_the_sheet(run.record)


async def test_so_does_every_report_and_debate_turn(folder: Path):
    run = await graph_on(folder).arun("ELMQ", DAY)
    texts = [*run.record["reports"].values(), *(t["text"] for turns in run.record["debates"].values() for t in turns)]
    wrong = [one for text in texts for one in missing_from_sheet(run.record, text) if one[0] not in DERIVED]
    assert wrong == []


@pytest.mark.parametrize(("companies", "of_each"), sampled([(5, 1), (12, 2)], every=2))
async def test_over_some_companies_the_market_gives_reasons_to_buy_and_to_sell(companies: int, of_each: int):
    graph = simulated()
    symbols = [symbol for symbol in COMPANIES if symbol not in (*NO_NEWS, *NO_STATEMENTS)][:companies]
    runs = [await graph.arun(symbol, day) for symbol in symbols for day in ("2024-09-13", DAY)]
    actions = Counter(run.decision.action for run in runs)
    assert min(actions["BUY"], actions["SELL"]) >= of_each
    assert len({run.decision.rationale for run in runs}) == len(runs)
    for run in runs:
        assert_decision_stands_on_the_sheet(run.record)


async def test_prices_turned_upside_down_turn_the_decision(folder: Path, tmp_path: Path):
    inverted = write_snapshot(tmp_path / "inverted")
    mirror_prices(inverted, ("ACMQ",), since=date(2024, 9, 3))
    plain, turned = [await graph_on(one).arun("ACMQ", DAY) for one in (folder, inverted)]
    assert (plain.decision.action, turned.decision.action) == ("SELL", "BUY")
    assert_decision_stands_on_the_sheet(turned.record)


@pytest.mark.parametrize("largest", [0.02, 0.00002])
async def test_the_largest_position_of_the_settings_holds_for_the_rules_too(folder: Path, largest: float):
    """Rules that ask for more would end in NO_DECISION: the check refuses them twice."""
    plain, limited = [await graph_on(folder, **more).arun("ACMQ", DAY) for more in ({}, {"max_position_size": largest})]
    assert plain.decision.action == limited.decision.action == "SELL"
    assert plain.decision.position_size > 0.02
    assert 0 < limited.decision.position_size <= largest
    assert limited.record["warnings"] == plain.record["warnings"]


async def test_another_company_on_the_same_day_gets_another_answer(folder: Path):
    graph = graph_on(folder)
    runs = [await graph.arun(symbol, DAY) for symbol in ("ACMQ", "ELMQ", "CRGQ", "DOVQ")]
    assert len({run.decision.rationale for run in runs}) == 4
    assert len({str(run.decision.key_evidence) for run in runs}) == 4


# What is missing


async def test_without_statements_and_insiders_the_reports_say_so_and_the_rest_decides(folder: Path):
    run = await graph_on(folder).arun("CRGQ", DAY)
    fundamentals, news = run.record["reports"]["fundamentals_report"], run.record["reports"]["news_report"]
    assert re.search(r"Not available: .*get_ttm_analysis failed \(snapshot has no statement of CRGQ from", fundamentals)
    assert "P/E ratio (get_fundamentals)" in fundamentals
    assert "P/E ratio |" not in fundamentals
    assert "get_insider_transactions failed" in news
    assert run.decision.action in ("BUY", "SELL", "HOLD")
    assert_decision_stands_on_the_sheet(run.record)


async def test_without_news_the_reports_say_so_and_invent_none(folder: Path):
    run = await graph_on(folder).arun("DOVQ", DAY)
    mood, news = run.record["reports"]["sentiment_report"], run.record["reports"]["news_report"]
    assert "Not available: get_news failed (The snapshot has no news for DOVQ" in mood
    assert "Nothing could be scored" in mood
    assert "get_news failed" in news
    assert "No headline carries" not in news
    assert_decision_stands_on_the_sheet(run.record)


@pytest.mark.parametrize("symbol", [*NO_NEWS[:1], *NO_STATEMENTS[:1], "SPY", "XLK", "^GSPC", "^VIX"])
async def test_the_simulated_market_s_gaps_funds_and_indices_get_an_answer(symbol: str):
    run = await simulated().arun(symbol, DAY)
    assert "Not available" in "".join(run.record["reports"].values())
    assert run.decision.action in ("BUY", "SELL", "HOLD")
    assert_decision_stands_on_the_sheet(run.record)


async def test_doubts_of_the_tools_reach_the_report(folder: Path):
    run = await graph_on(folder).arun("ELMQ", DAY)
    assert (
        "Notes on the data: Filing date assumed (period end + 45 days" in run.record["reports"]["fundamentals_report"]
    )


async def test_a_history_of_days_gives_an_answer_that_names_what_is_too_short(folder: Path):
    run = await graph_on(folder).arun("ACMQ", "2023-01-06")
    market = run.record["reports"]["market_report"]
    assert "close_200_sma needs 200 sessions, the history has 4." in market
    assert "Not available: 200-day average (get_indicators)" in market
    assert run.decision.stop is None
    assert run.decision.action in ("BUY", "SELL", "HOLD")


@pytest.mark.parametrize(
    ("day", "session"),
    [("2025-03-15", "2025-03-14"), ("2025-01-09", "2025-01-08"), ("2024-12-25", "2024-12-24")],
)
async def test_a_day_without_a_session_is_the_last_one_s_close(folder: Path, day: str, session: str):
    graph = graph_on(folder)
    closed, open_ = await graph.arun("ACMQ", day), await graph.arun("ACMQ", session)
    assert (closed.record["session"], closed.record["cutoff"]) == (session, open_.record["cutoff"])
    assert closed.decision.entry == open_.decision.entry
    assert any(f"{day} has no closed session" in warning for warning in closed.record["warnings"])
    assert open_.record["warnings"] == []


@pytest.mark.parametrize("day", ["2025-07-31", "2022-12-30"])
async def test_a_day_outside_the_data_is_refused_with_the_way_out(folder: Path, day: str):
    with pytest.raises(
        NoData, match=r"No prices of ACMQ for .*; name (an earlier date or another vendor|a date within)"
    ):
        await graph_on(folder).arun("ACMQ", day)


async def test_an_unknown_ticker_is_refused_with_its_neighbours(folder: Path):
    with pytest.raises(NoData, match=r"No prices of ACMX.*ACMQ"):
        await graph_on(folder).arun("ACMX", DAY)


# Look-ahead, end to end


@pytest.mark.parametrize("symbol", sampled(["ACMQ", "ELMQ", "CRGQ", "DOVQ", "SPY"], every=2))
async def test_what_was_known_only_later_changes_no_word_of_the_run(folder: Path, tmp_path: Path, symbol: str):
    poisoned = write_snapshot(tmp_path / "poisoned")
    poison(poisoned, sessions().close_of(date(2025, 3, 14)))
    clean, other = [await graph_on(one).arun(symbol, DAY) for one in (folder, poisoned)]
    assert answer(other) == answer(clean)
    sheets = [[{**row.as_json(), "fetched_at": None} for row in run.record.data_sheet] for run in (clean, other)]
    assert sheets[0] == sheets[1]
    assert POISON_MARK not in str(other.record)


async def test_and_the_poison_would_show_once_it_is_known(folder: Path, tmp_path: Path):
    """Its prices are refused, since nothing tells their level from a change of the unit; its other rows show."""
    poisoned, sound_prices = write_snapshot(tmp_path / "poisoned"), write_snapshot(tmp_path / "sound")
    for each in (poisoned, sound_prices):
        poison(each, sessions().close_of(date(2025, 3, 14)))
    for name in ("prices.parquet", "actions.csv"):
        (sound_prices / name).write_bytes((folder / name).read_bytes())
    for day in ("2025-03-17", "2025-04-30"):
        with pytest.raises(AllVendorsFailed, match="cannot be told from an error"):
            await graph_on(poisoned).arun("ACMQ", day)
    clean, changed = [await graph_on(one).arun("ACMQ", "2025-03-17") for one in (folder, sound_prices)]
    for key in ("fundamentals_report", "news_report", "sentiment_report"):
        assert clean.record["reports"][key] != changed.record["reports"][key], key
