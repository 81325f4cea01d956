"""Puts the app's pictures for README and docs together, from those that the screenshots made.

python -m tests.browser.screenshots SHOTS phone-en-light- desk-en-light-rounds
python tools/pictures.py SHOTS
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

IMAGES = Path(__file__).parents[1] / "docs" / "images"
WIDTH = 400
"""Of a phone, pixels."""
GAP, GROUND = 24, "#e2ddd0"
ROW = ("scan-fix", "play-hint", "card-entering", "rounds-charts")


def phone(shots: Path, name: str) -> Image.Image:
    with Image.open(shots / f"phone-en-light-{name}.png") as shot:
        height = round(shot.height * WIDTH / shot.width)
        return shot.convert("RGB").resize((WIDTH, height), Image.Resampling.LANCZOS)


def row(phones: list[Image.Image]) -> Image.Image:
    """Phones side by side."""
    whole = Image.new("RGB", (len(phones) * (WIDTH + GAP) + GAP, phones[0].height + 2 * GAP), GROUND)
    for at, one in enumerate(phones):
        whole.paste(one, (GAP + at * (WIDTH + GAP), GAP))
    return whole


def keep(picture: Image.Image, name: str) -> None:
    """As a PNG of 256 colours, which is enough for screens; without the means, amber becomes red."""
    picture.quantize(256, method=Image.Quantize.MEDIANCUT, kmeans=3).save(
        IMAGES / f"{name}.png", optimize=True
    )


def main() -> None:
    shots = Path(sys.argv[1])
    keep(phone(shots, "play-hint"), "app-hint")
    keep(row([phone(shots, name) for name in ROW]), "app")
    with Image.open(shots / "desk-en-light-rounds-charts.png") as desk:
        keep(desk.convert("RGB"), "app-statistics")


if __name__ == "__main__":
    main()
