"""What research is compared with: the trading desk, and one agent that calls tools in a loop."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from benchmarks.research.cases import ResearchCase
from tradingagents.capabilities.ask import completed
from tradingagents.capabilities.registry import registry
from tradingagents.capabilities.standalone import open_market
from tradingagents.capabilities.tools import standalone_tool
from tradingagents.dataflows.results import Result
from tradingagents.errors import TradingAgentsError
from tradingagents.graph.start import RunOptions, start
from tradingagents.graph.trading.kind import TRADING, TradingRequest
from tradingagents.llm_clients.pricing import Tokens, cost_usd
from tradingagents.offline.questions.conversation import AskedQuestion, ConversationBrief
from tradingagents.offline.questions.requests import read_request
from tradingagents.runtime.services import Services
from tradingagents.settings import Tier

MOST_ROUNDS = 8
"""Rounds of tool calls of the single agent."""
INSTRUCTION = (
    "Answer the question about companies or markets as of {day}. Call tools for every figure and use no other figure. "
    "Lead with the answer in one sentence: figure, unit, period, company. Say so where it cannot be known. "
    "End with a line `Sources:` that names the tools."
)
TIER: Tier = "mid"
Reply = tuple[str, bool, Mapping[str, Any]]
Answer = Callable[[ResearchCase], Awaitable[Reply]]


def trading_desk(services: Services, symbols: Mapping[str, str]) -> Answer:
    """Return what answers by a whole analysis of the first company that a question names.

    Args:
        services: Of the runs.
        symbols: Names of companies by symbol.
    """

    async def answer(case: ResearchCase) -> Reply:
        named = [symbol for symbol, name in symbols.items() if symbol in case.question.split() or name in case.question]
        symbol = next(iter([*case.subjects, *named]), "")
        if not symbol:
            return "The question names no company that the desk can analyse.", True, {}
        request = TradingRequest(day=case.as_of.isoformat(), ticker=symbol)
        try:
            run = await start(TRADING, request, services, RunOptions(persist="none")).result()
        except TradingAgentsError as error:
            return str(error), True, {}
        told = " ".join(" ".join(text.split()) for text in run.record.reports.values())
        return f"{told}\n\nSources: data sheet", False, {"usage": run.record.usage, "sources": ["data sheet"]}

    return answer


def single_agent(services: Services) -> Answer:
    """Return what answers by one model that calls tools in a loop; offline by one tool that the words ask for."""

    async def answer(case: ResearchCase) -> Reply:
        model = services.models.of(TIER)
        if getattr(model, "needs_brief", False):
            return _by_words(services, case)
        return await _by_model(services, case)

    return answer


async def _by_model(services: Services, case: ResearchCase) -> Reply:
    tools = [standalone_tool(one) for one in registry().values()]
    model = services.models.of(TIER).bind_tools(tools)
    messages: list[BaseMessage] = [
        SystemMessage(INSTRUCTION.format(day=case.as_of)),
        HumanMessage(case.question),
    ]
    read = written = calls = 0
    for _ in range(MOST_ROUNDS):
        reply: AIMessage = await model.ainvoke(messages)
        calls += 1
        used = reply.usage_metadata
        read, written = read + (used["input_tokens"] if used else 0), written + (used["output_tokens"] if used else 0)
        messages.append(reply)
        if not reply.tool_calls:
            break
        for call in reply.tool_calls:
            found = _asked(services, case, call["name"], call["args"])
            text = found if isinstance(found, str) else found.to_markdown()
            messages.append(ToolMessage(text, tool_call_id=call["id"] or ""))
    usd = cost_usd(services.models.label(TIER), Tokens(read, written), services.settings.model_prices) or 0.0
    usage = {"llm_calls": calls, "input_tokens": read, "output_tokens": written, "cost_usd": usd}
    text = messages[-1].text if isinstance(messages[-1], AIMessage) else ""
    return text, not text, {"usage": usage, "sources": ["tools"] if "Sources:" in text else []}


def _by_words(services: Services, case: ResearchCase) -> Reply:
    """Answer by the one tool whose words stand in the question, as the assistant's rules do."""
    request = read_request(ConversationBrief(now=AskedQuestion(question=case.question), day=case.as_of))
    lookup = request.lookup
    named = next(iter((*request.symbols, *request.names)), "")
    if lookup is None or (lookup.of_company and not named):
        return "No rule knows what is asked.", True, {}
    symbol = named
    if lookup.of_company:
        resolved = _asked(services, case, "resolve", {"ticker": named})
        if isinstance(resolved, str) or resolved.symbol is None:
            return f"Which company do you mean by {named}?", True, {}
        symbol = resolved.symbol
    found = _asked(services, case, lookup.tool, {"ticker": symbol} if lookup.of_company else {})
    if isinstance(found, str):
        return found, True, {}
    figures = [one for one in found.figures() if one.name in lookup.figures] or list(found.figures())[:4]
    told = ", ".join(f"{one.name} {one.text}" for one in figures)
    return f"{symbol}: {told}.\n\nSources: {found.title}", False, {"usage": {}, "sources": [found.title]}


def _asked(services: Services, case: ResearchCase, name: str, arguments: Mapping[str, Any]) -> Result | str:
    """Return what a tool answers as of the day of the question, or why it does not."""
    try:
        capability = registry().by_name(name)
        given = capability.checked(completed(capability, arguments, case.as_of))
        market = open_market(dict(given), as_of=case.as_of, settings=services.settings, vendors=services.vendors)
        return capability.reply(market, given).result
    except TradingAgentsError as error:
        return str(error)
