"""The pictures of the editor show what mypy says today."""

from __future__ import annotations

import re

import pytest

from tests.docs.pictures import FOLDER, MODULES, draw, picture

DRAWN = re.compile(r"<text[^>]*>([^<]*)<")


def test_pictures_are_of_what_mypy_says(request: pytest.FixtureRequest) -> None:
    """Each file is what is drawn of mypy's output; `--update-goldens` draws them anew."""
    drawn = draw()
    if request.config.getoption("--update-goldens"):
        for path, svg in drawn.items():
            path.write_text(svg, encoding="utf-8")
    for path, svg in drawn.items():
        assert path.read_text(encoding="utf-8") == svg, f"{path.name}: --update-goldens draws it"


def test_a_picture_changes_with_the_module() -> None:
    """A mistake that is mended is not in the picture any more."""
    name, text = MODULES["parameters"]
    assert "toolcall-default-mismatch" in picture(name, text)
    assert "toolcall-default-mismatch" not in picture(name, text.replace("= 0", "= 1"))


@pytest.mark.parametrize("name", MODULES)
def test_every_character_of_a_module_is_drawn(name: str) -> None:
    """Colouring loses nothing."""
    said = DRAWN.findall((FOLDER / f"{name}.svg").read_text(encoding="utf-8"))
    text = MODULES[name][1]
    code = "".join(said).replace("&quot;", '"').replace("&gt;", ">").replace("&#x27;", "'")
    for word in re.findall(r"\w+", text):
        assert word in code
