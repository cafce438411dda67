"""Map EDGAR's industries (SIC codes) to sectors."""

from __future__ import annotations

from bisect import bisect_right

_FROM = (
    (100, "consumer-staples"),  # farming
    (1000, "materials"),  # metal mining
    (1200, "energy"),  # coal, oil and gas
    (1400, "materials"),  # other mining
    (1500, "industrials"),  # construction
    (1520, "consumer-discretionary"),  # home builders
    (1540, "industrials"),
    (2000, "consumer-staples"),  # food, drink, tobacco
    (2200, "consumer-discretionary"),  # textiles, apparel
    (2400, "materials"),  # wood
    (2500, "consumer-discretionary"),  # furniture
    (2600, "materials"),  # paper
    (2700, "communication-services"),  # publishing
    (2750, "industrials"),  # printing
    (2800, "materials"),  # chemicals
    (2830, "healthcare"),  # drugs
    (2840, "consumer-staples"),  # soap, cosmetics
    (2850, "materials"),
    (2900, "energy"),  # oil refining
    (3000, "consumer-discretionary"),  # tyres, footwear
    (3050, "materials"),  # plastics
    (3100, "consumer-discretionary"),  # leather
    (3200, "materials"),  # glass, cement, metals
    (3400, "industrials"),  # metal goods, machinery
    (3570, "technology"),  # computers
    (3580, "industrials"),
    (3630, "consumer-discretionary"),  # household appliances, audio
    (3660, "technology"),  # communications equipment, semiconductors
    (3690, "industrials"),
    (3711, "consumer-discretionary"),  # vehicles and their parts
    (3720, "industrials"),  # aircraft, ships, trains
    (3751, "consumer-discretionary"),  # motorcycles
    (3760, "industrials"),  # space, navigation
    (3820, "technology"),  # instruments
    (3840, "healthcare"),  # medical instruments
    (3860, "technology"),  # photographic equipment
    (3870, "consumer-discretionary"),  # watches, jewellery, toys
    (4000, "industrials"),  # transport
    (4800, "communication-services"),
    (4900, "utilities"),
    (4950, "industrials"),  # waste
    (4960, "utilities"),
    (5000, "industrials"),  # wholesale
    (5045, "technology"),  # computers
    (5046, "industrials"),
    (5047, "healthcare"),  # medical supplies
    (5048, "industrials"),
    (5065, "technology"),  # electronic parts
    (5066, "industrials"),
    (5122, "healthcare"),  # drugs
    (5130, "consumer-discretionary"),  # apparel
    (5140, "consumer-staples"),  # groceries
    (5160, "materials"),  # chemicals
    (5170, "energy"),  # petroleum
    (5180, "consumer-staples"),  # drinks
    (5190, "industrials"),
    (5200, "consumer-discretionary"),  # retail
    (5331, "consumer-staples"),  # variety stores
    (5340, "consumer-discretionary"),
    (5400, "consumer-staples"),  # food stores
    (5500, "consumer-discretionary"),
    (5912, "consumer-staples"),  # drug stores
    (5913, "consumer-discretionary"),
    (6000, "financials"),
    (6324, "healthcare"),  # hospital and medical plans
    (6325, "financials"),
    (6500, "real-estate"),
    (6600, "financials"),
    (6798, "real-estate"),  # investment trusts in real estate
    (6799, "financials"),
    (7000, "consumer-discretionary"),  # hotels, personal services
    (7310, "communication-services"),  # advertising
    (7320, "industrials"),  # business services
    (7370, "technology"),  # software, data processing
    (7380, "industrials"),
    (7500, "consumer-discretionary"),  # repair
    (7800, "communication-services"),  # films
    (7900, "consumer-discretionary"),  # amusement
    (8000, "healthcare"),
    (8100, "industrials"),
    (8200, "consumer-discretionary"),  # education
    (8300, "consumer-discretionary"),
    (8700, "industrials"),
    (8731, "healthcare"),  # research: mostly of drugs
    (8732, "industrials"),
    (8800, None),
)
"""The first code of each range, and the nearest sector. SIC classifies by product, GICS by customer, so they differ in
places: Alphabet and Meta, who file as data processing, are technology here."""
_STARTS = [first for first, _ in _FROM]
_FUNDS = frozenset({6221, 6726})
"""Commodity pools and investment offices: the codes of exchange-traded funds."""


def sector_of(sic: int | None) -> str | None:
    """Return the sector key for an SIC code; None for an unknown one, and for those without an industry."""
    index = bisect_right(_STARTS, sic) if sic is not None else 0
    return _FROM[index - 1][1] if index else None


def is_fund(sic: int | None) -> bool:
    """Return whether a code is that of a fund."""
    return sic in _FUNDS
