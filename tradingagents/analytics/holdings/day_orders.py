"""All decisions of a day as one list of orders for a book: weights by a scheme, then what limits and cash allow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tradingagents.analytics.holdings.holder_actions import HolderRules, HolderTarget, View, holder_target
from tradingagents.analytics.holdings.order_list import OrderLine, OrderRules, order_list
from tradingagents.analytics.holdings.reader_book import ReaderBook
from tradingagents.analytics.holdings.weights import Scheme, bought_weights, scheme_weights
from tradingagents.schemas.portfolio import BeforeAfter, OrderListRecord, OrderRecord

SCHEME_SESSIONS = 120
"""Daily returns that weights are computed from, at most."""


@dataclass(frozen=True, slots=True)
class DayDecision:
    """A decision on one instrument, as far as orders depend on it."""

    view: View
    conviction: float
    stop: float | None = None
    target: float | None = None


def day_orders(
    reader: ReaderBook, decisions: Mapping[str, DayDecision], scheme: Scheme, rules: OrderRules, *, shorting: bool
) -> OrderListRecord:
    """Return the orders of a day; their list does not depend on the order of the decisions.

    Args:
        reader: The book on the day of the decisions.
        decisions: By symbol.
        scheme: How weights of what is bought, or sold short, are computed.
        rules: Limits and costs.
        shorting: Whether a SELL may sell short what is not held.
    """
    known = {symbol: decisions[symbol] for symbol in sorted(decisions) if symbol in reader.instruments}
    unknown = [symbol for symbol in sorted(decisions) if symbol not in known]
    targets = _targets(reader, known, scheme, rules, shorting=shorting) if reader.equity > 0 else {}
    found = order_list(reader.instruments, targets, reader.cash, rules)
    notes = [*reader.notes()]
    if unknown:
        notes.append(f"No order for {', '.join(unknown)}: price, exchange rate or number of units is not known.")
    if found is None:
        notes.append("The book is worth nothing, so that no weight and no order can be said.")
    return OrderListRecord(
        hash=reader.book.digest,
        day=str(reader.book.day or reader.valued.day),
        currency=reader.valued.currency,
        equity=reader.equity,
        cash=BeforeAfter(before=reader.cash, after=reader.cash if found is None else found.cash),
        turnover=0.0 if found is None else found.turnover,
        weights=scheme,
        lines=[]
        if found is None
        else [_record(reader, line, known[line.symbol], targets[line.symbol]) for line in found.lines],
        notes=tuple(notes),
    )


def _targets(
    reader: ReaderBook, decisions: Mapping[str, DayDecision], scheme: Scheme, rules: OrderRules, *, shorting: bool
) -> dict[str, HolderTarget]:
    """Return what each decision asks for by the rule table, with the weights of the scheme."""
    held = reader.valued.weights()
    of = {view: {name: made.conviction for name, made in decisions.items() if made.view == view} for view in VIEWS}
    bought, sold = of["BUY"], of["SELL"]
    stay = {symbol: weight for symbol, weight in held.items() if symbol not in bought and symbol not in sold}
    wanted = bought_weights(scheme, bought, reader.returns.columns(tuple(bought))[-SCHEME_SESSIONS:], stay, rules)
    if shorting:
        short = {symbol: conviction for symbol, conviction in sold.items() if held.get(symbol, 0.0) <= 0}
        wanted |= scheme_weights(
            scheme, short, reader.returns.columns(tuple(short))[-SCHEME_SESSIONS:], rules.max_position
        )
    table = HolderRules(max_position=rules.max_position, shorting=shorting)
    return {
        symbol: holder_target(decision.view, decision.conviction, held.get(symbol, 0.0), wanted.get(symbol, 0.0), table)
        for symbol, decision in decisions.items()
    }


VIEWS: tuple[View, ...] = ("BUY", "SELL")


def _record(reader: ReaderBook, line: OrderLine, decision: DayDecision, target: HolderTarget) -> OrderRecord:
    quoted, quoted_in = reader.quotes.get(line.symbol, (None, None))
    return OrderRecord(
        symbol=line.symbol,
        view=decision.view,
        action=line.action,
        why=target.why,
        shares=line.shares,
        price=line.price,
        quoted=quoted,
        quoted_in=quoted_in,
        money=line.value + line.commission,
        commission=line.commission,
        cut_by=line.cut_by,
        stop=decision.stop,
        target=decision.target,
    )
