"""Blocks shared by reports: texts, articles, the data sheet, warnings, model use."""

from __future__ import annotations

from collections.abc import Sequence

from tradingagents.dataflows.reference.data_faults import FAULT_KINDS
from tradingagents.reports import formatting as words
from tradingagents.reports.articles_read import ArticleGroup, article_groups
from tradingagents.reports.citation_marks import tally
from tradingagents.reports.document import (
    Block,
    Bullets,
    Card,
    Heading,
    Line,
    Prose,
    Section,
    Table,
    one_line_of_markdown,
)
from tradingagents.reports.sections import TextSection, uses
from tradingagents.reports.sheet_groups import SheetGroup, sheet_groups
from tradingagents.schemas.cards import CardRecord
from tradingagents.schemas.records import DataFaultRecord, TimingRecord, UsageRecord

_LINK_SAFE = str.maketrans({"(": "%28", ")": "%29", "[": "%5B", "]": "%5D", "|": "%7C", "'": "%27"})
_LABEL_SAFE = str.maketrans({"[": "(", "]": ")"})


def texts(written: Sequence[tuple[TextSection, str]], *, open_first: bool = False) -> list[Card]:
    """Return texts by models, each under its title and author; nothing for none."""
    plain: list[Block] = []
    for section, text in written:
        plain += [Heading(f"{section.title} ({section.author})"), Prose(text)]
    return [Card("texts", (written, open_first), plain)] if written else []


def articles(groups: Sequence[ArticleGroup]) -> list[Card]:
    """Return the articles shown to agents, one table per request; nothing for none."""
    plain: list[Block] = []
    for group in groups:
        rows = []
        for row in group.rows:
            title = one_line_of_markdown(row.title).translate(_LABEL_SAFE)
            linked = f"[{title}]({row.link.translate(_LINK_SAFE)})" if row.link else title
            rows.append((linked, row.publisher, row.published, row.relevance, row.agents))
        table = Table(("Article", "Publisher", "Published", "Relevance", "Read by"), rows)
        plain += [Heading(f"{group.title} ({group.tool})"), table]
    return [Card("articles", (groups,), plain)] if groups else []


def sheet_table(groups: Sequence[SheetGroup]) -> Table:
    """Return a data sheet as a table, with one row for answers that differ in their symbol only."""
    rows = [
        (
            f"{group.title} ({group.method})",
            ", ".join(line.symbols),
            group.vendor,
            line.window,
            words.count(line.rows),
            line.known_at,
            line.fetched,
            "" if number else ", ".join(f"{figure.label} {words.figure(figure.value)}" for figure in group.figures),
            "" if number else " ".join(group.notes),
        )
        for group in groups
        for number, line in enumerate(group.lines)
    ]
    return Table(("Data", "Symbol", "Vendor", "Window", "Rows", "Known by", "Read", "Figures", "Notes"), rows)


def warnings_on_page(lines: Sequence[str], *, menu: str = "") -> Section:
    """Return the warnings of a page, near the top."""
    return Section("Warnings", [Card("warnings", (lines,))] if lines else [], id="warnings", menu=menu, only="page")


def what_it_rests_on(
    record: CardRecord,
    plain: Table | None = None,
) -> list[Section]:
    """Return the sections on sources: what the data gate found, the articles and the data sheet.

    Args:
        record: The run.
        plain: The data sheet of files; None for the whole of it.
    """
    sheet, traced = record.data_sheet, tally(record.grounding)
    groups = sheet_groups(sheet)
    read = articles(article_groups(record))
    data = Card("data", (groups, record.cutoff, traced), [Line(traced), plain or sheet_table(groups)])
    faults = record.data_faults
    return [
        Section(
            "Data faults", [fault_table(faults)] if faults else [], id="faults", menu="Data faults" if faults else ""
        ),
        Section("What was read", read, id="read", menu="Articles"),
        Section("Data sheet", [data], id="data", menu="Data", only=None if sheet else "file"),
    ]


def fault_table(faults: Sequence[DataFaultRecord]) -> Table:
    """Return what the data gate found in the vendors' answers, figures that are absent because of it first."""
    meanings = {str(kind): meaning.seen for kind, meaning in FAULT_KINDS.items()}
    rows = [
        (
            " ".join(part for part in (fault.subject, fault.day or "") if part),
            fault.vendor,
            fault.what,
            fault.done,
            "withheld" if fault.withholds else "",
            meanings.get(fault.kind, ""),
            fault.page,
        )
        for fault in sorted(faults, key=lambda fault: not fault.withholds)
    ]
    return Table(
        ("Data", "Vendor", "What cannot be true", "What was done", "Figures", "How it is recognised", "Kind"), rows
    )


def how_it_ran(warnings: Sequence[str], usage: UsageRecord, timing: TimingRecord, what: str) -> list[Section]:
    """Return the last sections: warnings (files only), and model use; `what` is what the time is given for."""
    used = uses(usage)
    rows = [
        (use.name, *map(words.count, (use.calls, use.tokens_in, use.cached, use.tokens_out)), words.usd(use.cost))
        for use in used
    ]
    note = used[-1].note
    plain: list[Block] = [
        Table(("Agent", "Calls", "Tokens in", "of these cached", "Tokens out", "USD"), rows),
        Line(f"{f'{note} ' if note else ''}The {what} took {words.duration(timing.wall_s)}."),
    ]
    return [
        Section("Warnings", [Bullets(warnings)] if warnings else [], only="file"),
        Section("Model use", [Card("model_use", (rows, note, timing, what), plain)], id="use", menu="Model use"),
    ]
