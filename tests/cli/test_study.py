from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.cli import run

LITTLE = "columns=4,depth=6"
"""Tables that are solved in no time; about half of them can be cleared."""


def studied(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert run(["study", "--workers", "1", "--rules", LITTLE, *arguments, "--json"]) == 0
    printed = capsys.readouterr()
    assert printed.out.count("\n") == 1
    # No terminal, no progress: there was an empty line here, also before the one line of a failure.
    assert printed.err == ""
    return dict(json.loads(printed.out)) | {"seconds": 0}


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    document = studied(capsys, "--deals", "30", "--seed", "5")
    assert document["schema"] == "companion.study/1"
    assert (document["deals"], document["seed"], document["undecided"]) == (30, 5, 0)
    share, interval = document["share"], document["share_interval"]
    assert isinstance(share, float)
    assert isinstance(interval, list)
    assert share == pytest.approx(document["cleared"] / 30)  # type: ignore[operator]
    assert 0 <= interval[0] < share < interval[1] <= 1
    assert studied(capsys, "--deals", "30", "--seed", "5") == document
    assert studied(capsys, "--deals", "30", "--seed", "6") != document


def test_a_study_goes_on_from_its_state(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = str(tmp_path / "state.json")
    studied(capsys, "--deals", "25", "--state", state)
    assert studied(capsys, "--deals", "60", "--state", state) == studied(capsys, "--deals", "60")


def test_the_state_of_another_study_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = str(tmp_path / "state.json")
    studied(capsys, "--deals", "5", "--state", state)
    assert run(["study", "--deals", "5", "--workers", "1", "--seed", "9", "--state", state]) == 2
    said = capsys.readouterr().err
    assert "another study" in said
    assert said.count("\n") == 1


def test_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["study", "--deals", "10", "--workers", "1", "--rules", LITTLE]) == 0
    printed = capsys.readouterr().out
    assert "10 deals" in printed
    assert "can be cleared" in printed
    assert "mean best score" in printed


def test_no_deals(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["study", "--deals", "0"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="looks at processes as Linux shows them")
@pytest.mark.parametrize("again", [False, True], ids=["once", "again-and-again"])
def test_ctrl_c_while_workers_begin_is_one_line(again: bool) -> None:
    # They were still importing, and each printed where it was; so did the first one when it was hurried.
    script = Path(sys.executable).with_name("companion")
    with subprocess.Popen(
        [script, "study", "--deals", "20000", "--workers", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        children = Path(f"/proc/{running.pid}/task/{running.pid}/children")
        # One of them looks after the others.
        while running.poll() is None and len(children.read_text(encoding="ascii").split()) < 3:
            time.sleep(0.01)
        os.killpg(running.pid, signal.SIGINT)
        while again and running.poll() is None:
            time.sleep(0.005)
            os.killpg(running.pid, signal.SIGINT)
        printed = running.communicate(timeout=60)
    assert (running.returncode, printed) == (130, ("", "companion: stopped\n"))
