from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from benchmarks.openai_server import Answer, OpenAIServer, ToolCall
from tests.llm_clients.conftest import MakeModel
from tests.llm_clients.schemas import GOOD, Opinion
from tradingagents.agents.schemas import Verdict
from tradingagents.errors import BudgetReached, ModelFailure
from tradingagents.llm_clients.calls import RequestRefused, call_model
from tradingagents.llm_clients.model_profile import Method
from tradingagents.llm_clients.scripted import ScriptedChatModel
from tradingagents.llm_clients.structured import Model, Structured, StructuredOutputError, structured_call

QUESTION = [SystemMessage("You judge."), HumanMessage("# Your role: Judge\nDecide.")]


async def ask(model: Model, messages: Sequence[BaseMessage]) -> AIMessage:
    return await call_model(model, messages)


def called(arguments: dict[str, Any], name: str = "Opinion") -> AIMessage:
    return AIMessage("", tool_calls=[{"name": name, "args": arguments, "id": "call_1"}])


async def opinion(*script: AIMessage | str, method: Method = "function_calling") -> Structured[Opinion]:
    return await structured_call(ask, ScriptedChatModel(script), Opinion, QUESTION, method=method)


async def test_a_tool_call_that_fits_is_the_answer() -> None:
    answer = await opinion(called({**GOOD, "action": "buy", "entry": "null", "confidence": "0.7"}))
    assert answer.value == Opinion(action="BUY", confidence=0.7, rationale="Sales grew by 12 %.")
    assert len(answer.replies) == 1
    assert not answer.repaired


async def test_the_schema_is_forced_as_the_only_tool() -> None:
    model = ScriptedChatModel([called(GOOD)])
    await structured_call(ask, model, Opinion, QUESTION, method="function_calling")
    assert (model.calls[0].tools, model.calls[0].tool_choice) == (("Opinion",), "Opinion")
    assert list(model.calls[0].messages) == QUESTION


async def test_one_mistake_is_shown_to_the_model_and_corrected() -> None:
    model = ScriptedChatModel([called({**GOOD, "confidence": 64}), called(GOOD)])
    answer = await structured_call(ask, model, Opinion, QUESTION, method="function_calling")
    assert answer.repaired
    assert len(answer.replies) == 2
    *question, shown, objection = model.calls[1].messages
    assert question == QUESTION
    assert json.loads(shown.text)["confidence"] == 64
    assert "confidence: Input should be less than or equal to 1 (it was 64)" in objection.text
    assert model.calls[1].tool_choice == "Opinion"


async def test_two_mistakes_end_in_an_error_that_quotes_the_last_and_not_the_prompt() -> None:
    model = ScriptedChatModel([called({}), called({**GOOD, "action": "ACCUMULATE"})])
    with pytest.raises(StructuredOutputError) as caught:
        await structured_call(ask, model, Opinion, QUESTION, method="function_calling")
    assert str(caught.value) == (
        "the model gave no usable answer in two attempts: action: Input should be 'BUY', 'SELL' or 'HOLD' (it was "
        '"ACCUMULATE"); name a larger model.'
    )
    assert caught.value.reason.startswith("action: Input should be")
    assert caught.value.exit_code == ModelFailure.exit_code
    assert len(model.calls) == 2


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("", "the answer was empty"),
        ("I would buy it.", "contains no JSON object"),
        (called({"day": 1}, name="get_news"), "you called get_news, not Opinion"),
        (called({**GOOD, "facts": [{"claim": "x"}]}), "facts.0.source: Field required"),
        (called({**GOOD, "entry": "inf"}), "entry: must be a finite number"),
        (called({**GOOD, "rationale": ""}), "rationale: String should have at least 5 characters"),
        (
            AIMessage("", invalid_tool_calls=[{"name": "Opinion", "args": '{"action": "BU', "id": "1", "error": None}]),
            "cut at its length limit",
        ),
        (
            AIMessage('{"action": "BUY", "rat', response_metadata={"finish_reason": "length"}),
            "cut at its length limit",
        ),
    ],
)
async def test_every_kind_of_unusable_answer_gets_its_reason(bad: AIMessage | str, reason: str) -> None:
    model = ScriptedChatModel([bad, called(GOOD)])
    answer = await structured_call(ask, model, Opinion, QUESTION, method="function_calling")
    assert answer.repaired
    assert reason in model.calls[1].messages[-1].text
    assert all(message.text for message in model.calls[1].messages)


async def test_json_in_the_text_counts_where_a_model_ignores_the_tool() -> None:
    answer = await opinion(f"<think>hm</think>Sure:\n```json\n{json.dumps(GOOD)}\n```")
    assert answer.value.action == "BUY"
    assert not answer.repaired


async def test_asked_by_prompt_the_schema_ends_the_last_message() -> None:
    model = ScriptedChatModel([json.dumps(GOOD)])
    answer = await structured_call(ask, model, Opinion, QUESTION, method="prompt")
    assert answer.value.confidence == 0.7
    system, human = model.calls[0].messages
    assert system.text == "You judge."
    assert human.text.startswith("# Your role: Judge\nDecide.\n\nAnswer with one JSON object")
    assert '"What to do"' in human.text
    assert model.calls[0].tools == ()


async def test_a_budget_that_ends_before_the_repair_ends_the_call() -> None:
    made = 0

    async def once(model: Model, messages: Sequence[BaseMessage]) -> AIMessage:
        nonlocal made
        made += 1
        if made > 1:
            raise BudgetReached("used up")
        return await call_model(model, messages)

    with pytest.raises(BudgetReached):
        await structured_call(once, ScriptedChatModel(["no"]), Opinion, QUESTION, method="function_calling")


@pytest.mark.parametrize("method", ["function_calling", "json_schema", "json_mode"])
async def test_a_real_client_and_server_agree_on_every_method(
    server: OpenAIServer, make_model: MakeModel, method: Method
) -> None:
    answer = await structured_call(ask, make_model(server.url), Verdict, QUESTION, method=method)
    assert (answer.value.action, answer.value.confidence, answer.value.target) == ("BUY", 0.64, 114.0)
    sources = [one.source for one in answer.value.key_evidence]
    assert sources == ([] if method == "json_mode" else ["get_ttm_analysis"])
    request = server.requests[0]["request"]
    assert ("response_format" in request) == (method != "function_calling")
    assert server.requests[0]["role"] == "Judge"


async def test_a_server_that_refuses_tools_is_asked_by_prompt(server: OpenAIServer, make_model: MakeModel) -> None:
    server.answer(Answer(status=400, error="tool_choice is not supported"), Answer(text=json.dumps(GOOD)))
    answer = await structured_call(ask, make_model(server.url), Opinion, QUESTION, method="function_calling")
    assert answer.value.action == "BUY"
    assert not answer.repaired
    assert server.requests[1]["tools"] == []
    assert "JSON schema" in server.requests[1]["prompt"]


async def test_a_server_that_refuses_the_prompt_too_fails_with_its_reason(
    server: OpenAIServer, make_model: MakeModel
) -> None:
    server.always(Answer(status=400, error="no such parameter"))
    with pytest.raises(RequestRefused, match="no such parameter"):
        await structured_call(ask, make_model(server.url), Opinion, QUESTION, method="function_calling")
    assert server.calls == 2


async def test_broken_arguments_are_repaired_over_a_real_connection(
    server: OpenAIServer, make_model: MakeModel
) -> None:
    server.answer(Answer(tool_calls=(ToolCall("Opinion", '{"action": "BUY", "confid'),)), role="Judge")
    server.answer(Answer(tool_calls=(ToolCall("Opinion", GOOD),)), role="Judge")
    answer = await structured_call(ask, make_model(server.url), Opinion, QUESTION, method="function_calling")
    assert answer.repaired
    assert "confid" not in server.requests[1]["prompt"].partition("JSON schema")[0]
    assert "half as many words" in server.requests[1]["prompt"]


CUT_VERDICT = (
    '{"action":"BUY","confidence":0.98,"rationale":"The view will continue to exist",'
    '"key_evidence":[{"claim":"P/E is 33.9","source":"a"},{"claim":"175'
)


@pytest.mark.parametrize("reported", [True, False], ids=["reported", "unreported"])
@pytest.mark.parametrize("method", ["function_calling", "json_schema", "prompt"])
async def test_a_cut_object_is_called_cut_and_not_shown_to_the_model_again(method: Method, reported: bool) -> None:
    reply = AIMessage(CUT_VERDICT, response_metadata={"finish_reason": "length"} if reported else {})
    model = ScriptedChatModel([reply, reply])
    with pytest.raises(StructuredOutputError) as caught:
        await structured_call(ask, model, Verdict, QUESTION, method=method)
    assert caught.value.reason == "the reply was cut at its length limit"
    assert str(caught.value).endswith("; raise max_output_tokens, or name a larger model.")
    assert "Field required" not in str(caught.value)
    again = model.calls[1].messages
    assert [message.type for message in again] == ["system", "human"]
    assert "continue to exist" not in again[-1].text
    assert "half as many words" in again[-1].text


async def test_an_inner_object_of_a_broken_one_is_no_answer() -> None:
    inner = f'{{"opinion": {json.dumps(GOOD)}, }}'
    model = ScriptedChatModel([inner, called(GOOD)])
    assert (await structured_call(ask, model, Opinion, QUESTION, method="function_calling")).repaired


@pytest.mark.parametrize(
    "copied",
    [
        "Say why in two to four sentences of your own; quote the figures that decide",
        "Say why, in two to four sentences of your own; quote the figures that decide it.",
        "State one fact in a sentence: quote the figure, and name its metric and period.",
    ],
)
async def test_a_description_of_the_schema_is_no_answer(copied: str) -> None:
    bad = {"action": "BUY", "confidence": 0.5, "rationale": copied}
    model = ScriptedChatModel([called(bad, "Verdict"), called({**bad, "rationale": GOOD_REASON}, "Verdict")])
    answer = await structured_call(ask, model, Verdict, QUESTION, method="function_calling")
    assert (answer.repaired, answer.value.rationale) == (True, GOOD_REASON)
    assert "repeats a description of the schema" in model.calls[1].messages[-1].text


GOOD_REASON = "Sales grew by 12 %, which stands in the report; one sentence is enough."


class ServerWithoutTools(OpenAIServer):
    """Takes a forced tool call and ignores it, as llama.cpp does where the model's template has no tools."""

    refuses_schemas = False

    def choose(self, body: Mapping[str, Any], role: str | None) -> Answer:
        if "response_format" not in body:
            whole = "JSON schema" in str(body["messages"]) and self.refuses_schemas
            return Answer(text=json.dumps(GOOD) if whole else "I would buy it.")
        if self.refuses_schemas:
            return Answer(status=400, error="response_format is not supported")
        return super().choose(body, role)


async def test_a_forced_call_that_comes_back_as_prose_is_repaired_by_a_schema(make_model: MakeModel) -> None:
    with ServerWithoutTools() as server:
        model = make_model(server.url)
        answer = await structured_call(ask, model, Verdict, QUESTION, method="function_calling", repair="json_schema")
    assert (answer.value.action, answer.repaired, answer.method) == ("BUY", True, "json_schema")
    first, second = server.requests
    assert (first["tools"], "response_format" in first["request"]) == (["Verdict"], False)
    assert (second["tools"], second["request"]["response_format"]["type"]) == ([], "json_schema")
    assert second["prompt"].count('"key_evidence"') == 1


async def test_a_server_that_refuses_the_schema_too_is_asked_by_prompt(make_model: MakeModel) -> None:
    with ServerWithoutTools() as server:
        server.refuses_schemas = True
        model = make_model(server.url)
        answer = await structured_call(ask, model, Opinion, QUESTION, method="function_calling", repair="json_schema")
    assert (answer.value.action, answer.method, server.calls) == ("BUY", "prompt", 3)


async def test_a_mistake_in_a_forced_call_is_repaired_by_a_forced_call() -> None:
    model = ScriptedChatModel([called({**GOOD, "confidence": 64}), called(GOOD)])
    answer = await structured_call(ask, model, Opinion, QUESTION, method="function_calling", repair="json_schema")
    assert (answer.method, model.calls[1].tool_choice) == ("function_calling", "Opinion")


SELL = {**GOOD, "action": "SELL"}


@pytest.mark.parametrize(
    ("first", "reason"),
    [
        (f"For example {json.dumps(GOOD)}, but my answer is {json.dumps(SELL)}.", "you gave 2 different answers"),
        (f"```json\n{json.dumps(GOOD)}\n```\nOr rather:\n```json\n{json.dumps(SELL)}\n```", "2 different answers"),
        (AIMessage("", tool_calls=[*called(GOOD).tool_calls, *called(SELL).tool_calls]), "2 different answers"),
        (AIMessage(f"I mean {json.dumps(SELL)}", tool_calls=called(GOOD).tool_calls), "2 different answers"),
        (json.dumps(GOOD)[:-1] + ', "action": "SELL"}', "'action' occurs twice, with different values"),
    ],
)
async def test_a_contradiction_decides_nothing(first: AIMessage | str, reason: str) -> None:
    model = ScriptedChatModel([first, called(SELL)])
    answer = await structured_call(ask, model, Opinion, QUESTION, method="function_calling")
    assert (answer.repaired, answer.value.action) == (True, "SELL")
    assert reason in model.calls[1].messages[-1].text
    with pytest.raises(StructuredOutputError, match="different"):
        await opinion(first, first)


@pytest.mark.parametrize(
    "same",
    [
        f"{json.dumps(GOOD)}\n\nTo repeat: {json.dumps(GOOD)}",
        f'The schema was {{"properties": {{}}}}; here it is: {json.dumps(GOOD)}',
        AIMessage("", tool_calls=[*called(GOOD).tool_calls, *called(GOOD).tool_calls]),
        json.dumps(GOOD)[:-1] + ', "action": "BUY"}',
    ],
)
async def test_an_answer_said_twice_is_one(same: AIMessage | str) -> None:
    assert not (await opinion(same)).repaired
