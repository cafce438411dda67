"""What figures say together: the insights of a report by rules; each rests on two items of evidence or more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.features.deep_report.rules.brief import CompanyProfile

LEAST, MOST = 3, 6
"""Insights that a synthesis needs, and has at most."""
_PAIRS: Sequence[tuple[str, str, str]] = (
    (
        "implied_sales_growth",
        "revenue_yoy",
        "The price asks for growth of revenue of {} a year over five years; on the year it changed by {}.",
    ),
    ("gross_margin", "operating_margin", "Of a gross margin of {}, {} is left after all operating costs."),
    ("revenue_yoy", "eps_yoy", "Revenue changed by {} in a year, earnings per share by {}."),
    ("pe_ttm", "eps_yoy", "The share costs {} of earnings that changed by {} in a year."),
    ("ttm_operating_cash_flow", "ttm_free_cash_flow", "Of {} of operating cash flow, {} is free after investment."),
    ("operating_margin", "net_margin", "Of an operating margin of {}, {} remains after interest and tax."),
    ("debt_to_equity", "current_ratio", "Debt is {} of equity, and current assets are {} of current liabilities."),
)
"""Two figures and the sentence that they make."""


def observations(evidence: Sequence[Mapping[str, Any]], profile: CompanyProfile) -> list[str]:
    """Return at least three sentences on the evidence: what figures say together, then counts where there are few.

    Args:
        evidence: Items whose quotations are rows of tables or sentences, the surest first.
        profile: The company, for what its filings print.
    """
    shown: dict[str, tuple[str, str]] = {}
    for item in evidence:
        name, bar, value = str(item["quote"]).partition(" | ")
        if bar:
            shown.setdefault(name.strip(), (value.partition(" | ")[0].strip(), str(item["id"])))
    pairs = [
        f"{text.format(shown[first][0], shown[second][0])} ({shown[first][1]}) ({shown[second][1]})"
        for first, second, text in _PAIRS
        if first in shown and second in shown
    ]
    filed = [sentence for sentence in (_payouts(evidence, profile), _means(evidence, profile)) if sentence]
    found = [*pairs[:2], *filed, *pairs[2:]]
    if len(found) >= LEAST:
        return found[:MOST]
    kinds = sorted({item["source"]["kind"] for item in evidence})
    supports = sum(item["direction"] == "supports" for item in evidence)
    counts = [
        f"{supports} of {len(evidence)} items of evidence support it.",
        f"Types of source among the evidence: {', '.join(kinds)}.",
        f"The surest item: {evidence[0]['claim']}",
    ]
    return [*found, *counts][: max(LEAST, len(found))]


def _payouts(evidence: Sequence[Mapping[str, Any]], profile: CompanyProfile) -> str:
    """Say what became of the operating cash flow of the fiscal year."""
    made = _filed(evidence, profile, "operating_cash_flow")
    spent = _filed(evidence, profile, "capital_expenditure")
    if made is None or spent is None:
        return ""
    paid = {
        words: figure
        for name, words in (("dividends_paid", "into dividends"), ("share_repurchases", "into buy-backs"))
        if (figure := _filed(evidence, profile, name)) is not None and profile.flows[name][0] > 0
    }
    parts = [f"{spent[0]} went into investment", *(f"{figure[0]} {words}" for words, figure in paid.items())]
    ids = "".join(f" ({figure[1]})" for figure in (made, spent, *paid.values()))
    return f"Of the operating cash flow of {made[0]} in fiscal {profile.year}, {_listed(parts)}.{ids}"


def _means(evidence: Sequence[Mapping[str, Any]], profile: CompanyProfile) -> str:
    """Say what liquid means stand against the debt."""
    debt, cash = (_filed(evidence, profile, name) for name in ("long_term_debt", "cash"))
    if debt is None or cash is None or profile.debt is None or profile.cash is None:
        return ""
    near = profile.balance_parts.get("short_term_investments", 0.0) + profile.balance_parts["cash"]
    later = profile.cash - near
    held = f" and {_money(later, profile)} of long-term securities" if later > 0 else ""
    return (
        f"Debt of {_money(profile.debt, profile)} stands against {_money(near, profile)} of cash and short-term "
        f"securities{held}. ({debt[1]}) ({cash[1]})"
    )


def _filed(evidence: Sequence[Mapping[str, Any]], profile: CompanyProfile, name: str) -> tuple[str, str] | None:
    """Return a figure of a filing in words with the id of the item that quotes its line; None where none does."""
    line = profile.lines.get(f"filed_{name}")
    found = next((str(item["id"]) for item in evidence if line is not None and item["quote"] == line), None)
    value = profile.flows[name][0] if name in profile.flows else profile.balance_parts.get(name)
    return None if found is None or value is None else (_money(value, profile), found)


def _money(value: float, profile: CompanyProfile) -> str:
    return Figure("", value, profile.currency).text


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
