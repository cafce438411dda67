"""The scoreboard: how good the settled decisions of a cohort were, by agent, ticker, model or vintage."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any, Literal, TypedDict, get_args

from tradingagents.analytics.decisions.outcome import SIDE, earned, excess, proved_right
from tradingagents.analytics.decisions.scoreboard import ScoredDecision, ScoreSummary, score
from tradingagents.cohort import Cohort
from tradingagents.evaluation.pending import pending
from tradingagents.memory.outcomes import Outcome, OutcomeStore, Said
from tradingagents.store.run_folder import subject_of

By = Literal["agent", "ticker", "model", "vintage"]
GROUPINGS: tuple[By, ...] = get_args(By)


class ScoreRow(TypedDict):
    """How good the decisions of a group were."""

    name: str
    decisions: int
    """Settled decisions of the group."""
    holds: int
    """Of these, decisions to hold, which take no side and are in none of the figures below."""
    score: dict[str, Any]
    """See `analytics.decisions.scoreboard.Score`; fractions."""


class Scoreboard(TypedDict):
    """How good the decisions of one cohort were. Cohorts are never added up."""

    market: str
    decided_by: str
    """See `cohort.Cohort`."""
    by: str
    groups: list[ScoreRow]
    """Those with most calls first."""
    total: ScoreRow
    """Of the runs' final decisions."""
    pending: int
    """Decisions whose outcome is not settled yet."""
    due: int
    """Of these, those whose window has passed."""
    next: str | None
    """The first day on which a pending one that is not due becomes so; null where there is none."""


def scoreboards(
    store: OutcomeStore, home: Path, by: By, *, today: date, ticker: str | None = None, as_of: date | None = None
) -> list[Scoreboard]:
    """Return a scoreboard for each cohort that has settled or pending decisions, the real market first.

    Args:
        store: The outcomes of all cohorts.
        home: Where runs are kept, for those that are pending.
        by: What to group them by. By agent, each deciding agent is judged by what itself decided, over the window of
            the run's final decision; otherwise the final decision counts.
        today: The day on which what is pending is due or not.
        ticker: Only decisions on this one.
        as_of: Only what was settled by this day; None: everything.
    """
    outcomes = store.list(ticker=ticker, as_of=as_of)
    waiting = pending(home, None if ticker is None else subject_of(ticker))
    cohorts = {outcome.cohort for outcome in outcomes} | {one.cohort for one in waiting if one.cohort is not None}
    return [
        _scoreboard(
            cohort,
            [outcome for outcome in outcomes if outcome.cohort == cohort],
            sorted(one.until for one in waiting if one.cohort == cohort),
            by,
            today,
        )
        for cohort in sorted(cohorts)
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
        groups=sorted(rows, key=lambda row: (-row["score"]["calls"], row["name"])),
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
    return ScoreRow(
        name=name, decisions=len(decided), holds=len(decided) - len(calls), score=_plain(score(calls))
    )  # fmt: skip


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


def _plain(found: ScoreSummary) -> dict[str, Any]:
    return {**asdict(found), "calibration": [asdict(one) for one in found.calibration]}
