"""The hash of a request: the same in any process, and another after any change that a model could see."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.runnables import Runnable
from pydantic import BaseModel, Field

from tradingagents.capabilities.prices import get_indicators, get_stock_data
from tradingagents.capabilities.tools import as_tool
from tradingagents.llm_clients.providers import create_chat_model
from tradingagents.llm_clients.scripted import ScriptedChatModel
from tradingagents.llm_clients.stored_calls import request_hash
from tradingagents.settings import Settings

URL = "http://127.0.0.1:1/v1"
ROOT = Path(__file__).resolve().parents[2]


def model(
    name: str = "m", url: str = URL, key: str = "k", provider: str = "openai_compatible", **settings: Any
) -> Runnable[Any, Any]:
    return create_chat_model(
        provider, name, base_url=url, settings=Settings(**settings), environ={"OPENAI_COMPATIBLE_API_KEY": key}
    )


def conversation(
    system: str = "You study.",
    asked: str = "What of ACME?",
    arguments: dict[str, Any] | None = None,
    call: str = "c1",
    answer: str = "| close | 50.0 |",
    status: str = "success",
) -> list[BaseMessage]:
    wanted = {"name": "get_stock_data", "args": arguments or {"ticker": "ACME"}, "id": call, "type": "tool_call"}
    return [
        SystemMessage(system),
        HumanMessage(asked),
        AIMessage("", tool_calls=[wanted]),
        ToolMessage(answer, tool_call_id=call, name="get_stock_data", status=status),
    ]


class Wanted(BaseModel):
    """What is wanted."""

    action: str = Field(description="What to do.")


class WantedElsewise(BaseModel):
    """What is wanted."""

    action: str = Field(description="What to do!")


def bound(**more: Any) -> Runnable[Any, Any]:
    return model().bind_tools([as_tool(get_stock_data)], **more)  # type: ignore[attr-defined,no-any-return]


OTHERS: dict[str, Callable[[], tuple[Runnable[Any, Any], Sequence[BaseMessage]]]] = {
    "model": lambda: (model("n"), conversation()),
    "host": lambda: (model(url="http://127.0.0.1:2/v1"), conversation()),
    "path": lambda: (model(url="http://127.0.0.1:1/v2"), conversation()),
    "provider": lambda: (model(provider="ollama"), conversation()),
    "temperature": lambda: (model(temperature=0.1), conversation()),
    "other temperature": lambda: (model(temperature=0.2), conversation()),
    "effort": lambda: (model("gpt-oss-20b", openai_reasoning_effort="low"), conversation()),
    "other effort": lambda: (model("gpt-oss-20b", openai_reasoning_effort="high"), conversation()),
    "longest reply": lambda: (model(max_output_tokens=100), conversation()),
    "seed": lambda: (model().bind(seed=1), conversation()),
    "system": lambda: (model(), conversation(system="You study!")),
    "question": lambda: (model(), conversation(asked="What of ACMF?")),
    "call id": lambda: (model(), conversation(call="c2")),
    "arguments": lambda: (model(), conversation(arguments={"ticker": "ACMF"})),
    "one character of a tool's answer": lambda: (model(), conversation(answer="| close | 50.1 |")),
    "status of a tool's answer": lambda: (model(), conversation(status="error")),
    "order": lambda: (model(), [conversation()[1], conversation()[0], *conversation()[2:]]),
    "a message less": lambda: (model(), conversation()[:2]),
    "tool": lambda: (bound(), conversation()),
    "other tool": lambda: (model().bind_tools([as_tool(get_indicators)]), conversation()),  # type: ignore[attr-defined]
    "two tools": lambda: (
        model().bind_tools([as_tool(get_stock_data), as_tool(get_indicators)]),  # type: ignore[attr-defined]
        conversation(),
    ),
    "forced tool": lambda: (bound(tool_choice="get_stock_data"), conversation()),
    "tool schema": lambda: (model().bind_tools([Wanted]), conversation()),  # type: ignore[attr-defined]
    "other description": lambda: (model().bind_tools([WantedElsewise]), conversation()),  # type: ignore[attr-defined]
    "form of the answer": lambda: (model().bind(response_format={"type": "json_object"}), conversation()),
}


def test_every_change_that_a_model_could_see_changes_the_hash():
    hashes = {name: request_hash(*make()) for name, make in OTHERS.items()}
    hashes["as it is"] = request_hash(model(), conversation())
    hashes["effort's model"] = request_hash(model("gpt-oss-20b"), conversation())
    assert len(set(hashes.values())) == len(hashes)


@pytest.mark.parametrize(
    "same",
    [
        lambda: model(key="another key"),
        lambda: model(url="http://me:secret@127.0.0.1:1/v1/"),
        lambda: model(llm_timeout=1.0, llm_max_retries=0),
        lambda: model(stream_tokens=True),
        lambda: model().bind(),
    ],
    ids=["key", "password", "patience", "streaming", "bound to nothing"],
)
def test_what_changes_no_answer_changes_no_hash(same: Callable[[], Runnable[Any, Any]]):
    assert request_hash(same(), conversation()) == request_hash(model(), conversation())


def test_what_a_message_carries_beside_its_text_changes_no_hash():
    plain, carrying = conversation(), conversation()
    for number, message in enumerate(carrying):
        message.id = f"run-{number}"
    carrying[-1].artifact = {"seen": {"ACME": 1}}  # type: ignore[attr-defined]
    carrying[2].usage_metadata = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}  # type: ignore[attr-defined]
    assert request_hash(model(), carrying) == request_hash(model(), plain)


SHOW = """
from tests.llm_clients.test_request_hash import bound, conversation
from tradingagents.llm_clients.stored_calls import request_hash
print(request_hash(bound(tool_choice="get_stock_data"), conversation()))
"""


def test_every_process_hashes_alike():
    here = request_hash(bound(tool_choice="get_stock_data"), conversation())
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "1"}
    done = subprocess.run([sys.executable, "-c", SHOW], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == here


@given(st.text(), st.text())
def test_two_texts_share_a_hash_only_if_they_are_the_same(one: str, other: str):
    asked = (request_hash(ScriptedChatModel([]), [HumanMessage(text)]) for text in (one, other))
    assert (next(asked) == next(asked)) == (one == other)


def test_what_json_cannot_tell_apart_has_no_hash():
    with pytest.raises(TypeError):
        request_hash(model().bind(judge=object()), conversation())
