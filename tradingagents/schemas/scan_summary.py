"""The summary of a scan: what the model fills in, and what the card holds of it."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from tradingagents.schemas.decision import MOST_LISTED, Evidence
from tradingagents.schemas.record import FilledIn

Level = Literal["high", "medium", "low"]
Stance = Literal["buy_candidate", "short_candidate", "watch"]


class MacroContext(FilledIn):
    """Where the economy stands."""

    economic_cycle: str = Field(min_length=1, description="Name the phase of the cycle and what shows it")
    central_bank_stance: str = Field(
        min_length=1, description="Say whether it is easing, holding or tightening, and what shows it"
    )
    geopolitical_risks: list[str] = Field(
        default_factory=list, max_length=MOST_LISTED, description="List the risks that bear on markets now"
    )


class Theme(FilledIn):
    """A theme that runs through the market."""

    theme: str = Field(min_length=1, description="Name it in a few words")
    description: str = Field(min_length=1, description="Say what drives it; quote figures from the reports")
    conviction: Level = Field(description="Choose high, medium or low")
    timeframe: str | None = Field(None, description="Say for how long, such as 1-3 months")


class Pick(FilledIn):
    """A stock to investigate: one of the candidates, by its ticker."""

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


class PickRecord(Pick):
    """A pick with its name and sector as the data have them."""

    omits: ClassVar[tuple[str, ...]] = ("stance",)

    # Widened: scans of earlier versions asked for no stance.
    stance: Stance | Literal[""] = ""  # type: ignore[assignment]
    seen_in: list[str]
    """Tools whose results contained the ticker."""


class ScanSummary(FilledIn):
    """What a scan of the market comes to: macro context, themes, and the stocks to investigate."""

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


class ScanSummaryRecord(ScanSummary):
    """The summary as the card holds it: the documented JSON of the macro synthesis."""

    stocks_to_investigate: list[PickRecord]  # type: ignore[assignment]
    """Best first."""
