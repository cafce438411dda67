"""Saved theses of the home folder, for the capabilities `save_thesis` and `saved_theses`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from tradingagents.dataflows.results import Result
from tradingagents.errors import UsageError
from tradingagents.features.deep_report.capabilities.theses import LONGEST_THESIS, MOST_LISTED, SavedTheses, SavedThesis
from tradingagents.features.deep_report.schemas.saved_thesis import StoredThesis, ThesisFigure
from tradingagents.features.deep_report.theses import ThesisStore, thesis_id_of
from tradingagents.files.plain_text import clean
from tradingagents.reports.run_workbook import sourced_figures
from tradingagents.runtime.registry import record_of
from tradingagents.runtime.runs.run_folder import NoSuchRun
from tradingagents.runtime.runs.run_index import RunIndex
from tradingagents.settings import Settings

MOST_FIGURES = 60


def with_thesis_saved(result: Result, settings: Settings) -> Result:
    """Save a thesis, with the figures of its run, and return the result with what is stored.

    Raises:
        NoSuchRun: There is no such run, or it has no card.
        UsageError: The run is of a later day than the question, or has no words to take.
        HomeNotWritable: The file cannot be written.
    """
    if not isinstance(result, SavedThesis) or result.symbol is None:
        raise TypeError("a thesis belongs to a company")
    card = _card(result, settings) if result.run_id else {}
    words = result.thesis or _words_of(card)
    breakers = result.breakers or _breakers_of(card)
    known_on = result.as_of
    stored = StoredThesis(
        thesis_id=thesis_id_of(result.symbol, known_on, "\n".join((words, *breakers, card.get("run_id", "")))),
        ticker=result.symbol,
        thesis=clean(words),
        breakers=breakers,
        figures=_figures_of(card, result.symbol) if card else (),
        known_on=known_on,
        run_id=card.get("run_id"),
        saved_at=datetime.now(UTC),
    )
    ThesisStore(settings.home_dir).save(stored)
    return result.model_copy(
        update={"thesis": stored.thesis, "breakers": breakers, "run_id": stored.run_id, "stored": stored}
    )


def with_saved_theses(result: Result, settings: Settings) -> Result:
    """Add the theses that were known on the day of the question.

    Raises:
        UnreadableFile: One is damaged.
    """
    if not isinstance(result, SavedTheses):
        raise TypeError("theses belong to a list of theses")
    found = ThesisStore(settings.home_dir).newest_first(result.symbol, until=result.as_of)
    return result.model_copy(update={"theses": tuple(islice(found, MOST_LISTED))})


def _card(result: SavedThesis, settings: Settings) -> Mapping[str, Any]:
    run = RunIndex(settings.home_dir).find(result.run_id or "")
    card = run.card()
    if card is None:
        raise NoSuchRun(f"{run.run_id} has no record yet; finish it first.")
    if run.day > result.as_of:
        raise UsageError(
            f"{run.run_id} studied {run.day}, which lies after {result.as_of}, the day of this question; save its "
            f"thesis as of {run.day}."
        )
    return {**card, "run_id": run.run_id}


def _words_of(card: Mapping[str, Any]) -> str:
    """Return the words of a run: its answer without its list of sources, else the rationale of its decision.

    Raises:
        UsageError: It has neither.
    """
    decision = card.get("decision") or {}
    words = str(card.get("answer") or "").partition("\n---\nSources:")[0].strip() or decision.get("rationale", "")
    if not words:
        raise UsageError(f"{card['run_id']} has no answer to take; give the thesis in words.")
    return str(words)[:LONGEST_THESIS]


def _breakers_of(card: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what a run's decision says would change it."""
    words = (card.get("decision") or {}).get("would_change") or ""
    return (clean(str(words)),) if words else ()


def _figures_of(card: Mapping[str, Any], symbol: str) -> tuple[ThesisFigure, ...]:
    return tuple(
        ThesisFigure(
            name=figure.name,
            value=figure.value,
            unit=figure.unit,
            source=f"{figure.source}, {figure.vendor}",
            period=figure.period,
            known_at=figure.known_at,
        )
        for figure in sourced_figures(record_of(card))
        if figure.symbol == symbol
    )[:MOST_FIGURES]
