"""Which stored entries of an operand to keep: by value, by position or by a mask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.engines.protocol import MaskData
from spbfs.exceptions import InvalidCall
from spbfs.objects.classes import classes
from spbfs.objects.mask import Mask, as_mask
from spbfs.objects.operations.apply_operator import index_operator
from spbfs.objects.operations.delayed import delayed
from spbfs.objects.scalars.arithmetic import when_run
from spbfs.operators import lookup

if TYPE_CHECKING:
    from spbfs.objects.operands.expression import Expression
    from spbfs.objects.operands.operand import Operand

__all__ = ["select"]


def select(self: Operand, op: Any, thunk: Any = None) -> Expression:
    """The stored entries for which `op` is true.

    Parameters
    ----------
    op : select operator, name or symbol, Mask, BOOL Matrix or Vector
        By value (``"valuegt"`` or ``">"``), by position (``"tril"``, ``"rowle"`` ...), or where
        a mask admits; a BOOL operand is its own valued mask.
    thunk : scalar, optional
        What the operator compares with; 0 by default.

    Returns
    -------
    Expression
        Of the same shape and dtype.

    Examples
    --------
    >>> import spbfs as sb
    >>> v = sb.Vector.from_coo([0, 1, 3], [5, 2, 7], size=4)
    >>> v.select(">", 4).new().to_dict()
    {0: 5, 3: 7}
    >>> q = sb.Vector.from_coo([0, 2], True, size=4)
    >>> v.select(~q.S).new().to_dict(), v.select(v < 6).new().to_dict()
    ({1: 2, 3: 7}, {0: 5, 1: 2})
    """
    if isinstance(op, classes.Operand | Mask | np.ndarray | list | tuple):
        return _select_mask(self, op, thunk)
    chosen = lookup.as_indexunary(op, "select")
    bound = when_run(thunk, lambda: index_operator(self, chosen, thunk))
    return delayed(
        f"select {chosen.name}",
        (self,),
        self.shape,
        self.dtype,
        lambda engine, x: engine.select(x, *bound()),
    )


def _select_mask(self: Operand, op: Any, thunk: Any) -> Expression:
    if thunk is not None:
        raise InvalidCall("thunk: a mask compares with nothing; give no thunk")
    mask = as_mask(op)
    mask.check_shape(self.shape)

    def run(engine: Any, x: Any, of_mask: Any) -> Any:
        admitted = MaskData(of_mask, mask.structural, mask.complement)
        return engine.write(x if len(x.shape) == 2 else engine.copy(x), x, admitted, None, True)

    return delayed("select mask", (self, mask.parent), self.shape, self.dtype, run)
