"""Runs the examples of one page, in order, in the working directory.

What a fence does follows from its first line alone, so a page needs no hidden markup:

    python title="a/b.py"   (any language) writes that file
    console                 runs each line after `$ ` and compares what it prints
    pycon                   a doctest; one namespace for the whole page
    python                  runs in that namespace
    any other               is there to be read

`...` in expected output stands for anything. A page is a process of its own: modules,
registered tools and the working directory are not shared with other pages or tests.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from sybil import Document, Example, Region
from sybil.evaluators.doctest import DocTestEvaluator
from sybil.evaluators.python import PythonEvaluator
from sybil.parsers.abstract.doctest import DocTestStringParser
from sybil.parsers.markdown.lexers import RawFencedCodeBlockLexer
from sybil.typing import Evaluator

FENCE = RawFencedCodeBlockLexer(
    re.compile(r'(?P<language>\w+)(?: title="(?P<title>[^"]+)")?[^\n]*\n')
)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def fences(document: Document) -> Iterator[Region]:
    """The page's examples, each with what evaluates it."""
    for region in FENCE(document):
        language, title = region.lexemes["language"], region.lexemes["title"]
        region.parsed = region.lexemes["source"]
        if title:
            region.evaluator = _write
        elif language == "pycon":
            yield from _doctests(document, region)
            continue
        else:
            region.evaluator = EVALUATORS.get(language)
        if region.evaluator is not None:
            yield region


def run(page: Path) -> int:
    """Run a page's examples and return how many there are."""
    examples = list(Document.parse(str(page), fences))
    for example in examples:
        example.evaluate()
    return len(examples)


def _doctests(document: Document, fence: Region) -> Iterator[Region]:
    for region in DocTestStringParser(DocTestEvaluator(FLAGS))(fence.parsed, document.path):
        shift = fence.start + fence.parsed.offset
        region.start += shift
        region.end += shift
        yield region


def _write(example: Example) -> None:
    path = Path(example.region.lexemes["title"])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(str(example.parsed), encoding="utf-8")


def _console(example: Example) -> str:
    """Run the commands of a console session; what differs, or nothing."""
    for session in re.split(r"^\$ ", str(example.parsed), flags=re.MULTILINE)[1:]:
        command, _, wanted = session.partition("\n")
        got = _output(command)
        checker = doctest.OutputChecker()
        if not checker.check_output(wanted.strip() + "\n", got.strip() + "\n", FLAGS):
            return f"$ {command}\nexpected:\n{wanted}\ngot:\n{got}"
    return ""


def _output(command: str) -> str:
    """What a command prints, with the scripts beside this interpreter first on the path."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        command,
        shell=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        env={**os.environ, "PATH": path, "COLUMNS": "100", "NO_COLOR": "1"},
    )
    return done.stdout


EVALUATORS: dict[str, Evaluator] = {"console": _console, "python": PythonEvaluator()}

if __name__ == "__main__":
    sys.path.insert(0, os.getcwd())
    print(run(Path(sys.argv[1])), "examples")
