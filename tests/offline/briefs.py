"""Small briefs about a fictional company, made from figures as tools show them and from rows as analysts read them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from tradingagents.agents.roster import roster
from tradingagents.analytics.company.news import MarketDigest, NewsDigest, RankedArticle
from tradingagents.analytics.company.ttm import TTMAnalysis
from tradingagents.dataflows.reference.metrics import Figure, parse_number
from tradingagents.dataflows.results import Result
from tradingagents.offline.brief import Brief, OfflineRule, Plan, Spoken, Subject, ToolAnswer
from tradingagents.offline.readings import Reading, Row

DAY = date(2025, 3, 14)
NOON = datetime(2025, 3, 14, 12, tzinfo=UTC)
WEIGHTS = {"market_report": 0.40, "fundamentals_report": 0.35, "news_report": 0.15, "sentiment_report": 0.10}
VERDICT_TOOL = {"type": "function", "function": {"name": "Verdict", "parameters": {}}}
Tools = Mapping[str, Mapping[str, str]]

BULLISH: Tools = {
    "get_stock_data": {
        "last_close": "100.00 USD",
        "change_1m": "6.00%",
        "change_3m": "20.00%",
        "high_52w": "101.00 USD",
        "volatility_20d": "24.00%",
        "max_drawdown_1y": "-12.00%",
    },
    "get_indicators": {
        "close_50_sma": "95.00 USD",
        "close_200_sma": "85.00 USD",
        "close_10_ema": "98.50 USD",
        "macdh": "0.40 USD",
        "rsi": "61.00",
        "boll_ub": "104.00 USD",
        "boll_lb": "90.00 USD",
        "atr": "2.00 USD",
        "close": "100.00 USD",
    },
    "get_macro_regime": {"regime_score": "4", "vix": "14.50", "signal_breadth": "1"},
    "get_ttm_analysis": {
        "ttm_revenue": "40.00B USD",
        "ttm_net_income": "8.00B USD",
        "ttm_operating_cash_flow": "10.00B USD",
        "ttm_free_cash_flow": "8.00B USD",
        "operating_margin": "27.00%",
        "net_margin": "20.00%",
        "roe": "30.00%",
        "revenue_qoq": "4.00%",
        "revenue_yoy": "21.00%",
        "debt_to_equity": "0.40x",
    },
    "get_fundamentals": {"pe_ttm": "18.00x", "ps_ttm": "3.50x", "ev_ebitda": "12.00x", "fcf_yield": "5.00%"},
    "get_peer_comparison": {
        "alpha_1m": "2.00%",
        "alpha_3m": "9.00%",
        "alpha_6m": "12.00%",
        "rank_3m": "2",
        "peers": "9",
    },
}
BEARISH: Tools = {
    "get_stock_data": {
        "last_close": "100.00 USD",
        "change_1m": "-8.00%",
        "change_3m": "-22.00%",
        "high_52w": "150.00 USD",
        "volatility_20d": "44.00%",
        "max_drawdown_1y": "-34.00%",
    },
    "get_indicators": {
        "close_50_sma": "106.00 USD",
        "close_200_sma": "120.00 USD",
        "close_10_ema": "102.00 USD",
        "macdh": "-0.50 USD",
        "rsi": "38.00",
        "boll_ub": "112.00 USD",
        "boll_lb": "97.00 USD",
        "atr": "4.00 USD",
        "close": "100.00 USD",
    },
    "get_macro_regime": {"regime_score": "-2", "vix": "24.00", "signal_breadth": "-1"},
    "get_ttm_analysis": {
        "ttm_revenue": "40.00B USD",
        "ttm_net_income": "1.00B USD",
        "ttm_operating_cash_flow": "0.30B USD",
        "ttm_free_cash_flow": "-0.60B USD",
        "operating_margin": "3.00%",
        "net_margin": "2.50%",
        "roe": "4.00%",
        "revenue_qoq": "-5.00%",
        "revenue_yoy": "-9.00%",
        "debt_to_equity": "2.10x",
    },
    "get_fundamentals": {"pe_ttm": "48.00x", "ps_ttm": "9.00x", "ev_ebitda": "30.00x", "fcf_yield": "-0.50%"},
    "get_peer_comparison": {
        "alpha_1m": "-5.00%",
        "alpha_3m": "-14.00%",
        "alpha_6m": "-18.00%",
        "rank_3m": "8",
        "peers": "9",
    },
}


class Given(Result):
    """A result that shows the figures it is given."""

    given: tuple[Figure, ...] = ()

    @property
    def title(self) -> str:
        return "Example"

    def figures(self) -> tuple[Figure, ...]:
        return self.given


class GivenBooks(TTMAnalysis):
    """The trailing twelve months, with the figures it is given."""

    given: tuple[Figure, ...] = ()

    def figures(self) -> tuple[Figure, ...]:
        return self.given


def figure(name: str, text: str) -> Figure:
    """Return the figure that is shown like that."""
    parsed = parse_number(text)
    if parsed is None:
        return Figure(name, None)
    value, unit = parsed
    return Figure(name, value if "." in text else int(value), unit)


def result(figures: Mapping[str, str], *, trend: str = "", notes: Sequence[str] = ()) -> Result:
    """Return what a tool gives that shows these figures; with a margin trend, the trailing twelve months."""
    given = tuple(figure(name, text) for name, text in figures.items())
    known = {"as_of": DAY, "source": "example", "fetched_at": NOON, "given": given, "notes": tuple(notes)}
    if not trend:
        return Given(**known)
    kept = trend if trend in ("expanding", "contracting", "stable") else "insufficient"
    return GivenBooks.model_construct(**known, margin_trend={"operating": kept})


def article(title: str, age: int = 0, summary: str | None = None, relevance: float = 1.0, **more: Any) -> RankedArticle:
    """Return an article of some days ago."""
    known = {"publisher": "Example Wire", "day_only": False, "url": None, "symbol": None, "weak": False, "reason": ""}
    when = NOON - timedelta(days=age)
    return RankedArticle(title=title, published_at=when, summary=summary, relevance=relevance, **{**known, **more})


def digest(articles: Sequence[RankedArticle], kind: type[NewsDigest] = NewsDigest, **more: Any) -> NewsDigest:
    """Return what a news tool gives."""
    known = {"as_of": DAY, "source": "example", "fetched_at": NOON, "found": len(articles), "considered": len(articles)}
    return kind(articles=tuple(articles), **{**known, "symbol": "ZZZX", **more})


GOOD_NEWS = (
    article("Zzyzx Gadgets beats estimates and raises guidance", 0, "Profit surged on strong orders."),
    article("Zzyzx upgraded after robust growth", 1),
    article("Chip makers gain", 4, relevance=0.5),
)
BAD_NEWS = (
    article("Zzyzx Gadgets misses estimates and cuts guidance", 0, "Losses widen as orders slump."),
    article("Zzyzx downgraded after weak growth", 1),
    article("Chip makers fall", 4, relevance=0.5),
)


def subject(sector: str = "Industrials") -> Subject:
    return Subject("ZZZX", "Zzyzx Gadgets Inc.", sector, DAY, 100.0)


def rule_of(role: str) -> OfflineRule | None:
    """Return the rule that an agent declares."""
    return next((spec.offline for spec in roster().every if spec.name == role), None)


def asked(tool: str, given: Result | Exception, argument: str = "") -> ToolAnswer:
    """Return what a call of a tool gave; an exception stands for a call that failed."""
    if isinstance(given, Exception):
        return ToolAnswer(tool, None, str(given), argument)
    return ToolAnswer(tool, given, asked=argument)


def analyst(role: str, results: Mapping[str, Result | Exception], *, sector: str = "Industrials") -> Brief:
    """Return an analyst's brief."""
    given = tuple(asked(tool, one) for tool, one in results.items())
    return Brief(role, rule_of(role), subject(sector), results=given)


def market(tools: Tools) -> Brief:
    names = ("get_macro_regime", "get_stock_data", "get_indicators")
    return analyst("Market Analyst", {name: result(tools[name]) for name in names})


def fundamentals(tools: Tools, trend: str = "expanding", *, sector: str = "Industrials") -> Brief:
    names = ("get_ttm_analysis", "get_fundamentals", "get_peer_comparison")
    given = {name: result(tools[name], trend=trend if name == "get_ttm_analysis" else "") for name in names}
    return analyst("Fundamentals Analyst", given, sector=sector)


def news(articles: Sequence[RankedArticle], *, role: str = "News Analyst") -> Brief:
    return analyst(role, {"get_news": digest(articles)})


def world(articles: Sequence[RankedArticle]) -> NewsDigest:
    return digest(articles, MarketDigest, symbol=None)


def rows(brief: Brief) -> tuple[Row, ...]:
    """Return the rows of the report that is written on a brief."""
    assert brief.reading is not None
    return brief.reading.rows


def written(brief: Brief) -> Reading:
    """Return what is read from a brief."""
    assert brief.reading is not None
    return brief.reading


def with_value(row: Row) -> Row:
    """Return a row with the value that it shows."""
    parsed = parse_number(row.shown)
    return row if parsed is None else replace(row, value=parsed[0], unit=parsed[1])


def report(rows: Sequence[Row], **more: Any) -> Reading:
    """Return what an analyst read into these rows; it counts by the report it is given as."""
    return Reading(tuple(map(with_value, rows)), "Words.", **more)


Change = Callable[[Brief], Brief]
"""Adds something to a brief."""


def human(
    role: str, *, reports: Mapping[str, Reading | str], extra: Sequence[Change] = (), sector: str = "Industrials"
) -> Brief:
    """Return the brief of an agent that reads reports; a text stands for a report that is not available."""
    found = {
        name: replace(one, weight=WEIGHTS.get(name, one.weight), regime=_regime(one))
        for name, one in reports.items()
        if isinstance(one, Reading)
    }
    missing = tuple(name for name, one in reports.items() if isinstance(one, str))
    brief = Brief(role, rule_of(role), subject(sector), readings=found, missing=missing)
    for change in extra:
        brief = change(brief)
    return brief


def _regime(reading: Reading) -> float | None:
    return next((row.value for row in reading.rows if row.metric == "regime_score"), reading.regime)


def debate(turns: Sequence[tuple[str, str]]) -> Change:
    return lambda brief: replace(brief, turns=tuple(Spoken(*turn) for turn in turns))


def lesson(text: str) -> Change:
    return lambda brief: replace(brief, lessons=(*brief.lessons, text))


def plan(name: str, action: str | None = None, **fields: Any) -> Change:
    return lambda brief: replace(brief, plans={**brief.plans, name: Plan(action, **fields)})
