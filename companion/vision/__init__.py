"""Reads a table of cards from a photo: find the indices, read them, reason about the whole table."""

from .errors import ModelError, PhotoError
from .models import Models, load_models
from .photo import Photo, open_photo
from .scan import Scan, ScannedCard, scan_photo, scan_pixels
from .types import Back, Finds, Index, JokerSign, PhotoProblem, Reading

__all__ = [
    "Back",
    "Finds",
    "Index",
    "JokerSign",
    "ModelError",
    "Models",
    "Photo",
    "PhotoError",
    "PhotoProblem",
    "Reading",
    "Scan",
    "ScannedCard",
    "load_models",
    "open_photo",
    "scan_photo",
    "scan_pixels",
]
