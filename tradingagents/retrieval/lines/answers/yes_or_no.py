"""Yes or no, with the figures, to a question that asks whether something rose, improved, exceeded or was positive."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from tradingagents.retrieval.lines.answers.line_results import Contestant, is_of_unclear_sign, is_outgo
from tradingagents.retrieval.lines.asked.asked_labels import verb_forms
from tradingagents.retrieval.lines.line_answer import LineValue, shown
from tradingagents.retrieval.lines.line_questions import LineQuestion

_VERB = r"(?:did|does|do|has|have|had|is|are|was|were)"
_ASKS = re.compile(
    rf"^\W*(?:and |so |but )?{_VERB}n?'?t?\b|[,;:.?!-] (?:and |so )?{_VERB}\b|\bwhether "
    r"|\b(?:tell|know|see|check|say|confirm|ask|show)(?: (?:me|us))? if "
)
_WHICH = re.compile(r"\b(?:which|what|who|whose|when|how|or(?! not\b))\b")
"""What asks for more than yes or no."""
_CLAUSE_ENDS = re.compile(r"[,;:.?!](?:\s|$)| and (?=by|what|how|which|who|the|give|show|if)")
_INITIALS = re.compile(r"\b(?P<one>[a-z])\.(?P<other>[a-z])\.")
"""As in `U.S.`, whose points end no clause."""
_BETTER, _WORSE = re.compile(r"\b(?:improv\w+|better)\b"), re.compile(r"\b(?:worse\w*|deteriorat\w+)\b")
_HIGHER = re.compile(r"\b(?:higher|larger|bigger|greater|more|above|up|exceed(?:s|ed)?|ahead of)\b")
_LOWER = re.compile(r"\b(?:lower|smaller|less|fewer|below|down)\b")
_BAD_IF_HIGH = re.compile(
    r"\b(?:costs?|expenses?|loss(?:es)?|debt|liabilit\w+|churn|charge-?offs?|tax(?:es)?|days|impairments?|ratio|leverage)\b"
)
"""Lines of which more is not better, or of which nobody can say it."""
_OF_LOSS = re.compile(r"\b(?:loss(?:es)?|deficit|lost)\b")
_EVERY = re.compile(
    r"\b(?:every|each) (?:fiscal )?(?:year|quarter)\b|\b(?:consistently|steadily|continuously|in all)\b"
    r"|\b(?:year|quarter) after (?:year|quarter)\b"
)
_EVER = re.compile(r"\bever\b|\b(?:in|at) any (?:fiscal )?(?:year|quarter|point|time)\b|\bat some point\b")
_POSITIVE = re.compile(r"\b(?:positive|profitable|profits?|in the black)\b")
_NEGATIVE = re.compile(r"\b(?:negative|unprofitable|loss(?:es)?|in the red)\b")
_OVERTAKES = re.compile(r"\b(?:over(?:take|took|taken)|(?:sur)?pass(?:ed|es)?)\b")
"""What also says that it was not so before, of which no figure is asked for."""
_BEHIND = re.compile(r"\b(?:below|under|behind|trail\w*|lag\w*)\b")
"""What supposes that the first of two is the lower one, though no word of comparison says it."""
_COMPANY = re.compile(r"[\ue000-\uefff]")
"""The sign of a company."""
_AFTER = re.compile(r"\b(?:than|versus|vs\.?|against|compared (?:with|to)|from)\b")
_FEWEST = 2
_BOTH_SAID = re.compile(r"\b(?:while|whereas)\b")
"""Joins what is asked of each of two, as `did A grow while B shrank?`: the answer is yes only where both did so."""


def asks_yes_or_no(question: str) -> bool:
    """Return whether a question asks for yes or no, and for nothing that needs another word."""
    return bool(_clause(question.lower())[1])


def _clause(plain: str) -> tuple[int, str]:
    """Return the clause that asks for yes or no, and where it begins; an empty one where none does."""
    plain = _INITIALS.sub(r"\g<one> \g<other> ", plain)
    found = _ASKS.search(plain)
    if found is None:
        return 0, ""
    clause = _CLAUSE_ENDS.split(plain[found.start() :].lstrip(" ,;:.?!-"))[0]
    return (0, "") if _WHICH.search(clause) and "whether" not in found.group() else (found.start(), clause)


def yes_or_no(
    asked: LineQuestion, values: Sequence[LineValue], contestants: Sequence[Contestant], named: str
) -> tuple[str, str]:
    """Return `Yes` or `No` and a sentence with the figures that decide; empty where neither is asked or can be told.

    Args:
        asked: The question.
        values: Its figures.
        contestants: What is compared, in the order of the question.
        named: The winner of that comparison; empty where there is none.
    """
    if not asks_yes_or_no(asked.text) or any(value.value is None for value in values):
        return "", ""
    plain = asked.text.lower()
    lines = {(value.company, value.line) for value in values}
    if len(lines) == 1 and len(values) >= _FEWEST:
        return _over_time(asked, plain, values)
    if len(lines) == 1 and len(values) == 1:
        return _by_sign(plain, values[0])
    if _BOTH_SAID.search(plain):
        return _of_both(asked, plain, contestants)
    if len(contestants) == _FEWEST and named:
        return _of_two(asked, plain, contestants, named)
    return "", ""


def _over_time(asked: LineQuestion, plain: str, values: Sequence[LineValue]) -> tuple[str, str]:
    """Say whether a figure moved as is asked, from the first of its periods to the last, or in each of them."""
    if _OF_LOSS.search(plain) and any((value.value or 0.0) < 0 for value in values):
        return "", ""  # a loss that rose is a lower figure, and a lower loss may be meant either way
    if any(map(is_of_unclear_sign, values)) and not is_outgo(*values):
        return "", ""
    sign = _sign_of_claim(plain, values[0].line)
    if not sign or len({value.unit for value in values}) > 1 or any(value.restated for value in values):
        return "", ""
    clause = _clause(plain)[1]
    if _EVER.search(clause):
        moved = [(before, after) for before, after in pairwise(values) if _moved(before, after, sign)]
        told = "; ".join(f"in {after.period}: {_shown(before)}, {_shown(after)}" for before, after in moved)
        return ("Yes", f"Yes, {told}.") if moved else ("No", f"No: {'; '.join(map(_shown, values))}.")
    if _EVERY.search(clause):
        steps = [(before, after) for before, after in pairwise(values) if not _moved(before, after, sign)]
        against = "; ".join(f"not in {after.period}: {_shown(before)}, {_shown(after)}" for before, after in steps)
        return ("No", f"No, {against}.") if steps else ("Yes", f"Yes, in each: {'; '.join(map(_shown, values))}.")
    before, after = _in_order(asked, plain, values)
    said = "Yes" if _moved(before, after, sign) else "No"
    return said, f"{said}: {_shown(before)}; {_shown(after)}."


def _sign_of_claim(plain: str, line: str) -> int:
    """Return 1 where a rise is supposed, -1 for a fall, and 0 where neither is or it cannot be told."""
    words = set(re.findall(r"[a-z]+", plain))
    rise, fall = bool(words & verb_forms("of_rise_verbs")), bool(words & verb_forms("of_fall_verbs"))
    if rise or fall:
        return 0 if rise and fall else 1 if rise else -1
    better, worse = bool(_BETTER.search(plain)), bool(_WORSE.search(plain))
    if better or worse:
        return 0 if (better and worse) or _BAD_IF_HIGH.search(line.lower()) else 1 if better else -1
    higher, lower = bool(_HIGHER.search(plain)), bool(_LOWER.search(plain))
    return 0 if higher == lower else 1 if higher else -1


def _in_order(asked: LineQuestion, plain: str, values: Sequence[LineValue]) -> tuple[LineValue, LineValue]:
    """Return the figure that another is set against, and the other: that which `than` names, else the first."""
    than = _AFTER.search(plain)
    years = re.findall(r"(?:19|20)\d\d", plain[than.end() :]) if than else []
    first = [value for value in values if years and value.period.endswith(years[0])]
    if len(values) == len(asked.span.periods) == _FEWEST and len(first) == 1 and than and than.group() == "than":
        other = next(value for value in values if value is not first[0])
        return first[0], other
    return values[0], values[-1]


def _moved(before: LineValue, after: LineValue, sign: int) -> bool:
    less = -1 if is_outgo(before, after) else 1
    return ((after.value or 0.0) - (before.value or 0.0)) * sign * less > 0


def _by_sign(plain: str, value: LineValue) -> tuple[str, str]:
    """Say whether a figure is positive or negative, where that is asked."""
    positive, negative = bool(_POSITIVE.search(plain)), bool(_NEGATIVE.search(plain))
    if positive == negative:
        return "", ""
    said = "Yes" if ((value.value or 0.0) > 0) == positive else "No"
    return said, f"{said}: {_shown(value)}."


def _of_two(asked: LineQuestion, plain: str, contestants: Sequence[Contestant], named: str) -> tuple[str, str]:
    """Say whether the first of two is what is asked; the comparison itself says the figures."""
    if asked.direction == "both" or _OVERTAKES.search(plain) or (not asked.direction and _BEHIND.search(plain)):
        return "", ""
    first = _subject(plain, [name for name, *_ in contestants])
    return (named, f"The answer is {'yes' if first == named else 'no'}.") if first else ("", "")


def _of_both(asked: LineQuestion, plain: str, contestants: Sequence[Contestant]) -> tuple[str, str]:
    """Say whether each of two moved as its own clause supposes; empty where a clause does not tell whom, or how."""
    halves = _BOTH_SAID.split(re.split(r"[?!]", plain[_clause(plain)[0] :])[0])
    if len(halves) != _FEWEST or len(contestants) != _FEWEST or "growth" not in asked.functions:
        return "", ""
    told: list[tuple[str, float, str, int]] = []
    for half in halves:
        words = set(re.findall(r"[a-z]+", half))
        rise, fall = bool(words & verb_forms("of_rise_verbs")), bool(words & verb_forms("of_fall_verbs"))
        of_half = [each for each in contestants if set(re.findall(r"[a-z]+", each[0].lower())) - {"and"} <= words]
        if rise == fall or len(of_half) != 1:
            return "", ""
        name, value, unit = of_half[0]
        if value is None:
            return "", ""
        told.append((name, value, unit, 1 if rise else -1))
    if len({name for name, *_ in told}) != _FEWEST or len({unit for _, _, unit, _ in told}) != 1:
        return "", ""
    said = "Yes" if all(value * sign > 0 for _, value, _, sign in told) else "No"
    return said, f"{said}: {'; '.join(f'{name} {shown(value, unit)}' for name, value, unit, _ in told)}."


def _subject(plain: str, names: Sequence[str]) -> str:
    """Return which of those compared is supposed to be ahead: the first that the clause names; empty if not told."""
    start, clause = _clause(plain)
    before = plain[:start]
    if not any(name.lower() in before for name in names) and not _COMPANY.search(before):
        return names[0]
    places = {name: clause.find(name.lower()) for name in names}
    found = [name for name in names if places[name] >= 0]
    return min(found, key=places.__getitem__, default="")


def _shown(value: LineValue) -> str:
    return f"{shown(value.value or 0.0, value.unit)} in {value.period}"
