"""The rules of a valid decision: stated in the deciders' prompts and checked in their answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tradingagents.agents.decision_text import price_text
from tradingagents.agents.schemas import Verdict
from tradingagents.analytics.price.stock_data import entry_band
from tradingagents.settings import SELL_MEANINGS

if TYPE_CHECKING:
    from tradingagents.context import TradingContext

HORIZON_DAYS = (5, 365)
"""Shortest and longest horizon in calendar days."""
FURTHEST = 5.0
"""A stop or target lies between the last close divided by this and multiplied by this."""
SIDES = {"BUY": 1, "SELL": -1}


def rules_part(context: TradingContext) -> str:
    """Return the rules as text for a decider's prompt, with this run's prices."""
    settings, close = context.settings, context.last_close
    least, most = HORIZON_DAYS
    low, high = (price_text(level) for level in entry_band(close, context.daily_range))
    sell = (
        "SELL: target < entry < stop."
        if context.sell_means == "short"
        else "SELL: entry is the price to sell at, or null; stop and target null, position_size 0 or null."
    )
    return f"""\
Rules of a decision; one that breaks them is refused:
- BUY means: buy the stock. SELL means: {SELL_MEANINGS[context.sell_means]}. HOLD means: change nothing; entry, stop and
  target null, position_size 0 or null.
- BUY: stop < entry < target. {sell}
- entry lies between {low} and {high}, around the last close of {price_text(close)}. Without an entry, stop and target are
  measured from the last close.
- position_size of a trade is above 0 and at most {settings.max_position_size:g} of equity; horizon_days is {least} to {most}.
  Null where the reports support no figure.
- key_evidence holds at least one fact with a figure that the tools or reports above give. A decision that no figure of
  theirs supports is none.{_without_size(context)}"""


def _without_size(context: TradingContext) -> str:
    """Return the rule of a decision whose risk nothing measures; empty where something does."""
    if not context.no_size:
        return ""
    return f"\n- entry, stop, target and position_size of a trade are null: {context.no_size}"


def size_part(context: TradingContext) -> str:
    """Return the position limit as text for the risk debaters' prompts."""
    if context.no_size:
        return f"No size can be set: {context.no_size} Argue about the action alone."
    most = context.settings.max_position_size
    return f"A position takes at most {most:g} of equity: a decision with a larger one is refused."


def verdict_problems(verdict: Verdict, context: TradingContext) -> str | None:
    """Return which rules a verdict breaks, in words for the model; None if it breaks none.

    Args:
        verdict: A model's answer that fits the schema.
        context: The run's context, with its last close, daily range and settings.
    """
    problems = [*_horizon(verdict), *_levels(verdict, context), *_size(verdict, context)]
    return "; ".join(problems) or None


def _trades(verdict: Verdict, context: TradingContext) -> bool:
    """Tell whether a verdict opens a position."""
    return verdict.action == "BUY" or (verdict.action == "SELL" and context.sell_means == "short")


def _horizon(verdict: Verdict) -> Iterator[str]:
    least, most = HORIZON_DAYS
    if verdict.horizon_days is not None and not least <= verdict.horizon_days <= most:
        yield f"horizon_days {verdict.horizon_days} must be {least} to {most}"


def _levels(verdict: Verdict, context: TradingContext) -> Iterator[str]:
    close = context.last_close
    no_levels = ("stop", "target") if verdict.action == "SELL" else ("entry", "stop", "target")
    if not _trades(verdict, context):
        for name in no_levels:
            if getattr(verdict, name) is not None:
                yield f"a {verdict.action} has no {name}: leave it null"
        if verdict.action == "HOLD":
            return
    low, high = entry_band(close, context.daily_range)
    if verdict.entry is not None and not low <= verdict.entry <= high:
        yield (
            f"entry {price_text(verdict.entry)} must lie between {price_text(low)} and {price_text(high)}: the last "
            f"close is {price_text(close)}"
        )
    if _trades(verdict, context):
        yield from _order(verdict, close)


def _order(verdict: Verdict, close: float) -> Iterator[str]:
    side, name = SIDES[verdict.action], "entry" if verdict.entry is not None else "the last close"
    start = close if verdict.entry is None else verdict.entry
    for level, called, sign in ((verdict.stop, "stop", -side), (verdict.target, "target", side)):
        if level is None:
            continue
        if sign * (level - start) <= 0:
            yield (
                f"{called} {price_text(level)} must lie {'above' if sign > 0 else 'below'} {name} {price_text(start)} "
                f"for a {verdict.action}"
            )
        elif not close / FURTHEST <= level <= close * FURTHEST:
            yield (
                f"{called} {price_text(level)} must lie between {price_text(close / FURTHEST)} and "
                f"{price_text(close * FURTHEST)}"
            )


def _size(verdict: Verdict, context: TradingContext) -> Iterator[str]:
    size, most = verdict.position_size, context.settings.max_position_size
    if size is None:
        return
    if not _trades(verdict, context):
        if size > 0:
            yield f"position_size {size:g} of a {verdict.action} must be 0 or null"
    elif not 0 < size <= most:
        yield f"position_size {size:g} of a {verdict.action} must be above 0 and at most {most:g}"
