"""What can be wrong with a position; one small rule each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.game.cards import UNKNOWN, Card
from companion.game.position import Position, Problem


def find(position: Position) -> tuple[Problem, ...]:
    """Every problem of a position, in a fixed order."""
    return tuple(
        problem
        for rule in (_unread, _repeated, _too_often, _jokers, _columns, _counts, _discard)
        for problem in rule(position)
    )


def _visible(position: Position) -> list[Card]:
    piles = (*position.columns, position.discard, position.stock or ())
    return [card for pile in piles for card in pile]


def _unread(position: Position) -> Iterator[Problem]:
    for number, column in enumerate(position.columns, 1):
        if count := column.count(UNKNOWN):
            yield Problem("unread-card", (UNKNOWN,) * count, f"{_cards(count)} in column {number} not read")
    # Below the top an unread card of the discard is only a card that is gone.
    if position.top is UNKNOWN:
        yield Problem("unread-card", (UNKNOWN,), "the top card of the discard is not read")
    if position.stock and (count := position.stock.count(UNKNOWN)):
        yield Problem("unread-card", (UNKNOWN,) * count, f"{_cards(count)} of the stock not read")


def _repeated(position: Position) -> Iterator[Problem]:
    decks = position.rules.decks
    for card, count in sorted(Counter(card.plain for card in _visible(position)).items()):
        allowed = decks if card.rank else 1
        if card is not UNKNOWN and count > allowed:
            yield Problem("card-twice", (card,), f"{card} is there {count} times")


def _too_often(position: Position) -> Iterator[Problem]:
    most = 4 * position.rules.decks
    cards = _visible(position)
    for rank, count in sorted(Counter(card.rank for card in cards if card.rank).items()):
        if count > most:
            same = tuple(sorted(card for card in cards if card.rank == rank))
            yield Problem("rank-too-often", same, f"{count} cards of one rank, where {most} exist")


def _jokers(position: Position) -> Iterator[Problem]:
    jokers = tuple(card for card in _visible(position) if card.is_joker)
    if len(jokers) > position.rules.jokers:
        message = f"{_cards(len(jokers), 'joker')} on the table, {position.rules.jokers} in the deck"
        yield Problem("joker-not-in-deck", jokers, message)


def _columns(position: Position) -> Iterator[Problem]:
    rules = position.rules
    if len(position.columns) > rules.columns:
        yield Problem(
            "too-many-columns", (), f"{len(position.columns)} columns, where {rules.columns} are dealt"
        )
    for number, column in enumerate(position.columns, 1):
        if len(column) > rules.depth:
            message = f"column {number} holds {len(column)} cards, where {rules.depth} are dealt"
            yield Problem("column-too-long", column, message)


def _counts(position: Position) -> Iterator[Problem]:
    rules, stock = position.rules, position.stock_count
    seen = position.tableau_count + len(position.discard)
    if seen > rules.cards:
        yield Problem("too-many-cards", (), f"{seen} cards on the table, where the deck has {rules.cards}")
    elif position.tableau_count > rules.tableau_size:
        message = f"{position.tableau_count} cards in the tableau, where {rules.tableau_size} are dealt"
        yield Problem("too-many-cards", (), message)
    elif stock < 0 or stock > rules.stock_size:
        message = f"{_cards(stock)} in the stock, where it starts with {rules.stock_size}"
        yield Problem("stock-count", (), message)
    elif position.buried < 0:
        message = f"{_cards(stock)} in the stock and {seen} on the table, where the deck has {rules.cards}"
        yield Problem("stock-count", (), message)


def _discard(position: Position) -> Iterator[Problem]:
    rules, top = position.rules, position.top
    if top is None:
        if rules.start == "turned" or position.buried > 0:
            yield Problem("discard-empty", (), "the discard is empty, though cards must have come to it")
    elif rules.on_king == "queen_only" and top.rank is not None and top.value == 12 and position.buried >= 0:
        unread = position.under is UNKNOWN or (position.under is None and position.buried > 0)
        if unread and not position.drawn:
            message = "whether anything may follow the queen hangs on the card below her, which is not known"
            yield Problem("queen-below", (top,), message)


def _cards(count: int, noun: str = "card") -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
