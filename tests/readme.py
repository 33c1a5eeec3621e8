"""Runs the README's commands and holds its output to what they print.

``python -m tests.readme`` runs the tour: every ``console`` block, in order, in an empty folder;
``--update`` writes what came into the README; ``--setup`` runs the two commands of the front door
in a copy of the tree. A ``…`` within a line stands for anything, such as a hash.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
SETUP = re.compile(r"```sh\n(.*?)```", re.DOTALL)
VARYING = (
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), "…"),
    (re.compile(r"\d{8}T\d{6}Z"), "…"),
    (re.compile(r"h:[0-9a-f]{4,}"), "h:…"),
    (re.compile(r"^( +\d+  )[0-9a-f]{4}\b"), r"\1…"),
)


def commands(block: str) -> list[tuple[str, list[str]]]:
    """Returns a block's commands, each with the output shown below it."""
    found: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
    return found


def same(shown: str, came: str) -> bool:
    """Returns whether a line is as shown; ``…`` stands for anything."""
    pattern = ".*".join(re.escape(part) for part in shown.rstrip().split("…"))
    return re.fullmatch(pattern, came.rstrip()) is not None


class Tour:
    """A folder and a ledger of its own, in which the tour's commands run one after the other."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        scripts = str(Path(sys.executable).parent)
        self.env = {
            **os.environ,
            "HOME": folder,
            "XDG_DATA_HOME": folder,
            "KDMLOG_DB": f"{folder}/tour.db",
            "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        }

    def run(self, command: str) -> list[str]:
        """Returns the lines that a command prints, with folders made short."""
        done = subprocess.run(
            command,
            shell=True,
            cwd=self.folder,
            env=self.env,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        return (done.stdout + done.stderr).rstrip().splitlines()


def tour(*, update: bool) -> int:
    """Runs the tour; returns how many commands print something else than shown."""
    text, bad = README.read_text(), 0
    with tempfile.TemporaryDirectory() as folder:
        here = Tour(folder)

        def again(found: re.Match[str]) -> str:
            nonlocal bad
            lines = []
            for command, shown in commands(found[1]):
                came = here.run(command)
                lines += [f"$ {command}", *map(_steady, came)]
                if len(shown) != len(came) or not all(map(same, shown, came)):
                    bad += 1
                    if not update:
                        print(f"$ {command}", *came, sep="\n  ")
            return "```console\n" + "".join(f"{line}\n" for line in lines) + "```"

        text = BLOCK.sub(again, text)
    if update:
        README.write_text(text)
        return 0
    return bad


def _steady(line: str) -> str:
    for pattern, instead in VARYING:
        line = pattern.sub(instead, line)
    return line.rstrip()


def setup() -> int:
    """Runs the front door's commands in a copy of the tree; returns the first failure's code."""
    kept = shutil.ignore_patterns(".git", ".venv", "*.egg-info", "__pycache__", ".*_cache")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "kdmlog"
        shutil.copytree(ROOT, copy, ignore=kept)
        env = {**os.environ, "HOME": folder, "XDG_DATA_HOME": folder}
        env.pop("KDMLOG_DB", None)
        for command in SETUP.findall(README.read_text()):
            print(f"$ {command.strip()}", flush=True)
            done = subprocess.run(command, shell=True, cwd=copy, env=env, check=False)
            if done.returncode:
                return done.returncode
    return 0


def main() -> int:
    """Returns the exit code."""
    if "--setup" in sys.argv:
        return setup()
    bad = tour(update="--update" in sys.argv)
    print(f"README: {f'{bad} commands differ' if bad else 'as it says'}")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
