"""What |, &, @ and Python's other symbols make of objects and scalars, as in the dialect.

Each line is computed by python-graphblas, too, and must give the same value and dtype, or an error
of the same kind.
"""

from __future__ import annotations

import operator
import pickle
from typing import Any

import pytest

import spbfs as sb
from spbfs.exceptions import DomainMismatch, SpbfsError

graphblas = pytest.importorskip("graphblas", reason="python-graphblas is not installed")

#: Of matrices, vectors and scalars; entries are absent and zero here and there.
MATRICES = {
    "A": ([0, 0, 1, 2, 3], [0, 2, 1, 3, 0], [1, -2, 3, 0, 5], "INT64"),
    "B": ([0, 1, 2, 3, 3], [2, 1, 0, 0, 3], [4, 2, -7, 2, 1], "INT64"),
    "F": ([0, 1, 3, 3], [0, 1, 1, 2], [0.5, -1.5, 2.25, 4.0], "FP64"),
    "H": ([0, 2, 3], [0, 3, 0], [100, 127, -100], "INT8"),
    "P": ([0, 0, 1, 2], [0, 2, 1, 3], [True, True, False, True], "BOOL"),
    "Q": ([0, 1, 2, 2], [2, 1, 0, 3], [True, False, True, True], "BOOL"),
}
VECTORS = {
    "u": ([0, 1, 3], [2, -3, 7], "INT64"),
    "v": ([1, 2, 3], [4, 0, 2], "INT64"),
    "f": ([0, 2], [0.5, 2.5], "FP64"),
    "h": ([0, 1], [120, 9], "INT8"),
    "p": ([0, 1, 3], [True, False, True], "BOOL"),
    "q": ([1, 2, 3], [True, True, True], "BOOL"),
}
SCALARS = {
    "s": (5, "INT64"),
    "t": (3, "INT64"),
    "x": (2.5, "FP64"),
    "b": (True, "BOOL"),
    "c": (False, "BOOL"),
    "e": (None, "INT64"),
    "g": (None, "BOOL"),
}


def world(module: Any, **device: str) -> dict[str, Any]:
    made: dict[str, Any] = {"gb": module}
    for name in ("binary", "monoid", "semiring", "unary", "select"):
        made[name] = getattr(module, name)
    for name, (*entries, dtype) in MATRICES.items():
        made[name] = module.Matrix.from_coo(*entries, dtype, nrows=4, ncols=4, **device)
    for name, (*entries, dtype) in VECTORS.items():
        made[name] = module.Vector.from_coo(*entries, dtype, size=4, **device)
    for name, (value, dtype) in SCALARS.items():
        made[name] = module.Scalar.from_value(value, dtype)
    return made


def outcome(line: str, names: dict[str, Any]) -> Any:
    """What a line gives: entries and dtype of an object, or the kind of error."""
    try:
        made = eval(line, dict(names))
        if hasattr(made, "new"):
            made = made.new()
        if hasattr(made, "to_coo"):
            *where, values = made.to_coo()
            entries = [*(x.tolist() for x in where), values.tolist()]
            return made.dtype.name, made.shape, entries
        return (made.dtype.name, made.value) if hasattr(made, "dtype") else made
    except (TypeError, ValueError, KeyError, SpbfsError) as error:
        return "error", isinstance(error, TypeError)
    except graphblas.exceptions.GraphblasException:
        return "error", False


PRODUCTS = """
A @ B; A @ u; u @ A; u @ v; F @ A; H @ A; H @ h; A @ B @ F; u @ A @ B; A @ (B @ u); A.T @ u
u @ A.T; semiring.min_plus(A @ B); semiring.plus_plus(u @ v); semiring.plus_plus(A @ (B @ u))
semiring.min_plus((u @ A) @ B); semiring.max_plus(H @ h); semiring.plus_times(H @ A @ F)
semiring.max_min((A @ B) @ (B @ A)); semiring.plus_times[float](A @ u); A + A @ B; u + A @ u
(A @ u) * 2; 1 - (u @ v); (A @ B).T; (A @ u)[0]; (A @ B)[1, :]; (u @ v) + 1
(A @ B).reduce_rowwise(); (A @ B).reduce_scalar(); (A @ u).reduce(); (A @ B).nvals; (u @ A).size
(A @ B).nrows; (A @ B).ncols; (A @ B).shape; (A @ u).shape; (u @ v).shape; (u @ v).ndim
(A @ B).apply(unary.abs); (A @ B).select("tril"); (A @ u).new(float); (A @ B).dup(clear=True)
(A @ u).isequal(A.mxv(u)); (u @ v).isequal(u.inner(v)); (A @ B).mxv(u); (A @ u).vxm(A)
(u @ v).new(float); (u @ v).dup(); (u @ v).nvals; (u @ v).value; int(u @ v); A @ 1; 1 @ A; u @ s
s @ u; s @ 1; 1 @ s; s @ t; A @ None; A @ u @ v; (A @ u) @ (B @ v); semiring.plus_times(A)
semiring.plus_times(A, B); semiring.plus_times(A @ B, 1); binary.plus(A @ B)
semiring.plus_times(A | B); A.dup(mask=(A @ B).S); A.dup(mask=(A @ u).S)
"""

EWISE = """
P.ewise_add(Q, binary.plus); P + Q; p + q
p - q; P * Q
P | Q; P & Q; p | q; p & q; P | Q | P; p & q & p; b | c; b & c; b | g; b & g; g | g
binary.plus(A | B); binary.minus(A | B); binary.times(A & B); monoid.min(u | v); monoid.max(u & v)
binary.minus(u | v, left_default=10, right_default=20)
binary.plus(A | B, left_default=1, right_default=2); binary.plus(u | v | f)
binary.plus(u | (v | f)); binary.times(A & B & A); binary.minus(u | v | u); binary.plus(h | h | u)
binary.plus((h | h) | f); binary.plus(h | (h | h)); binary.times(H & (H & A))
binary.plus(u | v | u, left_default=10, right_default=10); monoid.lor(p | q | p)
monoid.lor[float](P | Q); binary.lt(u | v | u); binary.plus[float](A | B); (P & Q).nvals
(P | Q).dtype.name; (p & q).dtype.name; (p | q).size; (P | Q).ncols; (P & Q).T
(p | q).reduce("lor"); (P & Q).isequal(P); (p | q).to_coo()[0].tolist(); (P | Q).new(float)
(p & q).new("INT8"); (P & Q)[0, 0]; (P & Q).apply(unary.lnot); ~(p | q); (p | q).select(p.V)
(A | B).shape; (u & v).shape; (A | B).nrows; (A | B).new(); (u & v).nvals; (u | v).dtype
(A & B).T.new(); A.ewise_add(B & B); u.ewise_mult(v | u); (u & v).ewise_add(v)
u.ewise_union(u & v, binary.plus, 1, 1); unary.abs(u | v); binary.plus(u | v, 1); (u & v) | u
u | (v & u); (u | v) & u; u & (v | u); (p & q) | p; p | (p & q); (p | q) & p; u.__ror__(v & u)
(u & v).__ror__(u); p.__ror__(q); p.__rand__(q); A.__ror__(B & A); u | 1; 1 | u; u & s; s & u
A | s; A | None; u | h; binary.plus(u | h); A | u; P | p; p & P; P & p; binary.plus(u, v)
binary.plus(u & v, require_monoid=False); binary.plus(A | B, left_default=1)
binary.plus(A & B, left_default=1, right_default=1); monoid.plus(u | v, u)
"""

BROADCAST = """
A + u; u + A; A - u; u - A; A * u; u * A; A / u; u // A; A < u; u >= A; F + u; u + F; A ** v
H + u; A.ewise_add(u); u.ewise_add(A, binary.minus); A.ewise_mult(u, binary.minus)
u.ewise_mult(A, binary.minus); A.ewise_union(u, binary.minus, 10, 20)
u.ewise_union(A, binary.minus, 10, 20); A.T + u; u + A.T; binary.plus(A | u); binary.minus(u | A)
binary.plus(A & u); binary.minus(u & A); monoid.max(A | f); binary.plus((A | u) | v)
binary.plus(A | (u | v)); binary.plus((u | v) | A); binary.plus(u & (v & A))
binary.plus(A | u, left_default=1, right_default=2); A[:3, :] + u; u + A[:, :3]; A[:, :3] + u
u + A[:3, :]; (A @ B) + u; A + (B @ u); P ^ p; p ^ P; A.dup(mask=P.S) + u
"""

SYMBOLS = """
A + 1; 1 + A; A - 1; 1 - A; A * 2; 2 * A; A / 2; 3 / A; u // 2; 7 // u; u % 3; u ** 2; 2 ** u; -A
abs(A); ~P; u ^ u; p ^ q; p ^ True; False ^ p; p ^ 1; 6 ^ p; p ^ b; b ^ p; u ^ True; A ^ P; ~A; ~u
divmod(u, 3)[0]; divmod(u, 3)[1]; divmod(u, v)[0]; u < 3; 3 < u; u == v; u != 2; A >= B; u + s
s + u; s - u; u * x; x * u; u == s; u + e; e + u; u < e; u + b; -(u + v); abs(-(A @ u)); u + "x"
u + None; "x" * u; u < "x"; round(2.5); u + [1, 2, 3, 4]; u + u.S
"""

OF_SCALARS = """
s + t; s - t; s * t; s / t; s // t; s % t; s ** t; s + 1; 1 + s; 1 - s; 2 * s; 3 / s; 7 // s
2 ** s; -s; abs(-s); ~b; ~s; b ^ c; b ^ True; False ^ b; s ^ t; s ^ True; s < t; s <= 5; 6 > s
s >= x; s == 5; s != 5; e + s; s + e; e - s; s - e; e * s; e + 1; 1 - e; e - 1; e < 1; -e; abs(e)
e + e; x + s; s / x; b + s; divmod(s, t)[0]; divmod(s, t)[1]; s | t; s & t; binary.plus(s | t)
binary.plus(s | 1); binary.plus(1 | s); binary.plus((1 | s) | 2); monoid.min(s & t & 1)
binary.plus(s | e); binary.plus(s & e); binary.minus(e | s, left_default=10, right_default=20)
binary.plus(s | t | e, left_default=1, right_default=1); (s & t) | s; s & (s | t); (b & c) | b
s | x; binary.plus(s, t); binary.plus(s, 2); binary.minus(2, s); binary.minus(s, x)
binary.plus(s, e); unary.abs(s); unary.sqrt(s); unary.exp(e); s.apply(unary.abs)
s.apply(binary.minus, 1); s.apply(binary.minus, left=1); s.apply("plus", 3); s.ewise_add(t)
s.ewise_add(3); s.ewise_add(e); s.ewise_mult(t); s.ewise_mult(e); s.ewise_mult(x)
s.ewise_union(e, binary.plus, 10, 20); e.ewise_union(e, binary.plus, 10, 20)
s.ewise_union(t, "minus", 1, 2); s.ewise_union(t, binary.plus, 10, e); s.ewise_add(u)
s.ewise_mult(u); s.ewise_union(u, binary.plus, 1, 1); s.select(">", 4); s.select(">", 5)
select.valueeq(s, 5); select.valuene(s, 5); select.value(s < 10); select.value(s > 10)
select.value(s | t); (s + t).apply(unary.abs); (s + t) * (s - t); (u @ v) + s; u[0] + s; s - u[2]
u[0] * u[1]; u[2] + 1; bool(e); bool(g); bool(c); int(s); float(s); complex(s); int(x); int(e)
float(e); complex(e); range(s); range(u.reduce()); range(u[0]); s.nvals; e.nvals; s.get()
e.get(7); s.is_empty; e.is_empty; s.isequal(5); s.isequal(5.0, check_dtype=True); s.isequal(x)
e.isequal(None); s.isequal(None); e.isequal(g); s.isclose(5.00000001); s.isclose(None)
x.isclose(2.5, check_dtype=True); (s + t).isequal(8); s.isequal("x"); u.reduce().isequal(6)
u[0] == 2; u.reduce() == 6; u.reduce() != 6; (s + 1) == (t + 3); e == e; s == e; s.shape; s.ndim
u[0].shape; u[0].ndim; u.reduce().dtype.name; s.dup(float); s.dup(clear=True); e.dup("INT8")
gb.Scalar.from_value(s); gb.Scalar.from_value(u[0]); gb.Scalar.from_value(s, float)
gb.Scalar.from_value(None); gb.Scalar.from_value("x"); gb.Scalar.from_value([1])
gb.Scalar.from_value(None, int)
"""

#: Computed here, where python-graphblas refuses or stumbles, and refused where it stumbles.
OWN: dict[str, Any] = {
    "P @ Q": ("BOOL", (4, 4), [[0, 0, 0, 1], [0, 2, 3, 1], [True, True, True, False]]),
    "p @ q": ("BOOL", True),
    "7 % s": ("INT64", 2),
    "divmod(7, t)[1]": ("INT64", 1),
    "b | True": ("BOOL", True),
    "False & b": ("BOOL", False),
    "s | 1": ("error", True),
    's | "x"': ("error", True),
    "range(x)": ("error", True),
    "P.ewise_add(Q)": ("error", True),
    "p.ewise_add(q)": ("error", True),
    "b.ewise_add(c)": ("error", True),
}


def lines(text: str) -> list[str]:
    return [line.strip() for part in text.strip().splitlines() for line in part.split(";")]


@pytest.mark.parametrize(
    "line", [x for text in (PRODUCTS, EWISE, BROADCAST, SYMBOLS, OF_SCALARS) for x in lines(text)]
)
def test_as_python_graphblas(device: str, line: str) -> None:
    with graphblas.config.set(autocompute=True):
        theirs = outcome(line, world(graphblas))
    assert outcome(line, world(sb, device=device)) == theirs


@pytest.mark.parametrize("line", OWN)
def test_what_is_our_own(device: str, line: str) -> None:
    assert outcome(line, world(sb, device=device)) == OWN[line]


IN_PLACE = """
A += B; A += 1; A += F; A += u; A += s; A -= B; A -= 1; A *= B; A *= 2; A /= 2; F /= 2; A //= 2
A %= 2; A **= 2; A @= B; u @= A; u += v; u += 1; u += s; u -= v; u *= f; f *= u; u //= v
u %= v; H += A; h += u; h += 1; P |= Q; P &= Q; P ^= Q; p |= q; p &= q; p ^= q; p |= True; p ^= True
p &= True; p |= False; P ^= p; u |= v; u ^= v; u &= v; u |= True; u ^= True; u += A
A |= B; p |= u; A @= u; s @= u; s += t; s -= t; s *= t; s /= t; s //= t; s %= t; s **= t; s += 1
s += x; b |= c; b &= c; b ^= c; s |= t; s += e; e += s; A += A @ B; u += A @ u; u -= u + v
"""


@pytest.mark.parametrize("line", lines(IN_PLACE))
def test_in_place_as_python_graphblas(device: str, line: str) -> None:
    """Every name of the object sees the result, and an error leaves it as it was."""

    def changed(names: dict[str, Any]) -> Any:
        names["same"] = names[line[0]]
        try:
            exec(line, names)
            failed = None
        except (TypeError, ValueError, AttributeError, SpbfsError) as error:
            failed = isinstance(error, TypeError | AttributeError)
        except graphblas.exceptions.GraphblasException:
            failed = False
        return failed, outcome("same", names), outcome(line[0], names)

    with graphblas.config.set(autocompute=True):
        theirs = changed(world(graphblas))
    assert changed(world(sb, device=device)) == theirs


DELAYED = {
    "infix": lambda o: o["p"] | o["q"],
    "product": lambda o: o["A"] @ o["u"],
    "expression": lambda o: o["u"] + 1,
    "transpose": lambda o: o["A"].T,
    "scalar infix": lambda o: o["b"] | o["c"],
    "scalar": lambda o: o["u"].reduce(),
}


@pytest.mark.parametrize("kind", DELAYED)
@pytest.mark.parametrize(
    "name", ["iadd", "isub", "imul", "itruediv", "ior", "iand", "ixor", "ipow"]
)
def test_what_is_delayed_is_not_changed_in_place(kind: str, name: str) -> None:
    made = DELAYED[kind](world(sb))
    with pytest.raises(DomainMismatch, match="in place"):
        getattr(operator, name)(made, made)


@pytest.mark.parametrize(("left", "right"), [("u", "v"), ("A", "u")])
def test_a_product_of_fewer_dimensions_is_refused_in_place(left: str, right: str) -> None:
    o = world(sb)
    before = o[left].dup()
    with pytest.raises(DomainMismatch, match="dimensions"):
        o[left] @= o[right]
    assert o[left].isequal(before)


def test_an_element_and_a_row_are_changed_in_place() -> None:
    o = world(sb)
    o["u"][0] += 5
    o["A"][0, :] *= 2
    assert o["u"].get(0) == 7 and o["A"][0, :].new().to_dict() == {0: 2, 2: -4}


def test_an_infix_expression_reads_what_its_operands_hold_when_it_is_computed() -> None:
    o = world(sb)
    product, union = o["A"] @ o["u"], o["u"] | o["v"]
    o["u"][0] = 100
    assert product.new().isequal(o["A"].mxv(o["u"]).new())
    assert sb.binary.plus(union).new().isequal((o["u"] + o["v"]).new())
    s, t = o["s"], o["t"]
    total = s + t
    s << 100
    assert total.value == 103


def test_a_default_that_was_used_does_not_bind_the_operator() -> None:
    o = world(sb)
    for symbol, names, called in (
        ("@", "Au", "min_plus"),
        ("|", "pq", "minus"),
        ("&", "PQ", "lxor"),
    ):
        left, right = (o[x] for x in names)
        join = {"@": operator.matmul, "|": operator.or_, "&": operator.and_}[symbol]
        made = join(left, right)
        assert made.nvals == made.new().nvals
        op = getattr(sb.semiring if symbol == "@" else sb.binary, called)
        assert op(made).new().isequal(op(join(left, right)).new(), check_dtype=True)
        assert made.left is left and made.right is right


@pytest.mark.parametrize(
    "line", ["A @ B", "A @ u", "u @ v", "p | q", "P & Q", "b | c", "A @ B @ u"]
)
def test_infix_expressions_pickle_and_print(line: str) -> None:
    o = world(sb)
    made = eval(line, o)
    again = pickle.loads(pickle.dumps(made))
    assert type(again) is type(made) and again.new().isequal(made.new(), check_dtype=True)
    assert made.symbol in repr(made) and type(made).__name__ in repr(made)
