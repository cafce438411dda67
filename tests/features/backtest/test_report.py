"""What a backtest's report says first: two sentences that claim no skill unless every test agrees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.support.golden_files import assert_golden
from tradingagents.features.backtest.pages.report import (
    benchmark_line,
    benchmark_rows,
    conventions,
    random_line,
    unranked_line,
    untested_line,
    untested_tickers,
)
from tradingagents.features.backtest.pages.verdict import verdict
from tradingagents.features.backtest.pages.wording import brier_score, interval, number, percent, smallest, span

TEST = {"difference": 9.491, "low": -2.52, "high": 20.16, "smallest_edge": 2.52}
DECIDERS = {
    "draws": 1000, "percentile": 0.5, "p_value": 0.5, "total_return": 0.4, "turnover_ratio": 1.02, "different": 900,
    "exposure_ratio": 0.99, "ledger_gap": 0.0001, "unknown": None,
    "quantiles": {"5": -0.05, "25": 0.02, "50": 0.1, "75": 0.15, "95": 0.25},
}  # fmt: skip
NEVER = dict.fromkeys(DECIDERS) | {
    "draws": 1000, "unknown": "the decisions never differ, so every random decider does the same"
}  # fmt: skip


def record_of(
    sessions: int,
    *,
    total: float = 0.4,
    bills: float | None = 0.05,
    fund: float | None = 0.1,
    deciders: Mapping[str, Any] | None = None,
    gap: tuple[float, float, float] | None = (9.491, -2.52, 20.16),
    deflated: float | None = None,
    trials: int = 1,
) -> dict[str, Any]:
    test = None if gap is None else {**TEST, **dict(zip(("difference", "low", "high"), gap, strict=True))}
    own = {"total_return": total, "exposure": 0.5, "ci_equal_exposure": test}
    strategies = {"decisions": own, "buy_and_hold": {"total_return": 0.12, "exposure": 1.0}}
    if fund is not None:
        strategies["benchmark"] = {"total_return": fund, "exposure": 1.0}
    edge = None if deflated is None else {"deflated": deflated}
    return {
        "sessions": sessions,
        "currency": "USD",
        "funds": ["AGG", "SPY", "XLK"],
        "strategies": strategies,
        "power": None if gap is None else {"smallest_edge": 0.06},
        "choice": {"edge": edge, "trials": trials},
        "bills": None if bills is None else {"mean_rate": bills, "total_return": bills, "source": "made", "year": 365},
        "random_deciders": None if deciders is None else {**DECIDERS, **deciders},
    }


SHOWN = {
    "good": record_of(505, total=0.42, bills=0.102, fund=0.31, deflated=0.97, gap=(0.071, 0.012, 0.131),
                      deciders={"percentile": 0.984, "p_value": 0.017}),
    "bad": record_of(505, total=-0.12, bills=0.102, fund=0.31, deflated=0.02, gap=(-0.11, -0.19, -0.02),
                     deciders={"percentile": 0.021, "p_value": 0.98}),
    "luck": record_of(505, total=0.26, bills=0.102, fund=0.31, deflated=0.61, gap=(0.01, -0.05, 0.07),
                      deciders={"percentile": 0.62, "p_value": 0.381}),
    "never_differs": record_of(505, total=0.3, bills=0.102, fund=0.31, gap=(0.01, -0.05, 0.07), deciders=NEVER),
    "short": record_of(18, total=0.031, bills=0.003, fund=0.012, gap=None,
                       deciders={"percentile": 0.97, "p_value": 0.031}),
    "no_bills": record_of(253, total=0.21, bills=None, fund=None, deflated=0.72, trials=14, gap=(0.08, 0.01, 0.15),
                          deciders={"percentile": 0.96, "p_value": 0.041}),
}  # fmt: skip


@pytest.mark.parametrize("name", list(SHOWN))
def test_what_a_reader_sees_first_is_as_agreed(name: str):
    assert_golden(f"backtest/verdicts/{name}.txt", verdict(SHOWN[name]) + "\n")


CLAIM = "more than luck explains"
SKILL = {"percentile": 0.99, "p_value": 0.01}


@pytest.mark.parametrize(
    ("changes", "claimed"),
    [
        ({}, True),
        ({"deciders": {"percentile": 0.9, "p_value": 0.1}}, False),
        ({"deciders": NEVER}, False),
        ({"deciders": None}, False),
        ({"gap": (0.05, -0.01, 0.1)}, False),
        ({"gap": None}, False),
        ({"deflated": 0.94}, False),
        ({"deflated": None}, False),
        ({"deflated": 0.94, "trials": 9}, False),
    ],
)
def test_skill_is_claimed_only_where_every_test_agrees(changes: dict[str, Any], claimed: bool):
    usual: dict[str, Any] = {"deciders": SKILL, "gap": (0.05, 0.01, 0.1), "deflated": 0.97}
    text = verdict(record_of(505, **(usual | changes)))
    assert (CLAIM in text) is claimed
    assert text.count("luck") == 1  # one sentence judges


@pytest.mark.parametrize(("sessions", "said"), [(252, "over the 252 sessions"), (253, "a year"), (600, "a year")])
def test_a_year_is_claimed_from_a_year_of_returns_on(sessions: int, said: str):
    assert span(record_of(sessions))[1] == said
    assert f" % {said} with 50 % of the money invested on average: " in verdict(record_of(sessions))


def test_twenty_five_sessions_are_stated_as_twenty_five_sessions():
    # Scaled to a year the difference would read 949.1 %; over 25 of 252 sessions it is 94.2 %.
    text = verdict(record_of(25))
    assert "94.2 % over the 25 sessions (95 % interval -25.0 % to 200.0 %)" in text
    assert "(80 % power) is 0.6 % over the 25 sessions." in text
    assert "949.1" not in text
    assert text.startswith(
        "The decisions made 40.0 % over the 25 sessions with 50 % of the money invested on average: "
    )
    assert "35.0 points more than Treasury bills and 30.0 points more than the benchmark fund SPY." in text


def test_a_year_is_compounded_from_the_returns():
    # 504 returns are two years: 21 % are 10 % a year; bills of 10.25 % are 5 %, a fund of 21 % is the same.
    text = verdict(record_of(505, total=0.21, bills=0.1025, fund=0.21))
    assert text.startswith("The decisions made 10.0 % a year with ")
    assert "5.0 points more than Treasury bills and as much as the benchmark fund SPY." in text


def test_the_rate_of_bills_is_shown_as_it_is_taken_off_the_first_sentence_too():
    # 504 returns of two years: 10.25 % are 5.0 % a year; the mean rate of 4.9 % alone would not explain the sentence.
    record = record_of(505, bills=0.1025)
    record["bills"]["mean_rate"] = 0.049
    assert "at a rate of 4.9 % a year on average (made), which with interest on interest is 5.0 % a year." in (
        conventions(record)
    )
    short = record_of(126, bills=0.024)
    assert "with interest on interest is 2.4 % over the 126 sessions." in conventions(short)


@pytest.mark.parametrize(
    ("value", "said"), [(-0.0004, "0.0 %"), (-0.0, "0.0 %"), (-0.0006, "-0.1 %"), (-1.0, "-100.0 %"), (0.1, "10.0 %")]
)
def test_zero_has_no_sign(value: float, said: str):
    assert percent(value) == said


def test_brier_scores_that_differ_are_shown_to_differ():
    assert [brier_score(one) for one in (0.2532, 0.0029, None)] == ["0.253", "0.003", "-"]
    assert number(-0.004) == "0.00"


def test_results_of_earlier_versions_are_shown():
    record = record_of(505, bills=None)
    del record["bills"], record["random_deciders"]
    assert "what bills paid is not known" in verdict(record)
    assert "cannot be told: this result is of a version without random deciders." in verdict(record)
    assert random_line(record) == ""


def test_what_random_deciders_made_is_said():
    text = random_line(record_of(505, deciders={"p_value": 0.0125}))
    assert "-5.0 % to 25.0 % for 90 of 100, 10.0 % in the middle, that of the decisions 40.0 %" in text
    assert "trade 1.02 times and are invested 0.99 times as much" in text
    assert "different" not in text
    assert "rotated in time, 40 of them different; their" in random_line(record_of(505, deciders={"different": 40}))
    assert random_line(record_of(505, deciders=NEVER)) == ""


@pytest.mark.parametrize(("ratio", "said"), [(0.9, "about"), (1.14, "about"), (1.29, "1.3 times"), (0.5, "0.5 times")])
def test_random_deciders_that_trade_more_or_less_are_said_to(ratio: float, said: str):
    assert f"random deciders that trade {said} as much, on" in verdict(
        record_of(505, deciders={"turnover_ratio": ratio})
    )


def test_without_a_test_against_buy_and_hold_no_luck_is_excluded():
    skilled = {"deciders": SKILL, "gap": None}
    assert "but there are too few sessions to tell it from luck." in verdict(record_of(20, **skilled))
    assert "but just what the same tickers held without decisions made" in verdict(record_of(21, **skilled))


def test_an_account_that_lost_everything_lost_it_in_a_year_too():
    text = verdict(record_of(505, total=-1.2))
    assert text.startswith("The decisions lost 100.0 % a year with ")


def test_intervals_and_edges_are_of_the_same_span():
    scale, _ = span(record_of(126))
    assert interval(TEST, scale) == "474.5 % (-126.0 % to 1008.0 %)"
    assert smallest(TEST, scale) == "126.0 %"
    assert (interval(None, scale), smallest(None, scale)) == ("", "")


def regressed(alpha: float | None, reason: str = "") -> dict[str, Any]:
    found = {
        "alpha": alpha, "alpha_low": 0.01, "alpha_high": 0.07, "alpha_t": 2.2, "beta": 0.5, "beta_low": 0.47,
        "beta_high": 0.53, "information_ratio": 1.25, "information_low": 0.1, "information_high": 2.4,
    }  # fmt: skip
    return {"beyond_bills": 0.08, "regression": {**found, "reason": reason}}


def test_alpha_and_beta_are_shown_with_their_intervals():
    record = record_of(253)
    record["strategies"]["decisions"] |= regressed(0.04)
    assert benchmark_rows(record) == [
        ("Decisions", "8.0 %", "4.0 % (1.0 % to 7.0 %)", "2.20", "0.50 (0.47 to 0.53)", "1.25 (0.10 to 2.40)")
    ]
    told = benchmark_line(record)
    assert told.startswith("Against the benchmark fund")
    assert "Alpha counts what the choice of the tickers made, too" in told


def test_a_reason_stands_where_there_is_no_regression():
    record = record_of(253)
    record["strategies"]["decisions"] |= regressed(None, "no regression: 57 sessions are fewer than 60")
    assert benchmark_rows(record) == []
    assert benchmark_line(record) == "Alpha and beta: no regression: 57 sessions are fewer than 60."


def test_a_result_of_an_earlier_version_says_nothing_of_alpha():
    assert benchmark_line(record_of(253)) == ""
    assert benchmark_rows(record_of(253)) == []


def one_tested(ci: bool, equal: bool, tickers: Mapping[str, bool] | None = None) -> dict[str, Any]:
    alone = {ticker: {"ci_equal_exposure": TEST if one else None} for ticker, one in (tickers or {}).items()}
    return {"ci": TEST if ci else None, "ci_equal_exposure": TEST if equal else None, "tickers": alone}


def test_a_gap_that_is_not_tested_has_its_reason_once():
    record = record_of(58)
    record["strategies"] = {
        "decisions": one_tested(True, True, {"VELQ": True, "OMBZ": False}),
        "buy_and_hold": one_tested(False, False, {"VELQ": False, "OMBZ": False}),
        "momentum": one_tested(False, False),
        "kdj_rsi": one_tested(True, False),
    }
    alike = "the returns never differ from those that they are compared with."
    assert untested_line(record) == (
        f"Not tested: the gap of Momentum 12-1; the gap at equal exposure of Momentum 12-1, KDJ & RSI: {alike}"
    )
    assert untested_tickers(record) == f"No gap at equal exposure in 1 of 2 rows: {alike}"
    short = record | {"sessions": 20}  # 19 returns
    assert untested_line(short) == "No gap is tested: too few sessions: 19 of the 20 that a test needs."
    assert untested_tickers(short).endswith("in 1 of 2 rows: too few sessions: 19 of the 20 that a test needs.")


def test_nothing_is_said_where_all_gaps_are_tested():
    record = record_of(58)
    record["strategies"] = {
        "decisions": one_tested(True, True, {"VELQ": True}),
        "buy_and_hold": one_tested(False, False),
    }
    record["ranking"] = [{"name": "decisions", "low": 0.1}, {"name": "offline", "low": 0.1}]
    assert (untested_line(record), untested_tickers(record), unranked_line(record)) == ("", "", "")


def test_variants_without_an_interval_have_the_reason():
    record = record_of(13) | {"ranking": [{"name": "decisions", "low": None}, {"name": "weights_hrp", "low": None}]}
    assert unranked_line(record) == (
        "No interval of Decisions, Decisions, weights hrp: too few sessions: 12 of the 20 that a test needs."
    )
    assert unranked_line(record | {"ranking": record["ranking"][:1]}) == ""  # no table either
