"""The picker: arrow keys, checkboxes and lines, on a terminal made of a pipe; and the confirmation before a run."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput
from rich.console import Console

from cli.console import Terminal
from cli.form import confirmed
from cli.prompts import Option, PickingAsker, PlainAsker, asker_for
from tests.cli.test_form import AnsweringConsole
from tradingagents.errors import UsageError
from tradingagents.graph.estimates.estimate import EstimateRecord, TotalEstimate
from tradingagents.llm_clients.pricing import price_words
from tradingagents.settings import Settings

DOWN, ENTER, SPACE, CTRL_C = "\x1b[B", "\r", " ", "\x03"
FRUIT = [Option("apple", "red"), Option("banana", "yellow"), Option("cherry")]


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as pipe:
        yield pipe


@pytest.fixture
def console() -> Console:
    return Console(file=io.StringIO(), width=100)


def picker(console: Console, keys: PipeInput, typed: str) -> PickingAsker:
    keys.send_text(typed)
    return PickingAsker(console, keys, DummyOutput())


def no_apple(text: str) -> str:
    if text == "apple":
        raise UsageError("No apples today.")
    return text.upper()


def test_arrows_choose_one(console: Console, keys: PipeInput):
    assert picker(console, keys, DOWN + ENTER).one("Fruit", FRUIT, str, "apple") == "banana"


def test_enter_takes_the_default(console: Console, keys: PipeInput):
    assert picker(console, keys, ENTER).one("Fruit", FRUIT, str, "cherry") == "cherry"


def test_a_choice_that_cannot_be_is_asked_again_with_the_reason(console: Console, keys: PipeInput):
    assert picker(console, keys, ENTER + DOWN + ENTER).one("Fruit", FRUIT, no_apple, "apple") == "BANANA"
    assert "No apples today." in console.file.getvalue()  # type: ignore[attr-defined]


def test_one_that_is_not_listed_can_be_typed(console: Console, keys: PipeInput):
    asker = picker(console, keys, DOWN * 3 + ENTER + "damson" + ENTER)
    assert asker.one("Fruit", FRUIT, str, "apple", others=True) == "damson"


def test_boxes_are_ticked_at_first_and_space_takes_one_out(console: Console, keys: PipeInput):
    assert picker(console, keys, ENTER).several("Fruit", FRUIT, str) == "all"
    assert picker(console, keys, DOWN + SPACE + ENTER).several("Fruit", FRUIT, str) == "apple,cherry"


def test_enter_alone_takes_a_line_s_default(console: Console, keys: PipeInput):
    assert picker(console, keys, ENTER).text("Name", str, "usual") == "usual"
    assert picker(console, keys, "other" + ENTER).text("Name", str, "usual") == "other"


def test_ctrl_c_leaves(console: Console, keys: PipeInput):
    with pytest.raises(KeyboardInterrupt):
        picker(console, keys, CTRL_C).one("Fruit", FRUIT, str, "apple")


def test_a_dumb_terminal_is_asked_line_by_line(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TERM", "dumb")
    dumb = Console(file=io.StringIO(), force_terminal=True)
    assert isinstance(asker_for(Terminal(out=dumb, err=dumb)), PlainAsker)
    monkeypatch.setenv("TERM", "xterm")
    able = Console(file=io.StringIO(), force_terminal=True)
    assert isinstance(asker_for(Terminal(out=able, err=able)), PickingAsker)


def estimate(cost: float | None) -> EstimateRecord:
    total = TotalEstimate(
        llm_calls=14.0,
        input_tokens=1,
        cached_tokens=0,
        output_tokens=1,
        cost_usd=cost,
        low_usd=0.06,
        high_usd=0.24,
    )
    return EstimateRecord(parts=[], by_tier={}, total=total, warnings=[])


@pytest.mark.parametrize(("typed", "agreed"), [("", True), ("y", True), ("n", False), ("later", False)])
def test_money_is_spent_only_after_a_yes(typed: str, agreed: bool):
    async def asked() -> EstimateRecord:
        return estimate(0.11)

    console = AnsweringConsole([typed])
    terminal = Terminal(out=console, err=console)
    assert confirmed(terminal, Settings(llm_provider="openai", budget_usd=0.5), asked) is agreed
    assert "Expected cost: $0.1100 ($0.0600 to $0.2400), about 14 model calls; it stops at $0.5000." in console.text


def test_a_run_that_costs_nothing_is_not_asked_about():
    async def asked() -> EstimateRecord:
        raise AssertionError("nobody needs to estimate what is free")

    console = AnsweringConsole([])
    assert confirmed(Terminal(out=console, err=console), Settings(llm_provider="offline"), asked) is True


def test_a_cost_that_is_not_known_is_asked_about():
    async def asked() -> EstimateRecord:
        return estimate(None)

    console = AnsweringConsole(["n"])
    assert confirmed(Terminal(out=console, err=console), Settings(llm_provider="openai_compatible"), asked) is False
    assert "price unknown" in console.text


def test_prices_stand_beside_models():
    assert price_words("openai/gpt-5-mini", {}) == "$0.25 in, $2.00 out per million tokens"
    assert price_words("offline/rules", {}) == "free"
    assert price_words("openai_compatible/mine", {}) == "price unknown"
    assert price_words("openai_compatible/mine", {"mine": (1.0, 0.5, 3.0)}) == "$1.00 in, $3.00 out per million tokens"
