"""Finds the receiver of messages by the word or the address that names it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tradingagents.errors import UsageError
from tradingagents.service.notices.chat_services import DiscordChannel, SlackChannel, TelegramChat
from tradingagents.service.notices.mail import Mailbox
from tradingagents.service.notices.message import Receiver
from tradingagents.service.notices.signed_webhook import SECRET_VARIABLE, SignedWebhook

SERVICES: Mapping[str, Callable[[Mapping[str, str]], Receiver]] = {
    "slack": SlackChannel,
    "discord": DiscordChannel,
    "telegram": TelegramChat,
    "email": Mailbox,
}


def receiver_of(named: str, environ: Mapping[str, str]) -> Receiver:
    """Return a receiver that messages can be sent to.

    Args:
        named: slack, discord, telegram or email, or the URL of a webhook.
        environ: Variables, which alone hold addresses with tokens, secrets and passwords.

    Raises:
        UsageError: It names neither.
        ConfigurationError: A variable is missing or cannot be used.
    """
    service = SERVICES.get(named.strip().lower())
    if service is None and ":" not in named and "/" not in named:
        raise UsageError(f"Messages go to {', '.join(SERVICES)}, or to a URL such as https://host/path; name one.")
    receiver = service(environ) if service else SignedWebhook(named, environ.get(SECRET_VARIABLE))
    receiver.check()
    return receiver
