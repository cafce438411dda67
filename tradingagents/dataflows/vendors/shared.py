"""Vendors that hold a whole market in memory, shared within a process by all users of the same market."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Hashable
from typing import TypeVar
from weakref import WeakValueDictionary

from tradingagents.dataflows.vendor import Vendor

V = TypeVar("V", bound=Vendor)
_OPEN: WeakValueDictionary[Hashable, Vendor] = WeakValueDictionary()
_LOCK = threading.Lock()


def shared(key: Hashable, make: Callable[[], V]) -> V:
    """Return the vendor of a market that is already open, or create it; it is freed with the last graph that uses it.

    Args:
        key: Kind of vendor and everything its answers depend on.
    """
    own = (os.getpid(), key)  # a forked process must not inherit locks held by another thread
    with _LOCK:
        found = _OPEN.get(own)
        if found is None:
            found = _OPEN[own] = make()
    return found  # type: ignore[return-value]
