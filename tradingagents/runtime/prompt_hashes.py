"""Hashes of the prompts: what a run card needs so that two runs can be told to have asked the same."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache

from tradingagents.agents.prompting import PREAMBLE, SCAN_DESK, TRADING_DESK
from tradingagents.agents.roster import analyst, roster
from tradingagents.settings import ANALYSTS


@lru_cache(maxsize=8)
def prompt_hashes(analysts: Sequence[str] = ANALYSTS) -> Mapping[str, str]:
    """Return the SHA-256 of every agent's prompt template, and of the common preamble, by agent.

    Args:
        analysts: The analysts of a run; those of installed packages count only where they are selected.
    """
    selected = {name: analyst(name) for name in (*ANALYSTS, *analysts)}
    prompts = {"Desk": PREAMBLE + TRADING_DESK + SCAN_DESK}
    for spec in (*selected.values(), *roster().deciders, *roster().scan):
        prompts[spec.name] = spec.prompt_template
    return hashed(prompts)


def hashed(prompts: Mapping[str, str]) -> dict[str, str]:
    """Return the SHA-256 of each prompt, by agent."""
    return {agent: hashlib.sha256(prompt.encode()).hexdigest() for agent, prompt in prompts.items()}
