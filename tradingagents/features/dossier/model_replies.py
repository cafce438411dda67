"""Prompts and replies of a dossier, and what the agents remembered: recorded and given again.

A request is found by the hash of what it says after secrets are replaced, so that a dossier without secrets answers the
requests that are made from it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from langchain_core.messages import BaseMessage, message_to_dict, messages_from_dict
from langchain_core.runnables import Runnable

from tradingagents.files.redaction import Redactor
from tradingagents.llm_clients.reply_cache import Kept, KeptReplies
from tradingagents.llm_clients.stored_calls import described_request
from tradingagents.memory.outcome import Hits
from tradingagents.memory.outcomes import OutcomeStore
from tradingagents.memory.situations import FinancialSituationMemory, Match
from tradingagents.valuation.canonical import canonical_json

_SHORTEST = 6
"""Characters of the shortest secret."""


class WithoutSecrets:
    """Removes secrets from what a dossier is to hold."""

    def __init__(self, redactor: Redactor) -> None:
        """Take what knows them."""
        self._redactor = redactor

    def __call__(self, value: Any) -> Any:
        """Return a JSON value with secrets replaced."""
        if isinstance(value, str):
            return self._redactor.outside_text(value) if len(value) >= _SHORTEST else value
        if value is None or isinstance(value, float | int):  # most values; an abstract class is asked more slowly
            return value
        if isinstance(value, Mapping):
            return {self(str(name)): self(part) for name, part in value.items()}
        return [self(part) for part in value] if isinstance(value, list | tuple) else value

    def bytes(self, content: bytes) -> bytes:
        """Return a file of text with secrets replaced."""
        return self._redactor.outside_text(content.decode(errors="replace")).encode()

    def masked(self, text: str) -> str:
        """Return a text with stars in place of secrets, in the same length."""
        return self._redactor.masked_text(text) if len(text) >= _SHORTEST else text


class ReplyRecord:
    """The requests of a run with their replies, and what its memories gave, as JSON without secrets."""

    def __init__(self, clean: WithoutSecrets) -> None:
        """Begin with none.

        Args:
            clean: Removes secrets.
        """
        self.clean = clean
        self.prompts: dict[str, Any] = {}
        """By hash: model, parameters, tools and messages."""
        self.replies: dict[str, Any] = {}
        """By the same hash: model, reply, and the refusal of a format."""
        self.memories: dict[str, Any] = {}
        """By the hash of a situation and what was asked: the lessons, or the counts."""

    def request_key(self, model: Runnable[Any, Any], messages: Sequence[BaseMessage], ask: int) -> tuple[str, Any]:
        """Return the hash of a request, and what it says."""
        said = self.clean(described_request(model, messages, ask))
        return key_of(said), said

    def remember(self, question: Sequence[Any], answer: Callable[[], Any]) -> Any:
        """Return what is recorded of a question to a memory; where nothing is, ask and record it."""
        key = key_of(self.clean(list(question)))
        if key not in self.memories:
            self.memories[key] = answer()
        return self.memories[key]


class RecordingReplies(KeptReplies):
    """The reply cache; requests and the replies that are used are recorded."""

    def __init__(self, record: ReplyRecord, replies: KeptReplies) -> None:
        """Read another cache's file."""
        super().__init__(replies.path)
        self._record, self._keys = record, dict[str, str]()

    def note(self, request: str, model: Runnable[Any, Any], messages: Sequence[BaseMessage], ask: int = 0) -> None:
        """Record what a request says."""
        key, said = self._record.request_key(model, messages, ask)
        self._keys[request], self._record.prompts[key] = key, said

    def get(self, request: str) -> Kept | None:
        """Return the stored reply and record it. Raises as `KeptReplies.get` does."""
        found = super().get(request)
        if found is not None:
            reply = message_to_dict(found.reply) if found.reply else None
            answer = {"model": found.model, "reply": reply, "refusal": found.refusal}
            self._record.replies[self._keys[request]] = self._record.clean(answer)
        return found


class ReplayedReplies(KeptReplies):
    """Replies from a dossier."""

    def __init__(self, record: ReplyRecord) -> None:
        """Answer from a record."""
        super().__init__(Path("dossier"))
        self._record, self._keys = record, dict[str, str]()

    def note(self, request: str, model: Runnable[Any, Any], messages: Sequence[BaseMessage], ask: int = 0) -> None:
        """Find the recorded request that says the same."""
        self._keys[request] = self._record.request_key(model, messages, ask)[0]

    def get(self, request: str) -> Kept | None:
        """Return the recorded reply; None if there is none."""
        answer = self._record.replies.get(self._keys.get(request, ""))
        if answer is None:
            return None
        reply = messages_from_dict([answer["reply"]])[0] if answer["reply"] else None
        return Kept(answer["model"], reply, answer["refusal"])  # type: ignore[arg-type]

    def put_all(self, answers: Sequence[tuple[str, Kept]]) -> None:
        """Store nothing: a dossier is not changed."""


class RecordedMemory(FinancialSituationMemory):
    """A memory whose answers are recorded, or given from a record."""

    def __init__(self, record: ReplyRecord, inner: FinancialSituationMemory) -> None:
        """Stand before a memory."""
        super().__init__(inner.name)
        self._record, self._inner = record, inner

    def get_memories(self, current_situation: str, n_matches: int = 2, *, as_of: date | None = None) -> list[Match]:
        """Return the recorded lessons; where there are none, those of the memory."""
        question = [self.name, current_situation, n_matches, str(as_of)]

        def ask() -> list[dict[str, Any]]:
            found = self._inner.get_memories(current_situation, n_matches, as_of=as_of)
            return [match.as_json() for match in found]

        return [Match.model_validate(match) for match in self._record.remember(question, ask)]


class RecordedOutcomes(OutcomeStore):
    """Outcomes of earlier decisions whose counts are recorded, or given from a record."""

    def __init__(self, record: ReplyRecord, inner: OutcomeStore, address: Path | str) -> None:
        """Stand before a store.

        Args:
            record: Where the counts are recorded.
            inner: The store.
            address: Its own database, which is only created when something is written.
        """
        super().__init__(address)
        self._record, self._inner = record, inner

    def hits(self, action: str, confidence: tuple[float, float], model: str, as_of: date) -> Hits:
        """Return the recorded counts; where there are none, those of the store."""
        question = ["outcomes", action, list(confidence), model, str(as_of)]

        def ask() -> list[int]:
            found = self._inner.hits(action, confidence, model, as_of)
            return [found.calls, found.right]

        return Hits(*self._record.remember(question, ask))


def key_of(said: Any) -> str:
    """Return the SHA-256 of a JSON value, in hexadecimal digits."""
    return hashlib.sha256(canonical_json(said).encode()).hexdigest()


def recorded_memories(
    record: ReplyRecord, memories: Mapping[str, FinancialSituationMemory]
) -> dict[str, FinancialSituationMemory]:
    """Return memories whose answers come from a record, and enter it."""
    return {name: RecordedMemory(record, memory) for name, memory in memories.items()}
