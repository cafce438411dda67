"""Figures traced in whole runs: what is counted and marked, and that nothing else changes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import BaseMessage

from tests.reports.rendered import run_of
from tests.reports.sample import sample_record
from tests.support.graph_factory import COMPANY, DAY, report_of, scripted, trading_graph, verdict
from tests.support.offline_runs import graph_on
from tests.support.scan_graph_factory import scan_script, scanner_graph
from tests.support.trading_contexts import trading_context
from tradingagents.analytics.holdings.reader_book import read_book
from tradingagents.errors import BudgetReached
from tradingagents.events import Event
from tradingagents.graph.scanner_graph import ScannerGraph
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.provenance.figure_check import Given
from tradingagents.runtime.figure_tracer import FAILED, FigureTracer
from tradingagents.schemas.portfolio import Portfolio, Position
from tradingagents.schemas.records import TracedRecord

OFFLINE = {"llm_provider": "offline", "data_vendor": "simulated"}


def quoting(*extra: str) -> Callable[[Sequence[BaseMessage], tuple[str, ...]], str]:
    """An analyst that quotes the last close as its tool gave it, and adds sentences."""

    def reply(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> str:
        shown = next(
            re.search(r"\| last_close \| (\S+ USD) \|", m.text) for m in messages if "| last_close |" in m.text
        )
        assert shown
        return " ".join([f"The last close was {shown[1]}.", *extra])

    return reply


def test_a_wrong_figure_is_marked_and_counted_and_changes_nothing(tmp_path: Path):
    wrong = verdict(rationale="The RSI of 12.34 says that sellers are exhausted.", entry=None, stop=None)
    answers = {"Market Analyst": quoting("The RSI stands at 12.34."), "Risk Manager": wrong}
    run = trading_graph(scripted(answers), home=tmp_path).run(COMPANY, DAY)
    grounding = run.record["grounding"]
    assert grounding["by_report"]["market_report"] == TracedRecord(figures=2, matched=1)
    assert grounding["by_report"]["final_trade_decision"] == TracedRecord(figures=2, matched=1)
    assert grounding["figures"] - grounding["matched"] == len(grounding["unmatched"]) == 2
    first, last = grounding["unmatched"]
    assert (first["report"], first["figure"], first["where"]) == ("market_report", "12.34", "reports.market_report")
    assert run.record["reports"]["market_report"][first["at"] :].startswith("12.34")
    assert first["text"].endswith("USD. The RSI stands at 12.34.")
    assert last["report"] == "final_trade_decision"

    assert run.decision.action == "BUY"
    assert run.decision.rationale == "The RSI of 12.34 says that sellers are exhausted."
    assert "[?]" not in json.dumps(run.record.as_json())
    assert json.loads(Path(run.record["paths"]["card"]).read_text("utf-8"))["grounding"] == grounding.as_json()
    report = Path(run.record["paths"]["report"]).read_text("utf-8")
    assert "The RSI of 12.34[?] says" in report
    assert "The RSI stands at 12.34[?]." in report
    assert f"{grounding['matched']} of {grounding['figures']} figures" in report
    assert Path(run.record["paths"]["html"]).read_text("utf-8").count('<mark class="untraced"') >= 2


def test_a_debate_s_turns_are_read_too(tmp_path: Path):
    answers = {"Bull Researcher": "Margins of 91.7% are the best I have seen."}
    run = trading_graph(scripted(answers), home=tmp_path, max_debate_rounds=1).run(COMPANY, DAY)
    (missing,) = run.record["grounding"]["unmatched"]
    assert (missing["report"], missing["where"]) == ("research_debate", "debates.research.0.text")
    assert "91.7%[?]" in Path(run.record["paths"]["report"]).read_text("utf-8")


def quoting_a_sector(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> str:
    return f"{report_of(messages)} Energy moved 91.37% over a month."


def test_a_scan_s_summary_is_read_by_its_texts(tmp_path: Path):
    run = scanner_graph(scan_script({"Sector Scanner": quoting_a_sector}), home=tmp_path).run(DAY)
    grounding = run.record["grounding"]
    assert [one["figure"] for one in grounding["unmatched"]] == ["91.37%"]
    assert set(grounding["by_report"]) >= {"sector_performance_report", "macro_scan_summary"}


def test_a_bug_in_tracing_is_a_warning_and_ends_no_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def broken(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(FigureTracer, "grounding", broken)
    run = trading_graph(scripted(), home=tmp_path).run(COMPANY, DAY)
    assert run.record["status"] == "done"
    assert FAILED in run.record["warnings"]
    assert run.record.grounding is None


def test_a_lesson_s_figures_are_known_and_the_data_are_not_read_again(monkeypatch: pytest.MonkeyPatch):
    read: list[Sequence[str]] = []

    class Watched(Given):
        def __init__(self, answers: Sequence[str], **more: Any) -> None:
            read.append(list(answers))
            super().__init__(answers, **more)

    monkeypatch.setattr("tradingagents.runtime.figure_tracer.Given", Watched)
    tracer, answer = FigureTracer(trading_context(50.0, None)), "| Figure | Value |\n|---|---|\n| rsi | 61.20 |"
    told = {"status": "success", "content": answer}
    tracer.recall(Event(type="tool_end", message="", run_id="test", seq=0, ts="", data=told))
    said = {"market_report": "The RSI is 61.20. Last time it was 77.31, in May 41.15."}
    card = {**sample_record(), "reports": said, "debates": {}}
    assert [one["figure"] for one in tracer.grounding(run_of(card))["unmatched"]] == ["77.31", "41.15"]
    lesson = {"memory": "trader_memory", "id": 1, "similarity": 0.5, "settled_on": "2025-03-01", "ticker": None}
    lesson |= {"outcome": "The RSI was 77.31.", "recommendation": "Wait."}
    shown = tracer.grounding(run_of({**card, "lessons_used": {"Trader": [lesson]}}))
    assert [one["figure"] for one in shown["unmatched"]] == ["41.15"]
    assert read == [[answer], ["The RSI was 77.31.\nWait."]]


def test_a_resumed_run_knows_what_its_first_start_was_given(tmp_path: Path):
    config = {**OFFLINE, "home": str(tmp_path)}
    with pytest.raises(BudgetReached):
        TradingAgentsGraph(config={**config, "max_llm_calls": 5}).run(COMPANY, DAY)
    (folder,) = (tmp_path / "runs").iterdir()
    run = TradingAgentsGraph(config=config).resume(folder.name)
    assert run.record["status"] == "done"
    assert run.record["grounding"]["figures"] > 100
    assert run.record["grounding"]["unmatched"] == []


@pytest.mark.parametrize("language", ["German", "English"])
def test_what_no_one_can_read_by_words_is_traced_by_value(tmp_path: Path, language: str):
    answers = {"Market Analyst": quoting("Der RSI steht bei 12.345,67.")}
    run = trading_graph(scripted(answers), home=tmp_path, output_language=language).run(COMPANY, DAY)
    figures = [one["figure"] for one in run.record["grounding"]["unmatched"]]
    assert ("12.345,67" in figures) == (language == "German")


# The offline analysts quote figures as they were given: what is marked of theirs is marked wrongly.


@pytest.mark.parametrize("day", ["2023-03-17", "2024-08-05"])
def test_offline_runs_on_the_simulated_market_are_traced_whole(tmp_path: Path, day: str):
    graph = TradingAgentsGraph(config={**OFFLINE, "home": str(tmp_path)})
    for symbol in ("SNAQZ", "BROQ", "SPY"):
        grounding = graph.run(symbol, day).record["grounding"]
        assert grounding["figures"] > 90
        assert grounding["unmatched"] == []


@pytest.mark.parametrize("day", ["2023-03-17", "2024-08-05"])
def test_offline_scans_of_the_simulated_market_are_traced_whole(tmp_path: Path, day: str):
    grounding = ScannerGraph(config={**OFFLINE, "home": str(tmp_path)}).run(day).record["grounding"]
    assert grounding["figures"] > 300
    assert grounding["unmatched"] == []


@pytest.mark.real_data
@pytest.mark.parametrize("day", ["2025-03-14", "2025-07-10"])
def test_offline_runs_on_recorded_data_are_traced_nearly_whole(test_data: Path, tmp_path: Path, day: str):
    graph = graph_on(test_data / "snapshot", home=tmp_path)
    figures, unmatched = 0, []
    for symbol in ("MSFT", "JPM", "BRK-B", "^VIX"):
        grounding = graph.run(symbol, day).record["grounding"]
        figures += grounding["figures"]
        unmatched += grounding["unmatched"]
    assert figures > 350
    assert len(unmatched) <= figures // 200, unmatched


@pytest.mark.real_data
def test_an_offline_scan_of_recorded_data_is_traced_nearly_whole(test_data: Path, tmp_path: Path):
    config = {"llm_provider": "offline", "data_vendor": "snapshot", "data_dir": str(test_data / "snapshot")}
    grounding = ScannerGraph(config={**config, "home": str(tmp_path)}).run("2025-03-14").record["grounding"]
    assert grounding["figures"] > 300
    assert len(grounding["unmatched"]) <= grounding["figures"] // 200, grounding["unmatched"]


HELD = Portfolio(
    positions=(Position(symbol=COMPANY, quantity=137, average_price=71.29), Position(symbol="MODZ", quantity=-40)),
    cash={"USD": 50_000.0},
    day=date(2025, 3, 10),
)


def test_figures_of_the_book_are_traced_for_those_who_read_it_and_are_no_evidence(tmp_path: Path):
    """137 at 96.58 are 13,231.46 of 61,629.06 with the short 40 at 40.06: 21.5 %, cash is 81.1 %, MODZ -2.6 %."""
    quotes = (
        f"The reader holds 137 shares, and {COMPANY} weighs 21.5%. Cash is 81.1% of 61,629.06 USD, "
        "and the short position in MODZ weighs -2.6%."
    )
    wrong = (
        "The reader holds 173 shares, weighing 24.9%. The position rests on revenue growth of 21.5% and an RSI of 81.1."
    )
    rationale = verdict(rationale=f"{quotes} {wrong}", entry=None, stop=None)
    answers = {"Market Analyst": quoting(quotes), "Trader": rationale, "Aggressive Debator": quotes}
    run = trading_graph(scripted(answers), home=tmp_path).run(COMPANY, DAY, portfolio=HELD)
    grounding = run.record["grounding"]
    missed = [(row["report"], row["figure"]) for row in grounding["unmatched"]]
    trader = [figure for report, figure in missed if report == "trader_investment_plan"]
    assert trader == ["173", "24.9%", "21.5%", "81.1"]
    assert not [figure for report, figure in missed if report == "risk_debate"]
    analyst = [figure for report, figure in missed if report == "market_report"]
    assert analyst == ["137", "21.5%", "81.1%", "61,629.06 USD"], "no analyst was shown the book; -2.6% is a return too"

    context = trading_context(96.58, 3.0)
    tracer = FigureTracer(replace(context, book=read_book(HELD, context.data, (COMPANY,))))
    assert not tracer.supports(quotes)
    assert all(place.traced for place in tracer.places(quotes))
    assert "71.29" not in json.dumps(grounding.as_json())
