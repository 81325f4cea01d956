"""Fonts on this machine that can print an index or a suit sign."""

from __future__ import annotations

import functools
import subprocess

from PIL import ImageFont

#: Families that look like nothing on a card, or draw other scripts in place of Latin letters.
_UNFIT = (
    "Noto Sans ", "Noto Serif ", "Noto Kufi", "Noto Naskh", "Noto Nastaliq", "Noto Rashi", "Noto Music",
    "Noto Looped", "Noto Traditional", "Symbol", "D050000L", "Unifont", "Initials", "Keyboard", "Isabella",
    "Atari", "Monoisome", "Kristi", "Ecolier", "Breip", "Rufscript", "Irianis", "Caliban", "Cupola",
    "Conakry", "Engadget", "Math", "Amiri", "Baekmuk", "Droid Sans Fallback", "Chancery", "Z003", "Chorus",
    "Tomson", "Oldania", "Dyuthi", "Karumbi", "Keraleeyam", "Suruma", "Uroob", "Rachana", "Meera", "Anjali",
    "Chilanka", "Raghu", "Manjari", "Gayathri", "F500", "Radis", "Humor", "Script", "Style",
    "BodoniClassic", "Emoji", "Ornaments", "Tribun ADF", "Solothurn", "GWMonospace", "Abecedario",
    "Alfa-beta", "Ellhnikh", "Blankenburg", "Compagnon", "Delphine", "Domestic Manners", "El Abogado",
    "Elegante", "It wasn't me", "Junkyard", "Leckerli", "Le Murmure", "Penguin Attack", "Steve", "UnPilgi",
    "Wargames", "okolaks", "OCR B",
    "Ubuntu-Title", "Cherry Bomb", "EMERITA", "unifur", "IPA ", "API ", "BABEL", "Latin Modern Roman Dunhill",
)  # fmt: skip


@functools.cache
def _catalogue() -> tuple[tuple[str, str, str], ...]:
    """``(family, style, file)`` of every outline font."""
    text = subprocess.run(
        ["fc-list", "-f", "%{family[0]}|%{style[0]}|%{file}\n"], check=True, capture_output=True, text=True
    ).stdout
    rows = {tuple(line.split("|")) for line in text.splitlines() if line.count("|") == 2}
    return tuple(sorted(r for r in rows if r[2].endswith((".ttf", ".otf", ".t1", ".pfb"))))  # type: ignore[misc]


def _prints(file: str, chars: str) -> bool:
    try:
        font = ImageFont.truetype(file, 40)
        blank = bytes(font.getmask("\U000f1234"))
        shapes = [bytes(font.getmask(c)) for c in chars]
    except OSError:
        return False
    return all(any(s) and s != blank for s in shapes) and len(set(shapes)) == len(chars)


@functools.cache
def index_fonts() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """``(family, files)`` of upright fonts with figures and capitals."""
    families: dict[str, list[str]] = {}
    for family, style, file in _catalogue():
        slanted = any(word in style.lower() for word in ("italic", "oblique", "thin", "hairline", "swash"))
        fit = not any(family.startswith(u) or u in family for u in _UNFIT) or family in (
            "Noto Sans",
            "Noto Serif",
        )
        if fit and not slanted and _prints(file, "0123456789AJQKBDVRn"):
            families.setdefault(family, []).append(file)
    return tuple((f, tuple(files)) for f, files in sorted(families.items()))


#: Fonts whose spade and club stand in each other's place: seen on a sheet of all decks, after the reader was
#: sure of a spade that its label called a club.
_SWAPPED = ("StandardSymbolsPS", "D050000L", "FreeSerifBold")
#: Fonts whose signs lie outside their line, or have a shape that no card has.
_UNUSUAL = ("STIXMath", "agave")


@functools.cache
def suit_fonts() -> tuple[str, ...]:
    """Files of fonts with the four filled suit signs."""
    files = [f for _, style, f in _catalogue() if "talic" not in style and "blique" not in style]
    return tuple(
        f
        for f in sorted(set(files))
        if not any(name in f for name in ("ColorEmoji", *_SWAPPED, *_UNUSUAL)) and _prints(f, "♠♥♦♣")
    )
