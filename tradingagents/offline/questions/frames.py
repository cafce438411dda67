"""A question as a frame: whom it is about, what it asks, over which days; what may be answered of it, and what not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from tradingagents.offline.questions.economy import ECONOMY, OF_RECESSION, RELEASED
from tradingagents.offline.questions.forms.session_kinds import told_by_sessions
from tradingagents.offline.questions.frame_words import (
    AFTER,
    ANY,
    ANYWHERE,
    BOTH_WAYS,
    COMPANIES_OF,
    COMPARES,
    EVENTS,
    FORESEES,
    GROWTH,
    HAS_A_DAY,
    HOW_BIG,
    IDEAS,
    LONGEST_LISTED,
    MARKET,
    OF_COMING,
    OF_COMPANY,
    OF_DAYS,
    OF_MARKET,
    OF_REASONS,
    OVERVIEW,
    PERIODS,
    PRICE_ITSELF,
    RANGES,
    RANKED,
    REPORTED,
    STOCKS,
    SUPERLATIVES,
    TWO_DAYS,
    WHEN,
    WHICH,
    asks_last_alike,
    asks_single_days,
    beside_others,
    both_ends,
    counts_stocks,
    end_claimed,
    moves_earnings,
    net_of_cash,
    of_yield,
    past_day,
)
from tradingagents.offline.questions.measures import COMPARED_WITH, PRICE_TO_EARNINGS, RATIOS
from tradingagents.retrieval.questions.aspects import AskedAspects
from tradingagents.retrieval.questions.days import NamedDays, whole_year
from tradingagents.retrieval.questions.wording import (
    BEFORE_OR_AFTER,
    EX_DATES,
    ListBound,
    names_period,
    names_quarter,
    quarter_named,
)


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
    bounds: tuple[ListBound, ...] = ()
    """Bounds that a list is to keep."""
    person: str = ""
    """Who is said to have bought or sold, in small letters; empty for nobody."""
    indices: tuple[str, ...] = ()
    """All indices that it names."""
    also: NamedDays | None = None
    """A second window of days that it asks for, as in `this year and over the past year`; None where it names one."""
    begins: bool = True
    """Whether nothing was asked before it."""
    figure: str = ""
    """The figure of statements that it names, where it is told by none of its aspects."""
    ordered: bool = False
    """Whether it asks what comes before or after what: `does A report before B`."""
    industry: str = ""
    """The industry of the sector that it names, a key of `industries` of `names.yaml`; empty for the whole sector."""
    of_whole_market: bool = False
    """Whether a part of its own asks how the market did, beside what the others ask."""
    demands: frozenset[str] = frozenset()
    """What its answer is to hold beside what it is about, keys of `demands.yaml`."""
    place: int = 0
    """The place in a list that it asks for, as `second largest`; 0 for none."""
    rows: int = 0
    """How many rows of a list it asks for, as `the five cheapest`; 0 where it says none."""
    excluded: tuple[str, ...] = ()
    """Companies that a list is to leave out."""

    @property
    def parts(self) -> tuple[str, ...]:
        """What is answered, keys of `aspects.yaml`, `screen` or `index`; empty where the frame is not whole."""
        if not self.asked.whole or self.names or self.other or (self.span and not self.dated and not self.coming):
            return ()
        if self.asked.unheld or self.of_two_days or self.figure:
            return ()
        traded = {"bought", "sold"} & self.asked.asks and not self.person
        if traded and not self.asked.has("insiders", "people", "opinion", "ideas", "overview"):
            return ()  # an order, or a trade of its writer
        found = self._of_companies if self.symbols else self._beside_market(self._of_market)
        if found == ("hours",):
            return found  # the calendar is known ahead
        if self.ordered and found != ("report_date",):
            return ()
        paid = found == ("dividend",) and self.asked.said_of("dividend") in EX_DATES
        if (self.asked.ahead or self.coming) and not (paid or set(found) <= OF_COMING):
            return ()
        if WHEN & self.words and not set(found) <= HAS_A_DAY:
            return ()
        if self.foresees and not ({"reporting", "report_date"} & set(found) or found == ("fed",)):
            return ()
        return found

    @property
    def foresees(self) -> str:
        """The word by which it asks what will be, and not when; empty for another question."""
        return self.asked.ahead if self.asked.ahead in FORESEES and not WHEN & self.words else ""

    @property
    def period(self) -> bool:
        """Tell whether it names a fiscal year or quarter by its number."""
        return names_period(self.span)

    @property
    def fiscal(self) -> str:
        """The fiscal period that it names, as `get_statement_figure` takes it; empty for none."""
        days = self.days
        if self.span in ("last year", "in last year", "over the last year"):
            return "latest_year"
        if self.span in ("last quarter", "in the last quarter", "of the last quarter", "the last quarter"):
            return "latest_quarter"
        if names_quarter(self.span):  # of one company its statements are read for that quarter
            return quarter_named(self.span) if len(self.symbols) > 1 else ""
        if not self.span and PERIODS.keys() & self.words:
            return next(period for word, period in PERIODS.items() if word in self.words)
        return f"FY{year}" if (year := whole_year(days)) else ""

    @property
    def sets_beside(self) -> bool:
        """Tell whether companies are set beside each other: `whose debt was higher?` does not say that it rose."""
        return len(self.symbols) > 1 and "compare" in self.asked.asks

    @property
    def coming(self) -> bool:
        """Tell whether it names coming days."""
        return any(word in self.span.split() for word in ("next", "coming"))

    @property
    def of_two_days(self) -> bool:
        """Tell whether it speaks of yesterday and of today: an answer is of one of them."""
        return all(any(word in self.span for word in day) for day in TWO_DAYS)

    @property
    def dated(self) -> bool:
        """Tell whether its days were understood."""
        return self.days.window or bool(self.days.days) or self.days.as_of is not None

    @property
    def _of_companies(self) -> tuple[str, ...]:
        if told := told_by_sessions(self.asked, self.demands, self.words, self.levels, self.days, self.span):
            return (told,)
        asked = tuple("report_date" if name == "reporting" else name for name in self._aspects)
        own = [name for name in asked if name in OF_COMPANY]
        others = set(asked) - set(own) - {"recap", "real", *OF_DAYS}
        others -= {"members"} if len(self.symbols) > 1 else set()  # `which of the two`
        if "people" in others and {"bought", "sold"} & self.asked.asks:
            others.remove("people")
            own = list(dict.fromkeys((*own, "insiders")))
        if others or self.sector or self._lacks_other or self._asks_unknown(own):
            return ()
        if "split" in own and BEFORE_OR_AFTER & self.words and set(own) <= {"split", "price"}:
            return ("split",)  # and that it does not tell what the price was before, or did since
        if "results" in own and {"growth", "margin", "profit", "debt", "cash"} & set(own):
            own.remove("results")  # it says of which period
        if "peak" in own and len(self.symbols) == 1 and self._is_deepest:
            deepest = ("drawdown" if name == "peak" else name for name in own)  # `deepest slump from a peak`
            own = list(dict.fromkeys(deepest))
        beside = {"peak", "high", "low", "drawdown", "averages", "dividend", "valuation", "rsi", *RATIOS} & set(own)
        if beside and "price" in own and self.asked.said_of("price") not in PRICE_ITSELF:
            own.remove("price")
        if set(own) <= {"price"} and (at := end_claimed(self.asked)):
            own = [at]  # `did it close at a record`: where it stands, and not only that it rose
        if "profile" in own and self.asked.said_of("profile") in HOW_BIG and len(own) > 1:
            own.remove("profile")  # its debt, and not the company
        own = net_of_cash(own or self._implied, self.asked)
        moved = {"fell", "rose"} & set(self.asked.claims)
        if moved and self.of_earnings:
            own, moved = [name for name in own if name not in ("cause", "price")], set()
        if moved and self.demands & {"because", "event"} and set(own) <= OF_REASONS:
            return ("cause",)  # the reason that it names is looked for beside the move
        if "event" in self.demands and not self.span and set(own) <= {"results", "price"}:
            return ("price", "results")
        if self.asks_days:
            return ("daily",) if set(self.asked.aspects) <= {*OF_DAYS, "price", "recap"} else ()
        if "listing" in own:
            return ("listing",) if set(own) <= {"listing", "price"} else ()
        if "overview" in own:
            return OVERVIEW if set(own) <= {"overview", "price"} else ()
        if not moved and {"cut_dividend", "raised_dividend"} & set(self.asked.claims) and set(own) <= {"cause"}:
            own = ["dividend"]
        if "cause" in own and {"growth", "profit", "margin", "insiders"} & set(own):
            own.remove("cause")  # of a figure, or of what somebody did: no rule names one
        if "cause" in own and {"risk", "beta"} & set(own) and not moved:
            own.remove("cause")  # `is it defensive, show me why`: its figures
        if "cause" in own:
            return ("cause",) if set(own) <= {"cause", "price", "results"} else ()
        return tuple(own) or ("price",)

    def _asks_unknown(self, own: Sequence[str]) -> bool:
        """Tell whether it asks of a company what no tool tells, though a tool tells something near it."""
        if {"beat", "missed"} & set(self.asked.claims) and "growth" in own:
            return True  # estimates of earnings a share are known, of revenue none
        if "report_date" in own and AFTER & self.words and not WHEN & self.words:
            return True  # what followed a report, and not the day of one
        of_ratios = bool(own) and set(own) <= {*RATIOS, "price"}
        return bool(COMPARED_WITH & self.asked.asks) and not of_ratios  # of others those of peers are not known

    @property
    def _lacks_other(self) -> bool:
        """Tell whether it sets one company against another that it does not name: `compare with Pepsi`."""
        against = COMPARED_WITH & self.asked.asks or "earlier" in self.demands or self.asked.has("growth", "margin")
        return len(self.symbols) == 1 and bool(COMPARES & self.words) and not (self.span or against)

    @property
    def of_earnings(self) -> bool:
        """Tell whether it says of the earnings that they rose or fell, and not of the price: `why did its EPS fall`."""
        other = {"because", "event"} & self.demands or {"beat", "missed"} & set(self.asked.claims)
        return not other and moves_earnings(self.asked.phrases, self.words)

    @property
    def _is_deepest(self) -> bool:
        """Tell whether it asks how far a price fell at most, and not how far it stands below its high."""
        return self.asked.has("drawdown") or bool({"most", "least"} & self.asked.asks)

    @property
    def asks_growth(self) -> bool:
        """Tell whether it asks how a figure grew, and not only for the figure."""
        return any(part in word for word in (*self.words, self.asked.said_of("growth")) for part in GROWTH)

    @property
    def asks_days(self) -> bool:
        """Tell whether it asks of single days: the best one, how often it fell, how many in a row, a gap, together."""
        return asks_single_days(self.asked, self.demands, self.words, dated=bool(self.span))

    @property
    def last_alike(self) -> bool:
        """Tell whether it asks when a price last moved as far: `when did it last have a day as bad as this one`."""
        return asks_last_alike(self.words)

    @property
    def _implied(self) -> list[str]:
        """What a question on companies asks that names no aspect, by the person, the claim or the verb in it."""
        claims, asks = set(self.asked.claims), self.asked.asks
        if self.person:
            return ["insiders"]
        if "no_debt" in asks and not {"cut_dividend", "raised_dividend"} & claims:
            return ["debt"]
        a_year = bool({"month", "year", "quarter", "monat", "jahr", "quartal"} & self.words)
        needed = "needed" in asks and self.levels and a_year
        if {"cut_dividend", "raised_dividend"} & claims or "pays" in asks or needed:
            return ["dividend"]
        return ["results"] if {"beat", "missed"} & claims and len(self.symbols) == 1 else []

    @property
    def past_day(self) -> date | None:
        """The one day behind that it asks about; None where it names none, or several."""
        return past_day(self.days, self.words) if self.symbols else None

    @property
    def _aspects(self) -> tuple[str, ...]:
        """What is asked about, a valuation by the ratio that is named with it; of a day behind by a ratio of it."""
        found = self._named_aspects
        if self.past_day is not None and set(found) == {"dividend"} and of_yield(self.asked):
            return ("dividend_yield",)
        if "valuation" not in found:
            return found
        if (COMPARED_WITH & self.asked.asks or self.past_day is not None) and RATIOS.keys().isdisjoint(found):
            return tuple("pe" if name == "valuation" else name for name in found)
        if not RATIOS.keys().isdisjoint(found) and self.asked.said_of("valuation") not in PRICE_TO_EARNINGS:
            return tuple(name for name in found if name != "valuation")  # `cheapest by P/B`
        return found

    @property
    def _named_aspects(self) -> tuple[str, ...]:
        """What is asked about: a yield and a spread as what they are of, `zahlen` beside a dividend as to pay."""
        if unmeant := beside_others(self.asked):
            own = tuple(name for name in self.asked.aspects if name != unmeant)
            return own or (("dividend",) if "pays" in self.asked.asks else self.asked.aspects)
        if self.asked.said_of("high") in RANGES:
            return tuple(dict.fromkeys((*self.asked.aspects, "low")))
        if self.asked.has("gdp") and self.asked.has("growth"):
            return tuple(name for name in self.asked.aspects if name != "growth")
        if self.asked.has(*RELEASED) and self.asked.has("results") and not self.symbols:  # what was expected of them
            return tuple(name for name in self.asked.aspects if name != "results")
        of_bonds = self.asked.has("rates", "yield", "curve")
        if self.asked.has("spread") and (of_bonds or self.asked.has("credit")):
            others = (name for name in self.asked.aspects if name not in ("spread", "rates", "yield"))
            return tuple(dict.fromkeys(("curve" if of_bonds else "credit", *others)))
        if not self.asked.has("yield"):
            return self.asked.aspects
        of_stocks = self.symbols or self.sector or self.bounds or self.asked.has("members") or STOCKS & self.words
        meant = "dividend" if of_stocks else "rates"
        return tuple(dict.fromkeys(meant if name == "yield" else name for name in self.asked.aspects))

    @property
    def ranked(self) -> tuple[str, ...]:
        """By what it puts several companies in order, or which bound they are to keep."""
        own = tuple(name for name in self._aspects if name in RANKED)
        return own or (("dividend",) if "pays" in self.asked.asks and self.bounds else ())

    @property
    def _of_market(self) -> tuple[str, ...]:
        asked = self.asked
        if self._asks_insiders:
            return ("insiders_across",)
        if self.reported_on is not None:
            return ("reporting",)
        if asked.has("real", "thanks") and len(asked.aspects) == 1:
            return asked.aspects
        if asked.has("hours"):
            own = set(asked.aspects) <= {"hours", "recap", "price", "low"} and "did" not in self.words
            return ("hours",) if own else ()
        ranks = bool({"most", "least", "pays", "no_debt"} & asked.asks or asked.has(*IDEAS) or self.bounds)
        ranks = ranks or bool(SUPERLATIVES & self.words) or bool(self.sector and asked.has("recap"))
        ranks = ranks or asked.has("drawdown")  # the deepest one
        listed = bool(self.sector or asked.has("members", "momentum", "beaten", "ideas") or STOCKS & self.words)
        extreme = bool({"most", "least"} & asked.asks or SUPERLATIVES & self.words)
        listed = listed or (extreme and (asked.has("recap") or self.begins))  # `highest dividend yield in this market`
        others = set(self._aspects) - {*RANKED, "members", "recap", "ideas"}
        if self.index not in ("", MARKET) and (listed or self.bounds or asked.has("winners", "losers")):
            return ()  # which companies belong to an index is not known; those of the S&P are most of those at hand
        if (listed or self.bounds) and ranks and (set(self.ranked) - {"price"}) and not others:
            return () if both_ends(self.words) else ("screen",)
        if self._counts_stocks:
            return ("breadth",)
        if asked.has("sectors") and asked.has("winners", "losers") and STOCKS & self.words:
            return ()  # of sectors and of stocks: no answer holds both
        if moved := self._movers:
            return moved
        if asked.has("ideas") and set(asked.aspects) <= {"ideas", "opinion", "recap", "members", "price"}:
            return ("ideas",)
        if self._ranks_sector:
            return ("sectors",)
        if self.industry and self.dated and self.span not in ("today", "on the day"):
            whole = set(asked.aspects) <= {"price", "recap", "members"} and "compare" not in asked.asks
            return ("screen",) if whole else ()
        if self.sector:
            if not set(asked.aspects) <= {"price", "sectors", "recap", "members"} or "compare" in asked.asks:
                return ()
            return ("sector",) if self._of_short_span else ("sector", "screen")
        if self.index and asked.has("correction"):
            return ("correction",) if set(asked.aspects) <= {"price", "recap", "correction", "peak"} else ()
        if self.index:
            compared = "compare" in asked.asks and not self.dated  # with something that is not named
            ranks = bool({"most", "least"} & asked.asks) or compared  # such as its worst day
            return ("index",) if set(asked.aspects) <= {"price", "recap", "cause", "peak"} and not ranks else ()
        return self._of_economy

    def _beside_market(self, found: tuple[str, ...]) -> tuple[str, ...]:
        """Return what is answered of a question with the market as a whole, where a part of it asks for that."""
        if found == ("index",) and self.of_whole_market and self.index != MARKET:
            return ("recap",) if self.span in ("", "today", "on the day") else ("recap", "index")
        lists = {"sectors", "winners", "losers", "screen"}
        if not (self.of_whole_market and found) or "recap" in found or not set(found) <= {*lists, *ECONOMY}:
            return found
        beside = (name for name in found if name not in ("winners", "losers"))  # which the recap of a day lists
        return ("recap", *beside)

    @property
    def reported_on(self) -> NamedDays | None:
        """The days behind on which it asks who reported, or who beat the estimates; None for another question."""
        asked, days = self.asked, self.days
        told = bool(REPORTED & self.words) or bool({"beat", "missed"} & set(asked.claims))
        of_results = asked.has("reporting") or ({"beat", "missed"} & set(asked.claims) and ANYWHERE & self.words)
        known = set(asked.aspects) <= {"reporting", "results", "members", "recap"} and not (self.sector or self.index)
        if not (told and of_results and known) or self.coming or self.symbols:
            return None
        return days if days.window or days.days else None

    @property
    def _of_economy(self) -> tuple[str, ...]:
        """What is answered of a question on the market or the economy as a whole; empty for another one."""
        asked = self.asked
        if asked.has("recap") and asked.has("peak") and set(asked.aspects) <= {"recap", "peak", "price"}:
            return ("correction",)  # how far the market is from its high
        market = [name for name in self._aspects if name in OF_MARKET]
        if not market and asked.has("cause") and set(asked.aspects) <= {"cause", "price"}:
            market = ["recap"]  # `what happened today`
        rest = set(self._aspects) - set(market) - {"price", "opinion", "cause", "members"}
        if not market or rest or (len(market) > 1 and AFTER & self.words):
            return ()  # of two, one is what came before: `the market after the last Fed decision`
        if "recession" in market:
            return OF_RECESSION
        if "curve" in market:
            return ("curve",)
        if market == ["economy"] and (self.coming or EVENTS & self.words):
            return ("releases",)
        if "fed" in market and "rates" in market:
            market.remove("rates")
        if asked.has("sectors"):
            return ("sectors",)
        return tuple(name for name in market if name != "recap") or ("recap",)

    @property
    def _ranks_sector(self) -> bool:
        """Tell whether it asks where one sector stands among all: `energy was the worst sector`, `health care led`."""
        asked = self.asked
        ranked = bool({"most", "least"} & asked.asks) or asked.has("winners", "losers")
        companies = STOCKS | (COMPANIES_OF if WHICH & self.words else frozenset())
        if self.industry:  # where a sector stands says nothing of one industry in it
            return False
        of_sectors = asked.has("sectors") or not companies & self.words
        known = set(asked.aspects) <= {"sectors", "cause", "winners", "losers"}
        return bool(self.sector) and ranked and of_sectors and known and not self.bounds

    @property
    def _counts_stocks(self) -> bool:
        """Tell whether it asks how many stocks rose or fell on the day, or which part of them is above an average."""
        whole = not self.sector and self.index in ("", MARKET) and self.span in ("", "today", "on the day")
        return whole and counts_stocks(self.asked, self.words) and not self.bounds

    @property
    def _asks_insiders(self) -> bool:
        """Tell whether it asks what insiders of any company traded, or what one person did."""
        if self.person:
            return set(self.asked.aspects) <= {"insiders", "people"}
        across = bool(ANYWHERE & self.words) or (self.begins and bool(ANY & self.words))
        of_trades = {"insiders", "people", "members", "opinion", "recap", "ideas"}
        return self.asked.has("insiders") and across and not self.sector and set(self.asked.aspects) <= of_trades

    @property
    def _of_short_span(self) -> bool:
        """Tell whether it names no days, or up to a month to now, for which the companies of a sector are listed."""
        days = self.days
        if not (days.window and days.start and days.end):
            return not days.days
        return (days.end - (days.base or days.start)).days <= LONGEST_LISTED

    @property
    def _movers(self) -> tuple[str, ...]:
        """Return what ranks stocks by what they did: of a session, or over the span; empty for another question."""
        asked = self.asked
        directed = bool({"fell", "rose"} & set(asked.claims)) != ({"fell", "rose"} <= set(asked.claims))
        stocks = asked.has("members", "winners", "losers") or (
            bool(STOCKS & self.words) and bool({"most", "least"} & asked.asks or self.bounds)
        )
        stocks = stocks or bool(self.sector and (self.bounds or directed))
        if not stocks or not set(asked.aspects) <= {"members", "price", "recap", "winners", "losers", "cause"}:
            return ()
        if not directed and not {"most", "least"} & asked.asks and not asked.has("winners", "losers"):
            return ()
        if "new" in self.words and {"low", "lows", "high", "highs"} & self.words:
            return ()  # of which stocks it is one no list of moves tells
        if self.sector or self.bounds or self.span not in ("", "today", "on the day"):
            return ("screen",)
        if asked.said_of("winners") in BOTH_WAYS and not asked.claims:
            return ("winners", "losers")
        if asked.has("winners", "losers"):
            return tuple(name for name in asked.aspects if name in ("winners", "losers"))
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
        own = self.asked.aspects
        return own if own and set(own) <= set(OF_COMPANY) else ()
