"""Calls that scripts written for the public TradingAgents 0.5 make: each holds, offline on the simulated market."""

from __future__ import annotations

import inspect
import json
import warnings
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.compat.test_public_api import DAY, TICKER, offline
from tradingagents.agents.schemas import Decision
from tradingagents.agents.utils.rating import FULL, RATING_REVIEW, RATINGS_5_TIER, is_review, rating_of
from tradingagents.backtest import BacktestResult, BacktestSummary, iter_grid, run_backtest, summarize
from tradingagents.dataflows.config import LegacyConfigWarning
from tradingagents.dataflows.interface import VENDOR_METHODS
from tradingagents.errors import BadDate, BadSymbol, SettingsError, UsageError
from tradingagents.features.backtest.decisions.grid import BacktestCell, write_cells
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.portfolio import PortfolioContext, Position, load_portfolio
from tradingagents.reporting import write_report_tree
from tradingagents.schemas.portfolio import Portfolio

DAYS = ["2024-06-03", "2024-06-15", "2025-03-14"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def ta(home: Path) -> TradingAgentsGraph:
    return TradingAgentsGraph(config=offline(home))


@pytest.fixture(scope="module")
def propagated(ta: TradingAgentsGraph) -> tuple[Any, Any]:
    return ta.propagate(TICKER, DAY, asset_type="stock")


# propagate


def test_propagate_begins_with_the_parameters_of_the_public_project():
    names = list(inspect.signature(TradingAgentsGraph.propagate).parameters)
    assert names == ["self", "company_name", "trade_date", "asset_type", "portfolio"]


def test_an_asset_type_that_does_not_exist_is_refused_in_a_sentence(ta: TradingAgentsGraph):
    with pytest.raises(UsageError, match="asset_type cannot be 'bond': it is stock or crypto"):
        ta.propagate(TICKER, DAY, "bond")


def test_a_company_is_no_cryptocurrency(ta: TradingAgentsGraph):
    with pytest.raises(UsageError, match=r"VELQ is a company, not a cryptocurrency; write one like BTC-USD\."):
        ta.propagate(TICKER, DAY, asset_type="crypto")


# The rating


@pytest.mark.parametrize(
    ("action", "conviction", "rating"),
    [
        ("BUY", FULL, "Buy"),
        ("BUY", 0.64, "Overweight"),
        ("HOLD", 0.9, "Hold"),
        ("HOLD", 0.1, "Hold"),
        ("SELL", 0.64, "Underweight"),
        ("SELL", 1.0, "Sell"),
        ("NO_DECISION", 0.0, "REVIEW"),
    ],
)
def test_the_rating_follows_from_action_and_conviction(action: str, conviction: float, rating: str):
    assert rating_of(action, conviction) == rating
    assert is_review(rating) == (rating == RATING_REVIEW)


def test_conviction_is_the_strength_of_the_rules_or_the_confidence_of_a_model():
    model = Decision(action="BUY", confidence=0.7, rationale="said")
    assert model.rating == "Buy"
    assert model.model_copy(update={"strength": 0.5}).rating == "Overweight"
    assert Decision.none("no model").rating == RATING_REVIEW


def test_the_rating_is_read_from_what_propagate_returns_and_written_nowhere(propagated: tuple[Any, Any], home: Path):
    state, decision = propagated
    assert decision.rating in RATINGS_5_TIER
    assert decision.rating == decision.decision.rating
    assert "rating" in dir(decision)
    assert "rating" not in decision.model_dump()
    assert "rating" not in Decision.model_json_schema()["properties"]
    assert "rating" not in state["decisions"]["final_trade_decision"]
    (card,) = [json.loads(path.read_text("utf-8")) for path in home.glob("runs/*/run.json")]
    assert "rating" not in card["decision"]


# Configuration: the 29 keys of its defaults

SAME = {
    "llm_provider": "offline",
    "deep_think_llm": "gpt-5.5",
    "quick_think_llm": "gpt-5.4-mini",
    "backend_url": None,
    "google_thinking_level": "high",
    "openai_reasoning_effort": "medium",
    "anthropic_effort": "low",
    "temperature": 0.2,
    "llm_max_retries": 4,
    "checkpoint_enabled": False,
    "output_language": "English",
    "max_debate_rounds": 1,
    "max_risk_discuss_rounds": 1,
    "max_recur_limit": 120,
    "news_article_limit": 12,
    "global_news_article_limit": 6,
    "global_news_lookback_days": 5,
    "benchmark_ticker": "SPY",
}
OTHER_NAME = {"max_tokens": (900, "max_output_tokens", 900), "holding_period_days": (5, "outcome_days", 7)}
NO_EFFECT = {
    "project_dir": ("./", "`home`"),
    "data_cache_dir": ("./cache", "`home`"),
    "memory_log_path": ("./memory.md", "`home`"),
    "memory_log_max_entries": (50, "all lessons are kept"),
    "global_news_queries": (["Federal Reserve"], "take no queries"),
    "benchmark_map": ({".T": "^N225"}, "benchmark_ticker"),
}
PLACES_AND_VENDORS = {"results_dir", "data_vendors", "tool_vendors"}


def config_of(home: Path, given: Mapping[str, Any]) -> Any:
    base = {"llm_provider": "offline", "data_vendor": "simulated", "home": str(home)}
    return TradingAgentsGraph(config={**base, **given}).config


def test_the_keys_are_the_29_of_the_public_defaults():
    assert len({*SAME, *OTHER_NAME, *NO_EFFECT, *PLACES_AND_VENDORS}) == 29


def test_keys_of_the_same_name_are_settings(home: Path):
    with warnings.catch_warnings():
        warnings.simplefilter("error", LegacyConfigWarning)
        config = config_of(home, SAME)
    assert {key: config[key] for key in SAME} == SAME


@pytest.mark.parametrize("key", OTHER_NAME)
def test_keys_of_another_name_are_translated(home: Path, key: str):
    value, name, ours = OTHER_NAME[key]
    with pytest.warns(LegacyConfigWarning, match=f"{key} is read as {name}={ours}; write that instead"):
        assert config_of(home, {key: value})[name] == ours


@pytest.mark.parametrize("key", NO_EFFECT)
def test_keys_without_effect_say_why_in_one_sentence(home: Path, key: str):
    value, instead = NO_EFFECT[key]
    with pytest.warns(LegacyConfigWarning, match=f"^{key} has no effect: .*{instead}") as caught:
        config_of(home, {key: value})
    (warning,) = caught
    assert str(warning.message).count(". ") == 0


@pytest.mark.parametrize("key", ["llm_max_retries", "memory_log_max_entries", "max_tokens"])
def test_none_which_is_the_public_default_says_nothing(home: Path, key: str):
    with warnings.catch_warnings():
        warnings.simplefilter("error", LegacyConfigWarning)
        assert config_of(home, {key: None})["llm_max_retries"] == 2


def test_prediction_markets_are_not_available(home: Path):
    vendors = {"core_stock_apis": "yfinance", "prediction_markets": "polymarket"}
    with pytest.warns(LegacyConfigWarning, match=r"data_vendors\['prediction_markets'\] has no effect: no vendor"):
        assert "prediction_markets" not in config_of(home, {"data_vendors": vendors})["data_vendors"]


def test_both_names_of_a_key_agree_or_are_refused(home: Path):
    with pytest.warns(LegacyConfigWarning):
        assert config_of(home, {"max_tokens": 900, "max_output_tokens": 900})["max_output_tokens"] == 900
    with pytest.raises(SettingsError, match="max_tokens is max_output_tokens here, and both are given"):
        config_of(home, {"max_tokens": 900, "max_output_tokens": 800})


@pytest.mark.parametrize("value", [0, -5, 2.5, "five", True])
def test_a_window_is_a_number_of_sessions(home: Path, value: Any):
    with pytest.raises(SettingsError, match="holding_period_days cannot be"):
        config_of(home, {"holding_period_days": value})


# Reports


def test_write_report_tree_writes_the_texts_of_a_state(propagated: tuple[Any, Any], home: Path, tmp_path: Path):
    state, _ = propagated
    complete = write_report_tree(state, TICKER.lower(), tmp_path / "new" / "reports")
    assert complete == tmp_path / "new" / "reports" / "complete_report.md"
    text = complete.read_text("utf-8")
    assert text.startswith("# Trading report: VELQ, 2025-03-14\n")
    for part in ("## Analysts", "## Research", "## Trading", "## Risk", "Bull Researcher", "Risk Manager"):
        assert part in text
    (run,) = home.glob("runs/*/reports")
    texts = {path.relative_to(run).as_posix() for path in run.glob("*/*.md")}
    assert {path.relative_to(complete.parent).as_posix() for path in complete.parent.glob("*/*.md")} == texts
    for name in ("1_analysts/market.md", "2_research/debate.md", "3_trading/trader.md"):
        written, own = ((folder / name).read_text("utf-8") for folder in (complete.parent, run))
        assert written.partition("\n")[2] == own.partition("\n")[2]


def test_a_state_without_reports_is_refused(tmp_path: Path):
    with pytest.raises(UsageError, match="holds no report"):
        write_report_tree({"company_of_interest": TICKER}, TICKER, tmp_path / "reports")
    with pytest.raises(BadSymbol):
        write_report_tree({"market_report": "text"}, "../../etc", tmp_path / "reports")
    assert not (tmp_path / "reports").exists()


def test_save_reports_needs_a_folder(propagated: tuple[Any, Any], ta: TradingAgentsGraph, tmp_path: Path):
    state, _ = propagated
    assert ta.save_reports(state, TICKER, tmp_path / "here") == tmp_path / "here" / "complete_report.md"
    with pytest.raises(UsageError, match="give save_path, or set results_dir"):
        ta.save_reports(state, TICKER)
    with TradingAgentsGraph(config=offline(tmp_path / "home", results_dir=str(tmp_path / "results"))) as other:
        assert other.save_reports(state, TICKER) == tmp_path / "results" / TICKER / DAY / "complete_report.md"


# The backtest


def test_iter_grid():
    assert iter_grid("2026-01-05", "2026-01-20", every_n_days=7) == ["2026-01-05", "2026-01-12", "2026-01-19"]
    assert iter_grid("2026-01-05", "2026-01-04") == []
    assert iter_grid("2999-01-01", "2999-02-01") == []
    with pytest.raises(BadDate):
        iter_grid("2026-1-5", "2026-01-20")
    with pytest.raises(UsageError, match="at least 1"):
        iter_grid("2026-01-05", "2026-01-20", every_n_days=0)


@pytest.fixture(scope="module")
def tested(home: Path) -> tuple[BacktestResult, list[Any]]:
    calls: list[Any] = []
    result = run_backtest(
        [TICKER, "modz", TICKER], [*DAYS, DAYS[0]], offline(home), progress=lambda *told: calls.append(told)
    )
    return result, calls


def test_a_backtest_decides_each_cell_once(tested: tuple[BacktestResult, list[Any]]):
    result, calls = tested
    assert (result.cells_run, result.skipped, result.failures, result.settlement_failures) == (6, 0, [], [])
    assert [call[:2] for call in calls] == [(number, 6) for number in range(1, 7)]
    assert {call[2:] for call in calls} == {(ticker, day) for ticker in (TICKER, "MODZ") for day in DAYS}


def test_the_same_backtest_again_decides_nothing(tested: tuple[BacktestResult, list[Any]], home: Path):
    again = run_backtest([TICKER, "MODZ"], DAYS, offline(home), run_id=tested[0].run_id)
    assert (again.cells_run, again.skipped, again.log_path) == (0, 6, tested[0].log_path)


def test_the_summary_of_a_backtest(tested: tuple[BacktestResult, list[Any]]):
    summary = summarize(tested[0])
    assert isinstance(summary, BacktestSummary)
    assert summary == summarize(tested[0].log_path) == summarize(str(tested[0].log_path))
    assert (summary.resolved, summary.pending, summary.unscored, summary.holding) == (6, 0, 0, (5,))
    assert sum(score.count for score in summary.by_rating.values()) == 6
    assert "| Rating | Decisions |" in summary.render()


def test_decisions_of_a_backtest_are_those_of_propagate(tested: tuple[BacktestResult, list[Any]], propagated: Any):
    rows = [json.loads(line) for line in tested[0].log_path.read_text("utf-8").splitlines()]
    (row,) = [row for row in rows if (row["ticker"], row["day"]) == (TICKER, DAY)]
    assert row["action"] == propagated[1].action
    assert row["conviction"] == propagated[1].strength


def test_outcomes_are_measured_from_close_to_close_over_the_window(tested: Any):
    """2024-06-15 is a Saturday: its window begins with Friday's close and ends five sessions later."""
    rows = [json.loads(line) for line in tested[0].log_path.read_text("utf-8").splitlines()]
    (row,) = [row for row in rows if (row["ticker"], row["day"]) == (TICKER, "2024-06-15")]
    assert row["end"] == "2024-06-24"  # 2024-06-19 is a holiday

    def change(symbol: str) -> float:
        bars = VENDOR_METHODS["get_stock_data"]["simulated"](symbol, date(2024, 6, 14), date(2024, 6, 24))
        return float(bars.adj_close[-1] / bars.adj_close[0] - 1)

    assert row["total_return"] == pytest.approx(change(TICKER))
    assert row["benchmark_return"] == pytest.approx(change("SPY"))


@pytest.mark.parametrize(
    ("tickers", "days", "more", "error"),
    [
        ([], DAYS, {}, UsageError),
        ("VELQ", DAYS, {}, UsageError),
        (["../x"], DAYS, {}, BadSymbol),
        ([TICKER], [], {}, UsageError),
        ([TICKER], ["yesterday"], {}, BadDate),
        ([TICKER], DAYS, {"run_id": "../../escaped"}, UsageError),
        ([TICKER], DAYS, {"asset_type": "crypto"}, UsageError),
        ([TICKER], DAYS, {"portfolio": Portfolio()}, UsageError),
    ],
)
def test_a_wrong_backtest_is_refused_and_nothing_is_written(
    tmp_path: Path, tickers: Any, days: Any, more: Any, error: type[Exception]
):
    with pytest.raises(error):
        run_backtest(tickers, days, offline(tmp_path / "home"), **more)
    assert list(tmp_path.rglob("*.jsonl")) == []


def cell(action: str, conviction: float, change: float | None, benchmark: float | None, **more: Any) -> BacktestCell:
    outcome = {"total_return": change, "benchmark_return": benchmark, **more}
    given = {"ticker": TICKER, "day": "2025-03-14", "action": action, "conviction": conviction, "sessions": 5}
    return BacktestCell.model_validate({**given, **outcome})


def test_scores_read_the_direction_that_a_rating_claims(tmp_path: Path):
    write_cells(
        tmp_path / "log.jsonl",
        [
            cell("BUY", 0.7, 0.10, 0.06),
            cell("BUY", 0.7, -0.02, 0.0),
            cell("SELL", 0.7, -0.08, -0.03),
            cell("SELL", 0.5, 0.02, 0.01),
            cell("HOLD", 0.5, 0.01, 0.0),
            cell("BUY", 0.7, None, None),
            cell("NO_DECISION", 0.0, None, None, unscored="no model"),
        ],
    )
    summary = summarize(tmp_path / "log.jsonl")
    assert list(summary.by_rating) == ["Buy", "Hold", "Underweight", "Sell"]
    buy, hold = summary.by_rating["Buy"], summary.by_rating["Hold"]
    assert (buy.count, buy.hit_rate, round(buy.mean_alpha, 4), round(buy.mean_return, 4)) == (2, 0.5, 0.01, 0.04)
    assert (hold.hit_rate, hold.mean_alpha) == (None, 0.01)
    assert summary.by_rating["Sell"].hit_rate == 1.0
    assert summary.by_rating["Underweight"].hit_rate == 0.0
    assert (summary.resolved, summary.pending, summary.unscored) == (5, 1, 1)
    text = summary.render()
    assert "| Buy | 2 | 50 % | +4.00 % | +1.00 % |" in text
    assert "| Hold | 1 | no direction |" in text
    assert "1 are pending" in text


def test_a_log_that_does_not_exist_is_no_empty_summary(tmp_path: Path):
    with pytest.raises(FileNotFoundError):
        summarize(tmp_path / "missing.jsonl")


# The portfolio

BOOK = {
    "cash": 25000.0,
    "currency": "USD",
    "positions": [
        {"ticker": "velq", "quantity": 120, "average_price": 150.0},
        {"ticker": "MODZ", "quantity": -5},
    ],
}


def test_a_portfolio_in_the_words_of_the_public_project():
    context = PortfolioContext.model_validate(BOOK)
    assert context == PortfolioContext(**BOOK)
    assert [(held.ticker, held.quantity, held.average_price) for held in context.positions] == [
        ("MODZ", -5, None),
        ("VELQ", 120, 150.0),
    ]
    assert context.cash == {"USD": 25000.0}
    held = context.position_in("velq")
    assert held == Position(ticker="VELQ", quantity=120, average_price=150.0, currency="USD")
    assert context.position_in("OMBZ") is None


def test_positions_are_objects_or_mappings():
    context = PortfolioContext(positions=[Position(ticker="VELQ", quantity=3), {"symbol": "MODZ", "quantity": 1}])
    assert (context.symbols, context.cash) == (("MODZ", "VELQ"), {})


def test_propagate_takes_a_portfolio_of_the_public_project(ta: TradingAgentsGraph):
    _, decision = ta.propagate(TICKER, DAY, portfolio=PortfolioContext.model_validate(BOOK))
    assert decision.rating in RATINGS_5_TIER
    assert decision.holder is not None
    assert ta.propagate(TICKER, DAY, "stock", PortfolioContext())[1].rating in RATINGS_5_TIER


def test_a_flat_book_is_a_portfolio_without_positions():
    flat = PortfolioContext(cash=1000.0)
    assert (flat.is_flat, flat.cash) == (True, {"USD": 1000.0})
    assert PortfolioContext(positions=[]).is_flat


def test_a_changed_book_has_another_fingerprint():
    one, same = PortfolioContext.model_validate(BOOK), PortfolioContext.model_validate(BOOK)
    other = PortfolioContext.model_validate({**BOOK, "cash": 24999.0})
    assert one.fingerprint() == same.fingerprint() != other.fingerprint()
    assert one.fingerprint() == Portfolio.model_validate(one.as_json()).digest


def test_load_portfolio_reads_the_public_projects_file_and_a_brokers(tmp_path: Path):
    (tmp_path / "book.json").write_text(json.dumps(BOOK), "utf-8")
    assert load_portfolio(tmp_path / "book.json") == PortfolioContext.model_validate(BOOK)
    (tmp_path / "book.csv").write_text("Symbol,Qty,Avg Price,Currency\nVELQ,120,150,USD\nMODZ,-5,,\n", "utf-8")
    assert load_portfolio(str(tmp_path / "book.csv")).symbols == ("MODZ", "VELQ")


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"positions": [{"ticker": "VELQ", "quantity": "many"}]}'])
def test_an_unusable_file_is_a_value_error_and_a_usage_error(tmp_path: Path, text: str):
    (tmp_path / "book.json").write_text(text, "utf-8")
    with pytest.raises(ValueError, match=r"book\.json cannot be read as a portfolio") as caught:
        load_portfolio(tmp_path / "book.json")
    assert isinstance(caught.value, UsageError)


@pytest.mark.parametrize(
    "given", [{"positions": [{"ticker": "../x", "quantity": 1}]}, {"cash": "much"}, {"cash": True}]
)
def test_what_is_no_portfolio_is_refused(given: Any):
    with pytest.raises(ValueError, match="This is no portfolio"):
        PortfolioContext.model_validate(given)
