"""The long form of fuzzing, led by coverage: `python -m tests.fuzz TARGET [libFuzzer options]`.

Needs atheris, which has wheels for some Pythons only. `-max_total_time=3600` runs for an
hour. What makes a target raise is written to a file beside and ends the run.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["toolcall"]):
    from tests.fuzz.targets import SEEDS, TARGETS


def main() -> None:
    """Start from the right texts of the target."""
    name, *options = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for number, seed in enumerate(SEEDS[name]):
            Path(folder, str(number)).write_bytes(seed)
        atheris.Setup([sys.argv[0], *options, folder], TARGETS[name])
        atheris.Fuzz()


if __name__ == "__main__":
    main()
