"""Whether any order of the unseen cards clears a table, against trying every order."""

from __future__ import annotations

import pytest

from companion.engine import clearable
from companion.game import Card, Draw, Position, Rules, apply, full_deck, legal_moves, parse_cards
from tests.engine.brute import key
from tests.engine.tables import VARIANTS, deal, small


def any_order(position: Position) -> bool:
    """Tries every order of the unseen cards through the rules of the game."""
    seen: set[object] = set()

    def clears(now: Position, unseen: tuple[Card, ...]) -> bool:
        state = (key(now), tuple(card.rank for card in unseen))
        if now.cleared:
            return True
        if state in seen:
            return False
        seen.add(state)
        for move in legal_moves(now):
            if not isinstance(move, Draw):
                if clears(apply(now, move), unseen):
                    return True
                continue
            for place, card in enumerate(unseen):
                rest = unseen[:place] + unseen[place + 1 :]
                declared = card.is_joker and now.rules.joker == "declared"
                names = [card.named(rank) for rank in range(1, 14)] if declared else [card]
                if any(clears(apply(now, Draw(name)), rest) for name in names):
                    return True
        return False

    hidden = position.hidden()
    return clears(hidden, hidden.unseen)


@pytest.mark.parametrize("rules", VARIANTS)
def test_agrees_with_trying_every_order(rules: str) -> None:
    for seed in range(10):
        position = small(rules, seed, buried=seed % 3, size=3)
        answer = clearable(position)
        assert answer.possible == any_order(position), position
        assert bool(answer.reason) != answer.possible
        assert not answer.possible or 0 <= answer.draws <= position.stock_count


@pytest.mark.parametrize("seed", range(3))
def test_a_shuffled_deal_can_nearly_always_be_cleared(seed: int) -> None:
    assert clearable(deal("strict", seed)).possible


def test_every_queen_under_a_king() -> None:
    columns = [list(column) for column in deal("strict", 0).columns]
    cards = sorted({card for column in columns for card in column} | set(deal("strict", 0).unseen))
    royal = [card for card in cards if card.rank in (12, 13)]
    rest = iter(card for card in deal("strict", 0).unseen + sum(map(tuple, columns), ()) if card not in royal)
    table = []
    for n in range(7):
        top = [Card.of(12, "SHDC"[n]), Card.of(13, "SHDC"[n])] if n < 4 else [next(rest), next(rest)]
        table.append((next(rest), next(rest), next(rest), *top))
    position = Position(Rules(), tuple(table), (next(rest),), None)
    answer = clearable(position)
    assert not answer.possible
    assert "the kings need a queen" in answer.reason
    assert clearable(Position(Rules.parse("putt-putt"), position.columns, position.discard, None)).possible


def test_too_few_draws() -> None:
    columns = (parse_cards("2S 5H"), parse_cards("9C"))
    discard = tuple(
        card for card in Position(Rules(), columns, (), None, 0).unseen if card.rank not in (1, 4, 8)
    )
    position = Position(Rules(), columns, discard, None, 2)
    answer = clearable(position)
    assert not answer.possible
    assert answer.reason == "at least 3 cards must be drawn, and the stock holds 2"


def test_counts_the_cards_that_are_needed_more_than_once() -> None:
    # Two kings in two columns need two queens; one is unseen, and the others are gone.
    columns = (parse_cards("KS"), parse_cards("KH"))
    unseen = parse_cards("QS AS AH AD")
    discard = tuple(c for c in Position(Rules(), columns, (), None, 0).unseen if c not in unseen)
    discard = (*(c for c in discard if c.rank != 5), *(c for c in discard if c.rank == 5))
    answer = clearable(Position(Rules(), columns, discard, None, 4))
    assert not answer.possible
    assert answer.reason == "at least 1 card must stay, as no more than 1 queen can come from the stock"


@pytest.mark.parametrize(("seed", "possible"), [(5, False), (6, True)])
def test_black_hole(seed: int, possible: bool) -> None:
    assert clearable(deal("black-hole", seed)).possible == possible


def test_double_golf_with_every_queen_under_a_king() -> None:
    rules = Rules.parse("double")
    deck = list(full_deck(rules))
    queens, kings = ([card for card in deck if card.rank == rank] for rank in (12, 13))
    rest = [card for card in deck if card.rank not in (12, 13)]
    columns = [
        (queen, king, *(rest.pop() for _ in range(5))) for queen, king in zip(queens, kings, strict=True)
    ]
    columns.append(tuple(rest.pop() for _ in range(7)))
    answer = clearable(Position(rules, tuple(columns), (rest.pop(),), None, 40))
    assert not answer.possible
    assert answer.reason
