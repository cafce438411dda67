"""Finished backtests of the home folder: a list, and what one of them found."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from tradingagents.capabilities.capability import capability
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.files.plain_text import one_line


class FinishedBacktest(BaseModel):
    """One backtest in short. Returns are fractions over the whole period."""

    model_config = ConfigDict(frozen=True)

    backtest: str
    """Its id, which is the name of its folder."""
    tickers: tuple[str, ...]
    first_session: date
    last_session: date
    models: tuple[str, ...]
    decisions: int
    """Decisions that were made."""
    decisions_return: float
    buy_and_hold_return: float
    smallest_edge: float | None
    """Yearly edge that it could have seen; None where there was too little to test."""
    verdict: str


class SavedBacktests(Result):
    """Finished backtests, the newest first; with a name one of them and its report."""

    tabulated: ClassVar[bool] = True

    wanted: str = ""
    """Id of a backtest that was named, or its beginning; empty for all."""
    backtests: tuple[FinishedBacktest, ...] = ()
    damaged: tuple[str, ...] = ()
    """Of a list: a sentence for each result that cannot be read."""
    report: str = ""
    """The report of the one that was named, as Markdown."""
    files: tuple[str, ...] = ()
    """Paths of its page."""

    @property
    def title(self) -> str:
        """Heading."""
        first = self.backtests[0] if self.report else None
        return f"Backtest {first.backtest}" if first else "Finished backtests"

    def figures(self) -> tuple[Figure, ...]:
        """Return no figures: those of a backtest belong to its own record."""
        return ()

    def body(self) -> str:
        """Return the report, or the list."""
        if self.report:
            return self.report
        lines = [
            f"- **{row.backtest}**: {', '.join(row.tickers[:8])}{' …' if len(row.tickers) > 8 else ''}, "
            f"{row.first_session} to {row.last_session}, {', '.join(row.models)}. {one_line(row.verdict)}"
            for row in self.backtests
        ]
        listed = "\n".join(lines) or "No backtest has been finished here that ends on this day or earlier."
        return "\n\n".join((listed, *self.damaged))


@capability(returns=SavedBacktests, requires=())
def saved_backtests(data: MarketData, backtest: str = "") -> SavedBacktests:
    """List the finished backtests that end on the day of the question or earlier, or read the report of one.

    Args:
        backtest: Id of a backtest, or its beginning; empty lists all.
    """
    return SavedBacktests(as_of=data.as_of, source="home folder", fetched_at=datetime.now(UTC), wanted=backtest.strip())
