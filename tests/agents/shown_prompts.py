"""A model's calls as a reviewer reads them: the first prompt of an agent whole, tool results by their first lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from tradingagents.llm_clients.scripted import ScriptedCall

RESULT = re.compile(r"(?<=^)(<tool_result .*?>\n)(.*?)(?=\n</tool_result>$)", re.MULTILINE | re.DOTALL)
SHOWN_LINES = 12
"""Lines of a tool result that a golden file shows."""


def rendered(calls: Sequence[ScriptedCall]) -> str:
    """Show the calls of one agent: the first whole, of later ones what comes after the reports."""
    parts = []
    for number, call in enumerate(calls, start=1):
        tools = f", may call {', '.join(call.tools)}" if call.tools else ""
        parts.append(f"# Call {number}{tools}")
        if number == 1:
            parts += [f"## {message.type}\n\n{shown(message)}" for message in call.messages]
        else:
            parts.append(f"## {call.messages[-1].type}, after the reports\n\n{after_reports(call.messages[-1].text)}")
    return "\n\n".join(parts) + "\n"


def shown(message: BaseMessage) -> str:
    if isinstance(message, AIMessage) and message.tool_calls:
        return "\n".join(
            f"- {call['name']}({', '.join(f'{name}={value}' for name, value in call['args'].items())})"
            for call in message.tool_calls
        )
    if isinstance(message, ToolMessage):
        return f"{message.name}, {message.status}:\n\n{first_lines(message.text)}"
    return RESULT.sub(lambda found: found[1] + first_lines(found[2]), message.text)


def first_lines(text: str) -> str:
    lines = text.splitlines()
    return "\n".join([*lines[:SHOWN_LINES], *["…"][: len(lines) - SHOWN_LINES]])


def after_reports(prompt: str) -> str:
    return prompt.rpartition("</report>")[2].strip()
