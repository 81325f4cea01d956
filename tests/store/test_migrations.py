"""Stores of every earlier version come forward with all they hold; newer ones are left alone."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import create_engine, inspect, text

from companion.game.round import rules_to_dict
from companion.game.rules import Rules
from companion.store import Store, StoreError, StoreReadOnly, backup, engines, migrations, schema
from companion.store.location import locate

AT = "2026-01-0{}T10:00:00.000Z"


def engine_of(place: str):
    location = locate(place)
    return engines.server_engine(location.url) if location.url else engines.file_engine(location.path)


def old_store(place: str, version: int) -> None:
    """A store as that version made it, with a round of two holes, one corrected."""
    engine = engine_of(place)
    migrations.migrate(engine, lambda *_: None, until=version)
    rules = json.dumps({"game": "patience", **rules_to_dict(Rules(on_king="queen"))}, sort_keys=True)
    more = {2: ", game, scan", 3: ", game, scan, grid, ended"}.get(version, "")
    values = {2: ", NULL, NULL", 3: ", NULL, NULL, NULL, FALSE"}.get(version, "")
    a, b, r = "a" * 32, "b" * 32, "c" * 32
    with engine.execution_options(write=True).begin() as db:
        for id, name in ((a, "Anna"), (b, "Ben")):
            db.execute(
                text("INSERT INTO players VALUES (:id, :name, :folded, :at)"),
                {"id": id, "name": name, "folded": name.casefold(), "at": AT.format(1)},
            )
        db.execute(text("INSERT INTO rules (id, body) VALUES (1, :body)"), {"body": rules})
        columns = "id, form, rules, name, state, begun" + (", game, dealer" if version == 3 else "")
        db.execute(
            text(
                f"INSERT INTO rounds ({columns}) VALUES (:r, 'stroke', 1, 'Old', 'open', :at"
                + (", 'patience', 0)" if version == 3 else ")")
            ),
            {"r": r, "at": AT.format(1)},
        )
        for seat, id in enumerate((a, b)):
            db.execute(text("INSERT INTO round_players VALUES (:r, :p, :s)"), {"r": r, "p": id, "s": seat})
        db.execute(
            text("INSERT INTO events VALUES (:id, :r, 0, 'begun', :at, '')"),
            {"id": "e" * 32, "r": r, "at": AT.format(1)},
        )
        scores = [
            (1, a, 1, 1, 4, 4, None),
            (2, a, 1, 2, -2, 0, 2),
            (3, b, 1, 1, 0, 0, 0),
            (4, b, 2, 1, 9, 9, None),
        ]
        for n, player, hole, revision, strokes, left, stock in scores:
            db.execute(
                text(
                    "INSERT INTO entries (id, round, player, hole, revision, strokes, cards_left, "
                    f"stock_left, rules, hinted, source, reason, at{more}) VALUES "
                    f"(:id, :r, :p, :h, :v, :s, :l, :k, 1, FALSE, 'typed', '', :at{values})"
                ),
                {
                    "id": f"{n:032x}",
                    "r": r,
                    "p": player,
                    "h": hole,
                    "v": revision,
                    "s": strokes,
                    "l": left,
                    "k": stock,
                    "at": AT.format(n + 1),
                },
            )
        db.execute(text("UPDATE counter SET value = 6"))
    engine.dispose()


@pytest.mark.parametrize("version", range(1, migrations.LATEST + 1))
def test_every_earlier_version_comes_forward_with_all_it_holds(place, version):
    old_store(place, version)
    with Store.open(place, backups=False) as store:
        (round,) = store.rounds()
        anna, ben = (player.id for player in round.players)
        assert (round.name, round.game, round.rules) == ("Old", "patience", Rules(on_king="queen"))
        assert [entry.strokes for entry in round.history(anna, 1)] == [4, -2]
        assert round.strokes(ben)[:2] == (0, 9)
        assert store.last_change == 6
        round = store.enter_hole(round.id, "Anna", left=3)
        assert round.total(anna) == 1
        made = store.backups()
    if locate(place).path:
        assert len(made) == migrations.LATEST - version
        for file, old in zip(reversed(made), range(version, migrations.LATEST), strict=True):
            assert f"before-v{old + 1}" in file.name
            assert backup.check(file)["version"] == old
            assert backup.check(file)["entries"] == 4
    elif version < migrations.LATEST:
        with engine_of(place).connect() as db:
            copies = [
                name for name in inspect(db).get_schema_names() if name.startswith("companion_before_v")
            ]
            assert len(copies) >= migrations.LATEST - version
            for name in copies:
                db.execute(text(f"DROP SCHEMA {name} CASCADE"))
            db.commit()


def test_the_steps_lead_to_the_tables_the_code_uses(place):
    Store.open(place).close()
    engine = engine_of(place)
    with engine.connect() as db:
        found = inspect(db)
        names = set(found.get_table_names()) - {"companion_version"}
        assert names == set(schema.metadata.tables)
        for name, table in schema.metadata.tables.items():
            columns = {c["name"]: (str(c["type"]), c["nullable"]) for c in found.get_columns(name)}
            wanted = {c.name: (str(c.type.compile(db.dialect)), bool(c.nullable)) for c in table.columns}
            assert columns == wanted, name
            assert len(found.get_foreign_keys(name)) == len(table.foreign_key_constraints), name
    engine.dispose()


def test_a_newer_store_is_opened_for_reading_with_a_sentence(place):
    with Store.open(place) as store:
        round = store.new_round(["Anna"])
        store.enter_hole(round.id, "Anna", left=3)
    engine = engine_of(place)
    with engine.execution_options(write=True).begin() as db:
        db.execute(text("ALTER TABLE rounds ADD COLUMN weather VARCHAR(20)"))
        migrations.write_version(db, migrations.LATEST + 1)
    engine.dispose()
    with Store.open(place) as store:
        assert "newer version" in store.read_only
        assert store.round(round.id).total(round.players[0].id) == 3
        for change in (
            lambda: store.enter_hole(round.id, "Anna", left=3),
            lambda: store.new_round(["Ben"]),
            lambda: store.merge(store.archive()),
        ):
            with pytest.raises(StoreReadOnly, match="newer version"):
                change()


def test_a_migration_that_fails_leaves_the_store_as_it_was(place, monkeypatch):
    old_store(place, 1)

    first, second, third = migrations.STEPS

    def broken(connection):
        second(connection)
        raise RuntimeError("power cut")

    with monkeypatch.context() as patch:
        patch.setattr(migrations, "STEPS", (first, broken, third))
        with pytest.raises(RuntimeError, match="power cut"):
            Store.open(place)
    engine = engine_of(place)
    with engine.connect() as db:
        assert migrations.read_version(db) == 1
        assert "scans" not in inspect(db).get_table_names()
        assert db.execute(text("SELECT count(*) FROM entries")).scalar_one() == 4
    engine.dispose()
    with Store.open(place, backups=False) as store:
        assert len(store.rounds()[0].entries) == 4
    if locate(place).url:
        with engine_of(place).connect() as db:
            for name in inspect(db).get_schema_names():
                if name.startswith("companion_before_v"):
                    db.execute(text(f"DROP SCHEMA {name} CASCADE"))
            db.commit()


def test_without_a_backup_there_is_no_migration(tmp_path, monkeypatch):
    place = str(tmp_path / "rounds.db")
    old_store(place, 1)
    (tmp_path / "backups").write_text("a file where the folder should be")
    with pytest.raises(StoreError, match="no backup could be made"):
        Store.open(place)
    with create_engine(f"sqlite:///{place}").connect() as db:
        assert migrations.read_version(db) == 1


def test_a_database_of_something_else_is_left_alone(tmp_path):
    place = tmp_path / "other.db"
    with create_engine(f"sqlite:///{place}").begin() as db:
        db.execute(text("CREATE TABLE recipes (name TEXT)"))
    before = place.read_bytes()
    with pytest.raises(StoreError, match="something else"):
        Store.open(place)
    assert place.read_bytes() == before
