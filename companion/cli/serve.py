"""`companion serve`: the app for phones on the same network."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from companion.cli import output
from companion.cli.options import JsonOption
from companion.cli.rounds import StoreOption, open_store
from companion.store.location import data_folder

if TYPE_CHECKING:
    from companion.serve.access import Access, Device
    from companion.serve.server import Invitation


def register(app: typer.Typer) -> None:
    app.command("serve")(serve)


def serve(
    store: StoreOption = None,
    lan: Annotated[bool, typer.Option("--lan", help="Let phones on the same network in.")] = False,
    host: Annotated[
        str | None,
        typer.Option("--host", metavar="ADDRESS", help="The address to listen on; else this machine only."),
    ] = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0 takes a free one.")] = 8555,
    https: Annotated[
        bool,
        typer.Option(
            "--https", help="Encrypt, with a certificate of its own; phones need it for the live camera."
        ),
    ] = False,
    folder: Annotated[
        Path | None,
        typer.Option("--folder", metavar="DIR", help="Where sessions and the devices' own rounds are kept."),
    ] = None,
    processes: Annotated[
        int | None,
        typer.Option("--processes", min=1, max=32, help="Processes that read photos; one a core, at most 4."),
    ] = None,
    devices: Annotated[
        bool, typer.Option("--devices", help="List the devices that were let in, and stop.")
    ] = False,
    revoke: Annotated[
        str | None,
        typer.Option("--revoke", metavar="DEVICE", help="Let a device, or all, in no longer, and stop."),
    ] = None,
    delete: Annotated[
        str | None,
        typer.Option("--delete", metavar="DEVICE", help="The same, and delete what the device kept here."),
    ] = None,
    back: Annotated[
        str | None,
        typer.Option(
            "--return",
            metavar="DEVICE",
            help="Show a code with which a phone has this device's rounds again, and stop.",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Show a link and a QR code; a phone that opens it has the whole app.

    Rounds can be shared by all phones, or kept by each for itself. Ctrl+C stops it; who was let in stays so.
    """
    place = folder or data_folder() / "serve"
    if back is not None:
        _bring_back(place, back, json)
        return
    if devices or revoke is not None or delete is not None:
        _manage(place, revoke, delete, json)
        return
    from companion.serve import log, server

    log.set_up()
    with open_store(store) as kept:
        server.run(
            kept,
            place,
            host=host or ("0.0.0.0" if lan else "127.0.0.1"),
            port=port,
            https=https,
            processes=processes,
            invite=lambda invitation: _invite(invitation, json),
        )


def _invite(invitation: Invitation, json: bool) -> None:
    if json:
        output.emit(
            {
                "schema": "companion.serve/1",
                "links": list(invitation.links),
                "token": invitation.token,
                "fingerprint": invitation.fingerprint,
                "certificate": invitation.certificate_link,
            }
        )
        output.flush()
        return
    console = output.console()
    _show(invitation.links)
    console.print(f"Or open the address without its end and type: {invitation.token}", markup=False)
    if invitation.certificate_link:
        console.print(
            "The certificate is this machine's own, so a phone warns once. To trust it, open\n"
            f"  {invitation.certificate_link}\n"
            "on the phone (go on past the warning) and install what it loads, if its SHA-256 is\n"
            f"  {invitation.fingerprint}\n"
            "iPhone: Settings > General > VPN & Device Management,\n"
            "  then General > About > Certificate Trust Settings.\n"
            "Android: Settings > Security > Encryption > Install a certificate > CA certificate.",
            markup=False,
        )
    console.print("Stop with Ctrl+C.", style="dim")


def _show(links: tuple[str, ...]) -> None:
    """The first link as a QR code, and all of them to be typed."""
    import segno

    if links:
        segno.make(links[0], micro=False).terminal(compact=True)
    for link in links:
        output.console().print(link, style="bold", markup=False)


def _bring_back(place: Path, wanted: str, json: bool) -> None:
    """Show how a phone that is taken for a new one becomes again the device that it was."""
    from companion.serve.access import RETURN_SECONDS, Access
    from companion.serve.server import links

    access = Access(place / "access.db")
    try:
        device = _one(access, place, wanted)
        code = access.offer_return(device)
        found = links(access.doors, code)
    finally:
        access.close()
    minutes = int(RETURN_SECONDS // 60)
    if json:
        document = {"schema": "companion.return/1", "device": device, "links": list(found), "code": code}
        output.emit({**document, "minutes": minutes})
        return
    _show(found)
    output.console().print(
        f"Let the phone open this, or type on it {code}, within {minutes} minutes; it is good for once.\n"
        f"The phone then has the rounds of {device[:6]} again, and keeps those that it wrote meanwhile.",
        markup=False,
    )


def _one(access: Access, place: Path, wanted: str) -> str:
    """The device whose name begins so, whether it may come in still or not."""
    from companion.serve.errors import ServeError
    from companion.serve.kept import kept_devices

    known = sorted(kept_devices(place) | {device.id for device in access.devices()})
    named = re.fullmatch(r"[0-9a-f]{4,16}", wanted)
    found = [device for device in known if named and device.startswith(wanted)]
    found = [device for device in found if not access.is_deleted(device)]
    if not found:
        raise _unknown(wanted)
    if len(found) > 1:
        error = ServeError(f"several devices are called so, write more of the name: {wanted!r}")
        error.exit_status = 2
        raise error
    return found[0]


def _manage(place: Path, revoke: str | None, delete: str | None, json: bool) -> None:
    from companion.serve.access import Access

    access = Access(place / "access.db")
    try:
        if delete is not None:
            _delete(access, place, delete)
        elif revoke is not None and access.revoke(revoke) == 0 and revoke != "all":
            raise _unknown(revoke)
        _list(access, place, json)
    finally:
        access.close()


def _delete(access: Access, place: Path, wanted: str) -> None:
    """Delete what devices kept here, those too that were revoked or have not come for long."""
    from companion.serve.errors import ServeError
    from companion.serve.kept import kept_devices
    from companion.serve.server import remove

    known = sorted(kept_devices(place) | {device.id for device in access.devices()})
    named = re.fullmatch(r"[0-9a-f]{4,16}", wanted)
    found = [device for device in known if wanted == "all" or (named and device.startswith(wanted))]
    if not found and wanted != "all":
        raise _unknown(wanted)
    for device in found:
        access.delete(device)
    left = [device for device in found if not remove(place, device)]
    if left:
        raise ServeError(f"some files are in use; a running server deletes them within seconds: {left[0]!r}")


def _unknown(wanted: str) -> Exception:
    from companion.serve.errors import ServeError

    error = ServeError(f"no device that was let in is called {wanted!r}")
    error.exit_status = 2
    return error


def _list(access: Access, place: Path, json: bool) -> None:
    """Who may come in, of whom else something is kept here, and the rounds to know each by."""
    from companion.serve.kept import kept_devices, own_rounds

    found = access.devices()
    gone = sorted(kept_devices(place) - {device.id for device in found})
    if json:
        devices = [*map(_document, found), *map(_gone, gone)]
        output.emit({"schema": "companion.devices/1", "devices": [_with_rounds(place, d) for d in devices]})
        return
    table = Table("device", "what", "let in", "last seen", "its own rounds", box=None, pad_edge=False)
    for device in found:
        kept = str(own_rounds(place, device.id))
        table.add_row(device.id, device.browser, _when(device.made), _when(device.seen), kept)
    for name in gone:
        table.add_row(name, "let in no longer", "", "", str(own_rounds(place, name)))
    output.console().print(table if found or gone else "No device has been let in.")


def _with_rounds(place: Path, device: dict[str, str | None]) -> dict[str, object]:
    from companion.serve.kept import own_rounds

    rounds = own_rounds(place, str(device["device"]))
    return {**device, "rounds": rounds.count, "players": list(rounds.players), "last": rounds.last}


def _gone(device: str) -> dict[str, str | None]:
    return {"device": device, "browser": None, "made": None, "seen": None}


def _document(device: Device) -> dict[str, str | None]:
    return {
        "device": device.id,
        "browser": device.browser,
        "made": _when(device.made, zone=True),
        "seen": _when(device.seen, zone=True),
    }


def _when(seconds: float, *, zone: bool = False) -> str:
    if zone:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
