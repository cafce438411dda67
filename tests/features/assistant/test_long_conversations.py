"""Three hundred turns within 16k tokens: what is sent stays within, what matters stays, the file stays whole."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from langchain_core.messages import AIMessage, BaseMessage

from tests.support.assistant_bench import COMPANY, DAY, AssistantBench, calls
from tradingagents.features.assistant.sessions import NewEntry
from tradingagents.features.assistant.sessions.budget import message_tokens, schema_tokens

CONTEXT = 16_384
TURNS = 300


class Talker:
    """Looks something up in each turn, and measures what it is sent."""

    def __init__(self) -> None:
        self.longest = 0
        self.last: Sequence[BaseMessage] = ()

    def __call__(self, messages: Sequence[BaseMessage], tools: tuple[str, ...]) -> AIMessage | str:
        if "You summarise" in messages[0].text:
            return "They looked at prices."
        self.longest = max(self.longest, message_tokens(messages))
        self.last = messages
        asks = tools and messages[-1].type == "human"
        return calls(("market_snapshot", {"ticker": COMPANY})) if asks else "It trades at 142.06 USD, as before."


async def test_three_hundred_turns_fit_and_keep_what_matters(tmp_path: Path):
    talker = Talker()
    async with AssistantBench(tmp_path, talker, assistant_context_tokens=CONTEXT, auto_approve=True) as bench:
        task = await bench.manager.start("analyze", {"ticker": COMPANY}, DAY, bench.session_id)
        bench.store.add_task(bench.session_id, task.task_id)
        long_ago = [
            NewEntry(
                type="user", text="I never hold more than 5 % in one stock.", turn="first", data={"as_of": str(DAY)}
            ),
            NewEntry(type="assistant", text="Noted.", turn="first"),
        ]
        for number in range(TURNS - 12):  # earlier turns, as a long conversation leaves them
            turn = f"earlier-{number}"
            long_ago += [
                NewEntry(type="user", text=f"Question {number} on GRIQ", turn=turn, data={"as_of": str(DAY)}),
                NewEntry(type="assistant", text=f"Answer {number}: " + "the price is as it was. " * 12, turn=turn),
            ]
        bench.store.append(bench.session_id, long_ago)
        for number in range(11):
            await bench.say(f"And now, number {number}?")
        room = CONTEXT - schema_tokens([one.to_openai() for one in await bench.host.offers(_small(bench))])
        assert talker.longest < room
        shown = " ".join(message.text for message in talker.last)
        assert "never hold more than 5 %" in shown
        assert task.task_id in shown
        assert COMPANY in shown
        assert len(bench.of("summary")) >= 1
        assert len(bench.of("user")) == TURNS, "the file on disk stays whole"
        assert bench.entries[0].text.startswith("I never hold")


def _small(bench: AssistantBench):
    from tradingagents.features.assistant.agents.definitions import agent_registry

    return agent_registry(bench.settings, CONTEXT).assistant
