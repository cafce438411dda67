"""Words and aspects by which a frame tells what a question asks; words in English, German and Chinese."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from tradingagents.offline.questions.economy import ECONOMY, RELEASED
from tradingagents.offline.questions.measures import RATIOS
from tradingagents.retrieval.questions.aspects import AskedAspects
from tradingagents.retrieval.questions.days import NamedDays

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
A_DAY = frozenset({"day", "days", "session", "sessions", "tag", "tage", "tagen", "daily", "单日", "一天"})
_EARNINGS = frozenset(
    {
        *("earnings", "eps", "earnings per share", "last earnings", "quarterly earnings", "latest earnings"),
        *("gewinn je aktie", "gewinn pro aktie", "每股收益", "每股盈利"),
    }
)
"""Words of results that are a figure, of which it may be said that it rose."""
_OF_THE_SHARE = frozenset(
    {
        *("it", "stock", "shares", "price", "they", "kurs", "aktienkurs", "股价", "股票"),
        *("react", "reacted", "reaction", "reagiert"),
    }
)
"""Words that say of a share that it moved, beside its results."""
COMPARES = frozenset({"compare", "compared", "comparison", "vergleiche", "vergleich", "verglichen", "对比", "比较"})
"""Words that set one thing against another."""
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
            *("hoch und tief", "höchst und tiefstkurs", "höchst und tiefststand", "höchster und tiefster kurs"),
            *("最高和最低", "最高价和最低价", "最高最低"),
        ),
    }
)
"""Words that name a high and a low."""
HOW_BIG = frozenset({"how big is", "how big", "how large is", "how large"})
REPORTED = frozenset(
    {
        "reported",
        "posted",
        "released",
        "published",
        "announced",
        "berichtet",
        "berichtete",
        "berichteten",
        "vorgelegt",
        "gemeldet",
        "公布了",
        "发布了",
        "发了",
    }
)
"""Words by which a question asks who reported, not who will."""
NET = frozenset(
    {"net debt", "net cash", "net cash position", "nettoliquidität", "nettoverschuldung", "nettoschulden", "nettocash"}
    | {"净现金", "净债务", "净负债"}
)
"""Words for what is left of debt and cash, set against each other."""
BARE_GROWTH = frozenset(
    {"growth", "growing", "grow", "grows", "grew", "grown", "fastest growing", "wachstum", "wächst", "wachst", "增长"}
)
"""Words of growth that do not say of what."""
EACH_SHARE = frozenset({"per share", "each share", "a share", "je aktie", "pro aktie", "每股"})
"""Words that ask for a figure per share, and alone for the earnings."""
_CHEAPEST = frozenset({"cheapest", "günstigste", "günstigsten", "billigste", "最便宜"})
_DEAREST = frozenset({"expensive", "priciest", "dearest", "teuerste", "teuersten", "最贵"})
GROWTH = ("growth", "grow", "grew", "wachstum", "wachs", "wächst", "wuchs", "增长", "增速")
"""Words, or parts of them, by which a question asks how a figure grew."""
TWO_DAYS = (("today", "heute", "今天"), ("yesterday", "gestern", "昨天"))
RECORDS = frozenset(
    {
        *("hit a record", "hit an all time high", "new record", "at a record", "at a new high", "at record highs"),
        *("record high", "all time high", "new high", "new highs", "hit new highs", "hit a new high"),
        *("rekordhoch", "allzeithoch", "neues hoch", "auf rekordhoch", "新高", "历史新高", "创新高"),
    }
)
NEW_LOWS = frozenset({"new low", "new lows", "making new lows", "keeps making new lows", "all time low", "新低"})
"""Words that say of a price not only that it rose or fell, but that none was higher or lower before."""
EVER = frozenset(
    {"ever", "history", "record", "alltime", "all-time", "jemals", "rekordhoch", "allzeithoch", "allzeittief"}
)
"""Words that ask for what never was before; Chinese ones say 历史, history, in some word."""
AFTER = frozenset({"after", "following", "nach", "后", "之后"})
"""Words for what came behind something."""
IN_YEARS = frozenset({"years", "jahren", "年来"})
"""Words that ask for a record of some years, how many is left open."""
_AS_FAR = frozenset(
    {
        *(
            "bad",
            "badly",
            "big",
            "large",
            "sharply",
            "hard",
            "much",
            "good",
            "well",
            "strong",
            "strongly",
            "high",
            "low",
        ),
        *("schlecht", "schlechten", "schlimm", "stark", "starken", "viel", "tief", "gut", "guten", "kräftig"),
    }
)
_LIKE_THIS = frozenset({"as", "this", "that", "so", "like", "such", "wie"})
_THE_LAST = frozenset({"last", "zuletzt", "letztes", "letzte", "previously"})
_LAST_ALIKE_SIGNS = ("上次", "上一次", "最近一次")


AGO = frozenset({"ago", "vor", "年前", "月前", "周前"})
"""Words for a day that lies so many weeks, months or years back."""


UNDER, OVER = (
    frozenset({"under", "below", "unter", "低于", "跌破"}),
    frozenset({"above", "over", "über", "高于", "突破"}),
)
"""Words for the side of a level on which a price is."""


def past_day(days: NamedDays, words: frozenset[str]) -> date | None:
    """Return the one day behind that a question asks about, as `at the end of 2023` or `a year ago`; None for others.

    Args:
        days: Those that it names.
        words: All its words.
    """
    if days.window:
        return days.start if AGO & words and days.count and days.base == days.start else None
    return days.days[0] if len(days.days) == 1 else None


def of_yield(asked: AskedAspects) -> bool:
    """Tell whether a question on dividends asks what part of the price they are, and not what was paid."""
    said = asked.said_of("dividend")
    return asked.has("yield") or any(word in said for word in ("yield", "rendite", "股息率"))


def counts_stocks(asked: AskedAspects, words: frozenset[str]) -> bool:
    """Tell whether a question asks how many stocks rose or fell, or which part of them is above an average."""
    stocks = bool(STOCKS & words) or asked.has("members", "breadth")
    says = asked.has("averages", "high", "low") or bool({"fell", "rose"} & set(asked.claims))
    named = asked.has("breadth") or (bool(COUNTS & words) and says)
    return stocks and named and set(asked.aspects) <= OF_BREADTH


def asks_last_alike(words: frozenset[str]) -> bool:
    """Tell whether a question asks when a price last moved as far: `when did it last fall this much`."""
    text = "".join(word for word in words if not word.isascii())
    signs = any(sign in text for sign in _LAST_ALIKE_SIGNS) and any(
        sign in text for sign in ("这么", "那么", "一样", "同样")
    )
    asks_when = bool({"when", "wann"} & words or {"last", "time"} <= words)
    return signs or (asks_when and bool(_THE_LAST & words) and bool(_LIKE_THIS & words) and bool(_AS_FAR & words))


def both_ends(words: frozenset[str]) -> bool:
    """Tell whether a question asks for both ends of one list: `the cheapest and the most expensive`."""
    return bool(_CHEAPEST & words and _DEAREST & words)


def beside_others(asked: AskedAspects) -> str:
    """Return an aspect whose words only say something of another one, as `growing` of a dividend; empty for none."""
    if asked.said_of("price") == "macht" and asked.has("profit", "results", "dividend"):
        return "price"  # `macht es Verlust`
    if asked.has("dividend") and asked.said_of("results") == "zahlen":
        return "results"
    if asked.said_of("results") in EACH_SHARE and ("pays" in asked.asks or asked.has("dividend", "buybacks")):
        return "results"
    bare = asked.has("dividend") and asked.has("growth") and asked.said_of("growth") in BARE_GROWTH
    return "growth" if bare else ""


def net_of_cash(own: list[str], asked: AskedAspects) -> list[str]:
    """Return what is asked with the cash where debt is asked for net of it."""
    return ["debt", "cash"] if own == ["debt"] and asked.said_of("debt") in NET else own


def end_claimed(asked: AskedAspects) -> str:
    """Return what tells whether a price stands at the high or low that a question says it is at; empty for none."""
    if asked.said_of("rose") in RECORDS:
        return "peak"
    return "low" if asked.said_of("fell") in NEW_LOWS else ""


def asks_day_of_most(asked: AskedAspects, demands: frozenset[str]) -> bool:
    """Tell whether a question asks for the day on which a price fell or rose most."""
    moved = {"fell", "rose"} & set(asked.claims) and {"most", "least"} & asked.asks
    return "when" in demands and bool(moved) and set(asked.aspects) <= {"price", "recap"}


def asks_single_days(asked: AskedAspects, demands: frozenset[str], words: frozenset[str], *, dated: bool) -> bool:
    """Tell whether a question asks of single days: the best one, how often it fell, how many in a row, a gap.

    Args:
        asked: What it says.
        demands: What its answer is to hold.
        words: All its words.
        dated: Whether it names days: `how many days was it up` counts them then.
    """
    moved = bool({"fell", "rose"} & set(asked.claims))
    often = moved and ("how_often" in demands or ("how_long" in demands and dated and bool(A_DAY & words)))
    extreme = ("extreme" in demands and bool(A_DAY & words)) or asks_day_of_most(asked, demands)
    return often or extreme or asks_last_alike(words) or asked.has(*OF_DAYS)


def moves_earnings(phrases: Sequence[tuple[str, str]], words: frozenset[str]) -> bool:
    """Tell whether a question says of the earnings, and not of the share, that they rose or fell.

    Args:
        phrases: What it asks about and takes for granted, each with the words for it, in its order.
        words: All its words.
    """
    said = [key for key, written in phrases if key != "results" or written in _EARNINGS]
    moves = [at for at, key in enumerate(said) if key in ("fell", "rose")]
    return "results" in said and bool(moves) and said.index("results") < moves[0] and not _OF_THE_SHARE & words


MARKET = "^GSPC"
"""What `the market` is beside a company."""
OF_MARKET = ("recap", "winners", "losers", "sectors", "mood", *ECONOMY, "reporting", "correction", "breadth")
"""Aspects of the market; every other one is of companies."""
OF_COMPANY = (
    *("price", "peak", "high", "low", "drawdown", "risk", "beta", "rsi", "averages", "dividend", "debt", "cash"),
    *("growth", "profit", "valuation", "insiders", "news", "filings", "report_date", "results", "profile", "cause"),
    *("opinion", "analysis", "social", "analysts", "overview", "listing", "statement", "split", "buybacks", *RATIOS),
    *("margin", "volume", "daily", "periods", "volumes", "level_last"),
)
OVERVIEW = ("price", "growth", "profit", "debt", "dividend", "valuation")
"""What is shown of a company where a question asks for its key figures."""
PERIODS = {**dict.fromkeys(("annual", "yearly"), "latest_year"), "quarterly": "latest_quarter"}
"""Words for the period of a statement, in a question that names no days."""
WHEN = frozenset({"when", "wann", "何时", "什么时候"})
HAS_A_DAY = frozenset(
    {
        *(
            "report_date",
            "reporting",
            *RELEASED,
            "high",
            "low",
            "peak",
            "dividend",
            "insiders",
            "insiders_across",
            "news",
            *("listing", "hours", "daily", "periods", "volumes", "level_last"),
        ),
        *("filings", "drawdown", "results", "cause", "split"),
    }
)
"""Aspects whose answer names days, as a question that begins with `when` asks."""
OF_BREADTH = frozenset({"breadth", "averages", "high", "low", "members", "recap", "price", "winners", "losers"})
FORESEES = frozenset({"how low can", "how high can", "how far can", "will", "going to", "wird", "werden", "会", "将"})
RANKED = (
    *("price", "risk", "rsi", "dividend", "margin", "growth", "valuation", "momentum", "beaten", "peak"),
    *("debt", "profit", "cash", "drawdown", *RATIOS),
)
"""Aspects by which several companies are put in order."""
OF_COMING = frozenset({"releases", "reporting", "report_date", *RELEASED})
"""Aspects that may be asked about coming days."""
LONGEST_LISTED = 45
"""Days of the longest window over which the companies of a sector are listed."""
OF_REASONS = frozenset({"results", "price", "cause", "dividend", "report_date"})
"""What a price is said to have moved by."""
IDEAS = ("ideas", "momentum", "beaten", "members")
OF_DAYS = ("streak", "gap", "correlation")
"""Aspects that are told from the closes of single days."""
SHARES_NEEDED = frozenset({"needed", "how_many"})
"""Asks for how many shares pay an amount of dividends."""
STOCKS = frozenset({"stock", "stocks", "shares", "companies", "aktien", "werte", "股票", "公司"})
ALWAYS = frozenset(
    {
        *("dividend", "high", "cause", "screen", "ideas", "breadth", "peak", "drawdown", "mood", "insiders"),
        *("insiders_across", "releases", *(ECONOMY.keys() - {"economy"}), *RATIOS),
        *("winners", "losers", "overview", "report_date", "correction", "social", "analysts", "profit", "debt"),
        *("reporting", "cash", "results", "split", "buybacks", "daily", "volume", "low"),
        *("periods", "volumes", "level_last"),
    }
)
"""What is always answered word by word of the question."""
