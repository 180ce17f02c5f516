"""Compares our schemas with those of the peers, on real functions of public packages.

The corpus run decorates and checks a package and leaves its sidecars; the same functions,
undecorated, are imported in a process of their own and given to every peer (`ask`). What
most peers agree on and we say otherwise is listed, by kinds (`kinds`): those that are
known and documented, and the rest, which is what the run is for.

    python tests/peers/run.py                   packages whose modules import
    python tests/peers/run.py NAME...           these
    ... --folder INSTALLED --work CHECKED       as for the corpus; checked ones are reused
    ... --all-known                             fail at a difference of an unknown kind

Standard output has the counts; `differences.jsonl` in the work folder has everything.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(ROOT / "tests/corpus"))
from tests.corpus.run import checked
from tests.peers.compare import Answer, Difference, differences
from tests.peers.kinds import kind_of
from toolcall.formats import _jsonschema, openai

PACKAGES = (
    "mcp-server-time",
    "mcp-server-git",
    "bfcl-eval",
    "strands-agents-tools",
    "agno:agno/tools",
    "pandas",
    "xarray",
    "sqlalchemy",
    "twisted",
    "azure-storage-blob",
    "aws-lambda-powertools",
)
"""Distributions whose dependencies the environment has, at least for most modules."""

SHOWN = 15
"""Differences of an unknown kind that are printed; the file has all."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("packages", nargs="*", metavar="NAME")
    parser.add_argument("--folder", type=Path, help="keep installed packages here")
    parser.add_argument("--work", type=Path, help="keep what was checked here, and reuse it")
    parser.add_argument("--all-known", action="store_true", help="fail at unknown differences")
    parser.add_argument("--python", default=sys.executable, help="where the peers are installed")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="peers-") as temporary:
        kept = (given.folder or Path(temporary, "installed")).resolve()
        work = (given.work or Path(temporary, "work")).resolve()
        rows = [
            row
            for package in given.packages or PACKAGES
            for row in compared(package, kept, work, given.python)
        ]
        unknown = _report(rows, work)
    is_empty = not any(row.get("answers") for row in rows)
    return int(given.all_known and (unknown > 0 or is_empty))


def compared(package: str, kept: Path, work: Path, python: str) -> Iterator[dict[str, Any]]:
    """One row a function: what we say, what the peers say, where these differ."""
    name = package.partition(":")[0]
    if not (work / name / "findings.jsonl").exists():
        checked(package, kept, work, python)
    ours = dict(_our_answers(work / name))
    asked = _asked(ours, kept / name, python)
    for row in asked:
        own = ours[row["module"], row["qualname"]]
        found, counts = differences(own, row.get("answers", {}))
        yield {**row, "package": package, "ours": own, "differences": found, "compared": counts}


def _our_answers(folder: Path) -> Iterator[tuple[tuple[str, str], Answer]]:
    """The tools of all sidecars below a folder, by module and qualname."""
    for path in sorted(folder.rglob("__toolcall__/*.json")):
        sidecar = json.loads(path.read_text(encoding="utf-8"))
        parts = [*path.parent.parent.relative_to(folder).parts, path.stem]
        module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        for tool in sidecar["tools"]:
            definition = {"tool": tool, "types": sidecar["types"]}
            schema = _jsonschema.render(definition, openai.DIALECT)  # type: ignore[arg-type]
            bare = [one["wire"] for one in tool["parameters"] if _has_bare_enum(one["type"])]
            answer = {
                "description": tool.get("doc", ""),
                "parameters": schema,
                "bare_enums": bare,
            }
            yield (module, tool["key"]), answer


def _has_bare_enum(node: Any) -> bool:
    """Whether a type has a part that is an Enum without members."""
    if isinstance(node, list):
        return any(map(_has_bare_enum, node))
    if not isinstance(node, dict):
        return False
    is_bare = node.get("kind") == "enum" and not node["members"]
    return is_bare or any(map(_has_bare_enum, node.values()))


def _asked(
    functions: Iterable[tuple[str, str]], folder: Path, python: str
) -> Iterator[dict[str, Any]]:
    """The peers' answers; a process that dies takes no more than its function with it."""
    waiting = [
        {"folder": str(folder), "module": module, "qualname": qualname}
        for module, qualname in functions
    ]
    while waiting:
        done = subprocess.run(
            [python, str(Path(__file__).with_name("ask.py"))],
            input="\n".join(map(json.dumps, waiting)),
            capture_output=True,
            text=True,
            check=False,
            cwd=tempfile.gettempdir(),
        )
        answered = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        yield from answered
        waiting = waiting[len(answered) + 1 :]


def _report(rows: list[dict[str, Any]], work: Path) -> int:
    """Print the counts; how many differences are of no known kind."""
    compared_levels: Counter[str] = Counter()
    kinds: Counter[tuple[str, str]] = Counter()
    unknown: list[tuple[dict[str, Any], Difference]] = []
    with (work / "differences.jsonl").open("w", encoding="utf-8") as file:
        for row in rows:
            compared_levels += row["compared"]
            place = {"package": row["package"], "module": row["module"], "name": row["qualname"]}
            for difference in row["differences"]:
                kind = kind_of(difference, row)
                kinds[difference.level, kind or "unknown"] += 1
                if kind is None:
                    unknown.append((row, difference))
                line = {**place, "kind": kind, **difference._asdict()}
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
    imported = [row for row in rows if row.get("answers")]
    print(f"{len(rows)} functions, {len(imported)} of them imported and answered by a peer")
    for package, count in Counter(row["package"] for row in imported).items():
        print(f"    {count:5} {package}")
    for level, count in compared_levels.items():
        print(f"{level}: {count} majorities")
        for (of, kind), number in sorted(kinds.items()):
            if of == level:
                print(f"    {number:5} {kind}")
    for row, difference in unknown[:SHOWN]:
        print(f"{row['module']}.{row['qualname']}: {difference.level} {difference.where}")
        print(f"    ours   {difference.ours!r}\n    theirs {difference.theirs!r}")
    return len(unknown)


if __name__ == "__main__":
    sys.exit(main())
