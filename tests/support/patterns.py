# ruff: noqa: RUF001
"""Every regular expression of the project, and hostile text for each: for the test that none is super-linear."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import pkgutil
import re
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import cli
import tradingagents

ROOT = Path(tradingagents.__file__).parent.parent
PREFIXES = ("", "1", "(")
ENDS = ("", "\x00", " ")
WAYS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split")
UNITS = (
    *(" ", "\t", "\n", "\n\t ", "\xa0", "\u2028", "0", "1", "9", "1 ", "1%", "1% ", "1,000", "1,000 ", "1.", "2024 "),
    *(
        "a",
        "A",
        "Ab ",
        "a b",
        "a.",
        "a, ",
        "a-",
        "a_",
        "_",
        "-",
        "--",
        "- ",
        ".",
        "..",
        ". ",
        ",",
        ", ",
        ";",
        ":",
        "'",
        '"',
    ),
    *(
        "(",
        ")",
        "()",
        "( ",
        "[",
        "]",
        "[]",
        "{",
        "}",
        "<",
        ">",
        "<a>",
        "<a ",
        "</",
        "/",
        "//",
        "\\",
        "|",
        "| ",
        "|-",
        "*",
    ),
    *(
        "**",
        "* ",
        "#",
        "# ",
        "`",
        "~",
        "=",
        "+",
        "$",
        "$1 ",
        "€",
        "%",
        "&",
        "@",
        "a@",
        "a/",
        "!",
        "?",
        "—",
        "–",
        "−",
        "\u2002",
    ),
    *("the ", "of ", "and ", "or ", "to ", "in ", "per ", "for the ", "by 5% ", "grow by 5% from ", "1 to 2 ", "2020-"),
    *(
        "January ",
        "March 31, 2024 ",
        "Q1 ",
        "Item 1 ",
        "year ended ",
        "million ",
        "total ",
        "AAPL ",
        "key=",
        "http://",
        "a=b ",
    ),
)


class TooLong(Exception):
    """The search used more processor time than it was given."""


def collected() -> dict[str, re.Pattern[str]]:
    """Return the compiled patterns of all modules, and those written out in a call of `re`, by where they stand."""
    found: dict[str, re.Pattern[str]] = {}
    seen: set[int] = set()  # a table is looked through once, however many modules import it
    for module in _modules():
        for name, value in list(vars(module).items()):
            for where, pattern in _inside(value, f"{module.__name__}.{name}", seen):
                found.setdefault(where, pattern)
    once: dict[tuple[str, int], str] = {}
    for where, pattern in found.items():
        once.setdefault((pattern.pattern, pattern.flags), where)
    for where, pattern in _read_sources()[1]:
        once.setdefault((pattern.pattern, pattern.flags), where)
    return {where: re.compile(*key) for key, where in once.items()}


def hostile(pattern: re.Pattern[str], *, whole: bool) -> Iterator[tuple[str, str, str]]:
    """Yield beginnings, units to repeat, and ends of text: the usual ones, and the pattern's own words."""
    words = dict.fromkeys(re.findall(r"[A-Za-z]{2,}", re.sub(r"\\[a-zA-Z]|\(\?P?[<=!:][^>)]*", " ", pattern.pattern)))
    own = [f"{word} " for word in list(words)[:20]]
    for unit in (*UNITS, *own):
        yield from (
            (before, unit, end) for before in PREFIXES[: None if whole else 1] for end in ENDS[: None if whole else 2]
        )


def ways_of(where: str) -> tuple[str, ...]:
    """Return how the code uses a pattern, by its name: `search` goes through a text, `match` begins at one place."""
    if ":" in where:
        return (where.rsplit(":", 1)[1],)
    module, _, name = where.split("[")[0].removesuffix(".pattern").rpartition(".")
    used = _uses().get(f"{module}.{name}" if name.startswith("_") else name, set())
    if not used or None in used:
        return ("finditer", "fullmatch")
    through = used & {"search", "finditer", "findall", "sub", "subn", "split"}
    return tuple(sorted({"finditer"} if through else set()) + sorted(used & {"match", "fullmatch"}))


def seconds(pattern: re.Pattern[str], texts: Sequence[str], ways: tuple[str, ...], limit: float) -> list[float]:
    """Return the processor time of looking for a pattern in each text, in the slowest of some ways.

    Raises:
        TooLong: It is more than the limit for all texts together.
    """
    if signal.getsignal(signal.SIGVTALRM) is not _stop:
        signal.signal(signal.SIGVTALRM, _stop)
    slowest = [0.0] * len(texts)
    signal.setitimer(signal.ITIMER_VIRTUAL, limit)
    try:
        for way in ways:
            look = _all_found(pattern) if way == "finditer" else getattr(pattern, way)
            ended = time.thread_time()
            for number, text in enumerate(texts):
                began = ended
                look(text)
                ended = time.thread_time()
                slowest[number] = max(slowest[number], ended - began)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return slowest


def _all_found(pattern: re.Pattern[str]) -> Callable[[str], object]:
    return lambda text: deque(pattern.finditer(text), maxlen=0)


@cache
def _uses() -> dict[str, set[str | None]]:
    """Return the methods called of each name in capitals; None where it is used otherwise, such as passed on."""
    return _read_sources()[0]


@cache
def _read_sources() -> tuple[dict[str, set[str | None]], tuple[tuple[str, re.Pattern[str]], ...]]:
    """Return what `_uses` does, and the patterns that calls of `re` write out: each source is gone through once."""
    used: dict[str, set[str | None]] = {}
    written: list[tuple[str, re.Pattern[str]]] = []
    for package in ("tradingagents", "cli"):
        for path in sorted((ROOT / package).rglob("*.py")):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            called: dict[int, str] = {}
            loaded: list[tuple[str, ast.AST]] = []
            tree = ast.parse(path.read_text("utf-8"))
            for node in _nodes(tree):
                if isinstance(node, ast.Name | ast.Attribute):
                    if isinstance(node, ast.Attribute) and node.attr in WAYS:
                        called[id(node.value)] = node.attr
                    name = node.id if isinstance(node, ast.Name) else node.attr
                    if name.isupper() and isinstance(node.ctx, ast.Load):
                        loaded.append((f"{module}.{name}" if name.startswith("_") else name, node))
                elif isinstance(node, ast.Call) and (pattern := _written_out(node)) is not None:
                    written.append((f"{path.relative_to(ROOT)}:{node.lineno}:{pattern[0]}", pattern[1]))
            for name, node in loaded:
                used.setdefault(name, set()).add(called.get(id(node)))
    return used, tuple(written)


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield what `ast.walk` does, in another order and in a third of the time."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for value in vars(node).values():
            if isinstance(value, ast.AST):
                waiting.append(value)
            elif isinstance(value, list):
                waiting += [each for each in value if isinstance(each, ast.AST)]


def _stop(number: int, frame: FrameType | None) -> None:
    raise TooLong


def _modules() -> Iterator[ModuleType]:
    for package in (tradingagents, cli):
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not info.name.endswith("__main__"):
                yield importlib.import_module(info.name)


def _inside(value: Any, where: str, seen: set[int]) -> Iterator[tuple[str, re.Pattern[str]]]:
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield where, value
    elif id(value) in seen or isinstance(value, str | bytes):
        return
    elif isinstance(value, dict):
        seen.add(id(value))
        for key, each in value.items():
            yield from _inside(key, f"{where}[{key!r:.40}]", seen)
            yield from _inside(each, f"{where}[{key!r:.40}]", seen)
    elif isinstance(value, list | tuple | set | frozenset):
        seen.add(id(value))
        for number, each in enumerate(value):
            yield from _inside(each, f"{where}[{number}]", seen)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        seen.add(id(value))
        for field in dataclasses.fields(value):
            yield from _inside(getattr(value, field.name, None), f"{where}.{field.name}", seen)
    elif inspect.isclass(value) and value.__module__.startswith(("tradingagents", "cli")):
        seen.add(id(value))
        for name, each in vars(value).items():
            yield from _inside(each, f"{value.__module__}.{value.__qualname__}.{name}", seen)


def _written_out(node: ast.Call) -> tuple[str, re.Pattern[str]] | None:
    """Return the pattern that a call such as `re.sub("…", …)` spells out, and how it is used."""
    if not (isinstance(node.func, ast.Attribute) and node.args):
        return None
    first, module = node.args[0], node.func.value
    if not (isinstance(module, ast.Name) and module.id == "re" and isinstance(first, ast.Constant)):
        return None
    if not (isinstance(first.value, str) and node.func.attr in WAYS):
        return None
    named = " ".join(map(ast.unparse, (*node.args[1:], *(one.value for one in node.keywords))))
    flags = re.IGNORECASE if re.search(r"\bre\.I(GNORECASE)?\b", named) else re.NOFLAG
    way = node.func.attr if node.func.attr in ("match", "fullmatch") else "finditer"
    return way, re.compile(first.value, flags)
