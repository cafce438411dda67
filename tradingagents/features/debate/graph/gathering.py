"""What both sides of a debate gather: at most five tool calls each, from one cache, so that both see the same data."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, cast

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, ToolCall, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.prebuilt import ToolNode
from langgraph.runtime import Runtime
from pydantic import ValidationError

from tradingagents.agents.builders.report import unreadable_calls
from tradingagents.agents.model_calls import Model, asks_for_tools
from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.registry import registry
from tradingagents.capabilities.tools import as_tool, known_answer, tool_node
from tradingagents.context import RunContext
from tradingagents.dataflows.results import Result
from tradingagents.errors import UsageError
from tradingagents.events import Event
from tradingagents.features.debate.agents.advocate import MOST_CALLS, TOOLS, Advocate
from tradingagents.features.debate.schemas import SIDES, DebateEvidence
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.offline.brief import Brief
from tradingagents.retrieval.results import PassageList
from tradingagents.runtime.records.facts import fact_of

NO_CALLS_LEFT = "You have no tool calls left; answer DONE."


class SharedAnswers:
    """The answers of tools in one debate, by call; a call that one side makes is not made again for the other."""

    def __init__(self, finished: Mapping[str, DebateEvidence]) -> None:
        """Take in what earlier starts of the run were answered, by the key of the call."""
        self.known = dict(finished)
        self._asked: dict[str, asyncio.Future[DebateEvidence]] = {}

    async def get(self, key: str, ask: Callable[[], Awaitable[DebateEvidence]]) -> DebateEvidence:
        """Return the answer to a call; ask for it where neither side has made the call."""
        if key in self.known:
            return self.known[key]
        if key not in self._asked:
            self._asked[key] = asyncio.ensure_future(ask())
        self.known[key] = await asyncio.shield(self._asked[key])
        return self.known[key]


def offered(context: RunContext) -> list[Capability]:
    """Return the capabilities that the advocates may call in this run."""
    known = registry()
    return [known[name] for name in TOOLS if name in known and known[name].is_available(context.data)]


async def gather(
    advocate: Advocate,
    models: TierModels,
    shared: SharedAnswers,
    brief: Callable[[bool], Brief],
    runtime: Runtime[Any],
    config: RunnableConfig,
) -> tuple[list[str], dict[str, Any]]:
    """Let one side call tools until it has what it needs, or no calls are left.

    Args:
        advocate: The side's agent.
        models: The models by tier.
        shared: The answers of both sides.
        brief: Makes the brief of its rule; the argument says whether it has called no tool yet.
        runtime: With the run's context.
        config: Of the node.

    Returns:
        The keys of its calls in order, and the step's addition to the state: degradations of the model.
    """
    context: RunContext = runtime.context
    tools = offered(context)
    node = tool_node(tools, agent=advocate.name, note=_noted)
    bound = [as_tool(tool) for tool in tools]
    keys: list[str] = []
    made = 0

    async def known(_messages: Sequence[BaseMessage]) -> Brief:
        return brief(made == 0)

    def bind(model: BaseChatModel) -> Model:
        return model.bind_tools(bound)

    calls = advocate.research_calls(context, models, known)
    messages = advocate.research_messages(context)
    while made < MOST_CALLS:
        reply = await calls.reply(messages, bind=bind)
        if not asks_for_tools(reply):
            break
        allowed = reply.tool_calls[: MOST_CALLS - made]
        made += len(allowed) + len(reply.invalid_tool_calls)
        answers = await asyncio.gather(*(_answer(call, node, shared, runtime, config) for call in allowed))
        keys += [key for key, _ in answers]
        late = [_message(call, NO_CALLS_LEFT, "error") for call in reply.tool_calls[len(allowed) :]]
        messages += [reply, *(message for _, message in answers), *late, *unreadable_calls(reply)]
    return list(dict.fromkeys(keys)), calls.left


async def _answer(
    call: ToolCall, node: ToolNode, shared: SharedAnswers, runtime: Runtime[Any], config: RunnableConfig
) -> tuple[str, AnyMessage]:
    """Answer one call from what both sides know, else by the tool."""
    key = call_key(call["name"], call["args"])

    async def ask() -> DebateEvidence:
        state = await node.ainvoke({"messages": [AIMessage("", tool_calls=[call])]}, config, runtime=runtime)
        (message,) = cast(dict[str, list[ToolMessage]], state)["messages"]
        return _evidence_of(runtime.context, call, message)

    found = await shared.get(key, ask)
    return key, _message(call, found.failure or found.content, "error" if found.failure else "success")


def call_key(name: str, arguments: Mapping[str, Any]) -> str:
    """Return the key of a call: equal for equal questions, however their arguments are written."""
    capability = registry().get(name)
    given: Mapping[str, Any] = arguments
    if capability is not None:
        try:
            given = capability.arguments.model_validate(dict(arguments)).model_dump(mode="json")
        except ValidationError:
            given = arguments  # the tool will say what is wrong with them
    return f"{name} {json.dumps(given, sort_keys=True, default=str)}"


def finished_calls(events: Iterable[Event]) -> dict[str, DebateEvidence]:
    """Return the answers that a run's log tells of, by the key of the call."""
    ended = (event.data for event in events if event.type == "tool_end" and "evidence" in event.data)
    return {data["key"]: DebateEvidence.model_validate(data["evidence"]) for data in ended}


def numbered(gathered: Mapping[str, Sequence[str]], shared: SharedAnswers) -> list[DebateEvidence]:
    """Return what both sides gathered, each answer once with its id: the bull's calls first, in order."""
    asked: dict[str, list[str]] = {}
    for side in SIDES:
        for key in gathered.get(side, ()):
            asked.setdefault(key, []).append(side)
    found: list[DebateEvidence] = []
    for key, sides in asked.items():
        found.append(shared.known[key].model_copy(update={"id": f"E{len(found) + 1}", "asked_by": sides}))
    return found


def _noted(context: RunContext, call: ToolCall, message: ToolMessage) -> Mapping[str, Any]:
    """Return what the event of a finished call keeps for a later start of the run."""
    return {"key": call_key(call["name"], call["args"]), "evidence": _evidence_of(context, call, message).as_json()}


def _evidence_of(context: RunContext, call: ToolCall, message: ToolMessage) -> DebateEvidence:
    name, arguments = call["name"], call["args"]
    text = str(message.content)
    result: Result | str = text
    if message.status != "error":
        capability = registry().by_name(name)
        answer = known_answer(context, capability, capability.arguments.model_validate(arguments))
        if not isinstance(answer, Result):
            raise UsageError(f"{name} answered, but its answer is not known; report this as a bug.")
        result = answer
    wanted: list[str] = []  # all figures; of passages, what they say
    if isinstance(result, Result) and not isinstance(result, PassageList):
        wanted = [figure.name for figure in result.figures() if figure.rounded is not None]
    fact = fact_of(name, arguments, result, wanted)
    return DebateEvidence(**dict(fact), id="", content="" if message.status == "error" else text, asked_by=[])


def _message(call: ToolCall, text: str, status: Any) -> ToolMessage:
    return ToolMessage(text, name=call["name"], tool_call_id=call["id"] or "", status=status)
