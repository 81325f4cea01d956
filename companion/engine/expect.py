"""The expected outcome of the best play, over heights, top and what has been drawn, in numpy.

With heights h, the top t and a hand c of drawn cards (`companion.engine.drawn`), the best play is worth

    best(h, t, c) = min(draw(h, c), best(h - e_i, u, c) over the plays of a card that makes the top u)
    draw(h, c)    = sum over the kinds r of weight(c, r) * min over its tops of best(h, top, c + r)

and a hole that is over is worth what `Ends` says.  Only pairs of heights and hand that play can reach are
valued: a pass from the full tableau down finds them, as sets of hands, a pass up again values them, heights
by layers of equal sum.

One kind of draw is left out: with a card in reach that can be played, and on which nothing that is left
could ever follow, it is played before the next draw.  That costs nothing: whoever keeps the card and plays
it later draws next, so the others can do all that without it.
"""

from __future__ import annotations

from companion.engine.board import Board
from companion.engine.drawn import Drawn
from companion.engine.reached import Table, reach
from companion.engine.valued import values
from companion.engine.values import Ends, Root


def evaluate(board: Board, drawn: Drawn, ends: Ends, limit: int) -> Root | None:
    """The values at the root, or None when more than `limit` pairs (hand, heights) would be valued.

    ends: of a single order of the draws.
    """
    table = Table(board, drawn)
    layers = reach(table, limit)
    return None if layers is None else values(table, layers, ends)
