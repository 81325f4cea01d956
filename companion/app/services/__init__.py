"""The work that takes a while, or needs a part of its own: advice, reading photos, auditing, exporting."""
