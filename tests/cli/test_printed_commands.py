"""Every command line that the program prints works: those in its messages are run, those in its documents are read."""

from __future__ import annotations

import ast
import io
import json
import re
import shlex
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer

from cli.commands import COMMANDS
from cli.main import app
from tests.cli.conftest import Command
from tests.docs.blocks import markdown_files

ROOT = Path(__file__).resolve().parents[2]
PRINTED = re.compile(rf"(?<![\w/.-])tradingagents ((?:{'|'.join(COMMANDS)})\b[^`'\"()\[\]…;,|]*|--help)")
NAMED = re.compile(r"tradingagents(?: [a-z-]|[ \"'{\\]*$| ?[\"'{\\])", re.MULTILINE)
"""What a text holds that may print a command, be it broken after the program's name."""
WAITING = ("VELQ", "2025-03-14", "--offline", "--analysts", "market", "--approve")
WORKS: dict[str, int] = {
    "--help": 0,
    "analyze --help": 0,
    "analyze VELQ --offline": 0,
    "analyze VELQ 2025-03-14 --offline": 0,
    "ask": 0,
    "ask CAPABILITY --help": 2,  # asks for the name of one
    "backtest": 2,  # named beside `run_backtest`: it asks for the tickers
    "backtest show RUN": 2,  # followed by ticker and day; its own test shows a decision
    "backtest plan": 2,  # named where a file is no plan: it asks for the tickers
    "book import positions.csv": 2,  # there is no such file here
    "book import FILE --day RUN": 2,  # followed by a file and a day
    "chat --session RUN": 2,  # the run is no session; its own tests resume one
    "data record": 2,  # named in a recorded folder's note: it asks for the tickers
    "debate --ask RUN": 2,  # followed by a question; the waiting run is no debate, see its own test
    "debate --resume RUN": 2,
    "filings ask": 2,  # followed by a question in quotation marks
    "filings chat --session RUN": 0,
    "filings list": 0,
    "memory forget": 2,  # named as the place to look: it asks which lessons
    "memory list": 0,
    "memory settle": 0,
    "paper init": 0,
    "record start": 2,  # followed by a name
    "report --resume RUN": 2,  # the waiting run is no report; see its own test
    "research": 2,  # followed by a question in quotation marks
    "research --resume RUN --answer TEXT": 2,  # the waiting run is no research; see its own test
    "research --help": 0,
    "research --resume RUN --approve": 2,
    "tasks list": 0,
    "tasks resume RUN": 2,  # the run is no task
    "tasks resume RUN --verdict approve --note TEXT": 2,
    "thesis list": 0,
    "thesis save RUN": 2,  # a run that waits has no answer
    "runs approve": 2,  # followed by its alternatives and the run's id, see below
    "runs list": 0,
    "runs list --kind debate": 0,
    "runs resume RUN": 7,  # the run still waits for its approval
    "runs seal RUN --with-book": 2,
    "runs seal RUN": 2,  # the waiting run has no result yet; see tests of `runs verify`
    "runs show RUN": 0,
    "watch add AAPL": 0,
}
"""Every command found in the source, with the exit code it ends with on a home that has one waiting run."""
OF_A_TICKER = {
    "analyze RUN": 0,
    "evidence list": 0,
    "filings add RUN": 0,
    "filings add TICKER": 0,
    "report RUN": 0,
    "report TICKER": 0,
    "value RUN": 0,
}
"""Those that name a company, or are followed by one."""
SERVING = {"serve"}
"""Those that serve until they are stopped; the server's tests start them."""
OF_A_FOLDER = {"analyze RUN RUN --data-dir RUN", "analyze RUN RUN --data-dir FOLDER", "data check RUN"}
"""Those about a folder that was recorded or filled, which have their own test."""


@cache
def texts(path: Path) -> list[str]:
    """Return the text constants of a module that are no docstrings; what is filled in later reads RUN."""
    kinds, written = (ast.Expr, ast.JoinedStr, ast.Constant), path.read_text("utf-8")
    nodes = [node for node in ast.walk(ast.parse(written)) if isinstance(node, kinds)]
    loose = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    inner = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    found = []
    for node in nodes:
        if id(node) in loose or id(node) in inner:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.append(node.value)
        elif isinstance(node, ast.JoinedStr):
            found.append("".join(str(part.value) if isinstance(part, ast.Constant) else "RUN" for part in node.values))
    return found


def printed_commands() -> set[str]:
    modules = [*(ROOT / "cli").rglob("*.py"), *(ROOT / "tradingagents").rglob("*.py")]
    named = (path for path in modules if NAMED.search(path.read_text("utf-8")))  # parsing all takes six seconds
    lines = (found for path in named for text in texts(path) for found in PRINTED.findall(text))
    return {" ".join(line.split()).rstrip(" .:") for line in lines}


def test_every_command_in_a_message_is_known_here():
    assert printed_commands() == {*WORKS, *OF_A_TICKER, *SERVING, *OF_A_FOLDER}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


def test_every_command_in_a_message_works(command: Command, home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TRADINGAGENTS_HOME", str(home))
    monkeypatch.setenv("TRADINGAGENTS_LLM_PROVIDER", "offline")
    monkeypatch.setenv("TRADINGAGENTS_DATA_VENDOR", "simulated")
    monkeypatch.setattr("sys.stdin", io.StringIO())  # what asks for questions gets none
    waiting = command("analyze", *WAITING, "--json")
    assert waiting.code == 7
    run_id = json.loads(waiting.out)["run_id"]
    for line, expected in WORKS.items():
        assert command(*line.replace("RUN", run_id).split()).code == expected, line
    for line, expected in OF_A_TICKER.items():
        words = line.replace("RUN", "VELQ").replace("TICKER", "VELQ").split()
        named = words if "VELQ" in words else [*words, "VELQ"]
        assert command(*named, *(("2025-03-14",) if words[0] == "report" else ())).code == expected, line
    assert command("runs", "approve", run_id).code == 0
    assert command("runs", "show", run_id).code == 0


def test_the_command_that_a_recording_names_works(command: Command, home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TRADINGAGENTS_HOME", str(home))
    monkeypatch.setenv("TRADINGAGENTS_LLM_PROVIDER", "offline")
    folder = home / "recorded"
    window = ("--from", "2025-03-13", "--to", "2025-03-14", "--data-vendor", "simulated")
    recorded = command("data", "record", "VELQ", *window, "--out", str(folder))
    assert recorded.code == 0, recorded.err
    (named,) = re.findall(r"Run on it: tradingagents (.+)", recorded.out + recorded.err)
    assert command(*shlex.split(named)).code == 0
    (written,) = re.findall(r"`tradingagents (analyze [^`]+)`", (folder / "README.md").read_text("utf-8"))
    assert command(*(str(folder) if word == "FOLDER" else word for word in shlex.split(written))).code == 0
    assert "error:" not in command("data", "check", str(folder)).err


def documented_commands() -> set[str]:
    found: set[str] = set()
    for page in markdown_files():
        for block in re.findall(r"```[\w-]*\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
            joined = block.replace("\\\n", " ")
            found |= {line.strip() for line in joined.splitlines() if re.match(r"\s*(\$ )?tradingagents ", line)}
    return {line.removeprefix("$ ") for line in found if not re.search(r"[\[…:]|\.\.\.", line)}


@pytest.mark.parametrize("line", sorted(documented_commands()))
def test_every_command_of_a_document_names_commands_and_options_that_exist(line: str):
    words = shlex.split(line, comments=True)[1:]
    words = words[: next((number for number, word in enumerate(words) if word in ("|", ">", "&&", "2>&1")), None)]
    command: Any = typer.main.get_command(app)
    while (commands := getattr(command, "commands", None)) and words and not words[0].startswith("-"):
        name = words.pop(0)
        assert name in commands, f"{name} is no command"
        command = commands[name]
    if words and words[0].startswith("-") and (meant := getattr(command, "meant", None)):
        command = command.commands[meant]
    options = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    options |= {"--help", "-h"}
    for word in words:
        if word.startswith("--"):
            assert word.partition("=")[0] in options, f"{word} is no option of {line}"
