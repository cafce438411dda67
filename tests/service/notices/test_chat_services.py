"""Slack, Discord and Telegram: what their servers get, and that nothing in a message becomes more than words."""

from __future__ import annotations

import json
import logging
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any

import pytest

from tests.service.notices.receiving import TOKEN, receiving
from tradingagents.errors import ConfigurationError, UsageError
from tradingagents.service.notices.message import MessageNotSent, OutgoingMessage
from tradingagents.service.notices.receivers import receiver_of
from tradingagents.settings import load_settings

BOT = "123456:ABC-DEF_ghi-jklmnop"
HOSTILE = "<!channel> <@U1> @everyone *bold* _x_ [here](https://evil.example) `code` & <b>"
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(range(256))


def environ_of(url: str) -> dict[str, str]:
    """Return the variables of the three services, all at one server."""
    return {
        "TRADINGAGENTS_SLACK_WEBHOOK": url,
        "TRADINGAGENTS_DISCORD_WEBHOOK": url,
        "TRADINGAGENTS_TELEGRAM_TOKEN": BOT,
        "TRADINGAGENTS_TELEGRAM_CHAT": "-1001234567890",
        "TRADINGAGENTS_TELEGRAM_SERVER": url,
    }


def form_of(request: dict[str, Any]) -> dict[str, bytes]:
    """Return the fields of a posted form."""
    head = b"content-type: " + request["headers"]["content-type"].encode() + b"\r\n\r\n"
    parts = BytesParser(policy=HTTP).parsebytes(head + request["body"]).iter_parts()
    return {part.get_param("name", header="content-disposition"): part.get_payload(decode=True) for part in parts}


async def test_slack_gets_words_in_which_nothing_addresses_anybody(pauses: list[float]):
    with receiving() as server:
        await receiver_of("slack", environ_of(server.url)).deliver(OutgoingMessage("Brief", HOSTILE, picture=PICTURE))
    (request,) = server.requests
    said = json.loads(request["body"])
    assert said["text"].startswith("Brief\n\n&lt;!channel&gt; &lt;@U1&gt; @everyone")
    assert said["text"].endswith("&amp; &lt;b&gt;")
    assert (said["unfurl_links"], request["path"]) == (False, f"/hooks/{TOKEN}")


async def test_discord_gets_words_and_the_picture_and_pings_nobody(pauses: list[float]):
    with receiving() as server:
        discord = receiver_of("Discord", environ_of(server.url))
        await discord.deliver(OutgoingMessage("Brief", HOSTILE, picture=PICTURE))
        await discord.deliver(OutgoingMessage("Brief", "> quoted\n# head"))
    with_picture, without = server.requests
    form = form_of(with_picture)
    said = json.loads(form["payload_json"])
    assert form["files[0]"] == PICTURE
    assert said["allowed_mentions"] == {"parse": []}
    assert r"\*bold\* \_x\_ \[here\](https://evil.example) \`code\` & \<b>" in said["content"]
    assert json.loads(without["body"])["content"] == "Brief\n\n\\> quoted\n\\# head"


async def test_telegram_gets_the_picture_then_the_words_as_they_are(pauses: list[float]):
    with receiving() as server:
        await receiver_of("telegram", environ_of(server.url)).deliver(
            OutgoingMessage("Brief", HOSTILE, picture=PICTURE)
        )
    photo, words = server.requests
    assert photo["path"] == f"/hooks/{TOKEN}/bot{BOT}/sendPhoto"
    assert form_of(photo) == {"chat_id": b"-1001234567890", "caption": b"Brief", "photo": PICTURE}
    said = json.loads(words["body"])
    assert words["path"].endswith("/sendMessage")
    assert said["text"] == f"Brief\n\n{HOSTILE}"
    assert "parse_mode" not in said


@pytest.mark.parametrize(("service", "most"), [("slack", 4_000), ("discord", 2_000), ("telegram", 4_096)])
async def test_a_long_message_is_cut_at_a_line_within_what_the_service_takes(service: str, most: int):
    lines = [f"Line {number} of many, [with] *marks*" for number in range(1_000)]
    with receiving() as server:
        await receiver_of(service, environ_of(server.url)).deliver(OutgoingMessage("Brief", "\n".join(lines)))
    said = json.loads(server.requests[-1]["body"])
    text = said.get("content") or said["text"]
    assert len(text) <= most
    assert text.endswith("…")
    whole = [line.replace("\\", "") for line in text.splitlines()[2:]]
    assert whole[:-1] == lines[: len(whole) - 1]
    assert whole[-1].removesuffix(" …") in lines


@pytest.mark.parametrize(
    ("service", "answer", "pause"),
    [
        ("slack", (429, {"retry-after": "7"}), 7.0),
        ("discord", (429, {}, b'{"message": "You are being rate limited.", "retry_after": 8.5}'), 8.5),
        ("telegram", (429, {}, b'{"ok": false, "parameters": {"retry_after": 9}}'), 9.0),
        ("telegram", (429, {}, b'{"ok": false, "parameters": "none"}'), None),
        ("discord", (429, {}, b"<html>"), None),
    ],
)
async def test_the_pause_that_a_service_asks_for_is_kept(
    pauses: list[float], service: str, answer: Any, pause: float | None
):
    with receiving(answer) as server:
        await receiver_of(service, environ_of(server.url)).deliver(OutgoingMessage("Brief", "x"))
    assert len(server.requests) == 2
    assert pauses[0] == pause if pause else 0.5 <= pauses[0] <= 1.5


@pytest.mark.parametrize("service", ["slack", "discord", "telegram"])
async def test_a_refusal_names_the_variable_and_no_address(
    service: str, pauses: list[float], caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    with receiving(404) as server, pytest.raises(MessageNotSent, match="it answers 404") as raised:
        await receiver_of(service, environ_of(server.url)).deliver(OutgoingMessage("Brief", "x"))
    assert f"TRADINGAGENTS_{service.upper()}" in str(raised.value)
    for shown in (caplog.text, str(raised.value), repr(raised.value.__context__)):
        assert TOKEN not in shown
        assert BOT not in shown


@pytest.mark.parametrize(
    ("named", "environ", "error", "said"),
    [
        ("slack", {}, ConfigurationError, "TRADINGAGENTS_SLACK_WEBHOOK is not set"),
        ("discord", {"TRADINGAGENTS_DISCORD_WEBHOOK": " "}, ConfigurationError, "TRADINGAGENTS_DISCORD_WEBHOOK is not"),
        ("slack", {"TRADINGAGENTS_SLACK_WEBHOOK": "http://10.0.0.1/x"}, UsageError, "SLACK_WEBHOOK must begin with"),
        ("telegram", {}, ConfigurationError, "TELEGRAM_CHAT is not set"),
        ("telegram", {"TRADINGAGENTS_TELEGRAM_CHAT": "a/../b"}, ConfigurationError, "TELEGRAM_CHAT is not the number"),
        ("telegram", {"TRADINGAGENTS_TELEGRAM_CHAT": "1"}, ConfigurationError, "TELEGRAM_TOKEN is not set"),
        (
            "telegram",
            {"TRADINGAGENTS_TELEGRAM_CHAT": "1", "TRADINGAGENTS_TELEGRAM_TOKEN": "../x"},
            ConfigurationError,
            "TELEGRAM_TOKEN is ",
        ),
        ("email", {}, ConfigurationError, "TRADINGAGENTS_SMTP_URL is not set"),
        ("slak", {}, UsageError, "Messages go to slack, discord, telegram, email, or to a URL"),
        ("https://example.org/x", {}, ConfigurationError, "TRADINGAGENTS_WEBHOOK_SECRET"),
    ],
)
def test_what_is_missing_is_named_before_anything_is_done(
    named: str, environ: dict[str, str], error: type[Exception], said: str
):
    with pytest.raises(error, match=said):
        receiver_of(named, environ)


def test_their_variables_are_no_settings():
    environ = {
        **environ_of("https://example.org/x"),
        "TRADINGAGENTS_SMTP_URL": "smtps://a:b@c",
        "TRADINGAGENTS_MAIL_TO": "a",
    }
    assert load_settings(environ=environ) == load_settings(environ={})
