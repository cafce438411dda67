"""Checks a paper account from its own files: every fill, action, mark and cost, from the bars that it says it saw."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd

from tradingagents.dataflows.reference.calendar import exchange_of
from tradingagents.errors import UsageError
from tradingagents.features.backtest.audit.book_check import LedgerCheck
from tradingagents.features.backtest.audit.findings import AuditFinding
from tradingagents.features.backtest.audit.result_folder import LEDGER, RecordedBacktest, RecordedSession, read_sessions
from tradingagents.features.backtest.audit.second.prices import SILENT_SESSIONS, SymbolHistory
from tradingagents.features.backtest.market import joint_sessions

PLAN = "account.json"
CENT = 0.0101
COLUMNS = ("open", "high", "low", "close", "volume")
NEEDED = ("open", "close", "volume")
"""Columns that an account trades and is marked by, unless it follows stops and targets."""


def read_paper(folder: Path) -> RecordedBacktest:
    """Read the folder of a paper account as that of a backtest, whose request is the account's plan.

    Raises:
        UsageError: Its plan cannot be read.
    """
    try:
        plan = json.loads((folder / PLAN).read_text("utf-8"))
        request = {**plan, "tickers": plan["tickers"]}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{folder / PLAN} is no plan of a paper account; name another folder.") from error
    faults: list[AuditFinding] = []
    sessions = tuple(read_sessions(folder / LEDGER, faults)) if (folder / LEDGER).is_file() else ()
    days = [str(session.day) for session in sessions] or [""]
    record = {"request": {**request, "start": days[0], "end": days[-1]}, "last_session": days[-1]}
    return RecordedBacktest(folder, record, sessions, {}, (), None, tuple(faults))


def check_paper(recorded: RecordedBacktest) -> tuple[AuditFinding, ...]:
    """Fold an account a second time, and work each fill, action, mark and charge out again from the bars it saw."""
    if not recorded.sessions:
        return recorded.faults
    days = _sessions(recorded)
    check = LedgerCheck(recorded, seen_histories(recorded.sessions, days), days, foreign=_foreign(recorded), paper=True)
    return (*recorded.faults, *check.run(), *_undecided(recorded), *_charges(recorded))


def _sessions(recorded: RecordedBacktest) -> tuple[date, ...]:
    """Return the sessions that an account has to have; those it has, where a watch list may change its exchanges."""
    own = tuple(session.day for session in recorded.sessions)
    if not recorded.request["tickers"]:
        return tuple(sorted({*own}))
    seen = {bar["symbol"] for bar in _bars(recorded.sessions) if not bar["benchmark"]}
    symbols = seen | {*recorded.request["tickers"]}
    return tuple(sorted({*joint_sessions(map(exchange_of, symbols)).between(min(own), max(own))}))


def symbols_of(recorded: RecordedBacktest) -> set[str]:
    """Return the symbols whose bars an account saw, its benchmark among them."""
    return {bar["symbol"] for bar in _bars(recorded.sessions)}


def _bars(sessions: Sequence[RecordedSession]) -> Iterator[Mapping[str, Any]]:
    return (posting for line in sessions for posting in line.postings if posting.get("kind") == "bar")


def _foreign(recorded: RecordedBacktest) -> frozenset[str]:
    return frozenset(bar["symbol"] for bar in _bars(recorded.sessions) if bar.get("foreign"))


def seen_histories(sessions: Sequence[RecordedSession], days: Sequence[date]) -> dict[str, SymbolHistory]:
    """Return prices as an account saw them, session by session; corrections count from the session that records them.

    Args:
        sessions: Of the account.
        days: All sessions of its exchanges.
    """
    found: dict[str, _Seen] = {}
    for line in sessions:
        for posting in line.postings:
            if posting.get("kind") in ("correction", "late_split") and posting["symbol"] in found:
                found[posting["symbol"]].correct(posting)
        for posting in line.postings:
            if posting.get("kind") == "bar":
                found.setdefault(posting["symbol"], _Seen()).add(line.day, posting)
    return {symbol: seen.history(days) for symbol, seen in found.items()}


class _Seen:
    """What an account saw of one symbol so far."""

    def __init__(self) -> None:
        self._closes: dict[date, float] = {}
        """As known now; NaN for a halt."""
        self._ratios: dict[date, Fraction] = {}
        self._rows: dict[date, dict[str, float]] = {}
        self._splits: dict[date, Fraction] = {}
        self._dividends: dict[date, float] = {}
        self._silent = 0
        self._gone: date | None = None

    def correct(self, posting: Mapping[str, Any]) -> None:
        day = date.fromisoformat(posting["day"])
        if posting["kind"] == "correction":
            self._closes[day] = math.nan if posting["close"] is None else posting["close"]
        else:
            self._ratios[day] = self._ratios.get(day, Fraction(1)) * Fraction(
                posting["numerator"], posting["denominator"]
            )

    def add(self, day: date, bar: Mapping[str, Any]) -> None:
        before = max(self._rows, default=None)
        if before is not None:  # what the close before is known to be by now: fees of borrowed shares are from it
            self._rows[before]["later"] = self._last()
        row = {name: math.nan if bar[name] is None else float(bar[name]) for name in COLUMNS}
        self._closes[day], self._ratios[day] = row["close"], Fraction(bar["numerator"], bar["denominator"])
        if self._ratios[day] != 1:
            self._splits[day] = self._ratios[day]
        if bar["dividend"]:
            self._dividends[day] = float(bar["dividend"])
        row["last"] = row["later"] = self._last()
        self._rows[day] = row
        self._silent = self._silent + 1 if math.isnan(row["close"]) else 0
        self._gone = None if not self._silent else day if self._silent == SILENT_SESSIONS else self._gone

    def _last(self) -> float:
        """Return the last close in shares of the last session."""
        ratio = Fraction(1)
        for day in sorted(self._closes, reverse=True):
            if not math.isnan(self._closes[day]):
                return self._closes[day] / float(ratio)
            ratio *= self._ratios.get(day, Fraction(1))
        return math.nan

    def history(self, days: Sequence[date]) -> SymbolHistory:
        frame = pd.DataFrame.from_dict(self._rows, orient="index").reindex(pd.Index(list(days), name="session"))
        columns = {str(name): dict(zip(days, frame[name].tolist(), strict=True)) for name in frame}
        return SymbolHistory(frame, columns, self._splits, self._dividends, self._gone, "")


def _undecided(recorded: RecordedBacktest) -> Iterator[AuditFinding]:
    """Find orders that neither a decision nor a margin call has given."""
    for line in recorded.sessions:
        kinds = {posting.get("kind") for posting in line.postings}
        bars = [posting for posting in line.postings if posting.get("kind") == "bar"]
        split = {bar["symbol"] for bar in bars if bar["numerator"] != bar["denominator"]}  # which restates an order
        given = [
            posting for posting in line.postings if posting.get("kind") == "order" and posting["symbol"] not in split
        ]
        if given and not kinds & {"decision", "margin_call"}:
            found = f"{given[0]['shares']} shares"
            where = f"{LEDGER} line {line.number}"
            yield AuditFinding(
                "order_without_decision", where, "a decision", found, "error", given[0]["symbol"], str(line.day)
            )


def _charges(recorded: RecordedBacktest) -> Iterator[AuditFinding]:
    """Compare what models were charged with what their decisions cost, in an account in USD."""
    if recorded.request["currency"] != "USD":
        return
    for line in recorded.sessions:
        due = sum(posting["cost_usd"] or 0.0 for posting in line.postings if posting.get("kind") == "decision")
        paid = sum(posting["value"] for posting in line.postings if posting.get("kind") == "charge") / 100
        if abs(paid - due) > CENT / 2 and not (paid < due and float(line.mark["cash"]) <= 0):
            where = f"{LEDGER} line {line.number}"
            yield AuditFinding("model_cost_left_out", where, f"{due:.2f}", f"{paid:.2f}", day=str(line.day))


def check_bars(recorded: RecordedBacktest, symbol: str, history: SymbolHistory) -> Iterator[AuditFinding]:
    """Compare the bars that an account saw, its corrections included, with those that vendors give now."""
    known: dict[date, tuple[int, Mapping[str, Any]]] = {}
    for line in recorded.sessions:
        for posting in line.postings:
            if posting.get("symbol") == symbol and posting.get("kind") == "bar":
                known[line.day] = (line.number, posting)
            elif posting.get("symbol") == symbol and posting.get("kind") == "correction":
                known[date.fromisoformat(posting["day"])] = (line.number, posting)
    for day, (number, bar) in known.items():
        used = COLUMNS if recorded.request.get("exits") == "plan" else NEEDED
        for name in used:
            seen, now = math.nan if bar[name] is None else float(bar[name]), history.at(day, name)
            same = math.isnan(seen) and math.isnan(now)
            if not (same or math.isclose(seen, now, rel_tol=2e-6)):
                where = f"{LEDGER} line {number}"
                yield AuditFinding(
                    "bar_not_of_vendor", where, f"{name} {now:.8g}", f"{seen:.8g}", "warning", symbol, str(day)
                )
                break
