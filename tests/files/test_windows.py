"""What can be tried of Windows without it: names of files, and what only Unix has (docs/guides/installing.md)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tradingagents
from tests.support.windows_names import is_windows_name
from tradingagents.errors import UsageError
from tradingagents.features.backtest.paper.plan import check_account_name
from tradingagents.graph.trading.state_log import write_state_log
from tradingagents.runtime.runs.run_folder import is_component, new_run_id, symbol_folder

ROOT = Path(tradingagents.__file__).parent.parent
SYMBOLS = (
    "AAPL",
    "BRK.B",
    "BRK-B",
    "7203.T",
    "^GSPC",
    "EURUSD=X",
    "CON",
    "con",
    "NUL",
    "AUX",
    "COM1",
    "CON.DE",
    "LPT9.L",
    "A:B",
    "C:\\x",
    "../x",
    "A.",
    "X?",
    "PRN.",
)
ONLY_UNIX = {"fcntl", "pwd", "grp", "resource", "termios", "tty", "pty", "syslog"}
UNIX_CALLS = {
    *("fork", "forkpty", "killpg", "kill", "getuid", "geteuid", "getpgid", "setsid", "fchmod", "chown", "mkfifo"),
    *("O_NOFOLLOW", "O_DIRECTORY", "O_CLOEXEC", "O_NONBLOCK"),
    *("SIGKILL", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGCHLD", "SIGPIPE", "alarm", "setitimer"),
}


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_a_run_and_a_folder_of_a_symbol_have_names_that_windows_admits(symbol: str):
    run_id = new_run_id(symbol, "2025-03-14")
    assert is_component(run_id)
    for name in (run_id, symbol_folder(symbol)):
        assert is_windows_name(name), name
        assert PureWindowsPath("C:/Users/me/runs", name).parent == PureWindowsPath("C:/Users/me/runs")


@given(st.text(max_size=40))
def test_so_has_any_text(text: str):
    assert is_windows_name(symbol_folder(text))
    assert is_windows_name(new_run_id(text, "2025-03-14"))


def test_ordinary_symbols_keep_their_folder():
    assert [symbol_folder(symbol) for symbol in ("AAPL", "BRK.B", "7203.T", "CONQ")] == [
        "AAPL",
        "BRK.B",
        "7203.T",
        "CONQ",
    ]
    assert [symbol_folder(symbol) for symbol in ("CON", "CON.DE", "com1")] == ["CON_", "CON_.DE", "COM1_"]


def test_the_log_of_states_of_a_symbol_with_signs_is_written(tmp_path: Path):
    for symbol in ("^GSPC", "EURUSD=X", "CON.DE"):
        path = write_state_log(tmp_path, {"company_of_interest": symbol, "trade_date": "2025-03-14"})
        assert path.is_file()
        assert all(is_windows_name(part) for part in path.relative_to(tmp_path).parts)


def test_a_paper_account_cannot_be_called_as_a_device():
    check_account_name("console")
    for name in ("con", "nul", "com1"):
        with pytest.raises(UsageError, match="device on Windows"):
            check_account_name(name)


@pytest.mark.parametrize(
    ("name", "admitted"),
    [
        ("a", True),
        ("a.b", True),
        ("CON", False),
        ("nul.txt", False),
        ("a.", False),
        ("a:b", False),
        ("a b", True),
        ("", False),
        ("a\\b", False),
        ("con_", True),
    ],
)
def test_what_windows_admits(name: str, admitted: bool):
    assert is_windows_name(name) == admitted


_LOOKED_FOR = re.compile(rf"\b(?:{'|'.join(sorted(ONLY_UNIX | UNIX_CALLS))})\b|\.(?:replace|rename)\(\w+\)")


@cache
def trees() -> tuple[tuple[str, ast.Module], ...]:
    """Return the files that hold a word that is looked for, parsed: a tenth of all."""
    paths = (path for folder in ("tradingagents", "cli") for path in sorted((ROOT / folder).rglob("*.py")))
    texts = ((path.relative_to(ROOT).as_posix(), path.read_text("utf-8")) for path in paths)
    return tuple((name, ast.parse(text)) for name, text in texts if _LOOKED_FOR.search(text))


def unix_names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in ONLY_UNIX)
        elif isinstance(node, ast.ImportFrom) and node.module in ONLY_UNIX:
            yield node.module
        elif (
            isinstance(node, ast.Attribute) and node.attr in UNIX_CALLS and ast.unparse(node.value) in ("os", "signal")
        ):
            yield node.attr


def test_what_only_unix_has_is_used_in_these_files_alone():
    found: dict[str, set[str]] = {}
    for name, tree in trees():
        for used in unix_names(tree):
            found.setdefault(used, set()).add(name)
    assert found == {
        "fcntl": {"tradingagents/files/lock.py"},
        "resource": {"tradingagents/features/report_check/reader_process.py"},
        "geteuid": {"tradingagents/files/private_files.py"},
        "fchmod": {"cli/chat/history.py"},
        "O_DIRECTORY": {"tradingagents/features/assistant/sessions/artifacts.py"},
        "O_NONBLOCK": {
            "tradingagents/features/assistant/sessions/artifacts.py",
            "tradingagents/runtime/observability/logs.py",
        },
        "O_CLOEXEC": {
            "tradingagents/features/assistant/sessions/artifacts.py",
            "tradingagents/features/assistant/sessions/transcript_file.py",
            "tradingagents/service/tasks/journal.py",
        },
        "O_NOFOLLOW": {
            "cli/chat/history.py",
            "tradingagents/features/assistant/sessions/artifacts.py",
            "tradingagents/features/assistant/sessions/transcript_file.py",
        },
    }


def renamed_while_open(tree: ast.AST) -> Iterator[int]:
    """Yield lines that rename a file within the `with` that holds a file open, which Windows refuses."""
    for node in ast.walk(tree):
        if isinstance(node, ast.With) and any(_opens(item.context_expr) for item in node.items):
            for call in (inner for statement in node.body for inner in ast.walk(statement)):
                if isinstance(call, ast.Call) and _renames(call):
                    yield call.lineno


def _renames(call: ast.Call) -> bool:
    """`path.replace(target)`; a text's `replace` has two arguments, and that of a record names what it replaces."""
    named = isinstance(call.func, ast.Attribute) and call.func.attr in ("replace", "rename")
    return named and len(call.args) == 1 and not call.keywords


def _opens(expression: ast.expr) -> bool:
    if not isinstance(expression, ast.Call):
        return False
    called = expression.func
    return (isinstance(called, ast.Name) and called.id == "open") or (
        isinstance(called, ast.Attribute) and called.attr in ("open", "fdopen")
    )


def test_files_are_closed_before_they_are_renamed():
    assert [(name, line) for name, tree in trees() for line in renamed_while_open(tree)] == []
    wrong = "with open(draft, 'w') as file:\n    file.write(text.replace('a', 'b'))\n    draft.replace(path)"
    assert list(renamed_while_open(ast.parse(wrong))) == [3]
