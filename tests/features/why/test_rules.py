"""Why a decision changed: sets of readings by hand, and that the set found is the smallest."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradingagents.features.why.rules import decision_change
from tradingagents.offline.evidence import ChangedView, Evidence, View
from tradingagents.offline.readings import Row

FIGURES = ("rsi", "mfi", "close_200_sma", "close_50_sma", "macdh")
SHARE = 0.2


def view(scores: dict[str, float]) -> View:
    """A view in which each figure counts the same; the rules here decide by the net score alone."""
    rows = [
        Row(name, f"{50 + 10 * score:.0f}", score, "", "get_indicators", 50 + 10 * score)
        for name, score in scores.items()
    ]
    evidence = tuple(Evidence("market_report", row, SHARE * row.score, SHARE, row.metric) for row in rows)
    return View(evidence, {"market_report": 0.0}, None, {"market_report": 1.0})


def by_net(seen: View) -> str:
    net = round(sum(item.contribution for item in seen.evidence), 9)
    return "BUY" if net > 0.06 else "SELL" if net < -0.06 else "HOLD"


def test_one_reading_turned_the_decision():
    first = view({"rsi": 0.2, "mfi": 0.2, "macdh": 0.2})  # 0.12: BUY
    second = view({"rsi": 0.1, "mfi": 0.2, "macdh": -0.9})  # -0.12: SELL
    found = decision_change(first, second, by_net)
    assert (found.before, found.after, found.turned, found.smallest) == ("BUY", "SELL", "BUY", True)
    assert [one.label for one in found.deciding] == ["MACD histogram"]
    assert found.deciding[0].effect == pytest.approx(0.2 * -1.1)
    assert (found.deciding[0].before, found.deciding[0].after) == ("52", "41")
    assert [one.label for one in found.changes] == ["MACD histogram", "RSI"]
    assert found.net_after - found.net_before == pytest.approx(sum(one.effect for one in found.changes))


def test_two_readings_are_needed():
    first = view(dict.fromkeys(("rsi", "mfi", "macdh"), 0.5))
    second = view({"rsi": -0.2, "mfi": -0.2, "macdh": 0.1})
    found = decision_change(first, second, by_net)
    assert found.after == "HOLD"
    assert len(found.deciding) == 1  # 0.5 instead of -0.2 adds 0.14: 0.08
    harder = decision_change(first, view(dict.fromkeys(("rsi", "mfi", "macdh"), -0.5)), by_net)
    assert (harder.after, len(harder.deciding), harder.turned, harder.smallest) == ("SELL", 2, "BUY", True)


def test_equal_decisions_list_what_changed_and_nothing_decides():
    found = decision_change(view({"rsi": 0.9}), view({"rsi": 0.8, "mfi": 0.1}), by_net)
    assert not found.differs
    assert found.deciding == ()
    assert found.turned is None
    assert {(one.label, one.before) for one in found.changes} == {("RSI", "59"), ("money flow index", None)}


def test_a_reading_that_is_gone_cannot_be_put_back():
    found = decision_change(view({"rsi": 0.1, "macdh": 0.9}), view({"rsi": 0.1}), by_net)
    assert (found.before, found.after) == ("BUY", "HOLD")
    assert found.deciding == ()
    assert [(one.label, one.after) for one in found.changes] == [("MACD histogram", None)]


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1)), min_size=5, max_size=5))
def test_no_smaller_set_turns_the_decision(pairs: list[tuple[float, float]]):
    first = view({name: round(before, 2) for name, (before, _) in zip(FIGURES, pairs, strict=True)})
    second = view({name: round(after, 2) for name, (_, after) in zip(FIGURES, pairs, strict=True)})
    found = decision_change(first, second, by_net)
    if not found.differs:
        return
    assert found.deciding  # all of them together give the earlier evidence
    assert found.smallest
    earlier = {place: item.row for place, item in enumerate(first.evidence)}
    for size in range(1, len(found.deciding)):
        for places in combinations(range(5), size):
            assert by_net(ChangedView(second, {place: earlier[place] for place in places})) == found.after


def test_where_many_would_have_to_be_tried_the_set_is_built_up():
    many = 40
    first = view({f"figure_{number}": 0.5 for number in range(many)})
    second = view({f"figure_{number}": -0.5 for number in range(many)})
    halved = [
        replace(
            one,
            evidence=tuple(replace(item, contribution=item.row.score / many, share=1 / many) for item in one.evidence),
        )
        for one in (first, second)
    ]
    found = decision_change(halved[0], halved[1], by_net)
    assert found.turned == "HOLD"
    assert len(found.deciding) == 18  # each adds a fortieth; -0.5 + 18/40 = -0.05
    assert not found.smallest
