"""Kept replies: what comes back is what was kept, from any process; a damaged file or a full disk costs no run."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from tests.support.warm import WarmProcess
from tradingagents.errors import ReplyNotKept
from tradingagents.llm_clients.calls import RequestRefused
from tradingagents.llm_clients.replay import Replay
from tradingagents.llm_clients.reply_cache import Kept, KeptReplies, RepliesUnreadable, _packed, _unpacked
from tradingagents.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
LABEL = "openai_compatible/m"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
REPLIES = st.builds(
    AIMessage,
    content=st.text() | st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": st.text()}), max_size=2),
    additional_kwargs=st.dictionaries(st.text(), JSON, max_size=2),
    response_metadata=st.dictionaries(st.text(), JSON, max_size=2),
    id=st.none() | st.text(),
    tool_calls=st.lists(
        st.fixed_dictionaries(
            {
                "name": st.text(),
                "args": st.dictionaries(st.text(), JSON, max_size=3),
                "id": st.text(),
                "type": st.just("tool_call"),
            }
        ),
        max_size=2,
    ),
    invalid_tool_calls=st.lists(
        st.fixed_dictionaries(
            {
                "name": st.text(),
                "args": st.text(),
                "id": st.text(),
                "error": st.none() | st.text(),
                "type": st.just("invalid_tool_call"),
            }
        ),
        max_size=2,
    ),
    usage_metadata=st.none()
    | st.just({"input_tokens": 7, "output_tokens": 2, "total_tokens": 9, "input_token_details": {"cache_read": 3}}),
)


def replies(folder: Path, **options: Any) -> KeptReplies:
    return KeptReplies(folder / "cache" / "replies.sqlite", **options)


def text(said: str) -> Kept:
    return Kept(LABEL, AIMessage(said))


@given(REPLIES)
def test_a_reply_comes_back_as_it_was(reply: AIMessage):
    kept = Kept(LABEL, reply)
    assert _unpacked(LABEL, _packed(kept)) == kept


def test_nothing_is_made_before_something_is_kept(tmp_path: Path):
    kept = replies(tmp_path / "new")
    assert kept.get("a") is None
    assert len(kept) == 0
    assert not (tmp_path / "new").exists()


def test_the_newest_reply_to_a_request_stands(tmp_path: Path):
    kept = replies(tmp_path)
    kept.put("a", text("one"))
    kept.put("b", text("other"))
    kept.put("a", text("two"))
    assert kept.get("a") == text("two")
    assert kept.get("b") == text("other")
    assert kept.get("c") is None
    assert len(kept) == 2


def test_the_oldest_go_where_there_is_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tradingagents.llm_clients.reply_cache.PUTS_BETWEEN_SWEEPS", 1)
    kept = replies(tmp_path, max_bytes=3 * len(_packed(text("reply 0"))))
    for number in range(9):
        kept.put(str(number), text(f"reply {number}"))
    assert [number for number in range(9) if kept.get(str(number))] == [6, 7, 8]


@pytest.mark.parametrize("damage", [b"", b"not compressed", _packed(text("x"))[:-4]])
def test_a_damaged_reply_is_not_kept(tmp_path: Path, damage: bytes):
    kept = replies(tmp_path)
    kept.put("a", text("one"))
    with sqlite3.connect(kept.path) as connection:
        connection.execute("UPDATE replies SET reply = ?", (damage,))
    connection.close()
    assert kept.get("a") is None
    kept.put("a", text("two"))
    assert kept.get("a") == text("two")


def test_a_file_of_another_format_is_emptied(tmp_path: Path):
    kept = replies(tmp_path)
    kept.put("a", text("one"))
    with sqlite3.connect(kept.path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert kept.get("a") is None
    assert len(kept) == 0


def test_a_file_that_is_no_database_is_said(tmp_path: Path):
    kept = replies(tmp_path)
    kept.path.parent.mkdir()
    kept.path.write_bytes(b"this is no database, " * 100)
    with pytest.raises(RepliesUnreadable, match=r"replies\.sqlite: file is not a database"):
        kept.get("a")
    with pytest.raises(RepliesUnreadable):
        kept.put("a", text("one"))


WRITE = """
import sys
from pathlib import Path
from langchain_core.messages import AIMessage
from tradingagents.llm_clients.reply_cache import Kept, KeptReplies
who, kept = sys.argv[1], KeptReplies(Path(sys.argv[2]))
for number in range(100):
    kept.put(f"{who} {number}", Kept("m", AIMessage(f"{who} says {number}")))
    kept.put(f"both {number}", Kept("m", AIMessage(f"both say {number}")))
"""


def test_two_processes_and_many_threads_keep_at_once(tmp_path: Path):
    kept = replies(tmp_path)
    processes = [
        WarmProcess(["-c", WRITE, who, str(kept.path)], cwd=ROOT, stderr=subprocess.PIPE) for who in ("one", "other")
    ]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: kept.put(f"here {number}", text(f"here {number}")), range(100)))
    for process in processes:
        _, said = process.communicate()
        assert (process.returncode, said) == (0, "")
    assert len(kept) == 400
    for number in range(100):
        assert kept.get(f"both {number}") == Kept("m", AIMessage(f"both say {number}"))


# As a run uses them


def replay(folder: Path, mode: str = "off", keep: bool = True) -> Replay:
    return Replay(Settings(replay=mode, keep_replies=keep), replies(folder))  # type: ignore[arg-type]


def test_a_run_keeps_what_it_is_told_and_looks_only_where_told(tmp_path: Path):
    replay(tmp_path).keep("a", "Trader", LABEL, AIMessage("one"))
    assert replay(tmp_path).answer("a", "Trader", LABEL) is None
    assert replay(tmp_path, "on").answer("a", "Trader", LABEL) == AIMessage("one")
    assert replay(tmp_path, "on").answer("b", "Trader", LABEL) is None
    replay(tmp_path, keep=False).keep("c", "Trader", LABEL, AIMessage("never"))
    assert replay(tmp_path, "on").answer("c", "Trader", LABEL) is None


def test_a_miss_ends_a_run_that_may_ask_no_model(tmp_path: Path):
    with pytest.raises(ReplyNotKept, match=r"^Trader asks openai_compatible/m something .*; replay='on' asks .*\.$"):
        replay(tmp_path, "only").answer("a", "Trader", LABEL)
    with pytest.raises(ReplyNotKept):
        replay(tmp_path, "only").answer(None, "Trader", LABEL)
    assert replay(tmp_path, "only").answer(None, "Trader", "offline/rules") is None


def test_a_refused_form_is_kept_once_another_one_was_answered(tmp_path: Path):
    refusal = RequestRefused("127.0.0.1 refuses the request to m: no tools here")
    first = replay(tmp_path)
    first.refused("with tools", "Trader", LABEL, refusal)
    assert len(replies(tmp_path)) == 0
    first.keep("of another", "Bear Researcher", LABEL, AIMessage("no"))
    assert len(replies(tmp_path)) == 1
    first.keep("by prompt", "Trader", LABEL, AIMessage("yes"))
    with pytest.raises(RequestRefused, match="no tools here"):
        replay(tmp_path, "only").answer("with tools", "Trader", LABEL)
    assert replay(tmp_path, "only").answer("by prompt", "Trader", LABEL) == AIMessage("yes")


def test_what_is_wrong_with_the_file_is_a_warning_said_once(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    damaged = replies(tmp_path)
    damaged.path.parent.mkdir()
    damaged.path.write_bytes(b"this is no database, " * 100)
    run = replay(tmp_path, "on")
    for _ in range(3):
        assert run.answer("a", "Trader", LABEL) is None
        run.keep("a", "Trader", LABEL, AIMessage("one"))
    looked, kept = run.warnings
    assert looked.startswith("No reply can be replayed (")
    assert kept.startswith("Replies are not stored for replay (")
    assert [record.getMessage() for record in caplog.records] == [looked, kept]


FULL = """
import resource, signal, sys
from pathlib import Path
from langchain_core.messages import AIMessage
from tradingagents.llm_clients.reply_cache import KeptReplies
from tradingagents.llm_clients.replay import Replay
from tradingagents.settings import Settings
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
run = Replay(Settings(replay="on"), KeptReplies(Path(sys.argv[1])))
run.keep("small", "Trader", "m", AIMessage("one"))
run.keep("large", "Trader", "m", AIMessage(Path(sys.argv[2]).read_text()))
print(len(run.warnings), run.answer("small", "Trader", "m").text, run.answer("large", "Trader", "m"))
"""


def test_a_full_disk_is_a_warning_and_costs_nothing_else(tmp_path: Path):
    large = tmp_path / "large.txt"
    large.write_text(random.Random(1).randbytes(400_000).hex())  # noqa: S311 - only zlib is to fail
    command = [sys.executable, "-c", FULL, str(tmp_path / "replies.sqlite"), str(large)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "1 one None\n"
    assert "make room, or move that file away." in done.stderr


def test_many_replies_are_kept_together_and_the_last_of_one_request_stands(tmp_path: Path):
    kept = replies(tmp_path)
    kept.put_all([("a", text("one")), ("b", text("other")), ("a", text("two"))])
    assert [kept.get(request) for request in ("a", "b")] == [text("two"), text("other")]
    assert len(kept) == 2


def test_a_run_writes_its_first_reply_at_once_and_the_others_together(tmp_path: Path):
    run = Replay(Settings(), replies(tmp_path), batch=3)
    written = []
    for number in range(6):
        run.keep(str(number), "Trader", LABEL, AIMessage("one"))
        written.append(len(replies(tmp_path)))
    run.flush()
    assert [*written, len(replies(tmp_path))] == [1, 1, 1, 4, 4, 4, 6]


def test_a_file_that_was_moved_away_or_replaced_is_not_written_any_more(tmp_path: Path):
    kept = replies(tmp_path)
    kept.put("a", Kept("m", AIMessage("first")))
    kept.path.rename(tmp_path / "moved.sqlite")
    assert kept.get("a") is None
    kept.put("b", Kept("m", AIMessage("second")))
    found = kept.get("b")
    assert found is not None
    assert found.reply is not None
    assert found.reply.text == "second"
    assert (len(kept), len(KeptReplies(kept.path))) == (1, 1)
    kept.close()
    assert kept.get("b") is not None
