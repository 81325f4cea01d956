"""Rehearses a build without the phone's SDKs: the same files, the same packages, nothing else.

    python mobile/rehearse.py              every Python that Flet bundles
    python mobile/rehearse.py 3.13         one of them

It draws icons and splash in every size, as the build does. For each Python that is here it assembles the
file tree that `flet build` would package (by flet-cli's own rules, compiled, the sources gone, read-only),
installs only the dependencies that it would install, in the versions of Flet's mobile index, and runs a
scan, a hint, a check, a round and the screens in there. No other module can be imported, no connection
made, no other folder written. Of a Python that is not here only the packages are looked for; the one that
the build would take must be here. Needs `flet-cli`.
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
from flet_platform_assets import (
    IconOptions,
    SplashOptions,
    load_source,
    parse_hex_color,
    render_icons,
    render_splash,
)
from packaging.specifiers import SpecifierSet

HERE = Path(__file__).resolve().parent
BUNDLED = ("3.12", "3.13", "3.14")
"""The Pythons that Flet 1.0.5 bundles."""
JUNK = re.compile(r"\.(c|h|hpp|a|pdb|typed|exe|dll)$")
"""What serious_python removes from packages, besides __pycache__ and bin."""


def project() -> dict[str, object]:
    return tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))


def taken() -> str:
    """The Python that the build takes: the highest that the project allows."""
    allowed = SpecifierSet(project()["project"]["requires-python"])  # type: ignore[index]
    return [version for version in BUNDLED if f"{version}.99" in allowed][-1]


def draw() -> int:
    """Draw icons and splash as the build does; returns how many pictures. Raises `SystemExit` where it would
    warn: too small, cut off, not opaque."""
    flet = project()["tool"]["flet"]  # type: ignore[index]
    assets = HERE / flet["app"]["path"] / "assets"
    icon = IconOptions(background=parse_hex_color(flet["icon_background"]))
    splash = SplashOptions(color=flet["splash"]["color"], dark_color=flet["splash"]["dark_color"])
    count = 0
    for platform in ("android", "ios"):
        source, shaped = load_source(assets / f"icon_{platform}.png")
        art, _ = load_source(assets / "splash.png")
        for made in (
            render_icons(source, icon, platform=platform, pre_rendered=shaped),
            render_splash(art, None, splash, platform=platform),
        ):
            if made.warnings:
                raise SystemExit(f"{platform}: {made.warnings[0]}")
            count += len(made.assets)
    return count


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
    pip, index = pip_of(python), mobile_index()
    wanted = resolve(pip, target.parent)
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


def pip_of(python: str) -> list[str]:
    return [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--only-binary", ":all:"]


def mobile_index() -> dict[str, str]:
    """The compiled packages of Flet's mobile index by name, with their versions."""
    lines = (HERE / "index.txt").read_text().splitlines()
    return {re.split("[=<>]", line)[0]: line for line in lines if line and not line.startswith("#")}


def resolve(pip: list[str], work: Path) -> dict[str, str]:
    """The packages that the build would install, by name, and their versions."""
    constraints, report = work / "constraints.txt", work / "report.json"
    constraints.write_text("\n".join(line for line in mobile_index().values() if "==" in line) + "\n")
    how = ["-c", str(constraints), "--dry-run", "--ignore-installed", "--report", str(report)]
    subprocess.run([*pip, *how, *requirements()], check=True)
    found = [item["metadata"] for item in json.loads(report.read_text())["install"]]
    return {item["name"].lower().replace("_", "-"): item["version"] for item in found}


def look_for_packages(version: str) -> int:
    """Whether the packages can be had for a Python that is not here; how many there are."""
    with tempfile.TemporaryDirectory(prefix="mobile-") as place:
        kind = ["--python-version", version, "--implementation", "cp", "--target", place]
        return len(resolve([*pip_of(sys.executable), *kind], Path(place)))


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
    print(f"icons and splash: {draw()} pictures, no warning")
    for version in asked or BUNDLED:
        python = python_of(version)
        if python is not None:
            rehearse(version, python)
        elif version == taken() or asked:
            raise SystemExit(f"Python {version} is not here to rehearse with")
        else:
            print(f"Python {version}: not here; its {look_for_packages(version)} packages can be had")


if __name__ == "__main__":
    main(sys.argv[1:])
