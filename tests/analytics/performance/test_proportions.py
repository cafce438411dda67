"""Shares of cases."""

from __future__ import annotations

from tradingagents.analytics.performance.intervals import ObservedShare


def test_a_share_has_its_counts_and_no_interval():
    assert ObservedShare(3, 4).to_json() == {"count": 3, "of": 4, "share": 0.75}
    assert ObservedShare(0, 0).value is None
