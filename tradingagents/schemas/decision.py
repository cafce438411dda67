"""A decision: what a deciding agent fills in, and what a run ends with."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Protocol

from pydantic import Field, field_validator
from pydantic.json_schema import SkipJsonSchema

from tradingagents.schemas.record import FILLED_IN, FilledIn, Record

Action = Literal["BUY", "SELL", "HOLD", "NO_DECISION"]
SellMeans = Literal["short", "close"]
Rating = Literal["Buy", "Overweight", "Hold", "Underweight", "Sell", "REVIEW"]
RATINGS_5_TIER: tuple[Rating, ...] = ("Buy", "Overweight", "Hold", "Underweight", "Sell")
"""From the most bullish to the most bearish."""
RATING_REVIEW: Rating = "REVIEW"
"""There is no decision to act on; a person looks at the run."""
FULL = 0.65
"""Conviction from which BUY is Buy and SELL is Sell; below, they are Overweight and Underweight."""
MOST_LISTED = 12
"""Most entries of any list that a model fills in but the picks of a scan: later runs read each again."""


class Evidence(FilledIn):
    """One claim with where it comes from."""

    claim: str = Field(
        min_length=1,
        description="State one fact in a sentence: quote the figure, and name its metric and period, as a report does",
    )
    source: str = Field(min_length=1, description="Name the tool or report that gave it, such as get_ttm_analysis")


class KeyEvidence(Evidence):
    """A piece of a decision's key evidence, and whether the data support it."""

    omits: ClassVar[tuple[str, ...]] = ("unsupported",)

    unsupported: str = ""
    """Set for key evidence that quotes no figure of the run's data: no_figure (the claim has none) or untraced (none of
    its figures is in the data). Empty for supported evidence, and where it was not checked."""


class Decided(Record):
    """What a model's verdict and the decision of a run have in common."""

    writes_defaults: ClassVar[bool] = True

    action: Action
    confidence: float = Field(ge=0, le=1, description="Give the probability from 0 to 1 that the action proves right")
    rationale: str
    reasoning: str | None = Field(
        None,
        description="Explain in detail: give the main points of each side, weigh them, and name what is left open",
    )
    plan: tuple[str, ...] = Field(
        default_factory=tuple,
        max_length=MOST_LISTED,
        description="List what to do, step by step; give each action its level, size, day or condition",
    )
    horizon_days: int | None = Field(
        None, ge=1, le=1000, description="Give the calendar days that the view is meant for"
    )
    entry: float | None = Field(None, gt=0, description="Give the price to act at, in the stock's currency")
    stop: float | None = Field(None, gt=0, description="Give the price at which the view is wrong")
    target: float | None = Field(None, gt=0, description="Give the price at which the view has paid")
    position_size: float | None = Field(None, ge=0, le=1, description="Give the fraction of equity to commit, 0 to 1")
    key_evidence: tuple[Evidence, ...] = Field(
        default_factory=tuple,
        description="List the three to six facts that decided it, at least one with a figure of the data",
    )
    dissent: str | None = Field(None, description="Say what the other side had right")
    would_change: str | None = Field(None, description="Name the event or level that would turn this decision")
    strength: Annotated[float | None, SkipJsonSchema()] = Field(None, ge=0, le=1)
    """How strongly the offline rules speak, 0 to 1; language models are not asked for it."""
    track_record: Annotated[str | None, SkipJsonSchema()] = None
    """How often decisions like this one were right, in a sentence; language models are not asked for it."""

    @field_validator("confidence", "horizon_days", "entry", "stop", "target", "position_size", mode="before")
    @classmethod
    def _no_booleans(cls, value: object) -> object:
        """Refuse true and false, which Python would take for 1 and 0."""
        if isinstance(value, bool):
            raise ValueError("must be a number, not true or false")
        return value


class WithStrength(Protocol):
    """A decision, or what is left of an earlier one."""

    @property
    def strength(self) -> float | None:
        """How strongly fixed rules speak, 0 to 1; None for a language model."""


class Verdict(Decided):
    """A decision on one stock for one day. Null where you have no view; never invent a number."""

    model_config = FILLED_IN

    action: Literal["BUY", "SELL", "HOLD"] = Field(
        description="Choose BUY, SELL or HOLD; HOLD only where the evidence is balanced, never for lack of courage"
    )
    rationale: str = Field(
        min_length=20, description="Say why in two to four sentences of your own; quote the figures that decide"
    )


class Decision(Decided):
    """How a run ends: a verdict, or NO_DECISION with the reason in `rationale`. Never a silent HOLD.

    The confidence of NO_DECISION is 0. Null, or an empty plan, where the model gave none.
    """

    written_last: ClassVar[tuple[str, ...]] = ("key_evidence", "dissent", "would_change", "strength", "track_record")

    sell_means: SellMeans | None = None
    """What SELL asks for; None for another action, and in records of versions before this was said."""
    key_evidence: tuple[KeyEvidence, ...] = ()

    def __str__(self) -> str:
        return self.action

    def __eq__(self, other: object) -> bool:
        """Compare with another decision, or with an action's name, as scripts of the known API do."""
        return self.action == other if isinstance(other, str) else super().__eq__(other)

    def __hash__(self) -> int:
        return hash(self.action)

    @classmethod
    def from_verdict(cls, verdict: Verdict, *, sell_means: SellMeans = "short") -> Decision:
        """Take over a model's verdict unchanged.

        Args:
            verdict: What the model answered.
            sell_means: What a SELL asks for, by the settings of the run.
        """
        means = sell_means if verdict.action == "SELL" else None
        return cls.model_validate({**verdict.model_dump(), "sell_means": means})

    @property
    def conviction(self) -> float:
        """How sure the decision is, from 0 to 1, see `conviction_of`."""
        return conviction_of(self.confidence, self.strength)

    @property
    def rating(self) -> Rating:
        """The decision on the five steps of the public TradingAgents; REVIEW for NO_DECISION.

        A rating is computed, never stored: the decision says more, and says it itself.
        """
        return rating_of(self.action, self.conviction)

    def without_levels(self, reason: str) -> Decision:
        """Return a decision that opens a position without entry, stop, target, size and plan; another one as it is.

        Args:
            reason: Why none can be set, to end a sentence.
        """
        if self.action != "BUY" and (self.action != "SELL" or self.sell_means == "close"):
            return self
        rationale = f"{self.rationale} There is no entry, stop, target or size: {reason}"
        empty = dict.fromkeys(("entry", "stop", "target", "position_size"))
        return self.model_copy(update={**empty, "plan": (), "rationale": rationale})

    @classmethod
    def none(cls, reason: str) -> Decision:
        """Return NO_DECISION with its reason."""
        return cls(action="NO_DECISION", confidence=0.0, rationale=reason)


def conviction_of(confidence: float, strength: float | None) -> float:
    """Return what ranks decisions of one action: the strength where it is stated, else the confidence.

    The offline rules state one observed rate as the confidence of every call; only their strength differs.
    """
    return confidence if strength is None else strength


def sureness_of(confidence: float, strength: float | None) -> tuple[str, float]:
    """Return what says how sure a decision is, with its value of 0 to 1.

    Args:
        confidence: As stated. That of the offline rules is their record, the same for every call.
        strength: How strongly rules speak; None for a language model.
    """
    return ("confidence", confidence) if strength is None else ("strength", strength)


def sureness_words(confidence: float, strength: float | None) -> str:
    """Return how sure a decision is, in words: strength 0.64 of rules, confidence 0.62 of a language model."""
    name, value = sureness_of(confidence, strength)
    return f"{name} {value:.2f}"


def rating_of(action: str, conviction: float) -> Rating:
    """Return the rating of a decision.

    Args:
        action: BUY, SELL, HOLD or NO_DECISION.
        conviction: 0 to 1; does not matter for HOLD and NO_DECISION.
    """
    match action:
        case "BUY":
            return "Buy" if conviction >= FULL else "Overweight"
        case "SELL":
            return "Sell" if conviction >= FULL else "Underweight"
        case "HOLD":
            return "Hold"
    return RATING_REVIEW


def is_review(rating: str) -> bool:
    """Return whether a rating is none of the five: nothing was decided."""
    return rating not in RATINGS_5_TIER
