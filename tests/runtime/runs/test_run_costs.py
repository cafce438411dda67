"""What all runs used, added up: by hand, and as a law: the sum over any grouping is the total, to the last digit."""

from __future__ import annotations

import tempfile
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.commands import runs_costs
from tests.support.run_store import Call, keep_run, run_id
from tests.support.tiers import examples
from tradingagents.runtime.runs.run_costs import COUNTS, SCANS, UNKNOWN, By, CallCost, added, costs, exact_sum
from tradingagents.runtime.runs.run_index import RunIndex

NAMES = st.sampled_from(["one", "two", "three"])
USED = st.builds(
    CallCost,
    agent=NAMES,
    tier=NAMES,
    ticker=NAMES,
    day=NAMES,
    model=NAMES,
    run=NAMES,
    llm_calls=st.integers(0, 5),
    input_tokens=st.integers(0, 10**7),
    cached_tokens=st.integers(0, 10**7),
    output_tokens=st.integers(0, 10**7),
    usd=st.floats(0, 1e6, allow_nan=False).map(lambda usd: Decimal(repr(usd))),
    unpriced_calls=st.integers(0, 2),
    unmetered_calls=st.integers(0, 2),
)


@given(st.lists(USED, max_size=40), st.sampled_from(get_args(By)), st.randoms())
def test_the_sum_over_any_grouping_is_the_total(used: list[CallCost], by: By, random: Any):
    groups: dict[str, list[CallCost]] = {}
    for one in random.sample(used, len(used)):
        groups.setdefault(getattr(one, by), []).append(one)
    rows, total = [added(name, several) for name, several in groups.items()], added("total", used)
    for key in COUNTS:
        assert sum(row[key] for row in rows) == total[key]  # type: ignore[literal-required]
    exact = exact_sum(exact_sum(one.usd for one in several) for several in groups.values())
    assert exact == exact_sum(one.usd for one in used)
    assert float(exact) == total["priced_usd"]
    assert (total["cost_usd"] is None) == any(row["cost_usd"] is None for row in rows)


CALLS = st.lists(
    st.builds(
        Call,
        agent=st.sampled_from(["Trader", "Bull Researcher"]),
        tier=st.sampled_from(["quick", "deep"]),
        model=st.sampled_from(["openai_compatible/mine", "openai_compatible/dear", "openai_compatible/unpriced"]),
        input_tokens=st.integers(0, 100_000),
        output_tokens=st.integers(0, 100_000),
    ),
    max_size=5,
)


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(st.tuples(CALLS, st.sampled_from(["VELQ", "OMBZ", None]), st.booleans()), max_size=5))
def test_runs_on_disk_add_up_the_same_whatever_they_are_grouped_by(runs: list[Any]):
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for number, (calls, ticker, killed) in enumerate(runs):
            name = run_id(number, ticker or "SCAN", began=f"202503{10 + number}")
            keep_run(home, name, calls, ticker=ticker, status=None if killed else "done")
        records = [costs(RunIndex(home), by) for by in get_args(By)]
    every = [call for calls, _, _ in runs for call in calls]
    for record in records:
        assert record["total"] == records[0]["total"]
        for key in COUNTS:
            assert sum(row[key] for row in record["groups"]) == record["total"][key]  # type: ignore[literal-required]
    assert records[0]["total"]["input_tokens"] == sum(call.input_tokens for call in every)
    assert records[0]["total"]["unpriced_calls"] == sum(call.model.endswith("unpriced") for call in every)


def names(home: Path, by: By, **when: Any) -> dict[str, Any]:
    return {row["name"]: row for row in costs(RunIndex(home), by, **when)["groups"]}


def test_by_hand(tmp_path: Path):
    bull = Call("Bull Researcher", "deep", "openai_compatible/dear", 1000, 0)
    keep_run(tmp_path, run_id(1, began="20250310"), [Call(cached_tokens=400), bull])
    keep_run(tmp_path, run_id(2, "OMBZ", began="20250311"), [Call()], ticker="OMBZ", status=None)
    keep_run(tmp_path, run_id(3, "SCAN", began="20250311"), [Call("Sector Scanner")], ticker=None)
    by_agent = names(tmp_path, "agent")
    # Trader: 600 x 2 + 400 x 0.5 + 100 x 10 = 2400 and 2000 + 1000; Bull: 1000 x 7.3; all per million
    assert by_agent["Trader"]["cost_usd"] == 0.0054
    assert by_agent["Bull Researcher"]["cost_usd"] == 0.0073
    assert list(by_agent) == ["Bull Researcher", "Trader", "Sector Scanner"]
    assert {name: row["runs"] for name, row in names(tmp_path, "ticker").items()} == {"VELQ": 1, "OMBZ": 1, SCANS: 1}
    assert list(names(tmp_path, "day")) == ["2025-03-11", "2025-03-10"]
    assert names(tmp_path, "tier")["deep"]["llm_calls"] == 1
    assert names(tmp_path, "model")["openai_compatible/mine"]["cost_usd"] == 0.0084
    assert list(names(tmp_path, "run")) == [
        run_id(3, "SCAN", began="20250311"),
        run_id(2, "OMBZ", began="20250311"),
        run_id(1, began="20250310"),
    ]
    total = costs(RunIndex(tmp_path), "agent")["total"]
    assert (total["runs"], total["llm_calls"], total["cached_tokens"], total["cost_usd"]) == (3, 4, 400, 0.0157)
    assert list(names(tmp_path, "day", since=date(2025, 3, 11))) == ["2025-03-11"]
    assert list(names(tmp_path, "day", until=date(2025, 3, 10))) == ["2025-03-10"]


def test_calls_without_a_price_leave_the_cost_open_and_are_counted(tmp_path: Path):
    keep_run(tmp_path, run_id(1), [Call(), Call("Bull Researcher", model="openai_compatible/unpriced")])
    record = costs(RunIndex(tmp_path), "agent")
    assert (record["total"]["cost_usd"], record["total"]["unpriced_calls"]) == (None, 1)
    assert record["total"]["priced_usd"] == pytest.approx(0.003)
    assert names(tmp_path, "agent")["Trader"]["cost_usd"] == pytest.approx(0.003)


def test_a_run_whose_log_is_gone_is_counted_from_its_card(tmp_path: Path):
    run = keep_run(tmp_path, run_id(1), [Call(), Call(tier="deep")])
    before = costs(RunIndex(tmp_path), "agent")
    run.events.unlink()
    assert costs(RunIndex(tmp_path), "agent") == before
    assert list(names(tmp_path, "tier")) == [UNKNOWN]
    (run.path / "run.json").write_text("{ half", "utf-8")
    record = costs(RunIndex(tmp_path), "agent")
    assert record["total"]["llm_calls"] == 0
    (warning,) = record["warnings"]
    assert run.run_id in warning


def test_the_command_line_names_every_grouping():
    assert get_args(runs_costs.By) == get_args(By)
