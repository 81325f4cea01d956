from __future__ import annotations

import pytest

from companion.app.theme import PAIRS, PALETTES, contrast


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", PALETTES)
@pytest.mark.parametrize(("sign", "ground", "least"), PAIRS)
def test_every_pair_of_colours_can_be_told_apart(theme: str, sign: str, ground: str, least: float) -> None:
    palette = PALETTES[theme]
    assert contrast(getattr(palette, sign), getattr(palette, ground)) >= least
