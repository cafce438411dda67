"""What a message asks the assistant for, from the reading of it and of the messages before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Literal

from tradingagents.offline.questions.conversation import ConversationBrief, OfferedTool
from tradingagents.offline.questions.lookups import BY_KIND, PRICE, Lookup, lookup_of
from tradingagents.retrieval.questions.holdings import UNREAD_HOLDINGS, HoldingsQuestion, read_holdings_question
from tradingagents.retrieval.questions.names import names_table, stands
from tradingagents.retrieval.questions.reading import QuestionReading
from tradingagents.schemas.workspace import QUESTION_NOW

Wish = Literal[
    "lookup",
    "compare",
    "worth",
    "consider",
    "consult",
    "task",
    "tasks",
    "run",
    "decision",
    "why",
    "capability",
    "holdings",
    "greeting",
    "help",
    "unread",
    "other_day",
]
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
_DATED = frozenset({"analyze", "scan"})
"""Tasks that may be about another day."""
_COMPARES = "compare"
"""The kind of question, and the task, that compares companies on topics."""
_ON = " on "
"""Before the topics of a comparison."""


@dataclass(frozen=True, slots=True)
class MessageRequest:
    """What a message asks for."""

    wish: Wish
    symbols: tuple[str, ...] = ()
    """Tickers of known instruments."""
    names: tuple[str, ...] = ()
    """Names of companies, and words that may be some, to be resolved."""
    lookup: Lookup | None = None
    kind: str = ""
    """Kind of task that is asked for."""
    capability: OfferedTool | None = None
    personas: tuple[str, ...] = ()
    """Consult tools of personas that the message names."""
    question: str = ""
    """What is to be researched."""
    account: str = ""
    """Paper account that is to be run; empty for the one that the tool takes by itself."""
    topics: tuple[str, ...] = ()
    """On what companies are to be compared."""
    elliptic: bool = False
    """Whether the message leaves out what is wanted, as in "and Microsoft?"."""
    day: date | None = None
    """Day that a task is to be about."""
    declined: str = ""
    """Why a message that is understood is not answered."""
    holdings: HoldingsQuestion | None = None
    """What the message asks of its writer's holdings; None where it is about none."""

    @property
    def holdings_call(self) -> tuple[str, dict[str, Any]] | None:
        """The capability that answers a question about holdings, with its arguments; None for another question."""
        asked = self.holdings
        if asked is None:
            return None
        stated = {"holdings": asked.stated} if asked.stated else {}
        if asked.about == "risk":
            return "book_risk", stated
        return "book", {**stated, "days_ahead": asked.days_ahead} if asked.about == "results" else stated


def read_request(brief: ConversationBrief) -> MessageRequest:
    """Return what the latest message asks for; what it leaves out is taken from the messages before it."""
    request: MessageRequest | None = None
    for exchange in brief.before:
        completed = _completed(_read(exchange.question, brief), request)
        request = request if completed.wish in ("unread", "other_day") else completed
    return _completed(_read(brief.now.question, brief), request)


def _completed(own: MessageRequest, earlier: MessageRequest | None) -> MessageRequest:
    """Return a request with what it leaves out filled in."""
    if earlier is None:
        return replace(own, wish="lookup", lookup=PRICE) if own.elliptic else own
    if own.wish == "why":
        return replace(earlier, wish="why", symbols=own.symbols or earlier.symbols, names=own.names or earlier.names)
    if own.elliptic and (own.symbols or own.names):
        return replace(
            earlier if earlier.wish != "why" else replace(earlier, wish="lookup"),
            symbols=own.symbols,
            names=own.names,
            elliptic=True,
        )
    needs_company = own.wish in ("lookup", "worth", "consider", "decision", "task", "compare", "capability", "consult")
    if needs_company and not (own.symbols or own.names) and (own.lookup is None or own.lookup.of_company):
        return replace(own, symbols=earlier.symbols, names=earlier.names)
    return own


def _read(text: str, brief: ConversationBrief) -> MessageRequest:
    """Read a message by itself; one that is not understood, or that is about another day, is not answered."""
    reading = QuestionReading(text.rpartition(QUESTION_NOW)[2], brief.day, instruments=brief.instruments)
    held = read_holdings_question(reading.text)
    if held is not None and held.about == "unread":
        return MessageRequest("unread", declined=UNREAD_HOLDINGS)
    if held is not None and any(tool.name == "book" for tool in brief.catalogue):
        return MessageRequest("holdings", held.symbols, holdings=held)
    own = _request(reading, brief)
    if own.wish in ("help", "greeting", "decision", "run") or own.question or own.account or own.topics:
        return own
    days = reading.days
    if own.wish == "task":
        return replace(own, day=days.days[0]) if len(days.days) == 1 and own.kind in _DATED else own
    named = (*days.days, *([days.as_of] if days.as_of else []))
    if any(day != brief.day for day in named) or (not named and _names_time(reading, brief.day)):
        return replace(own, wish="other_day")
    if own.wish == "why" and (own.names or set(own.symbols) - set(brief.symbols)):
        return replace(own, wish="unread")
    return own


def _names_time(reading: QuestionReading, today: date) -> bool:
    """Tell whether a message names a month or a year other than the day's."""
    years = {year for year in reading.figure.years if year != today.year}
    days = reading.days
    named_window = days.window and not days.unit and days.end is not None and days.end < today
    return bool(years or named_window)


def _request(reading: QuestionReading, brief: ConversationBrief) -> MessageRequest:
    symbols, names = _companies(reading, brief)
    said, kind = reading.said, reading.kind
    personas = tuple(
        tool.name for tool in brief.tools.values() if tool.name.startswith("consult_") and _named(tool.name, said)
    )
    own = MessageRequest("lookup", symbols, names, personas=personas)
    company = bool(symbols or names)
    if started := _run_wanted(reading, own, brief):
        return started
    lookup, length = lookup_of(reading)
    if kind == "run" and lookup is not None and not any(stands(noun, said) for noun in names_table()["runs"]):
        kind = "figure"  # such as "and its margins?": its words are those of questions about a run, and it names none
    if kind == "run" and "ask_run" in brief.tools:
        return replace(own, wish="run", symbols=(), names=())
    if kind == "tasks" and not company:
        return replace(own, wish="tasks")
    if kind not in ("decision", "consult") and len(symbols) + len(names) > 1:
        return replace(own, wish="compare", lookup=lookup)
    found = _capability_of(said, brief.catalogue, reading.kind == "")
    if found is not None and _is_said(_words_of(found), said) and len(_words_of(found)) > length:
        return replace(own, wish="capability", capability=found)
    if kind in _WISHES and (kind != "worth" or lookup is None or lookup.of_company):
        return replace(own, wish=_WISHES[kind], lookup=lookup if kind == _COMPARES else None)
    if personas:
        return replace(own, wish="consult")
    if kind == "follow_up" and company:
        return replace(own, lookup=PRICE, elliptic=True)
    if lookup is not None and (kind in BY_KIND or kind == "figure"):
        return replace(own, lookup=lookup, names=own.names if lookup.of_company else ())
    if found is not None:
        return replace(own, wish="capability", capability=found)
    return replace(own, wish="unread", declined=reading.declined if reading.kind else "")


def _run_wanted(reading: QuestionReading, own: MessageRequest, brief: ConversationBrief) -> MessageRequest | None:
    """Return the run that a message asks for; None where it asks for none."""
    _, on, after = reading.said.rpartition(_ON)
    topics = tuple(word for word in after.replace(" and ", " ").split() if word in brief.topics)
    if _COMPARES in brief.kinds and on and topics and reading.kind == _COMPARES:
        return replace(own, wish="task", kind=_COMPARES, topics=topics)
    run = _RUNS.get(reading.kind)
    if run is None or run.task not in brief.kinds:
        return None
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
    """Return the tickers of known instruments, and the names and unknown words that are to be resolved."""
    spoken = {symbol.upper() for symbol in brief.symbols}
    words = [word.strip("?!.,;:()\"'").removesuffix("'s").upper() for word in reading.text.split()]
    personas = {part for tool in brief.tools if tool.startswith("consult_") for part in tool.split("_")}
    tools = {part for tool in brief.catalogue for part in tool.name.split("_")}
    mentioned = [mention.written for mention in reading.mentions if mention.by_ticker]
    symbols = tuple(dict.fromkeys((*mentioned, *(word for word in words if word in spoken))))
    names = [mention.written for mention in reading.mentions if not mention.by_ticker]
    unknown = (*reading.unknown, *(word for word in reading.unknown_words if word == word.lower()))
    own = personas | tools
    names += [name for name in unknown if name.upper() not in symbols and not set(name.lower().split()) <= own]
    return symbols, tuple(sorted(dict.fromkeys(names), key=reading.text.find))


def _capability_of(said: str, catalogue: Sequence[OfferedTool], by_words: bool) -> OfferedTool | None:
    """Return the capability whose name stands in a message, else the one that shares the most words with it.

    Args:
        said: The message.
        catalogue: The capabilities.
        by_words: Whether shared words suffice.
    """
    common = set(names_table()["no_companies"])
    words = {word for word in said.split() if word not in common and len(word) > 2}
    scored = []
    for tool in catalogue:
        name = _words_of(tool)
        if _is_said(name, said):
            scored.append((100 + len(name), tool.name, tool))
            continue
        shared = words & {*name.split(), *said_words(tool.summary)}
        if by_words and (len(shared) > 1 or shared & set(name.split())):
            scored.append((len(shared), tool.name, tool))
    return max(scored)[2] if scored else None


def said_words(text: str) -> list[str]:
    """Return the words of a text in small letters."""
    return [word.strip("?!,;:.()\"'").lower() for word in text.split()]


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
