"""Bull advocate: argues that the company's shares are worth buying."""

from __future__ import annotations

from tradingagents.features.debate.agents.advocate import advocate

STANCE = "You argue for the company: why its shares are worth more than their price, and what would prove it."
BULL = advocate("bull", "Bull Advocate", STANCE)
