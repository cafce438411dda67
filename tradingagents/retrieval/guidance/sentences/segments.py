"""Of which segment, product or region a sentence speaks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from tradingagents.retrieval.guidance.guided_items import ItemMention, item_mentions, part_of
from tradingagents.retrieval.guidance.sentences.amounts import read_amounts
from tradingagents.retrieval.guidance.sentences.cues import AHEAD
from tradingagents.retrieval.guidance.sentences.window import FigureWindow

THE_SEGMENT = re.compile(r"\b(?:the|this|that) (?:segment|business|group)(?:[\u2019']s)?\b", re.IGNORECASE)
OF_SEGMENTS = frozenset(
    {"revenue", "operating_income", "operating_margin", "ebitda", "ebitda_loss", "ebitda_margin", "margin"}
)
"""Items that companies guide for by segment: one without a name is of the segment that is spoken of."""
_KINDS_TEXT = """
    recurring subscription subscriptions license licenses service services product products maintenance rental royalty
    advertising membership domestic international wholesale retail online digital hardware software cloud event-driven
    distribution aftermarket equipment closed unallocated premium
"""
KINDS = frozenset(_KINDS_TEXT.split())
"""Words that name a kind of revenue or cost, and never say what is thought of it."""
_PREFIX = re.compile(
    r"^(?:and |so |now,? |next,? |finally,? |additionally,? |lastly,? "
    r"|turning to [^,]{1,40}, )*(?:overall, )?(?:in|for|on|regarding"
    r"|with respect to"
    r"|as for|at|within|turning to|starting with|beginning with)"
    r" (?:the |our )?(?P<words>[^,;:]{2,60}?)(?:[\u2019']s)?(?: (?:segment|business|group|division"
    r"|segments|businesses))?(?:,| segment,| we (?:expect|anticipate|now expect|forecast)\b)",
    re.IGNORECASE,
)
_NEARER = re.compile(
    r"(?:[,;] |\b(?:and|while|but) )(?:and )?(?:in|for|at|within) (?:the |our )?"
    r"(?P<words>[A-Z][\w&.]*(?: (?:&|and|[A-Z][\w&.]*)){0,4})"
)
"""A part that is named behind the one that a sentence begins with: the figures after it are of it."""
_SUFFIX = re.compile(
    r"\b(?:for|in|at|of|from) (?:the |our )(?P<words>[A-Z][\w&./ -]{1,40}?|[\w&./ -]{3,40}?) (?:segment"
    r"|business|group|division)\b",
    re.IGNORECASE,
)
_IN_A_PLACE = re.compile(
    r"(?: (?:full[- ]year|organic|sales|revenue|growth|range|margins?)){0,4} (?:in|from|for|across) (?:our |the )?"
    r"(?P<words>[A-Z][\w&.]*(?: (?:and |& )?[A-Z][\w&.]*){0,3}(?: [a-z]+){0,2}?)(?= products\b|[,.;]|$| and )"
)
"""A region, or a product, right behind a figure: `sales growth of 18% to 20% in China`."""
_OUTLOOK_FOR = re.compile(
    r"\b(?:guidance|outlook|expectations?) for (?:the |our )?(?P<words>(?:(?!to\b)[\w&-]+ ){1,5}?)"
    r"(?:(?:segment|business|group) )?"
    r"(?:of|to be|is)\b",
    re.IGNORECASE,
)
"""What an outlook is for, before its figure."""
_SPEAKS_OF = re.compile(
    r"\b(?:for|in|at|of|from|across) (?:our |(?-i:the (?=[A-Z])))"
    r"(?P<words>[\w&/-]+(?: [\w&/-]+){0,3}) (?:segment|division)\b",
    re.IGNORECASE,
)
"""A part that a sentence speaks of: what follows may be of it."""
_ACTOR = re.compile(
    r"^(?:the |our )?(?P<words>[\w&.,/ -]{2,40}?)(?: segment| business| group| division)?(?:[.,] which [^,]{3,60},)?"
    r" (?:(?:is|are) (?:now |also )?(?:expected|forecast(?:ed)?|projected|anticipated) to|will)"
    r" (?:deliver|have|generate|produce|contribute|grow|achieve)\b",
    re.I,
)
_SOMEBODY = re.compile(
    r"\b(?:is|are) (?:now |also )?(?:expected|forecast(?:ed)?|projected|anticipated) to"
    r" (?:deliver|have|generate|produce|contribute|grow|achieve)\b(?![^,;]*\bwe (?:\w+ )?(?:expect|anticipate)\b)",
    re.IGNORECASE,
)
"""Somebody, whom the sentence may not name in a way that is understood, is expected to do something with an item."""
_INTRODUCED = re.compile(
    r"[A-Z][\w&.]*(?: [A-Z][\w&.]*){0,3} is an? (?:[\w-]+ ){0,3}(?:provider|maker|manufacturer|supplier|producer"
    r"|distributor|designer|developer|operator|company|business|leader)\b"
)
"""Somebody who is introduced, such as a company that is bought."""
_EXPECTED_OF = re.compile(
    r"\b(?:expect|expecting|anticipate|project"
    r"|see) (?P<words>(?:the )?[A-Z][\w\u2019'&.]*(?: [A-Z][\w\u2019'&.]*| and){0,4})\s+to"
    r" (?:deliver|have|generate|reach|become|contribute|produce|exceed|grow)\b"
)
_NO_PART = re.compile(
    r"\b(?:addition|summation|response|light|spite|view|order|support|accordance|summary|total|closing"
    r"|terms?|aggregate|line|quarter|year|modeling|fiscal|guidance|outlook|20\d\d|example|remainder|rest"
    r"|balance|context|reminder|general|fact|particular|half|q[1-4]|fy|march|june|september|december"
    r"|consolidated|companywide|company|now"
    r"|modelling|scenario|momentum|purposes|contrast|conclusion|short|comparison|basis|rtx level"
    r"|enterprise|p&l|expense|expenses|side|profitability"
    r"|average|top|slide|page|perspective|sentence|work|front|allocation|network|interim|meantime|term|teams?|efforts?|results?|call|performance|today|month"
    r"|time|distance|the p&l"
    r"|what|these|those|prices?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class NamedPart:
    """Which part of the company a figure is of."""

    words: str
    """In lower case; empty for the company."""
    turns_to: str = ""
    """What the sentence names apart from the item, of which the next ones go on to speak."""
    is_inherited: bool = False
    """Whether only a sentence before names it."""


def part_of_range(window: FigureWindow, mention: ItemMention, subject: str) -> NamedPart | None:
    """Return what a figure is of; None where it is of a part that no sentence names.

    Args:
        window: The figure.
        mention: Its item.
        subject: The segment that the sentences before speak of; empty for the company.
    """
    is_whole = is_of_the_whole(window, mention)
    told = "" if mention.part or is_whole else _part_before(window, mention) or _part_of_sentence(window, mention)
    part = mention.part or told
    owner = _whose(window, mention)
    if owner == "":
        return None
    if not (part or is_whole):
        part = _place_behind(window, mention)
    part = part if owner and owner in part else f"{owner or ''} {part}".strip()
    near = window.left[-80:].rsplit(",", maxsplit=1)[-1] + window.right[:40]
    near = window.left if part == "segment" else near
    refers = part in ("", subject, "segment") and THE_SEGMENT.search(near) is not None
    of_segment = part == "segment" and mention.key not in ("operating_margin", "operating_income")
    by_volume = window.amount.per in ("barrel", "gallon", "pound", "ounce") and not part
    by_volume = by_volume and not mention.key.endswith("price")
    unnamed = bool(subject) and not part and mention.key in OF_SEGMENTS and not is_whole
    if refers or of_segment or by_volume or unnamed:
        return NamedPart(subject, told, is_inherited=True) if subject else None
    return None if mention.key == "margin" and not part else NamedPart(part, told)


def is_of_the_whole(window: FigureWindow, mention: ItemMention) -> bool:
    """Tell whether the words of an item say that it is of the whole company."""
    words = window.text[max(window.before, mention.phrase_start - 25) : mention.end]
    return (
        re.search(r"\b(?:consolidated|total company|overall|companywide|company-wide|total)\b", words, re.IGNORECASE)
        is not None
    )


def _place_behind(window: FigureWindow, mention: ItemMention) -> str:
    """Return the region or the product right behind a figure, of which the next sentences do not go on to speak."""
    place = _IN_A_PLACE.match(window.text, window.amount.end) if mention.key in OF_SEGMENTS else None
    return _as_part(place["words"]) if place is not None and not USUAL.fullmatch(place["words"].split()[0]) else ""


def _part_before(window: FigureWindow, mention: ItemMention) -> str:
    """Return of what the sentence named the item before, as in `FPL's capex was …, and we expect our capex to be …`."""
    before = item_mentions(window.text[: mention.phrase_start])
    owned = (
        one for one in before if re.search(r"[A-Z][^,]{0,120}[\u2019']s ", window.text[one.phrase_start : one.start])
    )
    return next((one.part for one in owned if one.key == mention.key), "")


def _whose(window: FigureWindow, mention: ItemMention) -> str | None:
    """Return whom `its` means before an item: the owner that the sentence begins with; None without `its`."""
    if not re.search(
        r"\b(?:its|their) (?:[\w-]+ ){0,3}$", window.text[max(0, mention.phrase_start - 30) : mention.start]
    ):
        return None
    owner = re.match(r"(?:[^,]{3,40}, )?(?:the )?(?P<words>[A-Z][\w&. ]{1,30}?)[\u2019']s? ", window.text)
    return part_of(owner["words"]) if owner else ""


def is_of_others(window: FigureWindow, mention: ItemMention) -> bool:
    """Tell whether a sentence says what others than the company will do, whom it does not name."""
    if _INTRODUCED.match(window.text):
        return True
    actor = _ACTOR.match(window.text)
    if actor is None and _SOMEBODY.search(window.text, 0, min(window.amount.start, mention.start)):
        return True
    if actor is None or actor.end() > min(window.amount.start, mention.start) or _as_part(actor["words"]):
        return False
    return (
        re.search(r"\b(?:we|company|it|20\d\d|fiscal|year|quarter|guidance|outlook)\b", actor["words"], re.IGNORECASE)
        is None
    )


def left_out(window: FigureWindow, mention: ItemMention) -> str:
    """Return what the item leaves out, as in `core FFO, excluding promotes`."""
    apart = re.match(r",? (?:excluding|ex) (?P<words>[\w -]{3,30}?)(?:,|$| will| to)", window.whole[mention.end :])
    if apart is None:
        apart = re.match(r"(?:and )?excluding (?P<words>[^,]{3,60}),", window.text, re.IGNORECASE)
    return f"excluding {apart['words']}" if apart and not re.search(r"impact|effect|items?\b", apart["words"]) else ""


def _part_of_sentence(window: FigureWindow, mention: ItemMention) -> str:
    """Return the segment that the sentence names outside of the item's own words; empty for the company."""
    prefix = _PREFIX.match(window.text)
    if prefix is not None and prefix.end("words") < window.amount.start:
        found = _as_part(prefix["words"])
        nearer = [
            _as_part(one["words"]) for one in _NEARER.finditer(window.text, prefix.end("words"), window.amount.start)
        ]
        if found:
            return next((part for part in reversed(nearer) if part), found)
    outlook = _OUTLOOK_FOR.search(window.left)
    if (
        outlook is not None
        and mention.is_known
        and not item_mentions(outlook["words"])
        and (found := _as_part(outlook["words"].strip()))
    ):
        return found
    actor = _ACTOR.match(window.text)
    if actor is not None and actor.end() < min(window.amount.start, mention.start):
        found = _as_part(actor["words"])
        if found:
            return found
    expected = _EXPECTED_OF.search(window.text)
    if expected is not None and expected.end() < window.amount.start:
        found = _as_part(expected["words"])
        if found:
            return found
    for suffix in _SUFFIX.finditer(window.text):
        found = _as_part(suffix["words"])
        between = window.text[window.amount.end : suffix.start()]
        if found and window.before <= suffix.start() and len(between) < _SUFFIX_NEAR and not _ANOTHER.search(between):
            return found
    return ""


def _as_part(words: str) -> str:
    """Return words as the name of a segment; empty where they are a period, an item or a turn of speech."""
    words = re.sub(r"(?:,? (?:in|for) )?(?:fiscal (?:year )?)?(?:20\d\d|[\u2018\u2019']\d\d)$", "", words)
    named = item_mentions(words)
    if (
        _NO_PART.search(words)
        or _DOES.match(words)
        or "[" in words
        or (named and named[-1].end == len(words))
        or read_amounts(words)
        or len(words.split()) > 7
    ):
        return ""
    return part_of(words)


_DOES = re.compile(r"\w+ing (?:you|our|your|us|it|them|these|those|this|that|out|up|ahead|forward)\b", re.IGNORECASE)
"""What is done, such as `helping you build`, and no part."""
_SUFFIX_NEAR = 130
_ANOTHER = re.compile(r"\b(?:with|while|driven|including|led|due|where|as)\b|[;%$]")
"""Words between a figure and a part behind it that begin to speak of something else."""
_CALLED = re.compile(
    r"\b(?:our|the|in|for|and) (?P<words>(?:[A-Za-z][\w&-]* ){1,4}?)(?:segments?|business(?:es)?|divisions?|group)\b"
)


def called_parts(text: str) -> frozenset[str]:
    """Return what a document calls a segment, a business, a division or a group, in lower case."""
    names = {_as_part(match["words"].strip()) for match in _CALLED.finditer(text)}
    return frozenset(name for name in names if name and len(name) > 3 and not _PLAIN_WORDS.search(name))


_PLAIN_WORDS = re.compile(
    r"\b(?:other|new|whole|each|all|both|one|two|three|four|five|strong|great|best|same|such|any|every|own|overall|good"
    r"|healthy|resilient|remaining|entire|respective|different|various|several|existing|legacy|operating|reporting"
    r"|reportable|customer|customers|way|how|growing|growth|small|large|larger|smaller|high|low|core|base|global)\b"
)
"""Words that say of a business how it is, and not which."""


class SegmentTurn(NamedTuple):
    """To what a sentence turns."""

    words: str
    """The segment, in lower case; empty for the whole company."""
    is_plain: bool
    """Whether it is called a segment, or figures of it stand in the sentence: what follows is of it."""


def segment_of(text: str) -> SegmentTurn | None:
    """Return the segment, or the whole company, to which a sentence turns; None where to neither."""
    if _OF_ALL.search(text) or _turns_to_guidance(text):
        return SegmentTurn("", is_plain=True)
    turned = _TURNED.search(text)
    if turned is not None:
        words = _as_part(turned["words"])
        return SegmentTurn(words, is_plain=True) if words else None
    alone = _TOPIC_ALONE.fullmatch(text)
    if alone is not None and not item_mentions(text) and (words := _as_part(alone["words"])):
        return SegmentTurn(words, is_plain=False)
    topic = _TURNS_TO_TOPIC.match(text)
    if topic is not None and _OF_THE_WHOLE.match(topic["words"]) and AHEAD.search(text, topic.end()):
        return SegmentTurn("", is_plain=True)
    if topic is not None and topic.end() >= len(text) - 1 and (words := _as_part(topic["words"])):
        return SegmentTurn(words, is_plain=False)
    opened = _PREFIX.match(text)
    if opened is None or not re.match(r"[A-Z][a-z]", opened["words"].removeprefix("the ").removeprefix("our ")):
        spoken = _SPEAKS_OF.search(text)
        words = _as_part(spoken["words"]) if spoken is not None else ""
        return SegmentTurn(words, is_plain=False) if words else None
    words = _as_part(opened["words"])
    if not words or not read_amounts(text):
        return None
    items = [one for one in item_mentions(text) if one.key in OF_SEGMENTS and not one.part]
    return SegmentTurn(words, is_plain=any(one.start - opened.end() < _NEAR_HEAD for one in items))


def _turns_to_guidance(text: str) -> bool:
    """Tell whether a sentence is a heading of guidance that names no part of the company."""
    if not _GUIDANCE_HEAD.search(text) or _PARTS.search(text) or read_amounts(text):
        return False
    capitals = [match for match in _CAPITALS.finditer(text) if re.search(r"\w", text[: match.start()])]
    return all(USUAL.fullmatch(match[0]) for match in capitals)


_OF_ALL = re.compile(
    r"\b(?:consolidated|total[- ]company|companywide|company-wide|overall,|all together|in summary|enterprise)\b",
    re.IGNORECASE,
)
_TURNED = re.compile(
    r"(?:\bwith respect to (?:the |our )?|^our |\b(?:turning|moving|move|turn|starting)(?: now| next)? (?:on "
    r"|onto )?(?:to"
    r"|with)? ?(?:the |our )?|\bshows? (?:our|the) (?:forecast|outlook) for (?:the |our )?|^in (?:the )?"
    r"|^for (?:the )?"
    r"|^at )(?P<words>[\w&.,/ -]{2,50}?) (?:segment|business|group|division|operations?|unit|sector)\b",
    re.IGNORECASE,
)
_TURNS_TO_TOPIC = re.compile(
    r"(?:and |now,? |so |next,? |finally,? )*(?:turning|moving|shifting|looking|switching|going)"
    r"(?: (?:now|on|over|ahead|next))* (?:to|at|into|through) (?:the |our )?(?P<words>[^,;:]{2,60})(?=[,;:.])",
    re.IGNORECASE,
)
"""A sentence that turns to something: to a part of the company, or to a period or the accounts of the whole one."""
_TOPIC_ALONE = re.compile(
    r"(?:(?:and|now|so|next|then|finally|lastly|first|second|third),? ){1,3}(?:to |on |for )?(?:our |the )?"
    r"(?P<words>(?!\w+ing\b)[A-Za-z][\w&\u2019'-]*(?: (?:and |& )?[\w&\u2019'-]+){0,3})[.:]",
    re.IGNORECASE,
)
"""A sentence that is nothing but a topic: `And finally, clean energy.`"""
_OF_THE_WHOLE = re.compile(
    r"(?:(?:full[- ]year|fiscal|first|second|third|fourth|next|quarter|year|balance|rest|remainder|of|the|q[1-4]"
    r"|20\d\d)\b ?){1,8}$|p&l\b|(?:financial |business )?(?:guidance|outlook)\b",
    re.IGNORECASE,
)
_GUIDANCE_HEAD = re.compile(
    r"\b(?:turn|turning|move|moving|shift\w*|let me|let[\u2019']s|walk|cover|review|look|looking|provide"
    r"|discuss|close"
    r"|conclude|finish|now|finally|here)\b.{0,60}\b(?:guidance|outlook|expectations? for|assumptions)\b"
    r"|^(?:and )?(?:turning|moving|looking) (?:on )?(?:to|ahead|forward)\b.{0,40}"
    r"\b(?:guidance|outlook|20\d\d"
    r"|quarter)\b",
    re.IGNORECASE,
)
"""A sentence such as `Now let me cover our outlook for 2021.`"""
_CAPITALS = re.compile(r"\b[A-Z][\w&\u2019'-]*")
_NEAR_HEAD = 40
"""Characters behind the name of a segment within which an item is of it."""
USUAL = re.compile(
    r"(?:We|Our|The|I(?:[\u2019'](?:d|m|ll|ve))?|US|U|S|IT|More|GAAP|Non|NON|EPS|EBITDA|SG&A|R&D|G&A|DD&A|D&A|OI&E|FX|COGS"
    r"|P&L|FFO|AFFO|NOI|ROIC|ROCE|NII"
    r"|FCF|CFO|CAPEX"
    r"|Cap[eE]x|Op[eE]x|FY\w*|CY\w*|H[12]|Q[1-4](?:2\d)?|January|February|March|April|May|June|July|August|September|October"
    r"|November|December|Fiscal|Full|Year|Adjusted|Core|Domestic|Net|Revenues?|Sales|Total|Operating|Gross|Free"
    r"|Cash|Capital"
    r"|Company|Guidance|Outlook|Board|BOEs?|Boes?[\u2019']?|MBoe|Bcfe?|MMcfe?|Mcfe?|HBR|MLR|USD|EUR|GBP|JPY|Diluted|Non-GAAP|LIFO|FIFO|COVID(?:-19)?)(?:[\u2019']s)?"
)
"""Words with a capital that name nobody."""
_TURNS = re.compile(
    r"\b(?:turning|moving|shifting|starting|beginning|switching|going)(?: now| next| over)?(?: on)? (?:to|with)"
    r" (?:the |our )?"
    r"(?P<word>[A-Z][\w&]+)"
)
_CAPITAL = re.compile(r"[A-Z][a-z&A-Z]")


_PARTS = re.compile(r"\b(?:segments?|sectors?|divisions?|businesses|business unit)\b", re.IGNORECASE)


_SUBJECT_ENDS = 90
"""Characters within which a sentence says what it is about."""


def speaks_of_a_part(text: str) -> bool:
    """Tell whether a sentence turns to a segment, product or region, or names an item of one."""
    turned = _TURNS.search(text)
    if turned is not None and not item_mentions(turned["word"]) and not _NO_PART.search(turned["word"]):
        return True
    if _PARTS.search(text[:_SUBJECT_ENDS]):
        return True
    for mention in item_mentions(text):
        if mention.start > _SUBJECT_ENDS:
            break
        words = text[mention.phrase_start : mention.start]
        if KINDS.issuperset(mention.part.split()):
            continue
        named = any(_CAPITAL.match(word) and word.lower() in mention.part for word in words.split())
        if mention.part and (named or mention.phrase_start == 0):
            return True
    return False
