"""Messages of several sentences of which one alone is understood: it is answered, and the others are named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tradingagents.offline.questions.conversation import ConversationBrief
from tradingagents.offline.questions.message import BESIDE, MessageRequest

_ENDS = "?!.\uff1f\uff01\u3002"
_ASKS = ("?", "\uff1f")
"""Ends of a sentence that asks: one that only tells something is not what is to be answered."""
_MOST = 3
"""Sentences of a message of which one is answered by itself: longer ones tell a story."""
_ANSWERED = frozenset({"aspects", "figures", "lookup", "moved", "compare"})
_LIMITS = (
    *("only ", "but ", "not ", "without ", "excluding ", "except ", "in ", "for ", "instead ", "i mean", "meaning "),
    *("and in ", "aber ", "nur ", "nicht ", "ohne ", "außer ", "für ", "also ", "但", "只", "不", "除", "我是说"),
)
"""Words with which a sentence begins that limits what another one asks: without it that one asks something else."""


def by_sentences(
    own: MessageRequest, text: str, brief: ConversationBrief, read: Callable[[str, ConversationBrief], MessageRequest]
) -> MessageRequest:
    """Return a message that is not understood as its one sentence that is, with the others named; else as it is.

    Args:
        own: The message as it is read as a whole.
        text: The message.
        brief: What the agent knows.
        read: Reads one sentence.
    """
    frame = own.frame
    if own.wish != "unread" or frame is None or frame.asked.unheld or frame.asked.ahead:
        return own
    if not (frame.asked.left or own.declined.startswith(BESIDE)):
        return own
    sentences = _sentences(text)
    if not 1 < len(sentences) <= _MOST:
        return own
    found = [(sentence, read(sentence, brief)) for sentence in sentences]
    answered = [(sentence, request) for sentence, request in found if _is_whole(request)]
    others = [sentence for sentence, _ in found if all(sentence != one for one, _ in answered)]
    if (
        len(answered) != 1
        or not answered[0][0].endswith(_ASKS)
        or any(sentence.lower().startswith(_LIMITS) for sentence in others)
    ):
        return own
    return replace(answered[0][1], unsaid=tuple(sentence.rstrip(_ENDS) for sentence in others))


def _is_whole(request: MessageRequest) -> bool:
    """Tell whether a sentence asks something by itself, of a company, an index or the market that it names."""
    frame = request.frame
    named = bool(request.symbols or request.index) or (
        frame is not None and bool(frame.index or frame.sector or frame.asked.has("recap", "winners", "losers"))
    )
    of_market = request.lookup is not None and not request.lookup.of_company
    return request.wish in _ANSWERED and not request.elliptic and (named or of_market)


def _sentences(text: str) -> Sequence[str]:
    """Return the sentences of a message; a point within a number or a name ends none."""
    found, start = [], 0
    for at, sign in enumerate(text):
        if sign in _ENDS and (at + 1 == len(text) or text[at + 1].isspace() or not sign.isascii()):
            found.append(text[start : at + 1].strip())
            start = at + 1
    return [sentence for sentence in (*found, text[start:].strip()) if sentence.strip(_ENDS + " ")]
