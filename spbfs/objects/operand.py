"""What stands for a matrix or a vector: stored, viewed or delayed.

Each has a shape, a dtype and a device, and gives its storage when asked.  The operations that
matrices and vectors share are functions of `elementwise`, `apply_operator`, `selection` and
`comparison`; the symbols of Python for them are here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spbfs.engines import get_engine
from spbfs.exceptions import DimensionMismatch, DomainMismatch
from spbfs.objects import apply_operator, comparison, copies, elementwise, selection
from spbfs.objects.calls import call_on_operand
from spbfs.objects.checks import check_wait, is_scalar
from spbfs.objects.extraction import extract
from spbfs.objects.indexing import resolve
from spbfs.objects.infix import Infix
from spbfs.objects.mask import Mask, mask_of
from spbfs.objects.products import MatrixProduct
from spbfs.objects.scalar_arithmetic import ScalarArithmetic
from spbfs.operators.builtin import BINARY, UNARY
from spbfs.operators.dtypes import DType

if TYPE_CHECKING:
    from spbfs.engines.protocol import Engine, Hints, MaskData

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
    device: str
    #: Whether the device was chosen, by the user or by an operation; an empty vector made without
    #: one follows the operands it meets, so that only ``A.to("cuda")`` need be written.
    _bound: bool
    #: What it is computed from, where it is.
    operands: Any = ()
    #: That of a product.  `compute` of a product leaves out what the mask does not admit, and its
    #: storage is nobody else's but for what was computed before (`_result`).
    _semiring: Any = None
    _result: Any = None
    #: Storage that is there already, and elements that wait to go into it: `_ready` is for those
    #: who find none, or some waiting.
    _data: Any = None
    _pending: Any = ()
    # NumPy must leave `array @ A` and `np.int64(3) * v` to the methods below.
    __array_ufunc__ = None

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        # Without it NumPy would iterate, and take the indices for the values.
        raise DomainMismatch(
            f"a {type(self).__name__} is no dense array; use .to_dense(fill_value) or .to_coo()"
        )

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

    def _move(self, device: str) -> None:
        """Bring an operand that is bound to no device to one."""
        raise NotImplementedError

    @property
    def _engine(self) -> Engine:
        return get_engine(self.device)

    @property
    def S(self) -> Mask:
        """The structural mask of the result as it is now: admits where an entry is stored."""
        return _mask_of_result(self, True)

    @property
    def V(self) -> Mask:
        """The valued mask of the result as it is now: admits where a true value is stored."""
        return _mask_of_result(self, False)

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
        return call_on_operand(op, args, options)

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
        if isinstance(other, Mask):
            return NotImplemented
        return Infix("|", self, _right("|", other))

    def __and__(self, other: Any) -> Any:
        if isinstance(other, Mask):
            return NotImplemented
        return Infix("&", self, _right("&", other))

    def __matmul__(self, other: Any) -> Any:
        if not isinstance(other, Operand):
            _right("@", other)
        if self.shape[-1] != other.shape[0]:
            raise DimensionMismatch(
                f"right of @: expected {self.shape[-1]} rows to match the left operand's shape "
                f"{self.shape}, got shape {other.shape}"
            )
        made = MatrixProduct()
        made.left = self
        made.right = other
        return made

    def _arithmetic(self, other: Any, name: str, how: str, reflected: bool = False) -> Any:
        op = BINARY[name]
        if isinstance(other, Operand):
            left, right = (other, self) if reflected else (self, other)
            if how == "union":
                return left.ewise_union(right, op, False, False)
            return left.ewise_add(right, op) if how == "add" else left.ewise_mult(right, op)
        if not (is_scalar(other) or isinstance(other, ScalarArithmetic)):
            return NotImplemented
        return self.apply(op, left=other) if reflected else self.apply(op, right=other)

    def __add__(self, other: Any) -> Any:
        return self._arithmetic(other, "plus", "add")

    def __radd__(self, other: Any) -> Any:
        return self._arithmetic(other, "plus", "add", reflected=True)

    def __sub__(self, other: Any) -> Any:
        return self._arithmetic(other, "minus", "union")

    def __rsub__(self, other: Any) -> Any:
        return self._arithmetic(other, "minus", "union", reflected=True)

    def __mul__(self, other: Any) -> Any:
        return self._arithmetic(other, "times", "mult")

    def __rmul__(self, other: Any) -> Any:
        return self._arithmetic(other, "times", "mult", reflected=True)

    def __truediv__(self, other: Any) -> Any:
        return self._arithmetic(other, "truediv", "mult")

    def __rtruediv__(self, other: Any) -> Any:
        return self._arithmetic(other, "truediv", "mult", reflected=True)

    def __floordiv__(self, other: Any) -> Any:
        return self._arithmetic(other, "floordiv", "mult")

    def __rfloordiv__(self, other: Any) -> Any:
        return self._arithmetic(other, "floordiv", "mult", reflected=True)

    def __mod__(self, other: Any) -> Any:
        return self._arithmetic(other, "mod", "mult")

    def __rmod__(self, other: Any) -> Any:
        return self._arithmetic(other, "mod", "mult", reflected=True)

    def __pow__(self, other: Any) -> Any:
        return self._arithmetic(other, "pow", "mult")

    def __rpow__(self, other: Any) -> Any:
        return self._arithmetic(other, "pow", "mult", reflected=True)

    def __lt__(self, other: Any) -> Any:
        return self._arithmetic(other, "lt", "mult")

    def __le__(self, other: Any) -> Any:
        return self._arithmetic(other, "le", "mult")

    def __gt__(self, other: Any) -> Any:
        return self._arithmetic(other, "gt", "mult")

    def __ge__(self, other: Any) -> Any:
        return self._arithmetic(other, "ge", "mult")

    def __eq__(self, other: Any) -> Any:
        return self._equality(other, "eq")

    def __ne__(self, other: Any) -> Any:
        return self._equality(other, "ne")

    def _equality(self, other: Any, name: str) -> Any:
        """Refused where it has no meaning: Python would fall back to comparing identities."""
        made = self._arithmetic(other, name, "mult")
        if made is NotImplemented:
            raise DomainMismatch(
                f"right of {'==' if name == 'eq' else '!='}: expected a matrix, vector, Scalar or "
                f"number, got {type(other).__name__}; isequal compares whole objects"
            )
        return made

    #: By identity: `==` compares entries, and an object that is written stays the same one.
    __hash__ = object.__hash__

    def __abs__(self) -> Any:
        return self.apply(UNARY["abs"])

    def __neg__(self) -> Any:
        return self.apply(UNARY["ainv"])

    def __invert__(self) -> Any:
        if not self.dtype.is_bool:
            raise DomainMismatch(f"~: expected a BOOL operand, got {self.dtype}")
        return self.apply(UNARY["lnot"])


def _mask_of_result(operand: Any, structural: bool) -> Mask:
    # Computed at once: what it is computed from may change before the mask is used.
    return mask_of(operand.new(), structural)


def _right(symbol: str, value: Any) -> Operand:
    """The right operand of a symbol that joins two."""
    if isinstance(value, Operand):
        return value
    found = type(value).__name__
    raise DomainMismatch(f"right of {symbol}: expected a matrix or vector, got {found}")
