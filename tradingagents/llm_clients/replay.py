"""Replay: kept replies that a run uses instead of asking a model, and new replies that it keeps."""

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
from tradingagents.llm_clients.reply_cache import Kept, KeptReplies, RepliesUnreadable
from tradingagents.llm_clients.request_hash import request_hash
from tradingagents.llm_clients.run_replies import EarlierReply, RunReplies
from tradingagents.llm_clients.servers import server_of
from tradingagents.settings import Settings

NO_SERVER = frozenset({"offline", "scripted"})
"""Models that answer in this process, by rules or from a script: there is nothing to save."""
BATCH = 8
"""Replies that a run writes together; the first is written alone, so that a full disk is noticed while it runs."""
log = logging.getLogger(__name__)


class Replay:
    """The kept replies, as one run uses them. What is wrong with their file costs the replies, never the run."""

    def __init__(
        self,
        settings: Settings | None = None,
        kept: KeptReplies | None = None,
        writer: Executor | None = None,
        run: RunReplies | None = None,
        *,
        batch: int = 1,
    ) -> None:
        """Prepare; without arguments, nothing is looked up or kept.

        Args:
            settings: `replay` and `keep_replies`.
            kept: The replies.
            writer: Where replies are written, one after the other; None: at once.
            run: The run's own replies, kept until it has ended; None keeps none.
            batch: How many replies are written at once, after the first; with more than 1, call `flush` at the end.
        """
        self._kept, self._writer, self._run = kept, writer, run
        self._looks = settings is not None and settings.replay != "off"
        self._only = settings is not None and settings.replay == "only"
        self._keeps = settings is not None and settings.keep_replies
        self._batch, self._pending, self._wrote = batch, list[tuple[str, Kept]](), False
        self._refused: dict[str, list[tuple[str, Kept]]] = {}
        """Requests whose form was refused, by agent, until the agent has an answer in another form."""
        self._warnings: dict[str, None] = {}

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of the run should know, each said once."""
        return tuple(self._warnings)

    def request(self, model: Runnable[Any, Any], messages: Sequence[BaseMessage]) -> str | None:
        """Return the hash of a request; None where nothing is kept of such ones."""
        if self._run is None and (self._kept is None or not (self._looks or self._keeps)):
            return None
        try:
            return None if server_of(model).provider in NO_SERVER else request_hash(model, messages)
        except TypeError as error:
            self._warn(f"Replies of a model are neither kept nor replayed: {error}.")
            return None

    def earlier(self, request: str | None) -> EarlierReply | None:
        """Return what an earlier start of this run was answered; None where it was not asked, or all is taken."""
        return self._run.take(request) if self._run is not None and request else None

    def given(self, request: str | None, reply: AIMessage, used: Used) -> None:
        """Write a reply down for a later start of this run, before anything else learns of it."""
        if self._run is not None and request:
            self._run.keep(request, reply, used)

    def answer(self, request: str | None, agent: str, label: str) -> AIMessage | None:
        """Return the kept reply to a request; None where the model is to be asked.

        Args:
            request: As `request` returned it.
            agent: Who asks.
            label: `provider/model` that would be asked.

        Raises:
            RequestRefused: The server refused the form of the request then.
            ReplyNotKept: The model would have to be asked, and must not be.
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
        """Keep a reply, and the refusals that the agent met on the way to it.

        Args:
            request: As `request` returned it.
            agent: Who asked.
            label: `provider/model` that answered.
            reply: What it said.
        """
        if self._keeps and self._kept is not None and request:
            self._pending += [*self._refused.pop(agent, ()), (request, Kept(label, reply))]
            if not self._wrote or len(self._pending) >= self._batch:
                self.flush()

    def refused(self, request: str | None, agent: str, label: str, refusal: RequestRefused) -> None:
        """Note that a server refused the form of a request: kept only once the agent got an answer all the same."""
        if self._keeps and request:
            self._refused.setdefault(agent, []).append((request, Kept(label, None, str(refusal))))

    def _found(self, request: str) -> Kept | None:
        try:
            return self._kept.get(request) if self._kept else None
        except RepliesUnreadable as error:
            self._looks = False
            self._warn(f"No reply can be replayed ({error}); move that file away.")
            return None

    def flush(self) -> None:
        """Write the replies that wait for others to be written with."""
        answers, self._pending = self._pending, []
        if not answers:
            return
        self._wrote = True
        if self._writer is None:
            self._write(answers)
            return
        with suppress(RuntimeError):  # the process is ending, and takes no more work
            self._writer.submit(copy_context().run, self._write, answers)

    def _write(self, answers: Sequence[tuple[str, Kept]]) -> None:
        try:
            if self._kept is not None and self._keeps:
                self._kept.put_all(answers)
        except RepliesUnreadable as error:
            self._keeps = False  # a full disk or a locked file would hold up every further reply as well
            self._warn(f"Replies are not kept for a replay ({error}); make room, or move that file away.")

    def _warn(self, sentence: str) -> None:
        if sentence not in self._warnings:
            self._warnings[sentence] = None
            log.warning(sentence)
