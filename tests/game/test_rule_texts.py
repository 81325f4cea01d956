"""The examples of the printed rules, replayed with the letters they are printed in.

Each class stands for one text: a German page on Golf-Patience, two German pages on Golf Solitaire, a
Swedish page on Golf patiens.  The German page on the grid game has its own test beside the grid.
"""

from __future__ import annotations

import pytest

from companion.game import (
    PRESETS,
    Card,
    Draw,
    Game,
    IllegalMove,
    Play,
    Position,
    Rules,
    apply,
    can,
    legal_moves,
    scoring,
    verify,
)
from companion.game.letters import parse, rank_letter


def cards(text: str, language: str) -> tuple[Card, ...]:
    return tuple(parse(token, language) for token in text.split())


def de(text: str) -> tuple[Card, ...]:
    return cards(text, "de")


def play(game: Game, card: str, language: str) -> Game:
    """Plays an exposed card, named as the text names it."""
    return game.do(Play(game.position.exposed.index(parse(card, language))))


class TestGolfPatienceGerman:
    """Golf-Patience: the run from the six of hearts, the scores of two holes, the variants."""

    TABLE = tuple(map(de, ("2♠ 7♦", "3♠ B♠", "6♣ 4♥", "2♦ D♥ 8♣", "5♠ K♥", "3♦ 10♣ 9♠", "6♦ 2♣")))

    def game(self, rules: str = "strict") -> Game:
        return Game(Position(Rules.parse(rules), self.TABLE, de("6♥"), None, 16))

    def test_ranks(self) -> None:
        assert " ".join(rank_letter(n, "de") for n in range(1, 14)) == "A 2 3 4 5 6 7 8 9 10 B D K"

    def test_only_the_last_row_can_be_played(self) -> None:
        shown = [card.short("de") for card in self.game().position.exposed if card]
        assert shown == ["7♦", "B♠", "4♥", "8♣", "K♥", "9♠", "2♣"]

    def test_the_run_of_the_example(self) -> None:
        game = self.game()
        run = ["7♦", "8♣", "9♠", "10♣", "B♠", "D♥", "K♥"]
        for card in run:
            game = play(game, card, "de")
        assert [card.short("de") for card in game.position.discard] == ["6♥", *run]
        assert game.position.stock_count == 16, "a run has no draw in it"

    def test_nothing_goes_on_the_king_and_a_card_is_drawn(self) -> None:
        game = self.game()
        for card in ["7♦", "8♣", "9♠", "10♣", "B♠", "D♥", "K♥"]:
            game = play(game, card, "de")
        assert legal_moves(game.position) == (Draw(),)
        drawn = game.do(Draw(parse("A♥", "de")))
        assert drawn.position.top is Card.parse("AH")
        assert can(drawn.position, Play(drawn.position.exposed.index(parse("2♠", "de"))))

    def test_a_covered_card_is_not_free(self) -> None:
        position = self.game().position
        assert parse("10♣", "de") not in position.exposed

    def test_the_direction_may_turn(self) -> None:
        table = tuple(map(de, ("5♣", "7♣", "6♠")))
        game = Game(Position(Rules(), table, de("5♥"), None, 0))
        on_five = play(game, "6♠", "de")
        assert play(on_five, "7♣", "de").position.top is parse("7♣", "de")
        assert play(on_five, "5♣", "de").position.top is parse("5♣", "de")

    def test_a_card_may_be_drawn_though_one_could_be_played(self) -> None:
        assert can(self.game().position, Draw())

    def test_only_a_two_on_an_ace(self) -> None:
        assert Rules().followers(1) == (2,)
        assert Rules().followers(13) == ()

    def test_the_two_holes(self) -> None:
        holes = [scoring.hole(4, 0), scoring.hole(0, 3)]
        assert holes == [4, -3]
        assert sum(holes) == 1

    def test_pars(self) -> None:
        assert Rules().par == 45
        assert Rules.parse("par=36").par == 36

    def test_queen_on_king(self) -> None:
        table = tuple(map(de, ("D♦", "B♦")))
        game = Game(Position(PRESETS["queen-on-king"], table, de("K♠"), None, 0))
        assert play(play(game, "D♦", "de"), "B♦", "de").position.cleared

    def test_putt_putt(self) -> None:
        table = tuple(map(de, ("K♦", "A♦", "D♠")))
        game = Game(Position(PRESETS["putt-putt"], table, de("A♠"), None, 0))
        assert play(play(game, "K♦", "de"), "A♦", "de").position.top is parse("A♦", "de")

    def test_free_first_card(self) -> None:
        position = Position(PRESETS["free-start"], self.TABLE)
        assert position.stock_count == 17
        assert [can(position, Play(column)) for column in range(7)] == [True] * 7
        assert not can(position, Draw())


class TestGolfPatiensSwedish:
    """Golf patiens: spade 2 with heart ace and spade 3, kings and aces, +4 and -2."""

    def game(self, rules: str = "strict", **changes: object) -> Game:
        table = (
            (parse("klöver 4", "sv"), parse("spader 3", "sv")),
            (parse("hjärter ess", "sv"),),
            (parse("ruter dam", "sv"),),
        )
        return Game(Position(Rules.parse(rules), table, (parse("spader 2", "sv"),), None, 4))

    def test_counts_of_the_deal(self) -> None:
        strict = PRESETS["strict"]
        assert (strict.tableau_size, strict.stock_size) == (35, 16)

    def test_ace_of_hearts_on_two_of_spades(self) -> None:
        game = self.game()
        assert can(game.position, Play(1))
        assert play(game, "hjärter ess", "sv").position.top is parse("E♥", "sv")

    def test_three_of_spades_and_then_four_of_clubs(self) -> None:
        game = play(play(self.game(), "spader 3", "sv"), "klöver 4", "sv")
        assert [card.short("sv") for card in game.position.discard] == ["2♠", "3♠", "4♣"]

    def test_four_of_clubs_is_covered_until_the_three_is_gone(self) -> None:
        assert parse("klöver 4", "sv") not in self.game().position.exposed

    def test_draw_only_when_nothing_fits(self) -> None:
        with pytest.raises(IllegalMove) as raised:
            verify(self.game("strict,draw=when_stuck").position, Draw())
        assert raised.value.code == "play-possible"

    def test_no_queen_on_a_king_in_the_basic_form(self) -> None:
        table = (cards("D♦", "sv"), cards("Kn♠", "sv"))
        position = Position(Rules(), table, cards("K♣", "sv"), None, 3)
        assert legal_moves(position) == (Draw(),)
        assert legal_moves(Position(PRESETS["queen-on-king"], table, cards("K♣", "sv"), None, 0)) == (
            Play(0),
        )

    def test_ace_and_king_never_meet(self) -> None:
        assert not Rules().follows(1, 13)
        assert not Rules().follows(13, 1)
        assert PRESETS["putt-putt"].follows(1, 13)

    @pytest.mark.parametrize(("left", "stock", "points"), [(4, 0, +4), (0, 2, -2)])
    def test_points(self, left: int, stock: int, points: int) -> None:
        table = (cards("9♥ 9♠ 9♦ 9♣", "sv")[:left],)
        assert Position(Rules(), table, cards("2♣", "sv"), None, stock).strokes == points

    def test_a_joker_is_played_as_the_card_it_is_needed_as(self) -> None:
        table = (cards("8♠ ★", "sv"),)
        game = Game(Position(PRESETS["jokers"], table, cards("6♥", "sv"), None, 0))
        assert game.do(Play(0, 7)).do(Play(0)).position.cleared
        with pytest.raises(IllegalMove):
            game.do(Play(0, 5)).do(Play(0))

    def test_more_decks_for_a_larger_table(self) -> None:
        double = PRESETS["double"]
        assert (double.cards, double.tableau_size, double.stock_size) == (104, 63, 40)


class TestGolfSolitaireRulesGerman:
    """Golf Solitaire Spielregeln: 35 and 16, no card on a king, minus points for the stock."""

    def test_counts(self) -> None:
        assert (Rules().columns, Rules().depth, Rules().stock_size) == (7, 5, 16)

    def test_no_card_on_a_king(self) -> None:
        position = Position(Rules(), tuple(map(de, ("D♥", "A♥"))), de("K♥"), None, 3)
        assert legal_moves(position) == (Draw(),)

    def test_the_king_goes_on_the_queen_and_the_run_ends(self) -> None:
        game = Game(Position(Rules(), tuple(map(de, ("D♥", "K♥", "B♥"))), de("B♠"), None, 0))
        game = play(play(game, "D♥", "de"), "K♥", "de")
        assert game.position.finished
        assert game.position.strokes == 1

    def test_the_stock_goes_through_once(self) -> None:
        position = Position(Rules(), (de("9♥"),), de("2♥"), de("K♥"))
        after = apply(position, Draw())
        assert after.finished
        assert not can(after, Draw())

    def test_cleared_the_stock_counts_as_minus(self) -> None:
        game = Game(Position(Rules(), (de("A♥"),), de("2♥"), None, 5))
        assert play(game, "A♥", "de").position.strokes == -5


class TestGolfSolitaireManualGerman:
    """Golf Solitaire Spielanleitung: chains, dead ends, correction, minus six, the variants."""

    def test_seven_takes_six_or_eight_and_jack_takes_ten_or_queen(self) -> None:
        assert Rules().followers(7) == (6, 8)
        assert Rules().followers(11) == (10, 12)

    def test_the_chain_of_the_example(self) -> None:
        table = tuple(map(de, ("8♠ 7♠", "6♥ 7♥", "8♥", "7♦")))
        game = Game(Position(Rules(), table, de("6♣"), None, 0))
        for card in ("7♠", "8♠", "7♥", "6♥", "7♦", "8♥"):
            game = play(game, card, "de")
        ranks = [card.rank for card in game.position.discard[1:]]
        assert ranks == [7, 8, 7, 6, 7, 8]
        assert game.position.cleared

    def test_two_ranks_apart_is_illegal_and_so_is_the_inside_of_a_column(self) -> None:
        position = Position(Rules(), tuple(map(de, ("9♠", "8♥ 2♦"))), de("7♣"), None, 3)
        with pytest.raises(IllegalMove) as raised:
            verify(position, Play(0))
        assert raised.value.code == "wrong-rank"
        assert not can(position, Play(1)), "the eight lies under the two"

    def test_an_illegal_move_is_put_back_by_default(self) -> None:
        assert Rules().illegal_move == "put_back"

    def test_clearing_with_six_left_scores_minus_six(self) -> None:
        assert scoring.hole(0, 6) == -6
        game = Game(Position(Rules(), (de("A♥"),), de("2♥"), None, 6))
        assert play(game, "A♥", "de").position.strokes == -6

    def test_pars_of_nine_and_eighteen_holes(self) -> None:
        assert (Rules().holes, Rules().par) == (9, 45)
        assert Rules.parse("holes=18").par == 90
        assert Rules.parse("holes=18,par=72").par == 72

    def test_queen_on_king_and_nothing_on_that_queen(self) -> None:
        table = tuple(map(de, ("D♠", "B♥", "K♥")))
        game = Game(Position(PRESETS["queen-only"], table, de("B♠ K♠"), None, 0))
        game = play(game, "D♠", "de")
        assert game.position.finished
        assert game.position.strokes == 2

    def test_putt_putt_goes_round(self) -> None:
        assert PRESETS["putt-putt"].followers(13) == (1, 12)

    def test_two_jokers_make_a_deck_of_54(self) -> None:
        assert PRESETS["jokers"].cards == 54

    def test_the_empty_start_has_17_in_the_stock(self) -> None:
        free = PRESETS["free-start"]
        assert free.stock_size == 17
        position = Position(free, (de("9♠"), de("2♥")))
        assert legal_moves(position) == (Play(0), Play(1))

    def test_black_hole(self) -> None:
        rules = PRESETS["black-hole"]
        assert (rules.columns, rules.depth, rules.stock_size) == (17, 3, 0)
        assert rules.followers(1) == (2, 13)
