"""A BOARD of the command line as a position: a photo, a board file, a deal number, standard input."""

from __future__ import annotations

import sys
from pathlib import Path

from companion.cli.options import file_named
from companion.cli.output import messages
from companion.formats import FormatError, numbers, scan, solvitaire, text
from companion.formats.files import decode, parse_json
from companion.game import Position, PositionError, Rules
from companion.game.position import HARMLESS

LARGEST_TEXT = 1 << 20
"""Bytes; a board is a few hundred."""


def load_position(
    board: str, rules: Rules | None = None, *, stock_count: int | None = None, language: str = "en"
) -> Position:
    """The position that a BOARD argument names.

    board: a path, `-` for standard input, or a deal such as `pysolfc:906`; stock_count: the cards of
    a face-down stock, where the board doesn't say; language: whose card letters are read.  The
    position may be wrong: see `playable`.  Raises `FormatError` and `OSError`.
    """
    rules = rules or Rules()
    if is_deal_number(board):
        return numbers.loads(board).deal(rules)
    return read_position(read(board), board, rules, stock_count=stock_count, language=language)


def read(path: str) -> bytes:
    """The bytes of a file, or of standard input for `-`.  Raises `FormatError` for no name, `OSError`."""
    return sys.stdin.buffer.read() if path == "-" else file_named(path).read_bytes()


def read_position(
    data: bytes, board: str, rules: Rules, *, stock_count: int | None = None, language: str = "en"
) -> Position:
    """The position that the bytes of a photo or a board hold; board: what they are called."""
    if is_photo(data):
        return _photographed(data, rules, stock_count)
    if len(data) > LARGEST_TEXT:
        raise FormatError(f"neither a photo nor a board: {board!r}")
    return _written(decode(data), rules, stock_count, language)


def playable(position: Position) -> Position:
    """The position itself.  Raises `PositionError`, naming what is wrong, when it can't be played."""
    wrong = [problem.message for problem in position.problems() if problem.code not in HARMLESS]
    if wrong:
        raise PositionError(f"this table can't be played: {'; '.join(wrong)}")
    return position


def is_deal_number(board: str) -> bool:
    """Whether a BOARD is a deal such as `pysolfc:906` or `#906`, and no file of that name exists."""
    return any(sign in board for sign in ":#") and numbers.is_number(board) and not Path(board).exists()


def is_photo(data: bytes) -> bool:
    """Whether the first bytes are those of a picture: JPEG, PNG, WebP, HEIC, GIF, BMP or TIFF."""
    return (
        data.startswith((b"\xff\xd8\xff", b"\x89PNG", b"GIF8", b"BM", b"II*\0", b"MM\0*"))
        or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")
        or data[4:8] == b"ftyp"
    )


def _written(board: str, rules: Rules, stock_count: int | None, language: str) -> Position:
    if not board.lstrip("\ufeff \r\n\t").startswith("{"):
        if numbers.is_number(board):
            return numbers.loads(board).deal(rules)
        return text.loads(board, rules, stock_count=stock_count, language=language)
    document = parse_json(board)
    if "schema" in document:
        return scan.position(document, rules, stock_count=stock_count)
    return solvitaire.loads(board, rules, stock_count=stock_count)


def _photographed(data: bytes, rules: Rules, stock_count: int | None) -> Position:
    from companion.vision import scan_photo

    document = scan_photo(data, decks=rules.decks, jokers=rules.jokers).document()
    if not document["columns"]:
        causes = [problem["message"] for problem in document["problems"]] or ["no cards were found"]
        raise PositionError(f"no table can be read on the photo: {'; '.join(causes)}")
    unsure = [card["card"] for card in document["cards"] if not card["sure"]]
    if unsure:
        messages().print(f"companion: not sure of {', '.join(unsure)}")
    return scan.position(document, rules, stock_count=stock_count)
