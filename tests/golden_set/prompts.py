"""Prompts and tool schemas as a model server receives them, byte for byte.

The server answers with replies of the offline analysts (`replies/`, on the simulated market), so that each agent is
asked, and asked on. A prompt that is not the one a reply was for gets the next reply to its agent.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.openai_answers import answer_for, forced_tool, quotation, role_of, text_of
from benchmarks.openai_server import Answer, OpenAIServer, ToolCall
from tests.golden_set.artifacts import Artifacts, Normaliser

REPLIES = Path(__file__).resolve().parent / "replies"
NO_ROLE = "Assistant"
EXECUTOR = "Task Executor"
"""Answers by rules without asking for a tool, as a model has to; so it is answered by `_executed`."""


class ReplyingServer(OpenAIServer):
    """A model server that answers by a file of replies and remembers what it was asked.

    Args:
        replies: Name of the file.
    """

    def __init__(self, replies: str) -> None:
        super().__init__()
        self.bodies: list[Mapping[str, Any]] = []
        self._left: list[dict[str, Any]] = json.loads((REPLIES / f"{replies}.json").read_text("utf-8"))

    def ponder(self, body: Mapping[str, Any]) -> Answer:
        """Return the reply to this prompt, else the next one to its agent."""
        self.bodies.append(body)
        role = role_of(body["messages"])
        shown = hashlib.sha256("\n\n".join(map(text_of, body["messages"])).encode()).hexdigest()[:12]
        if role == EXECUTOR:
            return _executed(body)
        fitting = [reply for reply in self._left if reply["role"] == role]
        if not fitting:
            return answer_for(body, self.reply_tokens)  # not numbered: agents ask in any order
        reply = next((reply for reply in fitting if reply["shown"] == shown), fitting[0])
        self._left.remove(reply)
        calls, forced = reply["calls"], forced_tool(body)
        if forced and not calls:
            return Answer(tool_calls=(ToolCall(forced["name"], reply["text"]),))
        if calls and not body.get("tools"):
            return Answer(text=json.dumps(calls[0][1]))
        return Answer(text=reply["text"] or None, tool_calls=tuple(ToolCall(name, given) for name, given in calls))


def _executed(body: Mapping[str, Any]) -> Answer:
    """Return a call of the first tool that needs a ticker alone, then a row of what it answered."""
    tools = [tool["function"] for tool in body.get("tools") or []]
    usable = [tool["name"] for tool in tools if tool["parameters"].get("required") == ["ticker"]]
    if usable and body["messages"][-1]["role"] != "tool":
        return Answer(tool_calls=(ToolCall(usable[0], {"ticker": "VELQ"}),))
    return Answer(text=quotation("\n".join(map(text_of, body["messages"]))) or "Nothing was found.")


def replying(replies: str) -> Any:
    """Return what makes the server of a file of replies."""
    return partial(ReplyingServer, replies)


def of_requests(bodies: list[Mapping[str, Any]], normal: Normaliser) -> Artifacts:
    """Return what each agent was shown and offered: an artifact an agent, its requests in no order."""
    asked: dict[str, list[str]] = defaultdict(list)
    for body in bodies:
        asked[role_of(body["messages"]) or NO_ROLE].append(normal.text(_readable(body)))
    return {f"prompts/{role}.txt": "\n\n=====\n\n".join(sorted(requests)) for role, requests in asked.items()}


def _readable(body: Mapping[str, Any]) -> str:
    parts = []
    for message in body["messages"]:
        calls = [call["function"] for call in message.get("tool_calls") or []]
        parts.append(f"--- {message['role']}\n{text_of(message)}" + (f"\n{json.dumps(calls)}" if calls else ""))
    rest = {key: body[key] for key in sorted(body) if key != "messages"}  # a client's order says nothing to a model
    return "\n".join([*parts, "--- request", json.dumps(rest, indent=1, ensure_ascii=False)])
