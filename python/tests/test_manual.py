"""The Python blocks of the manual run in order, each page in a folder of its own."""

import pathlib
import re

import pytest

DOCS = pathlib.Path(__file__).parents[2] / "docs"
PAGES = sorted(p for folder in ("questions", "tutorials") for p in (DOCS / folder).glob("*.md") if "```python\n" in p.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scope = {}
    for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL):
        exec(compile(block, str(page), "exec"), scope)  # noqa: S102


def test_pages_are_found():
    assert {"install", "demo", "your-arm", "design-and-record"} <= {p.stem for p in PAGES}
