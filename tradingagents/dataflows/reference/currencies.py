"""Currencies: their codes, the words and signs that documents print for them, scale words, and units in hundredths.

`CURRENCIES` is the one table of currencies: `Currency.code` is the ISO 4217 code, `names` and `signs` are what stands
in text for it. `AMBIGUOUS` has the signs that several currencies share: what they mean depends on the document.
`scale_factor` reads scale words (`thousands`, `crore`, `億`). `HUNDREDTHS` are units that exchanges quote: London in
pence, Johannesburg in cents, Tel Aviv in agorot.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

UNSTATED_UNIT = "currency not stated"
"""Unit of an amount of money whose currency the document does not say; never converted, never called dollars."""


@dataclass(frozen=True, slots=True)
class Currency:
    """A currency and what documents print for it."""

    code: str
    """ISO 4217 code."""
    signs: tuple[str, ...] = ()
    """Signs and abbreviations besides the code that mean this currency alone, as printed: `C$`, `RMB`."""
    names: tuple[str, ...] = ()
    """Names in lower case, singular and plural, that mean this currency alone."""


CURRENCIES: tuple[Currency, ...] = (
    Currency("USD", ("US$", "U.S.$", "U.S. $", "US $", "USD$"), ("u.s. dollar", "u.s. dollars", "us dollar",
             "us dollars", "united states dollar", "united states dollars", "american dollars", "美元")),
    Currency("CAD", ("C$", "CA$", "CDN$", "Cdn$", "CAD$", "Can$", "C $"), ("canadian dollar", "canadian dollars")),
    Currency("AUD", ("A$", "AU$", "AUD$"), ("australian dollar", "australian dollars")),
    Currency("NZD", ("NZ$", "NZD$"), ("new zealand dollar", "new zealand dollars")),
    Currency("HKD", ("HK$", "HKD$", "HK $"), ("hong kong dollar", "hong kong dollars", "港元", "港币", "港幣")),
    Currency("SGD", ("S$", "SG$", "SGD$"), ("singapore dollar", "singapore dollars")),
    Currency("TWD", ("NT$", "NTD", "NT $", "TWD$"), ("new taiwan dollar", "new taiwan dollars", "new taiwanese dollars",
             "taiwan dollars", "新台币", "新台幣", "新臺幣")),
    Currency("EUR", ("€",), ("euro", "euros")),
    Currency("GBP", ("£", "UK£", "STG"), ("pound sterling", "pounds sterling", "sterling", "british pounds",
             "british pound", "uk pounds", "£ sterling")),
    Currency("JPY", ("JP¥", "JPY¥"), ("japanese yen", "yen", "円", "日本円")),
    Currency("CNY", ("RMB", "RMB¥", "CN¥", "RMB ¥", "Rmb", "CNH"), ("renminbi", "chinese yuan", "yuan",
             "chinese renminbi", "人民币", "人民幣")),
    Currency("CHF", ("SFr.", "SFr", "Fr."), ("swiss franc", "swiss francs")),
    Currency("INR", ("₹",), ("indian rupee", "indian rupees")),
    Currency("KRW", ("₩", "\uffe6"), ("korean won", "south korean won", "won", "원")),
    Currency("SEK", (), ("swedish krona", "swedish kronor", "kronor")),
    Currency("DKK", (), ("danish krone", "danish kroner")),
    Currency("NOK", (), ("norwegian krone", "norwegian kroner")),
    Currency("ISK", (), ("icelandic krona", "icelandic kronur")),
    Currency("BRL", ("R$",), ("brazilian real", "brazilian reais", "reais")),
    Currency("MXN", ("Mex$", "MX$", "MXN$", "Ps$"), ("mexican peso", "mexican pesos")),
    Currency("ARS", ("AR$",), ("argentine peso", "argentine pesos")),
    Currency("CLP", ("CLP$", "Ch$", "CL$"), ("chilean peso", "chilean pesos")),
    Currency("COP", ("COP$", "COL$"), ("colombian peso", "colombian pesos")),
    Currency("PEN", ("S/.", "S/"), ("peruvian sol", "peruvian soles", "soles")),
    Currency("ZAR", ("R",), ("south african rand", "rand")),
    Currency("ILS", ("₪", "NIS"), ("israeli shekel", "new israeli shekels", "israeli shekels", "shekels")),
    Currency("TRY", ("₺", "TL"), ("turkish lira", "turkish liras")),
    Currency("RUB", ("₽",), ("russian ruble", "russian rubles", "russian roubles", "rubles", "roubles")),
    Currency("PLN", ("zł",), ("polish zloty", "polish zlotys", "zloty", "zlotys")),
    Currency("CZK", ("Kč",), ("czech koruna", "czech korunas", "czech crowns")),
    Currency("HUF", (), ("hungarian forint", "hungarian forints", "forints")),
    Currency("RON", (), ("romanian leu", "romanian lei")),
    Currency("THB", ("฿",), ("thai baht", "baht")),
    Currency("MYR", ("RM",), ("malaysian ringgit", "ringgit")),
    Currency("IDR", ("Rp", "Rp."), ("indonesian rupiah", "rupiah")),
    Currency("PHP", ("₱", "Php"), ("philippine peso", "philippine pesos")),
    Currency("VND", ("₫",), ("vietnamese dong",)),
    Currency("PKR", (), ("pakistani rupee", "pakistani rupees", "pakistan rupees")),
    Currency("LKR", (), ("sri lankan rupee", "sri lankan rupees", "sri lanka rupees")),
    Currency("SAR", (), ("saudi riyal", "saudi riyals")),
    Currency("AED", (), ("uae dirham", "uae dirhams", "emirati dirhams")),
    Currency("QAR", (), ("qatari riyal", "qatari riyals")),
    Currency("KWD", (), ("kuwaiti dinar", "kuwaiti dinars")),
    Currency("EGP", ("E£",), ("egyptian pound", "egyptian pounds")),
    Currency("NGN", ("₦",), ("nigerian naira", "naira")),
    Currency("KES", ("KShs", "Kshs", "KSh"), ("kenyan shilling", "kenyan shillings")),
    Currency("KZT", ("₸",), ("kazakhstani tenge", "tenge")),
    Currency("UAH", ("₴",), ("ukrainian hryvnia", "hryvnia")),
)  # fmt: skip

CODES: frozenset[str] = frozenset(currency.code for currency in CURRENCIES)
"""ISO codes that documents are read in."""

DOLLARS = frozenset({"USD", "CAD", "AUD", "NZD", "HKD", "SGD", "TWD"})
"""Currencies that a bare `$` or `dollars` may mean."""

AMBIGUOUS: Mapping[str, tuple[str, ...]] = {
    "$": ("USD", "CAD", "AUD", "NZD", "HKD", "SGD", "TWD", "MXN", "BRL", "CLP", "COP", "ARS"),
    "¥": ("JPY", "CNY"),
    "rs": ("INR", "PKR", "LKR"),
    "kr": ("SEK", "NOK", "DKK", "ISK"),
    "pesos": ("MXN", "ARS", "CLP", "COP", "PHP"),
}
"""Signs and words that several currencies share, with these currencies."""

SHARED_WORDS: Mapping[str, str] = {
    "$": "$", "\uff04": "$", "dollar": "$", "dollars": "$", "¥": "¥", "\uffe5": "¥", "元": "¥", "rs": "rs", "rs.": "rs",
    "rupee": "rs", "rupees": "rs", "kr": "kr", "kr.": "kr", "krone": "kr", "kroner": "kr", "krona": "kr",
    "peso": "pesos", "pesos": "pesos", "ps.": "pesos",
}  # fmt: skip
"""What documents print for the entries of `AMBIGUOUS`, in lower case."""

DECIMAL_COMMA = frozenset({"EUR", "DKK", "NOK", "SEK", "ISK", "BRL", "ARS", "CLP", "COP", "TRY", "IDR", "VND", "PLN",
                           "CZK", "HUF", "RON", "RUB", "UAH"})  # fmt: skip
"""Currencies whose home writes the decimals after a comma and may group thousands by dots."""

_SCALES: Mapping[str, float] = {
    "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "k": 1e3, "000": 1e3, "tsd": 1e3,
    "m": 1e6, "mn": 1e6, "mm": 1e6, "mln": 1e6, "mio": 1e6, "bn": 1e9, "mrd": 1e9, "tn": 1e12,
    "crore": 1e7, "cr": 1e7, "lakh": 1e5, "lac": 1e5, "hundred million": 1e8, "hundred thousand": 1e5,
    "ten thousand": 1e4, "ten million": 1e7, "hundred billion": 1e11,
    "千": 1e3, "万": 1e4, "萬": 1e4, "百万": 1e6, "百萬": 1e6, "億": 1e8, "亿": 1e8, "十億": 1e9,
    "十亿": 1e9, "兆": 1e12,
}  # fmt: skip


_APOSTROPHES = {ord(sign): None for sign in "'\u2018\u2019"}


def scale_factor(word: str) -> float | None:
    """Return the factor of a scale word: `thousands` and `'000` 1e3, `crore` 1e7, `億` 1e8; None for any other word."""
    plain = " ".join(word.lower().translate(_APOSTROPHES).split()).removesuffix(".")
    plain = plain.replace("tens of", "ten").replace("hundreds of", "hundred").replace("100 ", "hundred ")
    for form in (plain, plain.removesuffix("s")):
        if form in _SCALES:
            return _SCALES[form]
    return None


_BY_WORD: Mapping[str, str] = {
    **{currency.code: currency.code for currency in CURRENCIES},
    **{sign: currency.code for currency in CURRENCIES for sign in currency.signs},
    **{name: currency.code for currency in CURRENCIES for name in currency.names},
}


def currency_named(words: str) -> str:
    """Return the ISO code of a code, sign or name of one currency, or the entry of `AMBIGUOUS` that it is.

    Returns:
        Such as `CAD` for `C$` or `Canadian dollars`, `$` for `$` or `dollars`; empty for any other words.
    """
    plain = " ".join(words.split())
    for form in (plain, plain.lower(), plain.upper()):
        if form in _BY_WORD:
            return _BY_WORD[form]
    return SHARED_WORDS.get(plain.lower(), "")


_SCALE_WORDS: Mapping[float, str] = {
    1e3: "thousand", 1e4: "ten thousand", 1e5: "lakh", 1e6: "million", 1e7: "crore", 1e8: "hundred million",
    1e9: "billion", 1e12: "trillion",
}  # fmt: skip


def scale_word(factor: float) -> str:
    """Return the word of a factor as documents print it, such as `million` or `crore`; empty for 1 and unknown ones."""
    return _SCALE_WORDS.get(factor, "")


def scaled_unit(unit: str, word: str) -> str:
    """Return the unit of an amount in words: `CAD millions`, `millions (currency not stated)`; `word` may be empty."""
    if unit != UNSTATED_UNIT:
        return f"{unit} {word}".strip()
    return f"{word} ({UNSTATED_UNIT})" if word else UNSTATED_UNIT


def read_scaled_unit(words: str) -> tuple[str, float]:
    """Return the unit and the factor that `scaled_unit` put into words; other units as they are, with factor 1."""
    if words.endswith(f" ({UNSTATED_UNIT})"):
        return UNSTATED_UNIT, scale_factor(words.removesuffix(f" ({UNSTATED_UNIT})")) or 1.0
    unit, _, word = words.partition(" ")
    factor = scale_factor(word) if word else None
    return (unit, factor) if factor is not None else (words, 1.0)


def is_money(unit: str) -> bool:
    """Return whether the unit of a row of a document can be one of money, by itself or per share; unknown ones can."""
    return unit not in ("shares", "percent", "ratio", "count")


HUNDREDTHS: Mapping[str, str] = {"GBp": "GBP", "GBX": "GBP", "ZAc": "ZAR", "ZAC": "ZAR", "ILA": "ILS"}
"""The currency of each unit, by the names that vendors give the unit. `GBP` itself is pounds."""


NOT_STATED = "XXX"
"""ISO 4217's code for no currency: some indices, and what a source gives without saying its currency."""


_FOREIGN = re.compile(r"\.[A-Z]{1,3}$")
"""The suffix of an exchange outside the United States."""


def is_stated(code: str) -> bool:
    """Return whether a currency is stated."""
    return bool(code) and code != NOT_STATED


def quoted_in(symbol: str) -> str:
    """Return the currency that the listing of a symbol tells, where its source does not; `NOT_STATED` for none.

    Exchanges of the United States quote in US dollars only, and a pair names its currency. Other exchanges quote some
    of their shares in another currency than their own, or in hundredths, so that theirs is not taken.
    """
    if symbol.endswith("=X"):
        return symbol[-5:-2] if len(symbol) >= len("USD=X") else NOT_STATED
    if symbol.endswith("-EUR"):
        return "EUR"
    return "USD" if _FOREIGN.search(symbol) is None else NOT_STATED


def major_unit(code: str) -> tuple[str, float]:
    """Return the currency and the value of one quoted unit in it: `GBp` (pence) is 0.01 GBP, `USD` is 1 USD."""
    return (HUNDREDTHS[code], 0.01) if code in HUNDREDTHS else (code, 1.0)
