"""`tradingagents auto` from end to end on the simulated market: exit codes, what stands on which stream."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tradingagents.dataflows.look_up import default_day
from tradingagents.settings import Settings

OFFLINE = ("--offline", "--picks", "3", "--analysts", "market", "--debate-rounds", "1", "--risk-rounds", "1")


def runs_in(home: Path) -> list[str]:
    return sorted(path.name for path in (home / "runs").glob("*")) if (home / "runs").is_dir() else []


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["2025-13-01"], 2, ["'2025-13-01' is not a date", "YYYY-MM-DD"]),
        (["--date", "1800-01-01"], 2, ["before the data begin"]),
        (["2999-01-01"], 2, ["2999-01-01 is in the future"]),
        (["2025-03-14", "--date", "2025-03-13"], 2, ["'2025-03-14'", "'2025-03-13'", "name one"]),
        (["2025-03-14", "--conviction", "hihg"], 2, ["'hihg'", "high, medium, low"]),
        (["2025-03-14", "--portfolio", "no-such-file.csv"], 2, ["no-such-file.csv", "check the path"]),
        (["2025-03-14", "--max-concurrent", "0"], 2, ["--max-concurrent cannot be 0"]),
        (["2025-03-14", "--llm-provider", "openai"], 3, ["OPENAI_API_KEY"]),
    ],
)
def test_bad_input_is_one_line_with_the_way_out_and_leaves_nothing(
    command: Command, home: Path, arguments: list[str], code: int, words: list[str]
):
    outcome = command("auto", *arguments, "--offline", "--quiet")
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (code, "", 1)
    assert outcome.errors
    for word in words:
        assert word in outcome.err
    assert list(home.iterdir()) == []


def test_a_portfolio_that_names_no_ticker_is_refused_in_json_too(command: Command, tmp_path: Path):
    (tmp_path / "holdings.csv").write_text("ticker,shares\n../../x,3\n", "utf-8")
    outcome = command("auto", "2025-03-14", "--offline", "--json", "--portfolio", str(tmp_path / "holdings.csv"))
    failed = json.loads(outcome.out)
    assert (failed["trade_date"], failed["kind"], failed["exit_code"]) == ("2025-03-14", "BadSymbol", 2)
    assert (outcome.code, len(outcome.errors)) == (2, 1)


def test_a_home_that_is_a_file_is_refused(command: Command, tmp_path: Path):
    (tmp_path / "file").write_text("here first", "utf-8")
    outcome = command("auto", "2025-03-14", *OFFLINE, "--quiet", "--home", str(tmp_path / "file"))
    assert (outcome.code, len(outcome.errors)) == (3, 1)
    assert "--home" in outcome.errors[0]
    assert (tmp_path / "file").read_text("utf-8") == "here first"


def test_an_unreachable_server_ends_it_with_the_scan(command: Command, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TRADINGAGENTS_LLM_MAX_RETRIES", "0")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    arguments = ("--data-vendor", "simulated", "--llm-provider", "openai_compatible", "--backend-url", url)
    outcome = command("auto", "2025-03-14", *arguments, "--json", "--quiet")
    record = json.loads(outcome.out)
    assert outcome.code == record["exit_code"] == 5
    assert (record["status"], record["kind"], record["rows"]) == ("failed", "ModelUnreachable", [])
    assert record["scan"]["status"] == "failed"
    assert len(outcome.errors) == 1
    assert "--backend-url" in outcome.errors[0]


def test_json_is_the_record_of_scan_and_decisions_and_a_second_start_redoes_nothing(command: Command, home: Path):
    first = command("auto", "--date", "2025-03-14", *OFFLINE, "--json")
    assert (first.code, first.out.count("\n")) == (0, 1)
    record = json.loads(first.out)
    picks = {pick["ticker"] for pick in record["scan"]["summary"]["stocks_to_investigate"]}
    assert {row["ticker"] for row in record["rows"]} == picks
    assert (record["trade_date"], record["status"], len(picks)) == ("2025-03-14", "done", 3)
    assert json.loads(Path(record["paths"]["card"]).read_text("utf-8")) == record
    made = runs_in(home)
    assert len(made) == 4

    second = command("auto", "2025-03-14", *OFFLINE, "--json")
    assert second.code == 0
    again = json.loads(second.out)
    assert (again["rows"], again["usage"]) == (record["rows"], record["usage"])
    assert runs_in(home) == made
    assert "from an earlier start" in second.err


def test_the_result_for_a_person_ranks_the_decisions_and_names_the_page(command: Command, home: Path, tmp_path: Path):
    (tmp_path / "holdings.txt").write_text("velq\n", "utf-8")
    outcome = command("auto", "2025-03-14", *OFFLINE, "--portfolio", str(tmp_path / "holdings.txt"))
    assert outcome.code == 0
    (folder,) = (home / "auto").glob("*")
    for words in ("Decisions · 2025-03-14", "Ticker  Decision", "portfolio", f"Page          {folder}/index.html\n"):
        assert words in outcome.out
    assert "\x1b" not in outcome.out
    told, *lines = outcome.err.splitlines()
    assert told == (
        "Of holdings.txt only the tickers are read: no decision knows what you hold without --book. SELL opens "
        "a short position; with TRADINGAGENTS_SELL_MEANS=close it only closes what is held."
    )
    planned = next(number for number, line in enumerate(lines) if line.startswith("to analyze: "))
    assert lines[planned].endswith(", VELQ")
    assert all(line.startswith("Scan ") for line in lines[:planned])
    assert not any(line.startswith("Scan ") for line in lines[planned:])


def test_a_conviction_nothing_reaches_leaves_the_holdings(command: Command, tmp_path: Path):
    (tmp_path / "holdings.json").write_text('["VELQ"]', "utf-8")
    arguments = ("--conviction", "HIGH", "--portfolio", str(tmp_path / "holdings.json"), "--json")
    record = json.loads(command("auto", "2025-03-14", *OFFLINE, *arguments).out)
    assert "VELQ" in {row["ticker"] for row in record["rows"]}
    assert {row["conviction"] for row in record["rows"] if "scan" in row["sources"]} <= {"high"}


def test_the_budget_spans_the_whole_and_the_same_command_with_more_goes_on(command: Command, home: Path):
    outcome = command("auto", "2025-03-14", *OFFLINE, "--json", "--max-llm-calls", "12", "--max-concurrent", "1")
    record = json.loads(outcome.out)
    assert (outcome.code, record["status"], record["usage"]["llm_calls"]) == (6, "budget", 12)
    assert {row["status"] for row in record["rows"]} == {"budget", "waiting"}
    assert len(outcome.errors) == 1
    shown = command("auto", "2025-03-14", *OFFLINE)
    assert shown.code == 0
    assert sum("-SCAN-" in name for name in runs_in(home)) == 1


def test_a_budget_that_the_scan_uses_up_leaves_what_it_found(command: Command):
    outcome = command("auto", "2025-03-14", *OFFLINE, "--max-llm-calls", "4", "--quiet")
    assert (outcome.code, len(outcome.errors)) == (6, 1)
    assert "Market scan · 2025-03-14" in outcome.out
    assert "Information Technology" in outcome.out


def test_today_is_the_last_completed_session(command: Command):
    record = json.loads(command("auto", "--date", "today", *OFFLINE, "--json", "--quiet").out)
    assert record["session"] <= record["trade_date"] == default_day(Settings()).isoformat()


def test_the_columns_of_a_portfolio_that_are_not_read_are_named(command: Command, tmp_path: Path):
    file = tmp_path / "book.csv"
    file.write_text("Ticker;Quantity;Cost\nVELQ;100;90.5\n", "utf-8")
    done = command("auto", "2025-03-14", *OFFLINE, "--portfolio", str(file), "--dry-run")
    assert done.code == 0
    assert "Of book.csv only the tickers are read, not Quantity, Cost:" in done.err
    closing = command(
        "auto", "2025-03-14", *OFFLINE, "--portfolio", str(file), "--dry-run", TRADINGAGENTS_SELL_MEANS="close"
    )
    assert "SELL opens" not in closing.err


def test_a_book_becomes_one_list_of_orders_and_another_book_another_batch(command: Command, home: Path, tmp_path: Path):
    book = tmp_path / "book.csv"
    book.write_text("ticker,quantity,currency\nVELQ,900,USD\nUSD,20000,\n", "utf-8")
    asked = ("auto", "2025-03-14", *OFFLINE, "--picks", "1", "--home", str(home), "--book", str(book))
    found = json.loads(command(*asked, "--json").out)
    assert {"portfolio"} <= {source for row in found["rows"] if row["ticker"] == "VELQ" for source in row["sources"]}
    orders = found["orders"]
    velq = next(line for line in orders["lines"] if line["symbol"] == "VELQ")
    assert (velq["action"], velq["shares"] < 0) in (("trim", True), ("close", True))
    assert orders["cash"]["after"] == pytest.approx(20_000 - sum(line["money"] for line in orders["lines"]))
    written = Path(found["paths"]["orders"]).read_text("utf-8").splitlines()
    assert written[0].startswith("symbol,side,quantity,")
    assert f"VELQ,SELL,{-velq['shares']:g},MARKET," in written[1] + written[-1]
    assert len(written) == 1 + sum(line["shares"] != 0 for line in orders["lines"])
    own = next(row for row in found["rows"] if row["ticker"] == "VELQ")
    card = json.loads(Path(own["paths"]["card"]).read_text("utf-8"))
    assert card["book"]["hash"] == orders["hash"]
    runs = len(runs_in(home))
    again = command(*asked)
    assert ("Orders for your book" in again.out, "Nothing is sent." in again.out) == (True, True)
    assert len(runs_in(home)) == runs, "nothing is studied twice for the same book"
    book.write_text("ticker,quantity,currency\nVELQ,1,USD\nUSD,20000,\n", "utf-8")
    other = json.loads(command(*asked, "--json").out)
    assert other["batch_id"] != found["batch_id"]
    assert len(runs_in(home)) > runs


def test_a_book_that_is_not_stored_and_a_scheme_that_does_not_exist_are_refused(command: Command, home: Path):
    refused = command("auto", "2025-03-14", *OFFLINE, "--book", "--home", str(home))
    assert (refused.code, "No book is stored" in refused.err) == (2, True)
    refused = command("auto", "2025-03-14", *OFFLINE, "--weights", "luck", "--home", str(home))
    assert (refused.code, "There is no weighting 'luck'" in refused.err) == (2, True)
