"""Measures whole scans against known tables: ``python -m models.evaluate TRUTH_DIR... [--failures OUT]``.

The figures are those of ``shared/tools/score_scan.py``, and how often a card called sure is right.
``--failures`` writes an overlay of every photo that was not read right, to be looked at.
"""

from __future__ import annotations

import argparse
import difflib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.vision.overlay import draw_overlay
from companion.vision.photo import open_photo
from companion.vision.scan import Scan, scan_pixels
from companion.vision.types import JOKERS

Pair = tuple[str | None, str | None]


@dataclass
class Tally:
    """Counts over one folder."""

    tables: int = 0
    perfect: int = 0
    playable: int = 0
    one_wrong: int = 0
    cards: int = 0
    rank: int = 0
    same: int = 0
    false: int = 0
    named: int = 0
    shown: int = 0
    shown_same: int = 0
    jokers: int = 0
    jokers_found: int = 0
    jokers_false: int = 0
    sure: int = 0
    sure_wrong: int = 0
    seconds: list[float] = field(default_factory=list)
    deck: dict[str, list[int]] = field(default_factory=dict)

    def line(self) -> str:
        cards = max(1, self.cards)
        text = f"cards {self.cards}  rank {self.rank / cards:.4f}  identity {self.same / cards:.4f}"
        text += f"  false {self.false} of {self.named}  sure {self.sure} of them wrong {self.sure_wrong}"
        if self.tables:
            n = self.tables
            text = (
                f"tables {n}  perfect {self.perfect / n:.3f}  playable {self.playable / n:.3f}"
                f"  at most one wrong {self.one_wrong / n:.3f}  {text}"
            )
        if self.shown < self.cards and self.shown:
            text += f"  of the {self.shown} whose rank shows wholly {self.shown_same / self.shown:.4f}"
        if self.jokers or self.jokers_false:
            text += f"  jokers {self.jokers_found} of {self.jokers}, false {self.jokers_false}"
        return text + f"  median s {sorted(self.seconds)[len(self.seconds) // 2]:.2f}"


def aligned(truth: list[str], seen: list[str]) -> list[Pair]:
    """A column's cards beside those seen, missing and added ones beside None."""
    pairs: list[Pair] = []
    for _, a, b, c, d in difflib.SequenceMatcher(None, truth, seen, autojunk=False).get_opcodes():
        left: list[str | None] = [*truth[a:b]]
        right: list[str | None] = [*seen[c:d]]
        size = max(len(left), len(right))
        pairs += zip(left + [None] * (size - len(left)), right + [None] * (size - len(right)), strict=True)
    return pairs


def score(truth: dict[str, Any], scan: Scan, tally: Tally) -> bool:
    """Adds one photo; True when nothing in it is wrong."""
    everything = [c for column in truth.get("columns") or [] for c in column] + list(
        truth.get("others") or []
    )
    if truth.get("discard_top"):
        everything.append(truth["discard_top"])
    ranks_only = list(truth.get("ranks_only") or [])
    named = [c for c in scan.cards if "?" not in c.card and c.card not in JOKERS]
    for card in named:
        if card.sure and card.where != "hidden":
            wrong = (card.card[0] not in ranks_only) if ranks_only else card.card not in everything
            if not (ranks_only and card.card[0] not in "9TJQKA") and not _may_be_more(truth):
                tally.sure += 1
                tally.sure_wrong += wrong
    if truth.get("layout", "golf") != "golf":
        got = [c.card for c in named]
        if ranks_only:
            seen = [c[0] for c in got if c[0] in "9TJQKA"]
            hit = sum(min(ranks_only.count(r), seen.count(r)) for r in set(ranks_only))
            tally.cards, tally.rank, tally.same = (
                tally.cards + len(ranks_only), tally.rank + hit, tally.same + hit
            )  # fmt: skip
            tally.false, tally.named = tally.false + len(seen) - hit, tally.named + len(seen)
            return hit == len(ranks_only) == len(seen)
        hit = len(set(got) & set(everything))
        extra = sum(c not in everything for c in got)
        tally.cards, tally.same, tally.rank = (
            tally.cards + len(everything),
            tally.same + hit,
            tally.rank + hit,
        )
        tally.false, tally.named = tally.false + extra, tally.named + len(got)
        return hit == len(everything) and not extra
    columns = [[_kind(c) for c in column] for column in truth["columns"] if column]
    found = [[_kind(c) for c in column] for column in scan.columns]
    pairs: list[Pair] = []
    for k in range(max(len(columns), len(found))):
        pairs += aligned(columns[k] if k < len(columns) else [], found[k] if k < len(found) else [])
    if truth.get("discard_top"):
        pairs.append((_kind(truth["discard_top"]), scan.discard and _kind(scan.discard)))
    wrong = sum(t != s for t, s in pairs)
    wrong_rank = sum(not (t and s and t[0] == s[0]) for t, s in pairs)
    real = [(t, s) for t, s in pairs if t]
    tally.tables += 1
    tally.perfect += wrong == 0
    tally.playable += wrong_rank == 0
    tally.one_wrong += wrong <= 1
    tally.cards += len(real)
    tally.rank += sum(bool(s) and s[0] == t[0] for t, s in real if t and s)
    tally.same += sum(t == s for t, s in real)
    shown = [(t, s) for t, s in real if t not in truth.get("hidden", ())]
    tally.shown += len(shown)
    tally.shown_same += sum(t == s for t, s in shown)
    tally.named += len(named)
    tally.false += sum(c.card not in everything and c.where != "loose" for c in named)
    tally.jokers += sum(t == JOKERS[0] for t, _ in real)
    tally.jokers_found += sum(t == s == JOKERS[0] for t, s in real)
    tally.jokers_false += sum(s == JOKERS[0] != t for t, s in pairs)
    tally.deck.setdefault(truth.get("deck", ""), []).append(wrong)
    return wrong == 0


def _kind(card: str) -> str:
    """The two jokers are not told apart."""
    return JOKERS[0] if card in JOKERS else card


def _may_be_more(truth: dict[str, Any]) -> bool:
    """Whether face-up cards may show that the truth doesn't name (older discards under the top)."""
    golf = truth.get("layout", "golf") == "golf"
    return golf and "others" not in truth and truth.get("state") != "deal"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--failures", type=Path, help="folder for overlays of what was read wrong")
    parser.add_argument("--only", default="", help="part of a name")
    parser.add_argument("--limit", type=int, help="at most so many photos a folder, evenly spread")
    args = parser.parse_args()
    for folder in args.folders:
        tally = Tally()
        files = [f for f in sorted(folder.glob("*.json")) if args.only in f.name]
        step = max(1, len(files) // args.limit) if args.limit else 1
        for path in files[::step]:
            truth = json.loads(path.read_text())
            photo = open_photo(path.parent / truth.get("image", path.stem + ".jpg"))
            scan = scan_pixels(photo, decks=truth.get("packs", 1))
            tally.seconds.append(sum(scan.seconds.values()))
            if not score(truth, scan, tally) and args.failures:
                args.failures.mkdir(parents=True, exist_ok=True)
                draw_overlay(photo, scan).convert("RGB").save(
                    args.failures / f"{folder.name}-{path.stem}.jpg", quality=88
                )
        print(f"{folder.name}: {tally.line()}")
        for deck, wrong in sorted(tally.deck.items()):
            print(f"    {deck}: wrong cards a table {wrong}")


if __name__ == "__main__":
    main()
