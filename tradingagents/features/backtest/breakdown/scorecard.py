"""The analysts' scorecard: whose opinion, and which reading, pointed to where the stock went."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from tradingagents.features.backtest.breakdown.opinions import Opinion
from tradingagents.features.backtest.breakdown.outcomes import Pointed, PointedShare, Wanted, pointed_share
from tradingagents.features.backtest.engines.decision_store import StoredDecision


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorecardRow(PointedShare):
    """How often one agent, or one figure that an agent read, was right."""

    report: str
    """State key of the agent's text."""
    who: str
    """The agent."""
    metric: str
    """The figure; empty for the agent as a whole."""
    reading: str
    """What people call the figure."""
    tool: str


def scorecard(decided: Mapping[Wanted, StoredDecision], known: Mapping[Wanted, float]) -> tuple[ScorecardRow, ...]:
    """Return a row for each agent and reading, agents first, in the order in which they spoke.

    Args:
        decided: Decisions with the opinions they rest on.
        known: Return after each decision, by ticker and day.
    """
    scores: dict[tuple[str, str, str], list[Pointed]] = {}
    first: dict[tuple[str, str, str], Opinion] = {}
    for wanted, stored in decided.items():
        if wanted not in known:
            continue
        for key, named in _by_key(stored.opinions).items():
            first.setdefault(key, named[0])
            mean = sum(one.score for one in named) / len(named)
            scores.setdefault(key, []).append(Pointed(wanted[1], mean, known[wanted]))
    rows = [_row(first[key], pointed_share(pointed, known)) for key, pointed in scores.items()]
    return (*(one for one in rows if not one.metric), *(one for one in rows if one.metric))


def _row(one: Opinion, share: PointedShare) -> ScorecardRow:
    return ScorecardRow(
        report=one.report, who=one.who, metric=one.metric, reading=one.reading, tool=one.tool, **asdict(share)
    )


def _by_key(opinions: Sequence[Opinion]) -> dict[tuple[str, str, str], list[Opinion]]:
    """Return opinions by what they are about; a figure that was read twice counts once, with its mean score."""
    found: dict[tuple[str, str, str], list[Opinion]] = {}
    for one in opinions:
        found.setdefault((one.report, one.metric, one.tool), []).append(one)
    return found
