"""Facts of vendors as facts of a series: figures that filings tag, and statements of vendors that have no filings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from tradingagents.dataflows.models import ReportedFact, Statement
from tradingagents.dataflows.reference.fiscal_periods import is_as_labelled
from tradingagents.dataflows.reference.line_items import PER_SHARE, SHARES
from tradingagents.dataflows.reference.xbrl_tags import MONEY_OUT
from tradingagents.retrieval.series.fact import FactPeriod, FactPlace, SeriesFact, WithheldFact


def facts_of_reported(reported: Iterable[ReportedFact]) -> tuple[SeriesFact, ...]:
    """Return the figures that filings tag, each with its filing.

    Their fiscal years are told by their days: what EDGAR calls the year of a filing is often another than the
    company's own name of it.
    """
    places: dict[str, FactPlace] = {}
    found = []
    for row in reported:
        place = places.get(row.accession)
        if place is None:
            name = f"{row.symbol} {row.form} filed {row.filed_on}"
            place = places[row.accession] = FactPlace(name, row.form, row.accession, url=row.url)
        found.append(
            SeriesFact(
                company=row.symbol,
                item=None,
                tag=row.tag,
                period=FactPeriod(row.period_end, row.period_start),
                unit=unit_of(row.unit),
                value=row.value,
                place=place,
                known_at=row.known_at,
            )
        )
    return tuple(found)


def unit_of(tagged: str) -> str:
    """Return a unit as this library writes it: `USD/share` for `USD/shares`."""
    return f"{tagged.removesuffix('/shares')}/share" if tagged.endswith("/shares") else tagged


def facts_of_statements(statements: Iterable[Statement]) -> Iterator[SeriesFact]:
    """Yield the items of a vendor's statements that are what their label says; money paid out is positive.

    Share counts and amounts per share are in the shares to which the gateway brings all of them.
    """
    for statement in statements:
        if not is_as_labelled(statement):
            continue
        period = _period(statement)
        place = FactPlace(f"{statement.source} {statement.kind} statement")
        for item, value in statement.items.items():
            yield SeriesFact(
                company=statement.symbol,
                item=item,
                tag=item,
                period=period,
                unit=_unit(item, statement.currency),
                value=(-value if item in MONEY_OUT else value) + 0.0,
                place=place,
                known_at=statement.known_at,
            )


def withheld_of_statements(statements: Iterable[Statement]) -> Iterator[WithheldFact]:
    """Yield the items that the gateway withholds from such statements: older ones must not stand for them."""
    for statement in statements:
        if is_as_labelled(statement):
            for item, reason in statement.withheld.items():
                yield WithheldFact(item, _period(statement), reason, statement.known_at)


def _period(statement: Statement) -> FactPeriod:
    quarter = int(statement.fiscal_period[1]) if statement.fiscal_period.startswith("Q") else None
    start = None if statement.kind == "balance" else statement.period_start
    if statement.kind != "balance" and start is None:
        start = assumed_start(statement.period_end, months=3 if quarter else 12)
    return FactPeriod(statement.period_end, start, statement.fiscal_year, quarter)


def assumed_start(end: date, *, months: int) -> date:
    """Return the first day of a period of so many months that ends on a day, where its source does not tell it."""
    following = date.fromordinal(end.toordinal() + 1)
    index = following.year * 12 + following.month - 1 - months
    return date(index // 12, index % 12 + 1, min(following.day, 28))


def _unit(item: str, currency: str) -> str:
    return "shares" if item in SHARES else f"{currency}/share" if item in PER_SHARE else currency
