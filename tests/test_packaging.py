"""What a built wheel installs: one top-level package that holds the library and the command."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest

from benchmarks.installation import closure, size_of
from tests.support.tiers import sampled
from tests.support.windows_names import is_windows_name
from tradingagents.service.doctor.surroundings import EXTRAS

ROOT = Path(__file__).resolve().parents[1]
START = """
import sys
sys.path[:0] = sys.argv[1:3]
sys.argv[1:] = sys.argv[3:]
from tradingagents.__main__ import main
try:
    main()
finally:
    top = sorted(name for name in sys.modules if name.partition(".")[0] == "cli")
    print(top, sys.modules["tradingagents"].__file__)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for backend in ("hatchling", "hatch_vcs"):
        pytest.importorskip(backend, reason=f"{backend} builds the wheel; install the dev group")
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = out.glob("*.whl")
    return built


COMMANDS = (("demo", "--json"), ("--help",), ("runs", "list"))


def test_a_wheel_holds_one_top_level_package_with_the_command_in_it(wheel: Path):
    names = set(zipfile.ZipFile(wheel).namelist())
    top = {name.partition("/")[0] for name in names if ".dist-info/" not in name}
    assert top == {"tradingagents"}
    expected = {
        f"{installed}/{path.relative_to(ROOT / folder).as_posix()}"
        for folder, installed in (("cli", "tradingagents/cli"), ("tradingagents", "tradingagents"))
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert expected - names == set()


NAMED_BY_THE_USER = (
    *("langgraph", "langchain-core", "langchain-openai", "yfinance", "alpha_vantage", "finnhub-python", "rank-bm25"),
    *("pandas", "stockstats", "typer"),
)
NEED_RECORDED = (
    ("data", "check", "."),
    ("analyze", "AAPL", "2025-03-14", "--offline", "--data-vendor", "snapshot", "--data-dir", "."),
    ("data", "import", "prices.csv", "--out", "data", "--kind", "prices"),
    ("data", "record", "VELQ", "--out", "data", "--to", "2025-01-03", "--data-vendor", "simulated"),
)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


@pytest.fixture(scope="module")
def plain_site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel beside links to the packages that it declares, and to nothing else of this environment.

    Unpacked once: the first command that runs from it compiles hundreds of modules.
    """
    site = tmp_path_factory.mktemp("plain")
    zipfile.ZipFile(wheel).extractall(site)
    installed = Path(sysconfig.get_path("purelib"))
    for found in closure(PROJECT["dependencies"]).values():
        tops = {file.parts[0] for file in found.files or () if file.parts[0] not in ("..", "__pycache__")}
        for top in tops:
            if not (site / top).exists():  # several distributions of LangGraph share a folder
                (site / top).symlink_to(installed / top)
    return site


@pytest.mark.parametrize("arguments", sampled([(one,) for one in COMMANDS], every=3))
def test_the_command_of_a_wheel_runs_beside_another_package_called_cli(
    plain_site: Path, tmp_path: Path, arguments: tuple[str, ...]
):
    other = tmp_path / "other"
    (other / "cli").mkdir(parents=True)
    (other / "cli" / "__init__.py").write_text("raise ImportError('another project')")
    home = () if arguments == ("--help",) else ("--home", str(tmp_path / "home"))
    command = [sys.executable, "-I", "-c", START, str(other), str(plain_site), *arguments, *home]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == f"[] {plain_site / 'tradingagents' / '__init__.py'}"
    if arguments[0] == "demo":
        card = json.loads(done.stdout.splitlines()[0])
        assert card["status"] == "done"
        assert card["decision"]["action"] in ("BUY", "SELL", "HOLD")
        assert (tmp_path / "home" / "runs" / card["run_id"] / "reports" / "report.html").is_file()


def plain(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    code = f"import sys; sys.path.append({str(site)!r}); from tradingagents.__main__ import main; main()"
    command = [sys.executable, "-I", "-S", "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=site, timeout=120)


def test_a_first_decision_needs_only_what_the_wheel_declares(plain_site: Path, tmp_path: Path):
    done = plain(plain_site, "analyze", "VELQ", "2025-03-14", "--offline", "--json", "--home", str(tmp_path / "home"))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[0])["decision"]["action"] == "BUY"
    written = [path.name for path in (tmp_path / "home").rglob("*")]
    assert [name for name in written if not is_windows_name(name)] == []
    absent = ("pyarrow", "scipy", "matplotlib", "mcp", "fastapi")
    assert not any((plain_site / name).exists() for name in absent)


@pytest.mark.parametrize(
    "arguments",
    sampled([(arguments,) for arguments in NEED_RECORDED], every=2),
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_what_needs_the_extra_for_recorded_data_names_it(plain_site: Path, arguments: tuple[str, ...]):
    done = plain(plain_site, *arguments)
    assert done.returncode == 3, done.stdout + done.stderr
    assert "install the extra: pip install 'tradingagents[snapshot]'" in " ".join(done.stderr.split())


def test_the_doctor_names_the_extras_that_are_missing(plain_site: Path, tmp_path: Path):
    done = plain(plain_site, "doctor", "--no-network", "--json", "--offline", "--home", str(tmp_path / "home"))
    assert done.returncode in (0, 3), done.stderr
    assert json.loads(done.stdout)["surroundings"]["missing_extras"] == list(EXTRAS)


def test_the_doctor_knows_every_extra_that_is_not_gigabytes():
    assert set(EXTRAS) == set(PROJECT["optional-dependencies"]) - {"ray", "rerank"}


def test_what_a_first_decision_needs_is_at_most_350_mb():
    """Without bytecode, as the wheels are unpacked; docs/guides/installing.md has the measured table."""
    declared = closure(PROJECT["dependencies"])
    sizes = {name: size_of(found) / 1e6 for name, found in declared.items()}
    assert sum(sizes.values()) <= 340, sorted(sizes.items(), key=lambda entry: -entry[1])[:12]
    assert {name.lower().replace("_", "-") for name in NAMED_BY_THE_USER} <= set(declared)


def test_a_wheel_is_at_most_5_mb(wheel: Path):
    assert wheel.stat().st_size <= 5e6


def test_the_version_is_read_from_git_and_an_archive_without_git_has_the_fallback(tmp_path: Path):
    pytest.importorskip("hatch_vcs", reason="hatch-vcs names the version; install the dev group")
    from hatchling.metadata.core import ProjectMetadata
    from hatchling.plugin.manager import PluginManager

    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path / name)
    command = ("git", "-C", str(tmp_path))
    assert ProjectMetadata(str(tmp_path), PluginManager()).version == "0.1.0.dev0"
    subprocess.run([*command, "init", "--quiet"], check=True, capture_output=True)
    subprocess.run([*command, "add", "."], check=True)
    author = ("-c", "user.name=A", "-c", "user.email=a@example.com")
    subprocess.run([*command, *author, "commit", "--quiet", "-m", "First"], check=True)
    subprocess.run([*command, "tag", "v1.2.3"], check=True)
    assert ProjectMetadata(str(tmp_path), PluginManager()).version == "1.2.3"


def test_an_editable_installation_is_the_checkout_itself(tmp_path: Path):
    pytest.importorskip("hatch_vcs", reason="hatch-vcs names the version; install the dev group")
    backend = pytest.importorskip("hatchling.build", reason="hatchling builds the wheel; install the dev group")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        built = zipfile.ZipFile(tmp_path / backend.build_editable(str(tmp_path)))
    files = [name for name in built.namelist() if ".dist-info/" not in name]
    assert [built.read(name).decode().strip() for name in files] == [str(ROOT)]
