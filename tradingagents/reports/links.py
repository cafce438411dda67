"""Relative links between pages, so that the folder that contains them can be moved."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping
from urllib.parse import quote

Link = Callable[[str], str]
"""Takes the path of a page and returns a link to it."""


def links_from(page: str | None) -> Link:
    """Return a function that links from the folder of `page` to absolute paths; without one its links are empty."""

    def link(path: str) -> str:
        if not page or not posixpath.isabs(page) or not posixpath.isabs(path):
            return ""
        return quote(posixpath.relpath(path, posixpath.dirname(page)), errors="backslashreplace")

    return link


def page_of(paths: Mapping[str, str], link: Link) -> str:
    """Return the link to a run's page; empty if it has none."""
    return link(paths["html"]) if paths.get("html") else ""
