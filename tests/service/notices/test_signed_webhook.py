"""The webhook: a signed message, tried again where that helps, to a real server; nothing secret in it or about it."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import logging
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from tests.features.batch.batch_graphs import RUN_CALLS, batch_desk, batch_model
from tests.service.notices.receiving import TOKEN, Answer, receiving
from tradingagents.errors import ConfigurationError, UsageError
from tradingagents.features.batch.watch import WatchList, watch
from tradingagents.schemas.batches import WatchRecord
from tradingagents.service.notices.message import MessageNotSent, OutgoingMessage
from tradingagents.service.notices.posting import LONGEST_PAUSE_SECONDS, Patience
from tradingagents.service.notices.signed_webhook import SignedWebhook, signature
from tradingagents.service.notices.watch_message import watch_payload
from tradingagents.settings import load_settings

KEY = bytes(range(32))
SECRET = "whsec_" + base64.b64encode(KEY).decode()
PAYLOAD = {"type": "watch.completed", "data": {"name": "Société", "cost_usd": 0.25, "none": None}}


async def deliver(
    url: str, payload: dict[str, Any], *, secret: str | None, tries: int = 5, try_seconds: float = 10.0
) -> None:
    """Send data as a signed webhook."""
    message = OutgoingMessage("Title", "Text", payload)
    await SignedWebhook(url, secret, Patience(tries, try_seconds)).deliver(message)


def check_webhook(url: str, secret: str | None) -> None:
    SignedWebhook(url, secret).check()


# Signed


def test_the_signature_is_the_specification_s_own_example():
    key = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    assert (
        signature(key, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", b'{"test": 2432232314}')
        == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    )


@pytest.mark.parametrize("secret", [SECRET, SECRET.removeprefix("whsec_"), f" {SECRET}\n"])
async def test_a_message_is_json_that_the_receiver_can_verify(secret: str):
    with receiving() as server:
        await deliver(server.url, PAYLOAD, secret=secret)
    (request,) = server.requests
    headers = {name.lower(): value for name, value in request["headers"].items()}
    assert json.loads(request["body"]) == PAYLOAD
    assert (headers["content-type"], request["path"]) == ("application/json", f"/hooks/{TOKEN}")
    assert abs(int(headers["webhook-timestamp"]) - time.time()) < 10
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + request["body"]
    assert headers["webhook-signature"] == (
        "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    )


async def test_the_id_is_the_content_s_on_every_try_and_another_day(pauses: list[float]):
    with receiving(500, 503) as server:
        await deliver(server.url, PAYLOAD, secret=SECRET)
        await deliver(server.url, dict(reversed(PAYLOAD.items())), secret=SECRET)
        await deliver(server.url, {**PAYLOAD, "type": "other"}, secret=SECRET)
    ids = [request["headers"]["webhook-id"] for request in server.requests]
    assert len(ids) == 5
    assert len(set(ids[:4])) == 1
    assert ids[4] != ids[0]
    assert all(one.startswith("msg_") and "." not in one for one in ids)


@pytest.mark.parametrize("secret", [None, "", "  "])
async def test_without_a_secret_nothing_is_sent_and_the_variable_is_named(secret: str | None):
    with receiving() as server:
        for ask in (lambda: deliver(server.url, PAYLOAD, secret=secret), None):
            with pytest.raises(ConfigurationError, match="set TRADINGAGENTS_WEBHOOK_SECRET"):
                await ask() if ask else check_webhook(server.url, secret)
    assert server.requests == []


@pytest.mark.parametrize("secret", ["hunter2", "whsec_", "whsec_???", base64.b64encode(b"short").decode()])
def test_a_secret_that_is_none_is_refused_and_not_repeated(secret: str):
    with pytest.raises(ConfigurationError, match="TRADINGAGENTS_WEBHOOK_SECRET is not base64") as raised:
        check_webhook("https://example.org/", secret)
    assert secret not in str(raised.value).replace("'whsec_'", "")


def test_the_secret_s_variable_is_no_setting():
    settings = load_settings(environ={"TRADINGAGENTS_WEBHOOK_SECRET": SECRET})
    assert SECRET not in settings.model_dump_json()


# Where to


@pytest.mark.parametrize(
    "url",
    [
        *("https://hooks.example.org/x?token=1", "https://example.org:8443", "HTTPS://EXAMPLE.ORG/x"),
        *("http://localhost:80/x", "http://127.0.0.1/x", "http://127.9.9.9/x", "http://[::1]:9/x"),
    ],
)
def test_https_and_this_machine_may_be_told(url: str):
    check_webhook(url, SECRET)


@pytest.mark.parametrize(
    "url",
    [
        *(
            "",
            "example.org",
            "/x",
            "https://",
            "ftp://example.org/x",
            "file:///etc/passwd",
            "https://me:pw@example.org",
        ),
        *("http://example.org/t0ken", "http://10.0.0.1/", "http://localhost.example.org/", "http://127.0.0.1.nip.io/"),
        *("http://[::2]/", "http://0.0.0.0/", "https://exa\x00mple/", "https://xn--a/"),
    ],
)
def test_any_other_address_is_refused_and_not_repeated(url: str):
    with pytest.raises(UsageError, match="The webhook's address") as raised:
        check_webhook(url, SECRET)
    said = str(raised.value)
    assert not [part for part in ("example", "t0ken", "pw", "10.0.0.1", "nip.io", "passwd") if part in said]


# Tried again


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
async def test_what_may_pass_is_tried_again_with_growing_pauses(pauses: list[float], status: int):
    with receiving(status, status, status) as server:
        await deliver(server.url, PAYLOAD, secret=SECRET)
    assert len(server.requests) == 4
    for pause, usual in zip(pauses, (1.0, 2.0, 4.0), strict=True):
        assert 0.5 * usual <= pause <= 1.5 * usual


async def test_after_so_many_tries_it_gives_up_with_what_was_wrong(pauses: list[float]):
    with receiving(*[500] * 9) as server:
        with pytest.raises(
            MessageNotSent,
            match=r"127\.0\.0\.1 .*: it answers 500, after 3 tries\. .*studies are not repeated",
        ):
            await deliver(server.url, PAYLOAD, secret=SECRET, tries=3)
        assert (len(server.requests), len(pauses)) == (3, 2)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 422])
async def test_what_is_refused_is_not_tried_again(pauses: list[float], status: int):
    with receiving(status) as server:
        with pytest.raises(MessageNotSent, match=f"it answers {status}\\.") as raised:
            await deliver(server.url, PAYLOAD, secret=SECRET)
        assert (len(server.requests), pauses, raised.value.exit_code) == (1, [], 3)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_no_redirect_is_followed(pauses: list[float], status: int):
    with receiving() as elsewhere, receiving((status, {"location": elsewhere.url})) as server:
        with pytest.raises(MessageNotSent, match="redirects are not followed"):
            await deliver(server.url, PAYLOAD, secret=SECRET)
        assert (len(server.requests), elsewhere.requests) == (1, [])


async def test_the_pause_a_receiver_asks_for_is_kept_up_to_a_limit(pauses: list[float]):
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    never = f"Fri, 14 Mar {'9' * 30} 00:00:00 GMT"
    asked: list[Answer] = [(429, {"retry-after": value}) for value in ("7", "9999", soon, "whenever", never)]
    with receiving(*asked) as server:
        await deliver(server.url, PAYLOAD, secret=SECRET, tries=6)
    assert pauses[0] == 7
    assert pauses[1] == LONGEST_PAUSE_SECONDS
    assert 25 <= pauses[2] <= 30
    assert 4 <= pauses[3] <= 12
    assert 8 <= pauses[4] <= 24


async def test_a_silent_receiver_is_given_up_in_time(pauses: list[float]):
    began = time.monotonic()
    with receiving(0.5, 0.5) as server, pytest.raises(MessageNotSent, match=r"no answer within 0\.1 s, after 2 tries"):
        await deliver(server.url, PAYLOAD, secret=SECRET, tries=2, try_seconds=0.1)
    assert time.monotonic() - began < 5


async def test_a_receiver_that_is_not_there_is_tried_again(pauses: list[float]):
    with receiving() as server:
        url = server.url
    with pytest.raises(MessageNotSent, match=r"no connection \(ConnectError\), after 5 tries"):
        await deliver(url, PAYLOAD, secret=SECRET)
    assert len(pauses) == 4


async def test_a_receiver_that_hangs_up_is_tried_again_and_not_called_unreachable(pauses: list[float]):
    with receiving(None, 204) as server:
        await deliver(server.url, PAYLOAD, secret=SECRET)
        assert len(server.requests) == 2
    with (
        receiving(None, None) as server,
        pytest.raises(MessageNotSent, match=r"no proper answer \(\w+\), after 2 tries"),
    ):
        await deliver(server.url, PAYLOAD, secret=SECRET, tries=2)


async def test_cancelled_it_stops_at_once():
    with receiving(5.0) as server:
        task = asyncio.create_task(deliver(server.url, PAYLOAD, secret=SECRET))
        while not server.requests:
            await asyncio.sleep(0.005)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_neither_a_log_nor_an_error_shows_the_address_or_the_secret(
    pauses: list[float], caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    with receiving(500, 404) as server, pytest.raises(MessageNotSent) as raised:
        await deliver(server.url, PAYLOAD, secret=SECRET)
    for shown in (caplog.text, str(raised.value), repr(raised.value.__cause__), repr(raised.value.__context__)):
        assert TOKEN not in shown
        assert SECRET not in shown


# What is told


async def test_a_watch_tells_changes_decisions_and_costs_and_nothing_of_this_machine(tmp_path: Path):
    WatchList(tmp_path).add(["NUQZ", "NOSUCHQ"])
    record: WatchRecord = await watch(batch_desk(tmp_path, batch_model()), "2025-03-14")
    payload = watch_payload(record)
    data = payload["data"]
    assert payload["type"] == "watch.completed"
    assert (data["trade_date"], data["since"], data["status"]) == ("2025-03-14", None, "partial")
    assert data["changes"][0] == {
        "ticker": "NUQZ",
        "kind": "first",
        "before": None,
        "after": {"action": "BUY", "confidence": 0.7, "strength": None, "trade_date": "2025-03-14"},
        "words": "NUQZ: BUY 0.70, for the first time",
    }
    assert [(one["ticker"], one["status"], one["action"]) for one in data["decisions"]] == [
        ("NUQZ", "done", "BUY"),
        ("NOSUCHQ", "failed", None),
    ]
    assert (data["llm_calls"], data["cost_usd"]) == (RUN_CALLS, 0.0)
    text = json.dumps(payload)
    assert str(tmp_path) not in text
    assert not {"paths", "settings", "warnings", "error", "data_dir"} & set(text.replace('"', " ").split())
    again = await watch(batch_desk(tmp_path, batch_model()), "2025-03-14")
    assert watch_payload(again) == payload
