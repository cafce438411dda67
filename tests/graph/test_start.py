"""What a run leaves behind, whichever way it ends: its folder, its record, and never a secret."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from benchmarks.openai_server import OpenAIServer
from tests.reports.page import Page
from tests.support.fakes import RowsVendor, make_prices
from tests.support.graph_factory import COMPANY, DAY, Watch, scripted, trading_graph
from tests.support.served_runs import ASYNCIO_RUN, MODEL, PROPAGATE, ROOT, StoppingServer, card_in, server_config, start
from tests.support.tiers import sampled
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.vendors.simulated import COMPANIES
from tradingagents.errors import BadDate, BadSymbol, BudgetReached, HomeNotWritable, NoData
from tradingagents.events import Event
from tradingagents.graph.start import Run, analyze_many, parse_day
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.runtime.runs.run_folder import RunFolder
from tradingagents.schemas import records
from tradingagents.schemas.cards import RunRecord
from tradingagents.schemas.decision import Decision
from tradingagents.settings import load_settings

REPORT_FILES = {
    *(f"reports/1_analysts/{name}.md" for name in ("market", "macro_regime", "social", "news", "fundamentals")),
    *("reports/2_research/debate.md", "reports/2_research/investment_plan.md"),
    *("reports/3_trading/trader.md", "reports/4_risk/debate.md", "reports/5_decision/decision.md"),
    *("reports/complete_report.md", "reports/report.html"),
}


def offline(home: Path, **more: Any) -> TradingAgentsGraph:
    return TradingAgentsGraph(config={"llm_provider": "offline", "data_vendor": "simulated", "home": str(home), **more})


def files_of(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


# What a run leaves


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Path, Watch]:
    """An offline run, its folder and its events."""
    home, watch = tmp_path_factory.mktemp("home"), Watch()
    graph = offline(home)
    run = graph.run(COMPANY, DAY, subscribers=[watch])
    return run, Path(run.record["paths"]["folder"]), watch


def test_the_folder_holds_card_events_and_reports_and_nothing_else(finished: tuple[Run, Path, Watch]):
    _, folder, _ = finished
    assert files_of(folder) == {"run.json", "unsettled", "events.jsonl", "manifest.json", "lock", *REPORT_FILES}


def test_the_card_is_the_documented_record(finished: tuple[Run, Path, Watch]):
    run, folder, _ = finished
    card = json.loads((folder / "run.json").read_text("utf-8"))
    assert card == json.loads(json.dumps(run.record.as_json()))
    hints = RunRecord.model_fields
    assert set(card) == set(hints) - {"error", "known", "reviews", "lessons_used", "book", "settling"}
    for key, kind in (
        ("decision", Decision),
        ("instrument", records.InstrumentRecord),
        ("usage", records.UsageRecord),
        ("timing", records.TimingRecord),
    ):
        assert set(card[key]) == set(kind.model_fields), key
    assert all(set(row) == set(records.DataSheetRecord.model_fields) for row in card["data_sheet"])
    assert all(set(one) - {"unsupported"} == {"claim", "source"} for one in card["decision"]["key_evidence"])
    assert (card["status"], card["ticker"], card["trade_date"]) == ("done", COMPANY, DAY)
    assert (card["session"], card["cutoff"]) == (DAY, "2025-03-14T20:00:00+00:00")
    assert card["usage"]["llm_calls"] == 18
    assert card["timing"]["started_at"] < card["timing"]["finished_at"]
    assert {key: Path(path).exists() for key, path in card["paths"].items()} == dict.fromkeys(
        ("folder", "card", "events", "report", "html"), True
    )
    assert set(card["debates"]) == {"research", "risk"}
    assert (len(card["debates"]["research"]), len(card["debates"]["risk"])) == (4, 6)
    assert card["settings"]["llm_provider"] == "offline"
    assert all(re.fullmatch(r"[0-9a-f]{64}", digest) for digest in card["prompts"].values())
    assert len(card["prompts"]) == 18


def test_the_record_s_reports_are_the_state_s(finished: tuple[Run, Path, Watch]):
    run, _, _ = finished
    assert list(run.record["reports"]) == [
        *("market_report", "sentiment_report", "news_report", "fundamentals_report", "macro_regime_report"),
        *("investment_plan", "trader_investment_plan", "final_trade_decision"),
    ]
    for key, text in run.record["reports"].items():
        assert text == run.state[key]  # type: ignore[literal-required]
        assert len(text) > 100


def test_events_are_numbered_in_order_and_every_line_is_one(finished: tuple[Run, Path, Watch]):
    run, folder, watch = finished
    lines = (folder / "events.jsonl").read_text("utf-8").splitlines()
    events = [json.loads(line) for line in lines]
    assert [event["seq"] for event in events] == list(range(len(events)))
    assert {frozenset(event) for event in events} == {
        frozenset({"type", "message", "step", "data", "run_id", "node", "seq", "ts"})
    }
    assert {event["run_id"] for event in events} == {run.record["run_id"]}
    assert [event["ts"] for event in events] == sorted(event["ts"] for event in events)
    assert (events[0]["type"], events[-1]["type"]) == ("run_start", "result")
    assert events == [json.loads(json.dumps(event.to_dict())) for event in watch.events]
    counts = Counter(event["type"] for event in events)
    assert (counts["node_start"], counts["node_end"], counts["usage"]) == (17, 17, 18)
    assert counts["tool_start"] == counts["tool_end"] == 15
    assert (counts["debate_turn"], counts["error"]) == (10, 0)


def test_the_reports_say_the_decision_and_the_page_can_be_read(finished: tuple[Run, Path, Watch]):
    run, folder, _ = finished
    assert run.record["decision"]
    markdown = (folder / "reports/complete_report.md").read_text("utf-8")
    page = Page((folder / "reports/report.html").read_text("utf-8"))
    for text in (markdown, page.text()):
        assert COMPANY in text
        assert run.decision.action in text
        assert run.decision.rationale[:60] in text
    assert page.of("svg")
    assert not [one for one in page.of("script") + page.of("link") + page.of("img") if "src" in one or "href" in one]


async def test_the_card_is_written_last_and_each_file_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    written: list[str] = []
    write = RunFolder.write_text

    def noted(self: RunFolder, name: str, text: str) -> Path:
        assert not (self.path / "run.json").exists()
        written.append(name)
        return write(self, name, text)

    monkeypatch.setattr(RunFolder, "write_text", noted)
    await offline(tmp_path).arun(COMPANY, DAY)
    assert written[-1] == "run.json"
    assert set(written) == {"manifest.json", "unsettled", "run.json", *REPORT_FILES}


async def test_a_day_without_a_session_is_said_to_be_read_as_of_the_last_close(tmp_path: Path):
    run = await offline(tmp_path).arun(COMPANY, "2025-03-16")
    assert (run.record["trade_date"], run.record["session"]) == ("2025-03-16", "2025-03-14")
    assert (
        "2025-03-16 has no closed session; the market is read as of the close of 2025-03-14." in run.record["warnings"]
    )


async def test_prices_that_end_before_the_session_are_said_to(tmp_path: Path):
    bars = make_prices("ACME", last=parse_day("2025-03-12"))
    config = {"data_vendor": "rows", "home": str(tmp_path)}
    vendors = Vendors(load_settings(config), {"rows": RowsVendor(prices={"ACME": bars})})
    graph = TradingAgentsGraph(config=config, models=TierModels.same(scripted()), vendors=vendors)
    run = await graph.arun("ACME", DAY)
    assert (
        "The newest prices of ACME are of 2025-03-12, though the last session is 2025-03-14." in run.record["warnings"]
    )


async def test_settings_that_a_model_does_not_take_are_in_the_record(tmp_path: Path):
    config = {"data_vendor": "simulated", "home": str(tmp_path)}
    models = TierModels(scripted(), scripted(), scripted(), warnings=("x/y does not take temperature; it is ignored.",))
    run = await TradingAgentsGraph(config=config, models=models).arun(COMPANY, DAY)
    assert "x/y does not take temperature; it is ignored." in run.record["warnings"]


# Runs that end early


def test_a_killed_run_leaves_whole_lines_and_nothing_that_looks_like_a_report(tmp_path: Path):
    with StoppingServer("Bull Researcher") as server:
        process = start(PROPAGATE, json.dumps(server_config(server, tmp_path)))
        assert server.reached.wait(60)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=30)
    (folder,) = (tmp_path / "runs").iterdir()
    assert {name for name in files_of(folder) if not name.startswith("unfinished/")} == {
        *("events.jsonl", "manifest.json", "lock")
    }
    whole, _, _rest = (folder / "events.jsonl").read_text("utf-8").rpartition("\n")
    events = [json.loads(line) for line in whole.splitlines()]
    assert [event["seq"] for event in events] == list(range(len(events)))
    assert sum(event["type"] == "node_end" for event in events) == 4


@pytest.mark.parametrize(
    "script",
    [pytest.param(PROPAGATE, id="propagate"), pytest.param(ASYNCIO_RUN, id="asyncio.run", marks=pytest.mark.nightly)],
)
def test_an_interrupted_run_leaves_its_record_with_what_there_was(tmp_path: Path, script: str):
    with StoppingServer("Bull Researcher") as server:
        process = start(script, json.dumps(server_config(server, tmp_path)))
        assert server.reached.wait(60)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert process.returncode != 0
    assert errors.rstrip().endswith("KeyboardInterrupt")
    card = card_in(tmp_path)
    assert (card["status"], card["decision"], card["error"]) == ("interrupted", None, "The run was interrupted.")
    assert set(card["reports"]) == {
        *("market_report", "sentiment_report", "news_report", "fundamentals_report", "macro_regime_report")
    }
    assert card["usage"]["llm_calls"] == 4
    events = [json.loads(line) for line in Path(card["paths"]["events"]).read_text("utf-8").splitlines()]
    assert (events[-1]["type"], events[-1]["message"]) == ("error", "interrupted")
    assert "interrupted" in Path(card["paths"]["report"]).read_text("utf-8").lower()


async def test_a_bug_leaves_a_record_and_its_traceback(tmp_path: Path):
    graph = trading_graph(scripted({"Trader": ZeroDivisionError("a bug")}), home=tmp_path)
    with pytest.raises(ZeroDivisionError):
        await graph.arun(COMPANY, DAY)
    card = card_in(tmp_path)
    assert (card["status"], card["error"]) == ("failed", "An unexpected ZeroDivisionError ended the run.")
    assert "investment_plan" in card["reports"]


async def test_a_model_that_never_decides_leaves_a_run_without_a_decision(tmp_path: Path):
    run = await trading_graph(scripted({"Risk Manager": "I would rather not."}), home=tmp_path).arun(COMPANY, DAY)
    card = card_in(tmp_path)
    assert (card["status"], card["decision"]["action"], run.decision.confidence) == ("no_decision", "NO_DECISION", 0.0)
    assert "Risk Manager gave no usable decision" in card["decision"]["rationale"]
    assert "The run ended without a decision." in Path(card["paths"]["report"]).read_text("utf-8")


@pytest.mark.parametrize(
    ("ticker", "day", "error"),
    [
        ("../../x", DAY, BadSymbol),
        ("", DAY, BadSymbol),
        ("A" * 64, DAY, BadSymbol),
        (COMPANY, "2999-01-01", BadDate),
        (COMPANY, "1800-01-01", BadDate),
        (COMPANY, "soon", BadDate),
        (COMPANY, "", BadDate),
        (COMPANY, "2025-02-30", BadDate),
    ],
)
async def test_a_wrong_question_writes_nothing(tmp_path: Path, ticker: str, day: str, error: type[Exception]):
    with pytest.raises(error):
        await offline(tmp_path).arun(ticker, day)
    assert not list(tmp_path.glob("runs"))


async def test_a_home_that_is_a_file_is_named_and_left_alone(tmp_path: Path):
    home = tmp_path / "occupied"
    home.write_text("mine", encoding="utf-8")
    with pytest.raises(HomeNotWritable, match=r"Cannot write to .*occupied.*home or TRADINGAGENTS_HOME"):
        await offline(home).arun(COMPANY, DAY)
    assert home.read_text("utf-8") == "mine"


async def test_a_home_that_is_a_file_is_named_when_the_cache_would_be_written_first(tmp_path: Path):
    home = tmp_path / "occupied"
    home.write_text("mine", encoding="utf-8")
    config = {"data_vendor": "rows", "home": str(home)}
    vendors = Vendors(load_settings(config), {"rows": RowsVendor(prices={"ACME": make_prices("ACME")})})
    graph = TradingAgentsGraph(config=config, models=TierModels.same(scripted()), vendors=vendors)
    with pytest.raises(HomeNotWritable, match=r"Cannot write to .*occupied.*home or TRADINGAGENTS_HOME"):
        await graph.arun("ACME", DAY)


async def test_a_disk_that_fills_up_ends_the_run_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    write = RunFolder.append
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no /dev/full here")

    def until_it_is_full(self: RunFolder, event: Any) -> None:
        if event.type == "debate_turn" and self._events.name != str(full):
            self._events.close()
            self._events = opened.enter_context(full.open("wb", buffering=0))
        write(self, event)

    monkeypatch.setattr(RunFolder, "append", until_it_is_full)
    with ExitStack() as opened, pytest.raises(HomeNotWritable, match="Cannot write to"):
        await offline(tmp_path).arun(COMPANY, DAY)


async def test_a_budget_in_usd_ends_the_run_resumably_with_what_it_has(tmp_path: Path):
    with OpenAIServer(reply_tokens=400) as server:
        prices = {MODEL: (1.0, 0.1, 10.0)}
        config = server_config(server, tmp_path, model_prices=prices, budget_usd=0.035)
        graph, watch = TradingAgentsGraph(config=config), Watch()
        with pytest.raises(BudgetReached, match=r"may spend 0\.035 USD and has spent 0\.0\d+.*raise budget_usd"):
            await graph.arun(COMPANY, DAY, subscribers=[watch])
        await graph.services.models.aclose()
    card = card_in(tmp_path)
    assert card["status"] == "budget"
    assert 0.03 < card["usage"]["cost_usd"] <= 0.035
    spent = sum(event.data["cost_usd"] for event in watch.of("usage"))
    assert spent == pytest.approx(card["usage"]["cost_usd"])
    asked = card["usage"]["input_tokens"] * 1e-6 + card["usage"]["output_tokens"] * 1e-5
    assert asked == pytest.approx(card["usage"]["cost_usd"])
    assert card["usage"]["llm_calls"] == len(server.requests) < 18
    assert {"market_report", "fundamentals_report"} <= set(card["reports"])


# The same again


def comparable(card: dict[str, Any], text: str = "") -> Any:
    """A record without what differs from run to run: ids, instants, durations, places."""
    plain = {key: value for key, value in card.items() if key not in ("run_id", "timing", "paths", "versions")}
    plain["settings"] = {key: value for key, value in card["settings"].items() if key != "home"}
    plain["data_sheet"] = [{k: v for k, v in row.items() if k != "fetched_at"} for row in card["data_sheet"]]
    plain["usage"] = json.loads(json.dumps(card["usage"]), object_hook=_without_seconds)
    return plain


def _without_seconds(one: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in one.items() if key != "seconds"}


async def test_the_same_question_gets_the_same_answer(tmp_path: Path):
    first = await offline(tmp_path / "a").arun(COMPANY, DAY)
    graph = offline(tmp_path / "b")
    second, third = await graph.arun(COMPANY, DAY), await graph.arun(COMPANY.lower(), parse_day(DAY))
    cards = [comparable(json.loads(json.dumps(run.record.as_json()))) for run in (first, second, third)]
    assert cards[0] == cards[1] == cards[2]


SURROUNDINGS = (
    {"TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONHASHSEED": "2"},
    {"TZ": "America/Los_Angeles", "LC_ALL": "tr_TR.UTF-8", "LANG": "de_DE.UTF-8", "PYTHONHASHSEED": "3"},
)


@pytest.mark.parametrize("surroundings", sampled(SURROUNDINGS, every=2, name=lambda one: one["TZ"]))
def test_neither_time_zone_nor_locale_nor_hash_seed_of_the_machine_is_in_the_answer(
    tmp_path: Path, surroundings: dict[str, str]
):
    config = {"llm_provider": "offline", "data_vendor": "simulated"}
    command = [sys.executable, "-c", PROPAGATE, json.dumps({**config, "home": str(tmp_path / "there")})]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **surroundings}  # a new interpreter alone reads the hash seed
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    graph = TradingAgentsGraph(config={**config, "home": str(tmp_path / "here")})
    graph.propagate(COMPANY, DAY)
    first, other = card_in(tmp_path / "here"), card_in(tmp_path / "there")
    assert comparable(other) == comparable(first)
    reports, theirs = (Path(card["paths"]["folder"]) / "reports/1_analysts" for card in (first, other))
    assert {path.name: path.read_bytes() for path in reports.iterdir()} == {
        path.name: path.read_bytes() for path in theirs.iterdir()
    }
    assert other["timing"]["started_at"].endswith("+00:00")


# Several at once


async def test_several_tickers_each_end_for_themselves(tmp_path: Path):
    graph = offline(tmp_path, max_concurrent_pipelines=2)
    symbols = (COMPANY, "NOSUCHQ", "../x", *[symbol for symbol in COMPANIES if symbol != COMPANY][:2])
    ended = {ticker: outcome async for ticker, outcome in analyze_many(graph.services, symbols, DAY)}
    assert set(ended) == set(symbols)
    assert (type(ended["NOSUCHQ"]), type(ended["../x"])) == (NoData, BadSymbol)
    runs = [outcome for outcome in ended.values() if isinstance(outcome, Run)]
    assert {run.record["ticker"] for run in runs} == set(symbols) - {"NOSUCHQ", "../x"}
    assert len({run.record["run_id"] for run in runs}) == 3
    for run in runs:
        alone = await offline(tmp_path / "alone").arun(run.record["ticker"], DAY)
        assert comparable(json.loads(json.dumps(alone.record.as_json()))) == {
            **comparable(json.loads(json.dumps(run.record.as_json()))),
            "settings": comparable(json.loads(json.dumps(alone.record.as_json())))["settings"],
        }


async def test_when_the_caller_is_cancelled_every_run_has_left_its_record(tmp_path: Path):
    started = asyncio.Event()
    model = scripted(delay=30.0)
    graph = trading_graph(model, home=tmp_path)

    def seen(event: Event) -> None:
        if event.type == "tool_end" and len(list(tmp_path.glob("runs/*"))) == 2:
            started.set()

    async def both() -> None:
        async for _ in analyze_many(graph.services, list(COMPANIES)[:2], DAY, subscribers=[seen]):
            raise AssertionError("no run can end yet")

    task = asyncio.create_task(both())
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    cards = [json.loads(card.read_text("utf-8")) for card in tmp_path.glob("runs/*/run.json")]
    assert [card["status"] for card in cards] == ["interrupted", "interrupted"]
