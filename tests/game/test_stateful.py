"""A whole game against a second, plain telling of the rules: mutable lists and one long condition."""

from __future__ import annotations

import copy
import random
from dataclasses import dataclass

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.game import Draw, Game, IllegalMove, Play, Position, Rules, can, full_deck
from tests.game import strategies


@dataclass
class Table:
    """The cards as ranks; a named joker is its rank, an unnamed one 0."""

    rules: Rules
    columns: list[list[int]]
    discard: list[int]
    stock: list[int]
    queen_is_dead: bool = False

    def fits(self, card: int) -> bool:
        if not self.discard:
            return True
        top, rules = self.discard[-1], self.rules
        if top == 0:
            return True
        if card == 0:
            return rules.joker == "any" or any(self.fits(rank) for rank in range(1, 14))
        if self.queen_is_dead:
            return False
        if {top, card} == {1, 13}:
            return rules.wrap
        if top == 13:
            return card == 12 and (rules.wrap or rules.on_king != "nothing")
        return card in (top - 1, top + 1)

    def may_play(self, column: int, named: int | None) -> bool:
        if not any(self.columns) or not 0 <= column < len(self.columns) or not self.columns[column]:
            return False
        card = self.columns[column][-1]
        if card == 0 and self.rules.joker == "declared":
            return named is not None and self.fits(named)
        return named is None and self.fits(card)

    def may_draw(self) -> bool:
        if not any(self.columns) or not self.stock:
            return False
        if self.rules.start == "free" and not self.discard:
            return False
        stuck = not any(column and self.fits(column[-1]) for column in self.columns)
        return stuck or self.rules.draw == "at_will"

    def play(self, column: int, named: int | None) -> None:
        card = self.columns[column].pop()
        rank = card if named is None else named
        on_king = bool(self.discard) and self.discard[-1] == 13
        self.queen_is_dead = self.rules.on_king == "queen_only" and on_king and rank == 12
        self.discard.append(rank)

    def draw(self) -> None:
        self.discard.append(self.stock.pop(0))
        self.queen_is_dead = False


class Hole(RuleBasedStateMachine):
    """Moves, undo and redo on both, which must agree on what is legal and on every pile."""

    @initialize(rules=strategies.rules, seed=st.integers(0, 2**32))
    def start(self, rules: Rules, seed: int) -> None:
        deck = list(full_deck(rules))
        random.Random(seed).shuffle(deck)
        position = Position.deal(rules, deck)
        self.game = Game(position)
        self.tables = [
            Table(
                rules,
                [[card.value for card in column] for column in position.columns],
                [card.value for card in position.discard],
                [card.value for card in position.stock or ()],
            )
        ]
        self.undone: list[Table] = []

    @property
    def table(self) -> Table:
        return self.tables[-1]

    def move(self, move: Play | Draw, legal: bool) -> bool:
        assert can(self.game.position, move) == legal
        if not legal:
            with pytest.raises(IllegalMove):
                self.game.do(move)
            return False
        self.game = self.game.do(move)
        self.tables.append(copy.deepcopy(self.table))
        self.undone.clear()
        return True

    @rule(column=st.integers(-1, 10), named=st.none() | st.integers(1, 13))
    def play(self, column: int, named: int | None) -> None:
        if self.move(Play(column, named), self.table.may_play(column, named)):
            self.table.play(column, named)

    @rule(pick=st.integers(0, 2**16))
    def play_something(self, pick: int) -> None:
        options = [
            (column, named)
            for column in range(len(self.table.columns))
            for named in (None, *range(1, 14))
            if self.table.may_play(column, named)
        ]
        if options:
            self.play(*options[pick % len(options)])

    @rule()
    def draw(self) -> None:
        if self.move(Draw(), self.table.may_draw()):
            self.table.draw()

    @precondition(lambda self: len(self.tables) > 1)
    @rule()
    def undo(self) -> None:
        self.game = self.game.undo()
        self.undone.append(self.tables.pop())

    @precondition(lambda self: self.undone)
    @rule()
    def redo(self) -> None:
        self.game = self.game.redo()
        self.tables.append(self.undone.pop())

    @invariant()
    def same_piles(self) -> None:
        if not hasattr(self, "game"):
            return
        position, table = self.game.position, self.table
        assert [[card.value for card in column] for column in position.columns] == table.columns
        assert [card.value for card in position.discard] == table.discard
        assert [card.value for card in position.stock or ()] == table.stock
        left = sum(map(len, table.columns))
        assert position.strokes == (left or -len(table.stock))
        assert position.problems() == ()


TestHole = Hole.TestCase
TestHole.settings = settings(max_examples=30, stateful_step_count=50, deadline=None)
