"""What the check says of a step, in the language of the screen."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from companion.app.components import check_step
from companion.app.languages import language
from companion.app.services.auditor import EngineAuditor
from companion.app.state.findings import dump_finding, load_finding
from companion.app.state.table import from_position
from companion.formats import text
from companion.game import Rules
from companion.game.letters import show

BEFORE = "Talon: 9\nFoundations: QH\n2C JD\n3S 7C\n"


def said(after: str, rules: str, code: str) -> str:
    """In the app's words, and the same once the device's memory has been read again."""
    look: Any = SimpleNamespace(t=language(code), card=partial(show, language=code))
    agreed = Rules.parse(rules)
    positions = [replace(text.loads(board), rules=agreed) for board in (BEFORE, after)]
    (finding,) = EngineAuditor().check([from_position(position) for position in positions], agreed)
    words = check_step.said(look, finding)
    assert check_step.said(look, load_finding(json.loads(json.dumps(dump_finding(finding))))) == words
    return words


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("en", "Not the same deal: the cards of column 1 lie in another order."),
        ("de", "Nicht dasselbe Blatt: die Karten von Spalte 1 liegen in anderer Folge."),
        ("sv", "Inte samma giv: korten i kolumn 1 ligger i annan ordning."),
    ],
)
def test_why_it_is_another_deal(code: str, sentence: str) -> None:
    assert said(BEFORE.replace("2C JD", "JD 2C"), "strict", code) == sentence


def test_a_doubt() -> None:
    words = said("Talon: 9\nFoundations: JD\n2C\n3S 7C\n", "queen-only", "de")
    assert words == (
        "1 gelegte Karte erklärt es, sofern D♥ nicht auf einem König liegt; "
        "die Karte darunter ist nicht zu sehen."
    )
