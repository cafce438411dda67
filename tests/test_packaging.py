"""What a built wheel installs: one top-level package that holds the library and the command."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support.tiers import sampled

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
    pytest.importorskip("hatchling", reason="hatchling builds the wheel; install the dev group")
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


@pytest.mark.parametrize("arguments", sampled([(one,) for one in COMMANDS], every=3))
def test_the_command_of_a_wheel_runs_beside_another_package_called_cli(
    wheel: Path, tmp_path: Path, arguments: tuple[str, ...]
):
    site, other = tmp_path / "site", tmp_path / "other"
    zipfile.ZipFile(wheel).extractall(site)
    (other / "cli").mkdir(parents=True)
    (other / "cli" / "__init__.py").write_text("raise ImportError('another project')")
    home = () if arguments == ("--help",) else ("--home", str(tmp_path / "home"))
    command = [sys.executable, "-I", "-c", START, str(other), str(site), *arguments, *home]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == f"[] {site / 'tradingagents' / '__init__.py'}"
    if arguments[0] == "demo":
        card = json.loads(done.stdout.splitlines()[0])
        assert card["status"] == "done"
        assert card["decision"]["action"] in ("BUY", "SELL", "HOLD")
        assert (tmp_path / "home" / "runs" / card["run_id"] / "reports" / "report.html").is_file()


def test_an_editable_installation_is_the_checkout_itself(tmp_path: Path):
    backend = pytest.importorskip("hatchling.build", reason="hatchling builds the wheel; install the dev group")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        built = zipfile.ZipFile(tmp_path / backend.build_editable(str(tmp_path)))
    files = [name for name in built.namelist() if ".dist-info/" not in name]
    assert [built.read(name).decode().strip() for name in files] == [str(ROOT)]
