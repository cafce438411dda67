"""The document model of reports: a run kind makes a `Document` of its record, and renderers make files of it.

A renderer must know the plain blocks (`Heading`, `Prose`, `Line`, `Table`, `Bullets`, `Notice`). A `Card` is a block
that a page shows in a form of its own; every other renderer shows the plain blocks it consists of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Medium = Literal["page", "file"]
"""`page`: HTML, with links, charts and cards. `file`: Markdown, plain blocks only."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading within a section, of level 3 or below."""

    text: str
    level: int = 3


@dataclass(frozen=True, slots=True)
class Prose:
    """A model's Markdown; its own headings are moved below a level."""

    text: str
    under: int = 3


@dataclass(frozen=True, slots=True)
class Line:
    """A paragraph of ours, as Markdown: texts from outside it must be escaped with `one_line_of_markdown`."""

    markdown: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table; nothing in a cell can leave it."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list, an item a line."""

    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class Notice:
    """What a reader must know first, set off from the rest."""

    text: str


@dataclass(frozen=True, slots=True)
class Card:
    """A block that a page shows in a form of its own."""

    macro: str
    """Of `blocks.html.j2`; a page without it shows the plain blocks."""
    arguments: tuple[Any, ...]
    """What the macro is given."""
    plain: Sequence[Block] = ()
    """The same for every other renderer; nothing for what only a page can show."""


Block: TypeAlias = "Heading | Prose | Line | Table | Bullets | Notice | Card"


@dataclass(frozen=True, slots=True)
class Section:
    """A chapter; renderers leave out one without content."""

    title: str
    blocks: Sequence[Block]
    id: str = ""
    """Where a page's links lead; empty for blocks without a section around them."""
    menu: str = ""
    """What the page's menu calls it; empty to leave it out of the menu."""
    only: Medium | None = None
    """The one medium that has it; None for all."""


@dataclass(frozen=True, slots=True)
class File:
    """A part of a report with a Markdown file of its own."""

    path: str
    title: str
    blocks: Sequence[Block | Section]


@dataclass(frozen=True, slots=True)
class Masthead:
    """What stands above a page's sections."""

    title: str
    """Of the browser's tab."""
    eyebrow: str
    """The kind of report, small above the heading."""
    heading: str
    detail: str
    """Beside the heading: the ticker or the day."""
    facts: Sequence[tuple[str, str]]
    identity: str
    """What the footer calls the run."""
    links: Sequence[tuple[str, str]] = ()
    """Words and addresses of related pages."""
    versions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Document:
    """A report, whatever it is rendered as."""

    title: str
    facts: Sequence[tuple[str, str]]
    """Names and values; those without a value are left out."""
    masthead: Masthead
    sections: Sequence[Section]
    notice: str | None = None
    """Why the report is partial or degraded."""
    files: Sequence[File] = ()
    """Parts that have a Markdown file of their own, beside the file with everything."""
    attachments: Mapping[str, str] = field(default_factory=dict)
    """Other files by relative path, written as they are."""
    style: str = ""
    """Style sheet of this kind's pages, beside the one that all pages have."""
    inline_styles: Sequence[str] = ()
    """Style sheets that the page's figures bring along."""
    used_in: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)
    """By tool, the parts of the page that name it, each as (id, title)."""


def labelled(label: str, text: str | None, *, under: int = 3) -> list[Block]:
    """Return a model's text below a label; nothing where there is none."""
    return [Line(f"**{label}**"), Prose(text, under)] if text and text.strip() else []


def labelled_list(label: str, lines: Sequence[str]) -> list[Block]:
    """Return a list below a label; nothing for an empty one."""
    return [Line(f"**{label}**"), Bullets(lines)] if lines else []


def one_line_of_markdown(text: str) -> str:
    """Return text as one line of Markdown that opens no HTML."""
    return " ".join(text.split()).replace("<", "&lt;")
