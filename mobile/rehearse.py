"""Rehearses a build without the phone's SDKs: the same files, the same packages, nothing else.

    python mobile/rehearse.py              every Python that Flet bundles and that is here
    python mobile/rehearse.py 3.13         one of them

For each Python it assembles the file tree that `flet build` would package (by flet-cli's own rules, compiled,
the sources gone, read-only), installs only the dependencies that it would install, in the versions of Flet's
mobile index, and runs a scan, a hint, a check, a round and the screens in there. No other module can be
imported, no connection made, no other folder written. Needs `flet-cli`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from flet_cli.utils.app_excludes import find_default_excludes
from flet_cli.utils.project_dependencies import get_project_dependencies

HERE = Path(__file__).resolve().parent
BUNDLED = ("3.12", "3.13", "3.14")
"""The Pythons that Flet 1.0.5 bundles."""
JUNK = re.compile(r"\.(c|h|hpp|a|pdb|typed|exe|dll)$")
"""What serious_python removes from packages, besides __pycache__ and bin."""


def project() -> dict[str, object]:
    return tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))


def assemble(target: Path) -> list[str]:
    """Copy what `flet build` packages into `target`; returns the paths, relative."""
    flet = project()["tool"]["flet"]  # type: ignore[index]
    source = HERE / flet["app"]["path"]
    explicit = ["build", *flet["app"]["exclude"]]
    excluded = {*explicit, *find_default_excludes(source, (), explicit)}
    found = []
    for folder, folders, files in os.walk(source, followlinks=True):
        here = Path(folder).relative_to(source)
        folders[:] = sorted(name for name in folders if str(here / name) not in excluded)
        for name in sorted(files):
            path = here / name
            if str(path) in excluded:
                continue
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / path, target / path)
            found.append(path.as_posix())
    return found


def requirements() -> list[str]:
    """What `flet build` hands to pip."""
    return get_project_dependencies(project()["project"]["dependencies"]) or []  # type: ignore[index]


def compile_sources(python: str, folder: Path) -> None:
    """As the build does: byte code beside, and the sources gone."""
    subprocess.run([python, "-m", "compileall", "-q", "-b", str(folder)], check=True)
    for path in folder.rglob("*.py"):
        path.unlink()


def install(python: str, target: Path) -> None:
    """Install the packages and no other: the compiled ones in the versions of the mobile index, all others as
    pure Python. Raises `SystemExit` where one can be had neither way."""
    lines = (HERE / "index.txt").read_text().splitlines()
    index = {re.split("[=<>]", line)[0]: line for line in lines if line and not line.startswith("#")}
    constraints = target.parent / "constraints.txt"
    constraints.write_text("\n".join(line for line in index.values() if "==" in line) + "\n")
    report = target.parent / "report.json"
    pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--only-binary", ":all:"]
    resolve = [*pip, "-c", str(constraints), "--dry-run", "--ignore-installed", "--report", str(report)]
    subprocess.run([*resolve, *requirements()], check=True)
    found = [item["metadata"] for item in json.loads(report.read_text())["install"]]
    wanted = {item["name"].lower().replace("_", "-"): item["version"] for item in found}
    for native in (True, False):
        names = [f"{name}=={version}" for name, version in wanted.items() if (name in index) is native]
        kind = [] if native else ["--platform", "any", "--implementation", "py", "--abi", "none"]
        done = subprocess.run([*pip, "--no-deps", "--target", str(target), *kind, *names])
        if done.returncode:
            raise SystemExit(f"not all of these can be had on a phone: {', '.join(names)!r}")
    for path in sorted(target.rglob("*"), reverse=True):
        if path.is_dir() and path.name in ("bin", "__pycache__"):
            shutil.rmtree(path)
        elif path.is_file() and JUNK.search(path.name):
            path.unlink()


def python_of(version: str) -> str | None:
    """A Python of this version on this machine, or one that uv or pyenv has."""
    found = shutil.which(f"python{version}")
    if found and works(found, version):
        return found
    for root in (os.environ.get("PYENV_ROOT", ""), str(Path.home() / ".pyenv")):
        if root:
            for place in sorted(Path(root).glob(f"versions/{version}.*/bin/python"), reverse=True):
                if works(str(place), version):
                    return str(place)
    return None


def works(python: str, version: str) -> bool:
    asked = subprocess.run(
        [python, "-c", "import sys, sqlite3, ssl; print('%d.%d' % sys.version_info[:2])"],
        capture_output=True,
        text=True,
    )
    return asked.stdout.strip() == version


def rehearse(version: str, python: str) -> None:
    with tempfile.TemporaryDirectory(prefix="mobile-") as place:
        work = Path(place)
        app, packages, data = work / "app", work / "packages", work / "data"
        files = assemble(app)
        size = sum((app / path).stat().st_size for path in files)
        install(python, packages)
        compile_sources(python, app)
        compile_sources(python, packages)
        shutil.copyfile(HERE / "trial.py", work / "trial.py")
        tests = HERE.parent / "tests"
        shutil.copyfile(tests / "app" / "harness.py", work / "harness.py")
        for name in ("table.jpg", "table.json"):
            shutil.copyfile(tests / "browser" / name, work / name)
        data.mkdir()
        for path in app.rglob("*"):
            path.chmod(0o555 if path.is_dir() else 0o444)
        environment = {
            "PATH": "/usr/bin:/bin",
            "FLET_APP_STORAGE_DATA": str(data),
            "FLET_PLATFORM": "android",
        }
        environment |= {"COMPANION_TRIAL_APP": str(app), "COMPANION_TRIAL_PACKAGES": str(packages)}
        # -I -S: no user's packages, no environment, not even this Python's own site-packages.
        done = subprocess.run([python, "-I", "-S", str(work / "trial.py")], env=environment, cwd=data)
        for path in app.rglob("*"):
            path.chmod(0o755)
        if done.returncode:
            raise SystemExit(f"the rehearsal on Python {version} failed")
        print(f"Python {version}: {len(files)} files, {size / 1e6:.1f} MB; all works")


def main(asked: list[str]) -> None:
    ran = []
    for version in asked or BUNDLED:
        python = python_of(version)
        if python is None:
            print(f"Python {version}: not here, left out")
            continue
        rehearse(version, python)
        ran.append(version)
    if not ran:
        raise SystemExit("none of the Pythons that Flet bundles is here")


if __name__ == "__main__":
    main(sys.argv[1:])
