"""The record of a run on a company that does not exist."""

from __future__ import annotations

from typing import Any


def sample_record() -> dict[str, Any]:
    folder = "/home/someone/tradingagents/runs/20250314T210000Z-QFIX-2025-03-14-abc123"
    return {
        "run_id": "20250314T210000Z-QFIX-2025-03-14-abc123",
        "status": "done",
        "ticker": "QFIX",
        "trade_date": "2025-03-14",
        "instrument": {
            "symbol": "QFIX",
            "name": "Quillon Fictional Instruments Inc.",
            "kind": "stock",
            "sector": "technology",
            "industry": "Scientific Instruments",
            "exchange": "XNYS",
            "currency": "USD",
            "benchmark": "SPY",
        },
        "session": "2025-03-14",
        "cutoff": "2025-03-14T20:00:00+00:00",
        "decision": {
            "action": "BUY",
            "confidence": 0.62,
            "rationale": "Revenue grew **14.20%** over the year while the operating margin widened to 18.31%, and the "
            "price holds above its 50-day average. The stop sits two daily ranges below the entry.",
            "horizon_days": 30,
            "entry": 121.27,
            "stop": 114.6,
            "target": 134.5,
            "position_size": 0.05,
            "key_evidence": [
                {"claim": "Revenue of the last four quarters is 2.41B USD, up 14.20%", "source": "get_ttm_analysis"},
                {"claim": "The close of 121.27 stands above the 50-day average of 116.02", "source": "get_indicators"},
                {"claim": "Rank 2 of 8 among its peers over three months", "source": "get_peer_comparison"},
            ],
            "dissent": "The bear is right that 31.05x earnings leaves no room for a weak quarter.",
            "would_change": "A close below 114.60, or a quarter in which the operating margin falls under 16%.",
        },
        "reports": {
            "market_report": "# Market report",
            "sentiment_report": "# Sentiment report",
            "news_report": "# News report",
            "fundamentals_report": "# Fundamentals report",
        },
        "debates": {"research": [], "risk": []},
        "usage": {
            "llm_calls": 14,
            "input_tokens": 118_250,
            "output_tokens": 9_840,
            "cached_tokens": 61_440,
            "cost_usd": 0.1834,
        },
        "timing": {"wall_s": 74.2},
        "data_sheet": [],
        "warnings": ["2025-03-15 has no closed session; the market is read as of the close of 2025-03-14."],
        "paths": {
            "folder": folder,
            "card": f"{folder}/run.json",
            "report": f"{folder}/reports/complete_report.md",
            "html": f"{folder}/reports/report.html",
        },
    }
