"""Plain answers to the engine's questions, by trying everything through the rules of the game."""

from __future__ import annotations

from companion.game import Draw, Position, apply, legal_moves

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
