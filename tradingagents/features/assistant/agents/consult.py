"""Consultations: a persona studies one question in a hidden session, and ends with a validated memo."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.messages import AIMessage

from tradingagents.context import RunContext
from tradingagents.errors import BudgetReached, Interrupted, ReplyNotKept, TradingAgentsError
from tradingagents.features.assistant.agents.conversation import Conversation
from tradingagents.features.assistant.agents.definitions import AgentDefinition, AgentRegistry
from tradingagents.features.assistant.agents.events import HiddenEvents
from tradingagents.features.assistant.agents.host import ToolCaller, ToolHost, ToolOffer, ToolOutcome
from tradingagents.features.assistant.agents.loop import AgentLoop, Answered
from tradingagents.features.assistant.agents.memos import (
    checked_memo,
    read_memo,
    retry_advice,
    sources_read,
    style_problem,
    submit_offer,
)
from tradingagents.features.assistant.agents.prompts import PROSE_REFUSED, SUBMIT, SUBMIT_NOW, system_prompt
from tradingagents.features.assistant.agents.window import Window
from tradingagents.features.assistant.personas.persona import Persona
from tradingagents.features.assistant.sessions.session_store import SessionStore
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.offline.brief import Brief
from tradingagents.retrieval.questions.holdings import without_stated_amounts
from tradingagents.schemas.memo import GuruResearchMemo, MemoSubmission
from tradingagents.schemas.workspace import NewEntry, TaskInfo, TranscriptEntry

LONGEST_QUESTION = 2000
MOST_REFUSALS = 2
"""Answers that are no valid memo, prose or wrong fields, after which a persona has failed."""
BriefOf = Callable[[Conversation, Sequence[ToolOffer], Persona | None], Brief]
"""Makes what offline rules answer from."""


class NoMemo(TradingAgentsError):
    """A persona ended without a valid memo."""


def consult_offer(persona: Persona) -> ToolOffer:
    """Return the tool by which the assistant consults a persona."""
    return ToolOffer(
        name=persona.tool_name,
        description=(
            f"Ask a research colleague who applies the method of {persona.title} ({persona.lens}), studies the question with "
            "tools, and answers with a memo: stance, confidence, thesis, evidence, risks, open questions. Name the symbol in "
            "the question."
        ),
        arguments={
            "type": "object",
            "properties": {
                "question": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": LONGEST_QUESTION,
                    "description": "One question, complete in itself",
                }
            },
            "required": ["question"],
            "additionalProperties": False,
        },
    )


@dataclass(frozen=True, kw_only=True)
class Consultations:
    """Starts the hidden work of personas for one turn of the assistant."""

    agents: AgentRegistry
    context: RunContext
    models: TierModels
    store: SessionStore
    parent: Conversation
    host: ToolHost
    brief: BriefOf

    async def answer(self, call: TranscriptEntry) -> Answered:
        """Answer a call of a consult tool with the persona's memo, or with why there is none."""
        persona = self.agents.persona_of(call.name or "")
        question = (call.arguments or {}).get("question")
        if persona is None:
            return _failed(f"There is no persona {call.name}.")
        if not isinstance(question, str) or not question.strip() or set(call.arguments or {}) != {"question"}:
            return _failed(f"{call.name} takes one argument, question, which is a text; call it again.")
        earlier = [entry.text for entry in self.parent.entries if entry.type == "user"]
        asked = without_stated_amounts(question.strip()[:LONGEST_QUESTION], earlier)
        work = await self._work(persona, asked)
        try:
            memo = await work.memo()
        except (BudgetReached, ReplyNotKept, Interrupted):
            raise
        except TradingAgentsError as error:
            said = str(error).replace(work.session_id, "its session")
            return _failed(f"{persona.title} gave no memo: {said} Answer without it, and say so.")
        return Answered(
            ToolOutcome(
                text=memo.to_markdown(),
                outside_text=work.conversation.outside_text_seen,
                title=f"Memo of {memo.title}: {memo.stance}",
            ),
            memo,
        )

    async def _work(self, persona: Persona, question: str) -> _PersonaWork:
        agent = self.agents.of(persona.name)
        parent = self.parent.session
        session = self.store.create(persona.name, question[:80], parent.defaults, hidden=True, parent=parent.session_id)
        conversation = Conversation(self.store, session, self.parent.turn, hidden=True)
        view = session.view
        system = system_prompt(
            agent.prompt,
            self.context.data.as_of,
            session.defaults,
            self.context.settings.output_language,
            view,
            session.symbols,
        )
        return _PersonaWork(
            persona=persona,
            agent=agent,
            conversation=conversation,
            question=question,
            context=replace(
                self.context,
                events=HiddenEvents(self.context.events),
                settings=self.context.settings.model_copy(update={"stream_tokens": False}),
            ),
            host=self.host,
            models=self.models,
            brief=self.brief,
            system=system,
        )


@dataclass(kw_only=True)
class _PersonaWork:
    """One persona at work on one question."""

    persona: Persona
    agent: AgentDefinition
    conversation: Conversation
    question: str
    context: RunContext
    host: ToolHost
    models: TierModels
    brief: BriefOf
    system: str
    _refused: int = 0
    _retried: bool = False

    @property
    def session_id(self) -> str:
        """Id of the hidden session, which nobody is told."""
        return self.conversation.session.session_id

    async def memo(self) -> GuruResearchMemo:
        """Do the research and return the memo.

        Raises:
            NoMemo: The persona did not submit a valid one.
            ModelFailure: Its model failed.
            BudgetReached: The budget of the turn is used up.
        """
        self.conversation.begin(self.question, self.context.data.as_of)
        research = await self.host.offers(self.agent)
        loop = self._loop((*research, submit_offer()))
        for number in range(self.agent.max_rounds + MOST_REFUSALS + 2):
            over = number >= self.agent.max_rounds
            reply = await loop.ask(last=SUBMIT_NOW if over else "", offers=(submit_offer(),) if over else None)
            if (memo := await self._settle(loop, reply)) is not None:
                return memo
        raise NoMemo(f"it did not submit one in {self.agent.max_rounds} rounds.")

    def _loop(self, offers: Sequence[ToolOffer]) -> AgentLoop:
        async def brief(_messages: Sequence[object]) -> Brief:
            return self.brief(self.conversation, offers, self.persona)

        return AgentLoop(
            agent=self.agent,
            context=self.context,
            models=self.models,
            conversation=self.conversation,
            window=Window(self.conversation, _no_tasks),
            host=_Labelling(self.host, self.conversation),
            offers=offers,
            brief=brief,
            system=self.system,
            own_calls={SUBMIT: self._later},
        )

    async def _settle(self, loop: AgentLoop, reply: AIMessage) -> GuruResearchMemo | None:
        """Run the research calls of a reply, and judge the memo in it; None where the work goes on."""
        if not reply.tool_calls and not reply.invalid_tool_calls:
            self._refuse("it answered with text instead of a memo.")
            self.conversation.add(NewEntry(type="user", turn=self.conversation.turn, text=PROSE_REFUSED))
            return None
        await loop.answer_calls()
        submitted = [entry for entry in self.conversation.unanswered if entry.name == SUBMIT]
        found: GuruResearchMemo | None = None
        for call in submitted:
            if found is not None:
                self._tell(call, "A memo was submitted already; this one is not read.", failed=True)
                continue
            memo = read_memo(call.arguments or {})
            if isinstance(memo, str):
                self._tell(call, memo, failed=True)
                self._refuse("its memos were not valid.")
            elif (problem := style_problem(self.persona, memo)) and not self._retried:
                self._retried = True
                self._tell(call, retry_advice(problem), failed=True)
            else:
                self._tell(call, "The memo is accepted.")
                found = self._checked(memo)
        return found

    def _checked(self, memo: MemoSubmission) -> GuruResearchMemo:
        calls = {entry.call_id: entry for entry in self.conversation.own if entry.type == "tool_call"}
        results = [
            (calls[entry.call_id], entry)
            for entry in self.conversation.own
            if entry.type == "tool_result" and entry.data.get("label") and entry.call_id in calls
        ]
        read = sorted(sources_read(results), key=lambda source: int(source.label[1:]))
        figures = {str(result.data["label"]): set(result.data.get("figures", {})) for _, result in results}
        by_rules = bool(getattr(self.models.of(self.agent.tier), "needs_brief", False))
        return checked_memo(self.persona, self.question, memo, read, figures, by_rules=by_rules)

    def _refuse(self, reason: str) -> None:
        self._refused += 1
        if self._refused >= MOST_REFUSALS:
            raise NoMemo(reason)

    def _tell(self, call: TranscriptEntry, text: str, *, failed: bool = False) -> None:
        self.conversation.add_result(call, ToolOutcome(text=text, failed=failed))

    async def _later(self, call: TranscriptEntry) -> Answered | None:  # noqa: ARG002 - as other own calls
        """Leave a submission unanswered: it is judged after the research calls of the same reply."""
        return None


@dataclass(frozen=True)
class _Labelling:
    """A host whose results carry a label that a memo can cite."""

    host: ToolHost
    conversation: Conversation

    async def offers(self, agent: AgentDefinition) -> tuple[ToolOffer, ...]:
        """Return the tools of the agent."""
        return await self.host.offers(agent)

    def gaps(self) -> Sequence[str]:
        """Return nothing: a persona is lent no tools."""
        return ()

    def catalogue(self, agent: AgentDefinition) -> tuple[ToolOffer, ...]:
        """Return the capabilities of the agent."""
        return self.host.catalogue(agent)

    async def tasks(self, session_id: str) -> Sequence[TaskInfo]:
        """Return the tasks of a session."""
        return await self.host.tasks(session_id)

    async def call(self, caller: ToolCaller, name: str, arguments: Mapping[str, Any], *, key: str) -> ToolOutcome:
        """Run a call; a successful result begins with its label."""
        numbers = {entry.call_id: number for number, entry in enumerate(self._research(), start=1)}
        outcome = await self.host.call(caller, name, arguments, key=key)
        if outcome.failed:
            return outcome
        label = f"T{numbers[key]}"
        about = outcome.title or name
        return replace(outcome, label=label, text=f"Source {label}: {about}\n\n{outcome.text}")

    def _research(self) -> list[TranscriptEntry]:
        return [entry for entry in self.conversation.own if entry.type == "tool_call" and entry.name != SUBMIT]


async def _no_tasks() -> Sequence[TaskInfo]:
    """Return no tasks: a persona starts none."""
    return ()


def _failed(text: str) -> Answered:
    return Answered(ToolOutcome(text=text, failed=True))
