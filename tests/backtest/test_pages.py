"""The page and the files of a small backtest: agreed files, and what must hold of them whatever they say."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from datetime import date
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tests.backtest.test_backtest import services_in
from tests.support.golden_files import assert_golden
from tradingagents.backtest.pages.charts import DecisionMark, ReliabilityPoint, decision_chart, reliability_chart
from tradingagents.backtest.report import write_backtest
from tradingagents.backtest.run import Backtest, BacktestRequest, backtest

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
    assert reliability_chart([ReliabilityPoint(0.6, 0.5, 10)]).count("<g><title>") == 1


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
    for number, one in enumerate(found.decided.values(), 1):
        names |= {one.key: f"KEY-{number}", one.key[:12]: f"KEY-{number}", one.content: f"CONTENT-{number}"}
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
