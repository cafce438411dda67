"""By how much one of two companies is ahead of the other, where a question asks for it: of the first figure told."""

from __future__ import annotations

from collections.abc import Sequence

from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.features.assistant.rules.found import currency_of
from tradingagents.features.assistant.rules.texts import TEXT_LANGUAGES, label, say
from tradingagents.offline.questions.conversation import ToolFact
from tradingagents.offline.questions.message import MessageRequest

GAP = "gap"
"""The demand for a difference, in `demands.yaml`."""


def gap_text(request: MessageRequest, reply: str, results: Sequence[ToolFact]) -> str:
    """Return the difference between two companies in the figure that a reply tells of both first.

    What a price was at a close is none: a share of one company is no share of the other.
    Empty where no difference is asked for, where it is not of two, or where their figures are of two currencies.

    Args:
        request: The question.
        reply: What is told, with the figures of both.
        results: What the tools gave.
    """
    frame = request.frame
    if frame is None or GAP not in frame.demands:
        return ""
    told = [fact for fact in results if not fact.failed and fact.subject]
    subjects = list(dict.fromkeys(fact.subject for fact in told))
    named = {*request.symbols, *frame.symbols, *frame.indices, frame.index}
    if len(subjects) != 2 or not named.issuperset(subjects):  # such as the market beside the one that is asked about
        return ""
    first, second = ([fact for fact in told if fact.subject == symbol] for symbol in subjects)
    pairs = [
        (name, one, other)
        for one in first
        for other in second
        if one.answered_by == other.answered_by and one.given.get("period") == other.given.get("period")
        for name in one.shown
        if not name.endswith("_close") and name in other.shown and {name} <= one.figures.keys() & other.figures.keys()
        if one.shown[name] in reply and other.shown[name] in reply and one.shown[name] != other.shown[name]
    ]
    if not pairs:
        return ""
    name, one, other = min(
        pairs, key=lambda pair: max(_place(reply, pair[1], pair[0]), _place(reply, pair[2], pair[0]))
    )
    if currency_of(one, name) != currency_of(other, name):
        return ""
    language = request.language if request.wish == "aspects" and request.language in TEXT_LANGUAGES else "en"
    return _written(language, name, one, abs(one.figures[name] - other.figures[name]))


def _place(reply: str, fact: ToolFact, name: str) -> int:
    return reply.find(fact.shown[name])


def _written(language: str, name: str, fact: ToolFact, by: float) -> str:
    shown, unit, called = fact.shown[name], currency_of(fact, name), label(language, name)
    if shown.endswith("%"):
        return say(language, "gap_points", label=called, points=f"{by:.2f}")
    if unit:
        return say(language, "gap", label=called, gap=Figure(name, by, unit).text)
    return say(language, "gap", label=called, gap=f"{by:,.2f}{'x' if shown.endswith('x') else ''}")
