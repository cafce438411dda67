"""`doubt_of`: why a figure that a sentence seems to guide to is not given out.

What is left after these doubts is plainly said: in words that all have a known use, of the whole company or of a part
that the sentence, or a heading just before it, names. Declined are margins of which it is not said what they are
before, synergies, changes in money, and wherever words speak of what was expected before, or of the difference from it.
"""

from __future__ import annotations

import re

from tradingagents.retrieval.guidance.guided_items import guided_items, item_mentions
from tradingagents.retrieval.guidance.sentences.segments import KINDS, OF_SEGMENTS, USUAL
from tradingagents.retrieval.guidance.sentences.structure import doubtful_by_structure
from tradingagents.retrieval.guidance.sentences.window import FigureWindow, SaidRange, SentenceContext

_TOLD = re.compile(
    r"\b(?:told|recall|remember|mid-?year|(?:previously|originally|initially) \w+"
    r"|(?:we|i|it|company|had|was|were) (?:had )?(?:anticipated|expected|projected|forecasted|planned|guided|assumed"
    r"|estimated|targeted|said|communicated|laid out|outlined|indicated|shared|provided)"
    r"(?! (?:earlier )?(?:(?:in|with) (?:our |the )?(?:[\w\u2019'-]+ ){0,3}"
    r"(?:release|announcement|presentation|slides?|deck)|today|this morning|yesterday))"
    r"|last (?:quarter|time|call|year),? (?:we|i)\b"
    r"|(?:prior|previous|earlier|old|original|initial) (?:[\w-]+ ){0,3}?(?:guidance|guide|outlook|range|forecast"
    r"|expectation|target|view|estimate)s?)\b",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"\b(?:remains?|unchanged|maintain\w*|reiterat\w*|reaffirm\w*)\b"
    r"|\bwe(?: are| continue to| now| still| also|[\u2019']re)* (?:expect|anticipat|project|forecast|plan"
    r"|target|see)(?!\w*ed)",
    re.IGNORECASE,
)
"""Words that say of an expectation that it holds now."""
_OTHERS_EXPECT = re.compile(
    r"\b(?:you|one|investors|people|analysts|consensus|customers?) (?:would|might|should|can|could|may"
    r"|will)\b(?! see\b)",
    re.IGNORECASE,
)
_OF_A_MARKET = re.compile(
    r"\b(?:expect|anticipate|project|forecast|see)(?:ing)? (?:the |our |overall |total )*(?:[\w-]+ ){0,2}"
    r"(?:markets?|industry|category|categories|economy)\b[^,;$%]{0,40}? to (?:deliver|grow|be|increase|decline)\b",
    re.IGNORECASE,
)
_DIFFERENCE = re.compile(
    r"\b(?:additional|another|incremental|further|extra|more(?! than)|fewer|less(?! than)|raised?(?! to)"
    r"|increase in(?![^,;$%]{0,40} to (?:(?:an?|the|about|approximately|midpoint|range|of) )*$)|adds?|adding)\b"
    r"[^,;]{0,30}$",
    re.IGNORECASE,
)
_DIFFERENCE_BEHIND = re.compile(
    r"^ (?:of|in) (?:incremental|additional|extra|further|new)\b|^[ -](?:(?!of\b|in\b|to\b|or\b|with\b|and\b"
    r"|plus\b)[\w-]+ ){0,2}"
    r"(?:more(?! than)|fewer|less(?! than)|additional|incremental|better|worse)\b"
    r"|^[^,;]{0,40}\b(?:than|relative to|over|above|below) (?:our |the |what )*"
    r"(?:previous|prior|earlier|last|original|initial|midyear|we)\b(?![ -](?:year|fiscal|quarter))",
    re.IGNORECASE,
)
_FROM_BEFORE = re.compile(
    r"^[^,;]{0,40}\b(?:from|versus|compared to|compared with) (?:our |the |what )*"
    r"(?:previous|prior|earlier|last|original|initial|midyear|we)\b(?![ -](?:year|fiscal|quarter))",
    re.IGNORECASE,
)
_OLD_RANGE = re.compile(
    r"^[^,;]{0,40}\b(?:from|versus|compared to|compared with) (?:our |the )*(?:previous|prior|earlier|last|original"
    r"|initial) (?:[\w-]+ ){0,3}(?:guidance|outlook|range|forecast|estimate|expectation|guide)s?(?: range)? (?:of|was)"
    r"(?: [\w-]+){0,3} $",
    re.IGNORECASE,
)
"""An old range whose figure stands right behind: the new one replaces it."""
_SEGMENT = re.compile(r"\b(?:segment|division|subsidiary|franchise)(?:s|[\u2019']s)?\b", re.IGNORECASE)
_CAPITAL = re.compile(r"\b[A-Z][\w&\u2019'-]*")
_SUBJECT = re.compile(
    r"\b(?:we|our|the company)\b(?=[\w\u2019' ]*?\b(?:expect|anticipat|project|forecast"
    r"|rais|increas|narrow|updat|reaffirm"
    r"|maintain|reiterat|confirm|lower|see|guid|estimat|target)\w*)",
    re.IGNORECASE,
)


OF_THE_WHOLE = frozenset({"eps", "tax_rate", "share_count", "share_repurchases", "shareholder_returns"})
"""Items that only the whole company has: with the name of a part they are what it adds."""
_OF_ALL_SEGMENTS = re.compile(r"\bsegment (?=(?:operating|om\b|profit|margin))", re.IGNORECASE)
"""`Segment operating margin` is of all segments together."""
_NO_NAMES_TEXT = """
    capital two three four five point points case scenario end market markets company side part rest others one some
    such year month time which who what level current
"""
_NARROWING_TEXT = """
    federal state corporate other special preferred taxable equivalent taxable-equivalent all-in cash maintenance
    sustaining segment testing after-tax pre-tax
"""
_NARROWING = frozenset(_NARROWING_TEXT.split())
"""Words that narrow an item and name no part."""
_NO_NAMES = frozenset(_NO_NAMES_TEXT.split())


_BOUGHT = re.compile(r"\bacquir(?:e|ing)\b[^,;$%]{0,30}$", re.IGNORECASE)
_OF_A_DEAL = re.compile(r" ?(?:accretive|dilutive)\b", re.IGNORECASE)


def _doubt_of_item(said: SaidRange, window: FigureWindow) -> str:
    """Return why it is not certain what a figure is of; empty where it is."""
    if said.item == "margin":
        return "which margin it is, is not said"
    if _OF_A_DEAL.match(window.right) or (said.item in guided_items() and _BOUGHT.search(window.left)):
        return "it is what a deal adds to the figure or takes from it"
    if said.item == "synergies":
        return "synergies are named in plans and effects as often as in guidance"
    if said.item not in guided_items() and " to " not in said.item and _is_bare(said):
        return "whether it is an amount per share is not said"
    if said.measure == "change" and said.amount.kind == "money" and not _AGAINST.search(window.left + window.right):
        return "it says by how much money the item moves, and not from where"
    under = re.search(r"\bunder (?:the|our)(?: \w+){0,3} $", window.left) is not None
    around = _WE_MEAN.split(window.left)[-1] + (window.right[:30] if under else "")
    if said.item == "share_repurchases" and _AUTHORISED.search(around):
        return "an authorization says what may be bought, and not what will be"
    if said.measure == "growth" and _FROM_LONG_AGO.match(window.right):
        return "from which year it is counted is not said by its number"
    if said.amount.kind == "count" and said.item in guided_items() and not _is_counted(said.item):
        return "what a number without a unit counts is not certain"
    return ""


def doubt_of(said: SaidRange, window: FigureWindow, context: SentenceContext) -> str:
    """Return why a range is withheld, in words; empty where the sentence is plain.

    Args:
        said: What was read.
        window: The figure in its sentence.
        context: What the sentences before it speak of, and the names of the company and its parts.
    """
    if doubt := _doubt_of_item(said, window) or doubtful_by_structure(said, window):
        return doubt
    is_turn_plain = context.is_turn_plain and said.item not in context.turn_items
    by_volume = said.amount.per in ("barrel", "gallon", "pound", "ounce") and not said.item.endswith("price")
    is_named = by_volume or is_turn_plain or _words(said.part) <= _words(window.whole)
    if said.is_inherited and not is_named:
        return "only a sentence before says of which part of the company it is"
    if (
        said.part
        and said.item in OF_THE_WHOLE
        and not _words(said.part) <= context.company
        and not _only_narrows(said.part)
    ):
        return f"it may be what {said.part!r} adds to the figure of the whole company"
    of_company = _words(said.part) <= context.company
    if said.part and not (said.is_inherited or by_volume or of_company or _is_name(said, window.whole, context.parts)):
        return f"what {said.part!r} is of the company is not certain"
    clause = _OF_ALL_SEGMENTS.sub(" ", _clause(window))
    if said.item in OF_SEGMENTS and not (said.is_whole or said.part) and _SEGMENT.search(clause):
        return "its sentence speaks of a part of the company too"
    opened = _OPENS_WITH_A_NAME.match(window.text)
    of_name = opened is not None and not (_words(opened["name"]) & context.company or USUAL.fullmatch(opened["name"]))
    if of_name and said.item in OF_SEGMENTS and not (said.is_whole or said.part):
        return "its sentence opens with what may be a part of the company"
    if not said.part and not said.follows_last and _IMPLIED.search(window.lead):
        return "it follows from the sentence before, which may speak of a part of the company"
    if said.amount.is_range and _HALF_OF_RANGE.search(window.left):
        return "it says where in a range the figure is, and not which it is"
    if repeats_what_was_said(window.lead):
        return "it may repeat what was said or expected before"
    mover = _MOVES_AN_ITEM.search(window.lead)
    if mover is not None and not item_mentions(mover["who"]) and item_mentions(window.lead[mover.end() :]):
        return f"it may be what {mover['who']!r} adds to the figure of the whole company"
    if _OF_A_MARKET.search(window.lead):
        return "a market is expected to do it, and not the company"
    if _OTHERS_EXPECT.search(window.lead):
        return "others than the company may expect it"
    adds = said.amount.kind == "count" and _EXPECT_TO_ADD.search(window.left)
    if (_DIFFERENCE.search(window.left) and not adds) or _is_difference(said, window.right, window.clause):
        return "it may be the difference from another figure"
    is_line_of_part = bool(said.part) and said.item in guided_items() and not _only_narrows(said.part)
    known = context.company | _words(f"{said.part} {said.item}")
    of_part = said.part if is_line_of_part else ""
    may_be_of_part = said.item in OF_SEGMENTS and not said.part
    if strangers := _strangers(window, known, of_part, by_adjuncts=may_be_of_part):
        return f"what {strangers[0]!r} has to do with it is not understood"
    return ""


_WE_MEAN = re.compile(r"\bwe (?:\w+ )?(?:expect|intend|plan|anticipate)\b", re.IGNORECASE)
_OPENS_WITH_A_NAME = re.compile(
    r"(?:[Ww]hile|[Aa]lthough|[Tt]hough|[Ss]ince|[Bb]ecause) (?P<name>[A-Z][\w&.\u2019'-]*)(?: [A-Z][\w&.]*){0,3}"
    r" (?:is|are|has|have|was|were)\b"
)
"""A clause about somebody or something with a name, before what is expected."""
_AUTHORISED = re.compile(r"\bauthori[sz](?:ed|es|ation|ations|ing)\b", re.IGNORECASE)
_FROM_LONG_AGO = re.compile(r"[^,;.]{0,30}\b(?:pre-?\s?(?:covid|pandemic)|before the pandemic)\b", re.IGNORECASE)
"""Words that count a growth from before the pandemic."""
_HALF_OF_RANGE = re.compile(
    r"\b(?:upper|lower|top|bottom)[ -](?:half|third|part) of (?:our|the|its) (?:[\w-]+ ){0,3}$", re.IGNORECASE
)
"""Words that place a figure in a part of a range that they name."""
_IMPLIED = re.compile(r"\b(?:this|that|which) (?:would |will )?impl(?:y|ies)\b", re.IGNORECASE)
_OLD_BESIDE = re.compile(
    r"\b(?:compared (?:to|with)|versus|up from|down from|from) (?:our |the )?"
    r"(?:prior|previous|earlier|old|original|initial)[^,;]{0,60}[,;]",
    re.IGNORECASE,
)
"""An old figure that stands beside the new one, set off behind it."""


_MOVES_AN_ITEM = re.compile(
    r"\b(?:expect|anticipate|project|forecast)s? (?P<who>[^,;$%]{2,60}?) to (?:increase|decrease|reduce|lower"
    r"|improve|boost|add|lift)\b"
)
"""Somebody or something that is expected to move an item, which is named behind."""
_EXPECT_TO_ADD = re.compile(r"\b(?:expect|plan|on track|on pace|anticipat\w+) (?:to )?add(?:ing)?\b[^,;]{0,30}$")
_AGAINST = re.compile(
    r"\b(?:versus|vs\.?|compared (?:to|with)|relative to|over|from|year[- ]over[- ]year) ?"
    r"(?:(?:an?|the|last|prior|adjusted|pro forma|levels?|same|first|second|third|fourth) ){0,4}(?:years?\b"
    r"|quarter\b|20\d\d\b|$)",
    re.IGNORECASE,
)
"""Words that say what a change is counted from."""


def repeats_what_was_said(lead: str) -> bool:
    """Tell whether words before a figure speak of what was said before, and not of what is expected now."""
    lead = _OLD_BESIDE.sub(lambda aside: " " * len(aside[0]), lead)
    told = list(_TOLD.finditer(lead))
    return bool(told) and _NOW.search(lead, told[-1].end()) is None


def _is_counted(item: str) -> bool:
    return guided_items()[item].unit in ("shares", "count", "ratio")


def _clause(window: FigureWindow) -> str:
    """Return the words before a figure, and those behind it up to a comma or what else belongs to it."""
    return window.lead + re.split(r"[,;]|\b(?:which|driven|reflecting|including)\b", window.right, maxsplit=1)[0]


def _is_difference(said: SaidRange, behind: str, clause: str) -> bool:
    """Tell whether the words behind a figure say that it is the difference from another one.

    A level that is given `versus our prior range` stands in place of it, and so does a growth before `compared to our
    prior guidance of 5%`.
    """
    if _DIFFERENCE_BEHIND.match(clause):
        return True
    is_level = said.measure == "level" and said.amount.kind != "basis points"
    return _FROM_BEFORE.match(behind) is not None and not (is_level or _OLD_RANGE.match(behind))


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[\w&]+", text.lower()))


def _is_bare(said: SaidRange) -> bool:
    """Tell whether money of an item that is not in the table is so little that it may be counted by share."""
    amount = said.amount
    return amount.kind == "money" and not amount.scaled and not amount.per and abs(amount.high) < 1000


def _is_name(said: SaidRange, sentence: str, parts: frozenset[str]) -> bool:
    """Tell whether words can name a part of a company: with a capital, called a segment, or known to narrow an item.

    What the document calls a segment or a business elsewhere (`parts`) is one wherever it stands.

    Other words before an item may say what is thought of it (`standalone`, `broad-based`) as well as of what it is.
    """
    part = said.part
    words = re.findall(r"[a-z&\u2019'-]+", part.lower())
    if not words or all(word in _NO_NAMES for word in words):
        return False
    first = re.match(r"[A-Z][A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[A-Z]\w+(?=[\u2019']s )", sentence)
    if part.partition(" excluding ")[0] in parts:
        return True
    if all(word in KINDS for word in words):
        return True
    capital = {word.lower() for word in [*_CAPITAL.findall(sentence[1:]), *([first[0]] if first else [])]}
    plain = {re.sub(r"[\u2019']s?$", "", word) for word in capital} | capital
    if any(word in plain for word in words) or part.startswith("excluding"):
        return True
    called = rf"\b{re.escape(words[-1])}(?:[\u2019']s)? (?:segment|business|group|division|operations?|unit)\b"
    named_first = re.match(
        rf"(?:in|for|at|within|with respect to) (?:our |the )?{re.escape(words[0])}\b", sentence, re.I
    )
    if re.search(called, sentence, re.I) or named_first or _only_narrows(part):
        return True
    before = re.search(rf"\b(?P<word>an?|for)(?: (?:the|our))? {re.escape(part)}\b", sentence)
    if before is not None and not (before["word"] == "for" and said.item in OF_SEGMENTS):
        return False  # a kind of it, or what it is for
    return len(words) <= _MOST_WORDS_OF_A_NAME and not any(_SAYS_HOW.fullmatch(word) for word in words)


_MOST_WORDS_OF_A_NAME = 4
_SAYS_HOW = re.compile(
    r"other|others|one|strong|solid|robust|healthy|modest|recent|most|record|own|respective|ongoing|remaining|continuing|growing|underlying"
    r"|improving|increasing|declining|accelerating|sustained|stand-?alone|broad-based|better|worse|higher|lower|larger"
    r"|smaller|greater|good|great|nice|big|small|large|meaningful|significant|elevated|slow|fast|rapid|flat|stable|steady"
    r"|similar|certain|various|several|multiple|double-digit|single-digit|possible|potential|likely|implied|base|real"
    r"|way|words|word|minus|plus|five|six|seven|eight|nine|ten|even|much|very|only|just|here|there|today|past|previous"
    r"|\w+(?:ed|ly|est|ier|ous|ful)"
)
"""Words that say how something is, and not which."""


def _only_narrows(part: str) -> bool:
    """Tell whether the words before an item narrow it and name no part, as in `preferred dividends`."""
    return part.startswith("excluding") or all(
        word in _NARROWING for word in re.findall(r"[a-z&\u2019'-]+", part.lower())
    )


_ADJUNCT = re.compile(r"\b(?:prior to|before|via|related to|under|pursuant to|net of)(?: [\w&\u2019'-]+){0,3} $")
"""Words behind which a name says how or before what something is, and not whose it is."""


def _strangers(window: FigureWindow, company: frozenset[str], part: str, *, by_adjuncts: bool) -> list[str]:
    """Return the names around a figure of which it is not known what they have to do with it.

    What stands before `we expect` is why it is expected. Where the figure is of a part of the company, no other name
    may stand before it at all, unless the part stands with its item in a list: `Gulf sales of A, and Coast sales of B`.
    """
    subject = [match.start() for match in _SUBJECT.finditer(window.lead)]
    in_list = part and re.search(rf"(?<!in )(?<!for )(?<!at )\b{re.escape(part)}\b", window.left, re.IGNORECASE)
    restated = part and part not in window.left.lower() and re.fullmatch(r",? (?:\w+ ){0,5}", window.left)
    if restated:  # the part stands with the figure before
        start = max(0, window.lead.lower().rfind(part))
    else:
        start = 0 if part and not in_list else max(window.before, subject[-1] if subject else 0)
    end = min(window.after, window.amount.end + len(window.clause))
    items = [(one.start, one.end) for one in item_mentions(window.text)]
    found: list[str] = []
    for match in _CAPITAL.finditer(window.text, start, end):
        is_first = not re.search(r"\w", window.text[: match.start()])
        is_item = any(first <= match.start() < last for first, last in items)
        word = re.sub(r"[\u2019']s?$", "", match[0].lower())
        behind = re.match(r" ([A-Z][\w&]*)", window.text[match.end() :])
        known = word in company or set(word.split("-")) <= company or (behind and behind[1].lower() in company)
        adjunct = None if by_adjuncts else _ADJUNCT.search(window.text, 0, match.start())
        if not (is_first or is_item or known or adjunct or USUAL.fullmatch(match[0])):
            found.append(match[0])
    return found
