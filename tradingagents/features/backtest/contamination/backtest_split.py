"""What a backtest's result says of memory: before and after the models' cut-off, under a disguise, and in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np

from tradingagents.analytics.performance import PairedTest, Performance, paired_test, performance
from tradingagents.analytics.performance.intervals import ObservedShare
from tradingagents.analytics.performance.paired import untested_because
from tradingagents.features.backtest.contamination.verdict import agreement
from tradingagents.features.backtest.decisions.decide import DecisionSet
from tradingagents.features.backtest.market import BacktestMarket
from tradingagents.features.backtest.score import Account, by_day
from tradingagents.features.backtest.statistics.calls import CallQuality, call_quality
from tradingagents.features.backtest.strategies import Decisions
from tradingagents.features.backtest.traded_prices import TradedPrices
from tradingagents.llm_clients.known_models import READ_ON, Knowledge, ModelKnowledge

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


@dataclass(frozen=True, slots=True)
class DisguiseCheck:
    """Decisions under a disguise, on the same tickers and days."""

    same: Mapping[str, float | int | None]
    """Decided as without the disguise: `count`, `of`, `share`."""
    by_chance: float
    """How many would be the same by chance, with the same mix of actions on each day."""
    beyond_chance: bool
    """Whether chance seldom gives as many."""
    decisions: CallQuality
    """Of the disguised decisions, against the real prices."""


def disguise_check(plain: DecisionSet, hidden: DecisionSet, market: BacktestMarket) -> DisguiseCheck:
    """Compare the decisions of a backtest with those under a disguise.

    Args:
        plain: As they are.
        hidden: Under the disguise.
        market: What they are measured on.
    """
    both = plain.found.keys() & hidden.found.keys()
    same = sum(plain.found[case].decision.action == hidden.found[case].decision.action for case in both)
    made = by_day({case: stored.decision for case, stored in hidden.found.items()})
    chance = agreement(
        [(str(case[1]), plain.found[case].decision.action, hidden.found[case].decision.action) for case in both]
    )
    return DisguiseCheck(
        same=ObservedShare(same, len(both)).to_json(),
        by_chance=chance.by_chance,
        beyond_chance=chance.beyond_chance,
        decisions=call_quality(made, market.table, market.days[-1]),
    )


def contamination_section(record: Mapping[str, Any]) -> str:
    """Return the table before and after the cut-off, and the comparison with the disguise; empty where neither is.

    Args:
        record: The result as JSON.
    """
    split, disguise = record["contamination"], record["disguise"]
    parts = [] if split is None else [_cutoffs(split), _table(split)]
    if disguise is not None:
        parts.append(_disguise_line(disguise, record["decisions"]))
    return "\n\n".join(part for part in parts if part)


def _cutoffs(split: Mapping[str, Any]) -> str:
    said = [f"{model['label']}: {model['cutoff'] or 'not known'}" for model in split["models"] if model["remembers"]]
    return f"Trained until: {'; '.join(said)}."


def _table(split: Mapping[str, Any]) -> str:
    lines = [
        "| Sessions | First | Last | Calls | Right | Brier score | Return | Gap at equal exposure, a year |",
        "|---|---|---|---:|---:|---:|---:|---:|",
    ]
    for name, key in (("Up to the cut-off", "before"), ("After it", "after")):
        if (side := split[key]) is not None:
            made, gap = side["decisions"], side["ci_equal_exposure"]
            total = None if side["performance"] is None else side["performance"]["total_return"]
            shown = (
                "" if gap is None else f"{_share(gap['difference'])} ({_share(gap['low'])} to {_share(gap['high'])})"
            )
            brier = "-" if made["brier"] is None else f"{made['brier']:.2f}"
            figures = (str(made["calls"]), _share(made["hit_rate"]), brier, _share(total), shown)
            lines.append(f"| {name} | {side['first_session']} | {side['last_session']} | {' | '.join(figures)} |")
    lost = split["edge_lost"]
    said = [] if lost is None else [f"Edge lost after the cut-off: {_share(lost)} a year."]
    return "\n\n".join(["\n".join(lines), *_untested(split), *said])


def _untested(split: Mapping[str, Any]) -> Iterator[str]:
    """Say why the gap of a part has no test."""
    first = "after" if split["before"] is None else "before"  # nothing is held during the first session of all
    for name, key in (("up to the cut-off", "before"), ("after it", "after")):
        if (side := split[key]) is not None and side["ci_equal_exposure"] is None:
            yield f"No gap is tested {name}: {untested_because(side['sessions'] - (key == first))}."


def _disguise_line(disguise: Mapping[str, Any], plain: Mapping[str, Any]) -> str:
    same, hidden = disguise["same"], disguise["decisions"]
    return (
        f"Under other names, years and levels, {same['count']} of {same['of']} decisions were the same "
        f"({_share(same['share'])}){_chance(disguise)}. Right about the direction: "
        f"{_share(plain['hit_rate'])} as they are, {_share(hidden['hit_rate'])} disguised."
    )


def _chance(disguise: Mapping[str, Any]) -> str:
    """Return what chance gives; empty for results of earlier versions, which did not count it."""
    by_chance = disguise.get("by_chance")
    if by_chance is None:
        return ""
    if disguise["beyond_chance"]:
        return f", by chance {by_chance:.1f} would be"
    return f", by chance {by_chance:.1f} would be: that says nothing for or against memory"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f} %"
