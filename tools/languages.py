"""Gathers the app's texts and compiles its catalogues.

    python tools/languages.py gather      companion/app/languages/app.pot, and new texts into every app.po
    python tools/languages.py compile     every app.po into the app.mo beside it

The compiled catalogues are committed, so that a checkout and a wheel need no step of their own; a test holds
that they are those of the sources.
"""

from __future__ import annotations

import io
import sys
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "companion" / "app" / "languages"
CODES = ("en", "de", "sv")
KEYWORDS = {"t": None, "plural": (1, 2)}


def gather() -> Catalog:
    """Every text in the app's code: `t(...)` and `t.plural(...)`."""
    found = Catalog(project="Golf Patience Companion", charset="utf-8")
    app = FOLDER.parent
    for file, line, message, comments, context in extract_from_dir(str(app), keywords=KEYWORDS):
        found.add(
            message,
            locations=[(f"companion/app/{Path(file).as_posix()}", line)],
            auto_comments=comments,
            context=context,
        )
    return found


def read(code: str) -> Catalog:
    path = FOLDER / code / "LC_MESSAGES" / "app.po"
    if not path.exists():
        return Catalog(locale=code, charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, locale=code)


def write(code: str, catalogue: Catalog) -> None:
    path = FOLDER / code / "LC_MESSAGES" / "app.po"
    path.parent.mkdir(parents=True, exist_ok=True)
    _plain(catalogue)
    with path.open("wb") as file:
        write_po(
            file,
            catalogue,
            width=110,
            omit_header=False,
            sort_output=True,
            include_lineno=False,
            ignore_obsolete=True,
        )


def _plain(catalogue: Catalog) -> None:
    """A head without dates, so that gathering twice changes nothing."""
    catalogue.header_comment = "# Texts of the Golf Patience Companion's app."
    catalogue.fuzzy = False
    catalogue.project, catalogue.version = "golf-patience-companion", "1"
    catalogue.creation_date = catalogue.revision_date = datetime(2026, 1, 1, tzinfo=UTC)


def compiled(code: str) -> bytes:
    """The compiled catalogue. English texts are their own translation."""
    catalogue = read(code)
    if code == "en":
        for message in catalogue:
            if message.id and not message.string:
                message.string = message.id
    out = io.BytesIO()
    write_mo(out, catalogue)
    return out.getvalue()


def main() -> None:
    todo = sys.argv[1:] or ["gather", "compile"]
    if "gather" in todo:
        template = gather()
        _plain(template)
        with (FOLDER / "app.pot").open("wb") as file:
            write_po(file, template, width=110, sort_output=True, include_lineno=False)
        for code in CODES:
            known = read(code)
            known.update(template, no_fuzzy_matching=True)
            write(code, known)
    if "compile" in todo:
        for code in CODES:
            (FOLDER / code / "LC_MESSAGES" / "app.mo").write_bytes(compiled(code))


if __name__ == "__main__":
    main()
