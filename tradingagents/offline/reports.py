"""The four analysts: score what the tools gave, and write it up with the figures as the tools showed them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.offline import headlines
from tradingagents.offline.headlines import Article, articles, quote
from tradingagents.offline.reading import Prompt, ToolText
from tradingagents.offline.rules import FUNDAMENTALS, MARKET, Rule, apply, overall, weight_of
from tradingagents.offline.scores import insiders, margin_trend, say
from tradingagents.offline.social import crowd
from tradingagents.offline.tables import Row, direction, row_text
from tradingagents.schemas.records import NOTHING_SCORED

MADE_BY = "Written by the offline analyst by fixed rules, no language model."
MAX_ROWS = 14
"""Rows of a closing table; where rules gave more, those that move the score least are left out."""
NEVER_LEFT_OUT = 1.0
"""Weight from which a row stands in the table whatever it says: the only reading of growth is one."""
CITED = 3
"""Figures a paragraph cites."""
_HEADER = "| Metric | Value | Reading | Source |\n|---|---|---|---|"
_MARGIN = re.compile(r"^Margin trend:[^\n]*?\boperating (expanding|contracting|stable)\b", re.MULTILINE)
_REASON_LENGTH = 160
_NOTE_LENGTH = 240


@dataclass(frozen=True, slots=True)
class Draft:
    """What an analyst found, before it is written up."""

    title: str
    topics: tuple[tuple[str, tuple[Row, ...]], ...]
    """Rows by paragraph."""
    remarks: tuple[str, ...] = ()
    """Further paragraphs."""
    gaps: tuple[str, ...] = ()
    subject: str = ""
    """What it is about; empty: the stock."""


def market(prompt: Prompt) -> str:
    """Write the market report: trend, momentum, risk and regime."""
    applied = apply(MARKET, prompt.figures, prompt.instrument.sector)
    return write(Draft("Market report", _by_topic(applied.rows), _regime_note(prompt), applied.gaps), prompt)


def fundamentals(prompt: Prompt) -> str:
    """Write the fundamentals report: growth, margins, cash, debt, valuation and strength against peers."""
    applied = apply(FUNDAMENTALS, prompt.figures, prompt.instrument.sector)
    topics = dict(_by_topic(applied.rows))
    trend = _MARGIN.search(prompt.body("get_ttm_analysis"))
    if trend:
        score = margin_trend(trend.group(1))
        row = Row("margin_trend", f"operating {trend.group(1)}", score.value, score.words, "get_ttm_analysis")
        topics["Growth and margins"] = (*topics.get("Growth and margins", ()), row)
    gaps = applied.gaps if trend else (*applied.gaps, "margin_trend (get_ttm_analysis)")
    return write(Draft("Fundamentals report", tuple(topics.items()), (), gaps), prompt)


def news(prompt: Prompt) -> str:
    """Write the news report: tone of the company's and the world's headlines, and insider dealing."""
    own, world = articles(prompt, "get_news"), articles(prompt, "get_global_news")
    rows: list[Row] = []
    gaps: list[str] = []
    for items, tool, about in ((own, "get_news", "company news"), (world, "get_global_news", "world news")):
        if items:
            rows.append(headlines.tone_row(items, _count(prompt, tool, items), tool, about=about))
        else:
            gaps.append(f"articles ({tool})")
    dealt = _insider_row(prompt)
    topics = [("Headlines", tuple(rows)), ("Insider dealing", (dealt,) if dealt else ())]
    if dealt is None:
        gaps.append("net_value (get_insider_transactions)")
    draft = Draft("News report", tuple(topic for topic in topics if topic[1]), _quotes(own), tuple(gaps))
    return write(draft, prompt)


def social(prompt: Prompt) -> str:
    """Write the sentiment report: posts by their tags where there are any, headlines read as attention and mood."""
    posts, items = crowd(prompt), articles(prompt, "get_news")
    mood, gaps = _mood(prompt, items) if items else ((), ("articles (get_news)",))
    topics = [topic for topic in (("Mood", mood), ("Posts", posts.rows)) if topic[1]]
    remarks = (posts.remark, *_quotes(items))
    return write(Draft("Sentiment report", tuple(topics), remarks, gaps), prompt)


def _mood(prompt: Prompt, items: Sequence[Article]) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    """Return the readings of the company's headlines, and what could not be read."""
    spread = headlines.dispersion(items)
    shown = _count(prompt, "get_news", items)
    rows = [headlines.tone_row(items, shown, "get_news", about="mood of the headlines", certainty=1 - 0.5 * spread)]
    gaps: list[str] = []
    shift, ratio = headlines.tone_change(items), headlines.attention(items)
    if shift is None or ratio is None:
        gaps.append("tone_change and attention (get_news)")
    else:
        score = say(
            max(-1.0, min(1.0, shift)),
            "tone {} better than in the days before",
            "tone {} worse than in the days before",
            "tone as in the days before",
        )
        rows.append(_derived("tone_change", f"{shift:+.2f}", score.value, score.words))
        value = headlines.attention_score(ratio, headlines.mean_tone(items))
        rows.append(
            _derived("attention", f"{ratio:.2f}", value, "attention " + ("growing" if ratio > 1 else "not growing"))
        )
    rows.append(
        _derived("tone_dispersion", f"{spread:.2f}", 0.0, "headlines " + ("disagree" if spread > 0.4 else "agree"))
    )
    return tuple(rows), tuple(gaps)


ANALYSTS: dict[str, Callable[[Prompt], str]] = {
    "Market Analyst": market,
    "Social Media Analyst": social,
    "News Analyst": news,
    "Fundamentals Analyst": fundamentals,
}


def figures_only(prompt: Prompt) -> str:
    """Write up a role we have no rules for: what the tools showed, unread."""
    lines = [
        f"- {tool}: " + ", ".join(f"{metric_label(name)} {shown.text}" for name, shown in figures.items())
        for tool, figures in prompt.figures.items()
        if figures
    ]
    role = prompt.role or "an unnamed role"
    head = f"{MADE_BY} It has no rules for {role}: these are the figures that the tools gave, without a reading."
    return "\n\n".join(part for part in (head, "\n".join(lines), _failures(prompt)) if part)


def write(draft: Draft, prompt: Prompt) -> str:
    """Write a report: heading, summary, a paragraph for each topic, remarks, doubts and gaps, the closing table."""
    rows = _weightiest([row for _, group in draft.topics for row in group])
    kept = set(rows)
    day = f", {prompt.instrument.trade_date.isoformat()}" if prompt.instrument.trade_date else ""
    paragraphs = [
        f"## {draft.title}: {draft.subject or prompt.instrument.ticker}{day}",
        f"{MADE_BY} {_summary(rows)}",
        *(_paragraph(topic, [row for row in group if row in kept]) for topic, group in draft.topics),
        *draft.remarks,
        _doubts(prompt),
        _failures(prompt),
        _gaps(draft.gaps, prompt),
        "\n".join([_HEADER, *(row_text(row) for row in rows)]),
    ]
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def _summary(rows: Sequence[Row]) -> str:
    net = overall(rows)
    if net is None:
        return NOTHING_SCORED
    count = f"{len(rows)} readings" if len(rows) > 1 else "one reading"
    return f"**Overall: {direction(net)} {net:+.2f}** (derived, -1 to 1), the weighted mean of {count}."


def _paragraph(topic: str, rows: Sequence[Row]) -> str:
    net = overall(rows)
    if net is None:
        return ""
    ordered = sorted(rows, key=lambda row: -abs(row.score) * weight_of(row))[:CITED]
    cited = "; ".join(row.claim for row in ordered)
    return f"{topic}, {direction(net)} ({net:+.2f} derived): {cited}."


def _weightiest(rows: Sequence[Row]) -> list[Row]:
    if len(rows) <= MAX_ROWS:
        return list(rows)
    ordered = sorted(rows, key=lambda row: (weight_of(row) < NEVER_LEFT_OUT, -abs(row.score) * weight_of(row)))
    kept = set(ordered[:MAX_ROWS])
    return [row for row in rows if row in kept]


def _by_topic(rows: Iterable[tuple[Rule, Row]]) -> tuple[tuple[str, tuple[Row, ...]], ...]:
    topics: dict[str, list[Row]] = {}
    for rule, row in rows:
        topics.setdefault(rule.topic, []).append(row)
    return tuple((topic, tuple(group)) for topic, group in topics.items())


def _regime_note(prompt: Prompt) -> tuple[str, ...]:
    signals = [
        f"{metric_label(name)} {shown.text}"
        for name, shown in prompt.figures.get("get_macro_regime", {}).items()
        if name.startswith("signal_")
    ]
    return (f"The signals behind the market regime: {', '.join(signals)}.",) if signals else ()


def _insider_row(prompt: Prompt) -> Row | None:
    figures = prompt.figures.get("get_insider_transactions", {})
    if "net_value" not in figures:
        return None
    net = figures["net_value"]
    bought, sold = (figures[name].value if name in figures else 0.0 for name in ("buy_value", "sell_value"))
    score = insiders(net.value, bought, sold)
    return Row("net_value", net.text, score.value, score.words, "get_insider_transactions")


def _quotes(items: Sequence[Article]) -> tuple[str, ...]:
    """Quote the two headlines that carry most tone; nothing where there are no headlines."""
    if not items:
        return ()
    telling = sorted((item for item in items if item.tone), key=lambda item: -abs(item.tone) * item.weight)[:2]
    if not telling:
        return ("No headline uses a word that carries tone.",)
    return (
        "The headlines with most tone: "
        + "; ".join(f'"{quote(item.title)}" ({item.tone:+.2f} derived)' for item in telling)
        + ".",
    )


def _count(prompt: Prompt, tool: str, items: Sequence[Article]) -> str:
    shown = prompt.figures.get(tool, {}).get("articles")
    return shown.text if shown else f"{len(items)} counted"


def _derived(metric: str, value: str, score: float, words: str) -> Row:
    return Row(metric, f"{value} derived", score, words, "get_news")


def _doubts(prompt: Prompt) -> str:
    """Pass on what the tools themselves say against their figures: assumed dates, old statements, short histories."""
    return f"The tools note: {' '.join(quote(note, _NOTE_LENGTH) for note in prompt.notes)}" if prompt.notes else ""


def _gaps(gaps: Sequence[str], prompt: Prompt) -> str:
    """Name the figures that are not known; those of a failed call are told with the call."""
    failed = {result.tool for result in prompt.tools if result.failed}
    open_gaps = [gap for gap in gaps if not any(f"({tool})" in gap for tool in failed)]
    named = [f"{metric_label(name)} ({tool}" for name, _, tool in (gap.partition(" (") for gap in open_gaps)]
    return f"Not available: {', '.join(named)}." if named else ""


def _failures(prompt: Prompt) -> str:
    failed = [
        f"{_called(result, prompt)} failed ({quote(result.body, _REASON_LENGTH).rstrip('.')})"
        for result in prompt.tools
        if result.failed
    ]
    return f"Not available: {'; '.join(failed)}." if failed else ""


def _called(result: ToolText, prompt: Prompt) -> str:
    """Name a call: by its tool, and where there were several calls of it by what was asked."""
    several = sum(other.tool == result.tool for other in prompt.tools) > 1
    return f"{result.tool} of {quote(result.asked)}" if several and result.asked else result.tool
