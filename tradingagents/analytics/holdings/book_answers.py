"""What is said of a book: its value with the next results of each holding, and its risk."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.holdings.book_risk import LEAST_DAYS, BookRisk, Floats, daily_returns
from tradingagents.analytics.market.earnings_calendar import EarningsRow
from tradingagents.analytics.price.watch_overview import RecordedDecision
from tradingagents.analytics.text import one_line, table_of
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.metrics import MISSING, Figure
from tradingagents.dataflows.reference.sectors import DISPLAY
from tradingagents.dataflows.results import Result
from tradingagents.dataflows.valued_book import ValuedBook, ValuedPosition
from tradingagents.errors import NoData

MOST_SHOWN = 60
"""Holdings of a table; the typed result has all."""
UNKNOWN = "unknown"
CASH = "cash"


class BookSentence(BaseModel):
    """One sentence that stands above the table."""

    model_config = ConfigDict(frozen=True)

    said: str


class BookHolding(BaseModel):
    """One instrument that is held, all accounts together."""

    model_config = ConfigDict(frozen=True)

    symbol: str
    quantity: float | None = None
    """Signed; None where only weights were stated."""
    average_price: float | None = None
    """Of one unit, in `paid_in`; None where it is not known, or differs by account."""
    paid_in: str | None = None
    price: float | None = None
    """Last close, in `currency`; None where no vendor has one."""
    currency: str | None = None
    value: float | None = None
    """In the currency of the book; None where it cannot be said."""
    weight: float | None = None
    """Signed fraction of everything; None where there is no value."""
    change: float | None = None
    """Gain since the close before, in the currency of the book."""
    change_pct: float | None = None
    """Move of the price since the close before, in percent; splits do not count as one."""
    gain: float | None = None
    """Gain on what was paid, as a fraction of it."""
    next_results: date | None = None
    """Day of the next results within the days asked for; None where none is known."""
    results_expected: bool = False
    """Whether that day is no announced one, but 52 weeks after last year's."""
    decision: RecordedDecision | None = None
    """Of the last run on it for the day or an earlier one; None where there is none, or runs were not read."""
    note: str = ""


class BookOverview(Result):
    """A book at the last closes: value, weight, change and gain of each holding, and whose results are due."""

    tabulated: ClassVar[bool] = True

    book_day: date | None = None
    """Day of the stored book; None for one that was stated."""
    equity: float | None = None
    """Everything that has a value, in `currency`; None where only weights were stated."""
    cash: float | None = None
    days_ahead: int
    holdings: tuple[BookHolding, ...]
    """The largest first."""
    sentences: tuple[BookSentence, ...]
    runs_read: bool = False
    """Whether the decisions of stored runs were looked up."""

    def with_decisions(self, decisions: Mapping[str, RecordedDecision]) -> BookOverview:
        """Return the answer with the decisions of stored runs, by symbol."""
        holdings = tuple(
            holding.model_copy(update={"decision": decisions.get(holding.symbol)}) for holding in self.holdings
        )
        return self.model_copy(update={"holdings": holdings, "runs_read": True})

    @property
    def title(self) -> str:
        """Heading."""
        return "Your book"

    def figures(self) -> tuple[Figure, ...]:
        """Return value and change of the whole, and weight, gain and days to the next results of each holding."""
        unit = self.currency or ""
        changes = [holding.change for holding in self.holdings if holding.change is not None]
        whole = [Figure("book_value", self.equity, unit)] if self.equity is not None else []
        if changes and self.equity is not None:
            whole.append(Figure("book_change_1d", math.fsum(changes), unit))
        own = [
            figure
            for holding in self.holdings
            for figure in (
                Figure(f"{holding.symbol}_weight_in_book", _percent(holding.weight), "%"),
                Figure(f"{holding.symbol}_gain_on_cost", _percent(holding.gain), "%"),
                Figure(f"{holding.symbol}_days_to_results", _days(holding.next_results, self.as_of), "days"),
            )
            if figure.value is not None
        ]
        return (*whole, Figure("holdings_held", len(self.holdings)), *own)

    def lead(self) -> str:
        """Return the sentences."""
        return "\n".join(f"- {sentence.said}" for sentence in self.sentences)

    def body(self) -> str:
        """Return the holdings as a table."""
        head = ["Symbol", "Quantity", "Paid", "Price", "Value", "Weight", "1 day", "Gain", "Next results"]
        rows = [_cells(holding, self.currency or "") for holding in self.holdings[:MOST_SHOWN]]
        if self.runs_read:
            head.append("Last decision")
            for cells, holding in zip(rows, self.holdings, strict=False):
                cells.append(holding.decision.said if holding.decision else MISSING)
        left = len(self.holdings) - MOST_SHOWN
        more = [f"{left} smaller holdings are not shown."] if left > 0 else []
        return "\n\n".join([*([table_of(head, rows)] if rows else []), *more])


def book_overview(
    valued: ValuedBook, events: Sequence[EarningsRow], days_ahead: int, stamp: Mapping[str, Any], notes: Sequence[str]
) -> BookOverview:
    """Return a valued book as an answer.

    Args:
        valued: The book at the last closes.
        events: Results announced or expected for the days ahead.
        days_ahead: How many days they reach.
        stamp: Source, day and times of the answer.
        notes: Gaps of the data.
    """
    due = _due(events)
    weights = valued.weights()
    holdings = [
        _holding([position for position in valued.positions if position.symbol == symbol], weights.get(symbol), due)
        for symbol in dict.fromkeys(position.symbol for position in valued.positions)
    ]
    holdings.sort(key=lambda holding: (-abs(holding.value or 0.0), holding.symbol))
    return BookOverview(
        **stamp,
        currency=valued.currency,
        equity=valued.equity,
        cash=valued.cash,
        days_ahead=days_ahead,
        holdings=tuple(holdings),
        sentences=tuple(BookSentence(said=text) for text in _about(holdings, valued, days_ahead)),
        notes=(*notes, *_of_value(valued)),
    )


def stated_overview(
    weights: Mapping[str, float],
    events: Sequence[EarningsRow],
    days_ahead: int,
    stamp: Mapping[str, Any],
    notes: Sequence[str],
) -> BookOverview:
    """Return holdings of which only weights are known as an answer; see `book_overview`."""
    due = _due(events)
    holdings = [
        BookHolding(symbol=symbol, weight=weight, **_next_results(due.get(symbol)))
        for symbol, weight in weights.items()
    ]
    holdings.sort(key=lambda holding: (-abs(holding.weight or 0.0), holding.symbol))
    said = [BookSentence(said=_results_due(holdings, days_ahead))]
    return BookOverview(
        **stamp, days_ahead=days_ahead, holdings=tuple(holdings), sentences=tuple(said), notes=tuple(notes)
    )


class HoldingShare(BaseModel):
    """The part of one holding in the risk of a book. Fractions, but for `beta`."""

    model_config = ConfigDict(frozen=True)

    symbol: str
    sector: str
    currency: str
    weight: float
    volatility: float
    """Of a year."""
    beta: float | None
    contribution: float
    """Share of the variance of all; negative for a holding that offsets others."""


class BookRiskProfile(Result):
    """The risk of a book as it is weighted today, from the daily returns that its holdings had."""

    tabulated: ClassVar[bool] = True

    benchmark: str | None
    volatility: float
    """Of a year, as a fraction."""
    beta: float | None
    """Against the benchmark; None where it is not known."""
    drawdown: float
    """Largest fall within the days measured, as a fraction."""
    effective_holdings: float
    """Equal holdings that would be as concentrated."""
    holdings: tuple[HoldingShare, ...]
    """The largest share of the risk first."""
    correlations: Mapping[str, Mapping[str, float | None]]
    """Of daily returns, by symbol and symbol."""
    sectors: Mapping[str, float]
    """Sum of weights by sector, and of cash."""
    currencies: Mapping[str, float]
    """Sum of weights by the currency of the prices; cash is in that of the book."""
    worst_months: tuple[tuple[str, float], ...]
    """Months in which today's weights would have lost most, with the return."""
    sentences: tuple[BookSentence, ...]

    @property
    def title(self) -> str:
        """Heading."""
        return "Risk of your book"

    def figures(self) -> tuple[Figure, ...]:
        """Return the risk of the whole, and weight and share of the risk of each holding."""
        whole = (
            Figure("book_volatility", 100 * self.volatility, "%"),
            *((Figure("book_beta", self.beta),) if self.beta is not None else ()),
            Figure("book_drawdown", -100 * self.drawdown, "%"),
            Figure("effective_holdings", self.effective_holdings),
            *(
                (Figure("book_worst_month", 100 * self.worst_months[0][1], "%", over=self.worst_months[0][0]),)
                if self.worst_months
                else ()
            ),
        )
        own = (
            figure
            for holding in self.holdings
            for figure in (
                Figure(f"{holding.symbol}_weight_in_book", 100 * holding.weight, "%"),
                Figure(f"{holding.symbol}_share_of_risk", 100 * holding.contribution, "%"),
            )
        )
        return (*whole, *own)

    def lead(self) -> str:
        """Return the sentences."""
        return "\n".join(f"- {sentence.said}" for sentence in self.sentences)

    def body(self) -> str:
        """Return the holdings, exposures, correlations and worst months as tables."""
        beta = f"Beta to {self.benchmark}" if self.benchmark else "Beta"
        rows = [
            [
                holding.symbol,
                _sector(holding.sector),
                share_text(holding.weight),
                share_text(holding.contribution),
                share_text(holding.volatility),
                MISSING if holding.beta is None else f"{holding.beta:.2f}",
            ]
            for holding in self.holdings[:MOST_SHOWN]
        ]
        parts = [
            table_of(["Holding", "Sector", "Weight", "Share of the risk", "Volatility", beta], rows),
            table_of(["Sector", "Weight"], [[_sector(name), share_text(part)] for name, part in self.sectors.items()]),
            table_of(["Currency", "Weight"], [[name, share_text(part)] for name, part in self.currencies.items()]),
        ]
        if 1 < len(self.correlations) <= 12:
            names = list(self.correlations)
            cells = [[one, *(_correlation(self.correlations[one].get(other)) for other in names)] for one in names]
            parts.append(table_of(["Correlation", *names], cells))
        if self.worst_months:
            parts.append(
                table_of(["Worst month", "Return"], [[month, share_text(loss)] for month, loss in self.worst_months])
            )
        return "\n\n".join(parts)


@dataclass(frozen=True, slots=True)
class BookMarket:
    """What is known of the instruments of a book."""

    prices: Mapping[str, Prices]
    """By symbol; those without a price are left out."""
    sectors: Mapping[str, str | None]
    benchmark: Prices | None
    cash_currency: str


def book_risk_profile(
    weights: Mapping[str, float], market: BookMarket, stamp: Mapping[str, Any], notes: Sequence[str]
) -> BookRiskProfile:
    """Return the risk of weights.

    Args:
        weights: Signed fractions of everything by symbol; the rest is cash.
        market: Prices, sectors and the benchmark.
        stamp: Source, day and times of the answer.
        notes: Gaps of the data.

    Raises:
        NoData: Nothing with a price is held, or the holdings have fewer than 60 common daily returns.
    """
    held = {symbol: weight for symbol, weight in weights.items() if symbol in market.prices and weight}
    if not held:
        raise NoData("Nothing that is held has a price on this day, so that no risk can be measured.")
    known = daily_returns({symbol: market.prices[symbol] for symbol in held}, market.benchmark)
    found = known.risk(held)
    if found is None:
        raise NoData(
            f"The holdings have {len(known.days)} common daily returns, and a risk needs {LEAST_DAYS}; "
            f"leave new ones out."
        )
    missing = [symbol for symbol in weights if symbol not in held and weights[symbol]]
    young = [symbol for symbol in held if symbol not in known.symbols]
    gaps = [f"The risk is without {', '.join(missing)}, of which there are no prices."] if missing else []
    if young:
        gaps.append(
            f"The risk is without {', '.join(young)}, of which fewer than {LEAST_DAYS} daily returns are known."
        )
    shares = _shares(found, market)
    benchmark = None if market.benchmark is None or known.benchmark is None else market.benchmark.symbol
    return BookRiskProfile(
        **{**stamp, "start": known.days[0], "end": known.days[-1], "rows": len(known.days)},
        benchmark=benchmark,
        volatility=found.volatility,
        beta=found.beta,
        drawdown=found.drawdown,
        effective_holdings=found.effective_holdings,
        holdings=tuple(shares),
        correlations=_by_symbol(known.symbols, found.correlations),
        sectors=_exposure((share.sector, share.weight) for share in shares) | _rest(held, CASH),
        currencies=_exposure(
            [*((share.currency, share.weight) for share in shares), *_rest(held, market.cash_currency).items()]
        ),
        worst_months=found.worst_months,
        sentences=tuple(BookSentence(said=text) for text in _of_risk(found, shares, benchmark, known.days)),
        notes=(*notes, *gaps),
    )


def _shares(found: BookRisk, market: BookMarket) -> list[HoldingShare]:
    """Return each holding's part of the risk, the largest first."""
    shares = [
        HoldingShare(
            symbol=symbol,
            sector=market.sectors.get(symbol) or UNKNOWN,
            currency=market.prices[symbol].currency,
            weight=part.weight,
            volatility=part.volatility,
            beta=part.beta,
            contribution=part.contribution,
        )
        for symbol, part in found.holdings.items()
    ]
    return sorted(shares, key=lambda share: (-share.contribution, share.symbol))


def _holding(positions: Sequence[ValuedPosition], weight: float | None, due: Mapping[str, EarningsRow]) -> BookHolding:
    """Return the positions of one instrument as a holding."""
    first = positions[0]
    values = [position.value for position in positions if position.value is not None]
    changes = [position.day_change for position in positions if position.day_change is not None]
    alone = len(positions) == 1
    return BookHolding(
        symbol=first.symbol,
        quantity=math.fsum(position.quantity for position in positions),
        average_price=first.average_price if alone else None,
        paid_in=first.paid_in if alone else None,
        price=first.price,
        currency=first.currency,
        value=math.fsum(values) if len(values) == len(positions) else None,
        weight=weight,
        change=math.fsum(changes) if len(changes) == len(positions) else None,
        change_pct=None if first.price is None or not first.previous else 100 * (first.price / first.previous - 1),
        gain=first.gain if alone else None,
        **_next_results(due.get(first.symbol)),
        note="; ".join(dict.fromkeys(position.note for position in positions if position.note)),
    )


def _due(events: Sequence[EarningsRow]) -> dict[str, EarningsRow]:
    """Return the first results of each symbol."""
    found: dict[str, EarningsRow] = {}
    for event in events:
        if event.symbol not in found or event.day < found[event.symbol].day:
            found[event.symbol] = event
    return found


def _about(holdings: Sequence[BookHolding], valued: ValuedBook, days_ahead: int) -> list[str]:
    if not holdings:
        return ["Nothing is held.", f"Cash {valued.cash:,.2f} {valued.currency}."]
    changes = [holding.change for holding in holdings if holding.change is not None]
    change = f", {math.fsum(changes):+,.2f} since the close before" if changes else ""
    cash = f"cash {valued.cash:,.2f}" if valued.cash else "no cash"
    said = [f"Worth {valued.equity:,.2f} {valued.currency} on {valued.day}{change}; {cash}."]
    largest = next((holding for holding in holdings if holding.weight is not None), None)
    if largest is not None and len(holdings) > 1:
        said.append(f"{largest.symbol} is the largest holding, {share_text(largest.weight)} of everything.")
    return [*said, _results_due(holdings, days_ahead)]


def _results_due(holdings: Sequence[BookHolding], days_ahead: int) -> str:
    due = sorted(
        (holding.next_results, holding.symbol, holding.results_expected)
        for holding in holdings
        if holding.next_results is not None
    )
    if not due:
        return f"No holding is known to report within {days_ahead} days."
    named = ", ".join(f"{symbol} on {day}{' (by last year)' if expected else ''}" for day, symbol, expected in due)
    return f"Results within {days_ahead} days: {named}."


def _next_results(due: EarningsRow | None) -> dict[str, Any]:
    return {} if due is None else {"next_results": due.day, "results_expected": due.status == "expected"}


def _of_value(valued: ValuedBook) -> list[str]:
    """Return what is not in the value, and what was done to positions."""
    notes = [f"{position.symbol}: {one_line(position.note)}" for position in valued.positions if position.note]
    if valued.without_value:
        notes.append(f"Weights are without {', '.join(valued.without_value)}, whose value is not known.")
    notes += [f"Cash in {currency} is not counted: {gap.why}." for currency, gap in valued.rate_gaps.items()]
    return notes


def _of_risk(found: BookRisk, shares: Sequence[HoldingShare], benchmark: str | None, days: Sequence[date]) -> list[str]:
    moved, fallen = share_text(found.volatility), share_text(found.drawdown)
    period = f"From {days[0]} to {days[-1]}, as weighted today"
    said = [f"{period}, it would have moved {moved} a year (one standard deviation) and fallen {fallen} at most."]
    if found.beta is not None and benchmark is not None:
        said.append(f"Beta to {benchmark} is {found.beta:.2f}.")
    if len(shares) > 1:
        risk, weight = share_text(shares[0].contribution), share_text(shares[0].weight)
        said.append(
            f"{shares[0].symbol} brings {risk} of the risk at {weight} of the weight; "
            f"the book is as concentrated as {found.effective_holdings:.1f} equal holdings."
        )
    if found.worst_months:
        month, loss = found.worst_months[0]
        said.append(f"The worst month of these days, {month}, would have cost {share_text(-loss)}.")
    return said


def _by_symbol(symbols: Sequence[str], correlations: Floats) -> dict[str, dict[str, float | None]]:
    return {
        symbol: {
            other: float(value) if math.isfinite(value) else None
            for other, value in zip(symbols, correlations[row], strict=True)
        }
        for row, symbol in enumerate(symbols)
    }


def _exposure(parts: Any) -> dict[str, float]:
    """Return the sums of weights by name, the largest first."""
    found: dict[str, float] = {}
    for name, weight in parts:
        found[name] = found.get(name, 0.0) + weight
    return dict(sorted(found.items(), key=lambda part: (-abs(part[1]), part[0])))


def _rest(held: Mapping[str, float], name: str) -> dict[str, float]:
    """Return what is left of the whole, by a name; nothing where that is nothing."""
    rest = 1 - math.fsum(held.values())
    return {name: rest} if abs(rest) > 1e-4 else {}


def _cells(holding: BookHolding, unit: str) -> list[str]:
    return [
        holding.symbol,
        MISSING if holding.quantity is None else f"{holding.quantity:,.10g}",
        _money(holding.average_price, holding.paid_in),
        _money(holding.price, holding.currency),
        _money(holding.value, unit),
        share_text(holding.weight),
        MISSING if holding.change is None else f"{holding.change:+,.2f}",
        MISSING if holding.gain is None else f"{100 * holding.gain:+.1f} %",
        MISSING if holding.next_results is None else holding.next_results.isoformat(),
    ]


def _money(amount: float | None, unit: str | None) -> str:
    return MISSING if amount is None else f"{amount:,.2f} {unit or ''}".rstrip()


def share_text(part: float | None) -> str:
    """Return a fraction in percent."""
    return MISSING if part is None else f"{100 * part:.1f} %"


def _correlation(value: float | None) -> str:
    return MISSING if value is None else f"{value:.2f}"


def _sector(name: str) -> str:
    return DISPLAY.get(name, name)


def _percent(part: float | None) -> float | None:
    return None if part is None else 100 * part


def _days(day: date | None, today: date) -> float | None:
    return None if day is None else (day - today).days


def stamp_of(prices: Sequence[Prices], as_of: date, known_at: datetime | None, fetched_at: datetime) -> dict[str, Any]:
    """Return source, day and times of an answer from prices."""
    return {
        "as_of": as_of,
        "source": "+".join(dict.fromkeys(bars.vendor for bars in prices)) or "stored book",
        "known_at": known_at,
        "fetched_at": max((bars.fetched_at for bars in prices), default=fetched_at),
        "rows": sum(len(bars) for bars in prices),
        "inputs": tuple(bars.symbol for bars in prices),
    }
