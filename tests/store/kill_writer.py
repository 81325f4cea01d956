"""Kills a writer at random moments and looks at what is left. Also a program: `kill_writer.py 1000 [SEED]`.

The writer opens the store, enters and corrects scores, tracks a game and makes backups, and says each thing
after the store has acknowledged it. It dies by SIGKILL, anywhere: while the store is created, written, or
backed up. Then everything said must be there, at most one thing more, and nothing half.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sqlite3
import sys
import tempfile
import time
from pathlib import Path

from companion.game import FULL_DECK, Position, Rules, legal_moves
from companion.game import keeping as rules_of_keeping
from companion.store import Store, backup


def write_until_killed(path: Path, seed: int, say: int) -> None:
    """What the writer does; each acknowledged thing is a line on `say`."""
    choice = random.Random(seed)

    def said(*words: object) -> None:
        os.write(say, (" ".join(map(str, words)) + "\n").encode())

    with Store.open(path) as store:
        while True:
            round = store.new_round(["Anna", "Ben"], Rules(holes=18, par=90))
            said("round", round.id)
            cards = list(FULL_DECK)
            choice.shuffle(cards)
            game = store.new_game(Position.deal(Rules(), cards), round=round.id, player="Anna", hole=1)
            said("game", game.id, 0)
            for hole in range(1, 19):
                for player in ("Anna", "Ben"):
                    id = f"{choice.getrandbits(128):032x}"
                    store.enter_hole(round.id, player, hole=hole, left=choice.randrange(36), id=id)
                    said("entry", id)
                if choice.random() < 0.2:
                    corrected = store.correct_hole(round.id, "Ben", hole, stock=choice.randrange(17))
                    said("entry", corrected.history(corrected.players[1].id, hole)[-1].id)
                if moves := legal_moves(game.position):
                    game = store.step(game.id, "move", choice.choice(moves))
                    said("game", game.id, len(game.steps))
                if choice.random() < 0.05:
                    said("backup", store.backup())
            store.finish(round.id)
            said("finished", round.id)


def kill_once(path: Path, seed: int) -> list[list[str]]:
    """Run a writer on the store at `path` and kill it at a random moment; returns what it had said.

    The moment is a random while after a random number of things said, so it falls anywhere on any machine.
    """
    hear, say = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(hear)
            write_until_killed(path, seed, say)
        except BaseException as error:
            os.write(2, f"the writer failed: {error!r}\n".encode())
        finally:
            os._exit(status)
    os.close(say)
    moment = random.Random(seed ^ 0x5EED)
    with os.fdopen(hear) as lines:
        heard = [lines.readline() for _ in range(moment.choice((0, 0, 1, 2, 3, 5, 8, 13, 21)))]
        time.sleep(moment.uniform(0.0, 0.2 if not heard else 0.02))
        os.kill(child, signal.SIGKILL)
        heard += lines.readlines()
    _, status = os.waitpid(child, 0)
    said = [line.split() for line in heard if line]
    assert os.WIFSIGNALED(status), "the writer ended by itself"
    return said


def look(path: Path, said: list[list[str]], before: int) -> int:
    """Check a store that had `before` things when `said` was acknowledged; returns what it has now."""
    if not path.exists():
        assert not said
        return 0
    with contextlib.closing(sqlite3.connect(path)) as plain:
        assert plain.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert plain.execute("PRAGMA foreign_key_check").fetchone() is None
    for file in backup.found(path):
        backup.check(file)  # a backup with a name is whole
    with Store.open(path, backups=False) as store:
        rounds, games = store.rounds(), {game.id: game for game in store.games()}
        things = store.last_change
    entries = {entry.id for round in rounds for entry in round.entries}
    for kind, subject, *rest in said:
        if kind == "round":
            assert any(round.id == subject for round in rounds), f"lost round {subject}"
        elif kind == "entry":
            assert subject in entries, f"lost score {subject}"
        elif kind == "game":
            assert len(games[subject].steps) >= int(rest[0]), f"lost a move of {subject}"
        elif kind == "finished":
            assert next(round for round in rounds if round.id == subject).state == "finished"
        else:
            assert Path(subject).exists(), f"lost backup {subject}"
    for round in rounds:
        rules_of_keeping.check(round)
    for game in games.values():
        assert game.game.audit() is None
    kept = sum(kind != "backup" for kind, *_ in said)
    assert before + kept <= things <= before + kept + 1, f"{things - before} things, {kept} acknowledged"
    return things


def torture(folder: Path, kills: int, seed: int) -> int:
    """Kill writers, many on the same store; returns how many things were acknowledged in all."""
    acknowledged = things = 0
    path = folder / "rounds.db"
    for n in range(kills):
        if n % 12 == 0:  # a new store now and then: kills while it is created, and files that stay small
            path = folder / f"store-{n}" / "rounds.db"
            things = 0
        said = kill_once(path, seed + n)
        things = look(path, said, things)
        acknowledged += len(said)
    return acknowledged


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        number = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
        first = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(10**6)
        start = time.monotonic()
        total = torture(Path(scratch), number, first)
        print(
            f"{number} kills (seed {first}): {total} acknowledged changes, none lost, none half, "
            f"{time.monotonic() - start:.0f} s"
        )
