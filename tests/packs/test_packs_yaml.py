"""The YAML loader speaks 1.2, knows its lines, and refuses what content must not hold."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kdmlog.packs import yaml_loader
from kdmlog.packs.yaml_loader import parse


@pytest.fixture(params=["CSafeLoader", "SafeLoader"], autouse=True)
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run everything with libyaml and without."""
    if not hasattr(yaml, request.param):
        pytest.skip("no libyaml here")
    monkeypatch.setattr(yaml_loader, "_LOADER", getattr(yaml, request.param))


def data(text: str) -> Any:
    document = parse(text.encode(), "gear.yaml")
    assert document.findings == []
    assert document.whole
    return document.data


def refused(text: str | bytes) -> tuple[int, str, str]:
    """Parse what must be refused once: line, field, message."""
    document = parse(text if isinstance(text, bytes) else text.encode(), "gear.yaml")
    assert [finding.file for finding in document.findings] == ["gear.yaml"]
    finding = document.findings[0]
    return finding.line, finding.field, finding.message


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *[(word, word) for word in ("on", "off", "yes", "no", "y", "n", "On", "NO", "Yes")],
        ("true", True),
        ("false", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("12", 12),
        ("-3", -3),
        ("+3", 3),
        ("010", 10),
        ("0o10", 8),
        ("0x1F", 31),
        ("-0x1F", "-0x1F"),
        ("0b11", "0b11"),
        ("1:30", "1:30"),
        ("190:20:30", "190:20:30"),
        ("1_000", "1_000"),
        ("1.5", 1.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("1.", 1.0),
        ("2001-02-03", "2001-02-03"),
        ("1-3", "1-3"),
        ("9+", "9+"),
        ("3-", "3-"),
        ("1d10", "1d10"),
        ("=", "="),
        ("'12'", "12"),
        ('"true"', "true"),
        ("'~'", "~"),
        ('"a\\tb\\n"', "a\tb\n"),
        ("0" * 5000 + "7", 7),
    ],
)
def test_scalars_are_those_of_yaml_1_2(text: str, value: object) -> None:
    found = data(f"a: {text}\n")["a"]
    assert found == value
    assert type(found) is type(value)


def test_keys_are_always_strings() -> None:
    text = "3: a\n1-3: b\n9+: c\non: d\ntrue: e\n~: f\n1.5: g\n'q': h\n"
    assert list(data(text)) == ["3", "1-3", "9+", "on", "true", "~", "1.5", "q"]


def test_nested_data_with_flow_and_block_text() -> None:
    text = "a:\n- {x: [1, 2], y: {}}\n- |\n  two\n  lines\nb: >\n  folded\n  text\nc: []\n"
    assert data(text) == {
        "a": [{"x": [1, 2], "y": {}}, "two\nlines\n"],
        "b": "folded text\n",
        "c": [],
    }


def test_byte_order_mark_windows_lines_and_an_empty_file() -> None:
    assert data("\ufeffa: 1\r\nb: 2\r\n") == {"a": 1, "b": 2}
    assert data("# nothing yet\n") is None
    assert data("--- \na: 1\n...\n") == {"a": 1}


def test_paths_lead_to_lines() -> None:
    text = "cloth:\n  steps:\n  - roll: 1\n    rows: {3-: [],\n      9+: [x]}\n  -\n    gain: 2\n"
    lines = parse(text.encode(), "gear.yaml").lines
    assert lines.at(()) == 1
    assert lines.at(("cloth",)) == 1
    assert lines.at(("cloth", "steps")) == 2
    assert lines.at(("cloth", "steps", 0)) == 3
    assert lines.at(("cloth", "steps", 0, "rows", "3-")) == 4
    assert lines.at(("cloth", "steps", 0, "rows", "9+", 0)) == 5
    assert lines.at(("cloth", "steps", 1, "gain")) == 7
    assert lines.at(("cloth", "steps", 0, "unknown", "deeper")) == 3


@pytest.mark.parametrize(
    ("text", "line", "field", "words"),
    [
        ("a:\n  x: 1\n  y: 2\n  x: 3\n", 4, "a.x", "twice, first on line 2"),
        ("a: 1\n'a': 2\n", 2, "a", "twice"),
        ("a: &x 1\n", 1, "a", "Anchors (&x)"),
        ("a: 1\nb:\n- &x [1]\n", 3, "b[0]", "Anchors (&x)"),
        ("a: 1\n&x b: 2\n", 2, "b", "Anchors (&x)"),
        ("a: 1\nb: *x\n", 2, "b", "Aliases (*x)"),
        ("a:\n  b: !!str 1\n", 2, "a.b", "Tags"),
        ("a: !thing {b: 1}\n", 1, "a", "Tags (!thing)"),
        ("a: ! 1\n", 1, "a", "Tags"),
        ("a: !!python/object:os.system {}\n", 1, "a", "Tags"),
        ("a:\n  <<: {b: 1}\n", 2, "a.<<", "Merge keys"),
        ("a: 1\n---\nb: 2\n", 2, "(whole file)", "one document"),
        ("%YAML 1.1\n---\na: 1\n", 1, "(whole file)", "Directives"),
        ("a: .inf\n", 1, "a", "Infinite"),
        ("a: [1, .nan]\n", 1, "a[1]", "not-a-number"),
        ("a: 1e999\n", 1, "a", "Infinite"),
        ("a: 9223372036854775808\n", 1, "a", "too large"),
        ("a: " + "9" * 5000 + "\n", 1, "a", "too large"),
        ("a: 0xFFFFFFFFFFFFFFFFFFFFF\n", 1, "a", "too large"),
        ('a: 1\nb: "\\x1b[31m"\n', 2, "b", "U+001B"),
        ('"a\\0": 1\n', 1, "a\\x00", "U+0000"),
        ('a: "\\r"\n', 1, "a", "U+000D"),
        ('a: "\\N"\n', 1, "a", "U+0085"),
        ("a: 1\nb: \x07\n", 2, "(whole file)", "U+0007"),
        ("a: 1\nb: \u2028\n", 2, "(whole file)", "U+2028"),
        ("a: 1\n? [b, c]\n: 2\n", 2, "(whole file)", "key must be"),
        ("a: 1\n'': 2\n", 2, "(whole file)", "empty"),
        ("a: 1\nb: x: y\n", 2, "(whole file)", "not YAML"),
        ("a:\n\tb: 1\n", 2, "a", "not YAML"),
        ("a: [1, 2\n", 2, "a[2]", "not YAML"),
        ('"a": "\\UFFFFFFFF"\n', 1, "(whole file)", "not YAML"),
    ],
)
def test_refused(text: str, line: int, field: str, words: str) -> None:
    found = refused(text)
    assert (found[0], words in found[2]) == (line, True), found
    assert found[1] == field or field in {"(whole file)", "a[2]"}


def test_not_utf_8_is_refused_with_its_line() -> None:
    assert refused(b"a: 1\nb: 2\nc: \xff\n") == (3, "(whole file)", "The file is not UTF-8.")
    assert refused("a: 1\n".encode("utf-16"))[2] == "The file is not UTF-8."


def test_everything_wrong_is_told_and_not_only_the_first() -> None:
    document = parse(b"a: &x 1\nb: *x\nc: !t 1\nc: 2\n", "gear.yaml")
    assert [finding.line for finding in document.findings] == [1, 2, 3, 4]
    assert document.whole


def test_depth_and_number_of_values_are_limited() -> None:
    assert data("[" * 40 + "]" * 40)
    assert "deeper than 40" in refused("[" * 41 + "]" * 41)[2]
    assert "deeper than 40" in refused("a: " + "[" * 100_000)[2]
    assert "deeper than 40" in refused("".join(f"{' ' * n}a:\n" for n in range(60)))[2]


def test_number_of_values_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_loader, "MAX_NODES", 100)
    assert len(data("[" + "1," * 99 + "]")) == 99
    assert "more than 100 values" in refused("[" + "1," * 100 + "]")[2]


def test_hints_for_usual_slips() -> None:
    assert "spaces" in parse(b"a:\n\tb: 1\n", "f").findings[0].hint
    assert "colon" in parse(b"a: b: c\n", "f").findings[0].hint


TEXT = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=12)
SCALARS = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | TEXT
JSON = st.recursive(
    SCALARS | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT.filter(bool), inner),
    max_leaves=12,
)
quick = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@quick
@given(JSON)
def test_json_is_yaml_and_means_the_same(value: Any) -> None:
    assert data(json.dumps({"a": value}, ensure_ascii=False, indent=1)) == {"a": value}


@quick
@given(st.binary(max_size=60) | st.text("ab:-?[]{}&*!|>'\"#%@`,\n \t<\\019.", max_size=60))
def test_no_bytes_make_it_fail_otherwise_than_by_findings(raw: bytes | str) -> None:
    document = parse(raw if isinstance(raw, bytes) else raw.encode(), "gear.yaml")
    assert document.whole or document.findings
    assert all(finding.line >= 1 and finding.message for finding in document.findings)
