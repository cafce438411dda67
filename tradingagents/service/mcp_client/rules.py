"""Which tools of another server may be used, how they are shown to a model, and how their answers are read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tradingagents.agents.prompting import fenced
from tradingagents.files.plain_text import clean, one_line
from tradingagents.schemas.lent_tools import LentTool
from tradingagents.schemas.mcp_servers import McpServer

MOST_TOOLS = 40
"""Tools of one server that are used; each one costs space in every request to the model."""
LONGEST_DESCRIPTION = 600
LARGEST_SCHEMA = 8_000
"""Characters of the JSON schema of a tool's arguments; a tool with a larger one is left out."""
LONGEST_NAME = 64
"""Longest name of a tool that all model providers accept."""
NO_SUCH_TOOL = "the server has no such tool"
_NAME = re.compile(r"[A-Za-z0-9_-]+")


def lent_tools(
    name: str, server: McpServer, offered: Iterable[Mapping[str, Any]]
) -> tuple[dict[str, str], tuple[LentTool, ...], tuple[str, ...]]:
    """Choose the tools of a server that may be used.

    A tool that does not declare itself read-only counts as one that writes.

    Args:
        name: Name of the server in the settings.
        server: What the settings say about it.
        offered: Its tools, as listed.

    Returns:
        The server's own names by ours; the tools; one sentence for each tool named in the settings that is left out.
    """
    own: dict[str, str] = {}
    found: list[LentTool] = []
    refused: dict[str, str] = {}
    for tool in offered:
        called = str(tool.get("name", ""))
        ours = f"{name}__{called}"
        if why := _refusal(server, tool, ours):
            refused[called] = why
        elif ours not in own and len(found) < MOST_TOOLS:
            own[ours] = called
            found.append(_shown(name, ours, tool))
    missing = (
        f"Tool {one_line(asked)} of the MCP server {name} is not used: {refused.get(asked, NO_SUCH_TOOL)}."
        for asked in server.tools or ()
        if asked not in own.values()
    )
    return own, tuple(found), tuple(missing)


def _refusal(server: McpServer, tool: Mapping[str, Any], ours: str) -> str | None:
    """Return why a tool may not be used; None where it may."""
    if server.tools is not None and tool.get("name") not in server.tools:
        return "it is not named in the setting `tools`"
    if len(ours) > LONGEST_NAME or not _NAME.fullmatch(ours):
        return "models accept no such name"
    if len(json.dumps(tool.get("inputSchema", {}))) > LARGEST_SCHEMA:
        return "the schema of its arguments is too large"
    if not _is_read_only(tool) and not server.allow_writes:
        return "it does not declare itself read-only, and the setting `allow_writes` is off"
    return None


def _is_read_only(tool: Mapping[str, Any]) -> bool:
    return (tool.get("annotations") or {}).get("readOnlyHint") is True


def _shown(server: str, ours: str, tool: Mapping[str, Any]) -> LentTool:
    said = fenced(one_line(str(tool.get("description") or tool.get("title") or "")))[:LONGEST_DESCRIPTION]
    schema = tool.get("inputSchema")
    return LentTool(
        name=ours,
        server=server,
        description=f"Tool of the MCP server {server}, which is not part of tradingagents. It says: {said}",
        arguments=dict(schema) if isinstance(schema, Mapping) else {"type": "object", "properties": {}},
        writes=not _is_read_only(tool),
    )


def read_answer(server: str, tool: str, answer: Mapping[str, Any], most: int) -> str:
    """Return a tool's result as fenced text.

    Args:
        server: Name of the server.
        tool: The server's own name of the tool.
        answer: The result, as JSON.
        most: Longest answer in characters.
    """
    text = clean("\n\n".join(filter(None, map(_part, answer.get("content", ())))))
    if not text.strip() and answer.get("structuredContent") is not None:
        text = clean(json.dumps(answer["structuredContent"], ensure_ascii=False))
    note = f"\n[Cut off after {most:,} of {len(text):,} characters.]" if len(text) > most else ""
    body = fenced(text[:most]) or "(no text)"
    return f'<outside_text server="{server}" tool="{tool}">\n{body}\n</outside_text>{note}'


def _part(content: Mapping[str, Any]) -> str:
    """Return a part of a result as text; what is no text is named."""
    kind = content.get("type")
    if kind == "text":
        return str(content.get("text", ""))
    if kind == "resource_link":
        return f"[Resource {content.get('name', '')}: {content.get('uri', '')}]"
    if kind == "resource":
        resource = content.get("resource") or {}
        return str(resource.get("text") or f"[Resource {resource.get('uri', '')}, which is no text]")
    return f"[{kind} of type {content.get('mimeType', 'unknown')}, left out]"


def in_brief(texts: Iterable[str]) -> Iterator[str]:
    """Yield texts on one line each, shortened."""
    for text in texts:
        line = one_line(text)
        yield line if len(line) <= LONGEST_DESCRIPTION else f"{line[:LONGEST_DESCRIPTION]}…"
