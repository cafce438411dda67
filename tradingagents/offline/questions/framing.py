"""How a question is read into its frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from tradingagents.offline.questions.conversation import ConversationBrief
from tradingagents.offline.questions.economy import ECONOMY
from tradingagents.offline.questions.forms.company_size import by_size
from tradingagents.offline.questions.forms.highs import regained
from tradingagents.offline.questions.forms.industries import of_industries
from tradingagents.offline.questions.forms.list_ends import both_ends, names_both_ends, ranked
from tradingagents.offline.questions.forms.session_kinds import THE_FIRST, UNITS, asks_level
from tradingagents.offline.questions.forms.traders import by_whom
from tradingagents.offline.questions.frame_words import (
    A_DAY,
    BARE_GROWTH,
    IN_YEARS,
    MARKET,
    OF_DAYS,
    SHARES_NEEDED,
    STOCKS,
    asks_day_of_most,
    asks_last_alike,
)
from tradingagents.offline.questions.frames import QuestionFrame
from tradingagents.offline.questions.lookups import (
    BY_FIGURE,
    index_named,
    indices_named,
    industry_named,
    other_market_named,
    sector_named,
)
from tradingagents.retrieval.questions.aspects import AskedAspects, read_aspects, words_of_aspects
from tradingagents.retrieval.questions.companies import one_slip
from tradingagents.retrieval.questions.days import NamedDays
from tradingagents.retrieval.questions.funds import fund_symbols
from tradingagents.retrieval.questions.names import in_english, names_table, percentage_in, without_indices
from tradingagents.retrieval.questions.periods.unclear_days import unclear_days
from tradingagents.retrieval.questions.periods.windows_apart import since_a_day, windows_apart
from tradingagents.retrieval.questions.plain_words import plain_words
from tradingagents.retrieval.questions.reading import QuestionReading
from tradingagents.retrieval.questions.spans import completed, last_session, named_days, without_today
from tradingagents.retrieval.questions.turns.demands import demands_in
from tradingagents.retrieval.questions.turns.question_parts import asks_for_market, question_parts
from tradingagents.retrieval.questions.wording import (
    ListBound,
    asks_membership,
    asks_whether,
    bounds_in,
    joined_parts,
    levels_in,
    loose_levels,
    loose_units,
    ordered_by,
    person_named,
    signed_percentage,
    without_days,
    without_names,
    without_place,
    without_rows,
    words_in,
)


def frame_of(
    reading: QuestionReading, brief: ConversationBrief, symbols: tuple[str, ...], names: tuple[str, ...]
) -> QuestionFrame:
    """Read a question into its frame.

    Args:
        reading: The question.
        brief: What the agent knows.
        symbols: The companies that it names.
        names: Words of it that may name others.
    """
    found = _as_named(reading, brief, symbols, names)
    industry = "" if symbols else industry_named(reading)
    return replace(found, industry=industry, of_whole_market=not found.symbols and _asks_for_market(reading, brief))


def _as_named(
    reading: QuestionReading, brief: ConversationBrief, symbols: tuple[str, ...], names: tuple[str, ...]
) -> QuestionFrame:
    """Return the frame of a question by the words in it."""
    index, sector, indices = index_named(reading), sector_named(reading), indices_named(reading)
    dated, place, rows = _without_list_words(_without_groups(reading, brief.day, indices, "" if symbols else sector))
    rest, span = without_days(dated)
    demands = frozenset(demand.kind for demand in demands_in(reading.without_companies))
    figure, rest = _figure_named(reading, rest) if symbols else ("", rest)
    levels = levels_in(rest)
    rest, bounds = (rest, ()) if symbols or (index and not STOCKS & words_in(rest)) else bounds_in(rest)
    own = tuple(dict.fromkeys((*symbols, *(indices if symbols else ()))))
    if len(indices) > 1 and not symbols and span:
        own, index = indices, ""  # each over the days that are named
    rest = _without_own_names(rest, brief, symbols)
    asked = read_aspects(rest)
    first, also, apart = _windows_named(dated, asked, brief.day)
    days, span = (first, span) if first else _days_named(reading, demands, span, brief.day)
    doubtful = "" if apart else unclear_days(reading.english, brief.day)
    if asked.negated and asks_whether(reading.said):
        asked = replace(asked, negated="")  # `it pays no dividend, does it?` asks whether it does
    own = _with_market(own, asked, demands)
    words = words_in(f"{reading.without_companies} {rest}") | _members_named(reading, index)
    if index and not own and _is_told_by_days(asked, demands, words, apart or _is_of_past(asked, days, brief.day)):
        own, index = (index,), ""  # days of an index are told as those of a company
    person, asked, names = _person_in(rest, asked, names)
    ordered = asked if symbols else _ordered_by(ranked(by_size(asked, words, sector, span), words, sector), rest)
    asked = regained(_as_meant(ordered, reading, rest, own, is_dated=bool(span)), demands if own else ())
    asked = _with_price(asked, reading, brief) if span else asked
    return QuestionFrame(
        replace(asked, left=_words_left(asked, rest, bounds, doubtful, demands, span)),
        (days := _since_then(days, words, own, brief.day)),
        own,
        names,
        index if not symbols else "",
        sector if not symbols else "",
        other_market_named(reading) if set(symbols) <= set(fund_symbols()) else "",
        _span_of(days, span, brief.day),
        words,
        levels,
        bounds,
        person,
        indices,
        also,
        begins=not brief.before,
        figure=figure,
        ordered=_ordered(reading),
        demands=demands,
        place=place,
        rows=0 if names_both_ends(words) else rows,
    )


def _without_list_words(rest: str) -> tuple[str, int, int]:
    """Return a question without the place in a list that it asks for and without how many rows of one, and both."""
    rest, place = without_place(rest)
    rest, rows = without_rows(rest)
    return rest, place, rows


def _person_in(rest: str, asked: AskedAspects, names: tuple[str, ...]) -> tuple[str, AskedAspects, tuple[str, ...]]:
    """Return who is said to have bought or sold, and what is asked and named without the words for it."""
    person = "" if {"bought", "sold"}.isdisjoint(asked.asks) else person_named(rest, (*asked.left, *names))
    if not person:
        return "", asked, names
    asked = replace(asked, left=tuple(word for word in asked.left if word not in person.split()))
    return person, asked, tuple(name for name in names if not set(name.lower().split()) <= set(person.split()))


def _is_of_days(asked: AskedAspects, demands: frozenset[str], words: frozenset[str]) -> bool:
    """Tell whether a question on an index asks of its days what is told of a company: the best, how often it fell."""
    often = "how_long" in demands and bool(A_DAY & words and {"fell", "rose"} & set(asked.claims))
    named = often or bool(demands & {"extreme", "how_often"}) or asks_day_of_most(asked, demands)
    named = named or asked.has(*OF_DAYS, *UNITS, "high", "low") or asks_level(asked, demands, words)
    return named or asks_last_alike(words)


def _without_own_names(rest: str, brief: ConversationBrief, symbols: tuple[str, ...]) -> str:
    """Return a text without the words of the companies' own names."""
    listed = brief.instruments.words_of(symbols) if brief.instruments is not None else frozenset()
    return " ".join(word for word in rest.split() if not _is_of_name(word, listed))


def _figure_named(reading: QuestionReading, rest: str) -> tuple[str, str]:
    """Return the figure of statements that a question names and no aspect tells, and its text without the words."""
    figure = _own_figure(reading)
    return figure, without_names(rest, (figure, *_OF_COSTS)) if figure else rest


def _is_told_by_days(asked: AskedAspects, demands: frozenset[str], words: frozenset[str], of_past: bool) -> bool:
    """Tell whether a question on an index is told as one on a company: of its single days, or of days that are over."""
    return (of_past and not STOCKS & words) or _is_of_days(asked, demands, words)


def _windows_named(dated: str, asked: AskedAspects, today: date) -> tuple[NamedDays | None, NamedDays | None, bool]:
    """Return the first and the second window of two that a question names, and whether it sets them side by side.

    None where it names one, or one that is read without them.
    """
    if (also := _second_window(dated, today)) is not None or not set(asked.aspects) <= {"price", "recap"}:
        return None, also, False
    if apart := windows_apart(dated, today):
        return *apart, True
    return since_a_day(dated, today), None, False


def _members_named(reading: QuestionReading, index: str) -> frozenset[str]:
    """Return the word for the members of an index that a mention such as `Dow stock` took out of a question."""
    said = " ".join(mention.written.lower() for mention in reading.mentions) if index else ""
    return STOCKS & words_in(said) or (frozenset({"stocks"}) if "stock" in words_in(said) else frozenset())


def _is_of_past(asked: AskedAspects, days: NamedDays, today: date) -> bool:
    """Tell whether it asks of an index what it did over days that are over: where it stands now is no part of that."""
    end = days.end if days.window else days.days[0] if len(days.days) == 1 else None
    alone = set(asked.aspects) <= {"price"} and "level" not in asked.claims and "compare" not in asked.asks
    return alone and end is not None and end < last_session(today)


def _days_named(reading: QuestionReading, demands: frozenset[str], span: str, today: date) -> tuple[NamedDays, str]:
    """Return the days of a question and its words for them; without the present one where it may be the best."""
    english = without_indices(reading.english) if indices_named(reading) else reading.english  # `Russell 2000`
    days, others = (named_days(text, today) for text in (english, without_today(english)))
    if "extreme" not in demands or not days.window or days.start != days.end:
        return days, span
    return others, span if others.window or others.days else ""


def _words_left(
    asked: AskedAspects, rest: str, bounds: Sequence[ListBound], doubtful: str, demands: frozenset[str], span: str
) -> tuple[str, ...]:
    """Return the words of a question that nothing of it explains, its numbers and why its days cannot be told too."""
    known = IN_YEARS if "extreme" in demands else frozenset()
    known |= _CHANGES_OF_DIVIDEND if {"cut_dividend", "raised_dividend"} & set(asked.claims) else frozenset()
    known |= THE_FIRST if asks_level(asked, demands, words_in(rest)) else frozenset()
    left = [word for word in asked.left if word not in known]
    times = _TIMES & words_in(rest)  # `doubled in a year` is told of twelve months
    if not (span or times or demands & _OF_PERIODS or asked.has(*_OF_YEARS)):
        left += loose_units(without_names(rest, [said for _, said in asked.phrases]))
    if not asked.has("high", "low", "peak", "drawdown", "averages"):
        left += loose_levels(rest)
    return (*left, *_numbers_unread(asked, rest, bounds), *([doubtful] if doubtful else []))


_CHANGES_OF_DIVIDEND = frozenset({"cut", "raise", "hike", "increase"})
"""Words that name again what a question says a company did to its dividend: `how bad is the cut?`."""


def _as_meant(
    asked: AskedAspects, reading: QuestionReading, rest: str, own: Sequence[str], *, is_dated: bool
) -> AskedAspects:
    """Return what is asked with what only the place or the sign of a word tells: `Apple high this month`, `-26%?`."""
    behind = [word for word in rest.replace("?", " ").split() if word not in _JOINS_DAYS][-2:]
    end = _ENDS.get(behind[-1]) if behind else None
    if own and is_dated and end and not asked.aspects and behind[0] not in _NO_RANGE:
        left = tuple(word for word in asked.left if word != behind[-1])
        asked = replace(asked, aspects=(end,), left=left)  # `Apple high this month`
    if own and not asked.claims and (signed := signed_percentage(reading.text)):  # `Intel -26%?`
        numbers = {part for part in signed[1].split(".") if part}
        left = tuple(word for word in asked.left if word not in numbers)
        asked = replace(asked, claims=("rose" if signed[0] == "+" else "fell",), left=left, numbers=())
    if own and set(asked.aspects) <= {"recap", "price", "members"} and asks_membership(reading.said):
        asked = replace(asked, unheld=("membership",))
    if word := _rises_on_a_day(reading.said):
        asked = replace(asked, ahead=word)
    words = words_in(rest)
    if own and not asked.aspects and _SHRINKS & words:  # a company grows or shrinks by its revenue
        left = tuple(word for word in asked.left if word not in _SHRINKS)
        asked = replace(asked, aspects=("growth",), claims=tuple(dict.fromkeys((*asked.claims, "fell"))), left=left)
    if len(own) > 1 and asked.has("winners", "losers"):  # `which fell more, A or B`: a move of both
        moved = tuple(_MOVE_OF[name] for name in asked.aspects if name in _MOVE_OF)
        others = tuple(name for name in asked.aspects if name not in _MOVE_OF)
        asked = replace(asked, aspects=others or ("price",), claims=tuple(dict.fromkeys((*asked.claims, *moved))))
    if own and asked.has("growth", "profit") and _SHRINKS & words:
        asked = replace(asked, claims=tuple(dict.fromkeys((*asked.claims, "fell"))))
    ends = tuple(end for word, end in _TOP.items() if word in words)
    if ends and not own and not asked.aspects and set(asked.left) <= _COUNTS and (asked.left or asked.numbers):
        asked = replace(asked, aspects=ends, left=())  # `top 5 this month`
    asked = by_whom(asked, words_in(reading.said)) if own else both_ends(of_industries(asked), words)
    return _of_changed_rate(asked, several=len(own) > 1)


def _ordered_by(asked: AskedAspects, rest: str) -> AskedAspects:
    """Return what a list is asked by first: `most profitable by margin`; how profit grew is in none.

    Args:
        asked: What the question says.
        rest: Its text.
    """
    by = ordered_by(plain_words(rest), asked.phrases)
    if by not in asked.aspects:
        return asked
    grows = asked.said_of("growth") in BARE_GROWTH and asked.has("growth") and by in _OF_STATEMENTS and by != "growth"
    left = (*asked.left, asked.said_of("growth")) if grows else asked.left
    return replace(asked, aspects=(by, *(name for name in asked.aspects if name != by)), left=left)


def _with_price(asked: AskedAspects, reading: QuestionReading, brief: ConversationBrief) -> AskedAspects:
    """Return what is asked with the price first where a part of its own says that it moved."""
    if not _moved_beside_figures(asked, reading, brief):
        return asked
    return replace(asked, aspects=("price", *(name for name in asked.aspects if name != "price")))


def _moved_beside_figures(asked: AskedAspects, reading: QuestionReading, brief: ConversationBrief) -> bool:
    """Tell whether a part of its own says of some days that a price moved: `up 20% in a month, is growth behind it`."""
    if not asked.has(*_OF_STATEMENTS) or {"fell", "rose"}.isdisjoint(asked.claims):
        return False
    parts = question_parts(reading.text, brief.day, brief.instruments)
    moved = [part for part in parts if part.span and {"fell", "rose"} & set(part.asked.claims)]
    return any(not part.asked.has(*_OF_STATEMENTS) for part in moved) and len(parts) > 1


def _asks_for_market(reading: QuestionReading, brief: ConversationBrief) -> bool:
    """Tell whether a part of its own asks how the market did: `how did the market do, and which sector led`."""
    parts = question_parts(reading.text, brief.day, brief.instruments)
    return len(parts) > 1 and any(asks_for_market(part) for part in parts)


_OF_STATEMENTS = ("growth", "profit", "margin", "cash", "debt")
_SHRINKS = frozenset(
    {
        *("shrink", "shrinks", "shrinking", "shrank", "shrunk", "contracting"),
        *("schrumpft", "schrumpfen", "schrumpfte", "geschrumpft", "schrumpfend", "萎缩", "在萎缩", "收缩"),
    }
)
"""Words that say of a company that its business gets smaller."""
_MOVE_OF = {"winners": "rose", "losers": "fell"}
_TOP = {"top": "winners", "bottom": "losers", "flop": "losers"}
_COUNTS = frozenset({"three", "five", "ten", "drei", "fünf", "zehn"})


def _since_then(days: NamedDays, words: frozenset[str], own: Sequence[str], today: date) -> NamedDays:
    """Return the days since a week before the present one where a question sets the present against it.

    `is the VIX higher than last week` asks what it did since the close of that week.
    """
    week_before = days.window and days.unit == "week" and days.end is not None and days.end < last_session(today)
    if len(own) > 1 or not week_before or not _SET_AGAINST & words:
        return days
    return replace(days, start=days.end, base=days.end, end=today)


_SET_AGAINST = frozenset({"than", "vs", "versus", "against", "compared", "als", "gegenüber", "比", "相比"})
_TIMES = frozenset({"doubled", "tripled", "halved", "verdoppelt", "halbiert"})
_OF_PERIODS = frozenset({"each_period", "extreme", "how_often", "how_long", "earlier", "when"})
"""Demands that speak of periods and name no days."""
_OF_YEARS = ("dividend", "chart", "curve", "rates", "yield", "hours")
"""Aspects that are spoken of by the year: a dividend a year, the yield of 10 years."""
_JOINS_DAYS = frozenset({"im", "in", "for", "over", "of", "during", "am"})
_ENDS = {"high": "high", "low": "low", "hoch": "high", "tief": "low"}
_NO_RANGE = frozenset({"too", "so", "very", "that", "is", "pretty", "quite", "how", "this", "wie", "zu", "sehr", "ist"})
_BEFORE_A_NAME = frozenset({"before", "after", "vor", "nach"})


def _ordered(reading: QuestionReading) -> bool:
    """Tell whether a company stands behind a word of order, as in `does A report before B`."""
    before = (reading.before(mention).lower().split()[-1:] for mention in reading.mentions)
    return any(word and word[0] in _BEFORE_A_NAME for word in before)


_TOLD = frozenset(
    {
        *BY_FIGURE,
        "cash",
        "net_debt",
        "eps_basic",
        "equity",
        "total_equity",
        "total_liabilities",
        "payout_ratio",
        "dividends_paid",
    }
)
"""Figures of statements that an aspect tells; every other one is looked up by its name."""


_OF_COSTS = ("spending", "expense", "expenses", "costs", "ausgaben", "支出", "费用")
"""Words behind the name of a figure, as in `R&D spending`."""
_CHANGED = {
    "rate_cut": frozenset(
        {"cut", "cuts", "cutting", "lowered", "slashed", "gesenkt", "senkte", "senken", "降息", "下调"}
    ),
    "rate_raised": frozenset(
        {"hiked", "hike", "hikes", "raised", "raise", "raises", "lifted", "erhöht", "angehoben", "加息", "上调"}
    ),
}
_RAISED = frozenset(
    {
        "raise",
        "raised",
        "raises",
        "raising",
        "hike",
        "hiked",
        "hikes",
        "lift",
        "lifted",
        "upped",
        "grew",
        "increase",
        "increased",
        "erhöht",
        "angehoben",
    }
)


def _without_groups(reading: QuestionReading, today: date, indices: Sequence[str], sector: str) -> str:
    """Return a question in English without the companies, the indices, the sector and the industry that it names."""
    rest = completed(in_english(reading.without_companies), today).lower()
    for each in indices:
        rest = without_names(rest, names_table()["indices"][each])
    if sector and (industry := industry_named(reading)):
        rest = without_names(rest, names_table()["industries"][industry]["names"])
    return without_names(rest, names_table()["sectors"][sector]) if sector else rest


def _with_market(own: tuple[str, ...], asked: AskedAspects, demands: frozenset[str]) -> tuple[str, ...]:
    """Return the companies of a question with the market where it is compared with that, or with everything else."""
    beats = "beat" in asked.claims or asked.said_of("price") in ("geschlagen", "schlug")  # the market
    compared = len(own) == 1 and asked.has("recap") and ("compare" in asked.asks or beats)
    return (*own, MARKET) if own and MARKET not in own and (compared or "others" in demands) else own


def _of_changed_rate(asked: AskedAspects, *, several: bool) -> AskedAspects:
    """Return what a question says, words such as `cut` and `raised` read as of the rates, or the dividend, it names."""
    if several and not asked.has("results"):  # one beat the other, and no estimates
        asked = replace(asked, claims=tuple(claim for claim in asked.claims if claim not in ("beat", "missed")))
    if asked.has("dividend"):
        return replace(asked, left=tuple(word for word in asked.left if word not in _RAISED))
    if not asked.has("rates", "fed"):
        return asked
    claims = tuple(claim for claim, words in _CHANGED.items() if words & set(asked.left))
    left = tuple(word for word in asked.left if not any(word in words for words in _CHANGED.values()))
    return replace(asked, claims=(*asked.claims, *claims), left=left)


def _own_figure(reading: QuestionReading) -> str:
    """Return the figure of statements that a question names and no aspect tells, such as the return on equity."""
    figure = reading.figure
    key = figure.metric.key if figure.metric is not None else figure.expression
    longer = any(len(measure.words) > len(figure.name) and figure.name in measure.words for measure in reading.measures)
    told = key in _TOLD or longer  # `ebitda` in `EV/EBITDA`
    return figure.name.lower() if figure.expression and not told else ""


def _span_of(days: NamedDays, span: str, today: date) -> str:
    """Return the words for days; `today` where they name the last session by its date, or as `on Friday`."""
    last = last_session(today)
    named = days.days == (last,) and not days.window and not _OF_OTHER_DAYS & set(span.split())
    weekend = span == "yesterday" and last != today and (days.start, days.end) == (last, last)
    return "today" if named or weekend else span


_OF_OTHER_DAYS = frozenset({"yesterday", "last", "past", "this", "since", "to"})


def _second_window(rest: str, today: date) -> NamedDays | None:
    """Return the second of two windows of days that a question joins by `and`; None where it names one or none."""
    windows = [named_days(half, today) for half in joined_parts(rest) if without_days(half)[1]]
    if len(windows) != 2 or windows[0] == windows[1]:
        return None
    if all(days.window and days.end == today for days in windows):
        read_first = named_days(rest, today).start  # the other one is the second
        return next((days for days in reversed(windows) if days.start != read_first), None)
    single = [days for days in windows if len(days.days) == 1 and not days.window]
    wide = [days for days in windows if days.window and days.end == today]
    return wide[0] if single and wide else None  # the single day is read first


_COUNTED = ("winners", "losers", "ideas", "members", "sectors", "news", "reporting")


def _numbers_unread(asked: AskedAspects, rest: str, bounds: Sequence[ListBound]) -> tuple[str, ...]:
    """Return the numbers of a question that nothing of it explains: a level, a percentage, how many of a list."""
    claims = {"fell", "rose"} & set(asked.claims) and percentage_in(rest) is not None
    rated = percentage_in(rest) is not None and asked.has(*ECONOMY)  # `inflation is at 4%`
    needed = SHARES_NEEDED & asked.asks and asked.has("dividend")
    needed = needed or ("needed" in asked.asks and not asked.aspects)
    counts = {"most", "least"} & asked.asks or asked.has(*_COUNTED)
    if (
        "level" in asked.claims
        or "invested" in asked.asks
        or claims
        or rated
        or counts
        or needed
        or bounds
        or asked.has("rsi", "split")
    ):
        return ()
    return asked.numbers


def _is_of_name(word: str, listed: frozenset[str]) -> bool:
    """Tell whether a word is one of a company's own name, such as `software` behind `Ombrix`, slips allowed.

    `beat` says something of the company, and is no slip of one of its brands.
    """
    says = words_of_aspects().get(word, "").startswith(("claims.", "asks."))
    return len(word) > 3 and not says and any(word == own or one_slip(word, own) for own in listed)


_PRESENT = frozenset({"steigt", "steigen", "fällt", "fallen", "sinkt", "sinken", "klettert"})
_DAYS = frozenset({"on monday", "on tuesday", "on wednesday", "on thursday", "on friday"})


def _rises_on_a_day(said: str) -> str:
    """Return the verb of `steigt es am Montag?`: so German asks what will be; empty for another question.

    Args:
        said: The question in small letters, its days in English.
    """
    first = said.partition(" ")[0]
    return first if first in _PRESENT and any(day in said for day in _DAYS) and "letzten" not in said else ""
