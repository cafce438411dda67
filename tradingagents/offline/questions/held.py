"""What a message asks of its writer's holdings, stated in it or stored."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from tradingagents.offline.questions.conversation import ConversationBrief
from tradingagents.offline.questions.message import MessageRequest
from tradingagents.retrieval.questions.aspects import spoken_language
from tradingagents.retrieval.questions.funds import with_funds
from tradingagents.retrieval.questions.holdings import UNREAD_HOLDINGS, HoldingsQuestion, read_holdings_question
from tradingagents.retrieval.questions.names import in_english
from tradingagents.retrieval.questions.plain_words import spaced
from tradingagents.retrieval.questions.positions.position_names import with_names
from tradingagents.retrieval.questions.positions.stated_positions import PositionsQuestion, read_positions, read_sums
from tradingagents.retrieval.questions.reading import QuestionReading
from tradingagents.retrieval.questions.slips import Mended, mended
from tradingagents.retrieval.questions.spans import named_days
from tradingagents.retrieval.questions.wording import has_digits, states_money, words_in

_WHEN = frozenset({"when", "wann", "何时", "什么时候"})
LONGEST_AHEAD = 60
"""Days within which the next results are looked for where a question asks when they come."""
_OWN_READER = ("fr", "es", "ja")
"""Languages whose statements of holdings `read_holdings_question` alone reads."""


def holdings_request(text: str, brief: ConversationBrief) -> MessageRequest | None:
    """Return what a message asks of its writer's holdings; None where it is about none."""
    if _asks_shares_after_split(text):
        return None  # of the split alone, and not of what is held
    own, remarks = _positions(text, brief)
    reachable = any(tool.name == "book" for tool in brief.catalogue)
    held = read_holdings_question(_with_tickers(text, brief))
    if held is not None and not held.stated and own is None and _chooses_one(text, brief):
        return None  # `A or B, I want one of them in my portfolio`
    if held is not None and held.about == "unread" and (own is None or own.left) and not states_money(text):
        return MessageRequest("unread", declined=UNREAD_HOLDINGS)
    if own is not None and not _is_for_book(own, held):
        question = HoldingsQuestion(own.about or "value", own.line, own.symbols) if own.line and not own.left else None
        if question is not None and own.about and not own.asks:
            return _about_book(text, question, brief) if reachable else None
        return MessageRequest(
            "positions",
            own.symbols,
            positions=own,
            holdings=question,
            remarks=remarks,
            declined=UNREAD_HOLDINGS if own.left else "",
            language=spoken_language(text) or "en",
            said=text.lower(),
        )
    if held is not None and _are_holdings(held, brief) and reachable:
        return _about_book(text, _of_companies(text, held, brief), brief)
    return None


def _chooses_one(text: str, brief: ConversationBrief) -> bool:
    """Tell whether a message asks which of several companies is to come into a portfolio, and not what is in it."""
    mentions = QuestionReading(text, brief.day, instruments=brief.instruments).mentions
    return len({mention.symbol for mention in mentions}) > 1 and bool(_OR & words_in(text))


_OR = frozenset({"or", "oder", "versus", "vs", "还是"})


def _asks_shares_after_split(text: str) -> bool:
    """Tell whether a message asks how many shares a number of them became by a split."""
    words = words_in(text)
    split = bool(_SPLIT & words) or any(sign in text for sign in ("拆股", "拆分"))
    before = bool({"before", "vor"} & words) or "前" in text
    counts = {"how", "many"} <= words or {"wie", "viele"} <= words or "wieviele" in words or "多少股" in text
    return split and before and counts and has_digits(text)


_SPLIT = frozenset({"split", "aktiensplit", "splitting"})


def _of_companies(text: str, held: HoldingsQuestion, brief: ConversationBrief) -> HoldingsQuestion:
    """Return a question whether to keep what the book holds with the companies that it names: `my Apple shares`."""
    if held.about != "decision" or held.stated or held.symbols:
        return held
    mentions = QuestionReading(text, brief.day, instruments=brief.instruments).mentions
    return replace(held, symbols=tuple(dict.fromkeys(mention.symbol for mention in mentions)))


def sums_asked(text: str, brief: ConversationBrief) -> PositionsQuestion | None:
    """Return the sums that a message asks for of positions stated before it; None for another message."""
    return read_sums(QuestionReading(text, brief.day, instruments=brief.instruments), brief.day)


def of_spoken_positions(own: MessageRequest, earlier: MessageRequest | None) -> MessageRequest | None:
    """Return a request on positions with what it leaves out filled in from the one before; None for another request.

    `15 of them at 142` are of the company spoken of before; `what if it drops 20 %` is asked of the positions stated
    before, and so is `and the dividends`.
    """
    if own.positions is not None:
        before = earlier.positions if earlier is not None else None
        if before is not None and _is_of_before(own.positions, before):
            return replace(own, positions=replace(own.positions, positions=before.positions), symbols=before.symbols)
        if earlier is None:
            return own
        spoken_of = earlier.symbols
        filled = own.positions.of_spoken(spoken_of)
        if filled is None and len(spoken_of) > 1:
            return replace(own, declined=", ".join(spoken_of))
        return own if filled is None else replace(own, positions=filled, symbols=filled.symbols)
    if earlier is None or earlier.positions is None or earlier.positions.left:
        return None
    if (other := _same_sum(own, earlier.positions)) is not None:
        return other
    if own.sums is None:
        return _about_before(own, earlier.positions)
    before, sums = earlier.positions, own.sums
    named = [
        symbol for symbol in own.symbols if symbol != sums.index and all(symbol != move.subject for move in sums.moves)
    ]
    if not set(named) <= set(before.symbols):
        return None
    positions = tuple(each for each in before.positions if not named or each.symbol in named)
    asked = replace(sums, positions=positions)
    return replace(
        own, wish="positions", symbols=asked.symbols, positions=asked, lookup=None, elliptic=False, remarks=()
    )


def _is_of_before(own: PositionsQuestion, before: PositionsQuestion) -> bool:
    """Tell whether a supposed move is one of positions stated before: `and if apple drops 20 %`, without a number."""
    bare = all(each.shares is None and each.money is None and each.weight is None and each.paid is None
               for each in own.positions)  # fmt: skip
    return bare and bool(own.moves) and set(own.symbols) <= set(before.symbols)


def _same_sum(own: MessageRequest, before: PositionsQuestion) -> MessageRequest | None:
    """Return `and in Microsoft?` as the sum put in before, on the same day, in another company; None for no such.

    Declined where several sums were put in, of which each may be meant.
    """
    put_in = any(each.money is not None and not each.is_worth for each in before.positions)
    asks = own.frame.asked if own.frame is not None else None
    if not put_in or not own.elliptic or len(own.symbols) != 1 or own.names or asks is None or asks.aspects:
        return None
    if len(before.positions) > 1 or not asks.whole:
        return replace(own, wish="unread", declined=WHICH_SUM)
    asked = replace(before, positions=(replace(before.positions[0], symbol=own.symbols[0]),))
    return replace(own, wish="positions", positions=asked, lookup=None, elliptic=False, remarks=())


WHICH_SUM = "Which sum is meant is not clear: ask it whole, such as `5,000 in AAPL on 2024-06-28, what is it worth?`."


def _about_before(own: MessageRequest, before: PositionsQuestion) -> MessageRequest | None:
    """Return a question on risk or a decision as one on the positions stated before it; None for another question."""
    short = len(own.said.split()) <= MOST_LEFT_OUT and not own.symbols and not own.index
    kinds: dict[str, Literal["risk", "decision"]] = {"risk": "risk", "opinion": "decision"}
    asked = own.frame.asked.aspects if own.frame is not None and own.frame.asked.whole else ()
    about = kinds.get(asked[0]) if len(asked) == 1 else None
    if not (short and about and before.line):
        return None
    held = HoldingsQuestion(about, before.line, before.symbols)
    return MessageRequest(
        "holdings", held.symbols, holdings=held, said=own.said, language=own.language, frame=own.frame
    )


MOST_LEFT_OUT = 9
"""Words up to which a question may leave out what the one before said."""


def _is_for_book(own: PositionsQuestion, held: HoldingsQuestion | None) -> bool:
    """Tell whether a question on risk, results or a decision was read as one on the book as a whole."""
    return held is not None and bool(held.stated) and held.about in ("risk", "results", "decision") and not own.asks


def _about_book(text: str, held: HoldingsQuestion, brief: ConversationBrief) -> MessageRequest:
    days, language = named_days(in_english(text), brief.day), spoken_language(text)
    if held.about == "results" and _WHEN & words_in(text):
        held = replace(held, days_ahead=LONGEST_AHEAD)
    return MessageRequest(
        "holdings", held.symbols, holdings=held, days=days, said=text.lower(), language=language or "en"
    )


def _positions(text: str, brief: ConversationBrief) -> tuple[PositionsQuestion | None, tuple[str, ...]]:
    """Return the positions that a message states, and how its slips were read: as written, else with slips mended."""
    if (
        not spoken_language(text)
        and QuestionReading(text, brief.day, instruments=brief.instruments).language in _OWN_READER
    ):
        return None, ()
    funds, of_funds = with_funds(text, brief.instruments)
    written, remarks = with_names(funds, brief.instruments)
    remarks = (*of_funds, *remarks)
    found = read_positions(QuestionReading(written, brief.day, instruments=brief.instruments), brief.day)
    if found is not None and not found.left:
        return found, remarks
    again: Mended = mended(written, brief.day, brief.instruments)
    if again.text == written or again.doubtful:
        return found, remarks
    other = read_positions(QuestionReading(again.text, brief.day, instruments=brief.instruments), brief.day)
    return (other, (*remarks, *again.remarks)) if other is not None and not other.left else (found, remarks)


def _are_holdings(held: HoldingsQuestion, brief: ConversationBrief) -> bool:
    """Tell whether what is stated may be held: one of it is known, where the source lists what it knows."""
    if held.about == "unread":
        return False
    known = brief.instruments
    return not held.stated or known is None or any(known.knows(symbol) for symbol in held.symbols)


def _with_tickers(text: str, brief: ConversationBrief) -> str:
    """Return a text with the names of companies as tickers, as holdings are stated: `20 AAPL` for `20 apple`."""
    if not has_digits(text):
        return text
    mentions = QuestionReading(text, brief.day, instruments=brief.instruments).mentions
    if all(mention.by_ticker and mention.written in text for mention in mentions):
        return text
    written = spaced(text)
    for mention in reversed(mentions):
        written = f"{written[: mention.start]}{mention.symbol}{written[mention.end :]}"
    return written
