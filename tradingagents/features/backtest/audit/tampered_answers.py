"""Changes what became known after a cut-off in a vendor's answers, and leaves the rest as it is.

A vendor that is made from another one (a subclass, or one that holds another) is served a tampered future by that one,
so that what it takes from the future changes its answers, whatever times it writes on them.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from datetime import date, datetime, timedelta
from itertools import count
from typing import Any, Literal

import numpy as np

from tradingagents.dataflows.models import EarningsEvent, EconomicEvent, MacroSeries, Prices, SocialPost, Split
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendor_method import methods_of

Tampering = Literal["changed", "removed"]
"""`changed`: later rows have other content, and later versions of earlier rows are added. `removed`: there are none."""
TAMPERINGS: tuple[Tampering, ...] = ("changed", "removed")
MARK = "TAMPERED"
"""Stands in each text that is changed or added."""
RESTATED = 24
"""Earlier rows of which a later version is added."""
FACTOR = 7.0
_TEXTS = ("title", "summary", "text", "insider", "issuer")
_FIGURES = (
    *("value", "shares", "eps", "eps_estimate", "revenue", "previous", "estimate", "price", "change_pct"),
    *("volume", "score", "comments"),
)
_HAPPENED = {
    "NewsItem": "published_at",
    "SocialPost": "posted_at",
    "Statement": "period_end",
    "InsiderTransaction": "transaction_date",
    "Filing": "filed_on",
    "FilingDocument": "filed_on",
    "HoldingsReport": "filed_on",
}
"""When that happened which a row is about: it cannot be known before, whatever the vendor says."""


@dataclass(frozen=True, slots=True)
class TamperedFuture:
    """A cut-off, and what becomes of that which was known only after it."""

    day: date
    """The session of the cut-off."""
    instant: datetime
    how: Tampering

    def answer(self, found: Any) -> Any:
        """Return an answer of a vendor with another future."""
        if isinstance(found, Prices):
            return self._prices(found)
        if isinstance(found, MacroSeries):
            rows = self._rows(found.observations)
            return replace(found, observations=tuple(sorted(rows, key=lambda row: (row.day, row.known_at))))
        if isinstance(found, tuple) and found and hasattr(found[0], "known_at"):
            return tuple(self._rows(found))
        return found

    def _rows(self, rows: Iterable[Any]) -> list[Any]:
        known = [row for row in rows if not self.is_later(row)]
        if self.how == "removed":
            return [self._without_outcome(row) for row in known]
        later = [changed(row) for row in rows if self.is_later(row)]
        after = self.instant + timedelta(seconds=1)
        restated = [changed(replace(row, known_at=after)) for row in known[:RESTATED] if row.known_at is not None]
        return [*restated, *later, *(self._with_other_outcome(row) for row in known)]

    def is_later(self, row: Any) -> bool:
        """Tell whether a row became known, or happened, after the cut-off."""
        if row.known_at is not None and row.known_at.tzinfo is not None and row.known_at > self.instant:
            return True
        happened = getattr(row, _HAPPENED.get(type(row).__name__, ""), None)
        if isinstance(happened, datetime):
            return happened.tzinfo is not None and happened > self.instant
        return isinstance(happened, date) and happened > self.instant.date()

    def _with_other_outcome(self, row: Any) -> Any:
        """Change the outcome of an event that lies ahead: nobody knows it, though its day is known."""
        return changed(row) if self._has_outcome_ahead(row) else row

    def _without_outcome(self, row: Any) -> Any:
        if isinstance(row, EarningsEvent) and self._has_outcome_ahead(row):
            return replace(row, eps=None, revenue=None)
        if isinstance(row, EconomicEvent) and self._has_outcome_ahead(row):
            return replace(row, value=None)
        return row

    def _has_outcome_ahead(self, row: Any) -> bool:
        if isinstance(row, EarningsEvent):
            return row.day > self.instant.date() and (row.eps is not None or row.revenue is not None)
        return isinstance(row, EconomicEvent) and row.day > self.instant.date() and row.value is not None

    def _prices(self, prices: Prices) -> Prices:
        later = prices.days > np.datetime64(self.day, "D")
        if self.how == "removed":
            return _unsplit(prices.upto(self.day), self.day)
        wild = np.where(later, FACTOR + np.arange(len(prices)) % 2, 1.0)
        names = ("open", "high", "low", "close", "adj_close", "volume")
        found = replace(prices, **{name: getattr(prices, name) * wild for name in names})
        return _split_later(found, self.day)


def changed(row: Any) -> Any:
    """Return a row with other texts and figures, of the same subject and times."""
    own = {field.name for field in fields(row)}
    texts = {
        name: f"{MARK} {getattr(row, name)}" for name in _TEXTS if name in own and isinstance(getattr(row, name), str)
    }
    figures = {
        name: type(value)(value * FACTOR + 1)
        for name in _FIGURES
        if name in own and isinstance(value := getattr(row, name), (int, float))
    }
    more: dict[str, Any] = {}
    if "items" in own and isinstance(row.items, dict):
        more["items"] = {name: value * FACTOR for name, value in row.items.items()}
    if "holdings" in own:
        more["holdings"] = tuple(changed(holding) for holding in row.holdings)
    if isinstance(row, SocialPost):
        more["sentiment"] = "bearish" if row.sentiment == "bullish" else "bullish"
    return replace(row, **texts, **figures, **more)


def _unsplit(prices: Prices, day: date) -> Prices:
    """Undo the adjustment for splits after a day, as a vendor would give prices that knew of none."""
    ratios = [split.ratio for split in prices.splits if split.day > day]
    if not ratios:
        return replace(prices, dividends=tuple(dividend for dividend in prices.dividends if dividend.day <= day))
    return prices.as_traded(day)


def _split_later(prices: Prices, day: date) -> Prices:
    """Add a split after a day: earlier bars are divided by it. Its ratio is a power of two, so that nothing rounds.

    A vendor that is tampered with beneath and above has one of each, of another day and ratio: two alike read as one
    that was written twice.
    """
    if prices.basis != "split_adjusted" or not prices.splits_listed:
        return prices
    days, ratios = {split.day for split in prices.splits}, {split.ratio for split in prices.splits}
    on = next(later for later in (day + timedelta(days=ahead) for ahead in count(1)) if later not in days)
    ratio = next(2.0**power for power in count(2) if 2.0**power not in ratios)
    before = np.where(prices.days < np.datetime64(on, "D"), ratio, 1.0)
    names = ("open", "high", "low", "close", "adj_close")
    return replace(
        prices,
        **{name: getattr(prices, name) / before for name in names},
        volume=prices.volume * before,
        splits=tuple(sorted((*prices.splits, Split(on, ratio)), key=lambda split: split.day)),
        dividends=tuple(
            replace(dividend, amount=dividend.amount / ratio) if dividend.day < on else dividend
            for dividend in prices.dividends
        ),
    )


BEYOND = timedelta(days=14)
"""So much beyond the end of a window the vendor is made to answer prices, as some do."""


def tampered_vendor(vendor: Vendor, future: TamperedFuture) -> Vendor:
    """Return a vendor with another future; the given one is unchanged.

    Args:
        future: The cut-off, and what becomes of what was known only after it.
    """
    kind = type(vendor)
    source = next((base for base in kind.__mro__[1:] if base is not Vendor and issubclass(base, Vendor)), None)
    made: type[Vendor] = kind
    if source is not None:
        made = type(kind.__name__, (kind, _layer(source, future, beyond=False)), {})
    found = copy.copy(vendor)
    found.__class__ = _layer(made, future, beyond=True)
    for name, value in vars(vendor).items():
        if isinstance(value, Vendor):
            setattr(found, name, tampered_vendor(value, future))
    return found


def _layer(base: type[Vendor], future: TamperedFuture, *, beyond: bool) -> type[Vendor]:
    """Return a subclass whose answers have another future."""
    own: dict[str, Any] = {}
    for method in methods_of(base).values():
        if base.implements(method):
            own[method.vendor_name] = _method(method.vendor_name, future, own, beyond=beyond)
    found: type[Vendor] = type(base.__name__, (base,), own)
    own["layer"] = found
    return found


def _method(name: str, future: TamperedFuture, own: dict[str, Any], *, beyond: bool) -> Callable[..., Any]:
    def answer(self: Any, *args: Any, **kwargs: Any) -> Any:
        given = args
        if beyond and name == "get_stock_data" and len(args) == 3 and future.how == "changed":
            given = (args[0], args[1], args[2] + BEYOND)
        return future.answer(getattr(super(own["layer"], self), name)(*given, **kwargs))

    answer.__name__ = name
    return answer
