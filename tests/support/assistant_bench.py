"""Conversations with the assistant over real sessions, kernel and market, with a scripted model or fixed rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage

from tradingagents.events import Event
from tradingagents.features.assistant.agents.prompts import SUBMIT
from tradingagents.features.assistant.kind import ASSISTANT_TURN, AssistantRequest
from tradingagents.features.assistant.run import TurnResult
from tradingagents.features.assistant.sessions import ArtifactStore, SessionStore
from tradingagents.llm_clients.offline_model import OfflineChatModel
from tradingagents.llm_clients.scripted import Reply, ScriptedChatModel
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.runtime import executor
from tradingagents.runtime.services import open_services
from tradingagents.schemas.lent_tools import ToolLender
from tradingagents.schemas.workspace import SessionDefaults, SessionInfo, TranscriptEntry
from tradingagents.service.kernel.kernel import Kernel
from tradingagents.service.tasks import TaskManager
from tradingagents.service.tasks.chat.host import WorkspaceTools
from tradingagents.settings import load_settings

DAY = date(2025, 3, 14)
COMPANY, OTHER = "WATZ", "GRIQ"
Scripted = Sequence[Reply] | Callable[[Sequence[BaseMessage], tuple[str, ...]], Reply]


class AssistantBench:
    """One session on the simulated market. Turns are run here, not as tasks."""

    def __init__(
        self,
        home: Path,
        model: BaseChatModel | Scripted | None = None,
        *,
        lender: ToolLender | None = None,
        auto_approve: bool = False,
        as_of: date = DAY,
        **settings: Any,
    ) -> None:
        """Open everything; None as model: fixed rules."""
        self.settings = load_settings(
            {"llm_provider": "offline", "data_vendor": "simulated", "home": home, **settings}, environ={}
        )
        self.model = model if isinstance(model, BaseChatModel) else _model(model)
        self.store = SessionStore(self.settings, environ={})
        self.kernel = Kernel(self.settings, sessions=self.store, artifacts=ArtifactStore(self.settings))
        self.manager = TaskManager(self.settings, {}, self.kernel, self.store)
        self.services = open_services(self.settings, {}, models=TierModels.same(self.model))
        free = isinstance(self.model, OfflineChatModel)
        self.host = WorkspaceTools(self.kernel, self.store, self.manager, lender=lender, free=free)
        defaults = SessionDefaults(as_of=as_of, auto_approve=auto_approve)
        self.session_id = self.store.create("assistant", "", defaults).session_id
        self.events: list[Event] = []
        self.turns = 0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.manager.close()
        self.services.close()
        self.store.close()

    @property
    def session(self) -> SessionInfo:
        """The session as it stands."""
        return self.store.get(self.session_id)

    @property
    def entries(self) -> tuple[TranscriptEntry, ...]:
        """The whole transcript."""
        return self.store.entries(self.session_id, limit=None)

    @property
    def scripted(self) -> ScriptedChatModel:
        """The scripted model."""
        assert isinstance(self.model, ScriptedChatModel)
        return self.model

    async def say(self, text: str, *, turn: str = "", day: date | None = None) -> str:
        """Have a message answered, and return the reply."""
        return (await self.result(text, turn=turn, day=day)).reply

    async def result(self, text: str, *, turn: str = "", day: date | None = None) -> TurnResult:
        """Have a message answered."""
        self.turns += 1
        request = AssistantRequest(
            day=day or self.session.defaults.as_of,
            session_id=self.session_id,
            text=text,
            turn=turn or f"turn-{self.turns}",
            store=self.store,
            host=self.host,
        )
        options = executor.RunOptions(subscribers=(self.events.append,), persist="none")
        return await executor.start(ASSISTANT_TURN, request, self.services, options).result()

    def of(self, *types: str) -> list[TranscriptEntry]:
        """Return the entries of some types; results in the order of their calls, for they run side by side."""
        entries = self.entries
        called = [entry.call_id for entry in entries if entry.type == "tool_call"]
        found = [entry for entry in entries if entry.type in types]
        if types == ("tool_result",):
            found.sort(key=lambda entry: called.index(entry.call_id))
        return found

    def called(self) -> list[str | None]:
        """Return the names of the tools that were called."""
        return [entry.name for entry in self.of("tool_call")]


def calls(*asked: tuple[str, dict[str, Any]], text: str = "") -> AIMessage:
    """Return a model's reply that calls tools."""
    made = [
        {"name": name, "args": given, "id": f"c{number}", "type": "tool_call"}
        for number, (name, given) in enumerate(asked)
    ]
    return AIMessage(text, tool_calls=made)


def memo(**changes: Any) -> AIMessage:
    """Return a persona's reply that submits a memo."""
    fields = {
        "stance": "bullish",
        "confidence": 83,
        "thesis": "The value per share lies above the price, and free cash flow covers the debt; the cycle is calm, "
        "risk is bounded, rates fall and the price trend is up.",
        "key_evidence": ["Value per share above price"],
        "risks": ["Margins fall"],
        "open_questions": [],
        "citations": ["T1"],
        **changes,
    }
    return calls((SUBMIT, fields))


def _model(script: Scripted | None) -> BaseChatModel:
    return OfflineChatModel() if script is None else ScriptedChatModel(script)
