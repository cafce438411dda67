"""A range of guidance as a model states it: apart from what reads documents, which a record of one does without."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class ClaimedRange(BaseModel):
    """A range as a model states it."""

    model_config = ConfigDict(frozen=True)

    sentence: int = Field(description="The number of the sentence")
    quote: str = Field(min_length=5, max_length=600, description="Word for word from the sentence, in one piece")
    item: str = Field(min_length=2, max_length=80, description="What the figure is of, in words of the quotation")
    low: float | None = Field(None, description="The low end, unscaled: 1.2 billion is 1200000000; null where open")
    high: float | None = Field(None, description="The high end; equal to low for a single figure; null where open")
    is_growth: bool = Field(False, description="Whether the figure is a change on the year before, in percent")
