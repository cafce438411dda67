"""Replay: reuse stored replies instead of calling a model, and store new ones."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from concurrent.futures import Executor
from contextlib import suppress
from contextvars import copy_context
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import Runnable

from tradingagents.errors import ReplyNotKept
from tradingagents.llm_clients.calls import RequestRefused
from tradingagents.llm_clients.meter import Used
from tradingagents.llm_clients.reply_cache import EarlierReply, Kept, KeptReplies, RepliesUnreadable, RunReplies
from tradingagents.llm_clients.servers import server_of
from tradingagents.llm_clients.stored_calls import request_hash
from tradingagents.settings import Settings

NO_SERVER = frozenset({"offline", "scripted"})
"""Models that run in this process, by rules or from a script: storing their replies saves nothing."""
BATCH = 8
"""Number of replies written per batch; the first is written alone, so that a full disk is noticed during the run."""
log = logging.getLogger(__name__)


class Replay:
    """The reply cache as used by one run. A broken cache file disables it but never fails the run."""

    def __init__(
        self,
        settings: Settings | None = None,
        kept: KeptReplies | None = None,
        writer: Executor | None = None,
        run: RunReplies | None = None,
        *,
        batch: int = 1,
    ) -> None:
        """Set up; without arguments, nothing is looked up or stored.

        Args:
            settings: `replay` and `keep_replies`.
            kept: The reply cache.
            writer: Writes replies one after the other; None: write at once.
            run: The run's own replies, stored until it ends; None stores none.
            batch: Number of replies per write, after the first; with more than 1, call `flush` at the end.
        """
        self._kept, self._writer, self._run = kept, writer, run
        self._looks = settings is not None and settings.replay != "off"
        self._only = settings is not None and settings.replay == "only"
        self._keeps = settings is not None and settings.keep_replies
        self._batch, self._wrote = batch, False
        # The process that asked may have been killed before it wrote its last replies for replays of later runs.
        waiting = () if run is None or not self._keeps else run.waiting()
        self._pending = [(request, Kept(used.model, reply)) for request, reply, used in waiting]
        self._refused: dict[str, list[tuple[str, Kept]]] = {}
        """Requests with a refused format, by agent, until the agent has an answer in another format."""
        self._warnings: dict[str, None] = {}

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings for readers of the run, without duplicates."""
        return tuple(self._warnings)

    def request(self, model: Runnable[Any, Any], messages: Sequence[BaseMessage], ask: int = 0) -> str | None:
        """Return the hash of a request, see `request_hash`; None for requests that are never stored."""
        if self._run is None and (self._kept is None or not (self._looks or self._keeps)):
            return None
        try:
            if server_of(model).provider in NO_SERVER:
                return None
            request = request_hash(model, messages, ask)
        except TypeError as error:
            self._warn(f"Replies of a model are neither stored nor replayed: {error}.")
            return None
        if self._kept is not None:
            self._kept.note(request, model, messages, ask)
        return request

    def earlier(self, request: str | None) -> EarlierReply | None:
        """Return the reply that an earlier start of this run received; None if there is none, or all were used."""
        return self._run.take(request) if self._run is not None and request else None

    @property
    def has_earlier(self) -> bool:
        """Whether an earlier start of this run received replies that are not used yet."""
        return self._run is not None and not self._run.is_empty

    def is_in_hand(self, request: str | None) -> bool:
        """Tell whether `earlier` has a reply to a request."""
        return self._run is not None and request is not None and self._run.holds(request)

    def given(self, request: str | None, reply: AIMessage, used: Used) -> None:
        """Store a reply for a later start of this run, before it is used in any other way."""
        if self._run is not None and request:
            self._run.keep(request, reply, used)

    def answer(self, request: str | None, agent: str, label: str) -> AIMessage | None:
        """Return the stored reply to a request; None if the model has to be called.

        Args:
            request: The result of `request`.
            agent: The agent that makes the call.
            label: `provider/model` that would be called.

        Raises:
            RequestRefused: The server refused the request's format then.
            ReplyNotKept: A model call is needed but not allowed.
        """
        found = self._found(request) if self._looks and request else None
        if found is not None and found.reply is None:
            raise RequestRefused(found.refusal)
        if found is None and self._only and label.partition("/")[0] not in NO_SERVER:
            raise ReplyNotKept(
                f"{agent} asks {label} something that is not kept: the data, the prompts, the model or a setting is "
                "another than then; replay='on' asks the model for what is missing."
            )
        return found.reply if found else None

    def keep(self, request: str | None, agent: str, label: str, reply: AIMessage) -> None:
        """Store a reply, and the refusals that preceded it.

        Args:
            request: The result of `request`.
            agent: The agent that made the call.
            label: `provider/model` that answered.
            reply: The reply.
        """
        if self._keeps and self._kept is not None and request:
            self._pending += [*self._refused.pop(agent, ()), (request, Kept(label, reply))]
            if not self._wrote or len(self._pending) >= self._batch:
                self.flush()

    def refused(self, request: str | None, agent: str, label: str, refusal: RequestRefused) -> None:
        """Note that a server refused a request's format; stored once the agent got an answer in another format."""
        if self._keeps and request:
            self._refused.setdefault(agent, []).append((request, Kept(label, None, str(refusal))))

    def _found(self, request: str) -> Kept | None:
        try:
            return None if self._kept is None else self._kept.get(request)
        except RepliesUnreadable as error:
            self._looks = False
            self._warn(f"No reply can be replayed ({error}); move that file away.")
            return None

    def flush(self) -> None:
        """Write the replies that wait for their batch."""
        answers, self._pending = self._pending, []
        if not answers:
            return
        self._wrote = True
        if self._writer is None:
            self._write(answers)
            return
        with suppress(RuntimeError):  # the process is ending and accepts no more work
            self._writer.submit(copy_context().run, self._write, answers)

    def _write(self, answers: Sequence[tuple[str, Kept]]) -> None:
        try:
            if self._kept is not None and self._keeps:
                self._kept.put_all(answers)
        except RepliesUnreadable as error:
            self._keeps = False  # a full disk or a locked file would delay every further reply too
            self._warn(f"Replies are not stored for replay ({error}); make room, or move that file away.")

    def _warn(self, sentence: str) -> None:
        if sentence not in self._warnings:
            self._warnings[sentence] = None
            log.warning(sentence)
