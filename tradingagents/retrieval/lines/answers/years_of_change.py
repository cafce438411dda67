"""In which of several periods a figure fell or rose, as `in which year did it fall` asks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tradingagents.retrieval.lines.answers.line_results import CHANGE
from tradingagents.retrieval.lines.asked.asked_labels import verb_forms
from tradingagents.retrieval.lines.line_answer import LineResult, LineValue, shown
from tradingagents.retrieval.lines.line_questions import LineQuestion

_WHICH = re.compile(r"\b(?:which|what) (?:fiscal |financial )?(?:years?|quarters?)\b|\bwhen (?:did|has|have)\b")


def periods_of_change(
    asked: LineQuestion, values: Sequence[LineValue], results: Sequence[LineResult]
) -> tuple[str, str]:
    """Return the only period in which the figure fell, or rose, and a sentence with each; empty if not asked for."""
    plain = asked.text.lower()
    words = set(re.findall(r"[a-z]+", plain))
    fell, rose = words & verb_forms("of_fall_verbs"), words & verb_forms("of_rise_verbs")
    lines = {(value.company, value.line) for value in values}
    asks = bool(_WHICH.search(plain)) and asked.functions == ("growth",) and not asked.direction
    if not asks or bool(fell) == bool(rose) or len(lines) != 1 or len(values) < 2:
        return "", ""
    steps = [each for each in results if each.name.startswith(("Growth", CHANGE))][: len(values) - 1]
    if len(steps) != len(values) - 1:
        return "", ""
    told = list(zip(values[1:], steps, strict=True))
    if gaps := [value.period for value, step in told if step.value is None]:
        return "", f"None is named: the change of {', '.join(gaps)} is missing."
    sign, word = (-1, "Fell") if fell else (1, "Rose")
    found = [(value.period, step) for value, step in told if (step.value or 0.0) * sign > 0]
    since = f"of the periods after {values[0].period}"
    if not found:
        return "", f"{word} in none {since}."
    listed = "; ".join(f"{period} ({shown(step.value or 0.0, step.unit)})" for period, step in found)
    return (found[0][0] if len(found) == 1 else ""), f"{word}, {since}, in {listed}."
