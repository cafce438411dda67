"""`tradingagents book`: imported, shown at a day's prices, listed, deleted; a file with a fault changes nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command

BROKER = """Symbol,Qty,Avg Cost,Currency,Account
VELQ,100,50,USD,main
VELQ,10,60,USD,pension
MODZ,-20,,USD,main
Cash,"5,000.00",,USD,main
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "positions.csv"
    path.write_text(BROKER)
    return path


def test_a_book_is_imported_shown_listed_and_deleted(command: Command, home: Path, file: Path):
    place = ("--home", str(home))
    assert "No book is stored; import one with: tradingagents book import" in command("book", "days", *place).err
    missing = command("book", "show", "2025-03-14", "--offline", *place)
    assert (missing.code, "No book is stored" in missing.err) == (2, True)

    made = command("book", "import", str(file), "--day", "2025-03-10", *place)
    assert (made.code, made.err) == (0, "")
    assert "book of 2025-03-10: 3 positions in 2 instruments; cash 5,000.00 USD." in made.out
    stored = home / "book" / "2025-03-10.json"
    assert (stored.stat().st_mode & 0o777, str(stored) in made.out) == (0o600, True)

    shown = command("book", "show", "2025-03-14", "--offline", "--json", *place)
    valued = json.loads(shown.out)["valued"]
    velq, pension = (one for one in valued["positions"] if one["symbol"] == "VELQ")
    assert velq["value"] == pytest.approx(100 * velq["price"])
    assert pension["gain"] == pytest.approx(pension["price"] / 60 - 1)
    worth = sum(position["value"] for position in valued["positions"])
    assert valued["equity"] == pytest.approx(5000 + worth)
    text = command("book", "show", "2025-03-14", "--offline", *place).out
    assert f"Book of 2025-03-10 on 2025-03-14: {valued['equity']:,.2f} USD" in text
    plain = command("book", "show", "--no-prices", *place).out
    assert ("50.00 USD" in plain, "Cash 5,000.00 USD" in plain) == (True, True)

    assert command("book", "days", *place).out.startswith("2025-03-10  3 positions")
    refused = command("book", "clear", *place)
    assert (refused.code, "add --yes" in refused.err, stored.exists()) == (2, True, True)
    assert command("book", "clear", "2025-03-11", "--yes", *place).code == 2
    assert command("book", "clear", "--yes", *place).out == "Deleted 1 book.\n"
    assert not stored.exists()


def test_what_is_imported_without_a_day_is_the_book_of_a_question_without_one(command: Command, home: Path, file: Path):
    place = ("--offline", "--home", str(home))
    made = command("book", "import", str(file), "--home", str(home))
    assert made.code == 0
    assert command("book", "show", *place).code == 0
    earlier = command("book", "show", "2025-03-14", *place)
    assert "store what was held then with: tradingagents book import FILE --day 2025-03-14" in earlier.err


def test_cash_is_added_by_hand_and_its_lack_is_said(command: Command, home: Path, tmp_path: Path):
    bare = tmp_path / "bare.csv"
    bare.write_text("ticker,quantity\nVELQ,3\n")
    place = ("--day", "2025-03-10", "--home", str(home))
    assert "It names no cash" in command("book", "import", str(bare), *place).err
    added = command("book", "import", str(bare), "--cash", "usd=1500", "--cash", "EUR=-20", "--json", *place)
    assert json.loads(added.out)["book"]["cash"] == {"EUR": -20, "USD": 1500}
    for wrong in ("USD", "USD=much", "MONEY=5", "USD=inf"):
        refused = command("book", "import", str(bare), "--cash", wrong, *place)
        assert (refused.code, "write it like USD=1000" in refused.err) == (2, True)


def test_an_empty_table_is_a_flat_book(command: Command, home: Path, tmp_path: Path):
    empty = tmp_path / "empty.csv"
    empty.write_text("ticker,quantity\n")
    place = ("--home", str(home))
    assert "nothing is held" in command("book", "import", str(empty), "--day", "2025-03-10", *place).out
    assert "Nothing is held." in command("book", "show", "2025-03-14", "--offline", *place).out


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("ticker,quantity\nVELQ,ten\n", "row 2, column quantity: what stands there is no number"),
        ("ticker,quantity\n../../etc,1\n", "row 2, column ticker"),
        ("nothing of the kind", "no row names the columns"),
    ],
)
def test_a_file_with_a_fault_changes_nothing(command: Command, home: Path, file: Path, content: str, said: str):
    place = ("--day", "2025-03-10", "--home", str(home))
    command("book", "import", str(file), *place)
    stored = home / "book" / "2025-03-10.json"
    before = stored.read_bytes()
    file.write_text(content)
    refused = command("book", "import", str(file), *place)
    assert (refused.code, len(refused.errors), refused.out) == (2, 1, "")
    assert said in refused.err
    assert ([path.name for path in stored.parent.iterdir()], stored.read_bytes()) == (["2025-03-10.json"], before)


def test_what_a_paper_account_holds_is_a_book(command: Command, home: Path, file: Path):
    place = ("--home", str(home))
    command("paper", "init", "--tickers", "VELQ,OMBZ,MODZ,STEZ", "--cash", "50000", "--short", *place)
    early = command("book", "import", "--paper", "main", *place)
    assert (early.code, "has not been run yet" in early.err) == (2, True)
    command("paper", "run", "--offline", "--date", "2024-10-01", *place)
    command("paper", "run", "--offline", "--date", "2024-10-03", "--decide-missed", *place)
    status = json.loads(command("paper", "status", "--json", *place).out)
    told = json.loads(command("book", "import", "--paper", "main", "--json", *place).out)["book"]
    assert told["day"] == "2024-10-03"
    assert told["cash"] == {"USD": status["cash"]}
    assert status["positions"]
    for held, position in zip(status["positions"], told["positions"], strict=True):
        assert (position["symbol"], position["quantity"], position["account"]) == (
            held["symbol"],
            held["shares"],
            "main",
        )
        assert position["quantity"] * position["average_price"] == pytest.approx(held["cost"])
    assert command("book", "import", "--paper", "none", *place).code != 0
    both = command("book", "import", str(file), "--paper", "main", *place)
    assert (both.code, "Name a file, or --paper" in both.err) == (2, True)
