"""Who speaks next: small pure functions of what was said."""

from __future__ import annotations

from collections.abc import Sequence

from tradingagents.agents.states import Turn


def next_speaker(turns: Sequence[Turn], order: Sequence[str], *, rounds: int, judge: str) -> str:
    """Return who speaks next: the order goes round `rounds` times, then the judge decides.

    Args:
        turns: What was said so far.
        order: The debaters, first to last.
        rounds: How often each speaks.
        judge: Who ends the debate.
    """
    if len(turns) >= rounds * len(order):
        return judge
    return order[len(turns) % len(order)]
