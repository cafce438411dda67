"""Model use added up: the sum of runs is that of their meters, killed ones included."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.llm_clients.usage_sums import logged_usage, summed
from tradingagents.schemas.records import UsageRecord
from tradingagents.settings import Settings

CALL = st.tuples(
    st.sampled_from(["Trader", "Risk Manager"]),
    st.sampled_from(["quick", "deep"]),
    st.sampled_from(["offline/offline", "openai_compatible/unpriced", "openai/gpt-5-mini"]),
    st.integers(0, 10_000),
    st.integers(0, 10_000),
)
RUN = st.lists(CALL, max_size=6)


def reply(tokens_in: int, tokens_out: int) -> AIMessage:
    return AIMessage(
        "",
        usage_metadata={"input_tokens": tokens_in, "output_tokens": tokens_out, "total_tokens": tokens_in + tokens_out},
    )


def metered(runs: list[list[Any]]) -> tuple[UsageMeter, list[Any]]:
    """One meter over all runs, and what each run's own told."""
    whole, records = UsageMeter(Settings()), []
    for run in runs:
        meter = UsageMeter(Settings(), within=whole)
        for agent, tier, label, tokens_in, tokens_out in run:
            meter.record(agent, tier, label, reply(tokens_in, tokens_out), 0.5)
        records.append(UsageRecord.model_validate_json(meter.totals().model_dump_json()))
    return whole, records


def rounded(value: Any) -> Any:
    if isinstance(value, UsageRecord):
        return rounded(value.as_json())
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    return round(value, 9) if isinstance(value, float) else value


@given(st.lists(RUN, max_size=4))
def test_the_sum_of_runs_is_what_one_meter_over_all_counted(runs: list[list[Any]]):
    whole, records = metered(runs)
    assert rounded(summed(records)) == rounded(whole.totals())
    assert rounded(UsageMeter(Settings(), summed(records)).totals()) == rounded(whole.totals())


def test_two_runs_by_hand():
    one = UsageRecord.model_validate(
        {"llm_calls": 2, "input_tokens": 100, "output_tokens": 10, "cached_tokens": 5, "cost_usd": 0.25}
    )
    unpriced = one.model_copy(update={"cost_usd": None, "by_agent": {"Trader": {"llm_calls": 2, "cost_usd": None}}})
    assert summed([one, one]).as_json() == {
        "llm_calls": 4,
        "input_tokens": 200,
        "output_tokens": 20,
        "replayed_calls": 0,
        "cached_tokens": 10,
        "retries": 0,
        "cost_usd": 0.5,
        "by_agent": {},
        "by_tier": {},
    }
    total = summed([one, unpriced, one])
    assert (total["llm_calls"], total["cost_usd"]) == (6, None)
    assert total["by_agent"] == {"Trader": {"llm_calls": 2, "cost_usd": None}}


@given(RUN)
def test_an_event_log_tells_what_a_run_used_up_to_its_last_whole_line(run: list[Any]):
    import tempfile

    meter, lines = UsageMeter(Settings()), ['{"type": "run_start", "data": {}}']
    for agent, tier, label, tokens_in, tokens_out in run:
        used = meter.record(agent, tier, label, reply(tokens_in, tokens_out), 0.5)
        lines.append(json.dumps({"type": "usage", "node": agent, "data": used.to_dict()}))
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "events.jsonl"
        log.write_text("\n".join([*lines, '{"type": "usage", "node": "Tra']), encoding="utf-8")
        assert rounded(logged_usage(log)) == rounded(meter.totals())


def test_no_log_is_no_use(tmp_path: Path):
    assert logged_usage(tmp_path / "events.jsonl")["llm_calls"] == 0
