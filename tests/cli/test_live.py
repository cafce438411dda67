"""What live progress shows, at 80 and at 160 columns, and what the log shows instead."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from cli.live import LineProgress, LiveProgress
from cli.live_render import short_time
from cli.progress import scan_roster, trading_roster
from cli.run_monitor import RunMonitor
from tests.cli.conftest import golden
from tests.cli.scripted import Script, at, finished, midway, scan_finished, scan_midway
from tradingagents.graph.scan.graph import build_scanner_graph
from tradingagents.graph.trading.graph import build_trading_graph
from tradingagents.llm_clients.scripted import ScriptedChatModel
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.memory.situations import new_memories
from tradingagents.settings import ANALYSTS, Settings

WIDTHS = pytest.mark.parametrize("width", [80, 160])


def console(width: int, height: int = 40, *, no_color: bool = False) -> Console:
    return Console(
        file=io.StringIO(),
        width=width,
        height=height,
        force_terminal=True,
        color_system="truecolor",
        no_color=no_color,
        highlight=False,
        record=True,
    )


def frame(display: LiveProgress, screen: Console) -> str:
    screen.print(display.render())
    return screen.export_text()


def test_the_rosters_are_those_of_the_graphs():
    models = TierModels.same(ScriptedChatModel([]))
    scanning = set(build_scanner_graph(models).nodes)
    assert {name for names in scan_roster().values() for name in names} <= scanning
    nodes = set(build_trading_graph(models, new_memories(), Settings()).nodes)
    assert {name for names in trading_roster(ANALYSTS).values() for name in names} <= nodes


@WIDTHS
def test_one_run_midway(width: int):
    screen = console(width)
    display = LiveProgress(RunMonitor(["VELQ"], analysts=ANALYSTS), screen, clock=lambda: at(7.3))
    for event in midway().events:
        display.on_event(event)
    golden(f"one_midway_{width}.txt", frame(display, screen))


@WIDTHS
def test_one_run_at_its_end(width: int):
    screen = console(width)
    display = LiveProgress(RunMonitor(["VELQ"], analysts=ANALYSTS), screen, clock=lambda: at(14.2))
    for event in finished().events:
        display.on_event(event)
    display.ended("VELQ", "done", "")
    golden(f"one_finished_{width}.txt", frame(display, screen))


@WIDTHS
def test_several_runs_are_a_row_each(width: int):
    screen = console(width)
    display = LiveProgress(
        RunMonitor(["VELQ", "OMBZ", "NOSUCH", "TAQZ"], analysts=ANALYSTS), screen, clock=lambda: at(14.2)
    )
    for event in (*finished("VELQ").events, *midway("OMBZ").events):
        display.on_event(event)
    display.ended("VELQ", "done", "")
    display.ended("NOSUCH", "failed", "No prices of NOSUCH for 2025-03-14.")
    golden(f"several_{width}.txt", frame(display, screen))


@WIDTHS
def test_a_scan_midway(width: int):
    screen = console(width)
    display = LiveProgress(RunMonitor(scan=True), screen, clock=lambda: at(4.3))
    for event in scan_midway().events:
        display.on_event(event)
    golden(f"scan_midway_{width}.txt", frame(display, screen))


def batch() -> RunMonitor:
    return RunMonitor(analysts=ANALYSTS, scan=True, more_to_come=True)


@WIDTHS
def test_a_batch_shows_the_scan_first_and_then_a_row_each(width: int):
    screen = console(width)
    display = LiveProgress(batch(), screen, clock=lambda: at(14.2))
    for event in scan_finished().events:
        display.on_event(event)
    assert "Macro Synthesis" in frame(display, screen)
    display.planned(["VELQ", "OMBZ", "TAQZ", "NODQ"])
    display.ended("NODQ", "done", "HOLD (confidence 0.50)")
    for event in (*finished("VELQ").events, *midway("OMBZ").events):
        display.on_event(event)
    display.ended("VELQ", "done", "")
    golden(f"batch_midway_{width}.txt", frame(display, screen))


def test_a_batch_found_finished_shows_every_row_as_done():
    screen = console(80)
    display = LiveProgress(batch(), screen, clock=lambda: at(0.2))
    display.planned(["VELQ"])
    display.ended("VELQ", "done", "BUY (confidence 0.62)")
    lines = frame(display, screen).splitlines()
    assert lines[1].split() == ["✓", "Scan", "████████", "from", "an", "earlier", "start"]
    assert "VELQ    ████████  before: BUY (confidence 0.62)" in lines[2]
    assert lines[-1] == "1 done"


def test_the_scan_stays_in_sight_however_many_tickers_follow():
    screen = console(80, 24)
    display = LiveProgress(batch(), screen, clock=lambda: at(14.2))
    for event in scan_finished().events:
        display.on_event(event)
    display.planned([f"T{number}Q" for number in range(64)])
    lines = frame(display, screen).splitlines()
    assert len(lines) <= 24
    assert "Scan" in lines[1]
    assert lines[-1] == "64 waiting (47 not shown)"


@pytest.mark.parametrize("height", [24, 30, 50])
def test_a_frame_fits_the_screen(height: int):
    screen = console(80, height)
    display = LiveProgress(RunMonitor(["VELQ"], analysts=ANALYSTS), screen, clock=lambda: at(14.2))
    for event in (*midway().events, *finished().events[1:]):
        display.on_event(event)
    assert len(frame(display, screen).splitlines()) <= height


def test_more_tickers_than_lines_show_those_at_work_first():
    tickers = [f"T{number}Q" for number in range(64)]
    screen = console(80, 24)
    display = LiveProgress(RunMonitor(tickers, analysts=ANALYSTS), screen, clock=lambda: at(7.3))
    for event in midway("T60Q").events:
        display.on_event(event)
    lines = frame(display, screen).splitlines()
    assert len(lines) <= 24
    assert "T60Q" in lines[1]
    assert lines[-1] == "1 working, 63 waiting (46 not shown)"


def test_colour_is_left_out_where_it_is_not_wanted():
    screen = console(80, no_color=True)
    display = LiveProgress(RunMonitor(["VELQ"], analysts=ANALYSTS), screen, clock=lambda: at(7.3))
    for event in midway().events:
        display.on_event(event)
    screen.print(display.render())
    assert "\x1b[38;" not in screen.file.getvalue()  # type: ignore[attr-defined]
    assert "\x1b[32m" not in screen.file.getvalue()  # type: ignore[attr-defined]


def test_text_of_a_vendor_cannot_drive_the_terminal():
    screen = console(80)
    display = LiveProgress(RunMonitor(["VELQ"], analysts=ANALYSTS), screen, clock=lambda: at(1.0))
    script = Script()
    script.add(0.1, "node_start", "News Analyst", "News Analyst", "analysts")
    script.add(0.2, "tool_start", "get_news(ticker=VELQ)", "News Analyst", tool="get_news")
    script.add(0.3, "tool_end", "\x1b[2J\x1b]0;owned\x07[bold]News", "News Analyst", tool="get_news", status="success")
    for event in script.events:
        display.on_event(event)
    text = frame(display, screen)
    assert "get_news: [bold]News" in text
    assert "\x1b[2J" not in screen.file.getvalue()  # type: ignore[attr-defined]
    assert "owned" not in text


def test_a_reply_being_written_shows_its_last_words():
    screen = console(80)
    display = LiveProgress(RunMonitor(["VELQ"], analysts=ANALYSTS), screen, clock=lambda: at(1.0))
    script = Script()
    script.add(0.1, "node_start", "News Analyst", "News Analyst", "analysts")
    for word in ["The", "supplier", "warned", "of", "longer", "lead", "times,", "and", "demand", "stays", "firm"]:
        script.add(0.2, "token", f"{word} ", "News Analyst")
    for event in script.events:
        display.on_event(event)
    assert "… times, and demand stays firm" in frame(display, screen)


def test_the_log_has_a_line_for_what_matters():
    screen = Console(file=io.StringIO(), width=80, highlight=False)
    with LineProgress(RunMonitor(["VELQ"], analysts=ANALYSTS), screen, clock=lambda: at(7.3)) as display:
        for event in midway().events:
            display.on_event(event)
        display.ended("VELQ", "failed", "No model server answers.")
    golden("log.txt", screen.file.getvalue())  # type: ignore[attr-defined]


def test_the_log_of_a_batch_tells_the_scan_the_plan_and_the_ends():
    screen = Console(file=io.StringIO(), width=80, highlight=False)
    with LineProgress(batch(), screen, clock=lambda: at(14.2)) as display:
        for event in scan_finished().events:
            display.on_event(event)
        display.planned(["VELQ", "OMBZ"])
        display.ended("OMBZ", "done", "HOLD (confidence 0.50)")
        for event in finished().events:
            display.on_event(event)
        display.ended("VELQ", "done", "")
    golden("log_batch.txt", screen.file.getvalue())  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0.0 s"), (9.94, "9.9 s"), (9.96, "10 s"), (59.4, "59 s"), (59.9, "1:00"), (185, "3:05"), (3723, "1:02:03")],
)
def test_durations_are_short(seconds: float, text: str):
    assert short_time(seconds) == text


@pytest.mark.parametrize(("width", "height"), [(80, 24), (160, 48), (110, 30), (80, 40)])
def test_the_panel_with_the_text_being_written_fits_the_screen(width: int, height: int):
    screen = console(width, height)
    display = LiveProgress(RunMonitor(["VELQ"], analysts=ANALYSTS), screen, clock=lambda: at(7.3))
    script = midway()
    script.add(7.2, "token", "Words of a report that is still being written. " * 60, "Bear Researcher")
    for event in script.events:
        display.on_event(event)
    shown = frame(display, screen)
    assert len(shown.splitlines()) <= height
    assert max(map(len, shown.splitlines())) <= width
    assert "Bear Researcher is writing" in shown
    assert "still being written" in shown


# Lines


def lines_of(*scripts: Script, beat_at: float | None = None) -> str:
    screen = Console(file=io.StringIO(), width=200, highlight=False, record=True)
    tickers = [script.events[0].data["ticker"] for script in scripts]
    display = LineProgress(
        RunMonitor(tickers, analysts=ANALYSTS), screen, clock=lambda: at(14.2 if beat_at is None else beat_at)
    )
    for script in scripts:
        for event in script.events:
            display.on_event(event)
    if beat_at is not None:
        display.beat()
    else:
        for ticker in tickers:
            display.ended(ticker, "done", "")
    return screen.export_text()


def test_a_retry_is_a_line_with_its_reason_and_the_wait():
    reason = "Market Analyst asks openai_compatible/x again: 127.0.0.1:9 did not answer in time; raise it."
    script = Script().add(0.1, "node_start", node="Market Analyst", step="analysts")
    script.add(120.0, "retry", reason, "Market Analyst", model="openai_compatible/x", attempt=2, wait_s=1.6)
    assert (
        "retry: Market Analyst asks openai_compatible/x again: 127.0.0.1:9 did not answer in time; raise it; "
        "attempt 2 in 2 s" in lines_of(script)
    )


def test_a_retry_is_the_note_of_its_agent_and_voids_its_text():
    runs = RunMonitor(["VELQ"], analysts=ANALYSTS)
    script = Script().add(0.1, "node_start", node="Bull Researcher", step="research")
    script.add(1.0, "token", "The first", "Bull Researcher").add(2.0, "retry", "It asks again.", "Bull Researcher")
    for event in script.events:
        runs.apply(event)
    agent = runs["VELQ"].agents["Bull Researcher"]
    assert (agent.note, agent.writing, runs["VELQ"].reading) == ("It asks again", "", None)


def test_while_nothing_is_said_a_line_says_what_is_waited_for():
    script = Script().add(0.1, "node_start", node="Market Analyst", step="analysts")
    assert "Market Analyst: waiting for the model, 20 s\n" in lines_of(script, beat_at=20.1)
    script.add(1.0, "tool_start", "get_news(symbol=VELQ)", "Market Analyst", tool="get_news")
    script.add(2.0, "node_start", node="News Analyst", step="analysts")
    assert "Market Analyst: waiting for its data, 19 s (and 1 more at work)\n" in lines_of(script, beat_at=20.1)


def test_a_warning_that_comes_again_is_counted():
    script = Script()
    for second in (1.0, 2.0, 3.0):
        script.add(second, "warning", "Prices are late.")
    shown = lines_of(script)
    assert shown.count("Prices are late.") == 2
    assert "warning: (said 3 times) Prices are late." in shown
