"""How long the app lets one wait, in headless Chromium: to be up, to answer a tap, to show a scan.

python -m bench.app [--photo PHOTO] [--starts 5] [--scans 3] [--taps 20] [--json]

Up: from the first byte of the page's answer to the first screen in what a screen reader is told, nothing
cached; painted: in another page, which nothing is read out of, until the second frame of the browser after
Flutter gave it the first picture in the app's colours. A tap: from the finger's lifting to the change of what
is shown, on the screens where one taps most; of a new screen that is its title, and `whole` is when the
screen itself is there. A scan: from the end of the upload of a photo of 12 megapixels to the cards over it,
with the models that are committed. Needs Chromium, the extra `browser`.
Beside each figure stands its aim, and whether all of them met it, or most (the median).
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from collections.abc import Iterable
from pathlib import Path

from PIL import Image, ImageColor
from playwright.sync_api import Browser

from companion.app.theme import LIGHT
from tests.browser.demo import PHOTO
from tests.browser.driver import Phone, chromium, served

AIMS = {"up": 2.0, "painted": 2.0, "tap": 0.1, "whole": 0.1, "scan": 2.0}
"""Seconds that each may take, on two cores that do nothing else."""
WATCH = """(() => {
  const bench = window.bench = {seen: {}, from: null, before: null, id: null, answer: null, awake: false};
  const all = () => document.querySelectorAll('[flt-semantics-identifier]');
  const print = id => [...all()].filter(e => e.getAttribute('flt-semantics-identifier') === id)
    .map(e => [e, ...e.querySelectorAll('*')].map(p => ['aria-label', 'aria-current', 'aria-disabled']
    .map(name => p.getAttribute(name)).join() + p.textContent).join()).join();
  bench.arm = id => { bench.id = id; bench.before = print(id); bench.from = bench.answer = null; };
  bench.forget = () => { bench.seen = {}; };
  const look = () => {
    const now = performance.now();
    for (const e of all()) {
      const id = e.getAttribute('flt-semantics-identifier');
      if (!(id in bench.seen)) bench.seen[id] = now;
    }
    if (bench.from !== null && bench.answer === null && print(bench.id) !== bench.before)
      bench.answer = now - bench.from;
    const sleeping = !bench.awake && document.querySelector('flt-semantics-placeholder');
    if (sleeping) {
      bench.awake = true;
      const r = sleeping.getBoundingClientRect();
      sleeping.dispatchEvent(new MouseEvent('click', {
        bubbles: true, clientX: r.x + r.width / 2, clientY: r.y + r.height / 2}));
    }
  };
  new MutationObserver(look).observe(document, {
    subtree: true, childList: true, attributes: true, characterData: true});
  window.addEventListener('pointerup', () => { if (bench.id) bench.from = performance.now(); }, true);
})()"""
"""Notes when each part is first shown, and how long after the last tap a part has changed."""
PAINTED = """grounds => {
  const corner = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
  const proto = ImageBitmapRenderingContext.prototype, give = proto.transferFromImageBitmap;
  proto.transferFromImageBitmap = function(picture) {
    if (picture && window.painted === undefined) {
      corner.drawImage(picture, picture.width - 3, 1, 1, 1, 0, 0, 1, 1);
      const [r, g, b] = corner.getImageData(0, 0, 1, 1).data;
      if (grounds.some(one => one[0] === r && one[1] === g && one[2] === b)) {
        window.painted = null;
        requestAnimationFrame(() => requestAnimationFrame(() => { window.painted = performance.now(); }));
      }
    }
    return give.call(this, picture);
  };
}"""
"""Notes when a picture in the app's colours, told by its upper right corner, is on the screen. (A film of the
window, which this was told by before, costs the browser as much as the app does.)"""


def opened(browser: Browser, address: str, path: str) -> Phone:
    """A page that notes its own times."""
    phone = Phone(browser, address)
    phone.page.unroute_all()  # to watch each request takes 20 ms a file
    phone.page.add_init_script(WATCH)
    phone.page.goto(address + path)
    phone.page.wait_for_function("() => window.bench && window.bench.seen.title")
    return phone


def up(phone: Phone) -> float:
    """Seconds from the page's answer to its first screen."""
    return float(
        phone.page.evaluate(
            "() => (bench.seen.title - performance.getEntriesByType('navigation')[0].responseStart) / 1000"
        )
    )


def painted(browser: Browser, address: str) -> float:
    """Seconds from the page's answer to the first picture in the app's colours, with nothing read out."""
    phone = Phone(browser, address)
    phone.page.unroute_all()
    grounds = [list(ImageColor.getrgb(colour)) for colour in (LIGHT.surface, LIGHT.raised)]
    phone.page.add_init_script(f"({PAINTED})({grounds})")
    phone.page.goto(address + "play")
    phone.page.wait_for_function("() => window.painted", polling=100)
    took = phone.page.evaluate(
        "() => (painted - performance.getEntriesByType('navigation')[0].responseStart) / 1000"
    )
    phone.close()
    return float(took)


def tap(phone: Phone, id: str, changes: str) -> float:
    """Seconds from a tap to the change of another part, or of the same one."""
    phone.page.evaluate("id => bench.arm(id)", changes)
    phone.tap(id)
    phone.page.wait_for_function("() => bench.answer !== null")
    return float(phone.page.evaluate("() => bench.answer / 1000"))


def whole(phone: Phone, id: str) -> float:
    """Seconds from the last tap until a part of the new screen is there."""
    phone.page.wait_for_function("id => bench.seen[id]", arg=id)
    return float(phone.page.evaluate("id => (bench.seen[id] - bench.from) / 1000", id))


def taps(phone: Phone, times: int) -> dict[str, list[float]]:
    """What one taps most: the keypad, the stock, undo and redo, another screen, a hole of the card."""
    found: dict[str, list[float]] = {
        name: [] for name in ("rank", "suit", "draw", "undo", "screen", "whole", "hole")
    }
    phone.tap("begin-type").sees("rank-A")
    cards = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
    for at, card in enumerate(cards[: min(times, 34)]):
        rank, suit = card[0], card[1]
        found["rank"].append(tap(phone, f"rank-{rank}", f"rank-{rank}"))
        found["suit"].append(tap(phone, f"suit-{suit}", f"slot-{at // 5}-{at % 5}"))
    phone.tap("type-close").sees("begin-deal").tap("begin-deal").sees("column-6")
    for _ in range(min(times, 12)):
        found["draw"].append(tap(phone, "stock", "stock"))
    for _ in range(min(times, 12)):
        found["undo"].append(tap(phone, "undo", "stock"))
    parts = (("nav-card", "cell-0-1"), ("nav-rounds", "round-0"), ("nav-play", "column-6"))
    for key, part in (parts * times)[:times]:
        phone.page.evaluate("() => bench.forget()")
        found["screen"].append(tap(phone, key, "title"))
        found["whole"].append(whole(phone, part))
    phone.tap("nav-card").sees("cell-0-7")
    for _ in range(times):
        found["hole"].append(tap(phone, "cell-0-7", "strokes-4"))
        phone.tap("pad-close").gone("strokes-4")
    return {name: values for name, values in found.items() if values}


def scan(phone: Phone, photo: Path) -> float:
    """Seconds from the upload's end to the cards on the screen."""
    phone.page.evaluate("() => { performance.clearResourceTimings(); bench.forget(); }")
    phone.choose("scan-file", photo)
    phone.page.wait_for_function("() => bench.seen['rank-A'] || bench.seen['summary']")
    return float(
        phone.page.evaluate(
            "() => { const sent = performance.getEntriesByType('resource')"
            ".filter(e => e.name.includes('/upload')).at(-1).responseEnd;"
            "const shown = Math.min(bench.seen['rank-A'] || 1e9, bench.seen['summary'] || 1e9);"
            "return (shown - sent) / 1000; }"
        )
    )


def enlarged(photo: Path, folder: Path) -> Path:
    """A photo as large as a phone takes it."""
    path = folder / "photo.jpg"
    with Image.open(photo) as picture:
        width = round((12_000_000 * picture.width / picture.height) ** 0.5)
        height = round(12_000_000 / width)
        picture.convert("RGB").resize((width, height), Image.Resampling.LANCZOS).save(path, quality=90)
    return path


def measure(photo: Path, starts: int, scans: int, times: int) -> dict[str, list[float]]:
    """All seconds, by what was done: `up`, `tap rank`, ..., `scan`."""
    found: dict[str, list[float]] = {"up": [], "painted": []}
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        folder = Path(name)
        with served(folder / "app", "--read") as address:
            opened(browser, address, "play").close()  # the server's first page loads the screens
            for _ in range(starts):
                found["painted"].append(painted(browser, address))
                phone = opened(browser, address, "play")
                found["up"].append(up(phone))
                phone.close()
            phone = opened(browser, address, "play")
            for kind, values in taps(phone, times).items():
                found["whole screen" if kind == "whole" else f"tap {kind}"] = values
            phone.close()
            large = enlarged(photo, folder)
            found["scan"] = []
            for _ in range(scans):
                phone = opened(browser, address, "scan")
                found["scan"].append(scan(phone, large))
                phone.tap("nav-scan")
                while phone.part("done").count():
                    phone.tap("done").gone("done")
                phone.tap("scan-discard").sees("scan-file")
                phone.close()
    return found


def summary(found: dict[str, list[float]]) -> Iterable[dict[str, object]]:
    for name, values in found.items():
        ranked = sorted(values)
        yield {
            "what": name,
            "n": len(ranked),
            "median": round(statistics.median(ranked), 3),
            "p95": round(ranked[min(len(ranked) - 1, int(0.95 * len(ranked)))], 3),
            "worst": round(ranked[-1], 3),
            "aim": (aim := AIMS[name.split()[0]]),
            "met": "yes" if ranked[-1] <= aim else "mostly" if statistics.median(ranked) <= aim else "no",
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--photo", type=Path, default=PHOTO)
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--scans", type=int, default=3)
    parser.add_argument("--taps", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = list(summary(measure(options.photo, options.starts, options.scans, options.taps)))
    if options.json:
        print(json.dumps(rows))
        return
    print(f"{'seconds':12}{'n':>4}{'median':>9}{'p95':>9}{'worst':>9}{'aim':>7}{'met':>8}")
    for row in rows:
        print(
            f"{row['what']:12}{row['n']:>4}{row['median']:>9.3f}{row['p95']:>9.3f}{row['worst']:>9.3f}"
            f"{row['aim']:>7}{row['met']:>8}"
        )


if __name__ == "__main__":
    main()
