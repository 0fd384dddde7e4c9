"""Real source files and real formatters, fetched by name with the ordinary clients of PyPI, npm and Debian.

Everything lands in one folder that the caller names; nothing is installed on the machine. What cannot be had is left
out, and ``Material.missing`` says why, so that a benchmark can report it as not run.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

NPM_TOOLS = ("prettier@3", "typescript@5")
NPM_SOURCES = {
    "typescript": ("rxjs@7", "zod@4", "effect@3", "@tanstack/query-core@5"),
    "javascript": ("preact@10", "express@4", "lodash@4", "commander@12", "three@0.160"),
    "tsx": ("react-native-paper@5", "@react-navigation/stack@7", "react-native-gesture-handler@2"),
}
DEBIAN = {
    "go": ("golang-1.19-go", "golang-1.19-src"),
    "rust": ("rust-src",),
    "c": ("libstb-dev",),
    "cpp": ("libfmt-dev",),
    "java": ("openjdk-17-source",),
}
EXTENSIONS = {
    "python": (".py",),
    "typescript": (".ts", ".mts"),
    "javascript": (".js", ".mjs", ".cjs", ".jsx"),
    "tsx": (".tsx",),
    "go": (".go",),
    "rust": (".rs",),
    "c": (".h", ".c"),
    "cpp": (".h", ".cc", ".cpp"),
    "java": (".java",),
}
LARGEST = 120_000
"""Files above this size (bytes) are left out: they cost time and are mostly generated."""
_PASSED_OVER = frozenset(
    {"node_modules", "dist", "testdata", "lib2to3", "vendor", "bad_tests", "ui", "docs", "__pycache__"}
)


@dataclass
class Material:
    """A folder of fetched tools and sources. ``missing`` maps what could not be had to the reason."""

    folder: Path
    missing: dict[str, str] = field(default_factory=dict)

    def python_tool(self, name: str) -> Path | None:
        """A formatter from PyPI: of the running environment if it is there, else of an environment in the folder."""
        here = Path(sysconfig.get_path("scripts")) / name
        if here.exists():
            return here
        environment = self.folder / "python"
        tool = environment / "bin" / name
        if not tool.exists():
            if not environment.exists():
                self._run(name, [sys.executable, "-m", "venv", str(environment)])
            self._run(name, [str(environment / "bin" / "python"), "-m", "pip", "install", "--quiet", name])
        return tool if tool.exists() else None

    def npm_module(self, name: str) -> Path | None:
        """A module from npm, as ``prettier@3``."""
        modules = self.folder / "npm"
        module = modules / "node_modules" / name.rsplit("@", 1)[0]
        if not module.exists():
            modules.mkdir(parents=True, exist_ok=True)
            (modules / "package.json").write_text("{}\n", "utf-8") if not (modules / "package.json").exists() else None
            self._run(
                name, ["npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", name], modules
            )
        return module if module.exists() else None

    def npm_source(self, name: str) -> Path | None:
        """The files of a package from npm, without its dependencies."""
        target = self.folder / "sources" / name.replace("/", "-")
        if not target.exists():
            target.mkdir(parents=True)
            self._run(name, ["npm", "pack", "--silent", "--pack-destination", str(target), name], target)
            for archive in target.glob("*.tgz"):
                self._run(name, ["tar", "-xzf", archive.name], target)
                archive.unlink()
        return target if any(target.iterdir()) else None

    def debian(self, name: str) -> Path:
        """The folder into which Debian packages are unpacked, with this one in it (not installed)."""
        target = self.folder / "debian"
        marker = target / f".{name}"
        if not marker.exists():
            target.mkdir(parents=True, exist_ok=True)
            if self._run(name, ["apt-get", "download", name], target):
                for archive in target.glob(f"{name}_*.deb"):
                    if self._run(name, ["dpkg", "-x", archive.name, "."], target):
                        marker.touch()
                    archive.unlink()
        return target

    def gofmt(self) -> Path | None:
        """gofmt, of the machine or from Debian."""
        return self._found("gofmt") or _existing(self.debian("golang-1.19-go") / "usr/lib/go-1.19/bin/gofmt")

    def go_root(self) -> Path | None:
        """The folder of Debian's Go toolchain."""
        self.debian("golang-1.19-src")
        return _existing(self.debian("golang-1.19-go") / "usr/lib/go-1.19")

    def rustc(self) -> Path | None:
        """The Rust compiler, if the machine has one."""
        tool = self._found("rustc") or _existing(Path.home() / ".cargo" / "bin" / "rustc")
        if tool is None:
            self.missing["the witness for Rust"] = "no Rust toolchain on this machine"
        return tool

    def rustfmt(self) -> Path | None:
        """rustfmt, if the machine has a Rust toolchain."""
        tool = self._found("rustfmt") or _existing(Path.home() / ".cargo" / "bin" / "rustfmt")
        if tool is None:
            self.missing["rustfmt"] = "no Rust toolchain on this machine"
        return tool

    def files(self, language: str, count: int, seed: int) -> list[Path]:
        """Real files of a language, ``count`` of them by a seeded choice."""
        extensions = EXTENSIONS[language]
        found = []
        for root in self._roots(language):
            for path in root.rglob("*"):
                inside = path.relative_to(root).parts
                if (
                    path.suffix in extensions
                    and not path.name.endswith((".d.ts", ".min.js", ".d.mts"))
                    and not _PASSED_OVER.intersection(inside[:-1])
                    and path.is_file()
                    and 200 < path.stat().st_size <= (LARGEST if language not in ("c", "cpp") else 4 * LARGEST)
                ):
                    found.append(path)
        found.sort()
        random.Random(f"{language} {seed}").shuffle(found)
        return found[:count]

    def _roots(self, language: str) -> list[Path]:
        if language == "python":
            return [Path(sysconfig.get_path("stdlib"))]
        if language in NPM_SOURCES:
            return [root for name in NPM_SOURCES[language] if (root := self.npm_source(name)) is not None]
        for name in DEBIAN[language]:
            self.debian(name)
        unpacked = self.folder / "debian"
        if language == "java" and not (unpacked / "java").exists():
            archive = unpacked / "usr/lib/jvm/openjdk-17/lib/src.zip"
            archive = archive if archive.exists() else unpacked / "usr/lib/jvm/openjdk-17/src.zip"
            if archive.exists():
                with zipfile.ZipFile(archive) as source:
                    names = [
                        name for name in source.namelist() if name.startswith(("java.base/java/", "java.net.http/"))
                    ]
                    source.extractall(unpacked / "java", names)
        roots = {
            "go": unpacked / "usr/share/go-1.19/src",
            "rust": unpacked / "usr/src",
            "c": unpacked / "usr/include/stb",
            "cpp": unpacked / "usr/include/fmt",
            "java": unpacked / "java",
        }
        return [root for root in [roots[language]] if root.exists()]

    def _found(self, name: str) -> Path | None:
        path = shutil.which(name)
        return Path(path) if path else None

    def _run(self, name: str, command: list[str], folder: Path | None = None) -> bool:
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            self.missing[name] = str(error)
            return False
        if done.returncode:
            lines = (done.stderr or done.stdout).strip().splitlines()
            self.missing[name] = lines[-1][:200] if lines else f"{command[0]} failed"
        return done.returncode == 0


def _existing(path: Path) -> Path | None:
    return path if path.exists() else None
