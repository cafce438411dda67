"""The lesson drawn from a known outcome: what the evidence an agent rested on came to, by rule.

The rule is one of regard, not of insight: what led a case that proved right is named again, so that it ranks higher in
the next debate; what led one that proved wrong is not named, and the reports that it left aside are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from tradingagents.offline.reading import Prompt

SUBJECTS = {
    "market_report": "trend and momentum",
    "fundamentals_report": "growth and margins",
    "news_report": "news and insiders",
    "sentiment_report": "sentiment",
}
"""What a report's readings are about, in words by which `evidence.by_strength` knows a lesson's subject."""
_WHOSE = re.compile(r"lesson that the (.+?) is to remember")
_CITED = re.compile(r"[(,] ?((?:market|fundamentals|news|sentiment) report|get_\w+)\)")
_REPORT_OF = {
    **dict.fromkeys(("get_stock_data", "get_indicators", "get_macro_regime"), "market_report"),
    **dict.fromkeys(("get_ttm_analysis", "get_fundamentals"), "fundamentals_report"),
    **dict.fromkeys(("get_peer_comparison", "get_sector_relative"), "fundamentals_report"),
    **dict.fromkeys(("get_news", "get_global_news", "get_insider_transactions"), "news_report"),
    "get_social_sentiment": "sentiment_report",
}
"""Debaters cite a report, deciders the tool behind it."""
_FACT = re.compile(r"^([^:\n]+): (.+)$", re.MULTILINE)
_NUMBER = re.compile(r"[-+]\d+(?:\.\d+)?")
SIDES = {"Bull Researcher": 1, "Bear Researcher": -1}
"""Which way an agent argues whatever is decided: 1 for buying."""
_SIDE_OF = {"BUY": 1, "SELL": -1}


def lesson(prompt: Prompt) -> str:
    """Return the lesson for the agent that the instruction names."""
    facts = dict(_FACT.findall(prompt.reports.get("outcome", "")))
    whose = found.group(1) if (found := _WHOSE.search(prompt.instruction)) else "agent"
    side = SIDES.get(whose, _SIDE_OF.get(facts.get("Action", ""), 0))
    moved = _moved(facts)
    if moved is None:
        told = facts.get("Returns and losses, as told", "nothing")
        return f"What came of it, as told: {told}. That alone bears out no evidence and refutes none; keep the order."
    what = f"{facts.get('Action', 'The decision')} was decided, and the stock returned {facts.get('Stock', 'n/a')}"
    against = facts.get("Against the benchmark", "n/a")
    happened = f"{what}, {against} against its benchmark." if against != "n/a" else f"{what}."
    if not side:
        return f"{happened} No side was taken. Where the evidence is as balanced as this, the size stays 0."
    led, others = _led_by(prompt)
    if moved * side > 0:
        first = f"What led the case was borne out: {led}." if led else "The case was borne out."
        then = f"Put {led} first again." if led else "Keep the order."
        return f"{happened} {first} {then}"
    then = f"Weigh {others} before it." if others else "Ask for more than one kind of evidence."
    return f"{happened} What led the case was not borne out. {then}"


REFLECTORS: dict[str, Callable[[Prompt], str]] = {"Reflector": lesson}


def _moved(facts: dict[str, str]) -> float | None:
    """Return how far the stock moved against the benchmark, or without one at all, in percent."""
    for name in ("Against the benchmark", "Stock"):
        if number := _NUMBER.search(facts.get(name, "")):
            return float(number.group())
    return None


def _led_by(prompt: Prompt) -> tuple[str, str]:
    """Return the subject cited most often, the first of equals, and the subjects cited less or not at all."""
    said = "\n".join([*(turn.text for turn in prompt.turns), *prompt.plan_texts.values()])
    names = (name.replace(" ", "_") for name in _CITED.findall(said))
    cited = Counter(report for name in names if (report := _REPORT_OF.get(name, name)) in SUBJECTS)
    if not cited:
        return "", ""
    most = max(cited, key=lambda report: cited[report])
    return SUBJECTS[most], ", ".join(subject for report, subject in SUBJECTS.items() if report != most)
