"""The deciders: research manager, trader and risk manager answer with the fields of a verdict.

A verdict is a plain dict with the documented field names; `None` means that there is nothing readable to decide on.
Figures in `rationale` and `key_evidence` are quoted as the tools showed them; what is worked out here is called
derived.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tradingagents.llm_clients.offline.evidence import THRESHOLD, View, lean, view_of
from tradingagents.llm_clients.offline.grounds import SIGNS, grounds, listed
from tradingagents.llm_clients.offline.reading import Plan, Prompt
from tradingagents.llm_clients.offline.risk import MAX_SIZE, flags, proposals, risk_figures, trader_plan
from tradingagents.llm_clients.offline.tables import direction

Verdict = dict[str, Any]

CONFIDENCE = (0.40, 0.30, 0.10)
"""Confidence of a BUY or SELL: ground, what a full-strength net score adds, what full agreement of the reports adds."""
FULL_NET = 0.40
"""Net score of full strength."""
HOLD_CONFIDENCE = (0.40, 0.15)
"""Confidence of a HOLD: ground, what perfect balance adds."""
MOST_CONFIDENT = 0.80
HORIZON_DAYS, LONG_HORIZON_DAYS = 30, 90
"""Calendar days of the view; the long one where fundamentals carry most of it."""
STOP_ATR, TARGET_ATR = 2.0, 3.0
RISKED = 0.01
"""Fraction of equity lost where the stop is hit."""
SESSIONS = 252
SHAKEN = 0.05
"""What each risk takes from the confidence of an action that is kept."""
HOLD_AT = 2
"""Risks at which the risk manager holds back."""
HELD_BACK = 0.45
"""Confidence of a HOLD that risks imposed."""
RESTING = 3
"""Figures that the risk manager names for the action."""
SHARES = {"aggressive": 1, "neutral": 2, "conservative": 1}
"""How often each debator's size counts in the mean."""


def research_manager(prompt: Prompt) -> Verdict | None:
    """Weigh all evidence into an action; None where no report holds a reading."""
    view = view_of(prompt)
    if not view.by_report:
        return None
    return {
        "action": view.action,
        "confidence": confidence(view),
        "rationale": _weighing(view, prompt),
        "horizon_days": _horizon(view),
        "entry": None,
        "stop": None,
        "target": None,
        "position_size": None,
        **grounds(view, view.action, prompt.turns),
    }


def trader(prompt: Prompt) -> Verdict | None:
    """Turn the research manager's plan into prices and a size; without a plan, the reports decide."""
    view = view_of(prompt)
    plan = prompt.plans.get("investment_plan", Plan())
    if not plan.decided and not view.by_report:
        return None
    action = plan.action if plan.action and plan.decided else view.action
    taken = (
        f"The research manager's plan is {action}." if plan.decided else f"No plan is given; the reports say {action}."
    )
    prices, reason = levels(action, prompt.instrument.last_close, view)
    return {
        "action": action,
        "confidence": plan.confidence if plan.confidence is not None else confidence(view),
        "rationale": f"{taken} {reason}",
        "horizon_days": plan.horizon_days or HORIZON_DAYS,
        **prices,
        **grounds(view, action, prompt.turns),
    }


def risk_manager(prompt: Prompt) -> Verdict | None:
    """Keep the trader's action unless two risks say HOLD, and set the size after the debate."""
    view, plan = view_of(prompt), trader_plan(prompt)
    if not plan.decided and not view.by_report:
        return None
    proposed = plan.action if plan.action and plan.decided else view.action
    confident = plan.confidence if plan.confidence is not None else confidence(view)
    risks = flags(proposed, confident, view, prompt.plans.get("investment_plan", Plan()))
    action = "HOLD" if len(risks) >= HOLD_AT else proposed
    size, sized = _sized(action, plan, prompt, halved=bool(risks))
    measured = risk_figures(view)
    rationale = [
        _ruling(proposed, action, risks),
        _resting(action, view),
        sized,
        f"What measures the risk: {measured}." if measured else "",
    ]
    held = action == "HOLD"
    return {
        "action": action,
        "confidence": _shaken(confident, len(risks)) if action == proposed else HELD_BACK,
        "rationale": " ".join(part for part in rationale if part),
        "horizon_days": plan.horizon_days or HORIZON_DAYS,
        "entry": None if held else plan.entry,
        "stop": None if held else plan.stop,
        "target": None if held else plan.target,
        "position_size": size,
        **grounds(view, action, prompt.turns),
    }


DECIDERS: dict[str, Callable[[Prompt], Verdict | None]] = {
    "Research Manager": research_manager,
    "Trader": trader,
    "Risk Manager": risk_manager,
}


def confidence(view: View) -> float:
    """Return the confidence in a view's action, at most 0.8.

    From the size of the net score and the agreement of the reports, scaled down to 0.7 of itself as coverage
    falls to nothing. A HOLD gains confidence as the net score nears zero.
    """
    if view.action == "HOLD":
        ground, balance = HOLD_CONFIDENCE
        raw = ground + balance * max(0.0, 1 - abs(view.net) / THRESHOLD)
    else:
        ground, strength, agreement = CONFIDENCE
        raw = ground + strength * min(1.0, abs(view.net) / FULL_NET) + agreement * _agreement(view)
    return round(min(MOST_CONFIDENT, raw * (0.7 + 0.3 * view.coverage)), 2)


def levels(action: str, close: float | None, view: View) -> tuple[Verdict, str]:
    """Return entry, stop, target and size with the reason in words.

    The stop is two ATR away, the target three; without an ATR, one day's standard deviation of the price stands in for
    it. The size loses one per cent of equity at the stop, at most a tenth of equity. None where nothing measures it.
    """
    if action == "HOLD":
        return _prices(None, None, None, 0.0), "A HOLD commits nothing: no entry, stop or target."
    if close is None or close <= 0:
        return _prices(None, None, None, None), "The last close is not known, so there are no prices and no size."
    span, how = daily_range(close, view)
    if span is None:
        return _prices(
            close, None, None, None
        ), f"{how}; the entry is the last close, and stop, target and size stay open."
    side = SIGNS[action]
    stop, target = close - side * STOP_ATR * span, close + side * TARGET_ATR * span
    size = round(min(MAX_SIZE, RISKED * close / (STOP_ATR * span)), 4)
    reason = (
        f"{how}. The entry is the last close; the stop (derived) stands two of these ranges away, the target (derived) "
        f"three. The size (derived) loses one per cent of equity at the stop, and commits a tenth of equity at most."
    )
    return _prices(close, stop if stop > 0 else None, target if target > 0 else None, size), reason


def daily_range(close: float, view: View) -> tuple[float | None, str]:
    """Return how far the price moves in a day, in price units, and by which figure; None where there is none."""
    atr, volatility = view.value("atr"), view.value("volatility_20d")
    if atr:
        return atr, f"The daily range is {view.figure('atr')}"
    if volatility:
        return close * volatility / 100 / math.sqrt(
            SESSIONS
        ), f"No ATR; {view.figure('volatility_20d')} gives a daily range"
    return None, "Neither atr nor volatility_20d is known"


def _prices(entry: float | None, stop: float | None, target: float | None, size: float | None) -> Verdict:
    return {"entry": entry, "stop": _price(stop), "target": _price(target), "position_size": size}


def _price(price: float | None) -> float | None:
    """Round a price to cents, below one to four significant digits."""
    return None if price is None else round(price, 2) if price >= 1 else float(f"{price:.4g}")


def _weighing(view: View, prompt: Prompt) -> str:
    """Say how the reports weigh, each by its two strongest figures on its own side."""
    parts = [f"By fixed rules the net score is {view.net:+.2f} (derived), which says {view.action}."]
    for name, mean in view.by_report.items():
        side = [item for item in view.side(1 if mean > 0 else -1) if item.report == name and item.quotable][:2]
        cited = f": {', '.join(item.figure for item in side)}" if side else ""
        parts.append(f"{name} is {direction(mean)}{cited}.")
    regime = view.find("regime_score")
    if lean(view.regime) and regime:
        parts.append(f"{regime.figure} leans the decision towards {'buying' if lean(view.regime) > 0 else 'selling'}.")
    if prompt.missing:
        parts.append(f"Not weighed, for they are not available: {', '.join(sorted(prompt.missing))}.")
    return " ".join(parts)


def _horizon(view: View) -> int:
    """Return the long horizon where the fundamentals report carries more than half of all contributions."""
    total = sum(abs(item.contribution) for item in view.evidence)
    slow = sum(abs(item.contribution) for item in view.evidence if item.report == "fundamentals_report")
    return LONG_HORIZON_DAYS if slow > total / 2 else HORIZON_DAYS


def _agreement(view: View) -> float:
    """Return how far the reports agree: of their mean scores by size, the share with the sign of the net score."""
    total = sum(abs(item) for item in view.by_report.values())
    return sum(abs(item) for item in view.by_report.values() if item * view.net > 0) / total if total else 0.0


def _ruling(proposed: str, action: str, risks: list[str]) -> str:
    if action != proposed:
        return f"The proposed {proposed} becomes HOLD, for {', '.join(risks)}."
    if risks:
        return f"The proposed {proposed} stands, with one risk against it: {risks[0]}."
    return f"The proposed {proposed} stands; no risk speaks against it."


def _resting(action: str, view: View) -> str:
    """Name the strongest figures for a BUY or SELL; a HOLD rests on the balance of both sides."""
    own = [item for item in view.side(SIGNS[action]) if item.quotable] if action != "HOLD" else []
    return f"It rests on {listed([item.figure for item in own[:RESTING]])}." if own else ""


def _sized(action: str, plan: Plan, prompt: Prompt, *, halved: bool) -> tuple[float | None, str]:
    """Return the final size and how it came about; None where neither the debate nor the plan names one."""
    if action == "HOLD":
        return 0.0, "A HOLD commits nothing."
    asked = {name: size for name, size in proposals(prompt).items() if name in SHARES}
    if asked:
        size = sum(SHARES[name] * size for name, size in asked.items()) / sum(SHARES[name] for name in asked)
        told = "The size is the mean of what the debators ask for, the neutral one counted twice"
    elif plan.position_size is not None:
        size, told = plan.position_size, "The size is the plan's"
    else:
        return None, "Neither the debate nor the plan names a size."
    told += ", halved for that risk." if halved else "."
    return round(min(MAX_SIZE, size / 2 if halved else size), 4), told


def _shaken(confident: float, risks: int) -> float:
    return round(max(0.1, min(MOST_CONFIDENT, confident) - SHAKEN * risks), 2)
