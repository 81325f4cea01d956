"""What leaves the app as a file, and what comes in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.formats import card_pdf, card_png, card_text, round_csv, round_json
from companion.game.round import Round

if TYPE_CHECKING:
    from companion.store import Merged, Store

KINDS = ("pdf", "png", "text", "csv", "json")


def card_file(round: Round, kind: str, language: str) -> tuple[str, bytes]:
    """Name and bytes of a round's card. kind: `pdf`, `png`, `text` or `csv`."""
    day = round.begun[:10] or "round"
    name = f"golf-patience-{day}-{round.id[:6]}"
    if kind == "pdf":
        return f"{name}.pdf", card_pdf.dumps(round, language)
    if kind == "png":
        return f"{name}.png", card_png.dumps(round, language)
    if kind == "csv":
        return f"{name}.csv", round_csv.dumps([round]).encode()
    return f"{name}.txt", card_text.dumps(round, language).encode()


def archive_file(store: Store) -> tuple[str, bytes]:
    """Everything in the store: rounds, games, scans."""
    return "golf-patience-companion.json", round_json.dumps(store.archive()).encode()


def csv_file(store: Store) -> tuple[str, bytes]:
    """A row a hole, of all rounds."""
    return "golf-patience-holes.csv", round_csv.dumps(store.rounds()).encode()


def take_in(store: Store, data: bytes) -> Merged:
    """Add what a file of `archive_file` holds. Raises a `ValueError` for any other file."""
    return store.merge(round_json.loads(data.decode("utf-8-sig", errors="replace")))
