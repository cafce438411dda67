"""Comparisons: one research run a company, one table whose rows are comparable, one answer."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import BaseMessage

from tests.support.research import DAY, research_services, scripted
from tests.support.warm import fork
from tradingagents.analytics.company.ttm import TTMAnalysis
from tradingagents.capabilities.ask import completed
from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.registry import registry
from tradingagents.dataflows.cutoff import utc_now
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.results import Result
from tradingagents.errors import BudgetReached, UsageError
from tradingagents.events import Event
from tradingagents.features.compare.agents.topics import TOPICS
from tradingagents.features.compare.kind import COMPARE, CompareRequest
from tradingagents.features.compare.run import Comparison
from tradingagents.features.compare.table import comparison_table, paid_for, table_markdown
from tradingagents.runtime.executor import RunOptions, open_market, resume, start
from tradingagents.runtime.manifest import read_manifest
from tradingagents.runtime.services import Services
from tradingagents.valuation.company.results import CompanyValuation

TICKERS = ("VELQ", "PIXZ", "NOPEQ")


async def compared(
    services: Services,
    tickers: Sequence[str] = TICKERS,
    topics: Sequence[str] = ("margins", "valuation"),
    **options: Any,
) -> Comparison:
    request = CompareRequest(tickers=tuple(tickers), topics=tuple(topics), day=DAY)
    return await start(COMPARE, request, services, RunOptions(**options)).result()


def asked(one: Capability, data: MarketData, symbol: str) -> Result:
    """Return what a capability answers about a company."""
    return one.reply(data, one.checked(completed(one, {"ticker": symbol}, data.as_of))).result


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    """A comparison by rules; nothing is known of one of its companies."""
    services = research_services(tmp_path_factory.mktemp("compare"))
    try:
        return asyncio.run(compared(services))
    finally:
        services.close()


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> MarketData:
    """The simulated market on the day of the comparisons."""
    services = research_services(tmp_path_factory.mktemp("market"))
    data = open_market(services, "^GSPC", DAY, utc_now())
    services.close()
    return data


def test_every_company_has_a_run_of_its_own_and_one_that_fails_is_stated(finished: Comparison):
    companies = {one["symbol"]: one for one in finished.record["companies"]}
    assert [(one, companies[one]["status"]) for one in TICKERS] == [
        ("VELQ", "completed"), ("PIXZ", "completed"), ("NOPEQ", "failed")
    ]  # fmt: skip
    assert len({one["run_id"] for one in companies.values()}) == 3
    runs = Path(finished.record["paths"]["folder"]).parent
    for one in companies.values():
        card = json.loads((runs / one["run_id"] / "run.json").read_text())
        assert card["kind"] == "research"
        assert card["as_of"] == DAY
    assert any(gap.startswith("research on NOPEQ") for gap in finished.record["missing"])


def test_the_answer_leads_with_the_finding_and_ends_with_its_sources(finished: Comparison):
    first, _, rest = finished.text.partition("\n")
    assert "VELQ has the highest gross margin, 69.18%" in first
    assert rest.rpartition("---\n")[2].startswith("Sources: [table: get_ttm_analysis, simulated]")
    assert finished.record["grounding"]["figures"] > 10
    assert finished.record["grounding"]["unmatched"] == []


def test_rows_hold_what_the_capability_answers(finished: Comparison, market: MarketData):
    for row in finished.record["table"]:
        assert row["source"] == "simulated"
        assert row["period"]
        assert row["definition"]
        for cell in row["cells"]:
            if cell["symbol"] == "NOPEQ":
                assert cell["value"] is None
                assert "NOPEQ" in cell["withheld"]
                continue
            one = registry()[row["capability"]]
            result = asked(one, market, cell["symbol"])
            (figure,) = [figure for figure in result.figures() if figure.name == row["name"]]
            assert (cell["value"], cell["shown"]) == (figure.rounded, figure.text)


def test_topics_name_figures_that_capabilities_give(market: MarketData):
    for capability in {name for topic in TOPICS.values() for name, _ in topic.figures}:
        one = registry()[capability]
        given = {figure.name for figure in asked(one, market, "VELQ").figures()}
        wanted = {figure for topic in TOPICS.values() for name, figure in topic.figures if name == capability}
        assert wanted <= given, (capability, wanted - given)


def ttm(market: MarketData, symbol: str, **changes: Any) -> TTMAnalysis:
    """Return an analysis of the simulated market with changes."""
    found = asked(registry()["get_ttm_analysis"], market, symbol)
    assert isinstance(found, TTMAnalysis)
    return found.model_copy(update=changes)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"source": "other"}, "its source is other"),
        ({"basis": "annual"}, "its period is fiscal year"),
        ({"currency": "EUR"}, "its unit is EUR"),
        ({"periods": (date(2024, 12, 31) - timedelta(days=93),)}, "more than a quarter apart"),
    ],
)
def test_a_figure_that_does_not_fit_its_row_is_withheld_with_the_reason(
    market: MarketData, changes: dict[str, Any], why: str
):
    answers = {
        ("PIXZ", "get_ttm_analysis"): ttm(market, "PIXZ"),
        ("OMBZ", "get_ttm_analysis"): ttm(market, "PIXZ"),
        ("VELQ", "get_ttm_analysis"): ttm(market, "VELQ", **changes),
    }
    (row,) = [
        row for row in comparison_table(("VELQ", "PIXZ", "OMBZ"), ("growth",), answers) if row["name"] == "ttm_revenue"
    ]
    own, *others = row["cells"]
    assert own["value"] is None
    assert why in own["withheld"]
    assert all(one["shown"] for one in others)


def test_topics_that_are_not_named_are_the_default_ones():
    assert CompareRequest(tickers=("VELQ", "PIXZ")).topics == ("growth", "margins", "valuation")
    assert CompareRequest(tickers=("VELQ", "PIXZ"), topics=()).topics == ("growth", "margins", "valuation")


@pytest.mark.parametrize(
    ("tickers", "topics", "why"),
    [
        (("VELQ",), (), "takes 2 to 8"),
        (("VELQ", "velq"), (), "VELQ is named twice"),
        (("VELQ", "PIXZ"), ("margin",), "Did you mean margins.*Topics: margins, growth"),
    ],
)
def test_wrong_requests_are_refused_in_words(tickers: tuple[str, ...], topics: tuple[str, ...], why: str):
    with pytest.raises(UsageError, match=why):
        CompareRequest(tickers=tickers, topics=topics)


def _reads(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Any:
    """Understand a question about one company."""
    text = messages[-1].text
    symbol = next(one for one in TICKERS if f"thesis on {one}," in text)
    return {"intent": "research", "tickers": [symbol], "confidence": 0.9, "inferred_depth": "standard"}


CHANGES = {"Question Reader": _reads, "Comparer": "VELQ leads: its gross margin is 69.18%, that of PIXZ 53.35%."}


def test_one_budget_holds_for_all_companies_and_finished_research_is_kept(tmp_path: Path):
    services = research_services(tmp_path, scripted(CHANGES), max_llm_calls=9, max_concurrent_pipelines=1)
    with pytest.raises(BudgetReached):
        asyncio.run(compared(services, ("VELQ", "PIXZ")))
    services.close()
    (card,) = [
        json.loads(path.read_text())
        for path in tmp_path.glob("runs/*/run.json")
        if json.loads(path.read_text())["kind"] == "company_comparison"
    ]
    assert card["status"] == "budget"
    assert card["usage"]["llm_calls"] == 9
    assert [one["symbol"] for one in card["companies"]] == ["VELQ"]
    assert "This was found" in card["answer"]
    assert any("PIXZ" in gap for gap in card["missing"])


def killed_after_first(home: str) -> None:
    """Compare until one company is finished and the other under way, then die without warning."""

    def watch(event: Event) -> None:
        if event.type == "task" and event.data["status"] == "running" and event.data["symbol"] == "PIXZ":
            os.kill(os.getpid(), signal.SIGKILL)

    services = research_services(Path(home), scripted(CHANGES), max_concurrent_pipelines=1)
    asyncio.run(compared(services, ("VELQ", "PIXZ"), subscribers=(watch,)))


@pytest.mark.process
def test_a_killed_comparison_goes_on_without_repeating_a_finished_company(tmp_path: Path):
    process = fork(killed_after_first, str(tmp_path))
    process.join(120)
    assert process.exitcode == -signal.SIGKILL
    (folder,) = (path for path in (tmp_path / "runs").iterdir() if "-COMPANY_COMPARISON-" in path.name)
    (first,) = (path for path in (tmp_path / "runs").iterdir() if (path / "run.json").is_file())
    before = (first / "events.jsonl").read_bytes()

    services = research_services(tmp_path, scripted(CHANGES), max_concurrent_pipelines=1)
    ended = asyncio.run(_resumed(services, folder.name))
    services.close()
    assert ended.record["status"] == "done"
    assert [one["status"] for one in ended.record["companies"]] == ["completed"] * 2
    assert ended.record["companies"][0]["run_id"] == first.name
    assert (first / "events.jsonl").read_bytes() == before
    cards = [json.loads(path.read_text()) for path in tmp_path.glob("runs/*/run.json")]
    calls = {card["kind"]: 0 for card in cards}
    for card in cards:
        calls[card["kind"]] += card["usage"]["llm_calls"]
    assert calls["company_comparison"] == calls["research"] + 1  # what earlier starts used counts in the whole
    services = research_services(tmp_path / "whole", scripted(CHANGES), max_concurrent_pipelines=1)
    whole = asyncio.run(compared(services, ("VELQ", "PIXZ")))
    services.close()
    assert answers_on_sheet(ended) == answers_on_sheet(whole)


def answers_on_sheet(comparison: Comparison) -> list[str]:
    """Return the rows of the data sheet whenever they were read, in an order of their own."""
    rows = [{**row, "fetched_at": ""} for row in comparison.record.as_json()["data_sheet"]]
    return sorted(json.dumps(row) for row in rows)


async def _resumed(services: Services, run_id: str) -> Comparison:
    return await resume(COMPARE, read_manifest(services.settings.home_dir, run_id), services).result()


def test_a_refused_value_shows_its_reason_and_a_value_what_the_price_pays_for(market: MarketData):
    worth = asked(registry()["valuation"], market, "VELQ")
    refused = "No value from these figures: CURZ lost 3.6% of its revenue | twice. Give target_margin=…."
    answers: dict[tuple[str, str], Result | str] = {
        ("VELQ", "valuation"): worth, ("CURZ", "valuation"): refused, ("NOPEQ", "valuation"): "word " * 80,
    }  # fmt: skip
    tickers = ("VELQ", "CURZ", "NOPEQ")
    text = table_markdown(comparison_table(tickers, ("valuation",), answers), tickers)
    (row,) = (line for line in text.splitlines() if line.startswith("| value per share |"))
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[2] == "withheld: No value from these figures: CURZ lost 3.6% of its revenue / twice"
    assert cells[3].endswith("word …")
    assert len(cells) == 6
    assert isinstance(worth, CompanyValuation)
    assert paid_for(tickers, answers) == [f"VELQ: {' '.join(worth.opening[:3])}"]
