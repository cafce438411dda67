"""Days that a question tells by what happened: read as days around results, or seen as days that no rule knows."""

from __future__ import annotations

import pytest

from tradingagents.retrieval.questions.turns.demands import demands_in, with_anchor


@pytest.mark.parametrize(
    ("said", "kinds"),
    [
        ("has it been above 100 since it reported?", {"event": "since it reported"}),
        ("what happened after its last earnings?", {"event": "after its last earnings"}),
        ("how far did it sink after those poor results?", {"event": "after those poor results"}),
        ("did it rise after the fed cut rates?", {"anchored": "after the fed"}),
        ("after falling  , did it recover?", {"anchored": "after falling"}),
        ("small caps since the    election?", {"anchored": "since the election"}),
        ("how did it do before earnings?", {"anchored": "before earnings"}),
        ("how has it done since?", {"anchored": "since"}),
        ("is it still expensive after this big drop?", {}),
        ("which bank is cheaper on earnings?", {}),
        ("does it make a profit before tax?", {}),
        ("margins against the same quarter a year before?", {}),
        ("is anybody going after it in court?", {}),
        ("how far has it come since its low?", {}),
        ("wie hat es sich seit dem   entwickelt?", {}),
        ("how much since the   did it rise?", {}),
        ("die drei größten unternehmen nach umsatz", {}),
    ],
)
def test_days_told_by_what_happened(said: str, kinds: dict[str, str]):
    demands = with_anchor(demands_in(said), said)
    assert {each.kind: each.said for each in demands if each.kind in ("event", "anchored")} == kinds
