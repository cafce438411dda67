"""Inline XBRL: the figures that a filing tags, and the plain facts of its cover page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from tradingagents.retrieval.models import Fact
from tradingagents.retrieval.reading.tree import Element, clean, local

_ZERO_FORMATS = frozenset({"fixed-zero", "zerodash", "numdash", "fixedzero"})
NUMBER_WORDS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
)
"""Words for the numbers from 0 on."""
_WORDS = {word: number for number, word in enumerate(NUMBER_WORDS)} | {"no": 0, "none": 0, "nil": 0}
_MAX_SCALE = 30
_DIGITS = re.compile(r"(?=[\d.]*\d)[0-9]{0,40}(?:\.[0-9]{0,40})?")


@dataclass(frozen=True, slots=True)
class Tag:
    """A tagged figure as it stands in the text."""

    fact: int
    """Position of its fact."""
    scale: float
    """Factor from the printed figure to the unit."""


@dataclass(frozen=True)
class TaggedFacts:
    """What a filing tags."""

    facts: tuple[Fact, ...] = ()
    tags: Mapping[Element, Tag] = field(default_factory=dict)
    """By the element around the figure."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """Texts tagged for the company as a whole, such as dei:TradingSymbol; the first where there are several."""
    unread: int = 0
    """Tagged figures that could not be read."""


@dataclass(frozen=True, slots=True)
class _Context:
    start: date | None
    end: date
    dimensions: Mapping[str, str]


def read_facts(root: Element) -> TaggedFacts:
    """Read the tagged figures of a document; none where it has no tags."""
    contexts: dict[str, _Context] = {}
    units: dict[str, str] = {}
    numbers: list[Element] = []
    texts: list[Element] = []
    continuations: dict[str, Element] = {}
    for element in root.iter():
        name = local(element)
        if name == "nonfraction":
            numbers.append(element)
        elif name == "nonnumeric":
            texts.append(element)
        elif name == "continuation":
            continuations[element.get("id", "")] = element
        elif name == "context" and (context := _context(element)) is not None:
            contexts[element.get("id", "")] = context
        elif name == "unit":
            units[element.get("id", "")] = _unit(element)
    facts, tags, unread = _numbers(numbers, contexts, units)
    return TaggedFacts(facts, tags, _texts(texts, contexts, continuations), unread)


def _numbers(
    elements: list[Element], contexts: Mapping[str, _Context], units: Mapping[str, str]
) -> tuple[tuple[Fact, ...], dict[Element, Tag], int]:
    facts: list[Fact] = []
    precision: list[float] = []
    places: dict[tuple[object, ...], int] = {}
    tags: dict[Element, Tag] = {}
    unread = 0
    for element in elements:
        attributes = {name.rpartition("}")[2].rpartition(":")[2].lower(): value for name, value in element.items()}
        if attributes.get("nil") in ("true", "1"):
            continue
        context = contexts.get(attributes.get("contextref", ""))
        scale = _scale(attributes.get("scale", ""))
        value = None if scale is None else _value(element, attributes, scale)
        if context is None or value is None or scale is None:
            unread += 1
            continue
        fact = Fact(
            concept=attributes.get("name", ""),
            value=value,
            unit=units.get(attributes.get("unitref", ""), ""),
            period_start=context.start,
            period_end=context.end,
            dimensions=context.dimensions,
        )
        key = (fact.concept, fact.unit, fact.period_start, fact.period_end, tuple(sorted(context.dimensions.items())))
        decimals = _decimals(attributes.get("decimals", ""))
        at = places.setdefault(key, len(facts))
        if at == len(facts):
            facts.append(fact)
            precision.append(decimals)
        elif decimals > precision[at]:
            facts[at], precision[at] = fact, decimals
        tags[element] = Tag(at, 10.0**scale)
    return tuple(facts), tags, unread


def _value(element: Element, attributes: Mapping[str, str], scale: int) -> float | None:
    printed = clean("".join(element.itertext()))
    form = attributes.get("format", "").rpartition(":")[2].lower()
    if form in _ZERO_FORMATS or printed in ("—", "–", "-"):
        return 0.0
    if form.startswith("numwords") or form == "numwordsen":
        word = _WORDS.get(printed.lower())
        number = None if word is None else Decimal(word)
    else:
        number = _decimal(printed, comma_is_point="comma" in form and "commadot" not in form)
    if number is None:
        return None
    sign = -1 if attributes.get("sign") == "-" else 1
    return float(number.scaleb(scale)) * sign


def _decimal(printed: str, *, comma_is_point: bool) -> Decimal | None:
    digits = printed.replace(" ", "").replace("\u2019", "")
    digits = digits.replace(".", "").replace(",", ".") if comma_is_point else digits.replace(",", "")
    digits = digits.strip("()$€£¥%")
    return Decimal(digits) if _DIGITS.fullmatch(digits) else None


def _scale(text: str) -> int | None:
    try:
        scale = int(text or 0)
    except ValueError:
        return None
    return scale if abs(scale) <= _MAX_SCALE else None


def _decimals(text: str) -> float:
    if text.upper() == "INF":
        return float("inf")
    try:
        return float(int(text))
    except ValueError:
        return float("-inf")


def _context(element: Element) -> _Context | None:
    start: date | None = None
    end: date | None = None
    dimensions: dict[str, str] = {}
    for part in element.iter():
        name = local(part)
        if name in ("enddate", "instant"):
            end = _day(part.text)
        elif name == "startdate":
            start = _day(part.text)
        elif name == "explicitmember":
            dimensions[part.get("dimension", "")] = clean(part.text or "")
        elif name == "typedmember":
            dimensions[part.get("dimension", "")] = clean("".join(part.itertext()))
    return None if end is None else _Context(start, end, dimensions)


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat((text or "").strip()[:10])
    except ValueError:
        return None


def _unit(element: Element) -> str:
    over: list[str] = []
    under: list[str] = []
    for part in element.iter():
        if local(part) == "measure":
            parents = {local(parent) for parent in part.iterancestors()}
            (under if "unitdenominator" in parents else over).append(_measure(part.text or ""))
    if not under:
        return "*".join(over)
    divided = ["share" if name == "shares" else name for name in under]
    return f"{'*'.join(over)}/{'*'.join(divided)}"


def _measure(text: str) -> str:
    return text.strip().rpartition(":")[2]


def _texts(
    elements: list[Element], contexts: Mapping[str, _Context], continuations: Mapping[str, Element]
) -> dict[str, str]:
    found: dict[str, str] = {}
    for element in elements:
        name = element.get("name", "")
        context = contexts.get(element.get("contextref") or element.get("contextRef") or "")
        if not name.startswith("dei:") or context is None or name in found:
            continue
        if context.dimensions and name != "dei:TradingSymbol":
            continue
        text = clean("".join(_parts(element, continuations)))
        if text:
            found[name] = text
    return found


def _parts(element: Element, continuations: Mapping[str, Element]) -> Iterator[str]:
    """Yield the texts of an element and of those that continue it, each once."""
    seen: set[str] = set()
    current: Element | None = element
    while current is not None:
        yield "".join(current.itertext())
        following = current.get("continuedAt") or current.get("continuedat") or ""
        current = None if following in seen else continuations.get(following)
        seen.add(following)
