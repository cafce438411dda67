"""The garbage collector belongs to the program: it changes where the program asks, and graphs that are dropped go."""

from __future__ import annotations

import gc

from tradingagents.runtime.gc_tuning import THRESHOLDS, collect_rarely


def test_a_program_that_asks_gets_rarer_collections():
    before = gc.get_threshold()
    try:
        collect_rarely()
        assert gc.get_threshold() == THRESHOLDS
        assert all(ours >= pythons for ours, pythons in zip(THRESHOLDS, (700, 10, 10), strict=True))
    finally:
        gc.set_threshold(*before)
