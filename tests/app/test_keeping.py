"""The card, the check, the settings, the places: what the rest of the state does."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import companion.app.state as state_package
from companion.app.state.app import AppState, report
from companion.app.state.card import Cell
from companion.app.state.memory import FolderMemory, NoMemory
from companion.app.state.navigation import Navigation
from companion.app.state.settings import Settings, device_language, from_document, to_document
from companion.app.state.table import from_position
from companion.game import Rules
from companion.store import Store
from tests.app.fakes import deal, make_app


def test_a_hole_takes_two_taps(app: AppState) -> None:
    app.card.begin(["Anna"], Rules(), form="stroke")
    round = app.card.round
    assert round is not None
    anna = round.players[0].id
    app.card.select(Cell(anna, 1))
    app.card.enter_strokes(4)
    app.card.select(Cell(anna, 2))
    app.card.enter_strokes(-3)
    round = app.card.round
    assert round is not None
    assert round.strokes(anna)[:2] == (4, -3)
    assert round.scores(anna)[1].stock == 3  # type: ignore[union-attr]
    assert app.card.cell is None


def test_with_several_players_the_next_ones_hole_is_asked_for(app: AppState) -> None:
    app.card.begin(["Anna", "Bo"], Rules(), form="match")
    round = app.card.round
    assert round is not None
    anna, bo = (player.id for player in round.players)
    app.card.select(Cell(anna, 1))
    app.card.enter_strokes(4)
    assert app.card.cell == Cell(bo, 1)
    app.card.enter_strokes(6)
    assert app.card.cell is None
    assert app.card.next_cell() == Cell(anna, 2)


def test_a_score_entered_again_is_a_correction(app: AppState) -> None:
    app.card.begin(["Anna"], Rules(), form="stroke")
    round = app.card.round
    assert round is not None
    anna = round.players[0].id
    for strokes in (4, 5):
        app.card.select(Cell(anna, 1))
        app.card.enter_strokes(strokes)
    assert app.card.round is not None
    assert [entry.strokes for entry in app.card.round.history(anna, 1)] == [4, 5]
    app.card.select(Cell(anna, 1))
    assert app.card.take_back()
    assert app.card.round.strokes(anna)[0] is None


def test_what_the_store_refuses_is_said(app: AppState) -> None:
    assert not app.card.begin(["Anna"], Rules(), form="match")
    assert app.card.trouble is not None
    assert app.card.trouble.code == "two-players"
    app.card.begin(["Anna"], Rules(holes=1, par=5), form="stroke")
    round = app.card.round
    assert round is not None
    app.card.select(Cell(round.players[0].id, 1))
    app.card.enter_strokes(3)
    assert app.card.finish()
    app.card.select(Cell(round.players[0].id, 1))
    assert not app.card.enter_strokes(4)
    assert app.card.trouble is not None
    assert app.card.trouble.code == "needs-reason"
    assert app.card.enter_strokes(4, reason="miscounted")


def test_the_grid_game_by_points_and_by_cards(app: AppState) -> None:
    app.card.draft.set(game="grid", players=["Anna", "Bo"], joker=-2)
    app.card.begin(["Anna", "Bo"], app.card.draft.grid_rules(), form="stroke")
    round = app.card.round
    assert round is not None
    anna, bo = (player.id for player in round.players)
    app.card.select(Cell(anna, 1))
    app.card.enter_points(-4, ended=True)
    assert app.card.cell == Cell(bo, 1)
    app.card.enter_grid("7 K 5 / 7 2 Q")
    assert app.card.round is not None
    assert app.card.round.total(bo) == -2 + 5 + 10


def test_another_device_is_seen_on_the_card(store: Store) -> None:
    one, other = make_app(store), make_app(store)
    one.card.begin(["Anna"], Rules(), form="stroke")
    assert other.card.round is not None
    round = one.card.round
    assert round is not None
    one.card.select(Cell(round.players[0].id, 1))
    one.card.enter_strokes(4)
    assert other.card.round is not None
    assert other.card.round.total(round.players[0].id) == 4


def test_history_and_numbers(app: AppState) -> None:
    app.card.begin(["Anna", "Bo"], Rules(holes=2, par=10), form="match")
    round = app.card.round
    assert round is not None
    for hole in (1, 2):
        for player, strokes in zip(round.players, (3, 6), strict=True):
            app.card.cell = Cell(player.id, hole)
            app.card.enter_strokes(strokes)
    assert app.card.finish()
    assert [found.id for found in app.history.rounds] == [round.id]
    app.history.show(player=round.players[1].id)
    stats = app.history.stats()
    assert stats is not None
    assert (stats.holes, stats.average) == (2, 6.0)
    ((other, record),) = app.history.rivals()
    assert (other.name, record.won, record.lost) == ("Anna", 0, 1)


async def test_a_check_of_three_tables(app: AppState) -> None:
    position = deal()
    app.check.add(from_position(position), "typed")
    app.check.add(from_position(position), "typed")
    assert app.check.ready
    await app.check.check(Rules())
    assert app.check.verdict == "legal"
    fewer = position.columns[1:]
    from dataclasses import replace

    app.check.add(from_position(replace(position, columns=((), *fewer))), "typed")
    assert app.check.findings is None
    app.check.add(from_position(position), "typed")
    await app.check.check(Rules())
    assert app.check.verdict == "impossible"
    app.check.move(3, -1)
    assert app.check.findings is None
    app.check.remove(0)
    assert len(app.check.shots) == 3


def test_a_restart_finds_the_check_with_its_pictures(store: Store, memory: NoMemory) -> None:
    app = make_app(store, memory)
    app.check.add(from_position(deal()), "photo", b"picture")
    later = make_app(store, memory)
    assert later.check.shots[0].table.position(Rules()) == deal().hidden()
    assert later.check.photos == {1: b"picture"}
    later.check.clear()
    assert memory.load_bytes("check-1") is None


def test_settings_are_kept_at_once(store: Store, memory: NoMemory) -> None:
    app = make_app(store, memory)
    app.choose(language="sv", theme="dark", text_size=1.3, rules="putt-putt")
    later = make_app(store, memory)
    assert later.settings == app.settings
    assert later.t("Undo") == "Ångra"
    assert later.rules == Rules(wrap=True)


def test_settings_that_are_no_longer_possible_have_their_default() -> None:
    assert from_document({"theme": "pink", "text_size": 9.0, "hand": "left", "target": "many"}) == Settings(
        hand="left"
    )
    assert from_document(to_document(Settings(language="de"))) == Settings(language="de")
    assert from_document(None) == Settings()
    assert Settings(rules="no such rules").rule_set == Rules()


@pytest.mark.parametrize(
    ("locales", "language"),
    [(["sv-SE", "en"], "sv"), (["fr", "de_AT"], "de"), (["fr"], "en"), ([], "en"), (["EN-gb"], "en")],
)
def test_the_devices_language(locales: list[str], language: str) -> None:
    assert device_language(locales) == language


def test_places_and_the_way_back(memory: NoMemory) -> None:
    places = Navigation(memory)
    places.go("rounds/numbers")
    places.go("settings/rules")
    assert Navigation(memory).path == "settings/rules"
    places.back()
    assert places.path == "settings"
    places.back()
    assert places.path == "rounds/numbers"
    places.open("card")
    places.open("rounds")
    assert places.path == "rounds/numbers"
    places.open("rounds")
    assert places.path == "rounds"
    for wrong in ("../etc", "nowhere", "rounds/" + "x" * 50, "", "play//x"):
        places.go(wrong)
        assert places.path == "rounds"


def test_a_folder_keeps_documents_and_survives_damage(tmp_path: Path) -> None:
    memory = FolderMemory(tmp_path, "phone-1")
    memory.save("play", {"game": "x"})
    memory.save_bytes("scan", b"jpeg")
    again = FolderMemory(tmp_path, "phone-1")
    assert again.load("play") == {"game": "x"}
    assert again.load_bytes("scan") == b"jpeg"
    assert FolderMemory(tmp_path, "phone-2").load("play") is None
    (tmp_path / "phone-1" / "play.json").write_text("{half")
    assert again.load("play") is None
    memory.save("play", None)
    assert not (tmp_path / "phone-1" / "play.json").exists()
    with pytest.raises(ValueError, match="device"):
        FolderMemory(tmp_path, "../x")


def test_a_crash_report_names_no_path_outside_the_program() -> None:
    try:
        Rules.parse("nonsense")
    except ValueError as error:
        text = report(error, "play")
    assert "companion/game/rules.py" in text
    assert str(Path.home()) not in text
    assert "/work" not in text
    assert "play" in text.splitlines()[0]


def test_state_knows_no_flet() -> None:
    folders = [Path(state_package.__file__).parent, Path(state_package.__file__).parent.parent / "languages"]
    for path in [file for folder in folders for file in folder.glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module:
                names.append(node.module)
            assert not any(name.split(".")[0].startswith("flet") for name in names), path


def test_screens_hold_no_rules_no_store_and_no_models() -> None:
    """What a screen may know of the game are its values; what may be done is asked of the state."""
    values = {"Card", "Draw", "Play", "Rules", "PRESETS", "RANKS", "UNKNOWN", "CardError"}
    app = Path(state_package.__file__).parent.parent
    for path in [file for folder in ("views", "components") for file in (app / folder).glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in getattr(node, "names", ())]
            module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            for layer in ("store", "engine", "vision", "serve", "cli"):
                assert not module.startswith(f"companion.{layer}"), path
                assert not any(name.startswith(f"companion.{layer}") for name in names), path
            outside = {name.split(".")[0] for name in names} if isinstance(node, ast.Import) else set()
            outside.add(module.split(".")[0])
            assert not outside & {"sqlalchemy", "sqlite3", "numpy", "onnxruntime"}, path
            if module == "companion.game":
                assert set(names) <= values, path
