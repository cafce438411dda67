"""`series`: a line item of a company over a span, with one version policy, one unit and one basis.

What the span asks for and no filing gives is named with its reason. Quarters that nobody filed are worked out by
subtraction (`quarters`), never for instants, amounts per share and share counts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Protocol, get_args

from tradingagents.dataflows.reference.fiscal_periods import SAME_PERIOD
from tradingagents.errors import UsageError
from tradingagents.retrieval.calculation import show_number
from tradingagents.retrieval.series.fact import MissingPeriod, Series, SeriesFact, Version
from tradingagents.retrieval.series.history import FactHistory, FiscalNames
from tradingagents.retrieval.series.items import is_additive, is_of_shares, our_name
from tradingagents.retrieval.series.notes import notes_on
from tradingagents.retrieval.series.quarters import Flow, derived_quarter
from tradingagents.retrieval.series.share_basis import ShareSplit
from tradingagents.retrieval.series.span import FiscalPeriod, Span

_A_YEAR = timedelta(days=380)
"""The most days of a fiscal year, and a few."""


class FactSource(Protocol):
    """Where the facts of companies come from."""

    def groups(self, company: str, item: str) -> Iterable[FactHistory]:
        """Yield the facts of a company, the preferred source first; a series is made of one of them alone."""


def series(
    source: FactSource,
    company: str,
    item: str,
    span: Span,
    as_of: datetime | None = None,
    version: Version = "latest",
) -> Series:
    """Return a line item of a company over a span.

    Of several sources the one that has most of the span is taken, the earlier one where two have as much.

    Args:
        source: The facts; see `sources`.
        company: Ticker.
        item: Our name such as `revenue`, or a tag such as `us-gaap:Goodwill`.
        span: The fiscal years or quarters.
        as_of: Nothing known later is in it; None: everything that the source gives.
        version: `first`: each period as first stated; `latest`: as the newest filing known at `as_of` states it.

    Raises:
        UsageError: There is no such item or version.
    """
    name = our_name(item)
    if version not in get_args(Version):
        raise UsageError(
            f"There is no version {version!r}: take first, or latest, which is the newest known on the day of `as_of`."
        )
    best: Series | None = None
    for facts in source.groups(company, name):
        found = _Builder(facts, name, as_of, version).series(span)
        if best is None or len(found) > len(best):
            best = found
        if not best.missing:
            break
    if best is None:
        return Series(company, name, version, as_of, (), _unknown(company, span), _untold(company, span, as_of))
    return best


def _unknown(company: str, span: Span) -> tuple[MissingPeriod, ...]:
    return tuple(MissingPeriod(period, f"nothing is known of {company}") for period in span.periods)


def _untold(company: str, span: Span, as_of: datetime | None) -> tuple[str, ...]:
    """Return a note on a span that counts from the newest period, of which none is known; () for any other span."""
    if span.periods:
        return ()
    every = "quarter" if span.quarterly else "year"
    day = f" by {as_of.date()}" if as_of else ""
    return (f"No fiscal {every} of {company} was known{day}, so that {span.label} cannot be told.",)


class _Builder:
    """Makes the series of one item from the facts of one source."""

    def __init__(self, facts: FactHistory, item: str, as_of: datetime | None, version: Version) -> None:
        self._facts = facts
        self._item = item
        self._as_of = as_of
        self._version = version
        self._names: FiscalNames = facts.names(as_of)
        self._stated: dict[FiscalPeriod, dict[date, list[SeriesFact]]] = defaultdict(lambda: defaultdict(list))
        self._flows: dict[Flow, list[SeriesFact]] = defaultdict(list)
        self._splits: tuple[ShareSplit, ...] = (
            tuple(split for split in facts.splits if as_of is None or split.told_at <= as_of)
            if is_of_shares(item)
            else ()
        )
        for fact in facts.versions(item, as_of):
            self._take(fact)

    def _take(self, fact: SeriesFact) -> None:
        if fact.period.start is not None:
            self._flows[fact.period.start, fact.period.end].append(fact)
        labelled = self._names.labelled(fact)
        if labelled is None or labelled.period.fiscal is None:
            return
        fiscal = labelled.period.fiscal
        self._stated[fiscal][fact.period.end].append(labelled)
        if fact.period.start is None and fiscal.quarter == 4:
            year = replace(labelled, period=replace(labelled.period, fiscal_quarter=None))
            self._stated[FiscalPeriod(fiscal.year)][fact.period.end].append(year)

    def series(self, span: Span) -> Series:
        wanted = span.resolve(self._names.newest_period(quarterly=span.quarterly))
        found = [self._row(period) for period in wanted]
        rows = [row for row in found if isinstance(row, SeriesFact)]
        missing = [row for row in found if isinstance(row, MissingPeriod)]
        rows, other = self._of_one_basis(rows)
        notes = notes_on(rows, [self._versions(row) for row in rows], self._version)
        if not wanted:
            notes = _untold(self._facts.company, span, self._as_of)
        return Series(
            company=self._facts.company,
            item=self._item,
            version=self._version,
            as_of=self._as_of,
            rows=tuple(rows),
            missing=tuple(sorted((*missing, *other), key=lambda row: row.period)),
            notes=notes,
            source=self._facts.source,
        )

    def _versions(self, row: SeriesFact) -> Sequence[SeriesFact]:
        """Return every statement of a row's period; none of a derived quarter."""
        fiscal = row.period.fiscal
        return self._stated[fiscal].get(row.period.end, ()) if fiscal in self._stated and fiscal else ()

    def _row(self, period: FiscalPeriod) -> SeriesFact | MissingPeriod:
        by_end = self._stated.get(period)
        if by_end:
            end = self._end(by_end)
            if end is None:
                days = " and ".join(str(day) for day in sorted(by_end))
                return MissingPeriod(period, f"filings state figures to {days}, and nothing tells which ends it")
            versions = by_end[end]
            if reason := self._facts.withheld_version(self._item, versions, self._as_of, self._version):
                return MissingPeriod(period, f"withheld {reason}")
            return versions[0] if self._version == "first" else versions[-1]
        return self._derived(period) if period.quarter is not None else MissingPeriod(period, self._why_missing(period))

    def _end(self, by_end: dict[date, list[SeriesFact]]) -> date | None:
        """Return the day on which a period ends, of several days to which filings state its figures."""
        ends = sorted(by_end)
        if ends[-1] - ends[0] > SAME_PERIOD:
            ends = [end for end in ends if self._names.ends_period(end)]
        if not ends or ends[-1] - ends[0] > SAME_PERIOD:
            return None
        return max(ends, key=lambda end: (len(by_end[end]), end))

    def _derived(self, period: FiscalPeriod) -> SeriesFact | MissingPeriod:
        ends = [end for _, end in self._flows if self._names.period_of(end) == period]
        if not ends:
            return MissingPeriod(period, self._why_missing(period))
        end = Counter(ends).most_common(1)[0][0]
        unit = self._flows[next(flow for flow in self._flows if flow[1] == end)][0].unit
        if not is_additive(self._item, unit):
            return MissingPeriod(
                period, "no filing states the quarter by itself, and such figures do not follow by subtraction"
            )
        withheld = self._withheld_flows()
        given = {days: versions for days, versions in self._flows.items() if days not in withheld}
        found = derived_quarter(given, end, self._version)
        if found.fact is None and derived_quarter(self._flows, end, self._version).fact is not None:
            last, why = next(
                (days[1], why) for days, why in withheld.items() if end - _A_YEAR < days[0] < days[1] <= end
            )
            return MissingPeriod(
                period, f"no filing states the quarter by itself, and its year to {last} is withheld {why}"
            )
        if found.fact is None:
            reason = found.reason or "the part of the year before it is not stated"
            return MissingPeriod(period, f"no filing states the quarter by itself, and {reason}")
        quarter = replace(found.fact.period, fiscal_year=period.year, fiscal_quarter=period.quarter)
        return replace(found.fact, period=quarter)

    def _withheld_flows(self) -> dict[Flow, str]:
        """Return the periods whose wanted statement is withheld, with the reason: an older one is on another basis."""
        found = {
            days: self._facts.withheld_version(self._item, versions, self._as_of, self._version)
            for days, versions in self._flows.items()
        }
        return {days: reason for days, reason in found.items() if reason}

    def _why_missing(self, period: FiscalPeriod) -> str:
        newest = self._names.newest_period(quarterly=period.quarter is not None)
        day = f" by {self._as_of.date()}" if self._as_of else ""
        if newest is not None and period > newest:
            return f"it had not been reported{day}: the newest period is {newest.label}"
        for (start, end), reason in self._facts.withheld(self._item, self._as_of).items():
            found = self._names.of_days(start, end)
            ends_year = start is None and found is not None and found.quarter == 4
            if found is not None and (period == found or (ends_year and period == FiscalPeriod(found.year))):
                return reason
        known = sorted(known for known in self._stated if (known.quarter is None) == (period.quarter is None))
        if not known:
            return f"nothing that was known{day} states {self._item.replace('_', ' ')}"
        if period < known[0]:
            return f"the figures that are known begin with {known[0].label}"
        return f"nothing that was known{day} states {self._item.replace('_', ' ')} for it"

    def _of_one_basis(self, rows: Sequence[SeriesFact]) -> tuple[list[SeriesFact], list[MissingPeriod]]:
        """Return the rows that are on the basis of the newest one, and the others as missing."""
        kept: list[SeriesFact] = []
        other: list[MissingPeriod] = []
        newest = rows[-1] if rows else None
        for row in rows:
            reason = "" if newest is None else self._differs(row, newest)
            fiscal = row.period.fiscal
            if reason and fiscal is not None:
                other.append(MissingPeriod(fiscal, reason))
            else:
                kept.append(row)
        return kept, other

    def _differs(self, row: SeriesFact, newest: SeriesFact) -> str:
        """Return why a row is on another basis than the newest one; empty where it is on the same."""
        stated = f"{row.place.name} states {show_number(row.value)} {row.unit}"
        if row.unit != newest.unit:
            return f"{stated}, and the newest figure is in {newest.unit}"
        if row.basis != newest.basis:
            own, other = (basis or "the whole company" for basis in (row.basis, newest.basis))
            return f"{stated} of {own}, and the newest figure is of {other}"
        later = [split for split in self._splits if row.known_at < split.told_at <= newest.known_at]
        earlier = [split for split in self._splits if newest.known_at < split.told_at <= row.known_at]
        if later or earlier:
            when = "before" if later else "after"
            return f"{stated} in shares {when} a {(later or earlier)[0].label}"
        return ""
