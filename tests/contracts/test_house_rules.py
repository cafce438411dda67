"""Rules that keep the house in order. Each list of exceptions may only shrink: one that is not needed any more fails.

Rules that stand elsewhere: layers (`lint-imports`), third-party internals (`test_third_party`), unique class names and
the vocabulary of the documentation (`tests/docs/test_vocabulary`).
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT
from tradingagents.agents.roster import roster
from tradingagents.workflows.registry import kinds

LONGEST_FUNCTION = 50
MOST_PARAMETERS = 8
MOST_MODULES = 16

LONG_FUNCTIONS = {
    "analytics/company/fundamentals.py:fundamentals",
    "reports/charts/plot.py:lay_out",
}
MANY_PARAMETERS = {
    "analytics/company/fundamentals.py:fundamentals",
    "dataflows/vendor_method.py:__init__",  # a declaration: each parameter is one property of a vendor method
    "dataflows/vendor_method.py:vendor_method",
    "graph/setup.py:__init__",  # the public project's signature
    "runtime/executor.py:__init__",
}
LARGE_FOLDERS = {
    "capabilities",  # one file a subject
    "analytics/company",
    "dataflows/gateway",
    "dataflows/vendors/simulated",
    "llm_clients",
    "offline",
    "reports",
    "snapshots",
}
BRANCHES_ON_KINDS = {
    "batch/auto.py",  # where a candidate comes from, the scan or the portfolio
}


@cache
def modules() -> tuple[tuple[str, ast.Module], ...]:
    """Return every module of the library by its path, parsed."""
    package = ROOT / "tradingagents"
    return tuple(
        (path.relative_to(package).as_posix(), ast.parse(path.read_text("utf-8")))
        for path in sorted(package.rglob("*.py"))
    )


@pytest.fixture(scope="module", autouse=True)
def _trees_are_let_go() -> Iterator[None]:
    yield
    modules.cache_clear()


def functions() -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Yield every function as `path:name`."""
    for path, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{path}:{node.name}", node


def literals(tree: ast.Module) -> set[str]:
    """Return the strings of a module that are no docstrings."""
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    documented = [
        node for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ]
    return texts - {node.value.value for node in documented if isinstance(node.value, ast.Constant)}


def test_functions_are_short() -> None:
    long = {name for name, node in functions() if _lines(node) > LONGEST_FUNCTION}
    assert long == LONG_FUNCTIONS


def _lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count a function's lines without its docstring."""
    first = node.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    docstring = (first.end_lineno or 0) - first.lineno + 1 if documented else 0
    return (node.end_lineno or 0) - node.lineno + 1 - docstring


def test_functions_take_few_parameters() -> None:
    def count(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
        named = [one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
        return len(named) - (named[:1] in (["self"], ["cls"]))

    assert {name for name, node in functions() if count(node) > MOST_PARAMETERS} == MANY_PARAMETERS


def test_folders_hold_about_fifteen_modules() -> None:
    held = Counter(Path(path).parent.as_posix() for path, _ in modules() if not path.endswith("__init__.py"))
    assert {folder for folder, number in held.items() if number > MOST_MODULES} == LARGE_FOLDERS


def test_nobody_branches_on_the_kind_of_a_run() -> None:
    known = kinds()
    found = {
        path
        for path, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        and any(isinstance(one, ast.Constant) and one.value in known for one in (node.left, *node.comparators))
    }
    assert found == BRANCHES_ON_KINDS


def test_the_offline_analysts_read_no_text() -> None:
    readers = {"re", "regex", "markdown"}
    found = {
        (path, name)
        for path, tree in modules()
        if path.startswith("offline/")
        for node in ast.walk(tree)
        for name in _imported(node)
        if name in readers or name.endswith((".parse_number", ".parse_figures"))
    }
    assert found == set()


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [one.name for one in node.names]
    if isinstance(node, ast.ImportFrom):
        return [node.module or "", *(f"{node.module}.{one.name}" for one in node.names)]
    return []


def test_names_of_agents_stand_in_their_own_files() -> None:
    names = {spec.name for spec in roster().every} - {"Trader"}  # a word of its own
    found = {path: literals(tree) & names for path, tree in modules() if not path.startswith("agents/")}
    assert {path: some for path, some in found.items() if some} == {}
