"""Measures that questions ask for: which tool gives them, and for which days it can; their names are in `retrieval`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

FUNDAMENTALS = "get_fundamentals"
"""The capability that gives every ratio."""
Days = Literal["none", "day", "window", "half_year"]
"""Which days a tool takes: none but the run's, one day, a window of days; half_year: always the last six months."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure, and the tool that gives it."""

    label: str
    tool: str
    figures: tuple[str, ...]
    """The first is the one asked for."""
    days: Days = "none"
    framework: str = ""
    """Argument of `fundamental_screen`."""


def _ratio(label: str, name: str) -> Measure:
    return Measure(label, FUNDAMENTALS, (name,), "day")


def _screen(label: str, name: str, framework: str) -> Measure:
    return Measure(label, "fundamental_screen", (name,), framework=framework)


def _price(label: str, name: str) -> Measure:
    return Measure(label, "get_price_change", (name,), "window")


def _insider(label: str, name: str) -> Measure:
    return Measure(label, "get_insider_transactions", (name, "buys", "sells", "net_value"), "half_year")


MEASURES: Mapping[str, Measure] = {
    "insider_purchases": _insider("insider purchases", "buys"),
    "insider_sales": _insider("insider sales", "sells"),
    "insiders": _insider("net insider buying", "net_value"),
    "number_of_articles": Measure("articles in the source", "get_news", ("articles_in_source",), "window"),
    "articles": Measure("articles", "get_news", ("articles",), "window"),
    "piotroski": _screen("Piotroski F-score", "piotroski_f_score", "piotroski_f"),
    "altman": _screen("Altman Z-score", "altman_z_score", "altman_z"),
    "beneish": _screen("Beneish M-score", "beneish_m_score", "beneish_m"),
    "graham_number": _screen("Graham number", "graham_number", "graham_number"),
    "dupont": _screen("return on equity by DuPont", "dupont_roe", "dupont"),
    "pe": _ratio("P/E ratio", "pe_ttm"),
    "ps": _ratio("P/S ratio", "ps_ttm"),
    "pb": _ratio("P/B ratio", "pb"),
    "peg": _ratio("PEG ratio", "peg"),
    "ev_ebitda": _ratio("EV/EBITDA", "ev_ebitda"),
    "market_cap": _ratio("market cap", "market_cap"),
    "eps_ttm": _ratio("12-month EPS", "eps_ttm"),
    "dividend_yield": _ratio("dividend yield", "dividend_yield"),
    "fcf_yield": _ratio("free cash flow yield", "fcf_yield"),
    "high_52w": _ratio("52-week high", "high_52w"),
    "low_52w": _ratio("52-week low", "low_52w"),
    "sma_200": _ratio("200-day average", "sma_200"),
    "sma_50": _ratio("50-day average", "sma_50"),
    "beta": _ratio("beta", "beta"),
    "highest_close": _price("highest close", "highest_close"),
    "lowest_close": _price("lowest close", "lowest_close"),
    "average_close": _price("average close", "average_close"),
    "price_change": _price("price change", "price_change"),
    "total_return": _price("total return", "total_return"),
    "close": _price("close", "last_close"),
    "estimates_beaten": Measure(
        "estimates beaten",
        "earnings",
        ("estimates_beaten", "estimates_compared", "eps_surprise", "eps_reported", "eps_estimate"),
    ),
    "volatility": Measure("252-day volatility", "risk_profile", ("volatility_252d", "volatility_20d")),
    "value_at_risk": Measure("1-day value at risk at 95%", "risk_profile", ("var_95_1d",)),
    "current_drawdown": Measure("current drawdown", "risk_profile", ("current_drawdown",)),
    "rsi": Measure("RSI", "market_snapshot", ("rsi",)),
    "value_per_share": Measure("value per share", "valuation", ("value_per_share", "price", "upside")),
}
"""By the measures of `retrieval/questions/names.yaml`."""
CASH_HELD, CASH_FIGURE = "cash and cash equivalents", "cash_and_cash_equivalents"
"""The item of cash as `get_statement_figure` takes it, and the figure of its answer."""
STATEMENT_TOOL, FILINGS_TOOL = "get_statement_figure", "answer_from_filings"
MARGINS = ("gross margin", "operating margin", "net margin")


@dataclass(frozen=True, slots=True)
class RatioAspect:
    """A ratio of a company."""

    figure: str
    """Its name in the answer of `get_fundamentals`."""
    more_leads: bool
    """Whether more of it is ahead: a multiple of the price is better where it is low."""
    of_peers: bool = True
    """Whether `get_peer_multiples` holds the middle of the peers."""


RATIOS: Mapping[str, RatioAspect] = {
    "pe": RatioAspect("pe_ttm", more_leads=False),
    "pb": RatioAspect("pb", more_leads=False),
    "ps": RatioAspect("ps_ttm", more_leads=False),
    "peg": RatioAspect("peg", more_leads=False, of_peers=False),
    "ev_ebitda": RatioAspect("ev_ebitda", more_leads=False),
    "fcf_yield": RatioAspect("fcf_yield", more_leads=True),
    "dividend_yield": RatioAspect("dividend_yield", more_leads=True, of_peers=False),
    "market_cap": RatioAspect("market_cap", more_leads=True, of_peers=False),
    "roa": RatioAspect("roa", more_leads=True, of_peers=False),
    "current_ratio": RatioAspect("current_ratio", more_leads=True, of_peers=False),
}
"""By the aspects of `retrieval/questions/aspects.yaml`; `pe` is a P/E against those of peers or of earlier years.

A `dividend_yield` is one of a day behind: that of the day stands among the dividends."""
COMPARED_WITH = frozenset({"peers", "history"})
"""What a ratio is set against where a question asks for more than the figure."""
PRICE_TO_EARNINGS = frozenset(
    {
        *("p e", "pe", "pes", "pe ratio", "p e ratio", "p e ratios", "trailing pe", "price to earnings"),
        *("price earnings", "price to earnings ratio", "earnings multiple", "kgv", "kgvs", "kgv's", "市盈率", "本益比"),
        *("kurs gewinn verhältnis", "市盈率多少"),
    }
)
"""Words for a valuation that name the P/E itself."""
