"""What belongs to the device behind a page: files picked and saved, the clipboard, the camera."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path

import flet as ft

Taker = Callable[[bytes, str], Awaitable[None]]
"""Takes a file's bytes and its name."""

LARGEST = 40 * 1024 * 1024


class Devices:
    """Files in and out of one page. On a device they have a path; in a browser they are uploaded, and no path
    that it names is opened: it would be one of the server's."""

    def __init__(self, page: ft.Page, uploads: Path | None, failed: Callable[[BaseException], None]) -> None:
        """failed: told of a fault of the program, in what is done with a file; Flet would end the page."""
        self.page = page
        self._failed = failed
        self.uploads = uploads
        self.local = uploads is None
        """Decided by who opened the page: what the page says of itself is a client's word."""
        self.picker = ft.FilePicker(on_result=self._picked, on_upload=self._uploaded)
        self._take: Taker | None = None
        self._waiting: dict[str, tuple[Taker, str]] = {}
        self._unwanted: set[str] = set()
        self._refuse: Callable[[str], None] | None = None
        self._progress: Callable[[float], None] | None = None

    def expect(
        self, take: Taker, refuse: Callable[[str], None], progress: Callable[[float], None] | None = None
    ) -> None:
        """Say what happens with the files that are picked next."""
        self._take, self._refuse, self._progress = take, refuse, progress

    def give_up(self) -> None:
        """Take nothing of what is on its way; it is removed when it arrives."""
        self._unwanted.update(self._waiting)
        self._waiting.clear()

    async def save(self, name: str, data: bytes) -> bool:
        """Offer a file to be kept; False when the player changed their mind."""
        path = await self.picker.save_file(file_name=name, src_bytes=data)
        if path and self.local and not Path(path).exists():
            await asyncio.to_thread(Path(path).write_bytes, data)
        return bool(path) or not self.local

    async def pasted_image(self) -> bytes | None:
        """The picture on the clipboard, None without one; of one's own machine also a picture's file that was
        copied there, which in a window stands for dragging it in."""
        clipboard = ft.Clipboard()
        # Browsers refuse without a permission, and some platforms know no pictures, or no files.
        with suppress(Exception):
            if picture := await clipboard.get_image():
                return picture
        if self.local:
            with suppress(Exception):
                for path in map(Path, await clipboard.get_files()):
                    if path.is_file() and path.stat().st_size <= LARGEST:
                        return await asyncio.to_thread(path.read_bytes)
        return None

    async def dropped(self) -> list[ft.FilePickerFile]:
        """The picture that was dropped on the page: the picker finds it chosen there (`assets/drop.js`)."""
        return await self.picker.pick_files(file_type=ft.FilePickerFileType.IMAGE)

    async def _picked(self, event: ft.FilePickerResultEvent) -> None:
        await self._guarded(self.fetch(event.files or ()))

    async def _guarded(self, work: Awaitable[None]) -> None:
        """A file that can't be fetched has not arrived: nobody goes on waiting for it."""
        try:
            await work
        except OSError:
            self._say("not-arrived")
        except Exception as error:
            self._say("not-arrived")
            self._failed(error)

    async def _give(self, take: Taker, data: bytes, name: str) -> None:
        try:
            await take(data, name)
        except Exception as error:
            self._failed(error)

    async def fetch(self, files: Sequence[ft.FilePickerFile]) -> None:
        """Bring picked files to where they are expected."""
        take = self._take
        if take is None:
            return
        for file in files:
            if file.size and file.size > LARGEST:
                self._say("too-large")
                continue
            if file.path and self.local:
                await self._give(take, await asyncio.to_thread(Path(file.path).read_bytes), file.name)
            elif file.bytes is not None:
                await self._give(take, file.bytes, file.name)
            else:
                await self._upload(file, take)

    async def _upload(self, file: ft.FilePickerFile, take: Taker) -> None:
        """Fetch a browser's file under a name of our own; the one it has there is never used as a path."""
        name = secrets.token_hex(16)
        self._waiting[name] = (take, file.name)
        if self._progress:
            self._progress(0.0)
        await self.picker.upload(
            [
                ft.FilePickerUploadFile(
                    id=file.id, name=file.name, upload_url=self.page.get_upload_url(name, 300)
                )
            ]
        )

    async def _uploaded(self, event: ft.FilePickerUploadEvent) -> None:
        if event.error:
            self._say("not-arrived")
            return
        if event.progress is not None and event.progress < 1 and self._waiting and self._progress:
            self._progress(event.progress)
        if event.progress is None or event.progress < 1 or self.uploads is None:
            return
        await self._guarded(self._arrived())

    async def _arrived(self) -> None:
        assert self.uploads is not None
        for name in tuple(self._unwanted):
            path = self.uploads / name
            if path.exists():
                self._unwanted.discard(name)
                await asyncio.to_thread(path.unlink)
        for name, (take, shown) in tuple(self._waiting.items()):
            path = self.uploads / name
            if not path.exists():
                continue
            del self._waiting[name]
            data = await asyncio.to_thread(path.read_bytes)
            await asyncio.to_thread(path.unlink)
            await self._give(take, data, shown)

    def _say(self, code: str) -> None:
        if self._refuse:
            self._refuse(code)
