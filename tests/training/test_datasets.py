"""Decks, scenes and labels, without training anything; needs OpenCV, so only with the ``train`` extra."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("cv2", reason="needs the train extra")

from companion.vision.types import Finds, Index
from datasets import finder, reader, tables
from datasets.decks import names, store
from datasets.decks.drawn import draw_deck
from datasets.scene import camera, layout
from datasets.scene.compose import compose


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("decks")
    for seed in (0, 1, 4):  # 4 is held out
        faces, index = draw_deck(seed, {})
        store.save(path, f"drawn-{seed:04d}", faces, index)
    return path


def test_held_out_decks_are_never_drawn_for_training(folder: Path) -> None:
    assert set(finder.training_decks(folder, False)) == {"drawn-0000", "drawn-0001"}
    assert set(finder.training_decks(folder, True)) == {"drawn-0004"}
    left_out = {"anglo_poker", "berlin", "ornamental", "kde-nicu-ornamental"}
    assert all(names.is_held_out(deck) for deck in left_out)


def test_a_mixed_deck_has_many_prints_on_one_paper(tmp_path: Path) -> None:
    faces, index = draw_deck(0, {}, mixed=True)
    heights = {round(g.rank[3] - g.rank[1]) for g in index.values()}
    assert len(heights) > 10
    papers = {np.asarray(faces[n])[names.HEIGHT // 2, 8].tobytes() for n in names.CARDS if n[0] in "23456789"}
    assert len(papers) == 1
    store.save(tmp_path, "mixed-0004", faces, index)
    assert not names.is_held_out("mixed-0004")
    assert names.is_drawn("mixed-0004")
    assert finder.training_decks(tmp_path, False) == ("mixed-0004",)


def test_a_scene_depends_on_its_number_alone(folder: Path) -> None:
    first, again, other = (finder.draw(k, folder, side=160) for k in (7, 7, 8))
    assert np.array_equal(first.image, again.image)
    assert finder.label_lines(first) == finder.label_lines(again)
    assert not np.array_equal(first.image, other.image)


def test_index_points_lie_on_ink_of_their_own(folder: Path) -> None:
    """On one bare card the points are where the measured boxes say, at both corners, and never mirrored."""
    deck = store.load(folder, "drawn-0000")
    card = layout.Placed("7S", 0.0, 0.0, 0.0)
    rng = random.Random(1)
    matrix = camera.homography(rng, (0.0, 0.0), 200.0, (160.0, 160.0), tilt=0.0, turn=0.0)
    scene = compose(rng, deck, [card], matrix, (320, 320))
    assert len(scene.indices) == 2 * (deck.index["7S"].corners // 2)
    middle = np.array([160.0, 160.0])
    for index in scene.indices:
        assert index.card == "7S"
        # the rank lies nearer to the card's short edge than the suit sign
        assert abs(index.rank_xy[1] - middle[1]) > abs(index.suit_xy[1] - middle[1])
    upper = min(scene.indices, key=lambda i: float(i.rank_xy.sum()))
    box = np.array(deck.index["7S"].rank) * 200 / names.WIDTH
    assert upper.rank_xy[0] == pytest.approx(60 + (box[0] + box[2]) / 2, abs=1.5)


def test_covered_indices_are_not_labelled(folder: Path) -> None:
    deck = store.load(folder, "drawn-0001")
    below, above = layout.Placed("KH", 0, 0, 0), layout.Placed("2C", 0, 0, 0)
    rng = random.Random(2)
    matrix = camera.homography(rng, (0.0, 0.0), 120.0, (120.0, 120.0), tilt=0.0, turn=0.3)
    scene = compose(rng, deck, [below, above], matrix, (240, 240))
    assert {i.card for i in scene.indices} <= {"2C"}


def test_an_index_counts_though_its_suit_sign_is_covered(folder: Path) -> None:
    """Where cards lie close the next one hides the sign; the rank still lets the game go on."""
    deck = store.load(folder, "drawn-0001")
    place = deck.index["7S"]
    step = (place.rank[3] + place.suit[1]) / 2 / names.WIDTH
    cards = [layout.Placed("7S", 0, 0, 0), layout.Placed("2C", 0, step, 0)]
    rng = random.Random(5)
    matrix = camera.homography(rng, (0.0, 0.0), 150.0, (160.0, 160.0), tilt=0.0, turn=0.0)
    scene = compose(rng, deck, cards, matrix, (320, 320))
    assert "7S" in {i.card for i in scene.indices}


def test_cuts_carry_the_name_of_their_index(folder: Path) -> None:
    scene = next(s for s in (finder.draw(k, folder, side=256) for k in range(50)) if len(s.indices) > 3)
    cuts = reader.cuts_of(random.Random(0), scene)
    named = [(c.rank, c.suit) for c in cuts if c.rank >= 0]
    assert {names.RANKS[r] + names.SUITS[s] for r, s in named} <= {
        i.card for i in (*scene.indices, *scene.legible)
    }
    assert all(c.cut.shape == (80, 64, 3) and c.cut.dtype == np.uint8 for c in cuts)
    assert all(c.around.shape == (44, 104, 3) and c.around.dtype == np.uint8 for c in cuts)


def test_every_layout_uses_a_card_once() -> None:
    jokers = 0
    for seed in range(60):
        placed = layout.any_layout(random.Random(seed))
        cards = [p.face for p in placed if p.face in names.CARDS]
        two_packs = max((p.column for p in placed), default=0) == 8 and len(cards) > 40
        assert max(cards.count(c) for c in cards) <= (2 if two_packs else 1)
        jokers = max(jokers, sum(p.face in names.JOKERS for p in placed))
    assert 2 < jokers <= 6
    fresh = layout.golf(random.Random(3), fresh=True)
    assert [sum(p.column == c for p in fresh) for c in range(7)] == [5] * 7
    assert sum(p.where == "discard" for p in fresh) == 1


def test_no_font_has_spade_and_club_swapped() -> None:
    """A club has a waist under its top leaf; a spade only widens from its point down to its shoulders.

    FreeSerif Bold has the two swapped, and taught the reader to doubt every black suit.
    """
    from PIL import Image, ImageDraw, ImageFont

    from datasets.decks.fonts import suit_fonts

    def narrows(file: str, sign: str) -> bool:
        image = Image.new("L", (400, 400))
        ImageDraw.Draw(image).text((60, 60), sign, fill=255, font=ImageFont.truetype(file, 240))
        widths = (np.asarray(image.crop(image.getbbox())) > 128).sum(1)
        upper = widths[: int(0.55 * len(widths))].astype(float)
        return bool((np.maximum.accumulate(upper) - upper).max() > 0.005 * widths.max())

    for file in suit_fonts():
        assert not narrows(file, "♠"), file
        assert narrows(file, "♣"), file


def test_a_jokers_corners_are_marked_where_other_cards_have_their_index(folder: Path) -> None:
    deck = store.load(folder, "drawn-0000")
    rng = random.Random(3)
    cards = [
        layout.Placed("J1", 0.0, 0.0, 0.1),
        layout.Placed("9C", 1.4, 0.0, 0.0),
        layout.Placed("back", 2.8, 0.0, 0.0),
    ]
    matrix = camera.homography(rng, (1.4, 0.0), 60.0, (160.0, 160.0), tilt=0.1, turn=0.0)
    scene = compose(rng, deck, cards, matrix, (320, 320))
    corners = deck.index["9C"].corners
    assert [sign.card for sign in scene.jokers] == ["J1"] * corners
    assert {index.card for index in scene.indices} == {"9C"}
    assert len(scene.backs) == 1
    kinds = [line.split()[0] for line in finder.label_lines(scene)]
    assert sorted(kinds) == ["0"] * corners + ["1"] + ["2"] * corners
    for line in finder.label_lines(scene):
        if line.startswith("2"):
            assert [float(v) for v in line.split()[-6:]][2::3] == [2.0, 2.0]


def test_a_deck_without_jokers_lays_a_card_face_down_and_says_so(folder: Path) -> None:
    deck = store.load(folder, "drawn-0001")
    names_left = tuple(n for n in deck.names if n not in names.JOKERS)
    levels = tuple(level[[deck.names.index(n) for n in names_left]] for level in deck.levels)
    deck = store.Deck(deck.name, names_left, levels, deck.index)
    rng = random.Random(4)
    matrix = camera.homography(rng, (0.0, 0.0), 120.0, (160.0, 160.0), tilt=0.0, turn=0.0)
    scene = compose(rng, deck, [layout.Placed("J2", 0.0, 0.0, 0.0)], matrix, (320, 320))
    assert (len(scene.jokers), len(scene.backs)) == (0, 1)


def test_a_table_differs_in_its_deck_alone_when_that_is_held_out(folder: Path) -> None:
    """Else the error on unknown decks and on known ones can't be compared: tables differ more than decks."""
    (_, known), (_, unknown) = (tables.draw(0, folder, held) for held in (False, True))
    assert known["deck"] != unknown["deck"]
    for key in ("columns", "size", "tilt_deg", "discard_top", "stock"):
        assert known[key] == unknown[key]


def test_a_tables_truth_names_the_cards_that_nobody_can_read(folder: Path) -> None:
    scene, truth = tables.draw(4, folder, held_out=False)
    dealt = {card for column in truth["columns"] for card in column} | {truth["discard_top"]}
    shown = {index.card for index in scene.indices}
    assert set(truth["hidden"]) == dealt - shown != set()
    assert len(shown) > 20


def test_a_table_with_jokers_is_drawn_of_a_deck_that_has_them(folder: Path) -> None:
    jokers = 0
    for number in range(4):
        scene, truth = tables.draw(number, folder, held_out=False, jokers=True)
        dealt = [card for column in truth["columns"] for card in column] + truth["others"]
        jokers += sum(card in names.JOKERS for card in dealt)
        assert bool(scene.jokers) <= any(c in names.JOKERS for c in (*dealt, truth["discard_top"]))
    assert jokers


def test_cuts_as_found_are_named_on_an_index_and_none_far_from_any(
    folder: Path,
) -> None:
    scene = finder.draw(11, folder, side=640, scales=(180, 200))
    index = next(i for i in scene.indices if np.hypot(*(i.suit_xy - i.rank_xy)) > 12)

    def found(rank_xy: np.ndarray, suit_xy: np.ndarray) -> Index:
        height = reader.HEIGHT_TO_DISTANCE * float(np.hypot(*(suit_xy - rank_xy)))
        return Index(tuple(rank_xy), tuple(suit_xy), height, 0.5)  # type: ignore[arg-type]

    arm = index.suit_xy - index.rank_xy
    on = found(index.rank_xy + 0.2 * arm, index.suit_xy)
    near = found(index.rank_xy + 0.9 * arm, index.suit_xy + 0.9 * arm)
    swapped = found(index.suit_xy + 0.4 * arm, index.rank_xy)
    cuts = reader.cuts_as_found(scene, Finds((on, near, swapped), (), ()))
    assert [(c.rank, c.suit) for c in cuts] == [
        (names.RANKS.index(index.card[0]), names.SUITS.index(index.card[1])),
        (-1, -1),
    ], "one that is half on an index is left out"
    assert cuts[0].suit_seen == index.suit_seen


def test_an_index_is_labelled_and_cut_when_half_of_its_rank_shows(folder: Path) -> None:
    deck = store.load(folder, "drawn-0001")
    rank = deck.index["KH"].rank
    for shown, expected in ((0.7, True), (0.3, False)):
        step = (rank[1] + shown * (rank[3] - rank[1])) / names.WIDTH
        placed = [layout.Placed("KH", 0, 0, 0), layout.Placed("2C", 0, step, 0)]
        rng = random.Random(3)
        matrix = camera.homography(rng, (0.0, -0.4), 300.0, (260.0, 260.0), tilt=0.0, turn=0.0)
        scene = compose(rng, deck, placed, matrix, (520, 520))
        upper = min((i for i in scene.partial if i.card == "KH"), key=lambda i: float(i.rank_xy.sum()))
        assert any(i is upper for i in scene.legible) == expected
        cuts = reader.cuts_of(random.Random(1), scene)
        assert any(c.rank == names.RANKS.index("K") for c in cuts) == expected
        labelled = [line for line in finder.label_lines(scene) if line.startswith("0 ")]
        assert len(labelled) == len(scene.indices) + len(scene.legible)


def test_scattered_cards_have_those_in_view_for_truth(folder: Path) -> None:
    scene, truth = tables.draw(1, folder, held_out=False, scattered=True)
    assert truth["columns"] == []
    assert truth["layout"] != "golf"
    assert set(truth["others"]) >= {index.card for index in scene.indices} != set()


def test_a_table_of_two_packs_has_nine_columns_and_no_card_three_times(folder: Path) -> None:
    _, truth = tables.draw(1, folder, held_out=False, double=True)
    dealt = [card for column in truth["columns"] for card in column]
    assert (len(truth["columns"]), truth["packs"]) == (9, 2)
    assert max(map(len, truth["columns"])) == 7
    assert max(map(dealt.count, dealt)) == 2


def test_scenes_of_strips_show_the_tips_of_most_signs(folder: Path) -> None:
    for number in range(4):
        rng = random.Random(number)
        deck = store.load(folder, "drawn-0001")
        top, bottom = deck.usual_index.suit[1], deck.usual_index.suit[3]
        assert top < finder.tips_step(rng, deck) * names.WIDTH < (top + bottom) / 2
    scene = finder.draw(3, folder, side=640, scales=(100, 120), narrow=1.0, tips=True)
    seen = [index.suit_seen for index in scene.indices]
    assert np.mean([part < 0.6 for part in seen]) > 0.5
