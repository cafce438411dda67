"""A session's transcript as one turn reads and extends it: each message, call and result is on disk when it is known.

The transcript is the only state of a turn. A turn that was killed is continued from it: what stands there is not asked or
called again.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from typing import Any

from langchain_core.messages import AIMessage

from tradingagents.errors import UsageError
from tradingagents.features.assistant.agents.guard import LoopGuard
from tradingagents.features.assistant.agents.host import ToolOutcome
from tradingagents.features.assistant.sessions.facts import facts_of
from tradingagents.features.assistant.sessions.session_store import SessionStore
from tradingagents.features.assistant.sessions.transcript import last_summary, reply_parts
from tradingagents.provenance.numbers import SMALL, read_numbers
from tradingagents.schemas.memo import GuruResearchMemo
from tradingagents.schemas.workspace import NewEntry, SessionInfo, TranscriptEntry

OUTSIDE = "outside"
"""Key of a result's and a summary's `data`: whether it holds, or stands for, text that others wrote."""
UNREADABLE = "unreadable"
"""Key of a call's `data`: whether its arguments did not arrive as JSON."""
DAY = "as_of"
"""Key of a user message's `data`: the day of its turn."""


class Conversation:
    """One turn of a session, and what came before it."""

    def __init__(self, store: SessionStore, session: SessionInfo, turn: str, *, hidden: bool = False) -> None:
        """Read the transcript from its last summary on.

        Args:
            store: The sessions.
            session: The session.
            turn: Task id of the turn.
            hidden: Whether the session belongs to a persona.

        Raises:
            NoSuchSession: There is none of that id.
        """
        self._store, self.session, self.turn, self._hidden = store, session, turn, hidden
        self.entries: list[TranscriptEntry] = list(store.recent(session.session_id, hidden=hidden))

    @property
    def own(self) -> list[TranscriptEntry]:
        """The entries of this turn, from the user's message on."""
        return [entry for entry in self.entries if entry.turn == self.turn and entry.type != "summary"]

    @property
    def question(self) -> str:
        """What the user said in this turn; empty before `begin`."""
        said = next((entry.text for entry in self.own if entry.type == "user"), "")
        return said or (facts_of(last_summary(self.entries)).request if self.begun else "")

    @property
    def begun(self) -> bool:
        """Whether something of this turn is in the transcript."""
        return any(entry.turn == self.turn for entry in self.entries)

    @property
    def outside_text_seen(self) -> bool:
        """Whether text that others wrote was read in this turn, also as part of what was summarised in it."""
        return any(_holds_outside_text(entry) for entry in self.entries if entry.turn == self.turn)

    @property
    def rounds(self) -> int:
        """How often the model was answered with tool results in this turn."""
        replies, calls = 0, False
        for entry in self.own:
            if entry.type == "tool_call":
                replies, calls = replies + (not calls), True
            elif entry.type == "assistant":
                calls = False
        return replies

    @property
    def reply(self) -> TranscriptEntry | None:
        """The assistant's last words of this turn, if it called no tool with them."""
        said = [entry for entry in self.own if entry.type in ("assistant", "tool_call")]
        return said[-1] if said and said[-1].type == "assistant" else None

    def is_from_memory(self, reply: str) -> bool:
        """Tell whether a reply states figures although no tool has answered in this conversation.

        A model's memory is no source. Figures that the user wrote are the user's.
        """
        if any(entry.type in ("tool_result", "summary") for entry in self.entries):
            return False
        asked = {
            abs(number.value) for entry in self.entries if entry.type == "user" for number in read_numbers(entry.text)
        }
        stated = (
            number for number in read_numbers(reply) if number.unit or not number.whole or abs(number.value) > SMALL
        )
        return any(abs(number.value) not in asked for number in stated)

    @property
    def unanswered(self) -> list[TranscriptEntry]:
        """The tool calls of this turn that have no result yet, in their order."""
        answered = {entry.call_id for entry in self.own if entry.type == "tool_result"}
        return [entry for entry in self.own if entry.type == "tool_call" and entry.call_id not in answered]

    def guard(self) -> LoopGuard:
        """Return a loop guard that knows the answered calls of this turn."""
        guard, waiting = LoopGuard(), {entry.call_id for entry in self.unanswered}
        for entry in self.own:
            if entry.type == "tool_call" and entry.call_id not in waiting:
                guard.refusal(entry.name or "", entry.arguments or {})
        return guard

    def begin(self, text: str, day: date) -> None:
        """Note the user's message, unless an earlier start of the turn did.

        Raises:
            UsageError: The conversation has reached a later day, whose answers a turn of this day must not know.
        """
        if self.begun:
            return
        reached = max((str(entry.data[DAY]) for entry in self.entries if entry.data.get(DAY)), default="")
        if reached > day.isoformat():
            raise UsageError(
                f"This conversation has reached {reached}, which a question of {day} must not know; start another session."
            )
        self.add(NewEntry(type="user", text=text, turn=self.turn, data={DAY: day.isoformat()}))

    def add(self, *entries: NewEntry) -> None:
        """Append entries; they are on disk when this returns."""
        self.entries += self._store.append(self.session.session_id, entries, hidden=self._hidden)

    def add_summary(self, summary: NewEntry) -> None:
        """Append a summary, which stands for earlier entries when a model is shown the conversation."""
        day = max((str(entry.data[DAY]) for entry in self.entries if entry.data.get(DAY)), default="")
        covers = -1 if summary.covers is None else summary.covers
        covered = (entry for entry in self.entries if entry.type == "summary" or entry.seq <= covers)
        outside = any(map(_holds_outside_text, covered))
        data = {**summary.data, DAY: day, OUTSIDE: outside}
        self.add(summary.model_copy(update={"turn": self.turn, "data": data}))

    def add_reply(self, reply: AIMessage, label: str) -> None:
        """Append a model's reply with its calls, together.

        Ids that an earlier call of the conversation had are made different: some models number calls anew each time.

        Args:
            reply: The reply.
            label: `provider/model` that gave it.
        """
        used = {entry.call_id for entry in self.entries if entry.call_id}
        calls: list[NewEntry] = []
        asked: list[tuple[str, dict[str, Any], str | None, dict[str, Any]]] = [
            *((call["name"], call["args"], call["id"], {}) for call in reply.tool_calls),
            *((call["name"] or "", {}, call["id"], {UNREADABLE: True}) for call in reply.invalid_tool_calls),
        ]
        for number, (name, arguments, given, data) in enumerate(asked, start=1):
            own = given or f"call_{len(self.entries)}_{number}"
            while own in used:
                own = f"{own}_{len(self.entries)}"
            used.add(own)
            calls.append(
                NewEntry(type="tool_call", turn=self.turn, name=name, call_id=own, arguments=dict(arguments), data=data)
            )
        parts = reply_parts(reply, label)
        self.add(NewEntry(type="assistant", turn=self.turn, text=reply.text.strip(), data=parts), *calls)

    def add_result(self, call: TranscriptEntry, outcome: ToolOutcome, memo: GuruResearchMemo | None = None) -> None:
        """Append the result of a call, and the memo that it is."""
        data: dict[str, Any] = {
            OUTSIDE: outcome.outside_text,
            "capability": outcome.capability,
            "label": outcome.label,
            "title": outcome.title,
            "symbol": outcome.symbol,
            "figures": dict(outcome.figures),
            "shown": dict(outcome.shown),
            "facts": dict(outcome.facts),
            "artifacts": list(outcome.artifacts),
            "task_id": outcome.task_id,
            "approval_id": outcome.approval_id,
            "answered_as_of": outcome.as_of,
        }
        result = NewEntry(
            type="tool_result",
            turn=self.turn,
            name=call.name,
            call_id=call.call_id,
            text=outcome.text,
            status="error" if outcome.failed else "ok",
            data={name: value for name, value in data.items() if value},
        )
        entries = [result]
        if memo is not None:
            fields = memo.model_dump(mode="json")
            entries.append(NewEntry(type="memo", turn=self.turn, name=memo.guru, call_id=call.call_id, text=outcome.text,
                                 data=fields))  # fmt: skip
        self.add(*entries)

    def note_symbols(self, calls: Collection[str | None]) -> None:
        """Note the symbols that the results of calls are about, for the user's next question."""
        found = [str(entry.data["symbol"]) for entry in self.own if entry.call_id in calls and entry.data.get("symbol")]
        symbols = tuple(dict.fromkeys(found))
        if symbols and self.session.symbols[: len(symbols)] != symbols:
            self.session = self._store.note_symbols(self.session.session_id, symbols, hidden=self._hidden)


def _holds_outside_text(entry: TranscriptEntry) -> bool:
    """Tell whether an entry holds text that others wrote; a summary that does not say so may hold it."""
    return bool(entry.data.get(OUTSIDE, entry.type == "summary"))
