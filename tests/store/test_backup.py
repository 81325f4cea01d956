"""Backups are whole and checked; damage is told, set aside and mended from a backup, never silently."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from companion.store import Store, StoreDamaged, StoreError, backup

from .conftest import play


@pytest.fixture
def path(tmp_path):
    return tmp_path / "rounds.db"


def damage(path, at=8192, much=4096):
    """Overwrite pages in the middle, as a failing disk does."""
    with path.open("r+b") as file:
        file.seek(at)
        file.write(os.urandom(much))


def test_a_backup_holds_what_the_store_held_and_nothing_later(path):
    with Store.open(path) as store:
        round = play(store)
        made = store.backup()
        store.enter_hole(round.id, "Anna", left=9)
    with Store.open(made, read_only=True) as copy:
        assert copy.round(round.id) == round
        assert copy.read_only
    assert sorted(file.suffix for file in made.parent.iterdir()) == [".db"]


def test_damage_is_told_with_the_backup_and_the_file_is_kept(path):
    with Store.open(path) as store:
        round = play(store)
        good = store.backup()
        store.enter_hole(round.id, "Anna", left=9)
        bad = store.backup()
    damage(bad)
    damage(path)
    before = path.read_bytes()
    for _ in range(2):  # asking twice replaces nothing
        with pytest.raises(StoreDamaged, match=r"damaged.*'companion round restore'") as told:
            Store.open(path)
        assert told.value.backups == (good,)
        assert path.read_bytes() == before
    taken, aside = backup.restore(path)
    assert taken == good
    assert [file.read_bytes() for file in aside if file.name.endswith("Z")] == [before]
    with Store.open(path) as store:
        assert store.round(round.id) == round
        assert store.enter_hole(round.id, "Anna", left=9).played(round.players[0].id) == 4


@pytest.mark.parametrize(
    "content", [b"not a database at all, but long enough to be one" * 9, b"SQLite format 3\0" * 40]
)
def test_a_file_that_is_no_database_is_told(path, content):
    path.write_bytes(content)
    with pytest.raises(StoreDamaged, match="no good backup"):
        Store.open(path)
    assert path.read_bytes() == content
    with pytest.raises(StoreError, match="no good backup"):
        backup.restore(path)


def test_a_store_that_is_gone_is_not_begun_anew_while_there_are_backups(path):
    with Store.open(path) as store:
        round = play(store)
        store.backup()
    path.unlink()
    with pytest.raises(StoreDamaged, match="gone"):
        Store.open(path)
    assert not path.exists()
    backup.restore(path)
    with Store.open(path) as store:
        assert store.round(round.id) == round


def test_a_bad_backup_is_never_put_in_place(path):
    with Store.open(path) as store:
        play(store)
        made = store.backup()
    damage(made)
    before = path.read_bytes()
    with pytest.raises(StoreError):
        backup.restore(path, made)
    with pytest.raises(StoreError):
        backup.restore(path, path.with_name("missing.db"))
    assert path.read_bytes() == before


def test_opening_makes_a_backup_a_day(path):
    with Store.open(path) as store:
        play(store)
    Store.open(path).close()
    (made,) = backup.found(path)
    yesterday = datetime.now(UTC) - timedelta(days=1, minutes=1)
    os.utime(made, (yesterday.timestamp(), yesterday.timestamp()))
    Store.open(path).close()
    Store.open(path).close()
    assert len(backup.found(path)) == 2


def test_old_backups_make_room_but_some_of_each_week_stay(path):
    with Store.open(path) as store:
        made = store.backup()
    day = datetime(2026, 1, 1, tzinfo=UTC)
    for n in range(200):
        stamp = (day + timedelta(days=n)).strftime("%Y%m%dT%H%M%S000Z")
        made.with_name(f"rounds-{stamp}.db").write_bytes(b"")
    made.unlink()
    made.with_name("rounds-20250101T000000000Z-before-v2.db").write_bytes(b"")
    backup.prune(path)
    kept = [file.name for file in backup.found(path)]
    assert "rounds-20250101T000000000Z-before-v2.db" in kept
    assert kept[0] == "rounds-20260719T000000000Z.db"
    assert len(kept) == 1 + backup.KEEP_NEWEST + backup.KEEP_WEEKS - 2
    backup.prune(path)
    assert [file.name for file in backup.found(path)] == kept


def test_a_backup_that_fails_does_not_hinder_playing(path):
    path.with_name("backups").write_text("in the way")
    with Store.open(path) as store:
        round = play(store, lefts=[1] * 9)
        store.finish(round.id)
        assert any("no backup could be made" in warning for warning in store.warnings)
        with pytest.raises(StoreError):
            store.backup()


def test_the_file_is_set_up_to_keep_every_stroke(path):
    with Store.open(path) as store, store._engine.connect() as db:
        values = {
            name: db.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert values == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 20000}
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
