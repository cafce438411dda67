"""Corruptions of statements. Each docstring says where such a fault comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from random import Random

from benchmarks.data_corruptions.companies import Company, known_by
from benchmarks.data_corruptions.kind import Changed, Kind, NotApplicable, named
from tradingagents.dataflows.models import Statement
from tradingagents.dataflows.reference.line_items import PER_SHARE, SHARES

RATES = {"CNY": 7.2, "JPY": 150.0, "TWD": 32.0, "DKK": 6.9, "INR": 83.0}
"""Units of a currency for a dollar."""
KEY_ITEMS = (
    *("revenue", "gross_profit", "operating_income", "net_income", "total_assets", "total_liabilities", "equity"),
    *("operating_cash_flow", "long_term_debt", "current_assets", "current_liabilities", "inventory"),
)
FLOWS = ("income", "cashflow")
LAST = 5
"""Newest quarters among which a kind chooses one: each of them stands in a sum of twelve months, or in a growth."""

Row = Statement
Edit = Callable[[Row], Row]


def year_to_date(company: Company, day: date, random: Random) -> Changed:
    """Interim reports state the year to date; sources pass it on as the quarter (EDGAR facts, cash flows)."""
    form = random.choice(("with-start", "without-start", "cash-flow-only"))
    kinds = ("cashflow",) if form == "cash-flow-only" else FLOWS
    firsts = _year_starts(company)
    rows: list[Row] = []
    touched: set[date] = set()
    for row in company.statements:
        before = _earlier_of_year(company, row)
        if row.frequency != "quarterly" or row.kind not in kinds or row.fiscal_period == "Q1" or before is None:
            rows.append(row)
            continue
        start = firsts.get(row.fiscal_year) if form != "without-start" else None
        rows.append(replace(_summed(row, before), period_start=start))
        touched.add(row.period_end)
    _known(company, day, touched)
    what = f"quarters of {' and '.join(kinds)} statements hold the year to date, {form}"
    return _of(company, rows, form, what, touched)


def in_thousands(company: Company, day: date, random: Random) -> Changed:
    """A filing tagged in thousands or millions and read as dollars: one quarter, or all of a year (XBRL scale)."""
    form = random.choice(("quarter", "quarter", "year"))
    divisor = random.choice((1e3, 1e3, 1e6))
    ends = _quarters(company, day)
    if form == "quarter":
        chosen = {random.choice(ends[:LAST])}
    else:
        first = random.choice((0, 4))
        chosen = set(ends[first : first + 4])
    rows = _edited(company, chosen, lambda row: _times(row, 1 / divisor))
    what = f"money of the quarters to {_list(chosen)} is divided by {divisor:,.0f}"
    return _of(company, rows, f"{form} /{divisor:g}", what, chosen)


def item_thousandfold(company: Company, day: date, random: Random) -> Changed:
    """One line of a filing carries a wrong scale or three digits too many (typing, XBRL decimals)."""
    end = random.choice(_quarters(company, day)[:4])
    here = {name for row in company.statements if _is(row, {end}) for name in row.items}
    names = [name for name in KEY_ITEMS if name in here]
    if not names:
        raise NotApplicable
    name, factor = random.choice(names), random.choice((1e3, 1e3, 1e-3))

    def edit(row: Row) -> Row:
        items = {key: value * factor if key == name else value for key, value in row.items.items()}
        return replace(row, items=items)

    what = f"{name} of the quarter to {end} is times {factor:g}"
    return _of(company, _edited(company, {end}, edit), f"{name} x{factor:g}", what, {end})


def share_counts(company: Company, day: date, random: Random) -> Changed:
    """Counts of the home shares beside the price of a receipt, or counts in thousands or millions (yfinance, EDGAR)."""
    form = random.choice(("receipt", "thousands", "thousands-one-quarter", "millions"))
    ends = _quarters(company, day)
    chosen = {random.choice(ends[:LAST])} if form == "thousands-one-quarter" else set(_all_ends(company))
    has = [row for row in company.statements if _is(row, set(ends[:4])) and SHARES & row.items.keys()]
    if not has:
        raise NotApplicable
    ratio = random.choice((10.0, 13.0, 20.0, 25.0))

    def edit(row: Row) -> Row:
        items = dict(row.items)
        for name in SHARES & items.keys():
            items[name] *= ratio if form == "receipt" else 1e-6 if form == "millions" else 1e-3
        for name in PER_SHARE & items.keys():
            items[name] /= ratio if form == "receipt" else 1.0
        return replace(row, items=items)

    what = f"share counts {form}" + (f", times {ratio:g}, with the earnings per share" if form == "receipt" else "")
    return _of(company, _edited(company, chosen, edit), form, what, chosen & set(ends[:8]))


def periods_missing(company: Company, day: date, random: Random) -> Changed:
    """A quarter the source never had, or companies that report half-years (London, Sydney, Hong Kong)."""
    form = random.choice(("quarter", "quarter-of-one-statement", "half-years"))
    ends = _quarters(company, day)
    if form == "half-years":
        newest = {row.fiscal_period for row in company.statements if _is(row, {ends[0]})}
        if not newest <= {"Q2", "Q4"}:
            raise NotApplicable
        rows = []
        for row in company.statements:
            if row.frequency != "quarterly":
                rows.append(row)
            elif row.fiscal_period in ("Q2", "Q4"):
                before = _quarter_before(company, row) if row.kind in FLOWS else ()
                if before is None:
                    raise NotApplicable
                rows.append(replace(_summed(row, before), period_start=None) if before else row)
        what = "quarterly rows are half-years"
        return _of(company, rows, form, what, set(ends[:8]))
    # A newest quarter that is missing altogether may not have been filed yet: nobody can tell.
    place = random.randrange(1 if form == "quarter" else 0, LAST)
    end = ends[place]
    kind = random.choice(("income", "balance", "cashflow"))
    gone = [row for row in company.statements if _is(row, {end}) and (form == "quarter" or row.kind == kind)]
    what = f"{'all statements' if form == 'quarter' else kind} of the quarter to {end} are missing"
    return _of(company, [row for row in company.statements if row not in gone], form, what, {end, ends[place + 1]})


def repeated_quarter(company: Company, day: date, random: Random) -> Changed:
    """Two sources merged, one of which dates fiscal quarters by the end of the calendar month."""
    end = random.choice(_quarters(company, day)[:4])
    form = random.choice(("days", "month"))
    other = end + (timedelta(days=random.choice((-5, -3, -2, 2, 3, 5))) if form == "days" else timedelta(days=-30))
    rows: list[Row] = []
    for row in company.statements:
        rows.append(row)
        if _is(row, {end}):
            rows.append(replace(row, period_end=other))
    rows.sort(key=lambda row: row.period_end, reverse=True)
    return _of(company, rows, form, f"the quarter to {end} stands there again to {other}", {end, other})


def annual_as_q4(company: Company, day: date, random: Random) -> Changed:
    """The annual report is the fourth quarter's only filing: its figures of the year are labelled Q4."""
    form = random.choice(("with-start", "without-start"))
    firsts = _year_starts(company)
    rows: list[Row] = []
    touched: set[date] = set()
    for row in company.statements:
        before = _earlier_of_year(company, row)
        if row.frequency != "quarterly" or row.kind not in FLOWS or row.fiscal_period != "Q4" or before is None:
            rows.append(row)
            continue
        start = firsts.get(row.fiscal_year) if form == "with-start" else None
        rows.append(replace(_summed(row, before), period_start=start))
        touched.add(row.period_end)
    _known(company, day, touched)
    return _of(company, rows, form, f"fourth quarters hold the year, {form}", touched)


def other_currency(company: Company, day: date, random: Random) -> Changed:
    """Statements of a foreign company in its own currency: labelled, unlabelled, or one quarter of them (ADRs)."""
    form = random.choice(("labelled", "unlabelled", "one-quarter"))
    code = random.choice(tuple(RATES))
    ends = _quarters(company, day)
    chosen = {random.choice(ends[:LAST])} if form == "one-quarter" else set(_all_ends(company))
    label = code if form == "labelled" else "USD"

    def edit(row: Row) -> Row:
        items = {name: value if name in SHARES else value * RATES[code] for name, value in row.items.items()}
        return replace(row, items=items, currency=label)

    what = f"amounts of {_list(chosen) if form == 'one-quarter' else 'all quarters'} are in {code}, labelled {label}"
    return _of(company, _edited(company, chosen, edit), f"{form} {code}", what, chosen & set(ends[:8]))


def items_disagree(company: Company, day: date, random: Random) -> Changed:
    """A total of another column, or a lost minus: a balance that does not balance, a profit beside a loss per share."""
    form = random.choice(("balance", "sign-of-income", "sign-of-eps"))
    end = random.choice(_quarters(company, day)[:4])
    here: dict[str, float] = {}
    for row in company.statements:
        if _is(row, {end}):
            here |= row.items
    if form == "balance":
        if not {"total_assets", "total_liabilities", "equity"} <= here.keys():
            raise NotApplicable
        name = random.choice(("total_assets", "total_liabilities", "equity"))
        factor = random.choice((0.5, 1.3, 2.0))
    else:
        if not {"net_income", "eps_diluted"} <= here.keys() or abs(here["eps_diluted"]) < 0.1:
            raise NotApplicable
        name, factor = ("net_income" if form == "sign-of-income" else "eps_diluted"), -1.0

    def edit(row: Row) -> Row:
        items = {key: value * factor if key == name else value for key, value in row.items.items()}
        if name == "eps_diluted" and "eps_basic" in items:
            items["eps_basic"] *= factor
        return replace(row, items=items)

    what = f"{name} of the quarter to {end} is times {factor:g}"
    return _of(company, _edited(company, {end}, edit), f"{form} {name}", what, {end})


def filed_before_its_end(company: Company, day: date, random: Random) -> Changed:
    """A filing date of the year before, or the period's start in its place: the quarter seems known before it ended."""
    later = sorted({row.period_end for row in company.statements if row.frequency == "quarterly"} - _past(company, day))
    later = [end for end in later if end > day]
    if not later:
        raise NotApplicable
    end = later[0]
    early = timedelta(days=random.choice((100, 180, 365)))
    rows = []
    for row in company.statements:
        if _is(row, {end}):
            row = replace(row, known_at=row.known_at - early, known_by="accepted")  # noqa: PLW2901
            if not known_by(row, day):
                raise NotApplicable
        rows.append(row)
    what = f"the quarter to {end} was filed {early.days} days too early by its date"
    return _of(company, rows, f"{early.days} days", what, {end})


STATEMENT_KINDS: Mapping[str, Kind] = named(
    Kind("year-to-date", "statements", year_to_date),
    Kind("in-thousands", "statements", in_thousands),
    Kind("item-thousandfold", "statements", item_thousandfold),
    Kind("share-counts", "statements", share_counts),
    Kind("periods-missing", "statements", periods_missing),
    Kind("repeated-quarter", "statements", repeated_quarter),
    Kind("annual-as-q4", "statements", annual_as_q4),
    Kind("other-currency", "statements", other_currency),
    Kind("items-disagree", "statements", items_disagree),
    Kind("filed-before-its-end", "statements", filed_before_its_end),
)


def _quarters(company: Company, day: date) -> list[date]:
    """Return the ends of the quarters known at the day, newest first; eight at least."""
    ends = {
        row.period_end
        for row in company.statements
        if row.kind == "income" and row.frequency == "quarterly" and known_by(row, day)
    }
    if len(ends) < 8:
        raise NotApplicable
    return sorted(ends, reverse=True)


def _past(company: Company, day: date) -> set[date]:
    return {row.period_end for row in company.statements if known_by(row, day)}


def _known(company: Company, day: date, touched: Iterable[date]) -> None:
    """Refuse a company none of whose five newest known quarters was touched."""
    if not set(_quarters(company, day)[:LAST]) & set(touched):
        raise NotApplicable


def _all_ends(company: Company) -> set[date]:
    return {row.period_end for row in company.statements}


def _is(row: Row, ends: Iterable[date]) -> bool:
    return row.frequency == "quarterly" and row.period_end in ends


def _edited(company: Company, ends: set[date], edit: Edit) -> list[Row]:
    every = ends >= _all_ends(company)
    return [edit(row) if every or _is(row, ends) else row for row in company.statements]


def _times(row: Row, factor: float) -> Row:
    """Return a row with its money times a factor; counts and amounts per share stay."""
    keep = SHARES | PER_SHARE
    return replace(row, items={name: value if name in keep else value * factor for name, value in row.items.items()})


def _same_year(company: Company, row: Row) -> dict[str, Row]:
    return {
        one.fiscal_period: one
        for one in company.statements
        if one.kind == row.kind and one.frequency == row.frequency and one.fiscal_year == row.fiscal_year
    }


def _earlier_of_year(company: Company, row: Row) -> tuple[Row, ...] | None:
    """Return the earlier quarters of a row's fiscal year; None where one is not recorded."""
    year = _same_year(company, row)
    names = [f"Q{number}" for number in range(1, int(row.fiscal_period[1]))] if row.fiscal_period[0] == "Q" else []
    return tuple(year[name] for name in names) if all(name in year for name in names) else None


def _quarter_before(company: Company, row: Row) -> tuple[Row, ...] | None:
    name = f"Q{int(row.fiscal_period[1]) - 1}"
    found = _same_year(company, row).get(name)
    return None if found is None else (found,)


def _year_starts(company: Company) -> dict[int, date]:
    """Return the first day of each fiscal year whose first quarter is recorded."""
    firsts = {}
    for row in company.statements:
        if row.fiscal_period == "Q1" and row.frequency == "quarterly":
            firsts[row.fiscal_year] = row.period_start or row.period_end - timedelta(days=90)
    return firsts


def _summed(row: Row, before: Iterable[Row]) -> Row:
    """Return a row with its amounts summed with those of earlier quarters; counts of shares stay."""
    items = {}
    for name, value in row.items.items():
        parts = [one.items.get(name) for one in before]
        if name in SHARES:
            items[name] = value
        elif all(part is not None for part in parts):
            items[name] = value + sum(part for part in parts if part is not None)
    return replace(row, items=items)


def _list(ends: Iterable[date]) -> str:
    return ", ".join(end.isoformat() for end in sorted(ends))


def _of(company: Company, rows: Iterable[Row], variant: str, what: str, touched: Iterable[date]) -> Changed:
    changed = replace(company, statements=tuple(rows))
    return Changed(changed, variant, f"{company.symbol}: {what}", tuple(sorted(touched)))
