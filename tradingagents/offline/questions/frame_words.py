"""Words by which a frame tells what a question asks, in English, German and Chinese."""

from __future__ import annotations

COUNTS = frozenset(
    {
        *("many", "share", "percent", "percentage", "proportion", "fraction", "part", "number", "pct"),
        *("anteil", "viele", "wieviele", "prozent", "多少", "几只", "比例", "占比", "几家"),
    }
)
"""Words by which a question asks how many of all stocks do something."""
SUPERLATIVES = frozenset(
    {
        *(
            "cheapest",
            "safest",
            "riskiest",
            "priciest",
            "günstigste",
            "günstigsten",
            "billigste",
            "billigsten",
            "teuerste",
        ),
        *("teuersten", "sichersten", "riskantesten", "最便宜", "最贵", "valuable", "wertvollste", "wertvollsten"),
    }
)
"""Words that ask for the first or last of several."""
ANYWHERE = frozenset(
    {
        "which",
        "who",
        "whose",
        "anywhere",
        "companies",
        "stocks",
        "market",
        "irgendwo",
        "welche",
        "welchen",
        "wer",
        "wo",
        "哪些",
        "谁",
        "哪家",
    }
)
"""Words by which a question is on every company."""
ANY = frozenset({"any", "biggest", "latest", "recent", "insider"})
"""The same, where nothing was spoken of before."""
PRICE_ITSELF = frozenset({"price", "share price", "stock price", "quote", "kurs", "aktienkurs", "股价", "价格", "现价"})
"""Words by which a question asks for the price besides something else of it, as `it trades at its high` does not."""
A_DAY = frozenset({"day", "days", "session", "tag", "tage", "单日", "一天"})
EVENTS = frozenset({"upcoming", "events", "calendar", "termine", "日历"})
BOTH_WAYS = frozenset({"movers", "top movers", "biggest movers", "big movers", "market movers"})
WHICH = frozenset({"which", "top", "welche", "哪些", "哪只", "哪家"})
COMPANIES_OF = frozenset(
    {"banks", "retailers", "reits", "insurers", "banken", "versorger", "科技股", "银行股", "能源股"}
)
"""Names of sectors that stand for their companies, as in `which banks did best`."""
RANGES = frozenset(
    {
        *("52 week range", "52wk range", "52 wk range", "year range", "yearly range", "trading range"),
        *(
            "high and low",
            "highs and lows",
            "high low",
            "52 week high and low",
            "52 week highs and lows",
            "52 wochen spanne",
            "jahresspanne",
            "52周区间",
        ),
    }
)
"""Words that name a high and a low."""
HOW_BIG = frozenset({"how big is", "how big", "how large is", "how large"})
TWO_DAYS = (("today", "heute", "今天"), ("yesterday", "gestern", "昨天"))
EVER = frozenset(
    {"ever", "history", "record", "alltime", "all-time", "jemals", "rekordhoch", "allzeithoch", "allzeittief"}
)
"""Words that ask for what never was before; Chinese ones say 历史, history, in some word."""
