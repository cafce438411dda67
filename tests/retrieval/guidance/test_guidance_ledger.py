"""The ledger of guidance: revisions in order, what one day says twice, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.retrieval.guidance.calls import COMPANY, call
from tests.retrieval.series.filings import filings, history
from tradingagents.retrieval.guidance.ledger import GuidanceLedger, guidance_ledger, may_guide
from tradingagents.retrieval.guidance.outcomes import GuidanceOutcome, outcome_of, outcome_of_line
from tradingagents.retrieval.guidance.statements import read_guidance
from tradingagents.retrieval.guidance.tables import guidance_record, guidance_table
from tradingagents.retrieval.models import SourceDocument
from tradingagents.retrieval.series import Series, Span, series

REVENUE = {2022: 1000e6, 2023: 1200e6, 2024: 1500e6}
"""A quarter is a fourth of its year; the fiscal year ends in September."""
SOURCE = history(list(filings(range(2022, 2025), REVENUE)))
NOW = datetime(2025, 1, 15, tzinfo=UTC)


def ledger(documents: Iterable[SourceDocument]) -> GuidanceLedger:
    return guidance_ledger(map(read_guidance, documents))


def reported(as_of: datetime = NOW) -> Callable[[str, Span], Series]:
    return lambda item, span: series(SOURCE, COMPANY, item, span, as_of, "first")


def outcome(sentence: str, *, quarter: int = 1, day: str = "2024-01-30", as_of: datetime = NOW) -> GuidanceOutcome:
    (statement,) = ledger([call(2024, quarter, day, sentence)]).last()
    return outcome_of(statement, reported(as_of))


def test_revisions_stand_in_the_order_in_which_they_were_said() -> None:
    said = {
        1: ("2024-01-30", "For fiscal 2024, we expect revenue of $1.30 billion to $1.40 billion."),
        2: ("2024-04-30", "For fiscal 2024, we expect revenue of $1.40 billion to $1.45 billion."),
        3: ("2024-07-30", "For fiscal 2024, we expect revenue of $1.41 billion to $1.44 billion."),
    }
    documents = [call(2024, quarter, *said[quarter]) for quarter in (3, 1, 2)]
    made = ledger(documents)
    assert [entry.revision for entry in made.entries] == ["first", "raised", "narrowed"]
    assert [statement.low for statement in made.last()] == [1.41e9]
    assert [entry.revision for entry in ledger(documents[1:]).entries] == ["first", "raised"]


def test_what_a_day_says_twice_is_entered_once_with_the_basis_that_is_stated() -> None:
    day = "2024-01-30"
    plain = call(2024, 1, day, "For fiscal 2024, we expect operating margin of 20% to 21%.")
    exact = call(2024, 1, day, "For fiscal 2024, we expect adjusted operating margin of 20% to 21%.")
    (entry,) = ledger([plain, exact]).entries
    assert (entry.statement.basis, entry.revision) == ("adjusted", "first")


def test_a_beat_is_told_against_each_end() -> None:
    found = outcome("For fiscal 2024, we expect revenue of $1.25 billion to $1.35 billion.")
    assert (found.actual, found.verdict) == (1500e6, "beat")
    said = found.statement
    assert found.against(said.low) == pytest.approx(20.0)
    assert found.against(said.middle) == pytest.approx(15.384615)
    assert found.against(said.high) == pytest.approx(11.111111)
    assert "10-K" in found.filing


def test_growth_is_told_in_basis_points_of_the_figures_that_were_reported() -> None:
    found = outcome("For fiscal 2024, we expect revenue to grow 26% to 28%.")
    assert (found.actual, found.verdict) == (pytest.approx(25.0), "missed")
    assert found.against(found.statement.middle) == pytest.approx(-200.0)


def test_a_quarter_stands_beside_its_quarter() -> None:
    found = outcome("For the second quarter, we expect revenue of $370 million to $380 million.")
    assert (found.actual, found.verdict) == (375e6, "met")


def test_costs_are_above_or_below_and_never_beaten() -> None:
    found = outcome("For fiscal 2024, we expect capital expenditures of $70 million.")
    assert (found.actual, found.verdict) == (75e6, "above")


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("For fiscal 2024, we expect adjusted EPS of $1.40 to $1.50.", "it is adjusted"),
        ("For fiscal 2024, we expect EPS of $1.40 to $1.50.", "does not say whether it is by GAAP"),
        ("For fiscal 2024, we expect organic revenue growth of 8%.", "it is organic"),
        ("For fiscal 2024, we expect revenue of $1.4 billion, excluding currency.", "leaves out"),
        ("For the second half of fiscal 2024, we expect revenue of $800 million.", "half a year"),
        ("For fiscal 2025, we expect revenue of $1.6 billion.", "had not been reported by 2025-01-15"),
    ],
)
def test_nothing_is_compared_with_a_figure_of_another_basis_or_period(sentence: str, reason: str) -> None:
    found = outcome(sentence)
    assert (found.actual, found.verdict, found.against(found.statement.low)) == (None, "", None)
    assert reason in found.reason


def test_by_gaap_is_compared_with_the_reported_figure() -> None:
    found = outcome("For fiscal 2024, we expect GAAP EPS of $1.40 to $1.50.")
    assert (found.actual, found.verdict) == (1.5, "met")


def test_what_is_said_of_both_bases_is_by_gaap_too() -> None:
    found = outcome("For fiscal 2024, we expect GAAP and non-GAAP EPS of $1.20 to $1.30.")
    assert (found.statement.basis, found.actual, found.verdict) == ("", 1.5, "beat")


def test_what_is_reported_later_is_not_known_before() -> None:
    sentence = "For the second quarter, we expect revenue of $300 million."
    before, after = (datetime(2024, month, 1, tzinfo=UTC) for month in (4, 9))
    assert outcome(sentence, as_of=before).actual is None
    assert outcome(sentence, as_of=after).actual == 375e6


def test_another_numbering_of_fiscal_years_is_noticed() -> None:
    found = outcome("For fiscal 2024, we expect revenue of $1.3 billion.", day="2022-01-30")
    assert found.actual is None
    assert "which the statement cannot mean" in found.reason


def test_the_last_statement_before_the_result_is_compared() -> None:
    said = (
        ("2024-01-30", "For fiscal 2024, we expect revenue of $1.30 billion to $1.40 billion."),
        ("2024-12-20", "For fiscal 2024, we expect revenue of $1.50 billion."),
    )
    documents = [call(2024, 1, *document) for document in said]
    made = ledger(documents)
    assert [statement.low for statement in made.last()] == [1.5e9]
    (line,) = made.lines()
    found = outcome_of_line(line, reported())
    assert (found.statement.low, found.actual, found.verdict) == (1.3e9, 1500e6, "beat")
    alone = outcome_of_line(line[1:], reported())
    assert (alone.actual, alone.reason) == (None, "the figure was reported before the statement")


def test_a_statement_long_after_the_result_is_of_another_numbering_and_none_stands_for_it() -> None:
    said = "For fiscal 2024, we expect revenue of $1.30 billion to $1.40 billion."
    (line,) = ledger([call(2024, 1, "2024-09-10", said), call(2024, 1, "2025-06-30", said)]).lines()
    found = outcome_of_line(line, reported(datetime(2025, 8, 1, tzinfo=UTC)))
    assert found.actual is None
    assert "which the statement cannot mean" in found.reason


def test_tables_say_what_was_said_what_came_and_what_is_withheld() -> None:
    made = ledger(
        [
            call(
                2024, 1, "2024-01-30", "For fiscal 2024, we expect revenue of $1.25 billion to $1.35 billion.",
                "For fiscal 2024, we expect Widgets revenue of $300 million.", "We expect $900 million of revenue.",
            )
        ]
    )  # fmt: skip
    table = guidance_table(COMPANY, made, as_of=NOW.date(), fetched_at=NOW)
    assert "| FY2024 | revenue | not stated | 1.25B USD to 1.35B USD | first | 2024-01-30 |" in table.to_markdown()
    assert "| FY2024 | widgets revenue | not stated | 300.00M USD | first | 2024-01-30 |" in table.to_markdown()
    assert "Withheld, 1 figure; the last" in table.to_markdown()
    assert "the sentences before it speak of a part of the company" in table.to_markdown()
    assert [figure.value for figure in table.figures()] == [1.25e9, 1.35e9, 3e8, 3e8]
    outcomes = [outcome_of(statement, reported()) for statement in made.last()]
    record = guidance_record(COMPANY, outcomes, made.documents, as_of=NOW.date(), fetched_at=NOW)
    assert "Of 1 statements compared: beat 1, met 0, missed 0." in record.to_markdown()
    assert "| beat | +20.0 % | +15.4 % | +11.1 % |" in record.to_markdown()
    assert record.known_at > table.known_at


def test_annual_reports_are_no_guidance() -> None:
    info = call(2024, 1, "2024-01-30", "Hello.").info
    assert may_guide(info)
    assert not may_guide(replace(info, kind="filing", form="10-K"))
    assert may_guide(replace(info, kind="filing", form="EX-99.1"))
