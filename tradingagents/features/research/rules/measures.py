"""Measures that questions ask for, by their words: which tool gives them, and for which days it can."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tradingagents.offline.questions.vocabulary import SMALL_WORDS

Days = Literal["none", "day", "window", "half_year"]
"""Which days a tool takes: none but the run's, one day, a window of days; half_year: always the last six months."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure, the words that ask for it, and the tool that gives it."""

    label: str
    words: tuple[str, ...]
    tool: str
    figures: tuple[str, ...]
    """The first is the one asked for."""
    days: Days = "none"
    framework: str = ""
    """Argument of `fundamental_screen`."""


def _ratio(label: str, name: str, *words: str) -> Measure:
    return Measure(label, words, "get_fundamentals", (name,), "day")


def _screen(label: str, name: str, framework: str, *words: str) -> Measure:
    return Measure(label, words, "fundamental_screen", (name,), framework=framework)


def _price(label: str, name: str, *words: str) -> Measure:
    return Measure(label, words, "get_price_change", (name,), "window")


def _insider(label: str, name: str, *words: str) -> Measure:
    return Measure(label, words, "get_insider_transactions", (name, "buys", "sells", "net_value"), "half_year")


MEASURES: tuple[Measure, ...] = (
    _insider(
        "insider purchases",
        "buys",
        "insiders bought",
        "insiders buy",
        "insider purchases",
        "insider buys",
        "insider buying",
    ),
    _insider(
        "insider sales", "sells", "insiders sold", "insiders sell", "insider sales", "insider sells", "insider selling"
    ),
    _insider(
        "net insider buying", "net_value", "net insider", "insiders on balance", "insiders net", "insiders", "insider"
    ),
    Measure(
        "articles in the source",
        ("how many articles", "how many news", "how many headlines", "number of articles", "number of headlines"),
        "get_news",
        ("articles_in_source",),
        "window",
    ),
    Measure("articles", ("news articles", "news", "headlines"), "get_news", ("articles",), "window"),
    _screen("Piotroski F-score", "piotroski_f_score", "piotroski_f", "piotroski", "f-score", "f score"),
    _screen("Altman Z-score", "altman_z_score", "altman_z", "altman", "z-score", "z score"),
    _screen("Beneish M-score", "beneish_m_score", "beneish_m", "beneish", "m-score", "m score"),
    _screen("Graham number", "graham_number", "graham_number", "graham number"),
    _screen("return on equity by DuPont", "dupont_roe", "dupont", "dupont", "du pont"),
    _ratio(
        "P/E ratio",
        "pe_ttm",
        "p/e",
        "pe ratio",
        "price to earnings",
        "price-to-earnings",
        "price-earnings",
        "earnings multiple",
        "pe of",
        "trailing pe",
    ),
    _ratio("P/S ratio", "ps_ttm", "p/s", "price to sales", "price-to-sales", "ps ratio", "sales multiple"),
    _ratio("P/B ratio", "pb", "p/b", "price to book", "price-to-book", "pb ratio"),
    _ratio("PEG ratio", "peg", "peg ratio", "peg"),
    _ratio("EV/EBITDA", "ev_ebitda", "ev/ebitda", "ev to ebitda", "enterprise value to ebitda"),
    _ratio(
        "market cap",
        "market_cap",
        "market cap",
        "market capitalisation",
        "market capitalization",
        "market value",
        "worth on the market",
    ),
    _ratio(
        "12-month EPS",
        "eps_ttm",
        "trailing eps",
        "eps over the last twelve months",
        "trailing earnings per share",
        "12-month eps",
    ),
    _ratio("dividend yield", "dividend_yield", "dividend yield"),
    _ratio("free cash flow yield", "fcf_yield", "free cash flow yield", "fcf yield"),
    _ratio("52-week high", "high_52w", "52-week high", "52 week high"),
    _ratio("52-week low", "low_52w", "52-week low", "52 week low"),
    _ratio("200-day average", "sma_200", "200-day average", "200-day moving average", "200 day moving average"),
    _ratio("50-day average", "sma_50", "50-day average", "50-day moving average", "50 day moving average"),
    _ratio("beta", "beta", "beta"),
    _price(
        "highest close",
        "highest_close",
        "highest close",
        "highest closing price",
        "highest price",
        "peak close",
        "high point",
    ),
    _price("lowest close", "lowest_close", "lowest close", "lowest closing price", "lowest price", "low point"),
    _price("average close", "average_close", "average close", "average closing price", "average price", "mean close"),
    _price(
        "price change",
        "price_change",
        "price change",
        "share price change",
        "stock price change",
        "price move",
        "price moved",
        "price rise",
        "price fall",
        "price risen",
        "price fallen",
        "price gone up",
        "without dividends",
    ),
    _price(
        "total return",
        "total_return",
        "total return",
        "return",
        "returned",
        "perform",
        "performed",
        "performance",
        "gain",
        "gained",
        "did shareholders earn",
    ),
    _price(
        "close",
        "last_close",
        "close",
        "closed",
        "finish",
        "finished",
        "ended the day",
        "close at",
        "closing price",
        "price",
        "share price",
        "stock price",
        "trading at",
        "trade at",
        "quote",
        "cost",
    ),
    Measure(
        "estimates beaten",
        ("beat", "beaten", "estimates", "surprise", "against estimates"),
        "earnings",
        ("estimates_beaten", "estimates_compared", "eps_surprise", "eps_reported", "eps_estimate"),
    ),
    Measure("252-day volatility", ("volatility", "volatile"), "risk_profile", ("volatility_252d", "volatility_20d")),
    Measure("1-day value at risk at 95%", ("value at risk", "var at 95"), "risk_profile", ("var_95_1d",)),
    Measure("current drawdown", ("drawdown", "below its high"), "risk_profile", ("current_drawdown",)),
    Measure("RSI", ("rsi", "relative strength index"), "market_snapshot", ("rsi",)),
    Measure(
        "value per share",
        ("dcf", "discounted cash flow", "fair value", "intrinsic value", "model's value"),
        "valuation",
        ("value_per_share", "price", "upside"),
    ),
)
"""Of those whose words stand in a question the longest word decides, then the order."""
STATEMENT_TOOL, FILINGS_TOOL = "get_statement_figure", "answer_from_filings"
MARGINS = ("gross margin", "operating margin", "net margin")
ALL_MARGINS = ("margins", "profit margins", "profitability")
IN_FILINGS = ("10-k", "10-q", "8-k", "filing", "filings", "annual report", "quarterly report", "as filed", "sec report")
UNKNOWN_TOPICS = (
    *("segment", "segments", "by region", "by country", "per employee", "employees", "headcount", "ceo", "cfo"),
    *("chief executive", "founder", "founded", "headquarters", "auditor", "customers", "subscribers", "market share"),
    *("target price", "price target", "analyst rating", "rating of", "short interest", "options", "implied volatility"),
    *("credit rating", "esg", "patents", "backlog", "same-store", "guidance", "store count", "dividend policy"),
)
"""What no rule has a figure for: such a question is not answered with a figure of another name."""
AHEAD = (
    "will ",
    "next year",
    "next quarter",
    "next fiscal",
    "forecast",
    "expected to",
    "going to",
    "predict",
    "tomorrow",
)
"""What speaks of a time after the day of the question."""
HIGHEST = (
    "highest",
    "higher",
    "largest",
    "larger",
    "most",
    "best",
    "biggest",
    "greater",
    "greatest",
    "more expensive",
    "fastest",
    "faster",
    "strongest",
    "more",
)
LOWEST = (
    "lowest",
    "lower",
    "smallest",
    "smaller",
    "least",
    "cheapest",
    "cheaper",
    "worst",
    "less",
    "weakest",
    "slowest",
)
AT_LEAST = (
    "at least",
    "above",
    "more than",
    "over",
    "greater than",
    "exceeds",
    "exceed",
    "higher than",
    "no less than",
)
AT_MOST = ("at most", "below", "less than", "under", "lower than", "no more than")
INCLUSIVE = ("at least", "at most", "no less than", "no more than")

_OTHER_WORDS = """
fast grow grew grown growing fiscal year years quarter twelve months month week weeks days last latest average rise rose
risen fall fell fallen increase increased decrease decreased change changed over under since until according report
reported reports much many how did does has had have been shareholders earn earned buy bought sell sold insiders
insider largest smallest dividends without with ending ended ends annual quarterly trailing compound rate per cent
expensive cheap profitable profitability strong weak healthy risky volatile closing closed traded session sessions
article articles headlines number count calendar january february march april may june july august september october
november december q1 q2 q3 q4 fy cagr eps ebitda ceo cfo roe roa fcf capex dcf ttm ytd pe ps pb peg ev
please tell give show name state answer question far long high low big small its their any all both each every
first second third fourth
"""
FIGURE_WORDS = frozenset(_OTHER_WORDS.split()) | frozenset(
    part for one in MEASURES for word in one.words for part in (*word.replace("-", " ").split(), *word.split())
)
"""Words of questions for figures, which name no company."""


def is_period_or_figure(word: str) -> bool:
    """Tell whether a word in capitals is a period or a figure, such as `FY2024`, `Q3` or `CAGR`, and no ticker."""
    lower = word.lower()
    fiscal = lower.startswith("fy") and lower[2:].isdigit()
    return fiscal or lower in FIGURE_WORDS or lower in ("h1", "h2", "a", "i")


def capital_runs(text: str) -> list[str]:
    """Return the runs of words of a text that are written with a capital, without words of figures and questions."""
    runs: list[list[str]] = [[]]
    for raw in text.replace("\u2019", "'").split():
        word = raw.strip("?!.,;:()[]\"'").removesuffix("'s")
        if (word in ("&", "of", "and") and runs[-1]) or (
            word[:1].isupper() and not is_period_or_figure(word) and (runs[-1] or word.lower() not in SMALL_WORDS)
        ):
            runs[-1].append(word)
        else:
            runs.append([])
        if raw[-1:] in ",;?!:":
            runs.append([])
    return [name for run in runs for name in _names_in(run)]


def _names_in(run: Sequence[str]) -> list[str]:
    """Return the names of a run of words: `Procter & Gamble and Boeing of` are two."""
    names, words = [], list(run)
    while words and words[-1] in ("&", "of", "and"):
        words.pop()
    at = [number for number, word in enumerate(words) if word == "and"]
    begin = 0
    for number in (*at, len(words)):
        names.append(" ".join(words[begin:number]))
        begin = number + 1
    return [name for name in names if name]


def runs_without_figures(name: str) -> list[str]:
    """Return the runs of words of a possible name, without words of figures."""
    runs: list[list[str]] = [[]]
    for word in name.split():
        if word.lower() in FIGURE_WORDS:
            runs.append([])
        else:
            runs[-1].append(word)
    return [" ".join(run) for run in runs if run]
