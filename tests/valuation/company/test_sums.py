"""What a sum of the bridge is called: all that it holds, and nothing that is 0."""

from __future__ import annotations

import pytest

from tradingagents.valuation.company.answer_parts import ValuationAssumption, sum_words


@pytest.mark.parametrize(
    ("name", "amounts", "words"),
    [
        ("debt", {"debt": 60.0}, "debt"),
        ("debt", {"debt": 60.0, "finance_leases": 2.0, "pension_deficit": 3.0},
         "debt, finance leases and pension deficit"),
        ("debt", {"debt": 0.0, "pension_deficit": 3.0}, "pension deficit"),
        ("cash", {"cash": 5.0, "short_term_investments": 1.0}, "cash and short-term securities"),
        ("minority_interest", {"minority_interest": 0.0, "preferred_equity": 7.0}, "preferred stock"),
        ("minority_interest", {"minority_interest": 1.0, "preferred_equity": 0.0}, "minority interest"),
        ("minority_interest", {}, "minority interest"),
    ],
)  # fmt: skip
def test_a_sum_is_called_what_it_holds(name: str, amounts: dict[str, float], words: str) -> None:
    rows = [ValuationAssumption(part, amount, "data", "") for part, amount in amounts.items()]
    assert sum_words(name, rows) == words
