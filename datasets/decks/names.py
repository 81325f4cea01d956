"""Names and sizes every deck shares."""

RANKS = "A23456789TJQK"
SUITS = "SHDC"
#: The order of the faces in every texture file: 52 cards, two jokers, the back.
CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS)
JOKERS = ("J1", "J2")
FACES = (*CARDS, *JOKERS, "back")
#: Width and height of a face in a texture file, pixels (poker proportions are 63.5 x 88.9 mm).
WIDTH, HEIGHT = 360, 504

#: Decks named in ``shared/renders/LEFT_OUT`` with every other edition of the same art.
LEFT_OUT = frozenset({"anglo_poker", "berlin", "ornamental", "kde-nicu-ornamental", "kde-nicu-white"})
#: Further decks kept from training: they tell how a new deck is read on our own scenes.
HELD_OUT = frozenset({"bellot", "rheinland", "plastic"})


def is_held_out(deck: str) -> bool:
    """Whether a deck must never be trained on (drawn decks: every ninth)."""
    if deck.startswith("drawn-"):
        return int(deck.rsplit("-", 1)[1]) % 9 == 4
    return deck in LEFT_OUT or deck in HELD_OUT


def is_drawn(deck: str) -> bool:
    """Whether a deck was drawn from fonts, not printed art."""
    return deck.startswith(("drawn-", "mixed-"))
