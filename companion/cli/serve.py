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
    json: JsonOption = False,
) -> None:
    """Show a link and a QR code; a phone that opens it has the whole app.

    Rounds can be shared by all phones, or kept by each for itself. Ctrl+C stops it; who was let in stays so.
    """
    place = folder or data_folder() / "serve"
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
    import segno

    console = output.console()
    segno.make(invitation.links[0], micro=False).terminal(compact=True)
    for link in invitation.links:
        console.print(link, style="bold", markup=False)
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
    from companion.serve.server import remove

    known = sorted(_kept(place) | {device.id for device in access.devices()})
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
    """Who may come in, and of whom else something is kept here."""
    found = access.devices()
    gone = sorted(_kept(place) - {device.id for device in found})
    if json:
        nobody = {"browser": None, "made": None, "seen": None}
        devices = [*map(_document, found), *({"device": name, **nobody} for name in gone)]
        output.emit({"schema": "companion.devices/1", "devices": devices})
        return
    table = Table("device", "what", "let in", "last seen", box=None, pad_edge=False)
    for device in found:
        table.add_row(device.id, device.browser, _when(device.made), _when(device.seen))
    for name in gone:
        table.add_row(name, "let in no longer, its rounds are kept", "", "")
    output.console().print(table if found or gone else "No device has been let in.")


def _kept(place: Path) -> set[str]:
    """The devices that have files here."""
    return {path.name for path in (place / "devices").glob("*") if path.is_dir()}


def _document(device: Device) -> dict[str, str]:
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
