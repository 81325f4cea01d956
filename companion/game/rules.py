"""The rules of a hole as one value; where the sources disagree there is a field."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, Literal, get_args, get_type_hints

from companion.game.cards import Card
from companion.game.errors import RulesError

OnKing = Literal["nothing", "queen", "queen_only"]
Start = Literal["turned", "free"]
DrawRule = Literal["at_will", "when_stuck"]
JokerKind = Literal["declared", "any"]
IllegalRule = Literal["put_back", "void_hole"]

_PAR_A_HOLE: Final = 5
_BOUNDS: Final = {"jokers": (0, 2), "decks": (1, 2), "columns": (1, 20), "depth": (1, 13), "holes": (1, 99)}


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a hole and a round.  Every instance is possible; others raise `RulesError`."""

    on_king: OnKing = "nothing"
    """What may follow a king: nothing; a queen, and play goes on from her; a queen, and nothing on her."""
    wrap: bool = False
    """The ranks form a circle: ace on king and king on ace.  `on_king` is then always `queen`."""
    start: Start = "turned"
    """One card is turned to open the discard; or none, and any exposed card opens it."""
    draw: DrawRule = "at_will"
    """A card may be drawn at any time; or only when no card can be played."""
    jokers: int = 0
    joker: JokerKind = "declared"
    """A joker stands for the rank its player names; or goes on any card, and any card follows it."""
    decks: int = 1
    columns: int = 7
    depth: int = 5
    """The cards in each column of a fresh deal."""
    redeal_impossible: bool = False
    """A deal that no order of the stock can clear may be dealt again."""
    illegal_move: IllegalRule = "put_back"
    """A wrong card is put back if noticed before the next move, else it stands; or the hole is void."""
    holes: int = 9
    par: int = 45
    """The target of the whole round in strokes."""

    def __post_init__(self) -> None:
        for name, kind in _KINDS.items():
            _check(name, kind, getattr(self, name))
        if self.wrap and self.on_king != "queen":
            # One rule set, one value: in a circle a queen follows a king as a king follows a queen.
            object.__setattr__(self, "on_king", "queen")
        if not self.jokers and self.joker != "declared":
            object.__setattr__(self, "joker", "declared")
        if self.stock_size < 0:
            raise RulesError(
                f"{self.columns} columns of {self.depth} need more cards than the {self.cards} there are: "
                f"{(self.columns, self.depth)!r}"
            )

    @property
    def cards(self) -> int:
        """All cards of the deck or decks, jokers included."""
        return 52 * self.decks + self.jokers

    @property
    def tableau_size(self) -> int:
        return self.columns * self.depth

    @property
    def stock_size(self) -> int:
        """The face-down cards beside a fresh deal."""
        return self.cards - self.tableau_size - (self.start == "turned")

    @property
    def opener(self) -> Card | None:
        """The card that always opens the discard: the ace of spades where there is no stock (Black Hole)."""
        return Card.parse("AS") if self.start == "turned" and self.stock_size == 0 else None

    def follows(self, top: int, rank: int, under: int | None = None) -> bool:
        """May a card be put on the discard?

        top: rank on top, 1 to 13, or 0 for a joker that stands for nothing yet; rank: the card to be
        put there, 0 for a joker (declared: is there a rank it may be named?); under: the rank below
        the top, which only `queen_only` asks for (None: nothing is there).
        """
        if top == 0:
            return True
        if rank == 0:
            return self.joker == "any" or bool(self.followers(top, under))
        if top == 13 and not self.wrap:
            return rank == 12 and self.on_king != "nothing"
        if top == 12 and under == 13 and self.on_king == "queen_only":
            return False
        return abs(top - rank) == 1 or (self.wrap and abs(top - rank) == 12)

    def followers(self, top: int, under: int | None = None) -> tuple[int, ...]:
        """The ranks from 1 to 13 that may be put on a rank, in rising order; see `follows`."""
        return tuple(rank for rank in range(1, 14) if self.follows(top, rank, under))

    @classmethod
    def parse(cls, text: str) -> Rules:
        """The rules a text names: a preset or alias, then changes: `strict,draw=when_stuck`.

        Without a preset the changes are to `strict`.  Where the holes are changed and the par is not,
        par is 5 a hole.  Raises `RulesError`.
        """
        words = [word.strip() for word in text.split(",")]
        rules = cls()
        if words[0] and "=" not in words[0]:
            rules = _preset(words.pop(0))
        changes: dict[str, object] = {}
        for word in filter(None, words):
            name, sign, value = (part.strip() for part in word.partition("="))
            name = name.replace("-", "_").lower()
            if not sign or name not in _KINDS:
                raise RulesError(
                    f"rules are changed by name=value, with one of {', '.join(_KINDS)}: {word!r}"
                )
            changes[name] = _read(name, value)
        if "holes" in changes and "par" not in changes and isinstance(changes["holes"], int):
            changes["par"] = _PAR_A_HOLE * changes["holes"]
        return replace(rules, **changes)  # type: ignore[arg-type]

    def __str__(self) -> str:
        """The text with the fewest changes that `parse` reads back as these rules."""
        spellings = (_spell(name, preset, self) for name, preset in PRESETS.items())
        return min(spellings, key=lambda text: text.count(","))


_KINDS: Final[dict[str, object]] = {
    name: kind for name, kind in get_type_hints(Rules).items() if name in Rules.__dataclass_fields__
}

_BOOLS: Final = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


def _preset(word: str) -> Rules:
    name = re.sub(r"[\s_]+", "-", word.lower())
    if name in PRESETS:
        return PRESETS[name]
    if name in ALIASES:
        return Rules.parse(ALIASES[name])
    raise RulesError(f"no such rules, try one of {', '.join(PRESETS)}: {word!r}")


def _check(name: str, kind: object, value: object) -> None:
    """Raises `RulesError` unless the value is one the field can hold."""
    if kind is int:
        low, high = _BOUNDS.get(name, (-999, 999))
        if type(value) is not int or not low <= value <= high:
            raise RulesError(f"{name} is a number from {low} to {high}: {value!r}")
    elif kind is bool:
        if type(value) is not bool:
            raise RulesError(f"{name} is yes or no: {value!r}")
    elif value not in get_args(kind):
        raise RulesError(f"{name} is one of {', '.join(get_args(kind))}: {value!r}")


def _read(name: str, value: str) -> object:
    kind = _KINDS[name]
    if kind is int:
        try:
            return int(value)
        except ValueError:
            raise RulesError(f"{name} is a number: {value!r}") from None
    if kind is bool:
        if value.lower() not in _BOOLS:
            raise RulesError(f"{name} is yes or no: {value!r}")
        return _BOOLS[value.lower()]
    return value.lower().replace("-", "_")


def _spell(name: str, preset: Rules, rules: Rules) -> str:
    words = [name]
    for field in _KINDS:
        value = getattr(rules, field)
        usual = _PAR_A_HOLE * rules.holes if field == "par" else getattr(preset, field)
        if value != usual:
            words.append(f"{field}={value if not isinstance(value, bool) else 'yes' if value else 'no'}")
    return ",".join(words)


PRESETS: Final = MappingProxyType(
    {
        "strict": Rules(),
        "queen-on-king": Rules(on_king="queen"),
        "queen-only": Rules(on_king="queen_only"),
        "putt-putt": Rules(wrap=True),
        "free-start": Rules(start="free"),
        "jokers": Rules(jokers=2),
        "double": Rules(decks=2, columns=9, depth=7),
        "black-hole": Rules(wrap=True, columns=17, depth=3),
    }
)

ALIASES: Final = MappingProxyType(
    {
        "golf": "queen-on-king",
        "pysolfc": "queen-on-king",
        "dead-king-golf": "strict",
        "relaxed-golf": "putt-putt",
        "double-golf": "double",
        "thieves": "queen-on-king,jokers=2,joker=any",
    }
)
"""What other programs call the rules; PySolFC's Golf lets a queen follow a king."""
