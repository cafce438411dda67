from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from benchmarks.openai_answers import example, problem
from benchmarks.openai_server import OpenAIServer
from tradingagents.agents.schemas import Verdict

ROOT = Path(__file__).resolve().parents[2]
USER = {"role": "user", "content": "hi"}
TOOL = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}
CALL = {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "function": {"name": "look"}}]}


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ([], "not a JSON object"),
        ({"messages": [USER]}, "model"),
        ({"model": "m", "messages": []}, "non-empty"),
        ({"model": "m", "messages": [{"role": "robot", "content": "x"}]}, "role"),
        ({"model": "m", "messages": [{"role": "user"}]}, "without content"),
        ({"model": "m", "messages": [{"role": "tool", "tool_call_id": "c1", "content": "x"}]}, "must follow"),
        ({"model": "m", "messages": [USER, CALL]}, "have no results"),
        ({"model": "m", "messages": [USER, CALL, USER]}, "must be followed by"),
        ({"model": "m", "messages": [USER], "tools": []}, "non-empty"),
        ({"model": "m", "messages": [USER], "tool_choice": "auto"}, "only allowed when tools"),
        (
            {"model": "m", "messages": [USER], "tools": [TOOL], "tool_choice": {"function": {"name": "other"}}},
            "names a tool that is not given",
        ),
        ({"model": "m", "messages": [USER], "response_format": {"type": "json_object"}}, "word json"),
        ({"model": "gpt-5-mini", "messages": [USER], "temperature": 0.2}, "temperature"),
        ({"model": "gpt-5-mini", "messages": [USER], "max_tokens": 5}, "max_completion_tokens"),
    ],
)
def test_what_a_real_server_refuses_is_refused(body: object, wrong: str) -> None:
    said = problem(body)
    assert said is not None
    assert wrong in said


def test_a_proper_conversation_with_tools_is_accepted() -> None:
    result = {"role": "tool", "tool_call_id": "c1", "content": "x"}
    assert problem({"model": "m", "messages": [USER, CALL, result], "tools": [TOOL]}) is None


def test_the_example_of_a_schema_fits_it() -> None:
    verdict = Verdict.model_validate(example(Verdict.model_json_schema()))
    assert (verdict.action, verdict.entry, verdict.stop) == ("BUY", 100.0, 93.0)
    assert len(verdict.key_evidence) == 1


def test_it_tells_what_it_was_asked_and_when(server: OpenAIServer) -> None:
    prompt = {"role": "user", "content": "# Your role: Bull Researcher\nArgue."}
    with httpx.Client() as client:
        for _ in range(2):
            client.post(f"{server.url}/chat/completions", json={"model": "m", "messages": [prompt]}).raise_for_status()
        stats = client.get(f"{server.url}/stats").json()
        short = client.get(f"http://127.0.0.1:{server.port}/stats?prompts=0").json()
        models = client.get(f"{server.url}/models").json()
    assert stats["calls"] == 2
    first, second = stats["requests"]
    assert first["role"] == "Bull Researcher"
    assert first["prompt"] == prompt["content"]
    assert first["received_at"] <= first["answered_at"] <= second["received_at"]
    assert "prompt" not in short["requests"][0]
    assert "key" not in first
    assert models["data"][0]["object"] == "model"


def test_as_a_process_it_prints_its_port_and_takes_its_time() -> None:
    command = [sys.executable, "-m", "benchmarks.openai_server", "--delay", "0.05", "--reply-tokens", "25"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            url = f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
            reply = httpx.post(f"{url}/chat/completions", content=json.dumps({"model": "m", "messages": [USER]})).json()
            request = httpx.get(f"{url}/stats").json()["requests"][0]
        finally:
            process.terminate()
    assert len(reply["choices"][0]["message"]["content"]) == 100
    assert reply["usage"]["completion_tokens"] == 25
    assert request["answered_at"] - request["received_at"] >= 0.05
