"""Frontiers computed ahead of a loop: what a search written as statements costs on a GPU.

The loop
    A search written as a loop repeats two statements::

        q(~v.S, replace) << semiring(q @ A)     # the product: from a frontier to the next
        v(q.S) << x                             # the visit: x a number, or q itself

    Either costs a launch, and the loop's condition a wait for the GPU: more than the work of most
    levels.  So where a product is seen to be a step of such a loop, the fused search (`cuda.bfs`)
    computes a number of levels from the state (q, v) in one launch, and the host reads back how
    many vertices each level has.  The statements that follow are then looked up: the next q *is*
    "the vertices of level d", and v *is* what it was "and the levels up to d".  Such vectors write
    their arrays when somebody reads them, so nothing but the time can be observed.

When a loop is recognised (`history`)
    A product under a structural complemented mask, no direction asked for, counts as a step where
    its frontier came out of such a product with the same matrix and semiring.  The second step of
    a loop begins to run ahead (the third where the matrix has no search prepared), the first one
    where an earlier loop over this product took more than one.  The speculation depth is the number
    of steps so far, or that of the last loop, twice as many if that one came to an empty frontier.
    Where a loop leaves what was computed for it, 1, 2, 4 ... 1024 products pass without looking
    ahead.

What is computed (`search`, `uniform`)
    The levels of the search, its parents where the semiring yields them (any or least), and how
    many vertices each level has.  Elsewhere all values of all frontiers must be one known value,
    which `uniform` works out; a product whose values change from step to step is never looked up.

What must agree, and which line checks it
    * The fused search skips what is visited by status bits, and a pull takes any visited
      neighbour for a parent in the frontier.  So v must hold nothing but the frontier and vertices
      whose rows lead to visited ones: `search.obstructed`, before a search begins.
    * The frontier must be among the visited, else it would be found again: the kernels of
      `bfs.seeding` report it, and `counts.LevelCounts.read` then returns no level at all.
    * A frontier is looked up only with the mask the search has come to: `Speculation.visited_is`,
      asked by `hooks.product` at every step.
    * A visit is noted, not written, only where levels follow one another without a gap and have
      values of one kind: `hooks.written`.
    * Nobody else writes into arrays that the search is still to write: these vectors
      refuse new arrays, and every writer of the engine gets its arrays from `writable`, which asks
      `hooks.release` for a vector of its own.  ``tests/unit/house/test_in_place_writers.py`` finds
      the writers in the sources, ``tests/cuda/lookahead/test_ahead_writers.py`` runs the protocol's
      methods between the statements of loops.

What ends it
    An empty level; a mask that is not what the search has visited; any other product; memory that
    does not suffice; ``spbfs.lookahead(False)``.  The product then runs by itself, from arrays as
    they are at that moment, and a new search may begin there.

The contract: the engine calls these three functions of `hooks`, and nothing else of this folder
    ``product(engine, A, u, semiring, transpose, vector_first, mask, hints)``
        before a product runs: ``(frontier, mark)``.  A frontier is the result.  Else the product
        runs as usual, and stores the mark in the `lookahead` field of the vector it returns.
    ``written(w, front, value)``
        before ``w<front> = value`` is written, all of it and nothing else (`value` None: the
        frontier's own values): the vector to return in place of `w`, or None to write as usual.
    ``release(w)``
        before the arrays of `w` are written, or given to somebody who may: the vector to write
        into, of which nothing is known here any more.

The files: `hooks` (the contract), `history` (speculation depth), `speculation` (a search and how
far the host knows it), `search` (its launch), `counts` (level counts read back), `uniform` (one
value for all frontiers), `vectors` (lazily materialised frontiers and visited vectors), `kernels`
(launchers).
"""
