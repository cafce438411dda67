"""A persona: an investor's method as a prompt, with the capabilities it may call and the limits of its style."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator

from tradingagents.schemas.memo import MemoSubmission

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Subject = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60)]
OfflineMethod = Literal["value", "cycles", "macro", "none"]
NAME = r"[a-z][a-z0-9_]{1,39}"


class _PersonaPart(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class StyleLimits(_PersonaPart):
    """How long a persona may work and write."""

    evidence: Annotated[int, Field(ge=1, le=20)] = 5
    """Most bullets of evidence in a memo."""
    thesis_words: Annotated[int, Field(ge=20, le=300)] = 120
    """Most words of the thesis."""
    rounds: Annotated[int, Field(ge=1, le=20)] = 6
    """Most rounds of tool calls before the memo must be submitted."""


class FitRule(_PersonaPart):
    """What a memo must weigh to be one of this persona's method."""

    at_least: Annotated[int, Field(ge=0, le=20)] = 1
    """How many of the subjects a memo must weigh."""
    subjects: Mapping[Subject, Annotated[tuple[Subject, ...], Field(min_length=1)]] = {}
    """Words by which a subject is recognised in a memo, by subject."""


class Persona(_PersonaPart):
    """One investor persona, as its YAML file states it."""

    name: Annotated[str, StringConstraints(pattern=rf"^{NAME}$")]
    """Lower case with underscores; the assistant calls it as `consult_<name>`."""
    title: Annotated[Text, StringConstraints(max_length=60)]
    """Its name as people write it."""
    lens: Annotated[Text, StringConstraints(max_length=200)]
    """What it looks at, in some words; the assistant reads it to choose."""
    prompt: Annotated[Text, StringConstraints(max_length=12_000)]
    """Its method, as its system prompt."""
    tools: Annotated[tuple[Text, ...], Field(min_length=1, max_length=30)]
    """Names of the capabilities it may call: there is no other list."""
    out_of_scope: Annotated[Text, StringConstraints(max_length=1000)]
    """What it has no method for; on such questions it abstains."""
    limits: StyleLimits = StyleLimits()
    fit: FitRule = FitRule()
    offline: OfflineMethod = "none"
    """Fixed rules that write its memo where no language model does; `none`: it abstains there."""

    @field_validator("fit")
    @classmethod
    def _can_be_met(cls, value: FitRule) -> FitRule:
        if value.subjects and value.at_least > len(value.subjects):
            raise ValueError(f"at_least is {value.at_least}, but there are {len(value.subjects)} subjects")
        return value

    @property
    def tool_name(self) -> str:
        """The tool by which the assistant consults it."""
        return f"{CONSULT}{self.name}"

    def missing_subjects(self, memo: MemoSubmission) -> tuple[str, ...]:
        """Return the subjects of its method that a memo leaves out; none where it weighs enough, or abstains.

        A subject is weighed where one of its words stands in the thesis, the evidence, the risks or the open questions,
        whatever its case.
        """
        if memo.stance == "abstain" or not self.fit.subjects:
            return ()
        written = " ".join((memo.thesis, *memo.key_evidence, *memo.risks, *memo.open_questions))
        text = f" {' '.join(''.join(letter if letter.isalnum() else ' ' for letter in written.lower()).split())} "
        weighed = {name for name, words in self.fit.subjects.items() if any(_stands_in(word, text) for word in words)}
        if len(weighed) >= self.fit.at_least:
            return ()
        return tuple(name for name in self.fit.subjects if name not in weighed)


CONSULT = "consult_"
"""What the names of the tools that consult a persona begin with."""


def _stands_in(word: str, text: str) -> bool:
    """Tell whether a word or a phrase stands in a text, also with an ending such as a plural's."""
    plain = " ".join("".join(letter if letter.isalnum() else " " for letter in word.lower()).split())
    return bool(plain) and f" {plain}" in text
