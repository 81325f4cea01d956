"""The app with a past: two players, a season of rounds, a photographed table. For tests and pictures.

python -m tests.browser.demo FOLDER PORT        serves it until it is stopped
    --empty      without the rounds
    --hints      the engine is got ready for the first hint
    --forget     each page begins anew, instead of finding what the one before it left
    --fault      the reader of photos has a fault: every second one ends in it
    --read       photos are read by the companion's own models, instead of one photo being known
"""

from __future__ import annotations

import json
import random
import sys
import time
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from companion.app.app import screens
from companion.app.hosting import serve
from companion.app.main import MemoryFor, create_app, local_memory
from companion.app.opening import warm_up
from companion.app.services.adviser import EngineAdviser
from companion.app.services.auditor import EngineAuditor
from companion.app.services.reader import Reader, VisionReader
from companion.app.state.app import Services
from companion.app.state.memory import NoMemory
from companion.game import Rules
from companion.game.keeping import NewScore
from companion.store import Store
from companion.store import rounds as book

HERE = Path(__file__).parent
PHOTO = HERE / "table.jpg"


def reading(*, wrong: bool = True) -> dict[str, Any]:
    """What is read in the photo: three cards wrong, two of them not sure."""
    document: dict[str, Any] = json.loads((HERE / "table.json").read_text())
    if not wrong:
        return document
    cards = {(card["column"], card["row"]): card for card in document["cards"] if card["where"] == "column"}
    for place, name, sure in (((1, 2), "??", False), ((4, 1), "8H", False), ((5, 3), "3D", False)):
        card = cards[place]
        card["alternatives"] = [[card["card"], 0.41], ["JS", 0.1]]
        card["card"], card["sure"], card["confidence"] = name, sure, 0.45
        document["columns"][place[0]][place[1]] = name
    return document


class DemoReader:
    """Knows one photo. fault: every second time it fails as no reader should."""

    def __init__(self, fault: bool = False) -> None:
        self._fault, self._photos = fault, 0

    def read(self, photo: bytes, decks: int = 1, jokers: int = 2) -> dict[str, Any]:
        time.sleep(0.3)
        self._photos += 1
        if self._fault and self._photos % 2 == 0:
            raise IndexError("a deliberate fault of the reader")
        return reading()

    def warm(self) -> None: ...


def season(store: Store, rounds: int = 14) -> None:
    """Rounds of Anna and Erik, one a week, the last one half played."""
    clock = book.now
    try:
        _play_season(store, rounds)
    finally:
        book.now = clock


def _iso(day: datetime) -> str:
    return day.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _play_season(store: Store, rounds: int) -> None:
    dice = random.Random(7)
    for number in range(rounds):
        day = datetime.now(UTC) - timedelta(days=7 * (rounds - 1 - number))
        book.now = partial(_iso, day)
        form = "match" if number % 4 == 3 else "stroke"
        made = store.new_round(["Anna", "Erik"], Rules(), form=form, name="" if number % 5 else "Sunday cup")
        drift = number * 0.12
        for hole in range(1, 10):
            scores = []
            for player, skill in (("Anna", 5.2 - drift), ("Erik", 5.9 - drift * 0.6)):
                strokes = round(dice.gauss(skill, 2.6))
                cleared = strokes <= 0
                scores.append(
                    NewScore(
                        player,
                        hole,
                        left=None if cleared else strokes,
                        stock=min(16, -strokes) if cleared else None,
                        hinted=dice.random() < 0.08,
                    )
                )
            store.enter_holes(made.id, scores)
            if number == rounds - 1 and hole == 6:
                return
        found = store.round(made.id)
        while (due := found.extra_due) is not None:
            for player in found.players:
                found = store.enter_hole(made.id, player.name, hole=due, left=dice.randint(1, 9))
        store.finish(made.id)


def main() -> None:
    folder, port = Path(sys.argv[1]), int(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    uploads = folder / "uploads"
    uploads.mkdir(exist_ok=True)
    fresh = not (folder / "rounds.db").exists()
    with Store.open(folder / "rounds.db", backups=False) as store:
        if fresh and "--empty" not in sys.argv:
            season(store)
        reader: Reader = VisionReader() if "--read" in sys.argv else DemoReader("--fault" in sys.argv)
        services = Services(EngineAdviser(), reader, EngineAuditor())
        if {"--read", "--hints"} & set(sys.argv):
            warm_up(services)
        else:
            screens()  # models and engine take seconds, and most tests ask for neither
        forget = "--forget" in sys.argv
        memory: MemoryFor = (lambda _: NoMemory()) if forget else local_memory(folder)
        serve(
            create_app(store, memory, services, uploads),
            uploads,
            "127.0.0.1",
            port,
            open_browser=False,
        )


if __name__ == "__main__":
    main()
