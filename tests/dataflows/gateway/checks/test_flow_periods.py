"""Lengths of flows, quarters worked out from year-to-date rows, and what is withheld: numbers worked out by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.tiers import examples
from tradingagents.analytics.company.trailing import Trailing, trailing
from tradingagents.dataflows.gateway.checks.flow_pattern import pattern_of, single_year_to_date
from tradingagents.dataflows.gateway.checks.flow_periods import check_flow_periods
from tradingagents.dataflows.gateway.checks.statement_checks import check_statements
from tradingagents.dataflows.gateway.financial_sources import last_filed
from tradingagents.dataflows.models import Frequency, Statement, StatementKind
from tradingagents.dataflows.reference.fiscal_periods import is_withheld
from tradingagents.dataflows.vendors.snapshot.statements import load_statements

NOW = datetime(2025, 9, 30, 20, tzinfo=UTC)
QUARTER_STARTS = {1: (1, 1), 2: (4, 1), 3: (7, 1), 4: (10, 1)}
QUARTER_ENDS = {1: (3, 31), 2: (6, 30), 3: (9, 30), 4: (12, 31)}


def flow(
    year: int,
    last: int,
    items: Mapping[str, float] | float,
    *,
    first: int | None = None,
    period: str | None = None,
    kind: StatementKind = "income",
    frequency: Frequency = "quarterly",
    filed: datetime | None = None,
    currency: str = "USD",
) -> Statement:
    """Return a row of the quarters `first` to `last` of a calendar year; without `first` it has no first day."""
    end = date(year, *QUARTER_ENDS[last])
    return Statement(
        symbol="ACME",
        kind=kind,
        frequency=frequency,
        fiscal_year=year,
        fiscal_period=period or ("FY" if frequency == "annual" else f"Q{last}"),
        period_end=end,
        known_at=filed or datetime(end.year, end.month, end.day, tzinfo=UTC) + timedelta(days=40),
        currency=currency,
        source="test",
        items=dict(items) if isinstance(items, Mapping) else {"revenue": float(items)},
        period_start=None if first is None else date(year, *QUARTER_STARTS[first]),
    )


def checked(rows: Iterable[Statement], now: datetime = NOW) -> dict[tuple[int, str], Statement]:
    found, _ = check_statements(tuple(rows), now)
    return {
        (row.period_end.year, row.fiscal_period): row for row in last_filed(one for one in found if one.known_at <= now)
    }


def revenue(rows: Mapping[tuple[int, str], Statement], year: int, period: str) -> float | None:
    return rows[year, period].items.get("revenue")


def test_true_quarters_are_returned_as_they_are():
    rows = tuple(flow(2024, number, 100.0 + number, first=number) for number in (1, 2, 3, 4))
    found, faults = check_flow_periods(rows, NOW)
    assert found is rows
    assert faults == ()


def test_year_to_date_rows_become_quarters():
    """10, 12, 15 and 11 in the quarters are 10, 22, 37 and 48 from the start of the year."""
    rows = [flow(2024, number, total, first=1) for number, total in ((1, 10), (2, 22), (3, 37), (4, 48))]
    found = checked(rows)
    assert [revenue(found, 2024, f"Q{number}") for number in (1, 2, 3, 4)] == [10, 12, 15, 11]
    assert found[2024, "Q3"].period_start == date(2024, 7, 1)


def test_a_year_without_a_first_day_among_dated_quarters_becomes_the_fourth_quarter():
    """The fourth row of each year holds 10 + 12 + 15 + 11 = 48, times 1.1 a year."""
    rows = []
    for age, year in enumerate((2021, 2022, 2023, 2024)):
        size = 1.1**age
        values = {1: 10.0, 2: 12.0, 3: 15.0}
        quarter = [flow(year, at, dict.fromkeys(ITEMS, value * size), first=at) for at, value in values.items()]
        rows += [*quarter, flow(year, 4, dict.fromkeys(ITEMS, 48.0 * size), period="Q4")]
    found = checked(rows)
    assert revenue(found, 2024, "Q4") == pytest.approx(11 * 1.1**3)
    assert revenue(found, 2024, "Q3") == pytest.approx(15 * 1.1**3)


ITEMS = ("revenue", "cost_of_revenue", "operating_expenses", "selling_general_administrative")


def test_rows_half_a_year_apart_are_half_years():
    rows = [flow(year, at, 20.0 + at) for year in (2022, 2023, 2024) for at in (2, 4)]
    found = checked(rows)
    assert found[2022, "Q2"].period_start == date(2021, 12, 30)
    assert found[2024, "Q4"].period_start == date(2024, 7, 1)
    assert revenue(found, 2024, "Q4") == 24


def test_what_was_worked_out_is_said():
    rows = tuple(flow(2024, number, total, first=1) for number, total in ((1, 10), (2, 22)))
    found, faults = check_flow_periods(rows, NOW)
    assert [fault.kind for fault in faults] == ["year-to-date"]
    assert found[0].gate_notes == ()
    (note,) = found[1].gate_notes
    assert "the income rows to 2024-06-30 are year to date" in note
    assert note.endswith("(docs/reference/data-faults.md#year-to-date).")


def test_figures_per_share_are_no_difference_of_two():
    first = {"revenue": 10.0, "eps_diluted": 1.0, "shares_diluted": 5.0}
    rows = [flow(2024, 1, first, first=1), flow(2024, 2, {**first, "revenue": 22.0, "eps_diluted": 2.1}, first=1)]
    second = checked(rows)[2024, "Q2"]
    assert second.items == {"revenue": 12.0}
    assert set(second.withheld) == {"eps_diluted", "shares_diluted"}
    assert "year to date" in second.withheld["eps_diluted"]


def test_an_item_that_a_part_lacks_is_not_there():
    rows = [flow(2024, 1, {"revenue": 10.0}, first=1), flow(2024, 2, {"revenue": 22.0, "income_tax": 3.0}, first=1)]
    assert checked(rows)[2024, "Q2"].items == {"revenue": 12.0}


def test_some_rows_only_may_be_year_to_date():
    """The third quarter is 37 - 10 - 12, the fourth 48 - 37."""
    rows = [
        flow(2024, 1, 10, first=1),
        flow(2024, 2, 12, first=2),
        flow(2024, 3, 37, first=1),
        flow(2024, 4, 48, first=1),
    ]
    found = checked(rows)
    assert [revenue(found, 2024, f"Q{number}") for number in (3, 4)] == [15, 11]


def test_a_fourth_quarter_given_as_the_year_is_the_year_less_three_quarters():
    rows = [
        *(flow(2024, number, 10 + number, first=number) for number in (1, 2, 3)),
        flow(2024, 4, 50, first=1, period="FY"),
    ]
    assert revenue(checked(rows), 2024, "Q4") == 50 - 11 - 12 - 13


def test_a_year_to_date_row_without_its_predecessor_is_no_quarter():
    rows = (flow(2024, 1, 10, first=1), flow(2024, 3, 37, first=1))
    found, faults = check_flow_periods(rows, NOW)
    assert [(fault.kind, fault.withholds) for fault in faults] == [("period-length", True)]
    assert "nine months (2024-01-01 to 2024-09-30)" in faults[0].what
    books = trailing(found, (), (), as_of=date(2024, 12, 1))
    assert [period.end for period in books.quarters] == [date(2024, 3, 31)]


def test_rows_in_another_currency_are_no_part():
    rows = [flow(2024, 1, 10, first=1, currency="EUR"), flow(2024, 2, 22, first=1)]
    assert checked(rows)[2024, "Q2"].period_start == date(2024, 1, 1)


def test_a_quarter_beside_the_year_to_date_of_the_same_day_is_the_quarter():
    rows = [flow(2024, 1, 10, first=1), flow(2024, 2, 22, first=1), flow(2024, 2, 12, first=2)]
    for order in (rows, rows[::-1]):
        found, faults = check_flow_periods(tuple(order), NOW)
        assert {(row.period_start, row.items["revenue"]) for row in found} == {
            (date(2024, 1, 1), 10),
            (date(2024, 4, 1), 12),
        }
        assert faults == ()


def test_only_what_was_known_by_the_cut_off_is_used():
    late = flow(2024, 1, 10, first=1, filed=datetime(2024, 12, 1, tzinfo=UTC))
    half = flow(2024, 2, 22, first=1)
    before, _ = check_flow_periods((late, half), datetime(2024, 9, 1, tzinfo=UTC))
    assert [row.items["revenue"] for row in before] == [10, 22]
    after, _ = check_flow_periods((late, half), datetime(2024, 12, 2, tzinfo=UTC))
    second = next(row for row in after if row.period_end == date(2024, 6, 30))
    assert second.items["revenue"] == 12
    assert second.known_at == late.known_at  # not known before both are


def test_a_restated_half_year_without_its_restated_quarter_is_withheld():
    first, half = flow(2024, 1, 10, first=1), flow(2024, 2, 22, first=1)
    restated = replace(half, items={"revenue": 30.0}, known_at=half.known_at + timedelta(days=90))
    row = checked((first, half, restated))[2024, "Q2"]
    assert row.items == {}
    assert "restated" in row.withheld["revenue"]
    again = replace(first, items={"revenue": 17.0}, known_at=half.known_at + timedelta(days=80))
    assert revenue(checked((first, again, half, restated)), 2024, "Q2") == 13


def test_half_years_of_a_half_yearly_reporter_stay():
    rows = tuple(flow(year, last, 50, first=last - 1) for year in (2023, 2024) for last in (2, 4))
    found, faults = check_flow_periods(rows, NOW)
    assert found is rows
    assert faults == ()


def test_the_second_half_of_a_year_is_the_year_less_the_first():
    rows = [flow(2023, 2, 40, first=1), flow(2023, 4, 90, first=1, period="FY"), flow(2024, 2, 45, first=1)]
    found = checked(rows)
    assert revenue(found, 2023, "Q4") == 50
    assert found[2023, "Q4"].period_start == date(2023, 7, 1)


def test_a_transition_period_is_withheld():
    rows = (
        flow(2024, 1, 10, first=1),
        flow(2024, 2, 12, first=2),
        replace(flow(2024, 4, 20, first=3), period_end=date(2024, 11, 30)),
    )
    found, faults = check_flow_periods(rows, NOW)
    assert found[2].items == {}
    assert "153 days" in found[2].withheld["revenue"]
    assert len(faults) == 1


def test_one_quarter_given_to_two_ends_counts_once():
    first = flow(2024, 1, 10, first=1)
    again = replace(
        first, period_end=date(2024, 3, 28), items={"revenue": 11.0}, known_at=first.known_at + timedelta(days=9)
    )
    found, faults = check_flow_periods((first, again), NOW)
    assert [row.items["revenue"] for row in found] == [11]
    assert len(faults) == 1
    together = replace(again, known_at=first.known_at)
    found, _ = check_flow_periods((first, together), NOW)
    assert [row.items for row in found] == [{}]


@pytest.mark.parametrize("weeks", [12, 13, 14, 16, 17])
def test_quarters_of_weeks_are_quarters(weeks):
    row = replace(flow(2024, 2, 10, first=2), period_start=date(2024, 6, 30) - timedelta(days=7 * weeks - 1))
    assert check_flow_periods((row,), NOW) == ((row,), ())


def test_a_53_week_year_less_nine_months_is_its_fourth_quarter():
    nine = replace(flow(2024, 3, 30, first=1), period_start=date(2024, 1, 1), period_end=date(2024, 9, 29))
    year = replace(flow(2024, 4, 41, first=1), period_start=date(2024, 1, 1), period_end=date(2025, 1, 5))
    found, _ = check_flow_periods((nine, year), NOW)
    assert [row.items["revenue"] for row in found] == [30, 11]
    assert found[1].period_start == date(2024, 9, 30)


# Annual label


def test_a_quarter_labelled_a_year_is_in_no_figure_of_a_year():
    years = [flow(year, 4, 100, first=1, frequency="annual") for year in (2022, 2023)]
    quarter = flow(2024, 4, 27, first=4, frequency="annual")
    found, faults = check_flow_periods((*years, quarter), NOW)
    assert [fault.kind for fault in faults] == ["period-length"]
    books = trailing(found, (), (), as_of=date(2025, 2, 20))
    assert [period.end.year for period in books.years] == [2023, 2022]


def test_a_year_without_a_first_day_that_ends_too_soon_is_withheld():
    rows = [flow(year, 4, 100, frequency="annual") for year in (2021, 2022, 2023)]
    odd = flow(2024, 1, 25, frequency="annual")
    found, faults = check_flow_periods((*rows, odd), NOW)
    assert found[-1].items == {}
    assert len(faults) == 1
    assert found[:-1] == tuple(rows)


def test_a_change_of_the_fiscal_year_leaves_the_years():
    """Years to December, a transition of six months without a first day, years to June."""
    rows = [
        *(flow(year, 4, 100, frequency="annual") for year in (2020, 2021)),
        *(flow(year, 2, 100, frequency="annual") for year in (2022, 2023, 2024)),
    ]
    found, _ = check_flow_periods(tuple(rows), NOW)
    assert [row.period_end for row in found if not row.items] == [date(2022, 6, 30)]


def test_of_two_ends_that_cannot_both_be_years_neither_counts():
    rows = [flow(2021, 4, 100, frequency="annual"), flow(2022, 2, 50, frequency="annual")]
    rows += [flow(year, 2, 100, frequency="annual") for year in (2023, 2024)]
    found, _ = check_flow_periods(tuple(rows), NOW)
    assert [bool(row.items) for row in found] == [False, False, True, True]


def test_a_quarter_of_every_item_labelled_a_year_is_withheld():
    items = {"revenue": 100.0, "cost_of_revenue": 60.0, "research_and_development": 10.0}
    rows = [flow(year, 4, items, frequency="annual") for year in (2021, 2022, 2023)]
    quarter = flow(2024, 4, {name: value / 4 for name, value in items.items()}, frequency="annual")
    found, faults = check_flow_periods((*rows, quarter), NOW)
    assert found[-1].items == {}
    assert len(faults) == 1


# Without first days


STEADY_ITEMS = {"revenue": 100.0, "cost_of_revenue": 60.0, "research_and_development": 12.0, "net_income": 9.0}
NOISE = (1.0, 1.04, 0.97, 1.1, 1.02, 1.07, 0.99, 1.15, 1.05, 1.12, 1.03, 1.2)


def series(longer: Iterable[int], *, years: int = 3, only_from: int = 0) -> list[Statement]:
    """Return rows without first days of a steady company; those of the given quarters run from the year's start."""
    rows = []
    for number in range(4 * years):
        place = number % 4 + 1
        runs = place in longer and number >= only_from
        parts = range(number - place + 1, number + 1) if runs else (number,)
        items = {name: value * sum(NOISE[part] for part in parts) for name, value in STEADY_ITEMS.items()}
        rows.append(flow(2022 + number // 4, place, items))
    return rows


@pytest.mark.parametrize("longer", [(2, 3, 4), (2, 3), (4,), (3,)])
def test_year_to_date_rows_without_first_days_are_told_by_their_values(longer):
    found = checked(series(longer))
    for number, row in enumerate(sorted(found.values(), key=lambda one: one.period_end)):
        assert row.items["revenue"] == pytest.approx(100 * NOISE[number])


def test_the_newest_year_alone_may_be_year_to_date():
    found = checked(series((2, 3), only_from=8))
    values = [row.items["revenue"] for row in sorted(found.values(), key=lambda one: one.period_end)]
    assert values == pytest.approx([100 * one for one in NOISE])


def test_true_quarters_without_first_days_stay():
    rows = tuple(series(()))
    assert check_flow_periods(rows, NOW) == (rows, ())
    assert pattern_of(rows).reading == "as labelled"
    assert single_year_to_date(rows) == {}


def test_a_season_is_no_year_to_date_row():
    """Sales double and more in each fourth quarter; the costs of research do not."""
    season = (1.0, 1.0, 1.1, 2.4)
    rows = tuple(
        flow(
            2022 + number // 4, number % 4 + 1, {"revenue": 100 * season[number % 4], "research_and_development": 12.0}
        )
        for number in range(12)
    )
    assert check_flow_periods(rows, NOW) == (rows, ())


def test_a_newest_row_that_doubles_in_all_items_cannot_be_told():
    rows = series((), years=2)[:5]
    twice = flow(2023, 2, {name: value * 2 for name, value in rows[-1].items.items()})
    row = checked((*rows, twice))[2023, "Q2"]
    assert row.items == {}
    assert "cannot be told" in row.withheld["revenue"]


def test_first_days_that_the_values_contradict_are_not_believed():
    rows = [replace(row, period_start=row.period_end - timedelta(days=90)) for row in series((2, 3, 4))]
    books = trailing(tuple(checked(rows).values()), (), (), as_of=date(2025, 3, 1))
    assert books.flows["revenue"] is None


# Any mix of rows of a true series of quarters


def _true(values: list[int], year: int, first: int, last: int) -> int:
    return sum(values[4 * (year - 2021) + number - 1] for number in range(first, last + 1))


@st.composite
def mixes(draw: st.DrawFn) -> tuple[list[int], list[Statement], list[Statement]]:
    """Return true quarters of 2021 to 2024, rows of any lengths over them, and fiscal years."""
    values = draw(st.lists(st.integers(-1000, 1000), min_size=16, max_size=16))
    rows = []
    for year in range(2021, 2025):
        for last in (1, 2, 3, 4):
            firsts = {last, 1} | ({last - 1} if last in (2, 4) else set())
            drawn = draw(st.lists(st.sampled_from(sorted(firsts)), max_size=2, unique=True))
            rows.extend(flow(year, last, _true(values, year, first, last), first=first) for first in drawn)
    years = [
        flow(year, 4, _true(values, year, 1, 4), first=draw(st.sampled_from((1, None))), frequency="annual")
        for year in range(2021, 2025)
        if draw(st.booleans())
    ]
    return values, draw(st.permutations(rows)), years


def _months_to(values: list[int], end: date, quarters: int) -> int:
    at = 4 * (end.year - 2021) + end.month // 3
    return sum(values[at - quarters : at])


def _books(rows: list[Statement], years: list[Statement], now: datetime) -> Trailing:
    given = []
    for part in (rows, years):
        found, _ = check_statements(tuple(part), now)
        given += last_filed(row for row in found if row.known_at <= now)
    return trailing(given, (), (), as_of=now.date())


@settings(max_examples=examples(400, fast=100), deadline=None)
@given(
    mixes(),
    st.sampled_from(
        (datetime(2024, 3, 20, tzinfo=UTC), datetime(2024, 9, 1, tzinfo=UTC), datetime(2025, 2, 20, tzinfo=UTC))
    ),
)
def test_any_mix_gives_the_true_twelve_months_or_none(mix, now):
    values, rows, years = mix
    books = _books(rows, years, now)
    if books.flows["revenue"] is None:
        assert books.notes
    else:
        assert books.flows["revenue"] == _months_to(values, books.periods[0].end, 4)
    if any(is_withheld(period.income) for period in books.before):
        assert books.flows["revenue"] is None or not any(is_withheld(period.income) for period in books.periods)
    elif books.before:
        assert sum(period.flows["revenue"] for period in books.before) == _months_to(values, books.before[0].end, 4)
    for period in books.quarters:
        length = 2 if (period.end - period.income.period_start).days > 130 else 1
        whole = None if is_withheld(period.income) else _months_to(values, period.end, length)
        assert period.flows["revenue"] == whole  # no older one takes the place of one that is withheld
    for period in books.years:
        whole = None if is_withheld(period.income) else _months_to(values, period.end, 4)
        assert period.flows["revenue"] == whole


# Recorded statements


def _to_date(rows: Iterable[Statement], *, dated: bool) -> list[Statement]:
    """Return quarters as in a 10-Q: each from the start of its fiscal year."""
    found: list[Statement] = []
    parts: list[Statement] = []
    for row in sorted(rows, key=lambda one: one.period_end):
        parts = [row] if row.fiscal_period == "Q1" else [*parts, row]
        if parts[0].fiscal_period == "Q1":
            names = [name for name in row.items if all(name in part.items for part in parts)]
            items = {name: sum(part.items[name] for part in parts) for name in names}
            found.append(replace(row, items=items, period_start=parts[0].period_start if dated else None))
    return found


@pytest.mark.real_data
@pytest.mark.parametrize("dated", [True, False])
@pytest.mark.parametrize("symbol", ["AAPL", "HD", "MCD"])
def test_recorded_cash_flows_given_year_to_date_add_up_to_the_same_twelve_months(test_data: Path, symbol, dated):
    now = datetime(2025, 6, 16, 20, tzinfo=UTC)
    rows = load_statements(test_data / "snapshot" / "statements.jsonl.gz")[symbol]
    income, cash = (
        [row for row in rows if row.kind == kind and row.known_at <= now] for kind in ("income", "cashflow")
    )
    true = trailing(income, (), cash, as_of=now.date()).flows["operating_cash_flow"]
    faulty, _ = check_statements(tuple(_to_date(cash, dated=dated)), now)
    books = trailing(income, (), last_filed(faulty), as_of=now.date())
    found = books.flows["operating_cash_flow"]
    assert true is not None
    assert found == pytest.approx(true)


@pytest.mark.real_data
@pytest.mark.parametrize("dated", [True, False])
def test_recorded_quarters_are_left_alone(test_data: Path, dated):
    for rows in load_statements(test_data / "snapshot" / "statements.jsonl.gz").values():
        for kind in ("income", "cashflow"):
            given = tuple(
                row if dated else replace(row, period_start=None)
                for row in rows
                if row.kind == kind and row.frequency == "quarterly"
            )
            assert check_flow_periods(given, NOW) == (given, ())
