"""Which companies do the business of another: its industry first, then its sector.

The valuation's betas and multiples rest on one order. Source data names an industry in its own words (GICS or Yahoo),
so that only the same words count as the same industry.
"""

from __future__ import annotations

from dataclasses import dataclass

from tradingagents.analytics.company.business import is_bank_or_insurer
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Profile
from tradingagents.dataflows.reference.share_classes import one_of_each_company
from tradingagents.errors import DataError


@dataclass(frozen=True, slots=True)
class BusinessPeer:
    """A company of the same sector."""

    symbol: str
    same_industry: bool


def by_business(market: MarketData, profile: Profile) -> tuple[BusinessPeer, ...]:
    """Return the companies of a sector, those of the same industry first, else in the order of the source.

    A bank or insurer is no peer of another company, and of several classes of shares one stands for all. Of a remote
    source at most the peers it names; of a local one every company of the sector.
    """
    if profile.sector is None:
        return ()
    industries = _industries(market, profile.symbol, profile.sector)
    own = _same_words(profile.industry)
    peers = [
        BusinessPeer(symbol, own != "" and _same_words(industries[symbol]) == own)
        for symbol in one_of_each_company(industries, profile.symbol)
        if is_bank_or_insurer(profile.sector, (industries[symbol] or "").lower()) == is_bank(profile)
    ]
    return tuple(sorted(peers, key=lambda peer: not peer.same_industry))


def is_bank(profile: Profile) -> bool:
    """Tell whether a company lends or insures."""
    return is_bank_or_insurer(profile.sector, (profile.industry or "").lower())


def _industries(market: MarketData, symbol: str, sector: str) -> dict[str, str | None]:
    """Return the companies of a sector with their industries, in the order of the source."""
    if market.is_local("get_industry_performance"):
        try:
            return {member.symbol: member.industry for member in market.sector_members(sector)}
        except DataError:
            pass
    found = ((peer, market.known_profile(peer)) for peer in market.peers(symbol, sector))
    return {peer: profile.industry for peer, profile in found if profile is not None}


def _same_words(industry: str | None) -> str:
    return " ".join("".join(letter if letter.isalnum() else " " for letter in industry or "").casefold().split())
