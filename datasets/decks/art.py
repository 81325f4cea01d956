"""Card art from Debian's ``gnome-cards-data`` and ``kdegames-card-data-kf5`` as textures.

AisleRiot's files are sheets of 13 x 5 cards (clubs, diamonds, hearts, spades; then jokers and the back);
KDE's files name an SVG element for each card.
"""

from __future__ import annotations

import gzip
import io
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image

from datasets.decks.names import CARDS, FACES, HEIGHT, RANKS, WIDTH

AISLERIOT = Path("/usr/share/aisleriot/cards")
KDE = Path("/usr/share/carddecks")

#: Left out for good, with the reason (also in the data card).
UNREADABLE = {
    "swiss-xvii": "Swiss suits",
    "slavic_costumes": "Cyrillic ranks",
    "Атласные": "Cyrillic ranks",
    "tango_nuevo": "the suit sign stands in the other corner",
    "gnomangelo_bitmap": "same faces as gnomangelo",
    "anglo_bitmap": "same faces as anglo",
    "kde-dondorf": "same faces as dondorf",
    "guyenne-classic": "court cards have no rank",
    "kde-ancient-egyptians": "figures in place of an index",
    "kde-future": "no rank and suit index",
    "kde-gm-paris": "same faces as paris",
    "kde-jolly-royal": "filters that librsvg draws too coarsely",
    "kde-penguins": "indices run into the frame",
    "kde-konqi-modern": "the file names no size",
    "kde-oxygen": "rank and suit stand in different corners",
    "kde-oxygen-air": "rank and suit stand in different corners",
    "kde-oxygen-white": "rank and suit stand in different corners",
    "kde-xskat-french": "the file names no size",
    "kde-xskat-german": "German suits",
}
_KDE_RANK = dict(zip(RANKS, ["1", *map(str, range(2, 11)), "jack", "queen", "king"], strict=True))
_KDE_SUIT = {"S": "spade", "H": "heart", "D": "diamond", "C": "club"}


def art_decks() -> list[str]:
    """Names of the installed decks whose indices can be read."""
    names = [p.name.removesuffix(".svgz") for p in sorted(AISLERIOT.glob("*.svgz"))]
    names += ["kde-" + p.name.removeprefix("svg-") for p in sorted(KDE.glob("svg-*"))]
    return [n for n in names if n not in UNREADABLE]


def render_faces(deck: str) -> dict[str, Image.Image]:
    """Every face of ``deck`` as an RGBA image of ``WIDTH`` x ``HEIGHT`` pixels."""
    faces = dict(_kde_faces(deck) if deck.startswith("kde-") else _aisleriot_faces(deck))
    missing = [name for name in CARDS if name not in faces]
    if missing:
        raise ValueError(f"deck {deck} lacks {missing[:3]!r}")
    return {name: faces[name] for name in FACES if name in faces}


def _rsvg(svg: Path, *options: str) -> Image.Image:
    png = subprocess.run(
        ["rsvg-convert", "--unlimited", *options, str(svg)], check=True, capture_output=True
    ).stdout
    return Image.open(io.BytesIO(png)).convert("RGBA")


def _aisleriot_faces(deck: str) -> Iterator[tuple[str, Image.Image]]:
    with tempfile.TemporaryDirectory() as folder:
        svg = Path(folder) / "deck.svg"
        svg.write_bytes(gzip.decompress((AISLERIOT / f"{deck}.svgz").read_bytes()))
        sheet = _rsvg(svg, "-w", str(13 * WIDTH), "-h", str(5 * HEIGHT))
    sheet = sheet.resize((13 * WIDTH, 5 * HEIGHT))
    for row, suit in enumerate("CDHS"):
        for column, rank in enumerate(RANKS):
            yield rank + suit, _cell(sheet, column, row)
    yield "J1", _cell(sheet, 0, 4)
    yield "J2", _cell(sheet, 1, 4)
    yield "back", _cell(sheet, 2, 4)


def _cell(sheet: Image.Image, column: int, row: int) -> Image.Image:
    return sheet.crop((column * WIDTH, row * HEIGHT, (column + 1) * WIDTH, (row + 1) * HEIGHT))


def _kde_faces(deck: str) -> Iterator[tuple[str, Image.Image]]:
    folder = KDE / ("svg-" + deck.removeprefix("kde-"))
    source = next(folder.glob("*.svgz"))
    text = gzip.decompress(source.read_bytes())
    ids = set(re.findall(rb'\bid="([^"]+)"', text))
    with tempfile.TemporaryDirectory() as temporary:
        svg = Path(temporary) / "deck.svg"
        svg.write_bytes(text)
        for name in FACES:
            wanted = _kde_id(name)
            if wanted.encode() in ids:
                yield name, _trimmed(_rsvg(svg, "-i", wanted, "-w", "720"))


def _kde_id(name: str) -> str:
    if name == "back":
        return "back"
    if name in ("J1", "J2"):
        return {"J1": "joker_black", "J2": "joker_red"}[name]
    return f"{_KDE_RANK[name[0]]}_{_KDE_SUIT[name[1]]}"


def _trimmed(image: Image.Image) -> Image.Image:
    """The card without the soft shadow that some decks draw around it."""
    opaque = np.asarray(image.getchannel("A")) > 200
    rows, columns = np.flatnonzero(opaque.any(1)), np.flatnonzero(opaque.any(0))
    box = (columns[0], rows[0], columns[-1] + 1, rows[-1] + 1)
    return image.crop(tuple(int(v) for v in box)).resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
