"""The layout, on simulated tables seen by a tilted camera."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.assign import name_cards
from companion.vision.table import Place, Table, arrange
from companion.vision.types import Back, Finds, Index, JokerSign, Quad, Reading

from .tables import (
    HEIGHT,
    WIDTH,
    Camera,
    Design,
    Laid,
    Noise,
    Scene,
    fans,
    golf,
    reading,
    scattered,
    shoot,
    snap,
    visible,
)

COLUMNS = [
    ["4S", "9D", "KC"],
    ["7H", "2C", "JS", "AD"],
    ["QH", "6C", "3S"],
    ["TD", "8S", "5C"],
    ["KD", "4H", "9S"],
]
EXACT = Noise(point=0.001, soft=0.001)
USUAL = Noise(point=0.025, soft=0.01)
HARD = Noise(point=0.03, missing=0.03, false=0.03, confusion=0.03)


def camera_for(
    rng: np.random.Generator,
    scene: Scene,
    turn: float | None = None,
    tilt: float | None = None,
    fov: float | None = None,
) -> Camera:
    turn = rng.uniform(0, 360) if turn is None else turn
    return snap(
        rng,
        scene,
        turn=turn,
        tilt=rng.uniform(0, 45) if tilt is None else tilt,
        azimuth=rng.uniform(-30, 30),
        fov=rng.uniform(0.85, 1.2) if fov is None else fov,
    )


def laid_out(table: Table, called: Callable[[Place], str]) -> tuple[list[list[str]], list[str], list[str]]:
    columns: dict[int, list[str]] = {}
    for place in table.places:
        if place.where == "column":
            assert place.column is not None
            assert place.row == len(columns.setdefault(place.column, []))
            columns[place.column].append(called(place))
    assert sorted(columns) == list(range(len(columns)))
    return (
        [columns[k] for k in sorted(columns)],
        [called(place) for place in table.places if place.where == "discard"],
        [called(place) for place in table.places if place.where == "loose"],
    )


def by(owner: dict[Quad, str]) -> Callable[[Place], str]:
    return lambda place: "??" if place.index is None else owner[place.index]


def five_columns() -> list[Laid]:
    return [
        Laid(n, 80.0 * c, 22.0 * r, 0, "column", c)
        for c, names in enumerate(COLUMNS)
        for r, n in enumerate(names)
    ]


def slid_apart(
    rng: np.random.Generator, x: float, y: float, far: float, turned: tuple[float, float]
) -> list[Laid]:
    """A discard of three, its top at a place, the others up to so far off; turned at most: these, the top."""
    under = []
    for name in ("8H", "QS"):
        aside, down = rng.uniform(-far, far, 2)
        under.append(Laid(name, x + aside, y + down, rng.uniform(-turned[0], turned[0]), "discard"))
    return [*under, Laid("6S", x, y, rng.uniform(-turned[1], turned[1]), "discard")]


def see(rng: np.random.Generator, scene: Scene, noise: Noise, turn: float | None = None, **lens: float):
    """Columns, discard and loose cards as the layout has them and as they truly are, by their true owners."""
    camera = camera_for(rng, scene, turn, **lens)
    finds, readings, owners = shoot(rng, scene, camera, noise)
    table = arrange(finds, readings, camera.size)
    owner = {index.quad: name for index, name in zip(finds.indices, owners, strict=True)}
    columns, discard, loose = laid_out(table, by(owner))
    return (columns, discard[-1] if discard else None, loose), visible(scene, owners)


def is_right(got: tuple, truth: tuple) -> bool:
    columns = [[name for name in column if name != "??"] for column in got[0]]
    return (columns, got[1]) == truth


@pytest.mark.parametrize("state", ["deal", "mid", "late"])
@pytest.mark.parametrize("noise", [EXACT, USUAL], ids=["exact", "usual"])
def test_clean_tables_are_all_right(state: str, noise: Noise) -> None:
    for seed in range(12):
        rng = np.random.default_rng(seed)
        scene = golf(rng, state=state, care=rng.uniform(0, 0.7))
        if not scene.columns or not scene.backs:
            continue
        got, truth = see(rng, scene, noise)
        assert is_right(got, truth), seed


def test_any_turn_of_the_camera() -> None:
    scene = golf(np.random.default_rng(1), care=0.3)
    for turn in range(0, 360, 45):
        got, truth = see(np.random.default_rng(turn), scene, USUAL, turn)
        assert is_right(got, truth), turn
        assert truth[0] == scene.columns


@pytest.mark.parametrize("fov", [0.4, 0.55, 2.6])
def test_a_wide_lens_and_a_zoom_from_the_side(fov: float) -> None:
    for seed in range(10):
        rng = np.random.default_rng(seed)
        scene = golf(rng, state=["deal", "mid"][seed % 2])
        if scene.columns and scene.backs:
            got, truth = see(rng, scene, USUAL, tilt=rng.uniform(30, 48), fov=fov)
            assert is_right(got, truth), seed


def test_the_photo_says_how_it_has_to_be_turned_for_the_player() -> None:
    rng = np.random.default_rng(2)
    scene = golf(rng, care=0.2)
    for turn in (0, 90, 200):
        camera = snap(rng, scene, turn=turn, tilt=0)
        finds, readings, _ = shoot(rng, scene, camera, EXACT)
        turned_back = (arrange(finds, readings, camera.size).turn + turn) % 360
        assert min(turned_back, 360 - turned_back) < 4


@pytest.mark.parametrize(("state", "least"), [("deal", 0.9), ("mid", 0.9), ("late", 0.85)])
def test_missing_and_false_finds_seldom_spoil_a_table(state: str, least: float) -> None:
    right = []
    for seed in range(30):
        rng = np.random.default_rng(seed + 100)
        scene = golf(rng, state=state, care=rng.uniform(0, 0.8))
        if scene.columns and scene.backs:
            right.append(is_right(*see(rng, scene, HARD)))
    assert np.mean(right) >= least


def test_a_missing_card_never_shifts_a_column() -> None:
    """What is found of each column stays together and in order, whichever single index is missed."""
    scene = golf(np.random.default_rng(3), care=0.2)
    scene.design = Design()
    camera = camera_for(np.random.default_rng(3), scene)
    finds, readings, owners = shoot(np.random.default_rng(3), scene, camera, USUAL)
    for gone in range(0, len(owners), 3):
        keep = [k for k in range(len(owners)) if k != gone]
        fewer = Finds(tuple(finds.indices[k] for k in keep), finds.backs)
        table = arrange(fewer, [readings[k] for k in keep], camera.size)
        owner = {finds.indices[k].quad: owners[k] for k in keep}
        columns, discard, _ = laid_out(table, by(owner))
        truth = visible(scene, [owners[k] for k in keep])
        assert is_right((columns, discard[-1] if discard else None), truth), owners[gone]


def test_a_gap_in_a_tidy_column_is_an_unread_card() -> None:
    rng = np.random.default_rng(4)
    scene = golf(rng, care=0.1)
    scene.design = Design()
    camera = camera_for(rng, scene)
    finds, readings, owners = shoot(rng, scene, camera, USUAL)
    hidden = scene.columns[2][2]
    keep = [k for k, name in enumerate(owners) if name != hidden]
    table = arrange(
        Finds(tuple(finds.indices[k] for k in keep), finds.backs), [readings[k] for k in keep], camera.size
    )
    owner = {finds.indices[k].quad: owners[k] for k in keep}
    columns, _, _ = laid_out(table, by(owner))
    expected = [list(column) for column in scene.columns]
    expected[2][2] = "??"
    assert columns == expected


@pytest.mark.parametrize("make", [fans, scattered])
def test_other_layouts_are_loose_and_each_card_is_there_once(make: Callable[..., Scene]) -> None:
    for seed in range(8):
        rng = np.random.default_rng(seed)
        scene = make(rng)
        (columns, discard, loose), _ = see(rng, scene, USUAL)
        assert (columns, discard) == ([], None), seed
        assert len(loose) == len(set(loose)), seed


def test_drawings_among_loose_cards_are_no_cards() -> None:
    rng = np.random.default_rng(12)
    scene = scattered(rng)
    camera = camera_for(rng, scene)
    finds, readings, _ = shoot(rng, scene, camera, USUAL)
    plain = arrange(finds, readings, camera.size)
    drawings = []
    for card in scene.cards[::2]:  # in the middle of a card, and beside one
        for local in (np.array([[0, 0], [0, 8]]), np.array([[WIDTH * 0.75, 0], [WIDTH * 0.75, 8]])):
            rank_xy, suit_xy = (tuple(map(float, p)) for p in camera.see(card.place(local)))
            drawings.append(Index(rank_xy, suit_xy, finds.indices[0].height, 0.12))
    vague = Reading(np.array([0.3, 0.25, 0.25, 0.2] + [0.0] * 9), np.full(4, 0.25), 0.97)
    more = Finds((*finds.indices, *drawings), finds.backs)
    table = arrange(more, [*readings, *[vague] * len(drawings)], camera.size)
    assert len(table.places) == len(plain.places) == len(scene.cards)


def test_pips_that_pass_for_indices_in_the_other_corners_do_not_split_columns() -> None:
    """Narrow decks: the pips of a few cards stand where a deck with four indices has them."""
    rng = np.random.default_rng(8)
    scene = golf(rng, care=1.2)
    scene.design = Design(14.0, 8.0, 16.0)
    camera = camera_for(rng, scene, tilt=rng.uniform(0, 20))
    finds, readings, owners = shoot(rng, scene, camera, USUAL)
    whole = [card for card in scene.cards if owners.count(card.name) == 2]
    pips, read = [], []
    for card in whole[:3]:
        local = np.array([[WIDTH / 2 - 14.0, 8.0 - HEIGHT / 2], [WIDTH / 2 - 14.0, 16.0 - HEIGHT / 2]])
        rank_xy, suit_xy = (tuple(map(float, p)) for p in camera.see(card.place(local)))
        pips.append(Index(rank_xy, suit_xy, finds.indices[0].height, 0.6))
        read.append(reading(rng, card.name, USUAL))
    table = arrange(Finds((*finds.indices, *pips), finds.backs), [*readings, *read], camera.size)
    owner = {index.quad: name for index, name in zip(finds.indices, owners, strict=True)}
    owner |= {pip.quad: card.name for pip, card in zip(pips, whole, strict=False)}
    columns, discard, loose = laid_out(table, by(owner))
    assert is_right((columns, discard[-1] if discard else None, loose), visible(scene, owners))


def test_one_card_is_loose() -> None:
    scene = Scene([Laid("7H", 0, 0, 20)])
    (columns, discard, loose), _ = see(np.random.default_rng(0), scene, EXACT)
    assert (columns, discard, loose) == ([], None, ["7H"])


def test_the_single_card_on_the_top_line_is_a_column_and_the_one_below_the_discard() -> None:
    step, gap = 22.0, 72.0
    cards = [Laid(n, 0, k * step, 0, "column", 0) for k, n in enumerate(["2S", "9D", "KC"])]
    cards += [Laid(n, 2 * gap, k * step, 0, "column", 1) for k, n in enumerate(["3S", "8D"])]
    cards += [Laid("QC", 4 * gap, 0, 0, "column", 2), Laid("AH", 3 * gap, 140, 0, "discard")]
    got, truth = see(np.random.default_rng(5), Scene(cards), USUAL)
    assert is_right(got, truth)
    assert got[1] == "AH"


def test_jokers_take_their_place_in_a_column() -> None:
    rng = np.random.default_rng(6)
    scene = golf(rng, care=0.2)
    scene.design = Design()
    camera = camera_for(rng, scene)
    finds, readings, owners = shoot(rng, scene, camera, USUAL)
    joker = scene.columns[1][1]
    plain = [k for k, name in enumerate(owners) if name != joker]
    signs = tuple(
        JokerSign(i.rank_xy, i.suit_xy, i.height, 0.9)
        for i, n in zip(finds.indices, owners, strict=True)
        if n == joker
    )
    seen = Finds(tuple(finds.indices[k] for k in plain), finds.backs, signs)
    says = Reading(np.full(13, 1 / 13), np.full(4, 0.25), is_index=0.02, is_joker=0.97)
    table = arrange(seen, [*(readings[k] for k in plain), *[says] * len(signs)], camera.size)
    owner = {i.quad: n for i, n in zip(finds.indices, owners, strict=True)}
    columns, _, _ = laid_out(table, by(owner))
    assert columns == scene.columns
    # the finder takes many a joker's corner for an index, and the reader knows better
    taken = Finds(seen.signs, finds.backs)
    again = arrange(taken, [*(readings[k] for k in plain), *[says] * len(signs)], camera.size)
    assert laid_out(again, by(owner))[0] == scene.columns
    names = name_cards([place.names for place in again.places])
    named = [n.card for p, n in zip(again.places, names, strict=True) if (p.column, p.row) == (1, 1)]
    assert named == ["J1"]


def test_double_finds_are_one() -> None:
    rng = np.random.default_rng(7)
    scene = golf(rng, care=0.2)
    camera = camera_for(rng, scene)
    finds, readings, _ = shoot(rng, scene, camera, USUAL)
    again = tuple(
        Index(
            (i.rank_xy[0] + 1, i.rank_xy[1]), (i.suit_xy[0] + 1, i.suit_xy[1]), i.height, i.confidence * 0.7
        )
        for i in finds.indices
    )
    table = arrange(Finds(finds.indices + again, finds.backs), readings + readings, camera.size)
    single = arrange(finds, readings, camera.size)
    assert [(p.where, p.column, p.row) for p in table.places] == [
        (p.where, p.column, p.row) for p in single.places
    ]


def test_narrow_strips_that_hide_the_suit_signs() -> None:
    """Rank to rank is less than from rank to suit sign there."""
    right = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        scene = golf(rng, state="deal" if seed % 2 else "mid", care=0.2, narrow=True)
        if scene.columns and scene.backs:
            right.append(is_right(*see(rng, scene, Noise(point=0.015, soft=0.01, ranks_do=True))))
    assert np.mean(right) >= 0.9


def test_one_index_found_twice_half_an_index_apart_is_one_card() -> None:
    rng = np.random.default_rng(8)
    scene = golf(rng, care=0.2)
    camera = camera_for(rng, scene)
    finds, readings, _ = shoot(rng, scene, camera, USUAL)
    again = []
    for i in finds.indices[::3]:
        down = np.subtract(i.suit_xy, i.rank_xy) * 0.6
        again.append(
            Index(
                tuple(map(float, i.rank_xy + down)),
                tuple(map(float, i.suit_xy + down)),
                i.height,
                i.confidence * 0.8,
            )
        )
    both = Finds(finds.indices + tuple(again), finds.backs)
    table = arrange(both, readings + readings[::3], camera.size)
    single = arrange(finds, readings, camera.size)
    assert [(p.where, p.column, p.row) for p in table.places] == [
        (p.where, p.column, p.row) for p in single.places
    ]


def test_a_wider_step_in_a_careless_column_is_no_gap() -> None:
    steps = [[30, 30], [26, 36, 26, 32], [27, 34, 30], [31, 25, 31], [31, 35, 28, 27], [25, 42, 26], [39, 25]]
    names = iter(np.random.default_rng(9).permutation([r + s for s in "SHDC" for r in "A23456789TJQK"]))
    cards = []
    for column, rows in enumerate(steps):
        y = 0.0
        for row in [0, *rows]:
            y += row
            cards.append(Laid(str(next(names)), column * 75.0, y, 0, "column", column))
    cards.append(Laid(str(next(names)), 220, 240, 0, "discard"))
    got, _ = see(np.random.default_rng(9), Scene(cards), USUAL)
    assert all("??" not in column for column in got[0])
    assert [len(column) for column in got[0]] == [len(rows) + 1 for rows in steps]


@pytest.mark.parametrize("confidence", [0.11, 0.5])
def test_a_corner_that_shows_through_the_card_on_it_does_not_end_its_column(confidence: float) -> None:
    """Faintly as bent cards show it, or clearly; the card on it is seen from end to end."""
    cards = five_columns()
    over = next(card for card in cards if card.name == COLUMNS[1][-1])
    over.x += 8
    scene = Scene([*cards, Laid("5H", 160, 220, 0, "discard")])
    camera = snap(np.random.default_rng(1), scene, turn=0, tilt=20)
    finds, readings, owners = shoot(np.random.default_rng(1), scene, camera, EXACT)
    # the near end of the card under the last of the second column, as bent cards show it
    under = next(card for card in cards if card.name == COLUMNS[1][-2])
    local = np.array([[WIDTH / 2 - 5.5, HEIGHT / 2 - 8.0], [WIDTH / 2 - 5.5, HEIGHT / 2 - 14.5]])
    rank_xy, suit_xy = camera.see(under.place(local))
    faint = Index(tuple(map(float, rank_xy)), tuple(map(float, suit_xy)), finds.indices[0].height, confidence)
    seen = Finds((*finds.indices, faint), finds.backs)
    table = arrange(seen, [*readings, reading(np.random.default_rng(1), under.name, EXACT)], camera.size)
    owner = {i.quad: n for i, n in zip(seen.indices, [*owners, under.name], strict=True)}
    columns, _, _ = laid_out(table, by(owner))
    assert columns == scene.columns


def test_a_card_read_again_a_little_lower_as_another_is_not_a_second_card() -> None:
    """The rank stands alone in a strip, and the finder takes the court's head below it for one more."""
    cards = five_columns()
    scene = Scene([*cards, Laid("5H", 160, 220, 0, "discard")])
    camera = snap(np.random.default_rng(1), scene, turn=0, tilt=20)
    finds, readings, owners = shoot(np.random.default_rng(1), scene, camera, EXACT)
    again = next(k for k, name in enumerate(owners) if name == COLUMNS[2][1])
    index = finds.indices[again]
    down = np.subtract(index.suit_xy, index.rank_xy) * 0.62
    lower = [tuple(map(float, np.add(point, down))) for point in (index.rank_xy, index.suit_xy)]
    second = Index(lower[0], lower[1], index.height, 0.5)
    seen = Finds((*finds.indices, second), finds.backs)
    table = arrange(seen, [*readings, reading(np.random.default_rng(1), "JC", EXACT)], camera.size)
    owner = {i.quad: n for i, n in zip(seen.indices, [*owners, "JC"], strict=True)}
    columns, _, _ = laid_out(table, by(owner))
    assert columns == scene.columns


def test_the_top_of_a_discard_that_slid_apart_is_the_card_all_in_view() -> None:
    right = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        scene = Scene([*five_columns(), *slid_apart(rng, 160, 230, far=24, turned=(40, 30))])
        scene.backs.append(Laid("", 250, 230))
        got, truth = see(rng, scene, USUAL)
        assert got[0] == truth[0]
        right.append(got[1] == "6S")
    # where two cards show all their corners nothing tells which lies on top
    assert np.mean(right) > 0.9


def test_an_untidy_discard_at_the_end_of_the_row_is_no_column() -> None:
    """What slid out of the pile lies half under its top: that made one or two columns of it."""
    right = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        x, y = -90.0, rng.uniform(25, 45)
        scene = Scene([*five_columns(), *slid_apart(rng, x, y, far=16, turned=(12, 3))])
        scene.backs.append(Laid("", x + rng.uniform(-10, 10), y + 100))
        got, _ = see(rng, scene, USUAL)
        right.append(got[:2] == (scene.columns, "6S"))
    assert np.mean(right) >= 0.9


def test_nothing_found() -> None:
    assert arrange(Finds(), [], (400, 300)).places == ()


def test_every_index_needs_a_reading() -> None:
    with pytest.raises(ValueError, match="as many readings"):
        arrange(Finds((Index((1, 1), (1, 9), 16),)), [], (400, 300))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**31), st.integers(1, 30))
def test_whatever_is_found_comes_out_once(seed: int, count: int) -> None:
    """Random marks make no sense, but never raise, and no index serves two cards."""
    rng = np.random.default_rng(seed)
    indices, readings = [], []
    for _ in range(count):
        at, arm = rng.uniform(0, 1000, 2), rng.normal(0, 20, 2)
        indices.append(
            Index(tuple(map(float, at)), tuple(map(float, at + arm)), 40.0, float(rng.uniform(0.1, 1)))
        )
        readings.append(reading(rng, "7H" if rng.random() < 0.5 else "KS", Noise(soft=0.3)))
    table = arrange(Finds(tuple(indices)), readings, (1000, 1000))
    shown = [place.index for place in table.places if place.index is not None]
    assert len(shown) == len(set(shown))
    assert set(shown) <= {index.quad for index in indices}


def test_a_reading_needs_thirteen_ranks_and_four_suits() -> None:
    with pytest.raises(ValueError, match="13 ranks and 4 suits"):
        Reading(np.ones(4), np.ones(13))


def test_a_blurred_index_that_shows_as_well_as_others_keeps_its_place() -> None:
    """The finder sees it like the others, only nobody can read it: an unread card and no missing one."""
    cards = five_columns()
    scene = Scene([*cards, Laid("5H", 160, 220, 0, "discard")])
    camera = snap(np.random.default_rng(1), scene, turn=0, tilt=20)
    finds, readings, owners = shoot(np.random.default_rng(1), scene, camera, EXACT)
    vague = Reading(np.array([0.3, 0.3, 0.2, 0.2] + [0.0] * 9), np.full(4, 0.25), 0.95)
    blurred = {COLUMNS[0][0], COLUMNS[3][1]}
    mixed = [vague if n in blurred else r for n, r in zip(owners, readings, strict=True)]
    columns, _, _ = laid_out(
        arrange(finds, mixed, camera.size),
        by(dict(zip((i.quad for i in finds.indices), owners, strict=True))),
    )
    assert columns == scene.columns


def drawn_at(
    camera: Camera, x: float, y: float, like: Index, confidence: float, length: float = 6.5
) -> Index:
    """A find on the table at millimetres that is no index."""
    rank_xy, suit_xy = (tuple(map(float, p)) for p in camera.see(np.array([[x, y], [x, y + length]])))
    return Index(rank_xy, suit_xy, like.height, confidence)


@pytest.mark.parametrize(
    "places",
    [
        # curls beside the last column, one below the other, a card's width from it
        [(4 * 80.0 + 35, -30.0, 0.65), (4 * 80.0 + 35, -8.0, 0.3)],
        # above the line on which the columns begin
        [(160.0 - 26, -36.0 - 40, 0.3)],
    ],
)
def test_a_few_drawings_are_no_column_and_no_end_of_one(places: list[tuple[float, float, float]]) -> None:
    cards = five_columns()
    scene = Scene([*cards, Laid("5H", 160, 250, 0, "discard")])
    camera = snap(np.random.default_rng(1), scene, turn=0, tilt=20)
    finds, readings, owners = shoot(np.random.default_rng(1), scene, camera, EXACT)
    drawings = [drawn_at(camera, x, y, finds.indices[0], seen) for x, y, seen in places]
    half = Reading(np.array([0.8, 0.2] + [0.0] * 11), np.full(4, 0.25), 0.95)
    both = Finds((*finds.indices, *drawings), finds.backs)
    table = arrange(both, [*readings, *[half] * len(drawings)], camera.size)
    owner = {i.quad: n for i, n in zip(both.indices, [*owners, *["drawing"] * len(drawings)], strict=True)}
    columns, discard, _ = laid_out(table, by(owner))
    assert (columns, discard) == (scene.columns, ["5H"])


@pytest.mark.parametrize("x", [-80.0, 7 * 80.0])
def test_in_a_row_of_eight_the_single_card_by_the_stock_is_the_discard(x: float) -> None:
    names = iter(np.random.default_rng(9).permutation([r + s for s in "SHDC" for r in "A23456789TJQK"]))
    cards = [Laid(str(next(names)), 80.0 * c, 22.0 * r, 0, "column", c) for c in range(7) for r in range(5)]
    scene = Scene([*cards, Laid(str(next(names)), x, 4, 0, "discard")])
    scene.backs.append(Laid("", x, 125))
    got, truth = see(np.random.default_rng(2), scene, USUAL)
    assert is_right(got, truth)
    assert got[1] == scene.discard


@pytest.mark.parametrize("at", [(-90.0, 0.0), (400.0, 30.0), (160.0, 330.0)])
def test_large_letters_beside_the_cards_are_no_card(at: tuple[float, float]) -> None:
    """A headline's "8f" read well, but was three times as long as the cards' indices: it became a column."""
    cards = five_columns()
    scene = Scene([*cards, Laid("5H", 160, 250, 0, "discard")])
    camera = snap(np.random.default_rng(3), scene, turn=0, tilt=20)
    finds, readings, owners = shoot(np.random.default_rng(3), scene, camera, EXACT)
    letters = drawn_at(camera, *at, finds.indices[0], 0.4, length=20.0)
    says = Reading(np.eye(13)[7] * 0.87 + 0.01, np.array([0.03, 0.03, 0.91, 0.03]), 1.0)
    both = Finds((*finds.indices, letters), finds.backs)
    table = arrange(both, [*readings, says], camera.size)
    owner = {i.quad: n for i, n in zip(both.indices, [*owners, "letters"], strict=True)}
    assert laid_out(table, by(owner)) == (scene.columns, ["5H"], [])


@pytest.mark.parametrize(
    ("away", "confidence", "kept"), [(0.0, 0.8, 0), (0.5, 0.8, 0), (0.8, 0.8, 1), (0, 0.3, 1)]
)
def test_aces_printed_on_a_back_are_no_cards(away: float, confidence: float, kept: int) -> None:
    """A deck's back shows its four aces; the corners of a card that lies on the pile are further out."""
    cards = five_columns()
    scene = Scene([*cards, Laid("5H", 160, 250, 0, "discard")])
    camera = snap(np.random.default_rng(3), scene, turn=0, tilt=20)
    finds, readings, owners = shoot(np.random.default_rng(3), scene, camera, EXACT)
    middle, half = np.array([320.0, 290.0]), np.array([31.0, 44.0])
    signs = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    quad = tuple(tuple(map(float, p)) for p in camera.see(middle + np.array(signs) * half))
    ace = drawn_at(camera, *(middle - half * away - (0, 3.25)), finds.indices[0], 0.9)
    says = Reading(np.eye(13)[0], np.array([1.0, 0.0, 0.0, 0.0]), 1.0)
    both = Finds((*finds.indices, ace), (Back(quad, confidence),))
    table = arrange(both, [*readings, says], camera.size)
    owner = {i.quad: n for i, n in zip(both.indices, [*owners, "AS"], strict=True)}
    columns, discard, loose = laid_out(table, by(owner))
    assert columns == scene.columns
    assert len(discard) + len(loose) == 1 + kept
