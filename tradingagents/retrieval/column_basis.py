"""What the figures of a column are besides the company's own of a period, such as restated or pro forma."""

from __future__ import annotations

import re

from tradingagents.retrieval.models import ColumnBasis

BASIS_PATTERN = (
    r"(?:(?:as\s+)?(?:previously|originally|initially)\s+(?:reported|stated|published)|prior\s+to\s+restatement"
    r"|before\s+restatement|(?:as\s+)?(?:restated|recast)|pro\s?-?forma|predecessor|successor"
    r"|(?:restatement\s+|pro\s?forma\s+)?adjustments?|(?:effects?|impact)\s+of\s+(?:restatement|adoption|change)|as\s+reported)"
)
"""Words of a column head that tell its basis."""
_BASES: tuple[tuple[ColumnBasis, re.Pattern[str]], ...] = (
    ("adjustment", re.compile(r"\badjustments?\b|\b(?:effects?|impact) of\b", re.IGNORECASE)),
    (
        "as reported",
        re.compile(
            r"\b(?:previously|originally|initially) (?:reported|stated|published)\b|\b(?:before|prior to) restatement\b"
            r"|\bas reported\b",
            re.IGNORECASE,
        ),
    ),
    ("restated", re.compile(r"\brestated\b|\brecast\b", re.IGNORECASE)),
    ("pro forma", re.compile(r"\bpro\s?-?forma\b", re.IGNORECASE)),
    ("predecessor", re.compile(r"\bpredecessor\b", re.IGNORECASE)),
    ("successor", re.compile(r"\bsuccessor\b", re.IGNORECASE)),
)


def basis_of(text: str) -> ColumnBasis:
    """Return the basis that a column head or a question names; empty where it names none."""
    plain = " ".join(text.split())
    return next((basis for basis, pattern in _BASES if pattern.search(plain)), "")
