"""Whether a figure belongs to another one: a part of it, a base of comparison, an effect, the old end of a change."""

from __future__ import annotations

import re

from tradingagents.retrieval.guidance.guided_items import item_mentions
from tradingagents.retrieval.guidance.sentences.cues import AHEAD
from tradingagents.retrieval.guidance.sentences.window import FigureWindow

_SUBORDINATE = re.compile(
    r"(?:\binclud(?:es|ing|ed|e)|\binclusive of|\bincorporat\w+|\breflect(?:s|ing|ed)?|\bdriven by"
    r"|\boffset by|\bexcluding|\bversus"
    r"|\bvs\.?|\bcompared (?:to|with)(?: an?| about)?|\bup from|\bdown from|\bahead of|\bby|\bof which|\bplus|\bminus"
    r"|\bimpl(?:y|ies|ied)"
    r"|\badding|\badds?|\bcontribut\w+|\bcaus\w+|\brepresent(?:s|ing|ed)?|\btranslat\w+ (?:in)?to|\bworth"
    r"|\bbased on|\bassuming|\bsav\w+"
    r"|\bon top of|\bapart from|\bbesides|(?<!more )(?<!less )(?<!greater )\bthan|\bover the|\bwith)"
    r"(?: (?:an?|the|about|approximately|roughly|around|some|another|only|our|estimated|nearly|net|further"
    r"|up to|at least"
    r"|more than|of|prior|previous|other|incremental|additional|positive|negative|range|in|\w{1,30}ing)){0,12}\s{0,9}$",
    re.IGNORECASE,
)
EFFECT = re.compile(
    r"\b(?:headwinds?|tailwinds?|impacts?|impacted|benefits? (?:from|of|to)|benefit\b(?! ratio| expense)"
    r"|drag|contributions?"
    r"|contribut(?:e|es|ed|ing)|dilut(?:ion|ive)|accret(?!ion expenses?)\w+|foreign (?:currency|exchange)"
    r"|exchange(?: rates?)?|(?<!constant )(?<!local )(?<!constant-)currency"
    r"(?!-neutral| neutral)|fx|price (?:realization|increases?)|pricing|points? of|inflation(?:ary)?"
    r"|headcount|amortization"
    r" expense of|pressure|offset|savings?(?! target)|deleverage|dilution)\b",
    re.IGNORECASE,
)
_EFFECT_AFTER = re.compile(
    r"^(?:[ -](?:of|in|to|on|unfavorable|favorable|negative|positive|net|approximate|year-over-year"
    r"|incremental|additional|sequential"
    r"|annual(?:ized)?|higher|lower|estimated|the|an?|pre-tax|after-tax|one-time|foreign|fx|[\w-]+ly))*"
    r"[ -](?:headwinds?|tailwinds?|impacts?|benefit|drag|contributions?|dilution|accretion|pressure"
    r"|reduction|savings?"
    r"|increase (?:at|to|from|over|in (?:our|the) (?:guid|outlook|range|mid))|improvement|decrease (?:at"
    r"|from)|(?<! an )increase\b"
    r"|lower\b|higher\b|more\b|less\b|better\b|above\b|below\b|ahead\b|worse\b)",
    re.IGNORECASE,
)
_OTHER_BEHIND = re.compile(
    r"[^,.;]{0,60}\bmilestone\b|[^.;]{0,50}, which (?:we (?:have )?(?:already )?completed|was|were)\b"
    r"| (?:a |per )?(?:square feet|oil|copper|gas|gold|wti|brent)\b"
)
_A_MARK = re.compile(r" (?:[\w-]+ ){0,2}(?:level|mark|threshold|milestone)\b(?! of\b)", re.IGNORECASE)
"""Words that make a figure a height that is passed, and not one that is expected."""
_SHARES = re.compile(r" (?:[\w-]+ ){0,4}(?:shares|share count)\b", re.IGNORECASE)
_ON_SHARES = re.compile(r"\b(?:based (?:up)?on|assum\w+|using)(?: (?:an?|about|approximately|roughly|around))*\s*$")
_AT_A_TAX_RATE = re.compile(
    r"\b(?:based on|assum\w+)(?: an?| our)?(?: [\w-]+){0,2} tax rate(?: of| about| approximately)* $", re.IGNORECASE
)
_EXPECTED_WITH = re.compile(r"\b(?:expect|forecast|anticipat|project|target)\w*(?: \w+){0,3} (?:with|over|by)\b[^,]*$")
_GROWS_BY = re.compile(r"\b(?:grow|increas|declin|decreas|expand|reduc)\w*\b[^,;]{0,45} by(?: \w+){0,3}\s*$")
_RAISES = re.compile(
    r"\b(?:increase|improvement|raise|reduction) (?:in|to|of) (?:our|the)\b[^,;]{0,60}\b(?:guidance|outlook|range)\b"
)
_MIDDLE = re.compile(r"\bmidpoint of (?:our|the)\b|\bassum\w+ (?:an?|the|about|approximately)?\s*$")
SET_APART = re.compile(
    r" (?:compared (?:to|with)|versus|up from|down from) \$?[\d.]{1,12}%?(?: (?:million|billion|percent))?(?=, an? )|"
    r" ?\((?:previously|prior|formerly|previous|up from|down from|compared (?:to|with)|versus)\b[^()]{1,60}\)"
    r"|, (?:an?|our) [^,;]{3,50},(?= (?:to|will|is|are)\b)|, which includes? [^;$%]{2,200}?(?= to (?:be|range|total)\b)"
    r"|,? \(?(?:excluding|including|net of|inclusive of|ex)\b"
    r"(?: (?!(?:will|is|are|to|should)\b)[^,()\s]{1,40}){1,12}[,)](?! (?:and )?\$)|, excluding [^,]{2,60},",
    re.IGNORECASE,
)
_IN_GUIDANCE = re.compile(
    r"\b(?:guidance|outlooks?|expectations?|forecast|plan)(?: ranges?)?(?: for [^,;$%]{2,60}?)?"
    r"(?:(?:,? (?:which|now|still|also|will|continues to))* (?:assum|includ|contemplat|reflect|call)(?:es?|s for)?\b"
    r"|,? (?:with|including)\b)",
    re.IGNORECASE,
)
"""`Our guidance assumes` and `our outlook includes` say what is guided to."""
_FROM_A_RANGE = re.compile(
    r"(?<!range )\bfrom (?:(?:the|our|an?|its|prior|previous|range|of|between|about|approximately) )+$"
)
_TO_A_RANGE = re.compile(r" to(?: (?:an?|the|our|between|new|now|range|of|about|approximately))* ")
"""Words behind an old range and before the new one: `from a range of A to B to a range of`."""
_EFFECTS_ON = re.compile(r"\bimpacts? on [^;]{3,160}\bof (?:\w+ ){0,2}$", re.IGNORECASE)
"""A list of what something does to items: `currency impacts on revenue of $5 million, and earnings of`."""
_ON_A_YEAR = re.compile(r"\b(?:versus|compared (?:to|with)) (?:20\d\d|(?:last|prior) year),", re.IGNORECASE)
"""Words that say from when a growth is counted, before its figure."""
_ASSUMES_AN_ITEM = re.compile(
    r"\b(?:based on|assum\w+)(?: (?:an?|our|the|estimated|expected))? (?P<words>[^,;$%]{3,60}?)"
    r"(?: (?:of|between|in|the|a|range|at|approximately|about))* $",
    re.IGNORECASE,
)
"""What guidance is based on, with its name: it is guided to as well."""
ASIDE = re.compile(
    r"\b(?:reflecting|including|includes?|excludes?|driven by|assuming|based on|supported by|despite"
    r"|due to|resulting from|because of|partially offset|which (?:includes?|is|are|excludes?|represents?|equates?|adds?"
    r"|assumes|compares)|compared (?:to|with)|versus|on top of|as a result of)\b",
    re.IGNORECASE,
)


def is_subordinate(window: FigureWindow) -> bool:
    """Tell whether a range is part of another figure, the base of a comparison, or replaced in the same words."""
    if _SHARES.match(window.right) and _ON_SHARES.search(window.left):
        return False
    return _is_effect_behind(window) or _follows_link(window) or _stands_aside(window) or _moves_guidance(window)


def _is_effect_behind(window: FigureWindow) -> bool:
    """Tell whether the words right behind a figure call it an effect, a milestone, or of something else."""
    right = window.right
    if _A_MARK.match(right):
        return True
    moves = r" (?:increase|decline|decrease) in\b"
    if window.amount.kind != "percent":
        moves = r"[ -]point\b| (?:improvement|expansion)\b"
    if window.amount.kind == "basis points":
        moves += r"| (?:higher|lower) than (?:the |our )?(?:fiscal )?(?:20\d\d|(?:last|prior|previous) year)\b"
    if _EFFECT_AFTER.match(right) and (window.amount.kind == "money" or not re.match(moves, right)):
        return True
    return _OTHER_BEHIND.match(right) is not None or "two-year" in (window.left[-60:] + right[:30])


def _follows_link(window: FigureWindow) -> bool:
    """Tell whether words right before a figure link it to another one, such as `from`, `including` or `by`."""
    left, right = window.left, window.right
    if _FROM_A_RANGE.search(left) and _TO_A_RANGE.fullmatch(right):
        return True
    if re.search(r"\bfrom (?:the |our |an? |about |approximately |its )*$", left):
        return not re.search(r"\brang(?:es|ing) from $", left) and (
            not window.amount.is_range or re.match(r" to\b", right) is not None or "range from" not in left
        )
    if _AT_A_TAX_RATE.search(left) or _is_assumed(window):
        return False
    if re.search(r"\bwith (?:about |approximately )?$", left) and re.match(r" (?:in|of) (?:planned|expected)\b", right):
        return False
    if not _SUBORDINATE.search(_IN_GUIDANCE.sub(_blank, left)) or _EXPECTED_WITH.search(left):
        return False
    if _GROWS_BY.search(left) is None:
        return True
    of_guidance = re.search(r"\b(?:guidance|outlook|range|midpoint|starts|forecast(?!(?:ed)? to)|target)\b", left[-60:])
    return of_guidance is not None or re.match(r" to (?:a |an |\$|\d|approximately|between)", right) is not None


def _stands_aside(window: FigureWindow) -> bool:
    """Tell whether a figure stands in an aside behind what is guided to, or speaks of an effect."""
    left = window.left
    ahead = [match.end() for match in AHEAD.finditer(window.lead)]
    plain = _ON_A_YEAR.sub(_blank, _IN_GUIDANCE.sub(_blank, SET_APART.sub(_blank, left)))
    aside = [match.end() for match in ASIDE.finditer(plain)]
    is_aside = aside and ahead and window.before + aside[-1] > ahead[-1] and not _is_assumed(window)
    if is_aside and "range" not in left[aside[-1] :]:
        return True
    nearest = left[max(left.rfind(","), left.rfind(";"), left.rfind(" and "), 0) :]
    if EFFECT.search(nearest) or (ahead and _EFFECTS_ON.search(window.lead, ahead[-1])):
        return True
    return bool(ahead) and re.search(r"\bexclude[sd]?\b", window.lead[ahead[-1] :]) is not None


def _is_assumed(window: FigureWindow) -> bool:
    """Tell whether a figure is of an item that guidance is said to be based on."""
    assumed = _ASSUMES_AN_ITEM.search(window.left)
    return assumed is not None and bool(item_mentions(assumed["words"])) and not EFFECT.search(assumed["words"])


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _moves_guidance(window: FigureWindow) -> bool:
    """Tell whether a figure says by how much guidance moves, or is only its middle."""
    if _RAISES.search(window.left) or re.match(r"the midpoint of (?:our|the)\b", window.lead, re.IGNORECASE):
        return True
    if re.match(r" mid-?point\b", window.right) and re.search(r"\bat (?:the|our|a) $", window.left):
        return True
    return _MIDDLE.search(window.left[-40:]) is not None and not _IN_GUIDANCE.search(window.left[-60:])
