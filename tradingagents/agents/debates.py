"""The two debates: their speakers, their turns, and their documented state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tradingagents.agents.states import Turn

if TYPE_CHECKING:
    from tradingagents.agents.spec import DebateAgent


SIMULTANEOUS = "simultaneous"
"""The `debate_mode` in which all sides of a round speak at once."""


@dataclass(frozen=True)
class Debate:
    """One debate of the trading graph."""

    phase: str
    state_key: str
    rounds: str
    """Name of the setting for the number of rounds."""
    newest: Mapping[str, str]
    """Keys of the debate's state that hold a part of the newest turn: `text` or `speaker`."""

    @property
    def speakers(self) -> tuple[DebateAgent, ...]:
        """Its debaters, first to last."""
        from tradingagents.agents.roster import speakers_of

        return speakers_of(self)

    @property
    def order(self) -> tuple[str, ...]:
        """The names of its debaters, first to last."""
        return tuple(speaker.name for speaker in self.speakers)

    def turns(self, state: Mapping[str, Any]) -> list[Turn]:
        """Return the turns; a state from elsewhere that has only `history` counts as one turn."""
        debate = state.get(self.state_key)
        if not debate:
            return []
        if "turns" in debate:
            return list(debate["turns"])
        history = str(debate.get("history") or "").strip()
        return [Turn(speaker="Earlier debate", text=history)] if history else []

    def update(self, turns: list[Turn]) -> dict[str, Any]:
        """Return the state's update for these turns."""
        newest = turns[-1] if turns else Turn(speaker="", text="")
        own = {speaker.history_key: transcript(turns, speaker.name) for speaker in self.speakers}
        last = {one.response_key: last_words(turns, one.name) for one in self.speakers if one.response_key}
        debate = {
            "turns": turns,
            "history": transcript(turns),
            **own,
            **last,
            **{key: newest[part] for key, part in self.newest.items()},  # type: ignore[literal-required]
            "count": len(turns),
            "judge_decision": "",
        }
        return {self.state_key: debate}

    def merged(self, left: Mapping[str, Any], right: Mapping[str, Any]) -> Mapping[str, Any]:
        """Merge two states of the debate; turns of the same step are put in the order of the speakers.

        Args:
            left: The state so far, possibly with one side's turn of this step.
            right: The state as another side or the judge updated it.
        """
        known, given = left.get("turns", []), right.get("turns", [])
        if given[: len(known)] == known:
            return right
        pairs = enumerate(zip(known, given, strict=False))
        shared = next((at for at, (one, other) in pairs if one != other), len(given))
        order = self.order
        side_by_side = sorted([*known[shared:], *given[shared:]], key=lambda turn: order.index(turn["speaker"]))
        merged: Mapping[str, Any] = self.update([*known[:shared], *side_by_side])[self.state_key]
        return merged

    def judged(self, state: Mapping[str, Any], text: str) -> dict[str, Any]:
        """Return the state's update once its judge has decided; of no debate at all, too."""
        held = state.get(self.state_key) or self.update([])[self.state_key]
        return {self.state_key: {**held, "judge_decision": text}}


RESEARCH = Debate("research", "investment_debate_state", "max_debate_rounds", newest={"current_response": "text"})
RISK = Debate("risk", "risk_debate_state", "max_risk_discuss_rounds", newest={"latest_speaker": "speaker"})


def transcript(turns: Sequence[Turn], speaker: str | None = None) -> str:
    """Return the debate as text, of one speaker or of all."""
    return "\n\n".join(
        f"{turn['speaker']}: {turn['text']}" for turn in turns if speaker is None or turn["speaker"] == speaker
    )


def last_words(turns: Sequence[Turn], speaker: str) -> str:
    """Return the newest turn of a speaker; empty where there is none."""
    return next((turn["text"] for turn in reversed(turns) if turn["speaker"] == speaker), "")


def next_speaker(turns: Sequence[Turn], order: Sequence[str], *, rounds: int, judge: str) -> str:
    """Return the next speaker: each in order for `rounds` rounds, then the judge.

    Args:
        turns: The turns so far.
        order: The debaters, first to last.
        rounds: How often each speaks.
        judge: Who ends the debate.
    """
    if len(turns) >= rounds * len(order):
        return judge
    return order[len(turns) % len(order)]


def next_of_side(turns: Sequence[Turn], speaker: str, *, rounds: int, judge: str) -> str:
    """Return the next node of one side in a simultaneous debate: itself for the next round, or the judge.

    Args:
        turns: The turns so far, with the speaker's newest one.
        speaker: The side.
        rounds: How often each speaks.
        judge: Who ends the debate.
    """
    spoken = sum(turn["speaker"] == speaker for turn in turns)
    return speaker if spoken < rounds else judge
