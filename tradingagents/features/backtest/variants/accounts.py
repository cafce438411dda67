"""Trades the decisions of all variants, and the baselines, in accounts of the same market, and scores them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

import numpy as np

from tradingagents.dataflows.models import Floats
from tradingagents.features.backtest.advance import AccountRules, Targets
from tradingagents.features.backtest.decide import DecisionSet
from tradingagents.features.backtest.exits import PlannedLevels, planned_levels
from tradingagents.features.backtest.market import BacktestMarket
from tradingagents.features.backtest.score import Account, StrategyScore, by_day, run_account, score_account
from tradingagents.features.backtest.statistics.looks import Looks
from tradingagents.features.backtest.statistics.repeats import RankedVariant, RepeatedDecisions, ranked, repeated
from tradingagents.features.backtest.statistics.selection import ChoiceCost, cost_of_choice
from tradingagents.features.backtest.strategies import (
    BENCHMARK,
    DECISIONS,
    HELD,
    OPEN,
    Decisions,
    all_in_targets,
    always_bought,
    baseline_targets,
    decision_targets,
    ticker_targets,
)
from tradingagents.features.backtest.variants.ablations import OFFLINE
from tradingagents.features.backtest.variants.decided import DISGUISED, DecidedVariant
from tradingagents.features.backtest.weights import Scheme

if TYPE_CHECKING:
    from tradingagents.features.backtest.request import BacktestRequest

Scores = Mapping[str, StrategyScore]


@dataclass(frozen=True, slots=True)
class TradedVariants:
    """All accounts of a backtest."""

    accounts: Mapping[str, Account]
    """By strategy: the tested one first, its variants, then baselines. Of repeated variants the first repeat."""
    repeats: Mapping[str, tuple[Account, ...]]
    """Every repeat's account of each variant, those of other weights included."""
    alone: Mapping[str, Scores]
    """Scores on one ticker alone, by strategy and ticker."""

    def gap(self, name: str) -> Floats:
        """Return a variant's daily returns beyond buy and hold at equal exposure, averaged over its repeats."""
        held = self.accounts[HELD]
        found: Floats = np.mean([one.excess - one.excess_matched(held) for one in self.repeats[name]], axis=0)
        return found


def trade_variants(
    request: BacktestRequest, market: BacktestMarket, variants: Mapping[str, DecidedVariant]
) -> TradedVariants:
    """Take every strategy's account through the sessions."""
    tested, made = variants[DECISIONS], {name: _decisions(one.runs[0]) for name, one in variants.items()}
    limited = tested_rules(request, market)

    def trade(decisions: Decisions, scheme: Scheme, rules: AccountRules = limited) -> Account:
        targets = decision_targets(decisions, scheme, request.limits, market.table, request.shorts)
        return _run(market, targets, rules)

    def every(one: DecidedVariant, scheme: Scheme) -> tuple[Account, ...]:
        own = {number: _decisions(run) for number, run in enumerate(one.runs)}
        return tuple(
            trade(
                own[number],
                scheme,
                replace(limited, charges=model_charges(run, market), levels=_levels(request, own[number])),
            )
            for number, run in enumerate(one.runs)
        )

    repeats = {name: every(one, request.scheme) for name, one in variants.items()}
    repeats |= {f"weights_{scheme}": every(tested, scheme) for scheme in other_schemes(request)}
    open_rules = AccountRules(request.deposit, request.costs, OPEN, foreign=market.foreign, bills=market.bills)
    accounts = {
        **{name: one[0] for name, one in repeats.items()},
        "always_buy": trade(always_bought(market), request.scheme),
        **{name: _run(market, one, open_rules) for name, one in baseline_targets(market).items()},
    }
    return TradedVariants(accounts, repeats, _alone(market, request, made, open_rules))


def tested_rules(request: BacktestRequest, market: BacktestMarket) -> AccountRules:
    """Return what the tested account obeys, without the cost of the models."""
    return AccountRules(
        *(request.deposit, request.costs, request.limits, market.sectors),
        shorts=request.shorts,
        foreign=market.foreign,
        bills=market.bills,
    )


def score_variants(traded: TradedVariants) -> dict[str, StrategyScore]:
    """Measure every account against buy and hold."""
    held, fund = traded.accounts[HELD], traded.accounts.get(BENCHMARK)
    return {
        name: score_account(
            one,
            held if name != HELD else None,
            traded.alone.get(name),
            fund=fund if name != BENCHMARK else None,
        )
        for name, one in traded.accounts.items()
    }


def choice_cost(request: BacktestRequest, traded: TradedVariants, scores: Scores, looks: Looks) -> ChoiceCost:
    """Discount the tested result for all variants, here and in the looks at the same idea.

    The offline analysts and the disguise are no trials.
    """
    tried = {name: one for name, one in traded.repeats.items() if name not in (OFFLINE, DISGUISED)}
    trials = {name: (one[0].excess, traded.gap(name)) for name, one in tried.items()}
    returns = {name: one.excess for name, one in traded.accounts.items()}
    tickers = {name: one.ci_equal_exposure for name, one in scores[DECISIONS].tickers.items()}
    others = looks.ledgers - {scores[name].ledger for name in tried}
    cost = cost_of_choice(trials, returns, tickers, request.trials, len(tried) + len(others))
    return replace(cost, looks=len(looks.counted), nearest=looks.nearest, elsewhere=looks.elsewhere)


def repeats_and_ranks(
    variants: Mapping[str, DecidedVariant], traded: TradedVariants
) -> tuple[RepeatedDecisions, tuple[RankedVariant, ...]]:
    """Compare the repeats of the tested variant, and rank all variants above the noise."""
    held, tested = traded.accounts[HELD], variants[DECISIONS]
    runs = [{one: stored.decision for one, stored in run.found.items()} for run in tested.runs]
    own = repeated(
        runs, [one.excess - one.excess_matched(held) for one in traded.repeats[DECISIONS]], rules=tested.rules
    )
    return own, ranked({name: traded.gap(name) for name in traded.repeats}, own.noise_floor)


def other_schemes(request: BacktestRequest) -> list[Scheme]:
    """Return the weightings that are tried beside the tested one."""
    return [one for one in dict.fromkeys(request.schemes) if one != request.scheme]


def model_charges(found: DecisionSet, market: BacktestMarket) -> dict[date, float]:
    """Return the cost of the models by day, in the account's currency at the rates known then.

    Raises:
        NoData: A rate is not known.
    """
    spent: dict[date, float] = {}
    for (_, day), one in found.found.items():
        spent[day] = spent.get(day, 0.0) + (one.cost_usd or 0.0)
    return {day: market.charge(usd, day) for day, usd in spent.items()}


def _levels(request: BacktestRequest, decisions: Decisions) -> PlannedLevels | None:
    """Return the stops and targets that an account of decisions follows; None, as of baselines, for none."""
    return planned_levels(decisions, shorts=request.shorts is not None) if request.exits == "plan" else None


def _alone(
    market: BacktestMarket, request: BacktestRequest, made: Mapping[str, Decisions], rules: AccountRules
) -> dict[str, dict[str, StrategyScore]]:
    """Return the scores of accounts that hold one ticker, by strategy and ticker; models are charged to the book."""
    found: dict[str, dict[str, StrategyScore]] = {}
    levels = {name: _levels(replace(request, shorts=None), one) for name, one in made.items()}  # never short
    for ticker in market.tickers:
        accounts = {
            name: _run(market, all_in_targets(one, ticker), replace(rules, levels=levels[name]))
            for name, one in made.items()
        }
        accounts |= {name: _run(market, one, rules) for name, one in ticker_targets(market, ticker).items()}
        for name, one in accounts.items():
            score = score_account(one, accounts[HELD] if name != HELD else None)
            found.setdefault(name, {})[ticker] = score
    return found


def _run(market: BacktestMarket, targets: Targets, rules: AccountRules) -> Account:
    return run_account(market.table, market.days, rules, targets)


def _decisions(run: DecisionSet) -> Decisions:
    return by_day({one: stored.decision for one, stored in run.found.items()})


def coverage_of(runs: Sequence[DecisionSet]) -> tuple[int, float | None]:
    """Return how many decisions were made now, and what all of them cost; None where that is not known."""
    costs = [one.cost_usd for one in runs]
    known = [one for one in costs if one is not None]
    return sum(one.decided for one in runs), sum(known) if len(known) == len(costs) else None
