"""The rules of the market and fundamentals analysts in one table: figure, tool, weight, function.

A rule is applied to the figures its tools showed. Where one it needs is not known there is no score, and the figure is
named as a gap.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from tradingagents.offline import scores
from tradingagents.offline.readings import Row, Shown, shown_row
from tradingagents.offline.scores import Score

Figures = Mapping[str, Mapping[str, Shown]]
"""Figures by tool, then by name."""

Gap = tuple[str, str]
"""A figure that is not known, and the tool that would show it."""

CLOSE = "get_indicators.close|get_stock_data.last_close"
"""The close to compare with: the one beside the indicators, else the last bar's."""
_PE = ((8.0, 0.6), (15.0, 0.3), (25.0, 0.0), (40.0, -0.5), (60.0, -0.8))
_PS = ((1.0, 0.4), (4.0, 0.0), (10.0, -0.4), (20.0, -0.8))
_EV = ((6.0, 0.5), (15.0, 0.0), (25.0, -0.5), (40.0, -0.8))
_PEG = ((0.5, 0.6), (1.5, 0.0), (2.5, -0.4), (4.0, -0.7))


@dataclass(frozen=True, slots=True)
class Rule:
    """How one figure is scored."""

    metric: str
    tool: str
    topic: str
    """The paragraph of the report that it belongs to."""
    weight: float
    score: Callable[..., Score]
    """Takes the metric's value, then one value for each of `needs`."""
    needs: tuple[str, ...] = ()
    """Further figures as `tool.name`; `a|b` takes the first known, a trailing `?` passes None where it is not known."""
    optional: bool = False
    """Not asked of every tool call: its absence is no gap."""
    also: str | None = None
    """Another tool that shows the same figure, read where the first does not."""
    not_for: frozenset[str] = frozenset()
    """Sectors, in lower case, in which the figure means something else."""

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools that may show the figure."""
        return (self.tool, self.also) if self.also else (self.tool,)


@dataclass(frozen=True, slots=True)
class Applied:
    """What a set of rules gave on a set of figures."""

    rows: tuple[tuple[Rule, Row], ...]
    gaps: tuple[Gap, ...]
    """Figures that are not known, each once."""


_FINANCIAL = frozenset({"financials", "financial services", "real estate", "utilities"})
"""Sectors that live on borrowed money: debt over equity does not compare."""

MARKET = (
    Rule("close_200_sma", "get_indicators", "Trend", 1.4, partial(scores.over_average, full=0.15,
         name="200-day average"), (CLOSE,)),
    Rule("close_50_sma", "get_indicators", "Trend", 1.0, partial(scores.over_average, full=0.08, name="50-day average"),
         (CLOSE,)),
    Rule("close_10_ema", "get_indicators", "Trend", 0.5, partial(scores.over_average, full=0.04,
         name="10-day exponential average"), (CLOSE,)),
    Rule("vwma", "get_indicators", "Trend", 0.3, partial(scores.over_average, full=0.05,
         name="volume-weighted average"), (CLOSE,), optional=True),
    Rule("high_52w", "get_stock_data", "Trend", 0.4, scores.near_high, (CLOSE,)),
    Rule("change_1m", "get_stock_data", "Momentum", 0.6, partial(scores.change, full=12, name="a month")),
    Rule("change_3m", "get_stock_data", "Momentum", 0.8, partial(scores.change, full=25, name="three months")),
    Rule("rsi", "get_indicators", "Momentum", 0.7, partial(scores.oscillator, name="RSI")),
    Rule("mfi", "get_indicators", "Momentum", 0.3, partial(scores.oscillator, name="money flow"),
         optional=True),
    Rule("macdh", "get_indicators", "Momentum", 0.6, scores.macd_histogram, (CLOSE, "get_indicators.atr?")),
    Rule("boll_ub", "get_indicators", "Momentum", 0.3, scores.band_position, ("get_indicators.boll_lb", CLOSE)),
    Rule("atr", "get_indicators", "Risk", 0.3, scores.average_range, (CLOSE,)),
    Rule("volatility_20d", "get_stock_data", "Risk", 0.4, scores.volatility),
    Rule("max_drawdown_1y", "get_stock_data", "Risk", 0.3, scores.drawdown),
    Rule("regime_score", "get_macro_regime", "Risk", 0.8, scores.regime),
    Rule("vix", "get_macro_regime", "Risk", 0.2, scores.fear),
)  # fmt: skip

FUNDAMENTALS = (
    Rule("revenue_yoy", "get_ttm_analysis", "Growth and margins", 1.2,
         partial(scores.growth, neutral=scores.USUAL_GROWTH, full=25, name="revenue")),
    Rule("operating_margin", "get_ttm_analysis", "Growth and margins", 0.8,
         partial(scores.level, neutral=scores.USUAL_MARGIN, full=32, name="operating margin")),
    Rule("net_margin", "get_ttm_analysis", "Growth and margins", 0.3,
         partial(scores.level, neutral=8, full=28, name="net margin")),
    Rule("roe", "get_ttm_analysis", "Growth and margins", 0.4,
         partial(scores.level, neutral=12, full=36, name="return on equity")),
    Rule("ttm_free_cash_flow", "get_ttm_analysis", "Cash and debt", 0.6, scores.cash_margin,
         ("get_ttm_analysis.ttm_revenue",)),
    Rule("ttm_operating_cash_flow", "get_ttm_analysis", "Cash and debt", 0.3, scores.conversion,
         ("get_ttm_analysis.ttm_net_income",), not_for=_FINANCIAL),
    Rule("debt_to_equity", "get_ttm_analysis", "Cash and debt", 0.5, scores.leverage,
         not_for=_FINANCIAL),
    Rule("current_ratio", "get_fundamentals", "Cash and debt", 0.2,
         partial(scores.level, neutral=1.1, full=2.6, name="current ratio"), not_for=_FINANCIAL),
    Rule("pe_ttm", "get_fundamentals", "Valuation", 0.7, partial(scores.multiple, points=_PE, name="P/E ratio")),
    Rule("ps_ttm", "get_fundamentals", "Valuation", 0.3, partial(scores.multiple, points=_PS, name="P/S ratio")),
    Rule("ev_ebitda", "get_fundamentals", "Valuation", 0.3,
         partial(scores.multiple, points=_EV, name="EV/EBITDA"),
         not_for=_FINANCIAL),
    Rule("peg", "get_fundamentals", "Valuation", 0.3, partial(scores.multiple, points=_PEG, name="PEG ratio"),
         optional=True),
    Rule("fcf_yield", "get_fundamentals", "Valuation", 0.5,
         partial(scores.level, neutral=3, full=8, name="free cash flow yield")),
    Rule("upside", "valuation", "Valuation", 0.4, scores.upside, optional=True),
    Rule("piotroski_f_score", "fundamental_screen", "Cash and debt", 0.4, scores.piotroski, optional=True),
    Rule("alpha_1m", "get_peer_comparison", "Against peers", 0.3, partial(scores.alpha, full=8, name="a month"),
         also="get_sector_relative"),
    Rule("alpha_3m", "get_peer_comparison", "Against peers", 0.7, partial(scores.alpha, full=15, name="three months"),
         also="get_sector_relative"),
    Rule("alpha_6m", "get_peer_comparison", "Against peers", 0.5, partial(scores.alpha, full=25, name="six months"),
         also="get_sector_relative"),
    Rule("rank_3m", "get_peer_comparison", "Against peers", 0.4, scores.rank, ("get_peer_comparison.peers",)),
)  # fmt: skip

MARGIN_TREND_WEIGHT = 0.6
ARTICLES_WEIGHT = 1.0
GLOBAL_WEIGHT = 0.3
INSIDER_WEIGHT = 0.5
CHANGE_WEIGHT = 0.5
ATTENTION_WEIGHT = 0.3
POSTS_WEIGHT = 0.3
OTHER_WEIGHT = 0.5
"""What a reading counts that no rule of ours made: a language model's own row."""

RULES: Mapping[tuple[str, str], Rule] = {
    (tool, rule.metric): rule for rule in (*MARKET, *FUNDAMENTALS) for tool in rule.tools
}
GROUPS: Mapping[str, tuple[str, ...]] = {
    "price trend": (
        "close_200_sma",
        "close_50_sma",
        "close_10_ema",
        "vwma",
        "high_52w",
        "change_1m",
        "change_3m",
        "rsi",
        "mfi",
        "macdh",
        "boll_ub",
    ),
    "volatility": ("atr", "volatility_20d", "max_drawdown_1y"),
    "market regime": ("regime_score", "vix"),
    "growth": ("revenue_yoy",),
    "profitability": ("operating_margin", "net_margin", "roe", "margin_trend"),
    "cash and debt": (
        "ttm_free_cash_flow",
        "ttm_operating_cash_flow",
        "debt_to_equity",
        "current_ratio",
        "piotroski_f_score",
    ),
    "valuation": ("pe_ttm", "ps_ttm", "ev_ebitda", "peg", "fcf_yield", "upside"),
    "strength against peers": ("alpha_1m", "alpha_3m", "alpha_6m", "rank_3m"),
    "company news": ("get_news.articles", "tone_change", "attention", "tone_dispersion"),
    "world news": ("get_global_news.articles",),
    "insider trades": ("net_value",),
    "social posts": ("bullish_share",),
}
"""Independent groups of evidence: the readings of one group tell of one thing, such as the trend of the price.

Averages and momentum are one group: over recorded weeks their scores correlate by 0.88, no other two by more than 0.66.
"""
_GROUP_OF = {metric: group for group, metrics in GROUPS.items() for metric in metrics}
WEIGHTS: Mapping[tuple[str, str], float] = {key: rule.weight for key, rule in RULES.items()} | {
    ("get_ttm_analysis", "margin_trend"): MARGIN_TREND_WEIGHT,
    ("get_news", "articles"): ARTICLES_WEIGHT,
    ("get_news", "tone_change"): CHANGE_WEIGHT,
    ("get_news", "attention"): ATTENTION_WEIGHT,
    ("get_news", "tone_dispersion"): 0.0,
    ("get_social_sentiment", "bullish_share"): POSTS_WEIGHT,
    ("get_global_news", "articles"): GLOBAL_WEIGHT,
    ("get_insider_transactions", "net_value"): INSIDER_WEIGHT,
    ("get_market_movers", "movers_skew"): OTHER_WEIGHT,
}
"""Weight of a reading within its report, by source and metric."""
SINGLE_STOCKS = frozenset({"get_market_movers", "get_industry_performance"})
"""Tools of a scan that tell of single stocks: what one of them did says nothing about the market and weighs nothing."""


def group_of(row: Row) -> str:
    """Return the group of evidence that a row belongs to; empty for a reading that no rule of ours made."""
    if (row.source, row.metric) not in WEIGHTS:
        return ""
    return _GROUP_OF.get(row.metric) or _GROUP_OF.get(f"{row.source}.{row.metric}", "")


def weight_of(row: Row) -> float:
    """Return what a row counts within its report."""
    return WEIGHTS.get((row.source, row.metric), 0.0 if row.source in SINGLE_STOCKS else OTHER_WEIGHT)


def overall(rows: Sequence[Row]) -> float | None:
    """Return the weighted mean of the scores, -1 to 1; None where nothing counts."""
    total = sum(weight_of(row) for row in rows)
    return sum(weight_of(row) * row.score for row in rows) / total if total else None


def apply(rules: Sequence[Rule], figures: Figures, sector: str | None) -> Applied:
    """Score the figures by the rules, in the rules' order."""
    rows: list[tuple[Rule, Row]] = []
    gaps: dict[Gap, None] = {}
    for rule in rules:
        if (sector or "").lower() in rule.not_for:
            continue
        tool = next((tool for tool in rule.tools if rule.metric in figures.get(tool, {})), None)
        if tool is None:
            if not rule.optional:
                gaps[rule.metric, rule.tool] = None
            continue
        needed = [(need, _find(need, figures)) for need in rule.needs]
        lacking = [need for need, value in needed if value is None and not need.endswith("?")]
        if lacking:
            gaps.update({_gap(need): None for need in lacking})
            continue
        shown = figures[tool][rule.metric]
        score = rule.score(shown.value, *(value for _, value in needed))
        if rule.metric == "rank_3m":  # a place says nothing without how many there are
            peers = _shown(rule.needs[0], figures)
            shown = replace(shown, text=f"{shown.text} of {peers.text}") if peers else shown
        rows.append((rule, shown_row(rule.metric, shown, score.value, score.words, tool)))
    return Applied(tuple(rows), tuple(gaps))


def _find(need: str, figures: Figures) -> float | None:
    shown = _shown(need, figures)
    return shown.value if shown is not None else None


def _shown(need: str, figures: Figures) -> Shown | None:
    for path in need.rstrip("?").split("|"):
        tool, _, name = path.partition(".")
        shown = figures.get(tool, {}).get(name)
        if shown is not None:
            return shown
    return None


def _gap(need: str) -> Gap:
    tool, _, name = need.split("|")[0].partition(".")
    return name, tool
