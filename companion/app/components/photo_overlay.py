"""A photo with what was read drawn over it; zoom and pan, tap a card to choose it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from typing import Any

import flet as ft

from companion.app.components.base import BOLD
from companion.app.components.boundary import part, unchanged
from companion.app.components.look import Look
from companion.app.state.editor import Editor
from companion.app.state.table import Place, Slot, Table
from companion.game import UNKNOWN, Card

LEAST, TALLEST = 9.0, 20.0
"""Heights of a label, pixels."""
MARGIN = 0.06
"""How much is shown round the cards, as a share of the table."""


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a photo that is shown: its upper left corner, in pixels of the photo, and the scale."""

    left: float
    top: float
    width: float
    height: float
    scale: float

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the photo is shown."""
        return (x - self.left) * self.scale, (y - self.top) * self.scale

    def back(self, x: float, y: float) -> tuple[float, float]:
        """The point of the photo that is shown somewhere."""
        return x / self.scale + self.left, y / self.scale + self.top


def window(table: Table, whole: tuple[int, int], width: float, height: float) -> Window:
    """The table as large as it fits into an area; without cards in it the whole photo."""
    points = [point for _, slot in table.places() for point in (*slot.index, *slot.outline)]
    left, top, right, bottom = 0.0, 0.0, float(whole[0]), float(whole[1])
    if len(points) >= 16:
        xs, ys = [x for x, _ in points], [y for _, y in points]
        edge = MARGIN * max(max(xs) - min(xs), max(ys) - min(ys))
        left, right = max(left, min(xs) - edge), min(right, max(xs) + edge * 1.6)
        top, bottom = max(top, min(ys) - edge), min(bottom, max(ys) + edge * 1.6)
    scale = min(width / (right - left), height / (bottom - top))
    return Window(left, top, (right - left) * scale, (bottom - top) * scale, scale)


def photo_overlay(
    look: Look, editor: Editor, photo: bytes, whole: tuple[int, int], width: float, height: float
) -> ft.Control:
    """The photo in an area. Corners of the cards are in pixels of the `whole` photo."""
    view = window(editor.table, whole, width, height)
    twice = frozenset(place for places in editor.table.twice.values() for place in places)
    seen = [(place, slot) for place, slot in editor.table.places() if slot.index or slot.outline]

    def importance(found: tuple[Place, Slot]) -> int:
        place, slot = found
        return 2 if place == editor.cursor else int(place in twice or not (slot.sure or slot.touched))

    tallest = label_height(editor.table, view)
    # In the narrowest strips labels lie on one another all the same: on top is what wants a look.
    labels = [
        drawn_label(
            look,
            place,
            slot,
            view,
            tallest,
            editor.cursor == place,
            place in twice,
            editor,
            key=f"p{place[0]}-{place[1]}",
        )
        for place, slot in sorted(seen, key=importance)
    ]

    def chosen(event: ft.TapEvent[Any]) -> None:
        if event.local_position is None:
            return
        place = nearest(editor, *view.back(event.local_position.x, event.local_position.y))
        if place is not None:
            editor.select(place)

    picture = ft.Container(
        ft.Image(
            src=photo,
            width=whole[0] * view.scale,
            height=whole[1] * view.scale,
            fit=ft.BoxFit.FILL,
            gapless_playback=True,
            exclude_from_semantics=True,
        ),
        left=-view.left * view.scale,
        top=-view.top * view.scale,
    )
    touch = ft.GestureDetector(
        ft.Stack([picture, *labels], width=view.width, height=view.height),
        on_tap_down=look.run_event(chosen),
        exclude_from_semantics=True,
        mouse_cursor=ft.MouseCursor.CLICK,
    )
    viewer = ft.InteractiveViewer(
        touch,
        min_scale=1,
        max_scale=6,
        width=view.width,
        height=view.height,
        clip_behavior=ft.ClipBehavior.HARD_EDGE,
    )
    return ft.Container(
        ft.Semantics(
            identifier="photo",
            container=True,
            content=ft.Container(viewer, border_radius=14, clip_behavior=ft.ClipBehavior.ANTI_ALIAS),
        ),
        alignment=ft.Alignment.CENTER,
        width=width,
        height=view.height,
    )


def label_height(table: Table, view: Window) -> float:
    """How high labels may be so that names in a column don't hide each other, pixels of the screen."""
    steps = []
    for column in table.columns:
        for here, below in pairwise(column):
            if here.index and below.index:
                (x, y), (to_x, to_y) = centre(here.index), centre(below.index)
                steps.append(hypot(to_x - x, to_y - y) * view.scale)
    if not steps:
        return TALLEST
    # A few strips are always narrower than the rest.
    narrow = sorted(steps)[len(steps) // 10]
    return max(LEAST, min(TALLEST, narrow))


def nearest(editor: Editor, x: float, y: float) -> Place | None:
    """The card whose index is nearest to a point of the photo, if one is near at all."""
    best: tuple[float, Place] | None = None
    for place, slot in editor.table.places():
        corners = slot.index or slot.outline
        if not corners:
            continue
        cx, cy = centre(corners)
        span = max(abs(px - cx) + abs(py - cy) for px, py in corners)
        distance = ((x - cx) ** 2 + (y - cy) ** 2) ** 0.5
        if distance <= 4 * span and (best is None or distance < best[0]):
            best = (distance, place)
    return best[1] if best else None


def centre(corners: tuple[tuple[float, float], ...]) -> tuple[float, float]:
    return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)


@part
def label(
    look: Look,
    place: Place,
    slot: Slot,
    view: Window,
    tallest: float,
    chosen: bool,
    twice: bool,
    editor: Editor,
) -> ft.Control:
    """What was read, beside the index it was read from; its shape says how sure it is."""
    t, p = look.t, look.palette
    corners = slot.index or slot.outline
    _, y = centre(corners)
    # Beside the index, not on it: one compares what is printed with what was read.
    x = max(px for px, _ in corners)
    unsure = not slot.sure and not slot.touched
    name = "?" if slot.card is UNKNOWN else look.card(slot.card) + ("?" if unsure else "")
    ground = p.error_container if twice else p.accent_container if unsure else "#f2fffefa"
    ink = p.on_error_container if twice else p.on_accent_container if unsure else _ink(look, slot.card)
    # As large as the strip of the card that shows; a phone's labels are small, and zoom with the photo.
    tall = min(tallest, max(13.0, _strip(slot) * view.scale * 0.62))
    wide = tall * (2.1 if unsure else 1.75)
    said = look.words(slot.card)
    if unsure:
        said += ", " + t("not sure")
    if twice:
        said += ", " + t("on the table twice")
    edge = p.primary if chosen else p.error if twice else p.accent if unsure else p.card_edge
    pill = ft.Container(
        ft.Text(name, size=tall * 0.64, font_family=BOLD, color=ink, no_wrap=True),
        width=wide,
        height=tall,
        alignment=ft.Alignment.CENTER,
        bgcolor=ground,
        border_radius=4 if unsure else tall / 2,
        border=ft.Border.all(2.5 if chosen else 1.5 if unsure or twice else 0.6, edge),
        shadow=ft.BoxShadow(blur_radius=3, color="#55000000"),
    )
    where = "discard" if place[0] < 0 else f"{place[0]}-{place[1]}"
    left, top = view.at(x, y)
    return ft.Container(
        ft.Semantics(
            identifier=f"card-{where}",
            label=said,
            button=True,
            container=True,
            exclude_semantics=True,
            selected=chosen,
            on_tap=look.run(editor.select, place),
            content=pill,
        ),
        left=left + 1,
        top=top - tall / 2,
    )


def _strip(slot: Slot) -> float:
    """The height of a card's index, in pixels of the photo."""
    corners = slot.index or slot.outline
    ys = [y for _, y in corners]
    return max(ys) - min(ys)


def _ink(look: Look, card: Card) -> str:
    return look.ink(card) if card is not UNKNOWN else look.palette.unread


drawn_label = unchanged(label)
