"""What a question wants computed beside its figures and the answer does not have: it is named, never dropped.

It reads the words of the question by itself, whatever was read of them before: a rule that passes a word over is found
here. A word that a row, a line or a formula has too asks for nothing: `average ticket`, `total deliveries`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tradingagents.dataflows.reference.currencies import is_money
from tradingagents.retrieval.lines.answers.comparison import NOTHING_NAMED
from tradingagents.retrieval.lines.answers.line_results import CHANGE, DIFFERENCE
from tradingagents.retrieval.lines.answers.yes_or_no import asks_yes_or_no
from tradingagents.retrieval.lines.asked.plain_text import plain_question
from tradingagents.retrieval.lines.line_answer import LineAnswer, LineResult
from tradingagents.retrieval.lines.parts.share_of_whole import SHARE

NOT_COMPUTED = "it is asked for and is not worked out: it is not understood of what"
_CHANGES = ("Growth", CHANGE, DIFFERENCE, "Compound", "Multiple")
_OF_NO_WHOLE = re.compile(
    r"\bcurrent portion of\b|\bshare of (?:the )?(?:net )?(?:profits?|loss(?:es)?|income|earnings|results?)\b"
)
"""Lines that are called a share or a portion."""
_OF_TWO = re.compile(r" (?:less|over) ")
"""The name of a difference or a ratio of two figures."""


def with_what_is_not_computed(question: str, answer: LineAnswer) -> LineAnswer:
    """Return an answer with each sum, average, share, change, difference or winner that is asked for and not given."""
    plain = _OF_NO_WHOLE.sub(" ", plain_question(question))
    printed = " ".join(f"{value.row} {value.line} {value.formula}" for value in answer.values).lower()
    missing = [
        LineResult(name=name, refusal=NOT_COMPUTED)
        for name, asked, answered, is_given in _COMPUTED
        if asked.search(plain) and not answered.search(printed) and not is_given(answer)
    ]
    if asks_yes_or_no(plain) and not _is_decided(answer):
        missing.append(LineResult(name="Yes or no", refusal="the figures that were found do not tell it"))
    return answer.model_copy(update={"results": (*answer.results, *missing)}) if missing else answer


def _named(*beginnings: str) -> Callable[[LineAnswer], bool]:
    return lambda answer: any(result.name.startswith(beginnings) for result in answer.results)


def _has_several(answer: LineAnswer) -> bool:
    """Whether an answer has two figures of one company; the `total` of one is a word of its name."""
    companies = [value.company for value in answer.values]
    return len(companies) > len(set(companies))


def _gives_change(answer: LineAnswer) -> bool:
    of_two = any(_OF_TWO.search(result.name) for result in answer.results)
    return of_two or _is_decided(answer) or _named(*_CHANGES)(answer)


def _is_decided(answer: LineAnswer) -> bool:
    return bool(answer.verdict) and NOTHING_NAMED not in answer.verdict


def _gives_share(answer: LineAnswer) -> bool:
    units = [value.unit for value in answer.values if value.value is not None]
    units += [result.unit for result in answer.results if not result.name.startswith("Growth")]
    return not {"percent", "times", "ratio"}.isdisjoint(units)


def _gives_count(answer: LineAnswer) -> bool:
    return any(not is_money(value.unit) for value in answer.values)


def _gives_difference(answer: LineAnswer) -> bool:
    return any(_OF_TWO.search(result.name) or result.name.startswith(_CHANGES) for result in answer.results)


_GROWTH = re.compile(
    r"\b(?:growth|gr[eo]w(?:n|ing|s)?|yoy|chang(?:e|es|ed|ing)|increas(?:e|es|ed|ing)|decreas(?:e|es|ed|ing)"
    r"|declin(?:e|es|ed|ing)|drop(?:s|ped)?|f[ae]ll(?:en|ing)?|r[io]sen?|swing|delta|trend|trajectory)\b"
)
_COUNTED = re.compile(
    r"\bhow many (?!(?:us )?dollars|usd\b|millions?\b|billions?\b|percent|basis|points|times\b|years\b|quarters\b"
    r"|more\b)"
    r"|\b(?:unit|store|site|warehouse|restaurant|customer|member|user|aircraft|vehicle)s? counts?\b"
    r"|\bnumbers? of (?!shares\b|days\b)"
    r"|\(?\bunits?\b\)?(?=\W*$|\W+(?:in|for|per|by|sold|shipped|delivered)\b)"
)
_COMPUTED: tuple[tuple[str, re.Pattern[str], re.Pattern[str], Callable[[LineAnswer], bool]], ...] = (
    (
        "Sum",
        re.compile(
            r"\b(?:sum|altogether|cumulative(?:ly)?|aggregate"
            r"|totals?(?=\W*(?:$|[,;:?.)]|(?:and|over|across|for the) )))\b"
        ),
        re.compile(r"\b(?:sum|total|cumulative|aggregate)"),
        lambda answer: _named("Sum")(answer) or not _has_several(answer),
    ),
    ("Average", re.compile(r"\b(?:averages?|avg|mean)\b"), re.compile(r"\baverage"), _named("Average", "Weighted")),
    (
        "Share of the whole",
        re.compile(rf"{SHARE.pattern}|\bmix\b"),
        re.compile(r"\b(?:share|portion|percent\w*|mix)\b|%"),
        _gives_share,
    ),
    (
        "Highest or lowest",
        re.compile(
            r"\b(?:highest|lowest|peak(?:ed)?|biggest|largest|smallest|strongest|weakest|best|worst|fastest|slowest)\b"
            r"|\bwho\b|\bwhich (?:of|one|years?|quarters?|segments?|regions?|company|was|is|has|had|grew|did)\b"
        ),
        re.compile(r"\b(?:highest|lowest|largest|best)\b"),
        lambda answer: _is_decided(answer) or any("since the " in result.name for result in answer.results),
    ),
    ("Change", _GROWTH, _GROWTH, _gives_change),
    ("Number", _COUNTED, re.compile(r"\b(?:number|count|units?)\b"), _gives_count),
    (
        "Compound annual growth",
        re.compile(r"\b(?:cagr|compound(?:ed)?)\b"),
        re.compile(r"cagr"),
        _named("Compound", "Cagr"),
    ),
    (
        "Difference",
        re.compile(
            r"\b(?:difference|gap|by how (?:much|many)|by what (?:percent(?:age)?|share)"
            r"|how (?:much|many) (?:more|less|fewer|higher|lower)"
            r"|how (?:far|much) (?:above|below|over|under|up|down))\b"
        ),
        re.compile(r"\b(?:difference|gap)"),
        _gives_difference,
    ),
)
"""What is computed or counted, the words that ask for it, those in a row, a line or a formula that answer for them, and
whether an answer gives it."""
