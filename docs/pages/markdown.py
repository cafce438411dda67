"""Tables, types and docstrings as Markdown."""

from __future__ import annotations

import ast
import inspect
import textwrap
import types
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Any, Literal, Union, get_args, get_origin

NOTICE = "<!-- Written by docs/generate.py from the code; edit the code, then `make docs`. -->"


def page(title: str, *parts: str) -> str:
    """Return a whole page: title, notice, parts, one newline at the end."""
    return "\n\n".join([f"# {title}", NOTICE, *(part.strip() for part in parts if part.strip())]) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; bars within cells are escaped."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines)


def code(words: Iterable[str]) -> str:
    """Return words as code, with spaces between."""
    return " ".join(f"`{word}`" for word in words)


def type_words(annotation: Any) -> str:
    """Return a type as it reads in Python, but with `or` between alternatives and literals spelt out."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if annotation is type(None):
        return "None"
    if origin is Annotated:
        return type_words(inner[0])
    if origin is Literal:
        return " or ".join(repr(value) for value in inner)
    if origin in (Union, types.UnionType):
        return " or ".join(map(type_words, inner))
    if origin is not None:
        parts = ("…" if part is ... else type_words(part) for part in inner)
        return f"{origin.__name__}[{', '.join(parts)}]"
    return getattr(annotation, "__name__", str(annotation))


def field_meanings(owner: type) -> Mapping[str, str]:
    """Return what the string below each field of a class says, on one line."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(owner))).body
    meanings: dict[str, str] = {}
    for above, below in pairwise(definition.body if isinstance(definition, ast.ClassDef) else ()):
        match above, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                meanings[name] = " ".join(text.split())
    return meanings


def first_line(documented: Any) -> str:
    """Return the first line of a docstring."""
    return (inspect.getdoc(documented) or "").partition("\n")[0]
