"""The assistant by fixed rules: which tools a message needs, and the reply written from their typed results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tradingagents.features.assistant.rules.aspect_calls import after_results
from tradingagents.features.assistant.rules.company.company_text import company_text
from tradingagents.features.assistant.rules.comparisons import WITH_DIVIDENDS, compared_parts
from tradingagents.features.assistant.rules.found import TurnAnswers
from tradingagents.features.assistant.rules.hours_text import hours_text
from tradingagents.features.assistant.rules.market_text import market_text
from tradingagents.features.assistant.rules.positions.position_text import held_unread_text, positions_text
from tradingagents.features.assistant.rules.premises import premises_text
from tradingagents.features.assistant.rules.replies import (
    BY_RULES,
    WHICH_COMPANY,
    company_line,
    decision_text,
    evidence_text,
    holder_text,
    in_english_note,
    in_quotes,
    memo_lines,
    stated_gain,
    view_text,
    worth_text,
)
from tradingagents.features.assistant.rules.requests.declined import SIMULATED, declined_text
from tradingagents.features.assistant.rules.requests.figure_gap import gap_text
from tradingagents.features.assistant.rules.requests.figures_told import figures_untold
from tradingagents.features.assistant.rules.requests.gaps import (
    days_beside_positions,
    gaps_of,
    gaps_text,
    parts_beside_terms,
)
from tradingagents.features.assistant.rules.requests.request_calls import MOST_COMPANIES, consultations, wishes_of
from tradingagents.features.assistant.rules.sentences import answer_text, compared_text, moved_text, ranked_text
from tradingagents.features.assistant.rules.texts import TEXT_LANGUAGES, asked_term_name, examples_of, explained, say
from tradingagents.offline.questions.answered import CHECKED
from tradingagents.offline.questions.conversation import ConversationBrief, MemoFact, ToolFact
from tradingagents.offline.questions.frame_words import OF_COMPANY
from tradingagents.offline.questions.frames import QuestionFrame
from tradingagents.offline.questions.message import BESIDE, MessageRequest
from tradingagents.offline.questions.requests import read_request
from tradingagents.retrieval.questions.aspects import AskedAspects
from tradingagents.retrieval.questions.days import NamedDays
from tradingagents.retrieval.questions.positions.stated_positions import SPOKEN_OF, PositionsQuestion
from tradingagents.retrieval.questions.slips import in_full
from tradingagents.retrieval.questions.wording import asks_how

if TYPE_CHECKING:
    from tradingagents.offline.brief import Brief, ToolWish


@dataclass(frozen=True, slots=True)
class Act:
    """What is done next: tools are called, or the reply is given."""

    text: str = ""
    calls: tuple[ToolWish, ...] = ()


def reply_or_calls(brief: Brief) -> tuple[str, Sequence[ToolWish]]:
    """Return the assistant's reply, or the tools to call before it."""
    known = conversation_of(brief)
    request = read_request(known)
    term = explained(in_full(known.now.question), request.language)
    of_none_held = request.holdings is not None and not (request.holdings.stated or request.symbols)
    asks_term = bool(term) and (request.wish not in _NO_TERMS or of_none_held)  # `what does a split do to my shares`
    act = _with_term(known, request, term) if asks_term else _act(known, request)
    return act.text, act.calls


_NO_TERMS = ("task", "run", "holdings")
"""Requests in which a term is not asked about although it is named."""


def _with_term(known: ConversationBrief, request: MessageRequest, term: str) -> Act:
    """Return the explanation of a term and the answer to what is asked beside it; what gets none is named."""
    rest = [part.text for part in parts_beside_terms(known, request.language) if part.asks]
    if not rest and not (request.symbols or request.index):
        return Act(_signed(term, replace(request, wish="aspects")))
    if request.wish in _UNREAD and rest:
        symbols = request.frame.symbols if request.frame is not None else ()
        names = f"{asked_term_name(known.now.question)} {', '.join(symbols)}" if symbols else ""
        for text in (_alone(known, request), names):
            alone = replace(known, now=replace(known.now, question=text))
            if text and (read := read_request(alone)).wish not in _UNREAD:
                known, request = alone, replace(read, language=request.language)
                break
    if request.wish in _UNREAD:
        language = request.language if request.language in TEXT_LANGUAGES else "en"
        left = say(language, "cannot_say", what=in_quotes(rest)) if rest else ""
        return Act(_signed("\n\n".join(text for text in (left, term) if text), replace(request, wish="aspects")))
    act = _act(known, request)
    return replace(act, text=f"{term}\n\n{act.text}") if act.text else act


def _alone(known: ConversationBrief, request: MessageRequest) -> str:
    """Return what is asked beside a term where it says by itself what that is; empty for `and what is it at Apple`."""
    parts = [part for part in parts_beside_terms(known, request.language) if part.asks]
    return ", ".join(part.text for part in parts) if any(part.asked.aspects for part in parts) else ""


_UNREAD = ("unread", "other_day", "help", "greeting", "why", "decision", "tasks")


def conversation_of(brief: Brief) -> ConversationBrief:
    """Return what a conversation's agent knows."""
    if not isinstance(brief.known, ConversationBrief):
        raise TypeError("the agent was given no brief on a conversation")
    return brief.known


def _act(known: ConversationBrief, request: MessageRequest) -> Act:
    reachable = {*known.tools, *(tool.name for tool in known.catalogue)}
    if request.lookup is not None and request.lookup.tool not in reachable and request.lookup.instead is not None:
        request = replace(request, lookup=request.lookup.instead)
    if request.wish == "help":
        return Act(f"{say(request.language, 'help')}\n\n{say(request.language, 'rules')}")
    if request.wish == "greeting":
        key = "thanks" if _THANKS & set(request.said.split()) else "greeting"
        return Act(say(request.language, key, examples=examples_of(request.language, known.symbols[:1])))
    if request.wish == "unread":
        return Act(_refused(known, request))
    if request.positions is not None and not _is_read(request.positions):
        return Act(_signed(_positions_reply(known, request), request))
    if request.wish == "other_day":
        return Act(_signed(say(request.language, "other_day", day=known.day), request))
    if request.wish == "task" and asks_how(request.said):
        words = f"{request.kind} {' '.join(request.symbols) or 'AAPL'}"
        return Act(_signed(say(request.language, "how_to_start", words=words), replace(request, wish="unread")))
    if request.wish == "why":
        return Act(_signed(evidence_text(known), request))
    unresolved = [name for name in request.names if _resolved(known, name) is None]
    if unresolved and "resolve" in known.tools and not _knows_names(known):
        return Act(calls=tuple(("resolve", {"ticker": name}) for name in unresolved[:MOST_COMPANIES]))
    symbols, unknown = _symbols(known, request)
    if unknown and not (request.wish == "consult" and symbols):  # who is no colleague here leaves the others to answer
        return Act(_signed(unknown, request))
    request = _without_book(known, request)
    wishes = wishes_of(known, request, symbols)
    if wishes == WHICH_COMPANY:
        return Act(_signed(say(request.language, "which_company"), replace(request, wish="unread")))
    if isinstance(wishes, str):
        return Act(_signed(wishes, request))
    made = {_key(result.tool, result.arguments) for result in known.now.results}
    if missing := tuple((tool, given) for tool, given in wishes if _key(tool, given) not in made):
        return Act(calls=missing)
    if further := consultations(known, request, symbols):
        return Act(calls=further)
    return _checked(known, request, _reply(known, request, symbols), unknown)


def _without_book(known: ConversationBrief, request: MessageRequest) -> MessageRequest:
    """Return a question whether to sell one's own shares as one on the company, where no book tells what is held."""
    held = request.holdings
    no_book = any(result.answered_by == "book" and result.failed for result in known.now.results)
    if held is None or held.about != "decision" or held.stated or not request.symbols or not no_book:
        return request
    language = request.language if request.language in TEXT_LANGUAGES else "en"
    frame = request.frame or QuestionFrame(AskedAspects(), NamedDays(""), symbols=request.symbols)
    remarks = (*request.remarks, say(language, "no_book"))
    return replace(
        request, wish="aspects", parts=("opinion",), holdings=None, frame=frame, remarks=remarks, language=language
    )


def _checked(known: ConversationBrief, request: MessageRequest, reply: str, unknown: str) -> Act:
    """Return a reply behind what it does not answer of the question; declined where it answers nothing of it."""
    results = [result for result in known.now.results if result.tool != "resolve"]
    gaps = gaps_of(known, request, results)
    if gaps.declined:
        reason = f"{BESIDE} '{gaps.declined}', which an answer of this kind is not about."
        return Act(_refused(known, replace(request, wish="unread", declined=reason)))
    untold, tells_none = figures_untold(request.said, reply, results) if request.wish in CHECKED else ((), False)
    if tells_none and any(not fact.failed for fact in results):
        reason = f"What the tools gave holds no '{untold[0]}'."
        return Act(_refused(known, replace(request, wish="unread", declined=reason)))
    unsaid = () if gaps.parts else request.unsaid  # else they are among these
    gaps = replace(gaps, parts=tuple(dict.fromkeys((*gaps.parts, *untold, *unsaid))))
    texts = (gaps_text(known, gaps, request, results), reply, gap_text(request, reply, results), unknown)
    if not any(texts):
        reason = next((fact.reason for fact in results if fact.failed), "The tools gave nothing that answers it.")
        return Act(_refused(known, replace(request, wish="unread", declined=reason)))
    return Act(_signed("\n\n".join(text for text in texts if text), request))


def _refused(known: ConversationBrief, request: MessageRequest) -> str:
    """Return the reply to a question that gets no answer."""
    return _signed(declined_text(known, request), replace(request, remarks=()) if not request.symbols else request)


_THANKS = frozenset({"thanks", "thank", "thx", "cheers", "danke", "merci", "gracias", "谢谢", "ありがとう", "helpful"})


def _of_real_companies(known: ConversationBrief, request: MessageRequest) -> str:
    """Return whether the companies of the data are real ones."""
    source = known.instruments.source if known.instruments is not None else ""
    key = "real_simulated" if source == SIMULATED else "real_recorded"
    return say(request.language, key, source=source or "the vendors in the settings", day=known.day)


def _knows_names(known: ConversationBrief) -> bool:
    """Tell whether the source lists its companies by name, so that no other name needs to be looked up."""
    return known.instruments is not None and known.instruments.named


def _symbols(known: ConversationBrief, request: MessageRequest) -> tuple[list[str], str]:
    """Return the symbols that a request is about, and what is to be said of names that mean none."""
    found, problems = list(request.symbols), []
    for name in request.names:
        fact = _resolved(known, name)
        if fact is None or fact.failed:
            problems.append(f"No company called {name} is known here; name its ticker.")
        elif fact.symbol is None:
            candidates = [text for place, text in fact.facts.items() if place.endswith(".symbol")]
            problems.append(f"{name} may mean {', '.join(candidates[:5])}; name the ticker.")
        else:
            found.append(fact.symbol)
    if not found and not problems and not _after_a_list(known):
        found = list(known.symbols[:1])
    return list(dict.fromkeys(found)), " ".join(problems)


def _after_a_list(known: ConversationBrief) -> bool:
    """Tell whether the answer before was a list of many companies, of which `it` is none by itself."""
    last = next((exchange for exchange in reversed(known.before) if exchange.results), None)
    return last is not None and any(fact.answered_by in _LISTS and not fact.failed for fact in last.results)


_LISTS = frozenset({"top_companies", "get_industry_performance", "get_market_movers", "get_earnings_calendar"})


def _resolved(known: ConversationBrief, name: str) -> ToolFact | None:
    every = (*known.now.results, *(result for exchange in reversed(known.before) for result in exchange.results))
    return next(
        (result for result in every if result.tool == "resolve" and result.arguments.get("ticker") == name), None
    )


def _reply(known: ConversationBrief, request: MessageRequest, symbols: Sequence[str]) -> str:
    results = [result for result in known.now.results if result.tool != "resolve"]
    if request.wish == "task" and request.topics and request.frame is not None and len(results) > 1:
        found = TurnAnswers(results[1:], request.language, request.frame)
        at_once = compared_parts(found, [part for part in request.frame.parts if part in OF_COMPANY], symbols)
        return f"{at_once}\n\n{results[0].reason}"
    if request.wish in ("task", "tasks", "run"):
        return "\n\n".join(result.reason for result in results)
    if waiting := [result.reason for result in results if result.approval_id]:
        return "\n\n".join(waiting)
    if request.positions is not None:
        return _positions_reply(known, request)
    if request.wish == "holdings":
        return "\n\n".join(
            part for part in (stated_gain(results, request), holder_text(results, request.symbols)) if part
        )
    if request.wish == "consult":
        return memo_text(known.now.memos, results)
    if request.wish == "decision":
        return decision_text(results, symbols)
    if request.wish == "worth":
        return worth_text(results)
    if request.wish == "consider":
        return view_text(results, known.now.memos)
    if request.wish == "compare" and len(symbols) > 1:
        return compared_text(results, request)
    if request.wish == "moved":
        return moved_text(results, request)
    if request.wish == "aspects" and request.frame is not None:
        return _aspects_reply(known, request, symbols)
    wanted = request.lookup.figures if request.lookup else ()
    if request.wish == "figures" and len(symbols) > 1:
        return ranked_text(results, request)
    if request.wish == "figures":
        wanted = tuple(name for figure in request.figures for name in figure.figures)
    return "\n\n".join(answer_text(result, request, wanted) for result in results) or "Nothing was found."


def _is_read(asked: PositionsQuestion) -> bool:
    """Tell whether all of a question on positions is known, the company spoken of before too."""
    return not asked.left and bool(asked.symbols) and all(each.symbol != SPOKEN_OF for each in asked.positions)


def _positions_reply(known: ConversationBrief, request: MessageRequest) -> str:
    """Return the reply to a question on positions that are stated, in this message or in one before."""
    asked = request.positions
    if asked is not None and asked.left:
        return held_unread_text(request.language, asked)
    if asked is None or not asked.symbols or SPOKEN_OF in {each.symbol for each in asked.positions}:
        key = "held_which" if request.declined else "held_whose"
        return say(request.language, key, names=request.declined)
    frame = QuestionFrame(AskedAspects(), NamedDays(""))
    reply = positions_text(TurnAnswers(known.now.results, request.language, frame), asked, known.day)
    left = days_beside_positions(known, asked)
    return f"{say(request.language, 'cannot_say', what=in_quotes(left))}\n\n{reply}" if left else reply


def _aspects_reply(known: ConversationBrief, request: MessageRequest, symbols: Sequence[str]) -> str:
    """Return the reply to a question that was read word by word: what it takes for granted first, then what it asks."""
    if request.frame is None:
        raise TypeError("a question that is read word by word has a frame")
    if request.parts == ("real",):
        return _of_real_companies(known, request)
    if request.parts == ("hours",):
        return hours_text(request.language, request.frame.days, known.day)
    frame = after_results(request.frame, symbols[0], known.now.results, known.day) if symbols else request.frame
    found = TurnAnswers(known.now.results, request.language, frame)
    of_companies = [part for part in request.parts if part in OF_COMPANY]
    texts = [premises_text(found, symbols if of_companies else (), request.said)]  # a list is not on what is open
    if of_companies and len(symbols) > 1:
        compared = [WITH_DIVIDENDS] if request.with_dividends else of_companies
        texts.append(compared_parts(found, compared, symbols))
    elif of_companies:
        texts += [company_text(found, part, symbols[0]) for part in of_companies]
    texts += [market_text(found, part, known) for part in request.parts if part not in OF_COMPANY]
    return "\n\n".join(text for text in texts if text)


def memo_text(memos: Sequence[MemoFact], results: Sequence[ToolFact]) -> str:
    """Return what personas answered, and why others did not."""
    failed = [f"- {result.reason}" for result in results if result.failed]
    return "\n".join([*memo_lines(memos), *failed]) or "Nobody could be consulted."


def _key(tool: str, arguments: Mapping[str, Any]) -> tuple[str, str]:
    return tool, repr(sorted((name, str(value)) for name, value in arguments.items()))


def _signed(text: str, request: MessageRequest) -> str:
    """Return a reply with how slips were read before it, and by what it was made after it."""
    own = request.language in TEXT_LANGUAGES and request.wish in ("aspects", "unread", "positions", "other_day")
    note = "" if own else in_english_note(request.language)
    asides = request.asides if request.wish != "unread" else ()
    aside = say(request.language, "aside", what=in_quotes(asides)) if asides else ""
    parts = (" ".join(request.remarks), text, aside, note, say(request.language, "rules") if own else BY_RULES)
    return "\n\n".join(part for part in parts if part)


__all__ = ["Act", "company_line", "conversation_of", "memo_text", "reply_or_calls"]
