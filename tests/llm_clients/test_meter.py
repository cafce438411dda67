from __future__ import annotations

import asyncio
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage

from tests.support.tiers import examples
from tradingagents.errors import BudgetReached, SettingsError
from tradingagents.llm_clients.expected_cost import Asked
from tradingagents.llm_clients.meter import WAIT_SECONDS, UsageMeter, assert_priceable
from tradingagents.llm_clients.scripted import ScriptedChatModel
from tradingagents.settings import Settings

PRICES = {"mine": (2.0, 0.5, 10.0)}
LABEL = "openai_compatible/mine"


def reply(asked: int = 1000, said: int = 100, cached: int = 0) -> AIMessage:
    return AIMessage(
        "text",
        usage_metadata={
            "input_tokens": asked,
            "output_tokens": said,
            "total_tokens": asked + said,
            "input_token_details": {"cache_read": cached},
        },
    )


def test_totals_add_up_by_agent_and_by_tier() -> None:
    meter = UsageMeter(Settings(model_prices=PRICES))
    meter.record("Bull", "mid", LABEL, reply(1000, 100, cached=400), 1.5)
    meter.record("Bear", "mid", LABEL, reply(2000, 200), 2.0)
    meter.record("Trader", "quick", LABEL, reply(3000, 0), 0.5)
    totals = meter.totals()
    assert (totals["llm_calls"], totals["input_tokens"], totals["output_tokens"]) == (3, 6000, 300)
    assert totals["cached_tokens"] == 400
    # Bull: 600 x 2 + 400 x 0.5 + 100 x 10 = 2400; Bear: 4000 + 2000; Trader: 6000; all per million
    assert totals["cost_usd"] == pytest.approx(0.0144)
    assert totals["by_agent"]["Bull"]["cost_usd"] == pytest.approx(0.0024)
    assert totals["by_agent"]["Bull"]["seconds"] == 1.5
    assert totals["by_tier"]["mid"]["llm_calls"] == 2
    assert totals["by_tier"]["mid"]["cost_usd"] == pytest.approx(0.0084)


def test_one_unknown_price_makes_the_total_unknown_and_warns_once() -> None:
    meter = UsageMeter(Settings(model_prices=PRICES))
    meter.record("Bull", "mid", LABEL, reply(), 1.0)
    meter.record("Bear", "mid", "openai_compatible/other", reply(), 1.0)
    meter.record("Bear", "mid", "openai_compatible/other", reply(), 1.0)
    assert meter.totals()["cost_usd"] is None
    assert meter.totals()["by_agent"]["Bull"]["cost_usd"] == pytest.approx(0.003)
    (warning,) = meter.warnings
    assert "TRADINGAGENTS_MODEL_PRICES" in warning
    assert '"other"' in warning


def test_a_reply_from_langchains_cache_is_not_counted() -> None:
    message = reply()
    message.usage_metadata["total_cost"] = 0  # type: ignore[index, typeddict-unknown-key]
    meter = UsageMeter(Settings())
    used = meter.record("Bull", "mid", LABEL, message, 0.0)
    assert used.cached_reply
    assert meter.totals()["llm_calls"] == 0
    assert meter.totals()["cost_usd"] == 0.0


def test_a_reply_without_usage_is_a_call_of_unknown_cost() -> None:
    meter = UsageMeter(Settings(model_prices=PRICES))
    used = meter.record("Bull", "mid", LABEL, AIMessage("text"), 1.0)
    assert not used.metered
    assert used.cost_usd is None
    totals = meter.totals()
    assert (totals["llm_calls"], totals["input_tokens"], totals["cost_usd"]) == (1, 0, None)
    assert totals["by_agent"]["Bull"]["unmetered_calls"] == 1
    assert "does not report its token usage" in meter.warnings[0]


def test_a_free_model_without_usage_still_costs_nothing() -> None:
    meter = UsageMeter(Settings())
    meter.record("Bull", "mid", "ollama/llama3.1", AIMessage("text"), 1.0)
    assert meter.totals()["cost_usd"] == 0.0


async def test_no_call_begins_once_the_allowed_number_is_made() -> None:
    meter = UsageMeter(Settings(max_llm_calls=2))
    for _ in range(2):
        async with meter.call():
            meter.record("Bull", "mid", "offline/rules", reply(), 0.0)
    with pytest.raises(BudgetReached, match="2 model calls; raise max_llm_calls"):
        meter.check()
    with pytest.raises(BudgetReached):
        async with meter.call():
            pytest.fail("the call began")


async def test_parallel_calls_do_not_overshoot_the_allowed_number() -> None:
    meter = UsageMeter(Settings(max_llm_calls=3))
    go, begun = asyncio.Event(), 0

    async def analyst() -> None:
        nonlocal begun
        async with meter.call():
            begun += 1
            await go.wait()
            meter.record("Analyst", "quick", "offline/rules", reply(), 0.0)

    tasks = [asyncio.create_task(analyst()) for _ in range(8)]
    await asyncio.sleep(0)
    go.set()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert begun == 3
    assert sum(isinstance(one, BudgetReached) for one in outcomes) == 5
    assert meter.totals()["llm_calls"] == 3


async def test_a_failed_call_gives_its_place_back() -> None:
    meter = UsageMeter(Settings(max_llm_calls=1))
    with pytest.raises(RuntimeError):
        async with meter.call():
            raise RuntimeError
    meter.check()


async def test_money_under_way_counts_as_what_calls_usually_cost() -> None:
    # Each call costs 1000 x 2 + 100 x 10 = 3000 per million = 0.003 USD; 0.01 USD are used up by 4 of them.
    meter = UsageMeter(Settings(budget_usd=0.01, model_prices=PRICES))
    async with meter.call():
        meter.record("Bull", "mid", LABEL, reply(), 0.0)
    async with meter.call(), meter.call(), meter.call():
        with pytest.raises(BudgetReached, match=r"0.01 USD and has spent 0.0030 with 3 calls under way"):
            meter.check()
    meter.check()


def asked(characters: int = 4000) -> Asked:
    """A call whose prompt takes a quarter of so many tokens."""
    return Asked(LABEL, ScriptedChatModel(["text"]), [HumanMessage("x" * characters)])


async def test_a_call_begins_only_where_what_it_is_likely_to_cost_fits_in_the_budget() -> None:
    # 1000 tokens in at 2 USD and 600 out at 10 USD per million: 0.008 USD
    meter = UsageMeter(Settings(budget_usd=0.0079, model_prices=PRICES))
    with pytest.raises(BudgetReached, match=r"has spent 0\.0000 with 0 calls under way, and a further one .* 0\.0080"):
        async with meter.call(asked()):
            pytest.fail("the call began")
    async with UsageMeter(Settings(budget_usd=0.0081, model_prices=PRICES)).call(asked()):
        pass
    async with UsageMeter(Settings(model_prices=PRICES)).call(asked()):
        pass


async def test_calls_that_begin_at_once_do_not_overshoot_the_budget() -> None:
    meter = UsageMeter(Settings(budget_usd=0.02, model_prices=PRICES))
    go, begun = asyncio.Event(), 0

    async def analyst() -> None:
        nonlocal begun
        async with meter.call(asked()):
            begun += 1
            await go.wait()
            meter.record("Analyst", "quick", LABEL, reply(1000, 600), 0.0)

    tasks = [asyncio.create_task(analyst()) for _ in range(8)]
    await asyncio.sleep(0)
    go.set()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert begun == 2  # each likely 0.008
    assert sum(isinstance(one, BudgetReached) for one in outcomes) == 6
    assert meter.totals()["cost_usd"] == pytest.approx(0.016)


async def test_a_call_without_room_waits_for_those_under_way_and_begins_where_they_leave_some() -> None:
    meter = UsageMeter(Settings(budget_usd=0.0115, model_prices=PRICES))
    go, began = asyncio.Event(), []

    async def call(name: str, said: int) -> None:
        async with meter.call(asked()):
            began.append(name)
            await go.wait()
            meter.record(name, "quick", LABEL, reply(1000, said), 0.0)

    first = asyncio.create_task(call("first", 100))  # 0.008 likely, 0.003 in the end
    await asyncio.sleep(0)
    second = asyncio.create_task(call("second", 600))
    await asyncio.sleep(3 * WAIT_SECONDS)
    assert began == ["first"]
    go.set()
    await asyncio.gather(first, second)
    # The second is taken to say as much as the first did.
    assert began == ["first", "second"]
    assert meter.totals()["cost_usd"] == pytest.approx(0.011)


async def test_a_refusal_waits_until_what_is_under_way_is_counted() -> None:
    meter = UsageMeter(Settings(max_llm_calls=1, model_prices=PRICES))
    go, ended = asyncio.Event(), False

    async def call() -> None:
        nonlocal ended
        async with meter.call():
            await go.wait()
            meter.record("Bull", "mid", LABEL, reply(), 0.0)
        ended = True

    first = asyncio.create_task(call())
    await asyncio.sleep(0)
    second = asyncio.create_task(call())
    await asyncio.sleep(2 * WAIT_SECONDS)
    assert not second.done()
    go.set()
    with pytest.raises(BudgetReached):
        await second
    await first
    assert ended
    assert meter.totals()["llm_calls"] == 1


def test_a_budget_ends_the_run_when_a_server_stops_counting_tokens() -> None:
    meter = UsageMeter(Settings(budget_usd=1.0, model_prices=PRICES))
    meter.check()
    meter.record("Bull", "mid", LABEL, AIMessage("text"), 1.0)
    with pytest.raises(BudgetReached, match="max_llm_calls instead"):
        meter.check()


def test_a_resumed_run_goes_on_counting_where_it_left_off() -> None:
    chosen = Settings(max_llm_calls=2, model_prices=PRICES)
    first = UsageMeter(chosen)
    first.record("Bull", "mid", LABEL, reply(), 1.0)
    second = UsageMeter(chosen, earlier=first.totals())
    assert second.totals() == first.totals()
    second.record("Bull", "mid", LABEL, reply(), 1.0)
    assert second.totals()["by_agent"]["Bull"]["llm_calls"] == 2
    with pytest.raises(BudgetReached):
        second.check()


def test_an_unknown_cost_stays_unknown_after_a_resume() -> None:
    first = UsageMeter(Settings())
    first.record("Bull", "mid", LABEL, reply(), 1.0)
    assert UsageMeter(Settings(), earlier=first.totals()).totals()["cost_usd"] is None


def test_a_budget_with_an_unpriced_model_is_refused_up_front() -> None:
    with pytest.raises(SettingsError, match="TRADINGAGENTS_MODEL_PRICES"):
        assert_priceable(Settings(budget_usd=1.0), [LABEL])
    assert_priceable(Settings(budget_usd=1.0, model_prices=PRICES), [LABEL, "openai/gpt-5.2"])
    assert_priceable(Settings(), [LABEL])


@settings(max_examples=examples(20), deadline=None)
@given(threads=st.integers(2, 6), each=st.integers(1, 30))
def test_no_call_is_lost_between_threads(threads: int, each: int) -> None:
    meter = UsageMeter(Settings(model_prices=PRICES))

    def work(name: str) -> None:
        for _ in range(each):
            meter.record(name, "quick", LABEL, reply(10, 1), 0.0)

    workers = [threading.Thread(target=work, args=(f"agent {number}",)) for number in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    totals = meter.totals()
    assert totals["llm_calls"] == threads * each
    assert totals["input_tokens"] == 10 * threads * each
    assert sum(one["llm_calls"] for one in totals["by_agent"].values()) == threads * each
