"""The brief that a scan gives the study of one stock: macro context and the reasons for the pick."""

from __future__ import annotations

from collections.abc import Iterable

from tradingagents.schemas.scan_summary import PickRecord, ScanSummaryRecord, Theme


def scan_brief(summary: ScanSummaryRecord, ticker: str) -> str:
    """Return a scan's macro context and its findings on one stock as Markdown.

    Args:
        summary: The scan's summary.
        ticker: The stock; a holding need not be one of the picks.
    """
    context = summary.macro_context
    pick = next((pick for pick in summary.stocks_to_investigate if pick.ticker == ticker), None)
    parts = [
        f"## Market scan\n\n{summary.executive_summary}",
        f"Economic cycle: {context.economic_cycle}\nCentral bank: {context.central_bank_stance}",
        _listed("Geopolitical risks", context.geopolitical_risks),
        _listed("Themes", map(_theme, summary.key_themes)),
        _listed("What would prove this wrong", summary.risk_factors),
        _picked(pick) if pick else f"## {ticker}\n\nThe scan did not pick {ticker}; it is studied for another reason.",
    ]
    return "\n\n".join(part for part in parts if part)


def _theme(theme: Theme) -> str:
    return f"{theme.theme} ({theme.conviction} conviction): {theme.description}"


def _picked(pick: PickRecord) -> str:
    facts = [f"{fact.claim} ({fact.source})" for fact in pick.evidence]
    parts = [
        f"## Why {pick.ticker} was picked",
        f"{pick.rationale} ({_stance(pick)}angle: {pick.thesis_angle}, conviction: {pick.conviction})",
        _listed("Evidence", facts),
        _listed("Catalysts", pick.key_catalysts),
        _listed("Risks", pick.risks),
    ]
    return "\n\n".join(part for part in parts if part)


def _stance(pick: PickRecord) -> str:
    return f"{pick.stance.replace('_', ' ')}, " if pick.stance else ""


def _listed(title: str, lines: Iterable[str]) -> str:
    listed = [f"- {line}" for line in lines]
    return "\n".join([f"{title}:", *listed]) if listed else ""
