"""The page and the files of a small backtest: agreed files, and what must hold of them whatever they say."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import re
from dataclasses import replace
from datetime import date
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from cli.main import run
from tests.features.backtest.test_backtest import services_in
from tests.support.golden_files import assert_golden
from tradingagents.errors import NotFound, UsageError
from tradingagents.features.assistant.sessions import ArtifactStore
from tradingagents.features.backtest.decisions.again import decide_again
from tradingagents.features.backtest.pages.charts import (
    TRADES,
    DecisionMark,
    ReliabilityPoint,
    deciders_chart,
    decision_chart,
    reliability_chart,
)
from tradingagents.features.backtest.pages.document import backtest_document
from tradingagents.features.backtest.pages.files import write_backtest
from tradingagents.features.backtest.request import BacktestRequest
from tradingagents.features.backtest.run import Backtest, backtest
from tradingagents.features.backtest.statistics.random_deciders import RandomDeciders
from tradingagents.reports.render.html import to_html
from tradingagents.service.kernel.kernel import Kernel
from tradingagents.settings import load_settings

ASKED = BacktestRequest(tickers=("VELQ", "OMBZ"), start=date(2024, 10, 1), end=date(2024, 12, 20), every=18)
FILES = {
    *("report.md", "report.html", "result.json", "ledger.jsonl", "decisions.jsonl"),
    *("trades.csv", "decisions.csv", "equity.csv", "by_ticker.csv"),
}


@pytest.fixture(scope="module")
def tested(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Backtest]:
    home = tmp_path_factory.mktemp("backtest")
    found = asyncio.run(backtest(services_in(home), ASKED))
    return write_backtest(home, found), found


def test_the_page_and_the_result_are_as_agreed(tested: tuple[Path, Backtest]):
    folder, found = tested
    assert {one.name for one in folder.iterdir()} == FILES
    names = _hashes(found)
    assert_golden("backtest/report.html", _renamed((folder / "report.html").read_text("utf-8"), names))
    record = json.loads((folder / "result.json").read_text("utf-8"))
    assert record == json.loads(json.dumps(found.record))
    text = json.dumps(_rounded(record), indent=1, ensure_ascii=False)
    assert_golden("backtest/result.json", _renamed(text, names) + "\n")
    assert_golden("backtest/trades.csv", _renamed((folder / "trades.csv").read_text("utf-8"), names))


def test_the_page_needs_nothing_from_outside_and_every_link_has_its_target(tested: tuple[Path, Backtest]):
    page = _Page()
    page.feed((tested[0] / "report.html").read_text("utf-8"))
    assert not {"script", "link", "iframe", "img", "object"} & set(page.tags)
    assert "default-src 'none'" in page.policy
    assert {one[1:] for one in page.links if one.startswith("#")} <= page.ids
    assert not [one for one in page.links if not one.startswith("#")]
    assert page.tags.count("figure") > 10


def test_the_page_says_what_the_result_says(tested: tuple[Path, Backtest]):
    folder, found = tested
    text = (folder / "report.html").read_text("utf-8")
    record = found.record
    assert record["verdict"] in text
    for warning in record["warnings"]:
        assert warning in text
    assert re.search(r"(?:BUY|SELL|HOLD), strength 0\.\d\d", text)
    assert not re.search(r"(?:BUY|SELL|HOLD), confidence", text), "rules state a strength"
    assert "smallest edge" in record["verdict"]
    decided = list(csv.DictReader(io.StringIO((folder / "decisions.csv").read_text("utf-8"))))
    assert {(one["ticker"], one["day"]) for one in decided} == {(name, str(day)) for name, day in found.decided}
    assert [one["decision"][:12] in text for one in decided] == [True] * len(decided)
    by_ticker = list(csv.reader(io.StringIO((folder / "by_ticker.csv").read_text("utf-8"))))
    assert {row[0] for row in by_ticker[1:]} == {"VELQ", "OMBZ", "all"}
    own = next(row for row in by_ticker if row[:2] == ["VELQ", "Buy and hold"])
    assert own[2] == f"{100 * record['strategies']['buy_and_hold']['tickers']['VELQ']['total_return']:.1f}"
    rows = record["scorecard"]
    assert {"Market Analyst", "Fundamentals Analyst", "Trader"} <= {one["who"] for one in rows}
    assert sum(bool(one["metric"]) for one in rows) > 20


async def test_a_decision_is_made_again_on_the_same_evidence_with_all_its_reports(tested: tuple[Path, Backtest]):
    folder, found = tested
    home = folder.parents[1]
    (ticker, day), *_ = found.decided
    again = await decide_again(services_in(home), folder, ticker.lower(), day)
    assert again.same_evidence
    assert again.same_decision
    assert again.before == found.decided[ticker, day].decision
    assert Path(again.page).is_file()
    with pytest.raises(UsageError, match="the nearest are"):
        await decide_again(services_in(home), folder, ticker, date(2024, 10, 2))
    with pytest.raises(UsageError, match="not decided at all"):
        await decide_again(services_in(home), folder, "TOBQ", day)
    with pytest.raises(UsageError, match="other settings"):
        await decide_again(services_in(home, max_debate_rounds=3), folder, ticker, day)
    with pytest.raises(UsageError, match="no folder of a backtest"):
        await decide_again(services_in(home), home, ticker, day)


def test_the_commands_print_the_result_and_show_one_of_its_decisions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    options = ["--offline", "--home", str(tmp_path), "--json"]
    period = ["--start", "2024-10-01", "--end", "2024-11-20", "--every", "18"]
    assert run(["backtest", "--tickers", "VELQ", *period, *options]) == 0
    printed = json.loads(capsys.readouterr().out)
    folder = Path(printed["folder"])
    stored = json.loads((folder / "result.json").read_text("utf-8"))
    assert {**stored, "status": "done", "folder": str(folder)} == printed
    assert run(["backtest", "show", folder.name, "VELQ", "2024-10-01", *options]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["same_evidence"], shown["same_decision"]) == (True, True)
    assert Path(shown["page"]).is_file()
    assert run(["backtest", "show", folder.name, "VELQ", "2024-10-03", *options]) == 2


def test_charts_show_every_kind_of_decision_and_escape_what_they_say():
    days = [date(2024, 1, number) for number in (2, 3, 4, 5)]
    marks = [
        DecisionMark(day, action, "<b>x</b>")
        for day, action in zip(days, ("BUY", "HOLD", "SELL", "NO_DECISION"), strict=True)
    ]
    drawn = decision_chart("A<", "USD", days, [10.0, float("nan"), 12.0, 11.0], marks, [False, True, True, False])
    assert "<b>" not in drawn
    assert drawn.count("<g><title>") == 4
    assert "1 BUY, 1 SELL, 1 HOLD, 1 NO_DECISION" in drawn
    assert "Held at 2 closes" in drawn
    trades = decision_chart(
        "Account", "USD", days, [10.0, 11.0, 12.0, 11.0], [marks[0], marks[2]], [True] * 4, counted=("Trades", TRADES)
    )
    assert "Trades: 1 with more bought than sold, 1 with more sold than bought." in trades
    assert "BUY" not in trades  # sessions of the account are no decisions
    assert reliability_chart([ReliabilityPoint(0.6, 0.5, 10)]).count("<g><title>") == 1


def test_the_page_begins_with_the_place_among_random_deciders(tested: tuple[Path, Backtest]):
    _, found = tested
    places = {"5": -0.04, "25": 0.01, "50": 0.02, "75": 0.03, "95": 0.08}
    deciders = RandomDeciders(draws=1000, percentile=0.624, p_value=0.376, total_return=0.026, quantiles=places,
                              turnover_ratio=1.01, exposure_ratio=0.99, different=1000, ledger_gap=0.0)  # fmt: skip
    page = to_html(backtest_document(replace(found, result=replace(found.result, random_deciders=deciders))))
    said = "That is better than 62 of 100 random deciders that trade about as much, on other tickers and days: luck"
    assert page.index(said) < page.index("Exhibit 1. The decisions among random deciders") < page.index("<th")
    assert "<dd>62 of 100 " in page
    assert page.index("<dt>Beyond Treasury bills</dt>") < page.index("<dt>Beyond the benchmark fund SPY</dt>")


def test_the_strip_of_random_deciders_holds_an_account_far_beyond_them():
    places = {"5": -0.04, "25": 0.01, "50": 0.02, "75": 0.03, "95": 0.08}
    inside, beyond = deciders_chart(places, 0.02), deciders_chart(places, 0.9, width=380)
    assert "90 of 100 from -4.0% to 8.0%; decisions 2.0%" in inside
    assert ">decisions 90.0%</text>" in beyond
    xs = [float(one) for one in re.findall(r'(?:[ML]|x=")(-?[0-9.]+)', beyond)]
    assert min(xs) >= 0
    assert max(xs) <= 380
    assert "nan" not in deciders_chart(dict.fromkeys(places, 0.0), 0.0)


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.policy = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        self.tags.append(tag)
        self.ids |= {value for name, value in attrs if name == "id" and value}
        self.links += [value for name, value in attrs if name in ("href", "src") and value]
        if known.get("http-equiv") == "Content-Security-Policy":
            self.policy = known["content"] or ""


def _hashes(found: Backtest) -> dict[str, str]:
    """Return a name for each hash, which changes with every prompt and setting."""
    names = {str(found.record["id"]): "BACKTEST-ID"}
    for number, decision in enumerate(found.decided.values(), 1):
        names |= {
            decision.key: f"KEY-{number}",
            decision.key[:12]: f"KEY-{number}",
            decision.content: f"CONTENT-{number}",
        }
    strategies = found.record["strategies"].values()
    for score in (*strategies, *(alone for one in strategies for alone in one["tickers"].values())):
        names[score["ledger"]] = "LEDGER"
    return names


def _renamed(text: str, names: dict[str, str]) -> str:
    for known, name in names.items():
        text = text.replace(known, name)
    return text


def _rounded(value: Any) -> Any:
    """Return JSON with numbers of six digits: the last ones may differ between machines."""
    if isinstance(value, dict):
        return {name: _rounded(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_rounded(one) for one in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def test_finished_backtests_are_listed_and_read_as_of_a_day(tested: tuple[Path, Backtest]):
    folder, found = tested
    settings = load_settings({"home": str(folder.parents[1]), "data_vendor": "simulated"}, environ={})
    artifacts = ArtifactStore(settings, environ={})
    kernel = Kernel(settings, artifacts=artifacts)
    (listed,) = kernel.ask("saved_backtests", {}, as_of="2024-12-20").backtests  # type: ignore[attr-defined]
    assert (listed.backtest, listed.tickers) == (folder.name, ("VELQ", "OMBZ"))
    assert listed.verdict == found.record["verdict"]
    assert listed.decisions_return == found.record["strategies"]["decisions"]["total_return"]
    answer = kernel.invoke("saved_backtests", {"backtest": folder.name[:24]}, as_of="2024-12-20")
    assert "The smallest edge that this test could have seen" in answer.markdown
    (page,) = answer.artifacts
    assert artifacts.content(page) == (folder / "report.html").read_bytes()
    assert kernel.ask("saved_backtests", {}, as_of="2024-12-19").backtests == ()  # type: ignore[attr-defined]
    with pytest.raises(NotFound, match="list them"):
        kernel.ask("saved_backtests", {"backtest": "2020"}, as_of="2024-12-20")
    artifacts.close()
