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


def test_numbers_and_dates() -> None:
    german, swedish, english = language("de"), language("sv"), language("en")
    assert german.number(3.25, 1) == "3,2"
    assert english.number(-3) == "−3"
    assert english.signed(0.0) == "±0"
    assert swedish.signed(2) == "+2"
    assert german.percent(0.0004) == "< 0,1 %"
    assert [each.day("2026-11-09T10:00Z") for each in (german, swedish, english)] == [
        "9.11.",
        "9/11",
        "9 Nov",
    ]
    assert (german.date("2026-11-09T10:00Z"), swedish.date("2026-11-09"), english.date("2026-11-09")) == (
        "9.11.2026",
        "2026-11-09",
        "9 Nov 2026",
    )
    assert english.plural("{n} stroke", "{n} strokes", -1) == "−1 stroke"
    assert language("fr").code == "en"
