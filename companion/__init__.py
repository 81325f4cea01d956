"""Golf Patience Companion: reads the table, advises the move, checks the play, keeps the score."""

__version__ = "0.1.0"
