from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from companion.cli import boards, run
from companion.formats import FormatError, numbers, solvitaire, text
from companion.game import PRESETS, PositionError
from tests.formats.test_scan import DOCUMENT
from tests.formats.test_text import GOLF_906

DEAL = text.loads(GOLF_906)


@pytest.mark.parametrize(
    ("content", "hidden"),
    [(GOLF_906, False), (solvitaire.dumps(DEAL), False), (json.dumps(DOCUMENT), True), ("golf 906\n", False)],
)
def test_files_of_every_format(tmp_path: Path, content: str, hidden: bool) -> None:
    path = tmp_path / "board"
    path.write_text(content, encoding="utf-8")
    assert boards.load_position(str(path)) == (DEAL.hidden() if hidden else DEAL)


@pytest.mark.parametrize("board", ["pysolfc:906", "#906", "pysol:906"])
def test_deal_numbers(board: str) -> None:
    assert boards.load_position(board) == DEAL


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(GOLF_906.encode())))
    assert boards.load_position("-") == DEAL


def test_rules_and_stock_count_are_passed_on(tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    path.write_text("Ablage: 6♥\n7♦ B♠\n", encoding="utf-8")
    position = boards.load_position(str(path), PRESETS["putt-putt"], stock_count=3, language="de")
    assert (position.rules, position.stock_count) == (PRESETS["putt-putt"], 3)
    assert str(position.exposed[0]) == "JS"


def test_a_number_is_no_file_name_but_a_file_is_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("#906").write_text("Foundations: 5S\n9D\n", encoding="utf-8")
    with pytest.raises(FormatError):
        boards.load_position("#906")
    with pytest.raises(FileNotFoundError):
        boards.load_position("906")


@pytest.mark.parametrize(
    "command",
    [
        ["hint", ""],
        ["solve", ""],
        ["scan", ""],
        ["check", "", ""],
        ["check", "BOARD", "--log", ""],
        ["round", "import", ""],
        ["round", "restore", "", "--store", "STORE"],
        ["study", "--deals", "1", "--state", ""],
    ],
    ids=" ".join,
)
def test_an_empty_name_is_no_folder(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board = tmp_path / "board"
    board.write_text("Foundations: 5S\n9D\n", encoding="utf-8")
    names = {"BOARD": str(board), "STORE": str(tmp_path / "rounds.db")}
    assert run([names.get(word, word) for word in command]) == 2
    assert capsys.readouterr().err == "companion: the name of a file is empty: ''\n"


def test_neither_photo_nor_board(tmp_path: Path) -> None:
    path = tmp_path / "noise"
    path.write_bytes(bytes(range(256)))
    with pytest.raises(FormatError):
        boards.load_position(str(path))
    path.write_bytes(b"9D " * boards.LARGEST_TEXT)
    with pytest.raises(FormatError, match="neither a photo nor a board"):
        boards.load_position(str(path))


@pytest.mark.parametrize(
    ("data", "photo"),
    [
        (b"\xff\xd8\xff\xe0", True),
        (b"\x89PNG\r\n\x1a\n", True),
        (b"RIFF\0\0\0\0WEBPVP8 ", True),
        (b"\0\0\0\x18ftypheic", True),
        (b"9D TS", False),
        (b"", False),
    ],
)
def test_photos_are_known_by_their_first_bytes(data: bytes, photo: bool) -> None:
    assert boards.is_photo(data) is photo


def test_playable_names_what_is_wrong() -> None:
    assert boards.playable(DEAL) is DEAL
    with pytest.raises(PositionError, match="1 card in column 1 not read; the discard is empty"):
        boards.playable(text.loads("Talon: 16\nFoundations: -\n??\n"))


def test_numbers_round_trip_through_the_command_line() -> None:
    assert boards.load_position(numbers.dumps(numbers.DealNumber(24, "pysol"))).playable


class _Scan:
    """What `companion.vision.scan_photo` returns, as far as boards are concerned."""

    def __init__(self, document: dict[str, object]) -> None:
        self._document = document

    def document(self) -> dict[str, object]:
        return self._document


def photographed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, document: dict[str, object]) -> str:
    path = tmp_path / "table.jpg"
    path.write_bytes(b"\xff\xd8\xff\xe0 not decoded here")

    def scan_photo(data: bytes, *, decks: int, jokers: int) -> _Scan:
        return _Scan(document)

    monkeypatch.setattr("companion.vision.scan_photo", scan_photo)
    return str(path)


def test_a_photo_is_scanned(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cards = [{"card": "9D", "sure": True}, {"card": "TS", "sure": False}]
    path = photographed(monkeypatch, tmp_path, DOCUMENT | {"cards": cards, "problems": []})
    assert boards.load_position(path) == DEAL.hidden()
    assert capsys.readouterr().err == "companion: not sure of TS\n"


def test_a_photo_without_a_table_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    dark = [{"code": "too-dark", "cards": [], "message": "the photo is too dark"}]
    path = photographed(monkeypatch, tmp_path, DOCUMENT | {"columns": [], "cards": [], "problems": dark})
    with pytest.raises(PositionError, match="the photo is too dark"):
        boards.load_position(path)
