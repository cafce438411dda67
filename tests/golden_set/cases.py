"""The cases of the golden set: what is asked on which data, and at which moments runs are killed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.golden_set.artifacts import without_usage
from tests.golden_set.processes import Command, Ended
from tests.golden_set.prompts import replying

RUN_ID = re.compile(r'"run_id": "([^"]+)"')
OF_RUN = re.compile(r"^(1\.exit|1\.stdout|runs/.*/(run\.json|reports/.*))$")
"""What a run that was killed and resumed has in common with one that was not; its events tell of both starts."""

RESUMED = "resumed/"
"""Beginning of the names of those artifacts, of a killed run and of its undisturbed twin."""


@dataclass(frozen=True)
class Case:
    """Commands under one home, one after the other.

    In arguments, HOME and DATA stand for the folders, and RUN for the run that a command before told of, or began.
    """

    name: str
    commands: Sequence[Command]
    recorded: bool = False
    """Whether it reads recorded data."""
    like: str = ""
    """Name of the undisturbed case whose result a killed and resumed one must have."""

    def command(self, number: int, home: Path, data: Path, ends: Sequence[Ended]) -> Command:
        """Return a command with its folders and run filled in."""
        command = self.commands[number]
        said = RUN_ID.search(ends[-1].out) if ends else None
        begun = sorted(
            path.name for path in home.glob("runs/*") if "RESEARCH" not in path.name or "research" in self.name
        )
        run = said[1] if said else begun[-1] if begun else ""
        filled = (
            part.replace("HOME", str(home)).replace("DATA", str(data)).replace("RUN", run)
            for part in [*command.arguments, "--home", str(home)]
        )
        return replace(command, arguments=list(filled))

    def kept(self, artifacts: Mapping[str, str]) -> dict[str, str]:
        """Return the artifacts that this case is compared by."""
        if not self.like:
            return {**artifacts, **(_resumed(artifacts) if self.name in {name for name, *_ in KILLS} else {})}
        shifted = {re.sub(r"^2\.", "1.", name): text for name, text in artifacts.items()}
        return {"killed": shifted["killed"], **_resumed(shifted)}


def _resumed(artifacts: Mapping[str, str]) -> dict[str, str]:
    compared = {RESUMED + name: text for name, text in artifacts.items() if OF_RUN.match(name)}
    return without_usage(compared)


DAY = "2025-03-14"
OFFLINE = ("--offline", "--json")
RECORDED = ("--offline", "--json", "--data-dir", "DATA/snapshot")
MODEL = (
    *("--llm-provider", "openai_compatible", "--backend-url", "MODEL_URL", "--quick-model", "m", "--deep-model", "m"),
    *("--data-vendor", "simulated", "--json"),
)
THESIS = "Build an investment thesis on {}"

ANALYSES = (
    *(("AAPL", "2023-06-15"), ("AAPL", "2024-06-14"), ("AAPL", DAY), ("AAPL", "2025-06-30"), ("MSFT", DAY)),
    *(("MSFT", "2024-10-31"), ("NVDA", "2025-04-08"), ("JPM", DAY), ("JPM", "2025-07-15"), ("XOM", DAY)),
    *(("CAT", "2025-02-03"), ("UNH", "2025-04-17"), ("TSLA", "2025-05-30"), ("GS", "2025-01-15"), ("BA", "2025-01-28")),
    *(("MCD", "2024-03-01"), ("SPY", DAY), ("V", "2025-03-16"), ("CRM", "2025-05-29"), ("FAST", "2025-04-11")),
)
SIMULATED = (("VELQ", DAY), ("LEDQ", DAY), ("MODZ", "2020-06-15"), ("TOBQ", "2020-06-15"), ("VELQ", "2022-11-11"))


def _one(name: str, *arguments: str, recorded: bool = False, stdin: str = "") -> Case:
    """Return a case of one command on the simulated market, or on recorded data."""
    return Case(name, [Command([*arguments, *(RECORDED if recorded else OFFLINE)], stdin)], recorded)


def _analyses() -> list[Case]:
    recorded = [_one(f"analyze-{ticker}-{day}", "analyze", ticker, day, recorded=True) for ticker, day in ANALYSES]
    return recorded + [_one(f"analyze-sim-{ticker}-{day}", "analyze", ticker, day) for ticker, day in SIMULATED]


def _scans() -> list[Case]:
    days = ("2024-09-18", DAY, "2025-06-30")
    return [
        *(_one(f"scan-{day}", "scan", day, recorded=True) for day in days),
        _one(f"scan-sim-{DAY}", "scan", DAY),
        _one("scan-sim-picks", "scan", "2022-11-11", "--picks", "4"),
    ]


def _autos() -> list[Case]:
    return [
        _one("auto-2025", "auto", DAY, "--picks", "3", recorded=True),
        _one("auto-2024", "auto", "2024-09-18", "--picks", "2", recorded=True),
        _one("auto-sim", "auto", DAY, "--picks", "2"),
        _one("auto-sim-conviction", "auto", "2022-11-11", "--picks", "4", "--conviction", "high"),
        _one(
            "auto-sim-one-round", "auto", DAY, "--picks", "1", "--debate-rounds", "1", "--debate-mode", "simultaneous"
        ),
    ]


def _researches() -> list[Case]:
    questions = {
        "thesis": THESIS.format("AAPL"),
        "margins": "How did the margins of MSFT develop?",
        "risk": "How risky is NVDA, and what drives its price?",
    }
    return [
        *(_one(f"research-{name}", "research", text, DAY, recorded=True) for name, text in questions.items()),
        _one("research-sim-thesis", "research", THESIS.format("VELQ"), DAY),
        _one("research-sim-two", "research", "Which of VELQ and COVZ grows faster?", DAY),
    ]


def _debates() -> list[Case]:
    return [
        *(_one(f"debate-{ticker}", "debate", ticker, DAY, recorded=True) for ticker in ("AAPL", "JPM")),
        _one("debate-deep", "debate", "MSFT", DAY, "--deep", recorded=True),
        *(_one(f"debate-sim-{ticker}", "debate", ticker, DAY) for ticker in ("VELQ", "LEDQ")),
    ]


def _comparisons() -> list[Case]:
    return [
        _one("compare-two", "compare", "AAPL", "MSFT", DAY, recorded=True),
        _one("compare-three", "compare", "JPM", "GS", "V", DAY, "--on", "returns,risk,valuation", recorded=True),
        _one("compare-debt", "compare", "CAT", "BA", DAY, "--on", "debt,cash,quality", recorded=True),
        _one("compare-sim", "compare", "VELQ", "COVZ", DAY),
        _one("compare-sim-momentum", "compare", "VELQ", "LEDQ", DAY, "--on", "momentum,margins"),
    ]


def _reports() -> list[Case]:
    return [
        _one("report-AAPL", "report", "AAPL", DAY, recorded=True),
        _one("report-JPM", "report", "JPM", DAY, "--max-iterations", "2", "--min-iterations", "1", recorded=True),
        _one(
            "report-CAT", "report", "CAT", "2025-06-30", "--max-iterations", "2", "--min-iterations", "1", recorded=True
        ),
        _one("report-sim", "report", "VELQ", DAY),
        _one(
            "report-sim-hint", "report", "LEDQ", DAY, "--max-iterations", "2", "--min-iterations", "1", "--hint", "debt"
        ),
    ]


def _values() -> list[Case]:
    page, old = ("--html", "HOME/value.html"), ("--set", "base_period=2024-09-30")
    return [
        _one("value-AAPL", "value", "AAPL", DAY, *page, recorded=True),
        _one("value-stale-JPM", "value", "JPM", DAY, recorded=True),  # refused: the year's last quarter is not there
        _one("value-MSFT", "value", "MSFT", DAY, *old, "--set", "wacc=0.09", "--distribution", "500", recorded=True),
        _one("value-sim-VELQ", "value", "VELQ", DAY, *page),
        _one("value-sim-LEDQ", "value", "LEDQ", DAY),
        _one("value-sim-NODQ", "value", "NODQ", DAY, "--target-margin", "12%"),
    ]


def _filings() -> list[Case]:
    add = Command(["filings", "add", "VELQ", "--offline", "--quiet"])
    questions = {
        "revenue": "What was the revenue of VELQ in 2024 and which risks does it name?",
        "deep": "How did research and development develop, and why?",
        "nothing": "What does it say about volcanoes?",
    }
    asked = [
        Case(f"filings-sim-{name}", [add, Command(["filings", "ask", question, DAY, *OFFLINE])])
        for name, question in questions.items()
    ]
    search = Command(["filings", "search", "competition risk", DAY, "--symbol", "VELQ", "--json"])
    chat = Command(["filings", "chat", DAY, *OFFLINE], "What was the revenue of VELQ in 2024?\nAnd the net income?\n")
    asks = "What was revenue?; What was advertising revenue?; What was the gross margin?; Which risks does it name?"
    grid = Command(["filings", "grid", "--companies", "VELQ", "--questions", asks, DAY, *OFFLINE])
    return [
        *asked,
        Case("filings-sim-search", [add, search]),
        Case("filings-sim-chat", [add, chat]),
        Case("filings-sim-grid", [add, grid]),
    ]


def _whys() -> list[Case]:
    return [
        _one("why-AAPL", "why", "AAPL", DAY, "2025-04-14", recorded=True),
        _one("why-NVDA", "why", "NVDA", "2025-01-15", "2025-04-08", recorded=True),
        _one("why-UNH", "why", "UNH", "2025-03-31", "2025-05-14", recorded=True),
        _one("why-sim-VELQ", "why", "VELQ", "2022-11-11", DAY),
        _one("why-sim-LEDQ", "why", "LEDQ", "2024-09-18", DAY),
    ]


REPORT = (
    "{0} closed at 213.49 USD on 2025-03-14. Its revenue grew by 4.0 % over the last twelve months.\n"
    "The operating margin is 31.5 %, the gross margin 46.5 %. Its P/E ratio is 33.9.\n"
    "The 200-day average stands at 227.30 USD. Free cash flow was 98.3 billion USD.\n"
)


def _checks() -> list[Case]:
    return [
        Case(
            f"check-{name}",
            [
                Command(
                    ["check", "/dev/stdin", DAY, "--ticker", ticker, "--page", "HOME/page.html", *data],
                    REPORT.format(ticker),
                )
            ],
            "DATA/snapshot" in data,
        )
        for name, ticker, data in (
            *(("AAPL", "AAPL", RECORDED), ("MSFT", "MSFT", RECORDED), ("JPM", "JPM", RECORDED)),
            *(("sim-VELQ", "VELQ", OFFLINE), ("sim-LEDQ", "LEDQ", OFFLINE)),
        )
    ]


def _chats() -> list[Case]:
    lines = {
        "price": "What is the price of {}?\nAnd its margins?\n",
        "views": "What would Warren Buffett and Cathie Wood say about {}?\n",
        "compare": "Compare {} with its sector\nHow risky is it?\n/help\n",
    }
    recorded = [
        Case(f"chat-{name}", [Command(["chat", "--plain", "--date", DAY, *RECORDED], text.format("AAPL"))], True)
        for name, text in lines.items()
    ]
    simulated = [
        Case(f"chat-sim-{name}", [Command(["chat", "--plain", "--date", DAY, *OFFLINE], text.format("VELQ"))])
        for name, text in list(lines.items())[:2]
    ]
    return recorded + simulated


def _backtests() -> list[Case]:
    days = ("--start", "2025-03-03", "--end", "2025-04-14")
    return [
        _one("backtest-two", "backtest", "run", "--tickers", "AAPL,MSFT", *days, recorded=True),
        _one("backtest-sim", "backtest", "run", "--tickers", "VELQ,LEDQ", *days, "--try-weights", "equal,hrp"),
    ]


def _others() -> list[Case]:
    """What is made of runs, and what lists the capabilities and tools."""
    analyze = Command(["analyze", "VELQ", DAY, *OFFLINE])
    seal = Command(["runs", "seal", "RUN", "--out", "HOME/sealed.dossier", "--json"])
    report = Command(["report", "VELQ", DAY, "--max-iterations", "1", "--min-iterations", "1", *OFFLINE])
    research = Command(["research", THESIS.format("VELQ"), DAY, *OFFLINE])
    sealed = [
        Case("dossier-sim", [analyze, seal, Command(["runs", "verify", "HOME/sealed.dossier", "--json"])]),
        Case(
            "thesis-sim",
            [research, Command(["thesis", "save", "RUN", "--json"]), Command(["thesis", "list", "--json"])],
        ),
        Case("evidence-sim", [report, Command(["evidence", "list", "VELQ", "--json"])]),
        Case("export-sim", [analyze, Command(["runs", "export", "RUN", "--out", "HOME/export.md"])]),
        Case("costs-sim", [analyze, Command(["runs", "show", "RUN", "--json"]), Command(["runs", "costs", "--json"])]),
    ]
    tools = (
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},'
        '"clientInfo":{"name":"golden","version":"1"}}}\n'
        '{"jsonrpc":"2.0","method":"notifications/initialized"}\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n'
    )
    return [
        *sealed,
        Case("tools-capabilities", [Command(["ask", "--json"])]),
        Case("tools-mcp", [Command(["mcp", "--offline", "--tools", "all"], tools, '"id":2')]),
    ]


def _prompts() -> list[Case]:
    """Runs with a model server, which tells what each agent is shown and offered."""
    asked: Mapping[str, tuple[str, ...]] = {
        "analyze": ("analyze", "VELQ", DAY),
        "scan": ("scan", DAY),
        "research": ("research", THESIS.format("VELQ"), DAY, "--max-concurrent", "1"),
        "debate": ("debate", "VELQ", DAY),
        "report": ("report", "VELQ", DAY, "--min-iterations", "2", "--max-iterations", "2"),
        "compare": ("compare", "VELQ", "COVZ", DAY, "--max-concurrent", "1"),
        "chat": ("chat", "What would Warren Buffett and Cathie Wood say about VELQ?", DAY, "--yes"),
        "filings": ("filings", "ask", "What was the revenue of VELQ in 2024 and which risks does it name?", DAY),
    }
    before: dict[str, list[Command]] = {"filings": [Command(["filings", "add", "VELQ", "--offline", "--quiet"])]}
    simultaneous = ("analyze", "VELQ", DAY, "--debate-mode", "simultaneous", "--fetch-valuation")
    return [
        Case(f"prompts-{name}", [*before.get(name, []), Command([*given, *MODEL], model=replying(name))])
        for name, given in asked.items()
    ] + [Case("prompts-simultaneous", [Command([*simultaneous, *MODEL], model=replying("analyze"))])]


KILLS: tuple[tuple[str, str, int], ...] = (
    ("analyze-AAPL-2025-03-14", "Market Analyst starts", 1),
    ("analyze-AAPL-2025-03-14", "News Analyst is done", 1),
    ("analyze-AAPL-2025-03-14", "Bull Researcher is done", 2),
    ("analyze-JPM-2025-03-14", "Research Manager starts", 1),
    ("analyze-JPM-2025-03-14", "Trader is done", 1),
    ("analyze-MSFT-2025-03-14", "Neutral Debator starts", 2),
    ("analyze-sim-VELQ-2025-03-14", "begins as run", 1),
    ("analyze-sim-VELQ-2025-03-14", "Bear Researcher starts", 1),
    ("analyze-sim-VELQ-2025-03-14", "Conservative Debator is done", 1),
    ("analyze-sim-VELQ-2025-03-14", "Risk Manager is done", 1),
    ("scan-2025-03-14", "Market Movers Scanner", 2),
    ("scan-sim-2025-03-14", "Industry Deep Dive", 1),
    ("scan-sim-2025-03-14", "Macro Synthesis", 1),
    ("research-thesis", "Executing tasks", 1),
    ("research-thesis", "✓ task_3", 1),
    ("research-sim-thesis", "Reflecting on results", 1),
    ("debate-AAPL", "Opening statement of the bull", 1),
    ("debate-sim-VELQ", "Opening statement of the bear", 1),
    ("debate-sim-VELQ", "Rebuttal 1 of the bull", 1),
    ("compare-two", "Executing tasks", 1),
    ("compare-sim", "Executing tasks", 1),
    ("report-AAPL", "Iteration 1", 1),
    ("report-AAPL", "Iteration 2", 1),
    ("report-sim", "items of evidence", 4),
    ("report-sim", "items of evidence frozen", 1),
)


def _killed(undisturbed: Mapping[str, Case]) -> list[Case]:
    cases: list[Case] = []
    for number, (name, text, count) in enumerate(KILLS, start=1):
        like = undisturbed[name]
        begun = like.commands[0]
        arguments = [part for part in begun.arguments if part != "--json"]
        first = replace(begun, arguments=arguments, kill_at=text, kill_count=count)
        cases.append(
            Case(f"kill-{number:02}-{name}", [first, Command(["runs", "resume", "RUN", "--json"])], like.recorded, name)
        )
    return cases


def _all() -> list[Case]:
    groups: tuple[Any, ...] = (
        *(_reports, _comparisons, _prompts, _backtests, _autos, _researches, _debates, _whys, _scans, _analyses),
        *(_chats, _values, _filings, _checks, _others),
    )
    cases = [case for group in groups for case in group()]
    return cases + _killed({case.name: case for case in cases})


CASES: Sequence[Case] = _all()
IMPORTED = (
    ("analyze", "VELQ", DAY, *OFFLINE),
    ("report", "VELQ", DAY, "--max-iterations", "1", "--min-iterations", "1", *OFFLINE),
)
"""Commands whose modules are imported once for all."""
