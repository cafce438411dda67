"""The garbage collector looks less often while runs are under way, and as before once the last has ended."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from tradingagents.runtime.gc_tuning import THRESHOLDS, rarer_collections


@pytest.fixture(autouse=True)
def _nothing_frozen() -> Iterator[None]:
    """Begin as a program that froze nothing; the test session freezes what it loaded."""
    gc.unfreeze()
    yield
    gc.freeze()


def test_it_looks_less_often_within_and_as_before_afterwards():
    before = gc.get_threshold()
    with rarer_collections():
        assert gc.get_threshold() == THRESHOLDS
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def test_runs_that_overlap_without_one_holding_the_other_leave_it_as_the_first_found_it():
    before = gc.get_threshold()
    first, second = rarer_collections(), rarer_collections()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert gc.get_threshold() == THRESHOLDS
    second.__exit__(None, None, None)
    assert gc.get_threshold() == before


def test_a_run_that_fails_leaves_it_as_it_was():
    before = gc.get_threshold()
    with pytest.raises(RuntimeError), rarer_collections():
        raise RuntimeError
    assert gc.get_threshold() == before


def test_what_a_program_froze_itself_stays_frozen():
    gc.freeze()
    frozen = gc.get_freeze_count()
    with rarer_collections():
        within = gc.get_freeze_count()
    assert frozen > 0
    assert within == gc.get_freeze_count() == frozen
