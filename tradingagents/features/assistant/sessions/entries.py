"""What is written into a transcript: entries without secrets, as JSON that every reader can parse."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from tradingagents.files.atomic import ESCAPE, one_line_json
from tradingagents.files.json_text import parse_json
from tradingagents.files.redaction import HIDDEN, Redactor, is_secret_name, looks_like_key
from tradingagents.schemas.workspace import NewEntry, TranscriptEntry

REPLY = "reply"
"""Key of an entry's `data` under which the provider's own parts of a reply stand; see `transcript`."""
DEEPEST = 24
"""Levels of containers in an entry's arguments and data; what lies deeper is written as text."""
OPAQUE = 200
"""Characters of a text without white space in which no key is searched, only known secrets."""
_LARGEST = 2**63 - 1


def numbered(new: NewEntry, seq: int, now: datetime, redactor: Redactor) -> TranscriptEntry:
    """Return the entry that is written: with its number and time, without secrets, with JSON values only."""
    fields = new.model_dump()
    fields["text"] = redactor.outside_text(new.text)
    fields["arguments"] = _plain(new.arguments, redactor)
    fields["data"] = _plain(fields["data"], redactor)
    return TranscriptEntry(seq=seq, ts=now, **fields)


def line_of(entry: TranscriptEntry) -> bytes:
    """Return an entry as a line of a transcript; fields with their default value are left out."""
    fields = {"seq": entry.seq, "ts": instant(entry.ts), "turn": entry.turn, "type": entry.type}
    rest = {name: value for name, value in entry.model_dump(exclude_defaults=True).items() if name not in fields}
    return f"{one_line_json({**fields, **rest})}\n".encode(errors=ESCAPE)


def entry_of(line: bytes) -> TranscriptEntry | None:
    """Parse a line; None for one that is no entry, such as the heading or a line that somebody edited."""
    try:
        return TranscriptEntry.model_validate(parse_json(line))
    except ValueError:
        return None


def plain_record(record: Mapping[str, Any], redactor: Redactor) -> dict[str, Any]:
    """Return a mapping without secrets and with JSON values only."""
    return dict(_plain(dict(record), redactor))


def plain_text(text: str, redactor: Redactor) -> str:
    """Return a text without secrets that every database can store: no NUL, no half of a surrogate pair."""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return redactor.outside_text(whole.replace("\0", ""))


def instant(moment: datetime) -> str:
    """Return a moment as transcripts and tables hold it: ISO 8601, UTC."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def _plain(value: Any, redactor: Redactor, depth: int = 0) -> Any:
    """Return a value with JSON types only and no secrets."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) <= _LARGEST else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict) and depth < DEEPEST:
        return {
            str(name): HIDDEN if _is_secret(str(name), part) else _plain(part, redactor, depth + 1)
            for name, part in value.items()
        }
    if isinstance(value, (list, tuple)) and depth < DEEPEST:
        return [_plain(part, redactor, depth + 1) for part in value]
    text = value if isinstance(value, str) else str(value)
    return redactor.known_text(text) if _is_opaque(text) else redactor.outside_text(text)


def _is_opaque(text: str) -> bool:
    """Return whether a text is a signature or an encrypted part of a reply, which a provider refuses if it is changed.

    Such a text may look like a key somewhere by chance, but is longer than any.
    """
    return len(text) > OPAQUE and not any(map(str.isspace, text))


def _is_secret(name: str, value: Any) -> bool:
    """Return whether a value is secret by its name; a `key` may also be the key of a document."""
    return isinstance(value, str) and is_secret_name(name) and (name.lower() != "key" or looks_like_key(value))
