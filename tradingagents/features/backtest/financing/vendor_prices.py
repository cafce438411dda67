"""Prices for accounts, from the vendors of the settings, with the dividends that their list lacks.

Such dividends are read from the ratio of adjusted closes to closes. An adjusted close falls behind the close by the
dividend's part of the close before: on an ex-day the ratio steps up to ratio / (1 - dividend / close before), and
between ex-days it stays. So

    dividend = close before x (1 - ratio before / ratio)

Both series are rounded, and a step that rounding alone can make is none. `rounding_of_steps` is that threshold: prices
of 7 significant digits (single precision) move a step by 0.0004 % of the close at most, prices in cents of a 90 USD
fund by 0.011 %; the smallest dividend of the recorded symbols is 0.017 %.

Checked against the dividends that 37 recorded companies list (2022 to 2025; `test_derived_dividends.py` works it out
again):

| derived without the list, against the list | |
|---|---|
| listed ex-days within the bars, found | 443 of 443 |
| found on another day, after the first listed one | 0 |
| error, median | 0.00001 % of the close before |
| error, largest | 0.00008 % of the close before (COST, 1.1609 for 1.16 USD) |
| errors larger than `Dividend.rounding` says | 0 |
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from itertools import pairwise

import numpy as np

from tradingagents.dataflows.gateway.checks.price_checks import check_prices
from tradingagents.dataflows.gateway.checks.price_dividends import LARGE_STEP
from tradingagents.dataflows.gateway.router import ask_vendors
from tradingagents.dataflows.models import Dividend, Floats, Prices
from tradingagents.dataflows.reference.data_faults import FaultKind, reference
from tradingagents.dataflows.vendor import Vendor
from tradingagents.errors import NoData
from tradingagents.runtime.services import Services

UNTRADED: frozenset[FaultKind] = frozenset(
    ("split-not-applied", "split-not-listed", "split-applied-twice", "unit-change", "price-jump", "dividends-disagree")
)
"""Faults by which an account would gain or lose what never was, such as a dividend that the closes contain too."""


def read_prices(services: Services, symbol: str, first: date, last: date) -> Prices:
    """Return the bars of a symbol that may have ended: accounts need those of companies that are gone, too.

    Dividends that the adjusted closes contain and the list lacks are added to it, each with its `rounding`.

    Raises:
        UntradablePrices: They have a fault of `UNTRADED`, contradict the end of the listing, or lack dividends that
            cannot be derived.
        DataError, VendorNotConfigured: No vendor has them.
    """
    vendors = services.vendors

    def ask(name: str) -> Prices:
        return vendors.answer(name, Vendor.get_stock_data, symbol, first, last)

    found, _ = ask_vendors(Vendor.get_stock_data, ask, settings=services.settings, vendors=vendors, past=last)
    known = found.upto(last)
    if broken := next((fault for fault in check_prices(known, last).faults if fault.kind in UNTRADED), None):
        raise UntradablePrices(
            f"{found.vendor}'s prices of {symbol} cannot be traded in a test: {broken.text()} "
            f"({reference(broken.kind)}). Correct them, name another vendor, or leave {symbol} out."
        )
    if known.ended is not None and len(known) and known.days[-1].item() >= known.ended.day:
        raise UntradablePrices(
            f"{found.vendor} says that {symbol} was {known.ended.kind} on {known.ended.day}, and has a bar of "
            f"{known.days[-1].item()}: one of them is wrong. Correct it, name another vendor, or leave {symbol} out."
        )
    return with_unlisted_dividends(known)


DIGITS = 1e-6
"""Most by which 7 significant digits move a ratio of two closes, as a fraction: 5e-7 each."""
DECIMALS = (2, 3, 4, 5)
"""Decimals to which sources round prices; with more, the digits count."""
SAME_DIVIDEND = 5
"""Bars around a listed dividend in which a step is that dividend's, recorded on another day."""


class UntradablePrices(NoData):
    """Prices that are there, and of which an account would gain or lose what never was."""


def with_unlisted_dividends(prices: Prices) -> Prices:
    """Return prices with the dividends that their adjusted closes contain and their list lacks, else as they are.

    Args:
        prices: Sorted bars that the gate has not refused: where dividends are listed, the two agree.

    Raises:
        UntradablePrices: The adjusted closes contain dividends that cannot be distinguished from rounding, or fall
            against the closes.
    """
    if prices.basis != "split_adjusted" or len(prices) < 2:
        return prices
    ratio = prices.adj_close / prices.close
    steps = 1 - ratio[:-1] / ratio[1:]
    noise = rounding_of_steps(prices)
    free = ~_near_listed(prices)
    unlisted = free & (np.abs(steps) > noise)
    fallen = np.flatnonzero(unlisted & (steps < 0))
    if len(fallen):
        day = prices.days[fallen[0] + 1].item()
        raise _refused(prices, f"they fall by {-steps[fallen[0]]:.4%} against the closes on {day}, as no dividend does")
    if not prices.dividends and (hidden := _hidden(ratio, unlisted, noise)):
        raise _refused(prices, f"they contain {hidden:.2%} in steps too small to be distinguished from their rounding")
    found = [
        Dividend(
            prices.days[at + 1].item(),
            float(prices.close[at] * steps[at]),
            rounding=float(prices.close[at] * noise[at]),
        )
        for at in np.flatnonzero(unlisted).tolist()
    ]
    if not found:
        return prices
    return replace(prices, dividends=tuple(sorted((*prices.dividends, *found), key=lambda dividend: dividend.day)))


def rounding_of_steps(prices: Prices) -> Floats:
    """Return how far rounding alone can move each step of the ratio, as a fraction of the close; one a bar but one."""
    own = _rounding(prices.adj_close) / prices.adj_close
    split = max((split.day for split in prices.splits), default=None)
    if split is not None:  # restated closes are rounded again, those since are as traded
        before = prices.days < np.datetime64(split, "D")
        own = own + np.where(before, _rounding(prices.close) / prices.close, 0.0)
    bar = own + DIGITS
    found: Floats = bar[:-1] + bar[1:]
    return found


def _rounding(closes: Floats) -> float:
    """Return half the unit to which closes are rounded; 0 for finer ones, for which the digits count."""
    for decimals in DECIMALS:
        units = closes * 10**decimals
        if np.abs(units - np.rint(units)).max() < 1e-4:
            return float(0.5 / 10**decimals)
    return 0.0


def _near_listed(prices: Prices) -> np.ndarray:
    """Return which steps may be those of listed dividends; a large one is of a spin-off that the gate has checked."""
    ratio = prices.adj_close / prices.close
    near = np.zeros(len(prices) - 1, dtype=np.bool_)
    for at in np.searchsorted(
        prices.days, np.array([dividend.day for dividend in prices.dividends], "datetime64[D]")
    ).tolist():
        near[max(0, at - 1 - SAME_DIVIDEND) : at + SAME_DIVIDEND] = True
        large = ratio[1:] / ratio[:-1] - 1 >= LARGE_STEP
        near[large & (np.arange(len(near)) != at - 1)] = False
    return near


def _hidden(ratio: Floats, steps: np.ndarray, noise: Floats) -> float:
    """Return by how much the ratio creeps between steps, summed, where that is more than the rounding of its ends."""
    ends = [0, *(np.flatnonzero(steps) + 1).tolist(), len(ratio)]
    hidden = 0.0
    for first, end in pairwise(ends):
        crept = abs(float(1 - ratio[first] / ratio[end - 1]))
        hidden += crept if end - first > 1 and crept > float(noise[first : end - 1].max()) else 0.0
    return hidden


def _refused(prices: Prices, why: str) -> UntradablePrices:
    return UntradablePrices(
        f"{prices.vendor} lists no dividends of {prices.symbol} for a part of its prices, and they cannot be derived "
        f"from its adjusted closes: {why}. An account would lose them; list its dividends, name another vendor, or "
        f"leave {prices.symbol} out."
    )
