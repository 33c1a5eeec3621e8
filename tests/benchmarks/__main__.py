"""``python -m tests.benchmarks`` runs every bench and prints one table; ``--long`` with a million
events. Files named run alone. The extra ``bench`` installs a peer; git and taskwarrior are others.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

marks = [] if "--long" in sys.argv else ["-m", "not long"]
words = [word for word in sys.argv[1:] if word != "--long"]
if not any(word.partition("::")[0].endswith(".py") for word in words):
    words.append(str(Path(__file__).parent))
sys.exit(pytest.main(["-o", "addopts=", "-q", "--no-header", "--benchmark-quiet", *marks, *words]))
