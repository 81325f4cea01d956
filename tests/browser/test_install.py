"""`companion serve` as a web app on the home screen: what Chromium needs for that, and whom it asks."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

pytest.importorskip("playwright")
from playwright.sync_api import Browser

from tests.browser.driver import PATIENCE, SEMANTICS
from tests.serve.conftest import Inside

pytestmark = pytest.mark.browser


def test_it_can_be_installed_and_asks_nobody_else(browser: Browser, tmp_path: Path) -> None:
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    with Inside(tmp_path / "server") as inside:
        # A profile of its own: a private window is never offered to be installed.
        context = browser.browser_type.launch_persistent_context(
            str(tmp_path / "profile"),
            executable_path=program,
            args=["--no-sandbox"],
            viewport={"width": 360, "height": 740},
            is_mobile=True,
            has_touch=True,
        )
        page = context.pages[0]
        answered: list[str] = []
        page.on("response", lambda answer: answered.append(answer.url))
        page.goto(inside.link)
        page.wait_for_selector("flt-semantics-placeholder", state="attached", timeout=PATIENCE * 1000)
        page.evaluate(SEMANTICS)
        page.get_by_text("Scorecard").first.wait_for(state="attached", timeout=PATIENCE * 1000)
        page.wait_for_timeout(1000)
        page.screenshot(path=str(tmp_path / "installed.png"))

        session = context.new_cdp_session(page)
        manifest = session.send("Page.getAppManifest")
        assert manifest["errors"] == []
        assert manifest["url"] == f"{inside.root}/manifest.json"
        assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
        # No service worker: nothing of the app stays behind to go on without the server it belongs to.
        assert page.evaluate("navigator.serviceWorker.getRegistrations().then(found => found.length)") == 0
        hosts = {url.split("/")[2] for url in answered if url.startswith("http")}
        assert hosts == {f"127.0.0.1:{inside.port}"}

        assert page.url.rstrip("/").startswith(inside.root)
        assert "token" not in page.url
        assert page.evaluate("document.cookie") == ""
        (cookie,) = context.cookies()
        assert cookie["httpOnly"]
        assert cookie["sameSite"] == "Lax"
        context.close()
