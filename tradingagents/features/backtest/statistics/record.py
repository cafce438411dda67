"""The result of a backtest as `result.json` holds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from tradingagents.analytics.performance.intervals import LEVEL
from tradingagents.analytics.performance.paired import POWER
from tradingagents.features.backtest.contamination.backtest_split import DisguiseCheck, KnowledgeSplit
from tradingagents.features.backtest.financing.bills import BillRecord
from tradingagents.features.backtest.score import StrategyScore
from tradingagents.features.backtest.statistics.breakdown import RegimeTable, ScorecardRow
from tradingagents.features.backtest.statistics.calls import CallQuality
from tradingagents.features.backtest.statistics.random_deciders import RandomDeciders
from tradingagents.features.backtest.statistics.repeats import RankedVariant, RepeatedDecisions
from tradingagents.features.backtest.statistics.selection import ChoiceCost
from tradingagents.files.json_text import plain


@dataclass(frozen=True, slots=True)
class DecisionCoverage:
    """How many of the wanted decisions there are."""

    wanted: int
    made: int
    no_decision: int
    failed: int
    share: float | None
    """Made of those wanted."""
    reasons: Mapping[str, int]
    """Why runs failed, and how many."""


@dataclass(frozen=True, slots=True)
class EdgePower:
    """What the test of the decisions against buy and hold at equal exposure could have seen."""

    smallest_edge: float
    """The smallest true yearly edge that it would have seen with probability `power`."""
    power: float = POWER
    level: float = LEVEL
    p_value: float = 1.0


@dataclass(frozen=True, slots=True)
class PlannedTest:
    """What the sealed plan expected."""

    made_at: str
    edge: float
    """The true yearly edge that the test was to see."""
    power: float
    """Probability to see it, as planned."""
    smallest_edge: float


@dataclass(frozen=True, slots=True)
class BacktestCosts:
    """What the models cost, in USD; None where the price of one is not known."""

    llm_usd: float | None
    """The decisions of the tested account, whoever paid for them."""
    all_usd: float | None
    """Those of all variants and repeats."""
    decided_now: int
    """Decisions that this backtest made; the others were stored."""


@dataclass(frozen=True, slots=True)
class VariantRecord:
    """How a variant decided."""

    models: Mapping[str, str]
    """`provider/model` by tier."""
    repeats: int
    coverage: DecisionCoverage
    """Of all its repeats."""
    cost_usd: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BacktestResult:
    """A finished backtest."""

    kind: Literal["backtest"] = "backtest"
    id: str
    request: Mapping[str, Any]
    models: Mapping[str, str]
    """`provider/model` by tier."""
    first_session: date
    last_session: date
    sessions: int
    decision_days: int
    currency: str
    funds: tuple[str, ...]
    """Funds with prices, which baselines hold."""
    bills: BillRecord | None = None
    """What cash earned, and what excess returns are beyond; None: nothing, and ratios are of plain returns."""
    strategies: Mapping[str, StrategyScore]
    """The tested account is `decisions`; the others are baselines."""
    decisions: CallQuality
    coverage: DecisionCoverage
    costs: BacktestCosts
    scorecard: tuple[ScorecardRow, ...]
    """Whose opinion was right: agents first, then single readings."""
    regimes: RegimeTable
    """How the tested account did in each state of the market."""
    power: EdgePower | None
    """None where there are too few sessions for a test."""
    choice: ChoiceCost
    """What is left of the result after all that was tried."""
    repeats: RepeatedDecisions
    ranking: tuple[RankedVariant, ...]
    """The variants, the best first; what noise may have ordered shares a rank."""
    variants: Mapping[str, VariantRecord]
    """Ways to decide, the tested one first. Other weights have the decisions of the tested one."""
    plan_hash: str | None
    """Hash of the plan that was sealed before; None: there was none."""
    planned: PlannedTest | None
    contamination: KnowledgeSplit | None
    """The results before and after the models' knowledge cut-off; None where no model remembers anything."""
    disguise: DisguiseCheck | None
    """None where nothing was decided under a disguise."""
    warnings: tuple[str, ...]
    random_deciders: RandomDeciders | None = None
    """The tested account among random deciders; None in results of versions without them."""

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        found: dict[str, Any] = plain(self)
        return found
