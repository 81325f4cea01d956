"""What the player has chosen; one frozen value, kept by the device."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from companion.game import Rules, RulesError

LANGUAGES = ("en", "de", "sv")
LETTERS = ("en", "de", "sv", "fr")
THEMES = ("system", "light", "dark")
HANDS = ("right", "left")
TEXT_SIZES = (0.9, 1.0, 1.15, 1.3)


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of one device. `language` and `letters` are empty for "as the device has it"."""

    language: str = ""
    letters: str = ""
    theme: str = "system"
    text_size: float = 1.0
    hand: str = "right"
    four_colours: bool = False
    rules: str = "strict"
    aim: str = "strokes"
    target: int = 5
    """N of the aim "at most N strokes"."""
    player: str = ""

    @property
    def rule_set(self) -> Rules:
        try:
            return Rules.parse(self.rules)
        except RulesError:
            return Rules()

    def with_rules(self, rules: Rules) -> Settings:
        return replace(self, rules=str(rules))


_CHOICES: Mapping[str, tuple[object, ...]] = {
    "language": ("", *LANGUAGES),
    "letters": ("", *LETTERS),
    "theme": THEMES,
    "hand": HANDS,
    "text_size": TEXT_SIZES,
    "aim": ("strokes", "clear", "most", "round"),
}


def to_document(settings: Settings) -> dict[str, Any]:
    return asdict(settings)


def from_document(document: Mapping[str, Any] | None) -> Settings:
    """The settings of a document; what is missing, or no longer possible, has its default."""
    plain = Settings()
    found: dict[str, Any] = {}
    for field in fields(Settings):
        value = (document or {}).get(field.name)
        if type(value) is not type(getattr(plain, field.name)):
            continue
        if field.name in _CHOICES and value not in _CHOICES[field.name]:
            continue
        found[field.name] = value
    return Settings(**found)


def device_language(locales: list[str]) -> str:
    """The first of a device's languages that the app speaks, English if none: `["sv-SE", "en"]` is `sv`."""
    for locale in locales:
        if (language := locale.replace("_", "-").split("-")[0].lower()) in LANGUAGES:
            return language
    return "en"
