"""Spares Flet's drawing and comparing what comes to nothing: values that can hold no control, equal values,
and the words of a log that nobody writes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import is_dataclass
from importlib.metadata import version
from logging import DEBUG
from typing import Any
from weakref import ref

from flet.controls import object_patch

WRITTEN_FOR = "1.0.5"
"""The Flet whose inside this knows; another one is left as it is."""

_known: dict[type, bool] = {}


class _Silent:
    """A log that nobody writes."""

    def debug(self, *_: object) -> None: ...


def holds(kind: type) -> bool:
    """Whether a value of this kind is, or can hold, a control."""
    known = _known.get(kind)
    if known is None:
        known = _known[kind] = issubclass(kind, dict | list | tuple | type) or is_dataclass(kind)
    return known


def compare_lean() -> None:
    """Let Flet look only at those fields of a control that were given something; again, it does nothing.

    Flet 1.0.5 makes a generator for every one of some hundred fields of every control that is new or gone,
    mostly to find None in it: a new screen costs 15 ms of a processor instead of 25. It also asks
    of each pair of values, equal or not, what they are, and calls its log for each: a fifth of a comparison.
    """
    builder: Any = object_patch.DiffBuilder
    if version("flet") != WRITTEN_FOR or getattr(builder, "_companion_lean", False):
        return
    configure, removed = builder._configure_dataclass, builder._removed_controls

    def configured(self: Any, item: Any, parent: Any, frozen: bool, found: list[Any]) -> None:
        """As Flet's own does: a parent and a frozen mark for each, and each control built; a field is left
        out that still has its default."""
        kind = type(item)
        if kind is list:
            parts: Iterable[Any] = item
        elif kind is dict:
            parts = item.values()
        elif not hasattr(kind, "_structural_fields") or not hasattr(item, "_values"):
            found.extend(configure(self, item, parent, frozen))
            return
        else:
            if parent is None and (above := getattr(item, "_parent", None)):
                parent = above()
            if parent is not None:
                item._parent = ref(parent)
            if hasattr(item, "_frozen"):
                frozen = item._frozen
            elif frozen:
                item._frozen = frozen
            if getattr(kind, "__flet_control_cls__", None) is None:
                kind.__flet_control_cls__ = self.control_cls
            if isinstance(item, self.control_cls):
                item.build()
                item._before_update_safe()
                object.__setattr__(item, "_initialized", True)
                found.append(item)
                parent = item
            parts = [*(getattr(item, name) for name in kind._structural_fields), *item._values.values()]
            if not frozen:
                item._dirty.clear()
        for part in parts:
            if holds(type(part)):
                configured(self, part, parent, frozen, found)

    def gone(self: Any, item: Any, recurse: bool, found: list[Any]) -> None:
        """As Flet's own does: the controls that were sent, or, of one that never was, all it holds."""
        kind = type(item)
        if kind is list:
            parts: Iterable[Any] = item
        elif kind is dict:
            parts = item.values()
        elif not isinstance(item, self.control_cls):
            return
        elif hasattr(item, "__prev_lists"):
            kept = (getattr(item, name, {}) for name in ("__prev_lists", "__prev_dicts", "__prev_classes"))
            parts = [value for each in kept for value in each.values()]
        elif recurse:
            parts = [*(getattr(item, name) for name in kind._structural_fields), *item._values.values()]
        else:
            parts = ()
        for part in parts:
            if holds(type(part)):
                gone(self, part, recurse, found)
        if kind is not list and kind is not dict:
            found.append(item)

    def configure_lean(
        self: Any, item: Any, parent: Any, frozen: bool, configure_setattr_only: bool = False
    ) -> Iterable[Any]:
        if not holds(type(item)):
            return ()
        if configure_setattr_only or self.control_cls is None:
            return configure(self, item, parent, frozen, configure_setattr_only)  # type: ignore[no-any-return]
        found: list[Any] = []
        configured(self, item, parent, frozen, found)
        return found

    def removed_lean(self: Any, item: Any, recurse: bool) -> Iterable[Any]:
        if not holds(type(item)):
            return ()
        if self.control_cls is None:
            return removed(self, item, recurse)  # type: ignore[no-any-return]
        found: list[Any] = []
        gone(self, item, recurse, found)
        return found

    compare = builder._compare_values

    def compare_values_lean(
        self: Any, parent: Any, path: list[Any], key: Any, src: Any, dst: Any, frozen: bool
    ) -> None:
        kind = type(src)
        if kind is not type(dst) or holds(kind) or src != dst:
            compare(self, parent, path, key, src, dst, frozen)

    builder._configure_dataclass, builder._removed_controls = configure_lean, removed_lean
    builder._compare_values = compare_values_lean
    if not object_patch.logger.isEnabledFor(DEBUG):
        object_patch.logger = _Silent()  # type: ignore[assignment]
    builder._companion_lean = True
