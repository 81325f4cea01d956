"""`companion serve` lets nobody in unless asked; who it is for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.cli.commands import run


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the server would have been started with."""
    found: dict[str, Any] = {}
    server = pytest.importorskip("companion.serve.server")
    monkeypatch.setattr(server, "run", lambda store, folder, **how: found.update(how, folder=folder))
    monkeypatch.setattr("companion.serve.log.set_up", lambda: None)
    return found


@pytest.mark.parametrize(
    ("words", "host"),
    [((), "127.0.0.1"), (("--lan",), "0.0.0.0"), (("--host", "192.168.7.5"), "192.168.7.5"),
     (("--lan", "--host", "::1"), "::1"), (("--https",), "127.0.0.1")],
)  # fmt: skip
def test_only_this_machine_unless_asked(
    asked: dict[str, Any], tmp_path: Path, words: tuple[str, ...], host: str
) -> None:
    assert run(["serve", "--folder", str(tmp_path), *words]) == 0
    assert asked["host"] == host
    assert asked["https"] is ("--https" in words)
    assert asked["folder"] == tmp_path


@pytest.mark.parametrize("words", [("--revoke", "abcd"), ("--delete", "abcd"), ("--delete", "..")])
def test_a_device_that_nobody_knows_is_said(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, words: tuple[str, ...]
) -> None:
    assert run(["serve", "--folder", str(tmp_path), *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "no device" in line
    assert repr(words[1]) in line
