"""Replies that no server should send: too long, counted wrongly, nested without end, from elsewhere."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from benchmarks.openai_server import Answer, OpenAIServer, ToolCall
from tradingagents.errors import ModelFailure, ModelUnreachable
from tradingagents.llm_clients.calls import call_model
from tradingagents.llm_clients.checked_openai import CheckedChatOpenAI
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.llm_clients.providers import create_chat_model
from tradingagents.llm_clients.servers import SharedConnections
from tradingagents.llm_clients.stored_calls import portable
from tradingagents.settings import Settings, load_settings

QUESTION = [HumanMessage("a question")]
WHOLE_AND_STREAMED = pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as running:
        yield running


async def ask(server: OpenAIServer, *, stream: bool = False, seconds: float = 20.0, longest: int = 5000) -> AIMessage:
    settings = load_settings({"llm_timeout": seconds}, environ={})
    connections = SharedConnections()
    model = create_chat_model(
        "openai_compatible", "bench-model", base_url=server.url, settings=settings, environ={}, connections=connections
    )
    assert isinstance(model, CheckedChatOpenAI)
    try:
        on_token = (lambda _: None) if stream else None
        return await call_model(model, QUESTION, on_token=on_token, seconds=seconds, longest=longest)
    finally:
        await connections.aclose()


def with_usage(**changes: Any) -> Callable[[dict[str, Any]], None]:
    def change(completion: dict[str, Any]) -> None:
        completion["usage"].update(changes)

    return change


@WHOLE_AND_STREAMED
async def test_a_reply_beyond_the_limit_is_cut_and_says_so(server: OpenAIServer, stream: bool):
    server.answer(Answer(text="12.5 " * 4000))
    reply = await ask(server, stream=stream)
    assert reply.response_metadata["finish_reason"] == "length"
    assert 5000 <= len(reply.text) < 7000
    assert reply.text.startswith("12.5 12.5")


async def test_tool_calls_beyond_the_limit_are_not_made(server: OpenAIServer):
    server.answer(Answer(tool_calls=(ToolCall("get_news", {"symbol": "A" * 6000}),)))
    reply = await ask(server)
    assert (reply.tool_calls, reply.response_metadata["finish_reason"]) == ([], "length")


@WHOLE_AND_STREAMED
@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens": -(10**12)},
        {"completion_tokens": -1},
        {"prompt_tokens": 10**30},
        {"prompt_tokens": "many"},
        {"prompt_tokens": None},
        {"prompt_tokens": 1.5},
        {"prompt_tokens_details": {"cached_tokens": -5}},
        {"prompt_tokens_details": {"cached_tokens": 10**6}},
        {"prompt_tokens_details": "none"},
        {"total_tokens": "all"},
    ],
    ids=str,
)
async def test_usage_that_no_call_can_have_counts_as_not_reported(
    server: OpenAIServer, usage: dict[str, Any], stream: bool
):
    server.answer(Answer(text="fine", change=with_usage(**usage)))
    reply = await ask(server, stream=stream)
    assert reply.text == "fine"
    assert reply.usage_metadata is None
    prices = {"bench-model": (1.0, 0.1, 2.0)}
    meter = UsageMeter(Settings(model_prices=prices, budget_usd=1.0))
    used = meter.record("Trader", "mid", "openai_compatible/bench-model", reply, 0.1)
    assert (used.metered, used.cost_usd) == (False, None)
    assert meter.warnings
    json.dumps(reply.response_metadata, allow_nan=False)


@WHOLE_AND_STREAMED
@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@pytest.mark.parametrize("usage", [[], {}, "", 0, False, [1], "none"], ids=repr)
async def test_usage_of_another_type_counts_as_not_reported(server: OpenAIServer, usage: Any, stream: bool):
    server.answer(Answer(text="fine", change=lambda completion: completion.update(usage=usage)))
    reply = await ask(server, stream=stream)
    assert (reply.text, reply.usage_metadata) == ("fine", None)


async def test_usage_in_order_is_counted(server: OpenAIServer):
    server.answer(Answer(text="fine"))
    reply = await ask(server)
    assert reply.usage_metadata is not None
    assert reply.usage_metadata["input_tokens"] > 0


async def test_a_tool_call_nested_without_end_is_broken_arguments(server: OpenAIServer):
    server.answer(Answer(tool_calls=(ToolCall("Verdict", '{"a":' * 50_000 + "1" + "}" * 50_000),)))
    reply = await ask(server, longest=10**6)
    assert reply.tool_calls == []
    assert len(reply.invalid_tool_calls[0]["args"] or "") < 500


async def test_a_stream_nested_without_end_is_a_failure(server: OpenAIServer):
    server.answer(Answer(tool_calls=(ToolCall("Verdict", '{"a":' * 20_000 + "1" + "}" * 20_000),)))
    try:
        reply = await ask(server, stream=True, longest=10**6)
    except ModelFailure:
        return
    assert reply.tool_calls == []


def with_choices(choices: Any) -> Callable[[dict[str, Any]], None]:
    return lambda completion: completion.update(choices=choices)


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ([], "its list of choices is empty"),
        (None, "it has no choices"),
        (
            [{"index": 0, "message": None, "finish_reason": "content_filter"}],
            "no message, finish reason content_filter",
        ),
        ([{"index": 0, "message": None, "finish_reason": None}], "its choice has no message. "),
    ],
)
async def test_a_completion_without_a_reply_is_said_to_be_one(server: OpenAIServer, choices: Any, said: str):
    server.always(Answer(text="x", change=with_choices(choices)))
    with pytest.raises(ModelFailure) as caught:
        await ask(server)
    assert "answered without a reply" in str(caught.value)
    assert said in str(caught.value)
    assert "backend_url" not in str(caught.value)
    assert caught.value.may_pass


def with_arguments(given: Any) -> Callable[[dict[str, Any]], None]:
    """Tool arguments as TGI and some templates of llama.cpp send them: the object itself, or null for none."""

    def change(completion: dict[str, Any]) -> None:
        for choice in completion["choices"]:
            for call in (choice.get("message") or choice.get("delta") or {}).get("tool_calls") or ():
                call["function"]["arguments"] = given

    return change


@WHOLE_AND_STREAMED
@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@pytest.mark.parametrize("given", [{"symbol": "ACMQ", "days": 5}, {}, None], ids=["object", "empty object", "null"])
async def test_arguments_that_are_an_object_are_read(server: OpenAIServer, given: Any, stream: bool):
    server.answer(Answer(tool_calls=(ToolCall("get_news", {"symbol": "ACMQ"}),), change=with_arguments(given)))
    reply = await ask(server, stream=stream)
    assert [call["args"] for call in reply.tool_calls] == [given or {}]
    assert reply.invalid_tool_calls == []


@WHOLE_AND_STREAMED
@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@pytest.mark.parametrize("given", [["ACMQ"], 7], ids=["list", "number"])
async def test_arguments_that_are_no_object_are_an_invalid_call(server: OpenAIServer, given: Any, stream: bool):
    server.answer(Answer(tool_calls=(ToolCall("get_news", {"symbol": "ACMQ"}),), change=with_arguments(given)))
    reply = await ask(server, stream=stream)
    assert reply.tool_calls == []
    assert len(reply.invalid_tool_calls) == 1


async def test_what_a_server_says_with_status_200_is_shown(server: OpenAIServer):
    server.answer(Answer(body='{"error": {"message": "the model is loading", "code": 503}}'))
    with pytest.raises(ModelFailure, match="the model is loading"):
        await ask(server)


@WHOLE_AND_STREAMED
@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"])
async def test_a_redirect_to_another_host_is_not_followed(server: OpenAIServer, status: str, stream: bool):
    with OpenAIServer() as other:
        target = f"{other.url}/chat/completions".replace("127.0.0.1", "localhost")
        server.answer(Answer(raw=f"HTTP/1.1 {status}\r\nlocation: {target}\r\ncontent-length: 0\r\n\r\n".encode()))
        with pytest.raises(ModelUnreachable, match=r"redirects requests to localhost:\d+, which is not asked"):
            await ask(server, stream=stream)
        assert other.requests == []


async def test_a_redirect_within_the_server_is_followed(server: OpenAIServer):
    target = f"{server.url}/chat/completions"
    server.answer(Answer(raw=f"HTTP/1.1 307 Elsewhere\r\nlocation: {target}\r\ncontent-length: 0\r\n\r\n".encode()))
    server.answer(Answer(text="here"))
    assert (await ask(server)).text == "here"


async def test_headers_without_end_are_a_failure_in_words(server: OpenAIServer):
    flood = b"HTTP/1.1 200 OK\r\n" + b"".join(b"x-%d: %s\r\n" % (n, b"y" * 9000) for n in range(50)) + b"\r\n"
    server.answer(Answer(raw=flood))
    with pytest.raises(ModelFailure, match="sent an HTTP answer that cannot be read"):
        await ask(server)


async def test_a_stream_faster_than_it_is_read_keeps_the_time_limit(server: OpenAIServer):
    delta = {"id": "x", "model": "m", "choices": [{"index": 0, "delta": {"content": ""}}]}
    piece = f"data: {json.dumps(delta)}\n\n".encode()
    body = piece * 60_000
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: %d\r\n\r\n" % len(body)
    server.answer(Answer(raw=head + body))
    began = time.monotonic()
    with pytest.raises(ModelUnreachable, match="did not answer in time"):
        await ask(server, stream=True, seconds=1.0)
    assert time.monotonic() - began < 10


def test_whole_numbers_too_large_to_keep_become_others():
    reply = AIMessage(
        "text",
        tool_calls=[{"name": "t", "args": {"n": 10**30, "deep": [1, {"m": -(10**25)}]}, "id": "1"}],
        response_metadata={"created": 10**40, "model_name": "m"},
    )
    plain = portable(reply)
    assert plain.tool_calls[0]["args"] == {"n": 1e30, "deep": [1, {"m": -1e25}]}
    assert plain.response_metadata == {"created": 1e40, "model_name": "m"}


def test_a_usual_reply_is_left_as_it_is():
    reply = AIMessage("text", usage_metadata={"input_tokens": 5, "output_tokens": 2, "total_tokens": 7})
    assert portable(reply, 100) is reply
