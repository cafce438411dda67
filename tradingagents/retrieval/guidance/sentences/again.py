"""Figures that say the last one again in another unit, or the same item for another period."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tradingagents.retrieval.guidance.guided_items import basis_of, item_mentions
from tradingagents.retrieval.guidance.sentences.amounts import Amount, read_amounts
from tradingagents.retrieval.guidance.sentences.measure import base_year, bound_of
from tradingagents.retrieval.guidance.sentences.named_item import is_filled
from tradingagents.retrieval.guidance.sentences.window import FigureWindow, Measure, SaidRange

_RESTATED = re.compile(
    r"(?:^|,|\b)(?: ?,)? ?(?:represent\w{0,9}|implying|producing|yielding|resulting in|equating to"
    r"|reflect\w{0,9}|equivalent to|which (?:is|would be|represents?|implies"
    r"|reflects?|equates to|would result in)"
    r"|that's|or|a|an|up|down|growth(?= of)|this represents|this reflects|the range represents)(?: (?:an?|estimated"
    r"|approximately|about|roughly|nearly"
    r"|year-over-year|increase|growth|grow|decline|decrease|reduction|of|range|operational|organic|between|from|the|positive|rate|around|a|at"
    r"|midpoint|to|be|reported|core|comparable|very|strong|sales|revenue|total"
    r"|almost|[\w-]{1,30}ly)){0,12}\s{0,9}$",
    re.IGNORECASE,
)
_TO_LEVEL = re.compile(
    r"(?: at (?:the|our) mid-?point)?,? (?:to|for|or) (?:about |approximately |roughly |around |between |a range of )*",
    re.IGNORECASE,
)
"""Words between a growth and the level that it leads to: `to decline 8% to 10% to $965 million`."""
_GROWTH_BEHIND = re.compile(
    r"(?:[ -](?:organic|operational|year-over-year|over|local|currency|constant|in|fx|neutral|annual|eps|revenue|sales"
    r"|earnings)){0,4} ?(?:growth"
    r"|increase|decrease|decline|year over year|over)",
    re.IGNORECASE,
)


def restated(window: FigureWindow, said: Sequence[SaidRange]) -> SaidRange | None:
    """Return what says the last range another way, as in `$8.3 to $8.5 billion, representing 9% to 11% growth`."""
    if not said or window.before != said[-1].amount.end:
        return None
    last, left, right = said[-1], window.left, window.right
    if window.amount.kind == "money" and last.measure == "growth" and _TO_LEVEL.fullmatch(left):
        said_on = "" if last.basis == "constant currency" else last.basis
        return replace(last, amount=window.amount, measure="level", basis=said_on, bound=bound_of(window), since=None)
    if (other := _on_another_basis(window, last)) is not None:
        return other
    restated = _RESTATED.search(left)
    if restated is None or restated.end() != len(left) or len(left) > 110:
        return None
    if any(mention.key not in last.item.split(" to ") for mention in item_mentions(left)):
        return None
    if re.search(r"\b(?:and|while|with)\b", left) and "which" not in left:
        return None
    basis = basis_of(left + right[:60]) or last.basis
    if window.amount.kind == "percent" and last.measure == "level" and last.amount.kind == "money":
        named = re.search(r"\b(?:growth|grow|increase|decrease|decline|up|down)\b", left) or _GROWTH_BEHIND.match(right)
        measure: Measure = "growth"
    elif window.amount.kind == "money" and last.measure == "growth":
        named, measure = re.search(r"\b(?:or|to be|be)\b", left), "level"
        basis = "" if last.basis == "constant currency" else last.basis
    elif window.amount.kind == "money" and last.item.endswith(" to revenue"):
        named, last = (
            re.match(r" of (?:revenue|sales) or ", left),
            replace(last, item=last.item.removesuffix(" to revenue")),
        )
        measure = "level"
    elif window.amount.kind == "basis points" and last.measure == "level" and last.amount.kind == "percent":
        named = re.match(r" expansion\b", right) or re.search(r"\b(?:expansion|improvement|increase) of\b", left)
        measure = "change"
    else:
        return None
    if named is None:
        return None
    falls = _FALLS.search(left) or _FALLS_BEHIND.match(right)
    amount = window.amount
    if measure == "growth" and falls and amount.low > 0:
        amount = replace(amount, low=-amount.high, high=-amount.low)
    return replace(
        last, amount=amount, measure=measure, basis=basis, bound=bound_of(window), since=None, follows_last=True
    )


_OR_ALSO = re.compile(
    r",? (?:or|and|but)(?: (?:up|down|between|about|approximately|around|roughly|over|an?))* ", re.IGNORECASE
)
_ON_A_BASIS = re.compile(
    r" (?:in|on an?|at|organic(?:ally)?|excluding)\b(?: (?!and\b)[\w-]+){0,4}?"
    r"(?=[.,;]|$| (?:basis|currency|currencies|rates?)\b)",
    re.IGNORECASE,
)


def _on_another_basis(window: FigureWindow, last: SaidRange) -> SaidRange | None:
    """Return the growth of the last figure on another basis: `up 5%, or up 7% in constant currency`."""
    if last.measure != "growth" or window.amount.kind != "percent" or _OR_ALSO.fullmatch(window.left) is None:
        return None
    behind = _ON_A_BASIS.match(window.right)
    basis = basis_of(window.right[: behind.end() + 12]) if behind is not None else ""
    if not basis or basis == last.basis:
        return None
    amount, bound = window.amount, bound_of(window)
    if last.amount.high <= 0 < amount.low and "up" not in window.left:
        amount = replace(amount, low=-amount.high, high=-amount.low)
    return replace(last, amount=amount, basis=basis, bound=bound, since=None, follows_last=True)


_FALLS = re.compile(r"\b(?:decline|decrease|reduction)\b")
_FALLS_BEHIND = re.compile(r"(?:[ -](?:organic|operational|year-over-year)){0,2} (?:decline|decrease)\b")
_APART = re.compile(r",? (?:net of|supported by|driven by|including|and includes|despite|partially offset)\b")
"""Words behind which a sentence says what is in a figure."""
_SAYS_AGAIN = re.compile(
    r"^(?:and |so )?(?:on an? [\w -]{3,30} basis, )?(?:this|that|it|which|the range|these)"
    r"(?:[\u2019']s| is| would be| represents?| reflects?| implies"
    r"| equates to| translates (?:in)?to| (?:would )?results? in)\b|\b(?:and )?(?:that|this|the range) represents\b",
    re.IGNORECASE,
)
_GROWTH_LEFT = re.compile(
    r"\b(?:growth|increase)(?: (?:rate|range|of|between|from|around|approximately|over"
    r"|about))*\s*$"
)
_NO_GROWTH_OF_IT = re.compile(
    r"\b(?:prior|previous|guidance|outlook|midpoint|expectations?|margins?|contribution|headwind|tailwind"
    r"|annual|cagr)\b",
    re.IGNORECASE,
)


def _is_growth(text: str, amount: Amount) -> bool:
    """Tell whether the words right behind a percentage, or right before it, call it a growth."""
    behind = _GROWTH_BEHIND.match(text[amount.end :]) or re.match(r" growth\b", text[amount.end :])
    return behind is not None or _GROWTH_LEFT.search(text[: amount.start]) is not None


def said_again(text: str, last: SaidRange) -> SaidRange | None:
    """Return the growth that a sentence gives for the figure of the one before: `This represents 8% growth`.

    Args:
        text: The sentence.
        last: The only figure that the sentence before guides to.
    """
    text = _APART.split(text, maxsplit=1)[0]
    if not _SAYS_AGAIN.search(text) or last.measure != "level" or last.amount.kind != "money" or item_mentions(text):
        return None
    shares = [amount for amount in read_amounts(text) if amount.kind == "percent" and _is_growth(text, amount)]
    if len(shares) != 1 or _NO_GROWTH_OF_IT.search(re.sub(r"\bat (?:the )?midpoint\b", " ", text)):
        return None
    amount = shares[0]
    window = FigureWindow(text, amount, 0, len(text), None, text)
    basis = basis_of(text) or last.basis
    return replace(last, amount=amount, measure="growth", basis=basis, bound=bound_of(window), since=base_year(window))


_PARALLEL = re.compile(
    r",? (?:and|while|with) (?:the |our )?(?P<part>[A-Z][\w&.\u2019'-]*(?: (?:&|and|of"
    r"|[A-Z][\w&.\u2019'-]*)){0,5}) (?P<link>(?:to"
    r" (?:be|grow|increase|decline|range|come in)|up|down|at|of|between)\b[^,;$%]{0,30})"
)


def parallel(window: FigureWindow, said: Sequence[SaidRange]) -> SaidRange | None:
    """Return the next part's figure of the same item: `Acme sales to grow 1%, and Umbrix to grow 2% to 3%`."""
    if not said or window.before != said[-1].amount.end or window.amount.kind != said[-1].amount.kind:
        return None
    named = _PARALLEL.fullmatch(window.left.rstrip()) if said[-1].part else None
    if named is None or not is_filled(f" {named['link']} ") or item_mentions(window.left):
        return None
    return replace(said[-1], part=named["part"].lower(), amount=window.amount, bound=bound_of(window))


_CARRIED = re.compile(
    r"(?:(?:[ -](?:versus|compared to|from|over|growth|shares|in|for|of|this|next|the|full|year|fiscal"
    r"|[\u2018\u2019']?\d{2,4}|quarter|first|second"
    r"|third|fourth|half|back|q[1-4]|fy)){0,8})?,? and (?:approximately |about |roughly "
    r"|around )?(?:for )?(?:the )?(?:our )?(?P<words>[^,;$%]{0,50})",
    re.IGNORECASE,
)
_PERIOD_WORD = re.compile(r"20\d\d|[\u2018\u2019']\d\d\b|\byear\b|\bquarter\b|\bhalf\b|\bq[1-4]\b", re.IGNORECASE)


def carried(window: FigureWindow, said: Sequence[SaidRange]) -> SaidRange | None:
    """Return a second range of the same item for another period: `12% to 14% for Q3 and full year 19% to 20%`."""
    if not said or window.before != said[-1].amount.end or window.amount.kind != said[-1].amount.kind:
        return None
    if re.match(r" (?:of|in) (?!20\d\d|the |fiscal )", window.right):
        return None
    link = _CARRIED.fullmatch(window.left)
    if link is None or not is_filled(link["words"]) or item_mentions(window.left):
        return None
    behind = re.match(r"(?: [\w-]+){0,2} (?:for|in|versus|compared to|over) [^,;]{0,25}", window.right)
    if not (_PERIOD_WORD.search(window.left) or (behind and _PERIOD_WORD.search(behind[0]))):
        return None
    return replace(said[-1], amount=window.amount, bound=bound_of(window), since=base_year(window))


_ABOUT = r"(?:(?:an?|about|approximately|roughly|around|between) )*"
_OPENS_PARTS = re.compile(
    rf"(?: (?:in|on|of) (?:our )?[\w ]{{2,40}})?, (?:including|consisting of|comprised of|of which) {_ABOUT}",
    re.IGNORECASE,
)
"""Words behind a sum with which the list of what it is for begins."""
_NEXT_PART = re.compile(rf" for [^;$%]{{3,60}}?,? (?:and )?{_ABOUT}", re.IGNORECASE)
_WHAT_FOR = re.compile(r" for (?:our |the )?(?P<words>[A-Za-z][^;$%.]{1,60}?)(?=[.;]|,? (?:and )?$)")


_NAMED_PART = re.compile(
    rf"(?:, (?:including|of which|comprised of)|,? and) "
    rf"(?P<words>(?:[\w&-]+ ){{1,4}}(?:spend|spending|capital|investments?)) of {_ABOUT}",
    re.IGNORECASE,
)
"""A part of what is spent, by its name: `, including line extension spend of`."""


def _named_part(window: FigureWindow, said: Sequence[SaidRange]) -> SaidRange | None:
    """Return a part of spending, by its name: `capex of $12 million, including store spend of $4 million`."""
    last, part = said[-1] if said else None, _NAMED_PART.fullmatch(window.left)
    if last is None or part is None or window.before != last.amount.end or window.amount.kind != "money":
        return None
    words = part["words"].lower()
    opens = last.item in _SPENT and "and" not in window.left[:6]
    if not (opens or last.item.rsplit(maxsplit=1)[-1] in words.split()) or item_mentions(words):
        return None
    return replace(last, item=words, amount=window.amount, bound=bound_of(window))


_SPENT = frozenset({"capex", "operating_expenses", "shareholder_returns"})


def broken_down(window: FigureWindow, said: Sequence[SaidRange]) -> SaidRange | None:
    """Return a part of the sum before, by what it is for: `$50 million in capex, including $30 million for stores`."""
    named = _named_part(window, said)
    if named is not None:
        return named
    total = next((one for one in reversed(said) if " for " not in one.item), None)
    if total is None or window.before != said[-1].amount.end or total.measure != "level":
        return None
    begins = _OPENS_PARTS if total is said[-1] else _NEXT_PART
    what, amount = _WHAT_FOR.match(window.right), window.amount
    is_money = amount.kind == "money" and amount.currency == total.amount.currency
    if not is_money or amount.high > total.amount.high or what is None or begins.fullmatch(window.left) is None:
        return None
    item = f"{total.item.replace('_', ' ')} for {what['words'].lower()}"
    return replace(total, item=item, amount=amount, bound=bound_of(window))
