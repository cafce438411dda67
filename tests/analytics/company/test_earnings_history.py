"""Results against estimates, and names resolved to instruments."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from tradingagents.analytics.company.company_info import matching, resolved
from tradingagents.analytics.company.earnings import earnings_history
from tradingagents.dataflows.models import EarningsEvent
from tradingagents.errors import NoData

AS_OF = date(2025, 3, 14)
NOW = datetime(2025, 3, 14, 20, tzinfo=UTC)


def event(day: date, eps: float | None, estimate: float | None = None) -> EarningsEvent:
    return EarningsEvent(
        "ACME", "Acme", day, datetime(day.year, day.month, day.day, tzinfo=UTC), eps=eps, eps_estimate=estimate
    )


def history(*events: EarningsEvent):
    return earnings_history(events, symbol="ACME", as_of=AS_OF, fetched_at=NOW, source="made")


def test_surprise_growth_and_the_next_date():
    found = history(
        event(date(2024, 2, 1), 1.0, 1.25), event(date(2025, 2, 3), 1.5, 1.2), event(date(2025, 5, 1), None, 1.6)
    )
    newest, before = found.quarters
    assert newest.surprise_pct == pytest.approx(25)
    assert newest.eps_growth_pct == pytest.approx(50)
    assert before.surprise_pct == pytest.approx(-20)
    assert before.eps_growth_pct is None
    assert (found.beats, found.compared) == (1, 2)
    assert (found.next_day, found.next_estimate) == (date(2025, 5, 1), 1.6)
    assert "Next results: 2025-05-01." in found.to_markdown()


def test_a_loss_has_a_surprise_by_the_size_of_the_estimate_and_no_growth():
    (newest, _) = history(event(date(2024, 2, 1), -1.0), event(date(2025, 2, 3), -0.5, -1.0)).quarters
    assert newest.surprise_pct == pytest.approx(50)
    assert newest.eps_growth_pct is None


def test_without_estimates_the_note_says_so_and_without_results_it_is_refused():
    assert history(event(date(2025, 2, 3), 1.0)).notes == (
        "The source records no estimates: reported earnings stand without them.",
    )
    with pytest.raises(NoData, match="made has no results of ACME"):
        history()


def test_no_quarter_compared_is_not_none_of_none_beaten():
    gone = replace(event(date(2025, 2, 3), None, 1.2), withheld="ACME 2024-12-31: eps is withheld.")
    for found in (history(gone), history(event(date(2025, 2, 3), 1.0))):
        figures = {one.name: one.value for one in found.figures()}
        assert (figures["estimates_beaten"], figures["estimates_compared"]) == (None, None)
    assert any("how often estimates were beaten is not known" in note for note in history(gone).notes)


def test_missing_results_of_the_year_before_are_named():
    found = history(event(date(2023, 11, 1), 1.0), event(date(2024, 5, 1), 1.0), event(date(2025, 2, 3), 1.5))
    (note,) = [one for one in found.notes if one.startswith("No year-on-year growth of earnings")]
    assert note.endswith("missing, the ones known before them are of 2023-11-01.")
    there = history(event(date(2023, 11, 1), 1.0), event(date(2024, 2, 1), 1.0), event(date(2025, 2, 3), 1.5))
    assert not any(one.startswith("No year-on-year") for one in there.notes)


def test_withheld_results_stand_there_without_figures():
    gone = replace(event(date(2025, 2, 3), None), withheld="ACME 2024-12-31: eps is withheld.")
    found = history(event(date(2024, 11, 1), 1.0), gone)
    assert [(one.day, one.eps) for one in found.quarters] == [(date(2025, 2, 3), None), (date(2024, 11, 1), 1.0)]
    assert found.next_day is None


def test_results_of_half_years_are_called_so():
    half = replace(event(date(2025, 2, 3), 1.0), period_end=date(2024, 12, 31), fiscal_period="H2")
    assert "The company reports half-yearly: the results to 2024-12-31 and before are of half-years." in (
        history(half).notes
    )


COMPANIES = [
    ("JNJ", "Johnson & Johnson", "healthcare"),
    ("JCI", "Johnson Controls", "industrials"),
    ("GOOGL", "Alphabet Inc. (Class A)", "communication-services"),
    ("GOOG", "Alphabet Inc. (Class C)", "communication-services"),
    ("AAPL", "Apple Inc.", "technology"),
]


@pytest.mark.parametrize(
    ("query", "symbols", "match"),
    [
        ("aapl", ["AAPL"], "ticker"),
        ("Apple, Inc", ["AAPL"], "name"),
        ("johnson & johnson", ["JNJ"], "name"),
        ("Google", ["GOOG", "GOOGL"], "known as"),
        ("controls", ["JCI"], "part of the name"),
        ("inc", [], None),
        ("Nothing Of The Kind", [], None),
    ],
)
def test_the_best_kind_of_match_alone(query: str, symbols: list[str], match: str | None):
    found = matching(query, COMPANIES)
    assert [one.symbol for one in found] == symbols
    assert {one.match for one in found} == ({match} if match else set())


def test_more_than_one_candidate_is_ambiguous_and_has_no_symbol():
    both = resolved("Google", matching("Google", COMPANIES), as_of=AS_OF, source="made", fetched_at=NOW)
    assert both.ambiguous
    assert both.symbol is None
    assert "name the ticker" in both.to_markdown()
    one = resolved("Apple", matching("Apple", COMPANIES), as_of=AS_OF, source="made", fetched_at=NOW)
    assert (one.ambiguous, one.symbol) == (False, "AAPL")
