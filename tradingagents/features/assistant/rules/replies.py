"""Sentences and tables of the assistant's replies by fixed rules; each figure stands as its tool wrote it."""

from __future__ import annotations

from collections.abc import Sequence

from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.analytics.holdings.holdings_text import read_holdings
from tradingagents.features.assistant.rules.found import places, who
from tradingagents.features.assistant.rules.texts import say
from tradingagents.offline.questions.conversation import ConversationBrief, MemoFact, ToolFact
from tradingagents.offline.questions.message import BESIDE, MessageRequest
from tradingagents.offline.scores import CLEAR_UPSIDE
from tradingagents.schemas.memo import memo_sureness

BY_RULES = "(Answered by fixed rules from the tools' results; no language model was asked.)"
_UNANSWERED = "The fixed rules give no answer to that question."
MOST_LEFT = 4
"""Words that are named where they were not understood."""
WHICH_COMPANY = "Which company is meant? Name its ticker, such as in: what is AAPL trading at?"
_IN_ENGLISH = {
    "de": "(Die festen Regeln antworten auf Englisch.)",
    "fr": "(Les règles fixes répondent en anglais.)",
    "es": "(Las reglas fijas responden en inglés.)",
    "zh": "(固定规则用英文回答。)",
    "ja": "(固定ルールは英語で回答します。)",
}
FOR_HOLDERS = {
    "BUY": "add, up to the size that the decision asks for; hold where as much is held",
    "HOLD": "hold",
    "SELL": "sell what is held, all of it where the decision is sure and half of it where it is not",
}
"""What a decision means for somebody who holds the stock."""
MOST_FIGURES = 8
OF_BOOKS = frozenset({"get_ttm_analysis", "get_financials", "financials", "earnings"})
"""Answers that are as old as the last period reported."""
HEADLINES = {
    "market_snapshot": ("price", "change_1m", "change_3m", "sma_200", "rsi"),
    "valuation": ("value_per_share", "upside", "terminal_share"),
    "fundamental_screen": ("piotroski_f_score", "beneish_m_score", "dupont_roe", "magic_formula_rank"),
    "market_regime": ("regime_score", "vix"),
}
"""The figures that stand for a tool's answer where several are shown."""


def unread_text(reason: str, left: Sequence[str], language: str, examples: str) -> str:
    """Return what is said of a question that gets no answer: the reason, and what can be asked near it.

    Args:
        reason: Why it gets none; empty where no rule says.
        left: Words of it that mean nothing to the rules.
        language: In which it is answered.
        examples: Questions that can be asked.
    """
    if left and reason.startswith(BESIDE):
        reason = ""
    if reason and language not in ("de", "zh"):
        return f"{_UNANSWERED} {reason} {say(language, 'can_ask', examples=examples)}"
    untold = next((word for word in left if word.endswith(".") and " " in word), "")  # why its days cannot be told
    if untold and language not in ("de", "zh"):
        return f"{_UNANSWERED} {untold} {say(language, 'can_ask', examples=examples)}"
    if left and not untold:
        return say(language, "near", what=in_quotes(left), examples=examples)
    return say(language, "near_all", examples=examples)


def in_quotes(words: Sequence[str]) -> str:
    """Return the first of some words, each in quotation marks."""
    return ", ".join(f"\u201c{word}\u201d" for word in dict.fromkeys(words[:MOST_LEFT]))


def in_english_note(language: str) -> str:
    """Return, in the language of a question, that the answer is in English; empty for an English question."""
    return _IN_ENGLISH.get(language, "")


def company_line(fact: ToolFact) -> str:
    """Return whom a result is about, with the company's name where it is known."""
    series = ", ".join(row["name"] for _, row in places(fact, "series") if row.get("name"))
    return who(fact, fact.subject) if fact.subject else series or fact.title


def figures_text(fact: ToolFact, wanted: Sequence[str] = ()) -> str:
    """Return a result's figures, the wanted ones first; why it failed where it did."""
    if fact.failed:
        return f"{fact.answered_by} has no answer: {fact.reason}"
    names = [name for name in wanted if name in fact.shown]
    if wanted and not names and fact.shown:
        return f"{company_line(fact)}: the {label_of(wanted[0])} is not known on {fact.as_of} ({fact.answered_by})."
    names = names or list(fact.shown)[:MOST_FIGURES]
    books = fact.facts.get("end", "")
    older = f", figures to {books}" if fact.answered_by in OF_BOOKS and books and books < fact.as_of else ""
    heading = f"{company_line(fact)}, as of {fact.as_of}{older} ({fact.answered_by}):"
    lines = [f"- {label_of(name)}: {fact.shown[name]}" for name in names]
    state = [f"- {label_of(name)}: {fact.facts[name]}" for name in ("regime", "mood") if name in fact.facts]
    state += [f"- {text}" for place, text in fact.facts.items() if place.endswith(".said")]
    files = [f"- file: {artifact}" for artifact in fact.artifacts]
    if not (lines or state or files):
        return fact.reason or f"{fact.title}: nothing to show."
    note = [say("en", "own_mood")] if fact.answered_by == "fear_greed" else []
    return "\n".join([heading, *state, *lines, *note, *files])


def worth_text(results: Sequence[ToolFact]) -> str:
    """Return what opens a valuation, sentence by sentence, and the multiple it was compared with."""
    parts = []
    for fact in _of(results, "valuation"):
        if fact.failed:
            parts.append(f"No value can be computed: {fact.reason}")
            continue
        said = [text for place, text in fact.facts.items() if place.startswith("opening.")]
        if not said:
            parts.append(f"No value per share of {company_line(fact)} can be computed from its statements.")
            continue
        parts.append("\n".join((f"{company_line(fact)}, as of {fact.as_of}:", *(f"- {text}" for text in said))))
    parts += [
        f"{company_line(fact)} trades at a P/E of {fact.shown['pe_ttm']} on the earnings of the last twelve months."
        for fact in _of(results, "trailing_forward_pe")
        if not fact.failed and "pe_ttm" in fact.shown
    ]
    parts += [
        f"The median P/E of its peers is {fact.shown['peer_median_pe_ttm']}."
        for fact in _of(results, "get_peer_multiples")
        if not fact.failed
        and "peer_median_pe_ttm" in fact.shown
        and sum(text == "peer" for text in fact.facts.values()) > 2
    ]
    return "\n\n".join(parts) or "Nothing was found."


def view_text(results: Sequence[ToolFact], memos: Sequence[MemoFact]) -> str:
    """Return what speaks for and against a closer look: prices, value, screens, regime and the personas' memos."""
    lines: list[str] = []
    for fact in results:
        if fact.tool.startswith("consult_"):
            lines += [f"- {fact.reason}"] if fact.failed else []
        elif fact.failed:
            lines.append(f"- {fact.tool}: no answer ({fact.reason})")
        elif fact.tool == "market_snapshot":
            lines.append(f"- {company_line(fact)}: {_some(fact, *HEADLINES[fact.tool])}")
        elif fact.tool == "valuation":
            lines.append(f"- Value: {_some(fact, *HEADLINES[fact.tool])}{_side(fact)}")
        elif fact.tool == "fundamental_screen":
            lines.append(f"- Screens: {_some(fact, *HEADLINES[fact.tool])}")
        else:
            state = fact.facts.get("regime") or fact.facts.get("mood")
            some = _some(fact, *list(fact.shown)[:2])
            lines.append(f"- {fact.title}: {', '.join(part for part in (state, some) if part)}")
    memo_texts = memo_lines(memos)
    if memo_texts:
        stances = [memo.stance for memo in memos]
        counts = ", ".join(f"{stances.count(stance)} {stance}" for stance in dict.fromkeys(stances))
        lines += ["", f"Investors' methods ({counts}):", *memo_texts]
    subject = next((result.subject for result in results if result.subject), "")
    closing = f"This is evidence, not advice. `analyse {subject}` starts the full study." if subject else ""
    return "\n".join([*lines, "", closing]).strip()


def memo_lines(memos: Sequence[MemoFact]) -> list[str]:
    """Return each memo in a line: stance and how sure it is, its thesis, whether it is supported."""
    return [
        f"- {memo.title}: {memo.stance}, {memo_sureness(memo.confidence, by_rules=memo.by_rules)}"
        f"{'' if memo.supported else ', not supported by its citations'}. {memo.thesis}"
        for memo in memos
    ]


def decision_text(results: Sequence[ToolFact], symbols: Sequence[str]) -> str:
    """Return the last recorded decision on each symbol."""
    lines: list[str] = []
    for fact in _of(results, "watchlist"):
        if fact.failed:
            return f"No decisions can be read: {fact.reason}"
        places = {
            text: place.removesuffix(".symbol") for place, text in fact.facts.items() if place.endswith(".symbol")
        }
        for symbol in symbols or places:
            place = places.get(symbol, "")
            action = fact.facts.get(f"{place}.decision.action")
            if action is None:
                lines.append(
                    f"There is no decision on {symbol} for {fact.as_of} or before. `analyse {symbol}` makes one."
                )
                continue
            day, run = (fact.facts.get(f"{place}.decision.{name}", "") for name in ("trade_date", "run_id"))
            lines.append(f"{symbol}: {action} for {day} (run {run}).")
    return "\n".join(lines) or "There is no decision yet."


def holder_text(results: Sequence[ToolFact], symbols: Sequence[str]) -> str:
    """Return what is said of holdings and, where the last decisions were read, what they mean for their holder."""
    parts = [figures_text(fact) for fact in results if fact.tool != "watchlist"]
    if decided := _of(results, "watchlist"):
        parts.append(decision_text(results, symbols))
        actions = {text for fact in decided for place, text in fact.facts.items() if place.endswith(".decision.action")}
        parts += [f"{action} means for a holder: {FOR_HOLDERS[action]}." for action in FOR_HOLDERS if action in actions]
    return "\n\n".join(parts) or "Nothing was found."


def stated_gain(results: Sequence[ToolFact], request: MessageRequest) -> str:
    """Return what one stated holding with its price gained or lost, in money; empty for others, and for the book."""
    stated = request.holdings.stated if request.holdings is not None else ""
    portfolio = read_holdings(stated).portfolio if stated else None
    fact = next((fact for fact in _of(results, "book") if not fact.failed and "book_value" in fact.figures), None)
    if fact is None or portfolio is None or len(portfolio.positions) != 1:
        return ""
    (position,) = portfolio.positions
    if position.average_price is None:
        return ""
    value, paid = fact.figures["book_value"], position.quantity * position.average_price
    unit = fact.shown["book_value"].rpartition(" ")[2]
    given = {"paid": f"{paid:,.2f} {unit}", "value": f"{value:,.2f} {unit}", "gain": f"{value - paid:+,.2f} {unit}"}
    return say(request.language, "stated_gain", pct=f"{100 * (value / paid - 1):+.1f}%", **given)


def evidence_text(known: ConversationBrief) -> str:
    """Return what the answer before rested on."""
    last = next((exchange for exchange in reversed(known.before) if exchange.results or exchange.memos), None)
    if last is None:
        return "Nothing has been looked up in this conversation yet."
    lines = [f"The answer to \u201c{last.question[:120]}\u201d rests on:"]
    for fact in last.results:
        if fact.tool == "resolve" or fact.tool.startswith("consult_"):
            continue
        some = _some(fact, *(HEADLINES.get(fact.tool) or list(fact.shown)[:MOST_FIGURES]))
        lines.append(f"- {fact.answered_by}, {company_line(fact)}: {some or fact.reason}")
    for memo in last.memos:
        sure = memo_sureness(memo.confidence, by_rules=memo.by_rules)
        lines.append(f"- {memo.title} ({memo.stance}, {sure}): {memo.thesis}")
        lines += [f"  - {evidence}" for evidence in memo.key_evidence]
        lines += [f"  - against it: {risk}" for risk in memo.risks]
    return "\n".join(lines)


def _of(results: Sequence[ToolFact], tool: str) -> list[ToolFact]:
    return [result for result in results if result.answered_by == tool]


def _some(fact: ToolFact, *names: str) -> str:
    return ", ".join(f"{label_of(name)} {fact.shown[name]}" for name in names if name in fact.shown)


def _side(fact: ToolFact) -> str:
    upside = fact.figures.get("upside")
    if upside is None:
        return ""
    side = "above" if upside >= CLEAR_UPSIDE else "below" if upside <= -CLEAR_UPSIDE else "near"
    return f": the value is {side} the price"


def label_of(name: str) -> str:
    """Return what a figure is called."""
    return metric_label(name)
