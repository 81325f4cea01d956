"""Statistics as pictures: how often each score was made, and the rounds one after the other."""

from __future__ import annotations

from companion.formats import card_words as words
from companion.formats.canvas import Pixels
from companion.formats.card_sheet import BLUE, GREEN, GREY, INK, PALE, PAPER, RED, RULE
from companion.formats.errors import FormatError
from companion.game.stats import RoundPoint, Stats

WIDTH, HEIGHT = 190.0, 100.0
_LEFT, _TOP, _RIGHT, _BOTTOM = 16.0, 22.0, 8.0, 18.0

_WORDS = {
    "scores": ("Scores by hole", "Ergebnisse je Loch", "Resultat per hål"),
    "rounds": ("Rounds", "Runden", "Rundor"),
    "counted": (
        "{n} holes, average {average}, cleared {rate}",
        "{n} Löcher, Schnitt {average}, abgeräumt {rate}",
        "{n} hål, snitt {average}, rensade {rate}",
    ),
    "strokes": ("strokes on the hole", "Schläge am Loch", "slag på hålet"),
    "to_par": ("to par, round after round", "zu Par, Runde für Runde", "mot par, runda för runda"),
    "total": ("total, round after round", "Gesamt, Runde für Runde", "totalt, runda för runda"),
    "mean": ("mean of the last five", "Schnitt der letzten fünf", "snitt av de fem senaste"),
}


def distribution(stats: Stats, name: str, language: str = "en") -> bytes:
    """Bars of holes by strokes, as PNG. Raises `FormatError` when there is no hole to show."""
    words.check(language)
    if not stats.distribution:
        raise FormatError(f"there are no holes to draw for {name!r}")
    canvas = _canvas(name, _say("scores", language), _summary(stats, language))
    low, high = stats.distribution[0][0], stats.distribution[-1][0]
    low, high = min(low, 0), max(high, low + 10)
    most = max(count for _, count in stats.distribution)
    step = (WIDTH - _LEFT - _RIGHT) / (high - low + 1)
    floor = HEIGHT - _BOTTOM
    _scale(canvas, 0, most)
    for strokes, count in stats.distribution:
        height = (floor - _TOP) * count / most
        x = _LEFT + (strokes - low) * step
        canvas.fill(x + 0.12 * step, floor - height, 0.76 * step, height, GREEN if strokes > 0 else RED)
        canvas.text(x + step / 2, floor - height - 2.2, str(count), 7, INK, align="centre")
    every = 1 if step >= 5 else 5
    for strokes in range(low, high + 1):
        if strokes % every == 0:
            x = _LEFT + (strokes - low + 0.5) * step
            canvas.text(x, floor + 3.2, words.number(strokes), 7.5, GREY, align="centre")
    canvas.line(_LEFT, floor, WIDTH - _RIGHT, floor, INK, 0.3)
    canvas.text(WIDTH / 2, HEIGHT - 7, _say("strokes", language), 8.5, GREY, align="centre")
    return canvas.png()


def rounds(stats: Stats, name: str, language: str = "en") -> bytes:
    """A dot a round (to par, or totals in the grid game) with the mean of the last five, as PNG."""
    words.check(language)
    if not stats.history:
        raise FormatError(f"there are no rounds to draw for {name!r}")
    par = all(point.to_par is not None for point in stats.history)
    values = [_value(point, par) for point in stats.history]
    means = [
        sum(values[max(0, n - 4) : n + 1]) / len(values[max(0, n - 4) : n + 1]) for n in range(len(values))
    ]
    canvas = _canvas(name, _say("rounds", language), _summary(stats, language))
    low, high = min(*values, 0), max(*values, 0)
    high += high == low
    floor = HEIGHT - _BOTTOM
    _scale(canvas, low, high)
    step = (WIDTH - _LEFT - _RIGHT) / len(values)

    def place(n: int, value: float) -> tuple[float, float]:
        return _LEFT + (n + 0.5) * step, floor - (floor - _TOP) * (value - low) / (high - low)

    zero = place(0, 0)[1]
    canvas.line(_LEFT, zero, WIDTH - _RIGHT, zero, INK, 0.35)
    for n in range(1, len(means)):
        canvas.line(*place(n - 1, means[n - 1]), *place(n, means[n]), BLUE, 0.6)
    for n, value in enumerate(values):
        x, y = place(n, value)
        canvas.circle(x, y, 1.3, RED if value < 0 else GREEN, 0.7)
        if len(values) <= 24:
            canvas.text(x, y - 3.4, words.number(value), 7, INK, align="centre")
    canvas.text(_LEFT, HEIGHT - 7, _say("to_par" if par else "total", language), 8.5, GREY)
    canvas.line(WIDTH - 70, HEIGHT - 7, WIDTH - 62, HEIGHT - 7, BLUE, 0.6)
    canvas.text(WIDTH - 60, HEIGHT - 7, _say("mean", language), 8.5, GREY)
    return canvas.png()


def _value(point: RoundPoint, par: bool) -> int:
    return point.to_par if par and point.to_par is not None else point.total


def _canvas(name: str, title: str, summary: str) -> Pixels:
    canvas = Pixels(WIDTH, HEIGHT, 6.0, PAPER)
    canvas.text(_LEFT, 8, f"{name} · {title}", 13, GREEN, bold=True)
    canvas.text(_LEFT, 14.5, summary, 8.5, GREY)
    return canvas


def _scale(canvas: Pixels, low: int, high: int) -> None:
    """Horizontal lines at round numbers."""
    step = next(size for size in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**9) if (high - low) / size <= 6)
    floor = HEIGHT - _BOTTOM
    for value in range(-(-low // step) * step, high + 1, step):
        y = floor - (floor - _TOP) * (value - low) / (high - low)
        canvas.line(_LEFT, y, WIDTH - _RIGHT, y, PALE if value else RULE, 0.25)
        canvas.text(_LEFT - 2, y, words.number(value), 7.5, GREY, align="right")


def _summary(stats: Stats, language: str) -> str:
    average = "–" if stats.average is None else f"{stats.average:.2f}".replace("-", words.MINUS)
    rate = "–" if stats.cleared_rate is None else f"{100 * stats.cleared_rate:.0f} %"
    if language != "en":
        average = average.replace(".", ",")
    return _say("counted", language).format(n=stats.holes, average=average, rate=rate)


def _say(key: str, language: str) -> str:
    return _WORDS[key][words.LANGUAGES.index(language)]
