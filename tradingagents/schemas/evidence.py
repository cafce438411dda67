"""Evidence of a deep report: a claim, the words of its source, where they stand, and what they mean for the value."""

from __future__ import annotations

import hashlib
import unicodedata
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, computed_field, field_validator, model_validator

SourceKind = Literal["filing", "call", "statement", "prices", "news", "insiders", "peers", "estimates", "macro"]
"""Types of source; the diversity of evidence counts how many of them it has."""
EvidenceDirection = Literal["supports", "contradicts", "neutral"]
"""What an item says about its hypothesis."""
ValueDriver = Literal["growth", "margin", "cost_of_capital", "capital_intensity"]
"""Drivers of a valuation that evidence may move."""
Sentence = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=600)]
Quotation = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1200)]
Label = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]
LONGEST_HORIZON = 10
"""Years of explicit forecast at most."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class DriverEffect(_Frozen):
    """How far a driver of the valuation moves, and in which years, if a claim holds in full."""

    driver: ValueDriver
    change: float
    """Growth, margin and cost of capital: added to the rate, 0.01 is one percentage point. Capital intensity: relative
    change of the capital that a unit of added revenue needs, 0.05 is 5 % more."""
    first_year: int = Field(1, ge=1, le=LONGEST_HORIZON)
    """First year of the forecast that it concerns; 1 is the coming year."""
    last_year: int = Field(LONGEST_HORIZON, ge=1, le=LONGEST_HORIZON)

    @model_validator(mode="after")
    def _in_order(self) -> DriverEffect:
        if self.last_year < self.first_year:
            raise ValueError("last_year lies before first_year")
        return self


class EvidenceSource(_Frozen):
    """Where an item of evidence comes from."""

    kind: SourceKind
    title: Label
    """Such as `10-K 2024, filed 2024-11-01`."""
    address: Label
    """What opens it: the label of a passage, the address of an article, or a capability with its arguments."""
    place: str = Field("", max_length=300)
    """Page, table cell or speaker; empty where the source is one figure."""
    known_at: datetime
    """When it became known, with time zone."""

    @field_validator("known_at")
    @classmethod
    def _with_zone(cls, value: datetime) -> datetime:
        if value.tzinfo is None:
            raise ValueError("known_at needs a time zone")
        return value


class EvidenceItem(_Frozen):
    """One claim with the words of its source. The same claim, source, quotation and hypothesis have the same id."""

    hypothesis: Label
    """Id of the hypothesis that it was gathered for."""
    claim: Sentence
    quote: Quotation
    """Word for word from the source."""
    figure: float | None = None
    """The figure that the claim rests on, unscaled, as it stands in the quotation; None where it rests on words."""
    source: EvidenceSource
    confidence: float = Field(ge=0, le=1)
    direction: EvidenceDirection
    effect: DriverEffect | None = None
    """None where the claim moves no driver."""
    iteration: int = Field(ge=1)

    @computed_field  # type: ignore[prop-decorator]
    @cached_property
    def id(self) -> str:
        """Address of the item by its content."""
        source = self.source
        parts = (self.hypothesis, claim_key(self.claim), source.kind, source.address, source.place, self.quote)
        return "E-" + hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]


@lru_cache(maxsize=4096)
def claim_key(claim: str) -> str:
    """Return a claim without capitals, punctuation at the ends of words and repeated white space.

    Two claims with the same key say the same. Signs, decimal points and percent signs of figures stay.

    >>> claim_key("Margin rose to 44.1%.") == claim_key("margin  rose to 44.1%")
    True
    """
    folded = unicodedata.normalize("NFKC", claim).casefold()
    words = (word.strip(".,;:!?\"'()[]") for word in folded.split())
    return " ".join(word for word in words if word)
