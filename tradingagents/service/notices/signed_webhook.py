"""Sends a message to a URL: JSON signed according to Standard Webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from tradingagents.errors import ConfigurationError
from tradingagents.service.notices.message import OutgoingMessage
from tradingagents.service.notices.posting import USUAL, Patience, post, posted_to

SECRET_VARIABLE = "TRADINGAGENTS_WEBHOOK_SECRET"  # noqa: S105 - a name
SECRET_PREFIX = "whsec_"  # noqa: S105 - a prefix
SHORTEST_KEY = 24
"""Minimum length in bytes, set by the specification."""
HOW_TO_MAKE_ONE = (
    "python -c \"import base64, secrets; print('whsec_' + base64.b64encode(secrets.token_bytes(32)).decode())\""
)


@dataclass(frozen=True, slots=True)
class SignedWebhook:
    """A URL that takes signed JSON.

    The id of a message is derived from its content: it stays the same on every attempt, and when the same content is
    sent again on another day, so that the receiver can detect duplicates.
    """

    address: str
    """https, or http on this machine; only its host may be shown: the rest may hold a token."""
    secret: str | None
    """Signs the messages: base64, with or without the prefix `whsec_`."""
    patience: Patience = USUAL

    def check(self) -> None:
        """Check address and secret; see `Receiver`."""
        posted_to(self.address)
        _key(self.secret)

    async def deliver(self, message: OutgoingMessage) -> None:
        """Send the data of a message; see `Receiver`."""
        url, key = posted_to(self.address), _key(self.secret)
        body = json.dumps(
            message.data, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
        ).encode()
        headers = partial(_headers, key, body)
        await post(url, body, headers, receiver=f"The webhook at {url.host}", patience=self.patience)


def signature(key: bytes, message_id: str, instant: str, body: bytes) -> str:
    """Return the signature of a message with its version, as the receiver finds it in the header.

    Args:
        key: The secret's bytes.
        message_id: The header `webhook-id`.
        instant: The header `webhook-timestamp`, seconds since 1970.
        body: The body as sent.
    """
    signed = b".".join((message_id.encode(), instant.encode(), body))
    return f"v1,{base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()}"


def _key(secret: str | None) -> bytes:
    if not secret or not secret.strip():
        raise ConfigurationError(
            f"A webhook is signed, and there is no secret to sign it with; set {SECRET_VARIABLE}, made with: "
            f"{HOW_TO_MAKE_ONE}"
        )
    try:
        key = base64.b64decode(secret.strip().removeprefix(SECRET_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) < SHORTEST_KEY:
        raise ConfigurationError(
            f"{SECRET_VARIABLE} is not base64 of at least {SHORTEST_KEY} bytes; make a secret with: {HOW_TO_MAKE_ONE}"
        )
    return key


def _headers(key: bytes, body: bytes) -> Mapping[str, str]:
    """Return the headers with a fresh signature; receivers reject signatures that are too old."""
    message_id, instant = f"msg_{hashlib.sha256(body).hexdigest()[:32]}", str(int(time.time()))
    return {
        "content-type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": instant,
        "webhook-signature": signature(key, message_id, instant, body),
    }
