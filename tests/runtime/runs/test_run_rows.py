"""A kept run on one line, whichever way it ended, and which runs a list reads at all."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.support.run_store import Call, keep_run, run_id
from tradingagents.runtime.runs.run_folder import RunFolder
from tradingagents.runtime.runs.run_index import IndexedRun, RunIndex
from tradingagents.runtime.runs.run_rows import RunRow, row_of, run_rows

BUY = {"action": "BUY", "confidence": 0.64}


def test_a_finished_study(tmp_path: Path):
    run = keep_run(tmp_path, run_id(1), [Call(), Call()], decision=BUY)
    assert row_of(run) == RunRow(
        run_id=run.run_id,
        kind="trading",
        ticker="VELQ",
        day="2025-03-14",
        market=None,
        decided_by=None,
        began="2025-03-17T10:01:00+00:00",
        status="done",
        action="BUY",
        confidence=0.64,
        picks=None,
        llm_calls=2,
        cost_usd=0.006,  # 1000 x 2 + 100 x 10 per million, twice
        seconds=12.5,
        error=None,
        folder=str(run.path),
        strength=None,
        about=None,
        found=None,
    )


def test_a_killed_run_is_unfinished_and_its_log_tells_what_it_used(tmp_path: Path):
    run = keep_run(tmp_path, run_id(1, "GSPC"), [Call(), Call()], ticker="^GSPC", status=None)
    with run.events.open("a", encoding="utf-8") as log:
        log.write('{"type": "usage", "half')
    row = row_of(run)
    assert (row["status"], row["ticker"], row["llm_calls"]) == ("unfinished", "^GSPC", 2)
    assert row["cost_usd"] == pytest.approx(0.006)
    assert row["seconds"] is not None


def test_a_run_that_is_being_written_is_under_way(tmp_path: Path):
    folder = RunFolder(tmp_path, run_id(1))
    row = row_of(RunIndex(tmp_path).find(run_id(1)))
    assert (row["status"], row["ticker"], row["seconds"]) == ("under way", "VELQ", None)
    folder.close()
    assert row_of(RunIndex(tmp_path).find(run_id(1)))["status"] == "unfinished"


@pytest.mark.parametrize("content", ["{ half", "[]", "{}", json.dumps({"status": "done", "usage": None}), "\x00"])
def test_a_damaged_card_is_told_and_does_not_hide_what_the_log_knows(tmp_path: Path, content: str):
    run = keep_run(tmp_path, run_id(1), [Call()])
    (run.path / "run.json").write_text(content, "utf-8")
    row = row_of(run)
    assert (row["status"], row["llm_calls"], row["ticker"]) == ("damaged", 1, "VELQ")
    assert "run.json" in (row["error"] or "")


def test_a_scan_counts_its_picks(tmp_path: Path):
    run = keep_run(tmp_path, run_id(1, "SCAN"), ticker=None)
    card = json.loads((run.path / "run.json").read_text("utf-8"))
    card["summary"] = {"stocks_to_investigate": [{"ticker": "VELQ"}, {"ticker": "OMBZ"}]}
    (run.path / "run.json").write_text(json.dumps(card), "utf-8")
    row = row_of(run)
    assert (row["kind"], row["ticker"], row["picks"]) == ("scan", None, 2)


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("Written by fixed rules, no language model: VELQ grew most, 20.7%; so. More.", "VELQ grew most, 20.7%; so."),
        ("**VELQ is dear.** It costs 46 times its earnings.", "VELQ is dear."),
        ("", None),
        (None, None),
    ],
)
def test_an_answer_is_found_by_its_first_sentence(tmp_path: Path, answer: str | None, found: str | None):
    run = keep_run(tmp_path, run_id(1, "RESEARCH"), ticker=None)
    card = {**json.loads((run.path / "run.json").read_text("utf-8")), "answer": answer}
    (run.path / "run.json").write_text(json.dumps(card), "utf-8")
    assert row_of(run)["found"] == found


def test_a_list_may_be_narrowed_down(tmp_path: Path):
    keep_run(tmp_path, run_id(1, began="20250310"))
    keep_run(tmp_path, run_id(2, "OMBZ", began="20250311"), ticker="OMBZ", status="failed")
    keep_run(tmp_path, run_id(3, "SCAN", began="20250312"), ticker=None)
    keep_run(tmp_path, run_id(4, "SCAN", began="20250313"), ticker="SCAN")  # a company of that symbol
    keep_run(tmp_path, run_id(5, "GSPC", began="20250314"), ticker="^GSPC", status=None)

    def minutes(**which: Any) -> list[str]:
        return [row["run_id"][11:13] for row in run_rows(RunIndex(tmp_path), **which)]

    assert minutes() == ["05", "04", "03", "02", "01"]
    assert minutes(ticker="OMBZ") == ["02"]
    assert minutes(ticker="^GSPC") == ["05"]
    assert minutes(ticker="GSPC") == []
    assert minutes(kind="scan") == ["03"]
    assert minutes(kind="trading") == ["05", "04", "02", "01"]
    assert minutes(status="failed") == ["02"]
    assert minutes(status="unfinished") == ["05"]
    assert minutes(since=date(2025, 3, 13)) == ["05", "04"]
    assert minutes(kind="trading", status="done", since=date(2025, 3, 11)) == ["04"]


def test_only_the_cards_that_are_asked_for_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for number in range(30):
        keep_run(tmp_path, run_id(number, "VELQ" if number % 3 else "OMBZ"))
    read: list[str] = []
    real = IndexedRun.card
    monkeypatch.setattr(IndexedRun, "card", lambda run: read.append(run.run_id) or real(run))
    rows = run_rows(RunIndex(tmp_path), ticker="VELQ")
    newest = [next(rows)["run_id"] for _ in range(4)]
    assert read == newest
    assert all("VELQ" in one for one in read)


def test_runs_are_told_apart_by_market_and_by_who_decided(tmp_path: Path):
    keep_run(tmp_path, run_id(1))
    for number, settings in enumerate(({"data_vendor": "simulated", "llm_provider": "offline"}, {}), start=2):
        run = keep_run(tmp_path, run_id(number))
        card = {**json.loads((run.path / "run.json").read_text("utf-8")), "settings": settings}
        (run.path / "run.json").write_text(json.dumps(card), "utf-8")
    killed = keep_run(tmp_path, run_id(4), status=None)
    (killed.path / "question.json").write_text(json.dumps({"settings": {"llm_provider": "offline"}}), "utf-8")

    def ids(**which: str) -> list[str]:
        return [row["run_id"][11:13] for row in run_rows(RunIndex(tmp_path), **which)]

    assert [(row["market"], row["decided_by"]) for row in run_rows(RunIndex(tmp_path))] == [
        ("real", "rules"),
        ("real", "models"),
        ("simulated-7", "rules"),
        (None, None),
    ]
    assert (ids(market="real"), ids(market="simulated"), ids(decided_by="rules")) == (
        ["04", "03"],
        ["02"],
        ["04", "02"],
    )
