"""`WorkspaceTools`: the tools of the assistant and its personas, over the kernel, the tasks and lent tools."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from functools import cached_property
from typing import Any

from tradingagents.agents.prompting import fenced
from tradingagents.capabilities.ask import completed
from tradingagents.errors import ApprovalNeeded, BudgetReached, Interrupted, TradingAgentsError, UsageError
from tradingagents.features.assistant.agents.briefs import START
from tradingagents.features.assistant.agents.definitions import CHARTS, AgentDefinition, allowed_names
from tradingagents.features.assistant.agents.host import ToolCaller, ToolOffer, ToolOutcome
from tradingagents.features.assistant.sessions import SessionStore
from tradingagents.graph.trading.kind import TeamRequest
from tradingagents.schemas.lent_tools import LentTool, ToolLender
from tradingagents.schemas.workspace import CapabilityAnswer, CapabilityInfo, TaskInfo, TaskKindInfo
from tradingagents.service.kernel.caller import Caller
from tradingagents.service.kernel.kernel import Kernel
from tradingagents.service.tasks.chat.facts import facts_of
from tradingagents.service.tasks.control import TaskStarter

LIST, ASK, STATUS, CANCEL = "list_capabilities", "ask_capability", "task_status", "cancel_task"
ASK_RUN = "ask_run"
ASKED_AT_ONCE = "run_question"
"""Kind of task that no model is shown: `ask_run` answers about the runs of a conversation at once."""
MOST_LISTED, MOST_TASKS = 20, 200
LONGEST_RESULT = 1500
"""Characters of a task's result that a model is shown."""
_SETTINGS = frozenset(TeamRequest.model_fields) - {"day"}
"""Fields of a task's request that are the user's to set: models, limits, depth."""
FINDERS = (
    ToolOffer(
        name=LIST,
        description="Find further capabilities by words; returns names, arguments and what they answer.",
        arguments={
            "properties": {"words": {"type": "string", "description": "Words to look for; empty for all names"}},
            "additionalProperties": False,
        },
    ),
    ToolOffer(
        name=ASK,
        description="Call any capability that list_capabilities has named.",
        arguments={
            "properties": {
                "name": {"type": "string", "description": "Name of the capability"},
                "arguments": {"type": "object", "description": "Its arguments by name"},
            },
            "required": ["name"],
            "additionalProperties": False,
        },
    ),
)
TASK_TOOLS = (
    ToolOffer(
        name=STATUS,
        description="Show how the tasks of this conversation stand, or one of them with its result.",
        arguments={
            "properties": {"task_id": {"type": "string", "description": "A task; empty for all of this conversation"}},
            "additionalProperties": False,
        },
    ),
    ToolOffer(
        name=ASK_RUN,
        description="Answer from a finished run of this conversation (research, debate, comparison, report): what it "
        "found, with sources, and what would change it.",
        arguments={
            "properties": {
                "question": {"type": "string", "description": "In plain words"},
                "run_id": {"type": "string", "description": "A run; empty for the one that is open, or the latest"},
            },
            "required": ["question"],
            "additionalProperties": False,
        },
    ),
    ToolOffer(
        name=CANCEL,
        description="Stop a task of this conversation for good.",
        arguments={
            "properties": {"task_id": {"type": "string", "description": "The task"}},
            "required": ["task_id"],
            "additionalProperties": False,
        },
    ),
)


class WorkspaceTools:
    """Implements `ToolHost` over one home folder. The kernel decides on every call."""

    def __init__(
        self,
        kernel: Kernel,
        sessions: SessionStore,
        tasks: TaskStarter | None,
        *,
        lender: ToolLender | None = None,
        free: bool = False,
    ) -> None:
        """Set what tools are made from.

        Args:
            kernel: Answers capabilities and decides what is allowed.
            sessions: Where approvals are noted.
            tasks: Starts long work; None for none.
            lender: Lends the tools of other servers; None for none.
            free: Whether the settings name no model that is paid for.
        """
        self._kernel, self._sessions, self._tasks, self._lender = kernel, sessions, tasks, lender
        self._free = free
        self._lent: dict[str, LentTool] = {}

    async def offers(self, agent: AgentDefinition) -> tuple[ToolOffer, ...]:
        """Return the tools of an agent that can be used at present."""
        known = {name: info for info in self._infos for name in (info.name, *info.aliases)}
        own = [_offer(known[name], name) for name in agent.tools if name in known and self._may(agent, known[name])]
        if agent.hidden:
            return tuple(own)
        tools = [*own, *FINDERS]
        lent = await self._lent_offers()
        if agent.may_start_tasks and self._tasks is not None:
            kinds = [kind for kind in self._kinds if kind.kind != ASKED_AT_ONCE]
            shown = [kind for kind in kinds if agent.shown_tasks is None or kind.kind in agent.shown_tasks]
            tools += [*map(_start_offer, shown), *TASK_TOOLS]
        if self._lender is not None and (gaps := self._lender.gaps()):
            # What a server wrote when it failed is no instruction either.
            listing = replace(FINDERS[0], description=f"{FINDERS[0].description} {fenced(' '.join(gaps))}")
            tools[len(own)] = listing
        return (*tools, *lent)

    async def _lent_offers(self) -> tuple[ToolOffer, ...]:
        """Return the tools of other servers; those that write wait for the user's approval at each call."""
        if self._lender is None:
            return ()
        self._lent = {tool.name: tool for tool in await self._lender.list_tools()}
        return tuple(
            ToolOffer(name=tool.name, description=tool.description, arguments=tool.arguments)
            for tool in self._lent.values()
        )

    def gaps(self) -> tuple[str, ...]:
        """Return a sentence for each server that lends nothing."""
        return () if self._lender is None else tuple(self._lender.gaps())

    def catalogue(self, agent: AgentDefinition) -> tuple[ToolOffer, ...]:
        """Return every capability that an agent may use at present."""
        return tuple(_offer(info, info.name) for info in self._infos if self._may(agent, info))

    async def tasks(self, session_id: str) -> tuple[TaskInfo, ...]:
        """Return the newest tasks of a session."""
        return () if self._tasks is None else await self._tasks.list(session_id=session_id, limit=20)

    async def call(self, caller: ToolCaller, name: str, arguments: Mapping[str, Any], *, key: str) -> ToolOutcome:
        """Run one call; typed errors become failed outcomes. Raises Interrupted, BudgetReached."""
        try:
            return await self._call(caller, name, arguments, key)
        except (Interrupted, BudgetReached):
            raise
        except TradingAgentsError as error:
            said = str(error)
            if caller.agent.hidden:
                said = said.replace(caller.session_id, "this session")
            return ToolOutcome(text=said, failed=True)

    async def _call(self, caller: ToolCaller, name: str, arguments: Mapping[str, Any], key: str) -> ToolOutcome:
        own: Mapping[str, Callable[..., Any]] = {
            STATUS: self._status, CANCEL: self._cancel, LIST: self._list, ASK_RUN: self._ask_run,
        }  # fmt: skip
        if caller.agent.hidden:
            return await self._capability(caller, name, arguments)
        if name in own:
            outcome: ToolOutcome = await own[name](caller, arguments)
            return outcome
        if name == ASK:
            given = arguments.get("arguments") or {}
            if not isinstance(given, Mapping):
                raise UsageError("arguments is an object with the capability's arguments by name.")
            return await self._capability(caller, str(arguments.get("name", "")), given)
        if name in self._lent:
            return await self._lent_tool(caller, self._lent[name], arguments)
        kind = name.removeprefix(START)
        if name.startswith(START) and kind in {known.kind for known in self._kinds}:
            return await self._start(caller, kind, arguments, key)
        return await self._capability(caller, name, arguments)

    async def _capability(self, caller: ToolCaller, name: str, arguments: Mapping[str, Any]) -> ToolOutcome:
        who = self._caller(caller)
        try:
            answer = await self._kernel.ainvoke(name, arguments, as_of=caller.as_of, caller=who)
        except ApprovalNeeded as needed:
            capability = self._kernel.registry.by_name(name)
            capability.checked(completed(capability, arguments, caller.as_of))
            return await self._ask_user(caller, capability.name, arguments, needed)
        return _outcome(answer, outside=self._policy_of(answer.capability).outside_text)

    def _policy_of(self, capability: str) -> Any:
        return self._kernel.info(capability).policy

    async def _start(self, caller: ToolCaller, kind: str, arguments: Mapping[str, Any], key: str) -> ToolOutcome:
        """Start a task, or ask the user whether it may begin."""
        assert self._tasks is not None  # noqa: S101 - kinds are known
        info = next(known for known in self._kinds if known.kind == kind)
        _check_fields(_start_offer(info), arguments)
        day = _day_of_task(arguments, caller.as_of)
        costs = info.policy.costs_money and not self._free
        try:
            self._kernel.authorize(kind, self._caller(caller), writes=info.policy.writes, costs_money=costs)
        except ApprovalNeeded as needed:
            self._tasks.check(kind, arguments, day)
            return await self._ask_user(caller, kind, arguments, needed)
        task = await self._tasks.start(kind, arguments, day, caller.session_id, key=f"{caller.turn}-{key}")
        text = f"Task {task.task_id} ({kind}: {task.title}) has begun. A notice tells when it has ended."
        return ToolOutcome(text=text, task_id=task.task_id, title=task.title)

    async def _ask_user(
        self, caller: ToolCaller, action: str, arguments: Mapping[str, Any], needed: ApprovalNeeded
    ) -> ToolOutcome:
        """Note that an action waits for the user; the same action waits once."""
        session_id = caller.session_id
        known = (await asyncio.to_thread(self._sessions.get, session_id)).approvals
        given = json.loads(json.dumps(dict(arguments), default=str))
        waiting = next(
            (
                waiting
                for waiting in known
                if waiting.status == "waiting" and (waiting.action, waiting.arguments) == (action, given)
            ),
            None,
        )
        approval = waiting
        if approval is None:
            approval = await asyncio.to_thread(self._sessions.add_approval, session_id, action, given, str(needed))
        asked = ", ".join(f"{name}={value}" for name, value in given.items())
        text = (
            f"{action}({asked}) waits for the user's approval {approval.approval_id}: {needed} It begins when the user "
            "approves it; do not call it again, and tell the user."
        )
        return ToolOutcome(text=text, approval_id=approval.approval_id, title=f"Approval of {action}")

    async def _lent_tool(self, caller: ToolCaller, tool: LentTool, arguments: Mapping[str, Any]) -> ToolOutcome:
        assert self._lender is not None  # noqa: S101 - it has lent the tool
        if tool.writes:
            needed = ApprovalNeeded(f"{tool.name} may change something on another server; the user must approve it.")
            return await self._ask_user(caller, tool.name, arguments, needed)
        text = await self._lender.call(tool.name, arguments, as_of=caller.as_of)
        return ToolOutcome(text=text, outside_text=True, title=tool.name)

    async def _status(self, caller: ToolCaller, arguments: Mapping[str, Any]) -> ToolOutcome:
        assert self._tasks is not None  # noqa: S101 - the tool is offered where there are tasks
        wanted = str(arguments.get("task_id") or "")
        tasks = await self._tasks.list(session_id=caller.session_id, limit=20)
        shown = [task for task in tasks if wanted in ("", task.task_id)]
        if wanted and not shown:
            raise UsageError(f"This conversation has no task {wanted}; task_status without an id lists those it has.")
        if not shown:
            return ToolOutcome(text="This conversation has started no task yet.", title="Tasks")
        # What a model wrote after it had read news is no word of the user's.
        text, told = "\n".join(map(_task_line, shown)), any(task.result for task in shown)
        return ToolOutcome(text=text, title="Tasks", outside_text=told)

    async def _ask_run(self, caller: ToolCaller, arguments: Mapping[str, Any]) -> ToolOutcome:
        """Answer a question from the record of a finished run of the conversation, by rule."""
        assert self._tasks is not None  # noqa: S101 - the tool is offered where there are tasks
        from tradingagents.runtime.registry import record_of
        from tradingagents.runtime.run_questions.answers import answer_about
        from tradingagents.service.tasks.chat.runs import run_asked_about

        question = str(arguments.get("question") or "").strip()
        if not question:
            raise UsageError("question is empty; write what to answer from the run.")
        tasks = await self._tasks.list(session_id=caller.session_id, limit=MOST_TASKS)
        session = await asyncio.to_thread(self._sessions.get, caller.session_id)
        home, wanted = self._kernel.settings.home_dir, str(arguments.get("run_id") or "")
        card = await asyncio.to_thread(run_asked_about, home, session, tasks, wanted, question, caller.as_of)
        text = await asyncio.to_thread(answer_about, record_of(card), question)
        # A model wrote the record after it had read news.
        return ToolOutcome(text=text, title=f"Run {card['run_id']}", outside_text=True)

    async def _cancel(self, caller: ToolCaller, arguments: Mapping[str, Any]) -> ToolOutcome:
        assert self._tasks is not None  # noqa: S101 - the tool is offered where there are tasks
        wanted = str(arguments.get("task_id") or "")
        tasks = await self._tasks.list(session_id=caller.session_id, limit=50)
        if wanted not in {begun.task_id for begun in tasks}:
            raise UsageError(f"This conversation has no task {wanted!r}; task_status lists those it has.")
        if caller.outside_text_seen:
            raise UsageError(
                "Text written by others was read in this turn, and may have asked for this; the user can stop the task."
            )
        task = await self._tasks.cancel(wanted)
        return ToolOutcome(text=f"Task {task.task_id} is {task.status}.", title=task.title)

    async def _list(self, caller: ToolCaller, arguments: Mapping[str, Any]) -> ToolOutcome:
        words = str(arguments.get("words") or "").lower().split()
        found = []
        for info in self._infos:
            if not self._may(caller.agent, info):
                continue
            text = " ".join((info.name, *info.aliases, info.summary)).lower()
            hits = sum(word in text for word in words)
            if hits or not words:
                found.append((-hits, info.name, info))
        if not words:
            return ToolOutcome(text="\n".join(f"- {name}" for _, name, _ in found), title="Capabilities")
        lines = [f"- {name}({_arguments(info)}): {info.summary}" for _, name, info in sorted(found)[:MOST_LISTED]]
        return ToolOutcome(text="\n".join(lines) or "Nothing fits these words.", title="Capabilities")

    def _may(self, agent: AgentDefinition, info: CapabilityInfo) -> bool:
        charts = agent.may_open_charts or info.name not in CHARTS
        return info.available and charts and (agent.capabilities is None or info.name in agent.capabilities)

    def _caller(self, caller: ToolCaller) -> Caller:
        agent = caller.agent
        names = [info.name for info in self._infos]
        return Caller(
            face="agent",
            session_id=caller.session_id,
            agent=agent.name,
            allowed=allowed_names(agent, names, [kind.kind for kind in self._kinds]),
            outside_text_seen=caller.outside_text_seen,
            auto_approve=caller.auto_approve,
        )

    @cached_property
    def _infos(self) -> tuple[CapabilityInfo, ...]:
        return self._kernel.catalogue()

    @cached_property
    def _kinds(self) -> tuple[TaskKindInfo, ...]:
        return () if self._tasks is None else tuple(kind for kind in self._tasks.kinds() if kind.policy.listed)


def _day_of_task(arguments: Mapping[str, Any], today: date | None) -> date | None:
    """Return the day of the conversation; None where the request names an earlier one itself.

    Raises:
        UsageError: It names a later one, of which nothing is known in the conversation.
    """
    named = arguments.get("day")
    if not named or today is None or str(named) == today.isoformat():
        return today
    if str(named) > today.isoformat():
        raise UsageError(f"The conversation is as of {today}; nothing of {named} is known in it.")
    return None


def _offer(info: CapabilityInfo, name: str) -> ToolOffer:
    return ToolOffer(name=name, description=info.summary, arguments=info.arguments)


def _start_offer(info: TaskKindInfo) -> ToolOffer:
    """Return the tool that starts a kind of task; what only the settings decide is left out.

    So is a value that would be a whole object where a word does: a model names the stored book, and makes up none.
    """
    properties = {
        name: _in_a_word(schema) for name, schema in info.request.get("properties", {}).items() if name not in _SETTINGS
    }
    required = [name for name in info.request.get("required", ()) if name in properties]
    refers = "$ref" in json.dumps(properties)
    definitions = {"$defs": info.request["$defs"]} if refers else {}
    return ToolOffer(
        name=f"{START}{info.kind}",
        description=f"Start long work in the background. {info.summary}",
        arguments={"properties": properties, "required": required, "additionalProperties": False, **definitions},
    )


def _in_a_word(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a field's schema without the objects that may stand for one of its words."""
    choices = schema.get("anyOf", ())
    if not any("const" in choice for choice in choices):
        return schema
    return {**schema, "anyOf": [choice for choice in choices if "$ref" not in choice]}


def _check_fields(offer: ToolOffer, arguments: Mapping[str, Any]) -> None:
    """Refuse fields that the tool does not show, such as another model. Raises UsageError."""
    fields = offer.arguments["properties"]
    if unknown := [name for name in arguments if name not in fields]:
        raise UsageError(f"{offer.name} has no argument {unknown[0]!r}; it takes {', '.join(fields) or 'none'}.")


def _outcome(answer: CapabilityAnswer, *, outside: bool) -> ToolOutcome:
    return ToolOutcome(
        text=answer.markdown,
        outside_text=outside,
        capability=answer.capability,
        title=answer.title,
        symbol=answer.symbol,
        as_of=answer.as_of.isoformat(),
        figures=answer.figures,
        shown=answer.shown,
        facts=facts_of(answer.result),
        artifacts=answer.artifacts,
    )


def _task_line(task: TaskInfo) -> str:
    """Return how a task stands in a line, with its result in short."""
    done = f", {task.progress.done} of {task.progress.total} parts" if task.progress.total else ""
    result = f"; result: {json.dumps(task.result, default=str)[:LONGEST_RESULT]}" if task.result else ""
    error = f"; {task.error.message}" if task.error else ""
    return f"- {task.task_id} ({task.kind}: {task.title}): {task.status}{done}{result}{error}"


def _arguments(info: CapabilityInfo) -> str:
    required = info.arguments.get("required", ())
    names = info.arguments.get("properties", {})
    return ", ".join(name if name in required else f"{name} (optional)" for name in names)
