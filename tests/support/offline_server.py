"""A model server that answers as the offline analysts do: whole runs over the real client, with answers that mean it.

    with OfflineServer() as server:
        graph = TradingAgentsGraph(config=server_config(server, home))

A run against it comes to the decision of a run with `llm_provider=offline` on the simulated market. The wire carries no
brief: the server reads it back from the prompt, and asks the simulated market what the agent's tools were told.
"""

from __future__ import annotations

import json
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, TypeVar

from langchain_core.messages import BaseMessage, ToolMessage, convert_to_messages

from benchmarks.openai_server import Answer, OpenAIServer, ToolCall
from tests.support.prompt_reader import ReadPrompt, prescribed_in, read_prompt
from tradingagents.agents.builders import briefs
from tradingagents.agents.builders.subject_question import READER
from tradingagents.agents.roster import roster
from tradingagents.agents.scanners.candidates import PickCount
from tradingagents.agents.spec import ReportAgent, SynthesisAgent
from tradingagents.agents.standalone import Parts, context_of
from tradingagents.analytics.market.scanned import SeenStock
from tradingagents.context import Findings, RunContext
from tradingagents.dataflows.gateway.cache import Memo
from tradingagents.dataflows.interface import Vendors
from tradingagents.llm_clients.offline_model import answer
from tradingagents.offline.brief import Brief
from tradingagents.schemas.decision import Decision
from tradingagents.settings import load_settings

T = TypeVar("T")


class OfflineServer(OpenAIServer):
    """The server; answers it was given by `answer` and `always` come first."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._contexts: dict[str, RunContext] = {}

    def ponder(self, body: Mapping[str, Any]) -> Answer:
        """Return what the offline analysts answer to a request."""
        if self.requests[-1]["role"] == READER:
            return _subject(body)
        messages = messages_of(body["messages"])
        said = answer(self._brief(messages), body.get("tools") or (), body.get("tool_choice"))
        return Answer(
            text=said.text or None, tool_calls=tuple(ToolCall(call["name"], call["args"]) for call in said.tool_calls)
        )

    def _brief(self, messages: Sequence[BaseMessage]) -> Brief:
        """Return what the agent knew that sent these messages."""
        prompt = read_prompt(messages)
        spec = next((one for one in roster().every if one.name == prompt.role), None)
        if spec is None or not prompt.facts:
            return Brief(prompt.role)
        context, state = self._context(prompt), _state(prompt)
        if isinstance(spec, ReportAgent):
            # Of one conversation, in which a call may have failed: not for the readers of other runs' reports. A scan's
            # prompts do not hold what its initial calls depend on, so that its readings cannot be worked out again.
            scan = "Scan date" in prompt.facts
            own = context if scan else replace(context, found=Findings(answers=context.found.answers))
            return _at_once(briefs.report_brief(spec, own, state, prescribed_in(messages), messages))
        if isinstance(spec, SynthesisAgent):
            seen = {
                one.ticker: SeenStock(name=one.name, sector=one.sector, tools=[*one.tools], figures=dict(one.moves))
                for one in prompt.candidates
            }
            asked = PickCount(*prompt.picks, shortage=None)
            return _at_once(briefs.synthesis_brief(spec, context, state, seen, asked, messages))
        turns = [{"speaker": turn.speaker, "text": turn.text} for turn in prompt.turns]
        brief = _at_once(briefs.reader_brief(spec, context, state, turns, (), messages))  # type: ignore[arg-type]
        return replace(brief, lessons=prompt.lessons, largest_position=prompt.largest_position)

    def _context(self, prompt: ReadPrompt) -> RunContext:
        """Return the simulated market of a run's subject and day."""
        key = json.dumps(prompt.facts)
        if key not in self._contexts:
            settings = load_settings({"data_vendor": "simulated"}, environ={})
            parts = Parts(settings=settings, vendors=Vendors(settings), memo=Memo(2000))
            self._contexts[key] = context_of(_state(prompt), parts)
        return self._contexts[key]


def _subject(body: Mapping[str, Any]) -> Answer:
    """Return what decides nothing about whom a report is about: the offline analysts name their subject in its title.

    It comes as a tool call where one is forced, else as JSON.
    """
    said = {"name": "none named", "ticker": None, "company": None}
    forced = (body.get("tool_choice") or {}).get("function") if isinstance(body.get("tool_choice"), Mapping) else None
    return Answer(tool_calls=(ToolCall(forced["name"], said),)) if forced else Answer(text=json.dumps(said))


def _state(prompt: ReadPrompt) -> dict[str, Any]:
    """Return the graph's state as far as it stands in a prompt."""
    facts = prompt.facts
    subject = (
        {"scan_date": facts["Scan date"]}
        if "Scan date" in facts
        else {"company_of_interest": facts["Ticker"], "trade_date": facts["Trade date"]}
    )
    missing = {name: f"**Not available.** {why}" for name, why in prompt.missing.items()}
    return {
        **subject,
        **prompt.reports,
        **missing,
        "decisions": {
            key: Decision(**asdict(plan), confidence=0.0, rationale="") for key, plan in prompt.plans.items()
        },
    }


def _at_once(work: Coroutine[Any, Any, T]) -> T:
    """Return what a coroutine comes to that waits for nothing: the simulated market answers at once."""
    try:
        work.send(None)
    except StopIteration as ended:
        return ended.value  # type: ignore[no-any-return]
    raise AssertionError("the simulated market made the server wait")


def messages_of(conversation: Sequence[Mapping[str, Any]]) -> list[BaseMessage]:
    """Turn a request's messages back into those that an agent sent.

    What the wire does not carry is worked out again: a tool's result begins with a heading, and a failed one does not.
    """
    return [_with_status(message) for message in convert_to_messages(list(_readable(conversation)))]


def _readable(conversation: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the messages without tool calls whose arguments are no JSON, which LangChain refuses to read."""
    for message in conversation:
        calls = [call for call in message.get("tool_calls") or () if _is_json(call["function"]["arguments"])]
        kept = {key: value for key, value in message.items() if key != "tool_calls"}
        yield {**kept, "content": kept.get("content") or "", **({"tool_calls": calls} if calls else {})}


def _with_status(message: BaseMessage) -> BaseMessage:
    if isinstance(message, ToolMessage) and not message.text.startswith("#"):
        message.status = "error"
    return message


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
