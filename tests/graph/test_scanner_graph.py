"""The scanner graph as a whole: real graph, real tools on the simulated market, scripted models."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from tests.support.graph_factory import Watch, calls_tool, report_of, role_of
from tests.support.prompt_reader import prescribed_in
from tests.support.scan_graph_factory import (
    AGENTS,
    DAY,
    DEEP_DIVE,
    SCANNERS,
    SYNTHESIS,
    candidates,
    pick,
    picks_first,
    scan_script,
    scanner_graph,
    summary,
    summary_call,
)
from tests.support.tiers import sampled
from tradingagents.agents.builders.report import CALL_FIRST
from tradingagents.agents.roster import report_keys
from tradingagents.agents.scanners.macro_synthesis import NoSummary
from tradingagents.analytics.market.sectors import largest_moves
from tradingagents.capabilities.scanner import get_sector_performance
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.sectors import DISPLAY, SECTOR_ETF
from tradingagents.dataflows.vendors.simulated import COMPANIES, SYMBOLS, SimulatedVendor
from tradingagents.errors import BadDate, BudgetReached, ModelFailure, NoData, NotForPastDate, SettingsError
from tradingagents.graph.scanner_graph import ScannerGraph
from tradingagents.graph.start import ScanRun
from tradingagents.settings import load_settings


async def run(model: Any, watch: Watch | None = None, vendors: Vendors | None = None, **config: Any) -> ScanRun:
    graph = scanner_graph(model, **config)
    if vendors is not None:
        graph = ScannerGraph({"data_vendor": "simulated", **config}, models=graph.services.models, vendors=vendors)
    return await graph.arun(DAY, subscribers=[watch] if watch else [])


# The graph


async def test_every_agent_runs_exactly_once_and_asks_its_model_once():
    model, watch = scan_script(), Watch()
    await run(model, watch)
    assert Counter(event.node for event in watch.of("node_start")) == dict.fromkeys(AGENTS, 1)
    assert Counter(event.node for event in watch.of("node_end")) == dict.fromkeys(AGENTS, 1)
    assert Counter(role_of(call.messages) for call in model.calls) == dict.fromkeys(AGENTS, 1)


async def test_the_three_scanners_work_at_the_same_time():
    watch = Watch()
    await run(scan_script(delay=0.05), watch)
    began = {event.node: event.ts for event in watch.of("node_start")}
    ended = {event.node: event.ts for event in watch.of("node_end")}
    assert max(began[agent] for agent in SCANNERS) < min(ended[agent] for agent in SCANNERS)
    assert max(ended[agent] for agent in SCANNERS) < began[DEEP_DIVE] < ended[DEEP_DIVE] < began[SYNTHESIS]


async def test_the_state_has_the_documented_keys():
    state = (await run(scan_script())).state
    assert state["scan_date"] == DAY
    for key in report_keys(["scanners", "industries"]):
        assert "the figures are as the tools gave them" in state[key]  # type: ignore[literal-required]
    assert json.loads(state["macro_scan_summary"]) == state["summary"].as_json()
    assert state["sender"] == SYNTHESIS
    assert "messages" not in state


async def test_each_scanner_is_given_its_prescribed_calls_and_sees_no_other_s():
    model = scan_script()
    await run(model)
    asked = {
        role_of(call.messages): [
            (made["name"], tuple(made["args"].values()))
            for message in prescribed_in(call.messages)
            if isinstance(message, AIMessage)
            for made in message.tool_calls
        ]
        for call in model.calls
    }
    assert asked["Geopolitical Scanner"] == [
        ("get_topic_news", (topic, 10))
        for topic in (
            "geopolitics",
            "trade policy sanctions",
            "central bank monetary policy",
            "energy oil commodities",
        )
    ]
    assert asked["Market Movers Scanner"] == [
        ("get_market_movers", ("day_gainers",)),
        ("get_market_movers", ("day_losers",)),
        ("get_market_movers", ("most_actives",)),
        ("get_market_indices", ()),
        ("get_macro_regime", ("2025-03-14",)),
    ]
    assert asked["Sector Scanner"] == [("get_sector_performance", ())]
    drilled = [name for name, _ in asked[DEEP_DIVE]]
    assert drilled[:6] == ["get_industry_performance"] * 3 + ["get_topic_news"] * 3
    assert set(drilled[6:]) <= {"get_news"}, "on the day's largest movers"
    assert len(drilled) <= 6 + 5
    assert asked[SYNTHESIS] == []


async def test_the_deep_dive_looks_into_the_three_largest_absolute_one_month_moves():
    model = scan_script({"Sector Scanner": "Utilities: month +99.0%. Energy: month +98.0%. Materials: month 97.0%"})
    finished = await run(model)
    market = MarketData(load_settings({"data_vendor": "simulated"}, environ={}), date.fromisoformat(DAY))
    returns = {}
    for sector, fund in SECTOR_ETF.items():
        close = market.prices(fund).adj_close
        returns[sector] = float(close[-1] / close[-22] - 1)
    expected = list(largest_moves(returns, 3))
    assert finished.record["top_sectors"] == expected
    primed = next(
        message.tool_calls
        for call in model.calls
        if role_of(call.messages) == DEEP_DIVE
        for message in prescribed_in(call.messages)
        if isinstance(message, AIMessage)
    )
    assert [made["args"]["sector_key"] for made in primed[:3]] == expected


async def test_the_deep_dive_reads_the_three_reports_and_the_synthesis_all_four():
    model = scan_script()
    await run(model)
    read = {role_of(call.messages): "\n".join(message.text for message in call.messages) for call in model.calls}
    for agent in SCANNERS:
        assert f'by="{agent}">\n{agent} says' in read[DEEP_DIVE]
        assert f'by="{agent}">\n{agent} says' in read[SYNTHESIS]
    assert f'by="{DEEP_DIVE}">\n{DEEP_DIVE} says' in read[SYNTHESIS]


async def test_what_a_model_asks_for_beyond_the_prescribed_calls_is_seen_too():
    model = scan_script(
        {
            DEEP_DIVE: [
                calls_tool("get_industry_performance", sector_key="utilities"),
                "COVZ closed at 390.43.",
            ]
        }
    )
    finished = await run(model)
    tools = {tool for stock in finished.state["seen"].values() for tool in stock["tools"]}
    assert "get_industry_performance:utilities" in tools


async def test_no_agent_calls_tools_for_ever():
    def always(messages: Sequence[BaseMessage], tools: tuple[str, ...]) -> Any:
        if tools:
            return calls_tool("get_sector_performance", number=len(messages))
        return "Written at last: Information Technology lost 3.53 %."

    model = scan_script({"Sector Scanner": always})
    finished = await run(model)
    assert finished.state["sector_performance_report"] == "Written at last: Information Technology lost 3.53 %."
    assert sum(role_of(call.messages) == "Sector Scanner" for call in model.calls) == 6


# What it leaves


async def test_the_record_holds_the_summary_the_typed_tables_and_the_reports():
    finished = await run(scan_script())
    record = finished.record
    assert record["status"] == "done"
    assert record["summary"] == finished.summary
    assert [row["sector"] for row in record["sectors"]] == list(SECTOR_ETF)
    assert [row["symbol"] for row in record["indices"]] == ["^GSPC", "^DJI", "^IXIC", "^VIX", "^RUT"]
    assert list(record["reports"]) == [
        "geopolitical_report",
        "market_movers_report",
        "sector_performance_report",
        "industry_deep_dive_report",
        "macro_scan_summary",
    ]
    assert record["usage"]["llm_calls"] == 5
    assert set(record["usage"]["by_agent"]) == set(AGENTS)
    methods = {row["method"] for row in record["data_sheet"]}
    assert {"get_market_movers", "get_market_indices", "get_sector_performance", "get_topic_news"} <= methods


async def test_every_pick_stands_in_the_data_with_its_name_and_where_it_was_seen():
    finished = await run(scan_script())
    picks = finished.summary["stocks_to_investigate"]
    assert 8 <= len(picks) <= 10
    assert len({one["ticker"] for one in picks}) == len(picks)
    for one in picks:
        assert one["name"] == COMPANIES[one["ticker"]].name
        assert one["seen_in"]
        assert one["evidence"]


async def test_the_folder_holds_card_events_reports_and_page(tmp_path):
    record = (await run(scan_script(), home=tmp_path)).record
    card = json.loads((tmp_path / "runs" / record["run_id"] / "run.json").read_text())
    assert card == record.as_json()
    reports = tmp_path / "runs" / record["run_id"] / "reports"
    written = json.loads((reports / "3_synthesis" / "macro_scan_summary.json").read_text())
    assert written == card["summary"]
    assert (reports / "complete_report.md").read_text().startswith("# ")
    assert "Information Technology" in (reports / "report.html").read_text()
    log = (tmp_path / "runs" / record["run_id"] / "events.jsonl").read_text()
    events = [json.loads(line) for line in log.splitlines()]
    assert events[0]["type"] == "run_start"
    assert events[-1]["type"] == "result"


def test_scan_is_the_sync_face_and_returns_the_state():
    state = scanner_graph(scan_script()).scan(DAY)
    assert len(json.loads(state["macro_scan_summary"])["stocks_to_investigate"]) == 10


async def test_two_scanners_with_different_markets_live_side_by_side():
    first, second = scanner_graph(scan_script()), scanner_graph(scan_script(), simulated_seed=8)
    one, other = await first.arun(DAY), await second.arun(DAY)
    assert one.record["sectors"] != other.record["sectors"]


async def test_a_day_without_a_session_is_read_as_of_the_last_one_and_the_record_says_so():
    record = (await scanner_graph(scan_script()).arun("2025-03-16")).record
    assert record["scan_date"] == "2025-03-16"
    assert record["session"] == "2025-03-14"
    assert "2025-03-16 has no closed session" in record["warnings"][0]


# What fails


class Gone(SimulatedVendor):
    """The simulated market without some of its answers."""

    def __init__(self, *symbols: str, movers: bool = True) -> None:
        super().__init__()
        self._gone, self._movers = symbols, movers

    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        if symbol in self._gone:
            raise NoData(f"{symbol} is gone; try another.")
        return super().get_stock_data(symbol, start, end)

    def get_market_movers(self, category: Any, session: date) -> Any:
        if not self._movers:
            raise NoData("No movers; try another vendor.")
        return super().get_market_movers(category, session)


def without(*symbols: str, movers: bool = True) -> Vendors:
    settings = load_settings({"data_vendor": "simulated"}, environ={})
    return Vendors(settings, {"simulated": Gone(*symbols, movers=movers)})


FUNDS = tuple(SECTOR_ETF.values())
INDICES = ("^GSPC", "^DJI", "^IXIC", "^VIX", "^RUT")
TRACKERS = ("SPY", "DIA", "ONEQ", "IWM")
"""Funds that stand in for the indices where a source has none."""


async def test_a_failing_scanner_leaves_a_stated_gap_and_the_scan_goes_on():
    model = scan_script({"Geopolitical Scanner": ModelFailure("the model broke")})
    finished = await run(model)
    assert finished.record["status"] == "done"
    assert finished.state["geopolitical_report"].startswith("**Not available.**")
    assert any("Geopolitical Scanner could not report: the model broke" in said for said in finished.record["warnings"])


async def test_a_sector_scanner_without_a_model_leaves_the_sectors_that_its_tool_gave():
    whole = (await run(scan_script())).record
    record = (await run(scan_script({"Sector Scanner": ModelFailure("the model broke")}))).record
    assert record["sectors"] == whole["sectors"]
    assert record["top_sectors"] == whole["top_sectors"]
    assert record["warnings"] == ["Sector Scanner could not report: the model broke"]


async def test_a_failing_deep_dive_leaves_a_stated_gap_and_the_synthesis_still_speaks():
    finished = await run(scan_script({DEEP_DIVE: ModelFailure("the model broke")}))
    assert finished.record["status"] == "done"
    assert finished.state["industry_deep_dive_report"].startswith("**Not available.**")
    assert len(finished.summary["stocks_to_investigate"]) == 10


async def test_without_any_scanner_s_report_the_scan_ends_and_says_why(tmp_path):
    broken = ModelFailure("the model broke")
    with pytest.raises(ModelFailure, match="No scanner could report: the model broke"):
        await run(scan_script(dict.fromkeys(SCANNERS, broken)), home=tmp_path)
    (card,) = (tmp_path / "runs").glob("*/run.json")
    assert json.loads(card.read_text())["status"] == "failed"


async def test_without_typed_sectors_the_report_s_prose_chooses_and_a_warning_says_so():
    model = scan_script({"Sector Scanner": "Energy: month -9.0%\nUtilities: month +4.0%"})
    finished = await run(model, vendors=without(*FUNDS))
    assert finished.record["top_sectors"] == ["energy", "utilities"]
    assert any(
        "read from the sector scanner's report: energy, utilities" in said for said in finished.record["warnings"]
    )


async def test_a_deep_dive_that_nothing_stands_behind_is_told_once_to_call_its_tools():
    told: list[bool] = []

    def deep_dive(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Any:
        told.append(messages[-1].text == CALL_FIRST)
        if any(isinstance(message, ToolMessage) for message in messages):
            return report_of(messages)
        return calls_tool("get_industry_performance", sector_key="energy") if told[-1] else "I need no tools."

    finished = await run(scan_script({DEEP_DIVE: deep_dive}), vendors=without(*FUNDS, movers=False))
    assert told == [False, True, False]
    assert finished.state["industry_deep_dive_report"].startswith(f"{DEEP_DIVE} says: | ")


async def test_a_deep_dive_that_refuses_its_tools_is_told_only_once():
    model = scan_script({DEEP_DIVE: "I need no tools."})
    await run(model, vendors=without(*FUNDS, movers=False))
    assert sum(role_of(call.messages) == DEEP_DIVE for call in model.calls) == 2


async def test_without_sector_funds_and_indices_there_is_nothing_to_scan_and_nothing_is_written(tmp_path):
    with pytest.raises(NoData, match="No sector fund and no index to scan for 2025-03-14"):
        await run(scan_script(), vendors=without(*FUNDS, *INDICES, *TRACKERS), home=tmp_path)
    assert not (tmp_path / "runs").exists()


class TodayOnly(SimulatedVendor):
    """The simulated market with screens that know today only, as live vendors' do."""

    live_only = frozenset({"get_market_movers", "get_industry_performance"})


async def test_a_vendor_that_could_name_no_stock_of_a_past_day_is_refused_before_a_model_is_asked(tmp_path):
    model = scan_script()
    vendors = Vendors(load_settings({"data_vendor": "simulated"}, environ={}), {"simulated": TodayOnly()})
    with pytest.raises(NotForPastDate, match=r"get_market_movers for today only.*data_vendor='snapshot'"):
        await run(model, vendors=vendors, home=tmp_path)
    assert not model.calls
    assert not (tmp_path / "runs").exists()


async def test_a_scan_that_read_of_no_stock_ends_and_says_so(tmp_path):
    answers = {DEEP_DIVE: "No sectors."}
    nobody = without(*FUNDS, *[symbol for symbol in SYMBOLS if symbol in COMPANIES], movers=False)
    nobody.get("simulated").get_topic_news = lambda *_: ()  # type: ignore[method-assign]
    with pytest.raises(NoData, match="nothing to pick from"):
        await run(scan_script(answers), vendors=nobody, home=tmp_path)
    (card,) = (tmp_path / "runs").glob("*/run.json")
    assert json.loads(card.read_text())["status"] == "failed"


@pytest.mark.parametrize("day", ["2025-13-01", "tomorrow", "1800-01-01", "2999-01-01", "../../x", ""])
async def test_a_date_that_cannot_be_is_refused_and_nothing_is_written(day: str, tmp_path):
    with pytest.raises(BadDate):
        await scanner_graph(scan_script(), home=tmp_path).arun(day)
    assert not (tmp_path / "runs").exists()


async def test_a_used_up_budget_ends_the_scan_with_what_there_is(tmp_path):
    with pytest.raises(BudgetReached):
        await run(scan_script(), max_llm_calls=4, home=tmp_path)
    (card,) = (tmp_path / "runs").glob("*/run.json")
    record = json.loads(card.read_text())
    assert record["status"] == "budget"
    assert len(record["reports"]) == 4
    assert record["summary"] is None


@pytest.mark.parametrize("picks", [0, 51, -1])
def test_an_impossible_number_of_picks_is_refused(picks: int):
    with pytest.raises(SettingsError, match="max_auto_tickers"):
        scanner_graph(scan_script(), max_auto_tickers=picks)


# The synthesis


def text(content: str) -> Any:
    """An answer in text, made from the summary of the first ten candidates."""
    return lambda messages, _tools: content.replace("JSON", json.dumps(summary(candidates(messages)[:10])))


def altered(**changes: Any) -> Any:
    """A summary with something else in it."""
    return lambda messages, _tools: summary_call(summary(candidates(messages)[:10], **changes))


def tickers(choose: Any) -> Any:
    """A summary whose picks are chosen from the candidates."""
    return lambda messages, _tools: summary_call(summary(choose(candidates(messages))))


def picked(**changes: Any) -> Any:
    """A summary in which every pick says something else."""

    def answer(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> AIMessage:
        chosen = candidates(messages)[:10]
        return summary_call(summary(chosen, stocks_to_investigate=[pick(ticker, **changes) for ticker in chosen]))

    return answer


GOOD_AS_IT_IS = {
    "thoughts": text("<think>Is {this} JSON?</think>\nJSON"),
    "thoughts without their opening": text("so be it</think>JSON"),
    "a fence": text("```json\nJSON\n```"),
    "prose around": text("Here is what I found:\n\nJSON\n\nGood luck!"),
    "all of them": text("<think>hm</think>Sure:\n```\nJSON\n```\nDone."),
    "lower case tickers": tickers(lambda known: [ticker.lower() for ticker in known[:9]]),
    "upper case levels": altered(key_themes=[{"theme": "t", "description": "d", "conviction": "HIGH"}]),
    "eight": tickers(lambda known: known[:8]),
    "no name and no sector, which the data have": picked(name="", sector="n/a"),
    "an invented sector": picked(sector="Quantum Widgets"),
    "words for nothing in lists": altered(risk_factors=["None", "", "a turn in rates", "n/a"]),
}
TO_BE_REPAIRED = {
    "a ticker twice": tickers(lambda known: [*known[:9], known[0].lower()]),
    "an invented ticker": tickers(lambda known: [*known[:9], "ZZZZ"]),
    "a path": tickers(lambda known: [*known[:9], "../../x"]),
    "too few": tickers(lambda known: known[:7]),
    "too many": tickers(lambda known: known[:11]),
    "none": altered(stocks_to_investigate=[]),
    "an unknown conviction": altered(key_themes=[{"theme": "t", "description": "d", "conviction": "sure"}]),
    "no JSON": "I would rather not.",
    "cut off": '{"timeframe": "1-3 months", "executive_summary": "',
    "a list": "[1, 2]",
    "nothing": "",
    "no evidence": picked(evidence=[]),
    "evidence of nothing": picked(evidence=[{"claim": " ", "source": "get_topic_news"}]),
    "a blank rationale": picked(rationale=" " * 40),
    "a ticker with a space": tickers(lambda known: [*known[:9], f"{known[9][:2]} {known[9][2:]}"]),
    "a number that is none": text('{"timeframe": NaN}'),
    "JSON in JSON": altered(stocks_to_investigate="[]"),
    "a wrapped object": lambda messages, tools: summary_call({"summary": summary(candidates(messages)[:10])}),
    "a list without end": altered(risk_factors=[f"risk {number}" for number in range(500)]),
    "convictions of another language": picked(conviction="hoch"),
}


@pytest.mark.parametrize("answer", GOOD_AS_IT_IS.values(), ids=GOOD_AS_IT_IS)
async def test_a_summary_is_read_whatever_surrounds_it(answer: Any):
    model = scan_script({SYNTHESIS: answer})
    finished = await run(model)
    assert 8 <= len(finished.summary["stocks_to_investigate"]) <= 10
    assert all(one["ticker"] in COMPANIES for one in finished.summary["stocks_to_investigate"])
    assert finished.summary["key_themes"][0]["conviction"] in ("high", "medium", "low")
    assert finished.summary["risk_factors"] == ["a turn in rates"]
    for one in finished.summary["stocks_to_investigate"]:
        company = COMPANIES[one["ticker"]]
        assert (one["name"], one["sector"]) == (company.name, DISPLAY[company.sector])
    assert len(model.calls) == 5


@pytest.mark.parametrize("wrong", sampled(TO_BE_REPAIRED, every=3, name=str))
async def test_a_wrong_summary_is_asked_for_again_once(wrong: str):
    model = scan_script({SYNTHESIS: [TO_BE_REPAIRED[wrong], picks_first]})
    finished = await run(model)
    assert len(finished.summary["stocks_to_investigate"]) == 10
    assert len(model.calls) == 6


@pytest.mark.parametrize("wrong", sampled(reversed(TO_BE_REPAIRED), every=4, name=str))
async def test_a_summary_wrong_twice_is_refused_with_the_reason_and_never_passed_on(wrong: str, tmp_path):
    with pytest.raises(NoSummary) as raised:
        await run(scan_script({SYNTHESIS: TO_BE_REPAIRED[wrong]}), home=tmp_path)
    (card,) = (tmp_path / "runs").glob("*/run.json")
    record = json.loads(card.read_text())
    assert record["status"] == "no_summary"
    assert record["summary"] is None
    assert "macro_scan_summary" not in record["reports"]
    assert record["error"] == str(raised.value)


async def test_the_objection_names_what_was_wrong():
    model = scan_script({SYNTHESIS: [TO_BE_REPAIRED["an invented ticker"], picks_first]})
    await run(model)
    assert "not among the candidates: ZZZZ" in model.calls[-1].messages[-1].text


@pytest.mark.parametrize("wanted", [1, 3, 10, 12])
async def test_exactly_as_many_picks_as_asked(wanted: int):
    model = scan_script({SYNTHESIS: tickers(lambda known: known[:wanted])})
    finished = await run(model, max_auto_tickers=wanted)
    assert len(finished.summary["stocks_to_investigate"]) == wanted
    assert f"Picks asked: exactly {wanted}" in model.calls[-1].messages[-1].text


async def test_the_typed_result_of_the_sector_scanner_is_what_the_tool_gave():
    record = (await run(scan_script())).record
    market = MarketData(load_settings({"data_vendor": "simulated"}, environ={}), date.fromisoformat(DAY))
    assert record.as_json()["sectors"] == get_sector_performance.ask(market).kept()["sectors"]
