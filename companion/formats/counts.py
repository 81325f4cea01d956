"""How many cards a face-down stock holds, when a board doesn't say."""

from __future__ import annotations

from companion.formats.errors import FormatError
from companion.game import Rules


def hidden_stock(rules: Rules, tableau: int, discard: int) -> int:
    """The number of cards in the stock of a table with so many cards in the tableau and the discard.

    A fresh deal has its whole stock; where the discard is whole, the rest of the deck is left.
    Raises `FormatError` where neither tells.
    """
    fresh = tableau >= rules.tableau_size and discard <= 1
    rest = rules.cards - tableau - discard
    if fresh or rules.stock_size == 0:
        return rules.stock_size
    if discard > 1 and 0 <= rest <= rules.stock_size:
        return rest
    raise FormatError(f"the board doesn't say how many cards the stock holds, as in: {'Talon: 12'!r}")
