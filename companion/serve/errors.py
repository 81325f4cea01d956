"""What a server refuses, in one sentence."""

from __future__ import annotations

from companion.game import CompanionError


class ServeError(CompanionError):
    """The server can't do as asked; `exit_status` is that of the command."""

    code = "server"
    exit_status = 1


class Busy(ServeError):
    """Too much is asked at once; asking again a little later helps."""

    code = "busy"
