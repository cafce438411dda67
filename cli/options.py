"""The options that commands share, the setting each one sets, and which commands take them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from inspect import Parameter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tradingagents.runtime.presentation import AgentGrid

if TYPE_CHECKING:
    from tradingagents.runtime.kind import RunKind


@dataclass(frozen=True)
class HelpPanel:
    """A panel of the help, in which commands declare options."""

    name: str

    def option(self, usage: str, text: str, **more: Any) -> Any:
        """Return the declaration of an option, for `Annotated`.

        Args:
            usage: Its flags and the name of its value as the help shows them, such as `--as-of, --date DATE`.
            text: What it does, for the help.
            more: Further arguments of `typer.Option`.
        """
        words = usage.replace(", ", " ").split()
        flags = [word for word in words if word.startswith("-")]
        metavar = next(iter(words[len(flags) :]), None)
        return typer.Option(*flags, metavar=metavar, help=text, rich_help_panel=self.name, **more)


RUN, LIMITS = HelpPanel("Run"), HelpPanel("Limits and places")
CANDIDATES = HelpPanel("Candidates")
"""For a scan's candidates and the runs of a batch."""
_MODELS, _DATA, _GRAPH, _OUTPUT = HelpPanel("Models"), HelpPanel("Data"), HelpPanel("Graph"), HelpPanel("Output")


@dataclass(frozen=True)
class Shared:
    """An option shared by commands."""

    name: str
    """The setting it sets, or the terminal option."""
    flag: str
    kind: Any
    """Its type; a plain `bool` defaults to off, everything else to None."""
    metavar: str | None
    panel: HelpPanel
    help: str
    short: str | None = None

    def parameter(self) -> Parameter:
        """Return it as a parameter for Typer."""
        flags = (self.flag, self.short) if self.short else (self.flag,)
        reader = _path if self.kind == Path | None else None
        usage = f"{', '.join(flags)} {self.metavar or ''}"
        declared = self.panel.option(usage, self.help, parser=reader)
        default = False if self.kind is bool else None
        return Parameter(self.name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[self.kind, declared])


def _path(text: str | Path) -> Path:
    """Parse a path; an empty one is refused, since it would mean the working folder."""
    if not str(text).strip():
        raise typer.BadParameter("name a folder or omit the option")
    return Path(text)


def _limits(whose: str) -> tuple[Shared, Shared]:
    """Declare the limits of a run, or of a batch of runs."""
    budget, calls = (
        f"Maximum that {whose} may spend on models, in USD.",
        f"Maximum number of model calls that {whose} may make.",
    )
    return (
        Shared("budget_usd", "--budget-usd", float | None, "X", LIMITS, budget),
        Shared("max_llm_calls", "--max-llm-calls", int | None, "N", LIMITS, calls),
    )


def _output(json_help: str) -> tuple[Shared, ...]:
    """Declare the output options."""
    return (
        Shared("json", "--json", bool, None, _OUTPUT, json_help),
        Shared("quiet", "--quiet", bool, None, _OUTPUT, "Print the result and errors only.", "-q"),
        Shared("debug", "--debug", bool, None, _OUTPUT, "Show log lines, and the traceback of a bug."),
    )


_OFFLINE = "No key, no network: offline analysts on the simulated market, unless other flags name a model or vendor."
_PROVIDER = "openai, openai_compatible, ollama, anthropic, google or offline; for all three tiers."
_QUICK = "Model of analysts, scanners and risk debaters."
_MID = "Model of bull, bear, trader and the industry deep dive."
_DEEP = "Model of the two managers and the macro synthesis."
_STREAM = "Show replies while they are written."
_ENGINE = "Where decisions are made: asyncio (in this process), processes, or ray (a cluster)."
_REPLAY = "Reuse a model's reply from an earlier run with the same request."
_REPLAY_ONLY = "The same, but end if there is none instead of calling a model."
VENDORS = (
    *("yfinance", "alpha_vantage", "finnhub", "financial_datasets", "fred", "reddit", "sec_edgar"),
    *("snapshot", "simulated", "stocktwits", "tavily"),
)
"""The available vendors; a test compares it with the registry, which is too slow to import for the help."""
_VENDOR = f"For every kind of data, in order of preference: {', '.join(VENDORS)}."
_FOLDER = "Folder of recorded data; implies --data-vendor snapshot."
_AT = "When a past day is decided on: close (default), open (the next session's, so the night's news count) or HH:MM."
_ANALYSTS = "Of market,social,news,fundamentals; default all."
_MODE = "turns, or simultaneous: all sides of a round speak at once; faster, the sides answer one round later."
_VALUATION = "Compute the company's valuation and screens first and show them to all agents."
_SETTLE = "Ask the deciding agents again until a test says that the action is settled, or is not; see costs."
_PICKS = "Stocks the scan names, exactly; default 8 to 10."
_APPROVE = "Wait for a person's approval before a decision becomes final; see runs approve."
_ONE_OBJECT = "Print one JSON object, nothing else."
_OBJECT_A_TICKER = "Print one JSON object per ticker, one per line, and nothing else."

STREAM = Shared("stream_tokens", "--stream/--no-stream", bool | None, None, _MODELS, _STREAM)
MODELS = (
    Shared("offline", "--offline", bool, None, _MODELS, _OFFLINE),
    Shared("llm_provider", "--llm-provider", str | None, "NAME", _MODELS, _PROVIDER),
    Shared("backend_url", "--backend-url", str | None, "URL", _MODELS, "Base URL of the model server."),
    Shared("quick_think_llm", "--quick-model", str | None, "MODEL", _MODELS, _QUICK),
    Shared("mid_think_llm", "--mid-model", str | None, "MODEL", _MODELS, _MID),
    Shared("deep_think_llm", "--deep-model", str | None, "MODEL", _MODELS, _DEEP),
    STREAM,
)
REPLAY = (
    Shared("replay", "--replay/--no-replay", bool | None, None, _MODELS, _REPLAY),
    Shared("replay_only", "--replay-only", bool, None, _MODELS, _REPLAY_ONLY),
)
DATA = (
    Shared("data_vendor", "--data-vendor", str | None, "NAME", _DATA, _VENDOR),
    Shared("data_dir", "--data-dir", Path | None, "DIR", _DATA, _FOLDER),
)
AT = Shared("decide_at", "--at", str | None, "MOMENT", _DATA, _AT)
ASK_AGAIN = Shared("settle", "--settle/--no-settle", bool | None, None, _GRAPH, _SETTLE)
GRAPH = (
    Shared("analysts", "--analysts", str | None, "LIST", _GRAPH, _ANALYSTS),
    Shared("max_debate_rounds", "--debate-rounds", int | None, "N", _GRAPH, "Rounds of bull against bear."),
    Shared("max_risk_discuss_rounds", "--risk-rounds", int | None, "N", _GRAPH, "Rounds of the risk debate."),
    Shared("debate_mode", "--debate-mode", str | None, "MODE", _GRAPH, _MODE),
    Shared("fetch_valuation", "--fetch-valuation", bool | None, None, _GRAPH, _VALUATION),
    ASK_AGAIN,
)
PICKS = Shared("max_auto_tickers", "--picks", int | None, "N", CANDIDATES, _PICKS)
CONCURRENCY = Shared(
    "max_concurrent_pipelines", "--max-concurrent", int | None, "N", LIMITS, "Tickers that run at the same time."
)
_TASKS_AT_ONCE = replace(CONCURRENCY, name="max_concurrent_research_tasks")
ENGINE = (
    Shared("backtest_engine", "--engine", str | None, "NAME", LIMITS, _ENGINE),
    Shared("backtest_workers", "--workers", int | None, "N", LIMITS, "Workers of the engine; one for each core."),
)
HOME = Shared("home", "--home", Path | None, "DIR", LIMITS, "Where runs and caches are written.")

APPROVE = Shared("approve", "--approve/--no-approve", bool | None, None, _GRAPH, _APPROVE)
AUTO = (
    PICKS,
    *MODELS,
    *REPLAY,
    *DATA,
    AT,
    *GRAPH,
    *_limits("the scan and all runs together"),
    CONCURRENCY,
    HOME,
    *_output(_ONE_OBJECT),
)
WATCH = (*MODELS, *REPLAY, *DATA, AT, *GRAPH, *_limits("all runs together"), CONCURRENCY, HOME, *_output(_ONE_OBJECT))
RESUME = (STREAM, *_limits("the run, all starts together,"), HOME, *_output(_ONE_OBJECT))
TASK_RESUME = (*_limits("the task, all starts together,"), HOME, *_output(_ONE_OBJECT))
SETTLE = (*MODELS, *REPLAY, *DATA, *_limits("all lessons together"), CONCURRENCY, HOME, *_output(_ONE_OBJECT))
LIST = (HOME, *_output(_ONE_OBJECT))
OUTPUT = _output(_ONE_OBJECT)
ASK = (MODELS[0], *DATA, AT, HOME, *_output(_ONE_OBJECT))
DEMO = (HOME, *_output(_ONE_OBJECT))
FILINGS_LIST = LIST
FILINGS_STORE = (MODELS[0], *DATA, HOME, *_output(_ONE_OBJECT))
BACKTEST = (
    *MODELS, *REPLAY, *DATA, AT, ASK_AGAIN, *_limits("all decisions together"), CONCURRENCY, *ENGINE, HOME,
    *_output(_ONE_OBJECT),
)  # fmt: skip
PAPER = tuple(option for option in BACKTEST if option is not AT)
WHY = (*MODELS, *DATA, AT, *_limits("all decisions together"), CONCURRENCY, HOME, *_output(_ONE_OBJECT))
CHAT = (*MODELS[:-1], *REPLAY, *DATA, *_limits("a turn"), HOME, *_output("Print one JSON object per message."))
SERVE = (
    *MODELS,
    *REPLAY,
    *DATA,
    *GRAPH,
    *_limits("a run"),
    CONCURRENCY,
    HOME,
    *_output("Print the address as one JSON object."),
)
MCP = (*MODELS, *DATA, *GRAPH, *_limits("a run"), CONCURRENCY, HOME, *_output("Report errors as JSON."))
DOCTOR = (*MODELS, *DATA, HOME, *_output(_ONE_OBJECT))

FLAG_OF: Mapping[str, str] = {
    option.name: option.flag.partition("/")[0]
    for option in (
        *MODELS,
        *REPLAY,
        *DATA,
        AT,
        *GRAPH,
        APPROVE,
        PICKS,
        *_limits("a run"),
        CONCURRENCY,
        _TASKS_AT_ONCE,
        *ENGINE,
        HOME,
    )
    if option.name not in ("offline", "replay_only")
}
"""The flag of each setting, in the order of the help."""


def of_kind(kind: RunKind[Any, Any, Any]) -> tuple[Shared, ...]:
    """Return the shared options of the command of a kind of run, worded by what the kind declares."""
    models = (replace(option, help=kind.tiers.get(option.name, option.help)) for option in MODELS)
    asked = kind.request.own_settings()
    own = (option for option in (*GRAPH, APPROVE, PICKS) if option.name in asked)
    at_once: tuple[Shared, ...] = ()
    if kind.at_once is not None:
        setting, text = kind.at_once
        at_once = (replace(CONCURRENCY, name=setting, help=text),)
    grid = kind.progress if isinstance(kind.progress, AgentGrid) else None
    limits = _limits(grid.spender if grid else f"the {kind.noun}")
    output = _output(_OBJECT_A_TICKER if grid and kind.request.subject_field else _ONE_OBJECT)
    return (*models, *REPLAY, *DATA, AT, *own, *limits, *at_once, HOME, *output)
