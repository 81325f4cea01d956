"""A full disk, a folder that may not be written, no server: a sentence, and nothing lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from companion.store import Store, StoreError, StoreFull, locate

from .conftest import play

posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX")


def run(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """A program of its own, as its limits and user can't be taken back."""
    root = str(Path(__file__).parents[2])
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": root},
        check=False,
    )


def test_a_full_database_says_so_and_goes_on_when_there_is_room(tmp_path):
    with Store.open(tmp_path / "rounds.db") as store:
        round = play(store)
        pages = 0
        with store._engine.connect() as db:
            pages = db.exec_driver_sql("PRAGMA page_count").scalar_one()
        store._engine.dispose()
        from sqlalchemy import event

        limit = pages

        @event.listens_for(store._engine, "connect")
        def _limit(connection, record):
            connection.execute(f"PRAGMA max_page_count={limit}")

        def fill() -> None:
            while True:
                store.add_scan(f'{{"text": "{"x" * 500}"}}')

        with pytest.raises(StoreFull, match="disk is full, nothing was written"):
            fill()
        kept = len(store.scans())
        assert store.round(round.id) == round
        limit = 10**6
        store._engine.dispose()
        store.add_scan("{}")
        assert len(store.scans()) == kept + 1


FULL = """
import resource, signal, sys
from companion.store import Store, StoreError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with Store.open(sys.argv[1], backups=False) as store:
    round = store.new_round(["Anna"] , )
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, 1_500_000))
    kept = 0
    try:
        for n in range(5000):
            store.add_scan('{"text": "%s"}' % ("x" * 900))
            kept += 1
    except StoreError as error:
        print(kept, type(error).__name__, error)
"""


@posix
def test_a_disk_that_takes_no_more_says_so_and_everything_acknowledged_is_there(tmp_path):
    path = tmp_path / "rounds.db"
    done = run(FULL, path)
    assert done.returncode == 0, done.stderr
    kept, name, *sentence = done.stdout.split()
    assert name == "StoreFull"
    assert "nothing was written" in " ".join(sentence)
    with Store.open(path) as store:
        assert len(store.scans()) == int(kept) > 10
        assert len(store.rounds()) == 1


LOCKED = """
import os, sys, tempfile
from companion.store import Store, StoreReadOnly
with tempfile.TemporaryDirectory() as warm:  # all modules are loaded before rights are dropped
    with Store.open(warm) as store:
        store.new_round(["Ben"])
        store.rounds()
if os.getuid() == 0:
    os.setgid(65534); os.setuid(65534)
try:
    with Store.open(sys.argv[1]) as store:
        print("read:", len(store.rounds()[0].entries), store.read_only)
        store.new_round(["Ben"])
except StoreReadOnly as error:
    print("told:", error)
"""


@posix
def test_a_folder_that_may_not_be_written_is_read_with_a_sentence():
    # Not under pytest's own folder, which nobody else may enter.
    folder = Path(tempfile.mkdtemp(prefix="companion-"))
    try:
        path = folder / "rounds.db"
        with Store.open(path, backups=False) as store:
            play(store)
        path.chmod(0o444)
        folder.chmod(0o555)
        done = run(LOCKED, path)
        assert "read: 3 the folder or file may not be written" in done.stdout, done.stderr
        assert "told: the folder or file may not be written" in done.stdout
        missing = run(LOCKED, folder / "other.db")
        assert "StoreError: there is no store and none can be made here" in missing.stderr
        below = run(LOCKED, folder / "new" / "rounds.db")
        assert "StoreError: the store has no folder (Permission denied)" in below.stderr
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_a_server_that_is_not_there_is_said_without_its_password():
    pytest.importorskip("psycopg")
    with pytest.raises(StoreError, match="cannot be reached") as told:
        Store.open("postgresql://club:secret@127.0.0.1:9/golf")
    assert "secret" not in str(told.value)


def test_where_the_store_is(monkeypatch, tmp_path):
    monkeypatch.delenv("COMPANION_STORE", raising=False)
    monkeypatch.setenv("FLET_APP_STORAGE_DATA", str(tmp_path))
    assert locate().path == tmp_path / "rounds.db"
    monkeypatch.setenv("COMPANION_STORE", str(tmp_path / "mine.db"))
    assert locate().path == tmp_path / "mine.db"
    assert locate(tmp_path).path == tmp_path / "rounds.db"
    assert locate("sqlite:///some/file.db").path == Path("some/file.db")
    monkeypatch.delenv("COMPANION_STORE")
    monkeypatch.delenv("FLET_APP_STORAGE_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    assert locate().path.name == "rounds.db"
    assert "golf-patience-companion" in str(locate())
    for wrong in ("mysql://x/y", "sqlite://", "://"):
        with pytest.raises(StoreError):
            locate(wrong)
