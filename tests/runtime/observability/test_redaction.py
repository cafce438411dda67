"""No secret passes a handler: whatever its shape, wherever in a record it stands."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from urllib.parse import quote, quote_plus

import httpx
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.support.tiers import examples
from tradingagents.runtime.observability import JsonFormatter, RedactingFilter, Redactor, redact_logs

PLAIN = Redactor({})
SECRETS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=6, max_size=40).filter(
    lambda text: text.strip() == text and "*" not in text
)
"""Values of a key, as a variable may hold it."""


class Held:
    """An object that shows what it holds."""

    def __init__(self, secret: str) -> None:
        self.secret = secret

    def __repr__(self) -> str:
        return f"Held({self.secret!r})"


def log_everywhere(logger: logging.Logger, secret: str) -> None:
    """Put a secret into every part of a record."""
    logger.error(f"in the message {secret}")
    logger.error("as an argument %s and %r", secret, {"nested": [secret, {"deep": (secret,)}]})
    logger.error("%(name)s", {"name": secret})
    logger.error("bytes %r", secret.encode())
    logger.error("in a URL https://host/path?q=%s", quote(secret, safe=""))
    logger.error("in a form %s", quote_plus(secret))
    logger.error("in JSON %s", json.dumps({"a": secret}))
    logger.error("an object %s", Held(secret))
    logger.error("%d arguments that do not fit", secret)
    logger.error("extra", extra={"plain": secret, "nested": {"a": [{"b": secret}], secret: 1}, "held": Held(secret)})
    logger.error("stack", stack_info=True, extra={"where": {secret}})
    try:
        try:
            raise ValueError(secret)
        except ValueError as error:
            raise RuntimeError(f"after {secret}") from error
    except RuntimeError:
        logger.exception("an error")


@pytest.fixture(params=["text", "json"])
def written(request: pytest.FixtureRequest) -> Iterator[tuple[logging.Logger, io.StringIO, logging.Handler]]:
    """A logger of our own, its handler, and what that writes."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    extra = "%(message)s %(plain)s %(nested)s %(held)s %(where)s"
    fields = dict.fromkeys(("plain", "nested", "held", "where"))
    handler.setFormatter(JsonFormatter() if request.param == "json" else logging.Formatter(extra, defaults=fields))
    logger = logging.Logger("test")
    logger.addHandler(handler)
    return logger, stream, handler


@example("sk-1234567890")
@example("a'b\"c\\d")
@example('<"}{">')
@given(secret=SECRETS)
@settings(max_examples=examples(50))
def test_a_key_of_the_environment_is_in_no_part_of_a_record(secret: str):
    for formatter in (JsonFormatter(), logging.Formatter("%(message)s %(extra)s", defaults={"extra": ""})):
        stream = io.StringIO()
        handler = logging.StreamHandler(stream)
        handler.setFormatter(formatter)
        handler.addFilter(RedactingFilter(Redactor({"VENDOR_API_KEY": secret})))
        logger = logging.Logger("test")
        logger.addHandler(handler)
        log_everywhere(logger, secret)
        out = stream.getvalue()
        literals = {repr(secret)[1:-1], json.dumps(secret)[1:-1], repr(secret.encode())[2:-1], quote(secret, safe="")}
        # What our own test writes around it must not contain it by chance.
        ours = io.StringIO()
        handler.setStream(ours)
        log_everywhere(logger, "nothing that is a secret")
        assert not [way for way in (secret, *literals) if way in out and way not in ours.getvalue()]
        assert out.count("in the message") == 1


SHAPED = [
    "sk-proj-abcdefghijklmnop1234",
    "sk-ant-api03-abcdefgh_ijklmnop",
    "lsv2_pt_0123456789abcdef0123",
    "AIzaSyA0123456789abcdefghijklmnopqrstuv",
    "tvly-dev-0123456789abcdef",
    "ghp_0123456789abcdefghij",
    "AKIAIOSFODNN7EXAMPLE",
]


@pytest.mark.parametrize("secret", SHAPED)
def test_a_key_that_looks_like_one_is_in_no_part_of_a_record(
    written: tuple[logging.Logger, io.StringIO, logging.Handler], secret: str
):
    logger, stream, handler = written
    handler.addFilter(RedactingFilter(PLAIN))
    log_everywhere(logger, secret)
    assert secret not in stream.getvalue()
    assert "***" in stream.getvalue()


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("Authorization: Bearer abc.def", "Authorization: ***"),
        ("authorization: Basic dXNlcjpwYXNz", "authorization: ***"),
        ("{'Authorization': 'Bearer abc def', 'accept': 'x'}", "{'Authorization': ***, 'accept': 'x'}"),
        ("[(b'authorization', b'Bearer abc'), (b'accept', b'x')]", "[(b'authorization', ***), (b'accept', b'x')]"),
        ("[('x-api-key', 'abc'), ('accept', 'x')]", "[('x-api-key', ***), ('accept', 'x')]"),
        ("Cookie: session=abc", "Cookie: ***"),
        ("GET https://h/v1?symbol=A&apikey=abc&x=1", "GET https://h/v1?symbol=A&apikey=***&x=1"),
        ("GET https://h/v1?token=abc", "GET https://h/v1?token=***"),
        ("GET https://h/v1?key=abc&x=1", "GET https://h/v1?key=***&x=1"),
        ('{"api_key": "abc", "model": "m"}', '{"api_key": ***, "model": "m"}'),
        ("client_secret=abc password='a b' FRED_API_KEY=abc", "client_secret=*** password=*** FRED_API_KEY=***"),
        ("postgresql+psycopg://me:p%40ss@db:5432/x", "postgresql+psycopg://***@db:5432/x"),
        ("https://ghtoken@github.com/a", "https://***@github.com/a"),
        ("https://u:p@ss@host/path", "https://***@host/path"),
    ],
)
def test_what_holds_a_secret_by_its_place_is_shown_without(told: str, shown: str):
    assert PLAIN.text(told) == shown


@pytest.mark.parametrize(
    "harmless",
    [
        "input_tokens=512, max_tokens: 100, 12 tokens in",
        "the key figures are: revenue 5.1B",
        "GET https://host:8000/v1/chat/completions HTTP/1.1 200",
        "Market Analyst: get_stock_data(symbol=VELQ, start_date=2025-03-03)",
        "mail me@example.com about task-force-planning and risk-adjusted returns",
        "bearer bonds; a bear turned bull",
        "close 50.25 at 2025-03-14T20:00:00+00:00",
    ],
)
def test_what_is_no_secret_stays(harmless: str):
    assert PLAIN.text(harmless) == harmless


@given(st.recursive(st.integers() | st.booleans() | st.none() | st.floats(), st.lists, max_leaves=9))
def test_values_without_text_stay_as_they_are(value: object):
    assert repr(PLAIN.value(value)) == repr(value)


def test_a_field_named_like_a_secret_is_hidden_however_short(
    written: tuple[logging.Logger, io.StringIO, logging.Handler],
):
    logger, stream, handler = written
    handler.addFilter(RedactingFilter(PLAIN))
    logger.error("x", extra={"plain": {"api_key": "q7"}, "password": "q7", "nested": {"inner": {"token": "q7"}}})
    assert "q7" not in stream.getvalue()


def test_a_short_value_of_the_environment_does_not_blot_out_words():
    assert Redactor({"SOME_TOKEN": "1"}).text("page 1 of 10") == "page 1 of 10"


def test_a_container_that_holds_itself_is_shown():
    loop: list[object] = ["sk-abcdefgh12345678"]
    loop.append(loop)
    assert "sk-abcdefgh12345678" not in repr(PLAIN.value(loop))


def test_an_object_that_cannot_be_shown_breaks_nothing(written: tuple[logging.Logger, io.StringIO, logging.Handler]):
    class Mute:
        def __repr__(self) -> str:
            raise RuntimeError

    logger, stream, handler = written
    handler.addFilter(RedactingFilter(PLAIN))
    logger.error("mute", extra={"held": [Mute()]})
    assert "mute" in stream.getvalue()


def test_every_handler_of_a_program_is_redacted_and_each_once(capsys: pytest.CaptureFixture[str]):
    logger = logging.getLogger("tests.runtime.observability.program")
    handler = logging.StreamHandler(stream := io.StringIO())
    logger.addHandler(handler)
    try:
        redact_logs(redactor=Redactor({"A_KEY": "first secret"}))
        filtering = redact_logs(redactor=Redactor({"A_KEY": "second secret"}))
        assert [one for one in handler.filters if isinstance(one, RedactingFilter)] == [filtering]
        logger.warning("second secret")
        assert stream.getvalue() == "***\n"
    finally:
        logger.removeHandler(handler)
        for every in (*logging.getLogger().handlers, logging.lastResort):
            every.removeFilter(filtering)  # type: ignore[union-attr]


def test_what_an_http_client_logs_at_debug_holds_no_key(caplog: pytest.LogCaptureFixture):
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonFormatter())
    handler.addFilter(RedactingFilter(Redactor({"X_API_KEY": "my-own-key"})))
    loggers = [logging.getLogger(name) for name in ("httpx", "httpcore")]
    for logger in loggers:
        logger.addHandler(handler)
    headers = {"Authorization": "Bearer another-key"}
    try:
        with caplog.at_level(logging.DEBUG), pytest.raises(httpx.ConnectError):
            httpx.get("http://u:my-own-key@127.0.0.1:9/?apikey=my-own-key&token=third-key", headers=headers)
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
    assert "connect_tcp" in stream.getvalue()
    for secret in ("my-own-key", "another-key", "third-key"):
        assert secret not in stream.getvalue()
