"""Paper accounts to audit: decisions by chance on the eventful market, session by session as they are run."""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.features.backtest.audit.made_backtests import EventfulVendor, Patch, by_chance, services_of
from tradingagents.dataflows.vendor import Vendor
from tradingagents.features.backtest.audit import AuditReport, audit
from tradingagents.features.backtest.broker import TradingCosts
from tradingagents.features.backtest.limits import RiskLimits, ShortRules
from tradingagents.features.backtest.paper import run as paper_run
from tradingagents.features.backtest.paper.account import PaperAccount
from tradingagents.features.backtest.paper.plan import PaperPlan
from tradingagents.features.backtest.paper.status import PaperVerification, verify_paper
from tradingagents.runtime.services import Services

FIRST, LAST = date(2024, 10, 9), date(2024, 11, 22)
PLAN = PaperPlan(tickers=("HELQ", "OMBZ", "SANQ", "VELQ"), every=3, limits=RiskLimits(15, 0.3, 1.0, 0.05))


@dataclass(frozen=True)
class MadePaper:
    """A paper account, and the services to audit it with."""

    services: Services
    home: Path

    @property
    def folder(self) -> Path:
        return self.home / "paper" / "main"

    def audited(self) -> AuditReport:
        return asyncio.run(audit(self.services, self.folder))

    def verified(self) -> PaperVerification:
        return verify_paper(self.home)

    def rewritten(self, change: Callable[[list[Any]], None]) -> MadePaper:
        """Change the sessions as JSON, chain them anew, and let the book be written anew."""
        path = self.folder / "ledger.jsonl"
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        change(lines)
        before, written = "0" * 64, []
        for line in lines:
            rest = {name: value for name, value in line.items() if name != "hash"}
            text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            before = hashlib.sha256(f"{before}{text}".encode()).hexdigest()
            written.append(f'{{"hash":"{before}",{text[1:]}\n')
        path.write_text("".join(written))
        (self.folder / "book.json").unlink()
        return self


def made_paper(
    home: Path,
    plan: PaperPlan = PLAN,
    *,
    vendor: Vendor | None = None,
    seed: int = 1,
    patches: Iterable[Patch] = (),
    until: date = LAST,
) -> MadePaper:
    """Run a paper account over the sessions of seven weeks, with decisions by chance that cost a cent each."""
    services = services_of(home, vendor or EventfulVendor())

    async def chance(_services: Any, tickers: Sequence[str], days: Sequence[date], **_more: Any) -> Any:
        return by_chance(tickers, days, seed + days[0].toordinal())

    PaperAccount.create(home, plan)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(paper_run, "decide", chance)
        for place, name, value in patches:
            patched.setattr(place, name, value)
        for day in (FIRST, until):
            asyncio.run(paper_run.run_paper(services, day=day, decide_missed=True))
    return MadePaper(services, home)


def clean_paper(home: Path, number: int) -> MadePaper:
    """Make a faultless account: other tickers, costs, limits and weights for each number; some sell short."""
    drawn = random.Random(number)  # noqa: S311 - no secret
    plan = PaperPlan(
        tickers=tuple(drawn.sample(("HELQ", "OMBZ", "SANQ", "VELQ", "LEDQ", "PIPQ", "MODZ"), drawn.randint(2, 5))),
        every=drawn.randint(1, 6),
        scheme=drawn.choice(("confidence", "equal", "inverse_volatility", "hrp")),
        deposit=drawn.choice((5_000.0, 100_000.0, 2_000_000.0)),
        costs=TradingCosts(
            drawn.choice((0.0, 0.005)), drawn.choice((0.0, 1.0)), drawn.choice((0.0, 0.0005)),
            drawn.choice((0.0, 0.05)), drawn.choice((0.0001, 0.1)),
        ),
        limits=RiskLimits(drawn.randint(2, 15), drawn.choice((0.1, 0.3, 1.0)), 1.0, drawn.choice((0.0, 0.05))),
        shorts=ShortRules() if number % 4 == 3 else None,
    )  # fmt: skip
    return made_paper(home, plan, vendor=EventfulVendor(seed=number), seed=number)
