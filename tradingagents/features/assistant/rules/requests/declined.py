"""What is said of a question that gets no answer: what was not understood, why, and what can be asked near it."""

from __future__ import annotations

from tradingagents.features.assistant.rules.replies import in_quotes, unread_text
from tradingagents.features.assistant.rules.texts import examples_of, say
from tradingagents.offline.questions.conversation import ConversationBrief
from tradingagents.offline.questions.coverage import lie_before_data
from tradingagents.offline.questions.frame_words import MARKET, OF_COMPANY, STOCKS
from tradingagents.offline.questions.frames import QuestionFrame
from tradingagents.offline.questions.message import BESIDE, MessageRequest
from tradingagents.retrieval.questions.spans import FIRST_DAY
from tradingagents.retrieval.questions.wording import is_of_signs

SIMULATED = "simulated"
_UNCLEAR = "cannot be told"
"""In the reason where a question does not say which days it means, such as 3/4/2025."""
_NO_ORDER = frozenset(
    {
        *("did", "does", "has", "have", "had", "bought", "sold", "dumped", "why", "who", "where", "how"),
        *("gekauft", "verkauft", "hat", "haben", "warum", "wer", "wie"),
    }
)
"""Words of questions on what was bought or sold already, none of an order."""


def declined_text(known: ConversationBrief, request: MessageRequest) -> str:
    """Return what is said of a question that gets no answer: what was not understood, and what can be asked near it."""
    frame = request.frame
    symbols = frame.symbols if frame is not None else request.symbols
    examples = examples_of(request.language, symbols or known.symbols[:1])
    text = _reason_in_words(known, request)
    if text:
        text = f"{text} {say(request.language, 'can_ask', examples=examples)}"
    else:
        left = frame.asked.left if frame is not None and not is_of_signs("".join(frame.asked.left)) else ()
        if frame is not None and left and not (symbols or frame.index or frame.sector) and _of_a_company(frame):
            what, held = in_quotes(left), _held(known, request)
            text = say(request.language, "near_company", what=what, held=held, examples=examples)
        else:
            text = unread_text(request.declined, left, request.language, examples)
    return text


def _of_a_company(frame: QuestionFrame) -> bool:
    """Tell whether a question asks what is asked of a company, so that an unknown word may name one."""
    return bool(frame.asked.aspects) and set(frame.asked.aspects) <= {*OF_COMPANY, "people"}


def _held(known: ConversationBrief, request: MessageRequest) -> str:
    """Return which companies are in the data."""
    source = known.instruments.source if known.instruments is not None else ""
    if source == SIMULATED:
        return say(request.language, "held_simulated")
    count = len(known.instruments) if known.instruments is not None else 0
    return say(request.language, "held_recorded", count=count or "n/a", source=source or "n/a")


def _reason_in_words(known: ConversationBrief, request: MessageRequest) -> str:
    """Return why a question gets no answer where its words say so; empty where they do not."""
    frame = request.frame
    if frame is None:
        return ""
    if frame.asked.unheld:
        return say(request.language, f"unheld_{frame.asked.unheld[0]}")
    if frame.other:
        return say(request.language, "elsewhere", what=frame.other.upper() if len(frame.other) < 4 else frame.other)
    of_members = frame.asked.has("members", "winners", "losers") or STOCKS & frame.words
    if frame.index not in ("", MARKET) and of_members and request.declined.startswith(BESIDE):
        return say(request.language, "members_not_known")
    of_others = frame.asked.has("insiders", "people", "opinion") or _NO_ORDER & frame.words
    if {"bought", "sold"} & frame.asked.asks and frame.symbols and not of_others:
        return say(request.language, "orders")
    if lie_before_data(frame.days):
        return say(request.language, "before_data", day=FIRST_DAY)
    last = max((*frame.days.days, *((frame.days.end,) if frame.days.end else ())), default=known.day)
    lies_ahead = last > known.day and _UNCLEAR not in request.declined
    if lies_ahead or ((frame.asked.ahead or frame.coming) and not request.declined.startswith(BESIDE)):
        return say(request.language, "ahead", day=known.day)
    return ""
