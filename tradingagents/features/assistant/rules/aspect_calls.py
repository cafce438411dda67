"""Which capabilities answer a question that is read word by word, by what it asks about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from tradingagents.dataflows.reference.sectors import SECTOR_ETF
from tradingagents.features.assistant.rules.company.books_text import NET_INCOME, asks_whether_profit
from tradingagents.features.assistant.rules.company.buyback_text import BUYBACK_ITEMS
from tradingagents.features.assistant.rules.company.daily_moves import (
    LONGEST,
    OVERLAP,
    STRETCH,
    asks_ever,
    bars_calls,
    days_asked,
)
from tradingagents.features.assistant.rules.company.filings_text import filings_asked
from tradingagents.features.assistant.rules.company.ratio_text import ratio_calls
from tradingagents.features.assistant.rules.company.session_text import session_calls
from tradingagents.features.assistant.rules.company.statement_text import statement_asked
from tradingagents.features.assistant.rules.company.years_text import years_asked
from tradingagents.features.assistant.rules.insiders import calls_across, trades_asked
from tradingagents.features.assistant.rules.screens import MOST_RANKED, SNAPSHOT, Call, members_found, screen_calls
from tradingagents.features.assistant.rules.sectors_text import sector_window
from tradingagents.offline.questions.conversation import ConversationBrief, ToolFact
from tradingagents.offline.questions.economy import ECONOMY, POLICY_RATE
from tradingagents.offline.questions.forms.session_kinds import OF_SESSIONS
from tradingagents.offline.questions.frame_words import AGO, MARKET, OF_COMPANY
from tradingagents.offline.questions.frames import QuestionFrame
from tradingagents.offline.questions.measures import CASH_HELD, RATIOS
from tradingagents.offline.questions.message import MessageRequest
from tradingagents.retrieval.questions.days import NamedDays, whole_year
from tradingagents.retrieval.questions.spans import FIRST_DAY, last_session, to_the_day

YEAR = timedelta(days=365)
NEWS_DAYS, WHY_DAYS = timedelta(days=14), timedelta(days=30)
AHEAD = timedelta(days=60)
_OF_A_YEAR = ("52", "year", "jahr", "年", "12 month")
"""Words of a high or low that is one of a year, whatever days a question names."""
RELEASED_BEHIND, QUARTERLY_BEHIND = timedelta(days=35), timedelta(days=100)
"""How far back releases are looked up: those of each month, and growth, which is published once a quarter."""
RELEASED_WITHIN = timedelta(days=31)
"""Days after a month within which its figures are published, and none of the month behind it."""
REPORT_AHEAD = timedelta(days=90)
SHORTEST_RANGE = timedelta(days=20)
"""Days from which on a highest or lowest close is that of the span which a question names."""
SPLIT_YEARS = (10, 5, 3, 2, 1)
"""Years back over which splits are looked for."""
BUYBACK_YEARS = 5
"""Fiscal years of repurchases where a question names none."""
DETAILED = 5
"""Candidates whose multiple and risk are looked up."""
_FIXED: Mapping[str, tuple[str, ...]] = {
    "risk": ("risk_profile",),
    "beta": ("beta_estimate",),
    "rsi": (SNAPSHOT,),
    "averages": (SNAPSHOT,),
    "volume": (SNAPSHOT,),
    "high": (SNAPSHOT,),
    "low": (SNAPSHOT,),
    "dividend": ("get_dividends",),
    "cash": ("get_ttm_analysis",),
    "profit": ("get_ttm_analysis",),
    "valuation": ("trailing_forward_pe", "get_peer_multiples", "valuation", "get_ttm_analysis", SNAPSHOT),
    "results": ("earnings",),
    "profile": ("company_info",),
    "opinion": (SNAPSHOT, "trailing_forward_pe", "risk_profile"),
    "social": ("get_social_sentiment",),
}
"""Capabilities that take a company alone."""


def aspect_calls(known: ConversationBrief, request: MessageRequest, symbols: Sequence[str]) -> list[Call]:
    """Return the calls that answer a request, as far as they are known: a ranked list needs its members first."""
    frame = request.frame
    if frame is None:
        return []
    found: list[Call] = []
    for part in request.parts:
        if part == "screen":
            found += screen_calls(known, frame)
        elif part == "insiders_across":
            found += calls_across(known, frame)
        elif part == "ideas":
            found += _of_ideas(known)
        elif part in OF_COMPANY:
            for symbol in symbols:
                own = _since_first_close(known, symbol, since_listing(frame) if part == "listing" else frame)
                found += [("company_info", {"ticker": symbol})] if own is None else []
                if "event" in frame.demands and not _asked_for(known, "earnings", symbol):
                    found.append(("earnings", {"ticker": symbol}))  # its day says which days are asked about
                elif own is not None:
                    own = after_results(own, symbol, known.now.results, known.day)
                    found += _of_company(part, symbol, own, known.day)
        else:
            found += _of_market(part, request, frame, known.day)
    for symbol in symbols:
        found += _of_claims(symbol, frame, known.day)
    return list({(name, repr(sorted(given.items()))): (name, given) for name, given in found}.values())


def _since_first_close(known: ConversationBrief, symbol: str, frame: QuestionFrame) -> QuestionFrame | None:
    """Return a question on all days since a company was listed as one since the first close that is known.

    None where that close is to be looked up first; every other question as it is.
    """
    if frame.days.start is None or frame.days.start > FIRST_DAY:
        return frame
    info = next(
        (fact for fact in known.now.results if fact.answered_by == "company_info" and fact.subject == symbol), None
    )
    if info is None:
        return None
    first = info.facts.get("prices_from", "")
    start = date.fromisoformat(first) if first else FIRST_DAY
    return replace(frame, days=replace(frame.days, start=start, base=start))


def since_listing(frame: QuestionFrame) -> QuestionFrame:
    """Return a question as one on all days since a company was listed."""
    return replace(frame, days=replace(frame.days, start=FIRST_DAY, end=date.max, base=FIRST_DAY))


def _asked_for(known: ConversationBrief, capability: str, symbol: str) -> bool:
    return any(fact.answered_by == capability and fact.subject == symbol for fact in known.now.results)


def after_results(frame: QuestionFrame, symbol: str, results: Sequence[ToolFact], today: date) -> QuestionFrame:
    """Return a question on a move around results as one of the days from the close before them to the one after.

    One on what it did since them is of the days to the present one. As it is where the question names days by itself,
    or where the day of the results is not known (yet).
    """
    if "event" not in frame.demands or (frame.span and frame.span != RESULTS_DAYS):
        return frame
    day = next(
        (
            fact.facts.get("quarters.0.day", "")
            for fact in results
            if fact.answered_by == "earnings" and fact.subject == symbol and not fact.failed
        ),
        "",
    )
    if not day:
        return frame
    start = date.fromisoformat(day)
    end = start + timedelta(days=3 if start.weekday() == _FRIDAY else 1)
    if _SINCE & frame.words and "cause" not in frame.parts:
        end = today
    days = NamedDays("", start=start, end=end, base=start - timedelta(days=1), count=1, unit="day")
    return replace(frame, days=days, span=RESULTS_DAYS)


_FRIDAY = 4
_SINCE = frozenset({"since", "seit", "seitdem", "以来"})
RESULTS_DAYS = "results"
"""The words for the days around results: of a question that speaks of them and names no days."""


def window_of(frame: QuestionFrame, today: date) -> tuple[date, date] | None:
    """Return the day of the close before the span of a question and its last day; None where it names none."""
    days = frame.days
    if days.window and days.start is not None and days.end is not None:
        return days.base or days.start, min(days.end, today)
    if days.days and days.days[0] <= today:
        if "invested" in frame.asked.asks:  # and kept since
            return days.days[0], today
        return days.days[0] - timedelta(days=1), days.days[0]
    return None


def _change(symbol: str, start: date, end: date) -> Call:
    return "get_price_change", {"ticker": symbol, "start_date": start.isoformat(), "end_date": end.isoformat()}


def _of_company(part: str, symbol: str, frame: QuestionFrame, today: date) -> Iterator[Call]:
    window = window_of(frame, today)
    if frame.fiscal and part in _OF_PERIOD:
        yield from _of_period(part, symbol, frame)
        return
    if part in ("price", "cause"):
        yield from _of_price(part, symbol, frame, today)
    elif part in ("peak", "high", "low"):
        yield from _of_range(part, symbol, frame, today)
    elif part == "analysts":
        yield "get_news", _between(symbol, today - WHY_DAYS, today)
    elif part == "news":
        window = window_of(replace(frame, days=to_the_day(frame.days, today)), today)
        yield "get_news", _between(symbol, window[0] if window else today - NEWS_DAYS, window[1] if window else today)
    elif part == "filings":
        yield "get_filings", filings_asked(symbol, frame, window, today)
    elif part == "insiders":
        yield trades_asked(symbol, frame, today)
    elif part == "report_date":
        until = (today + REPORT_AHEAD).isoformat()
        yield "get_earnings_calendar", {"symbol": symbol, "from_date": today.isoformat(), "to_date": until}
        yield "earnings", {"ticker": symbol}
    elif part == "listing":
        yield "company_info", {"ticker": symbol}
        if window:
            yield _change(symbol, *window)
    elif part in OF_SESSIONS:
        yield from session_calls(part, symbol, frame, window, today)
    elif window and (part == "drawdown" or (part == "risk" and not _of_a_year(frame.days))):
        yield "risk_profile", {"ticker": symbol}
        yield from bars_calls(symbol, *days_asked(frame, window, today))
    elif part == "daily":
        yield from bars_calls(symbol, *days_asked(frame, window, today))
    elif part == "drawdown":
        yield "risk_profile", {"ticker": symbol}
        if window and abs((window[1] - window[0]) - YEAR) < timedelta(days=5):
            dates = {"start_date": window[0].isoformat(), "end_date": window[1].isoformat()}
            yield "get_stock_data", {"symbol": symbol, **dates}
    elif part in RATIOS:
        yield from ratio_calls(part, symbol, frame, today)
    elif part in ("buybacks", "split"):
        yield from _of_share_count(part, symbol, frame, today)
    elif part in ("margin", "growth", "debt", "statement"):
        yield from _of_statements(part, symbol, frame)
    else:
        yield from ((name, {"ticker": symbol}) for name in _FIXED.get(part, ()))
    yield from _beside(part, symbol, frame)


def _beside(part: str, symbol: str, frame: QuestionFrame) -> Iterator[Call]:
    """Yield what is told beside an aspect: how the profit of the last quarter grew, the cash that is held."""
    moved = bool({"fell", "rose"} & set(frame.asked.claims))
    if part == "profit" and (moved or (asks_whether_profit(frame) and len(frame.symbols) == 1)):
        given = {"ticker": symbol, "figure": NET_INCOME, "period": "latest_quarter"}
        changes = ("none", "growth") if moved else ("none",)
        yield from (("get_statement_figure", {**given, "change": change}) for change in changes)
    if part == "cash":
        yield ("get_statement_figure", {"ticker": symbol, "figure": CASH_HELD, "period": "latest_quarter"})


def _range_of(frame: QuestionFrame, today: date) -> tuple[date, date] | None:
    """Return the first and the last day of which a high or low is asked: the close before them is none of them."""
    days, window = frame.days, window_of(frame, today)
    if window is None or (asks_ever(frame) and days.start == days.end):
        return None  # `was today the highest close ever`
    return (days.start, window[1]) if days.window and days.start is not None else (window[1], window[1])


def _of_range(part: str, symbol: str, frame: QuestionFrame, today: date) -> Iterator[Call]:
    """Yield the closes of the days of a high or low, or of a year; a short span's sessions too, for prices in them."""
    window = _range_of(frame, today)
    end = window[1] if window else today
    start = window[0] if window else end - YEAR
    # A day or a week whose close is asked about is not the range, unless its own high or low is.
    own = window is not None and not any(word in frame.asked.said_of(part) for word in _OF_A_YEAR)
    within = end - start >= SHORTEST_RANGE or (own and part != "peak")
    yield _change(symbol, start if within else end - YEAR, end)
    if window is not None and within and end - start <= (LONGEST if "intraday" in frame.demands else STRETCH):
        yield from bars_calls(symbol, start - OVERLAP, end)  # each session is set against the close before it
    yield SNAPSHOT, {"ticker": symbol}


def _of_period(part: str, symbol: str, frame: QuestionFrame) -> Iterator[Call]:
    """Yield the figures of the fiscal period that a question names."""
    for figure in margins_named(frame) if part == "margin" else _OF_PERIOD[part]:
        given = {"ticker": symbol, "figure": figure, "period": frame.fiscal}
        yield "get_statement_figure", given
        if part == "margin" and frame.fiscal == "latest_quarter":
            yield "get_statement_figure", {**given, "change": "difference"}
            continue
        if {"fell", "rose"} & set(frame.asked.claims) or (part == "growth" and frame.asks_growth):
            yield "get_statement_figure", {**given, "change": "growth"}
    if part == "margin" and len(frame.symbols) > 1:
        yield "get_ttm_analysis", {"ticker": symbol}  # shown where one has no figure of the period


def _of_share_count(part: str, symbol: str, frame: QuestionFrame, today: date) -> Iterator[Call]:
    """Yield repurchases by fiscal year, or the windows over which splits are looked for.

    A source lists splits from some year on: the longest window in which it lists them all answers.
    """
    if part == "buybacks":
        year = whole_year(frame.days)
        span = f"FY{year}" if year else f"last {years_asked(frame) or BUYBACK_YEARS} years"
        yield from (("series", {"ticker": symbol, "item": item, "span": span}) for item in BUYBACK_ITEMS)
        return
    window = window_of(frame, today)
    windows = [(today - years * YEAR, today) for years in SPLIT_YEARS]
    yield from (_change(symbol, *days) for days in ([window] if window else []) + windows)


def _of_price(part: str, symbol: str, frame: QuestionFrame, today: date) -> Iterator[Call]:
    """Yield the price of a company over the days that a question names, and what may have moved it where it asks."""
    window = window_of(frame, today)
    if window:
        yield _change(symbol, *window)
    if window and frame.also is not None and frame.also.start is not None:
        yield _change(symbol, frame.also.base or frame.also.start, min(frame.also.end or today, today))
    if not window or part == "cause":
        yield SNAPSHOT, {"ticker": symbol}
        yield _change(symbol, today - YEAR, today)
    if part == "cause":
        start = (window[0] if window else today - WHY_DAYS) - timedelta(days=3)
        yield "get_news", _between(symbol, start, window[1] if window else today)
        yield _change(MARKET, *(window or (today - WHY_DAYS, today)))
        yield "earnings", {"ticker": symbol}


_OF_PERIOD: Mapping[str, tuple[str, ...]] = {"profit": ("net income",), "growth": ("revenue",), "margin": ()}
"""Figures of the fiscal period that a question names, by what it asks about."""


def _of_statements(part: str, symbol: str, frame: QuestionFrame) -> Iterator[Call]:
    if part == "statement":
        yield statement_asked(symbol, frame)
        return
    years = years_asked(frame) if part == "growth" else 0
    if years:
        yield "series", {"ticker": symbol, "item": "revenue", "span": f"last {years + 1} years"}
    if years and len(frame.symbols) > 1:
        return
    yield "get_ttm_analysis", {"ticker": symbol}
    figures = {
        "margin": margins_named(frame),
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
        if figure == "long-term debt" and _LONG & frame.words:  # not every quarter tells it apart
            yield "get_statement_figure", {**given, "period": "latest_year"}
    if part == "growth":
        year = {"ticker": symbol, "figure": "revenue", "period": "latest_year", "change": "growth"}
        yield "get_statement_figure", year


_REVENUE = frozenset({"revenue", "revenues", "sales", "turnover", "umsatz", "umsätze", "营收", "收入", "营业收入"})


_LONG = frozenset({"long", "langfristig", "langfristige", "langfristigen", "长期"})


def margins_named(frame: QuestionFrame) -> tuple[str, ...]:
    """Return the margins that a question names; all three where it names none."""
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
    if claims & {"missed", "beat"} or "reported" in frame.words:
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
    if part == "recap" and window and (window[1] < last_session(today) or window[1] - window[0] > timedelta(days=4)):
        yield from (_change(index, *window) for index in (MARKET, "^IXIC", "^DJI", "^RUT"))
        if window[1] >= last_session(today):
            yield "get_sector_performance", {}
        return
    if part == "correction":
        yield _change(frame.index or MARKET, today - YEAR, today)
    if part in ("recap", "index", "mood"):
        yield "get_market_indices", {}
    if part == "index":
        if window:
            yield _change(frame.index, *window)
        yield _change(frame.index, today - YEAR, today)
    if part in ("recap", "sectors"):
        yield "get_sector_performance", {}
    if part in ("sectors", "sector") and window and not sector_window(frame.days, last_session(today)):
        funds = SECTOR_ETF.values() if part == "sectors" else (SECTOR_ETF[frame.sector],)
        yield from (_change(fund, *window) for fund in funds)
    yield from (("get_market_movers", {"category": category}) for category in movers.get(part, ()))
    if part == "mood":
        yield "fear_greed", {}
    if part in ECONOMY:
        yield from _of_economy(part, frame, today)
    if part == "breadth":
        yield "market_breadth", {}
    if part == "releases" and request.coming:
        begins, ends = (day.isoformat() for day in request.coming)
        yield "get_economic_calendar", {"from_date": begins, "to_date": ends}
    if part == "reporting" and request.coming:
        yield (
            "get_earnings_calendar",
            {"from_date": request.coming[0].isoformat(), "to_date": request.coming[1].isoformat()},
        )
    if part == "sector":
        yield "get_industry_performance", {"sector_key": frame.sector}
        yield "get_sector_performance", {}


def _days_of_rate(frame: QuestionFrame, today: date) -> tuple[date, date]:
    """Return the days over which the policy rate is looked up: one decided on a day stands from the day after."""
    window = window_of(frame, today)
    if window is None or (not frame.days.window and {"rate_cut", "rate_raised"} & set(frame.asked.claims)):
        return today - YEAR, today
    return window if frame.days.window else (window[0], min(window[1] + timedelta(days=1), today))


def _of_economy(part: str, frame: QuestionFrame, today: date) -> Iterator[Call]:
    """Yield the series of an aspect of the economy, and its releases from before the month that is named on."""
    aspect = ECONOMY[part]
    if aspect.focus:
        yield "macro_focus", {"focus": aspect.focus}
    if aspect.series:
        yield "get_macro_indicators", {"indicator": aspect.series}
    changed = part in ("fed", "rates") and {"rate_cut", "rate_raised"} & set(frame.asked.claims)
    if changed or (part == "fed" and frame.span and not frame.coming):
        start, end = _days_of_rate(frame, today)
        given = {"indicator": POLICY_RATE, "curr_date": end.isoformat(), "look_back_days": max((end - start).days, 1)}
        yield "get_macro_indicators", given
    if (
        aspect.each_day
        and (window := window_of(frame, today)) is not None
        and (part == "curve" or not _of_a_year(frame.days) or AGO & frame.words)
    ):
        close = window[0] if window[0] <= FIRST_DAY else last_session(window[0])
        yield (
            "get_macro_indicators",
            {
                "indicator": aspect.each_day,
                "curr_date": window[1].isoformat(),
                "look_back_days": max((window[1] - close).days, 1),
            },
        )
    if aspect.releases:
        behind = QUARTERLY_BEHIND if part == "gdp" else RELEASED_BEHIND
        start = min(today - behind, frame.days.start or today)
        last = today
        if (month := frame.days) and month.window and month.start and month.end and _is_a_month(month.start, month.end):
            start, last = month.end, min(month.end + RELEASED_WITHIN, today)  # in which that month is published
            start = month.start if part == "fed" else start  # of the bank itself, what it decided in it
        for begins, ends in ((start, last), (today + timedelta(days=1), today + AHEAD)):
            yield "get_economic_calendar", {"from_date": begins.isoformat(), "to_date": ends.isoformat()}


def _is_a_month(start: date, end: date) -> bool:
    """Tell whether days are one month of the calendar, to its end."""
    month = (end.year, end.month)
    return start.day == 1 and (start.year, start.month) == month and (end + timedelta(days=1)).month != end.month


def _of_a_year(days: NamedDays) -> bool:
    """Tell whether days are a year, over which each series is told anyway."""
    return (days.count, days.unit) in ((1, "year"), (12, "month"))


def _of_ideas(known: ConversationBrief) -> Iterator[Call]:
    yield "top_companies", {"limit": MOST_RANKED}
    for symbol in members_found(known):
        yield SNAPSHOT, {"ticker": symbol}
    for symbol in candidates(known)[:DETAILED]:
        yield "trailing_forward_pe", {"ticker": symbol}
        yield "risk_profile", {"ticker": symbol}


def candidates(known: ConversationBrief) -> list[str]:
    """Return the companies above their 200-day average and not overbought, those that rose most in 252 days first."""
    found: dict[str, float] = {}
    for fact in known.now.results:
        own = fact.figures
        known_all = fact.answered_by == SNAPSHOT and {"price", "sma_200", "rsi", "return_252d"} <= set(own)
        if known_all and own["price"] > own["sma_200"] and own["rsi"] < 70.0 and own["return_252d"] > 0:
            found[fact.subject] = own["return_252d"]
    return sorted(found, key=lambda symbol: -found[symbol])
