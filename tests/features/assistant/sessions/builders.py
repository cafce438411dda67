"""Transcript entries for tests."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from tradingagents.features.assistant.sessions import NewEntry
from tradingagents.schemas.workspace import TranscriptEntry

NOW = datetime(2025, 3, 14, 21, tzinfo=UTC)


def user(text: str, turn: str = "t-1", **data: Any) -> NewEntry:
    return NewEntry(type="user", text=text, turn=turn, data=data)


def reply(text: str = "", turn: str = "t-1", **data: Any) -> NewEntry:
    return NewEntry(type="assistant", text=text, turn=turn, data=data)


def call(call_id: str, name: str = "get_news", turn: str = "t-1", **arguments: Any) -> NewEntry:
    return NewEntry(type="tool_call", turn=turn, name=name, call_id=call_id, arguments=arguments)


def result(call_id: str, text: str = "News.", name: str = "get_news", turn: str = "t-1", **data: Any) -> NewEntry:
    return NewEntry(type="tool_result", turn=turn, name=name, call_id=call_id, text=text, data=data)


def notice(text: str, name: str = "analyze", **data: Any) -> NewEntry:
    return NewEntry(type="notice", text=text, name=name, data=data)


def transcript(entries: Iterable[NewEntry]) -> list[TranscriptEntry]:
    return [TranscriptEntry(seq=seq, ts=NOW, **entry.model_dump()) for seq, entry in enumerate(entries)]
