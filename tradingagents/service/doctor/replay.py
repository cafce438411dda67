"""Turn a rehearsal's file into cases for tests: each answer that could not be read, as made-up responses of its shape.

The file holds no content, so neither do the cases: numbers, days and words are made up, names and counts are the
vendor's. An answer that was read and has wrong values, such as an old newest bar, therefore makes no case, and one that
the vendor refused neither: no reader could make it pass.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from tradingagents.dataflows.responses.shapes import Maker
from tradingagents.errors import HomeNotWritable, UsageError
from tradingagents.files.atomic import as_json

_NAME = re.compile(r"[a-z][a-z0-9_]{0,40}")
MOST_BYTES = 20_000_000
ROWS_BEFORE = 40
"""Rows of a list in the response to an earlier question: a vendor's list of tickers has ten thousand."""
UNREAD = ("failed", "bug")
REFUSALS = frozenset({401, 403, 407, 429})
"""Statuses that say nothing of a response's shape, as those from 500 on."""
LIVE = "a live rehearsal"
"""Whose report is replayed; the command line names its command."""


@dataclass(frozen=True, slots=True)
class ReplayedCase:
    """A case written for the tests."""

    path: Path
    vendor: str
    method: str
    verdict: str
    """The outcome of the rehearsal, and its first problem."""


def replay(file: Path, folder: Path, *, every: bool = False) -> tuple[ReplayedCase, ...]:
    """Write a case for each answer of a rehearsal that could not be read, and return them.

    Args:
        file: What `doctor --live --out` wrote.
        folder: Where the cases go; it is made.
        every: Whether every answer with a response becomes a case.

    Raises:
        UsageError: The file is none of a rehearsal, or holds no such answer.
        HomeNotWritable: The folder cannot be written.
    """
    report = _read(file)
    cases = tuple(_cases(report, file, folder, every))
    if not cases:
        raise UsageError(f"{file} holds no answer that came and could not be read; there is nothing to replay.")
    return cases


def _cases(report: Mapping[str, Any], file: Path, folder: Path, every: bool) -> Iterator[ReplayedCase]:
    symbol, last = str(report.get("symbol") or ""), date.fromisoformat(report["session"])
    maker, of_earlier = Maker(symbol, last), Maker(symbol, last, ROWS_BEFORE)
    sent: dict[str, list[Mapping[str, Any]]] = {}
    """Responses so far, by vendor: its client keeps some, such as a list of tickers, and asks for them once."""
    for number, answer in enumerate(report["answers"]):
        vendor, method, responses = answer.get("vendor"), answer.get("method"), answer.get("responses") or ()
        earlier = tuple(sent.setdefault(str(vendor), []))
        sent[str(vendor)] += responses
        if not responses or not (every or _is_unread(answer, responses)):
            continue
        if not all(isinstance(name, str) and _NAME.fullmatch(name) for name in (vendor, method)):
            raise UsageError(f"{file} names a vendor or method that is none; name a report of {LIVE}.")
        asked = {_asked(one) for one in responses}
        before = {_asked(one): one for one in earlier if _asked(one) not in asked}
        case = {
            "vendor": vendor,
            "method": method,
            "arguments": answer.get("arguments", ()),
            "made_at": report["made_at"],
            "versions": report.get("versions", {}),
            "verdict": [answer.get("outcome"), *answer.get("problems", ())],
            "responses": [_made(one, maker) for one in responses],
            "before": [_made(one, of_earlier) for one in before.values()],
        }
        path = folder / f"{vendor}-{method}-{number}.json"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(as_json(case), encoding="utf-8")
        except OSError as error:
            raise HomeNotWritable(f"Cannot write {path} ({error.strerror}); name another folder.") from error
        yield ReplayedCase(path, vendor, method, ": ".join(map(str, case["verdict"][:2])))


def _is_unread(answer: Mapping[str, Any], responses: Sequence[Mapping[str, Any]]) -> bool:
    refused = any(one.get("status") in REFUSALS or one.get("status", 0) >= 500 for one in responses)
    return answer.get("outcome") in UNREAD and not refused


def _asked(response: Mapping[str, Any]) -> tuple[str, ...]:
    return (str(response.get("path")), *map(str, response.get("query") or ()))


def _made(response: Mapping[str, Any], maker: Maker) -> dict[str, Any]:
    return {**{name: response.get(name) for name in ("path", "query", "status")}, "body": maker.body(response["shape"])}


def _read(file: Path) -> Mapping[str, Any]:
    try:
        if file.stat().st_size > MOST_BYTES:
            raise UsageError(f"{file} is too large to be a report of {LIVE}.")
        report = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"Cannot read {file} ({error.strerror}); name a report of {LIVE}.") from None
    except ValueError:
        raise UsageError(f"{file} is no JSON; name a report of {LIVE}.") from None
    known = isinstance(report, dict) and isinstance(report.get("answers"), list)
    if not known or not all(isinstance(report.get(name), str) for name in ("made_at", "session")):
        raise UsageError(f"{file} is no report of {LIVE}; name one.")
    return report  # type: ignore[no-any-return]
