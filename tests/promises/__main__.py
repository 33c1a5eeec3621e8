"""``python -m tests.promises`` holds all promises in full; files named are run alone."""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ["KDMLOG_PROMISES"] = "full"

import pytest

words = sys.argv[1:] or [str(Path(__file__).parent)]
sys.exit(pytest.main(["-o", "addopts=", "-q", "--no-header", *words]))
