"""Forty ticker-days and ten scans decide as they did before the house was rebuilt (issue 11), on the same figures.

Kept of each: the decision's numbers or the scan's picks, and a hash of the data sheet without the instants at which
answers were fetched. An intended change of a rule or a figure is a reason to write the file anew (UPDATE_GOLDEN=1),
and to say in the change log what changed.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.support.golden_files import GOLDEN
from tests.support.tiers import sampled
from tradingagents.graph.scanner_graph import ScannerGraph
from tradingagents.graph.trading_graph import TradingAgentsGraph

FILE = GOLDEN / "decisions" / "forty_days_and_ten_scans.json"
BEFORE: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
TERMS = ("action", "confidence", "strength", "entry", "stop", "target", "position_size", "horizon_days")


@pytest.mark.parametrize("name", sampled([name for name in BEFORE if name.startswith("sim-")], every=6))
def test_on_the_simulated_market(name: str, tmp_path: Path) -> None:
    check(name, {"data_vendor": "simulated"}, tmp_path)


@pytest.mark.real_data
@pytest.mark.parametrize("name", sampled([name for name in BEFORE if name.startswith("rec-")], every=6))
def test_on_recorded_data(name: str, tmp_path: Path, test_data: Path) -> None:
    check(name, {"data_vendor": "snapshot", "data_dir": str(test_data / "snapshot")}, tmp_path)


def check(name: str, data: dict[str, Any], home: Path) -> None:
    _, subject, day = name.split("-", 2)
    config = {"llm_provider": "offline", "auto_settle": False, "home": str(home), **data}
    record: dict[str, Any]
    if subject == "SCAN":
        with ScannerGraph(config=config) as scanner:
            record = scanner.run(day, persist="none").record.as_json()
    else:
        with TradingAgentsGraph(config=config) as graph:
            record = graph.run(subject, day, persist="none").record.as_json()
    found = kept_of(record)
    if os.environ.get("UPDATE_GOLDEN"):
        known = {**json.loads(FILE.read_text("utf-8")), name: found}
        lines = ",\n".join(f" {json.dumps(key)}: {json.dumps(known[key])}" for key in sorted(known))
        FILE.write_text(f"{{\n{lines}\n}}\n", "utf-8")
        return
    assert found == BEFORE[name]


def kept_of(record: dict[str, Any]) -> dict[str, Any]:
    sheet = [{key: value for key, value in row.items() if key != "fetched_at"} for row in record["data_sheet"]]
    digest = hashlib.sha256(json.dumps(sheet, sort_keys=True).encode()).hexdigest()[:16]
    if record.get("decision"):
        kept: dict[str, Any] = {"decision": [record["decision"][term] for term in TERMS]}
    else:
        picks = record["summary"]["stocks_to_investigate"]
        kept = {"picks": [[pick["ticker"], pick["conviction"]] for pick in picks]}
    return {"sheet": digest, "rows": len(sheet), **kept}
