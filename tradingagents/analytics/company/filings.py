"""What was filed on a company: the list of its regulatory filings, and what its insiders bought and sold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.market.scanned import figure_name, table
from tradingagents.analytics.text import cut, one_line
from tradingagents.dataflows.models import INSIDER_WINDOW, Filing, InsiderTransaction
from tradingagents.dataflows.reference.metrics import MISSING, Figure
from tradingagents.dataflows.results import Result

FILINGS_SHOWN = 30
"""Maximum number of filings listed."""
HEADER = "| Filed | Accepted (UTC) | Form | Period to | About | Address |"
EVENTS: Mapping[str, str] = {
    "1.01": "material agreement",
    "1.02": "material agreement ended",
    "1.03": "bankruptcy",
    "1.05": "cybersecurity incident",
    "2.01": "acquisition or disposal of assets",
    "2.02": "results of operations",
    "2.03": "new financial obligation",
    "2.05": "exit or disposal costs",
    "2.06": "impairment",
    "3.01": "notice of delisting",
    "3.02": "unregistered sale of equity",
    "4.01": "change of accountant",
    "4.02": "earlier statements not to be relied on",
    "5.01": "change of control",
    "5.02": "directors or officers leave or join",
    "5.03": "bylaws or fiscal year changed",
    "5.07": "shareholders' vote",
    "7.01": "regulation FD disclosure",
    "8.01": "other events",
    "9.01": "exhibits",
}
"""Short descriptions of the items of Form 8-K."""


class FiledDocument(BaseModel):
    """One filing."""

    model_config = ConfigDict(frozen=True)

    form: str
    filed_on: date
    """The official filing day."""
    accepted_at: datetime
    """UTC; the filing is known from this instant."""
    period_end: date | None
    """End of the period it covers; None if the source does not say."""
    title: str
    items: tuple[str, ...]
    """Items of an 8-K, such as 2.02."""
    url: str


class FilingList(Result):
    """Filings of a window of days that were accepted by the cut-off."""

    counts: Mapping[str, int]
    """Number of filings by form, most frequent first; amendments (`10-K/A`) are counted separately."""
    filings: tuple[FiledDocument, ...]
    """Newest first, at most thirty."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Filings: {self.symbol}"

    def figures(self) -> tuple[Figure, ...]:
        """Return the number of filings, in total and by form."""
        each = (Figure(f"form_{figure_name(form)}", count, "filings") for form, count in self.counts.items())
        return (Figure("filings", sum(self.counts.values()), "filings"), *each)

    def body(self) -> str:
        """Return the filings as a table."""
        if not self.filings:
            return f"The source has no filing accepted from {self.start} to {self.end}."
        return table(HEADER, (_cells(filing) for filing in self.filings))


def filing_list(
    filings: Sequence[Filing],
    *,
    as_of: date,
    symbol: str,
    start: date,
    end: date,
    forms: Sequence[str] = (),
    fetched_at: datetime,
    source: str,
) -> FilingList:
    """List the filings of [start, end].

    Args:
        filings: Filings accepted by the day, in any order.
        start: First filing day.
        end: Last filing day.
        forms: Requested forms, in any case, including their amendments; () means all.
        fetched_at: When the vendor delivered them.
    """
    wanted = {form.strip().upper() for form in forms}
    found = sorted(
        (
            filing
            for filing in filings
            if start <= filing.filed_on <= end and (not wanted or filing.form.upper().removesuffix("/A") in wanted)
        ),
        key=lambda filing: (filing.known_at, filing.accession),
        reverse=True,
    )
    counts = Counter(one_line(filing.form) for filing in found)
    return FilingList(
        symbol=symbol,
        as_of=as_of,
        source=source,
        known_at=max((filing.known_at for filing in found), default=None),
        fetched_at=fetched_at,
        start=start,
        end=end,
        rows=len(found),
        notes=(f"The newest {FILINGS_SHOWN} of {len(found)} filings are listed.",)
        if len(found) > FILINGS_SHOWN
        else (),
        counts=dict(sorted(counts.items(), key=lambda count: (-count[1], count[0]))),
        filings=tuple(map(_document, found[:FILINGS_SHOWN])),
    )


def _document(filing: Filing) -> FiledDocument:
    return FiledDocument(
        form=cut(one_line(filing.form), 20),
        filed_on=filing.filed_on,
        accepted_at=filing.known_at,
        period_end=filing.period_end,
        title=cut(one_line(filing.title), 80),
        items=tuple(cut(one_line(item), 10) for item in filing.items),
        url=one_line(filing.url),
    )


def _cells(filing: FiledDocument) -> tuple[str, ...]:
    about = ", ".join(f"{item} {EVENTS[item]}" if item in EVENTS else item for item in filing.items)
    return (
        filing.filed_on.isoformat(),
        f"{filing.accepted_at:%Y-%m-%d %H:%M}",
        filing.form,
        filing.period_end.isoformat() if filing.period_end else MISSING,
        about or filing.title or MISSING,
        filing.url,
    )


Sentiment = Literal["bullish", "bearish", "balanced", "none", "withheld"]
LEAD = 1.5
"""Ratio of the two sides' values above which the larger one sets the sentiment."""
TRADES_SHOWN = 20
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
        days = f"since {self.start}" if self.end == self.as_of else f"from {self.start} to {self.end}"
        if self.sentiment == "none":
            tone = f"Insider sentiment: none, no open-market trade known {days}."
        elif self.sentiment == "withheld":
            tone = f"Insider sentiment: withheld ({self.buys} buys, {self.sells} sells {days})."
        else:
            tone = f"Insider sentiment: {self.sentiment} ({self.buys} buys, {self.sells} sells {days})."
        if not self.trades:
            return tone
        head = "| Date | Insider | Relation | Transaction | Shares | Value |\n|---|---|---|---|---|---|"
        return "\n".join((tone, "", head, *(_trade_row(trade) for trade in self.trades[:TRADES_SHOWN])))


def insider_summary(
    items: Sequence[InsiderTransaction],
    *,
    as_of: date,
    symbol: str,
    currency: str,
    source: str,
    fetched_at: datetime,
    start: date | None = None,
    end: date | None = None,
) -> InsiderSummary:
    """Summarise the insider trades of a span.

    Args:
        items: Transactions reported by the day, in any order; may be empty.
        currency: Currency of the values.
        fetched_at: When the vendor delivered them.
        start: First day, by transaction date; None: six months before the last.
        end: Last day; None or later than `as_of`: that day.
    """
    end = as_of if end is None else min(end, as_of)
    start = end - INSIDER_WINDOW if start is None else min(start, end)
    recent = sorted(
        (item for item in items if start <= item.transaction_date <= end),
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
        end=end,
        rows=len(recent),
        notes=_trade_notes(recent, buys + sells, source),
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


def _trade_notes(
    recent: Sequence[InsiderTransaction], counted: Sequence[InsiderTransaction], source: str
) -> tuple[str, ...]:
    notes = []
    withheld = sum(bool(item.withheld) for item in counted)
    if withheld:
        told = f"{withheld} of {len(counted)} open-market trades as {source} gives them cannot be true"
        notes.append(f"{told}, so no sum over them is given.")
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
    if len(recent) > TRADES_SHOWN:
        notes.append(f"The newest {TRADES_SHOWN} of {len(recent)} transactions are listed.")
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


def _trade_row(trade: Trade) -> str:
    shares, value = Figure("", trade.shares).text, "withheld" if trade.withheld else Figure("", trade.value).text
    return f"| {trade.day} | {trade.insider} | {trade.relation} | {trade.kind} | {shares} | {value} |"
