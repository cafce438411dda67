"""Results before and after the models' knowledge cut-off: what a model may remember, and what it cannot."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np

from tradingagents.analytics.performance import PairedTest, Performance, paired_test, performance
from tradingagents.features.backtest.score import Account
from tradingagents.features.backtest.statistics.calls import CallQuality, call_quality
from tradingagents.features.backtest.strategies import Decisions
from tradingagents.features.backtest.traded_prices import TradedPrices
from tradingagents.llm_clients.knowledge import Knowledge, ModelKnowledge
from tradingagents.llm_clients.known_models import READ_ON

LEAST_RETURNS = 2


@dataclass(frozen=True, slots=True)
class PeriodScore:
    """What became of the sessions on one side of the cut-off."""

    first_session: date
    last_session: date
    sessions: int
    decisions: CallQuality
    """Of the decisions made on these sessions, whenever their outcome was known."""
    performance: Performance | None
    """Of the tested account; None for fewer than two returns."""
    ci_equal_exposure: PairedTest | None
    """Against buy and hold at the same exposure; None for too few sessions."""


@dataclass(frozen=True, slots=True)
class KnowledgeSplit:
    """A backtest's results, split by what its models may know."""

    models: tuple[ModelKnowledge, ...]
    cutoff: date | None
    """Latest cut-off of the models; None where one is not known: then all sessions count as `before`."""
    before: PeriodScore | None
    """Sessions up to the cut-off, whose outcome a model may have been trained on; None: there are none."""
    after: PeriodScore | None
    """Sessions after it; None: there are none."""
    edge_lost: float | None
    """Yearly edge at equal exposure before the cut-off less that after it; None where one is not known. A model that
    remembers loses its edge there."""


def knowledge_split(
    knowledge: Knowledge, tested: Account, held: Account, decisions: Decisions, table: TradedPrices
) -> KnowledgeSplit | None:
    """Split the results of a backtest at the latest knowledge cut-off of its models.

    Args:
        knowledge: Of the models that decided.
        tested: The account of the decisions.
        held: The account of buy and hold over the same sessions.
        decisions: By day and ticker.
        table: Prices.

    Returns:
        The split; None where no model remembers anything.
    """
    if not knowledge.remembers:
        return None
    known = np.array([knowledge.may_know(day) for day in tested.days])
    before, after = (_period(tested, held, decisions, table, part) for part in (known, ~known))
    edges = [side.ci_equal_exposure for side in (before, after) if side is not None]
    lost = None
    if len(edges) == 2 and edges[0] is not None and edges[1] is not None:
        lost = edges[0].difference - edges[1].difference
    return KnowledgeSplit(knowledge.models, knowledge.cutoff, before, after, lost)


def _period(
    tested: Account, held: Account, decisions: Decisions, table: TradedPrices, part: np.ndarray
) -> PeriodScore | None:
    days = [day for day, inside in zip(tested.days, part, strict=True) if inside]
    if not days:
        return None
    inside = part[1:]
    returns, excess, matched = tested.returns[inside], tested.excess[inside], tested.excess_matched(held)[inside]
    enough = len(returns) >= LEAST_RETURNS
    return PeriodScore(
        first_session=days[0],
        last_session=days[-1],
        sessions=len(days),
        decisions=call_quality(decisions, table, tested.days[-1], only=days),
        performance=performance(returns, risk_free=returns - excess) if enough else None,
        ci_equal_exposure=paired_test(excess, matched) if enough else None,
    )


def knowledge_warning(split: KnowledgeSplit) -> str:
    """Say how much of a backtest its models may remember."""
    if split.cutoff is None:
        unknown = ", ".join(model.label for model in split.models if model.remembers and model.cutoff is None)
        return (
            f"It is not known until when {unknown} was trained (the table of models is of {READ_ON}): every session "
            "may be remembered. Name the day with knowledge_cutoffs."
        )
    of = (split.before.sessions if split.before else 0) + (split.after.sessions if split.after else 0)
    if split.before is None:
        return f"All {of} sessions lie after {split.cutoff}, the latest knowledge cut-off of the models."
    rest = "no session tests them" if split.after is None else "only the sessions after it test them"
    return (
        f"{split.before.sessions} of {of} sessions lie on or before {split.cutoff}, the latest knowledge cut-off of "
        f"the models, which may remember what happened: {rest}."
    )
