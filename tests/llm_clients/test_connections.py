"""The HTTP client of model servers does what httpx's own does."""

import httpx
import pytest

from tradingagents.llm_clients.connections import ModelHttpClient


def _client(kind: type[httpx.AsyncClient], answers: list[dict[str, str]], asked: list[httpx.Request]):
    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200, headers=answers.pop(0))

    return kind(transport=httpx.MockTransport(answer))


@pytest.mark.parametrize("kind", [httpx.AsyncClient, ModelHttpClient])
async def test_a_cookie_that_a_server_sets_is_sent_back_to_it_only(kind):
    asked: list[httpx.Request] = []
    async with _client(kind, [{}, {"Set-Cookie": "node=7; Path=/"}, {}, {}], asked) as client:
        for url in ("http://a.test/v1", "http://a.test/v1", "http://a.test/v1", "http://b.test/v1"):
            await client.post(url)
        assert dict(client.cookies) == {"node": "7"}
    assert [request.headers.get("cookie") for request in asked] == [None, None, "node=7", None]


async def test_each_address_is_asked_as_it_is_given():
    asked: list[httpx.Request] = []
    urls = ["http://a.test/v1?x=1", "http://a.test/v1?x=1", "http://b.test/v2", "http://a.test/v1?x=1"]
    async with _client(ModelHttpClient, [{} for _ in urls], asked) as client:
        for url in urls:
            await client.post(url)
        client.cookies = {"a": "1"}
        assert dict(client.cookies) == {"a": "1"}
    assert [str(request.url) for request in asked] == urls


async def test_an_answer_without_cookies_is_not_looked_through(monkeypatch):
    looked = []
    monkeypatch.setattr(httpx.Cookies, "extract_cookies", lambda self, response: looked.append(response))
    async with _client(ModelHttpClient, [{}, {"set-cookie": "a=1"}], []) as client:
        await client.post("http://a.test")
        assert not looked
        await client.post("http://a.test")
        assert len(looked) == 1
