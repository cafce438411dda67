"""The deciders: research manager, trader and risk manager answer with the fields of a verdict.

A verdict is a plain dict with the documented field names; `None` means that there is nothing readable to decide on.
Figures in `rationale` and `key_evidence` are quoted as the tools showed them; what is worked out here is called
derived.
"""

from __future__ import annotations

import math
from typing import Any

from tradingagents.offline.brief import Brief, Plan
from tradingagents.offline.calibration import basis, confidence
from tradingagents.offline.evidence import View, action_of, lean, report_name, strength, view_of
from tradingagents.offline.rationale import SIGNS, capitalised, grounds, listed, strongest
from tradingagents.offline.readings import direction
from tradingagents.offline.risk import MAX_SIZE, flags, measures_risk, proposals, risk_figures, trader_plan

Verdict = dict[str, Any]

HORIZON_DAYS, LONG_HORIZON_DAYS = 30, 90
"""Calendar days of the view; the long one where fundamentals carry most of it."""
STOP_ATR, TARGET_ATR = 2.0, 3.0
RANGE_OF_DEVIATION = 3.0
"""A day's range in daily standard deviations, where the average true range is not known. Over 540 recorded symbols of
2022 to 2025 (41,496 weeks) the average true range was 1.5 deviations in the middle, wider than 2.0 in 5.5 % and wider
than 3.0 in 0.1 %: the stand-in halves the usual size, and hardly ever gives a larger one."""
RISKED = 0.002
"""Fraction of equity lost where the stop is hit: so small that the size follows the range of the stock, and the cap
binds only for ranges below one per cent of the price."""
SESSIONS = 252
SHAKEN = 0.05
"""What each risk takes from the strength of an action that is kept."""
HOLD_AT = 2
"""Risks at which the risk manager holds back."""
HELD_BACK = 0.45
"""Strength of a HOLD that risks imposed."""
UNMEASURED = "No report measures the risk of the stock, so there is no size."
CLOSES_ONLY = "SELL here means to sell what is held: there is no stop, no target and no size."
RESTING = 3
"""Readings that the risk manager names for the action."""
NOTHING_READ = "No decision: no analyst found anything that the offline rules can weigh."
"""What a deciding agent says without any reading."""
SHARES = {"aggressive": 1, "neutral": 2, "conservative": 1}
"""How often each debater's size counts in the mean."""


def research_manager(brief: Brief) -> Verdict | None:
    """Weigh all evidence into an action; None where no report holds a reading."""
    view = view_of(brief)
    if not view.by_report:
        return None
    return {
        "action": view.action,
        **judged(view.action, strength(view)),
        "rationale": _weighing(view, brief),
        "horizon_days": _horizon(view),
        "entry": None,
        "stop": None,
        "target": None,
        "position_size": None,
        **grounds(view, view.action, brief, net_action),
    }


def trader(brief: Brief) -> Verdict | None:
    """Turn the research manager's plan into prices and a size; without a plan, the reports decide."""
    view = view_of(brief)
    plan = brief.plans.get("investment_plan", Plan())
    if not plan.decided and not view.by_report:
        return None
    action = plan.action if plan.action and plan.decided else view.action
    taken = (
        f"The research manager's plan is {action}."
        if plan.decided
        else f"There is no plan; the reports alone say {action}."
    )
    close = brief.subject.last_close
    limit = largest_size(brief)
    prices, reason = sale(close) if action == "SELL" and brief.sell_closes else levels(action, close, view, limit)
    return {
        "action": action,
        **judged(action, strength(view)),
        "rationale": f"{taken} {reason}",
        "horizon_days": plan.horizon_days or HORIZON_DAYS,
        **prices,
        **grounds(view, action, brief, net_action),
    }


def risk_manager(brief: Brief) -> Verdict | None:
    """Keep the trader's action unless two risks say HOLD, and set the size after the debate."""
    view, plan = view_of(brief), trader_plan(brief)
    if not plan.decided and not view.by_report:
        return None
    proposed = plan.action if plan.action and plan.decided else view.action
    risks = flags(proposed, view, brief.plans.get("investment_plan", Plan()))
    action = "HOLD" if len(risks) >= HOLD_AT else proposed
    held = action == "HOLD"
    sold = action == "SELL" and brief.sell_closes
    size, sized = (0.0, CLOSES_ONLY) if sold else _sized(action, plan, brief, view, halved=bool(risks))
    open_risk = not held and not sold and not measures_risk(view)
    measured = risk_figures(view)
    rationale = [
        _ruling(proposed, action, risks),
        _resting(action, view),
        sized,
        f"Risk figures: {measured}." if measured else "",
    ]
    return {
        "action": action,
        **judged(action, _shaken(strength(view), len(risks)) if action == proposed else HELD_BACK),
        "rationale": " ".join(part for part in rationale if part),
        "horizon_days": plan.horizon_days or HORIZON_DAYS,
        "entry": None if held or open_risk else plan.entry,
        "stop": None if held or sold or open_risk else plan.stop,
        "target": None if held or sold or open_risk else plan.target,
        "position_size": size,
        **grounds(view, action, brief, final_action),
    }


def judged(action: str, strong: float) -> Verdict:
    """Return how strongly the rules speak, and how often such calls were right."""
    return {"confidence": confidence(action, strong), "strength": strong, "track_record": basis(action)}


def net_action(view: View) -> str:
    """Decide by the net score and the regime."""
    return view.action


def final_action(view: View) -> str:
    """Decide as the three deciding agents do together: by the net score and the regime, unless two risks say HOLD."""
    return "HOLD" if _risks(view) >= HOLD_AT else view.action


def decided(view: View) -> tuple[str, float]:
    """Return action and strength of the final decision, as the three deciding agents reach it together."""
    risks = _risks(view)
    return ("HOLD", HELD_BACK) if risks >= HOLD_AT else (view.action, _shaken(strength(view), risks))


def _risks(view: View) -> int:
    """Return how many risks speak against a view's action."""
    return len(flags(view.action, view, Plan(action=view.action)))


def largest_size(brief: Brief) -> float:
    """Return the largest position that the settings and our own cap allow, as a fraction of equity."""
    return min(MAX_SIZE, brief.largest_position)


def sale(close: float | None) -> tuple[Verdict, str]:
    """Return the terms of a SELL that only closes, with the reason in words: a price to sell at and nothing else."""
    return _prices(close, None, None, 0.0), CLOSES_ONLY


def levels(action: str, close: float | None, view: View, limit: float = MAX_SIZE) -> tuple[Verdict, str]:
    """Return entry, stop, target and size with the reason in words.

    The stop is two ATR away, the target three; without an ATR, `RANGE_OF_DEVIATION` daily standard deviations of the
    price stand in for it. The size is `RISKED` of equity over the distance of the stop as a fraction of the price, at
    most `limit`: a stock that moves twice as much gets half the size. Strength has no say in it, for it was not found
    to order outcomes. None where nothing measures the range.
    """
    if action == "HOLD":
        return _prices(None, None, None, 0.0), "A HOLD takes no position, so there is no entry, stop or target."
    if close is None or close <= 0:
        return _prices(None, None, None, None), "The last close is not known, so there are no prices and no size."
    span, how = daily_range(close, view)
    if span is None:
        return _prices(None, None, None, None), f"{how} So there is no entry, stop, target or size."
    side = SIGNS[action]
    stop, target = close - side * STOP_ATR * span, close + side * TARGET_ATR * span
    size = _within(RISKED * close / (STOP_ATR * span), limit)
    reason = (
        f"{how} The entry is the last close, the stop two such ranges away and the target three. At this size the "
        f"stop costs a fifth of a percent of equity: a stock that moves twice as much gets half the size. The size is "
        f"never above {'a tenth of equity' if limit == MAX_SIZE else 'the largest position allowed'}."
    )
    return _prices(close, stop if stop > 0 else None, target if target > 0 else None, size), reason


def daily_range(close: float, view: View) -> tuple[float | None, str]:
    """Return how far the price moves in a day, in price units, and by which figure; None where there is none."""
    atr, volatility = view.value("atr"), view.value("volatility_20d")
    if atr:
        return atr, f"The usual daily range of the stock is its {view.figure('atr')}."
    if volatility:
        span = RANGE_OF_DEVIATION * close * volatility / 100 / math.sqrt(SESSIONS)
        return span, (
            f"The average true range is not known; the {view.figure('volatility_20d')} gives a daily range, taken wide "
            f"at three standard deviations of a day for want of a better measure."
        )
    return None, "Neither the average true range nor the volatility is known."


def _prices(entry: float | None, stop: float | None, target: float | None, size: float | None) -> Verdict:
    return {"entry": entry, "stop": _price(stop), "target": _price(target), "position_size": size}


def _price(price: float | None) -> float | None:
    """Round a price to cents, below one to four significant digits."""
    return None if price is None else round(price, 2) if price >= 1 else float(f"{price:.4g}")


def _weighing(view: View, brief: Brief) -> str:
    """Say how the reports weigh, each by its strongest readings on its own side, of different groups."""
    parts = [f"The readings of all reports come to a net score of {view.net:+.2f} (derived), which is a {view.action}."]
    for name, mean in view.by_report.items():
        found = strongest(_of_report(view, name), 1 if mean > 0 else -1, 2)
        cited = f": {listed([item.claim for item in found])}" if found else ""
        parts.append(f"The {report_name(name)}{_scope(name, view)} is {direction(mean)}{cited}.")
    parts.append(_regime_part(view))
    if brief.missing:
        parts.append(f"Missing, and so not weighed: {', '.join(map(report_name, sorted(brief.missing)))}.")
    return " ".join(part for part in parts if part)


def _scope(report: str, view: View) -> str:
    """Say that a fundamentals report holds no fundamentals, where it compares share prices alone."""
    groups = {item.group for item in view.evidence if item.report == report}
    return ", which has no statements and compares returns alone," if groups == {"strength against peers"} else ""


def _regime_part(view: View) -> str:
    """Say what the macro regime adds to the net score, and whether the action hangs on it."""
    regime, added = view.find("regime_score"), lean(view.regime)
    if not regime or not added:
        return ""
    without = action_of(view.net, None)
    decides = f", and decides: without it this would be a {without}" if without != view.action else ""
    return f"The {regime.row.figure} adds {added:+.2f} (derived) to the net score{decides}."


def _of_report(view: View, name: str) -> View:
    return View(tuple(item for item in view.evidence if item.report == name), {}, None, {})


def _horizon(view: View) -> int:
    """Return the long horizon where the fundamentals report carries more than half of all contributions."""
    total = sum(abs(item.contribution) for item in view.evidence)
    slow = sum(abs(item.contribution) for item in view.evidence if item.report == "fundamentals_report")
    return LONG_HORIZON_DAYS if slow > total / 2 else HORIZON_DAYS


def _ruling(proposed: str, action: str, risks: list[str]) -> str:
    if action != proposed:
        return f"The proposed {proposed} becomes a HOLD, because {listed(risks)}."
    if risks:
        return f"The proposed {proposed} stands, although {risks[0]}."
    return f"The proposed {proposed} stands, and no risk check speaks against it."


def _resting(action: str, view: View) -> str:
    """Name the strongest readings for a BUY or SELL, of different groups; a HOLD stands on their balance."""
    if action != "HOLD":
        own = strongest(view, SIGNS[action], RESTING)
        return f"The main reasons: {listed([item.claim for item in own])}." if own else ""
    sides = (("For buying", strongest(view, 1, 1)), ("against buying", strongest(view, -1, 1)))
    told = [f"{words}: {items[0].claim}" for words, items in sides if items]
    return capitalised(f"{'; '.join(told)}.") if told else ""


def _sized(action: str, plan: Plan, brief: Brief, view: View, *, halved: bool) -> tuple[float | None, str]:
    """Return the final size and how it came about; None where neither the debate nor the plan names one."""
    if action == "HOLD":
        return 0.0, "A HOLD takes no position."
    asked = {name: size for name, size in proposals(brief, view).items() if name in SHARES}
    if not measures_risk(view):
        return None, UNMEASURED
    if asked:
        size = sum(SHARES[name] * size for name, size in asked.items()) / sum(SHARES[name] for name in asked)
        told = "The size averages what the three risk debaters ask for, the neutral one counted twice"
    elif plan.position_size is not None:
        size, told = plan.position_size, "The size is the plan's"
    else:
        return None, "Neither the debate nor the plan names a size."
    told += ", and is halved for that risk." if halved else "."
    return _within(size / 2 if halved else size, largest_size(brief)), told


def _within(size: float, limit: float) -> float:
    """Return a size to four decimals that is neither above a limit nor rounded to nothing."""
    return min(limit, round(size, 4) or size)


def _shaken(strong: float, risks: int) -> float:
    return round(max(0.1, strong - SHAKEN * risks), 2)
