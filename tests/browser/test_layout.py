"""Nothing lies on anything else, and what is tapped can be: named, and 48 pixels in each direction."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest

pytest.importorskip("playwright")
from playwright.sync_api import Browser

from tests.browser.demo import PHOTO
from tests.browser.driver import Phone, choose, served
from tests.browser.walks import WALKS, Take, scanning

pytestmark = pytest.mark.browser

TARGET = 47.5
"""Pixels; a browser may draw a control at a fraction of one."""
STRIPS = ("slot-", "card-", "strokes--", "points-")
"""The strips of covered cards: as narrow as they lie; two keys step through them, and are large enough. And
keys that are moved, those of the stock sideways, those of points up: the last that are seen are cut."""


def wanting(phone: Phone) -> list[str]:
    """Controls without a name, or too small for a finger."""
    return [
        f"{one['id'] or one['role']} {one['name']!r} {one['width']:.0f}x{one['height']:.0f}"
        for one in phone.controls()
        if not one["name"] or (min(one["width"], one["height"]) < TARGET and not one["id"].startswith(STRIPS))
    ]


@pytest.mark.parametrize("walk", WALKS[1:], ids=lambda walk: walk.__name__)
def test_what_is_tapped_is_named_and_large_enough(
    browser: Browser, tmp_path: Path, walk: Callable[[Phone, Take], None]
) -> None:
    """In a window so high that nothing is cut off by an edge."""
    # Only one of the walks asks for a hint: to get the engine ready takes the others' time.
    with served(tmp_path, *(["--hints"] if walk is scanning else [])) as address:
        phone = Phone(browser, address, width=360, height=3400)
        found: dict[str, list[str]] = {}

        def look(at: str) -> None:
            phone.page.wait_for_timeout(300)
            assert len(phone.controls()) > 5, at
            if poor := wanting(phone):
                found[at] = poor

        walk(phone, look)
        assert not found, "\n".join(f"{at}: {poor}" for at, poor in found.items())


def apart(phone: Phone, *ids: str) -> None:
    """No two parts lie on each other, and none on what is below the table."""
    boxes = {id: phone.box(id) for id in ids}
    for (one, a), (other, b) in combinations(boxes.items(), 2):
        across = min(a[2], b[2]) - max(a[0], b[0])
        down = min(a[3], b[3]) - max(a[1], b[1])
        assert across < 1 or down < 1, f"{one} {a} lies on {other} {b}"


@pytest.mark.parametrize("locale", ["en-US", "de-DE", "sv-SE"])
def test_the_total_of_nine_holes_is_seen_on_a_phone(browser: Browser, shared: str, locale: str) -> None:
    """What the card is looked at for, without scrolling."""
    phone = Phone(browser, shared, width=360, height=740, locale=locale).open("card").sees("total-1")
    assert phone.box("total-1")[3] <= phone.box("nav-card")[1]
    phone.close()


COLUMNS = [f"column-{number}" for number in range(7)]


@pytest.mark.parametrize("size", [1.0, 1.3], ids=["normal", "large"])
def test_the_cards_make_room_for_what_is_asked(browser: Browser, tmp_path: Path, size: float) -> None:
    choose(tmp_path, text_size=size)
    with served(tmp_path, "--hints") as address:
        phone = Phone(browser, address, width=360, height=740).open("play")
        phone.tap("begin-deal").sees("column-6")
        apart(phone, *COLUMNS, "stock", "discard", "hint", "strokes")
        phone.tap("hint").sees("hint-do")
        apart(phone, *COLUMNS, "stock", "discard", "hint-panel", "hint", "strokes")
        phone.tap("hint-close").gone("hint-do")
        for left in range(15, -1, -1):
            phone.tap("stock").says(f"from the stock, {left} card")
        while not phone.part("over").count():
            for column in COLUMNS:
                phone.tap(column)
            phone.page.wait_for_timeout(300)
        apart(phone, *COLUMNS, "stock", "discard", "over", "strokes")
        phone.open("scan").sees("scan-file").choose("scan-file", PHOTO).sees("rank-A")
        phone.settle_unsure().tap("use-scan").sees("column-6").tap("stock").sees("draw-cancel")
        apart(phone, *COLUMNS, "stock", "discard", "rank-A", "suit-S", "hint", "strokes")
        phone.close()
