"""Recorded answers that are valid for one day only: screens, searches, calendars."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

from tradingagents.dataflows.gateway.cache import decode
from tradingagents.dataflows.models import EarningsEvent, EconomicEvent, Mover, NewsItem, Ratios, SectorMember
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendor_method import VendorMethod
from tradingagents.dataflows.vendors.snapshot.folder import Unreadable, known_from, read_lines
from tradingagents.dataflows.vendors.snapshot.news import in_window

FILE = "answers.jsonl.gz"
METHODS_KEPT: Mapping[str, VendorMethod[..., Any]] = {
    method.name: method
    for method in (
        Vendor.get_fundamentals,
        Vendor.get_peers,
        Vendor.get_market_movers,
        Vendor.get_industry_performance,
        Vendor.get_topic_news,
        Vendor.get_earnings_calendar,
        Vendor.get_economic_calendar,
    )
}
"""The methods whose answers are stored in this file, by name."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One recorded answer."""

    method: str
    subject: str
    """A symbol, category, sector key or topic; symbol and sector key for peers; empty for a calendar."""
    first: date
    last: date
    """The days covered; for movers the session."""
    known_at: datetime
    """The cut-off it was recorded under: the instant of recording, or the previous close."""
    content: Any


class Answers:
    """The recorded answers of a folder, by request; None if nothing matching was recorded."""

    def __init__(self, answers: list[Answer]) -> None:
        self._found: dict[tuple[str, str], list[Answer]] = defaultdict(list)
        self.every = tuple(answers)
        """All answers, in the order of the file."""
        for answer in sorted(answers, key=lambda one: one.last, reverse=True):
            self._found[answer.method, answer.subject].append(answer)

    def ratios(self, symbol: str) -> Ratios | None:
        """Return the newest ratios of a symbol."""
        return self._newest("get_fundamentals", symbol)  # type: ignore[no-any-return]

    def peers(self, symbol: str, sector: str) -> tuple[str, ...] | None:
        """Return the peers that the source listed."""
        return self._newest("get_peers", f"{symbol} {sector}")  # type: ignore[no-any-return]

    def movers(self, category: str, session: date) -> tuple[Mover, ...] | None:
        """Return the screen of exactly that session."""
        for answer in self._of("get_market_movers", category):
            if answer.last == session:
                return answer.content  # type: ignore[no-any-return]
        return None

    def members(self, sector: str) -> tuple[SectorMember, ...] | None:
        """Return the newest list of a sector's companies; ratings and weights state from when they may be shown."""
        for answer in self._of("get_industry_performance", sector):
            return tuple(replace(row, known_at=answer.known_at) for row in answer.content)
        return None

    def topic(self, topic: str, start: datetime, end: datetime) -> tuple[NewsItem, ...] | None:
        """Return what a search on exactly that day found, in its order; None for another day or a longer window."""
        for answer in self._of("get_topic_news", topic):
            if answer.last == end.date() and answer.first <= start.date():
                return in_window(answer.content, start, end)
        return None

    def earnings(self, start: date, end: date) -> tuple[tuple[EarningsEvent, ...], tuple[Answer, ...]]:
        """Return the recorded rows of [start, end], and the answers that contain them."""
        answers = tuple(self._of("get_earnings_calendar", ""))
        return _between(answers, start, end), answers

    def economy(self, start: date, end: date) -> tuple[tuple[EconomicEvent, ...], tuple[Answer, ...]]:
        """Return the recorded rows of [start, end], and the answers that contain them."""
        answers = tuple(self._of("get_economic_calendar", ""))
        return _between(answers, start, end), answers

    def _of(self, method: str, subject: str) -> list[Answer]:
        return self._found.get((method, subject), [])

    def _newest(self, method: str, subject: str) -> Any:
        return next((answer.content for answer in self._of(method, subject)), None)


def load_answers(path: Path, exchange: str, unreadable: Unreadable | None = None) -> Answers:
    """Read answers.jsonl.gz; none if it doesn't exist.

    Args:
        exchange: Calendar of answers that have a day only.
        unreadable: Collects the unreadable lines; None: the first is an error.

    Raises:
        VendorDown: The file is corrupt, or too many rows aren't an answer of their method; names the line.
    """
    return Answers(read_lines(path, lambda row: _answer(row, exchange), unreadable))


def kept(rows: tuple[Any, ...], answers: tuple[Answer, ...], computed: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return recorded rows of a calendar, plus the computed ones of days without a recorded answer."""
    return (*rows, *(row for row in computed if not any(answer.first <= row.day <= answer.last for answer in answers)))


def _between(answers: tuple[Answer, ...], start: date, end: date) -> tuple[Any, ...]:
    return tuple(row for answer in answers for row in answer.content if start <= row.day <= end)


def _answer(row: Mapping[str, Any], exchange: str) -> Answer:
    method = row["method"]
    if method not in METHODS_KEPT:
        raise ValueError(f"no answers of {method!r} are kept")
    known_at, content = known_from(row["known_at"], exchange), decode(METHODS_KEPT[method], row["answer"])
    if method == "get_economic_calendar":
        # Recordings of older versions don't state whether values are revised; treat them as read when recorded.
        content = tuple(
            event if "read_at" in given else replace(event, read_at=known_at)
            for event, given in zip(content, row["answer"], strict=True)
        )
    return Answer(
        method=method,
        subject=row["subject"],
        first=date.fromisoformat(row["first"]),
        last=date.fromisoformat(row["last"]),
        known_at=known_at,
        content=content,
    )
