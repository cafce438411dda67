"""The four analysts: score what the tools gave, and write it up with the figures as the tools showed them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.analytics.company.ttm import TTMAnalysis
from tradingagents.offline import headlines
from tradingagents.offline.brief import Brief, ToolAnswer, ToolWish
from tradingagents.offline.headlines import Article, articles, count_of, quote
from tradingagents.offline.readings import Reading, Row, direction, rounded_score, row_text, shown_row
from tradingagents.offline.rules import FUNDAMENTALS, MARKET, Gap, Rule, apply, overall, weight_of
from tradingagents.offline.scores import insiders, margin_trend, say
from tradingagents.offline.social import crowd
from tradingagents.schemas.records import NOTHING_SCORED

MADE_BY = "Written by the offline analyst by fixed rules, no language model."
MAX_ROWS = 14
"""Rows of a closing table; where rules gave more, those that move the score least are left out."""
NEVER_LEFT_OUT = 1.0
"""Weight from which a row stands in the table whatever it says: the only reading of growth is one."""
CITED = 3
"""Figures a paragraph cites."""
_HEADER = "| Metric | Value | Reading | Source |\n|---|---|---|---|"
_REASON_LENGTH = 160
CHOSEN = ("close_10_ema", "macdh", "boll_ub", "boll_lb")
"""Indicators that the market rules read beside the four that are fetched for the analyst."""
ATTEMPTS = 3
"""Calls of one tool after which an analyst does without the rest."""
_NOTE_LENGTH = 240


@dataclass(frozen=True, slots=True)
class Draft:
    """What an analyst found, before it is written up."""

    title: str
    topics: tuple[tuple[str, tuple[Row, ...]], ...]
    """Rows by paragraph."""
    remarks: tuple[str, ...] = ()
    """Further paragraphs."""
    gaps: tuple[Gap, ...] = ()
    subject: str = ""
    """What it is about; empty: the stock."""


def market(brief: Brief) -> Reading:
    """Read trend, momentum, risk and regime."""
    applied = apply(MARKET, brief.figures, brief.subject.sector)
    reading = write_report(
        Draft("Market report", _by_topic(applied.rows), _regime_note(brief), applied.gaps), brief, weight=0.40
    )
    score = brief.figures.get("get_macro_regime", {}).get("regime_score")
    return replace(reading, regime=score.value if score else None)


def further_indicators(brief: Brief) -> Sequence[ToolWish]:
    """Ask once for the indicators that the market rules read and that were not fetched; again if the call breaks."""
    answers = [one for one in brief.results if one.tool == "get_indicators"]
    asked = [one for one in answers if not one.unreadable]
    if len(asked) != 1 or asked[0].failed or len(answers) > ATTEMPTS or brief.subject.trade_date is None:
        return ()
    missing = [name for name in CHOSEN if name not in asked[0].figures]
    day = brief.subject.trade_date.isoformat()
    arguments = {"symbol": brief.subject.ticker, "indicator": ",".join(missing), "curr_date": day}
    return (("get_indicators", arguments),) if missing else ()


def fundamentals(brief: Brief) -> Reading:
    """Read growth, margins, cash, debt, valuation and strength against peers."""
    applied = apply(FUNDAMENTALS, brief.figures, brief.subject.sector)
    topics = dict(_by_topic(applied.rows))
    books = [one.result for one in brief.given("get_ttm_analysis") if isinstance(one.result, TTMAnalysis)]
    trend = next((trend for one in books if (trend := one.margin_trend["operating"]) != "insufficient"), None)
    if trend:
        score = margin_trend(trend)
        row = Row("margin_trend", f"operating {trend}", score.value, score.words, "get_ttm_analysis")
        topics["Growth and margins"] = (*topics.get("Growth and margins", ()), row)
    gaps = applied.gaps if trend else (*applied.gaps, ("margin_trend", "get_ttm_analysis"))
    return write_report(Draft("Fundamentals report", tuple(topics.items()), (), gaps), brief, weight=0.35)


def news(brief: Brief) -> Reading:
    """Read the tone of the company's and the world's headlines, and insider trades."""
    own, world = articles(brief, "get_news"), articles(brief, "get_global_news")
    rows: list[Row] = []
    gaps: list[Gap] = []
    for items, tool, about in ((own, "get_news", "company news"), (world, "get_global_news", "world news")):
        if items:
            rows.append(headlines.tone_row(items, count_of(brief.given(tool), items), tool, about=about))
        else:
            gaps.append(("articles", tool))
    dealt = _insider_row(brief)
    topics = [("Headlines", tuple(rows)), ("Insider dealing", (dealt,) if dealt else ())]
    if dealt is None:
        gaps.append(("net_value", "get_insider_transactions"))
    draft = Draft("News report", tuple(topic for topic in topics if topic[1]), _quotes(own), tuple(gaps))
    return write_report(draft, brief, weight=0.15)


def social(brief: Brief) -> Reading:
    """Read posts by their tags where there are any, and headlines as attention and mood."""
    posts, items = crowd(brief), articles(brief, "get_news")
    mood, gaps = _mood(brief, items) if items else ((), (("articles", "get_news"),))
    topics = [topic for topic in (("Mood", mood), ("Posts", posts.rows)) if topic[1]]
    remarks = (posts.remark, *_quotes(items))
    return write_report(Draft("Sentiment report", tuple(topics), remarks, gaps), brief, weight=0.10)


def _mood(brief: Brief, items: Sequence[Article]) -> tuple[tuple[Row, ...], tuple[Gap, ...]]:
    """Return the readings of the company's headlines, and what could not be read."""
    spread = headlines.dispersion(items)
    shown = count_of(brief.given("get_news"), items)
    rows = [headlines.tone_row(items, shown, "get_news", about="mood of the headlines", certainty=1 - 0.5 * spread)]
    gaps: list[Gap] = []
    shift, ratio = headlines.tone_change(items), headlines.attention(items)
    if shift is None or ratio is None:
        gaps.append(("tone_change and attention", "get_news"))
    else:
        score = say(
            max(-1.0, min(1.0, shift)),
            "tone {} better than in the days before",
            "tone {} worse than in the days before",
            "tone as in the days before",
        )
        rows.append(_derived("tone_change", f"{shift:+.2f}", score.value, score.words))
        value = headlines.attention_score(ratio, headlines.mean_tone(items))
        more = "more" if ratio > 1 else "no more"
        rows.append(_derived("attention", f"{ratio:.2f}", value, f"{more} articles a day than before"))
    rows.append(
        _derived("tone_dispersion", f"{spread:.2f}", 0.0, "headlines " + ("disagree" if spread > 0.4 else "agree"))
    )
    return tuple(rows), tuple(gaps)


def figures_only(brief: Brief) -> str:
    """Write up an agent that declares no rule: what the tools showed, unread."""
    lines = [
        f"- {tool}: " + ", ".join(f"{metric_label(name)} {shown.text}" for name, shown in figures.items())
        for tool, figures in brief.figures.items()
        if figures
    ]
    head = (
        f"{MADE_BY} It has no rules for {brief.agent or 'an unnamed role'}: these are the figures that the tools gave, "
    )
    return "\n\n".join(part for part in (f"{head}without a reading.", "\n".join(lines), _failures(brief)) if part)


def write_report(draft: Draft, brief: Brief, *, weight: float = 0.0) -> Reading:
    """Write a report: heading, summary, a paragraph for each topic, remarks, doubts and gaps, the closing table.

    Args:
        draft: What was found.
        brief: What the analyst was given.
        weight: What the report counts in the net score of a stock; the four analysts share 1.
    """
    rows = _weightiest([row for _, group in draft.topics for row in group])
    kept = set(rows)
    day = f", {brief.subject.trade_date.isoformat()}" if brief.subject.trade_date else ""
    paragraphs = [
        f"## {draft.title}: {draft.subject or brief.subject.ticker}{day}",
        f"{MADE_BY} {_summary(rows)}",
        *(_paragraph(topic, [row for row in group if row in kept]) for topic, group in draft.topics),
        *draft.remarks,
        _doubts(brief),
        _failures(brief),
        _gaps(draft.gaps, brief),
        "\n".join([_HEADER, *(row_text(row) for row in rows)]),
    ]
    text = "\n\n".join(paragraph for paragraph in paragraphs if paragraph)
    return Reading(tuple(replace(row, score=rounded_score(row.score)) for row in rows), text, weight)


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


def _regime_note(brief: Brief) -> tuple[str, ...]:
    signals = [
        f"{metric_label(name)} {shown.text}"
        for name, shown in brief.figures.get("get_macro_regime", {}).items()
        if name.startswith("signal_")
    ]
    return (f"The signals behind the market regime: {', '.join(signals)}.",) if signals else ()


def _insider_row(brief: Brief) -> Row | None:
    figures = brief.figures.get("get_insider_transactions", {})
    if "net_value" not in figures:
        return None
    net = figures["net_value"]
    bought, sold = (figures[name].value if name in figures else 0.0 for name in ("buy_value", "sell_value"))
    score = insiders(net.value, bought, sold)
    return shown_row("net_value", net, score.value, score.words, "get_insider_transactions")


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


def _derived(metric: str, value: str, score: float, words: str) -> Row:
    return Row(metric, f"{value} derived", score, words, "get_news")


def _doubts(brief: Brief) -> str:
    """Pass on what the tools themselves say against their figures: assumed dates, old statements, short histories."""
    return f"Notes on the data: {' '.join(quote(note, _NOTE_LENGTH) for note in brief.notes)}" if brief.notes else ""


def _gaps(gaps: Sequence[Gap], brief: Brief) -> str:
    """Name the figures that are not known; those of a failed call are told with the call."""
    failed = {one.tool for one in brief.results if one.failed}
    named = [f"{metric_label(metric)} ({tool})" for metric, tool in gaps if tool not in failed]
    return f"Not available: {', '.join(named)}." if named else ""


def _failures(brief: Brief) -> str:
    failed = [
        f"{_called(result, brief)} failed ({quote(result.reason, _REASON_LENGTH).rstrip('.')})"
        for result in brief.results
        if result.failed
    ]
    return f"Not available: {'; '.join(failed)}." if failed else ""


def _called(answer: ToolAnswer, brief: Brief) -> str:
    """Name a call: by its tool, and where there were several calls of it by what was asked."""
    several = sum(other.tool == answer.tool for other in brief.results) > 1
    return f"{answer.tool} of {quote(answer.asked)}" if several and answer.asked else answer.tool
