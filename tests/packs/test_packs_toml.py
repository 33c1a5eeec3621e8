"""TOML files of the players' own: the line of everything in them, and what is refused."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kdmlog.core.errors import ContentError
from kdmlog.packs import toml_loader
from kdmlog.packs.diagnose import Fault
from kdmlog.packs.findings import FieldPath, FileError, Lines

EVERYTHING = r'''
top = 1  # a comment = "no"
"quoted key" = "a # b"
'raw.key' = 'C:\dir'
dotted . "in" . three = [1, 2, # two
  3]

[a]
long = """first
second \""" still
"""
after = true
raw = ''' + "'''\none\n[not.a.table]\ntwo''''" + r'''
when = 1979-05-27 07:32:00
inline = { x = 1, "y z" = [ { deep = "}" }, { deep = 'b]' } ], k.l = -1.5e3 }
empty = []
nothing = {}

[a.b.c]
x = inf

[[rows]]
name = "one"
[rows.grid]
1 = "x"
[[rows.inner]]
v = 1
[[rows.inner]]
v = [ [ 1, 2 ],
      [ "]" ] ]
[[rows]]
name = "two"
grid = {}
[a.d]
"\u0061\"b" = """""two quotes"""""
last = "end"'''  # fmt: skip
AT = {
    ("top",): 2,
    ("quoted key",): 3,
    ("raw.key",): 4,
    ("dotted", "in", "three"): 5,
    ("dotted", "in", "three", 2): 6,
    ("a",): 8,
    ("a", "long"): 9,
    ("a", "after"): 12,
    ("a", "raw"): 13,
    ("a", "when"): 17,
    ("a", "inline", "y z", 1, "deep"): 18,
    ("a", "nothing"): 20,
    ("a", "b", "c"): 22,
    ("a", "b", "c", "x"): 23,
    ("rows", 0): 25,
    ("rows", 0, "grid", "1"): 28,
    ("rows", 0, "inner", 0, "v"): 30,
    ("rows", 0, "inner", 1, "v", 0, 1): 32,
    ("rows", 0, "inner", 1, "v", 1, 0): 33,
    ("rows", 1, "name"): 35,
    ("rows", 1, "unknown", 7): 34,
    ("a", "d", 'a"b'): 38,
    ("a", "d", "last"): 39,
    ("nowhere",): 1,
}


def paths(value: Any, path: FieldPath = ()) -> Iterator[FieldPath]:
    """Yields the path of everything in plain data."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in inner:
        yield (*path, key)
        if isinstance(one, (dict, list)):
            yield from paths(one, (*path, key))


def lines(of: Lines, path: FieldPath = ()) -> Iterator[FieldPath]:
    """Yields the path of everything that has a line."""
    for key, one in of.children.items():
        yield (*path, key)
        yield from lines(one, (*path, key))


def wrong(text: str | bytes) -> str:
    raw = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(FileError) as caught:
        toml_loader.parse(raw, "our.toml")
    return caught.value.message


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_everything_stands_on_its_line(ends: str) -> None:
    text = EVERYTHING.replace("\n", ends)
    found = toml_loader.parse(b"\xef\xbb\xbf" + text.encode(), "our.toml")
    assert found.data == tomllib.loads(text)
    assert set(paths(found.data)) == set(lines(found.lines))
    assert {path: found.lines.at(path) for path in AT} == AT


KEYS = st.sampled_from(["a", "b", "c-d", '"e f"', "'g.h'", '"\\n"'])
TEXTS = st.text("ab#\"'[]{}=.,\\ ", max_size=6)


def _text(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _long(text: str) -> str:
    return '"""\n' + text.replace("\\", "\\\\").replace('"', '\\"') + '\n"""'


VALUES = st.recursive(
    st.integers().map(str) | st.booleans().map(lambda b: str(b).lower()) | TEXTS.map(_text)
    | TEXTS.map(_long),
    lambda inner: st.lists(inner, max_size=3).map(lambda all_: f"[{', '.join(all_)}]")
    | st.lists(inner, max_size=3).map(
        lambda all_: "[\n" + "# ]\n".join(f"{v},\n" for v in all_) + "]"
    )
    | st.dictionaries(KEYS, inner, max_size=3).map(
        lambda all_: "{" + ", ".join(f"{k} = {v}" for k, v in all_.items()) + "}"
    ),
    max_leaves=8,
)  # fmt: skip
PAIRS = st.tuples(st.lists(KEYS, min_size=1, max_size=3).map(".".join), VALUES).map(
    lambda pair: f"{pair[0]} = {pair[1]} # no = 1\n"
)
HEADERS = st.tuples(
    st.sampled_from(["[{}]\n", "[[{}]]\n"]), st.lists(KEYS, min_size=1, max_size=3).map(" . ".join)
).map(lambda pair: pair[0].format(pair[1]))


@given(st.lists(PAIRS | HEADERS, max_size=8).map("".join))
def test_whatever_is_toml_has_lines_and_nothing_else_has(text: str) -> None:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        assert wrong(text).startswith("our.toml, line ")
        return
    assert set(lines(toml_loader.parse(text.encode(), "our.toml").lines)) == set(paths(data))


@given(st.binary(max_size=60) | st.text("a.=[]{}\"'\\#\n,1 ", max_size=60).map(str.encode))
def test_nothing_but_a_file_error_comes_of_nonsense(raw: bytes) -> None:
    try:
        toml_loader.parse(raw, "our.toml")
    except FileError as error:
        assert error.message.startswith("our.toml, line ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"a = 1\nb = '\xff'", "our.toml, line 2: The file is not UTF-8. Save it as UTF-8."),
        ("a = 1\nb = ", "our.toml, line 2: This is not TOML: Invalid value."),
        ('a = 1\nb = "x\nc = 1', "our.toml, line 2: This is not TOML: Illegal character"),
        ("a = 1\n\nb = [1,\n", "our.toml, line 3: This is not TOML: "),
        (
            "a = 1\n\na = 2",
            "our.toml, line 3: a: This stands here twice, first on line 1. Rename or remove one.",
        ),
        (
            "[x]\ny.z = 1\n[x]\n",
            "our.toml, line 3: x: This stands here twice, first on line 1. Rename or remove one.",
        ),
        (
            "[[s]]\n[[s]]\ng = {1 = 'a',\n1 = 'b'}",
            "our.toml, line 3: This is not TOML: ",
        ),
        (
            "[[s]]\n[[s]]\ng = {1 = 'a', 1 = 'b'}",
            "our.toml, line 3: s[1].g.1: This stands here twice, first on line 3.",
        ),
        ("a = 1\nb = " + "9" * 9999, "our.toml, line 2: A number is too long."),
        ("a = \x07", "our.toml, line 1: This is not TOML: "),
        ("a = '\x07'", "our.toml, line 1: This is not TOML: "),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str | bytes, said: str) -> None:
    assert wrong(text).startswith(said)


@pytest.mark.parametrize(
    "text",
    [
        "\na = " + "[" * 100_000,
        "\na = " + "[" * 21 + "]" * 21,
        "\n" + "a." * 100_000 + "a = 1",
        "\n[" + "a." * 100_000 + "a]",
        "\n[" + "a." * 19 + "a]\nb = {c = 1}",
        "\na = " + "{a = " * 100_000,
        "\na = " + "{ a.a.a.a = [" * 5 + "1" + "]}" * 5,
    ],
    ids=range(7),
)
def test_what_nests_too_deep_is_refused(text: str) -> None:
    message = wrong(text)
    assert message.endswith(": The nesting is deeper than 20 levels.")
    assert message.startswith(("our.toml, line 2", "our.toml, line 3"))


def test_as_deep_as_allowed_is_read() -> None:
    text = "a = " + "[" * 20 + "]" * 20
    assert toml_loader.parse(text.encode(), "our.toml").data == tomllib.loads(text)


def test_what_holds_too_much_is_refused() -> None:
    said = "The file holds more than 10000 values."
    assert wrong("a = [\n" + "1,\n" * 10_000 + "]") == f"our.toml, line 10001: {said}"
    assert wrong("[[a]]\n" * 10_001) == f"our.toml, line 10001: {said}"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    large = tmp_path / "large.toml"
    large.write_bytes(b"#" * (256 * 1024 + 1))
    for path, said in (
        (tmp_path / "none.toml", f"{tmp_path}/none.toml cannot be read: No such file"),
        (tmp_path, f"{tmp_path} cannot be read: Is a directory."),
        (tmp_path / "a\0b", f"{tmp_path}/a\0b cannot be read: embedded null byte."),
        (large, f"{large} is larger than 256 KiB."),
        (Path("/dev/zero"), "/dev/zero is larger than 256 KiB."),
    ):
        with pytest.raises(ContentError) as caught:
            toml_loader.read(path)
        assert caught.value.message.startswith(said)
    large.write_bytes(b"#" * 256 * 1024)
    assert toml_loader.read(large).data == {}


def test_faults_become_findings_in_the_order_of_the_file() -> None:
    found = toml_loader.parse(b"a = 1\nb = [1,\n2]\n", "our.toml")
    error = found.error(
        [Fault(("b", 1), "Odd.", "Try 3."), Fault(("a",), "Bad."), Fault(("c",), "Missing.")]
    )
    assert [(one.line, one.field) for one in error.findings] == [(1, "a"), (1, "c"), (3, "b[1]")]
    assert error.message == "our.toml, line 1: a: Bad. (and 2 more)"
    assert found.error([Fault(("b", 1), "Odd.", "Try 3.")]).message == (
        "our.toml, line 3: b[1]: Odd. Try 3."
    )
