"""The page of tools: what each takes and gives, who answers, which agents hold it."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from pages.markdown import code, field_meanings, first_line, page, table, type_words
from pages.watched import Watched
from tradingagents.agents.roster import roster
from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.registry import CapabilityRegistry, built_in
from tradingagents.dataflows.interface import METHOD_CATEGORY
from tradingagents.dataflows.results import Result

INTRODUCTION = """
A tool is a question about the market as it was known at the run's [cut-off](../concepts/data-and-time.md). Models
see its name, its summary and its arguments; dates they write beyond the trade date are read as the trade date, and
the answer says so; only calendars may be asked up to 60 days ahead, and tell of them what was known at the cut-off. An
unknown argument is refused. A question that cannot be answered is an error that says what to
do instead.
"""
ANSWER_WORDS = """
## What every answer carries

An answer shows itself as Markdown: a heading, its provenance, a table of **figures** (unless its own tables show them
all), then text or tables, then notes. Its figures go into the run's data sheet as shown. The fields below are those of
every answer; those of its own stand with each tool.
"""
VENDOR_WORDS = """
## Which vendor has what

[Data vendors](../reference/vendors.md#which-has-what).
"""
FIRST_FIGURES = 4
"""Figures named of an answer that has one for every cell of its tables."""


def tools_page(watched: Watched, known: CapabilityRegistry | None = None) -> str:
    """Return the page of the capabilities given; None: of those of this library."""
    tools = _in_order(watched, known or built_in())
    overview = ([f"[`{one.name}`](#{one.name})", _holders(one)] for one in tools)
    described: set[type[Result]] = set()
    parts = [INTRODUCTION, table(("tool", "held by"), overview)]
    for one in tools:
        parts += _tool(one, watched, described)
    parts += [ANSWER_WORDS, _fields(Result), VENDOR_WORDS]
    return page("Tools", *parts)


def _in_order(watched: Watched, known: CapabilityRegistry) -> tuple[Capability, ...]:
    """Return every capability: in the order of the agents that hold them, then those nobody holds."""
    held = (tool for spec in roster().every if spec.name in watched.agents for tool in spec.tools)
    return tuple({one.name: one for one in (*held, *known.values())}.values())


def _tool(tool: Capability, watched: Watched, described: set[type[Result]]) -> list[str]:
    """Return a tool's section; a kind of answer is described where it first comes up, and then kept in `described`."""
    result, methods = watched.ask(tool)
    kind = tool.returns
    fields: list[str] = []
    if kind in described:
        fields = [f"Answers with `{kind.__name__}`, as above."]
    else:
        about = first_line(kind)
        fields = [f"Answers with `{kind.__name__}`: {about[0].lower()}{about[1:]}", _fields(kind)]
        for part in _parts(kind):
            fields += [f"`{part.__name__}`: {first_line(part)}", _fields(part)]
    described.add(kind)
    return [
        f"## {tool.name}",
        tool.summary,
        _arguments(tool.arguments),
        f"Held by {_holders(tool)}. {_asked(tool, watched)} {_sources(tool, methods)}",
        *fields,
        _figures(result),
    ]


def _arguments(schema: type[BaseModel]) -> str:
    rows = []
    for name, field in schema.model_fields.items():
        default = "required" if field.is_required() else f"`{field.default}`"
        rows.append([f"`{name}`", type_words(field.annotation), default, field.description or ""])
    return table(("argument", "type", "default", "meaning"), rows) if rows else "Takes no arguments."


def _holders(tool: Capability) -> str:
    return ", ".join(spec.name for spec in roster().every if tool in spec.tools) or "nobody"


def _asked(tool: Capability, watched: Watched) -> str:
    """Say for whom the tool is called before the model is first asked."""
    for agent, seen in watched.agents.items():
        if tool.name in seen.calls:
            arguments = ", ".join(f"{name}={value}" for name, value in seen.calls[tool.name].items())
            return f"Called first for the {agent}: `{arguments}`."
    return "Called only where a model asks for it."


def _sources(tool: Capability, methods: tuple[str, ...]) -> str:
    """Say what the answer is computed from, and which categories choose its vendors."""
    methods = methods or tuple(sorted(tool.methods))  # of all stocks at hand, the data sheet does not list the rows
    others = [name for name in methods if name != tool.name]
    categories = code(dict.fromkeys(METHOD_CATEGORY[name] for name in methods))
    return f"Computed from {code(others)}; category {categories}." if others else f"Category {categories}."


def _fields(kind: type[BaseModel]) -> str:
    """Return a model's fields, of an answer only those that not every answer has."""
    declaring = [base for base in reversed(kind.__mro__) if issubclass(base, BaseModel) and base is not BaseModel]
    meanings = {name: text for base in declaring for name, text in field_meanings(base).items()}
    common = Result.model_fields if issubclass(kind, Result) and kind is not Result else ()
    written = kind.model_json_schema(mode="serialization")["properties"]
    fields = {name: kind.model_fields[name] for name in written if name in kind.model_fields} | kind.model_fields
    own = {name: field for name, field in fields.items() if name not in common}
    rows = ([f"`{name}`", type_words(field.annotation), meanings.get(name, "")] for name, field in own.items())
    return table(("field", "type", "meaning"), rows)


def _parts(kind: type[BaseModel]) -> Iterable[type[BaseModel]]:
    """Return the models that a result's own fields are made of, each once."""
    own = (field for name, field in kind.model_fields.items() if name not in Result.model_fields)
    return dict.fromkeys(model for field in own for model in _models(field.annotation))


def _models(annotation: Any) -> Iterable[type[BaseModel]]:
    if inspect.isclass(annotation) and get_origin(annotation) is None and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation) if get_origin(annotation) is not Literal else ():
        yield from _models(inner)


def _figures(result: Result) -> str:
    """Name the figures of an answer; of one whose tables show them all, the first row's."""
    figures = result.figures()[:FIRST_FIGURES] if result.tabulated else result.figures()
    names = ", ".join(f"`{one.name}`" + (f" ({one.unit})" if one.unit else "") for one in figures)
    return f"Figures: every number of its tables, such as {names}." if result.tabulated else f"Figures: {names}."
