"""The newest share count: averages, and what is outstanding since where that contradicts them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from tests.support.builders import QUARTER_ENDS, statement
from tradingagents.analytics.company.share_counts import CountedShares, newest_shares
from tradingagents.analytics.company.trailing import trailing
from tradingagents.dataflows.models import Frequency, Statement
from tradingagents.dataflows.reference.data_faults import FaultKind, reference

YEAR_END, DAY = date(2023, 12, 31), date(2024, 6, 14)
AVERAGES = {"revenue": 100.0, "net_income": 10.0, "shares_basic": 4050.0, "shares_diluted": 4052.0}


def sheet(outstanding: float | None, end: date = YEAR_END) -> Statement:
    items = {"equity": 50.0} if outstanding is None else {"equity": 50.0, "shares_outstanding": outstanding}
    return statement(end, items, "balance", "annual")


def counted(row: Statement | None, **items: float) -> CountedShares:
    income = statement(YEAR_END, {**AVERAGES, **items}, "income", "annual")
    found = newest_shares(trailing([income], [], [], as_of=DAY).years, row)
    assert found is not None
    return found


def test_a_merger_since_is_counted_with_the_dilution_of_the_average() -> None:
    millions = counted(sheet(4300e6, date(2024, 6, 30)), net_income=10e6, shares_basic=4050e6, shares_diluted=4052e6)
    found = counted(sheet(4300.0, date(2024, 6, 30)))
    assert found.value == 4302.0  # 4300 and the 2 by which the diluted average exceeds the basic one
    assert found.source.startswith("get_balance_sheet: shares_outstanding, 2024-06-30, with the dilution of")
    assert millions.note == (
        "4.05B shares are the average of the fiscal year to 2023-12-31, 4.30B are outstanding by the balance sheet of "
        "2024-06-30 or its cover: the newer count is used, with dilution 4.30B."
    )


def test_an_average_says_that_it_is_one() -> None:
    for row in (None, sheet(None)):
        found = counted(row)
        source = "get_income_statement: shares_diluted, average of the fiscal year to 2023-12-31"
        assert (found.value, found.source, found.note) == (4052.0, source, "")


@pytest.mark.parametrize(
    ("outstanding", "used"), [(3970.0, 4052.0), (3968.0, 3970.0), (4131.0, 4052.0), (4132.0, 4134.0)]
)
def test_a_difference_up_to_two_percent_is_options_and_buybacks(outstanding: float, used: float) -> None:
    assert counted(sheet(outstanding)).value == used  # 0.98 x 4052 = 3970.96 and 1.02 x 4052 = 4133.04, with 2 diluted


@pytest.mark.parametrize("outstanding", [1.4, 3500.0, 6100.0, 4052000.0])
def test_a_class_or_another_unit_is_not_counted_and_is_said(outstanding: float) -> None:
    found = counted(sheet(outstanding))
    assert found.value == 4052.0
    assert found.note.endswith("too far away for the same shares, so that the average counts.")


def test_a_sheet_of_before_the_average_says_nothing() -> None:
    assert counted(sheet(4300.0, date(2023, 9, 30))).note == ""


def test_a_quarter_of_its_own_comes_before_the_year() -> None:
    rows = [
        statement(YEAR_END, AVERAGES, "income", "annual"),
        statement(YEAR_END, {**AVERAGES, "shares_diluted": 4060.0}, "income", "quarterly"),
    ]
    books = trailing(rows, [], [], as_of=DAY)
    found = newest_shares((*books.quarters, *books.years), None)
    assert found is not None
    assert (found.value, found.source[-32:]) == (4060.0, "average of the quarter to 2023-12-31"[-32:])


@pytest.mark.parametrize("kind", ["statement-missing", "earlier-answer", "second-vendor"])
@pytest.mark.parametrize("frequency", ["quarterly", "annual"])
def test_no_older_count_stands_in_the_place_of_a_period_that_is_missing(kind: FaultKind, frequency: Frequency) -> None:
    """What a vendor gave before, or another vendor has, tells that a statement is missing, and of which period."""
    ends = QUARTER_ENDS[:5] if frequency == "quarterly" else (date(2023, 12, 31), date(2022, 12, 31))
    rows = [
        statement(end, {**AVERAGES, "shares_diluted": 4100.0 - at}, frequency=frequency) for at, end in enumerate(ends)
    ]
    why = f"MADE {ends[0]}: only another vendor has it; it is withheld ({reference(kind)})."
    missing = replace(rows[0], items={}, withheld=dict.fromkeys(rows[0].items, why))
    books = trailing([missing, *rows[1:]], [], [], as_of=date(2024, 5, 10))
    periods = (*books.quarters, *books.years)
    assert periods[0].end == ends[0]
    assert newest_shares(periods, None) is None
    assert books.flows["revenue"] is None
    whole = trailing(rows, [], [], as_of=date(2024, 5, 10))
    assert newest_shares((*whole.quarters, *whole.years), None) is not None
