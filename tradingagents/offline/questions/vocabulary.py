"""Words of questions about stocks, and the tools and figures that answer them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lookup:
    """A tool that answers words, and the figures that answer them best."""

    tool: str
    words: tuple[str, ...]
    figures: tuple[str, ...] = ()
    """Shown first; empty: all."""
    of_company: bool = True


LOOKUPS: tuple[Lookup, ...] = (
    Lookup("fear_greed", ("fear and greed", "fear & greed", "greed", "mood of the market"), of_company=False),
    Lookup("market_breadth", ("breadth", "advancing", "new highs"), of_company=False),
    Lookup("market_regime", ("regime", "risk-on", "risk on", "risk-off", "risk off"), of_company=False),
    Lookup(
        "macro_focus",
        ("macro", "economy", "economic", "inflation", "unemployment", "interest rate", "rates", "fed funds", "gdp"),
        of_company=False,
    ),
    Lookup("calendar_events", ("calendar", "what is due", "next week", "upcoming"), of_company=False),
    Lookup("top_companies", ("largest companies", "biggest companies", "top companies"), of_company=False),
    Lookup("sp500_dcf", ("equity risk premium", "s&p 500 worth", "market worth", "implied return"), of_company=False),
    Lookup("watchlist", ("watch list", "watchlist"), of_company=False),
    Lookup(
        "risk_profile",
        ("risk", "risky", "volatility", "volatile", "drawdown", "value at risk"),
        ("volatility_20d", "volatility_252d", "beta", "current_drawdown", "drawdown_1", "var_95_1d"),
    ),
    Lookup("beta_estimate", ("beta",)),
    Lookup(
        "trailing_forward_pe",
        ("p/e", "pe ratio", "price to earnings", "earnings multiple", "pe of"),
        ("pe_ttm", "eps_ttm", "earnings_yield", "price"),
    ),
    Lookup("lppl_analysis", ("bubble",)),
    Lookup(
        "fundamental_screen",
        ("piotroski", "altman", "beneish", "dupont", "graham number", "magic formula"),
        ("piotroski_f_score", "beneish_m_score", "dupont_roe", "graham_number", "magic_formula_rank"),
    ),
    Lookup(
        "get_peer_comparison",
        ("peers", "peer group", "against its sector", "relative strength"),
        ("return_1m", "return_3m", "rank_3m", "peers", "alpha_3m"),
    ),
    Lookup(
        "earnings",
        ("earnings", "eps", "results", "beat", "surprise"),
        ("eps_reported", "eps_estimate", "eps_surprise", "eps_yoy", "revenue"),
    ),
    Lookup("get_ttm_analysis", ("revenue", "sales", "turnover"), ("ttm_revenue", "revenue_yoy", "revenue_qoq")),
    Lookup("get_ttm_analysis", ("profit", "net income", "income"), ("ttm_net_income", "net_margin", "ttm_revenue")),
    Lookup(
        "get_ttm_analysis",
        ("margin", "margins", "operating margin", "gross margin", "net margin", "profit margin"),
        ("gross_margin", "operating_margin", "net_margin"),
    ),
    Lookup("get_ttm_analysis", ("free cash flow", "cash flow"), ("ttm_free_cash_flow", "ttm_operating_cash_flow")),
    Lookup("get_ttm_analysis", ("debt", "leverage", "indebted"), ("total_debt", "debt_to_equity", "equity")),
    Lookup(
        "financials",
        ("balance sheet", "statements", "financials", "income statement", "total assets"),
        ("revenue", "operating_income", "net_income", "total_assets", "total_liabilities", "shareholders_equity"),
    ),
    Lookup(
        "company_info",
        ("market cap", "market value", "sector", "industry", "what does", "who is", "company"),
        ("market_cap", "price", "share_count"),
    ),
    Lookup("open_chart", ("chart", "plot")),
    Lookup(
        "market_snapshot",
        ("trading at", "price", "quote", "trade at", "stand", "cost", "doing", "momentum"),
        ("price", "change_1d", "change_1w", "change_1m", "high_52w", "low_52w"),
    ),
)
"""In the order in which they are tried; of those whose words stand in a message, the longest word decides."""
_SMALL_WORDS = """
a an and are about above after all also am any as at be been before below between but by can could did do does
doing done each else ever few for from get give go going good had has have he her here him his how i if in
into is it its just last latest least less let lets like long look looking make many may me might mine month
months more most much my need new next no not now of off ok okay on once one only or other our out over own
per please put quarter quarterly right run same say see set shall she should show side since small so some
soon still stock stocks share shares such take talk tell than thank thanks that the their them then there
these they thing think this those through time to today tomorrow too two under until up us use used very view
want was way we week weeks well were what whats when where whether which while who whom why will with within
without worth would year years yes yet you your yours vs versus compare compared against decide decided
decision rather instead better best worse worst high low higher lower buy sell hold invest investment investor
trading trade traded find found ask answer question hello hi hey explain business company companies market
markets list current currently day days number figure figures data report start begin open analyse analyze
analysis study scan full value valuation fair cheap expensive undervalued overvalued interesting recommend
opinion bull bear case risk risky task tasks status progress running help wall street sector industry index
fund funds account accounts paper money dollars dollar usd percent percentage amount
"""
_NOT_TICKERS = """
A I AM AN AND ARE AS AT BE BY CAN DO FOR GO HAS HE IF IN IS IT ME MY NO OF OK ON OR SO THE TO UP US WE WHY WHO
YOU CEO CFO DCF EPS ETF EU EUR FCF FED FY GDP IPO LLM PE PEG QOQ RSI ROE ROA ROIC SEC TTM UK USA USD VAR VIX
YOY YTD WHAT WHEN WHERE SHOULD BUY SELL HOLD VS HOW NEWS HELP
"""
FILE_WORDS = ("pdf", "xlsx", "csv", "html", "excel", "workbook", "spreadsheet")
SMALL_WORDS = frozenset((*_SMALL_WORDS.split(), *FILE_WORDS))
"""Words that name no company."""
NOT_TICKERS = frozenset((*_NOT_TICKERS.split(), *(word.upper() for word in FILE_WORDS)))
"""Words in capitals that are no tickers."""
