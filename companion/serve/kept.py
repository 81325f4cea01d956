"""What a server's folder holds of each device."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from companion.game import CompanionError
from companion.store import Store

_NAMES = 4
"""Players who are named of a device."""


@dataclass(frozen=True, slots=True)
class OwnRounds:
    """The rounds of a device alone, as far as a person needs them to know it again."""

    count: int
    players: tuple[str, ...] = ()
    last: str | None = None
    """The day the newest one was begun, YYYY-MM-DD."""
    readable: bool = True

    def __str__(self) -> str:
        if not self.readable:
            return "not readable now"
        if not self.count:
            return "none"
        names = ", ".join(self.players) + (", ..." if len(self.players) == _NAMES else "")
        return f"{self.count} of {names}; last {self.last}"


def kept_devices(place: Path) -> set[str]:
    """The devices that have files here."""
    return {path.name for path in (place / "devices").glob("*") if path.is_dir()}


def own_rounds(place: Path, device: str) -> OwnRounds:
    """What one device keeps for itself; changes nothing, also while a server has it open."""
    path = place / "devices" / device / "rounds.db"
    if not path.exists():
        return OwnRounds(0)
    try:
        with Store.open(path, read_only=True) as store:
            rounds = store.rounds()
    except CompanionError:
        return OwnRounds(0, readable=False)
    names = dict.fromkeys(player.name for round in reversed(rounds) for player in round.players)
    last = rounds[-1].begun[:10] if rounds else None
    return OwnRounds(len(rounds), tuple(names)[:_NAMES], last)
