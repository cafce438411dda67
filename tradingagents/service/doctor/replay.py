"""Turn a rehearsal's file into cases for tests: each answer that was not sound, as synthetic responses of its shape.

The file holds no content, so neither do the cases: numbers, days and words are made up, names and counts are the
vendor's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from tradingagents.dataflows.responses.shapes import Maker
from tradingagents.errors import HomeNotWritable, UsageError
from tradingagents.files.atomic import as_json
from tradingagents.service.doctor.rehearsal import GOOD

_NAME = re.compile(r"[a-z][a-z0-9_]{0,40}")
MOST_BYTES = 20_000_000
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
    """Write a case for each answer of a rehearsal that was not sound, and return them.

    Args:
        file: What `doctor --live --out` wrote.
        folder: Where the cases go; it is made.
        every: Whether sound answers become cases too.

    Raises:
        UsageError: The file is none of a rehearsal, or holds no such answer.
        HomeNotWritable: The folder cannot be written.
    """
    report = _read(file)
    cases = tuple(_cases(report, file, folder, every))
    if not cases:
        raise UsageError(f"{file} holds no failed answer with a response; there is nothing to replay.")
    return cases


def _cases(report: Mapping[str, Any], file: Path, folder: Path, every: bool) -> Iterator[ReplayedCase]:
    for number, answer in enumerate(report["answers"]):
        vendor, method, responses = answer.get("vendor"), answer.get("method"), answer.get("responses") or ()
        sound = answer.get("outcome") in GOOD and not (answer.get("outcome") == "answered" and answer.get("problems"))
        if not responses or (sound and not every):
            continue
        if not all(isinstance(name, str) and _NAME.fullmatch(name) for name in (vendor, method)):
            raise UsageError(f"{file} names a vendor or method that is none; name a report of {LIVE}.")
        maker = Maker(str(report.get("symbol") or ""), date.fromisoformat(report["session"]))
        case = {
            "vendor": vendor,
            "method": method,
            "arguments": answer.get("arguments", ()),
            "made_at": report["made_at"],
            "versions": report.get("versions", {}),
            "verdict": [answer.get("outcome"), *answer.get("problems", ())],
            "responses": [
                {**{name: one.get(name) for name in ("path", "query", "status")}, "body": maker.body(one["shape"])}
                for one in responses
            ],
        }
        path = folder / f"{vendor}-{method}-{number}.json"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(as_json(case), encoding="utf-8")
        except OSError as error:
            raise HomeNotWritable(f"Cannot write {path} ({error.strerror}); name another folder.") from error
        yield ReplayedCase(path, vendor, method, ": ".join(map(str, case["verdict"][:2])))


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
