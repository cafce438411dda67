"""Where a paper account stands, from its ledger alone: no vendor and no model is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

from tradingagents.backtest.book import BookMismatch
from tradingagents.backtest.decision_store import decision_path
from tradingagents.backtest.ledger import BookLedger, SessionLine
from tradingagents.backtest.paper.account import PaperAccount
from tradingagents.backtest.paper.observations import ObservedBar, observed_bars
from tradingagents.backtest.paper.plan import PaperPlan
from tradingagents.backtest.paper.run import FAILED
from tradingagents.backtest.postings import (
    CENTS,
    BarCorrection,
    BarSeen,
    Clamp,
    DecisionTaken,
    LateDividend,
    LateSplit,
    MarginCall,
    OrderRest,
    Posting,
)
from tradingagents.store.atomic import read_object


@dataclass(frozen=True, slots=True)
class PaperPosition:
    """Shares that a paper account holds. Money in the account's currency."""

    symbol: str
    shares: int
    """Negative for a short position."""
    price: float
    """The last close known."""
    value: float
    weight: float | None
    """Of the account; None where it is worth nothing."""
    cost: float
    """Paid for them without commissions; negative for what a short sale brought."""
    unrealised: float


@dataclass(frozen=True, slots=True)
class PaperStatus:
    """Where a paper account stands after its last session. Money in the account's currency, shares of the day."""

    plan: PaperPlan
    first_session: date | None
    """None before the account is first run; then all sums are those of a new account."""
    last_session: date | None
    sessions: int
    equity: float
    cash: float
    total_return: float
    """Since the start, after all costs."""
    benchmark: str | None
    """What it is compared with; None where there were no prices of it."""
    benchmark_return: float | None
    """Its total return from the close of the first session to that of the last, without costs; None where not known."""
    positions: tuple[PaperPosition, ...]
    orders: dict[str, int]
    """Shares to trade at the next open; negative for sales."""
    costs: dict[str, float]
    """Commissions, spread and impact, borrow fees, models; and dividends and realised profit, which are no costs."""
    last_decisions: tuple[DecisionTaken, ...]
    """Those of the last session that was decided on."""
    last_decided: date | None
    decisions: dict[str, int]
    """All decisions by action; `FAILED` where there was none."""
    cost_usd: float
    """Of all decisions whose cost is known, whoever paid for them."""
    cost_unknown: int
    """Decisions of models without a known price."""
    unfilled: dict[str, int]
    """Orders that were not filled, or not whole, by reason."""
    clamps: int
    margin_calls: int
    corrections: int
    """Late or revised bars, dividends and splits."""
    head: str
    """Hash of the ledger's last line, which stands for the whole ledger."""

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        days = {name: day.isoformat() if (day := getattr(self, name)) else None for name in _DAYS}
        return {"kind": "paper", **asdict(self), **days, "plan": self.plan.to_json()}


_DAYS = ("first_session", "last_session", "last_decided")


@dataclass(frozen=True, slots=True)
class PaperVerification:
    """What was compared in an account whose files agree; where they do not, an error says so."""

    name: str
    sessions: int
    decisions: int
    """Decisions that the decision store holds as the ledger has them."""
    not_stored: int
    """Decisions that the store no longer holds."""
    head: str


def paper_status(home: Path, name: str = "main") -> PaperStatus:
    """Return where an account stands.

    Args:
        home: The home folder.
        name: The account.

    Raises:
        NotFound: There is no such account.
        BookMismatch, UnreadableFile: Its files do not agree.
    """
    account = PaperAccount(home, name)
    ledger = account.read_ledger()
    plan, book, lines = account.plan, ledger.book, ledger.lines
    postings = [one for line in lines for one in line.postings]
    equity = lines[-1].mark.equity / CENTS if lines else plan.deposit
    taken = [one for one in postings if isinstance(one, DecisionTaken)]
    decided = [line for line in lines if any(isinstance(one, DecisionTaken) for one in line.postings)]
    benchmark, growth = _benchmark(ledger, postings)
    return PaperStatus(
        plan=plan,
        first_session=lines[0].mark.day if lines else None,
        last_session=ledger.last_day,
        sessions=len(lines),
        equity=equity,
        cash=book.cash / CENTS if lines else plan.deposit,
        total_return=equity / plan.deposit - 1,
        benchmark=benchmark,
        benchmark_return=growth,
        positions=_positions(ledger),
        orders=dict(sorted(book.orders.items())),
        costs={name: value / CENTS for name, value in book.to_json().items() if name in _COSTS},
        last_decisions=_decisions(decided[-1]) if decided else (),
        last_decided=decided[-1].mark.day if decided else None,
        decisions=_counted([one.action for one in taken]),
        cost_usd=sum(one.cost_usd or 0.0 for one in taken),
        cost_unknown=sum(one.cost_usd is None and one.action != FAILED for one in taken),
        unfilled=_counted([one.reason for one in postings if isinstance(one, OrderRest)]),
        clamps=sum(isinstance(one, Clamp) for one in postings),
        margin_calls=sum(isinstance(one, MarginCall) for one in postings),
        corrections=sum(isinstance(one, BarCorrection | LateDividend | LateSplit) for one in postings),
        head=ledger.head,
    )


_COSTS = ("commissions", "slippage", "borrow_fees", "charges", "dividends", "realised")


def verify_paper(home: Path, name: str = "main") -> PaperVerification:
    """Check an account: each line's hash, the book that its postings give, `book.json`, and the stored decisions.

    Raises:
        NotFound: There is no such account.
        BookMismatch, UnreadableFile: Something does not agree; the message says what.
    """
    ledger = PaperAccount(home, name).read_ledger()
    stored = missing = 0
    for line in ledger.lines:
        for one in _decisions(line):
            if not one.key:
                continue
            path = decision_path(home, one.key)
            known = read_object(path, way_out="delete it; the ledger has the decision")
            if known is None:
                missing += 1
                continue
            _compare(known, one, line.mark.day, path)
            stored += 1
    return PaperVerification(name, len(ledger.lines), stored, missing, ledger.head)


def _compare(known: dict[str, Any], one: DecisionTaken, day: date, path: Path) -> None:
    decision = known.get("decision") or {}
    told = (known.get("ticker"), known.get("day"), decision.get("action"), decision.get("confidence"))
    if told != (one.ticker, day.isoformat(), one.action, one.confidence):
        raise BookMismatch(f"{path} is not the decision on {one.ticker} of {day} that the ledger has: {one.action}.")


def _positions(ledger: BookLedger) -> tuple[PaperPosition, ...]:
    if not ledger.lines:
        return ()
    mark, found = ledger.lines[-1].mark, list[PaperPosition]()
    for symbol, lots in sorted(ledger.book.lots.items()):
        shares, cost = sum(lot.shares for lot in lots), sum(lot.cost for lot in lots) / CENTS
        price = mark.prices[symbol]
        value = round(shares * price, 2)
        weight = value * CENTS / mark.equity if mark.equity > 0 else None
        found.append(PaperPosition(symbol, shares, price, value, weight, cost, round(value - cost, 2)))
    return tuple(found)


def _decisions(line: SessionLine) -> tuple[DecisionTaken, ...]:
    return tuple(one for one in line.postings if isinstance(one, DecisionTaken))


def _benchmark(ledger: BookLedger, postings: Sequence[Posting]) -> tuple[str | None, float | None]:
    """Return the benchmark and its total return."""
    marked = next((one.symbol for one in postings if isinstance(one, BarSeen) and one.benchmark), None)
    return marked, None if marked is None else _growth(list(observed_bars(ledger)[marked].values()))


def _growth(bars: Sequence[ObservedBar]) -> float | None:
    """Return the total return over sessions, dividends reinvested at the close of their session."""
    grown, last = 1.0, bars[0].bar[3] if bars[0].bar is not None else None
    for one in bars[1:]:
        close = one.bar[3] if one.bar is not None else None if last is None else last / float(one.ratio)
        if last is not None and close is not None:
            grown *= (close + one.dividend) * float(one.ratio) / last
        last = close
    return grown - 1 if last is not None else None


def _counted(names: Sequence[str]) -> dict[str, int]:
    return {name: names.count(name) for name in sorted(set(names))}
