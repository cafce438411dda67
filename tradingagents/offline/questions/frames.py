"""A question as a frame: whom it is about, what it asks, over which days; what may be answered of it, and what not."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tradingagents.offline.questions.conversation import ConversationBrief
from tradingagents.offline.questions.lookups import index_named, other_market_named, sector_named
from tradingagents.retrieval.questions.aspects import AskedAspects, read_aspects
from tradingagents.retrieval.questions.companies import one_slip
from tradingagents.retrieval.questions.days import NamedDays
from tradingagents.retrieval.questions.names import in_english, names_table
from tradingagents.retrieval.questions.reading import QuestionReading
from tradingagents.retrieval.questions.spans import completed, named_days, unclear_days
from tradingagents.retrieval.questions.wording import levels_in, names_period, without_days, without_names, words_in

MARKET = "^GSPC"
"""What `the market` is beside a company."""
OF_MARKET = (
    "recap",
    "winners",
    "losers",
    "sectors",
    "mood",
    "rates",
    "inflation",
    "jobs",
    "fed",
    "economy",
    "reporting",
)
"""Aspects of the market; every other one is of companies."""
OF_COMPANY = (
    *(
        "price",
        "peak",
        "high",
        "low",
        "drawdown",
        "risk",
        "beta",
        "rsi",
        "averages",
        "dividend",
        "debt",
        "cash",
        "margin",
    ),
    *("growth", "profit", "valuation", "insiders", "news", "filings", "report_date", "results", "profile", "cause"),
    *("opinion", "analysis"),
)
RANKED = ("price", "risk", "rsi", "dividend", "margin", "growth", "valuation", "momentum", "beaten", "peak")
"""Aspects by which several companies are put in order."""
_SUPERLATIVES = frozenset(
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
        *("teuersten", "sichersten", "riskantesten", "最便宜", "最贵"),
    }
)
"""Words that ask for the first or last of several."""
_OF_COMING = frozenset({"reporting", "report_date", "fed", "jobs", "inflation"})
"""Aspects that may be asked about coming days."""
_IDEAS = ("ideas", "momentum", "beaten", "members")


@dataclass(frozen=True, slots=True)
class QuestionFrame:
    """What a question names, all of it."""

    asked: AskedAspects
    days: NamedDays
    symbols: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Words that may name companies which no list knows."""
    index: str = ""
    sector: str = ""
    other: str = ""
    """What is traded elsewhere."""
    span: str = ""
    """The words by which it names days; empty for none."""
    words: frozenset[str] = frozenset()
    """Its words in small letters, and its Chinese text."""
    levels: tuple[float, ...] = ()
    """Bare numbers, such as the price or RSI that it takes for granted."""

    @property
    def parts(self) -> tuple[str, ...]:
        """What is answered, keys of `aspects.yaml`, `screen` or `index`; empty where the frame is not whole."""
        if not self.asked.whole or self.names or self.other or (self.span and not self.dated and not self.coming):
            return ()
        if {"bought", "sold"} & self.asked.asks and not self.asked.has("insiders", "people", "opinion", "ideas"):
            return ()  # an order, or a trade of its writer
        found = self._of_companies if self.symbols else self._of_market
        if (self.asked.ahead or self.coming) and not set(found) <= _OF_COMING:
            return ()
        return found

    @property
    def period(self) -> bool:
        """Tell whether it names a fiscal year or quarter by its number."""
        return names_period(self.span)

    @property
    def coming(self) -> bool:
        """Tell whether it names coming days."""
        return any(word in self.span.split() for word in ("next", "coming"))

    @property
    def dated(self) -> bool:
        """Tell whether its days were understood."""
        return self.days.window or bool(self.days.days) or self.days.as_of is not None

    @property
    def _of_companies(self) -> tuple[str, ...]:
        own = [name for name in self.asked.aspects if name in OF_COMPANY]
        others = set(self.asked.aspects) - set(own) - {"recap", "real"}
        if "people" in others and {"bought", "sold"} & self.asked.asks:
            others.remove("people")
            own = list(dict.fromkeys((*own, "insiders")))
        if others or self.sector:
            return ()
        if "results" in own and {"growth", "margin", "profit", "debt", "cash"} & set(own):
            own.remove("results")  # it says of which period
        if {"peak", "high", "low", "drawdown", "averages", "dividend", "valuation", "rsi"} & set(
            own
        ) and "price" in own:
            own.remove("price")
        if not own and "pays" in self.asked.asks:
            own = ["dividend"]
        if "cause" in own:
            return ("cause",) if set(own) <= {"cause", "price", "results"} else ()
        return tuple(own) or ("price",)

    @property
    def _of_market(self) -> tuple[str, ...]:
        asked = self.asked
        if asked.has("real", "thanks") and len(asked.aspects) == 1:
            return asked.aspects
        ranks = bool({"most", "least", "pays"} & asked.asks or asked.has(*_IDEAS))
        ranked = [name for name in asked.aspects if name in RANKED]
        ranks = ranks or bool(_SUPERLATIVES & self.words) or bool(self.sector and asked.has("recap"))
        if (self.sector or asked.has("members", "momentum", "beaten")) and ranks and (set(ranked) - {"price"}):
            return () if self.index else ("screen",)  # who is in an index is not known
        if moved := self._movers:
            return moved
        if asked.has("ideas") and set(asked.aspects) <= {"ideas", "opinion", "recap", "members", "price"}:
            return ("ideas",)
        if self.sector:
            return ("sector",) if set(asked.aspects) <= {"price", "sectors", "recap"} else ()
        if self.index:
            return ("index",) if set(asked.aspects) <= {"price", "recap", "cause", "peak"} else ()
        market = [name for name in asked.aspects if name in OF_MARKET]
        rest = set(asked.aspects) - set(market) - {"price", "opinion", "cause", "members"}
        if not market or rest:
            return ()
        if asked.has("sectors"):
            return ("sectors",)
        return tuple(name for name in market if name != "recap") or ("recap",)

    @property
    def _movers(self) -> tuple[str, ...]:
        """Return what ranks stocks by what they did: of a session, or over the span; empty for another question."""
        asked = self.asked
        directed = bool({"fell", "rose"} & set(asked.claims)) != ({"fell", "rose"} <= set(asked.claims))
        stocks = asked.has("members") or (
            bool({"stocks", "aktien", "股票"} & self.words) and bool({"most", "least"} & asked.asks)
        )
        if self.index or not stocks or not set(asked.aspects) <= {"members", "price", "recap"}:
            return ()
        if not directed and not {"most", "least"} & asked.asks:
            return ()
        if self.sector or self.span not in ("", "today", "on the day"):
            return ("screen",)
        return ("losers",) if "fell" in asked.claims or "least" in asked.asks else ("winners",)

    @property
    def of_earlier(self) -> tuple[str, ...]:
        """What is answered of the companies spoken of before; empty where it names others, or something else."""
        if (
            self.asked.ahead
            or self.coming
            or self.parts
            or self.symbols
            or self.index
            or self.sector
            or not self.asked.whole
            or self.names
            or self.other
        ):
            return ()
        own = tuple(name for name in self.asked.aspects if name in OF_COMPANY)
        return own if own and set(self.asked.aspects) == set(own) else ()

    def of_sector(self, sector: str) -> QuestionFrame | None:
        """Return a question on `them` as one on a sector's companies; None where it asks for no order of theirs."""
        plural = bool({"them", "those", "these", "which", "they", "davon", "welche", "哪些", "哪个"} & self.words)
        ranked = [name for name in self.asked.aspects if name in RANKED and name != "price"]
        return replace(self, sector=sector) if sector and plural and ranked else None


def frame_of(
    reading: QuestionReading, brief: ConversationBrief, symbols: tuple[str, ...], names: tuple[str, ...]
) -> QuestionFrame:
    """Read a question into its frame.

    Args:
        reading: The question.
        brief: What the agent knows.
        symbols: The companies that it names.
        names: Words of it that may name others.
    """
    index, sector = index_named(reading), sector_named(reading)
    rest = completed(in_english(reading.without_companies), brief.day).lower()
    if index:
        rest = without_names(rest, names_table()["indices"][index])
    if sector and not symbols:
        rest = without_names(rest, names_table()["sectors"][sector])
    rest, span = without_days(rest)
    levels = levels_in(rest)
    own = tuple(dict.fromkeys((*symbols, *([index] if index and symbols else []))))
    listed = brief.instruments.words_of(symbols) if brief.instruments is not None else frozenset()
    rest = " ".join(word for word in rest.split() if not _is_of_name(word, listed))
    asked, doubtful = read_aspects(rest), unclear_days(reading.english, brief.day)
    return QuestionFrame(
        replace(asked, left=(*asked.left, doubtful)) if doubtful else asked,
        named_days(reading.english, brief.day),
        own,
        names,
        index if not symbols else "",
        sector if not symbols else "",
        other_market_named(reading) if not symbols else "",
        span,
        words_in(f"{reading.without_companies} {rest}"),
        levels,
    )


def _is_of_name(word: str, listed: frozenset[str]) -> bool:
    """Tell whether a word is one of a company's own name, such as `software` behind `Ombrix`, slips allowed."""
    return len(word) > 3 and any(word == own or one_slip(word, own) for own in listed)
