"""Links within a document, as marks in its texts that each renderer turns into what its format has.

A mark holds the id of its target and the words that are shown. A page and a PDF make links of those whose target they
contain; Markdown shows the words.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_OPEN, _BETWEEN, _CLOSE = "\ue0f5", "\ue0f6", "\ue0f7"
_MARK = re.compile(f"{_OPEN}([a-z0-9-]{{1,80}}){_BETWEEN}([^{_OPEN}{_BETWEEN}{_CLOSE}<>]{{1,120}}){_CLOSE}")


def inner_link(target: str, words: str) -> str:
    """Return the mark of a link to an id of the document."""
    return f"{_OPEN}{target}{_BETWEEN}{words}{_CLOSE}"


def without_links(text: str) -> str:
    """Return a text with the words of its links only; nothing of a mark remains, not even of a broken one."""
    if _OPEN not in text and _BETWEEN not in text and _CLOSE not in text:
        return text
    text = _MARK.sub(r"\2", text)
    return text.replace(_OPEN, "").replace(_BETWEEN, "").replace(_CLOSE, "")


def links_in_html(page: str) -> str:
    """Turn marks of a rendered page into links; `anchors.resolved` removes those without a target."""
    if _OPEN not in page:
        return without_links(page)
    return without_links(_MARK.sub(r'<a class="inner" href="#\1">\2</a>', page))


def split_links(text: str, plain: Callable[[str], str], link: Callable[[str, str], str]) -> str:
    """Return a text with its plain parts and its links each turned into markup.

    Args:
        text: The text.
        plain: Turns a part without links into markup.
        link: Turns a target and the words shown into markup.
    """
    if _OPEN not in text:
        return plain(without_links(text))
    parts, at = [], 0
    for found in _MARK.finditer(text):
        parts += [plain(without_links(text[at : found.start()])), link(found[1], found[2])]
        at = found.end()
    return "".join([*parts, plain(without_links(text[at:]))])
