"""Run the blocks of one page, as a program of its own: ``python -m docs.builder.run_page``.

Blocks share their names, as cells of a notebook do: what a block prints, the value of its last
line and the figures it leaves are its output.  The process works in a folder that it may fill.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib.util
import io
import json
import os
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any

from docs.builder.blocks import Block, Row, parts_of, text_of

ROOT = Path(__file__).parents[2]
#: The engines that a block may need, beside packages.
ENGINES = ("cuda",)
#: How pictures are drawn: the same bytes for the same numbers, their words as words.
DRAWN = {"svg.hashsalt": "spbfs", "svg.fonttype": "none"}


class Page:
    """The names of a page's program, and where its pictures go."""

    def __init__(self, name: str, pictures: Path) -> None:
        self.name = name
        self.pictures = pictures
        self.names: dict[str, Any] = {"__name__": "__main__"}

    def run(self, part: Block | Row) -> dict[str, Any]:
        """What came of a part: its output and pictures, or why it was left out, or an error."""
        missing = [name for name in part.needs if not _there(name)]
        if missing:
            return {"left_out": f"needs {', '.join(missing)}"}
        if isinstance(part, Row):
            return self._row(part)
        if "skip" in part.options:
            return {"left_out": part.options["skip"]}
        if part.language == "bash":
            return _shell(part)
        return self._python(part)

    def _python(self, block: Block) -> dict[str, Any]:
        printed = io.StringIO()
        expected = block.options.get("raises")
        try:
            with contextlib.redirect_stdout(printed):
                self._execute(block.code, block.first, block.indent)
        except Exception as error:
            if type(error).__name__ != expected:
                return {"error": _told(error)}
            printed.write(f"{expected}: {error}\n")
        else:
            if expected:
                return {"error": f"line {block.first}: expected {expected}, nothing was raised"}
        pictures = self._pictures(block)
        if bool(pictures) != ("alt" in block.options):
            return {"error": f"line {block.first}: a block draws a picture where it has an alt"}
        return {"output": printed.getvalue(), "pictures": pictures}

    def _execute(self, code: str, line: int, indent: str = "") -> None:
        """Run statements; print the value of the last, as a notebook does."""
        tree = ast.parse(code, self.name)
        ast.increment_lineno(tree, line)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, self.name, "exec"), self.names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), self.name, "eval"), self.names)
            if value is not None and not _is_picture(value):
                print(repr(value))

    def _pictures(self, block: Block) -> list[str]:
        """Save and close the figures that there are; the names of their files."""
        if "matplotlib.pyplot" not in sys.modules:
            return []
        from matplotlib import pyplot, rc_context

        made = []
        for number in pyplot.get_fignums():
            page = self.name.rpartition(".")[0].replace("/", "-")
            name = f"{page}-{block.first}-{number}.svg"
            with rc_context(DRAWN):
                pyplot.figure(number).savefig(self.pictures / name, metadata={"Date": None})
            made.append(name)
        pyplot.close("all")
        return made

    def _row(self, row: Row) -> dict[str, Any]:
        """Run both sides; where both have a value and the page has a ``same``, it judges them."""
        try:
            theirs, ours = (self._value(code, row.first) for code in (row.theirs, row.ours))
            same = self.names.get("same")
            if same and theirs is not None and ours is not None and not same(theirs, ours):
                return {"error": f"line {row.first}: {theirs!r} is not the same as {ours!r}"}
        except Exception as error:
            return {"error": _told(error)}
        return {"output": "", "pictures": []}

    def _value(self, code: str, line: int) -> Any:
        with contextlib.redirect_stdout(io.StringIO()):
            tree = ast.parse(code, self.name)
            ast.increment_lineno(tree, line - 1)
            last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, self.name, "exec"), self.names)
            if last is None:
                return None
            return eval(compile(ast.Expression(last.value), self.name, "eval"), self.names)


def _there(name: str) -> bool:
    """Whether a package is installed, or an engine runs here."""
    if name not in ENGINES:
        return importlib.util.find_spec(name) is not None
    from spbfs.engines import get_engine
    from spbfs.exceptions import BackendUnavailable

    try:
        get_engine(name)
    except BackendUnavailable:
        return False
    return True


def _is_picture(value: Any) -> bool:
    """Whether a value is a figure of Matplotlib's, which is saved and not printed."""
    return any(kind.__module__ == "matplotlib.figure" for kind in type(value).__mro__)


def _shell(block: Block) -> dict[str, Any]:
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block.code],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=300,
    )
    if done.returncode:
        return {"error": f"line {block.first}: exit code {done.returncode}\n{done.stdout}"}
    return {"output": done.stdout, "pictures": []}


def _told(error: Exception) -> str:
    """The traceback from the page on."""
    steps = traceback.extract_tb(error.__traceback__)
    ours = [i for i, step in enumerate(steps) if step.filename.endswith((".md", ".ipynb"))]
    shown = steps[ours[0] :] if ours else steps
    lines = [f"{step.filename}:{step.lineno} in {step.name}" for step in shown]
    return "\n".join([*lines, f"{type(error).__name__}: {error}"])


def _place(folder: Path, page: Path) -> Path:
    """Where a page runs: by the examples; a notebook as Jupyter has it, beside their data."""
    if page.suffix != ".ipynb":
        (folder / "examples").symlink_to(ROOT / "examples")
        return folder
    (folder / "data").symlink_to(ROOT / "examples" / "data")
    place = folder / "notebooks"
    place.mkdir()
    return place


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", type=Path)
    parser.add_argument("pictures", type=Path)
    arguments = parser.parse_args()
    source = arguments.page.resolve()
    os.environ["MPLBACKEND"] = "Agg"
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    name = source.relative_to(ROOT) if source.is_relative_to(ROOT) else source
    page = Page(name.as_posix(), arguments.pictures.resolve())
    found = []
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(_place(Path(folder), source)):
        for part in parts_of(text_of(source)):
            found.append({"first": part.first, **page.run(part)})
            if "error" in found[-1]:
                break
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
