"""The compiled kernels are imported only where that pays."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BOARD = "Talon: 6D KC KS\nFoundations: 5S\n9D TS 5C 7D 7H\n4C 3H\n"
ALONE = """
import sys
from companion.cli import run
assert run(["solve", sys.argv[1], "--json"]) == 0
assert run(["hint", sys.argv[1], "--json"]) == 0
sys.exit("numba" in sys.modules)
"""


def test_a_solution_and_a_hint_of_few_cards_need_no_numba(tmp_path: Path) -> None:
    # Importing it took a second of the CPU, ten times as long as the answers.
    board = tmp_path / "board.txt"
    board.write_text(BOARD, encoding="utf-8")
    found = subprocess.run(
        [sys.executable, "-c", ALONE, str(board)], capture_output=True, text=True, timeout=300
    )
    assert found.returncode == 0, found.stderr
    assert '"decided": true' in found.stdout
    assert '"exact": true' in found.stdout
