"""What a question sets against each other, and which of several it asks for."""

from __future__ import annotations

import re
from dataclasses import replace

from tradingagents.retrieval.lines.asked.asked_labels import verb_forms
from tradingagents.retrieval.lines.asked.asked_qualifiers import QUALIFIER_MARK
from tradingagents.retrieval.lines.line_questions import COMPANY_MARK, Direction, Group, LineFunction, LineQuestion

_HIGHEST = re.compile(
    r"\b(?:the )?(?:(?:most|more) (?:profitable|lucrative|money)|most|highest|higher|largest|larger|biggest"
    r"|bigger|greatest"
    r"|greater|fastest|faster|quickest|quicker|best|better|strongest|stronger|fattest|fatter|heaviest|heavier|hardest|harder"
    r"|richest|richer|tops(?: the list)?|leads|widest|peak(?:ed|s)?|steepest|deepest|longest|longer)(?: first)?\b"
)
_LOWEST = re.compile(
    r"\b(?:the )?(?:least profitable|bottomed(?: out)?|least|lowest|lower|smallest|smaller|slowest|slower"
    r"|weakest|weaker|worst|worse|fewest"
    r"|fewer|thinnest|thinner|lightest|lighter|cheapest|shortest|shorter)(?: first)?\b"
)
_EXTREME = (
    r"\bthe {0}(?:[- ](?:point|mark|water mark|year|quarter))?(?=\W*$|\s*[,;?:.)]| (?:and|or|of (?:the|that|those))\b)"
)
"""`Tell me the low`: of several periods, by a noun."""
_HIGH_POINT, _LOW_POINT = (
    re.compile(_EXTREME.format(word)) for word in ("(?:high|top)", "(?:low|trough|bottom|nadir)")
)
_MORE, _LESS = re.compile(r"\bmore\b"), re.compile(r"\bless\b")
_OF_QUALITY = re.compile(r"\b(?:best|better|worst|worse|weak\w*|strong\w*)\b")
"""Words that say which is good rather than which is much: the worst decline is the lowest figure already."""
TURNED: dict[Direction, Direction] = {"highest": "lowest", "lowest": "highest"}
_RANKED = re.compile(
    r"\b(?:rank(?:ed|ing)?|order(?:ed)?|sort(?:ed)?)\b|\bin (?:descending|ascending) order\b"
    r"|\b(?:from )?(?:the )?(?:best to worst|worst to best|high(?:est)? to low(?:est)?"
    r"|low(?:est)? to high(?:est)?|largest to smallest"
    r"|smallest to largest|biggest to smallest|fastest to slowest)\b|\bleague table\b"
)
_OF_LOSSES = re.compile(
    r"\b(?:lost|los(?:es?|ing)) (?:the )?(?:most|more)\b|\bmore (?:money )?(?:lost|los(?:es?|ing))\b"
    r"|\b(?:lost|los(?:es?|ing)) (?:the )?(?:least|less)\b|\bless (?:money )?(?:lost|los(?:es?|ing))\b"
    r"|\b(?:biggest|bigger|largest|larger|widest|wider|greatest|greater|deepest|deeper|highest|higher"
    r"|smallest|smaller|lowest|lower|narrowest|narrower) "
    r"(?:[a-z-]+ ){0,2}loss(?:es)?\b"
)
"""What asks for the other end of the figures: the largest loss is the lowest of them, and the smallest the highest."""
_STEEPEST_FALL = re.compile(
    r"\b(?:the )?(?:steepest|sharpest|biggest|largest|worst) (?:percentage |percent )?(?:fall|decline|drop|decrease)\b"
    r"|\b(?:fell|declined|dropped|shrank) (?:the )?(?:most|fastest)\b"
    r"|\b(?:and )?which (?:one )?(?:shrank|fell|declined)\b(?: (?:the )?(?:hard|fast|steep|sharp)(?:er|est)\b)?"
    r"(?! (?:the )?(?:less|least|more|most|further|furthest)\b)"
)
OVER_PERIODS = re.compile(
    r"\b(?:which|what|in which|in what) (?:fiscal )?(?:quarter|year)\b|\bthe (?:weakest|best"
    r"|strongest|worst) (?:quarter|year)\b"
    r"|\b(?:best|weakest|worst|strongest|peak|highest|lowest) (?:quarter|year)\b"
    r"|\bwhen (?:was|were|did|is|has|have)\b(?=.{0,80}\b(?:highest|lowest|weakest|strongest|best|worst|biggest|smallest"
    r"|largest|most|least|peak\w*|bottom\w*)\b)"
)
_ASKS_WHICH = re.compile(
    r"\bwho(?:se)?\b|\bwhich\b|\brank\b|\bis .{0,60}\bbigger\b|\b(?:was|is|did|does|were|are)\b.{0,80}\bor\b|\bor\b"
)
_SUPERLATIVE = (
    "biggest|largest|smallest|weakest|strongest|fastest[- ]growing|slowest[- ]growing|most profitable|least profitable"
)
"""What asks for one of a group without `which`, as in `its biggest segment`."""
_GROUPS: tuple[tuple[Group, re.Pattern[str]], ...] = (
    (
        "segment",
        re.compile(
            rf"\b(?:which|what|by|each|every|per|{_SUPERLATIVE})\b[^,;:?]{{0,40}}?\b"
            r"(?:reportable |operating "
            r"|business )?(?:segments?|divisions?"
            r"|business areas?|business units?|lines of business)\b"
            r"|\b(?:(?:two|three|four|five|six|[2-9]|all|reportable|operating|business|its|their"
            r"|the) ){0,4}(?:segments|divisions"
            r"|business areas|business units|lines of business)\b"
        ),
    ),
    (
        "region",
        re.compile(
            rf"\b(?:which|what|by|each|every|per|{_SUPERLATIVE})\b[^,;:?]{{0,40}}?\b"
            r"(?:geograph(?:y|ies|ic (?:areas?|segments?"
            r"|regions?))|regions?"
            r"|countr(?:y|ies))\b|\b(?:(?:two|three|four|five|six|[2-9]|all|geographic|its|their"
            r"|the) ){0,4}(?:regions|geographies)\b"
        ),
    ),
    (
        "product",
        re.compile(
            r"\b(?:which|what|by|each|every|per)\b[^,;:?]{0,40}?\b"
            r"(?:product (?:categor(?:y|ies)|lines?"
            r"|groups?|famil(?:y|ies))"
            r"|products?|categor(?:y|ies)|brands?|models?|end markets?|market platforms?)\b"
            r"|\bproduct (?:categories|lines|groups)\b"
        ),
    ),
)


_SINCE_EXTREME = re.compile(
    r"(?:(?:\band )?\b(?:by )?(?:how (?:far|much|many points)|what (?:percent(?:age)?|%))\b[^,;:?]{0,40}?"
    r"|\b(?:percent(?:age)? |% )?(?:change|drop(?:ped)?|decline[ds]?|fall(?:en)?|fell|decrease[ds]?|down|rise[ns]?|rose"
    r"|increase[ds]?|up|grown|grew|shr[aiu]nk|lost|gain(?:ed)?|recover(?:y|ed))\b[^,;:?]{0,20}?)"
    r"\b(?:since|from|off|below|above)\s+(?:(?:its|their|the|that|this|a)\s+)?"
    r"(?:(?:own|all-time|recent|record|multi-year)\s+)?"
    r"(?:(?P<high>peak|high(?:est)?|top|record)|(?P<low>low(?:est)?|trough|bottom|nadir))\b"
    r"(?: (?:point|level|year|quarter|mark|value|figure))?(?! (?:to|through|of|and)\b)"
)
"""A change from the highest or the lowest of several periods to the last: `how far has it dropped since its peak`."""

_SINCE_THEN = re.compile(
    r"\b(?:(?:by )?how (?:far|much)|what (?:percent(?:age)?|%))\b[^,;:?]{0,40}?"
    r"\b(?:dropp?|declin|fall|fell|decreas|down|r[io]s|increas|up\b|gr[eo]w|shr[aiu]nk|lost|gain|recover|chang)[a-z]{0,4}"
    r" since(?: then)?(?=\W*$|[,;?])"
)
"""The same where the highest or lowest is named before, as in `the peak year and how far has it dropped since`."""


def with_change_since_extreme(question: LineQuestion, rest: str) -> tuple[LineQuestion, str]:
    """Return a question with the change since its highest or lowest figure, where it asks for that, and its rest."""
    found = _SINCE_EXTREME.search(rest)
    is_high = bool(found and found["high"])
    if found is None and (then := _SINCE_THEN.search(rest)):
        before = rest[: then.start()]
        is_high = bool(_HIGHEST.search(before) or _HIGH_POINT.search(before))
        is_low = bool(_LOWEST.search(before) or _LOW_POINT.search(before))
        found = then if is_high != is_low else None
    if found is None or not question.span.has_several:
        return question, rest
    name: LineFunction = "since_highest" if is_high else "since_lowest"
    return replace(question, functions=(name,)), f"{rest[: found.start()]} {rest[found.end() :]}"


def with_comparison(question: LineQuestion, rest: str, *, over_periods: bool) -> tuple[LineQuestion, str]:
    """Return a question with what it compares, and the rest of its text."""
    marks = len({sign for sign in rest if COMPANY_MARK <= ord(sign) < QUALIFIER_MARK})
    fall = _STEEPEST_FALL.search(rest)
    group: Group = ""
    for name, pattern in _GROUPS:
        if named := pattern.search(rest):
            group = name
            rest = f"{rest[: named.start()]} {_group_qualifiers(named.group())} {rest[named.end() :]}"
            break
    direction: Direction = ""
    if fall:
        rest = _STEEPEST_FALL.sub(" fell ", rest)
        direction = "both" if _HIGHEST.search(rest) else "lowest"
    ranked = _RANKED.search(rest)
    rest = _RANKED.sub(" ", rest)
    asks = bool(_ASKS_WHICH.search(rest)) or over_periods or bool(group) or bool(fall)
    high = _HIGHEST.search(rest) or (asks and _MORE.search(rest))
    low = _LOWEST.search(rest) or (asks and _LESS.search(rest))
    if not direction and (high or low):
        direction = "both" if high and low else "highest" if high else "lowest"
    direction = direction or ("highest" if ranked or (group and question.against) else "")
    place = high or low
    words = set(re.findall(r"[a-z]+", _apart(rest, place.start()) if place else rest))
    fell = words & verb_forms("of_fall_verbs") and not words & verb_forms("of_rise_verbs")
    lost = bool(_OF_LOSSES.search(question.text.lower())) and not words & verb_forms("of_rise_verbs")
    turned = (fell or lost) and not fall and not _OF_QUALITY.search(rest)
    direction = TURNED.get(direction, direction) if turned else direction  # what fell hardest changed least
    rest = _LOWEST.sub(" ", _HIGHEST.sub(" ", rest))
    if not direction and question.span.has_several and marks < 2:
        high, low = _HIGH_POINT.search(rest), _LOW_POINT.search(rest)
        direction = "both" if high and low else "highest" if high else "lowest" if low else ""
        rest = _LOW_POINT.sub(" ", _HIGH_POINT.sub(" ", rest)) if direction else rest
    if direction:
        rest = _LESS.sub(" ", _MORE.sub(" ", rest))
    rest = OVER_PERIODS.sub(" ", rest)
    question = replace(question, of_losses=lost and turned, over_periods=over_periods, group=group)
    return replace(question, direction=direction, compares=marks > 1), rest


_ASKED_APART = re.compile(r"[,;:?!.]? and (?=(?:did|does|do|has|have|had|was|were|is|are) )|[;?!]")
"""Ends what is asked before it: `when was it highest, and did it ever fall?`."""


def _apart(text: str, place: int) -> str:
    """Return the part of a text with a place that is asked by itself."""
    ends = [0, *(found.end() for found in _ASKED_APART.finditer(text)), len(text)]
    start = max(end for end in ends if end <= place)
    return text[start : min((end for end in ends if end > place), default=len(text))]


def _group_qualifiers(text: str) -> str:
    """Return the words between `which` and the group that say more than that, such as a superlative."""
    return re.sub(
        r"\b(?:which|what|rank|by|each|every|of|the|its|their|all|per|two|three|four|five|six|[2-9]|reportable|operating|business"
        r"|areas?|units?|segments?|divisions?|geograph\w*|regions?|countr\w*|products?|categor\w*|lines?|groups?|famil\w*"
        r"|brands?|models?|end markets?|market platforms?)\b",
        " ",
        text,
    )
