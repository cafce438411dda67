"""Marks figures without a source in reports; the models' own text isn't changed.

A mark is a pair of reserved characters in a copy of the record's texts, replaced after rendering: `148.2[?]` in
Markdown, a marked figure with an explanation in HTML.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

from tradingagents.schemas.cards import CardRecord, RunRecord
from tradingagents.schemas.decision import Decision
from tradingagents.schemas.record import Record
from tradingagents.schemas.records import GroundingRecord

CardT = TypeVar("CardT", bound=CardRecord)

EXPLAINED = "Not found in the data this run was given."
_OPEN, _CLOSE = "\ue0f1", "\ue0f2"
_FIGURE = re.compile(f"([^{_OPEN}{_CLOSE}<>]{{1,60}}){_CLOSE}")
"""What follows the first character of a mark."""
_FINAL = "reports.final_trade_decision"


def with_marks(record: CardT) -> CardT:
    """Return a record whose texts mark each unmatched figure; the same record if there is none."""
    grounding = record.grounding
    if not grounding or not grounding.unmatched:
        return record
    places: dict[str, list[tuple[int, str]]] = {}
    for untraced in grounding.unmatched:
        places.setdefault(untraced.where, []).append((untraced.at, untraced.figure))
    marked: Any = record
    for where, figures in places.items():
        marked = _changed(marked, where.split("."), figures)
    if isinstance(marked, RunRecord) and _FINAL in places and marked.decision:
        decision = _marked_decision(marked.decision, record.reports["final_trade_decision"], places[_FINAL])
        marked = marked.model_copy(update={"decision": decision})
    return cast(CardT, marked)


def shown_in_markdown(text: str) -> str:
    """Turn marks into `[?]`; the bracket is escaped where it could begin a link."""

    def mark(figure: str, after: str) -> str:
        return f"{figure}\\[?]" if after.startswith(("(", "[", ":")) else f"{figure}[?]"

    return _shown(text, mark)


def shown_in_html(page: str) -> str:
    """Replace marks by marked figures with an explanation for pointers and screen readers."""
    hidden = f'<span class="hidden"> ({EXPLAINED.lower()[:-1]})</span>'
    return _shown(page, lambda figure, _: f'<mark class="untraced" title="{EXPLAINED}">{figure}{hidden}</mark>')


def _shown(text: str, mark: Callable[[str, str], str]) -> str:
    """Return a text with each mark replaced; `mark` is given its figure and what follows it."""
    first, *others = text.split(_OPEN)  # a pattern takes ten times as long on a page
    parts = [first]
    for part in others:
        found = _FIGURE.match(part)
        after = part[found.end() :] if found else part
        parts += [mark(found[1], after), after] if found else [after]
    return _without_marks("".join(parts))


def _without_marks(text: str) -> str:
    if _OPEN not in text and _CLOSE not in text:
        return text
    return text.replace(_OPEN, "").replace(_CLOSE, "")  # `translate` takes 50 times as long on a page


def tally(grounding: GroundingRecord | None) -> str:
    """Return how many figures were matched; empty if they were not checked."""
    if not grounding:
        return ""
    if not grounding.figures:
        return "None of the figures below stands in what the models wrote: they name no figure."
    figures, traced = grounding.figures, grounding.matched
    line = f"{traced:,} of {figures:,} figures in what the models wrote could be traced to this data."
    return line if traced == figures else f"{line} The others are marked [?]: they may still be right."


def _changed(node: Any, path: Sequence[str], figures: Sequence[tuple[int, str]]) -> Any:
    """Return a copy of a part of a record, with marks in the text at a path; the rest is shared."""
    if not path:
        return marked_text(node, figures) if isinstance(node, str) else node
    if isinstance(node, Record) and path[0] in type(node).model_fields:
        return node.model_copy(update={path[0]: _changed(node[path[0]], path[1:], figures)})
    if isinstance(node, Mapping) and path[0] in node:
        return {**node, path[0]: _changed(node[path[0]], path[1:], figures)}
    if isinstance(node, list) and path[0].isdigit() and int(path[0]) < len(node):
        at = int(path[0])
        return [*node[:at], _changed(node[at], path[1:], figures), *node[at + 1 :]]
    return node


def marked_text(text: str, figures: Sequence[tuple[int, str]]) -> str:
    """Return a text with marks around its figures, each given as (place, figure)."""
    parts, done = [], 0  # joined once, since there may be many
    for at, figure in sorted(figures):
        if at >= done and text.startswith(figure, at):
            parts += [text[done:at], _OPEN, figure, _CLOSE]
            done = at + len(figure)
    return "".join([*parts, text[done:]])


def _marked_decision(decision: Decision, written: str, figures: Sequence[tuple[int, str]]) -> Decision:
    """Mark the decision's own texts, which occur verbatim in the written decision."""

    def mark(text: str | None) -> str | None:
        begins = written.find(text) if text else -1
        return marked_text(text, [(at - begins, figure) for at, figure in figures]) if text and begins >= 0 else text

    return decision.model_copy(
        update={
            **{name: mark(decision[name]) for name in ("rationale", "dissent", "reasoning", "would_change")},
            "plan": tuple(map(mark, decision.plan)),
            "key_evidence": tuple(
                item.model_copy(update={"claim": mark(item.claim)}) for item in decision.key_evidence
            ),
        }
    )
