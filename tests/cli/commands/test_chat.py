"""`tradingagents chat`: one message, a message a line, JSON, approvals, and Ctrl-C."""

from __future__ import annotations

import io
import json
import os
import pty
import select
import signal
import sys
import time
from datetime import date
from pathlib import Path

import pytest

from tests.cli.conftest import Command, environment
from tests.support.warm import WarmProcess
from tradingagents.schemas.workspace import SessionDefaults
from tradingagents.sessions import SessionStore
from tradingagents.settings import Settings

OFFLINE = ("--offline", "--as-of", "2025-03-14")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("chat")


def test_one_message_is_answered_and_the_conversation_continues_in_json(command: Command, home: Path):
    first = command("chat", "What is WATZ trading at?", *OFFLINE, "--home", str(home), "--json")
    assert first.code == 0
    told = json.loads(first.out)
    assert "142.06 USD" in told["reply"]
    assert [one["tool"] for one in told["tools"]] == ["market_snapshot"]
    assert told["memos"] == told["approvals"] == told["tasks"] == []
    again = command("chat", "And Gridmarch Power?", "--session", told["session_id"], *OFFLINE, "--home", str(home),
                    "--json")  # fmt: skip
    assert "114.86 USD" in json.loads(again.out)["reply"]


def test_without_a_terminal_each_line_is_a_message(command: Command, home: Path, monkeypatch: pytest.MonkeyPatch):
    lines = "What is WATZ worth?\n\n/tasks\n/nothing\nShould I look at WATZ?\n/quit\nnever read\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    outcome = command("chat", *OFFLINE, "--home", str(home))
    assert outcome.code == 0
    assert "The valuation model puts Wattbourne Electric (WATZ) at 200.40 USD a share" in outcome.out
    assert "No task was started here yet." in outcome.err
    assert "There is no /nothing." in outcome.err
    assert "· valuation(ticker=WATZ) → Valuation" in outcome.err
    assert "Warren Buffett: bullish, confidence 60 of 100 as reported" in outcome.err
    assert "Continue with: tradingagents chat --session s-" in outcome.err
    assert "never read" not in outcome.out


def test_what_waits_is_shown_and_begins_with_yes_or_approve(
    command: Command, home: Path, monkeypatch: pytest.MonkeyPatch
):
    store = SessionStore(Settings(home=home), environ={})
    session = store.create("assistant", "", SessionDefaults(as_of=date(2025, 3, 14))).session_id
    options = ("--session", session, *OFFLINE, "--home", str(home))
    first = store.add_approval(session, "market_regime", {}, "The user is asked.")
    told = json.loads(command("chat", "price of WATZ", *options, "--json").out)
    assert [one["approval_id"] for one in told["approvals"]] == [first.approval_id]
    shown = command("chat", "price of WATZ", *options)
    assert f"Waits for approval: market_regime() (/approve {first.approval_id}, or --yes)" in shown.err
    assert "Approved; market_regime is done." in command("chat", "price of WATZ", *options, "--yes").err
    store.add_approval(session, "fear_greed", {}, "The user is asked.")
    monkeypatch.setattr(sys, "stdin", io.StringIO("/approve\n/approve\n"))
    outcome = command("chat", *options)
    assert "Approved; fear_greed is done." in outcome.err
    assert (outcome.code, outcome.errors) == (2, ["error: Nothing waits for an approval here."])
    assert [one.status for one in store.get(session).approvals] == ["approved", "approved"]
    store.close()


def test_an_unknown_session_and_an_empty_message_are_refused(command: Command, home: Path):
    unknown = command("chat", "hi", "--session", "s-20250101000000000000-000000000000", *OFFLINE, "--home", str(home))
    assert unknown.code == 2
    assert "There is no session" in unknown.errors[0]
    empty = command("chat", "  ", *OFFLINE, "--home", str(home))
    assert (empty.code, empty.errors) == (2, ["error: The message is empty; write one."])


def test_on_a_terminal_ctrl_c_at_the_prompt_ends_the_conversation(home: Path):
    ours, theirs = pty.openpty()
    words = ["-m", "cli.main", "chat", *OFFLINE, "--home", str(home)]
    process = WarmProcess(words, stdin=theirs, stdout=theirs, stderr=theirs, env=environment(COLUMNS="200"))
    os.close(theirs)
    try:
        _read_until(ours, "> ")
        os.write(ours, b"how risky is WATZ\n")
        shown = _read_until(ours, "beta: 0.1911")
        assert "risk_profile(ticker=WATZ)" in shown
        _read_until(ours, "> ")
        process.send_signal(signal.SIGINT)
        rest = _read_until(ours, "--session s-")
        assert "Traceback" not in shown + rest
        assert process.wait(timeout=60) == 0
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def _read_until(source: int, words: str) -> str:
    shown, until = "", time.monotonic() + 120
    while words not in shown and time.monotonic() < until:
        if select.select([source], [], [], 1)[0]:
            try:
                shown += os.read(source, 4096).decode(errors="replace")
            except OSError:
                break
    assert words in shown, shown
    return shown
