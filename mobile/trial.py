"""What `rehearse.py` runs: the app's jobs, with only the packaged files and packages there.

Any connection, any other program and any file written outside the app's own folder ends it.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
APP, PACKAGES = os.environ["COMPANION_TRIAL_APP"], os.environ["COMPANION_TRIAL_PACKAGES"]
DATA = os.path.realpath(os.environ["FLET_APP_STORAGE_DATA"])
STANDARD = tuple(path for path in sys.path if path and path != str(HERE))
_LAUNCH = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork")


def watch(event: str, values: tuple[object, ...]) -> None:
    """An audit hook: what a phone would not allow, or the app promises not to do."""
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto") or event in _LAUNCH:
        raise PermissionError(f"not on a phone: {event} {values!r}")
    writes = (
        event == "open" and isinstance(values[2], int) and values[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    )
    if (writes or event in ("os.mkdir", "os.rename", "os.remove")) and isinstance(
        values[0], str | bytes | os.PathLike
    ):
        path = os.path.realpath(os.fsdecode(values[0]))
        if not path.startswith((DATA, "/dev/null")):
            raise PermissionError(f"written outside the app's folder: {path!r}")


def scan() -> dict[str, object]:
    from companion.vision import scan_photo

    document = scan_photo((HERE / "table.jpg").read_bytes()).document()
    truth = json.loads((HERE / "table.json").read_text())
    wanted = {card for column in truth["columns"] for card in column}
    read = {card for column in document["columns"] for card in column}
    # That the weights work here is the point; how well they read is measured elsewhere.
    assert len(document["cards"]) >= 20, document
    assert len(read & wanted) >= len(wanted) // 2, (sorted(read), sorted(wanted))
    return document


def hint_and_check() -> None:
    from companion.app.services.adviser import EngineAdviser
    from companion.app.services.auditor import EngineAuditor
    from companion.app.state.table import from_position
    from companion.game import Play, Position, Rules, apply, full_deck, legal_moves

    rules = Rules()
    start = Position.deal(rules, full_deck(rules)).hidden()
    hint = EngineAdviser().advise(start, "strokes")
    assert hint.lines
    assert {line.move for line in hint.lines} >= {
        move for move in legal_moves(start) if isinstance(move, Play)
    }
    play = next((move for move in legal_moves(start) if isinstance(move, Play)), None)
    after = apply(start, play) if play else start
    (found,) = EngineAuditor().check([from_position(start), from_position(after)], rules)
    assert found.verdict == "legal", found


def round_and_exports() -> None:
    from companion.app.services.exporting import KINDS, archive_file, card_file, take_in
    from companion.store import Store

    with Store.open(Path(DATA) / "trial.db") as store:
        begun = store.new_round(["Åsa", "Jürgen"])
        for hole in range(1, 10):
            store.enter_hole(begun.id, "Åsa", hole=hole, left=hole % 5 + 1)
            store.enter_hole(begun.id, "Jürgen", hole=hole, left=4)
        done = store.finish(begun.id)
        assert done.state == "finished"
        for kind in KINDS:
            name, data = archive_file(store) if kind == "json" else card_file(done, kind, "sv")
            assert len(data) > 100, name
        assert take_in(store, archive_file(store)[1]).total == 0
    with Store.open(Path(DATA) / "trial.db") as store:
        assert store.round(begun.id).total(begun.players[1].id) == 36


async def screens() -> None:
    """The real `main.py` on a client that is not there: every place is drawn."""
    import main
    from harness import AppDriver

    entry = main.app(Path(DATA))
    driver = await AppDriver.start(entry, page_props={"web": False, "platform": "android"})
    assert driver.texts()
    for place in ("scan", "check", "card", "card/new", "rounds", "settings", "play"):
        driver.page.on_route_change(_Route(f"/{place}"))
        await driver.settle()
        assert driver.texts(), place
    await driver.close()


class _Route:
    def __init__(self, route: str) -> None:
        self.route = route


def main() -> None:
    sys.path[:] = [APP, PACKAGES, *STANDARD, str(HERE)]
    sys.dont_write_bytecode = True
    sys.addaudithook(watch)
    scan()
    hint_and_check()
    round_and_exports()
    asyncio.run(screens())
    for name, module in sys.modules.items():
        file = getattr(module, "__file__", None)
        if file and not os.path.realpath(file).startswith(
            tuple(map(os.path.realpath, (APP, PACKAGES, *STANDARD, str(HERE))))
        ):
            raise SystemExit(f"a module from elsewhere: {name} {file}")
    assert "companion.cli" not in sys.modules
    assert "companion.serve" not in sys.modules


if __name__ == "__main__":
    main()
