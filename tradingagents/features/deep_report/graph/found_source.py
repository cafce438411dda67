"""A source of a round of research, and how a capability is asked for one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tradingagents.analytics.company.peers import PeerMultiples
from tradingagents.capabilities.registry import registry
from tradingagents.capabilities.tools import ask_in_run
from tradingagents.context import RunContext
from tradingagents.dataflows.results import Result
from tradingagents.errors import TradingAgentsError
from tradingagents.features.deep_report.agents import deep_researcher
from tradingagents.features.deep_report.agents.prompting import SourceText
from tradingagents.features.deep_report.rules.brief import SourceFigure
from tradingagents.files.plain_text import one_line
from tradingagents.schemas.evidence import SourceKind

AGENT = deep_researcher.SPEC.name
MEDIAN = "peer_median_"
LEAST_PEERS = 3
"""Peers without whom a median of them is no figure of a source."""


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """Where a passage stands in the store, so that its page can be read."""

    document: str
    """Key."""
    page: int
    """Counted from 1."""
    start: int
    """First character of it on the page."""


@dataclass(frozen=True, slots=True)
class FoundSource:
    """A source with its typed answer; passages, items of filings and articles have none."""

    candidate: SourceText
    result: Result | None = None
    stored: StoredPassage | None = None
    """None where the text is the whole source."""
    figures: tuple[SourceFigure, ...] = ()
    """Figures that the text prints, where no answer gives them."""


def candidate(
    kind: SourceKind, title: str, address: str, place: str, known_at: datetime, text: str, *, start: int = -1
) -> SourceText:
    """Return a source without a label; `start` is the character of its page or item at which the text begins."""
    return SourceText(
        label="",
        kind=kind,
        title=one_line(title)[:300] or kind,
        address=address[:300],
        place=one_line(place)[:300],
        known_at=known_at.isoformat(),
        text=text,
        preview="",
        start=start,
    )


async def answer_of(context: RunContext, name: str, arguments: Mapping[str, Any]) -> Result | None:
    """Ask a capability; None where no vendor has it or it has no answer, which the data sheet tells.

    A day that it needs is that of the study.
    """
    capability = registry()[name]
    if not capability.is_available(context.data):
        return None
    fields = capability.arguments.model_fields
    given = {key: value for key, value in arguments.items() if key in fields}
    for key in ("curr_date", "end_date"):
        if key in fields and key not in given and fields[key].is_required():
            given[key] = context.data.as_of
    try:
        return await ask_in_run(context, capability, given, agent=AGENT)
    except TradingAgentsError:
        return None  # its event has told why, and the record warns


def figures_of_source(result: Result, text: str) -> Iterable[SourceFigure]:
    """Yield the figures of an answer with the row of its text that states each."""
    rows = {row.strip("| ").split(" | ")[0]: row.strip("| ") for row in text.splitlines() if row.startswith("| ")}
    for figure in result.figures():
        if figure.rounded is not None and figure.name in rows and not _of_few_peers(result, figure.name):
            yield SourceFigure(name=figure.name, value=figure.rounded, shown=figure.text, row=rows[figure.name])


def _of_few_peers(result: Result, name: str) -> bool:
    """Tell whether a figure is a median of too few peers to say anything."""
    if not isinstance(result, PeerMultiples) or not name.startswith(MEDIAN):
        return False
    of = name.removeprefix(MEDIAN)
    return sum(company.role == "peer" and company.values[of] is not None for company in result.companies) < LEAST_PEERS
