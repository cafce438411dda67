"""Which capabilities answer a question that is read word by word, by what it asks about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from tradingagents.offline.questions.conversation import ConversationBrief
from tradingagents.offline.questions.frames import MARKET, OF_COMPANY, QuestionFrame
from tradingagents.offline.questions.requests import MessageRequest

Call = tuple[str, Mapping[str, Any]]
MOST_RANKED = 40
"""Companies that are looked at for a ranked list."""
YEAR, QUARTER = timedelta(days=365), timedelta(days=92)
NEWS_DAYS, WHY_DAYS = timedelta(days=14), timedelta(days=30)
AHEAD, BEHIND = timedelta(days=60), timedelta(days=14)
REPORT_AHEAD = timedelta(days=90)
SNAPSHOT = "market_snapshot"
DETAILED = 5
"""Candidates whose multiple and risk are looked up."""
_FIXED: Mapping[str, tuple[str, ...]] = {
    "risk": ("risk_profile",),
    "beta": ("beta_estimate",),
    "rsi": (SNAPSHOT,),
    "averages": (SNAPSHOT,),
    "high": (SNAPSHOT,),
    "low": (SNAPSHOT,),
    "dividend": ("get_dividends",),
    "cash": ("get_ttm_analysis",),
    "profit": ("get_ttm_analysis",),
    "valuation": ("trailing_forward_pe", "get_peer_multiples", "valuation", "get_ttm_analysis", SNAPSHOT),
    "insiders": ("get_insider_transactions",),
    "results": ("earnings",),
    "profile": ("company_info",),
    "opinion": (SNAPSHOT, "trailing_forward_pe", "risk_profile"),
}
"""Capabilities that take a company alone."""


@dataclass(frozen=True, slots=True)
class ListOrder:
    """By what a list of companies is put in order."""

    capability: str
    figure: str
    most: bool
    """Whether the largest figure comes first."""


def ranking_of(frame: QuestionFrame) -> ListOrder:
    """Return by what a question orders companies; what it asks for (cheap, risky) says which end comes first."""
    asked = frame.asked
    most = "least" not in asked.asks
    rankings: Mapping[str, ListOrder] = {
        "dividend": ListOrder("get_dividends", "dividend_yield", most),
        "valuation": ListOrder("trailing_forward_pe", "pe_ttm", _is_dear(frame)),
        "margin": ListOrder("get_ttm_analysis", "net_margin", most),
        "growth": ListOrder("get_ttm_analysis", "revenue_yoy", most),
        "risk": ListOrder("risk_profile", "volatility_252d", most and not _asks_safe(frame)),
        "rsi": ListOrder(SNAPSHOT, "rsi", _asks_overbought(frame)),
        "beaten": ListOrder(SNAPSHOT, "rsi", most=False),
        "peak": ListOrder(SNAPSHOT, "rsi", most=False),
        "momentum": ListOrder(SNAPSHOT, "return_252d", most),
    }
    named = next((rankings[name] for name in rankings if asked.has(name)), None)
    return named or ListOrder(SNAPSHOT, _return_of(frame), most and "fell" not in asked.claims)


def _return_of(frame: QuestionFrame) -> str:
    """Return the figure of a return over the span of a question, that of the year so far where it names none."""
    days = frame.days
    if not (days.window and days.start and days.end):
        return "return_ytd" if not frame.span else "change_1d"
    start = days.base or days.start
    if (days.start.month, days.start.day) == (1, 1):
        return "return_ytd"
    length = (days.end - start).days
    return next((name for name, most in _RETURNS if length <= most), "return_252d")


_RETURNS = (("change_1d", 4), ("change_1w", 10), ("change_1m", 45), ("change_3m", 100))
"""Returns of a snapshot, with the most days of a span that each answers."""


def _is_dear(frame: QuestionFrame) -> bool:
    return bool(
        {"expensive", "pricey", "overvalued", "overpriced", "teuer", "teuerste", "teuersten", "贵"} & frame.words
    )


def _asks_safe(frame: QuestionFrame) -> bool:
    return bool({"safe", "safest", "safer", "calm", "calmest", "stable", "sicher", "sichersten", "安全"} & frame.words)


def _asks_overbought(frame: QuestionFrame) -> bool:
    return bool({"overbought", "überkauft", "uberkauft", "超买"} & frame.words)


def aspect_calls(known: ConversationBrief, request: MessageRequest, symbols: Sequence[str]) -> list[Call]:
    """Return the calls that answer a request, as far as they are known: a ranked list needs its members first."""
    frame = request.frame
    if frame is None:
        return []
    found: list[Call] = []
    for part in request.parts:
        if part == "screen":
            found += _of_screen(known, request)
        elif part == "ideas":
            found += _of_ideas(known)
        elif part in OF_COMPANY:
            for symbol in symbols:
                found += _of_company(part, symbol, frame, known.day)
        else:
            found += _of_market(part, request, frame, known.day)
    for symbol in symbols:
        found += _of_claims(symbol, frame, known.day)
    return list({(name, repr(sorted(given.items()))): (name, given) for name, given in found}.values())


def window_of(frame: QuestionFrame, today: date) -> tuple[date, date] | None:
    """Return the day of the close before the span of a question and its last day; None where it names none."""
    days = frame.days
    if days.window and days.start is not None and days.end is not None:
        return days.base or days.start, min(days.end, today)
    if days.days and days.days[0] <= today:
        return days.days[0] - timedelta(days=1), days.days[0]
    return None


def _change(symbol: str, start: date, end: date) -> Call:
    return "get_price_change", {"ticker": symbol, "start_date": start.isoformat(), "end_date": end.isoformat()}


def _of_company(part: str, symbol: str, frame: QuestionFrame, today: date) -> Iterator[Call]:
    window = window_of(frame, today)
    if part in ("price", "cause"):
        if window:
            yield _change(symbol, *window)
        if not window or part == "cause":
            yield SNAPSHOT, {"ticker": symbol}
            yield _change(symbol, today - YEAR, today)
        if part == "cause":
            start = (window[0] if window else today - WHY_DAYS) - timedelta(days=3)
            yield "get_news", _between(symbol, start, window[1] if window else today)
            yield _change(MARKET, *(window or (today - WHY_DAYS, today)))
            yield "earnings", {"ticker": symbol}
    elif part in ("peak", "high", "low"):
        yield _change(symbol, *(window or (today - YEAR, today)))
        yield SNAPSHOT, {"ticker": symbol}
    elif part == "news":
        yield "get_news", _between(symbol, window[0] if window else today - NEWS_DAYS, window[1] if window else today)
    elif part == "filings":
        yield "get_filings", _between(symbol, window[0] if window else today - QUARTER, window[1] if window else today)
    elif part == "report_date":
        ahead = today + REPORT_AHEAD
        yield "get_earnings_calendar", {"symbol": symbol, "from_date": today.isoformat(), "to_date": ahead.isoformat()}
    elif part == "drawdown":
        yield "risk_profile", {"ticker": symbol}
        if window and abs((window[1] - window[0]) - YEAR) < timedelta(days=5):
            yield (
                "get_stock_data",
                {"symbol": symbol, "start_date": window[0].isoformat(), "end_date": window[1].isoformat()},
            )
    elif part in ("margin", "growth", "debt"):
        yield from _of_statements(part, symbol, frame)
    else:
        yield from ((name, {"ticker": symbol}) for name in _FIXED.get(part, ()))


def _of_statements(part: str, symbol: str, frame: QuestionFrame) -> Iterator[Call]:
    yield "get_ttm_analysis", {"ticker": symbol}
    figures = {
        "margin": _margins(frame),
        "growth": ("revenue", "net income"),
        "debt": ("long-term debt", "total liabilities"),
    }
    change = {"margin": "difference", "growth": "growth"}.get(part, "none")
    for figure in figures[part]:
        given = {"ticker": symbol, "figure": figure, "period": "latest_quarter"}
        if part == "growth" and figure == "net income" and (len(frame.symbols) > 1 or _REVENUE & frame.words):
            continue
        if figure == "total liabilities":
            yield "get_statement_figure", {**given, "change": "growth"}
        if change != "none":
            yield "get_statement_figure", {**given, "change": change}
        yield "get_statement_figure", given
    if part == "growth":
        if frame.days.unit == "year" and frame.days.count > 1:
            yield "series", {"ticker": symbol, "item": "revenue"}
        year = {"ticker": symbol, "figure": "revenue", "period": "latest_year", "change": "growth"}
        yield "get_statement_figure", year


_REVENUE = frozenset({"revenue", "revenues", "sales", "turnover", "umsatz", "umsätze", "营收", "收入", "营业收入"})


def _margins(frame: QuestionFrame) -> tuple[str, ...]:
    named = tuple(f"{kind} margin" for kind in ("gross", "operating", "net") if kind in frame.words)
    other = {
        "毛利率": "gross margin",
        "净利率": "net margin",
        "bruttomarge": "gross margin",
        "nettomarge": "net margin",
    }
    named = named or tuple(name for word, name in other.items() if word in frame.words)
    return named or ("gross margin", "operating margin", "net margin")


def _of_claims(symbol: str, frame: QuestionFrame, today: date) -> Iterator[Call]:
    """Yield what shows whether a question is right in what it takes for granted."""
    claims = set(frame.asked.claims)
    if claims & {"fell", "rose"}:
        window = window_of(frame, today)
        if window:
            yield _change(symbol, *window)
        else:
            yield SNAPSHOT, {"ticker": symbol}
            yield _change(symbol, today - YEAR, today)
    if claims & {"missed", "beat"}:
        yield "earnings", {"ticker": symbol}
    if claims & {"cut_dividend", "raised_dividend"}:
        yield "get_dividends", {"ticker": symbol}
    if "level" in claims:
        yield SNAPSHOT, {"ticker": symbol}


def _between(symbol: str, start: date, end: date) -> dict[str, Any]:
    return {"ticker": symbol, "start_date": start.isoformat(), "end_date": end.isoformat()}


def _of_market(part: str, request: MessageRequest, frame: QuestionFrame, today: date) -> Iterator[Call]:
    window = window_of(frame, today)
    movers = {"winners": ("day_gainers",), "losers": ("day_losers",), "recap": ("day_gainers", "day_losers")}
    if part == "recap" and window and window[1] - window[0] > timedelta(days=4):
        yield from (_change(index, *window) for index in (MARKET, "^IXIC", "^DJI", "^RUT"))
        yield "get_sector_performance", {}
        return
    if part in ("recap", "index", "mood"):
        yield "get_market_indices", {}
    if part == "index":
        if window:
            yield _change(frame.index, *window)
        yield _change(frame.index, today - YEAR, today)
    if part in ("recap", "sectors"):
        yield "get_sector_performance", {}
    yield from (("get_market_movers", {"category": category}) for category in movers.get(part, ()))
    if part == "mood":
        yield "fear_greed", {}
    focus = {"rates": "rates", "inflation": "inflation", "jobs": "jobs", "fed": "rates", "economy": "overview"}
    if part in focus:
        yield "macro_focus", {"focus": focus[part]}
    if part in ("fed", "jobs", "inflation"):
        start, end = today - BEHIND, today + AHEAD
        yield "get_economic_calendar", {"from_date": start.isoformat(), "to_date": end.isoformat()}
    if part == "reporting" and request.coming:
        yield (
            "get_earnings_calendar",
            {"from_date": request.coming[0].isoformat(), "to_date": request.coming[1].isoformat()},
        )
    if part == "sector":
        yield "get_industry_performance", {"sector_key": frame.sector}
        yield "get_sector_performance", {}


def _of_screen(known: ConversationBrief, request: MessageRequest) -> Iterator[Call]:
    """Yield the members of a sector, or the largest companies, then the figure of each that orders them."""
    frame = request.frame
    if frame is None:
        return
    sector = frame.sector
    members: Call = (
        ("get_industry_performance", {"sector_key": sector}) if sector else ("top_companies", {"limit": MOST_RANKED})
    )
    yield members
    ranking = ranking_of(frame)
    for symbol in members_found(known):
        yield ranking.capability, {"ticker": symbol}


def _of_ideas(known: ConversationBrief) -> Iterator[Call]:
    yield "top_companies", {"limit": MOST_RANKED}
    for symbol in members_found(known):
        yield SNAPSHOT, {"ticker": symbol}
    for symbol in candidates(known)[:DETAILED]:
        yield "trailing_forward_pe", {"ticker": symbol}
        yield "risk_profile", {"ticker": symbol}


def members_found(known: ConversationBrief) -> tuple[str, ...]:
    """Return the companies of the list that was asked for; none before it was answered."""
    for fact in known.now.results:
        if fact.answered_by == "top_companies":
            return tuple(name.removesuffix("_market_cap") for name in fact.figures if name.endswith("_market_cap"))[
                :MOST_RANKED
            ]
        if fact.answered_by == "get_industry_performance":
            found = (name.removesuffix("_1m") for name in fact.figures if name.endswith("_1m"))
            return tuple(symbol for symbol in found if symbol == symbol.upper())[
                :MOST_RANKED
            ]  # industries: small letters
    return ()


def candidates(known: ConversationBrief) -> list[str]:
    """Return the companies above their 200-day average and not overbought, those that rose most in 252 days first."""
    found: dict[str, float] = {}
    for fact in known.now.results:
        own = fact.figures
        known_all = fact.answered_by == SNAPSHOT and {"price", "sma_200", "rsi", "return_252d"} <= set(own)
        if known_all and own["price"] > own["sma_200"] and own["rsi"] < 70.0 and own["return_252d"] > 0:
            found[fact.subject] = own["return_252d"]
    return sorted(found, key=lambda symbol: -found[symbol])
