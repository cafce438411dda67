"""From a scan to decisions: who is studied, what is left, and that no second start redoes what a first one finished."""

from __future__ import annotations

import asyncio
import json
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.features.batch.batch_graphs import (
    OFFLINE_RUN_CALLS,
    RUN_CALLS,
    SCAN_CALLS,
    BatchWatch,
    about,
    batch_desk,
    batch_model,
    calls_logged,
    cards,
    picking,
    runs_of,
)
from tests.support.graph_factory import DAY, role_of, sound_verdict
from tests.support.scan_graph_factory import SYNTHESIS, summary
from tests.support.served_runs import start
from tests.support.tiers import sampled
from tradingagents.agents.scanners.brief import scan_brief
from tradingagents.agents.scanners.macro_synthesis import NoSummary
from tradingagents.dataflows.cutoff import utc_now
from tradingagents.dataflows.look_up import default_day
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.errors import BadDate, BadSymbol, BudgetReached, NoData, UsageError
from tradingagents.features.batch.auto import auto, auto_card, candidates, exit_code
from tradingagents.features.batch.run import BatchBusy
from tradingagents.files.atomic import UnreadableFile
from tradingagents.files.lock import locked
from tradingagents.graph.start import scan
from tradingagents.llm_clients.scripted import ScriptedChatModel
from tradingagents.runtime import fingerprint
from tradingagents.schemas.batches import BatchRecord, BatchRow
from tradingagents.schemas.scan_summary import ScanSummaryRecord
from tradingagents.settings import KEYS, Settings

THREE = {"max_auto_tickers": 3}


def folder_of(home: Path) -> Path:
    (folder,) = (home / "auto").iterdir()
    return folder


def left_in(home: Path) -> dict[str, Any]:
    return json.loads((folder_of(home) / "auto.json").read_text("utf-8"))  # type: ignore[no-any-return]


# Who is studied


_PICKS = zip(summary(["AAA", "BBB", "CCC"])["stocks_to_investigate"], ("medium", "high", "low"), strict=True)
SUMMARY = ScanSummaryRecord.model_validate(
    {**summary([]), "stocks_to_investigate": [{**pick, "seen_in": [], "conviction": level} for pick, level in _PICKS]}
)


@pytest.mark.parametrize(
    ("conviction", "expected"), [("high", ["BBB"]), ("medium", ["AAA", "BBB"]), ("low", ["AAA", "BBB", "CCC"])]
)
def test_picks_of_at_least_the_conviction_in_the_scan_s_order(conviction: Any, expected: list[str]):
    assert [one.ticker for one in candidates(SUMMARY, (), conviction)] == expected


def test_holdings_follow_the_picks_and_a_pick_that_is_held_says_both():
    found = candidates(SUMMARY, ("ZZZ", "BBB", "CCC"), "medium")
    assert [(one.ticker, one.sources, one.conviction) for one in found] == [
        ("AAA", ("scan",), "medium"),
        ("BBB", ("scan", "portfolio"), "high"),
        ("ZZZ", ("portfolio",), None),
        ("CCC", ("portfolio",), "low"),
    ]
    assert [one.brief for one in found] == [scan_brief(SUMMARY, one.ticker) for one in found]
    assert [one.name for one in found] == ["AAA Incorporated", "BBB Incorporated", "", "CCC Incorporated"]


# What is left


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[BatchRecord, Path, BatchWatch]:
    """An offline batch of the simulated market with one holding, its home and what its watcher saw."""
    home, watch = tmp_path_factory.mktemp("home"), BatchWatch()
    services = batch_desk(home, max_auto_tickers=4)
    record = asyncio.run(auto(services, DAY, holdings=["nuqz"], watcher=watch))
    return record, home, watch


def test_the_folder_holds_card_summary_page_ledger_and_lock(finished: Any):
    record, home, _ = finished
    assert {path.name for path in folder_of(home).iterdir()} == {
        *("auto.json", "summary.md", "index.html", "ledger.jsonl", "lock")
    }
    assert left_in(home) == json.loads(json.dumps(record.as_json()))
    assert set(record.as_json()) == set(BatchRecord.model_fields) - {"orders"}
    assert all(set(row.as_json()) == set(BatchRow.model_fields) for row in record.rows)
    assert all(Path(path).exists() for path in record["paths"].values())
    assert record["batch_id"] == folder_of(home).name
    assert record["batch_id"].startswith(f"{DAY}-")


def test_every_row_is_its_run_s(finished: Any):
    record, home, _ = finished
    by_ticker = {card["ticker"]: card for card in cards(home) if "ticker" in card}
    (scanned,) = (card for card in cards(home) if "scan_date" in card)
    picked = [pick["ticker"] for pick in scanned["summary"]["stocks_to_investigate"]]
    assert record.scan is not None
    assert record.scan.as_json() == scanned
    assert len(picked) == 4
    assert set(by_ticker) == {*picked, "NUQZ"} == {row["ticker"] for row in record["rows"]}
    for row in record["rows"]:
        card = by_ticker[row["ticker"]]
        plan = card["decisions"]["investment_plan"]
        assert (row["status"], row.decision.as_json(), row["run_id"]) == ("done", card["decision"], card["run_id"])
        assert row["disagreement"]["contested"] == pytest.approx(1 - plan["strength"], abs=1e-4)
        assert row["disagreement"]["other_side"] == plan["dissent"]
        assert row["key_reason"] in card["decision"]["rationale"]
        assert (row["error"], row["exit_code"], row["cost_usd"]) == (None, 0, 0.0)
        assert row["paths"] == {key: card["paths"][key] for key in ("folder", "card", "report", "html")}
        assert card["reports"]["macro_scan_summary"] == scan_brief(record.scan.summary, row["ticker"])
    assert (record["status"], exit_code(record)) == ("done", 0)


def test_usage_is_that_of_the_scan_and_all_runs(finished: Any):
    record, home, _ = finished
    used = [card["usage"] for card in cards(home)]
    for key in ("llm_calls", "input_tokens", "output_tokens", "cached_tokens"):
        assert record["usage"][key] == sum(one[key] for one in used)
    assert record["usage"]["llm_calls"] == SCAN_CALLS + 5 * OFFLINE_RUN_CALLS == calls_logged(home)
    assert record["usage"]["by_agent"]["Trader"]["llm_calls"] == 5


def test_the_watcher_sees_the_plan_every_event_and_every_end(finished: Any):
    record, home, watch = finished
    assert len(watch.plans) == 1
    assert watch.plans[0][-1] == "NUQZ"
    assert sorted(watch.plans[0]) == sorted(row["ticker"] for row in watch.rows)
    assert sorted(watch.rows, key=lambda row: row["ticker"]) == sorted(record["rows"], key=lambda row: row["ticker"])
    starts = [event for event in watch.events if event.type == "run_start"]
    assert starts[0].run_id == record["scan"]["run_id"]
    assert {event.run_id for event in starts} == {card["run_id"] for card in cards(home)}


def test_summary_and_page_say_every_decision(finished: Any):
    record, home, _ = finished
    summary_text = (folder_of(home) / "summary.md").read_text("utf-8")
    page = (folder_of(home) / "index.html").read_text("utf-8")
    for row in record["rows"]:
        for text in (summary_text, page):
            assert row["ticker"] in text
            assert f"../../runs/{row['run_id']}/reports/report.html" in text


async def test_at_most_so_many_tickers_run_at_once(tmp_path: Path):
    model = batch_model(delay=0.01)
    watch = BatchWatch()
    await auto(batch_desk(tmp_path, model, max_concurrent_pipelines=2, max_auto_tickers=5), DAY, watcher=watch)
    under_way, most = 0, 0
    for event in watch.events:
        if event.data.get("ticker") and event.type == "run_start":
            under_way += 1
        under_way -= event.type == "result" and "decision" in event.data
        most = max(most, under_way)
    assert most == 2
    assert len(cards(tmp_path)) == 6


async def test_without_a_day_it_is_today_as_of_its_last_session(tmp_path: Path):
    record = await auto(batch_desk(tmp_path, batch_model(), **THREE), None)
    day = default_day(Settings())
    session = sessions().last_closed(utc_now())  # before the close, and on a weekend, the one before
    assert (record["trade_date"], record["session"]) == (day.isoformat(), session.isoformat())
    assert {card.get("trade_date", card.get("scan_date")) for card in cards(tmp_path)} == {day.isoformat()}


async def test_a_day_without_a_session_is_read_as_of_the_last_one(tmp_path: Path):
    services = batch_desk(tmp_path, batch_model(), **THREE)
    record = await auto(services, "2025-03-16")
    assert (record["trade_date"], record["session"]) == ("2025-03-16", DAY)
    assert record["warnings"] == [f"2025-03-16 has no closed session; the market is read as of the close of {DAY}."]
    assert auto_card(services, "2025-03-16") == Path(record["paths"]["card"])


# Endings


async def test_one_ticker_s_failure_does_not_stop_the_others(tmp_path: Path):
    def fail_for_one(messages: Any, tools: Any) -> Any:
        return ZeroDivisionError("a bug") if about(messages) == "RAIQ" else sound_verdict(messages)

    model = batch_model({SYNTHESIS: picking(RAIQ="high", COVZ="high", DIGZ="low"), "Trader": fail_for_one})
    record = await auto(batch_desk(tmp_path, model, **THREE), DAY, holdings=["NOSUCHQ"])
    assert [(row["ticker"], row["status"]) for row in record["rows"]] == [
        ("COVZ", "done"),
        ("DIGZ", "done"),
        ("NOSUCHQ", "failed"),
        ("RAIQ", "failed"),
    ]
    assert (record["status"], exit_code(record)) == ("partial", NoData.exit_code)
    absent, broken = record["rows"][2:]
    assert (absent["run_id"], absent["paths"], absent["cost_usd"]) == (None, {}, None)
    assert absent["error"].startswith("No prices of NOSUCHQ for 2025-03-14")
    assert broken["error"] == "An unexpected ZeroDivisionError ended the run."
    assert (broken["exit_code"], broken["decision"]) == (1, None)
    assert broken["run_id"]


async def test_a_run_without_a_decision_is_finished_and_ranks_below(tmp_path: Path):
    def undecided(messages: Any, tools: Any) -> Any:
        return "I would rather not." if about(messages) == "RAIQ" else sound_verdict(messages, action="HOLD")

    model = batch_model({SYNTHESIS: picking(RAIQ="high", COVZ="high", DIGZ="low"), "Risk Manager": undecided})
    services = batch_desk(tmp_path, model, **THREE)
    record = await auto(services, DAY)
    assert [(row["ticker"], row["status"]) for row in record["rows"]] == [
        ("COVZ", "done"),
        ("DIGZ", "done"),
        ("RAIQ", "no_decision"),
    ]
    assert (record["status"], exit_code(record)) == ("done", 5)
    asked = len(model.calls)
    await auto(services, DAY)
    assert len(model.calls) == asked


async def test_a_conviction_nobody_has_leaves_an_empty_batch_that_says_why(tmp_path: Path):
    model = batch_model({SYNTHESIS: picking(RAIQ="low", COVZ="low", DIGZ="low")})
    record = await auto(batch_desk(tmp_path, model, **THREE), DAY, conviction="high")
    assert (record["rows"], record["status"], exit_code(record)) == ([], "done", 0)
    assert record["warnings"] == [
        "None of the scan's 3 picks has a conviction of high; the highest is low. Study them with conviction='low'."
    ]


async def test_a_conviction_nobody_has_is_told_beside_the_holdings_too(tmp_path: Path):
    model = batch_model({SYNTHESIS: picking(RAIQ="low", COVZ="low", DIGZ="low")})
    record = await auto(batch_desk(tmp_path, model, **THREE), DAY, conviction="medium", holdings=["NUQZ"])
    assert [row["ticker"] for row in record["rows"]] == ["NUQZ"]
    (warning,) = record["warnings"]
    assert warning.startswith("None of the scan's 3 picks has a conviction of medium or more; the highest is low.")


async def test_a_failed_scan_leaves_its_record_and_its_error_goes_on(tmp_path: Path):
    services = batch_desk(tmp_path, batch_model({SYNTHESIS: "no idea"}), **THREE)
    with pytest.raises(NoSummary):
        await auto(services, DAY, holdings=["NUQZ"])
    record = left_in(tmp_path)
    assert (record["status"], record["scan"]["status"], record["rows"]) == ("failed", "no_summary", [])
    assert exit_code(BatchRecord.model_validate(record)) == 1
    assert "The batch failed." in (folder_of(tmp_path) / "summary.md").read_text("utf-8")
    again = await auto(batch_desk(tmp_path, batch_model(), **THREE), DAY)
    assert (again["status"], len(again["rows"])) == ("done", 3)
    assert runs_of(tmp_path)["SCAN"] == 1  # it went on
    assert again["usage"]["llm_calls"] == sum(card["usage"]["llm_calls"] for card in cards(tmp_path))


async def test_a_scan_that_could_not_begin_says_why(tmp_path: Path):
    (tmp_path / "empty").mkdir()
    config = {"data_vendor": "snapshot", "data_dir": str(tmp_path / "empty")}
    with pytest.raises(Exception, match="snapshot") as raised:
        await auto(batch_desk(tmp_path, batch_model(), **config), DAY)
    record = left_in(tmp_path)
    assert (record["status"], record["scan"], record["warnings"]) == ("failed", None, [str(raised.value)])
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"day": "2999-01-01"}, BadDate),
        ({"day": "soon"}, BadDate),
        ({"holdings": ["../x"]}, BadSymbol),
        ({"conviction": "huge"}, UsageError),
    ],
)
async def test_a_wrong_question_writes_nothing(tmp_path: Path, arguments: dict[str, Any], error: type[Exception]):
    asked: dict[str, Any] = {"day": DAY, **arguments}
    with pytest.raises(error):
        await auto(batch_desk(tmp_path / "mine", batch_model()), asked.pop("day"), **asked)
    assert not (tmp_path / "mine").exists()


# Budget


async def test_the_budget_spans_scan_and_runs_and_more_of_it_goes_on_where_it_ended(tmp_path: Path):
    model = batch_model()
    config = {"max_concurrent_pipelines": 1, **THREE}
    most = SCAN_CALLS + RUN_CALLS + 6
    record = await auto(batch_desk(tmp_path, model, max_llm_calls=most, **config), DAY)
    assert (record["status"], exit_code(record)) == ("budget", BudgetReached.exit_code)
    assert len(model.calls) == record["usage"]["llm_calls"] == most
    assert Counter(row["status"] for row in record["rows"]) == {"done": 1, "budget": 1, "waiting": 1}
    done, stopped, waiting = record["rows"]
    assert (done["status"], stopped["status"], waiting["status"]) == ("done", "budget", "waiting")
    assert "raise max_llm_calls" in (stopped["error"] or "")
    assert (waiting["run_id"], waiting["error"]) == (None, None)

    same = await auto(batch_desk(tmp_path, model, max_llm_calls=most, **config), DAY)
    assert len(model.calls) == most
    assert [row["status"] for row in same["rows"]] == ["done", "budget", "waiting"]

    rest = await auto(batch_desk(tmp_path, model, **config), DAY)
    assert (rest["status"], {row["status"] for row in rest["rows"]}) == ("done", {"done"})
    assert len(model.calls) == rest["usage"]["llm_calls"] == SCAN_CALLS + 3 * RUN_CALLS  # nothing twice
    assert runs_of(tmp_path)[done["ticker"]] == 1
    assert len(list((tmp_path / "auto").iterdir())) == 1


async def test_a_budget_that_ends_in_the_scan_ends_the_batch(tmp_path: Path):
    with pytest.raises(BudgetReached):
        await auto(batch_desk(tmp_path, batch_model(), max_llm_calls=4), DAY)
    record = left_in(tmp_path)
    assert (record["status"], record["scan"]["status"], record["rows"]) == ("budget", "budget", [])


async def test_no_ticker_begins_once_one_was_stopped(tmp_path: Path):
    model = batch_model(delay=0.005)
    record = await auto(
        batch_desk(tmp_path, model, max_llm_calls=SCAN_CALLS + RUN_CALLS, max_concurrent_pipelines=2), DAY
    )
    statuses = Counter(row["status"] for row in record["rows"])
    assert record["usage"]["llm_calls"] == SCAN_CALLS + RUN_CALLS
    assert statuses["budget"] + statuses["done"] == 2
    assert statuses["waiting"] == len(record["rows"]) - 2
    assert record["status"] == "budget"


async def test_a_ticker_that_failed_before_and_may_not_begin_now_leaves_the_batch_at_its_budget(tmp_path: Path):
    chosen = {SYNTHESIS: picking(RAIQ="low", COVZ="high", DIGZ="low")}
    broken = batch_model({**chosen, "Risk Manager": RuntimeError("a bug")})
    first = await auto(batch_desk(tmp_path, broken, **THREE), DAY)
    assert first["status"] == "failed"
    used = first["usage"]["llm_calls"]
    record = await auto(batch_desk(tmp_path, batch_model(chosen), max_llm_calls=used, **THREE), DAY)
    assert (record["status"], exit_code(record), record["usage"]["llm_calls"]) == ("budget", 6, used)
    assert Counter(row["status"] for row in record["rows"]) == {"failed": 2, "budget": 1}
    assert [row["run_id"] for row in record["rows"] if row["status"] == "budget"] == [None]


async def test_a_budget_that_ends_with_the_scan_is_told_by_the_ticker_it_kept_from_beginning(tmp_path: Path):
    record = await auto(batch_desk(tmp_path, batch_model(), max_llm_calls=SCAN_CALLS, **THREE), DAY)
    assert (record["status"], exit_code(record), record["usage"]["llm_calls"]) == ("budget", 6, SCAN_CALLS)
    assert Counter(row["status"] for row in record["rows"]) == {"budget": 1, "waiting": 2}
    assert [row["error"] for row in record["rows"] if row["error"]] == [
        f"The run may make {SCAN_CALLS} model calls; raise max_llm_calls and run again."
    ]
    assert runs_of(tmp_path) == {"SCAN": 1}


# Again


async def test_a_second_start_asks_no_model_and_reports_the_same(tmp_path: Path):
    model = batch_model()
    first = await auto(batch_desk(tmp_path, model, **THREE), DAY)
    asked, watch = len(model.calls), BatchWatch()
    second = await auto(batch_desk(tmp_path, model, max_concurrent_pipelines=1, **THREE), DAY, watcher=watch)
    assert len(model.calls) == asked == SCAN_CALLS + 3 * RUN_CALLS
    assert {**second.as_json(), "timing": None} == {**first.as_json(), "timing": None}
    assert (len(watch.plans), watch.events) == (1, [])
    assert [row["status"] for row in watch.rows] == ["done"] * 3


async def test_other_holdings_and_convictions_share_the_scan_and_add_what_is_new(tmp_path: Path):
    model = batch_model({SYNTHESIS: picking(RAIQ="low", COVZ="high", DIGZ="low")})
    services = batch_desk(tmp_path, model, **THREE)
    few = await auto(services, DAY, conviction="high")
    assert [row["ticker"] for row in few["rows"]] == ["COVZ"]
    more = await auto(services, DAY, conviction="high", holdings=["NUQZ", "COVZ"])
    assert sorted(row["ticker"] for row in more["rows"]) == ["COVZ", "NUQZ"]
    assert next(row for row in more["rows"] if row["ticker"] == "COVZ")["sources"] == ["scan", "portfolio"]
    await auto(services, DAY)
    assert runs_of(tmp_path) == dict.fromkeys(("SCAN", "COVZ", "NUQZ", "RAIQ", "DIGZ"), 1)


async def test_a_failed_ticker_is_run_again_and_no_other(tmp_path: Path):
    def fail_for_one(messages: Any, tools: Any) -> Any:
        return RuntimeError("a bug") if about(messages) == "RAIQ" else sound_verdict(messages)

    chosen = {SYNTHESIS: picking(RAIQ="low", COVZ="high", DIGZ="low")}
    await auto(batch_desk(tmp_path, batch_model({**chosen, "Trader": fail_for_one}), **THREE), DAY)
    record = await auto(batch_desk(tmp_path, batch_model(chosen), **THREE), DAY)
    assert {row["status"] for row in record["rows"]} == {"done"}
    assert runs_of(tmp_path) == {"SCAN": 1, "RAIQ": 1, "COVZ": 1, "DIGZ": 1}  # it went on
    assert record["usage"]["llm_calls"] == sum(card["usage"]["llm_calls"] for card in cards(tmp_path))


CHANGES_NOTHING: dict[str, Any] = {
    "budget_usd": 5.0,
    "max_llm_calls": 999,
    "model_prices": {"m": (1.0, 0.1, 2.0)},
    "max_concurrent_pipelines": 9,
    "llm_timeout": 9.0,
    "vendor_timeout": 9.0,
    "llm_max_retries": 0,
    "quick_fallback_llm": "spare",
    "mid_fallback_llm": "spare",
    "deep_fallback_llm": "spare",
    "vendor_max_retries": 0,
    "vendor_rates": {"finnhub": "300/minute"},
    "stream_tokens": True,
    "max_recur_limit": 99,
    "checkpoint_enabled": False,
    "drain_seconds": 1.0,
    "outcome_days": 5,
    "auto_settle": False,
    "replay": "on",
    "keep_replies": False,
    "log_file": "/tmp/x.log",  # noqa: S108 - a name
    "log_format": "json",
    "log_level": "debug",
    "results_dir": "/tmp/x-results",  # noqa: S108 - a name
    "task_engine": "ray",
    "backtest_engine": "processes",
    "backtest_workers": 2,
    "knowledge_cutoffs": {"m": date(2025, 6, 30)},
    "model_rates": {"openai": "500/minute"},
    "research_task_seconds": 9.0,
    "max_concurrent_research_tasks": 2,
    "assistant_tier": "deep",
    "persona_tier": "deep",
    "assistant_max_rounds": 3,
    "assistant_context_tokens": 9_000,
    "personas_dir": "/tmp/x-personas",  # noqa: S108 - a name
    "mcp_servers": {"notes": {"url": "http://127.0.0.1:1/mcp"}},
    "server_allowed_origins": ("http://127.0.0.1:1",),
    "server_allowed_hosts": ("example.test",),
    "server_rate": "20/second",
    "server_max_body_bytes": 9_000,
    "server_max_connections": 99,
}
CHANGES_THE_ANSWER: dict[str, Any] = {
    "decide_at": "open",
    "llm_provider": "scripted",
    "quick_think_llm": "m",
    "mid_think_llm": "m",
    "deep_think_llm": "m",
    "quick_think_llm_provider": "scripted",
    "mid_think_llm_provider": "scripted",
    "deep_think_llm_provider": "scripted",
    "backend_url": "http://127.0.0.1:1/v1",
    "quick_think_backend_url": "http://127.0.0.1:1/v1",
    "mid_think_backend_url": "http://127.0.0.1:1/v1",
    "deep_think_backend_url": "http://127.0.0.1:1/v1",
    "temperature": 0.5,
    "openai_reasoning_effort": "low",
    "anthropic_effort": "low",
    "google_thinking_level": "low",
    "structured_output": "prompt",
    "max_output_tokens": 99,
    "analysts": ("news",),
    "max_debate_rounds": 3,
    "max_risk_discuss_rounds": 3,
    "debate_mode": "simultaneous",
    "settle": True,
    "settle_max_asks": 9,
    "unsettled_action": "HOLD",
    "fetch_valuation": True,
    "filings_vectors": "local",
    "filings_vector_weight": 0.5,
    "max_tool_rounds": 1,
    "ask_report_company": False,
    "max_auto_tickers": 4,
    "approve": True,
    "output_language": "French",
    "data_vendor": "snapshot",
    "data_vendors": {"news_data": "simulated"},
    "tool_vendors": {"get_news": "simulated"},
    "data_dir": "/tmp/x",  # noqa: S108 - a name
    "simulated_seed": 8,
    "price_history_days": 900,
    "news_article_limit": 5,
    "global_news_article_limit": 5,
    "global_news_lookback_days": 5,
    "benchmark_ticker": "SPY",
    "vendor_urls": {"finnhub": "http://127.0.0.1:1"},
    "second_vendor": "off",
    "database_url": "sqlite:////tmp/x.sqlite",
    "max_position_size": 0.1,
    "sell_means": "close",
    "max_reply_chars": 50_000,
}


def test_every_setting_is_part_of_the_question_or_known_not_to_be():
    assert {*CHANGES_NOTHING, *CHANGES_THE_ANSWER, "home"} == set(KEYS)


@pytest.mark.parametrize("key", CHANGES_NOTHING)
def test_a_setting_that_changes_no_answer_changes_no_folder(tmp_path: Path, key: str):
    plain = batch_desk(tmp_path, batch_model())
    changed = batch_desk(tmp_path, batch_model(), **{key: CHANGES_NOTHING[key]})
    assert auto_card(changed, DAY) == auto_card(plain, DAY)


@pytest.mark.parametrize("key", CHANGES_THE_ANSWER)
def test_a_setting_that_changes_answers_changes_the_folder(tmp_path: Path, key: str):
    on = {"settle": True} if key in ("settle_max_asks", "unsettled_action") else {}  # they matter only with it
    plain = batch_desk(tmp_path, batch_model(), **on)
    changed = batch_desk(tmp_path, batch_model(), **on, **{key: CHANGES_THE_ANSWER[key]})
    assert auto_card(changed, DAY) != auto_card(plain, DAY)


def test_a_build_between_two_releases_changes_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folders = {}
    for installed in ("0.3.0.dev1+gabc1234", "0.3.0.dev22+gdef5678", "0.3.0", "0.4.0"):
        fingerprint._version.cache_clear()
        monkeypatch.setattr(fingerprint, "version", lambda _, installed=installed: installed)
        folders[installed] = auto_card(batch_desk(tmp_path, batch_model()), DAY)
    fingerprint._version.cache_clear()
    assert folders["0.3.0.dev1+gabc1234"] == folders["0.3.0.dev22+gdef5678"] == folders["0.3.0"] != folders["0.4.0"]


def test_a_password_in_a_url_changes_no_folder(tmp_path: Path):
    urls = ("http://me:one@127.0.0.1:1/v1", "http://me:two@127.0.0.1:1/v1")
    first, second = (auto_card(batch_desk(tmp_path, batch_model(), backend_url=url), DAY) for url in urls)
    assert first == second


# What earlier starts left may be damaged


async def test_half_a_last_line_of_the_ledger_is_a_run_that_had_only_begun(tmp_path: Path):
    model = batch_model()
    services = batch_desk(tmp_path, model, **THREE)
    await auto(services, DAY)
    ledger = folder_of(tmp_path) / "ledger.jsonl"
    ledger.write_bytes(ledger.read_bytes()[:-20])
    asked = len(model.calls)
    record = await auto(services, DAY)
    assert record["status"] == "done"
    assert len(model.calls) == asked + RUN_CALLS
    assert all(json.loads(line) for line in ledger.read_text("utf-8").splitlines())


@pytest.fixture(scope="module")
def scripted_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of a finished batch; whoever damages a file of it puts it back."""
    home = tmp_path_factory.mktemp("scripted")
    asyncio.run(auto(batch_desk(home, picking_three(), **THREE), DAY))
    return home


def picking_three() -> ScriptedChatModel:
    return batch_model({SYNTHESIS: picking(RAIQ="low", COVZ="high", DIGZ="low")})


@contextmanager
def damaged(path: Path, text: str) -> Iterator[None]:
    """Have a file read otherwise for a while."""
    before = path.read_bytes()
    path.write_text(text, encoding="utf-8")
    try:
        yield
    finally:
        path.write_bytes(before)


async def assert_nothing_is_run(home: Path, error: str) -> None:
    """A start on a damaged home says what is damaged, asks no model and begins no run."""
    model, runs = picking_three(), runs_of(home)
    with pytest.raises(UnreadableFile, match=error):
        await auto(batch_desk(home, model, **THREE), DAY)
    assert not model.calls
    assert runs_of(home) == runs


@pytest.mark.parametrize("damage", ["not json", '{"run_id": "../../x", "ticker": "A", "started_at": ""}', "[]", "{}"])
async def test_a_damaged_ledger_is_named_and_nothing_is_run(scripted_home: Path, damage: str):
    ledger = folder_of(scripted_home) / "ledger.jsonl"
    with damaged(ledger, f"{damage}\n{ledger.read_text('utf-8')}"):
        await assert_nothing_is_run(scripted_home, r"ledger\.jsonl .*; move it away, and the batch starts anew\.")


@pytest.mark.parametrize("damage", ["{", "[]", "{}", '{"status": "done"}', '{"status": "done", "usage": 3}'])
@pytest.mark.parametrize("subject", ["SCAN", "COVZ"])
async def test_a_damaged_card_is_named_and_nothing_is_run(scripted_home: Path, subject: str, damage: str):
    (card,) = scripted_home.glob(f"runs/*-{subject}-*/run.json")
    with damaged(card, damage):
        await assert_nothing_is_run(scripted_home, rf"{subject}-.*run\.json .*; move its folder away")


async def test_a_home_put_back_after_a_damage_is_finished(scripted_home: Path):
    model = picking_three()
    record = await auto(batch_desk(scripted_home, model, **THREE), DAY)
    assert (record["status"], len(record["rows"]), model.calls) == ("done", 3, ())


async def test_a_run_whose_folder_is_gone_is_made_again(tmp_path: Path):
    model = batch_model({SYNTHESIS: picking(RAIQ="low", COVZ="high", DIGZ="low")})
    services = batch_desk(tmp_path, model, **THREE)
    await auto(services, DAY)
    (card,) = tmp_path.glob("runs/*-COVZ-*/run.json")
    card.parent.rename(tmp_path / "away")
    assert (await auto(services, DAY))["status"] == "done"
    assert runs_of(tmp_path)["COVZ"] == 1


# Stopped, killed, twice at once


async def test_cancelling_leaves_every_record_and_a_later_start_goes_on(tmp_path: Path):
    services = batch_desk(tmp_path, batch_model(delay=0.02), max_concurrent_pipelines=2, max_auto_tickers=5)
    enough = asyncio.Event()

    class Counting(BatchWatch):
        def ended(self, row: Any) -> None:
            super().ended(row)
            enough.set()

    task = asyncio.create_task(auto(services, DAY, watcher=Counting()))
    await asyncio.wait_for(enough.wait(), 60)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    record = left_in(tmp_path)
    statuses = Counter(row["status"] for row in record["rows"])
    assert record["status"] == "interrupted"
    assert statuses["done"] >= 1
    assert statuses["waiting"] >= 1
    assert statuses["interrupted"] == runs_of(tmp_path).total() - 1 - statuses["done"]
    assert all((folder / "run.json").exists() for folder in tmp_path.glob("runs/*/"))
    assert exit_code(BatchRecord.model_validate(record)) == 130
    done = [row["ticker"] for row in record["rows"] if row["status"] == "done"]

    rest = await auto(batch_desk(tmp_path, batch_model(), max_auto_tickers=5), DAY)
    assert (rest["status"], len(rest["rows"])) == ("done", 5)
    assert all(runs_of(tmp_path)[ticker] == 1 for ticker in done)


AUTO = f"""
import asyncio, json, sys
from tradingagents.features.batch.auto import auto
from tradingagents.runtime.services import open_services
from tradingagents.settings import load_settings
services = open_services(load_settings(json.loads(sys.argv[1]), environ={{}}), {{}})
print(json.dumps(asyncio.run(auto(services, {DAY!r})).as_json()))
"""


@pytest.mark.parametrize("ended", sampled([1, 0, 3], every=3))
def test_after_a_kill_the_same_command_runs_no_finished_ticker_again(tmp_path: Path, ended: int):
    config = json.dumps(
        {
            "llm_provider": "offline",
            "data_vendor": "simulated",
            "home": str(tmp_path),
            "max_concurrent_pipelines": 2,
            "max_auto_tickers": 3,
        }
    )
    process = start(AUTO, config)
    until = time.monotonic() + 60
    pattern = "runs/*/run.json" if ended else "runs/*/events.jsonl"
    while len(list(tmp_path.glob(pattern))) < max(ended, 1) and time.monotonic() < until:
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=30)
    before = {(card.get("ticker"), card["run_id"]) for card in cards(tmp_path)}
    assert ended <= len(before) < 4

    again = start(AUTO, config)
    out, errors = again.communicate(timeout=60)
    assert again.returncode == 0, errors
    record = json.loads(out)
    assert (record["status"], len(record["rows"])) == ("done", 3)
    after = [card.get("ticker") for card in cards(tmp_path)]
    assert sorted(map(str, after)) == sorted(map(str, {None, *(row["ticker"] for row in record["rows"])}))
    started = runs_of(tmp_path)
    for ticker, run_id in before:
        assert started[ticker or "SCAN"] == 1
        assert run_id in {record["scan"]["run_id"], *(row["run_id"] for row in record["rows"])}
    killed = started.total() - 4
    assert 0 <= killed <= 2
    assert record["usage"]["llm_calls"] == calls_logged(tmp_path) >= SCAN_CALLS + 3 * OFFLINE_RUN_CALLS


async def test_of_two_at_once_the_second_is_refused_in_one_line(tmp_path: Path):
    slow = asyncio.create_task(auto(batch_desk(tmp_path, batch_model(delay=0.05), **THREE), DAY))
    while not list(tmp_path.glob("auto/*/ledger.jsonl")) and not slow.done():
        await asyncio.sleep(0.005)
    model = batch_model()
    with pytest.raises(BatchBusy, match=r"Another process is working on .*; wait until it has ended") as raised:
        await auto(batch_desk(tmp_path, model, **THREE), DAY)
    assert "\n" not in str(raised.value)
    assert not model.calls
    assert (await slow)["status"] == "done"
    assert runs_of(tmp_path).total() == 4


async def test_a_lock_file_that_nobody_holds_stops_nobody(tmp_path: Path):
    services = batch_desk(tmp_path, batch_model(), **THREE)
    lock = auto_card(services, DAY).with_name("lock")
    with locked(lock):
        pass
    assert lock.exists()
    assert (await auto(services, DAY))["status"] == "done"


# Real data


@pytest.mark.real_data
@pytest.mark.nightly
async def test_recorded_data_from_scan_to_decisions(tmp_path: Path, test_data: Path):
    config = {"data_vendor": "snapshot", "data_dir": str(test_data / "snapshot"), "max_auto_tickers": 2}
    record = await auto(batch_desk(tmp_path, **config), DAY, holdings=["AAPL"])
    assert record["status"] == "done"
    assert {"scan", "portfolio"} == {source for row in record["rows"] for source in row["sources"]}
    assert 2 <= len(record["rows"]) <= 3
    assert all(row["decision"]["action"] in ("BUY", "SELL", "HOLD") for row in record["rows"])


# A scan that was made by itself


def scripted_desk(home: Path, model: Any, **config: Any) -> Any:
    return batch_desk(home, model, max_auto_tickers=2, **config)


async def test_a_finished_scan_of_the_same_question_is_not_paid_for_again(tmp_path: Path):
    model = batch_model()
    alone = (await scan(scripted_desk(tmp_path, model), DAY)).record
    calls = len(model.calls)
    record = await auto(scripted_desk(tmp_path, model), DAY)
    assert record["scan"] == alone
    asked = Counter(role_of(call.messages) for call in model.calls[calls:])
    assert asked[SYNTHESIS] == 0
    assert record["usage"]["llm_calls"] == len(model.calls) - calls
    assert runs_of(tmp_path)["SCAN"] == 1
    assert any(alone["run_id"] in warning and "not made again" in warning for warning in record["warnings"])
    again = await auto(scripted_desk(tmp_path, model), DAY)
    assert again["usage"]["llm_calls"] == record["usage"]["llm_calls"]
    assert again["scan"] == alone


@pytest.mark.parametrize("changed", [{"output_language": "German"}, {"max_tool_rounds": 1}])
async def test_a_scan_of_another_question_is_not_taken_over(tmp_path: Path, changed: dict[str, Any]):
    model = batch_model()
    await scan(scripted_desk(tmp_path, model), DAY)
    await auto(scripted_desk(tmp_path, model, **changed), DAY)
    assert runs_of(tmp_path)["SCAN"] == 2


async def test_a_scan_that_failed_is_not_taken_over(tmp_path: Path):
    failing = batch_model({SYNTHESIS: "no summary"})
    with pytest.raises(NoSummary):
        await scan(scripted_desk(tmp_path, failing), DAY)
    record = await auto(scripted_desk(tmp_path, batch_model()), DAY)
    assert record["scan"]["status"] == "done"
    assert not any("not made again" in warning for warning in record["warnings"])
