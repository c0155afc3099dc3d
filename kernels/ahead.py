"""Runs `spbfs.engines.cuda.ahead` of this checkout for CMake, whatever spbfs is installed."""

import runpy
import sys
from pathlib import Path

# An editable install of another checkout has a finder of its own, which comes before every path.
sys.meta_path[:] = [f for f in sys.meta_path if "ScikitBuild" not in type(f).__name__]
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
runpy.run_module("spbfs.engines.cuda.ahead", run_name="__main__", alter_sys=True)
