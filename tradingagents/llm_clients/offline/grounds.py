"""What a verdict stands on: key evidence, what the other side had right, and what would turn it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tradingagents.dataflows.figures import parse_number
from tradingagents.llm_clients.offline.evidence import Evidence, View, action_of, key, lean
from tradingagents.llm_clients.offline.reading import Turn
from tradingagents.llm_clients.offline.rules import PRICE, RULES

MOST_EVIDENCE = 5
MOST_TURNS = 4
"""Figures that `would_change` lists at most."""
SIGNS = {"BUY": 1, "SELL": -1, "HOLD": 0}
_OPPONENTS = {1: "bear", -1: "bull"}


def grounds(view: View, action: str, turns: Sequence[Turn]) -> dict[str, Any]:
    """Return `key_evidence`, `dissent` and `would_change` for an action."""
    return {
        "key_evidence": [
            {"claim": f"{item.figure}: {item.row.words}", "source": item.row.source} for item in _deciding(view, action)
        ],
        "dissent": _dissent(view, action, turns),
        "would_change": _would_change(view, action),
    }


def _deciding(view: View, action: str) -> list[Evidence]:
    """Return the strongest quotable evidence for the action; for a HOLD the strongest of both sides."""
    sign = SIGNS[action]
    if sign:
        return _quotable(view.side(sign))[:MOST_EVIDENCE]
    return [*_quotable(view.side(1))[: MOST_EVIDENCE // 2], *_quotable(view.side(-1))[: MOST_EVIDENCE // 2]]


def _quotable(items: Sequence[Evidence]) -> list[Evidence]:
    """Keep what a tool showed, each figure of a tool once."""
    kept: dict[tuple[str, str], Evidence] = {}
    for item in items:
        if item.quotable:
            kept.setdefault(key(item), item)
    return list(kept.values())


def _dissent(view: View, action: str, turns: Sequence[Turn]) -> str | None:
    """Return the strongest opposing evidence, of what the other side brought up if it brought up any."""
    sign = SIGNS[action] or (1 if view.net >= 0 else -1)
    opposing = view.side(-sign)
    said = "\n".join(turn.text for turn in turns if turn.speaker.lower().startswith(_OPPONENTS[sign]))
    item = next((item for item in opposing if item.said_in(said)), opposing[0] if opposing else None)
    return f"{item.cite}: {item.row.words}." if item else None


def _would_change(view: View, action: str) -> str | None:
    """Name the figures which, were they to turn neutral, would change the rules' action; fewest and strongest first."""
    if action != view.action:
        return f"The action was set by risk, not by the net score; the reports alone say {view.action}."
    sign = SIGNS[action] or (-1 if view.net + lean(view.regime) >= 0 else 1)
    net, turns = view.net, list[str]()
    for item in view.side(sign):
        turn = _turn(item)
        if turn is None:
            continue
        net -= item.contribution
        turns.append(turn)
        turned = action_of(net, view.regime)
        if turned != action:
            return f"{turned} if {listed(turns)}."
        if len(turns) == MOST_TURNS:
            break
    return f"Weaker, though still {action}, if {listed(turns)}." if turns else None


def listed(parts: Sequence[str]) -> str:
    """Join parts as prose does: `a, b and c`."""
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]


def _turn(item: Evidence) -> str | None:
    """Say how a figure would turn neutral; None for figures without such a level."""
    rule = RULES.get(key(item))
    if rule is None or rule.level is None:
        return None
    if rule.level == PRICE:
        return f"the close crosses {'below' if item.contribution > 0 else 'above'} {item.figure}"
    now, level = parse_number(item.row.shown), parse_number(rule.level)
    if now is None or level is None:
        return None
    return f"{item.figure} {'falls below' if now[0] > level[0] else 'rises above'} {rule.level}"
