"""Bear advocate: argues that the company's shares are not worth buying."""

from __future__ import annotations

from tradingagents.features.debate.agents.advocate import advocate

STANCE = "You argue against the company: why its shares are worth less than their price, and what is overlooked."
BEAR = advocate("bear", "Bear Advocate", STANCE)
