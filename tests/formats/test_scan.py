from __future__ import annotations

import io
import json

import pytest

from companion.formats import FormatError, scan, text
from companion.game import PRESETS
from tests.formats.test_text import GOLF_906

DEAL = text.loads(GOLF_906)
DOCUMENT = {
    "schema": "companion.scan/1",
    "columns": [[str(card) for card in column] for column in DEAL.columns],
    "discard": "5S",
    "stock": {"seen": True, "count": 16},
}


def test_a_scan_is_the_table_with_its_stock_face_down() -> None:
    assert scan.position(DOCUMENT) == DEAL.hidden()
    assert scan.load(io.StringIO(json.dumps(DOCUMENT))) == DEAL.hidden()


def test_a_fresh_table_tells_its_stock() -> None:
    assert scan.position(DOCUMENT | {"stock": {"seen": False, "count": None}}) == DEAL.hidden()


def test_a_later_table_needs_the_count() -> None:
    later = DOCUMENT | {"columns": DOCUMENT["columns"][1:], "stock": {"seen": True, "count": None}}
    with pytest.raises(FormatError, match="how many cards the stock holds"):
        scan.position(later)
    assert scan.position(later, stock_count=9).stock_count == 9


def test_unread_cards_stay_unread() -> None:
    unread = DOCUMENT | {"columns": [["??"], *DOCUMENT["columns"][1:]], "discard": None}
    position = scan.position(unread, PRESETS["free-start"], stock_count=17)
    assert [problem.code for problem in position.problems()] == ["unread-card", "discard-empty"]


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"schema": "companion.scan/2"},
        {"schema": "companion.scan/1"},
        DOCUMENT | {"columns": 3},
        DOCUMENT | {"columns": [["XX"]]},
        DOCUMENT | {"discard": 5},
        DOCUMENT | {"stock": 5},
    ],
)
def test_refuses(document: dict[str, object]) -> None:
    with pytest.raises(FormatError):
        scan.loads(json.dumps(document))
