"""What a message leaves out, filled in from the ones before: `and Microsoft?`, `the second one`, `since January?`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tradingagents.offline.questions.coverage import is_change
from tradingagents.offline.questions.frame_words import EACH_SHARE, MARKET, OF_COMPANY, RANKED
from tradingagents.offline.questions.frames import QuestionFrame
from tradingagents.offline.questions.held import MOST_LEFT_OUT, of_spoken_positions
from tradingagents.offline.questions.lookups import PRICE, REPORT_DATE
from tradingagents.offline.questions.measures import COMPARED_WITH, RATIOS
from tradingagents.offline.questions.message import STARTED, MessageRequest
from tradingagents.retrieval.questions.aspects import AskedAspects
from tradingagents.retrieval.questions.wording import asks_judgement

WHICH_DIVIDENDS = (
    "That may mean the dividend yield, or what was gained over a span with them: ask which pays more, or name the span."
)
NO_JUDGEMENT = (
    "What is much or little of that, no rule says: ask how it compares with another company or with a year ago."
)
NOTHING_BEFORE = "The question before got no answer, so what this one leaves out is not known: ask it in whole."
FEW_COMPANIES = 5
"""Companies from which on a question names all that it compares."""


def filled_in(
    own: MessageRequest, earlier: MessageRequest | None, unread: MessageRequest | None = None
) -> MessageRequest:
    """Return a request with what it leaves out filled in.

    Args:
        own: The request.
        earlier: The last one that got an answer; None for none.
        unread: The message before, where it got no answer: then nobody knows what this one leaves out of it.
    """
    if unread is not None and _leaves_out(own, unread):
        return replace(own, wish="unread", declined=NOTHING_BEFORE)
    if own.wish not in STARTED and earlier is not None and own.frame is not None and own.frame.asked.unheld:
        return replace(own, wish="unread", declined="")  # `what would puts on it cost?`
    if own.elliptic and earlier is not None and own.frame is not None and own.frame.asked.negated:
        return replace(own, wish="unread", declined="")  # `without Exxon`
    if (found := _set_against(own, earlier) or _per_share(own, earlier)) is not None:
        return found
    if (positions := of_spoken_positions(own, earlier)) is not None:
        return positions
    if earlier is None:
        dated = own.wish == "figures" or (
            own.wish == "aspects" and own.frame is not None and bool(own.frame.span or own.frame.asked.aspects)
        )
        return replace(own, wish="lookup", lookup=PRICE) if own.elliptic and not dated and own.wish != "unread" else own
    if not own.symbols and own.wish != "task" and (ranked := _of_earlier_sector(own, earlier)):
        return replace(own, wish="aspects", frame=ranked, parts=("screen",), lookup=None, elliptic=False)
    if (turned := _other_end(own, earlier) or _again(own, earlier)) is not None:
        return turned
    if own.wish == "why" and (moved := _why_it_moved(own, earlier)) is not None:
        return moved
    if own.wish == "why":
        return replace(earlier, wish="why", symbols=own.symbols or earlier.symbols, names=own.names or earlier.names)
    if (found := _yield_of_earlier(own, earlier) or _judged(own, earlier)) is not None:
        return found
    if (merged := _with_dividends(own, earlier) or _merged(own, earlier)) is not None:
        return merged
    if own.elliptic and (own.symbols or own.names):
        other = earlier.wish in ("why", "positions", "holdings", "greeting", *STARTED)
        asks_price = replace(earlier, wish="lookup", lookup=PRICE, positions=None, holdings=None)
        before = asks_price if other else earlier
        return replace(before, symbols=own.symbols, names=own.names, elliptic=True)
    if earlier.wish == "positions" and _asks_their_day(own):
        return replace(earlier, said=own.said, remarks=())
    if not _needs_company(own):
        return own
    companies = bool(own.symbols or own.names)
    if not companies:
        return replace(own, symbols=earlier.symbols, names=earlier.names)
    if (
        own.spoken_of
        and len(own.symbols) + len(own.names) < FEW_COMPANIES
        and own.wish in ("compare", "worth", "lookup")
    ):
        symbols = tuple(dict.fromkeys((*earlier.symbols[:1], *own.symbols)))
        return replace(own, wish="compare", symbols=symbols, lookup=None if own.wish == "worth" else own.lookup)
    return own


def _asks_their_day(own: MessageRequest) -> bool:
    """Tell whether a message asks what positions that were stated gained or lost on the day: `what did that lose?`."""
    frame = own.frame
    if (
        frame is None
        or own.symbols
        or own.names
        or frame.index
        or frame.sector
        or own.wish not in ("lookup", "aspects")
    ):
        return False
    moved = bool({"fell", "rose"} & set(frame.asked.claims)) and set(frame.asked.aspects) <= {"price"}
    return moved and frame.span in ("today", "on the day")


def _leaves_out(own: MessageRequest, unread: MessageRequest) -> bool:
    """Tell whether a message takes what it asks from one that got no answer, and asked for more than a price."""
    before, frame = unread.frame, own.frame
    if own.wish in ("unread", "other_day", *STARTED) or before is None or frame is None or before.asked.has("price"):
        return False
    joins = own.said.startswith(_JOINING) and len(own.said.split()) <= MOST_LEFT_OUT
    return own.elliptic or (joins and not (frame.asked.aspects or frame.asked.claims or frame.figure))


_JOINING = ("and ", "und ", "but ", "那", "and, ")


def _set_against(own: MessageRequest, earlier: MessageRequest | None) -> MessageRequest | None:
    """Return `and to its own history?` behind a valuation as the P/E against that; declined behind something else."""
    frame, before = own.frame, earlier.frame if earlier is not None else None
    if frame is None or frame.asked.aspects or own.symbols or not COMPARED_WITH & frame.asked.asks:
        return None
    if before is None or not before.symbols or not before.asked.has("valuation", *RATIOS):
        return replace(own, wish="unread", declined="") if own.wish in ("lookup", "aspects", "compare") else None
    named = tuple(name for name in before.asked.aspects if name in RATIOS) or ("pe",)
    asked = replace(frame.asked, aspects=named)
    return _aspects_of(own, replace(frame, symbols=before.symbols[:1], asked=asked))


def _per_share(own: MessageRequest, earlier: MessageRequest | None) -> MessageRequest | None:
    """Return `per share?` behind something else than a profit, declined: it asks for no earnings; None for another."""
    frame, before = own.frame, earlier.frame if earlier is not None else None
    if frame is None or before is None or frame.asked.aspects != ("results",) or own.symbols:
        return None
    behind = frame.asked.said_of("results") in EACH_SHARE and not before.asked.has("results", "profit", "growth")
    return replace(own, wish="unread", declined="") if behind else None


def _again(own: MessageRequest, earlier: MessageRequest) -> MessageRequest | None:
    """Return `by how much?` or `which day was that?` as the question before, whose answer says it; None for another."""
    said, before = own.said.replace("?", " ").strip(), earlier.frame
    if before is None or own.symbols or own.index:
        return None
    changes = earlier.parts == ("price",) or (bool(earlier.figures) and is_change(earlier.figures))
    asks_size = said in _HOW_MUCH and changes and bool(before.span) and earlier.wish in ("aspects", "figures")
    asks_amount = said in _IN_MONEY and changes and bool(before.span) and earlier.wish in ("aspects", "figures")
    asks_day = said in _WHICH_DAY and earlier.wish == "aspects" and set(earlier.parts) <= _WITH_A_DAY
    if not (asks_size or asks_amount or asks_day):
        return None
    asked = replace(before, demands=before.demands | {"amount"}, symbols=earlier.symbols or before.symbols)
    if asks_amount and (found := _aspects_of(own, asked)) is not None:
        return found
    return replace(earlier, said=own.said, remarks=own.remarks, elliptic=False)


_HOW_MUCH = frozenset(
    {
        *("by how much", "how much", "and by how much", "how much exactly", "in percent", "in percentage", "in %"),
        *(
            "and in percent",
            "in percentage terms",
            "um wie viel",
            "um wieviel",
            "wie viel",
            "in prozent",
            "um wie viel prozent",
        ),
        *("多少", "跌了多少", "涨了多少", "百分之多少"),
    }
)
_IN_MONEY = frozenset(
    {"in dollars", "and in dollars", "in points", "and in points", "in dollar", "und in dollar", "in punkten", "in usd"}
)
_WHICH_DAY = frozenset(
    {
        *("which day was that", "what day was that", "when was that", "on which day", "which day", "when"),
        *("wann war das", "welcher tag war das", "an welchem tag", "wann", "哪一天", "哪天", "是哪天", "是哪一天"),
    }
)
_WITH_A_DAY = frozenset({"high", "low", "peak", "drawdown", "daily"})
"""Aspects whose answer names the day of what it tells."""


def _other_end(own: MessageRequest, earlier: MessageRequest) -> MessageRequest | None:
    """Return `and the worst?` after a question on sectors, or on what stocks did, as one on them; None for another."""
    frame, before = own.frame, earlier.frame
    if frame is None or before is None or earlier.wish != "aspects":
        return None
    if earlier.parts == ("daily",) and "extreme" in before.demands and _names_only_an_end(frame):
        return replace(earlier, said=own.said, remarks=own.remarks, elliptic=False)  # its answer holds both ends
    if earlier.parts == ("screen",):
        return _other_end_of_list(own, frame, earlier, before)
    if earlier.parts != ("sectors",):
        return None
    if not _names_only_an_end(frame):
        return None
    asked = replace(before.asked, asks=(before.asked.asks - _ENDS) | frame.asked.asks)
    return replace(earlier, frame=replace(before, asked=asked), remarks=own.remarks, elliptic=False)


_ENDS = frozenset({"most", "least"})


def _names_only_an_end(frame: QuestionFrame) -> bool:
    """Tell whether a message says no more than `the worst?`."""
    asks, asked = frame.asked.asks, frame.asked
    named = asked.aspects or frame.symbols or frame.span or frame.sector or frame.index or asked.left
    return bool(asks) and asks <= _ENDS and not named


def names_something(own: MessageRequest) -> bool:
    """Tell whether a message can stand before another that leaves things out: it names more than `the worst?`."""
    return own.frame is None or not _names_only_an_end(own.frame)


def _other_end_of_list(
    own: MessageRequest, frame: QuestionFrame, earlier: MessageRequest, before: QuestionFrame
) -> MessageRequest | None:
    """Return `and the losers?` after a list of what stocks did over some days as one of the same days and stocks."""
    asked = frame.asked
    named = asked.aspects or (("losers",) if "least" in asked.asks else ("winners",) if "most" in asked.asks else ())
    names_more = frame.symbols or frame.span or frame.sector or frame.index or frame.bounds or not asked.whole
    of_prices = set(before.ranked) <= {"price"} and not before.bounds
    if named not in (("winners",), ("losers",)) or names_more or not of_prices:
        return None
    asks = before.asked.asks - _ENDS
    turned = replace(before, asked=replace(before.asked, aspects=named, asks=asks, claims=()))
    return replace(earlier, frame=turned, said=own.said, remarks=own.remarks, elliptic=False)


FEWER_NAMED = "Fewer companies than that were named here: name the ones that are meant."
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "both": 2, "zwei": 2, "beiden": 2, "drei": 3, "vier": 4,
            "fünf": 5}  # fmt: skip
_OF = frozenset({"of", "von", "der", "among", "unter", "between"})
_ARTICLES = frozenset({"the", "these", "those", "all", "den", "der", "diesen", "allen", "my"})
_THEM = frozenset({"them", "these", "those", "ihnen", "denen", "davon"})
_SIGNS = {"这两": 2, "这三": 3, "这四": 4, "两者": 2, "三者": 3, "它们": 0, "其中": 0}
_UNITS = frozenset({"days", "weeks", "months", "quarters", "years", "tage", "wochen", "monate", "quartale", "jahre"})


def _how_many(said: str) -> tuple[int, frozenset[str]] | None:
    """Return how many companies spoken of `of the three` means, 0 for `of them`, with its words; None without one."""
    words = said.replace("?", " ").split()
    for at, word in enumerate(words):
        rest = words[at + 1 :]
        while rest and rest[0] in _ARTICLES and word in _OF and not (rest[0] in _THEM and len(rest) == 1):
            rest = rest[1:]
        if word == "davon" or (word in _OF and rest and rest[0] in _THEM):
            return 0, _THEM
        if word in _OF and rest and rest[0] in _NUMBERS and not _UNITS & set(rest[1:2]):
            return _NUMBERS[rest[0]], frozenset({rest[0]})
    return next(((count, frozenset({sign})) for sign, count in _SIGNS.items() if sign in said), None)


def of_them(
    own: MessageRequest, spoken: Sequence[str], last: Sequence[str], earlier: MessageRequest | None
) -> MessageRequest:
    """Return a question on `the three` or `them` as one on the companies spoken of last; every other as it is.

    Args:
        own: The question.
        spoken: All companies that were named before it, the last ones at the end.
        last: Those named since the last question that was one of its own.
        earlier: The question before it.
    """
    frame, asked = own.frame, _how_many(own.said)
    if frame is None or asked is None or own.symbols or frame.symbols or frame.index or frame.sector or own.names:
        return own
    count, words = asked
    if not count and not FEWEST_COMPARED <= len(last) <= MOST_COMPARED:
        return own
    symbols = tuple(spoken[-count:] if count else last)
    left = tuple(word for word in frame.asked.left if word not in words)
    frame = replace(frame, asked=replace(frame.asked, left=left))
    if len(symbols) < count:
        return replace(own, wish="unread", declined=FEWER_NAMED, frame=frame)
    before = earlier.frame if earlier is not None else None
    about = _about(replace(frame, asked=_of_prices(frame.asked)), symbols)
    if before is not None and not frame.span and set(frame.asked.aspects) <= {"price"}:
        about = replace(about, days=before.days, span=before.span)
    return _aspects_of(own, about) or replace(own, wish="unread", declined=ASK_BY_NAME, frame=frame)


def _of_prices(asked: AskedAspects) -> AskedAspects:
    """Return `which of them fell most` as asked of the prices of these, and not of the day's list of losers."""
    if not asked.aspects or not set(asked.aspects) <= {"winners", "losers"}:
        return asked
    least = asked.aspects[0] == "losers"
    asks = (asked.asks - {"most", "least"}) | {"compare", "least" if least else "most"}
    return replace(asked, aspects=("price",), asks=asks)


def of_nobody(own: MessageRequest) -> MessageRequest:
    """Return a question on `them`, declined where a list of the whole market would answer: nobody says who is meant."""
    frame = own.frame
    if frame is None or own.wish != "aspects" or _LISTS.isdisjoint(own.parts) or _how_many(own.said) is None:
        return own
    named = own.symbols or own.index or frame.symbols or frame.index or frame.sector
    return own if named else replace(own, wish="unread", declined=ASK_BY_NAME)


_LISTS = frozenset({"winners", "losers", "screen", "insiders_across"})
"""What lists companies of the whole market."""


def named_with(before: tuple[str, ...], own: tuple[str, ...], *, begins: bool = False) -> tuple[str, ...]:
    """Return companies spoken of with those of a question, each once and the latest last; its own where it begins."""
    if begins and own:
        return own
    return (*(symbol for symbol in before if symbol not in own), *own)


FEWEST_COMPARED, MOST_COMPARED = 2, 8
ASK_BY_NAME = "What is asked of them is not understood: name the companies, and ask for one figure of each."


def _why_it_moved(own: MessageRequest, earlier: MessageRequest) -> MessageRequest | None:
    """Return `why?` behind what a price did as the question why it did so; None behind another answer."""
    frame = earlier.frame
    if frame is None or not frame.symbols or own.symbols or own.names or earlier.wish not in _OF_PRICES:
        return None
    changes = bool(earlier.figures) and all(figure.tool == "get_price_change" for figure in earlier.figures)
    if not (changes or earlier.lookup is PRICE or earlier.parts == ("price",)) or not set(frame.asked.aspects) <= {
        "price"
    }:
        return None
    return _aspects_of(own, replace(frame, asked=replace(frame.asked, aspects=("cause",))))


def _yield_of_earlier(own: MessageRequest, earlier: MessageRequest) -> MessageRequest | None:
    """Return `and the yield?` behind a question on a company as one on its dividends; None for another question."""
    frame = own.frame
    if (
        frame is None
        or not {"yield"} <= set(frame.asked.aspects) <= {"yield", "price"}  # `which yield is that at this price?`
        or own.symbols
        or not earlier.symbols
        or not frame.asked.whole
    ):
        return None
    return _aspects_of(own, replace(frame, symbols=earlier.symbols))


_JUDGED = frozenset(
    {"rsi", "valuation", "beta", "risk", "margin", "debt", "growth", "profit", "dividend", "peak", "mood", "averages"}
)
"""Aspects whose answer says what a figure is compared with."""


def _judged(own: MessageRequest, earlier: MessageRequest) -> MessageRequest | None:
    """Return `is that a lot?` as the question before, whose answer says what its figure is compared with."""
    if own.symbols or own.index or earlier.frame is None or not asks_judgement(own.said):
        return None
    parts = earlier.parts or earlier.frame.parts
    if not parts or not set(parts) <= _JUDGED:
        return replace(own, wish="unread", declined=NO_JUDGEMENT)
    return replace(earlier, wish="aspects", parts=parts, lookup=None, figures=(), said=own.said, remarks=())


_OF_PRICES = ("lookup", "figures", "aspects")
_FOLLOWS = frozenset(
    {"and", "und", "那", "那么", "what", "how", "compared", "that", "vs", "versus", "im", "in", "跟", "和", "与", "比"}
)
"""Words of which one stands in a question that leaves out what the one before said."""


def _merged(own: MessageRequest, earlier: MessageRequest) -> MessageRequest | None:
    """Return a question that leaves something out, filled in from the one before word by word; None for another one.

    `and compared to the S&P?` compares what was spoken of, `and since January?` asks the same of other days, `how much
    debt does the second one have` means the second company named, `what about gold` asks the same of something else.
    """
    frame, before = own.frame, earlier.frame
    if frame is None or before is None or own.wish in STARTED or not frame.asked.whole or frame.names or frame.other:
        return None
    if frame.asked.unheld or frame.asked.ahead or frame.coming or (frame.span and not frame.dated):
        return None
    spoken_of = before.symbols or ((before.index,) if before.index else ())
    own_subjects = frame.symbols or ((frame.index,) if frame.index else ())
    place = next((number for number, name in enumerate(("first", "second")) if name in frame.asked.asks), None)
    if place is not None and not own_subjects and len(spoken_of) > place:
        return _aspects_of(own, _about(frame, (spoken_of[place],)))
    if len(before.symbols) > 1 and "pays" in frame.asked.asks and not (own_subjects or frame.asked.aspects):
        return _aspects_of(own, _about(frame, before.symbols))
    if not spoken_of:
        return _same_days(own, frame, before)
    short = len(own.said.split()) <= MOST_LEFT_OUT and bool(_FOLLOWS & frame.words)
    set_beside = not (frame.asked.aspects or frame.span) and len(own.said.split()) <= MOST_LEFT_OUT
    another = len(own_subjects) == 1 and own_subjects[0] not in spoken_of
    if "compare" in frame.asked.asks and another and (short or set_beside):
        return _aspects_of(own, _about(frame, (*spoken_of, *own_subjects), before))
    of_reports = before.asked.has("report_date", "reporting") or earlier.lookup is REPORT_DATE
    if frame.ordered and of_reports and len(own_subjects) == 1 and own_subjects[0] not in spoken_of:
        asked = replace(frame.asked, aspects=("report_date",))  # `is that before B?`
        return _aspects_of(own, replace(_about(frame, (*spoken_of, *own_subjects)), asked=asked))
    if frame.asked.aspects == ("recap",) and not own_subjects and short:  # `and the market?`
        return _aspects_of(own, _about(replace(frame, asked=replace(frame.asked, aspects=())), (MARKET,), before))
    if frame.sector and not (own_subjects or frame.asked.aspects or frame.span) and before.dated and short:
        return _aspects_of(own, replace(frame, days=before.days, span=before.span))  # `and tech?`
    if (
        frame.sector
        and not own_subjects
        and not frame.asked.aspects
        and "compare" in frame.asked.asks
        and before.ranked
    ):
        asked = replace(before.asked, asks=frozenset({"most"}), claims=())
        return _aspects_of(own, replace(frame, asked=asked))
    if not own_subjects and not frame.asked.aspects and not frame.sector and frame.dated and short:
        return _aspects_of(own, _about(frame, spoken_of, before))
    return None


def _with_dividends(own: MessageRequest, earlier: MessageRequest) -> MessageRequest | None:
    """Return `and if you count the dividends?` as the change of prices before with them; None for another question."""
    frame, before = own.frame, earlier.frame
    if frame is None or before is None or own.symbols or own.index or not before.symbols or frame.span:
        return None
    counts = bool((_COUNTED_WITH | _COUNTS) & frame.words) and set(frame.asked.left) <= _COUNTS
    says = set(frame.asked.aspects) <= {"dividend", "price"} and frame.asked.has("dividend")
    short = len(own.said.split()) <= MOST_LEFT_OUT
    of_change = before.dated and (earlier.wish in ("figures", "compare") or "price" in earlier.parts)
    if not (counts and says and short) or frame.asked.negated:
        return None
    if not of_change:
        read = replace(frame, asked=replace(frame.asked, left=()))
        return replace(own, wish="unread", declined=WHICH_DIVIDENDS, frame=read) if _COUNTS & frame.words else None
    asked = replace(before.asked, aspects=("price",), claims=(), left=(), negated="")
    found = _aspects_of(own, replace(before, asked=asked))
    return None if found is None else replace(found, with_dividends=True)


_COUNTED_WITH = frozenset({"with", "including", "incl", "plus", "mit", "inklusive", "含", "加上", "算上"})
_COUNTS = frozenset({"count", "counting", "counted", "include", "included", "add", "added", "reinvest", "reinvested",
                     "reinvesting", "zählt", "mitzählt", "einrechnet", "eingerechnet"})  # fmt: skip


def _same_days(own: MessageRequest, frame: QuestionFrame, before: QuestionFrame) -> MessageRequest | None:
    """Return a question on something else than the market of the one before, such as `what about gold`, of its days."""
    if not (own.elliptic and frame.symbols and not frame.asked.aspects and before.span):
        return None
    return _aspects_of(own, replace(frame, days=before.days, span=before.span))


def _aspects_of(own: MessageRequest, frame: QuestionFrame) -> MessageRequest | None:
    parts = frame.parts
    return (
        replace(
            own, wish="aspects", symbols=frame.symbols, parts=parts, frame=frame, lookup=None, elliptic=False, index=""
        )
        if parts
        else None
    )


def _of_earlier_sector(own: MessageRequest, earlier: MessageRequest) -> QuestionFrame | None:
    """Return a question on `them` as one on the companies of the sector spoken of before; None for another one."""
    frame, before = own.frame, earlier.frame
    if frame is None or before is None or not before.sector or not _SEVERAL & frame.words:
        return None
    ordered = any(name in RANKED and name != "price" for name in frame.asked.aspects)
    return replace(frame, sector=before.sector, industry=before.industry) if ordered else None


_SEVERAL = frozenset({"them", "those", "these", "which", "they", "davon", "welche", "哪些", "哪个"})


def _needs_company(own: MessageRequest) -> bool:
    wishes = (
        *("lookup", "worth", "consider", "decision", "task", "compare", "capability"),
        *("consult", "figures", "moved"),
    )
    if own.wish == "aspects":
        return bool(set(own.parts) & set(OF_COMPANY))
    return own.wish in wishes and not own.index and (own.lookup is None or own.lookup.of_company)


def _about(frame: QuestionFrame, symbols: tuple[str, ...], earlier: QuestionFrame | None = None) -> QuestionFrame:
    """Return a question as one on other companies; what it asks and its days from an earlier one where left out.

    Args:
        frame: The question.
        symbols: The companies.
        earlier: The question before; None where nothing is taken from it.
    """
    if earlier is None:
        return replace(frame, symbols=symbols, index="", sector="", names=())
    asked = frame.asked if frame.asked.aspects else replace(earlier.asked, asks=frame.asked.asks, claims=())
    own_days = bool(frame.span)
    return replace(
        frame,
        symbols=symbols,
        index="",
        sector="",
        names=(),
        asked=asked,
        days=frame.days if own_days else earlier.days,
        span=frame.span if own_days else earlier.span,
    )
