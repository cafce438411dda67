"""The personas by fixed rules: which tools each method reads, and the memo that its figures give.

Stated rules, the same for every company:

- value: two points for a value per share 15 % or more above the price, and against one as far below it; one for or
  against the F-score (5); three against an M-score that raises a doubt about the accounts.
- cycles: a point for fear and against greed, for and against the regime, against a deep drawdown and high volatility,
  and for or against the price by its distance from value.
- macro: two points for or against the regime; one for a lower policy rate and against a higher one, for or against the
  price by its 200-day average and its three months, and for a high rank among its peers.

Two points decide for bullish or bearish; without, the memo is neutral.

The confidence is 40, plus 10 for each reading on the side of the stance, less 5 for each against it, within 20 to 75.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.analytics.company.screens import BENEISH_FLAG
from tradingagents.features.assistant.rules.dialogue import conversation_of
from tradingagents.offline.questions.conversation import ConversationBrief, ToolFact
from tradingagents.offline.questions.requests import read_request
from tradingagents.offline.scores import CLEAR_UPSIDE

if TYPE_CHECKING:
    from tradingagents.offline.brief import Brief, ToolWish

SUBMIT = "submit_guru_research_memo"
TOOLS: Mapping[str, tuple[str, ...]] = {
    "value": ("valuation", "fundamental_screen", "trailing_forward_pe"),
    "cycles": ("fear_greed", "get_macro_regime", "risk_profile", "valuation"),
    "macro": ("get_macro_regime", "macro_focus", "market_snapshot", "get_peer_comparison"),
    "none": (),
}
OF_MARKET = frozenset({"fear_greed", "get_macro_regime", "macro_focus"})
SOUND_F = 5.0
FEAR, GREED = 25.0, 75.0
DEEP_DRAWDOWN, HIGH_VOLATILITY = -20.0, 40.0
DECIDES = 2
"""Points that make a stance."""
LEAST, BASE, MOST, FOR, AGAINST = 20, 40, 75, 10, 5


@dataclass
class _Readings:
    """What the figures say, each with its points and its source."""

    points: int = 0
    evidence: list[tuple[int, str, str]] = field(default_factory=list)
    """Points, sentence, citation."""

    def add(self, points: int, said: str, fact: ToolFact, figure: str) -> None:
        """Add a reading; 0 points where it speaks for neither side."""
        self.points += points
        shown = f"{metric_label(figure)} {fact.shown[figure]}" if figure in fact.shown else fact.title
        cited = f"{fact.label}:{figure}" if figure in fact.figures else fact.label
        self.evidence.append((points, f"{said[:1].upper()}{said[1:]} ({shown}).", cited))


def memo_or_calls(brief: Brief) -> tuple[str, Sequence[ToolWish]]:
    """Return the calls that a persona makes next: its research, then its memo."""
    known = conversation_of(brief)
    symbols = read_request(known).symbols or known.symbols
    symbol = symbols[0] if symbols else ""
    wanted = [tool for tool in TOOLS[known.method] if tool in known.tools and (symbol or tool in OF_MARKET)]
    made = {result.tool for result in known.now.results}
    if missing := [tool for tool in wanted if tool not in made]:
        return "", [(tool, {} if tool in OF_MARKET else {"ticker": symbol}) for tool in missing]
    return "", [(SUBMIT, _memo(known, symbol))]


def _memo(known: ConversationBrief, symbol: str) -> dict[str, Any]:
    facts = {result.tool: result for result in known.now.results if not result.failed and result.label}
    rule = _RULES.get(known.method)
    if rule is None:
        return _abstention("No fixed rules speak for this method; it needs a language model.", known)
    if not facts:
        return _abstention("None of the figures that the method weighs is available.", known)
    if known.method == "value" and "valuation" not in facts:
        return _abstention("The business cannot be valued from what is available.", known)
    readings = _Readings()
    rule(facts, readings)
    stance = "bullish" if readings.points >= DECIDES else "bearish" if readings.points <= -DECIDES else "neutral"
    side = {"bullish": 1, "bearish": -1, "neutral": 0}[stance]
    agree = sum(1 for points, _, _ in readings.evidence if points * side > 0)
    against = sum(1 for points, _, _ in readings.evidence if points * side < 0)
    ordered = sorted(readings.evidence, key=lambda evidence: -evidence[0] * (side or 1))
    for_it = [evidence for evidence in ordered if evidence[0] * (side or 1) > 0]
    kept = (for_it or [evidence for evidence in ordered if evidence[0] == 0])[: known.evidence]
    about = symbol or "the market"
    return {
        "stance": stance,
        "confidence": max(LEAST, min(MOST, BASE + FOR * agree - AGAINST * against)),
        "thesis": f"By the fixed rules of the method, {about} is {_WORDS[stance]}: {_LENS[known.method]} "
        f"{agree} of {len(readings.evidence)} readings are on this side and {against} against it.",
        "key_evidence": [said for _, said, _ in kept],
        "risks": [said for points, said, _ in readings.evidence if points * (side or 1) < 0],
        "open_questions": [
            f"{result.tool} gave no answer: {result.reason[:200]}" for result in known.now.results if result.failed
        ],
        "citations": list(dict.fromkeys(cited for _, _, cited in kept)),
    }


def _value(facts: Mapping[str, ToolFact], readings: _Readings) -> None:
    value = facts["valuation"]
    upside = value.figures.get("upside")
    if upside is not None:
        points = 2 if upside >= CLEAR_UPSIDE else -2 if upside <= -CLEAR_UPSIDE else 0
        said = {2: "the value per share lies well above the price", -2: "the price lies well above the value per share"}
        readings.add(points, said.get(points, "the price is near the value per share"), value, "upside")
    if (screen := facts.get("fundamental_screen")) is not None:
        score = screen.figures.get("piotroski_f_score")
        if score is not None:
            sound = score >= SOUND_F
            said_so = "the balance sheet and margins improve" if sound else "the balance sheet and margins weaken"
            readings.add(1 if sound else -1, said_so, screen, "piotroski_f_score")
        doubt = screen.figures.get("beneish_m_score")
        if doubt is not None and doubt > BENEISH_FLAG:
            readings.add(-3, "accruals and receivables raise a doubt about the accounts", screen, "beneish_m_score")
        if "dupont_roe" in screen.figures:
            readings.add(0, "returns on capital", screen, "dupont_roe")
    if (pe := facts.get("trailing_forward_pe")) is not None and "earnings_yield" in pe.figures:
        readings.add(0, "earnings against the price", pe, "earnings_yield")


def _cycles(facts: Mapping[str, ToolFact], readings: _Readings) -> None:
    if (mood := facts.get("fear_greed")) is not None and (score := mood.figures.get("fear_greed_score")) is not None:
        points = 1 if score <= FEAR else -1 if score >= GREED else 0
        said = {1: "sentiment stands at fear", -1: "sentiment stands at greed"}.get(
            points, "sentiment is between extremes"
        )
        readings.add(points, said, mood, "fear_greed_score")
    _regime(facts, readings, "the cycle's regime")
    if (risk := facts.get("risk_profile")) is not None:
        drawdown, swing = (risk.figures.get(name) for name in ("current_drawdown", "volatility_252d"))
        if drawdown is not None:
            deep = drawdown <= DEEP_DRAWDOWN
            readings.add(
                -1 if deep else 0,
                "the drawdown is deep" if deep else "the drawdown is bounded",
                risk,
                "current_drawdown",
            )
        if swing is not None:
            high = swing >= HIGH_VOLATILITY
            readings.add(
                -1 if high else 0, "volatility is high" if high else "volatility is moderate", risk, "volatility_252d"
            )
    if (value := facts.get("valuation")) is not None and (upside := value.figures.get("upside")) is not None:
        points = 1 if upside >= CLEAR_UPSIDE else -1 if upside <= -CLEAR_UPSIDE else 0
        paid = {1: "the price pays for the risk", -1: "the price does not pay for the risk"}
        readings.add(points, paid.get(points, "the price pays little for the risk"), value, "upside")


def _macro(facts: Mapping[str, ToolFact], readings: _Readings) -> None:
    _regime(facts, readings, "the macro regime", weight=2)
    if (macro := facts.get("macro_focus")) is not None and "dfedtaru_change_window" in macro.figures:
        change = macro.figures["dfedtaru_change_window"]
        points = 1 if change < 0 else -1 if change > 0 else 0
        said = {1: "the policy rate has been cut", -1: "the policy rate has been raised"}
        readings.add(points, said.get(points, "the policy rate is unchanged"), macro, "dfedtaru_change_window")
    if (price := facts.get("market_snapshot")) is not None:
        last, average, quarter = (price.figures.get(name) for name in ("price", "sma_200", "change_3m"))
        if last is not None and average is not None:
            above = last >= average
            said_so = (
                "the price trend holds above the 200-day average" if above else "the price is below its 200-day average"
            )
            readings.add(1 if above else -1, said_so, price, "sma_200")
        if quarter is not None:
            up = quarter > 0
            said_so = f"momentum of three months is {'up' if up else 'down'}"
            readings.add(1 if up else -1, said_so, price, "change_3m")
    if (peers := facts.get("get_peer_comparison")) is not None and "rank_3m" in peers.figures:
        rank, count = peers.figures["rank_3m"], peers.figures.get("peers", 0.0)
        first = rank <= (count + 1) / 3
        readings.add(
            1 if first else 0,
            "relative strength puts it in the first third of its peers"
            if first
            else "relative strength does not put it in the first third of its peers",
            peers,
            "rank_3m",
        )


def _regime(facts: Mapping[str, ToolFact], readings: _Readings, what: str, weight: int = 1) -> None:
    fact = facts.get("get_macro_regime")
    if fact is None:
        return
    regime = fact.facts.get("regime", "")
    points = weight if regime == "risk-on" else -weight if regime == "risk-off" else 0
    readings.add(points, f"{what} is {regime or 'not known'}", fact, "regime_score")


def _abstention(why: str, known: ConversationBrief) -> dict[str, Any]:
    missing = [f"{result.tool} gave no answer: {result.reason[:200]}" for result in known.now.results if result.failed]
    return {"stance": "abstain", "confidence": 0, "thesis": why, "open_questions": missing}


_RULES: Mapping[str, Callable[[Mapping[str, ToolFact], _Readings], None]] = {
    "value": _value,
    "cycles": _cycles,
    "macro": _macro,
}
_WORDS = {"bullish": "attractive", "bearish": "unattractive", "neutral": "neither attractive nor unattractive"}
_LENS = {
    "value": "value against price comes first, then the balance sheet, returns on capital and earnings.",
    "cycles": "where the cycle and sentiment stand comes first, then the risk of loss and what is paid for it.",
    "macro": "liquidity and rates and the regime come first, then the price trend.",
}
