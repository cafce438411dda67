"""Weights of the ranking, fitted on some companies and measured on others.

    python -m benchmarks.filings.cross_validation --pages FILE --documents FILE --questions FILE --filings FOLDER
        [--seeds 2] [--rules] [--terms] [--write]

Companies are dealt into `FOLDS` folds with all their filings and questions. The weights of each fold are fitted on the
questions of the other folds, and its own questions are then asked with them: `out of fold`. `--write` fits on all
questions and writes `fitted_weights.toml`, the only place of these numbers; `--rules` fits without each feature
in turn, and `--terms` asks without each entry of `finance_terms.toml`, fold by fold.

The model is a choice among a filing's pages: the chance of a page grows with the exponential of its score (conditional
logit; McFadden, 1974). What is maximised is the mean logarithm of the chance of the answering pages, less a penalty
for leaving the weights that were set by hand before.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import logsumexp

from benchmarks.filings.page_recall import Recall, page_recall
from benchmarks.filings.question_files import Asked, read_documents, read_filings, read_questions
from tradingagents.retrieval.index import lexicon, question, ranking
from tradingagents.retrieval.index.companies import Companies
from tradingagents.retrieval.index.document_index import DocumentIndex, index_document
from tradingagents.retrieval.index.passages import passages_of
from tradingagents.retrieval.index.words import term_numbers
from tradingagents.retrieval.models import SourceDocument
from tradingagents.retrieval.store import DocumentStore

FOLDS = 6
BY_HAND: Mapping[str, float] = {
    "words": 0.7, "passage": 0.3, "heading_words": 0.2, "item_words": 0.14, "rows": 0.5, "topic_words": 0.35,
    "topic_passage": 0.15, "topic_headings": 0.2, "statement_named": 1.2, "statement_of_measure": 0.96,
    "statement_of_item": 0.3, "discussion": 0.1, "events": 0.15, "unlikely": -0.35, "years": 0.12, "quarters": 0.12,
}  # fmt: skip
"""From which the fit starts, and which it leaves at a cost."""
SHARPNESS = 8.0
"""Factor of a score in the exponent: 0.1 more makes a page about twice as likely."""
PENALTY = 20.0
WEIGHTS_FILE = Path(ranking.__file__).with_name("fitted_weights.toml")
OWN_QUESTIONS = Path(__file__).with_name("own_questions.jsonl")
KEPT_ASIDE = Path(__file__).with_name("kept_aside_questions.jsonl")
"""Questions on companies that neither a rule nor a weight was made with."""
SEEDS = 2


@dataclass(frozen=True, slots=True)
class Sample:
    """A question with what is told of every page of its filing."""

    asked: Asked
    company: str
    pages: NDArray[np.float64]
    """A row a page, a column a feature of `ranking.FEATURES`."""


class Material:
    """Filings and questions, with the indexes of the filings that are asked about."""

    def __init__(self, documents: Mapping[str, SourceDocument], questions: Sequence[Asked]) -> None:
        """Index the filings."""
        self.documents = documents
        self.questions = questions
        self._indexes: dict[str, DocumentIndex] = {}

    def company(self, asked: Asked) -> str:
        """Return the company of a question's filing."""
        return self.documents[asked.document].info.company

    def samples(self) -> list[Sample]:
        """Return all questions with the features of their filings' pages."""
        return [self._sample(asked) for asked in self.questions]

    def _sample(self, asked: Asked) -> Sample:
        document = self.documents[asked.document]
        info = document.info
        plain = Companies([(info.symbol, info.company)]).without_names(asked.text)
        wanted = ranking.wanted_numbers(question.read_search_question(plain), ignored=set(term_numbers(info.company)))
        index = self._index(document)
        told, _ = ranking.page_features(index, wanted)
        zeros = np.zeros(index.pages)
        return Sample(asked, info.company, np.stack([told.get(name, zeros) for name in ranking.FEATURES], axis=1))

    def _index(self, document: SourceDocument) -> DocumentIndex:
        if document.info.key not in self._indexes:
            texts = [page.text for page in document.pages]
            self._indexes[document.info.key] = index_document(texts, passages_of(document))
        return self._indexes[document.info.key]


def folds(companies: Iterable[str], seed: int) -> list[frozenset[str]]:
    """Deal companies into folds."""
    shuffled = sorted(set(companies))
    random.Random(seed).shuffle(shuffled)  # noqa: S311 - no secret
    return [frozenset(shuffled[at::FOLDS]) for at in range(FOLDS)]


def fit(samples: Sequence[Sample], *, without: Sequence[str] = ()) -> dict[str, float]:
    """Return the weights under which the answering pages are likeliest.

    Args:
        without: Features to leave out.
    """
    names = [name for name in ranking.FEATURES if name not in without]
    columns = [list(ranking.FEATURES).index(name) for name in names]
    start = np.array([BY_HAND[name] * SHARPNESS for name in names])
    pages = [sample.pages[:, columns] for sample in samples]

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        total, slope = 0.0, np.zeros_like(weights)
        for sample, told in zip(samples, pages, strict=True):
            scores = told @ weights
            whole = logsumexp(scores)
            mean = np.exp(scores - whole) @ told
            for group in sample.asked.pages:
                rows = sorted(group)
                own = logsumexp(scores[rows])
                total -= (own - whole) / len(sample.asked.pages)
                slope -= (np.exp(scores[rows] - own) @ told[rows] - mean) / len(sample.asked.pages)
        away = weights - start
        return total + PENALTY / 2 * float(away @ away), slope + PENALTY * away

    found = minimize(loss, start, jac=True, method="L-BFGS-B").x / SHARPNESS
    return {name: round(float(weight), 4) for name, weight in zip(names, found, strict=True)}


def likelihood(samples: Sequence[Sample], weights: Mapping[str, float]) -> float:
    """Return the mean logarithm of the chance of the answering pages."""
    vector = np.array([weights.get(name, 0.0) for name in ranking.FEATURES]) * SHARPNESS
    total = 0.0
    for sample in samples:
        scores = sample.pages @ vector
        own = [logsumexp(scores[sorted(group)]) for group in sample.asked.pages]
        total += float(np.mean(own) - logsumexp(scores))
    return total / max(len(samples), 1)


def out_of_fold(
    material: Material, samples: Sequence[Sample], store_of: Callable[[Mapping[str, float]], DocumentStore], seeds: int
) -> dict[str, Any]:
    """Ask each question with weights that were fitted on other companies; means over the seeds.

    A company that nothing is fitted on is asked with the weights of all.

    Args:
        samples: All that is fitted on, of this material and others.
        store_of: Opens the store of the material's filings with weights.
    """
    own = material.questions
    shares: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    times = []
    for seed in range(seeds):
        known = {sample.company for sample in samples}
        strange = frozenset(map(material.company, own)) - known
        for fold in (*folds(known, seed), strange):
            asked = [each for each in own if material.company(each) in fold]
            if not asked:
                continue
            store = store_of(fit([sample for sample in samples if sample.company not in fold]))
            for name, given in (("known_filing", True), ("one_store", False)):
                recall: Recall = page_recall(store, material.documents, asked, given=given)
                times.append(recall.query_ms)
                for count, share in recall.share.items():
                    shares[name][count] += share * recall.questions / len(own) / seeds
            store.close()
    figures = {name: {str(count): round(share, 4) for count, share in each.items()} for name, each in shares.items()}
    return {"n": len(own), "folds": FOLDS, "seeds": seeds, **figures, "query_ms": round(max(times, default=0.0), 2)}


def measured(material: Material, samples: Sequence[Sample], seeds: int) -> dict[str, Any]:
    """Return `out_of_fold` of a material in a store of its own."""
    with tempfile.TemporaryDirectory() as folder:
        store = DocumentStore(folder)
        for document in material.documents.values():
            store.add(document)
        store.close()
        return out_of_fold(material, samples, lambda weights: DocumentStore(folder, page_weights=weights), seeds)


def by_rule(samples: Sequence[Sample], seed: int = 0) -> dict[str, list[float]]:
    """Return for each feature how much likelier it makes the answering pages of each fold, fitted without that fold."""
    found = defaultdict(list)
    for fold in folds((sample.company for sample in samples), seed):
        rest = [sample for sample in samples if sample.company not in fold]
        own = [sample for sample in samples if sample.company in fold]
        base = likelihood(own, fit(rest))
        for name in ranking.FEATURES:
            found[name].append(round(base - likelihood(own, fit(rest, without=[name])), 3))
    return dict(found)


def by_term(material: Material, weights: Mapping[str, float], seed: int = 0) -> dict[str, list[float]]:
    """Return for each entry of `finance_terms.toml` how much likelier it makes the answering pages of each fold."""
    whole = lexicon.finance_lexicon()
    base = material.samples()
    dealt = folds((sample.company for sample in base), seed)
    found = {}
    for kind, table in (("items", whole.items), ("measures", whole.measures), ("topics", whole.topics)):
        for name in table:
            with mock.patch.object(question, "finance_lexicon", return_value=whole.without(name)):
                changed = material.samples()
            gains = []
            for fold in dealt:
                pairs = [pair for pair in zip(base, changed, strict=True) if pair[0].company in fold]
                before, after = (likelihood(list(each), weights) for each in zip(*pairs, strict=True))
                gains.append(round(before - after, 3))
            if any(gains):
                found[f"{kind}.{name}"] = gains
    return found


def cross_validated(options: argparse.Namespace) -> dict[str, Any]:
    """Return the out-of-fold figures of all questions, and those of the questions that nothing was fitted on."""
    materials = material_of(options)
    samples = [sample for material in materials for sample in material.samples()]
    names = ("out_of_fold", "own_out_of_fold")
    found = {name: measured(material, samples, SEEDS) for name, material in zip(names, materials, strict=False)}
    if len(materials) > 1:
        others = materials[1].documents
        found["kept_aside"] = measured(Material(others, read_questions(KEPT_ASIDE, others)[0]), samples, 1)
    return found


def write(weights: Mapping[str, float]) -> None:
    """Write the weights that the library ships; the other tables of the file stay."""
    text = WEIGHTS_FILE.read_text("utf-8")
    head, _, rest = text.partition("[pages]\n")
    other = rest.partition("\n[")
    lines = "".join(f"{name} = {weight}\n" for name, weight in weights.items())
    WEIGHTS_FILE.write_text(f"{head}[pages]\n{lines}{other[1]}{other[2]}", "utf-8")


def material_of(options: argparse.Namespace) -> list[Material]:
    """Return the recorded questions, and those of our own on filings of other companies where their folder is given."""
    documents = read_documents(options.pages, options.documents)
    found = [Material(documents, read_questions(options.questions, documents)[0])]
    if options.filings:
        others = read_filings(options.filings)
        found.append(Material(others, read_questions(OWN_QUESTIONS, others)[0]))
    return found


def main() -> None:
    """Measure, print and write."""
    options = _options()
    materials = material_of(options)
    samples = [sample for material in materials for sample in material.samples()]
    weights = fit(samples)
    if options.write:
        write(weights)
    if options.rules:
        print(json.dumps(by_rule(samples), indent=1))
    for material in materials:
        print(json.dumps(measured(material, samples, options.seeds)))
        if options.terms:
            print(json.dumps(by_term(material, weights)))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("pages", "documents", "questions"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--filings", type=Path, help="folder of filings in HTML that the questions of our own are on")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--rules", action="store_true", help="fit without each feature in turn")
    parser.add_argument("--terms", action="store_true", help="ask without each entry of the finance terms")
    parser.add_argument("--write", action="store_true", help="write the weights fitted on all questions")
    return parser.parse_args()


if __name__ == "__main__":
    main()
