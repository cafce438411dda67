"""Where a paper account stands, from its ledger alone: no vendor and no model is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from tradingagents.errors import UsageError
from tradingagents.features.backtest.book import BookMismatch
from tradingagents.features.backtest.capabilities.paper import PaperAccountSummary
from tradingagents.features.backtest.decisions.decision_store import decision_path
from tradingagents.features.backtest.ledger import BookLedger, SessionLine
from tradingagents.features.backtest.paper.account import BOOK, FOLDER, LEDGER, PLAN, PaperAccount, paper_accounts
from tradingagents.features.backtest.paper.journal import FAILED, benchmark_levels, paper_warnings
from tradingagents.features.backtest.paper.plan import PaperPlan
from tradingagents.features.backtest.postings import (
    CENTS,
    BarCorrection,
    Clamp,
    DecisionTaken,
    LateDividend,
    LateSplit,
    MarginCall,
    OrderFill,
    OrderRest,
)
from tradingagents.files.atomic import UnreadableFile, read_object
from tradingagents.files.summary_index import SummaryIndex
from tradingagents.schemas.portfolio import Portfolio, Position


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
    """Commissions, spread and impact, borrow fees, models; and dividends, interest on cash and realised profit, which
    are no costs."""
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
    warnings: tuple[str, ...]
    """What a reader must know: sessions without a run or a decision, failures, corrections."""
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
    fills: int
    """Fills that were worked out again from the broker's rules and the bars that the ledger has."""
    head: str


def paper_status(home: Path, name: str = "main", until: date | None = None) -> PaperStatus:
    """Return where an account stands.

    Args:
        name: The account.
        until: The day it is, from which warnings count; None: now.

    Raises:
        NotFound: There is no such account.
        BookMismatch, UnreadableFile: Its files do not agree.
    """
    account = PaperAccount(home, name)
    return status_of(account.plan, account.read_ledger(), until)


def status_of(plan: PaperPlan, ledger: BookLedger, until: date | None = None) -> PaperStatus:
    """Return where an account stands by its ledger.

    Args:
        ledger: The account, up to the day of the question.
        until: That day, from which warnings count; None: now.
    """
    book, lines = ledger.book, ledger.lines
    postings = [posting for line in lines for posting in line.postings]
    equity = lines[-1].mark.equity / CENTS if lines else plan.deposit
    taken = [posting for posting in postings if isinstance(posting, DecisionTaken)]
    decided = [line for line in lines if any(isinstance(posting, DecisionTaken) for posting in line.postings)]
    benchmark, levels = benchmark_levels(ledger)
    return PaperStatus(
        plan=plan,
        first_session=lines[0].mark.day if lines else None,
        last_session=ledger.last_day,
        sessions=len(lines),
        equity=equity,
        cash=book.cash / CENTS if lines else plan.deposit,
        total_return=equity / plan.deposit - 1,
        benchmark=benchmark,
        benchmark_return=_growth(ledger.last_day, levels),
        positions=_positions(ledger),
        orders=dict(sorted(book.orders.items())),
        costs={name: value / CENTS for name, value in book.to_json().items() if name in _COSTS},
        last_decisions=_decisions(decided[-1]) if decided else (),
        last_decided=decided[-1].mark.day if decided else None,
        decisions=_counted([decision.action for decision in taken]),
        cost_usd=sum(decision.cost_usd or 0.0 for decision in taken),
        cost_unknown=sum(decision.cost_usd is None and decision.action != FAILED for decision in taken),
        unfilled=_counted([posting.reason for posting in postings if isinstance(posting, OrderRest)]),
        clamps=sum(isinstance(posting, Clamp) for posting in postings),
        margin_calls=sum(isinstance(posting, MarginCall) for posting in postings),
        corrections=sum(isinstance(posting, BarCorrection | LateDividend | LateSplit) for posting in postings),
        warnings=paper_warnings(ledger, plan, until),
        head=ledger.head,
    )


_COSTS = ("commissions", "slippage", "borrow_fees", "charges", "dividends", "interest", "realised")


def verify_paper(home: Path, name: str = "main") -> PaperVerification:
    """Check an account: each line's hash, the book that its postings give, `book.json`, fills, and stored decisions.

    Fills, splits, dividends, marks and costs are worked out again by the auditor's code, from the recorded bars.

    Raises:
        NotFound: There is no such account.
        BookMismatch, UnreadableFile: Something does not agree; the message says what.
    """
    from tradingagents.features.backtest.audit.findings import KINDS  # with pandas, which status does not need
    from tradingagents.features.backtest.audit.paper_check import check_paper, read_paper

    account = PaperAccount(home, name)
    ledger = account.read_ledger()
    stored = missing = 0
    for line in ledger.lines:
        for decision in _decisions(line):
            if not decision.key:
                continue
            path = decision_path(home, decision.key)
            known = read_object(path, way_out="delete it; the ledger has the decision")
            if known is None:
                missing += 1
                continue
            _compare(known, decision, line.mark.day, path)
            stored += 1
    if faults := check_paper(read_paper(account.folder)):
        first = faults[0]
        raise BookMismatch(
            f"{account.folder / first.where}: {first.symbol_and_day}{KINDS[first.kind]} Expected: {first.expected}; "
            f"found: {first.found}. {len(faults) - 1} more."
        )
    fills = sum(isinstance(posting, OrderFill) for line in ledger.lines for posting in line.postings)
    return PaperVerification(name, len(ledger.lines), stored, missing, fills, ledger.head)


def _compare(known: dict[str, Any], posted: DecisionTaken, day: date, path: Path) -> None:
    decision = known.get("decision") or {}
    stored = (known.get("ticker"), known.get("day"), decision.get("action"), decision.get("confidence"))
    if stored != (posted.ticker, day.isoformat(), posted.action, posted.confidence):
        raise BookMismatch(
            f"{path} is not the decision on {posted.ticker} of {day} that the ledger has: {posted.action}."
        )


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
    return tuple(posting for posting in line.postings if isinstance(posting, DecisionTaken))


def _growth(day: date | None, levels: Mapping[date, float]) -> float | None:
    """Return the benchmark's total return up to a session; None where it has no price by then."""
    return None if day is None or day not in levels else levels[day] - 1


def _counted(names: Sequence[str]) -> dict[str, int]:
    return {name: names.count(name) for name in sorted(set(names))}


INDEX = "index.json"


def paper_portfolio(home: Path, name: str) -> Portfolio:
    """Return what a paper account holds after its last session.

    Raises:
        NotFound: There is no such account.
        UsageError: It has not been run yet.
        BookMismatch, UnreadableFile: Its files do not agree.
    """
    status = paper_status(home, name)
    if status.last_session is None:
        raise UsageError(f"The paper account {name} has not been run yet; it holds nothing on any day.")
    currency = status.plan.currency
    return Portfolio(
        positions=tuple(
            Position(
                symbol=held.symbol,
                quantity=held.shares,
                average_price=held.cost / held.shares,
                currency=currency,
                account=name,
            )
            for held in status.positions
        ),
        cash={currency: status.cash},
        day=status.last_session,
    )


def list_paper_accounts(home: Path, until: date | None = None) -> tuple[PaperAccountSummary, ...]:
    """Return the accounts of a home folder by name; one whose files do not agree has the error.

    Args:
        until: Day of the question: accounts are shown as they stood then, and later ones are left out; None: as they
            stand.
    """
    index = SummaryIndex(home, home / FOLDER / INDEX, PaperAccountSummary)
    found = list[PaperAccountSummary]()
    for name in paper_accounts(home):
        files = [home / FOLDER / name / file for file in (PLAN, LEDGER, BOOK)]
        try:
            summary = index.get(name, files, partial(_summary, home, name))
            if summary is not None and until is not None and summary.last_session and summary.last_session > until:
                began = summary.first_session is not None and summary.first_session <= until
                summary = _summary(home, name, until) if began else None
        except (UnreadableFile, BookMismatch) as error:
            summary = PaperAccountSummary(account=name, tickers=(), error=str(error))
        if summary is not None:
            found.append(summary)
    index.save()
    return tuple(found)


def _summary(home: Path, name: str, until: date | None = None) -> PaperAccountSummary:
    account = PaperAccount(home, name)
    ledger = account.read_ledger()
    return in_short(status_of(account.plan, ledger if until is None else ledger.upto(until)))


def in_short(status: PaperStatus) -> PaperAccountSummary:
    """Return an account in short."""
    return PaperAccountSummary(
        account=status.plan.name,
        tickers=status.plan.tickers,
        currency=status.plan.currency,
        first_session=status.first_session,
        last_session=status.last_session,
        sessions=status.sessions,
        equity=status.equity,
        total_return=status.total_return,
        benchmark=status.benchmark,
        benchmark_return=status.benchmark_return,
        positions=len(status.positions),
        orders=len(status.orders),
    )
