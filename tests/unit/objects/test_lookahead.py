"""`spbfs.lookahead`: a setting of a context, that changes nothing but how fast."""

import contextvars
import threading

import pytest

import spbfs as sb
from spbfs import Vector, replace, semiring
from spbfs.base.lookahead import enabled


def search(A):
    q, v = Vector(bool, A.nrows), Vector(int, A.nrows)
    q[0] = True
    with sb.trace() as t:
        for depth in range(6):
            v(q.S) << depth
            q(~v.S, replace) << semiring.any_pair(q @ A)
    kernels = [r.get("kernel") for r in t if r["operation"] == "vxm any_pair"]
    return v.to_dict(), q.to_dict(), kernels


def test_it_has_no_effect_on_the_cpu():
    A = sb.generate.grid2d(8, 8)
    usual = search(A)
    with sb.lookahead(False):
        assert search(A) == usual
    with sb.lookahead():
        assert search(A) == usual
    assert not {"ahead", "bfs"} & set(usual[2])


def test_it_is_what_it_was_after_the_block():
    assert enabled()
    with pytest.raises(KeyError), sb.lookahead(False):
        assert not enabled()
        with sb.lookahead(True):
            assert enabled()
        assert not enabled()
        raise KeyError
    assert enabled()


def test_blocks_end_in_any_order():
    one, two = sb.lookahead(False), sb.lookahead(True)
    one.__enter__()
    two.__enter__()
    one.__exit__(None, None, None)
    assert enabled()
    two.__exit__(None, None, None)
    assert enabled()


def test_a_block_that_ends_in_another_context_holds_until_the_next_ends():
    def run():
        block = sb.lookahead(False)
        block.__enter__()
        contextvars.copy_context().run(block.__exit__, None, None, None)
        with sb.lookahead(False):
            assert not enabled()
        return enabled()

    assert contextvars.copy_context().run(run)


def test_it_is_of_this_thread():
    seen = []
    with sb.lookahead(False):
        thread = threading.Thread(target=lambda: seen.append(enabled()))
        thread.start()
        thread.join()
    assert seen == [True]
