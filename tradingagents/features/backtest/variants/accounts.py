"""Trades the decisions of all variants, and the baselines, in accounts of the same market, and scores them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

import numpy as np

from tradingagents.analytics.holdings.weights import Scheme
from tradingagents.dataflows.models import Floats
from tradingagents.features.backtest.advance import AccountRules, Targets
from tradingagents.features.backtest.decisions.decide import DecisionSet
from tradingagents.features.backtest.exits import PlannedLevels, planned_levels
from tradingagents.features.backtest.market import BacktestMarket
from tradingagents.features.backtest.score import Account, StrategyScore, by_day, run_account, score_account
from tradingagents.features.backtest.statistics.repeats import RankedVariant, RepeatedDecisions, ranked, repeated
from tradingagents.features.backtest.statistics.selection import ChoiceCost, Looks, cost_of_choice
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
        found: Floats = np.mean(
            [account.excess - account.excess_matched(held) for account in self.repeats[name]], axis=0
        )
        return found


def trade_variants(
    request: BacktestRequest, market: BacktestMarket, variants: Mapping[str, DecidedVariant]
) -> TradedVariants:
    """Take every strategy's account through the sessions."""
    tested, made = variants[DECISIONS], {name: _decisions(variant.runs[0]) for name, variant in variants.items()}
    limited = tested_rules(request, market)

    def trade(decisions: Decisions, scheme: Scheme, rules: AccountRules = limited) -> Account:
        targets = decision_targets(decisions, scheme, request.limits, market.table, request.shorts)
        return _run(market, targets, rules)

    def every(variant: DecidedVariant, scheme: Scheme) -> tuple[Account, ...]:
        own = {number: _decisions(run) for number, run in enumerate(variant.runs)}
        return tuple(
            trade(
                own[number],
                scheme,
                replace(limited, charges=model_charges(run, market), levels=_levels(request, own[number])),
            )
            for number, run in enumerate(variant.runs)
        )

    repeats = {name: every(variant, request.scheme) for name, variant in variants.items()}
    repeats |= {f"weights_{scheme}": every(tested, scheme) for scheme in other_schemes(request)}
    open_rules = AccountRules(request.deposit, request.costs, OPEN, foreign=market.foreign, bills=market.bills)
    accounts = {
        **{name: accounts[0] for name, accounts in repeats.items()},
        "always_buy": trade(always_bought(market), request.scheme),
        **{name: _run(market, targets, open_rules) for name, targets in baseline_targets(market).items()},
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
            account,
            held if name != HELD else None,
            traded.alone.get(name),
            fund=fund if name != BENCHMARK else None,
        )
        for name, account in traded.accounts.items()
    }


def choice_cost(request: BacktestRequest, traded: TradedVariants, scores: Scores, looks: Looks) -> ChoiceCost:
    """Discount the tested result for all variants, here and in the looks at the same idea.

    The offline analysts and the disguise are no trials.
    """
    tried = {name: accounts for name, accounts in traded.repeats.items() if name not in (OFFLINE, DISGUISED)}
    trials = {name: (accounts[0].excess, traded.gap(name)) for name, accounts in tried.items()}
    returns = {name: account.excess for name, account in traded.accounts.items()}
    tickers = {name: score.ci_equal_exposure for name, score in scores[DECISIONS].tickers.items()}
    others = looks.ledgers - {scores[name].ledger for name in tried}
    cost = cost_of_choice(trials, returns, tickers, request.trials, len(tried) + len(others))
    return replace(cost, looks=len(looks.counted), nearest=looks.nearest, elsewhere=looks.elsewhere)


def repeats_and_ranks(
    variants: Mapping[str, DecidedVariant], traded: TradedVariants
) -> tuple[RepeatedDecisions, tuple[RankedVariant, ...]]:
    """Compare the repeats of the tested variant, and rank all variants above the noise."""
    held, tested = traded.accounts[HELD], variants[DECISIONS]
    runs = [{case: stored.decision for case, stored in run.found.items()} for run in tested.runs]
    own = repeated(
        runs,
        [account.excess - account.excess_matched(held) for account in traded.repeats[DECISIONS]],
        rules=tested.rules,
    )
    return own, ranked({name: traded.gap(name) for name in traded.repeats}, own.noise_floor)


def other_schemes(request: BacktestRequest) -> list[Scheme]:
    """Return the weightings that are tried beside the tested one."""
    return [scheme for scheme in dict.fromkeys(request.schemes) if scheme != request.scheme]


def model_charges(found: DecisionSet, market: BacktestMarket) -> dict[date, float]:
    """Return the cost of the models by day, in the account's currency at the rates known then.

    Raises:
        NoData: A rate is not known.
    """
    spent: dict[date, float] = {}
    for (_, day), stored in found.found.items():
        spent[day] = spent.get(day, 0.0) + (stored.cost_usd or 0.0)
    return {day: market.charge(usd, day) for day, usd in spent.items()}


def _levels(request: BacktestRequest, decisions: Decisions) -> PlannedLevels | None:
    """Return the stops and targets that an account of decisions follows; None, as of baselines, for none."""
    return planned_levels(decisions, shorts=request.shorts is not None) if request.exits == "plan" else None


def _alone(
    market: BacktestMarket, request: BacktestRequest, made: Mapping[str, Decisions], rules: AccountRules
) -> dict[str, dict[str, StrategyScore]]:
    """Return the scores of accounts that hold one ticker, by strategy and ticker; models are charged to the book."""
    found: dict[str, dict[str, StrategyScore]] = {}
    long_only = replace(request, shorts=None)
    levels = {name: _levels(long_only, decisions) for name, decisions in made.items()}
    for ticker in market.tickers:
        accounts = {
            name: _run(market, all_in_targets(decisions, ticker), replace(rules, levels=levels[name]))
            for name, decisions in made.items()
        }
        accounts |= {name: _run(market, targets, rules) for name, targets in ticker_targets(market, ticker).items()}
        for name, account in accounts.items():
            score = score_account(account, accounts[HELD] if name != HELD else None)
            found.setdefault(name, {})[ticker] = score
    return found


def _run(market: BacktestMarket, targets: Targets, rules: AccountRules) -> Account:
    return run_account(market.table, market.days, rules, targets)


def _decisions(run: DecisionSet) -> Decisions:
    return by_day({case: stored.decision for case, stored in run.found.items()})


def coverage_of(runs: Sequence[DecisionSet]) -> tuple[int, float | None]:
    """Return how many decisions were made now, and what all of them cost; None where that is not known."""
    costs = [run.cost_usd for run in runs]
    known = [cost for cost in costs if cost is not None]
    return sum(run.decided for run in runs), sum(known) if len(known) == len(costs) else None
