"""Install the checkout, editable, and show how far the compiler is: python .ci/install.py

On a failure everything that pip said is printed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time

#: What Ninja says of every step.
STEP = re.compile(r"\[(\d+)/(\d+)\]")


def main() -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    print(
        f"Compiling the kernels on {cores} cores; on two it takes three to five minutes", flush=True
    )
    begin = time.monotonic()
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "-v"]
    pip = subprocess.Popen(
        [*command, "--no-build-isolation", "-e", "."],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert pip.stdout is not None
    said = []
    for line in pip.stdout:
        said.append(line)
        if step := STEP.search(line):
            _show(f"  {step[1]} of {step[2]} files, {time.monotonic() - begin:.0f} s")
    if sys.stdout.isatty():
        print()
    if pip.wait():
        print("".join(said), file=sys.stderr)
    else:
        print(f"Installed in {time.monotonic() - begin:.0f} s")
    return pip.returncode


def _show(progress: str) -> None:
    """One line that is written anew; nothing where nobody watches."""
    if sys.stdout.isatty():
        print(f"\r{progress}", end="", flush=True)


if __name__ == "__main__":
    sys.exit(main())
