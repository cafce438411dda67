"""Notes on a decision: a degraded run, and reviewers' comments."""

from __future__ import annotations

from collections.abc import Sequence

from tradingagents.analytics.text import one_line
from tradingagents.dataflows.reference.sectors import DISPLAY
from tradingagents.reports.formatting import count, percent, price, usd
from tradingagents.schemas.cards import RunRecord
from tradingagents.schemas.decision import Decision
from tradingagents.schemas.portfolio import HolderRecord, OrderListRecord, OrderRecord
from tradingagents.schemas.records import DegradedRecord, RepeatedAsksRecord, ReviewRecord

_SAID = {"approve": "approved", "revise": "sent back", "reject": "rejected"}
_WORDS = {
    "missing_report": "{agents} could not report",
    "silent_debater": "{agents} did not speak in every turn",
    "no_verdict": "{agents} gave no usable verdict",
    "no_evidence": "{agents} named no evidence found in the data",
    "other_company": "{agents} wrote about another company",
    "untraced_figures": "{agents} rested on figures most of which are not in the data",
    "no_plan": "{agents} had no plan of the trader to act on",
    "withheld_prices": "{detail}",
    "withheld_statements": "{detail}",
    "fallback_model": "{detail} answered in place of the model of {agents}",
    "by_rules": "fixed rules answered in place of the model of {agents}",
}
"""Text for each kind, in this order."""


def degraded_notice(found: Sequence[DegradedRecord]) -> str:
    """Return the note on the gaps of a degraded run; empty where there are none."""
    if not found:
        return ""
    said = [
        words.format(agents=_listed([f"the {gap.agent}" for gap in same]), detail=detail)
        for kind, words in _WORDS.items()
        for detail, same in _grouped([gap for gap in found if gap.kind == kind], by_detail="{detail}" in words)
    ]
    return f"This is a degraded run: {'; '.join(said)}."


def decision_notes_of(record: RunRecord) -> str:
    """Return the notes on a run's decision; empty if there are none."""
    return " ".join(part for part in (degraded_notice(record.degraded), *map(_sentence, record.reviews)) if part)


SETTLING_HEADER = ("Agent", "Asked", "Answers", "How it ended", "Calls added", "Cost added")


def settling_rows(asked: Sequence[RepeatedAsksRecord]) -> list[tuple[str, ...]]:
    """Return what deciding agents answered that were asked again, as cells; empty for none."""
    return [
        (
            one.agent,
            count(one.asks),
            ", ".join(f"{action} {percent(given / one.asks)} ({given})" for action, given in one.answers.items()),
            one.reason,
            count(one.added_calls),
            usd(one.added_cost_usd),
        )
        for one in asked
    ]


def settling_line(asked: Sequence[RepeatedAsksRecord]) -> str:
    """Return whether the action of a run is settled, and at what cost, in a sentence; empty for a run asked once."""
    if not asked:
        return ""
    if all(one.verdict == "asked_once" for one in asked):
        return asked[-1].reason
    answers = "; ".join(f"{one.agent} {_given(one)}" for one in asked)
    calls, costs = sum(one.added_calls for one in asked), [one.added_cost_usd for one in asked]
    cost = None if None in costs else sum(one for one in costs if one is not None)
    verdict = "Unsettled" if any(one.verdict == "unsettled" for one in asked) else "Settled"
    price = "at an unknown cost" if cost is None else f"for {usd(cost)}"
    return f"{verdict} when asked again with the same inputs: {answers}. {count(calls)} calls were added, {price}."


def _given(asked: RepeatedAsksRecord) -> str:
    listed = ", ".join(f"{action} {given}" for action, given in asked.answers.items())
    return f"{listed} of {asked.asks}"


_LIMITS = {
    "max_positions": "the number of positions",
    "max_position": "the largest position",
    "max_sector": "the largest sector",
    "max_turnover": "the turnover of a day",
    "min_cash": "the cash",
    "whole_shares": "whole shares",
    "least_order": "an order that would not pay its commission",
}


def holder_action(book: HolderRecord) -> str:
    """Return what a decision means for a book in a line: `trim: sell 50 of 100, for 4,829.00 USD`."""
    count = f"{abs(book.shares):,.10g}"
    if not book.shares:
        held = f"{book.quantity:,.10g} held" if book.quantity else "none held"
        return f"{book.action}, {held}{_cut(book.cut_by)}"
    money = "" if book.money is None else f", for {abs(book.money):,.2f} {book.currency}"
    of = f" of {abs(book.quantity):,.10g}" if book.action in ("trim", "close", "cover") else ""
    return f"{book.action}: {'buy' if book.shares > 0 else 'sell'} {count}{of}{money}{_cut(book.cut_by)}"


def _cut(limits: Sequence[str]) -> str:
    return f"; cut by {' and '.join(_LIMITS.get(limit, limit) for limit in limits)}" if limits else ""


def order_rows(orders: OrderListRecord) -> list[tuple[str, ...]]:
    """Return the lines of a list of orders as cells: symbol, view, action, shares, price, amount, what has cut it."""
    return [
        (
            line.symbol,
            line.view.replace("_", " "),
            line.action,
            f"{line.shares:+,.10g}" if line.shares else "",
            price(line.price) if line.quoted is None else _quoted(line, orders.currency),
            f"{line.money:+,.2f}" if line.shares else "",
            _cut(line.cut_by).removeprefix("; ") or line.why,
        )
        for line in orders.lines
    ]


def _quoted(line: OrderRecord, currency: str) -> str:
    """Return the price of an order as it is quoted, with its currency where that is not the book's."""
    shown = price(line.quoted)
    return shown if line.quoted_in == currency else f"{shown} {line.quoted_in}"


ORDER_HEADER = ("Ticker", "View", "Action", "Shares", "Price", "Cost", "Why")


def order_summary(orders: OrderListRecord) -> str:
    """Return what a list of orders comes to, in a sentence."""
    count = sum(bool(line.shares) for line in orders.lines)
    cash = f"cash {orders.cash.before:,.2f} → {orders.cash.after:,.2f} {orders.currency}"
    traded = f"{percent(orders.turnover, 1)} of {orders.equity:,.2f} traded"
    return f"{count} order{'' if count == 1 else 's'} for the book of {orders.day}: {traded}, {cash}. Nothing is sent."


def holder_terms(book: HolderRecord, currency: str) -> list[tuple[str, str]]:
    """Return what a decision changes in a book, as (name, value).

    Args:
        book: What the decision means for it.
        currency: Of the instrument.
    """
    sector = DISPLAY.get(book.sector or "", book.sector or "")
    shares = {
        "Weight": book.weight,
        f"Sector {sector}": book.sector_weight if book.sector else None,
        "Cash": book.cash,
        "Volatility of the book": book.volatility,
    }
    changed = [
        (name, f"{percent(both.before, 1)} → {percent(both.after, 1)}")
        for name, both in shares.items()
        if both is not None
    ]
    if book.beta is not None:
        before, after = (round(beta, 2) + 0.0 for beta in (book.beta.before, book.beta.after))  # no negative zero
        changed.append(("Beta of the book", f"{before:.2f} → {after:.2f}"))
    levels = (("Stop of the position", book.stop), ("Target of the position", book.target))
    changed += [(name, f"{price(level)} {currency}") for name, level in levels if level is not None]
    if book.average_price is not None:
        gain = "" if book.gain is None else f", {'up' if book.gain >= 0 else 'down'} {percent(abs(book.gain), 1)} since"
        changed.append(("Paid on average", f"{price(book.average_price)}{gain}; it plays no part in the action"))
    return changed


def track_record(decision: Decision) -> str:
    """Return the track record of similar decisions; empty if it is not known."""
    return decision.track_record or "" if decision.action != "NO_DECISION" else ""


def _sentence(review: ReviewRecord) -> str:
    note = one_line(review.note).rstrip(".")
    return f"A person {_SAID[review.verdict]} {review.action} on {review.at[:10]}{f': {note}' if note else ''}."


def _grouped(found: Sequence[DegradedRecord], *, by_detail: bool) -> list[tuple[str, list[DegradedRecord]]]:
    groups: dict[str, dict[str, DegradedRecord]] = {}
    for gap in found:
        groups.setdefault(gap.detail if by_detail else "", {}).setdefault(gap.agent, gap)
    return [(detail, list(agents.values())) for detail, agents in groups.items()]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + names[-1]
