"""The addresses under which this machine is reached on its own network."""

from __future__ import annotations

import contextlib
import ipaddress
import socket

LOOPBACK = ("127.0.0.1", "::1", "localhost")


def reachable(host: str) -> tuple[str, ...]:
    """Addresses to put in a link for a server bound to `host`, the likeliest first."""
    if host not in ("0.0.0.0", "::"):
        return (host,)
    found: list[str] = []
    # No packet is sent: connecting a datagram socket only asks which address would be used.
    for family, target in ((socket.AF_INET, ("192.0.2.1", 9)), (socket.AF_INET6, ("2001:db8::1", 9))):
        if family == socket.AF_INET6 and host != "::":
            continue
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect(target)
            found.append(str(probe.getsockname()[0]))
    with contextlib.suppress(OSError):
        for family, *_, address in socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM):
            if family == socket.AF_INET or host == "::":
                found.append(str(address[0]))
    usable = [address for address in dict.fromkeys(found) if _usable(address)]
    return tuple(usable) or ("127.0.0.1",)


def names() -> tuple[str, ...]:
    """The names this machine goes by."""
    name = socket.gethostname().split(".")[0].lower()
    return tuple(dict.fromkeys(("localhost", name, f"{name}.local"))) if name else ("localhost",)


def link_host(address: str) -> str:
    """An address as it stands in a link."""
    return f"[{address}]" if ":" in address else address


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a server bound to `host`."""
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def _usable(address: str) -> bool:
    found = ipaddress.ip_address(address.split("%")[0])
    return not (found.is_loopback or found.is_link_local or found.is_unspecified)
