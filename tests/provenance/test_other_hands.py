"""The rates of the check on reports by other hands. The aims are 90 % and 3 %; the bounds hold what was measured.

- `unfamiliar_reports`: minutes, letters, scorecards and dense paragraphs. Unseen, the check found 82.7 % of the errors
  and marked 28.9 % of the right figures; its rules were then changed with these passages in sight.
- `agent_reports`: what our agents are asked to write. Unseen, it found 73.9 % and marked 12.8 %, the check of the day
  before 77.1 % and 16.4 %. Whoever changes the rules for these passages writes others first.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest

from tests.provenance.planted import judged

SUBJECTS = {
    "unfamiliar_reports": {
        "copqz": ("COPQZ", "Copperidge Mining"),
        "strq": ("STRQ", "Streamorrow Studios"),
        "truz": ("TRUZ", "Truscombe Regional Bank"),
    },
    "agent_reports": {
        "klnq": ("KLNQ", "Kilnbrook Plumbing Supply"),
        "ledq": ("LEDQ", "Ledgermont Bancorp"),
        "pixz": ("PIXZ", "Pixelmoor Semiconductor"),
        "sanq": ("SANQ", "Sanoquel Diagnostics"),
    },
}


@lru_cache
def marks(folder: str) -> tuple[list[bool], list[bool]]:
    """Return whether each error, and whether each right figure, was marked."""
    found = list(judged(Path(__file__).parent / folder, SUBJECTS[folder]))
    return [marked for kind, _, marked in found if kind], [marked for kind, _, marked in found if not kind]


@pytest.mark.parametrize(
    ("folder", "count", "share"), [("unfamiliar_reports", 190, 0.82), ("agent_reports", 210, 0.73)]
)
def test_errors_are_found(folder: str, count: int, share: float) -> None:
    errors, _ = marks(folder)
    assert len(errors) > count
    assert sum(errors) >= share * len(errors)


@pytest.mark.parametrize(
    ("folder", "count", "share"), [("unfamiliar_reports", 730, 0.14), ("agent_reports", 800, 0.13)]
)
def test_right_figures_are_not_marked(folder: str, count: int, share: float) -> None:
    _, right = marks(folder)
    assert len(right) > count
    assert sum(right) <= share * len(right)
