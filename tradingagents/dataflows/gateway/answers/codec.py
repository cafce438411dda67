"""Encode vendor answers as JSON and decode them, for the cache, recordings and recorded answers."""

from __future__ import annotations

from datetime import date, datetime
from functools import cache
from typing import Any

import numpy as np
from pydantic import TypeAdapter

from tradingagents.dataflows.models import Dividend, ListingEnd, Prices, Split
from tradingagents.dataflows.vendor_method import VendorMethod

ARRAYS = ("open", "high", "low", "close", "adj_close", "volume")


@cache
def _adapter(answer_type: Any) -> TypeAdapter[Any]:
    return TypeAdapter(answer_type)


def encode(method: VendorMethod[..., Any], answer: Any) -> Any:
    """Return a vendor's answer as plain values for JSON; NaN prices stay NaN."""
    if isinstance(answer, Prices):
        plain = {name: getattr(answer, name).tolist() for name in ARRAYS}
        plain["days"] = np.datetime_as_string(answer.days, unit="D").tolist()
        for name in ("symbol", "currency", "vendor", "basis", "splits_listed"):
            plain[name] = getattr(answer, name)
        plain["fetched_at"] = answer.fetched_at.isoformat()
        plain["splits_since"] = answer.splits_since.isoformat() if answer.splits_since else None
        plain["splits"] = [[split.day.isoformat(), split.ratio] for split in answer.splits]
        plain["dividends"] = [[paid.day.isoformat(), paid.amount] for paid in answer.dividends]
        if answer.ended is not None:
            plain["ended"] = _adapter(ListingEnd).dump_python(answer.ended, mode="json")
        return plain
    return _adapter(method.answer_type).dump_python(answer, mode="json")


def decode(method: VendorMethod[..., Any], plain: Any) -> Any:
    """Decode an answer.

    Raises:
        ValueError: It isn't an answer to this method. Malformed prices may also raise KeyError or TypeError.
    """
    if method.answer_type is Prices:
        return _prices(plain)
    return _adapter(method.answer_type).validate_python(plain, strict=False)


def _prices(plain: dict[str, Any]) -> Prices:
    arrays = {name: np.array(plain[name], dtype=np.float64) for name in ARRAYS}
    return Prices(
        symbol=plain["symbol"],
        days=np.array(plain["days"], dtype="datetime64[D]"),
        currency=plain["currency"],
        vendor=plain["vendor"],
        basis=plain["basis"],
        splits_listed=plain.get("splits_listed", True),
        splits_since=date.fromisoformat(plain["splits_since"]) if plain.get("splits_since") else None,
        fetched_at=datetime.fromisoformat(plain["fetched_at"]),
        splits=tuple(Split(date.fromisoformat(day), ratio) for day, ratio in plain["splits"]),
        dividends=tuple(Dividend(date.fromisoformat(day), amount) for day, amount in plain["dividends"]),
        ended=_adapter(ListingEnd).validate_python(plain["ended"]) if plain.get("ended") else None,
        withheld=None,
        gate_notes=(),
        untraded=(),
        lost=(),
        **arrays,
    )
