"""The rule table for holders: each cell by hand, and what holds for all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradingagents.analytics.holdings.holder_actions import HolderAction, HolderRules, View, holder_target

LONG_ONLY = HolderRules(max_position=0.15)
SHORTING = HolderRules(max_position=0.15, shorting=True)


@pytest.mark.parametrize(
    ("view", "conviction", "weight", "wanted", "rules", "action", "after"),
    [
        ("BUY", 0.7, 0.0, 0.1, LONG_ONLY, "open", 0.1),
        ("BUY", 0.7, 0.0, 0.0, LONG_ONLY, "hold", 0.0),
        ("BUY", 0.7, 0.0, 0.9, LONG_ONLY, "open", 0.15),
        ("BUY", 0.7, 0.04, 0.1, LONG_ONLY, "add", 0.1),
        ("BUY", 0.7, 0.098, 0.1, LONG_ONLY, "hold", 0.098),
        ("BUY", 0.7, 0.12, 0.1, LONG_ONLY, "hold", 0.12),
        ("BUY", 0.7, 0.30, 0.1, LONG_ONLY, "trim", 0.15),
        ("BUY", 0.7, -0.05, 0.1, SHORTING, "cover", 0.0),
        ("HOLD", 0.7, 0.0, 0.1, LONG_ONLY, "hold", 0.0),
        ("HOLD", 0.7, 0.1, 0.1, LONG_ONLY, "hold", 0.1),
        ("HOLD", 0.7, 0.3, 0.1, LONG_ONLY, "trim", 0.15),
        ("HOLD", 0.7, -0.1, 0.1, SHORTING, "hold", -0.1),
        ("HOLD", 0.7, -0.3, 0.1, SHORTING, "cover", -0.15),
        ("SELL", 0.7, 0.1, 0.1, LONG_ONLY, "close", 0.0),
        ("SELL", 0.65, 0.1, 0.1, SHORTING, "close", 0.0),
        ("SELL", 0.64, 0.1, 0.1, LONG_ONLY, "trim", 0.05),
        ("SELL", 0.64, 0.4, 0.1, LONG_ONLY, "trim", 0.15),
        ("SELL", 0.7, 0.0, 0.1, LONG_ONLY, "hold", 0.0),
        ("SELL", 0.7, 0.0, 0.1, SHORTING, "short", -0.1),
        ("SELL", 0.7, -0.05, 0.1, SHORTING, "add", -0.1),
        ("SELL", 0.7, -0.12, 0.1, SHORTING, "hold", -0.12),
        ("SELL", 0.5, -0.05, 0.1, SHORTING, "hold", -0.05),
        ("SELL", 0.7, -0.05, 0.1, LONG_ONLY, "hold", -0.05),
        ("NO_DECISION", 0.0, 0.5, 0.1, LONG_ONLY, "hold", 0.5),
        ("NO_DECISION", 0.0, 0.0, 0.1, SHORTING, "hold", 0.0),
    ],
)
def test_the_rule_table(
    view: View,
    conviction: float,
    weight: float,
    wanted: float,
    rules: HolderRules,
    action: HolderAction,
    after: float,
):
    target = holder_target(view, conviction, weight, wanted, rules)
    assert (target.action, target.weight) == (action, after)
    assert target.why


@given(
    st.sampled_from(["BUY", "SELL", "HOLD", "NO_DECISION"]),
    st.floats(0, 1),
    st.floats(-1, 1),
    st.floats(0, 2),
    st.builds(HolderRules, max_position=st.floats(0.01, 1), shorting=st.booleans()),
)
def test_an_action_is_what_it_is_called(
    view: View, conviction: float, weight: float, wanted: float, rules: HolderRules
):
    target = holder_target(view, conviction, weight, wanted, rules)
    change = target.weight - weight
    signs = {
        "open": weight == 0 < change,
        "hold": change == 0,
        "trim": weight > 0 > change,
        "short": weight == 0 > change,
    }
    signs |= {"close": weight > 0 == target.weight, "cover": weight < 0 < change and target.weight <= 0}
    signs["add"] = weight * change > 0
    assert signs[target.action]
    assert target.weight >= 0 or rules.shorting or weight < 0, "no short position is opened unless it is allowed"
    if target.action in ("open", "add", "trim", "short"):
        assert abs(target.weight) <= rules.max_position
    if view != "NO_DECISION" and target.action == "hold":
        assert abs(weight) <= rules.max_position + rules.least_change
