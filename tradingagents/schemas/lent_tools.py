"""Tools that other MCP servers lend to the assistant: what it sees of them, and how it calls them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Protocol

from tradingagents.schemas.workspace import WireModel


class LentTool(WireModel):
    """A tool of another server."""

    name: str
    """`<server>__<tool>`, as the model calls it."""
    server: str
    description: str
    """What the server says about it: text that others wrote, cleaned and shortened."""
    arguments: dict[str, Any]
    """JSON schema of the arguments."""
    writes: bool = False
    """Whether it may change something: a person approves each call."""


class ToolLender(Protocol):
    """Lends the tools of other servers. Whatever they answer is text from outside."""

    async def list_tools(self) -> Sequence[LentTool]:
        """Return the tools that may be used. Servers that cannot be reached lend none; see `gaps`."""
        ...

    async def call(self, name: str, arguments: Mapping[str, Any], *, as_of: date | None = None) -> str:
        """Return a tool's answer, fenced as text from outside.

        Args:
            name: As listed.
            arguments: As its schema says.
            as_of: Day of the study; None: now.

        Raises:
            UsageError: There is no such tool, or the server rejects the arguments.
            NotForPastDate: The day is past, and the server knows only today's data.
            VendorUnavailable: The server does not answer.
        """
        ...

    def gaps(self) -> Sequence[str]:
        """Return one sentence for each server that lends nothing, with the reason."""
        ...
