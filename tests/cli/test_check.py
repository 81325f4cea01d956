"""`companion check`, as people and programs use it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from companion.cli.commands import run

BEFORE = "Talon: 9\nFoundations: 5H\n2C 8D\n3S 4C\n"
LEGAL = "Talon: 9\nFoundations: 4C\n2C 8D\n3S\n"
WRONG = "Talon: 9\nFoundations: 5H 8D\n2C\n3S 4C\n"


@pytest.fixture
def board(tmp_path: Path):  # type: ignore[no-untyped-def]
    def write(name: str, lines: str) -> str:
        path = tmp_path / name
        path.write_text(lines, encoding="utf-8")
        return str(path)

    return write


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert run(["check", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_json(board, capsys) -> None:  # type: ignore[no-untyped-def]
    document = answer(capsys, board("a", BEFORE), board("b", LEGAL), board("c", WRONG))
    assert document["schema"] == "companion.check/1"
    first = document["steps"][0]  # type: ignore[index]
    assert (first["verdict"], first["draws"], first["moves"]) == ("legal", 0, ["play 4C from 2"])
    document = answer(capsys, board("a", BEFORE), board("c", WRONG))
    (step,) = document["steps"]  # type: ignore[misc]
    assert (step["verdict"], step["cards"]) == ("illegal", ["8D"])
    assert step["faults"][0]["rule"] == "wrong-rank"
    assert step["put_right"]["back"] == [
        {"card": "8D", "lies": "the discard", "belongs": "column 1", "under": []}
    ]


def test_words(board, capsys) -> None:  # type: ignore[no-untyped-def]
    assert run(["check", board("a", BEFORE), board("c", WRONG)]) == 0
    out = capsys.readouterr().out
    assert "ILLEGAL" in out
    assert "put 8♦ from the discard back on column 1" in out


def test_log_and_discard(board, capsys) -> None:  # type: ignore[no-untyped-def]
    start = board("a", BEFORE)
    document = answer(capsys, start, "--log", board("log", "play 4C from 2\nplay 3S\n"))
    assert document["verdict"] == "legal"
    document = answer(capsys, start, "--discard", board("pile", "5H 4C 8D"))
    assert [step["verdict"] for step in document["steps"]] == ["legal", "illegal"]  # type: ignore[union-attr, index]


def test_redeal(capsys) -> None:  # type: ignore[no-untyped-def]
    document = answer(capsys, "pysolfc:906", "--redeal")
    assert document["redeal"]["clearable"] is True  # type: ignore[index]


def test_overlay(board, tmp_path: Path, capsys) -> None:  # type: ignore[no-untyped-def]
    out = tmp_path / "out.png"
    assert run(["check", board("a", BEFORE), board("c", WRONG), "--overlay", str(out)]) == 0
    with Image.open(out) as picture:
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 24)}
    assert (200, 0, 30) in colours


def test_the_overlay_speaks_the_language(board, tmp_path: Path, capsys) -> None:  # type: ignore[no-untyped-def]
    heads = []
    for language in ("en", "sv"):
        out = tmp_path / f"{language}.png"
        tables = board("a", BEFORE), board("c", WRONG)
        assert run(["check", *tables, "--overlay", str(out), "--language", language]) == 0
        with Image.open(out) as picture:
            heads.append(picture.crop((0, 0, picture.width, 60)).tobytes())
    assert heads[0] != heads[1]


@pytest.mark.parametrize("extra", [[], ["--log", "x", "--redeal"]])
def test_bad_input_is_one_line(board, capsys, extra: list[str]) -> None:  # type: ignore[no-untyped-def]
    assert run(["check", board("a", BEFORE), *extra]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1


def test_a_move_that_was_not_read_is_not_called_wrong(board, capsys) -> None:  # type: ignore[no-untyped-def]
    start = board("a", BEFORE)
    assert run(["check", start, "--discard", board("pile", "5H 4C ??")]) == 0
    assert "2 moves, 0 of them wrong, 1 that can't be judged" in capsys.readouterr().out


def test_an_empty_pile_is_none(board, capsys) -> None:  # type: ignore[no-untyped-def]
    """A file without cards was a hole of no moves, and legal."""
    assert run(["check", board("a", BEFORE), "--discard", board("pile", "# nothing\n")]) == 2
    assert "no cards in the pile" in capsys.readouterr().err


def test_two_deals_have_no_score(board, capsys) -> None:  # type: ignore[no-untyped-def]
    other = "Talon: 9\nFoundations: 5H\n9C 8S\n3D 4D\n"
    assert run(["check", board("a", BEFORE), board("b", other)]) == 0
    out = capsys.readouterr().out
    assert "IMPOSSIBLE" in out
    assert "stands at" not in out


def test_each_broken_rule_has_a_line(board, capsys) -> None:  # type: ignore[no-untyped-def]
    after = "Talon: 9\nFoundations: 5H 8D 2C\n:\n3S 4C\n"
    assert run(["check", board("a", BEFORE), board("b", after)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum("was put on" in line for line in lines) == 2
    assert any("put 2♣ from the discard back on column 1" in line for line in lines)
