"""Rounds as JSON, CSV, text, PDF, pictures and charts."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from companion.formats import (
    card_pdf,
    card_png,
    card_text,
    card_words,
    chart_png,
    round_csv,
    round_json,
    round_view,
)
from companion.formats.card_sheet import Sheet, draw
from companion.formats.errors import FormatError
from companion.game import keeping
from companion.game.grid import GridRules
from companion.game.keeping import NewScore
from companion.game.record import Archive
from companion.game.round import Event, Player, Round
from companion.game.rules import PRESETS, Rules
from companion.game.stats import statistics

AT = "2026-01-01T10:00:00.000Z"
NAMES = ("Anna", "Bernd Müller", "Åsa", "Dörte", "E", "F", "G", "H")


def begin(rules, names=("Anna",), **how) -> Round:
    players = [Player(f"{n:032x}", name) for n, name in enumerate(names, 1)]
    return keeping.begin("c" * 32, players, rules, AT, event="e" * 32, **how)


def enter(round: Round, *scores: NewScore) -> Round:
    for new in scores:
        entry = keeping.enter(round, new, AT, f"{len(round.entries) + 100:032x}")
        round = replace(round, entries=(*round.entries, entry))
    return round


def played(rules=None, names=("Anna",), lefts=(4, 5, 6, 0, 9), **how) -> Round:
    round = begin(rules or Rules(), names, **how)
    for left in lefts:
        round = enter(round, *[NewScore(name, left=left) for name in names])
    return round


@st.composite
def rounds(draw) -> Round:
    """Any round of either game, with corrections, hints and extra events."""
    grid = draw(st.booleans())
    names = NAMES[: draw(st.integers(2 if grid else 1, 4))]
    holes = draw(st.integers(1, 20))
    rules = (
        GridRules(holes=holes)
        if grid
        else replace(draw(st.sampled_from(list(PRESETS.values()))), holes=holes)
    )
    round = begin(rules, names, name=draw(st.sampled_from(["", "Sunday", "=1+1"])))
    for name in names:
        for _ in range(draw(st.integers(0, holes))):
            n = draw(st.integers(0, 12))
            how = (
                {"points": n - 5}
                if grid
                else {"left": n}
                if draw(st.booleans())
                else {"stock": min(n, rules.stock_size)}
            )
            round = enter(round, NewScore(name, hinted=draw(st.booleans()), **how))
    if round.entries and draw(st.booleans()):
        old = round.entries[0]
        how = {"points": 3} if grid else {"left": 3}
        new = keeping.correct(round, NewScore(old.player, old.hole, reason="ü", **how), AT, "d" * 32)
        round = replace(round, entries=(*round.entries, new))
    if draw(st.booleans()):
        round = replace(round, events=(*round.events, Event("f" * 32, "abandoned", AT, "rain")))
    return round


@given(rounds())
def test_json_reads_back_as_the_same(round):
    archive = Archive(round.players, (round,))
    text = round_json.dumps(archive)
    assert round_json.loads(text) == archive
    assert round_json.dumps(round_json.loads(text)) == text


@given(rounds())
def test_the_view_agrees_with_the_round(round):
    view = json.loads(json.dumps(round_view.document(round)))
    for player, shown in zip(round.players, view["players"], strict=True):
        assert shown["total"] == sum(s["strokes"] for s in shown["scores"] if s)
        assert shown["played"] == sum(s is not None for s in shown["scores"])
        assert shown["to_par"] == round.to_par(player.id)
    assert len(round_view.history(round)) == len(round.events) + len(round.entries)


@given(rounds())
def test_csv_has_a_row_a_hole_and_no_formula(round):
    text = round_csv.dumps([round])
    assert text.startswith("\ufeff")
    rows = list(csv.DictReader(io.StringIO(text[1:], newline="")))
    scored = sum(round.played(player.id) for player in round.players)
    assert len(rows) == scored
    assert sum(int(row["strokes"]) for row in rows) == sum(round.total(player.id) for player in round.players)
    for row in rows:
        for name, value in row.items():
            number = name in ("strokes", "to_par", "par")
            assert number or not value.startswith(("=", "+", "-", "@", "\t", "\r"))


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "  =1", "\r=1", "|x", "%0a", "＝1+1"]
)
def test_text_that_looks_like_a_formula_is_disarmed(text):
    assert round_csv.safe(text) == "'" + text
    assert round_csv.safe(-3) == -3
    assert round_csv.safe("Anna-Lena") == "Anna-Lena"


def test_csv_for_a_spreadsheet_set_to_german():
    text = round_csv.dumps([played(names=("Müller; Ben",))], ";")
    assert list(csv.reader(io.StringIO(text[1:]), delimiter=";"))[1][7] == "Müller; Ben"


def test_the_text_card_says_by_brackets_what_paper_says_by_shape():
    round = played(name="Sunday")
    round = enter(round, NewScore("Anna", stock=2, hinted=True))
    assert card_text.dumps(round).splitlines()[0] == "Golf Patience: Sunday"
    assert "Anna: (4) 5 [6] ((0)) [[9]] ((−2))* – – – = 22 (−8)" in card_text.dumps(round)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "Anna wins 5 and 4"), ("de", "Anna gewinnt 5 und 4"), ("sv", "Anna vinner 5–4")],
)
def test_the_result_of_a_match_in_each_language(language, sentence):
    round = begin(Rules(), ("Anna", "Ben"), form="match")
    assert card_words.result(round, "en") == "all square, 9 to play"
    for _ in range(5):
        round = enter(round, NewScore("Anna", left=1), NewScore("Ben", left=2))
    assert card_words.result(round, language) == sentence


@pytest.mark.parametrize(
    ("strokes", "sentence"),
    [
        ([(1, 2)], "Anna leads, points 1:0"),
        ([(1, 2), (2, 1), (3, 3)], "level: extra hole 1 decides, points 1:1"),
        ([(1, 2), (2, 3), (9, 3)], "Ben wins, points 2:4"),
        ([(1, 2), (2, 1), (3, 3), (2, 2), (1, 0)], "Ben wins at extra hole 2, points 1:1"),
    ],
)
def test_the_result_of_a_tournament(strokes, sentence):
    round = begin(Rules(holes=3, par=15), ("Anna", "Ben"), form="tournament")
    for first, second in strokes:
        round = enter(round, NewScore("Anna", left=first), NewScore("Ben", left=second))
    assert card_words.result(round, "en") == sentence


def test_every_word_is_there_in_every_language():
    for key, texts in card_words._WORDS.items():
        assert len(texts) == len(card_words.LANGUAGES), key
        fields = [sorted(part.split("}")[0] for part in text.split("{")[1:]) for text in texts]
        assert all(found == fields[0] for found in fields), key
    with pytest.raises(FormatError):
        card_text.dumps(played(), "xx")


CARDS = [
    (Rules(), ("Anna",), {}, "en"),
    (Rules(holes=18, par=72), NAMES[:4], {"form": "same_deal"}, "sv"),
    (Rules(holes=1, par=5), ("Anna",), {}, "de"),
    (Rules(holes=40, par=200), NAMES, {}, "en"),
    (Rules(), NAMES[:2], {"form": "match", "name": "A very long name of a round " * 4}, "de"),
    (GridRules(), NAMES, {"dealer": 3}, "sv"),
]


@pytest.mark.parametrize(("rules", "names", "how", "language"), CARDS)
def test_cards_are_drawn_for_every_kind_of_round(rules, names, how, language):
    round = begin(rules, names, **how)
    for hole in range(min(rules.holes, 9)):
        more = {"points": hole - 3} if isinstance(rules, GridRules) else {"left": hole}
        round = enter(round, *[NewScore(name, **more) for name in names])
    pdf = card_pdf.dumps(round, language)
    assert pdf.startswith(b"%PDF")
    assert pdf.count(b"/Type /Page\n") == 1
    assert card_pdf.dumps(round, language) == pdf
    if rules.holes <= 18:
        with Image.open(io.BytesIO(card_png.dumps(round, language))) as picture:
            assert picture.format == "PNG"
            assert picture.width > picture.height > 300


class Recorder:
    """A canvas that remembers what was drawn where."""

    def __init__(self):
        self.texts, self.shapes = [], []

    def text(self, x, y, text, size, colour, bold=False, align="left"):
        self.texts.append((round(y, 1), round(x, 1), text))

    def width(self, text, size, bold=False):
        return 0.2 * size * len(text)

    def circle(self, x, y, radius, colour, line):
        self.shapes.append(("circle", round(x, 1), round(y, 1)))

    def box(self, x, y, width, height, colour, line):
        self.shapes.append(("box", round(x + width / 2, 1), round(y + height / 2, 1)))

    def fill(self, *shape): ...

    def line(self, *shape): ...

    def polygon(self, *shape): ...


def test_the_card_has_every_score_sum_and_shape_in_its_place():
    played_round = begin(Rules(holes=27, par=135), ("Anna",))
    for left in [4, 5, 6, 3, 7, *[5] * 4, *[1] * 9, *[10] * 9]:
        played_round = enter(played_round, NewScore("Anna", left=left))
    canvas = Recorder()
    draw(Sheet(played_round, "en"), canvas)
    rows = {}
    for y, x, text in sorted(canvas.texts):
        rows.setdefault(y, []).append((x, text))
    lines = [[text for _, text in row] for row in rows.values() if row[0][1] == "Anna"]
    assert lines == [
        ["Anna", "4", "5", "6", "3", "7", "5", "5", "5", "5", "45", *["1"] * 9, "9"],
        ["Anna", *["10"] * 9, "90", "144", "+9"],
    ]
    pars = [[text for _, text in row] for row in rows.values() if row[0][1] == "Par"]
    assert pars == [["Par", *(["5"] * 9 + ["45"]) * 2], ["Par", *["5"] * 9, "45", "135", ""]]
    first = next(y for y, row in rows.items() if row[0][1] == "Anna")
    places = [x for x, _ in rows[first]]
    around = [
        (
            sum(shape == ("circle", x, first) for shape in canvas.shapes),
            sum(shape == ("box", x, first) for shape in canvas.shapes),
        )
        for x in places[1:6]
    ]
    assert around == [(1, 0), (0, 0), (0, 1), (2, 0), (0, 2)]


def test_a_score_is_really_drawn_on_the_card():
    empty, one = card_png.dumps(begin(Rules())), card_png.dumps(played(lefts=[4]))
    with Image.open(io.BytesIO(empty)) as a, Image.open(io.BytesIO(one)) as b:
        assert a.size == b.size
        red = [
            sum(
                count
                for count, (r, g, _) in picture.convert("RGB").getcolors(1 << 20) or []
                if r > 120 and g < 60
            )
            for picture in (a, b)
        ]
    assert red[1] > red[0] + 100  # a red circle and a red figure


def test_charts():
    round = played(lefts=[4, 0, 7, 5, 9, 1, 2, 3, 8])
    round = replace(round, events=(*round.events, Event("f" * 32, "finished", AT)))
    stats = statistics([round], round.players[0].id)
    for chart in (chart_png.distribution, chart_png.rounds):
        with Image.open(io.BytesIO(chart(stats, "Anna", "sv"))) as picture:
            assert picture.format == "PNG"
        with pytest.raises(FormatError):
            chart(statistics([], round.players[0].id), "Anna")


@settings(max_examples=40)
@given(
    st.text(max_size=60)
    | st.recursive(st.none() | st.integers() | st.text(max_size=4), st.lists).map(json.dumps)
)
def test_any_text_reads_or_gives_a_sentence(text):
    with pytest.raises(FormatError):
        round_json.loads(text)
