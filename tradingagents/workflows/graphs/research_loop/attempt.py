"""One attempt at a task of a plan: tools chosen by a model, calls that a framework prescribes, or thinking."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.prebuilt import ToolNode
from langgraph.runtime import Runtime
from pydantic import BaseModel

from tradingagents.agents.model_calls import Model, ModelCalls, asks_for_tools
from tradingagents.agents.research import task_executor
from tradingagents.agents.research.prompting import findings_part, plan_part, question_part, session_part
from tradingagents.agents.research.schemas import PlannedCall, ResearchTask, TaskPlan, TaskType
from tradingagents.agents.research.states import ResearchState
from tradingagents.capabilities.ask import completed
from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.registry import registry
from tradingagents.capabilities.tools import answer_of, tool_node
from tradingagents.context import RunContext
from tradingagents.dataflows.results import Result
from tradingagents.errors import TradingAgentsError
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.offline.assistant.vocabulary import Lookup
from tradingagents.offline.brief import Brief, ObjectRule, TextRule
from tradingagents.offline.research.models import TaskFacts
from tradingagents.schemas.research import FactRecord, TaskResultRecord
from tradingagents.workflows.graphs.research_loop.brief import research_brief, typed_fact
from tradingagents.workflows.graphs.research_loop.tasks import ResearchTaskFailed, TaskOutput, key_of
from tradingagents.workflows.graphs.research_loop.tools import FIND, SEARCH, TaskTools, available

MOST_FIGURES = 12
"""Figures of one answer that a result keeps."""
MOST_TEXTS = 3
"""Sentences of an answer without figures."""
DIRECT_CALLS = 2
"""Tool calls of a question that one or two figures answer."""


@dataclass
class ResearchTaskRunner:
    """Carries out the tasks of one iteration."""

    models: TierModels
    state: ResearchState
    runtime: Runtime[Any]
    config: RunnableConfig
    node: ToolNode
    iteration: int
    degraded: list[Any] = field(default_factory=list)

    @property
    def context(self) -> RunContext:
        """The run's context."""
        context: RunContext = self.runtime.context
        return context

    @cached_property
    def earlier(self) -> list[TaskResultRecord]:
        """Results of earlier iterations."""
        return list(self.state.get("results", {}).values())

    async def __call__(self, task: ResearchTask, needed: Mapping[str, TaskResultRecord]) -> TaskOutput:
        """Carry out a task once.

        Raises:
            ResearchTaskFailed: No tool answered, or there is nothing to think about.
            TradingAgentsError: From a model call.
        """
        if task.task_type is TaskType.REASON:
            return await self._thought(task, needed)
        if task.calls:
            return await self._prescribed(task)
        if self._by_rules:
            raise ResearchTaskFailed("No rule knows which tools the task needs.")
        return await self._with_tools(task, needed)

    async def direct(self, question: str, lookup: Lookup | None) -> TaskOutput:
        """Answer a question of one or two figures by one round of at most two calls. Raises as a task does.

        Args:
            question: The question.
            lookup: The tool that its words ask for; called where no language model chooses.
        """
        task = ResearchTask(id="task_1", description=question[:400], task_type=TaskType.USE_TOOLS)
        if not self._by_rules:
            return await self._with_tools(task, {}, rounds=1, most_calls=DIRECT_CALLS)
        if lookup is None:
            raise ResearchTaskFailed("No rule knows what is asked; name a figure, or use a language model.")
        symbols = self.state.get("understanding", {}).get("tickers", [])[:DIRECT_CALLS]
        wanted = [{"ticker": symbol} for symbol in symbols] if lookup.of_company else [{}]
        calls = [PlannedCall(capability=lookup.tool, arguments=one, figures=lookup.figures) for one in wanted]
        return await self._prescribed(task.model_copy(update={"calls": calls}))

    @property
    def _by_rules(self) -> bool:
        return bool(getattr(self.models.of(task_executor.TOOLS.tier), "needs_brief", False))

    def _calls(
        self, task: ResearchTask, found: Sequence[FactRecord], needed: Mapping[str, TaskResultRecord]
    ) -> ModelCalls:
        spec = task_executor.THINKING if task.task_type is TaskType.REASON else task_executor.TOOLS

        def brief(agent: str, rule: ObjectRule | TextRule) -> Brief:
            now = TaskFacts(
                key=key_of(self.iteration, task.id),
                task_id=task.id,
                description=task.description,
                facts=tuple(map(typed_fact, found)),
            )
            keys = tuple(one["key"] for one in needed.values())
            return Brief(
                agent, rule, research=research_brief(self.context, self.state, task=now, more=needed, needs=keys)
            )

        return spec.calls(self.context, self.models, brief)

    async def _thought(self, task: ResearchTask, needed: Mapping[str, TaskResultRecord]) -> TaskOutput:
        known = [*self.earlier, *needed.values()]
        if not any(one["status"] == "completed" for one in known):
            raise ResearchTaskFailed("There is no finding to think about.")
        calls = self._calls(task, (), needed)
        text = await task_executor.THINKING.text(calls, self._parts(known), task=task.description)
        self.degraded += calls.degraded
        return TaskOutput(text, [])

    async def _prescribed(self, task: ResearchTask) -> TaskOutput:
        """Make the calls that the plan prescribes, side by side; write what they found."""
        facts = list(await asyncio.gather(*(self._answered(call) for call in task.calls)))
        if all(fact["failure"] for fact in facts):
            raise ResearchTaskFailed("; ".join(dict.fromkeys(fact["failure"] for fact in facts)))
        calls = self._calls(task, facts, {})
        text = await task_executor.TOOLS.text(calls, self._parts(()), task=task.description)
        return TaskOutput(text, facts)

    async def _answered(self, call: PlannedCall) -> FactRecord:
        """Return what one prescribed call gave; its figures are on the run's data sheet."""
        context = self.context
        capability = registry().by_name(call.capability)
        try:
            arguments = completed(capability, call.arguments, context.data.as_of)
            given = capability.checked(arguments)
            result: Result | str = await _reply(context, capability, given)
        except TradingAgentsError as error:
            result = str(error)
        return fact_of(capability.name, call.arguments, result, call.figures)

    async def _with_tools(
        self,
        task: ResearchTask,
        needed: Mapping[str, TaskResultRecord],
        *,
        rounds: int | None = None,
        most_calls: int | None = None,
    ) -> TaskOutput:
        """Let the model choose tools, round by round, then write what it found."""
        context = self.context
        known = [*self.earlier, *needed.values()]
        searched = any(fact["capability"] == SEARCH for one in known for fact in one["facts"])
        tools = TaskTools(context, task.description, self.state["question"], searched)
        calls = self._calls(task, (), needed)
        messages: list[BaseMessage] = task_executor.TOOLS.messages(context, self._parts(known), task=task.description)
        most = context.settings.max_tool_rounds if rounds is None else rounds
        facts: list[FactRecord] = []

        def bind(model: BaseChatModel) -> Model:
            return model.bind_tools(tools.bound())

        for _ in range(most):
            reply = await calls.reply(messages, bind=bind)
            if not asks_for_tools(reply):
                text = (await calls.mended(reply, messages, calls.reply)).text.strip()
                return self._output(text, facts, calls)
            asked = reply if most_calls is None else _first_calls(reply, most_calls)
            messages += [asked, *await self._tool_messages(asked, tools, facts)]
        messages.append(HumanMessage(task_executor.WRITE_NOW))
        return self._output((await calls.whole(messages)).text.strip(), facts, calls)

    def _output(self, text: str, facts: list[FactRecord], calls: ModelCalls) -> TaskOutput:
        self.degraded += calls.degraded
        if all(fact["failure"] for fact in facts) and (facts or not self.earlier):
            reasons = dict.fromkeys(fact["failure"] for fact in facts)
            raise ResearchTaskFailed(
                "; ".join(reasons) or "No tool was called, so there is nothing that the findings rest on."
            )
        return TaskOutput(text, facts)

    async def _tool_messages(self, reply: AIMessage, tools: TaskTools, facts: list[FactRecord]) -> list[AnyMessage]:
        """Answer the calls of a reply: searches for tools here, all others by the tool node, side by side."""
        answered: dict[str, AnyMessage] = {}
        others = []
        for call in reply.tool_calls:
            if call["name"] == FIND:
                text = tools.add(str(call["args"].get("query", "")))
                answered[call["id"] or ""] = ToolMessage(text, name=FIND, tool_call_id=call["id"] or "")
            elif why := tools.why_not_offered(call["name"]):
                answered[call["id"] or ""] = ToolMessage(
                    why, name=call["name"], tool_call_id=call["id"] or "", status="error"
                )
            else:
                others.append(call)
        if others:
            asked = AIMessage("", tool_calls=others)
            told = await self.node.ainvoke({"messages": [asked]}, self.config, runtime=self.runtime)
            for message in cast(dict[str, list[ToolMessage]], told)["messages"]:
                answered[message.tool_call_id] = message
            facts += [await self._fact(call["name"], call["args"], answered.get(call["id"] or "")) for call in others]
            tools.searched_filings |= any(call["name"] == SEARCH for call in others)
        unreadable = [
            ToolMessage(
                f"The arguments of {call['name']} are not valid JSON; call it again.",
                name=call["name"],
                tool_call_id=call["id"] or "",
                status="error",
            )
            for call in reply.invalid_tool_calls
        ]
        return [*(answered[call["id"] or ""] for call in reply.tool_calls), *unreadable]

    async def _fact(self, name: str, arguments: Mapping[str, Any], message: AnyMessage | None) -> FactRecord:
        """Return what a call gave, from the typed answer that the run has kept."""
        capability = registry().get(name)
        if capability is None or not isinstance(message, ToolMessage) or message.status == "error":
            reason = str(message.content) if message is not None else "The tool gave no answer."
            return fact_of(name, arguments, reason, ())
        given = capability.arguments.model_validate(arguments)  # the tool has checked them
        return fact_of(name, arguments, await answer_of(self.context, capability, given), ())

    def _parts(self, known: Sequence[TaskResultRecord]) -> list[str]:
        state = self.state
        plan = TaskPlan.model_validate(state["plan"]) if state.get("plan") else None
        return [
            session_part(state.get("history", [])),
            question_part(state["question"], state.get("asked_back", [])),
            f"# Plan\n{plan_part(plan)}" if plan is not None and plan.tasks else "",
            findings_part(known),
        ]


async def _reply(context: RunContext, capability: Capability, given: BaseModel) -> Result:
    """Answer a capability within the run, on its data sheet."""
    if not capability.may_block(context.data):
        return capability.reply(context.data, given).result
    loop = asyncio.get_running_loop()
    return (await loop.run_in_executor(context.executor, capability.reply, context.data, given)).result


def fact_of(name: str, arguments: Mapping[str, Any], result: Result | str, wanted: Sequence[str]) -> FactRecord:
    """Return what a call gave as it is kept: the wanted figures first, or why there is no answer."""
    told = {name: value for name, value in arguments.items() if isinstance(value, str | int | float | bool)}
    if isinstance(result, str):
        symbol = told.get("ticker")
        return FactRecord(
            capability=name,
            arguments=told,
            title=name,
            symbol=symbol if isinstance(symbol, str) else None,
            as_of="",
            figures=[],
            texts=[],
            failure=result,
        )
    known = {one.name: one for one in result.figures() if one.rounded is not None}
    chosen = [known[name] for name in wanted if name in known] or (
        [] if wanted else list(known.values())[:MOST_FIGURES]
    )
    return FactRecord(
        capability=name,
        arguments=told,
        title=result.title,
        symbol=result.symbol,
        as_of=result.as_of.isoformat(),
        figures=[{"name": one.name, "value": one.rounded or 0.0, "shown": one.text} for one in chosen],
        texts=list(_texts(result)) if not chosen else [],
        failure="" if chosen or not wanted else f"{result.title} does not give {', '.join(wanted)}",
    )


def _texts(result: Result) -> list[str]:
    """Return sentences that stand for an answer without figures: its passages, articles or description."""
    passages = getattr(result, "passages", None) or getattr(result, "articles", None) or ()
    found = [getattr(one, "text", "") or getattr(one, "title", "") for one in passages]
    business = getattr(result, "business", "")
    return [" ".join(str(text).split())[:400] for text in [business, *found] if text][:MOST_TEXTS]


def research_tool_node(context: RunContext) -> ToolNode:
    """Return the node that runs the tools of all tasks."""
    return tool_node(list(available(context).values()), agent=task_executor.TOOLS.name)


def _first_calls(reply: AIMessage, most: int) -> AIMessage:
    """Return a reply with its first calls only."""
    return reply if len(reply.tool_calls) <= most else AIMessage(reply.text, tool_calls=reply.tool_calls[:most])
