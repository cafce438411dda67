"""The lesson drawn from a known outcome: what the evidence an agent rested on came to, by rule.

The rule is one of regard, not of insight: what led a case that proved right is named again, so that it ranks higher in
the next debate; what led one that proved wrong is not named, and the reports that it left aside are.
"""

from __future__ import annotations

from collections import Counter

from tradingagents.offline.brief import Brief, Happened

SUBJECTS = {
    "market_report": "trend and momentum",
    "fundamentals_report": "growth and margins",
    "news_report": "news and insiders",
    "sentiment_report": "sentiment",
}
"""What a report's readings are about, in words by which evidence is matched with a lesson's subject."""
_REPORT_OF = {
    **dict.fromkeys(("get_stock_data", "get_indicators", "get_macro_regime"), "market_report"),
    **dict.fromkeys(("get_ttm_analysis", "get_fundamentals"), "fundamentals_report"),
    **dict.fromkeys(("get_peer_comparison", "get_sector_relative"), "fundamentals_report"),
    **dict.fromkeys(("get_news", "get_global_news", "get_insider_transactions"), "news_report"),
    "get_social_sentiment": "sentiment_report",
}
"""Debaters cite a report, deciders the tool behind it."""
_SIDE_OF = {"BUY": 1, "SELL": -1}


def lesson(brief: Brief) -> str:
    """Return the lesson for the agent that is looked back at."""
    happened = brief.happened or Happened("")
    side = happened.side or _SIDE_OF.get(happened.action, 0)
    moved = happened.stock if happened.against is None else happened.against
    if moved is None or happened.stock is None:
        told = happened.told or "nothing"
        return f"The outcome as stated: {told}. That alone neither confirms nor refutes any evidence; keep the order."
    what = f"{happened.action or 'The decision'} was decided, and the stock returned {happened.stock:+.2f}%"
    against = happened.against
    seen = f"{what}, {against:+.2f}% against its benchmark." if against is not None else f"{what}."
    if not side:
        return f"{seen} No side was taken. Where the evidence is as balanced as this, the size stays 0."
    led, others = _led_by(brief.said)
    if moved * side > 0:
        first = f"What led the case was borne out: {led}." if led else "The case was borne out."
        then = f"Put {led} first again." if led else "Keep the order."
        return f"{seen} {first} {then}"
    then = f"Weigh {others} before it." if others else "Ask for more than one kind of evidence."
    return f"{seen} What led the case was not borne out. {then}"


def _led_by(said: str) -> tuple[str, str]:
    """Return the subject cited most often, the first of equals, and the subjects cited less or not at all."""
    names = {**{report.replace("_", " "): report for report in SUBJECTS}, **_REPORT_OF}
    places = sorted((place, report) for name, report in names.items() for place in _cited_at(said, name))
    cited = Counter(report for _, report in places)
    if not cited:
        return "", ""
    most = max(cited, key=lambda report: cited[report])
    return SUBJECTS[most], ", ".join(subject for report, subject in SUBJECTS.items() if report != most)


def _cited_at(said: str, name: str) -> list[int]:
    """Return where a text cites a report or tool: at the end of brackets, alone or after a comma."""
    found = []
    for cited in (f"({name})", f", {name})"):
        at = said.find(cited)
        while at >= 0:
            found.append(at)
            at = said.find(cited, at + 1)
    return found
