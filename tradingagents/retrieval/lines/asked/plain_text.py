"""The text of a question in small letters and in the words of tables."""

from __future__ import annotations

import re

from tradingagents.retrieval.lines.wording import asked_words
from tradingagents.retrieval.text_figures import MONTHS

_PROPER = re.compile(
    r"(?<=[\w,:] )(?:(?:Greater|More|Lower|Upper|Best|Better|First|Top|Other|New|Total) [A-Z][a-z]+"
    r"|(?:Sales|Cash|Equity|Income|Revenue) (?!Flow|Equiv|Growth|Margin|Per|From|Tax|Statement|Before|Of)[A-Z][a-z]+)"
)
"""Names that begin with a word of comparison, with that of a measure, or with one that says nothing by itself."""


_BRITISH = re.compile(r"\b(?P<root>amorti|utili|organi|capitali|moneti)s(?=[ei])")
_FIRST_PERSON = re.compile(
    r"^(?:i'?m|i am|we'?re|we are|i'?ve|i have|we have|for (?:an?|my|our))\b"
    r"(?P<said>[^\d:?;]{3,90}?)(?::|;|\.\s|\s-\s)"
)
"""What the asker says of himself before a question: it asks for nothing, though it may name a company."""
_COUNT_OF = re.compile(
    r"\b(?P<what>store|member|membership|subscriber|customer|user|employee|restaurant|warehouse)s? "
    r"(?:count|base|numbers?)\b"
    r"|\b(?:base|count|number) of (?=[a-z])"
)
_PEOPLE = re.compile(r"\b(?:members?|memberships?|subscribers?|subscriptions?|customers|users)\b")
_ARROW = re.compile(
    r"\s{0,3}(?:[\u2192\u21d2\u2794\u279c]|[-=]>|>>)\s{0,3}|(?<=\d)\s?(?:\.{2,3}|\u2026)\s?(?=(?:fy\s?)?'?\d)"
)
"""Between two periods, as in `FY21 \u2192 FY25`."""
_ADDED = re.compile(r"(?<!net )(?<!how many )(?<!how many were )\badd(?:ed|s|ing)?\b(?! up)")
"""Beside people, those won less those lost; `how many were added` asks for a change of what is named before."""


_POLITE = re.compile(r",?\s?\b(?:please|pls|plz|thanks|thank you|thx)\b[.!]?")
"""What a question says to be polite, which may stand after its last word."""
_OF_A_TABLE = re.compile(
    r",?\s?(?:\b(?:as )?(?:computed|calculated|derived|taken|read|worked out|shown)\s)?\b(?:from|off|per|using|based on"
    r"|according to) the (?!(?:non-?\s?gaap|adjusted|organic|core|pro forma)\b)(?:[a-z&-]+ ){0,4}?"
    r"(?:tables?|schedules?|disaggregation|breakdown)\b"
)
"""Where a figure is to be read, as `computed from the product revenue table`."""
_NOUNS_OF_VERBS: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(
            r"\b(?:people|persons|workers|staff|employees)\b(?P<between>[^,;:?]{1,60}?)\b"
            r"(?:employ(?:s|ed)?|work(?:s|ed)? (?:for|at))\b"
        ),
        "employees",
    ),
    (
        re.compile(
            r"\b(?:cars|vehicles|planes|airplanes|aircraft|jets)\b(?P<between>[^,;:?]{1,60}?)\bdeliver(?:s|ed)?\b"
        ),
        "deliveries",
    ),
)
"""What tables call those whom, and that which, a verb of a question governs: `how many people did it employ`."""
_INCLUDED = re.compile(
    r"\b(?:incl(?:uding|usive of|udes)?|plus)\b\.? (?=(?:the )?capitali[sz]ed (?:internal-use )?software\b)"
)
"""What a row has to say that it has in it: `capital expenditures (including capitalized software)`."""
_ARM = re.compile(r"\bARM\b(?! (?:loans?|mortgages?|Holdings|Ltd|plc))")
"""In capitals the short name of a figure, and no arm of a company."""
_HEAVY = re.compile(
    r"\b(?P<more>more|most|less|least) (?P<what>r&d|research and development|capex)[- ](?:heavy|intensive|hungry)\b"
)
"""`Who is more R&D heavy?` asks which has the higher intensity."""
_INTENSITY = re.compile(
    r"\bintensity\b|(?:%|\b(?:percent|pct|percentage|share)) of (?:net )?(?:revenues?|sales)\b"
    r"|/ ?(?:net )?(?:revenue|sales)\b"
)
_SERIES = re.compile(
    r"(?<=\w)(?P<length>[- ](?:y|yrs?|years?|qtrs?|quarters?|annual|yearly|quarterly))[- ](?:time[- ])?series\b"
)
"""Names figures over periods again, which the periods tell: `five yr series`."""
_TO_CUSTOMERS = re.compile(r"\b(?P<what>revenues?|sales)(?P<link> (?:from|to)) (?:external )?customers(?= in\b)")
"""Where sales are made is said of their customers: a table names the place alone."""
_DATE = re.compile(r"(?<![\d/])(?P<month>0?[1-9]|1[0-2])/(?P<day>[0-2]?\d|3[01])/(?P<year>(?:20)?\d\d)(?![\d/])")


def _written_out(found: re.Match[str]) -> str:
    """Return a date in figures, month first, with the name of its month."""
    return f"{MONTHS[int(found['month']) - 1]} {int(found['day'])}, 20{found['year'][-2:]}"


def plain_question(text: str) -> str:
    """Return a question in small letters, with names that begin with a word of comparison in capitals."""
    text = _ARM.sub("average monthly revenue per paying member", text)
    names = [found.group() for found in _PROPER.finditer(text)]
    for name in names:  # capitals keep a name from being read as words
        text = text.replace(name, name.upper())
    plain = _lowered(text)
    for name in names:
        plain = plain.replace(name.lower(), name.upper())
    return plain


def _lowered(text: str) -> str:
    plain = text.lower().replace("\u2019", "'").replace("&amp;", "&")
    plain = _ARROW.sub(" to ", plain)
    plain = re.sub(r"[\u2013\u2014\u2212]", "-", plain)
    plain = re.sub(r"(?<=[a-z]{3})\+(?=[a-z]{3})", " + ", plain)  # skyrizi+rinvoq
    plain = re.sub(r"'s(?![a-z])", " ", plain)
    plain = re.sub(r"\b(\d{3})s\b", r"\1", plain)  # 737s
    plain = re.sub(r"(?<=[a-z]{3})-wise\b", "", plain)  # revenue-wise
    plain = _DATE.sub(_written_out, plain)
    plain = re.sub(r"(?<!\w)w/ ?o(?!\w)", "without", plain)
    plain = re.sub(r"(?<!\w)w/(?=\s?\w)", "with ", plain)
    plain = _OF_A_TABLE.sub(" ", _POLITE.sub(" ", plain))
    plain = _INCLUDED.sub("includes ", plain)
    plain = _TO_CUSTOMERS.sub(r"\g<what>", _SERIES.sub(r"\g<length>", plain))
    said = bool(_INTENSITY.search(plain))
    plain = _HEAVY.sub(lambda found: found["more"] if said else f"{found['more']} {found['what']} intensity", plain)
    plain = _BRITISH.sub(r"\g<root>z", plain)
    plain = _FIRST_PERSON.sub(lambda found: re.sub(r"[^\ue000-\uf8ff]", " ", found["said"]), plain.strip())
    plain = _COUNT_OF.sub(lambda found: f"{found['what']}s" if found["what"] else " ", plain)
    for pattern, noun in _NOUNS_OF_VERBS:
        plain = pattern.sub(rf"{noun}\g<between>", plain)
    if _PEOPLE.search(plain):
        plain = _ADDED.sub("net additions", plain)
    return f" {' '.join(asked_words(plain).split())} "
