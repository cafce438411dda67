"""What a paper account did, session by session: its value next to the benchmark's, orders with reasons, warnings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

from tradingagents.dataflows.cutoff import utc_now
from tradingagents.dataflows.reference.calendar import exchange_of
from tradingagents.features.backtest.decisions.decision_store import decision_path
from tradingagents.features.backtest.ledger import BookLedger, SessionLine
from tradingagents.features.backtest.market import joint_sessions
from tradingagents.features.backtest.paper.observations import ObservedBar, observed_bars
from tradingagents.features.backtest.paper.plan import PaperPlan
from tradingagents.features.backtest.postings import (
    CENTS,
    BarCorrection,
    BarSeen,
    Clamp,
    DecisionTaken,
    ExitFill,
    Interest,
    LateDividend,
    LateSplit,
    MarginCall,
    Order,
    OrderFill,
    OrderRest,
)
from tradingagents.files.atomic import UnreadableFile, read_object

FAILED = "FAILED"
"""Action of a decision whose run ended without any."""


@dataclass(frozen=True, slots=True)
class PaperDay:
    """An account at the close of a session, in its currency."""

    day: date
    equity: float
    benchmark: float | None
    """What the deposit would be worth in the benchmark since the first session; None where it is not known."""


@dataclass(frozen=True, slots=True)
class PaperOrder:
    """An order, why it was given, and what became of it."""

    decided: date
    """The session after whose close it was given."""
    symbol: str
    shares: int
    """Negative for a sale."""
    reason: str
    """The decision with its confidence, and the limits that reduced it; or what forced the order; of an exit `stop`,
    `target` or `both: stop taken`."""
    key: str = ""
    """Of the decision in the decision store; empty without one."""
    traded: date | None = None
    """The session of its fill; None before the next open, and where nothing was filled."""
    filled: int = 0
    price: float | None = None
    """Of the last fill, with spread and impact."""
    commission: float = 0.0
    unfilled: str = ""
    """Why the rest was not filled: `halted`, `volume`, `cash`, `margin`, `delisted`, `closed`, `corrected`,
    `beyond_stop` or `beyond_target`."""


def paper_days(ledger: BookLedger, deposit: float) -> tuple[PaperDay, ...]:
    """Return the value of an account and of its benchmark at each close."""
    levels, found = benchmark_levels(ledger)[1], list[PaperDay]()
    for line in ledger.lines:
        level = levels.get(line.mark.day)
        found.append(PaperDay(line.mark.day, line.mark.equity / CENTS, None if level is None else deposit * level))
    return tuple(found)


def benchmark_levels(ledger: BookLedger) -> tuple[str | None, Mapping[date, float]]:
    """Return the benchmark, and its value at each close: 1 at the first, dividends reinvested on their session."""
    bars = (posting for line in ledger.lines for posting in line.postings if isinstance(posting, BarSeen))
    marked = next((bar.symbol for bar in bars if bar.benchmark), None)
    return marked, {} if marked is None else _grown(observed_bars(ledger)[marked])


def _grown(bars: Mapping[date, ObservedBar]) -> dict[date, float]:
    levels, grown, last = dict[date, float](), 1.0, None
    for number, (day, seen) in enumerate(bars.items()):
        close = seen.bar.close if seen.bar is not None else None if last is None else last / float(seen.ratio)
        if number and last is not None and close is not None:
            grown *= (close + seen.dividend) * float(seen.ratio) / last
        last = close
        if last is not None:
            levels[day] = grown
    return levels


def paper_orders(ledger: BookLedger) -> tuple[PaperOrder, ...]:
    """Return every order of an account, the oldest first; an exit is the order of its own session."""
    found, waiting = list[PaperOrder](), dict[str, int]()
    for line in ledger.lines:
        day = line.mark.day
        for posting in line.postings:
            at = None if not isinstance(posting, Order | OrderFill | OrderRest) else waiting.get(posting.symbol)
            match posting:
                case Order() if at is not None and _is_open(found[at]):  # a split changed it
                    found[at] = replace(found[at], shares=posting.shares)
                case Order():
                    waiting[posting.symbol] = len(found)
                    found.append(_given(line, posting))
                case ExitFill():
                    waiting[posting.symbol] = len(found)  # what the volume left of it is said of it, too
                    exit_order = PaperOrder(day, posting.symbol, posting.shares, posting.words)
                    found.append(_filled(exit_order, day, posting))
                case OrderFill() if at is not None:
                    found[at] = _filled(found[at], day, posting)
                case OrderRest() if at is not None:
                    found[at] = replace(found[at], unfilled=posting.reason)
        waiting = {symbol: at for symbol, at in waiting.items() if found[at].decided == day}
    return tuple(found)


def _is_open(order: PaperOrder) -> bool:
    return order.traded is None and not order.unfilled


def _given(line: SessionLine, order: Order) -> PaperOrder:
    taken = {posting.ticker: posting for posting in line.postings if isinstance(posting, DecisionTaken)}
    own = taken.get(order.symbol)
    clamps = [
        posting for posting in line.postings if isinstance(posting, Clamp) and posting.subject in (order.symbol, "")
    ]
    if any(isinstance(posting, MarginCall) for posting in line.postings):
        why = "margin call"
    elif own is not None:
        why = f"{own.action}, {own.sureness}"
        if own.action != ("BUY" if order.shares > 0 else "SELL"):
            why += "; back to its weight"
    else:
        why = "weights of the other decisions"
    limits = ", ".join(dict.fromkeys(clamp.rule.replace("_", " ") for clamp in clamps))
    reason = f"{why}; limited by {limits}" if limits else why
    return PaperOrder(line.mark.day, order.symbol, order.shares, reason, "" if own is None else own.key)


def _filled(order: PaperOrder, day: date, fill: OrderFill) -> PaperOrder:
    commission = order.commission + fill.commission / CENTS
    return replace(order, traded=day, filled=order.filled + fill.shares, price=fill.price, commission=commission)


def undecided_sessions(ledger: BookLedger, every: int) -> tuple[date, ...]:
    """Return the sessions on which a decision was due and none was taken: nobody ran the account on them."""
    found, last = list[date](), None
    for number, line in enumerate(ledger.lines):
        if any(isinstance(posting, DecisionTaken) for posting in line.postings):
            last = number
        elif last is None or number - last >= every:
            found.append(line.mark.day)
    return tuple(found)


def sessions_since(ledger: BookLedger, plan: PaperPlan, until: date | None) -> int:
    """Return how many sessions have closed since the account was last run, up to a day or, with None, until now."""
    if ledger.last_day is None:
        return 0
    held = {
        posting.symbol
        for posting in ledger.lines[-1].postings
        if isinstance(posting, BarSeen) and not posting.benchmark
    }
    calendar = joint_sessions(exchange_of(symbol) for symbol in plan.tickers or sorted(held) or ("SPY",))
    closed = calendar.last_closed(utc_now())
    return len(calendar.between(ledger.last_day + timedelta(days=1), closed if until is None else min(until, closed)))


def paper_warnings(ledger: BookLedger, plan: PaperPlan, until: date | None = None) -> tuple[str, ...]:
    """Return what a reader of an account must know, one sentence each.

    Args:
        ledger: The account.
        until: The day of the question; None: now.
    """
    return tuple(_warned(ledger, plan, until)) if ledger.lines else ()


def _warned(ledger: BookLedger, plan: PaperPlan, until: date | None) -> Iterator[str]:
    postings = [posting for line in ledger.lines for posting in line.postings]
    if behind := sessions_since(ledger, plan, until):
        yield f"{_times(behind, 'session has', 'sessions have')} closed since {ledger.last_day}; run the account again."
    if missed := undecided_sessions(ledger, plan.every):
        span = str(missed[0]) if len(missed) == 1 else f"{missed[0]} to {missed[-1]}"
        yield (
            f"Nothing was decided on {_times(len(missed), 'session', 'sessions')} ({span}) on which a decision was "
            "due: the account was not run on them."
        )
    failed = [
        (line.mark.day, posting)
        for line in ledger.lines
        for posting in line.postings
        if isinstance(posting, DecisionTaken) and posting.action == FAILED
    ]
    if failed:
        day, last = failed[-1]
        yield (
            f"{_times(len(failed), 'decision', 'decisions')} failed; the last, on {last.ticker} of {day}: {last.reason}"
        )
    late = sum(isinstance(posting, BarCorrection | LateDividend | LateSplit) for posting in postings)
    if late:
        yield f"Data of earlier sessions were corrected {_times(late, 'time', 'times')}; trades of those days stay."
    if calls := sum(isinstance(posting, MarginCall) for posting in postings):
        yield f"{_times(calls, 'margin call', 'margin calls')}: cash did not cover the short positions."
    if idle := _without_interest(ledger):
        yield (
            f"On {_times(idle, 'session', 'sessions')} cash earned nothing: no bill rate of {plan.currency} was known, "
            "or it was too low for a cent."
        )
    if benchmark_levels(ledger)[0] is None:
        named = f" {plan.benchmark}" if plan.benchmark else ""
        yield f"There are no prices of the benchmark{named}, so the account is compared with nothing."


def _without_interest(ledger: BookLedger) -> int:
    """Return on how many sessions cash from which a cent is due at any usual rate earned nothing."""
    return sum(
        before.mark.cash >= _EARNING and not any(isinstance(posting, Interest) for posting in line.postings)
        for before, line in pairwise(ledger.lines)
    )


_EARNING = 1_000 * CENTS
"""Cash in cents on which 0.2 % a year are half a cent a day."""


def _times(count: int, single: str, more: str) -> str:
    return f"{count} {single if count == 1 else more}"


def rationale_of(home: Path, keys: Sequence[str]) -> dict[str, str]:
    """Return the reasons of stored decisions by key; those that are no longer stored, or damaged, are left out."""
    found = dict[str, str]()
    for key in dict.fromkeys(filter(None, keys)):
        try:
            known = read_object(decision_path(home, key), way_out="delete it; the ledger has the decision")
        except UnreadableFile:
            continue
        decision = (known or {}).get("decision")
        if isinstance(decision, dict) and isinstance(decision.get("rationale"), str):
            found[key] = decision["rationale"]
    return found
