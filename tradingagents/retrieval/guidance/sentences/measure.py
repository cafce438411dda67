"""What a figure of an item is: a level, a growth or a change, with its bound, its basis and its sign."""

from __future__ import annotations

import re
from dataclasses import replace

from tradingagents.dataflows.reference.currencies import UNSTATED_UNIT
from tradingagents.retrieval.guidance.guided_items import Basis, ItemMention, Unit, basis_of, guided_items
from tradingagents.retrieval.guidance.sentences.amounts import Amount
from tradingagents.retrieval.guidance.sentences.segments import is_of_others, is_of_the_whole, left_out, part_of_range
from tradingagents.retrieval.guidance.sentences.window import Bound, FigureWindow, Measure, SaidRange

_AT_LEAST = re.compile(
    r"\b(?:at least|more than|over|in excess of|exceed(?:s|ing)?|above|greater than|no less than"
    r"|minimum of|north of|better than"
    r"|surpass(?:es|ing|ed)?)(?: a| an| approximately| about| the)?\s*$",
    re.IGNORECASE,
)
_AT_LEAST_AFTER = re.compile(r"^ ?(?:or (?:more|greater|higher|better|above)|plus\b(?! or minus)|\+)", re.IGNORECASE)
_AT_MOST = re.compile(
    r"\b(?:up to|as much as|less than|below|under|at most|no more than|maximum of|not exceed"
    r"|up to (?:our |the )?full(?: authorization of)?)\s*$",
    re.IGNORECASE,
)
_DOWN = re.compile(
    r"\b(?:down|declin\w*|decreas\w*|reduc\w*|lower(?! end)|fall|drop|contract\w*"
    r"|decremental growth)(?: \w+){0,4}\s*$",
    re.I,
)
_RISE_MONEY = re.compile(
    r"\b(?:increase|grow|growing|rise|decline|decrease|up|down|increasing|reduce|reducing|lower by"
    r"|raise)(?: (?:in|by|between"
    r"|approximately|about|roughly|around|the"
    r"|range|of|a|from|an))*\s*$",
    re.IGNORECASE,
)
_AN_EXPENSE = re.compile(r"\ban? (?:net )?(?:expense|loss|outflow) (?:of|between|in)\b[^,;]{0,40}$", re.IGNORECASE)
_EFFECT_OF_IT = re.compile(
    r" (?:from (?:\w+ ){0,2}synergies|benefits?|savings?|impacts?|headwinds?|tailwinds?|uplift|pickup|contributions?"
    r"|synergies|opportunity)\b",
    re.IGNORECASE,
)
"""Words behind an item that make a figure what moves it."""
_MOVES_BEHIND = re.compile(r" (?:increase|decrease|decline|improvement|reduction)\b", re.IGNORECASE)
"""Words behind an item that make money before it what it moves by: `the $0.22 earnings per share increase`."""
_MOVE_BY = re.compile(
    r"\b(?:reduc|lower|rais|increas|decreas)\w* [^,;$%]{3,60} by (?:about |approximately |an? )?$", re.IGNORECASE
)
_MOVE_IN = re.compile(r"\b(?:increase|decrease|rise|decline|growth) in (?:our |the )?$")
_TO_A_LEVEL = re.compile(
    r"[^,;$%]{0,40} to (?:(?:an?|the|about|approximately|roughly|around|nearly|between|midpoint of|range of) )*",
    re.IGNORECASE,
)
"""Words behind an item that moves which lead to where it moves: `an 8% increase in earnings per share to $5.37`."""
_MOVES_TO = re.compile(
    r"\b(?:increas|rais|lower|improv|updat)ing\b(?![^,;]{0,80}\bgrowth\b)[^,;]{2,80} to (?:a "
    r"|the )?(?:new )?(?:range of )?$",
    re.IGNORECASE,
)
"""What is raised `to` a percentage is that percentage."""
_NEAR_BASE = 90
"""Characters behind a growth within which words say what it is counted from."""
_OF_SALES = re.compile(
    r"^ (?:as a (?:percent(?:age)?|%) )?of (?:our |total |systemwide |net |gross |average |home sale |home "
    r"|full[- ]year )*(?P<base>sales|revenues?"
    r"|operating cash flow|net income"
    r"|loans|systemwide sales|cash flow from operations|interest-earning assets)\b",
    re.IGNORECASE,
)


_OF_A_PERIOD = re.compile(r" of (?:the |our )?(?:full[- ]year|year|annual|total)\b(?! growth)", re.IGNORECASE)
"""Words that make a percentage a share of what a longer period brings."""
_AS_A_SHARE: dict[str, tuple[str, Measure]] = {
    "ebitda": ("ebitda_margin", "level"),
    "ebit": ("ebit_margin", "level"),
    "pretax_income": ("pretax_margin", "level"),
    "operating_income": ("operating_margin", "level"),
    "revenue": ("revenue", "growth"),
    "net_charge_offs": ("net_charge_off_ratio", "level"),
}
"""What a percentage of an item of money is where no word calls it a growth."""
_AGAINST_RESULTS = re.compile(
    r" (?:versus|vs\.?|compared (?:to|with)|over|from) (?:the |our )?(?:fiscal )?(?:20\d\d|last year|prior[- ]year)\b",
    re.IGNORECASE,
)
"""Words behind a percentage of an amount of money that make it a growth."""
SEQUENTIAL = re.compile(
    r"\bsequential(?:ly)?\b|\bquarter[- ](?:over|on)[- ](?:the )?quarter\b|\blinked[- ]quarter\b"
    r"|\b(?:from|versus|compared (?:to|with)|relative to|over|(?<!based )on) (?:the |our )?(?:recent |prior |previous "
    r"|last |preceding )?"
    r"(?:(?:first|second|third|fourth|prior|previous|last|preceding)[ -]quarter|q[1-4])"
    r"\b(?! (?:20\d\d|of)|[\u2019']s (?:[\w-]+ )?call)",
    re.IGNORECASE,
)
"""Words that count a growth from the quarter before."""
YEARLY = re.compile(
    r"\byear[- ]over[- ]year\b|\b(?:a|last|prior) year(?: ago)?\b|\b20\d\d\b|\bthe year before\b"
    r"|\bversus [\u2019']\d\d",
    re.IGNORECASE,
)
"""Words that count a growth from the year before."""


def measured(window: FigureWindow, mention: ItemMention, subject: str, margin: str = "") -> SaidRange | None:
    """Return a range as one of its item: a level, a growth or a change, with its bound and its basis.

    Args:
        window: The figure.
        mention: Its item.
        subject: The segment that the sentences before speak of; empty for the company.
        margin: The item that the document means by the `margin` of a part; empty if unknown.
    """
    if is_of_others(window, mention) or _EFFECT_OF_IT.match(window.text[mention.end :]):
        return None
    is_behind = window.amount.kind == "money" and window.amount.end <= mention.start
    if is_behind and _MOVES_BEHIND.match(window.text, mention.end):
        return None
    if window.amount.per == "share" and mention.key in ("operating_income", "net_income"):
        mention = replace(mention, key="eps")
    amount = _in_unit(window, mention)
    part = part_of_range(window, mention, subject)
    if mention.key == "margin" and margin and part is not None and part.words:
        mention = replace(mention, key=margin)
    kind = None if amount is None else _kind(window, mention, amount)
    if amount is None or part is None or kind is None:
        return None
    key, measure = kind
    if (
        re.search(r"income|earnings|profit|ebitda|cash_flow", key)
        and measure == "level"
        and amount.low > 0
        and _AN_EXPENSE.search(window.left)
    ):
        amount = replace(amount, low=-amount.high, high=-amount.low)
    if measure in ("growth", "change") and amount.high > 0 and amount.low >= 0 and _falls(window):
        amount = replace(amount, low=-amount.high, high=-amount.low)
    if measure == "growth" and SEQUENTIAL.search(window.left + re.split(r"[,;]", window.right[:_NEAR_BASE])[0]):
        measure = "sequential"
    return SaidRange(
        amount=amount,
        item=key,
        part=f"{part.words} {left_out(window, mention)}".strip(),
        measure=measure,
        bound=bound_of(window),
        basis=basis_of(window.text[mention.phrase_start : mention.end]) or _basis_around(window, mention),
        since=base_year(window) if measure == "growth" else None,
        turns_to=part.turns_to,
        is_inherited=part.is_inherited,
        is_whole=is_of_the_whole(window, mention),
    )


def _falls(window: FigureWindow) -> bool:
    """Tell whether words around a change say that it is one downwards."""
    return _DOWN.search(window.left[-60:]) is not None or re.match(r" lower than\b", window.right) is not None


def _unit_of(mention: ItemMention) -> Unit | None:
    """Return what a figure of an item is; a share of another item is a percentage, and None may be of any unit."""
    if not mention.is_known:
        return None
    return "percent" if " to " in mention.key else guided_items()[mention.key].unit


def _in_unit(window: FigureWindow, mention: ItemMention) -> Amount | None:
    """Return a figure in the unit of its item; None where it can be none of it."""
    amount, unit = window.amount, _unit_of(mention)
    if unit in ("count", "shares") and (
        (amount.kind in ("percent", "basis points") and not is_growth(window))
        or (amount.kind == "count" and _RISE_MONEY.search(window.left))
    ):
        return None
    if amount.kind == "count" and unit == "money":
        return replace(amount, kind="money", currency="USD" if "$" in window.text else UNSTATED_UNIT)
    return amount


def _kind(window: FigureWindow, mention: ItemMention, amount: Amount) -> tuple[str, Measure] | None:
    """Return the item and what a figure of it is; None where the sentence does not say what it is of."""
    key, unit = mention.key, _unit_of(mention)
    if amount.kind == "percent" and unit != "percent" and (base := _OF_SALES.match(window.right)) is not None:
        over = _base_key(base["base"])
        if over == key:
            return None  # of a part of an item, which part is not said
        rate = f"{key}_rate" if over == "revenue" else ""
        return rate if rate in guided_items() else f"{key} to {over}", "level"
    if amount.kind == "percent" and _OF_A_PERIOD.match(window.right):
        return None
    if unit is None and amount.kind == "percent":
        return key, "growth" if is_growth(window) else "level"
    if amount.kind == "percent":
        if unit == "growth" or (unit != "percent" and (is_growth(window) or _names_growth(window, mention))):
            return key, "growth"
        if unit in ("money", "per_share"):
            if amount.low < 0 or _AGAINST_RESULTS.match(window.right):
                return key, "growth"  # nothing is a negative share of sales that a company guides to
            return _AS_A_SHARE.get(key)
        return key, "level"
    if amount.kind == "points":
        return None
    if amount.kind == "basis points":
        if key == "net_charge_offs":
            return _AS_A_SHARE[key]
        return key, "change" if unit == "percent" or (unit is None and is_growth(window)) else "level"
    before = window.text[max(0, mention.phrase_start - 25) : mention.phrase_start]
    moves = (
        _names_growth(window, mention)
        or _RISE_MONEY.search(window.left)
        or _MOVE_BY.search(window.left)
        or amount.sign_word in ("up", "range")
        or _MOVE_IN.search(before)
    )
    leads_to = _TO_A_LEVEL.fullmatch(window.text[mention.end : amount.start])
    return key, "change" if amount.kind == "money" and moves and not leads_to else "level"


def _base_key(words: str) -> str:
    lower = words.lower()
    return "revenue" if lower in ("sales", "revenue", "revenues") else lower


def is_growth(window: FigureWindow) -> bool:
    """Tell whether words around a percentage say that it is a change on a year before."""
    if _MOVES_TO.search(window.left):
        return re.match(r"[ -](?:[\w-]+ ){0,3}growth\b", window.right, re.I) is not None
    return (
        re.search(
            r"\b(?:grow\w*|growth|increas\w*|declin\w*|decreas\w*|up(?! to)|down|lower(?! end)|higher(?! end)"
            r"|reduce|expand)\b[^,;]{0,40}$",
            window.left,
            re.I,
        )
        is not None
        or re.match(r"[ -](?:[\w-]+ ){0,3}(?:growth|increase|decline|decrease|lower|higher)\b", window.right, re.I)
        is not None
    )


def _names_growth(window: FigureWindow, mention: ItemMention) -> bool:
    """Tell whether an item is named as a growth before its figure: `revenue growth`, `an increase in revenue`."""
    if not window.before <= mention.start < window.amount.start:
        return False
    behind = re.match(r" growth\b", window.text[mention.end : window.amount.start], re.IGNORECASE)
    return behind is not None or _MOVE_IN.search(window.text[: mention.phrase_start]) is not None


def moves_by(window: FigureWindow) -> bool:
    """Tell whether words before money say by how much something moves."""
    return _RISE_MONEY.search(window.left) is not None


def bound_of(window: FigureWindow) -> Bound:
    """Return whether a single figure is a lower or an upper bound."""
    if re.search(r"\b(?:bit|just|slightly|little|modestly) (?:over|above)\s*$", window.left):
        return ""
    if _AT_LEAST.search(window.left) or _AT_LEAST_AFTER.match(window.right):
        return "at least"
    return "at most" if _AT_MOST.search(window.left) else ""


def _basis_around(window: FigureWindow, mention: ItemMention) -> Basis:
    """Return the basis that words between item and figure, or right behind the figure, state."""
    around = (
        window.text[min(mention.start, window.amount.start) : window.amount.start]
        if mention.start < window.amount.start
        else window.left[-40:]
    )
    behind = re.split(r",|;|\. |\band\b", window.right, maxsplit=1)[0][:60]
    found = basis_of(behind) or basis_of(around)
    if found:
        return found
    sentence = window.lead.lower()
    if re.search(r"\b(?:on an adjusted basis|excluding the impact of acquisitions)\b", sentence):
        return "adjusted" if "adjusted basis" in sentence else "organic"
    return ""


def base_year(window: FigureWindow) -> int | None:
    """Return the year that a growth is counted from where the words behind it, or before it, name one."""
    behind = re.match(
        r"[^;]{0,40}?\b(?:versus|compared to|over|from|vs\.?|relative to"
        r"|when compared to)(?: the)?(?: full year)? (20\d\d)\b",
        window.right,
    )
    before = re.search(r"\bcompared to (20\d\d),", window.lead, re.IGNORECASE)
    year = behind or before
    return int(year[1]) if year else None
