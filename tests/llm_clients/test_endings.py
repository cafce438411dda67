"""How providers say that a reply is not whole, and that we hear it: whole, streamed, and as a typed answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from benchmarks.openai_server import Answer, OpenAIServer, ToolCall
from tests.llm_clients.conftest import MakeModel
from tests.llm_clients.schemas import GOOD, Opinion
from tradingagents.llm_clients.calls import call_model
from tradingagents.llm_clients.model_profile import Method
from tradingagents.llm_clients.reply_text import Ending, ending
from tradingagents.llm_clients.structured import Model, structured_call

ASK = [HumanMessage("What do you think?")]


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({}, "whole"),
        ({"finish_reason": "stop"}, "whole"),
        ({"finish_reason": "tool_calls"}, "whole"),
        ({"finish_reason": "STOP"}, "whole"),
        ({"stop_reason": "end_turn"}, "whole"),
        ({"stop_reason": "stop_sequence"}, "whole"),
        ({"done_reason": "stop"}, "whole"),
        ({"status": "completed", "incomplete_details": None}, "whole"),
        ({"finish_reason": None}, "whole"),
        ({"finish_reason": 7}, "whole"),
        ({"finish_reason": "length"}, "cut"),
        ({"finish_reason": "lengthlength"}, "cut"),
        ({"finish_reason": "MAX_TOKENS"}, "cut"),
        ({"finish_reason": "FinishReason.MAX_TOKENS"}, "cut"),
        ({"stop_reason": "max_tokens"}, "cut"),
        ({"stop_reason": "model_context_window_exceeded"}, "cut"),
        ({"done_reason": "length"}, "cut"),
        ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}, "cut"),
        ({"finish_reason": "content_filter"}, "censored"),
        ({"stop_reason": "refusal"}, "censored"),
        ({"finish_reason": "SAFETY"}, "censored"),
        ({"finish_reason": "RECITATION"}, "censored"),
        ({"finish_reason": "PROHIBITED_CONTENT"}, "censored"),
        ({"prompt_feedback": {"block_reason": "OTHER"}}, "censored"),
        ({"incomplete_details": {"reason": "content_filter"}}, "censored"),
    ],
)
def test_every_provider_s_words_for_the_end_of_a_reply(metadata: dict[str, Any], expected: Ending):
    assert ending(AIMessage("The company is", response_metadata=metadata)) == expected


def test_a_refusal_beside_the_text_is_one():
    assert ending(AIMessage("", additional_kwargs={"refusal": "I cannot help with that."})) == "censored"


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(("reason", "expected"), [("length", "cut"), ("content_filter", "censored"), ("stop", "whole")])
async def test_a_server_s_reason_arrives(
    server: OpenAIServer, make_model: MakeModel, stream: bool, reason: str, expected: Ending
):
    server.answer(Answer(text="The company is", finish_reason=reason))
    on_token = (lambda text: None) if stream else None
    assert ending(await call_model(make_model(server.url), ASK, on_token=on_token)) == expected


async def asked(model: Model, messages: Sequence[BaseMessage]) -> AIMessage:
    return await call_model(model, messages)


@pytest.mark.parametrize("method", ["function_calling", "json_schema", "json_mode", "prompt"])
@pytest.mark.parametrize(
    ("reason", "told"), [("length", "cut at its length limit"), ("content_filter", "content filter stopped")]
)
async def test_a_typed_answer_that_is_cut_or_censored_is_asked_for_again(
    server: OpenAIServer, make_model: MakeModel, method: Method, reason: str, told: str
):
    """Even where what arrived can be read: constrained decoding closes a cut object."""
    import json

    def reply(**more: Any) -> Answer:
        if method == "function_calling":
            return Answer(tool_calls=(ToolCall("Opinion", GOOD),), **more)
        return Answer(text=json.dumps(GOOD), **more)

    server.answer(reply(finish_reason=reason), reply())
    answer = await structured_call(asked, make_model(server.url), Opinion, ASK, method=method)
    assert answer.repaired
    assert told in server.requests[-1]["prompt"] or told in str(server.requests[-1]["request"])


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
async def test_arguments_that_give_a_key_two_values_are_not_read_as_the_last(
    server: OpenAIServer, make_model: MakeModel, stream: bool
):
    twice = '{"action": "BUY", "confidence": 0.7, "rationale": "Sales grew by 12 %.", "action": "SELL"}'
    server.answer(Answer(tool_calls=(ToolCall("Opinion", twice),)))
    on_token = (lambda text: None) if stream else None
    reply = await call_model(make_model(server.url), ASK, on_token=on_token)
    assert reply.tool_calls == []
    assert reply.invalid_tool_calls[0]["args"] == twice
