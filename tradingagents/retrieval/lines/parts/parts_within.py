"""Parts that a question names with the whole in which they stand: `NVIDIA Data Center: compute or networking`.

Tables call such parts by their own names alone, below the row of the whole. They are taken for its parts where their
figures add up to it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from tradingagents.retrieval.lines.line_answer import LineAnswer
from tradingagents.retrieval.lines.line_questions import LineQuestion

_SAME = 5e-3


def of_parts_within(asked: LineQuestion, answer: Callable[[LineQuestion], LineAnswer]) -> LineAnswer | None:
    """Return the answer of parts that add up to a whole which the question names with them; None where none do."""
    if len(asked.alternatives) < 2 or asked.own_labels or asked.context or asked.excluded or asked.qualifiers:
        return None
    for whole, parts in _readings(asked.labels, asked.alternatives):
        of_whole = answer(_of(asked, (whole,)))
        if not of_whole.complete:
            continue
        of_parts = answer(replace(_of(asked, parts), direction=asked.direction, against=asked.against, context=whole))
        if of_parts.complete and _add_up(of_parts, of_whole):
            note = f"{', '.join(parts)} are parts of {whole}: their figures add up to it."
            return of_parts.model_copy(update={"question": asked.text, "notes": (*of_parts.notes, note)})
    return None


def _of(asked: LineQuestion, labels: Sequence[str]) -> LineQuestion:
    several = tuple(labels) if len(labels) > 1 else ()
    return replace(
        asked, labels=tuple(labels), alternatives=several, apart=frozenset(several), direction="", against=False
    )


def _readings(labels: Sequence[str], alternatives: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what may be the whole, with its parts: words that are common to all, or the first words of one."""
    if common := " ".join(label for label in labels if label not in alternatives):
        yield common, tuple(alternatives)
        return
    for at, label in enumerate(alternatives):
        words = label.split()
        for count in range(len(words) - 1, 0, -1):
            part = " ".join(words[count:])
            yield " ".join(words[:count]), (*alternatives[:at], part, *alternatives[at + 1 :])


def _add_up(parts: LineAnswer, whole: LineAnswer) -> bool:
    sums: dict[str, list[float]] = defaultdict(list)
    for value in parts.values:
        sums[value.period].append(value.value or 0.0)
    wholes = {value.period: value.value or 0.0 for value in whole.values}
    units = {value.unit for value in (*parts.values, *whole.values)}
    return (
        len(units) == 1
        and sums.keys() == wholes.keys()
        and all(math.isclose(sum(values), wholes[period], rel_tol=_SAME) for period, values in sums.items())
    )
