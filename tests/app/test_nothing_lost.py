"""Games that were left are taken up again; a check goes by the rules that were played by."""

from __future__ import annotations

import asyncio
import inspect
from dataclasses import replace
from typing import Any

import pytest

pytest.importorskip("flet")
import flet as ft

from companion.app.app import look_of
from companion.app.state.app import AppState
from companion.app.state.memory import NoMemory
from companion.app.state.table import from_position
from companion.app.views import rules
from companion.app.views.rules import rules_page
from companion.game import PRESETS, Rules
from companion.store import Store
from tests.app.fakes import FakeAuditor, deal, make_app


def test_a_practice_game_is_in_the_list_when_the_next_hole_takes_the_table(
    app: AppState, store: Store
) -> None:
    app.deal_table()
    app.play.tap_stock()
    practice = app.play.tracked
    assert practice is not None
    round = store.new_round(["Anna"], Rules())
    app.card.choose(round.id)
    app.play_hole()  # the next hole: its table comes from a photo or a deal
    app.deal_table()
    hole = app.play.tracked
    assert hole is not None
    assert [game.id for game in app.games.newest] == [hole.id, practice.id]
    app.take_up(practice.id)
    assert app.navigation.path == "play"
    assert app.play.tracked == store.game(practice.id)
    assert app.play.belongs is None
    assert len(app.play.position.stock or ()) == 15
    app.play.undo()
    assert len(app.play.position.stock or ()) == 16
    app.take_up(hole.id)
    assert app.play.belongs is not None
    assert app.play.belongs.round == round.id


def test_a_game_put_away_and_one_that_is_gone(app: AppState) -> None:
    assert not app.games.any
    app.deal_table()
    app.play.close()
    assert app.games.any
    app.take_up("nowhere")
    assert app.play.tracked is None
    app.take_up(app.games.newest[0].id)
    assert app.play.tracked is not None


class Remembers(FakeAuditor):
    def check(self, tables: Any, rules: Rules) -> Any:
        self.rules = rules
        return super().check(tables, rules)


def test_a_check_goes_by_the_rounds_rules_unless_others_are_chosen(
    store: Store, memory: NoMemory, app: AppState
) -> None:
    kings = PRESETS["queen-on-king"]
    app.choose(rules=str(PRESETS["strict"]))
    assert list(app.check_rules) == ["settings"]
    round = store.new_round(["Anna"], kings)
    app.card.choose(round.id)
    assert list(app.check_rules) == ["round", "settings"]
    assert app.check_rules[app.checked_by] == kings
    app.check.add(from_position(deal()), "photo")
    app.check.go_by("settings")
    again = make_app(store, memory)
    again.card.choose(round.id)
    assert again.checked_by == "settings"
    assert app.check_rules[app.checked_by].on_king == "nothing"
    store.finish(round.id) if round.can_finish else store.abandon(round.id)
    assert list(app.check_rules) == ["settings"]


async def test_the_game_in_play_comes_first_and_is_what_the_auditor_hears(app: AppState) -> None:
    auditor = Remembers()
    app.check._auditor = auditor
    kings = PRESETS["queen-only"]
    app.play.start(replace(deal().hidden(), rules=kings))
    app.check_game()
    app.check_game()
    assert list(app.check_rules) == ["game", "settings"]
    await app.check.check(app.check_rules[app.checked_by])
    await asyncio.sleep(0)
    assert auditor.rules == kings
    app.check.go_by("settings")
    assert app.check.findings is None  # what was found by other rules


def words(control: Any) -> str:
    """All texts in a control, a line each."""
    if isinstance(control, ft.Text):
        return str(control.value)
    inside = getattr(control, "controls", None) or [getattr(control, "content", None)]
    return "\n".join(words(one) for one in inside if isinstance(one, ft.Control))


@pytest.mark.parametrize("preset", PRESETS)
def test_each_field_of_the_rules_can_be_chosen_and_has_an_example(app: AppState, preset: str) -> None:
    app.choose(rules=str(replace(PRESETS[preset], jokers=1)))
    page: Any = rules_page(look_of(app, dark=False))
    panels = page.controls[0].controls[0].content.controls
    assert len(panels) == 11  # the ready-made ones, then on_king ... the round
    for panel in panels[1:]:
        assert "for example" in words(panel), words(panel)
    source = inspect.getsource(rules)
    for field in Rules.__dataclass_fields__:
        assert f"{field}=" in source, field
