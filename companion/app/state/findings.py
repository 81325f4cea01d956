"""Findings of a check as plain data, for the device's memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.app.services.auditor import Broken, Finding, dump_value, load_value
from companion.game import Card


def dump_finding(finding: Finding) -> dict[str, Any]:
    """A finding of a check as JSON; cards by their names."""
    broken = [
        {
            "rule": fault.rule,
            "card": _name(fault.card),
            "onto": _name(fault.onto),
            "column": fault.column,
        }
        for fault in finding.broken
    ]
    return {
        "verdict": finding.verdict,
        "draws": finding.draws,
        "moves": list(finding.moves),
        "broken": broken,
        "cards": [str(card) for card in finding.cards],
        "look": [str(card) for card in finding.look],
        "remedy": finding.remedy,
        "put_back": [[str(card), where] for card, where in finding.put_back],
        "reasons": [dump_value(reason) for reason in finding.reasons],
    }


def load_finding(document: Mapping[str, Any]) -> Finding:
    """The finding of a document. Raises `ValueError`, `KeyError` or `TypeError` for anything else."""
    return Finding(
        str(document["verdict"]),
        int(document["draws"]),
        tuple(map(str, document["moves"])),
        tuple(
            Broken(str(fault["rule"]), _card(fault["card"]), _card(fault["onto"]), fault["column"])
            for fault in document["broken"]
        ),
        tuple(map(Card.parse, document["cards"])),
        tuple(map(Card.parse, document["look"])),
        str(document["remedy"]),
        tuple((Card.parse(card), str(where)) for card, where in document["put_back"]),
        tuple(map(load_value, document.get("reasons", ()))),
    )


def _name(card: Card | None) -> str | None:
    return None if card is None else str(card)


def _card(name: str | None) -> Card | None:
    return None if name is None else Card.parse(name)
