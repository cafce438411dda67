"""An investor's portfolio as reported on Form 13F by a day, with the changes to the quarter before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from math import log
from statistics import median
from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.text import cut, one_line, table_of
from tradingagents.dataflows.models import Holding, HoldingsReport
from tradingagents.dataflows.reference.metrics import MISSING, Figure, figures_table
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData

Change = Literal["new", "added", "reduced", "unchanged", "sold out", "unknown"]
HoldingKind = Literal["shares", "principal", "call", "put"]
QUARTER = (timedelta(days=80), timedelta(days=100))
"""How far apart the ends of two successive quarters are."""
SPLITS = (2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 15.0, 20.0, 25.0, 50.0)
SPLIT_TOLERANCE = 0.35
"""How far count and price may lie from those of a pure split, as a part of its size, both as logarithms: the larger the
split, the less likely is a purchase or a crash that looks like it."""
EXACT = 0.005
"""A holding that was not traded has the count of the split within this, relatively."""
SAME = 1e-9
DOLLARS_SINCE = date(2023, 1, 3)
FEWEST_PRICED, LOWEST_MEDIAN_PRICE = 5, 1.0
"""A report in dollars of at least so many stocks, with a median price below this in USD, was probably filed in
thousands."""
TOP = 10
LIMITS_OF_13F = (
    "Form 13F lists long positions in US-listed securities and options on them at the quarter's end: no short "
    "positions, cash or foreign listings, and nothing of what was traded since."
)


class PortfolioPosition(BaseModel):
    """One security or option, and how it changed."""

    model_config = ConfigDict(frozen=True)

    issuer: str
    title: str
    """Class of the security as filed, such as COM or CL A."""
    cusip: str
    symbol: str | None
    """None where the source gives no ticker."""
    kind: HoldingKind
    value: float
    """USD at the quarter's end; of an option, the value of the shares under it; 0 where sold out."""
    share_pct: float | None
    """Percent of the portfolio's value without options; None for options."""
    shares: float
    """Shares, or principal in USD; 0 where sold out."""
    shares_before: float | None
    """Of the quarter before, in shares of this quarter's end; None where that quarter is not known."""
    value_before: float | None
    """USD at the end of the quarter before."""
    change: Change
    change_pct: float | None
    """Percent by which the number of shares changed; None where new or unknown."""
    split: float | None = None
    """Shares that one share of the quarter before became, where the two reports suggest a split; None for none."""


class InvestorPortfolio(Result):
    """An investor's holdings at a quarter's end as reported by the day, and the changes to the quarter before."""

    tabulated: ClassVar[bool] = True

    investor: str
    """Name as filed."""
    cik: int
    """The regulator's number of the investor."""
    period_end: date
    """Quarter's end that the holdings are of."""
    period_before: date | None
    """End of the quarter compared with; None where its report is not known."""
    filed_on: date
    """Day of the newest report of the quarter, amendments included."""
    amendments: int
    """Amendments of the quarter that had been accepted."""
    total_value: float
    """USD, without options."""
    total_before: float | None
    """USD of the quarter before, without options."""
    positions: tuple[PortfolioPosition, ...]
    """Shares and bonds, the largest first."""
    options: tuple[PortfolioPosition, ...]
    """Calls and puts, the largest first."""
    sold_out: tuple[PortfolioPosition, ...]
    """What was held at the end of the quarter before and is not any more, the largest first; options included."""
    url: str
    """Address of the newest report."""
    limit: int
    """Most rows of each table."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Portfolio of {self.investor} at {self.period_end}"

    @property
    def subject(self) -> str | None:
        """The investor."""
        return self.investor

    def figures(self) -> tuple[Figure, ...]:
        """Return the summary, then value and weight of each position shown."""
        return (*self._summary(), *(figure for row in self._shown for figure in _figures(row)))

    def body(self) -> str:
        """Return the summary and the positions as tables."""
        parts = [figures_table(self._summary()), _positions(self._shown)]
        if self.options:
            parts.append(_options(self.options[: self.limit]))
        if self.sold_out:
            parts.append(_sold_table(self.sold_out[: self.limit]))
        if self.url:
            parts.append(f"Report: {self.url}")
        return "\n\n".join(parts)

    @property
    def _shown(self) -> tuple[PortfolioPosition, ...]:
        return self.positions[: self.limit]

    def _summary(self) -> tuple[Figure, ...]:
        held = self.positions
        known = self.period_before is not None
        counts = [
            Figure(f"positions_{name.replace(' ', '_')}", sum(row.change == name for row in held), "positions")
            for name in ("new", "added", "reduced", "unchanged")
        ]
        gone = sum(row.kind in ("shares", "principal") for row in self.sold_out)
        return (
            Figure("total_value", self.total_value, "USD"),
            *((Figure("total_value_quarter_before", self.total_before, "USD"),) if known else ()),
            Figure("positions", len(held), "positions"),
            *((*counts, Figure("positions_sold_out", gone, "positions")) if known else ()),
            Figure("top_ten_share", sum(row.share_pct or 0.0 for row in held[:TOP]), "%"),
            *((Figure("option_rows", len(self.options), "rows"),) if self.options else ()),
        )


HEADER = ("#", "Security", "Class", "Value", "Share of portfolio", "Shares", "Change", "By")
OPTION_HEADER = ("Option", "Security", "Value of the shares", "Shares", "Change", "By")
SOLD_HEADER = ("Security", "Class", "Kind", "Value before", "Shares before")


@dataclass(frozen=True, slots=True)
class _ReportedQuarter:
    """What was reported for one quarter's end by the day."""

    end: date
    lines: dict[tuple[str, str], Holding]
    reports: tuple[HoldingsReport, ...]
    """Those that count, in the order accepted."""

    @property
    def total(self) -> float:
        return sum(line.value for line in self.lines.values() if line.kind in ("shares", "principal"))


def portfolio(
    reports: Sequence[HoldingsReport], *, as_of: date, limit: int, source: str, fetched_at: datetime
) -> InvestorPortfolio:
    """Combine an investor's reports into its newest portfolio, and compare it with the quarter before.

    Of one quarter, a restatement replaces what was accepted before it, and new holdings are added. Lines of one
    security are summed.

    Args:
        reports: Reports accepted by the day, amendments included, in any order.
        limit: Most rows of each table.
        fetched_at: When it delivered them.

    Raises:
        NoData: There is no report of a whole quarter.
    """
    quarters = [one for end in sorted({report.period_end for report in reports}) if (one := _quarter(reports, end))]
    if not quarters:
        raise NoData(f"No report of holdings had been accepted by {as_of}; ask for another investor or a later day.")
    now = quarters[-1]
    before = next(
        (quarter for quarter in reversed(quarters[:-1]) if QUARTER[0] <= now.end - quarter.end <= QUARTER[1]), None
    )
    rows = sorted((_position(line, now.total, before) for line in now.lines.values()), key=_by_value)
    gone = [_sold(line) for key, line in (before.lines if before else {}).items() if key not in now.lines]
    newest = now.reports[-1]
    used = (*now.reports, *(before.reports if before else ()))
    return InvestorPortfolio(
        as_of=as_of,
        source=source,
        currency="USD",
        known_at=max(report.known_at for report in used),
        fetched_at=fetched_at,
        rows=sum(len(report.holdings) for report in used),
        notes=tuple(_notes(now, before, rows, limit)),
        investor=cut(one_line(newest.investor), 80),
        cik=newest.cik,
        period_end=now.end,
        period_before=before.end if before else None,
        filed_on=newest.filed_on,
        amendments=sum(report.amendment is not None for report in now.reports),
        total_value=now.total,
        total_before=before.total if before else None,
        positions=tuple(row for row in rows if row.kind in ("shares", "principal")),
        options=tuple(row for row in rows if row.kind in ("call", "put")),
        sold_out=tuple(sorted(gone, key=lambda row: (-(row.value_before or 0.0), row.issuer))),
        url=one_line(newest.url),
        limit=limit,
    )


def _quarter(reports: Iterable[HoldingsReport], end: date) -> _ReportedQuarter | None:
    """Return what counts for a quarter's end; None where only additions to an unknown report are known."""
    counted: list[HoldingsReport] = []
    for report in sorted(reports, key=lambda report: (report.known_at, report.accession)):
        if report.period_end != end:
            continue
        if report.amendment != "new_holdings":
            counted = [report]
        elif counted:
            counted.append(report)
    lines: dict[tuple[str, str], Holding] = {}
    for line in (line for report in counted for line in report.holdings):
        key = _key(line)
        known = lines.get(key)
        lines[key] = (
            line if known is None else replace(known, value=known.value + line.value, amount=known.amount + line.amount)
        )
    return _ReportedQuarter(end, lines, tuple(counted)) if counted else None


def _key(line: Holding) -> tuple[str, str]:
    return (line.cusip or f"{line.issuer} {line.title}".upper(), line.kind)


def _by_value(row: PortfolioPosition) -> tuple[float, str, str]:
    return (-row.value, row.issuer, row.cusip)


def _position(line: Holding, total: float, before: _ReportedQuarter | None) -> PortfolioPosition:
    earlier = before.lines.get(_key(line)) if before else None
    split = _split(earlier, line) if earlier else None
    shares_before = None if before is None else earlier.amount * (split or 1.0) if earlier else 0.0
    plain = line.kind in ("shares", "principal")
    return PortfolioPosition(
        issuer=cut(one_line(line.issuer), 40),
        title=cut(one_line(line.title), 24),
        cusip=one_line(line.cusip),
        symbol=line.symbol,
        kind=line.kind,
        value=line.value,
        share_pct=100 * line.value / total if plain and total > 0 else None,
        shares=line.amount,
        shares_before=shares_before,
        value_before=None if before is None else earlier.value if earlier else 0.0,
        change=_change(line.amount, shares_before),
        change_pct=100 * (line.amount / shares_before - 1) if shares_before else None,
        split=split,
    )


def _sold(line: Holding) -> PortfolioPosition:
    return PortfolioPosition(
        issuer=cut(one_line(line.issuer), 40),
        title=cut(one_line(line.title), 24),
        cusip=one_line(line.cusip),
        symbol=line.symbol,
        kind=line.kind,
        value=0.0,
        share_pct=0.0 if line.kind in ("shares", "principal") else None,
        shares=0.0,
        shares_before=line.amount,
        value_before=line.value,
        change="sold out",
        change_pct=-100.0,
    )


def _change(shares: float, before: float | None) -> Change:
    if before is None:
        return "unknown"
    if before == 0:
        return "new"
    if abs(shares / before - 1) <= SAME:
        return "unchanged"
    return "added" if shares > before else "reduced"


def _split(before: Holding, now: Holding) -> float | None:
    """Return the split that two reports suggest: the count multiplied, and the price per share divided, by its ratio.

    Reports count shares as they were at their quarter's end, and say nothing of splits between.
    """
    if now.kind == "principal" or not (before.amount and now.amount and before.value and now.value):
        return None
    counts, prices = now.amount / before.amount, (now.value / now.amount) / (before.value / before.amount)
    near = []
    for ratio in (*SPLITS, *(1 / split for split in SPLITS)):
        off, moved, most = abs(log(counts / ratio)), abs(log(prices * ratio)), SPLIT_TOLERANCE * abs(log(ratio))
        if off <= most and moved <= most:
            near.append((off > EXACT, off + moved, ratio))
    return min(near)[-1] if near else None


def _notes(
    now: _ReportedQuarter, before: _ReportedQuarter | None, rows: Sequence[PortfolioPosition], limit: int
) -> Iterable[str]:
    yield LIMITS_OF_13F
    if (count := sum(row.kind in ("shares", "principal") for row in rows)) > limit:
        yield f"The largest {limit} of {count} positions are listed."
    if before is None:
        yield "The report of the quarter before is not known, so changes are not computed."
    if amended := [report for report in now.reports if report.amendment]:
        yield f"{len(amended)} amendment(s) are included, the last accepted on {amended[-1].known_at:%Y-%m-%d}."
    for row in rows:
        if row.split:
            ratio = f"{row.split:g} for 1" if row.split > 1 else f"1 for {round(1 / row.split):d}"
            yield f"{row.issuer}: count and price changed as in a split of {ratio}; the change is without it."
    prices = [row.value / row.shares for row in rows if row.kind == "shares" and row.shares > 0]
    if (
        now.reports[-1].filed_on >= DOLLARS_SINCE
        and len(prices) >= FEWEST_PRICED
        and median(prices) < LOWEST_MEDIAN_PRICE
    ):
        yield "The values look as if they were filed in thousands of USD; they are shown as filed, in USD."


def _figures(row: PortfolioPosition) -> tuple[Figure, Figure, Figure]:
    name = row.symbol or row.cusip or row.issuer
    return (
        Figure(f"{name}_value", row.value, "USD"),
        Figure(f"{name}_share_of_portfolio", row.share_pct, "%"),
        Figure(f"{name}_shares", row.shares, "USD principal" if row.kind == "principal" else "shares"),
    )


def _positions(rows: Sequence[PortfolioPosition]) -> str:
    def cells(rank: int, row: PortfolioPosition) -> tuple[str, ...]:
        value, weight, shares = _figures(row)
        name = f"{row.issuer} ({row.symbol})" if row.symbol else row.issuer
        return (str(rank), name, row.title, value.text, weight.text, shares.text, row.change, _by(row))

    return table_of(HEADER, (cells(rank, row) for rank, row in enumerate(rows, 1)))


def _options(rows: Sequence[PortfolioPosition]) -> str:
    def cells(row: PortfolioPosition) -> tuple[str, ...]:
        value, _, shares = _figures(row)
        return (row.kind, row.issuer, value.text, shares.text, row.change, _by(row))

    return f"### Options\n\n{table_of(OPTION_HEADER, map(cells, rows))}"


def _sold_table(rows: Sequence[PortfolioPosition]) -> str:
    def cells(row: PortfolioPosition) -> tuple[str, ...]:
        value, shares = Figure("", row.value_before, "USD"), Figure("", row.shares_before, "shares")
        return (row.issuer, row.title, row.kind, value.text, shares.text)

    return f"### Sold out\n\n{table_of(SOLD_HEADER, map(cells, rows))}"


def _by(row: PortfolioPosition) -> str:
    return MISSING if row.change_pct is None else Figure("", row.change_pct, "%").text
