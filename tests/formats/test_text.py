from __future__ import annotations

import codecs
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.formats import FormatError, text
from companion.game import PRESETS, UNKNOWN, Position, Rules
from tests.game import strategies

GOLF_906 = """\
Talon: 6D KC KS AH AC KD 4S 8D 8H JD TC AD QH 4C JS 2C
Foundations: 5S
9D TS 5C 7D 7H
3S 6S 5D QC 7S
9S 6C 3H JC 9H
QD 7C 5H 3C QS
AS KH 2H TH TD
4H 8C 6H 2D 2S
9C 4D 8S JH 3D
"""
BODY = GOLF_906.split("\n", 1)[1]


def test_reads_what_pysolfc_writes() -> None:
    position = text.loads(GOLF_906)
    assert position.problems() == ()
    assert len(position.columns) == 7
    assert [str(card) for card in position.exposed if card] == ["7H", "7S", "9H", "QS", "TD", "2S", "3D"]
    assert str(position.top) == "5S"
    assert position.stock is not None
    assert str(position.stock[0]) == "6D"
    assert text.dumps(position) == GOLF_906


@pytest.mark.parametrize(
    "written",
    [
        GOLF_906.replace("T", "10").replace("10alon", "Talon"),
        GOLF_906.lower(),
        GOLF_906.replace("\n", "\r\n"),
        GOLF_906.replace("\n", "\r"),
        "\ufeff" + GOLF_906,
        GOLF_906.replace("\n9D", "\n: 9D").replace("\n3S", "\n:3S"),
        GOLF_906.replace("9D TS", "<9D> <TS>").replace("6D KC", "<6D> <KC>"),
        GOLF_906.replace(" ", "  ").replace("\n", " \n\n"),
        "# deal 906\n" + GOLF_906.replace(" ", ", ").replace(":,", ":"),
        GOLF_906.replace("S", "♠").replace("H", "♥"),
        GOLF_906.replace("Foundations", "Discard").replace("Talon", "Stock"),
    ],
)
def test_reads_other_spellings(written: str) -> None:
    assert text.loads(written) == text.loads(GOLF_906)


@pytest.mark.parametrize(
    "data",
    [
        codecs.BOM_UTF8 + GOLF_906.encode(),
        GOLF_906.replace("\n", "\r\n").encode("utf-16"),
        GOLF_906.encode(),
    ],
)
def test_reads_bytes(data: bytes) -> None:
    assert text.load(io.BytesIO(data)) == text.loads(GOLF_906)


def test_without_the_first_line_the_stock_is_face_down() -> None:
    assert text.loads(BODY) == text.loads(GOLF_906).hidden()
    assert text.loads("Talon: 16\n" + BODY) == text.loads(BODY)
    assert text.loads("Talon:" + " ??" * 16 + "\n" + BODY) == text.loads(BODY)
    assert text.loads(BODY, stock_count=16) == text.loads(BODY)


def test_free_start_needs_neither_line() -> None:
    rules = PRESETS["free-start"]
    columns = BODY.split("\n", 1)[1]
    assert text.loads(columns, rules) == text.loads("Foundations: -\n" + columns, rules)
    assert text.loads(columns, rules).stock_count == 17


def test_half_played_boards_must_say_the_stock() -> None:
    board = "Foundations: 5S\n9D TS\n3S\n"
    with pytest.raises(FormatError, match="Talon: 12"):
        text.loads(board)
    assert text.loads(board, stock_count=4).stock_count == 4
    assert text.loads("Talon: 10\n" + board).stock_count == 10
    assert text.loads("Talon: -\n" + board).stock == ()


def test_a_whole_discard_tells_the_stock() -> None:
    lines = text.loads(GOLF_906)
    played = Position(lines.rules, ((), *lines.columns[1:]), (*lines.discard, *lines.columns[0]), None, 16)
    board = text.dumps(played).split("\n", 1)[1]
    assert text.loads(board).stock_count == 16


def test_localised_letters() -> None:
    board = "Ablage: 6♥\n2♠ 7♦\n3♠ B♠\n2♦ D♥ 8♣\nK♥\n"
    position = text.loads(board, stock_count=16, language="de")
    assert [str(card) for card in position.exposed if card] == ["7D", "JS", "8C", "KH"]


ERRORS = [
    ("Foundations: 5S\n9D TX\n", "line 2: not a card: 'TX'"),
    ("9D\n\n\n 3S 11D\n", "line 4: not a card: '11D'"),
    ("Talon: 6D 1\nFoundations: 5S\n9D\n", "line 1: not a card: '1'"),
    ("Foundations: 5S\nFoundations: 6S\n9D\n", "line 2: a second line of this kind: 'Foundations: 6S'"),
    ("Freecells: 5S\n9D\n", "line 1: golf has no such pile: 'Freecells'"),
    ("Foundations: H-0 C-2\n9D\n", "line 1: not a card: 'H-0'"),
    ("hello world\n", "line 1: not a card: 'hello'"),
    ("", "no columns (a line of ':' is an empty one): ''"),
    ("Talon: 16\n", "no columns (a line of ':' is an empty one): 'Talon: 16'"),
]


@pytest.mark.parametrize(("board", "message"), ERRORS)
def test_errors_say_line_and_token(board: str, message: str) -> None:
    with pytest.raises(FormatError) as raised:
        text.loads(board)
    assert str(raised.value) == message


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(FormatError, match=r"line 2: not a text: "):
        text.load(io.BytesIO(b"9D\n\xff\xfe\x00"))
    with pytest.raises(FormatError, match=r"not a text"):
        text.load(io.BytesIO(b"9D\n\0\0"))


@given(strategies.positions())
def test_round_trip(position: Position) -> None:
    assert text.loads(text.dumps(position), position.rules) == position
    file = io.StringIO()
    text.dump(position, file)
    assert text.load(io.StringIO(file.getvalue()), position.rules) == position


@given(strategies.positions(), st.data())
def test_round_trip_with_unread_cards(position: Position, data: st.DataObject) -> None:
    column = data.draw(st.integers(0, len(position.columns) - 1))
    columns = [*position.columns]
    columns[column] = (UNKNOWN, *columns[column][1:])
    scanned = Position(position.rules, tuple(columns), position.discard[-1:], None, position.stock_count)
    assert text.loads(text.dumps(scanned), position.rules) == scanned


@given(st.text(alphabet="A23456789TJQK10SHDC?<>:- \n\r\tTalonFoundations★=♥", max_size=120))
def test_any_text_is_read_or_refused(board: str) -> None:
    try:
        position = text.loads(board, Rules())
    except FormatError:
        return
    position.problems()
