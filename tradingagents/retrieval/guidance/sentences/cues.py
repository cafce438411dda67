"""Which words look ahead, and whether they govern a figure: after them, none that look back."""

from __future__ import annotations

import re

from tradingagents.retrieval.guidance.guided_items import item_mentions
from tradingagents.retrieval.guidance.sentences.amounts import read_amounts
from tradingagents.retrieval.guidance.sentences.window import FigureWindow

AHEAD = re.compile(
    r"\b(?:expect(?:s|ing|ed|ations?)?|anticipat(?:e|es|ed|ing)|project(?:s|ed|ing|ions?)?(?= |,)"
    r"|forecast(?:s|ed|ing)?"
    r"|estimat(?:es?|ing)|estimated (?:to|at|that)|(?:reflects|includes|incorporates) (?:an? )?estimated"
    r"|target(?:s|ed|ing)?|guid(?:ance|ing|e|ed|es)|outlooks?"
    r"|plan(?:s|ning|ned)?|intend(?:s|ing)?"
    r"|will|we'll|should"
    r"|would(?! (?:also |just |again )?(?:like|note|highlight|add|say|remind|point|mention|call|characterize))"
    r"|on track|on pace|confident (?:in our ability to|that we (?:can|will))"
    r"|assum(?:e|es|ing|ptions?|ed (?:to|at))|goal|commit(?:ted|ment)"
    r"|(?:narrow|tighten|increas|rais|lower|affirm|reaffirm|reiterat|maintain|confirm|updat|revis)(?:ed"
    r"|ing) (?:[\w'&-]+ ){0,16}?(?:ranges?|midpoint|starts)\b|\bnew midpoint"
    r"|we (?:now |continue to )?see|look(?:ing)? (?:for|to)|capital (?:plan|budget)"
    r"|capital allocation (?:plan|strategy) (?:considers|assumes|includes|calls)|poised|positioned to|position(?:s"
    r"|ed)? us to"
    r"|we(?:[\u2019']re| are) (?:(?:now|also|again|further) )?(?:rais|lower|increas|narrow|tighten|reaffirm"
    r"|reiterat|maintain"
    r"|updat|revis|improv)ing (?:our|the))\b",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"\b(?:was|were|had|did|delivered|achieved|reported|generated|totaled|totalled|came in|landed|returned"
    r"|paid|grew|rose|fell"
    r"|declined|decreased|increased|improved|expanded|exceeded|reached|repurchased|earned|ended|spent"
    r"|posted|beat|recorded"
    r"|produced|maintained|drove|contributed|benefited|averaged|finished|invested|told you|was expected"
    r"|were expected)\b",
    re.IGNORECASE,
)
_MET = re.compile(
    r"\b(?:above|below|exceed(?:ed|ing|s)?|beat(?:ing|s)?|within|versus|compared (?:to|with|favorably to)"
    r"|in line with|ahead of"
    r"|than|of our (?:original|initial)|reach(?:ed|ing)|achiev(?:ed|ing)|met|better than|worse than|meets?"
    r"|(?<!rolls )(?:relative|similar|close|equal|up|due|compared) to|told you|(?:gave|announced|set)"
    r"(?: an?)?)"
    r" (?:or (?:above|exceed\w*) )?(?:the |our |its |what we )*(?:(?:very )?(?:high|low|upper|lower|top"
    r"|bottom)(?:-|er|est)? ?"
    r"(?:end|half|point)? (?:of )?|midpoint of )?(?:the |our |its )*(?:most recent |prior |previous "
    r"|original |initial |earlier"
    r" |internal |own |most-recent )*(?:[\w'-]+ ){0,4}?(?:guid(?:ance|ed)|expect(?:ed|ations?)|outlook"
    r"|forecast(?:ed|s)?|anticipated"
    r"|assumed|planned|estimated|estimates?|target(?:ed)?|projected|projections?|plan)\b",
    re.IGNORECASE,
)
_OLD = re.compile(
    r"\b(?:prior|previous(?:ly)?|original(?:ly)?|initial(?:ly)?|earlier|former(?:ly)?|last year's"
    r"|had (?:been )?(?:expect|anticipat|plann"
    r"|assum|project|forecast|target)\w*|(?:as )?expected(?=,|\.| and)|as (?:we )?(?:anticipated|planned"
    r"|guided)|old)\b",
    re.IGNORECASE,
)
_SEVERAL_YEARS = re.compile(
    r"\bmonths end(?:ed|ing)\b|\b(?:maintain|minimum) annual\b|\bannual (?:capital|operating|capex|free"
    r"|dividend)|\bcagr\b|\bcompound\w*|\blong[- ]term\b(?! care| debt)|\blonger[- ]term\b|\bover the (?:next|coming"
    r"|following) (?:\w+ ){0,3}(?:years|decades?)"
    r"|\bper (?:year|annum)\b|\beach year\b|\bannually\b|\bon an annual basis\b|\brun[- ]rates?\b"
    r"|\bannualized\b|\bper quarter\b"
    r"|\bevery (?:year|quarter)\b|\bmid-?term\b|\bmedium[- ]term\b|\baspir\w+|\bfive-year\b"
    r"|\bmulti-?year\b|\bfor the next \w+ years\b"
    r"|\bthrough(?: at least)? 20[2-9]\d|\bfirst four years\b|\bour (?:goals?|financial targets?) of\b|\bover (?:a "
    r"|the )?\w+-year|\bin each of\b"
    r"|\bpay-?out (?:ratio|target|policy)\b|\bgrowth (?:off|from) (?:an?|our|the) (?:[\w-]+ )?base\b",
    re.IGNORECASE,
)
_LIKE_A_GOAL = re.compile(
    r"\b(?:in line|consistent|aligned|in keeping) with our (?:[\w-]+ ){0,3}(?:targets?|goals?|model|algorithm"
    r"|framework|objectives?|aspirations?)\b",
    re.IGNORECASE,
)
"""A goal of several years that a figure of one year is only likened to."""
HYPOTHETICAL = re.compile(
    r"\bscenario assumes\b|\bin annual (?:sales|revenue)|^(?:if|should (?:the|we|our|average|storm)"
    r"|let's assume|suppose|without)\b|\bfor example\b|\bwe could\b"
    r"|\bcould (?:see|be|support|exceed|generate)\b|\bwould have\b|\bmay (?:be|reach)\b"
    r"|\bwould (?:increase|decrease|reduce|change|affect|impact)\b|\bwould result in an? (?:\w+ )?(?:increase"
    r"|decrease|annual)\b"
    r"|\bforward-looking\b|\bno obligation\b",
    re.IGNORECASE,
)


def looks_ahead(text: str) -> bool:
    """Tell whether a sentence speaks of what is to come."""
    return AHEAD.search(text) is not None


_FRAGMENT = re.compile(
    r"^(?:and |also,? |then )?(?P<rest>(?:(?:our|the) )?(?:(?!(?:we|is|are|was|were|will|has|have|had|which|that|it)\b)"
    r"[\w&\u2019'-]+ ){1,6}to (?:grow|be|increase|decline|decrease|range|come in|total|average|remain|improve)\b.*)",
    re.IGNORECASE,
)


_RESULT = re.compile(
    r"(?:and |so )?(?:this|that|all of this) (?:should |will |would )?results? in (?:(?:an?|our) )?(?P<rest>.*)",
    re.IGNORECASE,
)
"""A sentence that derives the next entry of a list: `This results in earnings per share of $0.45 to $0.55`."""


_ADJECTIVES = "adjusted|diluted|weighted|estimated|expected|planned|combined|related|unallocated|consolidated|fixed"
_VERB = re.compile(
    rf"\b(?:is|are|was|were|be|been|being|has|have|had|do|does|did|can|could|may|might|we|i|you|they|it|this|that"
    rf"|these|those|there|which|who|grew|rose|fell|came|saw|drove|made|spent|paid|ran|left|led|beat|versus|compared"
    rf"|our|(?!(?:{_ADJECTIVES})\b)\w+ed)\b",
    re.IGNORECASE,
)
"""Words before a figure that no entry of a list holds: a verb, who does something, what was."""
_IS = re.compile(r"[\w&/,\u2019' -]{3,70} (?:is|are) (?:approximately |about |around |between |in the range of |at )?")
_MOST_LEAD = 110
"""Characters before the first figure of an entry of a list."""


_HOLDS = re.compile(
    r"(?:and )?(?:this|it|that|these|which)(?: (?:guidance|outlook|forecast))?(?: also| now)?"
    r" (?:includes?|assumes?|reflects?|contemplates?|calls for|incorporates?) (?P<rest>.*)",
    re.IGNORECASE,
)
"""A sentence that says what the outlook holds that the one before only names: `This includes sales growth of 2%`."""
_AS_FOLLOWS = re.compile(r"\b(?:as follows|the following)\b", re.IGNORECASE)
"""Words of a sentence behind which a list begins."""
_NAMES_AN_OUTLOOK = re.compile(r"\b(?:guidance|outlook)\b", re.IGNORECASE)


def with_its_verb(text: str, *, goes_on: bool, before: str = "") -> str:
    """Return a sentence that goes on the one before, `And expenses to grow 5%`, with what it leaves out.

    Behind a sentence that guides to something, one without a verb, `Gross margin of 80% to 81%`, is the next entry of
    the list; so is a range that an item `is`, since what was reported is no range.

    Args:
        text: The sentence.
        goes_on: Whether the one before guides to something; where only a heading names a period, an entry is a range.
        before: The sentence just before it.
    """
    goes_on = goes_on or (_AS_FOLLOWS.search(before) is not None and looks_ahead(before))
    holds = _HOLDS.fullmatch(text)
    if holds is not None and _NAMES_AN_OUTLOOK.search(before) and not read_amounts(before):
        return f"We expect {holds['rest']}"
    if AHEAD.search(re.split(r",? which\b", text, maxsplit=1)[0]):
        return text
    fragment = (_FRAGMENT.fullmatch(text) or _RESULT.fullmatch(text)) if goes_on else None
    if fragment is not None:
        return f"We expect {fragment['rest']}"
    amounts = read_amounts(text)
    lead = re.sub(r"^(?:and|also|then|finally|lastly),? ", "", text[: amounts[0].start], flags=re.I) if amounts else ""
    if not re.search(r"[A-Za-z]{2}", lead) or len(lead) > _MOST_LEAD:
        return text
    is_entry = not _VERB.search(lead) or (amounts[0].is_range and _IS.fullmatch(lead) is not None)
    if not goes_on and not (amounts[0].is_range and item_mentions(lead)[:1] and not _OLD.search(lead)):
        return text
    return f"We expect {lead}{text[amounts[0].start :]}" if is_entry else text


_SURE = re.compile(
    r"\b(?:confiden(?:ce|t) (?:in|of|that)|on track (?:to|for)|on pace to|comfortable with|expect to|able to)"
    r"(?: (?:our|the|we|are|will|can|ability|to|well|positioned|of))* $",
    re.IGNORECASE,
)
"""Words before `achieving our guidance of` that say that it is still to come."""
_STILL_TO_COME = re.compile(r" (?:for|of) (?:an? |our |the )?(?:full[- ]year|fiscal)\b", re.IGNORECASE)
"""Words behind `in line with our expectation` that say that it is one of a year, and not what was expected."""
_NOT = re.compile(r"\b(?:do|does|did|are|is)(?: not|n[\u2019']t) (?:currently |now |yet )?$", re.IGNORECASE)
"""Words before `expect` that deny what follows."""


def is_guided(window: FigureWindow) -> bool:
    """Tell whether words that look ahead govern the range: after them, none that look back."""
    lead = window.lead
    ahead = list(AHEAD.finditer(lead))
    met = [
        (match.start(), match.end())
        for match in _MET.finditer(lead)
        if not (
            _SURE.search(lead[: match.start()])
            or (_STILL_TO_COME.match(lead, match.end()) and not _OLD.search(match[0]))
        )
    ]
    ahead = [match for match in ahead if not any(start <= match.start() < end for start, end in met)]
    if not ahead:
        return False
    last = ahead[-1]
    if _NOT.search(lead[: last.start()]) or HYPOTHETICAL.search(lead + window.clause):
        return False
    back = [match for match in _BACK.finditer(lead) if match.start() > last.end()]
    if any(not _is_adjective(lead, match) for match in back):
        return False
    clause = _LIKE_A_GOAL.sub(" ", clause_around(window))
    if any(start > last.start() for start, _ in met) or _SEVERAL_YEARS.search(clause):
        return False
    old = [match for match in _OLD.finditer(lead) if match.start() > last.start() - 22]
    return not any(match.end() > window.before for match in old)


def _is_adjective(lead: str, match: re.Match[str]) -> bool:
    """Tell whether a word such as `increased` stands before a noun rather than as what happened."""
    return (
        re.match(
            r" (?:(?:20\d\d|full[- ]year|fiscal) )*(?:adjusted|operating|gaap|investment|demand|share|level|capital"
            r"|cash|volume|diluted|eps|earnings|basis|net|results|revenue|growth|sales|[\w-]+ expense"
            r"|and (?:core|organic))",
            lead[match.end() :],
        )
        is not None
    )


def clause_around(window: FigureWindow) -> str:
    """Return the words around a range: from the semicolon before it to where another clause begins behind it."""
    start = window.text.rfind(";", 0, window.amount.start) + 1
    return window.text[start : window.amount.end] + window.clause
