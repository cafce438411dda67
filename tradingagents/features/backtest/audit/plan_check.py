"""Checks a result against its sealed plan: the hash of the plan, and what plan and result say of the same test."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tradingagents.features.backtest.audit.findings import AuditFinding
from tradingagents.features.backtest.audit.result_folder import RESULT, RecordedBacktest

FOLDER, DIGITS = "plans", 12
PROMISED = ("made_at", "edge", "power", "smallest_edge")
"""What a result repeats of its plan."""


def find_plan(recorded: RecordedBacktest, home: Path) -> Path | None:
    """Return the file of a result's plan: the one of its hash, else one of the same request; None for neither."""
    named = home / FOLDER / f"{str(recorded.record.get('plan_hash'))[:DIGITS]}.json"
    if named.is_file():
        return named
    others = sorted((home / FOLDER).glob("*.json"))
    return next((path for path in others if _read(path).get("request") == recorded.request), None)


def check_plan(recorded: RecordedBacktest, path: Path) -> Iterator[AuditFinding]:
    """Compare a result with the file of its plan."""
    plan, where = _read(path), f"plans/{path.name}"
    rest = {name: value for name, value in plan.items() if name != "hash"}
    own = hashlib.sha256(json.dumps(rest, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
    if plan.get("hash") != own:
        yield AuditFinding("plan_changed", where, f"hash {own[:DIGITS]}", str(plan.get("hash"))[:DIGITS])
    if recorded.record.get("plan_hash") != plan.get("hash"):
        stated = str(recorded.record.get("plan_hash"))[:DIGITS]
        yield AuditFinding("plan_not_of_result", f"{RESULT} plan_hash", str(plan.get("hash"))[:DIGITS], stated)
    promised: Mapping[str, Any] = recorded.record.get("planned") or {}
    planned: Mapping[str, Any] = plan.get("request") or {}
    pairs = [(f"planned.{name}", plan.get(name), promised.get(name)) for name in PROMISED]
    pairs += [
        (f"request.{name}", planned.get(name), recorded.request.get(name))
        for name in sorted({*planned, *recorded.request})
    ]
    for name, wanted, found in pairs:
        if wanted != found:
            yield AuditFinding("plan_not_of_result", f"{RESULT} {name}", _shown(wanted), _shown(found))


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _read(path: Path) -> dict[str, Any]:
    """Return the JSON of a plan; an empty object for a file that is none, which then fits nothing."""
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
