# ruff: noqa: RUF001
"""Numbers as people write them in prose and tables: `$18.3bn`, `-5.1 %`, `(5.1%)`, `10-12%`, `45 bps`, `2.3 times`.

Skipped are numbers that name or count something rather than state data: dates, years, fiscal labels, times, windows
(`50-day`), ordinals, indicator parameters (`RSI(14)`), names (`S&P 500`, `Form 10-K`, run identifiers) and scales
(`-1 to 1`).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tradingagents.provenance.wording import tables

SMALL = 12
"""Bare whole numbers up to this one are counts, never rounded values: two plants, the 3 reasons."""
SCALES = {"": 1.0, "c": 0.01, "t": 1e12, "b": 1e9, "m": 1e6, "k": 1e3}
_UNITS = {
    **dict.fromkeys(("%", "pe", "pc"), "%"), **dict.fromkeys(("%-", "pp", "pt", "po"), "points"), "ba": "bps",
    "bp": "bps", **dict.fromkeys(("x", "×", "ti", "fo", "-f"), "x"),
}  # fmt: skip
_MONEY = "USD|EUR|GBP|JPY|CHF|CAD|AUD|CNY|HKD|INR|KRW|SEK|NOK|DKK|TWD|BRL|SGD|GBp"
_SIGNS = frozenset("$€£¥₹")
_SPAN = r"(?:trading |calendar )?(?:day|session|week|month|year|yr|quarter|hour|hr|minute|min|bar|period|round)s?\b"
_NUMBER = re.compile(
    rf"""
    (?P<digits>[0-9](?:\d{{0,2}}(?:,\d{{3}})+(?:\.\d+)?(?!\d)
      | \d{{0,2}}(?:[\u00a0\u202f\u2009 ]\d{{3}})+(?:\.\d+)?(?![\d-]) | \d*(?:\.\d+)?))
    (?:[ -]?(?=[TBMKCtbmkc\u212a])
      (?P<scale>(?i:trillion|billions?|millions?|thousand|cents?|trn|[tbm]n|mm|mio|[tbmk]))(?![A-Za-z0-9]))?
    (?:\s?(?P<unit>%-points|%|per\ cent|percent(?:age\ points?)?|pct|basis\ points?|bps?|pp|ppts?|pts|points?|x|×
      |times|-?fold)(?![A-Za-z0-9]))?
    (?P<money>\s?(?:{_MONEY}|dollars|euros)\b)?
    """,
    re.VERBOSE,
)
_NO_FIGURE = re.compile(
    rf"""
    (?=\d+(?:\.\d+)?[\s:/–-] | \d+(?:\.\d+)?[^\W\d] | (?:19|20)\d\d | (?<=/)) (?:  # others are figures, told fast
    \d+(?:\.\d+)?-{_SPAN}
    | \d{{8}}T\d{{6}}Z-[\w.=^-]+
    | \d{{4}}-\d\d(?:-\d\d(?:[ T]\d\d?:\d\d(?::\d\d)?)?)?\b(?![.,]?\d)
    | \d\d?:\d\d(?::\d\d)?\b | \d\d?/\d\d?/\d{{2,4}}\b
    | (?:10-[KQ]|8-K|20-F|6-K)\b | [1-4][QH](?:\s?'?\d{{2,4}})?\b | \d+(?:st|nd|rd|th)\b
    | \d\d?(?:\s?(?:-|–|to|and|or)\s?\d\d?)?\ (?:of\ )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b
    | (?<![$€£¥.,+\-−\d])(?:19|20)\d\d(?:s|E|/\d\d|\s?[-–]\s?(?:19|20)\d\d)?\b
      (?![.,]\d|\s?(?:%|x\b|[mb]illion|shares|jobs))
    | \d+(?:\.\d+)?(?:\s?(?:-|–|to|or)\s?\d+(?:\.\d+)?)?[ -]?{_SPAN} | \d{{1,3}}[- ](?:[SEWD]?MA)s?\b
    | (?<!rank\ )(?<!ranked\ )\d\d?\ of\ (?:the\ )?\d{{1,3}}\b(?![.,]?\d|\s?%)
    | \d+(?:\.0)?\ to\ [+-]?(?:1|10|100)\b(?!\.\d|%) | (?<=\d/)(?:5|10|100)\b
    | (?<![$\d.,])(?:1|2|3|6|9|12|18|24)[mM]\b
      (?=\s*(?:$|[)|:,/]|and\b|[+\-\d]|return|change|move|alpha|high|low|window|momentum))
    | \d(?:\.\d+)?[ -]ATRs?\b )
    """,
    re.VERBOSE,
)
_PREFIX = re.compile(rf"([+\-−–]?)((?:(?:US|C|A|HK|NT|R)?\$|[€£¥₹]|\b(?:{_MONEY})\s?)\s?)?([+\-−–]?)$")
_ABOUT = re.compile(
    r"(?:about|around|roughly|nearly|almost|approximately|approx\.?|some|close to|just|over|more than|less than|under"
    r"|at least|~|≈|circa|c\.|north of|well|slightly)(?: above| below| over| under)?\s*$",
    re.IGNORECASE,
)
_ABOUT_ENDS = (
    *("ut", "nd", "ly", "st", "ox", "x.", "me", "to", "er", "an"),
    *("ca", "c.", "of", "ll", "ow", "ve", "~", "≈"),
)
"""The last letters, or the sign, of what `_ABOUT` finds: few numbers need its search."""
_LEADS = frozenset("+-−–") | _SIGNS | frozenset(code[-1] for code in _MONEY.split("|"))
"""Characters with which a sign or a currency before a number ends, if not with a space."""
_UNIT = _NUMBER.groupindex["unit"]
_URL = re.compile(r"https?://\S+")
_CONTINENTAL = re.compile(r"\d{1,3}(?:[.\u00a0\u202f]\d{3})++(?:,\d+)?|(?<!\d)\d++,\d+")
_TO_ENGLISH = str.maketrans({".": ",", ",": ".", "\u00a0": ",", "\u202f": ","})
_SEPARATORS = str.maketrans("", "", ", \u00a0\u202f\u2009")


class Number(NamedTuple):
    """A number of a text, characters [start, end).

    `value` is unscaled (1.2bn is 1.2e9, 12.3 % is 12.3) and may lie `half` off: half a unit of the last digit, more
    where the words say `about`. `unit` is `%`, `points`, `bps`, `x`, `money` or empty. A number that stands alone in
    brackets may be of either sign; a `whole` one has no unit, sign, scale or decimals.
    """

    start: int
    end: int
    value: float
    half: float
    unit: str = ""
    signed: bool = False
    bracketed: bool = False
    whole: bool = False


def read_numbers(text: str, *, continental: bool = False) -> list[Number]:
    """Return the numbers of a text that can be figures, in order; `continental` ones are written `1.234,5`."""
    if "http" in text:
        text = _URL.sub(lambda match: "_" * len(match[0]), text)
    if continental:
        text = _CONTINENTAL.sub(lambda match: match[0].translate(_TO_ENGLISH), text)
    found: list[Number] = []
    free = 0
    for match in _NUMBER.finditer(text):
        if match.start() < free:
            continue
        if (match.lastindex or 0) < _UNIT and (skipped := _NO_FIGURE.match(text, match.start())):
            free = skipped.end()
        elif number := _number(text, match):
            found.append(number)
    return found


def _number(text: str, match: re.Match[str]) -> Number | None:
    """Return a number with its sign, unit and scale; None where the characters around it make it part of a name."""
    start, end = match.span()
    digits, scale, unit, money = match.groups()
    before, sign, prefix = text[max(0, start - 24) : start], "", None
    spaced = before[-1:] == " " and before[-4:-1] not in _MONEY and before[-2:-1] not in _SIGNS
    lead = not spaced and before[-1:]
    if lead and (lead in _LEADS or lead.isspace()) and (prefix := _PREFIX.search(before[-6:])):
        sign, money, start = prefix[1] or prefix[3], prefix[2] or money, start - len(prefix[0])
    left, right = text[start - 1] if start else "\n", text[end : end + 1]
    if sign and not (prefix and prefix[2]) and (left.isdigit() or left in "%)"):  # a range, not a sign
        sign, start = "", match.start()
    elif left.isalnum() or left in "_.^@/#," or (left == "\n" and right and right in ")."):
        return None
    last = None  # the number that ends a range, with which scale and unit stand: `10-12%`
    if right in ("-", "–", "—") or text.startswith(" to ", end):
        last = _NUMBER.match(text, end + (4 if right == " " else 1))
    if right.isalpha() or right == "_" or (right in "-." and text[end + 1 : end + 2].isalnum() and not last):
        return None
    if unit == "%" and before.endswith("value at risk at "):  # the level names the figure that follows
        return None
    whole = not (sign or money or unit or scale) and digits.isdigit()
    if whole and len(digits) < 5:
        word = before.rstrip(" '#-(*").lower().replace("-", " ").rpartition(" ")[2].lstrip("(*")
        if word in tables()["words"]["indicators" if left == "(" else "named_by_number"] or before.endswith("out of "):
            return None
    if last and not scale and not unit:
        scale, unit = last["scale"], last["unit"]
    factor = SCALES[scale.lower().replace("thousand", "k")[:1]] if scale else 1.0
    digits = digits.translate(_SEPARATORS)
    decimals, value = digits.partition(".")[2], float(digits) * factor
    half = 0.5 * 10 ** -len(decimals) * factor if value > SMALL or unit or scale or not digits.isdigit() else 0.0
    about = text[max(0, start - 20) : start].rstrip() if before[-1:] in (" ", "~", "≈", "$") else ""
    if about[-2:].casefold().endswith(_ABOUT_ENDS) and _ABOUT.search(text, max(0, start - 20), start):
        zeros = 0 if decimals or scale else len(digits) - len(digits.rstrip("0"))  # about 20,000: they are rounded ones
        half = max(2 * half, min(0.5 * 10**zeros, 0.03 * value) if zeros else 0)
    kind = (
        ("points" if "point" in unit[3:] and unit[0] == "p" else _UNITS[unit[:2].lower()])
        if unit
        else money and "money"
    )
    bracketed = left == "(" and right == ")" and not sign
    value = -value if sign in ("-", "−", "–") else value
    return Number(start, end, value, half + abs(value) * 1e-9, kind or "", bool(sign), bracketed, whole and not unit)
