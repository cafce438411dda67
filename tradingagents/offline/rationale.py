"""What a verdict stands on: key evidence from independent groups, the strongest objection, and what would change it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tradingagents.offline.brief import Brief
from tradingagents.offline.evidence import Evidence, View, key
from tradingagents.offline.what_if import Decide, would_change

MOST_EVIDENCE = 5
FEWEST_GROUPS = 3
"""Groups of evidence below which the strongest of them give a second reading."""
SIGNS = {"BUY": 1, "SELL": -1, "HOLD": 0}


def grounds(view: View, action: str, brief: Brief, decide: Decide) -> dict[str, Any]:
    """Return `key_evidence`, `dissent` and `would_change` for an action.

    Args:
        action: What was decided.
        brief: What the decider knows: the last close, and whether it is to say what would change the decision.
        decide: The rules that decide on the evidence.
    """
    close = brief.subject.last_close
    return {
        "key_evidence": [
            {"claim": capitalised(item.claim), "source": item.row.source} for item in key_evidence(view, action)
        ],
        "dissent": dissent(view, action),
        "would_change": _would_change(view, action, close, decide) if brief.weighs_changes else None,
    }


def key_evidence(view: View, action: str) -> list[Evidence]:
    """Return the evidence that decided, strongest group first; for a HOLD the strongest two groups of each side.

    Of each group one reading; a second one where fewer than `FEWEST_GROUPS` groups speak for the action.
    """
    sign = SIGNS[action]
    if sign:
        return strongest(view, sign, MOST_EVIDENCE)
    return [*strongest(view, 1, MOST_EVIDENCE // 2), *strongest(view, -1, MOST_EVIDENCE // 2)]


def strongest(view: View, sign: int, most: int) -> list[Evidence]:
    """Return the strongest quotable readings on a side, of as many groups as there are.

    Readings next to neutral stand in only where nothing else is on that side.
    """
    quotable = [_quotable(items) for _, items in view.groups(sign)]
    groups = [telling for items in quotable if (telling := [item for item in items if item.telling])]
    groups = groups or [items for items in quotable if items]
    chosen = [items[0] for items in groups]
    if len(groups) < FEWEST_GROUPS:
        chosen += [items[1] for items in groups if len(items) > 1]
        others = [item for item in _quotable(view.side(sign)) if item.telling]
        chosen += [item for item in others if item.group not in {one.group for one in chosen}]
    return chosen[:most]


def dissent(view: View, action: str) -> str | None:
    """Return the strongest argument against an action: a figure of the group that weighs most on the other side.

    A count of articles is no figure that argues; it is named only where nothing else speaks for the other side.
    """
    sign = SIGNS[action] or (1 if view.net >= 0 else -1)
    groups = [(name, items) for name, found in view.groups(-sign) if (items := _quotable(found))]
    with_figures = [(name, items) for name, items in groups if not items[0].row.counts]
    telling = [(name, items) for name, items in with_figures if items[0].telling]
    if telling or with_figures or groups:
        name, items = (telling or with_figures or groups)[0]
        return f"The strongest argument on the other side is {name}: {items[0].cite}."
    alone = [item for item in _quotable(view.side(-sign)) if not item.row.counts]
    if alone:
        return f"No kind of evidence points the other way as a whole; the strongest single reading is {alone[0].cite}."
    return None


def listed(parts: Sequence[str]) -> str:
    """Join parts as prose does: `a, b and c`."""
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]


def capitalised(text: str) -> str:
    """Return a text that begins as a sentence does."""
    return text[:1].upper() + text[1:]


def _quotable(items: Sequence[Evidence]) -> list[Evidence]:
    """Keep what a tool showed, each figure of a tool once."""
    kept: dict[tuple[str, str], Evidence] = {}
    for item in items:
        if item.quotable:
            kept.setdefault(key(item), item)
    return list(kept.values())


def _would_change(view: View, action: str, close: float | None, decide: Decide) -> str | None:
    if not view.evidence:
        return None
    alone = decide(view)
    if alone != action:
        return f"The plan set this action, not the readings: by the readings alone it would be {alone}."
    return would_change(view, close, decide)
