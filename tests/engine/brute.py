"""Plain answers to the engine's questions, by trying everything through the rules of the game."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from companion.game import Card, Draw, Move, Play, Position, apply, legal_moves

Key = tuple[object, ...]


def key(position: Position) -> Key:
    """All of a position that matters to what can follow."""
    under = position.under
    return (
        position.columns,
        position.top and position.top.value,
        None if under is None or position.drawn else under.value,
        position.stock_count,
    )


def best_score(position: Position) -> int:
    """The best score with the stock known; a drawn joker may be named at once."""
    memo: dict[Key, int] = {}

    def best(now: Position) -> int:
        found = memo.get(key(now))
        if found is None:
            found = now.strokes
            for after in successors(now):
                found = min(found, best(after))
            memo[key(now)] = found
        return found

    return best(position)


def successors(position: Position) -> list[Position]:
    """The positions after every legal move, stock known."""
    after = []
    for move in legal_moves(position):
        if isinstance(move, Draw):
            card = (position.stock or ())[0]
            if card.is_joker and position.rules.joker == "declared":
                after += [apply(position, Draw(card.named(rank))) for rank in range(1, 14)]
                continue
        after.append(apply(position, move))
    return after


Mean = tuple[Fraction, Fraction]
"""Means of two figures of the score, the second breaking ties of the first; less is better."""


def expectimax(position: Position, figures: Callable[[int], tuple[int, int]]) -> dict[Move, Mean]:
    """For each legal move of a position with a hidden stock, what the best play after it brings."""
    memo: dict[object, Mean] = {}

    def after(now: Position, move: Move, unseen: tuple[Card, ...]) -> Mean:
        if isinstance(move, Play):
            return best(apply(now, move), unseen)
        first = second = Fraction(0)
        for place, card in enumerate(unseen):
            rest = unseen[:place] + unseen[place + 1 :]
            names: list[Card] = [card]
            if card.is_joker and now.rules.joker == "declared":
                names = [card.named(rank) for rank in range(1, 14)]
            mean = min(best(drawn(now, name), rest) for name in names)
            first += mean[0] / len(unseen)
            second += mean[1] / len(unseen)
        return first, second

    def best(now: Position, unseen: tuple[Card, ...]) -> Mean:
        state = (key(now), tuple(card.rank for card in unseen))
        found = memo.get(state)
        if found is None:
            moves = legal_moves(now)
            if now.cleared or not moves:
                found = tuple(map(Fraction, figures(now.strokes)))  # type: ignore[assignment]
            else:
                found = min(after(now, move, unseen) for move in moves)
            memo[state] = found  # type: ignore[assignment]
        return found  # type: ignore[return-value]

    hidden = position.hidden()
    return {move: after(hidden, move, hidden.unseen) for move in legal_moves(hidden)}


def drawn(position: Position, card: Card) -> Position:
    """The position after a card came from a hidden stock."""
    return apply(position, Draw(card))
