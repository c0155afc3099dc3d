"""What is drawn, by its pixels: where it is dark, and that a print in grey tells as much."""

from __future__ import annotations

import builtins
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import spbfs as sb
from spbfs.exceptions import (
    DimensionMismatch,
    DomainMismatch,
    InvalidValue,
    PackageMissing,
)

figures = pytest.importorskip("matplotlib.figure", reason="Matplotlib is not installed")
Figure = figures.Figure


def grey(figure: Any, axes: Any = None) -> np.ndarray:
    """Lightness of the pixels, 0 to 1, of the figure or of what is inside the axes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    image = np.asarray(canvas.buffer_rgba())[..., :3] @ (0.299, 0.587, 0.114) / 255
    if axes is None:
        return image
    box = axes.get_window_extent()
    height = image.shape[0]
    return image[
        height - int(box.y1) + 1 : height - int(box.y0) - 1, int(box.x0) + 2 : int(box.x1) - 1
    ]


def cells(image: np.ndarray, rows: int, columns: int) -> np.ndarray:
    """The pixel in the middle of each cell of a grid over the image."""
    height, width = image.shape
    at = ((np.arange(rows) + 0.5) * height / rows).astype(int)
    across = ((np.arange(columns) + 0.5) * width / columns).astype(int)
    return image[np.ix_(at, across)]


@pytest.mark.parametrize("shape", [(7, 7), (5, 9), (1, 3)])
def test_spy_is_dark_where_entries_are(shape: tuple[int, int]) -> None:
    present = np.random.default_rng(3).random(shape) < 0.4
    A = sb.Matrix.from_dense(present, missing_value=False)
    figure = A.spy(Figure())
    assert ((cells(grey(figure, figure.axes[0]), *shape) < 0.5) == present).all()
    turned = A.T.spy(Figure())
    assert ((cells(grey(turned, turned.axes[0]), *shape[::-1]) < 0.5) == present.T).all()


def test_spy_counts_what_shares_a_cell() -> None:
    n = 2048
    rows = np.concatenate([np.zeros(400, int), [n - 1]])
    columns = np.concatenate([np.arange(400), [n - 1]])
    A = sb.Matrix.from_coo(rows, columns, True, nrows=n, ncols=n)
    figure = A.spy(Figure())
    assert figure.axes[0].images[0].get_array().sum() == 401
    assert figure.axes[1].get_ylabel() == "entries in 4 x 4"
    counts = figure.axes[0].images[0].get_array()
    assert counts.shape == (512, 512)
    assert counts[0, :100].tolist() == [4] * 100 and counts[511, 511] == 1


@pytest.mark.parametrize("nrows, ncols", [(0, 0), (0, 5), (5, 0), (3, 3), (2**60, 2**59)])
def test_pictures_of_nothing(nrows: int, ncols: int) -> None:
    A = sb.Matrix(float, nrows, ncols)
    assert grey(A.spy(Figure())).min() < 1
    assert grey(A.degree_plot(Figure())).min() < 1


def test_spy_of_other_formats() -> None:
    packed = sb.Matrix.from_packed_bits(np.array([[5], [2]], np.uint64), ncols=3)
    image = packed.spy(Figure()).axes[0].images[0]
    assert image.get_array().filled(0).tolist() == [[1, 0, 1], [0, 1, 0]]
    huge = sb.Matrix.from_coo([0, 2**59], [2**50, 2**60 - 1], 1, nrows=2**60, ncols=2**60)
    counts = huge.spy(Figure()).axes[0].images[0].get_array().filled(0)
    assert np.argwhere(counts).tolist() == [[0, 0], [256, 511]]


def test_spy_of_a_million_rows_takes_less_than_a_second() -> None:
    A = sb.generate.grid2d(1000, 1200)
    A.spy(Figure())  # imports
    begin = time.process_time()
    grey(A.spy(Figure()))
    assert time.process_time() - begin < 1.0


def test_degrees_are_shares() -> None:
    A = sb.Matrix.from_coo([0, 0, 0, 1], [1, 2, 3, 2], True, nrows=5, ncols=5)
    out, into = A.degree_plot(Figure()).axes[0].lines
    assert out.get_xydata().tolist() == [[1, 0.4], [3, 0.2]]
    assert into.get_xydata().tolist() == [[1, 0.6], [2, 0.2]]
    assert out.get_label() == "out-degree (60.0% of the vertices have none)"
    assert (out.get_marker(), out.get_linestyle()) != (into.get_marker(), into.get_linestyle())
    (both,) = sb.generate.complete(5).degree_plot(Figure()).axes[0].lines
    assert both.get_xydata().tolist() == [[4, 1]] and both.get_label() == "degree"


def searched(**options: Any) -> Any:
    A = sb.generate.kronecker(12, seed=1)
    source = int(np.argmax(np.diff(A.to_csr()[0])))
    return sb.bfs(A, source, trace=True, **options).trace


def ticks(axis: Any) -> list[str]:
    return [label.get_text() for label in axis.get_ticklabels() if label.get_text()]


def test_short_logarithmic_axes_have_plain_numbers() -> None:
    """No "2 × 10^0" for a degree of two, and no half a vertex."""
    figure = sb.Matrix.from_coo([0, 0, 1, 2], [1, 2, 2, 0], True, nrows=5, ncols=5).degree_plot(
        Figure()
    )
    grey(figure)
    axes = figure.axes[0]
    assert axes.get_xscale() == axes.get_yscale() == "log"
    assert {"1", "2"} <= set(ticks(axes.xaxis)) <= {"0", "1", "2", "3"}
    assert all(float(text) for text in ticks(axes.yaxis))
    assert not any(label.get_text() for label in axes.get_xticklabels(minor=True))
    figure = sb.bfs(sb.generate.path(4), 0, trace=True, parents=False).trace.plot(Figure())
    grey(figure)
    assert "1" in ticks(figure.axes[0].yaxis)


def test_axes_have_names() -> None:
    A = sb.generate.grid2d(60, 60)
    assert [A.spy(Figure()).axes[0].get_xlabel(), A.spy(Figure()).axes[0].get_ylabel()] == [
        "column",
        "row",
    ]
    with pytest.raises(InvalidValue, match="no level was expanded; expected a source with edges"):
        sb.bfs(sb.generate.path(4), 0, max_depth=0, trace=True).trace.plot(Figure())
    assert searched().plot(Figure()).axes[0].get_ylabel() == "in the frontier"
    places = np.stack(np.divmod(np.arange(3600), 60)[::-1], axis=1)
    image = sb.viz.plot_levels(A, sb.bfs(A, 0).levels, places, figure=Figure()).axes[0]
    assert (image.get_xlabel(), image.get_ylabel()) == ("x", "y")


@pytest.mark.parametrize("values", [[0, 1, 2, 3], [0, 13, 20, 20], [5, 5, 5, 5], [0, 0, 0, 40]])
def test_numbers_stand_out_of_their_dots(values: list[int]) -> None:
    """By the contrast ratio of the WCAG, of which 3 is the least for what has to be seen."""
    figure = sb.viz.plot_levels(sb.generate.path(4), np.array(values), figure=Figure())
    axes = figure.axes[0]
    dots = axes.collections[-1]
    grey(figure)
    for text, colour in zip(axes.texts, dots.get_facecolors(), strict=True):
        bright = colour[:3] ** 2.2 @ [0.2126, 0.7152, 0.0722]
        letters = {"white": 1.0, "black": 0.0}[text.get_color()]
        high, low = max(bright, letters), min(bright, letters)
        assert (high + 0.05) / (low + 0.05) > 4


def test_directions_differ_in_grey() -> None:
    """One bar is hatched, the other is full; at the same height they have other greys."""
    looks = {}
    for direction in ("push", "pull"):
        figure = searched(direction=direction).plot(Figure())
        bars = figure.axes[1].patches
        tallest = max(bars, key=lambda bar: bar.get_height())
        image = grey(figure)
        box = tallest.get_window_extent()
        height = image.shape[0]
        inside = image[
            height - int(box.y1) + 3 : height - int(box.y0) - 3, int(box.x0) + 3 : int(box.x1) - 3
        ]
        looks[direction] = inside.mean(), inside.std()
    assert looks["push"][0] - looks["pull"][0] > 0.3
    assert looks["push"][1] > 0.1 > looks["pull"][1]


def test_a_search_is_drawn_level_by_level() -> None:
    steps = searched()
    work, took = steps.plot(Figure()).axes
    vertices, edges = work.lines
    assert vertices.get_ydata().tolist() == [s.frontier for s in steps]
    assert edges.get_ydata().tolist() == [s.edges for s in steps]
    assert vertices.get_linestyle() != edges.get_linestyle()
    unit = {"s": 1, "ms": 1e3, "µs": 1e6}[took.get_ylabel().removeprefix("time, ")]
    total = sum(bar.get_height() for bar in took.patches)
    assert total == pytest.approx(sum(s.seconds for s in steps) * unit)


def test_deep_searches_are_areas() -> None:
    steps = sb.bfs(sb.generate.path(500), 0, trace=True).trace
    figure = steps.plot(Figure())
    assert not figure.axes[1].patches and figure.axes[1].collections
    assert grey(figure, figure.axes[1]).min() < 0.9


def test_a_trace_draws_its_products() -> None:
    A = sb.generate.grid2d(6, 6)
    with sb.trace() as t:
        for _ in sb.levels(A, 0):
            pass
        sb.Vector.from_dense([1, 2]).apply("ainv").new()
    figure = t.plot(Figure())
    assert len(figure.axes[0].lines[0].get_xdata()) == sum("frontier" in r for r in t.records) > 0
    with sb.trace() as t:
        sb.Vector.from_dense([1, 2]).apply("ainv").new()
    with pytest.raises(InvalidValue, match="frontier"):
        t.plot(Figure())


def test_levels_in_the_plane() -> None:
    A = sb.generate.grid2d(80, 100)
    places = np.stack(np.divmod(np.arange(8000), 100)[::-1], axis=1)
    figure = sb.viz.plot_levels(A, sb.bfs(A, 0).levels, places, figure=Figure())
    (image,) = figure.axes[0].images
    levels = image.get_array()
    assert not np.ma.getmaskarray(levels).any() and levels[0, 0] < 3 and levels[-1, -1] > 175
    drawn = grey(figure, figure.axes[0])
    assert drawn[-2, 2] < drawn[2, -2] - 0.5  # from the lower left, dark, to bright


def test_small_graphs_are_dots_and_lines() -> None:
    A = sb.generate.path(6)
    levels = sb.bfs(A, 0, max_depth=3).levels
    figure = sb.viz.plot_levels(A, levels, figure=Figure())
    lines, hollow, full = figure.axes[0].collections
    assert len(lines.get_segments()) == A.nvals
    assert len(hollow.get_offsets()) == 2 and len(full.get_offsets()) == 4
    across = [*full.get_offsets()[:, 0], hollow.get_offsets()[0, 0]]
    assert across == sorted(across)
    assert [t.get_text() for t in figure.axes[0].texts] == list("012345")


def test_dots_of_a_column_do_not_touch_nor_edges_of_a_tree_cross() -> None:
    A = sb.generate.tree(3, 3)
    figure = sb.viz.plot_levels(A, sb.bfs(A, 0).levels, figure=Figure())
    _, _, full = figure.axes[0].collections
    figure.draw_without_rendering()
    places = np.asarray(full.get_offsets())
    points = figure.axes[0].transData.transform(places) * 72 / figure.dpi
    apart = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))
    assert apart[apart > 0].min() > full.get_sizes()[0] ** 0.5
    u, v = A.to_coo()[:2]
    for level in (1, 2):
        out = (places[u, 0] == level) & (places[v, 0] == level + 1)
        order = np.argsort(places[v[out], 1])
        assert (np.diff(places[u[out], 1][order]) >= 0).all()


def test_small_graphs_need_matplotlib_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    A = sb.generate.grid2d(3)
    assert sb.viz.plot_levels(A, sb.bfs(A, 0).levels, figure=Figure()).axes


BAD: list[tuple[Callable[[Any, Any], Any], type[Exception], str]] = [
    (lambda A, v: sb.viz.plot_levels(v, v), DomainMismatch, "A"),
    (lambda A, v: sb.viz.plot_levels(A, A), DomainMismatch, "levels"),
    (lambda A, v: sb.viz.plot_levels(A, sb.Vector(int, 3)), DimensionMismatch, "levels"),
    (lambda A, v: sb.viz.plot_levels(A, v, [[0, 1]]), DimensionMismatch, "coordinates"),
    (lambda A, v: sb.viz.plot_levels(A, np.zeros(3)), DimensionMismatch, "levels"),
    (lambda A, v: sb.viz.plot_levels(A, v, {0: (0, 0)}), InvalidValue, "coordinates"),
    (lambda A, v: sb.viz.plot_levels(A, v, "here"), DomainMismatch, "coordinates"),
    (lambda A, v: sb.viz.plot_levels(A, v, np.full((4, 2), np.nan)), InvalidValue, "coordinates"),
    (lambda A, v: A.spy("here"), DomainMismatch, "figure"),
    (lambda A, v: A.degree_plot(3), DomainMismatch, "figure"),
    (lambda A, v: sb.viz.spy(A, figure=3, show=False), DomainMismatch, "figure"),
    (lambda A, v: sb.viz.spy(A, axes=Figure(), show=False), DomainMismatch, "axes"),
]


@pytest.mark.parametrize("call, error, name", BAD)
def test_bad_input(call: Callable[[Any, Any], Any], error: type[Exception], name: str) -> None:
    A = sb.generate.path(4)
    with pytest.raises(error, match=name):
        call(A, sb.bfs(A, 0).levels)


def test_too_many_vertices_without_places() -> None:
    A = sb.generate.path(301)
    with pytest.raises(InvalidValue, match="301 vertices"):
        sb.viz.plot_levels(A, sb.bfs(A, 0).levels)
    # Nothing is asked for that would take memory for all of them.
    huge, levels = sb.Matrix(bool, 2**50, 2**50), sb.Vector(int, 2**50)
    with pytest.raises(InvalidValue, match=r"coordinates: .* 1,125,899,906,842,624 vert"):
        sb.viz.plot_levels(huge, levels)
    with pytest.raises(DimensionMismatch, match="coordinates: expected shape"):
        sb.viz.plot_levels(huge, levels, [(0, 0)])


def test_matplotlib_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *rest: Any, **named: Any) -> Any:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *rest, **named)

    for name in [name for name in sys.modules if name.startswith("matplotlib")]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr(builtins, "__import__", refuse)
    A = sb.generate.path(4)
    steps = sb.bfs(A, 0, trace=True)
    with sb.trace() as t:
        sb.bfs(A, 0)
    calls: list[Callable[[], Any]] = [
        A.spy,
        A.degree_plot,
        steps.trace.plot,
        t.plot,
        lambda: sb.viz.plot_levels(A, steps.levels, np.zeros((4, 2))),
    ]
    for call in calls:
        with pytest.raises(PackageMissing, match="matplotlib"):
            call()


def test_new_figures_are_pyplots_and_others_are_not() -> None:
    from matplotlib import pyplot

    pyplot.close("all")  # what others have left open
    A = sb.generate.path(4)
    A.spy(Figure())
    assert pyplot.get_fignums() == []
    figure = A.spy()
    assert pyplot.gcf() is figure
    pyplot.close(figure)


def test_a_notebook_shows_a_figure_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It draws those that are open at the end of a cell: the value of the cell is one of them."""
    from matplotlib import pyplot

    from spbfs.base.pictures import canvas

    with pytest.raises(NotImplementedError):  # shown as any figure is
        sb.generate.path(3).spy()._ipython_display_()
    monkeypatch.setattr("matplotlib.get_backend", lambda: "inline")
    canvas._shown_once.cache_clear()  # its function has the backend's name asked for
    figure = sb.generate.path(3).spy()
    figure._ipython_display_()
    pyplot.close("all")
    with pytest.raises(NotImplementedError):
        figure._ipython_display_()
    canvas._shown_once.cache_clear()


def test_arrays_and_layouts_by_name_are_drawn() -> None:
    A = sb.Matrix.from_coo([0, 1], [1, 2], True, nrows=3, ncols=3)
    values, places = np.array([3.0, 1.0, 2.0]), np.array([[0, 0], [1, 2], [3, 1]])
    expected = sb.viz.plot_levels(A, sb.Vector.from_dense(values), places, figure=Figure())
    by_number = dict(enumerate(places))
    found = [sb.viz.plot_levels(A, values, by_number, figure=Figure())]
    A.labels = ["bob", "eve", "ann"]
    by_name = {"ann": places[2], "bob": places[0], "eve": places[1], "zoe": (9, 9)}
    found.append(sb.viz.plot_levels(A, values, by_name, figure=Figure()))
    dots = expected.axes[0].collections[-1]
    for figure in found:
        drawn = figure.axes[0].collections[-1]
        np.testing.assert_array_equal(drawn.get_offsets(), dots.get_offsets())
        np.testing.assert_array_equal(drawn.get_array(), dots.get_array())


def test_small_graphs_bear_names() -> None:
    A = sb.generate.path(3)
    A.labels = ["ann", "bob", "eve"]
    picture = sb.viz.plot_levels(A, sb.bfs(A, "bob").levels, figure=Figure())
    assert [text.get_text() for text in picture.get_axes()[0].texts] == ["ann", "bob", "eve"]


def test_the_scale_of_one_value_is_that_value_and_a_frontier_has_none() -> None:
    """From 0.9 to 1.1 a scale would say nothing."""
    path = sb.generate.path(4)
    figure = sb.viz.plot_levels(path, sb.bfs(path, 1, max_depth=0).levels, figure=Figure())
    figure.draw_without_rendering()
    assert [label.get_text() for label in figure.axes[-1].get_yticklabels()] == ["0"]
    front = sb.Vector.from_coo([1], True, size=4)
    (axes,) = sb.viz.plot_levels(path, front, figure=Figure()).axes
    assert [text.get_color() for text in axes.texts] == ["black", "white", "black", "black"]


def test_what_has_levels_is_told_from_levels() -> None:
    A = sb.generate.path(3)
    for given in (sb.bfs(A, 0), [0, 1, 2]):
        with pytest.raises(DomainMismatch, match=r"Vector or an array, such as result\.lev"):
            sb.viz.plot_levels(A, given)
