"""What a run leaves behind, whichever way it ends: its folder, its record, and never a secret."""

from __future__ import annotations

import json
import re
import signal
import traceback
from collections import Counter
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from benchmarks.openai_server import Answer, OpenAIServer, ToolCall
from tests.desk import ANALYSTS, COMPANY, DAY, Watch, scripted, trading_graph
from tests.fakes import RowsVendor, make_prices
from tests.reports.page import Page
from tests.runs_in_processes import ASYNCIO_RUN, MODEL, PROPAGATE, StoppingServer, server_config, start
from tradingagents import record as records
from tradingagents.dataflows.interface import Vendors
from tradingagents.errors import BadDate, BadSymbol, BudgetReached, HomeNotWritable, ModelFailure, ModelUnreachable
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.record import RunRecord
from tradingagents.runs import Run, parse_day
from tradingagents.settings import load_settings
from tradingagents.store.run_folder import RunFolder

CANARY = "sk-canary-7f3a9e51d0c2"
REPORT_FILES = {
    *(f"reports/1_analysts/{name}.md" for name in ("market", "macro_regime", "social", "news", "fundamentals")),
    *("reports/2_research/debate.md", "reports/2_research/investment_plan.md"),
    *("reports/3_trading/trader.md", "reports/4_risk/debate.md", "reports/5_decision/decision.md"),
    *("reports/complete_report.md", "reports/report.html"),
}


def offline(home: Path, **more: Any) -> TradingAgentsGraph:
    return TradingAgentsGraph(config={"llm_provider": "offline", "data_vendor": "simulated", "home": str(home), **more})


def card_in(home: Path) -> dict[str, Any]:
    (card,) = home.glob("runs/*/run.json")
    return json.loads(card.read_text("utf-8"))  # type: ignore[no-any-return]


def files_of(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


# What a run leaves


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Path, Watch]:
    """An offline run, its folder and its events."""
    home, watch = tmp_path_factory.mktemp("home"), Watch()
    graph = offline(home)
    run = graph._wait(graph.arun(COMPANY, DAY, subscribers=[watch]))
    return run, Path(run.record["paths"]["folder"]), watch


def test_the_folder_holds_card_events_and_reports_and_nothing_else(finished: tuple[Run, Path, Watch]):
    _, folder, _ = finished
    assert files_of(folder) == {"run.json", "events.jsonl", *REPORT_FILES}


def test_the_card_is_the_documented_record(finished: tuple[Run, Path, Watch]):
    run, folder, _ = finished
    card = json.loads((folder / "run.json").read_text("utf-8"))
    assert card == json.loads(json.dumps(run.record))
    hints = get_type_hints(RunRecord)
    assert set(card) == set(hints) - {"error"}
    for key, kind in (
        ("decision", records.DecisionRecord),
        ("instrument", records.InstrumentRecord),
        ("usage", records.UsageRecord),
        ("timing", records.TimingRecord),
    ):
        assert set(card[key]) == set(get_type_hints(kind)), key
    assert all(set(row) == set(get_type_hints(records.DataSheetRecord)) for row in card["data_sheet"])
    assert all(set(one) == {"claim", "source"} for one in card["decision"]["key_evidence"])
    assert (card["status"], card["ticker"], card["trade_date"]) == ("done", COMPANY, DAY)
    assert (card["session"], card["cutoff"]) == (DAY, "2025-03-14T20:00:00+00:00")
    assert card["usage"]["llm_calls"] == 17
    assert card["timing"]["started_at"] < card["timing"]["finished_at"]
    assert {key: Path(path).exists() for key, path in card["paths"].items()} == dict.fromkeys(
        ("folder", "card", "events", "report", "html"), True
    )
    assert set(card["debates"]) == {"research", "risk"}
    assert (len(card["debates"]["research"]), len(card["debates"]["risk"])) == (4, 6)
    assert card["settings"]["llm_provider"] == "offline"
    assert all(re.fullmatch(r"[0-9a-f]{64}", digest) for digest in card["prompts"].values())
    assert len(card["prompts"]) == 13


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
    assert counts["node_start"] == counts["node_end"] == counts["usage"] == 17
    assert counts["tool_start"] == counts["tool_end"] == 11
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
    assert set(written) == {"run.json", *REPORT_FILES}


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
    assert files_of(folder) == {"events.jsonl"}
    whole, _, _rest = (folder / "events.jsonl").read_text("utf-8").rpartition("\n")
    events = [json.loads(line) for line in whole.splitlines()]
    assert [event["seq"] for event in events] == list(range(len(events)))
    assert sum(event["type"] == "node_end" for event in events) == 4


@pytest.mark.parametrize("script", [PROPAGATE, ASYNCIO_RUN], ids=["propagate", "asyncio.run"])
def test_an_interrupted_run_leaves_its_record_with_what_there_was(tmp_path: Path, script: str):
    with StoppingServer("Bull Researcher") as server:
        process = start(script, json.dumps(server_config(server, tmp_path)))
        assert server.reached.wait(60)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert process.returncode != 0
    assert errors.rstrip().endswith(b"KeyboardInterrupt")
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
    with pytest.raises(HomeNotWritable, match=r"Cannot write to .*occupied.*--home or TRADINGAGENTS_HOME"):
        await offline(home).arun(COMPANY, DAY)
    assert home.read_text("utf-8") == "mine"


async def test_a_home_that_is_a_file_is_named_when_the_cache_would_be_written_first(tmp_path: Path):
    home = tmp_path / "occupied"
    home.write_text("mine", encoding="utf-8")
    config = {"data_vendor": "rows", "home": str(home)}
    vendors = Vendors(load_settings(config), {"rows": RowsVendor(prices={"ACME": make_prices("ACME")})})
    graph = TradingAgentsGraph(config=config, models=TierModels.same(scripted()), vendors=vendors)
    with pytest.raises(HomeNotWritable, match=r"Cannot write to .*occupied.*--home or TRADINGAGENTS_HOME"):
        await graph.arun("ACME", DAY)


async def test_a_disk_that_fills_up_ends_the_run_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    write = RunFolder.append
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no /dev/full here")

    def until_it_is_full(self: RunFolder, event: Any) -> None:
        if event.type == "debate_turn" and self._events.name != str(full):
            self._events.close()
            self._events = full.open("w", encoding="utf-8")
        write(self, event)

    monkeypatch.setattr(RunFolder, "append", until_it_is_full)
    with pytest.raises(HomeNotWritable, match="Cannot write to"):
        await offline(tmp_path).arun(COMPANY, DAY)


async def test_a_budget_in_usd_ends_the_run_resumably_with_what_it_has(tmp_path: Path):
    with OpenAIServer(reply_tokens=400) as server:
        prices = {MODEL: (1.0, 0.1, 10.0)}
        config = server_config(server, tmp_path, model_prices=prices, budget_usd=0.03)
        graph, watch = TradingAgentsGraph(config=config), Watch()
        with pytest.raises(BudgetReached, match=r"may spend 0\.03 USD and has spent 0\.0\d+.*--budget-usd"):
            await graph.arun(COMPANY, DAY, subscribers=[watch])
        await graph.desk.models.aclose()
    card = card_in(tmp_path)
    assert card["status"] == "budget"
    assert 0.03 <= card["usage"]["cost_usd"] < 0.05
    spent = sum(event.data["cost_usd"] for event in watch.of("usage"))
    assert spent == pytest.approx(card["usage"]["cost_usd"])
    asked = card["usage"]["input_tokens"] * 1e-6 + card["usage"]["output_tokens"] * 1e-5
    assert asked == pytest.approx(card["usage"]["cost_usd"])
    assert card["usage"]["llm_calls"] == len(server.requests) < 17
    assert {"market_report", "fundamentals_report"} <= set(card["reports"])


# No secret


def assert_canary_is_nowhere(home: Path, watch: Watch, *texts: str) -> None:
    found = [path for path in home.rglob("*") if path.is_file() and CANARY.encode() in path.read_bytes()]
    assert found == []
    assert not [event for event in watch.events if CANARY in json.dumps(event.to_dict())]
    for text in texts:
        assert CANARY not in text


async def test_a_key_reaches_the_server_and_no_file_event_or_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_COMPATIBLE_API_KEY", CANARY)
    watch = Watch()
    with OpenAIServer() as server:
        graph = TradingAgentsGraph(config=server_config(server, tmp_path))
        run = await graph.arun(COMPANY, DAY, subscribers=[watch])
        await graph.desk.models.aclose()
    assert {request["key"] for request in server.requests} == {CANARY}
    assert not any(CANARY in request["prompt"] for request in server.requests)
    assert_canary_is_nowhere(
        tmp_path, watch, repr(graph.config), str(run), repr(graph.desk), json.dumps(run.record), repr(run.state)
    )


@pytest.mark.parametrize(
    ("answer", "key", "error"),
    [
        (None, "another-key", ModelUnreachable),
        (Answer(status=500, error=f"boom, your key was {CANARY}"), None, ModelFailure),
        (Answer(status=429, error=f"slow down, {CANARY}"), None, ModelFailure),
        (Answer(status=400, error=f"no such thing, {CANARY}"), None, ModelFailure),
        (Answer(status=403, error=f"not for {CANARY}"), None, ModelUnreachable),
        (Answer(text="half", cut=True), None, ModelFailure),
    ],
    ids=["401", "500", "429", "400", "403", "cut"],
)
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
async def test_a_key_that_the_server_quotes_back_is_nowhere(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    answer: Answer | None,
    key: str | None,
    error: type[Exception],
    stream: bool,
):
    monkeypatch.setenv("OPENAI_COMPATIBLE_API_KEY", CANARY)
    watch = Watch()
    with OpenAIServer(key=key) as server:
        if answer:
            server.always(answer)
        graph = TradingAgentsGraph(config=server_config(server, tmp_path, stream_tokens=stream))
        with pytest.raises(error) as failure:
            await graph.arun(COMPANY, DAY, subscribers=[watch])
        await graph.desk.models.aclose()
    assert card_in(tmp_path)["status"] == "failed"
    assert_canary_is_nowhere(tmp_path, watch, "".join(traceback.format_exception(failure.value)))


async def test_a_key_quoted_back_late_in_the_run_is_nowhere_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_COMPATIBLE_API_KEY", CANARY)
    watch = Watch()
    with OpenAIServer() as server:
        for role in ("Bear Researcher", "Risk Manager"):
            server.always(Answer(status=500, error=f"boom, your key was {CANARY}"), role=role)
        graph = TradingAgentsGraph(config=server_config(server, tmp_path))
        run = await graph.arun(COMPANY, DAY, subscribers=[watch])
        await graph.desk.models.aclose()
    assert run.record["status"] == "no_decision"
    assert "boom, your key was ***" in run.record["reports"]["final_trade_decision"]
    assert_canary_is_nowhere(tmp_path, watch, repr(run))


async def test_a_password_in_the_server_s_url_is_not_recorded(tmp_path: Path):
    watch = Watch()
    with OpenAIServer() as server:
        url = server.url.replace("http://", f"http://user:{CANARY}@")
        graph = TradingAgentsGraph(config=server_config(server, tmp_path, backend_url=url, quick_think_backend_url=url))
        run = await graph.arun(COMPANY, DAY, subscribers=[watch])
        await graph.desk.models.aclose()
    assert run.record["settings"]["backend_url"] == server.url
    assert_canary_is_nowhere(tmp_path, watch, json.dumps(run.record))


# Against a real client


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
async def test_a_real_client_runs_the_whole_graph(tmp_path: Path, stream: bool):
    watch = Watch()
    with OpenAIServer(reply_tokens=120) as server:
        graph = TradingAgentsGraph(config=server_config(server, tmp_path, stream_tokens=stream))
        run = await graph.arun(COMPANY, DAY, subscribers=[watch])
        await graph.desk.models.aclose()
    assert (run.decision.action, run.decision.confidence, run.decision.target) == ("BUY", 0.64, 114.0)
    assert server.calls == run.record["usage"]["llm_calls"] == 17
    usage = watch.of("usage")
    assert sum(event.data["input_tokens"] for event in usage) == run.record["usage"]["input_tokens"] > 10_000
    assert sum(event.data["output_tokens"] for event in usage) == run.record["usage"]["output_tokens"] > 14 * 120
    assert run.record["usage"]["by_agent"]["Bull Researcher"]["llm_calls"] == 2
    streamed = Counter(event.node for event in watch.of("token"))
    assert set(streamed) == (({*ANALYSTS} | {one["speaker"] for one in turns(run)}) if stream else set())


async def test_streamed_tokens_join_to_the_report_and_are_not_logged(tmp_path: Path):
    watch = Watch()
    with OpenAIServer(reply_tokens=120) as server:
        graph = TradingAgentsGraph(config=server_config(server, tmp_path, stream_tokens=True))
        run = await graph.arun(COMPANY, DAY, subscribers=[watch])
        await graph.desk.models.aclose()
    tokens = [event for event in watch.of("token") if event.node == "Market Analyst"]
    assert len(tokens) > 5
    assert "".join(event.message for event in tokens).strip() == run.record["reports"]["market_report"]
    bear = "".join(event.message for event in watch.of("token") if event.node == "Bear Researcher")
    said = [turn["text"] for turn in run.record["debates"]["research"] if turn["speaker"] == "Bear Researcher"]
    assert [part for part in said if part not in bear] == []
    assert '"token"' not in Path(run.record["paths"]["events"]).read_text("utf-8")


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
async def test_parallel_tool_calls_of_a_real_client_are_all_answered(tmp_path: Path, stream: bool):
    watch, role = Watch(), "Fundamentals Analyst"
    asked = (
        ToolCall("get_balance_sheet", {"ticker": COMPANY}),
        ToolCall("get_cashflow", {"ticker": COMPANY, "freq": "annual"}),
        ToolCall("get_income_statement", "{not json"),
    )
    with OpenAIServer() as server:
        server.answer(Answer(tool_calls=asked), Answer(text="The report."), role=role)
        graph = TradingAgentsGraph(config=server_config(server, tmp_path, stream_tokens=stream))
        run = await graph.arun(COMPANY, DAY, subscribers=[watch])
        await graph.desk.models.aclose()
    assert run.record["reports"]["fundamentals_report"] == "The report."
    first, second = [request["prompt"] for request in server.requests if request["role"] == role]
    assert second.startswith(first)
    added = second.removeprefix(first)
    assert f"## Balance sheet: {COMPANY}, quarterly" in added
    assert f"## Cash-flow statement: {COMPANY}, annual" in added
    called = [event.data["tool"] for event in watch.of("tool_start") if event.node == role]
    assert called[-2:] == ["get_balance_sheet", "get_cashflow"]
    assert "The arguments of get_income_statement are not valid JSON; call it again." in added


async def test_tool_arguments_that_are_never_json_end_in_a_report_all_the_same(tmp_path: Path):
    role = "Market Analyst"
    broken = Answer(tool_calls=(ToolCall("get_indicators", '{"symbol": '),))
    with OpenAIServer() as server:
        server.answer(broken, broken, broken, Answer(text="The report, at last."), role=role)
        graph = TradingAgentsGraph(config=server_config(server, tmp_path, max_tool_rounds=3))
        run = await graph.arun(COMPANY, DAY)
        await graph.desk.models.aclose()
    assert run.record["reports"]["market_report"] == "The report, at last."
    prompts = [request for request in server.requests if request["role"] == role]
    assert [bool(request["tools"]) for request in prompts] == [True, True, True, False]
    assert prompts[-1]["prompt"].count("are not valid JSON; call it again") == 3


VERDICT = {"action": "SELL", "confidence": 0.55, "rationale": "The close stands below its 200-day average."}


@pytest.mark.parametrize("method", ["function_calling", "json_schema", "json_mode", "prompt"])
async def test_typed_answers_work_whichever_way_they_are_asked_for(tmp_path: Path, method: str):
    with OpenAIServer() as server:
        answer = Answer(text=f"Here it is:\n```json\n{json.dumps(VERDICT)}\n```")
        if method == "function_calling":
            answer = Answer(tool_calls=(ToolCall("Verdict", VERDICT),))
        for role in ("Research Manager", "Trader", "Risk Manager"):
            server.always(answer, role=role)
        graph = TradingAgentsGraph(config=server_config(server, tmp_path, structured_output=method))
        run = await graph.arun(COMPANY, DAY)
        await graph.desk.models.aclose()
    assert (run.decision.action, run.decision.confidence, run.decision.entry) == ("SELL", 0.55, None)
    (request,) = [request for request in server.requests if request["role"] == "Risk Manager"]
    assert (request["tools"] == ["Verdict"]) == (method == "function_calling")
    assert ("response_format" in request["request"]) == (method in ("json_schema", "json_mode"))


@pytest.mark.parametrize(
    "broken",
    [
        Answer(text=""),
        Answer(text="HOLD, I would say."),
        Answer(tool_calls=(ToolCall("Verdict", '{"action": "BUY", "confid'),)),
        Answer(tool_calls=(ToolCall("Verdict", {**VERDICT, "action": "MAYBE"}),)),
        Answer(tool_calls=(ToolCall("Verdict", {**VERDICT, "confidence": 7}),)),
        Answer(tool_calls=(ToolCall("place_order", {"size": 1}),)),
    ],
    ids=["empty", "prose", "cut", "action", "confidence", "other tool"],
)
async def test_a_broken_typed_answer_is_repaired_once_and_then_no_decision(tmp_path: Path, broken: Answer):
    with OpenAIServer() as server:
        server.answer(broken, role="Trader")
        server.always(broken, role="Risk Manager")
        graph = TradingAgentsGraph(config=server_config(server, tmp_path))
        run = await graph.arun(COMPANY, DAY)
        await graph.desk.models.aclose()
    asked = Counter(request["role"] for request in server.requests)
    assert (asked["Trader"], asked["Risk Manager"]) == (2, 2)
    assert run.record["reports"]["trader_investment_plan"].endswith("FINAL TRANSACTION PROPOSAL: **BUY**")
    assert (run.record["status"], run.decision.action) == ("no_decision", "NO_DECISION")
    assert "Risk Manager gave no usable decision: no valid Verdict in two answers" in run.decision.rationale


def turns(run: Run) -> list[dict[str, str]]:
    return [turn for debate in run.record["debates"].values() for turn in debate]


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
    cards = [comparable(json.loads(json.dumps(run.record))) for run in (first, second, third)]
    assert cards[0] == cards[1] == cards[2]


SURROUNDINGS = (
    {"TZ": "UTC", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "1"},
    {"TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONHASHSEED": "2"},
    {"TZ": "America/Los_Angeles", "LC_ALL": "tr_TR.UTF-8", "LANG": "de_DE.UTF-8", "PYTHONHASHSEED": "3"},
)


def test_neither_time_zone_nor_locale_nor_hash_seed_of_the_machine_is_in_the_answer(tmp_path: Path):
    config = {"llm_provider": "offline", "data_vendor": "simulated"}
    homes = [tmp_path / str(number) for number in range(len(SURROUNDINGS))]
    processes = [
        start(PROPAGATE, json.dumps({**config, "home": str(home)}), **surroundings)
        for home, surroundings in zip(homes, SURROUNDINGS, strict=True)
    ]
    for process in processes:
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors.decode()
    first, *others = [card_in(home) for home in homes]
    reports = Path(first["paths"]["folder"]) / "reports/1_analysts"
    for other in others:
        assert comparable(other) == comparable(first)
        theirs = Path(other["paths"]["folder"]) / "reports/1_analysts"
        assert {path.name: path.read_bytes() for path in reports.iterdir()} == {
            path.name: path.read_bytes() for path in theirs.iterdir()
        }
        assert other["timing"]["started_at"].endswith("+00:00")
