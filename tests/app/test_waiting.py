"""What is shown while one waits, and lists that show more when asked."""

from __future__ import annotations

from companion.app.components.waiting import share
from companion.app.state.app import AppState
from companion.app.state.history import STEP


def test_the_bar_only_grows_and_never_ends() -> None:
    shares = [share(tenths / 10, 1.5) for tenths in range(100)]
    assert shares[0] == 0
    assert shares == sorted(shares)
    assert max(shares) < 1
    assert 0.6 < share(1.5, 1.5) < 0.7
    assert share(-1, 1.5) == 0


def test_older_rounds_are_shown_when_asked_for(app: AppState) -> None:
    assert app.history.shown == STEP
    app.history.show_older()
    assert app.history.shown == 2 * STEP
