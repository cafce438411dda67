"""Lists that leave out companies which a question names, as `the biggest tech stocks other than Apple`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tradingagents.offline.questions.conversation import ConversationBrief
from tradingagents.offline.questions.message import BESIDE, MessageRequest
from tradingagents.retrieval.questions.reading import QuestionReading

_IN_CHINESE = "除了"
_LEAVES_OUT = (
    *("other than", "apart from", "aside from", "except for", "except", "excluding", "leaving out", "leave out"),
    *("not counting", "not including", "besides", "without", "außer", "abgesehen von", "ausgenommen", "ohne"),
    _IN_CHINESE,
)
"""Words behind which stands what a list is to leave out; the longer before those within them."""
_JOINS = (",", "and", "or", "und", "oder", "&", "the", "和", "、", "以及")
_BEHIND = ("以外", "之外")
_LISTS = frozenset({"screen", "winners", "losers"})
"""What lists companies, each in a row of its own."""


def list_without(
    text: str, brief: ConversationBrief, read: Callable[[str, ConversationBrief], MessageRequest]
) -> MessageRequest | None:
    """Return a question for a list without some companies; None where it leaves no company out.

    One for something else is not answered: only of a list is it known what it is without some of its members.

    Args:
        text: The question.
        brief: What the agent knows.
        read: Reads a question that leaves nothing out.
    """
    lower = text.lower()
    place = next((spot for words in _LEAVES_OUT if (spot := _place(words, lower)) is not None), None)
    if place is None:
        return None
    at, end = place
    excluded, tail = _named_first(text[end:], brief)
    rest = f"{text[:at].rstrip(' ,')} {tail}".strip()
    if not excluded or not rest:
        return None
    found = read(rest, brief)
    listed = found.wish == "aspects" and bool(found.parts) and set(found.parts) <= _LISTS
    if found.frame is None:
        return None
    if not listed or found.frame.symbols:
        left_out = text[at:].removesuffix(tail).strip(" ,")
        return replace(
            found, wish="unread", declined=f"{BESIDE} '{left_out}', which an answer of this kind is not about."
        )
    return replace(found, frame=replace(found.frame, excluded=(*found.frame.excluded, *excluded)))


def _place(words: str, text: str) -> tuple[int, int] | None:
    """Return where some words begin and end in a text, whole ones but for Chinese signs; None where they are not."""
    at = text.find(words) if words == _IN_CHINESE else f" {text} ".find(f" {words} ")
    return (at, at + len(words)) if at >= 0 else None


def _named_first(text: str, brief: ConversationBrief) -> tuple[tuple[str, ...], str]:
    """Return the companies with which a text begins, joined by `and` or a comma, and what stands behind them."""
    mentions = QuestionReading(text, brief.day, instruments=brief.instruments).mentions
    symbols: list[str] = []
    rest = text
    while True:
        behind = _without_joins(rest)
        mention = next((each for each in mentions if behind.startswith(each.written)), None)
        if mention is None:
            break
        symbols.append(mention.symbol)
        rest = behind[len(mention.written) :].removeprefix("'s")
    for word in _BEHIND:
        rest = rest.removeprefix(word)
    return tuple(dict.fromkeys(symbols)), rest.lstrip(" ,\uff0c")


def _without_joins(text: str) -> str:
    rest = text.lstrip()
    while joined := next((word for word in _JOINS if rest.startswith(word if not word.isalpha() else f"{word} ")), ""):
        rest = rest[len(joined) :].lstrip()
    return rest
