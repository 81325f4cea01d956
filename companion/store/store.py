"""The store as the app and the terminal use it."""

from __future__ import annotations

from companion.store.transfer import Transfer


class Store(Transfer):
    """Players, rounds, tracked games and scans in a SQLite file or on a PostgreSQL server.

    `Store.open()` opens the user's own. Every method that writes returns when it is on disk, and returns the
    value as it is then; values are frozen. One object may be used by several threads, one store by several
    programs.
    """
