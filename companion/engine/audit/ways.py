"""From what was seen of two tables to the tasks that explain the step, and from a way back to moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice

from companion.engine.audit.align import Change
from companion.engine.audit.frontier import Undecided
from companion.engine.audit.paths import Paths
from companion.engine.audit.supplied import broken
from companion.engine.audit.tables import Seen, Table
from companion.engine.audit.task import ALL_TOPS, DRAW, Kinds, Last, Step, Task
from companion.engine.audit.verdict import Placed
from companion.engine.audit.wide import WidePaths
from companion.engine.board import kind
from companion.engine.lattice import LIMIT, size
from companion.engine.tops import DEAD_QUEEN, JOKER, KINDS, NONE, TOPS, WILD, steps
from companion.game import UNKNOWN, Card, Rules

READINGS = 64
"""The most ways looked at to tell where the last cards of the discard came from."""
EXPLORED = 4
"""The most tasks whose tables are kept; those of a full table take 100 MB."""


class Explored:
    """What is known of the tasks of two tables; effort: states and labels looked at for them."""

    def __init__(self) -> None:
        self._tasks: dict[Task, Paths | WidePaths] = {}
        self.effort = 0

    def paths(self, task: Task) -> Paths | WidePaths:
        """The ways of a task."""
        narrow = size(task.heights) <= LIMIT
        # What is known of a way holds however many cards the stock has.
        known = replace(task, most=0) if narrow else task
        if known not in self._tasks:
            while len(self._tasks) >= EXPLORED:
                del self._tasks[next(iter(self._tasks))]
            self._tasks[known] = Paths(known) if narrow else WidePaths(known)
        return self._tasks[known]


@dataclass(frozen=True, slots=True)
class Lost:
    """Cards that left a column for the discard, one after the other; the buried one first.

    column: its number; under: the card that is exposed now.
    """

    column: int
    cards: tuple[Seen, ...]
    under: Seen | None = None


@dataclass(frozen=True, slots=True)
class Draws:
    """How many cards can have been drawn: lowest to highest."""

    lowest: int
    highest: int


@dataclass(frozen=True)
class Way:
    """An explained step: its moves, and the numbers of those that broke a rule."""

    moves: tuple[Placed, ...]
    tops: tuple[int, ...]
    """The top after each move."""
    wrong: tuple[int, ...]
    start: int
    """The top at the start, where it can be only one, else `NONE`."""
    fewest: bool = True
    """Whether it is proved that none has fewer draws."""
    shortest: bool = True
    """Whether it is proved that none breaks fewer rules."""

    @property
    def draws(self) -> int:
        return sum(move.column is None for move in self.moves)


@dataclass(frozen=True)
class Question:
    """The known of a step: what left the columns, the discard before and after, what could be drawn."""

    rules: Rules
    lost: tuple[Lost, ...]
    idle: tuple[Seen, ...]
    start: int
    """Mask of the tops at the start."""
    discard: tuple[Seen, ...]
    """The discard at the start, as far as it is known."""
    after: tuple[Seen, ...]
    """The discard at the end, as far as it is known."""
    pool: Counter[Card]
    """The cards that could be drawn."""
    stock: tuple[Card, ...] | None
    most: int
    whole: bool = False
    """The discard at the start is known from its bottom."""
    whole_after: bool = False
    """The discard at the end is known from its bottom."""
    explored: Explored = field(default_factory=Explored, compare=False, repr=False)
    """What is known of tasks, for questions that share them."""

    def tasks(self) -> Iterator[tuple[Task, tuple[Seen, ...]]]:
        """Every way to read the discard as a task, with the cards of its last moves.

        Raises `Undecided` behind the last one where there are more ways than are looked at.
        """
        cut = False
        for known in range(len(self.after), -1, -1):
            if not self._overlaps(known):
                continue
            tail = self.after[known:]
            readings = self._readings(tail, whole=bool(known))
            cut = cut or len(readings) > READINGS
            for last in readings[:READINGS]:
                plays = Counter(move.column for move in last)
                rest = [lost.cards[plays[n] :] for n, lost in enumerate(self.lost)]
                # Where the discard before can be seen below, nothing else came between.
                if known and any(rest):
                    continue
                if not known and not self.after and (self.discard or any(rest)):
                    continue
                yield self._task(last, rest, complete=bool(known) or not self.after), tail
        if cut:
            raise Undecided

    def _readings(self, tail: tuple[Seen, ...], *, whole: bool) -> list[tuple[Last, ...]]:
        """The ways to tell where the last cards came from, one more than are looked at where there are more.

        whole: they are all that came between.
        """
        if whole:
            # Each of many cards may have come from two places: a legal reading is looked for directly.
            legal = self._legal_reading(tail)
            if legal is not None:
                return [legal]
        ways = list(islice(self._tails(tail, tuple(0 for _ in self.lost)), READINGS + 1))
        # It is settled that none of them is legal, so it takes no more to say what was wrong.
        return ways[:READINGS] if whole else ways

    def _legal_reading(self, tail: tuple[Seen, ...]) -> tuple[Last, ...] | None:
        """Where the cards came from, if they can have come one after the other by the rules."""
        rules = steps(self.rules)
        whole = tuple(len(lost.cards) for lost in self.lost)
        exposed = (*(self._exposed(n, left) for n, left in enumerate(whole)), *map(self.kinds, self.idle))
        failed: set[tuple[int, tuple[int, ...], int, tuple[Kinds, ...]]] = set()
        stack = [(0, whole, top, exposed, tuple[Last, ...]()) for top in range(TOPS) if self.start >> top & 1]
        while stack:
            at, left, top, exposed, last = stack.pop()
            if at == len(tail):
                if not any(left):
                    return last
                continue
            if (at, left, top, exposed) in failed:
                continue
            failed.add((at, left, top, exposed))
            card, named = tail[at], self._named(tail[at])
            if (stuck := self._stuck(top, exposed)) is not None:
                drawable = {kind(other) for other in self.pool if card.may_be(other)}
                if self.stock is not None:
                    turned = at - sum(whole) + sum(left)
                    drawable &= {kind(other) for other in self.stock[turned : turned + 1]}
                for other in drawable:
                    for drawn in rules.draws[other]:
                        if named >> drawn & 1:
                            stack.append((at + 1, left, drawn, stuck, (*last, Last(DRAW, (other,), named))))
            for n, lost in enumerate(self.lost):
                if not left[n] or not lost.cards[left[n] - 1].agrees(card):
                    continue
                rest = (*left[:n], left[n] - 1, *left[n + 1 :])
                after = (*exposed[:n], self._exposed(n, left[n] - 1), *exposed[n + 1 :])
                for other in set(self.kinds(lost.cards[left[n] - 1].merged(card))) & set(exposed[n]):
                    for edge in rules.plays[other]:
                        if edge.sources >> top & 1 and named >> edge.result & 1:
                            move = Last(n, (other,), named)
                            stack.append((at + 1, rest, edge.result, after, (*last, move)))
        return None

    def _exposed(self, column: int, left: int) -> Kinds:
        """What the exposed card of a column may be, of which so many cards have still to leave."""
        lost = self.lost[column]
        if left:
            return self.kinds(lost.cards[left - 1])
        return () if lost.under is None else self.kinds(lost.under)

    def _stuck(self, top: int, exposed: tuple[Kinds, ...]) -> tuple[Kinds, ...] | None:
        """What the exposed cards may still be where a card was drawn; None where none may be."""
        if (top == NONE and self.rules.start == "free") or not any(exposed):
            return None
        if self.rules.draw != "when_stuck":
            return exposed
        follow = steps(self.rules).follow
        rest = tuple(tuple(k for k in kinds if not follow[k] >> top & 1) for kinds in exposed)
        return rest if all(bool(now) == bool(was) for now, was in zip(rest, exposed, strict=True)) else None

    def _overlaps(self, known: int) -> bool:
        """Whether the first `known` cards of the discard now can be the discard before."""
        if self.whole and (known > len(self.discard) or (self.whole_after and known < len(self.discard))):
            return False
        if known == 0:
            return not self.whole_after or not self.discard
        both = min(known, len(self.discard))
        if both == 0:
            return False
        old, new = self.discard[-both:], self.after[known - both : known]
        return all(a.agrees(b) for a, b in zip(old, new, strict=True))

    def _tails(self, tail: Sequence[Seen], gone: tuple[int, ...]) -> Iterator[tuple[Last, ...]]:
        """The ways to tell where the last cards of the discard came from; gone: cards already explained."""
        if not tail:
            yield ()
            return
        card = tail[-1]
        for n, lost in enumerate(self.lost):
            if gone[n] < len(lost.cards) and lost.cards[gone[n]].agrees(card):
                kinds = self.kinds(lost.cards[gone[n]].merged(card))
                more = (*gone[:n], gone[n] + 1, *gone[n + 1 :])
                for rest in self._tails(tail[:-1], more):
                    yield (*rest, Last(n, kinds, self._named(card)))
        kinds = tuple(sorted({kind(other) for other in self.pool if card.may_be(other)}))
        if kinds:
            for rest in self._tails(tail[:-1], gone):
                yield (*rest, Last(DRAW, kinds, self._named(card)))

    def _named(self, card: Seen) -> int:
        """The tops a card may be: a joker can have been seen with its rank."""
        rank = card.card.stands_for
        if not rank:
            return ALL_TOPS
        return 1 << rank - 1 | (1 << DEAD_QUEEN if rank == 12 else 0)

    def _task(self, last: tuple[Last, ...], rest: list[tuple[Seen, ...]], *, complete: bool) -> Task:
        supply = [0] * KINDS
        if not complete:
            for card, count in self.pool.items():
                supply[kind(card)] += count
            for move in last:
                if move.column == DRAW and len(move.kinds) == 1:
                    supply[move.kinds[0]] = max(0, supply[move.kinds[0]] - 1)
        drawn = sum(move.column == DRAW for move in last)
        stock = None if self.stock is None else tuple(map(kind, self.stock))
        return Task(
            steps=steps(self.rules),
            columns=tuple(tuple(self.kinds(card) for card in cards) for cards in rest),
            start=self.start,
            supply=tuple(supply),
            last=last,
            under=tuple(self.kinds(lost.under) if lost.under else () for lost in self.lost),
            idle=tuple(self.kinds(card) for card in self.idle),
            stock=stock if not complete else (stock[:drawn] if stock is not None else None),
            when_stuck=self.rules.draw == "when_stuck",
            draw_first=self.rules.start != "free",
            most=drawn if complete else max(self.most, drawn),
        )

    def kinds(self, seen: Seen) -> Kinds:
        """What a card may be to play."""
        if seen.others is None or seen.card is UNKNOWN:
            return tuple(range(13)) + ((JOKER,) if self.rules.jokers else ())
        return tuple(sorted({kind(card) for card in (seen.card, *seen.others)}))

    # -- answers -----------------------------------------------------------------------------------

    def way(
        self, draws: Draws, faults: int = 0, *, first: bool = False, effort: int | None = None
    ) -> Way | None:
        """The way with the fewest draws; first: one that is soon found.

        effort: after so much of it no other reading of the discard is looked at.  Raises `Undecided`.
        """
        best: Way | None = None
        undecided, proved = False, True
        tasks = self.tasks()
        while True:
            if effort is not None and self.explored.effort > effort:
                undecided = True
                break
            try:
                task, tail = next(tasks)
                highest = min(task.most, draws.highest if best is None else best.draws - 1)
                paths = self.explored.paths(task)
                before = paths.effort
                try:
                    found = paths.fewest(draws.lowest, highest, faults, better=best is not None)
                finally:
                    self.explored.effort += paths.effort - before
            except StopIteration:
                break
            except Undecided:
                undecided = True
                continue
            proved = proved and paths.proved
            if found is not None:
                best = self._moves(task, tail, found)
                if first:
                    undecided = True
                    break
        if best is not None:
            return replace(best, fewest=(proved and not undecided) or best.draws <= draws.lowest)
        if undecided:
            raise Undecided
        return None

    def broken(self, draws: Draws) -> tuple[Way | None, bool]:
        """A way that breaks few rules of many, and whether there may be one where none is found."""
        best: Way | None = None
        may_be, proved = False, True
        tasks = list(islice(self._all_tasks(), READINGS + 1))
        for task, tail in tasks[:READINGS]:
            drawn = sum(last.column == DRAW for last in task.last)
            highest = min(task.most, draws.highest)
            if drawn > highest or drawn + sum(task.supply) < draws.lowest:
                continue
            may_be = True
            if best is not None and any(task.heights):
                proved = False
                continue
            found = broken(task, draws.lowest, highest)
            # Where the whole discard is seen, nothing is left to choose.
            proved = proved and found is not None and not any(task.heights)
            if found is not None and (best is None or sum(step.fault for step in found) < len(best.wrong)):
                best = self._moves(task, tail, found)
        proved = proved and len(tasks) <= READINGS
        return None if best is None else replace(best, shortest=proved), may_be

    def _all_tasks(self) -> Iterator[tuple[Task, tuple[Seen, ...]]]:
        """As many tasks as there are, or are looked at."""
        with suppress(Undecided):
            yield from self.tasks()

    def _moves(self, task: Task, tail: tuple[Seen, ...], way: tuple[Step, ...]) -> Way:
        left = [list(lost.cards) for lost in self.lost]
        pool = self.pool.copy()
        known = len(way) - len(task.last)
        for seen, last in zip(tail, task.last, strict=True):
            if last.column == DRAW and pool[seen.card.plain] > 0:
                pool[seen.card.plain] -= 1
        stock = iter(self.stock or ())
        moves, tops = list[Placed](), list[int]()
        for number, step in enumerate(way):
            seen_last = tail[number - known] if number >= known else None
            column = None if step.column == DRAW else self.lost[step.column].column
            supposed = False
            if step.column != DRAW:
                card = _fitting(left[step.column].pop(), step.kind)
            elif seen_last is not None:
                card = _fitting(seen_last, step.kind)
                next(stock, None)
            elif self.stock is not None:
                card = next(stock)
            else:
                card, supposed = _of_kind(pool, step.kind), True
                pool[card] -= 1
            moves.append(Placed(_named(card, step.top, self.rules), column, supposed))
            tops.append(step.top)
        wrong = tuple(n for n, step in enumerate(way) if step.fault)
        start = self.start.bit_length() - 1 if self.start.bit_count() == 1 else NONE
        return Way(tuple(moves), tuple(tops), wrong, start)


def lost_cards(changes: Sequence[Change], old: Table) -> tuple[tuple[Lost, ...], tuple[Seen, ...]]:
    """What columns lost from their exposed end, and the exposed cards of the others."""
    lost, idle = [], []
    for change in changes:
        under = change.kept[-1] if change.kept else None
        if change.gone:
            lost.append(Lost(change.before, change.gone, under))
        elif under is not None:
            idle.append(under)
    return tuple(lost), tuple(idle)


def top_mask(rules: Rules, discard: tuple[Seen, ...], whole: bool, drawn: bool) -> int:
    """The tops a discard may have; drawn: the top is known to be drawn.

    Under `queen_only` a queen on what may be a king may be dead: whether she was drawn can't be seen.
    """
    if not discard:
        return 1 << NONE
    top = discard[-1]
    if top.others is None or top.card is UNKNOWN:
        mask = (1 << 13) - 1 | (1 << WILD if rules.jokers else 0)
    else:
        mask = 0
        for card in (top.card, *top.others):
            mask |= 1 << (WILD if card.is_joker and not card.stands_for else card.value - 1)
    if rules.on_king == "queen_only" and mask >> 11 & 1 and not drawn:
        under = discard[-2] if len(discard) > 1 else None
        if under is None:
            mask |= 0 if whole else 1 << DEAD_QUEEN
        elif under.sure and under.card.rank is not None:
            if under.card.value == 13:
                mask |= 1 << DEAD_QUEEN
        else:
            mask |= 1 << DEAD_QUEEN
    return mask


def _fitting(seen: Seen, wanted: int) -> Card:
    """The card a seen card is taken for, to be of a kind."""
    for card in (seen.card, *(seen.others or ())):
        if card is not UNKNOWN and kind(card) == wanted:
            return card
    return Card.joker(1) if wanted == JOKER else Card.of(wanted + 1, "S")


def _of_kind(pool: Counter[Card], wanted: int) -> Card:
    found = next((card for card in sorted(pool) if pool[card] > 0 and kind(card) == wanted), None)
    if found is not None:
        return found
    return Card.joker(1) if wanted == JOKER else Card.of(wanted + 1, "S")


def _named(card: Card, top: int, rules: Rules) -> Card:
    """A declared joker with the rank it was given."""
    if card.is_joker and rules.joker == "declared" and top < WILD:
        return card.plain.named(12 if top == DEAD_QUEEN else top + 1)
    return card


__all__ = ["Draws", "Lost", "Question", "Way", "lost_cards", "top_mask"]
