"""The item of a figure by the structure of its sentence, where none of the closer readings finds it.

A figure is of the noun phrase that governs it: the one before it, where only words that link (`is expected to be`,
`of`, `up`, the period) stand between; or the one behind it, where a verb or a preposition stands before it (`with`,
`we expect to open FIGURE new stores`). The head of the phrase says what it is: an item of the table, or one of the
nouns that can be guided to (`HEADS`), under its own words. What narrows it, as in `revenue from Acme`, is its part.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tradingagents.retrieval.guidance.guided_items import ItemMention, guided_items, item_mentions, part_of
from tradingagents.retrieval.guidance.periods import PERIOD_MENTION
from tradingagents.retrieval.guidance.sentences.cues import AHEAD
from tradingagents.retrieval.guidance.sentences.measure import is_growth
from tradingagents.retrieval.guidance.sentences.named_item import LINKS, fits
from tradingagents.retrieval.guidance.sentences.own_items import item_words
from tradingagents.retrieval.guidance.sentences.subordinate import EFFECT
from tradingagents.retrieval.guidance.sentences.window import FigureWindow

_HEADS_TEXT = """
    sales revenue revenues income earnings profit profits ebit margin margins cost costs expense expenses charges
    spending spend investment investments payments contributions proceeds cash debt liquidity leverage inventory
    inventories receivables provision provisions premiums fees rent rents price prices yield yields rate rates ratio
    volume volumes units shipments deliveries closings openings closures starts stores restaurants locations homes
    hotels rooms clinics branches centers communities units lots rigs wells turbines members subscribers
    customers accounts users patients vaccines tests placements installations additions adds hires orders bookings
    billings backlog capacity production output throughput occupancy utilization enrollment loans deposits balances
    assets amortization depreciation accretion interest taxes dividends buybacks repurchases acquisitions dispositions
    dispositions sales retention penetration conversion turns growth aircraft vehicles truckloads tonnage
    launches remodels relocations renovations count counts census limitations
    obligations commitments funding financing maturities redemptions issuance pensions compensation
"""
HEADS = frozenset(_HEADS_TEXT.split())
"""Nouns that can be guided to: the last word of an item in a speaker's own words is one of them."""
_OF_AN_OUTLOOK_TEXT = """
    guidance guide outlook forecast expectation expectations target targets estimate estimates range ranges plan
    plans budget assumption assumptions projection projections number figure level levels total run-rate goal view
"""
_OF_AN_OUTLOOK = frozenset(_OF_AN_OUTLOOK_TEXT.split())
"""Nouns for what is expected, which stand behind the item, or before it with `for`, `of` or `on`."""
_BEHIND_A_HEAD_TEXT = """
    growth rate rates ratio percentage amount line per share
"""
_BEHIND_A_HEAD = _OF_AN_OUTLOOK | frozenset(_BEHIND_A_HEAD_TEXT.split())
"""Words that may stand behind the head of an item and change nothing of it."""
_MOVES_TEXT = """
    increase decrease decline contraction expansion improvement reduction
"""
_MOVES = frozenset(_MOVES_TEXT.split())
_PREPOSITIONS = (
    "of|in|for|from|at|on|to|across|within|per|by|with|before|after|excluding|including|under|through|related to"
    "|associated with|attributable to|relating to|over|during|against|among|between|as|net of"
)
_RATES_TEXT = """
    margin margins rate rates ratio yield yields occupancy utilization retention penetration conversion leverage
    share mix
"""
_RATES = frozenset(_RATES_TEXT.split())
"""Nouns of which a percentage is a figure itself and no growth."""
_ALONE_TEXT = """
    liquidity inventory inventories deliveries shipments openings closings bookings billings
"""
_ALONE = frozenset(_ALONE_TEXT.split())
"""Nouns that name an item alone."""
_PREPOSITION = re.compile(rf"\b(?:{_PREPOSITIONS})\b")
_ENDS_TEXT = """
    we i you they he she it us them that which who what this these those there if when because since than not no
    is are was were be been being am do does did has have had will would should could may might can must
    expect expects expected expecting anticipate anticipates anticipated anticipating projects projected
    projecting forecasts forecasting believe believes think see sees seeing planning intend guiding
    guides guided raise raises raised raising lower lowers lowered lowering increase increases increased increasing
    narrow narrowed narrowing tighten tightened tightening maintain maintains maintained maintaining reaffirm
    reaffirmed reaffirming reiterate reiterated reiterating confirm confirming update updated updating deliver delivers
    delivering achieve achieves achieving generate generates generating reach reaches reaching produce producing
    include includes including assume assumes assumed assuming reflect reflects reflecting imply implies implying
    represent represents representing make makes making open opening close closing build building finish complete
    completing launch launching pay paying spend invest deploy return returning repurchasing
    receive receiving incur incurring record recording recognize recognizing add adds adding contribute contributes
    contributing drive drives driving driven result results resulting support supported supports lead leads leading
    offset while but or so with resume bring brings bringing targeting calls look looking end ends ending
    versus also now still continue continues continued remain remains estimating provide provides providing
    set sets setting take takes taking give gives giving get gets getting help helps helping allow allows let lets
    position positioned poised hit hits land lands
"""
_ENDS = frozenset(_ENDS_TEXT.split())
"""Words that no noun phrase goes over."""
_ADJECTIVES = frozenset({"adjusted", "diluted", "weighted", "fixed", "combined", "related", "blended", "branded"})
"""Words that end like a verb of the past and stand before a noun."""
_VERB_OR_NOUN_TEXT = """
    plan target forecast estimate project guide outlook repurchase purchase return call
"""
_VERB_OR_NOUN = frozenset(_VERB_OR_NOUN_TEXT.split())
_MAKES_A_VERB_TEXT = """
    we i they to will now still also would should
"""
_MAKES_A_VERB = frozenset(_MAKES_A_VERB_TEXT.split())
"""Words behind which one that may be a verb or a noun is a verb."""
_TOKEN = re.compile(r"[A-Za-z][\w&./\u2019'-]*|\d[\d.,]*|[^\s\w]")
_MOST_WORDS = 16
_LINK_VERBS_TEXT = """
    step stepping trend trending average averaging land landing total totaling totals remain remaining approximate
    sit moderate moderating accelerate normalize settle fluctuate vary estimated unchanged modeled modelled planned
    budgeted limited held hold holding sustain somewhere roughly plus/minus near nearly ranging spread consistent
    sustained kept keep reduced increased raised lowered toward
    towards north south just slightly higher lower better worse modestly outlook
"""
_LINK_VERBS = frozenset(_LINK_VERBS_TEXT.split())
_NOUNS_TEXT = "income loss expense expenses growth rate ratio percentage organic total"
_NOUNS = frozenset(_NOUNS_TEXT.split())
"""Words that link after a known item, and belong to the item of an unknown one."""
_FRACTIONS = re.compile(r"\b(?:majority|half|third|quarter|part|portion|share|percent|percentage) of\b", re.IGNORECASE)
_GROWTH_IN = re.compile(
    r"[ -](?:[\w-]+ ){0,3}?(?:growth|increase|decrease|decline|improvement|reduction) (?:in|of|for) (?:our |the )?",
    re.IGNORECASE,
)
_SALES_GROWTH = re.compile(
    r"(?:(?:full|year|annual|total|overall|company|adjusted|underlying|internal|reported) )*(?:organic"
    r"|underlying|core|comparable"
    r"|(?:constant|local)[- ]currency|currency[- ]neutral)(?: (?:organic|currency))? growth(?: rate)?",
    re.IGNORECASE,
)
"""A growth that is called after how it is counted: it is one of sales."""
_GROWTH_NOUN = re.compile(r"[ -]?(?:rates? )?growth\b")
_OF_IT = re.compile(
    r"[ -](?:(?:of|in|for|worth of) )?(?:(?:our|the|total|an?|projected|expected|estimated|planned) )*", re.IGNORECASE
)
_HANDS_ON = re.compile(
    r"(?:^|[\s,])(?:with|expect\w*|anticipat\w*|project(?:s|ing)?|forecast(?:s|ing)?|assum(?:e|es|ing)|includ(?:e|es)|see|seeing"
    r"|guid(?:e|ing) to|plan(?:s|ning)? (?:for|on)|target(?:s|ing)?|estimat(?:e|es|ing)|deliver\w*|generat\w*"
    r"|achiev\w*|outlook"
    r"|guidance|pay|incur|record|recognize|open|close|build|complete|launch|add|to have|see|host|make|produce"
    r"|contemplat(?:e|es)|reflect(?:s|ing)?|towards?)"
    r"(?: (?:an?|the|about|approximately|roughly|around|nearly|another|some|between|up to|at least|over"
    r"|more than|as much"
    r" as|as many as|total|of|estimated|our|range))*\s*$",
    re.IGNORECASE,
)
"""Words before a figure after which what it is of follows."""
_AND = re.compile(r"(?:,|\band)(?: (?:an?|the|about|approximately|roughly|around|nearly|between|over))*\s*$")


def governing_item(
    window: FigureWindow, mentions: Sequence[ItemMention], *, in_list: bool = False
) -> ItemMention | None:
    """Return the item that governs a figure: the head of the noun phrase before it, or of the one behind it.

    Args:
        window: The figure.
        mentions: The items of the table that its sentence names.
        in_list: Whether the figure before it is guided to: `and` then leads to the next of a list.
    """
    return _before(window, mentions) or _behind(window, mentions, in_list)


def _before(window: FigureWindow, mentions: Sequence[ItemMention]) -> ItemMention | None:
    """Return the head of the noun phrase that words which link lead to the figure."""
    plain = _without_periods(window.left)
    tokens = list(_TOKEN.finditer(plain))
    end = len(tokens)
    while end and _links(tokens[end - 1][0]):
        end -= 1
    if end == len(tokens) or end == 0 or any(one[0].lower() == "and" for one in tokens[end:]):
        return None  # nothing links, or nothing is linked, or what follows an `and` is linked
    first = _phrase_begins(tokens, end, plain)
    if first == end:
        return None
    start, stop = tokens[first].start(), tokens[end - 1].end()
    clause = max([found.end() for found in AHEAD.finditer(plain, 0, start)] + [plain.rfind(",", 0, start)])
    if EFFECT.search(plain[max(clause, 0) : start]):
        return None  # what an effect comes from
    return _head(window, mentions, window.before + start, window.before + stop)


def _links(word: str) -> bool:
    plain = word.lower().strip("$")
    if plain in _NOUNS:
        return False
    return plain in LINKS or plain in _LINK_VERBS or (plain.endswith("ly") and len(plain) > 4) or plain in ("", "-")


def _phrase_begins(tokens: Sequence[re.Match[str]], end: int, text: str) -> int:
    """Return the first token of the noun phrase that ends before token `end`."""
    first = end
    while first and end - first < _MOST_WORDS:
        word = tokens[first - 1][0]
        plain = word.lower()
        before = tokens[first - 2][0].lower() if first > 1 else ""
        if plain in _VERB_OR_NOUN and before in _MAKES_A_VERB:
            break
        if plain in _ENDS or re.fullmatch(r"[^\s\w]|\d.*", word) or re.search(r"[\u2019'](?:re|ve|ll|m|d)$", plain):
            break
        if plain == "and" and (first == end or item_mentions(text[tokens[first].start() : tokens[end - 1].end()])):
            break
        if plain.endswith("ed") and plain not in _ADJECTIVES:
            break
        first -= 1
    while first < end and tokens[first][0].lower() in ("and", "the", "our", "a", "an", "for", "in", "to", "of", "its"):
        first += 1
    return first


def _head(window: FigureWindow, mentions: Sequence[ItemMention], start: int, stop: int) -> ItemMention | None:
    """Return the item that a noun phrase names, with what narrows it; None where its head names none."""
    phrase = window.text[start:stop]
    if EFFECT.search(phrase) or _FRACTIONS.search(phrase):
        return None
    cut = _PREPOSITION.search(phrase)
    core = phrase[: cut.start()].rstrip() if cut else phrase
    while cut is not None and _is_of_an_outlook(core):
        start += cut.end()
        start += len(window.text[start:stop]) - len(window.text[start:stop].lstrip())
        phrase = re.sub(r"^(?:the|our|an?) ", "", window.text[start:stop])
        start = stop - len(phrase)
        cut = _PREPOSITION.search(phrase)
        core = phrase[: cut.start()].rstrip() if cut else phrase
    more = phrase[len(core) :].strip()
    if re.search(r"\b(?:and|or)\b", more) and item_mentions(more):
        return None
    if window.amount.kind == "percent" and _SALES_GROWTH.fullmatch(core):
        return _sales(start, more)
    inside = [one for one in mentions if start <= one.start and one.end <= start + len(core)]
    ending = inside[-1] if inside else None
    if ending is not None and _goes_on_to(window.text[ending.end : start + len(core)], window):
        if not fits(ending, window.amount):
            return None
        narrowed = _narrowed(more)
        if narrowed is None:
            return None
        return replace(ending, part=f"{ending.part} {narrowed}".strip()) if narrowed else ending
    return _own(window, core, more, start)


def _sales(start: int, more: str) -> ItemMention | None:
    """Return the sales that grow where a growth is called organic, or in constant currency, and of nothing."""
    narrowed = _narrowed(more)
    return None if narrowed is None else ItemMention("revenue", narrowed, start, start, start)


def _own(window: FigureWindow, core: str, more: str, start: int) -> ItemMention | None:
    """Return an item in a speaker's own words, whose last word can be guided to."""
    words = core.split()
    while words and words[-1].lower() in _OF_AN_OUTLOOK | {"growth"}:
        words.pop()
    if not words or words[-1].lower().strip(",.") not in HEADS:
        return None
    if window.amount.kind == "percent" and words[-1].lower() not in _RATES and not is_growth(window):
        return None  # a share of something, or a growth: which is not said
    if len(words) == 1 and words[0].lower() not in _ALONE and not more:
        return None
    of = re.match(r"(?:of|in) (?:the |our )?((?!the\b|our\b)(?:[\w-]+ ){0,3}[\w-]+?)(?: (?:at|for|from|on) .*)?$", more)
    name = item_words(" ".join(words) + (f" of {of[1]}" if of else ""))
    if not name and words[-1].lower() in ("rate", "rates") and (kind := item_words(" ".join(words[:-1]))):
        name = f"{kind} {words[-1].lower()}"
    return ItemMention(name, "", start, start, start, is_known=False) if name else None


def _goes_on_to(behind: str, window: FigureWindow) -> bool:
    """Tell whether only words that say nothing of an item, or that it moves by the figure, stand behind its name."""
    words = {word.lower() for word in behind.split()}
    return words <= (_BEHIND_A_HEAD if window.amount.kind == "money" else _BEHIND_A_HEAD | _MOVES)


def _is_of_an_outlook(core: str) -> bool:
    words = core.lower().split()
    return bool(words) and words[-1] in _OF_AN_OUTLOOK and not item_mentions(core)


def _narrowed(more: str) -> str | None:
    """Return of what part of an item words such as `from Acme` are; None where they say something else of it."""
    if not more:
        return ""
    told = re.fullmatch(
        r"(?:from|in|for|at|of|across|within) (?:the |our )?(?P<words>[^,;:$%]{2,40}?)"
        r"(?: (?:segment|business|division|group|operations))?",
        more,
    )
    if told is None or _PREPOSITION.search(told["words"]):
        return None
    return part_of(told["words"])


def _behind(window: FigureWindow, mentions: Sequence[ItemMention], in_list: bool) -> ItemMention | None:
    """Return the head of the noun phrase behind a figure that a verb or a preposition hands on to it."""
    left = _without_periods(window.left)
    if not (_HANDS_ON.search(left) or (in_list and _AND.search(left))):
        return None
    plain = _without_periods(window.right)
    growth = _GROWTH_IN.match(plain)
    lead = growth or _OF_IT.match(plain)
    if lead is None or (window.amount.kind == "percent" and growth is None and re.match(r" (?:of|in|for) ", plain)):
        return None
    begin = lead.end()
    stop = _phrase_ends(plain, begin)
    if stop == begin:
        return None
    start, end = window.amount.end + begin, window.amount.end + stop
    phrase = window.text[start:end]
    if EFFECT.search(phrase) or EFFECT.search(window.text[end : end + 15]):
        return None
    if window.amount.kind == "percent" and growth is None and _SALES_GROWTH.fullmatch(phrase):
        return _sales(start, "")
    inside = [one for one in mentions if start <= one.start and one.end <= end]
    if inside and _goes_on_to(window.text[inside[-1].end : end], window):
        return _table_behind(window, inside[-1], growth is not None, window.text[inside[-1].end : end])
    if window.amount.kind in ("percent", "basis points") and growth is None:
        return None
    return _own(window, phrase, "", start)


def _table_behind(window: FigureWindow, mention: ItemMention, is_growth: bool, behind: str) -> ItemMention | None:
    if not fits(mention, window.amount) or (window.amount.kind == "money" and _GROWTH_NOUN.match(behind)):
        return None
    if window.amount.kind == "percent" and not is_growth:
        unit = guided_items()[mention.key].unit
        if not _GROWTH_NOUN.match(behind) and unit != "percent":
            return None
    return mention


def _phrase_ends(plain: str, begin: int) -> int:
    """Return where the noun phrase that begins behind a figure ends."""
    stop = begin
    for number, match in enumerate(_TOKEN.finditer(plain, begin)):
        word = match[0].lower()
        if number >= 8 or word in _ENDS or word in ("and",) or re.fullmatch(r"[^\s\w]|\d.*", word):
            break
        if _PREPOSITION.match(word) or (match.start() - stop > 2 and number):
            break
        if word.endswith("ly"):
            break
        stop = match.end()
    return stop


def _without_periods(text: str) -> str:
    """Return words with blanks in place of the periods that they name, and of what leads to these."""
    return _TIME.sub(lambda found: " " * len(found[0]), PERIOD_MENTION.sub(lambda found: "#" * len(found[0]), text))


_TIME = re.compile(
    r"(?:\b(?:for|in|during|over|throughout|of|at|by)(?: (?:the|this|our|all|of|and)){0,3} )?#+(?:[\u2019']s)?,?"
)
