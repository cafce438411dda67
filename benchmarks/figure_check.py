"""Processor time that checking the figures of one run takes: its data read, and all texts of its models traced.

    python -m benchmarks.figure_check

Measured is an offline run on the simulated market; texts of language models quote more freely and take longer.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping
from typing import Any

from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.provenance.figure_check import Given
from tradingagents.runtime.figure_tracer import FigureTracer, written_texts

ROUNDS = 7


class _Recorded(FigureTracer):
    """Keeps what the last run was given and what its models wrote."""

    answers: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()

    def grounding(self, record: Mapping[str, Any]) -> Any:
        type(self).answers = tuple(self._answers)
        type(self).texts = tuple(text for _, _, text in written_texts(record))
        return super().grounding(record)


def main() -> None:
    from tradingagents.runtime.records import base

    base.FigureTracer = _Recorded  # type: ignore[misc]
    with tempfile.TemporaryDirectory() as home:
        config = {"llm_provider": "offline", "data_vendor": "simulated", "home": home}
        with TradingAgentsGraph(config=config) as graph:
            graph.run("VELQ", "2025-03-14")
    took = []
    for _ in range(ROUNDS):
        began = time.process_time()
        given = Given(_Recorded.answers, subject=("VELQ", "Veltrane Systems"))
        figures = sum(len(given.places(text)) for text in _Recorded.texts)
        took.append((time.process_time() - began) * 1000)
    lines = sum(answer.count("\n") + 1 for answer in (*_Recorded.answers, *_Recorded.texts))
    print(
        f"figure check of one run: {min(took):.1f} ms of processor time, {lines} lines read, {figures} figures checked"
    )


if __name__ == "__main__":
    main()
