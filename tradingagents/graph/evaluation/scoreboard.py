"""Scores of a cohort's evaluated decisions, grouped by agent, ticker, model or vintage."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Literal

from tradingagents.analytics.decisions.outcome import SIDE, earned, excess, proved_right
from tradingagents.analytics.decisions.scoreboard import ScoredDecision, ScoreSummary, score
from tradingagents.graph.evaluation.pending import pending
from tradingagents.memory.cohort import Cohort
from tradingagents.memory.outcome import Outcome, Said
from tradingagents.memory.outcomes import OutcomeStore
from tradingagents.runtime.runs.run_folder import subject_of
from tradingagents.schemas.record import Record

By = Literal["agent", "ticker", "model", "vintage"]


class ScoreRow(Record):
    """Scores of one group of decisions."""

    name: str
    decisions: int
    """Evaluated decisions of the group."""
    holds: int
    """Decisions to hold among them; they take no side and enter none of the figures below."""
    score: ScoreSummary
    """Fractions."""


class Scoreboard(Record):
    """Scores of one cohort. Scores of different cohorts are never combined."""

    market: str
    decided_by: str
    """See `memory.cohort.Cohort`."""
    by: str
    groups: list[ScoreRow]
    """The groups with the most calls first."""
    total: ScoreRow
    """Of the runs' final decisions."""
    pending: int
    """Decisions that have not been evaluated."""
    due: int
    """Pending decisions whose window has passed."""
    next: str | None
    """First day on which another pending decision becomes due; null when there is none."""


def scoreboards(
    store: OutcomeStore, home: Path, by: By, *, today: date, ticker: str | None = None, as_of: date | None = None
) -> list[Scoreboard]:
    """Return a scoreboard for each cohort that has evaluated or pending decisions, the real market first.

    Args:
        store: The outcomes of all cohorts.
        home: The home folder, whose runs are searched for pending decisions.
        by: The grouping. By agent, each deciding agent is scored by its own decision over the window of the run's
            final decision; otherwise only the final decision is scored.
        today: Pending decisions whose window ends by this day are due.
        ticker: Score only decisions on this ticker.
        as_of: Score only outcomes known by this day; `None` means all.
    """
    outcomes = store.list(ticker=ticker, as_of=as_of)
    waiting = pending(home, None if ticker is None else subject_of(ticker))
    named = {decision.cohort for decision in waiting if decision.cohort is not None}
    return [
        _scoreboard(
            cohort,
            [outcome for outcome in outcomes if outcome.cohort == cohort],
            sorted(decision.until for decision in waiting if decision.cohort == cohort),
            by,
            today,
        )
        for cohort in sorted({outcome.cohort for outcome in outcomes} | named)
    ]


def _scoreboard(
    cohort: Cohort, outcomes: Sequence[Outcome], waiting: Sequence[date], by: By, today: date
) -> Scoreboard:
    groups: dict[str, list[tuple[Outcome, Said]]] = {}
    for outcome in outcomes:
        for name, said in _GROUPS[by](outcome):
            groups.setdefault(name, []).append((outcome, said))
    rows = [_row(name, some) for name, some in groups.items()]
    later = [day for day in waiting if day > today]
    return Scoreboard(
        market=cohort.market,
        decided_by=cohort.decided_by,
        by=by,
        groups=sorted(rows, key=lambda row: (-row.score.calls, row.name)),
        total=_row("All", [(outcome, outcome.final) for outcome in outcomes]),
        pending=len(waiting),
        due=len(waiting) - len(later),
        next=later[0].isoformat() if later else None,
    )


def _by_agent(outcome: Outcome) -> Iterator[tuple[str, Said]]:
    return ((agent, said) for agent, said in outcome.agents.items() if said.action in SIDE)


def _final(name: Callable[[Outcome], str]) -> Callable[[Outcome], Iterable[tuple[str, Said]]]:
    return lambda outcome: [(name(outcome), outcome.final)]


_GROUPS: dict[By, Callable[[Outcome], Iterable[tuple[str, Said]]]] = {
    "agent": _by_agent,
    "ticker": _final(lambda outcome: outcome.ticker),
    "model": _final(lambda outcome: " + ".join(dict.fromkeys(outcome.models.values())) or "unknown"),
    "vintage": _final(lambda outcome: outcome.vintage),
}


def _row(name: str, decided: Sequence[tuple[Outcome, Said]]) -> ScoreRow:
    calls = [call for outcome, said in decided if (call := _call(outcome, said))]
    return ScoreRow(name=name, decisions=len(decided), holds=len(decided) - len(calls), score=score(calls))


def _call(outcome: Outcome, said: Said) -> ScoredDecision | None:
    total, benchmark = outcome.total_return, outcome.benchmark_return
    right = proved_right(said.action, total, benchmark)
    if right is None:
        return None
    return ScoredDecision(
        ticker=outcome.ticker,
        start=outcome.start,
        end=outcome.end,
        confidence=said.confidence,
        right=right,
        earned=earned(said.action, total, said.sell_means),
        excess=excess(said.action, total, benchmark),
    )
