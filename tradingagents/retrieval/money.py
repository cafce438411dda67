"""The currency and the scale that a document states for its figures: captions, column heads, labels, and its own words.

`read_unit` reads one short text (`RMB in thousands`, `(€m)`, `Rs. in crore`); `nearest_unit` the lines above a table.
`read_document_money` reads what a document says of all its figures (`reporting currency`, `expressed in`), and what a
sign that several currencies share means in it. Nothing is assumed: `$` is the US dollar only where the document says so
or is a report that companies of the United States file; else the currency is not stated. The words and signs are those
of `dataflows.reference.currencies`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from tradingagents.dataflows.reference.currencies import (
    AMBIGUOUS,
    CURRENCIES,
    DOLLARS,
    SHARED_WORDS,
    UNSTATED_UNIT,
    currency_named,
    scale_factor,
)
from tradingagents.retrieval.models import DocumentInfo, Page

LONGEST_LINE = 200
"""Characters of a line that may state a unit; a longer one is prose."""
_MOST_WORDS = 8
"""Words besides those of units in a text that states one; more make a sentence."""
_LABEL_WORDS = 5
"""Words besides those of units beside a bracket that holds a currency and no scale."""
_LONGEST_CAPTION = 150
"""Characters of a whole line, not in brackets, that may state a unit."""


def _alternation(words: Iterable[str]) -> str:
    return "|".join(re.escape(word).replace(r"\ ", r"\s?") for word in sorted(set(words), key=lambda word: -len(word)))


def _is_word(text: str) -> bool:
    return text[-1].isalpha() and text.isascii()


_SIGNS = [sign for currency in CURRENCIES for sign in currency.signs]
_SIGN = _alternation(sign for sign in _SIGNS if not _is_word(sign))
_CODE = _alternation(
    [*(currency.code for currency in CURRENCIES), *(sign for sign in _SIGNS if _is_word(sign) and len(sign) > 1)]
)
_RAND = r"(?<![A-Za-z])R(?=(?:\s?(?i:millions?|billions?)|mn?|bn)(?![A-Za-z]))"
"""A lone letter is a currency only before a scale word."""
_NAME = _alternation(
    [
        *(name for currency in CURRENCIES for name in currency.names if name.isascii()),
        *(word for word in SHARED_WORDS if word.isalpha() and word.isascii()),
    ]
)
_CJK = _alternation([*(name for currency in CURRENCIES for name in currency.names if not name.isascii()), "元"])
_CLOSE_SIGN = _alternation(sign for sign in _SIGNS if not _is_word(sign) and " " not in sign)
SIGN_PATTERN = rf"(?:(?<![A-Za-z])(?:{_CLOSE_SIGN})|[$\uff04¥\uffe5])"
"""A sign of a currency without the codes; `U.S. $` is left out, which may be a row of the United States."""
_ALSO_WORDS = frozenset({"SAR"})
"""Codes that rows are called by, too: Hong Kong SAR, or stock appreciation rights."""
_CLOSE_CODE = _alternation(
    word
    for word in (
        *(currency.code for currency in CURRENCIES),
        *(sign for sign in _SIGNS if _is_word(sign) and len(sign) > 1),
    )
    if word not in _ALSO_WORDS
)
CURRENCY_PATTERN = (
    rf"(?:(?<![A-Za-z])(?:{_CLOSE_SIGN})|[$\uff04¥\uffe5]|(?<![A-Za-z])(?:{_CLOSE_CODE})(?![A-Za-z])"
    r"|(?<![A-Za-z])(?i:rs\.?|ps\.|kr\.?)(?![A-Za-z]))"
)
"""A sign or code of a currency as it stands before a figure."""
CURRENCY_WORD = (
    rf"(?:(?<![A-Za-z])(?:{_SIGN})|[$€£¥￥₹₩]|(?<![A-Za-z])(?:{_CODE}|{_NAME})(?![A-Za-z])|(?<![A-Za-z])(?i:rs)\b\.?)"
)
"""A sign, code or name of a currency anywhere in a text."""
_BEFORE_SHORT = r"(?=(?:mn?|mm|bn|k|tn)(?![A-Za-z]))"
_LONG_SCALE = (
    r"(?:(?<=in )100\s+millions?|hundreds?(?:\s+of)?\s+(?:thousands?|millions?|billions?)"
    r"|tens?(?:\s+of)?\s+(?:thousands?|millions?)"
    r"|thousands?|millions?|billions?|trillions?|crores?|lakhs?|lacs?|mln|mio|mrd|mn|bn)(?![A-Za-z])"
    r"|['’‘]?000(?:['’]?s)?(?![\w,.])"  # noqa: RUF001
)
_TOKEN = re.compile(
    rf"(?P<prefixed>(?<![A-Za-z])[MTkK](?:EUR|SEK|NOK|DKK|CHF|USD|GBP|PLN|CZK|[€£$]|kr)(?![A-Za-z]))"
    rf"|(?=[^\W\d_]|[$\u0080-\uffff])(?P<currency>(?<![A-Za-z])(?:{_SIGN})|[$\uff04¥\uffe5]|(?<![A-Za-z])(?:{_CODE})(?:(?![A-Za-z])|{_BEFORE_SHORT})"
    rf"|{_RAND}|(?<![A-Za-z])(?i:(?:{_NAME})(?![A-Za-z])|rs\.?(?![A-Za-z])|ps\.)|{_CJK})"
    rf"|(?P<scale>(?i:(?<![A-Za-z\d,.])(?:{_LONG_SCALE}))|十億|十亿|百万|百萬|[千万萬億亿兆])"
    r"|(?P<short>(?i:mn|mm|bn|cr|tn|m|k)(?![A-Za-z])\.?)"
    r"|(?P<number>\d[\d,.]*+)"
    r"|(?P<except>(?i:except(?:ing)?|other\s+than|unless)(?![A-Za-z]))"
    r"|(?P<shares>(?i:(?:shares?|units)(?![A-Za-z])))"
    r"|(?P<stated>(?i:(?:expressed|stated|presented|reported|denominated|amounts?|figures|unit|currency)(?![A-Za-z]))"
    r"|单位|單位|単位|币种|幣種)"
    r"|(?P<link>(?i:(?:in|of|the|and|all|are|is|as|tabular|notes?|unaudited|audited|dollar)(?![A-Za-z]))"
    r"|[&/,:;()\[\]|–—：（）-])"  # noqa: RUF001
    r"|(?P<word>[^\W\d_]+)"
)
_HEAD_NAME = (
    r"(?:u\.?s\.?\sdollars|(?:canadian|australian|hong\skong)\sdollars|renminbi|euros?|(?:japanese\s)?yen"
    r"|(?:pounds\s)?sterling)"
)
CURRENCY_HEAD = (
    rf"(?:(?:{_LONG_SCALE})\s+of\s+(?:(?:{_SIGN})|(?:{_CODE})(?![A-Za-z])|{_HEAD_NAME}\b)"
    rf"|(?:(?:(?<![A-Za-z])(?:{_SIGN})|[€£¥￥₹₩$]|(?<![A-Za-z])(?:{_CODE})(?:(?![A-Za-z])|{_BEFORE_SHORT})"
    rf"|\b{_HEAD_NAME}\b|{_CJK})"
    rf"\s?(?:(?:in\s)?(?:{_LONG_SCALE}|mm?(?![A-Za-z])))?))"
)
"""A currency as the head of a column, with the scale after it: `RMB`, `US$'000`, `€m`."""
_MAY_STATE = re.compile(
    r"[$€£¥\uffe5\uff04₹₩￦₪₺₽₱₫฿₦₸₴円元币幣百千万萬億亿兆]|\b[A-Z]{3}|\b(?:TL|RM|Rs|kr|[MTk]kr|[kK][€£$]|Fr|Rp|R)\b|S/|\bR[mb]|zł|Kč|(?i:thousand|illion|crore|lakh|"
    r"\blacs?\b|000|dollar|euro|yen|renminbi|franc|rupee|kron|pound|sterling|peso|reais|\brand\b|\bwon\b|yuan|zlot|baht"
    r"|ringgit|rupiah|shekel|lira|r[uo]u?bles|forint|koruna|naira|tenge|riyal|dirham|dinar|shilling|soles|\bdong\b|hryvnia)"
)
"""Something that a statement of a unit has; read before the longer patterns are tried."""
_BRACKETS = re.compile(r"[(（\[]([^()（）\[\]]{1,160})[)）\]]")  # noqa: RUF001


@dataclass(frozen=True, slots=True)
class StatedUnit:
    """What a text states of the figures that it stands over."""

    currencies: tuple[str, ...] = ()
    """ISO codes and entries of `AMBIGUOUS` (`$`, `¥`) in order, each once; several where columns differ."""
    scale: float | None = None
    """Factor from the printed figure; None where the text states none for amounts of money."""

    @property
    def currency(self) -> str:
        """The only currency; empty for none or several."""
        return self.currencies[0] if len(self.currencies) == 1 else ""


_Token = tuple[str, str]


@lru_cache(maxsize=4096)
def read_unit(text: str) -> StatedUnit:
    """Read the currencies and the scale that a short text states: a caption, a column head or a label.

    Words after "except" are of other figures, and a currency before a number is that of one amount: neither counts.
    """
    if len(text) > LONGEST_LINE * 2 or _MAY_STATE.search(text) is None:
        return StatedUnit()
    groups = [group[1] for group in _BRACKETS.finditer(text)]
    rest = _BRACKETS.sub(" ", text)
    currencies: list[str] = []
    scale: float | None = None
    words = sum(kind == "word" for kind, _ in _tokens(rest))
    prose = len(rest) > _LONGEST_CAPTION or words > _MOST_WORDS
    for part in groups if prose else (*groups, rest):
        found = _read_part(part)
        if (prose or words > _LABEL_WORDS) and found.scale is None:  # `34 million British pounds (GBP)`
            continue
        currencies += [currency for currency in found.currencies if currency not in currencies]
        scale = found.scale if scale is None else scale
    if scale is None and not currencies and groups:
        return _read_part(text.replace("(", " ").replace(")", " ")) if len(text) <= _LONGEST_CAPTION else StatedUnit()
    return StatedUnit(_specific(currencies), scale)


def _specific(currencies: Sequence[str]) -> tuple[str, ...]:
    """Leave out a shared sign where one of the currencies that it may mean is named, too: `人民币百万元`."""
    return tuple(currency for currency in currencies if not set(AMBIGUOUS.get(currency, ())) & set(currencies))


def _read_part(text: str) -> StatedUnit:
    tokens = list(_tokens(text))
    if sum(kind == "word" for kind, _ in tokens) > _MOST_WORDS:
        return StatedUnit()
    at = next((place for place, (kind, _) in enumerate(tokens) if kind == "except"), len(tokens))
    tokens = tokens[:at]
    scales = [place for place, (kind, _) in enumerate(tokens) if kind in ("scale", "short")]
    placed = [place for place, (kind, _) in enumerate(tokens) if kind == "currency"]
    scale = next((place for place in scales if _is_of_money(tokens, place)), None)
    told = _stated_currencies(tokens, placed, scale)
    currencies = tuple(dict.fromkeys(tokens[place][1] for place in told))
    if scale is None:
        return StatedUnit(currencies)
    factor = scale_factor(tokens[scale][1])
    following = tokens[scale + 1] if scale + 1 < len(tokens) else ("", "")
    if following[0] == "scale" and factor is not None:  # as in `百万` written apart, or `千億`
        factor *= scale_factor(following[1]) or 1.0
    return StatedUnit(currencies, factor)


def _tokens(text: str) -> Iterator[_Token]:
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup or ""
        if kind == "prefixed":  # `MSEK`, `TEUR`, `k€`
            yield "scale", "million" if found[0][0] == "M" else "thousand"
            yield "currency", currency_named(found[0][1:])
            continue
        yield (kind, currency_named(found[0]) if kind == "currency" else found[0])


def _is_of_money(tokens: Sequence[_Token], place: int) -> bool:
    """Whether a scale word is stated of amounts: it stands with a currency, or alone, and not after shares."""
    kind = tokens[place][0]
    before = [one for one, _ in tokens[:place]]
    last = before[-1] if before else ""
    if kind == "short":
        return last == "currency" or (before[-2:] == ["currency", "link"] and tokens[place - 1][1].lower() == "in")
    after = [one for one, _ in tokens[place + 1 :]]
    near = (_passing(before[::-1]), _passing(after))
    if near[0] == "shares" or ("shares" in near and "currency" not in near):
        return False
    if last == "number":
        return False
    alone = all(one in ("link", "stated", "scale", "currency", "short") for one in (*before, *after))
    return "currency" in near or alone


def _passing(kinds: Sequence[str]) -> str:
    """Return the first kind that is no linking word; a few words in between are passed."""
    return next((kind for kind in kinds[:4] if kind not in ("link", "stated")), "")


def _stated_currencies(tokens: Sequence[_Token], placed: Sequence[int], scale: int | None) -> list[int]:
    """Return the places of the currencies that are stated for figures: near the scale, after `in`, or alone."""
    if not placed:
        return []
    if all(kind in ("currency", "link", "stated", "scale", "short") for kind, _ in tokens):
        return list(placed)
    found: list[int] = []
    for place in placed:
        if place + 1 < len(tokens) and tokens[place + 1][0] == "number":
            continue
        before = [kind for kind, _ in tokens[max(0, place - 4) : place]][::-1]
        words = [word.lower() for _, word in tokens[max(0, place - 2) : place]]
        after_in = bool(words) and words[-1] in ("in", "of") and ("stated" in before[:3] or scale is not None)
        joined = bool(found) and all(kind in ("link",) for kind, _ in tokens[found[-1] + 1 : place])
        beside = scale is not None and all(
            kind in ("link", "stated", "currency") for kind, _ in tokens[min(place, scale) + 1 : max(place, scale)]
        )
        if after_in or joined or beside:
            found.append(place)
    return found


def nearest_unit(lines: Sequence[str]) -> StatedUnit:
    """Read the unit that the lines above a table state, the nearest last: currency and scale may stand on two lines."""
    currencies: tuple[str, ...] = ()
    scale: float | None = None
    for line in reversed(lines):
        if len(line) > LONGEST_LINE:
            continue
        found = read_unit(line)
        if found.scale is not None or not line.rstrip().endswith(":"):  # such as a heading of notes in yen
            currencies = currencies or found.currencies
        scale = found.scale if scale is None else scale
        if currencies and scale is not None:
            break
    return StatedUnit(currencies, scale)


_PERIOD_WORDS = re.compile(
    r"\b(?:(?:19|20)\d\d|\d{1,2}|years?|ended|ending|months?|weeks?|quarters?|three|six|nine|twelve|for|at|as|of|the|fiscal|"
    r"jan\w*|feb\w*|mar\w*|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*|note|convenience|translation)\b\.?",
    re.IGNORECASE,
)


def read_head(header: str) -> StatedUnit:
    """Read the currency and scale that the head of a column states besides its period."""
    return read_unit(" ".join(_PERIOD_WORDS.sub(" ", header).split()))


@dataclass(frozen=True, slots=True)
class DocumentMoney:
    """What a document says of the currency of all its figures, and what signs that currencies share mean in it."""

    stated: str = ""
    """ISO code of the currency that the document says its figures are in; empty where it does not say."""
    shared: Mapping[str, str] = field(default_factory=dict)
    """Sign of `AMBIGUOUS` to ISO code, where the document tells or its form decides."""
    domestic: bool = False
    """Whether it is a report of a company of the United States, whose figures are in US dollars by rule."""

    def code(self, currency: str) -> str:
        """Return the ISO code of a currency or a shared sign; empty where the document leaves open which it is."""
        if currency not in AMBIGUOUS:
            return currency
        if self.stated in AMBIGUOUS[currency]:
            return self.stated
        return self.shared.get(currency, "")

    @property
    def unmarked(self) -> str:
        """The currency of an amount that no word and no sign marks; `UNSTATED_UNIT` where nothing tells."""
        return self.stated or ("USD" if self.domestic else UNSTATED_UNIT)

    def of(self, currency: str) -> str:
        """Return the unit of an amount: the ISO code of what marks it, or `UNSTATED_UNIT`; empty marks nothing."""
        return (self.code(currency) or UNSTATED_UNIT) if currency else self.unmarked


_OWN_NAME = _alternation(name for currency in CURRENCIES for name in currency.names if name.isascii())
_ANY = rf"(?P<currency>(?<![A-Za-z])(?:{_SIGN})|(?<![A-Za-z])(?:{_CODE})(?![A-Za-z])|(?i:(?:{_OWN_NAME})(?![A-Za-z])))"
_SAID = re.compile(
    r"(?:(?i:\b(?:reporting|presentation(?:al)?)\s+currency\b[^.;]{0,60}?\b(?:is|was|to\s+be)\s+(?:the\s+|in\s+)?)"
    r"|(?i:\b(?:amounts|figures|financial\s+statements|financial\s+information|references)\b[^.;]{0,70}?"
    r"\b(?:in|to|mean|means)\s+(?:the\s+)?(?:(?:thousands|millions|billions)\s+of\s+)?)"
    r"|(?i:\b(?:expressed|stated|presented)\s+in\s+(?:(?:thousands|millions|billions)\s+of\s+)?(?:the\s+)?))" + _ANY
)
_STRONG = re.compile(r"currency|\ball\b|unless|expressed|references", re.IGNORECASE)
_MEANT = re.compile(r"[\"“'‘](?:\$|dollars?)[\"”'’][^.;\n]{0,80}?" + _ANY)  # noqa: RUF001
_FOREIGN = re.compile(
    r"\b(?:Canada|Ontario|Alberta|British Columbia|Qu[eé]bec|Nova Scotia|Saskatchewan|Manitoba|New Brunswick|Yukon|"
    r"Australia|Hong Kong|Singapore|Taiwan|New Zealand)\b"
)
_JURISDICTION = re.compile(r"state\s+or\s+other\s+jurisdiction", re.IGNORECASE)
_NAMES_REPORT = re.compile(r"\bForms?\s+10-[KQ]\b", re.IGNORECASE)
_NAMES_FOREIGN = re.compile(
    r"\bForms?\s+(?:20-F|40-F|6-K)\b|\bC\$|\bCanadian dollars?\b|\bHK\$|\bA\$|\bNT\$", re.IGNORECASE
)
_DOMESTIC_FORMS = ("10-K", "10-Q", "8-K", "10-KT", "DEF 14A", "ARS", "S-1")
_FOREIGN_FORMS = ("20-F", "40-F", "6-K", "F-1")
_CHINA = re.compile(r"\b(?:RMB|Renminbi|CNY|Chinese yuan|yuan|PRC)\b|人民币", re.IGNORECASE)
_JAPAN = re.compile(r"\b(?:JPY|Japanese yen|yen|Japan)\b|円", re.IGNORECASE)
_SOUTH_ASIA = re.compile(r"\b(?:Pakistan|Sri Lanka)\b", re.IGNORECASE)
_KRONE = {
    "SEK": re.compile(r"\bSEK\b|\bSweden\b|\bSwedish\b"),
    "NOK": re.compile(r"\bNOK\b|\bNorway\b|\bNorwegian\b"),
    "DKK": re.compile(r"\bDKK\b|\bDenmark\b|\bDanish\b"),
}
_COVER_PAGES = 2


def read_document_money(pages: Sequence[Page], info: DocumentInfo) -> DocumentMoney:
    """Read what a document states of the currency of its figures as a whole.

    Args:
        pages: Its pages.
        info: Its form: reports on 10-K, 10-Q and 8-K are those of US companies, if the cover names no country with a
            dollar of its own; a release that refers to them is one, too.
    """
    texts = [page.text for page in pages]
    domestic = _is_domestic(texts, info)
    said, strong = _said(texts)
    stated = _stated(said, strong, domestic=domestic)
    domestic = domestic and stated in ("", "USD")
    return DocumentMoney(stated, dict(_shared(texts, stated, domestic=domestic)), domestic)


def _is_domestic(texts: Sequence[str], info: DocumentInfo) -> bool:
    form = info.form.upper().removesuffix("/A")
    if form.startswith(_FOREIGN_FORMS):
        return False
    if form not in _DOMESTIC_FORMS:
        named = any(_NAMES_REPORT.search(text) for text in texts)
        return named and not any(_NAMES_FOREIGN.search(text) for text in texts)
    cover = "\n".join(texts[:_COVER_PAGES])[:8_000]
    place = _JURISDICTION.search(cover)
    return place is None or _FOREIGN.search(cover[max(0, place.start() - 120) : place.start()]) is None


def _said(texts: Sequence[str]) -> tuple[Counter[str], Counter[str]]:
    """Count the currencies that sentences say figures are in; of these, those said of all figures."""
    said: Counter[str] = Counter()
    strong: Counter[str] = Counter()
    for text in texts:
        for found in _SAID.finditer(text):
            code = currency_named(found["currency"])
            if code and code not in AMBIGUOUS:
                said[code] += 1
                before = text[max(0, found.start() - 60) : found.end()]
                strong[code] += bool(_STRONG.search(before))
    return said, +strong


def _stated(said: Counter[str], strong: Counter[str], *, domestic: bool) -> str:
    """Return the currency that is meant; empty where nothing, or several things, are said."""
    if domestic:  # a note of a US report may state a subsidiary's statements or a loan in another currency
        return next(iter(strong)) if len(strong) == 1 and "USD" not in said else "USD" if "USD" in said else ""
    for counted in (strong, said):
        ranked = counted.most_common(2)
        if ranked and (len(ranked) == 1 or ranked[0][1] >= 2 * ranked[1][1]):
            return ranked[0][0]
    return ""


def _shared(texts: Sequence[str], stated: str, *, domestic: bool) -> Iterator[tuple[str, str]]:
    """Yield the signs that several currencies share, with the one that each means in a document."""
    meant = {currency_named(found["currency"]) for text in texts for found in _MEANT.finditer(text)} & DOLLARS
    if len(meant) == 1:
        yield "$", meant.pop()
    elif domestic:
        yield "$", "USD"
    if _has(texts, "¥", "￥"):
        china, japan = (
            stated == code or any(rule.search(text) for text in texts)
            for code, rule in (("CNY", _CHINA), ("JPY", _JAPAN))
        )
        if not (china and japan):
            yield "¥", "CNY" if china else "JPY"
    if _has(texts, "Rs", "rupee", "Rupee", "RS") and not any(_SOUTH_ASIA.search(text) for text in texts):
        yield "rs", "INR"
    if not _has(texts, "kr", "Kr", "KR"):
        return
    crowns = [code for code, rule in _KRONE.items() if any(rule.search(text) for text in texts)]
    if len(crowns) == 1:
        yield "kr", crowns[0]


def _has(texts: Sequence[str], *words: str) -> bool:
    return any(word in text for text in texts for word in words)
