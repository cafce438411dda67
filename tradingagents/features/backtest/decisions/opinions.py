"""Opinions: which way each agent, and each figure that the offline analysts read, pointed when a decision was made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tradingagents.agents.roster import agent_of, decisions
from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.analytics.decisions.outcome import SIDE
from tradingagents.graph.trading.run import Run
from tradingagents.reports.stances import stances
from tradingagents.schemas.decision import Decision


@dataclass(frozen=True, slots=True)
class Opinion:
    """Which way an agent or one of its readings pointed."""

    report: str
    """State key of the agent's text, such as `market_report`."""
    score: float
    """-1 (falls) to 1 (rises): the stated score of a report or reading; of a decision its side times its confidence."""
    metric: str = ""
    """The figure that was read; empty for the agent as a whole."""
    tool: str = ""
    """The tool that gave the figure."""

    @property
    def who(self) -> str:
        """The agent, such as `Market Analyst`."""
        return agent_of(self.report).name

    @property
    def reading(self) -> str:
        """What people call the figure; empty for the agent as a whole."""
        return metric_label(self.metric) if self.metric else ""

    def to_json(self) -> list[Any]:
        """Return it as a short JSON list."""
        return [self.report, self.score, *([self.metric, self.tool] if self.metric else [])]


def opinions_of(run: Run) -> tuple[Opinion, ...]:
    """Return the opinions of a run: its analysts' stated scores, the plans before the decision, and typed readings.

    A report that states no score, and a decision that was not made, has no opinion. Readings are typed where the
    offline analysts made them; those of language models stand in their prose alone.
    """
    return (*_stated(run.record["reports"]), *_decided(run.record["decisions"]), *_read(run))


def opinion_from(known: Sequence[Any]) -> Opinion:
    """Return an opinion from its JSON.

    Raises:
        TypeError, ValueError: It is none.
    """
    report, score, *rest = known
    return Opinion(str(report), float(score), *map(str, rest))


def _stated(reports: Mapping[str, str]) -> Iterator[Opinion]:
    for stance in stances(reports):
        if stance.score is not None:
            yield Opinion(stance.section.key, stance.score)


def _decided(made: Mapping[str, Decision]) -> Iterator[Opinion]:
    for key in decisions()[:-1]:  # the last is the decision itself
        plan = made.get(key)
        if plan is not None and plan.action in SIDE:
            yield Opinion(key, SIDE[plan.action] * plan.confidence)


def _read(run: Run) -> Iterator[Opinion]:
    for report in sorted(run.readings):  # the analysts end in any order
        for row in run.readings[report]:
            yield Opinion(report, round(row.score, 2) + 0.0, row.metric, row.source)
