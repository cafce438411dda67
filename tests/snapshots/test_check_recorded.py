"""The check on real recorded data: it takes seconds, and says what is known to be odd there."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.real_data import FOLDER
