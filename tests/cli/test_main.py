from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from companion import __version__
from companion.cli import commands, failures, run


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"companion {__version__}\n"


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in commands.COMMANDS)


@pytest.mark.parametrize("name", commands.COMMANDS)
def test_every_command_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert callable(importlib.import_module(commands.COMMANDS[name]).register)
    assert run([name, "--help"]) == 0
    assert "Usage: companion" in capsys.readouterr().out


def test_no_arguments_show_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 2
    assert "Usage: companion" in "".join(capsys.readouterr())


def test_a_command_loads_only_what_it_needs() -> None:
    code = (
        "import sys; from companion.cli import run; run(['--version']);"
        "sys.exit(any(name in sys.modules for name in ('numpy', 'PIL', 'sqlalchemy', 'flet', 'onnxruntime')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["hint", "no-such-file"], "no such file or directory: 'no-such-file'"),
        (["hint", "."], "is a directory: '.'"),
        (["hint"], "missing argument"),
        (["hint", "--nonsense"], "no such option: --nonsense"),
        (["nonsense"], "no such command 'nonsense'"),
        (["hint", "pysolfc:906", "--rules", "strikt"], "no such rules"),
        (["hint", "pysolfc:0"], "deals run from 1"),
        (["solve", "pysolfc:906", "--limit", "0"], "invalid value"),
        (["hint", "pysolfc:906", "--language", "xx"], "no card letters are known for this language: 'xx'"),
        (["hint", "pysolfc:906", "--aim", "win"], "'win'"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert printed.err.startswith("companion: ")
    assert message in printed.err


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (PermissionError(13, "Permission denied", "x.png"), 1, "permission denied: 'x.png'"),
        (RuntimeError("two\nlines"), 1, "unexpected RuntimeError: two lines"),
        (
            ModuleNotFoundError("no flet", name="flet"),
            1,
            "this needs a package that is not installed: 'flet'",
        ),
        (MemoryError(), 1, "not enough memory"),
        (KeyboardInterrupt(), 130, "stopped"),
        (typer.Abort(), 130, "stopped"),
        (typer.BadParameter("too large"), 2, "invalid value: too large"),
    ],
)
def test_failures(error: BaseException, status: int, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert failures.fail(error) == status
    assert capsys.readouterr().err == f"companion: {line}\n"


def test_a_command_that_is_stopped_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    # Typer turned it into an exit without a word.
    monkeypatch.setattr("companion.engine.study", stop)
    assert run(["study", "--deals", "1"]) == failures.STOPPED
    assert capsys.readouterr().err == "companion: stopped\n"


def test_the_debug_switch_shows_where_it_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DEBUG", "1")
    with pytest.raises(FileNotFoundError):
        run(["hint", "no-such-file"])


def test_the_console_script() -> None:
    script = Path(sys.executable).with_name("companion")
    done = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"companion {__version__}\n"
