"""Checks that the orders of a ledger are what its decisions give: weights by the scheme, within the limits."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import date

import numpy as np
import pandas as pd

from tradingagents.features.backtest.audit.book_check import LedgerState
from tradingagents.features.backtest.audit.findings import AuditFinding
from tradingagents.features.backtest.audit.result_folder import LEDGER, AuditedDecision, RecordedBacktest
from tradingagents.features.backtest.audit.second.prices import SymbolHistory

RETURNS, LEAST_RETURNS = 120, 20
LEAST_TRADE = 0.0025
SLACK = 1e-9
HALF_CENT = 0.005
"""By which the value of a position that stays may have been rounded down."""
Weights = dict[str, float]


class OrderCheck:
    """Works the orders of each decision day out again."""

    def __init__(
        self,
        recorded: RecordedBacktest,
        histories: Mapping[str, SymbolHistory],
        sectors: Mapping[str, str | None],
        states: Mapping[date, LedgerState],
    ) -> None:
        """Prepare.

        Args:
            recorded: The folder.
            histories: Prices by symbol.
            sectors: Sector by ticker; None for unknown ones, which share a sector.
            states: The account before the orders of each session.
        """
        self._recorded, self._histories, self._sectors, self._states = recorded, histories, sectors, states
        self._limits = recorded.request["limits"]
        self._shorts: Mapping[str, float] = recorded.request.get("shorts") or {}
        self._forced = {
            session.day
            for session in recorded.sessions
            if any(posting.get("kind") == "margin_call" for posting in session.postings)
        }
        self._lines = {session.day: session.number for session in recorded.sessions}
        self.found: list[AuditFinding] = []

    def run(self) -> tuple[AuditFinding, ...]:
        """Compare the orders of every session with those that its decisions give."""
        made = self._recorded.by_day
        for day, state in self._states.items():
            if day in self._forced:  # orders after a margin call follow from no decision
                continue
            wanted = self._orders(day, state, made[day]) if day in made else {}
            given = {symbol: int(count) for symbol, count in state.orders.items()}
            if given != wanted:
                self._differ(day, given, wanted, made.get(day, {}), state)
        return tuple(self.found)

    def _differ(
        self, day: date, given: Mapping[str, int], wanted: Mapping[str, int], made: Mapping[str, AuditedDecision],
        state: LedgerState,
    ) -> None:  # fmt: skip
        where = f"{LEDGER} line {self._lines[day]}"
        for symbol in sorted({*given, *wanted}):
            own, due = given.get(symbol, 0), wanted.get(symbol, 0)
            if own == due or (abs(own - due) <= 1 and self._scheme != "confidence"):  # a share by rounding of weights
                continue
            action = made[symbol].action if symbol in made else ""
            if not made:
                kind = "order_without_decision"
            elif not due and action not in ("BUY", "SELL"):
                kind = "no_decision_traded"
            elif self._beyond_limits(day, state):
                kind = "limit_exceeded"
            else:
                kind = "orders_not_from_decisions"
            ordered = f"{own} shares ({action or 'no decision'})"
            self.found.append(AuditFinding(kind, where, f"{due} shares", ordered, "error", symbol, str(day)))

    @property
    def _scheme(self) -> str:
        return str(self._recorded.request["scheme"])

    def _beyond_limits(self, day: date, state: LedgerState) -> bool:
        """Tell whether the orders lead to weights beyond the limits."""
        closes = {symbol: self._histories[symbol].last_close(day) for symbol in {*state.book.shares, *state.orders}}
        worth = float(state.book.value(closes))
        aims = {
            symbol: float(state.book.held(symbol) + state.orders.get(symbol, 0)) * closes[symbol] / worth
            for symbol in closes
            if state.orders.get(symbol, 0) > 0  # what is only held may have grown
        }
        by_sector: Weights = {}
        for symbol in closes:
            sector = self._sectors.get(symbol) or "unknown"
            share = float(state.book.held(symbol) + state.orders.get(symbol, 0)) * closes[symbol] / worth
            by_sector[sector] = by_sector.get(sector, 0.0) + share
        count = sum(state.book.held(symbol) + state.orders.get(symbol, 0) > 0 for symbol in closes)
        return (
            any(weight > self._limits["max_position"] + SLACK for weight in aims.values())
            or any(weight > self._limits["max_sector"] + SLACK for weight in by_sector.values())
            or sum(by_sector.values()) > 1 - self._limits["min_cash"] + SLACK
            or count > self._limits["max_positions"]
        )

    def _orders(self, day: date, state: LedgerState, made: Mapping[str, AuditedDecision]) -> dict[str, int]:
        """Return the orders of a decision day."""
        book = state.book
        closes = {symbol: self._histories[symbol].last_close(day) for symbol in {*book.shares, *made}}
        worth = float(book.value({symbol: closes[symbol] for symbol in book.shares}))
        held = {symbol: round(float(count) * closes[symbol], 2) / worth for symbol, count in book.shares.items()}
        allowed = self._within_limits(self._targets(day, held, made))
        found: dict[str, int] = {}
        for symbol in sorted({*held, *allowed}):
            history, price = self._histories[symbol], closes[symbol]
            if math.isnan(price) or (history.gone_from is not None and day >= history.gone_from):
                continue
            aim = allowed.get(symbol, 0.0) * worth
            goal = math.trunc((aim + math.copysign(HALF_CENT, aim)) / price)
            change = goal - int(book.held(symbol))
            if change and not (goal and abs(round(change * price, 2)) < LEAST_TRADE * worth):
                found[symbol] = change
        return found

    def _targets(self, day: date, held: Weights, made: Mapping[str, AuditedDecision]) -> Weights:
        """Return the weights wanted: BUY by the scheme, SELL none or a short one, everything else as held."""
        bought = {ticker: made[ticker].confidence for ticker in sorted(made) if made[ticker].action == "BUY"}
        sold = {ticker for ticker in made if made[ticker].action == "SELL"}
        stay = {symbol: weight for symbol, weight in held.items() if symbol not in bought and symbol not in sold}
        left = max(0.0, 1 - self._limits["min_cash"] - sum(max(0.0, weight) for weight in stay.values()))
        sizes = self._sizes(day, bought, self._limits["max_position"])
        total = sum(sizes.values())
        factor = min(1.0, left / total) if self._scheme == "confidence" and total else left
        wanted = {**stay, **{ticker: size * factor for ticker, size in sizes.items()}}
        if self._shorts:
            closes = {ticker for ticker in sold if (made[ticker].whole["decision"] or {}).get("sell_means") == "close"}
            sure = {ticker: made[ticker].confidence for ticker in sorted(sold - closes)}
            wanted |= {ticker: -size for ticker, size in self._sizes(day, sure, self._shorts["max_short"]).items()}
        return wanted

    def _sizes(self, day: date, sure: Weights, largest: float) -> Weights:
        """Return the sizes of new positions by the scheme."""
        if not sure:
            return {}
        if self._scheme != "confidence":
            return self._by_risk(day, tuple(sure))
        sizes = {ticker: largest * confidence for ticker, confidence in sure.items()}
        total = sum(sizes.values())
        return {ticker: size / max(1.0, total) for ticker, size in sizes.items()}

    def _by_risk(self, day: date, symbols: Sequence[str]) -> Weights:
        equal = dict.fromkeys(symbols, 1 / len(symbols))
        if self._scheme == "equal":
            return equal
        closes = pd.DataFrame({symbol: self._histories[symbol].bars["adjusted"] for symbol in symbols}).loc[:day]
        returns = closes.tail(RETURNS + 1).dropna().pct_change().iloc[1:]
        if len(returns) < LEAST_RETURNS:
            return equal
        deviations = returns.std()
        if self._scheme == "hrp" and len(symbols) > 1 and (deviations > 0).all():
            return _risk_parity(returns)
        moving = deviations[deviations > 0]
        if moving.empty:
            return equal
        inverse = 1 / deviations.where(deviations > 0, moving.min())
        return {str(symbol): float(weight) for symbol, weight in (inverse / inverse.sum()).items()}

    def _within_limits(self, weights: Weights) -> Weights:
        """Return weights within the limits: number, position, sector, exposure, cash with the margin."""
        limits, shorts = self._limits, self._shorts
        ranked = sorted(
            (symbol for symbol in weights if weights[symbol]), key=lambda symbol: (-abs(weights[symbol]), symbol)
        )
        ranked = [symbol for symbol in ranked if shorts or weights[symbol] > 0][: limits["max_positions"]]
        least = -shorts["max_short"] if shorts else 0.0
        allowed = {symbol: max(least, min(weights[symbol], limits["max_position"])) for symbol in ranked}
        for sector in {self._sectors.get(symbol) or "unknown" for symbol in allowed}:
            members = [symbol for symbol in allowed if (self._sectors.get(symbol) or "unknown") == sector]
            _shrink(allowed, members, limits["max_sector"])
        if shorts:
            _shrink(allowed, list(allowed), shorts["max_gross"])
            _balance(allowed, shorts["min_net"], shorts["max_net"])
        _shrink(allowed, list(allowed), 1 - limits["min_cash"], shorts["initial_margin"] if shorts else 1.0)
        return allowed


def _shrink(weights: Weights, members: Sequence[str], most: float, of_short: float = 1.0) -> None:
    """Reduce members so that long ones and a part of short ones sum to `most` at most."""
    total = math.fsum(weights[symbol] if weights[symbol] > 0 else -of_short * weights[symbol] for symbol in members)
    if total > most * (1 + 1e-12):
        for symbol in members:
            weights[symbol] *= most / total


def _balance(weights: Weights, least: float, most: float) -> None:
    """Reduce the larger side to the limits of the difference between long and short."""
    bought = math.fsum(weight for weight in weights.values() if weight > 0)
    sold = -math.fsum(weight for weight in weights.values() if weight < 0)
    longs, shorts = (
        [symbol for symbol in weights if weights[symbol] > 0],
        [symbol for symbol in weights if weights[symbol] < 0],
    )
    if bought - sold > most and bought:
        for symbol in longs:
            weights[symbol] *= max(0.0, most + sold) / bought
    elif bought - sold < least and sold:
        for symbol in shorts:
            weights[symbol] *= max(0.0, bought - least) / sold


def _risk_parity(returns: pd.DataFrame) -> Weights:
    """Return hierarchical risk parity by recursion over the clusters' order (López de Prado, 2016)."""
    covariance = returns.cov()
    distance = np.sqrt(np.clip((1 - returns.corr().to_numpy()) / 2, 0, 1))
    between = np.sqrt(np.square(distance[:, None, :] - distance[None, :, :]).sum(axis=2))
    order = [returns.columns[place] for place in _joined(between)]

    def spread(group: Sequence[str]) -> float:
        part = covariance.loc[list(group), list(group)].to_numpy()
        weights = 1 / np.diag(part)
        weights = weights / weights.sum()
        return float(weights @ part @ weights)

    def split(group: Sequence[str], weight: float) -> Weights:
        if len(group) == 1:
            return {str(group[0]): weight}
        left, right = group[: len(group) // 2], group[len(group) // 2 :]
        risk, other = spread(left), spread(right)
        share = 1 - risk / (risk + other)
        return split(left, weight * share) | split(right, weight * (1 - share))

    return split(order, 1.0)


def _joined(between: np.ndarray) -> list[int]:
    """Return columns in the order in which single linkage joins them."""
    groups = [[place] for place in range(len(between))]
    while len(groups) > 1:
        pairs = [(first, other) for first in range(len(groups)) for other in range(first + 1, len(groups))]
        first, other = min(pairs, key=lambda pair: min(between[a, b] for a in groups[pair[0]] for b in groups[pair[1]]))
        groups[first] = groups[first] + groups.pop(other)
    return groups[0]
