"""Makes what offline rules answer from: the questions and the typed results of a transcript."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from tradingagents.capabilities.company import known_companies
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.company_names import known_companies as listed_companies
from tradingagents.dataflows.reference.company_names import known_names, plain_name
from tradingagents.errors import DataError
from tradingagents.features.assistant.agents.conversation import Conversation
from tradingagents.features.assistant.agents.host import ToolOffer
from tradingagents.features.assistant.personas.persona import CONSULT, Persona
from tradingagents.features.assistant.rules.dialogue import reply_or_calls
from tradingagents.features.assistant.rules.memos import memo_or_calls
from tradingagents.features.compare.agents.topics import TOPICS
from tradingagents.offline.brief import Brief, DialogueRule
from tradingagents.offline.questions.conversation import (
    AskedQuestion,
    ConversationBrief,
    MemoFact,
    OfferedTool,
    ToolFact,
)
from tradingagents.retrieval.questions.companies import Instruments
from tradingagents.retrieval.questions.funds import fund_symbols
from tradingagents.schemas.workspace import TranscriptEntry

MOST_EXCHANGES = 6
"""Earlier questions that rules look back at."""
START = "start_"
"""What the names of the tools that start tasks begin with."""
_ASSISTANT, _PERSONA = DialogueRule(reply_or_calls), DialogueRule(memo_or_calls)


def conversation_brief(
    conversation: Conversation,
    offers: Sequence[ToolOffer],
    persona: Persona | None,
    catalogue: Sequence[ToolOffer],
    day: date,
    instruments: Instruments | None = None,
) -> Brief:
    """Return what the rules of an agent of a conversation read.

    Args:
        conversation: The transcript.
        offers: Tools that the agent may call now.
        persona: Whose research it is; None for the assistant.
        catalogue: Every capability that it may call through `ask_capability`.
        day: The day of the turn.
        instruments: What the source of the data knows; None: the companies of the reference list.
    """
    *before, now = exchanges(conversation.entries, conversation.turn)
    known = ConversationBrief(
        now=now,
        before=tuple(before[-MOST_EXCHANGES:]),
        day=day,
        symbols=tuple(dict.fromkeys((*conversation.session.view.symbols, *conversation.session.symbols))),
        instruments=instruments,
        tools={offer.name: _offered(offer) for offer in offers},
        catalogue=tuple(map(_offered, catalogue)),
        kinds=tuple(offer.name.removeprefix(START) for offer in offers if offer.name.startswith(START)),
        topics=tuple(TOPICS),
        method=persona.offline if persona else "",
        evidence=persona.limits.evidence if persona else 0,
        out_of_scope=persona.out_of_scope if persona else "",
    )
    rule = _ASSISTANT if persona is None else _PERSONA
    return Brief(persona.title if persona else "", rule, known=known)


def instruments_of(data: MarketData) -> Instruments | None:
    """Return what a local source lists, by ticker and names; None for a remote one, which lists nothing.

    A name that two companies share, such as the first word of theirs, means neither; that of several classes of shares
    means the one that the reference list names first.
    """
    companies = known_companies(data)
    if not companies:
        return None
    listed = {symbol: company.also for company in listed_companies() for symbol in company.symbols[:1]}
    names = {symbol: (*known_names(symbol, name), *listed.get(symbol, ())) for symbol, name, _ in companies}
    own = {symbol: plain_name(name) for symbol, name, _ in companies}
    classes = {symbol for company in listed_companies() for symbol in company.symbols[1:]}
    calls = Counter(name for symbol in names if symbol not in classes for name in dict.fromkeys(names[symbol]))
    listing = (
        (symbol, [name for name in names[symbol] if calls[name] <= 1 or name == own[symbol]])
        for symbol in sorted(names, key=lambda symbol: symbol in classes)
    )
    return Instruments((*listing, *_funds_of(data)), source=data.vendor_of("get_stock_data"))


def _funds_of(data: MarketData) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the funds that questions may name and that a source has; what they follow is no name of theirs."""
    view = data.with_new_sheet()
    for symbol in fund_symbols():
        try:
            view.profile(symbol)
        except DataError:
            continue
        yield symbol, ()


def exchanges(entries: Iterable[TranscriptEntry], turn: str) -> list[AskedQuestion]:
    """Return the questions of a transcript with what was found for each; the last is that of the turn."""
    turns: dict[str, list[TranscriptEntry]] = {}
    for entry in entries:
        if entry.turn and entry.type != "summary":
            turns.setdefault(entry.turn, []).append(entry)
    own = turns.pop(turn, [])
    return [_exchange(some) for some in (*turns.values(), own)]


def _exchange(entries: Sequence[TranscriptEntry]) -> AskedQuestion:
    calls = {entry.call_id: entry for entry in entries if entry.type == "tool_call"}
    results = {entry.call_id: entry for entry in entries if entry.type == "tool_result"}
    memos = [entry for entry in entries if entry.type == "memo"]
    order = {call_id: number for number, call_id in enumerate(calls)}  # personas answer side by side, in any order
    return AskedQuestion(
        question=next((entry.text for entry in entries if entry.type == "user"), ""),
        results=tuple(_fact(call, results[key]) for key, call in calls.items() if key in results),
        memos=tuple(map(_memo, sorted(memos, key=lambda memo: order.get(memo.call_id, len(order))))),
    )


def _fact(call: TranscriptEntry, result: TranscriptEntry) -> ToolFact:
    data = result.data
    says_why = not data.get("capability") or result.status == "error"
    return ToolFact(
        tool=call.name or "",
        arguments=call.arguments or {},
        failed=result.status == "error",
        reason=result.text if says_why else "",
        label=str(data.get("label", "")),
        title=str(data.get("title", "")),
        symbol=data.get("symbol"),
        as_of=str(data.get("answered_as_of", "")),
        figures=data.get("figures", {}),
        shown=data.get("shown", {}),
        facts=data.get("facts", {}),
        task_id=str(data.get("task_id", "")),
        approval_id=str(data.get("approval_id", "")),
        artifacts=tuple(data.get("artifacts", ())),
    )


def _memo(entry: TranscriptEntry) -> MemoFact:
    data = entry.data
    return MemoFact(
        tool=f"{CONSULT}{data['guru']}",
        title=data["title"],
        stance=data["stance"],
        confidence=data["confidence"],
        by_rules=data.get("by_rules", False),
        thesis=data["thesis"],
        key_evidence=tuple(data["key_evidence"]),
        risks=tuple(data["risks"]),
        supported=data["supported"],
    )


def _offered(offer: ToolOffer) -> OfferedTool:
    return OfferedTool(name=offer.name, summary=offer.description, required=tuple(offer.arguments.get("required", ())))
