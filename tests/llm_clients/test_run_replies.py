"""The replies that a run received before it was killed: each answers once, and is there for replays of later runs."""

from __future__ import annotations

from pathlib import Path

from langchain_core.messages import AIMessage

from tradingagents.llm_clients.meter import Used
from tradingagents.llm_clients.replay import Replay
from tradingagents.llm_clients.reply_cache import Kept, KeptReplies, RunReplies
from tradingagents.settings import Settings

LABEL = "openai_compatible/m"
USED = Used("quick", LABEL, 7, 2, 0, None, 0.5)


def lines_of(*requests: str) -> list[bytes]:
    """Return what a first start wrote that got a reply to each request."""
    lines: list[bytes] = []
    first = RunReplies(lines.append)
    for request in requests:
        first.keep(request, AIMessage(f"to {request}"), USED)
    return lines


def test_a_reply_is_in_hand_until_it_is_used() -> None:
    replay = Replay(run=RunReplies(lambda _: None, lines_of("a", "a", "b")))
    found = []
    for request in ("a", "a", "c", "b"):
        earlier = replay.earlier(request) if replay.is_in_hand(request) else None
        found.append((earlier and earlier.reply.text, replay.is_in_hand(request), replay.has_earlier))
    assert found == [("to a", True, True), ("to a", False, True), (None, False, True), ("to b", False, False)]
    assert not replay.is_in_hand(None)


def test_a_first_start_has_nothing_in_hand() -> None:
    replay = Replay(run=RunReplies(lambda _: None))
    replay.given("a", AIMessage("x"), USED)
    assert (replay.has_earlier, replay.is_in_hand("a"), Replay().has_earlier) == (False, False, False)


def test_replies_of_steps_that_had_ended_are_there_for_replays(tmp_path: Path) -> None:
    kept = KeptReplies(tmp_path / "replies.sqlite")
    replay = Replay(Settings(), kept, run=RunReplies(lambda _: None, lines_of("a", "b")), batch=8)
    replay.flush()
    assert [kept.get(request) for request in ("a", "b", "c")] == [
        Kept(LABEL, AIMessage("to a")),
        Kept(LABEL, AIMessage("to b")),
        None,
    ]


def test_a_setting_keeps_none_of_them(tmp_path: Path) -> None:
    kept = KeptReplies(tmp_path / "replies.sqlite")
    run = RunReplies(lambda _: None, lines_of("a"))
    Replay(Settings(keep_replies=False), kept, run=run).flush()
    assert kept.get("a") is None
