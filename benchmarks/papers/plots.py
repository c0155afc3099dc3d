"""Plots as SVG: lines with markers, axes, a legend; the same text for the same numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from benchmarks.papers.figure import Plot

__all__ = ["svg"]

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 76, 14, 34, 50
LEGEND_ROW = 17
#: Okabe and Ito's colours, which are told apart by those who see fewer.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c8c8c")
#: And dashes, where there are more lines than colours.
DASHES = ("", ' stroke-dasharray="6 3"', ' stroke-dasharray="2 2"')
#: Corners of markers around a point, half of a side away; the first is a circle.  Every line has
#: the next, filled and then hollow, so that lines are told apart without colours as well.
MARKS = (
    (),
    ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    ((0, -1.4), (1.3, 1), (-1.3, 1)),
    ((0, -1.5), (1.5, 0), (0, 1.5), (-1.5, 0)),
    ((0, 1.4), (1.3, -1), (-1.3, -1)),
)
MARK_SIZE = 2.8
#: Of lines of more points than the first only so many have one.
MARKED, SOME_MARKED = 48, 8
#: Points at no more places than these, so far from one another, are the ticks of their axis.
OWN_TICKS, OWN_ROOM = 8, 40.0
#: The slope of names under an axis, in degrees, and what a letter takes downwards and to the left.
SLOPE, LETTER = 35, 3.9
Line = list[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Axis:
    """From numbers to places on one side of the plot."""

    low: float
    high: float
    log: bool
    begin: float
    end: float

    def at(self, x: float) -> float:
        low, high = self.low, self.high
        if self.log:
            x, low, high = math.log10(x), math.log10(low), math.log10(high)
        return self.begin + (x - low) / (high - low) * (self.end - self.begin)

    def ticks(self) -> list[float]:
        """Places of the grid: round numbers, three or more."""
        found: list[float] = []
        if self.log:
            low, high = math.log10(self.low), math.log10(self.high)
            every = max(1, math.ceil((high - low) / 7))
            for digits in ((1,), (1, 2, 5)):
                powers = range(math.floor(low), math.ceil(high) + 1, every)
                found = [m * 10.0**k for k in powers for m in digits]
                found = [x for x in found if self.low <= x * (1 + 1e-9) and x <= self.high]
                if len(found) > 2:
                    return found
        step = _step(self.high - self.low)
        first = math.ceil(self.low / step - 1e-9)
        return [i * step for i in range(first, math.floor(self.high / step + 1e-9) + 1)]


def _step(span: float) -> float:
    """A round number of which five or six fit."""
    power = 10.0 ** math.floor(math.log10(span / 6))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= span / 6 * 0.999)


def _ticks(axis: Axis, values: Iterable[float]) -> list[float]:
    """Places of the points, where these are few and short to write; else round numbers."""
    own = sorted(set(values))
    few = 2 < len(own) <= OWN_TICKS and all(x == float(f"{x:.3g}") for x in own)
    if few and min(axis.at(b) - axis.at(a) for a, b in pairwise(own)) >= OWN_ROOM:
        return own
    return axis.ticks()


def _axis(values: Iterable[float], log: bool, begin: float, end: float) -> Axis:
    seen = list(values) or [1.0]
    low, high = min(seen), max(seen)
    if log:
        low, high = (low, high) if low < high else (low / 2, high * 2)
        room = (high / low) ** 0.03
        return Axis(low / room, high * room, True, begin, end)
    low = min(low, 0.0) if low >= 0 and low < high / 2 else low  # zero, where it is near
    if low == high:
        low, high = low - 1, high + 1
    return Axis(low, high + 0.04 * (high - low), False, begin, end)


def _number(x: float) -> str:
    if abs(x) < 10_000 and x == round(x):
        return f"{x:.0f}"
    for size, name in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(x) >= size * 0.9999:
            return f"{x / size:.3g} {name}"
    return f"{x:.3g}"


def _drawn(plot: Plot) -> dict[str, Line]:
    """Points that have a place."""

    def has_place(point: tuple[float | None, float | None]) -> bool:
        x, y = point
        if x is None or y is None or not (math.isfinite(x) and math.isfinite(y)):
            return False
        return (x > 0 or not plot.log_x) and (y > 0 or not plot.log_y)

    return {name: [(x, y) for x, y in points if has_place((x, y))]
            for name, points in plot.lines.items()}  # fmt: skip


def _text(x: float, y: float, what: str, anchor: str = "middle", more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{escape(what)}</text>'


def _turned(x: float, y: float, angle: int) -> str:
    return f' transform="rotate({angle} {x:.1f} {y:.1f})"'


def _frame(plot: Plot, x: Axis, y: Axis, ticks: Sequence[float], below: float) -> list[str]:
    """Title, grid, ticks and names of the axes."""
    parts = [_text((x.begin + x.end) / 2, 20, plot.title, more=' font-weight="bold"')]
    for tick in ticks:
        at, under = x.at(tick), y.begin + 16
        parts.append(f'<path d="M{at:.1f} {y.begin:.1f}V{y.end:.1f}" stroke="#e4e4e4"/>')
        if plot.names:
            name = plot.names[int(tick)]
            parts.append(_text(at + 4, under, name, "end", _turned(at + 4, under, -SLOPE)))
        else:
            parts.append(_text(at, under, _number(tick)))
    for tick in y.ticks():
        at = y.at(tick)
        parts.append(f'<path d="M{x.begin:.1f} {at:.1f}H{x.end:.1f}" stroke="#e4e4e4"/>')
        parts.append(_text(x.begin - 6, at + 4, _number(tick), "end"))
    parts.append(
        f'<path d="M{x.begin:.1f} {y.end:.1f}V{y.begin:.1f}H{x.end:.1f}" fill="none" '
        'stroke="#444444"/>'
    )
    middle = (y.begin + y.end) / 2
    parts.append(_text((x.begin + x.end) / 2, y.begin + 36 + below, plot.x))
    parts.append(_text(16, middle, plot.y, more=_turned(16, middle, -90)))
    return parts


def _mark(i: int, x: float, y: float) -> str:
    """The marker of the line of a number."""
    colour = COLOURS[i % len(COLOURS)]
    filled = i // len(MARKS) % 2 == 0
    paint = f'fill="{colour if filled else "white"}"' + ("" if filled else f' stroke="{colour}"')
    corners = MARKS[i % len(MARKS)]
    if not corners:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" {paint}/>'
    path = "L".join(f"{x + dx * MARK_SIZE:.1f} {y + dy * MARK_SIZE:.1f}" for dx, dy in corners)
    return f'<path d="M{path}Z" {paint}/>'


def _covered(lines: dict[str, Line], name: str) -> str | None:
    """The last line that is drawn over all of one and hides it, by places in the picture."""
    mine = lines[name]
    later = list(lines)[list(lines).index(name) + 1 :] if mine else []
    for other in reversed(later):
        pairs = zip(mine, lines[other], strict=False)
        if len(mine) == len(lines[other]) and all(math.dist(a, b) < 1 for a, b in pairs):
            return other
    return None


def svg(plot: Plot) -> str:
    """A plot as the text of an SVG file.

    Examples
    --------
    >>> svg(Plot("squares", "x", "y", {"x^2": [(1, 1), (2, 4)]})).count("<circle")
    3
    """
    lines = _drawn(plot)
    below = LETTER / 2 + LETTER * max(map(len, plot.names), default=0)
    below = below if plot.names else 0.0
    height = HEIGHT + below
    legend = -(-len(lines) // 2) * LEGEND_ROW
    points = [point for line in lines.values() for point in line]
    x = _axis((p[0] for p in points), plot.log_x, LEFT, WIDTH - RIGHT)
    y = _axis((p[1] for p in points), plot.log_y, HEIGHT - BOTTOM, TOP)
    ticks = list(range(len(plot.names))) or _ticks(x, (p[0] for p in points))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height + legend:.0f}" '
        f'width="{WIDTH}" height="{height + legend:.0f}" font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        *_frame(plot, x, y, ticks, below),
    ]
    drawn = {name: [(x.at(px), y.at(py)) for px, py in line] for name, line in lines.items()}
    pale = ' stroke-opacity="0.35"' if plot.names else ""  # there is nothing between two names
    for i, (name, places) in enumerate(drawn.items()):
        colour = COLOURS[i % len(COLOURS)]
        stroke = f'stroke="{colour}" stroke-width="1.6"{DASHES[i // len(COLOURS) % len(DASHES)]}'
        if places:
            path = "L".join(f"{px:.1f} {py:.1f}" for px, py in places)
            parts.append(f'<path d="M{path}" fill="none" {stroke}{pale}/>')
        every = 1 if len(places) <= MARKED else len(places) // SOME_MARKED
        parts += (_mark(i, px, py) for px, py in places[::every])
        left = LEFT + (i % 2) * (WIDTH - LEFT - RIGHT) / 2
        top = height + (i // 2) * LEGEND_ROW
        parts.append(f'<path d="M{left:.1f} {top:.1f}h20" {stroke}/>')
        parts.append(_mark(i, left + 10, top))
        over = _covered(drawn, name)
        parts.append(_text(left + 26, top + 4, f"{name} (under {over})" if over else name, "start"))
    return "\n".join([*parts, "</svg>", ""])
