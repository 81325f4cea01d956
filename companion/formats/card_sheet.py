"""The scorecard as a drawing: a table like on a golf course, drawn on any canvas.

Under par stands in a circle, over par in a square, two or more in a double one; a dot marks a hole played
with hints, and in the grid game a line under the score marks who ended the hole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from companion.formats import card_words as words
from companion.formats.canvas import Canvas
from companion.game.grid import dealer
from companion.game.round import HoleScore, Player, Round

GREEN: Final = "#1f5a3c"
PALE: Final = "#e3eee2"
PAPER: Final = "#fffdf6"
INK: Final = "#1c2420"
GREY: Final = "#5d6a63"
RULE: Final = "#b9c6bc"
RED: Final = "#b3261e"
BLUE: Final = "#1d3f72"

MARGIN: Final = 8.0
NAME: Final = 42.0
SUM: Final = 13.0
_ROW: Final = 9.6
_HEAD: Final = 22.0
_FOOT: Final = 16.0
_LINE: Final = 18
"""Holes in one line of the table."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A round to be drawn; sizes in mm."""

    round: Round
    language: str

    @property
    def hole(self) -> float:
        """Width of a hole."""
        return 13.2 if self.round.holes <= 9 else 10.0

    @property
    def lines(self) -> tuple[range, ...]:
        """Holes of each line of the table."""
        last = self.round.holes
        return tuple(range(n, min(n + _LINE, last + 1)) for n in range(1, last + 1, _LINE))

    @property
    def width(self) -> float:
        """Width of the whole sheet, margins included."""
        return max(_line_width(self, holes) for holes in self.lines) + 2 * MARGIN

    @property
    def height(self) -> float:
        """Height of the whole sheet, margins included."""
        rows = 1 + len(self.round.players) + len(_extra_rows(self.round))
        body = len(self.lines) * (rows * _ROW + 5)
        return 2 * MARGIN + _HEAD + body + _FOOT


def draw(sheet: Sheet, canvas: Canvas, x: float = 0.0, y: float = 0.0) -> None:
    """Draw a sheet with its upper left corner at x, y."""
    left, top = x + MARGIN, y + MARGIN
    width = sheet.width - 2 * MARGIN
    _head(sheet, canvas, left, top, width)
    top += _HEAD
    for number, holes in enumerate(sheet.lines):
        top = _table(sheet, canvas, left, top, holes, last=number == len(sheet.lines) - 1) + 5
    _foot(sheet, canvas, left, top, width)


def _head(sheet: Sheet, canvas: Canvas, x: float, y: float, width: float) -> None:
    canvas.fill(x, y, width, 16, GREEN)
    title = words.title(sheet.round, sheet.language)
    _fit(canvas, x + 5, y + 5.6, title, 15, width - 40, "#ffffff", bold=True)
    _fit(canvas, x + 5, y + 11.8, words.facts(sheet.round, sheet.language), 8.5, width - 40, "#e9f3ea")
    # The flag of a hole.
    pole = x + width - 14
    canvas.line(pole, y + 2.5, pole, y + 13.2, "#ffffff", 0.5)
    canvas.polygon([(pole, y + 2.5), (pole + 8, y + 5.2), (pole, y + 7.9)], "#f2c14e")
    canvas.circle(pole, y + 13.4, 1.6, "#cfe3d2", 0.5)


def _table(sheet: Sheet, canvas: Canvas, x: float, y: float, holes: range, *, last: bool) -> float:
    """One line of holes with all its rows; returns the height below it."""
    round = sheet.round
    columns = _columns(sheet, holes, last=last)
    width = NAME + sum(size for _, _, size in columns)
    rows: list[str | Player] = [*_extra_rows(round), *round.players]
    height = _ROW * (1 + len(rows))
    canvas.fill(x, y, width, _ROW, PALE)
    for place, row in enumerate(rows, 1):
        if isinstance(row, str):
            canvas.fill(x, y + place * _ROW, width, _ROW, "#f3f6ee")
    _row_label(canvas, x, y, words.word("hole", sheet.language), bold=True)
    at = x + NAME
    for kind, value, size in columns:
        shown = str(value) if kind == "hole" else words.word(kind, sheet.language)
        if kind != "hole":
            canvas.fill(at, y, size, height, PALE)
        _fit(canvas, at + size / 2, y + _ROW / 2, shown, 9, size - 1, GREEN, bold=True, align="centre")
        at += size
    for place, row in enumerate(rows, 1):
        top = y + place * _ROW
        if isinstance(row, str):
            _row_label(canvas, x, top, words.word(row, sheet.language), colour=GREY)
        else:
            _row_label(canvas, x, top, row.name, bold=True)
        at = x + NAME
        for kind, value, size in columns:
            middle = (at + size / 2, top + _ROW / 2)
            if isinstance(row, str):
                text = _extra_cell(round, row, kind, value, holes)
                _fit(canvas, *middle, text, 8.5, size - 1, GREY, align="centre")
            elif kind == "hole":
                _score(round, canvas, *middle, size, value, round.score(row.id, value))
            else:
                text = _sum(sheet, row, kind, _nine(holes, value))
                _fit(canvas, *middle, text, 10, size - 1, INK, bold=True, align="centre")
            at += size
    _grid(canvas, x, y, columns, len(rows))
    return y + height


def _columns(sheet: Sheet, holes: range, *, last: bool) -> list[tuple[str, int, float]]:
    """Columns of a line: kind, hole, width in mm. Nines are summed where there are more than nine holes."""
    columns: list[tuple[str, int, float]] = []
    long = sheet.round.holes > 9
    for place, hole in enumerate(holes):
        columns.append(("hole", hole, sheet.hole))
        nine, ends = place // 9, hole == holes[-1]
        if long and (place % 9 == 8 or ends):
            kind = "part" if sheet.round.holes > _LINE else ("out", "in")[min(nine, 1)]
            columns.append((kind, nine, SUM))
    if last:
        columns.append(("total", 0, SUM + 3))
        if sheet.round.par is not None:
            columns.append(("to_par", 0, SUM + 3))
    return columns


def _line_width(sheet: Sheet, holes: range) -> float:
    columns = _columns(sheet, holes, last=holes[-1] == sheet.round.holes)
    return NAME + sum(size for _, _, size in columns)


def _extra_rows(round: Round) -> list[str]:
    """Rows above the players: par, who deals, who won the hole."""
    rows = ["par"] if round.par is not None else ["dealer"]
    return rows + (["winner"] if round.form in ("match", "tournament") else [])


def _extra_cell(round: Round, row: str, kind: str, value: int, holes: range) -> str:
    if row == "par" and round.pars is not None:
        if kind == "hole":
            return str(round.pars[value - 1])
        if kind == "total":
            return str(round.par)
        return str(sum(round.pars[hole - 1] for hole in _nine(holes, value))) if kind != "to_par" else ""
    if kind != "hole":
        return ""
    if row == "dealer":
        return _initial(round, dealer(round.dealer, value, len(round.players)))
    first, second = (round.score(player.id, value) for player in round.players)
    if first is None or second is None or first.strokes is None or second.strokes is None:
        return ""
    return "–" if first.strokes == second.strokes else _initial(round, int(second.strokes < first.strokes))


def _initial(round: Round, seat: int) -> str:
    """The shortest beginning of a player's name that no other player has."""
    name = round.players[seat].name
    others = [player.name for player in round.players if player.name != name]
    for length in range(1, 4):
        if not any(other.startswith(name[:length]) for other in others):
            return name[:length]
    return name[:3]


def _nine(holes: range, nine: int) -> range:
    return holes[9 * nine : 9 * nine + 9]


def _sum(sheet: Sheet, player: Player, kind: str, nine: range) -> str:
    round = sheet.round
    if not round.played(player.id):
        return ""
    if kind == "to_par":
        return words.signed(round.to_par(player.id), sheet.language)
    if kind == "total":
        return words.number(round.total(player.id))
    values = [score.strokes for hole in nine if (score := round.score(player.id, hole))]
    return words.number(sum(value or 0 for value in values)) if values else ""


def _score(
    round: Round, canvas: Canvas, x: float, y: float, width: float, hole: int, score: HoleScore | None
) -> None:
    if score is None or score.strokes is None:
        return
    par = round.hole_par(hole)
    over = 0 if par is None else score.strokes - par
    colour = RED if over < 0 else BLUE if over > 0 else INK
    if par is None and score.strokes == _lowest(round, hole):
        colour = RED
    canvas.text(x, y, words.number(score.strokes), 9.5, colour, bold=colour != INK, align="centre")
    for ring in range(min(abs(over), 2)):
        size = 3.0 + 0.75 * ring
        if over < 0:
            canvas.circle(x, y, size, colour, 0.28)
        else:
            canvas.box(x - size, y - size, 2 * size, 2 * size, colour, 0.28)
    if score.hinted:
        canvas.text(x + width / 2 - 0.9, y - 3.3, "•", 9, INK, align="centre")
    if score.ended:
        canvas.line(x - 2.6, y + 2.7, x + 2.6, y + 2.7, INK, 0.4)


def _lowest(round: Round, hole: int) -> int | None:
    found = [score.strokes for player in round.players if (score := round.score(player.id, hole))]
    return min((value for value in found if value is not None), default=None)


def _grid(canvas: Canvas, x: float, y: float, columns: list[tuple[str, int, float]], rows: int) -> None:
    width, height = NAME + sum(size for _, _, size in columns), _ROW * (rows + 1)
    for row in range(1, rows + 1):
        canvas.line(x, y + row * _ROW, x + width, y + row * _ROW, RULE, 0.2)
    at = x + NAME
    for kind, _, size in columns:
        canvas.line(at, y, at, y + height, RULE if kind == "hole" else GREEN, 0.2)
        at += size
    canvas.box(x, y, width, height, GREEN, 0.5)


def _row_label(
    canvas: Canvas, x: float, y: float, text: str, *, bold: bool = False, colour: str = GREEN
) -> None:
    _fit(canvas, x + 3, y + _ROW / 2, text, 9.5, NAME - 5, colour, bold=bold)


def _foot(sheet: Sheet, canvas: Canvas, x: float, y: float, width: float) -> None:
    round, language = sheet.round, sheet.language
    at, middle = x + 3.5, y + 3.5
    for over, key in _legend(round):
        for ring in range(abs(over)):
            size = 1.7 + 0.7 * ring
            if over < 0:
                canvas.circle(at, middle, size, RED, 0.28)
            else:
                canvas.box(at - size, middle - size, 2 * size, 2 * size, BLUE, 0.28)
        if key == "hinted":
            canvas.text(at, middle, "•", 9, GREY, align="centre")
        if key == "ended":
            canvas.line(at - 2, middle + 1, at + 2, middle + 1, INK, 0.4)
        label = words.word(key, language)
        canvas.text(at + 4, middle, label, 7.5, GREY)
        at += 9.5 + canvas.width(label, 7.5)
    extra = words.word("extra", language) + ": " if round.extra else ""
    for number, strokes in enumerate(round.extra, round.holes + 1):
        pairs = zip(round.players, strokes, strict=True)
        found = [f"{player.name} {words.number(value)}" for player, value in pairs if value is not None]
        extra += f"{number}. {', '.join(found)}   "
    result = words.result(round, language)
    line = "   ".join(filter(None, [result[:1].upper() + result[1:], extra.strip()]))
    _fit(canvas, x, y + 12, line, 11, width, GREEN, bold=True)


def _legend(round: Round) -> list[tuple[int, str]]:
    """Signs that may stand on this card: strokes over par, and the key of the word."""
    scores = [score for player in round.players for score in round.scores(player.id) if score]
    legend = [(-1, "under"), (-2, "under2"), (1, "over"), (2, "over2")] if round.par is not None else []
    if any(score.hinted for score in scores):
        legend.append((0, "hinted"))
    if any(score.ended for score in scores):
        legend.append((0, "ended"))
    return legend


def _fit(
    canvas: Canvas,
    x: float,
    y: float,
    text: str,
    size: float,
    width: float,
    colour: str,
    *,
    bold: bool = False,
    align: str = "left",
) -> None:
    """Text that is made smaller, and at last cut, to fit a width."""
    while size > 5.5 and canvas.width(text, size, bold) > width:
        size -= 0.5
    shown = text
    while len(shown) > 2 and canvas.width(shown, size, bold) > width:
        shown = shown[:-2] + "…"
    canvas.text(x, y, shown, size, colour, bold, align)
