"""Two figures of two items, or on two bases, that one sentence names together: `A and B, respectively`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from tradingagents.retrieval.guidance.guided_items import Basis, ItemMention
from tradingagents.retrieval.guidance.sentences.amounts import Amount
from tradingagents.retrieval.guidance.sentences.cues import is_guided
from tradingagents.retrieval.guidance.sentences.measure import measured
from tradingagents.retrieval.guidance.sentences.subordinate import is_subordinate
from tradingagents.retrieval.guidance.sentences.window import FigureWindow, SaidRange

_BASES = re.compile(r"\b(?:(?P<gaap>GAAP and non-GAAP)|non-GAAP and GAAP)\b")


def told_apart(
    text: str, amounts: Sequence[Amount], mentions: Sequence[ItemMention], said: list[SaidRange], subject: str
) -> list[SaidRange]:
    """Return ranges in which `X and Y … A and B, respectively` are told apart: A is of X, B of Y.

    X and Y are two items, or one item on the basis of GAAP and on another. Of which is which the sentence must say;
    otherwise neither of the two is returned. A figure for both bases at once has none of them.
    """
    for first, second in _pairs(text, amounts):
        others = [one for one in said if one.amount not in (first, second)]
        bases = _BASES.search(text[: first.start])
        if bases is not None:
            known = next((one for one in said if one.amount == first), None)
            pair = [] if known is None else _on_bases(known, second, is_gaap_first=bases["gaap"] is not None)
        else:
            pair = _of_items(text, (first, second), mentions, subject)
        return sorted([*others, *pair], key=lambda one: one.amount.start)
    if _BASES.search(text) and len(said) == 1:
        return [replace(said[0], basis="")]
    return said


def _pairs(text: str, amounts: Sequence[Amount]) -> list[tuple[Amount, Amount]]:
    return [
        (first, second)
        for first, second in pairwise(amounts)
        if re.match(r",? respectively\b", text[second.parts[-1][1] :])
        and re.fullmatch(r",? and (?:approximately |about )?", text[first.end : second.start])
    ]


def _on_bases(first: SaidRange, second: Amount, *, is_gaap_first: bool) -> list[SaidRange]:
    bases: tuple[Basis, Basis] = ("GAAP", "adjusted") if is_gaap_first else ("adjusted", "GAAP")
    return [replace(first, basis=bases[0]), replace(first, amount=second, basis=bases[1])]


def _of_items(text: str, pair: tuple[Amount, Amount], mentions: Sequence[ItemMention], subject: str) -> list[SaidRange]:
    start = pair[0].start
    before = [mention for mention in mentions if mention.end <= start][-2:]
    if len(before) < 2 or not re.search(r"\band\b", text[before[0].end : before[1].start]):
        return []  # two figures of which it is not told which is which
    begins = (before[0].phrase_start, before[0].end)
    windows = [FigureWindow(text, one, at, start, None, text) for one, at in zip(pair, begins, strict=True)]
    if not all(is_guided(window) and not is_subordinate(window) for window in windows):
        return []
    found = [measured(window, mention, subject) for window, mention in zip(windows, before, strict=True)]
    return [one for one in found if one is not None]
