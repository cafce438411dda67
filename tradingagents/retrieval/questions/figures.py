"""Questions about figures, read by rule: the metric, the periods, the unit, and a formula that the question defines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from tradingagents.dataflows.reference.currencies import CODES, currency_named
from tradingagents.retrieval.calculation import Output
from tradingagents.retrieval.column_basis import basis_of
from tradingagents.retrieval.line_items import Metric, line_items, metrics
from tradingagents.retrieval.models import ColumnBasis
from tradingagents.retrieval.money import CURRENCY_WORD

Operation = Literal["value", "average", "growth", "difference", "cagr", "compare"]
"""What is done with the metric over the periods: `compare` asks whether it went up or down."""


Claim = Literal["improved", "worsened", "rose", "fell", "positive", "negative", ""]
"""What a yes-or-no question supposes of the figure; empty where it supposes nothing, as in "improved or declined"."""


@dataclass(frozen=True, slots=True)
class FigureQuestion:
    """A question that asks for a figure, or compares two."""

    text: str
    name: str = ""
    """What is asked for, in the words of the question."""
    expression: str = ""
    """Formula over line items, for one year (`a`, `a@-1`); empty where the metric is not known."""
    output: Output = "money"
    operation: Operation = "value"
    years: tuple[int, ...] = ()
    """Fiscal years in order; the last is the year asked. Empty: the latest of the filing."""
    quarter: int | None = None
    span: int = 0
    """Years of an average or a growth rate that names no years, such as 3; 0 where it names them."""
    each_year: bool = False
    """Whether the figure of each year named is asked for, as in "in 2024 and 2025"."""
    any_quarter: bool = False
    """Whether it speaks of a quarter without saying which, as in "the latest quarter"."""
    scale: float = 1.0
    """Factor of the unit asked for, such as 1e6 for USD millions."""
    unit: str = ""
    """The unit asked for, in words, such as `USD millions`, `millions` or `percent`; empty where it is left open."""
    currency: str = ""
    """ISO code of the currency asked for, or `$` for dollars; empty where the question names none."""
    basis: ColumnBasis = ""
    """Whether figures as restated, as first reported, pro forma, of a predecessor or successor are asked for."""
    decimals: int | None = None
    metric: Metric | None = None
    claim: Claim = ""
    asks_figure: bool = False
    """Whether the wording asks for a figure or a comparison of figures, not for a description."""


_STATEMENT_NAMES = re.compile(
    r" from (?:the )?(?:cash flow|income) statement(?=\))"
    r"|(?:p&l|profit and loss|cash flows?|income|earnings) statements?"
    r"|statements? of (?:consolidated )?(?:cash flows?|income|operations|earnings|financial position)"
    r"|(?<!on )(?<!on the )balance sheets?"
)
_YEAR = r"(?:(?:fy|fiscal(?: year)?)\s?'?)?((?:19|20)\d\d)|fy\s?'?(\d\d)\b"
_YEARS = re.compile(rf"(?<![\d.$-])(?:{_YEAR})(?!\d)(?!-\d\d-)")
_QUARTER = re.compile(
    r"\bq([1-4])\b|\b(first|second|third|fourth) (?:fiscal )?quarter"
    r"|\b(?:20\d\d)\s?q([1-4])|fy\s?'?\d\d(?:\d\d)?\s?q([1-4])"
)
_RANGE = re.compile(
    r"(?:fy|fiscal(?: year)?)?\s?((?:19|20)\d\d)\s?(?:-|\u2013|to|through)\s?"
    r"(?:fy|fiscal(?: year)?)?\s?((?:19|20)\d\d)"
)
_SPAN = re.compile(r"\b(\d|two|three|four|five|six)[\s-]years?\b")
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_DECIMALS = re.compile(r"(?:to|with) (one|two|three|four|\d) decimal|nearest (?:whole|integer)")
_PLACES = {"one": 1, "two": 2, "three": 3, "four": 4}
_DEFINED = re.compile(r"(?:defined|calculated|computed) as:?\s{1,9}(?P<body>.+?)(?:\.(?=\s|$)|$)")
_BEFORE_DEFINED = re.compile(r"(?P<name>(?! {2})[a-z&/() -]{2,60}?) (?:here )?(?:is|are|as|being)? ?$")
_LONGEST_BEFORE = 75
"""Characters of a name and of the words between it and `defined as`."""
_DEFINE = re.compile(r"define (?P<name>.{1,120}?) as:?\s{1,9}(?P<body>.+?)(?:\.(?=\s|$)|$)")
_RATIO = re.compile(r"as (?:a |an )?(?:%|percent|percentage|share|fraction|proportion|multiple) of ")
_MARGIN = re.compile(r"\s*+(?:\([^)]*+\)\s*+)?(?:%|percent|percentage)?\s*+margin")
_PERCENT_ASKED = re.compile(r"units? of percents?|\(?as a %|in percents?\b|percentage|% margin|%\s*of\b|\bpercents?\b")
_CHANGE = re.compile(
    r"year[- ]over[- ]year|\byoy\b|growth rate|\bgrowth\b|\bgr[eo]w\b"
    r"|\bby how much\b.*\b(?:increase|decrease|decline|drop|rise|fall|shrink)\b"
    r"|(?:percent(?:age)?|%) (?:change|increase|decrease)|\bchange in\b|\bchanged?\b"
)
_COMPARE = re.compile(
    r"^(?:has|have|did|does|do|is|are|was|were) (?!there\b).*\b(?:improv\w*|declin\w*|increas\w*|decreas\w*|grow\w*|"
    r"gr[eo]w\w*|rise\w*|rose|risen|f[ae]ll\w*|higher|lower|deteriorat\w*|worsen\w*|healthy|positive|negative|"
    r"chang\w*)\b|\bimproved or declined\b"
)
_EACH_YEAR = re.compile(
    r"(?<!between )(?:fy|fiscal(?: year)?)?\s?(?:19|20)\d\d\b[^.?]{0,20}\band\b[^.?]{0,20}\b(?:19|20)\d\d\b"
)
_ANY_QUARTER = re.compile(r"\bquarter(?:s|ly)?\b")
_FIGURE = re.compile(
    r"\b(?:what (?:is|was|were|are)|how (?:much|many)|calculate|compute|by how much|what percent|roughly how many)\b"
    r"|\b(?:compare|show|give|tell)\b|\bwhat's\b"
    r"|\b(?:which (?:of|one|company|companies|firm)|who)\b.{0,300}\b(?:higher|highest|lower|lowest|larger|largest|"
    r"bigger|biggest|smaller|smallest|better|best|worse|worst|more|most|less|least)\b"
)
_UNITS = re.compile(r"(?<![a-z\d])(thousands?|millions?|billions?|crores?|lakhs?)\b")
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "crore": 1e7, "lakh": 1e5}


_CLAIMS: tuple[tuple[Claim, re.Pattern[str]], ...] = (
    ("", re.compile(r"\bor\b.{0,300}\b(?:declin|decreas|worse|fall|fell|deteriorat|lower)|healthy")),
    ("improved", re.compile(r"\bimprov|\bbetter")),
    ("worsened", re.compile(r"\bdeteriorat|\bworse|\bdeclining profile")),
    ("rose", re.compile(r"\bincreas|\bgr[eo]w|\brise|\brose|\brising|\bhigher")),
    ("fell", re.compile(r"\bdecreas|\bdeclin|\bfell|\bfall|\blower|\breduc")),
    ("positive", re.compile(r"\bpositive")),
    ("negative", re.compile(r"\bnegative")),
)


def read_figure_question(text: str) -> FigureQuestion:
    """Return what a question asks for; `expression` is empty where no known metric or line item is named."""
    plain = _plain(text)
    definitions = _definitions(plain)
    core = _core(plain)
    name, expression, output, metric = _target(core, definitions)
    years, span = _years(plain), _SPAN.search(core)
    operation = _operation(core, output, years)
    count = int(_NUMBERS.get(span.group(1), 0) or span.group(1)) if span and operation in ("average", "cagr") else 0
    if count and len(years) == 1:
        years = years_to(years[-1], count, operation)
    quarter = _quarter(plain)
    found = FigureQuestion(text, name, expression, output, operation, years, quarter, metric=metric)
    found = replace(
        found,
        span=count if not years else 0,
        each_year=operation == "value" and len(years) > 1 and bool(_EACH_YEAR.search(core)),
        any_quarter=quarter is None and bool(_ANY_QUARTER.search(core)),
    )
    found = replace(found, asks_figure=bool(expression) and bool(_FIGURE.search(core) or operation == "compare"))
    if operation == "compare":
        found = replace(found, claim=next((claim for claim, rule in _CLAIMS if rule.search(core)), ""))
    return _with_unit(found, plain)


_ABBREVIATION = re.compile(
    r"(?<![\w&])(?:r&d|sg&a|sga|d&a|cogs|eps|ebit|ebitda|ebitdar|fcf|roe|roa|roic|dso|dio|dpo|ccc|pp&e|ppe|ppne|opex)(?![\w&])"
)


def with_capitals(name: str) -> str:
    """Return the name of a figure with its abbreviations in capitals, such as `EBITDA margin`."""
    return _ABBREVIATION.sub(lambda found: found[0].upper(), name)


def years_to(last: int, count: int, operation: Operation) -> tuple[int, ...]:
    """Return the years of an average over `count` years, or those between which growth over `count` years lies."""
    return tuple(range(last - count + (1 if operation == "average" else 0), last + 1))


def _plain(text: str) -> str:
    plain = text.lower().replace("\u2019", "'").replace("\u2013", "-").replace("\u2014", " - ").replace("&amp;", "&")
    return " ".join(plain.split())


def _core(plain: str) -> str:
    """Return the part of a question that names what is asked, without definitions and names of statements."""
    cut = re.split(r"\b(?:is|are|here is|here) defined as|\bdefine ", plain, maxsplit=1)[0]
    cut = cut.split("here's the question:")[-1]
    return " ".join(_STATEMENT_NAMES.sub(" ", cut).split())


def _years(plain: str) -> tuple[int, ...]:
    """Return the fiscal years that a question names, in order; a range is filled."""
    question = re.split(r"\b(?:is|are|here is|here) defined as|\bdefine ", plain, maxsplit=1)[0]
    span = _RANGE.search(question)
    if span:
        first, last = int(span.group(1)), int(span.group(2))
        if first <= last <= first + 15:
            return tuple(range(first, last + 1))
    found = {int(match.group(1) or f"20{match.group(2)}") for match in _YEARS.finditer(question)}
    return tuple(sorted(year for year in found if 1990 <= year <= 2060))


def _quarter(plain: str) -> int | None:
    match = _QUARTER.search(plain)
    if match is None:
        return None
    word = next(group for group in match.groups() if group)
    return _ORDINALS.get(word) or int(word)


def _operation(core: str, output: Output, years: tuple[int, ...]) -> Operation:
    if "cagr" in core or "compound annual" in core:
        return "cagr"
    if re.search(r"\baverage\b", core) and (_SPAN.search(core) or len(years) > 1):
        return "average"
    if _COMPARE.search(core):
        return "compare"
    if _CHANGE.search(core) and not re.search(r"what drove|why", core):
        return "growth" if output in ("money", "per_share") else "difference"
    return "value"


def _with_unit(question: FigureQuestion, plain: str) -> FigureQuestion:
    decimals = _DECIMALS.search(plain)
    places = None
    if decimals:
        word = decimals.group(1) or "0"
        places = _PLACES.get(word) or (int(word) if word.isdigit() else None)
    output: Output = question.output
    if question.operation in ("growth", "cagr"):
        asked_money = question.operation == "growth" and _UNITS.search(plain) and not _PERCENT_ASKED.search(plain)
        if asked_money:
            question = replace(question, operation="difference")
        else:
            output = "percent"
    elif output in ("times", "number") and _PERCENT_ASKED.search(plain):
        output = "percent"
    unit, scale = {"percent": "percent", "times": "", "days": "days", "number": ""}.get(output, ""), 1.0
    if output == "money":
        match = _UNITS.search(plain)
        word = match.group(1).rstrip("s") if match else ""
        code = _currency(question.text)
        named = code if code.isalpha() else ""
        unit, scale = (f"{named} {word}s".strip(), _SCALES[word]) if word else (named, 1.0)
    currency = _currency(question.text)
    return replace(
        question, output=output, unit=unit, scale=scale, decimals=places, currency=currency, basis=basis_of(plain)
    )


_CURRENCY_ASKED = re.compile(
    rf"\b(?:in|into)\s+(?:the\s+)?(?:(?:thousands|millions|billions)\s+of\s+)?(?P<after>{CURRENCY_WORD})"
    rf"|\b(?:thousands|millions|billions)\s+of\s+(?P<scaled>{CURRENCY_WORD})"
    rf"|(?=[^\W\d_]|[$\u0080-\uffff])(?P<before>{CURRENCY_WORD})\s?(?:in\s+)?(?:thousands?|millions?|billions?|bn|mn?\b|crores?|lakhs?)",
    re.IGNORECASE,
)
_ALSO_WORDS = frozenset({"try", "pen", "ron", "sar", "php", "rm", "tl"})
"""Codes that are other words where they stand in small letters."""


def _currency(text: str) -> str:
    """Return the currency in which a question asks for a figure; empty where it names none."""
    for found in _CURRENCY_ASKED.finditer(" ".join(text.split())):
        words = found["after"] or found["scaled"] or found["before"]
        code = currency_named(words)
        if words not in _ALSO_WORDS and (code in CODES or code == "$"):
            return code
    return ""


@lru_cache(maxsize=1)
def _phrases() -> tuple[tuple[re.Pattern[str], str, str], ...]:
    """Return (pattern, kind, key) for every name of a metric or an item, the longest names first."""
    named = [(name, "metric", metric.key) for metric in metrics().values() for name in metric.names]
    named += [(name, "item", item.key) for item in line_items().values() for name in item.names]
    named.sort(key=lambda each: (-len(each[0]), each[1] == "item"))
    return tuple((re.compile(rf"(?<![\w-]){re.escape(name)}s?(?![\w-])"), kind, key) for name, kind, key in named)


@dataclass(frozen=True, slots=True)
class _Mention:
    start: int
    end: int
    kind: str
    key: str


def _mentions(text: str) -> list[_Mention]:
    """Return the metrics and items that a text names, without overlaps, longest names first, in order of place."""
    taken: list[_Mention] = []
    for pattern, kind, key in _phrases():
        for match in pattern.finditer(text):
            if all(match.end() <= other.start or match.start() >= other.end for other in taken):
                taken.append(_Mention(match.start(), match.end(), kind, key))
    return sorted(taken, key=lambda mention: mention.start)


def named_measures(text: str) -> list[tuple[int, int, str, str]]:
    """Return the metrics and line items that a text in small letters names: begin, end, `metric` or `item`, and key."""
    return [(mention.start, mention.end, mention.kind, mention.key) for mention in _mentions(text)]


_OWN_MEASURE = re.compile(
    r"(?<!un)adjusted|non-?\s?gaap|\bcore\b|\bcomparable\b|constant[- ]currency|\borganic"
    r"|\b(?:excluding|leaving out|stripped of|not counting)\b"
)


def _asked(core: str) -> list[_Mention]:
    """Return what a question names after its asking word (`what is`, `how much`), else what it names anywhere.

    A measure that the company defines itself, such as adjusted EBITDA, stands in no statement: nothing is returned.
    """
    if _OWN_MEASURE.search(core):
        return []
    mentions = _mentions(core)
    for asking in _FIGURE.finditer(core):
        after = [each for each in mentions if each.start >= asking.end()]
        if after:
            return after
    return mentions


def _target(core: str, definitions: Mapping[str, str]) -> tuple[str, str, Output, Metric | None]:
    """Return name, expression, kind of result and metric of what a question asks for."""
    mentions = _asked(core)
    joined = _joined(core, mentions)
    if joined is not None:
        return joined
    defined = _defined_target(core, definitions)
    if defined is not None:
        name, expression = defined
        known = next((metrics()[each.key] for each in mentions if each.kind == "metric"), None)
        return name, expression, known.output if known else _output(expression), known
    ratio = _RATIO.search(core)
    if ratio:
        above = [each for each in mentions if each.end <= ratio.start()]
        below = [each for each in mentions if each.start >= ratio.end()]
        if above and below:
            name = f"{core[above[-1].start : above[-1].end]} / {core[below[0].start : below[0].end]}"
            return name, f"{_factor(above[-1])} / {_divisor(below[0])}", "percent", None
    chosen = next((each for each in mentions if each.kind == "metric"), None) or next(iter(mentions), None)
    if chosen is None:
        return "", "", "money", None
    name = core[chosen.start : chosen.end]
    margin = _MARGIN.match(core, chosen.end)
    if margin and chosen.kind == "item":
        metric = next((each for each in metrics().values() if each.formula == f"{chosen.key} / revenue"), None)
        return f"{name} margin", f"{chosen.key} / revenue", "percent", metric
    if margin and chosen.kind == "metric" and metrics()[chosen.key].output == "money":
        return f"{name} margin", f"{_factor(chosen)} / revenue", "percent", None
    if chosen.kind == "metric":
        metric = metrics()[chosen.key]
        return name, metric.formula, metric.output, metric
    return name, chosen.key, "per_share" if line_items()[chosen.key].unit == "per_share" else "money", None


_JOINS = {
    "less": "-",
    "minus": "-",
    "-": "-",
    "net of": "-",
    "plus": "+",
    "+": "+",
    "divided by": "/",
    "/": "/",
    "to": "/",
}


def _joined(core: str, mentions: list[_Mention]) -> tuple[str, str, Output, Metric | None] | None:
    """Return what two names make that a word joins, such as `EBITDA less capex` or `debt to equity ratio`."""
    for first, second in pairwise(mentions):
        between = re.sub(r"\([^)]{0,200}\)|\btotal\b|\bthe\b", " ", core[first.end : second.start])
        sign = _JOINS.get(" ".join(between.split()))
        if sign is None or (" to " in between and not core[second.end :].lstrip().startswith(("ratio", "margin"))):
            continue
        output: Output = "times" if sign == "/" else "money"
        before = _factor(first) if sign == "/" else _formula(first)
        after = _formula(second) if sign == "+" else _factor(second) if sign == "-" else _divisor(second)
        return core[first.start : second.end], f"{before} {sign} {after}", output, None
    return None


def _formula(mention: _Mention) -> str:
    return metrics()[mention.key].formula if mention.kind == "metric" else mention.key


def _factor(mention: _Mention) -> str:
    """Return a formula that may be multiplied, divided or subtracted: a sum in brackets."""
    formula = _formula(mention)
    return f"({formula})" if " + " in formula or " - " in formula else formula


def _divisor(mention: _Mention) -> str:
    formula = _formula(mention)
    return formula if formula.isidentifier() else f"({formula})"


def _output(expression: str) -> Output:
    return "times" if "/" in expression else "money"


def _definitions(plain: str) -> dict[str, str]:
    """Return the formulas that a question defines, by the name that it gives to each."""
    found: dict[str, str] = {}
    told = [(match.group("name"), match.group("body")) for match in _DEFINE.finditer(plain)]
    for said, body in (*told, *_defined_after(plain)):
        name = said.strip(" .,()").split(". ")[-1]
        found.setdefault(re.sub(r"^(?:the |here )|\s(?:here|is|are)$", "", name).strip(), body)
    return found


def _defined_after(plain: str) -> Iterator[tuple[str, str]]:
    """Return names with the formulas that follow them: `the quick ratio is defined as …`."""
    after, at = 0, 0
    while (match := _DEFINED.search(plain, at)) is not None:
        before = _BEFORE_DEFINED.search(plain, max(after, match.start() - _LONGEST_BEFORE), match.start())
        if before is None:
            at = match.start() + 1
            continue
        yield before.group("name"), match.group("body")
        after = at = match.end()


def _defined_target(core: str, definitions: Mapping[str, str]) -> tuple[str, str] | None:
    """Return name and expression of the metric of the question where the question itself defines it."""
    for name, body in definitions.items():
        short = re.search(rf"\(\s*{re.escape(name)}\s*\)|(?<!\w){re.escape(name)}(?!\w)", core)
        if short:
            expression = defined_expression(body, definitions)
            if expression:
                return name, expression
    return None


_SIGN_WORDS = (
    ("divided by", "/"),
    ("multiplied by", "*"),
    ("minus", "-"),
    ("less", "-"),
    ("plus", "+"),
    ("times", "*"),
)
_FILLER = re.compile(r"(?:the|of|for|total|net|year|year-end|annual|all|its|company's|end)\b\s*")
_BETWEEN = re.compile(rf"\s*(?:between|from|over|for)\s+(?:{_YEAR})\s*(?:and|to|-)\s*(?:{_YEAR})")


def defined_expression(body: str, definitions: Mapping[str, str] | None = None, depth: int = 0) -> str:
    """Return the expression that a definition in words stands for; empty where a part of it is not understood.

    For example `(FY2019 COGS) / (average inventory between FY2018 and FY2019)`.
    """
    text, parts, at, year = (
        re.sub(r"\[[^\]]{0,200}\]|\bfrom (?:the )?cash flow statement\b", "", body).strip(),
        [],
        0,
        "",
    )
    while at < len(text):
        taken, part, year = _next_part(text, at, year, definitions or {}, depth)
        if not taken:
            return ""
        at += taken
        if part:
            parts.append(part)
    expression = " ".join(parts)
    return expression if expression.count("(") == expression.count(")") else ""


def _next_part(text: str, at: int, year: str, definitions: Mapping[str, str], depth: int) -> tuple[int, str, str]:
    """Return how many characters the next part of a definition takes, its expression, and the year that is open."""
    rest = text[at:]
    if rest[0] in " .,:;":
        return 1, "", year
    if rest[0] in "+-/*()":
        return 1, rest[0], year
    for word, sign in _SIGN_WORDS:
        if rest.startswith(f"{word} "):
            return len(word), sign, ""
    dated = _YEARS.match(text, at)
    if dated:
        return dated.end() - at, "", dated.group(1) or f"20{dated.group(2)}"
    number = re.match(r"\d+(?:\.\d+)?", rest)
    if number:
        return number.end(), number.group(), year
    over = re.match(r"(?:average|(?:the )?change in)\s+(?:of )?(?:the )?", rest)
    if over:
        total = re.match(r"total\s+", rest[over.end() :])
        name = _name_at(rest, over.end(), definitions, depth)
        if name is None and total:
            name = _name_at(rest, over.end() + total.end(), definitions, depth)
        if name is None:
            return 0, "", year
        length, key = name
        between = _BETWEEN.match(rest, length)
        first, last = "-1", year
        if between:
            years = [group for group in between.groups() if group]
            first, last = (each if len(each) == 4 else f"20{each}" for each in sorted(years[:2]))
        before, after = f"{key}@{first}", f"{key}@{last}" if last else key
        made = f"average({before}, {after})" if over.group().startswith("average") else f"({after} - {before})"
        return between.end() if between else length, made, ""
    name = _name_at(rest, 0, definitions, depth)
    if name is not None:
        length, key = name
        return length, f"{key}@{year}" if year and key.isidentifier() else key, ""
    filler = _FILLER.match(rest)
    return (filler.end(), "", year) if filler else (0, "", year)


def _name_at(text: str, at: int, definitions: Mapping[str, str], depth: int) -> tuple[int, str] | None:
    """Return the end of the name that stands at a place, and its expression."""
    for name, body in sorted(definitions.items(), key=lambda each: -len(each[0])):
        if depth < 3 and re.match(rf"{re.escape(name)}(?!\w)", text[at:]):
            others = {other: each for other, each in definitions.items() if other != name}
            inner = defined_expression(body, others, depth + 1)
            if inner:
                return at + len(name), f"({inner})"
    for pattern, kind, key in _phrases():
        match = pattern.match(text, at)
        if match:
            return match.end(), key if kind == "item" else f"({metrics()[key].formula})"
    return None
