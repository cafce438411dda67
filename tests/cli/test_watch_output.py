"""What changed, as a person reads it."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from cli.watch_output import print_watch
from tests.cli.conftest import golden
from tests.reports.scan_sample import sample_batch
from tradingagents.schemas.batches import ChangeRecord, OutcomeRecord, WatchRecord


def outcome(action: str, confidence: float, day: str) -> OutcomeRecord:
    return OutcomeRecord(action=action, confidence=confidence, trade_date=day, run_id=None)


def change(ticker: str, kind: str, before: OutcomeRecord | None, after: tuple[str, float]) -> ChangeRecord:
    return ChangeRecord(
        ticker=ticker, kind=kind, before=before, after=outcome(*after, "2025-03-14"), words=f"{ticker}: {kind}"
    )


def sample_watch(*changes: ChangeRecord, since: str | None = "2025-03-13") -> dict[str, Any]:
    batch = sample_batch()
    batch.update(scan=None, status="done", rows=batch["rows"][:2], warnings=[])
    return {
        "watch_id": batch["batch_id"],
        "trade_date": batch["trade_date"],
        "since": since,
        "batch": batch,
        "changes": list(changes),
        "falsifiers": [],
        "paths": {**batch["paths"], "card": f"{batch['paths']['folder']}/watch.json"},
    }


CHANGES = (
    change("VELQ", "flip", outcome("HOLD", 0.5, "2025-03-13"), ("BUY", 0.71)),
    change("ORNE", "confidence", outcome("BUY", 0.7, "2025-03-11"), ("BUY", 0.58)),
    change("MAVO", "lost", outcome("SELL", 0.66, "2025-03-13"), ("NO_DECISION", 0.0)),
    change("QFIX", "regained", outcome("NO_DECISION", 0.0, "2025-03-12"), ("HOLD", 0.52)),
    change("TILB", "same", outcome("BUY", 0.6, "2025-03-13"), ("BUY", 0.61)),
    change("WREN", "first", None, ("SELL", 0.55)),
)


def printed(record: dict[str, Any], *, width: int = 80, terminal: bool = False) -> str:
    console = Console(
        file=io.StringIO(), width=width, force_terminal=terminal, color_system=None, highlight=False, emoji=False
    )
    print_watch(console, WatchRecord.model_validate(record))
    return console.file.getvalue()  # type: ignore[attr-defined,no-any-return]


@pytest.mark.parametrize("width", [80, 160])
def test_changes_on_a_terminal(width: int):
    golden(f"watch_{width}.txt", printed(sample_watch(*CHANGES), width=width, terminal=True))


def test_only_what_changed_has_a_row_and_says_what_it_was_before():
    changes, _, _ = printed(sample_watch(*CHANGES)).partition("Contested")
    assert "VELQ    decided otherwise     HOLD 50%     BUY 71%      2025-03-13" in changes
    assert "MAVO    no decision any more  SELL 66%     NO DECISION  2025-03-13" in changes
    assert "TILB" not in changes
    assert "WREN" not in changes


def test_nothing_changed_is_said_so():
    assert "Nothing changed since 2025-03-13." in printed(sample_watch(CHANGES[4], CHANGES[5]))


def test_a_first_run_has_nothing_to_compare_with():
    assert "this is the first analysis of the list" in printed(sample_watch(CHANGES[5], since=None))


def test_a_partial_run_says_why():
    record = sample_watch(*CHANGES)
    record["batch"]["status"] = "budget"
    assert "used up its budget" in " ".join(printed(record).split())
