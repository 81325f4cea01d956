from __future__ import annotations

import string
import sys
from pathlib import Path

import pytest

from companion.app.languages import FOLDER, language

pytest.importorskip("babel")
sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import languages as tool

ENGLISH = [message for message in tool.gather() if message.id]


def forms(text: object) -> tuple[str, ...]:
    return tuple(text) if isinstance(text, tuple | list) else (str(text),)


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("code", ["de", "sv"])
def test_no_text_is_missing(code: str) -> None:
    catalogue = tool.read(code)
    for message in ENGLISH:
        found = catalogue.get(message.id if isinstance(message.id, str) else message.id[0])
        assert found is not None, message.id
        assert not found.fuzzy, message.id
        assert all(forms(found.string)), message.id
        assert len(forms(found.string)) == len(forms(message.id)), message.id


@pytest.mark.parametrize("code", ["de", "sv"])
def test_translations_fill_in_the_same(code: str) -> None:
    for message in tool.read(code):
        if message.id:
            wanted = set().union(*map(fields, forms(message.id)))
            for text in forms(message.string):
                assert fields(text) == wanted, message.id


@pytest.mark.parametrize("code", ["en", "de", "sv"])
def test_compiled_catalogues_are_those_of_the_sources(code: str) -> None:
    assert (FOLDER / code / "LC_MESSAGES" / "app.mo").read_bytes() == tool.compiled(code)


def test_no_text_is_left_over() -> None:
    known = {forms(message.id) for message in ENGLISH}
    for code in ("en", "de", "sv"):
        assert {forms(message.id) for message in tool.read(code) if message.id} == known


REFUSED = [
    "a photo has at most 40 MB",
    "the photo has more than 60 megapixels",
    "this is no photo in JPEG, PNG, WebP or HEIC",
    "the photo breaks off: its file is incomplete",
    "HEIC photos need the heic extra; or send the photo as JPEG",
    "the weights that the manifest names are missing: 'finder.onnx'",
    "these rules play with 6 cards, not with 4",
    "it took longer than 60 seconds and was stopped",
    "each player plays a round once, not ['Anna', 'Anna']",
    "a player's name has 1 to 60 printable characters, not ''",
    "a match is for two players, not for 1",
    "the round is finished, a correction needs a reason, not ''",
    "the round is finished and locked, scores can only be corrected: 'abc'",
]


@pytest.mark.parametrize("reason", REFUSED)
def test_what_is_refused_is_said_in_every_language(reason: str) -> None:
    from types import SimpleNamespace

    pytest.importorskip("flet")
    from companion.app.components.trouble import sentence
    from companion.app.languages import language

    said = {sentence(SimpleNamespace(t=language(code)), reason) for code in ("en", "de", "sv")}  # type: ignore[arg-type]
    assert len(said) == 3
    assert not any(reason in words for words in said)


def test_unknown_reasons_are_quoted() -> None:
    from types import SimpleNamespace

    pytest.importorskip("flet")
    from companion.app.components.trouble import sentence
    from companion.app.languages import language

    look = SimpleNamespace(t=language("de"))
    assert sentence(look, "the disk is full") == "Das ging nicht: the disk is full"  # type: ignore[arg-type]
    assert sentence(look, "Das Foto kam nicht an.") == "Das Foto kam nicht an."  # type: ignore[arg-type]


def test_numbers_and_dates() -> None:
    german, swedish, english = language("de"), language("sv"), language("en")
    assert german.number(3.25, 1) == "3,2"
    assert english.number(-3) == "−3"
    assert english.signed(0.0) == "±0"
    assert swedish.signed(2) == "+2"
    assert german.percent(0.0004) == "< 0,1 %"
    assert (german.date("2026-11-09T10:00Z"), swedish.date("2026-11-09"), english.date("2026-11-09")) == (
        "9.11.2026",
        "2026-11-09",
        "9 Nov 2026",
    )
    assert english.plural("{n} stroke", "{n} strokes", -1) == "−1 stroke"
    assert language("fr").code == "en"
