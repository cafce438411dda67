"""Write decisions as Markdown."""

from __future__ import annotations

from tradingagents.agents.schemas import Decision
from tradingagents.schemas.decision import sureness_of
from tradingagents.settings import SELL_MEANINGS


def render_decision(decision: Decision) -> str:
    """Write a decision as Markdown, without the fields that the model left empty."""
    name, value = sureness_of(decision.confidence, decision.strength)
    fields = {
        "Action": decision.action,
        "SELL means": SELL_MEANINGS[decision.sell_means] if decision.sell_means else None,
        name.capitalize(): f"{value:.2f}",
        "Horizon": f"{decision.horizon_days} days" if decision.horizon_days else None,
        "Entry": _price(decision.entry),
        "Stop": _price(decision.stop),
        "Target": _price(decision.target),
        "Position size": None if decision.position_size is None else f"{decision.position_size:.3g} of equity",
    }
    lines = [f"**{name}:** {value}  " for name, value in fields.items() if value is not None]
    parts = ["\n".join(lines), f"**Rationale:** {decision.rationale}"]
    if decision.reasoning:
        parts.append(f"**Reasoning:** {decision.reasoning}")
    if decision.plan:
        steps = (f"{number}. {step}" for number, step in enumerate(decision.plan, start=1))
        parts.append("\n".join(["**Plan:**", "", *steps]))
    if decision.key_evidence:
        parts.append(
            "\n".join(["**Key evidence:**", "", *(f"- {e.claim} ({e.source})" for e in decision.key_evidence)])
        )
    parts += [f"**Dissent:** {decision.dissent}"] if decision.dissent else []
    parts += [f"**Would change:** {decision.would_change}"] if decision.would_change else []
    return "\n\n".join(parts)


def price_text(value: float) -> str:
    """Write a price for a model: two decimals, below 1 four significant digits."""
    return f"{value:.2f}" if value >= 1 else f"{value:.4g}"


def _price(value: float | None) -> str | None:
    return None if value is None else price_text(value)
