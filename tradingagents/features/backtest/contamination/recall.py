"""What a model remembers: it is asked about past prices without any data, and its answers are compared with them.

Answers on one day, and on one company, depend on each other: where most stocks rise, whoever says "higher" is right. So
the answers are held against themselves on other tickers and days, as random deciders are: the companies exchange their
whole answers, and all answers are rotated in time together. Who names one direction throughout gains nothing, and who
knows the direction of the market alone needs many days to be believed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Literal

import numpy as np
from langchain_core.messages import HumanMessage, SystemMessage
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from tradingagents.agents.model_calls import ModelCalls
from tradingagents.analytics.performance.intervals import ObservedShare
from tradingagents.dataflows.reference.calendar import exchange_of, sessions
from tradingagents.errors import ModelFailure
from tradingagents.features.backtest.contamination.disguises import identity
from tradingagents.features.backtest.market import BacktestMarket
from tradingagents.graph.evaluation.context import evaluation_context, market_as_of
from tradingagents.llm_clients.known_models import FORGETFUL
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.runtime.concurrency import as_they_end
from tradingagents.runtime.services import Services
from tradingagents.settings import Tier

HORIZON = 21
"""Sessions from the day to the one whose direction is asked."""
LEVEL = 0.05
"""How often a model without memory may be taken for one with it."""
DRAWS = 999
SEED = 20260101
CLOSE = 0.05
"""How near a recalled close has to be, as a fraction of the true one."""
SIGN = {"higher": 1, "lower": -1, "unknown": 0}
AGENT = "Recall Probe"
SYSTEM = (
    "You are asked what you remember about a past price, as a test of your memory. You are given no data. Answer from "
    "memory alone; say unknown, or leave the close out, where you do not remember. Do not guess."
)
QUESTION = (
    "Company: {name} ({ticker})\nDay: {day}\n\n1. Was the close {sessions} sessions after this day higher or lower "
    "than the close on this day?\n2. What was the close on this day, as it was traded then?"
)


class Recollection(BaseModel):
    """What you remember."""

    model_config = ConfigDict(frozen=True)

    direction: Literal["higher", "lower", "unknown"] = Field(
        description="higher or lower; unknown where you do not remember"
    )
    close: float | None = Field(None, gt=0, description="The close on the day; null where you do not remember")


@dataclass(frozen=True, slots=True)
class Recall:
    """What one model remembered."""

    model: str
    """`provider/model`."""
    asked: int
    directions: ObservedShare
    """Right about the direction, of those answered."""
    by_chance: float | None
    """The share of directions that the same answers have right on other tickers and days; None without answers."""
    p_value: float | None
    """How often that is as large as `directions`; None without answers."""
    closes: ObservedShare
    """Recalled within 5 %, of those answered."""
    failed: int
    """Questions that the model did not answer in the form asked."""

    @property
    def remembers(self) -> bool:
        """Whether directions were right more often than chance explains at 5 %."""
        return self.p_value is not None and self.p_value <= LEVEL


@dataclass(frozen=True, slots=True)
class RecallCase:
    """A question, and the true answer."""

    ticker: str
    day: date
    rose: bool
    close: float


async def recall(services: Services, market: BacktestMarket, cases: Sequence[tuple[str, date]]) -> tuple[Recall, ...]:
    """Ask each model of the settings that may remember anything about past prices, without data.

    Args:
        market: The true prices.
        cases: Tickers and days; those without a close on the day, or later, are left out.

    Raises:
        BudgetReached, Interrupted: Before a call.
    """
    known = [one for ticker, day in cases if (one := _case(market, ticker, day)) is not None]
    tiers: dict[str, Tier] = {label: tier for tier, label in services.models.labels.items()}
    meter = UsageMeter(services.settings)
    return tuple(
        [
            await _asked(services, tier, label, known, meter)
            for label, tier in tiers.items()
            if label.partition("/")[0] not in FORGETFUL
        ]
    )


async def _asked(
    services: Services, tier: Tier, label: str, cases: Sequence[RecallCase], meter: UsageMeter
) -> Recall:  # fmt: skip
    async def one(case: RecallCase) -> tuple[RecallCase, Recollection | None]:
        data = market_as_of(services, case.ticker, case.day)
        context = evaluation_context(services, data, f"recall-{case.ticker}-{case.day}", meter)
        calls = ModelCalls(context, AGENT, tier, services.models.of(tier))
        company = identity(services, case.ticker, case.day)
        question = QUESTION.format(name=company.name, ticker=case.ticker, day=case.day, sessions=HORIZON)
        try:
            return case, await calls.typed(Recollection, [SystemMessage(SYSTEM), HumanMessage(question)])
        except ModelFailure:
            return case, None

    jobs = [partial(one, case) for case in cases]
    answers = [ended async for ended in as_they_end(jobs, services.settings.max_concurrent_pipelines)]
    said = {case: answer for case, answer in answers if answer is not None}
    directions, by_chance, p_value = judged_directions(said)
    return Recall(
        model=label,
        asked=len(cases),
        directions=directions,
        by_chance=by_chance,
        p_value=p_value,
        closes=_closes(said),
        failed=len(cases) - len(said),
    )


def _case(market: BacktestMarket, ticker: str, day: date) -> RecallCase | None:
    calendar = sessions(exchange_of(ticker))
    until = calendar.after(day, HORIZON)
    close = market.table.close(ticker, day)
    moved = market.table.total_return(ticker, day, until)
    return None if close is None or not moved else RecallCase(ticker, day, moved > 0, close)


def judged_directions(said: Mapping[RecallCase, Recollection]) -> tuple[ObservedShare, float | None, float | None]:
    """Return the directions that are right, what share would be on other tickers and days, and how often as many."""
    days, tickers = (sorted({getattr(case, name) for case in said}) for name in ("day", "ticker"))
    answered, rose = (np.zeros((len(days), len(tickers)), dtype=np.int8) for _ in range(2))  # 0: not known
    for case, answer in said.items():
        place = days.index(case.day), tickers.index(case.ticker)
        answered[place], rose[place] = SIGN[answer.direction], 1 if case.rose else -1
    of = int((answered != 0).sum())
    right = int((answered * rose > 0).sum())
    if not of:
        return ObservedShare(0, 0), None, None
    random = np.random.default_rng(SEED)
    others = [_rearranged(answered, random) * rose > 0 for _ in range(DRAWS)]
    counts = np.array([hits.sum() for hits in others])
    return ObservedShare(right, of), float(counts.mean()) / of, (1 + int((counts >= right).sum())) / (1 + DRAWS)


def _rearranged(answered: NDArray[np.int8], random: np.random.Generator) -> NDArray[np.int8]:
    """Return answers of shape (days, tickers) with columns exchanged, and rows rotated."""
    days, tickers = answered.shape
    return np.roll(answered[:, random.permutation(tickers)], int(random.integers(days)), axis=0)


def _closes(said: Mapping[RecallCase, Recollection]) -> ObservedShare:
    closes = [(case.close, answer.close) for case, answer in said.items() if answer.close is not None]
    return ObservedShare(sum(abs(close / true - 1) <= CLOSE for true, close in closes), len(closes))
