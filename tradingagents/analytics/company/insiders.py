"""Insider purchases and sales of a company. Only open-market trades count, not grants, gifts or exercises."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Literal

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.text import cut, one_line
from tradingagents.dataflows.models import InsiderTransaction
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result

Sentiment = Literal["bullish", "bearish", "balanced", "none", "withheld"]
LEAD = 1.5
"""Ratio of the two sides' values above which the larger one sets the sentiment."""
SHOWN = 20
"""Maximum number of transactions listed."""


class Trade(BaseModel):
    """One reported transaction."""

    model_config = ConfigDict(frozen=True)

    day: date
    insider: str
    relation: str
    kind: Literal["buy", "sell", "grant", "gift", "exercise", "other"]
    shares: float
    value: float | None
    """In `currency`; None if the source gives none, or the gate withholds it."""
    withheld: bool = False


class InsiderSummary(Result):
    """Insider transactions of the last months, as reported by the day."""

    buys: int
    """Number of open-market purchases; `sells` counts the sales."""
    sells: int
    buy_value: float | None
    """In `currency`, over the purchases with a known value; None if no value is known, or one is withheld."""
    sell_value: float | None
    net_value: float | None
    """Purchases minus sales; None if either is None."""
    net_shares: float | None
    """None if a trade is withheld."""
    sentiment: Sentiment
    """The side with more than 1.5 times the other's value; by shares if a value is unknown; `none` without trades;
    `withheld` if one of them cannot be true."""
    trades: tuple[Trade, ...]
    """All kinds, newest first."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Insider transactions: {self.symbol}"

    def figures(self) -> tuple[Figure, ...]:
        """Return counts and values of the open-market trades."""
        money = self.currency or ""
        return (
            Figure("buys", self.buys),
            Figure("sells", self.sells),
            Figure("buy_value", self.buy_value, money),
            Figure("sell_value", self.sell_value, money),
            Figure("net_value", self.net_value, money),
            Figure("net_shares", self.net_shares, "shares"),
        )

    def body(self) -> str:
        """Return the sentiment, and the transactions as a table."""
        if self.sentiment == "none":
            tone = f"Insider sentiment: none, no open-market trade known since {self.start}."
        elif self.sentiment == "withheld":
            tone = f"Insider sentiment: withheld ({self.buys} buys, {self.sells} sells since {self.start})."
        else:
            tone = f"Insider sentiment: {self.sentiment} ({self.buys} buys, {self.sells} sells since {self.start})."
        if not self.trades:
            return tone
        head = "| Date | Insider | Relation | Transaction | Shares | Value |\n|---|---|---|---|---|---|"
        return "\n".join((tone, "", head, *(_row(trade) for trade in self.trades[:SHOWN])))


def insider_summary(
    items: Sequence[InsiderTransaction],
    *,
    as_of: date,
    symbol: str,
    currency: str,
    source: str,
    fetched_at: datetime,
    since_days: int = 180,
) -> InsiderSummary:
    """Summarise the insider trades of the last days.

    Args:
        items: Transactions reported by the day, in any order; may be empty.
        currency: Currency of the values.
        fetched_at: When the vendor delivered them.
        since_days: Number of calendar days, by transaction date.
    """
    start = as_of - timedelta(days=since_days)
    recent = sorted(
        (item for item in items if start <= item.transaction_date <= as_of),
        key=lambda item: (item.transaction_date, item.known_at, item.insider),
        reverse=True,
    )
    buys = [item for item in recent if item.kind == "buy"]
    sells = [item for item in recent if item.kind == "sell"]
    doubted = any(item.withheld for item in (*buys, *sells))
    bought, sold = (None, None) if doubted else (_value(buys), _value(sells))
    return InsiderSummary(
        symbol=symbol,
        as_of=as_of,
        source=source,
        currency=currency,
        known_at=max((item.known_at for item in recent), default=None),
        fetched_at=fetched_at,
        start=start,
        end=as_of,
        rows=len(recent),
        notes=_notes(recent, buys + sells),
        buys=len(buys),
        sells=len(sells),
        buy_value=bought,
        sell_value=sold,
        net_value=None if bought is None or sold is None else bought - sold,
        net_shares=None if doubted else _shares(buys) - _shares(sells),
        sentiment="withheld" if doubted else _sentiment(buys, sells),
        trades=tuple(_trade(item) for item in recent),
    )


def _value(trades: Sequence[InsiderTransaction]) -> float | None:
    """Return the sum of the known values: 0 without trades, None if no value is known."""
    known = [abs(trade.value) for trade in trades if trade.value is not None]
    return sum(known) if known or not trades else None


def _shares(trades: Sequence[InsiderTransaction]) -> float:
    return sum(abs(trade.shares) for trade in trades)


def _sentiment(buys: Sequence[InsiderTransaction], sells: Sequence[InsiderTransaction]) -> Sentiment:
    if not buys and not sells:
        return "none"
    valued = all(trade.value is not None for trade in (*buys, *sells))
    bought, sold = (_value(buys) or 0.0, _value(sells) or 0.0) if valued else (_shares(buys), _shares(sells))
    return "bullish" if bought > LEAD * sold else "bearish" if sold > LEAD * bought else "balanced"


def _notes(recent: Sequence[InsiderTransaction], counted: Sequence[InsiderTransaction]) -> tuple[str, ...]:
    notes = []
    withheld = sum(bool(item.withheld) for item in counted)
    if withheld:
        notes.append(f"{withheld} of {len(counted)} open-market trades cannot be true, so no sum over them is given.")
    unvalued = sum(item.value is None and not item.withheld for item in counted)
    if unvalued:
        notes.append(f"{unvalued} of {len(counted)} open-market trades have no value; the tone goes by shares.")
    if len(recent) > len(counted):
        notes.append(f"{len(recent) - len(counted)} grants, gifts, exercises and the like are listed, not counted.")
    if any(item.share_factor != 1 for item in recent):
        notes.append("Shares traded before a split are counted in shares after it.")
    if any(item.known_by == "fetched" for item in recent):
        notes.append("The newest trades have no filing date yet: they are known because the source serves them.")
    if any(item.known_by == "assumed" for item in recent):
        notes.append("Filing dates are assumed: the second session after the trade, the legal limit in the US.")
    if len(recent) > SHOWN:
        notes.append(f"The newest {SHOWN} of {len(recent)} transactions are listed.")
    return tuple(notes)


def _trade(item: InsiderTransaction) -> Trade:
    return Trade(
        day=item.transaction_date,
        insider=cut(one_line(item.insider), 60),
        relation=cut(one_line(item.relation), 60),
        kind=item.kind,
        shares=abs(item.shares),
        value=None if item.value is None else abs(item.value),
        withheld=bool(item.withheld),
    )


def _row(trade: Trade) -> str:
    shares, value = Figure("", trade.shares).text, "withheld" if trade.withheld else Figure("", trade.value).text
    return f"| {trade.day} | {trade.insider} | {trade.relation} | {trade.kind} | {shares} | {value} |"
