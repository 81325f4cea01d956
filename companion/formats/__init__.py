"""Boards in and out of text and JSON; each format is a module with `load`, `loads`, `dump`, `dumps`.

`text` is the board text of PySolFC and black-hole-solver, `solvitaire` the JSON of Solvitaire,
`numbers` PySolFC's deal numbers, `scan` the JSON of `companion scan`.
"""

from companion.formats.errors import FormatError

__all__ = ["FormatError"]
