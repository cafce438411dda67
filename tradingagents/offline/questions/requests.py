"""What a message asks the assistant for, from the reading of it and of the messages before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from tradingagents.offline.questions.answered import OF_FREE_WORDS
from tradingagents.offline.questions.conversation import AskedQuestion, ConversationBrief, OfferedTool
from tradingagents.offline.questions.coverage import (
    FREE,
    beside_price,
    days_not_used,
    honoured,
    move_not_used,
    not_covered,
    says_more,
)
from tradingagents.offline.questions.economy import ECONOMY
from tradingagents.offline.questions.follow_ups import filled_in, named_with, names_something, of_nobody, of_them
from tradingagents.offline.questions.forms.exclusions import list_without
from tradingagents.offline.questions.forms.sentences import by_sentences
from tradingagents.offline.questions.frame_words import OF_COMPANY
from tradingagents.offline.questions.frames import QuestionFrame
from tradingagents.offline.questions.framing import frame_of
from tradingagents.offline.questions.held import holdings_request, sums_asked
from tradingagents.offline.questions.lookups import (
    BY_KIND,
    BY_KIND_ALONE,
    INDICES,
    MARKET_DAY,
    PRICE,
    document_asked,
    economy_of,
    index_named,
    industry_named,
    is_of_index,
    lookup_of,
    of_sector,
    other_market_named,
    sector_named,
)
from tradingagents.offline.questions.mended_message import mended_message
from tradingagents.offline.questions.message import BESIDE, STARTED, MessageRequest, Wish
from tradingagents.offline.questions.named_days import days_reported, of_days
from tradingagents.retrieval.questions.aspects import spoken_language, words_of_aspects
from tradingagents.retrieval.questions.names import (
    any_stands,
    filler_words,
    market_words,
    names_table,
    stands,
    words_of_figures,
)
from tradingagents.retrieval.questions.reading import SURE, QuestionReading
from tradingagents.retrieval.questions.slips import Mended
from tradingagents.retrieval.questions.spans import next_days
from tradingagents.retrieval.questions.turns.ellipsis import goes_back, in_full_words, why_of_one, with_place
from tradingagents.retrieval.questions.wording import is_loose_unit, is_of_signs
from tradingagents.schemas.workspace import QUESTION_NOW

_WISHES: Mapping[str, Wish] = {
    "decision": "decision",
    "consult": "consult",
    "view": "consider",
    "worth": "worth",
    "compare": "compare",
    "why": "why",
    "greeting": "greeting",
    "help": "help",
}
"""What kinds of question ask the assistant for."""


@dataclass(frozen=True, slots=True)
class _RunWish:
    """What is started for a kind of question."""

    task: str
    """Kind of task."""
    about: Literal["companies", "company", "question", "account"] = "companies"
    """What the task is given of the message."""


_RUNS: Mapping[str, _RunWish] = {
    "analyze": _RunWish("analyze"),
    "scan": _RunWish("scan"),
    "research": _RunWish("research", "question"),
    "debate": _RunWish("debate", "company"),
    "paper": _RunWish("paper_run", "account"),
}
"""By the kinds of question that ask for a run."""
WHICH_ONE = "No company of that place was named: name the one that is meant."
WHICH_DAYS = "Which days are before those of the last question is not known here: name them."
_OF_DAYS = ("lookup", "aspects", "figures", "moved")
"""Requests whose answer is of some days."""
_SURE_RUN = 0.5
"""Nearness from which on a sentence starts a run."""
_SURE_INDEX = 0.75
"""Nearness from which on a question that names an index is of its own kind, such as one for news."""
_OF_SECTORS = frozenset(
    {
        *("sectors", "gainers", "losers", "actives", "price", "span"),
        *("market", "market_day", "why_moved", "scan", "follow_up", ""),
    }
)
_OF_INDICES = frozenset(
    {"price", "span", "market", "market_day", "figure", "technical", "follow_up", "why_moved", "results", ""}
)
"""Kinds of question that are answered for a sector, and for an index, where one is named and no company."""
FEW_WORDS = 3
"""Words of a message in which one word alone may name a capability, as in `guidance of VELQ`."""
_COMPARES = "compare"
"""The kind of question, and the task, that compares companies on topics."""
_ON = " on "
"""Before the topics of a comparison."""


def read_request(brief: ConversationBrief) -> MessageRequest:
    """Return what the latest message asks for; what it leaves out is taken from the messages before it."""
    request: MessageRequest | None = None
    spoken: tuple[str, ...] = ()
    last_named: tuple[str, ...] = ()
    unread, before = request, ""
    for at, exchange in enumerate((*brief.before, brief.now)):
        text = exchange.question.rpartition(QUESTION_NOW)[2]
        listed: tuple[str, ...] = ()
        if at:
            last = brief.before[at - 1]
            listed = _listed(last)
            text = why_of_one(text, last.question, listed)
            text = with_place(text, last.question, listed, brief.day, brief.instruments)
        full = in_full_words(text, before, brief.day, brief.instruments) if before else text
        own = of_them(_read(full, brief), spoken, last_named or listed, request)
        ends_only = bool(before) and full == text and not names_something(own)
        last_named = named_with(last_named, own.symbols, begins=not own.elliptic)
        spoken = named_with(spoken, own.symbols)
        if full == text or own.wish != "figures":  # one in full words that is of named days leaves nothing out
            own = filled_in(own, request, unread)
        own = honoured(of_nobody(own), brief.day)
        if full != text and own.wish in ("unread", "other_day"):
            full, own = text, honoured(filled_in(_read(text, brief), request, unread), brief.day)
        if before and full == text and own.wish in _OF_DAYS and own.days is None and goes_back(text):
            own = replace(own, wish="unread", declined=WHICH_DAYS)
        if exchange is brief.now:
            own = by_sentences(own, text, brief, _read)
        unread = own if own.wish in ("unread", "other_day") else None
        if unread is None or exchange is brief.now:
            request, before = own, before if ends_only else full
    if request is None:
        raise TypeError("a conversation has a question")
    return _of_one_named(request)


def _listed(exchange: AskedQuestion) -> tuple[str, ...]:
    """Return the companies of the one list that was shown for a question, in its order; none where several were."""
    lists = [fact for fact in exchange.results if fact.answered_by in _ROWS and not fact.failed]
    rows, name = (lists[0].facts, _ROWS[lists[0].answered_by]) if len(lists) == 1 else ({}, "")
    return tuple(rows[f"{name}.{at}.symbol"] for at in range(len(rows)) if f"{name}.{at}.symbol" in rows)


_ROWS = {"get_market_movers": "movers", "get_earnings_calendar": "events"}
"""What lists companies, and how its rows are called."""


def _of_one_named(request: MessageRequest) -> MessageRequest:
    """Return a request, declined where it is about `the second one` and nothing that was named is that."""
    frame = request.frame
    if frame is None or not frame.asked.asks & {"first", "second"} or frame.symbols or frame.index:
        return request
    if request.symbols or request.wish not in ("aspects", "lookup", "moved"):
        return request
    return replace(request, wish="unread", declined=WHICH_ONE)


def _read(text: str, brief: ConversationBrief) -> MessageRequest:
    """Read a message by itself; one that is not understood, or that is about another day, is not answered."""
    if (held := holdings_request(text, brief)) is not None:
        return held
    if (listed := list_without(text, brief, _read)) is not None:
        return listed
    full = mended_message(text, brief)
    found = full.mended
    reading = QuestionReading(found.text, brief.day, instruments=brief.instruments)
    own = of_days(_request(reading, brief), reading, brief, found)
    symbols, names = _companies(reading, brief)
    frame = frame_of(reading, brief, symbols, names)
    reported, coming = days_reported(frame, brief.day), next_days(reading.english, brief.day)
    spoken = spoken_language(full.text)
    unread = reading.uncovered if spoken or reading.language == "en" else None
    own = _framed(
        replace(own, coming=reported or own.coming or (coming.start, coming.end)),
        frame,
        found,
        spoken,
        brief.day,
        unread,
    )
    language = spoken or reading.language
    remarks, asides = (*full.of_funds, *found.remarks), full.asides
    sums = sums_asked(found.text, brief) if brief.before else None
    return replace(own, remarks=remarks, asides=asides, language=language, said=reading.said, frame=frame, sums=sums)


def _unused(own: MessageRequest, span: str) -> str:
    """Return the words for days that a request does not use; empty where it does."""
    return "" if own.days is not None else span


_ORDER = "before or after"
"""Missed where an order in time is asked for that no answer tells."""


def _unread(own: MessageRequest, frame: QuestionFrame, unread: Sequence[str]) -> str:
    """Return a word that neither the words of a question nor its kind explain; empty where one of them does."""
    if own.wish in FREE - {"figures"} or (own.lookup is not None and own.lookup.tool in OF_FREE_WORDS):
        return ""
    if own.wish in STARTED or own.wish in ("capability", "consult"):
        return ""
    if frame.asked.unheld:
        return frame.asked.said_of(frame.asked.unheld[0])
    if frame.foresees and own.wish == "lookup":
        return frame.foresees
    if frame.of_two_days:
        return frame.span
    if frame.ordered and not frame.parts:
        return _ORDER
    if own.wish == "moved" and frame.span and not frame.dated:
        return frame.span
    asked = {part for tool in own.personas for part in tool.split("_")}  # names of investors who are consulted
    left = (word for word in frame.asked.left if word not in asked)
    return next((word for word in left if word in unread or _says_something(word)), "")


def _says_something(word: str) -> bool:
    """Tell whether a word that no table knows is never passed over: a number, a time, a high, Chinese signs."""
    return is_of_signs(word) or "&" in word or is_loose_unit(word) or " " in word or word.replace(".", "").isdigit()


def _framed(
    own: MessageRequest, frame: QuestionFrame, found: Mended, language: str, today: date, unread: Sequence[str] | None
) -> MessageRequest:
    """Return a request as its words say it, where its kind says less or nothing; declined where neither covers it."""
    parts, missed = frame.parts or frame.of_earlier, not_covered(own.wish, own.lookup, frame)
    missed = missed or beside_price(own.wish, own.figures, frame) or _unread(own, frame, unread or ())
    if own.lookup is INDICES and own.index and unread is not None and not parts:
        missed = missed or own.index.lstrip("^")  # such as the day on which it closed above a level
    if parts and (unused := days_not_used(parts, frame, today) or move_not_used(parts, frame)):
        of_price = own.wish == "figures" and bool(set(parts) & _NO_CHANGE)  # it would be answered with a price
        parts, missed = (), missed or (unused if of_price else "" if own.wish in FREE else _unused(own, unused))
    if own.wish == "help" and (frame.symbols or frame.asked.has(*_NO_HELP)):
        return replace(own, wish="unread", symbols=frame.symbols)
    if own.wish == "tasks" and (frame.span or frame.asked.claims):  # `how far is it down this year?`
        own = replace(own, wish="lookup", lookup=PRICE, elliptic=True)
    if own.wish == "lookup" and own.lookup is not None and own.lookup.tool in OF_FREE_WORDS and len(parts) > 1:
        return own  # `what does it say about risks in its filing`: its words are searched in the filing
    explains = own.wish == "why" and frame.begins and bool(parts)  # `explain its P/E`: there is no answer before it
    if found.doubtful or (own.wish in STARTED and not explains):
        return own
    if not parts and missed:
        reason = f"{BESIDE} '{missed}', which an answer of this kind is not about."
        return replace(own, wish="unread", declined="" if missed == frame.foresees else reason)
    named = own.symbols or own.names or own.index or frame.symbols
    of_market = own.wish == "figures" and not named and set(parts).isdisjoint(OF_COMPANY)  # `the market this week`
    unread_kind = explains or own.wish in ("unread", "other_day")
    fewer = (
        own.wish in ("figures", "lookup") and bool(own.symbols) and not {*own.symbols, own.index} >= {*frame.symbols}
    )
    of_days = own.wish == "figures" and bool(set(parts) & _NO_CHANGE)
    market = own.lookup is not None and not own.lookup.of_company
    of_market = of_market or (market and not frame.begins and bool(frame.of_earlier))  # `growth?` of the company before
    more = of_days or missed or language or of_market or unread_kind or fewer or says_more(frame, parts)
    if not parts or not more:
        return own
    if parts == ("thanks",):
        return MessageRequest("greeting")
    if parts == ("analysis",):
        return MessageRequest("task", frame.symbols, kind="analyze")
    return MessageRequest(
        "aspects", frame.symbols, parts=parts, index=frame.index, coming=own.coming, elliptic=own.elliptic
    )


_NO_HELP = frozenset(OF_COMPANY) - {"profile"}
"""Aspects of a company that no question on the assistant itself names; `what do you do` reads as a profile."""
_NO_CHANGE = frozenset({"risk", "drawdown", "rsi", "beta", "averages", "volume", "low"})


def _request(reading: QuestionReading, brief: ConversationBrief) -> MessageRequest:
    symbols, names = _companies(reading, brief)
    said, kind = reading.said, reading.kind
    personas = tuple(
        tool.name for tool in brief.tools.values() if tool.name.startswith("consult_") and _named(tool.name, said)
    )
    spoken_of = any_stands(names_table()["pronouns"], said)
    own = MessageRequest("lookup", symbols, names, personas=personas, spoken_of=spoken_of)
    company = bool(symbols or names)
    if not company and any_stands(names_table()["definitions"], said):
        return replace(own, wish="unread", declined="No rule explains that term.")
    if not company and (found := _of_market(reading, own)):
        return found
    if started := _run_wanted(reading, own, brief):
        return started
    if company and len(symbols) + len(names) == 1 and (document := document_asked(reading)):
        return replace(own, lookup=document)
    lookup, length = lookup_of(reading)
    if kind == "run" and lookup is not None and not any(stands(noun, said) for noun in names_table()["runs"]):
        kind = "figure"  # such as "and its margins?": its words are those of questions about a run, and it names none
    if kind == "run" and "ask_run" in brief.tools:
        return replace(own, wish="run", symbols=(), names=())
    if kind == "tasks" and not company:
        return replace(own, wish="tasks")
    if company and _says_nothing(reading):
        return replace(own, lookup=PRICE, elliptic=True)
    why = company and _asks_why_it_moved(reading)
    if not why and (declined := _beside(reading, own)):
        return replace(own, wish="unread", declined=declined)
    if kind == "why_moved" or why:
        return replace(own, wish="moved")
    if kind not in ("decision", "consult", "view", *BY_KIND_ALONE) and len(symbols) + len(names) > 1:
        return replace(own, wish="compare", lookup=lookup)
    found_tool = _capability_of(said, brief.catalogue)
    if found_tool is not None and len(_words_of(found_tool)) > length and (kind not in BY_KIND_ALONE or kind == "call"):
        return replace(own, wish="capability", capability=found_tool)
    if kind in _WISHES and (kind != "worth" or lookup is None or lookup.of_company):
        return replace(own, wish=_WISHES[kind], lookup=lookup if kind == _COMPARES else None)
    if personas:
        return replace(own, wish="consult")
    if kind == "follow_up" and company:
        return replace(own, lookup=PRICE, elliptic=True)
    if company and lookup is not None and not lookup.of_company:
        return replace(own, wish="unread")
    if lookup is not None and (kind in BY_KIND or kind == "figure"):
        return replace(own, lookup=lookup, names=own.names if lookup.of_company else ())
    return replace(own, wish="unread", declined=reading.declined if reading.kind else "")


def _says_nothing(reading: QuestionReading) -> bool:
    """Tell whether a message names companies and says nothing of them, as in `Nvidia shares`."""
    words = reading.plain.split()
    ordinary = all(word.isascii() and word in filler_words() for word in words)
    return ordinary and not reading.measures and not reading.figure.expression and reading.nearest.nearness < SURE


def _asks_why_it_moved(reading: QuestionReading) -> bool:
    """Tell whether a question asks for the reason of a rise or a fall, whatever else it says."""
    table = names_table()
    return any_stands(table["reasons"], reading.said) and any_stands((*table["fell"], *table["rose"]), reading.said)


def _of_market(reading: QuestionReading, own: MessageRequest) -> MessageRequest | None:
    """Return what a question about no company asks of an index, a sector or another market; None for something else."""
    kind, index = reading.kind, index_named(reading)
    alone = set(reading.uncovered) <= {
        word for name in names_table()["indices"].get(index, ()) for word in name.split()
    }
    if any_stands(("stock", "stocks", "company", "companies"), reading.said):
        index = ""  # such as the worst stock in the S&P
    if index and (
        kind in _OF_INDICES or (alone and not reading.kind_is_declined and reading.nearest.nearness < _SURE_INDEX)
    ):
        return replace(own, lookup=INDICES, index=index)
    if other := other_market_named(reading):
        return replace(own, wish="unread", declined=f"No source here holds {other}.")
    sector = sector_named(reading)
    if sector and kind in _OF_SECTORS and not industry_named(reading):
        return replace(own, lookup=of_sector(sector))
    if kind == "why_moved":
        return replace(own, lookup=MARKET_DAY) if any_stands(("market", "markets", "stocks"), reading.said) else None
    return replace(own, lookup=economy_of(reading)) if kind == "economy" else None


_OF_ANY_WORDS = frozenset({"", "help", "greeting", "off_topic", "consult", "filings", "call", "run", "research"})
"""Kinds of question whose answer does not rest on each word."""


def _beside(reading: QuestionReading, own: MessageRequest) -> str:
    """Return why a question gets no answer by its nearest kind: it says more than the kind answers; empty where not."""
    left = [word for word in reading.uncovered if not any(word in name.lower() for name in own.names)]
    personas = {part for persona in own.personas for part in persona.split("_")}
    left = [word for word in left if word not in personas]
    if not left or reading.kind_is_declined or reading.kind in _OF_ANY_WORDS:
        return ""
    of_company = reading.nearest.kind.company and reading.kind != "figure"
    if len(left) == 1 and reading.nearest.nearness >= SURE and of_company:
        return ""
    return f"{BESIDE} {' '.join(left[:4])!r}, which no rule knows."


def _run_wanted(reading: QuestionReading, own: MessageRequest, brief: ConversationBrief) -> MessageRequest | None:
    """Return the run that a message asks for; None where it asks for none."""
    _, on, after = reading.said.rpartition(_ON)
    topics = tuple(word for word in after.replace(" and ", " ").split() if word in brief.topics)
    if _COMPARES in brief.kinds and on and topics and reading.kind == _COMPARES:
        return replace(own, wish="task", kind=_COMPARES, topics=topics)
    run = _RUNS.get(reading.kind)
    if run is None or run.task not in brief.kinds:
        return None
    if run.about in ("companies", "company") and (reading.nearest.nearness < _SURE_RUN or _beside(reading, own)):
        return None
    if (
        not set(reading.plain.split()) - market_words() - filler_words()
        and run.about == "companies"
        and not own.symbols
    ):
        return None  # such as `and the market?`
    if run.about == "question" and reading.after_lead(reading.kind) == reading.text:
        return None  # nothing of it says that a run is to begin
    if run.about == "company" and len(own.symbols) + len(own.names) > 1:
        return None
    wanted = replace(own, wish="task", kind=run.task)
    if run.about == "question":
        return replace(wanted, symbols=(), names=(), question=reading.after_lead(reading.kind))
    if run.about == "account":
        named = reading.after_lead(reading.kind).rstrip(".").split()
        account = named[0] if named and named != reading.text.rstrip(".").split() else ""
        return replace(wanted, symbols=(), names=(), account=account)
    return wanted


def _companies(reading: QuestionReading, brief: ConversationBrief) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the tickers of known instruments, and the names with a capital that are to be resolved.

    Of a source that lists its companies every name is known; an ordinary word is never taken for one.
    """
    spoken = {symbol.upper() for symbol in brief.symbols}
    words = [word.strip("?!.,;:()\"'").removesuffix("'s").upper() for word in reading.text.split()]
    personas = {part for tool in brief.tools if tool.startswith("consult_") for part in tool.split("_")}
    tools = {part for tool in brief.catalogue for part in tool.name.split("_")}
    named = brief.instruments is not None and brief.instruments.named
    indices = {name for names in names_table()["indices"].values() for name in names}
    mentions = [
        each
        for each in reading.mentions
        if each.by_ticker
        or not (
            each.written.lower().removeprefix("the ") in indices or is_of_index(each.written, indices, reading.text)
        )
    ]
    mentioned = [mention.written if mention.by_ticker and not named else mention.symbol
                 for mention in mentions if mention.by_ticker or named]  # fmt: skip
    symbols = tuple(dict.fromkeys((*mentioned, *(word for word in words if word in spoken))))
    names = [mention.written for mention in mentions if not (mention.by_ticker or named)]
    said = {word for word, meant in words_of_aspects().items() if meant.removeprefix("aspects.") in ECONOMY}
    own = personas | tools | market_words() | words_of_figures() | said
    words_said = reading.text.split() or [""]
    names += [
        name
        for name in reading.unknown
        if name.upper() not in symbols
        and any(sign.isalpha() for sign in name)  # a sum of money is no company
        and not set(name.lower().split()) <= own
        and "'" not in name
        and not (name == name.upper() and name.lower() in words_of_aspects())  # such as CPI
        and not (named and name == words_said[0] and name != name.upper())  # a sentence begins with a capital
        and ("de" not in (reading.language, spoken_language(reading.text)) or name == name.upper())  # German nouns
    ]
    return symbols, tuple(sorted(dict.fromkeys(names), key=reading.text.find))


def _capability_of(said: str, catalogue: Sequence[OfferedTool]) -> OfferedTool | None:
    """Return the capability whose name stands in a message, the longest first; one word only in a short message."""
    longest = len(said.split()) if len(said.split()) > FEW_WORDS else 0
    named = [
        (len(_words_of(tool)), tool.name, tool)
        for tool in catalogue
        if _is_said(_words_of(tool), said) and (" " in _words_of(tool) or not longest)
    ]
    return max(named)[2] if named else None


def _is_said(name: str, said: str) -> bool:
    """Tell whether the name of a capability stands in a message, in the singular too."""
    return stands(name, said) or (name.endswith("s") and stands(name.removesuffix("s"), said))


def _words_of(tool: OfferedTool) -> str:
    """Return the name of a capability in words."""
    return tool.name.removeprefix("get_").replace("_", " ")


def _named(tool: str, said: str) -> bool:
    """Tell whether a message names a persona, by its whole name or by the last word of it."""
    words = tool.removeprefix("consult_").split("_")
    return stands(" ".join(words), said) or stands(words[-1], said)
