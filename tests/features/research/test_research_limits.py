"""Limits of the research loop: whatever a model, a tool or a source does, a run ends, keeps its work and says why."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage

from benchmarks.openai_server import Answer, OpenAIServer
from tests.support.graph_factory import role_of
from tests.support.research import (
    CALL,
    COMPLETE,
    DAY,
    INCOMPLETE,
    REPLIES,
    UNDERSTOOD,
    executes,
    plan_of,
    research_services,
    researched,
    scripted,
    task,
    tool_call,
)
from tests.support.served_runs import server_config
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.vendors.simulated.vendor import SimulatedVendor
from tradingagents.errors import (
    AwaitingApproval,
    BudgetReached,
    Interrupted,
    ModelUnreachable,
    VendorDown,
)
from tradingagents.events import Event
from tradingagents.features.research.kind import RESEARCH, ResearchRequest
from tradingagents.llm_clients.scripted import ScriptedChatModel
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.runtime.executor import RunOptions, resume, start
from tradingagents.runtime.manifest import read_manifest
from tradingagents.runtime.runs.run_folder import RunBusy
from tradingagents.runtime.runs.run_index import RunIndex
from tradingagents.runtime.services import open_services
from tradingagents.settings import load_settings

FIVE = plan_of(*(task(number, f"part {number}") for number in range(1, 6)), task(6, "joined", after=[1], reason=True))
PARTS = [*(f"part {number}" for number in range(1, 6)), "joined"]
QUICK = {**UNDERSTOOD, "intent": "quick_lookup", "inferred_depth": "quick"}


def part_of(messages: Sequence[BaseMessage]) -> str:
    """Return the task that an executor is asked to carry out."""
    return messages[1].text.rpartition("Carry out this task")[2].partition("\n")[0].rpartition(": ")[2]


def roles(model: Any) -> list[str]:
    return [role_of(call.messages) for call in model.calls]


def prompts(model: Any, role: str) -> list[str]:
    calls = [call for call in model.calls if role_of(call.messages) == role]
    return ["\n".join(message.text for message in call.messages) for call in calls]


def card_of(home: Path) -> Any:
    (folder,) = (home / "runs").iterdir()
    return RunIndex(home).find(folder.name).card()


# What a model says


@pytest.mark.parametrize("reply", ["nonsense", "{}", '{"is_complete": "perhaps"}', "[1, 2"])
async def test_a_reflection_that_cannot_be_read_ends_in_an_answer_of_what_was_found(tmp_path: Path, reply: str):
    model = scripted({"Reflector": reply})
    record = (await researched(research_services(tmp_path, model))).record
    assert roles(model).count("Reflector") == 2, "it is repaired once"
    assert (record["status"], record["stopped"]) == ("done", "not_judged")
    assert "VELQ keeps 52.18%" in record["answer"]
    assert "no valid judgement" in record["iterations"][-1]["reasoning"]


@pytest.mark.parametrize("role", ["Question Reader", "Planner", "Reflector"])
async def test_a_model_that_answers_nonsense_is_asked_twice_and_no_more(tmp_path: Path, role: str):
    broken = {"Task Executor": "I would rather not call a tool."} if role == "Reflector" else {}
    model = scripted({role: "nonsense", **broken})
    record = (await researched(research_services(tmp_path, model))).record
    assert roles(model).count(role) == 2
    await assert_by_rules(record, f"{role}: the model gave no usable answer in two attempts", tmp_path)


async def test_an_empty_answer_is_one_by_rules(tmp_path: Path):
    record = (await researched(research_services(tmp_path, scripted({"Synthesizer": ""})))).record
    await assert_by_rules(record, "Synthesizer: the model's reply was empty, twice", tmp_path)


@pytest.mark.parametrize("understood", [UNDERSTOOD, QUICK], ids=["plan", "lookup"])
async def test_a_model_that_calls_no_tool_leaves_the_answer_of_the_rules(tmp_path: Path, understood: dict[str, Any]):
    model = scripted({"Question Reader": understood, "Task Executor": "I know it by heart: 99%."})
    record = (await researched(research_services(tmp_path, model))).record
    assert "99%" not in record["answer"]
    await assert_by_rules(record, "No tool was called", tmp_path)


async def test_a_server_that_talks_nonsense_leaves_the_answer_of_the_rules(tmp_path: Path):
    with OpenAIServer() as server:
        server.always(Answer(text="The market is a place of dreams."))
        services = open_services(load_settings(server_config(server, tmp_path), environ={}), {})
        record = (await researched(services)).record
        await services.models.aclose()
        assert server.calls == 2
    await assert_by_rules(record, "Question Reader: the model gave no usable answer", tmp_path)


async def assert_by_rules(record: Any, why: str, home: Path) -> None:
    """The answer is that of the rules alone, and says why they gave it."""
    offline = await researched(research_services(home / "offline"), record["question"])
    said, _, rest = record["answer"].partition("\n\n")
    assert said.startswith("Fixed rules answer, since the language model gave no usable answer. ")
    assert why in said
    assert rest.replace(" of iteration 2", "") == offline.record["answer"]
    assert (record["status"], record["written_by"]) == (offline.record["status"], "rules")
    assert [one["kind"] for one in record["degraded"]] == ["by_rules"]
    last = record["tasks"][-len(offline.record["tasks"]) :]
    done = [(one["task_id"], one["status"], one["findings"]) for one in last]
    assert done == [(one["task_id"], one["status"], one["findings"]) for one in offline.record["tasks"]]


async def test_a_plan_of_a_model_prescribes_no_calls(tmp_path: Path):
    """Rules and frameworks prescribe calls; a model that writes them into its plan is not obeyed."""
    seen: list[str] = []

    def watch(event: Event) -> None:
        if event.type == "tool_start":
            seen.append(event.data["tool"])

    own = [{"capability": "watchlist", "arguments": {}}, {"capability": "sec_filing_section", "arguments": {}}]
    plan = plan_of({**task(1, "Margins of VELQ"), "calls": own})
    record = (await researched(research_services(tmp_path, scripted({"Planner": plan})), watch=watch)).record
    assert set(seen) == {"get_ttm_analysis"}
    assert record["status"] == "done"


async def test_a_reply_of_a_hundred_calls_carries_out_the_first_of_them(tmp_path: Path):
    def executor(messages: list[BaseMessage], tools: tuple[str, ...]) -> Any:
        if any(one.type == "tool" for one in messages):
            assert sum("Only the first" in one.text for one in messages) == 88
            return "Found."
        calls = [{"name": CALL["name"], "args": CALL["args"], "id": f"c{n}", "type": "tool_call"} for n in range(100)]
        return AIMessage("", tool_calls=calls)

    model = scripted({"Planner": plan_of(task(1)), "Task Executor": executor})
    record = (await researched(research_services(tmp_path, model))).record
    assert len(record["tasks"][0]["facts"]) == 12
    assert record["status"] == "done"


async def test_a_model_that_never_stops_calling_tools_is_asked_to_write(tmp_path: Path):
    def executor(messages: list[BaseMessage], tools: tuple[str, ...]) -> Any:
        return tool_call(CALL["name"], CALL["args"], len(messages)) if tools else "Found."

    model = scripted({"Planner": plan_of(task(1)), "Task Executor": executor})
    record = (await researched(research_services(tmp_path, model, max_tool_rounds=3))).record
    assert roles(model).count("Task Executor") == 4
    assert record["tasks"][0]["status"] == "completed"


async def test_hundreds_of_companies_are_cut_to_twenty_and_said(tmp_path: Path):
    many = {**UNDERSTOOD, "tickers": ["VELQ", *(f"Q{number:03d}" for number in range(400))]}
    model = scripted({"Question Reader": many})
    record = (await researched(research_services(tmp_path, model))).record
    assert len(record["understanding"]["tickers"]) == 20
    assert any("the first 20 are researched" in one for one in record["warnings"])


async def test_texts_that_are_too_long_are_no_reason_to_refuse(tmp_path: Path):
    plan = plan_of(task(1, "Margins of VELQ " * 60), summary="words " * 400)
    model = scripted({"Planner": plan, "Reflector": {**COMPLETE, "reasoning": "because " * 300}})
    assert (await researched(research_services(tmp_path, model))).record["status"] == "done"
    assert roles(model).count("Planner") == 1


async def test_one_prompt_stays_bounded_over_five_iterations_of_ten_long_tasks(tmp_path: Path):
    """A planner sees all results of all iterations; those before the last two are shortened, none loses digits."""
    long = "The revenue of VELQ in this period was 12345.67 million USD, up 8.91 percent. " * 100

    def executor(messages: list[BaseMessage], tools: tuple[str, ...]) -> Any:
        return long if any(one.type == "tool" for one in messages) else tool_call(CALL["name"], CALL["args"])

    ten = plan_of(*(task(number) for number in range(1, 11)))
    changes = {"Planner": ten, "Reflector": INCOMPLETE, "Task Executor": executor}
    model = scripted(changes)
    record = (await researched(research_services(tmp_path, model))).record
    assert record["stopped"] == "max_iterations"
    sizes = [len(text) for text in prompts(model, "Planner")]
    assert all(f'task="{number}.task_1"' in prompts(model, "Planner")[-1] for number in range(1, 5))
    assert sizes[-1] < sizes[0] + 10 * (2 * 1700 + 2 * 600)
    assert sizes[4] - sizes[3] < sizes[2] - sizes[1], "an iteration adds less once older findings are shortened"
    assert "12345.6 …" not in prompts(model, "Planner")[-1]
    assert max(len(text) for text in prompts(model, "Synthesizer")) < 60_000


# Limits of time, money and sources


async def test_what_a_limit_cuts_short_is_listed_below_the_answer(tmp_path: Path):
    def executor(messages: list[BaseMessage], tools: tuple[str, ...]) -> Any:
        return ModelUnreachable("no server") if part_of(messages) == "broken" else executes(messages, tools)

    model = scripted({"Planner": plan_of(task(1, "broken"), task(2)), "Task Executor": executor})
    record = (await researched(research_services(tmp_path, model, llm_max_retries=0))).record
    assert record["status"] == "done"
    assert record["missing"] == ["broken (Task failed after retry, skipped: no server)"]
    assert "**Not found:** broken (Task failed after retry, skipped: no server)." in record["answer"]
    assert record["answer"].rstrip().endswith("trailing twelve months]"), "the sources stay last"


@pytest.mark.parametrize(
    ("calls", "done", "open_ones"),
    [
        (1, 0, []),
        (2, 0, PARTS),
        (7, 0, PARTS),
        (9, 2, ["part 3", "part 4", "part 5", "joined"]),
        (12, 5, ["joined"]),
        (13, 6, []),
        (14, 6, []),
    ],
)
async def test_a_budget_that_runs_out_in_any_phase_keeps_finished_work_and_says_what_is_missing(
    tmp_path: Path, calls: int, done: int, open_ones: list[str]
):
    """The calls: 1 reads the question, 1 plans, 5 + 5 carry out, 1 joins, 1 reflects, 1 writes."""
    model = scripted({"Planner": FIVE})
    with pytest.raises(BudgetReached):
        await researched(research_services(tmp_path, model, max_llm_calls=calls))
    card = card_of(tmp_path)
    assert (card["status"], card["stopped"]) == ("budget", "budget")
    assert [one["status"] for one in card["tasks"]].count("completed") == done
    missing = [one.partition(" (")[0] for one in card["missing"]]
    assert missing == open_ones
    assert all(one in card["answer"] for one in missing) or not done
    assert ("This was found" in card["answer"]) == bool(done)

    again = scripted({"Planner": FIVE})
    (folder,) = (tmp_path / "runs").iterdir()
    more = research_services(tmp_path, again, max_llm_calls=100)
    answer = await resume(RESEARCH, read_manifest(tmp_path, folder.name), more).result()
    assert answer.record["status"] == "done"
    assert answer.record["missing"] == []
    parts = {part_of(call.messages) for call in again.calls if role_of(call.messages) == "Task Executor"}
    assert parts == set(open_ones or ([] if done else PARTS)), "finished tasks are not carried out again"


class SlowModel(ScriptedChatModel):
    """A model that takes its time to write what a task called `slow` found."""

    async def _agenerate(self, messages: list[BaseMessage], *given: Any, **more: Any) -> Any:
        if part_of(messages) == "slow" and any(one.type == "tool" for one in messages):
            await asyncio.sleep(0.1)
        return await super()._agenerate(messages, *given, **more)


async def test_a_task_that_is_writing_when_the_budget_runs_out_may_end(tmp_path: Path):
    """Its reply is paid for: it is not thrown away because another task was refused a call."""

    def executor(messages: list[BaseMessage], tools: tuple[str, ...]) -> Any:
        slow = part_of(messages) == "slow"
        return executes(messages, tools) if slow else tool_call(CALL["name"], CALL["args"], len(messages))

    plan = plan_of(task(1, "slow"), task(2, "hasty"))
    model = scripted({"Planner": plan, "Task Executor": executor}, kind=SlowModel)
    with pytest.raises(BudgetReached):
        await researched(research_services(tmp_path, model, max_llm_calls=6))
    card = card_of(tmp_path)
    assert {one["description"]: one["status"] for one in card["tasks"]} == {"slow": "completed"}
    assert [one.partition(" (")[0] for one in card["missing"]] == ["hasty"]


class HangingModel(ScriptedChatModel):
    """A model that never answers a task executor."""

    async def _agenerate(self, messages: list[BaseMessage], *given: Any, **more: Any) -> Any:
        if role_of(messages) == "Task Executor":
            await asyncio.sleep(600)
        return await super()._agenerate(messages, *given, **more)


async def test_a_direct_turn_that_hangs_ends_at_its_limit(tmp_path: Path):
    model = scripted({"Question Reader": QUICK}, kind=HangingModel)
    record = (await researched(research_services(tmp_path, model, research_task_seconds=0.2), "P/E of VELQ?")).record
    assert (record["status"], record["stopped"]) == ("no_answer", "simple")
    assert "took longer than 0.2 s" in record["answer"]


async def test_a_direct_turn_is_tried_twice_and_then_the_run_fails_and_can_be_resumed(tmp_path: Path):
    model = scripted({"Question Reader": QUICK, "Task Executor": ModelUnreachable("down")})
    with pytest.raises(ModelUnreachable):
        await researched(research_services(tmp_path, model, llm_max_retries=0), "P/E of VELQ?")
    assert roles(model).count("Task Executor") == 2
    (folder,) = (tmp_path / "runs").iterdir()
    again = research_services(tmp_path, scripted({"Question Reader": QUICK}))
    assert (await resume(RESEARCH, read_manifest(tmp_path, folder.name), again).result()).record["status"] == "done"


async def test_a_question_of_two_letters_is_answered(tmp_path: Path):
    record = (await researched(research_services(tmp_path, scripted({"Question Reader": QUICK})), "P?")).record
    assert record["status"] == "done"


async def test_a_bug_in_one_task_leaves_the_others_their_work(tmp_path: Path):
    def executor(messages: list[BaseMessage], tools: tuple[str, ...]) -> Any:
        if part_of(messages) == "buggy":
            raise KeyError("a bug")
        return executes(messages, tools)

    plan = plan_of(task(1, "buggy"), task(2), task(3, after=[1], reason=True))
    record = (
        await researched(research_services(tmp_path, scripted({"Planner": plan, "Task Executor": executor})))
    ).record
    assert [one["status"] for one in record["tasks"]][:2] == ["failed", "completed"]
    assert "an unexpected KeyError" in record["tasks"][0]["note"]
    assert record["status"] == "done"


# Stopping and going on


class WaitingModel(ScriptedChatModel):
    """A model that does not answer `waits` until it is told to."""

    async def _agenerate(self, messages: list[BaseMessage], *given: Any, **more: Any) -> Any:
        if part_of(messages) == "waits":
            await asyncio.sleep(600)
        return await super()._agenerate(messages, *given, **more)


async def test_a_run_that_is_cancelled_keeps_finished_tasks_and_goes_on(tmp_path: Path):
    plan = plan_of(task(1, "quick"), task(2, "waits"), task(3, "later", after=[2], reason=True))
    model = scripted({"Planner": plan}, kind=WaitingModel)
    ended = asyncio.Event()

    def watch(event: Event) -> None:
        if event.type == "task" and event.data["status"] == "completed":
            ended.set()

    services = research_services(tmp_path, model, drain_seconds=0)
    handle = start(
        RESEARCH, ResearchRequest(question="Is VELQ cheap?", day=DAY), services, RunOptions(subscribers=[watch])
    )
    await ended.wait()
    handle.cancel()
    with pytest.raises((Interrupted, asyncio.CancelledError)):
        await handle.result()
    card = card_of(tmp_path)
    assert (card["status"], card["stopped"]) == ("interrupted", "interrupted")
    assert [one["description"] for one in card["tasks"]] == ["quick"]
    assert card["missing"] == ["waits (not carried out)", "later (not carried out)"]
    again = scripted({"Planner": plan})
    manifest = read_manifest(tmp_path, handle.run_id)
    answer = await resume(RESEARCH, manifest, research_services(tmp_path, again)).result()
    assert [one["status"] for one in answer.record["tasks"]] == ["completed"] * 3
    assert "quick" not in [part_of(call.messages) for call in again.calls]


async def test_a_run_that_is_to_stop_begins_no_further_task(tmp_path: Path):
    """Tasks under way may end; those that wait for a place or for another task do not begin."""
    plan = plan_of(task(1, "slow"), task(2, "waiting"), task(3, "dependent", after=[1]))
    services = research_services(
        tmp_path,
        scripted({"Planner": plan}, kind=SlowModel),
        drain_seconds=5,
        max_concurrent_research_tasks=1,
    )
    handles: list[Any] = []

    def watch(event: Event) -> None:
        if event.type == "task" and event.data["status"] == "running":
            handles[0].cancel()

    asked = ResearchRequest(question="Is VELQ cheap?", day=DAY)
    handles.append(start(RESEARCH, asked, services, RunOptions(subscribers=[watch])))
    with pytest.raises(Interrupted):
        await handles[0].result()
    card = card_of(tmp_path)
    assert {one["description"]: one["status"] for one in card["tasks"]} == {"slow": "completed"}
    assert [one.partition(" (")[0] for one in card["missing"]] == ["waiting", "dependent"]


async def test_a_run_is_resumed_by_one_process_at_a_time(tmp_path: Path):
    with pytest.raises(BudgetReached):
        await researched(research_services(tmp_path, scripted(), max_llm_calls=3))
    (folder,) = (tmp_path / "runs").iterdir()
    manifest = read_manifest(tmp_path, folder.name)
    model = scripted(delay=0.05)
    both = [resume(RESEARCH, manifest, research_services(tmp_path, model)) for _ in range(2)]
    ended = await asyncio.gather(*(one.result() for one in both), return_exceptions=True)
    assert sum(isinstance(one, RunBusy) for one in ended) == 1, ended
    assert [one.record["status"] for one in ended if not isinstance(one, BaseException)] == ["done"]
    assert roles(model).count("Synthesizer") == 1


async def test_an_answer_goes_to_the_run_that_asked_even_where_another_of_the_session_waits(tmp_path: Path):
    """Both runs wait in one session; the answer to the first must not be taken as the answer to the second."""

    def reader(messages: list[BaseMessage], tools: tuple[str, ...]) -> Any:
        text = messages[-1].text
        if "Clarified by the user" in text:
            return json.dumps(UNDERSTOOD)
        said = "Which year?" if "How did VELQ grow?" in text else "Which peer?"
        return json.dumps({**UNDERSTOOD, "confidence": 0.5, "clarification": said})

    model = scripted({"Question Reader": reader})
    services = research_services(tmp_path, model)
    with pytest.raises(AwaitingApproval, match="Which year") as first:
        await researched(services, "How did VELQ grow?", session="s1")
    with pytest.raises(AwaitingApproval, match="Which peer"):
        await researched(services, "How does VELQ compare?", session="s1")
    manifest = read_manifest(tmp_path, first.value.run_id)
    answer = await resume(RESEARCH, manifest, services, answer={"text": "2024"}).result()
    assert answer.record["question"] == "How did VELQ grow?"
    told = [text for text in prompts(model, "Question Reader") if "Clarified by the user: 2024" in text]
    assert all("How did VELQ grow?" in text and "How does VELQ compare?" not in text for text in told)
    assert told


# What a user edits


async def test_an_edited_plan_keeps_the_calls_of_the_tasks_that_were_kept(tmp_path: Path):
    """Without a model a task is answered by the calls that its framework prescribes; an editor does not show them."""
    services = research_services(tmp_path)
    with pytest.raises(AwaitingApproval) as waiting:
        await researched(services, "Run a DuPont analysis of VELQ", approve_plan=True)
    manifest = read_manifest(tmp_path, waiting.value.run_id)
    log = (tmp_path / "runs" / manifest.run_id / "events.jsonl").read_text().splitlines()
    (proposed,) = (event["data"]["plan"] for event in map(json.loads, log) if event["type"] == "plan")
    edited = {**proposed, "tasks": proposed["tasks"][:1]}
    assert "calls" not in edited["tasks"][0]
    answer = await resume(RESEARCH, manifest, services, answer={"verdict": "approve", "plan": edited}).result()
    assert [one["status"] for one in answer.record["tasks"]] == ["completed"]
    assert answer.record["tasks"][0]["facts"][0]["figures"]


@pytest.mark.parametrize("name", ["no_such_tool", "watchlist"])
async def test_an_edited_plan_cannot_call_what_tasks_may_not(tmp_path: Path, name: str):
    services = research_services(tmp_path, scripted({"Planner": [REPLIES["Planner"]]}))
    with pytest.raises(AwaitingApproval) as waiting:
        await researched(services, approve_plan=True)
    manifest = read_manifest(tmp_path, waiting.value.run_id)
    edited = plan_of({**task(1, "Mine"), "calls": [{"capability": name}]})
    with pytest.raises(AwaitingApproval, match=f"no tool {name}"):
        await resume(RESEARCH, manifest, services, answer={"verdict": "approve", "plan": edited}).result()


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ({"tasks": "none"}, "is no plan"),
        (plan_of(), "has no task"),
        ({"summary": "s", "tasks": [{"id": "a b"}]}, "is no plan"),
    ],
)
async def test_an_edited_plan_that_cannot_be_used_is_asked_for_again(tmp_path: Path, plan: Any, said: str):
    services = research_services(tmp_path, scripted())
    with pytest.raises(AwaitingApproval) as waiting:
        await researched(services, approve_plan=True)
    manifest = read_manifest(tmp_path, waiting.value.run_id)
    with pytest.raises(AwaitingApproval, match=said):
        await resume(RESEARCH, manifest, services, answer={"verdict": "approve", "plan": plan}).result()


async def test_a_plan_edited_down_to_nothing_is_answered_by_one_direct_turn(tmp_path: Path):
    services = research_services(tmp_path, scripted())
    with pytest.raises(AwaitingApproval) as waiting:
        await researched(services, approve_plan=True)
    manifest = read_manifest(tmp_path, waiting.value.run_id)
    answer = await resume(
        RESEARCH, manifest, services, answer={"verdict": "approve", "plan": plan_of(simple=True)}
    ).result()
    assert [one["task_id"] for one in answer.record["tasks"]] == ["direct"]
    assert answer.record["stopped"] == "simple"


# A source that dies


class DyingVendor(SimulatedVendor):
    """A source that answers its first questions on prices, and then no more."""

    left = 1

    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        self.left -= 1
        if self.left < 0:
            raise VendorDown("the source hung up; try again later.")
        return super().get_stock_data(symbol, start, end)


async def test_a_source_that_dies_in_the_middle_leaves_what_was_read_before(tmp_path: Path):
    def executor(messages: list[BaseMessage], tools: tuple[str, ...]) -> Any:
        if not tools or any(one.type == "tool" for one in messages):
            return "The price is known."
        symbol = part_of(messages).split()[-1]
        return tool_call("get_stock_data", {"symbol": symbol, "start_date": "2025-02-03", "end_date": DAY})

    plan = plan_of(
        task(1, "Prices of VELQ"),
        task(2, "Prices of MODZ", after=[1]),
        task(3, "Weigh both", after=[1, 2], reason=True),
    )
    model = scripted({"Planner": plan, "Task Executor": executor})
    settings = load_settings(
        {"data_vendor": "simulated", "llm_provider": "offline", "home": tmp_path, "vendor_max_retries": 0}, environ={}
    )
    vendors = Vendors(settings, {"simulated": DyingVendor()})
    services = open_services(settings, {}, models=TierModels.same(model), vendors=vendors)
    record = (await researched(services)).record
    assert [one["status"] for one in record["tasks"]] == ["completed", "failed", "completed"]
    assert "the source hung up" in record["tasks"][1]["note"]
    assert record["missing"][0].startswith("Prices of MODZ (Task failed after retry, skipped")
    assert "**Not found:** Prices of MODZ" in record["answer"]
    assert (record["status"], record["stopped"]) == ("done", "complete")
