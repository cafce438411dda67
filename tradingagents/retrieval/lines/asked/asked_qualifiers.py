"""The qualifiers of a question, such as `organic`, and what it leaves out."""

from __future__ import annotations

import re
from dataclasses import replace

from tradingagents.retrieval.lines.line_questions import CORE, ORGANIC, LineQuestion, Qualifier

QUALIFIERS: tuple[tuple[Qualifier, re.Pattern[str]], ...] = (
    (
        "constant currency",
        re.compile(
            r"(?:on a |in |at )?(?:adjusted for (?:fx|(?:foreign )?(?:currency|exchange)(?: effects?| rates?)?)\b"
            r"|constant[- ]currenc(?:y|ies)|currency[- ]neutral|fx[- ](?:adjusted|neutral)"
            r"|foreign exchange[- ]adjusted|(?:prior|previous)[- ](?:year|period)(?:'s)? (?:exchange"
            r"|currency) rates?)(?: basis)?"
            r"|\boperational(?: \(?ex[- ]currency\)?)?(?= sales| growth| change|,| as well)"
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
    ("GAAP", re.compile(r"\b(?:on a )?(?:as[- ]reported|gaap|reported|unadjusted)(?: basis)?\b")),
    ("diluted", re.compile(r"\bdiluted(?! eps| earnings)\b")),
    ("basic", re.compile(r"\bbasic(?! eps| earnings| cards?\b)\b")),
)
QUALIFIER_MARK = 0xF000
MARKS = re.compile(f"[{chr(0xF000)}-{chr(0xF000 + len(QUALIFIERS))}]")
_EXCLUDED = re.compile(
    r"(?:\bi\.?e\.?,? )?\b(?:exclud(?:ing|es?)|leaving out|stripped of|stripping out|without|except(?: for)?|"
    r"ex|not counting|other than|before|net of)[ -](?:the )?"
    r"(?P<what>[^,;:?()\ue000-\uf8ff]{2,60}?)(?=\s*(?:[,;:?()]|$|\band\b|\bin\b|\bfor\b|\bover\b|\bdid\b"
    r"|\bas\b|-\s|\b(?:vs?|versus|against|compared)\b|\b[1-4]q\W?\d\d|\bq[1-4]\b|\b(?:fy|fiscal )?(?:19|20)\d\d\b))"
)
_CURRENCY = (
    r"(?:(?:foreign )?currency|fx|(?:foreign )?exchange(?: rates?)?)(?: (?:effects?|impacts?|movements?|changes?))?"
)
_NO_MORE = r"(?!(?:as |the )?(?:reported|gaap|nominal|unadjusted|total|organic|its|in|what|how)\b)"
_CURRENCY_AND_MORE = re.compile(
    rf"\bexcluding (?:the )?(?:(?:effects?|impacts?) of )?(?:changes in )?"
    rf"(?:{_CURRENCY} and (?P<more>{_NO_MORE}[a-z ]{{3,40}}?)|(?P<also>[a-z ]{{3,40}}?) and {_CURRENCY})"
    rf"(?=\s*(?:[,;:?()]|$|-\s))"
)


def without_what_is_left_out(plain: str) -> tuple[str, str]:
    """Return a question without what it says to leave out, with blanks in its place, and that in words."""
    plain = _CURRENCY_AND_MORE.sub(_apart_from_currency, plain)
    excluded = _EXCLUDED.search(plain)
    if excluded is None or _is_currency(excluded.group()):
        return plain, ""
    blank = " " * len(excluded.group())
    return plain[: excluded.start()] + blank + plain[excluded.end() :], _trimmed(excluded["what"])


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
    words = text.split()
    filler = {"the", "its", "their", "any", "all", "effects", "effect", "impact", "of"}
    while words and words[0] in filler:
        words.pop(0)
    return " ".join(words)


def _apart_from_currency(found: re.Match[str]) -> str:
    """Return what is left out beside the effect of currency, each by itself."""
    return f"in constant currency excluding {found['more'] or found['also']} ,"
