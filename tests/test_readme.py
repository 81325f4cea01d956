"""The examples of README.md and docs/ are run; `...` in what they print stands for anything."""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.cli import run
from companion.engine import fast

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_BLOCK = re.compile(r"^```(console|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def as_installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The README's first command installs no extra; without Numba estimates are others."""
    monkeypatch.setenv(fast.SWITCH, "0")
    fast.available.cache_clear()
    yield
    fast.available.cache_clear()


def examples(kind: str) -> Iterator[tuple[str, str]]:
    """A name for each block of this kind, and its text."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for block in _BLOCK.finditer(text):
            if block[1] == kind:
                line = text.count("\n", 0, block.start()) + 1
                yield f"{page.relative_to(ROOT)}:{line}", block[2]


def sessions() -> list[object]:
    return [pytest.param(text, id=name) for name, text in examples("console") if "$ companion" in text]


def tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines()) + "\n"


@pytest.mark.parametrize("session", sessions())
def test_console_examples(
    session: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    for part in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        words = shlex.split(command, comments=True)
        assert words[0] == "companion", "an example in a console block is a companion command"
        status = run(words[1:])
        printed = capsys.readouterr()
        same = doctest.OutputChecker().check_output(
            tidy(expected), tidy(printed.out + printed.err), doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        )
        assert same, f"$ {command}\nprinted with status {status}:\n{printed.out}{printed.err}"


@pytest.mark.parametrize("page", [page for page in PAGES if "```pycon" in page.read_text(encoding="utf-8")])
def test_python_examples(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks of a page share their names, as one who reads on would."""
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    for place, source in examples("pycon"):
        if not place.startswith(f"{page.relative_to(ROOT)}:"):
            continue
        test = doctest.DocTestParser().get_doctest(source, names, place, None, 0)
        printed: list[str] = []
        results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(
            test, out=printed.append, clear_globs=False
        )
        assert results.failed == 0, "".join(printed)
        assert results.attempted > 0
        names = test.globs


@pytest.mark.parametrize("name", ["run", "test"])
def test_the_two_commands_are_marked(name: str) -> None:
    assert re.search(
        rf"^<!-- {name} -->\n```sh\n[^\n]+\n```$", PAGES[0].read_text(encoding="utf-8"), re.MULTILINE
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if not re.match(r"https?:|mailto:", target):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
