"""Sentences on stated positions: each sum in one line, with what it is made of, so that it can be checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date

from tradingagents.features.assistant.rules.found import TurnAnswers, who
from tradingagents.features.assistant.rules.positions.position_calls import since_of, span_of
from tradingagents.features.assistant.rules.positions.position_sums import (
    PositionSum,
    change_fact,
    common_unit,
    position_sums,
)
from tradingagents.features.assistant.rules.texts import say
from tradingagents.offline.questions.conversation import ToolFact
from tradingagents.retrieval.questions.positions.stated_positions import CASH, MARKET, PositionsQuestion, SupposedMove

DIFFERS = 0.05
"""Points from which on a return with dividends is told beside one without."""


def held_unread_text(language: str, asked: PositionsQuestion) -> str:
    """Return what is said of a question on positions that was not read whole; its numbers are not repeated."""
    words = ", ".join(f"\u201c{word}\u201d" for word in asked.left if not any(sign.isdigit() for sign in word))
    return say(language, "held_unread", what=words or say(language, "held_a_number"))


def positions_text(found: TurnAnswers, asked: PositionsQuestion, today: date) -> str:
    """Return the answer to a question on stated positions."""
    text = _PositionsText(found, asked, today)
    return "\n".join(line for part in text.parts() for line in part)


class _PositionsText:
    """The sentences of one answer."""

    def __init__(self, found: TurnAnswers, asked: PositionsQuestion, today: date) -> None:
        self._found, self._asked, self._today = found, asked, today
        self._sums, self._missing = position_sums(found, asked, today)
        self._unit = common_unit(self._sums)

    def parts(self) -> Iterator[list[str]]:
        """Yield the parts of the answer, sentence by sentence."""
        yield [self._found.say("held_no_close", who=symbol) for symbol in self._missing]
        if not self._sums:
            return
        yield [self._found.say("held_unsure", who=each.who, paid=_plain(each.stated.paid)) for each in self._sums
               if each.is_unsure]  # fmt: skip
        yield [self._found.say("held_other_unit", who=each.who, unit=each.unit) for each in self._sums
               if each.stated.currency not in ("", each.unit)]  # fmt: skip
        if parts := [each for each in self._sums if each.stated.is_part and each.stated.money is not None]:
            yield [self._found.say("held_equal_parts", money=_money(parts[0].stated.money or 0.0), unit=parts[0].unit)]
        yield list(self._splits())
        self._sums = [each for each in self._sums if each.was_split is not None]
        if not self._sums:
            return
        weights = all(each.stated.weight is not None for each in self._sums)
        for name in self._asked.asks:
            written = _OF_WEIGHTS.get(name, _PositionsText._no_money) if weights else _WRITTEN[name]
            yield list(written(self))

    def _splits(self) -> Iterator[str]:
        """Yield how the splits since the buying are counted."""
        for each in self._sums:
            fact = each.bought or each.lately
            if fact is None or each.split == 1.0 or each.stated.paid is None:
                continue
            given = {"who": each.who, "ratio": self._ratio(each.split), "start": fact.given["start_date"]}
            if each.was_split is None:
                yield self._say("held_split_unclear", **given)
            elif each.was_split == 1.0:
                yield self._say("held_split_today", **given)
            elif each.paid is not None:
                given |= {"paid": _money(each.paid * each.split), "each": _money(each.paid)}
                if each.stated.shares is None or each.shares is None:
                    yield self._say("held_split_paid", **given)
                else:
                    counts = {"shares": _plain(each.stated.shares), "now": _plain(each.shares)}
                    yield self._say("held_split_counted", **given, **counts)

    def _ratio(self, split: float) -> str:
        """Return a split as it is spoken of: 10 for 1, or 1 for 10 where shares were put together."""
        new, old = (split, 1.0) if split >= 1 else (1.0, 1 / split)
        return self._say("held_split_ratio", new=_plain(round(new, 4)), old=_plain(round(old, 4)))

    # Each part of an answer, for positions in shares or money.

    def _values(self) -> Iterator[str]:
        for each in self._sums:
            yield from self._value_of(each)
        if len(self._sums) > 1:
            yield from self._together()
        elif self._sums[0].value is not None and self._sums[0].change_1d is not None:
            yield from self._day()

    def _value_of(self, each: PositionSum) -> Iterator[str]:
        given = {"who": each.who, "price": _money(each.price), "unit": each.unit, "day": each.day}
        if each.stated.currency not in ("", each.unit) and each.stated.money is not None:
            return
        if each.stated.money is not None and each.stated.paid is None and not each.stated.is_worth:
            yield from self._put(each, given)
            return
        if each.value is None or each.shares is None:
            if each.paid is not None:
                gain = _signed(each.price - each.paid)
                yield self._say(
                    "held_each", **given, paid=_money(each.paid), gain=gain, pct=_pct(each.price, each.paid)
                )
            return
        given |= {"shares": _plain(each.shares), "value": _money(each.value)}
        if each.cost is None:
            yield self._say("held_value", **given)
        elif each.stated.paid is None and each.bought is not None:
            yield self._say("held_bought", **given, **self._gain(each.value, each.cost), **self._first(each.bought))
            if each.split == 1.0:
                yield self._say("held_split")
            else:
                ratio, factor = self._ratio(each.split), _plain(each.split)
                yield self._say("held_split_unsaid", who=each.who, ratio=ratio, factor=factor, shares=given["shares"])
        else:
            paid = _money(each.cost / each.shares)
            yield self._say("held_gain", **given, **self._gain(each.value, each.cost), paid=paid)
        if each.within is not None and each.cost is None:
            yield from self._range(each)

    def _put(self, each: PositionSum, given: Mapping[str, str]) -> Iterator[str]:
        """Yield what a sum of money that was put in has become."""
        money = each.stated.money
        if money is None:
            return
        if each.value is not None and each.bought is not None and each.shares is not None:
            yield self._say(
                "held_put", **given, **self._gain(each.value, money), **self._first(each.bought),
                shares=f"{each.shares:,.4f}", value=_money(each.value),
            )  # fmt: skip
            total, own = (each.bought.figures.get(name) for name in ("total_return", "price_change"))
            if total is not None and own is not None and abs(total - own) >= DIFFERS:
                yield self._say("held_put_dividends", value=_money(money * (1 + total / 100)), unit=each.unit)
        elif each.within is not None:
            yield from self._range(each)
        else:
            reason = (
                self._found.reason("get_price_change", each.stated.symbol) if each.stated.bought is not None else ""
            )
            yield self._say("not_held", reason=reason) if reason else self._say("held_when", who=each.who)

    def _range(self, each: PositionSum) -> Iterator[str]:
        """Yield between what a position has gained, where only a month or year of its buying is said."""
        fact = each.within
        if fact is None or not {"lowest_close", "highest_close"} <= set(fact.figures):
            return
        low, high = fact.figures["lowest_close"], fact.figures["highest_close"]
        given = {"who": each.who, "start": fact.given["start_date"], "end": fact.given["end_date"], "unit": each.unit,
                 "low": _money(low), "high": _money(high), "price": _money(each.price), "day": each.day}  # fmt: skip
        if each.stated.money is not None:
            least, most = (each.stated.money / at * each.price for at in (high, low))
            given |= {"money": _money(each.stated.money), "least": _money(least), "most": _money(most)}
            yield self._say(
                "held_range_money", **given, pct_least=_pct(each.price, high), pct_most=_pct(each.price, low)
            )
        else:
            yield self._say("held_range", **given, pct_least=_pct(each.price, high), pct_most=_pct(each.price, low))

    def _together(self) -> Iterator[str]:
        values = [each.value for each in self._sums if each.value is not None]
        if len(values) < len(self._sums) or not self._unit:
            if not self._unit:
                yield self._say("held_units")
            return
        total, costs = sum(values), [each.cost for each in self._sums if each.cost is not None]
        given = {"sum": " + ".join(map(_money, values)), "value": _money(total), "unit": self._unit}
        put_in = all(each.stated.money is not None and each.bought is not None for each in self._sums)
        if put_in and len(costs) == len(values):
            order = sorted(self._sums, key=lambda each: (each.value or 0.0) / (each.cost or 1.0))
            yield self._say("best", who=order[-1].who)
        if len(costs) == len(values):
            yield self._say("held_total_paid", **given, **self._gain(total, sum(costs)))
        else:
            yield self._say("held_total", **given)
            if costs:
                own = [each for each in self._sums if each.cost is not None]
                part = sum(each.value or 0.0 for each in own)
                names = ", ".join(each.stated.symbol for each in own)
                yield self._say("held_part_paid", who=names, unit=self._unit, **self._gain(part, sum(costs)))
        yield from self._day()
        yield self._weights_said(values, total)

    def _weights_said(self, values: Sequence[float], total: float) -> str:
        shares = sorted(zip((each.stated.symbol for each in self._sums), values, strict=True), key=lambda row: -row[1])
        own = ", ".join(f"{symbol} {_share(100 * value / total)}" for symbol, value in shares)
        equal = 1 / sum((value / total) ** 2 for value in values)
        return self._say("held_weights", weights=own, equal=f"{equal:.1f}")

    def _day(self) -> Iterator[str]:
        """Yield what the positions did on the last day."""
        moved = [(each.value, each.change_1d) for each in self._sums]
        known = [(value, change) for value, change in moved if value is not None and change is not None]
        if len(known) == len(moved) and self._unit:
            before = sum(value / (1 + change / 100) for value, change in known)
            now = sum(value for value, _ in known)
            yield self._say("held_day", change=_signed(now - before), unit=self._unit, pct=_pct(now, before))

    def _moves(self) -> Iterator[str]:
        totals: list[tuple[float, float]] = []
        for each in self._sums:
            move = self._move_of(each.stated.symbol)
            if each.value is None or each.shares is None:
                yield from self._move_each(each, move)
                return
            if move is None:
                totals.append((each.value, each.value))
                continue
            percent = self._percent_of(each, move)
            if percent is None:
                yield self._say("held_no_beta", who=each.who)
                return
            after = each.value * (1 + percent / 100)
            totals.append((each.value, after))
            given = {"who": each.who, "shares": _plain(each.shares), "price": _money(each.price), "unit": each.unit,
                     "value": _money(each.value), "after": _money(after), "change": _signed(after - each.value),
                     "moved": _signed_percent(percent), "each": _money(each.price * (1 + percent / 100))}  # fmt: skip
            if move.subject == MARKET:
                beta = percent / (move.percent or 1.0)
                given |= {"beta": f"{beta:.2f}", "market": _signed_percent(move.percent or 0.0)}
            yield self._say("held_move_market" if move.subject == MARKET else "held_move", **given)
            if each.cost is not None and each.stated.paid is not None:
                yield self._say("held_move_paid", unit=each.unit, **self._gain(after, each.cost))
        if len(totals) > 1 and self._unit:
            before, after = (sum(column) for column in zip(*totals, strict=True))
            yield self._say("held_move_total", before=_money(before), after=_money(after), unit=self._unit,
                            change=_signed(after - before), pct=_pct(after, before))  # fmt: skip
        if any(move.subject == MARKET for move in self._asked.moves):
            yield self._say("held_beta_note")

    def _move_each(self, each: PositionSum, move: SupposedMove | None) -> Iterator[str]:
        """Yield what a supposed move does to one share, where the number of shares is not said."""
        percent = None if move is None else self._percent_of(each, move)
        if percent is None:
            yield self._say("held_how_many", who=each.who)
            return
        after = each.price * (1 + percent / 100)
        yield self._say("held_move_each", who=each.who, moved=_signed_percent(percent), price=_money(each.price),
                        after=_money(after), change=_signed(after - each.price), unit=each.unit)  # fmt: skip

    def _move_of(self, symbol: str) -> SupposedMove | None:
        return next((move for move in self._asked.moves if move.subject in ("", symbol, MARKET)), None)

    def _percent_of(self, each: PositionSum, move: SupposedMove) -> float | None:
        """Return by how much a position is supposed to move, in percent."""
        if move.price is not None:
            return 100 * (move.price / each.price - 1)
        if move.subject != MARKET or move.percent is None:
            return move.percent
        fact = self._found.one("beta_estimate", each.stated.symbol)
        beta = None if fact is None else fact.figures.get("beta_daily", fact.figures.get("beta"))
        return None if beta is None else beta * move.percent

    def _even(self) -> Iterator[str]:
        for each in self._sums:
            at = each.paid if each.paid is not None else each.first_close
            if at is None:
                yield self._say("held_no_cost", who=each.who)
                continue
            given = {"who": each.who, "paid": _money(at), "price": _money(each.price), "unit": each.unit,
                     "pct": _pct(at, each.price), "day": each.day}  # fmt: skip
            yield self._say("held_even" if each.price < at else "held_is_even", **given)
        values = [(each.value, each.cost) for each in self._sums]
        known = [(value, cost) for value, cost in values if value is not None and cost is not None]
        if len(known) == len(values) > 1 and self._unit:
            value, cost = (sum(column) for column in zip(*known, strict=True))
            yield self._say("held_even_total", value=_money(value), cost=_money(cost), unit=self._unit,
                            pct=_pct(cost, value))  # fmt: skip

    def _goal(self) -> Iterator[str]:
        values = [each.value for each in self._sums if each.value is not None]
        costs = [each.cost for each in self._sums if each.cost is not None]
        if len(values) < len(self._sums) or not self._unit:
            yield self._say("held_how_many", who=", ".join(each.who for each in self._sums if each.value is None))
            return
        value, goal = sum(values), self._asked.goal
        needs_cost = goal is None or self._asked.goal_is_gain
        if needs_cost and len(costs) < len(values):
            yield self._say("held_no_cost", who=", ".join(each.who for each in self._sums if each.cost is None))
            return
        wanted = 2 * sum(costs) if goal is None else goal + sum(costs) if self._asked.goal_is_gain else goal
        given = {"goal": _money(wanted), "value": _money(value), "unit": self._unit, "pct": _pct(wanted, value)}
        if len(self._sums) == 1:
            each = self._sums[0]
            shares = each.shares or 1.0
            yield self._say("held_goal", **given, who=each.who, shares=_plain(shares), at=_money(wanted / shares),
                            price=_money(each.price), day=each.day)  # fmt: skip
        else:
            yield self._say("held_goal_all", **given)

    def _dividends(self) -> Iterator[str]:
        paid: list[float] = []
        for each in self._sums:
            fact = self._found.one("get_dividends", each.stated.symbol)
            rate = None if fact is None else fact.figures.get("dividends_12m")
            if fact is None or rate is None:
                yield self._say("held_no_dividends", who=each.who)
                continue
            if each.shares is None:
                yield self._say("held_how_many", who=each.who)
                continue
            paid.append(each.shares * rate)
            yield self._say(
                "held_dividends", who=each.who, shares=_plain(each.shares), rate=f"{rate:,.4g}", unit=each.unit,
                sum=_money(each.shares * rate), pct=_share(100 * rate / each.price),
            )  # fmt: skip
        if len(paid) > 1 and self._unit:
            yield self._say("held_dividends_total", sum=_money(sum(paid)), unit=self._unit)
        if paid:
            yield self._say("held_dividends_note")

    def _changes(self) -> Iterator[str]:
        firsts: list[float] = []
        lasts: list[float] = []
        for each in self._sums:
            fact = change_fact(self._found, each.stated.symbol, span_of(self._asked, self._today))
            if fact is None or not {"first_close", "last_close"} <= set(fact.figures):
                yield self._say("held_no_close", who=each.who)
                continue
            if each.shares is None:
                yield self._say("held_how_many", who=each.who)
                continue
            first, last = each.shares * fact.figures["first_close"], each.shares * fact.figures["last_close"]
            firsts.append(first)
            lasts.append(last)
            yield self._say(
                "held_change", who=each.who, shares=_plain(each.shares), unit=each.unit, change=_signed(last - first),
                pct=_pct(last, first), value=_money(last), **self._first(fact), **_last(fact),
            )  # fmt: skip
        if len(lasts) == len(self._sums) > 1 and self._unit:
            first, last = sum(firsts), sum(lasts)
            yield self._say("held_move_total", before=_money(first), after=_money(last), unit=self._unit,
                            change=_signed(last - first), pct=_pct(last, first))  # fmt: skip

    def _index(self) -> Iterator[str]:
        if self._asked.index in self._asked.symbols:
            return  # what it did stands there already
        fact = change_fact(self._found, self._asked.index, since_of(self._asked, self._today))
        if fact is None or "price_change" not in fact.figures:
            yield self._say("held_when", who=", ".join(each.who for each in self._sums))
            return
        moved, name = fact.figures["price_change"], who(fact, self._asked.index)
        given = {"index": name, "moved": _signed_percent(moved), **self._first(fact), **_last(fact)}
        values = [(each.value, each.cost) for each in self._sums if each.value is not None and each.cost is not None]
        if len(values) < len(self._sums) or not self._unit:
            yield self._say("held_index_same", **given)
            return
        value, cost = sum(row[0] for row in values), sum(row[1] for row in values)
        other = cost * (1 + moved / 100)
        yield self._say("held_index", **given, cost=_money(cost), other=_money(other), unit=self._unit,
                        difference=_signed(value - other))  # fmt: skip

    # The same of weights, in points of the whole.

    def _weight_moves(self) -> Iterator[str]:
        total = 0.0
        for each in self._sums:
            move, weight = self._move_of(each.stated.symbol), each.stated.weight or 0.0
            if move is None:
                yield self._say("held_cash", who=each.who, weight=_share(weight))
                continue
            percent = self._percent_of(each, move)
            if percent is None:
                yield self._say("held_no_beta", who=each.who)
                return
            total += weight * percent / 100
            yield self._say("held_weight_move", who=each.who, weight=_share(weight), moved=_signed_percent(percent),
                            points=_signed_percent(weight * percent / 100))  # fmt: skip
        yield from self._cash()
        yield self._say("held_weight_total", points=_signed_percent(total))
        if any(move.subject == MARKET for move in self._asked.moves):
            yield self._say("held_beta_note")

    def _weight_changes(self) -> Iterator[str]:
        total, returned, days = 0.0, 0.0, {"first_day": "", "last_day": ""}
        for each in self._sums:
            fact = change_fact(self._found, each.stated.symbol, span_of(self._asked, self._today))
            if fact is None or "price_change" not in fact.figures:
                yield self._say("held_no_close", who=each.who)
                return
            weight, moved = each.stated.weight or 0.0, fact.figures["price_change"]
            total += weight * moved / 100
            returned += weight * fact.figures.get("total_return", moved) / 100
            days = {name: fact.facts.get(name, "") for name in days}
            yield self._say("held_weight_move", who=each.who, weight=_share(weight), moved=_signed_percent(moved),
                            points=_signed_percent(weight * moved / 100))  # fmt: skip
        yield from self._cash()
        yield self._say("held_weight_span", points=_signed_percent(total), returned=_signed_percent(returned), **days)

    def _weight_dividends(self) -> Iterator[str]:
        total = 0.0
        for each in self._sums:
            fact, weight = self._found.one("get_dividends", each.stated.symbol), each.stated.weight or 0.0
            rate = None if fact is None else fact.figures.get("dividends_12m")
            if rate is None:
                yield self._say("held_no_dividends", who=each.who)
                return
            own = 100 * rate / each.price
            total += weight * own / 100
            yield self._say("held_weight_dividend", who=each.who, weight=_share(weight), pct=_share(own))
        yield self._say("held_weight_yield", pct=_share(total))

    def _no_money(self) -> Iterator[str]:
        yield self._say("held_weights_only")

    def _cash(self) -> Iterator[str]:
        yield from (
            self._say("held_cash", who=self._say("held_money"), weight=_share(each.weight))
            for each in self._asked.positions
            if each.symbol == CASH and each.weight
        )

    def _say(self, key: str, **given: object) -> str:
        return self._found.say(key, **given)

    def _gain(self, value: float, cost: float) -> dict[str, str]:
        return {"cost": _money(cost), "gain": _signed(value - cost), "pct": _pct(value, cost)}

    def _first(self, fact: ToolFact) -> dict[str, str]:
        """Return the first close of a price, with its day, and what it did with dividends where that differs."""
        total = fact.figures.get("total_return")
        own = fact.figures.get("price_change")
        differs = total is not None and own is not None and abs(total - own) >= DIFFERS
        dividends = self._say("with_dividends", total=_signed_percent(total or 0.0)) if differs else ""
        return {
            "first": _money(fact.figures["first_close"]),
            "first_day": fact.facts.get("first_day", ""),
            "dividends": dividends,
        }


def _last(fact: ToolFact) -> dict[str, str]:
    return {"last": _money(fact.figures["last_close"]), "last_day": fact.facts.get("last_day", "")}


_WRITTEN: Mapping[str, Callable[[_PositionsText], Iterator[str]]] = {
    "value": _PositionsText._values,
    "gain": _PositionsText._values,
    "move": _PositionsText._moves,
    "even": _PositionsText._even,
    "goal": _PositionsText._goal,
    "dividends": _PositionsText._dividends,
    "change": _PositionsText._changes,
    "index": _PositionsText._index,
}
_OF_WEIGHTS: Mapping[str, Callable[[_PositionsText], Iterator[str]]] = {
    "move": _PositionsText._weight_moves,
    "change": _PositionsText._weight_changes,
    "dividends": _PositionsText._weight_dividends,
}
"""By what is asked for."""


def _plain(value: float | None) -> str:
    return "n/a" if value is None else _short(f"{value:,.4f}")


def _money(value: float) -> str:
    return f"{value:,.2f}"


def _signed(value: float) -> str:
    return f"{value:+,.2f}"


def _signed_percent(value: float) -> str:
    return f"{_short(f'{value:+.2f}')}%"


def _share(value: float) -> str:
    return f"{_short(f'{value:.2f}')}%"


def _short(number: str) -> str:
    return number.rstrip("0").rstrip(".")


def _pct(now: float, before: float) -> str:
    return _signed_percent(100 * (now / before - 1)) if before else "n/a"
