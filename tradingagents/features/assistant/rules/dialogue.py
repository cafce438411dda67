"""The assistant by fixed rules: which tools a message needs, and the reply written from their typed results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from tradingagents.features.assistant.rules.aspect_calls import aspect_calls
from tradingagents.features.assistant.rules.company_text import company_text
from tradingagents.features.assistant.rules.comparisons import WITH_DIVIDENDS, compared_parts
from tradingagents.features.assistant.rules.found import TurnAnswers
from tradingagents.features.assistant.rules.market_text import market_text
from tradingagents.features.assistant.rules.positions.position_calls import position_calls
from tradingagents.features.assistant.rules.positions.position_text import held_unread_text, positions_text
from tradingagents.features.assistant.rules.premises import premises_text
from tradingagents.features.assistant.rules.replies import (
    BY_RULES,
    HELP,
    OTHER_DAY,
    WHICH_COMPANY,
    company_line,
    decision_text,
    evidence_text,
    holder_text,
    in_english_note,
    in_quotes,
    memo_lines,
    stated_gain,
    unread_text,
    view_text,
    worth_text,
)
from tradingagents.features.assistant.rules.sentences import answer_text, compared_text, moved_text, ranked_text
from tradingagents.features.assistant.rules.texts import TEXT_LANGUAGES, examples_of, explained, say
from tradingagents.offline.questions.conversation import ASK_ANY, ConversationBrief, MemoFact, OfferedTool, ToolFact
from tradingagents.offline.questions.frames import OF_COMPANY, QuestionFrame
from tradingagents.offline.questions.lookups import BY_KIND, PRICE, REPORT_DATE, Lookup
from tradingagents.offline.questions.message import BESIDE, MessageRequest
from tradingagents.offline.questions.requests import read_request
from tradingagents.retrieval.questions.aspects import AskedAspects
from tradingagents.retrieval.questions.days import NamedDays
from tradingagents.retrieval.questions.names import any_stands
from tradingagents.retrieval.questions.positions.stated_positions import SPOKEN_OF, PositionsQuestion
from tradingagents.retrieval.questions.slips import in_full
from tradingagents.retrieval.questions.wording import is_of_signs

if TYPE_CHECKING:
    from tradingagents.offline.brief import Brief, ToolWish

CONSIDERED = ("market_snapshot", "valuation", "fundamental_screen", "market_regime")
WORTH = ("valuation", "trailing_forward_pe", "get_peer_multiples", "market_snapshot")
COMPARED = ("market_snapshot", "trailing_forward_pe", "valuation", "risk_profile")
WINDOW = timedelta(days=14)
"""How far back a window reaches where a message names no days."""
WEEK = timedelta(days=7)
"""The window of a move where a message names no days."""
BEFORE_MOVE = timedelta(days=3)
"""How long before a move articles are read."""
AHEAD = timedelta(days=90)
"""How far ahead the date of a company's next results is looked for; the calendar reaches less far."""
SIMULATED = "simulated"
MARKET = "^GSPC"
"""With which a move is compared."""
PASSAGES = (BY_KIND["filings"], BY_KIND["call"])
OF_ONE_COMPANY = (*PASSAGES, REPORT_DATE)
"""What is asked of a company although its tool takes none."""
MOST_COMPANIES = 5
FEWEST = 2
"""Companies of a comparison."""


@dataclass(frozen=True, slots=True)
class Act:
    """What is done next: tools are called, or the reply is given."""

    text: str = ""
    calls: tuple[ToolWish, ...] = ()


def reply_or_calls(brief: Brief) -> tuple[str, Sequence[ToolWish]]:
    """Return the assistant's reply, or the tools to call before it."""
    known = conversation_of(brief)
    request = read_request(known)
    term = explained(in_full(known.now.question), request.language)
    if term and not (request.symbols or request.index or request.wish in ("task", "run", "holdings")):
        return _signed(term, replace(request, wish="aspects")), ()
    act = _act(known, request)
    text = (
        f"{term}\n\n{act.text}" if term and act.text and request.wish not in ("task", "run", "holdings") else act.text
    )
    return text, act.calls


def conversation_of(brief: Brief) -> ConversationBrief:
    """Return what a conversation's agent knows."""
    if not isinstance(brief.known, ConversationBrief):
        raise TypeError("the agent was given no brief on a conversation")
    return brief.known


def _act(known: ConversationBrief, request: MessageRequest) -> Act:
    reachable = {*known.tools, *(tool.name for tool in known.catalogue)}
    if request.lookup is not None and request.lookup.tool not in reachable and request.lookup.instead is not None:
        request = replace(request, lookup=request.lookup.instead)
    if request.wish == "help":
        return Act(HELP)
    if request.wish == "greeting":
        key = "thanks" if _THANKS & set(request.said.split()) else "greeting"
        return Act(say(request.language, key, examples=examples_of(request.language, known.symbols[:1])))
    if request.wish == "unread":
        return Act(_declined(known, request))
    if request.positions is not None and not _is_read(request.positions):
        return Act(_signed(_positions_reply(known, request), request))
    if request.wish == "other_day":
        return Act(_signed(OTHER_DAY.format(day=known.day), request))
    if request.wish == "why":
        return Act(_signed(evidence_text(known), request))
    unresolved = [name for name in request.names if _resolved(known, name) is None]
    if unresolved and "resolve" in known.tools and not _knows_names(known):
        return Act(calls=tuple(("resolve", {"ticker": name}) for name in unresolved[:MOST_COMPANIES]))
    symbols, unknown = _symbols(known, request)
    if unknown and not (request.wish == "consult" and symbols):  # who is no colleague here leaves the others to answer
        return Act(_signed(unknown, request))
    wishes = _wishes(known, request, symbols)
    if isinstance(wishes, str):
        return Act(_signed(wishes, request))
    made = {_key(result.tool, result.arguments) for result in known.now.results}
    if missing := tuple((tool, given) for tool, given in wishes if _key(tool, given) not in made):
        return Act(calls=missing)
    if further := _consultations(known, request, symbols):
        return Act(calls=further)
    reply = _reply(known, request, symbols)
    return Act(_signed(f"{reply}\n\n{unknown}" if unknown else reply, request))


_THANKS = frozenset({"thanks", "thank", "thx", "cheers", "danke", "merci", "gracias", "谢谢", "ありがとう", "helpful"})


_NO_ORDER = frozenset(
    {
        *("did", "does", "has", "have", "had", "bought", "sold", "dumped", "why", "who", "where", "how"),
        *("gekauft", "verkauft", "hat", "haben", "warum", "wer", "wie"),
    }
)
"""Words of questions on what was bought or sold already, none of an order."""


def _declined(known: ConversationBrief, request: MessageRequest) -> str:
    """Return what is said of a question that gets no answer: what was not understood, and what can be asked near it."""
    frame = request.frame
    symbols = frame.symbols if frame is not None else request.symbols
    examples = examples_of(request.language, symbols or known.symbols[:1])
    text = _reason_in_words(known, request)
    if text:
        text = f"{text} {say(request.language, 'can_ask', examples=examples)}"
    else:
        left = frame.asked.left if frame is not None and not is_of_signs("".join(frame.asked.left)) else ()
        if frame is not None and left and not (symbols or frame.index or frame.sector) and _of_a_company(frame):
            what, held = in_quotes(left), _held(known, request)
            text = say(request.language, "near_company", what=what, held=held, examples=examples)
        else:
            text = unread_text(request.declined, left, request.language, examples)
    return _signed(text, replace(request, remarks=()) if not request.symbols else request)


def _of_a_company(frame: QuestionFrame) -> bool:
    """Tell whether a question asks what is asked of a company, so that an unknown word may name one."""
    return bool(frame.asked.aspects) and set(frame.asked.aspects) <= {*OF_COMPANY, "people"}


def _held(known: ConversationBrief, request: MessageRequest) -> str:
    """Return which companies are in the data."""
    source = known.instruments.source if known.instruments is not None else ""
    if source == SIMULATED:
        return say(request.language, "held_simulated")
    count = len(known.instruments) if known.instruments is not None else 0
    return say(request.language, "held_recorded", count=count or "n/a", source=source or "n/a")


def _reason_in_words(known: ConversationBrief, request: MessageRequest) -> str:
    """Return why a question gets no answer where its words say so; empty where they do not."""
    frame = request.frame
    if frame is None:
        return ""
    if frame.asked.unheld:
        return say(request.language, f"unheld_{frame.asked.unheld[0]}")
    if frame.other:
        return say(request.language, "elsewhere", what=frame.other.upper() if len(frame.other) < 4 else frame.other)
    of_others = frame.asked.has("insiders", "people", "opinion") or _NO_ORDER & frame.words
    if {"bought", "sold"} & frame.asked.asks and frame.symbols and not of_others:
        return say(request.language, "orders")
    if (frame.asked.ahead or frame.coming) and not request.declined.startswith(BESIDE):
        return say(request.language, "ahead", day=known.day)
    return ""


def _of_real_companies(known: ConversationBrief, request: MessageRequest) -> str:
    """Return whether the companies of the data are real ones."""
    source = known.instruments.source if known.instruments is not None else ""
    key = "real_simulated" if source == SIMULATED else "real_recorded"
    return say(request.language, key, source=source or "the vendors in the settings", day=known.day)


def _knows_names(known: ConversationBrief) -> bool:
    """Tell whether the source lists its companies by name, so that no other name needs to be looked up."""
    return known.instruments is not None and known.instruments.named


def _wishes(known: ConversationBrief, request: MessageRequest, symbols: Sequence[str]) -> list[ToolWish] | str:
    """Return the calls that answer a request, or what the user must say first."""
    if request.wish == "tasks":
        return [("task_status", {})] if "task_status" in known.tools else "No tasks can be started here."
    if request.wish == "run":
        return [("ask_run", {"question": known.now.question})]
    if request.positions is not None:
        return [_asked(known, name, given) for name, given in position_calls(request.positions, known.day)]
    if request.holdings_call is not None:
        return _about_holdings(known, request, *request.holdings_call)
    if request.wish == "task":
        started = _task(known, request, symbols)
        return started if isinstance(started, str) else [*started, *_compared_at_once(known, request, symbols)]
    if request.wish == "capability" and request.capability is not None:
        return _any_capability(known, request, request.capability, symbols)
    if request.wish == "consult":
        return []
    if request.wish == "moved":
        return _moved(known, request, symbols)
    if request.wish == "aspects":
        if not symbols and set(request.parts) & set(OF_COMPANY):
            return WHICH_COMPANY
        calls = aspect_calls(known, request, symbols[:MOST_COMPANIES])
        return [_asked(known, name, given) for name, given in calls]
    if request.wish == "compare" and request.lookup is None and len(symbols) == 1:
        return f"With which company is {symbols[0]} to be compared? Name both, such as in: compare AAPL and MSFT."
    if request.wish == "figures":
        wanted = [request.index] if request.index else list(symbols[:MOST_COMPANIES])
        figures = [figure.call(symbol) for symbol in wanted for figure in request.figures]
        asked = [_asked(known, call["capability"], call["arguments"]) for call in figures]
        return asked or WHICH_COMPANY
    parts = _parts_of(request, symbols)
    reachable = {*known.tools, *(tool.name for tool in known.catalogue)}
    missing = [part.tool for part in parts if part.tool not in reachable]
    if len(missing) == len(parts):
        return f"{', '.join(missing)} is not available with the present settings and keys."
    offered = [part for part in parts if part.tool in reachable]
    if not symbols and any(_needs_company(_offer_of(known, part.tool)) or part in OF_ONE_COMPANY for part in offered):
        return WHICH_COMPANY
    return list(_calls(known, request, offered, symbols))


def _parts_of(request: MessageRequest, symbols: Sequence[str]) -> tuple[Lookup, ...]:
    if request.wish == "decision":
        return (Lookup("watchlist", "decisions"),)
    if request.wish == "worth":
        return tuple(Lookup(tool, "worth") for tool in WORTH)
    if request.wish == "consider":
        return tuple(Lookup(tool, "view") for tool in (CONSIDERED if symbols else ("market_regime", "fear_greed")))
    if request.wish == "compare" and (request.lookup is None or request.lookup is PRICE):
        return tuple(Lookup(tool, "comparison") for tool in COMPARED)
    return request.lookup.parts if request.lookup else (PRICE,)


def _offer_of(known: ConversationBrief, name: str) -> OfferedTool:
    """Return a tool by name, also one that is reached through `ask_capability` alone."""
    return known.tools.get(name) or next(tool for tool in known.catalogue if tool.name == name)


def _asked(known: ConversationBrief, name: str, given: Mapping[str, Any]) -> ToolWish:
    return (name, given) if name in known.tools else (ASK_ANY, {"name": name, "arguments": dict(given)})


def _calls(
    known: ConversationBrief, request: MessageRequest, parts: Sequence[Lookup], symbols: Sequence[str]
) -> Iterator[ToolWish]:
    for part in parts:
        offered = _offer_of(known, part.tool)
        if part.tool == "watchlist":
            yield _asked(known, part.tool, {"symbols": ",".join(symbols)} if symbols else {})
        elif part in PASSAGES:
            for symbol in symbols[:MOST_COMPANIES]:
                yield _asked(known, part.tool, {"query": known.now.question, "ticker": symbol})
        elif part is REPORT_DATE:
            days = {"from_date": known.day.isoformat(), "to_date": (known.day + AHEAD).isoformat()}
            for symbol in symbols[:MOST_COMPANIES]:
                yield _asked(known, part.tool, {**days, "symbol": symbol})
        elif not _needs_company(offered):
            yield _asked(known, part.tool, {**_arguments(known, request, offered, ""), **part.given})
        else:
            for symbol in symbols[:MOST_COMPANIES]:
                yield _asked(known, part.tool, {**_arguments(known, request, offered, symbol), **part.given})


def _moved(known: ConversationBrief, request: MessageRequest, symbols: Sequence[str]) -> list[ToolWish] | str:
    """Return the calls on what a price did, what the market did, and what was reported of the company."""
    if not symbols:
        return WHICH_COMPANY
    symbol, (start, end) = symbols[0], _window_of(request, known.day)
    days = {"start_date": start.isoformat(), "end_date": end.isoformat()}
    news = {"ticker": symbol, "start_date": (start - BEFORE_MOVE).isoformat(), "end_date": end.isoformat()}
    asked = [_asked(known, "get_price_change", {"ticker": one, **days}) for one in (symbol, MARKET)]
    return [*asked, _asked(known, "get_news", news)]


def _window_of(request: MessageRequest, today: date) -> tuple[date, date]:
    """Return the day of the close before a move and its last day; the last week where a message names no days."""
    days = request.days
    if days is not None and days.window and days.start is not None and days.end is not None:
        return days.base or days.start, min(days.end, today)
    if days is not None and days.days:
        return days.days[0] - timedelta(days=1), days.days[0]
    return today - WEEK, today


def _needs_company(tool: OfferedTool) -> bool:
    return bool({"ticker", "symbol", "symbols"} & set(tool.required))


def _arguments(known: ConversationBrief, request: MessageRequest, tool: OfferedTool, symbol: str) -> dict[str, Any]:
    """Return values for the arguments that a tool requires, as far as a question gives them."""
    start, end = known.day - WINDOW, known.day
    if request.days is not None and (request.days.window or request.days.days):
        start, end = _window_of(request, known.day)
    coming = request.coming or (known.day, known.day + WINDOW)
    values: Mapping[str, Any] = {
        **dict.fromkeys(("ticker", "symbol", "symbols"), symbol),
        **dict.fromkeys(("question", "query", "topic"), known.now.question),
        "start_date": start.isoformat(),
        **dict.fromkeys(("end_date", "curr_date"), end.isoformat()),
        "from_date": coming[0].isoformat(),
        "to_date": coming[1].isoformat(),
        "investor": " ".join(request.names),
    }
    return {name: values[name] for name in tool.required if values.get(name)}


def _about_holdings(
    known: ConversationBrief, request: MessageRequest, name: str, given: Mapping[str, Any]
) -> list[ToolWish]:
    """Return the calls on what the user holds; a question whether to add or sell asks for the last decision, too.

    Args:
        known: What the agent knows.
        request: The question.
        name: The capability that answers it.
        given: Its arguments.
    """
    asked = _asked(known, name, given)
    if name == "book_risk" and any_stands(("worth", "value", "wert", "stand"), request.said):
        return [_asked(known, "book", given), asked]
    deciding = request.holdings is not None and request.holdings.about == "decision"
    if not (deciding and request.symbols and "watchlist" in known.tools):
        return [asked]
    return [asked, ("watchlist", {"symbols": ",".join(request.symbols)})]


def _any_capability(
    known: ConversationBrief, request: MessageRequest, tool: OfferedTool, symbols: Sequence[str]
) -> list[ToolWish] | str:
    wanted = list(symbols[:MOST_COMPANIES]) if _needs_company(tool) else [""]
    calls: list[ToolWish] = []
    for symbol in wanted or [""]:
        given = _arguments(known, request, tool, symbol)
        if lacking := [name for name in tool.required if name not in given]:
            return f"{tool.name} answers that. It needs {', '.join(lacking)}; say which."
        calls.append(_asked(known, tool.name, given))
    return calls


def _task(known: ConversationBrief, request: MessageRequest, symbols: Sequence[str]) -> list[ToolWish] | str:
    name = f"start_{request.kind}"
    if name not in known.tools:
        return f"{request.kind} cannot be started here."
    if request.question:
        return [(name, {"question": request.question})]
    if request.account:
        return [(name, {"account": request.account})]
    day = {"day": request.day.isoformat()} if request.day else {}
    if request.topics:
        if len(symbols) < FEWEST:
            return "Which companies are to be compared? Name two tickers or more."
        return [(name, {"tickers": list(symbols), "topics": list(request.topics)})]
    if "ticker" not in known.tools[name].required:
        return [(name, day)]
    if not symbols:
        return f"Which company is meant? Name its ticker, such as in: {request.kind} AAPL."
    return [(name, {"ticker": symbol, **day}) for symbol in symbols[:MOST_COMPANIES]]


def _compared_at_once(known: ConversationBrief, request: MessageRequest, symbols: Sequence[str]) -> list[ToolWish]:
    """Return the calls for the figures of a comparison that is started: they are told before it has ended."""
    frame = request.frame
    if not request.topics or frame is None or set(frame.parts) <= {"price"}:
        return []
    calls = aspect_calls(known, replace(request, parts=frame.parts), symbols[:MOST_COMPANIES])
    reachable = {*known.tools, *(tool.name for tool in known.catalogue)}
    return [_asked(known, name, given) for name, given in calls if name in reachable]


def _consultations(known: ConversationBrief, request: MessageRequest, symbols: Sequence[str]) -> tuple[ToolWish, ...]:
    """Return the consultations that a request for a judgement needs and that have not been made."""
    if request.wish not in ("consider", "consult"):
        return ()
    tools = request.personas or tuple(name for name in known.tools if name.startswith("consult_"))
    made = {*(memo.tool for memo in known.now.memos), *(result.tool for result in known.now.results)}
    about = f"Is {symbols[0]} worth a closer look for an investor?" if symbols else known.now.question
    return tuple((tool, {"question": about}) for tool in tools if tool in known.tools and tool not in made)


def _symbols(known: ConversationBrief, request: MessageRequest) -> tuple[list[str], str]:
    """Return the symbols that a request is about, and what is to be said of names that mean none."""
    found, problems = list(request.symbols), []
    for name in request.names:
        fact = _resolved(known, name)
        if fact is None or fact.failed:
            problems.append(f"No company called {name} is known here; name its ticker.")
        elif fact.symbol is None:
            candidates = [text for place, text in fact.facts.items() if place.endswith(".symbol")]
            problems.append(f"{name} may mean {', '.join(candidates[:5])}; name the ticker.")
        else:
            found.append(fact.symbol)
    if not found and not problems:
        found = list(known.symbols[:1])
    return list(dict.fromkeys(found)), " ".join(problems)


def _resolved(known: ConversationBrief, name: str) -> ToolFact | None:
    every = (*known.now.results, *(result for exchange in reversed(known.before) for result in exchange.results))
    return next(
        (result for result in every if result.tool == "resolve" and result.arguments.get("ticker") == name), None
    )


def _reply(known: ConversationBrief, request: MessageRequest, symbols: Sequence[str]) -> str:
    results = [result for result in known.now.results if result.tool != "resolve"]
    if request.wish == "task" and request.topics and request.frame is not None and len(results) > 1:
        found = TurnAnswers(results[1:], request.language, request.frame)
        at_once = compared_parts(found, [part for part in request.frame.parts if part in OF_COMPANY], symbols)
        return f"{at_once}\n\n{results[0].reason}"
    if request.wish in ("task", "tasks", "run"):
        return "\n\n".join(result.reason for result in results)
    if waiting := [result.reason for result in results if result.approval_id]:
        return "\n\n".join(waiting)
    if request.positions is not None:
        return _positions_reply(known, request)
    if request.wish == "holdings":
        return "\n\n".join(
            part for part in (stated_gain(results, request), holder_text(results, request.symbols)) if part
        )
    if request.wish == "consult":
        return memo_text(known.now.memos, results)
    if request.wish == "decision":
        return decision_text(results, symbols)
    if request.wish == "worth":
        return worth_text(results)
    if request.wish == "consider":
        return view_text(results, known.now.memos)
    if request.wish == "compare" and len(symbols) > 1:
        return compared_text(results, request)
    if request.wish == "moved":
        return moved_text(results, request)
    if request.wish == "aspects" and request.frame is not None:
        return _aspects_reply(known, request, symbols)
    wanted = request.lookup.figures if request.lookup else ()
    if request.wish == "figures" and len(symbols) > 1:
        return ranked_text(results, request)
    if request.wish == "figures":
        wanted = tuple(name for figure in request.figures for name in figure.figures)
    return "\n\n".join(answer_text(result, request, wanted) for result in results) or "Nothing was found."


def _is_read(asked: PositionsQuestion) -> bool:
    """Tell whether all of a question on positions is known, the company spoken of before too."""
    return not asked.left and bool(asked.symbols) and all(each.symbol != SPOKEN_OF for each in asked.positions)


def _positions_reply(known: ConversationBrief, request: MessageRequest) -> str:
    """Return the reply to a question on positions that are stated, in this message or in one before."""
    asked = request.positions
    if asked is not None and asked.left:
        return held_unread_text(request.language, asked)
    if asked is None or not asked.symbols or SPOKEN_OF in {each.symbol for each in asked.positions}:
        key = "held_which" if request.declined else "held_whose"
        return say(request.language, key, names=request.declined)
    frame = QuestionFrame(AskedAspects(), NamedDays(""))
    return positions_text(TurnAnswers(known.now.results, request.language, frame), asked, known.day)


def _aspects_reply(known: ConversationBrief, request: MessageRequest, symbols: Sequence[str]) -> str:
    """Return the reply to a question that was read word by word: what it takes for granted first, then what it asks."""
    if request.frame is None:
        raise TypeError("a question that is read word by word has a frame")
    if request.parts == ("real",):
        return _of_real_companies(known, request)
    found = TurnAnswers(known.now.results, request.language, request.frame)
    of_companies = [part for part in request.parts if part in OF_COMPANY]
    texts = [premises_text(found, symbols if of_companies else (), request.said)]  # a list is not on what is open
    if of_companies and len(symbols) > 1:
        compared = [WITH_DIVIDENDS] if request.with_dividends else of_companies
        texts.append(compared_parts(found, compared, symbols))
    elif of_companies:
        texts += [company_text(found, part, symbols[0]) for part in of_companies]
    texts += [market_text(found, part, known) for part in request.parts if part not in OF_COMPANY]
    return "\n\n".join(text for text in texts if text)


def memo_text(memos: Sequence[MemoFact], results: Sequence[ToolFact]) -> str:
    """Return what personas answered, and why others did not."""
    failed = [f"- {result.reason}" for result in results if result.failed]
    return "\n".join([*memo_lines(memos), *failed]) or "Nobody could be consulted."


def _key(tool: str, arguments: Mapping[str, Any]) -> tuple[str, str]:
    return tool, repr(sorted((name, str(value)) for name, value in arguments.items()))


def _signed(text: str, request: MessageRequest) -> str:
    """Return a reply with how slips were read before it, and by what it was made after it."""
    own = request.language in TEXT_LANGUAGES and request.wish in ("aspects", "unread", "positions")
    note = "" if own else in_english_note(request.language)
    asides = request.asides if request.wish != "unread" else ()
    aside = say(request.language, "aside", what=in_quotes(asides)) if asides else ""
    parts = (" ".join(request.remarks), text, aside, note, say(request.language, "rules") if own else BY_RULES)
    return "\n\n".join(part for part in parts if part)


__all__ = ["Act", "company_line", "conversation_of", "memo_text", "reply_or_calls"]
