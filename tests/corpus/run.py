"""Checks real tools: public packages, decorated mechanically, under the plugin.

Nobody wrote these functions for us, so they hold what we did not think of. Each package
is installed without its dependencies into a throwaway folder, its functions get our
decorator, and mypy runs over it. What counts is that the plugin never crashes and that no
tool is lost silently: each has an entry in its module's sidecar or a finding on its lines,
unless its author silenced these with `# type: ignore`.

    python tests/corpus/run.py                  four packages, a minute or two
    python tests/corpus/run.py --full           what $TOOLCALL_CORPORA/packages.txt lists
    python tests/corpus/run.py NAME...          these
    ... --folder INSTALLED --work CHECKED       keep what was installed, what was checked

Packages float on purpose: what is new there is the point. Nothing of them is kept.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import Distribution, distributions
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from decorate import Decorated, decorate

SHORT = ("mcp-server-git", "mcp-server-time", "bfcl-eval", "agno:agno/tools")
"""Distributions; after a colon the folder whose modules are decorated, instead of all."""

AT_LEAST = {False: 200, True: 2000}
"""How many functions a run of the short and of the full selection must have seen."""

CONFIGURATION = """\
[mypy]
plugins = toolcall_mypy
ignore_missing_imports = True
explicit_package_bases = True
namespace_packages = True
"""


@dataclass
class Report:
    """What one package gave."""

    package: str
    seen: int = 0
    derived: int = 0
    silenced: int = 0
    seconds: float = 0.0
    findings: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    crash: str = ""

    @property
    def is_bad(self) -> bool:
        return bool(self.crash or self.lost or self.findings["toolcall-internal-error"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("packages", nargs="*", metavar="NAME")
    parser.add_argument("--full", action="store_true", help="what the corpora folder lists")
    parser.add_argument("--folder", type=Path, help="keep installed packages here")
    parser.add_argument("--work", type=Path, help="keep what was checked and found here")
    given = parser.parse_args()
    names = given.packages or (listed() if given.full else SHORT)
    with tempfile.TemporaryDirectory(prefix="corpus-") as temporary:
        kept = (given.folder or Path(temporary, "installed")).resolve()
        work = (given.work or Path(temporary, "work")).resolve()
        reports = [checked(name, kept, work) for name in names]
    seen = sum(report.seen for report in reports)
    print(f"{seen} functions seen, {sum(report.derived for report in reports)} derived")
    if not given.packages and seen < AT_LEAST[given.full]:
        print(f"too few: {AT_LEAST[given.full]} expected")
        return 1
    return int(any(report.is_bad for report in reports))


def listed() -> list[str]:
    folder = os.environ.get("TOOLCALL_CORPORA")
    if folder is None:
        sys.exit("--full needs TOOLCALL_CORPORA, a folder with a list packages.txt")
    lines = Path(folder, "packages.txt").read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def checked(name: str, kept: Path, work: Path, python: str = sys.executable) -> Report:
    """Check one package; its decorated copy, sidecars and findings stay in `work`.

    Args:
        name: a distribution, after a colon the folder in it that is decorated.
        kept: where distributions are installed, and looked for first.
        work: gets a folder of the distribution's name, with the mypy output `findings.jsonl`.
        python: the interpreter whose packages mypy finds.
    """
    package, _, part = name.partition(":")
    report = Report(name)
    if not (kept / package).exists():
        _install(package, kept / package)
    folder = work / package
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(kept / package, folder)
    modules = _decorated(folder, part)
    report.seen = sum(len(functions) for functions in modules.values())
    started = time.monotonic()
    findings = _findings(folder, modules, report, python)
    report.seconds = time.monotonic() - started
    for module, functions in modules.items():
        _account(folder, module, functions, findings.get(module, []), report)
    _print(report)
    return report


def _install(package: str, folder: Path) -> None:
    options = ["--quiet", "--no-deps", "--no-compile", "--target", str(folder)]
    command = [sys.executable, "-m", "pip", "install", *options, package]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)


def _decorated(folder: Path, part: str) -> dict[str, list[Decorated]]:
    """Decorate the modules of a part of the folder in place; its path → its tools."""
    modules: dict[str, list[Decorated]] = {}
    for path in _python_files(folder):
        try:
            text, functions = decorate(path.read_text(encoding="utf-8"))
        except (SyntaxError, UnicodeDecodeError, ValueError) as error:
            print(f"  skipped {path.name}: {error}")
            path.unlink()  # mypy would stop at it if another module imported it
            continue
        if functions and path.is_relative_to(folder / part):
            path.write_text(text, encoding="utf-8")
            modules[path.relative_to(folder).as_posix()] = functions
    return modules


def _python_files(folder: Path) -> Iterator[Path]:
    for distribution in distributions(path=[str(folder)]):
        yield from _files_of(distribution, folder)


def _files_of(distribution: Distribution, folder: Path) -> Iterator[Path]:
    for file in sorted(distribution.files or [], key=str):
        path = folder / file
        parts = (*file.parts[:-1], path.stem)
        if path.suffix == ".py" and path.exists() and all(part.isidentifier() for part in parts):
            yield path


def _findings(
    folder: Path, modules: dict[str, list[Decorated]], report: Report, python: str
) -> dict[str, list[int]]:
    """Run mypy; the lines of our findings by module."""
    configuration, listing = folder / "corpus.ini", folder / "modules.txt"
    configuration.write_text(CONFIGURATION, encoding="utf-8")
    listing.write_text("\n".join(modules), encoding="utf-8")
    # What is installed beside us is checked once for all packages.
    cache = folder.parent / ".mypy_cache"
    if not modules:
        return {}  # mypy wants something to check
    options = ["--config-file", configuration.name, "--output", "json", "--cache-dir", str(cache)]
    options += ["--python-executable", python]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, f"@{listing.name}"],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    (folder / "findings.jsonl").write_text(done.stdout, encoding="utf-8")
    lines: dict[str, list[int]] = {}
    for line in done.stdout.splitlines():
        if not line.startswith("{"):
            continue
        entry = json.loads(line)
        if (entry["code"] or "").startswith("toolcall-"):
            report.findings[entry["code"]] += 1
            lines.setdefault(Path(entry["file"]).as_posix(), []).append(entry["line"])
    if done.returncode not in {0, 1}:
        report.crash = "\n".join([*done.stdout.splitlines()[-5:], done.stderr[-3000:]])
    return lines


def _account(
    folder: Path, module: str, functions: list[Decorated], lines: list[int], report: Report
) -> None:
    """Count what was derived, and name what has neither an entry nor a finding."""
    path = folder / module
    sidecar = path.parent / "__toolcall__" / f"{path.stem}.json"
    entries: set[tuple[str, int]] = set()
    if sidecar.exists():
        tools = json.loads(sidecar.read_text(encoding="utf-8"))["tools"]
        entries = {(tool["key"], tool["line"]) for tool in tools}
    text = path.read_text(encoding="utf-8").splitlines()
    for function in functions:
        written = text[function.first_line - 1 : function.last_line]
        if (function.qualname, function.first_line) in entries:
            report.derived += 1
        elif any("# type: ignore" in line for line in written):
            report.silenced += 1
        elif not any(function.first_line <= line <= function.last_line for line in lines):
            report.lost.append(f"{module}:{function.first_line}: {function.qualname}")


def _print(report: Report) -> None:
    verdict = "BAD" if report.is_bad else "ok"
    print(
        f"{report.package}: {report.seen} seen, {report.derived} derived, "
        f"{report.silenced} silenced, "
        f"{report.seconds:.1f} s, {verdict}"
    )
    for code, count in sorted(report.findings.items()):
        print(f"    {count:5} {code}")
    for lost in report.lost[:20]:
        print(f"    lost: {lost}")
    if len(report.lost) > 20:
        print(f"    lost: … and {len(report.lost) - 20} more")
    if report.crash:
        print(f"    crash: {report.crash}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
