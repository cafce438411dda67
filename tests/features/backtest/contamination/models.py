"""A model that reads the data it is given, and one that decides by the name and the day it recognises."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage

from tests.support.graph_factory import DECIDERS, report_of, role_of, sound_verdict
from tradingagents.llm_clients.scripted import Reply, ScriptedChatModel

ACTIONS = ("BUY", "SELL", "HOLD")
_CHANGE = re.compile(r"\| change_1m \| (-?[\d.]+)%")
_SIGNAL = re.compile(r"SIGNAL ([A-Z]+)")
_FACT = re.compile(r"^(?:Ticker|Trade date): (\S+)$", re.MULTILINE)


def reader() -> ScriptedChatModel:
    """A model that follows the price of the last month, whatever the company is called."""

    def script(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Reply:
        text = "\n".join(message.text for message in messages)
        if role_of(messages) in DECIDERS:
            found = _SIGNAL.search(text)
            assert found is not None
            return sound_verdict(messages, action=found[1])
        found = _CHANGE.search(text)
        change = float(found[1]) if found is not None else 0.0
        signal = "BUY" if change > 1 else "SELL" if change < -1 else "HOLD"
        return f"SIGNAL {signal}\n{report_of(messages)}"

    return ScriptedChatModel(script)


def memoriser(seed: int = 0) -> ScriptedChatModel:
    """A model that understands no figure: it decides by ticker and day, as if it remembered what came after."""

    def script(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Reply:
        if role_of(messages) not in DECIDERS:
            return report_of(messages)
        known = f"{seed} {_FACT.findall(messages[0].text)}"
        drawn = hashlib.sha256(known.encode()).digest()[0]
        return sound_verdict(messages, action=ACTIONS[drawn % len(ACTIONS)])

    return ScriptedChatModel(script)


def calls_of(model: ScriptedChatModel) -> str:
    """Everything that a model was sent, as one text."""
    return "\n".join(
        f"{message.text} {message.tool_calls if isinstance(message, AIMessage) else ''}"
        for call in model.calls
        for message in call.messages
    )
