"""What the deciding agents fill in, the decision a run ends with, and the summary of a scan."""

from __future__ import annotations

from tradingagents.schemas.decision import Action, Decision, Evidence, Verdict
from tradingagents.schemas.scan_summary import Level, MacroContext, Pick, ScanSummary, Stance, Theme

__all__ = [
    "Action",
    "Decision",
    "Evidence",
    "Level",
    "MacroContext",
    "Pick",
    "ScanSummary",
    "Stance",
    "Theme",
    "Verdict",
]
