"""Reading a photo, and correcting what was read."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from companion.app.state.app import AppState
from companion.app.state.memory import NoMemory
from companion.app.state.merge import keep_corrections, same_table
from companion.app.state.table import DISCARD, Slot, from_scan, to_scan
from companion.game import UNKNOWN, Card, Rules
from companion.store import Store
from tests.app.fakes import FakeReader, deal, document, make_app, photo

WRONG = {(0, 3): "KH", (3, 2): "??", (6, 0): "2C"}
UNSURE = [(0, 3), (3, 2), (6, 0)]


def true_card(place: tuple[int, int]) -> Card:
    return deal().columns[place[0]][place[1]]


async def scanned(app: AppState) -> AppState:
    assert await app.scan.read(photo(), Rules())
    return app


async def test_three_wrong_cards_are_put_right_by_one_tap_each(store: Store) -> None:
    app = await scanned(make_app(store, reader=FakeReader(document(deal(), WRONG, UNSURE))))
    editor = app.scan.editor
    assert editor is not None
    taps = 0
    while editor.cursor is not None:
        slot = editor.table.at(editor.cursor)
        assert slot is not None
        editor.enter(slot.alternatives[0])
        taps += 1
    assert taps == 3
    assert editor.table.position(Rules()) == deal().hidden()
    assert not editor.table.unsure


@pytest.mark.parametrize(("rules", "packs"), [("strict", (1, 0)), ("double", (2, 0)), ("jokers", (1, 2))])
async def test_a_photo_is_read_for_the_packs_of_the_game(
    store: Store, rules: str, packs: tuple[int, int]
) -> None:
    """With one pack no second card of a name was read, and the app never said that there are two."""
    reader = FakeReader(document(deal()))
    assert await make_app(store, reader=reader).scan.read(photo(), Rules.parse(rules))
    assert reader.packs == packs


async def test_the_least_sure_card_is_asked_for_first(store: Store) -> None:
    found = document(deal(), WRONG, UNSURE)
    found["cards"][17]["confidence"] = 0.05
    app = await scanned(make_app(store, reader=FakeReader(found)))
    assert app.scan.editor is not None
    assert app.scan.editor.cursor == (3, 2)


async def test_as_read_and_as_corrected_are_both_kept(store: Store) -> None:
    app = await scanned(make_app(store, reader=FakeReader(document(deal(), WRONG, UNSURE))))
    editor = app.scan.editor
    assert editor is not None
    assert app.scan.scan_id is not None
    editor.enter(true_card((0, 3)) if editor.cursor == (0, 3) else true_card(editor.cursor or (0, 0)))
    kept = store.scan(app.scan.scan_id)
    assert "KH" in json.loads(kept.read)["columns"][0]
    assert len(kept.edits) == 1
    assert from_scan(json.loads(kept.corrected)) == editor.table


async def test_a_later_scan_of_the_table_keeps_what_was_corrected(store: Store) -> None:
    again = document(deal(), {(0, 3): "5H", (2, 2): "??"}, [(2, 2)])
    app = await scanned(make_app(store, reader=FakeReader(document(deal(), WRONG, UNSURE), again)))
    editor = app.scan.editor
    assert editor is not None
    editor.select((0, 3))
    editor.enter(true_card((0, 3)))
    assert await app.scan.read(photo(), Rules())
    assert app.scan.editor is not None
    kept = app.scan.editor.table
    assert kept.at((0, 3)).card is true_card((0, 3))  # type: ignore[union-attr]
    assert kept.at((2, 2)).card is UNKNOWN  # type: ignore[union-attr]
    assert app.scan.kept == 1


async def test_corrections_outlive_a_scan_put_away_and_a_restart(store: Store, memory: NoMemory) -> None:
    readers = [FakeReader(document(deal(), WRONG, UNSURE)) for _ in range(2)]
    app = await scanned(make_app(store, memory, readers[0]))
    assert app.scan.editor is not None
    app.scan.editor.select((0, 3))
    app.scan.editor.enter(true_card((0, 3)))
    app.scan.discard()
    later = await scanned(make_app(store, memory, readers[1]))
    editor = later.scan.editor
    assert editor is not None
    assert later.scan.kept == 1
    assert editor.table.at((0, 3)).card is true_card((0, 3))  # type: ignore[union-attr]
    assert later.scan.scan_id is not None
    kept = store.scan(later.scan.scan_id)
    assert "KH" in json.loads(kept.read)["columns"][0]
    assert from_scan(json.loads(kept.corrected)) == editor.table
    editor.undo()
    assert editor.table == from_scan(document(deal(), WRONG, UNSURE))


@pytest.mark.parametrize("end", ["cancel", "refuse"])
async def test_a_scan_that_comes_to_nothing_leaves_the_one_before(store: Store, end: str) -> None:
    app = await scanned(make_app(store, reader=FakeReader(document(deal(), WRONG, UNSURE), seconds=0.05)))
    assert app.scan.editor is not None
    app.scan.editor.select((0, 3))
    app.scan.editor.enter(true_card((0, 3)))
    table, shown = app.scan.editor.table, app.scan.photo
    task = asyncio.create_task(app.scan.read(photo() if end == "cancel" else b"no photo", Rules()))
    await asyncio.sleep(0.03)
    if end == "cancel":
        app.scan.cancel()
    assert not await task
    assert not app.scan.reading
    assert app.scan.editor is not None
    assert (app.scan.editor.table, app.scan.photo) == (table, shown)


def test_a_card_played_onto_a_corrected_discard_is_taken() -> None:
    read = from_scan(document(deal()))
    wrong, right = Card.parse("KS"), Card.parse("QS")
    first = replace(read, discard=Slot(wrong))
    corrected = first.put(DISCARD, right)
    covered = replace(first, discard=Slot(Card.parse("JS")))
    for again, top in ((first, right), (replace(first, discard=None), right), (covered, Card.parse("JS"))):
        merged = keep_corrections(first, corrected, again)
        assert merged.discard is not None
        assert merged.discard.card is top


def test_a_card_exchanged_since_is_not_hidden_from_a_check() -> None:
    read = from_scan(document(deal(), {(0, 3): "KH"}))
    corrected = read.put((0, 3), true_card((0, 3)))
    exchanged = from_scan(document(deal(), {(0, 3): "2C"}))
    place = (0, 3)
    kept = keep_corrections(read, corrected, exchanged).at(place)
    told = keep_corrections(read, corrected, exchanged, evidence=True).at(place)
    misread = keep_corrections(read, corrected, read, evidence=True).at(place)
    assert kept is not None
    assert told is not None
    assert misread is not None
    assert (kept.card, told.card, misread.card) == (true_card(place), Card.parse("2C"), true_card(place))


def test_cards_added_and_removed_by_hand_stay() -> None:
    read = from_scan(document(deal(), {(1, 4): "??"}))
    corrected = read.remove((1, 4)).insert((4, 0), Card.parse("KS"))
    merged = keep_corrections(read, corrected, read)
    assert [slot.card for slot in merged.columns[4]] == [slot.card for slot in corrected.columns[4]]
    assert same_table(read, corrected)
    assert not same_table(read, from_scan(document(deal(99))))


def test_another_table_takes_nothing_over() -> None:
    read = from_scan(document(deal()))
    corrected = read.put((0, 0), Card.parse("KS"))
    other = from_scan(document(deal(77)))
    assert keep_corrections(read, corrected, other) == other


def test_a_corrected_card_is_not_read_elsewhere_too() -> None:
    read = from_scan(document(deal()))
    card = true_card((5, 1))
    corrected = read.put((0, 0), card).put((5, 1), true_card((0, 0)))
    again = from_scan(document(deal(), {(2, 2): str(card)}))
    merged = keep_corrections(read, corrected, again)
    assert sum(slot.card is card for _, slot in merged.places()) == 1


async def test_giving_up_leaves_everything_as_it_was(store: Store) -> None:
    app = make_app(store, reader=FakeReader(document(deal()), seconds=0.2))
    task = asyncio.create_task(app.scan.read(photo(), Rules()))
    for _ in range(100):
        await asyncio.sleep(0.01)
        if app.scan.incoming is not None:
            break
    app.scan.cancel()
    assert not await task
    assert app.scan.photo is None
    assert app.scan.editor is None
    assert not app.scan.reading
    assert store.scans() == ()


async def test_what_is_no_photo_is_said_in_a_sentence(store: Store) -> None:
    app = make_app(store)
    assert not await app.scan.read(b"no picture at all", Rules())
    assert app.scan.trouble
    assert not app.scan.reading


async def test_a_restart_finds_the_scan_as_it_was(store: Store, memory: NoMemory) -> None:
    app = await scanned(make_app(store, memory, FakeReader(document(deal(), WRONG, UNSURE))))
    assert app.scan.editor is not None
    app.scan.editor.enter(true_card(app.scan.editor.cursor or (0, 0)))
    later = make_app(store, memory)
    assert later.scan.editor is not None
    assert later.scan.editor.table == app.scan.editor.table
    assert later.scan.photo == app.scan.photo
    later.scan.editor.undo()
    assert later.scan.editor.table == from_scan(document(deal(), WRONG, UNSURE))


def test_a_scan_document_reads_back_as_it_was() -> None:
    read = from_scan(document(deal(), WRONG, UNSURE))
    assert from_scan(json.loads(json.dumps(to_scan(read)))).position(Rules()) == read.position(Rules())
    touched = read.put((0, 0), Card.parse("QS"))
    assert from_scan(json.loads(json.dumps(to_scan(touched, document(deal()))))).at((0, 0)).touched  # type: ignore[union-attr]


async def test_the_scan_goes_on_to_the_game_and_to_the_check(store: Store) -> None:
    app = await scanned(make_app(store))
    app.use_scan()
    assert app.navigation.screen == "play"
    assert app.play.position == deal().hidden()
    assert app.play.tracked is not None
    assert app.play.tracked.scan == app.scan.scan_id
    app.scan.aim_for("check")
    app.use_scan()
    assert app.navigation.screen == "check"
    assert len(app.check.shots) == 1


def live(
    bright: int = 235, *, ground: int = 70, size: float = 0.6, shift: float = 0.0, blur: float = 0.0
) -> bytes:
    """A live picture: white cards with print on them, on a darker table."""
    import io

    from PIL import Image, ImageDraw, ImageFilter

    picture = Image.new("RGB", (640, 480), (ground, ground + 20, ground))
    draw = ImageDraw.Draw(picture)
    wide, tall = 640 * size / 7, 480 * size
    for column in range(7):
        x, y = 320 - 320 * size + column * wide + shift * 640, 240 - tall / 2
        draw.rectangle((x + 2, y, x + wide - 2, y + tall), fill=(bright,) * 3)
        for row in range(9):
            draw.text((x + 6, y + 4 + row * tall / 9), "7K", fill=(10, 10, 10))
    out = io.BytesIO()
    picture.filter(ImageFilter.GaussianBlur(blur)).save(out, "JPEG", quality=90)
    return out.getvalue()


def test_the_models_judge_the_framing_now_and_then() -> None:
    from companion.app.state.live import LiveJudge

    class Glancing(FakeReader):
        said: tuple[str, ...] = ("too-far", "card-twice")
        asked = 0

        def glance(self, photo: bytes) -> tuple[str, ...]:
            self.asked += 1
            now[0] += 0.8
            return self.said

    now = [100.0]
    reader = Glancing(document(deal()))
    judge = LiveJudge(reader, lambda: now[0])
    assert judge.look(live()) == ("too-far",)
    reader.said = ()
    # 0.8 s of work: not again for 4 s, and the verdict holds while the picture is the same
    now[0] += 3.9
    assert judge.look(live()) == ("too-far",)
    assert reader.asked == 1
    # in the dark nobody needs the models
    assert judge.look(live(bright=70, ground=20)) == ("too-dark",)
    now[0] += 0.2
    assert judge.look(live()) == ()
    assert reader.asked == 2
    # another picture: the old verdict says nothing about it
    assert judge.look(live(size=0.75, shift=0.3)) == ("cut-off",)


def test_without_models_the_white_tells_the_framing() -> None:
    from companion.app.state.live import LiveJudge

    class Broken(FakeReader):
        def glance(self, photo: bytes) -> tuple[str, ...]:
            raise ImportError("No module named 'onnxruntime'")

    judge = LiveJudge(Broken(document(deal())))
    assert judge.look(live(size=0.16)) == ("too-far",)
    assert LiveJudge(FakeReader(document(deal()))).look(live(size=0.75, shift=0.3)) == ("cut-off",)


def test_the_live_picture_is_judged() -> None:
    from companion.app.services.pictures import warnings

    assert warnings(live()) == ()
    assert warnings(live(bright=70, ground=20)) == ("too-dark",)
    assert warnings(live(size=0.16)) == ("too-far",)
    assert warnings(live(size=0.75, shift=0.3)) == ("cut-off",)
    assert "blurred" in warnings(live(blur=9))
    assert "glare" in warnings(live(bright=255, size=0.75))
