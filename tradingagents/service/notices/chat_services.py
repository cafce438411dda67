"""Sends a message to a channel of Slack or Discord, or to a chat of Telegram.

What a message says may have been written by outsiders: it is sent as words, so that nothing in it can address people,
make links of its own or change the layout.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

import httpx

from tradingagents.errors import ConfigurationError
from tradingagents.service.notices.message import OutgoingMessage
from tradingagents.service.notices.posting import USUAL, Patience, post, posted_to

SLACK_VARIABLE = "TRADINGAGENTS_SLACK_WEBHOOK"
DISCORD_VARIABLE = "TRADINGAGENTS_DISCORD_WEBHOOK"
TELEGRAM_TOKEN_VARIABLE = "TRADINGAGENTS_TELEGRAM_TOKEN"  # noqa: S105 - a name
TELEGRAM_CHAT_VARIABLE = "TRADINGAGENTS_TELEGRAM_CHAT"
TELEGRAM_SERVER_VARIABLE = "TRADINGAGENTS_TELEGRAM_SERVER"
TELEGRAM_SERVER = "https://api.telegram.org"
SLACK_LETTERS, DISCORD_LETTERS, TELEGRAM_LETTERS, CAPTION_LETTERS = 3_900, 1_900, 4_000, 1_000
"""Longest text of each that is sent: a little below what the service takes."""
_DISCORD_MARKS = re.compile(r"([\\*_~`|\[\]<]|^[>#])", re.MULTILINE)
_TELEGRAM_TOKEN = re.compile(r"[0-9]{1,20}:[A-Za-z0-9_-]{10,100}")
_TELEGRAM_CHAT = re.compile(r"-?[0-9]{1,20}|@[A-Za-z0-9_]{1,64}")


@dataclass(frozen=True, slots=True)
class SlackChannel:
    """The channel of an incoming webhook of Slack. Slack takes no pictures this way: words are sent alone."""

    environ: Mapping[str, str]
    patience: Patience = USUAL

    def check(self) -> None:
        """Check the variable; see `Receiver`."""
        _hook(self.environ, SLACK_VARIABLE, "Slack")

    async def deliver(self, message: OutgoingMessage) -> None:
        """Send the words; see `Receiver`."""
        url = _hook(self.environ, SLACK_VARIABLE, "Slack")
        words = OutgoingMessage(escape(message.title, quote=False), escape(message.text, quote=False))
        said = {"text": words.within(SLACK_LETTERS), "unfurl_links": False, "unfurl_media": False}
        await _post_json(url, said, f"Slack ({SLACK_VARIABLE})", self.patience)


@dataclass(frozen=True, slots=True)
class DiscordChannel:
    """The channel of a webhook of Discord."""

    environ: Mapping[str, str]
    patience: Patience = USUAL

    def check(self) -> None:
        """Check the variable; see `Receiver`."""
        _hook(self.environ, DISCORD_VARIABLE, "Discord")

    async def deliver(self, message: OutgoingMessage) -> None:
        """Send words and picture in one message; see `Receiver`."""
        url = _hook(self.environ, DISCORD_VARIABLE, "Discord")
        words = OutgoingMessage(_in_discord(message.title), _in_discord(message.text))
        said = {"content": words.within(DISCORD_LETTERS), "allowed_mentions": {"parse": []}}
        name = f"Discord ({DISCORD_VARIABLE})"
        if message.picture is None:
            await _post_json(url, said, name, self.patience)
        else:
            await _post_form(url, {"payload_json": json.dumps(said)}, "files[0]", message.picture, name, self.patience)


@dataclass(frozen=True, slots=True)
class TelegramChat:
    """A chat that a bot of Telegram may write to."""

    environ: Mapping[str, str]
    patience: Patience = USUAL

    def check(self) -> None:
        """Check the variables; see `Receiver`."""
        self._chat()
        self._method("sendMessage")

    async def deliver(self, message: OutgoingMessage) -> None:
        """Send the picture, if there is one, then the words; see `Receiver`."""
        chat, name = self._chat(), f"Telegram ({TELEGRAM_TOKEN_VARIABLE}, {TELEGRAM_CHAT_VARIABLE})"
        if message.picture is not None:
            fields = {"chat_id": chat, "caption": message.title[:CAPTION_LETTERS]}
            await _post_form(self._method("sendPhoto"), fields, "photo", message.picture, name, self.patience)
        said = {
            "chat_id": chat,
            "text": message.within(TELEGRAM_LETTERS),  # without parse_mode it is shown as it is written
            "link_preview_options": {"is_disabled": True},
        }
        await _post_json(self._method("sendMessage"), said, name, self.patience)

    def _chat(self) -> str:
        chat = _needed(self.environ, TELEGRAM_CHAT_VARIABLE, "Telegram: the number of a chat, or @name of a channel")
        if not _TELEGRAM_CHAT.fullmatch(chat):
            raise ConfigurationError(f"{TELEGRAM_CHAT_VARIABLE} is not the number of a chat, nor @name of a channel.")
        return chat

    def _method(self, method: str) -> httpx.URL:
        token = _needed(self.environ, TELEGRAM_TOKEN_VARIABLE, "Telegram: the token that BotFather gives a bot")
        if not _TELEGRAM_TOKEN.fullmatch(token):
            raise ConfigurationError(f"{TELEGRAM_TOKEN_VARIABLE} is no token of a bot, such as 123456:ABC-DEF.")
        server = self.environ.get(TELEGRAM_SERVER_VARIABLE, "").strip() or TELEGRAM_SERVER
        return posted_to(f"{server.rstrip('/')}/bot{token}/{method}", TELEGRAM_SERVER_VARIABLE)


def _in_discord(words: str) -> str:
    """Return words with a stroke before each sign that Discord would read as layout."""
    return _DISCORD_MARKS.sub(r"\\\1", words)


def _hook(environ: Mapping[str, str], variable: str, service: str) -> httpx.URL:
    return posted_to(_needed(environ, variable, f"{service}: the address of its webhook"), variable)


def _needed(environ: Mapping[str, str], variable: str, what: str) -> str:
    """Return the value of a variable.

    Raises:
        ConfigurationError: It is not set.
    """
    if value := environ.get(variable, "").strip():
        return value
    raise ConfigurationError(f"{variable} is not set, which is needed for {what}; set it in the environment.")


async def _post_json(url: httpx.URL, said: Mapping[str, Any], name: str, patience: Patience) -> None:
    body = json.dumps(said, ensure_ascii=False).encode()
    await post(url, body, lambda: {"content-type": "application/json"}, receiver=name, patience=patience)


async def _post_form(
    url: httpx.URL, fields: Mapping[str, str], file: str, picture: bytes, name: str, patience: Patience
) -> None:
    """Post fields and a picture as a browser posts a form."""
    form = httpx.Request("POST", url, data=fields, files={file: ("brief.png", picture, "image/png")})
    body, kind = form.read(), form.headers["content-type"]
    await post(url, body, lambda: {"content-type": kind}, receiver=name, patience=patience)
