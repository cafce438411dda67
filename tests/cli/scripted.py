"""A run as its events tell it, at set instants: what the displays are tested with."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from tradingagents.events import Event, EventType

BEGAN = datetime(2025, 3, 14, 21, 0, tzinfo=UTC)


def at(seconds: float) -> datetime:
    return BEGAN + timedelta(seconds=seconds)


class Script:
    """Writes events one after another; without a ticker those of a scan."""

    def __init__(self, ticker: str | None = "VELQ", day: str = "2025-03-14") -> None:
        self.events: list[Event] = []
        self.run_id = f"20250314T210000Z-{ticker or 'SCAN'}-{day}-abc123"
        dated = {"trade_date": day} if ticker else {"scan_date": day}
        self.add(0.0, "run_start", f"{ticker or 'scan'} {day}", ticker=ticker, **dated)

    def add(
        self,
        seconds: float,
        type: EventType,  # noqa: A002
        message: str = "",
        node: str | None = None,
        step: str | None = None,
        **data: Any,
    ) -> Script:
        event = Event(
            type=type,
            message=message,
            run_id=self.run_id,
            seq=len(self.events),
            ts=at(seconds).isoformat(timespec="microseconds"),
            node=node,
            step=step,
            data=data,
        )
        self.events.append(event)
        return self

    def usage(self, seconds: float, node: str, cost: float | None = 0.0125) -> Script:
        return self.add(
            seconds,
            "usage",
            "",
            node,
            input_tokens=4000,
            output_tokens=600,
            cached_tokens=1000,
            cost_usd=cost,
        )

    def analyst(self, seconds: float, node: str, tool: str, answer: str, step: str = "analysts") -> Script:
        self.add(seconds, "node_start", node, node, step)
        self.add(seconds + 0.1, "tool_start", f"{tool}(ticker=VELQ)", node, tool=tool, args={"ticker": "VELQ"})
        self.add(seconds + 0.2, "tool_end", answer, node, tool=tool, status="success", content=answer)
        self.usage(seconds + 2.0, node)
        return self.add(seconds + 2.1, "node_end", node, node, step, report="# Report\n" + "word " * 210)

    def turn(self, seconds: float, node: str, step: str, text: str) -> Script:
        self.add(seconds, "node_start", node, node, step)
        self.usage(seconds + 1.0, node)
        self.add(seconds + 1.1, "debate_turn", f"{node}, turn", node, step, text=text)
        return self.add(seconds + 1.2, "node_end", node, node, step)

    def verdict(self, seconds: float, node: str, step: str, action: str, confidence: float) -> Script:
        self.add(seconds, "node_start", node, node, step)
        self.usage(seconds + 1.5, node)
        decision = {"action": action, "confidence": confidence, "rationale": "Revenue grew **14.20%** over the year."}
        return self.add(seconds + 1.6, "node_end", node, node, step, decision=decision)


def midway(ticker: str = "VELQ") -> Script:
    """Analysts done but one, which failed; bull has spoken twice; bear is speaking."""
    script = Script(ticker)
    script.analyst(0.1, "Market Analyst", "get_macro_regime", "Macro regime: transition, score 1 of 6")
    script.analyst(0.2, "Social Media Analyst", "get_news", "News of VELQ: 14 articles from 2025-03-07 to 2025-03-14")
    script.add(0.2, "node_start", "News Analyst", "News Analyst", "analysts")
    script.add(0.4, "tool_start", "get_global_news(curr_date=2025-03-14)", "News Analyst", tool="get_global_news")
    script.add(
        0.5,
        "tool_end",
        "simulated has no market news before 2016",
        "News Analyst",
        tool="get_global_news",
        status="error",
    )
    script.add(
        0.9,
        "warning",
        "News Analyst could not report: the model answered with nothing, twice; try another model.",
        "News Analyst",
        "analysts",
    )
    script.analyst(0.3, "Fundamentals Analyst", "get_ttm_analysis", "Trailing twelve months of VELQ: revenue 2.41B USD")
    script.turn(2.5, "Bull Researcher", "research", "**Growth.** Revenue grew 14.20% and the margin widened.")
    script.turn(3.8, "Bear Researcher", "research", "- The price is 31.05x earnings; one weak quarter breaks it.")
    script.turn(5.1, "Bull Researcher", "research", "1. The bear counts one quarter; the last four say otherwise.")
    return script.add(6.4, "node_start", "Bear Researcher", "Bear Researcher", "research")


def finished(ticker: str = "VELQ", action: str = "BUY") -> Script:
    """A whole run with one round each."""
    script = Script(ticker)
    script.analyst(0.1, "Market Analyst", "get_macro_regime", "Macro regime: transition, score 1 of 6")
    script.analyst(0.2, "Social Media Analyst", "get_news", "News: 14 articles")
    script.analyst(0.2, "News Analyst", "get_global_news", "Market news: 8 articles")
    script.analyst(0.3, "Fundamentals Analyst", "get_ttm_analysis", "Trailing twelve months: revenue 2.41B USD")
    script.turn(2.5, "Bull Researcher", "research", "Revenue grew 14.20%.")
    script.turn(3.8, "Bear Researcher", "research", "The price is 31.05x earnings.")
    script.verdict(5.1, "Research Manager", "research", action, 0.6)
    script.verdict(6.8, "Trader", "trading", action, 0.58)
    script.turn(8.5, "Aggressive Debator", "risk", "The size is too small for the evidence.")
    script.turn(9.8, "Conservative Debator", "risk", "A drawdown of 20% has happened twice in two years.")
    script.turn(11.1, "Neutral Debator", "risk", "Half the size and the same stop.")
    script.verdict(12.4, "Risk Manager", "risk", action, 0.62)
    return script.add(14.1, "result", f"{action} (confidence 0.62)", decision={"action": action, "confidence": 0.62})


def scan_midway() -> Script:
    """Two scanners done, one failed; the deep dive is writing."""
    script = Script(None)
    script.analyst(0.1, "Geopolitical Scanner", "get_topic_news", "News on geopolitics: 9 articles", "scanners")
    script.analyst(0.2, "Sector Scanner", "get_sector_performance", "Sector performance: 11 sectors", "scanners")
    script.add(0.2, "node_start", "Market Movers Scanner", "Market Movers Scanner", "scanners")
    script.add(
        0.9,
        "warning",
        "Market Movers Scanner could not report: the model answered with nothing, twice; try another model.",
        "Market Movers Scanner",
        "scanners",
    )
    return script.add(2.5, "node_start", "Industry Deep Dive", "Industry Deep Dive", "industries")


def scan_finished() -> Script:
    """A whole scan, the movers missing."""
    script = scan_midway()
    script.usage(4.5, "Industry Deep Dive")
    script.add(4.6, "node_end", "Industry Deep Dive", "Industry Deep Dive", "industries", report="word " * 300)
    script.add(4.7, "node_start", "Macro Synthesis", "Macro Synthesis", "synthesis")
    script.usage(6.6, "Macro Synthesis")
    script.add(6.7, "node_end", "Macro Synthesis", "Macro Synthesis", "synthesis", picks="VELQ, OMBZ, TAQZ")
    picks = ["VELQ", "OMBZ", "TAQZ"]
    return script.add(6.7, "result", "3 stocks to investigate: VELQ, OMBZ, TAQZ", picks=picks)
