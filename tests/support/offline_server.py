"""A model server that answers as the offline analysts do: whole runs over the real client, with answers that mean it.

    with OfflineServer() as server:
        graph = TradingAgentsGraph(config=server_config(server, home))

A run against it comes to the decision of a run with `llm_provider=offline` on the same data.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from langchain_core.messages import BaseMessage, ToolMessage, convert_to_messages

from benchmarks.openai_server import Answer, OpenAIServer, ToolCall
from tradingagents.offline.answer import answer


class OfflineServer(OpenAIServer):
    """The server; answers it was given by `answer` and `always` come first."""

    def ponder(self, body: Mapping[str, Any]) -> Answer:
        """Return what the offline analysts answer to a request."""
        said = answer(messages_of(body["messages"]), body.get("tools") or (), body.get("tool_choice"))
        return Answer(
            text=said.text or None, tool_calls=tuple(ToolCall(call["name"], call["args"]) for call in said.tool_calls)
        )


def messages_of(conversation: Sequence[Mapping[str, Any]]) -> list[BaseMessage]:
    """Turn a request's messages back into those that an agent sent.

    What the wire does not carry is worked out again: a tool's result begins with a heading, and a failed one does not.
    """
    return [_with_status(message) for message in convert_to_messages(list(_readable(conversation)))]


def _readable(conversation: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the messages without tool calls whose arguments are no JSON, which LangChain refuses to read."""
    for message in conversation:
        calls = [call for call in message.get("tool_calls") or () if _is_json(call["function"]["arguments"])]
        kept = {key: value for key, value in message.items() if key != "tool_calls"}
        yield {**kept, "content": kept.get("content") or "", **({"tool_calls": calls} if calls else {})}


def _with_status(message: BaseMessage) -> BaseMessage:
    if isinstance(message, ToolMessage) and not message.text.startswith("#"):
        message.status = "error"
    return message


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
