"""Completion, history and prompt of the conversation in the terminal, without a process."""

from __future__ import annotations

import asyncio
import os
import stat
from pathlib import Path

import pytest

from cli.chat.commands import ALIASES, COMMANDS, command_of, help_lines, unknown
from cli.chat.completion import CompletionWords, candidates
from cli.chat.history import KEPT, LONGEST, ChatHistory
from cli.chat.lines import PromptLines

KEY = "sk-live-0123456789abcdef"
WORDS = CompletionWords(
    tickers=("VELQ", "VELO", "MODZ"),
    runs=("20250314T-VELQ-1", "20250313T-MODZ-2"),
    sessions=("s-1", "s-2"),
    personas=("howard_marks", "warren_buffett"),
    approvals=("a-1",),
    formats=("md", "pdf"),
    topics=("margins", "growth", "momentum"),
)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("/so", ["/sources"]),
        ("/se", ["/sessions"]),
        ("/x", []),
        ("/persona ", ["howard_marks", "warren_buffett"]),
        ("/persona w", ["warren_buffett"]),
        ("/persona warren_buffett is V", ["VELQ", "VELO"]),
        ("/research Is M", ["MODZ"]),
        ("/research is $velq", ["VELQ"]),
        ("/compare VELQ M", ["MODZ"]),
        ("/compare VELQ MODZ on m", ["margins", "momentum"]),
        ("/compare VELQ MODZ on margins,g", ["growth"]),
        ("/sessions s-2", ["s-2"]),
        ("/approve ", ["a-1"]),
        ("/sources ", []),
        ("/export ", ["md", "pdf"]),
        ("/export pdf 20250313", ["20250313T-MODZ-2"]),
        ("/nothing V", []),
        ("Is VE", ["VELQ", "VELO"]),
        ("Is V", []),
        ("Very", []),
        ("", []),
    ],
)
def test_lines_are_completed(line: str, found: list[str]):
    offered = candidates(line, WORDS)
    assert [one.text for one in offered] == found
    assert all(line.endswith(line[len(line) - one.replaces :]) for one in offered)


def test_every_command_and_alias_is_known_once_and_typing_errors_are_named():
    names = [one.name for one in COMMANDS]
    assert len(set(names)) == len(names)
    assert not set(ALIASES) & set(names)
    assert {command_of(alias) for alias in ALIASES} <= set(COMMANDS)
    assert all(hasattr(CompletionWords(), one.completes) for one in COMMANDS if one.completes)
    assert command_of("EXIT") is command_of("quit")
    assert unknown("cots") == "There is no /cots; did you mean /cost? /help lists the commands."
    assert unknown("xyzzy") == "There is no /xyzzy. /help lists the commands."
    assert len(help_lines()) == len(COMMANDS)


def test_the_history_is_private_without_secrets_and_bounded(tmp_path: Path):
    kept = ChatHistory(tmp_path / "home", {"OPENAI_API_KEY": "verysecretvalue1"})
    before = os.umask(0)
    try:
        for line in ("one", f"my key is {KEY}", "and verysecretvalue1", "two\nlines", " ", "x" * (LONGEST + 1)):
            kept.add(line)
    finally:
        os.umask(before)
    assert stat.S_IMODE(kept.path.stat().st_mode) == 0o600
    assert kept.lines() == ["one", "my key is ***", "and ***", "two\nlines"]
    kept.path.chmod(0o644)
    kept.add("three")
    assert stat.S_IMODE(kept.path.stat().st_mode) == 0o600
    with kept.path.open("a") as file:
        file.write("damaged\n" + "".join(f'"{number}"\n' for number in range(2 * KEPT)))
    assert kept.lines() == [str(number) for number in range(KEPT, 2 * KEPT)]
    assert len(kept.path.read_text().splitlines()) == KEPT
    assert stat.S_IMODE(kept.path.stat().st_mode) == 0o600


def test_a_history_that_cannot_be_written_ends_nothing(tmp_path: Path):
    (tmp_path / "elsewhere").write_text("a file")
    kept = ChatHistory(tmp_path / "elsewhere", {})
    kept.add("one")
    assert kept.lines() == []


async def typed(batches: list[str], history: ChatHistory) -> list[str | None]:
    """Return the message that each batch of keys gives."""
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import DummyOutput

    async def words() -> CompletionWords:
        return WORDS

    with create_pipe_input() as source:
        lines = PromptLines(history, words, source=source, shown=DummyOutput())
        found = []
        for keys in batches:
            source.send_text(keys)
            found.append(await asyncio.wait_for(lines.message(), 30))
        return found


async def test_keys_recall_complete_drop_and_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    history = ChatHistory(tmp_path, {})
    history.add("an earlier line")
    up, ctrl_c, ctrl_d = "\x1b[A", "\x03", "\x04"
    batches = [f"{up}\r", f"dropped{ctrl_c}/sources\r", f"{ctrl_c}{ctrl_d}"]
    assert await typed(batches, history) == ["an earlier line", "/sources", None]
    assert "Ctrl-D or /quit ends the conversation." in capsys.readouterr().err
    assert history.lines() == ["an earlier line", "/sources"]


async def test_what_is_told_meanwhile_stands_above_the_line_and_a_signal_drops_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import DummyOutput

    async def words() -> CompletionWords:
        return WORDS

    with create_pipe_input() as source:
        lines, told = PromptLines(ChatHistory(tmp_path, {}), words, source=source, shown=DummyOutput()), []
        await lines.above(lambda: told.append("before"))
        waiting = asyncio.ensure_future(lines.message())
        source.send_text("half")
        await asyncio.sleep(0.1)
        await lines.above(lambda: told.append("meanwhile"))
        assert lines.interrupted()
        source.send_text("whole\r")
        assert await asyncio.wait_for(waiting, 30) == "whole"
        waiting = asyncio.ensure_future(lines.reply("answer> "))
        source.send_text("\x03")
        assert await asyncio.wait_for(waiting, 30) == ""
    assert told == ["before", "meanwhile"]
    assert capsys.readouterr().err == ""
