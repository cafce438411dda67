"""Whether a reader of data is told from a memoriser of names: `python -m benchmarks.input_dependency [--trials N]`.

Each trial is two other days of the simulated market with twelve companies: 24 cases, as the command tries by default.
A scripted reader follows the price of the last month; a scripted memoriser decides by ticker and day alone. Both run
through the whole trading graph (market analyst, debate, deciders) as they are, disguised, mirrored, and under other
names. Printed: how often each was named rightly, and the processor time of a decision. About ten seconds of processor
time a trial.

`--verdicts N` draws the decisions of deciders of known kind instead, N trials each, and prints how often each verdict
was given: `--tickers` and `--days` set the number of cases, `--part 0/3` takes a third of the deciders. `--asked`
measures the power at the number of cases that the plan asks for. Seeds and most mixes are others than the plan's.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import numpy as np

from tests.features.backtest.contamination.known_deciders import MEMORISER, READER, Decider, simulated
from tests.features.backtest.contamination.models import memoriser, reader
from tests.features.backtest.contamination.test_input_dependency import TICKERS, services_with
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.features.backtest.contamination.case_plan import plan_cases
from tradingagents.features.backtest.contamination.input_dependency import input_dependency
from tradingagents.features.backtest.contamination.verdict import judge
from tradingagents.llm_clients.scripted import ScriptedChatModel

HELD_OUT_SEED = 37_000_731
THIRDS, ONE_SIDED = (0.34, 0.33, 0.33), (0.85, 0.1, 0.05)
NEITHER = (
    ("always BUY", Decider(), (1.0, 0.0, 0.0)),
    *(("random", Decider(), mix) for mix in ((0.95, 0.03, 0.02), ONE_SIDED, (0.5, 0.3, 0.2), THIRDS)),
)
MEMORISERS = tuple(
    (
        f"remembers {100 * memory:.0f} % of {'names' if whole else 'decisions'}, else {'reads' if reads else 'random'}"
        + (", a name means the same on all days" if stable else ""),
        Decider(memory, reads=reads, whole_names=whole, stable=stable),
        mix,
    )
    for memory, mix in ((0.6, THIRDS), (0.6, ONE_SIDED), (0.8, THIRDS), (1.0, THIRDS))
    for reads in (False, True)
    for whole, stable in ((False, False), (True, True))
)
READERS = tuple(
    (
        f"reads {'prices' if prices else 'news'}, {100 * noise:.0f} % noise",
        Decider(reads=True, noise=noise, reads_prices=prices),
        mix,
    )
    for noise, mix in ((0.0, THIRDS), (0.2, THIRDS), (0.1, (0.7, 0.2, 0.1)))
    for prices in (True, False)
)


def main() -> None:
    """Run the trials and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--verdicts", type=int, default=0)
    parser.add_argument("--tickers", type=int, default=12)
    parser.add_argument("--days", type=int, default=2)
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--asked", action="store_true")
    given = parser.parse_args()
    if given.asked:
        asked_for(given.verdicts or 2000)
    elif given.verdicts:
        part, parts = (int(one) for one in given.part.split("/"))
        verdicts(given.verdicts, (given.tickers, given.days), part, parts)
    else:
        in_the_graph(given.trials)


def verdicts(trials: int, shape: tuple[int, int], part: int = 0, parts: int = 1) -> None:
    """Print the verdicts on deciders of known kind; `part` of `parts` of them, for several processes."""
    print("| decider | mix | data | name | undecided |\n|---|---|--:|--:|--:|")
    for label, decider, mix in (*NEITHER, *MEMORISERS, *READERS)[part::parts]:
        print(f"| {label} | {_shown(mix)} | {' | '.join(_verdicts(trials, decider, shape, mix))} |", flush=True)


def asked_for(trials: int) -> None:
    """Print how often a memoriser of 90 % and a reader are found at the number of cases that the plan asks for."""
    print("| tickers | mix | cases | decisions | memoriser: name | reader: data |\n|--:|---|--:|--:|--:|--:|")
    for tickers, mix in ((12, THIRDS), (12, (0.7, 0.2, 0.1)), (12, ONE_SIDED), (6, (0.5, 0.2, 0.3)), (30, ONE_SIDED)):
        plan = plan_cases(tickers, mix)
        if plan.cases is None:
            print(f"| {tickers} | {_shown(mix)} | none | - | - | - |", flush=True)
            continue
        shape = (tickers, plan.cases // tickers)
        found = (_verdicts(trials, MEMORISER, shape, mix)[1], _verdicts(trials, READER, shape, mix)[0])
        print(f"| {tickers} | {_shown(mix)} | {plan.cases} | {plan.decisions} | {' | '.join(found)} |", flush=True)


def _verdicts(trials: int, decider: Decider, shape: tuple[int, int], mix: Sequence[float]) -> list[str]:
    rng = np.random.default_rng(HELD_OUT_SEED)
    said = Counter(simulated(decider, shape, mix, rng, draws=99).follows for _ in range(trials))
    return [f"{100 * said[verdict] / trials:.1f} %" for verdict in ("data", "name", "undecided")]


def _shown(mix: Sequence[float]) -> str:
    return "/".join(f"{100 * share:.0f}" for share in mix)


def in_the_graph(trials: int) -> None:
    """Try scripted models in the whole trading graph."""
    days = sessions().between(date(2023, 6, 1), date(2025, 10, 31))
    for name, make in (("reader", lambda _: reader()), ("memoriser", memoriser)):
        said, made = Counter[str](), 0
        began = time.process_time()
        for trial in range(trials):
            model: ScriptedChatModel = make(trial)
            with tempfile.TemporaryDirectory() as home:
                services = services_with(Path(home), model)
                first = trial * len(days) // (2 * trials)
                chosen = (days[first], days[first + len(days) // 2])
                found = asyncio.run(input_dependency(services, TICKERS, chosen))
                services.close()
            said[judge(found.cases, found.exchanges).follows] += 1
            made += 3 * len(found.cases) + found.swapped_data.of
        spent = 1000 * (time.process_time() - began) / made
        print(f"{name}: {dict(said)} of {trials}, {spent:.0f} ms a decision")


if __name__ == "__main__":
    main()
