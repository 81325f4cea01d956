"""Every screen drawn by a real Flet session with a fake client: no browser, no window."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

pytest.importorskip("flet")
import flet as ft
from flet.components.public_utils import unwrap_component

from companion.app.state.app import AppState
from companion.app.state.card import Cell
from companion.app.state.table import from_position
from companion.game import Card, Rules
from tests.app.fakes import FakeReader, deal, document, photo
from tests.app.screen import DESK, PHONE, Open


def true_card(place: tuple[int, int]) -> Card:
    return deal().columns[place[0]][place[1]]


async def everything(app: AppState) -> None:
    """A scan, a check, a game with a hint, rounds of both games."""
    assert await app.scan.read(photo(), Rules())
    app.check.add(from_position(deal()), "photo", photo(400, 300))
    app.check.add(from_position(deal()), "typed")
    app.card.begin(["Anna", "Bo"], app.card.draft.grid_rules(), form="stroke")
    for number in range(2):
        app.card.begin(["Anna", "Bo"], Rules(holes=2, par=10), form="match")
        round = app.card.round
        assert round is not None
        for hole in (1, 2):
            for player, strokes in zip(round.players, (3 + number, 6), strict=True):
                app.card.cell = Cell(player.id, hole)
                app.card.enter_strokes(strokes)
        app.card.finish()
    app.card.begin(["Anna"], Rules(holes=18, par=90), form="stroke")
    app.play.start(deal())


PLACES = [
    "scan",
    "scan/table",
    "play",
    "play/games",
    "check",
    "card",
    "card/new",
    "rounds",
    "rounds/numbers",
    "rounds/data",
    "settings",
    "settings/rules",
]


@pytest.mark.parametrize("size", [PHONE, (800, 1180), DESK], ids=["phone", "tablet", "desk"])
async def test_every_screen_is_drawn(open_app: Open, size: tuple[int, int]) -> None:
    screen = await open_app(size, everything)
    for language in ("en", "de", "sv") if size == PHONE else ("sv",):
        screen.app.choose(language=language)
        for place in PLACES:
            screen.app.navigation.go(place)
            await screen.driver.settle()
            assert screen.has("title"), (place, screen.texts())
            assert not screen.has("crash-go-on"), (place, screen.texts())
            ids = Counter(part.identifier for part in screen.driver.all(ft.Semantics) if part.identifier)
            assert not [one for one, count in ids.items() if count > 1], place
            # Flutter shows an error in the place of what is placed but lies in no stack.
            stacks = screen.driver.all(ft.Stack)
            stacked = {id(unwrap_component(part)) for stack in stacks for part in stack.controls}
            for part in screen.driver.all(ft.LayoutControl):
                placed = any(getattr(part, side) is not None for side in ("left", "top", "right", "bottom"))
                assert not placed or id(part) in stacked, (place, part)


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
async def test_every_empty_screen_is_drawn(open_app: Open, size: tuple[int, int]) -> None:
    screen = await open_app(size, hand="left", theme="dark", text_size=1.3)
    for place in PLACES:
        screen.app.navigation.go(place)
        await screen.driver.settle()
        assert screen.has("title"), place
        assert not screen.has("crash-go-on"), place


def half_drawn(app: AppState) -> None:
    app.play.tap_stock()
    app.play.press_drawn_rank("K")


def half_typed(app: AppState) -> None:
    app.play.type_table(Rules())
    assert app.play.editor is not None
    app.play.editor.press_rank("9")
    app.play.editor.press_suit("D")


def half_corrected(app: AppState) -> None:
    assert app.scan.editor is not None
    app.scan.editor.select((0, 3))


def half_gridded(app: AppState) -> None:
    app.card.begin(["Anna", "Bo"], app.card.draft.grid_rules(), form="stroke")
    assert app.card.round is not None
    app.card.select(Cell(app.card.round.players[1].id, 1))
    app.card.grid.choose("cards")
    app.card.grid.press("K", app.card.round.rules)  # type: ignore[arg-type]


def half_begun(app: AppState) -> None:
    app.card.draft.set(game="grid", players=["Åsa", "Bo", "Cleo"], cards=9)


def filtered(app: AppState) -> None:
    app.history.show(player=app.history.players[1].id, hinted="only")


async def advised(app: AppState) -> None:
    await app.play.ask("<=4")


def prepared(app: AppState) -> None:
    app.play_hole()


async def checked(app: AppState) -> None:
    await app.check.check(Rules())


def put_away(app: AppState) -> None:
    app.deal_table()
    app.play.close()


def by_other_rules(app: AppState) -> None:
    app.choose_preset("queen-on-king")
    app.check.go_by("settings")


def for_the_check(app: AppState) -> None:
    app.scan_for("check")


@pytest.mark.parametrize(
    ("route", "change"),
    [
        *((place, None) for place in PLACES),
        ("play", half_drawn),
        ("play", half_typed),
        ("play", advised),
        ("play", prepared),
        ("scan", half_corrected),
        ("scan", for_the_check),
        ("play/games", put_away),
        ("check", checked),
        ("check", by_other_rules),
        ("card", half_gridded),
        ("card/new", half_begun),
        ("rounds/numbers", filtered),
    ],
)
async def test_a_restart_shows_every_screen_as_it_was(
    open_app: Open, route: str, change: Callable[[AppState], Any] | None
) -> None:
    before = await open_app(PHONE)
    before.app.choose(language="en")
    await everything(before.app)
    before.app.navigation.go(route)
    if change is not None and asyncio.iscoroutine(found := change(before.app)):
        await found
    await before.driver.settle()
    seen = before.texts()
    again = await open_app(PHONE)
    assert again.app is not before.app
    assert again.texts() == seen
    assert len(seen) > 20


async def test_what_is_tapped_is_48_pixels_and_named(open_app: Open) -> None:
    screen = await open_app(PHONE, everything)
    for place in PLACES:
        screen.app.navigation.go(place)
        await screen.driver.settle()
        for part in screen.driver.all(ft.Semantics):
            if part.button and part.on_tap and not (part.identifier or "").startswith(("card-", "slot-")):
                assert part.label, (place, part.identifier)
                box = part.content
                assert box.height is None or box.height >= 48, (place, part.identifier)
                assert box.width is None or box.width >= 48, (place, part.identifier)
        for key in screen.driver.all(ft.IconButton):
            assert key.tooltip, place
            assert (key.width, key.height) == (48, 48)


async def test_playing_by_taps(open_app: Open) -> None:
    screen = await open_app(PHONE, lambda app: app.play.start(deal()))
    position = screen.app.play.position
    for column in range(7):
        await screen.tap(f"column-{column}")
    said = screen.texts()
    assert "doesn't go on" in said or screen.app.play.can_undo
    await screen.tap("stock")
    await screen.tap("undo")
    assert screen.app.play.position.stock_count >= position.stock_count - 1


async def test_a_drawn_card_is_asked_for(open_app: Open) -> None:
    screen = await open_app(PHONE, lambda app: app.play.start(deal().hidden()))
    await screen.tap("stock")
    assert "Which card came?" in screen.texts()
    card = screen.app.play.drawable[0]
    await screen.tap(f"rank-{str(card)[0]}")
    if screen.app.play.drawing:
        await screen.tap(f"suit-{str(card)[1]}")
    assert screen.app.play.position.top is card
    assert "Which card came?" not in screen.texts()


async def test_a_hint_after_a_draw_that_was_given_up(open_app: Open) -> None:
    screen = await open_app(PHONE, lambda app: app.play.start(deal().hidden()))
    await screen.tap("stock")
    assert screen.find("hint").content.disabled
    await screen.tap("draw-cancel")
    await screen.tap("hint")
    await screen.until(lambda: screen.app.play.hint is not None)
    assert screen.has("hint-do")


async def test_a_hint_shows_and_is_played(open_app: Open) -> None:
    screen = await open_app(PHONE, lambda app: app.play.start(deal()))
    await screen.tap("hint")
    await screen.until(lambda: screen.app.play.hint is not None)
    assert screen.has("hint-panel")
    assert "strokes expected" in screen.texts()
    await screen.tap("hint-do")
    assert not screen.has("hint-panel")
    assert screen.app.play.can_undo


async def test_typing_a_table_and_playing_it(open_app: Open) -> None:
    """The last cards of it; `test_typing` types a whole one."""
    cards = [card for column in deal().columns for card in column]

    def almost(app: AppState) -> None:
        app.play.type_table(Rules())
        assert app.play.editor is not None
        for card in cards[:-3]:
            app.play.editor.enter(card)

    screen = await open_app(PHONE, almost)
    for card in [*cards[-3:], deal().discard[0]]:
        editor = screen.app.play.editor
        assert editor is not None
        before = editor.table.count
        await screen.tap(f"rank-{str(card)[0]}")
        if editor.table.count == before:
            await screen.tap(f"suit-{str(card)[1]}")
    await screen.tap("start")
    assert screen.app.play.position == deal().hidden()
    assert screen.has("column-0")


async def test_correcting_a_scan(open_app: Open) -> None:
    wrong = {(0, 3): "KH", (3, 2): "??"}
    reader = FakeReader(document(deal(), wrong, list(wrong)))
    screen = await open_app(PHONE, lambda app: app.scan.read(photo(), Rules()), reader, route="/scan")
    editor = screen.app.scan.editor
    assert editor is not None
    assert screen.has("card-0-3")
    while editor.cursor is not None:
        slot = editor.table.at(editor.cursor)
        assert slot is not None
        await screen.tap(f"option-{slot.alternatives[0]}")
    assert "all sure" in screen.texts()
    await screen.tap("undo")
    assert editor.cursor is not None
    await screen.tap("redo")
    await screen.tap("use-scan")
    assert screen.app.play.position == deal().hidden()


@pytest.mark.parametrize("rules", [Rules(), Rules(jokers=2)], ids=["without", "with"])
async def test_a_joker_can_be_entered_where_the_rules_have_them(open_app: Open, rules: Rules) -> None:
    screen = await open_app(PHONE, lambda app: app.scan.read(photo(), rules), route="/scan")
    await screen.tap("card-0-3")
    assert screen.has("rank-K")
    assert screen.has("key-joker") == (rules.jokers > 0)


@pytest.mark.parametrize("hand", ["right", "left"])
async def test_what_is_tapped_most_lies_at_the_thumb(open_app: Open, hand: str) -> None:
    """For the left hand a row begins with it; what goes back and forth keeps its order."""

    def row(*ids: str) -> list[str]:
        (found,) = [
            names
            for row in screen.driver.all(ft.Row)
            if set(ids) <= set(names := [getattr(part, "identifier", None) for part in row.controls])
        ]
        return [name for name in found if name in ids]

    async def prepare(app: AppState) -> None:
        await app.scan.read(photo(), Rules())
        app.play.start(deal())

    screen = await open_app(PHONE, prepare, route="/scan", hand=hand)
    rows = [row("scan-again", "scan-discard", "use-scan")]
    await screen.tap("card-0-3")
    rows.append(row("card-before", "card-after", "done"))
    await screen.tap("done")
    await screen.tap("nav-play")
    rows.append(row("more", "undo", "redo", "hint"))
    screen.app.type_table()
    await screen.driver.settle()
    rows.append(row("card-before", "card-after", "start"))
    right = [
        ["scan-again", "scan-discard", "use-scan"],
        ["card-before", "card-after", "done"],
        ["more", "undo", "redo", "hint"],
        ["card-before", "card-after", "start"],
    ]
    left = [
        ["use-scan", "scan-discard", "scan-again"],
        ["done", "card-before", "card-after"],
        ["hint", "undo", "redo", "more"],
        ["start", "card-before", "card-after"],
    ]
    assert rows == (right if hand == "right" else left)


@pytest.mark.parametrize("noticed", [True, False], ids=["unsure", "surely wrong"])
async def test_three_wrong_cards_are_right_within_ten_seconds_of_taps(open_app: Open, noticed: bool) -> None:
    """A second a tap is slow: one tap a card that was doubted, three for one that was taken for sure."""
    wrong = {(0, 3): "KH", (3, 2): "2C", (6, 0): "9D"}
    reader = FakeReader(document(deal(), wrong, list(wrong) if noticed else ()))
    screen = await open_app(PHONE, reader=reader, language="en")
    await screen.app.scan.read(photo(), Rules())
    screen.app.navigation.go("scan")
    await screen.driver.settle()
    editor = screen.app.scan.editor
    assert editor is not None
    taps = 0

    async def tap(id: str) -> None:
        nonlocal taps
        taps += 1
        await screen.tap(id)

    for _ in wrong:
        if noticed:
            assert editor.cursor is not None
            await tap(f"option-{deal().columns[editor.cursor[0]][editor.cursor[1]]}")
            continue
        place = next(p for p, slot in editor.table.places() if p[0] >= 0 and slot.card != true_card(p))
        await tap(f"card-{place[0]}-{place[1]}")
        await tap(f"rank-{str(true_card(place))[0]}")
        await tap(f"suit-{str(true_card(place))[1]}")
    assert editor.table.position(Rules()) == deal().hidden()
    assert taps == (3 if noticed else 9)
    assert screen.has("use-scan")


async def test_a_photo_on_its_way_is_shown_and_can_be_given_up(open_app: Open) -> None:
    screen = await open_app(PHONE, route="/scan", language="en")
    screen.app.scan.arrive(0.42)
    await screen.driver.settle()
    assert "42 %" in screen.texts()
    await screen.tap("scan-cancel")
    assert screen.has("scan-file")
    assert screen.app.scan.arriving is None


async def test_a_tap_on_the_photo_chooses_the_nearest_card(open_app: Open) -> None:
    screen = await open_app(DESK, lambda app: app.scan.read(photo(), Rules()), route="/scan")
    touch = screen.driver.all(ft.GestureDetector)[0]
    editor = screen.app.scan.editor
    assert editor is not None
    scale = touch.content.controls[0].content.width / 1600
    left, top = touch.content.controls[0].left, touch.content.controls[0].top
    x, y = (60 + 3 * 200 + 60) * scale + left, (40 + 2 * 110 + 50) * scale + top
    at = {"k": "touch", "l": {"x": x, "y": y}, "g": {"x": x, "y": y}}
    await screen.driver.fire(touch, "tap_down", at)
    assert screen.app.scan.editor is not None
    assert screen.app.scan.editor.cursor == (3, 2)


async def test_what_wants_a_look_is_drawn_above_its_neighbours(open_app: Open) -> None:
    doubted = [(0, 1), (3, 2)]
    reader = FakeReader(document(deal(), {}, doubted))
    screen = await open_app(PHONE, lambda app: app.scan.read(photo(), Rules()), reader, route="/scan")
    editor = screen.app.scan.editor
    assert editor is not None
    drawn = [part.identifier for part in screen.driver.all(ft.Semantics) if part.label and part.identifier]
    labels = [id for id in drawn if id.startswith("card-") and id[5].isdigit()]
    assert len(labels) == 35
    last = editor.cursor
    assert last is not None
    assert labels[-1] == f"card-{last[0]}-{last[1]}"
    assert set(labels[-2:]) == {"card-0-1", "card-3-2"}


async def test_a_hole_by_two_taps(open_app: Open) -> None:
    screen = await open_app(
        PHONE, lambda app: app.card.begin(["Anna"], Rules(), form="stroke"), route="/card"
    )
    await screen.tap("cell-0-1")
    await screen.tap("strokes-4")
    round = screen.app.card.round
    assert round is not None
    assert round.strokes(round.players[0].id)[0] == 4
    assert "hole 1" in str(screen.find("cell-0-1").label).lower()
    assert "1 under par" in str(screen.find("cell-0-1").label)


async def test_a_new_round_from_the_form(open_app: Open) -> None:
    screen = await open_app(PHONE, route="/card/new", player="Åsa")
    await screen.tap("holes-18")
    await screen.tap("begin-round")
    round = screen.app.card.round
    assert round is not None
    assert (round.holes, round.par, round.players[0].name) == (18, 90, "Åsa")
    assert screen.app.navigation.path == "card"


async def test_the_language_changes_at_once(open_app: Open) -> None:
    screen = await open_app(PHONE, route="/settings", language="en")
    await screen.tap("language-sv")
    assert "Inställningar" in screen.texts()
    await screen.tap("language-de")
    assert "Einstellungen" in screen.texts()
    await screen.tap("back")
    assert screen.app.navigation.screen == "play"


async def test_rules_are_changed_field_by_field(open_app: Open) -> None:
    screen = await open_app(PHONE, route="/settings/rules")
    await screen.tap("preset-putt-putt")
    await screen.tap("draw-when_stuck")
    assert screen.app.rules == Rules(wrap=True, draw="when_stuck")
    await screen.tap("jokers-2")
    await screen.tap("joker-any")
    assert screen.app.rules == Rules(wrap=True, draw="when_stuck", jokers=2, joker="any")
    await screen.tap("preset-strict")
    assert screen.app.rules == replace(Rules(), holes=9)


async def test_a_check_says_its_verdict(open_app: Open) -> None:
    def prepare(app: AppState) -> None:
        app.check.add(from_position(deal()), "typed")
        app.check.add(from_position(deal()), "typed")

    screen = await open_app(PHONE, prepare, route="/check")
    await screen.tap("check-run")
    await screen.until(lambda: screen.app.check.findings is not None)
    assert "Played by the rules" in screen.texts()


async def test_a_crash_shows_the_report_and_the_way_on(open_app: Open) -> None:
    screen = await open_app(PHONE, lambda app: app.play.start(deal()))

    def broken(column: int) -> None:
        raise ZeroDivisionError("a deliberate crash")

    screen.app.play.tap_column = broken  # type: ignore[method-assign]
    screen.app.play.changed()
    await screen.driver.settle()
    await screen.tap("column-0")
    assert screen.has("crash-go-on")
    assert "ZeroDivisionError" in screen.texts()
    await screen.tap("crash-go-on")
    assert screen.has("title")


async def test_a_screen_that_can_not_be_drawn_shows_the_report(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = await open_app(PHONE)
    monkeypatch.setattr(type(screen.app.play), "editor", property(lambda self: 1 / 0), raising=False)
    screen.app.changed()
    await screen.driver.settle()
    assert "ZeroDivisionError" in screen.texts()


async def test_the_frame_follows_the_window(open_app: Open) -> None:
    screen = await open_app(PHONE)
    assert not screen.has("nav-settings")
    screen.app.resize(1280, 800)
    await screen.driver.settle()
    assert screen.has("nav-settings")


async def test_a_tap_draws_only_the_columns_it_is_about(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.app.components import edit_table

    screen = await open_app(PHONE, lambda app: app.play.start(deal()), language="en")
    screen.app.play.edit_table()
    screen.app.navigation.go("play")
    await screen.driver.settle()
    await screen.tap("slot-2-1")
    drawn: list[Card] = []
    face = edit_table.card_face

    def counted(look: Any, card: Card, *values: Any, **named: Any) -> ft.Container:
        drawn.append(card)
        return face(look, card, *values, **named)

    monkeypatch.setattr(edit_table, "card_face", counted)
    await screen.tap("slot-5-4")
    columns = deal().columns
    assert set(columns[5]) <= set(drawn) <= {*columns[2], *columns[5], *deal().discard}


async def test_a_tap_answers_in_time(open_app: Open) -> None:
    """100 ms of this process's own time, so that a busy machine doesn't fail."""
    import time

    screen = await open_app(PHONE, lambda app: app.play.start(deal().hidden()))
    await screen.tap("stock")
    took = []
    for _ in range(3):
        started = time.process_time()
        await screen.tap("stock")
        took.append(time.process_time() - started)
    assert min(took) < 0.1  # a busy machine counts some of what others do


async def test_an_answer_of_a_camera_that_was_closed_is_let_pass(open_app: Open) -> None:
    screen = await open_app(PHONE, route="/scan", language="en")
    screen.driver.session.handle_invoke_method_results(99_999, "gone", b"photo", None)
    await screen.tap("scan-type")
    assert screen.has("rank-A")


async def test_the_camera_guides_and_its_photo_is_read(open_app: Open) -> None:
    screen = await open_app(PHONE, route="/scan/camera")
    await screen.until(lambda: screen.has("shutter"))
    await screen.until(lambda: any(name == "take_picture" for name, _ in screen.driver.conn.calls))
    assert screen.has("guide")
    assert not screen.has("camera-failed")
    await screen.tap("shutter")
    await screen.until(lambda: screen.app.scan.editor is not None, seconds=20)
    assert screen.app.navigation.path == "scan"
    assert screen.has("card-0-0")


@pytest.mark.parametrize("language", ["en", "de", "sv"])
async def test_a_run_of_three_cards_fits_beside_each_other(open_app: Open, language: str) -> None:
    """In German, with the largest texts, the third card was cut."""
    from companion.app.app import look_of
    from companion.app.components.hint_panel import card_size

    cards = [Card.parse(name) for name in ("9C", "TH", "9S")]
    screen = await open_app(PHONE, language=language, text_size=1.3)
    look = look_of(screen.app, False)
    size = card_size(look, cards)
    word = 0.5 * look.size(18) * len(look.t("Play"))
    used = sum(14 + 0.68 * look.size(size) * len(look.card(card)) for card in cards) + 2 * 21
    assert 28 + word + used + 48 + 16 <= look.inside + 1
    assert size >= 12
    assert card_size(look, cards * 3) == 12.0
    screen.app.choose(text_size=1.0)
    assert card_size(look_of(screen.app, False), cards) == 17.0


async def test_a_practice_game_with_hints_has_one_mark_on_the_table(open_app: Open) -> None:
    """Two were wider than a phone, and the second was cut."""
    screen = await open_app(PHONE, lambda app: app.play.deal(Rules()), route="/play", language="en")
    assert "practice" in screen.texts()
    await screen.tap("hint")
    await screen.until(lambda: screen.app.play.hinted)
    assert "practice" in screen.texts().split("\n")
    assert "with hints" not in screen.texts().split("\n")
    assert any(part.label == "with hints" for part in screen.driver.all(ft.Semantics))
