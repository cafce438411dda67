import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from datetime import date
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports.hostile import PAYLOADS
from tests.reports.sample import TRADE_DATE, sample_decision, sample_prices
from tradingagents.reports.charts.plot import lay_out
from tradingagents.reports.charts.price_chart import overlays_for, price_chart
from tradingagents.schemas.decision import Decision

SVG = "{http://www.w3.org/2000/svg}"


def draw(prices=None, *, decision=None, trade_date=TRADE_DATE, overlays=None, **options):
    prices = sample_prices() if prices is None else prices
    return ET.fromstring(  # noqa: S314 - our own chart
        price_chart(
            prices,
            decision=decision and Decision.model_validate(decision),
            trade_date=trade_date,
            overlays=overlays,
            **options,
        )
    )


def paths(chart, css):
    return [path.get("d") for path in chart.iter(f"{SVG}path") if path.get("class") == css]


def in_panel(chart, css):
    """Paths of the price panel only: the legend has samples of the same classes."""
    return paths(chart.find(f"{SVG}svg"), css)


def texts(chart):
    return [(text.text, float(text.get("x")), float(text.get("y"))) for text in chart.iter(f"{SVG}text")]


def five_bars():
    """Lows 100 to 104 and highs 106 to 110, the last bar falling: range 100 to 110, room 4% of 10 each way."""
    rise = np.arange(5.0)
    return replace(
        sample_prices(5),
        low=100 + rise,
        open=np.array([102.0, 103, 104, 105, 108]),
        close=np.array([105.0, 106, 107, 108, 106]),
        high=106 + rise,
    )


def test_a_candle_stands_where_its_prices_are():
    # axis 99.6 to 110.4 on pixels 342 to 42: 108 -> 108.67, 106 -> 164.22, 110 -> 53.11, 104 -> 219.78
    chart = draw(five_bars())
    (falling,) = in_panel(chart, "down")
    heights = [float(y) for y in re.findall(r"(?<=[ V])[\d.]+", falling)]
    assert heights == pytest.approx([53.1, 108.7, 164.2, 219.8, 108.7, 164.2], abs=0.05)
    assert len(in_panel(chart, "up")[0].split("Z")) - 1 == 4


def test_levels_widen_the_axis_and_become_dashed_lines():
    decision = {**sample_decision(), "entry": 106.0, "stop": 98.0, "target": 112.0}
    chart = draw(five_bars(), decision=decision)
    # axis 98 - 0.56 to 112 + 0.56: 106 lies at 342 - (106 - 97.44) / 15.12 * 300 = 172.16
    assert [float(d.split()[1].split("H")[0]) for d in paths(chart, "level entry")] == pytest.approx([172.2], abs=0.05)
    assert {label for label, _, _ in texts(chart)} >= {"Entry 106.00", "Stop 98.00", "Target 112.00"}


def test_a_level_far_off_is_written_at_the_edge_and_squashes_nothing():
    chart = draw(five_bars(), decision={**sample_decision(), "entry": 106.0, "stop": None, "target": 900.0})
    assert "Target 900.00 ↑" in {label for label, _, _ in texts(chart)}
    assert paths(chart, "level target") == []
    (falling,) = in_panel(chart, "down")
    assert float(re.findall(r"(?<= )[\d.]+", falling)[0]) == pytest.approx(53.1, abs=0.05)


def test_labels_of_near_levels_do_not_overlap():
    chart = draw(decision={**sample_decision(), "entry": 121.27, "stop": 121.2, "target": 121.3})
    heights = sorted(y for label, _, y in texts(chart) if label.split()[0] in ("Entry", "Stop", "Target"))
    assert all(below - above >= 15 - 0.1 for above, below in pairwise(heights))
    names = [label.split()[0] for label, _, y in sorted(texts(chart), key=lambda text: text[2])]
    assert [name for name in names if name in ("Entry", "Stop", "Target")] == ["Target", "Entry", "Stop"]


def test_without_an_entry_the_last_close_is_labelled():
    assert "Close 106.00" in {label for label, _, _ in texts(draw(five_bars()))}


def test_date_labels_keep_apart_and_say_the_year_when_it_changes():
    chart = draw()
    bottom = max(y for _, _, y in texts(chart))
    dates = [(label, x) for label, x, y in texts(chart) if y == bottom]
    assert [label for label, _ in dates] == ["Oct 2024", "Nov", "Dec", "Jan 2025", "Feb", "Mar"]
    assert all(after - before > 60 for (_, before), (_, after) in pairwise(dates))


def test_few_days_are_labelled_at_both_ends():
    labels = {label for label, _, _ in texts(draw(five_bars()))}
    assert labels >= {"2025-03-10", "2025-03-14"}


def bars_of(chart: ET.Element) -> list[ET.Element]:
    """The columns that tell a bar's numbers."""
    return [path for path in chart.iter(f"{SVG}path") if path.get("class") == "hit"]


def test_every_bar_tells_its_numbers():
    tips = [bar.find(f"{SVG}title").text for bar in bars_of(draw(five_bars()))]
    assert len(tips) == 5
    assert tips[-1].split("\n")[:5] == ["2025-03-14", "Open 108.00", "High 110.00", "Low 104.00", "Close 106.00"]
    assert tips[-1].split("\n")[5].startswith("Volume ")


@pytest.mark.parametrize(("action", "words"), [("BUY", "BUY 2025-03-14"), ("NO_DECISION", "NO DECISION 2025-03-14")])
def test_the_trade_date_is_marked_with_the_action(action, words):
    chart = draw(decision={**sample_decision(), "action": action})
    assert words in {label for label, _, _ in texts(chart)}
    assert len(paths(chart, "day")) == 1
    assert len(paths(chart, "mark")) == (1 if action == "BUY" else 0)


def test_the_mark_stands_under_a_bought_bar_and_over_a_sold_one():
    def height(action):
        (sign,) = paths(draw(decision={**sample_decision(), "action": action}), "mark")
        return float(sign.split()[1].split("l")[0])

    assert height("SELL") < height("HOLD") < height("BUY")


def test_a_holiday_is_marked_at_the_session_before_and_a_day_before_the_window_not_at_all():
    assert "2025-03-14" in {label for label, _, _ in texts(draw(trade_date=date(2025, 3, 16)))}
    assert paths(draw(trade_date=date(2020, 1, 2)), "day") == []


def test_a_gap_in_an_overlay_is_a_gap_in_its_line():
    prices = sample_prices(30)
    average = prices.close.copy()
    average[10:15] = np.nan
    average[28] = np.nan  # the last value stands alone
    (line,) = in_panel(draw(prices, overlays={"close_50_sma": average}), "line fast")
    stretches = [stretch.split("L") for stretch in line.split("M")[1:]]
    assert [len(points) for points in stretches] == [10, 13, 1]
    assert "nan" not in line


def test_an_overlay_of_nan_is_not_drawn_nor_named():
    chart = draw(sample_prices(5), overlays=overlays_for(sample_prices(5)))
    labels = {label for label, _, _ in texts(chart)}
    assert labels.isdisjoint({"SMA 50", "SMA 200", "Bollinger 20, 2", "RSI 14"})
    assert paths(chart, "line fast") == paths(chart, "band") == []


def test_all_overlays_are_drawn_and_named():
    prices = sample_prices()
    chart = draw(prices, overlays=overlays_for(prices))
    assert {label for label, _, _ in texts(chart)} >= {"SMA 50", "SMA 200", "Bollinger 20, 2", "RSI 14", "Volume"}
    assert [len(in_panel(chart, f"line {css}")) for css in ("fast", "slow", "edge")] == [1, 1, 2]
    assert len(paths(chart, "line rsi")) == 1


def test_an_overlay_of_another_length_is_refused():
    with pytest.raises(ValueError, match="close_50_sma has 3 values for 5 bars"):
        price_chart(
            sample_prices(5), decision=None, trade_date=TRADE_DATE, overlays={"close_50_sma": np.array([1.0, 2.0, 3.0])}
        )


def test_an_index_without_volume_has_no_volume_panel():
    prices = sample_prices(40)
    without = draw(replace(prices, volume=np.zeros(40)))
    unknown = draw(replace(prices, volume=np.full(40, np.nan)))
    for chart in (without, unknown):
        assert "Volume" not in {label for label, _, _ in texts(chart)}
        assert paths(chart, "vol") == []
        assert float(chart.get("viewBox").split()[3]) < float(draw(prices).get("viewBox").split()[3])


def test_constant_prices_are_drawn_in_the_middle():
    flat = np.full(5, 50.0)
    plot = lay_out(
        replace(sample_prices(5), open=flat, high=flat, low=flat, close=flat), None, TRADE_DATE, {}, bars=130, width=960
    )
    assert plot is not None
    assert plot.price(50.0) == pytest.approx((plot.price.top + plot.price.bottom) / 2)


def test_a_bar_without_all_prices_stays_empty():
    prices = five_bars()
    opened = prices.open.copy()
    opened[2] = np.nan
    chart = draw(replace(prices, open=opened))
    assert len(bars_of(chart)) == 4


def test_no_bars_at_all_say_so():
    assert [label for label, _, _ in texts(draw(sample_prices(5).upto(date(2020, 1, 1))))] == ["No prices to draw."]
    assert (
        draw(replace(sample_prices(3), close=np.full(3, np.nan))).find(f"{SVG}desc").text
        == "There are no prices to draw."
    )


def test_one_bar_is_enough():
    assert len(bars_of(draw(sample_prices(1)))) == 1


def test_only_the_last_bars_are_drawn():
    assert len(bars_of(draw(bars=60))) == 60


def test_those_who_cannot_see_it_are_told():
    chart = draw(five_bars(), decision={**sample_decision(), "entry": 106.0, "stop": 98.0, "target": None})
    told = chart.find(f"{SVG}desc").text
    assert chart.get("role") == "img"
    assert chart.find(f"{SVG}title").text == "QFIX price chart"
    assert chart.get("aria-label") == f"QFIX price chart: {told}"
    assert told == (
        "5 daily bars from 2025-03-10 to 2025-03-14, prices in USD. Last close 106.00, highest 110.00 on 2025-03-14, "
        "lowest 100.00 on 2025-03-10. Decision: BUY. Entry 106.00. Stop 98.00."
    )


@pytest.mark.parametrize("payload", [*PAYLOADS, "\x00\x0b\ud800"])
def test_a_symbol_cannot_leave_its_text(payload):
    hostile = replace(sample_prices(5), symbol=payload, currency=payload)
    chart = draw(hostile, decision=sample_decision())
    assert {element.tag for element in chart.iter()} == {
        SVG + tag for tag in ("svg", "title", "desc", "style", "path", "text")
    }
    attributes = {name for element in chart.iter() for name in element.keys()}  # noqa: SIM118 - an element's keys
    assert attributes <= {"class", "d", "x", "y", "width", "height", "viewBox", "role", "aria-label"}


@given(st.lists(st.floats(0.01, 1e6), min_size=1, max_size=40), st.floats(0.01, 1e6), st.floats(0.01, 1e6))
def test_whatever_the_prices_the_drawing_stays_in_its_picture(closes, stop, target):
    close = np.array(closes)
    prices = replace(sample_prices(len(closes)), open=close, close=close, high=close * 1.01, low=close * 0.99)
    chart = draw(prices, decision={**sample_decision(), "stop": stop, "target": target}, overlays=overlays_for(prices))
    _, _, width, height = (float(edge) for edge in chart.get("viewBox").split())
    assert all(0 <= x <= width and 0 <= y <= height for _, x, y in texts(chart))
    assert "nan" not in ET.tostring(chart, encoding="unicode")
