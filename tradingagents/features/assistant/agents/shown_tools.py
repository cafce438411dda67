"""Which tools a model is shown: a few before its first word, and those of a topic once it opens one.

Schemas are read again with every call, so those of every tool cost more than most answers. What is not shown is not
forbidden: a call of it is run, and the kernel decides as always.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tradingagents.features.assistant.agents.host import ToolOffer, ToolOutcome
from tradingagents.features.assistant.personas.persona import CONSULT
from tradingagents.schemas.workspace import TranscriptEntry

OPEN_TOOLS = "open_tools"
ALWAYS = frozenset(
    (
        *("market_snapshot", "valuation", "earnings", "get_news", "resolve", "current_view_context"),
        *("list_capabilities", "ask_capability", "task_status", OPEN_TOOLS),
    )
)
"""Tools that are shown before the first word; with a question on a price, a value, results or news no topic is opened."""
START = "start_"
_STATEMENTS = ("financials", "get_ttm_analysis", "company_info", "trailing_forward_pe", "fundamental_screen")
TOPICS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "company": ("statements, margins, ratios, screens, profile", _STATEMENTS),
    "risk": ("volatility, beta, bubbles, charts", ("risk_profile", "beta_estimate", "lppl_analysis", "open_chart")),
    "market": (
        "economy, regime, breadth, mood, calendar, largest companies",
        (
            *("macro_focus", "economic", "market_regime", "market_breadth", "fear_greed", "sp500_dcf"),
            *("top_companies", "calendar_events"),
        ),
    ),
    "filings": ("what a company filed", ("sec_filings", "sec_filing_section", "answer_from_filings")),
    "holdings": ("watch list, what investors hold", ("watchlist", "portfolio")),
    "work": ("start analyses, scans, research, debates, reports; ask or stop them", ("ask_run", "cancel_task")),
    "investors": ("consult colleagues who apply investors' methods", ()),
    "connected": ("tools of connected servers", ()),
}
"""What each topic is about, and its tools; tasks, consultations and lent tools go by their names."""


def topic_of(tool: str) -> str:
    """Return the topic that a tool belongs to."""
    if tool.startswith(START):
        return "work"
    if tool.startswith(CONSULT):
        return "investors"
    return next((topic for topic, (_, tools) in TOPICS.items() if tool in tools), "connected")


def opening_offer(offers: Iterable[ToolOffer]) -> ToolOffer:
    """Return the tool by which a model opens topics: those that have a tool at present."""
    present = {topic_of(offer.name) for offer in offers if offer.name not in ALWAYS}
    topics = [topic for topic in TOPICS if topic in present]
    about = "; ".join(f"{topic}: {TOPICS[topic][0]}" for topic in topics)
    return ToolOffer(
        name=OPEN_TOOLS,
        description=f"Show the tools of topics, for this turn and the next. {about}",
        arguments={
            "properties": {"topics": {"type": "array", "items": {"type": "string", "enum": topics}, "minItems": 1}},
            "required": ["topics"],
            "additionalProperties": False,
        },
    )


def shown_offers(offers: Sequence[ToolOffer], entries: Sequence[TranscriptEntry], turn: str) -> list[ToolOffer]:
    """Return the tools that a model is shown now.

    Args:
        offers: All that it may call.
        entries: The transcript.
        turn: The turn: topics that were opened, or had a tool called, in it or in the one before are open.
    """
    before = [name for name in dict.fromkeys(entry.turn for entry in entries) if name and name != turn]
    of_turns = {turn, *before[-1:]}
    open_now: set[str] = set()
    for entry in entries:
        if entry.type != "tool_call" or entry.turn not in of_turns:
            continue
        if entry.name == OPEN_TOOLS:
            open_now |= set(_topics(entry))
        elif entry.name not in ALWAYS:
            open_now.add(topic_of(entry.name or ""))
    chosen = [offer for offer in offers if offer.name in ALWAYS or topic_of(offer.name) in open_now]
    return [*chosen, opening_offer(offers)]


def opened(call: TranscriptEntry, offers: Iterable[ToolOffer]) -> ToolOutcome:
    """Return what a model is told of the topics that it opens."""
    topics = _topics(call)
    names = [offer.name for offer in offers if offer.name not in ALWAYS and topic_of(offer.name) in topics]
    if not names:
        return ToolOutcome(text=f"No tool has that topic; the topics are {', '.join(TOPICS)}.", failed=True)
    return ToolOutcome(text=f"Shown now: {', '.join(names)}.", title="Tools")


def _topics(call: TranscriptEntry) -> tuple[str, ...]:
    given = (call.arguments or {}).get("topics")
    return tuple(topic for topic in given if topic in TOPICS) if isinstance(given, list) else ()
