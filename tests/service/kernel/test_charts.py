"""`ask("open_chart")`: the files it draws, where they are written, and what is drawn without matplotlib."""

from __future__ import annotations

import struct
import subprocess
import sys
from datetime import date
from html import unescape
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import tradingagents
from tests.support.tiers import sampled
from tradingagents.analytics.price.chart_data import ChartData
from tradingagents.capabilities.prices_risk_charts import open_chart
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.errors import BadSymbol, HomeNotWritable, UsageError
from tradingagents.reports.charts import chart_image
from tradingagents.service.kernel.caller import Caller
from tradingagents.service.kernel.charts import chart_name
from tradingagents.service.kernel.kernel import Kernel
from tradingagents.settings import Settings, load_settings

DAY = date(2025, 3, 14)
EVERY = "close_10_ema,close_50_sma,close_200_sma,boll,volume,rsi,macd"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings({"data_vendor": "simulated", "home": tmp_path / "home"}, environ={})


@pytest.fixture(scope="module")
def vendors() -> Vendors:
    return Vendors(load_settings({"data_vendor": "simulated"}, environ={}))


def drawn(settings: Settings, vendors: Vendors, symbols: str = "VELQ,SPY", **arguments: Any) -> ChartData:
    found = tradingagents.ask("open_chart", symbols=symbols, as_of=DAY, settings=settings, vendors=vendors, **arguments)
    assert isinstance(found, ChartData)
    return found


def test_a_page_and_an_image_are_written_in_the_home_and_nothing_elsewhere(
    settings: Settings, vendors: Vendors, tmp_path: Path
):
    found = drawn(settings, vendors, indicators=EVERY, notes="2025-01-27: a <b>thing</b>")
    page, image = map(Path, found.files)
    assert page == tmp_path / "home" / "charts" / "VELQ_SPY_2024-09-05_2025-03-14.html"
    assert image == page.with_suffix(".png")
    outside = [path for path in tmp_path.rglob("*") if path.is_file() and tmp_path / "home" not in path.parents]
    assert outside == []
    assert f"File: {page}" in found.to_markdown()
    width, height = struct.unpack(">II", image.read_bytes()[16:24])
    assert image.read_bytes().startswith(b"\x89PNG\r\n")
    assert width == 1100
    assert height > 800


def test_the_page_stands_alone(settings: Settings, vendors: Vendors):
    page = drawn(settings, vendors, indicators=EVERY, notes="2025-01-27: <script>x</script>").files[0]
    text = unescape(Path(page).read_text("utf-8"))
    assert "<script" not in Path(page).read_text("utf-8").lower()
    assert "default-src 'none'" in text
    addresses = {word for word in text.replace('"', " ").split() if word.startswith(("http:", "https:", "url("))}
    assert addresses <= {"http://www.w3.org/2000/svg"}
    assert text.count("<svg xmlns") == 4  # price and comparison, wide and narrow
    assert "2024-12-04" in text


def test_the_same_question_draws_the_same_files_again(settings: Settings, vendors: Vendors):
    first = [Path(path).read_bytes() for path in drawn(settings, vendors).files]
    assert [Path(path).read_bytes() for path in drawn(settings, vendors).files] == first


@pytest.mark.parametrize(
    ("symbols", "indicators"),
    sampled(product(("VELQ", "^GSPC", "MODZ,SPY,VELQ,TWRZ,XLK,^RUT"), (EVERY, "", "volume", "rsi", "macd")), every=4),
)
def test_every_choice_can_be_drawn(settings: Settings, vendors: Vendors, symbols: str, indicators: str):
    found = drawn(settings, vendors, symbols, indicators=indicators, start_date="2024-03-01")
    assert len(found.files) == 2
    assert all(Path(path).stat().st_size > 5000 for path in found.files)
    assert len(found.compared) == (6 if "," in symbols else 0)


def test_a_single_bar_and_five_years_can_be_drawn(settings: Settings, vendors: Vendors):
    assert len(drawn(settings, vendors, start_date="2025-03-14", indicators=EVERY).days) == 1
    long = drawn(settings, vendors, start_date="2010-01-01", indicators=EVERY)
    assert 1250 < len(long.days) < 1270
    assert all(one.last is not None for one in long.series)


def test_file_names_are_safe(settings: Settings, vendors: Vendors):
    assert Path(drawn(settings, vendors, "^GSPC").files[0]).name == "GSPC_2024-09-05_2025-03-14.html"
    for symbols in ("../x", "VELQ,/etc/passwd", "a b"):
        with pytest.raises(BadSymbol):
            drawn(settings, vendors, symbols)
    with pytest.raises(UsageError, match="at most 6"):
        drawn(settings, vendors, "A,B,C,D,E,F,G")
    with pytest.raises(UsageError, match="at least one symbol"):
        drawn(settings, vendors, " ,")


def test_without_matplotlib_the_page_is_written_and_the_extra_is_named(
    settings: Settings, vendors: Vendors, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(chart_image, "find_spec", lambda name: None)
    found = drawn(settings, vendors)
    assert [Path(path).suffix for path in found.files] == [".html"]
    assert "A PNG needs matplotlib; install the extra: pip install 'tradingagents[charts]'." in found.notes


def test_matplotlib_is_loaded_for_a_chart_only_and_its_font_list_is_in_the_home(tmp_path: Path):
    script = f"""
import os, pathlib, sys
import tradingagents
from tradingagents.settings import load_settings
home = pathlib.Path({str(tmp_path / "home")!r})
settings = load_settings({{"data_vendor": "simulated", "home": home}}, environ={{}})
tradingagents.ask("market_snapshot", ticker="VELQ", as_of="2025-03-14", settings=settings)
assert "matplotlib" not in sys.modules
tradingagents.ask("open_chart", symbols="VELQ", as_of="2025-03-14", settings=settings)
assert "matplotlib" in sys.modules and "matplotlib.pyplot" not in sys.modules
assert "MPLCONFIGDIR" not in os.environ
assert list((home / "cache" / "matplotlib").glob("fontlist*"))
assert not list(pathlib.Path(os.environ["HOME"]).rglob("*matplotlib*"))
"""
    user = tmp_path / "user"
    user.mkdir()
    environ = {"HOME": str(user), "PATH": "/usr/bin", "TRADINGAGENTS_HOME": str(tmp_path / "home")}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environ, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_home_that_cannot_be_written_is_named(settings: Settings, vendors: Vendors):
    (settings.home_dir / "charts").write_text("a file", encoding="utf-8")
    with pytest.raises(HomeNotWritable, match="Cannot write to"):
        drawn(settings, vendors)


def test_the_capability_itself_writes_nothing(settings: Settings, vendors: Vendors):
    found = open_chart.ask(MarketData(settings, DAY, vendors=vendors), symbols="VELQ,SPY")
    assert found.files == ()
    assert not (settings.home_dir / "charts").exists()
    assert chart_name(found) == "VELQ_SPY_2024-09-05_2025-03-14"


def test_who_wants_no_files_gets_the_same_answer_and_nothing_is_drawn(settings: Settings, vendors: Vendors) -> None:
    kernel = Kernel(settings, vendors=vendors)
    plain = kernel.invoke("open_chart", {"symbols": "VELQ"}, as_of=DAY, caller=Caller(files=False))
    assert (plain.result["files"], plain.artifacts) == ([], ())
    assert not (settings.home_dir / "charts").exists()
    whole = kernel.invoke("open_chart", {"symbols": "VELQ"}, as_of=DAY)
    assert whole.result["files"]
    assert {**whole.result, "files": [], "notes": []} == {**plain.result, "notes": []}
    assert whole.labels["close"] == "close"
