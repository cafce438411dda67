"""A frozen set of evidence: canonical JSON whose SHA-256 is its name, so that no byte of it can change unnoticed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tradingagents.errors import NotFound, UsageError
from tradingagents.files.atomic import replace_whole, unreadable
from tradingagents.files.json_text import parse_json
from tradingagents.files.regular_files import read_regular
from tradingagents.schemas.evidence import EvidenceItem
from tradingagents.valuation.canonical import canonical_json

WAY_OUT = "it was changed after it was frozen: take it from a backup, or gather the evidence again"
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class EvidenceBundle:
    """Evidence that a report rests on, as it was when it was frozen."""

    ticker: str
    as_of: datetime
    """Nothing in it became known later."""
    items: tuple[EvidenceItem, ...]
    """Ordered by id."""
    sha256: str
    """Of `content`."""

    @property
    def content(self) -> bytes:
        """The bundle as canonical JSON, UTF-8."""
        return _content(self.ticker, self.as_of, self.items)


def freeze(ticker: str, as_of: datetime, items: Iterable[EvidenceItem]) -> EvidenceBundle:
    """Return a frozen bundle.

    Raises:
        UsageError: An item became known after `as_of`.
    """
    ordered = tuple(sorted({item.id: item for item in items}.values(), key=lambda item: item.id))
    for item in ordered:
        if item.source.known_at > as_of:
            raise UsageError(f"{item.id} became known on {item.source.known_at:%Y-%m-%d}, after the report's day.")
    return EvidenceBundle(ticker, as_of, ordered, hashlib.sha256(_content(ticker, as_of, ordered)).hexdigest())


def write_bundle(folder: Path, bundle: EvidenceBundle) -> Path:
    """Write a bundle into a folder under its hash, and return the file; one that is there already is left alone.

    Raises:
        UnreadableFile: The file that is there was changed.
        OSError: The file cannot be written.
    """
    path = folder / f"{bundle.sha256}.json"
    if path.exists():
        read_bundle(folder, bundle.sha256)
        return path
    folder.mkdir(parents=True, exist_ok=True)
    replace_whole(path, bundle.content)
    return path


def read_bundle(folder: Path, sha256: str) -> EvidenceBundle:
    """Return the bundle with a hash.

    Raises:
        NotFound: There is none.
        UsageError: This is no hash.
        UnreadableFile: Its content does not have this hash.
    """
    if not _HASH.fullmatch(sha256):
        raise UsageError(
            f"{sha256[:70]!r} is no SHA-256 in hexadecimal digits; `tradingagents evidence list` has them."
        )
    path = folder / f"{sha256}.json"
    try:
        content = read_regular(path)
    except FileNotFoundError:
        raise NotFound(
            f"There is no bundle {sha256[:12]} here; list them with `tradingagents evidence list`."
        ) from None
    if hashlib.sha256(content).hexdigest() != sha256:
        raise unreadable(path, "its content does not have the hash of its name", WAY_OUT)
    return _parsed(path, content, sha256)


def _parsed(path: Path, content: bytes, sha256: str) -> EvidenceBundle:
    try:
        known: dict[str, Any] = parse_json(content)
        items = tuple(EvidenceItem.model_validate(_without_id(one)) for one in known["items"])
        return EvidenceBundle(known["ticker"], datetime.fromisoformat(known["as_of"]), items, sha256)
    except (ValueError, KeyError, TypeError, ValidationError) as error:
        raise unreadable(path, "it is no bundle of evidence", WAY_OUT) from error


def _content(ticker: str, as_of: datetime, items: tuple[EvidenceItem, ...]) -> bytes:
    shown = [item.model_dump(mode="json") for item in items]
    return canonical_json({"ticker": ticker, "as_of": as_of.isoformat(), "items": shown}).encode()


def _without_id(item: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in item.items() if name != "id"}
