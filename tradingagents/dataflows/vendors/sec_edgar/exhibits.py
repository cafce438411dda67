"""The exhibits of a filing that read like reports: earnings releases, and annual reports to shareholders."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

_WANTED = {
    "8-K": re.compile(r"EX-99(?:\.\d{1,2})?"),
    "6-K": re.compile(r"EX-99(?:\.\d{1,2})?"),
    "10-K": re.compile(r"EX-13(?:\.\d{1,2})?"),
}
"""Exhibits by form: what a company tells its investors, and the statements that a report refers to."""
_READABLE = (".htm", ".html", ".txt", ".pdf")
MOST_EXHIBITS = 4
_ROW = re.compile(r"<tr\b[^>]*>(.*?)</tr>", re.DOTALL | re.IGNORECASE)
_CELL = re.compile(r"<td\b[^>]*>(.*?)</td>", re.DOTALL | re.IGNORECASE)
_LINK = re.compile(r"""<a\b[^<>]{0,500}?href=["'](?:/ix\?doc=)?/Archives/([^"'?#]{1,500})["']""", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_TYPE_CELL = 3


def may_have_exhibits(form: str) -> bool:
    """Tell whether filings of a form may come with exhibits that are read."""
    return form.upper().removesuffix("/A") in _WANTED


def read_exhibits(page: bytes, form: str, folder: str) -> tuple[tuple[str, str], ...]:
    """Return type and path, below `Archives`, of the exhibits that the index page of a filing lists.

    Args:
        page: The index page.
        form: Form of the filing.
        folder: Folder of its documents; a link out of it is not followed.
    """
    wanted = _WANTED.get(form.upper().removesuffix("/A"))
    if wanted is None:
        return ()
    listed = (
        (kind, path)
        for kind, path in _documents(page.decode("utf-8", errors="replace"))
        if wanted.fullmatch(kind) and path.rpartition("/")[0] == folder and path.lower().endswith(_READABLE)
    )
    return tuple(dict.fromkeys(listed))[:MOST_EXHIBITS]


def _documents(page: str) -> Iterator[tuple[str, str]]:
    """Yield type and path of every document that the page lists."""
    for row in _ROW.findall(page):
        cells = _CELL.findall(row)
        link = _LINK.search(row)
        if len(cells) > _TYPE_CELL and link is not None:
            yield html.unescape(_TAG.sub("", cells[_TYPE_CELL])).strip().upper(), html.unescape(link[1])
