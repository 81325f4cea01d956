"""Chromium on the app: starts the server, opens pages, taps by identifier."""

from __future__ import annotations

import base64
import io
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image, ImageColor
from playwright.sync_api import Browser, Locator, Page, Route, sync_playwright

from companion.app.main import local_memory
from companion.app.state.settings import Settings, to_document
from companion.app.theme import DARK, LIGHT

PATIENCE = int(os.environ.get("COMPANION_BROWSER_PATIENCE", "40"))
"""Seconds that anything may take on a busy machine."""
SEMANTICS = """() => {
  const e = document.querySelector('flt-semantics-placeholder'), r = e.getBoundingClientRect();
  e.dispatchEvent(new MouseEvent('click', {
    bubbles: true, clientX: r.x + r.width / 2, clientY: r.y + r.height / 2}));
}"""

CONTROLS = """() => {
  const kinds = ['button', 'tab', 'switch', 'checkbox'].map(role => `flt-semantics[role=${role}]`);
  const typed = ['input', 'textarea'].map(tag => `flt-semantics-host ${tag}`);
  const all = [...kinds, 'flt-semantics[flt-tappable]', ...typed];
  return [...document.querySelectorAll(all.join())].map(e => {
    const r = e.getBoundingClientRect(), own = e.closest('[flt-semantics-identifier]');
    return {id: own ? own.getAttribute('flt-semantics-identifier') : '',
      role: e.getAttribute('role') || e.tagName.toLowerCase(),
      name: (e.getAttribute('aria-label') || e.textContent || '').trim(),
      width: r.width, height: r.height}; });
}"""


@contextmanager
def served(folder: Path, *options: str) -> Iterator[str]:
    """The demo at an address of this machine."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        port = door.getsockname()[1]
    root = Path(__file__).parents[2]
    environment = os.environ | {"PYTHONPATH": str(root)}
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.browser.demo", str(folder), str(port), *options],
        cwd=root,
        env=environment,
    )
    address = f"http://127.0.0.1:{port}/"
    try:
        for _ in range(PATIENCE * 10):
            try:
                urllib.request.urlopen(address, timeout=2).read()
                break
            except OSError:
                time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait(10)


def choose(folder: Path, **chosen: Any) -> None:
    """Settings that the demo in a folder will find; to be called before its first page is opened."""
    local_memory(folder)(None).save("settings", to_document(Settings(**chosen)))  # type: ignore[arg-type]


@contextmanager
def chromium(film: Path | None = None) -> Iterator[Browser]:
    """Debian's Chromium, or Playwright's own; `film` (MJPEG) is what its camera sees."""
    arguments = ["--no-sandbox", "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    if film:
        arguments.append(f"--use-file-for-fake-video-capture={film}")
    with sync_playwright() as playwright:
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        yield browser
        browser.close()


class Phone:
    """A page with the app on it. `asked` are the addresses it asked for outside this machine."""

    def __init__(
        self,
        browser: Browser,
        address: str,
        *,
        width: int = 360,
        height: int = 740,
        locale: str = "en-US",
        dark: bool = False,
        scale: float = 1,
    ) -> None:
        self.address, self.dark = address, dark
        self.context = browser.new_context(
            viewport={"width": width, "height": height},
            locale=locale,
            permissions=["camera"],
            device_scale_factor=scale,
            color_scheme="dark" if dark else "light",
        )
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE * 1000)
        self.asked: list[str] = []
        self.errors: list[str] = []
        self.page.route(lambda url: not url.startswith((address, "blob:", "data:")), self._outside)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def _outside(self, route: Route) -> None:
        self.asked.append(route.request.url)
        route.abort()

    def open(self, path: str = "") -> Phone:
        self.page.goto(self.address + path)
        self.page.wait_for_selector("flt-semantics-placeholder", state="attached")
        self.page.evaluate(SEMANTICS)
        self.page.wait_for_selector('[flt-semantics-identifier="title"]', state="attached")
        return self

    def part(self, id: str) -> Locator:
        return self.page.locator(f'[flt-semantics-identifier="{id}"]').first

    def tap(self, id: str) -> Phone:
        self.part(id).click()
        return self

    def sees(self, id: str) -> Phone:
        self.part(id).wait_for(state="attached")
        return self

    def reach(self, id: str) -> Phone:
        """Scroll down until a part is in the window: what is far below is not in the page yet."""
        size = self.page.viewport_size or {"width": 360, "height": 740}
        self.page.mouse.move(size["width"] / 2, size["height"] / 2)
        for _ in range(PATIENCE):
            part = self.part(id)
            box = part.bounding_box() if part.count() else None
            if box and box["y"] + box["height"] < size["height"] - 80:
                break
            self.page.mouse.wheel(0, 240)
            self.page.wait_for_timeout(250)
        return self.sees(id)

    def box(self, id: str) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of a part, pixels."""
        found = self.part(id).bounding_box()
        assert found is not None, id
        return found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"]

    def controls(self) -> list[dict[str, Any]]:
        """All that can be tapped or typed in: `id`, `role`, `name`, `width` and `height` in pixels."""
        return self.page.evaluate(CONTROLS)

    def text(self) -> str:
        """All that is shown or read out, a line a part; headings and labels too."""
        return self.page.evaluate(
            "() => [...document.querySelectorAll('flt-semantics-host *')].map(e => "
            "[e.getAttribute('aria-label'), ...[...e.childNodes].filter(n => n.nodeType === 3)"
            ".map(n => n.data)].filter(Boolean).join(' ')).filter(Boolean).join('\\n')"
        )

    def says(self, words: str) -> Phone:
        """Wait until some words are shown or read out."""
        self.page.wait_for_function(
            "words => [...document.querySelectorAll('flt-semantics-host *')].some(e => "
            "(e.getAttribute('aria-label') || '').includes(words) || "
            "[...e.childNodes].some(n => n.nodeType === 3 && n.data.includes(words)))",
            arg=words,
        )
        return self

    def gone(self, id: str) -> Phone:
        """Wait until a part has gone."""
        self.part(id).wait_for(state="detached")
        return self

    def settle_unsure(self) -> Phone:
        """Take the right one of the options for each card that wants a look."""
        options = self.page.locator('[flt-semantics-identifier^="option-"]')
        ids = "els => els.map(e => e.getAttribute('flt-semantics-identifier')).join()"
        while before := options.evaluate_all(ids):
            # What was read comes first, a wrong guess last.
            options.nth(-2).click()
            self.page.wait_for_function(
                "before => [...document.querySelectorAll('[flt-semantics-identifier^=\"option-\"]')]"
                ".map(e => e.getAttribute('flt-semantics-identifier')).join() !== before",
                arg=before,
            )
        return self

    def choose(self, id: str, file: Path) -> Phone:
        with self.page.expect_file_chooser() as chooser:
            self.tap(id)
        chooser.value.set_files(file)
        return self

    def shoot(self) -> Phone:
        """Take a photo, as soon as the camera is ready for it."""
        return self.says("Fill the frame").tap("shutter").gone("shutter")

    def copy(self, file: Path) -> Phone:
        """Put a picture on the clipboard, as another program would; the page needs the permission."""
        with Image.open(file) as picture, io.BytesIO() as png:
            picture.save(png, "PNG")
            data = base64.b64encode(png.getvalue()).decode()
        self.page.evaluate(
            "async data => { const bytes = Uint8Array.from(atob(data), c => c.charCodeAt(0));"
            "await navigator.clipboard.write("
            "[new ClipboardItem({'image/png': new Blob([bytes], {type: 'image/png'})})]); }",
            data,
        )
        return self

    def drop(self, file: Path, kind: str = "image/jpeg") -> Phone:
        """Drag a file into the middle of the window and let go."""
        self.page.evaluate(
            "([data, name, type]) => {"
            "const bytes = Uint8Array.from(atob(data), c => c.charCodeAt(0)), held = new DataTransfer();"
            "held.items.add(new File([bytes], name, {type}));"
            "const [x, y] = [innerWidth / 2, innerHeight / 2], at = document.elementFromPoint(x, y);"
            "for (const kind of ['dragenter', 'dragover', 'drop']) at.dispatchEvent(new DragEvent(kind,"
            "{bubbles: true, cancelable: true, dataTransfer: held, clientX: x, clientY: y})); }",
            [base64.b64encode(file.read_bytes()).decode(), file.name, kind],
        )
        return self

    def is_painted(self, picture: bytes) -> bool:
        """Whether a picture of the window, or of its upper right corner, has the app's colours."""
        palette = DARK if self.dark else LIGHT
        # For the left hand the navigation is on the right.
        grounds = {ImageColor.getrgb(palette.surface), ImageColor.getrgb(palette.raised)}
        with Image.open(io.BytesIO(picture)) as opened:
            return opened.convert("RGB").getpixel((opened.width - 3, 1)) in grounds

    def painted(self) -> Phone:
        """Wait until the window has the app's colours: what is read out is there before what is painted."""
        width = (self.page.viewport_size or {"width": 360})["width"]
        for _ in range(PATIENCE * 50):
            if self.is_painted(self.page.screenshot(clip={"x": width - 6, "y": 2, "width": 4, "height": 4})):
                return self
            self.page.wait_for_timeout(20)
        raise TimeoutError("the app was not painted")

    def picture(self, path: Path, wait: float = 0.8) -> None:
        """Make a picture once the window has come to rest; a camera never does, and has a few seconds."""
        self.painted().page.wait_for_timeout(wait * 1000)
        before, now = b"", self.page.screenshot(path=path)
        for _ in range(6):
            if before == now:
                break
            self.page.wait_for_timeout(wait * 500)
            before, now = now, self.page.screenshot(path=path)

    def close(self) -> None:
        self.context.close()


def film(folder: Path) -> Path:
    """A film of the sample photo for the fake camera."""
    path = folder / "table.mjpeg"
    with Image.open(Path(__file__).with_name("table.jpg")) as photo:
        frame = Image.new("RGB", (1280, 720), (120, 100, 80))
        photo.thumbnail((1280, 720))
        frame.paste(photo, ((1280 - photo.width) // 2, (720 - photo.height) // 2))
    with path.open("wb") as file:
        for _ in range(3):
            frame.save(file, "JPEG", quality=90)
    return path
