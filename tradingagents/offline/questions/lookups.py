"""Which tool answers a question for a figure or a state of the market, and the figures that answer it best."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tradingagents.retrieval.questions.reading import QuestionReading


@dataclass(frozen=True, slots=True)
class Lookup:
    """A tool that answers, and the figures that answer best."""

    tool: str
    label: str
    """What is asked for, in words."""
    figures: tuple[str, ...] = ()
    """Shown first; empty: all."""
    of_company: bool = True
    instead: Lookup | None = None
    """What answers in part where the tool is not offered."""


PRICE = Lookup("market_snapshot", "price", ("price", "change_1d", "change_1w", "change_1m", "high_52w", "low_52w"))
_RISK = Lookup(
    "risk_profile",
    "risk",
    ("volatility_20d", "volatility_252d", "beta", "current_drawdown", "drawdown_1", "var_95_1d"),
)
_RESULTS = Lookup("earnings", "earnings", ("eps_reported", "eps_estimate", "eps_surprise", "eps_yoy", "revenue"))
_BUSINESS = Lookup("company_info", "market cap", ("market_cap", "price", "share_count"))
_PEERS = Lookup(
    "get_peer_comparison", "peers", ("return_1m", "return_3m", "rank_3m", "peers", "alpha_3m"), instead=_BUSINESS
)
_ECONOMY = Lookup("macro_focus", "macro", of_company=False)
_REGIME = Lookup("market_regime", "regime", of_company=False)
_STATEMENTS = Lookup(
    "financials",
    "balance sheet",
    ("revenue", "operating_income", "net_income", "total_assets", "total_liabilities", "shareholders_equity"),
)
_SCREENS = Lookup(
    "fundamental_screen",
    "screens",
    ("piotroski_f_score", "beneish_m_score", "dupont_roe", "graham_number", "magic_formula_rank"),
)
_PROFIT = Lookup("get_ttm_analysis", "profit", ("ttm_net_income", "net_margin", "ttm_revenue"))
_MARGINS = Lookup("get_ttm_analysis", "margin", ("gross_margin", "operating_margin", "net_margin"))
_CASH = Lookup("get_ttm_analysis", "free cash flow", ("ttm_free_cash_flow", "ttm_operating_cash_flow"))
_DEBT = Lookup("get_ttm_analysis", "debt", ("total_debt", "debt_to_equity", "equity"))

BY_MEASURE: Mapping[str, Lookup] = {
    "fear_greed": Lookup("fear_greed", "fear and greed", of_company=False),
    "breadth": Lookup("market_breadth", "breadth", of_company=False),
    "regime": _REGIME,
    "economy": _ECONOMY,
    "equity_risk_premium": Lookup("sp500_dcf", "equity risk premium", of_company=False),
    "watchlist": Lookup("watchlist", "watch list", of_company=False),
    **dict.fromkeys(("risk", "volatility", "value_at_risk", "current_drawdown"), _RISK),
    "beta": Lookup("beta_estimate", "beta"),
    "pe": Lookup("trailing_forward_pe", "p/e", ("pe_ttm", "eps_ttm", "earnings_yield", "price")),
    "bubble": Lookup("lppl_analysis", "bubble"),
    **dict.fromkeys(("piotroski", "altman", "beneish", "dupont", "graham_number"), _SCREENS),
    "peers": _PEERS,
    **dict.fromkeys(("earnings", "estimates_beaten"), _RESULTS),
    "profit": _PROFIT,
    "margins": _MARGINS,
    "leverage": _DEBT,
    "statements": _STATEMENTS,
    "market_cap": _BUSINESS,
    "chart": Lookup("open_chart", "chart"),
    **dict.fromkeys(("close", "momentum", "total_return"), PRICE),
}
"""By the measures of `retrieval/questions/names.yaml`."""
BY_FIGURE: Mapping[str, Lookup] = {
    "revenue": Lookup("get_ttm_analysis", "revenue", ("ttm_revenue", "revenue_yoy", "revenue_qoq")),
    "net_income": _PROFIT,
    **dict.fromkeys(("gross_margin", "operating_margin", "net_margin"), _MARGINS),
    **dict.fromkeys(("free_cash_flow", "operating_cash_flow"), _CASH),
    **dict.fromkeys(("total_debt", "long_term_debt", "short_term_debt"), _DEBT),
    "eps_diluted": _RESULTS,
}
"""By the items and metrics of statements; every other one stands in the statements."""
BY_KIND: Mapping[str, Lookup] = {
    "price": PRICE,
    "risk": _RISK,
    "results": _RESULTS,
    "business": _BUSINESS,
    "peers": _PEERS,
    "economy": _ECONOMY,
    "market": _REGIME,
    "calendar": Lookup("calendar_events", "calendar", of_company=False),
    "largest": Lookup("top_companies", "largest companies", of_company=False),
}
"""By the kinds of `retrieval/questions/phrasings.yaml`."""


def lookup_of(reading: QuestionReading) -> tuple[Lookup | None, int]:
    """Return what answers a question, and the length of the name that says so; 0 where its kind says so.

    The longest name decides; where it is a figure of statements and a measure alike, the measure does.
    """
    measure = next((each for each in reading.measures if each.key in BY_MEASURE), None)
    figure = reading.figure
    if figure.expression and (measure is None or len(figure.name) > len(measure.words)):
        key = figure.metric.key if figure.metric is not None else figure.expression
        return BY_FIGURE.get(key, _STATEMENTS), len(figure.name)
    if measure is not None:
        return BY_MEASURE[measure.key], len(measure.words)
    return BY_KIND.get(reading.kind), 0
