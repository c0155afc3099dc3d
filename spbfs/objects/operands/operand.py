"""What stands for a matrix or a vector: stored, viewed or delayed.

Each has a shape, a dtype and a device, and gives its storage when asked.  The operations that
matrices and vectors share are functions of `elementwise`, `apply_operator`, `selection` and
`comparison`; the symbols of Python for them are here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.base.pickling import by_any_protocol
from spbfs.engines import get_engine
from spbfs.exceptions import DomainMismatch
from spbfs.objects.checks import check_wait, is_scalar
from spbfs.objects.display.makers import described
from spbfs.objects.indexing import resolve
from spbfs.objects.operands import copies
from spbfs.objects.operations import apply_operator, comparison, elementwise, selection
from spbfs.objects.operations.extraction import extract
from spbfs.objects.scalars.arithmetic import ScalarArithmetic
from spbfs.objects.symbols import arithmetic, in_place, infix, ufuncs
from spbfs.objects.symbols.calls import call
from spbfs.operators.dtypes import DType

if TYPE_CHECKING:
    from spbfs.engines.protocol import Engine, Hints, MaskData
    from spbfs.objects.labels import Labels
    from spbfs.storage.arrays import Device

__all__ = ["Operand"]


class Operand:
    """Base of everything that stands for a matrix or a vector.

    It takes part in formulas: ``A @ B``, ``u + v``, ``2 * A``, ``u < 3`` ...  ``+`` and ``-`` are
    unions, the others intersections; with a number they apply to stored values.
    """

    __slots__ = ("__weakref__",)

    ndim: int
    dtype: DType
    shape: tuple[int, ...]
    device: Device
    #: Whether the device was chosen, by the user or by an operation; an empty vector made without
    #: one follows the operands it meets, so that only ``A.to("cuda")`` need be written.
    _bound: bool
    #: What it is computed from, where it is.
    operands: Any = ()
    #: That of a product.  `compute` of a product leaves out what the mask does not admit, and its
    #: storage is nobody else's but for what was computed before (`_result`).
    _semiring: Any = None
    _result: Any = None
    #: ``|``, ``&`` or ``@``, where it is one.
    symbol: str | None = None
    #: Storage that is there already.
    _data: Any = None
    #: Elements that wait to go into it, or True where there is none: who finds some asks `_ready`.
    _pending: Any = True
    #: NumPy asks it for `array @ A` and `np.int64(3) * v`.
    __array_ufunc__ = ufuncs.called_by_numpy

    __reduce_ex__ = by_any_protocol

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        # Without it NumPy would iterate, and take the indices for the values.
        others = ".to_coo() or .to_scipy()" if len(self.shape) == 2 else "or .to_coo()"
        raise DomainMismatch(
            f"a {type(self).__name__} is no dense array; use .to_dense(fill_value), {others}"
        )

    @property
    def labels(self) -> Labels | None:
        """What the vertices are called: as in the first operand that says, where none is moved."""
        for operand in self.operands:
            labels: Labels | None = operand.labels
            if labels is not None and set(self.shape) == {len(labels)}:
                return labels
        return None

    @property
    def value_labels(self) -> Labels | None:
        """What the values are called, where they are vertices."""
        return None

    def _ready(self) -> Any:
        """The storage, everything pending applied."""
        raise NotImplementedError

    def compute(
        self, engine: Engine, mask: MaskData | None, hints: Hints, into: DType | None = None
    ) -> Any:
        """The storage on an engine; outside of the mask it may have entries or not.

        Parameters
        ----------
        engine : Engine
        mask : MaskData or None
        hints : Hints
        into : DType, optional
            Of what it is written to: a product may be made in that type where no value depends
            on it.

        Returns
        -------
        VectorData or MatrixData
        """
        return self._ready()

    def _compute_delayed(self) -> None:
        """Compute what is delayed: for a trace, which lists it before the operation on it."""

    def _move(self, device: Device) -> None:
        """Bring an operand that is bound to no device to one."""
        raise NotImplementedError

    @property
    def _engine(self) -> Engine:
        return get_engine(self.device)

    @property
    def nvals(self) -> int:
        """Number of stored entries."""
        data = self._ready()
        return self._engine.nvals(data)

    def wait(self, how: str = "materialize") -> Any:
        """Finish what was put off: elements that were set one by one, or the whole computation.

        Parameters
        ----------
        how : {"materialize", "complete"}, optional
            Both do the same here.

        Returns
        -------
        Matrix, Vector or expression
            The object itself.

        Examples
        --------
        >>> import spbfs as sb
        >>> v = sb.Vector(int, 3)
        >>> v[1] = 5
        >>> v.wait().nvals
        1
        """
        check_wait(how)
        self._ready()
        return self

    def __sizeof__(self) -> int:
        raise DomainMismatch(
            f"a {type(self).__name__} may lie on a GPU and keeps derived arrays; use .nbytes"
        )

    def __bool__(self) -> bool:
        raise DomainMismatch(
            f"the truth of a {type(self).__name__} is ambiguous; use .nvals, .isequal or .reduce"
        )

    def _entries(self, engine: Engine) -> tuple[Any, ...]:
        """Indices and values of the stored entries in order, on the device."""
        raise NotImplementedError

    def _called_by(self, op: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        return call(op, args, options)

    def __getitem__(self, key: Any) -> Any:
        return extract(self, resolve(key, self.shape, self.device))

    def __len__(self) -> int:
        return self.nvals

    new = copies.new
    dup = copies.dup
    ewise_add = elementwise.ewise_add
    ewise_mult = elementwise.ewise_mult
    ewise_union = elementwise.ewise_union
    apply = apply_operator.apply
    select = selection.select
    isequal = comparison.isequal
    isclose = comparison.isclose

    # -- symbols ---------------------------------------------------------------------------------
    def __or__(self, other: Any) -> Any:
        return infix.join("|", self, other)

    def __ror__(self, other: Any) -> Any:
        return infix.join("|", other, self)

    def __and__(self, other: Any) -> Any:
        return infix.join("&", self, other)

    def __rand__(self, other: Any) -> Any:
        return infix.join("&", other, self)

    __matmul__ = infix.matmul

    def __rmatmul__(self, other: Any) -> Any:
        raise DomainMismatch(f"left of @: expected a matrix or vector, got {described(other)}")

    def _arithmetic(self, other: Any, op: Any, how: str, reflected: bool) -> Any:
        if isinstance(other, Operand):
            left, right = (other, self) if reflected else (self, other)
            if how == "union":
                return left.ewise_union(right, op, False, False)
            return left.ewise_add(right, op) if how == "add" else left.ewise_mult(right, op)
        if not (is_scalar(other) or isinstance(other, ScalarArithmetic)):
            return ufuncs.beside(op.name, other, reflected)
        return self.apply(op, left=other) if reflected else self.apply(op, right=other)

    __add__ = arithmetic.symbol("plus", "add")
    __radd__ = arithmetic.symbol("plus", "add", reflected=True)
    __sub__ = arithmetic.symbol("minus", "union")
    __rsub__ = arithmetic.symbol("minus", "union", reflected=True)
    __mul__ = arithmetic.symbol("times")
    __rmul__ = arithmetic.symbol("times", reflected=True)
    __truediv__ = arithmetic.symbol("truediv")
    __rtruediv__ = arithmetic.symbol("truediv", reflected=True)
    __floordiv__ = arithmetic.symbol("floordiv")
    __rfloordiv__ = arithmetic.symbol("floordiv", reflected=True)
    __mod__ = arithmetic.symbol("mod")
    __rmod__ = arithmetic.symbol("mod", reflected=True)
    __divmod__ = arithmetic.divmod_
    __rdivmod__ = arithmetic.rdivmod
    __pow__ = arithmetic.symbol("pow")
    __rpow__ = arithmetic.symbol("pow", reflected=True)
    __xor__ = arithmetic.symbol("lxor", "add")
    __rxor__ = arithmetic.symbol("lxor", "add", reflected=True)
    __lt__ = arithmetic.symbol("lt")
    __le__ = arithmetic.symbol("le")
    __gt__ = arithmetic.symbol("gt")
    __ge__ = arithmetic.symbol("ge")
    __eq__ = arithmetic.symbol("eq")
    __ne__ = arithmetic.symbol("ne")
    # C += x is for what is stored.
    __iadd__ = __isub__ = __imul__ = __itruediv__ = __ifloordiv__ = __imod__ = in_place.refuse
    __ipow__ = __ixor__ = __ior__ = __iand__ = __imatmul__ = in_place.refuse
    __abs__ = arithmetic.unary("abs")
    __neg__ = arithmetic.unary("ainv")
    __invert__ = arithmetic.invert
    #: By identity: `==` compares entries, and an object that is written stays the same one.
    __hash__ = object.__hash__
