"""HTML and XHTML as a tree of elements: parsed without network, entities or scripts, and not too deep."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lxml import etree, html

from tradingagents.errors import UnreadableDocument
from tradingagents.retrieval.reading.limits import MAX_DEPTH

Element = Any
"""An element of lxml, which has no types of its own."""

DROPPED = frozenset(
    {"script", "style", "head", "noscript", "template", "iframe", "object", "svg", "header_ix", "title"}
)
_DECLARED = re.compile(rb"^\s*(?:\xef\xbb\xbf)?\s*<\?xml\b")
_SPACES = re.compile(r"\s+")
_INVISIBLE = str.maketrans("", "", "\u200b\u200c\u200d\u2060\ufeff\u00ad")
_SIZE = re.compile(r"^([\d.]+)(pt|px|em|rem|%|in)?$")
_POINTS = {"pt": 1.0, "px": 0.75, "em": 10.0, "rem": 10.0, "%": 0.1, "in": 72.0, "": 0.75}


@dataclass(frozen=True, slots=True)
class Style:
    """What a style attribute says of the things that matter for reading."""

    hidden: bool = False
    bold: bool | None = None
    italic: bool | None = None
    underlined: bool = False
    size: float | None = None
    """Font size in points."""
    raised: bool = False
    """Superscript: the number of a footnote."""
    gap: bool = False
    """Space to the left that stands for a space between words."""
    page_before: bool = False
    page_after: bool = False


PLAIN = Style()


def parse(content: bytes) -> Element:
    """Parse HTML or XHTML; return its root.

    Raises:
        UnreadableDocument: It holds no element, or its elements are nested too deep.
    """
    root = _parse_xml(content) if _DECLARED.match(content) and b"<!ENTITY" not in content else None
    if root is None:
        root = _parse_html(content)
    _check_depth(root)
    return root


def _parse_xml(content: bytes) -> Element | None:
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True, remove_comments=True, remove_pis=True
    )
    try:
        return etree.fromstring(content, parser)
    except etree.XMLSyntaxError:
        return None  # not well-formed: the HTML parser reads it


def _parse_html(content: bytes) -> Element:
    parser = html.HTMLParser(
        no_network=True, huge_tree=True, remove_comments=True, remove_pis=True, encoding=_encoding(content)
    )
    try:
        root = html.document_fromstring(content, parser=parser, ensure_head_body=False)
    except (etree.ParserError, etree.XMLSyntaxError, AssertionError) as error:
        raise UnreadableDocument(
            f"The HTML holds no text that can be read ({error}); get the document again."
        ) from error
    return root


def _encoding(content: bytes) -> str | None:
    """Return UTF-8 where the content is UTF-8 and names no other encoding; lxml would assume Latin-1."""
    if re.search(rb"charset\s*=|encoding\s*=", content[:2048], re.IGNORECASE):
        return None
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def _check_depth(root: Element) -> None:
    depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > MAX_DEPTH:
            raise UnreadableDocument(
                f"The HTML is nested deeper than {MAX_DEPTH} levels; convert it to plain text or PDF and add that."
            )


@lru_cache(maxsize=1024)
def _local(tag: str) -> str:
    name = tag.rpartition("}")[2].rpartition(":")[2].lower()
    inline = "inlinexbrl" in tag.lower() or tag.lower().startswith("ix:")
    return "header_ix" if inline and name == "header" else name


def local(element: Element) -> str:
    """Return an element's name in lower case, without its namespace; an empty text for what is no element."""
    return _local(element.tag) if isinstance(element.tag, str) else ""


def style_of(element: Element) -> Style:
    """Return what an element's own attributes say about its looks."""
    text = element.get("style")
    found = _style(text) if text else PLAIN
    if element.get("hidden") is not None:
        return Style(hidden=True)
    return found


@lru_cache(maxsize=8192)
def _style(text: str) -> Style:
    rules: dict[str, str] = {}
    for rule in text.lower().split(";"):
        name, _, value = rule.partition(":")
        rules[name.strip()] = value.replace("!important", "").strip()
    weight = rules.get("font-weight", "")
    size = _points(rules.get("font-size", ""))
    slant = rules.get("font-style", "")
    return Style(
        hidden=rules.get("display") == "none" or rules.get("visibility") == "hidden" or size == 0,
        bold=None if not weight or weight == "inherit" else weight.startswith("bold") or weight in _HEAVY,
        italic=None if not slant else slant in ("italic", "oblique"),
        underlined="underline" in rules.get("text-decoration", ""),
        size=size,
        raised=rules.get("vertical-align") == "super",
        gap=_gap(rules),
        page_before=_breaks(rules, "before"),
        page_after=_breaks(rules, "after"),
    )


_HEAVY = frozenset({"600", "700", "800", "900"})


def _gap(rules: dict[str, str]) -> bool:
    if rules.get("display") == "inline-block":
        return True
    return any((_points(rules.get(name, "")) or 0) >= 1 for name in ("padding-left", "margin-left"))


def _breaks(rules: dict[str, str], side: str) -> bool:
    return rules.get(f"page-break-{side}") in ("always", "left", "right") or rules.get(f"break-{side}") == "page"


def _points(value: str) -> float | None:
    found = _SIZE.match(value)
    try:
        return float(found[1]) * _POINTS[found[2] or ""] if found else None
    except ValueError:
        return None


def clean(text: str) -> str:
    """Return a text with each run of white space as one space, and without characters that cannot be seen."""
    return _SPACES.sub(" ", text.translate(_INVISIBLE)).strip()
