"""The page of capabilities: what `ask` answers, with arguments, results and the vendors that have it."""

from __future__ import annotations

from pages.markdown import code, first_line, page, table
from tradingagents.capabilities.ask import type_of, vendors_of
from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.registry import CapabilityRegistry, built_in

INTRODUCTION = """
A capability is one typed question about a stock or the market. `tradingagents ask NAME ARG=VALUE … --as-of DATE` and
`tradingagents.ask("NAME", arg=value, as_of="DATE")` answer it from data, without a model, with what was known at the
close of the day. Agents call the same capabilities as [tools](tools.md), where the fields of each result are described.
An unknown argument is refused, and the message names the right ones. Dates that a question requires and does not name
(`curr_date`, `end_date`) are the day of `--as-of`.
"""


def capabilities_page(known: CapabilityRegistry | None = None) -> str:
    """Return the page of the capabilities given; None: of those of this library."""
    found = known or built_in()
    ordered = [found[name] for name in sorted(found)]
    overview = ([f"[`{one.name}`](#{one.name})", code(one.aliases) or "", one.summary] for one in ordered)
    parts = [INTRODUCTION, table(("capability", "also called", "answers"), overview)]
    for one in ordered:
        parts += _section(one)
    return page("Capabilities", *parts)


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
