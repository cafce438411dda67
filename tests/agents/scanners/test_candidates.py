"""Picks: taken from what was read, each once, as many as asked; names and sectors as the data have them."""

from __future__ import annotations

import pytest

from tradingagents.agents.scan_states import Seen, merge_seen
from tradingagents.agents.scanners.candidates import (
    asked_for,
    candidates_table,
    known_ticker,
    problem_with,
    recorded,
    studyable,
)
from tradingagents.agents.schemas import Evidence, MacroContext, Pick, ScanSummary, Theme
from tradingagents.analytics.market.scanned import SeenStock


def stock(name: str = "Acme", sector: str | None = "energy", **figures: float) -> SeenStock:
    return SeenStock(name=name, sector=sector, tools=["get_market_movers:day_gainers"], figures=figures)


SEEN: Seen = {
    "AAA": stock("Alpha | Co", "technology", change_1d=3.456),
    "BRK-B": stock("Berk"),
    "CCC": stock(sector=None),
}


def pick(ticker: str) -> Pick:
    return Pick(
        ticker=ticker,
        name="Whatever the model wrote",
        sector="Some sector",
        rationale="It rose +3.46% in a day on twice its volume.",
        thesis_angle="momentum",
        conviction="high",
        evidence=[Evidence(claim="+3.46% in a day", source="get_market_movers:day_gainers")],
    )


def summary_of(*picks: Pick) -> ScanSummary:
    return ScanSummary(
        timeframe="1-3 months",
        executive_summary="A summary of twenty characters.",
        macro_context=MacroContext(economic_cycle="late", central_bank_stance="holding"),
        key_themes=[Theme(theme="t", description="d", conviction="low")],
        stocks_to_investigate=list(picks),
    )


@pytest.mark.parametrize(
    ("wanted", "candidates", "words", "short"),
    [
        (None, 100, "8 to 10", False),
        (None, 9, "8 to 9", False),
        (None, 8, "exactly 8", False),
        (None, 5, "exactly 5", True),
        (3, 100, "exactly 3", False),
        (12, 7, "exactly 7", True),
    ],
)
def test_as_many_as_asked_but_never_more_than_there_are(wanted, candidates, words, short):
    asked = asked_for(wanted, candidates)
    assert asked.words == words
    assert (asked.shortage is not None) is short


def test_a_shortage_says_how_many_there_were_and_how_many_were_wanted():
    assert asked_for(12, 7).shortage == ("Only 7 candidates stood in what was read, fewer than the 12 picks wanted.")


@pytest.mark.parametrize(
    ("tickers", "problem"),
    [
        (["AAA", "BRK-B"], None),
        (["aaa", "brk.b"], None),
        (["$AAA", " CCC "], None),
        (["AAA", "ZZZ"], "not among the candidates: ZZZ"),
        (["AAA", "aaa"], "named more than once: AAA"),
        (["AAA"], "1 different stocks where exactly 2 are asked"),
        (["AAA", "BRK-B", "CCC"], "3 different stocks where exactly 2 are asked"),
        (["AAA", "../../x"], "not among the candidates: ../../x"),
    ],
)
def test_what_makes_picks_unusable_is_named(tickers: list[str], problem: str | None):
    found = problem_with([pick(ticker) for ticker in tickers], SEEN, asked_for(2, len(SEEN)))
    assert found is None if problem is None else found is not None and problem in found


def test_a_ticker_is_known_in_any_case_and_spelling():
    assert [known_ticker(text, SEEN) for text in ("aaa", "BRK.B", "$CCC", "DDD", "")] == [
        "AAA",
        "BRK-B",
        "CCC",
        None,
        None,
    ]


def test_the_table_shows_every_candidate_with_its_figures_and_where_it_was_seen():
    assert candidates_table(SEEN).splitlines()[2:] == [
        "| AAA | Alpha / Co | Information Technology | +3.46% | n/a | n/a | get_market_movers:day_gainers |",
        "| BRK-B | Berk | Energy | n/a | n/a | n/a | get_market_movers:day_gainers |",
        "| CCC | Acme | n/a | n/a | n/a | n/a | get_market_movers:day_gainers |",
    ]


def test_a_recorded_pick_has_ticker_name_and_sector_of_the_data():
    first, second = recorded(summary_of(pick("brk.b"), pick("CCC")), SEEN)["stocks_to_investigate"]
    assert (first["ticker"], first["name"], first["sector"]) == ("BRK-B", "Berk", "Energy")
    assert (second["ticker"], second["name"], second["sector"]) == ("CCC", "Acme", "unknown")
    assert first["seen_in"] == ["get_market_movers:day_gainers"]


def test_where_the_data_have_no_name_or_sector_the_model_s_count_a_sector_only_as_one_of_the_eleven():
    seen: Seen = {"CCC": stock("n/a", None)}
    told = pick("CCC").model_copy(update={"sector": "Healthcare"})
    (found,) = recorded(summary_of(told), seen)["stocks_to_investigate"]
    assert (found["name"], found["sector"]) == ("Whatever the model wrote", "Health Care")


def test_what_two_agents_saw_of_a_stock_is_joined():
    left = {"AAA": SeenStock(name="A", sector=None, tools=["x"], figures={"change_1d": 1.0})}
    right = {
        "AAA": SeenStock(name="B", sector="energy", tools=["x", "y"], figures={"change_1d": 2.0, "return_1w": 3.0})
    }
    assert merge_seen(left, right) == {
        "AAA": SeenStock(name="A", sector="energy", tools=["x", "y"], figures={"change_1d": 1.0, "return_1w": 3.0})
    }
    assert merge_seen(merge_seen(left, right), right) == merge_seen(left, right)


def test_what_is_known_of_a_name_stays_whichever_agent_saw_it_first():
    headline = {"AAPL": SeenStock(name="AAPL", sector=None, tools=["get_topic_news"], figures={})}
    nameless = {"AAPL": stock("n/a")}
    mover = {"AAPL": stock("Apple Inc.")}
    for first, second in ((headline, mover), (nameless, mover), (mover, headline), (mover, nameless)):
        assert merge_seen(first, second)["AAPL"]["name"] == "Apple Inc."
    assert merge_seen(headline, headline)["AAPL"]["name"] == "AAPL"


@pytest.mark.parametrize(
    ("names", "kept"),
    [
        (("Alphabet Inc. (Class C)", "Alphabet Inc. (Class A)"), ["GOOGL"]),
        (("Alphabet Inc. Class C Capital Stock", "Alphabet Inc. - Class A Common Stock"), ["GOOGL"]),
        (("Alphabet Inc.", "alphabet  inc"), ["GOOGL"]),
        (("Alphabet Inc.", "Class Acts Holding"), ["GOOG", "GOOGL"]),
        (("Class A", "Class C"), ["GOOG", "GOOGL"]),
        (("n/a", "n/a"), ["GOOG", "GOOGL"]),
        (("", ""), ["GOOG", "GOOGL"]),
        (("GOOG", "GOOGL"), ["GOOG", "GOOGL"]),
    ],
)
def test_of_one_company_s_share_classes_the_one_in_more_answers_is_the_candidate(
    names: tuple[str, str], kept: list[str]
):
    once, again = stock(names[0]), stock(names[1])
    twice = again.model_copy(update={"tools": [*again.tools, "get_topic_news"]})
    assert list(studyable({"GOOG": once, "GOOGL": twice})) == kept
    assert list(studyable({"GOOGL": twice, "GOOG": once})) == kept[::-1]


def test_of_share_classes_alike_the_first_by_ticker_is_the_candidate():
    both = {"NWSA": stock("News Corp (Class A)"), "NWS": stock("News Corp (Class B)")}
    assert list(studyable(both)) == ["NWS"]


def test_a_ticker_that_means_something_else_when_asked_for_is_no_candidate():
    assert list(studyable({"SPX": stock("Not the index"), "AAA": stock(), "not a symbol": stock()})) == ["AAA"]
