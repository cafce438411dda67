"""What a question says that it does not ask for is left out only where the rest names its counterpart."""

from __future__ import annotations

import pytest

from tradingagents.retrieval.questions.turns.contrasts import without_contrasts


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("its highest close, not the intraday high, and when?", "its highest close, and when?"),
        ("has anybody bought - not sold - at VELQ?", "has anybody bought at VELQ?"),
        ("last full fiscal year, not the quarter: whose margin?", "last full fiscal year: whose margin?"),
        ("how high did it get during the day - not where it closed?", "how high did it get during the day?"),
        ("Apple's gross margin (not net) please", "Apple's gross margin please"),
        ("Umsatz im Jahr 2024, nicht im Quartal?", "Umsatz im Jahr 2024?"),
        ("which bank, not counting JPM, rose most?", "which bank, not counting JPM, rose most?"),
        ("its margin, not gross", "its margin, not gross"),
        ("which rose, not today but this week", "which rose, not today but this week"),
        ("it rose, not fell, right?", "it rose, not fell, right?"),
    ],
)
def test_a_contrast(said: str, left: str) -> None:
    assert without_contrasts(said) == left
