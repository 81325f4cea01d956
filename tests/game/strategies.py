"""Hypothesis strategies for rules, deals and positions on the way."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from companion.game import PRESETS, Game, Position, Rules, apply, full_deck, legal_moves

presets = st.sampled_from(list(PRESETS.values()))

rules = st.one_of(
    presets,
    st.builds(
        Rules,
        on_king=st.sampled_from(["nothing", "queen", "queen_only"]),
        wrap=st.booleans(),
        start=st.sampled_from(["turned", "free"]),
        draw=st.sampled_from(["at_will", "when_stuck"]),
        jokers=st.integers(0, 2),
        joker=st.sampled_from(["declared", "any"]),
        decks=st.integers(1, 2),
        columns=st.integers(1, 10),
        depth=st.integers(1, 5),
        redeal_impossible=st.booleans(),
        illegal_move=st.sampled_from(["put_back", "void_hole"]),
        holes=st.integers(1, 18),
        par=st.integers(-20, 120),
    ),
)


@st.composite
def deals(draw: st.DrawFn, rules: st.SearchStrategy[Rules] = rules) -> Position:
    """Fresh deals, stock known."""
    chosen = draw(rules)
    deck = list(full_deck(chosen))
    random.Random(draw(st.integers(0, 2**32))).shuffle(deck)
    return Position.deal(chosen, deck, by=draw(st.sampled_from(["rows", "columns"])))


@st.composite
def games(draw: st.DrawFn, rules: st.SearchStrategy[Rules] = rules) -> Game:
    """Games played at random for a while."""
    game = Game(draw(deals(rules)))
    pick = random.Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, 45))):
        moves = legal_moves(game.position)
        if not moves:
            break
        game = game.do(pick.choice(moves))
    return game


@st.composite
def positions(draw: st.DrawFn, rules: st.SearchStrategy[Rules] = rules) -> Position:
    """Positions that come up in play, the stock known or face down."""
    position = draw(games(rules)).position
    return position.hidden() if draw(st.booleans()) else position


__all__ = ["apply", "deals", "games", "positions", "presets", "rules"]
