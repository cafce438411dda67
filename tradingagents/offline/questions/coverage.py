"""The last check of an answer: what a question names must be in it, whatever kind answers.

A question may name a measure, days, companies, a sector, and may deny something. A kind that uses none of what is
named would answer beside the point: such a question is answered by its words where all of them are read, else declined
with what was not understood.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta

from tradingagents.offline.questions.asked import AskedFigure
from tradingagents.offline.questions.economy import ECONOMY, RELEASED
from tradingagents.offline.questions.forms.session_kinds import OF_SESSIONS
from tradingagents.offline.questions.frame_words import AGO, ALWAYS, MARKET, OF_COMING
from tradingagents.offline.questions.frames import QuestionFrame
from tradingagents.offline.questions.lookups import Lookup
from tradingagents.offline.questions.measures import RATIOS
from tradingagents.offline.questions.message import BESIDE, MessageRequest
from tradingagents.retrieval.questions.days import NamedDays, is_one_day
from tradingagents.retrieval.questions.spans import FIRST_DAY, last_session
from tradingagents.retrieval.questions.wording import names_days, years_named

FREE = frozenset(
    {
        *(
            "help",
            "greeting",
            "unread",
            "other_day",
            "aspects",
            "figures",
            "holdings",
            "positions",
            "task",
            "tasks",
            "run",
            "decision",
        ),
        *("why", "capability", "consult"),
    }
)
"""Requests that read what they need of a question themselves, or answer none."""
NEUTRAL = frozenset({"price", "recap", "members", "opinion", "analysis", "thanks", "economy"})
"""Aspects whose words say little by themselves (`how is it doing`, `the market`)."""
_OF_TOOL: Mapping[str, frozenset[str]] = {
    "market_snapshot": frozenset({"high", "low", "rsi", "averages", "peak", "momentum"}),
    "risk_profile": frozenset({"risk", "drawdown", "beta", "peak"}),
    "beta_estimate": frozenset({"beta", "risk"}),
    "earnings": frozenset({"results", "profit", "growth"}),
    "company_info": frozenset({"profile", "valuation", "market_cap"}),
    "get_peer_comparison": frozenset({"sectors", "momentum"}),
    "trailing_forward_pe": frozenset({"valuation", "profit"}),
    "get_insider_transactions": frozenset({"insiders"}),
    "get_news": frozenset({"news", "mood", "cause"}),
    "get_earnings_calendar": frozenset({"report_date", "reporting", "results"}),
    "calendar_events": frozenset({"reporting", "fed", "report_date", "results"}),
    "macro_focus": frozenset({"rates", "inflation", "jobs", "fed", "growth", "risk"}),
    "market_regime": frozenset({"mood", "risk", "averages"}),
    "fear_greed": frozenset({"mood"}),
    "market_breadth": frozenset({"mood", "averages", "high", "low"}),
    "get_market_indices": frozenset({"winners", "losers", "sectors", "mood", "cause", "risk"}),
    "get_market_movers": frozenset({"winners", "losers"}),
    "get_sector_performance": frozenset({"sectors"}),
    "get_industry_performance": frozenset({"sectors"}),
    "top_companies": frozenset({"valuation", "market_cap"}),
    "get_ttm_analysis": frozenset({"growth", "profit", "margin", "cash", "debt", "results"}),
    "financials": frozenset({"growth", "profit", "debt", "cash", "results"}),
    "fundamental_screen": frozenset({"valuation", "debt", "profit", "growth"}),
    "sp500_dcf": frozenset({"valuation", "risk", "growth"}),
    "lppl_analysis": frozenset({"risk", "averages"}),
    "watchlist": frozenset({"results", "reporting"}),
    "open_chart": frozenset({"averages", "rsi", "high", "low"}),
}
"""Aspects that a tool's answer holds."""
_OF_LABEL: Mapping[str, frozenset[str]] = {
    "revenue": frozenset({"growth", "results"}),
    "profit": frozenset({"profit", "results", "margin"}),
    "margin": frozenset({"margin", "profit", "results"}),
    "free cash flow": frozenset({"cash", "results"}),
    "debt": frozenset({"debt", "results"}),
}
"""Of a tool that answers several questions: by what is asked for."""
_OF_WISH: Mapping[str, frozenset[str]] = {
    "worth": frozenset({"valuation"}),
    "consider": frozenset({"valuation", "risk", "ideas", "cause"}),
    "moved": frozenset({"cause", "news", "results"}),
    "compare": frozenset({"valuation", "risk"}),
}
_OF_LISTS = frozenset({"get_market_movers", "top_companies", "get_industry_performance", "get_sector_performance"})
"""What lists companies of the whole market."""
_OF_NO_DAYS = frozenset(
    {
        *("market_snapshot", "get_insider_transactions", "trailing_forward_pe", "get_peer_comparison", "company_info"),
        *("market_regime", "fear_greed", "market_breadth"),
    }
)
"""Tools that are asked here for how things stand, or for their last months, and not for days that a question names."""
_DOCUMENTS: Mapping[str, tuple[str, ...]] = {
    "search_filings": (
        *("filing", "filings", "report", "reports", "sec", "annual", "risk", "risks", "legal", "disclose", "discloses"),
        *("say", "says", "said"),
        *("年报", "报告", "申报", "geschäftsbericht", "jahresbericht", "k", "q"),
    ),
    "search_transcripts": (
        *("call", "management", "ceo", "cfo", "said", "say", "conference", "transcript", "outlook", "guidance"),
        *("vorstand", "telefonkonferenz", "ausblick", "管理层", "电话会", "指引", "经营陣"),
    ),
}
"""Words of which one must stand in a question that is answered from documents."""


def held_aspects(wish: str, lookup: Lookup | None) -> frozenset[str]:
    """Return the aspects that the answer to a request holds, by its wish and by the tools that are looked up."""
    parts = lookup.parts if lookup is not None else ()
    return _OF_WISH.get(wish, frozenset()).union(
        *(_OF_LABEL.get(part.label, _OF_TOOL.get(part.tool, frozenset())) for part in parts)
    )


def not_covered(wish: str, lookup: Lookup | None, frame: QuestionFrame) -> str:
    """Return the words of a question that an answer would not be about; empty where it covers all that is named.

    Args:
        wish: What the question is taken for.
        lookup: The tool that would answer, where one is named.
        frame: All that the question names.
    """
    if wish in FREE:
        return ""
    if frame.asked.negated:
        return frame.asked.negated
    if lookup is not None and lookup.tool == "macro_focus" and frame.asked.has("members"):
        return frame.asked.said_of("members")  # `stocks with growing revenue` are not the economy
    if wish == "moved" and frame.of_earnings:
        return frame.asked.said_of("results")  # and not the price
    if lookup is not None and lookup.tool in _DOCUMENTS:
        return (
            ""
            if frame.words & set(_DOCUMENTS[lookup.tool]) or not frame.asked.aspects
            else frame.asked.said_of(frame.asked.aspects[0])
        )
    lists = lookup is not None and not lookup.of_company and lookup.tool in _OF_LISTS
    if lists and frame.index not in ("", MARKET):
        return frame.index.lstrip("^")  # which companies belong to it is not known
    of_this_day = frame.span in OF_NOW or (len(frame.days.days) == 1 and not frame.days.window)  # others are figures
    if lookup is not None and lookup.tool in _OF_NO_DAYS and frame.span and not of_this_day:
        return frame.span
    if lookup is not None and lookup.tool in ("risk_profile", "beta_estimate") and frame.span and not frame.dated:
        return frame.span
    if (
        lookup is not None
        and lookup.tool == "get_sector_performance"
        and not (frame.sector or frame.asked.has("sectors"))
    ):
        return (
            "" if wish != "lookup" or len(lookup.parts) > 1 else frame.asked.said_of((*frame.asked.aspects, "recap")[0])
        )
    held = NEUTRAL | held_aspects(wish, lookup)
    beside = next((name for name in frame.asked.aspects if name not in held), "")
    if beside and not (lookup is None and wish == "lookup"):
        return frame.asked.said_of(beside)
    return ""


def beside_price(wish: str, figures: Sequence[AskedFigure], frame: QuestionFrame) -> str:
    """Return what is asked of some days and would be answered with what the price did; empty where it is the price.

    Args:
        wish: What the question is taken for.
        figures: The figures that would answer.
        frame: All that the question names.
    """
    changes = wish == "figures" and all(figure.tool == "get_price_change" for figure in figures)
    if not changes or {"event", "because"} & frame.demands or "invested" in frame.asked.asks:
        return ""
    return next((frame.asked.said_of(name) for name in frame.asked.aspects if name in _OF_BOOKS), "")


def is_change(figures: Sequence[AskedFigure]) -> bool:
    """Tell whether figures are what a price did, and not its highest, lowest or average close."""
    return all({"price_change", "total_return"} & set(figure.figures) for figure in figures)


_OF_BOOKS = frozenset({"margin", "growth", "profit", "debt", "cash", "results", "valuation", "statement", *RATIOS})
"""What a change of the price does not answer, whatever the days."""
_OF_ANY_DAYS = frozenset(
    {
        *(
            "price",
            "cause",
            "peak",
            "high",
            "low",
            "news",
            "filings",
            "insiders",
            "sectors",
            "sector",
            "recap",
            "index",
        ),
        *("reporting", "report_date", "fed", "analysis", "screen", "releases", "insiders_across", "split"),
        *("hours", "daily", *OF_SESSIONS),
    }
)
"""Aspects whose answer is of the days that a question names."""
A_MONTH = 33
"""Days of the longest span of which the swings of 20 sessions are told."""
_OF_A_YEAR = frozenset({"risk", "drawdown", "dividend", "beta"})
"""Aspects that are answered over the last twelve months."""
_OF_LAST_PERIOD = frozenset({"growth", "margin", "profit", "cash", "debt", "results"})
"""Aspects that are answered of the last quarter and the last fiscal year."""
_OF_LAST_MONTH = frozenset({*ECONOMY, "correction"} - {"fed"})
OF_NOW = frozenset({"today", "right now", "on the day"})


def days_not_used(parts: Sequence[str], frame: QuestionFrame, today: date) -> str:
    """Return the words for days of a question that is read word by word and whose answer would be of others.

    Args:
        parts: What would be answered.
        frame: All that the question names.
        today: The day of the conversation.
    """
    if "peak" in parts and _since_a_peak_of(frame, today):
        return frame.span
    of_books = frame.sets_beside and bool(_OF_LAST_PERIOD & set(parts))
    if (
        not frame.span
        or frame.span in OF_NOW
        or (
            set(frame.asked.claims) & {"fell", "rose"}
            and tuple(parts) != ("results",)
            and set(parts).isdisjoint(RELEASED)
            and not of_books
            and not _compares_figures(parts, frame)
        )
        or (
            set(frame.asked.claims) & {"beat", "missed"}
            and (frame.fiscal == "latest_quarter" or is_one_day(frame.days))  # whether they came on it is told
        )
        or set(frame.asked.claims) & {"rate_cut", "rate_raised"}
        or (set(frame.asked.claims) & {"cut_dividend", "raised_dividend"} and years_named(frame.span) < 2)
    ):
        return ""
    if not all(_is_of_days(part, frame, today) for part in parts):
        return frame.span
    movers = {"winners", "losers"} & set(parts)
    last = last_session(today)
    return frame.span if movers and (frame.days.start != last or frame.days.end != last) else ""


_COMPARING = frozenset({"than", "als", "compared", "versus", "vs", "比"})
_OF_NOW_ALONE = frozenset({"valuation", "risk", "beta", "rsi", "averages", "dividend", "opinion", *RATIOS})
"""Aspects that are told as they stand now, whatever days are named."""


def _compares_figures(parts: Sequence[str], frame: QuestionFrame) -> bool:
    """Tell whether it says of a figure, and not of the price, that it is higher or lower than it was on other days."""
    return bool(_COMPARING & frame.words) and bool(parts) and set(parts) <= _OF_NOW_ALONE


def says_more(frame: QuestionFrame, parts: Sequence[str]) -> bool:
    """Tell whether the words of a question say more than its kind: a claim, a comparison, a direction."""
    claims = bool(frame.asked.claims) and bool(frame.symbols or set(parts) & {"recap", "index"})
    spans = bool({"sectors", "sector"} & set(parts)) and bool(frame.span)
    if set(parts) & ALWAYS or claims or spans or "trend" in frame.asked.asks:
        return True
    if tuple(parts) == ("margin",) and frame.fiscal == "latest_quarter":
        return True  # it is told with the change from the year before
    set_against = tuple(parts) == ("index",) and "compare" in frame.asked.asks
    if frame.of_whole_market or len(frame.indices) > 1 or frame.also is not None or frame.person or set_against:
        return True
    if tuple(parts) == ("filings",) and _LISTED & frame.words:
        return True
    several = len(frame.symbols) > 1 and bool(set(parts) - {"price", "valuation", "risk"})
    return several or (len(parts) > 1 and bool(set(parts) - {"price", "valuation", "risk"}))


_LISTED = frozenset({"any", "recent", "recently", "latest", "last", "new", "file", "filed", "files", "when"})
"""Words by which a question on filings asks which there are, not what stands in them."""


def move_not_used(parts: Sequence[str], frame: QuestionFrame) -> str:
    """Return the words for a figure of statements whose fall or rise no list has, as in `rising margins`.

    A list knows how revenue moved, and how prices did over the days that a question names.
    """
    moved = {"fell", "rose"} & set(frame.asked.claims)
    if "screen" not in parts or not moved or frame.span:
        return ""
    figures = {"margin", "profit", "cash", "debt"}
    return next((frame.asked.said_of(name) for name in frame.ranked if name in figures), "")


def _since_a_peak_of(frame: QuestionFrame, today: date) -> bool:
    """Tell whether it asks what a price did since its peak of days that are over: what is told is of twelve months."""
    said, end = frame.asked.said_of("peak"), frame.days.end
    over = frame.days.window and end is not None and end < last_session(today)
    return over and any(word in said for word in ("since", "seit", "from", "vom", "off"))


def _is_of_days(part: str, frame: QuestionFrame, today: date) -> bool:
    days = frame.days
    if part in _OF_ANY_DAYS or part in ("winners", "losers"):
        return True
    if part == "buybacks":  # told by fiscal year
        return _covers_years(days, today)
    if part in RATIOS:
        return frame.past_day is not None
    if part in _OF_A_YEAR:
        if AGO & frame.words:
            return False  # what it was then: all of them are of the months to now
        if part in ("risk", "drawdown") and days.window and frame.symbols:
            return True  # told from the closes of those days
        return days.end == today and (days.count, days.unit) in ((1, "year"), (12, "month"))
    if part in _OF_LAST_PERIOD:
        if frame.fiscal and part in ("profit", "growth", "margin"):
            return True
        twelve_months = days.end == today and (days.count, days.unit) in ((12, "month"), (4, "quarter"))
        if twelve_months and part in ("profit", "cash"):
            return True
        a_year_before = (days.count, days.unit) == (1, "year") and "earlier" in frame.demands
        if a_year_before and part in ("growth", "margin", "profit"):
            return True
        years = part == "growth" and days.unit == "year" and days.count > 1
        of_quarter = part != "cash"  # what came in is told of twelve months
        return years or (of_quarter and days.unit == "quarter" and days.count <= 1 and not frame.period)
    if part in ECONOMY and ECONOMY[part].each_day:
        return days.window
    if part in RELEASED and days.end == today and (days.count, days.unit) in ((1, "year"), (12, "month")):
        return True  # the change against a year before is told
    if part in RELEASED and days.window and days.start and days.end and days.start.day == 1:
        return (days.start.year, days.start.month) == (days.end.year, days.end.month)  # the figure of that month
    return part in _OF_LAST_MONTH and frame.span in ("this month", "last month", "this week")


def _covers_years(days: NamedDays, today: date) -> bool:
    """Tell whether days are years, or the present one so far: what is told by fiscal year says nothing of a month."""
    if not (days.window and days.start and days.end):
        return False
    so_far = (days.start.month, days.start.day) == (1, 1) and days.end >= today
    return so_far or days.end - days.start >= _NEARLY_A_YEAR


_NEARLY_A_YEAR = timedelta(days=360)
_ENDS = frozenset(
    {
        *("highest", "lowest", "best", "worst", "biggest", "largest", "smallest", "strongest", "weakest", "fewest"),
        *("most", "least", "höchste", "höchsten", "tiefste", "tiefsten", "beste", "besten", "schlechteste", "größte"),
        *("schlechtesten", "größten", "stärksten", "schwächsten", "kleinste", "meisten", "wenigsten"),
        *("最高", "最低", "最好", "最差", "最大", "最小", "最多", "最少", "最强", "最弱"),
    }
)
"""Words for one end of an order: of days, of periods, of several subjects."""
_OF_MOVES = frozenset({"price", "index", "recap", "sectors", "sector", "screen"})
_SAME = frozenset({"same", "equivalent", "corresponding", "gleichen", "gleiche", "同期"})
_PERIODS = frozenset({"time", "period", "point", "stage", "span", "zeitraum", "zeit", "同期"})
_SINCE = frozenset({"since", "from", "off", "seit", "vom"})
_OF_ONE_FIGURE = frozenset({"price", "index", "beta", "averages", "rsi", "volume", *ECONOMY})
"""Aspects that are told by one figure of a subject, and not in an order."""


def not_ordered(parts: Sequence[str], frame: QuestionFrame) -> str:
    """Return the word of a question for one end of an order, or for its second days, where the answer holds neither.

    Args:
        parts: What would be answered; a change of the price counts as `price`.
        frame: All that the question names.
    """
    told = set(parts)
    several = frame.also is not None and frame.also.start != frame.also.end and frame.days.start != frame.days.end
    if several and not told <= {"price", "cause"}:
        return frame.span
    if told <= _OF_MOVES and _SAME & frame.words and _PERIODS & frame.words:
        return "same"  # `the same time last year`: a part of that year
    moved = {"fell", "rose"} & set(frame.asked.claims)
    if moved and told and told <= {"high", "low"} and _SINCE & frame.words:
        return frame.asked.said_of(next(iter(told)))  # `how much is it up since its low`: what it did from there on
    alone = len(frame.symbols) + len(frame.indices) <= 1 or len(frame.symbols) == 1
    said = sorted(_ENDS & frame.words) if {"most", "least"} & frame.asked.asks else []
    if not (alone and said and told and told <= _OF_ONE_FIGURE) or "recent" in frame.words:
        return ""
    return said[0]


_OF_DATA = frozenset({"aspects", "figures", "lookup", "moved", "compare", "worth", "other_day"})
"""Requests that are answered from market data."""


def lie_before_data(days: NamedDays) -> bool:
    """Tell whether all days that a question names lie before the first one of which anything is known here."""
    named = (*days.days, *((days.end,) if days.window and days.end else ()))
    return bool(named) and max(named) < FIRST_DAY


def lie_ahead(days: NamedDays, today: date) -> bool:
    """Tell whether all days that a question names are still to come."""
    named = (*days.days, *((days.start,) if days.window and days.start else ()))
    return bool(named) and min(named) > today


def _is_ahead(request: MessageRequest, frame: QuestionFrame, today: date) -> bool:
    """Tell whether a request would be answered for coming days with how things stand."""
    if _is_known_ahead(request):
        return False
    if lie_ahead(frame.days, today):
        return True
    next_day = bool(_TOMORROW & frame.words) and not _MORNING & frame.words
    return request.wish not in ("aspects", "other_day") and next_day and "opinion" not in frame.asked.aspects


_TOMORROW = frozenset({"tomorrow", "morgen", "übermorgen", "明天", "后天"})
_MORNING = frozenset({"today", "heute", "guten", "gestern", "am", "jeden", "diesen"})
"""Words beside which `Morgen` is a part of the day, as in `Guten Morgen`."""


def _is_known_ahead(request: MessageRequest) -> bool:
    """Tell whether an answer is known before its days: of a calendar, or of a fiscal period that ended before."""
    lookup = request.lookup
    if request.wish == "lookup":
        return lookup is not None and lookup.tool in _CALENDARS
    of_statements = bool(request.figures) and all(figure.tool == "get_statement_figure" for figure in request.figures)
    fiscal = request.frame is not None and request.frame.period and set(request.parts) <= _OF_LAST_PERIOD
    return of_statements or (bool(request.parts) and (fiscal or set(request.parts) <= {*OF_COMING, "fed", "hours"}))


_CALENDARS = frozenset({"get_earnings_calendar", "get_economic_calendar", "calendar_events"})


def honoured(request: MessageRequest, today: date) -> MessageRequest:
    """Return a request, declined where its answer would not honour a word of it, as `and in 2023?` of a risk."""
    frame = request.frame
    if frame is not None and request.wish in _OF_DATA and lie_before_data(frame.days):
        return replace(request, wish="unread", declined=f"Nothing before {FIRST_DAY} is in these data.")
    if frame is not None and request.wish in _OF_DATA and _is_ahead(request, frame, today):
        return replace(request, wish="unread", declined="")
    if request.wish not in ("aspects", "figures") or frame is None:
        return request
    changes = request.wish == "figures" and bool(request.figures) and is_change(request.figures)
    missed = not_ordered(("price",) if changes else request.parts, frame)
    if request.wish == "aspects" and names_days(request.said):
        missed = missed or days_not_used(request.parts, frame, today)
    reason = f"{BESIDE} '{missed}', which an answer of this kind is not about."
    return replace(request, wish="unread", declined=reason) if missed else request
