"""Bars of a company whose symbol another one has by now are withheld: no figure crosses from the one to the other."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import numpy as np

from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.renamed import CHANGES

NOT_TRADED = timedelta(days=20)
"""A symbol without bars for so long after a company gave it up belonged to nobody; no exchange closes for as long."""


def without_earlier_company(prices: Prices, last: date) -> tuple[Prices, Fault | None]:
    """Return the bars of the company that has the symbol now, and what was withheld; all bars where nothing was.

    A source that keeps a company under its old symbol has no gap, and its bars are of one company.

    Args:
        last: The last session that counts: what was known later changes nothing.
    """
    change = CHANGES.get(prices.symbol)
    if change is None:
        return prices, None
    known = prices.upto(last)
    later = int(np.searchsorted(known.days, np.datetime64(change.day, "D"), side="right"))
    if not 0 < later < len(known):
        return prices, None
    before, first = known.days[later - 1].item(), known.days[later].item()
    if first - before < NOT_TRADED:
        return prices, None
    owner = f"the company that is {change.new} since" if change.new else "a company that was last traded on"
    what = f"bars up to {before} are of {owner} {change.day}, those from {first} on of another one"
    fault = Fault(prices.symbol, first, what, "the earlier ones are withheld", kind="symbol-reused", withholds=True)
    note = f"Prices of {prices.symbol} before {first} are withheld: {what}. Figures that reach back further are n/a."
    return replace(prices.since(first), gate_notes=(*prices.gate_notes, note)), fault
