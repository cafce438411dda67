"""Numbers as people write them in prose and tables: `$18.3bn`, `-5.1 %`, `(5.1%)`, `10-12%`, `45 bps`, `2.3 times`.

Read are numbers that can be figures of some data. Dates, years, fiscal labels, times, windows (`50-day`, `3 months`),
ordinals, list numbers, indicator parameters (`RSI(14)`), names with digits (`S&P 500`, `Form 10-K`) and scales
(`-1 to 1`) are passed over: they name or count something, and no data can prove them.

English notation is read, thousands with commas or thin spaces; other notation on demand (see `read_numbers`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

SCALES = {
    "t": 1e12, "tn": 1e12, "trn": 1e12, "trillion": 1e12,
    "b": 1e9, "bn": 1e9, "billion": 1e9, "billions": 1e9,
    "m": 1e6, "mn": 1e6, "mm": 1e6, "mio": 1e6, "million": 1e6, "millions": 1e6,
    "k": 1e3, "thousand": 1e3,
}  # fmt: skip
_UNITS = {
    "%": "%", "per cent": "%", "percent": "%", "pct": "%",
    "percentage point": "points", "percentage points": "points", "point": "points", "points": "points", "pp": "points",
    "ppt": "points", "ppts": "points", "pts": "points", "%-points": "points",
    "basis point": "bps", "basis points": "bps", "bps": "bps", "bp": "bps",
    "x": "x", "\u00d7": "x", "times": "x", "-fold": "x", "fold": "x",
}  # fmt: skip
_CURRENCIES = "USD|EUR|GBP|JPY|CHF|CAD|AUD|CNY|HKD|INR|KRW|SEK|NOK|DKK|TWD|BRL|SGD|GBp"
_SIGN = "+\\-\u2212\u2013"
_MONTH = (
    "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    "|Nov(?:ember)?|Dec(?:ember)?)"
)
_SPAN = (
    r"(?:trading |calendar |business )?(?:day|session|week|month|year|yr|quarter|hour|hr|minute|min|bar|period|round)s?"
)

_PASSED_OVER = re.compile(
    rf"""
    https?://\S+
    # dates, times, years, fiscal labels
    | \b\d{{4}}-\d{{2}}(?:-\d{{2}}(?:[ T]\d{{1,2}}:\d{{2}}(?::\d{{2}})?)?)?\b(?![.,]?\d)
    | \b\d{{1,2}}:\d{{2}}(?::\d{{2}})?\b
    | \b\d{{1,2}}/\d{{1,2}}/\d{{2,4}}\b
    | \b{_MONTH}\.?[ ]\d{{1,2}}(?:st|nd|rd|th)?(?:\s?[-\u2013]\s?\d{{1,2}})?(?:,?[ ]\d{{4}})?(?![\d.,]*\d|\s?%)
    | \b\d{{1,2}}(?:st|nd|rd|th)?(?:[ ]of)?[ ]{_MONTH}\b\.?(?:[ ]\d{{4}})?
    | \b{_MONTH}\.?,?[ ](?:19|20)\d{{2}}\b
    | \b[QH][1-4](?:[ -]?(?:FY)?\s?'?\d{{2,4}})?\b(?!\.\d) | \b[1-4][QH](?:\s?'?\d{{2,4}})?\b
    | \bFY\s?'?\d{{2,4}}(?:[/-]\d{{2,4}})?E?\b | \bfiscal[ ](?:year[ ])?\d{{4}}\b
    | (?<![\d$€£¥.,+\-\u2212])\b(?:19|20)\d{{2}}(?:s|E|/\d{{2}}|\s?[-\u2013]\s?(?:19|20)\d{{2}})?\b
      (?![.,]\d|\s?(?:%|x\b|[mb]illion|USD|points|shares|jobs))
    # windows
    | \b\d+(?:\.\d+)?(?:\s?(?:-|\u2013|to|or)\s?\d+(?:\.\d+)?)?[ -]?{_SPAN}\b(?!\.\d)
    | (?<![$€£¥\d.,])\b(?:\d{{1,2}}[dwyDWY]|(?:1|2|3|6|9|12|18|24)[mM])\b(?!\.)
      (?=\s*(?:[)|:,/]|and|(?:return|change|move|perf|alpha|avg|average|mean|high|low|window|basis|horizon|momentum)))
    # parameters of indicators
    | \b(?:RSI|[SEWV]MA|VWMA|[DM]MA|MA|MACD|ATR|ADX|CCI|MFI|KDJ|BB|Bollinger(?:[ ][Bb]ands?)?)
      (?<!day[ ]SMA)(?<!day[ ]EMA)(?<!day[ ]MA)\s?\(\s?\d{{1,3}}(?:\s?[,/]\s?\d{{1,3}}(?:\.\d)?)*\s?\)
    | \b(?:RSI|[SEW]MA|DMA|MA|ATR)[- ]?\d{{1,3}}\b(?!\.\d|%)
      (?=\s*(?:at|of|is|was|=|:|\(|,|and|\||\d|stands|above|below))
    | \b\d{{1,3}}[- ]?(?:[SEWD]MA|MA|EMAs?|SMAs?|DMAs?)\b
    # names
    | \bS&P\s?\d{{3,4}} | \bRussell[ ]\d{{4}} | \bNasdaq[- ]100 | \bFTSE[ ]\d+ | \bDow[ ]30 | \bCAC[ ]40 | \bDAX[ ]40
    | \bNikkei[ ]225 | \b(?:Euro[ ])?Stoxx[ ]\d+ | \bASX[ ]200 | \bCSI[ ]300 | \bFortune[ ]\d+ | \bMagnificent[ ]7
    | \b(?:Form[ ]|Schedule[ ])?(?:10-[KQ]|8-K|20-F|6-K|13[DFG]|DEF[ ]14A)\b | \bRule[ ]\w+-\d\b | \bS-\d\b
    | \b(?:No\.|Nr\.|\#|Phase|Level|Tier|Stage|Step|Round|Turn|Item|Section|Point|Scenario|Option|Table)\s?\d+\b
    | \b\d+(?:st|nd|rd|th)\b
    | \b(?:top|first|last|next|bottom|best|worst|other)[ ]\d{{1,2}}\b(?!\.\d|%|,\d)
    # list numbers, counts of a whole, scales
    | ^[\s>*\#-]*\(?\d{{1,2}}[.)](?=\s)
    | (?<![\w.])\((?:\d{{1,2}}|[ivx]+)\)(?=\s)
    | (?<!rank[ ])(?<!ranked[ ])\b\d{{1,2}}[ ]of[ ](?:the[ ])?\d{{1,3}}\b(?![.,]?\d|\s?%)
    | [+-]?\d+(?:\.0)?[ ]to[ ][+-]?(?:1|10|100)\b(?!\.\d|%)
    | (?<=\d)/(?:5|10|100)\b | \bout[ ]of[ ](?:5|10|100)\b
    """,
    re.MULTILINE | re.VERBOSE,
)
_NUMBER = re.compile(
    rf"""
    (?P<paren>\((?=[$€£]?\d[\d.,]*\s?(?:%|[TBMK]?\))))?
    (?P<sign>[{_SIGN}](?=[$€£¥\d.])|[{_SIGN}](?=(?:{_CURRENCIES})\s?\d))?
    (?P<money>(?:(?:US|C|A|HK|NT|R)?\$|[€£¥₹]|(?:{_CURRENCIES})\s)\s?)?
    (?P<inner>[{_SIGN}](?=\d))?
    (?P<digits>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?![\d]) | \d{{1,3}}(?:[\u00a0\u202f\u2009 ]\d{{3}})+(?:\.\d+)?(?![\d-])
        | \d+(?:\.\d+)? | (?<!\d)\.\d+)
    (?:[ -]?(?P<scale>trillion|billions?|millions?|thousand|trn|tn|bn|mn|mm|mio|[TtBbMmKk])(?![A-Za-z0-9]))?
    (?:\s?(?P<unit>%-points|%|per\ cent|percent(?:age\ points?)?|pct|basis\ points?|bps?|pp|ppts?|pts|points?|x|\u00d7
        |times|-?fold)(?![A-Za-z0-9]))?
    (?:\s?(?P<after>{_CURRENCIES}|dollars|euros)\b)?
    """,
    re.VERBOSE,
)
_ONE = re.compile(rf"\s*[+-]?\d[\d,]*(?:\.\d+)?[TBMK]?\s?(?:%|x|{_CURRENCIES})?\s*")
_HEDGE = re.compile(
    r"(?:about|around|roughly|nearly|almost|approximately|approx\.?|some|close to|just (?:over|under|above|below)|over"
    r"|more than|less than|under|at least|~|\u2248|circa|c\.|north of|well (?:over|above)"
    r"|slightly (?:above|below))\s*$",
    re.IGNORECASE,
)
_CONTINENTAL = re.compile(r"\d{1,3}(?:[.\u00a0\u202f]\d{3})+(?:,\d+)?|\d+,\d+")


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a text."""

    start: int
    end: int
    """Characters [start, end) of the text."""
    value: float
    """Unscaled: 1.2bn is 1.2e9; a percentage is 12.3 for 12.3 %."""
    half: float
    """Half a unit of the last digit shown: how far the value may lie from what was rounded."""
    unit: str = ""
    """`%`, `points`, `bps`, `x`, `money`, or empty."""
    signed: bool = False
    """Whether a sign stands with it."""
    about: bool = False
    """Whether the words before it call it approximate."""
    digits: int = 1
    """Significant digits shown."""
    bracketed: bool = False
    """Whether it stands alone in brackets: in accounting a negative, in prose an aside; either sign may be meant."""
    whole: bool = False
    """Whether it is a bare whole number: no unit, sign, scale or decimals."""


@lru_cache(maxsize=4096)
def read_numbers(text: str, *, continental: bool = False) -> tuple[Number, ...]:
    """Return the numbers of a text that can be figures, in order.

    Args:
        text: One or more lines.
        continental: Read `1.234,5` as German and most European languages write it.
    """
    if continental:
        text = _CONTINENTAL.sub(lambda match: _as_english(match[0]), text)
    plain = text if is_number(text) else _PASSED_OVER.sub(_blank, text)
    return tuple(number for match in _NUMBER.finditer(plain) if (number := _number(plain, match)) is not None)


def is_number(text: str) -> bool:
    """Tell whether a text, such as a table's cell, is one number and nothing else."""
    return _ONE.fullmatch(text) is not None


def _number(text: str, match: re.Match[str]) -> Number | None:
    start, end = match.start() + bool(match["paren"]), match.end()
    first = match.start("digits")
    before = text[match.start() - 1] if match.start() else " "
    after = text[end] if end < len(text) else " "
    following = text[end + 1] if end + 1 < len(text) else " "
    sign = (match["sign"] or match["inner"] or "").strip()
    if sign and not match["money"] and (before.isalnum() or before in "%)_"):  # a range or a hyphen, not a sign
        sign, start = "", first
        if before.isalpha() or before == "_":
            return None
    elif not sign and not match["paren"] and (before.isalnum() or before in "_.^@/#" or before == ","):
        return None
    if (
        after.isalpha()
        or after in "_"
        or (after == "-" and following.isalpha())
        or (after == "." and following.isdigit())
    ):
        return None
    shown = match["digits"].translate(_SPACES)
    scale = SCALES.get((match["scale"] or "").lower(), 1.0)
    if not match["scale"] and (after in "-\u2013\u2014" or text[end : end + 4] == " to "):
        scale, unit = _of_range(text, end, match)
    else:
        unit = _UNITS.get((match["unit"] or "").lower(), "")
    if not unit and (match["money"] or match["after"]):
        unit = "money"
    places = len(shown.partition(".")[2])
    value = float(shown) * scale
    negative = sign not in ("", "+")
    return Number(
        start=start,
        end=end,
        value=-value if negative else value,
        half=0.5 * 10**-places * scale,
        unit=unit,
        signed=bool(sign),
        bracketed=bool(match["paren"] and after == ")" and not sign),
        about=bool(_HEDGE.search(text, max(0, start - 20), start)),
        digits=len(shown.replace(".", "").lstrip("0")) or 1,
        whole=not (places or unit or sign or match["scale"] or match["after"]),
    )


def _of_range(text: str, end: int, match: re.Match[str]) -> tuple[float, str]:
    """Return scale and unit of a range's first number, which stand with its last: `10-12%`, `$1.2 to 1.4bn`."""
    own = _UNITS.get((match["unit"] or "").lower(), "")
    if own:
        return 1.0, own
    last = _NUMBER.match(text, end + (4 if text[end] == " " else 1))
    if not last:
        return 1.0, ""
    return SCALES.get((last["scale"] or "").lower(), 1.0), _UNITS.get((last["unit"] or "").lower(), "")


_SPACES = {ord(mark): None for mark in ", \u00a0\u202f\u2009"}


def _blank(match: re.Match[str]) -> str:
    return "\x01" * len(match[0])


@lru_cache(maxsize=1024)
def _as_english(shown: str) -> str:
    """Write a continental number in English, in as many characters."""
    return shown.translate({ord("."): ",", ord(","): ".", 0xA0: ",", 0x202F: ","})
