"""Building blocks of Markdown reports: documents, chapters, tables, lists, and what every report ends with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tradingagents.reports import formatting as words
from tradingagents.reports import sections as outline
from tradingagents.reports.model_text import as_markdown
from tradingagents.reports.sheet_groups import sheet_groups
from tradingagents.schemas.records import DataSheetRecord, TimingRecord, UsageRecord

COMPLETE = "complete_report.md"
"""Name of the file with everything."""


def document(title: str, *parts: str) -> str:
    """Return a whole file: the title and the parts that are not empty."""
    return "\n\n".join([f"# {line(title)}", *(part for part in parts if part)]) + "\n"


def chapter(title: str, *parts: str) -> str:
    """Return the parts that are not empty under a heading of level 2; nothing where all are empty."""
    body = joined(*parts)
    return f"## {title}\n\n{body}" if body else ""


def joined(*parts: str) -> str:
    """Return the parts that are not empty, a blank line between two."""
    return "\n\n".join(part for part in parts if part)


def notice(text: str | None) -> str:
    """Return what a reader must know first, set off from the rest; nothing for none."""
    return f"> **{line(text)}**" if text else ""


def closing() -> str:
    """Return how every report ends."""
    return f"---\n\n{outline.NO_ADVICE}"


def facts(values: Iterable[tuple[str, str]]) -> str:
    """Return names and values as a table; names without a value are left out."""
    return table(("Fact", "Value"), [(name, value) for name, value in values if value])


def labelled(label: str, text: str | None, *, under: int = 3) -> str:
    """Return a model's text below a label; nothing where there is none."""
    return f"**{label}**\n\n{as_markdown(text, under=under)}" if text and text.strip() else ""


def labelled_list(label: str, lines: Sequence[str]) -> str:
    """Return a list below a label; nothing for an empty one."""
    return f"**{label}**\n\n{bullets(lines)}" if lines else ""


def texts(written: Iterable[tuple[outline.Section, str]]) -> str:
    """Return texts by models one after the other, each under its title and author."""
    return "\n\n".join(
        f"### {section.title} ({section.author})\n\n{as_markdown(text, under=3)}" for section, text in written
    )


def data_sheet(sheet: Sequence[DataSheetRecord]) -> str:
    """Return what the agents were given, a row for answers that differ in their symbol only; nothing for nothing."""
    if not sheet:
        return ""
    rows = [
        (
            f"{group.title} ({group.method})",
            ", ".join(line.symbols),
            group.vendor,
            line.window,
            words.count(line.rows),
            line.known_at,
            line.fetched,
            "" if at else ", ".join(f"{figure.label} {words.figure(figure.value)}" for figure in group.figures),
            "" if at else " ".join(group.notes),
        )
        for group in sheet_groups(sheet)
        for at, line in enumerate(group.lines)
    ]
    header = ("Data", "Symbol", "Vendor", "Window", "Rows", "Known by", "Read", "Figures", "Notes")
    return table(header, rows)


def usage(use: UsageRecord, timing: TimingRecord, what: str) -> str:
    """Return model use by agent, tier and in total, and how long `what` took."""
    rows = [
        (used.name, *map(words.count, (used.calls, used.tokens_in, used.cached, used.tokens_out)), words.usd(used.cost))
        for used in outline.uses(use)
    ]
    header = ("Agent", "Calls", "Tokens in", "of these cached", "Tokens out", "USD")
    note = f"{total} " if (total := outline.uses(use)[-1].note) else ""
    return f"{table(header, rows)}\n\n{note}The {what} took {words.duration(timing['wall_s'])}."


def bullets(lines: Iterable[str]) -> str:
    """Return a list, an item a line."""
    return "\n".join(f"- {line(text)}" for text in lines)


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; what stands in a cell cannot leave it."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in cells) + " |" for cells in lines)


def line(text: str) -> str:
    """Return text as one line of Markdown that opens no HTML."""
    return " ".join(text.split()).replace("<", "&lt;")


def _cell(text: str) -> str:
    return line(text).replace("|", "\\|")
