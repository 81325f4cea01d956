"""The other game called Golf: 2 to 8 players, a grid of cards each, the lowest total wins.

`GridRules` is the game as agreed on, `Grid` one player's cards at the end of a hole, `score` its points and
`GridTurns` who is dealer, whose turn it is and when the hole is over. All values are frozen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from companion.game.cards import Card
from companion.game.errors import CompanionError

GridCell = Card | int
"""A card, or a bare rank (1 to 13, 0 for a joker) where the suit was not written down."""

SHAPES = {4: (2, 2), 6: (2, 3), 9: (3, 3)}
"""Rows and columns of a grid by its number of cards."""

VALUES = (-5, 1, -2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 0)
_NAMES = "*A23456789TJQK"
_LETTERS = {name: rank for rank, name in enumerate(_NAMES)} | {"10": 10, "J1": 0, "J2": 0, "★": 0}


class GridError(CompanionError):
    """A grid, or grid rules, that cannot be."""

    code = "grid"


@dataclass(frozen=True, slots=True)
class GridRules:
    """The agreed rules of a round. `values` are data: points of ranks 1 to 13, ace first.

    `joker` is None without jokers, else their points (-2, or -5 at some tables). `four` is None, or what four
    equal cards in two neighbouring columns score instead of 0. `discard` says what follows when a drawn card
    is thrown away unused: `keep` (nothing), `may_turn` or `must_turn` (one face-down card is turned up).
    """

    cards: int = 6
    values: tuple[int, ...] = VALUES[1:]
    joker: int | None = None
    four: int | None = None
    discard: str = "keep"
    holes: int = 9

    def __post_init__(self) -> None:
        options = [number for number in (self.joker, self.four) if number is not None]
        numbers = (self.cards, self.holes, *self.values, *options)
        if any(type(number) is not int or abs(number) > 999 for number in numbers):
            raise GridError(f"grid rules are whole numbers up to 999, not {numbers!r}")
        if self.cards not in SHAPES:
            raise GridError(f"a grid has 4, 6 or 9 cards, not {self.cards!r}")
        if len(self.values) != 13:
            raise GridError(f"grid rules need a value for each of 13 ranks, not {self.values!r}")
        if self.four is not None and self.rows != 2:
            raise GridError(
                f"the bonus for four of a kind needs columns of two cards, not {self.cards!r} cards"
            )
        if self.discard not in ("keep", "may_turn", "must_turn"):
            raise GridError(f"unknown rule for a discarded card {self.discard!r}")
        if not 1 <= self.holes <= 36:
            raise GridError(f"a round has 1 to 36 holes, not {self.holes!r}")

    @property
    def rows(self) -> int:
        return SHAPES[self.cards][0]

    @property
    def columns(self) -> int:
        return SHAPES[self.cards][1]

    def value(self, rank: int) -> int:
        """Points of one card by rank (0 is a joker)."""
        if rank:
            return self.values[rank - 1]
        if self.joker is None:
            raise GridError("these rules have no jokers, but the grid has 'joker'")
        return self.joker

    def decks(self, players: int) -> int:
        """Packs shuffled together: one for up to 4 players, two from 5."""
        check_players(players)
        return 1 if players <= 4 else 2

    @classmethod
    def parse(cls, text: str) -> GridRules:
        """Read `9-cards,joker=-2,faces=dear,four=-20,discard=may_turn,holes=18,7=0`; empty is the plain game.

        `faces=dear` is J 11 and Q 12; `RANK=POINTS` changes one value.
        """
        rules = cls()
        for item in filter(None, (part.strip().lower() for part in text.split(","))):
            rules = _changed(rules, item)
        return rules

    def __str__(self) -> str:
        parts = [f"{self.cards}-cards"]
        parts += [
            f"{_NAMES[rank]}={points}" for rank, points in enumerate(self.values, 1) if points != VALUES[rank]
        ]
        plain = GridRules(self.cards)
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name not in ("cards", "values") and value != getattr(plain, field.name):
                parts.append(f"{field.name}={value}")
        return ",".join(parts)


def _changed(rules: GridRules, item: str) -> GridRules:
    """`rules` with one written option."""
    if match := re.fullmatch(r"(\d+)[- ]?cards?", item):
        return replace(rules, cards=int(match[1]))
    if item == "faces=dear":
        return replace(rules, values=(*rules.values[:10], 11, 12, rules.values[12]))
    name, _, text = (part.strip() for part in item.partition("="))
    if name == "discard":
        return replace(rules, discard=text)
    try:
        number = int(text.replace("−", "-"))
    except ValueError:
        raise GridError(f"cannot read the grid rule {item!r}") from None
    if name in ("cards", "holes", "joker", "four"):
        return replace(rules, **{name: number})  # type: ignore[arg-type]
    rank = _LETTERS.get(name.upper())
    if not rank:
        raise GridError(f"unknown grid rule {item!r}")
    values = list(rules.values)
    values[rank - 1] = number
    return replace(rules, values=tuple(values))


@dataclass(frozen=True, slots=True)
class Grid:
    """One player's cards, row by row from the far row to the near one."""

    rows: tuple[tuple[GridCell, ...], ...]

    def __post_init__(self) -> None:
        shape = (len(self.rows), len(self.rows[0]) if self.rows else 0)
        if shape not in SHAPES.values() or any(len(row) != shape[1] for row in self.rows):
            raise GridError(
                f"a grid is 2x2, 2x3 or 3x3 cards, not rows of {[len(row) for row in self.rows]!r}"
            )

    @classmethod
    def parse(cls, text: str) -> Grid:
        """Read rows split by `/` or line ends: `7S KH 5D / 7C 2S QD`, or without suits `7 K 5 / 7 2 Q`."""
        rows = (row.split() for row in re.split(r"[/\n;]", text.strip()))
        return cls(tuple(tuple(map(_cell, row)) for row in rows if row))

    def __str__(self) -> str:
        return " / ".join(
            " ".join(_NAMES[c] if isinstance(c, int) else str(c) for c in row) for row in self.rows
        )

    @property
    def ranks(self) -> tuple[tuple[int, ...], ...]:
        """Ranks by column, 0 for a joker."""
        return tuple(zip(*(tuple(map(_rank, row)) for row in self.rows), strict=True))

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards whose suit is known."""
        return tuple(cell for row in self.rows for cell in row if isinstance(cell, Card))


def _rank(cell: GridCell) -> int:
    rank = cell if isinstance(cell, int) else cell.rank
    if rank is None:
        raise GridError(f"every card must be read before a grid can be scored, not {str(cell)!r}")
    return rank


def _cell(token: str) -> GridCell:
    name = token.upper()
    if name in _LETTERS:
        return _LETTERS[name]
    return Card.parse(token)


def score(grid: Grid, rules: GridRules) -> int:
    """Points of a grid: the sum of `column_points`."""
    return sum(column_points(grid, rules))


def column_points(grid: Grid, rules: GridRules) -> tuple[int, ...]:
    """Points of each column; a column of equal cards counts 0 whatever it holds.

    With the bonus, two neighbouring columns of four equal cards score `rules.four` together, written under
    the first; a column is used for one bonus only. Two jokers in a column are equal cards.
    """
    if len(grid.rows) * len(grid.rows[0]) != rules.cards:
        raise GridError(
            f"these rules play with {rules.cards} cards, not with {str(grid)!r}",
            code="grid-cards",
            n=rules.cards,
        )
    columns = grid.ranks
    points: list[int] = []
    while (at := len(points)) < len(columns):
        column = columns[at]
        values = [rules.value(rank) for rank in column]
        if len(set(column)) > 1:
            points.append(sum(values))
        elif rules.four is not None and columns[at + 1 : at + 2] == (column,):
            points += [rules.four, 0]
        else:
            points.append(0)
    return tuple(points)


def check_table(grids: Sequence[Grid], rules: GridRules, players: int | None = None) -> None:
    """Raise when the grids of one hole cannot come from the packs in play: a card too often."""
    decks = rules.decks(players if players is not None else max(2, len(grids)))
    seen = Counter(card for grid in grids for card in grid.cards if card.rank)
    for card, count in seen.items():
        if count > decks:
            raise GridError(
                f"the hole has more than {decks} of the card {str(card)!r}", code="grid-too-often"
            )
    ranks = Counter(rank for grid in grids for column in grid.ranks for rank in column if rank)
    for rank, count in ranks.items():
        if count > 4 * decks:
            raise GridError(
                f"the hole has more than {4 * decks} cards of the rank {_NAMES[rank]!r}",
                code="grid-too-often",
            )


def arrange(cards: Sequence[tuple[float, float, GridCell]]) -> Grid:
    """The grid of cards lying at (x, y), x to the right and y down, as a camera sees them.

    The cards must lie in straight rows: each row is the next lowest group of cards.
    """
    if len(cards) not in SHAPES:
        raise GridError(f"a grid has 4, 6 or 9 cards, not {len(cards)!r}", code="grid-size")
    width = SHAPES[len(cards)][1]
    by_height = sorted(cards, key=lambda item: item[1])
    rows = [sorted(by_height[n : n + width], key=lambda item: item[0]) for n in range(0, len(cards), width)]
    return Grid(tuple(tuple(cell for _, _, cell in row) for row in rows))


def check_players(players: int) -> None:
    """Raise unless the game can be played by so many."""
    if not 2 <= players <= 8:
        raise GridError(f"this game is for 2 to 8 players, not {players!r}", code="grid-players")


def dealer(first: int, hole: int, players: int) -> int:
    """Seat of the dealer of a hole (1-based): the deal passes on to the left after every hole."""
    return (first + hole - 1) % players


@dataclass(frozen=True, slots=True)
class GridTurns:
    """Turns of one hole, from the dealer's left; once one has all cards up, the others play once more."""

    players: int
    dealer: int
    taken: int = 0
    ended_by: int | None = None
    ended_at: int = 0

    @property
    def over(self) -> bool:
        """True when every other player has had the one turn after somebody had all cards up."""
        return self.ended_by is not None and self.taken >= self.ended_at + self.players - 1

    @property
    def last_turns(self) -> bool:
        """True while the last turns are played."""
        return self.ended_by is not None and not self.over

    @property
    def turn(self) -> int | None:
        """Seat of the player whose turn it is, None when the hole is over."""
        return None if self.over else (self.dealer + 1 + self.taken) % self.players

    def play(self, all_up: bool = False) -> GridTurns:
        """The player in turn has played; `all_up` says that all of that player's cards are face up now."""
        turn = self.turn
        if turn is None:
            raise GridError("the hole is over, nobody is in turn")
        if all_up and self.ended_by is None:
            return replace(self, taken=self.taken + 1, ended_by=turn, ended_at=self.taken + 1)
        return replace(self, taken=self.taken + 1)
