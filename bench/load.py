"""Load on `companion serve`: phones that score, and phones that scan, all at once. On this machine only.

    python -m bench.load PHOTO                     50 phones, 10 of them scanning, two minutes
    python -m bench.load PHOTO --seconds 10 --phones 8 --scanning 2

It starts a server of its own in a folder that is removed again, and never talks to any other. Prints one
JSON document: the p95 of strokes (tap until the screen changed) and of scans (photo chosen until the table is
shown), and whether every acknowledged stroke is in the stores. Exits 1 when something was lost or too slow.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.phone import Phone
from companion.store import Store

MOST_SECONDS, MOST_PHONES, MOST_SCANNING = 300, 100, 20
"""Bounds: this is for one's own machine, and ends."""


@dataclass
class Tally:
    strokes: list[float] = field(default_factory=list)
    scans: list[float] = field(default_factory=list)
    written: int = 0
    again: int = 0
    failed: Counter[str] = field(default_factory=Counter)


async def score(phone: Phone, until: float, tally: Tally, pause: float, number: int) -> None:
    """Begin rounds and enter strokes, one at least; every other phone's round is shared."""
    chance = random.Random(number)
    await asyncio.sleep(pause * chance.random())  # people don't all begin at the same moment
    while True:
        phone.forget("shared-private", "begin-round")
        await phone.go("/card/new")
        if number % 2 == 0:
            await phone.tap("shared-private")
        await phone.tap("begin-round", shows="cell-0-1")
        for hole in range(1, 10):
            strokes = chance.randint(1, 9)
            await phone.tap(f"cell-0-{hole}", shows=f"strokes-{strokes}")
            tally.strokes.append(await phone.tap(f"strokes-{strokes}", says=f"Hole {hole},"))
            tally.written += 1
            if time.monotonic() >= until:
                return
            await asyncio.sleep(pause * chance.uniform(0.5, 1.5))


async def scan(phone: Phone, until: float, tally: Tally, photo: bytes) -> None:
    """Photograph one table after the other, one at least, without a pause."""
    while not tally.scans or time.monotonic() < until:
        await phone.go("/scan")
        tally.scans.append(await phone.scan(photo))
        if "scan-trouble" in phone.controls:
            tally.failed["a photo was refused"] += 1
        else:
            await phone.put_away()


async def play(
    link: str,
    photo: bytes,
    *,
    phones: int,
    scanning: int,
    seconds: float,
    pause: float,
    patience: float,
) -> Tally:
    tally = Tally()
    devices = []
    for number in range(phones):
        phone = await Phone(link, timeout=patience).join()
        await phone.open("/scan" if number < scanning else "/card")
        devices.append(phone)
    until = time.monotonic() + seconds

    async def one(number: int, phone: Phone) -> None:
        try:
            if number < scanning:
                await scan(phone, until, tally, photo)
            else:
                await score(phone, until, tally, pause, number)
        except (TimeoutError, ConnectionError, OSError) as error:
            what = "scan" if number < scanning else "score"
            tally.failed[f"{what}: {type(error).__name__} {error}"] += 1

    await asyncio.gather(*(one(number, phone) for number, phone in enumerate(devices)))
    for phone in devices:
        tally.failed["a page crashed"] += len(phone.crashes)
        tally.again += phone.again
        await phone.leave()
    return tally


def load(
    photo: Path,
    *,
    phones: int = 50,
    scanning: int = 10,
    seconds: float = 120,
    pause: float = 15.0,
    patience: float = 60.0,
    processes: int | None = None,
) -> dict[str, Any]:
    """Run the load and return its figures; a phone that waits longer than `patience` seconds has failed."""
    phones, scanning = min(phones, MOST_PHONES), min(scanning, MOST_SCANNING, phones)
    seconds = min(seconds, MOST_SECONDS)
    with tempfile.TemporaryDirectory(prefix="companion-load-") as place:
        folder = Path(place)
        command = [
            sys.executable,
            "-c",
            "from companion.cli import main; main()",
            "serve",
            "--json",
            "--port",
            "0",
        ]
        command += ["--store", str(folder / "rounds.db"), "--folder", str(folder / "serve")]
        command += ["--processes", str(processes)] if processes else []
        log = folder / "log"
        with log.open("wb") as file:
            server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=file, text=True)
        try:
            assert server.stdout is not None
            link = json.loads(server.stdout.readline())["links"][0]
            if not link.startswith("http://127.0.0.1:"):
                raise SystemExit("only a server of this machine is loaded")
            run = play(
                link,
                photo.read_bytes(),
                phones=phones,
                scanning=scanning,
                seconds=seconds,
                pause=pause,
                patience=patience,
            )
            tally = asyncio.run(run)
        finally:
            _end(server)
        errors = sum(" error " in line for line in log.read_text().splitlines())
        kept = _entries(folder / "rounds.db")
        kept += sum(map(_entries, (folder / "serve" / "devices").glob("*/rounds.db")))
    return {
        "phones": phones,
        "scanning": scanning,
        "seconds": seconds,
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        "strokes": _figures(tally.strokes),
        "scans": _figures(tally.scans),
        "written": tally.written,
        "kept": kept,
        "tapped_again": tally.again,
        "failed": {name: count for name, count in tally.failed.items() if count},
        "errors": errors,
    }


def _end(server: subprocess.Popen[str]) -> None:
    server.terminate()
    try:
        server.wait(30)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def _figures(found: list[float]) -> dict[str, float]:
    ordered = sorted(found)
    if not ordered:
        return {"count": 0}
    return {
        "count": len(ordered),
        "median": round(ordered[len(ordered) // 2], 3),
        "p95": round(ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], 3),
        "longest": round(ordered[-1], 3),
    }


def _entries(path: Path) -> int:
    with Store.open(path, read_only=True) as store:
        return sum(len(round.entries) for round in store.rounds())


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("photo", type=Path)
    parser.add_argument("--phones", type=int, default=50)
    parser.add_argument("--scanning", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--pause", type=float, default=15.0, help="seconds between two strokes of a phone")
    parser.add_argument("--processes", type=int)
    parser.add_argument("--limit", type=float, default=5.0, help="of p95, seconds")
    wanted = parser.parse_args()
    found = load(
        wanted.photo,
        phones=wanted.phones,
        scanning=wanted.scanning,
        seconds=wanted.seconds,
        pause=wanted.pause,
        processes=wanted.processes,
    )
    print(json.dumps(found, indent=2))
    slow = max(found["strokes"].get("p95", 0), found["scans"].get("p95", 0)) > wanted.limit
    # A stroke may be on disk without having been acknowledged when the time was up; never the other way.
    sys.exit(int(slow or bool(found["failed"]) or found["kept"] < found["written"]))


if __name__ == "__main__":
    main()
