"""What a question measures: line items, metrics, ratios and sums of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from tradingagents.retrieval.calculation import Output
from tradingagents.retrieval.line_items import line_items, metrics
from tradingagents.retrieval.lines.asked.asked_labels import MEASURED
from tradingagents.retrieval.lines.asked.asked_qualifiers import MARKS, QUALIFIER_MARK, QUALIFIERS
from tradingagents.retrieval.lines.line_questions import AskedMeasure, Qualifier
from tradingagents.retrieval.questions.figures import named_measures

_RATIO_WORDS = re.compile(
    r"^\s{0,40},?\s{0,40}(?:(?:expenses?|spending|costs?)\s{0,40})?(?:as (?:a |an )?(?:%|percent|percentage|share"
    r"|fraction|proportion|multiple) of"
    r"|over|divided by|relative to|/)\s{0,40}(?:its |their |the )?(?:own |total |net |segment |division ){0,2}\s*$"
)
_RELATIVE_TO = re.compile(
    r"\b(?:relative to|in relation to|in proportion to|(?:as (?:a |an )?|what |which )(?:%|percent|percentage|share"
    r"|fraction|proportion) of)"
    r"(?: (?:its|their|the|total|net|own)){0,3} $"
)
_AND_MARGIN = re.compile(r"\s*(?:,|,? and|,? plus|&|\+) (?:the |its |their )?(?:respective |corresponding )?margins?\b")
"""The margin of an amount that is asked for beside it, as in `operating income and margin`."""
_SUM_WORDS = re.compile(r"^\s*(?:plus|\+)\s*$")
PER_DOLLAR = re.compile(
    r"\bkeeps? (?:the )?(?:most|least) of each sales dollar as (?P<what>net earnings"
    r"|net income|operating income|profit)\b"
)
ALSO_CALLED: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\bprofitable at the operating (?:line|level)\b"), "operating margin"),
    (re.compile(r"\boperating (?:loss(?:es)?|results?)\b|\bloss(?:es)? from operations\b"), "operating income"),
    (re.compile(r"\bnet loss(?:es)?\b"), "net income"),
    (
        re.compile(
            r"\b(?:cash )?(?:purchases?|additions?) (?:of|to) (?:p{1,2}&e\b|property[a-z, &]{3,20}equipment\b)"
            r"|\bp{1,2}&e (?:purchases|additions)\b"
        ),
        "capital expenditures",
    ),
    (re.compile(r"(?<!provision )\bprovision(?= over\b)|\b(?:tax )?provision(?! for)\b"), "income taxes"),
    (
        re.compile(
            r"\btreasury (?:stock|shares?) (?:purchases?|buybacks?)\b"
            r"|\b(?:purchases?|buybacks?) of treasury (?:stock|shares?)\b"
            r"|\b(?:cash )?(?:share |stock )?"
            r"(?:buy ?backs?|(?:bought|buys|buying) back|repurchases?)(?: of (?:stock|shares))?\b"
        ),
        "share repurchases",
    ),
)
"""What else measures are called in questions, with a name of `line_items.toml` or `metrics.toml`."""


def read_measures(rest: str) -> tuple[tuple[AskedMeasure, ...], str]:
    """Return what is measured, and the question without it."""
    named = named_measures(rest)
    measures: list[AskedMeasure] = []
    starts: list[int] = []
    whole, skip = rest, False
    for at, (start, end, kind, key) in enumerate(named):
        if skip:
            skip = False
            continue
        starts.append(start)
        following = named[at + 1] if at + 1 < len(named) else None
        between = rest[end : following[0]] if following else "."
        if following and (_RATIO_WORDS.match(between) or _SUM_WORDS.match(between)):
            if between.lstrip().startswith(","):  # the figure, and besides it the ratio
                starts.append(start)
                measures.append(asked_measure(rest[start:end], kind, key, margin=False))
            measures.append(_joined(rest, named[at], following, divided=not _SUM_WORDS.match(between)))
            skip = True
        else:
            margin = re.match(r"\s*margins?\b", rest[end:])
            measures.append(asked_measure(rest[start:end], kind, key, margin=bool(margin)))
            beside = _AND_MARGIN.match(rest[end:]) if measures[-1].output == "money" and not margin else None
            if beside and not (following and following[0] < end + beside.end()):
                starts.append(start)
                measures.append(asked_measure(rest[start:end], kind, key, margin=True))
                rest = rest[:end] + " " * beside.end() + rest[end + beside.end() :]
    for (start, end, _, _), following in pairwise((*named, (len(rest), len(rest), "", ""))):
        tail = re.match(r"\s*margins?\b", rest[end:])
        stop = end + (tail.end() if tail else 0)
        between = rest[stop : following[0]]
        joined = _RATIO_WORDS.match(between) or _SUM_WORDS.match(between)
        rest = (
            rest[:start]
            + MEASURED * (stop - start)
            + (" " * len(between) if joined else between)
            + rest[following[0] :]
        )
    measures = _qualified(whole, _said_once(whole, _over(whole, list(zip(starts, measures, strict=True)))))
    unique = {(measure.expression, measure.qualifiers): measure for measure in reversed(measures)}
    return tuple(measure for measure in measures if unique[measure.expression, measure.qualifiers] is measure), rest


def _over(rest: str, places: Sequence[tuple[int, AskedMeasure]]) -> list[tuple[int, AskedMeasure]]:
    """Return the measures as ratios to the one that stands apart from them as `relative to sales`, where one does."""
    below = [
        (at, measure)
        for at, measure in places
        if _RELATIVE_TO.search(rest[:at][-60:]) and " / " not in measure.expression
    ]
    above = [(at, measure) for at, measure in places if (at, measure) not in below]
    if len(below) != 1 or not above or any(measure.output != "money" for _, measure in (*above, *below)):
        return list(places)
    divisor = below[0][1]
    return [
        (
            at,
            AskedMeasure(
                f"{measure.name} / {divisor.name}", f"({measure.expression}) / ({divisor.expression})", "percent"
            ),
        )
        for at, measure in above
    ]


def _said_once(rest: str, places: Sequence[tuple[int, AskedMeasure]]) -> list[tuple[int, AskedMeasure]]:
    """Return the measures without those that name or explain another one.

    `Capital intensity: capex over revenue` is the one that stands after the colon, whatever else bears that name; a
    figure in brackets that is a part of another one says how that is meant.
    """
    colon = rest.find(":")
    ratios = [measure for at, measure in places if at > colon >= 0 and " / " in measure.expression]
    kept = [(at, measure) for at, measure in places if not (ratios and at < colon)]
    bare = [(at, measure) for at, measure in kept if rest.rfind("(", 0, at) <= rest.rfind(")", 0, at)]
    return [
        (at, measure)
        for at, measure in kept
        if (at, measure) in bare or not any(measure.expression in other.expression for _, other in bare)
    ]


def _qualified(rest: str, places: Sequence[tuple[int, AskedMeasure]]) -> list[AskedMeasure]:
    """Return the measures with their qualifiers: those before one are said of it and the ones after it without any.

    Qualifiers that stand after all measures, or before all but apart from them, are said of each.
    """
    marks = [(at, QUALIFIERS[ord(sign) - QUALIFIER_MARK][0]) for at, sign in enumerate(rest) if MARKS.match(sign)]
    found: list[AskedMeasure] = []
    before: tuple[Qualifier, ...] = ()
    last = -1
    for start, measure in places:
        own = tuple(name for at, name in marks if last < at < start)
        before = own or before
        found.append(replace(measure, qualifiers=before))
        last = start
    after = tuple(name for at, name in marks if at > last)
    return [replace(measure, qualifiers=tuple(dict.fromkeys((*measure.qualifiers, *after)))) for measure in found]


def asked_measure(name: str, kind: str, key: str, *, margin: bool) -> AskedMeasure:
    """Return a measure by its key, or its margin where that is asked for."""
    if kind == "metric":
        metric = metrics()[key]
        if margin and metric.output == "money":
            return AskedMeasure(f"{name} margin", f"({metric.formula}) / revenue", "percent")
        return AskedMeasure(name, metric.formula, metric.output, metric)
    if margin:
        known = next((metric for metric in metrics().values() if metric.formula == f"{key} / revenue"), None)
        return AskedMeasure(f"{name} margin", f"{key} / revenue", "percent", known)
    unit = line_items()[key].unit
    output: Output = "per_share" if unit == "per_share" else "number" if unit == "shares" else "money"
    return AskedMeasure(name, key, output, item=key)


def _joined(
    rest: str, first: tuple[int, int, str, str], second: tuple[int, int, str, str], *, divided: bool
) -> AskedMeasure:
    above, below = (asked_measure(rest[one[0] : one[1]], one[2], one[3], margin=False) for one in (first, second))
    if divided and above.expression == below.expression:  # subscription revenue as a share of revenue
        return above
    if divided:
        formula = f"{above.expression} / {below.expression}"
        known = next((metric for metric in metrics().values() if metric.formula == formula), None)
        expression = formula if known else f"({above.expression}) / ({below.expression})"
        return AskedMeasure(f"{above.name} / {below.name}", expression, "percent", known)
    return AskedMeasure(f"{above.name} plus {below.name}", f"{above.expression} + {below.expression}", "money")
