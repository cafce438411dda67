"""The rate of the check on reports by another hand, in the manner of what our agents are asked to write.

Nobody who worked on the check had seen them when they were measured: it found 73.9 % of the errors and marked 12.8 %
of the right figures, the check of the day before 77.1 % and 16.4 %. The aims are 90 % and 3 %: the bounds hold what was
measured. Whoever changes the rules for these passages writes others first.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from tests.provenance.planted import judged

SUBJECTS = {
    "klnq": ("KLNQ", "Kilnbrook Plumbing Supply"),
    "ledq": ("LEDQ", "Ledgermont Bancorp"),
    "pixz": ("PIXZ", "Pixelmoor Semiconductor"),
    "sanq": ("SANQ", "Sanoquel Diagnostics"),
}


@lru_cache
def marks() -> tuple[list[bool], list[bool]]:
    """Return whether each error, and whether each right figure, was marked."""
    found = list(judged(Path(__file__).parent / "agent_reports", SUBJECTS))
    return [marked for kind, _, marked in found if kind], [marked for kind, _, marked in found if not kind]


def test_errors_in_agent_reports_are_found() -> None:
    errors, _ = marks()
    assert len(errors) > 210
    assert sum(errors) >= 0.73 * len(errors)  # the aim is 0.90


def test_right_figures_in_agent_reports_are_not_marked() -> None:
    _, right = marks()
    assert len(right) > 800
    assert sum(right) <= 0.13 * len(right)  # the aim is 0.03
