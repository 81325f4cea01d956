"""The arrows between the layers go one way: game <- formats, engine, vision, store <- app <- serve, cli."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "companion"

MAY_IMPORT = {
    "game": set(),
    "formats": {"game"},
    "engine": {"game"},
    "vision": {"game"},
    "store": {"game"},
    "app": {"game", "formats", "engine", "vision", "store"},
    "serve": {"game", "formats", "engine", "vision", "store", "app"},
    "cli": {"game", "formats", "engine", "vision", "store", "app", "serve"},
}
PURE = {"numpy", "PIL", "sqlalchemy", "onnxruntime", "typer", "rich", "flet", "os", "pathlib", "io", "socket"}
"""What the game must do without."""
ONLY_IN_TRAINING = {"torch", "torchvision", "ultralytics", "cv2"}


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and full module name of every import, wherever in the file it stands."""
    package = path.relative_to(PACKAGE.parent).with_suffix("").parts
    package = package[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = list(package[: len(package) - node.level + 1]) if node.level else []
            module = ".".join([*base, *filter(None, [node.module])])
            for alias in node.names:
                yield node.lineno, f"{module}.{alias.name}" if module == "companion" else module
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            for argument in node.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield node.lineno, argument.value


def broken(layer: str) -> list[str]:
    allowed = MAY_IMPORT[layer] | {layer}
    wrong = []
    for path in sorted((PACKAGE / layer).rglob("*.py")):
        for line, module in imports(path):
            parts = module.split(".")
            outside = parts[0] == "companion" and len(parts) > 1 and parts[1] in MAY_IMPORT
            impure = layer == "game" and parts[0] in PURE
            if (outside and parts[1] not in allowed) or impure or parts[0] in ONLY_IN_TRAINING:
                wrong.append(f"{path.relative_to(PACKAGE.parent)}:{line} imports {module}")
    return wrong


@pytest.mark.parametrize("layer", MAY_IMPORT)
def test_arrows(layer: str) -> None:
    assert broken(layer) == []


def test_every_package_is_a_layer() -> None:
    assert {path.parent.name for path in PACKAGE.glob("*/__init__.py")} == set(MAY_IMPORT)


def test_a_wrong_arrow_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "companion"
    (package / "game").mkdir(parents=True)
    source = (
        "def f():\n    from companion.engine import x\n    from ..vision import y\n    import numpy.linalg\n"
    )
    (package / "game" / "cards.py").write_text(source)
    monkeypatch.setattr(f"{__name__}.PACKAGE", package)
    assert broken("game") == [
        "companion/game/cards.py:2 imports companion.engine",
        "companion/game/cards.py:3 imports companion.vision",
        "companion/game/cards.py:4 imports numpy.linalg",
    ]
