"""Readable names of figures: `close_200_sma` is "200-day average", `AAPL_change_1d` is "AAPL 1-day change".

Tools, the data sheet and JSON use the short names; reports, pages and the offline analysts use these labels. Labels are
written as inside a sentence: in lower case, except for proper names and abbreviations.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from tradingagents.analytics.market.scanned import figure_name
from tradingagents.dataflows.reference.sectors import DISPLAY, INDICES

LABELS: Mapping[str, str] = {
    # price and trading
    "price": "price",
    "close": "close",
    "last_close": "last close",
    "first_close": "first close",
    "price_change": "price change",
    "highest_price": "highest price",
    "lowest_price": "lowest price",
    "total_return": "total return",
    "highest_close": "highest close",
    "lowest_close": "lowest close",
    "average_close": "average close",
    "sessions": "sessions",
    "change_1d": "1-day change",
    "change_1w": "1-week change",
    "change_1m": "1-month change",
    "change_3m": "3-month change",
    "high_52w": "52-week high",
    "low_52w": "52-week low",
    "avg_volume_20d": "20-day average volume",
    "volatility_20d": "20-day volatility",
    "max_drawdown_1y": "largest fall of the past year",
    "beta": "beta",
    # what a company guided to
    "guidance_compared": "guided figures that were reported on since",
    "guidance_beat": "guided figures that were beaten",
    "guidance_met": "guided figures that were met",
    "guidance_missed": "guided figures that were missed",
    # what the reader holds
    "book_value": "value of your book",
    "book_change_1d": "1-day change of your book",
    "holdings_held": "instruments held",
    "book_volatility": "volatility of your book",
    "book_beta": "beta of your book",
    "book_drawdown": "largest fall of your book",
    "book_worst_month": "worst month of your book",
    "rebalance_turnover": "part of your book that is traded",
    "cash_after_orders": "cash after the orders",
    "effective_holdings": "equal holdings that would be as concentrated",
    # indicators
    "close_10_ema": "10-day exponential average",
    "close_50_sma": "50-day average",
    "close_200_sma": "200-day average",
    "sma_50": "50-day average",
    "sma_200": "200-day average",
    "vwma": "volume-weighted average",
    "macd": "MACD",
    "macds": "MACD signal line",
    "macdh": "MACD histogram",
    "rsi": "RSI",
    "mfi": "money flow index",
    "boll": "Bollinger middle band",
    "boll_ub": "upper Bollinger band",
    "boll_lb": "lower Bollinger band",
    "atr": "average true range",
    "obv": "on-balance volume",
    # market regime
    "regime_score": "market regime score",
    "vix": "VIX",
    "signal_vix_level": "VIX level signal",
    "signal_vix_trend": "VIX trend signal",
    "signal_credit": "credit signal",
    "signal_yield_curve": "yield curve signal",
    "signal_breadth": "market breadth signal",
    "signal_rotation": "sector rotation signal",
    # of a market scan
    "indices_up": "stock indices up",
    "sectors_up": "sectors up",
    "movers_skew": "gainers against losers",
    "cyclical_less_defensive": "cyclical less defensive sectors",
    # against the sector
    "return_1w": "1-week return",
    "return_1m": "1-month return",
    "return_3m": "3-month return",
    "return_6m": "6-month return",
    "return_ytd": "year-to-date return",
    "stock_1w": "1-week return of the stock",
    "stock_1m": "1-month return of the stock",
    "stock_3m": "3-month return of the stock",
    "stock_6m": "6-month return of the stock",
    "stock_ytd": "year-to-date return of the stock",
    "etf_1w": "1-week return of the sector fund",
    "etf_1m": "1-month return of the sector fund",
    "etf_3m": "3-month return of the sector fund",
    "etf_6m": "6-month return of the sector fund",
    "etf_ytd": "year-to-date return of the sector fund",
    "alpha_1w": "1-week return against the sector",
    "alpha_1m": "1-month return against the sector",
    "alpha_3m": "3-month return against the sector",
    "alpha_6m": "6-month return against the sector",
    "alpha_ytd": "year-to-date return against the sector",
    "rank_3m": "3-month rank among peers",
    "peers": "companies compared",
    "peer_median_pe_ttm": "median P/E of the peers",
    "peer_median_ps_ttm": "median P/S of the peers",
    "peer_median_pb": "median P/B of the peers",
    "peer_median_ev_ebitda": "median EV/EBITDA of the peers",
    "peer_median_fcf_yield": "median free cash flow yield of the peers",
    # books over twelve months
    "ttm_revenue": "12-month revenue",
    "ttm_gross_profit": "12-month gross profit",
    "ttm_operating_income": "12-month operating income",
    "ttm_ebitda": "12-month EBITDA",
    "ttm_net_income": "12-month net income",
    "ttm_operating_cash_flow": "12-month operating cash flow",
    "ttm_free_cash_flow": "12-month free cash flow",
    "gross_margin": "gross margin",
    "operating_margin": "operating margin",
    "net_margin": "net margin",
    "margin_trend": "margin trend",
    "roe": "return on equity",
    "roa": "return on assets",
    "revenue_qoq": "quarter-on-quarter revenue growth",
    "revenue_yoy": "year-on-year revenue growth",
    "debt_to_equity": "debt to equity",
    "current_ratio": "current ratio",
    # valuation
    "market_cap": "market cap",
    "pe_ttm": "P/E ratio",
    "ps_ttm": "P/S ratio",
    "pb": "P/B ratio",
    "peg": "PEG ratio",
    "ev_ebitda": "EV/EBITDA",
    "eps_ttm": "12-month EPS",
    "fcf_yield": "free cash flow yield",
    "dividend_yield": "dividend yield",
    "dividends_12m": "dividends of twelve months",
    "payout_ratio": "payout of earnings",
    "dividend_last": "last dividend",
    "dividend_before": "dividend before it",
    "dividend_yoy": "year-on-year dividend growth",
    "pe_fy": "P/E on a past fiscal year",
    "ps_fy": "P/S on a past fiscal year",
    "peg_fy": "PEG on past fiscal years",
    "ev_ebitda_fy": "EV/EBITDA on a past fiscal year",
    "eps_fy": "EPS of a past fiscal year",
    "fcf_yield_fy": "free cash flow yield on a past fiscal year",
    "forward_pe": "forward P/E",
    "forward_eps": "forward EPS",
    # what a company is worth
    "value_per_share": "value per share",
    "upside": "value over price",
    "terminal_share": "part of the value after the forecast",
    "beta_regression": "regression beta",
    "beta_error": "standard error of the regression beta",
    "beta_peers": "mean beta of peers",
    "beta_weight": "weight of the company's own beta",
    "beta_used": "beta of the cost of equity",
    "wacc": "cost of capital",
    "cost_of_equity": "cost of equity",
    "equity_weight": "weight of equity in the cost of capital",
    "grid_lowest": "lowest value of the grid",
    "grid_highest": "highest value of the grid",
    "implied_growth_years_1_to_5": "growth of years 1 to 5 that the price implies",
    "implied_return_on_equity": "return on equity that the price implies",
    "implied_dividend_growth": "dividend growth that the price implies",
    "implied_wacc": "cost of capital that the price implies",
    "implied_stable_growth": "terminal growth that the price implies",
    "implied_sales_growth": "sales growth that the price implies",
    "implied_oper_margin": "margin that the price implies",
    "implied_sales_to_capital": "sales to capital that the price implies",
    "implied_stable_roic": "terminal return on capital that the price implies",
    "price_at_ev_ebitda": "price at the peers' median EV/EBITDA",
    "price_at_ev_sales": "price at the peers' median EV to sales",
    "price_at_pe": "price at the peers' median P/E",
    "price_at_pb": "price at the peers' median P/B",
    "price_at_p_fcf": "price at the peers' median price to free cash flow",
    "level": "level of the index",
    "payout_yield": "payout yield of the index",
    "implied_return": "return that the index implies",
    "risk_free": "risk-free rate",
    "implied_equity_premium": "equity risk premium that the index implies",
    "published_equity_premium": "published equity risk premium",
    # income statement
    "revenue": "revenue",
    "cost_of_revenue": "cost of revenue",
    "gross_profit": "gross profit",
    "research_and_development": "research and development",
    "selling_general_administrative": "selling and administrative expenses",
    "operating_expenses": "operating expenses",
    "operating_income": "operating income",
    "depreciation_and_amortization": "depreciation and amortization",
    "ebitda": "EBITDA",
    "interest_expense": "interest expense",
    "pretax_income": "pretax income",
    "income_tax": "income tax",
    "net_income": "net income",
    "eps_basic": "basic EPS",
    "eps_diluted": "diluted EPS",
    "shares_basic": "basic shares",
    "shares_diluted": "diluted shares",
    # balance sheet
    "cash": "cash",
    "cash_and_equivalents": "cash and equivalents",
    "receivables": "receivables",
    "inventory": "inventory",
    "current_assets": "current assets",
    "fixed_assets": "fixed assets",
    "total_assets": "total assets",
    "accounts_payable": "accounts payable",
    "short_term_debt": "short-term debt",
    "current_liabilities": "current liabilities",
    "long_term_debt": "long-term debt",
    "total_debt": "total debt",
    "filed_cash": "cash and short-term investments as filed",
    "filed_long_term_investments": "long-term marketable securities as filed",
    "filed_debt": "debt as filed",
    "filed_revenue": "revenue of the fiscal year as filed",
    "filed_gross_profit": "gross profit of the fiscal year as filed",
    "filed_operating_income": "operating income of the fiscal year as filed",
    "filed_net_income": "net income of the fiscal year as filed",
    "filed_operating_cash_flow": "operating cash flow of the fiscal year as filed",
    "filed_capital_expenditure": "capital expenditure of the fiscal year as filed",
    "filed_dividends_paid": "dividends of the fiscal year as filed",
    "filed_share_repurchases": "buy-backs of the fiscal year as filed",
    "total_liabilities": "total liabilities",
    "equity": "equity",
    "shareholders_equity": "shareholders' equity",
    # cash flow
    "operating_cash_flow": "operating cash flow",
    "capital_expenditure": "capital expenditure",
    "free_cash_flow": "free cash flow",
    "investing_cash_flow": "investing cash flow",
    "financing_cash_flow": "financing cash flow",
    "dividends_paid": "dividends paid",
    "share_repurchases": "share repurchases",
    "net_change_in_cash": "net change in cash",
    # news, posts, insiders, filings
    "articles": "articles",
    "weak_matches": "articles that match weakly",
    "articles_in_source": "articles in the source",
    "tone_change": "change in tone",
    "tone_dispersion": "spread of tone",
    "attention": "news attention",
    "posts": "posts",
    "bullish": "bullish posts",
    "bearish": "bearish posts",
    "tagged": "tagged posts",
    "untagged": "posts without a tag",
    "bullish_share": "bullish share of tagged posts",
    "buys": "insider purchases",
    "sells": "insider sales",
    "buy_value": "value of insider purchases",
    "sell_value": "value of insider sales",
    "net_value": "net insider buying",
    "net_shares": "net shares bought by insiders",
    "filings": "filings",
    # texts of filings and calls
    "pages": "pages",
    "characters": "characters",
    "tables": "tables",
    "passages": "passages found",
    "documents": "documents searched",
    "computed_value": "value computed from the filings",
    # what an investor holds
    "total_value": "total value of the holdings",
    "total_value_quarter_before": "total value of the holdings a quarter before",
    "positions": "positions",
    "positions_new": "new positions",
    "positions_added": "positions added to",
    "positions_reduced": "positions reduced",
    "positions_unchanged": "unchanged positions",
    "positions_sold_out": "positions sold out",
    "top_ten_share": "share of the ten largest positions",
    "option_rows": "rows of options",
    # screens of the books
    "piotroski_f_score": "Piotroski F-score",
    "f_return_on_assets": "F-score signal: return on assets",
    "f_operating_cash_flow": "F-score signal: operating cash flow",
    "f_change_in_return_on_assets": "F-score signal: change in return on assets",
    "f_accruals": "F-score signal: accruals",
    "f_change_in_leverage": "F-score signal: change in leverage",
    "f_change_in_liquidity": "F-score signal: change in liquidity",
    "f_no_share_issue": "F-score signal: no share issue",
    "f_change_in_gross_margin": "F-score signal: change in gross margin",
    "f_change_in_asset_turnover": "F-score signal: change in asset turnover",
    "altman_z_score": "Altman Z-score",
    "z_x1": "Altman X1, working capital over assets",
    "z_x2": "Altman X2, retained earnings over assets",
    "z_x3": "Altman X3, operating income over assets",
    "z_x4": "Altman X4, equity over liabilities",
    "z_x5": "Altman X5, revenue over assets",
    "beneish_m_score": "Beneish M-score",
    "m_dsri": "Beneish index of receivables",
    "m_gmi": "Beneish index of margin",
    "m_aqi": "Beneish index of asset quality",
    "m_sgi": "Beneish index of sales growth",
    "m_depi": "Beneish index of depreciation",
    "m_sgai": "Beneish index of overhead",
    "m_tata": "Beneish accruals over assets",
    "m_lvgi": "Beneish index of leverage",
    "dupont_roe": "DuPont return on equity",
    "dupont_net_margin": "DuPont net margin",
    "dupont_asset_turnover": "DuPont asset turnover",
    "dupont_equity_multiplier": "DuPont equity multiplier",
    "dupont_tax_burden": "DuPont tax burden",
    "dupont_interest_burden": "DuPont interest burden",
    "dupont_operating_margin": "DuPont operating margin",
    "graham_number": "Graham number",
    "magic_formula_rank": "magic formula rank",
    "magic_earnings_yield": "magic formula earnings yield",
    "magic_return_on_capital": "magic formula return on capital",
    "earnings_yield": "earnings yield",
    "expected_eps_growth": "expected EPS growth",
    # risk
    "volatility_252d": "252-day volatility",
    "downside_deviation_252d": "252-day downside deviation",
    "var_95_1d": "1-day value at risk at 95%",
    "var_99_1d": "1-day value at risk at 99%",
    "expected_shortfall_95_1d": "1-day expected shortfall at 95%",
    "expected_shortfall_99_1d": "1-day expected shortfall at 99%",
    "worst_day": "worst day",
    "skewness": "skewness of returns",
    "excess_kurtosis": "excess kurtosis of returns",
    "current_drawdown": "current drawdown",
    "mean_dollar_volume_20d": "20-day average dollar volume",
    "amihud_illiquidity": "Amihud illiquidity",
    "drawdown_1": "deepest drawdown",
    "drawdown_2": "second deepest drawdown",
    "drawdown_3": "third deepest drawdown",
    "beta_adjusted": "adjusted beta",
    "beta_daily": "beta of daily returns",
    "beta_daily_error": "standard error of the beta of daily returns",
    "beta_daily_r_squared": "R² of the beta of daily returns",
    "beta_daily_returns": "number of daily returns of the beta",
    "beta_weekly": "beta of weekly returns",
    "beta_weekly_error": "standard error of the beta of weekly returns",
    "beta_weekly_r_squared": "R² of the beta of weekly returns",
    "beta_weekly_returns": "number of weekly returns of the beta",
    # the market at hand
    "breadth_stocks": "stocks at hand",
    "breadth_advancing": "advancing stocks",
    "breadth_declining": "declining stocks",
    "breadth_advancing_pct": "share of advancing stocks",
    "breadth_above_50_sma": "share of stocks above their 50-day average",
    "breadth_above_200_sma": "share of stocks above their 200-day average",
    "breadth_new_highs": "stocks at a high of the past year",
    "breadth_new_lows": "stocks at a low of the past year",
    "breadth_median_return_1m": "1-month return of the median stock",
    "fear_greed_score": "fear and greed score",
    "fear_greed_momentum": "fear and greed: momentum",
    "fear_greed_volatility": "fear and greed: volatility",
    "fear_greed_credit": "fear and greed: credit",
    "fear_greed_safe_haven": "fear and greed: safe haven",
    "fear_greed_breadth": "fear and greed: breadth",
    "factor_alpha": "alpha against the factors",
    "factor_alpha_t": "t value of the alpha against the factors",
    "factor_r_squared": "R² of the factors",
    "factor_observations": "days of the factor regression",
    "return_252d": "252-day return",
    "session_volume": "volume of the session",
    "share_count": "share count",
    "eps_reported": "reported EPS",
    "candidates": "candidates found",
    "conditions": "conditions on figures",
    "conditions_met": "conditions that were met",
    "figures_checked": "figures checked",
    "figures_wrong": "figures that do not match",
    "figures_matched": "figures that match",
    "figures_not_checkable": "figures that cannot be checked",
    "eps_surprise": "EPS against the estimate",
    "eps_yoy": "year-on-year EPS growth",
    "next_eps_estimate": "estimated EPS of the next results",
    "estimates_beaten": "estimates beaten",
    "estimates_compared": "results with an estimate",
    "calendar_results": "company results in the calendar",
    "calendar_releases": "economic releases in the calendar",
    "lppl_positive_confidence": "LPPL confidence of a positive bubble",
    "lppl_negative_confidence": "LPPL confidence of a negative bubble",
    "lppl_windows": "LPPL windows fitted",
    "lppl_median_r_squared": "median R² of the LPPL fits",
}
"""Labels of figures, and of scores that the offline analysts derive from several figures."""

SERIES: Mapping[str, str] = {
    "CPIAUCSL": "consumer price index",
    "CPI_YOY": "consumer price inflation",
    "CPILFESL": "core consumer price index",
    "PCEPI": "PCE price index",
    "PCEPILFE": "core PCE price index",
    "PPIFIS": "producer price index",
    "T10YIE": "10-year breakeven inflation",
    "UNRATE": "unemployment rate",
    "PAYEMS": "nonfarm payrolls",
    "PAYROLLS": "monthly change in payrolls",
    "ICSA": "initial jobless claims",
    "JTSJOL": "job openings",
    "GDP": "nominal GDP",
    "GDPC1": "real GDP",
    "A191RL1Q225SBEA": "real GDP growth",
    "INDPRO": "industrial production",
    "RSAFS": "retail sales",
    "HOUST": "housing starts",
    "UMCSENT": "consumer sentiment",
    "FEDFUNDS": "federal funds rate",
    "DFEDTARU": "federal funds target",
    "DGS3MO": "3-month Treasury yield",
    "DGS2": "2-year Treasury yield",
    "DGS10": "10-year Treasury yield",
    "DGS30": "30-year Treasury yield",
    "DFII10": "10-year real yield",
    "T10Y2Y": "10-year less 2-year Treasury yield",
    "T10Y3M": "10-year less 3-month Treasury yield",
    "BAMLH0A0HYM2": "high-yield credit spread",
    "BAMLC0A0CM": "investment-grade credit spread",
    "VIXCLS": "VIX",
    "M2SL": "M2 money supply",
    "WALCL": "Federal Reserve balance sheet",
    "DTWEXBGS": "trade-weighted dollar index",
    "DCOILWTICO": "WTI oil price",
    "MORTGAGE30US": "30-year mortgage rate",
}
"""Economic series by id: all ids of `dataflows.reference.macro_series` and of the simulated market."""

_PERIODS = {"1d": "1-day return", "1w": "1-week return", "1m": "1-month return", "ytd": "year-to-date return"}
_OF_A_SYMBOL = {
    **_PERIODS,
    "price": "price",
    "volume": "volume",
    "market_cap": "market cap",
    "weight": "weight in its sector",
    "eps_estimate": "estimated EPS",
    "eps": "EPS",
    "revenue": "revenue",
    "high_52w": "52-week high",
    "low_52w": "52-week low",
    "last": "level",
    "change_pct": "1-day change",
    "change_1d": "1-day change",
    "change_1w": "1-week change",
    "change_1m": "1-month change",
    "change_from_common_start": "change from the common start",
    "from_52w_high": "distance from the 52-week high",
    "change": "1-day change in points",
    "value": "value held",
    "share_of_portfolio": "share of the portfolio",
    "weight_in_book": "weight in your book",
    "gain_on_cost": "gain on what was paid",
    "days_to_results": "days to the next results",
    "share_of_risk": "share of the risk of your book",
    "wanted_weight": "wanted weight in your book",
    "shares": "shares held",
}
_OF_AN_INDUSTRY = {
    **_PERIODS,
    "companies": "companies",
    "advancing_pct": "share of advancing stocks",
    "above_50_sma": "share of stocks above their 50-day average",
    "above_200_sma": "share of stocks above their 200-day average",
}
_OF_A_FACTOR = {
    "return_1m": "1-month return",
    "return_3m": "3-month return",
    "return_1y": "return of the past year",
    "volatility": "volatility",
    "t": "t value",
    "stocks": "stocks sorted",
    "loading": "loading",
    "loading_error": "standard error of the loading",
    "loading_t": "t value of the loading",
}
_OF_A_SERIES = {
    "change_1y_pct": "change over a year in percent",
    "change_1y": "change over a year",
    "change_window_pct": "change over the window in percent",
    "change_window": "change over the window",
    "change_pct": "change in percent",
    "change": "change",
    "low": "lowest of the window",
    "high": "highest of the window",
    "previous": "previous value",
    "estimate": "estimate",
}
COUNTRY_CODE = 2
"""Length of the country code before the name of an economic release: `us_nonfarm_payrolls`."""
_SYMBOL = re.compile(rf"(\^?[A-Z0-9][A-Z0-9.=\-]*)_({'|'.join(_OF_A_SYMBOL)})")
_INDUSTRY = re.compile(rf"([a-z0-9_\-]+)_({'|'.join(_OF_AN_INDUSTRY)})")
_RELEASE = re.compile(rf"([a-z0-9_]+?)_({'|'.join(_OF_A_SERIES)})")
_FACTOR = re.compile(rf"factor_([a-z_]+?)_({'|'.join(_OF_A_FACTOR)})")
_FORM = re.compile(r"form_([a-z0-9_]+)")
_SERIES_BY_NAME = {figure_name(series): name for series, name in SERIES.items()}
_INDEX_CALLED = {name: symbol for symbol, name in INDICES.items()}
_SECTOR_CALLED = {name: key for key, name in DISPLAY.items()}
_NAMED = {label.lower(): name for name, label in reversed(list(LABELS.items()))}
_ABBREVIATIONS = frozenset(("us", "uk", "eu", "gdp", "cpi", "ppi", "pce", "pmi", "ism", "reit", "ecb", "boj"))


def metric_named(label: str) -> str | None:
    """Return the figure with a label; if several share it, the first of `LABELS`.

    Labels that name a company, an index or a sector are recognised too. None for an unknown label, and for those that
    name an industry or an economic series.
    """
    return _NAMED.get(label.strip().lower()) or _named_of_a_subject(label.strip())


def _named_of_a_subject(label: str) -> str | None:
    """Return the figure of a company, index or sector that a label names."""
    for figure, words in _OF_A_SYMBOL.items():
        subject = label.removesuffix(f" {words}")
        if subject == label or (figure == "change_pct" and subject not in _INDEX_CALLED):
            continue
        found = f"{_INDEX_CALLED.get(subject) or _SECTOR_CALLED.get(subject) or subject}_{figure}"
        if known_label(found) == label:
            return found
    return None


def metric_label(name: str) -> str:
    """Return the label of a figure, as written inside a sentence; unknown names are split into words.

    Args:
        name: As in a tool's result or the data sheet: `rsi`, `^GSPC_change_pct`, `technology_1m`, `unrate_change_1y`.

    Example:
        >>> metric_label("close_200_sma")
        '200-day average'
    """
    return known_label(name) or _words(name)


_OF_PERIOD = re.compile(r"(?P<item>[a-z_]+?)_(?:q(?P<quarter>[1-4])_)?fy(?P<year>\d{4})")
"""A line item of a fiscal year or quarter, such as `revenue_q1_fy2025`."""


@lru_cache(maxsize=4096)
def known_label(name: str) -> str | None:
    """Return the label of a figure; None if neither a table nor a pattern matches.

    Names that contain a company, sector, industry, index, economic series or form of filing are matched by pattern.
    """
    if name in LABELS:
        return LABELS[name]
    if name in _SERIES_BY_NAME:
        return _SERIES_BY_NAME[name]
    if found := _SYMBOL.fullmatch(name):
        symbol, of = found.groups()
        return f"{INDICES.get(symbol, symbol)} {_OF_A_SYMBOL[of]}"
    if found := _FACTOR.fullmatch(name):
        factor, of = found.groups()
        return f"{_words(factor)} factor, {_OF_A_FACTOR[of]}"
    if found := _FORM.fullmatch(name):
        return f"{_form(found.group(1))} filings"
    if found := _INDUSTRY.fullmatch(name):
        group, of = found.groups()
        return f"{DISPLAY.get(group) or _words(group)} {_OF_AN_INDUSTRY[of]}"
    if found := _RELEASE.fullmatch(name):
        series, of = found.groups()
        return f"{known_label(series) or _words(series)}, {_OF_A_SERIES[of]}"
    if (found := _OF_PERIOD.fullmatch(name)) and (item := known_label(found["item"])):
        quarter = f"Q{found['quarter']} " if found["quarter"] else ""
        return f"{item}, {quarter}FY{found['year']}"
    country, _, release = name.partition("_")
    return f"{country.upper()} {_words(release)}" if len(country) == COUNTRY_CODE and release else None


def _form(name: str) -> str:
    """Return a form in official notation: `10_k_a` gives 10-K/A, `s_1` S-1, `def_14a` DEF 14A."""
    parts = name.removesuffix("_a").upper().split("_")
    joint = "-" if len(parts[0]) == 1 or parts[0].isdigit() else " "
    return joint.join(parts) + ("/A" if name.endswith("_a") else "")


def _words(name: str) -> str:
    parts = re.sub(r"[_\-]+", " ", name).split()
    return " ".join(part.upper() if part in _ABBREVIATIONS else part for part in parts) or name
