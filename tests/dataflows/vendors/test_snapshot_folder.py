from __future__ import annotations

from tradingagents.dataflows.vendors.snapshot.folder import MadeWhenAsked


def test_what_nobody_asks_for_is_not_made():
    made: list[str] = []

    def make(key: str) -> str:
        made.append(key)
        return key.lower()

    values = MadeWhenAsked(["A", "B", "A"], make)
    assert (len(values), list(values)) == (2, ["A", "B"])
    assert (values["A"], values["A"], values.get("C", "none")) == ("a", "a", "none")
    assert made == ["A"]
