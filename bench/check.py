"""How long the audit of a step takes, and the worst case: `python -m bench.check --deals 20 --seed 1`.

Each step goes from a fresh deal to a table of which only the columns and the top of the discard are seen.
Steps are of four kinds: `played`, a game played out; `cleared`, a claim that every card went, which is
often a lie and then has to be refuted; `skewed`, the same with a stock of few ranks, where the supply of
each rank decides; `counted`, the same where the cards left in the stock are seen too, so that an exact
number of draws has to be explained.  Times are CPU seconds, with the slowest seed of each kind.
"""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import replace

from companion.engine.audit import Table, audit_tables
from companion.game import Card, Play, Position, Rules, apply, full_deck, legal_moves

KINDS = ("played", "cleared", "skewed", "counted")


def deal(rules: Rules, pick: random.Random, skew: float) -> Position:
    """A fresh deal; skew: how much the stock prefers some ranks."""
    deck = list(full_deck(rules))
    ranks = list(range(14))
    pick.shuffle(ranks)
    weight = {card: ranks.index(card.rank or 0) * skew + pick.random() * 13 for card in deck}
    deck.sort(key=lambda card: -weight[card])
    cut = len(deck) - rules.stock_size - 1
    tableau, rest = deck[:cut], deck[cut:]
    pick.shuffle(tableau)
    pick.shuffle(rest)
    return Position.deal(rules, tableau + rest)


def step(rules: Rules, kind: str, seed: int) -> tuple[Table, Table]:
    """A fresh deal and a later table."""
    pick = random.Random(seed)
    start = deal(rules, pick, pick.choice([0.5, 1, 2]) if kind in ("skewed", "counted") else 0).hidden()
    if kind == "played":
        end = played(start, pick)
    else:
        last: Card = pick.choice([column[0] for column in start.columns])
        end = replace(start, columns=((),) * rules.columns, discard=(last,))
    counted = kind == "counted"
    if counted:
        end = replace(end, stock_count=pick.randrange(max(1, start.stock_count - 7)))
    return Table.of(start), Table.of(replace(end, discard=end.discard[-1:]), count_known=counted)


def played(position: Position, pick: random.Random) -> Position:
    """The end of a game in which a card is drawn only when none can be played."""
    unseen = list(position.unseen)
    pick.shuffle(unseen)
    position = position.with_stock(unseen[: position.stock_count])
    while moves := legal_moves(position):
        plays = [move for move in moves if isinstance(move, Play)]
        position = apply(position, pick.choice(plays) if plays else moves[-1])
    return position.hidden()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", default="strict")
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    arguments = parser.parse_args()
    rules = Rules.parse(arguments.rules)
    print(f"{'kind':8} {'median':>8} {'worst':>8}  seed  verdicts")
    for kind in arguments.kinds:
        times: list[tuple[float, int]] = []
        verdicts: dict[str, int] = {}
        for seed in range(arguments.seed, arguments.seed + arguments.deals):
            before, after = step(rules, kind, seed)
            start = time.process_time()
            verdict = audit_tables([before, after]).verdict
            times.append((time.process_time() - start, seed))
            verdicts[verdict] = verdicts.get(verdict, 0) + 1
        times.sort()
        worst, seed = times[-1]
        print(f"{kind:8} {times[len(times) // 2][0]:8.3f} {worst:8.3f}  {seed:4d}  {verdicts}", flush=True)


if __name__ == "__main__":
    main()
