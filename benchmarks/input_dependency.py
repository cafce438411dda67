"""Whether a reader of data is told from a memoriser of names: `python -m benchmarks.input_dependency [--trials N]`.

Each trial is two other days of the simulated market with twelve companies: 24 cases, as the command tries by default.
A scripted reader follows the price of the last month; a scripted memoriser decides by ticker and day alone. Both run
through the whole trading graph (market analyst, debate, deciders) as they are, disguised, mirrored, and under other
names. Printed: how often each was named rightly, the range of scores, and the processor time of a decision. About ten
seconds of processor time a trial.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections import Counter
from datetime import date
from pathlib import Path

from tests.backtest.contamination.models import memoriser, reader
from tests.backtest.contamination.test_input_dependency import TICKERS, services_with
from tradingagents.backtest.contamination.input_dependency import input_dependency
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.llm_clients.scripted import ScriptedChatModel


def main() -> None:
    """Run the trials and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=100)
    trials = parser.parse_args().trials
    days = sessions().between(date(2023, 6, 1), date(2025, 10, 31))
    for name, make in (("reader", lambda _: reader()), ("memoriser", memoriser)):
        said, scores, made = Counter[str](), list[float](), 0
        began = time.process_time()
        for trial in range(trials):
            model: ScriptedChatModel = make(trial)
            with tempfile.TemporaryDirectory() as home:
                services = services_with(Path(home), model)
                first = trial * len(days) // (2 * trials)
                chosen = (days[first], days[first + len(days) // 2])
                found = asyncio.run(input_dependency(services, TICKERS, chosen))
                services.close()
            said[found.follows] += 1
            scores.append(found.score.value or 0.0)
            made += 3 * found.cases + found.swapped_data.of
        spent = 1000 * (time.process_time() - began) / made
        print(
            f"{name}: {dict(said)} of {trials}, score {min(scores):.2f} to {max(scores):.2f}, {spent:.0f} ms a decision"
        )


if __name__ == "__main__":
    main()
