"""Tells a web address what a watch found: JSON signed as the Standard Webhooks specification has it, with retries."""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import hmac
import ipaddress
import json
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from tradingagents.errors import ConfigurationError, UsageError
from tradingagents.reports.degraded import degraded_notice
from tradingagents.schemas.records import BatchRow, ChangeRecord, OutcomeRecord, WatchRecord

SECRET_VARIABLE = "TRADINGAGENTS_WEBHOOK_SECRET"  # noqa: S105 - a name
SECRET_PREFIX = "whsec_"  # noqa: S105 - a prefix
SHORTEST_KEY = 24
"""Bytes, as the specification asks."""
TRIES = 5
TRY_SECONDS = 10.0
"""How long one try may take, from the first byte to the answer's status."""
FIRST_PAUSE_SECONDS = 1.0
"""Between the first try and the second; each later pause is twice the one before, give or take a half."""
LONGEST_PAUSE_SECONDS = 60.0
"""However long the receiver asks to wait."""
TOO_MANY = 429
HOW_TO_MAKE_ONE = (
    "python -c \"import base64, secrets; print('whsec_' + base64.b64encode(secrets.token_bytes(32)).decode())\""
)


class WebhookFailed(ConfigurationError):
    """The receiver did not take a message; the results it tells of are on disk."""


@dataclass(frozen=True)
class _Receiver:
    """Where a message goes, and the key it is signed with."""

    url: httpx.URL
    key: bytes

    @property
    def host(self) -> str:
        """All of the URL that may be shown: the rest may hold a token."""
        return self.url.host


def check_webhook(url: str, secret: str | None) -> None:
    """Make sure that messages can be signed and sent, before there is anything to tell.

    Args:
        url: Where to; https, or http on this machine.
        secret: What to sign with, from TRADINGAGENTS_WEBHOOK_SECRET.

    Raises:
        UsageError: The URL is none that a message may go to.
        ConfigurationError: The secret is missing, or is none.
    """
    _receiver(url, secret)


async def deliver(
    url: str,
    payload: Mapping[str, Any],
    *,
    secret: str | None,
    tries: int = TRIES,
    try_seconds: float = TRY_SECONDS,
    first_pause: float = FIRST_PAUSE_SECONDS,
) -> None:
    """Send a message until the receiver takes it.

    Lost connections, time-outs, 429 and 5xx are tried again, after the pause the receiver asks for, if it does. The
    message's id is made of its content: it is the same on every try, and for the same content sent again another day,
    so that the receiver can tell what it has had. Redirects are not followed, and proxies not used.

    Args:
        url: Where to; https, or http on this machine.
        payload: What to tell, JSON-able.
        secret: What to sign with: base64, with or without the prefix `whsec_`.
        tries: Most tries.
        try_seconds: How long one may take.
        first_pause: Seconds between the first and the second; each later pause is about twice the one before.

    Raises:
        UsageError: The URL is none that a message may go to; nothing was sent.
        ConfigurationError: The secret is missing, or is none; nothing was sent.
        WebhookFailed: The receiver refused, or did not answer after all tries.
    """
    receiver = _receiver(url, secret)
    body = json.dumps(payload, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")).encode()
    # A client would log every URL whole; a transport does not, nor does it follow redirects or read proxies and netrc.
    async with httpx.AsyncHTTPTransport() as transport:
        for number in range(tries):
            problem, asked = await _try(transport, receiver, body, try_seconds)
            if problem is None:
                return
            if number + 1 < tries:
                await asyncio.sleep(_pause(number, asked, first_pause))
    raise _failed(receiver, f"{problem}, after {tries} tries" if tries > 1 else str(problem))


def signature(key: bytes, message_id: str, instant: str, body: bytes) -> str:
    """Return the signature of a message, version and all: what a receiver compares the header with.

    Args:
        key: The secret's bytes.
        message_id: The header `webhook-id`.
        instant: The header `webhook-timestamp`, seconds since 1970.
        body: The body as sent.
    """
    signed = b".".join((message_id.encode(), instant.encode(), body))
    return f"v1,{base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()}"


def watch_payload(record: WatchRecord) -> dict[str, Any]:
    """Return what a watch tells: its changes, decisions and costs; no setting, path, warning or error text.

    A watch run again with nothing left to do tells the same.
    """
    batch = record["batch"]
    return {
        "type": "watch.completed",
        "data": {
            "watch_id": record["watch_id"],
            "trade_date": record["trade_date"],
            "session": batch["session"],
            "since": record["since"],
            "status": batch["status"],
            "changes": [_change(change) for change in record["changes"]],
            "decisions": [_decision(row) for row in batch["rows"]],
            "llm_calls": batch["usage"]["llm_calls"],
            "cost_usd": batch["usage"]["cost_usd"],
        },
    }


def _receiver(url: str, secret: str | None) -> _Receiver:
    try:
        parsed = httpx.URL(url.strip())
        host = parsed.host
    except (httpx.InvalidURL, UnicodeError):  # the latter of a host whose punycode stands for nothing
        raise UsageError("The webhook's address is no URL; write it as https://host/path.") from None
    if not host or not (parsed.scheme == "https" or (parsed.scheme == "http" and _is_here(host))):
        raise UsageError(
            "The webhook's address must begin with https://, or with http:// and name this machine; change it."
        )
    if parsed.userinfo:
        raise UsageError("The webhook's address holds a user name or password, which is not sent; leave it out.")
    return _Receiver(parsed, _key(secret))


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


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


async def _try(
    transport: httpx.AsyncHTTPTransport, receiver: _Receiver, body: bytes, seconds: float
) -> tuple[str | None, float | None]:
    """Send once; return what was wrong (None: nothing) and how long to wait, if the receiver says so.

    Raises:
        WebhookFailed: The receiver refuses for good.
    """
    timeout = httpx.Timeout(seconds).as_dict()
    request = httpx.Request(
        "POST", receiver.url, content=body, headers=_headers(receiver.key, body), extensions={"timeout": timeout}
    )
    try:
        async with asyncio.timeout(seconds):
            response = await transport.handle_async_request(request)
            await response.aclose()
    except TimeoutError:
        return f"no answer within {seconds:g} s", None
    except httpx.TransportError as error:
        what = "no connection" if isinstance(error, httpx.ConnectError) else "no proper answer"
        return f"{what} ({type(error).__name__})", None
    status = response.status_code
    if httpx.codes.is_success(status):
        return None, None
    if status == TOO_MANY or httpx.codes.is_server_error(status):
        return f"it answers {status}", _asked_pause(response.headers.get("retry-after"))
    hint = "; redirects are not followed" if httpx.codes.is_redirect(status) else ""
    raise _failed(receiver, f"it answers {status}{hint}")


def _headers(key: bytes, body: bytes) -> dict[str, str]:
    """Return a message's headers, signed anew: receivers refuse what was signed too long ago."""
    message_id, instant = f"msg_{hashlib.sha256(body).hexdigest()[:32]}", str(int(time.time()))
    return {
        "content-type": "application/json",
        "user-agent": "tradingagents",
        "webhook-id": message_id,
        "webhook-timestamp": instant,
        "webhook-signature": signature(key, message_id, instant, body),
    }


def _pause(number: int, asked: float | None, first: float) -> float:
    """Return the seconds to wait after try `number`, from 0: what was asked for, else doubling, with jitter."""
    usual = first * 2.0**number * random.uniform(0.5, 1.5)  # noqa: S311 - spreads load, guards nothing
    return min(max(usual, asked or 0.0), LONGEST_PAUSE_SECONDS)


def _asked_pause(retry_after: str | None) -> float | None:
    """Return the seconds a Retry-After header asks for, a number or a date; None where it says neither."""
    if not retry_after:
        return None
    if retry_after.strip().isdecimal():
        return float(retry_after)
    try:
        until = parsedate_to_datetime(retry_after)
    except (ValueError, OverflowError):
        return None
    return (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds()


def _failed(receiver: _Receiver, why: str) -> WebhookFailed:
    return WebhookFailed(
        f"The webhook at {receiver.host} did not take the message: {why}. The results are written; mend the receiver "
        "and run the same again: nothing is studied twice."
    )


def _change(change: ChangeRecord) -> dict[str, Any]:
    return {**change, "before": _outcome(change["before"]), "after": _outcome(change["after"])}


def _outcome(outcome: OutcomeRecord | None) -> dict[str, Any] | None:
    return {key: outcome[key] for key in ("action", "confidence", "trade_date")} if outcome else None


def _decision(row: BatchRow) -> dict[str, Any]:
    decision = row["decision"]
    terms = ("action", "confidence", "entry", "stop", "target", "position_size", "horizon_days")
    return {
        "ticker": row["ticker"],
        "status": row["status"],
        **{term: decision[term] if decision else None for term in terms},  # type: ignore[literal-required]
        "key_reason": row["key_reason"],
        "degraded": degraded_notice(row) or None,
        "run_id": row["run_id"],
        "cost_usd": row["cost_usd"],
    }
