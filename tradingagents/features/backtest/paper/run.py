"""Takes a paper account through the sessions that have closed since it was last run.

Each session is traded and marked with the data of its day, then decided on if a decision is due. It is written to the
ledger whole or not at all, so a killed run continues, and a second run on a day finds nothing to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from tradingagents.dataflows.cutoff import parse_day, utc_now
from tradingagents.dataflows.reference.calendar import Sessions
from tradingagents.errors import BadDate, Interrupted, ModelFailure, UsageError
from tradingagents.features.backtest.advance import AccountRules, Targets, advance
from tradingagents.features.backtest.decisions.decide import DecisionSet, Tell, decide
from tradingagents.features.backtest.exits import PlannedLevels, check_exits, planned_levels
from tradingagents.features.backtest.ledger import BookLedger, SessionMark
from tradingagents.features.backtest.market import read_sectors
from tradingagents.features.backtest.paper.account import PaperAccount
from tradingagents.features.backtest.paper.journal import FAILED
from tradingagents.features.backtest.paper.observations import session_notes
from tradingagents.features.backtest.paper.plan import PaperPlan
from tradingagents.features.backtest.paper.prices import PaperMarket
from tradingagents.features.backtest.postings import DecisionTaken
from tradingagents.features.backtest.score import by_day
from tradingagents.features.backtest.strategies import decision_targets
from tradingagents.files.plain_text import bounded
from tradingagents.runtime.runs.watch_list import WatchList
from tradingagents.runtime.services import Services


@dataclass(frozen=True, slots=True)
class PaperRun:
    """What a run of a paper account did."""

    name: str
    until: date
    """The session asked for."""
    sessions: tuple[SessionMark, ...]
    """Those that were added; none where the account was there already."""
    decided: int
    """Decisions taken, those that were stored before included."""
    undecided: tuple[date, ...]
    """Missed sessions on which a decision was due and none was made."""

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "until": self.until.isoformat(),
            "sessions_added": [mark.day.isoformat() for mark in self.sessions],
            "decided": self.decided,
            "not_decided": [day.isoformat() for day in self.undecided],
        }


async def run_paper(
    services: Services,
    name: str = "main",
    day: str | date | None = None,
    *,
    decide_missed: bool = False,
    tell: Tell = lambda _done, _all: None,
) -> PaperRun:
    """Take a paper account through every session up to a day, and decide after the close of that day.

    Sessions that were missed are caught up one by one with the data of each. On them nothing is decided, since nobody
    did at the time, unless `decide_missed`. The next decision is then due after the last session.

    Args:
        name: The account.
        day: The clock, for recorded or simulated data; None: the last session that has closed.
        decide_missed: Decide on missed sessions, too, each with what was known after its close.
        tell: Called after every decision.

    Raises:
        UsageError: There is no such account or no ticker, the day lies in the future, or the account has traded on
            another market, such as the simulated one.
        PaperAccountBusy: Another process is running the account.
        BookMismatch, UnreadableFile: The account's files do not agree; nothing is traded.
        DataError: There are no prices of a session yet; nothing is recorded.
        ModelFailure: No decision could be made on a session; it is not recorded and tried again by the next run.
        BudgetReached, Interrupted: Sessions and decisions so far are stored; the next run continues.
    """
    account = PaperAccount(services.settings.home_dir, name)
    with account.held():
        ledger = account.open_ledger()
        account.stay_on_market(services.cohort.market, ledger)
        tickers = _tickers(account, ledger)
        market = PaperMarket(services, account.plan, ledger, tickers)
        until = _clock(market.calendar, day)
        wanted = _missing(ledger, market.calendar, until)
        market.read(wanted)
        traded = {symbol: history for symbol, history in market.prices.items() if symbol in tickers}
        check_exits(account.plan.exits, traded, market.foreign, services.settings.decide_at)
        for session in wanted:
            market.check(session)
        marks, decided, undecided = list[SessionMark](), 0, list[date]()
        for session in wanted:
            if services.cancellation.requested:
                raise Interrupted(f"Interrupted; the account is recorded up to {ledger.last_day}. Run it again.")
            due = _is_due(ledger, account.plan.every)
            decides = due and (session == until or decide_missed)
            if due and not decides:
                undecided.append(session)
            taken = await _decided(services, market, tickers, session, tell) if decides else None
            decided += len(taken.found) if taken is not None else 0
            marks.append(_session(services, account.plan, ledger, market, session, taken))
            account.write_book(ledger)
    return PaperRun(name, until, tuple(marks), decided, tuple(undecided))


def _tickers(account: PaperAccount, ledger: BookLedger) -> tuple[str, ...]:
    """Return what is decided on: the plan's tickers or the watch list, and what is still held or ordered."""
    named = account.plan.tickers or WatchList(account.home).tickers
    left = sorted({*ledger.book.lots, *ledger.book.orders} - {*named})
    if not named and not left:
        raise UsageError("The watch list is empty; add tickers with `tradingagents watch add AAPL`.")
    return (*named, *left)


def _clock(calendar: Sessions, day: str | date | None) -> date:
    """Return the last closed session on or before a day."""
    now = utc_now()
    closed = calendar.last_closed(now)
    if day is None:
        return closed
    wanted = parse_day(day)
    if wanted > now.date():
        raise BadDate(f"{wanted} is in the future; name a past day or today.")
    return min(closed, calendar.on_or_before(wanted))


def _missing(ledger: BookLedger, calendar: Sessions, until: date) -> tuple[date, ...]:
    """Return the sessions to go through; a new account begins on the day it is first run for."""
    return (until,) if ledger.last_day is None else calendar.between(ledger.last_day + timedelta(days=1), until)


def _is_due(ledger: BookLedger, every: int) -> bool:
    """Tell whether the session after the ledger's last is one to decide on."""
    decided = [
        n for n, line in enumerate(ledger.lines) if any(isinstance(posting, DecisionTaken) for posting in line.postings)
    ]
    return not decided or len(ledger.lines) - decided[-1] >= every


async def _decided(
    services: Services, market: PaperMarket, tickers: Sequence[str], session: date, tell: Tell
) -> DecisionSet:
    """Decide on the tickers that traded on a session."""
    traded = [ticker for ticker in tickers if market.traded(ticker, session)]
    found = await decide(services, traded, [session], tell=tell)
    if traded and not found.found:
        why = next(iter(found.missing.values()))
        raise ModelFailure(
            f"No decision could be made on {session} ({why.rstrip('.')}); it is not recorded; the next run tries again."
        )
    return found


def _session(
    services: Services,
    plan: PaperPlan,
    ledger: BookLedger,
    market: PaperMarket,
    session: date,
    taken: DecisionSet | None,
) -> SessionMark:
    """Advance the account through a session."""
    table = market.table(session)
    sectors, charges = dict[str, str | None](), dict[date, float]()

    def leave(_day: date, _held: object) -> None:
        return None

    targets: Targets = leave
    levels: PlannedLevels | None = None
    if taken is not None:
        made = by_day({case: stored.decision for case, stored in taken.found.items()})
        levels = planned_levels(made, shorts=plan.shorts is not None) if plan.exits == "plan" else None
        targets = decision_targets(made, plan.scheme, plan.limits, table, plan.shorts)
        sectors = read_sectors(services, session, tuple({*(ticker for ticker, _ in taken.found), *ledger.book.lots}))
        charges = {session: market.cost(sum(decision.cost_usd or 0.0 for decision in taken.found.values()), session)}
    rules = AccountRules(
        *(plan.deposit, plan.costs, plan.limits, sectors),
        charges=charges,
        shorts=plan.shorts,
        foreign=market.foreign,
        bills=market.bills,
        levels=levels,
    )
    notes = [*session_notes(ledger, table, session, market.benchmark, market.foreign), *_taken(taken)]
    return advance(ledger, table, session, rules, targets, notes=notes)


def _taken(decisions: DecisionSet | None) -> list[DecisionTaken]:
    """Return the decisions as the ledger records them."""
    if decisions is None:
        return []
    made = [
        DecisionTaken(
            ticker,
            stored.decision.action,
            stored.decision.confidence,
            stored.key,
            stored.llm_calls,
            stored.cost_usd,
            strength=stored.decision.strength,
        )
        for (ticker, _), stored in decisions.found.items()
    ]
    failed = [
        DecisionTaken(ticker, FAILED, 0.0, "", 0, None, bounded(why)) for (ticker, _), why in decisions.missing.items()
    ]
    return sorted([*made, *failed], key=lambda decision: decision.ticker)
