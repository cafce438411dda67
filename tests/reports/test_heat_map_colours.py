"""The heat map's numbers can be read on every colour, in light, in the dark and on paper."""

import re

import pytest

from tradingagents.reports.charts.heat_map import STEPS
from tradingagents.reports.render.html import style

SCHEMES = ("light", "dark", "print")


def variables(scheme):
    """Return the page's colours in a scheme: the style sheet gives them in this order."""
    blocks = re.findall(r":root \{(.*?)\}", style("report.css"), flags=re.DOTALL)
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", blocks[SCHEMES.index(scheme)]))


def shares():
    """Return how much of a side's colour each step mixes into the card's."""
    return {
        int(step): int(share) / 100 for step, share in re.findall(r"\.step(\d) \{ --share: (\d+)%", style("scan.css"))
    }


def channels(colour):
    return [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]


def luminance(rgb):
    """Return the relative luminance of WCAG 2."""
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def shade(colours, side, step):
    mixed = zip(channels(colours[side]), channels(colours["card"]), strict=True)
    return [shares()[step] * tone + (1 - shares()[step]) * card for tone, card in mixed]


def test_every_step_has_its_colour_and_each_is_stronger_than_the_one_before():
    assert list(shares()) == list(range(1, STEPS + 1))
    assert list(shares().values()) == sorted(set(shares().values()))


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("side", ["buy", "sell"])
@pytest.mark.parametrize("step", range(1, STEPS + 1))
def test_numbers_stand_out_from_their_colour(scheme, side, step):
    colours = variables(scheme)
    assert contrast(channels(colours["ink"]), shade(colours, side, step)) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
def test_gain_and_loss_differ_in_blue_against_red_which_most_colour_blind_people_tell_apart(scheme):
    colours = variables(scheme)
    (red_gain, _, blue_gain), (red_loss, _, blue_loss) = (shade(colours, side, STEPS) for side in ("buy", "sell"))
    assert blue_gain - red_gain > 0.25
    assert red_loss - blue_loss > 0.25
