"""Single statements of the dialect against python-graphblas, from operands of 34 entries on.

Run as ``python -m benchmarks statements``.  Both libraries run the same text: on small operands
it is the length of the way to the kernel that is measured, on large ones the kernel.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np

import spbfs as sb
from benchmarks.common.machine import describe_machine, versions
from benchmarks.common.report import known_names, method_lines, write

METHOD = {
    "operands": (
        "square matrices of FP64 with four random entries a row, vectors with half of their "
        "elements, all of one seed"
    ),
    "clock": "batches of about a millisecond, results dropped inside of it",
    "order": "the libraries take turns batch by batch; medians, and the median of turns' ratios",
}
#: Name -> what both libraries run; `gb` is the library, `A`, `B`, `C` matrices, `u`, `v`, `w`, `x`
#: vectors (`x` is dense, `s` has four elements), `i`, `j`, `k` arrays of indices, `n` the size,
#: `F` a matrix that is written into, `S` and `T` have 4 and 32 rows, `few` are four indices, `part`
#: a vector of four, `dense_rows` an array of 1,000 x 100 at most, `K` has hubs, `L` half of it.
STATEMENTS = {
    "ewise_add": "u.ewise_add(v, plus).new()",
    "ewise_mult": "u.ewise_mult(v, times).new()",
    "w << u + v": "w << u + v",
    "w(w.S) << u": "w(w.S) << u",
    "w(accum) << u": "w(plus) << u",
    "w[:] << 1": "w[:] << 1",
    "w(u.S) << 1": "w(u.S) << 1.0",
    "apply": "u.apply(ainv).new()",
    "apply with a number": "u.apply(plus, right=2.0).new()",
    "select": "u.select('>', 0.5).new()",
    "reduce": "u.reduce(plus).new().value",
    "matrix ewise_add": "A.ewise_add(B, plus).new()",
    "matrix ewise_mult": "A.ewise_mult(B, times).new()",
    "matrix apply": "A.apply(ainv).new()",
    "matrix select": "A.select('>', 0.5).new()",
    "matrix select tril": "A.select('tril').new()",
    "A + s": "(A + s).new()",
    "A.T.new()": "A.T.new()",
    "A.reduce_rowwise": "A.reduce_rowwise(plus).new()",
    "Vector.from_coo": "gb.Vector.from_coo(i, values, size=n)",
    "Matrix.from_coo": "gb.Matrix.from_coo(rows, columns, weights, nrows=n, ncols=n)",
    "Vector()": "gb.Vector(float, n)",
    "Matrix()": "gb.Matrix(float, n, n)",
    "u.dup()": "u.dup()",
    "A.dup()": "A.dup()",
    "u.to_coo()": "u.to_coo()",
    "A.to_coo()": "A.to_coo()",
    "u.nvals": "u.nvals",
    "mxv": "A.mxv(u, plus_times).new()",
    "mxv, masked": "w(~v.S, replace=True) << plus_times(A @ u)",
    "vxm": "u.vxm(A, plus_times).new()",
    "mxm": "A.mxm(B, plus_times).new()",
    "mxm, masked": "plus_times(A @ B).new(mask=C.S)",
    "mxm, complemented mask": "plus_times(A @ B).new(mask=~C.S)",
    "mxm of a user": "own(A @ B).new()",
    "mxm of a user, masked": "own(A @ B).new(mask=C.S)",
    "mxm of a user, complemented mask": "own(A @ B).new(mask=~C.S)",
    "diag @ A": "plus_times(D @ A).new()",
    "A[a:b, c:d]": "A[n // 4 : n // 2, n // 4 : n // 2].new()",
    "A[:k, :k]": "A[: n // 2, : n // 2].new()",
    "A[i, i]": "A[i, i].new()",
    "A[j, j], shuffled": "A[j, j].new()",
    "A[k, k], twice": "A[k, k].new()",
    "u[j]": "u[j].new()",
    "u[k], twice": "u[k].new()",
    "u[a:b]": "u[n // 4 : n // 2].new()",
    "A[3, :]": "A[3, :].new()",
    "A[3,4]": "A[3, 4].new().value",
    "u[3]": "u[3].new().value",
    "A.get(3, 4)": "A.get(3, 4)",
    "u.get(3)": "u.get(3)",
    "u[3] = 1": "w[3] = 1.0",
    "u[i] << 1": "w[i] << 1.0",
    "u[i] << v": "w[i] << x[i]",
    "isequal": "u.isequal(u2)",
    "isclose": "u.isclose(u2)",
    "matrix isequal": "A.isequal(A2)",
    "matrix isclose": "A.isclose(A2)",
    "new(int)": "u.dup(int)",
    "matrix new(int)": "A.dup(int)",
    "C << A": "F << A",
    "C(accum) << A": "F(plus) << A",
    "C(mask) << A": "F(C.S) << A",
    "C(mask, replace) << A": "F(~C.S, replace=True) << A",
    "C(mask) << 1": "F(C.S) << 1.0",
    "C[3, :] << v": "F[3, :] << s",
    "C[3, :](accum) << v": "F[3, :](plus) << s",
    "C(mask)[3, :] << 1": "F(s.S)[3, :] << 1.0",
    "C[:, 3] << v": "F[:, 3] << s",
    "C[few, few] << S": "F[few, few] << S",
    "C[few, few] << 1": "F[few, few] << 1.0",
    "C[few, few](mask) << S": "F[few, few](S.S) << S",
    "C(mask)[few, few] << 1": "F(C.S)[few, few] << 1.0",
    "C[3, 4] = 1": "F[3, 4] = 1.0",
    "C[3, 4] = 1, one read": "F[3, 4] = 1.0; F[3, 5].new().value",
    "C[3, 4] = 1, counted": "F[3, 4] = 1.0; F.nvals",
    "C[3, 4] = 1, multiplied": "F[3, 4] = 1.0; F.mxv(u, plus_times).new()",
    "C[3, 4] deleted and set": "del F[3, 4]; F[3, 4] = 1.0",
    "C[3, :] << v, one read": "F[3, :] << s; F[3, 5].new().value",
    "C[3, :] << v, multiplied": "F[3, :] << s; F.mxv(u, plus_times).new()",
    "w[i](mask) << v": "w[:](u.S) << v",
    "w(mask)[i] << 1": "w(u.S)[few] << 1.0",
    "w[i](accum) << v": "w[few](plus) << 1.0",
    "v[3] deleted": "del w[3]",
    "3 in v": "3 in u",
    "apply with a number on the left": "u.apply(minus, left=1.0).new()",
    "matrix apply with a number": "A.apply(plus, right=2.0).new()",
    "matrix apply rowindex": "A.apply(gb.indexunary.rowindex).new()",
    "exp": "u.apply(gb.unary.exp).new()",
    "u > 0.5": "(u > 0.5).new()",
    "2 * A": "(2 * A).new()",
    "reduce by mean": "u.reduce(gb.agg.mean).new().value",
    "A.reduce_rowwise by mean": "A.reduce_rowwise(gb.agg.mean).new()",
    "A.reduce_rowwise by count": "A.reduce_rowwise(gb.agg.count).new()",
    "A.reduce_rowwise by argmin": "A.reduce_rowwise(gb.agg.argmin).new()",
    "A.reduce_columnwise": "A.reduce_columnwise(plus).new()",
    "A.reduce_scalar": "A.reduce_scalar(plus).new().value",
    "ewise_union": "u.ewise_union(v, minus, 0.0, 0.0).new()",
    "matrix ewise_union": "A.ewise_union(B, minus, 0.0, 0.0).new()",
    "kronecker": "T.kronecker(S, times).new()",
    "power": "T.power(3).new()",
    "x.diag()": "x.diag()",
    "A.diag()": "A.diag()",
    "setdiag": "F.setdiag(1.0)",
    "reposition": "A.reposition(1, 1).new()",
    "select tril with a thunk": "A.select('tril', -1).new()",
    "select by index": "u.select('index<=', n // 2).new()",
    "select by a mask": "A.select(C.S).new()",
    "mxv, accumulated": "w(plus) << plus_times(A @ u)",
    "mxv, transposed": "plus_times(A.T @ u).new()",
    "mxv over min_plus": "gb.semiring.min_plus(A @ u).new()",
    "mxv over any_pair": "gb.semiring.any_pair(A @ u).new()",
    "inner": "plus_times(u @ v).new().value",
    "outer": "s.outer(s, times).new()",
    "to_dict": "s.to_dict()",
    "from_dict": "gb.Vector.from_dict(few_values, size=n)",
    "to_dense": "u.to_dense(0.0)",
    "from_dense": "gb.Vector.from_dense(dense)",
    "from_dense, values missing": "gb.Vector.from_dense(dense, missing_value=0.0)",
    "to_csr": "A.to_csr()",
    "from_csr": "gb.Matrix.from_csr(*csr)",
    "to_scipy_sparse": "gb.io.to_scipy_sparse(A)",
    "from_scipy_sparse": "gb.io.from_scipy_sparse(scipy_matrix)",
    "Scalar": "gb.Scalar.from_value(1.0)",
    "erf": "u.apply(gb.unary.erf).new()",
    "function of a user": "u.apply(square).new()",
    "numbers on the right": "u.apply(times, right=2.0).new()",
    "u ** 0.5": "(u ** 0.5).new()",
    "u % 0.3": "(u % 0.3).new()",
    "hypot": "u.ewise_mult(v, gb.binary.numpy.hypot).new()",
    "matrix hypot": "A.ewise_mult(B, gb.binary.hypot).new()",
    "u reduced by count": "u.reduce(gb.agg.count).new().value",
    "reduce_rowwise by any": "A.reduce_rowwise(gb.monoid.any).new()",
    "reduce_rowwise by exists": "A.reduce_rowwise(gb.agg.exists).new()",
    "reduce_rowwise by first_index": "A.reduce_rowwise(gb.agg.first_index).new()",
    "mxv, masked and accumulated": "w(v.S, plus) << plus_times(A @ u)",
    "C(mask, accum) << A": "F(C.S, plus) << A",
    "w[few] << v": "w[few] << part",
    "w[few](accum) << v": "w[few](plus) << part",
    "w[a:b](accum) << 1": "w[n // 4 : n // 2](plus) << 2.0",
    "w[few] deleted": "del w[few]",
    "A[few, :]": "A[few, :].new()",
    "A[:, few]": "A[:, few].new()",
    "select rows": "A.select('row<=', n // 2).new()",
    "select by a comparison": "A.select(A > 0.5).new()",
    "new(mask)": "A.apply(ainv).new(mask=C.S)",
    "x.diag(1)": "x.diag(1)",
    "matrix from_dense": "gb.Matrix.from_dense(dense_rows)",
    "matrix from_dense, values missing": "gb.Matrix.from_dense(dense_rows, missing_value=0.0)",
    "from_csc": "gb.Matrix.from_csc(*csr)",
    "from_coo, some twice": "gb.Vector.from_coo(k, values, size=n, dup_op=plus)",
    "INT8 ewise_mult": "(small_numbers * small_numbers).new()",
    "BOOL mxv": "gb.semiring.lor_land(flags @ true).new()",
    "BOOL reduce": "true.reduce(gb.monoid.lor).new().value",
    "skewed mxv": "plus_times(K @ u).new()",
    "skewed ewise_add": "K.ewise_add(K.T, plus).new()",
    "skewed triangles": "gb.semiring.plus_pair(L @ L.T).new(mask=L.S)",
}
#: Seconds of a batch, about.
BATCH = 1e-3


def _operands(gb: Any, n: int, own: Any) -> dict[str, Any]:
    """What the statements call by name, for one library."""
    rng = np.random.default_rng(n)

    def matrix(each: int) -> tuple[Any, Any, Any]:
        keys = np.unique(rng.integers(0, n * n, each * n))
        return keys // n, keys % n, rng.random(keys.size)

    i, other = (np.sort(rng.choice(n, n // 2, replace=False)) for _ in range(2))
    values, weights = rng.random(i.size), matrix(4)
    A, B, C = (gb.Matrix.from_coo(*matrix(4), nrows=n, ncols=n) for _ in range(3))
    u = gb.Vector.from_coo(i, values, size=n)
    x = gb.Vector.from_coo(np.arange(n), rng.random(n), size=n)
    S = gb.Matrix.from_coo([0, 1, 2, 3], [1, 0, 3, 3], rng.random(4), nrows=4, ncols=4)
    hubs = np.unique((n * rng.random((8 * n, 2)) ** 3).astype(np.int64) @ [n, 1])
    K = gb.Matrix.from_coo(*np.divmod(hubs, n), rng.random(hubs.size), nrows=n, ncols=n)
    T = gb.Matrix.from_coo(*np.divmod(np.arange(0, 1024, 7), 32), 1.5, nrows=32, ncols=32)
    return {
        "gb": gb,
        "n": n,
        "A": A,
        "B": B,
        "C": C,
        "A2": A.dup(),
        "D": x.diag(),
        "F": A.dup(),
        "S": S,
        "T": T,
        "u": u,
        "u2": u.dup(),
        "v": gb.Vector.from_coo(other, rng.random(other.size), size=n),
        "w": gb.Vector.from_coo(other, rng.random(other.size), size=n),
        "x": x,
        "s": gb.Vector.from_coo(i[:4], values[:4], size=n),
        "i": i,
        "j": rng.permutation(i),
        "k": rng.choice(n, n // 2),
        "few": [3, 5, 8, 13],
        "few_values": {3: 1.0, 8: 2.0, 5: 3.0},
        "part": gb.Vector.from_coo([0, 1, 2, 3], values[:4], size=4),
        "K": K,
        "L": K.select("tril", -1).new(),
        "small_numbers": gb.Vector.from_coo(i, i % 100, "INT8", size=n),
        "true": gb.Vector.from_coo(i, values > 0.3, size=n),
        "flags": gb.Matrix.from_coo(A.to_coo()[0], A.to_coo()[1], True, nrows=n, ncols=n),
        "square": gb.unary.register_anonymous(lambda x: x * x + 1),
        "dense": np.arange(n) % 5.0,
        "dense_rows": np.arange(min(n, 1000) * 100).reshape(-1, 100) % 5.0,
        "csr": A.to_csr(),
        "scipy_matrix": gb.io.to_scipy_sparse(A),
        "values": values,
        "rows": weights[0],
        "columns": weights[1],
        "weights": weights[2],
        "own": own,
        "plus": gb.binary.plus,
        "minus": gb.binary.minus,
        "times": gb.binary.times,
        "ainv": gb.unary.ainv,
        "plus_times": gb.semiring.plus_times,
    }


def _semiring(gb: Any) -> Any:
    """Sums of what a user's function multiplies."""
    multiply = gb.binary.register_anonymous(lambda x, y: x * y + x)
    return gb.semiring.register_anonymous(gb.monoid.plus, multiply)


def run(options: argparse.Namespace) -> list[Path]:
    """Measure, and write one JSON and one Markdown file; returns their paths."""
    import graphblas as gb

    gb.ss.config["nthreads"] = options.threads
    sb.set_threads(options.threads)
    report: dict[str, Any] = {
        "benchmark": "statements",
        "date": time.strftime("%Y-%m-%d"),
        "machine": describe_machine(),
        "versions": versions(["spbfs", "numpy", "python-graphblas"]),
        "method": METHOD,
        "threads": options.threads,
        "repeats": options.repeats,
        "runs": [],
    }
    names = known_names(options.statements or STATEMENTS, STATEMENTS)
    semirings = [_semiring(module) for module in (sb, gb)]
    for n in options.sizes:
        scopes = [_operands(m, n, own) for m, own in zip((sb, gb), semirings, strict=True)]
        for name in names:
            seconds = _measure(STATEMENTS[name], scopes, options.repeats)
            report["runs"].append({"statement": name, "size": n, **seconds})
            ours, theirs, ratio = seconds.values()
            print(f"{n:7} {name:34} {ours * 1e6:9.1f} {theirs * 1e6:9.1f} us {ratio:6.2f}")
    sb.set_threads(None)
    return write(report, options.output, "statements", _markdown)


def _batches(statement: str, scope: dict[str, Any]) -> tuple[Any, int]:
    """A function that runs a statement so often, and how often a batch does."""
    lines = f"def batch(runs):\n    for _ in range(runs):\n        {statement}\n"
    made = dict(scope)
    exec(compile(lines, statement, "exec"), made)
    batch = made["batch"]
    batch(3)
    started = time.perf_counter()
    batch(3)
    return batch, max(1, int(3 * BATCH / (time.perf_counter() - started)))


def _measure(statement: str, scopes: list[dict[str, Any]], repeats: int) -> dict[str, float]:
    sides = [_batches(statement, scope) for scope in scopes]
    turns = []
    for turn in range(repeats):
        taken = [0.0, 0.0]
        for at in (turn % 2, 1 - turn % 2):
            batch, times = sides[at]
            started = time.perf_counter()
            batch(times)
            taken[at] = (time.perf_counter() - started) / times
        turns.append(taken)
    ours, theirs = np.array(turns).T
    return {
        "spbfs_seconds": float(np.median(ours)),
        "graphblas_seconds": float(np.median(theirs)),
        "ratio": float(np.median(ours / theirs)),
    }


def _markdown(report: dict[str, Any]) -> str:
    sizes = list(dict.fromkeys(run["size"] for run in report["runs"]))
    found = {(run["statement"], run["size"]): run for run in report["runs"]}
    lines = [
        f"# Statements against python-graphblas, {report['date']}",
        "",
        f"Machine: {report['machine']}.",
        "Versions: " + ", ".join(f"{k} {v}" for k, v in report["versions"].items()) + ".",
        f"{report['threads']} threads, {report['repeats']} turns.",
        *method_lines(report),
        "",
        "Microseconds of ours and theirs, and ours over theirs, by size.",
        "",
        "| statement | " + " | ".join(f"{n:,}" for n in sizes) + " |",
        "|---|" + "--:|" * len(sizes),
    ]
    for name in dict.fromkeys(run["statement"] for run in report["runs"]):
        cells = [f"`{STATEMENTS[name]}`"]
        for n in sizes:
            run = found[name, n]
            ours, theirs = (run[f"{side}_seconds"] * 1e6 for side in ("spbfs", "graphblas"))
            cells.append(f"{ours:.0f} / {theirs:.0f} = **{run['ratio']:.2f}**")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"
