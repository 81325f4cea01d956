"""What stands on a scorecard, in English, German and Swedish, and the result of a round in a sentence."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from companion.formats.errors import FormatError
from companion.game.match import MatchStanding, TournamentStanding
from companion.game.round import Round

LANGUAGES: Final = ("en", "de", "sv")
MINUS: Final = "−"

RULES: Final[dict[str, tuple[str, str, str]]] = {
    "strict": ("strict", "streng", "sträng"),
    "queen-on-king": ("queen on king", "Dame auf König", "dam på kung"),
    "queen-only": ("queen only", "nur die Dame", "bara damen"),
    "putt-putt": ("putt putt", "Putt Putt", "putt putt"),
    "free-start": ("free start", "freier Beginn", "fri start"),
    "jokers": ("jokers", "Joker", "jokrar"),
    "double": ("double golf", "Doppelgolf", "dubbelgolf"),
    "black-hole": ("black hole", "Schwarzes Loch", "svart hål"),
}  # fmt: skip
"""Ready-made rules by what people call them; the app shows the same."""
_WORDS: Final[dict[str, tuple[str, str, str]]] = {
    **RULES,
    "patience": ("Golf Patience", "Golf-Patience", "Golfpatiens"),
    "grid": ("Golf", "Golf", "Golf"),
    "hole": ("Hole", "Loch", "Hål"),
    "holes": ("{n} holes", "{n} Löcher", "{n} hål"),
    "par": ("Par", "Par", "Par"),
    "out": ("Out", "Out", "Ut"),
    "in": ("In", "In", "In"),
    "part": ("Sum", "Summe", "Summa"),
    "total": ("Total", "Gesamt", "Totalt"),
    "to_par": ("To par", "zu Par", "Mot par"),
    "winner": ("Won by", "gewonnen", "Vanns av"),
    "even": ("E", "±0", "±0"),
    "dealer": ("Dealer", "Geber", "Giv"),
    "stroke": ("stroke play", "Zählspiel", "slagspel"),
    "same_deal": ("same deal", "gleiche Karten", "samma giv"),
    "tournament": ("tournament", "Turnier", "turnering"),
    "match": ("match play", "Lochspiel", "matchspel"),
    "under": ("under par", "unter Par", "under par"),
    "under2": ("two or more under", "zwei und mehr darunter", "två eller fler under"),
    "over": ("over par", "über Par", "över par"),
    "over2": ("two or more over", "zwei und mehr darüber", "två eller fler över"),
    "hinted": ("with hints", "mit Tipps", "med tips"),
    "ended": ("ended the hole", "beendete das Loch", "avslutade hålet"),
    "open": ("in play", "läuft", "pågår"),
    "finished": ("finished", "beendet", "avslutad"),
    "abandoned": ("abandoned", "abgebrochen", "avbruten"),
    "extra": ("Extra holes", "Zusatzlöcher", "Extrahål"),
    "wins": ("{name} wins", "{name} gewinnt", "{name} vinner"),
    "shared": ("{names} share first place", "{names} teilen sich Platz 1", "{names} delar förstaplatsen"),
    "wins_by": (
        "{name} wins {lead} and {left}",
        "{name} gewinnt {lead} und {left}",
        "{name} vinner {lead}–{left}",
    ),
    "wins_up": ("{name} wins {lead} up", "{name} gewinnt {lead} auf", "{name} vinner med {lead}"),
    "wins_extra": (
        "{name} wins at extra hole {n}",
        "{name} gewinnt am Zusatzloch {n}",
        "{name} vinner på extrahål {n}",
    ),
    "up": (
        "{name} is {lead} up, {left} to play",
        "{name} führt {lead} auf, noch {left} zu spielen",
        "{name} leder med {lead}, {left} kvar",
    ),
    "dormie": ("{name} is dormie {lead}", "{name} liegt dormie {lead}", "{name} ligger dormie {lead}"),
    "square": ("all square, {left} to play", "gleichauf, noch {left} zu spielen", "lika, {left} kvar"),
    "extra_due": (
        "level: extra hole {n} decides",
        "gleichauf: Zusatzloch {n} entscheidet",
        "lika: extrahål {n} avgör",
    ),
    "points": ("points {a}:{b}", "Punkte {a}:{b}", "poäng {a}–{b}"),
    "leads": ("{name} leads", "{name} führt", "{name} leder"),
    "level": ("level", "gleichauf", "lika"),
}  # fmt: skip


def word(key: str, language: str, **values: object) -> str:
    """The word or sentence of a key. Raises `FormatError` for a language there are no words of."""
    check(language)
    text = _WORDS[key][LANGUAGES.index(language)]
    return text.format(**values) if values else text


def check(language: str) -> None:
    """Raise `FormatError` unless scorecards are written in this language."""
    if language not in LANGUAGES:
        raise FormatError(f"a scorecard is written in {', '.join(LANGUAGES)}, not {language!r}")


def number(value: int) -> str:
    """A number with a proper minus sign."""
    return str(value).replace("-", MINUS)


def signed(value: int | None, language: str) -> str:
    """Strokes to par: `+3`, `−2`, the word for level, or nothing."""
    if value is None:
        return ""
    return f"+{value}" if value > 0 else number(value) if value else word("even", language)


def day(moment: str, language: str) -> str:
    """The local date of a UTC time as the language writes it; empty for an empty time."""
    if not moment:
        return ""
    local = datetime.fromisoformat(moment.replace("Z", "+00:00")).astimezone()
    months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    if language == "de":
        return f"{local.day}.{local.month}.{local.year}"
    if language == "sv":
        return f"{local:%Y-%m-%d}"
    return f"{local.day} {months[local.month - 1]} {local.year}"


def title(round: Round, language: str) -> str:
    """The name of the game, and of the round where it has one."""
    game = word(round.game, language)
    return f"{game}: {round.name}" if round.name else game


def facts(round: Round, language: str) -> str:
    """Date, rules, holes, par, form and state in a line."""
    parts = [day(round.begun, language), _rules(round, language), word("holes", language, n=round.holes)]
    if round.par is not None:
        parts.append(f"{word('par', language)} {round.par}")
    if len(round.players) > 1 and round.form != "stroke":
        parts.append(word(round.form, language))
    parts.append(word(round.state, language))
    return " · ".join(filter(None, parts))


def _rules(round: Round, language: str) -> str:
    """The rules without holes and par, which are said apart; ready-made ones by their name."""
    parts = (part for part in str(round.rules).split(",") if not part.startswith(("holes=", "par=")))
    return ",".join(word(part, language) if part in RULES else part for part in parts)


def result(round: Round, language: str) -> str:
    """Who leads or has won, as a sentence; empty for a round alone."""
    if len(round.players) < 2:
        return ""
    names = [player.name for player in round.players]
    standing = round.standing
    if isinstance(standing, MatchStanding):
        return _match(standing, names, round, language)
    points = ""
    if isinstance(standing, TournamentStanding):
        points = ", " + word("points", language, a=standing.points[0], b=standing.points[1])
    if (due := round.extra_due) is not None:
        return word("extra_due", language, n=due - round.holes) + points
    winners = [player.name for player in round.winners]
    if len(winners) == 1:
        if (playoff := round.playoff) is not None:
            return word("wins_extra", language, name=winners[0], n=playoff.played) + points
        return word("wins", language, name=winners[0]) + points
    if winners:
        return word("shared", language, names=", ".join(winners))
    if isinstance(standing, TournamentStanding):
        leader = standing.leader
    else:
        first = [place for place in round.places if place.place == 1]
        leader = first[0].side if len(first) == 1 else None
    return (
        word("level", language) if leader is None else word("leads", language, name=names[leader])
    ) + points


def _match(standing: MatchStanding, names: list[str], round: Round, language: str) -> str:
    lead, left = abs(standing.up), standing.left
    if standing.leader is None:
        if standing.state == "extra_hole":
            return word("extra_due", language, n=standing.extra + 1)
        return word("square", language, left=left)
    name = names[standing.leader]
    if standing.state == "decided":
        if standing.extra:
            return word("wins_extra", language, name=name, n=standing.extra)
        return word("wins_by" if left else "wins_up", language, name=name, lead=lead, left=left)
    return word("dormie" if standing.state == "dormie" else "up", language, name=name, lead=lead, left=left)
