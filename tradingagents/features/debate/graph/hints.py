"""Reads the user's hints: advice to the bull or the bear, never to the moderator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tradingagents.features.debate.schemas import SIDES, DebateHint

MOST_HINT_CHARS = 1000
NEVER_THE_MODERATOR = "Hints go to the bull or the bear, never to the moderator. "
HOW = "Begin each hint with its side, such as bull: look at the margins. "


def hints_of(given: Mapping[str, Any], phase: str) -> tuple[list[DebateHint] | None, str]:
    """Return the hints in what the user says at a pause; where it cannot be used, None and why.

    Args:
        given: `hints`, a list of objects with `side` and `text`; or `note` or `text`, a line a hint (`bull: …`).
            Nothing means: continue.
        phase: The phase that the hints are for.
    """
    pairs = [(str(hint.get("side", "")), str(hint.get("text", ""))) for hint in given.get("hints") or ()]
    note = str(given.get("note") or given.get("text") or "")
    pairs += [(side, text) for side, _, text in (line.partition(":") for line in note.splitlines() if line.strip())]
    hints = []
    for side, text in pairs:
        name = side.strip().lower()
        if name == "moderator":
            return None, NEVER_THE_MODERATOR
        if name not in SIDES or not text.strip():
            return None, HOW
        hints.append(DebateHint(side=name, text=text.strip()[:MOST_HINT_CHARS], phase=phase))
    return hints, ""
