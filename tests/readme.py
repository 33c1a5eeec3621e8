"""Runs the README's commands as they stand: every ``console`` block, in order, in one folder.

A line ``$ command`` is run; a block whose first line is ``# not run`` is left out. The lines below
a command are its output: those that are shown must come, in order; ``…`` stands for any lines.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"


def blocks(text: str) -> list[list[str]]:
    """Returns the lines of each ``console`` block."""
    return [block.splitlines() for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL)]


def commands(block: list[str]) -> list[tuple[str, list[str]]]:
    """Returns the block's commands, each with the output shown below it."""
    found: list[tuple[str, list[str]]] = []
    for line in block:
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
    return found


def matches(shown: list[str], output: list[str]) -> str:
    """Returns the first line shown that did not come, in order; empty when all did."""
    place = 0
    for line in shown:
        if line.strip() in ("…", ""):
            continue
        while place < len(output) and output[place].rstrip() != line.rstrip():
            place += 1
        if place == len(output):
            return line
        place += 1
    return ""


def main() -> int:
    """Runs the tour; prints what differs and returns the exit code."""
    bad = 0
    scripts = str(Path(sys.executable).parent)
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "HOME": folder, "XDG_DATA_HOME": folder, "KDMLOG_DB": f"{folder}/t.db"}
        env["PATH"] = f"{scripts}{os.pathsep}{env['PATH']}"
        for block in blocks(README.read_text()):
            if block and block[0].startswith("# not run"):
                continue
            for command, shown in commands(block):
                done = subprocess.run(
                    command,
                    shell=True,
                    cwd=folder,
                    env=env,
                    capture_output=True,
                    text=True,
                    stdin=subprocess.DEVNULL,
                    check=False,
                )
                output = (done.stdout + done.stderr).splitlines()
                if missing := matches(shown, output):
                    bad += 1
                    print(f"$ {command}\n  should show: {missing}\n  showed:")
                    print("\n".join(f"    {line}" for line in output))
    print(f"README: {'as it says' if not bad else f'{bad} commands differ'}")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
