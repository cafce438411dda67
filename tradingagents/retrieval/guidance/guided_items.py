"""Items that companies guide for, and how a sentence names one: the item, what part of the company it is of, its basis.

`Collins full year adjusted operating profit` is the item `operating_income` of `Collins`, adjusted.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

Unit = Literal["money", "per_share", "percent", "growth", "shares", "count", "ratio"]
Basis = Literal["", "GAAP", "adjusted", "organic", "constant currency"]
"""What a figure is stated on; empty where it is not said."""
_NOISE_TEXT = """
    a an the our its their enterprise this that these those we i total consolidated companywide company overall
    worldwide global full full-year year years annual annually quarterly quarter quarters first second third fourth
    half back
    fiscal fy calendar diluted fully adjusted non-gaap non-gap gaap gap comparable reported organic organically
    operational operationally transaction-adjusted currency currency-neutral local constant constant-currency
    core-adjusted
    approximately approx about roughly around now currently still again also expected anticipated projected forecasted
    estimated new revised updated current prior latest initial range guidance outlook forecast target rate ratio
    amount growth increase net all-time company's year's all level year-over-year absolute same both weighted
    average and of in to be for on at by with as is are will should would expect expects anticipate anticipates project
    projects forecast forecasts see sees deliver achieve generate raising raise lowering increasing narrowing
    maintaining reaffirming reiterate reiterating initiating continue continues so finally additionally lastly
    next following percent us what you another robust strong solid that's it's remain remains maintain january
    february march april may june july august september october november december high low end midpoint
    excluding including from attributable per common share shares additional incremental up down further
    combined normalized underlying operating million billion thousand program stock common guided minimum
    transaction statutory basis core existing mentioned point two-year
    sequential sequentially times principal most recent comparison assumption assumptions more less than least
"""
_NOISE = frozenset(_NOISE_TEXT.split())
_STOP = re.compile(
    r"^(?:we|i|that|which|who|it|they|you|expect\w*|anticipat\w*|project(?:s|ed|ing)?|forecast\w*|estimat\w*|guid(?:es?|ing|ed)|expand\w*|see|sees"
    r"|believ\w*|deliver\w*|achiev\w*|generat\w*|rais\w*|lower\w*|increas\w*|decreas\w*|reduc(?:e|es|ing)|narrow\w*|maintain\w*"
    r"|reaffirm\w*|grow\w*"
    r"|continu\w*|initiat\w*|provid\w*|target\w*|plan\w*|have|has|had|is|are|was|be|to|of|for|from|in|at"
    r"|by|with|on|as"
    r"|or|but|if|so|while|where|when|than|includ\w+|exclud\w+|reflect\w*|impl(?:y|ies)|represent\w*|driv\w+|result\w*|lead\w*"
    r"|between|about|approximately|roughly|around|will|would|should|could|may|also|now|then|both|return\w*|make\w*"
    r"|pay|pays|paying|declar\w*|incorporat\w*|contemplat\w*|complet\w*|incur\w*|record(?:s|ing)|spend(?:s|ing)|call(?:s|ing)"
    r"|updat\w*|revis\w*|\w+[\u2019'](?:re|ve|ll|d)|over|versus|mention\w*|assum\w*|exit\w*|through|via"
    r"|strengthen\w*|introduc\w*|improv\w*|support\w*|give\w*|said|say|says|our|the|a|an|this|its|their|these|those"
    r"|because|since|considers?|yield\w*|equals?)$"
)
_BASES: tuple[tuple[Basis, re.Pattern[str]], ...] = (
    (
        "constant currency",
        re.compile(
            r"constant[- ]currenc|local[- ]currenc|currency[- ]neutral|\boperational(?:ly)?\b"
            r"(?! (?:impacts?|performance|efficienc|excellence|execution|improvements?|changes?|costs?|initiatives?))"
        ),
    ),
    (
        "organic",
        re.compile(r"\borganic(?:ally)?\b|\bcore revenue\b|\bcore sales\b|excluding the impact of (?:\w+ ){0,2}acq"),
    ),
    (
        "adjusted",
        re.compile(
            r"\badjusted\b|\bnon[- ]?ga+p\b|-adjusted\b|\boperating earnings per share\b|\bcore (?:eps|earnings)"
            r"|\bcomparable (?=(?:diluted )?(?:eps|earnings|operating|gross|net income))"
        ),
    ),
    (
        "GAAP",
        re.compile(
            r"(?<!non-)(?<!non )(?:\bgaap\b|\bgap (?=income|earnings|eps|net|operating|gross|diluted|effective|tax))"
            r"|\breported\b"
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class GuidedItem:
    """An item that companies guide for."""

    key: str
    unit: Unit
    """What a figure of it is; `growth` where any figure of it in percent is a change on the year before."""
    names: re.Pattern[str]
    line_item: str = ""
    """Our line item, by which what came is read; empty for none."""
    ratio: tuple[str, ...] = ()
    """Two line items of which it is the quotient; empty for none."""


@dataclass(frozen=True, slots=True)
class ItemMention:
    """An item that a text names."""

    key: str
    """Key of the item, or the words as printed."""
    part: str
    """The segment, product or region that it is of, as printed in lower case; empty for the company."""
    start: int
    end: int
    phrase_start: int
    """First character of the whole phrase, with the words that say what it is of."""
    is_known: bool = True
    """Whether it is an item of the table."""


@lru_cache(maxsize=1)
def guided_items() -> dict[str, GuidedItem]:
    """Return the items of the table by key."""
    text = files("tradingagents.retrieval.guidance").joinpath("guided_items.toml").read_text(encoding="utf-8")
    return {key: _item(key, entry) for key, entry in tomllib.loads(text).items()}


def item_mentions(text: str) -> list[ItemMention]:
    """Return the items that a text names, in its order; the longest match at a place, none within another."""
    lower = text.lower()
    found: list[tuple[int, int, str]] = []
    for item in guided_items().values():
        found.extend((match.start(), match.end(), item.key) for match in item.names.finditer(lower))
    found.sort(key=lambda span: (span[0] - span[1], span[0]))
    taken: list[tuple[int, int, str]] = []
    for start, end, key in found:
        if not any(start < last and first < end for first, last, _ in taken):
            taken.append((start, end, key))
    taken.sort()
    mentions: list[ItemMention] = []
    for start, end, key in taken:
        floor = mentions[-1].end if mentions else 0
        first = _phrase_start(text, start, floor)
        mentions.append(ItemMention(key, part_of(text[first:start]), start, end, first))
    return mentions


def part_of(words: str) -> str:
    """Return the words that say which part of the company is meant, without those that any item may have."""
    plain = re.sub(r"[\u2018\u2019']s\b|[\u2018\u2019'](?=\s|$)|[,()]", " ", words)
    kept = [
        word
        for word in plain.split()
        if re.search(r"[A-Za-z]", word)
        and (word.lower().strip(".") not in _NOISE or word in ("AS", "IT"))
        and not re.fullmatch(r"[\u2018\u2019']?\d+|(?:first|second|third|fourth)-quarter|Q[1-4]|FY\d*|[\d.,$%]+", word)
    ]
    return " ".join(dict.fromkeys(word.lower() for word in kept)).strip(" .")


def basis_of(text: str) -> Basis:
    """Return the basis that words state, the narrowest of several; empty where none is."""
    lower = text.lower()
    return next((basis for basis, words in _BASES if words.search(lower)), "")


def _phrase_start(text: str, start: int, floor: int) -> int:
    """Return where the words begin that belong to the item at `start`: back to a verb, a preposition or a comma."""
    first = start
    for match in reversed(list(re.finditer(r"\S+", text[floor:start]))):
        word = match[0]
        plain = word.lower().strip('"“”(')
        joins = plain in ("and", "&") and _joins_names(text, floor + match.end(), floor + match.start())
        if re.search(r"[,;:.?!]$", word) and not re.fullmatch(r"(?:U\.S\.|[A-Z]\.)", word):
            break
        joins = joins or (plain in ("and", "&") and _joins_nouns(text, floor + match.start()))
        if (plain == "and" and not joins) or _STOP.match(plain) or start - (floor + match.start()) > 80:
            break
        first = floor + match.start()
    return first


def _joins_nouns(text: str, before: int) -> bool:
    """Tell whether an `and` joins two halves of a name in small letters, as in `Acme's construction and forestry`."""
    left = re.search(r"(?:[\u2019']s|\b(?:our|the|in|for|at)) (\w+) $", text[:before])
    named = left is not None and not _STOP.match(left[1].lower()) and not item_mentions(left[1])
    return left is not None and named and part_of(left[1]) != ""


def _joins_names(text: str, after: int, before: int) -> bool:
    """Tell whether an `and` stands between two words of one name: both capitalised, or both small and no item."""
    right, left = re.match(r"\s*(\S+)", text[after:]), re.search(r"(\S+)\s*$", text[:before])
    if right is None or left is None or re.search(r"[,;:%]$", left[1]):
        return False
    return left[1][:1].isupper() and right[1][:1].isupper() and not item_mentions(left[1])


def _item(key: str, entry: dict[str, Any]) -> GuidedItem:
    return GuidedItem(
        key=key,
        unit=entry["unit"],
        names=re.compile(rf"(?<![\w&-])(?:{entry['names']})(?![\w-])"),
        line_item=entry.get("line_item", ""),
        ratio=tuple(entry.get("ratio", ())),
    )
