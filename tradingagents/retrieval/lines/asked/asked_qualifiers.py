"""The qualifiers of a question, such as `organic`, and what it leaves out."""

from __future__ import annotations

import re
from dataclasses import replace

from tradingagents.retrieval.lines.asked.asked_labels import words_kept
from tradingagents.retrieval.lines.line_questions import CORE, ORGANIC, LineQuestion, Qualifier
from tradingagents.retrieval.questions.figures import named_measures

QUALIFIERS: tuple[tuple[Qualifier, re.Pattern[str]], ...] = (
    (
        "constant currency",
        re.compile(
            r"(?:on a |in |at )?(?:adjusted for (?:fx|(?:foreign )?(?:currency|exchange)(?: effects?| rates?)?)\b"
            r"|(?:comparable )?constant[- ]currenc(?:y|ies)|currency[- ]neutral|fx[- ](?:adjusted|neutral)"
            r"|foreign exchange[- ]adjusted|(?:prior|previous)[- ](?:year|period)(?:'s)? (?:exchange"
            r"|currency) rates?)(?: basis)?"
            r"|\boperational(?: \(?ex[- ]currency\)?)?(?= sales| revenues? growth| growth| change|,| as well)"
            r"|\boperationally\b"
            r"|(?:excluding|without|before|ex|net of)[- ](?:the )?(?:effects? of |impacts? of )?(?:changes in )?"
            r"(?:foreign )?(?:currenc(?:y|ies)|fx|(?:foreign )?exchange(?: rates?)?)(?: effects?"
            r"| impacts?| movements?)?"
        ),
    ),
    ("organic", ORGANIC),
    ("core", CORE),
    (
        "adjusted",
        re.compile(
            r"(?<!un)\badjusted\b|(?:\(?the )?\bnon-?\s?gaap(?: ones?| figures?| basis| measures?)?\b"
            r"|\bunderlying\b|\bnormali[sz]ed\b"
        ),
    ),
    (
        "originally reported",
        re.compile(
            r"\b(?:as )?(?:originally|first|initially|previously) (?:reported|stated|published|filed"
            r"|report)\b|\boriginal(?:ly)?\b"
        ),
    ),
    (
        "latest",
        re.compile(
            r"\b(?:what is the figure for .{0,12}|and )?in the (?:latest|newest|most recent) (?:10-k"
            r"|annual report|filing)\b|\bafter the [\w-]+ (?:stock |share )?split\b"
            r"|\bin the newest report\b|\bsplit[- ]adjusted\b|\b(?:as )?(?:restated|recast)\b"
        ),
    ),
    (
        "GAAP",
        re.compile(
            r"\b(?:at )?actual (?:exchange |currency )?rates\b"
            r"|\b(?:on a )?(?:as[- ]reported|gaap|reported|unadjusted)(?: basis)?\b"
        ),
    ),
    ("diluted", re.compile(r"\bdiluted(?! eps| earnings)\b")),
    ("basic", re.compile(r"\bbasic(?! eps| earnings| cards?\b)\b")),
)
QUALIFIER_MARK = 0xF000
MARKS = re.compile(f"[{chr(0xF000)}-{chr(0xF000 + len(QUALIFIERS))}]")
_EXCLUDED = re.compile(
    r"(?:\bi\.?e\.?,? )?\b(?:exclud(?:ing|es?)|leaving out|stripped of|stripping out|without|except(?: for)?|"
    r"ex|not counting|other than|before|net of)[ -](?:the )?(?:[\ue000-\uefff] )?"
    r"(?P<what>[^,;:?()\ue000-\uf8ff]{2,60}?)(?=\s*(?:[,;:?()]|$|\band\b|\bin\b|\bfor\b|\bover\b|\bdid\b"
    r"|\bas\b|-\s|\bi\.?e\b"
    r"|\b(?:vs?|versus|against|compared)\b|\b[1-4]q\W?\d\d|\bq[1-4]\b|\b(?:fy ?'?|fiscal |calendar )?(?:19|20)\d\d\b"
    r"|\bfy ?'?\d\d\b))"
)
_CURRENCY = (
    r"(?:(?:foreign )?currency|fx|(?:foreign )?exchange(?: rates?)?)(?: (?:effects?|impacts?|movements?|changes?))?"
)
_NO_MORE = r"(?!(?:as |the )?(?:reported|gaap|nominal|unadjusted|total|organic|its|in|what|how)\b)"
_CURRENCY_AND_MORE = re.compile(
    rf"\b(?:excluding|ex|without) (?:the )?(?:(?:effects?|impacts?) of )?(?:changes in )?"
    rf"(?:{_CURRENCY} and (?P<more>{_NO_MORE}[a-z ]{{3,40}}?)|(?P<also>[a-z& ]{{3,40}}?) and {_CURRENCY})"
    rf"(?=\s*(?:[,;:?()]|$|-\s))"
)


_NEXT_LEFT_OUT = re.compile(
    r"\s*(?P<joined>,\s*(?:and |or |& ?)?|\b(?:and|or|plus) |& )(?:the )?(?P<what>[a-z][a-z0-9 &/'.-]{1,40}?)"
    r"(?=\s*(?:[,;:?()]|$|\b(?:and|or|in|for|over|as|vs?|versus|against)\b|-\s"
    r"|\b(?:fy ?'?|q[1-4] ?|fiscal )?(?:19|20)\d\d\b|\bfy ?'?\d\d\b))",
    re.IGNORECASE,
)
_NOT_LEFT_OUT = re.compile(
    r"(?i)\b(?:growth|gr[eo]w\w*|changes?|margins?|shares?|percent\w*|yoy|compar\w+|organic\w*|operational\w*|reported|adjusted"
    r"|gaap|total|overall|averages?|cagr|trends?|how|what|which|who|whose|when|did|does|do|is|are|was|were|has|have|its"
    r"|their|then|also|give|show|thanks|please|both|each)\b"
)
"""Words of what is asked for besides, after what is left out."""
_SAID_ASIDE = re.compile(r"\b(?:please|thanks|thank you|pls|etc\.?|and so on|and the like|or so)\W*$")


def _end_of_list(plain: str, at: int, *, in_brackets: bool) -> int:
    """Return where a list of what is left out ends: with its last `and`, or with the brackets that it stands in."""
    end, closed = at, at
    while following := _NEXT_LEFT_OUT.match(plain, end):
        what = following["what"]
        asks = _NOT_LEFT_OUT.search(what) or (not in_brackets and _is_measure(what))
        begins_anew = end == at and re.match(r"\s*,\s*(?:and|or)\b", following.group())  # `, and the ratio`
        if asks or (begins_anew and not in_brackets):
            break
        end = following.end()
        closed = end if in_brackets or following["joined"].strip(" ,") else closed
    return closed


def _is_measure(text: str) -> bool:
    """Whether a text is the name of a measure, as `net income`, and not one that holds it, as `equity losses`."""
    return any(not words_kept(text[:start] + text[end:]) for start, end, *_ in named_measures(text))


def without_what_is_left_out(plain: str) -> tuple[str, str]:
    """Return a question without what it says to leave out, with blanks in its place, and that in words."""
    plain = _CURRENCY_AND_MORE.sub(_apart_from_currency, plain)
    excluded = _EXCLUDED.search(plain)
    if excluded is None or _is_currency(excluded.group()):
        return plain, ""
    in_brackets = plain.rfind("(", 0, excluded.start()) > plain.rfind(")", 0, excluded.start())
    end = _end_of_list(plain, excluded.end(), in_brackets=in_brackets)
    listed = re.sub(r" ?, ?(?:and |or )?| or ", " and ", " ".join(plain[excluded.start("what") : end].split()))
    blank = " " * (end - excluded.start())
    return plain[: excluded.start()] + blank + plain[end:], _trimmed(listed)


_NAMED_LEFT_OUT = re.compile(
    r"\b(?:[Ee]xcluding|[Ee]xcludes|[Ee]xcl\.?|[Ee]x|[Ll]eaving out)[ -][\w&.-]{2,30}(?: [A-Z][\w&.-]{1,20})?"
    r"(?=\s*[,;:?()]|$|\s(?:and|or|in|for|over|vs|versus|against|compared|as|from)\b)"
)


def without_names_left_out(question: str) -> str:
    """Return a question without a name that alone follows `excluding`: a company named so is not asked about."""
    return _NAMED_LEFT_OUT.sub(" ", question)


def with_qualifiers(question: LineQuestion, rest: str) -> tuple[LineQuestion, str]:
    """Return a question with its qualifiers, and the rest of its text with a sign in place of each."""
    found: list[Qualifier] = []
    for number, (name, pattern) in enumerate(QUALIFIERS):
        if pattern.search(rest):
            found.append(name)
            rest = pattern.sub(f" {chr(QUALIFIER_MARK + number)} ", rest)
    if question.excluded:
        found.append("excluding")
    return replace(question, qualifiers=tuple(found)), rest


def _is_currency(text: str) -> bool:
    """Whether what is left out is currency: that is a qualifier of its own."""
    return any(name == "constant currency" and pattern.search(text) for name, pattern in QUALIFIERS)


def _trimmed(text: str) -> str:
    words = _SAID_ASIDE.sub("", text).split()
    filler = {"the", "its", "their", "any", "all", "effects", "effect", "impact", "of"}
    while words and words[0] in filler:
        words.pop(0)
    return " ".join(words)


def _apart_from_currency(found: re.Match[str]) -> str:
    """Return what is left out beside the effect of currency, each by itself."""
    return f"in constant currency excluding {found['more'] or found['also']} ,"
