"""Read a prompt: role, instrument, reports, plans, turns, lessons and tool results become one `Prompt`.

The layout is the one every agent writes. Text from outside cannot change the role (the last role line of the human
messages counts, and the instruction stands last) nor forge a report: a report name that occurs twice is dropped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolCall, ToolMessage

from tradingagents.offline.tables import Shown, figures_of

_DESCRIBED = re.compile(r"^<instrument>\n(.*?)\n</instrument>$", re.MULTILINE | re.DOTALL)
_LARGEST = re.compile(r"\bat most (\d+(?:\.\d+)?(?:e-\d+)?) of equity\b")
_ROLE = re.compile(r"^# Your role: *(.+?) *$", re.MULTILINE)
_FACT = re.compile(r"^(Ticker|Name|Sector|Currency|Trade date|Scan date|Last close): *(.+?) *$", re.MULTILINE)
_BLOCK = re.compile(
    r"^<(report|plan|turn|lesson)\b([^>\n]*)>(.*?)(?=^<(?:report|plan|turn|lesson)\b[^>\n]*>|\Z)",
    re.MULTILINE | re.DOTALL,
)
"""A block runs to the last closing tag before the next opening one: a closing tag inside a headline ends nothing."""
_ATTRIBUTE = re.compile(r'(\w+)="([^"\n]*)"')
_FIELD = re.compile(
    r"^\*\*(Action|Confidence|Horizon|Entry|Stop|Target|Position size):\*\* *([A-Z_]+|[\d,.]+)", re.MULTILINE
)
_NOTE = re.compile(r"^Note: (.+)$", re.MULTILINE)
_OUTSIDE = frozenset({"get_news", "get_global_news", "get_topic_news", "get_social_sentiment"})
"""Tools whose bodies hold what outsiders wrote: a line in them that looks like a note may be theirs."""
LESSON = "\nLesson: "
"""Opens the lesson itself, after the situation and the outcome it was drawn from."""
TOPIC_TITLE = "News on "
_TITLE = re.compile(r"\A## +([^\n]+?)[ \t]*(?:\n|\Z)")
_UNAVAILABLE = re.compile(r"^\*\*Not available\.\*\* *(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Instrument:
    """The stock and the day, from the system message; None where a line is absent. A scan has a day and no stock."""

    ticker: str = "the stock"
    name: str | None = None
    sector: str | None = None
    trade_date: date | None = None
    """The day of the run: a scan's date in a scan."""
    last_close: float | None = None


@dataclass(frozen=True, slots=True)
class ToolText:
    """What one tool call gave."""

    tool: str
    figures: Mapping[str, Shown]
    body: str
    """Below the figures; for a failed call the reason."""
    failed: bool
    title: str = ""
    """Heading of the result, such as `Market movers: day_gainers`; empty for a failed call."""
    asked: str = ""
    """First text among the call's arguments, such as `day_gainers`: which of several calls of one tool it was."""

    @property
    def subject(self) -> str:
        """What the result is about, for its title: what follows `: ` or `News on `; empty where neither stands."""
        topic = self.title.removeprefix(TOPIC_TITLE)
        return topic if topic != self.title else self.title.partition(": ")[2]


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a debate."""

    speaker: str
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Plan:
    """The fields of a rendered verdict; None where it names none."""

    action: str | None = None
    """BUY, SELL, HOLD or NO_DECISION."""
    confidence: float | None = None
    horizon_days: int | None = None
    entry: float | None = None
    stop: float | None = None
    target: float | None = None
    position_size: float | None = None

    @property
    def decided(self) -> bool:
        """Say whether the plan holds a decision."""
        return self.action in ("BUY", "SELL", "HOLD")


@dataclass(frozen=True)
class Prompt:
    """Everything a role is given."""

    role: str
    """As in `# Your role: …`; empty where there is no such line."""
    instrument: Instrument
    reports: Mapping[str, str]
    """Report text by name, without those that say they are not available."""
    missing: Mapping[str, str]
    """Why a report is not available, by name."""
    plans: Mapping[str, Plan]
    turns: tuple[Turn, ...]
    lessons: tuple[str, ...]
    tools: tuple[ToolText, ...]
    instruction: str = ""
    """What stands from the last role line on."""
    plan_texts: Mapping[str, str] = field(default_factory=dict)
    """The plans as they were written, by name."""

    @property
    def largest_position(self) -> float:
        """The largest position, as a fraction of equity, that the instruction allows; 1 where it names no limit."""
        found = _LARGEST.search(self.instruction)
        return float(found.group(1)) if found else 1.0

    @cached_property
    def figures(self) -> Mapping[str, Mapping[str, Shown]]:
        """Figures by tool; where a tool was called twice, the first call that shows a figure counts."""
        found: dict[str, dict[str, Shown]] = {}
        for result in self.tools:
            known = found.setdefault(result.tool, {})
            for name, shown in result.figures.items():
                known.setdefault(name, shown)
        return found

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """The doubts that the tools state about their own figures, each once."""
        said = [
            note
            for tool in self.tools
            if not tool.failed and tool.tool not in _OUTSIDE
            for note in _NOTE.findall(tool.body)
        ]
        return tuple(dict.fromkeys(said))

    def results(self, tool: str) -> tuple[ToolText, ...]:
        """Return what the calls of a tool gave, in the order given; without those that failed."""
        return tuple(result for result in self.tools if result.tool == tool and not result.failed)

    def body(self, tool: str) -> str:
        """Return the bodies of a tool's results, one below the other; empty where it gave none."""
        return "\n".join(result.body for result in self.results(tool))


def read_prompt(messages: Sequence[BaseMessage]) -> Prompt:
    """Read the messages an agent sends."""
    human = "\n\n".join(message.text for message in messages if isinstance(message, HumanMessage))
    roles = list(_ROLE.finditer(human))
    given = human[: roles[-1].start()] if roles else human
    blocks = _blocks(given)
    reports, plan_texts = _once(blocks, "report"), _once(blocks, "plan")
    missing = {name: why.group(1) for name, text in reports.items() if (why := _UNAVAILABLE.match(text))}
    return Prompt(
        role=roles[-1].group(1) if roles else "",
        instrument=_instrument(messages),
        reports={name: text for name, text in reports.items() if name not in missing},
        missing=missing,
        plans={name: _plan(text) for name, text in plan_texts.items()},
        plan_texts=plan_texts,
        turns=tuple(_turn(block) for block in blocks if block.tag == "turn"),
        lessons=tuple(block.text.rpartition(LESSON)[2] for block in blocks if block.tag == "lesson"),
        tools=_tool_texts(messages),
        instruction=human[roles[-1].end() :] if roles else "",
    )


@dataclass(frozen=True, slots=True)
class _Block:
    tag: str
    attributes: Mapping[str, str]
    text: str


def _blocks(given: str) -> tuple[_Block, ...]:
    return tuple(
        _Block(tag, dict(_ATTRIBUTE.findall(attributes)), inside.rpartition(f"</{tag}>")[0].strip())
        for tag, attributes, inside in _BLOCK.findall(given)
    )


def _once(blocks: Sequence[_Block], tag: str) -> dict[str, str]:
    """Return texts by name without the names that occur twice: one of them is forged, and nothing says which."""
    named = [(block.attributes.get("name", ""), block.text) for block in blocks if block.tag == tag]
    counts = Counter(name for name, _ in named)
    return {name: text for name, text in named if counts[name] == 1}


def _turn(block: _Block) -> Turn:
    number = block.attributes.get("number", "")
    return Turn(block.attributes.get("speaker", ""), int(number) if number.isdigit() else 0, block.text)


def _instrument(messages: Sequence[BaseMessage]) -> Instrument:
    system = "\n".join(message.text for message in messages if isinstance(message, SystemMessage))
    described = next((found[1] for one in messages if (found := _DESCRIBED.search(one.text))), "")
    facts: dict[str, str] = {}
    for key, value in _FACT.findall(f"{system}\n{described}"):
        facts.setdefault(key, value)
    return Instrument(
        ticker=facts.get("Ticker", "the stock"),
        name=facts.get("Name"),
        sector=facts.get("Sector"),
        trade_date=_date(facts.get("Trade date") or facts.get("Scan date") or ""),
        last_close=_number(facts.get("Last close", "")),
    )


def _tool_texts(messages: Sequence[BaseMessage]) -> tuple[ToolText, ...]:
    calls = {call["id"]: call for message in messages if isinstance(message, AIMessage) for call in message.tool_calls}
    return tuple(
        _tool_text(message, calls.get(message.tool_call_id)) for message in messages if isinstance(message, ToolMessage)
    )


def _tool_text(message: ToolMessage, call: ToolCall | None) -> ToolText:
    tool = message.name or (call["name"] if call else "")
    asked = next((value for value in (call["args"] if call else {}).values() if isinstance(value, str)), "")
    if message.status == "error":
        return ToolText(tool, {}, " ".join(message.text.split()), failed=True, asked=asked)
    figures, body = figures_of(message.text)
    title = _TITLE.match(message.text)
    return ToolText(tool, figures, body, failed=False, title=title.group(1) if title else "", asked=asked)


def _plan(text: str) -> Plan:
    fields: dict[str, str] = {}
    for key, value in _FIELD.findall(text):
        fields.setdefault(key, value)
    horizon = _number(fields.get("Horizon", ""))
    return Plan(
        action=fields.get("Action"),
        confidence=_number(fields.get("Confidence", "")),
        horizon_days=int(horizon) if horizon else None,
        entry=_number(fields.get("Entry", "")) or None,
        stop=_number(fields.get("Stop", "")) or None,
        target=_number(fields.get("Target", "")) or None,
        position_size=_number(fields.get("Position size", "")),
    )


def _number(text: str) -> float | None:
    try:
        return float(text.split(" ")[0].replace(",", "").rstrip("."))
    except ValueError:
        return None


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None
