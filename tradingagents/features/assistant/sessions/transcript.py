"""What a model is shown of a conversation: transcript entries as LangChain messages that every provider accepts.

Providers refuse a tool call without a result, a result without a call, empty messages, and some also two messages of
the user in a row. Transcripts hold all of these where a turn was killed or something happened meanwhile; messages never
do.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall, ToolMessage

from tradingagents.features.assistant.sessions.entries import REPLY
from tradingagents.schemas.workspace import TranscriptEntry

NO_RESULT = "There is no result: the turn was stopped before this call was answered. Make the call again if it matters."
STOPPED = "(The turn was stopped here, before an answer.)"
BEGINNING = "(The conversation begins here.)"
CONTINUED = "(The assistant continued.)"
_CALL_BLOCKS = ("tool_use", "tool_call", "function_call")
"""Types of content blocks that repeat a tool call in the provider's own form."""
_LEFT_OUT = ("tool_calls", "function_call", "logprobs", "token_usage", "usage", "usage_metadata")
"""Parts of a reply that are in entries of their own, or that no later request repeats."""
_FENCES = re.compile(r"<(\s*/?\s*)(notice|summary|view)\b", re.IGNORECASE)


def reply_parts(reply: AIMessage, label: str) -> dict[str, Any]:
    """Return the parts of a reply that only its provider understands, for the `data` of its `assistant` entry.

    Reasoning models expect their reasoning back, with its signature, beside the calls that it led to.

    Args:
        reply: The model's reply.
        label: `provider/model`; another model is not shown these parts.

    Returns:
        Empty where text and tool calls say everything.
    """
    parts: dict[str, Any] = {}
    if isinstance(reply.content, list):
        parts["content"] = reply.content
    for name in ("additional_kwargs", "response_metadata"):
        if kept := {key: part for key, part in getattr(reply, name).items() if key not in _LEFT_OUT}:
            parts[name] = kept
    if "content" not in parts and "additional_kwargs" not in parts:
        return {}
    ids = [call["id"] for call in (*reply.tool_calls, *reply.invalid_tool_calls)]
    return {REPLY: {**parts, "id": reply.id, "model": label, "calls": ids}}


def to_messages(
    entries: Sequence[TranscriptEntry], *, label: str = "", longest_result: int | None = None
) -> list[BaseMessage]:
    """Return a conversation as messages, without the system message.

    The last summary comes first, in place of the entries that it covers. A tool call whose result is missing is
    answered with a text that says so. A memo is the result of the consultation it belongs to. Notices are data in the
    user's message. The messages of unchanged entries stay the same when entries are added, so that a provider's cache
    of the prompt holds, except that notices are added to the last message.

    Args:
        entries: The transcript, or its part from the last summary on (`SessionStore.recent`).
        label: `provider/model` that is asked; own parts of replies by another are left out.
        longest_result: Characters of a tool result that are shown; None: all.
    """
    summary = last_summary(entries)
    messages = _Messages(label, longest_result)
    if summary is not None:
        messages.say(_fenced("summary", summary.text, of=f"the conversation so far, up to entry {summary.covers}"))
    for unit in units_of(uncovered(entries, summary)):
        unit.show(messages)
    return messages.made


def last_summary(entries: Iterable[TranscriptEntry]) -> TranscriptEntry | None:
    """Return the summary that covers most; None where there is none."""
    summaries = [entry for entry in entries if entry.type == "summary" and entry.covers is not None]
    return max(summaries, key=lambda entry: (entry.covers or 0, entry.seq), default=None)


def uncovered(entries: Iterable[TranscriptEntry], summary: TranscriptEntry | None) -> list[TranscriptEntry]:
    """Return the entries that a summary does not stand for, without summaries."""
    covers = -1 if summary is None or summary.covers is None else summary.covers
    return [entry for entry in entries if entry.seq > covers and entry.type != "summary"]


def cut_text(text: str, longest: int | None) -> str:
    """Return a text cut to a number of characters, with a sentence that says so."""
    if longest is None or len(text) <= longest:
        return text
    return (
        f"{text[:longest]}\n\n[Cut: the result has {len(text):,} characters, of which the first {longest:,} are shown. "
        "Ask for less of it, such as fewer days or one section, to see the rest.]"
    )


@dataclass
class _Messages:
    """Messages in the making."""

    label: str
    longest_result: int | None
    made: list[BaseMessage] = field(default_factory=list)

    def say(self, text: str) -> None:
        """Add to the user's side of the conversation."""
        last = self.made[-1] if self.made else None
        if isinstance(last, HumanMessage):
            self.made[-1] = HumanMessage(f"{last.text}\n\n{text}")
            return
        if isinstance(last, ToolMessage):
            self.made.append(AIMessage(STOPPED))
        self.made.append(HumanMessage(text))

    def reply(self, message: AIMessage) -> None:
        """Add a reply of the model."""
        if not self.made:
            self.made.append(HumanMessage(BEGINNING))
        elif isinstance(self.made[-1], AIMessage):
            self.made.append(HumanMessage(CONTINUED))
        self.made.append(message)

    def note(self, text: str) -> None:
        """Add a notice; after tool results it becomes part of the last one, which every provider accepts."""
        last = self.made[-1] if self.made else None
        if isinstance(last, ToolMessage):
            self.made[-1] = last.model_copy(update={"content": f"{last.text}\n\n{text}"})
        else:
            self.say(text)


@dataclass
class Unit:
    """Entries that belong together in the messages."""

    entries: list[TranscriptEntry]

    def show(self, messages: _Messages) -> None:
        """Add the messages of a user's message, a notice, or a result whose call is no longer there."""
        entry = self.entries[0]
        if entry.type == "user":
            messages.say(_plain_fences(entry.text) or "(empty message)")
        elif entry.type == "notice":
            messages.note(_fenced("notice", entry.text, about=entry.name))
        else:
            text = cut_text(_result_text(entry), messages.longest_result)
            messages.note(_fenced("notice", text, about=f"result of an earlier call of {entry.name or 'a tool'}"))


@dataclass
class ReplyUnit(Unit):
    """A reply of the model with its calls and their results."""

    results: dict[str | None, TranscriptEntry] = field(default_factory=dict)

    @property
    def reply(self) -> TranscriptEntry | None:
        """The entry of what was said; None where only calls are recorded."""
        return self.entries[0] if self.entries[0].type == "assistant" else None

    @property
    def calls(self) -> list[TranscriptEntry]:
        """The entries of the calls, in their order."""
        return [entry for entry in self.entries if entry.type == "tool_call"]

    def takes(self, call: TranscriptEntry) -> bool:
        """Return whether a call belongs to this reply: before any result, in the same turn, with an id of its own."""
        same_turn = self.entries[0].turn == call.turn
        return not self.results and same_turn and call.call_id not in {call.call_id for call in self.calls}

    def show(self, messages: _Messages) -> None:
        """Add the reply and a result for each of its calls."""
        calls = self.calls
        tool_calls = [ToolCall(name=call.name or "", args=call.arguments or {}, id=call.call_id) for call in calls]
        text = self.reply.text.strip() if self.reply is not None else ""
        if not text and not tool_calls:
            return
        parts = self._parts(messages.label)
        ids = {given: call.call_id for given, call in zip(parts.get("calls") or [], calls, strict=False)}
        content = _own_content(parts["content"], ids) if isinstance(parts.get("content"), list) else text
        messages.reply(
            AIMessage(
                content=content or text,
                tool_calls=tool_calls,
                id=parts.get("id"),
                additional_kwargs=_with_ids(parts.get("additional_kwargs", {}), ids),
                response_metadata=parts.get("response_metadata", {}),
            )
        )
        messages.made += [self._result(call, messages.longest_result) for call in calls]

    def _parts(self, label: str) -> Mapping[str, Any]:
        parts = self.reply.data.get(REPLY) if self.reply is not None else None
        return parts if isinstance(parts, dict) and label and parts.get("model") == label else {}

    def _result(self, call: TranscriptEntry, longest: int | None) -> ToolMessage:
        entry = self.results.get(call.call_id)
        text = NO_RESULT if entry is None else cut_text(_result_text(entry), longest)
        failed = entry is None or entry.status == "error"
        return ToolMessage(
            content=_plain_fences(text) or "(empty result)",
            tool_call_id=call.call_id or "",
            name=call.name,
            status="error" if failed else "success",
        )


def units_of(entries: Iterable[TranscriptEntry]) -> list[Unit]:
    """Group entries into the units of which messages are made, with each result at its call."""
    units: list[Unit] = []
    waiting: dict[str | None, ReplyUnit] = {}
    answered: set[str | None] = set()
    for entry in entries:
        last = units[-1] if units else None
        if entry.type == "assistant":
            units.append(ReplyUnit([entry]))
        elif entry.type == "tool_call":
            if isinstance(last, ReplyUnit) and last.takes(entry):
                last.entries.append(entry)
            else:
                units.append(last := ReplyUnit([entry]))
            waiting[entry.call_id] = last
            answered.discard(entry.call_id)
        elif entry.type in ("tool_result", "memo"):
            if (asking := waiting.pop(entry.call_id, None)) is not None:
                asking.results[entry.call_id] = entry
                answered.add(entry.call_id)
            elif entry.call_id not in answered:
                units.append(Unit([entry]))
        elif entry.type in ("user", "notice"):
            units.append(Unit([entry]))
    return units


def _own_content(content: Sequence[Any], ids: Mapping[Any, str | None]) -> list[Any]:
    """Return a reply's content blocks; those of calls have the ids of the calls, and calls that were lost are gone."""
    blocks = []
    for block in content:
        if isinstance(block, dict) and block.get("type") in _CALL_BLOCKS:
            key = "call_id" if "call_id" in block else "id"
            if block.get(key) not in ids:
                continue
            blocks.append({**block, key: ids[block.get(key)]})
        else:
            blocks.append(block)
    return blocks


def _with_ids(kwargs: Mapping[str, Any], ids: Mapping[str, str | None]) -> dict[str, Any]:
    """Return a reply's further parts; signatures that are listed by call have the ids of the calls."""
    return {
        name: {ids.get(key, key): part for key, part in part.items()} if isinstance(part, dict) else part
        for name, part in kwargs.items()
    }


def _result_text(entry: TranscriptEntry) -> str:
    return entry.text or (json.dumps(entry.data, ensure_ascii=False) if entry.data else "")


def _fenced(tag: str, text: str, **about: str | None) -> str:
    """Return a text as data within a tag that it cannot close."""
    named = "".join(
        f' {name}="{" ".join(_plain_fences(value).replace(chr(34), chr(39)).split())}"'
        for name, value in about.items()
        if value
    )
    return f"<{tag}{named}>\n{_plain_fences(text)}\n</{tag}>"


def _plain_fences(text: str) -> str:
    return _FENCES.sub(lambda found: f"&lt;{found[1]}{found[2]}", text.strip())
