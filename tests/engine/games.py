"""Games played at random, and what is seen of their tables."""

from __future__ import annotations

import random
from dataclasses import replace

from companion.engine.audit import Table, Verdict
from companion.game import Draw, Play, Position, Rules, apply, full_deck, legal_moves


def random_game(rules: Rules, pick: random.Random, length: int) -> list[Position]:
    deck = list(full_deck(rules))
    pick.shuffle(deck)
    positions = [Position.deal(rules, deck)]
    for _ in range(length):
        moves = legal_moves(positions[-1])
        if not moves:
            break
        plays = [move for move in moves if isinstance(move, Play)]
        positions.append(apply(positions[-1], pick.choice(plays if plays and pick.random() < 0.7 else moves)))
    return positions


def as_seen(position: Position, how: int) -> Table:
    """A table as typed with its stock, as typed, as on a photo, and with some of the discard."""
    if how == 0:
        return Table.of(position)
    hidden = position.hidden()
    if how == 1:
        return Table.of(hidden)
    if how == 2:
        photo = replace(hidden, columns=tuple(filter(None, hidden.columns)), discard=hidden.discard[-1:])
        return Table.of(photo, count_known=False)
    return Table.of(replace(hidden, discard=hidden.discard[-3:]))


def replayed(before: Table, step: Verdict) -> Position:
    """The table after the moves of a verdict, made by the rules."""
    position = replace(before.position().hidden(), drawn=before.top_drawn)
    for move in step.moves:
        made = Draw(move.card) if move.column is None else Play(move.column, move.card.stands_for)
        position = apply(position, made)
    return position
