"""Puts a tampered future beneath a vendor: between it and the vendor that it is made from, inside it, and above it.

A vendor that is made from another one (a subclass, or one that holds another) is served a tampered future by that one,
so that what it takes from the future changes its answers, whatever times it writes on them.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendor_method import methods_of
from tradingagents.features.backtest.audit.tampering.rows import TamperedFuture

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
