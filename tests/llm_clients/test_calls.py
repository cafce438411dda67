from __future__ import annotations

import asyncio
import gc
import socket
import traceback

import httpx
import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage

from benchmarks.openai_server import Answer, OpenAIServer, ToolCall
from tests.llm_clients.conftest import KEY, MakeModel
from tests.llm_clients.schemas import Opinion
from tradingagents.errors import ModelFailure, ModelUnreachable
from tradingagents.llm_clients.calls import PromptTooLong, RequestRefused, call_model
from tradingagents.llm_clients.providers import create_chat_model
from tradingagents.llm_clients.scripted import ScriptedChatModel
from tradingagents.llm_clients.servers import SharedConnections
from tradingagents.settings import Settings

ASK = [HumanMessage("What do you think?")]


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


async def failure(model: BaseChatModel, *, stream: bool = False) -> ModelFailure:
    """Return how a call fails; whatever it says and carries, the key is not in it."""
    with pytest.raises(ModelFailure) as caught:
        await call_model(model, ASK, on_token=(lambda text: None) if stream else None)
    assert KEY not in "".join(traceback.format_exception(caught.value))
    assert "\n" not in str(caught.value)
    return caught.value


async def test_a_reply_brings_text_and_usage(server: OpenAIServer, make_model: MakeModel) -> None:
    server.answer(Answer(text="It rises.", cached_tokens=3))
    reply = await call_model(make_model(server.url), ASK)
    assert reply.text == "It rises."
    assert reply.usage_metadata is not None
    assert (reply.usage_metadata["input_tokens"], reply.usage_metadata["output_tokens"]) == (4, 2)
    assert reply.usage_metadata["input_token_details"]["cache_read"] == 3


async def test_a_streamed_reply_amounts_to_the_whole_one(server: OpenAIServer, make_model: MakeModel) -> None:
    server.answer(Answer(text="It rises, and then it falls again."))
    heard: list[str] = []
    reply = await call_model(make_model(server.url), ASK, on_token=heard.append)
    assert type(reply) is AIMessage
    assert "".join(heard) == reply.text == "It rises, and then it falls again."
    assert len(heard) > 1
    assert reply.usage_metadata is not None
    assert reply.usage_metadata["output_tokens"] == 8


@pytest.mark.parametrize("stream", [False, True])
async def test_parallel_tool_calls_arrive_whole(server: OpenAIServer, make_model: MakeModel, stream: bool) -> None:
    server.answer(Answer(tool_calls=(ToolCall("one", {"day": "2024-05-10"}), ToolCall("two", {}))))
    reply = await call_model(make_model(server.url), ASK, on_token=(lambda text: None) if stream else None)
    assert [(call["name"], call["args"]) for call in reply.tool_calls] == [("one", {"day": "2024-05-10"}), ("two", {})]


@pytest.mark.parametrize("stream", [False, True])
async def test_a_tool_call_that_broke_off_is_invalid_not_completed(
    server: OpenAIServer, make_model: MakeModel, stream: bool
) -> None:
    server.answer(Answer(tool_calls=(ToolCall("one", '{"days": 30, "symbol": "ZZ'), ToolCall("two", {"a": 1}))))
    reply = await call_model(make_model(server.url), ASK, on_token=(lambda text: None) if stream else None)
    assert [call["name"] for call in reply.tool_calls] == ["two"]
    assert [call["name"] for call in reply.invalid_tool_calls] == ["one"]


async def test_thoughts_written_into_the_text_are_taken_out(server: OpenAIServer, make_model: MakeModel) -> None:
    server.answer(Answer(text="<think>hm, hm</think>\n\n# Report"))
    assert (await call_model(make_model(server.url), ASK)).text == "# Report"


@pytest.mark.parametrize("stream", [False, True])
async def test_nobody_listening_is_unreachable_and_names_the_address(make_model: MakeModel, stream: bool) -> None:
    port = free_port()
    error = await failure(make_model(f"http://127.0.0.1:{port}/v1"), stream=stream)
    assert isinstance(error, ModelUnreachable)
    assert str(error) == (
        f"No model server answers at 127.0.0.1:{port}; start it, or say where it runs with backend_url."
    )


@pytest.mark.parametrize("stream", [False, True])
async def test_a_server_that_hangs_is_unreachable(server: OpenAIServer, make_model: MakeModel, stream: bool) -> None:
    server.answer(Answer(hang=True))
    error = await failure(make_model(server.url, llm_timeout=0.1), stream=stream)
    assert isinstance(error, ModelUnreachable)
    assert "did not answer in time; raise TRADINGAGENTS_LLM_TIMEOUT" in str(error)


async def test_a_refused_key_names_its_variable_and_is_shown_nowhere(make_model: MakeModel) -> None:
    with OpenAIServer(key="another") as server:
        model = make_model(server.url)
        error = await failure(model)
    assert isinstance(error, ModelUnreachable)
    assert str(error) == f"127.0.0.1:{server.port} refuses the API key; check OPENAI_COMPATIBLE_API_KEY."
    assert KEY not in repr(model)
    assert KEY not in str(model)


@pytest.mark.parametrize(
    ("status", "kind", "says"),
    [
        (403, ModelUnreachable, "does not let this key use bench-model"),
        (404, ModelUnreachable, "does not know the model bench-model"),
        (400, RequestRefused, "refuses the request to bench-model: the server was told to fail"),
        (422, RequestRefused, "refuses the request to bench-model"),
        (429, ModelFailure, "refuses further calls for now"),
        (500, ModelFailure, "failed to answer for bench-model: the server was told to fail; run again later."),
        (503, ModelFailure, "failed to answer"),
    ],
)
@pytest.mark.parametrize("stream", [False, True])
async def test_every_refusal_has_its_error_and_its_way_out(
    server: OpenAIServer, make_model: MakeModel, status: int, kind: type, says: str, stream: bool
) -> None:
    server.answer(Answer(status=status))
    error = await failure(make_model(server.url), stream=stream)
    assert type(error) is kind
    assert says in str(error)


async def test_a_key_quoted_by_the_server_is_blacked_out(server: OpenAIServer, make_model: MakeModel) -> None:
    server.answer(Answer(status=400, error=f"bad header Authorization: Bearer {KEY}\nsee the manual"))
    error = await failure(make_model(server.url))
    assert "Bearer *** see the manual" in str(error)


async def test_a_password_in_the_url_is_shown_nowhere(server: OpenAIServer, make_model: MakeModel) -> None:
    server.answer(Answer(status=500))
    error = await failure(make_model(server.url.replace("//", "//user:hunter2@")))
    assert "hunter2" not in "".join(traceback.format_exception(error))
    assert f"127.0.0.1:{server.port} failed" in str(error)


@pytest.mark.parametrize(
    "answer",
    [
        Answer(status=400, error="context_length_exceeded: 9000 tokens"),
        Answer(status=400, error="the request exceeds the available context size, try increasing it"),
        Answer(status=413, error="Request too large"),
    ],
)
async def test_a_prompt_too_long_says_so(server: OpenAIServer, make_model: MakeModel, answer: Answer) -> None:
    server.answer(answer)
    error = await failure(make_model(server.url))
    assert type(error) is PromptTooLong
    assert "prompt is too long for bench-model" in str(error)


@pytest.mark.parametrize("stream", [False, True])
async def test_a_reply_that_breaks_off_is_a_failure(server: OpenAIServer, make_model: MakeModel, stream: bool) -> None:
    server.answer(Answer(text="It rises. " * 50, cut=True))
    error = await failure(make_model(server.url), stream=stream)
    assert type(error) is ModelFailure
    assert "broke the connection in the middle of a reply" in str(error)


@pytest.mark.parametrize("stream", [False, True])
async def test_a_url_without_its_path_is_explained(server: OpenAIServer, make_model: MakeModel, stream: bool) -> None:
    error = await failure(make_model(server.url.removesuffix("/v1")), stream=stream)
    assert isinstance(error, ModelUnreachable)
    assert "most URLs end in /v1" in str(error)


@pytest.mark.parametrize("body", ["<html>Welcome</html>", '{"choices": null}', '{"choices": []}', '{"error": "x"}'])
async def test_what_is_no_chat_completion_is_explained(body: str) -> None:
    from langchain_openai import ChatOpenAI

    kind = "text/html" if body.startswith("<") else "application/json"
    page = httpx.MockTransport(lambda request: httpx.Response(200, text=body, headers={"content-type": kind}))
    model = ChatOpenAI(
        model="bench-model",
        base_url="http://127.0.0.1:1/v1",
        api_key=KEY,
        max_retries=0,
        http_async_client=httpx.AsyncClient(transport=page),
    )
    error = await failure(model)
    assert isinstance(error, ModelUnreachable)
    assert "does not speak chat completions; check backend_url" in str(error)


async def test_a_bug_is_not_dressed_up_as_a_models_failure() -> None:
    with pytest.raises(ZeroDivisionError):
        await call_model(ScriptedChatModel(lambda messages, tools: str(1 // 0)), ASK)
    with pytest.raises(KeyError):
        await call_model(ScriptedChatModel([KeyError("x")]), ASK)
    with pytest.raises(IndexError):
        await call_model(ScriptedChatModel([IndexError("x")]), ASK)


async def test_ollama_that_is_not_running_says_how_to_start_it() -> None:
    port = free_port()
    model = create_chat_model(
        "ollama", "llama3.1", base_url=f"http://127.0.0.1:{port}", settings=Settings(llm_max_retries=0), environ={}
    )
    error = await failure(model)
    assert isinstance(error, ModelUnreachable)
    assert f"127.0.0.1:{port}; start it with `ollama serve`" in str(error)


async def test_a_model_ollama_has_not_pulled_says_how_to_pull_it() -> None:
    from langchain_ollama import ChatOllama

    answer = httpx.MockTransport(lambda request: httpx.Response(404, json={"error": 'model "llama9" not found'}))
    model = ChatOllama(model="llama9", base_url="http://127.0.0.1:1", async_client_kwargs={"transport": answer})
    error = await failure(model)
    assert isinstance(error, ModelUnreachable)
    assert "`ollama pull llama9`" in str(error)


def test_one_model_serves_one_event_loop_after_another(server: OpenAIServer, make_model: MakeModel) -> None:
    model = make_model(server.url)

    async def twice() -> int:
        first, second = await asyncio.gather(call_model(model, ASK), call_model(model.bind_tools([Opinion]), ASK))
        return len(first.text) + len(second.text)

    # With warnings as errors this also says that the first loop's connections were closed with it.
    assert asyncio.run(twice()) == asyncio.run(twice()) == 480
    gc.collect()
    assert server.calls == 4


async def test_closed_connections_open_anew(server: OpenAIServer) -> None:
    connections = SharedConnections()
    model = create_chat_model(
        "openai_compatible",
        "bench-model",
        base_url=server.url,
        settings=Settings(llm_max_retries=0),
        environ={},
        connections=connections,
    )
    await call_model(model, ASK)
    await connections.aclose()
    await connections.aclose()
    await call_model(model, ASK)
    assert server.calls == 2


async def test_connections_of_a_forgotten_model_are_closed(server: OpenAIServer, make_model: MakeModel) -> None:
    await call_model(make_model(server.url), ASK)
    gc.collect()  # an open socket met here would be a warning, and so an error
    for _ in range(10):
        await asyncio.sleep(0)
    gc.collect()
    assert server.calls == 1
