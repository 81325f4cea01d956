"""Who may come in: a token in the link, exchanged for a session that a cookie names and that can be revoked.

Only hashes are on disk: who reads the file can't come in with it. Several servers may share one file.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Letters and digits that nobody takes for another one."""
LENGTH = 16
"""Of a token: 78 bits."""
RETURN_SECONDS = 15 * 60.0
"""For a code that brings a phone back to its rounds; it is good for once."""
IDLE_SECONDS = 90 * 24 * 3600.0
"""A session that was not used for so long is over."""
MOST = 500
"""Sessions at most; the one unused for longest makes room."""
_NOTE_SEEN_EVERY = 60.0


@dataclass(frozen=True, slots=True)
class Device:
    """A phone that was let in: a random name, seconds since the epoch, and the kind of browser."""

    id: str
    made: float
    seen: float
    browser: str


def new_token() -> str:
    """A token as it is shown and typed: four groups of four."""
    signs = [secrets.choice(ALPHABET) for _ in range(LENGTH)]
    return "-".join("".join(signs[at : at + 4]) for at in range(0, LENGTH, 4))


class Access:
    """The token of this server, and the sessions that were given for it."""

    def __init__(self, path: Path, token: str | None = None, clock: Callable[[], float] = time.time) -> None:
        self.token = token or new_token()
        self._clock = clock
        self._lock = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600)
        self._store = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False)
        self._store.execute("PRAGMA journal_mode=WAL")
        self._store.execute("PRAGMA secure_delete=ON")
        self._store.execute(
            "CREATE TABLE IF NOT EXISTS sessions (hash TEXT PRIMARY KEY, device TEXT NOT NULL,"
            " made REAL NOT NULL, seen REAL NOT NULL, browser TEXT NOT NULL)"
        )
        self._store.execute(
            "CREATE TABLE IF NOT EXISTS returns"
            " (hash TEXT PRIMARY KEY, device TEXT NOT NULL, until REAL NOT NULL)"
        )
        self._store.execute("CREATE TABLE IF NOT EXISTS doors (link TEXT NOT NULL)")
        self._store.execute("CREATE TABLE IF NOT EXISTS deleted (device TEXT PRIMARY KEY)")
        self._store.execute("CREATE TABLE IF NOT EXISTS name (one INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        self._store.execute("INSERT OR IGNORE INTO name VALUES (1, ?)", (secrets.token_hex(4),))
        self.name = str(self._store.execute("SELECT name FROM name").fetchone()[0])
        """Of this folder, for cookies: two servers on one computer don't take each other's."""

    def close(self) -> None:
        self._store.close()

    def is_token(self, typed: str) -> bool:
        """Whether this is the token, however it is grouped or capitalised; takes as long for a wrong one."""
        return hmac.compare_digest(_digest(_plain(typed)), _digest(_plain(self.token)))

    def open_session(self, agent: str, known: str | None = None) -> tuple[str, Device]:
        """A new session for a device that knew the token: the secret of its cookie, and its name.

        known: the device that has come back, else it is a new one.
        """
        secret, now = secrets.token_urlsafe(32), self._clock()
        device = Device(known or secrets.token_hex(8), now, now, _browser(agent))
        with self._lock, self._store:
            self._store.execute(
                "INSERT INTO sessions VALUES (?, ?, ?, ?, ?)",
                (_digest(secret).hex(), device.id, device.made, device.seen, device.browser),
            )
            self._store.execute(
                "DELETE FROM sessions WHERE seen < ? OR hash NOT IN"
                " (SELECT hash FROM sessions ORDER BY seen DESC LIMIT ?)",
                (now - IDLE_SECONDS, MOST),
            )
        return secret, device

    def device_of(self, secret: str | None) -> str | None:
        """The device whose cookie this is, None for whatever is none."""
        if not secret or len(secret) > 100 or not secret.isascii():
            return None
        key, now = _digest(secret).hex(), self._clock()
        with self._lock:
            row = self._store.execute("SELECT device, seen FROM sessions WHERE hash = ?", (key,)).fetchone()
            if row is None or now - row[1] > IDLE_SECONDS:
                return None
            if now - row[1] > _NOTE_SEEN_EVERY:
                self._store.execute("UPDATE sessions SET seen = ? WHERE hash = ?", (now, key))
        return str(row[0])

    def devices(self) -> tuple[Device, ...]:
        """Everybody who may come in, each once, the last seen first."""
        with self._lock:
            rows = self._store.execute(
                "SELECT device, MIN(made), MAX(seen), browser FROM sessions WHERE seen >= ?"
                " GROUP BY device ORDER BY MAX(seen) DESC",  # the browser is that of MAX(seen)
                (self._clock() - IDLE_SECONDS,),
            )
            return tuple(Device(*row) for row in rows)

    def is_in(self, device: str) -> bool:
        """Whether a device may come in still."""
        with self._lock:
            (seen,) = self._store.execute(
                "SELECT MAX(seen) FROM sessions WHERE device = ?", (device,)
            ).fetchone()
        return seen is not None and self._clock() - seen <= IDLE_SECONDS

    # --- coming back ---------------------------------------------------------------------------------------

    def offer_return(self, device: str) -> str:
        """A code with which a phone becomes a device that was here before; it replaces an earlier one."""
        code = new_token()
        with self._lock, self._store:
            self._store.execute("DELETE FROM returns WHERE device = ?", (device,))
            self._store.execute(
                "INSERT INTO returns VALUES (?, ?, ?)",
                (_digest(_plain(code)).hex(), device, self._clock() + RETURN_SECONDS),
            )
        return code

    def take_return(self, typed: str) -> str | None:
        """The device that a code brings back, None for whatever is none; the code is used up by that."""
        key = _digest(_plain(typed)).hex()
        with self._lock, self._store:
            self._store.execute("BEGIN IMMEDIATE")
            row = self._store.execute("SELECT device, until FROM returns WHERE hash = ?", (key,)).fetchone()
            self._store.execute("DELETE FROM returns WHERE hash = ?", (key,))
        if row is None or row[1] < self._clock() or self.is_deleted(row[0]):
            return None
        return str(row[0])

    @property
    def doors(self) -> tuple[str, ...]:
        """Where the server that was started last is reached, the likeliest first."""
        with self._lock:
            return tuple(row[0] for row in self._store.execute("SELECT link FROM doors ORDER BY rowid"))

    @doors.setter
    def doors(self, links: tuple[str, ...]) -> None:
        with self._lock, self._store:
            self._store.execute("BEGIN IMMEDIATE")
            self._store.execute("DELETE FROM doors")
            self._store.executemany("INSERT INTO doors VALUES (?)", [(link,) for link in links])

    # --- going ---------------------------------------------------------------------------------------------

    def delete(self, device: str) -> None:
        """End a device's session, and note that what it kept is to be deleted: a server that has it open does
        so too once it has let go."""
        with self._lock, self._store:
            self._store.execute("DELETE FROM sessions WHERE device = ?", (device,))
            self._store.execute("DELETE FROM returns WHERE device = ?", (device,))
            self._store.execute("INSERT OR IGNORE INTO deleted VALUES (?)", (device,))
        self._store.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def is_deleted(self, device: str) -> bool:
        with self._lock:
            found = self._store.execute("SELECT 1 FROM deleted WHERE device = ?", (device,))
            return found.fetchone() is not None

    def end(self, secret: str) -> None:
        """End the one session whose cookie this is."""
        with self._lock:
            self._store.execute("DELETE FROM sessions WHERE hash = ?", (_digest(secret).hex(),))

    def revoke(self, device: str) -> int:
        """End the session of a device, named by the beginning of its name, or of `all`; returns how many."""
        with self._lock:
            if device == "all":
                self._store.execute("DELETE FROM returns")
                return self._store.execute("DELETE FROM sessions").rowcount
            if not re.fullmatch(r"[0-9a-f]{4,16}", device):
                return 0
            self._store.execute("DELETE FROM returns WHERE substr(device, 1, ?) = ?", (len(device), device))
            return self._store.execute(
                "DELETE FROM sessions WHERE substr(device, 1, ?) = ?", (len(device), device)
            ).rowcount


def _plain(token: str) -> str:
    return "".join(sign for sign in token[:64].upper() if sign.isalnum())


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", errors="replace")).digest()


def _browser(agent: str) -> str:
    """What a person recognises a device by; no more of the browser's own words than this is kept."""
    kinds = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "Linux")
    kind = next((word for word in kinds if word in agent), "device")
    names = (
        ("Firefox", "Firefox"),
        ("Edg", "Edge"),
        ("Chrome", "Chrome"),
        ("CriOS", "Chrome"),
        ("Safari", "Safari"),
    )
    name = next((name for sign, name in names if sign in agent), "")
    return f"{kind} {name}".strip()
