"""The interactive form: what it asks, what it takes, what it leaves alone."""

from __future__ import annotations

import io
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
from rich.console import Console
from rich.text import Text

from cli.console import Terminal
from cli.flags import Flags, command_line, read_settings
from cli.form import ask
from tradingagents.dataflows.look_up import default_day
from tradingagents.settings import Settings


class AnsweringConsole(Console):
    """A console at which someone has typed already."""

    def __init__(self, answers: list[str]) -> None:
        super().__init__(file=io.StringIO(), width=100, highlight=False)
        self.answers = answers
        self.questions: list[str] = []

    def input(self, prompt: Text | str = "", **_: object) -> str:  # type: ignore[override]
        self.questions.append(str(prompt))
        if not self.answers:
            raise EOFError
        return self.answers.pop(0)

    @property
    def text(self) -> str:
        return self.file.getvalue()  # type: ignore[attr-defined,no-any-return]


@dataclass
class Asked:
    tickers: tuple[str, ...]
    day: date | None


def asked(flags: Flags, *answers: str, day: str | None = None):
    console = AnsweringConsole(list(answers))
    tickers, chosen_day, chosen = ask(day, flags, Terminal(out=console, err=console))
    assert console.answers == [], "answers nobody asked for"
    return Asked(tickers, chosen_day), chosen, console


def test_enter_takes_the_defaults_and_without_a_key_they_work():
    request, flags, console = asked(Flags(), "velq", "", "", "", "", "")
    assert request.tickers == ("VELQ",)
    assert request.day == default_day(Settings(), "VELQ")
    assert flags == Flags(offline=True, max_debate_rounds=2, max_risk_discuss_rounds=2)
    assert len(console.questions) == 6


def test_the_form_ends_with_the_command_line_that_says_the_same():
    request, flags, console = asked(Flags(), "VELQ OMBZ", "2025-03-14", "news, market", "deep", "offline", "yfinance")
    assert request.day == date(2025, 3, 14)
    line = command_line(request.tickers, request.day, flags)
    assert line in " ".join(console.text.split())
    assert line == (
        "tradingagents analyze VELQ OMBZ 2025-03-14 --llm-provider offline --data-vendor yfinance "
        "--analysts news,market --debate-rounds 3 --risk-rounds 3"
    )


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        (["../../x", "VELQ", "", "", "", "", ""], "'../../x' is not a ticker symbol"),
        (["VELQ", "14.03.2025", "", "", "", "", ""], "write it as YYYY-MM-DD"),
        (["VELQ", "2999-01-01", "", "", "", "", ""], "2999-01-01 is in the future"),
        (["VELQ", "1800-01-01", "", "", "", "", ""], "before the data begin"),
        (["VELQ", "", "everyone", "", "", "", ""], "'everyone'"),
        (["VELQ", "", "", "endless", "", "", ""], "'endless' is not one of shallow, medium, deep"),
        (["VELQ", "", "", "", "opnai", "", ""], "'opnai' is not one of openai"),
        (["VELQ", "", "", "", "openai", "", ""], "OPENAI_API_KEY"),
        (["VELQ", "", "", "", "", "simulatd", ""], "did you mean simulated?"),
        (["VELQ", "", "", "", "", "snapshot", "/no/such/folder", "."], "/no/such/folder is not a folder"),
    ],
)
def test_an_answer_that_cannot_be_is_asked_again_with_the_reason(answers: list[str], reason: str):
    _, _, console = asked(Flags(), *answers)
    assert reason in " ".join(console.text.split())


def test_what_a_flag_says_is_not_asked():
    flags = Flags(offline=True, analysts="market", max_debate_rounds=1, max_risk_discuss_rounds=1)
    request, chosen, console = asked(flags, "velq", day="2025-03-14")
    assert (request.tickers, request.day, chosen) == (("VELQ",), date(2025, 3, 14), flags)
    assert len(console.questions) == 1


def test_a_provider_with_its_key_is_asked_for_its_models(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", "made-up")
    _, flags, console = asked(Flags(), "VELQ", "", "", "1", "", "small", "", "big", "", "0.50")
    assert "Provider of the models [openai]" in console.questions[4]
    assert "openai (needs OPENAI_API_KEY), openai_compatible" in " ".join(console.text.split())
    assert "gpt-5-mini ($0.25 in, $2.00 out per million tokens)" in " ".join(console.text.split())
    settings = read_settings(flags, {})
    assert settings.budget_usd == 0.5
    assert (settings.llm_provider, settings.quick_think_llm, settings.mid_think_llm, settings.deep_think_llm) == (
        "openai",
        "small",
        "small",
        "big",
    )
    assert settings.data_vendor == "yfinance"


def test_a_server_of_one_s_own_is_asked_for_its_url():
    _, flags, console = asked(
        Flags(), "VELQ", "", "", "1", "openai_compatible", "localhost:9", "openai_compatible",
        "http://localhost:9/v1", "llama", "", "", "simulated", "lots", "none",
    )  # fmt: skip
    assert (flags.llm_provider, flags.backend_url) == ("openai_compatible", "http://localhost:9/v1")
    assert (flags.quick_think_llm, flags.mid_think_llm, flags.deep_think_llm) == ("llama", "llama", "llama")
    assert "'lots' is not an amount in USD" in " ".join(console.text.split())
    assert flags.budget_usd is None
    assert "must begin with http" in " ".join(console.text.split())


def test_a_snapshot_needs_its_folder(tmp_path: Path):
    _, flags, _ = asked(Flags(offline=True), "VELQ", "2025-03-14", "", "2")
    assert flags.data_dir is None
    _, flags, _ = asked(Flags(data_vendor="snapshot"), "VELQ", "2025-03-14", "", "2", "offline", str(tmp_path))
    assert flags.data_dir == tmp_path


def test_the_end_of_input_ends_the_form():
    with pytest.raises(EOFError):
        asked(Flags(), "VELQ")
