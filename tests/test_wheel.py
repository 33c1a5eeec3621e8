"""What is released: a wheel that runs outside the checkout, and a source archive that makes it."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from email import message_from_string
from email.message import Message
from pathlib import Path

import pytest

import kdmlog

ROOT = Path(__file__).parents[1]
DATA = ("content", "schemas")
# Nothing of this process may lead back to the checkout.
ENV = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}

pytest.importorskip("hatchling", reason="builds without fetching its backend")


def python(*words: object, cwd: Path = ROOT) -> str:
    return run(sys.executable, "-m", *words, cwd=cwd)


def run(*words: object, cwd: Path, **more: str) -> str:
    """Returns what a program prints; it must succeed."""
    done = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env=ENV | more,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


def build(source: Path, to: Path) -> Path:
    """Returns the wheel made of a checkout or a source archive."""
    python("pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", to, source)
    (made,) = to.glob("*.whl")
    return made


def files(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def scripts(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment's programs: the wheel is its own, what it needs is this one's."""
    home = tmp_path_factory.mktemp("venv")
    venv.create(home, with_pip=False)
    paths = {"base": str(home), "platbase": str(home)}
    libraries = Path(sysconfig.get_path("purelib", "venv", paths))
    borrowed = {sysconfig.get_path(name) for name in ("purelib", "platlib")}
    (libraries / "borrowed.pth").write_text("\n".join(sorted(borrowed)))
    folder = Path(sysconfig.get_path("scripts", "venv", paths))
    python("pip", "--python", folder / "python", "install", "-q", "--no-deps", "--no-index", wheel)
    return folder


def test_the_wheel_holds_program_and_data(wheel: Path) -> None:
    held = files(wheel)
    for folder in DATA:
        there = {path.relative_to(ROOT) for path in (ROOT / folder).rglob("*") if path.is_file()}
        assert there
        assert {f"kdmlog/{path.as_posix()}" for path in there} <= held
    modules = {path.relative_to(ROOT) for path in (ROOT / "kdmlog").rglob("*.py")}
    assert {path.as_posix() for path in modules} | {"kdmlog/py.typed"} <= held
    tops = {name.partition("/")[0] for name in held}
    assert tops == {"kdmlog", f"kdmlog-{kdmlog.__version__}.dist-info"}
    assert not [name for name in held if name.endswith((".pyc", ".db"))]


def test_the_metadata_is_complete(wheel: Path) -> None:
    info = f"kdmlog-{kdmlog.__version__}.dist-info"
    with zipfile.ZipFile(wheel) as archive:
        data: Message = message_from_string(archive.read(f"{info}/METADATA").decode())
        licence = archive.read(f"{info}/licenses/LICENSE")
    assert licence == (ROOT / "LICENSE").read_bytes()
    assert (data["Name"], data["Version"]) == ("kdmlog", kdmlog.__version__)
    assert (data["License-Expression"], data["License-File"]) == ("MIT", "LICENSE")
    assert data["Requires-Python"] == ">=3.11"
    assert data["Summary"] and data["Keywords"]
    assert data["Description-Content-Type"] == "text/markdown"
    assert data.get_payload() == (ROOT / "README.md").read_text()
    classifiers = data.get_all("Classifier", [])
    assert {"Typing :: Typed", "Programming Language :: Python :: 3.11"} <= set(classifiers)
    needs = [need for need in data.get_all("Requires-Dist", []) if "extra ==" not in need]
    assert "typer<0.29,>=0.26" in needs
    assert not [need for need in needs if need.startswith(("eventsourcing", "hatchling", "pytest"))]


def test_the_wheel_runs_elsewhere(scripts: Path, tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    where = run(scripts / "python", "-c", "import kdmlog; print(kdmlog.__file__)", cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(scripts.parent)
    program = scripts / "kdmlog"
    version = run(program, "--version", cwd=tmp_path, **home)
    assert version == f"kdmlog {kdmlog.__version__}\n"
    run(program, "content", "check", cwd=tmp_path, **home)
    assert "White Lion" in run(program, "demo", "--seed", "5", cwd=tmp_path, **home)


def test_the_source_archive_makes_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    python("hatchling", "build", "-t", "sdist", "-d", tmp_path)
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    assert {"LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml"} <= held
    assert not [name for name in held if name.startswith((".git/", ".hypothesis", "dist/"))]
    assert files(build(sdist, tmp_path)) == files(wheel)
