"""One rule for the day of a command: the last argument, or --date, or --as-of; two different ones are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Command

COMMANDS = {
    "analyze": ("analyze", "VELQ"),
    "scan": ("scan",),
    "auto": ("auto",),
    "watch run": ("watch", "run"),
    "watch falsifiers": ("watch", "falsifiers", "VELQ"),
    "value": ("value", "VELQ"),
    "report": ("report", "VELQ"),
    "debate": ("debate", "VELQ"),
    "compare": ("compare", "VELQ", "OMBZ"),
    "research": ("research", "Is VELQ cheap?"),
    "check": ("check", "FILE"),
    "ask": ("ask", "get_fundamentals", "ticker=VELQ"),
    "chat": ("chat", "What is VELQ worth?"),
    "filings ask": ("filings", "ask", "What is its revenue?"),
    "filings chat": ("filings", "chat"),
    "filings search": ("filings", "search", "revenue"),
}
DAY, OTHER, NONE = "2025-03-14", "2025-03-13", "2025-02-30"


@pytest.fixture(params=COMMANDS)
def asked(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, ...]:
    report = tmp_path / "report.md"
    report.write_text("# VELQ\n\nRevenue was 5 million.\n", encoding="utf-8")
    words = COMMANDS[request.param]
    return tuple(str(report) if word == "FILE" else word for word in words)


def test_every_way_to_write_the_day_is_read(asked: tuple[str, ...], command: Command) -> None:
    for written in ((NONE,), ("--date", NONE), ("--as-of", NONE)):
        done = command(*asked, *written, "--offline" if asked[:2] != ("filings", "search") else "--quiet")
        assert (done.code, "is not a date" in done.err) == (2, True), (written, done.err)


def test_two_different_days_are_refused(asked: tuple[str, ...], command: Command) -> None:
    for written in ((DAY, "--date", OTHER), (DAY, "--as-of", OTHER), ("--date", DAY, "--as-of", OTHER)):
        done = command(*asked, *written)
        assert (done.code, "name one" in done.err) == (2, True), (written, done.err)


def test_the_same_day_may_be_given_in_every_way(command: Command) -> None:
    done = command("ask", "get_fundamentals", "ticker=VELQ", DAY, "--date", DAY, "--as-of", DAY, "--offline")
    assert done.code == 0
    assert DAY in done.out


def test_a_chat_of_a_day_without_a_message_is_a_conversation(command: Command) -> None:
    done = command("chat", NONE, "--offline")
    assert (done.code, "is not a date" in done.err) == (2, True)
