"""A photo with what was read drawn over it; zoom and pan, tap a card to choose it."""

from __future__ import annotations

import flet as ft

from companion.app.components.base import BOLD
from companion.app.components.boundary import part
from companion.app.components.look import Look
from companion.app.state.editor import Editor
from companion.app.state.table import Place, Slot
from companion.game import UNKNOWN, Card


def photo_overlay(
    look: Look, editor: Editor, photo: bytes, whole: tuple[int, int], width: float, height: float
) -> ft.Control:
    """The photo as large as fits into the area. Corners of the cards are in pixels of the `whole` photo."""
    scale = min(width / whole[0], height / whole[1])
    size = (whole[0] * scale, whole[1] * scale)
    twice = frozenset(place for places in editor.table.twice.values() for place in places)
    labels = [
        drawn_label(
            look,
            place,
            slot,
            scale,
            editor.cursor == place,
            place in twice,
            editor,
            key=f"p{place[0]}-{place[1]}",
        )
        for place, slot in editor.table.places()
        if slot.index or slot.outline
    ]

    def chosen(event: ft.TapEvent) -> None:
        if event.local_position is None:
            return
        place = nearest(editor, event.local_position.x / scale, event.local_position.y / scale)
        if place is not None:
            editor.select(place)

    picture = ft.Image(
        src=photo,
        width=size[0],
        height=size[1],
        fit=ft.BoxFit.FILL,
        gapless_playback=True,
        exclude_from_semantics=True,
    )
    touch = ft.GestureDetector(
        ft.Stack([picture, *labels], width=size[0], height=size[1]),
        on_tap_down=look.run_event(chosen),
        exclude_from_semantics=True,
        mouse_cursor=ft.MouseCursor.CLICK,
    )
    viewer = ft.InteractiveViewer(
        touch,
        min_scale=1,
        max_scale=6,
        width=size[0],
        height=size[1],
        clip_behavior=ft.ClipBehavior.HARD_EDGE,
    )
    return ft.Container(
        ft.Semantics(identifier="photo", container=True, content=viewer),
        alignment=ft.Alignment.CENTER,
        width=width,
        height=size[1],
        border_radius=14,
        clip_behavior=ft.ClipBehavior.HARD_EDGE,
    )


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
    look: Look, place: Place, slot: Slot, scale: float, chosen: bool, twice: bool, editor: Editor
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
    wide, tall = (31.0, 18.0) if not unsure else (36.0, 20.0)
    said = look.words(slot.card)
    if unsure:
        said += ", " + t("not sure")
    if twice:
        said += ", " + t("on the table twice")
    pill = ft.Container(
        ft.Text(name, size=11.5, font_family=BOLD, color=ink, no_wrap=True),
        width=wide, height=tall, alignment=ft.Alignment.CENTER, bgcolor=ground, border_radius=10 if not unsure else 5,
        border=ft.Border.all(2.5 if chosen else 1.5 if unsure or twice else 0, p.primary if chosen else p.accent if unsure else p.error if twice else p.card_edge),
        shadow=ft.BoxShadow(blur_radius=3, color="#55000000"),
    )  # fmt: skip
    where = "discard" if place[0] < 0 else f"{place[0]}-{place[1]}"
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
        left=x * scale + 1,
        top=y * scale - tall / 2,
    )


def _ink(look: Look, card: Card) -> str:
    return look.ink(card) if card is not UNKNOWN else look.palette.quiet


drawn_label = ft.memo(label)
