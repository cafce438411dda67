"""What no summary of a conversation may lose: symbols, decisions, open tasks, approvals, preferences.

They are found by rules in the entries themselves, never by a model, and passed from summary to summary as data.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import Field, ValidationError

from tradingagents.features.assistant.sessions.budget import estimate_tokens
from tradingagents.schemas.workspace import ENDED, SessionInfo, TaskInfo, TranscriptEntry, WireModel

FACTS = "facts"
"""Key of a summary's `data` under which its facts stand."""
MOST_SYMBOLS, MOST_DECISIONS, MOST_PREFERENCES, MOST_REMARKS, MOST_TASKS, MOST_APPROVALS = 100, 40, 40, 15, 30, 15
LINE = 240
"""Characters of one fact."""
_SYMBOL_KEYS = ("symbol", "symbols", "ticker", "tickers")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_PREFERENCE = re.compile(
    r"\b(from now on|remember|keep in mind|always|never|no more than|at most|call me|"
    r"i (?:\w+ )?prefer|i (?:do not|don't) (?:want|like|trade|hold|buy)|i dislike|i avoid|i only|"
    r"my (?:\w+ ){0,2}(?:horizon|risk|tolerance|budget|goal|rule|limit|currency|style|preference|account|mandate)s?)\b",
    re.IGNORECASE,
)
_REMARK = re.compile(
    r"\b(please (?:use|show|keep|answer|write|stop)|i (?:hold|own|am an?)|instead of|do not|don't)\b", re.IGNORECASE
)
_DECIDED = re.compile(
    r"\b(i(?:'ve| have)? (?:decided|bought|sold|chose)|i(?:'ll| will) (?:buy|sell|hold|wait|keep)|"
    r"we (?:decided|will (?:buy|sell|hold))|let's (?:buy|sell|hold|go with)|the plan is)\b",
    re.IGNORECASE,
)
RESULT_FACTS = "facts"
"""Key of a tool result's `data` under which texts of the typed result stand, by their place in it."""
_TRIMMED = (
    ("remarks", 0),
    ("decisions", 15),
    ("preferences", 15),
    ("symbols", 40),
    ("decisions", 5),
    ("preferences", 5),
)
"""Which facts a summary leaves out of its text first, the oldest of each, and how many of them stay."""


class SummaryFacts(WireModel):
    """Facts of a conversation, each list oldest first unless it says otherwise."""

    symbols: tuple[str, ...] = ()
    """Latest first."""
    decisions: tuple[str, ...] = ()
    """What runs, personas and the user decided."""
    open_tasks: dict[str, str] = Field(default_factory=dict)
    """What is being worked on, by task id."""
    approvals: tuple[str, ...] = ()
    preferences: tuple[str, ...] = ()
    """What the user said holds from then on; a later one wins over an earlier one."""
    remarks: tuple[str, ...] = ()
    """What may be a preference; of these only the latest stay."""
    request: str = ""
    """The message of the user that is being answered, where the summary covers it."""


def facts_of(entry: TranscriptEntry | None) -> SummaryFacts:
    """Return the facts of a summary; none where there is no summary, or its data were changed."""
    if entry is None:
        return SummaryFacts()
    try:
        return SummaryFacts.model_validate(entry.data.get(FACTS, {}))
    except ValidationError:
        return SummaryFacts()


def gathered(
    earlier: SummaryFacts,
    entries: Sequence[TranscriptEntry],
    session: SessionInfo,
    tasks: Iterable[TaskInfo] = (),
    request: str = "",
) -> SummaryFacts:
    """Return the facts of earlier ones and of entries that a summary is to cover.

    Args:
        earlier: Facts of the summary before.
        entries: The entries, oldest first.
        session: Knows the symbols and approvals.
        tasks: Tasks of the session as they stand now; those that are not given stand as the entries say.
        request: The user's message that is being answered, if the entries include it.
    """
    spoken = [sentence for entry in entries if entry.type == "user" for sentence in _sentences(entry.text)]
    preferences = [sentence for sentence in spoken if _PREFERENCE.search(sentence)]
    remarks = [
        sentence
        for sentence in spoken
        if sentence not in preferences and _REMARK.search(sentence) and not sentence.endswith("?")
    ]
    noted = [symbol for entry in entries for symbol in _symbols(entry)]
    return SummaryFacts(
        symbols=tuple(dict.fromkeys([*session.symbols, *reversed(noted), *earlier.symbols]))[:MOST_SYMBOLS],
        decisions=_latest(
            [*earlier.decisions, *(decision for entry in entries for decision in _decisions(entry))], MOST_DECISIONS
        ),
        open_tasks=_open_tasks(earlier.open_tasks, entries, tasks),
        approvals=_approvals(session),
        preferences=_latest([*earlier.preferences, *preferences], MOST_PREFERENCES),
        remarks=_latest([*earlier.remarks, *remarks], MOST_REMARKS),
        request=request,
    )


def shown_facts(facts: SummaryFacts, longest: int) -> str:
    """Return facts as a model reads them, in about so many tokens; open tasks and approvals are always among them."""
    for name, least in _TRIMMED:
        while estimate_tokens(text := facts_text(facts)) > longest and len(lines := getattr(facts, name)) > least:
            few = max(1, (len(lines) - least) // 4)
            fewer = lines[:-few] if name == "symbols" else lines[few:]
            facts = facts.model_copy(update={name: fewer})
    return text


def facts_text(facts: SummaryFacts) -> str:
    """Return facts as a model reads them; nothing for empty lists."""
    parts = [
        ("The user is being answered to this message", [facts.request] if facts.request else []),
        ("Symbols, latest first", [", ".join(facts.symbols)] if facts.symbols else []),
        ("What the user prefers; later ones win", facts.preferences),
        ("What the user remarked", facts.remarks),
        ("Decisions", facts.decisions),
        ("Open tasks", [f"{task}: {said}" for task, said in facts.open_tasks.items()]),
        ("Approvals", facts.approvals),
    ]
    return "\n\n".join(f"{title}:\n" + "\n".join(f"- {line}" for line in lines) for title, lines in parts if lines)


def _sentences(text: str) -> list[str]:
    return [_line(sentence) for sentence in _SENTENCE.split(text) if sentence.strip()]


def _line(text: str, most: int = LINE) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def _latest(lines: Iterable[str], most: int) -> tuple[str, ...]:
    """Return the latest lines, each once, in their order."""
    return tuple(reversed(list(dict.fromkeys(reversed(list(lines))))[:most]))


def _symbols(entry: TranscriptEntry) -> list[str]:
    found = []
    for source in (entry.arguments or {}, entry.data):
        for key in _SYMBOL_KEYS:
            value = source.get(key)
            several = value if isinstance(value, list) else str(value).split(",") if isinstance(value, str) else []
            found += [symbol.strip() for symbol in several if isinstance(symbol, str) and 0 < len(symbol.strip()) <= 20]
    return found


def _decisions(entry: TranscriptEntry) -> list[str]:
    if entry.type == "user":
        return [
            f"The user: {sentence}"
            for sentence in _sentences(entry.text)
            if _DECIDED.search(sentence) and not sentence.endswith("?")
        ]
    if entry.type == "memo":
        data = entry.data
        about = f" on {data['symbol']}" if data.get("symbol") else ""
        stance, sure = data.get("stance", ""), data.get("confidence", "")
        return [_line(f"{entry.name}{about}: {stance} ({sure}/100). {data.get('thesis', '') or entry.text}")]
    if entry.type == "notice" and isinstance(entry.data.get("result"), dict):
        result = {key: part for key, part in entry.data["result"].items() if isinstance(part, (str, int, float))}
        return [_line(f"{entry.text} {', '.join(f'{key} {part}' for key, part in result.items() if part != '')}")]
    if entry.type == "tool_result":
        stated = _stated(entry.data.get(RESULT_FACTS))
        return [_line(f"{entry.data.get('title') or entry.name}: {stated}")] if stated else []
    return []


def _stated(facts: Any) -> str:
    """Return the decisions among the texts of a typed result."""
    if not isinstance(facts, Mapping):
        return ""
    return ", ".join(f"{key} {fact}" for key, fact in facts.items() if str(key).rpartition(".")[2] == "action" and fact)


def _open_tasks(
    earlier: Mapping[str, str], entries: Iterable[TranscriptEntry], tasks: Iterable[TaskInfo]
) -> dict[str, str]:
    found = dict(earlier)
    for entry in entries:
        task = entry.data.get("task_id")
        if not isinstance(task, str):
            continue
        if entry.type == "tool_result" and entry.name not in ("task_status", "cancel_task"):
            found[task] = _line(entry.data.get("title") or entry.text)
        elif entry.type == "notice" and entry.data.get("status") in ENDED:
            found.pop(task, None)
    for info in tasks:
        found.pop(info.task_id, None)
        if info.status not in ENDED:
            found[info.task_id] = _line(f"{info.title} ({info.kind}), {info.status.replace('_', ' ')}")
    return dict(list(found.items())[-MOST_TASKS:])


def _approvals(session: SessionInfo) -> tuple[str, ...]:
    waiting = [approval for approval in session.approvals if approval.status == "waiting"]
    answered = [approval for approval in session.approvals if approval.status != "waiting"][-MOST_APPROVALS:]
    return tuple(
        _line(f"{approval.approval_id}, {approval.action} {approval.arguments}: {approval.status}. {approval.reason}")
        for approval in [*answered, *waiting[-MOST_APPROVALS:]]
    )
