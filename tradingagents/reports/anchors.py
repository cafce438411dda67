"""Links within a page: from a figure to its row in the data sheet, from a tool to its answers, and back.

Texts are rendered before the page's content is known, so every possible link is written first; `resolved` then removes
broken ones and adds the links back.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from markupsafe import Markup, escape

from tradingagents.reports.names import figure_anchor, is_tool, tool_anchor, tool_label
from tradingagents.reports.sections import every_section, scan_sections
from tradingagents.schemas.records import DataSheetRecord

_OPENING_OF_LINK = '<a class="inner" href="#'
_LINK = re.compile(r'([a-z0-9-]{1,200})"( title="[^"<>]*")?>((?:(?!</?a\b).)*)</a>', re.DOTALL)
"""The rest of an inner link."""
_ID = re.compile(r' id="([a-z0-9-]+)"')
_WORD = re.compile(r"[a-z]\w+")
_FINAL = "final_trade_decision"
_OPENING_OF_READ_IN = '<p class="used-in" data-label="'
_READ_IN = re.compile(r'([a-z0-9-]{1,200})"></p>')
_FEW = 4
"""Targets that are looked for one by one; all ids of a page take as long to find as some more."""


def report_anchor(key: str) -> str:
    """Return the id of a report by its state key."""
    return f"report-{key.replace('_', '-')}"


def figure_link(name: str, method: str, shown: str) -> str:
    """Return the link to a figure of a tool's answer in the data sheet; `shown` is escaped."""
    return _inner(figure_anchor(name, method), shown, title=name)


def tool_link(method: str, argument: str = "") -> str:
    """Return the link to a tool's answers in the data sheet.

    Args:
        method: The tool.
        argument: Its argument, such as `day_gainers`.
    """
    asked = f" ({argument.replace('_', ' ')})" if argument else ""
    return _inner(tool_anchor(method), f"{tool_label(method)}{asked}", title=method)


def source_markup(source: str) -> Markup:
    """Return the source of a claim as markup: known tools and reports as links, anything else as written."""
    parts, titles = [part.strip() for part in source.split(",")], _titles()
    if all(is_tool(part.partition(":")[0]) or part in titles for part in parts):
        return Markup(", ".join(_source_link(part) for part in parts))  # noqa: S704 - names of ours
    return Markup("<code>{}</code>").format(source)


def used_in(
    reports: Mapping[str, str], evidence: Sequence[str], sheet: Sequence[DataSheetRecord]
) -> dict[str, list[tuple[str, str]]]:
    """Return by tool which parts of the page mention it, each as (id, title).

    Args:
        reports: Texts by state key.
        evidence: Sources of the decision's key evidence.
        sheet: The run's data sheet; other tools have no place on the page.
    """
    methods = dict.fromkeys(row.method for row in sheet)
    parts = [("decision", "Decision", "\n".join(evidence))]
    parts += [(report_anchor(key), title, reports.get(key, "")) for key, title in _titles().items() if key != _FINAL]
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for anchor, title, text in parts:
        named = set(_WORD.findall(text))
        for method in methods:
            if method in named:
                found[method].append((anchor, title))
    return found


def resolved(page: str, used: Mapping[str, Sequence[tuple[str, str]]]) -> str:
    """Return a page without broken inner links, and with the links back from the data sheet."""
    back = {tool_anchor(method): places for method, places in used.items()}
    page = _replaced(page, _OPENING_OF_READ_IN, _READ_IN, lambda found: _read_in(back.get(found[1], ())))
    targets = {found[1] for part in page.split(_OPENING_OF_LINK)[1:] if (found := _LINK.match(part))}
    ids = set(_ID.findall(page)) if len(targets) > _FEW else {one for one in targets if f' id="{one}"' in page}

    def link(found: re.Match[str]) -> str:
        return f"{_OPENING_OF_LINK}{found[0]}" if found[1] in ids else _unlinked(found[2], found[3])

    return _replaced(page, _OPENING_OF_LINK, _LINK, link)


def _replaced(page: str, opening: str, rest: re.Pattern[str], shown: Callable[[re.Match[str]], str]) -> str:
    """Replace each opening that is followed by the rest of a pattern: a text is found faster than a pattern.

    Args:
        page: The page.
        opening: A text that does not occur within the rest.
        rest: What follows the opening.
        shown: Returns what stands there instead.
    """
    first, *others = page.split(opening)
    parts = [first]
    for part in others:
        found = rest.match(part)
        parts += [shown(found), part[found.end() :]] if found else [opening, part]
    return "".join(parts)


def _titles() -> Mapping[str, str]:
    """Return the titles of all reports by state key."""
    return {section.key: section.title for section in (*every_section(), *scan_sections())}


def _source_link(part: str) -> str:
    method, _, argument = part.partition(":")
    if is_tool(method):
        return tool_link(method, argument)
    return _inner(report_anchor(part), f"{_titles()[part]} report", title=part)


def _inner(anchor: str, shown: str, *, title: str) -> str:
    return f'<a class="inner" href="#{anchor}" title="{escape(title)}">{escape(shown)}</a>'


def _unlinked(title: str | None, shown: str) -> str:
    return f"<span{title}>{shown}</span>" if title else shown


def _read_in(places: Sequence[tuple[str, str]]) -> str:
    if not places:
        return ""
    links = ", ".join(f'<a class="inner" href="#{anchor}">{escape(title)}</a>' for anchor, title in places)
    return f'<p class="used-in">Used in {links}</p>'
