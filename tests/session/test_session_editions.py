"""The packs of an edition: the campaign's own copy plays, updates keep them, no other sees them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from kdm.installed import movable

from kdmlog.core.errors import ContentError, UnknownName
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm.content import Gear
from kdmlog.games.kdm.game import GAME
from kdmlog.session import NewOptions, Session, new_campaign, open_session
from kdmlog.session.audit import audit
from kdmlog.session.pack_change import add_content, update_content

LATER = "edition_1_6"
Begun = Callable[[str], Session]


@pytest.fixture
def core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The installed core pack, where it and those beside it can be changed."""
    return movable(tmp_path, monkeypatch)


@pytest.fixture
def begun(core: Path, tmp_path: Path) -> Iterator[Begun]:
    sessions: list[Session] = []

    def begin(edition: str) -> Session:
        options = NewOptions(seed="p", edition=edition)
        session, _ = new_campaign(tmp_path / "kdm.db", f"By {edition}", options=options)
        sessions.append(session)
        return session

    yield begin
    for session in sessions:
        session.close()


def played(session: Session) -> list[str]:
    return [pack.id for pack in session.table.state.packs]


def test_an_edition_is_its_packs_over_the_usual_ones() -> None:
    assert GAME.usual_edition == "1.3"
    assert [GAME.packs_of(one) for one in ("", "1.3", "1.6")] == [
        ("core",),
        ("core",),
        ("core", LATER),
    ]
    assert GAME.all_packs == ("core", LATER)


@pytest.mark.parametrize("edition", ["", "1.3"])
def test_the_first_edition_sees_nothing_of_a_later_one(begun: Begun, edition: str) -> None:
    session = begun(edition)
    assert session.table.state.edition == "1.3"
    assert played(session) == ["core"]
    assert session.table.content.find(Gear, "bone_club") is None
    assert session.table.content.get(Gear, "hollow_sword").rules == ["frail", "paired"]


def test_a_campaign_has_its_own_copy_of_both_packs(begun: Begun, core: Path) -> None:
    session = begun("1.6")
    assert played(session) == ["core", LATER]
    for pack in session.table.state.packs:
        assert session.ledger.pack(pack.hash) is not None
    session.close()
    (core.parent / LATER / "pack.yaml").unlink()
    with open_session(session.ledger.path) as again:
        assert again.table.content.get(Gear, "hollow_sword").rules == ["frail"]
        assert again.table.content.pack_of(Gear, "bone_club") == LATER


def test_there_is_no_other_edition(begun: Begun) -> None:
    with pytest.raises(UnknownName, match=r"1\.5"):
        begun("1.5")


def test_an_update_keeps_the_edition_s_packs(begun: Begun, core: Path) -> None:
    session = begun("1.6")
    assert update_content(session).result is None, "nothing is new"
    path = core.parent / LATER / "pack.yaml"
    path.write_text(path.read_text().replace("version: 1", "version: 2"))
    [(was, now)] = update_content(session).packs
    assert was is not None
    assert (was.id, was.version, now.version) == (LATER, 1, 2)
    assert played(session) == ["core", LATER]
    assert (session.verify(), audit(session).faults) == ([], [])


def test_an_update_brings_the_packs_that_an_edition_has_by_now(
    begun: Begun, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As for a campaign of an edition that had no cards of its own when it began."""
    with monkeypatch.context() as patch:
        patch.setattr("kdmlog.core.game.Game.packs_of", lambda game, _edition: game.packs)
        session = begun("1.6")
    assert played(session) == ["core"]
    session.perform(a.SurvivorNew(name="Lucy", sex="f"))
    [(was, now)] = update_content(session).packs
    assert (was, now.id) == (None, LATER)
    assert played(session) == ["core", LATER]
    session.undo()
    assert played(session) == ["core"]
    assert (session.verify(), audit(session).faults) == ([], [])


@pytest.mark.parametrize("edition", ["1.3", "1.6"])
def test_an_edition_s_pack_is_not_added_by_hand(begun: Begun, core: Path, edition: str) -> None:
    with pytest.raises(ContentError, match="own pack"):
        add_content(begun(edition), core.parent / LATER)
