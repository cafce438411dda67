"""A stored run as one row: subject, status, decision, use and duration."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any

from pydantic import ValidationError

from tradingagents.files.atomic import UnreadableFile
from tradingagents.llm_clients.usage_sums import logged_events, logged_usage
from tradingagents.memory.cohort import cohort_of_card
from tradingagents.runtime.runs.run_folder import read_manifest_json, subject_of
from tradingagents.runtime.runs.run_index import SCAN_SUBJECT, IndexedRun, RunIndex
from tradingagents.schemas.record import Number, Record, problem_of

UNDER_WAY, UNFINISHED, DAMAGED = "under way", "unfinished", "damaged"
"""Statuses of runs without a usable card: still being written, killed, or with a damaged card."""
_MADE_BY = re.compile(r"^[A-Z][a-z]+ by fixed rules, no language model[:.;]\s*")
"""How answers of fixed rules begin."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s")
LONGEST_FINDING = 300
"""Characters of a finding."""
_MARKS = str.maketrans("", "", "*#`")


class RunRow(Record):
    """A run as one row of a list."""

    run_id: str
    kind: str
    """The kind of run: trading, scan and others, see `runtime.registry`."""
    ticker: str | None
    """Null for a scan."""
    day: str
    """The trading day of the run."""
    market: str | None
    """real or simulated-SEED; null when there is no card or an old one."""
    decided_by: str | None
    """models, rules or scripted; null when there is no card or an old one."""
    began: str
    """ISO 8601 instant, UTC."""
    status: str
    """That of its card, or `UNDER_WAY`, `UNFINISHED` or `DAMAGED`."""
    action: str | None
    """The decision's action; null when there is none."""
    confidence: Number | None
    strength: Number | None
    """How strongly the decision's readings speak, 0 to 1; null when there is none, and for language models."""
    about: str | None
    """What it asked or found, in one sentence: question, verdict, rating, companies; null for a study and a scan."""
    found: str | None
    """The first sentence of its answer; null where it gave none, and where `about` or `action` says what it found."""
    picks: int | None
    """Number of stocks a scan selected; null for a study, and for a scan without a summary."""
    llm_calls: int
    cost_usd: Number | None
    """Null when a price is not known."""
    seconds: Number | None
    """Duration; null when it is not recorded."""
    error: str | None
    """Why the run failed, or what is wrong with its card."""
    folder: str


def run_rows(
    runs: RunIndex,
    *,
    ticker: str | None = None,
    kind: str | None = None,
    status: str | None = None,
    since: date | None = None,
    market: str | None = None,
    decided_by: str | None = None,
) -> Iterator[RunRow]:
    """Yield runs, newest first, and read only the cards of runs that can match, one at a time.

    Args:
        runs: The runs of a home folder.
        ticker: Yield only studies of this normalised ticker.
        kind: Yield only runs of this kind.
        status: Yield only runs with this status.
        since: Yield only runs that began on this day or later, UTC.
        market: Yield only runs on this market: real, simulated (any seed) or simulated-SEED.
        decided_by: Yield only runs decided by models, rules or scripted replies.
    """
    subject = subject_of(ticker) if ticker is not None else None
    for run in runs.newest_first(subject=subject, since=since):
        row = row_of(run)
        if ticker is not None and row.ticker != ticker:
            continue
        wanted = ((kind, row.kind), (status, row.status), (decided_by, row.decided_by))
        if all(value in (None, found) for value, found in wanted) and _on(market, row.market):
            yield row


def _on(wanted: str | None, market: str | None) -> bool:
    """Return whether a market matches; `simulated` matches every seed."""
    return wanted is None or (market is not None and wanted in (market, market.partition("-")[0]))


def row_of(run: IndexedRun) -> RunRow:
    """Return a run's row from its card, or from its event log if the card is missing or damaged."""
    try:
        card = run.card()
        if card is not None:
            return _from_card(run, card)
        return _from_log(run, UNDER_WAY if run.under_way else UNFINISHED, None)
    except UnreadableFile as damage:
        return _from_log(run, DAMAGED, str(damage))
    except ValidationError as damage:
        return _from_log(run, DAMAGED, _no_card(run, problem_of(damage)))
    except (KeyError, TypeError, AttributeError) as damage:
        return _from_log(run, DAMAGED, _no_card(run, f"{type(damage).__name__}: {damage}"))


def _no_card(run: IndexedRun, problem: str) -> str:
    return f"{run.path / 'run.json'} is not a valid card ({problem})."


def _from_card(run: IndexedRun, card: Mapping[str, Any]) -> RunRow:
    decision, summary = card.get("decision"), card.get("summary")
    cohort = cohort_of_card(card)
    return RunRow(
        run_id=run.run_id,
        kind=kind_of_card(card),
        ticker=card.get("ticker"),
        day=run.day.isoformat(),
        market=cohort.market if cohort else None,
        decided_by=cohort.decided_by if cohort else None,
        began=run.began.isoformat(),
        status=card["status"],
        action=decision["action"] if decision else None,
        confidence=decision["confidence"] if decision else None,
        strength=decision.get("strength") if decision else None,
        about=_about(card),
        found=_found(card),
        picks=len(summary["stocks_to_investigate"]) if summary else None,
        llm_calls=card["usage"]["llm_calls"],
        cost_usd=card["usage"]["cost_usd"],
        seconds=card["timing"]["wall_s"],
        error=card.get("error"),
        folder=str(run.path),
    )


def _about(card: Mapping[str, Any]) -> str | None:
    """Return what a run asked or found, from its card."""
    if question := card.get("question"):
        return str(question)
    if tickers := card.get("tickers"):
        return ", ".join(tickers)
    if verdict := card.get("verdict"):
        return f"conviction {verdict['conviction']} of 10: {verdict['thesis']}"
    return str(card["rating"]) if card.get("rating") else None


def _found(card: Mapping[str, Any]) -> str | None:
    """Return the first sentence of a run's answer, without who wrote it."""
    answer = str(card.get("answer") or "").translate(_MARKS).strip()
    said = _MADE_BY.sub("", answer, count=1)
    return _SENTENCE_END.split(said, maxsplit=1)[0][:LONGEST_FINDING] or None


def kind_of_card(card: Mapping[str, Any]) -> str:
    """Return the kind of a run; cards written before they named it are of a trading run or a scan."""
    return str(card.get("kind") or ("trading" if "ticker" in card else "scan"))


def _from_log(run: IndexedRun, status: str, error: str | None) -> RunRow:
    """Return a run's row from its event log; values missing there come from the folder name."""
    manifest = _manifest(run)
    cohort = cohort_of_card(manifest) if manifest else None
    events = list(logged_events(run.events))
    subject = None if run.subject == SCAN_SUBJECT else run.subject
    ticker = next(
        (event.get("data", {}).get("ticker") for event in events if event.get("type") == "run_start"), subject
    )
    usage = logged_usage(run.events)
    return RunRow(
        run_id=run.run_id,
        kind=str((manifest or {}).get("kind") or ("scan" if ticker is None else "trading")),
        ticker=ticker,
        day=run.day.isoformat(),
        market=cohort.market if cohort else None,
        decided_by=cohort.decided_by if cohort else None,
        began=run.began.isoformat(),
        status=status,
        action=None,
        confidence=None,
        strength=None,
        about=None,
        found=None,
        picks=None,
        llm_calls=usage.llm_calls,
        cost_usd=usage.cost_usd,
        seconds=_seconds(events),
        error=error,
        folder=str(run.path),
    )


def _manifest(run: IndexedRun) -> dict[str, Any] | None:
    """Return the manifest of a run without a usable card; `None` when it is missing or damaged."""
    try:
        return read_manifest_json(run.path, way_out="delete the run")
    except UnreadableFile:
        return None


def _seconds(events: list[dict[str, Any]]) -> float | None:
    """Return the time from the first event to the last."""
    instants = [str(event["ts"]) for event in events if "ts" in event]
    if not instants:
        return None
    try:
        return (datetime.fromisoformat(instants[-1]) - datetime.fromisoformat(instants[0])).total_seconds()
    except ValueError:
        return None
