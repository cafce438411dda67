"""A run on a company that does not exist, as rich as a real one: what the reports are tested and looked at with."""

from __future__ import annotations

import copy
import math
from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np

from tradingagents.dataflows.models import Prices
from tradingagents.schemas.records import DataSheetRecord

TRADE_DATE = date(2025, 3, 14)


def sample_prices(bars: int = 320, *, last: date = TRADE_DATE) -> Prices:
    """Return weekday bars that wander by sines: the same numbers on every machine, in cents."""
    days, day = [], last
    while len(days) < bars:
        if day.weekday() < 5:
            days.append(day)
        day -= timedelta(days=1)
    days.reverse()
    close = [_close(number - bars) for number in range(bars)]
    open_ = [round(_close(number - bars - 1) + 0.9 * math.sin(number * 2.3), 2) for number in range(bars)]
    high = [round(max(open_[n], close[n]) + 0.6 + 0.9 * abs(math.sin(n * 1.7)), 2) for n in range(bars)]
    low = [round(min(open_[n], close[n]) - 0.6 - 0.8 * abs(math.cos(n * 1.3)), 2) for n in range(bars)]
    volume = [round(2.1e6 + 0.7e6 * math.sin(n * 0.9) + 0.9e6 * abs(math.sin(n * 0.31)) ** 8) for n in range(bars)]
    return Prices(
        symbol="QFIX",
        days=np.array(days, dtype="datetime64[D]"),
        open=np.array(open_),
        high=np.array(high),
        low=np.array(low),
        close=np.array(close),
        adj_close=np.array(close),
        volume=np.array(volume, dtype=np.float64),
        currency="USD",
        vendor="simulated",
        fetched_at=datetime(2025, 3, 14, 21, tzinfo=UTC),
    )


def _close(number: int) -> float:
    wave = 9 * math.sin(number / 21) + 4 * math.sin(number / 7.3 + 1) + 1.6 * math.sin(number * 1.1)
    return round(120.17 + 0.085 * number + wave, 2)


def sample_decision() -> dict[str, Any]:
    return {
        "action": "BUY",
        "confidence": 0.62,
        "rationale": (
            "Revenue grew **14.20%** over the year while the operating margin widened to 18.31%, and the price holds "
            "above its 50-day average. The stop sits two average true ranges below the entry, so a wrong view "
            "costs little."
        ),
        "horizon_days": 30,
        "entry": 121.27,
        "stop": 114.6,
        "target": 134.5,
        "position_size": 0.05,
        "key_evidence": [
            {"claim": "Revenue of the last four quarters is 2.41B USD, up 14.20%", "source": "get_ttm_analysis"},
            {"claim": "The close of 121.27 stands above the 50-day average of 111.61", "source": "get_indicators"},
            {"claim": "Rank 2 of 8 among its peers over three months", "source": "get_peer_comparison"},
        ],
        "dissent": "The bear is right that 31.05x earnings leaves no room for a weak quarter.",
        "would_change": "A close below 114.60, or a quarter in which the operating margin falls under 16%.",
    }


def sample_record() -> dict[str, Any]:
    """Return a complete run, fresh each time."""
    return copy.deepcopy(_RECORD)


_MARKET = """# Market report

The trend is **up**: the close of 121.27 USD stands above the 50-day average of 111.61 and the
200-day average of 109.69.

## Momentum

RSI is 73.92: the rise has run far. The MACD line crossed its signal eight sessions ago, at -0.42.

- Support lies near 103, the lower Bollinger band.
- Volume on rising days exceeds that on falling days by a fifth.

| Metric | Value | Reading | Source |
|---|--:|---|---|
| last_close | 121.27 USD | bullish +0.40: above both averages | get_stock_data |
| change_3m | 7.94% | bullish +0.35: rising | get_stock_data |
| rsi | 73.92 | bearish -0.15: overbought | get_indicators |
| volatility_20d | 21.60% | neutral -0.10: ordinary | get_stock_data |
"""

_SENTIMENT = """# Sentiment report

Tone is mildly positive: of 14 headlines in a week, 6 read well and 3 badly. The rest report without judging.

| Metric | Value | Reading | Source |
|---|---|---|---|
| articles | 14 | bullish +0.15: more good words than bad | get_news |
"""

_NEWS = """# News report

The company named a date for its new sensor line, and a supplier in the same industry warned of longer lead times.

1. Product date set for the second quarter.
2. A supplier speaks of *longer lead times*, see [the notice](https://news.example/lead-times).

> Demand from laboratories stays firm, the company wrote.

| Metric | Value | Reading | Source |
|---|---|---|---|
| net_value | -1.20M USD | bearish -0.20: insiders sold a little | get_insider_transactions |
"""

_FUNDAMENTALS = """# Fundamentals report

Growth is profitable. Revenue of the last four quarters is 2.41B USD, and free cash flow covers the dividend 3.2 times.

| Metric | Value | Reading | Source |
|---|---|---|---|
| revenue_yoy | 14.20% | bullish +0.50: fast | get_ttm_analysis |
| operating_margin | 18.31% | bullish +0.40: expanding | get_ttm_analysis |
| pe_ttm | 31.05x | bearish -0.30: dear | get_fundamentals |
| debt_to_equity | 0.41x | bullish +0.20: light | get_ttm_analysis |
"""

_MACRO = """# Macro regime

Regime: risk-on (score 3 of 6, confidence medium)

Volatility is low and falls, credit is firm; only the yield curve speaks against.
"""

_PLAN = """**Action:** BUY

**Confidence:** 0.60

**Rationale:** The bull's case rests on reported figures, the bear's on what might come.

**Key evidence:**
- Operating margin 18.31%, expanding (get_ttm_analysis)
"""

_TRADER = """**Action:** BUY

**Entry:** 121.27

**Stop:** 114.60

**Target:** 134.50

**Position size:** 0.05

FINAL TRANSACTION PROPOSAL: **BUY**
"""

_RESEARCH_DEBATE = [
    {
        "speaker": "Bull Researcher",
        "text": "Revenue is up **14.20%** and the operating margin widened. A company that grows into its costs "
        "deserves its price, and the chart agrees: the close stands 8.7% above the 50-day average.",
    },
    {
        "speaker": "Bear Researcher",
        "text": "At 31.05x earnings that growth is paid for. Insiders sold 1.20M USD, and a supplier warns of "
        "lead times.\n\n- One weak quarter would cost the multiple.\n- The yield curve is the one signal that leads.",
    },
    {
        "speaker": "Bull Researcher",
        "text": "The insiders' sale is a twentieth of their holdings. Peers trade at 29.80x with half the growth.",
    },
    {"speaker": "Bear Researcher", "text": "Peers also carry less inventory. I grant the growth, not the hurry."},
]

_RISK_DEBATE = [
    {"speaker": "Aggressive Debator", "text": "Volatility of 21.60% is ordinary: 8% of equity would be fair."},
    {
        "speaker": "Conservative Debator",
        "text": "The deepest fall of the year was 17.42%. Take 2%, with the stop at 116.",
    },
    {"speaker": "Neutral Debator", "text": "5% with the stop at 114.60 risks 0.28% of equity. That is enough."},
]


def _sheet(
    method: str, start: str | None, rows: int, figures: dict[str, float], symbol: str | None = "QFIX", *notes: str
) -> DataSheetRecord:
    return {
        "method": method,
        "symbol": symbol,
        "vendor": "simulated",
        "start": start,
        "end": start and "2025-03-14",
        "rows": rows,
        "known_at": "2025-03-14T20:00:00+00:00",
        "fetched_at": "2025-03-14T21:00:05+00:00",
        "figures": figures,
        "notes": list(notes),
        "inputs": ["SPY", "XLK"] if method == "get_peer_comparison" else [],
    }


def _use(calls: int, tokens_in: int, tokens_out: int, cached: int, cost: float) -> dict[str, float]:
    return {
        "llm_calls": calls,
        "input_tokens": tokens_in,
        "output_tokens": tokens_out,
        "cached_tokens": cached,
        "cost_usd": cost,
    }


_RECORD: dict[str, Any] = {
    "run_id": "20250314-210000-QFIX-7f3a",
    "status": "done",
    "ticker": "QFIX",
    "trade_date": "2025-03-14",
    "instrument": {
        "symbol": "QFIX",
        "name": "Quillon Fictional Instruments Inc.",
        "kind": "stock",
        "sector": "technology",
        "industry": "Scientific instruments",
        "exchange": "XNYS",
        "listing": "XNYS",
        "currency": "USD",
        "benchmark": "SPY",
    },
    "session": "2025-03-14",
    "cutoff": "2025-03-14T20:00:00+00:00",
    "decision": sample_decision(),
    "reports": {
        "market_report": _MARKET,
        "sentiment_report": _SENTIMENT,
        "news_report": _NEWS,
        "fundamentals_report": _FUNDAMENTALS,
        "macro_regime_report": _MACRO,
        "investment_plan": _PLAN,
        "trader_investment_plan": _TRADER,
        "final_trade_decision": "**Action:** BUY\n\n**Confidence:** 0.62\n\n**Rationale:** Growth with a near stop.",
    },
    "debates": {"research": _RESEARCH_DEBATE, "risk": _RISK_DEBATE},
    "usage": {
        "llm_calls": 14,
        "input_tokens": 118_250,
        "output_tokens": 9_840,
        "cached_tokens": 61_440,
        "cost_usd": 0.1834,
        "by_agent": {
            "Market Analyst": _use(2, 14_200, 910, 4_096, 0.0121),
            "Fundamentals Analyst": _use(2, 19_730, 1_020, 4_096, 0.0149),
            "Research Manager": _use(1, 15_410, 780, 10_240, 0.0512),
            "Risk Manager": _use(1, 18_900, 860, 12_288, 0.0587),
        },
        "by_tier": {"quick": _use(8, 61_000, 5_400, 26_000, 0.0501), "deep": _use(2, 34_310, 1_640, 22_528, 0.1099)},
    },
    "timing": {
        "wall_s": 74.2,
        "started_at": "2025-03-14T21:00:00.118250+00:00",
        "finished_at": "2025-03-14T21:01:14.318250+00:00",
    },
    "data_sheet": [
        _sheet(
            "get_stock_data",
            "2024-03-15",
            252,
            {"last_close": 121.27, "change_1d": 0.61, "change_3m": 7.94, "avg_volume_20d": 2_310_000.0},
        ),
        _sheet("get_indicators", "2024-03-15", 252, {"close_50_sma": 111.61, "close_200_sma": 109.69, "rsi": 73.92}),
        _sheet(
            "get_ttm_analysis",
            "2023-03-31",
            8,
            {"ttm_revenue": 2.41e9, "operating_margin": 18.31, "revenue_yoy": 14.2},
            "QFIX",
            "The filing date of 2 statements was assumed: period end + 45 days.",
        ),
        _sheet("get_peer_comparison", "2024-09-13", 126, {"return_3m": 7.94, "rank_3m": 2.0, "peers": 8.0}),
        _sheet("get_global_news", "2025-03-07", 10, {"articles": 10.0}, None),
    ],
    "grounding": {
        "figures": 24,
        "matched": 23,
        "unmatched": [
            {
                "report": "market_report",
                "figure": "-0.42",
                "text": "crossed its signal eight sessions ago, at -0.42. - Support lies near 103, the lower",
                "where": "reports.market_report",
                "at": _MARKET.index("-0.42"),
            }
        ],
        "by_report": {"market_report": {"figures": 9, "matched": 8}, "news_report": {"figures": 15, "matched": 15}},
    },
    "warnings": ["The filing date of 2 statements was assumed: period end + 45 days."],
    "paths": {},
    "settings": {"analysts": ["market", "social", "news", "fundamentals"], "llm_provider": "offline"},
    "versions": {"tradingagents": "0.1.0", "langgraph": "1.2.12"},
}
