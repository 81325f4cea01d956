from __future__ import annotations

import contextlib
import io
import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from companion.formats import FormatError, solvitaire, text
from companion.game import Position, Rules
from tests.formats.test_text import GOLF_906
from tests.game import strategies

BOARD = """{
  "tableau piles": [
    ["9D", "10S"],
    ["3s", "1D"],
    []
  ],
  "hole": "13H",
  "stock": ["2C", "jh"]
}
"""


def test_reads_numbers_letters_and_cases() -> None:
    position = solvitaire.loads(BOARD)
    assert text.dumps(position) == "Talon: JH 2C\nFoundations: KH\n9D TS\n3S AD\n:\n"


def test_the_next_card_of_the_stock_is_last() -> None:
    written = json.loads(solvitaire.dumps(text.loads(GOLF_906)))
    assert written["stock"][-1] == "6D"
    assert written["hole"] == "5S"
    assert written["tableau piles"][0] == ["9D", "10S", "5C", "7D", "7H"]


@given(strategies.positions())
def test_round_trip(position: Position) -> None:
    piles = (*position.columns, position.discard, position.stock or ())
    assume(all(card.rank for pile in piles for card in pile))
    assume(not position.drawn)
    file = io.StringIO()
    solvitaire.dump(position, file)
    again = solvitaire.load(
        io.BytesIO(file.getvalue().encode()), position.rules, stock_count=position.stock_count
    )
    assert again == position


ERRORS = [
    (BOARD.replace("3s", "3x"), "line 4: not a card: '3x'"),
    (BOARD.replace('"1D"', "7"), "line 4: not a card: 7"),
    (BOARD.replace('"hole"', '"cells"'), "line 7: golf has no such pile: 'cells'"),
    (BOARD.replace("[]", "[}"), "line 5: not JSON, expecting value: '}\\n  ],\\n  \"ho'"),
    ("[1]", "not a JSON object: '[1]'"),
    ("{}", "no 'tableau piles' in: '{}'"),
    ('{"tableau piles": 3}', "the tableau piles are a list of lists: '3'"),
    ('{"tableau piles": ["9D"]}', "line 1: a pile is a list of cards: '9D'"),
    ("[" * 100_000, "not JSON"),
]


@pytest.mark.parametrize(("board", "message"), ERRORS)
def test_errors_say_line_and_token(board: str, message: str) -> None:
    with pytest.raises(FormatError) as raised:
        solvitaire.loads(board)
    assert str(raised.value).startswith(message)


@pytest.mark.parametrize("card", ["J1", "??"])
def test_cards_it_cannot_name(card: str) -> None:
    position = text.loads(f"Talon: 3\nFoundations: 5S\n{card}\n", Rules(jokers=2))
    with pytest.raises(FormatError) as raised:
        solvitaire.dumps(position)
    assert str(raised.value).endswith(repr(card))


@given(
    st.recursive(st.none() | st.integers() | st.text(max_size=4), lambda inner: st.lists(inner, max_size=4))
)
def test_any_json_is_read_or_refused(pile: object) -> None:
    with contextlib.suppress(FormatError):
        solvitaire.loads(json.dumps({"tableau piles": pile, "stock": []})).problems()
