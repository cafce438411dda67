"""Damaged files to import: taken, or refused on one line; what is taken leaves a sound folder sound."""

from __future__ import annotations

import random
import shutil
from datetime import UTC, date, datetime
from pathlib import Path
from typing import get_args

import pytest

from tests.fuzz.damaged_folders import complaint, sound_folder
from tests.support.tiers import sampled
from tradingagents.dataflows.snapshots.check import check_folder
from tradingagents.dataflows.snapshots.columns import Kind
from tradingagents.dataflows.snapshots.importing import import_file
from tradingagents.dataflows.vendors.snapshot import SnapshotVendor
from tradingagents.errors import NoData

NOW = datetime(2025, 6, 30, 22, tzinfo=UTC)
SEEDS, CASES = (31, 32, 33, 34), 60
ROWS: dict[Kind, tuple[str, str]] = {
    "prices": ("symbol,date,open,high,low,close,adj_close,volume", "ZZYQ,2025-03-14,10,11,9,10.5,10.5,1000"),
    "actions": ("symbol,date,action,value", "ACMQ,2025-03-03,dividend,0.5"),
    "profiles": ("symbol,name,kind,sector,industry,exchange,currency", "ZZYQ,Zzy,stock,Energy,Oil,XNYS,USD"),
    "news": ("symbol,published_at,title,summary,source,url", "ACMQ,2025-03-13T10:00:00Z,Title,Words,Paper,https://a.b"),
    "insiders": (
        "symbol,transaction_date,insider,shares,filed_at,value,text",
        "ACMQ,2025-03-03,A. Person,100,2025-03-05,5000,Purchase",
    ),
    "statements": (
        "symbol,statement,period,period_end,filed_at,currency,fiscal_year,fiscal_period,revenue",
        "CRGQ,income,quarterly,2024-12-31,2025-02-10,USD,2024,Q4,1e9",
    ),
}
WRONG = (
    *("", " ", "x", "0", "-1", "nan", "inf", "-inf", "1e308", "1e400", "1" + 400 * "0", "1e-320", "true", "null"),
    *("0001-01-01", "1899-12-31", "2024-02-30", "2025-03-16", "2027-12-31", "9999-12-31", "99991231", "03/04/2025"),
    *("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "2025-03-14T10:00:00", "split", "buy", "2:0", "0:1"),
    *("\x00", "\u202e", '"', '"a\nb"', "y" * 140_000, "BRK.B", "^GSPC", "A B", "../x", "dollars", "XXXX", "annual"),
)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sound_folder(tmp_path_factory.mktemp("sound") / "market")


def spoiled(kind: Kind, rng: random.Random) -> bytes:
    """Return a file of two rows of which one is spoiled, or a file that is damaged as a whole."""
    header, row = ROWS[kind]
    cells = row.split(",")
    place = rng.randrange(len(cells))
    cells[place] = rng.choice(WRONG)
    content = f"{header}\n{','.join(cells)}\n".encode("utf-8", "surrogatepass")
    if rng.random() < 0.1:
        return rng.choice((b"", content[: len(content) // 2], b"\xff\xfe" + content, b"\x00" * 50, header.encode()))
    return content


@pytest.mark.parametrize("seed", sampled(SEEDS, every=3))
def test_an_import_is_taken_or_refused_and_never_damages_a_folder(sound: Path, tmp_path: Path, seed: int):
    rng = random.Random(seed)  # noqa: S311 - repeatable, not secret
    folder, own = tmp_path / "market", tmp_path / "own.csv"
    shutil.copytree(sound, folder)
    taken: list[Kind] = []
    for number in range(CASES):
        kind: Kind = rng.choice(get_args(Kind))
        if kind == "prices" and number % 3:  # the parquet file is written anew: slow
            kind = "news"
        own.write_bytes(spoiled(kind, rng))

        def take(kind: Kind = kind) -> None:
            import_file(own, folder, kind, now=lambda: NOW)
            taken.append(kind)

        assert complaint(take, (2, 4)) is None, f"{seed}-{number} {kind}: {own.read_bytes()[:300]!r}"
    found = [one for one in check_folder(folder, now=lambda: NOW).findings if one.level == "error"]
    found = [one for one in found if not one.what.startswith("trades at a price")]  # made-up values of made-up trades
    # A file that writes the index for its company puts its one bar among those of the index.
    own_bar = "^GSPC 2025-03-14: the close went from 4,096.03 on 2025-03-13 to 10.50 on 2025-03-14"
    found = [one for one in found if not (one.count == 1 and own_bar in one.text)]
    errors = [one.text for one in found if not one.what.startswith("prices that end")]  # as the rows of a case may
    assert not errors, seed
    vendor = SnapshotVendor(folder)
    ever = datetime(2020, 1, 1, tzinfo=UTC), NOW
    assert vendor.get_news("ACMQ", *ever)
    assert vendor.get_statements("ACMQ", "income", "quarterly")
    assert len(vendor.get_stock_data("ACMQ", date(2024, 5, 1), NOW.date())) > 200
    assert 0 < len(taken) < CASES
    with pytest.raises(NoData):
        vendor.get_statements("NONE", "income", "quarterly")
