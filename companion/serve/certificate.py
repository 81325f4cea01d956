"""HTTPS without a company in between: an authority of one's own, and a certificate for this machine.

The authority is limited to private addresses and local names, so that a phone which trusts it trusts it for
nothing on the internet, even were its key stolen.
"""

from __future__ import annotations

import contextlib
import ipaddress
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from companion.serve.addresses import names

AUTHORITY_DAYS = 3650
SERVER_DAYS = 365
"""Phones refuse more than 398."""
_RENEW_BEFORE = timedelta(days=30)
_NETWORKS = ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16",
             "100.64.0.0/10", "::1/128", "fc00::/7", "fe80::/10")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Certificate:
    """Files for the server, the authority's certificate for phones, and its fingerprint to compare."""

    chain: Path
    key: Path
    authority: bytes
    fingerprint: str


def certificate(folder: Path, addresses: Sequence[str]) -> Certificate:
    """The certificate for these addresses, renewed as needed; only its owner can read the keys."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    authority, authority_key = _authority(folder)
    chain, key = folder / "server.pem", folder / "server.key"
    if not _still_good(chain, key, addresses, authority):
        _make_server(chain, key, addresses, authority, authority_key)
    digest = authority.fingerprint(hashes.SHA256()).hex().upper()
    return Certificate(
        chain,
        key,
        authority.public_bytes(serialization.Encoding.DER),
        ":".join(digest[at : at + 2] for at in range(0, len(digest), 2)),
    )


def _authority(folder: Path) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    path, key_path = folder / "authority.pem", folder / "authority.key"
    with contextlib.suppress(OSError, ValueError):
        known = x509.load_pem_x509_certificate(path.read_bytes())
        key = serialization.load_pem_private_key(key_path.read_bytes(), None)
        fresh = known.not_valid_after_utc > datetime.now(UTC) + timedelta(days=SERVER_DAYS)
        if fresh and isinstance(key, ec.EllipticCurvePrivateKey):
            return known, key
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name(
        [x509.NameAttribute(NameOID.COMMON_NAME, f"Golf Patience Companion on {names()[-1]}"[:64])]
    )
    permitted: list[x509.GeneralName] = [x509.DNSName("local"), *map(x509.DNSName, names()[:2])]
    permitted += [x509.IPAddress(ipaddress.ip_network(network)) for network in _NETWORKS]
    made = (
        _builder(name, name, key, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    _write_key(key_path, key)
    path.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    return made, key


def _make_server(
    chain: Path,
    key_path: Path,
    addresses: Sequence[str],
    authority: x509.Certificate,
    authority_key: ec.EllipticCurvePrivateKey,
) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names()[-1][:64])])
    made = (
        _builder(subject, authority.subject, key, SERVER_DAYS)
        .add_extension(x509.SubjectAlternativeName(list(_alternatives(addresses))), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key()), critical=False
        )
        .sign(authority_key, hashes.SHA256())
    )
    _write_key(key_path, key)
    chain.write_bytes(b"".join(c.public_bytes(serialization.Encoding.PEM) for c in (made, authority)))


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, days: int
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))  # a phone's clock may be behind
        .not_valid_after(now + timedelta(days=days))
    )


def _alternatives(addresses: Sequence[str]) -> list[x509.GeneralName]:
    found: list[x509.GeneralName] = [x509.DNSName(name) for name in names()]
    for address in dict.fromkeys((*addresses, "127.0.0.1", "::1")):
        with contextlib.suppress(ValueError):
            found.append(x509.IPAddress(ipaddress.ip_address(address.split("%")[0])))
    return found


def _still_good(chain: Path, key: Path, addresses: Sequence[str], authority: x509.Certificate) -> bool:
    try:
        known = x509.load_pem_x509_certificate(chain.read_bytes())
        known.verify_directly_issued_by(authority)
        serialization.load_pem_private_key(key.read_bytes(), None)
    except Exception:
        # Whatever is wrong with a file of ours, a new one is the answer.
        return False
    have = set(known.extensions.get_extension_for_class(x509.SubjectAlternativeName).value)
    return (
        set(_alternatives(addresses)) <= have
        and known.not_valid_after_utc > datetime.now(UTC) + _RENEW_BEFORE
    )


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs, key_cert_sign=signs, crl_sign=signs, content_commitment=False,
        key_encipherment=False, data_encipherment=False, key_agreement=False, encipher_only=False,
        decipher_only=False,
    )  # fmt: skip


def _write_key(path: Path, key: ec.EllipticCurvePrivateKey) -> None:
    data = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
