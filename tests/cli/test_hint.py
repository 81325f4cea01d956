from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli import run
from companion.formats import text
from companion.formats.numbers import DealNumber
from companion.game import Draw, Play, apply, legal_moves

LATE = """\
Talon: 3
Foundations: 6H
9D 7S
8C
2D QH
"""


@pytest.fixture
def late(tmp_path: Path) -> str:
    path = tmp_path / "late.txt"
    path.write_text(LATE, encoding="utf-8")
    return str(path)


def hinted(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert run(["hint", *arguments, "--json"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("\n") == 1
    return dict(json.loads(printed))


def test_json(late: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = hinted(capsys, late)
    position = text.loads(LATE)
    assert list(document) == ["schema", "rules", "stock", "exact", "moves", "run", "unseen", "seconds"]
    assert (document["schema"], document["rules"], document["stock"]) == (
        "companion.hint/1",
        "strict",
        "hidden",
    )
    assert document["exact"] is True
    assert document["unseen"] == [str(card) for card in position.unseen]
    moves = document["moves"]
    assert isinstance(moves, list)
    made = {Draw() if move["move"] == "draw" else Play(move["column"]) for move in moves}
    assert made == set(legal_moves(position))
    assert [move["strokes"] for move in moves] == sorted(move["strokes"] for move in moves)
    assert all(0 <= move["clear"] <= 1 for move in moves)
    assert "at_most" not in moves[0]
    assert moves[0] | {"strokes": 0, "clear": 0} == {
        "move": "play", "column": 0, "card": "7S", "strokes": 0, "clear": 0,
    }  # fmt: skip


def test_the_run_can_be_played(late: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = hinted(capsys, late)
    position = text.loads(LATE)
    run_cards = document["run"]
    assert isinstance(run_cards, list)
    assert run_cards
    for card in run_cards:
        column = next(n for n, shown in enumerate(position.exposed) if str(shown) == card)
        position = apply(position, Play(column))


def test_the_aims(late: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = hinted(capsys, late, "--aim", "<=1")
    moves = document["moves"]
    assert isinstance(moves, list)
    assert [move["at_most"] for move in moves] == sorted((move["at_most"] for move in moves), reverse=True)
    assert all(move["at_most"] >= move["clear"] for move in moves)
    assert any(move["at_most"] > move["clear"] for move in moves), "one stroke is not a cleared table"
    cleared = hinted(capsys, late, "--aim", "clear")["moves"]
    assert isinstance(cleared, list)
    assert [move["clear"] for move in cleared] == sorted((move["clear"] for move in cleared), reverse=True)


def test_the_stock_is_not_looked_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deal = DealNumber(906).deal()
    while deal.stock_count > 5:
        deal = apply(deal, Draw())
    assert deal.stock is not None
    answers = []
    for number, stock in enumerate((deal.stock, deal.stock[::-1])):
        board = tmp_path / f"{number}.txt"
        board.write_text(text.dumps(deal.with_stock(stock)), encoding="utf-8")
        answers.append(hinted(capsys, str(board)) | {"seconds": 0})
    assert answers[0] == answers[1]


def test_for_people(late: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["hint", late, "--language", "sv"]) == 0
    printed = capsys.readouterr().out
    assert "→  play 7♠ from column 1" in printed
    assert "draw" in printed
    assert "D♥" in printed
    assert "exact" in printed


def test_a_hole_that_is_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = tmp_path / "over.txt"
    board.write_text("Talon: 0\nFoundations: 6H\n9D\n", encoding="utf-8")
    assert run(["hint", str(board)]) == 0
    assert "The hole is over: 1 stroke." in capsys.readouterr().out
    assert hinted(capsys, str(board))["moves"] == []


def test_stock_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = tmp_path / "board.txt"
    board.write_text(LATE.split("\n", 1)[1], encoding="utf-8")
    assert run(["hint", str(board)]) == 2
    assert "how many cards the stock holds" in capsys.readouterr().err
    assert hinted(capsys, str(board), "--stock", "3")["exact"] is True
