"""Content changed under a campaign: as a move, shown, and never over what the players made."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from kdm.installed import movable

from kdmlog.core.errors import ContentError, LedgerError, NotNow, Refused
from kdmlog.core.events import PacksChanged
from kdmlog.core.fingerprint import fingerprint
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm.content import Gear
from kdmlog.session import NewOptions, Session, new_campaign, open_session
from kdmlog.session.audit import audit
from kdmlog.session.pack_change import add_content, update_content

META = "id: {id}\ntitle: A house's own\nversion: {version}\ngame: kdm\nneeds: [{needs}]\n"
AXE = """bone_axe:
  name: {name}
  kind: weapon
  location: bone_smith
  weapon: {{speed: 9, accuracy: 2, strength: 9}}
  cost: [{{type: bone}}]
"""
FORGE = "forge:\n  name: Forge\n  built_at: {at}\n"


@pytest.fixture
def core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The installed core pack, where it can be changed."""
    return movable(tmp_path, monkeypatch)


@pytest.fixture
def kdm(core: Path, tmp_path: Path) -> Iterator[Session]:
    session, _ = new_campaign(tmp_path / "kdm.db", "Edge", options=NewOptions(seed="p"), by="ann")
    for name in ("Lucy", "Erza"):
        session.perform(a.SurvivorNew(name=name, sex="f"))
    yield session
    session.close()


def edited(folder: Path, file: str, was: str, now: str) -> None:
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert was in text
    path.write_text(text.replace(was, now, 1), encoding="utf-8")


def house(tmp_path: Path, version: int = 1, name: str = "Our Axe", needs: str = "core") -> Path:
    folder = tmp_path / "house"
    folder.mkdir(exist_ok=True)
    meta = META.format(id="house", version=version, needs=needs)
    (folder / "pack.yaml").write_text(meta, encoding="utf-8")
    (folder / "gear.yaml").write_text(AXE.format(name=name), encoding="utf-8")
    return folder


def axe(session: Session) -> str:
    return session.table.content.get(Gear, "bone_axe").name  # type: ignore[no-any-return]


# --- update ---------------------------------------------------------------------------------------


def test_with_nothing_new_no_move_is_made(kdm: Session) -> None:
    head = kdm.head
    done = update_content(kdm)
    assert (done.packs, done.records, done.result) == ([], [], None)
    assert kdm.head == head


def test_an_update_is_a_move_that_shows_what_changes(kdm: Session, core: Path) -> None:
    edited(core, "pack.yaml", "version: 1", "version: 2")
    edited(core, "gear.yaml", "name: Bone Axe", "name: Better Axe")
    edited(
        core, "gear.yaml", "# Bonesmith", "spare:\n  name: Spare\n  kind: item\n  location: rare"
    )
    before = fingerprint(kdm.table.state)
    done = update_content(kdm, by="bo")
    [(was, now)] = done.packs
    assert was is not None and (was.version, now.version) == (1, 2)
    assert [(one.kind, one.id, one.how) for one in done.records] == [
        ("gear", "bone_axe", "changed"),
        ("gear", "spare", "added"),
    ]
    assert done.result is not None and isinstance(done.result.events[0], PacksChanged)
    assert axe(kdm) == "Better Axe"
    assert kdm.log(1)[0].by == "bo"
    kdm.undo()
    assert axe(kdm) == "Bone Axe" and fingerprint(kdm.table.state) == before
    kdm.redo()
    assert axe(kdm) == "Better Axe"
    assert (kdm.verify(), audit(kdm).faults) == ([], [])
    assert [one.code for one in audit(kdm).remarks][:1] == ["packs"]


def test_trying_shows_the_same_and_changes_nothing(kdm: Session, core: Path) -> None:
    edited(core, "gear.yaml", "name: Bone Axe", "name: Better Axe")
    head = kdm.head
    done = update_content(kdm, dry_run=True)
    assert [one.id for one in done.records] == ["bone_axe"]
    assert kdm.head == head and axe(kdm) == "Bone Axe"


def test_nothing_is_updated_while_a_question_is_open(kdm: Session, core: Path) -> None:
    edited(core, "gear.yaml", "name: Bone Axe", "name: Better Axe")
    for name in ("Ada", "Bea"):
        kdm.perform(a.SurvivorNew(name=name, sex="f"))
    kdm.perform(a.ShowdownBegin(monster="white_lion", first_story=True))
    kdm.perform(a.MonsterTurn())
    assert kdm.open is not None
    with pytest.raises(NotNow):
        update_content(kdm)


def test_what_is_in_play_is_not_taken_away(kdm: Session, core: Path) -> None:
    text = (core / "gear.yaml").read_text(encoding="utf-8")
    start, end = text.index("cloth:"), text.index("founding_stone:")
    (core / "gear.yaml").write_text(text[:start] + text[end:], encoding="utf-8")
    with pytest.raises((Refused, ContentError)):
        update_content(kdm)
    assert kdm.table.content.find(Gear, "cloth") is not None


def test_a_broken_installed_pack_changes_nothing(kdm: Session, core: Path) -> None:
    edited(core, "gear.yaml", "name: Bone Axe", "nome: Bone Axe")
    head = kdm.head
    with pytest.raises(ContentError):
        update_content(kdm)
    assert kdm.head == head


# --- a pack of the players' own -------------------------------------------------------------------


def test_an_own_pack_goes_over_the_game_s(kdm: Session, tmp_path: Path) -> None:
    done = add_content(kdm, house(tmp_path))
    assert [(one.id, one.how, one.pack) for one in done.records] == [
        ("bone_axe", "changed", "house")
    ]
    assert [ref.id for ref in kdm.table.state.packs] == ["core", "house"]
    assert axe(kdm) == "Our Axe"
    shutil.rmtree(tmp_path / "house")
    with open_session(tmp_path / "kdm.db") as again:
        assert axe(again) == "Our Axe", "the ledger has its own copy"


def test_the_game_s_update_leaves_the_own_record_and_says_so(
    kdm: Session, core: Path, tmp_path: Path
) -> None:
    add_content(kdm, house(tmp_path))
    edited(core, "gear.yaml", "name: Bone Axe", "name: Better Axe")
    edited(core, "gear.yaml", "name: Cloth", "name: Rag")
    done = update_content(kdm)
    assert [(one.id, one.how) for one in done.records] == [("cloth", "changed")]
    assert [(one.id, one.how, one.pack) for one in done.kept] == [("bone_axe", "changed", "house")]
    assert axe(kdm) == "Our Axe"


def test_its_next_version_takes_its_place(kdm: Session, tmp_path: Path) -> None:
    add_content(kdm, house(tmp_path))
    assert add_content(kdm, house(tmp_path)).result is None, "the same again is nothing new"
    done = add_content(kdm, house(tmp_path, version=2, name="Their Axe"))
    assert [ref.id for ref in kdm.table.state.packs] == ["core", "house"]
    [(was, now)] = done.packs
    assert was is not None and (was.version, now.version) == (1, 2)
    assert axe(kdm) == "Their Axe"


def test_a_pack_that_needs_another_is_refused_without_it(kdm: Session, tmp_path: Path) -> None:
    with pytest.raises(ContentError, match="needs the pack attic"):
        add_content(kdm, house(tmp_path, needs="core, attic"))


def test_the_game_s_own_id_is_not_taken(kdm: Session, tmp_path: Path) -> None:
    folder = house(tmp_path, needs="")
    edited(folder, "pack.yaml", "id: house", "id: core")
    folder.rename(tmp_path / "core")
    with pytest.raises(ContentError, match="the game's own"):
        add_content(kdm, tmp_path / "core")


def test_a_pack_that_names_what_there_is_not_is_refused(kdm: Session, tmp_path: Path) -> None:
    folder = house(tmp_path)
    (folder / "location.yaml").write_text(FORGE.format(at="shed"), encoding="utf-8")
    head = kdm.head
    with pytest.raises(ContentError, match="there is no shed"):
        add_content(kdm, folder)
    assert kdm.head == head


def test_an_update_that_an_own_pack_cannot_stand_on_is_refused(
    kdm: Session, core: Path, tmp_path: Path
) -> None:
    folder = house(tmp_path)
    (folder / "location.yaml").write_text(FORGE.format(at="skinnery"), encoding="utf-8")
    add_content(kdm, folder)
    edited(core, "location.yaml", "skinnery:", "tannery:")
    head = kdm.head
    with pytest.raises(ContentError, match="location forge: built_at: there is no skinnery"):
        update_content(kdm)
    assert kdm.head == head


# --- lost copies ----------------------------------------------------------------------------------


def lose(session: Session, *, damage: bool = False) -> None:
    """Has the ledger lose its copies of the packs, or damages them."""
    change = "UPDATE pack SET source = x'7b7d'" if damage else "DELETE FROM pack"
    run = session.ledger.connection.execute
    triggers = run(
        "SELECT name, sql FROM sqlite_schema WHERE tbl_name = 'pack' AND type = 'trigger'"
    )
    kept = triggers.fetchall()
    for name, _ in kept:
        run(f"DROP TRIGGER {name}")
    run(change)
    for _, sql in kept:
        run(sql)


def test_a_lost_copy_is_put_back_from_what_is_installed(kdm: Session, tmp_path: Path) -> None:
    lose(kdm)
    with open_session(tmp_path / "kdm.db") as session:
        with pytest.raises(LedgerError) as caught:
            session.note("cannot be")
        assert caught.value.code == "no_pack"
        done = update_content(session)
        assert [ref.id for ref in done.restored] == ["core"]
        session.perform(a.SurvivorNew(name="Ada", sex="f"))
        assert session.verify() == []


def test_without_the_same_installed_the_campaign_goes_over_to_the_other(
    kdm: Session, core: Path, tmp_path: Path
) -> None:
    edited(core, "gear.yaml", "name: Bone Axe", "name: Better Axe")
    lose(kdm)
    with open_session(tmp_path / "kdm.db") as session:
        assert update_content(session).result is not None
        session.perform(a.SurvivorNew(name="Ada", sex="f"))
        assert axe(session) == "Better Axe"


def test_a_lost_copy_of_an_own_pack_is_asked_for(kdm: Session, tmp_path: Path) -> None:
    add_content(kdm, house(tmp_path))
    lose(kdm)
    session = open_session(tmp_path / "kdm.db")
    with session, pytest.raises(LedgerError, match="house 1"):
        update_content(session)


def test_a_damaged_copy_is_said_to_be_so(kdm: Session, tmp_path: Path) -> None:
    lose(kdm, damage=True)
    with open_session(tmp_path / "kdm.db") as session, pytest.raises(LedgerError) as caught:
        update_content(session)
    assert caught.value.code == "no_pack"
