"""The checked client asks and answers as LangChain's own does where a server is in order."""

from __future__ import annotations

import gzip
from typing import Any

import pytest
from langchain_core.exceptions import ModelAPIError
from langchain_core.messages import HumanMessage
from langchain_openai import ChatOpenAI

from benchmarks.openai_server import Answer, OpenAIServer, ToolCall
from tradingagents.llm_clients.providers import create_chat_model
from tradingagents.settings import load_settings

TOOL = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}

COMPLETION = b'{"choices":[{"index":0,"message":{"role":"assistant","content":"Squeezed."},"finish_reason":"stop"}]}'


def checked(url: str) -> Any:
    return create_chat_model("openai_compatible", "m", base_url=url, settings=load_settings({}, environ={}), environ={})


@pytest.mark.parametrize(
    "answer",
    [Answer(text="Hello."), Answer(tool_calls=(ToolCall("look", {"at": "it"}),)), Answer(text="")],
)
async def test_request_and_answer_are_those_of_the_sdk(answer: Answer) -> None:
    with OpenAIServer() as server:
        server.always(answer)
        stock = ChatOpenAI(model="m", base_url=server.url, api_key="x", use_responses_api=False, stream_usage=True)
        replies = [
            await model.bind_tools([TOOL]).ainvoke([HumanMessage("Hi")]) for model in (stock, checked(server.url))
        ]
        first, second = replies
        calls = [[(call["name"], call["args"]) for call in reply.tool_calls] for reply in replies]
        assert (first.content, calls[0], first.usage_metadata) == (second.content, calls[1], second.usage_metadata)
        assert first.response_metadata["finish_reason"] == second.response_metadata["finish_reason"]
        asked = [{**request["request"], "tools": request["tools"]} for request in server.requests]
        assert asked[0].pop("stream", False) is asked[1].pop("stream", False) is False
        assert asked[0] == asked[1]


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
async def test_the_sdk_does_not_ask_again_by_itself(stream: bool) -> None:
    """Retries are counted and told in one place, `retries`; here they would multiply."""
    with OpenAIServer() as server:
        server.always(Answer(status=503, error="busy"))
        model = checked(server.url)
        with pytest.raises(ModelAPIError):
            await (anext(model.astream("Hi")) if stream else model.ainvoke("Hi"))
        assert server.calls == 1


async def test_a_compressed_answer_is_read() -> None:
    body = gzip.compress(COMPLETION)
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
    with OpenAIServer() as server:
        server.answer(Answer(raw=head + b"Content-Length: %d\r\n\r\n" % len(body) + body))
        assert (await checked(server.url).ainvoke([HumanMessage("Hi")])).text == "Squeezed."
