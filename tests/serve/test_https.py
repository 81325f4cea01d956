"""HTTPS with a certificate of one's own, end to end."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterator

import httpx
import pytest

from bench.phone import Phone
from tests.serve.conftest import Inside


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    with Inside(tmp_path_factory.mktemp("https"), https=True) as inside:
        yield inside


@pytest.fixture(scope="module")
def trusting(secure: Inside) -> Iterator[httpx.Client]:
    """A phone that has installed the certificate it was offered."""
    with httpx.Client(base_url=secure.root, verify=False) as first:
        offered = first.get("/certificate")
    assert offered.headers["content-type"] == "application/x-x509-ca-cert"
    assert "attachment" in offered.headers["content-disposition"]
    with httpx.Client(
        base_url=secure.root, verify=ssl.create_default_context(cadata=offered.content)
    ) as client:
        yield client


def test_without_trust_there_is_a_warning(secure: Inside) -> None:
    with httpx.Client(base_url=secure.root) as client, pytest.raises(httpx.ConnectError):
        client.get("/")


def test_the_cookie_is_for_https_and_scripts_never_see_it(secure: Inside, trusting: httpx.Client) -> None:
    answer = trusting.get(secure.link)
    cookie = answer.headers["set-cookie"]
    name, *flags = cookie.split("; ")
    assert name.startswith("__Host-companion-")
    assert {"Secure", "HttpOnly", "SameSite=lax", "Path=/"} <= set(flags)
    assert not any(flag.lower().startswith("domain") for flag in flags)
    page = trusting.get("/")
    assert page.status_code == 200
    assert f"wss://127.0.0.1:{secure.port}" in page.headers["content-security-policy"]


def test_the_app_opens_over_an_encrypted_socket(secure: Inside) -> None:
    async def visit() -> None:
        phone = await (await Phone(secure.link).join()).open("/card/new")
        await phone.tap("begin-round", shows="cell-0-1")
        assert not phone.crashes
        await phone.leave()

    asyncio.run(visit())


def test_nothing_is_said_without_encryption(secure: Inside) -> None:
    with httpx.Client() as client, pytest.raises(httpx.HTTPError):
        client.get(secure.root.replace("https", "http") + "/join")
