"""Company facts: all figures that a company tagged, grouped by filing."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from tradingagents.dataflows.reference.xbrl_tags import (
    COVER_SHARES,
    PER_SHARE_TAGS,
    RECIPES,
    SHARE_TAGS,
    STAND_INS,
    TAGS,
)
from tradingagents.dataflows.vendors.sec_edgar.submissions import day

Span = tuple[date, date]
"""First and last day of a period."""
_TOO_LARGE = 1e20
"""Larger than any company's figure in any currency; NaN isn't below it either."""
_FORMS = ("10-K", "10-Q", "20-F", "40-F", "6-K", "8-K")
"""Forms with statements, and their amendments; an 8-K may restate them. Registrations are excluded."""


@dataclass(slots=True)
class Report:
    """The figures of one filing, in its main currency."""

    accession: str
    form: str
    filed_on: date
    currency: str
    flows: dict[Span, dict[str, float]] = field(default_factory=dict)
    """By period, then by tag."""
    balances: dict[date, dict[str, float]] = field(default_factory=dict)
    """By day, then by tag."""


@dataclass(frozen=True, slots=True)
class Facts:
    """A company's tagged figures."""

    taxonomy: str
    """us-gaap or ifrs-full."""
    reports: tuple[Report, ...]
    """By filing day."""
    every: tuple[TaggedFact, ...] = ()
    """All figures of these taxonomies and of covers, whatever their tag, of filings with statements."""


@dataclass(frozen=True, slots=True)
class TaggedFact:
    """A tagged figure as the page gives it."""

    accession: str
    form: str
    filed_on: date
    tag: str
    unit: str
    start: date | None
    end: date
    value: float
    taxonomy: str = ""


def read_facts(page: Any) -> Facts | None:
    """Parse the page; None if it is invalid.

    A figure with an invalid value, date or filing is skipped; a page with only such figures is invalid.
    """
    taxonomies = page.get("facts") if isinstance(page, dict) else None
    if not isinstance(taxonomies, dict):
        return None
    known = {name: found for name in RECIPES if isinstance(found := taxonomies.get(name), dict)}
    every = {name: tuple(_facts(found, name)) for name, found in known.items()}
    read = {name: tuple(fact for fact in facts if fact.tag in TAGS) for name, facts in every.items()}
    covers = tuple(_on_covers(taxonomies))
    if not any(read.values()):
        return None if any(TAGS & found.keys() for found in known.values()) else Facts("us-gaap", ())
    taxonomy = max(read, key=lambda name: len(read[name]))
    stated = (fact for facts in (*every.values(), covers) for fact in facts if fact.form.startswith(_FORMS))
    return Facts(taxonomy, _reports((*read[taxonomy], *covers)), tuple(stated))


def _facts(tags: Mapping[str, Any], taxonomy: str) -> Iterator[TaggedFact]:
    for tag in sorted(tags):
        units = tags[tag].get("units") if isinstance(tags[tag], dict) else None
        for unit, rows in (units if isinstance(units, dict) else {}).items():
            for row in rows if isinstance(rows, list) else ():
                fact = _fact(tag, unit, row, taxonomy)
                if fact is not None:
                    yield fact


def _fact(tag: str, unit: str, row: Any, taxonomy: str) -> TaggedFact | None:
    if not isinstance(row, dict):
        return None
    value, form, accession = row.get("val"), row.get("form"), row.get("accn")
    end, filed_on, start = day(row.get("end")), day(row.get("filed")), day(row.get("start"))
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not abs(value) < _TOO_LARGE:
        return None
    if not isinstance(form, str) or not isinstance(accession, str):
        return None
    if end is None or filed_on is None or filed_on < end or ("start" in row and (start is None or start >= end)):
        return None
    return TaggedFact(accession, form, filed_on, tag, unit, start, end, float(value), taxonomy)


def _on_covers(page: Mapping[str, Any]) -> Iterator[TaggedFact]:
    """Return the counts of common shares on the covers of filings; none of a company with several classes."""
    cover = page.get("dei")
    found = cover.get(COVER_SHARES) if isinstance(cover, dict) else None
    return _facts({COVER_SHARES: found}, "dei") if found is not None else iter(())


def _reports(facts: tuple[TaggedFact, ...]) -> tuple[Report, ...]:
    by_filing: dict[str, list[TaggedFact]] = defaultdict(list)
    for fact in facts:
        if fact.form.startswith(_FORMS):
            by_filing[fact.accession].append(fact)
    reports = [report for filed in by_filing.values() if (report := _report(filed)) is not None]
    return tuple(sorted(reports, key=lambda report: (report.filed_on, report.accession)))


def _report(facts: list[TaggedFact]) -> Report | None:
    """Return one filing's figures; None if none is in money. Translations into a second currency are skipped."""
    currencies = Counter(fact.unit for fact in facts if len(fact.unit) == 3 and fact.unit.isupper())
    if not currencies:
        return None
    currency = currencies.most_common(1)[0][0]
    report = Report(facts[0].accession, facts[0].form, facts[0].filed_on, currency)
    for fact in facts:
        if fact.unit != _unit(fact.tag, currency):
            continue
        if fact.start is None:
            report.balances.setdefault(fact.end, {})[fact.tag] = fact.value
        else:
            report.flows.setdefault((fact.start, fact.end), {})[fact.tag] = fact.value
    _date_cover(report)
    for values in report.flows.values():
        for tag in STAND_INS.keys() & values.keys():
            values.setdefault(STAND_INS[tag], values.pop(tag))
    return report


def _date_cover(report: Report) -> None:
    """Move the count on the cover, of some weeks after the period, to the filing's newest balance sheet."""
    counts = {end: values.pop(COVER_SHARES) for end, values in report.balances.items() if COVER_SHARES in values}
    for end in [end for end, values in report.balances.items() if not values]:
        del report.balances[end]
    sheets = [end for end, values in report.balances.items() if "Assets" in values]
    if counts and sheets:
        report.balances[max(sheets)][COVER_SHARES] = counts[max(counts)]


def _unit(tag: str, currency: str) -> str:
    return f"{currency}/shares" if tag in PER_SHARE_TAGS else "shares" if tag in SHARE_TAGS else currency
