"""Whether a figure belongs to another one: a part of it, the base of a comparison, an effect, the old end of a change."""

from __future__ import annotations

import re

from tradingagents.retrieval.guidance.sentences.cues import AHEAD
from tradingagents.retrieval.guidance.sentences.window import Window

_SUBORDINATE = re.compile(
    r"(?:\binclud(?:es|ing|ed|e)|\binclusive of|\bincorporat\w+|\breflect(?:s|ing|ed)?|\bdriven by"
    r"|\boffset by|\bexcluding|\bversus"
    r"|\bvs\.?|\bcompared (?:to|with)(?: an?| about)?|\bup from|\bdown from|\bby|\bof which|\bplus|\bminus"
    r"|\bimpl(?:y|ies|ied)"
    r"|\badding|\badds?|\bcontribut\w+|\bcaus\w+|\brepresent(?:s|ing|ed)?|\btranslat\w+ (?:in)?to|\bworth"
    r"|\bbased on|\bassuming|\bsav\w+"
    r"|\bon top of|\bapart from|\bbesides|\bthan|\bover the|\bwith)"
    r"(?: (?:an?|the|about|approximately|roughly|around|some|another|only|our|estimated|nearly|net|further"
    r"|up to|at least"
    r"|more than|of|prior|previous|other|incremental|additional|positive|negative|range|in|\w+ing))*\s*$",
    re.IGNORECASE,
)
EFFECT = re.compile(
    r"\b(?:headwinds?|tailwinds?|impacts?|impacted|benefits? (?:from|of|to)|benefit\b(?! ratio| expense)"
    r"|drag|contributions?"
    r"|contribut(?:e|es|ed|ing)|dilut(?:ion|ive)|accret\w+|foreign (?:currency|exchange)"
    r"|exchange(?: rates?)?|currency"
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
    r"|from)|increase\b"
    r"|lower\b|higher\b|more\b|less\b|better\b|above\b|below\b|ahead\b|worse\b)",
    re.IGNORECASE,
)
SET_APART = re.compile(
    r", (?:an?|our) [^,;]{3,50},(?= (?:to|will|is|are)\b)|,? \(?(?:excluding|including|net of|inclusive of"
    r"|ex)\b [^,()]{2,60}[,)]|, excluding [^,]{2,60},",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"\b(?:reflecting|including|includes?|excludes?|driven by|assuming|based on|supported by|despite"
    r"|due to|resulting from|because of|partially offset|which (?:includes?|is|are|excludes?|represents?"
    r"|assumes|compares)|compared (?:to|with)|versus|on top of|as a result of)\b",
    re.IGNORECASE,
)


def is_subordinate(window: Window) -> bool:
    """Tell whether a range is part of another figure, the base of a comparison, or replaced in the same words."""
    left, right = window.left, window.right
    moves = (
        r" (?:increase|decline|decrease) in\b"
        if window.amount.kind == "percent"
        else r"[ -]point\b| (?:improvement|expansion)\b"
    )
    if _EFFECT_AFTER.match(right) and (window.amount.kind == "money" or not re.match(moves, right)):
        return True
    if re.match(
        r"[^,.;]{0,60}\bmilestone\b|[^.;]{0,50}, which (?:we (?:have )?(?:already )?completed|was|were)\b", right
    ):
        return True
    if re.search(r"\bfrom (?:the |our |an? |about |approximately |its )*$", left):
        return not re.search(r"\brang(?:es|ing) from $", left) and (
            not window.amount.is_range or re.match(r" to\b", right) is not None or "range from" not in left
        )
    if re.search(r"\btwo[- ]year\b", left[-60:] + right[:30]) or re.match(
        r" (?:a |per )?(?:square feet|oil|copper|gas|gold|wti|brent)\b", right
    ):
        return True
    if _SUBORDINATE.search(left) and not re.search(
        r"\b(?:expect|forecast|anticipat|project|target)\w*(?: \w+){0,3} (?:with|over|by)\b[^,]*$", left
    ):
        return re.search(
            r"\b(?:grow|increas|declin|decreas|expand|reduc)\w*\b[^,;]{0,45} by(?: \w+){0,3}\s*$", left
        ) is None or (
            re.search(r"\b(?:guidance|outlook|range|midpoint|starts|forecast|target)\b", left[-60:]) is not None
            or re.match(r" to (?:a |an |\$|\d|approximately|between)", right) is not None
        )
    ahead = [match.end() for match in AHEAD.finditer(window.lead)]
    aside = [match.end() for match in _ASIDE.finditer(SET_APART.sub(lambda part: " " * len(part[0]), left))]
    if aside and ahead and window.before + aside[-1] > ahead[-1] and "range" not in left[aside[-1] :]:
        return True
    nearest = left[max(left.rfind(","), left.rfind(";"), left.rfind(" and "), 0) :]
    if EFFECT.search(nearest):
        return True
    if re.search(
        r"\b(?:increase|improvement|raise|reduction) (?:in|to|of) (?:our|the)\b[^,;]{0,60}\b(?:guidance"
        r"|outlook|range)\b",
        left,
    ):
        return True
    since_cue = window.lead[ahead[-1] :] if ahead else ""
    if re.search(r"\bexclude[sd]?\b", since_cue) or re.match(
        r"the midpoint of (?:our|the)\b", window.lead, re.IGNORECASE
    ):
        return True
    return (
        re.search(r"\bmidpoint of (?:our|the)\b|\bassum\w+ (?:an?|the|about|approximately)?\s*$", left[-40:])
        is not None
    )
