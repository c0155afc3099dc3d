"""Where the kernels' sources are: inside the package once installed, beside it in a checkout."""

from __future__ import annotations

from pathlib import Path

__all__ = ["kernels_path"]


def kernels_path() -> Path:
    """The folder that holds the kernels' sources, ``common/``, ``cpu/`` and ``cuda/``.

    Returns
    -------
    pathlib.Path
        ``spbfs/kernels`` of an installed package; of a checkout, and of an editable install of
        one, its own ``kernels/``, so that what is edited is what is compiled.

    Raises
    ------
    FileNotFoundError
        Neither is there: the installation is broken.

    Examples
    --------
    >>> from spbfs.base.paths import kernels_path
    >>> sorted(path.name for path in (kernels_path() / "cpu").glob("*/module.cpp"))
    ['module.cpp']
    """
    package = Path(__file__).resolve().parents[1]
    for candidate in (package / "kernels", package.parent / "kernels"):
        if (candidate / "cpu" / "python" / "module.cpp").is_file():
            return candidate
    raise FileNotFoundError(f"no kernels below {package} or beside it: install spbfs again")
