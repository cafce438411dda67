"""The page on the snapshot format: its example folder is one, and its lines are read."""

from __future__ import annotations

import gzip
import re
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from tradingagents.dataflows.vendors.snapshot import SnapshotVendor

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "snapshot-format.md"
EVER = (datetime(2000, 1, 1, tzinfo=UTC), datetime(2030, 1, 1, tzinfo=UTC))


@pytest.fixture
def example(tmp_path: Path) -> SnapshotVendor:
    """The folder that the page's code writes (tests run in `tmp_path`), with the page's lines added."""
    page = PAGE.read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(compile(code, str(PAGE), "exec"), {})  # noqa: S102 - the documented example, run as documented
    folder = tmp_path / "made-up-snapshot"
    (lines,) = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    for name, line in re.findall(r"^(\S+)\s+(.+)$", lines, re.MULTILINE):
        if name.endswith(".gz"):
            (folder / name).write_bytes(gzip.compress(line.encode()))
        else:
            header = "symbol,date,action,value\n" if name.endswith(".csv") else ""
            (folder / name).write_text(header + line)
    return SnapshotVendor(folder)


def test_the_example_folder_answers_every_method(example: SnapshotVendor) -> None:
    prices = example.get_stock_data("ACMQ", date(2025, 3, 1), date(2025, 3, 31))
    assert prices.close.tolist() == [80.0, 81.5]
    assert [paid.amount for paid in prices.dividends] == [0.25]
    assert example.get_profile("ACMQ").sector == "technology"
    (statement,) = example.get_statements("ACMQ", "income", "quarterly")
    assert statement.items == {"revenue": 1e9, "net_income": 1.5e8}
    assert [item.title for item in example.get_news("ACMQ", *EVER)] == ["Acme Quark wins a contract"]
    assert [trade.kind for trade in example.get_insider_transactions("ACMQ")] == ["sell"]
