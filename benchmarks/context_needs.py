"""The longest prompt of each command, in tokens, with and without the definitions of the tools that it offers.

    python -m benchmarks.context_needs --tokenizer http://127.0.0.1:8080
    python -m benchmarks.context_needs --data-dir FOLDER --ticker AAPL --only analyze scan chat

`analyze` and `scan` run against a model server on this machine whose replies have the lengths that the prompts ask for;
the other commands are answered by rules, whose texts are about as long as a model's, so that they run to their end.
`--tokenizer` is the address of a llama.cpp server, whose `/tokenize` counts; without it three characters count as a
token, which is what was measured for these prompts. Without `--data-dir` the data are those of the simulated market.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import httpx
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import BaseMessage
from langchain_core.tracers.context import register_configure_hook
from langchain_core.utils.function_calling import convert_to_openai_tool

from benchmarks.openai_answers import answer_for, role_of, text_of
from benchmarks.openai_server import Answer, OpenAIServer
from cli.main import run
from tradingagents.capabilities.registry import registry
from tradingagents.capabilities.tools import as_tool

REPORT_TOKENS, TURN_TOKENS = 1100, 500
"""Of a report, 600 words with a table of ten rows; of a turn in a debate, 350 words."""
CHARACTERS_PER_TOKEN = 3
MODEL = "bench-model"
SERVED = ("analyze", "scan")
Count = Callable[[str], int]


class Sent:
    """What the models were sent: role, texts and tools of each request."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, str, str]] = []

    def add(self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]]) -> None:
        """Add a request."""
        said = "\n".join(text_of(one) + json.dumps(one.get("tool_calls") or "") for one in messages)
        self.requests.append((role_of(messages) or "assistant", said, json.dumps(tools) if tools else ""))


class RecordingServer(OpenAIServer):
    """A server that keeps what it is sent, and writes as much as it is asked for."""

    def __init__(self, sent: Sent) -> None:
        super().__init__()
        self._sent = sent

    def ponder(self, body: Mapping[str, Any]) -> Answer:
        """Answer with a report or a turn."""
        self._sent.add(body["messages"], body.get("tools") or ())
        asks_report = "\nWrite a report of " in text_of(body["messages"][-1])
        return answer_for(body, REPORT_TOKENS if asks_report else TURN_TOKENS, self.calls)


class RecordingHandler(BaseCallbackHandler):
    """A listener that keeps what the offline model is sent."""

    def __init__(self, sent: Sent) -> None:
        super().__init__()
        self._sent = sent

    def on_chat_model_start(self, _serialized: Any, messages: list[list[BaseMessage]], **kwargs: Any) -> None:
        """Keep a request."""
        roles = {"human": "user", "ai": "assistant"}
        told = [{"role": roles.get(one.type, one.type), "content": one.text} for one in messages[0]]
        tools = (kwargs.get("invocation_params") or {}).get("tools") or ()
        self._sent.add(told, [_whole(tool) for tool in tools])


def _whole(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a tool as a language model is shown it; the offline model is told the names of some only."""
    if "parameters" in tool["function"]:
        return tool
    return convert_to_openai_tool(as_tool(registry().by_name(tool["function"]["name"])))


LISTENER: ContextVar[RecordingHandler | None] = ContextVar("context_needs", default=None)
register_configure_hook(LISTENER, inheritable=True)


def commands(ticker: str, day: str) -> dict[str, Sequence[str]]:
    """Return the command lines that are measured."""
    return {
        "analyze": ["analyze", ticker, day],
        "scan": ["scan", day],
        "chat": ["chat", f"What is {ticker} worth?", "--as-of", day],
        "filings ask": ["filings", "ask", f"What was {ticker}'s operating margin?", "--as-of", day],
        "research": ["research", f"Is {ticker} expensive against its peers?", "--as-of", day],
        "debate": ["debate", ticker, "--as-of", day],
        "report": ["report", ticker, day],
    }


def sent_by(name: str, line: Sequence[str], data: Sequence[str]) -> tuple[int, Sent]:
    """Run a command; return its exit code and what its models were sent."""
    sent = Sent()
    with contextlib.ExitStack() as opened:
        home = opened.enter_context(tempfile.TemporaryDirectory())
        models = ["--offline"]
        if name in SERVED:
            url = opened.enter_context(RecordingServer(sent)).url
            models = ["--llm-provider", "openai_compatible", "--backend-url", url]
            models += ["--quick-model", MODEL, "--deep-model", MODEL]
        else:
            token = LISTENER.set(RecordingHandler(sent))
            opened.callback(LISTENER.reset, token)
        opened.enter_context(contextlib.redirect_stdout(io.StringIO()))
        opened.enter_context(contextlib.redirect_stderr(io.StringIO()))
        return run([*line, *models, "--home", home, "--data-vendor", *data]), sent


def tokens_with(url: str | None) -> Count:
    """Return what counts the tokens of a text: a llama.cpp server, or an estimate."""
    if url is None:
        return lambda text: -(-len(text) // CHARACTERS_PER_TOKEN)
    client = httpx.Client(base_url=url, timeout=120)

    def count(text: str) -> int:
        return len(client.post("/tokenize", json={"content": text}).raise_for_status().json()["tokens"])

    return count


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tokenizer", help="address of a llama.cpp server")
    parser.add_argument("--data-dir", type=Path, help="a snapshot folder; without it the simulated market")
    parser.add_argument("--ticker", default="VELQ")
    parser.add_argument("--day", default="2025-03-14")
    parser.add_argument("--only", nargs="*", help="commands to measure")
    given = parser.parse_args()
    data = ["snapshot", "--data-dir", str(given.data_dir)] if given.data_dir else ["simulated"]
    count = tokens_with(given.tokenizer)
    print(
        "| command | requests | longest prompt | of | with its tools | of | exit code |\n|---|---|---|---|---|---|---|"
    )
    for name, line in commands(given.ticker, given.day).items():
        if given.only and name not in given.only:
            continue
        code, sent = sent_by(name, line, data)
        sizes = [(count(said), count(tools) if tools else 0, role) for role, said, tools in sent.requests]
        prompt, _, role = max(sizes, default=(0, 0, ""))
        both, other = max(((said + tools, role) for said, tools, role in sizes), default=(0, ""))
        print(f"| {name} | {len(sizes)} | {prompt:,} | {role} | {both:,} | {other} | {code} |", flush=True)


if __name__ == "__main__":
    main()
