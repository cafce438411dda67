"""What a question states of its writer's positions, and which sums of them it asks for.

    read_positions(reading, today)  # of "40 apple at 180 and 15 nvidia, how am i doing?"

A position is a company with a number of shares, a sum of money or a share of the whole, in the orders of words in which
people write it. What stands behind the positions must be read word by word: a sum is asked for, or nothing is answered.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from tradingagents.retrieval.questions.aspects import read_aspects
from tradingagents.retrieval.questions.days import NamedDays
from tradingagents.retrieval.questions.positions.position_places import marked_tokens
from tradingagents.retrieval.questions.positions.position_tokens import NO_NUMBER, PositionToken
from tradingagents.retrieval.questions.reading import QuestionReading
from tradingagents.retrieval.questions.spans import named_days

SumAsked = Literal["value", "gain", "move", "even", "goal", "dividends", "change", "index"]
SPOKEN_OF = ""
"""The symbol of a position in what was spoken of before, as in `15 of them at 142`."""
CASH = "CASH"
MARKET = "^GSPC"
_WHOLE = (99.4, 100.6)
"""Between which stated shares of the whole add up to all of it."""
_MOST_POSITIONS = 12
_About = Literal["", "risk", "decision", "results"]
_DECISIONS: Mapping[str, _About] = {"R": "risk", "X": "decision", "Z": "results"}
_ALLOWED = frozenset({"price", "valuation", "dividend", "profit", "recap", "opinion", "members", "risk", "cash"})
"""Aspects whose words a sum of holdings may be asked for with."""


def _price(number: str) -> str:
    """Return the pattern of what was paid, behind a position: `at 180`, `, bought for 7,200 in total`."""
    return (
        r"(?:[q,hbpu&]{0,3}(?:a[qa]{0,2}|o[qiap]{0,2}|y[qaopu]{0,4})"
        rf"(?P<price{number}>[NM])(?:q?(?P<each{number}>e))?(?:q?(?P<total{number}>t))?)?"
    )


_FORMS = re.compile(
    "|".join(
        (
            r"y[qa]{0,2}(?P<price7>[NM])q?(?P<each7>e)?(?P<total7>t)?[qoiph]{1,4}(?P<count7>N)[qi]{0,3}u?[qi]{0,2}(?P<who7>S)u?",
            r"[ao]q?(?P<price6>[NM])[qeapi]{0,2}b[qi]{0,2}(?P<count6>N)q?u?[qi]{0,2}(?P<who6>S)u?",
            r"(?P<count1>N)[qie]{0,3}u?[qi]{0,2}(?P<who1>[Sp])[ui]{0,2}" + _price("1"),
            r"(?P<who2>S)[qh,:i]{0,2}(?P<count2>N)q?u" + _price("2"),
            r"(?P<money3>M)[qtibume]{0,4}(?P<who3>[Sp])[ui]{0,2}(?:[,q]{0,2}m,?)?" + _price("3"),
            r"b[qiu]{0,2}(?P<who4>S)u{0,1}[qi]{0,2}o[q]{0,1}(?P<money4>M)",
            r"(?P<who8>S)u?[q]{0,2}o[q]{0,1}(?P<money8>M)[q]{0,2}b",
            r"(?P<weight9>P)[qifh]{0,4}(?P<who9>[Sc])[ui]{0,2}",
            r"(?P<rest>r)[qifh,]{0,3}(?P<who0>[Sc])u?",
            r"(?P<whoA>[Sc])[qh:,]{0,2}(?P<weightA>P)(?![qa]{0,2}[lg])",
            r"[bh][qiu]{0,2}(?P<who5>[Sp])u{0,1}[q,]{0,2}[ao]q?(?P<price5>[NM])(?:q?(?P<each5>e))?",
            r"(?P<whoB>[Sp])u?[q,]{0,2}a[qa]{0,1}(?P<priceB>[NM])(?:q?(?P<eachB>e))?q{0,2}b",
            r"(?P<heldD>[hb][qi]{0,2})(?P<countD>N)q?u(?![qi]{0,2}[SN])" + _price("D"),
            r"(?P<spoken>b)[qi]{0,2}a[qa]{0,1}(?P<priceC>[NM])(?:q?(?P<eachC>e))?",
        )
    )
)
_FURTHER = re.compile(r"(?:[,&]{1,2}q?S)+")
"""Further companies behind the first of one sum of money."""
_MOVES = re.compile(
    r"(?P<way1>[lg])[qB]{0,3}(?P<by1>[P])|(?P<by2>P)[q]{0,2}(?P<way2>[lg])|(?P<way3>[lg])?[qB]{0,2}T[q]{0,1}(?P<to>[NM])"
    r"|(?P<halves>H)|[GV][q]{0,2}a[q]?(?P<at>[NM])"
    r"|w[qi]{0,2}[X!][qpu]{0,3}a[q]?(?P<out>[NM])|w[qi]{0,2}a[q]?(?P<out2>[NM])[qi]{0,2}[X!]"
)
_MOVES_TO = ("to", "at", "out", "out2")
"""Groups of `_MOVES` that are a price: to which it moves, or at which what is held would be sold."""
_GOALS = re.compile(
    r"(?P<worth>G)[q]{0,2}(?P<sum1>[NM])|(?P<sum2>[NM])q{0,2}V|V[q]{0,2}(?P<sum5>[NM])|(?P<sum3>[NM])[qi]{0,2}W|W[qi]{0,2}(?P<sum4>[NM])"
)


@dataclass(frozen=True, slots=True)
class StatedPosition:
    """One position, as it is stated."""

    symbol: str
    """`SPOKEN_OF` for the company spoken of before, `CASH` for cash."""
    shares: float | None = None
    money: float | None = None
    """That was put in."""
    weight: float | None = None
    """Percent of the whole."""
    paid: float | None = None
    """A share, unless `paid_for` says otherwise."""
    paid_for: Literal["share", "all", "unsaid"] = "share"
    currency: str = ""
    """Of the money or price; empty: that of the instrument."""
    is_worth: bool = False
    """Whether the money is what it is worth now, as in `I have 10k in apple`."""
    is_part: bool = False
    """Whether the money is an equal part of one sum that is stated for several companies."""
    bought: NamedDays | None = None
    """When it was bought; the whole window where only a month or year is said."""


@dataclass(frozen=True, slots=True)
class SupposedMove:
    """A move that is supposed."""

    subject: str = ""
    """A symbol, `^GSPC` for the market; empty for all positions."""
    percent: float | None = None
    price: float | None = None
    """To which it is supposed to go."""


@dataclass(frozen=True, slots=True)
class PositionsQuestion:
    """What a question states, and what it asks for."""

    positions: tuple[StatedPosition, ...] = ()
    asks: tuple[SumAsked, ...] = ()
    moves: tuple[SupposedMove, ...] = ()
    goal: float | None = None
    """The sum that all is to be worth, or with `goal_is_gain` to gain."""
    goal_is_gain: bool = False
    span: NamedDays | None = None
    """Over which a change is asked for."""
    index: str = ""
    """With which it is compared."""
    about: _About = ""
    """What else than a sum is asked."""
    left: tuple[str, ...] = ()
    """Words that were not read."""

    @property
    def symbols(self) -> tuple[str, ...]:
        """Return what is held, cash apart."""
        own = (position.symbol for position in self.positions if position.symbol not in (CASH, SPOKEN_OF))
        return tuple(dict.fromkeys(own))

    @property
    def bought(self) -> NamedDays | None:
        """When all of it was bought; None where that is not said, or where several days are."""
        first = self.positions[0].bought if self.positions else None
        return first if all(each.bought == first for each in self.positions) else None

    @property
    def line(self) -> str:
        """Return the positions as `read_holdings` reads them; empty for money, and where no number is said."""
        if any(each.symbol == SPOKEN_OF or (each.shares is None and each.weight is None) for each in self.positions):
            return ""
        return " and ".join(_line_of(position) for position in self.positions)

    def of_spoken(self, symbols: Sequence[str]) -> PositionsQuestion | None:
        """Return the question with what was spoken of before filled in; None where that is not one company."""
        if not any(position.symbol == SPOKEN_OF for position in self.positions):
            return self
        if len(symbols) != 1:
            return None
        own = (replace(each, symbol=symbols[0]) if each.symbol == SPOKEN_OF else each for each in self.positions)
        return replace(self, positions=tuple(own))


def _line_of(position: StatedPosition) -> str:
    if position.weight is not None:
        return f"{position.weight:.12g}% {position.symbol}"
    paid = "" if position.paid is None else f" at {position.paid:.12g} {position.currency}".rstrip()
    return f"{position.shares:.12g} {position.symbol}{paid}"


def read_positions(reading: QuestionReading, today: date) -> PositionsQuestion | None:
    """Return what a question states of positions and asks of them; None where it states none."""
    return _question(reading, today).read()


def read_sums(reading: QuestionReading, today: date) -> PositionsQuestion | None:
    """Return which sums a question asks for of positions that were stated before it; None for another question."""
    return _question(reading, today).read_sums()


def _question(reading: QuestionReading, today: date) -> _Question:
    tokens, symbols = marked_tokens(reading, today)
    return _Question(tokens, symbols, today)


class _Question:
    """The words of one question."""

    def __init__(self, tokens: Sequence[PositionToken], symbols: Sequence[str], today: date) -> None:
        self._tokens, self._symbols, self._today = tokens, symbols, today
        self._roles = "".join(self._role(at) for at in range(len(tokens)))

    def read(self) -> PositionsQuestion | None:
        places, stated = self._stated()
        rest = [at for at in range(len(self._tokens)) if not any(start <= at < end for start, end in places)]
        moves, used = self._moves(rest)
        rest = [at for at in rest if at not in used]
        goal, is_gain, used = self._goal(rest)
        rest = [at for at in rest if at not in used]
        said = {self._roles[at] for at in rest}
        if not stated:
            return self._of_moves(rest, moves)
        held = said & set("hby") or any(each.paid is not None or each.weight is not None for each in stated)
        held = held or bool({self._roles[at] for start, end in places for at in range(start, end)} & set("hby"))
        puts = "D" in said and any(each.money is not None for each in stated)
        asks_sum = bool(said & set("VWEGd2") or moves or goal or puts)
        if not (held or asks_sum) or not _is_whole(stated, self._roles):
            return None
        stated, span = self._dated(stated, rest, places)
        index = self._index(rest)
        asked = self._asked(said, moves, goal, span)
        if index and (stated[0].bought is not None or "K" in said):
            asked = tuple(dict.fromkeys((*asked, "index")))
        about: _About = next((_DECISIONS[role] for role in "ZXR" if role in said), "")
        left = (*self._unread(rest, places), *self._days_to_an_end(stated, rest, span))
        return PositionsQuestion(tuple(stated), asked, moves, goal, is_gain, span, index, about, left)

    def _of_moves(self, rest: Sequence[int], moves: Sequence[SupposedMove]) -> PositionsQuestion | None:
        """Return a supposed move of a company of which no number is said, as one of a share; None for another text."""
        symbols = [symbol for symbol in dict.fromkeys(self._symbols) if not symbol.startswith("^")]
        supposed = "w" in self._roles and len(symbols) == 1 and moves
        if not supposed or {self._roles[at] for at in rest} & set("RXZdCW") or self._unread(rest, [(0, 0)]):
            return None
        return PositionsQuestion((StatedPosition(symbols[0]),), ("move",), tuple(moves))

    def _role(self, at: int) -> str:
        """Return the role of a word, before a number that of holding for `hold`; investing is buying here."""
        token = self._tokens[at]
        if token.said == "hold" and self._tokens[at + 1 : at + 2] and self._tokens[at + 1].role == "N":
            return "h"
        return "b" if token.role == "I" else token.role

    def read_sums(self) -> PositionsQuestion | None:
        """Return the sums that a text asks for which states no positions; None where it is not one on sums alone."""
        every = list(range(len(self._tokens)))
        moves, used = self._moves(every)
        rest = [at for at in every if at not in used]
        goal, is_gain, used = self._goal(rest)
        rest = [at for at in rest if at not in used]
        said = {self._roles[at] for at in rest}
        days = [named_days(self._tokens[at].said, self._today) for at in rest if self._roles[at] == "D"]
        span = next((named for named in days if named.window or named.days), None)
        index = self._index(rest)
        asked = [
            name for name in self._asked(said, moves, goal, span) if name not in ("value", "gain") or said & set("VW")
        ]
        asked += ["index"] if index and "K" in said else []
        if not asked or said & set("RXZ") or self._unread(rest, [(0, 0)]):
            return None
        return PositionsQuestion((), tuple(dict.fromkeys(asked)), moves, goal, is_gain, span, index)

    def _stated(self) -> tuple[list[tuple[int, int]], list[StatedPosition]]:
        places: list[tuple[int, int]] = []
        stated: list[StatedPosition] = []
        for found in _FORMS.finditer(self._roles):
            if len(stated) < _MOST_POSITIONS:
                own, end = self._shared(self._position(found), found)
                stated += own
                places += [(found.start(), end)] * len(own)
        return places, self._with_rest(stated)

    def _shared(self, position: StatedPosition, found: re.Match[str]) -> tuple[list[StatedPosition], int]:
        """Return a position with those of further companies behind the same sum, and where they end.

        `5,000 in apple and microsoft` is an equal part in each, unless it says `each`.
        """
        behind = _FURTHER.match(self._roles, found.end()) if position.money is not None else None
        if behind is None or position.money is None:
            return [position], found.end()
        others = [int(token.number) for token in self._tokens[found.end() : behind.end()] if token.role == "S"]
        symbols = dict.fromkeys((position.symbol, *(self._symbols[at] for at in others)))
        each = "e" in self._roles[found.start() : behind.end() + 1]
        money = position.money if each else position.money / len(symbols)
        own = [replace(position, symbol=symbol, money=money, is_part=not each) for symbol in symbols]
        return own, behind.end()

    def _with_rest(self, stated: list[StatedPosition]) -> list[StatedPosition]:
        """Return the positions with what `the rest` is worked out."""
        known = sum(each.weight or 0.0 for each in stated if each.weight is not None and each.weight >= 0)
        return [replace(each, weight=100.0 - known) if each.weight is not None and each.weight < 0 else each
                for each in stated]  # fmt: skip

    def _position(self, found: re.Match[str]) -> StatedPosition:
        given = {name.rstrip("0123456789ABCD"): found.start(name) for name, text in found.groupdict().items() if text}
        token = self._tokens[given["who"]] if "who" in given else None
        own = dict.fromkeys(self._symbols)
        symbol = next(iter(own)) if len(own) == 1 else SPOKEN_OF
        if token is not None and token.role == "S":
            symbol = self._symbols[int(token.number)]
        elif token is not None and token.role == "c":
            symbol = CASH
        if "rest" in given:
            return StatedPosition(symbol, weight=-1.0)
        if "weight" in given:
            return StatedPosition(symbol, weight=self._tokens[given["weight"]].number)
        price = self._tokens[given["price"]] if "price" in given else None
        count = self._tokens[given["count"]] if "count" in given else None
        money = self._tokens[given["money"]] if "money" in given else None
        by_for = price is not None and "o" in self._roles[found.start() : given["price"]]
        by_for = by_for or (price is not None and "y" in self._roles[found.start() : given["price"]])
        paid_for: Literal["share", "all", "unsaid"] = (
            "all" if "total" in given else "unsaid" if by_for and "each" not in given else "share"
        )
        in_money = count is not None and price is None and self._is_money(found, given["count"])
        currency = (money.currency if money else "") or (price.currency if price else "")
        return StatedPosition(
            symbol,
            shares=None if count is None or in_money else count.number,
            money=count.number if count is not None and in_money else None if money is None else money.number,
            paid=None if price is None else price.number,
            paid_for=paid_for,
            currency=currency,
        )

    def _is_money(self, found: re.Match[str], count: int) -> bool:
        """Tell whether a bare number is a sum: `5000 in apple`, `1000 of apple (in $)`."""
        following = [token.said for token in self._tokens[count + 1 : count + 3] if token.role != "e"]
        behind = following[0] if following else ""
        last = [form.end() for form in _FORMS.finditer(self._roles)][-1]
        in_dollars = "m" in self._roles[found.start() : found.end()] or "m" in self._roles[last : last + 2]
        invested = any(token.role == "I" for token in self._tokens) and "u" not in found[0]
        return behind in ("in", "into", "in to", "to", "in die", "in das", "到", "进") or in_dollars or invested

    def _moves(self, rest: Sequence[int]) -> tuple[tuple[SupposedMove, ...], set[int]]:
        roles = self._blanked(rest)
        moves: list[SupposedMove] = []
        used: set[int] = set()
        for found in _MOVES.finditer(roles):
            given = found.groupdict()
            if given["to"] and not (
                given["way3"] or self._tokens[found.start("to") - 1].said.endswith((" to", " auf", "到"))
            ):
                continue
            name = next((name for name in _MOVES_TO if given[name]), "")
            if given["halves"]:
                percent: float | None = -50.0
            elif name:
                percent = None
            else:
                by = self._tokens[found.start("by1" if given["by1"] else "by2")].number
                percent = -by if (given["way1"] or given["way2"]) == "l" else by
            price = self._tokens[found.start(name)].number if name else None
            subject, at = self._subject(roles, *found.span())
            moves.append(SupposedMove(subject, percent, price))
            used |= set(range(*found.span())) | at
        return tuple(moves), used

    def _subject(self, roles: str, start: int, end: int) -> tuple[str, set[int]]:
        """Return what a move is supposed of: the nearest company or market in its part of the sentence."""
        before = max(roles.rfind(sign, 0, start) for sign in ".,&#") + 1
        behind = min([at for sign in ".,&" if (at := roles.find(sign, end)) >= 0] or [len(roles)])
        places = [at for at in (*range(start - 1, before - 1, -1), *range(end, behind)) if roles[at] in "Sk"]
        if not places:
            return "", set()
        token = self._tokens[places[0]]
        symbol = MARKET if token.role == "k" else self._symbols[int(token.number)]
        return symbol, {places[0]}

    def _goal(self, rest: Sequence[int]) -> tuple[float | None, bool, set[int]]:
        found = _GOALS.search(self._blanked(rest))
        if found is None:
            return None, False, set()
        name = next(name for name in ("sum1", "sum2", "sum3", "sum4", "sum5") if found[name])
        is_gain = name in ("sum3", "sum4") or self._is_followed(found.end(), "W")
        return self._tokens[found.start(name)].number, is_gain, set(range(*found.span()))

    def _is_followed(self, at: int, role: str) -> bool:
        return re.match(rf"[qi]{{0,2}}{role}", self._roles[at:]) is not None

    def _blanked(self, rest: Sequence[int]) -> str:
        """Return the roles, with `#` for the words that are read already."""
        left = set(rest)
        return "".join(role if at in left else "#" for at, role in enumerate(self._roles))

    def _asked(
        self, said: set[str], moves: Sequence[SupposedMove], goal: float | None, span: NamedDays | None
    ) -> tuple[SumAsked, ...]:
        asked: list[SumAsked] = []
        if moves:
            asked.append("move")
        if "E" in said:
            asked.append("even")
        if goal is not None or ("2" in said and not moves):
            asked.append("goal")
        if "d" in said:
            asked.append("dividends")
        if span is not None:
            asked.append("change")
        if not asked and not said & set("RXZ"):
            asked.append("gain" if "W" in said else "value")
        return tuple(asked)

    def _dated(
        self, stated: Sequence[StatedPosition], rest: Sequence[int], places: Sequence[tuple[int, int]]
    ) -> tuple[list[StatedPosition], NamedDays | None]:
        """Return the positions with the days of their buying, and the days that a change is asked over."""
        bought: dict[int, NamedDays] = {}
        span = None
        for at in (at for at in rest if self._roles[at] == "D"):
            days, text = named_days(self._tokens[at].said, self._today), self._tokens[at].said
            if not (days.window or days.days) or (days.window and (text == "today" or days.start == self._today)):
                continue
            if self._is_of_buying(at, places) or self._is_put_in(stated):
                bought[at] = days
            elif not ("d" in self._roles and (days.count, days.unit) == (1, "year")):  # dividends a year
                span = days
        own = [self._own_days(bought, place, places) for place in places]
        shared = next(iter(bought.values())) if len(bought) == 1 else None
        dated = [replace(each, bought=days or shared) for each, days in zip(stated, own, strict=True)]
        return [replace(each, is_worth=self._is_worth(each)) for each in dated], span

    def _days_to_an_end(
        self, stated: Sequence[StatedPosition], rest: Sequence[int], span: NamedDays | None
    ) -> tuple[str, ...]:
        """Return the words for days of buying that name an end too: of what was sold then, no sum is worked out."""
        if span is not None or all(each.bought is None for each in stated):
            return ()
        said = (self._tokens[at].said for at in rest if self._roles[at] == "D")
        return tuple(words for words in said if len(named_days(words, self._today).days) > 1)

    def _own_days(
        self, bought: Mapping[int, NamedDays], place: tuple[int, int], places: Sequence[tuple[int, int]]
    ) -> NamedDays | None:
        """Return the days of buying that stand behind one position, before the next; None for none."""
        following = min((start for start, _ in places if start >= place[1]), default=len(self._tokens))
        return next((days for at, days in bought.items() if place[1] <= at < following), None)

    def _is_worth(self, position: StatedPosition) -> bool:
        """Tell whether money is what a position is worth now: it is held, and nothing says that it was put in."""
        return (
            position.money is not None and position.bought is None and position.paid is None and "b" not in self._roles
        )

    def _is_of_buying(self, at: int, places: Sequence[tuple[int, int]]) -> bool:
        """Tell whether days say when something was bought: a verb of buying stands in their part of the sentence."""
        if not {"h", "b"} & set(self._roles) and "since" not in self._tokens[at].said:
            return any(token.is_supposed for token in self._tokens)
        near = [place for place in places if place[1] <= at] or list(places)
        first = near[-1][0]
        sentence = self._roles[
            max(self._roles.rfind(".", 0, min(first, at)) + 1, 0) : self._end_of_part(max(at, first))
        ]
        return "b" in sentence and "since" not in self._tokens[at].said

    def _is_put_in(self, stated: Sequence[StatedPosition]) -> bool:
        """Tell whether all that is stated is money that nothing says to be held: `5,000 in apple a year ago`."""
        return all(each.money is not None for each in stated) and not {"h", "b", "C", "d"} & set(self._roles)

    def _end_of_part(self, at: int) -> int:
        ends = [end for sign in ".," if (end := self._roles.find(sign, at)) >= 0]
        return min(ends, default=len(self._roles))

    def _index(self, rest: Sequence[int]) -> str:
        """Return the index or other company that a question compares with; empty for none."""
        others = [self._symbols[int(self._tokens[at].number)] for at in rest if self._roles[at] == "S"]
        if others:
            return others[0]
        return MARKET if any(self._roles[at] == "k" for at in rest) and "K" in self._roles else ""

    def _unread(self, rest: Sequence[int], places: Sequence[tuple[int, int]]) -> tuple[str, ...]:
        """Return the words that a sum leaves out: unsure ones anywhere, others behind where the positions begin."""
        first = min(start for start, _ in places)
        story = self._begin_of_story(first)
        unsure = [self._tokens[at].said for at in rest if self._roles[at] == "!"]
        unsure += [self._tokens[at].said for at in range(len(self._tokens) - 1)
                   if self._roles[at] == "~" and self._roles[at + 1] in "NMP"]  # fmt: skip
        unsure += [token.said for token in self._tokens if token.role in "NMP" and token.number == NO_NUMBER]
        silent = not re.search(r"[VWEdCRXZlgGK2]", self._roles[first:])  # nothing is asked behind the positions
        words = [self._tokens[at] for at in rest if at >= story or (at < first and silent)]
        numbers = [token.said for token in words if token.role in "NMP"]
        loose = [self._tokens[at].said for at in rest if self._roles[at] in "lgH"]
        text = " ".join(token.said for token in words if token.role == "x")
        asked = read_aspects(text)
        beside = [asked.said_of(name) for name in asked.aspects if name not in _ALLOWED]
        left = (*asked.left, *beside, *asked.unheld, *([asked.negated] if asked.negated else []))
        ahead = [asked.ahead] if asked.ahead else []
        return tuple(dict.fromkeys((*unsure, *numbers, *loose, *left, *ahead)))

    def _begin_of_story(self, first: int) -> int:
        """Return where the words begin that must be read: at the positions, or at what asks in their own sentence."""
        sentence = self._roles.rfind(".", 0, first) + 1
        verb = max((self._roles.rfind(role, sentence, first) for role in "hbyfw"), default=-1)
        return first if verb < 0 else verb


def _is_whole(stated: Sequence[StatedPosition], roles: str) -> bool:
    """Tell whether shares of the whole are ones of a portfolio, and nothing else is mixed with them."""
    weights = [each.weight for each in stated if each.weight is not None]
    if not weights:
        return True
    if len(weights) != len(stated) or any(weight < 0 for weight in weights):
        return False
    return "f" in roles or _WHOLE[0] <= sum(weights) <= _WHOLE[1]
