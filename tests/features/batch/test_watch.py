"""Watching: what changed since a ticker was last studied, told the same however often a day is run."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.features.batch.batch_graphs import RUN_CALLS, about, batch_desk, batch_model, runs_of
from tests.support.graph_factory import sound_verdict
from tradingagents.errors import BadDate, NoData, UsageError
from tradingagents.features.batch.history import MOST, LastDecisions
from tradingagents.features.batch.watch import WatchList, change, exit_code, watch, watch_card
from tradingagents.files.atomic import UnreadableFile
from tradingagents.llm_clients.scripted import ScriptedChatModel
from tradingagents.memory.cohort import Cohort
from tradingagents.schemas.batches import ChangeRecord, OutcomeRecord, WatchRecord

TICKERS = ("NUQZ", "RAIQ", "COVZ")
FIRST, SECOND, THIRD = "2025-03-12", "2025-03-13", "2025-03-14"
COHORT = Cohort("real", "models")


def deciding(decisions: Mapping[str, tuple[str, float] | None]) -> ScriptedChatModel:
    """A model whose risk manager decides so, by ticker; None: never."""

    def decide(messages: Any, tools: Any) -> Any:
        decided = decisions[about(messages)]
        return sound_verdict(messages, action=decided[0], confidence=decided[1]) if decided else "I would rather not."

    return batch_model({"Risk Manager": decide})


async def watched(
    home: Path, day: str, decisions: Mapping[str, tuple[str, float] | None], **config: Any
) -> WatchRecord:
    return await watch(batch_desk(home, deciding(decisions), **config), day)


def told(record: WatchRecord) -> list[tuple[str, str]]:
    return [(one["kind"], one["words"]) for one in record["changes"]]


# Changes


def outcome(action: str, confidence: float = 0.0, day: str = FIRST) -> OutcomeRecord:
    return OutcomeRecord(action=action, confidence=confidence, trade_date=day, run_id="r")


@pytest.mark.parametrize(
    ("before", "after", "kind", "words"),
    [
        (None, outcome("BUY", 0.6), "first", "A: BUY 0.60, for the first time"),
        (None, outcome("NO_DECISION"), "first", "A: no decision, for the first time"),
        (outcome("HOLD", 0.55), outcome("SELL", 0.63), "flip", "A: HOLD 0.55 → SELL 0.63"),
        (outcome("HOLD", 0.55), outcome("HOLD", 0.6), "confidence", "A: HOLD 0.55 → HOLD 0.60"),
        (outcome("HOLD", 0.6), outcome("HOLD", 0.55), "confidence", "A: HOLD 0.60 → HOLD 0.55"),
        (outcome("HOLD", 0.55), outcome("HOLD", 0.59), "same", "A: still HOLD 0.59"),
        (outcome("BUY", 0.55), outcome("NO_DECISION"), "lost", "A: BUY 0.55 → no decision"),
        (outcome("NO_DECISION"), outcome("BUY", 0.55), "regained", "A: no decision → BUY 0.55"),
        (outcome("NO_DECISION"), outcome("NO_DECISION"), "same", "A: still no decision"),
    ],
)
def test_a_change_by_hand(before: OutcomeRecord | None, after: OutcomeRecord, kind: str, words: str):
    assert change("A", before, after, 0.05) == ChangeRecord(
        ticker="A", kind=kind, before=before, after=after, words=words
    )


def test_without_a_least_move_any_move_counts_and_none_does_not():
    assert change("A", outcome("BUY", 0.5), outcome("BUY", 0.51), 0.0)["kind"] == "confidence"
    assert change("A", outcome("BUY", 0.5), outcome("BUY", 0.5), 0.0)["kind"] == "same"


# Runs of the list


async def test_each_ticker_is_compared_with_its_last_decision_of_an_earlier_day(tmp_path: Path):
    WatchList(tmp_path).add(TICKERS)
    first = await watched(tmp_path, FIRST, {"NUQZ": ("BUY", 0.7), "RAIQ": ("HOLD", 0.5), "COVZ": None})
    assert told(first) == [
        ("first", "NUQZ: BUY 0.70, for the first time"),
        ("first", "RAIQ: HOLD 0.50, for the first time"),
        ("first", "COVZ: no decision, for the first time"),
    ]
    assert first["since"] is None
    second = await watched(tmp_path, SECOND, {"NUQZ": ("SELL", 0.6), "RAIQ": ("HOLD", 0.58), "COVZ": ("BUY", 0.9)})
    assert told(second) == [
        ("flip", "NUQZ: BUY 0.70 → SELL 0.60"),
        ("confidence", "RAIQ: HOLD 0.50 → HOLD 0.58"),
        ("regained", "COVZ: no decision → BUY 0.90"),
    ]
    assert (second["trade_date"], second["since"]) == (SECOND, FIRST)
    third = await watched(tmp_path, THIRD, {"NUQZ": ("SELL", 0.62), "RAIQ": None, "COVZ": ("BUY", 0.9)})
    assert told(third) == [
        ("same", "NUQZ: still SELL 0.62"),
        ("lost", "RAIQ: HOLD 0.58 → no decision"),
        ("same", "COVZ: still BUY 0.90"),
    ]
    flip = second["changes"][0]
    assert flip["before"] == first["changes"][0]["after"]
    assert flip["after"]["run_id"] in {row["run_id"] for row in second["batch"]["rows"]}


async def test_the_record_is_on_disk_and_so_is_its_batch(tmp_path: Path):
    WatchList(tmp_path).add(TICKERS[:1])
    services = batch_desk(tmp_path, deciding({"NUQZ": ("BUY", 0.7)}))
    record = await watch(services, FIRST)
    (folder,) = (path for path in (tmp_path / "watch").iterdir() if path.is_dir())
    assert {path.name for path in folder.iterdir()} == {
        *("watch.json", "batch.json", "summary.md", "index.html", "ledger.jsonl", "lock")
    }
    assert json.loads((folder / "watch.json").read_text("utf-8")) == json.loads(json.dumps(record.as_json()))
    assert watch_card(services, FIRST) == folder / "batch.json"
    assert json.loads(watch_card(services, FIRST).read_text("utf-8")) == json.loads(json.dumps(record.batch.as_json()))
    assert set(record.as_json()) == set(WatchRecord.model_fields)
    assert record["paths"]["card"] == str(folder / "watch.json")
    assert record["watch_id"] == folder.name
    (row,) = record["batch"]["rows"]
    assert (row["sources"], row["conviction"], record["batch"]["scan"]) == (["watchlist"], None, None)
    assert exit_code(record["batch"]) == 0
    assert "reports" in (folder / "summary.md").read_text("utf-8")


async def test_the_same_day_again_asks_no_model_and_tells_the_same_changes(tmp_path: Path):
    WatchList(tmp_path).add(TICKERS)
    await watched(tmp_path, FIRST, dict.fromkeys(TICKERS, ("BUY", 0.7)))
    model = deciding(dict.fromkeys(TICKERS, ("SELL", 0.6)))
    second = await watch(batch_desk(tmp_path, model), SECOND)
    asked = len(model.calls)
    again = await watch(batch_desk(tmp_path, model), SECOND)
    assert len(model.calls) == asked == 3 * RUN_CALLS
    assert again["changes"] == second["changes"]
    assert {kind for kind, _ in told(again)} == {"flip"}


async def test_the_same_day_again_tells_the_same_after_later_days_and_other_settings(tmp_path: Path):
    WatchList(tmp_path).add(TICKERS[:1])
    runs = [(FIRST, "BUY", {}), (SECOND, "SELL", {}), (SECOND, "HOLD", {"max_debate_rounds": 2}), (THIRD, "BUY", {})]
    told_first = [told(await watched(tmp_path, day, {"NUQZ": (action, 0.6)}, **config)) for day, action, config in runs]
    assert [changes[0][1] for changes in told_first] == [
        "NUQZ: BUY 0.60, for the first time",
        "NUQZ: BUY 0.60 → SELL 0.60",
        "NUQZ: SELL 0.60 → HOLD 0.60",
        "NUQZ: HOLD 0.60 → BUY 0.60",
    ]
    told_again = [told(await watched(tmp_path, day, {}, **config)) for day, _, config in runs]
    assert told_again == told_first


async def test_a_past_day_is_compared_with_what_was_before_it_and_does_not_stand_before_later_ones(tmp_path: Path):
    WatchList(tmp_path).add(TICKERS[:1])
    await watched(tmp_path, FIRST, {"NUQZ": ("BUY", 0.6)})
    await watched(tmp_path, THIRD, {"NUQZ": ("HOLD", 0.6)})
    late = await watched(tmp_path, SECOND, {"NUQZ": ("SELL", 0.6)})
    assert told(late) == [("flip", "NUQZ: BUY 0.60 → SELL 0.60")]
    later = await watched(tmp_path, "2025-03-17", {"NUQZ": ("HOLD", 0.61)})
    assert told(later) == [("same", "NUQZ: still HOLD 0.61")]


async def test_a_ticker_that_failed_is_lost_and_when_run_again_compared_with_the_day_before(tmp_path: Path):
    WatchList(tmp_path).add(TICKERS[:1])
    await watched(tmp_path, FIRST, {"NUQZ": ("BUY", 0.7)})
    broken = batch_model({"Trader": RuntimeError("a bug")})
    failed = await watch(batch_desk(tmp_path, broken), SECOND)
    assert told(failed) == [("lost", "NUQZ: BUY 0.70 → no decision")]
    assert (failed["batch"]["status"], exit_code(failed["batch"])) == ("failed", 1)
    mended = await watched(tmp_path, SECOND, {"NUQZ": ("SELL", 0.7)})
    assert told(mended) == [("flip", "NUQZ: BUY 0.70 → SELL 0.70")]


async def test_what_the_budget_left_unfinished_has_not_changed_yet(tmp_path: Path):
    WatchList(tmp_path).add(TICKERS)
    config: dict[str, Any] = {"max_concurrent_pipelines": 1}
    decisions = dict.fromkeys(TICKERS, ("BUY", 0.7))
    part = await watched(tmp_path, FIRST, decisions, max_llm_calls=RUN_CALLS + 3, **config)
    assert (part["batch"]["status"], exit_code(part["batch"])) == ("budget", 6)
    assert [one["ticker"] for one in part["changes"]] == ["NUQZ"]
    whole = await watched(tmp_path, FIRST, decisions, **config)
    assert [kind for kind, _ in told(whole)] == ["first"] * 3


async def test_a_ticker_added_later_in_the_day_is_studied_and_no_other(tmp_path: Path):
    WatchList(tmp_path).add(TICKERS[:2])
    decisions = dict.fromkeys(TICKERS, ("BUY", 0.7))
    await watched(tmp_path, FIRST, decisions)
    WatchList(tmp_path).add(TICKERS[2:])
    WatchList(tmp_path).remove(TICKERS[:1])
    record = await watched(tmp_path, FIRST, decisions)
    assert [one["ticker"] for one in record["changes"]] == ["RAIQ", "COVZ"]
    assert runs_of(tmp_path) == {"NUQZ": 1, "RAIQ": 1, "COVZ": 1}


async def test_a_symbol_without_prices_fails_alone(tmp_path: Path):
    WatchList(tmp_path).add(["NOSUCHQ", "NUQZ"])
    record = await watched(tmp_path, FIRST, {"NUQZ": ("BUY", 0.7)})
    assert told(record) == [
        ("first", "NOSUCHQ: no decision, for the first time"),
        ("first", "NUQZ: BUY 0.70, for the first time"),
    ]
    assert (record["batch"]["status"], exit_code(record["batch"])) == ("partial", NoData.exit_code)


async def test_cancelled_it_leaves_the_batch_and_no_changes(tmp_path: Path):
    WatchList(tmp_path).add(TICKERS)
    services = batch_desk(tmp_path, batch_model(delay=30))
    task = asyncio.create_task(watch(services, FIRST))
    while not list(tmp_path.glob("runs/*/events.jsonl")) and not task.done():
        await asyncio.sleep(0.005)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert json.loads(watch_card(services, FIRST).read_text("utf-8"))["status"] == "interrupted"
    assert not (tmp_path / "watch" / "last.json").exists()


async def test_an_empty_list_is_refused_with_how_to_fill_it(tmp_path: Path):
    with pytest.raises(UsageError, match=r"empty; add tickers with: tradingagents watch add AAPL"):
        await watch(batch_desk(tmp_path / "mine"), FIRST)
    assert not (tmp_path / "mine").exists()


async def test_a_wrong_day_writes_nothing_more(tmp_path: Path):
    WatchList(tmp_path / "mine").add(["NUQZ"])
    with pytest.raises(BadDate):
        await watch(batch_desk(tmp_path / "mine"), "2999-01-01")
    assert not list((tmp_path / "mine").glob("watch/2999*"))


# What is kept


@pytest.mark.parametrize(
    "text",
    ["{", '{"tickers": []}', '{"tickers": {"A": [{}]}}', '{"tickers": {"A": [{"batch_id": "b", "outcome": 3}]}}'],
)
def test_a_damaged_history_is_named_and_left_alone(tmp_path: Path, text: str):
    path = tmp_path / "watch" / "last.json"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableFile, match=r"last\.json .*; move it away, and every decision counts as the first"):
        LastDecisions(tmp_path, COHORT).take_in("b", [("A", outcome("BUY", 0.5))])
    assert path.read_text("utf-8") == text


def test_a_decision_is_compared_with_those_of_its_own_cohort_only(tmp_path: Path):
    toy = Cohort("simulated-7", "rules")
    LastDecisions(tmp_path, toy).take_in("b0", [("A", outcome("SELL", 0.5))])
    assert LastDecisions(tmp_path, COHORT).take_in("b1", [("A", outcome("BUY", 0.6))]) == {"A": None}
    assert LastDecisions(tmp_path, toy).take_in("b2", [("A", outcome("BUY", 0.7))]) == {"A": outcome("SELL", 0.5)}


def test_the_history_of_a_ticker_keeps_the_newest_batches(tmp_path: Path):
    last = LastDecisions(tmp_path, COHORT)
    for number in range(MOST + 5):
        before = last.take_in(f"b{number}", [("A", outcome("BUY", number / 100))])["A"]
        assert before == (outcome("BUY", (number - 1) / 100) if number else None)
    kept = json.loads((tmp_path / "watch" / "last.json").read_text("utf-8"))["tickers"]["A"]
    assert [entry["batch_id"] for entry in kept] == [f"b{number}" for number in range(5, MOST + 5)]
