"""Headers that go with every answer, and a content policy that fits Flet's client."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable

from starlette.datastructures import MutableHeaders

_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
_HOST = re.compile(r"[A-Za-z0-9.\-]{1,253}(:\d{1,5})?|\[[0-9A-Fa-f:.%]{2,60}\](:\d{1,5})?")


def inline_hashes(html: bytes) -> tuple[str, ...]:
    """The CSP sources of a page's own inline scripts."""
    return tuple(
        f"'sha256-{base64.b64encode(hashlib.sha256(script).digest()).decode()}'"
        for script in _SCRIPT.findall(html)
    )


def policy(hashes: Iterable[str] = (), host: str = "") -> str:
    """The content policy. Flutter compiles WebAssembly, styles elements by script and starts its workers from
    blobs; nothing comes from elsewhere. host: the server's own, for browsers that don't count its web socket
    among `'self'`."""
    sockets = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    parts = {
        "default-src": "'none'",
        "script-src": " ".join(["'self'", "'wasm-unsafe-eval'", *hashes]),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "media-src": "'self' blob:",
        "connect-src": f"'self' data: blob:{sockets}",
        "worker-src": "'self' blob:",
        "manifest-src": "'self'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in parts.items())


def secure(headers: MutableHeaders, content_policy: str) -> None:
    """Set what every answer has."""
    headers["Content-Security-Policy"] = content_policy
    headers["X-Content-Type-Options"] = "nosniff"
    headers["X-Frame-Options"] = "DENY"
    headers["Referrer-Policy"] = "same-origin"
    headers["Cross-Origin-Opener-Policy"] = "same-origin"
    headers["Cross-Origin-Embedder-Policy"] = "require-corp"
    headers["Cross-Origin-Resource-Policy"] = "same-origin"
    headers["Permissions-Policy"] = (
        "camera=(self), clipboard-read=(self), clipboard-write=(self),"
        " microphone=(), geolocation=(), usb=(), payment=()"
    )
    if "cache-control" not in headers:
        headers["Cache-Control"] = "no-cache"
    if "server" in headers:
        del headers["server"]
