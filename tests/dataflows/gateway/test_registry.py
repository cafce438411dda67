"""The vendors there are: ours, and those of installed packages, found as pip leaves them."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tradingagents.dataflows.gateway.limits import parse_rates
from tradingagents.dataflows.gateway.registry import BUILT_IN, registration_of, registrations
from tradingagents.dataflows.interface import Vendors
from tradingagents.errors import SettingsError, VendorNotConfigured
from tradingagents.settings import load_settings

MODULE = """
from tradingagents.dataflows.gateway.registry import Registration
from tradingagents.dataflows.vendor import Vendor

class Zyx(Vendor):
    name = "zyx"
    def __init__(self, access):
        self.url = access.url

ZYX = Registration(Zyx, url="https://zyx.example", rates="3/minute")
NOT_ONE = Zyx
"""
Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Install a package with entry points: name = object."""
    site = tmp_path / "site"
    monkeypatch.syspath_prepend(str(site))

    def put(package: str, *points: str, module: str = MODULE) -> None:
        info = site / f"{package}-1.0.dist-info"
        info.mkdir(parents=True)
        (site / f"{package}.py").write_text(module, "utf-8")
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", "utf-8")
        (info / "entry_points.txt").write_text("\n".join(["[tradingagents.vendors]", *points]), "utf-8")
        installed.append(package)
        registrations.cache_clear()

    installed: list[str] = []
    yield put
    registrations.cache_clear()
    for package in installed:
        sys.modules.pop(package, None)


def vendors(tmp_path: Path) -> Vendors:
    return Vendors(load_settings({"home": tmp_path}, environ={}), environ={})


def test_an_installed_vendor_is_one_of_ours(install: Install, tmp_path: Path):
    install("zyxdata", "zyx = zyxdata:ZYX")
    assert list(registrations())[-1] == "zyx"
    assert registration_of("zyx").rates == "3/minute"
    made = vendors(tmp_path).get("zyx")
    assert (made.name, made.url) == ("zyx", "https://zyx.example")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("point", "module", "why"),
    [
        ("zyx = zyxdata:GONE", MODULE, "AttributeError"),
        ("zyx = zyxdata:NOT_ONE", MODULE, "it is not a tradingagents Registration"),
        ("zyx = zyxdata:ZYX", "raise RuntimeError('half installed')", "RuntimeError: half installed"),
        ("zyx = no_such_module:ZYX", MODULE, "ModuleNotFoundError"),
    ],
)
def test_one_that_cannot_be_loaded_is_named_to_whoever_asks_for_it_and_disturbs_nobody_else(
    install: Install, tmp_path: Path, point: str, module: str, why: str
):
    install("zyxdata", point, module=module)
    source = point.partition("= ")[2]
    with pytest.raises(VendorNotConfigured, match=f"vendor 'zyx' of {source} cannot be loaded.*{why}.*uninstall"):
        vendors(tmp_path).get("zyx")
    assert vendors(tmp_path).get("simulated").name == "simulated"


def test_a_built_in_vendor_cannot_be_replaced(install: Install, tmp_path: Path, caplog: pytest.LogCaptureFixture):
    install("zyxdata", "simulated = zyxdata:ZYX")
    with caplog.at_level(logging.WARNING):
        assert registration_of("simulated") is BUILT_IN["simulated"]
    assert "zyxdata:ZYX offers a data vendor 'simulated'; tradingagents' own is used." in caplog.messages
    assert type(vendors(tmp_path).get("simulated")).__module__.startswith("tradingagents.")


def test_of_two_packages_with_one_name_neither_is_taken(install: Install, tmp_path: Path):
    install("zyxdata", "zyx = zyxdata:ZYX")
    install("zyxother", "zyx = zyxother:ZYX")
    with pytest.raises(VendorNotConfigured, match="more than one package offers a vendor of that name"):
        vendors(tmp_path).get("zyx")


def test_an_unknown_name_is_answered_with_the_nearest(install: Install):
    install("zyxdata", "zyxolar = zyxdata:ZYX")
    with pytest.raises(SettingsError, match="did you mean zyxolar"):
        registration_of("zyxola")
    with pytest.raises(SettingsError, match="known are: yfinance, alpha_vantage"):
        registration_of("q")


@pytest.mark.parametrize("name", BUILT_IN)
def test_what_is_registered_can_be_used(name: str, tmp_path: Path):
    """Every vendor of ours is made where its variables are set, under its own name; without them it names the first."""
    known = BUILT_IN[name]
    parse_rates(known.rates)
    if name == "snapshot":
        with pytest.raises(VendorNotConfigured, match="TRADINGAGENTS_DATA_DIR"):
            vendors(tmp_path).get(name)
        return
    if known.needs:
        with pytest.raises(VendorNotConfigured, match=known.needs[0]):
            vendors(tmp_path).get(name)
        assert known.sign_up.startswith("https://")
    environ = dict.fromkeys((*known.needs, *known.takes), "SECRET jane@example.com")
    made = Vendors(load_settings({"home": tmp_path}, environ={}), environ=environ)
    assert made.get(name).name == name
    assert made.get(name) is made.get(name)
