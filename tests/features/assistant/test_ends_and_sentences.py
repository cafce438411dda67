"""The assistant by fixed rules: both ends of a list, who traded, `of them`, and messages of several sentences."""

from __future__ import annotations

from pathlib import Path

from tests.support.assistant_bench import AssistantBench

TOLD = (
    (("three best and three worst stocks today please",), ("rose most on 2025-03-14", "fell most on 2025-03-14")),
    (
        ("three best and three worst tech stocks this month",),
        ("1. Taquill Cloud (TAQZ): -9.07%", "6. Veltrane Systems"),
    ),
    (("rank the tech companies by revenue growth",), ("by year-on-year revenue growth", "1. Veltrane Systems (VELQ)")),
    (("who sold Soapstone shares this week and how much",), ("2025-03-10 to 2025-03-14", "Jonas Kestreldale")),
    (("did storabel beat expectations with the numbers yesterday",), ("did not beat the estimates: on 2025-03-13",)),
    (("Chatterbay numbers - how were they? came out today I think",), ("CHAZ reported on 2024-10-31",)),
    (("I heard Tobermont cut its dividend this year, how bad is the cut?",), ("has not cut its dividend",)),
    (
        ("My depot: 10 Aerolith, 50 Copperidge. What's it worth?", "how much did that lose today?"),
        ("Since the close before: ",),
    ),
    (
        ("Which companies reported yesterday?", "which of them fell most today?"),
        ("STRQ is behind (STRQ -7.49%", "COVZ +5.48%"),
    ),
    (("Is Veltrane more expensive than Pixelmoor? And is that justified?",), ("What I cannot say: ", "PIXZ 28.08x")),
    (
        ("What happened on the market today? Seems everything is red",),
        ("What I cannot say: “Seems everything", "-2.86%"),
    ),
)
DECLINED = (
    ("which of them fell most today?",),
    ("How did tech do this week?", "which of them fell most?"),
    ("How did Veltrane do this year? Only the cloud business.",),
    ("I like health care. Which frobnicated names are up more than 10% this year?",),
    ("who is Veltrane buying?",),
)


async def _last_reply(bench: AssistantBench, messages: tuple[str, ...]) -> str:
    bench.session_id = bench.store.create("assistant", "", bench.session.defaults).session_id
    return [await bench.say(message) for message in messages][-1]


async def test_what_is_asked_is_told_whole(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        for messages, parts in TOLD:
            reply = await _last_reply(bench, messages)
            assert all(part in reply for part in parts), (messages, reply)


async def test_what_names_nobody_or_is_limited_by_what_is_not_understood_is_declined(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        for messages in DECLINED:
            reply = await _last_reply(bench, messages)
            assert "give no answer" in reply, (messages, reply)


async def test_a_difference_of_two_prices_is_none_of_their_closes(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        reply = await _last_reply(bench, ("Veltrane or Ombrix, which did better in 2024 and by how much?",))
    assert "The difference in price change is " in reply
