from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysol_cards.cards import CardRenderer
from pysol_cards.deal_game import Game

from companion.formats import FormatError, numbers, text
from companion.formats.numbers import GENERATORS, DealNumber
from companion.game import PRESETS, Rules
from tests.formats.test_text import GOLF_906


def test_the_known_board_of_golf_906() -> None:
    assert text.dumps(DealNumber(906).deal()) == GOLF_906


@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize("number", [1, 906, 32000, 32001, 11982000, 2**33 - 1])
def test_deals_as_pysol_cards_lays_golf_and_black_hole_out(number: int, generator: str) -> None:
    deal = DealNumber(number, generator)
    for name, rules in (("golf", Rules()), ("black_hole", PRESETS["black-hole"])):
        expected = Game(name, number, GENERATORS.index(generator)).calc_layout_string(CardRenderer(True))
        assert text.dumps(deal.deal(rules)) == expected


def test_double_golf_and_free_start() -> None:
    assert DealNumber(5).deal(PRESETS["double"]).problems() == ()
    free = DealNumber(906).deal(PRESETS["free-start"])
    assert text.dumps(free).startswith("Talon: 5S 6D KC")


@pytest.mark.parametrize(
    ("written", "deal"),
    [
        ("906", DealNumber(906)),
        ("#906", DealNumber(906)),
        ("golf 906", DealNumber(906)),
        ("pysolfc:906", DealNumber(906)),
        ("PySolFC #906\n", DealNumber(906)),
        ("ms11982", DealNumber(11982, "ms")),
        ("pysol: 24", DealNumber(24, "pysol")),
    ],
)
def test_reads(written: str, deal: DealNumber) -> None:
    assert numbers.loads(written) == deal


@pytest.mark.parametrize(
    "written", ["", "0", "x906", "pysolfc:", "906 907", "-3", "ms:99999999999", "9" * 30]
)
def test_refuses(written: str) -> None:
    with pytest.raises(FormatError):
        numbers.loads(written)


def test_refuses_other_shuffles_and_jokers() -> None:
    with pytest.raises(FormatError, match="'dice'"):
        DealNumber(3, "dice")
    with pytest.raises(FormatError, match="jokers"):
        DealNumber(3).deal(PRESETS["jokers"])


@given(st.builds(DealNumber, st.integers(1, 2**33 - 1), st.sampled_from(GENERATORS)))
def test_round_trip(deal: DealNumber) -> None:
    assert numbers.loads(numbers.dumps(deal)) == deal
    file = io.StringIO()
    numbers.dump(deal, file)
    assert numbers.load(io.StringIO(file.getvalue())) == deal
    assert deal.deal().problems() == ()
