"""The subjects of topic searches, with the words that articles use for them: those of a market scan, and the sectors.

Singular and plural are equal here (`dataflows.reference.topics.folded`). A word belongs in `words` if most articles
with it are about the subject: so `tariff`, but not `trade`, which every stock column has. An ambiguous word belongs in
`hints`: it counts only together with one of `words`, one of `context`, or another hint. `never` lists phrases in which
a word has another sense: a dividend yield says nothing about central banks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TopicSubject:
    """A subject: the names it is requested by, and the words of its articles."""

    title: str
    """The subject in a word or two, for display."""
    names: tuple[str, ...]
    """Words or phrases that select it in a request, in addition to `words`."""
    words: tuple[str, ...]
    """Words or phrases of articles about it; one is enough."""
    hints: tuple[str, ...] = ()
    """Ambiguous words; each needs another one."""
    context: tuple[str, ...] = ()
    """Words that disambiguate a hint, and don't count by themselves."""
    never: tuple[str, ...] = ()
    """Phrases whose words are ignored."""


_PRICES = (
    *("price", "supply", "demand", "output", "production", "producer", "export", "import", "shortage", "inventory"),
    *("futures", "ounce", "ton", "tonne", "barrel", "bushel", "miner", "mining", "mine", "refinery", "metal", "metals"),
    *("at a record", "harvest", "crop", "bullion", "safe haven", "stockpile", "commodity", "commodities"),
)
"""Words that go with a commodity, and not with a credit card of that name."""

GEOPOLITICS = TopicSubject(
    title="geopolitics",
    names=("geopolitics", "geopolitical", "foreign policy", "world politics", "international relations"),
    words=(
        *("geopolitics", "geopolitical", "warfare", "invasion", "ceasefire", "truce", "airstrike", "missile"),
        *("nuclear weapon", "nato", "diplomat", "diplomatic", "peace talk", "peace deal", "terrorism", "hostage"),
        *("ukraine", "kremlin", "putin", "gaza", "hamas", "houthi", "red sea", "middle east", "south china sea"),
        *("north korea", "border talk", "security accord", "national security", "sanction", "military conflict"),
        *("military escort", "foreign minister", "trade war"),
    ),
    hints=(
        *(
            "war",
            "conflict",
            "summit",
            "coup",
            "military",
            "troop",
            "pentagon",
            "russia",
            "russian",
            "israel",
            "israeli",
        ),
        *("iran", "iranian", "syria", "yemen", "taiwan", "china", "chinese", "beijing", "venezuela", "greenland"),
        *("panama canal", "envoy", "ambassador", "strait", "election"),
    ),
    context=(
        *("tension", "attack", "strike", "army", "defence minister", "defense minister", "president", "government"),
        *("talk", "negotiation", "treaty", "accord", "crisis", "escalation", "retaliation", "retaliate", "tariff"),
        *(
            "embargo",
            "border",
            "threat",
            "threaten",
            "security",
            "foreign ministry",
            "security council",
            "prime minister",
        ),
        *("trump", "export control", "export curb", "blockade", "export ban", "soldier", "weapon", "fighting", "army"),
        *("bloc", "post", "peace", "front line", "civilian", "refugee", "outbreak", "fear"),
    ),
    never=(
        *("price war", "streaming war", "bidding war", "war chest", "star wars", "burger war", "sandwich war"),
        *("cola war", "talent war", "ai war", "chip war", "war on", "war room", "conflict of interest", "console war"),
        *("warren", "annual summit", "investor summit", "user summit", "developer summit", "leadership summit"),
        *("war stories", "browser war", "delivery war", "conflict mineral", "world war z"),
    ),
)
TRADE = TopicSubject(
    title="trade policy",
    names=("trade policy", "trade war", "international trade", "trade", "tariff", "export control"),
    words=(
        *("tariff", "trade war", "trade policy", "trade deal", "trade agreement", "trade talk", "trade tension"),
        *("trade dispute", "trade deficit", "trade barrier", "trade minister", "trade partner", "trading partner"),
        *("free trade", "export control", "export curb", "export ban", "export restriction", "import duty"),
        *("import tax", "import ban", "customs duty", "embargo", "reciprocal duty", "protectionism", "protectionist"),
        *("usmca", "nafta", "wto", "world trade organization", "liberation day", "trade figure", "trade surplus"),
        *("section 232", "section 301", "de minimis"),
    ),
    hints=("levy", "retaliatory", "reciprocal", "duty", "quota", "reshoring", "onshoring", "sanction", "trade"),
    context=(
        *("import", "export", "exporter", "importer", "customs", "trump", "beijing", "brussels", "white house"),
        *("retaliation", "goods", "steel", "negotiator", "canada", "mexico", "trading bloc"),
    ),
    never=(
        *("duty free", "heavy duty", "off duty", "fiduciary duty", "fiduciary duties", "duty of care", "options trade"),
        *("options trading", "day trade", "trade idea", "trade this", "how to trade", "trade alert", "swing trade"),
        *("call of duty", "jury duty", "light duty", "medium duty", "trade show", "trade in", "trade secret"),
        *("reciprocal link", "on duty"),
    ),
)
CENTRAL_BANKS = TopicSubject(
    title="central banks",
    names=("central bank", "monetary policy", "monetary", "interest rate", "federal reserve", "fed", "rate cut"),
    words=(
        *("central bank", "central banker", "federal reserve", "fed", "fomc", "powell", "monetary policy"),
        *("interest rate", "rate cut", "rate hike", "rate decision", "policy rate", "dot plot", "lagarde"),
        *("hawkish", "dovish", "quantitative tightening", "quantitative easing", "balance sheet runoff"),
        *("treasury yield", "bond yield", "yield curve", "ten year yield", "10 year yield", "ecb", "boj", "pboc"),
        *("european central bank", "bank of england", "bank of japan", "inflation", "cpi", "pce"),
    ),
    hints=("yield", "basis point", "borrowing cost", "easing", "tightening"),
    context=("treasury", "bond", "policymaker", "10 year", "ten year", "mortgage", "gilt", "bund", "monetary"),
    never=(
        *("dividend yield", "high yield", "yield etf", "yieldmax", "yield on cost", "yielding", "yield stock"),
        *("yield of", "yield dividend", "earnings yield", "free cash flow yield", "cash flow yield", "fed up"),
        *("distribution yield", "crop yield"),
    ),
)
COMMODITIES = TopicSubject(
    title="commodities",
    names=("commodity", "raw material"),
    words=(
        *("commodity", "raw material", "crude", "opec", "brent", "wti", "natural gas", "iron ore", "rare earth"),
        *("bullion", "gold price", "gold futures", "gold miner", "silver price", "copper price", "oil price"),
        *("oil market", "oil demand", "oil supply", "oil output", "precious metal", "base metal", "soybean", "uranium"),
        *("aluminum", "aluminium", "nickel", "lng", "gasoline"),
    ),
    hints=(
        *("gold", "silver", "copper", "platinum", "palladium", "lithium", "zinc", "wheat", "corn", "coffee", "cocoa"),
        *("sugar", "cotton", "oil", "lumber", "steel", "record high"),
    ),
    context=_PRICES,
    never=(
        *("platinum plus", "platinum card", "business platinum", "platinum status", "gold card", "gold medal"),
        *("gold standard", "silver lining", "silver lake", "silver spring", "golden", "olive oil", "essential oil"),
        *("fish oil", "snake oil", "cooking oil", "oil change", "motor oil", "coffee chain", "coffee shop"),
        *("coffee giant", "blood sugar", "sugar free", "sweet corn", "corn chip", "cotton candy", "gold mine of"),
        *("gold rush for", "corn dog", "popcorn", "gold rated", "go for gold", "record high dividend", "gold member"),
        *("no sugar", "hair oil", "body oil", "beard oil", "sugar daddy", "silver bullet", "platinum record"),
        *("copper mountain", "nickel and dime", "nickel and diming"),
    ),
)
ECONOMY = TopicSubject(
    title="the economy",
    names=("economy", "economic", "macroeconomic", "economic growth", "recession", "macro"),
    words=(
        *("economy", "economist", "recession", "gdp", "gross domestic product", "stagflation", "soft landing"),
        *("payroll", "jobless claim", "unemployment", "labor market", "labour market", "jobs report", "job report"),
        *("consumer confidence", "consumer sentiment", "consumer spending", "retail sales", "retail sale", "pmi"),
        *("inflation", "cpi", "producer price", "economic data", "economic growth", "economic outlook"),
        *("industrial production", "manufacturing data", "durable goods", "durable good", "housing start"),
        *("debt ceiling", "government shutdown", "fiscal policy", "budget deficit", "credit downgrade"),
    ),
    hints=("economic", "slowdown", "hiring", "layoff", "growth scare", "downturn", "manufacturing", "deficit"),
    context=("growth", "survey", "ism", "economies", "business activity", "factory", "consumer", "recovery", "country"),
    never=("economy class", "creator economy", "gig economy", "fuel economy", "premium economy", "home economics"),
)
MARKETS = TopicSubject(
    title="markets",
    names=("financial market", "equity market", "stock market", "wall street"),
    words=(
        *("wall street", "stock market", "equity market", "bear market", "bull market", "market rout"),
        *("market selloff", "market sell off", "nasdaq", "s&p 500", "dow jones", "dow", "russell 2000", "vix"),
        *("stock futures", "stock index", "us stocks", "global stocks", "asian shares", "ftse"),
        *("market correction", "market crash", "market volatility", "market slump", "market turmoil", "treasuries"),
        *(
            "bond market",
            "market rally",
            "market rebound",
            "risk off",
            "risk on",
            "volatility index",
            "circuit breaker",
        ),
        *("stocks tumble", "stocks sink", "stocks slump", "stocks rally", "stocks fall", "stocks rise", "stocks slide"),
        *("overseas market", "grip markets", "stocks plunge", "stocks climb", "stocks jump", "stocks dive"),
        *("global market", "stocks drop", "hedge fund", "megacap", "big tech", "dollar index", "stock indexes"),
    ),
    hints=("selloff", "sell off", "volatility", "rout", "rally", "futures", "correction", "rebound"),
    context=("market", "stocks", "share", "investor", "global", "broader", "the open", "index", "dealer", "session"),
    never=(
        *("dow inc", "market research", "market report", "market size", "market share", "market opportunity"),
        *("stock market today", "dogs of the dow", "dobermans of the dow", "market cap", "market to reach"),
        *("market to exceed", "farmers market", "supermarket", "job market", "housing market", "flea market"),
        *("gaming market", "market leader", "go to market", "mass market", "down market"),
    ),
)
"""The market as a whole, for market news."""
SUBJECTS = (
    GEOPOLITICS,
    TRADE,
    CENTRAL_BANKS,
    COMMODITIES,
    ECONOMY,
    MARKETS,
    TopicSubject(
        title="renewable energy",
        names=("renewable energy", "clean energy", "green energy", "renewable"),
        words=(
            *("renewable", "clean energy", "green energy", "solar", "wind power", "wind farm", "offshore wind"),
            *("geothermal", "energy storage", "energy transition", "decarbonization", "net zero", "carbon capture"),
            *("green hydrogen", "hydropower", "solar panel"),
        ),
        hints=("hydrogen", "battery", "wind", "turbine"),
        context=("energy", "electricity", "power", "grid", "storage", "emission"),
        never=("solar system", "solar eclipse", "power drill battery", "toy battery"),
    ),
    TopicSubject(
        title="semiconductors",
        names=("semiconductor", "chip", "chipmaker"),
        words=(
            *("semiconductor", "chipmaker", "chipmaking", "microchip", "gpu", "foundry", "wafer", "lithography"),
            *("chips act", "memory chip", "dram", "tsmc", "asml", "nvidia", "ai chip", "chip stock", "chip export"),
            *("broadcom", "micron"),
        ),
        hints=("chip", "fab", "processor", "advanced packaging"),
        context=(
            "export",
            "ai",
            "maker",
            "factory",
            "design",
            "data center",
            "memory",
            "intel",
            "amd",
            "plant",
            "demand",
        ),
        never=(
            *("blue chip", "chip away", "chipped", "potato chip", "chocolate chip", "tortilla chip", "bargaining chip"),
            *("chip in", "corn chip", "chips ahoy", "fish and chips", "poker chip"),
        ),
    ),
    TopicSubject(
        title="artificial intelligence",
        names=("artificial intelligence", "ai", "generative ai"),
        words=(
            *("artificial intelligence", "ai", "generative ai", "machine learning", "large language model", "chatbot"),
            *("chatgpt", "openai", "anthropic", "deepseek", "ai agent", "agentic"),
        ),
        never=("ai weiwei",),
    ),
)
"""Subjects that aren't sectors."""

SECTOR_SUBJECTS: Mapping[str, TopicSubject] = {
    "technology": TopicSubject(
        title="technology",
        names=("information technology", "technology", "tech"),
        words=(
            *("technology", "tech", "big tech", "software", "semiconductor", "chipmaker", "cloud computing", "saas"),
            *("artificial intelligence", "ai", "data center", "cybersecurity", "smartphone", "quantum computing"),
            *("it spending", "openai", "nvidia", "cloud spending", "iphone"),
        ),
        hints=("chip", "cloud", "server", "hardware", "computing"),
        context=("data", "digital", "computing", "provider", "spending", "enterprise", "app", "device"),
        never=("blue chip", "potato chip", "financial technology", "hardware store", "biotechnology", "cloud cover"),
    ),
    "healthcare": TopicSubject(
        title="health care",
        names=("health care", "healthcare", "pharma", "pharmaceutical", "biotech"),
        words=(
            *("health care", "healthcare", "drugmaker", "pharma", "pharmaceutical", "biotech", "biotechnology", "fda"),
            *("medicare", "medicaid", "clinical trial", "phase 3", "hospital", "vaccine", "medical device", "glp 1"),
            *("health insurer", "health insurance", "biosimilar", "drug pricing", "oncology", "late stage study"),
        ),
        hints=("drug", "cancer", "obesity", "trial", "patient", "therapy"),
        context=("approval", "study", "treatment", "prescription", "medicine", "clinical", "doctor", "disease"),
        never=("drug store", "drugstore", "drug cartel", "jury trial", "free trial", "trial lawyer", "retail therapy"),
    ),
    "financials": TopicSubject(
        title="financials",
        names=("financials", "financial services", "banking"),
        words=(
            *("bank", "banking", "banker", "lender", "insurer", "asset manager", "wealth management", "fintech"),
            *("investment banking", "private equity", "private credit", "brokerage", "capital markets"),
            *("net interest income", "stress test", "underwriting", "bank stock", "credit losses"),
        ),
        hints=("lending", "loan", "insurance", "credit card", "payment", "deposit", "premium"),
        context=("bank", "financial", "default", "consumer", "delinquency", "catastrophe", "claim", "network"),
        never=(
            "food bank",
            "power bank",
            "blood bank",
            "bank holiday",
            "river bank",
            "world bank",
            "dividend payment",
            "central bank",
            "central banker",
            "european central bank",
            "bank of japan",
            "bank of england",
            "reserve bank",
            "people s bank",
            "warranty claim",
        ),
    ),
    "energy": TopicSubject(
        title="energy",
        names=("energy", "oil and gas", "oil & gas"),
        words=(
            *("crude", "opec", "natural gas", "lng", "brent", "wti", "refinery", "refiner", "oil price", "oil market"),
            *("shale", "petroleum", "gasoline", "oilfield", "rig count", "oil major", "oil producer", "energy stock"),
            *("energy share", "energy price", "energy sector", "oil and gas", "oil demand", "oil supply"),
            *("energy company", "energy policy", "energy demand", "oil output"),
        ),
        hints=("oil", "gas", "energy", "drilling", "driller", "pipeline"),
        context=(
            *_PRICES,
            "well",
            "offshore",
            "drill",
            "rig",
            "fuel",
            "power",
            "grid",
            "utility",
            "producer",
            "nuclear",
        ),
        never=(
            *("olive oil", "essential oil", "fish oil", "snake oil", "cooking oil", "oil change", "motor oil"),
            *("energy drink", "high energy", "energy bar", "gas station snack", "drug pipeline", "clinical pipeline"),
            *("product pipeline", "hair oil", "body oil", "oil free", "development pipeline", "sales pipeline"),
        ),
    ),
    "consumer-discretionary": TopicSubject(
        title="consumer discretionary",
        names=("consumer discretionary", "consumer cyclical"),
        words=(
            *("retailer", "consumer discretionary", "consumer spending", "e commerce", "ecommerce", "online shopping"),
            *(
                "automaker",
                "carmaker",
                "electric vehicle",
                "ev",
                "homebuilder",
                "home improvement",
                "casino",
                "apparel",
            ),
            *("footwear", "luxury", "restaurant chain", "cruise line", "retail sales", "retail stock", "retail sale"),
        ),
        hints=("retail", "auto", "restaurant", "hotel", "travel", "cruise", "car"),
        context=(
            "chain",
            "sales",
            "consumer",
            "shopper",
            "traffic",
            "booking",
            "industry",
            "demand",
            "dealer",
            "maker",
        ),
        never=("travel card", "auto insurance", "retail investor", "retail class", "auto renew", "travel rewards"),
    ),
    "consumer-staples": TopicSubject(
        title="consumer staples",
        names=("consumer staples", "consumer defensive", "consumer goods"),
        words=(
            *("consumer staples", "consumer staple", "consumer goods", "consumer good", "grocery", "grocer"),
            *("supermarket", "packaged food", "soft drink", "tobacco", "household products", "household product"),
            *("personal care", "private label", "discount store", "consumer products", "consumer product", "egg price"),
        ),
        hints=("food", "beverage", "snack", "detergent", "diaper", "egg", "meat", "dairy"),
        context=("price", "maker", "shopper", "brand", "sales", "company", "industry", "demand", "volume", "retailer"),
        never=("fast food deal", "food bank", "food for thought", "pet food recall"),
    ),
    "industrials": TopicSubject(
        title="industrials",
        names=("industrials",),
        words=(
            *("aerospace", "airline", "aircraft", "railroad", "freight", "trucking", "machinery", "conglomerate"),
            *("equipment maker", "jetliner", "defense contractor", "defence contractor", "defense stock", "airbus"),
            *("manufacturing data", "supply chain", "logistics", "fighter jet", "industrial production"),
        ),
        hints=(
            *("defense", "defence", "jet", "aviation", "shipping", "manufacturing", "manufacturer", "factory"),
            *("construction", "infrastructure", "automation"),
        ),
        context=(
            "contract",
            "order",
            "spending",
            "pentagon",
            "plant",
            "industry",
            "equipment",
            "delivery",
            "industrial",
        ),
        never=("free shipping", "jet lag", "defense attorney", "self defense", "legal defense", "automation software"),
    ),
    "materials": TopicSubject(
        title="materials",
        names=("materials", "basic materials"),
        words=(
            *("steelmaker", "aluminum", "aluminium", "rare earth", "fertilizer", "cement", "raw material", "iron ore"),
            *("metals", "miner", "chemical maker", "specialty chemical", "lithium price", "copper price", "gold price"),
            *("steel tariff", "coating", "industrial gas"),
        ),
        hints=("mining", "steel", "copper", "gold", "lithium", "chemical", "lumber", "paint", "packaging", "silver"),
        context=_PRICES,
        never=(
            *("solicitation material", "bitcoin mining", "crypto mining", "data mining", "gold card", "gold standard"),
            *("course materials", "platinum plus", "paint a", "paints a", "advanced packaging", "golden"),
        ),
    ),
    "real-estate": TopicSubject(
        title="real estate",
        names=("real estate", "property"),
        words=(
            *("real estate", "reit", "home sales", "home sale", "home price", "landlord", "commercial property"),
            *("office space", "office building", "shopping mall", "housing market", "mortgage rate", "housing start"),
            *("apartment", "homebuyer", "home builder"),
        ),
        hints=("housing", "mortgage", "rent", "rental", "tenant", "warehouse", "data center", "property"),
        context=("price", "vacancy", "lease", "buyer", "demand", "market", "affordability", "home"),
        never=("intellectual property", "car rental", "rent a car", "rental car", "property casualty", "movie rental"),
    ),
    "utilities": TopicSubject(
        title="utilities",
        names=("utilities",),
        words=(
            *("utility", "electricity", "electric utility", "power grid", "power plant", "power demand", "gigawatt"),
            *("nuclear power", "nuclear plant", "nuclear energy", "water utility", "transmission line", "megawatt"),
            *("ratepayer", "natural gas", "power price", "grid operator", "renewable"),
        ),
        hints=("grid", "wildfire", "nuclear", "blackout", "power"),
        context=("electric", "electricity", "outage", "plant", "reactor", "generation", "energy"),
        never=("utility vehicle", "sport utility", "utility token", "utility patent", "grid computing", "power tool"),
    ),
    "communication-services": TopicSubject(
        title="communication services",
        names=("communication services", "communication", "telecom", "telecommunication", "media"),
        words=(
            *(
                "telecom",
                "telecommunication",
                "broadband",
                "5g",
                "social media",
                "digital ad",
                "ad spending",
                "video game",
            ),
            *("box office", "broadcaster", "search engine", "wireless carrier", "media company", "ad revenue"),
            *("streaming service", "advertising market", "advertiser", "netflix", "ad market"),
        ),
        hints=("wireless", "carrier", "streaming", "media", "advertising", "cable", "studio", "podcast", "subscriber"),
        context=("network", "spectrum", "customer", "platform", "content", "company", "spending", "price", "growth"),
        never=(
            *("worth streaming", "to stream", "aircraft carrier", "wireless earbuds", "wireless charger", "cable news"),
            *("carrier global", "what to watch", "movies and shows", "media contact", "media relations"),
        ),
    ),
}
"""The sectors by key: an article filed under one of their companies is about their subject, whatever its words."""
