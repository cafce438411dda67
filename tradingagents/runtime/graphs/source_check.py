"""Lets an answer show only figures that have a source: one repair by the model, then what has none is withheld."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from pydantic import BaseModel, ValidationError

from tradingagents.agents.builders.figure_repair import repair_wish
from tradingagents.agents.builders.prompt_agent import PromptAgent
from tradingagents.agents.model_calls import ModelCalls
from tradingagents.context import CheckedContext, FindUntraced
from tradingagents.errors import BudgetReached, ModelFailure, ReplyNotKept
from tradingagents.schemas.records import WithheldRecord

Answer = TypeVar("Answer", bound=BaseModel)
Span = tuple[int, int]
WITHHELD = "[figure withheld: no source]"
"""What readers see in place of a figure."""
_BETWEEN = "\n\n"
MOST_COUNTED = 12
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SourcedText:
    """A text as readers see it, and what was withheld from it."""

    text: str
    withheld: list[WithheldRecord]
    """Empty where every figure has a source."""


async def sourced_text(
    agent: PromptAgent, calls: ModelCalls, report: str, parts: Sequence[str], **fields: object
) -> SourcedText:
    """Ask an agent for a text; have it repair figures without a source once, and withhold those that remain.

    Rules write figures from typed answers of tools and repeat themselves: what they write is neither repaired nor
    changed.

    Args:
        agent: Who writes.
        calls: Its model calls.
        report: Key of the text in the record's `reports`.
        parts: The material of its prompt.
        **fields: Fields of its instruction.

    Raises:
        BudgetReached: Before the text was written; afterwards figures are withheld without a repair.
        ModelFailure: No text was written.
    """
    context = calls.context
    messages = agent.messages(context, parts, **fields)
    text = (await calls.whole(messages)).text.strip()
    find = _check_of(context, calls)
    if find is None:
        return SourcedText(text, [])
    spans = await find(text)
    if spans:
        again = await _rewritten(calls, messages, text, spans)
        found = await find(again) if again else spans
        if again and len(found) <= len(spans):
            text, spans = again, found
    return withheld_from(text, spans, report)


async def sourced_object(
    agent: PromptAgent,
    calls: ModelCalls,
    given: Answer,
    report: str,
    parts: Sequence[str],
    *,
    conditions: Collection[str] = (),
    check: Callable[[Answer], str | None] | None = None,
) -> tuple[Answer, list[WithheldRecord]]:
    """Return an agent's typed answer without figures that have no source in its texts, after one repair.

    Args:
        agent: Who gave it.
        calls: Its model calls.
        given: The answer.
        report: Key of its text in the record's `reports`.
        parts: The material of its prompt.
        conditions: Its fields that name what may happen: their figures are the writer's own.
        check: Says what is wrong with an answer, as in `ModelCalls.typed`.
    """
    find = _check_of(calls.context, calls)
    if find is None:
        return given, []
    spans = await _spans_of(given, find, conditions)
    if any(spans.values()):
        again = await _asked_again(agent, calls, given, spans, parts, check)
        found = await _spans_of(again, find, conditions) if again is not None else spans
        if again is not None and sum(map(len, found.values())) <= sum(map(len, spans.values())):
            given, spans = again, found
    figures = [text[start:end] for text, places in spans.items() for start, end in places]
    if not figures:
        return given, []
    written = "\n".join(text for text, places in spans.items() if places)
    changed = _replaced(given.model_dump(mode="json"), spans)
    try:
        shown = type(given).model_validate(changed)
    except ValidationError:  # a marker made a text longer than its field
        shown = type(given).model_validate(_replaced(given.model_dump(mode="json"), spans, marker="[withheld]"))
    return shown, [WithheldRecord(report=report, figures=figures, written=written)]


def withheld_from(text: str, spans: Sequence[Span], report: str) -> SourcedText:
    """Return a text with a marker in place of each figure that has no source.

    Args:
        text: As a model wrote it.
        spans: Where those figures stand.
        report: Key of the text in the record's `reports`.
    """
    if not spans:
        return SourcedText(text, [])
    figures = [text[start:end] for start, end in spans]
    return SourcedText(_marked(text, spans), [WithheldRecord(report=report, figures=figures, written=text)])


def withheld_note(withheld: Sequence[WithheldRecord]) -> str:
    """Return how many figures were withheld, for the foot of an answer; empty for none."""
    count = sum(len(text.figures) for text in withheld)
    if not count:
        return ""
    # A larger number would itself be a figure without a source.
    shown = str(count) if count <= MOST_COUNTED else f"more than {MOST_COUNTED}"
    return f"**Withheld:** {shown} {'figure has' if count == 1 else 'figures have'} no source in the data of this run."


def _check_of(context: Any, calls: ModelCalls) -> FindUntraced | None:
    """Return what finds figures without a source; None where nothing is checked, as with texts of rules."""
    by_rules = getattr(calls.llm, "needs_brief", False)
    return context.find_untraced if isinstance(context, CheckedContext) and not by_rules else None


async def _rewritten(calls: ModelCalls, messages: Sequence[BaseMessage], text: str, spans: Sequence[Span]) -> str:
    """Return the repaired text; empty where the model gives none or the budget is used up."""
    calls.again(_reason(len(spans)))
    wish = HumanMessage(repair_wish([(text, span) for span in spans]))
    try:
        return (await calls.whole([*messages, AIMessage(text), wish])).text.strip()
    except (ModelFailure, BudgetReached, ReplyNotKept) as error:
        _log.info("figures without a source are withheld unrepaired: %s", error)
        return ""


async def _asked_again(
    agent: PromptAgent,
    calls: ModelCalls,
    given: Answer,
    spans: Mapping[str, Sequence[Span]],
    parts: Sequence[str],
    check: Callable[[Answer], str | None] | None,
) -> Answer | None:
    calls.again(_reason(sum(map(len, spans.values()))))
    wish = repair_wish([(text, one) for text, places in spans.items() for one in places])
    messages = [*agent.messages(calls.context, parts), AIMessage(given.model_dump_json()), HumanMessage(wish)]
    try:
        return await calls.typed(type(given), messages, check=check)
    except (ModelFailure, BudgetReached, ReplyNotKept) as error:
        _log.info("figures without a source are withheld unrepaired: %s", error)
        return None


async def _spans_of(given: BaseModel, find: FindUntraced, conditions: Collection[str]) -> dict[str, Sequence[Span]]:
    """Return the figures without a source of each text of an object, looked for at once."""
    texts = list(dict.fromkeys(_texts(given.model_dump(mode="json", exclude=set(conditions)))))
    found, first = await find(_BETWEEN.join(texts)), 0
    spans: dict[str, Sequence[Span]] = {}
    for text in texts:
        last = first + len(text)
        spans[text] = [(start - first, end - first) for start, end in found if first <= start and end <= last]
        first = last + len(_BETWEEN)
    return spans


def _texts(node: Any) -> list[str]:
    if isinstance(node, str):
        return [node]
    parts = node.values() if isinstance(node, Mapping) else node if isinstance(node, list) else ()
    return [text for part in parts for text in _texts(part)]


def _replaced(node: Any, spans: Mapping[str, Sequence[Span]], *, marker: str = WITHHELD) -> Any:
    if isinstance(node, str):
        return _marked(node, spans.get(node, ()), marker)
    if isinstance(node, Mapping):
        return {name: _replaced(part, spans, marker=marker) for name, part in node.items()}
    return [_replaced(part, spans, marker=marker) for part in node] if isinstance(node, list) else node


def _marked(text: str, spans: Sequence[Span], marker: str = WITHHELD) -> str:
    parts, done = [], 0
    for start, end in sorted(spans):
        after = " " if text[end : end + 1] in ("(", "[", ":") and text[end : end + 1] else ""  # else it may be a link
        parts += [text[done:start], marker, after]
        done = end
    return "".join([*parts, text[done:]])


def _reason(count: int) -> str:
    return f"{count} of the figures {'has' if count == 1 else 'have'} no source in what the tools answered."
