"""What can go wrong with a store. Each message is a sentence for the person who keeps the score."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from companion.game.errors import CompanionError


class StoreError(CompanionError):
    """The store could not do what was asked; nothing was half done."""

    code = "store"
    exit_status = 1
    """What the command line ends with: it is not the input that is wrong."""


class StoreReadOnly(StoreError):
    """The store can be read but not written."""

    code = "store-read-only"


class StoreFull(StoreError):
    """No room on the disk: nothing was written, everything written before is kept."""

    code = "store-full"


class StoreBusy(StoreError):
    """Another program was writing for too long."""

    code = "store-busy"


class StoreDamaged(StoreError):
    """The file is damaged or gone. `backups` are good copies, newest first; nothing was replaced."""

    code = "store-damaged"

    def __init__(self, message: str, path: Path, backups: tuple[Path, ...] = ()) -> None:
        super().__init__(message)
        self.path = path
        self.backups = backups


@contextmanager
def said_plainly(where: str) -> Iterator[None]:
    """Turn errors of the database into sentences. `where` names the store, without any password."""
    try:
        yield
    except DBAPIError as error:
        raise _sentence(error.orig, where) from error
    except sqlite3.Error as error:
        raise _sentence(error, where) from error
    except SQLAlchemyError as error:
        raise StoreError(f"the store could not be used ({type(error).__name__}): {where!r}") from error


def _sentence(error: BaseException | None, where: str) -> StoreError:
    name = getattr(error, "sqlite_errorname", "") or ""
    state = getattr(error, "sqlstate", "") or ""
    if name.startswith("SQLITE_FULL") or state == "53100":
        return StoreFull(f"the disk is full, nothing was written, what was written before is kept: {where!r}")
    if name.startswith("SQLITE_READONLY") or state in ("25006", "42501"):
        return StoreReadOnly(f"the store can be read but not written: {where!r}")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")) or state in ("55P03", "57014", "40P01"):
        return StoreBusy(f"another program is writing to the store, try again: {where!r}")
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return StoreDamaged(f"the store is damaged: {where!r}", Path(where))
    if name.startswith("SQLITE_IOERR"):
        return StoreFull(f"the disk took no more, nothing was written, what was before is kept: {where!r}")
    if name.startswith("SQLITE_CANTOPEN"):
        return StoreError(f"the store cannot be opened: {where!r}")
    if state.startswith(("08", "57P", "28", "3D")) or (not state and not name):
        return StoreError(f"the database cannot be reached: {where!r}")
    return StoreError(f"the store refused the change ({name or state}): {where!r}")
