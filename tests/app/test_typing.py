"""Typing a table by keypad."""

from __future__ import annotations

import pytest

from companion.app.state.editor import Editor
from companion.app.state.table import DISCARD, Table
from companion.game import UNKNOWN, Card, Rules
from tests.app.fakes import deal


def type_card(editor: Editor, card: Card) -> int:
    """The taps that a card takes."""
    before = editor.table.count
    editor.press_rank(str(card)[0])
    if editor.table.count > before:
        return 1
    editor.press_suit(str(card)[1])
    return 2


@pytest.mark.parametrize("seed", range(4))
def test_a_whole_table_takes_72_taps_or_fewer(seed: int) -> None:
    position = deal(seed)
    editor = Editor(Rules(), filling=True)
    cards = [card for column in position.columns for card in column] + [position.discard[0]]
    taps = sum(type_card(editor, card) for card in cards)
    assert taps <= 72
    assert editor.full
    typed = editor.table.position(Rules())
    assert typed == position.hidden()
    assert typed.playable


def test_the_cursor_goes_down_the_columns_and_to_the_discard_last() -> None:
    editor = Editor(Rules(), filling=True)
    seen = []
    for card in [card for column in deal().columns for card in column]:
        seen.append(editor.cursor)
        type_card(editor, card)
    assert seen[:6] == [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (1, 0)]
    assert editor.cursor == DISCARD


def test_without_a_turned_card_the_discard_is_not_asked_for() -> None:
    editor = Editor(Rules(start="free"), filling=True)
    for card in [card for column in deal().columns for card in column]:
        type_card(editor, card)
    assert editor.full
    assert editor.cursor is None


def test_the_last_card_of_a_rank_needs_one_tap() -> None:
    editor = Editor(Rules(), filling=True)
    for suit in "SHD":
        type_card(editor, Card.parse("7" + suit))
    assert type_card(editor, Card.parse("7C")) == 1
    assert editor.table.at((0, 3)).card is Card.parse("7C")  # type: ignore[union-attr]


def test_a_key_says_when_its_cards_are_on_the_table() -> None:
    editor = Editor(Rules(), filling=True)
    type_card(editor, Card.parse("AS"))
    editor.press_rank("A")
    left = {key.value: key.left for key in editor.suits()}
    assert left == {"S": 0, "H": 1, "D": 1, "C": 1}
    assert {key.value: key.left for key in editor.ranks()}["A"] == 3


def test_a_card_typed_twice_is_told_and_not_refused() -> None:
    editor = Editor(Rules(), filling=True)
    type_card(editor, Card.parse("AS"))
    editor.press_rank("A")
    editor.press_suit("S")
    assert editor.table.twice == {Card.parse("AS"): ((0, 0), (0, 1))}


def test_undo_and_redo_walk_the_whole_way() -> None:
    editor = Editor(Rules(), filling=True)
    cards = [card for column in deal().columns for card in column][:12]
    tables = [editor.table]
    for card in cards:
        type_card(editor, card)
        tables.append(editor.table)
    for table in reversed(tables[:-1]):
        editor.undo()
        assert editor.table == table
    editor.undo()
    assert editor.table == Table()
    for table in tables[1:]:
        editor.redo()
        assert editor.table == table
    editor.undo()
    editor.enter(Card.parse("KS"))
    assert not editor.future


def test_the_cursor_steps_through_all_cards() -> None:
    table = Table()
    for column, name in enumerate(("9D", "TS")):
        table = table.insert((column, 0), Card.parse(name))
    editor = Editor(Rules(), table.insert(DISCARD, Card.parse("5C")))
    seen = []
    for by in (1, 1, 1, 1, -1, -1):
        editor.step(by)
        seen.append(editor.cursor)
    assert seen == [(0, 0), (1, 0), DISCARD, (0, 0), DISCARD, (1, 0)]
    typing = Editor(Rules(), filling=True)
    type_card(typing, Card.parse("AS"))
    typing.step(-1)
    assert typing.cursor == (0, 0)
    typing.step(1)
    assert typing.cursor == (0, 1)


def test_a_suit_alone_corrects_the_suit() -> None:
    editor = Editor(Rules(), Table().insert((0, 0), Card.parse("9D")))
    editor.select((0, 0))
    editor.press_suit("H")
    assert editor.table.at((0, 0)).card is Card.parse("9H")  # type: ignore[union-attr]


def test_adding_removing_and_moving_cards() -> None:
    table = Table()
    for row, name in enumerate(("9D", "TS", "5C")):
        table = table.insert((0, row), Card.parse(name))
    table = table.insert((1, 0), Card.parse("KH"))
    editor = Editor(Rules(), table)
    editor.select((0, 1))
    editor.insert()
    assert editor.cursor == (0, 2)
    assert editor.table.at((0, 2)).card is UNKNOWN  # type: ignore[union-attr]
    editor.enter(Card.parse("2H"))
    assert [str(slot.card) for slot in editor.table.columns[0]] == ["9D", "TS", "2H", "5C"]
    editor.select((0, 0))
    editor.remove()
    assert [str(slot.card) for slot in editor.table.columns[0]] == ["TS", "2H", "5C"]
    editor.select((0, 0))
    editor.pick_up()
    editor.select((1, 0))
    assert [str(slot.card) for slot in editor.table.columns[1]] == ["TS", "KH"]
    assert [str(slot.card) for slot in editor.table.columns[0]] == ["2H", "5C"]
    editor.select((1, 1))
    editor.pick_up()
    editor.select(DISCARD)
    assert editor.table.discard is not None
    assert editor.table.discard.card is Card.parse("KH")
    for _ in range(5):
        editor.undo()
    assert editor.table == table
