"""What all tests share."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("fast", max_examples=60, deadline=None)
settings.register_profile("thorough", max_examples=1000, deadline=None)
settings.load_profile("fast")
