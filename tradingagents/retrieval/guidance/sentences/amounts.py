"""Amounts in a sentence, and the ranges that they form: `$10.33 to $10.60`, `$28 billion, plus or minus 2%`, `up 20%`.

What a figure is of, and of which period, is not read here. A year, the day of a date, the number of a slide or of a
form, and a number within a name (`M365`, `Q2`, `'22`) are no amounts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tradingagents.dataflows.reference.currencies import UNSTATED_UNIT, currency_named
from tradingagents.retrieval.reading.facts import NUMBER_WORDS
from tradingagents.retrieval.text_figures import MONTH

_SCALES = {"trillion": 1e12, "billion": 1e9, "bn": 1e9, "million": 1e6, "mm": 1e6, "mn": 1e6, "thousand": 1e3}
_CENT = 0.01
_DOLLARS = frozenset({"$", "US$", "U.S.$", "USD"})
"""Calls and releases of companies that are listed in the United States; another dollar is written with its country."""
_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+"
_CURRENCY = r"(?:U\.?S\.? ?\$|US\$|[$€£¥]|(?:USD|EUR|GBP|JPY) )"
_UNIT = (
    r"%|percentage points?\b|percent\b|per cent\b|basis[ -]points?\b|bps\b|ppts?\b|points?\b|pts\b|times\b"
    r"|x(?= |,|\.|$)"
)
_PER = (
    r"(?: per|/| a) ?(?:fully )?(?:diluted )?(?:common )?"
    r"(?P<per>share|unit|barrel|gallon|pound|ounce|quarter|year|annum|day)\b"
)
_VALUE = re.compile(
    rf"(?P<sign>\b(?:negative|minus|positive|down|up|plus)\s+(?:by |about |approximately |roughly |around |a )?)?"
    rf"(?<![\w'\u2019.#/])(?P<minus>-)?(?P<currency>{_CURRENCY})?(?P<minus2>-)?"
    rf"(?:(?P<number>{_NUMBER})"
    rf"|(?P<word>(?:{'|'.join(NUMBER_WORDS)})(?=(?: and a half)?(?: percent| per cent|%| and | to \$?\d)))\b)"
    rf"(?P<half> and a half)?"
    rf"(?:[ -]?(?P<scale>trillion|billion|million|thousand|bn|mm|mn)\b)?(?P<dollars> (?:U\.?S\.? )?dollars\b)?"
    rf"(?P<cents> (?:U\.?S\.? )?cents\b)?"
    rf"(?:[ -]?(?P<unit>{_UNIT}))?"
    rf"(?:{_PER})?(?![\w/'\u2019]|-[A-Za-z]|\.\d)",
    re.IGNORECASE,
)
_NO_AMOUNT = re.compile(
    rf"(?:{MONTH}|(?:quarter|half|year) of"
    r"|slides?|pages?|no|number|item|form|note|exhibit|top|version|phase|covid|section|windows"
    rf"|day|step)[ .-]*$"
    r"|\bfirst $",
    re.IGNORECASE,
)
_OF_SHARES = re.compile(r" (?:[\w-]+ ){0,4}(?:shares|share count) outstanding\b", re.IGNORECASE)
"""Words behind a number that make it one of shares, whatever sign a transcript puts before it."""
_ORDINAL = re.compile(r"^(?:st|nd|rd|th)\b|^-(?:k|q|year|month|day|week|quarter|nm|gigawatt)\b", re.IGNORECASE)
_JOIN = re.compile(
    r"^,? ?(?P<word>to|and|or|through|-|\u2013|—|-to-) ?(?:a |an |approximately |about |roughly |around "
    r"|as much as |now )*$",
    re.IGNORECASE,
)
_FLAT_TO = re.compile(
    r"\b(?:flat|breakeven) to (?:(?:up|down|plus|minus|positive|negative|slightly) )?(?:by |about |approximately )?$",
    re.I,
)
_TO_FLAT = re.compile(
    r"(?P<falls> (?:decline|decrease))? (?:to|and) (?:about |roughly )?(?:flat|breakeven)\b", re.IGNORECASE
)
_FLAT = re.compile(r"\b(?:flat|breakeven) to (?=(?:up|down)\b)", re.IGNORECASE)
_SPREAD = re.compile(
    rf"^,?(?: or)? ?(?:plus or minus|±|\+/-|plus and minus) ?"
    rf"(?:(?:an? )?(?P<number>{_NUMBER}|{'|'.join(NUMBER_WORDS)}) ?"
    rf"(?P<unit>%|percent(?:age points?)?\b|points?\b|basis points\b|bps\b)"
    rf"|\$(?P<money>{_NUMBER})(?: (?P<scale>million|billion))?|(?P<cents>{_NUMBER}) cents\b)",
    re.IGNORECASE,
)
_WIDTH = re.compile(r"(?:plus or minus|plus and minus|±|\+/-) ?$", re.IGNORECASE)
_VAGUE = re.compile(r"\b(?:low|mid|high|upper|lower|mid-to-high)[ -]+$", re.IGNORECASE)
_RESPECTIVELY = re.compile(
    rf"^,? respectively(?:, (?:plus or minus|±) ?(?P<number>{_NUMBER}) ?(?P<unit>%|percent\b|basis points\b|bps\b)"
    r"(?P<money>)(?P<scale>)(?P<cents>))?",
    re.IGNORECASE,
)
_DELTA = re.compile(r"\bby (?:an? |about |approximately )?$")
_GROWS = re.compile(r"\b(?:grow|increas|declin|decreas|rise|expand|contract|improv)\w*\b[^,;]*$", re.IGNORECASE)
_WIDEST = 4
"""How many times the low end of a range of growth its high end is at most."""
_MOVES = re.compile(
    r"\b(?:rais|lower|increas|decreas|reduc|updat|revis|mov|improv|rais|enabl|up\b|down\b|rose|grew"
    r"|grow)\w*",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"\b(?:between|(?:range|ranges|ranging)(?: \w+)?(?: from| of| at)?|from)"
    r" (?:(?:approximately|about|roughly|around) )?(?:a (?:negative |positive )?)?$",
    re.I,
)
_GUIDANCE_OF = re.compile(r"\b(?:guidance|outlook)(?: range)? of $", re.IGNORECASE)
Kind = str
"""`money`, `percent`, `basis points`, `ratio` or `count`."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A range of one kind; a single figure is a range whose ends are equal."""

    low: float
    high: float
    kind: Kind
    start: int
    end: int
    """Characters [start, end) of the sentence, from the first figure to the last word of its unit."""
    currency: str = ""
    """ISO code, or `UNSTATED_UNIT`; empty where it is no money."""
    per: str = ""
    """What it is counted by, such as share, unit, barrel or quarter; empty for none."""
    sign_word: str = ""
    """`up`, `down`, `negative`, `positive` before the figure; empty for none."""
    parts: tuple[tuple[int, int], ...] = ()
    """Characters of each printed figure."""
    scaled: bool = False
    """Whether a scale word is printed, such as million."""

    @property
    def is_range(self) -> bool:
        """Whether two ends were printed."""
        return self.low != self.high


def read_amounts(text: str) -> list[Amount]:
    """Return the ranges and single figures of a sentence, in its order."""
    found = _values(text)
    amounts: list[Amount] = []
    at = 0
    while at < len(found):
        first = found[at]
        spread = _with_spread(text, first)
        if spread is not None:
            amounts.append(spread)
            at += 1
            continue
        second = found[at + 1] if at + 1 < len(found) else None
        joined = _joined(text, first, second) if second is not None else None
        amounts.append(_with_its_point(joined) if joined else _flat_end(text, _flat_start(text, first)))
        at += 2 if joined else 1
    return _respectively(text, amounts)


def _with_its_point(amount: Amount) -> Amount:
    """Return `452 to 458 per share` as $4.52 to $4.58: a transcript writes down what is said without its point."""
    if amount.kind != "count" or amount.per != "share" or not _is_in_cents(amount.low, amount.high):
        return amount
    low, high = _exact(amount.low * _CENT), _exact(amount.high * _CENT)
    return replace(amount, kind="money", currency="USD", low=low, high=high)


def _is_in_cents(low: float, high: float) -> bool:
    return 100 <= low <= high < 10_000 and low == int(low) and high == int(high)


def _values(text: str) -> list[Amount]:
    found: list[Amount] = []
    for match in _VALUE.finditer(text):
        amount = _value(text, match)
        if amount is None:
            continue
        lead = text[: amount.parts[0][0]]
        if found and _WIDTH.search(lead[found[-1].end :]):
            continue
        found.append(_about_nothing(lead, amount))
    return found


def _about_nothing(lead: str, amount: Amount) -> Amount:
    """Return `plus or minus 1%` without a figure before it as -1 to 1."""
    if amount.sign_word not in ("minus", "plus") or not _WIDTH.search(lead):
        return amount
    width = abs(amount.low)
    return replace(amount, low=-width, high=width, sign_word="range")


def _value(text: str, match: re.Match[str]) -> Amount | None:
    begin = match.start("currency") if match["currency"] else match.start("number" if match["number"] else "word")
    if _NO_AMOUNT.search(text[max(0, begin - 14) : begin]) and not (match["currency"] or match["unit"]):
        return None
    if _ORDINAL.match(text[match.end() :]) or re.match(r"-? to %", text[match.end() :]):
        return None  # the second is a range of which the transcript lost the end
    plain = match["number"]
    if _VAGUE.search(text[:begin]):
        return None  # "the low 20% range" names no figure
    year = plain is not None and re.fullmatch(r"(?:19|20)\d\d", plain) and not match["unit"] and not match["scale"]
    if year and not match["currency"]:
        return None
    value = float(plain.replace(",", "")) if plain is not None else float(NUMBER_WORDS.index(match["word"].lower()))
    if match["half"]:
        value += 0.5
    scale = (match["scale"] or "").lower()
    value = float(f"{value * (_CENT if match['cents'] else _SCALES.get(scale, 1.0)):.12g}")
    sign = (match["sign"] or "").split()[0].lower() if match["sign"] else ""
    if sign in ("negative", "minus", "down") or match["minus"] or match["minus2"]:
        value = -value
    kind, currency = ("count", "") if _OF_SHARES.match(text, match.end()) else _kind(match)
    start = match.start("sign") if sign in ("negative", "minus", "positive") else begin
    return Amount(
        low=value,
        high=value,
        kind=kind,
        start=start,
        end=match.end(),
        currency=currency,
        per=(match["per"] or "").lower(),
        sign_word=sign,
        parts=((begin, match.end()),),
        scaled=bool(scale),
    )


def _kind(match: re.Match[str]) -> tuple[Kind, str]:
    unit = (match["unit"] or "").lower().replace("-", " ")
    if match["currency"] or match["dollars"] or match["cents"]:
        sign = (match["currency"] or "$").replace(" ", "")
        return "money", "USD" if sign in _DOLLARS else currency_named(sign) or UNSTATED_UNIT
    if unit.startswith(("basis", "bps")):
        return "basis points", ""
    if unit.startswith(("%", "percent", "per cent")) and not unit.startswith("percentage"):
        return "percent", ""
    if unit.startswith(("times", "x")):
        return "ratio", ""
    if unit:
        return "points", ""
    return "count", ""


def _flat_start(text: str, amount: Amount) -> Amount:
    """Return `flat to up 4%` as 0 to 4."""
    lead = text[: amount.parts[0][0]]
    opened = _FLAT_TO.search(lead)
    if opened is None or amount.is_range:
        return amount
    low, high = sorted((0.0, amount.low))
    return replace(amount, low=low, high=high, sign_word="")


def _flat_end(text: str, amount: Amount) -> Amount:
    """Return `down 4% to flat`, and `a 4% decline to flat`, as -4 to 0."""
    closed = _TO_FLAT.match(text, amount.end)
    if closed is None or amount.is_range or not (closed["falls"] or amount.low < 0):
        return amount
    return replace(amount, low=-abs(amount.low), high=0.0, end=closed.end(), sign_word="range")


def _joined(text: str, first: Amount, second: Amount) -> Amount | None:
    """Return two figures as one range where the words between them join them; None where they do not."""
    gap = text[first.end : second.parts[0][0]]
    signs = re.sub(r"\b(?:up|down|negative|positive|minus|plus) (?:by )?$", "", gap)
    join = _JOIN.match(signs)
    lead = text[max(0, first.start - 40) : first.start]
    if join is None or (first.per in ("barrel", "gallon") and second.kind != first.kind):
        return None
    if join["word"].lower() in ("and", "or") and not (_BETWEEN.search(lead) or _GUIDANCE_OF.search(lead)):
        return None
    if join["word"].lower() == "to" and (_is_delta(lead, first, second) or _is_replaced(text, first, second)):
        return None
    low, high = first, second
    if first.kind != second.kind:
        if first.kind == "count" and first.currency == "" and second.kind != "count":
            in_cents = re.search(r"\bcents\b", text[second.start : second.end], re.IGNORECASE) is not None
            lost_point = second.kind == "money" and not second.scaled and 100 <= first.low <= second.high / _CENT
            factor = _CENT if in_cents or lost_point else 1.0
            low = replace(
                first, kind=second.kind, currency=second.currency, low=first.low * factor, high=first.high * factor
            )
        elif second.kind == "count" and (first.kind == "money" or (first.kind == "percent" and not second.scaled)):
            high = replace(second, kind=first.kind, currency=first.currency)
        else:
            return None
    if high.scaled and not low.scaled and low.kind in ("money", "count"):
        factor = _scale_of(text, high)
        if abs(low.low) * factor > abs(high.high) >= abs(low.low) * factor / 1000:
            factor /= 1000  # "$970 to $1.05 billion" begins in millions
        low = replace(low, low=float(f"{low.low * factor:.12g}"), high=float(f"{low.high * factor:.12g}"))
    signless = second.sign_word == "" and first.sign_word in ("negative", "minus", "down")
    end = -abs(high.high) if signless and high.high > 0 else high.high
    if abs(end) < abs(low.low) and first.sign_word not in ("negative", "minus", "down") and not second.sign_word:
        return None
    ends = sorted((low.low, end))
    return Amount(
        low=ends[0],
        high=ends[1],
        kind=low.kind,
        start=first.start,
        end=second.end,
        currency=low.currency or high.currency,
        per=high.per or first.per,
        sign_word=first.sign_word if first.sign_word == second.sign_word or not second.sign_word else "range",
        parts=(*first.parts, *second.parts),
        scaled=high.scaled,
    )


def _is_delta(lead: str, first: Amount, second: Amount) -> bool:
    """Tell whether `by A to B` moves something by A to the level B; `to grow by 2% to 4%` is a range of growth."""
    if not _DELTA.search(lead):
        return False
    both_growth = second.kind in ("percent", "basis points") and first.kind in (second.kind, "count")
    grows = _GROWS.search(lead) is not None and abs(second.high) <= _WIDEST * abs(first.low)
    return not (both_growth and grows)


def _is_replaced(text: str, first: Amount, second: Amount) -> bool:
    """Tell whether `from A to B` names an old figure and the new one rather than two ends of a range."""
    lead = text[: first.start]
    if not re.search(r"(?<!range )(?<!ranges )(?<!ranging )\bfrom (?:about |approximately |a )?$", lead):
        return False
    if _TO_ANOTHER.match(text[second.end :]):  # two old ends stand before the new ones; one, before two new ends
        return _TO_TWO_MORE.match(text[second.end :]) is None and _MOVES.search(lead[-140:]) is not None
    return _MOVES.search(lead[-140:]) is not None


_ANOTHER = r"(?: per share)?(?: (?:last|the prior) \w+)? to (?:a (?:new )?(?:range of )?|between |now )?[$\d][\d.,]*%?"
_TO_ANOTHER = re.compile(_ANOTHER)
_TO_TWO_MORE = re.compile(rf"{_ANOTHER}(?: (?:million|billion|percent))?(?: to|-| and) ?[$\d]")


def _scale_of(text: str, amount: Amount) -> float:
    printed = text[amount.parts[0][0] : amount.parts[0][1]].lower()
    return next((factor for word, factor in _SCALES.items() if re.search(rf"\b{word}\b", printed)), 1.0)


def _with_spread(text: str, amount: Amount) -> Amount | None:
    """Return a figure with `plus or minus` as a range; None without one."""
    spread = _SPREAD.match(text[amount.end :])
    if spread is None or ((spread["money"] or spread["cents"]) and amount.kind != "money"):
        return None
    return replace(_spread(amount, spread), end=amount.end + spread.end())


def _exact(value: float) -> float:
    """Return a sum of printed figures without what binary fractions add to it."""
    return float(f"{value:.12g}")


def _spread(amount: Amount, spread: re.Match[str]) -> Amount:
    if spread["money"] or spread["cents"]:
        scale = _CENT if spread["cents"] else _SCALES.get((spread["scale"] or "").lower(), 1.0)
        width = float((spread["money"] or spread["cents"]).replace(",", "")) * scale
        return replace(amount, low=_exact(amount.low - width), high=_exact(amount.high + width))
    word = spread["number"].lower()
    width = float(NUMBER_WORDS.index(word) if word in NUMBER_WORDS else word.replace(",", ""))
    if spread["unit"].lower().startswith(("basis", "bps")):
        width = width / 100 if amount.kind == "percent" else width
    elif amount.kind != "percent":
        width = abs(amount.low) * width / 100
    return replace(amount, low=amount.low - width, high=amount.high + width)


def _respectively(text: str, amounts: list[Amount]) -> list[Amount]:
    """Return amounts in which `A and B, respectively, plus or minus C` spreads both."""
    for number, amount in enumerate(amounts):
        after = _RESPECTIVELY.match(text[amount.end :])
        if number == 0 or after is None or after["number"] is None:
            continue
        before = amounts[number - 1]
        if re.fullmatch(r",? and ", text[before.end : amount.start]):
            amounts[number - 1], amounts[number] = _spread(before, after), _spread(amount, after)
    return amounts
