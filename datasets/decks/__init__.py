"""Decks as pixels: card art installed from Debian, and decks drawn from fonts."""
