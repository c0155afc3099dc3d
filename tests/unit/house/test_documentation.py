"""The blocks of the documentation: how pages are read and run.  ``make docs`` runs all of them."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

import spbfs

ROOT = Path(spbfs.__file__).parents[1]

pytestmark = pytest.mark.skipif(
    not (ROOT / "docs" / "builder").exists(), reason="needs the checkout that the tests came with"
)
sys.path.insert(0, str(ROOT))  # docs/builder is no part of the package

if (ROOT / "docs" / "builder").exists():
    from docs.builder import algorithms, links
    from docs.builder.blocks import OPTIONS, Block, Row, parts_of, text_of
    from docs.builder.contents import SECTIONS
    from docs.builder.rendered import rendered
    from docs.builder.run_pages import Ran, run_pages
    from docs.builder.site import beside, pages

PAGE = """\
# A page

```python
x = 20
print("twice")
x * 2
```

    ```python needs=nothing_that_there_is
    1 / 0
    ```

```python raises=ZeroDivisionError
1 / 0
```

```bash
echo in a shell | tr a-z A-Z
```

```text
not run
```

```python hidden
def same(theirs, ours):
    return theirs == ours
```

| You write | Write here | |
|---|---|---|
| `x + 2` | `len("a" * 22)` | the same |
| `x = 3` `x` | `1 \\| 2` | also |

```python alt="a line"
from matplotlib import pyplot
pyplot.plot([1, 2]);
```
"""


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    folder = tmp_path_factory.mktemp("page")
    page = folder / "page.md"
    page.write_text(PAGE, encoding="utf-8")
    (found,) = run_pages([page], folder / "pictures")
    assert found.error == ""
    return found


def test_parts_of_a_page() -> None:
    parts = list(parts_of(PAGE))
    assert [type(part) for part in parts] == [Block] * 5 + [Row] * 2 + [Block]
    assert parts[1].indent == "    " and parts[1].needs == ["nothing_that_there_is"]
    assert parts[6] == Row("x = 3\nx", "1 | 2", 33, [])
    with pytest.raises(ValueError, match=r"line 3: .*neds"):
        list(parts_of("\n\n```python neds=numpy\n```\n"))
    with pytest.raises(ValueError, match="line 1: the block is never closed"):
        list(parts_of("```python\n1"))


def test_what_came_of_a_page(ran: Ran) -> None:
    parts = list(ran.parts.values())
    assert parts[0]["output"] == "twice\n40\n"
    assert ran.left_out == ["needs nothing_that_there_is"] and ran.count == 7
    assert parts[2]["output"] == "ZeroDivisionError: division by zero\n"
    assert parts[3]["output"] == "IN A SHELL\n"
    (picture,) = parts[-1]["pictures"]
    assert b"<svg" in (ran.page.parent / "pictures" / picture).read_bytes()


def test_outputs_stand_below_blocks(ran: Ran) -> None:
    text = rendered(PAGE, ran, "../")
    assert "x * 2\n```\n\n```{code-block} text\n:class: output\n\ntwice\n40\n```\n" in text
    assert "def same" not in text and "raises" not in text and "needs" not in text
    assert re.search(r"!\[a line\]\(\.\./pictures/\S+\.svg\)", text)


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("```python\nx = 1\n\nx.y\n```", r"page\.md:4 in <module>.*\n?AttributeError"),
        ("```python raises=KeyError\n1\n```", "expected KeyError, nothing was raised"),
        ("```python raises=KeyError\n1 / 0\n```", "ZeroDivisionError"),
        ("```bash\nfalse\n```", "exit code 1"),
        ("```python\nimport warnings\nwarnings.warn('old')\n```", "UserWarning: old"),
        ("```python\nfrom matplotlib import pyplot\npyplot.figure();\n```", "has an alt"),
        (
            "```python\ndef same(a, b): return a == b\n```\n\n| You write | Write here |\n"
            "|---|---|\n| `1` | `2` |\n",
            "line 7: 1 is not the same as 2",
        ),
    ],
)
def test_what_fails_is_told_with_its_line(page: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(page, encoding="utf-8")
    (found,) = run_pages([path], tmp_path)
    assert re.search(said, found.error, re.DOTALL)


def test_blocks_of_the_readme_run(tmp_path: Path) -> None:
    readme, _ = run_pages(beside(), tmp_path)
    assert readme.error == "" and readme.count > 1


def test_notebooks_run_where_they_lie(tmp_path: Path) -> None:
    (ran,) = run_pages([ROOT / "examples" / "notebooks" / "ranks.ipynb"], tmp_path)
    assert ran.error == "" and ran.count > 1


def test_every_page_is_in_the_contents() -> None:
    listed = [page for _, some in SECTIONS for page in some]
    assert len(set(listed)) == len(listed)
    places = {links.place_of(page) for page in pages()}
    elsewhere = {place for place in places if re.match(r"performance-notes|papers/|index", place)}
    ours = {place for place in listed if not place.startswith("project/")}
    assert places - elsewhere == ours - elsewhere


@pytest.mark.parametrize("first", ["README.md", "docs/README.md"])
def test_every_page_is_two_links_from_the_first(first: str) -> None:
    """Also where nobody has built the site, which has a side bar."""
    reached = {ROOT / first}
    for _ in range(2):
        reached |= {
            Path(os.path.normpath(page.parent / link["path"]))
            for page in reached
            if page.suffix == ".md" and page.is_file()
            for link in links.LINK.finditer(text_of(page))
        }
    assert set(pages()) - {ROOT / "docs" / "README.md"} <= reached


def test_only_installing_is_not_run() -> None:
    for page in [*pages(), *beside()]:
        for part in parts_of(text_of(page)):
            if isinstance(part, Block):
                assert part.options.keys() <= OPTIONS
                assert "install" in part.options.get("skip", "install"), page


def test_every_algorithm_has_a_line() -> None:
    table = algorithms.table()
    for name in ("bfs", "sssp", "pagerank", "components"):
        assert f"#spbfs.{name}" in table


def test_notebooks_are_stored_without_outputs() -> None:
    import json

    notebooks = [page for page in pages() if page.suffix == ".ipynb"]
    assert len(notebooks) == 3
    for page in notebooks:
        cells = json.loads(page.read_text(encoding="utf-8"))["cells"]
        code = [cell for cell in cells if cell["cell_type"] == "code"]
        assert code and all(not cell["outputs"] for cell in code)
