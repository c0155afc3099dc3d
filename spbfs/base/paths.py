"""Where kernels are: sources inside the package once installed, beside it in a checkout."""

from __future__ import annotations

from pathlib import Path

__all__ = ["cubins_path", "kernels_path"]


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


def cubins_path() -> Path:
    """The folder of machine code for GPUs that the package brings, if it brings any.

    Returns
    -------
    pathlib.Path
        ``spbfs/cubins`` of an installed package, with a folder for each architecture; of an
        editable install, where pip has put what belongs to it.

    Examples
    --------
    >>> from spbfs.base.paths import cubins_path
    >>> cubins_path().name
    'cubins'
    """
    from importlib.metadata import PackageNotFoundError, distribution

    beside = Path(__file__).resolve().parents[1] / "cubins"
    if beside.is_dir():
        return beside
    try:
        return Path(str(distribution("spbfs").locate_file("spbfs/cubins")))
    except PackageNotFoundError:
        return beside
