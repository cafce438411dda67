"""What the deciding agents fill in, and the decision a run ends with."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic.json_schema import SkipJsonSchema

from tradingagents.agents.utils.rating import Rating, rating_of
from tradingagents.settings import SellMeans

Action = Literal["BUY", "SELL", "HOLD", "NO_DECISION"]
MOST_LISTED = 12
"""Most entries of any list of a scan's summary but the picks: each is read again in every run that follows the scan."""
_FILLED_IN = ConfigDict(frozen=True, str_strip_whitespace=True)
"""Of what a model fills in: blanks are no text."""


class Evidence(BaseModel):
    """One claim with where it comes from."""

    model_config = _FILLED_IN

    claim: str = Field(
        min_length=1,
        description="State one fact in a sentence: quote the figure, and name its metric and period, as a report does",
    )
    source: str = Field(min_length=1, description="Name the tool or report that gave it, such as get_ttm_analysis")


class Verdict(BaseModel):
    """A decision on one stock for one day. Null where you have no view; never invent a number."""

    model_config = _FILLED_IN

    action: Literal["BUY", "SELL", "HOLD"] = Field(
        description="Choose BUY, SELL or HOLD; HOLD only where the evidence is balanced, never for lack of courage"
    )
    confidence: float = Field(ge=0, le=1, description="Give the probability from 0 to 1 that the action proves right")
    rationale: str = Field(
        min_length=20, description="Say why in two to four sentences of your own; quote the figures that decide"
    )
    reasoning: str | None = Field(
        None,
        description="Explain in detail: give the main points of each side, weigh them, and name what is left open",
    )
    plan: list[str] = Field(
        default_factory=list,
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
    key_evidence: list[Evidence] = Field(
        default_factory=list,
        description="List the three to six facts that decided it, at least one with a figure of the data",
    )
    dissent: str | None = Field(None, description="Say what the other side had right")
    would_change: str | None = Field(None, description="Name the event or level that would turn this decision")
    strength: Annotated[float | None, SkipJsonSchema()] = Field(None, ge=0, le=1)
    """How strongly the offline rules speak; language models are not asked for it."""
    track_record: Annotated[str | None, SkipJsonSchema()] = None
    """What the offline rules' confidence rests on; language models are not asked for it."""

    @field_validator("confidence", "horizon_days", "entry", "stop", "target", "position_size", mode="before")
    @classmethod
    def _no_booleans(cls, value: object) -> object:
        """Refuse true and false, which Python would take for 1 and 0."""
        if isinstance(value, bool):
            raise ValueError("must be a number, not true or false")
        return value


class Decision(BaseModel):
    """How a run ends: a verdict, or NO_DECISION with the reason in `rationale`. Never a silent HOLD."""

    model_config = ConfigDict(frozen=True)

    action: Action
    confidence: float = Field(ge=0, le=1)
    """0 for NO_DECISION."""
    rationale: str
    reasoning: str | None = None
    """The detailed reasoning; None where the model gave none."""
    plan: tuple[str, ...] = ()
    """What to do, step by step."""
    horizon_days: int | None = None
    entry: float | None = None
    stop: float | None = None
    target: float | None = None
    position_size: float | None = None
    sell_means: SellMeans | None = None
    """What SELL asks for; None for another action, and in records of versions before this was said."""
    key_evidence: tuple[Evidence, ...] = ()
    dissent: str | None = None
    would_change: str | None = None
    strength: float | None = None
    """How strongly the offline rules speak for the action, 0 to 1; None for decisions of language models."""
    track_record: str | None = None
    """How often decisions like this one were right, in a sentence; None where nothing was measured."""

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
    def rating(self) -> Rating:
        """The decision on the five steps of the public TradingAgents; REVIEW for NO_DECISION.

        Its conviction is `strength`, where the offline rules decided, and the model's `confidence` elsewhere.
        """
        return rating_of(self.action, self.confidence if self.strength is None else self.strength)

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


Level = Literal["high", "medium", "low"]
Stance = Literal["buy_candidate", "short_candidate", "watch"]


class MacroContext(BaseModel):
    """Where the economy stands."""

    model_config = _FILLED_IN

    economic_cycle: str = Field(min_length=1, description="Name the phase of the cycle and what shows it")
    central_bank_stance: str = Field(
        min_length=1, description="Say whether it is easing, holding or tightening, and what shows it"
    )
    geopolitical_risks: list[str] = Field(
        default_factory=list, max_length=MOST_LISTED, description="List the risks that bear on markets now"
    )


class Theme(BaseModel):
    """A theme that runs through the market."""

    model_config = _FILLED_IN

    theme: str = Field(min_length=1, description="Name it in a few words")
    description: str = Field(min_length=1, description="Say what drives it; quote figures from the reports")
    conviction: Level = Field(description="Choose high, medium or low")
    timeframe: str | None = Field(None, description="Say for how long, such as 1-3 months")


class Pick(BaseModel):
    """A stock to investigate: one of the candidates, by its ticker."""

    model_config = _FILLED_IN

    ticker: str = Field(min_length=1, max_length=32, description="Copy it exactly from the table of candidates")
    name: str = Field("", description="Name the company")
    sector: str = Field("", description="Name its GICS sector")
    rationale: str = Field(min_length=20, description="Say why this stock; quote its figures as the reports give them")
    thesis_angle: Literal["growth", "value", "catalyst", "turnaround", "defensive", "momentum", "decline"] = Field(
        description="Choose the kind of idea; momentum is a rising stock, decline a falling one"
    )
    stance: Stance = Field(
        "watch", description="Choose buy_candidate, short_candidate, or watch where it is only to be followed"
    )
    conviction: Level = Field(description="Choose high, medium or low")
    key_catalysts: list[str] = Field(
        default_factory=list, max_length=MOST_LISTED, description="List what could move it, as the reports say"
    )
    risks: list[str] = Field(default_factory=list, max_length=MOST_LISTED, description="List what could go wrong")
    evidence: list[Evidence] = Field(
        min_length=1,
        max_length=MOST_LISTED,
        description="List the one to three facts it rests on, each with its source",
    )


class ScanSummary(BaseModel):
    """What a scan of the market comes to: macro context, themes, and the stocks to investigate."""

    model_config = _FILLED_IN

    timeframe: str = Field(min_length=1, description="Say how far the view reaches, such as 1-3 months")
    executive_summary: str = Field(min_length=20, description="Sum up in three to five sentences; quote figures")
    macro_context: MacroContext
    key_themes: list[Theme] = Field(
        min_length=1, max_length=MOST_LISTED, description="List two to five themes, strongest first"
    )
    stocks_to_investigate: list[Pick] = Field(min_length=1, description="List as many as asked, each once, best first")
    risk_factors: list[str] = Field(
        default_factory=list, max_length=MOST_LISTED, description="List what would prove this reading wrong"
    )
