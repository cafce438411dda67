"""Which of several figures is highest or lowest, and the sentence that says it, or why none is named."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from tradingagents.retrieval.lines.answers.line_results import DIFFERENCE, Contestant, is_outgo
from tradingagents.retrieval.lines.asked.asked_comparison import TURNED
from tradingagents.retrieval.lines.line_answer import LineResult, LineValue, shown
from tradingagents.retrieval.lines.line_questions import LineQuestion
from tradingagents.retrieval.lines.rows.asked_line import PER_EMPLOYEE
from tradingagents.retrieval.questions.figures import with_capitals

NOTHING_NAMED = "Nothing is named as highest or lowest"
"""With it begins the sentence on a comparison for which no figures are set against each other."""
_SET_AGAINST = re.compile(r"(?i)\b(?:vs?|versus|compared? (?:with|to))\b(?!\W*$)")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|\bfy ?'?\d\d\b", re.IGNORECASE)
_LOSS = re.compile(r"\b(?:loss(?:es)?|impairments?|provisions?|charge-?offs|write-?(?:off|down)s?)\b")
"""What a row says whose figures are losses, and not results that may fall below zero."""
_RESULT = re.compile(r"\b(?:income|profits?|earnings|gains?)\b|\(loss(?:es)?\)")
"""What a row says that shows profits too."""
_EACH_PERIOD = re.compile(
    r"(?i)\b(?:each|every) (?:fiscal )?(?:year|quarter)\b|\b(?:year|quarter)[- ]by[- ](?:year|quarter)\b"
)
"""What asks for a comparison in every period, which one over all of them does not answer."""
_EITHER = re.compile(r"(?i)[\w)] or [\w(]")


def sets_against(asked: LineQuestion) -> bool:
    """Return whether a question sets one figure against another, as in `is A or B higher?`."""
    return bool(_SET_AGAINST.search(asked.text) or (asked.direction and _EITHER.search(asked.text)))


def lacks_other(asked: LineQuestion, values: Sequence[LineValue]) -> bool:
    """Return whether one line is given where `vs` sets two against each other: no second period is named either."""
    span = asked.span
    one = len({(value.company, value.line) for value in values}) == 1
    periods = len(span.periods) > 1 or len(set(_YEAR.findall(asked.text))) > 1 or span.against_year_before
    return one and asked.against and bool(_SET_AGAINST.search(asked.text)) and not periods and not asked.over_periods


def winner(
    asked: LineQuestion, companies: int, values: Sequence[LineValue], contestants: Sequence[Contestant]
) -> tuple[str, str]:
    """Return what a comparison names, and the sentence that says it; empty where nothing is compared."""
    set_apart = len(asked.apart) >= len(asked.alternatives) - 1 > 0 and len(contestants) == len(asked.alternatives)
    against = asked.against and (len(contestants) == 2 or set_apart)  # `A vs B vs C`
    plain = against or _is_plain_comparison(asked, companies, values)
    direction = asked.direction or ("highest" if plain else "")
    if not direction:
        return "", ""
    if len(contestants) < 2:
        return "", f"{NOTHING_NAMED}: there are no two figures to compare."
    if gaps := [name for name, value, _ in contestants if value is None]:
        return "", f"None is named: the figure of {', '.join(gaps)} is missing."
    if len({unit for *_, unit in contestants}) > 1:
        return (
            "",
            f"None is named: the figures are in different units, {' and '.join(sorted({u for *_, u in contestants}))}.",
        )
    figures = [(name, float(value or 0.0), unit) for name, value, unit in contestants]
    sign = -1 if figures[0][2] != "percent" and is_outgo(*values) else 1
    ranked = sorted(figures, key=lambda each: -each[1] * sign)
    listed = "; ".join(f"{name} {shown(value, unit)}" for name, value, unit in ranked) + _span_of(asked, values)
    if math.isclose(ranked[0][1], ranked[1][1], rel_tol=1e-9) and direction != "lowest":
        return "", f"None is named: the highest are equal. {listed}."
    if apart := _apart(values):
        return "", f"None is named: {apart}. {listed}."
    high, low = ranked[0], ranked[-1]
    are_losses = asked.of_losses and all(value < 0 for _, value, _ in figures)
    if asked.of_losses and _are_printed_losses(values):
        direction = TURNED.get(direction, direction)
    if direction == "both":
        return f"{high[0]} highest, {low[0]} lowest", f"Highest: {high[0]}; lowest: {low[0]}. {listed}."
    best = high if direction == "highest" else low
    if are_losses and all(value.unit != "percent" for value in values):
        size = "Largest" if best == low else "Smallest"
        return best[0], f"{size} loss: {best[0]} with {shown(-best[1], best[2])}. {listed}."
    return best[0], f"{direction.capitalize()}: {best[0]} with {shown(best[1], best[2])}. {listed}."


def _span_of(asked: LineQuestion, values: Sequence[LineValue]) -> str:
    """Return the span of the changes that decide, where more than two periods are shown; empty elsewhere."""
    periods = list(dict.fromkeys(value.period for value in values))
    several = len(periods) > 2 and "growth" in asked.functions and not (asked.by_size or asked.over_periods)
    return f", from {periods[0]} to {periods[-1]}" if several else ""


def _are_printed_losses(values: Sequence[LineValue]) -> bool:
    """Whether rows of losses print them without a sign, as `Provision for credit losses`: the larger is the higher."""
    rows = [value.row.rpartition(" / ")[2].lower() for value in values]
    return all((value.value or 0.0) > 0 for value in values) and all(
        _LOSS.search(row) and not _RESULT.search(row) for row in rows
    )


def _is_plain_comparison(asked: LineQuestion, companies: int, values: Sequence[LineValue]) -> bool:
    """Whether one figure of one period is set beside the same of other companies, one of which is highest."""
    figures = 2 if asked.functions == ("growth",) else 1  # a growth is shown with the year before
    one_each = companies > 1 and len(values) == figures * companies
    return one_each and len(asked.measures) == 1 and not asked.qualifiers


def contest(
    asked: LineQuestion, companies: int, values: Sequence[LineValue], results: Sequence[LineResult]
) -> list[Contestant]:
    """Return who is compared, with the figure that decides: a growth where one is asked, else the figure itself."""
    if not values:
        return []
    if asked.over_periods or (companies == 1 and len({value.line for value in values}) == 1):
        first = [value for value in values if (value.company, value.line) == (values[0].company, values[0].line)]
        return [(value.period, value.value, value.unit) for value in first]
    several = companies > 1
    of_change = (DIFFERENCE,) if asked.in_amount and "growth" in asked.functions else ("Growth", "Change", "Multiple")
    grown = [result for result in results if result.name.startswith(of_change)]
    names = _told_apart(asked, values, several=several)
    if grown and not asked.by_size:
        lines = dict.fromkeys((value.company, value.line) for value in values)
        if len(grown) != len(lines) and not _EACH_PERIOD.search(asked.text):
            grown = _over_all(values, grown)
        if len(grown) != len(lines):
            return []
        return [
            (names[company, line], result.value, result.unit)
            for (company, line), result in zip(lines, grown, strict=True)
        ]
    periods = {value.period for value in values if value.company == values[0].company}
    if len(periods) > 1 and asked.by_size and "growth" in asked.functions:
        newest = max(periods, key=lambda period: (period[-4:], period))
        values = [value for value in values if value.period == newest]
    elif len(periods) > 1:
        return []
    return [
        (names[value.company, value.line], value.value, value.unit)
        for value in values
        if not several
        or not asked.measures
        or value.line.removesuffix(PER_EMPLOYEE).endswith(with_capitals(asked.measures[0].name))
    ]


def _over_all(values: Sequence[LineValue], grown: Sequence[LineResult]) -> list[LineResult]:
    """Return the changes from the first of several periods to the last: they decide who grew more over all of them."""
    span = f", {values[0].period} to {values[-1].period}"
    return [result for result in grown if result.name.endswith(span)]


def _told_apart(asked: LineQuestion, values: Sequence[LineValue], *, several: bool) -> dict[tuple[str, str], str]:
    """Return what tells each line from the others: words that all of them begin or end with say nothing."""
    lines = dict.fromkeys((value.company, value.line) for value in values)
    several = several and len({company for company, _ in lines}) == len(lines)
    labels = [label for label in asked.alternatives if sum(label in line for _, line in lines) == 1]
    if not all(any(label in line for label in labels) for _, line in lines):
        labels = []  # a label of some, or one that all have, does not tell them apart
    labels = [_without_common_beginning(label, [line for _, line in lines]) for label in labels]
    words = {(company, line): _called(asked, company, line, labels, several=several).split() for company, line in lines}
    for end in (-1, 0):
        while not several and len(words) > 1 and len({own[end] for own in words.values()}) == 1:
            if min(map(len, words.values())) == 1:
                break
            words = {line: own[:-1] if end else own[1:] for line, own in words.items()}
    return {line: " ".join(own) for line, own in words.items()}


def _without_common_beginning(label: str, lines: Sequence[str]) -> str:
    """Return a label without the words that all lines begin with, as `paid members` said of the first region."""
    begun = 0
    for words in zip(*(line.split() for line in lines), strict=False):
        if len(set(words)) > 1:
            break
        begun += 1
    own, common = label.split(), lines[0].split()[:begun] if len(lines) > 1 else []
    return " ".join(own[begun:]) if common and own[:begun] == common and len(own) > begun else label


def _called(asked: LineQuestion, company: str, line: str, labels: Sequence[str], *, several: bool) -> str:
    """Return what tells a line from the others: its company, or its phrase."""
    if several:
        return company
    if asked.combined and all(label in line for label in asked.combined):
        return " + ".join(asked.combined)
    if named := [label for label in labels if label in line]:
        if (joined := " and ".join(named)) in line:  # one name of several listed words: `Africa, Middle East`
            return joined
        return max(named, key=len)
    name = with_capitals(asked.measures[0].name) if asked.measures else ""
    called = line.removesuffix(name).strip() or line
    common = " ".join(label for label in asked.labels if label not in asked.alternatives)
    return (called.removesuffix(common).strip() if asked.alternatives and common else called) or called


def _apart(values: Sequence[LineValue]) -> str:
    """Say that the periods of companies are not comparable; empty where they are."""
    lengths = {value.period.startswith("Q") for value in values}
    return "a quarter is not compared with a year" if len(lengths) > 1 else ""
