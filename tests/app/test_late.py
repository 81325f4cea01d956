"""The answer to a tap comes first, the rest right after it; and it comes even where its turn was lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("flet")
import flet as ft
from flet.messaging.protocol import MessageAction

from companion.game import Rules
from tests.app.screen import PHONE, Open


async def test_title_and_navigation_come_before_the_screen(open_app: Open) -> None:
    screen = await open_app(PHONE, route="/play", language="en")
    sent: list[str] = []
    send = screen.driver.conn.send_message

    def noted(message: Any) -> None:
        send(message)
        if message.action == MessageAction.PATCH_CONTROL:
            sent.append(repr(screen.driver.conn.pack(message.body)))

    screen.driver.conn.send_message = noted
    await screen.tap("nav-card")
    first, rest = sent
    assert "Scorecard" in first
    assert "No round yet" not in first
    assert "No round yet" in rest
    assert len(first) < 1500


async def test_the_keys_that_are_seen_come_before_the_others(open_app: Open) -> None:
    screen = await open_app(
        PHONE, lambda app: app.card.begin(["Anna"], Rules(), form="stroke"), route="/card"
    )
    sent = screen.listen()
    await screen.tap("cell-0-1")
    assert "strokes-4" in sent[0]
    assert "strokes-35" not in sent[0]
    assert "strokes--4" in sent[0]
    assert "strokes--9" not in sent[0]
    assert screen.has("strokes-35")
    assert screen.has("strokes--16")


async def test_a_screen_whose_turn_was_lost_comes_with_the_next_drawing(
    open_app: Open,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As when a phone falls asleep between the two."""
    screen = await open_app(PHONE, route="/play", language="en")
    with monkeypatch.context() as asleep:
        asleep.setattr(screen.driver.session, "schedule_effect", lambda hook, is_cleanup: None)
        await screen.tap("nav-card")
    assert screen.has("begin-deal")
    screen.app.changed()
    await screen.driver.settle()
    assert screen.has("new-round")
    assert not screen.has("begin-deal")


async def test_closing_the_keys_draws_no_other_hole_again(open_app: Open) -> None:
    """They were hidden, not gone: what comes back is told in a few bytes."""
    screen = await open_app(
        PHONE, lambda app: app.card.begin(["Anna", "Bo"], Rules(), form="stroke"), route="/card"
    )
    await screen.tap("cell-0-7")
    seen = [
        line.key
        for line in screen.driver.all(ft.Container)
        if str(line.key).startswith("line-") and line.visible
    ]
    assert seen == ["line-6", "line-7", "line-8"]
    sent = screen.listen()
    await screen.tap("pad-close")
    assert "cell-0-1" not in "".join(sent)
    assert sum(map(len, sent)) < 2000
    assert screen.has("cell-0-1")


def test_the_first_page_waits_for_no_import(tmp_path: Path) -> None:
    """Flet imports a control when it is first named: the server does that before anybody comes."""
    program = f"""
import asyncio, sys
from pathlib import Path
from companion.app.app import screens
from tests.app.fakes import open_store
from companion.app.state.memory import NoMemory
from tests.app.screen import PHONE, open_screen

async def main():
    screens()
    with open_store(Path({str(tmp_path)!r})) as store:
        known = set(sys.modules)
        screen = await open_screen(store, NoMemory(), PHONE, route="/play", language="en")
        await screen.tap("open-settings")
        print(*sorted(name for name in set(sys.modules) - known if name.startswith(("flet", "companion"))))
        await screen.driver.close()

asyncio.run(main())
"""
    root = Path(__file__).parents[2]
    found = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True
    )
    assert found.stdout.split() == []
