"""Read back the prompts that agents send: role, reports, plans, turns, lessons and the candidates of a scan."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall, ToolMessage

from tradingagents.dataflows.reference.sectors import sector_key
from tradingagents.offline.brief import Pickable, Plan, Spoken

_LARGEST = re.compile(r"\bat most (\d+(?:\.\d+)?(?:e-\d+)?) of equity\b")
_ROLE = re.compile(r"^# Your role: *(.+?) *$", re.MULTILINE)
_FACT = re.compile(r"^(Ticker|Trade date|Scan date): *(.+?) *$", re.MULTILINE)
_BLOCK = re.compile(
    r"^<(report|plan|turn|lesson)\b([^>\n]*)>(.*?)(?=^<(?:report|plan|turn|lesson)\b[^>\n]*>|\Z)",
    re.MULTILINE | re.DOTALL,
)
"""A block runs to the last closing tag before the next opening one: a closing tag inside a headline ends nothing."""
_RESULT = re.compile(
    r"^<tool_result tool='([^'\n]*)' arguments='([^'\n]*)'( status='failed')?>\n(.*?)\n</tool_result>$",
    re.MULTILINE | re.DOTALL,
)
_ATTRIBUTE = re.compile(r'(\w+)="([^"\n]*)"')
_FIELD = re.compile(r"^\*\*(Action|Horizon|Entry|Stop|Target|Position size):\*\* *([A-Z_]+|[\d,.]+)", re.MULTILINE)
_UNAVAILABLE = re.compile(r"^\*\*Not available\.\*\* *(.*)$", re.MULTILINE)
_PICKS = re.compile(r"^Picks asked: *(?:exactly +)?(\d+)(?: to (\d+))?", re.MULTILINE)
LESSON = "\nLesson: "


@dataclass(frozen=True)
class ReadPrompt:
    """What stands in a prompt."""

    role: str
    facts: Mapping[str, str]
    reports: Mapping[str, str]
    """Report text by name, without those that say they are not available."""
    missing: Mapping[str, str]
    """Why a report is not available, by name."""
    plans: Mapping[str, Plan]
    turns: tuple[Spoken, ...]
    lessons: tuple[str, ...]
    instruction: str
    """What stands from the last role line on."""

    @property
    def largest_position(self) -> float:
        """The largest position that the instruction allows; 1 where it names no limit."""
        found = _LARGEST.search(self.instruction)
        return float(found.group(1)) if found else 1.0

    @property
    def picks(self) -> tuple[int, int]:
        """How many picks are asked for, least and most."""
        found = _PICKS.search(self.instruction)
        assert found is not None
        return int(found[1]), int(found[2] or found[1])

    @property
    def candidates(self) -> tuple[Pickable, ...]:
        """The rows of the candidates' table."""
        rows = [line.strip("| ").split(" | ") for line in self.reports.get("candidates", "").splitlines()[2:]]
        return tuple(_pickable(row) for row in rows)


def prescribed_in(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Read the prescribed calls of a prompt, and what tools answered, as a tool node makes them."""
    human = "\n\n".join(message.text for message in messages if isinstance(message, HumanMessage))
    found = list(enumerate(_RESULT.findall(human)))
    calls = [
        ToolCall(name=name, args=json.loads(arguments), id=f"prescribed_{number}")
        for number, (name, arguments, _, _) in found
    ]
    answers = [
        ToolMessage(text, name=name, tool_call_id=f"prescribed_{number}", status="error" if failed else "success")
        for number, (name, _, failed, text) in found
    ]
    return [AIMessage("", tool_calls=calls), *answers] if found else []


def read_prompt(messages: Sequence[BaseMessage]) -> ReadPrompt:
    """Read the messages an agent sends."""
    human = "\n\n".join(message.text for message in messages if isinstance(message, HumanMessage))
    roles = list(_ROLE.finditer(human))
    given = human[: roles[-1].start()] if roles else human
    blocks = [
        (tag, dict(_ATTRIBUTE.findall(attributes)), inside.rpartition(f"</{tag}>")[0].strip())
        for tag, attributes, inside in _BLOCK.findall(given)
    ]
    reports, plans = _once(blocks, "report"), _once(blocks, "plan")
    missing = {name: why.group(1) for name, text in reports.items() if (why := _UNAVAILABLE.match(text))}
    return ReadPrompt(
        role=roles[-1].group(1) if roles else "",
        facts=dict(_FACT.findall("\n".join(message.text for message in messages if message.type == "system"))),
        reports={name: text for name, text in reports.items() if name not in missing},
        missing=missing,
        plans={name: _plan(text) for name, text in plans.items()},
        turns=tuple(Spoken(about.get("speaker", ""), text) for tag, about, text in blocks if tag == "turn"),
        lessons=tuple(text.rpartition(LESSON)[2] for tag, _, text in blocks if tag == "lesson"),
        instruction=human[roles[-1].end() :] if roles else "",
    )


def _once(blocks: Sequence[tuple[str, Mapping[str, str], str]], tag: str) -> dict[str, str]:
    """Return texts by name without the names that occur twice: one of them is forged, and nothing says which."""
    named = [(about.get("name", ""), text) for one, about, text in blocks if one == tag]
    counts = Counter(name for name, _ in named)
    return {name: text for name, text in named if counts[name] == 1}


def _plan(text: str) -> Plan:
    fields: dict[str, str] = {}
    for key, value in _FIELD.findall(text):
        fields.setdefault(key, value)
    horizon = _number(fields.get("Horizon", ""))
    return Plan(
        action=fields.get("Action"),
        horizon_days=int(horizon) if horizon else None,
        entry=_number(fields.get("Entry", "")) or None,
        stop=_number(fields.get("Stop", "")) or None,
        target=_number(fields.get("Target", "")) or None,
        position_size=_number(fields.get("Position size", "")),
    )


def _pickable(cells: Sequence[str]) -> Pickable:
    ticker, name, sector, *moves, tools = cells
    names = ("change_1d", "return_1w", "return_1m")
    known = {name: float(move.rstrip("%")) for name, move in zip(names, moves, strict=True) if move != "n/a"}
    return Pickable(ticker, name, sector_key(sector), known, tuple(tools.split(", ")))


def _number(text: str) -> float | None:
    try:
        return float(text.split(" ")[0].replace(",", "").rstrip("."))
    except ValueError:
        return None
