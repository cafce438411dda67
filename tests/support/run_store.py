"""Runs as they lie in a home: folders made by the real parts, with a card or, as of a killed run, without one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage

from tradingagents.events import EventStream
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.runtime.runs.run_folder import RunFolder
from tradingagents.runtime.runs.run_index import IndexedRun
from tradingagents.settings import Settings, Tier

PRICES = {"mine": (2.0, 0.5, 10.0), "dear": (7.3, 1.1, 33.7)}


@dataclass(frozen=True)
class Call:
    """A model call."""

    agent: str = "Trader"
    tier: Tier = "quick"
    model: str = "openai_compatible/mine"
    input_tokens: int = 1000
    output_tokens: int = 100
    cached_tokens: int = 0


def keep_run(
    home: Path,
    run_id: str,
    calls: Sequence[Call] = (),
    *,
    ticker: str | None = "VELQ",
    status: str | None = "done",
    decision: dict[str, Any] | None = None,
) -> IndexedRun:
    """Leave a run's folder; `ticker` None for a scan, `status` None for a run that was killed."""
    folder, meter = RunFolder(home, run_id), UsageMeter(Settings(model_prices=PRICES))
    events = EventStream(run_id, (folder.append,))
    events.emit("run_start", "begins", ticker=ticker)
    for call in calls:
        usage = {
            "input_tokens": call.input_tokens,
            "output_tokens": call.output_tokens,
            "total_tokens": call.input_tokens + call.output_tokens,
            "input_token_details": {"cache_read": call.cached_tokens},
        }
        reply = AIMessage("text", usage_metadata=usage)
        used = meter.record(call.agent, call.tier, call.model, reply, 1.0)
        events.emit("usage", "used", node=call.agent, **used.to_dict())
    if status is not None:
        about = {"scan_date": "2025-03-14", "summary": None} if ticker is None else {"ticker": ticker}
        folder.write_json(
            "run.json",
            {
                "run_id": run_id,
                "status": status,
                **about,
                "decision": decision,
                "usage": meter.totals().as_json(),
                "timing": {"wall_s": 12.5},
            },
        )
    folder.forget_unfinished()
    folder.close()
    kept = IndexedRun.of(folder.path)
    assert kept
    return kept


def run_id(number: int, subject: str = "VELQ", day: str = "2025-03-14", began: str = "20250317") -> str:
    """Return the id of a run that began on a day, at a minute."""
    return f"{began}T10{number:02d}00Z-{subject}-{day}-{number:06x}"


def card_of(run: IndexedRun) -> dict[str, Any]:
    """Return a run's card."""
    return json.loads((run.path / "run.json").read_text("utf-8"))  # type: ignore[no-any-return]
