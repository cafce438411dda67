"""The documented state of a debate: what its speakers have said so far, under the keys that each of them declares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tradingagents.agents.debates import Debate
from tradingagents.agents.roster import speakers_of
from tradingagents.agents.states import Turn


def order_of(debate: Debate) -> tuple[str, ...]:
    """Return the names of a debate's speakers, first to last."""
    return tuple(speaker.name for speaker in speakers_of(debate))


def with_turns(debate: Debate, turns: list[Turn]) -> dict[str, Any]:
    """Return the state's update for these turns."""
    newest = turns[-1] if turns else Turn(speaker="", text="")
    speakers = speakers_of(debate)
    own = {speaker.history_key: transcript(turns, speaker.name) for speaker in speakers}
    last = {speaker.response_key: last_words(turns, speaker.name) for speaker in speakers if speaker.response_key}
    state = {
        "turns": turns,
        "history": transcript(turns),
        **own,
        **last,
        **{key: newest[part] for key, part in debate.newest.items()},  # type: ignore[literal-required]
        "count": len(turns),
        "judge_decision": "",
    }
    return {debate.state_key: state}


def merged(debate: Debate, left: Mapping[str, Any], right: Mapping[str, Any]) -> Mapping[str, Any]:
    """Merge two states of a debate; turns of the same step are put in the order of the speakers.

    Args:
        debate: The debate.
        left: The state so far, possibly with one side's turn of this step.
        right: The state as another side or the judge updated it.
    """
    known, given = left.get("turns", []), right.get("turns", [])
    if given[: len(known)] == known:
        return right
    pairs = enumerate(zip(known, given, strict=False))
    shared = next((at for at, (old, new) in pairs if old != new), len(given))
    order = order_of(debate)
    side_by_side = sorted([*known[shared:], *given[shared:]], key=lambda turn: order.index(turn["speaker"]))
    state: Mapping[str, Any] = with_turns(debate, [*known[:shared], *side_by_side])[debate.state_key]
    return state


def judged(debate: Debate, state: Mapping[str, Any], text: str) -> dict[str, Any]:
    """Return the state's update once its judge has decided; of no debate at all, too."""
    held = state.get(debate.state_key) or with_turns(debate, [])[debate.state_key]
    return {debate.state_key: {**held, "judge_decision": text}}


def transcript(turns: Sequence[Turn], speaker: str | None = None) -> str:
    """Return the debate as text, of one speaker or of all."""
    return "\n\n".join(
        f"{turn['speaker']}: {turn['text']}" for turn in turns if speaker is None or turn["speaker"] == speaker
    )


def last_words(turns: Sequence[Turn], speaker: str) -> str:
    """Return the newest turn of a speaker; empty where there is none."""
    return next((turn["text"] for turn in reversed(turns) if turn["speaker"] == speaker), "")
