"""Performance of strategies: return and risk, comparison with a benchmark, correction for choosing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradingagents.lazy_names import lazy_names

if TYPE_CHECKING:
    from tradingagents.analytics.performance.metrics import (
        Performance,
        exposure_matched_alpha,
        max_drawdown,
        performance,
        rank_ic,
        sharpe_ratio,
    )
    from tradingagents.analytics.performance.paired import PairedTest, paired_test, power_of, sessions_needed
    from tradingagents.analytics.performance.regression import BenchmarkRegression, benchmark_regression
    from tradingagents.analytics.performance.selection import (
        deflated_sharpe,
        holm,
        overfitting_probability,
        probabilistic_sharpe,
        track_record_needed,
    )

__all__ = [
    "BenchmarkRegression",
    "PairedTest",
    "Performance",
    "benchmark_regression",
    "deflated_sharpe",
    "exposure_matched_alpha",
    "holm",
    "max_drawdown",
    "overfitting_probability",
    "paired_test",
    "performance",
    "power_of",
    "probabilistic_sharpe",
    "rank_ic",
    "sessions_needed",
    "sharpe_ratio",
    "track_record_needed",
]

__getattr__ = lazy_names(
    __name__,
    {
        "BenchmarkRegression": "regression",
        "PairedTest": "paired",
        "Performance": "metrics",
        "benchmark_regression": "regression",
        "deflated_sharpe": "selection",
        "exposure_matched_alpha": "metrics",
        "holm": "selection",
        "max_drawdown": "metrics",
        "overfitting_probability": "selection",
        "paired_test": "paired",
        "performance": "metrics",
        "power_of": "paired",
        "probabilistic_sharpe": "selection",
        "rank_ic": "metrics",
        "sessions_needed": "paired",
        "sharpe_ratio": "metrics",
        "track_record_needed": "selection",
    },
)
