"""Sessions: state over processes, hidden ones unknown to everybody, and the list for people."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import date
from pathlib import Path

import pytest

from tests.features.assistant.sessions.conftest import SECRET, MakeStore
from tradingagents.errors import HomeNotWritable, TradingAgentsError
from tradingagents.features.assistant.sessions import (
    NewEntry,
    NoSuchApproval,
    NoSuchSession,
    SessionBusy,
    SessionStore,
    index_file,
)
from tradingagents.schemas.workspace import SessionDefaults, ViewContext
from tradingagents.settings import Settings

UNKNOWN = "s-20250314210000000000-0123456789ab"
VIEW = ViewContext(symbols=("AAPL", "MSFT"), page="run", note="gross margin")


@pytest.fixture(params=["sqlite", "postgres"])
def make_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MakeStore]:
    url = request.getfixturevalue("server") if request.param == "postgres" else None
    with ExitStack() as stack:
        yield lambda: stack.enter_context(
            closing(SessionStore(Settings(home=tmp_path, database_url=url), environ={"MY_TOKEN": SECRET}))
        )


def said(text: str) -> NewEntry:
    return NewEntry(type="user", text=text)


def listed(home: Path) -> dict[str, dict[str, str]]:
    written = json.loads((home / "sessions" / "sessions.json").read_text("utf-8"))
    return {one["id"]: one for one in written["sessions"]}


def test_the_state_of_a_session_is_the_same_in_every_process(make_store: MakeStore):
    store = make_store()
    defaults = SessionDefaults(as_of=date(2025, 3, 14), depth="deep", auto_approve=True)
    session = store.create("assistant", "On Apple", defaults)
    store.set_view(session.session_id, VIEW)
    store.note_symbols(session.session_id, ["NVDA", "MSFT"])
    store.add_task(session.session_id, "t-1")
    store.add_task(session.session_id, "t-1")
    approval = store.add_approval(session.session_id, "start_scan", {"pools": ["movers"]}, "It costs money.")
    store.audit(session.session_id, {"action": "get_news", "face": "http"})
    store.append(session.session_id, [said("What is Apple worth?"), NewEntry(type="assistant", text="Much.")])

    other = make_store()
    found = other.get(session.session_id)
    assert found == store.get(session.session_id)
    assert (found.agent, found.title, found.defaults, found.view) == ("assistant", "On Apple", defaults, VIEW)
    assert found.symbols == ("NVDA", "MSFT", "AAPL")
    assert (found.task_ids, found.artifacts, found.approvals) == (("t-1",), (), (approval,))
    assert found.entries == 2
    assert found.updated_at > session.updated_at
    assert [one["action"] for one in other.audit_log(session.session_id)] == ["get_news"]
    assert found in other.list()


def test_ids_are_one_component_of_a_path_and_sort_by_creation(store: SessionStore):
    ids = [store.create("assistant").session_id for _ in range(5)]
    assert all(re.fullmatch(r"s-[0-9]{20}-[0-9a-f]{12}", one) for one in ids)
    assert sorted(ids) == ids
    assert len(set(ids)) == 5


def test_lists_are_pages_from_the_newest_on(make_store: MakeStore):
    store = make_store()
    ids = [store.create("assistant", str(number)).session_id for number in range(5)]
    first = [one.session_id for one in store.list(2)]
    second = [one.session_id for one in store.list(2, before=first[-1])]
    assert [*first, *second] == ids[:0:-1]
    assert store.list(0) == ()


def attempts(store: SessionStore, approval: str) -> dict[str, Callable[[str], object]]:
    """Return everything that can be done with the id of a session."""
    return {
        "get": store.get,
        "update": lambda session: store.update(session, title="x"),
        "set_view": lambda session: store.set_view(session, VIEW),
        "note_symbols": lambda session: store.note_symbols(session, ["X"]),
        "append": lambda session: store.append(session, [said("x")]),
        "append nothing": lambda session: store.append(session, []),
        "entries": store.entries,
        "recent": store.recent,
        "delete": store.delete,
        "turn": lambda session: store.turn(session).__enter__(),
        "add_task": lambda session: store.add_task(session, "t"),
        "add_approval": lambda session: store.add_approval(session, "x", {}, ""),
        "approval": lambda session: store.approval(session, approval),
        "answer_approval": lambda session: store.answer_approval(session, approval, True),
        "note_approval_task": lambda session: store.note_approval_task(session, approval, "t"),
        "audit_log": store.audit_log,
    }


def refusal(attempt: Callable[[str], object], session: str) -> TradingAgentsError:
    with pytest.raises(TradingAgentsError) as caught:
        attempt(session)
    return caught.value


def test_a_hidden_session_answers_exactly_as_one_that_never_existed(make_store: MakeStore):
    store = make_store()
    parent = store.create("assistant", "Visible", SessionDefaults(depth="deep"))
    store.set_view(parent.session_id, VIEW)
    hidden = store.create("value", hidden=True, parent=parent.session_id).session_id
    store.append(hidden, [said("Is it cheap?")], hidden=True)
    approval = store.add_approval(hidden, "scan", {}, "money", hidden=True).approval_id

    for one in (store, make_store()):
        assert hidden not in [info.session_id for info in one.list(1000)]
        for name, attempt in attempts(one, approval).items():
            errors = [refusal(attempt, session_id) for session_id in (hidden, UNKNOWN)]
            assert type(errors[0]) is type(errors[1]) is NoSuchSession, name
            assert str(errors[0]).replace(hidden, "") == str(errors[1]).replace(UNKNOWN, ""), name
    info = make_store().get(hidden, hidden=True)
    assert (info.view, info.symbols, info.defaults.depth) == (VIEW, VIEW.symbols, "deep")
    assert [one.text for one in store.entries(hidden, hidden=True)] == ["Is it cheap?"]
    store.close()
    assert hidden not in (store.folder / "sessions.json").read_text("utf-8")


@pytest.mark.parametrize("bad", ["", "..", "../../etc/passwd", "s-1", "s-2025\n", UNKNOWN + "/x", "x" * 5000, "\0"])
def test_what_is_no_id_is_unknown(store: SessionStore, bad: str):
    store.create("assistant")
    with pytest.raises(NoSuchSession) as caught:
        store.get(bad)
    assert len(str(caught.value)) < 200


def test_asking_an_empty_home_creates_nothing(store: SessionStore, tmp_path: Path):
    assert store.list() == ()
    with pytest.raises(NoSuchSession):
        store.get(UNKNOWN)
    assert not (tmp_path / "sessions").exists()


def test_a_session_is_named_after_its_first_message_unless_it_has_a_title(store: SessionStore, tmp_path: Path):
    unnamed, named = store.create("assistant"), store.create("assistant", "Mine")
    for one in (unnamed, named):
        store.append(one.session_id, [said(f"What about\n\n{'Apple and pears ' * 20}?")])
        store.append(one.session_id, [said("And then?")])
    assert store.get(named.session_id).title == "Mine"
    title = store.get(unnamed.session_id).title
    assert title.startswith("What about Apple and pears")
    assert len(title) <= 60
    store.close()
    assert listed(tmp_path)[unnamed.session_id]["title"] == title


def test_only_the_first_answer_to_an_approval_counts(make_store: MakeStore):
    store = make_store()
    session = store.create("assistant").session_id
    approval = store.add_approval(session, "analyze", {"ticker": "AAPL"}, "It costs money.")
    answered = make_store().answer_approval(session, approval.approval_id, True, task_id="t-1")
    assert (answered.status, answered.task_id) == ("approved", "t-1")
    assert answered.answered_at is not None
    with pytest.raises(NoSuchApproval, match="answered before"):
        store.answer_approval(session, approval.approval_id, False)
    with pytest.raises(NoSuchApproval):
        store.answer_approval(session, "p-0", True)
    assert [one.status for one in store.get(session).approvals] == ["approved"]


def test_deleting_takes_the_transcript_the_state_and_hidden_sessions_with_it(make_store: MakeStore, tmp_path: Path):
    store, other = make_store(), make_store()
    kept, gone = (store.create("assistant").session_id for _ in range(2))
    hidden = store.create("macro", hidden=True, parent=gone).session_id
    for session in (kept, gone):
        other.append(session, [said("Hello")])
    store.delete(gone)
    for session in (gone, hidden):
        with pytest.raises(NoSuchSession):
            other.get(session, hidden=True)
        with pytest.raises(NoSuchSession):
            other.append(session, [said("Anybody?")], hidden=True)
    assert [path.stem for path in (tmp_path / "sessions").glob("*.jsonl")] == [kept]
    assert [one.session_id for one in other.list() if one.session_id in (kept, gone)] == [kept]
    store.close()
    assert gone not in listed(tmp_path)


def test_a_session_is_not_deleted_while_a_turn_runs(store: SessionStore, open_store: MakeStore):
    session = store.create("assistant").session_id
    with store.turn(session):
        with pytest.raises(SessionBusy, match="wait until it has ended, or cancel it"):
            open_store().delete(session)
        with pytest.raises(SessionBusy), open_store().turn(session):
            raise AssertionError("two turns at once")
    store.delete(session)
    with pytest.raises(NoSuchSession), store.turn(session):
        raise AssertionError("a turn of a deleted session")


def test_the_list_for_people_is_written_again_where_it_is_missing_or_damaged(open_store: MakeStore, tmp_path: Path):
    store = open_store()
    session = store.create("assistant", "On Apple")
    file = tmp_path / "sessions" / "sessions.json"
    row = listed(tmp_path)[session.session_id]
    assert (row["title"], row["agent"], row["created"]) == (
        "On Apple",
        "assistant",
        session.created_at.isoformat(timespec="microseconds"),
    )
    assert (tmp_path / "sessions" / row["file"]).is_file()
    whole = file.read_text("utf-8")
    for damaged in ("", whole[: len(whole) // 2], "[]", '{"version": 1}', "\0" * 100):
        file.write_text(damaged)
        open_store().list()
        assert listed(tmp_path) == {session.session_id: row}
    file.unlink()
    open_store().list()
    assert listed(tmp_path) == {session.session_id: row}


def test_what_a_killed_process_left_out_of_the_list_is_added_by_the_next(
    open_store: MakeStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(index_file, "SHARE", 1e9)  # however long a session takes on a busy machine
    store = open_store()
    ids = [store.create("assistant", str(number)).session_id for number in range(20)]
    assert len(listed(tmp_path)) < 20  # writing the list each time would take too long with many sessions
    open_store().list()  # the first process never closed its store
    assert list(listed(tmp_path)) == ids[::-1]


def test_a_session_whose_state_cannot_be_stored_leaves_no_file(store: SessionStore, tmp_path: Path):
    first = store.create("assistant").session_id
    with closing(sqlite3.connect(tmp_path / "sessions" / "sessions.sqlite")) as connection:
        connection.execute("CREATE TRIGGER full BEFORE INSERT ON sessions BEGIN SELECT RAISE(ABORT, 'full'); END")
    with pytest.raises(HomeNotWritable, match="put a copy of it back"):
        store.create("assistant")
    assert [path.stem for path in (tmp_path / "sessions").glob("*.jsonl")] == [first]


def test_messages_do_not_write_the_list_for_people(store: SessionStore, tmp_path: Path):
    session = store.create("assistant", "On Apple").session_id
    file = tmp_path / "sessions" / "sessions.json"
    before = file.stat()
    for number in range(20):
        store.append(session, [said(str(number))])
    store.note_symbols(session, ["AAPL"])
    after = file.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_renamed_session_is_listed_under_its_new_name(store: SessionStore, tmp_path: Path):
    session = store.create("assistant", "Old").session_id
    assert store.update(session, title="New <b>name</b>\n").title == "New <b>name</b>"
    store.close()
    assert listed(tmp_path)[session]["title"] == "New <b>name</b>"


def test_sessions_come_back_from_their_transcripts_when_the_database_is_lost(open_store: MakeStore, tmp_path: Path):
    store = open_store()
    shown = store.create("assistant", "On Apple")
    unnamed = store.create("assistant")
    hidden = store.create("value", hidden=True, parent=shown.session_id).session_id
    for one in (shown, unnamed):
        store.append(one.session_id, [said("What is Apple worth?")])
    store.close()
    for path in (tmp_path / "sessions").glob("sessions.*"):
        path.unlink()

    later = open_store()
    found = {one.session_id: one for one in later.list()}
    assert found.keys() == {shown.session_id, unnamed.session_id}
    assert found[shown.session_id].title == "On Apple"
    assert found[shown.session_id].created_at == shown.created_at
    assert found[unnamed.session_id].title == "What is Apple worth?"
    assert later.get(hidden, hidden=True).agent == "value"
    assert listed(tmp_path).keys() == found.keys()


def test_titles_views_and_audits_hold_no_secrets(store: SessionStore):
    session = store.create("assistant", f"My key {SECRET}").session_id
    store.set_view(session, ViewContext(symbols=("AAPL",), note=f"{SECRET} sk-abcdef0123456789 {'x' * 5000}"))
    store.audit(session, {"action": "ask", "arguments": {"api_key": "short", "text": SECRET}})
    store.add_approval(session, "ask", {"password": "hunter2"}, f"because {SECRET}")
    info = store.get(session)
    for text in (info.model_dump_json(), json.dumps(store.audit_log(session))):
        assert all(one not in text for one in (SECRET, "sk-abcdef", "short", "hunter2"))
    assert len(info.view.note) <= 1000
