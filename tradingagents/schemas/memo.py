"""The memo of an investor persona: what the persona submits, and what the assistant and the faces get."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StringConstraints

from tradingagents.schemas.workspace import WireModel

Stance = Literal["bullish", "bearish", "neutral", "abstain"]
Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=600)]
"""One bullet."""


class MemoSubmission(BaseModel):
    """Submit the finished research memo. Call it once; it ends the work. Nothing else is accepted as an answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    stance: Stance = Field(
        description="bullish, bearish or neutral on what was asked; abstain where it is out of scope"
    )
    confidence: Annotated[StrictInt, Field(ge=0, le=100)] = Field(
        description="How strong the evidence is in your own judgement, a whole number from 0 to 100"
    )
    thesis: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)] = Field(
        description="The view in one short paragraph"
    )
    key_evidence: tuple[Line, ...] = Field((), description="The facts it rests on, each with its figure")
    risks: tuple[Line, ...] = Field((), description="What would prove the view wrong")
    open_questions: tuple[Line, ...] = Field((), description="What was not known and would matter")
    citations: tuple[Line, ...] = Field(
        (), description="Sources of the evidence: the label of a tool result, such as T1, or of a figure, T1:pe_ttm"
    )


def memo_sureness(confidence: int, *, by_rules: bool) -> str:
    """Return how sure a memo is, in words: strength 60 of 100 of rules, confidence 60 of 100 as a model reported it."""
    return f"strength {confidence} of 100, by rules" if by_rules else f"confidence {confidence} of 100 as reported"


class MemoSource(WireModel):
    """A tool result that the persona read."""

    label: str
    """Its label in the memo, such as `T1`."""
    capability: str
    arguments: dict[str, Any]
    title: str
    symbol: str | None
    as_of: date


class GuruResearchMemo(WireModel):
    """A persona's validated memo. What the persona reported stands unchanged; the checks stand beside it."""

    guru: str
    """Name of the persona; set by the library, never by the model."""
    title: str
    """The persona's name as people write it."""
    question: str
    stance: Stance
    confidence: int
    """0 to 100, as the persona reported it: its own judgement of the evidence, not a computed probability."""
    by_rules: bool = False
    """Whether fixed rules wrote the memo: its confidence then is how strongly they speak."""
    thesis: str
    key_evidence: tuple[str, ...]
    risks: tuple[str, ...]
    open_questions: tuple[str, ...]
    citations: tuple[str, ...]
    supported: bool
    """Whether the memo cites what was read, and every citation matches a tool result of the persona's research."""
    confidence_note: str
    """Why the reported confidence lacks support; empty where it has it."""
    unmatched_citations: tuple[str, ...] = ()
    """Citations that match nothing that the persona read."""
    fit_note: str = ""
    """Which subjects of its method the memo leaves out, after the persona was asked once to weigh them."""
    sources: tuple[MemoSource, ...] = ()
    """What the citations refer to."""

    def to_markdown(self) -> str:
        """Return the memo as a model reads it."""
        lines = [
            f"## Memo of {self.title}: {self.stance}, {memo_sureness(self.confidence, by_rules=self.by_rules)}",
            "",
            self.thesis,
        ]
        for heading, items in (
            ("Evidence", self.key_evidence),
            ("Risks", self.risks),
            ("Open questions", self.open_questions),
        ):
            if items:
                lines += ["", f"{heading}:", *(f"- {item}" for item in items)]
        if self.citations:
            lines += ["", f"Citations: {', '.join(self.citations)}"]
        read = [f"- {one.label}: {one.title}" for one in self.sources]
        lines += ["", "Sources read:", *read] if read else []
        notes = [note for note in (self.confidence_note, self.fit_note) if note]
        lines += ["", *(f"Note: {note}" for note in notes)] if notes else []
        return "\n".join(lines)
