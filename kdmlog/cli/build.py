"""Builds a command from an action's Struct: its fields, types, descriptions and docstring."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

import msgspec
import typer
from msgspec import Meta

from kdmlog.cli.call import EPILOG, HELP, Call, current
from kdmlog.core.errors import UsageError
from kdmlog.core.game import Action


def to_click(function: Callable[..., None], name: str) -> Any:
    """Returns a function's Typer command, built alone."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(name, epilog=EPILOG, context_settings={"help_option_names": [*HELP]})(function)
    return typer.main.get_command(app)


class Reading(NamedTuple):
    """An option with which an action's command reads and performs nothing."""

    option: str
    help: str
    path: str
    """Where it is: ``module:function``, imported when it is asked for."""

    def read(self, action: Action) -> None:
        """Shows what there is to see of an action."""
        module, _, function = self.path.partition(":")
        getattr(import_module(module), function)(action)


def action_command(
    action: type[Action],
    run: Callable[[Call, Action], None],
    name: str,
    reading: Reading | None = None,
) -> Any:
    """Returns the command that performs an action, or with an option of its own only reads.

    Positional fields are arguments; all but the first may be given as an option, too.
    """
    hints = get_type_hints(action, include_extras=True)
    defaults = {
        field.name: field.default if field.default is not msgspec.NODEFAULT else _made(field)
        for field in msgspec.structs.fields(action)
    }
    parameters: list[inspect.Parameter] = []
    for field in (*action.positional, *(f for f in defaults if f not in action.positional)):
        parameters += _parameters(action, field, hints[field], defaults[field])
    if reading is not None:
        option = typer.Option(f"--{reading.option}", help=reading.help, show_default=False)
        parameters.append(
            inspect.Parameter(
                reading.option,
                inspect.Parameter.KEYWORD_ONLY,
                annotation=Annotated[bool, option],
                default=False,
            )
        )

    def command(**given: Any) -> None:
        call = current()
        values = {}
        for field in defaults:
            value = given[field]
            if field + _TWIN in given and given[field + _TWIN] is not None:
                value = given[field + _TWIN]
            if value is None and defaults[field] is msgspec.NODEFAULT:
                raise UsageError(f"{_shown(field)} is missing.", hints=[usage(action)])
            values[field] = defaults[field] if value is None else value
        try:
            made = msgspec.convert(values, action)
        except msgspec.ValidationError as error:
            what, _, where = str(error).partition(" - at ")
            field = where.strip("`$.") or name
            raise UsageError(f"{_shown(field)}: {what}.", hints=[usage(action)]) from None
        if reading is not None and given[reading.option]:
            reading.read(made)
        else:
            run(call, made)

    command.__doc__ = action.__doc__
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return to_click(command, name)


def usage(action: type[Action]) -> str:
    """Returns how an action is typed: ``attack SURVIVOR [WEAPON] [--blind]``."""
    words = [_tag(action)]
    fields = {field.name: field for field in msgspec.structs.fields(action)}
    for name in action.positional:
        required = fields[name].required
        words.append(_shown(name) if required else f"[{_shown(name)}]")
    for name, field in fields.items():
        if name not in action.positional:
            option = f"--{name.replace('_', '-')}"
            flag = field.type is bool or bool in get_args(field.type)
            text = option if flag else f"{option} {_shown(name)}"
            words.append(text if field.required else f"[{text}]")
    return " ".join(words)


_TWIN = "_as_option"


def _parameters(
    action: type[Action], field: str, hint: Any, default: Any
) -> list[inspect.Parameter]:
    type_, help_ = _unwrap(hint)
    many = get_origin(type_) is list or type_ is list
    positional = field in action.positional
    optional = default is not msgspec.NODEFAULT or (positional and field != action.positional[0])
    kind = inspect.Parameter.KEYWORD_ONLY
    made: list[inspect.Parameter] = []
    if positional:
        argument = typer.Argument(help=help_, metavar=_shown(field), show_default=False)
        annotation: Any = Annotated[type_ | None if optional and not many else type_, argument]
        made.append(
            inspect.Parameter(
                field, kind, annotation=annotation, **({"default": None} if optional else {})
            )
        )
        if field != action.positional[0] and not many:
            twin = typer.Option(f"--{field.replace('_', '-')}", help=help_, hidden=True)
            made.append(
                inspect.Parameter(
                    field + _TWIN, kind, annotation=Annotated[type_ | None, twin], default=None
                )
            )
        return made
    option_names = [f"--{field.replace('_', '-')}"]
    if field == "blind":
        option_names.append("--blind-spot")
    if type_ == bool | None:
        option_names = [f"--{field}/--no-{field}"]
        type_ = bool
    option = typer.Option(*option_names, help=help_, show_default=False)
    if type_ is bool and default is not None:
        annotation = Annotated[bool, option]
        return [inspect.Parameter(field, kind, annotation=annotation, default=False)]
    if default is msgspec.NODEFAULT:
        return [inspect.Parameter(field, kind, annotation=Annotated[type_, option])]
    annotation = Annotated[type_ if many else type_ | None, option]
    return [inspect.Parameter(field, kind, annotation=annotation, default=None)]


def _unwrap(hint: Any) -> tuple[Any, str]:
    """Returns a field's plain type and its description."""
    if get_origin(hint) is Annotated:
        type_, *extras = get_args(hint)
        inner, text = _unwrap(type_)
        descriptions = [extra.description for extra in extras if isinstance(extra, Meta)]
        return inner, next((one for one in descriptions if one), text)
    if get_origin(hint) in (list, tuple):
        return list[str], ""
    return hint, ""


def _made(field: msgspec.structs.FieldInfo) -> Any:
    if field.default_factory is msgspec.NODEFAULT:
        return msgspec.NODEFAULT
    return field.default_factory()


def _tag(action: type[Action]) -> str:
    return str(action.__struct_config__.tag)


def _shown(field: str) -> str:
    return field.upper()
