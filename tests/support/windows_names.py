"""Which names Windows admits for files."""

from __future__ import annotations

import re
from pathlib import PureWindowsPath

_FORBIDDEN = re.compile(r'[<>:"/\\\\|?*\x00-\x1f]')
_DEVICES = {"CON", "PRN", "AUX", "NUL", *(f"{port}{number}" for port in ("COM", "LPT") for number in range(10))}


def is_windows_name(name: str) -> bool:
    """Return whether a name can be that of a file or folder on Windows.

    Source: "Naming Files, Paths, and Namespaces" of Microsoft's documentation.
    """
    return (
        not _FORBIDDEN.search(name)
        and name == name.rstrip(". ") != ""
        and name.partition(".")[0].rstrip(" ").upper() not in _DEVICES
        and len(name) <= 255
        and PureWindowsPath("C:/home", name).name == name
    )
