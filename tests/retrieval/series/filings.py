"""Small filings of a made-up company, as figures that a vendor reports."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

from tradingagents.dataflows.models import ReportedFact
from tradingagents.retrieval.series.history import FactHistory
from tradingagents.retrieval.series.reported import facts_of_reported

COMPANY = "ACMQ"
SHARES = 100e6


def report(
    form: str,
    filed: date,
    periods: dict[tuple[date, date], float],
    sheet: date,
    *,
    factor: float = 1.0,
) -> list[ReportedFact]:
    """Return the facts of one filing: an income statement and cash flows by period, and a balance sheet.

    Args:
        periods: Revenue by first and last day.
        sheet: Day of the balance sheet.
        factor: Shares for one share at the beginning.
    """
    accession = f"0000000099-{filed:%y}-{filed.toordinal() % 100000:06d}"
    known_at = datetime(filed.year, filed.month, filed.day, 21, tzinfo=UTC)

    def fact(tag: str, value: float, end: date, start: date | None = None, unit: str = "USD") -> ReportedFact:
        return ReportedFact(
            COMPANY, form, known_at, filed, accession, f"https://f.example/{accession}", f"us-gaap:{tag}", unit, end,
            value, start,
        )  # fmt: skip

    found = []
    for (start, end), revenue in periods.items():
        found += [
            fact("Revenues", revenue, end, start),
            fact("NetIncomeLoss", 0.1 * revenue, end, start),
            fact("NetCashProvidedByUsedInOperatingActivities", 0.2 * revenue, end, start),
            fact("NetCashProvidedByUsedInInvestingActivities", -0.1 * revenue, end, start),
            fact("PaymentsToAcquirePropertyPlantAndEquipment", 0.05 * revenue, end, start),
            fact("EarningsPerShareDiluted", round(0.1 * revenue / SHARES / factor, 2), end, start, "USD/shares"),
            fact("WeightedAverageNumberOfDilutedSharesOutstanding", SHARES * factor, end, start, "shares"),
        ]
    total = sum(periods.values())
    found += [fact("Assets", 2 * total, sheet), fact("StockholdersEquity", total, sheet)]
    return found


def year(number: int) -> tuple[date, date]:
    """Return the first and last day of a fiscal year that ends in September."""
    return date(number - 1, 10, 1), date(number, 9, 30)


def quarter(number: int, which: int) -> tuple[date, date]:
    """Return the first and last day of a quarter of such a year."""
    ends = (date(number - 1, 12, 31), date(number, 3, 31), date(number, 6, 30), date(number, 9, 30))
    start = year(number)[0] if which == 1 else ends[which - 2] + timedelta(days=1)
    return start, ends[which - 1]


def to_date(number: int, which: int) -> tuple[date, date]:
    """Return the first and last day of a year to the end of a quarter."""
    return year(number)[0], quarter(number, which)[1]


def filings(
    years: range, revenue: dict[int, float], restated: dict[int, float] | None = None
) -> Iterator[ReportedFact]:
    """Yield the quarterly and annual reports of some years; a quarter is a fourth of its year.

    Args:
        years: Fiscal years.
        revenue: By year, as first reported.
        restated: By year, what the annual report of the year after states instead.
    """
    again = restated or {}
    for number in years:
        part = revenue[number] / 4
        for which in (1, 2, 3):
            periods = {quarter(number, which): part, to_date(number, which): which * part}
            end = quarter(number, which)[1]
            yield from report("10-Q", end + timedelta(days=35), periods, end)
        periods = {year(number): revenue[number]}
        if number - 1 in revenue:
            periods[year(number - 1)] = again.get(number - 1, revenue[number - 1])
        yield from report("10-K", year(number)[1] + timedelta(days=40), periods, year(number)[1])


def history(facts: Iterator[ReportedFact] | list[ReportedFact]) -> FactHistory:
    """Return facts as the source of a series."""
    return FactHistory(COMPANY, facts_of_reported(facts))
