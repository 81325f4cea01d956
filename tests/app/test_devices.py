"""A browser's files: sent, told of while they come, given up."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("flet")
import flet as ft

from companion.app.services.devices import LARGEST, Devices


class Picking:
    """A page whose picker sends nothing by itself."""

    def __init__(self, uploads: Path) -> None:
        page: Any = SimpleNamespace(web=True, get_upload_url=lambda name, seconds: f"/upload?f={name}")
        self.faults: list[BaseException] = []
        self.devices = Devices(page, uploads, self.faults.append)
        self.uploads, self.names = uploads, list[str]()
        self.taken: list[tuple[bytes, str]] = []
        self.shares: list[float] = []
        self.refused: list[str] = []
        picker: Any = SimpleNamespace(upload=self._upload)
        self.devices.picker = picker
        self.devices.expect(self._take, self.refused.append, self.shares.append)

    async def _take(self, data: bytes, name: str) -> None:
        self.taken.append((data, name))

    async def _upload(self, files: list[ft.FilePickerUploadFile]) -> None:
        self.names += [file.upload_url.split("=")[1] for file in files]

    async def pick(self, size: int = 5) -> None:
        file: Any = SimpleNamespace(id=1, name="IMG_1.jpg", size=size, path=None, bytes=None)
        event: Any = SimpleNamespace(files=[file])
        await self.devices._picked(event)

    async def arrive(self, share: float) -> None:
        if share == 1:
            (self.uploads / self.names[-1]).write_bytes(b"photo")
        event: Any = SimpleNamespace(error=None, progress=share, file_name="IMG_1.jpg")
        await self.devices._uploaded(event)


async def test_a_file_arrives_and_is_told_of(tmp_path: Path) -> None:
    page = Picking(tmp_path)
    await page.pick()
    await page.arrive(0.4)
    assert page.taken == []
    await page.arrive(1)
    assert page.taken == [(b"photo", "IMG_1.jpg")]
    assert page.shares == [0.0, 0.4]
    assert list(tmp_path.iterdir()) == []


async def test_a_file_given_up_is_removed_when_it_arrives(tmp_path: Path) -> None:
    page = Picking(tmp_path)
    await page.pick()
    page.devices.give_up()
    await page.arrive(0.7)
    await page.arrive(1)
    assert page.taken == []
    assert page.shares == [0.0]
    assert list(tmp_path.iterdir()) == []
    await page.pick()
    await page.arrive(1)
    assert len(page.taken) == 1


async def test_a_file_too_large_is_not_sent(tmp_path: Path) -> None:
    page = Picking(tmp_path)
    await page.pick(LARGEST + 1)
    assert page.refused == ["too-large"]
    assert page.names == []


class Clipboard:
    """What was copied: a picture, files, or nothing; what a platform does not know it refuses."""

    def __init__(self, picture: bytes | None, files: list[str] | None) -> None:
        self.picture, self.files = picture, files

    async def get_image(self) -> bytes | None:
        return self.picture

    async def get_files(self) -> list[str]:
        if self.files is None:
            raise RuntimeError("get_files is supported on desktop and Android platforms only")
        return self.files


@pytest.mark.parametrize(
    ("picture", "files", "local", "found"),
    [
        (b"copied", ["photo.jpg"], True, b"copied"),
        (None, ["gone.jpg", "photo.jpg"], True, b"photo"),  # a photo copied in the file manager
        (None, None, True, None),
        (None, ["photo.jpg"], False, None),  # a browser's word names no file of the server
    ],
)
async def test_a_window_pastes_pictures_and_pictures_files(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    picture: bytes | None,
    files: list[str] | None,
    local: bool,
    found: bytes | None,
) -> None:
    (tmp_path / "photo.jpg").write_bytes(b"photo")
    paths = None if files is None else [str(tmp_path / name) for name in files]
    monkeypatch.setattr(ft, "Clipboard", lambda: Clipboard(picture, paths))
    page: Any = SimpleNamespace(web=not local)
    assert await Devices(page, None if local else tmp_path, failed=lambda _: None).pasted_image() == found
