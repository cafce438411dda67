"""Statements from company facts: every filed version, each built from the figures known at its filing.

A statement uses the figures of its filing; a quarter that is given only as part of a longer period (cash flows of a
10-Q, the fourth quarter of a 10-K) is that period less the one before, as last filed by then. A later filing that
repeats a period creates a new version: from its own figures only if it changes one; from both if it only adds some.

Fiscal year and quarter are worked out from the period: EDGAR's own `fy` and `fp` describe the filing that contains a
figure.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta

from tradingagents.dataflows.models import Frequency, ReportedFact, Statement, StatementKind
from tradingagents.dataflows.reference.fiscal_periods import LAST_QUARTER, RECAST, YEARLY_FORMS, FiscalCalendar
from tradingagents.dataflows.reference.line_items import PER_SHARE, SHARES
from tradingagents.dataflows.reference.xbrl_tags import PER_SHARE_TAGS, SHARE_TAGS, incomplete_debt, items_of, whole
from tradingagents.dataflows.vendors.sec_edgar.facts import Facts, Report, Span
from tradingagents.dataflows.vendors.sec_edgar.submissions import index_page, opened_after

QUARTER = (80, 100)
"""Length in days of a quarter stated in a filing: 12 to 14 weeks."""
YEAR = (350, 380)


def days_of(span: Span) -> int:
    """Return the length of a period in days, both ends included."""
    return (span[1] - span[0]).days + 1


def lasts(span: Span, length: tuple[int, int]) -> bool:
    """Return whether a period has a length within a range of days."""
    return length[0] <= days_of(span) <= length[1]


SOURCE = "sec_edgar"
SHARE_FIGURES = PER_SHARE | SHARES
_DAY = timedelta(days=1)
_Items = dict[str, float]


def statements_of(
    symbol: str,
    facts: Facts,
    accepted: Mapping[str, datetime],
    kind: StatementKind,
    freq: Frequency,
    *,
    year_end: tuple[int, int] | None,
) -> tuple[Statement, ...]:
    """Return the statements of one kind and frequency in every version filed, newest period and version first.

    Args:
        facts: The company's tagged figures.
        accepted: Instants of acceptance by filing; others were known at the open after their day.
        freq: Quarters or years.
        year_end: Month and day of fiscal years, for companies that have reported no year yet.
    """
    calendar = FiscalCalendar(_year_ends(facts.reports), year_end)
    history = _History()
    latest: dict[date, _Items] = {}
    counted_at: dict[date, datetime] = {}
    """When the filing with a period's share figures was known: a later one may add to it without repeating them."""
    found: list[Statement] = []
    for known_at, report in _in_order(facts.reports, accepted):
        history.add(report)
        for span, values in _periods(report, kind, freq, history, calendar):
            items, end = items_of(kind, facts.taxonomy, values), span[1]
            if not whole(kind, items):
                continue
            if SHARE_FIGURES & items.keys() or end not in counted_at:
                counted_at[end] = known_at
            if end in latest and not _changed(latest[end], items):
                if items.keys() <= latest[end].keys():
                    continue
                items = latest[end] | items
            elif not SHARE_FIGURES & items.keys():
                counted_at[end] = known_at
            latest[end] = items
            year, quarter = calendar.period_of(end)
            found.append(
                Statement(
                    symbol=symbol,
                    kind=kind,
                    frequency=freq,
                    fiscal_year=year,
                    fiscal_period=quarter if freq == "quarterly" else "FY",
                    period_end=end,
                    known_at=known_at,
                    currency=report.currency,
                    source=SOURCE,
                    items=items,
                    withheld=_withheld(incomplete_debt(kind, facts.taxonomy, values), items),
                    shares_as_of=None if counted_at[end] == known_at else counted_at[end],
                    period_start=None if kind == "balance" else span[0],
                )
            )
    return tuple(sorted(found, key=lambda row: (row.period_end, row.known_at), reverse=True))


def _withheld(reasons: Mapping[str, str], items: _Items) -> dict[str, str]:
    """Return the reasons of what an earlier version of the statement does not give either."""
    return {item: reason for item, reason in reasons.items() if item not in items}


def reported_facts(symbol: str, cik: int, facts: Facts, accepted: Mapping[str, datetime]) -> tuple[ReportedFact, ...]:
    """Return every tagged figure with the filing that states it, oldest filing first.

    Args:
        facts: The company's tagged figures.
        accepted: Instants of acceptance by filing; others were known at the open after their day.
    """
    known: dict[tuple[str, date], datetime | None] = {}
    found = []
    for fact in facts.every:
        filing = (fact.accession, fact.filed_on)
        if filing not in known:
            known[filing] = accepted.get(fact.accession) or opened_after(fact.filed_on)
        known_at = known[filing]
        if known_at is not None:
            found.append(
                ReportedFact(
                    symbol=symbol,
                    form=fact.form,
                    known_at=known_at,
                    filed_on=fact.filed_on,
                    accession=fact.accession,
                    url=index_page(cik, fact.accession),
                    tag=f"{fact.taxonomy}:{fact.tag}",
                    unit=fact.unit,
                    period_end=fact.end,
                    value=fact.value,
                    period_start=fact.start,
                )
            )
    return tuple(sorted(found, key=lambda fact: (fact.known_at, fact.accession, fact.tag)))


def _year_ends(reports: Iterable[Report]) -> Iterator[date]:
    """Yield the last days of the fiscal years that annual reports state."""
    for report in reports:
        if report.form.startswith(YEARLY_FORMS):
            yield from (span[1] for span in report.flows if lasts(span, YEAR))


def _in_order(reports: Iterable[Report], accepted: Mapping[str, datetime]) -> list[tuple[datetime, Report]]:
    dated = ((accepted.get(report.accession) or opened_after(report.filed_on), report) for report in reports)
    known = [(known_at, report) for known_at, report in dated if known_at is not None]
    return sorted(known, key=lambda fact: (fact[0], fact[1].accession))


def _periods(
    report: Report, kind: StatementKind, freq: Frequency, history: _History, calendar: FiscalCalendar
) -> Iterator[tuple[Span, Mapping[str, float]]]:
    """Return the periods of a filing with their tagged values."""
    if kind == "balance":
        for end, values in sorted(report.balances.items()):
            if freq == "quarterly" or calendar.ends_year(end):
                yield (end, end), values
        return
    if freq == "annual":
        years = (flow for flow in report.flows.items() if lasts(flow[0], YEAR) and calendar.ends_year(flow[0][1]))
        yield from sorted(years, key=lambda year: year[0])
        return
    quarters = {span: values for span, values in report.flows.items() if lasts(span, QUARTER)}
    derived = None if report.form.startswith("8-K") else _derived(report, history)
    if derived is not None:
        span = next((quarter for quarter in quarters if quarter[1] == derived[0][1]), derived[0])
        quarters[span] = derived[1] | quarters.get(span, {})
    yield from sorted(quarters.items(), key=lambda quarter: quarter[0])


def _derived(report: Report, history: _History) -> tuple[Span, _Items] | None:
    """Compute the newest quarter of a filing as its newest longer period less the part filed before."""
    periods = [span for span in report.flows if days_of(span) >= QUARTER[0]]
    newest = max((end for _, end in periods), default=None)
    values: _Items = {}
    quarter: Span | None = None
    for whole_period in (span for span in periods if span[1] == newest):
        flows = report.flows[whole_period]
        for tag in flows.keys() - SHARE_TAGS:
            part = history.part_before(tag, whole_period)
            if part is None or history.recast(tag, whole_period, part):
                continue
            difference = flows[tag] - history.value(tag, part)
            values[tag] = round(difference, 4) if tag in PER_SHARE_TAGS else difference
            quarter = (part[1] + _DAY, whole_period[1])
    return (quarter, values) if quarter else None


class _History:
    """All figures of a period filed so far, by tag and period, in filing order."""

    def __init__(self) -> None:
        self._values: dict[str, dict[Span, list[float]]] = defaultdict(lambda: defaultdict(list))

    def add(self, report: Report) -> None:
        for span, values in report.flows.items():
            for tag, value in values.items():
                self._values[tag][span].append(value)

    def value(self, tag: str, span: Span) -> float:
        """Return a figure as last filed."""
        return self._values[tag][span][-1]

    def part_before(self, tag: str, span: Span) -> Span | None:
        """Return the part of a period without its last quarter; None if it was not filed."""
        return next(
            (
                fact
                for fact in self._values[tag]
                if fact[0] == span[0] and fact[1] < span[1] and lasts((fact[1] + _DAY, span[1]), LAST_QUARTER)
            ),
            None,
        )

    def recast(self, tag: str, span: Span, part: Span) -> bool:
        """Return whether a period and its part were filed on different bases, so that their difference is meaningless.

        They were, if the same period of the year before was restated and its part was not: a split or a new accounting
        rule from the start of the year restates both.
        """
        return self._restated(tag, self._year_before(tag, span)) and not self._restated(
            tag, self._year_before(tag, part)
        )

    def _restated(self, tag: str, span: Span | None) -> bool:
        values = self._values[tag][span] if span else []
        return len(values) > 1 and not math.isclose(values[-1], values[-2], rel_tol=RECAST)

    def _year_before(self, tag: str, span: Span) -> Span | None:
        """Return the same period of the year before; None if it was not filed."""
        return next(
            (
                fact
                for fact in self._values[tag]
                if lasts((fact[1] + _DAY, span[1]), YEAR) and lasts((fact[0], span[0] - _DAY), YEAR)
            ),
            None,
        )


def _changed(known: Mapping[str, float], items: Mapping[str, float]) -> bool:
    return any(not math.isclose(items[item], known[item], rel_tol=1e-9) for item in items.keys() & known.keys())
