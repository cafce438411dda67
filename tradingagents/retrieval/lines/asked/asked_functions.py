"""What a question wants computed over its figures: growth, averages, sums."""

from __future__ import annotations

import re
from dataclasses import replace

from tradingagents.retrieval.lines.asked.asked_labels import verb_forms
from tradingagents.retrieval.lines.line_questions import LineFunction, LineQuestion

_FUNCTIONS: tuple[tuple[LineFunction, re.Pattern[str]], ...] = (
    (
        "multiple",
        re.compile(
            r"\bmultipl(?:y|ied)\b|\bhow many times(?= +(?:larger|bigger|greater|higher|as|is|was|are)\b)"
            r"|\bby what (?:factor|multiple)\b|\bas a multiple\b"
        ),
    ),
    (
        "cagr",
        re.compile(
            r"\bcagrs?\b|\b(?:[a-z]+-year )?(?:growth rate|rate of growth|growth|rate) (?:per annum|p\.?a\b\.?)"
            r"|\bcompound(?:ed|s|ing)?\b(?:(?: annual(?:i[sz]ed)?)? (?:growth|rate)(?: rate)?(?: of growth)?\b)?"
        ),
    ),
    (
        "sequential",
        re.compile(
            r"\bsequential(?:ly)?(?: growth| change)?\b|\bquarter[- ]o(?:ver|n)[- ]quarter(?: growth)?\b|\bqoq\b"
            r"(?: in the last of the (?:four )?quarters)?"
        ),
    ),
    ("weighted", re.compile(r"\bweighted(?: average)?\b")),
    (
        "average",
        re.compile(
            r"\b(?:on average|(?:simple )?(?:averages?|averaged|mean))(?: of the annual rates)?\b"
            r"(?! [\w ]{1,30}? per \w)"
        ),
    ),
    (
        "sum",
        re.compile(
            r"\bttm\b|\b(?:sum"
            r"|total) of (?:the )?(?:last )?(?:four )?(?=quarters)"
            r"|\bcumulative(?:ly)?\b|\bcumulated\b|\bsum(?= of\b)|\badded up\b|\bin aggregate\b"
        ),
    ),
    (
        "growth",
        re.compile(
            r"\b(?:year[- ]o(?:ver|n)[- ]year|yoy"
            r"|annual)?[- ]?(?:percent(?:age)? )?(?:growth(?: rate)?s?|gr[eo]w(?:n|ing|s)?|growers?)\b"
            r"|(?<!net )(?<!total )\bchanges?\b(?! in (?:cash|working|fair))|\byear[- ]o(?:ver|n)[- ]year\b"
            r"|\byoy\b|\b(?:percent(?:age)?|%) (?:changes?|increases?"
            r"|decreases?|rises?|falls?|declines?|drops?)\b"
            r"|\bhow many(?: more)?(?: [a-z]+){0,2}? (?:were |was |have been )?(?:added|gained|shed|lost|cut)\b"
            r"(?= (?:over|between|since|across|during)\b|\W*$)"
            r"|\bgained\b|\bbetween (?:the )?first and (?:the )?last\b"
            r"|\b(?:has|have|had) (?:[\ue000-\uefff] )?lost\b"
            r"|\b(?:worsen(?:ed|ing)?|improved?|improving|deteriorated?)\b"
            r"|\b(?:compares?|compared|stack(?:ed)? up)\b.{0,30}\b(?:in percent|percentage)\b"
        ),
    ),
)
_WORD = re.compile(r"(?<!net )\b[a-z]+\b(?! in (?:cash|working|fair))")
"""A word that may be a verb of change; `net increase in cash` is a line."""
_IN_TOTAL = re.compile(
    r"\bin total\b|\baltogether\b|\b(?:(?:two|three|four|five|\d)[- ]years? )totals?\b|\btotal(?:s"
    r"|ed)? over\b|\bover the whole\b"
    r"|\b(?:and|plus|with)\b(?: (?:what|s|is|whats|the|a|their|its)){0,4} +totals?(?: as well| too| also)?"
    r"(?=\W{0,3}$|\s{0,3}[,;?:]| (?:and|then|plus|&) )"
    r"|\b(?:what|how much)(?: (?:is|are|was|were|s|would|be|does|do|it|that|this|they|come|comes|to)){0,4} "
    r"(?:the|their|its|a|that) +(?:grand |overall |combined |running |cumulative )?(?:totals?|sum)"
    r"(?=\W{0,3}$|\s{0,3}[,;?:.)]| (?:and|plus|over|across|for (?:the|all|these|those))\b)"
    r"|[,;-] (?:and )?(?:the |a )?totals?(?: as well| too| also)?(?=\W{0,3}$| (?:and|then|plus|&) )"
    r"|\btotals? (?:of|for) (?:all|the|these|those|both)(?: (?:two|three|four|five|six|\d))?(?: (?:years?|quarters?))?"
    r"(?=\W{0,3}$|\s{0,3}[,;?:])"
    r"|\b(?:(?:two|three|four|five|six|\d)[- ]?(?:y|yr|year|quarter)s? )?(?:sums?|totals?)(?= as well| too|\W{0,3}$)"
    r"|(?<!lump )(?<!lump-)\bsums?\b(?! of\b)"
    r"|\b(?:sum(?:s|med)?|adds?|added|total(?:s|ed|led)?) (?:it |them |these |those |this |that |all )?up\b(?: to\b)?"
)
_TOTAL_AND_MORE = re.compile(
    r"[,;:-] (?:the |a )?(?:totals?|sums?)(?= (?:and|plus|&) (?:the |its |an? )?(?:averages?|mean|compound|cagr|growth"
    r"|chang|percent|%|yoy|annual))"
)
"""A sum that is asked for beside what else is computed, as in `total and compound change`."""
_CHANGES = (
    r"(?:moves?(?:ment)?|changes?|deltas?|swings?|shifts?|increases?|decreases?|rises?|falls?|drops?|declines?|gains?"
    r"|expansions?|contractions?|compressions?|improvements?|deteriorations?|difference)"
)
_POINTS = r"(?:percent(?:age)?[- ]?points?|basis[- ]?points?|(?:% ?|-)?(?:pp[ts]?s?|bps?|points|pts))"
IN_POINTS = re.compile(
    rf"\b(?:{_POINTS}[- ](?:of )?(?:the )?(?:total |net |overall )?{_CHANGES}|{_CHANGES},? \(?(?:in|of) {_POINTS})\b\)?"
    rf"|\b(?:and|plus|with|by) how many {_POINTS}\b|\bhow many {_POINTS}"
    r"(?= (?:did|has|have|was|were|is|it|lost|gained|shed|added|given up)\b)"
)
"""A change that is wanted in percentage points or basis points."""
_AS_POINTS = re.compile(rf"\bin {_POINTS}\b|\({_POINTS}\)")
"""A unit, which a level may have too."""
_MOVES = re.compile(
    r"\b(?:mov|chang|shift|sw[iu]ng|widen|narrow|expand|contract|compress|improv|deteriorat|worsen|r[io]se|f[ae]ll|gr[eo]w"
    r"|gain|los[et]|drop|declin|increas|decreas)[a-z]{0,6}\b"
)
_MORE_THAN_BEFORE = re.compile(
    r"\bhow (?:many|much) (?:more|fewer|less|higher|lower)"
    r"(?: (?:people|members|employees|stores|customers))?(?=\s{2}|\W*$)"
)
"""The change since the year before, where that is named after it."""
_NOUN_OF_CHANGE = re.compile(
    r"\b(?:(?:and|plus|with|the|its|net|total) ){1,3}(?:move|movement|delta|swing|shift)(?= (?:over|from|between"
    r"|since|across|in)\b|\W*$)"
    r"|\b(?:and|plus|with) (?:the )?net additions(?= (?:over|across|during|in) the (?:year|period|span|quarters)\b)"
)
"""A change that is asked for by a noun beside the figures: `and the move over the two years`."""
TOTAL_OVER = re.compile(
    r"\btotal(?! (?:net |operating )?(?:revenues?|sales|assets|debt|liabilities|equity|cash|costs|expenses|income)\b)"
    r"(?=[^,;?]{1,60}\b(?:over|across|during)\b)"
    r"|\btotal(?= (?:cash |amount |money )?(?:spent|paid|spend|spending|raised|returned|repaid)\b)"
)


def with_functions(question: LineQuestion, rest: str) -> tuple[LineQuestion, str]:
    """Return a question with what it wants computed, and the rest of its text."""
    found: list[LineFunction] = list(question.functions)
    several = question.span.has_several
    one_each = question.compares or question.against or question.group or (
        question.direction and not question.over_periods
    )  # fmt: skip
    in_points = bool(IN_POINTS.search(rest))
    if in_points and several and _MOVES.search(rest) and not (question.compares or question.group):
        one_each = bool(question.direction and not question.over_periods)  # `by how many points` sets nothing apart
    if in_points or (several and not one_each and _NOUN_OF_CHANGE.search(rest)):
        rest = _NOUN_OF_CHANGE.sub(" ", IN_POINTS.sub(" ", rest))
        found += [] if one_each else ["growth"]
    if question.span.against_year_before:
        rest = _MORE_THAN_BEFORE.sub(" ", rest)
    if several and _TOTAL_AND_MORE.search(rest):
        found.append("sum")
        rest = _TOTAL_AND_MORE.sub(" ", rest)
    as_points = bool(_AS_POINTS.search(rest))
    for name, pattern in _FUNCTIONS:
        if pattern.search(rest):
            found += [name] if name not in found else []
            rest = pattern.sub(" ", rest)
    verbs = {word.group() for word in _WORD.finditer(rest)} & (
        verb_forms("of_rise_verbs") | verb_forms("of_fall_verbs")
    )
    if verbs:
        rest = _WORD.sub(lambda word: " " if word.group() in verbs else word.group(), rest)
        found += ["growth"] if "growth" not in found else []
    in_points = in_points or (as_points and "growth" in found)
    if "weighted" in found and "average" in found:
        found.remove("average")
    if several and _IN_TOTAL.search(rest):
        found += ["sum"] if "sum" not in found else []
        rest = _IN_TOTAL.sub(" ", rest)
    if not several and question.against and "multiple" in found:
        found.remove("multiple")  # of one period the ratio of what is set against each other is given anyway
    two = len(question.span.periods) == 2 and question.against and not question.of_companies
    if (question.span.against_year_before or (two and not question.over_periods)) and not found:
        found.append("growth")
    return replace(question, functions=tuple(found), in_points=in_points), rest
