"""Runs a backtest: prices, decisions, accounts, scores, and the record of it all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, timedelta
from typing import Any

from tradingagents.agents.schemas import Decision
from tradingagents.analytics.price.trading_rules import RULES
from tradingagents.backtest.advance import AccountRules, Targets
from tradingagents.backtest.broker import TradingCosts
from tradingagents.backtest.decide import DecisionSet, Tell, Wanted, decide
from tradingagents.backtest.decision_store import StoredDecision
from tradingagents.backtest.limits import RiskLimits
from tradingagents.backtest.score import Account, by_day, call_quality, run_account, score_account
from tradingagents.backtest.strategies import (
    OPEN,
    Decisions,
    constant_targets,
    decision_targets,
    month_starts,
    rule_targets,
    shuffled,
)
from tradingagents.backtest.traded_prices import TradedPrices
from tradingagents.backtest.weights import Scheme
from tradingagents.dataflows.cutoff import utc_now
from tradingagents.dataflows.gateway.router import ask_vendors
from tradingagents.dataflows.instrument import BENCHMARKS
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.calendar import Sessions, exchange_of, sessions
from tradingagents.dataflows.reference.sectors import SECTOR_ETF
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.dataflows.vendor import Vendor
from tradingagents.errors import DataError, NoData, UsageError, VendorNotConfigured
from tradingagents.runtime.fingerprint import digest
from tradingagents.runtime.services import Services

AFTER_END = timedelta(days=30)
"""Prices are read so far beyond the end, to tell a delisting from the end; no account and no decision sees them."""
BONDS = ("AGG", "BND", "IEF", "TLT")
"""Bond funds of the 60/40 baseline, the first with prices counts."""
DECISIONS, HELD, RANDOM_SEED = "decisions", "buy_and_hold", 20260101
MOST_DECISIONS = 100_000
SURVIVORSHIP = (
    "The tickers were chosen by someone who knows which companies still exist: survivorship flatters every strategy "
    "here, buy and hold included."
)
_RULES = ("offline/", "scripted/")
"""Labels of models that remember nothing."""


@dataclass(frozen=True, kw_only=True)
class BacktestRequest:
    """What to test."""

    tickers: tuple[str, ...]
    start: date
    end: date
    every: int = 5
    """Sessions from one decision to the next."""
    scheme: Scheme = "confidence"
    deposit: float = 100_000.0
    costs: TradingCosts = field(default_factory=TradingCosts)
    limits: RiskLimits = field(default_factory=RiskLimits)

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        plain = asdict(self)
        return {**plain, "tickers": list(self.tickers), "start": str(self.start), "end": str(self.end)}


@dataclass(frozen=True)
class Backtest:
    """A finished backtest."""

    record: Mapping[str, Any]
    """As `result.json` holds it."""
    accounts: Mapping[str, Account]
    """By strategy; `decisions` is the one that was tested."""
    decided: Mapping[Wanted, StoredDecision]
    """The decisions, by ticker and day."""
    table: TradedPrices
    """Prices of the tickers and funds, from before the start on."""
    missing: Mapping[Wanted, str]
    """Why there is no decision, by ticker and day."""


@dataclass(frozen=True, slots=True)
class _Market:
    table: TradedPrices
    prices: Mapping[str, Prices]
    """Of the tickers, from before the start on."""
    funds: Mapping[str, Prices]
    days: tuple[date, ...]
    """Sessions of the backtest."""
    warnings: tuple[str, ...]


async def backtest(services: Services, request: BacktestRequest, *, tell: Tell = lambda _done, _all: None) -> Backtest:
    """Decide on past days, trade the decisions, and compare with baselines.

    Args:
        services: Settings, models and vendors.
        request: What to test.
        tell: Called after every decision.

    Raises:
        UsageError: The tickers, days or numbers cannot be tested.
        NoData: A ticker has no prices in the period.
        BudgetReached, Interrupted: Decisions made so far are stored; the same request goes on with them.
    """
    request, calendar = _checked(request)
    market = _market(services, request, calendar)
    on = market.days[:-1][:: request.every]  # a decision after the last close could not be traded
    found = await decide(services, request.tickers, on, tell=tell)
    decisions = by_day({one: stored.decision for one, stored in found.found.items()})
    charges, of_costs = _charges(found, market)
    rules = AccountRules(request.deposit, request.costs, request.limits, _sectors(services, request), charges=charges)
    accounts = _accounts(request, market, rules, decisions, on)
    quality = call_quality(decisions, market.table, market.days[-1])
    return Backtest(
        {
            **_about(services, request, market, accounts),
            "decisions": {**asdict(quality), "days": len(on)},
            "coverage": _coverage(found, request, on),
            "costs": {"llm_usd": found.cost_usd, "decided_now": found.decided},
            "power": _power(accounts),
            "warnings": [*market.warnings, *of_costs, *_doubts(services.models.labels, market)],
        },
        accounts,
        found.found,
        market.table,
        found.missing,
    )


def backtest_id(services: Services, request: BacktestRequest) -> str:
    """Return the name of a backtest's folder: its period, and a hash of request, settings and models."""
    from tradingagents.backtest.decision_store import DecisionStore

    key = DecisionStore(services).key("", request.start)
    return f"{request.start}-{request.end}-{digest({**request.to_json(), 'asked': key})[:12]}"


def _checked(request: BacktestRequest) -> tuple[BacktestRequest, Sessions]:
    tickers = tuple(dict.fromkeys(normalise(one) for one in request.tickers))
    exchanges = {exchange_of(one) for one in tickers}
    if len(exchanges) != 1:
        raise UsageError("A backtest needs one ticker at least, and all on exchanges with the same sessions.")
    calendar = sessions(exchanges.pop())
    if request.end > calendar.last_closed(utc_now()):
        raise UsageError(f"{request.end} has not closed; a backtest ends on {calendar.last_closed(utc_now())} at most.")
    days = calendar.between(request.start, request.end)
    if len(days) < 3 or request.every < 1:
        raise UsageError("A backtest needs three sessions at least, from start to end, and a decision every session.")
    if len(days) // request.every * len(tickers) > MOST_DECISIONS:
        raise UsageError(f"These are more than {MOST_DECISIONS} decisions; name fewer tickers or days.")
    if not request.deposit > 0:
        raise UsageError("The deposit must be positive.")
    return BacktestRequest(**{**vars(request), "tickers": tickers}), calendar


def _market(services: Services, request: BacktestRequest, calendar: Sessions) -> _Market:
    """Read the prices of tickers and funds, up to 30 days beyond the end."""
    first = request.start - timedelta(days=services.settings.price_history_days)
    last = min(calendar.last_closed(utc_now()), request.end + AFTER_END)
    prices = {one: _prices(services, one, first, last) for one in request.tickers}
    days, warnings = calendar.between(request.start, request.end), list[str]()
    for ticker, one in prices.items():
        known = one.since(request.start).upto(request.end)
        if not len(known):
            raise NoData(f"There are no prices of {ticker} from {request.start} to {request.end}; leave it out.")
        if known.days[0].item() > days[0]:
            warnings.append(f"The prices of {ticker} begin on {known.days[0].item()}, after the start.")
    currencies = {one.currency for one in prices.values()}
    if len(currencies) > 1:
        raise UsageError(f"The prices are in {', '.join(sorted(currencies))}; test one currency at a time.")
    funds = _funds(services, request, first, last)
    ends = max(one.days[-1].item() for one in (*prices.values(), *funds.values()))
    if ends < days[-1]:
        warnings.append(f"The recorded prices end on {ends}; the backtest ends there too.")
        days = tuple(day for day in days if day <= ends)
    adjusted = [one.symbol for one in (*prices.values(), *funds.values()) if one.basis == "fully_adjusted"]
    if adjusted:
        warnings.append(
            f"The prices of {', '.join(adjusted)} are adjusted for dividends: returns are right, numbers of shares and "
            "commissions are not."
        )
    table = TradedPrices({**funds, **prices}, calendar.between(first, max(ends, days[-1])))
    return _Market(table, prices, funds, days, tuple(warnings))


def _prices(services: Services, symbol: str, first: date, last: date) -> Prices:
    """Return the bars of a symbol that may have ended: accounts need those of companies that are gone, too."""
    vendors = services.vendors

    def ask(name: str) -> Prices:
        return vendors.ask(name, Vendor.get_stock_data, symbol, first, last)

    found, _ = ask_vendors(Vendor.get_stock_data, ask, settings=services.settings, vendors=vendors, past=last)
    return found.upto(last)


def _funds(services: Services, request: BacktestRequest, first: date, last: date) -> dict[str, Prices]:
    """Return the prices of the benchmark, a bond fund and the sector funds that the vendor has."""
    benchmark = services.settings.benchmark_ticker or BENCHMARKS.get(exchange_of(request.tickers[0]), "SPY")
    sectors = {SECTOR_ETF[one] for one in _sectors(services, request).values() if one in SECTOR_ETF}
    found = {}
    for symbol in dict.fromkeys([benchmark, *BONDS, *sorted(sectors)]):
        try:
            prices = _prices(services, symbol, first, last)
        except (DataError, VendorNotConfigured):
            continue
        if symbol not in request.tickers and len(prices.since(request.start).upto(request.end)):
            found[symbol] = prices
    return found


def _sectors(services: Services, request: BacktestRequest) -> dict[str, str | None]:
    data = MarketData(
        services.settings, request.end, vendors=services.vendors, cache=services.cache, memo=services.memo
    )
    profiles = {ticker: data.known_profile(ticker) for ticker in request.tickers}
    return {ticker: one.sector if one is not None else None for ticker, one in profiles.items()}


def _charges(found: DecisionSet, market: _Market) -> tuple[dict[date, float], list[str]]:
    """Return the cost of the models by day, and what a reader should know of it."""
    currency = next(iter(market.prices.values())).currency
    if currency != "USD":
        return {}, [f"The cost of the models is in USD, the account in {currency}; it is not charged."]
    charges: dict[date, float] = {}
    for (_, day), one in found.found.items():
        charges[day] = charges.get(day, 0.0) + (one.cost_usd or 0.0)
    unknown = sum(one.cost_usd is None for one in found.found.values())
    return charges, [f"The cost of {unknown} decisions is not known; it is not charged."] if unknown else []


def _accounts(
    request: BacktestRequest, market: _Market, rules: AccountRules, decisions: Decisions, on: Sequence[date]
) -> dict[str, Account]:
    table, days = market.table, market.days
    free = AccountRules(request.deposit, request.costs, OPEN, rules.sectors)
    equal = dict.fromkeys(request.tickers, 1 / len(request.tickers))
    bought = {day: dict.fromkeys(request.tickers, _BUY) for day in on}

    def followed(made: Decisions) -> Targets:
        return decision_targets(made, request.scheme, request.limits, table)

    limited = {
        DECISIONS: followed(decisions),
        "always_buy": followed(bought),
        "random": followed(shuffled(decisions, RANDOM_SEED)),
    }
    unlimited = {
        HELD: constant_targets(equal, days[:1]),
        "equal_weight": constant_targets(equal, month_starts(days)),
        **{name: rule_targets(name, market.prices) for name in RULES if name != HELD},
        **_fund_targets(market),
    }
    return {
        **{name: run_account(table, days, rules if name == DECISIONS else _free_of_models(rules), one)
           for name, one in limited.items()},
        **{name: run_account(table, days, free, one) for name, one in unlimited.items()},
    }  # fmt: skip


_BUY = Decision(action="BUY", confidence=0.5, rationale="always")


def _free_of_models(rules: AccountRules) -> AccountRules:
    return AccountRules(rules.deposit, rules.costs, rules.limits, rules.sectors, rules.least_trade)


def _fund_targets(market: _Market) -> dict[str, Targets]:
    """Return the targets of the funds that have prices: the benchmark, 60/40, and the sectors' funds."""
    funds, months = list(market.funds), month_starts(market.days)
    bonds = [one for one in BONDS if one in funds]
    sectors = [one for one in funds if one in SECTOR_ETF.values()]
    stocks = [one for one in funds if one not in BONDS and one not in sectors]
    found: dict[str, Targets] = {}
    if stocks:
        found["benchmark"] = constant_targets({stocks[0]: 1.0}, market.days[:1])
        if bonds:
            found["60_40"] = constant_targets({stocks[0]: 0.6, bonds[0]: 0.4}, months)
    if sectors:
        found["sector_funds"] = constant_targets(dict.fromkeys(sectors, 1 / len(sectors)), market.days[:1])
    return found


def _about(
    services: Services, request: BacktestRequest, market: _Market, accounts: Mapping[str, Account]
) -> dict[str, Any]:
    held = accounts[HELD]
    scores = {name: score_account(one, held if name != HELD else None) for name, one in accounts.items()}
    return {
        "kind": "backtest",
        "id": backtest_id(services, request),
        "request": request.to_json(),
        "models": services.models.labels,
        "first_session": market.days[0].isoformat(),
        "last_session": market.days[-1].isoformat(),
        "sessions": len(market.days),
        "currency": next(iter(market.prices.values())).currency,
        "funds": list(market.funds),
        "strategies": {name: one.to_json() for name, one in scores.items()},
    }


def _coverage(found: DecisionSet, request: BacktestRequest, on: Sequence[date]) -> dict[str, Any]:
    """Return how many of the wanted decisions there are. NO_DECISION is a run's answer and no decision."""
    wanted = len(request.tickers) * len(on)
    none = sum(one.decision.action == "NO_DECISION" for one in found.found.values())
    reasons: dict[str, int] = {}
    for why in found.missing.values():
        reasons[why] = reasons.get(why, 0) + 1
    made = len(found.found) - none
    share = made / wanted if wanted else None
    return {"wanted": wanted, "made": made, "no_decision": none, "failed": len(found.missing), "share": share,
            "reasons": reasons}  # fmt: skip


def _power(accounts: Mapping[str, Account]) -> dict[str, Any] | None:
    """Return what the test of the decisions against buy and hold at equal exposure could have seen."""
    paired = score_account(accounts[DECISIONS], accounts[HELD]).matched
    if paired is None:
        return None
    return {"smallest_edge": paired.smallest_edge, "power": 0.8, "level": 0.05, "p_value": paired.p_value}


def _doubts(labels: Mapping[Any, str], market: _Market) -> list[str]:
    """Return what speaks against the result before anybody reads it."""
    doubts = [SURVIVORSHIP]
    if len(market.days) < 252:
        doubts.append("The period is shorter than a year; annual figures are extrapolated.")
    if not all(label.startswith(_RULES) for label in labels.values()):
        doubts.append(
            "Language models may remember what happened in this period: days before a model's knowledge cut-off do "
            "not test it."
        )
    return doubts
