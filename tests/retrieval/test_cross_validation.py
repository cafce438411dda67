"""Weights are fitted on other companies than they are measured on."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.filings.cross_validation import (
    BY_HAND,
    FOLDS,
    KEPT_ASIDE,
    OWN_QUESTIONS,
    WEIGHTS_FILE,
    Sample,
    cross_validated,
    fit,
    folds,
    likelihood,
)
from benchmarks.filings.question_files import Asked
from tradingagents.retrieval.index.ranking import FEATURES, page_weights


def test_every_company_is_left_out_once():
    names = [f"Company {number}" for number in range(20)]
    dealt = folds([*names, *names], seed=1)
    assert len(dealt) == FOLDS
    assert sorted(name for fold in dealt for name in fold) == sorted(names)
    assert dealt == folds(reversed(names), seed=1)
    assert dealt != folds(names, seed=2)


def _sample(number: int) -> Sample:
    """Return a question whose answering page is told by its row alone."""
    random = np.random.default_rng(number)
    pages = random.uniform(size=(30, len(FEATURES)))
    pages[:, list(FEATURES).index("rows")] = 0
    pages[7, list(FEATURES).index("rows")] = 1
    return Sample(Asked("?", "doc", (frozenset([7]),), "", ""), f"Company {number}", pages)


def test_the_fit_finds_what_tells_the_answering_page():
    samples = [_sample(number) for number in range(120)]
    weights = fit(samples)
    assert weights["rows"] > BY_HAND["rows"] + 0.3
    assert weights["events"] < BY_HAND["events"]
    assert likelihood(samples, weights) > likelihood(samples, BY_HAND)
    assert likelihood(samples, fit(samples, without=["rows"])) < likelihood(samples, weights)


def test_the_weights_that_are_shipped_are_of_the_features_that_are_told():
    assert set(page_weights()) == set(FEATURES) == set(BY_HAND)
    assert WEIGHTS_FILE.is_file()


def test_no_company_that_was_tuned_on_is_kept_aside():
    own, aside = ({json.loads(line)["doc"].split("_")[0] for line in path.read_text().splitlines()}
                  for path in (OWN_QUESTIONS, KEPT_ASIDE))  # fmt: skip
    assert len(aside) >= 6
    assert not own & aside


@pytest.mark.real_data
@pytest.mark.nightly
def test_pages_are_found_out_of_fold(test_data: Path):
    folder = test_data / "financebench"
    options = argparse.Namespace(
        pages=folder / "pages.jsonl.gz",
        documents=folder / "documents.jsonl",
        questions=folder / "questions_dev.jsonl",
        filings=test_data / "market" / "filings",
    )
    found = cross_validated(options)
    bounds = {"known_filing": (0.66, 0.90, 0.95, 0.99), "one_store": (0.60, 0.86, 0.90, 0.94)}
    for name, least in bounds.items():
        assert all(share >= bound for share, bound in zip(found["out_of_fold"][name].values(), least, strict=True))
    aside = {"known_filing": (0.60, 0.92, 0.96, 0.96), "one_store": (0.58, 0.90, 0.94, 0.94)}
    for name, least in aside.items():
        assert all(share >= bound for share, bound in zip(found["kept_aside"][name].values(), least, strict=True))
    assert found["out_of_fold"]["query_ms"] <= 15
