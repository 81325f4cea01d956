"""The whole scan with models that know the answer: contract, overlay, command line."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from companion.cli.commands import run
from companion.vision import Finds, ModelError, Models, Photo, PhotoError, Reading, Scan, models, scan_photo
from companion.vision.overlay import draw_overlay
from companion.vision.scan import ScannedCard, scan_pixels

from .tables import Noise, Scene, golf, shoot, snap

SIZE = (800, 600)


class Knowing:
    """A finder and reader that give what the simulated camera saw."""

    def __init__(self, finds: Finds, readings: list[Reading]) -> None:
        self.finds, self.readings = finds, readings

    def find(self, rgb: np.ndarray) -> Finds:
        return self.finds

    def read(self, rgb: np.ndarray, indices: object) -> list[Reading]:
        return self.readings


def simulated(seed: int = 0, state: str = "deal") -> tuple[Scene, Models]:
    rng = np.random.default_rng(seed)
    scene = golf(rng, state=state, care=0.2, below="below")
    camera = snap(rng, scene, turn=15, tilt=20, size=SIZE)
    finds, readings, _ = shoot(rng, scene, camera, Noise(point=0.01, soft=0.001))
    knowing = Knowing(finds, readings)
    return scene, Models(knowing, knowing)


def photo_file() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", SIZE, (90, 120, 90)).save(out, "JPEG")
    return out.getvalue()


@pytest.fixture
def scanned() -> tuple[Scene, Scan]:
    scene, known = simulated()
    return scene, scan_photo(photo_file(), models=known)


def test_columns_discard_and_stock(scanned: tuple[Scene, Scan]) -> None:
    scene, scan = scanned
    assert [list(column) for column in scan.columns] == scene.columns
    assert scan.discard == scene.discard
    assert scan.loose == ()
    assert scan.stock_seen
    assert scan.stock_count == 16
    assert scan.problems == ()


def test_the_document_keeps_the_contract(scanned: tuple[Scene, Scan]) -> None:
    _, scan = scanned
    document = json.loads(scan.to_json())
    assert document["schema"] == "companion.scan/1"
    assert document["image"] == {
        "width": 800,
        "height": 600,
        "turned": 0,
        "player": pytest.approx(345, abs=5),
    }
    assert set(document) == {"schema", "image", "columns", "discard", "stock", "cards", "problems", "seconds"}
    assert set(document["seconds"]) == {"load", "models", "detect", "read", "table"}
    assert len(document["cards"]) == 36
    for card in document["cards"]:
        assert np.array(card["index"]).shape == (4, 2)
        assert 0 <= card["confidence"] <= 1
        assert card["sure"]
        if card["where"] == "column":
            assert document["columns"][card["column"]][card["row"]] == card["card"]


def test_a_card_read_twice_is_unread_and_named_as_a_problem() -> None:
    scene, known = simulated()
    knowing = known.reader
    assert isinstance(knowing, Knowing)
    first, second = scene.columns[0][0], scene.columns[3][1]
    by_name = {reading.names.argmax(): reading for reading in knowing.readings}
    from companion.vision.types import NAMES

    for k, reading in enumerate(knowing.readings):
        if NAMES[reading.names.argmax()] == second:
            knowing.readings[k] = by_name[NAMES.index(first)]
    scan = scan_photo(photo_file(), models=known)
    shown = [name for column in scan.columns for name in column]
    assert shown.count(first) == 1
    assert "??" in shown
    assert [problem.code for problem in scan.problems] == ["unread-card"]
    assert not any(card.sure for card in scan.cards if card.card == first)


def test_nothing_found_says_no_cards() -> None:
    empty = Knowing(Finds(), [])
    scan = scan_photo(photo_file(), models=Models(empty, empty))
    assert (scan.columns, scan.discard, scan.cards) == ((), None, ())
    assert [problem.code for problem in scan.problems] == ["no-cards"]


def test_a_halved_photo_keeps_the_pixels_of_the_whole() -> None:
    _, known = simulated()
    pixels = np.full((600, 800, 3), 90, np.uint8)
    whole = scan_pixels(Photo(pixels, 800, 600), models=known)
    halved = scan_pixels(Photo(pixels, 1600, 1200, scale=2.0), models=known)
    assert halved.width == 1600
    for a, b in zip(whole.cards, halved.cards, strict=True):
        assert np.array(a.index) * 2 == pytest.approx(np.array(b.index))


def test_overlay_marks_unsure_cards_by_colour(scanned: tuple[Scene, Scan]) -> None:
    _, scan = scanned
    photo = Photo(np.full((600, 800, 3), 90, np.uint8), 800, 600)
    drawn = np.asarray(draw_overlay(photo, scan))
    assert drawn.shape == (600, 800, 3)
    assert (drawn == (255, 255, 255)).all(2).any()
    amber = (drawn == (255, 191, 0)).all(2)
    assert not amber.any()
    from dataclasses import replace

    unsure = replace(scan, cards=tuple(replace(card, sure=False) for card in scan.cards))
    assert (np.asarray(draw_overlay(photo, unsure)) == (255, 191, 0)).all(2).sum() > 36 * 50


def test_names_in_narrow_columns_do_not_hide_each_other() -> None:
    def card(row: int) -> ScannedCard:
        y = 300 + 24 * row  # a step of 24 pixels, indices 50 high
        index = ((400, y), (430, y), (430, y + 50), (400, y + 50))
        outline = ((390, y - 5), (590, y - 5), (590, y + 275), (390, y + 275))
        return ScannedCard("8S", 1.0, True, "column", 0, row, index, outline)

    scan = Scan(2000, 1500, 0, 0.0, tuple(map(card, range(4))), False, None, (), {})
    drawn = np.asarray(draw_overlay(Photo(np.full((1500, 2000, 3), 90, np.uint8), 2000, 1500), scan))
    white = (drawn == 255).all(2)
    # four names, the last in the middle of its card: between the plates a row without any white
    rows = white[280:400, 430:560].any(1).astype(int)
    assert (np.diff(np.append(0, rows)) == 1).sum() == 3


def test_overlay_of_a_large_photo_is_bounded(scanned: tuple[Scene, Scan]) -> None:
    from dataclasses import replace

    photo = Photo(np.full((60, 5000, 3), 90, np.uint8), 5000, 60)
    assert max(draw_overlay(photo, replace(scanned[1], width=5000, height=60)).size) == 2400


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    _, known = simulated()
    monkeypatch.setattr(models, "load_models", lambda: known)
    monkeypatch.setattr("companion.vision.scan.load_models", lambda: known)
    path = tmp_path / "table.jpg"
    path.write_bytes(photo_file())
    return path


def test_command_prints_one_document(installed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    overlay = installed.parent / "out.png"
    assert run(["scan", str(installed), "--json", "--overlay", str(overlay)]) == 0
    out = capsys.readouterr()
    assert json.loads(out.out)["schema"] == "companion.scan/1"
    assert out.err == ""
    assert Image.open(overlay).size == SIZE


def test_command_for_people(installed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["scan", str(installed)]) == 0
    out = capsys.readouterr().out
    assert "Discard" in out
    assert "16" in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["text.jpg"], "no photo in JPEG"),
        (["none.jpg"], "none.jpg"),
        (["table.jpg", "--overlay", "o.gif"], "o.gif"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(
    installed: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    says: str,
) -> None:
    monkeypatch.chdir(installed.parent)
    Path("text.jpg").write_text("no picture")
    assert run(["scan", *arguments]) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert len(out.err.splitlines()) == 1
    assert says in out.err


def test_missing_weights_exit_1(
    installed: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> Models:
        raise ModelError("the trained weights are not installed")

    monkeypatch.setattr("companion.vision.scan.load_models", missing)
    assert run(["scan", str(installed)]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_photo_errors_come_through() -> None:
    with pytest.raises(PhotoError):
        scan_photo(b"nothing", models=simulated()[1])
