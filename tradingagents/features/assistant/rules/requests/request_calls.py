"""Which tools answer a request of a conversation, with their arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from tradingagents.features.assistant.rules.aspect_calls import aspect_calls
from tradingagents.features.assistant.rules.positions.position_calls import position_calls
from tradingagents.features.assistant.rules.replies import WHICH_COMPANY
from tradingagents.offline.questions.conversation import ASK_ANY, ConversationBrief, OfferedTool
from tradingagents.offline.questions.frame_words import OF_COMPANY
from tradingagents.offline.questions.lookups import BY_KIND, PRICE, REPORT_DATE, Lookup
from tradingagents.offline.questions.message import MessageRequest
from tradingagents.retrieval.questions.names import any_stands

if TYPE_CHECKING:
    from tradingagents.offline.brief import ToolWish

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
MARKET = "^GSPC"
"""With which a move is compared."""
PASSAGES = (BY_KIND["filings"], BY_KIND["call"])
OF_ONE_COMPANY = (*PASSAGES, REPORT_DATE)
"""What is asked of a company although its tool takes none."""
MOST_COMPANIES = 8
FEWEST = 2
"""Companies of a comparison."""


def wishes_of(known: ConversationBrief, request: MessageRequest, symbols: Sequence[str]) -> list[ToolWish] | str:
    """Return the calls that answer a request, or what the user must say first."""
    if request.wish == "tasks":
        return [("task_status", {})] if "task_status" in known.tools else "No tasks can be started here."
    if request.wish == "run":
        return [("ask_run", {"question": known.now.question})]
    if request.positions is not None:
        return [asked_of(known, name, given) for name, given in position_calls(request.positions, known.day)]
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
        return [asked_of(known, name, given) for name, given in calls]
    if request.wish == "compare" and request.lookup is None and len(symbols) == 1:
        return f"With which company is {symbols[0]} to be compared? Name both, such as in: compare AAPL and MSFT."
    if request.wish == "figures":
        wanted = [request.index] if request.index else list(symbols[:MOST_COMPANIES])
        figures = [figure.call(symbol) for symbol in wanted for figure in request.figures]
        asked = [asked_of(known, call["capability"], call["arguments"]) for call in figures]
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


def asked_of(known: ConversationBrief, name: str, given: Mapping[str, Any]) -> ToolWish:
    """Return the call of a capability, by itself where it is offered, else through the tool that calls any."""
    return (name, given) if name in known.tools else (ASK_ANY, {"name": name, "arguments": dict(given)})


def _calls(
    known: ConversationBrief, request: MessageRequest, parts: Sequence[Lookup], symbols: Sequence[str]
) -> Iterator[ToolWish]:
    for part in parts:
        offered = _offer_of(known, part.tool)
        if part.tool == "watchlist":
            yield asked_of(known, part.tool, {"symbols": ",".join(symbols)} if symbols else {})
        elif part in PASSAGES:
            for symbol in symbols[:MOST_COMPANIES]:
                yield asked_of(known, part.tool, {"query": known.now.question, "ticker": symbol})
        elif part is REPORT_DATE:
            days = {"from_date": known.day.isoformat(), "to_date": (known.day + AHEAD).isoformat()}
            for symbol in symbols[:MOST_COMPANIES]:
                yield asked_of(known, part.tool, {**days, "symbol": symbol})
        elif not _needs_company(offered):
            yield asked_of(known, part.tool, {**_arguments(known, request, offered, ""), **part.given})
        else:
            for symbol in symbols[:MOST_COMPANIES]:
                yield asked_of(known, part.tool, {**_arguments(known, request, offered, symbol), **part.given})


def _moved(known: ConversationBrief, request: MessageRequest, symbols: Sequence[str]) -> list[ToolWish] | str:
    """Return the calls on what a price did, what the market did, and what was reported of the company."""
    if not symbols:
        return WHICH_COMPANY
    symbol, (start, end) = symbols[0], _window_of(request, known.day)
    days = {"start_date": start.isoformat(), "end_date": end.isoformat()}
    news = {"ticker": symbol, "start_date": (start - BEFORE_MOVE).isoformat(), "end_date": end.isoformat()}
    asked = [asked_of(known, "get_price_change", {"ticker": one, **days}) for one in (symbol, MARKET)]
    return [*asked, asked_of(known, "get_news", news)]


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
    asked = asked_of(known, name, given)
    if name == "book_risk" and any_stands(("worth", "value", "wert", "stand"), request.said):
        return [asked_of(known, "book", given), asked]
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
        calls.append(asked_of(known, tool.name, given))
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
    return [asked_of(known, name, given) for name, given in calls if name in reachable]


def consultations(known: ConversationBrief, request: MessageRequest, symbols: Sequence[str]) -> tuple[ToolWish, ...]:
    """Return the consultations that a request for a judgement needs and that have not been made."""
    if request.wish not in ("consider", "consult"):
        return ()
    tools = request.personas or tuple(name for name in known.tools if name.startswith("consult_"))
    made = {*(memo.tool for memo in known.now.memos), *(result.tool for result in known.now.results)}
    about = f"Is {symbols[0]} worth a closer look for an investor?" if symbols else known.now.question
    return tuple((tool, {"question": about}) for tool in tools if tool in known.tools and tool not in made)
