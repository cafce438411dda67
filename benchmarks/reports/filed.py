"""Sentences on figures that stand in filings only: names of parts and notes, as an analyst calls them, and wordings.

The truth is the tagged fact (concept and member) of the filing, not what the checker reads. The names and wordings of
`HELD_OUT` were written before the checker was run on either half.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

NameKind = Literal["revenue", "operating_income", "amount"]


@dataclass(frozen=True, slots=True)
class FiledName:
    """A figure of a company's filings."""

    symbol: str
    kind: NameKind
    words: str
    """What it is called: the part of the company, or the whole name of an amount."""
    member: str = ""
    """Local name of the member; empty for the company as a whole."""
    concept: str = ""
    """Local name of the concept of an amount."""


@dataclass(frozen=True, slots=True)
class Half:
    """Names and wordings of one half of the sentences."""

    names: tuple[FiledName, ...]
    part: tuple[str, ...]
    """`{c}` company, `{p}` part, `{m}` metric, `{y}` year, `{x}` figure, `{z}` the figure of the year before."""
    change: tuple[str, ...]
    """`{g}` change in percent."""
    amount: tuple[str, ...]
    unknown: tuple[str, ...]
    """Figures that no filing has; `{r}` a number."""
    metric: dict[NameKind, tuple[str, ...]]


def _parts(symbol: str, kind: NameKind, pairs: str) -> tuple[FiledName, ...]:
    return tuple(FiledName(symbol, kind, *one.strip().split("=")) for one in pairs.split(";"))


def _amounts(symbols: str, pairs: str) -> tuple[FiledName, ...]:
    named = [one.strip().split("=") for one in pairs.split(";")]
    return tuple(FiledName(symbol, "amount", words, "", tag) for symbol in symbols.split() for words, tag in named)


DEVELOPMENT = Half(
    names=(
        *_parts("AAPL", "revenue", "iPhone=IPhoneMember; Mac=MacMember; iPad=IPadMember; Services=ServiceMember"),
        *_parts("AAPL", "revenue", "Greater China=GreaterChinaSegmentMember; Europe=EuropeSegmentMember"),
        *_parts("AAPL", "operating_income", "Japan=JapanSegmentMember; Americas=AmericasSegmentMember"),
        *_parts("AMZN", "revenue", "North America=NorthAmericaSegmentMember; AWS=AmazonWebServicesSegmentMember"),
        *_parts("AMZN", "revenue", "online stores=OnlineStoresMember; physical stores=PhysicalStoresMember"),
        *_parts("AMZN", "revenue", "subscription services=SubscriptionServicesMember; Germany=DE; Japan=JP"),
        *_parts("AMZN", "operating_income", "AWS=AmazonWebServicesSegmentMember"),
        *_parts("NVDA", "revenue", "Data Center=DataCenterMember; Gaming=GamingMember; Automotive=AutomotiveMember"),
        *_parts("NVDA", "revenue", "Networking=NetworkingMember; Singapore=SG; Taiwan=TW"),
        *_parts("NVDA", "operating_income", "Graphics=GraphicsSegmentMember"),
        *_parts("UNH", "revenue", "Optum Health=OptumhealthMember; Optum Rx=OptumrxMember"),
        *_parts("UNH", "revenue", "Optum Insight=OptuminsightMember"),
        *_parts("JNJ", "revenue", "MedTech=MedTechMember; Innovative Medicine=InnovativeMedicineMember"),
        *_amounts("AAPL AMZN NVDA UNH", "share-based compensation=ShareBasedCompensation"),
        *_amounts("AAPL AMZN NVDA UNH", "unrecognized tax benefits=UnrecognizedTaxBenefits"),
        *_amounts("AAPL NVDA UNH KO", "operating lease cost=OperatingLeaseCost"),
    ),
    part=(
        "{c}'s {p} {m} was {x} in fiscal {y}.",
        "In fiscal {y}, {p} {m} at {c} came to {x}, compared with {z} a year earlier.",
        "{c} reported {m} of {x} for {p} in fiscal {y}.",
        "{c}: {p} {m} reached {x} in FY{y}.",
        "{p} {m} of {c} rose to {x} in fiscal {y} from {z}.",
        "At {c}, {p} posted {m} of {x} in fiscal {y}.",
    ),
    change=("{c}'s {p} {m} changed by {g} in fiscal {y}.", "{p} {m} at {c} {d} {a} in fiscal {y}."),
    amount=(
        "{c}'s {p} was {x} in fiscal {y}.",
        "{c} had {p} of {x} in fiscal {y}, after {z} the year before.",
        "In fiscal {y} {p} at {c} amounted to {x}.",
    ),
    unknown=(
        "{c}'s Cobalt platform sold {r} in fiscal {y}.",
        "We expect {c} to reach sales of {r} in fiscal {y} in a bull case.",
        "Channel checks put {c}'s pilot programme at {r}.",
        "The market for {c}'s products was worth {r} in {y}.",
    ),
    metric={"revenue": ("revenue", "sales", "net sales"), "operating_income": ("operating income",), "amount": ("",)},
)
HELD_OUT = Half(
    names=(
        *_parts("META", "revenue", "Reality Labs=RealityLabsMember; Family of Apps=FamilyOfAppsMember"),
        *_parts("META", "operating_income", "Family of Apps=FamilyOfAppsMember"),
        *_parts("V", "revenue", "data processing=DataProcessingRevenuesMember"),
        *_parts("V", "revenue", "international transaction=InternationalTransactionRevenuesMember"),
        *_parts("HD", "revenue", "plumbing=PlumbingMember; appliances=AppliancesMember; paint=PaintMember"),
        *_parts("HD", "revenue", "lumber=LumberMember; flooring=FlooringMember; indoor garden=IndoorGardenMember"),
        *_parts("PG", "revenue", "Beauty=BeautySegmentMember; Grooming=GroomingSegmentMember"),
        *_parts("PG", "revenue", "Health Care=HealthCareSegmentMember"),
        *_parts("NFLX", "revenue", "Latin America=LatinAmericaMember; Asia-Pacific=AsiaPacificMember"),
        *_parts("GOOGL", "revenue", "Google Cloud=GoogleCloudMember; YouTube ads=YouTubeAdvertisingRevenueMember"),
        *_parts("GOOGL", "operating_income", "Google Cloud=GoogleCloudMember"),
        *_parts("WMT", "revenue", "Walmart International=InternationalMember"),
        *_parts("TSLA", "revenue", "energy generation and storage=EnergyGenerationAndStorageSegmentMember"),
        *_parts("BA", "revenue", "Commercial Airplanes=CommercialAirplanesMember"),
        *_parts("BA", "revenue", "Global Services=BoeingGlobalServicesMember"),
        *_parts("MA", "revenue", "payment network=PaymentNetworkMember"),
        *_parts("ABBV", "revenue", "Humira=HumiraMember; Skyrizi=SkyriziMember; Rinvoq=RinvoqMember"),
        *_parts("ABBV", "revenue", "Imbruvica=ImbruvicaMember"),
        *_amounts("META NFLX V PG HD", "share-based compensation=ShareBasedCompensation"),
        *_amounts("META HD V NFLX PG GOOGL", "operating lease cost=OperatingLeaseCost"),
        *_amounts("META V HD PG NFLX", "unrecognized tax benefits=UnrecognizedTaxBenefits"),
        *_amounts("META HD PG NFLX", "advertising expense=AdvertisingExpense"),
    ),
    part=(
        "For fiscal {y}, {c} booked {x} of {m} in {p}.",
        "{m_} in {c}'s {p} business stood at {x} for the year ({z} in the year before) in fiscal {y}.",
        "{c} said {p} {m} totalled {x} in fiscal {y}, against {z} one year earlier.",
        "With {x}, {p} {m} at {c} made a new mark in fiscal {y}.",
        "{c}'s FY{y} {p} {m}: {x} (FY{w}: {z}).",
        "{p} delivered {m} of {x} for {c} in fiscal {y}.",
        "{c} had {p} {m} of {x} in fiscal {y} and {z} in fiscal {w}.",
    ),
    change=(
        "{c}'s {p} {m} {d} by {a} in fiscal {y}.",
        "For fiscal {y}, {c} showed {p} {m} {u} {a} year over year.",
    ),
    amount=(
        "For fiscal {y}, {c} states {p} of {x}.",
        "{p_} at {c}: {x} in fiscal {y}, {z} in fiscal {w}.",
        "{c} put its {p} at {x} for fiscal {y}.",
        "At {x}, {p} weighed on {c} in fiscal {y}.",
    ),
    unknown=(
        "{c}'s Project Harbour took in {r} in fiscal {y}.",
        "Analysts look for {r} of sales at {c} in the next year.",
        "A rival of {c} sold goods for {r} in fiscal {y}.",
        "{c} has pledged {r} to a new plant in Ohio.",
        "Our survey of 250 buyers of {c} suggests spending of {r} in {y}.",
    ),
    metric={"revenue": ("revenue", "sales", "net sales"), "operating_income": ("operating income",), "amount": ("",)},
)
HALVES = {"development": DEVELOPMENT, "held out": HELD_OUT}
