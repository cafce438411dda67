"""Which tools answer a question for a figure or a state of the market, and the figures that answer it best."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from tradingagents.retrieval.questions.names import (
    any_stands,
    filler_words,
    in_plain_letters,
    names_table,
    without_other_banks,
)
from tradingagents.retrieval.questions.plain_words import plain_words
from tradingagents.retrieval.questions.reading import QuestionReading
from tradingagents.retrieval.questions.wording import is_of_signs

INDUSTRY = "get_industry_performance"


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
    given: Mapping[str, Any] = field(default_factory=dict)
    """Arguments that the question gives, but for the company."""
    also: tuple[Lookup, ...] = ()
    """Further tools that are part of the answer."""

    @property
    def parts(self) -> tuple[Lookup, ...]:
        """The tools of the answer in their order."""
        return (self, *self.also)


PRICE = Lookup("market_snapshot", "price", ("price", "change_1d", "change_1w", "change_1m", "high_52w", "low_52w"))
TECHNICAL = Lookup("market_snapshot", "technical picture", ("rsi", "price", "sma_50", "sma_200", "high_52w", "low_52w"))
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
STATEMENTS = Lookup(
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
_INSIDERS = Lookup("get_insider_transactions", "insider trades")
NEWS = Lookup("get_news", "news")


def _movers(category: str, label: str) -> Lookup:
    return Lookup("get_market_movers", label, of_company=False, given={"category": category})


_GAINERS, _LOSERS = _movers("day_gainers", "gainers"), _movers("day_losers", "losers")
_SECTORS = Lookup("get_sector_performance", "sectors", of_company=False)
INDICES = Lookup("get_market_indices", "indices", of_company=False)
MARKET_DAY = Lookup("get_market_indices", "market of the day", of_company=False, also=(_SECTORS, _GAINERS, _LOSERS))
REPORT_DATE = Lookup("get_earnings_calendar", "date of the next results")
REPORTING = Lookup("get_earnings_calendar", "results that are due", of_company=False)

BY_MEASURE: Mapping[str, Lookup] = {
    "fear_greed": Lookup("fear_greed", "fear and greed", of_company=False),
    "breadth": Lookup("market_breadth", "breadth", of_company=False),
    "regime": _REGIME,
    "economy": _ECONOMY,
    "equity_risk_premium": Lookup("sp500_dcf", "equity risk premium", of_company=False),
    "watchlist": Lookup("watchlist", "watch list", of_company=False),
    **dict.fromkeys(("risk", "volatility", "value_at_risk", "current_drawdown"), _RISK),
    "beta": Lookup("beta_estimate", "beta", ("adjusted_beta", "beta_daily", "beta_weekly")),
    "pe": Lookup("trailing_forward_pe", "P/E ratio", ("pe_ttm", "eps_ttm", "earnings_yield", "price")),
    "bubble": Lookup("lppl_analysis", "bubble"),
    **dict.fromkeys(("piotroski", "altman", "beneish", "dupont", "graham_number"), _SCREENS),
    "peers": _PEERS,
    **dict.fromkeys(("earnings", "estimates_beaten"), _RESULTS),
    "profit": _PROFIT,
    "margins": _MARGINS,
    "leverage": _DEBT,
    "statements": STATEMENTS,
    "market_cap": _BUSINESS,
    "chart": Lookup("open_chart", "chart"),
    **dict.fromkeys(("close", "momentum", "total_return"), PRICE),
    **dict.fromkeys(("insiders", "insider_purchases", "insider_sales"), _INSIDERS),
    "articles": NEWS,
    **dict.fromkeys(("rsi", "sma_200", "sma_50", "high_52w", "low_52w"), TECHNICAL),
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
    "span": PRICE,
    "risk": _RISK,
    "results": _RESULTS,
    "business": _BUSINESS,
    "peers": _PEERS,
    "news": NEWS,
    "insiders": _INSIDERS,
    "technical": TECHNICAL,
    "report_date": REPORT_DATE,
    "filings": Lookup("search_filings", "filings"),
    "call": Lookup("search_transcripts", "earnings calls"),
    "economy": _ECONOMY,
    "market": _REGIME,
    "calendar": Lookup("calendar_events", "calendar", of_company=False),
    "reporting": REPORTING,
    "largest": Lookup("top_companies", "largest companies", of_company=False),
    "market_day": MARKET_DAY,
    "gainers": _GAINERS,
    "losers": _LOSERS,
    "actives": _movers("most_actives", "most active"),
    "sectors": _SECTORS,
    "watched": Lookup("watchlist", "watch list", of_company=False),
}
"""By the kinds of `retrieval/questions/phrasings.yaml`."""
BY_KIND_ALONE = frozenset(
    (
        *("market_day", "gainers", "losers", "actives", "sectors", "reporting", "report_date", "calendar", "watched"),
        *("insiders", "news", "filings", "call", "largest"),
    )
)
"""Kinds that say more of what is asked than the name of a measure in the question."""
_SERIES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "cpi_yoy": ("inflation", ("inflation", "cpi", "consumer prices", "prices still rising")),
    "unrate": ("jobs", ("unemployment", "jobless")),
    "dfedtaru": ("rates", ("fed funds", "federal funds", "policy rate", "key rate", "fed rate")),
    "dgs10": ("rates", ("10-year", "ten-year", "10 year", "10y", "treasury yield")),
    "t10y2y": ("rates", ("yield curve", "inverted")),
    "a191rl1q225sbea": ("growth", ("gdp", "economic growth")),
}
"""Views of the economy by the series that a question names."""


def lookup_of(reading: QuestionReading) -> tuple[Lookup | None, int]:
    """Return what answers a question, and the length of the name that says so; 0 where its kind says so.

    The longest name decides; where it is a figure of statements and a measure alike, the measure does.
    """
    if reading.kind in BY_KIND_ALONE:
        return BY_KIND[reading.kind], 0
    measure = next((each for each in reading.measures if each.key in BY_MEASURE), None)
    figure = reading.figure
    if figure.expression and (measure is None or len(figure.name) > len(measure.words)):
        key = figure.metric.key if figure.metric is not None else figure.expression
        return BY_FIGURE.get(key, STATEMENTS), len(figure.name)
    found, length = (BY_MEASURE[measure.key], len(measure.words)) if measure else (BY_KIND.get(reading.kind), 0)
    return (economy_of(reading), length) if found is _ECONOMY else (found, length)


def document_asked(reading: QuestionReading) -> Lookup | None:
    """Return what searches the documents in which a company speaks of something; None for any other question.

    `What does X say about supply?` is such a question, whatever the words of its topic are. What others say of a
    company, such as analysts, stands in no document of its own.
    """
    table = names_table()
    words = reading.plain.split()
    at = next((at for at, word in enumerate(words) if word in table["says"]), len(words))
    if (
        not {"what", "does", "do", "did"} & set(words[:at])
        or len(words) < at + 3
        or words[at + 1] not in table["about"]
    ):
        return None
    before = " ".join(words[:at])
    named = [plain_words(name) for name in (*table["filings"], *table["speakers"])]
    for name in sorted(named, key=len, reverse=True):
        before = f" {before} ".replace(f" {name} ", " ").strip()
    if not set(before.split()) <= filler_words():
        return None
    return BY_KIND["call" if any_stands(table["speakers"], " ".join(words[:at])) else "filings"]


def economy_of(reading: QuestionReading) -> Lookup:
    """Return the view of the economy with the series that a question names; all of the overview where it names none."""
    for series, (focus, words) in _SERIES.items():
        if any_stands(words, reading.said):
            figures = (series, f"{series}_change", f"{series}_change_1y")
            return Lookup("macro_focus", "macro", figures, of_company=False, given={"focus": focus})
    return Lookup("macro_focus", "macro", tuple(_SERIES), of_company=False, given={"focus": "overview"})


def index_named(reading: QuestionReading) -> str:
    """Return the index that a question names; empty for none."""
    return _of_table("indices", reading)


def indices_named(reading: QuestionReading) -> tuple[str, ...]:
    """Return all indices that a question names."""
    return tuple(
        key
        for key, names in names_table()["indices"].items()
        if any(_is_named(name, reading) for name in names)
        and (key == index_named(reading) or not _within(key, reading))
    )


def _within(index: str, reading: QuestionReading) -> bool:
    """Tell whether each name of an index that stands in a question is a part of the name that is meant there."""
    table = names_table()["indices"]
    longer = [name for name in table[index_named(reading)] if _is_named(name, reading)]
    own = [name for name in table[index] if _is_named(name, reading)]
    return all(any(name in other for other in longer) for name in own)


def sector_named(reading: QuestionReading) -> str:
    """Return the sector that a question names, by its own name or by that of an industry of it; empty for none."""
    industry = industry_named(reading)
    return str(names_table()["industries"][industry]["sector"]) if industry else _of_table("sectors", reading)


def industry_named(reading: QuestionReading) -> str:
    """Return the industry that a question names, a key of `industries` of `names.yaml`; empty for none."""
    said = without_other_banks(in_plain_letters(reading.without_companies))
    found = [
        (len(name), key)
        for key, industry in names_table()["industries"].items()
        for name in industry["names"]
        if (name in said if is_of_signs(name) else any_stands((name,), said))
    ]
    return max(found)[1] if found else ""


def other_market_named(reading: QuestionReading) -> str:
    """Return what a question names that is traded elsewhere, such as gold; empty for nothing."""
    names: list[str] = [] if industry_named(reading) == "gold_miners" else names_table()["other_markets"]
    return next((name for name in names if _is_named(name, reading)), "")


def _of_table(table: str, reading: QuestionReading) -> str:
    found = [
        (len(name), key) for key, names in names_table()[table].items() for name in names if _is_named(name, reading)
    ]
    return max(found)[1] if found else ""


def _is_named(name: str, reading: QuestionReading) -> bool:
    if not name.isascii():
        return name in reading.text
    of_companies = [
        each.written
        for each in reading.mentions
        if each.written.lower().startswith(f"{name} ") and not is_of_index(each.written, (name,), reading.text)
    ]
    if of_companies and f" {reading.said} ".count(f" {name} ") <= len(of_companies):
        return False  # `Dow Inc` names no index
    return any_stands((name,), reading.said) or any(f" {name}{of}" in f" {reading.said}" for of in _OF_ITS_STOCKS)


def is_of_index(written: str, indices: Collection[str], text: str) -> bool:
    """Tell whether a name is that of an index before its members, as in `which Dow stocks`, and of no company.

    Args:
        written: The name, as the question writes it.
        indices: Names of indices in small letters.
        text: The question.
    """
    first, _, rest = written.lower().partition(" ")
    if first not in indices or rest.rstrip("s") not in _MEMBER:
        return False
    before = text[: text.find(written)].lower().split()
    ranks = any(word.endswith("est") or word in _RANKS for word in before)
    return ranks or before[-1:] in (
        ["what"],
        ["any"],
        ["every"],
        ["all"],
    )


_RANKS = frozenset({"which", "worst", "welche", "most", "least", "top", "many", "viele", "beste", "average"})
_MEMBER = frozenset({"stock", "share", "component", "member", "aktie", "name"})


_OF_ITS_STOCKS = ("-aktie", "-werte", "-titel", "-stock", "-konzern", "-member", "-mitglied")
"""What is written onto the name of an index, as in `Dow-Aktien`."""


def of_sector(sector: str) -> Lookup:
    """Return what says how the companies of a sector did."""
    return Lookup(INDUSTRY, "companies of the sector", of_company=False, given={"sector_key": sector})
