from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli import run
from companion.formats.numbers import DealNumber
from companion.game import Card, Draw, Game, Play, Rules


def solved(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert run(["solve", *arguments, "--json"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("\n") == 1
    return dict(json.loads(printed))


@pytest.mark.parametrize(("rules", "score"), [("strict", 1), ("queen-on-king", 0), ("putt-putt", -6)])
def test_the_line_of_play_reaches_the_score(
    rules: str, score: int, capsys: pytest.CaptureFixture[str]
) -> None:
    document = solved(capsys, "pysolfc:906", "--rules", rules)
    assert document["schema"] == "companion.solve/1"
    assert (document["score"], document["cleared"], document["decided"]) == (score, score <= 0, True)
    assert document["rules"] == rules
    game = Game(DealNumber(906).deal(Rules.parse(rules)))
    moves = document["moves"]
    assert isinstance(moves, list)
    for move in moves:
        game = game.do(Play(move["column"]) if move["move"] == "play" else Draw())
        assert game.position.top is Card.parse(move["card"])
    assert game.position.strokes == score


def test_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "pysolfc:906", "--rules", "golf", "--language", "de"]) == 0
    printed = capsys.readouterr().out
    assert "0 strokes, clears the table." in printed
    assert "B♠" in printed
    assert "J♠" not in printed


def test_a_hidden_stock_cannot_be_solved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = tmp_path / "board.txt"
    board.write_text("Talon: 3\nFoundations: 6H\n7D\n", encoding="utf-8")
    assert run(["solve", str(board)]) == 2
    assert "face down" in capsys.readouterr().err


def test_a_wrong_table_cannot_be_solved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = tmp_path / "board.txt"
    board.write_text("Talon: 3C\nFoundations: 6H\n7D ??\n", encoding="utf-8")
    assert run(["solve", str(board)]) == 2
    assert "not read" in capsys.readouterr().err
