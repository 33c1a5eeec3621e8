"""The table of commands holds what the commands themselves say, and leaves nothing out."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
import pytest
from cli_helpers import kdmlog
from msgspec import Meta

from kdmlog.cli.build import usage
from kdmlog.cli.main import root
from kdmlog.cli.table import COMMANDS, Entry
from kdmlog.core import actions as core
from kdmlog.core.actions import CORE_PLAYS
from kdmlog.core.game import Action
from kdmlog.games.kdm import actions as kdm
from kdmlog.games.kdm.game import GAME

MODULES = {"kdmlog.cli.games": kdm, "kdmlog.cli.free": core}
"""Where the Structs are from which a module builds its commands."""
GROUPS = {"campaign", "content", "survivor", "gear", "showdown", "monster", "settlement", "odds"}


def entries(table: dict[str, Entry], path: tuple[str, ...] = ()) -> Iterator[tuple[str, Entry]]:
    for name, entry in table.items():
        if entry.group:
            yield from entries(entry.group, (*path, name))
        else:
            yield " ".join((*path, name)), entry


ALL = dict(entries(COMMANDS))
PLAYED = (*GAME.plays, *CORE_PLAYS)


def source(entry: Entry) -> Any:
    """Returns the function or the Struct that an entry's command is built from."""
    module, name = entry.path.split(":")
    if name[0].isupper():
        return getattr(MODULES[module], name)
    return getattr(import_module(module), name)


def built(words: str) -> Any:
    command: Any = root()
    for word in words.split():
        command = command.get_command(None, word)
    return command


def tag(action: type[Action]) -> str:
    return str(action.__struct_config__.tag)


def describes(hint: Any) -> bool:
    if get_origin(hint) is not None and hasattr(hint, "__metadata__"):
        inner, *extras = get_args(hint)
        return any(isinstance(one, Meta) and one.description for one in extras) or describes(inner)
    return False


@pytest.mark.parametrize("words", ALL)
def test_an_entry_builds_and_its_help_is_the_docstrings_first_line(words: str) -> None:
    entry = ALL[words]
    command = built(words)
    first = source(entry).__doc__.splitlines()[0]
    assert entry.help == first
    assert command.help.splitlines()[0] == first
    assert command.name == words.split()[-1]
    assert first.endswith(".")


def test_groups_have_help_and_nothing_else_has_groups() -> None:
    assert {name for name, entry in COMMANDS.items() if entry.group} == GROUPS
    assert all(COMMANDS[name].help.endswith(".") for name in GROUPS)
    assert not any(entry.group for name in GROUPS for entry in COMMANDS[name].group.values())


def test_every_action_has_exactly_one_command_called_as_its_tag_says() -> None:
    by_action: dict[Any, list[str]] = {}
    for words, entry in ALL.items():
        by_action.setdefault(source(entry), []).append(words)
    for action in PLAYED:
        assert by_action.pop(action) == [tag(action)]
    structs = [one for one in by_action if isinstance(one, type)]
    assert not structs, "a command of an action that nothing plays"


@pytest.mark.parametrize("action", [*core.CORE_ACTIONS, *GAME.plays], ids=tag)
def test_every_field_of_an_action_is_described(action: type[Action]) -> None:
    hints = get_type_hints(action, include_extras=True)
    for field in msgspec.structs.fields(action):
        assert describes(hints[field.name]), f"{tag(action)}: {field.name}"


@pytest.mark.parametrize("action", PLAYED, ids=tag)
def test_usage_follows_from_the_struct(action: type[Action]) -> None:
    words = usage(action).removeprefix(tag(action)).split()
    fields = {field.name: field for field in msgspec.structs.fields(action)}
    for name in action.positional:
        shown = name.upper()
        assert words.pop(0) == (shown if fields[name].required else f"[{shown}]")
    options = " ".join(words)
    for name, field in fields.items():
        option = f"--{name.replace('_', '-')}"
        assert (option in options) == (name not in action.positional)
        if name not in action.positional:
            assert (f"[{option}" in options) != field.required


def test_usage_reads_as_documented() -> None:
    assert usage(kdm.Attack) == "attack SURVIVOR [WEAPON] [--blind]"
    assert usage(kdm.SurvivorNew) == "survivor new NAME SEX [--player PLAYER]"
    assert usage(kdm.Depart) == "depart SURVIVORS [--hunt HUNT] [--nemesis NEMESIS] [--level LEVEL]"
    assert usage(kdm.EndAct) == "end-act"
    assert usage(core.Choose) == "choose QUESTION OPTIONS"


@pytest.mark.parametrize("words", ALL)
def test_help_names_every_argument_and_option(words: str, tmp_path: Path) -> None:
    db = tmp_path / "none.db"
    code, out, err = kdmlog(db, *words.split(), "--help")
    assert (code, err) == (0, "")
    text = " ".join(out.split())
    assert f"Usage: kdmlog {words}" in text
    assert ALL[words].help in text
    assert "Everywhere: --db FILE" in text and "Writing: --dice" in text
    for parameter in built(words).params:
        if parameter.param_type_name == "argument":
            assert parameter.make_metavar(None).strip("[]{}.") in text
        elif not parameter.hidden:
            assert all(option in text for option in parameter.opts), parameter.opts
        if not getattr(parameter, "hidden", False):
            assert parameter.help, f"{words}: {parameter.name} is not described"
    what = source(ALL[words])
    for name in getattr(what, "positional", ()):
        assert name.upper() in text
    assert not db.exists(), "looking at help makes no ledger"


@pytest.mark.parametrize("words", ["", *sorted(GROUPS)])
def test_help_of_a_group_lists_its_commands(words: str, tmp_path: Path) -> None:
    code, out, err = kdmlog(tmp_path / "none.db", *words.split(), "--help")
    assert (code, err) == (0, "")
    table = COMMANDS[words].group if words else COMMANDS
    for name, entry in table.items():
        assert name in out.split()
        assert entry.help in " ".join(out.split())


def test_all_but_the_first_positional_field_is_an_option_too(tmp_path: Path) -> None:
    db = tmp_path / "kdm.db"
    assert kdmlog(db, "new", "Edge").code == 0
    assert kdmlog(db, "survivor", "new", "Ada", "--sex", "f").code == 0
    assert kdmlog(db, "survivor", "new", "Bo", "m").code == 0
    assert kdmlog(db, "survivor", "new", "Cy") == (
        2,
        "",
        "SEX is missing.  Then: survivor new NAME SEX [--player PLAYER]\n",
    )
