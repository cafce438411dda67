"""The lean way to the model asks and answers exactly as the SDK's own way does."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.caches import InMemoryCache
from langchain_core.callbacks import AsyncCallbackHandler, get_usage_metadata_callback
from langchain_core.exceptions import ModelAPIError
from langchain_core.globals import set_llm_cache
from langchain_core.messages import HumanMessage
from langchain_openai import ChatOpenAI

from benchmarks.openai_server import Answer, OpenAIServer, ToolCall
from tradingagents.llm_clients.fast_openai import FastChatOpenAI
from tradingagents.llm_clients.providers import create_chat_model
from tradingagents.settings import load_settings

TOOL = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}


def lean(url: str) -> Any:
    return create_chat_model("openai_compatible", "m", base_url=url, settings=load_settings({}, environ={}), environ={})


@pytest.mark.parametrize(
    "answer",
    [Answer(text="Hello."), Answer(tool_calls=(ToolCall("look", {"at": "it"}),)), Answer(text="")],
)
async def test_request_and_answer_are_those_of_the_sdk(answer: Answer) -> None:
    with OpenAIServer() as server:
        server.always(answer)
        stock = ChatOpenAI(model="m", base_url=server.url, api_key="x", use_responses_api=False, stream_usage=True)
        replies = [await model.bind_tools([TOOL]).ainvoke([HumanMessage("Hi")]) for model in (stock, lean(server.url))]
        first, second = replies
        calls = [[(call["name"], call["args"]) for call in reply.tool_calls] for reply in replies]
        assert (first.content, calls[0], first.usage_metadata) == (second.content, calls[1], second.usage_metadata)
        assert first.response_metadata["finish_reason"] == second.response_metadata["finish_reason"]
        asked = [{**request["request"], "tools": request["tools"]} for request in server.requests]
        assert asked[0].pop("stream", False) is asked[1].pop("stream", False) is False
        assert asked[0] == asked[1]


async def test_a_stream_takes_the_sdk_s_own_way() -> None:
    with OpenAIServer() as server:
        model = lean(server.url)
        assert isinstance(model, FastChatOpenAI)
        pieces = [piece.text async for piece in model.astream([HumanMessage("Hi")])]
        assert len(pieces) > 2
        assert server.requests[0]["request"]["stream"] is True


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
async def test_the_sdk_does_not_ask_again_by_itself(stream: bool) -> None:
    """Retries are counted and told in one place, `retries`; here they would multiply."""
    with OpenAIServer() as server:
        server.always(Answer(status=503, error="busy"))
        model = lean(server.url)
        with pytest.raises(ModelAPIError):
            await (anext(model.astream("Hi")) if stream else model.ainvoke("Hi"))
        assert server.calls == 1


class _Listener(AsyncCallbackHandler):
    def __init__(self) -> None:
        self.heard: list[str] = []

    async def on_chat_model_start(self, *_: Any, **__: Any) -> None:
        self.heard.append("start")

    async def on_llm_end(self, *_: Any, **__: Any) -> None:
        self.heard.append("end")


@pytest.mark.parametrize("answer", [Answer(text="Hello."), Answer(tool_calls=(ToolCall("look", {"at": "it"}),))])
async def test_a_reply_that_nobody_listens_to_is_the_one_that_a_listener_hears(answer: Answer) -> None:
    with OpenAIServer() as server:
        server.always(answer)
        model, listener = lean(server.url).bind_tools([TOOL]), _Listener()
        alone = await model.ainvoke([HumanMessage("Hi")])
        heard = await model.ainvoke([HumanMessage("Hi")], {"callbacks": [listener]})
        assert listener.heard == ["start", "end"]
        replies = []
        for reply in (alone, heard):
            about = {**reply.response_metadata, "id": None}  # the server counts its answers
            calls = [{**call, "id": None} for call in reply.tool_calls]
            replies.append(reply.model_copy(update={"id": None, "response_metadata": about, "tool_calls": calls}))
        first, second = (one.model_dump(exclude={"additional_kwargs"}) for one in replies)
        assert first == second
        assert first["response_metadata"]["finish_reason"] in ("stop", "tool_calls")
        assert first["response_metadata"]["token_usage"]["prompt_tokens"] > 0


async def test_listeners_of_a_block_of_code_and_of_the_model_are_told() -> None:
    with OpenAIServer() as server:
        listener = _Listener()
        with get_usage_metadata_callback() as counted:
            await lean(server.url).ainvoke([HumanMessage("Hi")])
        assert [usage["input_tokens"] for usage in counted.usage_metadata.values()] == [1]
        model = lean(server.url)
        model.callbacks = [listener]
        await model.ainvoke([HumanMessage("Hi")])
        assert listener.heard == ["start", "end"]


async def test_langchain_s_cache_answers_a_second_request() -> None:
    with OpenAIServer() as server:
        model = lean(server.url)
        set_llm_cache(InMemoryCache())
        try:
            replies = [await model.ainvoke([HumanMessage("Hi")]) for _ in range(2)]
        finally:
            set_llm_cache(None)
        assert server.calls == 1
        assert replies[0].content == replies[1].content
