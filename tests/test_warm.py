"""A forked process is to a test what a new interpreter is: streams, environment, folder, signals and exit codes."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.support.warm import WarmProcess, run_warm

SURROUNDINGS = """
import multiprocessing, os, sys
print(__name__, sys.argv, os.getcwd(), os.environ["OF_THE_TEST"], "TRADINGAGENTS_HOME" in os.environ)
print(multiprocessing.parent_process(), repr(sys.stdin.read()), file=sys.stderr)
sys.exit(3)
"""
WAITING = "import sys, time; print('ready', flush=True); time.sleep(60)"


def test_streams_arguments_environment_folder_and_exit_code(tmp_path: Path):
    done = run_warm(["-c", SURROUNDINGS, "an argument"], env={"OF_THE_TEST": "there"}, cwd=tmp_path)
    assert done.returncode == 3
    assert done.stdout == f"__main__ ['-c', 'an argument'] {tmp_path} there False\n"
    assert done.stderr == "None ''\n"
    assert "OF_THE_TEST" not in os.environ


@pytest.mark.parametrize(
    ("program", "code", "told"),
    [
        ("", 0, ""),
        ("raise SystemExit('No.')", 1, "No.\n"),
        ("1 / 0", 1, "ZeroDivisionError: division by zero\n"),
        ("import atexit, sys; atexit.register(print, 'late', file=sys.stderr)", 0, "late\n"),
        ("import os; os._exit(7)", 7, ""),
        ("import threading; threading.Timer(0.1, lambda: __import__('os').write(2, b'awaited')).start()", 0, "awaited"),
    ],
)
def test_it_ends_as_an_interpreter_does(program: str, code: int, told: str):
    done = run_warm(["-c", program])
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.endswith(told)
    assert bool(done.stderr) == bool(told)


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_signal_ends_it(stop: signal.Signals):
    process = WarmProcess(["-c", WAITING], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    assert process.poll() is None
    process.send_signal(stop)
    _, told = process.communicate(timeout=30)
    assert process.returncode == -stop
    assert told.endswith("KeyboardInterrupt\n" if stop == signal.SIGINT else "")


def test_what_is_written_to_it_is_read_and_its_module_is_its_program():
    process = WarmProcess(
        ["-m", "json.tool", "--compact"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    process.stdin.write('{"a": [1]}')
    assert process.communicate(timeout=30) == ('{"a":[1]}\n', "")
    assert process.wait() == 0


def test_one_that_does_not_end_in_time_is_ended():
    with pytest.raises(subprocess.TimeoutExpired):
        run_warm(["-c", WAITING], timeout=0.5)
