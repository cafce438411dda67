"""Stops and targets of decisions as resting orders of an account (`exits` of a request), off by default.

`planned_levels` reads them off decisions, `session_exits` closes what a session's bar takes to them, `beyond_levels`
says that an order's plan is void at the open. Only the bar of the session itself is read.

A resting order waits from the open after its decision on, over the position as a whole. Dividends do not move it, as in
`settle`; a split does. Of a bar only open, high, low and close are known, not their order: where both levels are
reached, the stop counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Literal

from tradingagents.agents.schemas import Decision
from tradingagents.dataflows.cutoff import AT_CLOSE, AT_OPEN
from tradingagents.errors import UsageError
from tradingagents.features.backtest.broker import TradingCosts, execute
from tradingagents.features.backtest.postings import ExitFill, ExitLevels, ExitReason, OrderFill, OrderRest, Posting

if TYPE_CHECKING:
    from tradingagents.dataflows.models import Prices
    from tradingagents.features.backtest.book import Book
    from tradingagents.features.backtest.traded_prices import SessionBar, TradedPrices

ExitRule = Literal["none", "plan"]
"""What closes positions between decisions: nothing, or the stop and the target of the decision's plan."""
PlannedLevels = Mapping[date, Mapping[str, ExitLevels]]
"""Levels by the day of their decision and by symbol."""
BEYOND_STOP, BEYOND_TARGET = "beyond_stop", "beyond_target"
"""Why an order that would open or enlarge a position was withdrawn at the open."""


@dataclass(frozen=True, slots=True)
class ExitPoint:
    """Where a session's bar closes a position."""

    reason: ExitReason
    price: float
    """Without spread and impact: the level, or the open where that lies beyond it."""
    gap: bool
    """Whether the session opened beyond the level."""


def planned_levels(
    decisions: Mapping[date, Mapping[str, Decision]], *, shorts: bool
) -> dict[date, dict[str, ExitLevels]]:
    """Return the levels that decisions give: those of BUY for a long position, of SELL for a short one.

    HOLD, NO_DECISION and a SELL that closes give none and leave earlier ones as they are. A BUY without stop and target
    has none, which replaces earlier ones.

    Args:
        decisions: By day and ticker.
        shorts: Whether SELL may sell borrowed shares.
    """
    found: dict[date, dict[str, ExitLevels]] = {}
    for day, made in decisions.items():
        for symbol, decision in sorted(made.items()):
            opens_short = decision.action == "SELL" and shorts and decision.sell_means != "close"
            if decision.action == "BUY" or opens_short:
                side = 1 if decision.action == "BUY" else -1
                found.setdefault(day, {})[symbol] = ExitLevels(
                    symbol, side, decision.stop, decision.target, day.isoformat()
                )
    return found


def beyond_levels(levels: ExitLevels | None, side: int, bar: SessionBar | None) -> str | None:
    """Return why an order to open or enlarge a position is withdrawn at the open; None where it is not.

    A plan whose stop or target is reached before the first trade is void: the position would be closed where it is
    opened.

    Args:
        levels: Of the newest decision; None for none.
        side: 1 for a purchase, -1 for a short sale.
        bar: The session; None for a halt.
    """
    if levels is None or bar is None or levels.side != side:
        return None
    point = _at_open(levels, bar)
    return None if point is None else BEYOND_TARGET if point.reason == "target" else BEYOND_STOP


def exit_point(levels: ExitLevels, bar: SessionBar) -> ExitPoint | None:
    """Return where a bar closes a position that was held at its open; None where it reaches no level."""
    if (gap := _at_open(levels, bar)) is not None:
        return gap
    known = [price for price in (bar.open, bar.high, bar.low, bar.close) if math.isfinite(price)]
    worst, best = (min(known), max(known)) if levels.side > 0 else (max(known), min(known))
    stopped = levels.stop is not None and levels.side * (worst - levels.stop) <= 0
    paid = levels.target is not None and levels.side * (best - levels.target) >= 0
    if stopped and levels.stop is not None:
        return ExitPoint("both" if paid else "stop", levels.stop, gap=False)
    return ExitPoint("target", levels.target, gap=False) if paid and levels.target is not None else None


def session_exits(
    book: Book,
    table: TradedPrices,
    day: date,
    costs_of: Callable[[str], TradingCosts],
    done: Sequence[Posting],
) -> list[Posting]:
    """Return the exits of a session, sales before purchases; what volume or cash do not allow waits for the next one.

    Args:
        book: After the fills at the open.
        table: Of which only the session's bars are read.
        day: The session.
        costs_of: Costs by symbol: an exit pays as any fill does.
        done: Postings of the session so far, whose trades count against its volume.
    """
    found: list[Posting] = []
    cash = book.cash
    for symbol in sorted(book.levels, key=lambda symbol: (book.held(symbol) < 0, symbol)):
        levels, held, bar = book.levels[symbol], book.held(symbol), table.bar(symbol, day)
        if bar is None or held * levels.side <= 0 or (point := exit_point(levels, bar)) is None:
            continue
        used = _traded(done, symbol, -held)
        for posting in execute(symbol, -held, replace(bar, open=point.price), costs_of(symbol), cash, used=used):
            if isinstance(posting, OrderFill):
                cash += (posting.value if posting.shares < 0 else -posting.value) - posting.commission
                found.append(_exit(posting, point))
            else:
                found.append(posting)
    return found


def restated(levels: ExitLevels, numerator: int, denominator: int, day: date) -> ExitLevels:
    """Return levels in shares of a day on which one share became numerator / denominator shares."""
    ratio = numerator / denominator
    stop, target = (None if level is None else level / ratio for level in (levels.stop, levels.target))
    return replace(levels, stop=stop, target=target, day=day.isoformat())


def changed_levels(book: Book, planned: Mapping[str, ExitLevels]) -> list[ExitLevels]:
    """Return the levels of new decisions as they are posted; those without any only where they replace some."""
    return [levels for symbol, levels in sorted(planned.items()) if levels.given or symbol in book.levels]


def exit_counts(postings: Iterable[Posting]) -> dict[str, int]:
    """Return how often exits were filled, by reason, and how many orders were withdrawn at the open.

    `stop`, `target` and `both` (a bar that reached both: the stop was taken) add up to all exits; `gap` of them were
    filled at the open; `not_opened` orders were withdrawn.
    """
    counts = dict.fromkeys(("stop", "target", "both", "gap", "not_opened"), 0)
    for posting in postings:
        if isinstance(posting, ExitFill):
            counts[posting.reason] += 1
            counts["gap"] += posting.gap
        elif isinstance(posting, OrderRest):
            counts["not_opened"] += posting.reason in (BEYOND_STOP, BEYOND_TARGET)
    return counts


def checked_exits(name: str) -> ExitRule:
    """Return the rule of a name. Raises UsageError: There is none."""
    if name not in ("none", "plan"):
        raise UsageError(f"{name[:20]!r} is no rule for exits; choose none or plan.")
    return "plan" if name == "plan" else "none"


def check_exits(exits: ExitRule, prices: Mapping[str, Prices], foreign: Iterable[str], decide_at: str) -> None:
    """Refuse prices that a decision's levels cannot be compared with.

    Args:
        exits: Of the request.
        prices: Of the tickers.
        foreign: Tickers whose prices were converted from another currency.
        decide_at: The setting: when decisions are made.

    Raises:
        UsageError: `exits` is no rule, prices are converted or adjusted for dividends, or levels may be in the shares
            of the session before.
    """
    if checked_exits(exits) == "none":
        return
    if decide_at not in (AT_CLOSE, AT_OPEN):
        raise UsageError(
            f"Decisions at {decide_at} may know the session before only, whose stops and targets a split of the day "
            "would make wrong; decide at close or open, or ask for exits=none."
        )
    if converted := sorted(foreign):
        raise UsageError(
            f"Stops and targets of {', '.join(converted)} are in another currency than the account, and their bars are "
            "converted at the rates of open and close; leave them out, or ask for exits=none."
        )
    if adjusted := sorted(symbol for symbol, history in prices.items() if history.basis == "fully_adjusted"):
        raise UsageError(
            f"The prices of {', '.join(adjusted)} are adjusted for dividends, stops and targets are prices as traded; "
            "choose another vendor, or ask for exits=none."
        )


def _at_open(levels: ExitLevels, bar: SessionBar) -> ExitPoint | None:
    """Return the exit at an open at or beyond a level: worse than the level for a stop, better for a target."""
    if levels.stop is not None and levels.side * (bar.open - levels.stop) <= 0:
        return ExitPoint("stop", bar.open, gap=True)
    if levels.target is not None and levels.side * (bar.open - levels.target) >= 0:
        return ExitPoint("target", bar.open, gap=True)
    return None


def _traded(postings: Iterable[Posting], symbol: str, shares: int) -> int:
    """Return the shares of a symbol that were traded in the direction of some shares."""
    fills = [posting.shares for posting in postings if isinstance(posting, OrderFill) and posting.symbol == symbol]
    return sum(abs(count) for count in fills if count * shares > 0)


def _exit(fill: OrderFill, point: ExitPoint) -> ExitFill:
    amounts = (fill.shares, fill.price, fill.value, fill.commission, fill.slippage)
    return ExitFill(fill.symbol, *amounts, reason=point.reason, level=point.price, gap=point.gap)
