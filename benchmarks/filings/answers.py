"""How many questions the offline rules answer from statement cells: right, refused and wrong, by type of question."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from benchmarks.filings.scoring import Judge, Verdict, expected_figure, score, score_value
from tradingagents.retrieval.figures.answers import answer_from_documents
from tradingagents.retrieval.figures.extractive_answer import ExtractiveAnswer
from tradingagents.retrieval.models import SourceDocument
from tradingagents.retrieval.text_tables import with_text_tables


def score_answers(
    documents: Mapping[str, SourceDocument], questions: Iterable[Mapping[str, Any]], judge: Judge | None = None
) -> dict[str, dict[str, float]]:
    """Answer each question from its filing and count the verdicts.

    Args:
        documents: Filings by the name that the questions use in `doc`.
        questions: Rows with `question`, `answer`, `doc` and `question_type`; those without their filing are left out.
        judge: Reads the answers to questions that do not ask for a bare figure; without it they are `unscored`.

    Returns:
        By type of question `n` and the shares `right`, `refused` and `wrong` of it, and the number `unscored`.
    """
    read: dict[str, SourceDocument] = {}
    counts: defaultdict[str, Counter[Verdict]] = defaultdict(Counter)
    for row in questions:
        name = row["doc"]
        if name not in documents:
            continue
        if name not in read:
            read[name] = documents[name] if documents[name].tables else with_text_tables(documents[name])
        answer = answer_from_documents(row["question"], [read[name]])
        counts[row["question_type"]][score_answer(row["question"], row["answer"], answer, judge)] += 1
    return {kind: _shares(found) for kind, found in sorted(counts.items())}


def score_answer(question: str, expected: str, answer: ExtractiveAnswer, judge: Judge | None = None) -> Verdict:
    """Score one answer of the rules; quoted sentences answer no question for a figure."""
    figure = expected_figure(expected)
    if figure is not None:
        return score_value(figure, answer.value, answer.unit)
    return score(question, expected, answer.text, refused=answer.kind == "refusal", judge=judge)


def _shares(counts: Counter[Verdict]) -> dict[str, float]:
    unscored = counts["unscored"]
    n = sum(counts.values()) - unscored
    shares = {kind: round(counts[kind] / n, 4) if n else 0.0 for kind in ("right", "refused", "wrong")}
    return {"n": n, **shares, "unscored": unscored}
