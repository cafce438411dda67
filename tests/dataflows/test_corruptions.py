"""Recorded companies with corrupted data: no figure is silently wrong, and nothing crashes.

A sample of the cases of `python -m benchmarks.data_corruptions`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.data_corruptions.cases import KINDS, Cases
from benchmarks.data_corruptions.judging import Verdict, judge
from tests.support.tiers import is_fast

pytestmark = pytest.mark.real_data

SEEDS = (0, 26) if is_fast() else (0, 11, 26)
"""The first one makes an offline trading run and asks about the whole market too."""


@pytest.fixture(scope="module")
def cases(test_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Cases:
    return Cases(test_data / "snapshot", tmp_path_factory.mktemp("corruptions"), sampled=10)


def _problems(verdict: Verdict) -> list[str]:
    return [*verdict.crashes, *(finding.text for finding in verdict.wrong)]


@pytest.mark.parametrize("kind", KINDS)
def test_corrupted_data_never_become_a_figure(cases: Cases, kind: str) -> None:
    for seed in SEEDS:
        outcome = cases.run(kind, seed)
        problems = _problems(outcome.verdict)
        assert not problems, f"{kind} {seed}, {outcome.day}, {outcome.what}: {len(problems)}, first {problems[:5]}"


def test_there_are_thirty_kinds_and_each_says_where_it_comes_from() -> None:
    assert len(KINDS) == 30
    assert all(kind.source for kind in KINDS.values())


def test_a_case_is_the_same_each_time(cases: Cases) -> None:
    for kind in KINDS:
        one, other = cases.draw(kind, 4), cases.draw(kind, 4)
        assert (one[1], one[2].what, one[2].rows) == (other[1], other[2].what, other[2].rows)


def test_the_clean_copy_is_without_a_finding(cases: Cases) -> None:
    """The judge finds nothing where nothing was corrupted."""
    company, day, _ = cases.draw("halt", 1)
    answers = cases.asker.ask(company, day)
    assert answers
    assert judge("halt", (), answers, cases.asker.ask(company, day)) == Verdict()
