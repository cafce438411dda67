"""The rate of the check on reports by another hand that nobody who worked on it had seen when it was measured.

Minutes, letters, e-mails, scorecards and dense paragraphs full of figures that are worked out. The check before found
86.8 % of the errors here and marked 45.4 % of the right figures. The aims are 90 % and 3 %: the bounds hold what was
measured. Whoever changes the rules for these passages writes others first.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from tests.provenance.planted import judged

SUBJECTS = {
    "copqz": ("COPQZ", "Copperidge Mining"),
    "strq": ("STRQ", "Streamorrow Studios"),
    "truz": ("TRUZ", "Truscombe Regional Bank"),
}


@lru_cache
def marks() -> tuple[list[bool], list[bool]]:
    """Return whether each error, and whether each right figure, was marked."""
    found = list(judged(Path(__file__).parent / "unfamiliar_reports", SUBJECTS))
    return [marked for kind, _, marked in found if kind], [marked for kind, _, marked in found if not kind]


def test_errors_in_unfamiliar_reports_are_found() -> None:
    errors, _ = marks()
    assert len(errors) > 190
    assert sum(errors) >= 0.82 * len(errors)  # the aim is 0.90


def test_right_figures_in_unfamiliar_reports_are_not_marked() -> None:
    _, right = marks()
    assert len(right) > 740
    assert sum(right) <= 0.29 * len(right)  # the aim is 0.03
