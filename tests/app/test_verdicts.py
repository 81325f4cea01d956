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
from companion.app.services.auditor import Broken, EngineAuditor, Finding
from companion.app.state.findings import dump_finding, load_finding
from companion.app.state.table import from_position
from companion.engine.audit import Reason
from companion.formats import text
from companion.game import Card, Rules
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


def test_a_card_that_a_photo_hides_accuses_nobody() -> None:
    """An ace that lay wholly under a six when the photo was taken was "added to a column"."""
    rules = Rules.parse("strict")
    first, after = (
        replace(text.loads(board), rules=rules)
        for board in (
            "Talon: 9\nFoundations: 5H\n2C 6D\n3S 7C\n",
            "Talon: 9\nFoundations: 6D\n2C AH\n3S 7C\n",
        )
    )
    before = from_position(first)
    photographed = replace(before, stock=None)
    (finding,) = EngineAuditor().check([photographed, from_position(after)], rules)
    assert (finding.verdict, [str(card) for card in finding.look]) == ("unreadable", ["AH"])
    (typed,) = EngineAuditor().check([before, from_position(after)], rules)
    assert typed.verdict == "illegal"


def test_a_list_of_broken_moves_that_may_not_be_the_shortest_says_so() -> None:
    look: Any = SimpleNamespace(t=language("en"), card=partial(show, language="en"))
    reasons = (Reason.of("illegal"), Reason.of("fewer-wrong-may-do"))
    finding = Finding("illegal", broken=(Broken("wrong-rank", Card.parse("7C")),), reasons=reasons)
    assert check_step.said(look, finding).endswith("Whether fewer broken rules would do is too much to tell.")
    assert check_step.said(look, replace(finding, reasons=reasons[:1])).count(".") == 1
