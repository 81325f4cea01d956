"""Rules by the name that people know them by."""

from __future__ import annotations

from dataclasses import replace

from companion.app.components.look import Look
from companion.app.languages import Language
from companion.formats import card_words
from companion.game import PRESETS, Rules


def preset_names(t: Language) -> dict[str, str]:
    """The ready-made rules, in the order they are offered in, named as on a card."""
    return {name: card_words.word(name, t.code) for name in card_words.RULES}


def preset_of(rules: Rules) -> str:
    """The ready-made rules that these are but for holes and par; empty for rules of one's own."""
    same = (
        name for name, known in PRESETS.items() if replace(known, holes=rules.holes, par=rules.par) == rules
    )
    return next(same, "")


def rules_name(look: Look, rules: Rules) -> str:
    """Their name, or that of the nearest ready-made ones and that something in them is changed."""
    names = preset_names(look.t)
    if name := preset_of(rules):
        return names[name]
    nearest = names.get(str(rules).split(",", 1)[0], "")
    return look.t("{rules}, with changes", rules=nearest) if nearest else look.t("Rules of your own.")
