"""`PointInTime`: the cut-off of a run, the calendars around it, and the cut itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Protocol, TypeVar

from tradingagents.dataflows.cutoff import Cutoff
from tradingagents.dataflows.gateway.checks.validation import Validated, validate
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.calendar import Sessions, exchange_of, sessions


class Known(Protocol):
    """A row with the instant from which it was known."""

    @property
    def known_at(self) -> datetime:
        """Instant, UTC."""


K = TypeVar("K", bound=Known)


@dataclass(frozen=True)
class PointInTime:
    """The moment that a run is bound to."""

    cutoff: Cutoff
    exchange: str
    """MIC of the calendar whose sessions count."""
    now: Callable[[], datetime]

    @property
    def past(self) -> date | None:
        """The day asked about where it is over: vendors that know today only are not asked. None for today."""
        return None if self.cutoff.live else self.cutoff.as_of

    @property
    def serves_now(self) -> bool:
        """Whether a vendor's answer was known when the run was asked for: the run is live, and its cut-off was now."""
        return self.cutoff.live and self.cutoff.is_now

    @property
    def market(self) -> Sessions:
        """The sessions whose close is the cut-off."""
        return sessions(self.exchange)

    def known(self, rows: Iterable[K]) -> list[K]:
        """Return the rows known at the cut-off: the only place where later rows are dropped."""
        return [row for row in rows if row.known_at <= self.cutoff.instant]

    def last_session(self, answer: Any) -> date:
        """Return the last session of an answer's symbol, or else of the market, that had closed by the cut-off."""
        calendar = sessions(exchange_of(answer.symbol)) if isinstance(answer, Prices) else self.market
        return calendar.last_closed(self.cutoff.instant)

    def validated(self, answer: Any) -> Validated:
        """Return an answer without its invalid rows, as far as the cut-off knows it."""
        return validate(answer, instant=self.cutoff.instant, last=self.last_session(answer))
