"""Checks a result's figures: from the equity, the ledger, the decisions and the prices, with plain pandas."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np
import pandas as pd

from tradingagents.features.backtest.audit.findings import AuditFinding, Severity
from tradingagents.features.backtest.audit.result_folder import DECISIONS, EQUITY, RESULT, RecordedBacktest
from tradingagents.features.backtest.audit.second.baselines import HELD, Plans, days_of
from tradingagents.features.backtest.audit.second.book import SecondBook, SecondTrader, StatedCosts
from tradingagents.features.backtest.audit.second.prices import SymbolHistory
from tradingagents.features.backtest.audit.second.rates import SecondBills

YEAR = 252
MANY_DECISIONS = 20
"""So many alike are no chance: of a decider that says BUY on 85 of 100, one in 26 such runs are alike."""
CENT = 0.0101
TESTED = "decisions"
SIDES = {"BUY": 1, "SELL": -1}
LARGEST_OF_BILLS = 0.002
"""More than bills make over a weekend: accounts of cash alone look alike, shifted or not."""
BEYOND = ("sharpe", "sortino", "beyond_bills")
"""Figures that need the bill rates."""
ANNUAL = ("annual_return", "extrapolated_annual_return", "annual_volatility", "sharpe", "sortino", "calmar")


def check_metrics(recorded: RecordedBacktest, bills: SecondBills | None = None) -> Iterator[AuditFinding]:
    """Compare each strategy's figures with its column of the equity.

    Args:
        recorded: The folder.
        bills: What bills earned. Where the result knows bills and these are None, ratios are left out.
    """
    days = sorted(set(recorded.equity_rows))
    if list(recorded.equity_rows) != days:
        yield AuditFinding("halt_as_zero_return", EQUITY, "each session once, in order", "repeated or unordered days")
    first = recorded.record.get("first_session")
    if days and (str(days[0]) != first or str(days[-1]) != recorded.record.get("last_session")):
        early = str(days[0]) < str(recorded.request["start"])
        kind = "warm_up_counted" if early else "sessions_wrong"
        yield AuditFinding(
            kind, EQUITY, f"{first} to {recorded.record.get('last_session')}", f"{days[0]} to {days[-1]}"
        )
    if days and recorded.record.get("sessions") != len(days):
        yield AuditFinding("metrics_wrong", f"{RESULT} sessions", str(len(days)), str(recorded.record.get("sessions")))
    for name, stated in recorded.record["strategies"].items():
        if name not in recorded.equity:
            yield AuditFinding("metrics_wrong", f"{EQUITY} {name}", "a column", "none")
            continue
        yield from _figures(name, stated, pd.Series(recorded.equity[name]).sort_index(), recorded, bills)
    if bills is not None:
        yield from _mean_rate(recorded, bills, days)


def _mean_rate(recorded: RecordedBacktest, bills: SecondBills, days: Sequence[date]) -> Iterator[AuditFinding]:
    """Compare the mean bill rate that a result states."""
    own = float(bills.series(days).sum()) * bills.year / (days[-1] - days[0]).days
    if abs(own - (given := recorded.record["bills"]["mean_rate"])) > 1e-9:
        yield AuditFinding("metrics_wrong", f"{RESULT} bills.mean_rate", f"{own:.8g}", f"{given:.8g}")


def _figures(
    name: str, stated: Mapping[str, Any], equity: pd.Series, recorded: RecordedBacktest, bills: SecondBills | None
) -> Iterator[AuditFinding]:
    where, unknown = f"{RESULT} {name}", recorded.record.get("bills") is not None and bills is None
    if abs(equity.iloc[0] - recorded.request["deposit"]) > CENT and name != TESTED:
        yield AuditFinding("metrics_wrong", where, f"{recorded.request['deposit']} at first", str(equity.iloc[0]))
    own = metrics_of(equity, None if bills is None else bills.series(list(equity.index)))
    for key, value in own.items():
        if key not in stated or (unknown and key in BEYOND):
            continue
        given = stated[key]
        if _differ(given, value, _rounding(key, own, equity) + 1e-9 * abs(value or 0.0)):
            kind = "annualised_wrong" if key in ANNUAL and _other_year(key, given, equity, own) else "metrics_wrong"
            yield AuditFinding(kind, f"{where}.{key}", _shown(value), _shown(given))


def metrics_of(equity: pd.Series, bills: pd.Series | None = None) -> dict[str, float | None]:
    """Return the figures of an equity curve; a year has 252 sessions, and a shorter curve no annual return.

    Args:
        equity: By session.
        bills: What bills earned over each return; None: ratios are of plain returns.
    """
    returns = equity.pct_change().iloc[1:]
    excess = returns if bills is None else returns - bills
    if bills is not None:  # half a cent is the rounding of the interest
        excess = excess.where((excess * equity.shift().iloc[1:]).abs() > 0.005 + 1e-9, 0.0)
    count, deviation = len(returns), float(returns.std()) if len(returns) > 1 else math.nan
    spread = float(excess.std()) if count > 1 else math.nan
    total = float(equity.iloc[-1] / equity.iloc[0] - 1)
    grown = (1 + total) ** (YEAR / count) - 1 if count else None
    annual = grown if count >= YEAR else None
    moving = count > 1 and spread > 1e-14 * max(1.0, float(excess.abs().max()))
    downside = math.sqrt(float((excess.clip(upper=0) ** 2).mean())) if count else 0.0
    drawdown = float((equity / equity.cummax() - 1).min())
    return {
        "total_return": total,
        "annual_return": annual,
        "extrapolated_annual_return": grown if annual is None else None,
        "annual_volatility": deviation * math.sqrt(YEAR) if count > 1 else None,
        "sharpe": float(excess.mean()) / spread * math.sqrt(YEAR) if moving else None,
        "sortino": float(excess.mean()) / downside * math.sqrt(YEAR) if downside > 0 else None,
        "max_drawdown": drawdown,
        "calmar": annual / -drawdown if annual is not None and drawdown < 0 else None,
        "value_at_risk": float(returns.quantile(0.05)) if count else None,
        "final_equity": float(equity.iloc[-1]),
        "beyond_bills": None if bills is None or not count else float(excess.mean()) * YEAR,
    }


def _rounding(key: str, own: Mapping[str, float | None], equity: pd.Series) -> float:
    """Return by how much a figure may differ because the file has whole cents."""
    cent = CENT / float(equity.min()) if float(equity.min()) > 0 else 1.0
    count, years = max(1, len(equity) - 1), YEAR / max(1, len(equity) - 1)
    growth = own["annual_return"] or own["extrapolated_annual_return"] or 0.0
    annual = 2 * cent * years * (1 + abs(growth)) / (1 + (own["total_return"] or 0.0))
    daily = max((own["annual_volatility"] or 0.0) / math.sqrt(YEAR), 1e-12)
    mean, drawdown = 2 * cent / count * math.sqrt(YEAR), max(-(own["max_drawdown"] or 0.0), 1e-12)
    sharpe, sortino, calmar = (abs(own[name] or 0.0) for name in ("sharpe", "sortino", "calmar"))
    downside = daily * sharpe / sortino if sortino else daily
    return {
        "annual_return": annual,
        "extrapolated_annual_return": annual,
        "annual_volatility": 2 * cent * math.sqrt(YEAR),
        "sharpe": (2 * sharpe * cent + mean) / daily,
        "sortino": (2 * sortino * cent + mean) / max(downside, 1e-12),
        "calmar": (annual + 2 * calmar * cent) / drawdown,
        "final_equity": CENT,
        "beyond_bills": 2 * cent * YEAR,
    }.get(key, 2 * cent)


def _other_year(key: str, given: float | None, equity: pd.Series, own: Mapping[str, float | None]) -> bool:
    """Tell whether a figure is annualised by calendar days, or with another number of sessions."""
    value = own[key]
    if given is None:
        return False
    if not value:
        return key in ("annual_return", "calmar")  # stated for less than a year
    if key in ("annual_volatility", "sharpe", "sortino"):
        ratio = (given / value) ** 2 * YEAR
        return any(abs(ratio - year) < 0.5 for year in (365, 365.25, 360, 260, 250, 12, 52))
    total, span = own["total_return"] or 0.0, (equity.index[-1] - equity.index[0]).days
    growth = given if "annual_return" in key else given * -(own["max_drawdown"] or 0.0)
    counted = len(equity) - 1
    guesses = [days / span for days in (365, 365.25, 360)] + [days / counted for days in (365, 365.25, 360, 260, 250)]
    guesses += [YEAR / span, YEAR / (counted + 1)]
    return any(abs((1 + total) ** power - 1 - growth) < 1e-4 for power in guesses) or abs(growth - total) < 1e-9


def check_totals(recorded: RecordedBacktest, book: SecondBook) -> Iterator[AuditFinding]:
    """Compare the tested account's sums, counts, equity and last hash with its ledger."""
    stated = recorded.record["strategies"][TESTED]
    marks = {session.day: float(session.mark["equity"]) / 100 for session in recorded.sessions}
    if recorded.sessions and stated.get("ledger") != recorded.sessions[-1].hash:
        head = recorded.sessions[-1].hash
        yield AuditFinding(
            "ledger_not_of_result", f"{RESULT} decisions.ledger", head[:12], str(stated.get("ledger"))[:12]
        )
    equity = recorded.equity.get(TESTED, {})
    days = {*marks, *equity}
    odd = sorted(day for day in days if not abs(marks.get(day, math.nan) - equity.get(day, math.nan)) <= CENT)
    if odd:
        found = f"{equity.get(odd[0])} on {odd[0]}, {len(odd)} days differ"
        yield AuditFinding("equity_not_of_ledger", EQUITY, f"{marks.get(odd[0])}", found, day=str(odd[0]))
    for key in ("commissions", "slippage", "interest", "model_cost"):
        yield from _total(recorded, key, float(book.sums.get("charges" if key == "model_cost" else key, 0)))
    if "short_sale" not in book.counts:  # paid dividends of short positions count against received ones
        yield from _total(recorded, "dividends", float(book.sums.get("dividends", 0)))
    clamps = book.counts.get("clamp", 0)
    if stated.get("clamps", clamps) != clamps:
        yield AuditFinding("totals_not_of_ledger", f"{RESULT} decisions.clamps", str(clamps), str(stated["clamps"]))
    shares = [
        1 - float(session.mark["cash"]) / float(session.mark["equity"])
        for session in recorded.sessions
        if session.mark["equity"]
    ]
    if shares and abs(float(np.mean(shares)) - stated.get("exposure", math.nan)) > 1e-6:
        yield AuditFinding(
            "totals_not_of_ledger",
            f"{RESULT} decisions.exposure",
            f"{np.mean(shares):.6f}",
            str(stated.get("exposure")),
        )


def _total(recorded: RecordedBacktest, key: str, own: float) -> Iterator[AuditFinding]:
    given = recorded.record["strategies"][TESTED].get(key)
    if given is not None and abs(given - own) > CENT:
        yield AuditFinding("totals_not_of_ledger", f"{RESULT} decisions.{key}", f"{own:.2f}", f"{given:.2f}")


def check_comparison(recorded: RecordedBacktest) -> Iterator[AuditFinding]:
    """Compare the yearly differences to buy and hold with those of the equity."""
    frame = pd.DataFrame({name: pd.Series(column) for name, column in recorded.equity.items()}).sort_index()
    if HELD not in frame:
        return
    returns = frame.pct_change().iloc[1:]
    for name, stated in recorded.record["strategies"].items():
        paired = stated.get("ci")
        if name not in returns or not paired:
            continue
        own = float((returns[name] - returns[HELD]).mean()) * YEAR
        if abs(own - paired["difference"]) > 1e-4 + 1e-6 * abs(own):
            kind = "benchmark_sign" if abs(own + paired["difference"]) < 1e-4 + 1e-6 * abs(own) else "baseline_wrong"
            if kind == "baseline_wrong" and _shifted_gap(returns, name, paired["difference"]):
                kind = "benchmark_shifted"
            yield AuditFinding(kind, f"{RESULT} {name}.ci", f"{own:.6f} a year", f"{paired['difference']:.6f}")
        if not paired["low"] - 1e-12 <= paired["difference"] <= paired["high"] + 1e-12:
            found = f"{paired['low']:.4f} to {paired['high']:.4f}"
            yield AuditFinding("benchmark_sign", f"{RESULT} {name}.ci", "an interval round the difference", found)


def _shifted_gap(returns: pd.DataFrame, name: str, given: float) -> bool:
    return any(
        abs(float((returns[name] - returns[HELD].shift(by)).dropna().mean()) * YEAR - given) < 1e-4 for by in (-1, 1)
    )


def check_baselines(
    recorded: RecordedBacktest,
    histories: Mapping[str, SymbolHistory],
    plans: Plans,
    foreign: frozenset[str] = frozenset(),
    bills: SecondBills | None = None,
) -> Iterator[AuditFinding]:
    """Trade baselines again, and compare their equity.

    Args:
        recorded: The folder.
        histories: Prices by symbol, in the account's currency.
        plans: From `constant_plans` and `rule_plans`.
        foreign: Symbols whose prices were converted.
        bills: What cash earned; None: nothing.
    """
    days = days_of(recorded)
    costs, deposit = StatedCosts.of(recorded.request), recorded.request["deposit"]
    exchanged = foreign & {*recorded.tickers}  # funds are converted without cost: nobody trades them
    for name, wanted in plans.items():
        symbols = {symbol for weights in wanted.values() for symbol in weights}
        if not days or name not in recorded.equity or not symbols <= {*histories}:
            continue
        equity = SecondTrader(histories, costs, deposit, exchanged, bills).equity(days, wanted)
        found = _baseline(name, pd.Series(recorded.equity[name]).reindex(days), pd.Series(equity))
        if found and symbols & foreign and symbols.isdisjoint(recorded.tickers):
            found = replace(found, kind="benchmark_currency")
        if found:
            yield found


def _baseline(name: str, given: pd.Series, wanted: pd.Series) -> AuditFinding | None:
    gap = (given - wanted).abs()
    if not gap.isna().any() and float(gap.max()) <= 0.05:
        return None
    day = gap.idxmax() if gap.notna().any() else given.index[0]
    own, due = given.pct_change().iloc[1:], wanted.pct_change().iloc[1:]
    kind = "baseline_wrong"
    if len(own) > 5 and due.abs().max() > LARGEST_OF_BILLS:
        if any((own - due.shift(by)).abs().iloc[2:-2].max() < 1e-4 for by in (-1, 1)):
            kind = "benchmark_shifted"
        elif (own + due).abs().max() < 1e-3:
            kind = "benchmark_sign"
    where = f"{EQUITY} {name}"
    return AuditFinding(kind, where, f"{wanted.get(day):.2f}", f"{given.get(day):.2f}", day=str(day))


def check_coverage(recorded: RecordedBacktest, sessions: Sequence[date]) -> Iterator[AuditFinding]:
    """Compare the counts of decisions with the decisions.

    Args:
        recorded: The folder, with decisions.
        sessions: Of the period.
    """
    decisions, stated = recorded.decisions or (), recorded.record["coverage"]
    on = list(sessions[:-1][:: recorded.request["every"]])
    wanted = {(ticker, day) for day in on for ticker in recorded.tickers}
    own = {(decision.ticker, decision.day): decision for decision in decisions}
    if {*own} != wanted or len(own) != len(decisions):
        odd = sorted({*own} ^ wanted)[:3]
        found = f"{len(decisions)}; differing: {', '.join(f'{ticker} {day}' for ticker, day in odd) or 'repeated ones'}"
        yield AuditFinding("coverage_wrong", DECISIONS, f"{len(wanted)} of {len(on)} days", found)
    none = sum(decision.action == "NO_DECISION" for decision in decisions)
    failed = sum(not decision.action for decision in decisions)
    counts = {"wanted": len(wanted), "made": len(decisions) - none - failed, "no_decision": none, "failed": failed}
    for name, count in counts.items():
        if stated.get(name) != count:
            kind = "coverage_wrong"
            if none and name in ("made", "no_decision"):
                kind = "no_decision_counted"
            yield AuditFinding(kind, f"{RESULT} coverage.{name}", str(count), str(stated.get(name)))
    share = counts["made"] / len(wanted) if wanted else None
    if share is not None and abs((stated.get("share") or 0.0) - share) > 1e-9:
        yield AuditFinding("coverage_wrong", f"{RESULT} coverage.share", f"{share:.4f}", str(stated.get("share")))
    actions: dict[str, int] = {}
    for decision in decisions:
        if decision.action:
            actions[decision.action] = actions.get(decision.action, 0) + 1
    if recorded.record["decisions"].get("actions") != actions:
        kind = "no_decision_counted" if none else "coverage_wrong"
        found = str(recorded.record["decisions"].get("actions"))
        yield AuditFinding(kind, f"{RESULT} decisions.actions", str(actions), found)


def check_variety(recorded: RecordedBacktest) -> Iterator[AuditFinding]:
    """Report that all decisions are the same: as a warning, or as a note where so few may be alike by chance."""
    made = [decision.action for decision in recorded.decisions or () if decision.action not in ("", "NO_DECISION")]
    if len(made) > 1 and len({*made}) == 1:
        severity: Severity = "warning" if len(made) >= MANY_DECISIONS else "note"
        found = f"{made[0]} {len(made)} times"
        yield AuditFinding("constant_decider", DECISIONS, "decisions that differ", found, severity)


def check_calls(recorded: RecordedBacktest, histories: Mapping[str, SymbolHistory]) -> Iterator[AuditFinding]:
    """Compare hit rate, Brier score and rank correlation with decisions and the closes after them."""
    made, days = recorded.by_day, sorted(recorded.by_day)
    last = date.fromisoformat(recorded.record["last_session"])
    rows = []
    for day, until in zip(days, [*days[1:], last], strict=False):
        for ticker, decision in made[day].items():
            change = _later_return(histories.get(ticker), day, until, last)
            if change is not None and decision.action in ("BUY", "SELL", "HOLD"):
                rows.append((day, SIDES.get(decision.action, 0), decision.confidence, change))
    frame = pd.DataFrame(rows, columns=["day", "side", "sure", "change"])
    calls = frame[frame["side"] != 0]
    right = (calls["side"] * calls["change"] > 0).astype(float)
    ranks = [found for _, part in frame.groupby("day") if (found := _rank(part)) is not None] if len(frame) else []
    own: dict[str, float | None] = {
        "calls": float(len(calls)),
        "hit_rate": float(right.mean()) if len(calls) else None,
        "brier": float(((calls["sure"] - right) ** 2).mean()) if len(calls) else None,
        "rank_ic": float(np.mean(ranks)) if ranks else None,
    }
    for key, value in own.items():
        given = recorded.record["decisions"].get(key)
        if _differ(given, value, 1e-9):
            yield AuditFinding("call_quality_wrong", f"{RESULT} decisions.{key}", _shown(value), _shown(given))


def _rank(part: pd.DataFrame) -> float | None:
    signal, change = (part["side"] * part["sure"]).rank(), part["change"].rank()
    if len(part) < 3 or signal.nunique() < 2 or change.nunique() < 2:
        return None
    return float(np.corrcoef(signal, change)[0, 1])


def _later_return(history: SymbolHistory | None, day: date, until: date, last: date) -> float | None:
    """Return the total return from the close after a decision to that after the next, or to the last."""
    if history is None:
        return None
    sessions = list(history.bars.index)
    following = dict(zip(sessions, [*sessions[1:], None], strict=True))
    first, after_next = following[day], following[until]
    end = last if after_next is None or after_next > last else after_next
    if first is None or first >= end:
        return None
    before, then = history.at(first, "adjusted"), history.at(end, "adjusted")
    return then / before - 1 if before > 0 and not math.isnan(then) else None


def check_costs(recorded: RecordedBacktest, rate: Callable[[date], float]) -> Iterator[AuditFinding]:
    """Compare the charges of the models with the costs of the decisions.

    Args:
        recorded: The folder.
        rate: Gives units of the account's currency for a dollar at the close of a day; NaN where none was known.
    """
    due: dict[date, float] = {}
    for decision in recorded.decisions or ():
        if decision.cost_usd:
            due[decision.day] = due.get(decision.day, 0.0) + decision.cost_usd * rate(decision.day)
    for session in recorded.sessions:
        paid = sum(float(posting["value"]) / 100 for posting in session.postings if posting.get("kind") == "charge")
        wanted = due.get(session.day, 0.0)
        if not abs(paid - wanted) <= CENT and not (paid < wanted and float(session.mark["cash"]) <= 0):
            where = f"ledger.jsonl line {session.number}"
            yield AuditFinding("model_cost_left_out", where, f"{wanted:.2f}", f"{paid:.2f}", day=str(session.day))


def check_disclosure(recorded: RecordedBacktest) -> Iterator[AuditFinding]:
    """Look for the warnings that a result owes its reader."""
    warnings = " ".join(map(str, recorded.record.get("warnings", ()))).lower()
    if "survivorship" not in warnings:
        yield AuditFinding("survivorship_untold", f"{RESULT} warnings", "a warning of survivorship", "none")


def _differ(given: float | None, own: float | None, bound: float) -> bool:
    """Tell whether two figures differ by more than a bound, or just one of them is known."""
    if given is None or own is None:
        return given is not own
    return abs(given - own) > bound


def _shown(value: float | None) -> str:
    return "none" if value is None else f"{value:.8g}"
