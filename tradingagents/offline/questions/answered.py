"""What of a question its reply answers: each part of it is answered, or named as not answered, or the reply declines.

It looks at what was given, not at what kind of question it is: the parts that sentences were written for, the tools
that answered, of which companies, over which days. What no table here says to be held by any of them is not answered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from tradingagents.offline.questions.asked import AskedFigure
from tradingagents.offline.questions.conversation import ToolFact
from tradingagents.offline.questions.coverage import NEUTRAL, OF_NOW, held_aspects
from tradingagents.offline.questions.economy import ECONOMY, RELEASED
from tradingagents.offline.questions.forms.company_size import LARGE
from tradingagents.offline.questions.forms.session_kinds import OF_SESSIONS, UNITS
from tradingagents.offline.questions.frame_words import MARKET, SHARES_NEEDED
from tradingagents.offline.questions.measures import CASH_HELD, RATIOS
from tradingagents.offline.questions.message import MessageRequest
from tradingagents.retrieval.questions.days import NamedDays
from tradingagents.retrieval.questions.spans import FIRST_DAY
from tradingagents.retrieval.questions.turns.question_parts import QuestionPart, asks_for_market

CHECKED = frozenset({"aspects", "lookup", "figures", "moved", "compare", "worth", "capability"})
"""Requests whose reply is checked: the others ask nothing of the data, or read what they need by themselves."""
OF_FREE_WORDS = frozenset({"search_filings", "search_transcripts", "answer_from_filings"})
"""Capabilities that are given the words of a question, all of them."""
UNREASONED = frozenset({"cause", "because"})
"""Demands for a reason: one sentence says that none is known, and the rest of the part is answered all the same."""
UNJUDGED = "tone"
"""The demand for good, bad or important news: one sentence says that they are not told apart, and they are listed."""
_ALSO: Mapping[str, frozenset[str]] = {
    "cause": frozenset({"price", "news", "results"}),
    "peak": frozenset({"high"}),
    "high": frozenset({"peak"}),
    "valuation": frozenset({"price", "growth"}),
    "opinion": frozenset({"price", "averages", "rsi", "valuation", "risk"}),
    "fed": frozenset({"rates"}),
    "curve": frozenset({"rates"}),
    "rates": frozenset({"yield"}),
    "insiders": frozenset({"people"}),
    "insiders_across": frozenset({"insiders", "people"}),
    "screen": frozenset(
        {
            *("members", "winners", "losers", "sectors", "price", "risk", "rsi", "dividend", "yield", "margin"),
            *("growth", "valuation", "momentum", "beaten", "peak", "debt", "profit", "cash", "ideas", "opinion"),
            "drawdown",
            *RATIOS,
        }
    ),
    "ideas": frozenset({"members", "opinion", "risk"}),
    "sector": frozenset({"sectors", "members", "price"}),
    "recap": frozenset({"winners", "losers", "sectors", "cause"}),
    "correction": frozenset({"peak"}),
    "index": frozenset({"price", "peak"}),
    "results": frozenset({"profit", "report_date", "reporting"}),
    "growth": frozenset({"results"}),
    "profit": frozenset({"results", "margin"}),
    "margin": frozenset({"results", "profit"}),
    "cash": frozenset({"results"}),
    "debt": frozenset({"results"}),
    "dividend": frozenset({"yield"}),
    "report_date": frozenset({"results", "reporting"}),
    "reporting": frozenset({"results", "report_date"}),
    "drawdown": frozenset({"risk"}),
    "listing": frozenset({"price"}),
    "volume": frozenset({"averages", "price"}),
    "volumes": frozenset({"volume", "averages", "price"}),
    "periods": frozenset({"price", "recap", *UNITS}),
    "level_last": frozenset({"price", "recap"}),
    "hours": frozenset({"recap", "price", "low"}),
    "daily": frozenset({"price", "recap", "streak", "gap", "correlation"}),
    "risk": frozenset({"drawdown", "beta"}),
    "analysts": frozenset({"news"}),
    "releases": frozenset({"economy", "inflation", "jobs", "fed", "rates"}),
}
"""Aspects that the sentences on an aspect hold besides."""
_WITH_DIVIDENDS = "with dividends"
_NEWS = frozenset({"news", "get_news"})
_MULTIPLES = frozenset({"valuation", *RATIOS, "growth", "margin", "profit", "dividend", "trailing_forward_pe"})
"""What is known of companies and not of the market as a whole."""
_INSIDERS = frozenset({"insiders", "insiders_across", "get_insider_transactions"})
_LISTS = frozenset(
    {
        *("winners", "losers", "screen", "sectors", "sector", "reporting", "ideas", "recap", "get_market_movers"),
        *("top_companies", "get_industry_performance", "get_sector_performance", "get_earnings_calendar"),
    }
)
_RESULTS = frozenset({"results", "earnings"})
_ECONOMY = frozenset({*ECONOMY, "releases", "macro_focus"})
_CALENDARS = frozenset(
    {"report_date", "reporting", "get_earnings_calendar", "calendar_events", "get_economic_calendar", "releases"}
)
_OF_EXTREMES = _ECONOMY | frozenset(
    {
        *(
            "high",
            "low",
            "peak",
            "drawdown",
            "daily",
            "periods",
            "volumes",
            "index",
            "correction",
            "breadth",
            "market_breadth",
            "hours",
        ),
        *("market_snapshot", "risk_profile", "get_market_indices"),
    }
)
"""What tells of the highest or the lowest of something over some days."""
_MET_BY: Mapping[str, frozenset[str]] = {
    "when": _INSIDERS
    | _CALENDARS
    | _RESULTS
    | frozenset(
        {
            *(*RELEASED, "high", "low", "peak", "dividend", "news", "filings", "drawdown", "cause", "listing", "split"),
            *("hours", "daily", *OF_SESSIONS),
            *("correction", "get_news", "search_filings", "search_transcripts", "risk_profile", "watchlist"),
        }
    ),
    "meaning": frozenset(),  # terms that are known are explained before
    "consequence": frozenset(),
    "cause": frozenset({"cause", "news", "get_news"}),
    "because": frozenset({"cause", "get_news"}),
    "who": _INSIDERS | _LISTS,
    "how_many": _INSIDERS
    | _RESULTS
    | frozenset(
        {
            *(
                "breadth",
                "social",
                "market_breadth",
                "get_industry_performance",
                "get_social_sentiment",
                "company_info",
            ),
            *("shares_needed", "daily", "split", "jobs", "claims", "volumes"),
        }
    ),
    "how_often": _RESULTS | {"daily"},
    "how_long": frozenset({"drawdown", "risk_profile", "listing", "daily"}),
    "per_share": _RESULTS
    | frozenset(
        {
            *("price", "dividend", "valuation", "averages", "high", "low", "peak", "opinion", "get_dividends"),
            *("market_snapshot", "trailing_forward_pe", "valuation", "get_price_change", "cause", "screen", "index"),
        }
    ),
    "each_period": frozenset({"dividend", "series", "periods"}),
    "average": frozenset({"averages", "history", "volume", "volumes"}),
    "earlier": _ECONOMY
    | _RESULTS
    | frozenset({"history", "growth", "margin", "dividend", "debt", "price", "cause", "index", "get_price_change"}),
    "reported": _CALENDARS | _RESULTS | _ECONOMY,
    "event": frozenset({"event"}),
    "anchored": frozenset(
        {"cause", "event", "opinion", "ideas", "split", "hours", "daily", "fed", "listing", "report_date", "reporting"}
    ),
    "extreme": frozenset({"daily", "periods", "volumes"}),
    "which_period": _CALENDARS
    | _RESULTS
    | frozenset({*RELEASED, "high", "low", "peak", "dividend", "news", "filings", "drawdown", "listing", "split"})
    | {"periods", "volumes"},
    "intraday": frozenset({"high", "low", "gap"}),
    "regain": frozenset({"peak"}),
    "amount": frozenset(
        {
            *(
                "price",
                "cause",
                "index",
                "daily",
                "dividend",
                "profit",
                "growth",
                "cash",
                "debt",
                "high",
                "low",
                "peak",
            ),
            *("valuation", "statement", "buybacks", "averages", "opinion", "overview", *_INSIDERS, *_RESULTS),
            *("get_price_change", "market_snapshot", "get_market_indices", "get_statement_figure", "series"),
        }
    ),
    "expected": frozenset(RELEASED),
    "against_estimates": frozenset({*RELEASED, "results", "earnings"}),
    "others": frozenset({"recap", "index", "mood", "sectors", "get_market_indices", "market_breadth"}),
    "superlative": _LISTS | _OF_EXTREMES | _INSIDERS - {"insiders", "get_insider_transactions"},
    "rank": _LISTS,
    "supposed": frozenset({_WITH_DIVIDENDS}),
    "per_unit": frozenset({"daily", "risk", "volume"}),
    "combined": frozenset({"daily"}),
    "multiple": frozenset({"risk", "beta"}),
    "outpaces": frozenset(),
    "first_time": frozenset({"listing", "level_last"}) | _ECONOMY,
    "ever": _LISTS | _OF_EXTREMES | _RESULTS | _INSIDERS | {"split", "listing", "buybacks"},
    "share_count": frozenset({"shares"}),
    "tone": frozenset(),
    "market_multiple": frozenset(),
    "gap": frozenset(),
}
"""What holds what a question demands, parts of aspects and capabilities; what is in no row holds nothing of it."""
_TELL_MARKET = frozenset(
    {
        *("recap", "index", "mood", "breadth", "correction", "daily", "hours", "ideas", "screen", "get_market_indices"),
        *("market_breadth", "market_regime", "fear_greed", "get_price_change"),
    }
)
"""What says how the market did, and lists of its stocks by what they did."""
_STILL = frozenset(
    {
        *("results", "report_date", "reporting", "dividend", "insiders", "insiders_across", "news", "analysts"),
        *("social", "profile", "filings", "earnings", "get_earnings_calendar", "get_news", "get_filings"),
        *("get_insider_transactions", "company_info", "get_dividends", "get_social_sentiment", "series"),
        *("search_filings", "search_transcripts"),
    }
)
"""What says nothing of a rise or a fall."""
_SLACK = timedelta(days=4)
"""By how much the days of an answer may differ from those asked for: a window begins at the close before it."""


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """What a reply holds."""

    names: frozenset[str]
    """Aspects that sentences were written for, and capabilities that answered."""
    aspects: frozenset[str]
    """All aspects that these hold."""
    subjects: frozenset[str]
    """Companies and indices that they are of."""
    windows: tuple[tuple[date, date], ...] = ()
    """Days that prices and figures are of."""
    figures: tuple[AskedFigure, ...] = ()
    periods: int = 0
    """Fiscal periods of which a figure was given."""
    lists_all: bool = False
    """Whether a list says how many of its companies keep a bound."""
    by_words: bool = True
    """Whether the question was read word by word."""
    label: str = ""
    """What is looked up, in words."""


@dataclass(frozen=True, slots=True)
class Unanswered:
    """What of a question its reply does not answer."""

    parts: tuple[str, ...] = ()
    """Parts as they are written, or words of one."""
    unreasoned: bool = False
    """Whether a reason is asked for, or taken for granted, that is not known."""
    unjudged: bool = False
    """Whether good, bad or important news are asked for, which are not told apart."""
    declined: str = ""
    """The words of what is asked where nothing of it is answered; empty where something is."""


def given_by(request: MessageRequest, results: Sequence[ToolFact]) -> GivenAnswer:
    """Return what the reply to a request holds, from the tools that answered."""
    found = [fact for fact in results if not fact.failed]
    by_words = request.wish == "aspects"
    tools = {fact.answered_by for fact in found}
    parts = set(request.parts) if by_words else set()
    aspects = set(parts).union(*(_ALSO.get(part, frozenset()) for part in parts))
    if by_words and request.frame is not None:
        aspects |= set(request.frame.asked.aspects)  # all of them are read: else it is not answered by its words
    else:
        aspects |= held_aspects(request.wish, request.lookup) | {"price"} | _of_figures(request.figures)
    names = parts | (tools & {"series"} if by_words else tools)
    if request.with_dividends:
        aspects |= {"dividend"}
        names |= {_WITH_DIVIDENDS}
    statements = [fact for fact in found if fact.answered_by == "get_statement_figure"]
    periods = {
        str(fact.facts.get("period", "")) for fact in statements if str(fact.given.get("change", "none")) == "none"
    }
    frame = request.frame
    if frame is not None and "event" in frame.demands and {"earnings", "get_price_change"} <= tools:
        names |= {"event"}
    if frame is not None and "results" in parts and frame.of_earnings:
        names |= {"earnings moved"}
    if frame is not None and "dividend" in parts and SHARES_NEEDED & frame.asked.asks and frame.levels:
        names |= {"shares_needed"}
    if frame is not None and RATIOS.keys() & parts:
        names |= {"history"} & frame.asked.asks
    lists_all = frame is not None and bool(frame.bounds or {"fell", "rose"} & set(frame.asked.claims))
    return GivenAnswer(
        frozenset(names),
        frozenset(aspects),
        frozenset(fact.subject for fact in found if fact.subject),
        tuple(window for fact in found if (window := _window(fact)) is not None),
        request.figures,
        len(periods),
        lists_all and "screen" in parts,
        by_words,
        request.lookup.label if request.lookup is not None else "",
    )


def _of_figures(figures: Sequence[AskedFigure]) -> frozenset[str]:
    """Return the aspects that line items of statements answer, such as the dividends paid in a fiscal year."""
    items = {str(value) for figure in figures for name, value in figure.arguments if name == "figure"}
    return frozenset(_OF_ITEMS[item] for item in items if item in _OF_ITEMS)


_OF_ITEMS = {
    **dict.fromkeys((CASH_HELD, "operating_cash_flow", "free_cash_flow"), "cash"),
    "dividends": "dividend",
    "share_repurchases": "buybacks",
}


def unanswered(parts: Sequence[QuestionPart], given: GivenAnswer, named: Sequence[tuple[str, str]]) -> Unanswered:
    """Return what of a question a reply does not answer.

    Args:
        parts: The parts of the question.
        given: What the reply holds.
        named: The companies and indices that the question names, each with the words for it.
    """
    leading = (said for part in parts for said in _unmet(part, given, ("anchored",)) if _begins_with(part, said))
    if supposed := next((said for part in parts for said in _unmet(part, given, _OF_WHOLE)), "") or next(leading, ""):
        return Unanswered(declined=supposed)  # on which all of the question rests
    missed, answered, unreasoned = [], False, False
    for part in parts:
        words = next(iter(_unmet(part, given)), "")
        unreasoned = unreasoned or any(
            demand.kind in UNREASONED and not _is_met(demand.kind, given) for demand in part.demands
        )
        content = _content(part)
        market = asks_for_market(part) and not part.asked.claims and MARKET not in given.subjects
        if len(parts) > 1 and market and _TELL_MARKET.isdisjoint(given.names):
            missed.append((part.text, part.asked.said_of("recap")))
        elif words:
            missed.append((part.text, words))
        elif len(parts) > 1 and not given.by_words and _is_unread(part, given):
            missed.append((part.text, part.asked.left[0]))
        elif not given.by_words and content and not content & given.aspects:
            missed.append((part.text, part.asked.said_of(next(iter(part.asked.aspects)))))
        else:
            says = part.names and (part.asked.claims or part.asked.aspects)  # a name alone is part of the rest
            answered = (
                answered or bool(content or part.demands or says) or bool(set(part.asked.aspects) & given.aspects)
            )
    if missed and not answered:
        return Unanswered(declined=missed[0][1])
    texts = [text for text, _ in missed]
    others = [(text, span) for text, span in _other_days(parts, given) if all(text not in told for told in texts)]
    asking = [part for part in parts if part.names or part.asked.aspects]  # `and the year before?` names neither
    if others and asking and len(others) >= len(asking):
        return Unanswered(declined=others[0][1])
    texts += [text for text, _ in others]
    texts += [words for symbol, words in named if symbol not in given.subjects]
    kinds = {demand.kind for part in parts for demand in part.demands}
    unjudged = UNJUDGED in kinds and not _is_met(UNJUDGED, given)
    return Unanswered(tuple(dict.fromkeys(texts)), unreasoned, unjudged)


def _begins_with(part: QuestionPart, said: str) -> bool:
    """Tell whether a part only says since or after what the others ask: `after falling, did it recover`."""
    return part.text.lower().startswith(said.split()[0]) and not part.asked.aspects


def _is_unread(part: QuestionPart, given: GivenAnswer) -> bool:
    """Tell whether a part says only what no table knows, beside what is looked up."""
    if part.asked.aspects or part.asked.claims or part.demands:
        return False
    return bool(part.asked.left) and set(part.asked.left).isdisjoint(given.label.split())


def _content(part: QuestionPart) -> set[str]:
    """Return the aspects of a part that say what is asked."""
    return set(part.asked.aspects) - NEUTRAL - {"cause", "price", "recap"}


def _unmet(part: QuestionPart, given: GivenAnswer, kinds: Sequence[str] = ()) -> Iterator[str]:
    """Yield the words of a part that demand what a reply does not hold; of some kinds of demand only where named."""
    for demand in part.demands:
        if kinds and demand.kind not in kinds:
            continue
        advice = "opinion" in part.asked.aspects and demand.kind in _OF_ADVICE  # `should i buy before earnings`
        advice = advice or (demand.kind == "supposed" and "invested" in part.asked.asks)
        advice = advice or (demand.kind == "anchored" and _gives_reason(part, demand.said))
        if demand.kind in _OF_ORDER and LARGE & set(demand.said.split()) and _is_of_moves(part, given):
            yield demand.said
        if demand.kind not in (*UNREASONED, UNJUDGED) and not advice and not _is_met(demand.kind, given):
            yield demand.said
    if kinds:
        return
    if {"raised_dividend", "cut_dividend"} & set(part.asked.claims) and "when" in {each.kind for each in part.demands}:
        yield next(each.said for each in part.demands if each.kind == "when")  # no day of a change is known
    moves = {"fell", "rose"} & set(part.asked.claims)
    if moves and given.names and given.names <= _STILL:
        yield part.text


def _gives_reason(part: QuestionPart, said: str) -> bool:
    """Tell whether `since` means because: `since it crashed in March, should I worry` takes a move for granted."""
    moves = " ".join(part.asked.said_of(claim) for claim in part.asked.claims if claim in ("fell", "rose")).split()
    return said.split()[0] == "since" and said.split()[-1] in moves


def _is_of_moves(part: QuestionPart, given: GivenAnswer) -> bool:
    """Tell whether sectors are put in order by what they did, of which a part does not ask: `the biggest sector`."""
    moves = part.asked.claims or part.asked.has("winners", "losers", "price", "recap", "drawdown")
    return bool(given.names) and given.names <= _SECTORS and not moves


_OF_ORDER = ("superlative", "rank")
_SECTORS = frozenset({"sector", "sectors", "get_sector_performance", "get_industry_performance"})
_OF_WHOLE = ("supposed", "combined")
"""Demands on which all of a question rests, whatever part of it says them."""
_OF_ADVICE = frozenset({"event", "anchored", "supposed"})
"""What an answer on what is known may leave out where advice is asked for: it says that it gives none."""


def _is_met(kind: str, given: GivenAnswer) -> bool:
    if _MET_BY[kind] & given.names:
        return True
    several = len(given.subjects) > 1
    labels = " ".join(f"{figure.label} {' '.join(figure.figures)}" for figure in given.figures)
    changes = any(dict(figure.arguments).get("change", "none") != "none" for figure in given.figures)
    more: Mapping[str, bool] = {
        "who": several,
        "rank": several and given.by_words,
        "superlative": several or "highest" in labels or "lowest" in labels,
        "combined": not several,
        "market_multiple": given.names.isdisjoint(_MULTIPLES),
        "tone": given.names.isdisjoint(_NEWS),
        "others": "^GSPC" in given.subjects,
        "how_many": given.lists_all,
        "per_share": "per share" in labels
        or "eps" in labels
        or bool(given.figures and given.figures[0].tool == "get_price_change"),
        "each_period": given.periods > 1,
        "gap": True,  # told of two companies behind the reply; of one its change is
        "average": "average" in labels
        or any(dict(figure.arguments).get("change") == "average" for figure in given.figures),
        "earlier": changes or given.periods > 1,
    }
    return more.get(kind, False)


_OF_DAYS = frozenset({"get_price_change", "get_earnings_calendar"})
"""What is looked up for the very days of a question; other windows reach further, such as those of news."""
_ENDS = (("start", "from_date"), ("end", "to_date"))


def _window(fact: ToolFact) -> tuple[date, date] | None:
    if fact.answered_by not in _OF_DAYS or fact.given.get("symbol"):
        return None
    start, end = (fact.given.get(f"{name}_date", fact.given.get(other)) for name, other in _ENDS)
    return (date.fromisoformat(str(start)), date.fromisoformat(str(end))) if start and end else None


def _other_days(parts: Sequence[QuestionPart], given: GivenAnswer) -> Iterator[tuple[str, str]]:
    """Yield the parts whose days the answer is not of, where prices or events of some days were looked up for it."""
    asked = [(part, window) for part in parts if part.span and (window := _asked_window(part.days)) is not None]
    asked = [(part, window) for part, window in asked if window[0] > FIRST_DAY]  # all days since it was listed
    if not given.windows:
        return
    for part, (start, end) in asked:
        near = (
            (abs(start - first) <= _SLACK and (abs(end - last) <= _SLACK or end > last))  # such as a month that goes on
            or (part.asked.has("high", "low", "peak") and part.span in OF_NOW and abs(end - last) <= _SLACK)
            or ("compare" in part.asked.asks and abs(end - first) <= _SLACK)  # what it did since, set against then
            or (not part.days.window and abs(end - first) <= _SLACK)  # a day, and its close begins the answer's days
            for first, last in given.windows
        )
        if not any(near):
            yield part.text, part.span


def _asked_window(days: NamedDays) -> tuple[date, date] | None:
    if days.window and days.start is not None and days.end is not None:
        return days.base or days.start, days.end
    return (days.days[0] - timedelta(days=1), days.days[0]) if days.days else None
