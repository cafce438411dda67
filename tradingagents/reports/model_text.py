"""Makes models' Markdown safe for reports: it can't run code or break out of its block."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.token import Token
from markdown_it.utils import EnvType
from markupsafe import Markup, escape

from tradingagents.analytics.company.metric_names import LABELS
from tradingagents.files.plain_text import clean
from tradingagents.reports.anchors import figure_link, tool_link
from tradingagents.reports.names import figure_label, figure_named, for_people, identifiers, is_tool, label_in_text

_DEEPEST = 6
_KEPT = 128
"""Texts whose rendering is remembered: those of one document, whose parts stand in several of its files."""
_KEPT_OPENINGS = 1024
_STRUCTURE = re.compile(r"^(?:[>*+\-\d.)]|[^\S\n])*+(?:#|<|```|~~~)|^(?:>|[^\S\n])*+(?:=++|-++)[ \t]*+$", re.MULTILINE)
"""A line that may start a heading, an HTML block or a fence; text without one is used unparsed."""
_HASHES = re.compile(r"(#{1,6})(?=[ \t]|$)")
_BELOW_HEADER = re.compile(r"[\s|:-]+")
"""The line below the header of a table."""
_MARKED = re.compile(r"[^\w .,;:%$()/'=?+-]|_")
"""A character with a possible meaning in Markdown or HTML, or not known to be harmless; most lines have none."""
_ONE_PLAIN_LINE = re.compile(r"[A-Za-z](?:[^\W_]|[ .,;:%$()/'=?+-])*(?<! )")
"""A paragraph on one line without such characters: it begins no list, and has no break at its end."""
_TAG = re.compile(r"<(?=[A-Za-z/!?])(?!https?://[^\s<>]*>)")
"""The start of an HTML tag or comment, but not an address in angle brackets."""
_STARTS = re.compile(r"[\n\\`~*_\[\]!<&]")
"""Where a rule of a line may begin; the parser also stops at characters that extensions use, such as `-` and `%`."""
_OPENING = 600
"""Length of the opening that is examined."""
_VALUE = re.compile(r"[+\-\u2212±~≈<>]{0,2}[$€£¥]?[.,]*+\d[\d.,]*+\s?[A-Za-z%\u00d7$€£]{0,8}(?: [A-Z]{3})?")
"""A cell with one value and its unit, such as `111.21 USD` or `35.17B USD`, which is kept on one line."""
_WIDEST_VALUE = 24
_TRACED_MARKS = re.compile("[\ue0f1\ue0f2]")
_PROVENANCE = re.compile(r"\(source [^()]*\)")
"""The source line at the start of a tool's answer, which isn't part of its content."""


@lru_cache(maxsize=_KEPT)
def as_html(text: str, *, under: int) -> Markup:
    """Render a model's Markdown as HTML with its headings below level `under`.

    HTML in it is shown as text, images as their description; only http and https links become links.
    """
    if _ONE_PLAIN_LINE.fullmatch(text) and not identifiers(text):
        return Markup(f"<p>{text}</p>\n")  # noqa: S704 - nothing in it is Markdown, nor HTML
    return _render(markdown_tokens(text, under=under))


def markdown_tokens(text: str, *, under: int) -> list[Token]:
    """Parse a model's Markdown for a renderer; its headings are below level `under`.

    HTML in it is text; only http and https links are links.
    """
    tokens = _html_parser().parse(text)
    headings = [token for token in tokens if token.type in ("heading_open", "heading_close")]
    shift = _shift(headings, under)
    for token in headings:
        token.tag = f"h{min(_DEEPEST, _level(token) + shift)}"
    return tokens


def inline_tokens(text: str) -> list[Token]:
    """Parse one line of Markdown (emphasis, code, links) for a renderer."""
    return [child for token in _html_parser().parseInline(text) for child in token.children or ()]


def as_inline_html(text: str) -> Markup:
    """Render one line of a model's Markdown (emphasis, code, links) without a paragraph around it."""
    if not _MARKED.search(text) and not identifiers(text):
        return Markup(text)  # noqa: S704 - nothing in it is Markdown, nor HTML
    return _render(_html_parser().parseInline(text))


@lru_cache(maxsize=_KEPT)
def as_markdown(text: str, *, under: int) -> str:
    """Return a model's Markdown with its headings below level `under` and every block closed.

    HTML blocks become text and an open fence is closed, so that the rest of the file is rendered correctly.
    """
    text = re.sub(r"\r\n?", "\n", text.strip())
    if not _STRUCTURE.search(text):
        return text
    outline = _outline(text)
    shift = under + 1 - min((one.level for one in outline.headings), default=1)
    lines = list(outline.lines)
    for heading in reversed(outline.headings):
        hashes = "#" * min(_DEEPEST, heading.level + shift)
        if heading.marked:
            lines[heading.first] = re.sub("#+", hashes, lines[heading.first], count=1)
        elif not heading.within:
            body = lines[heading.first : heading.last - 1]
            lines[heading.first : heading.last] = [f"{hashes} {' '.join(line.strip() for line in body)}"]
    return "\n".join([*lines, outline.end] if outline.end else lines)


class _HeadingLines(NamedTuple):
    """A heading in the lines of a text."""

    level: int
    first: int
    last: int
    """The line after it."""
    marked: bool
    """Whether it begins with `#`; otherwise it is underlined."""
    within: bool
    """Whether it stands in a list or a quote."""


class _Outline(NamedTuple):
    """What `as_markdown` changes in a text, whatever the level of its headings."""

    lines: tuple[str, ...]
    """HTML blocks are text."""
    headings: tuple[_HeadingLines, ...]
    end: str | None
    """The line that closes an open fence; None if nothing is open."""


@lru_cache(maxsize=_KEPT)
def _outline(text: str) -> _Outline:
    lines = text.split("\n")
    if (simple := _plain_headings(lines)) is not None:
        return _Outline(tuple(lines), simple, None)
    tokens = _block_parser().parse(text)
    if any(token.type == "html_block" for token in tokens):
        lines = _html_blocks_as_text(tokens, lines)
        tokens = _block_parser().parse("\n".join(lines))
    headings = tuple(
        _HeadingLines(_level(token), token.map[0], token.map[1], token.markup.startswith("#"), token.level > 0)
        for token in tokens
        if token.type == "heading_open" and token.map
    )
    return _Outline(tuple(lines), headings, _missing_end([token for token in tokens if token.level == 0], lines))


def harmless_markdown(text: str) -> str:
    """Return a Markdown file that is safe to render and to print on a terminal.

    HTML tags become text; terminal escapes, control characters and direction marks are removed.
    """
    return _TAG.sub("&lt;", clean(text))


def first_words(text: str, limit: int = 150, enough: int = 50) -> str:
    """Return the opening of a model's text: its first paragraphs as plain words, until there are `enough` letters.

    Cut at a word near `limit`; empty if there is no paragraph.
    """
    return _first_words(text[:_OPENING], limit, enough)


@lru_cache(maxsize=_KEPT_OPENINGS)
def _first_words(opening: str, limit: int, enough: int) -> str:
    # The first paragraphs are mostly enough; where a line may define a link, it may be used before it.
    end = opening.find("\n\n", enough) if "]:" not in opening else -1
    line = _first_paragraphs(opening[:end], enough) if end > 0 else ""
    if len(line) < enough:
        line = _first_paragraphs(opening, enough)
    return line if len(line) <= limit else line[:limit].rsplit(" ", 1)[0].rstrip(",;:.") + " …"


def _first_paragraphs(opening: str, enough: int) -> str:
    """Return the first paragraphs as plain words, until there are `enough` letters."""
    references: dict[str, Any] = {}
    line = ""
    for before, token in pairwise(_opening_parser().parse(opening, references)):
        if before.type == "paragraph_open" and len(line) < enough:
            (inline,) = _html_parser().parseInline(token.content, references)
            words = " ".join(for_people(_plain(inline.children or [])).split())
            if _PROVENANCE.fullmatch(words):
                continue
            line = f"{line} · {words}" if line else words
    return line


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802 - the name markdown-it calls
        return url.lower().startswith(("http://", "https://"))


class _PlainOrMarked(ParserInline):
    """Takes a line in which no rule can begin as it is: most cells of tables are numbers."""

    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        if not src or _STARTS.search(src):
            return super().parse(src, md, env, tokens)
        tokens.append(Token("text", "", 0, content=src))
        return tokens


@lru_cache(maxsize=1)
def _html_parser() -> MarkdownIt:
    parser = _Parser("commonmark", {"html": False}).enable(["table", "strikethrough"])
    inline = _PlainOrMarked()
    inline.ruler, inline.ruler2 = parser.inline.ruler, parser.inline.ruler2
    inline.terminator_re = _STARTS  # figures are full of signs that mean nothing here
    parser.inline = inline
    return parser


@lru_cache(maxsize=1)
def _opening_parser() -> MarkdownIt:
    """Return the parser of pages without its second step, which only few paragraphs of an opening need."""
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("inline")


@lru_cache(maxsize=1)
def _block_parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table").disable("inline")


def _render(tokens: list[Token]) -> Markup:
    parser = _html_parser()
    markup = parser.renderer.render(list(_fit_for_page(tokens)), parser.options, {})
    return Markup(markup)  # noqa: S704 - the parser escapes all HTML, `validateLink` guards the links


def _fit_for_page(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the tokens for the page: safe links, no images, scrolling tables, no style attributes.

    Short names of figures and tools become readable names; in tables they link to the data sheet.
    """
    cell: Token | None = None
    column, tool = 0, ""
    for at, token in enumerate(tokens):
        if token.type == "link_open":
            token.attrs.update({"rel": "noopener noreferrer nofollow", "target": "_blank"})
        elif token.type in ("th_open", "td_open"):
            # The page's policy forbids style attributes, which markdown-it uses to align cells.
            side = str(token.attrs.pop("style", "")).removeprefix("text-align:")
            token.attrs.update({"class": side} if side in ("right", "center") else {})
        if token.type == "tr_open":
            column, tool = 0, _tool_of_row(tokens, at)
        column += token.type == "td_close"
        cell = token if token.type == "td_open" else None if token.type == "td_close" else cell
        if token.type == "inline" and cell is not None:
            _fit_cell(cell, token, tool, first=column == 0)
        if token.children:
            token.children = list(_fit_for_page(token.children))
        if token.type in ("text", "code_inline") and (found := identifiers(token.content)):
            yield from _named(token, found)
            continue
        if token.type == "table_open":
            yield Token("html_block", "", 0, content='<div class="scroll">')
        yield token if token.type != "image" else Token("text", "", 0, content=f"[image: {_plain([token])}]")
        if token.type == "table_close":
            yield Token("html_block", "", 0, content="</div>\n")


def _tool_of_row(tokens: Sequence[Token], at: int) -> str:
    """Return the tool that a table's row names in its last cell; empty for none."""
    last = ""
    for token in tokens[at + 1 :]:
        if token.type == "tr_close":
            break
        if token.type == "inline":
            last = token.content.partition(",")[0].strip("*` \t")
    return last if is_tool(last) else ""


def _fit_cell(cell: Token, content: Token, tool: str, *, first: bool) -> None:
    """Keep a value on one line, and link the figure or the tools in a cell to the data sheet."""
    text = _TRACED_MARKS.sub("", content.content).strip("*` \t")
    tools = [part.strip("` ") for part in text.split(",")]
    if first and tool and (name := figure_named(text)):
        content.children = [_markup(figure_link(name, tool, figure_label(name)))]
    elif first and text in LABELS:
        content.children = [_markup(f'<span class="named" title="{escape(text)}">{escape(figure_label(text))}</span>')]
    elif (not first or text.startswith("get_")) and all(map(is_tool, tools)):  # first stand names of other things
        content.children = [_markup(", ".join(map(tool_link, tools)))]
    elif not first and len(text) <= _WIDEST_VALUE and _VALUE.fullmatch(text):
        cell.attrSet("class", f"{cell.attrs.get('class', '')} value".strip())


def _named(token: Token, found: Sequence[re.Match[str]]) -> Iterator[Token]:
    """Yield a text with short names replaced by readable ones; the short name becomes the title."""
    if token.type == "code_inline" and found[0][0] != token.content.strip():
        yield token
        return
    at = 0
    for name in found:
        if name.start() > at:
            yield Token("text", "", 0, content=token.content[at : name.start()])
        label = escape(label_in_text(name[0]) or name[0])
        yield _markup(f'<span class="named" title="{escape(name[0])}">{label}</span>')
        at = name.end()
    if at < len(token.content):
        yield Token("text", "", 0, content=token.content[at:])


def _markup(html: str) -> Token:
    return Token("html_inline", "", 0, content=html)


def _shift(headings: Sequence[Token], under: int) -> int:
    return under + 1 - min((_level(token) for token in headings), default=1)


def _level(heading: Token) -> int:
    return int(heading.tag[1:])


def _plain_headings(lines: Sequence[str]) -> tuple[_HeadingLines, ...] | None:
    """Return the headings of a text whose only structure is lines that begin with `#`; None for any other text.

    Such a line ends whatever stands before it, unless the line below makes it the header of a table. It saves the
    parsing of most reports.
    """
    found = []
    for at, (line, below) in enumerate(zip(lines, [*lines[1:], ""], strict=True)):
        if not _STRUCTURE.match(line):
            continue
        heading = _HASHES.match(line)
        if heading is None or _BELOW_HEADER.fullmatch(below):
            return None
        found.append(_HeadingLines(len(heading[1]), at, at + 1, marked=True, within=False))
    return tuple(found)


def _html_blocks_as_text(tokens: Sequence[Token], lines: list[str]) -> list[str]:
    for token in tokens:
        if token.type == "html_block" and token.map:
            first, last = token.map
            lines[first:last] = [line.replace("<", "&lt;") for line in lines[first:last]]
    return lines


def _missing_end(tokens: Sequence[Token], lines: Sequence[str]) -> str | None:
    """Return the line that closes an open fence at the end of the text; None if nothing is open."""
    if not tokens or tokens[-1].type != "fence":
        return None
    fence = tokens[-1].markup
    body = lines[-1].strip() if tokens[-1].map and tokens[-1].map[1] - tokens[-1].map[0] > 1 else ""
    closed = len(body) >= len(fence) and set(body) == {fence[0]}
    return None if closed else fence


def _plain(tokens: Sequence[Token]) -> str:
    return "".join(
        " " if token.type in ("softbreak", "hardbreak") else _plain(token.children) if token.children else token.content
        for token in tokens
    )
