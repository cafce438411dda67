"""Reads a message by its words: what is wanted, and of which companies. No figure is read from a text."""

from __future__ import annotations

from calendar import month_abbr, month_name
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from tradingagents.offline.questions.conversation import ConversationBrief, OfferedTool
from tradingagents.offline.questions.vocabulary import LOOKUPS, NOT_TICKERS, SMALL_WORDS, Lookup
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
    "greeting",
    "help",
    "unread",
    "other_day",
]


WORTH = (
    "worth",
    "fair value",
    "intrinsic value",
    "undervalued",
    "overvalued",
    "valuation",
    "cheap",
    "expensive",
    "value of",
)
CONSIDER = (
    *(
        "should i",
        "worth a look",
        "good investment",
        "good buy",
        "what do you think",
        "your view",
        "opinion on",
        "interesting",
    ),
    *("recommend", "look at", "bull case", "bear case", "good business", "good company", "good stock", "invest in"),
)
COMPARE = ("compare", " versus ", " vs ", " vs. ", "better than", "difference between", "rather than")
DECISION = ("did you decide", "was decided", "your decision", "last decision", "decision on", "what was the decision")
WHY = ("why", "how so", "explain", "because of what", "what is that based on", "show me the evidence")
HELP = ("help", "what can you do", "what can i ask", "how do you work", "commands")
GREETINGS = ("hello", "hi", "hey", "good morning", "good evening", "thanks", "thank you")
TASKS = ("tasks", "how far", "is it done", "still running", "progress of", "status of")
FOLLOWS = ("and", "what about", "how about", "now", "same for", "also")
ANALYSES: Mapping[str, tuple[str, ...]] = {
    "scan": ("scan the market", "scan for", "market scan", "run a scan", "start a scan"),
    "analyze": ("analyse", "analyze", "full analysis", "run an analysis", "start an analysis", "study", "full study"),
}
"""Kinds of tasks by the words that ask for them."""
RESEARCHES, DEBATES, COMPARES, PAPER = "research", "debate", "compare", "paper_run"
"""Kinds of tasks whose messages are read apart."""
RESEARCH = ("research", "investigate", "do research on", "start research on", "look into")
DEBATE = ("debate", "hold a debate on", "start a debate on")
"""Beginnings of messages that ask for a run; what follows is its question or its company."""
PAPER_ACCOUNT = tuple(f"{verb} {whose} paper account" for verb in ("run", "advance") for whose in ("the", "my"))
"""Beginnings of messages that ask for a run of a paper account; the next word is its name."""
POLITE = ("please", "can you", "could you", "would you", "now", "then")
ON = "on"
"""Before the topics of a comparison."""
ABOUT_A_RUN = (
    *("the research", "your research", "the debate", "the comparison", "the report", "that run", "the run"),
    *("change your mind", "change the view", "change your view", "prove you wrong", "did you find", "did it find"),
)
"""Words that refer to a run that has ended."""
SHORT_WORDS = frozenset(
    (
        *("and", "what", "about", "how", "now", "same", "for", "also", "the", "show", "me", "tell", "please", "stock"),
        *("shares", "of", "on", "at", "is", "price", "a", "look", "or", "but", "then", "ok", "okay"),
    )
)
"""Words beside a company in a message that leaves out what is wanted."""
MONTHS = frozenset(month.lower() for month in (*month_name, *month_abbr) if month and month != "May")
_MARKS = "?!.,;:()[]{}\"'`\u2018\u2019\u201c\u201d"


@dataclass(frozen=True, slots=True)
class MessageRequest:
    """What a message asks for."""

    wish: Wish
    symbols: tuple[str, ...] = ()
    """Words that are written as tickers."""
    names: tuple[str, ...] = ()
    """Words that may name companies, to be resolved."""
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
        return replace(own, wish="lookup", lookup=_PRICE) if own.elliptic else own
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
    """Read a message by itself; one that no rule reads, or that is about another day, is not answered."""
    text = text.rpartition(QUESTION_NOW)[2]
    own = _by_words(text, brief)
    if own.wish in ("help", "greeting", "decision", "run") or own.kind in (RESEARCHES, DEBATES, COMPARES, PAPER):
        return own
    days = [day for word in text.split() if (day := _day(word.strip(_MARKS))) is not None]
    if own.wish == "task":
        return replace(own, day=days[0]) if len(days) == 1 else own
    if any(day != brief.day for day in days) or (not days and _names_time(text, brief.day)):
        return replace(own, wish="other_day")
    if own.wish == "why" and (own.names or set(own.symbols) - set(brief.symbols)):
        return replace(own, wish="unread")
    return own


def _day(word: str) -> date | None:
    """Return the day that a word of the form 2025-03-14 names; None for any other word."""
    if len(word) != len("2025-03-14") or word.count("-") != 2:
        return None
    try:
        return date.fromisoformat(word)
    except ValueError:
        return None


def _names_time(text: str, today: date) -> bool:
    """Tell whether a message names a month or a year other than the day's."""
    words = [word.strip(_MARKS).lower() for word in text.split()]
    years = {word for word in words if len(word) == len("2025") and word.isdecimal() and word[:2] in ("19", "20")}
    return bool(MONTHS & set(words) or years - {str(today.year)})


def _by_words(text: str, brief: ConversationBrief) -> MessageRequest:
    said = _plain(text)
    symbols, names = _companies(text, brief)
    kind = next((kind for kind, words in ANALYSES.items() if kind in brief.kinds and _any(words, said)), "")
    personas = tuple(
        tool.name for tool in brief.tools.values() if tool.name.startswith("consult_") and _named(tool.name, said)
    )
    own = MessageRequest("lookup", symbols, names, kind=kind, personas=personas)
    lookup = _lookup_of(said)
    company = bool(symbols or names)
    if started := _run_wanted(text, said, own, brief):
        return started
    if _any(ABOUT_A_RUN, said) and "ask_run" in brief.tools:
        return replace(own, wish="run", symbols=(), names=())
    if _any(DECISION, said):
        return replace(own, wish="decision")
    if kind:
        return replace(own, wish="task")
    if _any(TASKS, said) and not company:
        return replace(own, wish="tasks")
    if personas:
        return replace(own, wish="consult")
    if len(symbols) + len(names) > 1 or _any(COMPARE, said):
        return replace(own, wish="compare", lookup=lookup)
    if _any(CONSIDER, said):
        return replace(own, wish="consider")
    if _any(WHY, said):
        return replace(own, wish="why")
    if _any(WORTH, said) and (lookup is None or lookup.of_company):
        return replace(own, wish="worth")
    found = _capability_of(said, brief.catalogue)
    named = found is not None and _is_said(_words_of(found), said)
    if lookup is not None and not (named and len(_words_of(found)) > max(map(len, lookup.words))):
        return replace(own, lookup=lookup, names=own.names if lookup.of_company else ())
    if found is not None:
        return replace(own, wish="capability", capability=found)
    if company and _is_short(text, own):
        return replace(own, lookup=_PRICE, elliptic=True)
    if _any(GREETINGS, said):
        return replace(own, wish="greeting")
    return replace(own, wish="help" if _any(HELP, said) or not said else "unread")


def _is_short(text: str, own: MessageRequest) -> bool:
    """Tell whether a message holds companies, and beside them only words that ask for nothing else."""
    named = {word.lower() for name in (*own.symbols, *own.names) for word in name.split()}
    words = (word.strip(_MARKS).lower().removesuffix("'s").removeprefix("$") for word in text.split())
    return all(word in SHORT_WORDS or word in named for word in words if word)


def _run_wanted(text: str, said: str, own: MessageRequest, brief: ConversationBrief) -> MessageRequest | None:
    """Return the research, debate or comparison that a message asks for; None where it asks for none."""
    spoken, plain = text.strip(), said
    while polite := next((one for one in POLITE if plain.startswith(f"{one} ")), ""):
        plain, spoken = plain.removeprefix(f"{polite} "), " ".join(spoken.split()[len(polite.split()) :])
    if RESEARCHES in brief.kinds and (begun := _beginning(RESEARCH, plain)):
        question = " ".join(spoken.split()[len(begun.split()) :])
        return replace(own, wish="task", kind=RESEARCHES, symbols=(), names=(), question=question)
    if DEBATES in brief.kinds and (begun := _beginning(DEBATE, plain)) and len(own.symbols) + len(own.names) < 2:
        return replace(own, wish="task", kind=DEBATES)
    if PAPER in brief.kinds and (begun := _beginning(PAPER_ACCOUNT, f"{plain} ")):
        named = plain.rstrip(".").removeprefix(begun).split()
        return replace(own, wish="task", kind=PAPER, symbols=(), names=(), account="".join(named[:1]))
    before, on, after = plain.rpartition(f" {ON} ")
    topics = tuple(word for word in after.replace(" and ", " ").split() if word in brief.topics)
    if COMPARES in brief.kinds and on and topics and _any(COMPARE, f"{before} "):
        symbols, names = _companies(" ".join(text.split()[: -len(after.split()) - 1]), brief)
        return replace(own, wish="task", kind=COMPARES, symbols=symbols, names=names, topics=topics)
    return None


def _beginning(words: Iterable[str], said: str) -> str:
    """Return the longest of the words that a message begins with; empty for none."""
    return max((one for one in words if said.startswith(f"{one} ")), key=len, default="")


def _lookup_of(said: str) -> Lookup | None:
    found = [
        (max(len(word) for word in one.words if _stands(word, said)), -number, one)
        for number, one in enumerate(LOOKUPS)
        if _any(one.words, said)
    ]
    return max(found)[2] if found else None


def _capability_of(said: str, catalogue: Sequence[OfferedTool]) -> OfferedTool | None:
    """Return the capability whose name stands in a message, else the one that shares the most words with it."""
    words = {word for word in said.split() if word not in SMALL_WORDS and len(word) > 2}
    scored = []
    for tool in catalogue:
        name = _words_of(tool)
        if _is_said(name, said):
            scored.append((100 + len(name), tool.name, tool))
            continue
        shared = words & {*name.split(), *_plain(tool.summary).split()}
        if len(shared) > 1 or shared & set(name.split()):
            scored.append((len(shared), tool.name, tool))
    return max(scored)[2] if scored else None


def _is_said(name: str, said: str) -> bool:
    """Tell whether the name of a capability stands in a message, in the singular too."""
    return _stands(name, said) or (name.endswith("s") and _stands(name.removesuffix("s"), said))


def _words_of(tool: OfferedTool | None) -> str:
    """Return the name of a capability in words."""
    return "" if tool is None else tool.name.removeprefix("get_").replace("_", " ")


def _companies(text: str, brief: ConversationBrief) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words that are tickers, and the others that may name a company, in their order."""
    known = {word for one in LOOKUPS for words in one.words for word in words.split()}
    known |= {
        word
        for words in (WORTH, CONSIDER, COMPARE, DECISION, WHY, HELP, TASKS, FOLLOWS, GREETINGS, RESEARCH, DEBATE)
        for phrase in words
        for word in phrase.split()
    }
    known |= {word for tool in brief.catalogue for word in tool.name.split("_")}
    known |= {
        word for tool in brief.tools.values() if tool.name.startswith("consult_") for word in tool.name.split("_")
    }
    known |= {word for words in ANALYSES.values() for phrase in words for word in phrase.split()}
    spoken = {one.upper() for one in brief.symbols}
    symbols: list[str] = []
    runs: list[list[str]] = [[]]
    for raw in text.split():
        ends = raw[-1:] in ",;?!."
        word = raw.strip(_MARKS)
        for ending in ("'s", "\u2019s"):
            word = word.removesuffix(ending)
        if _is_ticker(word, text) or word.upper() in spoken:
            symbols.append(word.removeprefix("$").upper())
            runs.append([])
        elif (
            word
            and word.lower() not in known | SMALL_WORDS
            and any(map(str.isalpha, word))
            and not word.startswith("/")
        ):
            runs[-1].append(word)
        else:
            runs.append([])
        if ends:
            runs.append([])
    names = (" ".join(run) for run in runs if run)
    return tuple(dict.fromkeys(symbols)), tuple(dict.fromkeys(names))


def _is_ticker(word: str, text: str) -> bool:
    """Tell whether a word is written as a ticker: in capitals where the text is not, or with a dollar sign."""
    bare = word.removeprefix("$").removeprefix("^")
    letters = bare.replace(".", "").replace("-", "")
    if not (1 <= len(letters) <= 6 and letters.isascii() and letters.isalnum() and letters[0].isalpha()):
        return False
    if word[0] in "$^":
        return True
    shouted = text.upper() == text and len(text.split()) > 2
    return bare == bare.upper() and bare not in NOT_TICKERS and len(bare) > 1 and not shouted


def _plain(text: str) -> str:
    return " ".join("".join(" " if one in "?!,;:()\"'" else one for one in text.lower().replace("\u2019", "'")).split())


def _any(words: Iterable[str], said: str) -> bool:
    return any(_stands(word, said) for word in words)


def _stands(word: str, said: str) -> bool:
    """Tell whether a word or a phrase stands in a message as such."""
    bare = f" {said.rstrip('.')} ".replace(". ", " ")
    return f" {word.strip()} " in bare


def _named(tool: str, said: str) -> bool:
    """Tell whether a message names a persona, by its whole name or by the last word of it."""
    words = tool.removeprefix("consult_").split("_")
    return _stands(" ".join(words), said) or _stands(words[-1], said)


_PRICE = next(one for one in LOOKUPS if one.tool == "market_snapshot")
