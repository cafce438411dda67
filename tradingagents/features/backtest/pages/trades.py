"""Trades and decisions of a backtest as CSV: each fill with its reason, each decision with its outcome and its id."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from tradingagents.agents.schemas import Decision
from tradingagents.features.backtest.decisions.decision_store import StoredDecision
from tradingagents.features.backtest.ledger import BookLedger
from tradingagents.features.backtest.postings import CENTS, Delisting, ExitFill, Merger, OrderFill
from tradingagents.features.backtest.statistics.outcomes import Wanted

ID_LENGTH = 12
"""Characters of a decision's key that name it in files and pages."""
TRADES = (
    "day",
    "ticker",
    "side",
    "shares",
    "price",
    "value",
    "commission",
    "slippage",
    "decided",
    "reason",
    "decision",
)
DECISIONS = ("day", "ticker", "action", "confidence", "return_to_next", "decision", "evidence")


@dataclass(frozen=True, slots=True)
class TradeRow:
    """Shares that changed hands. Amounts are in the account's currency."""

    day: date
    ticker: str
    side: str
    """`buy`, `sell`, `delisted` for the end of a position at the last close or at what its holders got, or `merged`."""
    shares: int
    """Positive."""
    price: float
    """Per share, with spread and impact."""
    value: float
    commission: float
    slippage: float
    """What spread and impact cost; part of the price."""
    decided: date | None
    """The close after which the order was given; None for a delisting and an exit."""
    reason: str
    """The action decided on the ticker on that day, or `weights` where those of other tickers moved it; of an exit
    `stop`, `target` or `both: stop taken`, with `at the open` where that lay beyond the level; of a delisting the day
    of its price, the session before: a position ends in the first one without a bar."""
    decision: str
    """Beginning of the decision's key; empty where the ticker was not decided on that day."""

    def cells(self) -> tuple[str, ...]:
        """Return the row of `trades.csv`."""
        amounts = (f"{self.price:.4f}", f"{self.value:.2f}", f"{self.commission:.2f}", f"{self.slippage:.2f}")
        decided = self.decided.isoformat() if self.decided else ""
        start = (self.day.isoformat(), self.ticker, self.side, str(self.shares))
        return (*start, *amounts, decided, self.reason, self.decision)


def trade_rows(ledger: BookLedger, decided: Mapping[Wanted, StoredDecision]) -> Iterator[TradeRow]:
    """Yield the fills of an account in their order, with the decision that each goes back to.

    Args:
        ledger: The account; an order is filled in the session after the one it was given in.
        decided: The decisions, by ticker and day.
    """
    before: date | None = None
    for line in ledger.lines:
        for posting in line.postings:
            if isinstance(posting, ExitFill):
                yield replace(_fill(posting, line.mark.day, None, decided), reason=posting.words)
            elif isinstance(posting, OrderFill):
                yield _fill(posting, line.mark.day, before, decided)
            elif isinstance(posting, Delisting):
                value = posting.value / CENTS
                yield TradeRow(
                    line.mark.day, posting.symbol, "delisted", posting.shares, posting.price, value, 0.0, 0.0, None,
                    f"delisted; last price of {before}", "",
                )  # fmt: skip
            elif isinstance(posting, Merger):
                value, cash = (posting.value + posting.cash) / CENTS, posting.cash / CENTS
                why = f"merged; {posting.received} shares of {posting.into} and {cash:.2f} in cash"
                each = value / posting.shares
                yield TradeRow(
                    line.mark.day, posting.symbol, "merged", posting.shares, each, value, 0.0, 0.0, None, why, ""
                )  # fmt: skip
        before = line.mark.day


def trades_csv(rows: Iterable[TradeRow]) -> str:
    """Return `trades.csv`."""
    return csv_text(TRADES, (row.cells() for row in rows))


def decisions_csv(decided: Mapping[Wanted, StoredDecision], known: Mapping[Wanted, float]) -> str:
    """Return `decisions.csv`: every decision, the return to the next one, and what it can be found and checked by."""
    rows = []
    for (ticker, day), stored in sorted(decided.items(), key=lambda item: (item[0][1], item[0][0])):
        change = f"{known[ticker, day]:.6f}" if (ticker, day) in known else ""
        made: Decision = stored.decision
        start = (day.isoformat(), ticker, made.action, f"{made.confidence:g}", change)
        rows.append((*start, stored.key, stored.content))
    return csv_text(DECISIONS, rows)


def decision_id(stored: StoredDecision) -> str:
    """Return the short name of a decision."""
    return stored.key[:ID_LENGTH]


def _fill(posting: OrderFill, day: date, before: date | None, decided: Mapping[Wanted, StoredDecision]) -> TradeRow:
    stored = decided.get((posting.symbol, before)) if before else None
    action = stored.decision.action if stored else ""
    return TradeRow(
        day=day,
        ticker=posting.symbol,
        side="buy" if posting.shares > 0 else "sell",
        shares=abs(posting.shares),
        price=posting.price,
        value=posting.value / CENTS,
        commission=posting.commission / CENTS,
        slippage=posting.slippage / CENTS,
        decided=before,
        reason=action if action in ("BUY", "SELL") else "weights",
        decision=decision_id(stored) if stored else "",
    )


def csv_text(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return rows below their heads as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()
