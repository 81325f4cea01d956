from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from companion.app.state.app import Services
from companion.serve import server as serve
from companion.serve.certificate import certificate
from companion.store import Store
from tests.app.fakes import FakeAdviser, FakeAuditor, FakeReader, deal, document


class Inside:
    """A server in a thread of this process, with fake models; its store and parts can be looked at."""

    def __init__(
        self, folder: Path, reader: Any = None, store: str | None = None, *, https: bool = False
    ) -> None:
        (folder / "uploads").mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.store = Store.open(store or folder / "rounds.db", backups=False)
        services = Services(FakeAdviser(), reader or FakeReader(document(deal())), FakeAuditor())
        self.server = serve.Server(
            self.store, folder / "serve", lambda _: services, folder / "uploads", https=https
        )
        self.door = serve.bound("127.0.0.1", 0)
        self.port = self.door.getsockname()[1]
        self.papers = certificate(folder / "certificate", ["127.0.0.1"]) if https else None
        config = uvicorn.Config(
            self.server.app(self.papers.authority if self.papers else None),
            ssl_certfile=self.papers.chain if self.papers else None,
            ssl_keyfile=self.papers.key if self.papers else None,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=1,
            timeout_keep_alive=120,
        )
        self._web = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._web.run, args=([self.door],), daemon=True)

    @property
    def root(self) -> str:
        return f"{'https' if self.papers else 'http'}://127.0.0.1:{self.port}"

    @property
    def link(self) -> str:
        return f"{self.root}/join?token={self.server.access.token}"

    def __enter__(self) -> Inside:
        self._thread.start()
        until = time.monotonic() + 60
        while not self._web.started and time.monotonic() < until:
            time.sleep(0.02)
        return self

    def __exit__(self, *_: object) -> None:
        self._web.should_exit = True
        self._thread.join(20)
        self.door.close()
        self.server.close()
        self.store.close()


@pytest.fixture(scope="module")
def inside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    with Inside(tmp_path_factory.mktemp("serve")) as running:
        yield running


class Outside:
    """`companion serve` as a process of its own; stopped at the end of a `with`."""

    def __init__(self, folder: Path, *options: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        command = [
            sys.executable,
            "-c",
            "from companion.cli import main; main()",
            "serve",
            "--json",
            *options,
        ]
        command += ["--folder", str(folder / "serve"), "--processes", "1"]
        self.log = (folder / "log").open("ab")
        self.temporary = folder / "tmp"
        self.temporary.mkdir(exist_ok=True)
        surroundings = {"PYTHONPATH": str(Path(__file__).parents[2]), "TMPDIR": str(self.temporary)}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self.log, env=os.environ | surroundings
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, (folder / "log").read_text()
        self.invitation = json.loads(line)
        self.link: str = self.invitation["links"][0]

    def __enter__(self) -> Outside:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(20)
        self.log.close()

    def stop(self) -> None:
        self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(20)
        self.process.kill()
        self.log.close()
