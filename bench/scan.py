"""Times a scan stage by stage, beside Ultralytics running the same finder where it is installed.

    python -m bench.scan PHOTO [PHOTO ...] [--rounds 5] [--threads 2]

The first scan of the process loads the models (cold); the medians of the others are the warm figures.  The
peak is the process's largest resident memory after the scans, before Ultralytics is imported.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.vision import Models, open_photo, scan_photo
from companion.vision.manifest import FOLDER, read_manifest
from companion.vision.models import load_models

STAGES = ("load", "detect", "read", "table")


def main(arguments: Sequence[str] | None = None) -> None:
    options = _options(arguments)
    print(
        f"{'photo':24} {'megapixels':>10} " + " ".join(f"{stage:>8}" for stage in STAGES) + f" {'total':>8}"
    )
    models: Models | None = None
    for path in options.photos:
        if models is None:
            cold, models = _cold(path, options.threads)
            print(f"cold, models and first scan of {path.name}: {cold:.2f} s")
        _report(path, options.rounds, models)
    print(f"peak memory: {_peak_megabytes():.0f} MB")
    _beside_ultralytics(options.photos, options.rounds, options.threads)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("photos", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=5, help="scans of each photo, the median counts")
    parser.add_argument("--threads", type=int, default=0, help="threads of each model, 0 for one a core")
    return parser.parse_args(arguments)


def _cold(path: Path, threads: int) -> tuple[float, Models]:
    since = time.perf_counter()
    models = load_models(threads)
    scan_photo(path, models=models)
    return time.perf_counter() - since, models


def _report(path: Path, rounds: int, models: Models) -> None:
    scans = [scan_photo(path, models=models) for _ in range(rounds)]
    stages = [statistics.median(scan.seconds[stage] for scan in scans) for stage in STAGES]
    size = scans[0].width * scans[0].height / 1e6
    print(
        f"{path.name:24} {size:>10.1f} "
        + " ".join(f"{spent:>8.3f}" for spent in stages)
        + f" {sum(stages):>8.3f}"
    )


def _peak_megabytes() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**20 if sys.platform == "darwin" else peak / 2**10


def _beside_ultralytics(photos: Sequence[Path], rounds: int, threads: int) -> None:
    try:
        import torch
        from ultralytics import YOLO
    except ImportError:
        print("ultralytics is not installed (the train extra): nothing to compare with")
        return
    if threads:
        torch.set_num_threads(threads)
    model = YOLO(str(FOLDER / read_manifest()["finder"].file), task="pose")
    for path in photos:
        pixels = open_photo(path).pixels[..., ::-1]
        spent = _median(lambda p=pixels: model.predict(p, imgsz=1280, verbose=False, device="cpu"), rounds)
        print(f"{path.name:24} ultralytics, the same finder at 1280: {spent:.3f} s")


def _median(run: Callable[[], object], rounds: int) -> float:
    run()
    spent = []
    for _ in range(rounds):
        since = time.perf_counter()
        run()
        spent.append(time.perf_counter() - since)
    return statistics.median(spent)


if __name__ == "__main__":
    main()
