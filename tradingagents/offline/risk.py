"""The risk debaters: they argue about size from drawdown, volatility and evidence; and what each of them asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tradingagents.offline.brief import Brief, Plan
from tradingagents.offline.evidence import RISK_OFF, Evidence, View, strength, view_of
from tradingagents.offline.rationale import SIGNS, listed, strongest

MAX_SIZE = 0.10
"""Largest fraction of equity that a decision commits to one stock."""
MAX_ASKED = 0.15
"""Largest fraction a debater asks for."""
STARTER = 0.02
"""What a debater starts from where the trader commits nothing or names no size."""
HIGH_VOLATILITY = 60.0
"""volatility_20d in per cent."""
DEEP_DRAWDOWN = -50.0
"""max_drawdown_1y in per cent."""
LOW_STRENGTH = 0.45
LOW_COVERAGE = 0.5
_RISK_FIGURES = ("volatility_20d", "max_drawdown_1y", "atr", "regime_score")


@dataclass(frozen=True, slots=True)
class Stance:
    """How one debater sees size."""

    name: str
    supported: float
    """Factor on the trader's size where the net score stands on the side of the action."""
    unsupported: float
    view: str
    sign: int
    """The evidence it argues from: 1 for the action's side, -1 for the other, 0 for both."""


AGGRESSIVE = Stance("aggressive", 1.5, 1.0, "A view not acted on earns nothing, and the stop limits the loss.", 1)
CONSERVATIVE = Stance("conservative", 0.5, 0.25, "The first task is to preserve capital.", -1)
NEUTRAL = Stance("neutral", 1.0, 0.5, "The size should follow the evidence and the daily range, nothing else.", 0)


def aggressive(brief: Brief) -> str:
    """Argue for a larger position."""
    return argue(AGGRESSIVE, brief)


def conservative(brief: Brief) -> str:
    """Argue for a smaller position."""
    return argue(CONSERVATIVE, brief)


def neutral(brief: Brief) -> str:
    """Argue for a position between the two."""
    return argue(NEUTRAL, brief)


STANCES = {stance.name: stance for stance in (AGGRESSIVE, CONSERVATIVE, NEUTRAL)}


def argue(stance: Stance, brief: Brief) -> str:
    """Take a turn: stance, figures, an answer to what was said, and a size."""
    view, plan = view_of(brief), trader_plan(brief)
    earlier = [turn.text for turn in brief.turns if _name(turn.speaker) == stance.name]
    parts = [
        _stand(stance, plan, view) if not earlier else "",
        _argument(stance, plan, view, "\n".join(earlier)),
        _answers(stance, brief, view),
        _proposal(proposed_size(stance, plan, view, brief.largest_position)),
    ]
    return "\n\n".join(part for part in parts if part)


def measures_risk(view: View) -> bool:
    """Tell whether a report has the stock's volatility or average true range; without either no size is asked for."""
    return bool(view.value("volatility_20d") or view.value("atr"))


def proposed_size(stance: Stance, plan: Plan, view: View, largest: float) -> float | None:
    """Return the fraction of equity a debater asks for, at most `MAX_ASKED` and the largest position allowed.

    The trader's size times the stance's factor; where it is unknown `STARTER` stands in. On a HOLD only the aggressive
    side asks for anything: a starter, and only where there is a net score to follow. None where no report measures the
    risk.
    """
    if not measures_risk(view):
        return None
    if plan.action == "HOLD":
        return min(largest, STARTER) if stance is AGGRESSIVE and abs(view.net) > 0.02 else 0.0
    base = plan.position_size if plan.position_size is not None else STARTER
    factor = stance.supported if supported(plan, view) else stance.unsupported
    asked = min(MAX_ASKED, base * factor)
    return min(largest, round(asked, 4) or asked)


def _proposal(size: float | None) -> str:
    return "No report measures the risk of the stock, so I ask for no size." if size is None else _stated(size)


def _stated(size: float) -> str:
    return f"Proposed position size (derived): {_written(size)}"


def _written(size: float) -> str:
    """Write a size with four decimals; a tiny limit with as many as it takes to be no zero."""
    return f"{size:.4f}" if size == round(size, 4) else f"{size:.8f}"


def supported(plan: Plan, view: View) -> bool:
    """Say whether the net score stands on the side of the plan's action."""
    return SIGNS.get(plan.action or "", 0) * view.net > 0


def trader_plan(brief: Brief) -> Plan:
    """Return the trader's plan where it decides something, else the research manager's, else an empty one."""
    for name in ("trader_investment_plan", "investment_plan"):
        plan = brief.plans.get(name)
        if plan and plan.decided:
            return plan
    return Plan()


def proposals(brief: Brief, view: View) -> dict[str, float]:
    """Return the size that each debater asks for, by stance: of those who spoke by these rules."""
    found: dict[str, float] = {}
    for turn in brief.turns:
        name = _name(turn.speaker)
        size = _said_size(name, turn.text, brief, view)
        if size is not None:
            found[name] = size
    return found


def _said_size(name: str, text: str, brief: Brief, view: View) -> float | None:
    """Return the size that a turn asks for; None where another than these rules spoke, such as a language model."""
    stance = STANCES.get(name)
    size = proposed_size(stance, trader_plan(brief), view, brief.largest_position) if stance else None
    return size if size is not None and _stated(size) in text else None


def flags(action: str, view: View, first: Plan) -> list[str]:
    """List the risks that speak against an action, one clause each; none on HOLD.

    `first` is the research manager's plan.
    """
    if action == "HOLD":
        return []
    volatility, fall, regime = view.value("volatility_20d"), view.value("max_drawdown_1y"), view.regime
    bought = action == "BUY"
    checks = (
        (bought and regime is not None and regime <= RISK_OFF, "the market is risk-off", "regime_score"),
        (volatility is not None and volatility >= HIGH_VOLATILITY, "volatility is very high", "volatility_20d"),
        (bought and fall is not None and fall <= DEEP_DRAWDOWN, "the stock fell very far", "max_drawdown_1y"),
        (view.coverage < LOW_COVERAGE, "less than half of the usual evidence is known", ""),
        (strength(view) < LOW_STRENGTH, "the evidence is weak", ""),
        (first.decided and first.action != action, "the two plans disagree", ""),
        (SIGNS[action] * view.net < 0, "the evidence as a whole points the other way", ""),
    )
    return [
        f"{words} ({view.figure(metric) or 'macro regime'})" if metric else words
        for raised, words, metric in checks
        if raised
    ]


def risk_figures(view: View) -> str:
    """Quote the figures that measure risk; empty where no report has one."""
    return ", ".join(figure for name in _RISK_FIGURES if (figure := view.figure(name)))


def _name(speaker: str) -> str:
    return speaker.split(" ")[0].lower()


def _stand(stance: Stance, plan: Plan, view: View) -> str:
    measured = risk_figures(view)
    given = f"The trader proposes a {plan.action}." if plan.decided else "There is no plan with a decision."
    figures = f"The figures that matter for risk: {measured}." if measured else "No report measures the risk."
    return f"{stance.view} {given} {figures}"


def _side(plan: Plan, view: View) -> int:
    """Return the side the plan bets on; for a HOLD the side of the net score."""
    return SIGNS.get(plan.action or "", 0) or (1 if view.net >= 0 else -1)


def _argument(stance: Stance, plan: Plan, view: View, earlier: str) -> str:
    """Bring two readings of different groups that were not brought before: for the bet, against it, or one of each."""
    bet = _side(plan, view)
    signs = (stance.sign,) if stance.sign else (1, -1)
    take = 2 // len(signs)
    fresh = [item for sign in signs for item in _unsaid(view, bet * sign, earlier)[:take]]
    if not fresh:
        return "I have no further figure to add." if earlier else "No reading in the reports speaks for this stance."
    if stance.sign:
        held = "the position has" if plan.action != "HOLD" else "a position would have"
        return f"{f'What {held} going for it' if stance.sign > 0 else 'What could go wrong'}: {_cited(fresh)}."
    return f"Both sides have a case: {_cited(fresh)}."


def _unsaid(view: View, sign: int, earlier: str) -> list[Evidence]:
    return [item for item in strongest(view, sign, len(view.evidence)) if not item.said_in(earlier)]


def _cited(items: Sequence[Evidence]) -> str:
    return listed([item.cite for item in items])


def _answers(stance: Stance, brief: Brief, view: View) -> str:
    """Answer what each of the others said since this debater's last turn."""
    last: dict[str, str] = {}
    for turn in brief.turns:
        if _name(turn.speaker) == stance.name:
            last.clear()
        else:
            last[_name(turn.speaker)] = turn.text
    answers: dict[tuple[str, str], list[str]] = {}
    for name, text in last.items():
        answers.setdefault(_answer(stance, name, text, brief, view), []).append(name)
    return " ".join(f"{_named(names, said)} {reply}".strip() for (said, reply), names in answers.items())


def _named(names: Sequence[str], said: str) -> str:
    """Write who says something: `The neutral side argues …`, `The aggressive and neutral sides argue …`."""
    if len(names) == 1:
        return f"The {names[0]} side {said}"
    verb, _, rest = said.partition(" ")
    return f"The {listed(names)} sides {verb.removesuffix('s')} {rest}"


def _answer(stance: Stance, name: str, text: str, brief: Brief, view: View) -> tuple[str, str]:
    """Return what another debater does, beginning with its verb, and the reply to it."""
    theirs, plan = _said_size(name, text, brief, view), trader_plan(brief)
    mine = proposed_size(stance, plan, view, brief.largest_position)
    if mine is None:
        return "names no size, and neither do I.", ""
    if theirs is None:
        return "names no size; mine stands below.", ""
    if theirs == mine:
        return "comes to the same size.", ""
    bet = _side(plan, view)
    points = view.said(bet if theirs > mine else -bet, text)
    point = points[0] if points else None
    said = f"argues from {point.group}." if point else f"asks for {_written(theirs)}."
    want = bet if mine > theirs else -bet
    counter = next((item for item in strongest(view, want, 3) if point is None or item.group != point.group), None)
    more = "a larger" if mine > theirs else "a smaller"
    if counter is None:
        return said, f"I still ask for {more} position; that is my stance, no figure decides it."
    return said, f"I ask for {more} position because of {counter.group}: {counter.cite}."
