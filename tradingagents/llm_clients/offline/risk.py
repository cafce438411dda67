"""The risk debators argue about size from drawdown, volatility and evidence; the risk manager reads them back."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from tradingagents.llm_clients.offline.evidence import RISK_OFF, View, by_strength, distinct, view_of
from tradingagents.llm_clients.offline.grounds import SIGNS
from tradingagents.llm_clients.offline.reading import Plan, Prompt

MAX_SIZE = 0.10
"""Largest fraction of equity that a decision commits to one stock."""
MAX_ASKED = 0.15
"""Largest fraction a debator asks for."""
STARTER = 0.02
"""What a debator starts from where the trader commits nothing or names no size."""
HIGH_VOLATILITY = 60.0
"""volatility_20d in per cent."""
DEEP_DRAWDOWN = -50.0
"""max_drawdown_1y in per cent."""
LOW_CONFIDENCE = 0.45
LOW_COVERAGE = 0.5
_RESTS = "I rest on "
_SIZE = re.compile(r"Proposed position size \(derived\): (\d+(?:\.\d+)?)")
_RISK_FIGURES = ("volatility_20d", "max_drawdown_1y", "atr", "regime_score")


@dataclass(frozen=True, slots=True)
class Stance:
    """How one debator sees size."""

    name: str
    supported: float
    """Factor on the trader's size where the net score stands on the side of the action."""
    unsupported: float
    view: str
    sign: int
    """The evidence it argues from: 1 for the action's side, -1 for the other, 0 for both."""


AGGRESSIVE = Stance("aggressive", 1.5, 1.0, "An edge that is not used is lost, and the stop bounds the loss.", 1)
CONSERVATIVE = Stance("conservative", 0.5, 0.25, "Capital that is kept can be used tomorrow; the loss comes first.", -1)
NEUTRAL = Stance("neutral", 1.0, 0.5, "The size should follow the evidence and the range, not the mood.", 0)


def aggressive(prompt: Prompt) -> str:
    """Argue for a larger position."""
    return argue(AGGRESSIVE, prompt)


def conservative(prompt: Prompt) -> str:
    """Argue for a smaller position."""
    return argue(CONSERVATIVE, prompt)


def neutral(prompt: Prompt) -> str:
    """Argue for a position between the two."""
    return argue(NEUTRAL, prompt)


DEBATORS: dict[str, Callable[[Prompt], str]] = {
    "Aggressive Debator": aggressive,
    "Conservative Debator": conservative,
    "Neutral Debator": neutral,
}


def argue(stance: Stance, prompt: Prompt) -> str:
    """Take a turn: stance, figures, an answer to what was said, and a size."""
    view, plan = view_of(prompt), trader_plan(prompt)
    earlier = [turn.text for turn in prompt.turns if _name(turn.speaker) == stance.name]
    parts = [
        _stand(stance, plan, view) if not earlier else f"My stance stays {stance.name}.",
        _argument(stance, plan, view, "\n".join(earlier)),
        _answers(stance, prompt, view),
        f"Proposed position size (derived): {proposed_size(stance, plan, view):.4f}",
    ]
    return "\n\n".join(part for part in parts if part)


def proposed_size(stance: Stance, plan: Plan, view: View) -> float:
    """Return the fraction of equity a debator asks for, at most `MAX_ASKED`.

    The trader's size times the stance's factor; where it is unknown `STARTER` stands in. On a HOLD only the aggressive
    side asks for anything: a starter, and only where there is a net score to follow.
    """
    if plan.action == "HOLD":
        return STARTER if stance is AGGRESSIVE and abs(view.net) > 0.02 else 0.0
    base = plan.position_size if plan.position_size is not None else STARTER
    factor = stance.supported if supported(plan, view) else stance.unsupported
    return round(min(MAX_ASKED, base * factor), 4)


def supported(plan: Plan, view: View) -> bool:
    """Say whether the net score stands on the side of the plan's action."""
    return SIGNS.get(plan.action or "", 0) * view.net > 0


def trader_plan(prompt: Prompt) -> Plan:
    """Return the trader's plan where it decides something, else the research manager's, else an empty one."""
    for name in ("trader_investment_plan", "investment_plan"):
        plan = prompt.plans.get(name)
        if plan and plan.decided:
            return plan
    return Plan()


def proposals(prompt: Prompt) -> dict[str, float]:
    """Return the last size each debator proposed, by stance; without those who proposed none in our words."""
    found: dict[str, float] = {}
    for turn in prompt.turns:
        sizes = _SIZE.findall(turn.text)
        if sizes:
            found[_name(turn.speaker)] = min(1.0, float(sizes[-1]))
    return found


def flags(action: str, confidence: float, view: View, first: Plan) -> list[str]:
    """List the risks that speak against an action, one clause each; none on HOLD.

    `first` is the research manager's plan.
    """
    if action == "HOLD":
        return []
    volatility, fall, regime = view.value("volatility_20d"), view.value("max_drawdown_1y"), view.regime
    checks = (
        (
            action == "BUY" and regime is not None and regime <= RISK_OFF,
            f"{view.figure('regime_score') or 'the macro regime'} is risk-off",
        ),
        (volatility is not None and volatility >= HIGH_VOLATILITY, f"{view.figure('volatility_20d')} is very high"),
        (
            action == "BUY" and fall is not None and fall <= DEEP_DRAWDOWN,
            f"{view.figure('max_drawdown_1y')} is very deep",
        ),
        (view.coverage < LOW_COVERAGE, "the reports cover less than half of the evidence"),
        (confidence < LOW_CONFIDENCE, "confidence is low"),
        (first.decided and first.action != action, "the two plans disagree"),
        (SIGNS[action] * view.net < 0, "the evidence nets against the action"),
    )
    return [words for raised, words in checks if raised]


def risk_figures(view: View) -> str:
    """Quote the figures that measure risk; empty where no report has one."""
    return ", ".join(figure for name in _RISK_FIGURES if (figure := view.figure(name)))


def _name(speaker: str) -> str:
    return speaker.split(" ")[0].lower()


def _stand(stance: Stance, plan: Plan, view: View) -> str:
    measured = risk_figures(view)
    given = f"The trader's plan is {plan.action}." if plan.decided else "There is no plan with a decision."
    figures = f"What measures the risk: {measured}." if measured else "No figure that measures the risk is available."
    return f"{stance.view} {given} {figures}"


def _side(plan: Plan, view: View) -> int:
    """Return the side the plan bets on; for a HOLD the side of the net score."""
    return SIGNS.get(plan.action or "", 0) or (1 if view.net >= 0 else -1)


def _argument(stance: Stance, plan: Plan, view: View, earlier: str) -> str:
    """Bring two pieces of evidence that were not brought before: for the bet, against it, or one of each."""
    bet = _side(plan, view)
    pools = [view.side(bet * sign) for sign in ((stance.sign,) if stance.sign else (1, -1))]
    take = 2 // len(pools)
    fresh = [item for pool in pools for item in distinct([item for item in pool if not item.said_in(earlier)])[:take]]
    if not fresh:
        return "I have no further figure to bring." if earlier else "No reading in the reports speaks for this stance."
    return f"{_RESTS}{'; '.join(f'{item.cite}: {item.row.words}' for item in fresh)}."


def _answers(stance: Stance, prompt: Prompt, view: View) -> str:
    """Answer what each of the others said since this debator's last turn."""
    plan = trader_plan(prompt)
    last: dict[str, str] = {}
    for turn in prompt.turns:
        if _name(turn.speaker) == stance.name:
            last.clear()
        else:
            last[_name(turn.speaker)] = turn.text
    return " ".join(_answer(stance, name, text, plan, view) for name, text in last.items())


def _answer(stance: Stance, name: str, text: str, plan: Plan, view: View) -> str:
    own_words = next((part for part in text.split("\n\n") if part.startswith(_RESTS)), text)
    point = next((item for item in by_strength(view.evidence) if item.said_in(own_words)), None)
    rests = f" and rests on {point.cite}" if point else ""
    sizes = _SIZE.findall(text)
    if not sizes:
        return f"The {name} debator names no size{rests}; I name mine below."
    theirs, mine = float(sizes[-1]), proposed_size(stance, plan, view)
    said = f"The {name} debator asks for {sizes[-1]}{rests}."
    if theirs == mine:
        return f"{said} That is the size I come to as well."
    bet = _side(plan, view)
    counter = next((item for item in view.side(bet if mine > theirs else -bet) if item is not point), None)
    because = (
        f"weigh {counter.cite}: {counter.row.words}"
        if counter
        else "the reports give me no figure for it, my stance does"
    )
    return f"{said} I ask for {'more' if mine > theirs else 'less'}: {because}."
