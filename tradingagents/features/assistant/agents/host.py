"""`ToolHost`: what an agent's loop asks to list and run tools; the tasks' layer implements it over the kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

from tradingagents.features.assistant.agents.definitions import AgentDefinition
from tradingagents.offline.questions.conversation import CalledTool
from tradingagents.schemas.workspace import TaskInfo


@dataclass(frozen=True, kw_only=True)
class ToolOffer:
    """A tool as a model is shown it."""

    name: str
    description: str
    arguments: Mapping[str, Any]
    """JSON schema."""

    def to_openai(self) -> dict[str, Any]:
        """Return the tool in the format that all chat models take."""
        schema = {key: value for key, value in self.arguments.items() if key != "description"}
        parameters = {"type": "object", "properties": {}, **_short(schema)}
        function = {"name": self.name, "description": self.description, "parameters": parameters}
        return {"type": "function", "function": function}


def _short(schema: Any) -> Any:
    """Return a JSON schema with less to read: no titles, and an argument that may be null is one that may be left out."""
    if isinstance(schema, list):
        return [_short(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    options = schema.get("anyOf")
    if isinstance(options, list) and len(given := [option for option in options if option.get("type") != "null"]) == 1:
        rest = {name: part for name, part in schema.items() if name not in ("anyOf", "title", "default")}
        default = {"default": schema["default"]} if schema.get("default") is not None else {}
        return {**_short(given[0]), **rest, **default}
    # A property may be called title too; its value is a schema then.
    return {name: _short(part) for name, part in schema.items() if not (name == "title" and isinstance(part, str))}


@dataclass(frozen=True, kw_only=True)
class ToolCaller:
    """On whose behalf a tool is called."""

    agent: AgentDefinition
    session_id: str
    turn: str
    """Task id of the turn."""
    as_of: date | None
    """Day of the turn; None: today."""
    outside_text_seen: bool
    """Whether text that others wrote was read in this turn."""
    auto_approve: bool
    """Whether the session lets the agent act without asking."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutcome(CalledTool):
    """What a call gave, with what the model reads of it."""

    text: str
    outside_text: bool = False
    """Whether it holds text that others wrote."""
    capability: str = ""
    """Name of the capability that answered; empty for other tools."""


class ToolHost(Protocol):
    """Lists and runs the tools of an agent. Every call passes the kernel's policy."""

    async def offers(self, agent: AgentDefinition) -> tuple[ToolOffer, ...]:
        """Return the tools that an agent may use at present; consultations are not among them."""
        ...

    def gaps(self) -> Sequence[str]:
        """Return a sentence for each tool server that lends nothing, after `offers`."""
        ...

    def catalogue(self, agent: AgentDefinition) -> tuple[ToolOffer, ...]:
        """Return every capability that an agent may use at present, those too that are not offered as tools."""
        ...

    async def tasks(self, session_id: str) -> Sequence[TaskInfo]:
        """Return the newest tasks of a session."""
        ...

    async def call(self, caller: ToolCaller, name: str, arguments: Mapping[str, Any], *, key: str) -> ToolOutcome:
        """Run one call.

        What a typed error says becomes the text of a failed outcome.

        Args:
            caller: On whose behalf.
            name: The tool, as the model wrote it.
            arguments: As the model wrote them.
            key: The same for the same call of the same turn, so that a repeated start begins no second task.

        Raises:
            Interrupted: The process is to stop.
        """
        ...
