"""The library lays packs over each other, decodes on demand, and helps with names."""

from __future__ import annotations

from pathlib import Path
from typing import assert_type

import msgspec
import pytest
from packs_kinds import KINDS, META, Event, Gear, write_pack

from kdmlog.core.errors import ContentError, UnknownName
from kdmlog.packs.coverage import Coverage, Scripted, coverage
from kdmlog.packs.library import Library
from kdmlog.packs.load import load_pack
from kdmlog.packs.pack import canonical, pack_hash

CORE = "cloth: {title: Cloth}\ncloak: {title: Cloak}\nbone_axe: {title: Axe}\n"
HOUSE = "cloth: {title: Better cloth, armor: 2}\nanvil: {title: Anvil}\n"


@pytest.fixture
def packs(tmp_path: Path) -> list[bytes]:
    """Two packs: the second replaces a record of the first and adds one."""
    core = write_pack(tmp_path / "core", {"gear.yaml": CORE, "hunt_event.yaml": "x: {lose: 1}\n"})
    house = write_pack(
        tmp_path / "house", {"gear.yaml": HOUSE}, META.replace("id: core", "id: house")
    )
    return [canonical(load_pack(folder, KINDS)) for folder in (core, house)]


def test_a_later_pack_adds_and_replaces(packs: list[bytes]) -> None:
    library = Library(packs, KINDS)
    gear = library.get(Gear, "cloth")
    assert_type(gear, Gear)
    assert gear == Gear("Better cloth", armor=2)
    assert library.ids(Gear) == ["bone_axe", "cloak", "cloth", "anvil"]
    assert list(library.all(Gear)) == library.ids(Gear)
    assert library.all(Event) == {"x": Event(lose=1)}
    assert library.pack_of(Gear, "cloth") == "house"
    assert library.pack_of(Gear, "cloak") == "core"
    assert library.pack_of(Gear, "no") is None
    assert Library(packs[::-1], KINDS).get(Gear, "cloth") == Gear("Cloth")
    assert Library(packs[:1], KINDS).get(Gear, "cloth") == Gear("Cloth")
    assert [meta.id for meta in library.metas] == ["core", "house"]
    assert library.hashes == tuple(pack_hash(data) for data in packs)
    assert library.kinds == KINDS


def test_unknown_names_are_refused_with_the_nearest(packs: list[bytes]) -> None:
    library = Library(packs, KINDS)
    with pytest.raises(UnknownName) as raised:
        library.get(Gear, "clothe")
    assert raised.value.message == "There is no gear 'clothe'."
    assert raised.value.hints == ["Did you mean cloth or cloak?"]
    assert raised.value.data == {"kind": "gear", "id": "clothe", "nearest": ["cloth", "cloak"]}
    with pytest.raises(UnknownName) as raised:
        library.get(Event, "zzz")
    assert raised.value.message == "There is no hunt event 'zzz'."
    assert raised.value.hints == []
    assert library.find(Gear, "clothe") is None


def test_records_are_decoded_once_and_only_when_asked_for() -> None:
    made: list[str] = []

    class Counted(msgspec.Struct):
        title: str

        def __post_init__(self) -> None:
            made.append(self.title)

    meta = '"pack":{"id":"a","title":"A","version":1,"game":"toy"}'
    records = ",".join(f'"r{n}":{{"title":"{n}"}}' for n in range(100))
    data = f'{{{meta},"records":{{"counted":{{{records}}},"unknown_kind":{{"x":5}}}}}}'
    library = Library([data.encode()], {"counted": Counted})
    assert len(library.ids(Counted)) == 100
    assert made == []
    assert library.get(Counted, "r7") is library.get(Counted, "r7")
    assert made == ["7"]


def test_what_is_made_of_the_records_is_made_once_for_each_library(packs: list[bytes]) -> None:
    def titles(library: Library) -> list[str]:
        return [gear.title for gear in library.all(Gear).values()]

    library = Library(packs, KINDS)
    assert library.made(titles) is library.made(titles)
    assert library.made(titles) == ["Axe", "Cloak", "Better cloth", "Anvil"]
    assert Library(packs[:1], KINDS).made(titles) == ["Axe", "Cloak", "Cloth"]


def test_a_stored_record_that_no_longer_fits_is_named() -> None:
    data = (
        b'{"pack":{"id":"a","title":"A","version":1,"game":"toy"},'
        b'"records":{"gear":{"cloth":{"title":"C","weight":1}}}}'
    )
    library = Library([data], KINDS)
    with pytest.raises(ContentError, match=r"gear cloth of pack a cannot be read.*weight"):
        library.get(Gear, "cloth")
    with pytest.raises(ContentError, match="stored pack cannot be read"):
        Library([b"{}"], KINDS)


def test_each_kind_has_its_own_type() -> None:
    with pytest.raises(ValueError, match="share a Struct type"):
        Library([], {"gear": Gear, "armor": Gear})


def test_coverage_counts_each_kind(packs: list[bytes]) -> None:
    def scripted(kind: str, record: msgspec.Struct) -> Scripted:
        if not isinstance(record, Gear):
            return "missing"
        return "scripted" if record.armor else "assisted"

    counts = coverage(Library(packs, KINDS), scripted)
    assert counts == {"gear": Coverage(1, 3, 0), "hunt_event": Coverage(0, 0, 1)}
    assert counts["gear"].total == 4
