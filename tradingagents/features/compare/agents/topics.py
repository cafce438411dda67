"""The topics of a comparison: which figures each compares, and which capability gives them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tradingagents.errors import UsageError
from tradingagents.settings import nearest


@dataclass(frozen=True, slots=True)
class CompareTopic:
    """One topic."""

    name: str
    words: str
    """As a research question names it."""
    figures: tuple[tuple[str, str], ...]
    """Capability and figure of each row, in order."""


def _topic(name: str, words: str, **figures: str) -> CompareTopic:
    rows = tuple((capability, figure) for capability, names in figures.items() for figure in names.split())
    return CompareTopic(name, words, rows)


TOPICS: Mapping[str, CompareTopic] = {
    topic.name: topic
    for topic in (
        _topic(
            "margins",
            "gross, operating and net margin",
            get_ttm_analysis="gross_margin operating_margin net_margin",
        ),
        _topic("growth", "growth of revenue", get_ttm_analysis="revenue_yoy revenue_qoq ttm_revenue"),
        _topic(
            "valuation",
            "multiples, and the model's value against the price",
            get_fundamentals="pe_ttm ps_ttm pb ev_ebitda",
            valuation="upside value_per_share price",
        ),
        _topic("returns", "returns on equity and assets", get_ttm_analysis="roe", get_fundamentals="roa"),
        _topic(
            "debt",
            "debt and liquidity",
            get_ttm_analysis="debt_to_equity total_debt",
            get_fundamentals="current_ratio",
        ),
        _topic(
            "cash",
            "cash flow",
            get_ttm_analysis="ttm_operating_cash_flow ttm_free_cash_flow",
            get_fundamentals="fcf_yield",
        ),
        _topic(
            "quality",
            "quality of earnings and risk of distress",
            fundamental_screen="piotroski_f_score altman_z_score beneish_m_score",
        ),
        _topic("momentum", "price and trend", market_snapshot="change_1m change_3m return_252d rsi"),
        _topic("risk", "risk of the stock", risk_profile="volatility_252d current_drawdown beta"),
    )
}
DEFAULT_TOPICS = ("growth", "margins", "valuation")


def checked_topics(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of topics, each once; the default ones where none is named.

    Raises:
        UsageError: One is unknown; the message lists the topics.
    """
    topics = tuple(dict.fromkeys(part for name in names if (part := name.strip().lower())))
    for name in topics:
        if name not in TOPICS:
            close = nearest(name[:40], TOPICS)
            hint = f" Did you mean {close}?" if close else ""
            raise UsageError(f"There is no topic {name[:40]!r} to compare.{hint} Topics: {', '.join(TOPICS)}.")
    return topics or DEFAULT_TOPICS
