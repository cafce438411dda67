"""The context of a run, passed to its nodes and tools: settings, market data, usage meter and events."""

from __future__ import annotations

from asyncio import Event
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from concurrent.futures import Executor
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Protocol

from tradingagents.analytics.holdings.reader_book import ReaderBook
from tradingagents.dataflows.gateway.resilience import Breakers
from tradingagents.dataflows.instrument import Instrument
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.results import Result
from tradingagents.events import EventStream
from tradingagents.files.redaction import KnownSecrets
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.llm_clients.model_profile import Method
from tradingagents.llm_clients.pacing import ModelRates
from tradingagents.llm_clients.replay import Replay
from tradingagents.llm_clients.run_context import PromptMask
from tradingagents.llm_clients.tiers import NamedModel
from tradingagents.offline.brief import Brief
from tradingagents.provenance.figure_check import Place
from tradingagents.schemas.decision import SellMeans
from tradingagents.settings import Settings, Tier


@dataclass
class Findings:
    """What a run has found out so far, as typed values. Never persisted: another process works it out again."""

    answers: dict[Hashable, Result | str] = field(default_factory=dict)
    """What capabilities answered, by name and arguments; why where they could not."""
    briefs: dict[str, Brief] = field(default_factory=dict)
    """What reporting agents knew, and so what the offline analysts read, by the state key of the report."""
    take_no_tools: set[str] = field(default_factory=set)
    """Models, as `provider/model`, whose servers refuse tools: they are asked without."""
    take_no_limit: set[str] = field(default_factory=set)
    """Models, as `provider/model`, whose servers refuse our limits of replies: they are asked without."""
    reason: set[str] = field(default_factory=set)
    """Models, as `provider/model`, that were seen to reason before they write, for the limits of their replies."""


class RunFigures(Protocol):
    """The figures that the tools of a run have answered so far."""

    async def places(self, texts: Sequence[str]) -> list[Sequence[Place]]:
        """Return the figures of each of some texts, each traced or not to those."""
        ...

    def read_before(self, text: str) -> Sequence[Place] | None:
        """Return what `places` returned for a text; None where it was not asked. More may be traced since."""
        ...

    async def supports(self, text: str) -> bool:
        """Tell whether a text states one of those figures, and not a round number that they have by chance."""
        ...

    def gave_figures(self, agent: str) -> bool:
        """Tell whether tools have answered an agent with so many figures that its report cannot do without any."""
        ...


@dataclass(frozen=True, kw_only=True)
class RunContext:
    """The context of one run, passed to every node and tool of its graph."""

    run_id: str
    settings: Settings
    data: MarketData
    preamble: str
    """System message of every agent in the run: common rules and the subject of the study."""
    events: EventStream
    meter: UsageMeter
    labels: Mapping[Tier, str] = field(default_factory=dict)
    """`provider/model` by tier, for the usage meter."""
    fallbacks: Mapping[Tier, NamedModel] = field(default_factory=dict)
    """Fallback models by tier; tiers without a fallback are missing."""
    breakers: Breakers = field(default_factory=Breakers)
    """Circuit breakers of the model servers, by model and host; shared by runs."""
    methods: dict[tuple[str, str], Method] = field(default_factory=dict)
    """How models gave typed answers in this run where it was not as first asked, by model and address."""
    replay: Replay = field(default_factory=Replay)
    """Stored model replies; by default there are none."""
    secrets: KnownSecrets = field(default_factory=KnownSecrets)
    """Keys and passwords of this process, to be removed from the models' replies."""
    model_rates: ModelRates | None = None
    """Rates of model requests; None: none are limited."""
    mask: PromptMask | None = None
    """Hides from the models what an experiment hides; None: they are sent what agents wrote."""
    found: Findings = field(default_factory=Findings)
    """What this process has found out for the run."""
    asked: Event = field(default_factory=Event)
    """Set once the run asks a model; then the next of the runs started with it begins."""
    figures: RunFigures | None = None
    """None outside a recorded run: then no figure is looked up."""
    executor: Executor | None = None
    """Runs blocking vendor calls; `None` means asyncio's default threads."""

    @property
    def by_rules(self) -> bool:
        """Whether rules answer instead of language models, at once and without a request."""
        return all(label.startswith("offline") for label in self.labels.values())


FindUntraced = Callable[[str], Awaitable[Sequence[tuple[int, int]]]]
"""Returns where in a text stand the figures that no tool of the run gave, as characters [start, end)."""


@dataclass(frozen=True, kw_only=True)
class CheckedContext(RunContext):
    """The context of a run whose answer shows only figures that have a source."""

    find_untraced: FindUntraced | None = None
    """None outside a recorded run: then nothing is checked."""


MADE: ContextVar[RunContext | None] = ContextVar("tradingagents_context", default=None)
"""The context created by an agent outside our graphs, for the tools it calls."""


@dataclass(frozen=True, kw_only=True)
class TradingContext(RunContext):
    """The context of a run that studies one stock."""

    instrument: Instrument
    last_close: float
    """Close of the cut-off session, as traded, in the instrument's currency."""
    daily_range: float | None = None
    """Mean true range of the last sessions in the same currency, see `analytics.price.stock_data`; `None`: unknown."""
    no_trade: str | None = None
    """Why no decision can rest on the prices; deciders give it as their NO_DECISION. None: one can."""
    no_size: str | None = None
    """Why a decision has no entry, stop, target and size: nothing measures the risk. None: it may have."""
    book: ReaderBook | None = None
    """What the reader of the decision holds; None: nobody said."""

    @property
    def sell_means(self) -> SellMeans:
        """Return what SELL asks for: what the reader owns is sold, not sold short; else it is as the settings say."""
        owned = self.book is not None and self.book.quantity(self.instrument.symbol) > 0
        return "close" if owned else self.settings.sell_means
