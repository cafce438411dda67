"""Hints of the reader: what the next round of research should look at. They go before all other questions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from tradingagents.features.deep_report.schemas.thesis import HypothesisRecord, ReportHint

MOST_HINT_CHARS, MOST_HINTS = 500, 10
ENOUGH = "reject"
"""The verdict that ends the research; the report is written from what there is."""
STOPPED_BY_READER = "reader"


def hints_of(
    given: Mapping[str, Any], hypotheses: Collection[str], iteration: int
) -> tuple[list[ReportHint] | None, str]:
    """Return the hints in what the reader says at a pause; where they cannot be used, None and why.

    Args:
        given: `hints`, a list of texts; or `note` or `text`, a line a hint. A hint that begins with the id of a
            hypothesis and a colon is for this one, else for all. Nothing means: continue.
        hypotheses: Their ids.
        iteration: The round that the hints steer.
    """
    note = str(given.get("note") or given.get("text") or "")
    lines = [str(hint) for hint in given.get("hints") or ()] + note.splitlines()
    texts = [" ".join(line.split()) for line in lines if line.strip()]
    if len(texts) > MOST_HINTS:
        return None, f"There are {len(texts)} hints; give at most {MOST_HINTS}. "
    found = []
    for text in texts:
        head, colon, rest = text.partition(":")
        named = head.strip() if colon and head.strip().startswith("H-") else ""
        if named and named not in hypotheses:
            return (
                None,
                f"There is no hypothesis {named[:40]}; there are {', '.join(sorted(hypotheses)) or 'none yet'}. ",
            )
        said = rest.strip() if named else text
        if said:
            found.append(ReportHint(iteration=iteration, hypothesis=named, text=said[:MOST_HINT_CHARS]))
    return found, ""


def first_hints(texts: Sequence[str]) -> tuple[list[ReportHint], str]:
    """Return the hints on the first iteration, and why they cannot be used; empty where they can."""
    found, wrong = hints_of({"hints": texts}, (), 1)
    return found or [], wrong


def steered(
    hypotheses: Mapping[str, HypothesisRecord], hints: Iterable[ReportHint], iteration: int
) -> dict[str, HypothesisRecord]:
    """Return the hypotheses with the hints of a round before their questions; one that a hint names is open again."""
    now = [hint for hint in hints if hint.iteration == iteration]
    return {key: _steered(hypothesis, now) for key, hypothesis in hypotheses.items()}


def _steered(hypothesis: HypothesisRecord, now: Sequence[ReportHint]) -> HypothesisRecord:
    own = [hint.text for hint in now if hint.hypothesis in ("", hypothesis.id)]
    if not own:
        return hypothesis
    named = any(hint.hypothesis == hypothesis.id for hint in now)
    reopened: dict[str, Any] = {}
    if named and hypothesis.status not in ("open", "uncertain"):
        reopened = {"status": "open", "depths": hypothesis.depths[-1:]}
    return hypothesis.model_copy(update={**reopened, "questions": [*own, *hypothesis.questions]})
