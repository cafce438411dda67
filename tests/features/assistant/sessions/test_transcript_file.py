"""Transcripts: appended by several processes, whole after a kill, never changed, without secrets."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.features.assistant.sessions.conftest import SECRET, MakeStore
from tests.runtime.runs.test_ledger import room_for
from tests.support.served_runs import ROOT
from tradingagents.errors import HomeNotWritable
from tradingagents.features.assistant.sessions import NewEntry, SessionStore
from tradingagents.features.assistant.sessions.transcript_file import BLOCK
from tradingagents.files.atomic import UnreadableFile
from tradingagents.schemas.workspace import TranscriptEntry

APPEND = """
import sys
from tradingagents.features.assistant.sessions import NewEntry, SessionStore
from tradingagents.settings import Settings

home, session, name = sys.argv[1:]
store = SessionStore(Settings(home=home), environ={})
store.create("assistant", name)
for number in range(25):
    batch = [NewEntry(type="user", turn=name, text=f"{number} " + "x" * (number * 700 % 9000))]
    batch.append(NewEntry(type="assistant", turn=name, text=str(number)))
    store.append(session, batch)
store.close()
"""
KILLED = """
import os, signal, sys
from tradingagents.features.assistant.sessions import NewEntry, SessionStore
from tradingagents.settings import Settings

home, session, share = sys.argv[1:]
store = SessionStore(Settings(home=home), environ={})
store.append(session, [NewEntry(type="user", text="before")])
write = os.write

def killed_within(descriptor, content):
    write(descriptor, content[: int(len(content) * float(share))])
    os.kill(os.getpid(), signal.SIGKILL)

os.write = killed_within
store.append(session, [NewEntry(type="tool_result", text="y" * 100_000), NewEntry(type="assistant", text="after")])
"""


def texts(entries: tuple[TranscriptEntry, ...]) -> list[str]:
    return [entry.text for entry in entries]


def path_of(store: SessionStore, session: str) -> Path:
    return store.folder / f"{session}.jsonl"


def test_what_is_appended_is_read_back_whole_and_numbered(store: SessionStore, open_store: MakeStore):
    session = store.create("assistant").session_id
    hostile = "<script>\x1b[31m\u202e \ud83d line\nend\r\u2028 \x00"
    call = NewEntry(
        type="tool_call", turn="t-1", name="get_news", call_id="c1", arguments={"ticker": "AAPL", "nan": float("nan")}
    )
    result = NewEntry(type="tool_result", turn="t-1", name="get_news", call_id="c1", status="error", data={"a": [1]})
    written = store.append(session, [NewEntry(type="user", text=hostile), call])
    written += store.append(session, [result, NewEntry(type="summary", text="In short", covers=1)])
    assert [entry.seq for entry in written] == [0, 1, 2, 3]
    assert open_store().entries(session) == written
    assert written[0].text == hostile
    assert written[1].arguments == {"ticker": "AAPL", "nan": None}
    assert (written[2].status, written[3].covers) == ("error", 1)
    assert b"\x1b" not in path_of(store, session).read_bytes()


def test_pages_of_a_transcript(store: SessionStore):
    session = store.create("assistant").session_id
    for number in range(50):
        store.append(session, [NewEntry(type="user", text=f"{number} {'z' * (number % 7) * 3000}")])
    for after, limit in ((-1, 10), (9, 10), (40, 200), (48, 1), (47, 1), (49, 10), (-1, None), (20, 29), (20, 28)):
        expected = list(range(50))[after + 1 :][:limit]
        assert [entry.seq for entry in store.entries(session, after, limit)] == expected


def test_what_was_written_is_never_changed(store: SessionStore):
    session = store.create("assistant").session_id
    before = b""
    for number in range(10):
        store.append(session, [NewEntry(type="user", text=str(number)), NewEntry(type="assistant", text="yes")])
        store.update(session, title=str(number))
        now = path_of(store, session).read_bytes()
        assert now.startswith(before)
        before = now


def test_two_processes_append_without_loss_and_without_a_number_twice(store: SessionStore, tmp_path: Path):
    session = store.create("assistant").session_id
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", APPEND, str(tmp_path), session, name], cwd=ROOT, stderr=subprocess.PIPE, text=True
        )
        for name in ("one", "two")
    ]
    said = [process.communicate(timeout=120)[1] for process in processes]
    assert [process.returncode for process in processes] == [0, 0], said
    entries = store.entries(session, limit=None)
    assert [entry.seq for entry in entries] == list(range(100))
    for name in ("one", "two"):
        mine = [entry for entry in entries if entry.turn == name]
        assert [entry.text.split()[0] for entry in mine] == [str(n) for n in range(25) for _ in range(2)]
        # A batch stays together.
        assert all(one.seq + 1 == two.seq for one, two in zip(mine[::2], mine[1::2], strict=True))
    listed = json.loads((store.folder / "sessions.json").read_text("utf-8"))["sessions"]
    assert sorted(one["title"] for one in listed) == ["0", "one", "two"]  # the first is named after its first message


@pytest.mark.parametrize(("share", "kept"), [(0.3, ["before"]), (0.9999, ["before", "y" * 100_000])])
def test_a_process_killed_within_an_append_leaves_a_transcript_that_the_next_append_repairs(
    store: SessionStore, tmp_path: Path, share: float, kept: list[str]
):
    session = store.create("assistant").session_id
    child = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), session, str(share)], cwd=ROOT, check=False)
    assert child.returncode == -9
    torn = path_of(store, session).read_bytes()
    assert not torn.endswith(b"\n")
    assert texts(store.entries(session)) == kept
    assert store.get(session).entries == len(kept)
    again = store.append(session, [NewEntry(type="user", text="again")])
    assert again[0].seq == len(kept)
    assert texts(store.entries(session)) == [*kept, "again"]
    lines = path_of(store, session).read_bytes().splitlines()
    assert [json.loads(line).get("seq") for line in lines] == [None, *range(len(kept) + 1)]


@pytest.mark.parametrize("size", [0, 1, BLOCK - 120, BLOCK - 1, BLOCK, 3 * BLOCK])
def test_lines_of_any_length_are_read_from_the_end(store: SessionStore, size: int):
    session = store.create("assistant").session_id
    long = "ä" * (size // 2)
    store.append(session, [NewEntry(type="user", text=text) for text in ("first", long, "last")])
    assert texts(store.entries(session)) == ["first", long, "last"]
    assert texts(store.recent(session)) == ["first", long, "last"]
    assert store.append(session, [NewEntry(type="user", text=long)])[0].seq == 3


def test_a_full_disk_leaves_no_half_of_an_entry(store: SessionStore):
    session = store.create("assistant").session_id
    store.append(session, [NewEntry(type="user", text="before")])
    before = path_of(store, session).read_bytes()
    with room_for(len(before) + 50), pytest.raises(HomeNotWritable):
        store.append(session, [NewEntry(type="user", text="x" * 1000)])
    assert path_of(store, session).read_bytes() == before
    assert store.append(session, [NewEntry(type="user", text="after")])[0].seq == 1


def test_a_damaged_line_costs_that_entry_only(store: SessionStore, caplog: pytest.LogCaptureFixture):
    session = store.create("assistant").session_id
    store.append(session, [NewEntry(type="user", text=str(number)) for number in range(4)])
    path = path_of(store, session)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = b'{"seq": 1, "ts": "no instant"}\n'
    path.write_bytes(b"".join([*lines, b"\0" * 400]))
    assert texts(store.entries(session)) == ["0", "2", "3"]
    assert "is not an entry" in caplog.text
    assert store.append(session, [NewEntry(type="user", text="4")])[0].seq == 4


def test_a_heading_that_was_lost_is_no_obstacle_and_is_said(store: SessionStore, caplog: pytest.LogCaptureFixture):
    session = store.create("assistant").session_id
    path_of(store, session).write_bytes(b"")
    assert store.entries(session) == ()
    assert f"{path_of(store, session)} is empty: what was said in it before is lost" in caplog.text
    assert store.append(session, [NewEntry(type="user", text="x")])[0].seq == 0


def test_a_transcript_that_is_a_link_or_a_pipe_is_refused_in_words(store: SessionStore, tmp_path: Path):
    session = store.create("assistant").session_id
    path = path_of(store, session)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("untouched")
    path.unlink()
    path.symlink_to(elsewhere)
    for attempt in (lambda: store.entries(session), lambda: store.append(session, [NewEntry(type="user", text="x")])):
        with pytest.raises(UnreadableFile, match="Cannot read"):
            attempt()
    assert elsewhere.read_text() == "untouched"


def test_nothing_that_looks_like_a_key_reaches_a_transcript(store: SessionStore):
    session = store.create("assistant").session_id
    keys = ("sk-proj-Abc123Def456Ghi789", "AKIAIOSFODNN7EXAMPLE", SECRET, "hunter2secret99")
    text = f"use {keys[0]} or {keys[1]}, {SECRET}, api_key={keys[3]}, https://me:{keys[3]}@host/"
    entry = NewEntry(
        type="tool_result",
        text=text,
        arguments={"query": text, "api_key": "plain", "deep": [{"x": (text,)}]},
        data={"reply": {"content": [{"type": "text", "text": text}]}, "Authorization": "Bearer abc"},
    )
    store.append(session, [entry])
    written = path_of(store, session).read_text("utf-8")
    assert all(key not in written for key in (*keys, "plain", "Bearer abc"))


def test_articles_may_speak_of_tokens_and_documents_have_keys(store: SessionStore):
    session = store.create("assistant").session_id
    text = "The token: SOL. Its secret: patience. Bearer shares. Keys to https://example.com/a?b=c"
    arguments = {"key": "aapl-10k-2024", "ticker": "AAPL"}
    signature = "hf_abcdefgh1-sk-abcdefgh12" * 20
    reply = {"content": [{"type": "thinking", "thinking": "Hm", "signature": signature}]}
    written = store.append(session, [NewEntry(type="assistant", text=text, arguments=arguments, data={"reply": reply})])
    assert (written[0].text, written[0].arguments, written[0].data) == (text, arguments, {"reply": reply})


def test_recent_reads_the_last_summary_and_what_follows_it(store: SessionStore):
    session = store.create("assistant").session_id
    users = [NewEntry(type="user", text=str(number)) for number in range(6)]
    store.append(session, [*users[:4], NewEntry(type="summary", text="0-1", covers=1), *users[4:]])
    assert texts(store.recent(session)) == ["2", "3", "0-1", "4", "5"]
    store.append(session, [NewEntry(type="summary", text="0-4", covers=5)])
    assert texts(store.recent(session)) == ["5", "0-4"]
    assert len(store.entries(session)) == 8
