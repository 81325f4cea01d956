"""What an audit says: a verdict for each step, the broken rule and the move, how to put it right."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from companion.engine.audit.tables import Place
from companion.engine.audit.words import Guess, Reason
from companion.game import RANKS, UNKNOWN, Card

VerdictName = Literal["legal", "illegal", "impossible", "unreadable"]

RULES: Final = {
    "wrong-rank": "the card is not one rank higher or lower",
    "on-king": "nothing may follow a king",
    "on-queen": "nothing may follow a queen that lies on a king",
    "play-possible": "a card was drawn while one could be played",
    "play-first": "the discard is opened by a card of the tableau",
    "over": "the hole was over",
    "stock-empty": "more cards were drawn than the stock holds",
    "stock-twice": "the stock was gone through twice",
    "not-next": "the card is not the next one of the stock",
    "inside-column": "a card was taken from the inside of a column",
    "between-columns": "a card was moved from column to column",
    "onto-column": "a card was put on a column",
    "from-discard": "a card was taken back from the discard",
    "column-filled": "an empty column was filled",
    "not-on-table": "the card is not on the table",
    "no-column": "there is no such column",
    "empty-column": "the column is empty",
    "joker-rank": "a joker must be given a rank that fits",
}
"""Every rule that can be broken, by code."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A card put on the discard; column: where it came from, counted from 0, None from the stock."""

    card: Card
    column: int | None
    supposed: bool = False
    """The card was drawn unseen: one of its rank explains the step, its suit is a guess."""

    def __str__(self) -> str:
        if self.column is None:
            return f"draw {self.card}"
        return f"play {self.card} from {self.column + 1}"

    def words(self) -> str:
        """The same for people: of a card that was only supposed to be drawn just the rank."""
        if self.supposed and self.card.rank:
            rank = RANKS[self.card.value - 1]
            return f"draw a {'10' if rank == 'T' else rank}"
        return str(self)


@dataclass(frozen=True, slots=True)
class Fault:
    """A rule that was broken.

    rule: a key of `RULES`; card: the card whose move broke it; column, to: the columns, counted from 0,
    that it came from and went to, None for a pile or what isn't known; onto: the card it was put on;
    move: its number in the step's moves, None for a move that doesn't end on the discard; over: the cards
    that lay on it.  how: which of the sentences on the rule says it; numbers: what else that one names.
    """

    rule: str
    card: Card | None = None
    column: int | None = None
    to: int | None = None
    onto: Card | None = None
    move: int | None = None
    over: tuple[Card, ...] = ()
    how: str = ""
    supposed: tuple[bool, bool] = (False, False)
    """Whether the card, and the one it was put on, were drawn unseen, so that their suits are guesses."""
    numbers: tuple[tuple[str, int], ...] = ()

    @property
    def reason(self) -> Reason:
        code = f"{self.rule}.{self.how}" if self.how else self.rule
        card, onto = (
            Guess(one) if one and supposed else one or UNKNOWN
            for one, supposed in zip((self.card, self.onto), self.supposed, strict=True)
        )
        return Reason.of(
            code,
            card=card,
            onto=onto,
            over=self.over,
            column=(self.column or 0) + 1,
            to=(self.to or 0) + 1,
            **dict(self.numbers),
        )

    @property
    def message(self) -> str:
        """What was done, in English."""
        return str(self.reason)


_BACK: Final = {
    "stock": "back.stock",
    "in stock": "back.in-stock",
    "discard": "back.discard",
    "before": "back.before",
}


def drawn_from(rule: str) -> str:
    """Where a card belongs that was drawn against a rule, as `PutBack.belongs`."""
    if rule in ("stock-empty", "stock-twice", "from-discard"):
        # It was no card of the stock: it can only have lain in the discard.
        return "before"
    return "in stock" if rule == "not-next" else "stock"


@dataclass(frozen=True, slots=True)
class PutBack:
    """One card to be put back: where it lies now and where it belongs.

    belongs: `column 3`; `discard`; `stock`: on top of it, face down; `in stock`: in its place there;
    `before`: where it lay before, which isn't known.
    """

    card: Card
    lies: str
    belongs: str
    under: tuple[Card, ...] = ()
    """The cards that belong on top of it there."""

    @property
    def reason(self) -> Reason:
        lies = {"the discard": "lies.discard", "your hand": "lies.hand"}.get(self.lies, "lies.column")
        code = _BACK.get(self.belongs, "back.column")
        return Reason.of(
            "back.under" if self.under else code,
            card=self.card,
            lies=Reason.of(lies, column=self.lies.split()[-1]),
            column=self.belongs.split()[-1],
            under=self.under,
        )

    def __str__(self) -> str:
        return str(self.reason)


@dataclass(frozen=True, slots=True)
class Remedy:
    """How a wrong move is put right.

    kind: `put-back`: the cards in `back`, in this order; `stands`: it was noticed too late for `cards`;
    `void`: the hole doesn't count.  sure: nothing can have been moved since, so it is certainly not too late.
    others: for other wrong moves of the step, with `cards`, it is too late.
    """

    kind: Literal["put-back", "stands", "void"]
    back: tuple[PutBack, ...] = ()
    sure: bool = False
    cards: tuple[Card, ...] = ()
    others: bool = False

    @property
    def reason(self) -> Reason:
        if self.kind == "put-back":
            code = "put-back.last" if self.others else "put-back" if self.sure else "put-back.unless"
            return Reason.of(code, cards=tuple(one.reason for one in self.back))
        if self.kind == "stands" and len(self.cards) == 1:
            return Reason.of("stands.one", card=self.cards[0])
        return Reason.of(self.kind)

    @property
    def message(self) -> str:
        """What is to be done, in English."""
        return str(self.reason)


@dataclass(frozen=True, slots=True)
class Ask:
    """A card to look at again: once it is known, the verdict is settled."""

    place: Place
    read: Card
    others: tuple[Card, ...] | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is said of one step."""

    verdict: VerdictName
    reasons: tuple[Reason, ...]
    draws: int | None = None
    """The fewest draws that explain the step, or where that isn't proved, as a reason says, few."""
    moves: tuple[Placed, ...] = ()
    """One sequence of moves that explains it; for an illegal step one with the fewest faults."""
    cards: tuple[Card, ...] = ()
    """The cards concerned: those that moved; of a fault those that broke the rule; else those to look at."""
    faults: tuple[Fault, ...] = ()
    remedy: Remedy | None = None
    ask: tuple[Ask, ...] = ()
    """Cards that were not read for sure and on which the verdict hangs."""

    @property
    def why(self) -> str:
        """The reasons in English."""
        return "; ".join(map(str, self.reasons))


@dataclass(frozen=True, slots=True)
class Score:
    """What the hole scores as it stands, if it ended now.

    counts: False when a wrong move makes it void; strokes: None when the stock's count isn't known,
    exact: False when the strokes rest on the fewest draws possible.
    """

    counts: bool
    strokes: int | None
    exact: bool

    @property
    def reason(self) -> Reason:
        code = "score" if self.counts else "score.void"
        if self.strokes is None:
            return Reason.of(f"{code}.unknown")
        return Reason.of(code if self.exact else f"{code}.best", strokes=self.strokes)

    @property
    def message(self) -> str:
        """How the hole stands, in English."""
        return str(self.reason)


@dataclass(frozen=True, slots=True)
class Audit:
    """What is said of all steps, and of the hole."""

    steps: tuple[Verdict, ...]
    score: Score | None = None
    verdict: VerdictName = field(init=False)
    """The gravest of the steps' verdicts."""

    def __post_init__(self) -> None:
        names = {step.verdict for step in self.steps}
        order: tuple[VerdictName, ...] = ("illegal", "impossible", "unreadable")
        object.__setattr__(self, "verdict", next((name for name in order if name in names), "legal"))
