"""What a notebook shows of results, decisions, runs and charts: small, escaped, no scripts, no outside requests."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tradingagents.agents.final_decision import FinalDecision
from tradingagents.agents.schemas import Decision
from tradingagents.capabilities.view import CurrentView
from tradingagents.features.filings_qa.run import FilingsAnswer
from tradingagents.files.notebook_html import LONGEST, line_svg, markdown_html
from tradingagents.graph.scan.run import ScanRun
from tradingagents.graph.trading.run import Run
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.schemas.scan_summary import Pick, ScanSummary
from tradingagents.service.kernel.ask import ask
from tradingagents.settings import load_settings

HOSTILE = (
    "<script>alert(1)</script> <img src=x onerror=alert(1)> [a](javascript:alert(1)) ![b](https://evil.example/p.png) "
    "\x1b[31m\u202e</td></div><svg/onload=alert(1)> `\"'>`"
)
DAY = date(2025, 3, 14)
VOID = {"br", "hr"}
ALLOWED = {
    *("div", "h1", "h2", "h3", "h4", "p", "ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td"),
    *("strong", "em", "code", "pre", "blockquote", "a", "hr", "br", "svg", "polyline", "text"),
}


class Checked(HTMLParser):
    """Checks each tag, and that tags are closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ALLOWED, tag
        for name, value in attrs:
            assert not name.startswith("on"), name
            assert name not in ("src", "srcset", "background", "xlink:href"), name
            assert name != "href" or (value or "").startswith(("http://", "https://")), value
            assert "url(" not in (value or "")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert tag in VOID or self.open.pop() == tag


def checked(shown: object) -> str:
    html = cast(Any, shown)._repr_html_()
    parser = Checked()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    assert not re.search("[\x00-\x08\x1b\u202e]", html)
    assert len(html) < 100_000
    return str(html)


def hostile_answer() -> FilingsAnswer:
    sources, cited = [SimpleNamespace(label="10K1", name=HOSTILE, text=HOSTILE)], ["10K1"]
    texts = dict.fromkeys(("run_id", "question", "answer", "as_of"), HOSTILE)
    record = SimpleNamespace(**texts, confidence=0.5, sources=sources, cited=cited)
    return FilingsAnswer(cast(Any, record), cast(Any, {}))


def hostile_scan() -> ScanRun:
    pick = Pick.model_construct(**dict.fromkeys(("ticker", "name", "sector", "conviction", "rationale"), HOSTILE))
    summary = ScanSummary.model_construct(executive_summary=HOSTILE, stocks_to_investigate=[pick])
    record = {"run_id": HOSTILE, "scan_date": HOSTILE, "paths": {}}
    return ScanRun(cast(Any, record), cast(Any, {}), cast(Any, summary))


def hostile_run() -> Run:
    decision = Decision(action="BUY", confidence=0.6, rationale=HOSTILE, plan=(HOSTILE,), dissent=HOSTILE)
    record = {"run_id": HOSTILE, "status": "done", "ticker": HOSTILE, "trade_date": HOSTILE, "paths": {"html": HOSTILE}}
    return Run(cast(Any, record), cast(Any, {}), decision)


@pytest.mark.parametrize(
    "shown",
    [
        CurrentView(
            as_of=DAY, source=HOSTILE, fetched_at=datetime.now(UTC), linked=True, page=HOSTILE, notes=(HOSTILE,)
        ),
        FinalDecision(hostile_run().decision),
        hostile_run(),
        hostile_scan(),
        hostile_answer(),
    ],
    ids=lambda shown: type(shown).__name__,
)
def test_text_of_others_stays_text(shown: object):
    html = checked(shown)
    assert "&lt;script&gt;" in html
    assert "evil.example" not in html or "<img" not in html


def test_a_run_and_its_decision_as_a_notebook_shows_them():
    config = {"llm_provider": "offline", "data_vendor": "simulated", "auto_settle": False}
    run = TradingAgentsGraph(config=config).run("VELQ", DAY.isoformat())
    html = checked(run)
    assert f"VELQ, 2025-03-14: {run.decision.action}" in html
    assert run.record["paths"]["html"] in html
    assert "Rationale:" in checked(FinalDecision(run.decision))


def test_results_and_charts_as_a_notebook_shows_them(tmp_path: Any):
    settings = load_settings({"data_vendor": "simulated", "home": str(tmp_path)}, environ={})
    prices = ask("market_snapshot", ticker="VELQ", as_of=DAY, settings=settings)
    assert "<table>" in checked(prices)
    chart = ask("open_chart", symbols="VELQ", as_of=DAY, settings=settings)
    html = checked(chart)
    assert html.startswith("<svg")
    assert "2025-03-14" in html
    assert len(html) < 30_000


def test_long_answers_are_cut_in_words():
    html = markdown_html("word " * LONGEST)
    assert "Cut here" in html
    assert len(html) < LONGEST + 500


def test_a_line_needs_two_values():
    days = [date(2025, 3, number) for number in range(1, 6)]
    assert line_svg(days, [None, 1.0, None, None, None], "x") == ""
    drawn = line_svg(days, [1.0, None, 1.0, 1.0, 3.0], "<b>")
    assert drawn.count(",") >= 4
    assert "&lt;b&gt;: 1.00 to 3.00" in drawn
