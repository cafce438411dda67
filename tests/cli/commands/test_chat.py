"""`tradingagents chat`: one message, a message a line, JSON, approvals, commands, and a terminal with its keys."""

from __future__ import annotations

import asyncio
import fcntl
import io
import json
import os
import pty
import select
import signal
import socket
import stat
import struct
import sys
import termios
import time
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from benchmarks.openai_server import Answer, OpenAIServer
from tests.cli.conftest import Command, environment, golden
from tests.support.warm import WarmProcess
from tradingagents.features.assistant.sessions import SessionStore
from tradingagents.schemas.workspace import SessionDefaults
from tradingagents.service.workspace.workspace import Workspace
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


def test_on_a_pipe_a_reply_is_printed_once_it_is_stored(command: Command, tmp_path: Path):
    """A reply that is cut off while it is streamed is asked for again, and is no part of the answer."""
    with OpenAIServer() as server:
        server.answer(Answer(text="So the market", finish_reason="length"), Answer(text="The market was quiet."))
        server_flags = ("--llm-provider", "openai_compatible", "--backend-url", server.url)
        models = ("--quick-model", "bench-model", "--deep-model", "bench-model", "--data-vendor", "simulated")
        about = (*server_flags, *models, "--as-of", "2025-03-14", "--home", str(tmp_path))
        outcome = command("chat", "How was the market?", *about)
    assert outcome.code == 0
    assert outcome.out == "The market was quiet.\n"
    assert "its reply was cut off at its length limit" in outcome.err
    assert "from its memory" not in outcome.err, "it states no figure"


@pytest.mark.parametrize(
    ("question", "reply", "is_from_memory"),
    [
        ("What is WATZ's P/E?", "Its P/E is 145.", True),
        ("What is WATZ's P/E?", "It fell 5% in 2024.", True),
        ("What is WATZ's P/E?", "I have 2 ways to look that up, since 2024.", False),
        ("Is a P/E of 145 high?", "Yes: 145 is high.", False),
    ],
)
def test_a_figure_of_a_model_that_asked_no_tool_is_told(
    command: Command, tmp_path: Path, question: str, reply: str, *, is_from_memory: bool
):
    with OpenAIServer() as server:
        server.answer(Answer(text=reply))
        server_flags = ("--llm-provider", "openai_compatible", "--backend-url", server.url)
        models = ("--quick-model", "bench-model", "--deep-model", "bench-model", "--data-vendor", "simulated")
        outcome = command("chat", question, *server_flags, *models, "--as-of", "2025-03-14", "--home", str(tmp_path))
    assert (outcome.code, outcome.out) == (0, f"{reply}\n")
    assert ("the figures of this reply come from its memory" in outcome.err) == is_from_memory


def test_without_a_terminal_each_line_is_a_message(command: Command, home: Path, monkeypatch: pytest.MonkeyPatch):
    lines = "What is WATZ worth?\n\n/tasks\n/nothing\nShould I look at WATZ?\n/quit\nnever read\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    outcome = command("chat", *OFFLINE, "--home", str(home))
    assert outcome.code == 0
    assert "Wattbourne Electric (WATZ), as of 2025-03-14:" in outcome.out
    assert (
        "Value from these inputs, figures of four quarters to 2024-12-31: 112.33 USD, 20.9% below the price."
        in outcome.out
    )
    assert "No task was started here yet." in outcome.err
    assert "There is no /nothing. /help lists the commands." in outcome.err
    assert "· valuation(ticker=WATZ) → Valuation" in outcome.err
    assert "Warren Buffett: neutral, strength 40 of 100, by rules" in outcome.err
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


def test_research_personas_sources_export_and_cost_in_one_conversation(
    command: Command, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    lines = ("/sources", "/help", "What is WATZ trading at?", "/sources", "/cost",
             "/research Run a Piotroski check on VELQ", "/sources", "/cost", "/export md", "/persona", "/sessions",
             "/reserch Is VELQ cheap?", "/persona marks Should I look at WATZ?", "/persona bufett x")  # fmt: skip
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines)))
    done = command("chat", *OFFLINE, "--home", str(home))
    assert (done.code, done.errors) == (
        2, ["error: There is no persona 'bufett'; did you mean warren_buffett?"])  # fmt: skip
    golden("chat_help.txt", done.err.partition("Nothing was answered here yet.\n")[2].partition("·")[0])
    assert "market_snapshot(ticker=WATZ): Market snapshot: Wattbourne Electric (WATZ), as of 2025-03-14" in done.err
    assert "  ✓ task_9: Efficiency 2 of VELQ" in done.err
    assert "Piotroski F-score of VELQ is 8 of 9" in done.out
    assert "[task_1: Fundamental screen: Veltrane Systems (VELQ)" in done.err
    spent = [line for line in done.err.splitlines() if line.startswith("This conversation so far")]
    assert [int(line.split(": ")[1].split(" model")[0]) for line in spent] == [2, 15]
    (report,) = tmp_path.glob("*-RESEARCH-2025-03-14-*.md")
    assert f"Wrote {report}" in done.err.splitlines()
    assert "Piotroski" in report.read_text("utf-8")
    assert "howard_marks           Howard Marks: cycles and risk" in done.err
    assert "There is no /reserch; did you mean /research? /help lists the commands." in done.err
    assert "Howard Marks: neutral, strength 40 of 100, by rules" in done.err
    assert not (home / "chat_history").exists()


def test_a_debate_is_held_and_asked_about(command: Command, home: Path, monkeypatch: pytest.MonkeyPatch):
    lines = ("/debate VELQ", "/sources", "/ask", "/debate VELQ coach", "/debate VELQ loud")
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines)))
    done = command("chat", *OFFLINE, "--home", str(home))
    assert (done.code, done.errors) == (
        2, ["error: Write a ticker behind it: /debate VELQ; deep and coach may follow."])  # fmt: skip
    assert "Opening statement of the bull" in done.err
    assert "Conviction" in done.out
    assert "VELQ" in done.err.partition("Opening statement")[2]
    assert "[E1] TTM analysis: VELQ, trailing twelve months, as of 2025-03-14" in done.err.splitlines()
    assert "It waits: The evidence is gathered: the debate awaits hints to the bull or the bear. Answer" in done.err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/debate", "error: Write a ticker behind it: /debate VELQ"),
        ("/ask why?", "error: Nothing was researched in this conversation yet"),
        ("/export", "error: Write a format behind it: /export md, /export html, /export pdf or /export xlsx"),
        ("/export doc", "error: Write a format behind it"),
        ("/export md", "error: No run of this conversation has a report yet"),
        ("/export md nothing", "error: No run in "),
        ("/research", "error: Write a question behind it"),
        ("/persona marks", "error: Write a question behind it: /persona howard_marks"),
        ("/sessions s-nothing", "error: There is no session"),
    ],
)
def test_a_command_that_cannot_be_carried_out_says_what_to_write(command: Command, home: Path, line: str, said: str):
    done = command("chat", line, *OFFLINE, "--home", str(home))
    assert done.code == 2
    assert done.errors[0].startswith(said)


def test_research_that_is_unclear_waits_for_its_answer(command: Command, home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("/research Is it worth its price?\n/tasks\n"))
    done = command("chat", *OFFLINE, "--home", str(home))
    assert done.code == 0
    assert "It waits: Which company" in done.err
    assert "--verdict approve --note TEXT" in done.err
    assert "(research, Is it worth its price?) is awaiting approval" in done.err


def test_on_a_terminal_lines_are_completed_and_kept_and_only_ctrl_d_ends(tmp_path: Path):
    with Typed("chat", *OFFLINE, "--home", str(tmp_path)) as typed:
        typed.until("Ctrl-D ends")
        typed.until(READY)
        typed.keys("how risky is WATZ, sk-live-0123456789abcdef\r")
        typed.until("beta: 0.19")
        typed.until(READY)
        typed.keys("/so\t")
        typed.until("urces")
        typed.keys("\r")
        typed.until("risk_profile(ticker=WATZ): ")
        typed.until(READY)
        typed.keys("half a line\x03")
        typed.until(READY)
        typed.process.send_signal(signal.SIGINT)
        typed.until("Ctrl-D or /quit ends the conversation.")
        typed.until(READY)
        typed.keys("/research Is it worth its price?\r")
        typed.until("Which company")
        typed.until(READY)
        typed.keys("VELQ\r")
        typed.until("Writing the answer")
        typed.until("Sources: [")
        typed.until(READY)
        typed.keys("\x04")
        typed.until("--session s-")
        assert typed.process.wait(timeout=60) == 0
        assert "Traceback" not in typed.shown
    history = tmp_path / "chat_history"
    assert stat.S_IMODE(history.stat().st_mode) == 0o600
    assert [json.loads(line) for line in history.read_text().splitlines()] == [
        "how risky is WATZ, ***", "/sources", "/research Is it worth its price?"]  # fmt: skip


def test_ctrl_c_stops_the_answer_and_the_conversation_continues(tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        server = ("--llm-provider", "openai_compatible", "--quick-model", "m", "--backend-url",
                  f"http://127.0.0.1:{silent.getsockname()[1]}/v1", "--data-vendor", "simulated")  # fmt: skip
        with Typed("chat", "--plain", *server, "--home", str(tmp_path)) as typed:
            typed.until("> ")
            typed.keys("hello\n")
            silent.settimeout(120)
            asked, _ = silent.accept()
            with asked:
                typed.process.send_signal(signal.SIGINT)
                typed.until("Stopped; the conversation continues.")
            typed.until("> ")
            typed.keys("/research Is VELQ cheap?\n")
            asked, _ = silent.accept()
            with asked:
                asked.settimeout(60)
                request = b""
                while b"VELQ" not in request:  # of the research: none of the stopped answer is sent again
                    part = asked.recv(65536)
                    assert part, request
                    request += part
                assert b'"hello"' not in request
                typed.process.send_signal(signal.SIGINT)
                typed.until("Stopped; the conversation continues.")
            typed.until("> ")
            typed.keys("/tasks\n")
            typed.until("(research, Is VELQ cheap?) is cancelled")
            typed.keys("/cost\n")
            typed.until("This conversation so far: no model calls")
            typed.process.send_signal(signal.SIGINT)
            typed.until("Ctrl-D or /quit ends the conversation.")
            typed.keys("\x04")
            typed.until("--session s-")
            assert typed.process.wait(timeout=60) == 0
    assert not (tmp_path / "chat_history").exists()


@pytest.mark.parametrize(("line", "starts"), [("hello", "send_message"), ("/research Is VELQ cheap?", "start_task")])
@pytest.mark.parametrize("is_started", [False, True])
def test_ctrl_c_while_an_answer_is_being_started_stops_it(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, starts: str, *, is_started: bool
):
    start = getattr(Workspace, starts)

    async def interrupted(*given: Any, **named: Any) -> Any:
        task = await start(*given, **named) if is_started else None
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(0.1)  # the event loop handles the signal
        return task or await start(*given, **named)

    monkeypatch.setattr(Workspace, starts, interrupted)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        server = ("--llm-provider", "openai_compatible", "--quick-model", "m", "--backend-url",
                  f"http://127.0.0.1:{silent.getsockname()[1]}/v1", "--data-vendor", "simulated")  # fmt: skip
        done = command("chat", line, *server, "--home", str(tmp_path))
    assert (done.code, done.out) == (0, "")
    assert "Stopped; the conversation continues." in done.err


READY = "\x1b[?2004h"
"""What a terminal is sent when a prompt begins to read keys."""


class Typed:
    """A command on a terminal of its own, whose keys a test presses."""

    def __init__(self, *arguments: str) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 160, 0, 0))
        words = ["-m", "cli.main", *arguments]
        given = environment(TERM="xterm", NO_COLOR="1")
        self.process = WarmProcess(words, stdin=theirs, stdout=theirs, stderr=theirs, env=given)
        os.close(theirs)
        self.shown, self._read = "", 0

    def __enter__(self) -> Typed:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._ours)

    def keys(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def until(self, words: str) -> None:
        """Read until the words appear behind those that were waited for before."""
        end = time.monotonic() + 60
        while (at := self.shown.find(words, self._read)) < 0 and time.monotonic() < end:
            if select.select([self._ours], [], [], 1)[0]:
                try:
                    self.shown += os.read(self._ours, 4096).decode(errors="replace")
                except OSError:
                    break
        assert at >= 0, f"{words!r} is not in {self.shown[self._read :]!r}"
        self._read = at + len(words)
