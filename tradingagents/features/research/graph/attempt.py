"""One attempt at a task of a plan: tools chosen by a model, calls that a framework prescribes, or thinking."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, cast

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, InvalidToolCall, ToolCall, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.prebuilt import ToolNode
from langgraph.runtime import Runtime

from tradingagents.agents.model_calls import Model, ModelCalls, asks_for_tools
from tradingagents.agents.prompting import fenced, said_last
from tradingagents.capabilities.ask import completed
from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.registry import registry
from tradingagents.capabilities.tools import answer_of, tool_node
from tradingagents.context import RunContext
from tradingagents.features.research.agents import task_executor
from tradingagents.features.research.agents.prompting import findings_part, plan_part, question_part, session_part
from tradingagents.features.research.agents.schemas import PlannedCall, ResearchTask, TaskPlan, TaskType
from tradingagents.features.research.agents.states import ResearchState
from tradingagents.features.research.graph.brief import research_brief
from tradingagents.features.research.graph.tasks import ResearchTaskFailed, TaskOutput
from tradingagents.features.research.graph.tools import FIND, SEARCH, TaskTools
from tradingagents.features.research.rules import agents as rules
from tradingagents.features.research.schemas import TaskResultRecord
from tradingagents.files.plain_text import one_line
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.offline.brief import Brief, ObjectRule, TextRule
from tradingagents.runtime.records.facts import fact_of
from tradingagents.schemas.facts import FactRecord

MOST_CALLS = 12
"""Tool calls of one reply that are carried out."""
TOO_MANY = "Only the first {most} calls of a reply are carried out; call fewer tools at a time."
NO_CALL = "No tool was called"
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
    available: Mapping[str, Capability]
    """The capabilities that some vendor can answer in this run, by name."""
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

    async def direct(self, task: ResearchTask) -> TaskOutput:
        """Answer a question of one or two figures by one round of at most two calls. Raises as a task does."""
        if not self._by_rules:
            return await self._with_tools(task, {}, rounds=1, most_calls=DIRECT_CALLS)
        asked, why_none = rules.direct_calls(research_brief(self.context, self.state))
        if not asked:
            raise ResearchTaskFailed(why_none)
        calls = [PlannedCall.model_validate(call) for call in asked[:DIRECT_CALLS]]
        return await self._prescribed(task.model_copy(update={"calls": calls}))

    @property
    def _known_of_session(self) -> bool:
        """Whether an earlier question of the session has found something."""
        return any(earlier.findings for earlier in self.state.get("history", []))

    @property
    def _by_rules(self) -> bool:
        return bool(getattr(self.models.of(task_executor.TOOLS.tier), "needs_brief", False))

    def _calls(
        self, task: ResearchTask, found: Sequence[FactRecord], needed: Mapping[str, TaskResultRecord]
    ) -> ModelCalls:
        spec = task_executor.THINKING if task.task_type is TaskType.REASON else task_executor.TOOLS

        def brief(agent: str, rule: ObjectRule | TextRule) -> Brief:
            keys = tuple(result.key for result in needed.values())
            known = research_brief(self.context, self.state, facts=found, more=needed, needs=keys)
            return Brief(agent, rule, known=known)

        return spec.calls(self.context, self.models, brief)

    async def _thought(self, task: ResearchTask, needed: Mapping[str, TaskResultRecord]) -> TaskOutput:
        known = [*self.earlier, *needed.values()]
        if not (_any_completed(known) or self._known_of_session):
            raise ResearchTaskFailed("There is no finding to think about.")
        calls = self._calls(task, (), needed)
        text = await task_executor.THINKING.text(calls, self._parts(known), task=_quoted(task))
        self.degraded += calls.degraded
        return TaskOutput(text, [])

    async def _prescribed(self, task: ResearchTask) -> TaskOutput:
        """Make the calls that the plan prescribes, side by side; write what they found."""
        asked = [
            ToolCall(name=planned.capability, args=self._completed(planned), id=f"{task.id}-{number}", type="tool_call")
            for number, planned in enumerate(task.calls, 1)
        ]
        messages = await self._answered(asked)
        facts = [
            await self._fact(
                call["name"], planned.arguments, call["args"], messages.get(call["id"] or ""), planned.figures
            )
            for call, planned in zip(asked, task.calls, strict=True)
        ]
        if all(fact.failure for fact in facts):
            raise ResearchTaskFailed("; ".join(dict.fromkeys(fact.failure for fact in facts)))
        calls = self._calls(task, facts, {})
        text = await task_executor.TOOLS.text(calls, self._parts(()), task=_quoted(task))
        return TaskOutput(text, facts)

    def _completed(self, call: PlannedCall) -> dict[str, Any]:
        """Return the arguments of a prescribed call, the day filled in where it takes one."""
        capability = registry().get(call.capability)
        return dict(completed(capability, call.arguments, self.context.data.as_of) if capability else call.arguments)

    async def _answered(self, calls: Sequence[ToolCall]) -> dict[str, ToolMessage]:
        """Return what the tool node answers to calls, side by side, by their ids; they are on the run's data sheet."""
        message = AIMessage("", tool_calls=list(calls))
        state = await self.node.ainvoke({"messages": [message]}, self.config, runtime=self.runtime)
        return {message.tool_call_id: message for message in cast(dict[str, list[ToolMessage]], state)["messages"]}

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
        searched = any(fact.capability == SEARCH for result in known for fact in result.facts)
        tools = TaskTools(task.description, self.state["question"], self.available, searched)
        calls = self._calls(task, (), needed)
        messages: list[BaseMessage] = task_executor.TOOLS.messages(context, self._parts(known), task=_quoted(task))
        most = context.settings.max_tool_rounds if rounds is None else rounds
        facts: list[FactRecord] = []

        def bind(model: BaseChatModel) -> Model:
            return model.bind_tools(tools.bound())  # as schemas: making them of tools would cost more than the call

        for _ in range(most):
            reply = await calls.reply(messages, bind=bind)
            if not asks_for_tools(reply):
                text = (await calls.mended(reply, messages, calls.reply)).text.strip()
                return self._output(text, facts, calls, known)
            messages += [reply, *await self._tool_messages(reply, tools, facts, most_calls or MOST_CALLS)]
        last = await calls.whole(said_last(messages, task_executor.WRITE_NOW))
        return self._output(last.text.strip(), facts, calls, known)

    def _output(
        self, text: str, facts: list[FactRecord], calls: ModelCalls, known: Sequence[TaskResultRecord]
    ) -> TaskOutput:
        self.degraded += calls.degraded
        if all(fact.failure for fact in facts) and (facts or not (_any_completed(known) or self._known_of_session)):
            reasons = dict.fromkeys(fact.failure for fact in facts)
            raise ResearchTaskFailed("; ".join(reasons) or f"{NO_CALL}, so there is nothing that the findings rest on.")
        return TaskOutput(text, facts)

    async def _tool_messages(
        self, reply: AIMessage, tools: TaskTools, facts: list[FactRecord], most: int
    ) -> list[ToolMessage]:
        """Answer the calls of a reply: searches for tools here, all others by the tool node, side by side."""
        answered: dict[str, ToolMessage] = {}
        others: list[ToolCall] = []
        for number, call in enumerate(reply.tool_calls):
            if call["name"] == FIND:
                answered[call["id"] or ""] = _message(call, tools.add(str(call["args"].get("query", ""))))
            elif why := TOO_MANY.format(most=most) if number >= most else tools.why_not_offered(call["name"]):
                answered[call["id"] or ""] = _message(call, why, status="error")
            else:
                others.append(call)
        if others:
            answered |= await self._answered(others)
            facts += [
                await self._fact(call["name"], call["args"], call["args"], answered.get(call["id"] or ""), ())
                for call in others
            ]
            tools.searched_filings |= any(call["name"] == SEARCH for call in others)
        unreadable = [
            _message(call, f"The arguments of {call['name']} are not valid JSON; call it again.", status="error")
            for call in reply.invalid_tool_calls
        ]
        return [*(answered[call["id"] or ""] for call in reply.tool_calls), *unreadable]

    async def _fact(
        self,
        name: str,
        shown: Mapping[str, Any],
        arguments: Mapping[str, Any],
        message: ToolMessage | None,
        wanted: Sequence[str],
    ) -> FactRecord:
        """Return what a call gave, from the typed answer that the run has kept.

        Args:
            name: The capability.
            shown: Its arguments as the result keeps them.
            arguments: Its arguments as they were passed.
            message: What the tool node answered.
            wanted: Names of the figures that the task is about; empty: the first ones.
        """
        capability = registry().get(name)
        if capability is None or message is None or message.status == "error":
            reason = str(message.content) if message is not None else "The tool gave no answer."
            return fact_of(name, shown, reason, ())
        given = capability.arguments.model_validate(arguments)  # the tool has checked them
        return fact_of(name, shown, await answer_of(self.context, capability, given), wanted)

    def _parts(self, known: Sequence[TaskResultRecord]) -> list[str]:
        state = self.state
        plan = TaskPlan.model_validate(state["plan"]) if state.get("plan") else None
        return [
            session_part(state.get("history", [])),
            question_part(state["question"], state.get("asked_back", [])),
            f"# Plan\n{plan_part(plan)}" if plan is not None and plan.tasks else "",
            findings_part(known),
        ]


def _message(
    call: ToolCall | InvalidToolCall, text: str, *, status: Literal["success", "error"] = "success"
) -> ToolMessage:
    return ToolMessage(text, name=call["name"], tool_call_id=call["id"] or "", status=status)


def research_tool_node(capabilities: Iterable[Capability]) -> ToolNode:
    """Return the node that runs the tools of all tasks."""
    return tool_node(list(capabilities), agent=task_executor.TOOLS.name)


def _quoted(task: ResearchTask) -> str:
    """Return a task on one line: a model has written it from texts that may imitate a role's heading."""
    return fenced(one_line(task.description))


def _any_completed(results: Sequence[TaskResultRecord]) -> bool:
    return any(result.status == "completed" for result in results)
