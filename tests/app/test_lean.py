"""What Flet's comparison is spared changes nothing of what it finds."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

import pytest

pytest.importorskip("flet")
import flet as ft
from flet.controls.base_control import BaseControl
from flet.controls.object_patch import DiffBuilder, ObjectPatch

from companion.app import lean
from companion.app.lean import compare_lean, holds


@pytest.mark.parametrize("value", ["a", 1, 2.5, None, True, ft.Colors.RED, ft.TextAlign.LEFT, print])
def test_no_control_is_in_it(value: object) -> None:
    assert not holds(type(value))


@pytest.mark.parametrize("value", [ft.Text("a"), [1], {"a": 1}, ft.Border.all(1), ft.TextStyle(), ft.Text])
def test_controls_may_be_in_it(value: object) -> None:
    assert holds(type(value))


def test_another_flet_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DiffBuilder, "_companion_lean", False, raising=False)
    monkeypatch.setattr(lean, "version", lambda package: "1.0.6")
    before = vars(DiffBuilder)["_configure_dataclass"]
    compare_lean()
    assert vars(DiffBuilder)["_configure_dataclass"] is before
    assert not DiffBuilder._companion_lean  # type: ignore[attr-defined]


def test_it_is_written_for_the_flet_that_is_asked_for() -> None:
    """With a newer Flet: measure whether it is still needed, then read its `DiffBuilder` again."""
    assert version("flet") == lean.WRITTEN_FOR


def screen() -> ft.Control:
    """Controls in lists, in other controls, in values and in dicts of them."""
    style = ft.ButtonStyle(color={ft.ControlState.DEFAULT: "red"}, side=ft.BorderSide(1))
    menu = ft.PopupMenuButton(content=ft.Text("more"), items=[ft.PopupMenuItem(content=ft.Text("one"))])
    field = ft.TextField(prefix=ft.Text("p"), suffix=ft.Icon(ft.Icons.ADD))
    return ft.Column(
        [ft.Container(ft.Text("a"), border=ft.Border.all(1)), ft.FilledButton("b", style=style), menu, field]
    )


def kinds(found: Iterator[Any]) -> list[str]:
    return sorted(type(control).__name__ for control in found)


def test_the_same_controls_are_found() -> None:
    compare_lean()
    compare_lean()  # once more changes nothing
    before = ft.Column()
    list(ObjectPatch.from_diff(None, before, control_cls=BaseControl)[1])
    _, added, _ = ObjectPatch.from_diff(before, screen(), control_cls=BaseControl)
    names = kinds(iter(added))
    for name in (
        "Text",
        "Container",
        "FilledButton",
        "PopupMenuButton",
        "PopupMenuItem",
        "TextField",
        "Icon",
    ):
        assert name in names
    assert names.count("Text") == 4


def untouched() -> Any:
    """Flet's own builder, from a second copy of its module."""
    origin = importlib.util.find_spec("flet.controls.object_patch")
    assert origin is not None
    assert origin.loader is not None
    module = importlib.util.module_from_spec(origin)
    origin.loader.exec_module(module)
    return module.DiffBuilder


def test_all_of_a_screen_is_found_as_flet_does_it() -> None:
    compare_lean()
    ours, theirs = DiffBuilder, untouched()
    assert not hasattr(theirs, "_companion_lean")
    for name in ("_configure_dataclass", "_removed_controls"):
        ids: list[list[int]] = []
        drawn = screen()
        for builder in (theirs, ours):
            made: Any = builder(None, drawn, control_cls=BaseControl)
            more = (None, False) if name == "_configure_dataclass" else (True,)
            ids.append([control._i for control in getattr(made, name)(drawn, *more)])
        assert len(ids[0]) == len(set(ids[0])) > 9
        assert sorted(ids[0]) == sorted(ids[1]), name
        if name == "_configure_dataclass":
            assert all(control.parent is drawn for control in drawn.controls)


def test_the_same_changes_are_told() -> None:
    """Of equal values, changed ones, new and gone ones, of a kind and of another."""
    compare_lean()
    origin = importlib.util.find_spec("flet.controls.object_patch")
    assert origin is not None
    assert origin.loader is not None
    theirs = importlib.util.module_from_spec(origin)
    origin.loader.exec_module(theirs)

    def drawn(changed: bool) -> ft.Control:
        texts = ["a", "b", "c", "e"] if changed else ["a", "b", "d"]
        sides = ft.Border.all(2 if changed else 1, "red")
        more = ft.Icon(ft.Icons.ADD) if changed else ft.Text("more", size=9)
        column = ft.Column([*(ft.Container(ft.Text(text), border=sides) for text in texts), more])
        object.__setattr__(column, "_frozen", True)
        return column

    told = []
    for patch in (theirs.ObjectPatch, ObjectPatch):
        found, _, _ = patch.from_diff(drawn(False), drawn(True), control_cls=BaseControl, frozen=True)
        told.append([(op["op"], op["path"], _nameless(op.get("value"))) for op in found.patch])
    assert len(told[0]) > 5
    assert told[0] == told[1]


def _nameless(value: object) -> str:
    """Each control has another number."""
    return re.sub(r"_i=\d+", "", repr(value))
