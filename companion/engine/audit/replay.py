"""From a log, or from the whole discard: every move checked, one after the other.

A wrong move doesn't end the check: it is taken as made, as it stands unless it was put back at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.engine.audit.claims import Claim, to_move
from companion.engine.audit.judge import look_again
from companion.engine.audit.tables import Place, Seen, spare
from companion.engine.audit.verdict import (
    Ask,
    Audit,
    Fault,
    Placed,
    PutBack,
    Remedy,
    Score,
    Verdict,
    drawn_from,
)
from companion.engine.audit.words import Reason
from companion.game import (
    UNKNOWN,
    Card,
    Draw,
    IllegalMove,
    Play,
    Position,
    apply,
    joker_ranks,
    verify,
)
from companion.game import can as may

_LOCAL = ("wrong-rank", "on-king")
"""Rules that hang on two neighbours of the discard alone."""


def audit_log(start: Position, claims: Sequence[Claim]) -> Audit:
    """A verdict on every move of a log, from the table it starts with."""
    position = start
    steps: list[Verdict] = []
    for number, claim in enumerate(claims):
        following = claims[number + 1] if number + 1 < len(claims) else None
        verdict, position = _check(position, claim, following, number, number == len(claims) - 1)
        steps.append(verdict)
    return Audit(tuple(steps), score(position, steps))


def audit_discard(start: Position, pile: Sequence[Seen], doubts: Sequence[tuple[Place, Seen]] = ()) -> Audit:
    """A verdict on every card of the whole discard, bottom first, from the first table.

    The pile may begin with the card that opened the discard, and may be given top first: then it ends
    with that card.  doubts: the cards of the first table that were not read for sure.
    """
    cards = list(pile)
    top = next((seen for place, seen in doubts if place.column is None), None)
    if top is not None and cards and len(start.discard) == 1 and cards[0].sure and top.agrees(cards[0]):
        # The pile shows which card it was.
        start = replace(start, discard=(cards[0].card,))
    opened = [card.plain for card in start.discard]
    known = len(opened)
    if known and [seen.card.plain for seen in cards[:known]] != opened:
        if [seen.card.plain for seen in cards[::-1][:known]] == opened:
            cards = cards[::-1]
        elif cards and cards[0].agrees(Seen(opened[0])) and not cards[0].sure:
            pass
        else:
            known = 0
    cards = cards[known:]
    claims = _claims(start, cards)
    audit = audit_log(start, claims)
    steps = [
        _doubted(step, number, cards, known, doubts, local=start.rules.decks == 1)
        for number, step in enumerate(audit.steps)
    ]
    return Audit(tuple(steps), replace(audit.score) if audit.score else None)


def score(position: Position, steps: Sequence[Verdict]) -> Score:
    """What the hole scores where it was left."""
    void = position.rules.illegal_move == "void_hole" and any(step.verdict == "illegal" for step in steps)
    return Score(not void, position.strokes, True)


# -- one move ------------------------------------------------------------------------------------------


def _check(
    position: Position, claim: Claim, following: Claim | None, number: int, last: bool
) -> tuple[Verdict, Position]:
    found = _locate(position, claim)
    if isinstance(found, Verdict):
        return found, position
    if found.problem:
        fault = _fault(found.problem, position, found, number)
        return _illegal(position, fault, found, last), _forced(position, found)
    move = to_move(replace(claim, card=found.card if found.column is None else None), found.column)
    if isinstance(move, Play) and move.rank is None and _is_declared(position, found.card):
        move = replace(move, rank=_rank_that_fits(position, found.column or 0, following))
    placed = Placed(_shown(found.card, move), found.column)
    try:
        verify(position, move)
    except IllegalMove as broken:
        if broken.code == "unread":
            return _unreadable(position), _forced(position, found)
        fault = _fault(broken.code, position, found, number)
        return _illegal(position, fault, found, last), _forced(position, found)
    why = Reason.of("drawn" if found.column is None else "fits", card=placed.card)
    return Verdict("legal", (why,), int(found.column is None), (placed,), (placed.card,)), apply(
        position, move
    )


@dataclass(frozen=True)
class _Found:
    """Where a claimed card lies: column None for the stock; row None for the exposed card."""

    card: Card
    column: int | None
    row: int | None = None
    problem: str = ""


def _locate(position: Position, claim: Claim) -> _Found | Verdict:
    card = claim.card
    if claim.kind == "draw":
        return _from_stock(position, card)
    if claim.column is not None and not 0 <= claim.column < len(position.columns):
        why = Reason.of("no-column", column=claim.column + 1)
        return Verdict("impossible", (why,), cards=(card,) if card else ())
    if card is None:
        column = claim.column or 0
        if not position.columns[column]:
            return Verdict("impossible", (Reason.of("empty-column", column=column + 1),))
        return _Found(position.columns[column][-1], column)
    columns = range(len(position.columns)) if claim.column is None else [claim.column]
    exposed = [n for n in columns if position.columns[n] and position.columns[n][-1].plain is card.plain]
    if exposed:
        # Of two equal cards the one that may be played, where it makes a difference.
        column = next((n for n in exposed if may(position, Play(n, claim.rank))), exposed[0])
        return _Found(card, column)
    for column in columns:
        for row, other in enumerate(position.columns[column]):
            if other.plain is card.plain:
                return _Found(card, column, row, "inside-column")
    if card is UNKNOWN:
        return Verdict("unreadable", (Reason.of("which-card"),), cards=(card,))
    if claim.kind == "either":
        return _from_stock(position, card)
    if any(other.plain is card.plain for other in position.discard):
        return _Found(card, None, None, "from-discard")
    why = Reason.of("in-no-column", card=card)
    if claim.column is not None:
        why = Reason.of("not-in-column", card=card, column=claim.column + 1)
    return Verdict("impossible", (why,), cards=(card,))


def _from_stock(position: Position, card: Card | None) -> _Found | Verdict:
    if card is None or card is UNKNOWN:
        return _Found(card or (position.stock[0] if position.stock else UNKNOWN), None)
    if position.stock is None and card.plain not in _spare(position):
        if any(other.plain is card.plain for other in position.discard):
            return _Found(card, None, None, "stock-twice")
        for number, column in enumerate(position.columns):
            if any(other.plain is card.plain for other in column):
                why = Reason.of("in-column", card=card, column=number + 1)
                return Verdict("impossible", (why,), cards=(card,))
    return _Found(card, None)


def _spare(position: Position) -> Counter[Card]:
    return spare(position.rules, [card for pile in (*position.columns, position.discard) for card in pile])


def _is_declared(position: Position, card: Card) -> bool:
    return card.is_joker and position.rules.joker == "declared"


def _rank_that_fits(position: Position, column: int, following: Claim | None) -> int | None:
    """A rank that the joker may be given, if possible one that lets the next move be made."""
    ranks = joker_ranks(position)
    if following is not None and following.kind != "draw":
        for rank in ranks:
            after = apply(position, Play(column, rank))
            found = _locate(after, following)
            if isinstance(found, _Found) and not found.problem and found.column is not None:
                again = joker_ranks(after)[:1] if _is_declared(position, found.card) else (None,)
                if any(may(after, Play(found.column, other)) for other in again):
                    return rank
    return next(iter(ranks), None)


def _shown(card: Card, move: Play | Draw) -> Card:
    return card.plain.named(move.rank) if isinstance(move, Play) and move.rank else card


def _forced(position: Position, found: _Found) -> Position:
    """The table after a move, allowed or not."""
    drawn = found.column is None
    columns, stock, count = position.columns, position.stock, position.stock_count
    if found.column is not None:
        cards = position.columns[found.column]
        row = len(cards) - 1 if found.row is None else found.row
        columns = (*columns[: found.column], cards[:row] + cards[row + 1 :], *columns[found.column + 1 :])
    elif found.problem != "from-discard":
        count = max(0, count - 1)
        stock = None if stock is None else stock[1:]
    return replace(
        position,
        columns=columns,
        discard=(*position.discard, found.card),
        stock=stock,
        stock_count=count if stock is None else -1,
        drawn=drawn,
    )


# -- words ---------------------------------------------------------------------------------------------


def _fault(code: str, position: Position, found: _Found, number: int) -> Fault:
    card, top = found.card, position.top
    over: tuple[Card, ...] = ()
    if code == "inside-column" and found.column is not None:
        over = position.columns[found.column][(found.row or 0) + 1 :]
    how = "under" if over else ""
    if code == "wrong-rank" and top is not None and top.rank is not None:
        king = top.value == 13 and not position.rules.wrap
        how = "king" if king and position.rules.on_king != "nothing" else ""
    return Fault(code, card, found.column, None, top, number, over, how)


def _illegal(position: Position, fault: Fault, found: _Found, last: bool) -> Verdict:
    placed = Placed(found.card, found.column)
    if position.rules.illegal_move == "void_hole":
        remedy = Remedy("void")
    elif not last:
        remedy = Remedy("stands", cards=(found.card,))
    else:
        belongs = drawn_from(fault.rule) if found.column is None else f"column {found.column + 1}"
        under: tuple[Card, ...] = ()
        if found.column is not None and found.row is not None:
            under = position.columns[found.column][found.row + 1 :]
        back = PutBack(found.card, "the discard", belongs, under)
        remedy = Remedy("put-back", (back,), True)
    return Verdict(
        "illegal", (fault.reason,), int(found.column is None), (placed,), (found.card,), (fault,), remedy
    )


def _unreadable(position: Position) -> Verdict:
    place = Place(0, None, len(position.discard) - 1)
    return Verdict(
        "unreadable", (Reason.of("which-card"),), cards=(UNKNOWN,), ask=(Ask(place, UNKNOWN, None),)
    )


# -- the discard ---------------------------------------------------------------------------------------


def _claims(start: Position, cards: Sequence[Seen]) -> tuple[Claim, ...]:
    """Where each card of the pile came from; with equal cards about, so that as much as possible is right."""
    found = _explained(start, [seen.card for seen in cards])
    if found is not None:
        return found
    return tuple(Claim("either", seen.card.plain, None, seen.card.stands_for) for seen in cards)


def _explained(start: Position, cards: Sequence[Card]) -> tuple[Claim, ...] | None:
    """A legal game that leaves this pile, None if there is none."""
    failed: set[tuple[int, tuple[int, ...], Card | None, bool]] = set()
    if UNKNOWN in cards:
        return None
    # Depth first: each card from a column where it is exposed, or from the stock.
    stack: list[tuple[int, Position, tuple[Claim, ...]]] = [(0, start, ())]
    while stack:
        at, position, claims = stack.pop()
        if at == len(cards):
            return claims
        key = (at, tuple(map(len, position.columns)), position.top, position.drawn)
        if key in failed:
            continue
        failed.add(key)
        card = cards[at]
        options: list[tuple[Claim, Play | Draw]] = []
        if position.stock is not None or card.plain in _spare(position):
            options.append((Claim("draw", card), Draw(card)))
        for column, exposed in enumerate(position.exposed):
            if exposed is None or exposed.plain is not card.plain:
                continue
            ranks: Sequence[int | None] = (card.stands_for,)
            if _is_declared(position, card) and not card.stands_for:
                ranks = joker_ranks(position)
            options += [(Claim("play", card.plain, column, rank), Play(column, rank)) for rank in ranks]
        for claim, move in options:
            if may(position, move):
                stack.append((at + 1, apply(position, move), (*claims, claim)))
    return None


def _doubted(
    step: Verdict,
    number: int,
    cards: Sequence[Seen],
    below: int,
    doubts: Sequence[tuple[Place, Seen]],
    *,
    local: bool,
) -> Verdict:
    """The verdict on a card of the pile, where it may hang on cards that were not read for sure.

    below: the cards that lay on the discard before; doubts: those of the first table; local: a card of
    which there is but one is known to have been played, not drawn, from where it lay.
    """
    if step.verdict == "legal":
        return _as_read(step, cards[number], below + number)
    if step.verdict not in ("illegal", "impossible"):
        return step
    unsure = [n for n, seen in enumerate(cards) if not seen.sure]
    rule = step.faults[0].rule if step.faults else ""
    if rule in _LOCAL and local:
        unsure = [n for n in unsure if n in (number - 1, number)]
        doubts = [
            (place, seen)
            for place, seen in doubts
            if seen.card.plain is cards[number].card.plain or (place.column is None and number == 0)
        ]
    if not unsure and not doubts:
        return step
    asks = (
        *(Ask(place, seen.card, seen.others) for place, seen in doubts),
        *(Ask(Place(-1, None, below + n), cards[n].card, cards[n].others) for n in unsure),
    )
    return Verdict("unreadable", (look_again(asks),), cards=tuple(ask.read for ask in asks), ask=asks)


def _as_read(step: Verdict, seen: Seen, row: int) -> Verdict:
    """A legal verdict; it says so where the card may have another rank than the one that was read."""
    if seen.sure or (seen.others is not None and all(other.rank == seen.card.rank for other in seen.others)):
        return step
    why = Reason.of("as-read", reason=step.reasons[0], cards=(seen.card,))
    return replace(step, reasons=(why,), ask=(Ask(Place(-1, None, row), seen.card, seen.others),))
