"""Items outside of the table, in the speaker's own words: `net promote income`, `development starts`, `remodels`.

An item is a noun phrase in one of four places that leave no doubt of what the figure is:

- the subject of the words that lead to the figure: `net promote income is expected to be FIGURE`
- what is expected, before them: `we expect development starts of FIGURE`, `we expect dispositions to total FIGURE`
- what is counted or paid, right behind it: `we expect to finish about FIGURE remodels`
- what money goes into: `we expect to spend FIGURE in marketing`
"""

from __future__ import annotations

import re

from tradingagents.retrieval.guidance.guided_items import ItemMention, item_mentions, part_of
from tradingagents.retrieval.guidance.sentences.subordinate import ASIDE, EFFECT
from tradingagents.retrieval.guidance.sentences.window import FigureWindow

_FILL = (
    r"(?:(?:an?|the|about|approximately|roughly|around|nearly|at|at least|more than|over|up to|between|in|within|from"
    r"|range|ranges|of|now|still|only|just|our|new|midpoint|somewhere|another|minimum|total|each|some|by|up|down"
    r"|slightly above|slightly below"
    r"|flat|elevated|limited|increase|income|back|plus|negative|positive|less than|as much as|high|low|end|mid|as"
    r"|low(?:er)? half|upper|following|for us|again|also|least|more|than)\s+){0,8}"
)
_LINK = (
    r"(?:be|range|total|average|remain|stay|approximate|reach|exceed|equal|come in|run|fall|drop|rise|grow|increase"
    r"|decrease|decline|climb|expand|contract|represent|comprise|end|account for|go|move|land|amount to|hit|improve)"
)
_OUGHT = r"(?:will|should|would)(?: (?:now|still|also|likely|again|then|continue to))?"
_EXPECTED = (
    r"(?:is|are|remains?) (?:(?:now|still|also|currently) )?(?:expected|forecast(?:ed)?|anticipated|projected"
    r"|estimated"
    r"|planned|targeted|guided|on track|on pace) to"
)
_ANCHOR = re.compile(
    rf"(?:\b(?:{_OUGHT}|{_EXPECTED}|to) (?:(?:now|still|also|continue to) )?{_LINK}|\bof|\bat|\bis|\bare|\bin)\s+"
    rf"{_FILL}$",
    re.IGNORECASE,
)
"""The words that lead from an item to its figure."""
_EXPECT = (
    r"(?:expect(?:s|ing)?|anticipat(?:e|es|ing)|project(?:s|ing)?|forecast(?:s|ing)?|estimat(?:e|es|ing)"
    r"|target(?:s|ing)?"
    r"|plan(?:s|ning)? (?:for|on)|guid(?:e|es|ing) (?:to|for)|assum(?:e|es|ing)|see|seeing|model(?:ing)?|looking for"
    r"|outlook for|guidance for|guidance of|forecast for|expectation for|expectations for)"
)
_AFTER_EXPECT = re.compile(rf"\b{_EXPECT} (?P<words>(?:[^,;:$%\s]+\s+){{1,16}})$", re.IGNORECASE)
_SUBJECT = re.compile(
    rf"(?:^|[,;:] |\b(?:and|that|so|while|but) )(?P<words>[^,;:$%]{{3,90}}?) (?:{_OUGHT}|{_EXPECTED}) "
    rf"(?:(?:now|still|also|continue to) )?{_LINK}\s+{_FILL}$",
    re.IGNORECASE,
)
_TO_LINK = re.compile(
    rf"(?P<words>.+?)(?: (?:to|{_OUGHT}) (?:(?:now|still|also|continue to) )?{_LINK}| of| between| at| in)\s+{_FILL}$",
    re.IGNORECASE,
)
_TO_DO = re.compile(r"to (?!(?:have|see|generate|deliver|achieve|be)\b)\w", re.IGNORECASE)
"""What is expected to be done, which is no item."""
_DOES = re.compile(
    rf"\b(?:{_EXPECT}|expect(?:s|ing)? to|plan(?:s|ning)? to|on (?:track|pace) to|will|anticipat(?:e|es|ing)"
    rf"|intend(?:s|ing)? to"
    r"|(?:our|the) (?:current )?(?:estimate|expectation|forecast|target) is"
    rf"|expected to|forecast(?:ed)? to|projected to|planned to)(?: (?:now|still|also|to))?"
    r"(?: (?:see|open|have|ship|make|finish|incur|record|complete|contribute|add|launch|build|deliver|produce"
    r"|receive|pay"
    r"|generate|achieve|issue|realize|recognize|close|start|sell|acquire|install|hire|remodel|convert|host|operate"
    r"|capture|book))?"
    r"\s+(?:(?:an?|about|approximately|roughly|around|nearly|at least|more than|over|up to|between|another|some"
    r"|as many as"
    r"|only|just|total|of|estimated)\s+){0,4}$",
    re.IGNORECASE,
)
_MOVES_BY = re.compile(
    r"\b(?:increas|rais|lower|reduc|decreas)(?:ing|ed) (?:the midpoint (?:for|of) )?(?P<words>[^,;:$%]{3,80}?)"
    r"(?:, [^,;$%]{3,40})? by (?:about |approximately )?$",
    re.IGNORECASE,
)
_TO_NEW = re.compile(
    r",? (?:to|with|and now (?:expect|range)|and (?:we )?now expect)"
    r"(?: (?:now|a|an|the|new|midpoint|range|of|between|about|approximately))*\s+",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"\b(?:open|ship|sell|close|start|launch|build|finish|acquire|install|hire|remodel|convert|issue|contribute"
    r"|receive|pay)\b",
    re.IGNORECASE,
)
"""What is done with what a figure counts: restaurants that open are not those that there are."""
_GOES_ON = re.compile(r" ?(?:and|or|related|associated)\b", re.IGNORECASE)
"""Words behind which a name goes on that cannot be read to its end."""
_INTO = re.compile(r"\b(?:spend|invest)(?:ing)? (?:(?:an?|about|approximately|roughly|around|nearly|at least"
    r"|more than|over"
    r"|up to|between|another|some|total|of|additional)\s+){0,4}$", re.IGNORECASE)  # fmt: skip
_WORDS_BEHIND = re.compile(
    r"^ (?:(?:of|in|worth of) )?(?:our |the |total |additional )?"
    r"(?P<words>(?:(?!(?:in|for|by|from|on|at|to|during|this|next|over|versus|compared|as|with|which|and|or|up"
    r"|down|per|of"
    r"|than|that|across|through|each|is|are|will|was|we|between|before|after|annually|within|including"
    r"|excluding|while"
    r"|related|associated|due|because|when|including|depending|if|relative)\b)[A-Za-z][\w&\u2019'/-]*(?: |$"
    r"|(?=[,.;])))"
    r"{1,6})(?P<of>of (?!20\d\d|this|the |fiscal|which|our )[\w-]+)?",
    re.IGNORECASE,
)
_INTO_BEHIND = re.compile(
    r"^ (?:in|on) (?:our |the )?(?P<words>(?:(?!(?:in|for|by|from|on|at|to|during|this|next|over|as|with|which"
    r"|and|across"
    r"|per|20\d\d|fiscal|20)\b)[A-Za-z][\w&\u2019'/-]*(?: |$|(?=[,.;]))){1,4})",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"^(?:(?:our|the|its|their|an?|total|overall|consolidated|full[- ]year|full|year|annual|quarterly|first"
    r"|second|third"
    r"|fourth|quarter|half|fiscal|calendar|company|for|in|20\d\d|[\u2018\u2019']\d\d|q[1-4]|fy\d*|to|have|see|that|so"
    r"|and|then|also|now|still|adjusted|non-gaap|gaap|expected|anticipated|projected|estimated|back|this"
    r"|year[\u2019']s"
    r"|next|roughly|about|approximately|generate|deliver|achieve|be|as well as|both|continue"
    r"|continued|be|is"
    r"|are|range|midpoint|guidance|finally|lastly|additionally|average(?= of)|all)\s+)+",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    r"(?: (?:for|in|during|over|at|on|across|attributable|associated|related|under|within|throughout"
    r"|including|excluding|net|before|after|to|as|with|by|via|this|next|both|each|now|still|also|again|guidance"
    r"|outlook|forecast"
    r"|range|per share|expectations?|growth|20\d\d)(?: .*)?)$",
    re.IGNORECASE,
)
_FORBIDDEN = re.compile(
    r"\b(?:we|i|you|they|he|she|it|us|them|that|which|who|what|this|these|those|there|if|when|because|since|as"
    r"|than|not|no"
    r"|is|are|was|were|be|been|being|am|do|does|did|has|have|had|will|would|should|could|may|might|can"
    r"|expect\w*|anticipat\w*|project(?:s|ed|ing)?|forecast\w*|estimat\w+|believe|think|see|plan|planned|guid\w+"
    r"|outlook|range|midpoint|further|another|more|less|most|each|every|about|approximately|roughly|around|let|lets"
    r"|year|quarter|half|assumptions?|month|day|time|level|levels|rest|remainder|end|ends|low|high|part|portion|number|numbers"
    r"|amount|percentage|percent|rate|growth|increase|decrease|decline|improvement|expansion|contraction|reduction|change|changes"
    r"|results?|performance|business|businesses|company|companies|team|teams|point|points|basis|million|billion"
    r"|dollars?|bonus(?:es)?|salar(?:y|ies)|compensation|awards?|severance|opportunity|fees? payable"
    r"|recognize|allocation|options|vest|eligibility"
    r"|and|or|but|so|to|with|while|both|thing|way|order|line|view|lot|bit|kind|sort|total|balance|share|shares"
    r"|additional|incremental|current|benefits?|headwinds?|tailwinds?|impacts?|effects?|contributions?|industry"
    r"|market|demand"
    r"|gdp|economy|inflation|capacity|customers?|people|employees?|consensus|investors?)$",
    re.IGNORECASE,
)
"""What a phrase may not end with: it names no item, or says that the figure is a part of another one."""
_NEVER = re.compile(
    r"\b(?:we|i|you|they|it|that|which|who|what|if|when|because|than|is|are|was|were|been|has|had|will|would"
    r"|should|could|may"
    r"|might|can|expect\w*|anticipat\w*|forecast\w*|believe|think|let|versus|compared|approximately|roughly|assumes?|contemplates?|something|anything"
    r"|industry|market"
    r"|gdp|consensus|inflation|incremental|additional|additionally|another|extra|further|midpoint|savings?|cagr"
    r"|annualized"
    r"|(?:upper|lower|high|low|top|bottom|higher)[ -]end|half|sell|street|economy|unemployment|dilution"
    r"|accretion|remaining|rest|prior|previous|original)\b|\d",
    re.IGNORECASE,
)
_LIST_HEAD = re.compile(
    rf"\b{_EXPECT} (?P<words>[^,;:$%]{{3,80}}?)(?: to {_LINK}\b[^,;$%]*| (?:as follows|of|by \w+)(?: [^,;$%]*)?)$",
    re.IGNORECASE,
)
_ENTRY = re.compile(
    r"(?:^|[;,:]|\band) ?(?:and )?(?P<name>[A-Z][\w&\u2019'-]*(?: (?:and |& )?[A-Z][\w&\u2019'-]*){0,4}) "
    r"(?:at|of|to be|between|,)? ?(?:approximately |about |roughly )?$"
)
_MOST_WORDS = 8


def words_before_link(between: str) -> str | None:
    """Return what words between an item and a figure say more of the item; None where they do not lead to the figure.

    Such as `attributable to Acme for 2021` of ` attributable to Acme for 2021 to be approximately `: no comma, no
    figure, no other verb. What more is said tells of which part of the item the figure is.
    """
    anchor = _ANCHOR.search(between)
    if anchor is None:
        return None
    more = between[: anchor.start()].strip()
    if not more:
        return ""
    if _LEFT_OUT.fullmatch(more):
        return ""
    leads = len(more.split()) <= _MOST_WORDS and _MORE.fullmatch(more) is not None and not _NEVER_MORE.search(more)
    return more if leads else None


_MORE = re.compile(
    r"(?:(?:attributable to|across|for|in|from|of|at|on|related to|associated with|during|per|excluding"
    r"|including|before)"
    r" [^,;:$%()]{2,60}|(?:guidance|outlook|forecast|range|expectations?|rate|expenses?"
    r"|growth)(?: for [^,;:$%()]{2,60})?)",
    re.IGNORECASE,
)
_LEFT_OUT = re.compile(
    r"(?:excluding|before|prior to|net of|exclusive of) (?:(?!\b(?:we|it|they|that|which|is|are|was|were|will|would"
    r"|should|to)\b)[^;:$%()\d]){2,200}",
    re.IGNORECASE,
)
"""What an item is told to leave out: it stays the item, however long the list is."""
_NEVER_MORE = re.compile(
    r"\b(?:we|it|they|that|which|who|is|are|was|were|will|would|should|could|and|or|but|as|than|if|when|while"
    r"|increase\w*"
    r"|decrease\w*|grow\w*|declin\w*|driven|due|offset|impact\w*|benefit\w*|savings?|synerg\w+)\b"
    r"|\d(?<!20\d\d)(?<!20\d)(?<!20)(?<!2)",
    re.IGNORECASE,
)


def own_item(window: FigureWindow) -> ItemMention | None:
    """Return the item that a sentence names in words of its own; None where none of the four places holds one."""
    listed = _listed(window)
    if listed is not None:
        return listed
    if window.amount.kind == "points" or ASIDE.search(window.left):
        return None
    words = _moved(window) or _before(window) or _behind(window)
    if words is None:
        return None
    name, start = words
    return ItemMention(name, "", start, start, start, is_known=False)


def _listed(window: FigureWindow) -> ItemMention | None:
    """Return an entry of a list behind a colon: `we expect volumes to fall within these ranges: Gulf Coast at A; …`."""
    entry = _ENTRY.search(window.left)
    head = _LIST_HEAD.search(window.lead.partition(":")[0]) if entry is not None else None
    if entry is None or head is None or _FORBIDDEN.search(entry["name"]):
        return None
    start = window.before + entry.start("name")
    named = item_mentions(head["words"])
    if named and named[-1].end == len(head["words"]):
        return ItemMention(named[-1].key, entry["name"].lower(), start, start, start)
    name = item_words(head["words"])
    return ItemMention(name, entry["name"].lower(), start, start, start, is_known=False) if name else None


def _moved(window: FigureWindow) -> tuple[str, int] | None:
    """Return the item that is moved by the figure before, as in `increasing development starts by A to B`."""
    if window.last is None or not _TO_NEW.fullmatch(window.left):
        return None
    moved = _MOVES_BY.search(window.text[: window.last.start])
    name = item_words(moved["words"]) if moved is not None else ""
    return (name, moved.start("words")) if moved is not None and name else None


def _before(window: FigureWindow) -> tuple[str, int] | None:
    """Return the item before a figure and where its words begin."""
    left = window.left
    expected = list(_AFTER_EXPECT.finditer(left))
    for match in reversed(expected):
        linked = _TO_LINK.fullmatch(match["words"])
        is_done = _TO_DO.match(match["words"]) is not None
        if linked is not None and not is_done and (name := item_words(linked["words"])):
            return name, window.before + match.start("words")
    subject = _SUBJECT.search(left)
    if subject is not None and EFFECT.search(left[left.rfind(",", 0, subject.start()) + 1 : subject.start()]):
        return None  # the second half of what an effect comes from
    if subject is not None and (name := item_words(subject["words"])):
        return name, window.before + subject.start("words")
    return None


def _behind(window: FigureWindow) -> tuple[str, int] | None:
    """Return the item right behind a figure, with what is done with it, and where its words begin."""
    if window.amount.kind == "percent":
        return None
    left = window.left
    into = _INTO_BEHIND.match(window.right) if window.amount.kind == "money" and _INTO.search(left) else None
    does = _DOES.search(left)
    match = into or (_WORDS_BEHIND.match(window.right) if does else None)
    if match is None or _GOES_ON.match(window.right[match.end() :]):
        return None
    counted = match["words"] + ((match["of"] or "") if into is None else "")
    name = item_words(counted)
    done = _DONE.search(does[0]) if does is not None and into is None else None
    words = f"{done[0].lower()} {name}" if done is not None and name else name
    return (words, window.amount.end + match.start("words")) if words else None


def item_words(words: str) -> str:
    """Return the words of an item without those of a period, an article or a basis; empty where they name none."""
    name = _LEADING.sub("", words.strip() + " ").strip()
    name = _TRAILING.sub("", name).strip(" .")
    if not re.search(r"[A-Za-z]{3}", name) or len(name.split()) > _MOST_WORDS:
        return ""
    if _FORBIDDEN.search(name) or _NEVER.search(name) or EFFECT.search(name):
        return ""
    if not part_of(name):
        return ""  # words that may stand before any item: `organic growth` names none
    mentions = item_mentions(name)
    if mentions and mentions[-1].end == len(name):
        return ""  # an item of the table, of which a figure of this kind is none
    return name.lower()
