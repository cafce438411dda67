"""Decides one day of a backtest again, with all reports on disk, and checks that it is the same decision."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from tradingagents.agents.schemas import Decision
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import UsageError
from tradingagents.features.backtest.decisions.decision_store import DecisionStore
from tradingagents.features.backtest.decisions.one_by_one import without_memory
from tradingagents.files.atomic import unreadable
from tradingagents.files.json_text import parse_json
from tradingagents.files.regular_files import read_regular
from tradingagents.graph.start import analyze
from tradingagents.runtime.services import Services

NAME = "decisions.jsonl"
WAY_OUT = "score the backtest again, which writes it anew"


@dataclass(frozen=True, slots=True)
class DecidedAgain:
    """A decision of a backtest, and what the same question gave again."""

    ticker: str
    day: date
    run_id: str
    page: str
    """Path of the run's page; empty where it wrote none."""
    before: Decision
    after: Decision
    same_evidence: bool
    """Whether prompts, models and data sheet have the same hash."""

    @property
    def same_decision(self) -> bool:
        """Whether action and sureness are the same. Language models may answer otherwise on the same evidence."""
        alike = (self.before.action, self.before.confidence) == (self.after.action, self.after.confidence)
        return alike and self.before.strength in (None, self.after.strength)  # earlier versions stored none


async def decide_again(services: Services, folder: Path, ticker: str, day: date) -> DecidedAgain:
    """Run a decision of a backtest again with everything that a run writes.

    Args:
        services: With the settings, models and data of the backtest.
        folder: The backtest's folder.
        ticker: Any spelling of the symbol.

    Raises:
        UsageError: The backtest has no such decision, or it was made with other settings, models, prompts or data.
        UnreadableFile: The backtest's decisions were damaged.
        TradingAgentsError: As a run raises.
    """
    symbol, store = normalise(ticker), DecisionStore(services)
    known = _decision_of(folder, symbol, day)
    if known["key"] != store.key(symbol, day):
        raise UsageError(
            f"{symbol} on {day} was decided with other settings, models, prompts or data; give the options with which "
            "the backtest was run."
        )
    run = await analyze(without_memory(services), symbol, day, persist="all")
    return DecidedAgain(
        ticker=symbol,
        day=day,
        run_id=run.record["run_id"],
        page=run.record["paths"].get("html", ""),
        before=Decision.model_validate(known["decision"]),
        after=run.decision,
        same_evidence=store.content(run) == known["content"],
    )


def _decision_of(folder: Path, symbol: str, day: date) -> dict[str, Any]:
    """Return a decision as the backtest's folder holds it."""
    path = folder / NAME
    if not path.is_file():
        raise UsageError(
            f"{folder} is no folder of a backtest: it has no {NAME}; name one under backtests/ of the home."
        )
    days = []
    for number, line in enumerate(read_regular(path).splitlines(), start=1):
        try:
            known: dict[str, Any] = parse_json(line)
            own = known["ticker"] == symbol and known["decision"] is not None
        except (ValueError, KeyError, TypeError) as error:
            raise unreadable(path, f"line {number} is no decision", WAY_OUT) from error
        if own and known["day"] == day.isoformat():
            return known
        days += [known["day"]] if own else []
    near = sorted(days, key=lambda stored: abs((date.fromisoformat(stored) - day).days))[:3]
    hint = f"the nearest are {', '.join(sorted(near))}" if near else "it was not decided at all"
    raise UsageError(f"The backtest has no decision on {symbol} on {day}; {hint}.")
