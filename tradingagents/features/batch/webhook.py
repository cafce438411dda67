"""Send the result of a watch to a URL: JSON signed according to Standard Webhooks, with retries."""

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
from tradingagents.reports.decision_notes import degraded_notice
from tradingagents.schemas.batches import BatchRow, ChangeRecord, FalsifierNotice, OutcomeRecord, WatchRecord

SECRET_VARIABLE = "TRADINGAGENTS_WEBHOOK_SECRET"  # noqa: S105 - a name
SECRET_PREFIX = "whsec_"  # noqa: S105 - a prefix
SHORTEST_KEY = 24
"""Minimum length in bytes, set by the specification."""
TRIES = 5
TRY_SECONDS = 10.0
"""Time limit of one attempt, from the first byte to the status of the response."""
FIRST_PAUSE_SECONDS = 1.0
"""Pause between the first two attempts; each later pause is twice the one before, times 0.5 to 1.5."""
LONGEST_PAUSE_SECONDS = 60.0
"""Upper limit of a pause, whatever the receiver asks for."""
TOO_MANY = 429
HOW_TO_MAKE_ONE = (
    "python -c \"import base64, secrets; print('whsec_' + base64.b64encode(secrets.token_bytes(32)).decode())\""
)


class WebhookFailed(ConfigurationError):
    """The receiver did not accept a message; the results are on disk."""


@dataclass(frozen=True)
class _Receiver:
    """The destination of a message and its signing key."""

    url: httpx.URL
    key: bytes

    @property
    def host(self) -> str:
        """The only part of the URL that may be shown: the rest may hold a token."""
        return self.url.host


def check_webhook(url: str, secret: str | None) -> None:
    """Check that messages can be signed and sent.

    Args:
        url: The destination; https, or http on this machine.
        secret: The signing secret, from TRADINGAGENTS_WEBHOOK_SECRET.

    Raises:
        UsageError: The URL is not an allowed destination.
        ConfigurationError: The secret is missing or invalid.
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
    """Send a message until the receiver accepts it.

    Lost connections, time-outs, 429 and 5xx are retried, after the pause the receiver asks for, if any. The message's
    id is derived from its content: it stays the same on every attempt, and when the same content is sent again on
    another day, so that the receiver can detect duplicates. Redirects are not followed, and proxies not used.

    Args:
        url: The destination; https, or http on this machine.
        payload: The content; must be serializable as JSON.
        secret: The signing secret: base64, with or without the prefix `whsec_`.
        tries: Maximum number of attempts.
        try_seconds: Time limit of one attempt.
        first_pause: Seconds between the first two attempts; each later pause is about twice the one before.

    Raises:
        UsageError: The URL is not an allowed destination; nothing was sent.
        ConfigurationError: The secret is missing or invalid; nothing was sent.
        WebhookFailed: The receiver rejected the message, or did not answer any attempt.
    """
    receiver = _receiver(url, secret)
    body = json.dumps(payload, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")).encode()
    # httpx.Client logs full URLs; a transport does not, nor does it follow redirects or use proxies and netrc.
    async with httpx.AsyncHTTPTransport() as transport:
        for number in range(tries):
            problem, asked = await _try(transport, receiver, body, try_seconds)
            if problem is None:
                return
            if number + 1 < tries:
                await asyncio.sleep(_pause(number, asked, first_pause))
    raise _failed(receiver, f"{problem}, after {tries} tries" if tries > 1 else str(problem))


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


def watch_payload(record: WatchRecord) -> dict[str, Any]:
    """Return the message for a watch: changes, decisions and costs, without settings, paths, warnings or error texts.

    Repeating a finished watch gives the same message.
    """
    batch = record.batch
    return {
        "type": "watch.completed",
        "data": {
            "watch_id": record.watch_id,
            "trade_date": record.trade_date,
            "session": batch.session,
            "since": record.since,
            "status": batch.status,
            "changes": [_change(change) for change in record.changes],
            "falsifiers": [
                _falsifier(notice) for notice in record.falsifiers if notice.state == "fired" and notice.new
            ],
            "decisions": [_decision(row) for row in batch.rows],
            "llm_calls": batch.usage.llm_calls,
            "cost_usd": batch.usage.cost_usd,
        },
    }


def _falsifier(notice: FalsifierNotice) -> dict[str, Any]:
    return notice.model_dump(exclude={"state", "new"})


def _receiver(url: str, secret: str | None) -> _Receiver:
    try:
        parsed = httpx.URL(url.strip())
        host = parsed.host
    except (httpx.InvalidURL, UnicodeError):  # UnicodeError: the host is invalid punycode
        raise UsageError("The webhook's address is not a URL; write it as https://host/path.") from None
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
    """Send the message once; return the problem (`None` if there was none) and the pause the receiver asks for.

    Raises:
        WebhookFailed: The receiver rejects the message for good.
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
    """Return the headers with a fresh signature; receivers reject signatures that are too old."""
    message_id, instant = f"msg_{hashlib.sha256(body).hexdigest()[:32]}", str(int(time.time()))
    return {
        "content-type": "application/json",
        "user-agent": "tradingagents",
        "webhook-id": message_id,
        "webhook-timestamp": instant,
        "webhook-signature": signature(key, message_id, instant, body),
    }


def _pause(number: int, asked: float | None, first: float) -> float:
    """Return the seconds to wait after attempt `number`, from 0: as asked for, else doubling, with jitter."""
    usual = first * 2.0**number * random.uniform(0.5, 1.5)  # noqa: S311 - spreads load, not for security
    return min(max(usual, asked or 0.0), LONGEST_PAUSE_SECONDS)


def _asked_pause(retry_after: str | None) -> float | None:
    """Return the seconds that a Retry-After header asks for, as a number or a date; `None` if it holds neither."""
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
        f"The webhook at {receiver.host} did not accept the message: {why}. The results are on disk; fix the receiver "
        "and run the same command again: finished studies are not repeated."
    )


def _change(change: ChangeRecord) -> dict[str, Any]:
    return {**change.as_json(), "before": _outcome(change.before), "after": _outcome(change.after)}


def _outcome(outcome: OutcomeRecord | None) -> dict[str, Any] | None:
    return {key: outcome[key] for key in ("action", "confidence", "trade_date")} if outcome else None


def _decision(row: BatchRow) -> dict[str, Any]:
    decision = row.decision
    terms = ("action", "confidence", "entry", "stop", "target", "position_size", "horizon_days")
    return {
        "ticker": row.ticker,
        "status": row.status,
        **{term: decision[term] if decision else None for term in terms},
        "key_reason": row.key_reason,
        "degraded": degraded_notice(row.degraded) or None,
        "run_id": row.run_id,
        "cost_usd": row.cost_usd,
    }
