"""Capabilities as LangChain tools, and the tool node that runs them: observed, with typed errors as tool messages."""

# No postponed annotations here: LangChain evaluates those of a tool's function anew at every call.
import asyncio
import contextvars
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from typing import Annotated, Any

from langchain_core.messages import ToolCall, ToolMessage
from langchain_core.tools import BaseTool, InjectedToolArg, StructuredTool
from langgraph.prebuilt import ToolNode, ToolRuntime
from langgraph.prebuilt.tool_node import ToolCallRequest, ToolInvocationError
from langgraph.types import Command
from pydantic import BaseModel, Field, create_model

from tradingagents.capabilities.capability import Answer, Capability
from tradingagents.capabilities.registry import registry
from tradingagents.context import MADE, RunContext
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.results import Result
from tradingagents.errors import TradingAgentsError, UsageError
from tradingagents.events import Event
from tradingagents.files.redaction import HIDDEN
from tradingagents.llm_clients.run_context import AGENT
from tradingagents.retrieval.questions.holdings import without_holdings

ToolReply = ToolMessage | Command[Any]
Note = Callable[[RunContext, ToolCall, ToolMessage], Mapping[str, Any]]
"""Returns what the event of a finished tool call tells besides: from the context, the call and its answer."""
_GIST_CHARS = 400


@lru_cache(maxsize=256)
def as_tool(capability: Capability) -> BaseTool:
    """Turn a capability into a tool whose schema shows a model its arguments only; the run arrives hidden."""

    async def call(runtime: ToolRuntime[RunContext, Any], **arguments: Any) -> tuple[str, dict[str, Any]]:
        given = capability.arguments.model_construct(**arguments)  # the tool's schema has checked them
        answer = await _answer(capability, _context(runtime), given)
        return answer.markdown, answer.result.kept()

    # The run is a hidden field of the schema: models do not see it, and unknown arguments are still refused. Excluded,
    # for LangChain dumps the arguments at each call, and the run holds the whole conversation.
    schema = create_model(
        capability.name,
        __base__=capability.arguments,
        runtime=(Annotated[Any, InjectedToolArg(), Field(exclude=True)], ...),
    )
    return StructuredTool(
        coroutine=call,
        name=capability.name,
        description=capability.summary,
        args_schema=schema,
        response_format="content_and_artifact",
    )


def standalone_tool(capability: Capability) -> BaseTool:
    """Return a capability as a LangChain tool that needs no run; see `Capability.ask_standalone`."""

    def answer(**arguments: Any) -> str:
        return capability.invoke(arguments)

    return StructuredTool.from_function(
        answer, name=capability.name, description=capability.summary, args_schema=capability.arguments
    )


def known_answer(context: RunContext, capability: Capability, given: BaseModel) -> Result | str | None:
    """Return what a capability answered in this process, or why it could not; None if it was not asked."""
    return context.found.answers.get(_question(capability, given))


async def answer_of(context: RunContext, capability: Capability, given: BaseModel) -> Result | str:
    """Return what a capability answered in this run, or why it could not.

    What this process has not asked is asked outside the run's data sheet.
    """
    question = _question(capability, given)
    if question not in context.found.answers:
        with suppress(TradingAgentsError):
            await _answer(capability, context, given, context.data.with_new_sheet())
    return context.found.answers[question]


async def ask_in_run(
    context: RunContext, capability: Capability, arguments: Mapping[str, Any], *, agent: str
) -> Result:
    """Answer a capability within a run as a tool call would: on its data sheet, with its events.

    What this process has asked already is answered from memory, without events. Nothing blocks the event loop.

    Args:
        context: The run's context.
        capability: What to ask.
        arguments: As in its schema; values may be JSON.
        agent: Who asks, for the events.

    Raises:
        UsageError: The arguments do not fit.
        TradingAgentsError: As the vendor and the analytics raise.
    """
    given = capability.checked(arguments)
    known = context.found.answers.get(_question(capability, given))
    if isinstance(known, Result):
        return known
    shown, private = told_call(capability.name, given.model_dump(mode="json"))
    told: dict[str, Any] = {"node": agent, "tool": capability.name, **({"private": True} if private else {})}
    context.events.emit("tool_start", capability.name, args=shown, **told)
    try:
        answer = await _answer(capability, context, given)
    except TradingAgentsError as error:
        context.events.emit("tool_end", str(error), status="error", content=str(error), **told)
        raise
    articles = answer.result.kept().get("articles")
    context.events.emit(
        "tool_end",
        answer.result.title,
        status="success",
        content=answer.markdown,
        **({"articles": articles} if articles else {}),
        **told,
    )
    return answer.result


async def _answer(
    capability: Capability, context: RunContext, given: BaseModel, data: MarketData | None = None
) -> Answer:
    """Answer at once where that costs no request, else in a thread that may wait for one; keep the answer."""
    market = context.data if data is None else data
    try:
        if not capability.may_block(market):
            answer = capability.reply(market, given)
        else:
            loop, here = asyncio.get_running_loop(), contextvars.copy_context()
            answer = await loop.run_in_executor(context.executor, lambda: here.run(capability.reply, market, given))
    except TradingAgentsError as error:
        context.found.answers[_question(capability, given)] = str(error)
        raise
    context.found.answers[_question(capability, given)] = answer.result
    return answer


def _question(capability: Capability, given: BaseModel) -> Hashable:
    return capability.name, tuple(getattr(given, name) for name in capability.arguments.model_fields)


def _context(runtime: ToolRuntime[Any, Any]) -> RunContext:
    """Return the run's context; the one that the agent has made where it runs outside our graphs."""
    given = runtime.context
    context = given if isinstance(given, RunContext) else MADE.get()
    if context is None:
        raise UsageError("This tool needs a run; call it by its capability's `invoke`, or let an agent call it.")
    return context


def tool_node(capabilities: Sequence[Capability], *, agent: str, note: Note | None = None) -> ToolNode:
    """Return a node that runs the tool calls of the last message concurrently.

    A typed error, bad arguments and an unknown tool become a tool message with `status="error"` that says what to do;
    any other exception is a bug and ends the agent.

    Nodes are shared: they hold nothing of a run, and LangGraph takes 15 ms to inspect the signatures of all our tools.

    Args:
        capabilities: The tools.
        agent: Who calls them, for events.
        note: Returns what the event of a finished call tells besides; None for nothing.
    """
    return _tool_node(tuple(capabilities), agent, note)


@lru_cache(maxsize=64)
def _tool_node(capabilities: tuple[Capability, ...], agent: str, note: Note | None) -> ToolNode:
    return ToolNode(
        [as_tool(capability) for capability in capabilities],
        handle_tool_errors=False,
        awrap_tool_call=_observer(agent, note),
    )


IN_ITS_PLACE = "About what you hold: it stands in the conversation or the run, not among its events."


def told_call(name: str, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """Return the arguments of a call as events tell them, and whether it is about what the user holds.

    Of a call that is about the user's own files, such as the book, the arguments are hidden: events reach logs, tasks
    and whoever follows these. The conversation, or the run, has them.
    """
    asked = str(arguments["name"]) if "name" in arguments and isinstance(arguments.get("arguments"), Mapping) else name
    known = registry().get(asked)
    if known is None or not known.reads_home:
        return dict(arguments), False
    if asked == name:
        return dict.fromkeys(arguments, HIDDEN), True
    return {**arguments, "arguments": dict.fromkeys(arguments["arguments"], HIDDEN)}, True


def told_of_holdings(event: Event) -> tuple[str, dict[str, Any]]:
    """Return an event's message and data for those who follow a task: without what a user states of holdings.

    The answer is in them, and the conversation or the run has the rest.
    """
    data = dict(event.data)
    if event.type == "tool_end" and data.get("private"):
        data["content"] = IN_ITS_PLACE
    if event.type not in ("run_start", "plan", "task"):
        return event.message, data
    return without_holdings(event.message), _plain(data)


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return without_holdings(value)
    if isinstance(value, Mapping):
        return {name: _plain(of) for name, of in value.items()}
    return [_plain(of) for of in value] if isinstance(value, (list, tuple)) else value


def _observer(
    agent: str, note: Note | None
) -> Callable[[ToolCallRequest, Callable[[ToolCallRequest], Awaitable[ToolReply]]], Awaitable[ToolReply]]:
    async def observe(
        request: ToolCallRequest, execute: Callable[[ToolCallRequest], Awaitable[ToolReply]]
    ) -> ToolReply:
        call, events = request.tool_call, _context(request.runtime).events
        shown, private = told_call(call["name"], call["args"])
        asked = ", ".join(f"{name}={value}" for name, value in shown.items())
        AGENT.set(agent)
        told: dict[str, Any] = {"tool": call["name"], "call": call["id"], **({"private": True} if private else {})}
        events.emit("tool_start", f"{call['name']}({asked})", node=agent, args=shown, **told)
        try:
            reply = await execute(request)
        except (TradingAgentsError, ToolInvocationError) as error:
            reply = ToolMessage(
                content=_explain(error), name=call["name"], tool_call_id=call["id"] or "", status="error"
            )
        if isinstance(reply, ToolMessage):
            events.emit(
                "tool_end",
                call["name"] if private else _gist(reply),
                node=agent,
                status=reply.status,
                content=str(reply.content),
                **_articles(reply),
                **(note(_context(request.runtime), call, reply) if note else {}),
                **told,
            )
        return reply

    return observe


def _articles(reply: ToolMessage) -> dict[str, Any]:
    """Return the articles that an answer shows, for the run's list of what was read."""
    articles = (reply.artifact or {}).pop("articles", None)  # the event has them: the conversation needs them not twice
    return {"articles": articles} if articles else {}


def _explain(error: TradingAgentsError | ToolInvocationError) -> str:
    if isinstance(error, TradingAgentsError):
        return str(error)
    problems = "; ".join(
        f"{'.'.join(map(str, problem['loc'])) or 'arguments'}: {problem['msg']}"
        for problem in error.filtered_errors or error.source.errors(include_url=False)
    )
    return f"{error.tool_name} cannot be called like that ({problems}); correct the arguments."


def _gist(reply: ToolMessage) -> str:
    """Return an answer in a line: its heading and its first figures."""
    heading, *lines = str(reply.content)[:_GIST_CHARS].splitlines() or [""]
    table = list(islice((line for line in lines if line.startswith("| ")), 4))[1:]  # without the table's own heading
    figures = ", ".join(" ".join(cell.strip() for cell in row.strip("|").split("|")) for row in table)
    return ": ".join(part for part in (heading.lstrip("# "), figures) if part)[:200]
