"""`companion round` and `companion golf` as a person uses them."""

from __future__ import annotations

import json
import math

import pytest

from companion.cli import run


@pytest.fixture
def do(monkeypatch, tmp_path, capsys):
    """Runs a command line on a store of its own; returns status, output and error."""
    monkeypatch.setenv("COMPANION_STORE", str(tmp_path / "rounds.db"))
    monkeypatch.setenv("COLUMNS", "100")

    def command(*words: str) -> tuple[int, str, str]:
        status = run(words)
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    def document(*words: str):
        status, out, err = command(*words, "--json")
        assert (status, err) == (0, ""), err
        assert out.count("\n") == 1
        return json.loads(out)

    command.json = document
    return command


def test_a_match_from_the_first_hole_to_the_card(do, tmp_path):
    assert do("round", "new", "Anna", "Ben", "--form", "match", "--name", "Sunday")[0] == 0
    status, out, _ = do("round", "add", "Anna=4", "Ben=s3*")
    assert status == 0
    assert "(4)" in out
    assert "(−3)*" in out
    assert "Ben is 1 up, 8 to play" in out
    assert "on course for 36" in out
    do("round", "edit", "--hole", "1", "Anna=s5")
    for _ in range(4):
        do("round", "add", "Anna=1", "Ben=2")
    view = do.json("round", "finish")
    assert (view["state"], view["winners"], view["result"]) == ("finished", ["Anna"], "Anna wins 5 and 4")
    assert [player["total"] for player in view["players"]] == [-1, 5]
    assert view["players"][1]["scores"][0]["hinted"]
    what = [item["what"] for item in do.json("round", "history", view["id"][:8])["history"]]
    assert what.count("entered") == 10
    assert what.count("corrected") == 1
    for kind, start in (("pdf", b"%PDF"), ("png", b"\x89PNG"), ("txt", b"Golf-Patience: Sunday")):
        file = tmp_path / f"card.{kind}"
        assert do("round", "export", str(file), "--round", view["id"], "-l", "de")[0] == 0
        assert file.read_bytes().startswith(start)
    assert "Anna gewinnt 5 und 4" in do("round", "export", "-", "-R", view["id"][:6], "-l", "de")[1]


def test_alone_the_name_is_not_needed(do):
    do("round", "new", "Anna", "--rules", "queen-on-king", "--holes", "18", "--par", "72")
    do("round", "add", "4")
    do("round", "add", "0")
    view = do.json("round", "add", "s2", "--hinted")
    anna = view["players"][0]
    assert (anna["total"], anna["to_par"], anna["projected"], anna["hinted"]) == (2, -10, 12.0, 1)
    assert (view["par"], view["holes"], view["rule_fields"]["on_king"]) == (72, 18, "queen")
    assert do.json("round", "edit", "--hole", "2", "--remove")["players"][0]["next_hole"] == 2
    listed = do.json("round", "list")["rounds"]
    assert [(r["state"], r["players"][0]["played"]) for r in listed] == [("open", 2)]
    assert "72" in do("round", "show", "-l", "sv")[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["add", "--", "-3"], "s3"),
        (["add", "x"], "'x'"),
        (["add", "Carla=4"], "'Carla'"),
        (["add", "99"], "99"),
        (["add"], "give a score"),
        (["edit", "5"], "--hole"),
        (["edit", "--hole", "3", "5"], "no score to change"),
        (["finish"], "hole 1 of Anna"),
        (["resume"], "cannot be resumed"),
        (["show", "zzz"], "'zzz'"),
        (["show", "0000"], "'0000'"),
        (["show", "-l", "xx"], "'xx'"),
        (["new"], "missing"),
        (["new", "Anna", "--rules", "chess"], "'chess'"),
        (["new", "Anna", "--form", "skins"], "'skins'"),
        (["new", "Anna", "--holes", "0"], "0"),
        (["export", "card.doc"], "'card.doc'"),
        (["stats", "Nobody"], "'Nobody'"),
        (["stats", "Anna", "--since", "yesterday"], "'yesterday'"),
        (["stats", "Anna", "--hinted", "maybe"], "'maybe'"),
        (["list", "--state", "lost"], "'lost'"),
        (["import", "missing.json"], "missing.json"),
    ],
)
def test_bad_input_is_one_line_and_status_2(do, words, said):
    do("round", "new", "Anna")
    status, out, err = do("round", *words)
    assert (status, out) == (2, "")
    assert err.startswith("companion: ")
    assert err.count("\n") == 1
    assert said in err


def test_scores_of_different_holes_are_not_mixed_up(do):
    do("round", "new", "Anna", "Ben")
    do("round", "add", "Anna=4")
    status, _, err = do("round", "add", "Anna=4", "Ben=5")
    assert status == 2
    assert "Anna on hole 2, Ben on hole 1" in err
    view = do.json("round", "add", "Ben=5", "--hole", "1")
    assert [player["played"] for player in view["players"]] == [1, 1]


def test_without_a_round_it_says_how_to_begin(do):
    assert "companion round new" in do("round", "show")[2]
    assert "companion golf new" in do("golf", "show")[2]
    assert "companion round new" in do("round", "list")[1]


def test_statistics_and_pictures(do, tmp_path):
    for first in (1, 3):
        do("round", "new", "Anna", "Ben", "--holes", "2")
        do("round", "add", f"Anna={first}", "Ben=2")
        do("round", "add", "Anna=s1", "Ben=4*")
        do("round", "finish")
    stats = do.json("round", "stats", "anna", "--against", "ben")
    assert (stats["rounds"], stats["holes"], stats["average"], stats["cleared_rate"]) == (2, 4, 0.5, 0.5)
    assert (stats["against"]["won"], stats["against"]["holes_won"]) == (2, 3)
    assert do.json("round", "stats", "Ben")["holes"] == 2
    assert do.json("round", "stats", "Ben", "--hinted", "with")["holes"] == 4
    assert do.json("round", "stats", "Anna", "--until", "2000-01-01")["rounds"] == 0
    for draw in ("scores", "rounds"):
        picture = tmp_path / f"{draw}.png"
        status, out, _ = do("round", "stats", "Anna", "--chart", str(picture), "--draw", draw)
        assert status == 0
        assert "cleared" in out
        assert picture.read_bytes().startswith(b"\x89PNG")


def test_export_and_import_between_two_stores(do, tmp_path):
    do("round", "new", "Anna", "Ben")
    do("round", "add", "Anna=4", "Ben=5")
    do("golf", "new", "Anna", "Ben")
    file = tmp_path / "all.json"
    assert do.json("round", "export", str(file))["bytes"] == file.stat().st_size
    other = str(tmp_path / "other.db")
    assert do.json("round", "import", str(file), "--store", other)["rounds"] == 2
    assert "nothing" in do("round", "import", str(file), "--store", other)[1]
    assert do.json("round", "show", "--store", other) == do.json("round", "show")
    sheet = tmp_path / "rounds.csv"
    do("round", "export", str(sheet), "--separator", ";")
    assert sheet.read_bytes().startswith(b"\xef\xbb\xbfround;name")
    assert do.json("round", "players")["players"][0]["name"] == "Anna"
    assert do.json("round", "rename", "anna", "Anne")["name"] == "Anne"


def test_damage_and_restore(do, tmp_path):
    do("round", "new", "Anna")
    do("round", "add", "4")
    made = do.json("round", "backup")["file"]
    (tmp_path / "rounds.db").write_bytes(b"spilt coffee" * 999)
    status, _, err = do("round", "show")
    assert status == 1
    assert "companion round restore" in err
    assert do.json("round", "backups")["files"][0] == made
    answer = do.json("round", "restore")
    assert answer["restored"] == made
    assert any("damaged" in file for file in answer["set_aside"])
    assert do.json("round", "show")["players"][0]["total"] == 4


def test_a_hole_is_scored_by_a_typed_board(do, tmp_path):
    board = tmp_path / "end.txt"
    board.write_text("Talon: -\nFoundations: 9D\n4H\n5C 7D\n:\n:\n:\n:\n2S\n")
    do("round", "new", "Anna")
    view = do.json("round", "add", "--board", str(board))
    assert (view["players"][0]["total"], view["players"][0]["scores"][0]["source"]) == (4, "typed")


def test_a_round_of_the_grid_game(do):
    status, out, _ = do("golf", "new", "Anna", "Ben", "Carla", "--dealer", "Ben")
    assert status == 0
    assert "Hole 1: Ben deals" in out
    status, out, _ = do("golf", "add", "Anna=7", "Ben=-3", "Carla=7S KH 5D / 7C 2S QD", "--ended", "Carla")
    assert "13!" in out
    assert "Hole 2: Carla deals" in out
    assert "Ben leads" in out
    view = do.json("golf", "edit", "--hole", "1", "Ben=3")
    assert [player["total"] for player in view["players"]] == [7, 3, 13]
    assert [place["player"] for place in view["places"]] == ["Ben", "Anna", "Carla"]
    assert do("golf", "add", "Anna")[0] == 2
    assert do("golf", "add", "Anna=1", "--ended", "Ben")[0] == 2
    assert "companion golf" in do("round", "show", view["id"])[2]
    assert do.json("golf", "abandon")["state"] == "abandoned"
    assert do.json("golf", "resume", view["id"])["state"] == "open"


@pytest.mark.parametrize("turned", [0, 90, 180, 270, 8])
def test_a_grid_is_scored_from_a_photo(do, tmp_path, monkeypatch, turned):
    """What a scan finds is arranged as the player sees it; reading itself is tested with the reader."""
    cards = [("7S", 0, 0), ("KH", 1, 0), ("5D", 2, 0), ("7C", 0, 1), ("2S", 1, 1), ("QD", 2, 1)]
    turn = math.radians(-turned)
    found = []
    for name, column, row in reversed(cards):
        x, y = 300 * column, 400 * row
        x, y = x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)
        found.append({"card": name, "index": [[x, y], [x + 9, y + 9]], "outline": None})

    class Scanned:
        def document(self):
            return {"image": {"player": turned}, "cards": found}

    monkeypatch.setattr("companion.vision.scan_photo", lambda data: Scanned())
    photo = tmp_path / "grid.jpg"
    photo.write_bytes(b"any")
    assert do.json("golf", "score", str(photo))["grids"][0] == {
        "grid": "7S KH 5D / 7C 2S QD",
        "columns": [0, -2, 15],
        "points": 13,
    }
    found[0]["card"] = "??"
    status, _, err = do("golf", "score", str(photo))
    assert (status, "could be read" in err) == (2, True)


def test_scoring_a_grid(do):
    status, out, _ = do("golf", "score", "7S KH 5D / 7C 2S QD")
    assert status == 0
    assert out.strip().endswith("=  0 + (-2) + 15 = 13")
    found = do.json("golf", "score", "QS QH / QD QC", "--rules", "4-cards,four=-20")
    assert [grid["points"] for grid in found["grids"]] == [-20]
    assert do.json("golf", "score", "AS 2S 3S/4S 5S 6S/7S 8S 9S")["grids"][0]["points"] == 41
    status, _, err = do("golf", "score", "7S KH / 7C")
    assert (status, err.count("\n")) == (2, 1)
