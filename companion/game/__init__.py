"""The game itself: cards, rules, positions, moves, scores.  Pure values; no I/O, no numpy."""

from companion.game.cards import FULL_DECK, JOKERS, RANKS, SUITS, UNKNOWN, Card, parse_cards
from companion.game.errors import CardError, CompanionError, IllegalMove, PositionError, RulesError
from companion.game.log import Game
from companion.game.moves import Draw, Move, Play, apply, can, joker_ranks, legal_moves, verify
from companion.game.position import Position, Problem, full_deck
from companion.game.rules import ALIASES, PRESETS, Rules

__all__ = [
    "ALIASES",
    "FULL_DECK",
    "JOKERS",
    "PRESETS",
    "RANKS",
    "SUITS",
    "UNKNOWN",
    "Card",
    "CardError",
    "CompanionError",
    "Draw",
    "Game",
    "IllegalMove",
    "Move",
    "Play",
    "Position",
    "PositionError",
    "Problem",
    "Rules",
    "RulesError",
    "apply",
    "can",
    "full_deck",
    "joker_ranks",
    "legal_moves",
    "parse_cards",
    "verify",
]
