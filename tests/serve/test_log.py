"""What a running server writes down of everything that phones do, right and wrong."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from bench.phone import EVENT, Phone
from companion.store import Store
from tests.serve.conftest import Outside

PHOTO = (Path(__file__).parents[1] / "browser" / "table.jpg").read_bytes()


class Noting(Phone):
    """Remembers the links that it was told to send photos to."""

    links: tuple[str, ...] = ()

    async def _upload(self, picker: int, file: dict[str, str]) -> None:  # type: ignore[override]
        self.links += (file["upload_url"],)
        await super()._upload(picker, file)


@pytest.mark.slow
def test_the_log_has_no_token_cookie_link_name_or_photo(tmp_path: Path) -> None:
    with Store.open(tmp_path / "rounds.db") as store:
        store.new_round(["Zerlinda"], name="Frühjahrsputz")
    server = Outside(tmp_path, "--store", str(tmp_path / "rounds.db"), "--port", "0")
    secrets = [server.invitation["token"], "WR0NG-C0DE", "Zerlinda", "Frühjahrsputz", "my-event", "IMG_1"]

    async def visit() -> None:
        phone = Noting(server.link, timeout=120)
        await phone.join()
        await phone.open("/scan")
        await phone.http.get("/join", params={"token": "WR0NG-C0DE"})
        await phone.scan(PHOTO)
        await phone.put_away()
        await phone.scan(b"no photo")
        secrets.append(phone.cookie.split("=", 1)[1])
        secrets.extend(httpx.URL(link).params[key] for link in phone.links for key in ("f", "s"))
        await phone.go("/card")
        for data in (
            {"route": {"my-event": 1}},
            {"route": "/card", "my-event": "x"},
            "my-event",
            b"my-event",
        ):
            for name in ("route_change", "resize", "my-event"):
                await phone._send(EVENT, {"target": 1, "name": name, "data": data})
        await asyncio.sleep(2)
        await phone.leave()

    with server:
        asyncio.run(visit())
    log = (tmp_path / "log").read_text()
    assert len(secrets) >= 11
    assert "came in" in log
    assert "a wrong code" in log
    for secret in secrets:
        assert secret.lower() not in log.lower(), secret
    assert "Traceback" not in log
    assert all(len(line) < 400 for line in log.splitlines())
