"""What one sentence guides for: each range with its item, its basis and the words that say its period.

Read by rule: a range counts where words that look ahead (`we expect`, `guidance`, `will be`) govern it, and where it is a
figure of an item. Left out are what was reported or guided before, the base of a comparison, what a part adds to or takes
from another figure (currency, prices, an acquisition), forecasts of markets and economies, and rates over several years.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tradingagents.retrieval.guidance.amounts import Amount, read_amounts
from tradingagents.retrieval.guidance.guided_items import (
    Basis,
    ItemMention,
    basis_of,
    guided_items,
    item_mentions,
    part_of,
)

Measure = Literal["level", "growth", "change"]
"""`level`: a figure of the item itself; `growth`: percent on a year before; `change`: by how much money, or how many
basis points, it moves."""
Bound = Literal["", "at least", "at most"]

_AHEAD = re.compile(
    r"\b(?:expect(?:s|ing|ed|ations?)?|anticipat(?:e|es|ed|ing)|project(?:s|ed|ing|ions?)?(?= |,)|forecast(?:s|ed|ing)?"
    r"|estimat(?:es?|ing)|estimated (?:to|at|that)|target(?:s|ed|ing)?|guid(?:ance|ing|e|ed|es)|outlook|plan(?:s|ning|ned)?|intend(?:s|ing)?"
    r"|will|we'll|should|would|on track|on pace|assum(?:e|es|ing|ptions?)|goal|commit(?:ted|ment)"
    r"|(?:narrow|tighten|increas|rais|lower|affirm|reaffirm|reiterat|maintain|confirm|updat|revis)(?:ed|ing) (?:[\w'&-]+ ){0,9}?(?:range|midpoint|starts)\b"
    r"|we (?:now |continue to )?see|look(?:ing)? (?:for|to)|capital (?:plan|budget)|poised|position(?:s|ed)? us to)\b",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"\b(?:was|were|had|did|delivered|achieved|reported|generated|totaled|totalled|came in|landed|returned|paid|grew|rose|fell"
    r"|declined|decreased|increased|improved|expanded|exceeded|reached|repurchased|earned|ended|spent|posted|beat|recorded"
    r"|produced|drove|contributed|benefited|averaged|finished|invested|told you|was expected|were expected|compared)\b",
    re.IGNORECASE,
)
_MET = re.compile(
    r"\b(?:above|below|exceed(?:ed|ing|s)?|beat(?:ing|s)?|within|versus|compared (?:to|with|favorably to)|in line with|ahead of"
    r"|than|of our (?:original|initial)|reach(?:ed|ing)|achiev(?:ed|ing)|met|better than|worse than|meets?|(?:relative|similar|close|equal|up|due|compared) to|told you|(?:introduced|provided|gave|announced|set)(?: an?)?)"
    r" (?:or (?:above|exceed\w*) )?(?:the |our |its |what we )*(?:(?:very )?(?:high|low|upper|lower|top|bottom)(?:-|er|est)? ?"
    r"(?:end|half|point)? (?:of )?|midpoint of )?(?:the |our |its )*(?:most recent |prior |previous |original |initial |earlier"
    r" |internal |own |most-recent )*(?:[\w'-]+ ){0,4}?(?:guid(?:ance|ed)|expect(?:ed|ations?)|outlook|forecast(?:ed|s)?|anticipated"
    r"|assumed|planned|estimated|estimates?|target(?:ed)?|projected|projections?|plan)\b",
    re.IGNORECASE,
)
_OLD = re.compile(
    r"\b(?:prior|previous(?:ly)?|original(?:ly)?|initial(?:ly)?|earlier|former(?:ly)?|last year's|had (?:been )?(?:expect|anticipat|plann"
    r"|assum|project|forecast|target)\w*|(?:as )?expected(?=,|\.| and)|as (?:we )?(?:anticipated|planned|guided)|old)\b",
    re.IGNORECASE,
)
_SUBORDINATE = re.compile(
    r"(?:\binclud(?:es|ing|ed|e)|\binclusive of|\bincorporat\w+|\breflect(?:s|ing|ed)?|\bdriven by|\boffset by|\bexcluding|\bversus"
    r"|\bvs\.?|\bcompared (?:to|with)(?: an?| about)?|\bup from|\bdown from|\bby|\bof which|\bplus|\bminus|\bimpl(?:y|ies|ied)"
    r"|\badding|\badds?|\bcontribut\w+|\bcaus\w+|\brepresent(?:s|ing|ed)?|\btranslat\w+ (?:in)?to|\bworth|\bbased on|\bassuming|\bsav\w+"
    r"|\bon top of|\bapart from|\bbesides|\bthan|\bover the|\bwith)"
    r"(?: (?:an?|the|about|approximately|roughly|around|some|another|only|our|estimated|nearly|net|further|up to|at least"
    r"|more than|of|prior|previous|other|incremental|additional|positive|negative|range|in|\w+ing))*\s*$",
    re.IGNORECASE,
)
_EFFECT = re.compile(
    r"\b(?:headwinds?|tailwinds?|impacts?|impacted|benefits? (?:from|of|to)|benefit\b(?! ratio| expense)|drag|contributions?"
    r"|contribut(?:e|es|ed|ing)|dilut(?:ion|ive)|accret\w+|foreign (?:currency|exchange)|exchange(?: rates?)?|currency"
    r"(?!-neutral| neutral)|fx|price (?:realization|increases?)|pricing|points? of|inflation(?:ary)?|headcount|amortization"
    r" expense of|pressure|offset|savings?(?! target)|deleverage|dilution)\b",
    re.IGNORECASE,
)
_EFFECT_AFTER = re.compile(
    r"^(?:[ -](?:of|in|to|on|unfavorable|favorable|negative|positive|net|approximate|year-over-year|incremental|additional|sequential"
    r"|annual(?:ized)?|higher|lower|estimated|the|an?|pre-tax|after-tax|one-time|foreign|fx|[\w-]+ly))*"
    r"[ -](?:headwinds?|tailwinds?|impacts?|benefit|drag|contributions?|dilution|accretion|pressure|reduction|savings?"
    r"|increase (?:at|to|from|over|in (?:our|the) (?:guid|outlook|range|mid))|improvement|decrease (?:at|from)|increase\b"
    r"|lower\b|higher\b|more\b|less\b|better\b|above\b|below\b|ahead\b|worse\b)",
    re.IGNORECASE,
)
_OUTSIDE = re.compile(
    r"\b(?:industry|industries|gdp|economy|economic|consensus|analysts?|sell[ -]side|street|unemployment|replacement cost"
    r"|net absorption|wood ?mac|market (?:is|to|growth|demand|will|rent)|(?:parcel|addressable|overall|domestic b2b) market"
    r"|ihs|regulatory minimum|capital need|congress|government|enacted|customers? (?:will|to) |fed's|barrel price|per barrel price)\b",
    re.IGNORECASE,
)
_SEVERAL_YEARS = re.compile(
    r"\bmonths end(?:ed|ing)\b|\b(?:maintain|minimum) annual\b|\bannual (?:capital|operating|capex|free|dividend)|\bcagr\b|\bcompound\w*|\blong[- ]term\b|\blonger[- ]term\b|\bover the (?:next|coming|following) (?:\w+ ){0,3}(?:years|decades?)"
    r"|\bper (?:year|annum)\b|\beach year\b|\bannually\b|\bon an annual basis\b|\brun[- ]rates?\b|\bannualized\b|\bper quarter\b"
    r"|\bevery (?:year|quarter)\b|\bmid-?term\b|\bmedium[- ]term\b|\baspir\w+|\bfive-year\b|\bmulti-?year\b|\bfor the next \w+ years\b"
    r"|\bthrough(?: at least)? 20[2-9]\d|\bfirst four years\b|\bour goals? of\b|\bover (?:a |the )?\w+-year|\bin each of\b",
    re.IGNORECASE,
)
_HYPOTHETICAL = re.compile(
    r"\bscenario assumes\b|\bin annual (?:sales|revenue)|^(?:if|should (?:the|we|our|average|storm)|let's assume|suppose|without)\b|\bfor example\b|\bwe could\b"
    r"|\bcould (?:see|be|support|exceed|generate)\b|\bwould have\b|\bmay (?:be|reach)\b|\bforward-looking\b|\bno obligation\b",
    re.IGNORECASE,
)
_LEAD_FILL = frozenset(
    """to be is are was at of in a an the our its new now expected anticipated projected forecast forecasted estimated
    targeted between from approximately about roughly around nearly close just range ranges ranging will should would
    remain remains continue continues full year years fiscal annual calendar guidance outlook forecast target
    expectation expectations estimate rate ratio total revised updated average approach reach exceed exceeding excess
    least more than greater up down grow growing growth increase increasing increases decline declining decrease expand
    expanding improve as least minimum over above under below less most no by for still approximate come run again
    adjusted diluted basis on per share slightly bit a high low end upper lower half level come total totaling equal
    we expect expects see reflect comprise amount range, be: it either negative positive and plus first second third
    fourth quarter q1 q2 q3 q4 fy midpoint year-over-year both continued currently maintain reported gaap non-gaap
    organic organically operational operationally within wide set achieve generate generating deliver each additional
    unchanged provided last expansion incremental another in-line percentage expense expenses stay flat fall run-rate reaching target, hit hits
    """.split()
)
_AT_LEAST = re.compile(
    r"\b(?:at least|more than|over|in excess of|exceed(?:s|ing)?|above|greater than|no less than|minimum of|north of|better than"
    r"|surpass(?:es|ing|ed)?)(?: a| an| approximately| about| the)?\s*$",
    re.IGNORECASE,
)
_AT_LEAST_AFTER = re.compile(r"^ ?(?:or (?:more|greater|higher|better|above)|plus\b|\+)", re.IGNORECASE)
_AT_MOST = re.compile(
    r"\b(?:up to|as much as|less than|below|under|at most|no more than|maximum of|not exceed|up to our full)\s*$", re.IGNORECASE
)
_DOWN = re.compile(
    r"\b(?:down|declin\w*|decreas\w*|reduc\w*|lower(?! end)|fall|drop|contract\w*|decremental growth)(?: \w+){0,4}\s*$", re.I
)
_RISE_MONEY = re.compile(
    r"\b(?:increase|grow|growing|rise|decline|decrease|up|down|increasing)(?: (?:in|by|between|approximately|about|roughly|around|the"
    r"|range|of|a|from|an))*\s*$",
    re.IGNORECASE,
)
_GROWTH_RIGHT = re.compile(
    r"^(?:[ -](?!and\b|or\b|for\b)[\w'&.,-]+){0,5}?[ -](?:growth|increase in|decline in|operational growth)\b", re.IGNORECASE
)
_RESTATED = re.compile(
    r"(?:^|,|\b)(?: ?,)? ?(?:represent\w*|reflect\w*|equivalent to|which (?:is|would be|represents?|reflects?|equates to|would result in)"
    r"|that's|or|a|an|up|this represents|this reflects|the range represents)(?: (?:an?|estimated|approximately|about|roughly|nearly"
    r"|year-over-year|increase|growth|of|range|operational|organic|between|from|the|positive|rate|around|a|almost|[\w-]+ly))*\s*$",
    re.IGNORECASE,
)
_GROWTH_BEHIND = re.compile(
    r"(?:[ -](?:organic|operational|year-over-year|over|local|currency|constant|in)){0,4} ?(?:growth|increase|year over year|over)"
)
_BUYS = re.compile(
    r"\b(?:(?:re)?purchas(?:e|es|ing)|buy(?:ing)? ?back|buyback)\b(?! price)[^,;]{0,40}$", re.IGNORECASE
)
_RETURNS = re.compile(r"\breturn(?:ing)?\b[^,;]{0,30}$", re.IGNORECASE)
_SPENDS = re.compile(r"\b(?:spend|invest)(?:ing)?\b[^,;]{0,40}$", re.IGNORECASE)
_COUNTED = re.compile(
    r"\b(?:open|ship|deliver|add|complete|have|finish|expect|target|produce|launch|serve|planned|administer|plan)(?:ing|ed)?"
    r"(?: (?:on|to|a|an|total|of|about|approximately|roughly|around|over|more|than|at|least|up|another|some|capacity|have))*\s*$",
    re.IGNORECASE,
)
_TO_NEW = re.compile(
    r" (?:per share |in total |at the midpoint |for the year )?(?:and (?:now expect|narrowing the range|tightening the range) )?"
    r"(?:to|with|a)(?: now| approximately| about| a| an| the| new| midpoint| range| record| revised| of| between| over| at least| above)*\s*",
    re.IGNORECASE,
)
_OWN = re.compile(
    r"(?:^|[,;:] (?:and )?|\b(?:that|expect|expects|anticipate|project|forecast|see|assume)\b )(?:our |the |its )?"
    r"(?P<words>(?!(?:we|it|this|that|there|these|which|what|by|at|in|for|with|on|if|as|and|but|or)\b)"
    r"(?:(?!(?:we|which|that|to|these|it|they|you|expects?|expected|be|will|is|are|and|by|reflecting)\b)[\w’'&/.-]+ ){1,6}?)"  # noqa: RUF001
    r"(?:(?:is|are)(?: now| also| still)? (?:expected|anticipated|projected|forecast(?:ed)?|estimated|targeted) to"
    r" (?:be|average|total|reach|range|increase|grow|decline|decrease)"
    r"|(?:should|will|would) (?:be|average|total|range|approximate)|to (?:be|average|total|range|approximate|increase|decline|run|come))"
    r"(?: (?:now|by|around|about|approximately|roughly|between|at|in|over|nearly|slightly|the|a|an|range|of|least|more|than|from|just|to|new"
    r"|close|down|up|on|lower|upper|high|low|end|our|typical|guided|guidance))*\s*$",
    re.IGNORECASE,
)
_OWN_OF = re.compile(
    r"\b(?:expect|expects|expecting|forecasting|anticipate|project|projecting)(?: to (?:achieve|generate|deliver|recognize))? (?:our |the )?"
    r"(?P<words>(?:(?!(?:we|which|that|to|these|it|by|with|in|for|and|a|an)\b)[\w’'&/.-]+ ){1,5}?)of"  # noqa: RUF001
    r"(?: (?:about|approximately|roughly|around|between|over|nearly|at|least|more|than|up|to|just|a|range|of))*\s*$",
    re.IGNORECASE,
)
_PERCENTAGE_OF = re.compile(r" as a (?:percent(?:age)?|% ?) of (?:our |total |net )*$", re.IGNORECASE)
_APART = re.compile(r", (?:an?|our) [^,;]{3,50},(?= (?:to|will|is|are)\b)|,? \(?(?:excluding|including|net of|inclusive of|ex)\b [^,()]{2,60}[,)]|, excluding [^,]{2,60},", re.IGNORECASE)
_ASIDE = re.compile(
    r"\b(?:reflecting|including|includes?|excludes?|driven by|assuming|based on|supported by|despite|due to|resulting from|because of|partially offset|which (?:includes?|is|are|excludes?|represents?|assumes|compares)|compared (?:to|with)|versus|on top of|as a result of)\b",
    re.IGNORECASE,
)
_OF_SALES = re.compile(
    r"^ of (?:our |total |systemwide |net |gross |average |full[- ]year )*(?P<base>sales|revenues?|operating cash flow|net income"
    r"|loans|systemwide sales|cash flow from operations|interest-earning assets)\b",
    re.IGNORECASE,
)
_NOUNS = re.compile(
    r"^ (?!and |or |to |by |as )(?:of |in )?(?:the |our |new |total |net |additional |incremental |global )*(?P<words>[A-Za-z][\w'&/.-]*(?: (?!in\b|for\b|by\b|this\b"
    r"|to\b|of\b|and\b|per\b|on\b|from\b|during\b|or\b|with\b|as\b|at\b|over\b|compared\b|versus\b|throughout\b|across\b|annually\b|a\b"
    r"|was\b|were\b|is\b|are\b|the\b|which\b|that\b|next\b|we\b|into\b|through\b|after\b)[A-Za-z][\w'&/-]*){0,4})",
)


@dataclass(frozen=True, slots=True)
class SaidRange:
    """A range that a sentence guides to, before its period is resolved."""

    amount: Amount
    item: str
    """Key of the item, or the words as printed where the table has none."""
    part: str
    """The segment, product or region; empty for the company."""
    is_known: bool
    measure: Measure
    bound: Bound
    basis: Basis
    since: int | None = None
    """The year on which a growth is counted where it is none of the year before, such as 2019."""
    turns_to: str = ""
    """The segment that the sentence names apart from the item, of which the next ones go on to speak."""


def read_ranges(text: str, subject: str = "") -> list[SaidRange]:
    """Return what a sentence guides to.

    Args:
        text: The sentence, on one line.
        subject: The segment that the sentences before it speak of; empty for the company.
    """
    if not _AHEAD.search(text) or _HYPOTHETICAL.search(text) or not re.search(r"\d|percent", text):
        return []
    whole, text = text, _APART.sub(lambda aside: " " * len(aside[0]), text)
    amounts = read_amounts(text)
    mentions = item_mentions(text) if amounts else []
    said: list[SaidRange] = []
    for number, amount in enumerate(amounts):
        before = amounts[number - 1].end if number else 0
        after = amounts[number + 1].start if number + 1 < len(amounts) else len(text)
        last = amounts[number - 1] if number else None
        window = _Window(text, amount, before, after, last, whole)
        found = _read_one(window, mentions, said, said[-1].turns_to or subject if said else subject)
        if found is not None:
            said.append(found)
    return _both_bases(text, _both_items(text, amounts, mentions, said, subject))


def looks_ahead(text: str) -> bool:
    """Tell whether a sentence speaks of what is to come."""
    return _AHEAD.search(text) is not None


@dataclass(frozen=True, slots=True)
class _Window:
    """A range between the one before it and the one after it."""

    text: str
    amount: Amount
    before: int
    after: int
    last: Amount | None
    """The figure before it; None for the first."""
    whole: str
    """The sentence with what stands in commas or brackets, such as `, excluding promotes,`, which `text` leaves blank."""

    @property
    def left(self) -> str:
        return self.text[self.before : self.amount.start]

    @property
    def lead(self) -> str:
        return self.text[: self.amount.start]

    @property
    def right(self) -> str:
        return self.text[self.amount.end : self.after]


def _read_one(
    window: _Window, mentions: Sequence[ItemMention], said: Sequence[SaidRange], subject: str
) -> SaidRange | None:
    if not _is_guided(window):
        return None
    again = _restated_growth(window, said) or _carried(window, said)
    if again is not None:
        return again
    if _is_subordinate(window):
        return None
    mention = _item(window, mentions)
    if mention is None or _OUTSIDE.search(f"{mention.key} {mention.part} {window.left[-80:]}"):
        return None
    return _measured(window, mention, subject)


def _is_guided(window: _Window) -> bool:
    """Tell whether words that look ahead govern the range: after them, none that look back."""
    lead = window.lead
    ahead = [match for match in _AHEAD.finditer(lead)]
    met = [(match.start(), match.end()) for match in _MET.finditer(lead)]
    ahead = [match for match in ahead if not any(start <= match.start() < end for start, end in met)]
    if not ahead:
        return False
    last = ahead[-1]
    back = [match for match in _BACK.finditer(lead) if match.start() > last.end()]
    if any(not _is_adjective(lead, match) for match in back):
        return False
    if any(start > last.start() for start, _ in met) or _SEVERAL_YEARS.search(_clause(window)):
        return False
    old = [match for match in _OLD.finditer(lead) if match.start() > last.start() - 22]
    return not any(match.end() > window.before for match in old)


def _is_adjective(lead: str, match: re.Match[str]) -> bool:
    """Tell whether a word such as `increased` stands before a noun rather than as what happened."""
    return (
        re.match(
            r" (?:investment|demand|share|level|capital|cash|volume|diluted|eps|earnings|basis|net|results|revenue|growth|sales"
            r"|[\w-]+ expense)",
            lead[match.end() :],
        )
        is not None
    )


def _clause(window: _Window) -> str:
    """Return the words around a range between the nearest semicolons."""
    start = window.text.rfind(";", 0, window.amount.start) + 1
    end = window.text.find(";", window.amount.end)
    return window.text[start : end if end >= 0 else len(window.text)]


def _is_subordinate(window: _Window) -> bool:
    """Tell whether a range is part of another figure, the base of a comparison, or replaced in the same words."""
    left, right = window.left, window.right
    moves = r" (?:increase|decline|decrease) in\b" if window.amount.kind == "percent" else r"[ -]point\b| (?:improvement|expansion)\b"
    if _EFFECT_AFTER.match(right) and (window.amount.kind == "money" or not re.match(moves, right)):
        return True
    if re.match(r"[^,.;]{0,60}\bmilestone\b|[^.;]{0,50}, which (?:we (?:have )?(?:already )?completed|was|were)\b", right):
        return True
    if re.search(r"\bfrom (?:the |our |an? |about |approximately |its )*$", left):
        return not re.search(r"\brang(?:es|ing) from $", left) and (
            not window.amount.is_range or re.match(r" to\b", right) is not None or "range from" not in left
        )
    if re.search(r"\btwo[- ]year\b", left[-60:] + right[:30]) or re.match(r" (?:a |per )?(?:square feet|oil|copper|gas|gold|wti|brent)\b", right):
        return True
    if _SUBORDINATE.search(left) and not re.search(
        r"\b(?:expect|forecast|anticipat|project|target)\w*(?: \w+){0,3} (?:with|over|by)\b[^,]*$", left
    ):
        return re.search(r"\b(?:grow|increas|declin|decreas|expand|reduc)\w*\b[^,;]{0,45} by(?: \w+){0,3}\s*$", left) is None or (
            re.search(r"\b(?:guidance|outlook|range|midpoint|starts|forecast|target)\b", left[-60:]) is not None
            or re.match(r" to (?:a |an |\$|\d|approximately|between)", right) is not None
        )
    ahead = [match.end() for match in _AHEAD.finditer(window.lead)]
    aside = [match.end() for match in _ASIDE.finditer(_APART.sub(lambda part: " " * len(part[0]), left))]
    if aside and ahead and window.before + aside[-1] > ahead[-1] and "range" not in left[aside[-1] :]:
        return True
    nearest = left[max(left.rfind(","), left.rfind(";"), left.rfind(" and "), 0) :]
    if _EFFECT.search(nearest):
        return True
    if re.search(r"\b(?:increase|improvement|raise|reduction) (?:in|to|of) (?:our|the)\b[^,;]{0,60}\b(?:guidance|outlook|range)\b", left):
        return True
    since_cue = window.lead[ahead[-1] :] if ahead else ""
    if re.search(r"\bexclude[sd]?\b", since_cue) or re.match(r"the midpoint of (?:our|the)\b", window.lead, re.IGNORECASE):
        return True
    return re.search(r"\bmidpoint of (?:our|the)\b|\bassum\w+ (?:an?|the|about|approximately)?\s*$", left[-40:]) is not None


def _restated_growth(window: _Window, said: Sequence[SaidRange]) -> SaidRange | None:
    """Return what says the last range another way, as in `$8.3 to $8.5 billion, representing 9% to 11% growth`."""
    if not said or window.before != said[-1].amount.end:
        return None
    last, left, right = said[-1], window.left, window.right
    restated = _RESTATED.search(left)
    if restated is None or restated.end() != len(left) or len(left) > 110:
        return None
    if re.search(r"\b(?:and|while|with)\b", left) and "which" not in left:
        return None
    basis = basis_of(left + right[:60]) or last.basis
    if window.amount.kind == "percent" and last.measure == "level" and last.amount.kind == "money":
        named = re.search(r"\b(?:growth|increase|up)\b", left) or _GROWTH_BEHIND.match(right)
        measure: Measure = "growth"
    elif window.amount.kind == "money" and last.measure == "growth":
        named, measure = re.search(r"\b(?:or|to be|be)\b", left), "level"
        basis = "" if last.basis == "constant currency" else last.basis
    elif window.amount.kind == "money" and last.item.endswith(" to revenue"):
        named, last = re.match(r" of (?:revenue|sales) or ", left), replace(last, item=last.item.removesuffix(" to revenue"))
        measure = "level"
    elif window.amount.kind == "basis points" and last.measure == "level" and last.amount.kind == "percent":
        named, measure = re.match(r" expansion\b", right), "change"
    else:
        return None
    if named is None:
        return None
    return replace(last, amount=window.amount, measure=measure, basis=basis, bound=_bound(window), since=None)


_CARRIED = re.compile(
    r"(?:(?:[ -](?:versus|compared to|from|over|growth|shares|in|for|of|this|next|the|full|year|fiscal|[‘’']?\d{2,4}|quarter|first|second"  # noqa: RUF001
    r"|third|fourth|half|back|q[1-4]|fy)){0,8})?,? and (?:approximately |about |roughly |around )?(?:for )?(?:the )?(?:our )?(?P<words>[^,;$%]{0,50})",
    re.IGNORECASE,
)
_PERIOD_WORD = re.compile(r"20\d\d|[‘’']\d\d\b|\byear\b|\bquarter\b|\bhalf\b|\bq[1-4]\b", re.IGNORECASE)  # noqa: RUF001


def _carried(window: _Window, said: Sequence[SaidRange]) -> SaidRange | None:
    """Return a second range of the same item for another period or base: `12% to 14% for Q3 and full year 19% to 20%`."""
    if not said or window.before != said[-1].amount.end or window.amount.kind != said[-1].amount.kind:
        return None
    if re.match(r" (?:of|in) (?!20\d\d|the |fiscal )", window.right):
        return None
    link = _CARRIED.fullmatch(window.left)
    if link is None or not _is_filled(link["words"]) or item_mentions(window.left):
        return None
    behind = re.match(r"(?: [\w-]+){0,2} (?:for|in|versus|compared to|over) [^,;]{0,25}", window.right)
    if not (_PERIOD_WORD.search(window.left) or (behind and _PERIOD_WORD.search(behind[0]))):
        return None
    return replace(said[-1], amount=window.amount, bound=_bound(window), since=_since(window))


def _item(window: _Window, mentions: Sequence[ItemMention]) -> ItemMention | None:
    """Return the item that a range is of."""
    amount = window.amount
    left = [mention for mention in mentions if window.before <= mention.start and mention.end <= amount.start]
    if window.last is not None and left and re.fullmatch(r" (?:of|in) ", window.text[window.before : left[0].phrase_start]):
        left = left[1:]  # it is of the figure before
    right = [mention for mention in mentions if amount.end <= mention.start and mention.end <= window.after]
    right = [mention for mention in right if _fits(mention, amount)]
    moved = _moved(window, mentions)
    if moved is not None:
        return moved
    near = next((mention for mention in reversed(left) if _fits(mention, amount)), None)
    if near is not None and amount.kind == "percent" and (share := _PERCENTAGE_OF.search(window.text[: near.start])):
        base = [mention for mention in left if mention.end <= share.start() + 1]
        return replace(base[-1], key=f"{base[-1].key} to {near.key}") if base else None
    if near is not None and _is_filled(window.text[near.end : amount.start]):
        return near
    acted = _acted(window)
    if acted is not None:
        return acted
    if right and _is_named_behind(window, right[0]):
        return right[0]
    own = _own_words(window) or _own_list(window)
    if own is not None:
        return own
    if amount.per == "share" and "diluted" in window.text[amount.start : amount.end]:
        return ItemMention("eps", "", amount.start, amount.start, amount.start)
    between = window.text[near.end : amount.start] if near is not None else ""
    if near is not None and _is_filled(between, others=3) and not re.search(r"[;,]|\band\b|\bwhich\b|\bwith\b", between):
        return near
    return _item_ahead(window, mentions)


def _item_ahead(window: _Window, mentions: Sequence[ItemMention]) -> ItemMention | None:
    """Return the item that a sentence begins with, as in `For sales, we are raising our guide to …`."""
    opened = re.match(r"(?:and |so |now,? |finally, )*(?:for|on|with respect to|in terms of) (?:the |our )?", window.text, re.IGNORECASE)
    if opened is None:
        return None
    first = next((mention for mention in mentions if mention.phrase_start <= opened.end() + 1), None)
    if first is None or not re.match(r"(?: \w+)?,", window.text[first.end :]) or not _fits(first, window.amount):
        return None
    return first if not any(first.end < mention.start < window.amount.start for mention in mentions) else None


def _moved(window: _Window, mentions: Sequence[ItemMention]) -> ItemMention | None:
    """Return the item that is moved `by A to B`, or `from A to B`: it stands before A."""
    last = window.last
    if last is None or not _TO_NEW.fullmatch(window.left):
        return None
    lead = window.text[: last.start]
    moved = re.search(r"\b(?:by|from)(?: an?| about| approximately| our| prior| the| range| of)*\s*$", lead)
    if moved is None:
        return None
    known = next((one for one in reversed(mentions) if one.end <= last.start and _fits(one, window.amount)), None)
    if _EFFECT.search(lead[-90:]):
        return None
    if known is not None and _is_filled(re.sub(r"\b(?:revenue|earnings|and|both|midpoint)\b", " ", lead[known.end : moved.start()])):
        return known
    own = re.search(
        r"\b(?:increasing|raising|lowering|updating|revising|reducing|tightening|narrowing)(?: and increasing)? (?:the midpoint for |our |the )?"
        r"(?P<words>(?:[\w'&-]+ ){1,5}?)(?:midpoint |guidance |outlook |range )?$",
        lead[: moved.start()],
        re.IGNORECASE,
    )
    if own is None or item_mentions(own["words"]) or not part_of(own["words"]) or re.search(r"\b(?:guide|guidance|midpoint)\b", own["words"]):
        return None
    return ItemMention(part_of(own["words"]), "", own.start("words"), own.end("words"), own.start("words"), is_known=False)


def _fits(mention: ItemMention, amount: Amount) -> bool:
    """Tell whether a figure of this kind can be one of the item."""
    unit = guided_items()[mention.key].unit
    if amount.kind == "money":
        if amount.per == "share":
            return unit == "per_share" or mention.key in ("dividends", "operating_income", "net_income")
        if amount.per not in ("", "year", "annum", "quarter"):
            return unit == "money"
        small = not amount.scaled and abs(amount.high) < 1000
        return (unit == "per_share" or (mention.key == "dividends" and small)) if small else unit in ("money", "per_share")
    if amount.kind in ("percent", "basis points"):
        return unit not in ("shares", "ratio") and not (amount.kind == "basis points" and unit == "money")
    if amount.kind == "ratio":
        return unit == "ratio"
    return unit in ("shares", "count", "ratio") or (amount.scaled and unit == "money")


def _is_filled(between: str, *, others: int = 0) -> bool:
    """Tell whether only words that link an item to its figure stand between them, and at most a few others."""
    plain = re.sub(r"\([^)]*\)|,? (?:excluding|including|net of)\b[^,()]{2,60},|[‘’']s\b|[,:$-]|20\d\d|[‘’']\d\d", " ", between)  # noqa: RUF001
    words = [word.lower() for word in plain.split()]
    strange = [word for word in words if word not in _LEAD_FILL]
    return len(words) <= 18 and len(strange) <= others and not (strange and words[0] == strange[0])


def _is_named_behind(window: _Window, mention: ItemMention) -> bool:
    """Tell whether the words right behind a range name its item: `of free cash flow`, `organic revenue growth`."""
    between = window.text[window.amount.end : mention.phrase_start]
    if window.amount.kind == "money" and _SPENDS.search(window.left) and re.fullmatch(r" (?:[\w-]+ ){0,5}(?:in|in the form of)(?: our)? ", between):
        return True
    if not re.fullmatch(
        r"[ -]*(?:(?:of|in|for|growth in|increase in|decline in)\b)?(?: (?:our|the|its|total|all-in|full-year|annual|core|adjusted))*[ -]*",
        between,
    ):
        return False
    inner = window.text[mention.phrase_start : mention.start]
    if window.amount.kind == "percent" and re.match(r" of ", between):
        return False  # a share of it
    if re.match(r" ?(?:of|in) ", between) or "growth in" in between or "increase in" in between:
        return True
    if window.amount.kind == "percent":
        return re.match(r"[ -]?(?:rate )?growth\b", window.text[mention.end :]) is not None
    return len(inner) < 40 and between.strip() == ""


def _acted(window: _Window) -> ItemMention | None:
    """Return what a verb says is done with money: shares bought back, cash returned."""
    at = window.amount.start
    if window.amount.kind == "percent" and _RETURNS.search(window.left) and re.match(r" of \w[^,;]{0,40} to (?:our )?(?:share|stock)", window.right):
        return ItemMention("shareholder_returns", "", at, at, at)
    if window.amount.kind != "money":
        return None
    if _BUYS.search(window.left) and (
        re.search(r"\b(?:re)?purchas|buy", window.left) and re.search(r"shares?\b|stock|repurchas|buy ?back", window.left + window.right[:40])
    ):
        return ItemMention("share_repurchases", "", at, at, at)
    if _RETURNS.search(window.left) and re.search(r"share(?:holders|owners)|stockholders|dividends", window.right[:60]):
        if re.search(r"\b(?:via|through|in) (?:share|stock) (?:repurchase|buyback)", window.right[:60]):
            return ItemMention("share_repurchases", "", at, at, at)
        in_dividends = re.match(r" (?:to our shareholders |to shareholders )?(?:through|in) dividends(?! and)", window.right)
        return ItemMention("dividends" if in_dividends else "shareholder_returns", "", at, at, at)
    if re.search(r"\bdistribute\b", window.left) and re.match(r" in dividends", window.right):
        return ItemMention("dividends", "", at, at, at)
    return None


def _own_words(window: _Window) -> ItemMention | None:
    """Return a key figure in the company's own words, where the sentence plainly calls the figure by them."""
    counted = _counted_noun(window)
    if counted is not None:
        return counted
    named = _OWN.search(window.left) or _OWN_OF.search(window.left)
    if named is None or window.amount.kind in ("points",):
        return None
    words = named["words"].strip(" ,")
    if re.search(r"\b(?:we|it|this|that|there|guidance|outlook|range|assumptions?|growth|results?|midpoint|guide)$", words, re.IGNORECASE):
        return None
    phrase = part_of(words)
    if not phrase or len(phrase.split()) > 6 or item_mentions(words) or not re.search(r"[a-z]{3}", phrase):
        return None
    if _EFFECT.search(words) or _VAGUE_WORDS.search(phrase):
        return None
    start = window.before + named.start("words")
    return ItemMention(phrase, "", start, start + len(words), start, is_known=False)


def _own_list(window: _Window) -> ItemMention | None:
    """Return the key figure of a list: `throughput volumes to fall within these ranges: Gulf Coast at …; West Coast at …`."""
    entry = re.search(r"[:;,] (?:and )?(?P<words>[A-Z][\w' -]{2,40}?) at (?:about |approximately )?$", window.left)
    whole = re.search(r"\b(?:expect|project|anticipate|forecast) (?P<words>(?:[\w-]+ ){1,4}?)to (?:fall|be|range|average) [^:]{0,40}ranges?:", window.lead)
    if entry is None or whole is None:
        return None
    at = window.before + entry.start("words")
    return ItemMention(part_of(f"{entry['words']} {whole['words']}"), "", at, at, at, is_known=False)


_VAGUE_WORDS = re.compile(
    r"\b(?:square feet|scenario|regulatory|minimum|consideration|behalf|cash|debt|loss|need|plant|facility|project|capacity|minutes"
    r"|points?|markets?|population|rates?|purposes|increases?|decreases?|changes?)\b"
)


def _counted_noun(window: _Window) -> ItemMention | None:
    """Return the noun that a number counts, or money is spent on: `55 million tests`, `$5 billion in marketing`."""
    amount, at = window.amount, window.amount.end
    nouns = _NOUNS.match(window.right)
    if nouns is None:
        return None
    words = nouns["words"].strip()
    if amount.kind == "count" and re.match(r"(?:gallons|barrels|pounds|ounces|tons|tonnes|megawatts)\b", words):
        made = re.search(r"\bproduce\b", window.left) is not None
        return ItemMention("production", "", at, at, at) if made else None
    if amount.kind == "count" and _COUNTED.search(window.left) and not re.match(r"(?:basis|percent|points?|years?|days?|months?|weeks?|quarters?|of|states|countries|minutes|hours|megawatts|new states)\b", words):
        plain = part_of(words)
        if not plain or _VAGUE_WORDS.search(plain):
            return None
        return ItemMention(plain, "", at, at + len(words), at, is_known=False)
    of = re.match(r" (?:of|in) ", window.right)
    if amount.kind == "money" and of is not None and (_SPENDS.search(window.left) or re.search(r"\b(?:expect|generate|recognize|anticipate|achieve|forecast\w*|assum\w+|achiev\w+)(?: \w+){0,4}\s*$", window.left)):
        plain = part_of(words)
        found = item_mentions(words)
        if plain and not found and not _VAGUE_WORDS.search(plain) and not _EFFECT.search(words):
            return ItemMention(plain, "", at, at + len(words), at, is_known=False)
    return None


def _measured(window: _Window, mention: ItemMention, subject: str) -> SaidRange | None:
    """Return a range as one of its item: a level, a growth or a change, with its bound and its basis."""
    if _is_of_others(window):
        return None
    if window.amount.per == "share" and mention.key in ("operating_income", "net_income"):
        mention = replace(mention, key="eps")
    amount, item = window.amount, guided_items().get(mention.key)
    unit = item.unit if item is not None else ""
    if unit == "count" and (amount.kind == "percent" and not _is_growth(window) or amount.kind == "count" and _RISE_MONEY.search(window.left)):
        return None
    if amount.kind == "count" and unit == "money":
        if "$" not in window.text:
            return None
        amount = replace(amount, kind="money", currency="USD")
    if amount.kind == "money" and item is None and not amount.scaled and abs(amount.high) < 1000 and not amount.per:
        return None  # of what an amount without a scale is counted by, the sentence does not say
    measure: Measure = "level"
    told = "" if mention.part or _is_whole(window, mention) else _part_before(window, mention) or _part_of_sentence(window)
    part = mention.part or told
    if not part and mention.key in _OF_SEGMENTS and not _is_whole(window, mention):
        part = subject
    whose = _whose(window, mention)
    if whose is not None:
        part = f"{whose} {part}".strip()
        if not whose:
            return None
    if _THE_SEGMENT.search(window.text[mention.phrase_start : mention.end]) or part == "segment" and _THE_SEGMENT.search(window.text):
        part = subject
        if not part:
            return None
    elif not mention.part and part in ("", subject) and _THE_SEGMENT.search(window.text):
        return None  # of which segment, the sentence does not say
    if unit == "money" and re.search(r"\b(?:incremental|additional)\b", window.text[mention.phrase_start : mention.start]) and not part:
        return None
    if part == "segment" and mention.key not in ("operating_margin", "operating_income"):
        part = subject
        if not part:
            return None
    if mention.key == "margin" and not part or amount.per in ("barrel", "gallon", "pound", "ounce") and not (part or subject):
        return None
    if amount.per in ("barrel", "gallon", "pound", "ounce") and not part:
        part = subject
    part = f"{part} {_apart(window, mention)}".strip()
    key = mention.key
    base = _OF_SALES.match(window.right) if amount.kind == "percent" and unit != "percent" else None
    if base is not None:
        key = f"{key} to {_base_key(base['base'])}"
    elif amount.kind == "percent":
        measure = "growth" if unit == "growth" or (unit != "percent" and _is_growth(window)) else "level"
        if measure == "level" and unit in ("money", "per_share"):
            if key != "ebitda":
                return None  # what a percentage of money is of, the sentence does not say
            key = "ebitda_margin"
    elif amount.kind == "basis points":
        measure = "change" if unit == "percent" else "level"
    elif amount.kind == "points":
        return None
    elif amount.kind == "money" and (_RISE_MONEY.search(window.left) or amount.sign_word in ("up", "range")):
        measure = "change"
    if measure in ("growth", "change") and amount.high > 0 and _DOWN.search(window.left[-60:]):
        amount = replace(amount, low=-amount.high, high=-amount.low)
    if re.search(r"\b(?:increase|decrease|rise|decline) in (?:our |the )?$", window.text[max(0, mention.phrase_start - 25) : mention.phrase_start]):
        measure = "change" if amount.kind == "money" else measure
    basis = basis_of(window.text[mention.phrase_start : mention.end]) or _basis_around(window, mention)
    return SaidRange(
        amount=amount,
        item=key,
        part=part,
        is_known=mention.is_known,
        measure=measure,
        bound=_bound(window),
        basis=basis,
        since=_since(window) if measure == "growth" else None,
        turns_to=told,
    )


def _is_whole(window: _Window, mention: ItemMention) -> bool:
    """Tell whether the words of an item say that it is of the whole company."""
    words = window.text[max(window.before, mention.phrase_start - 25) : mention.end]
    return re.search(r"\b(?:consolidated|total company|overall|companywide|company-wide|total)\b", words, re.IGNORECASE) is not None


def _part_before(window: _Window, mention: ItemMention) -> str:
    """Return of what the sentence named the same item before, as in `FPL's capex was …, and we expect our capex to be …`."""
    before = item_mentions(window.text[: mention.phrase_start])
    owned = (one for one in before if re.search(r"[A-Z][^,]*[’']s ", window.text[one.phrase_start : one.start]))  # noqa: RUF001
    return next((one.part for one in owned if one.key == mention.key), "")


def _is_of_others(window: _Window) -> bool:
    """Tell whether a sentence says what others than the company will do, whom it does not name."""
    actor = _ACTOR.match(window.text)
    if actor is None or actor.end() > window.amount.start or _as_part(actor["words"]):
        return False
    return re.search(r"\b(?:we|company|it|20\d\d|fiscal|year|quarter|guidance|outlook)\b", actor["words"], re.IGNORECASE) is None


def _whose(window: _Window, mention: ItemMention) -> str | None:
    """Return whom `its` means before an item: the owner that the sentence begins with; None without `its`."""
    if not re.search(r"\b(?:its|their) (?:[\w-]+ ){0,3}$", window.text[max(0, mention.phrase_start - 30) : mention.start]):
        return None
    owner = re.match(r"(?:[^,]{3,40}, )?(?:the )?(?P<words>[A-Z][\w&. ]{1,30}?)[’']s? ", window.text)  # noqa: RUF001
    return part_of(owner["words"]) if owner else ""


def _apart(window: _Window, mention: ItemMention) -> str:
    """Return what the item leaves out, as in `core FFO, excluding promotes`."""
    left_out = re.match(r",? (?:excluding|ex) (?P<words>[\w -]{3,30}?)(?:,|$| will| to)", window.whole[mention.end :])
    if left_out is None:
        left_out = re.match(r"(?:and )?excluding (?P<words>[^,]{3,60}),", window.text, re.IGNORECASE)
    return f"excluding {left_out['words']}" if left_out and not re.search(r"impact|effect|items?\b", left_out["words"]) else ""


def _base_key(words: str) -> str:
    lower = words.lower()
    return "revenue" if lower in ("sales", "revenue", "revenues") else lower


def _is_growth(window: _Window) -> bool:
    return re.search(
        r"\b(?:grow\w*|growth|increas\w*|declin\w*|decreas\w*|up(?! to)|down|lower(?! end)|higher(?! end)|reduce|expand)\b[^,;]{0,40}$", window.left, re.I
    ) is not None or re.match(r"[ -](?:[\w-]+ ){0,3}(?:growth|increase|decline|decrease|lower|higher)\b", window.right, re.I) is not None


def _bound(window: _Window) -> Bound:
    if re.search(r"\b(?:bit|just|slightly|little|modestly) (?:over|above)\s*$", window.left):
        return ""
    if _AT_LEAST.search(window.left) or _AT_LEAST_AFTER.match(window.right):
        return "at least"
    return "at most" if _AT_MOST.search(window.left) else ""


def _basis_around(window: _Window, mention: ItemMention) -> Basis:
    """Return the basis that words between item and figure, or right behind the figure, state."""
    around = window.text[min(mention.start, window.amount.start) : window.amount.start] if mention.start < window.amount.start else window.left[-40:]
    behind = re.split(r",|;|\band\b", window.right, maxsplit=1)[0][:60]
    found = basis_of(behind) or basis_of(around)
    if found:
        return found
    sentence = window.lead.lower()
    if re.search(r"\b(?:on an adjusted basis|excluding the impact of acquisitions)\b", sentence):
        return "adjusted" if "adjusted basis" in sentence else "organic"
    return ""


def _since(window: _Window) -> int | None:
    """Return the year that a growth is counted from where the words behind it, or before it, name one."""
    behind = re.match(r"[^;]{0,40}?\b(?:versus|compared to|over|from|vs\.?|relative to|when compared to)(?: the)?(?: full year)? (20\d\d)\b", window.right)
    before = re.search(r"\bcompared to (20\d\d),", window.lead, re.IGNORECASE)
    year = behind or before
    return int(year[1]) if year else None


_THE_SEGMENT = re.compile(r"\b(?:the|this|that) (?:segment|business|group)(?:[’']s)?\b", re.IGNORECASE)  # noqa: RUF001
_OF_SEGMENTS = frozenset({"revenue", "operating_income", "operating_margin", "ebitda", "ebitda_margin", "margin"})
"""Items that companies guide for by segment: one without a name is of the segment that is spoken of."""
_PREFIX = re.compile(
    r"^(?:and |so |now,? |next,? |finally,? |additionally,? |lastly,? |turning to [^,]{1,40}, )*(?:in|for|at|within|turning to|starting with|beginning with)"
    r" (?:the |our )?(?P<words>[^,;:]{2,60}?)(?:[’']s)?(?: (?:segment|business|group|division|segments|businesses))?(?:,| segment,| we (?:expect|anticipate|now expect|forecast)\b)",
    re.IGNORECASE,
)
_SUFFIX = re.compile(
    r"\b(?:for|in|at|of|from) (?:the |our )(?P<words>[A-Z][\w&./ -]{1,40}?|[\w&./ -]{3,40}?) (?:segment|business|group|division)\b", re.IGNORECASE
)
_ACTOR = re.compile(
    r"^(?:the |our )?(?P<words>[\w&.,/ -]{2,40}?)(?: segment| business| group| division)? (?:(?:is|are) (?:now )?expected to|will) (?:deliver|have|generate|produce|contribute)\b", re.I
)
_EXPECTED_OF = re.compile(
    r"\b(?:expect|expecting|anticipate|project|see) (?P<words>(?:the )?[A-Z][\w’'&.]*(?: [A-Z][\w’'&.]*| and){0,4}) to"  # noqa: RUF001
    r" (?:deliver|have|generate|reach|become|contribute|produce|exceed|grow)\b"
)
_NO_PART = re.compile(
    r"\b(?:addition|summation|response|light|spite|view|order|support|accordance|summary|total|closing|terms|aggregate|line|quarter|year|modeling|fiscal|guidance|outlook|20\d\d|example|remainder|rest"
    r"|balance|context|reminder|general|fact|particular|half|q[1-4]|fy|march|june|september|december|consolidated|companywide|company|now"
    r"|modelling|scenario|momentum|purposes|contrast|conclusion|short|comparison|basis|rtx level|enterprise|p&l|expense|expenses|side|profitability"
    r"|perspective|sentence|results?|call|performance|today|month|time|distance|the p&l|what|these|those|prices?)\b",
    re.IGNORECASE,
)


def _part_of_sentence(window: _Window) -> str:
    """Return the segment that the sentence names outside of the item's own words; empty for the company."""
    prefix = _PREFIX.match(window.text)
    if prefix is not None and prefix.end("words") < window.amount.start:
        found = _as_part(prefix["words"])
        if found:
            return found
    actor = _ACTOR.match(window.text)
    if actor is not None and actor.end() < window.amount.start:
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
        if found and window.before <= suffix.start() and suffix.start() - window.amount.end < 130:
            return found
    return ""


def _as_part(words: str) -> str:
    """Return words as the name of a segment; empty where they are a period, an item or a turn of speech."""
    words = re.sub(r"(?:,? (?:in|for) )?(?:fiscal (?:year )?)?(?:20\d\d|[‘’']\d\d)$", "", words)  # noqa: RUF001
    named = item_mentions(words)
    if _NO_PART.search(words) or (named and named[-1].end == len(words)) or read_amounts(words) or len(words.split()) > 7:
        return ""
    return part_of(words)


def segment_of(text: str) -> str | None:
    """Return the segment to which a sentence turns, `""` where it turns to the whole company, None where to neither."""
    if re.search(r"\b(?:consolidated|total[- ]company|companywide|company-wide|overall,|all together|in summary|enterprise)\b", text, re.IGNORECASE):
        return ""
    turned = re.search(
        r"(?:\bwith respect to (?:the |our )?|^our |\b(?:turning|moving|move|turn|starting)(?: now| next)? (?:on )?(?:to|with) (?:the |our )?|\bshows? (?:our|the) (?:forecast|outlook) for (?:the |our )?|^in (?:the )?|^for (?:the )?|^at )"
        r"(?P<words>[\w&.,/ -]{2,50}?) (?:segment|business|group|division)\b",
        text,
        re.IGNORECASE,
    )
    if turned is not None:
        return _as_part(turned["words"]) or None
    opened = _PREFIX.match(text)
    if opened is None or not re.match(r"[A-Z][a-z]", opened["words"].removeprefix("the ").removeprefix("our ")):
        return None
    return _as_part(opened["words"]) or None


def _both_items(
    text: str, amounts: Sequence[Amount], mentions: Sequence[ItemMention], said: list[SaidRange], subject: str
) -> list[SaidRange]:
    """Return ranges in which `X and Y … A and B, respectively` are told apart: A is of X, B of Y."""
    for number in range(1, len(amounts)):
        first, second = amounts[number - 1], amounts[number]
        if not re.match(r",? respectively\b", text[second.end :]) or not re.fullmatch(r",? and ", text[first.end : second.start]):
            continue
        before = [mention for mention in mentions if mention.end <= first.start][-2:]
        kept = [one for one in said if one.amount not in (first, second)]
        if len(before) < 2 or not re.search(r"\band\b", text[before[0].end : before[1].start]):
            if not re.search(r"GAAP and non-GAAP|non-GAAP and GAAP", text[: first.start]):
                return kept  # two figures of which it is not told which is which
            continue
        told = [_Window(text, amount, before[1].end, first.start, None, text) for amount in (first, second)]
        if not all(_is_guided(window) and not _is_subordinate(window) for window in told):
            return kept
        measured = [_measured(window, mention, subject) for window, mention in zip(told, before, strict=True)]
        return [*kept, *(one for one in measured if one is not None)]
    return said


def _both_bases(text: str, said: list[SaidRange]) -> list[SaidRange]:
    """Return ranges in which `GAAP and non-GAAP … A and B, respectively` are told apart."""
    for number in range(1, len(said)):
        first, second = said[number - 1], said[number]
        words = text[: first.amount.start]
        pair = re.search(r"\bGAAP and non-GAAP\b", words)
        reverse = re.search(r"\bnon-GAAP and GAAP\b", words)
        if (pair or reverse) and first.item == second.item and re.match(r",? respectively", text[second.amount.end :]):
            bases: tuple[Basis, Basis] = ("GAAP", "adjusted") if pair else ("adjusted", "GAAP")
            said[number - 1], said[number] = replace(first, basis=bases[0]), replace(second, basis=bases[1])
    if re.search(r"\bGAAP and non-GAAP\b", text) and len(said) == 1:
        said[0] = replace(said[0], basis="")
    return said
