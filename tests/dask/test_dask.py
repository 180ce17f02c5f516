"""A stream of calls on a Dask cluster: its client makes an executor like any other."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

distributed = pytest.importorskip("distributed", reason="Dask is not installed")

from tests.runtime.builders import Packages, entry
from toolcall import Err, Ok, ToolCall, run_many

TEXT = "from toolcall import tool\n\n@tool\ndef double(n):\n    return n * 2\n"


@pytest.fixture
def client() -> Iterator[Any]:
    """Two workers on this machine: processes that talk over the loopback."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cluster = distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
        )
        with cluster, distributed.Client(cluster) as connected:
            yield connected


@pytest.mark.filterwarnings("ignore")
def test_run_many_over_a_cluster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, client: Any
) -> None:
    """Workers of their own processes import the module by its name; answers come in order."""
    packages = Packages(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    packages.source("doubled", TEXT)
    packages.build("doubled", [entry("double", line=3)])
    module = importlib.import_module("doubled")
    client.run(_find, str(tmp_path))
    calls = [ToolCall(str(n), "double", {"n": n}) for n in range(50)]
    with client.get_executor() as pool:
        answers = list(run_many(module, [*calls, ("double", {"n": "x"})], pool, window=8))
    assert answers[:-1] == [Ok(2 * n) for n in range(50)]
    assert isinstance(answers[-1], Err)
    assert [problem.code for problem in answers[-1].problems] == ["expected_integer"]


def _find(folder: str) -> None:
    """Let a worker import from here."""
    import sys

    sys.path.insert(0, folder)
