"""Parses XML filed by others."""

from __future__ import annotations

import xml.etree.ElementTree as ET

MAX_BYTES = 40_000_000
"""Maximum size of a document: the holdings of the largest managers have about 20 MB."""


def parse_xml(document: bytes, most: int = MAX_BYTES) -> ET.Element | None:
    """Parse an external document; None if it is invalid, too large, or has a DOCTYPE, which could define entities."""
    if len(document) > most or b"\0" in document or b"<!DOCTYPE" in document.upper():
        return None
    try:
        return ET.fromstring(document)  # noqa: S314 - no DOCTYPE, so no entities
    except (ET.ParseError, LookupError, ValueError):
        return None
