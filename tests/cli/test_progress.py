"""What a run's events add up to."""

from __future__ import annotations

from cli.progress import RunProgress, trading_roster
from tests.cli.scripted import Script, at, finished, midway
from tradingagents.settings import ANALYSTS


def after(script: Script) -> RunProgress:
    run = RunProgress.waiting("VELQ", trading_roster(ANALYSTS))
    for event in script.events:
        run.apply(event)
    return run


def test_an_agent_s_time_is_that_of_its_turns():
    run = after(midway())
    bull, bear = run.agents["Bull Researcher"], run.agents["Bear Researcher"]
    assert (bull.state, bull.turns, round(bull.seconds(at(100)), 6)) == ("done", 2, 2.4)
    assert (bear.state, bear.turns, round(bear.seconds(at(7.4)), 6)) == ("working", 2, 2.2)


def test_a_failed_analyst_shows_why():
    analyst = after(midway()).agents["News Analyst"]
    assert analyst.state == "failed"
    assert analyst.note.startswith("the model answered with nothing")


def test_use_adds_up_and_one_unknown_price_makes_the_cost_unknown():
    run = after(finished())
    assert (run.spent.calls, run.spent.input_tokens, run.spent.output_tokens) == (12, 48_000, 7_200)
    assert run.spent.cost_usd == 0.15
    assert after(Script().usage(1, "Trader").usage(2, "Trader", cost=None).usage(3, "Trader")).spent.cost_usd is None


def test_a_reply_from_a_cache_is_no_call():
    script = Script()
    script.add(1, "usage", "", "Trader", input_tokens=0, output_tokens=0, cost_usd=0.0, cached_reply=True)
    assert after(script).spent.calls == 0


def test_whoever_works_when_a_run_ends_did_not_finish():
    run = after(midway())
    run.end("failed", "The run may make 6 model calls.", at(8.4))
    assert run.agents["Bear Researcher"].state == "failed"
    assert run.at_work() == []
    assert (run.state, run.outcome, run.seconds(at(100))) == ("failed", "The run may make 6 model calls.", 8.4)


def test_calls_of_one_tool_by_two_agents_are_told_apart():
    script = Script()
    for agent in ("News Analyst", "Social Media Analyst"):
        script.add(0.1, "tool_start", f"get_news(asker={agent})", agent, tool="get_news")
    for agent in ("Social Media Analyst", "News Analyst"):
        script.add(0.2, "tool_end", "News", agent, tool="get_news", status="success")
    calls = [(call.agent, call.call) for call in after(script).tools]
    assert calls == [
        ("Social Media Analyst", "get_news(asker=Social Media Analyst)"),
        ("News Analyst", "get_news(asker=News Analyst)"),
    ]


def test_the_text_being_read_is_the_one_being_written_else_the_last_written():
    script = Script()
    script.add(1, "node_start", "starts", "News Analyst").add(1, "node_start", "starts", "Market Analyst")
    script.add(2, "token", "The trend ", "Market Analyst")
    script.add(3, "node_end", "done", "News Analyst", report="News in full.")
    script.add(4, "token", "is up.", "Market Analyst")
    reading = after(script).reading
    assert reading
    assert (reading.agent, reading.text, reading.written) == ("Market Analyst", "The trend is up.", False)
    script.add(5, "node_end", "done", "Market Analyst", report="The trend is up. The end.")
    reading = after(script).reading
    assert reading
    assert (reading.agent, reading.text, reading.written) == ("Market Analyst", "The trend is up. The end.", True)
    script.add(6, "debate_turn", "turn", "Bull Researcher", text="I disagree.")
    reading = after(script).reading
    assert reading
    assert (reading.agent, reading.text, reading.written) == ("Bull Researcher", "I disagree.", True)
