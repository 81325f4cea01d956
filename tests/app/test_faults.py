"""A fault of the program, wherever it is: no screen waits for ever, and nothing that was there is lost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("flet")
from companion.app.services.adviser import Hint
from companion.app.services.auditor import Finding
from companion.app.state.app import AppState
from companion.app.state.live import LiveJudge
from companion.app.state.table import Table, from_position
from companion.app.views import rounds_data
from companion.game import Position, Rules
from companion.game.grid import GridRules
from companion.store import Store
from companion.store.errors import StoreError
from tests.app.fakes import FakeReader, deal, document, make_app, photo
from tests.app.screen import PHONE, Open
from tests.app.test_devices import Picking


class Breaks(FakeReader):
    """Reads one photo, and then has a fault."""

    def __init__(self, fault: Exception, reads: int = 1) -> None:
        super().__init__(document(deal()))
        self.fault, self.reads = fault, reads

    def read(self, photo: bytes, decks: int = 1, jokers: int = 2) -> dict[str, Any]:
        self.reads -= 1
        if self.reads < 0:
            raise self.fault
        return super().read(photo, decks, jokers)


@pytest.mark.parametrize("fault", [IndexError("list index out of range"), ValueError("shapes (3,) (4,)")])
async def test_a_fault_in_the_reader_ends_the_reading(store: Store, fault: Exception) -> None:
    app = make_app(store, reader=Breaks(fault))
    assert await app.scan.read(photo(), Rules())
    editor, before = app.scan.editor, app.scan.photo
    with pytest.raises(type(fault)):
        await app.scan.read(photo(), Rules())
    assert not app.scan.reading
    assert app.scan.incoming is None
    assert (app.scan.editor, app.scan.photo) == (editor, before)


async def test_a_store_that_refuses_the_scan_leaves_the_one_before(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(store)
    assert await app.scan.read(photo(), Rules())
    kept = app.scan.editor, app.scan.photo, app.scan.scan_id, app.scan.document

    def full(*values: Any, **named: Any) -> None:
        raise StoreError("no room is left on the disk", code="store-full")

    monkeypatch.setattr(store, "add_scan", full)
    assert not await app.scan.read(photo(800, 600), Rules())
    assert not app.scan.reading
    assert app.scan.trouble is not None
    assert app.scan.trouble.code == "store-full"
    assert kept == (app.scan.editor, app.scan.photo, app.scan.scan_id, app.scan.document)


async def test_a_fault_after_one_gave_up_is_nobodys(store: Store) -> None:
    app = make_app(store)

    class GivenUp(Breaks):
        def read(self, photo: bytes, decks: int = 1, jokers: int = 2) -> dict[str, Any]:
            app.scan.cancel()
            return super().read(photo, decks, jokers)

    app.scan._reader = GivenUp(KeyError("card"), reads=0)
    assert not await app.scan.read(photo(), Rules())
    assert not app.scan.reading


async def test_a_fault_in_the_engine_ends_the_thinking(app: AppState) -> None:
    def advise(position: Position, aim: str) -> Hint:
        raise ZeroDivisionError("division by zero")

    app.services.adviser.advise = advise  # type: ignore[method-assign]
    app.play.start(deal().hidden())
    with pytest.raises(ZeroDivisionError):
        await app.play.ask("strokes")
    assert not app.play.thinking
    assert app.play.tracked is not None
    assert not app.play.hinted


async def test_a_fault_in_the_audit_ends_the_checking(app: AppState) -> None:
    def check(tables: Sequence[Table], rules: Rules) -> tuple[Finding, ...]:
        raise AssertionError("no way back")

    app.services.auditor.check = check  # type: ignore[method-assign]
    for _ in range(2):
        app.check.add(from_position(deal()), "game")
    with pytest.raises(AssertionError):
        await app.check.check(Rules())
    assert not app.check.checking
    assert len(app.check.shots) == 2


async def test_a_fault_in_the_reader_ends_the_reading_of_a_grid(store: Store) -> None:
    app = make_app(store, reader=Breaks(TypeError("None"), reads=0))
    app.card.grid.press("K", GridRules())
    with pytest.raises(TypeError):
        await app.card.grid.read(photo(), GridRules())
    assert not app.card.grid.reading
    assert app.card.grid.letters == "K"


def test_a_fault_in_the_guide_of_the_camera_lets_one_go_on() -> None:
    class Blind(FakeReader):
        def glance(self, photo: bytes) -> tuple[str, ...]:
            raise RuntimeError("a layer has no weights")

    judge = LiveJudge(Blind(document(deal())))
    assert isinstance(judge.look(photo()), tuple)


async def test_a_fault_in_what_is_done_with_a_file_is_told(tmp_path: Path) -> None:
    picking = Picking(tmp_path)

    async def take(data: bytes, name: str) -> None:
        raise LookupError("of this program")

    picking.devices.expect(take, picking.refused.append, picking.shares.append)
    await picking.pick()
    (tmp_path / picking.names[0]).write_bytes(b"12345")
    await picking.devices._arrived()
    assert [type(fault) for fault in picking.faults] == [LookupError]


@pytest.mark.parametrize(("error", "faults"), [(OSError("gone"), 0), (RuntimeError("no key"), 1)])
async def test_a_file_that_can_not_be_fetched_is_not_waited_for(
    tmp_path: Path, error: Exception, faults: int
) -> None:
    picking = Picking(tmp_path)

    async def upload(files: object) -> None:
        raise error

    picking.devices.picker.upload = upload  # type: ignore[method-assign]
    await picking.pick()
    assert picking.refused == ["not-arrived"]
    assert len(picking.faults) == faults


async def test_the_screen_shows_the_report_and_goes_on_with_the_scan_before(
    open_app: Open,
) -> None:
    screen = await open_app(
        PHONE, lambda app: app.scan.read(photo(), Rules()), Breaks(IndexError("a deliberate fault")), "/scan"
    )
    assert screen.has("card-0-0")
    taken = screen.app.read_photo
    await screen.app.devices._give(lambda data, name: taken(data), photo(), "IMG_1.jpg")
    await screen.until(lambda: screen.has("crash-copy"))
    assert "IndexError: a deliberate fault" in screen.texts()
    await screen.tap("crash-go-on")
    assert screen.has("card-0-0")
    assert not screen.has("scan-cancel")


@pytest.mark.parametrize("id", ["export-all", "export-csv"])
async def test_what_can_not_be_saved_says_why(
    open_app: Open,
    monkeypatch: pytest.MonkeyPatch,
    id: str,
) -> None:
    def damaged(store: Store) -> None:
        raise StoreError("the file is damaged", code="store-damaged")

    screen = await open_app(PHONE, route="/rounds/data", language="en")
    for name in ("archive_file", "csv_file"):
        monkeypatch.setattr(rounds_data, name, damaged)
    await screen.tap(id)
    await screen.until(lambda: screen.has("history-trouble"))
    assert not screen.has("crash-copy")
