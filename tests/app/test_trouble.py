"""What the layers below refuse has a text for each of its codes, in every language."""

from __future__ import annotations

import ast
import pickle
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("flet")
from companion.app.components.trouble import QUOTED, TEXTS, sentence
from companion.app.languages import language
from companion.app.state.trouble import Trouble
from companion.game import CompanionError
from companion.game.errors import IllegalMove

ROOT = Path(__file__).parents[2] / "companion"
LANGUAGES = ("en", "de", "sv")
PLACED = {"code", "exit_status"}


@cache
def kinds() -> dict[str, type[CompanionError]]:
    """All classes of errors, by name."""
    from companion.engine.errors import EngineError
    from companion.formats.errors import FormatError
    from companion.game import errors, grid, round  # noqa: F401  (they define some)
    from companion.serve import errors as serve  # noqa: F401
    from companion.store import errors as store  # noqa: F401
    from companion.vision import errors as vision  # noqa: F401

    found: dict[str, type[CompanionError]] = {}
    waiting: list[type[CompanionError]] = [CompanionError, EngineError, FormatError]
    while waiting:
        kind = waiting.pop()
        found[kind.__name__] = kind
        waiting += kind.__subclasses__()
    return {name: kind for name, kind in found.items() if kind.__module__.startswith("companion.")}


def constants(node: ast.expr) -> list[str]:
    if isinstance(node, ast.IfExp):
        return constants(node.body) + constants(node.orelse)
    assert isinstance(node, ast.Constant), f"a code is written where it is raised: {ast.unparse(node)}"
    return [node.value]


def raised() -> Iterator[tuple[str, str, frozenset[str]]]:
    """Code, class and names of the values, of each place that raises with a code of its own."""
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            named = {word.arg: word.value for word in node.keywords if word.arg}
            if node.func.id in kinds() and node.func.id != "IllegalMove" and "code" in named:
                for code in constants(named["code"]):
                    yield code, node.func.id, frozenset(named) - PLACED
            elif node.func.id == "Trouble" and node.args and isinstance(node.args[0], ast.Constant):
                values = named.get("values")
                names = [key.value for key in values.keys] if isinstance(values, ast.Dict) else []  # type: ignore[union-attr]
                yield str(node.args[0].value), "Trouble", frozenset(map(str, names))


@cache
def codes() -> dict[str, frozenset[str]]:
    """All codes there are, with the names of their values."""
    found = {kind.code: frozenset[str]() for kind in kinds().values() if kind is not IllegalMove}
    found |= {code: names for code, _, names in raised()}
    return found | {"not-installed": frozenset()}


def look(code: str) -> Any:
    return SimpleNamespace(t=language(code))


def test_every_code_has_a_text_and_every_text_a_code() -> None:
    assert set(codes()) == set(TEXTS)


def test_a_code_means_one_thing() -> None:
    values: dict[str, set[frozenset[str]]] = {}
    for code, _, names in raised():
        values.setdefault(code, set()).add(names)
    assert {code: names for code, names in values.items() if len(names) > 1} == {}


def test_what_refuses_photos_and_jobs_always_says_which() -> None:
    """These are met by tapping: the class alone would quote English."""
    for path in (ROOT / "vision" / "photo.py", ROOT / "serve" / "workers.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("PhotoError", "ServeError"):
                assert "code" in {word.arg for word in node.keywords}, ast.unparse(node)


@pytest.mark.parametrize("code", sorted(codes()))
def test_a_text_is_said_in_every_language(code: str) -> None:
    trouble = Trouble(code, "the reason", dict.fromkeys(codes()[code], 7))
    said = [sentence(look(each), trouble) for each in LANGUAGES]
    assert len(set(said)) == len(LANGUAGES)
    assert not any("{" in words for words in said)
    assert all("7" in words for words in said) is bool(codes()[code])
    if code in QUOTED:
        assert all("the reason" in words for words in said)


def test_an_error_is_told_by_its_code_and_values() -> None:
    error = CompanionError("a photo has at most 40 MB", code="photo-too-heavy", n=40)
    assert sentence(look("de"), Trouble.of(error)) == "Ein Foto hat höchstens 40 MB."
    assert sentence(look("de"), Trouble.of(OSError("no room"))) == "Das ging nicht: no room"
    assert "onnxruntime" in sentence(look("sv"), Trouble.of(ImportError("No module", name="onnxruntime")))


@pytest.mark.parametrize("kind", sorted(kinds()))
def test_errors_go_from_process_to_process(kind: str) -> None:
    given: dict[str, tuple[Any, ...]] = {
        "IllegalMove": ("on-king", "nothing follows a king"),
        "StoreDamaged": ("the store is damaged", Path("rounds.db")),
        "FormatError": ("no columns", 3),
    }
    error = kinds()[kind](*given.get(kind, ("it is wrong",)))
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is type(error)
    assert (str(back), back.code, vars(back)) == (str(error), error.code, vars(error))
