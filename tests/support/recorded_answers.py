"""Recorded answers of vendors at the addresses they came from, for `OutsideServer`.

`market/vendor_payloads/index.jsonl` of the recorded data names the address, the status and the day of each.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from tests.support.outside_server import NO_CRUMB, YAHOO, OutsideServer
from tests.support.vendor_server import Reply, Request
from tradingagents.dataflows.gateway.registry import BUILT_IN

SECRET = frozenset({"crumb", "apikey", "token"})
"""What a query says of who asks; the recordings have REDACTED in its place."""
Address = tuple[str, str, frozenset[tuple[str, str]]]


@dataclass(frozen=True)
class RecordedAnswer:
    """One answer of a vendor."""

    url: str
    """Where it came from, without key and crumb; empty where its collector did not say."""
    file: Path
    status: int

    @property
    def body(self) -> bytes:
        """What was answered, unpacked."""
        raw = self.file.read_bytes()
        return gzip.decompress(raw) if self.file.suffix == ".gz" else raw

    @property
    def payload(self) -> Any:
        """What was answered, read as JSON."""
        return json.loads(self.body)

    @property
    def symbol(self) -> str:
        """The last part of the path: of Yahoo's addresses about one symbol, that symbol."""
        return unquote(urlsplit(self.url).path.rpartition("/")[2])


def recorded_answers(folder: Path) -> tuple[RecordedAnswer, ...]:
    """Return every recorded answer below a folder of recorded data, in the index's order."""
    payloads = folder / "market" / "vendor_payloads"
    lines = (payloads / "index.jsonl").read_text(encoding="utf-8").splitlines()
    rows: Iterable[Mapping[str, Any]] = map(json.loads, lines)
    return tuple(RecordedAnswer(row["url"] or "", payloads / row["file"], row["status"] or 200) for row in rows)


def serve(server: OutsideServer, answers: Iterable[RecordedAnswer]) -> tuple[RecordedAnswer, ...]:
    """Have the vendors' servers answer as they did at each recorded address.

    Returns:
        What is served: of two answers of one address the later one; not those of hosts that no vendor here has.
    """
    served = {_address(one.url): one for one in answers if server.knows(str(urlsplit(one.url).hostname))}
    below = {host: base for (host, base) in _bases() if base}

    def recorded(host: str, request: Request, reply: Reply) -> Reply:
        if reply is NO_CRUMB:
            return reply
        whole = f"{below.get(host, '')}{request.path}"
        one = served.get(_known(host, whole, request.query.items()))
        return reply if one is None else Reply(one.body, status=one.status, content_type="application/json")

    server.mangle = recorded
    return tuple(served.values())


def _bases() -> set[tuple[str, str]]:
    parts = [urlsplit(known.url) for known in BUILT_IN.values() if known.url]
    return {(str(part.hostname), part.path) for part in parts}


def _address(url: str) -> Address:
    parts = urlsplit(url)
    return _known(str(parts.hostname), parts.path, parse_qsl(parts.query, keep_blank_values=True))


def _known(host: str, path: str, query: Iterable[tuple[str, str]]) -> Address:
    site = YAHOO if host.endswith(YAHOO) else host
    return site, unquote(path), frozenset(pair for pair in query if pair[0] not in SECRET)
