"""The houses: sets of wording, each in a module that says when it was written and what it was used for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.reports.house import House
from benchmarks.reports.houses.development import DEVELOPMENT
from benchmarks.reports.houses.earlier import EARLIER
from benchmarks.reports.houses.held_out_five import HELD_OUT_FIVE
from benchmarks.reports.houses.held_out_four import HELD_OUT_FOUR
from benchmarks.reports.houses.held_out_one import HELD_OUT_ONE
from benchmarks.reports.houses.held_out_seven import HELD_OUT_SEVEN
from benchmarks.reports.houses.held_out_six import HELD_OUT_SIX
from benchmarks.reports.houses.held_out_three import HELD_OUT_THREE
from benchmarks.reports.houses.held_out_two import HELD_OUT_TWO

SETS: Mapping[str, Sequence[House]] = {
    "earlier": EARLIER,
    "development": DEVELOPMENT,
    "held out one": HELD_OUT_ONE,
    "held out two": HELD_OUT_TWO,
    "held out three": HELD_OUT_THREE,
    "held out four": HELD_OUT_FOUR,
    "held out five": HELD_OUT_FIVE,
    "held out six": HELD_OUT_SIX,
    "held out seven": HELD_OUT_SEVEN,
}
