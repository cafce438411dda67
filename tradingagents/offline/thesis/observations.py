"""What two figures say together: the insights of a report by rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

LEAST = 3
"""Insights that a synthesis needs."""
_PAIRS: Sequence[tuple[str, str, str]] = (
    ("gross_margin", "operating_margin", "Of a gross margin of {}, {} is left after all operating costs."),
    ("pe_ttm", "peer_median_pe_ttm", "The share costs {} of its earnings, the median peer {}."),
    ("pe_ttm", "eps_yoy", "The share costs {} of earnings that changed by {} in a year."),
    ("revenue_yoy", "eps_yoy", "Revenue changed by {} in a year, earnings per share by {}."),
    ("ttm_operating_cash_flow", "ttm_free_cash_flow", "Of {} of operating cash flow, {} is free after investment."),
    ("operating_margin", "net_margin", "Of an operating margin of {}, {} remains after interest and tax."),
    ("debt_to_equity", "current_ratio", "Debt is {} of equity, and current assets are {} of current liabilities."),
)
"""Two figures and the sentence that they make."""


def observations(evidence: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return at least three sentences on the evidence: what pairs of figures say, then counts where pairs are few.

    Args:
        evidence: Items whose quotations are rows of tables, the surest first.
    """
    shown: dict[str, tuple[str, str]] = {}
    for one in evidence:
        name, bar, value = str(one["quote"]).partition(" | ")
        if bar:
            shown.setdefault(name.strip(), (value.partition(" | ")[0].strip(), str(one["id"])))
    found = [
        f"{text.format(shown[first][0], shown[second][0])} ({shown[first][1]}) ({shown[second][1]})"
        for first, second, text in _PAIRS
        if first in shown and second in shown
    ]
    if len(found) >= LEAST:
        return found[: LEAST + 1]
    kinds = sorted({one["source"]["kind"] for one in evidence})
    supports = sum(one["direction"] == "supports" for one in evidence)
    counts = [
        f"{supports} of {len(evidence)} figures support it.",
        f"Types of source among the evidence: {', '.join(kinds)}.",
        f"The surest figure: {evidence[0]['claim']}",
    ]
    return [*found, *counts][: max(LEAST, len(found))]
