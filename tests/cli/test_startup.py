"""What a command does not load: start-up time is import time, and imports creep in one line at a time."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PROBE = """
import json, sys
from tradingagents.__main__ import main
report, sys.argv = sys.argv[1], ["tradingagents", *sys.argv[2:]]
code = None
try:
    main()
except SystemExit as end:
    code = end.code or 0
with open(report, "w") as file:
    names = sorted({name.split(".")[0] for name in sys.modules})
    json.dump({"code": code, "modules": names}, file)
"""
MODELS = {"langchain", "langchain_core", "langgraph", "langsmith", "openai", "langchain_openai"}
VENDORS = {"yfinance", "finnhub", "alpha_vantage", "curl_cffi", "peewee", "requests"}
TABLES = {"pandas", "pyarrow", "exchange_calendars", "stockstats"}
FORM = {"questionary", "prompt_toolkit"}
ALL = MODELS | VENDORS | TABLES | FORM | {"sqlalchemy", "jinja2", "aiohttp"}


def probed(tmp_path: Path, *arguments: str) -> dict[str, Any]:
    """Run a command line in a process of its own; return what the process found out about itself."""
    report = tmp_path / "modules.json"
    command = [sys.executable, "-c", PROBE, str(report), *arguments]
    subprocess.run(command, check=False, capture_output=True, timeout=300)
    found: dict[str, Any] = json.loads(report.read_text())
    return found


def loaded(tmp_path: Path, *arguments: str) -> tuple[int, set[str]]:
    """Return a command line's exit code and the top-level modules it loaded."""
    found = probed(tmp_path, *arguments)
    return found["code"], set(found["modules"])


@pytest.fixture
def calendars_are_kept(tmp_path: Path, calendar_folder: Path) -> None:
    """Have the calendar of New York built before, as it is from the second command on."""
    if not [*calendar_folder.glob("XNYS-*")]:
        loaded(tmp_path, "analyze", "NOSUCH", "2025-03-14", "--offline", "--home", str(tmp_path / "home"))


RECORDS = {"pydantic"}
"""Half of the time that the list of commands takes."""


@pytest.mark.parametrize(
    ("arguments", "more"),
    [
        (("--help",), RECORDS),
        (("analyze", "--help"), set()),
        pytest.param(("runs", "--help"), set(), marks=pytest.mark.nightly),
    ],
)
def test_help_loads_no_library_of_models_data_or_numbers_and_the_list_of_commands_no_record(
    tmp_path: Path, arguments: tuple[str, ...], more: set[str]
):
    code, modules = loaded(tmp_path, *arguments)
    assert code == 0
    assert not modules & (ALL | {"numpy"} | more)


@pytest.mark.parametrize("arguments", [("runs", "list"), ("watch", "list"), ("runs", "costs")])
def test_looking_at_earlier_runs_loads_no_library_of_models_data_or_numbers(tmp_path: Path, arguments: tuple[str, ...]):
    code, modules = loaded(tmp_path, *arguments, "--home", str(tmp_path / "home"))
    assert code == 0
    assert not modules & (ALL | {"numpy"})


@pytest.mark.usefixtures("calendars_are_kept")
def test_a_mistyped_ticker_is_refused_before_the_graph_is_loaded(tmp_path: Path):
    code, modules = loaded(tmp_path, "analyze", "NOSUCH", "2025-03-14", "--offline", "--home", str(tmp_path / "home"))
    assert code == 4
    assert not modules & ALL


@pytest.mark.usefixtures("calendars_are_kept")
def test_an_offline_run_loads_no_vendor_no_hosted_model_and_no_library_of_tables_and_calendars(tmp_path: Path):
    arguments = ("analyze", "VELQ", "2025-03-14", "--offline", "--home", str(tmp_path / "home"), "--quiet")
    found = probed(tmp_path, *arguments)
    modules = set(found["modules"])
    assert found["code"] == 0
    unused = {"yfinance", "finnhub", "alpha_vantage", "curl_cffi", "peewee", *TABLES, *FORM}
    assert not modules & (unused | {"openai", "langchain_openai", "langchain", "anthropic"})
