"""Plans: what a test could see, what it costs, and a seal that another test does not pass."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.support.graph_factory import scripted
from tradingagents.analytics.performance import power_of
from tradingagents.errors import UsageError
from tradingagents.features.backtest import market as market_module
from tradingagents.features.backtest.plan import plan_backtest, read_plan, write_plan
from tradingagents.features.backtest.request import BacktestRequest
from tradingagents.features.backtest.run import backtest
from tradingagents.features.backtest.statistics import active_risk as active_risk_module
from tradingagents.features.backtest.statistics.active_risk import active_risk
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.runtime.services import Services, open_services
from tradingagents.settings import load_settings

ASKED = BacktestRequest(tickers=("VELQ", "OMBZ"), start=date(2024, 10, 1), end=date(2024, 11, 20), every=12)


def services_in(home: Path, *, models: TierModels | None = None, **settings: Any) -> Services:
    config = {"llm_provider": "offline", "data_vendor": "simulated", "home": str(home), **settings}
    return open_services(load_settings(config, environ={}), {}, models=models)


@pytest.fixture(autouse=True)
def _few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plans are made of three accounts of chance, not twelve: no law here depends on how many."""
    monkeypatch.setattr(active_risk_module, "DRAWS", 3)


async def test_a_plan_is_sealed_and_another_test_is_refused(tmp_path: Path):
    services = services_in(tmp_path)
    plan = await plan_backtest(services, ASKED, edge=0.1)
    assert (plan.costs.decisions, plan.costs.stored, plan.costs.llm_calls, plan.costs.cost_usd) == (6, 0, 0, 0)
    path = write_plan(plan, tmp_path)
    assert path.name == f"{plan.hash[:12]}.json"
    assert read_plan(path) == plan
    found = await backtest(services, replace(ASKED, tickers=("OMBZ", "velq")), plan=read_plan(path))
    assert found.record["plan_hash"] == plan.hash
    assert found.record["planned"]["power"] == plan.power
    other = services_in(tmp_path, max_debate_rounds=1)
    for asked, own, why in (
        (replace(ASKED, every=11, scheme="hrp"), services, "every: planned 12, asked 11; scheme: planned"),
        (replace(ASKED, tickers=("VELQ",)), services, "tickers: planned"),
        (ASKED, other, "settings: planned"),
    ):
        with pytest.raises(UsageError, match=why):
            await backtest(own, asked, plan=plan)  # type: ignore[arg-type]
    path.write_text(path.read_text().replace('"edge": 0.1', '"edge": 0.2'))
    with pytest.raises(UsageError, match="changed after it was sealed"):
        read_plan(path)
    for content in ("{}", "[]", "plan", json.dumps({"hash": "1"})):
        path.write_text(content)
        with pytest.raises(UsageError, match="no plan"):
            read_plan(path)
    late = await plan_backtest(services, ASKED, edge=0.1)
    assert late.costs.stored == 6  # a plan that was made when results were there says so
    warned = await backtest(services, ASKED, plan=late)
    assert warned.record["warnings"][0].startswith("6 of 6 decisions were stored when the plan")


async def test_a_plan_counts_what_variants_and_repeats_cost_and_more_sessions_see_less(tmp_path: Path):
    model = scripted()
    services = services_in(tmp_path, models=TierModels.same(model), analysts=("market",))
    asked = replace(ASKED, repeats=3, ablations=("no_debate",))
    plan = await plan_backtest(services, asked, edge=0.02, power=0.9)
    assert not model.calls
    assert plan.costs.decisions == 6 * (3 + 3 + 1)  # the offline analysts decide once, and ask nobody
    # Eight calls without debates (an analyst's tools, its report, three deciders), four and six turns more with them.
    assert plan.costs.llm_calls % (6 * 3) == 0
    assert 6 * 3 * 2 * 4 < plan.costs.llm_calls < 6 * 3 * 2 * 20
    assert plan.power < 0.9
    assert power_of(0.02, plan.risk.tracking_error, plan.sessions_needed) == pytest.approx(0.9, abs=1e-3)
    assert plan.decision_days_needed == -(-plan.sessions_needed // 12)
    longer = await plan_backtest(services, replace(ASKED, end=date(2025, 2, 28)), edge=0.02)
    assert longer.smallest_edge < plan.smallest_edge
    assert longer.power > plan.power
    for edge, power in ((0.0, 0.8), (0.05, 1.0), (0.05, 0.01)):
        with pytest.raises(UsageError, match="edge above 0"):
            await plan_backtest(services, ASKED, edge=edge, power=power)


async def test_a_plan_reads_no_price_of_the_tested_period(tmp_path: Path):
    services = services_in(tmp_path)
    market = market_module.read_market(services, ASKED)
    plain = active_risk(ASKED, market)
    prices = dict(market.prices)
    changed = prices["VELQ"]
    after = changed.days >= market.days[0]
    columns = ("open", "high", "low", "close", "adj_close")
    prices["VELQ"] = replace(changed, **{name: getattr(changed, name) * (1 + 9 * after) for name in columns})
    table = type(market.table)({**market.funds, **prices}, market.table.days)
    assert active_risk(ASKED, replace(market, prices=prices, table=table)) == plain
