"""The subjects people ask for by one name and write about under many: the usual ones of a market scan, and the sectors.

Singular and plural are the same here (`dataflows.topics.folded`). A word stands in a list when an article that has it
is about the subject more often than not: so `tariff`, and not `trade`, which every column about stocks has.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Subject:
    """A subject: how it is asked for, and how it is written about."""

    names: tuple[str, ...]
    """Words or phrases that call it; they stand for `words` and not for themselves."""
    words: tuple[str, ...]
    """Words or phrases of the articles on it."""


SUBJECTS = (
    Subject(
        names=("geopolitics", "geopolitical", "foreign policy", "world politics", "international relations"),
        words=(
            *("geopolitics", "geopolitical", "war", "warfare", "conflict", "invasion", "ceasefire", "truce", "troop"),
            *("military", "missile", "airstrike", "nuclear weapon", "nato", "sanction", "diplomat", "diplomatic"),
            *("peace talk", "peace deal", "summit", "coup", "terrorism", "hostage", "pentagon", "national security"),
            *(
                "ukraine",
                "russia",
                "russian",
                "putin",
                "kremlin",
                "israel",
                "gaza",
                "hamas",
                "iran",
                "houthi",
                "red sea",
            ),
            *(
                "middle east",
                "syria",
                "yemen",
                "taiwan",
                "china",
                "chinese",
                "beijing",
                "south china sea",
                "north korea",
            ),
        ),
    ),
    Subject(
        names=(
            "trade policy",
            "trade war",
            "international trade",
            "trade",
            "tariff",
            "export control",
        ),
        words=(
            *("tariff", "trade war", "trade policy", "trade deal", "trade agreement", "trade talk", "trade tension"),
            *("trade dispute", "trade deficit", "trade barrier", "trade partner", "trading partner", "free trade"),
            *("export control", "export curb", "export ban", "export restriction", "import duty", "import tax"),
            *("import ban", "levy", "customs duty", "embargo", "retaliatory", "reciprocal", "protectionism"),
            *("protectionist", "usmca", "nafta", "wto", "world trade organization"),
        ),
    ),
    Subject(
        names=("central bank", "monetary policy", "monetary", "interest rate", "federal reserve", "fed", "rate cut"),
        words=(
            *("central bank", "central banker", "federal reserve", "fed", "fomc", "powell", "monetary policy"),
            *("interest rate", "rate cut", "rate hike", "rate decision", "policy rate", "basis point", "dot plot"),
            *("hawkish", "dovish", "quantitative tightening", "quantitative easing", "balance sheet runoff"),
            *("inflation", "cpi", "pce", "treasury yield", "bond yield", "yield", "yield curve"),
            *("ecb", "european central bank", "lagarde", "bank of england", "bank of japan", "boj", "pboc"),
        ),
    ),
    Subject(
        names=("commodity", "raw material"),
        words=(
            *("commodity", "gold", "silver", "copper", "iron ore", "aluminum", "aluminium", "nickel", "lithium"),
            *("platinum", "uranium", "rare earth", "wheat", "corn", "soybean", "coffee", "cocoa", "sugar", "oil"),
            *("crude", "natural gas", "raw material"),
        ),
    ),
    Subject(
        names=("renewable energy", "clean energy", "green energy", "renewable"),
        words=(
            *("renewable", "clean energy", "green energy", "solar", "wind power", "wind farm", "offshore wind"),
            *("hydrogen", "geothermal", "energy storage", "battery", "energy transition", "decarbonization"),
            *("net zero", "carbon capture"),
        ),
    ),
    Subject(
        names=("semiconductor", "chip", "chipmaker"),
        words=(
            *(
                "semiconductor",
                "chip",
                "chipmaker",
                "chipmaking",
                "microchip",
                "gpu",
                "foundry",
                "wafer",
                "lithography",
            ),
            *("chips act", "memory chip", "dram", "tsmc", "asml", "nvidia"),
        ),
    ),
    Subject(
        names=("artificial intelligence", "ai", "generative ai"),
        words=(
            *("artificial intelligence", "ai", "generative ai", "machine learning", "large language model", "chatbot"),
            *("chatgpt", "openai", "anthropic", "deepseek", "ai agent", "agentic"),
        ),
    ),
    Subject(
        names=("economy", "economic", "macroeconomic", "economic growth", "recession", "macro"),
        words=(
            *("economy", "economic", "economist", "recession", "gdp", "stagflation", "slowdown", "soft landing"),
            *("payroll", "jobless claim", "unemployment", "labor market", "jobs report", "consumer confidence"),
            *("consumer sentiment", "consumer spending", "retail sales", "pmi", "inflation", "cpi"),
        ),
    ),
)
"""Subjects that are no sector."""

SECTOR_SUBJECTS: Mapping[str, Subject] = {
    "technology": Subject(
        names=("information technology", "technology", "tech"),
        words=(
            *("technology", "tech", "big tech", "software", "hardware", "semiconductor", "chip", "chipmaker", "cloud"),
            *("cloud computing", "artificial intelligence", "ai", "data center", "cybersecurity", "smartphone", "saas"),
            *("quantum computing", "it spending", "server"),
        ),
    ),
    "healthcare": Subject(
        names=("health care", "healthcare", "pharma", "pharmaceutical", "biotech"),
        words=(
            *("health care", "healthcare", "drug", "drugmaker", "pharma", "pharmaceutical", "biotech", "biotechnology"),
            *("fda", "medicare", "medicaid", "clinical trial", "phase 3", "hospital", "vaccine", "medical device"),
            *("health insurer", "health insurance", "cancer", "obesity", "glp 1", "biosimilar"),
        ),
    ),
    "financials": Subject(
        names=("financials", "financial services", "banking"),
        words=(
            *("bank", "banking", "banker", "lender", "lending", "loan", "insurer", "insurance", "asset manager"),
            *("wealth management", "credit card", "fintech", "investment banking", "private equity", "private credit"),
            *(
                "brokerage",
                "capital markets",
                "net interest income",
                "stress test",
                "payment",
                "deposit",
                "underwriting",
            ),
        ),
    ),
    "energy": Subject(
        names=("energy", "oil and gas", "oil & gas"),
        words=(
            *("energy", "oil", "crude", "opec", "natural gas", "gas", "lng", "brent", "wti", "refinery", "refiner"),
            *("refining", "drilling", "driller", "shale", "petroleum", "gasoline", "barrel", "oilfield", "rig count"),
        ),
    ),
    "consumer-discretionary": Subject(
        names=("consumer discretionary", "consumer cyclical"),
        words=(
            *("retail", "retailer", "consumer discretionary", "consumer spending", "e commerce", "ecommerce"),
            *("online shopping", "automaker", "carmaker", "auto", "electric vehicle", "ev", "restaurant", "hotel"),
            *("travel", "cruise", "apparel", "footwear", "luxury", "homebuilder", "home improvement", "casino"),
        ),
    ),
    "consumer-staples": Subject(
        names=("consumer staples", "consumer defensive", "consumer goods"),
        words=(
            *("consumer staples", "consumer goods", "consumer products", "grocery", "grocer", "supermarket", "food"),
            *("packaged food", "beverage", "snack", "soft drink", "tobacco", "household products", "personal care"),
            *("detergent", "diaper", "private label", "discount store"),
        ),
    ),
    "industrials": Subject(
        names=("industrials",),
        words=(
            *("aerospace", "defense", "defence", "airline", "aircraft", "jet", "aviation", "railroad", "freight"),
            *("logistics", "shipping", "trucking", "machinery", "manufacturing", "manufacturer", "factory"),
            *("construction", "infrastructure", "supply chain", "automation", "conglomerate", "equipment maker"),
        ),
    ),
    "materials": Subject(
        names=("materials", "basic materials"),
        words=(
            *("mining", "miner", "steel", "steelmaker", "aluminum", "aluminium", "copper", "gold", "lithium"),
            *("rare earth", "chemical", "fertilizer", "lumber", "coating", "paint", "cement", "packaging"),
            *("raw material", "metals"),
        ),
    ),
    "real-estate": Subject(
        names=("real estate", "property"),
        words=(
            *("real estate", "reit", "housing", "home sales", "home price", "mortgage", "landlord", "rent", "rental"),
            *("tenant", "commercial property", "office space", "office building", "apartment", "warehouse"),
            *("shopping mall", "data center"),
        ),
    ),
    "utilities": Subject(
        names=("utilities",),
        words=(
            *("utility", "electricity", "electric utility", "power grid", "grid", "power plant", "power demand"),
            *("nuclear power", "nuclear plant", "water utility", "transmission line", "gigawatt", "megawatt"),
            *("natural gas", "renewable", "ratepayer", "wildfire"),
        ),
    ),
    "communication-services": Subject(
        names=("communication services", "communication", "telecom", "telecommunication", "media"),
        words=(
            *("telecom", "telecommunication", "wireless", "broadband", "5g", "carrier", "streaming", "media"),
            *("social media", "advertising", "ad spending", "digital ad", "video game", "box office", "broadcaster"),
            *("cable", "studio", "podcast", "search engine", "subscriber"),
        ),
    ),
}
"""The sectors by key: an article filed under one of their companies is on their subject, whatever its words."""
