"""The assistant by fixed rules: which tools a message needs, and the reply written from their typed results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from tradingagents.features.assistant.rules.replies import (
    BY_RULES,
    HELP,
    OTHER_DAY,
    UNREAD,
    company_line,
    decision_text,
    evidence_text,
    figures_text,
    holder_text,
    memo_lines,
    table,
    unread_text,
    view_text,
    worth_text,
)
from tradingagents.offline.questions.conversation import ConversationBrief, MemoFact, OfferedTool, ToolFact
from tradingagents.offline.questions.requests import MessageRequest, read_request

if TYPE_CHECKING:
    from tradingagents.offline.brief import Brief, ToolWish

CONSIDERED = ("market_snapshot", "valuation", "fundamental_screen", "market_regime")
WORTH = ("valuation", "trailing_forward_pe", "market_snapshot")
COMPARED = ("market_snapshot", "valuation", "trailing_forward_pe", "risk_profile")
WINDOW = timedelta(days=14)
"""How far back a window reaches where a message names no days."""
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
    act = _act(known, read_request(known))
    return act.text, act.calls


def conversation_of(brief: Brief) -> ConversationBrief:
    """Return what a conversation's agent knows."""
    if not isinstance(brief.known, ConversationBrief):
        raise TypeError("the agent was given no brief on a conversation")
    return brief.known


def _act(known: ConversationBrief, request: MessageRequest) -> Act:
    if request.lookup is not None and request.lookup.tool not in known.tools and request.lookup.instead is not None:
        request = replace(request, lookup=request.lookup.instead)
    if request.wish in ("help", "greeting"):
        return Act(HELP)
    if request.wish == "unread":
        return Act(unread_text(request.declined))
    if request.wish == "other_day":
        return Act(_signed(OTHER_DAY.format(day=known.day)))
    if request.wish == "why":
        return Act(_signed(evidence_text(known)))
    unresolved = [name for name in request.names if _resolved(known, name) is None]
    if unresolved and "resolve" in known.tools:
        return Act(calls=tuple(("resolve", {"ticker": name}) for name in unresolved[:MOST_COMPANIES]))
    symbols, unknown = _symbols(known, request)
    guesses = [name for name in request.names if name == name.lower() and _failed(known, name)]
    alone = len(symbols) < (FEWEST if request.wish == "compare" else 1)
    if guesses and (alone or request.elliptic):  # ordinary words rather than companies that nobody knows
        return Act(UNREAD)
    if unknown and not symbols:
        return Act(_signed(unknown))
    wishes = _wishes(known, request, symbols)
    if isinstance(wishes, str):
        return Act(_signed(wishes))
    made = {_key(result.tool, result.arguments) for result in known.now.results}
    if missing := tuple((tool, given) for tool, given in wishes if _key(tool, given) not in made):
        return Act(calls=missing)
    if further := _consultations(known, request, symbols):
        return Act(calls=further)
    text = _reply(known, request, symbols)
    return Act(_signed(f"{text}\n\n{unknown}" if unknown else text))


def _wishes(known: ConversationBrief, request: MessageRequest, symbols: Sequence[str]) -> list[ToolWish] | str:
    """Return the calls that answer a request, or what the user must say first."""
    if request.wish == "tasks":
        return [("task_status", {})] if "task_status" in known.tools else "No tasks can be started here."
    if request.wish == "run":
        return [("ask_run", {"question": known.now.question})]
    if request.holdings_call is not None:
        return _about_holdings(known, request, *request.holdings_call)
    if request.wish == "task":
        return _task(known, request, symbols)
    if request.wish == "capability" and request.capability is not None:
        return _any_capability(known, request.capability, symbols)
    if request.wish == "consult":
        return []
    tools = _tools_of(request, symbols)
    missing = [tool for tool in tools if tool not in known.tools]
    if len(missing) == len(tools):
        return f"{', '.join(missing)} is not available with the present settings and keys."
    offered = [tool for tool in tools if tool in known.tools]
    if not symbols and any(_needs_company(known.tools[tool]) for tool in offered):
        return "Which company is meant? Name its ticker, such as in: what is AAPL trading at?"
    return list(_calls(known, offered, symbols))


def _tools_of(request: MessageRequest, symbols: Sequence[str]) -> tuple[str, ...]:
    if request.wish == "decision":
        return ("watchlist",)
    if request.wish == "worth":
        return WORTH
    if request.wish == "consider":
        return CONSIDERED if symbols else ("market_regime", "fear_greed")
    if request.wish == "compare" and request.lookup is None:
        return COMPARED
    return (request.lookup.tool,) if request.lookup else ("market_snapshot",)


def _calls(known: ConversationBrief, tools: Sequence[str], symbols: Sequence[str]) -> Iterator[ToolWish]:
    for tool in tools:
        offered = known.tools[tool]
        if tool == "watchlist":
            yield tool, {"symbols": ",".join(symbols)} if symbols else {}
        elif not _needs_company(offered):
            yield tool, _arguments(known, offered, "")
        else:
            for symbol in symbols[:MOST_COMPANIES]:
                yield tool, _arguments(known, offered, symbol)


def _needs_company(tool: OfferedTool) -> bool:
    return bool({"ticker", "symbol", "symbols"} & set(tool.required))


def _arguments(known: ConversationBrief, tool: OfferedTool, symbol: str) -> dict[str, Any]:
    """Return values for the arguments that a tool requires, as far as a question gives them."""
    values: Mapping[str, Any] = {
        **dict.fromkeys(("ticker", "symbol", "symbols"), symbol),
        **dict.fromkeys(("question", "query", "topic"), known.now.question),
        **dict.fromkeys(("start_date", "from_date"), (known.day - WINDOW).isoformat()),
        **dict.fromkeys(("end_date", "to_date", "curr_date"), known.day.isoformat()),
        "investor": " ".join(read_request(known).names),
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
    shown = name in known.tools
    asked: ToolWish = (name, given) if shown else ("ask_capability", {"name": name, "arguments": dict(given)})
    deciding = request.holdings is not None and request.holdings.about == "decision"
    if not (deciding and request.symbols and "watchlist" in known.tools):
        return [asked]
    return [asked, ("watchlist", {"symbols": ",".join(request.symbols)})]


def _any_capability(known: ConversationBrief, tool: OfferedTool, symbols: Sequence[str]) -> list[ToolWish] | str:
    wanted = list(symbols[:MOST_COMPANIES]) if _needs_company(tool) else [""]
    calls: list[ToolWish] = []
    for symbol in wanted or [""]:
        given = _arguments(known, tool, symbol)
        if lacking := [name for name in tool.required if name not in given]:
            return f"{tool.name} answers that. It needs {', '.join(lacking)}; say which."
        if tool.name in known.tools:
            calls.append((tool.name, given))
        else:
            calls.append(("ask_capability", {"name": tool.name, "arguments": given}))
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
        if name == name.lower() and (fact is None or fact.failed):
            continue
        if fact is None or fact.failed:
            problems.append(f"No instrument called {name} was found{f': {fact.reason}' if fact else '.'}")
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


def _failed(known: ConversationBrief, name: str) -> bool:
    fact = _resolved(known, name)
    return fact is None or fact.failed


def _reply(known: ConversationBrief, request: MessageRequest, symbols: Sequence[str]) -> str:
    results = [result for result in known.now.results if result.tool != "resolve"]
    if request.wish in ("task", "tasks", "run"):
        return "\n\n".join(result.reason for result in results)
    if waiting := [result.reason for result in results if result.approval_id]:
        return "\n\n".join(waiting)
    if request.wish == "holdings":
        return holder_text(results, request.symbols)
    if request.wish == "consult":
        return memo_text(known.now.memos, results)
    if request.wish == "decision":
        return decision_text(results, symbols)
    if request.wish == "worth":
        return worth_text(results)
    if request.wish == "consider":
        return view_text(results, known.now.memos)
    if request.wish == "compare" and len(symbols) > 1:
        return table(results, request.lookup.figures if request.lookup else ())
    wanted = request.lookup.figures if request.lookup else ()
    return "\n\n".join(figures_text(result, wanted) for result in results) or "Nothing was found."


def memo_text(memos: Sequence[MemoFact], results: Sequence[ToolFact]) -> str:
    """Return what personas answered, and why others did not."""
    failed = [f"- {result.reason}" for result in results if result.failed]
    return "\n".join([*memo_lines(memos), *failed]) or "Nobody could be consulted."


def _key(tool: str, arguments: Mapping[str, Any]) -> tuple[str, str]:
    return tool, repr(sorted((name, str(value)) for name, value in arguments.items()))


def _signed(text: str) -> str:
    return f"{text}\n\n{BY_RULES}"


__all__ = ["Act", "company_line", "conversation_of", "memo_text", "reply_or_calls"]
