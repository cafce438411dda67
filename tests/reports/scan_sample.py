"""A scan and a batch on companies that do not exist: what their reports are tested and looked at with."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from tests.reports.sample import sample_record


def sample_scan() -> dict[str, Any]:
    """Return a complete scan, fresh each time."""
    return copy.deepcopy(_SCAN)


def partial_scan() -> dict[str, Any]:
    """Return a scan whose budget ended after the scanners, one of which did not speak."""
    record = sample_scan()
    record.update(status="budget", summary=None, indices=[], error="0.05 of 0.05 USD are spent; raise budget_usd.")
    record["reports"] = {
        "geopolitical_report": record["reports"]["geopolitical_report"],
        "market_movers_report": "**Not available.** The model did not answer.",
        "sector_performance_report": record["reports"]["sector_performance_report"],
    }
    record["data_sheet"] = record["data_sheet"][:1]
    record["warnings"] = ["^DJI, ^GSPC, ^IXIC, ^RUT and ^VIX have no fresh prices."]
    return record


def sample_batch() -> dict[str, Any]:
    """Return a batch with decisions of every kind, a ticker that failed and one that never began."""
    return copy.deepcopy(_BATCH)


def _pick(
    ticker: str, name: str, sector: str, angle: str, conviction: str, rationale: str, **lists: list[str]
) -> dict[str, Any]:
    return {
        "ticker": ticker,
        "name": name,
        "sector": sector,
        "rationale": rationale,
        "thesis_angle": angle,
        "conviction": conviction,
        "key_catalysts": lists["catalysts"],
        "risks": lists["risks"],
        "evidence": [
            {"claim": claim, "source": source} for claim, source in (pair.split(" @ ") for pair in lists["evidence"])
        ],
        "seen_in": lists["seen_in"],
    }


_PICKS = [
    _pick(
        "VELQ",
        "Velquist Semiconductors Corp.",
        "Information Technology",
        "momentum",
        "high",
        "Leads the sector that fell most, and **rose** while it fell: +6.42% on the day, +11.80% in a month in which "
        "the sector lost 7.31%.",
        catalysts=["Earnings on 2025-03-27", "Capacity of the new plant from the second quarter"],
        risks=["Export rules named by three of ten articles on sanctions"],
        evidence=[
            "Rose 6.42% on 1.9 times its usual volume @ get_market_movers:day_gainers",
            "First of 10 in its sector over one month @ get_industry_performance:technology",
        ],
        seen_in=["get_market_movers:day_gainers", "get_industry_performance:technology", "get_earnings_calendar"],
    ),
    _pick(
        "ORNE",
        "Orne Ridge Petroleum plc",
        "Energy",
        "value",
        "high",
        "Crude rose on supply worries while the shares did not follow: +1.10% in a month against +5.62% of the sector.",
        catalysts=["Supply talks on 2025-03-20"],
        risks=["A truce would take the premium out of crude", "Refining margins are thin"],
        evidence=["Energy gained 5.62% in a month, the second largest gain @ get_sector_performance"],
        seen_in=["get_industry_performance:energy"],
    ),
    _pick(
        "TILB",
        "Tilbury Grid & Power Co.",
        "Utilities",
        "defensive",
        "medium",
        "Holds up where others fall, and its tariff review is decided.",
        catalysts=["Tariffs in force from April"],
        risks=["Higher long yields"],
        evidence=["+2.15% in a week in which the S&P 500 lost 2.27% @ get_market_indices"],
        seen_in=["get_market_movers:most_actives", "get_industry_performance:utilities"],
    ),
    _pick(
        "MAVO",
        "Mavora Retail Group",
        "Consumer Discretionary",
        "turnaround",
        "low",
        "The largest loser of the session after a warning; the price now asks for little.",
        catalysts=[],
        risks=["A second warning", "Weak consumers"],
        evidence=["Fell 12.08% in the session @ get_market_movers:day_losers"],
        seen_in=["get_market_movers:day_losers"],
    ),
]

_GEOPOLITICAL = """# Geopolitical report

Trade measures set the tone: six of ten articles speak of **tariffs** or sanctions.

## Risks

- Export rules for chips, expected within weeks.
- Supply of crude after the [pipeline notice](https://news.example/pipeline).

| Metric | Value | Reading | Source |
|---|--:|---|---|
| articles | 38 | bearish -0.25: more bad words than good | get_topic_news |
"""

_MOVERS = """# Market movers report

Breadth is poor: of the 15 most active shares, 11 fell.

| Metric | Value | Reading | Source |
|---|---|---|---|
| gspc_change | -0.76% | bearish -0.20: falling | get_market_indices |
| top_gain | 6.42% | bullish +0.30: VELQ, on volume | get_market_movers |
"""

_SECTORS_REPORT = """# Sector report

Money moves from growth to defence: utilities and energy lead the month, technology trails by 7.31%.

| Metric | Value | Reading | Source |
|---|---|---|---|
| technology_1m | -7.31% | bearish -0.40: weakest of eleven | get_sector_performance |
"""

_DEEP_DIVE = """# Industry deep dive

## Information Technology

Sold as a block, not company by company: Velquist alone gained.

## Utilities

Quiet strength; the largest three carry it.
"""


def _sector(sector: str, etf: str, *returns: float | None) -> dict[str, Any]:
    return {"sector": sector, "etf": etf, "returns": dict(zip(("1d", "1w", "1m", "ytd"), returns, strict=True))}


_SECTORS = [
    _sector("technology", "XLK", -1.12, -3.08, -7.31, -9.45),
    _sector("healthcare", "XLV", 0.18, -0.92, 1.27, 5.03),
    _sector("financials", "XLF", 0.44, -1.76, -2.2, 1.91),
    _sector("energy", "XLE", 1.35, 2.61, 5.62, 6.88),
    _sector("consumer-discretionary", "XLY", -0.87, -4.15, -5.4, -11.32),
    _sector("consumer-staples", "XLP", -0.05, -1.31, 1.02, 3.47),
    _sector("industrials", "XLI", 0.0, -2.04, -2.98, -0.66),
    _sector("materials", "XLB", 0.29, -1.18, -0.41, 2.72),
    _sector("real-estate", "XLRE", -0.33, -1.07, None, None),
    _sector("utilities", "XLU", 0.91, 2.15, 5.77, 4.39),
    _sector("communication-services", "XLC", -0.58, -2.83, -4.86, -2.11),
]


def _index(symbol: str, name: str, last: float, change: float, low: float, high: float) -> dict[str, Any]:
    return {
        "symbol": symbol,
        "name": name,
        "last": last,
        "change": change,
        "change_pct": round(change / (last - change) * 100, 4),
        "high_52w": high,
        "low_52w": low,
    }


_INDICES = [
    _index("^GSPC", "S&P 500", 5_521.52, -42.27, 4_967.23, 6_144.15),
    _index("^DJI", "Dow Jones Industrial Average", 40_813.57, 112.4, 37_735.11, 45_014.04),
    _index("^IXIC", "Nasdaq Composite", 17_303.01, -345.44, 15_282.01, 20_173.89),
    _index("^VIX", "CBOE Volatility Index", 21.77, -2.89, 11.86, 38.57),
    _index("^RUT", "Russell 2000", 1_993.69, -0.0, 1_942.96, 2_442.03),
]


def _sheet(method: str, symbol: str | None, rows: int, figures: dict[str, float], *notes: str) -> dict[str, Any]:
    return {
        "method": method,
        "symbol": symbol,
        "vendor": "simulated",
        "start": "2025-02-14",
        "end": "2025-03-14",
        "rows": rows,
        "known_at": "2025-03-14T20:00:00+00:00",
        "fetched_at": "2025-03-14T21:00:05+00:00",
        "figures": figures,
        "notes": list(notes),
        "inputs": ["XLE", "XLK", "XLU"] if method == "get_sector_performance" else [],
    }


def _usage(cost: float | None, **agents: Mapping[str, float]) -> dict[str, Any]:
    return {
        "llm_calls": 6,
        "input_tokens": 48_200,
        "output_tokens": 5_110,
        "cached_tokens": 18_432,
        "cost_usd": cost,
        "by_agent": {name.replace("_", " "): dict(line) for name, line in agents.items()},
        "by_tier": {},
    }


def _use(calls: int, tokens_in: int, tokens_out: int, cached: int, cost: float) -> dict[str, float]:
    return {
        "llm_calls": calls,
        "input_tokens": tokens_in,
        "output_tokens": tokens_out,
        "cached_tokens": cached,
        "cost_usd": cost,
    }


_SCAN: dict[str, Any] = {
    "run_id": "20250314-210000-SCAN-4c1e",
    "status": "done",
    "kind": "scan",
    "scan_date": "2025-03-14",
    "session": "2025-03-14",
    "cutoff": "2025-03-14T20:00:00+00:00",
    "summary": {
        "timeframe": "1 to 3 months",
        "executive_summary": (
            "Money leaves growth for **defence and energy**: technology lost 7.31% in a month, utilities gained 5.77%. "
            "Trade measures are the risk that every report names."
        ),
        "macro_context": {
            "economic_cycle": "Late: growth slows while prices still rise.",
            "central_bank_stance": "On hold; the next meeting is on 2025-03-19.",
            "geopolitical_risks": ["Export rules for chips", "Supply of crude"],
        },
        "key_themes": [
            {
                "theme": "From growth to defence",
                "description": "Utilities and staples gain while technology and discretionary lose.",
                "conviction": "high",
                "timeframe": "1 to 3 months",
            },
            {
                "theme": "Crude without its shares",
                "description": "Energy shares follow crude late: *three of ten* have not moved.",
                "conviction": "medium",
                "timeframe": None,
            },
        ],
        "stocks_to_investigate": _PICKS,
        "risk_factors": ["A trade deal would turn the rotation", "Thin volumes before the meeting"],
    },
    "sectors": _SECTORS,
    "top_sectors": ["technology", "utilities", "energy"],
    "indices": _INDICES,
    "reports": {
        "geopolitical_report": _GEOPOLITICAL,
        "market_movers_report": _MOVERS,
        "sector_performance_report": _SECTORS_REPORT,
        "industry_deep_dive_report": _DEEP_DIVE,
        "macro_scan_summary": '{"timeframe": "1 to 3 months"}',
    },
    "usage": _usage(
        0.0714,
        Geopolitical_Scanner=_use(1, 9_100, 790, 2_048, 0.0068),
        Macro_Synthesis=_use(1, 14_300, 1_900, 6_144, 0.0412),
    ),
    "timing": {
        "wall_s": 31.4,
        "started_at": "2025-03-14T21:00:00.118250+00:00",
        "finished_at": "2025-03-14T21:00:31.518250+00:00",
    },
    "data_sheet": [
        _sheet("get_sector_performance", None, 44, {"technology_1m": -7.31, "utilities_1m": 5.77, "energy_1m": 5.62}),
        _sheet("get_market_movers", None, 15, {"movers": 15.0}, "Computed from the recorded universe."),
        _sheet("get_topic_news", None, 10, {"articles": 10.0}),
    ],
    "warnings": ["Real Estate has too little history for its month and its year."],
    "paths": {
        "folder": "/home/pat/.tradingagents/runs/20250314-210000-SCAN-4c1e",
        "html": "/home/pat/.tradingagents/runs/20250314-210000-SCAN-4c1e/reports/report.html",
    },
    "settings": {"llm_provider": "offline"},
    "versions": {"tradingagents": "0.1.0", "langgraph": "1.2.12"},
}


def _decision(action: str, confidence: float, size: float | None, *levels: float | None) -> dict[str, Any]:
    entry, stop, target = levels
    decision = copy.deepcopy(sample_record()["decision"])
    assert decision is not None
    decision.update(
        action=action, confidence=confidence, position_size=size, entry=entry, stop=stop, target=target, dissent=None
    )
    return decision


def _row(ticker: str, name: str, decision: dict[str, Any] | None, *, status: str = "done") -> dict[str, Any]:
    run_id = None if status == "waiting" else f"20250314-210100-{ticker}-7f3a"
    folder = f"/home/pat/.tradingagents/runs/{run_id}"
    return {
        "ticker": ticker,
        "name": name,
        "sources": ["scan"],
        "conviction": "high",
        "status": status,
        "decision": decision,
        "key_reason": None,
        "disagreement": {"contested": None, "other_side": None},
        "cost_usd": None if run_id is None else 0.1834,
        "run_id": run_id,
        "paths": {"folder": folder, "html": f"{folder}/reports/report.html"} if run_id else {},
        "error": None,
    }


def _judged(row: dict[str, Any], key_reason: str, contested: float, other_side: str | None) -> dict[str, Any]:
    row["key_reason"] = key_reason
    row["disagreement"] = {"contested": contested, "other_side": other_side}
    return row


_VELQ = _judged(
    _row("VELQ", "Velquist Semiconductors Corp.", _decision("BUY", 0.71, 0.05, 121.27, 114.6, 134.5)),
    "Revenue grew **14.20%** over the year while the operating margin widened to 18.31%.",
    0.34,
    "At 31.05x earnings a weak quarter would cost the multiple.",
)
_ORNE = _judged(
    _row("ORNE", "Orne Ridge Petroleum plc", _decision("BUY", 0.58, 0.025, 1_048.0, 990.25, None)),
    "Free cash flow covers the dividend 3.2 times at the present price of crude.",
    0.47,
    "A truce would take the premium out of crude within days.",
)
_ORNE["sources"] = ["scan", "portfolio"]
_MAVO = _judged(
    _row("MAVO", "Mavora Retail Group", _decision("SELL", 0.66, None, None, None, None)),
    "Margins fell for the fourth quarter in a row.",
    0.22,
    None,
)
_MAVO.update(conviction="low")
_HELD = _judged(
    _row("QFIX", "Quillon Fictional Instruments Inc.", _decision("HOLD", 0.52, 0.0, None, 0.8125, None)),
    "The evidence is balanced until the quarter is reported.",
    0.5,
    "The bull is right that lead times shorten.",
)
_HELD.update(sources=["portfolio"], conviction=None)
_UNDECIDED = _row(
    "TILB", "Tilbury Grid & Power Co.", _decision("NO_DECISION", 0.0, None, None, None, None), status="no_decision"
)
_UNDECIDED.update(conviction="medium", key_reason="The model gave no usable answer.")
_FAILED = _row("WREN", "Wrenfield Foods Ltd.", None, status="failed")
_FAILED.update(error="No vendor has prices of WREN; name another symbol.", sources=["watchlist"], conviction=None)
_WAITING = _row("ZEPH", "Zephyr Lines", None, status="waiting")

_BATCH: dict[str, Any] = {
    "batch_id": "2025-03-14-9b2d",
    "status": "partial",
    "trade_date": "2025-03-14",
    "session": "2025-03-14",
    "scan": _SCAN,
    "rows": [_VELQ, _ORNE, _MAVO, _HELD, _UNDECIDED, _FAILED, _WAITING],
    "usage": _usage(0.9884, Macro_Synthesis=_use(1, 14_300, 1_900, 6_144, 0.0412)),
    "timing": {"wall_s": 212.0, "started_at": "2025-03-14T21:00:00.118250+00:00"},
    "warnings": ["WREN was not studied."],
    "paths": {
        "folder": "/home/pat/.tradingagents/batches/2025-03-14-9b2d",
        "report": "/home/pat/.tradingagents/batches/2025-03-14-9b2d/complete_report.md",
        "html": "/home/pat/.tradingagents/batches/2025-03-14-9b2d/report.html",
    },
}
