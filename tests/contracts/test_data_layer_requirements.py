"""The data layer of seed 000, number by number: what holds, and the tests that show it.

S0-49: Financial Datasets gives statements and insider trades
- test_every_field_of_an_income_statement
- test_every_item_of_a_balance_sheet_and_of_a_cash_flow_statement
- test_every_field_of_a_trade
S0-50: statements: Financial Datasets, EDGAR, Yahoo; prices and ratings: Yahoo; texts of filings: EDGAR
- test_the_order_of_sources
- test_the_first_that_has_statements_gives_all_of_them
S0-51: the key is the user's; without it the others answer
- test_without_a_key_it_cannot_be_made_and_says_where_one_is_had
- test_without_keys_those_that_need_one_are_not_asked
S0-52: get_financials with its arguments and defaults; a source that fails is passed over
- test_the_arguments_of_get_financials
- test_why_a_source_was_passed_over_is_told
- test_a_source_that_fails_halfway_gives_nothing_at_all
S0-53: the pages of the live interface, which differ from the seed's
- test_the_pages_of_financial_datasets
S0-54: statements, items and ratios by name
- test_the_first_source_answers_and_agrees_with_the_others
S0-55: trades with their kind; bought or sold over six months
- test_the_fields_of_a_trade
- test_the_type_says_what_kind_of_trade_it_was
S0-56: who is asked for what
- test_the_order_of_sources
S0-57: the components exist and are offered
- test_the_components_exist

Departures: get_financials answers with `Financials`; its sources are named as vendors are (`sec_edgar`, `yfinance`); a
trade has `known_at` for the filing date and its value, from which the price of a share follows; insider trades have
other sources before and after Financial Datasets; the key stands in the environment or `.env`.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import get_args, get_type_hints

from tradingagents.capabilities.filings import get_financials
from tradingagents.capabilities.registry import registry
from tradingagents.dataflows.models import InsiderTransaction
from tradingagents.dataflows.vendors.financial_datasets.vendor import KEY, PAGES, TRADES
from tradingagents.features.research.agents.prompts import research_prompts
from tradingagents.runtime.registry import kind_of
from tradingagents.settings import load_settings

TESTS = Path(__file__).parents[1]


def test_every_test_of_the_table_exists():
    lines = (__doc__ or "").splitlines()
    named = {line.removeprefix("- ") for line in lines if line.startswith("- ")}
    assert [line.partition(":")[0] for line in lines if line.startswith("S0-")] == [f"S0-{n}" for n in range(49, 58)]
    sources = [path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py")]
    missing = {name for name in named if not any(f"def {name}(" in source for source in sources)}
    assert not missing


def test_the_order_of_sources():
    settings = load_settings({}, environ={})
    assert settings.tool_vendors["get_financials"] == "financial_datasets,sec_edgar,yfinance"
    assert "financial_datasets" in settings.tool_vendors["get_insider_transactions"].split(",")
    assert settings.data_vendors["filing_data"] == "sec_edgar"
    assert settings.data_vendors["core_stock_apis"].split(",")[0] == "yfinance"
    assert settings.data_vendors["social_data"] == "stocktwits,reddit"


def test_the_arguments_of_get_financials():
    given = get_financials.arguments.model_fields
    assert {name: given[name].default for name in ("statement_type", "period", "years")} == {
        "statement_type": "all",
        "period": "annual",
        "years": 3,
    }
    assert given["ticker"].is_required()
    assert set(get_args(given["statement_type"].annotation)) == {"income", "balance", "cashflow", "all"}
    assert set(get_args(given["period"].annotation)) == {"annual", "quarterly"}


def test_the_pages_of_financial_datasets():
    assert KEY == "FINANCIAL_DATASETS_API_KEY"
    assert {name: PAGES[name][0] for name in ("income", "balance", "cashflow", "insiders")} == {
        "income": "financials/income-statements",
        "balance": "financials/balance-sheets",
        "cashflow": "financials/cash-flow-statements",
        "insiders": "insider-trades",
    }
    assert TRADES == 100


def test_the_fields_of_a_trade():
    names = {field.name for field in dataclasses.fields(InsiderTransaction)}
    assert {"insider", "relation", "kind", "shares", "value", "known_at", "transaction_date"} <= names
    kinds = get_args(get_type_hints(InsiderTransaction)["kind"])
    assert {"buy", "sell", "gift", "exercise"} <= set(kinds)


def test_the_components_exist():
    agents = {"Question Reader", "Planner", "Task Executor", "Reflector", "Synthesizer"}
    assert agents <= set(research_prompts())
    assert kind_of("research").name == "research"
    tools = ("get_financials", "get_insider_transactions", "search_filings", "sec_filing_document", "save_thesis")
    assert {*tools, "get_social_sentiment", "get_news"} <= set(registry())
