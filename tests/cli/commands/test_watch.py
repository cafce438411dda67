"""`tradingagents watch` from end to end on the simulated market: the list, what changed, who is told."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command
from tradingagents.memory.cohort import SIMULATED_MARKET

OFFLINE = ("--offline", "--analysts", "market", "--debate-rounds", "1", "--risk-rounds", "1")
SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()


def test_the_list_keeps_its_order_and_each_ticker_once(command: Command):
    assert command("watch", "add", "velq", "OMBZ").out == "Added: VELQ, OMBZ. On the list: 2.\n"
    assert command("watch", "add", "OMBZ").out == "Added: nothing new. On the list: 2.\n"
    assert command("watch", "list").out == "VELQ\nOMBZ\n"
    removed = command("watch", "remove", "VELQ", "TAQZ")
    assert (removed.code, removed.out) == (0, "Removed: VELQ. On the list: 1.\n")
    assert command("watch", "remove", "TAQZ").out == "Removed: nothing, as none was listed. On the list: 1.\n"
    assert command("watch", "list", "--json").out == '{"tickers": ["OMBZ"]}\n'


def test_changes_of_the_list_answer_a_program_in_json(command: Command):
    assert json.loads(command("watch", "add", "VELQ", "--json").out) == {"tickers": ["VELQ"], "added": ["VELQ"]}
    assert json.loads(command("watch", "remove", "VELQ", "--json").out) == {"tickers": [], "removed": ["VELQ"]}


def test_an_empty_list_prints_nothing_and_says_how_to_fill_it(command: Command):
    outcome = command("watch", "list")
    assert (outcome.code, outcome.out) == (0, "")
    assert "watch add" in outcome.err
    assert command("watch", "list", "--quiet").err == ""


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["add", "../../x"], 2, ["'../../x' is not a ticker"]),
        (["add", "VELQ", "../../x"], 2, ["'../../x' is not a ticker"]),
        (["remove", "../../x"], 2, ["'../../x' is not a ticker"]),
        (["add"], 2, ["TICKER..."]),
        (["run", "--offline"], 2, ["empty", "watch add"]),
        (["run", "2025-13-01", "--offline"], 2, ["'2025-13-01' is not a date"]),
        (["run", "--offline", "--min-move", "1.5"], 2, ["--min-move cannot be 1.5", "0 to 1"]),
        (["run", "--offline", "--webhook", "ftp://here"], 2, ["https://"]),
        (["run", "--offline", "--webhook", "https://example.org/hook"], 3, ["TRADINGAGENTS_WEBHOOK_SECRET"]),
    ],
)
def test_bad_input_is_one_line_with_the_way_out_and_leaves_nothing(
    command: Command, home: Path, arguments: list[str], code: int, words: list[str]
):
    outcome = command("watch", *arguments)
    assert (outcome.code, outcome.out, len(outcome.errors)) == (code, "", 1)
    for word in words:
        assert word in outcome.errors[0]
    assert not (home / "watch" / "list.json").exists()
    assert not (home / "runs").exists()


def test_a_refused_ticker_answers_a_program_in_json_too(command: Command):
    failed = json.loads(command("watch", "add", "../../x", "--json").out)
    assert (failed["tickers"], failed["kind"], failed["exit_code"]) == (["../../x"], "BadSymbol", 2)


def test_watch_alone_shows_its_commands(command: Command):
    outcome = command("watch")
    assert (outcome.code, outcome.out) == (2, "")
    assert "Usage: tradingagents watch [OPTIONS] COMMAND" in outcome.err


def test_json_is_the_record_of_decisions_and_changes(command: Command):
    command("watch", "add", "VELQ", "OMBZ")
    first = json.loads(command("watch", "run", "2025-03-13", *OFFLINE, "--json", "--quiet").out)
    assert (first["since"], [change["kind"] for change in first["changes"]]) == (None, ["first", "first"])
    outcome = command("watch", "run", "2025-03-14", *OFFLINE, "--json", "--min-move", "0")
    assert (outcome.code, outcome.out.count("\n")) == (0, 1)
    record = json.loads(outcome.out)
    assert (record["trade_date"], record["since"]) == ("2025-03-14", "2025-03-13")
    assert [change["ticker"] for change in record["changes"]] == ["VELQ", "OMBZ"]
    assert json.loads(Path(record["paths"]["card"]).read_text("utf-8")) == record
    assert (
        json.loads(command("watch", "run", "2025-03-14", *OFFLINE, "--json", "--min-move", "0").out)["changes"]
        == (record["changes"])
    )


def test_a_person_reads_what_changed_first_and_then_the_decisions(command: Command):
    command("watch", "add", "VELQ")
    first = command("watch", "run", "2025-03-13", *OFFLINE)
    assert first.code == 0
    assert "Nothing to compare with" in first.out
    second = command("watch", "run", "2025-03-14", *OFFLINE, "--quiet")
    assert (second.code, second.err) == (0, "")
    changes, _, decisions = second.out.partition("Contested")
    assert changes.startswith(f"{SIMULATED_MARKET}\nWatch list · 2025-03-14\n")
    assert "2025-03-13" in changes
    assert "watchlist" in decisions
    assert "Research software" in decisions


def test_one_ticker_s_failure_does_not_stop_the_others(command: Command):
    command("watch", "add", "NOSUCH", "VELQ")
    outcome = command("watch", "run", "2025-03-14", *OFFLINE, "--json", "--quiet")
    record = json.loads(outcome.out)
    statuses = {row["ticker"]: row["status"] for row in record["batch"]["rows"]}
    assert (outcome.code, statuses) == (4, {"VELQ": "done", "NOSUCH": "failed"})
    assert len(outcome.errors) == 1
    assert outcome.errors[0].startswith("error: NOSUCH: ")


@dataclass
class Receiver:
    """A webhook on this machine that answers with a status and keeps what it was sent."""

    status: int
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    url: str = ""


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    kept = Receiver(status=204)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            kept.bodies.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            kept.headers.append(dict(self.headers))
            self.send_response(kept.status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        kept.url = f"http://127.0.0.1:{server.server_port}/hook"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield kept
        server.shutdown()
        thread.join()


def test_a_webhook_is_told_what_changed(command: Command, receiver: Receiver, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TRADINGAGENTS_WEBHOOK_SECRET", SECRET)
    command("watch", "add", "VELQ")
    outcome = command("watch", "run", "2025-03-14", *OFFLINE, "--webhook", receiver.url, "--json", "--quiet")
    record = json.loads(outcome.out)
    assert (outcome.code, outcome.err) == (0, "")
    (body,) = receiver.bodies
    assert body["data"]["watch_id"] == record["watch_id"]
    assert [decision["ticker"] for decision in body["data"]["decisions"]] == ["VELQ"]
    assert "webhook-signature" in receiver.headers[0]
    assert SECRET not in outcome.out


def test_a_webhook_that_refuses_ends_with_3_after_the_result(
    command: Command, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("TRADINGAGENTS_WEBHOOK_SECRET", SECRET)
    receiver.status = 400
    command("watch", "add", "VELQ")
    outcome = command("watch", "run", "2025-03-14", *OFFLINE, "--webhook", receiver.url, "--quiet")
    assert (outcome.code, len(outcome.errors)) == (3, 1)
    assert "400" in outcome.errors[0]
    assert "Research software" in outcome.out
