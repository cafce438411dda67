"""A real Postgres for tests: the programs that the package `pgserver` carries, run in a folder of their own.

Postgres refuses to run as root: root runs it as `nobody`, which exists everywhere, so that no account is created.
"""

from __future__ import annotations

import os
import pwd
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ACCOUNT = "nobody"
UTF8 = ("--encoding", "UTF8", "--locale", "C")
PATIENCE = 120.0
"""Seconds that a server may take to start on a busy machine."""


@contextmanager
def postgres() -> Iterator[str]:
    """Run a server and yield its URL; skip where this machine or this account cannot run one."""
    programs = _programs()
    # Not in pytest's own folder, which another account may not read. Socket paths must be short.
    with tempfile.TemporaryDirectory(prefix="ta-pg-", ignore_cleanup_errors=True) as name:
        folder, account = Path(name), _account()
        if account is not None:
            os.chown(folder, account.pw_uid, account.pw_gid)
        _run(programs / "initdb", "--pgdata", folder / "data", "--username", "postgres", "--auth", "trust", *UTF8)
        options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
        control, data = programs / "pg_ctl", ("--pgdata", folder / "data")
        _run(control, *data, "--options", options, "--log", folder / "log", "--timeout", PATIENCE, "start")
        try:
            yield f"postgresql+psycopg://postgres:@/postgres?host={folder}"
        finally:
            _run(control, *data, "--mode", "immediate", "stop")


def _programs() -> Path:
    """Return the folder of Postgres's programs; skip where they are missing, or this account may not run them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the platform's folders, which are not used
        pgserver = pytest.importorskip("pgserver", reason="pgserver has no build for this Python or machine")
    folder = Path(pgserver.__file__).parent / "pginstall" / "bin"
    try:
        _run(folder / "initdb", "--version")
    except OSError as error:
        pytest.skip(f"{ACCOUNT} may not run the programs in {folder} ({type(error).__name__})")
    return folder


def _account() -> pwd.struct_passwd | None:
    """Return the account that the server runs as in place of root; None where this process is not root's."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam(ACCOUNT)
    except KeyError:
        pytest.skip(f"Postgres does not run as root, and there is no account {ACCOUNT}")


def _run(*command: object) -> None:
    """Run a program as the server's account.

    Raises:
        OSError: The account may not run it.
        AssertionError: It failed; the message holds what it printed.
    """
    account = _account()
    as_account = {} if account is None else {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    # To a file: the server inherits the streams, so that a pipe would never end.
    with tempfile.TemporaryFile() as printed:
        done = subprocess.run(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=subprocess.STDOUT,
            cwd="/",
            env={"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"},
            timeout=2 * PATIENCE,
            check=False,
            **as_account,  # type: ignore[call-overload]
        )
        printed.seek(0)
        assert done.returncode == 0, f"{command[0]}: {printed.read().decode(errors='replace')}"
