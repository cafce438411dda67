"""What a price chart shows: bars, chosen indicators, events, and other symbols from the same start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import ClassVar, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.least_history import short_history_note
from tradingagents.analytics.price.indicators import momentum_for, overlays_for
from tradingagents.analytics.price.returns import last_day, price_unit
from tradingagents.analytics.text import cut, one_line, table_of
from tradingagents.dataflows.models import EarningsEvent, Floats, Prices
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData, UsageError
from tradingagents.files.notebook_html import line_svg, markdown_html

Numbers = tuple[float | None, ...]
EventKind = Literal["earnings", "dividend", "split", "note"]
CHART_SERIES: Mapping[str, tuple[str, ...]] = {
    "close_10_ema": ("close_10_ema",),
    "close_50_sma": ("close_50_sma",),
    "close_200_sma": ("close_200_sma",),
    "boll": ("boll_ub", "boll_lb"),
    "rsi": ("rsi",),
    "macd": ("macd", "macds", "macdh"),
    "volume": (),
}
"""Indicators that can be drawn, each with its series."""
EVENTS: Mapping[str, EventKind] = {"earnings": "earnings", "dividends": "dividend", "splits": "split"}
"""Events that can be drawn, by the word that asks for them."""
SHOWN_EVENTS = 15
LONGEST_NOTE, MOST_NOTES = 80, 20


class ChartEvent(BaseModel):
    """An event on a chart."""

    model_config = ConfigDict(frozen=True)

    day: date
    kind: EventKind
    text: str


class ChartSeries(BaseModel):
    """One indicator's series."""

    model_config = ConfigDict(frozen=True)

    name: str
    values: Numbers
    """One for each bar; None where the history before it is too short."""

    @property
    def last(self) -> float | None:
        """The newest value."""
        return self.values[-1] if self.values else None


class ComparedSymbol(BaseModel):
    """A symbol from the common start."""

    model_config = ConfigDict(frozen=True)

    symbol: str
    values: Numbers
    """Adjusted closes, 100 at the common start; one for each bar, None where the symbol has none."""
    change_pct: float
    """Percent from the common start to the last value, dividends included."""


class ChartData(Result):
    """The bars, indicators, events and comparisons of a chart, and the files that were drawn from them."""

    tabulated: ClassVar[bool] = True

    unit: str
    """Unit of the prices: the currency, or empty for an index."""
    days: tuple[date, ...]
    """Sessions, oldest first; the other series have one value for each."""
    opens: Numbers
    """As traded on the last session: adjusted for splits since, not for dividends."""
    highs: Numbers
    lows: Numbers
    closes: Numbers
    volumes: Numbers
    """Shares; empty where the volume was not asked for."""
    series: tuple[ChartSeries, ...]
    """The indicators, in the order asked."""
    events: tuple[ChartEvent, ...]
    """By day."""
    compared: tuple[ComparedSymbol, ...]
    """The symbol itself, then the others; empty where there are no others."""
    compared_from: date | None
    """First session on which all compared symbols have a close."""
    files: tuple[str, ...] = ()
    """Paths of the files drawn; empty where the chart was asked for as data."""

    @property
    def title(self) -> str:
        """Heading."""
        others = ", ".join(line.symbol for line in self.compared[1:])
        return f"Chart: {self.symbol}{f' compared with {others}' if others else ''}"

    def figures(self) -> tuple[Figure, ...]:
        """Return close, change and range, the newest value of each indicator, and the compared changes."""
        closes = [value for value in self.closes if value is not None]
        highs = [value for value in self.highs if value is not None]
        lows = [value for value in self.lows if value is not None]
        change = 100 * (closes[-1] / closes[0] - 1) if closes and closes[0] > 0 else None
        return (
            Figure("close", closes[-1] if closes else None, self.unit),
            Figure("first_close", closes[0] if closes else None, self.unit, f"on {self.days[0]}"),
            Figure("price_change", change, "%", f"from {self.days[0]} to {self.days[-1]}"),
            Figure("highest_price", max(highs, default=None), self.unit),
            Figure("lowest_price", min(lows, default=None), self.unit),
            *(Figure(line.name, line.last, "" if line.name == "rsi" else self.unit) for line in self.series),
            *(Figure(f"{line.symbol}_change_from_common_start", line.change_pct, "%") for line in self.compared),
        )

    def body(self) -> str:
        """Return what is drawn: figures, events, files."""
        parts = [table_of(("Figure", "Value"), ((figure.name, figure.text) for figure in self.figures()))]
        if self.compared_from:
            parts.append(f"Compared from {self.compared_from}, dividends included.")
        if self.events:
            shown = self.events[-SHOWN_EVENTS:]
            rows = ((event.day.isoformat(), event.kind, event.text) for event in shown)
            parts.append(table_of(("Day", "Event", "What"), rows))
        if self.files:
            parts.append("\n".join(f"File: {path}" for path in self.files))
        return "\n\n".join(parts)

    def _repr_html_(self) -> str:
        """Return the line of closes and the figures as a notebook shows them."""
        line = line_svg(self.days, self.closes, f"Close of {self.symbol}, {self.unit}".rstrip(", "))
        return f"{line}{markdown_html(self.to_markdown())}"

    def with_files(self, files: Sequence[str], notes: Sequence[str] = ()) -> ChartData:
        """Return the data with the files drawn from them."""
        return self.model_copy(update={"files": tuple(files), "notes": (*self.notes, *notes)})


def chart_data(
    prices: Prices,
    others: Mapping[str, Prices],
    *,
    as_of: date,
    start: date,
    indicators: Sequence[str],
    events: Sequence[ChartEvent],
    known_at: datetime,
    notes: Sequence[str] = (),
) -> ChartData:
    """Cut a chart out of a symbol's bars.

    Args:
        prices: Bars as traded on the last session, with history before `start` for the indicators.
        others: Bars of the symbols compared with it, by symbol.
        start: First day shown.
        indicators: Names of `CHART_SERIES`.
        events: Events of the days shown; others are left out.
        known_at: When the newest of all this became known.
        notes: Gaps of the data.

    Raises:
        NoData: There are no bars from `start` on.
    """
    shown = prices.since(start)
    if not len(shown):
        raise NoData(f"{prices.symbol} has no bars from {start} to {as_of}; name an earlier first day.")
    drawn = {**overlays_for(prices), **momentum_for(prices)}
    names = [name for indicator in indicators for name in CHART_SERIES[indicator]]
    first, last = shown.days[0].item(), last_day(shown)
    compared, common = _compared(shown, others)
    within = sorted(
        (event for event in events if first <= event.day <= last), key=lambda event: (event.day, event.kind)
    )
    short = short_history_note(prices, [name for name in names if not np.isfinite(drawn[name][-1:]).any()])
    outside = sum(event.kind == "note" for event in events) - sum(event.kind == "note" for event in within)
    gap = f"{outside} of your notes lie outside the days shown and are not marked."
    return ChartData(
        symbol=prices.symbol,
        as_of=as_of,
        source="+".join(dict.fromkeys([prices.vendor, *(bars.vendor for bars in others.values())])),
        currency=prices.currency,
        known_at=known_at,
        fetched_at=max([prices.fetched_at, *(bars.fetched_at for bars in others.values())]),
        start=first,
        end=last,
        rows=len(shown),
        inputs=tuple(others),
        notes=(*notes, *((gap,) if outside else ()), *((short,) if short else ())),
        unit=price_unit(prices),
        days=tuple(shown.days.astype(object).tolist()),
        opens=_numbers(shown.open),
        highs=_numbers(shown.high),
        lows=_numbers(shown.low),
        closes=_numbers(shown.close),
        volumes=_numbers(shown.volume) if "volume" in indicators else (),
        series=tuple(ChartSeries(name=name, values=_numbers(drawn[name][-len(shown) :])) for name in names),
        events=tuple(within),
        compared=compared,
        compared_from=common,
    )


def chart_indicators(text: str) -> tuple[str, ...]:
    """Read a comma-separated list of indicators.

    Raises:
        UsageError: One cannot be drawn; the message names those that can.
    """
    return _named(text, CHART_SERIES, "indicator")


def chart_events(text: str) -> tuple[str, ...]:
    """Read a comma-separated list of kinds of events.

    Raises:
        UsageError: One is unknown; the message names those that are known.
    """
    return _named(text, EVENTS, "kind of event")


def own_notes(text: str) -> tuple[ChartEvent, ...]:
    """Read a user's notes, written `2025-01-27: text; 2025-02-20: text`.

    Raises:
        UsageError: A note has no day or no text, or there are too many.
    """
    found = []
    for part in filter(None, (part.strip() for part in text.split(";"))):
        day, _, words = part.partition(":")
        try:
            when = date.fromisoformat(day.strip())
        except ValueError:
            raise UsageError(f"{part[:40]!r} is no note; write notes=2025-01-27: text; 2025-02-20: text") from None
        if not words.strip():
            raise UsageError(f"The note of {when} has no text; write notes={when}: text")
        found.append(ChartEvent(day=when, kind="note", text=cut(one_line(words), LONGEST_NOTE)))
    if len(found) > MOST_NOTES:
        raise UsageError(f"{len(found)} notes are too many for a chart; give at most {MOST_NOTES}.")
    return tuple(found)


def price_events(prices: Prices) -> Iterator[ChartEvent]:
    """Yield the dividends and splits of the bars."""
    unit = price_unit(prices)
    for paid in prices.dividends:
        yield ChartEvent(day=paid.day, kind="dividend", text=f"Dividend {paid.amount:.4g} {unit}".rstrip())
    for split in prices.splits:
        words = f"{split.ratio:g} for 1" if split.ratio >= 1 else f"1 for {1 / split.ratio:g}"
        yield ChartEvent(day=split.day, kind="split", text=f"Split {words}")


def earnings_events(events: Sequence[EarningsEvent], symbol: str) -> Iterator[ChartEvent]:
    """Yield a company's published results."""
    for event in events:
        if event.symbol != symbol or event.eps is None:
            continue
        period = f" {one_line(event.fiscal_period)}" if event.fiscal_period else ""
        expected = "" if event.eps_estimate is None else f", estimate {event.eps_estimate:.2f}"
        yield ChartEvent(
            day=event.day, kind="earnings", text=f"Results{period}: EPS {event.eps:.2f} {event.currency}{expected}"
        )


def _named(text: str, known: Mapping[str, object], what: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip().lower() for name in text.split(",") if name.strip()))
    for name in names:
        if name not in known:
            raise UsageError(f"{name[:40]!r} is no {what} of a chart; choose from {', '.join(known)}.")
    return names


def _numbers(values: Floats) -> Numbers:
    return tuple(value if np.isfinite(value) else None for value in values.tolist())


def _compared(shown: Prices, others: Mapping[str, Prices]) -> tuple[tuple[ComparedSymbol, ...], date | None]:
    """Return all symbols on the days shown, 100 at the first day on which each has a close; nothing without others."""
    if not others:
        return (), None
    closes = {shown.symbol: shown.adj_close, **{name: _on_days(bars, shown) for name, bars in others.items()}}
    together = np.flatnonzero(np.all([np.isfinite(values) & (values > 0) for values in closes.values()], axis=0))
    if not len(together):
        raise NoData(f"{', '.join(closes)} have no session in common from {shown.days[0]} on; compare other symbols.")
    at = together[0]
    found = []
    for symbol, values in closes.items():
        rebased = np.where(np.arange(len(values)) < at, np.nan, 100 * values / values[at])
        last = rebased[np.isfinite(rebased)][-1]
        found.append(ComparedSymbol(symbol=symbol, values=_numbers(rebased), change_pct=float(last) - 100))
    common: date = shown.days[at].item()
    return tuple(found), common


def _on_days(prices: Prices, shown: Prices) -> Floats:
    """Return the adjusted closes on the days shown; NaN on days without one."""
    values = np.full(len(shown), np.nan)
    at = np.searchsorted(prices.days, shown.days)
    there = at < len(prices.days)
    there[there] = prices.days[at[there]] == shown.days[there]
    values[there] = prices.adj_close[at[there]]
    return values
