"""The files of a backtest as an auditor reads them: as text and plain JSON, by none of the code that wrote them."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from tradingagents.errors import NotFound, UsageError
from tradingagents.features.backtest.audit.findings import AuditFinding

RESULT, LEDGER, EQUITY, DECISIONS = "result.json", "ledger.jsonl", "equity.csv", "decisions.jsonl"
START = "0" * 64


@dataclass(frozen=True)
class RecordedSession:
    """One line of a ledger, as it stands in the file."""

    number: int
    day: date
    postings: tuple[Mapping[str, Any], ...]
    mark: Mapping[str, Any]
    hash: str


@dataclass(frozen=True)
class AuditedDecision:
    """One line of the decisions."""

    ticker: str
    day: date
    action: str
    """Empty where the run ended without any."""
    confidence: float
    content: str
    """Hash of the evidence; empty where there is none."""
    cost_usd: float | None
    whole: Mapping[str, Any]


@dataclass(frozen=True)
class RecordedBacktest:
    """The folder of a backtest."""

    folder: Path
    record: Mapping[str, Any]
    sessions: tuple[RecordedSession, ...]
    equity: Mapping[str, Mapping[date, float]]
    """By strategy and day; empty without the file."""
    equity_rows: tuple[date, ...]
    """The days of the file in its order, repeated ones too."""
    decisions: tuple[AuditedDecision, ...] | None
    """None for a folder without the file."""
    faults: tuple[AuditFinding, ...]
    """What is wrong with the files themselves."""

    @property
    def request(self) -> Mapping[str, Any]:
        """What was tested."""
        found: Mapping[str, Any] = self.record["request"]
        return found

    @property
    def currency(self) -> str:
        """Of the account."""
        found: str = self.record.get("currency") or self.request.get("currency") or "USD"
        return found

    @property
    def tickers(self) -> tuple[str, ...]:
        """The tickers."""
        return tuple(self.request["tickers"])

    @property
    def by_day(self) -> dict[date, dict[str, AuditedDecision]]:
        """The decisions by day and ticker."""
        found: dict[date, dict[str, AuditedDecision]] = {}
        for decision in self.decisions or ():
            found.setdefault(decision.day, {})[decision.ticker] = decision
        return found


def read_backtest(folder: Path) -> RecordedBacktest:
    """Read the folder of a backtest.

    Raises:
        NotFound: It is none.
        UsageError: Its result cannot be read.
    """
    path = folder / RESULT
    if not path.is_file():
        raise NotFound(
            f"{folder} is no folder of a backtest: it has no {RESULT}; name one under backtests/ of the home."
        )
    try:
        record = json.loads(path.read_text("utf-8"))
        if record["kind"] != "backtest" or not record["request"]["tickers"] or not record["strategies"]["decisions"]:
            raise KeyError("kind")
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path} is no result of a backtest; name another folder.") from error
    faults: list[AuditFinding] = []
    sessions = tuple(read_sessions(folder / LEDGER, faults))
    equity, rows = _equity(folder / EQUITY, faults)
    return RecordedBacktest(
        folder, record, sessions, equity, rows, _decisions(folder / DECISIONS, faults), tuple(faults)
    )


def read_sessions(path: Path, faults: list[AuditFinding]) -> Iterator[RecordedSession]:
    """Read a ledger and follow its chain of hashes: each is of the one before and the rest of its line."""
    before = START
    content = path.read_bytes() if path.is_file() else b""
    if not content:
        faults.append(AuditFinding("ledger_unreadable", LEDGER, "a line for each session", "no file, or an empty one"))
    for number, line in enumerate(content.splitlines(), start=1):
        where = f"{LEDGER} line {number}"
        try:
            whole = json.loads(line)
            stated, rest = whole["hash"], {name: value for name, value in whole.items() if name != "hash"}
            found = RecordedSession(
                number, date.fromisoformat(rest["mark"]["day"]), tuple(rest["postings"]), rest["mark"], stated
            )
        except (ValueError, KeyError, TypeError) as error:
            faults.append(AuditFinding("ledger_unreadable", where, "a session as JSON", f"{type(error).__name__}"))
            continue
        text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        own = hashlib.sha256(f"{before}{text}".encode()).hexdigest()
        if own != stated:
            faults.append(
                AuditFinding("ledger_chain", where, f"hash {own[:12]}", f"{str(stated)[:12]}", day=str(found.day))
            )
        before = str(stated)
        yield found


def _equity(path: Path, faults: list[AuditFinding]) -> tuple[dict[str, dict[date, float]], tuple[date, ...]]:
    if not path.is_file():
        faults.append(AuditFinding("equity_not_of_ledger", EQUITY, "the equity of each strategy", "no file"))
        return {}, ()
    days: list[date] = []
    found: dict[str, dict[date, float]] = {}
    try:
        for row in csv.DictReader(io.StringIO(path.read_text("utf-8"))):
            days.append(date.fromisoformat(row.pop("date")))
            for name, value in row.items():
                found.setdefault(name, {})[days[-1]] = float(value)
    except (ValueError, KeyError, TypeError) as error:
        faults.append(AuditFinding("equity_not_of_ledger", EQUITY, "a table of equity by day", type(error).__name__))
    return found, tuple(days)


def _decisions(path: Path, faults: list[AuditFinding]) -> tuple[AuditedDecision, ...] | None:
    if not path.is_file():
        return None
    found: list[AuditedDecision] = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        try:
            whole = json.loads(line)
            decision = whole["decision"] or {"action": "", "confidence": 0.0}
            found.append(
                AuditedDecision(
                    whole["ticker"], date.fromisoformat(whole["day"]), decision["action"],
                    float(decision["confidence"]), whole.get("content", ""), whole.get("cost_usd"), whole,
                )
            )  # fmt: skip
        except (ValueError, KeyError, TypeError) as error:
            where = f"{DECISIONS} line {number}"
            faults.append(AuditFinding("coverage_wrong", where, "a decision as JSON", type(error).__name__))
    return tuple(found)
