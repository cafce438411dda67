"""The pages of capabilities: a table of what `ask` answers, and each with arguments, results and vendors."""

from __future__ import annotations

from pages.markdown import code, first_line, page, table
from tradingagents.capabilities.ask import type_of, vendors_of
from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.registry import built_in

INTRODUCTION = """
A capability is one typed question about a stock or the market. `tradingagents ask NAME ARG=VALUE … --as-of DATE` and
`tradingagents.ask("NAME", arg=value, as_of="DATE")` answer it from data, without a model, with what was known at the
close of the day. Agents call the same capabilities as tools. An unknown argument is refused, and the message names the
right ones. Dates that a question requires and does not name (`curr_date`, `end_date`) are the day of `--as-of`.
"""
TABLE_WORDS = """
Required arguments are **bold**. `tradingagents ask NAME --help` explains the arguments and names the vendors that can
answer. `make docs` writes the same of all capabilities to `docs/build/capabilities.md`, and the fields of their results
to `docs/build/tools.md`. [Which agents hold which](agents.md).
"""
RESULT_WORDS = "The fields of each result are described with the [tools](tools.md)."


def capabilities_table_page() -> str:
    """Return the compact page: what each capability answers, and the names of its arguments."""
    known = built_in()
    rows = ([_names(known[name]), _argument_names(known[name]), known[name].summary] for name in sorted(known))
    return page("Capabilities", INTRODUCTION, TABLE_WORDS, table(("capability", "arguments", "answers"), rows))


def capabilities_page() -> str:
    """Return the complete page, with types, defaults and vendors."""
    found = built_in()
    ordered = [found[name] for name in sorted(found)]
    overview = ([f"[`{one.name}`](#{one.name})", code(one.aliases) or "", one.summary] for one in ordered)
    parts = [INTRODUCTION, RESULT_WORDS, table(("capability", "also called", "answers"), overview)]
    for one in ordered:
        parts += _section(one)
    return page("Capabilities", *parts)


def _names(capability: Capability) -> str:
    aliases = f", or {code(capability.aliases)}" if capability.aliases else ""
    return f"`{capability.name}`{aliases}"


def _argument_names(capability: Capability) -> str:
    fields = capability.arguments.model_fields.items()
    return ", ".join(f"**{name}**" if field.is_required() else name for name, field in fields)


def _section(one: Capability) -> list[str]:
    about = first_line(one.returns)
    return [
        f"## {one.name}",
        one.summary,
        _arguments(one),
        f"Result: [`{one.returns.__name__}`](tools.md#{one.name}), {about[0].lower()}{about[1:]}",
        _vendors(one),
    ]


def _arguments(one: Capability) -> str:
    rows = []
    for name, field in one.arguments.model_fields.items():
        default = "required" if field.is_required() else f"`{field.default}`"
        rows.append([f"`{name}`", type_of(field), default, field.description or ""])
    return table(("argument", "type", "default", "meaning"), rows) if rows else "Takes no arguments."


def _vendors(one: Capability) -> str:
    rows = (
        [f"`{method}`", "yes" if method in one.requires else "", code(names) or "none"]
        for method, names in vendors_of(one).items()
    )
    return table(("vendor method", "required", "vendors that answer it"), rows)
