"""Opening the app: from the command line, in a window or a browser, and what the server answers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("flet_web")
from starlette.testclient import TestClient

from companion.app import opening
from companion.app.dress import FONTS
from companion.app.hosting import asgi_app
from companion.app.main import create_app, local_memory
from companion.app.state.app import Services
from companion.cli import run
from companion.store import Store
from tests.app.fakes import FakeAdviser, FakeAuditor, FakeReader, deal, document


@pytest.fixture
def client(store: Store, tmp_path: Path) -> TestClient:
    services = Services(FakeAdviser(), FakeReader(document(deal())), FakeAuditor())
    app = create_app(store, local_memory(tmp_path), services, tmp_path)
    return TestClient(asgi_app(app, tmp_path, secret="test"))


def test_the_page_may_ask_nobody_else(client: TestClient) -> None:
    answer = client.get("/")
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert "http:" not in policy
    assert "https:" not in policy
    assert "*" not in policy
    assert re.search(r"noCdn\W+true", answer.text)


def test_the_client_draws_in_a_thread_of_its_own(client: TestClient) -> None:
    headers = client.get("/").headers
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-embedder-policy"] == "require-corp"
    assert "access-control-allow-origin" not in headers


def test_fonts_come_from_here(client: TestClient) -> None:
    for path in FONTS.values():
        answer = client.get(f"/{path}")
        assert answer.status_code == 200
        assert answer.content[:4] == b"\x00\x01\x00\x00"


def test_a_browser_loads_these_fonts_before_it_draws_and_no_formula_fonts(client: TestClient) -> None:
    manifest = client.get("/assets/FontManifest.json").json()
    families = {entry["family"]: [font["asset"] for font in entry["fonts"]] for entry in manifest}
    assert set(families) == {"MaterialIcons", "Roboto", *FONTS}
    for assets in families.values():
        for asset in assets:
            path = f"/assets/{asset}".replace("/assets/../", "/")
            assert client.get(path).status_code == 200, asset


def test_the_font_has_every_sign_of_the_texts() -> None:
    from PIL import ImageFont

    from companion.app.dress import ASSETS
    from companion.app.languages import FOLDER

    texts = "".join((FOLDER / code / "LC_MESSAGES" / "app.po").read_text() for code in ("en", "de", "sv"))
    signs = sorted(set(texts + "♠♥♦♣★●■±−×→↓✗·–…≈") - set("\n\t "))
    for path in FONTS.values():
        font = ImageFont.truetype(str(ASSETS / path), 20)
        unknown = font.getmask("\ue000").getbbox(), bytes(font.getmask("\ue000"))
        for sign in signs:
            mask = font.getmask(sign)
            assert (mask.getbbox(), bytes(mask)) != unknown, sign


def test_an_upload_without_its_signature_is_refused(client: TestClient, tmp_path: Path) -> None:
    answer = client.put("/upload?f=x.jpg&e=2030-01-01T00:00:00&s=wrong", content=b"x")
    assert answer.status_code >= 400 or not (tmp_path / "x.jpg").exists()
    assert not (tmp_path / "x.jpg").exists()


def test_the_command_opens_the_browser_with_ones_own_store(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    called: dict[str, Any] = {}

    def remember(store: Store, folder: Path, **options: Any) -> None:
        called.update(options, folder=folder, path=store.location.path)

    monkeypatch.setattr(opening, "run_app", remember)
    place = tmp_path / "mine.db"
    assert run(["app", "--store", str(place), "--browser", "--port", "8123", "--no-open"]) == 0
    assert called == {"browser": True, "port": 8123, "open_browser": False, "folder": tmp_path, "path": place}


def test_no_window_without_a_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not opening.has_window()
