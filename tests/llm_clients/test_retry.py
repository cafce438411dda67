"""Calls that fail in a way that may pass are made again, within a stated bound that a real server counts."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage

from benchmarks.openai_server import Answer, OpenAIServer, ToolCall
from tests.llm_clients.conftest import MakeModel
from tradingagents.dataflows.gateway.resilience import FAILURES, REST, CircuitBreaker
from tradingagents.errors import ModelFailure, ModelUnreachable
from tradingagents.llm_clients import pacing as retries
from tradingagents.llm_clients.calls import call_model
from tradingagents.llm_clients.pacing import LONGEST_WAIT, Retry, call_with_retry

ASK = [HumanMessage("What do you think?")]
GARBAGE = {
    "html": Answer(body="<!DOCTYPE html><html><body>Bad gateway</body></html>"),
    "no choices": Answer(body='{"id": "x", "object": "chat.completion", "model": "m", "choices": []}'),
    "null choices": Answer(body='{"choices": null}'),
    "half JSON": Answer(body='{"id": "x", "object": "chat.completion", "choices": [{"index": 0, "mess'),
    "empty": Answer(body=""),
    "no message": Answer(body='{"choices": [{"index": 0}]}'),
    "a list": Answer(body="[]"),
    "an error without a status": Answer(body='{"error": {"message": "overloaded"}}'),
    "a number": Answer(body="42"),
}
PASSING = {
    "408": Answer(status=408),
    "429": Answer(status=429),
    "500": Answer(status=500),
    "502": Answer(status=502),
    "503": Answer(status=503),
    "529": Answer(status=529),
    "cut": Answer(text="It rises. " * 50, cut=True),
    "hang": Answer(hang=True),
    **GARBAGE,
}
SOME = {name: PASSING[name] for name in ("429", "500", "cut", "hang", "html", "no choices", "half JSON")}
SOON = 1.5
"""Seconds after which a silent server is given up: long enough for a request to arrive on a busy machine."""
REFUSED = (400, 401, 403, 404, 422)


@dataclass
class Clock:
    """Seconds that pass when told."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Client:
    """A real model behind `call_with_retry`."""

    server: OpenAIServer
    make: MakeModel
    retries: int = 2
    timeout: float = 20.0
    """Seconds for a call."""
    first: float | None = None
    """Seconds for the first call, where a test waits for it to run out; a busy machine needs more for a reply."""
    clock: Clock = field(default_factory=Clock)
    heard: list[str] = field(default_factory=list)
    again: list[Retry] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.breaker = CircuitBreaker("bench", clock=self.clock)
        self.model = self.make(self.server.url, llm_timeout=self.timeout, llm_max_retries=self.retries)

    def seconds(self) -> float:
        """Return the seconds that the next call may take."""
        seconds, self.first = self.first or self.timeout, None
        return seconds

    async def ask(self, *, stream: bool = False) -> AIMessage:
        async def once() -> AIMessage:
            return await call_model(
                self.model, ASK, on_token=self.heard.append if stream else None, seconds=self.seconds()
            )

        return await call_with_retry(
            once, server="bench", breaker=self.breaker, retries=self.retries, on_retry=self.again.append
        )


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("failure", PASSING.values(), ids=PASSING)
async def test_what_may_pass_is_asked_again(
    server: OpenAIServer, make_model: MakeModel, failure: Answer, stream: bool
) -> None:
    server.answer(failure, Answer(text="It rises at last."))
    client = Client(server, make_model, first=SOON if failure.hang else None)
    reply = await client.ask(stream=stream)
    assert reply.text == "It rises at last."
    assert server.calls == 2
    assert [one.attempt for one in client.again] == [2]
    assert client.again[0].reason


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("failure", SOME.values(), ids=SOME)
async def test_a_call_takes_no_more_requests_than_stated(
    server: OpenAIServer, make_model: MakeModel, failure: Answer, stream: bool
) -> None:
    server.always(failure)
    with pytest.raises(ModelFailure) as caught:
        await Client(server, make_model, timeout=SOON if failure.hang else 20.0).ask(stream=stream)
    assert caught.value.may_pass
    assert server.calls == 3


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("status", REFUSED)
async def test_a_refusal_is_final(server: OpenAIServer, make_model: MakeModel, status: int, stream: bool) -> None:
    server.always(Answer(status=status))
    client = Client(server, make_model)
    with pytest.raises(ModelFailure) as caught:
        await client.ask(stream=stream)
    assert (server.calls, client.again, caught.value.may_pass) == (1, [], False)


async def test_a_prompt_too_long_is_final(server: OpenAIServer, make_model: MakeModel) -> None:
    server.always(Answer(status=400, error="context_length_exceeded: 9000 tokens"))
    with pytest.raises(ModelFailure, match="prompt is too long"):
        await Client(server, make_model).ask()
    assert server.calls == 1


async def test_broken_arguments_of_a_tool_are_an_answer(server: OpenAIServer, make_model: MakeModel) -> None:
    """The agent shows the model its mistake; asking the same again would only cost."""
    server.answer(Answer(tool_calls=(ToolCall("get_news", '{"symbol": '),)))
    reply = await Client(server, make_model).ask()
    assert [call["name"] for call in reply.invalid_tool_calls] == ["get_news"]
    assert server.calls == 1


async def test_a_server_that_is_not_there_is_asked_again(make_model: MakeModel) -> None:
    with OpenAIServer() as server:
        pass
    client = Client(server, make_model)
    with pytest.raises(ModelUnreachable, match="No model server answers at"):
        await client.ask()
    assert [one.attempt for one in client.again] == [2, 3]


FORMS = {
    "json_schema": {"type": "json_schema", "json_schema": {"name": "Opinion", "schema": {"type": "object"}}},
    "json_object": {"type": "json_object"},
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("failure", SOME.values(), ids=SOME)
async def test_typed_answers_are_asked_for_again_too(
    server: OpenAIServer, make_model: MakeModel, failure: Answer, form: dict[str, object]
) -> None:
    """They take another way through the client, with errors of its own."""
    server.answer(failure, Answer(text="{}"))
    client = Client(server, make_model, first=SOON if failure.hang else None)
    bound = client.model.bind(response_format=form)

    async def once() -> AIMessage:
        return await call_model(bound, [HumanMessage("Answer with json.")], seconds=client.seconds())

    reply = await call_with_retry(once, server="bench", breaker=client.breaker, retries=1)
    assert (reply.text, server.calls) == ("{}", 2)


# Streams


async def test_a_cut_stream_begins_anew_and_doubles_no_text(server: OpenAIServer, make_model: MakeModel) -> None:
    text = "It rises, and then it falls again. " * 20
    server.answer(Answer(text=text, cut=True), Answer(text=text))
    client = Client(server, make_model)
    reply = await client.ask(stream=True)
    assert reply.text == text
    assert "".join(client.heard).endswith(text)
    assert len("".join(client.heard)) > len(text), "some of the cut reply was heard"


async def test_a_stream_that_ends_too_early_is_no_reply(server: OpenAIServer, make_model: MakeModel) -> None:
    """Without a word on why it finished, a stream was cut, however politely the connection was closed."""
    server.answer(Answer(text="It rises. " * 50, ends=True), Answer(text="It falls."))
    client = Client(server, make_model)
    assert (await client.ask(stream=True)).text == "It falls."
    assert "broke the connection in the middle of a reply" in client.again[0].reason


async def test_a_server_that_trickles_meets_the_time_limit(make_model: MakeModel) -> None:
    """A client's own limit is on the silence between two bytes: a byte now and then would keep a run for ever."""

    hung_up = asyncio.Event()

    async def trickle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n")
        with suppress(ConnectionError):
            while not writer.is_closing():
                writer.write(b" ")
                await writer.drain()
                await asyncio.sleep(0.01)
            await writer.wait_closed()
        hung_up.set()

    async with await asyncio.start_server(trickle, "127.0.0.1", 0) as listening:
        model = make_model(f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/v1", llm_timeout=60.0)
        with pytest.raises(ModelUnreachable, match="did not answer in time"):
            await call_model(model, ASK, seconds=0.3)
        async with asyncio.timeout(10):
            await hung_up.wait()


# Waiting


async def waits(monkeypatch: pytest.MonkeyPatch, client: Client) -> list[float]:
    """Ask, and return the waits between the requests; nothing is waited for."""
    waited: list[float] = []

    async def note(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(retries, "PAUSE", note)
    with pytest.raises(ModelFailure):
        await client.ask()
    return waited


async def test_a_server_is_given_the_time_it_asks_for(
    server: OpenAIServer, make_model: MakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=40), usegmt=True)
    server.answer(Answer(status=429, retry_after="7"), Answer(status=503, retry_after=later), Answer(status=429))
    first, second = await waits(monkeypatch, Client(server, make_model))
    assert first == 7.0
    assert 30 < second <= 40
    assert server.calls == 3


@pytest.mark.parametrize("asked", ["61", "3600"])
async def test_a_server_that_asks_for_too_long_a_wait_is_given_up(
    server: OpenAIServer, make_model: MakeModel, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    server.always(Answer(status=429, retry_after=asked))
    assert await waits(monkeypatch, Client(server, make_model)) == []
    assert server.calls == 1


@pytest.mark.parametrize("nonsense", ["soon", "-5", "", "nan", "Fri, 99 Foo"])
async def test_nonsense_in_retry_after_asks_for_nothing(
    server: OpenAIServer, make_model: MakeModel, monkeypatch: pytest.MonkeyPatch, nonsense: str
) -> None:
    server.always(Answer(status=429, retry_after=nonsense))
    assert await waits(monkeypatch, Client(server, make_model)) == [0.0, 0.0]


async def test_a_used_up_quota_is_final(server: OpenAIServer, make_model: MakeModel) -> None:
    body = '{"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}'
    server.always(Answer(status=429, body=body))
    with pytest.raises(ModelFailure, match="account's quota"):
        await Client(server, make_model).ask()
    assert server.calls == 1


WAIT = retries.BACKOFF
"""As it is outside tests."""


@given(st.integers(1, 12))
def test_waits_double_with_chance_and_are_bounded(attempt: int) -> None:
    class State:
        attempt_number = attempt

    wait = WAIT(State())  # type: ignore[arg-type]
    assert min(2.0 ** (attempt - 1), LONGEST_WAIT) <= wait <= min(2.0 ** (attempt - 1) + 1, LONGEST_WAIT)


# The breaker


async def test_a_server_that_fails_three_calls_is_left_alone_and_then_probed_once(
    server: OpenAIServer, make_model: MakeModel
) -> None:
    server.always(Answer(status=500))
    client = Client(server, make_model, retries=1)
    for _ in range(FAILURES):
        with pytest.raises(ModelFailure, match="failed to answer"):
            await client.ask()
    assert server.calls == 2 * FAILURES
    with pytest.raises(ModelUnreachable, match=r"bench failed 3 calls in a row; it is not asked for 60 s; run again"):
        await client.ask()
    assert server.calls == 2 * FAILURES
    client.clock.now += REST + 1
    with pytest.raises(ModelFailure, match="failed to answer"):
        await client.ask()
    assert server.calls == 2 * FAILURES + 1, "a probe is one request"
    client.clock.now += REST + 1
    server.always(Answer(text="I am back."))
    assert (await client.ask()).text == "I am back."
    server.answer(Answer(status=500))
    assert (await client.ask()).text == "I am back."
    assert server.calls == 2 * FAILURES + 4


async def test_only_one_of_many_calls_probes(server: OpenAIServer, make_model: MakeModel) -> None:
    server.always(Answer(status=500))
    client = Client(server, make_model, retries=0)
    for _ in range(FAILURES):
        with pytest.raises(ModelFailure):
            await client.ask()
    client.clock.now += REST + 1
    results = await asyncio.gather(*(client.ask() for _ in range(20)), return_exceptions=True)
    assert server.calls == FAILURES + 1
    assert sum("it is not asked" in str(one) for one in results) == 19


async def test_a_success_or_a_refusal_shows_that_a_server_is_there(server: OpenAIServer, make_model: MakeModel) -> None:
    client = Client(server, make_model, retries=0)
    for between in (Answer(text="Here."), Answer(status=400), Answer(status=404)):
        server.answer(Answer(status=500), Answer(status=500), between)
        for _ in range(3):
            await asyncio.gather(client.ask(), return_exceptions=True)
    assert client.breaker.is_closed
    assert server.calls == 9


async def test_a_call_that_was_broken_off_says_nothing_about_its_server(
    server: OpenAIServer, make_model: MakeModel
) -> None:
    client = Client(server, make_model, retries=0)
    server.always(Answer(status=500))
    for _ in range(FAILURES):
        with pytest.raises(ModelFailure):
            await client.ask()
    client.clock.now += REST + 1
    server.always(Answer(hang=True))
    probe = asyncio.create_task(client.ask())
    while server.calls == FAILURES:
        await asyncio.sleep(0)
    probe.cancel()
    with pytest.raises(asyncio.CancelledError):
        await probe
    server.always(Answer(text="Here."))
    assert (await client.ask()).text == "Here.", "the probe's place is free again"
