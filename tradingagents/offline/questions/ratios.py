"""Ratios that are asked for by their names: which figure of a company's fundamentals each is, and which end leads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

FUNDAMENTALS = "get_fundamentals"
"""The capability that gives every ratio."""


@dataclass(frozen=True, slots=True)
class RatioAspect:
    """A ratio of a company."""

    figure: str
    """Its name in the answer of `get_fundamentals`."""
    more_leads: bool
    """Whether more of it is ahead: a multiple of the price is better where it is low."""
    of_peers: bool = True
    """Whether `get_peer_multiples` holds the middle of the peers."""


RATIOS: Mapping[str, RatioAspect] = {
    "pe": RatioAspect("pe_ttm", more_leads=False),
    "pb": RatioAspect("pb", more_leads=False),
    "ps": RatioAspect("ps_ttm", more_leads=False),
    "peg": RatioAspect("peg", more_leads=False, of_peers=False),
    "ev_ebitda": RatioAspect("ev_ebitda", more_leads=False),
    "fcf_yield": RatioAspect("fcf_yield", more_leads=True),
    "market_cap": RatioAspect("market_cap", more_leads=True, of_peers=False),
    "roa": RatioAspect("roa", more_leads=True, of_peers=False),
    "current_ratio": RatioAspect("current_ratio", more_leads=True, of_peers=False),
}
"""By the aspects of `retrieval/questions/aspects.yaml`; `pe` is a P/E against those of peers or of earlier years."""
COMPARED_WITH = frozenset({"peers", "history"})
"""What a ratio is set against where a question asks for more than the figure."""
PRICE_TO_EARNINGS = frozenset(
    {
        *("p e", "pe", "pes", "pe ratio", "p e ratio", "p e ratios", "trailing pe", "price to earnings"),
        *("price earnings", "price to earnings ratio", "earnings multiple", "kgv", "kgvs", "kgv's", "市盈率", "本益比"),
        *("kurs gewinn verhältnis", "市盈率多少"),
    }
)
"""Words for a valuation that name the P/E itself."""
