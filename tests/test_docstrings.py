"""What a docstring lists under `Args:` are the parameters of its function, each once; a re-wrap may break a line."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import tradingagents

ROOT = Path(tradingagents.__file__).parent.parent
_ENTRY = re.compile(r" {4}(?! )\*{0,2}(\w+)(?: \([^)]*\))?:(?: |$)")


def listed(docstring: str) -> list[str]:
    """Return the names under `Args:`; a line at their indent that names none is given whole."""
    _, found, rest = docstring.partition("Args:\n")
    names = []
    for line in rest.split("\n") if found else ():
        if line and not line.startswith(" "):
            break
        if line.startswith("    ") and not line.startswith("     "):
            entry = _ENTRY.match(line)
            names.append(entry[1] if entry else line.strip())
    return names


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    given = function.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]
    return {one.arg for one in every}


def functions() -> Iterator[tuple[str, str, set[str]]]:
    """Yield where each function or class stands, its docstring, and its parameters, in files that list any."""
    for package in ("tradingagents", "cli", "benchmarks"):
        for path in sorted((ROOT / package).rglob("*.py")):
            text = path.read_text("utf-8")
            for node in ast.walk(ast.parse(text)) if "Args:" in text else ():
                if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                    continue
                taken = parameters(node) if not isinstance(node, ast.ClassDef) else _of_class(node)
                yield f"{path.relative_to(ROOT)}:{node.lineno} {node.name}", ast.get_docstring(node) or "", taken


def _of_class(node: ast.ClassDef) -> set[str]:
    made = next((one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"), None)
    fields = {one.target.id for one in node.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)}
    return fields | (parameters(made) if made is not None else set())


def test_a_line_that_a_wrap_broke_is_seen() -> None:
    assert listed(
        "Do it.\n\nArgs:\n    home: A folder;\n    None: the system's.\n    more: Text\n        goes on."
    ) == [
        "home",
        "None",
        "more",
    ]


def test_args_name_parameters_each_once() -> None:
    wrong = {}
    for where, docstring, taken in functions():
        names = listed(docstring)
        if faults := [name for at, name in enumerate(names) if name not in taken or name in names[:at]]:
            wrong[where] = faults
    assert wrong == {}
