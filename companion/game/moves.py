"""The two moves, play and draw: whether the rules allow one, and the table after it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.game.cards import UNKNOWN, Card
from companion.game.errors import IllegalMove
from companion.game.position import Position


@dataclass(frozen=True, slots=True)
class Play:
    """Puts the exposed card of a column on the discard."""

    column: int
    """Counted from 0 at the left."""
    rank: int | None = None
    """The rank a declared joker is to stand for, 1 to 13; None for every other card."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Turns the next card of the stock onto the discard.

    card: the card that came, for a stock that lies face down; without it the discard gets a card
    that is not read.  A joker drawn under `declared` may be given as `J1=7`; left as `J1` it is
    named by the card that is played on it next, which comes to the same, as nothing is learnt in
    between.
    """

    card: Card | None = None


Move = Play | Draw


def verify(position: Position, move: Move) -> None:
    """Raises `IllegalMove`, with the rule that is broken, unless the move is allowed."""
    if position.cleared:
        raise IllegalMove("over", f"the tableau is cleared, the hole is over: {_name(position, move)!r}")
    if isinstance(move, Play):
        _verify_play(position, move)
    else:
        _verify_draw(position, move)


def can(position: Position, move: Move) -> bool:
    """Whether the rules allow the move."""
    try:
        verify(position, move)
    except IllegalMove:
        return False
    return True


def apply(position: Position, move: Move) -> Position:
    """The table after a move.  Raises `IllegalMove`."""
    verify(position, move)
    if isinstance(move, Play):
        return _after_play(position, move)
    card = move.card or (position.stock[0] if position.stock else UNKNOWN)
    stock = position.stock[1:] if position.stock is not None else None
    return replace(
        position,
        discard=(*position.discard, card),
        stock=stock,
        stock_count=position.stock_count - 1,
        drawn=_queen_on_king(position, card),
    )


def legal_moves(position: Position) -> tuple[Move, ...]:
    """All moves the rules allow: plays from left to right, then the draw.

    A declared joker is listed once for each rank it may stand for; a draw carries no card.
    """
    moves: list[Move] = []
    for column, card in enumerate(position.exposed):
        if card is None or card is UNKNOWN:
            continue
        if card.is_joker and position.rules.joker == "declared":
            moves += [Play(column, rank) for rank in joker_ranks(position)]
        elif can(position, Play(column)):
            moves.append(Play(column))
    if can(position, Draw()):
        moves.append(Draw())
    return tuple(moves)


def joker_ranks(position: Position) -> tuple[int, ...]:
    """The ranks a declared joker may stand for if it is played now."""
    top = position.top
    if top is None:
        return tuple(range(1, 14))
    return () if top is UNKNOWN else position.rules.followers(top.value, _under(position))


def _verify_play(position: Position, move: Play) -> None:
    if not 0 <= move.column < len(position.columns):
        raise IllegalMove("no-column", f"there is no such column: {move.column + 1!r}")
    if not position.columns[move.column]:
        raise IllegalMove("empty-column", f"the column is empty: {move.column + 1!r}")
    card = position.columns[move.column][-1]
    if card is UNKNOWN:
        raise IllegalMove("unread", f"the exposed card is not read, in column: {move.column + 1!r}")
    declared = card.is_joker and position.rules.joker == "declared"
    if declared and move.rank is None:
        raise IllegalMove("joker-rank", f"say which rank the joker stands for: {str(card)!r}")
    if not declared and move.rank is not None:
        raise IllegalMove("joker-rank", f"only a declared joker can be given a rank: {str(card)!r}")
    if declared and move.rank is not None and not 1 <= move.rank <= 13:
        raise IllegalMove("joker-rank", f"a joker stands for a rank from 1 to 13: {move.rank!r}")
    top = position.top
    if top is None:
        return
    if top is UNKNOWN:
        raise IllegalMove("unread", f"the top of the discard is not read, so nothing fits yet: {str(card)!r}")
    rank = card.value if move.rank is None else move.rank
    under = _under(position)
    rules = position.rules
    if rules.follows(top.value, rank, under):
        return
    if top.value == 13 and (rules.on_king == "nothing" or abs(13 - rank) == 1):
        raise IllegalMove("on-king", f"nothing may follow {top}: {str(card)!r}")
    if top.value == 12 and abs(12 - rank) == 1:
        raise IllegalMove("on-queen", f"nothing may follow {top}, a queen on a king: {str(card)!r}")
    raise IllegalMove("wrong-rank", f"only a card one rank higher or lower goes on {top}: {str(card)!r}")


def _verify_draw(position: Position, move: Draw) -> None:
    if position.stock_count <= 0:
        raise IllegalMove("stock-empty", f"the stock is used up: {position.stock_count!r}")
    if not position.discard and position.rules.start == "free":
        raise IllegalMove("play-first", f"a card of the tableau opens the discard: {_name(position, move)!r}")
    if position.rules.draw == "when_stuck" and (card := _possible_play(position)) is not None:
        raise IllegalMove("play-possible", f"nothing may be drawn while a card can be played: {str(card)!r}")
    if move.card is None or move.card is UNKNOWN:
        return
    if position.stock is not None:
        if move.card.plain is not position.stock[0].plain:
            raise IllegalMove(
                "not-next", f"the next card of the stock is {position.stock[0]}: {str(move.card)!r}"
            )
    elif all(card.rank != move.card.rank for card in position.unseen):
        # By rank: the suits on the table may be misread, and they don't matter.
        raise IllegalMove("on-table", f"all cards of this rank are on the table: {str(move.card)!r}")
    if move.card.stands_for and position.rules.joker == "any":
        raise IllegalMove("joker-rank", f"only a declared joker can be given a rank: {str(move.card)!r}")


def _possible_play(position: Position) -> Card | None:
    """An exposed card that could be played now, if there is one."""
    top = position.top
    if top is UNKNOWN:
        return None
    under = _under(position)
    for card in position.exposed:
        if card is None or card is UNKNOWN:
            continue
        if top is None or position.rules.follows(top.value, card.value, under):
            return card
    return None


def _after_play(position: Position, move: Play) -> Position:
    column = position.columns[move.column]
    card = column[-1] if move.rank is None else column[-1].named(move.rank)
    columns = (*position.columns[: move.column], column[:-1], *position.columns[move.column + 1 :])
    return replace(position, columns=columns, discard=(*position.discard, card), drawn=False)


def _queen_on_king(position: Position, drawn: Card) -> bool:
    """Whether a queen comes from the stock to lie on a king, or on what may be one, and that matters."""
    top = position.top
    if position.rules.on_king != "queen_only" or drawn is UNKNOWN or drawn.value != 12:
        return False
    return top is None or top is UNKNOWN or top.value == 13


def _under(position: Position) -> int | None:
    under = None if position.drawn else position.under
    return None if under is None or under is UNKNOWN else under.value


def _name(position: Position, move: Move) -> str:
    if isinstance(move, Draw):
        return "draw" if move.card is None else f"draw {move.card}"
    column = position.columns[move.column] if 0 <= move.column < len(position.columns) else ()
    return str(column[-1]) if column else f"column {move.column + 1}"
