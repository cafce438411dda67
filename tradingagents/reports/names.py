"""Readable names of tools, vendor methods and figures in reports."""

from __future__ import annotations

import re
from functools import lru_cache

from tradingagents.agents.roster import labels as report_labels
from tradingagents.analytics.company.metric_names import LABELS, known_label, metric_label
from tradingagents.capabilities.registry import title
from tradingagents.dataflows.vendor_method import title_of

_ONE_WORD = ("macd", "rsi", "mfi", "boll", "atr", "obv", "vix", "vwma")
_IN_IDENTIFIERS = ("_", *_ONE_WORD)
_IDENTIFIER = re.compile(
    r"(?<![\w/.@#-])"
    rf"(?:\^?[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+|(?:macd[sh]|{'|'.join(_ONE_WORD)})(?= [-+\u2212]?[\d\ue0f1]))"
    r"(?![\w/@-]|\.\w)"
)
_SLUG = re.compile(r"[^a-z0-9]+")
_BY_LABEL = {label.lower(): name for name, label in reversed(tuple(LABELS.items()))}


def is_tool(name: str) -> bool:
    """Return whether a tool or a vendor method has this name, which is of several words."""
    return "_" in name and name not in LABELS and title(name) is not None


def tool_label(method: str) -> str:
    """Return the readable name of a tool's answers; the words of its name if unknown."""
    return title(method) or title_of(method)


@lru_cache(maxsize=4096)
def figure_label(name: str) -> str:
    """Return the readable name of a figure, for the start of a line."""
    label = metric_label(name)
    return label[:1].upper() + label[1:]


def figure_named(cell: str) -> str | None:
    """Return the short name of the figure in a table's cell, by short name or by label; None for none."""
    return cell if cell in LABELS else _BY_LABEL.get(cell.lower())


@lru_cache(maxsize=4096)
def figure_anchor(name: str, method: str) -> str:
    """Return the id of a figure of a tool's answer in the data sheet."""
    return f"figure-{slug(method.removeprefix('get_'))}-{slug(name)}"


def tool_anchor(method: str) -> str:
    """Return the id of a tool's answers in the data sheet."""
    return f"data-{slug(method.removeprefix('get_'))}"


def slug(text: str) -> str:
    """Return text for use in an id: lower-case letters, digits and single hyphens."""
    return _SLUG.sub("-", text.lower()).strip("-")


@lru_cache(maxsize=256)
def for_people(text: str) -> str:
    """Return text with the short names of figures and tools replaced by readable ones."""
    return _IDENTIFIER.sub(lambda found: label_in_text(found[0]) or found[0], text)


def label_in_text(name: str) -> str | None:
    """Return the readable name of a figure or tool within a sentence; None for an unknown name."""
    if name in LABELS or name.startswith("^"):
        return known_label(name)
    known = report_labels().get(name)
    return tool_label(name).lower() if known is None and name.startswith("get_") and is_tool(name) else known


def identifiers(text: str) -> list[re.Match[str]]:
    """Return the positions of known short names in a text."""
    if not any(part in text for part in _IN_IDENTIFIERS):  # most texts: avoids the search by pattern
        return []
    return [found for found in _IDENTIFIER.finditer(text) if label_in_text(found[0])]
