"""Which item a figure is of: the one named before it, or right behind it, or told by a verb such as to buy back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tradingagents.retrieval.guidance.guided_items import ItemMention, guided_items, item_mentions, part_of
from tradingagents.retrieval.guidance.sentences.amounts import Amount
from tradingagents.retrieval.guidance.sentences.own_items import words_before_link
from tradingagents.retrieval.guidance.sentences.subordinate import EFFECT
from tradingagents.retrieval.guidance.sentences.window import FigureWindow

_LEAD_FILL_TEXT = """
    approx approx. to be is are was at of in a an the our its new now expected anticipated projected forecast forecasted
    estimated targeted between from approximately about roughly around nearly close closer just range ranges ranging
    will should would remain remains continue continues full year years fiscal annual calendar guidance outlook
    forecast target expectation expectations estimate rate ratio total revised updated average approach reach
    exceed exceeding excess least more than greater up down grow growing growth increase increasing increases
    decline declining decrease expand expanding improve as least minimum approximates also over above
    under below less most no by
    for still approximate come run again adjusted diluted basis on per share slightly bit a high low end upper
    lower half level come total totaling equal we expect expects see reflect comprise amount range, be: it
    either negative positive and plus first second third fourth quarter q1 q2 q3 q4 fy midpoint year-over-year
    both continued currently maintain reported gaap non-gaap organic organically operational operationally
    within wide set achieve generate generating deliver each additional unchanged provided last expansion
    drop rise climb elevated limited income loss back guide we're raising lowering narrowing
    planned guided slated trend approaching outflow inflow projection projections
    upward downward essentially basically broadly largely relatively same incremental
    levels another has have been reduced lowered raised increased moved
    forecasting expecting anticipating projecting estimating guiding stable
    assumed modeled
    in-line percentage expense expenses stay flat fall run-rate reaching target, hit hits
"""
LINKS = frozenset(_LEAD_FILL_TEXT.split())
"""Words that may stand between an item and its figure."""
_BUYS = re.compile(r"\b(?:(?:re)?purchas(?:e|es|ing)|buy(?:ing)? ?back|buyback)\b(?! price)[^,;]{0,40}$", re.IGNORECASE)
_RETURNS = re.compile(r"\breturn(?:ing)?\b[^,;]{0,30}$", re.IGNORECASE)
_PRODUCES = re.compile(r"\bproduc(?:e|es|ing)\b[^,;]{0,30}$", re.IGNORECASE)
_VOLUME = re.compile(
    r" (?:[\w-]+ ){0,2}(?:gallons|barrels|boe|tons|tonnes|pounds|ounces|units|vehicles|megawatt|gigawatt)",
    re.IGNORECASE,
)
_SPENDS = re.compile(r"\b(?:spend|(?:re)?invest|deploy)(?:ing)?\b[^,;]{0,40}$", re.IGNORECASE)
_TO_NEW = re.compile(
    r",? and now (?:expect|range)(?: a| an| the| new| midpoint| range| of| between| about| approximately)*\s*|"
    r" (?:higher|lower)(?: now)? at (?:about |approximately |a range of |between )?|"
    r" (?:per share |in total |at the midpoint |for the year )?(?:and (?:now expect|narrowing the range"
    r"|tightening the range) )?"
    r"(?:to|with|a)(?: now| approximately| about| a| an| the| new| midpoint| range| record| revised| of"
    r"| between| over| at least| above)*\s*",
    re.IGNORECASE,
)
_PERCENTAGE_OF = re.compile(r" as a (?:percent(?:age)?|% ?) of (?:our |total |net )*$", re.IGNORECASE)


def named_item(window: FigureWindow, mentions: Sequence[ItemMention]) -> ItemMention | None:
    """Return the item that a range is of."""
    amount = window.amount
    mentions = [_behind_figure(window, mention) for mention in mentions]
    left = [mention for mention in mentions if window.before <= mention.start and mention.end <= amount.start]
    if (
        window.last is not None
        and left
        and re.fullmatch(r" (?:of|in) ", window.text[window.before : left[0].phrase_start])
    ):
        left = left[1:]  # it is of the figure before
    if window.last is not None and left and _is_of_figure_before(window, left[0]):
        left = left[1:]
    right = [mention for mention in mentions if amount.end <= mention.start and mention.end <= window.after]
    right = [mention for mention in right if fits(mention, amount)]
    moved = _moved(window, mentions)
    if moved is not None:
        return moved
    near = next((mention for mention in reversed(left) if fits(mention, amount)), None)
    if near is not None and amount.kind == "percent" and (share := _PERCENTAGE_OF.search(window.text[: near.start])):
        base = [mention for mention in left if mention.end <= share.start() + 1]
        return replace(base[-1], key=f"{base[-1].key} to {near.key}") if base else None
    between = window.text[near.end : amount.start] if near is not None else ""
    if near is not None and is_filled(between):
        return near
    if near is not None and (more := words_before_link(between)) is not None:
        if not _OF_WHAT.match(more):
            return near
        if near.part:
            place = part_of(_OF_WHAT.sub(" ", more)) if re.match(r"in [A-Z]", more) else ""
            return replace(near, part=f"{near.part} {place}".strip())
        return replace(near, part=part_of(_OF_WHAT.sub(" ", more)))
    acted = _acted(window)
    if acted is not None:
        return acted
    if right and _is_named_behind(window, right[0]):
        return right[0]
    if right and (of_two := _OF_TWO.fullmatch(window.text[amount.end : right[0].phrase_start])) is not None:
        start = amount.end + of_two.start("words")
        if not item_mentions(of_two["words"]) and part_of(of_two["words"]):
            return replace(right[0], part=part_of(window.text[start : right[0].start]), phrase_start=start)
    is_small = amount.kind == "money" and amount.is_range and not amount.scaled and abs(amount.high) < _MOST_PER_SHARE
    earned = _EARNED.search(window.left) if amount.per == "share" or is_small else None
    if earned is not None and not left:
        start = window.before + earned.start()
        return ItemMention("eps", "", start, start + len(earned[0]), start)
    before = [mention for mention in mentions if mention.end <= amount.start]
    of_other = bool(before) and before[-1].key != "eps"
    if amount.per == "share" and "diluted" in window.text[amount.start : amount.end] and not of_other:
        return ItemMention("eps", "", amount.start, amount.start, amount.start)
    return None


def _behind_figure(window: FigureWindow, mention: ItemMention) -> ItemMention:
    """Return an item without the words of the figure before it."""
    if not mention.phrase_start < window.before <= mention.start:
        return mention
    first = window.before + len(window.left) - len(window.left.lstrip())
    return replace(mention, part=part_of(window.text[first : mention.start]), phrase_start=first)


_NEXT = re.compile(r"[\w ]{0,30}(?:,|,? and)(?: (?:an?|about|approximately|roughly|around|between|for))* $")


def _is_of_figure_before(window: FigureWindow, mention: ItemMention) -> bool:
    """Tell whether an item stands right behind the figure before, and only an `and` leads from it to this one."""
    begins = re.fullmatch(r"[ -](?:(?:of|in|for) (?:our |the )?)?", window.text[window.before : mention.phrase_start])
    return begins is not None and _NEXT.fullmatch(window.text[mention.end : window.amount.start]) is not None


_OF_WHAT = re.compile(
    r"^(?:in|for|at|across|within) (?=\D)|(?<=\w) (?:segment|business|group|division)\b", re.IGNORECASE
)
"""Words behind an item that say of which part it is."""
_OF_TWO = re.compile(
    r" (?:of|in) (?P<words>(?:(?!(?:for|in|by|from|on|at|to|of|with|which|per|as|than|that)\b)[\w-]+ ){1,4}and )"
)
"""Words behind a figure before the second half of a name: `in COVID-related vaccine and therapeutic revenue`."""
_EARNED = re.compile(
    r"\b(?:(?:adjusted|core|operating|diluted|(?:non-)?GAAP|report|our) earnings|(?:to|will|we(?:[\u2019']ll)?) earn)"
    r"(?: (?:to be|of|in|between|the|a|range|from|about|approximately|at|least"
    r"|is|are|now|expected|anticipated|projected|forecast))* $"
)
"""Earnings just before a figure per share."""
_MOST_PER_SHARE = 100
"""Of a range of earnings without `million`, in a currency: what is below it is one per share."""
_RANGE_FOR = re.compile(r" (?:midpoint|range|guidance|outlook)? ?for (?:our )?[^,;$%]{2,40} ")


def _moved(window: FigureWindow, mentions: Sequence[ItemMention]) -> ItemMention | None:
    """Return the item that is moved `by A to B`, or `from A to B`: it stands before A."""
    last = window.last
    if last is None or not _TO_NEW.fullmatch(window.left):
        return None
    lead = window.text[: last.start]
    moved = re.search(
        r"\b(?:by|from|is|are)(?: an?| about| approximately| around| roughly| our| prior| the| range| of)*\s*$", lead
    )
    if moved is None:
        return None
    known = next((one for one in reversed(mentions) if one.end <= last.start and fits(one, window.amount)), None)
    if EFFECT.search(lead[-90:]):
        return None
    if known is not None and (
        _RANGE_FOR.fullmatch(lead[known.end : moved.start()])
        or is_filled(re.sub(r"\b(?:revenue|earnings|and|both|midpoint)\b", " ", lead[known.end : moved.start()]))
    ):
        return known
    return None


def fits(mention: ItemMention, amount: Amount) -> bool:
    """Tell whether a figure of this kind can be one of the item."""
    unit = guided_items()[mention.key].unit
    if amount.kind == "money":
        if amount.per == "share":
            return unit == "per_share" or mention.key in ("dividends", "operating_income", "net_income")
        if amount.per not in ("", "year", "annum", "quarter"):
            return unit == "money"
        small = not amount.scaled and abs(amount.high) < 1000
        return (
            (unit == "per_share" or (mention.key == "dividends" and small)) if small else unit in ("money", "per_share")
        )
    if amount.kind in ("percent", "basis points"):
        is_rate = unit != "money" or mention.key == "net_charge_offs"
        return unit != "ratio" and (amount.kind == "percent" or is_rate)
    if amount.kind == "ratio":
        return unit == "ratio"
    return unit in ("shares", "count", "ratio") or (amount.scaled and unit == "money")


_SAID_OF_IT = re.compile(
    r"\b(?:greater|more|better|higher) than or equal to\b"
    r"|\bwhich (?:we (?:now |still |continue to )?(?:expect|anticipate|project|forecast)"
    r"|(?:is|are) (?:now )?expected)\b"
    r"|\b(?:in line|consistent|comparable|similar|flat|unchanged|the same)(?: (?:with|to|as|from|versus|compared to))?"
    r" (?:(?:our|the|that of) )?(?:(?:last|prior|previous) year|fiscal 20\d\d|20\d\d|(?:historical|recent) averages?"
    r"|(?=\s))",
    re.IGNORECASE,
)
"""Words between an item and its figure that change neither."""


def is_filled(between: str, *, others: int = 0) -> bool:
    """Tell whether only words that link an item to its figure stand between them, and at most a few others."""
    plain = re.sub(
        r"\bversus (?:20\d\d|(?:last|prior) year)\b"
        r"|\([^()]{0,300}\)|,? (?:excluding|including|net of)\b[^,()]{2,60},|[\u2018\u2019']s\b|[,:$-]|20\d\d"
        r"|[\u2018\u2019']\d\d",
        " ",
        between,
    )
    words = [word.lower() for word in _SAID_OF_IT.sub(" ", plain).split()]
    strange = [word for word in words if word not in LINKS]
    return len(words) <= 18 and len(strange) <= others and not (strange and words[0] == strange[0])


_MOVED_BEHIND = re.compile(
    r" (?:rate )?(?:improvement|expansion|increase|decrease|contraction|decline|gain|benefit|headwind|tailwind|impact"
    r"|leverage|deleverage|pressure|differential|gap|step-?up|accretion|dilution|target)\b",
    re.IGNORECASE,
)
"""Words behind an item that say of a percentage before it that it moves the item: `a 2% margin improvement`."""


def _is_named_behind(window: FigureWindow, mention: ItemMention) -> bool:
    """Tell whether the words right behind a range name its item: `of free cash flow`, `organic revenue growth`."""
    between = window.text[window.amount.end : mention.phrase_start]
    if (
        window.amount.kind == "money"
        and _SPENDS.search(window.left)
        and re.fullmatch(r" (?:[\w-]+ ){0,5}(?:in|on|through|in the form of)(?: our)? ", between)
    ):
        return True
    if not re.fullmatch(
        r"[ -]{0,9}(?:(?:of|in|for|growth in|increase in|decline in)\b)?(?: (?:our|the|its|total|all-in|full-year"
        r"|annual|core|adjusted|planned|expected|anticipated|estimated|fully)){0,12}[ -]{0,9}",
        between,
    ):
        return False
    inner = window.text[mention.phrase_start : mention.start]
    if window.amount.kind == "money" and re.match(r" growth\b", window.text[mention.end :]):
        return False  # what is added to it
    if window.amount.kind == "percent" and re.match(r" of ", between):
        return False  # a share of it
    if re.match(r" ?(?:of|in) ", between) or "growth in" in between or "increase in" in between:
        return True
    if window.amount.kind == "percent":
        behind = window.text[mention.end :]
        is_rate = guided_items()[mention.key].unit == "percent" and between.strip() == "" and len(inner) < 40
        return re.match(r"[ -]?(?:rate )?growth\b", behind) is not None or (is_rate and not _MOVED_BEHIND.match(behind))
    return len(inner) < 40 and re.search(r"\b(?:of|in|for)\b", between) is None


def _acted(window: FigureWindow) -> ItemMention | None:
    """Return what a verb says is done with money: shares bought back, cash returned."""
    at = window.amount.start
    if (
        window.amount.kind == "percent"
        and _RETURNS.search(window.left)
        and re.match(r" of \w[^,;]{0,40} to (?:our )?(?:share|stock)", window.right)
    ):
        return ItemMention("shareholder_returns", "", at, at, at)
    if window.amount.kind == "count" and _PRODUCES.search(window.left) and _VOLUME.match(window.right):
        return ItemMention("production", "", at, at, at)
    if window.amount.kind != "money":
        return None
    if _BUYS.search(window.left) and (
        re.search(r"\b(?:re)?purchas|buy", window.left)
        and re.search(r"shares?\b|stock|repurchas|buy ?back", window.left + window.right[:40])
    ):
        return ItemMention("share_repurchases", "", at, at, at)
    if _RETURNS.search(window.left) and re.search(r"share(?:holders|owners)|stockholders|dividends", window.right[:60]):
        if re.search(r"\b(?:via|through|in) (?:share|stock) (?:repurchase|buyback)", window.right[:60]):
            return ItemMention("share_repurchases", "", at, at, at)
        in_dividends = re.match(
            r" (?:to our shareholders |to shareholders )?(?:through|in) dividends(?! and)", window.right
        )
        return ItemMention("dividends" if in_dividends else "shareholder_returns", "", at, at, at)
    return None
