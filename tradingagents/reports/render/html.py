"""A run as one self-contained HTML page: no script, no request to anywhere, readable on a phone and on paper."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from markupsafe import Markup

from tradingagents.dataflows.models import Prices
from tradingagents.reports import sections as outline
from tradingagents.reports.anchors import resolved, used_in
from tradingagents.reports.articles_read import article_groups
from tradingagents.reports.charts.price_chart import chart_css, overlays_for, price_chart
from tradingagents.reports.citation_marks import shown_in_html, tally, with_marks
from tradingagents.reports.decision_notes import beside_decision
from tradingagents.reports.earlier import EarlierDecision
from tradingagents.reports.model_text import as_html, first_words
from tradingagents.reports.render.page import render_page
from tradingagents.reports.stances import stances
from tradingagents.schemas.records import RunRecord

_PHONE_BARS, _PHONE_WIDTH = 60, 420
_REPORT_LEVEL, _TURN_LEVEL = 3, 4
"""Heading levels that reports and turns stand under, as in the templates."""


def render_html(
    record: RunRecord,
    prices: Prices | None,
    *,
    benchmark: Prices | None = None,
    earlier: Sequence[EarlierDecision] = (),
) -> str:
    """Render a run as a page.

    Whatever a model or a vendor wrote is escaped; the page's own policy forbids scripts and every load from outside,
    and allows only the two style sheets that we wrote, by their hashes.

    Args:
        record: The run; what it lacks is left out, and a partial run says so at the top.
        prices: Bars up to the trade date for the chart, enough before it for a 200-day average; None for no chart.
        benchmark: Bars of the benchmark over the same days, for a line to compare with; None for no line.
        earlier: Decisions on the same instrument for earlier days, the latest first.
    """
    decision = record["decision"]
    evidence = [item["source"] for item in decision["key_evidence"]] if decision else []
    used = used_in(record["reports"], evidence)
    record = with_marks(record)
    investment_plan, trading_plan, final_decision = outline.decision_texts()
    page = render_page(
        "report.html.j2",
        embedded=(chart_css(),),
        record=record,
        notice=outline.notice(record),
        degraded=beside_decision(record),
        terms=outline.terms(record["decision"], record["instrument"]) if record["decision"] else [],
        analysts=_written(record, *outline.analysts(), outline.market_scan()),
        investment_plan=_written(record, investment_plan),
        trader_plan=_written(record, trading_plan),
        final_text=_written(record, final_decision),
        research=outline.turns_of(record, "research"),
        risk=outline.turns_of(record, "risk"),
        lessons=[(agents, lesson, outline.lesson_origin(lesson)) for agents, lesson in outline.lessons(record)],
        read=article_groups(record),
        uses=outline.uses(record["usage"]),
        charts=_charts(record, prices, benchmark) if prices is not None else [],
        stances=stances(record["reports"]),
        earlier=earlier,
        tally=tally(record.get("grounding")),
    )
    return resolved(shown_in_html(page), used)


def prerender_report(text: str) -> None:
    """Render a report's Markdown ahead of the page it will stand in; `render_html` then finds it done."""
    as_html(text, under=_REPORT_LEVEL)


def prerender_turn(text: str) -> None:
    """Render a debate turn's Markdown ahead of the page it will stand in."""
    as_html(text, under=_TURN_LEVEL)
    first_words(text)


def _written(record: RunRecord, *sections: outline.Section) -> list[tuple[outline.Section, str]]:
    return outline.written(record["reports"], sections)


def _charts(record: RunRecord, prices: Prices, benchmark: Prices | None) -> list[tuple[str, Markup]]:
    """Draw the chart for wide screens and paper, and again with fewer bars for phones; the page shows one of them."""
    overlays, trade_date = overlays_for(prices), date.fromisoformat(record["trade_date"])
    decision = record["decision"]
    wide = price_chart(prices, decision=decision, trade_date=trade_date, overlays=overlays, benchmark=benchmark)
    narrow = price_chart(
        prices,
        decision=decision,
        trade_date=trade_date,
        overlays=overlays,
        benchmark=benchmark,
        bars=_PHONE_BARS,
        width=_PHONE_WIDTH,
        tips=False,
    )
    return [("wide", Markup(wide)), ("narrow", Markup(narrow))]  # noqa: S704 - the chart escapes its texts
