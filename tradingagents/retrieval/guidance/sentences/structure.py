"""`doubtful_by_structure`: figures that are withheld for how their clause is built, whatever its words say.

Measured on calls that nobody had read when they were counted: of single figures whose item stands behind them, most
were wrong where no word before them says that the company expects something, or where they are a percentage or a ratio
of an item in the speaker's own words; of ranges one in twenty was, and of other figures behind their item one in seven.
"""

from __future__ import annotations

import re

from tradingagents.retrieval.guidance.guided_items import guided_items, item_mentions
from tradingagents.retrieval.guidance.sentences.amounts import read_amounts
from tradingagents.retrieval.guidance.sentences.window import FigureWindow, SaidRange

_EXPECTS = re.compile(
    r"\b(?:expect|anticipat|project(?!s\b)|forecast|guid|outlook|estimat|target|plan|intend|assum|range|rais|narrow|reaffirm"
    r"|reiterat|lower|increas|maintain)\w*"
    r"|\bwe(?: will|[\u2019']ll)(?: also)? (?:repurchase|buy back|return|invest|spend)\b",
    re.IGNORECASE,
)
"""Words of an outlook, which `will`, `should` and `on track` are not."""
_VERBS = frozenset(
    {
        *("close", "open", "continue", "continues", "remain", "remains"),
        *("improve", "deliver", "outperform", "grow", "see", "sell"),
    }
)
"""Words that end no name of an item."""
_WIDEST = 4
"""How many times the low end of a level its high end is at most: beyond, a transcript has lost a digit of one."""
_JOINS = re.compile(
    r",? ?(?:to|or|and|through|-|\u2013)(?: (?:an?|about|approximately|now|up|down))*[ -]*", re.IGNORECASE
)
_SPREAD_BEHIND = re.compile(r",? ?(?:plus or minus|plus and minus|\u00b1|\+/-)")
"""A width that was not read, such as one in another unit."""
_TO_NOTHING = re.compile(
    r"(?: (?:growth|decline|increase|decrease))? (?:to|and) (?:about |roughly )?(?:flat|breakeven)\b"
)


def doubtful_by_structure(said: SaidRange, window: FigureWindow) -> str:
    """Return why a figure is withheld for how its clause is built; empty where nothing speaks against it.

    Args:
        said: What was read.
        window: The figure in its sentence.
    """
    amount, is_own = said.amount, said.item not in guided_items()
    if is_own and (said.item.rsplit(maxsplit=1)[-1] in _VERBS or re.search(r"[\u2019']s?$", said.item)):
        return "what it is of is not understood"
    if amount.is_range:
        apart = said.measure == "level" and 0 < amount.low * _WIDEST < amount.high
        return "its two ends are too far apart to be those of one range" if apart else ""
    if _is_half_of_a_range(window):
        return "the figure behind it may be the other end of its range"
    if _is_named_before(said, window) or re.match(r",? respectively\b", window.right):
        return ""
    if not _EXPECTS.search(window.lead):
        return "no word before it says that it is expected, and what it is of stands behind it"
    if is_own and amount.kind not in ("money", "count"):
        return "what it is of stands behind it, in words of the company's own"
    return ""


def _is_named_before(said: SaidRange, window: FigureWindow) -> bool:
    """Tell whether the item of a figure stands before it, or in an earlier figure's clause that it goes on."""
    if item_mentions(window.left) or said.follows_last:
        return True
    words = re.findall(r"[a-z]{3,}", said.item.split(" to ")[0].lower())
    return bool(words) and said.item not in guided_items() and words[-1] in window.lead.lower()


def _is_half_of_a_range(window: FigureWindow) -> bool:
    """Tell whether only a word that joins stands between a figure and the next of its kind, or `flat`."""
    if _TO_NOTHING.match(window.right) or _SPREAD_BEHIND.match(window.right):
        return True
    behind = next((one for one in read_amounts(window.text) if one.start >= window.amount.end), None)
    if behind is None or behind.kind != window.amount.kind or (behind.per and window.amount.scaled):
        return False
    if re.match(r",? respectively\b", window.text[behind.end :]):
        return False
    return _JOINS.fullmatch(window.text[window.amount.end : behind.start]) is not None
