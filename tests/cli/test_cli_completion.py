"""Shells complete the names of commands, asking as Typer's scripts do: through the environment."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import kdmlog
from kdmlog.cli.table import COMMANDS, SURVIVOR

ROOT = str(Path(kdmlog.__file__).parents[1])
SHELLS = ("bash", "zsh", "fish")
ASK = """
import sys
from kdmlog.cli.main import main

try:
    main([])
finally:
    slow = {"rich", "sqlite_utils", "prompt_toolkit", "yaml", "kdmlog.games.kdm.game"}
    print("slow:", *slow & set(sys.modules), file=sys.stderr)
"""


def ask(instruction: str, line: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    """Asks as a shell does in which ``line`` has been typed up to the cursor."""
    env = {
        **os.environ,
        "PYTHONPATH": ROOT,
        "_KDMLOG_COMPLETE": instruction,
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split(" ")) - 1),
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        **more,
    }
    return subprocess.run(
        [sys.executable, "-c", ASK], env=env, capture_output=True, text=True, check=False
    )


def names(shell: str, line: str) -> list[str]:
    """Returns the completions that a shell is given."""
    done = ask(f"complete_{shell}", line)
    assert done.stderr.strip() == "slow:"
    said = done.stdout.strip()
    if shell == "zsh":
        said = said.removeprefix("_arguments '*: :((").removesuffix("))'").replace('"', "")
    return said.split()


@pytest.mark.parametrize("shell", SHELLS)
def test_names_are_completed(shell: str) -> None:
    assert names(shell, "kdmlog ") == list(COMMANDS)
    assert names(shell, "kdmlog surviv") == ["survivor", "survival"]
    assert names(shell, "kdmlog survivor ") == list(SURVIVOR)
    assert names(shell, "kdmlog survivor re") == ["rename"]


def test_common_options_may_stand_before_the_name() -> None:
    assert names("bash", "kdmlog --db x.db --json -c edge settl") == ["settlement"]
    assert names("bash", "kdmlog --json survivor re") == ["rename"]


@pytest.mark.parametrize("line", ["kdmlog zzz", "kdmlog zzz ", "kdmlog --db ", "kdmlog run "])
def test_where_there_is_no_name_the_shell_looks_for_files(line: str) -> None:
    assert names("bash", line) == []
    assert ask("complete_fish", line, _TYPER_COMPLETE_FISH_ACTION="is-args").returncode == 1


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_that_asks_is_printed(shell: str) -> None:
    done = ask(f"source_{shell}")
    assert (done.returncode, done.stderr.strip()) == (0, "slow:")
    assert f"_KDMLOG_COMPLETE=complete_{shell}" in done.stdout
    assert ask(f"{shell}_source").stdout == done.stdout


@pytest.mark.parametrize("instruction", ["", "complete", "complete_sh", "do_bash"])
def test_other_instructions_are_no_traceback(instruction: str) -> None:
    done = ask(instruction, "kdmlog su")
    assert "Traceback" not in done.stderr


def test_asking_without_a_shell_is_no_traceback() -> None:
    done = ask("complete_bash", COMP_CWORD="x")
    assert (done.returncode, done.stderr.strip()) == (1, "slow:")


def test_bash_completes() -> None:
    scripts = Path(sys.executable).parent
    bash = shutil.which("bash")
    if bash is None or not (scripts / "kdmlog").exists():
        pytest.skip("needs bash and an installed kdmlog")
    code = """
    eval "$(_KDMLOG_COMPLETE=source_bash kdmlog)"
    COMP_WORDS=(kdmlog showdown be) COMP_CWORD=2
    _kdmlog_completion kdmlog
    echo "${COMPREPLY[@]}"; complete -p kdmlog
    """
    done = subprocess.run(
        [bash, "--norc", "-c", code],
        env={**os.environ, "PYTHONPATH": ROOT, "PATH": f"{scripts}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split("\n")[:2] == [
        "begin",
        "complete -o default -F _kdmlog_completion kdmlog",
    ]
