"""Every reason has a sentence in every language, naming the same things."""

from __future__ import annotations

from functools import partial
from string import Formatter

import pytest

from companion.engine.audit import RULES, Reason, Table, audit_tables, say
from companion.engine.audit.words import TEXTS
from companion.formats import text
from companion.game.letters import show


@pytest.mark.parametrize("language", TEXTS)
def test_the_same_sentences_everywhere(language: str) -> None:
    assert list(TEXTS[language]) == list(TEXTS["en"])
    for code, sentence in TEXTS[language].items():
        assert named(sentence) == named(TEXTS["en"][code]), code


def test_every_rule_has_a_sentence() -> None:
    assert set(RULES) - set(TEXTS["en"]) == {"not-on-table"}


def named(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def test_a_verdict_in_each_language() -> None:
    before = text.loads("Talon: 9\nFoundations: 5H\n2C QD\n3S 7C\n")
    after = text.loads("Talon: 9\nFoundations: 5H QD\n2C\n3S 7C\n")
    (verdict,) = audit_tables([Table.of(before), Table.of(after)]).steps
    assert [
        say(verdict.reasons[0], language, partial(show, language=language)) for language in ("en", "de", "sv")
    ] == [
        "Q♦ from column 1 was put on 5♥: only a card one rank higher or lower fits",
        "D♦ aus Spalte 1 wurde auf 5♥ gelegt: nur eine Karte einen Rang höher oder tiefer passt",
        "D♦ från kolumn 1 lades på 5♥: bara ett kort en valör högre eller lägre passar",
    ]
    assert say(verdict.reasons[0], "fi") == verdict.why


def test_numbers_have_their_nouns() -> None:
    reason = Reason.of("plays-and-draws", plays=1, draws=2)
    assert str(reason) == "1 play and 2 draws explain it"
    assert say(reason, "de") == "1 gelegte Karte und 2 aufgedeckte erklären es"
