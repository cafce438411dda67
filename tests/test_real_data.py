"""Offline runs on the recorded real market: every kind of company and day gets an answer that stands on the data."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from benchmarks.calibration import reports_read
from tests.support.figures import assert_decision_stands_on_the_sheet, figures_of, missing_from_sheet, quoted_figures
from tests.support.offline_runs import DERIVED, answer, graph_on, mirror_prices
from tests.support.snapshot import linked_copy, recorded_until
from tests.support.tiers import sampled
from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.capabilities.company import get_income_statement, get_ttm_analysis
from tradingagents.capabilities.prices import get_stock_data
from tradingagents.dataflows.gateway.cache import Memo
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.metrics import parse_number
from tradingagents.errors import NoData
from tradingagents.graph.start import Run
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.offline.brief import Brief
from tradingagents.offline.decisions import final_action, levels
from tradingagents.offline.evidence import view_of
from tradingagents.offline.readings import Reading, Row, rounded_score
from tradingagents.offline.rules import CLOSE, RULES
from tradingagents.offline.what_if import would_change
from tradingagents.settings import load_settings

pytestmark = pytest.mark.real_data

DAY = "2025-03-14"
WOULD_CHANGE = re.compile(
    r"(?:No single figure would change it\. )?(?P<action>BUY|SELL|HOLD) if (?P<changes>.+), all else unchanged\."
)
CHANGE = re.compile(r"(?:^|, | and )((?:(?!, | and ).)+?) (?:rose|fell) to (\S+(?: USD| derived)?) \(now [^)]+\)")


@pytest.fixture(scope="module")
def snapshot(test_data: Path) -> Path:
    return test_data / "snapshot"


@pytest.fixture(scope="module")
def graph(snapshot: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TradingAgentsGraph]:
    yield graph_on(snapshot, home=tmp_path_factory.mktemp("home"))
    run_on.cache_clear()


def market(folder: Path, day: str) -> MarketData:
    settings = load_settings({"data_vendor": "snapshot", "data_dir": str(folder)}, environ={})
    return MarketData(settings, date.fromisoformat(day))


@cache
def run_on(graph: TradingAgentsGraph, symbol: str, day: str = DAY) -> Run:
    """Run once for all tests that look at the same run."""
    return graph.run(symbol, day)


# Known facts


def test_apple_s_close_and_trailing_revenue_are_those_known_on_the_day(graph: TradingAgentsGraph):
    run = run_on(graph, "AAPL")
    sheet = figures_of(run.record)
    assert sheet["last_close"] == {213.49}
    assert sheet["ttm_revenue"] == {395.76e9}  # 124.300 + 94.930 + 85.777 + 90.753 billion
    assert run.decision.entry == 213.49
    assert run.record["decision"]
    assert_decision_stands_on_the_sheet(run.record)
    texts = [*run.record["reports"].values(), *(t["text"] for turns in run.record["debates"].values() for t in turns)]
    assert sum(len(quoted_figures(text, sheet)) for text in texts) > 100
    assert [one for text in texts for one in missing_from_sheet(run.record, text) if one[0] not in DERIVED] == []


@pytest.mark.parametrize(
    ("day", "newest", "known_at"),
    [
        ("2025-01-30", "2024-09-28", None),
        ("2025-01-31", "2024-12-28", datetime(2025, 1, 31, 11, 1, 27, tzinfo=UTC)),
    ],
)
def test_a_quarter_is_visible_from_the_close_after_its_filing(
    snapshot: Path, day: str, newest: str, known_at: datetime | None
):
    table = get_income_statement.ask(market(snapshot, day), ticker="AAPL")
    assert table.end is not None
    assert table.end.isoformat() == newest
    assert known_at is None or table.known_at == known_at
    revenue = get_ttm_analysis.ask(market(snapshot, day), ticker="AAPL").figures()[0]
    assert revenue.text == {"2025-01-30": "391.04B USD", "2025-01-31": "395.76B USD"}[day]


def test_a_split_still_to_come_is_not_in_the_prices(snapshot: Path):
    asked = {"symbol": "NVDA", "start_date": "2024-06-03", "end_date": "2024-06-07"}
    then = get_stock_data.ask(market(snapshot, "2024-06-07"), **asked)
    assert then.figures()[0].value == pytest.approx(1208.88, abs=0.01)  # ten for one on 10 June
    now = get_stock_data.ask(
        market(snapshot, "2024-06-10"), symbol="NVDA", start_date="2024-06-03", end_date="2024-06-10"
    )
    assert "2024-06-07" in now.to_markdown()
    assert "120.8" in now.to_markdown()


# Every kind of company and day

INSTRUMENTS = ("MSFT", "JPM", "UNH", "BA", "NVDA", "XOM", "FAST", "POOL", "SPY", "XLK", "BRK-B", "^VIX")


@pytest.mark.parametrize(("day", "symbol"), sampled(product((DAY, "2025-07-10"), INSTRUMENTS), every=5))
def test_every_kind_of_instrument_gets_a_decision_that_stands_on_the_data(
    graph: TradingAgentsGraph, day: str, symbol: str
):
    run = run_on(graph, symbol, day)
    assert run.record["status"] == "done"
    assert run.decision.action in ("BUY", "SELL", "HOLD")
    assert set(run.record["reports"]) >= {"market_report", "sentiment_report", "news_report", "fundamentals_report"}
    assert_decision_stands_on_the_sheet(run.record)
    cutoff = datetime.fromisoformat(run.record["cutoff"])
    for row in run.record["data_sheet"]:
        assert row["known_at"] is None or datetime.fromisoformat(row["known_at"]) <= cutoff
    assert not any("unexpected" in warning for warning in run.record["warnings"])


@pytest.mark.parametrize(
    ("symbol", "report", "said"),
    [
        ("POOL", "sentiment_report", "get_news failed"),
        ("POOL", "news_report", "get_news failed"),
        ("POOL", "fundamentals_report", "snapshot has no statement of POOL from"),
        ("FAST", "sentiment_report", "Not available"),
        ("FAST", "fundamentals_report", "snapshot has no statement of FAST from"),
        ("NVDA", "fundamentals_report", "figures are of the fiscal year to 2024-01-31, not of the last twelve months"),
        ("NVDA", "fundamentals_report", "Filing date assumed"),
        ("BA", "fundamentals_report", "Equity is not positive"),
        ("MSFT", "news_report", "get_insider_transactions failed|Insider dealing"),
    ],
)
def test_the_reports_say_what_was_missing_or_in_doubt(graph: TradingAgentsGraph, symbol: str, report: str, said: str):
    assert re.search(said, run_on(graph, symbol).record["reports"][report])


@pytest.mark.parametrize(
    ("day", "session"),
    [("2025-03-15", "2025-03-14"), ("2025-07-04", "2025-07-03"), ("2025-01-09", "2025-01-08")],
)
def test_a_day_without_a_session_is_read_as_of_the_last_close(graph: TradingAgentsGraph, day: str, session: str):
    closed, before = run_on(graph, "AAPL", day), run_on(graph, "AAPL", session)
    assert (closed.record["trade_date"], closed.record["session"]) == (day, session)
    assert closed.decision.entry == before.decision.entry
    assert any(session in warning for warning in closed.record["warnings"])


@pytest.mark.parametrize("day", ["2022-01-03", "2022-01-04", "2022-02-01"])
def test_a_short_history_is_named_and_decided_on(graph: TradingAgentsGraph, day: str):
    run = run_on(graph, "AAPL", day)
    assert "close_200_sma needs 200 sessions" in run.record["reports"]["market_report"]
    assert_decision_stands_on_the_sheet(run.record)


@pytest.mark.parametrize(
    ("symbol", "day", "message"),
    [
        ("AAPL", "2025-11-03", r"end on 2025-08-15, too old for 2025-11-03; name an earlier date or another vendor\."),
        ("AAPL", "2021-06-01", r"name a date within"),
        ("NOSUCH", DAY, r"has no NOSUCH; close to it are"),
        pytest.param(
            *("0700.HK", DAY, r"has no 0700\.HK"),
            marks=pytest.mark.filterwarnings("ignore:DatetimeIndex.weekday is deprecated"),  # exchange_calendars
        ),
    ],
)
def test_what_is_not_there_is_refused_with_the_way_out(graph: TradingAgentsGraph, symbol: str, day: str, message: str):
    with pytest.raises(NoData, match=message):
        run_on(graph, symbol, day)


def test_days_after_the_last_bar_are_answered_with_a_warning_while_it_is_fresh(graph: TradingAgentsGraph):
    run = run_on(graph, "AAPL", "2025-08-18")
    assert (
        "The newest prices of AAPL are of 2025-08-15, though the last session is 2025-08-18." in run.record["warnings"]
    )


# Decisions follow from data


def test_a_dozen_companies_and_days_give_reasons_to_buy_and_to_sell(graph: TradingAgentsGraph):
    symbols = ("AAPL", "MSFT", "JPM", "UNH", "BA", "XOM")
    runs = [run_on(graph, symbol, day) for symbol in symbols for day in (DAY, "2025-05-15")]
    actions = Counter(run.decision.action for run in runs)
    assert min(actions["BUY"], actions["SELL"]) >= 2
    assert len({json.dumps(run.record.decision.as_json()) for run in runs}) == 12


def test_prices_turned_upside_down_turn_the_decision(graph: TradingAgentsGraph, snapshot: Path, tmp_path: Path):
    other = linked_copy(snapshot, tmp_path / "mirrored")
    (other / "prices.parquet").unlink()
    (other / "prices.parquet").write_bytes((snapshot / "prices.parquet").read_bytes())
    mirror_prices(other, ("AAPL",), since=date(2024, 9, 3))
    plain, turned = run_on(graph, "AAPL"), run_on(graph_on(other), "AAPL")
    assert (plain.decision.action, turned.decision.action) == ("SELL", "BUY")
    assert turned.record["reports"]["news_report"] == plain.record["reports"]["news_report"]


def test_without_everything_recorded_later_no_word_of_a_run_differs(
    graph: TradingAgentsGraph, snapshot: Path, tmp_path: Path
):
    cut = recorded_until(snapshot, tmp_path / "cut", date.fromisoformat(DAY))
    for symbol in ("AAPL", "JPM", "NVDA"):
        there, here = run_on(graph, symbol), run_on(graph_on(cut), symbol)
        assert answer(here) == answer(there)


STOCKS = ("AAPL", "NVDA", "KO", "JPM", "WMT", "XOM", "UNH", "TSLA", "AVGO", "PFE", "INTC")
SAMPLE = [(symbol, day) for symbol in STOCKS for day in ("2023-11-03", "2024-06-20", DAY)]


def test_what_would_change_a_decision_changes_it_on_every_recorded_day(snapshot: Path):
    """33 decisions: with what the text names at the levels it names, the deciding rules say what the text says."""
    settings = load_settings({"data_vendor": "snapshot", "data_dir": str(snapshot)}, environ={})
    vendors, memo = Vendors(settings), Memo(2000)
    sizes, wrong = set(), []
    for symbol, day in SAMPLE:
        data = MarketData(settings, date.fromisoformat(day), vendors=vendors, memo=memo)
        brief = reports_read(data, symbol, settings)
        view, close = view_of(brief), brief.subject.last_close
        said = would_change(view, close, final_action)
        named = WOULD_CHANGE.fullmatch(said)
        if (
            not named
            or final_action(view) == named["action"]
            or decided_again(brief, named["changes"]) != named["action"]
        ):
            wrong.append((symbol, day, said))
        sizes.add(levels("BUY", close, view)[0]["position_size"])
    assert wrong == []
    assert len(SAMPLE) == 33
    assert len(sizes) > 25
    assert max(sizes) < 0.10


def decided_again(brief: Brief, changes: str) -> str:
    """Decide with what a text says would change, scored here anew from the words and levels of the text alone."""
    found = [one.groups() for one in CHANGE.finditer(changes)]
    assert len(found) == changes.count("(now "), changes
    tones = {"world news": "get_global_news", "company news": "get_news"}
    close = brief.subject.last_close
    there: dict[tuple[str, str], str] = {}
    for label, level in found:
        if label == "the close":
            close = parse_number(level)[0]  # type: ignore[index]
        elif label.startswith("the tone of "):
            there[tones[label.removeprefix("the tone of ")], "articles"] = level
        else:
            there |= {key: level for key, rule in RULES.items() if metric_label(rule.metric) == label}

    def anew(row: Row) -> Row:
        level, rule = there.get((row.source, row.metric)), RULES.get((row.source, row.metric))
        if rule is None:
            return replace(row, score=float(level.split()[0])) if level else row
        if not level and rule.needs != (CLOSE,):
            return row
        value = parse_number(level)[0] if level else row.value  # type: ignore[index]
        needed = [
            close if need == CLOSE else view_of(brief).value(need.strip("?").split(".")[1]) for need in rule.needs
        ]
        return replace(row, value=value, score=rounded_score(rule.score(value, *needed).value))

    def read_anew(reading: Reading) -> Reading:
        rows = tuple(map(anew, reading.rows))
        regimes = [row.value for row in rows if row.metric == "regime_score"]
        return replace(reading, rows=rows, regime=regimes[0] if regimes else reading.regime)

    again = {name: read_anew(reading) for name, reading in brief.readings.items()}
    return final_action(view_of(replace(brief, readings=again)))
