"""Whether the body of a document is that of a filing, whole: an error page and a part of it are none."""

from __future__ import annotations

import re

from tradingagents.dataflows.reference.investors import name_words
from tradingagents.dataflows.vendors.sec_edgar.submissions import content_type_of

SIZE_OFF = 0.1
"""Share of the size in the list of a filing's documents by which a body may differ; recorded ones are equal."""
_MARKED = ("text/html", "application/xml")
_ENDS = tuple((b"<" + name, b"</" + name) for name in (b"html", b"document>", b"sec-document>", b"ownershipdocument"))
"""Marks that open a whole document, and those that close it."""
_MARKS_BEFORE = b"\xef\xbb\xbf \t\r\n"
_BLANK = re.compile(r"[^a-z0-9]+")


def why_not_of_filing(
    body: bytes, path: str, *, size: int | None = None, form: str = "", names: tuple[str, ...] = ()
) -> str:
    """Return why a body cannot be the document of a filing, as a clause; empty if it can.

    Args:
        body: What was sent.
        path: Path of the document, whose ending is its type.
        size: Bytes that EDGAR's list of the filing's documents gives it; None where that is not known.
        form: Form of the filing; with the names, one of which or the form each main document states.
        names: Name of the company and its former ones; empty: neither is looked for, as in an exhibit.
    """
    kind, plain = content_type_of(path), body.lower()
    start = plain.lstrip(_MARKS_BEFORE)[:1]
    if not start:
        return "which is empty"
    if kind == "application/pdf":
        if b"%pdf" not in plain[:1024]:
            return "which is no PDF"
    elif kind in _MARKED and start != b"<":
        return "which does not begin as a page of the archive"
    elif any(opening in plain and closing not in plain for opening, closing in _ENDS):
        return "which ends before its end"
    elif names and not _states(plain, form, names):
        return f"which names neither {names[0]} nor the form {form}"
    if size is not None and abs(len(body) - size) > SIZE_OFF * size:
        return f"which has {len(body)} bytes where EDGAR lists {size}"
    return ""


def _states(plain: bytes, form: str, names: tuple[str, ...]) -> bool:
    """Tell whether a text has a word of a company's names, or its form; the number of a form alone is said with it."""
    text = f" {_BLANK.sub(' ', plain.decode('utf-8', errors='replace'))} "
    code = _BLANK.sub(" ", form.lower().removesuffix("/a")).strip()
    wanted = code if " " in code or len(code) > 2 else f"form {code}"
    words = {word for name in names for word in name_words(name)}
    return f" {wanted} " in text or any(f" {_BLANK.sub(' ', word).strip()} " in text for word in words)
