"""Parts of a question's text: the words for days, bare numbers, words and signs; what is stated in money."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

_UNITS = r"(?:(?:trading |business |calendar )?day|week|month|quarter|year|session)s?"
_NUMBERS = r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|couple of|few)"
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_DAYS = re.compile(
    "|".join(
        (
            (
                rf"\b(?:(?:over|in|for|during|within|since|of|from|on)\s+)?(?:the\s+)?(?:last|past|previous)\s+"
                rf"(?:{_NUMBERS}\s+)?{_UNITS}\b"
            ),
            rf"\bthis\s+{_UNITS}\b",
            rf"\b(?!(?:200|100|50|52|12)\s)(?:over\s+|in\s+|for\s+)?{_NUMBERS}\s+{_UNITS}\b",
            r"\b(?:today|yesterday|ytd)\b",
            r"\b(?:year|month)[- ]to[- ]date\b",
            r"\bso far\b",
            r"\b(?:on|in|since|from|to|until)?\s*\d{4}-\d\d-\d\d\b",
            r"\b(?:in|since|during|for|from|to|of|fy|fiscal(?: year)?)?\s*(?:19|20)\d\d\b",
            rf"\b(?:in|since|during|of|from)?\s*(?:{_MONTHS})\b",
            rf"\b(?:in\s+)?(?:the\s+)?(?:next|coming)\s+(?:{_NUMBERS}\s+)?{_UNITS}\b",
            r"\bon the (?:day|week|month|year)\b",
            r"\b(?:on|last|this)\s+(?:mon|tues|wednes|thurs|fri)day\b",
            r"\bq[1-4]\b",
        )
    ),
    re.IGNORECASE,
)
_LEVEL = re.compile(
    r"(?<![\w.])\$?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?![\w%]|[\s-]?(?:weeks?|wk|days?|months?|years?|wochen|tage)\b)"
)
_MONEY = re.compile(r"\d[\d.,]{0,30}\s?(?:k\b|dollars?|bucks|usd|euros?|eur|€)|[$€]\s?\d", re.IGNORECASE)
_SHARES = re.compile(r"\bshares?\b|\baktien\b|\d\s*%", re.IGNORECASE)
_SCALES = {
    **dict.fromkeys(("trillion", "trillions", "tn", "万亿"), 1e12),
    **dict.fromkeys(("billion", "billions", "bn", "b", "mrd", "milliarden", "milliarde"), 1e9),
    **dict.fromkeys(("million", "millions", "mn", "mio", "millionen"), 1e6),
    "亿": 1e8,
}
_SCALE = r"(?:(?:trillions?|tn|billions?|bn|b|mrd|milliarden?|millions?|mn|mio|millionen)\b|万亿|亿)"
_AMOUNT = (
    r"(?P<sign>[$€])?(?P<number>\d{1,9}(?:[.,]\d{1,9})?)(?![\d.,]{0,9}\d|\s?-?(?:day|d\b|dma\b|sma\b|tage|日|天))"
    rf"\s?(?P<unit>%|percent\b|per cent\b|pct\b|prozent\b|个点|个百分点|x\b|times\b|倍)?(?P<scale>{_SCALE})?"
    r"(?:\s?(?P<money>dollars?|usd|bucks|euros?|美元)(?![a-z]))?"
)
_OVER = (
    r"above|over|more than|greater than|higher than|bigger than|at least|no less than|"
    r"not less than|exceeding|north of|minimum of|"
    r"über|mehr als|mindestens|größer als|höher als|wenigstens|高于|超过|大于|多于|至少|不低于|不少于|>="
)
_UNDER = (
    r"below|under|less than|lower than|smaller than|cheaper than|at most|no more than|not more than|south of|"
    r"maximum of|"
    r"unter|weniger als|höchstens|kleiner als|niedriger als|maximal|低于|小于|少于|不到|不超过|最多|<="
)
_BOUND_BEFORE = re.compile(
    rf"(?:(?<![a-z])(?:(?P<over>{_OVER})|(?P<under>{_UNDER}))\s?(?:an?\s|of\s|von\s)?|(?P<more>>)\s?|(?P<less><)\s?){_AMOUNT}"
)
_BOUND_BEHIND = re.compile(
    rf"{_AMOUNT}\s?(?:"
    r"(?P<over>or more|and more|or higher|or better|or above|and above|and up|plus\b|\+|oder mehr|und mehr|以上)"
    r"|(?P<under>or less|or lower|or under|or below|and below|oder weniger|und weniger|以下|以内))"
)
_BETWEEN = re.compile(
    r"(?:\bbetween|\bzwischen|介于|在)\s?[$€]?(?P<first>\d{1,9}(?:\.\d{1,9})?)\s?"
    rf"(?:%|percent|pct|prozent|x|倍|{_SCALE})?\s?(?:and|und|to|bis|和|到|至|-)\s?{_AMOUNT}(?:\s?之间)?"
)
_TIMES = {
    "doubled": 100.0,
    "tripled": 200.0,
    "halved": 50.0,
    "verdoppelt": 100.0,
    "halbiert": 50.0,
    "翻倍": 100.0,
    "腰斩": 50.0,
}
_NO_ALPHABET = re.compile("[\u3040-\u9fff]")

BEFORE_OR_AFTER = frozenset(
    {"since", "after", "before", "seit", "seitdem", "seither", "danach", "davor", "以来", "之后"}
)
"""Words that speak of days before or after something that is named."""
EX_DATES = frozenset(
    {
        *("ex date", "ex dividend", "ex dividend date", "next ex date", "go ex", "goes ex", "next payment"),
        *("payment date", "payout date", "除息"),
    }
)
"""Words for a dividend by which a question asks for the day of one."""


def without_days(text: str) -> tuple[str, str]:
    """Return a question, in English and small letters, without its words for days, and these words."""
    span = " ".join(" ".join(found[0].split()) for found in _DAYS.finditer(text))
    return _DAYS.sub(" ", text), span


_LOOSE_UNIT = re.compile(
    r"(?<![\d-])(?<!\d )\b(?:weeks?|months?|quarters?|wochen?|monat(?:s|en?)?|quartal(?:s|en?)?)\b"
    r"|\b(?:a|one|the|ein|einem|eines|des|im)\s+(?:year|jahre?s?)\b"
)


def loose_units(text: str) -> tuple[str, ...]:
    """Return the units of time in a text, in small letters and without its words for days: they name days unread."""
    return tuple(dict.fromkeys(found[0] for found in _LOOSE_UNIT.finditer(text)))


_LOOSE_LEVEL = re.compile(
    r"\b(?:from|off|below|under|above|near|at|to|since|around)\s+(?:(?:its|their|the|a|an|new|recent|all|time|record|yearly)\s+){1,4}"
    r"(?:highs?|lows?|peaks?|tops?|bottoms?)\b"
)


def loose_levels(text: str) -> tuple[str, ...]:
    """Return the words by which a text, without what is read of it, speaks of a high or a low: `near their lows`."""
    return tuple(dict.fromkeys(found[0] for found in _LOOSE_LEVEL.finditer(" ".join(text.split()))))


def is_loose_unit(word: str) -> bool:
    """Tell whether a word, or words such as `a year`, is a unit of time."""
    return _LOOSE_UNIT.fullmatch(word) is not None


def day_spans(text: str) -> list[tuple[int, int]]:
    """Return where a question, in English and small letters, has words for days: the first sign and the one behind."""
    found = ((match, len(match[0]) - len(match[0].lstrip())) for match in _DAYS.finditer(text))
    return [(match.start() + blanks, match.end()) for match, blanks in found]


def names_days(text: str) -> bool:
    """Tell whether a text, in English and small letters, has words for days."""
    return _DAYS.search(text) is not None


def levels_in(text: str) -> tuple[float, ...]:
    """Return the bare numbers of a text, such as a price or an RSI; percentages are none."""
    return tuple(float(found[1].replace(",", "")) for found in _LEVEL.finditer(text))


@dataclass(frozen=True, slots=True)
class ListBound:
    """A bound that a list is to keep, such as `above 5%`."""

    value: float
    above: bool
    percent: bool
    to: float | None = None
    """The upper end of `between 2 and 3 percent`; None for a bound on one side."""
    money: bool = False
    """Whether it is an amount of money, such as `under $100` or `above 5 billion`."""


def bounds_in(text: str) -> tuple[str, tuple[ListBound, ...]]:
    """Return a text, in small letters, without the bounds that it sets, and these bounds.

    `more than doubled` is a bound of 100 %; the word stays, for it says the direction.
    """
    found: list[ListBound] = []

    def between(match: re.Match[str]) -> str:
        found.append(replace(_bound(match, above=True), value=float(match["first"]) * _scale(match), to=_end(match)))
        return " "

    def before(match: re.Match[str]) -> str:
        found.append(_bound(match, above=bool(match["over"] or match["more"])))
        return " "

    def behind(match: re.Match[str]) -> str:
        found.append(_bound(match, above=bool(match["over"])))
        return " "

    rest = _BOUND_BEFORE.sub(before, _BOUND_BEHIND.sub(behind, _BETWEEN.sub(between, text)))
    if not found:
        found += [ListBound(value, above=True, percent=True) for word, value in _TIMES.items() if word in text]
    return rest, tuple(found)


def _bound(match: re.Match[str], *, above: bool) -> ListBound:
    percent = bool(match["unit"]) and match["unit"] not in ("x", "times", "倍")
    return ListBound(_end(match), above, percent, money=bool(match["sign"] or match["money"] or match["scale"]))


def _end(match: re.Match[str]) -> float:
    return float(match["number"].replace(",", ".")) * _scale(match)


def _scale(match: re.Match[str]) -> float:
    return _SCALES.get(match["scale"] or "", 1.0)


_NUMBER_WORDS = {
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "zwei": 2,
    "drei": 3,
    "vier": 4,
    "fünf": 5,
    "sechs": 6,
    "zehn": 10,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "八": 8,
    "十": 10,
}
_COUNT = rf"(?P<count>\d{{1,2}}|{'|'.join(_NUMBER_WORDS)})"
_MOST = r"(?:[^\W\d_]{2,20}(?:est|sten|ste|ßte|ßten)\b|best\b|worst\b|most\b|least\b|top\b)"
_ROWS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?:top|bottom|flop)\s{_COUNT}\b",
        rf"\b{_COUNT}\s{_MOST}",
        rf"\b{_MOST}\s{_COUNT}\s(?!percent|%|day|week|month|year|quarter)",
        rf"\bwhich\s{_COUNT}\s(?:companies|stocks|shares)\b",
        rf"前{_COUNT}",
        rf"最[\u3400-\u9fff]{{1,4}}的{_COUNT}[家只支个]",
    )
)


def without_rows(text: str) -> tuple[str, int]:
    """Return a text in small letters without how many rows of a list it asks for, as `the five cheapest`, and that.

    The number behind `top` stays, which is no word without it; 0 where a text says none.
    """
    for pattern in _ROWS:
        if match := pattern.search(text):
            said = match["count"]
            begin, end = match.span("count")
            rest = text if match[0].startswith(_TOPS) else f"{text[:begin]} {text[end:]}"
            return rest, _NUMBER_WORDS.get(said) or int(said)
    return text, 0


_TOPS = ("top", "bottom", "flop", "前")


_PLACES = {
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "2nd": 2,
    "3rd": 3,
    "4th": 4,
    "5th": 5,
    "zweit": 2,
    "dritt": 3,
    "viert": 4,
    "fünft": 5,
    "二": 2,
    "三": 3,
    "四": 4,
    "五": 5,
}
_PLACE = re.compile(
    r"\b(?P<word>second|third|fourth|fifth|2nd|3rd|4th|5th)[\s-](?=[a-z]{2,20}est\b|worst\b|most\b|least\b)"
    r"|\b(?P<joined>zweit|dritt|viert|fünft)(?=h[öo]chst|gr[öo](?:ß|ss)t|best|niedrigst|g[üu]nstigst|kleinst|teuerst|schlechtest)"
    r"|第(?P<sign>[二三四五])(?=[大高低多少小贵]|便宜)"
)


def without_place(text: str) -> tuple[str, int]:
    """Return a text without the place in a list that it asks for, as `second largest`, and the place; 0 for none."""
    found = _PLACE.search(text)
    if found is None:
        return text, 0
    end = "最" if found["sign"] else ""
    said = found["word"] or found["joined"] or found["sign"]
    return f"{text[: found.start()]}{end}{text[found.end() :]}", _PLACES[said]


def names_period(span: str) -> bool:
    """Tell whether words for days name a fiscal year or quarter by its number."""
    return bool(re.search(r"q[1-4]|(?:19|20)\d\d", span))


def quarter_named(span: str) -> str:
    """Return the quarter that words for days name by its number, as `Q2 FY2024`; empty for none, or without a year."""
    quarter, year = re.search(r"\bq([1-4])\b", span), re.search(r"\b(?:19|20)\d\d\b", span)
    return f"Q{quarter[1]} FY{year[0]}" if quarter and year else ""


def names_quarter(span: str) -> bool:
    """Tell whether words for days name a quarter by its number."""
    return bool(re.search(r"\bq[1-4]\b", span))


def states_money(text: str) -> bool:
    """Tell whether a text states an amount of money, such as `got 5000 dollars`, and no shares."""
    return bool(_MONEY.search(text)) and not _SHARES.search(text)


def has_digits(text: str) -> bool:
    """Tell whether a text holds a digit."""
    return any(sign.isdigit() for sign in text)


def is_of_signs(text: str) -> bool:
    """Tell whether a text holds Chinese or Japanese signs."""
    return bool(_NO_ALPHABET.search(text))


def words_in(text: str) -> frozenset[str]:
    """Return the words of a text, and each run of two to four Chinese signs, which are written without blanks."""
    runs = re.findall("[\u3400-\u9fff]+", text)
    parts = {run[at : at + size] for run in runs for size in (1, 2, 3, 4) for at in range(len(run) - size + 1)}
    return frozenset(parts | set(re.findall(r"[^\W\d_]+", text.lower())))


def without_names(text: str, names: Sequence[str]) -> str:
    """Return a text without some names, the longest first."""
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)" if name.isascii() else re.escape(name), " ", text)
    return text


_TAG = re.compile(
    r"(?:\b(?:does it|did it|is it|was it|has it|do they|did they|are they|have they|right|correct|true|so|no|or not|"
    r"oder|stimmt's|stimmt das|ist das so|ist das wahr|nicht wahr)"
    r"|吗|吧|对吗|了没|没有|没)$"
)
"""How a question ends that asks whether what it says is so."""
_BEGINS_WITH_DENIAL = re.compile(r"(?:so |but |and |hey |wait )?(?:is|was|are|were|do|does|did|has|have|had)n'?t\b")
"""How a question begins that takes something for granted: `wasn't inflation at 4%`."""


def asks_whether(said: str) -> bool:
    """Tell whether a question, in plain letters, begins or ends as one that asks whether what it says is so."""
    return _TAG.search(said) is not None or _BEGINS_WITH_DENIAL.match(said) is not None


_TRADER = re.compile(
    r"\b(?:did|has|have|hat|haben|wann hat|is|was)\s+((?:[^\W\d_][\w'-]{0,30}\s+){1,3}?)"
    r"(?:(?:really|been|just|ever|also|recently|zuletzt|aktien|auch|kürzlich)\s+){0,2}"
    r"(?:sell|sold|selling|buy|bought|buying|dump|dumped|dumping|verkauft|gekauft)\b"
    r"|[,;]\s*([^\W\d_][\w'-]{0,30}(?:\s[^\W\d_][\w'-]{0,30})?) or (?:others|other|anyone|somebody|someone)\b"
)


def person_named(rest: str, unknown: Sequence[str]) -> str:
    """Return who is said to have bought or sold, in small letters: unknown words where the name of a trader stands."""
    found = _TRADER.search(rest)
    said = " ".join((found[1] or found[2]).split()) if found else ""
    words = {word for name in unknown for word in name.lower().split()}
    return said if said and set(said.split()) <= words else ""


_BOTH = re.compile(r"\s(?:and|und|as well as|plus)\s|和|以及")


def joined_parts(text: str) -> list[str]:
    """Return what a text joins by `and`, in English, German or Chinese; the text alone where it joins nothing."""
    return _BOTH.split(text)


_ASKS_JUDGEMENT = re.compile(
    r"(?:and |so |ok |und )?(?:"
    r"(?:is|isnt|was) (?:that|this|it) (?:a lot|much|high|low|good|bad|normal|unusual|healthy|big|small)"
    r"|ist (?:das|er|sie|es) (?:viel|wenig|hoch|niedrig|gut|schlecht|normal)"
    r"|(?:这|那)?(?:个|样)?(?:算|是)?(?:高|低|多|少|好|正常)(?:吗|么|不高|不低)"
    r")(?: or (?:not|low|bad|little)| oder nicht)?"
)


def asks_judgement(said: str) -> bool:
    """Tell whether a message only asks whether the figure before it is much, as `is that a lot?`."""
    return _ASKS_JUDGEMENT.fullmatch(said) is not None


_SIGNED = re.compile(r"(?<![\w.])([-+\u2212\u2013])\s?(\d{1,3}(?:\.\d{1,2})?)\s?%")


def signed_percentage(text: str) -> tuple[str, str] | None:
    """Return the sign and the number of a percentage that is written with its sign, as `-26%`; None without one."""
    found = _SIGNED.search(text)
    return (found[1], found[2]) if found else None


_ASKS_HOW = re.compile(
    r"(?:(?:so|and|ok|hey|hi),? )?(?:how (?:do|can|could|would|should) (?:i|we|one)\b|how to\b"
    r"|wie (?:starte|beginne|kann ich|mache ich|geht)\b|如何|怎么|怎样)"
)


def asks_how(said: str) -> bool:
    """Return whether a message, in small letters, asks how something is started, and does not start it."""
    return bool(_ASKS_HOW.match(said))


_OF_MEMBERS = re.compile(
    r"(?:is|are|was|were|does|ist|sind|war|gehört) [^?]{1,60}\b(?:in|part of|an? member of|belong to|im|zum|teil des) "
    r"(?:the )?(?:dow|s ?& ?p|nasdaq|russell|dax)(?: jones| 30| 500| 100)?\s?\??$"
)
"""How a question asks whether a company belongs to an index."""


def asks_membership(said: str) -> bool:
    """Tell whether a question, in small letters, asks whether a company belongs to an index."""
    return _OF_MEMBERS.match(said) is not None


def ordered_by(text: str, phrases: Sequence[tuple[str, str]]) -> str:
    """Return by what a list is asked for, as `most profitable by margin`; empty where it is not said.

    Args:
        text: The question in plain letters.
        phrases: What it asks about, each with the words for it.
    """
    return next((key for key, said in phrases if re.search(rf"\b(?:by|nach) (?:\w+ )?{said}\b|按{said}", text)), "")


def years_named(span: str) -> int:
    """Return how many years words for days name by their number."""
    return len(re.findall(r"\b(?:19|20)\d\d\b", span))
