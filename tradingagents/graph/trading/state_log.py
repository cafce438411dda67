"""The state of a trading run as JSON under `results_dir`, one file per ticker and date, as in the public API."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tradingagents.files.atomic import write_whole, writing
from tradingagents.files.private_files import make_folder
from tradingagents.runtime.runs.run_folder import checked_component, symbol_folder
from tradingagents.schemas.record import Record

FOLDER = "TradingAgentsStrategy_logs"


def logged_state(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return a final state with its documented keys, as JSON."""
    plain: dict[str, Any] = json.loads(json.dumps(dict(state), ensure_ascii=False, default=_plain))
    return plain


def _plain(value: object) -> Any:
    return value.as_json() if isinstance(value, Record) else str(value)


def write_state_log(results_dir: Path, state: Mapping[str, Any]) -> Path:
    """Write a run's state, replacing an earlier one of the same ticker and date; return the file.

    Raises:
        HomeNotWritable: It can't be written.
    """
    ticker, day = state["company_of_interest"], checked_component(state["trade_date"])
    path = results_dir / symbol_folder(ticker) / FOLDER / f"full_states_log_{day}.json"
    with writing(results_dir):
        make_folder(path.parent)
        write_whole(path, json.dumps({day: logged_state(state)}, ensure_ascii=False, indent=4) + "\n")
    return path
