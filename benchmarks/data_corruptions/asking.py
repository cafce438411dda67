"""Puts every question about a company to a market, and keeps what was answered: figures, cells of tables, sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from benchmarks.data_corruptions.companies import ChangedVendor, Company, Recorded
from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.registry import built_in
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.reference.metrics import parse_number
from tradingagents.errors import TradingAgentsError
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.settings import Settings, load_settings

RUN = "trading run"
"""What the answers of an offline trading run are filed under, by method."""
ASKED = (
    *("get_stock_data", "get_price_change", "get_indicators", "market_snapshot", "risk_profile", "beta_estimate"),
    *("get_sector_relative", "get_peer_comparison", "lppl_analysis", "watchlist", "open_chart"),
    *("company_info", "get_fundamentals", "get_ttm_analysis", "get_income_statement", "get_balance_sheet"),
    *("get_cashflow", "get_statement_figure", "trailing_forward_pe", "fundamental_screen", "earnings"),
    *("get_peer_multiples", "build_valuation_inputs", "valuation", "sensitivity", "reverse_valuation"),
    *("relative_valuation", "get_insider_transactions", "get_news", "get_financials", "replay_falsifiers"),
)
"""Questions about one company."""
WIDER = ("get_market_movers", "get_industry_performance", "top_companies")
"""Questions about many companies, of which the corrupted one is part; put in a sample of the cases. Only what they say
about that company is kept: a list of the first 25 names another company where it leaves one out."""
INDICATORS = "close_50_sma,close_200_sma,close_10_ema,rsi,macd,macds,boll,boll_ub,boll_lb,atr,vwma,mfi"
FIGURES = (
    ("revenue", "twelve_months", "none"),
    ("net income", "latest_quarter", "none"),
    ("revenue", "twelve_months", "growth"),
    ("operating margin", "twelve_months", "none"),
    ("diluted eps", "twelve_months", "none"),
)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_WITHHOLDS = re.compile(r"withheld|left out|not used|data-faults\.md#")
"""Words of a reason that stands in the body of an answer."""


@dataclass(frozen=True)
class Shown:
    """A figure as shown."""

    value: float
    unit: str = ""


@dataclass(frozen=True)
class Reply:
    """What one question was answered with."""

    figures: Mapping[str, Shown] = field(default_factory=dict)
    cells: Mapping[tuple[str, str, str], float] = field(default_factory=dict)
    """Numbers of tables by their first cell, further text of the row, and column."""
    sentences: frozenset[str] = frozenset()
    """Lines of the answer that are no table, or the message of its typed error."""
    currency: str | None = None
    refused: str = ""
    """The typed error."""
    crash: str = ""
    """Any other exception."""


Replies = Mapping[str, Reply]


class Asker:
    """Asks about companies, each in a market where everything else is as recorded."""

    def __init__(self, recorded: Recorded, folder: Path, home: Path) -> None:
        """Take the market, its folder and a home for what runs leave."""
        self._recorded = recorded
        self._config: dict[str, Any] = {
            "llm_provider": "offline",
            "data_vendor": "snapshot",
            "data_dir": str(folder),
            "auto_settle": False,
            "home": str(home),
        }
        self._settings: Settings = load_settings(self._config, environ={})

    def ask(self, company: Company, day: date, *, wider: bool = False, run: bool = False) -> Replies:
        """Ask everything about a company on a day.

        Args:
            company: The company, as it is in this market.
            day: The day of all questions.
            wider: Whether questions about the market are put too.
            run: Whether an offline trading run is made too.
        """
        vendor = ChangedVendor(self._recorded.vendor, company)
        vendors = Vendors(self._settings, {"snapshot": vendor}, environ={})
        found: dict[str, Reply] = {}
        for name in (*ASKED, *(WIDER if wider else ())):
            asked = built_in()[name]
            for label, arguments in _questions(asked, company.symbol, day):
                found[label] = self._reply(asked, arguments, company.symbol, day, vendors)
        if run:
            units = {name: shown.unit for reply in found.values() for name, shown in reply.figures.items()}
            found |= self._run(company.symbol, day, vendors, units)
        return found

    def _reply(
        self, asked: Capability[Any], arguments: dict[str, Any], symbol: str, day: date, vendors: Vendors
    ) -> Reply:
        try:
            result = asked.ask_standalone(arguments, as_of=day, settings=self._settings, vendors=vendors)
            about = f"{symbol}_" if asked.name in WIDER else ""
            figures = {
                one.name: Shown(one.rounded, one.unit)
                for one in result.figures()
                if one.rounded is not None and one.name.startswith(about)
            }
            text = result.to_markdown()
            warnings = tuple(result.warnings)
        except TradingAgentsError as error:
            return Reply(refused=f"{type(error).__name__}: {error}", sentences=frozenset((str(error),)))
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            return Reply(crash=f"{type(error).__name__}: {error}")
        lines = (line.strip() for line in text.splitlines())
        sentences = {line for line in lines if line.startswith("Note: ") or _WITHHOLDS.search(line)}
        tables = {} if about else dict(cells(text))
        return Reply(figures, tables, frozenset((*sentences, *warnings)), result.currency)

    def _run(self, symbol: str, day: date, vendors: Vendors, units: Mapping[str, str]) -> Replies:
        try:
            with TradingAgentsGraph(config=self._config, vendors=vendors) as graph:
                run = graph.run(symbol, day.isoformat(), persist="none")
        except TradingAgentsError as error:
            return {RUN: Reply(refused=f"{type(error).__name__}: {error}", sentences=frozenset((str(error),)))}
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            return {RUN: Reply(crash=f"{type(error).__name__}: {error}")}
        record = run.record
        said = {*record["warnings"], *(" ".join(map(str, gap.as_json().values())) for gap in record.degraded)}
        said |= {f"{one['subject']} {one['day']}: {one['what']} ({one['page']})" for one in record["data_faults"]}
        found: dict[str, Reply] = {}
        for row in record["data_sheet"]:
            label = f"{RUN} {row['method']} {row['symbol'] or ''}".strip()
            known = found.get(label, Reply())
            new = {name: Shown(value, units.get(name, "")) for name, value in row["figures"].items()}
            found[label] = Reply({**known.figures, **new}, {}, known.sentences | frozenset((*said, *row["notes"])))
        found[RUN] = Reply(sentences=frozenset(said))
        return found


def _questions(asked: Capability[Any], symbol: str, day: date) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the forms in which a question is put, each with its label."""
    arguments = asked.example_arguments(symbol, day)
    if asked.name == "get_indicators":
        yield asked.name, {**arguments, "indicator": INDICATORS}
    elif asked.name == "get_statement_figure":
        for figure, period, change in FIGURES:
            label = f"{asked.name} {figure} {period} {change}"
            yield label, {**arguments, "figure": figure, "period": period, "change": change}
    elif asked.name == "get_price_change":
        for length in (30, 180, 365):
            yield f"{asked.name} {length}", {**arguments, "start_date": day - timedelta(days=length)}
    else:
        yield asked.name, arguments


def cells(text: str) -> Iterator[tuple[tuple[str, str, str], float]]:
    """Yield the numbers of all tables of an answer, except the table of its figures."""
    header: list[str] = []
    seen: dict[tuple[str, str], int] = {}
    for line in text.splitlines():
        if line.startswith("|"):
            row = [cell.strip() for cell in line.strip().strip("|").split("|")]
        elif re.match(r"(Date,|\d{4}-\d{2}-\d{2},)", line):
            row = line.split(",")
        else:
            header = []
            continue
        if not header:
            header, seen = row, {}
            continue
        if header[0] == "Figure" or set("".join(row)) <= set("-: ") or len(row) != len(header):
            continue
        words = " ".join(cell for cell in row[1:] if cell != "n/a" and parse_number(cell) is None)
        own = (row[0], words if len(words) < 120 else "")
        seen[own] = seen.get(own, 0) + 1
        if seen[own] > 1:
            own = (row[0], f"{own[1]} #{seen[own]}")
        for column, cell in zip(header[1:], row[1:], strict=True):
            number = None if _DAY.fullmatch(cell) else parse_number(cell)
            if number is not None:
                yield (*own, column), number[0]
