"""Text from files as people and programs write them: any line ends, with or without a mark at the start."""

from __future__ import annotations

import codecs
import json
from typing import IO, Any

from companion.formats.errors import FormatError


def read(file: IO[Any]) -> str:
    """The text of a file opened for text or bytes.  Raises `FormatError`."""
    data = file.read()
    return data if isinstance(data, str) else decode(data)


def decode(data: bytes) -> str:
    """UTF-8, or UTF-16 with its mark, as text.  Raises `FormatError`."""
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError(f"not a text: {data[error.start : error.start + 4]!r}", line) from None
    if "\0" in text:
        raise FormatError(f"not a text: {chr(0)!r}", text.count("\n", 0, text.index("\0")) + 1)
    return text


def parse_json(text: str) -> dict[str, Any]:
    """The JSON object a text holds.  Raises `FormatError` with line and token."""
    text = text.removeprefix("\ufeff")
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        token = text[error.pos : error.pos + 12].strip()
        raise FormatError(f"not JSON, {error.msg.lower()}: {token!r}", error.lineno) from None
    except (RecursionError, ValueError):
        raise FormatError(f"not JSON, nested too deep or numbers too long: {text[:12]!r}") from None
    if not isinstance(document, dict):
        raise FormatError(f"not a JSON object: {text.strip()[:40]!r}")
    return document
