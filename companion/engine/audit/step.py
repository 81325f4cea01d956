"""Can one table follow from another?  Each card is taken for any of those it may be, whichever helps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from companion.engine.audit.align import Alignment, alignments
from companion.engine.audit.frontier import Undecided
from companion.engine.audit.tables import Seen, Table, spare
from companion.engine.audit.ways import Draws, Explored, Lost, Question, Way, lost_cards, top_mask
from companion.engine.audit.words import Reason
from companion.game import Card

MOST_FAULTS: Final = 3
"""Wrong moves on the discard of which the fewest are looked for; of more it is told that fewer may do."""
MOST_MISPLACED: Final = 3
"""Cards that can be out of place; with more the two tables are not the same deal."""


@dataclass(frozen=True)
class History:
    """What earlier tables told.

    discarded: cards that lie in the discard below those that can be seen; most: the most cards the
    stock can hold; top_drawn: the top of the discard was drawn, not played; drawn: the cards that were
    supposed to be drawn unseen, one of each rank; later: cards that are seen only on later tables.
    """

    discarded: tuple[Card, ...] = ()
    most: int | None = None
    top_drawn: bool = False
    drawn: tuple[Card, ...] = ()
    later: tuple[Card, ...] = ()


@dataclass(frozen=True)
class Misplaced:
    """A card that moved as no card may: where it came from and where it lies.

    rule: see `RULES`; column: where it lay, None for the stock or the discard; to: where it lies, None
    for the discard; over: the cards that lay on it.
    """

    rule: str
    card: Seen
    column: int | None
    to: int | None
    over: tuple[Seen, ...] = ()


@dataclass(frozen=True)
class Finding:
    """What a comparison of two tables found.

    kind: `legal`, `faults`: the moves of `way`, `misplaced` or `extra` break rules, `impossible`, or
    `undecided`, when the search met its limit.
    """

    kind: str
    why: Reason | None = None
    alignment: Alignment | None = None
    question: Question | None = None
    way: Way | None = None
    misplaced: tuple[Misplaced, ...] = ()
    extra: str = ""
    """A rule that the step breaks as a whole: `stock-empty`, `stock-twice`, `from-discard`."""
    cards: tuple[Card, ...] = ()
    draws: Draws = field(default_factory=lambda: Draws(0, 0))
    alone: bool = False
    """The step is legal, but not with the ways that were found for the steps before."""
    apart: bool = False
    """Its draws are the fewest only next to those of the ways that were found for the steps before."""

    @property
    def faults(self) -> int:
        return len(self.misplaced) + bool(self.extra) + (len(self.way.wrong) if self.way else 0)


class Comparison:
    """What explains the step from one table to the next.

    first: of legal ways the first one that is found will do, whatever it draws; effort: how much is looked
    at for one before it is given up, roughly, None for all.
    """

    def __init__(
        self, old: Table, new: Table, history: History, *, first: bool = False, effort: int | None = None
    ) -> None:
        self.old, self.new, self.history = old, new, history
        self.first, self._most_effort = first, effort
        self.rules = old.rules
        self._explored = Explored()
        self._alignments, self._whole = alignments(old, new)

    @property
    def effort(self) -> int:
        """How much was looked at so far."""
        return self._explored.effort

    @cached_property
    def legal(self) -> Finding:
        """How it can be legal, with the fewest draws; else `undecided`, or `impossible` so far."""
        found = self._alignments
        best: Finding | None = None
        undecided = None if self._whole or found[0].faults else Finding("undecided", None, found[0])
        for alignment in found:
            if alignment.faults:
                break
            try:
                finding = self._legal(alignment)
            except Undecided:
                undecided = Finding("undecided", None, alignment)
                continue
            if finding is not None and (best is None or finding.way.draws < best.way.draws):  # type: ignore[union-attr]
                best = finding
                if self.first:
                    break
        return best or undecided or Finding("impossible", None, found[0])

    @cached_property
    def finding(self) -> Finding:
        """What explains it with the fewest broken rules."""
        if self.legal.kind != "impossible":
            return self.legal
        impossible = self._impossible()
        if impossible is not None:
            return impossible
        options = []
        for alignment in self._alignments[:8]:
            try:
                options.append(self._faulty(alignment))
            except Undecided:
                options.append(Finding("undecided", None, alignment))
        order = {"faults": 0, "undecided": 1, "impossible": 2}
        return min(options, key=lambda finding: (order[finding.kind], finding.faults))

    # -- a legal step ------------------------------------------------------------------------------

    def _legal(self, alignment: Alignment) -> Finding | None:
        draws = self.draws()
        if draws is None or self._stock_differs(draws):
            return None
        question = self._question(alignment, *lost_cards(alignment.changes, self.old))
        rest = without(question.pool, self.history.drawn)
        how: dict[str, Any] = {"first": self.first, "effort": self._most_effort}
        if rest != question.pool and (way := replace(question, pool=rest).way(draws, **how)):
            return Finding("legal", None, alignment, question, way, draws=draws, apart=True)
        way = question.way(draws, **how)
        alone = rest != question.pool
        return (
            None
            if way is None
            else Finding("legal", None, alignment, question, way, draws=draws, alone=alone)
        )

    def draws(self) -> Draws | None:
        """How many cards can have been drawn, going by the counts of the stock; None if it has grown."""
        old, new = self.old.stock_count, self.new.stock_count
        if old is not None and new is not None:
            return Draws(old - new, old - new) if new <= old else None
        most = old if old is not None else self.history.most
        if most is None:
            most = self.rules.stock_size
        if new is not None:
            return Draws(0, most - new) if new <= most else None
        return Draws(0, most)

    def _stock_differs(self, draws: Draws) -> bool:
        old, new = self.old.stock, self.new.stock
        if old is None or new is None:
            return False
        return [card.plain for card in old[len(old) - len(new) :]] != [card.plain for card in new]

    def _question(self, alignment: Alignment, lost: tuple[Lost, ...], idle: tuple[Seen, ...]) -> Question:
        old = self.old
        whole = old.whole()
        draws = self.draws() or Draws(0, old.stock_count or 0)
        return Question(
            self.rules,
            lost,
            idle,
            top_mask(self.rules, old.discard, whole, old.top_drawn or self.history.top_drawn),
            old.discard,
            self.new.discard,
            self.pool(alignment),
            old.stock,
            draws.highest,
            whole,
            self.new.whole(),
            self._explored,
        )

    def pool(self, alignment: Alignment) -> Counter[Card]:
        """The cards that can have been drawn: those that are known to be nowhere else."""
        # A buried card may be one of those that are seen after all.
        buried = Counter(self.history.discarded)
        buried.subtract(seen.card.plain for seen in self.old.discard if seen.sure)
        known = [*self.old.discard, *(Seen(card) for card in (+buried).elements())]
        for change in alignment.changes:
            known += [*change.kept, *change.gone, *change.inner]
        pool = without(spare(self.rules, [seen.card for seen in known if seen.sure]), self.history.later)
        for pile in (self.new.stock or ()) if self.old.stock is None else ():
            if pool[pile.plain] > 0:
                pool[pile.plain] -= 1
        if self.old.stock is not None:
            # What lies buried in the discard can't be drawn.
            pool = Counter(card.plain for card in self.old.stock)
        return +pool

    # -- tables that can't be of one deal ----------------------------------------------------------

    def _impossible(self) -> Finding | None:
        for number, table in enumerate((self.old, self.new)):
            if table.doubtful():
                continue
            codes = {"rank-too-often", "joker-not-in-deck", "card-twice"}
            problem = next((p for p in table.position().problems() if p.code in codes), None)
            if problem is not None:
                told = Reason.of(f"problem.{problem.code}", cards=problem.cards)
                why = Reason.of("bad-table", table=number + 1, problem=told)
                return Finding("impossible", why, cards=problem.cards)
        draws = self.draws()
        if draws is not None and self._stock_differs(draws):
            return Finding("impossible", Reason.of("other-stock"))
        return None

    # -- a step that breaks rules ------------------------------------------------------------------

    def _faulty(self, alignment: Alignment) -> Finding:
        misplaced = self._misplaced(alignment)
        if isinstance(misplaced, Finding):
            return misplaced
        draws = self.draws()
        extra = ""
        if draws is None:
            extra = "stock-twice"
            draws = Draws(0, self.rules.stock_size)
        # A card of the stock that lies on a column was drawn too.
        apart = sum(m.column is None and m.rule != "from-discard" for m in misplaced)
        if apart > draws.highest and self.old.whole():
            return Finding("impossible", self._no_way(draws), alignment, draws=draws)
        draws = Draws(max(0, draws.lowest - apart), max(0, draws.highest - apart))
        question = self._residual(alignment, misplaced)
        finding = Finding("faults", None, alignment, question, None, misplaced, extra, draws=draws)
        if (twice := self._twice(question, alignment)) is not None:
            return replace(finding, extra=twice[0], cards=(twice[1],))
        # Without a misplaced card it is settled already that there is no legal way.
        least = 0 if misplaced or extra or alignment.faults else 1
        way = self._fewest_faults(question, draws, least)
        if way is not None and (misplaced or extra) and not way.wrong:
            return replace(finding, way=way)
        over = self._too_many(question, draws) if not extra else None
        if over is not None and (way is None or over.draws - draws.highest <= len(way.wrong)):
            return replace(finding, way=over, extra="stock-empty")
        if way is not None:
            return replace(finding, way=way)
        if (taken := self._under_others(question, alignment, misplaced, draws)) is not None:
            return taken
        if extra:
            return finding
        if not misplaced and any(lost.cards for lost in question.lost) and self._same_discard(question):
            return replace(finding, extra="from-discard", cards=(self.new.discard[-1].card,))
        way, may_be = question.broken(draws)
        if way is not None:
            return replace(finding, way=way)
        kind = "undecided" if may_be else "impossible"
        return Finding(kind, self._no_way(draws), alignment, question, draws=draws)

    def _fewest_faults(self, question: Question, draws: Draws, least: int = 0) -> Way | None:
        undecided = False
        for faults in range(least, MOST_FAULTS + 1):
            try:
                way = question.way(draws, faults)
            except Undecided:
                undecided = True
                continue
            if way is not None:
                return replace(way, shortest=not undecided)
        if undecided and (way := question.broken(draws)[0]) is not None:
            return way
        if undecided:
            raise Undecided
        return None

    def _too_many(self, question: Question, draws: Draws) -> Way | None:
        """A legal way with more draws than the stock held."""
        held = self.old.stock_count if self.old.stock_count is not None else draws.highest
        if question.stock is not None:
            return None
        most = sum(question.pool.values())
        return replace(question, most=most).way(Draws(held + 1, most))

    def _misplaced(self, alignment: Alignment) -> tuple[Misplaced, ...] | Finding:
        """The cards that moved as no card may."""
        if alignment.faults > MOST_MISPLACED:
            return Finding("impossible", Reason.of("too-many-moved"), alignment)
        left: list[tuple[int, int, Seen, tuple[Seen, ...], bool]] = []
        for change in alignment.changes:
            column = self.old.columns[change.before]
            for cards, inner in ((change.inner, True), (change.gone, False)):
                for card in cards:
                    row = column.index(card)
                    left.append((change.before, row, card, column[row + 1 :], inner))
        result: list[Misplaced] = []
        for to, fills, card in self._added(alignment):
            source = next((spot for spot in left if spot[2].agrees(card)), None)
            if source is not None and source[0] == to:
                why = Reason.of("other-order", column=to + 1)
                return Finding("impossible", why, alignment, cards=(card.card,))
            if source is not None:
                left.remove(source)
                rule = "column-filled" if fills else "between-columns"
                result.append(Misplaced(rule, source[2], source[0], to, source[3] if source[4] else ()))
            elif any(old.agrees(card) and old.sure for old in self.old.discard) or (
                card.sure and card.card in self.history.discarded
            ):
                result.append(Misplaced("from-discard", card, None, to))
            elif any(card.may_be(other) for other in self.pool(alignment)):
                result.append(Misplaced("column-filled" if fills else "onto-column", card, None, to))
            else:
                why = Reason.of("from-nowhere", card=card.card, column=to + 1)
                return Finding("impossible", why, alignment, cards=(card.card,))
        for source_column, _, lost, over, inner in left:
            if inner:
                result.append(Misplaced("inside-column", lost, source_column, None, over))
        return tuple(result)

    def _added(self, alignment: Alignment) -> Iterator[tuple[int, bool, Seen]]:
        """The cards that were put on columns: the column, whether it was empty, the card."""
        for change in alignment.changes:
            for n, card in enumerate(change.added):
                yield change.before, not change.kept and n == 0, card
        for _, cards in alignment.extra:
            for n, card in enumerate(cards):
                empty = next(
                    (c.before for c in alignment.changes if not c.kept and not c.added), len(self.old.columns)
                )
                yield empty, n == 0, card

    def _residual(self, alignment: Alignment, misplaced: tuple[Misplaced, ...]) -> Question:
        """What is left to explain when the misplaced cards are set aside."""
        lost, idle = lost_cards(alignment.changes, self.old)
        apart = [Lost(-1, (m.card,)) for m in misplaced if m.rule == "inside-column"]
        apart = [
            replace(a, column=m.column or 0)
            for a, m in zip(apart, [m for m in misplaced if m.rule == "inside-column"], strict=True)
        ]
        moved = [(m.column, m.card) for m in misplaced if m.column is not None and m.to is not None]
        kept = []
        for column in lost:
            cards = tuple(card for card in column.cards if (column.column, card) not in moved)
            kept.append(replace(column, cards=cards))
        question = self._question(alignment, (*kept, *apart), idle)
        taken = [m.card for m in misplaced if m.rule == "from-discard"]
        discard = question.discard
        while discard and any(card.agrees(discard[-1]) and card.sure for card in taken):
            discard = discard[:-1]
        if discard != question.discard:
            unknown = not discard and not question.whole
            seen = discard if not unknown else (Seen(Card.parse("??"), None),)
            question = replace(
                question, discard=seen, start=top_mask(self.rules, seen, question.whole, False)
            )
        gone = Counter(m.card.card.plain for m in misplaced if m.column is None and m.rule != "from-discard")
        return replace(question, pool=question.pool - gone)

    def _twice(self, question: Question, alignment: Alignment) -> tuple[str, Card] | None:
        """Whether the top of the discard lay in the discard before, which it can do only once."""
        if not self.new.discard or not self.new.discard[-1].sure:
            return None
        top = self.new.discard[-1].card.plain
        below = [seen.card.plain for seen in question.discard[:-1]] + list(self.history.discarded)
        if top in question.pool or top not in below or self._same_discard(question):
            return None
        if any(seen.card.plain is top for lost in question.lost for seen in lost.cards):
            return None
        under = question.discard[-2].card.plain if len(question.discard) > 1 else None
        if top is under and not any(lost.cards for lost in question.lost):
            return "from-discard", self.old.discard[-1].card
        return "stock-twice", top

    def _same_discard(self, question: Question) -> bool:
        old, new = question.discard, self.new.discard
        return bool(old and new) and old[-1].agrees(new[-1])

    def _under_others(
        self, question: Question, alignment: Alignment, misplaced: tuple[Misplaced, ...], draws: Draws
    ) -> Finding | None:
        """The top card left its column last, yet others that lay below it have gone too: they went first."""
        if not self.new.discard:
            return None
        top = self.new.discard[-1]
        for n, lost in enumerate(question.lost):
            for row in range(1, len(lost.cards)):
                if not lost.cards[row].agrees(top):
                    continue
                apart = Lost(lost.column, (lost.cards[row],))
                rest = replace(lost, cards=(*lost.cards[:row], *lost.cards[row + 1 :]))
                other = replace(question, lost=(*question.lost[:n], rest, *question.lost[n + 1 :], apart))
                way = self._fewest_faults(other, draws)
                if way is not None:
                    inner = Misplaced(
                        "inside-column", lost.cards[row - 1], lost.column, None, lost.cards[row:]
                    )
                    return Finding("faults", None, alignment, other, way, (*misplaced, inner), draws=draws)
        return None

    def _no_way(self, draws: Draws) -> Reason:
        top = self.new.discard[-1].card if self.new.discard else None
        if top is None:
            return Reason.of("discard-gone")
        if any(seen.card is top for column in self.new.columns for seen in column):
            return Reason.of("two-places", card=top)
        if draws.lowest == draws.highest:
            return Reason.of("no-way-with", draws=draws.lowest)
        return Reason.of("no-way")


def without(pool: Counter[Card], cards: Iterable[Card]) -> Counter[Card]:
    """The pool without some cards, or without others of their ranks."""
    rest = pool.copy()
    for card in cards:
        same = [card.plain, *(other for other in sorted(rest) if other.rank == card.rank)]
        own = next((other for other in same if rest[other] > 0), None)
        if own is not None:
            rest[own] -= 1
    return +rest
