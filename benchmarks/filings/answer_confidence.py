"""How well the confidence of answers without a language model was measured, on companies that it was not fitted on.

    python -m benchmarks.filings.answer_confidence --pages FILE --documents FILE --questions FILE --filings FOLDER
        [--write]

Each question is asked in one store of all filings, by rules. An answer is right where one of the pages that it cites is
a page that answers the question; where it refuses, it is not counted. The weights of `answer_confidence.SIGNALS` are a
logistic regression with an L2 penalty. Companies are dealt into folds as in `cross_validation.py`; the weights of each
fold are fitted on the others. Printed are a table of reliability (what was said, what was measured), and how many right
answers are lost and wrong ones refused below `BAR`.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from benchmarks.filings.cross_validation import KEPT_ASIDE, WEIGHTS_FILE, Material, folds, material_of
from benchmarks.filings.question_files import read_questions
from tradingagents.graph.filings_answerer import FilingsAnswerer
from tradingagents.retrieval.figures import answer_confidence as confidence

PENALTY = 1.0
SEEDS = 4
BINS = (0.0, 0.3, 0.5, 0.7, 0.85, 1.01)
"""Edges of the bins of the table of reliability."""


@dataclass(frozen=True, slots=True)
class RatedAnswer:
    """An answer of the rules."""

    company: str
    signals: Mapping[str, float]
    right: bool
    """Whether it cites a page that answers the question."""


def answers_of(material: Material) -> list[RatedAnswer]:
    """Ask all questions in one store, whatever the answers' confidence; those that are refused are left out."""
    found = []
    names = {document.info.key: name for name, document in material.documents.items()}
    signals: list[Mapping[str, float]] = []

    def certain(told: Mapping[str, float]) -> float:
        signals.append(told)
        return 1.0

    with (
        tempfile.TemporaryDirectory() as home,
        FilingsAnswerer({"llm_provider": "offline", "data_vendor": "simulated", "home": home}) as agent,
        mock.patch.object(confidence, "answer_confidence", certain),
    ):
        for document in material.documents.values():
            agent.store.add(document)
        for asked in material.questions:
            signals.clear()
            record = agent.ask(asked.text).record
            if signals:
                gold = frozenset().union(*asked.pages)
                cited = [source for source in record.sources if source.label in record.cited]
                right = any(names.get(source.document) == asked.document and source.page in gold for source in cited)
                found.append(RatedAnswer(material.company(asked), signals[-1], right))
    return found


def fit(answers: Sequence[RatedAnswer]) -> dict[str, float]:
    """Return the weights of a logistic regression; the constant is not penalised."""
    told, right = _table(answers)

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        scores = told @ weights
        away = np.concatenate(([0.0], weights[1:]))
        slope = told.T @ (1 / (1 + np.exp(-scores)) - right) + PENALTY * away
        return float(np.sum(np.logaddexp(0, scores) - right * scores)) + PENALTY / 2 * float(away @ away), slope

    found = minimize(loss, np.zeros(told.shape[1]), jac=True).x
    return {
        name: round(float(weight), 3) for name, weight in zip(("constant", *confidence.SIGNALS), found, strict=True)
    }


def _table(answers: Sequence[RatedAnswer]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    told = np.array([[1.0, *(answer.signals[name] for name in confidence.SIGNALS)] for answer in answers])
    return told, np.array([answer.right for answer in answers], dtype=np.float64)


def out_of_fold(answers: Sequence[RatedAnswer], seeds: int = SEEDS) -> list[float]:
    """Return the confidence of each answer by weights fitted on other companies; the mean over the seeds."""
    said = np.zeros(len(answers))
    for seed in range(seeds):
        for fold in folds((answer.company for answer in answers), seed):
            weights = fit([answer for answer in answers if answer.company not in fold])
            for number, answer in enumerate(answers):
                if answer.company in fold:
                    said[number] += confidence.answer_confidence(answer.signals, weights) / seeds
    return [round(float(share), 4) for share in said]


def reliability(answers: Sequence[RatedAnswer], said: Sequence[float]) -> dict[str, Any]:
    """Return what was said and measured in each bin, and what the bar loses and refuses."""
    pairs = list(zip(said, (answer.right for answer in answers), strict=True))
    bins = []
    for low, high in pairwise(BINS):
        own = [(share, right) for share, right in pairs if low <= share < high]
        if own:
            means = [round(float(np.mean(column)), 3) for column in zip(*own, strict=True)]
            bins.append({"from": low, "answers": len(own), "said": means[0], "measured": means[1]})
    under = [right for share, right in pairs if share < confidence.BAR]
    return {
        "n": len(pairs),
        "right": sum(right for _, right in pairs),
        "right_lost": sum(under),
        "wrong_refused": len(under) - sum(under),
        "bins": bins,
    }


def write(weights: Mapping[str, float]) -> None:
    """Write the weights that the library ships; the other tables of the file stay."""
    head, _, _ = WEIGHTS_FILE.read_text("utf-8").partition("\n[answers]\n")
    lines = "".join(f"{name} = {weight}\n" for name, weight in weights.items())
    WEIGHTS_FILE.write_text(f"{head.rstrip()}\n\n[answers]\n{lines}", "utf-8")


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("pages", "documents", "questions", "filings"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--write", action="store_true", help="write the weights fitted on all questions")
    options = parser.parse_args()
    materials = material_of(options)
    answers = [answer for material in materials for answer in answers_of(material)]
    weights = fit(answers)
    if options.write:
        write(weights)
    others = materials[1].documents
    aside = answers_of(Material(others, read_questions(KEPT_ASIDE, others)[0]))
    told = [confidence.answer_confidence(answer.signals, weights) for answer in aside]
    print(json.dumps({"weights": weights, "out_of_fold": reliability(answers, out_of_fold(answers)),
                      "kept_aside": reliability(aside, told)}, indent=1))  # fmt: skip


if __name__ == "__main__":
    main()
