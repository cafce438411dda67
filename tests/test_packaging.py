"""What a built wheel installs: the package, the command line and the module `default_config` of older scripts."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LOOK = """
import sys
sys.path.insert(0, sys.argv[1])
import default_config, tradingagents
print(default_config.__file__, tradingagents.__file__, default_config.DEFAULT_CONFIG["llm_provider"], sep="\\n")
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


def test_a_wheel_holds_the_packages_and_the_top_level_default_config(wheel: Path):
    names = set(zipfile.ZipFile(wheel).namelist())
    top = {name.partition("/")[0] for name in names if ".dist-info/" not in name}
    assert top == {"cli", "default_config.py", "tradingagents"}
    sources = [path for folder in ("cli", "tradingagents") for path in (ROOT / folder).rglob("*") if path.is_file()]
    expected = {path.relative_to(ROOT).as_posix() for path in sources if "__pycache__" not in path.parts}
    assert expected - names == set()


def test_default_config_of_a_wheel_can_be_imported(wheel: Path, tmp_path: Path):
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    command = [sys.executable, "-I", "-c", LOOK, str(site)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path, timeout=60)
    default_config, package, provider = done.stdout.split()
    assert Path(default_config) == site / "default_config.py"
    assert Path(package).is_relative_to(site)
    assert provider == "openai"
