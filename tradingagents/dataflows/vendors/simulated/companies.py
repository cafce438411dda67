"""The roster: fictional companies over the eleven sectors, and what drives each behind the scenes.

The facts of a company do not depend on the seed. Its traits do: growth, margins, leverage, quality, and how its share
moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType

from tradingagents.dataflows.models import Split
from tradingagents.dataflows.vendors.simulated.market import stream


@dataclass(frozen=True, slots=True)
class Company:
    """One invented company as it stood on the first session."""

    symbol: str
    name: str
    sector: str
    industry: str
    cap: float
    """Market value, billions of USD."""
    price: float
    """USD, as traded."""
    dividend_yield: float = 0.0
    """Of the first year, as a fraction of `price`; 0 for a company that never pays one."""
    year_end: int = 12
    """Month in which the fiscal year ends."""
    quality: float | None = None
    """How good the business is, in standard deviations; None leaves it to the seed."""
    split: Split | None = None
    """A ratio below 1 is a reverse split."""
    listed: date | None = None
    """First session traded; None for all of them. The young are members of no index."""
    files: bool = True
    """Whether it publishes statements."""
    covered: bool = True
    """Whether anybody writes news about it."""

    @property
    def short_name(self) -> str:
        """The name as headlines use it."""
        return self.name.split()[0]


_ROSTER = (
    # technology
    Company("VELQ", "Veltrane Systems", "technology", "Semiconductors", 210, 42, quality=2.0, year_end=1,
            split=Split(date(2021, 7, 20), 4.0)),
    Company("OMBZ", "Ombrix Software", "technology", "Software", 640, 96, 0.010, year_end=6),
    Company("CIRQZ", "Cirquell Devices", "technology", "Consumer Electronics", 780, 150, 0.013, year_end=9),
    Company("TAQZ", "Taquill Cloud", "technology", "Software", 58, 71),
    Company("NODQ", "Nodewright Networks", "technology", "Communication Equipment", 46, 38, 0.028, year_end=7),
    Company("PIXZ", "Pixelmoor Semiconductor", "technology", "Semiconductors", 95, 64, 0.018),
    # healthcare
    Company("HELQ", "Helvane Pharma", "healthcare", "Drug Manufacturers", 260, 88, 0.027),
    Company("CURZ", "Curazel Therapeutics", "healthcare", "Biotechnology", 14, 33, quality=-0.8),
    Company("MEDQZ", "Medquarry Devices", "healthcare", "Medical Devices", 92, 120, 0.012, year_end=9),
    Company("VITZ", "Vitalune Health Plans", "healthcare", "Healthcare Plans", 170, 185, 0.014),
    Company("GENQZ", "Genquist Biologics", "healthcare", "Biotechnology", 48, 140),
    Company("SANQ", "Sanoquel Diagnostics", "healthcare", "Diagnostics & Research", 31, 74, 0.009),
    # financials
    Company("LEDQ", "Ledgermont Bancorp", "financials", "Banks", 310, 84, 0.026),
    Company("COVZ", "Covenhall Insurance", "financials", "Insurance", 78, 112, 0.024),
    Company("PAYQZ", "Paylark Networks", "financials", "Credit Services", 240, 105, 0.006, year_end=9),
    Company("BROQ", "Broquay Capital", "financials", "Capital Markets", 66, 59, 0.022),
    Company("TRUZ", "Truscombe Regional Bank", "financials", "Banks", 22, 41, 0.031),
    Company("CPLZ", "Copperlea Royalty Holdings", "financials", "Asset Management", 6, 27, 0.055, files=False),
    # energy
    Company("DRIQ", "Drillmark Petroleum", "energy", "Oil & Gas Integrated", 330, 83, 0.038),
    Company("PETQZ", "Petrazone Exploration", "energy", "Oil & Gas E&P", 62, 52, 0.020),
    Company("RIGQZ", "Rigsmoor Services", "energy", "Oil & Gas Equipment & Services", 40, 48, 0.030),
    Company("PIPQ", "Pipewell Midstream", "energy", "Oil & Gas Midstream", 55, 31, 0.056),
    Company("REFQ", "Refinora Fuels", "energy", "Oil & Gas Refining & Marketing", 47, 92, 0.030),
    # consumer-discretionary
    Company("MRKZ", "Marketarch Online", "consumer-discretionary", "Internet Retail", 560, 118),
    Company("VOMQ", "Voltamere Motors", "consumer-discretionary", "Auto Manufacturers", 54, 62,
            split=Split(date(2020, 8, 31), 3.0)),
    Company("HOMQ", "Homestrand Depot", "consumer-discretionary", "Home Improvement Retail", 215, 175, 0.020,
            year_end=1),
    Company("BURQZ", "Burgundale Restaurants", "consumer-discretionary", "Restaurants", 82, 94, 0.023),
    Company("MODZ", "Modista Lane Stores", "consumer-discretionary", "Apparel Retail", 5, 4.60, quality=-2.4,
            year_end=1, split=Split(date(2024, 6, 10), 0.1)),
    Company("TRVQ", "Travellan Resorts", "consumer-discretionary", "Travel Services", 38, 68, 0.011),
    # consumer-staples
    Company("GROQZ", "Groverly Markets", "consumer-staples", "Discount Stores", 290, 99, 0.021, year_end=1),
    Company("SOAZ", "Soapstone Household", "consumer-staples", "Household Products", 230, 91, 0.030, year_end=6),
    Company("COLQZ", "Colavine Beverages", "consumer-staples", "Beverages", 195, 46, 0.032),
    Company("SNAQZ", "Snackmoor Foods", "consumer-staples", "Packaged Foods", 64, 43, 0.022),
    Company("TOBQ", "Tobermont Leaf", "consumer-staples", "Tobacco", 140, 72, 0.044),
    # industrials
    Company("AERQ", "Aerolith Defense", "industrials", "Aerospace & Defense", 150, 260, 0.022),
    Company("DIGZ", "Digmoor Machinery", "industrials", "Farm & Heavy Machinery", 94, 157, 0.020),
    Company("RAIQ", "Railhaven Lines", "industrials", "Railroads", 105, 134, 0.020),
    Company("PARQZ", "Parcelon Freight", "industrials", "Integrated Freight & Logistics", 88, 119, 0.028),
    Company("KLNQ", "Kilnbrook Plumbing Supply", "industrials", "Industrial Distribution", 9, 54, 0.012, covered=False),
    Company("ELCQ", "Electrane Controls", "industrials", "Electrical Equipment", 57, 77, 0.024, year_end=9),
    # materials
    Company("GASQZ", "Gaslyn Industrial Gases", "materials", "Specialty Chemicals", 120, 155, 0.020),
    Company("COPQZ", "Copperidge Mining", "materials", "Copper", 27, 19, 0.010),
    Company("STEZ", "Steelhurst Works", "materials", "Steel", 21, 64, 0.024),
    Company("PNTQ", "Paintmere Coatings", "materials", "Specialty Chemicals", 41, 88, 0.015),
    Company("AURZ", "Auroque Gold", "materials", "Gold", 20, 38, 0.013),
    # real-estate
    Company("WARQ", "Warehome Logistics Trust", "real-estate", "REIT - Industrial", 44, 65, 0.027),
    Company("TWRZ", "Towercrest Sites", "real-estate", "REIT - Specialty", 68, 142, 0.020),
    Company("MALQ", "Mallowgate Properties", "real-estate", "REIT - Retail", 52, 170, 0.044),
    Company("RENQZ", "Rentwick Homes", "real-estate", "REIT - Residential", 24, 64, 0.032),
    Company("STOZ", "Storabel Units", "real-estate", "REIT - Specialty", 33, 206, 0.038, covered=False),
    # utilities
    Company("WATZ", "Wattbourne Electric", "utilities", "Utilities - Regulated Electric", 76, 78, 0.029),
    Company("GRIQ", "Gridmarch Power", "utilities", "Utilities - Regulated Electric", 48, 47, 0.045),
    Company("HYDQ", "Hydralane Water", "utilities", "Utilities - Regulated Water", 16, 90, 0.019),
    Company("NUQZ", "Nuclane Generation", "utilities", "Utilities - Independent Power", 34, 39, 0.032),
    Company("FLAZ", "Flamewood Gas", "utilities", "Utilities - Regulated Gas", 14, 82, 0.024, year_end=9),
    # communication-services
    Company("SEEQZ", "Seequest Media", "communication-services", "Internet Content & Information", 690, 106),
    Company("CHAZ", "Chatterbay Social", "communication-services", "Internet Content & Information", 430, 178),
    Company("STRQ", "Streamorrow Studios", "communication-services", "Entertainment", 105, 201, quality=0.9),
    Company("TELQZ", "Telamour Wireless", "communication-services", "Telecom Services", 205, 50, 0.046),
    Company("PLYZ", "Playquill Arcade", "communication-services", "Electronic Gaming", 34, 105, listed=date(2025, 3, 3),
            files=False),
)  # fmt: skip

COMPANIES: Mapping[str, Company] = MappingProxyType({company.symbol: company for company in _ROSTER})
"""By symbol, in a fixed order: rows of the price panel follow it."""

NO_NEWS = tuple(company.symbol for company in _ROSTER if not company.covered)
"""Companies nobody writes about: every window of their news is empty."""

NO_STATEMENTS = tuple(company.symbol for company in _ROSTER if not company.files)
"""Companies that file nothing: a holding of royalties, and a listing of March 2025 with a short price history."""


def of_sector(sector: str) -> tuple[Company, ...]:
    """Return the companies of a sector key, in roster order; () for an unknown one."""
    return tuple(company for company in _ROSTER if company.sector == sector)


def peers(symbol: str, sector: str) -> tuple[str, ...]:
    """Return the companies of a sector without `symbol`: those of its industry first, then the nearest in size."""
    own = COMPANIES.get(symbol)
    others = [company for company in of_sector(sector) if company.symbol != symbol]
    if own is not None:
        others.sort(
            key=lambda other: (other.industry != own.industry, abs(other.cap - own.cap) / max(other.cap, own.cap))
        )
    return tuple(other.symbol for other in others[:10])


MARKET_GROWTH = 0.05
"""Yearly growth of the average company, which the market's price level already carries."""
_DEBT_PER_MARGIN = 10.0  # years of revenue per unit of operating margin: interest then takes at most 45 % of it


@dataclass(frozen=True, slots=True)
class Archetype:
    """What is usual in a sector. Shares of revenue unless said otherwise."""

    growth: float
    """A year."""
    gross_margin: float
    operating_margin: float
    research: float
    capex: float
    debt: float
    """Of one year's revenue."""
    beta: float
    volatility: float
    """Of the company's own part of the daily log return, a year."""
    inventory: bool = True
    """Whether companies of the sector hold any."""
    other_liabilities: float = 0.15
    """Of one year's revenue: deposits, reserves, deferred revenue."""
    equity: float = 0.35
    """Of total assets at the start, at least."""
    margin_spread: float | None = None
    """How much operating margins differ within the sector, as a margin; None: as much as they are."""
    valued_margin: float = 0.04
    """Operating margin that prices allow for where less is earned."""


ARCHETYPES: Mapping[str, Archetype] = MappingProxyType(
    {
        "technology": Archetype(0.10, 0.60, 0.26, 0.14, 0.06, 0.35, 1.20, 0.22, other_liabilities=0.30),
        "healthcare": Archetype(0.07, 0.62, 0.20, 0.13, 0.04, 0.55, 0.80, 0.20),
        "financials": Archetype(0.05, 0.68, 0.30, 0.00, 0.03, 1.30, 1.10, 0.18, False, 5.00, 0.12),
        "energy": Archetype(0.03, 0.36, 0.14, 0.00, 0.09, 0.45, 1.15, 0.24),
        "consumer-discretionary": Archetype(0.07, 0.38, 0.11, 0.02, 0.04, 0.40, 1.15, 0.23),
        "consumer-staples": Archetype(0.04, 0.40, 0.15, 0.01, 0.04, 0.55, 0.60, 0.14),
        "industrials": Archetype(0.05, 0.33, 0.14, 0.03, 0.04, 0.50, 1.05, 0.18),
        "materials": Archetype(0.04, 0.32, 0.14, 0.01, 0.07, 0.50, 1.05, 0.21),
        "real-estate": Archetype(0.05, 0.66, 0.33, 0.00, 0.20, 3.20, 0.85, 0.17, False),
        "utilities": Archetype(0.04, 0.45, 0.22, 0.00, 0.20, 2.20, 0.50, 0.13),
        "communication-services": Archetype(0.08, 0.56, 0.23, 0.09, 0.09, 0.50, 1.05, 0.22, False),
    }
)
_BIOTECH = Archetype(0.10, 0.78, 0.00, 0.42, 0.03, 0.30, 1.15, 0.38, margin_spread=0.30, valued_margin=0.20)


@dataclass(frozen=True, slots=True)
class Traits:
    """The hidden facts of one company. Shares of revenue unless said otherwise."""

    quality: float
    """Standard deviations; lifts growth, margins and the average earnings surprise, lowers debt."""
    growth: float
    """Trend of revenue, a year (log)."""
    margin_trend: float
    """Of the operating margin, a year, relative to what it is."""
    gross_margin: float
    operating_margin: float
    research: float
    capex: float
    debt: float
    """Of one year's revenue."""
    other_liabilities: float
    """Of one year's revenue."""
    equity: float
    """Of total assets at the start, at least."""
    beta: float
    volatility: float
    """Of the company's own part of the daily log return, a year."""
    holds_inventory: bool
    seasonality: float
    """How much larger the revenue of the quarter with the holidays is than the average one."""
    payout: float
    """Share of the free cash flow left after dividends that buys back shares."""
    price_to_earnings: float
    """At the first session, on what `valued_margin` would earn."""
    valued_margin: float
    """Operating margin that the first price pays for: the company's own, or more where little is earned yet."""


def traits_of(company: Company, seed: int) -> Traits:
    """Draw the traits of a company around what is usual in its sector."""
    usual = _BIOTECH if company.industry == "Biotechnology" else ARCHETYPES[company.sector]
    z = stream(seed, company.symbol, "traits").standard_normal(10)
    quality = float(z[0]) * 0.8 if company.quality is None else company.quality
    growth = usual.growth + 0.035 * quality + 0.015 * float(z[1])
    spread = usual.operating_margin if usual.margin_spread is None else usual.margin_spread
    operating_margin = usual.operating_margin + spread * (0.20 * quality + 0.10 * float(z[2]))
    debt = usual.debt * max(0.2, 1.0 - 0.25 * quality + 0.20 * float(z[5]))
    room = operating_margin + usual.research + 0.06  # selling and administration need a share as well
    return Traits(
        quality=quality,
        growth=growth,
        margin_trend=0.02 * quality,
        gross_margin=min(max(usual.gross_margin * (1.0 + 0.06 * float(z[3])), room), 0.92),
        operating_margin=operating_margin,
        research=usual.research,
        capex=usual.capex * (1.0 + 0.15 * _bounded(z[4])),
        debt=min(debt, _DEBT_PER_MARGIN * max(operating_margin, 0.02)),
        other_liabilities=usual.other_liabilities,
        equity=usual.equity,
        beta=max(0.3, usual.beta + 0.12 * float(z[6])),
        volatility=usual.volatility * (1.0 + 0.15 * _bounded(z[7])),
        holds_inventory=usual.inventory,
        seasonality=0.12 if company.sector == "consumer-discretionary" else 0.03,
        payout=0.5 + 0.15 * _bounded(z[8]),
        price_to_earnings=min(max(15.0 + 90.0 * (growth - 0.04) + 1.5 * float(z[9]), 9.0), 38.0),
        valued_margin=max(operating_margin, usual.valued_margin),
    )


def _bounded(z: float) -> float:
    return float(min(max(z, -2.0), 2.0))
