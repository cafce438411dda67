"""`tradingagents brief`: shown, drawn, and sent to a real server on this machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.service.notices.receiving import TOKEN, receiving
from tests.service.notices.test_chat_services import form_of

DAY = ("2025-03-14", "--offline")
BOOK = "ticker,quantity,average price,currency\nVELQ,1234,80,USD\n"


def stored(command: Command, tmp_path: Path) -> None:
    """Store a book and a watch list."""
    file = tmp_path / "book.csv"
    file.write_text(BOOK, "utf-8")
    assert command("book", "import", str(file), "--day", "2025-03-10", "--cash", "USD=1000").code == 0
    assert command("watch", "add", "MODZ").code == 0


def test_it_shows_book_and_list_and_draws_them(command: Command, tmp_path: Path):
    stored(command, tmp_path)
    picture = tmp_path / "brief.png"
    outcome = command("brief", *DAY, "--picture", str(picture))
    assert (outcome.code, outcome.errors) == (0, [])
    assert "Book: worth" in outcome.out
    assert "MODZ: 40.06 USD on 2025-03-14, -2.46 % on the day" in outcome.out
    assert picture.read_bytes().startswith(b"\x89PNG")
    again = command("brief", *DAY, "--json", "--picture", str(tmp_path / "again.png"))
    assert json.loads(again.out)["parts"]["book"]["holdings"][0]["symbol"] == "VELQ"
    assert (tmp_path / "again.png").read_bytes() == picture.read_bytes()


def test_what_is_sent_has_moves_and_a_picture_and_no_amount_but_where_it_is_asked_for(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    stored(command, tmp_path)
    with receiving() as server:
        monkeypatch.setenv("TRADINGAGENTS_DISCORD_WEBHOOK", server.url)
        plain = command("brief", *DAY, "--webhook", "discord", "--quiet")
        with_amounts = command("brief", *DAY, "--webhook", "discord", "--amounts", "--quiet")
    assert (plain.code, plain.out, plain.err, with_amounts.code) == (0, "", "", 0)
    sent, sent_with_amounts = (form_of(request) for request in server.requests)
    said = json.loads(sent["payload_json"])["content"]
    assert sent["files[0]"].startswith(b"\x89PNG")
    assert "Simulated market" in said
    assert "VELQ -2.96 % (weight 99 %)" in said
    assert "nothing in this message is investment advice" in said
    worth = f"{1234 * 96.58 + 1000:,.2f}"
    assert worth not in said
    assert "1234" not in said
    assert worth in json.loads(sent_with_amounts["payload_json"])["content"]


def test_a_receiver_that_refuses_ends_with_3_after_the_brief(command: Command, monkeypatch: pytest.MonkeyPatch):
    with receiving(404) as server:
        monkeypatch.setenv("TRADINGAGENTS_SLACK_WEBHOOK", server.url)
        outcome = command("brief", *DAY, "--webhook", "slack")
    assert (outcome.code, len(outcome.errors)) == (3, 1)
    assert "Market: S&P 500" in outcome.out
    assert "TRADINGAGENTS_SLACK_WEBHOOK" in outcome.errors[0]
    assert TOKEN not in outcome.errors[0]


def test_a_missing_variable_is_named_before_anything_is_asked(command: Command):
    outcome = command("brief", *DAY, "--webhook", "telegram")
    assert (outcome.code, outcome.out) == (3, "")
    assert "TRADINGAGENTS_TELEGRAM_CHAT is not set" in outcome.errors[0]
    nowhere = command("brief", *DAY, "--picture", "/nonexistent/brief.png")
    assert (nowhere.code, nowhere.out) == (3, "")
