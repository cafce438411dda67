"""Posts a message until its receiver takes it: lost connections, time-outs, 429 and 5xx are tried again."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx

from tradingagents.errors import UsageError
from tradingagents.service.notices.message import MessageNotSent

TRIES = 5
TRY_SECONDS = 10.0
"""Time limit of one attempt, from the first byte to the end of the response."""
FIRST_PAUSE_SECONDS = 1.0
"""Pause between the first two attempts; each later pause is twice the one before, times 0.5 to 1.5."""
LONGEST_PAUSE_SECONDS = 60.0
"""Upper limit of a pause, whatever the receiver asks for."""
TOO_MANY = 429
MOST_ANSWERED = 65_536
"""Bytes of an answer that are read."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a receiver is waited for."""

    tries: int = TRIES
    """Maximum number of attempts."""
    try_seconds: float = TRY_SECONDS
    first_pause: float = FIRST_PAUSE_SECONDS


USUAL = Patience()


def posted_to(address: str, what: str = "The webhook's address") -> httpx.URL:
    """Return an address that messages may be posted to: https, or http on this machine.

    Args:
        address: The URL; never repeated in an error, as it may hold a token.
        what: What errors call it.

    Raises:
        UsageError: It is no such address.
    """
    try:
        parsed = httpx.URL(address.strip())
        host = parsed.host
    except (httpx.InvalidURL, UnicodeError):  # UnicodeError: the host is invalid punycode
        raise UsageError(f"{what} is not a URL; write it as https://host/path.") from None
    if not host or not (parsed.scheme == "https" or (parsed.scheme == "http" and is_here(host))):
        raise UsageError(f"{what} must begin with https://, or with http:// and name this machine; change it.")
    if parsed.userinfo:
        raise UsageError(f"{what} holds a user name or password, which is not sent; leave it out.")
    return parsed


def is_here(host: str) -> bool:
    """Whether a host is this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def post(
    url: httpx.URL, body: bytes, headers: Callable[[], Mapping[str, str]], *, receiver: str, patience: Patience
) -> None:
    """Post a message until the receiver accepts it.

    Redirects are not followed, and proxies not used.

    Args:
        url: From `posted_to`.
        body: What is posted.
        headers: Makes the headers anew for each attempt, since signatures have an age.
        receiver: What errors call it: nothing of its address but the host.
        patience: How long it is waited for.

    Raises:
        MessageNotSent: The receiver rejected the message, or did not answer any attempt.
    """
    # httpx.Client logs full URLs; a transport does not, nor does it follow redirects or use proxies and netrc.
    async with httpx.AsyncHTTPTransport() as transport:
        for number in range(patience.tries):
            request = httpx.Request(
                "POST",
                url,
                content=body,
                headers={"user-agent": "tradingagents", **headers()},
                extensions={"timeout": httpx.Timeout(patience.try_seconds).as_dict()},
            )
            problem, asked = await _try(transport, request, receiver, patience.try_seconds)
            if problem is None:
                return
            if number + 1 < patience.tries:
                await asyncio.sleep(_pause(number, asked, patience.first_pause))
    raise MessageNotSent(receiver, f"{problem}, after {patience.tries} tries" if patience.tries > 1 else str(problem))


async def _try(
    transport: httpx.AsyncHTTPTransport, request: httpx.Request, receiver: str, seconds: float
) -> tuple[str | None, float | None]:
    """Send the message once; return the problem (`None` if there was none) and the pause the receiver asks for.

    Raises:
        MessageNotSent: The receiver rejects the message for good.
    """
    answer = b""
    try:
        async with asyncio.timeout(seconds):
            response = await transport.handle_async_request(request)
            if response.status_code == TOO_MANY:
                answer = await _read(response)
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
        return f"it answers {status}", _asked_pause(response.headers.get("retry-after")) or _told_pause(answer)
    hint = "; redirects are not followed" if httpx.codes.is_redirect(status) else ""
    raise MessageNotSent(receiver, f"it answers {status}{hint}")


async def _read(response: httpx.Response) -> bytes:
    """Return the beginning of an answer."""
    read = b""
    async for piece in response.aiter_bytes():
        read += piece
        if len(read) > MOST_ANSWERED:
            break
    return read[:MOST_ANSWERED]


def _pause(number: int, asked: float | None, first: float) -> float:
    """Return the seconds to wait after attempt `number`, from 0: as asked for, else doubling, with jitter."""
    usual = first * 2.0**number * random.uniform(0.5, 1.5)  # noqa: S311 - spreads load, not for security
    return min(max(usual, asked or 0.0), LONGEST_PAUSE_SECONDS)


def _asked_pause(retry_after: str | None) -> float | None:
    """Return the seconds that a Retry-After header asks for, as a number or a date; `None` if it holds neither."""
    if not retry_after:
        return None
    if retry_after.strip().replace(".", "", 1).isdecimal():
        return float(retry_after)
    try:
        until = parsedate_to_datetime(retry_after)
    except (ValueError, OverflowError):
        return None
    return (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds()


def _told_pause(answer: bytes) -> float | None:
    """Return the seconds that an answer's JSON asks for, as Discord and Telegram say them; None where it says none."""
    try:
        said = json.loads(answer)
    except ValueError:
        return None
    if not isinstance(said, dict):
        return None
    inner = said.get("parameters")
    seconds = said.get("retry_after") or (inner.get("retry_after") if isinstance(inner, dict) else None)
    return float(seconds) if isinstance(seconds, int | float) and 0 <= seconds < float("inf") else None
