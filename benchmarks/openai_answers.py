"""What the benchmark's model server answers: text, a tool call or JSON that fits the schema asked for.

Also what a real server refuses: `problem` names the first thing wrong with a chat-completions request.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

ROLE_LINE = re.compile(r"^# Your role: (.+?)\s*$", re.MULTILINE)
CANDIDATE = re.compile(r"^\| (?!Ticker )(\S+) \|(?:[^|\n]*\|){6}$", re.MULTILINE)
"""A row of the table of candidates that a market scan's last agent is shown; its heading and rule are none."""
PICKS_ASKED = re.compile(r"^Picks asked: (?:exactly|\d+ to) (\d+)$", re.MULTILINE)
LAST_CLOSE = re.compile(r"^Last close: (\d+(?:\.\d+)?)$", re.MULTILINE)
TABLE_ROW = re.compile(r"^\| .*\d\.\d\d\b.* \|$", re.MULTILINE)
ROLES = ("system", "developer", "user", "assistant", "tool")
SENTENCE = "The trend holds while the close stays above its long average and volume confirms it. "
PLAUSIBLE: dict[str, Any] = {
    "action": "BUY",
    "confidence": 0.64,
    "rationale": "Revenue grew over the year and the close stands above its average of fifty days.",
    "horizon_days": 90,
    "entry": 100.0,
    "stop": 93.0,
    "target": 114.0,
    "position_size": 0.05,
    "dissent": "The bear was right that the multiple leaves little room.",
    "would_change": "A close below the long average.",
    "executive_summary": "Energy leads the month while technology gives back; breadth is narrow.",
    "thesis_angle": "momentum",
    "conviction": "medium",
    "claim": "Revenue grew over the last four quarters",
    "source": "get_ttm_analysis",
}
"""Values by property name, so that a verdict reads like one; other properties get the smallest value that fits."""


@dataclass(frozen=True)
class ToolCall:
    """A call the server makes; `arguments` as text is sent as it stands, valid JSON or not."""

    name: str
    arguments: Mapping[str, Any] | str


@dataclass(frozen=True)
class Answer:
    """One answer: text or tool calls, or a way to fail."""

    text: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    status: int = 200
    error: str = "the server was told to fail"
    """Message of the error body where `status` is not 200."""
    retry_after: str | None = None
    """Value of the Retry-After header where `status` is not 200."""
    body: str | None = None
    """Sent as it stands in place of a completion: JSON where it begins with a brace, else HTML; streamed or not."""
    raw: bytes | None = None
    """Sent as it stands in place of a whole HTTP response, status line and headers included."""
    change: Callable[[dict[str, Any]], None] | None = None
    """Changes the completion's JSON in place before it is sent, whole or in pieces."""
    hang: bool = False
    """Never answer."""
    cut: bool = False
    """Close the connection in the middle of the body."""
    ends: bool = False
    """Of a stream: end it in its middle as if that were its end, as some proxies do when a server breaks off."""
    delay: float | None = None
    """Seconds; None: the server's own delay."""
    usage: bool = True
    """Whether the reply counts its tokens."""
    cached_tokens: int = 0
    finish_reason: str | None = None
    ids: bool = True
    """Whether tool calls carry an id; some local servers send none."""


def tokens_of(text: str) -> int:
    """Estimate tokens as a quarter of the characters, at least one."""
    return max(1, len(text) // 4)


def role_of(messages: Sequence[Mapping[str, Any]]) -> str | None:
    """Return the X of the last `# Your role: X` line in a user's message; None without one."""
    for message in reversed(messages):
        if message["role"] == "user" and (found := ROLE_LINE.findall(text_of(message))):
            return str(found[-1])
    return None


def text_of(message: Mapping[str, Any]) -> str:
    """Return a message's text, its content blocks joined."""
    content = message.get("content")
    if isinstance(content, list):
        return "".join(str(block.get("text", "")) for block in content)
    return str(content or "")


def quotation(shown: str) -> str:
    """Return a sentence or a row of a table with a figure of the data; empty where a prompt shows none.

    A report or a decision that rests on no figure of its run's data is refused.
    """
    if closes := LAST_CLOSE.findall(shown):
        return f"The last close is {closes[0]}."
    return next(iter(TABLE_ROW.findall(shown)), "")


def answer_for(body: Mapping[str, Any], reply_tokens: int, number: int = 0) -> Answer:
    """Answer a valid request: the one tool it forces, the JSON it asks for, or text of about `reply_tokens` tokens.

    No two texts are the same: each begins with its number, so that no cache of the client's can answer for it. The
    number stands in letters, and no text has a figure that its prompt does not show: a decision whose figures are
    mostly made up is asked for again.
    """
    if (forced := forced_tool(body)) is not None:
        return Answer(tool_calls=(ToolCall(forced["name"], filled(body, forced.get("parameters", {}))),))
    form = body.get("response_format") or {}
    if form.get("type") == "json_schema":
        return Answer(text=json.dumps(filled(body, form["json_schema"]["schema"])))
    if form.get("type") == "json_object":
        shown = quotation("\n".join(map(text_of, body["messages"])))
        evidence = [{"claim": shown, "source": "get_stock_data"}] if shown else []
        return Answer(text=json.dumps({**PLAUSIBLE, "key_evidence": evidence}))
    shown = quotation("\n".join(map(text_of, body["messages"])))
    quoted = f"\n\n{shown}\n\n" if shown.startswith("|") else f"{shown} " if shown else ""
    letters = "".join(chr(ord("a") + int(digit)) for digit in str(number))
    text = f"Reply {letters}. {quoted}" + SENTENCE * (reply_tokens * 4 // len(SENTENCE) + 1)
    length = reply_tokens * 4
    return Answer(text=text[:length].rstrip().ljust(length, "."))  # blanks at its end would be no text


def forced_tool(body: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the function a request forces the model to call."""
    functions: list[dict[str, Any]] = [tool["function"] for tool in body.get("tools") or []]
    choice = body.get("tool_choice")
    if isinstance(choice, Mapping):
        return next(one for one in functions if one["name"] == choice["function"]["name"])
    return functions[0] if choice == "required" else None


def filled(body: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object of the schema; one that picks stocks takes the first of the candidates it is shown."""
    value: dict[str, Any] = example(schema)
    if "key_evidence" in value and (shown := quotation("\n".join(map(text_of, body["messages"])))):
        value["key_evidence"] = [{"claim": shown, "source": "get_stock_data"}, *value["key_evidence"]]
    if "entry" in value and (closes := LAST_CLOSE.findall("\n".join(map(text_of, body["messages"])))):
        close = float(closes[0])
        value |= {"entry": close, "stop": round(close * 0.93, 4), "target": round(close * 1.14, 4)}
    if "stocks_to_investigate" in value:
        shown = "\n".join(map(text_of, body["messages"])).partition('<report name="candidates"')[2]
        most = int(next(iter(PICKS_ASKED.findall(shown)), 10))
        (pick,) = value["stocks_to_investigate"]
        value["stocks_to_investigate"] = [{**pick, "ticker": one} for one in CANDIDATE.findall(shown)[:most]]
    return value


def example(schema: Mapping[str, Any], name: str = "", root: Mapping[str, Any] | None = None) -> Any:
    """Return a value that fits a JSON schema, as a plausible verdict where the property names allow it."""
    root = schema if root is None else root
    if "$ref" in schema:
        return example(root["$defs"][schema["$ref"].rpartition("/")[2]], name, root)
    options = schema.get("anyOf") or schema.get("oneOf")
    if options:
        return example(next((one for one in options if one.get("type") != "null"), options[0]), name, root)
    if name in PLAUSIBLE and not schema.get("properties"):
        return PLAUSIBLE[name]
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type", "object")
    if kind == "object":
        return {key: example(part, key, root) for key, part in schema.get("properties", {}).items()}
    if kind == "array":
        return [example(schema.get("items", {}), name, root) for _ in range(max(1, schema.get("minItems", 1)))]
    if kind in ("number", "integer"):
        return schema.get("minimum", schema.get("exclusiveMinimum", 0) + 1)
    return {"boolean": True, "null": None}.get(kind, "x" * max(1, schema.get("minLength", 1)))


def problem(body: Any) -> str | None:
    """Return the first thing wrong with a chat-completions request; None for a proper one."""
    if not isinstance(body, dict):
        return "the body is not a JSON object"
    if not isinstance(body.get("model"), str) or not body["model"]:
        return "you must provide a model parameter"
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        return "messages must be a non-empty list"
    return _bad_messages(messages) or _bad_tools(body) or _bad_format(body) or _bad_sampling(body)


def _bad_messages(messages: list[Any]) -> str | None:
    awaited: set[str] = set()
    for message in messages:
        if not isinstance(message, dict) or message.get("role") not in ROLES:
            return f"message role must be one of {', '.join(ROLES)}"
        role, content, calls = message["role"], message.get("content"), message.get("tool_calls") or []
        if role == "tool":
            if message.get("tool_call_id") not in awaited:
                return "a tool message must follow an assistant message with that tool_call_id"
            awaited.discard(message["tool_call_id"])
            continue
        if awaited:
            return "an assistant message with tool_calls must be followed by a tool message for each tool_call_id"
        if not isinstance(content, (str, list)) and not calls:
            return f"{role} message without content"
        awaited = {call["id"] for call in calls}
    return "the last tool calls have no results" if awaited else None


def _bad_tools(body: Mapping[str, Any]) -> str | None:
    tools, choice = body.get("tools"), body.get("tool_choice")
    if tools is not None and (not isinstance(tools, list) or not tools):
        return "tools must be a non-empty list"
    names = []
    for tool in tools or []:
        function = tool.get("function") or {}
        if tool.get("type") != "function" or not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", function.get("name", "")):
            return "each tool needs type function and a function name of letters, digits, _ and -"
        if function.get("strict") and (wrong := _not_strict(function.get("parameters", {}))):
            return f"Invalid schema for function {function['name']}: {wrong}"
        names.append(function["name"])
    if choice is not None and not names:
        return "tool_choice is only allowed when tools are given"
    if isinstance(choice, Mapping) and (choice.get("function") or {}).get("name") not in names:
        return "tool_choice names a tool that is not given"
    return None


def _bad_format(body: Mapping[str, Any]) -> str | None:
    form = body.get("response_format")
    if form is None:
        return None
    if form.get("type") == "json_object" and "json" not in "".join(map(text_of, body["messages"])).lower():
        return "messages must contain the word json to use response_format json_object"
    if form.get("type") == "json_schema":
        part = form.get("json_schema") or {}
        if not part.get("name") or "schema" not in part:
            return "json_schema needs a name and a schema"
        if part.get("strict") and (wrong := _not_strict(part["schema"])):
            return f"Invalid schema for response_format {part['name']}: {wrong}"
    return None


def _bad_sampling(body: Mapping[str, Any]) -> str | None:
    """Refuse what reasoning models refuse."""
    if re.match(r"gpt-5|o\d", body["model"]) and "chat" not in body["model"]:
        if body.get("temperature", 1) != 1 and body.get("reasoning_effort") != "none":
            return "Unsupported value: temperature. Only the default (1) is supported"
        if "max_tokens" in body:
            return "Unsupported parameter: max_tokens. Use max_completion_tokens instead"
    return None


def _not_strict(schema: Any) -> str | None:
    """Return why a schema is not one for strict mode: every object closed, every property required."""
    if isinstance(schema, Mapping):
        if "properties" in schema:
            if schema.get("additionalProperties") is not False:
                return "additionalProperties must be false"
            if set(schema.get("required", ())) != set(schema["properties"]):
                return "required must name every property"
        parts: Sequence[Any] = list(schema.values())
    else:
        parts = schema if isinstance(schema, list) else ()
    return next((wrong for part in parts if (wrong := _not_strict(part))), None)
