"""Shares of a whole: `what share of net revenue came from services` is the part over the figure of the company."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tradingagents.retrieval.lines.answers.line_results import CHANGE, IN_POINTS, POINTS
from tradingagents.retrieval.lines.asked.asked_labels import words_kept
from tradingagents.retrieval.lines.asked.plain_text import plain_question
from tradingagents.retrieval.lines.line_answer import LineAnswer, LineResult, LineValue, is_amount, shown
from tradingagents.retrieval.lines.line_questions import LineQuestion

SHARE = re.compile(
    r"(?i)(?<!market )(?<!per )\b(?:share|percentage|per ?cent|pct|proportion|fraction|portion)\s+of\s(?!completion)"
    r"|\b(?:what|which) part\s+of\s"
    r"|%\s+of\s|\bhow much of\b.{3,80}\b(?:came|comes|stem\w*|arose|arises?|derive[sd]?) from\b"
    r"(?=.{2,60}\b(?:share|percentage|per ?cent|pct|%))"
    r"|\b(?:how much|how large a part|what part) of (?:the |its |their )?(?:[\w'\u2019]+ ){0,2}(?:total|whole)\b"
    r"[^,;?]{0,20}\b(?:is|was|are|were|does|do|did) (?:that|this|it|they|those|these)\b"
    r"|(?<![/$])(?<!per )(?<!market )(?<!\ba )(?<!each )(?<!common )(?<!diluted )(?<!ordinary )(?<!basic )\bshare"
    r"(?=\W*$|\s*[,;?]| (?:(?:in|for|by|over|during|vs\.?|versus|since|from) )?"
    r"(?:fy|fiscal|'?\d\d\b|(?:19|20)\d\d\b|q[1-4]\b|year\b|each year\b))"
)


_BESIDE = re.compile(
    r"(?i)[,;-] ?(?:and )?(?:the )?(?:share|percentage|per ?cent|pct|%) of\b"
    r"|\b(?:and|plus) (?:what|which) part of\b"
    r"|[,;] ?(?:and )?(?:what|which|as|its)\b[^,;]{0,12}?(?:share|percentage|per ?cent|pct|proportion|%)"
    r"|\b(?:and|plus|with) (?:also )?(?:the |its |their )?(?:share|percentage|per ?cent|pct|proportion|%) of\b"
    r"|\bamounts? and (?:the |its )?(?:share|percentage|%)"
    r"|[,;-] ?(?:and )?(?:how much|how large a part|what part) of\b|\band (?:how much|how large a part|what part) of\b"
    r"|\band (?:as|what|which|its)\b[^,;]{0,12}?(?:share|percentage|per ?cent|pct|proportion|%)"
)
"""A share that is asked for after something else."""


_AFTER_PART = re.compile(
    r"[,;-] ?(?:and )?(?:as )?(?:a |the |its )?(?:share|percentage|per ?cent|pct|proportion|fraction|portion|%) of "
    r"(?:(?:the|its|their|total|overall|all|consolidated) ){0,3}(?P<whole>[^,;?()]{3,60}?)(?=\s*(?:[,;?()]|$))"
)
"""A whole that is named last, after its part and a comma: `Direct revenue, share of total brand revenues`."""
_PERCENT_BESIDE = re.compile(
    r"(?i)(?:\b(?:and|plus|with)|[,;]) (?:the |what |which )?(?:percent(?:age)?|%|pct|share|proportion)"
    r" (?:of (?:them|it|that|which|this|these|those) )?(?:that )?(?:is|are|was|were|sits?|sat|works?|located|based|held"
    r"|leased|owned|outside|in(?! (?:20|19|fy|fiscal|constant|points))|inside|from(?! (?:20|19|fy))|coming|came)\b"
)
"""A share without `of` before its part, as `and percent located in the US`."""
_WHOLE = re.compile(
    r"\b(?:how much|share|percentage|per ?cent|pct|proportion|fraction|portion|%) of (?:the |its |their )?(?P<whole>"
    r"[^,;?]{3,60}?) (?:comes?|came|stems?|stemmed|arises?|arose|derives?|derived"
    r"|(?:was|were|is|are) (?:billed|generated|earned|made|made up)"
    r"|(?:do|does|did)\b[^,;?]{3,40}?\b(?:make up|account for|contribute|represent))\b"
)
"""A whole that is named before the verb that asks for its part."""


def asks_share(question: str) -> bool:
    """Return whether a question asks which share of a whole something is."""
    return bool(SHARE.search(question))


_OF_TOTAL = re.compile(
    r"\b(?:share|percentage|per ?cent|pct|proportion|fraction|portion|%) of (?:[^,;?()]{3,60}? (?:in|among|within) )?"
    r"(?:the |its |all |their )?(?P<whole>(?:total|overall) "
    r"(?![^,;?()]{0,60}\b(?:was|were|is|are|came|comes|do|does|did)\b)[^,;?()\d]{3,40}?)"
    r"(?= (?:as of|as at|at|in|on|for|by|of|fiscal|fy|19|20)\b|\s*(?:[,;?()]|\d|$))"
)
"""A total that is named as the whole of something counted: `share of Europe in total stores`."""


def is_of_total(asked: LineQuestion) -> bool:
    """Return whether a question names a row without a measure, and the total that it is a share of."""
    one = not (asked.measures or asked.functions or asked.group) and len(asked.labels) == 1
    return one and bool(_OF_TOTAL.search(plain_question(asked.text)))


def is_of_one_whole(asked: LineQuestion) -> bool:
    """Return whether a question names one amount of money and a part of it.

    What else it has computed is of the amount where the share is asked for beside it; else nobody can tell of which.
    """
    one = len(asked.measures) == 1 and asked.measures[0].output == "money"
    computed = bool(asked.functions) and not asks_both(asked.text) and not is_of_change(asked)
    return one and bool(asked.labels or asked.own_labels) and not computed


def is_of_change(asked: LineQuestion) -> bool:
    """Return whether the change that a question asks for is that of a share: of several periods, and no growth."""
    return asked.functions == ("growth",) and asked.span.has_several and not _OF_GROWTH.search(asked.text)


_OF_GROWTH = re.compile(r"(?i)\b(?:gr[eo]w\w*|increas\w*|decreas\w*|declin\w*|r[io]se\w*|f[ae]ll\w*)\b")


def is_of_group(asked: LineQuestion) -> bool:
    """Return whether a question names one amount of money of each part of a company, whose shares are of the whole."""
    one = len(asked.measures) == 1 and asked.measures[0].output == "money"
    return one and bool(asked.group) and not (asked.labels or asked.own_labels or asked.functions)


def part_and_whole(asked: LineQuestion) -> tuple[LineQuestion, LineQuestion]:
    """Return the questions for the part and for its whole: the company, or what stands after `of`.

    The whole of `the direct share of brand revenues` is the brand, and not the company.
    """
    if is_of_change(asked) and not asks_both(asked.text):
        asked = replace(asked, functions=())
    whole = replace(asked, labels=(), alternatives=(), own_labels=(), group="", direction="")
    if last := _AFTER_PART.search(plain_question(asked.text)):
        named_last = set(words_kept(last["whole"]).split())
        own_last = tuple(label for label in asked.labels if set(label.split()) <= named_last)
        rest = tuple(label for label in asked.labels if label not in own_last)
        if own_last and rest:
            listed = tuple(label for label in asked.alternatives if label in rest) if len(rest) > 1 else ()
            return replace(asked, labels=rest, alternatives=listed), replace(whole, labels=own_last)
    if is_of_total(asked) and (total := _OF_TOTAL.search(plain_question(asked.text))):
        part = asked.labels[0].partition(" of ")[0]
        return replace(asked, labels=(part,)), replace(whole, labels=(f"total {words_kept(total['whole'])}",))
    words = " ".join(label for label in asked.labels if label not in asked.alternatives).split()
    named = _WHOLE.search(plain_question(asked.text))
    own = [word for word in words_kept(named["whole"]).split() if word in words] if named else []
    if own and len(own) < len(words):  # `what share of automotive revenues came from regulatory credits`
        return asked, replace(whole, labels=(" ".join(own),))
    if len(asked.labels) != 1 or " of " not in asked.labels[0]:
        return asked, whole
    part, _, of = asked.labels[0].partition(" of ")
    return replace(asked, labels=(part,)), replace(whole, labels=(of,))


_AS_SHARE = re.compile(r"(?i)\bas (?:a |an )?(?:%|pct|per ?cent\w*|share|proportion|portion) of\b|% of\b")


def as_line_over(part: LineQuestion, question: str) -> LineQuestion | None:
    """Return the question for a line that is set against revenue: `fulfillment expense as % of net sales`.

    None where it is a part of the revenue, as in `what share of net sales came from services`.
    """
    revenue = [measure.item for measure in part.measures] == ["revenue"]
    return replace(part, measures=()) if revenue and part.labels and _AS_SHARE.search(question) else None


_OF_A_ROW = re.compile(
    r"(?i)^(?:what|which) (?:share|percentage|per ?cent|proportion|fraction|portion|%) of [^,;?]{3,80}? (?:was|were)\b"
)
"""A question for nothing but a share, whose whole stands before the verb."""
NOT_A_SHARE = "a share is asked for, and it is not understood of what"


def is_no_share(question: str, answer: LineAnswer) -> bool:
    """Return whether a question asks for a share, and its answer gives amounts in place of it."""
    amounts = any(is_amount(value.unit) for value in answer.values)
    if _PERCENT_BESIDE.search(question) and not any(value.unit == "percent" for value in answer.values):
        return not any(result.unit == "percent" for result in answer.results)
    return bool(_OF_A_ROW.search(question)) and amounts


def asks_both(question: str) -> bool:
    """Return whether a question asks for a figure, and besides for its share of a whole."""
    return bool(_BESIDE.search(question))


def as_shares(parts: LineAnswer, whole: LineAnswer, *, beside: bool = False) -> LineAnswer:
    """Return figures of a part as shares of the company's figures of the same periods, in per cent.

    With `beside` the figures themselves stand before their shares. A part whose whole is not given, is nothing or is in
    another unit is a gap.
    """
    wholes = {(value.company, value.period): value for value in whole.values}
    values = tuple(_share(part, wholes.get((part.company, part.period))) for part in parts.values)
    if beside:
        return parts.model_copy(update={"values": (*parts.values, *values)})
    update: dict[str, object] = {"values": values}
    if len(parts.periods) > 1:  # which amount is highest does not tell which share is
        update |= {"winner": "", "verdict": "", "results": tuple(_changes(values))}
    return parts.model_copy(update=update)


def _changes(values: Sequence[LineValue]) -> Iterator[LineResult]:
    """Yield the change of each share from the first to the last period, in points."""
    for line in dict.fromkeys((value.company, value.line) for value in values):
        own = [value for value in values if (value.company, value.line) == line]
        first, last = own[0], own[-1]
        if len(own) > 1 and first.value is not None and last.value is not None:
            yield LineResult(
                name=f"{CHANGE}{IN_POINTS} of {last.line}, {last.company}, {first.period} to {last.period}",
                value=last.value - first.value,
                unit=POINTS,
                formula=f"{shown(last.value, last.unit)} - {shown(first.value, first.unit)}",
                operands=(*first.operands, *last.operands),
            )


def _share(part: LineValue, whole: LineValue | None) -> LineValue:
    line = f"{part.line} as a share of {whole.line if whole else 'the whole'}"
    if part.value is None:
        return part.model_copy(update={"line": line})
    if whole is None or not whole.value or whole.unit != part.unit:
        why = (whole.gap if whole else "") or "in another unit"
        gap = f"the whole of {part.period} is not known: {why}"
        return LineValue(company=part.company, line=line, period=part.period, gap=gap)
    value = 100 * part.value / whole.value
    formula = f"{shown(part.value, part.unit)} / {shown(whole.value, whole.unit)} = {shown(value, 'percent')}"
    found = {"value": value, "unit": "percent", "formula": formula, "operands": (*part.operands, *whole.operands)}
    return part.model_copy(update={"line": line, **found})
