"""Importing and running the library leaves the process as it was: it belongs to the program that uses the library."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

_PROGRAM = """
import gc, json, locale, logging, os, signal, sys, threading, warnings

# What third-party packages do when they are imported is theirs: the state is taken after it.
import aiohttp, curl_cffi, httpx, langchain_core.language_models.chat_models, langgraph.graph, langsmith.client, pandas
import langchain_openai, peewee, pyarrow, sqlalchemy

def state():
    loggers = {"root": logging.getLogger()} | {
        name: one for name, one in logging.root.manager.loggerDict.items() if isinstance(one, logging.Logger)
    }
    return {
        "gc": [gc.get_threshold(), gc.get_freeze_count(), gc.isenabled(), len(gc.callbacks)],
        "levels": {name: one.level for name, one in loggers.items() if one.level},
        "handlers": {name: len(one.handlers) for name, one in loggers.items() if one.handlers},
        "disabled": [name for name, one in loggers.items() if one.disabled],
        "environment": dict(os.environ),
        "warnings": [repr(one) for one in warnings.filters],
        "showwarning": repr(warnings.showwarning),
        "hooks": [repr(one) for one in (sys.excepthook, sys.unraisablehook, threading.excepthook)],
        "signals": {one.name: repr(signal.getsignal(one)) for one in signal.valid_signals() if hasattr(one, "name")},
        "limits": [sys.getrecursionlimit(), sys.getswitchinterval()],
        "locale": locale.setlocale(locale.LC_ALL),
        "folder": os.getcwd(),
        "path": list(sys.path),
    }

changed = {}
for step, program in json.loads(sys.argv[1]).items():
    before = state()
    exec(program, {"HOME": sys.argv[2], "logging": logging})
    after = state()
    changed[step] = {name: [before[name], after[name]] for name in before if before[name] != after[name]}
print(json.dumps(changed))
"""
_RUN = """
from tradingagents import ScannerGraph, TradingAgentsGraph
config = {"llm_provider": "offline", "data_vendor": "simulated", "home": HOME, "analysts": ("market", "news")}
with TradingAgentsGraph(config=config) as graph:
    graph.propagate("VELQ", "2025-03-14")
"""
_YAHOO = """
import tradingagents.dataflows.vendors.yfinance.client as client
session = client.YahooSession()
yahoo = client.YahooClient(timeout=1.0, cache_dir=None, session=session, wait_turn=lambda: None)
with yahoo.asking("prices"):
    logging.getLogger("yfinance").error("not shown")
"""
_IMPORT = "import tradingagents, tradingagents.graph.trading_graph, cli.main"
_LOGGED = _RUN.replace('"analysts"', '"log_file": HOME + "/run.log", "log_level": "debug", "analysts"')


STEPS = {"import": _IMPORT, "run": _RUN, "run-with-log": _LOGGED, "yahoo": _YAHOO}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """A new interpreter that takes all steps, one after another."""
    command = [sys.executable, "-c", _PROGRAM, json.dumps(STEPS), str(tmp_path_factory.mktemp("home"))]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("step", STEPS)
def test_nothing_of_the_process_is_changed(step: str, program: subprocess.CompletedProcess[str]):
    assert program.returncode == 0, program.stderr
    assert json.loads(program.stdout.splitlines()[-1])[step] == {}
    assert "not shown" not in program.stderr


def test_the_command_line_collects_rarely_in_its_own_process():
    program = (
        "import gc, sys; sys.argv = ['tradingagents', '--version']\n"
        "from tradingagents.__main__ import main\n"
        "try: main()\nexcept SystemExit: pass\nprint(gc.get_threshold())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "(50000, 10, 10)"
