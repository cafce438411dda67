"""Whether the body of a document is that of a filing, whole: an error page and a part of it are none."""

from __future__ import annotations

import html
import re

from tradingagents.dataflows.reference.investors import name_words
from tradingagents.dataflows.vendors.sec_edgar.submissions import content_type_of

SIZE_OFF = 0.1
"""Share of the size in the list of a filing's documents by which a body may differ; recorded ones are equal."""
_MARKED = ("text/html", "application/xml")
_ENDS = tuple((b"<" + name, b"</" + name) for name in (b"html", b"document>", b"sec-document>", b"ownershipdocument"))
"""Marks that open a whole document, and those that close it."""
_MARKS_BEFORE = b"\xef\xbb\xbf \t\r\n"
LONG = 4
"""Letters of a word that tells a company: shorter ones are in many texts."""
_APOSTROPHE = re.compile("['\u2019]")
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
        return f"which names neither its company nor the form {form}"  # the name of today may be a later one
    if size is not None and abs(len(body) - size) > SIZE_OFF * size:
        return f"which has {len(body)} bytes where EDGAR lists {size}"
    return ""


def _states(plain: bytes, form: str, names: tuple[str, ...]) -> bool:
    """Tell whether a text has a long word of a company's names, one of them whole, or its form.

    The number of a form alone, such as 4, is in many texts: it counts after the word form.
    """
    plain_text = html.unescape(plain.decode("utf-8", errors="replace"))
    text = _words(plain_text) + _words(_APOSTROPHE.sub(" ", plain_text))  # McDonald's, and Apple's
    code = _words(form.lower().removesuffix("/a"))
    wanted = [code if len(code) > len(" 13 ") else f" form{code}"]
    for name in names:
        words = [word for word in _words(name.lower()).split() if word in name_words(name)]
        wanted += [f" {word} " for word in words if len(word) >= LONG] + [f" {' '.join(words)} "]
    return any(one in text for one in wanted if one.strip())


def _words(text: str) -> str:
    """Return a text in lower case as words of letters and digits, between blanks."""
    return f" {_BLANK.sub(' ', _APOSTROPHE.sub('', text)).strip()} "
