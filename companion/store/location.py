"""Where the store is: a file of the user's data folder, a given file, or a PostgreSQL database by URL."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from companion.store.errors import StoreError

FILE = "rounds.db"
APP = "golf-patience-companion"


@dataclass(frozen=True, slots=True)
class Location:
    """A file (`path`) or a server (`url`); exactly one of the two is set."""

    path: Path | None = None
    url: URL | None = None

    def __str__(self) -> str:
        return str(self.path) if self.url is None else self.url.render_as_string(hide_password=True)


def locate(where: str | os.PathLike[str] | None = None) -> Location:
    """The store meant by `where`: a file, a folder, or a URL.

    None means the environment's `COMPANION_STORE`, else the app's own storage on a phone
    (`FLET_APP_STORAGE_DATA`), else the user's data folder. Raises `StoreError`.
    """
    text = os.fspath(where) if where else os.environ.get("COMPANION_STORE", "")
    if not text:
        return Location(path=data_folder() / FILE)
    if "://" not in text:
        path = Path(text).expanduser()
        return Location(path=path / FILE if path.is_dir() or text.endswith(("/", os.sep)) else path)
    try:
        url = make_url(text)
    except ArgumentError:
        raise StoreError("not the URL of a database, such as 'postgresql://club@server/golf'") from None
    if url.get_backend_name() == "sqlite":
        if not url.database or url.database == ":memory:":
            raise StoreError(f"a store needs a file, not {text!r}")
        return Location(path=Path(url.database).expanduser())
    if url.get_backend_name() == "postgresql":
        return Location(url=url.set(drivername="postgresql+psycopg"))
    raise StoreError(f"a store is a file, sqlite:// or postgresql://, not {url.get_backend_name()!r}")


def data_folder() -> Path:
    """The folder for this user's data."""
    if phone := os.environ.get("FLET_APP_STORAGE_DATA"):
        return Path(phone)
    import platformdirs

    return Path(platformdirs.user_data_path(APP, appauthor=False))
