"""What a view on an instrument means for somebody who holds it, or does not: the rule table.

| view | nothing held | held | sold short |
|---|---|---|---|
| BUY | open, to the wanted weight | add, up to the wanted weight; hold where as much is held | cover all |
| HOLD | hold | hold | hold |
| SELL, sure | short the wanted weight where that is allowed, else hold | close | add, up to the wanted weight |
| SELL, less sure | as above | trim half | hold |
| no decision | hold | hold | hold |

Beyond the table, a position above the limit of a position is trimmed to it, whatever the view, unless there is no
decision. What was paid for a position plays no part.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tradingagents.schemas.decision import FULL
from tradingagents.schemas.portfolio import HolderAction

View = Literal["BUY", "SELL", "HOLD", "NO_DECISION"]
LEAST_CHANGE = 0.005
"""Smallest change of a weight that is worth an order; a smaller one is a hold."""


@dataclass(frozen=True, slots=True)
class HolderRules:
    """What the rule table depends on besides view and position. Fractions of the value of all holdings and cash."""

    max_position: float
    """Largest weight of a position, long or short."""
    shorting: bool = False
    """Whether instruments may be sold short: SELL means short, and the account allows it."""
    sure: float = FULL
    """Least conviction of a SELL that closes a position, whose rating is Sell; with less, half of it is sold."""
    least_change: float = LEAST_CHANGE


@dataclass(frozen=True, slots=True)
class HolderTarget:
    """What is to be done, and the signed weight to hold afterwards."""

    action: HolderAction
    weight: float
    why: str
    """The row of the table, in a few words."""


def holder_target(view: View, conviction: float, weight: float, wanted: float, rules: HolderRules) -> HolderTarget:
    """Return what a view means for a position.

    Args:
        view: Action of a decision.
        conviction: Of the decision, 0 to 1.
        weight: Signed weight of what is held; 0 for nothing.
        wanted: Weight that the decision asks for, 0 or more; more than the limit counts as the limit.
        rules: Limits.
    """
    wanted = min(max(wanted, 0.0), rules.max_position)
    found = _by_view(view, conviction, weight, wanted, rules)
    if view != "NO_DECISION" and abs(found.weight) > rules.max_position:
        limit = rules.max_position if weight > 0 else -rules.max_position
        action: HolderAction = "trim" if weight > 0 else "cover"
        found = HolderTarget(action, limit, "more is held than a position may weigh")
    small = found.action in ("open", "add", "trim", "short") and abs(found.weight - weight) < rules.least_change
    return HolderTarget("hold", weight, "the change would be too small for an order") if small else found


def _by_view(view: View, conviction: float, weight: float, wanted: float, rules: HolderRules) -> HolderTarget:
    if view == "BUY":
        return _buy(weight, wanted)
    if view == "SELL":
        return _sell(conviction, weight, wanted, rules)
    why = "the view is to change nothing" if view == "HOLD" else "there is no decision to act on"
    return HolderTarget("hold", weight, why)


def _buy(weight: float, wanted: float) -> HolderTarget:
    if weight < 0:
        return HolderTarget("cover", 0.0, "a short position speaks against the view")
    if wanted <= weight:
        why = "as much is held as the decision asks for" if weight else "the decision asks for no position"
        return HolderTarget("hold", weight, why)
    if weight == 0:
        return HolderTarget("open", wanted, "nothing is held")
    return HolderTarget("add", wanted, "less is held than the decision asks for")


def _sell(conviction: float, weight: float, wanted: float, rules: HolderRules) -> HolderTarget:
    if weight > 0 and conviction >= rules.sure:
        return HolderTarget("close", 0.0, "the view is to sell what is held")
    if weight > 0:
        return HolderTarget("trim", weight / 2, f"the view is to sell, with a conviction below {rules.sure:g}")
    if not rules.shorting:
        why = "short positions are not wanted" if weight else "nothing is held, and short positions are not wanted"
        return HolderTarget("hold", weight, why)
    if wanted <= -weight or (weight < 0 and conviction < rules.sure):
        why = "as much is sold short as the decision asks for" if weight else "the decision asks for no position"
        return HolderTarget("hold", weight, why)
    if weight == 0:
        return HolderTarget("short", -wanted, "nothing is held")
    return HolderTarget("add", -wanted, "less is sold short than the decision asks for")
