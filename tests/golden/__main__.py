"""``python -m tests.golden`` writes the golden logs of the present version, while it is not out."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from kdmlog import __version__
from tests.golden import FOLDER, names, write

CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"


def main() -> int:
    """Writes them, unless the version is released; returns the exit code."""
    heading = re.search(rf"^## {re.escape(__version__)}\b.*", CHANGELOG.read_text(), re.MULTILINE)
    if heading is None or "unreleased" not in heading[0]:
        print(f"{__version__} is released: its logs stay as they are.")
        return 1
    write(__version__)
    print(f"{len(names())} logs in {FOLDER / __version__}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
