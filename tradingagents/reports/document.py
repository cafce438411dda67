"""The document model of reports: a run kind creates a `Document` from its record, and renderers write files.

A renderer supports the plain blocks (`Heading`, `Prose`, `Line`, `Table`, `Bullets`, `Notice`). A `Card` is a block
with a special form on a page; other renderers show the plain blocks in it.
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
    id: str = ""
    """Target of inner links; empty for none."""


@dataclass(frozen=True, slots=True)
class Prose:
    """A model's Markdown; its headings are moved below a level."""

    text: str
    under: int = 3


@dataclass(frozen=True, slots=True)
class Line:
    """A paragraph of the library's own text, as Markdown: escape text from outside with `one_line_of_markdown`."""

    markdown: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table; cells are escaped."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list, one line per item."""

    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class Notice:
    """An important notice, set off from the rest."""

    text: str


@dataclass(frozen=True, slots=True)
class Card:
    """A block with a special form on a page."""

    macro: str
    """Name in `blocks.html.j2`; a page without it shows the plain blocks."""
    arguments: tuple[Any, ...]
    """Arguments of the macro."""
    plain: Sequence[Block] = ()
    """Plain blocks for other renderers; none for content that only a page can show."""


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A chart with what a reader needs to read it; files without pictures show its numbers as a table."""

    number: int
    title: str
    unit: str
    """Unit and span of what is drawn, such as `USD a share`."""
    source: str
    """Where the numbers come from."""
    charts: Sequence[tuple[str, str]] = ()
    """SVG by width: `wide` for screens and paper, `narrow` for phones; empty where there are no data."""
    table: Table | None = None
    """What is drawn, as numbers."""
    missing: str = ""
    """Why nothing is drawn."""

    @property
    def caption(self) -> str:
        """Number and title."""
        return f"Exhibit {self.number}. {self.title}"


Block: TypeAlias = "Heading | Prose | Line | Table | Bullets | Notice | Card | Exhibit"


@dataclass(frozen=True, slots=True)
class Section:
    """A chapter; one without content is not rendered."""

    title: str
    blocks: Sequence[Block]
    id: str = ""
    """Target of the page's links; empty for blocks without a section around them."""
    menu: str = ""
    """Name in the page's menu; empty to leave it out."""
    only: Medium | None = None
    """The only medium that contains it; None for all."""


@dataclass(frozen=True, slots=True)
class File:
    """A part of a report with its own Markdown file."""

    path: str
    title: str
    blocks: Sequence[Block | Section]


@dataclass(frozen=True, slots=True)
class Masthead:
    """The header above a page's sections."""

    title: str
    """Of the browser's tab."""
    eyebrow: str
    """The kind of report, in small type above the heading."""
    heading: str
    detail: str
    """Next to the heading: the ticker or the day."""
    facts: Sequence[tuple[str, str]]
    identity: str
    """Name of the run in the footer."""
    links: Sequence[tuple[str, str]] = ()
    """Texts and addresses of related pages."""
    versions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Document:
    """A report, independent of its format."""

    title: str
    facts: Sequence[tuple[str, str]]
    """Names and values; those without a value are left out."""
    masthead: Masthead
    sections: Sequence[Section]
    notice: str | None = None
    """Why the report is partial or degraded."""
    market_note: str | None = None
    """That the market is made up; None for a real one."""
    files: Sequence[File] = ()
    """Parts with their own Markdown file, in addition to the complete file."""
    attachments: Mapping[str, str] = field(default_factory=dict)
    """Other files by relative path, written unchanged."""
    style: str = ""
    """Style sheet of this kind's pages, in addition to the common one."""
    inline_styles: Sequence[str] = ()
    """Style sheets of the page's figures."""
    contents: bool = False
    """Whether its PDF has a page of contents, and draws its own charts only."""
    used_in: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)
    """By tool, the parts of the page that mention it, each as (id, title)."""


def labelled(label: str, text: str | None, *, under: int = 3) -> list[Block]:
    """Return a model's text below a label; nothing if there is none."""
    return [Line(f"**{label}**"), Prose(text, under)] if text and text.strip() else []


def labelled_list(label: str, lines: Sequence[str]) -> list[Block]:
    """Return a list below a label; nothing for an empty one."""
    return [Line(f"**{label}**"), Bullets(lines)] if lines else []


def one_line_of_markdown(text: str) -> str:
    """Return text as one line of Markdown without HTML."""
    return " ".join(text.split()).replace("<", "&lt;")
