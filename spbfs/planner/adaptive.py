"""What a level takes in each strategy, and which strategy it should have: t_TopDown and t_BottomUp.

Zhang et al.: An adaptive breadth-first search algorithm on integrated architectures (2018), section
3.2.  Where the paper has the edges left and one alpha, this asks how many of the open rows the
frontier will be found in, by what the levels before have found: rows that look in vain look at all
they have, which on a web is most of what a pull takes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from spbfs.planner.rates import LevelRates, SearchRates

__all__ = [
    "LevelCounts",
    "Met",
    "choose",
    "concentration",
    "expected_seconds",
    "level_times",
    "meets",
    "most_saved",
    "switch_seconds",
]

#: The shape of the distribution of degrees (of a gamma distribution) where they are skewed, and
#: where they are much alike.  Half or twice as much changes next to no choice.
SKEWED, EVEN = 1.0, 10.0
#: Concentrations beyond these are accidents of small levels.
LEAST_CONCENTRATION, MOST_CONCENTRATION = 0.02, 1.0


@dataclass(frozen=True, slots=True)
class LevelCounts:
    """What is known of a level before it is expanded.

    Attributes
    ----------
    vertices, entries : int
        Of the graph.
    frontier, edges : int
        Its vertices, and the entries of their rows.
    open, open_entries : float
        Vertices that have no level yet, and the entries of their rows.
    skewed : bool
        Whether some vertices have far more edges than most.
    concentrated : float
        How many times less the frontier reaches than if its edges led anywhere: `concentration` of
        the level before, 1 where none was.
    """

    vertices: int
    entries: int
    frontier: int
    edges: int
    open: float
    open_entries: float
    skewed: bool = False
    concentrated: float = 1.0

    @property
    def shape(self) -> float:
        """Of the distribution of degrees."""
        return SKEWED if self.skewed else EVEN


@dataclass(frozen=True, slots=True)
class Met:
    """What a level is expected to meet: vertices found, and entries that a pull looks at."""

    found: float
    looked: float


def meets(counts: LevelCounts) -> Met:
    """What a level is expected to meet, from its counts alone.

    An entry of an open row leads to the frontier with the frontier's share of all edges, times the
    concentration; a row of d entries is then found unless all of them lead elsewhere, and whoever
    pulls looks at as many as it takes, or at all.

    Examples
    --------
    >>> anywhere = LevelCounts(1000, 16_000, 100, 1600, open=800, open_entries=12_000)
    >>> round(meets(anywhere).found)
    602
    >>> from dataclasses import replace
    >>> met = meets(replace(anywhere, concentrated=0.1))
    >>> round(met.found), round(met.looked)
    (111, 11067)
    """
    if counts.open <= 0 or counts.entries <= 0:
        return Met(0.0, 0.0)
    chance = counts.concentrated * max(counts.edges, 1) / counts.entries
    mean, k = counts.open_entries / counts.open, counts.shape
    found = counts.open * (1 - (1 + chance * mean / k) ** -k)
    return Met(found, min(counts.open_entries, found / chance))


def concentration(before: LevelCounts, found: int) -> float:
    """How many times less a level has found than if its edges led anywhere.

    Examples
    --------
    >>> level = LevelCounts(1000, 16_000, 100, 1600, open=800, open_entries=12_000)
    >>> concentration(level, 605), round(concentration(level, 111), 2)
    (1.0, 0.1)
    """
    if before.open <= 0 or before.open_entries <= 0 or before.edges <= 0:
        return 1.0
    k, share = before.shape, min(found / before.open, 0.999)
    seen = k * ((1 - share) ** (-1 / k) - 1) * before.open / before.open_entries
    expected = before.edges / before.entries
    return min(max(seen / expected, LEAST_CONCENTRATION), MOST_CONCENTRATION)


def level_times(rates: SearchRates, counts: LevelCounts) -> dict[str, float]:
    """Seconds of the level in each of the paper's strategies, those of both devices.

    Examples
    --------
    >>> from spbfs.planner.rates import BUILT_IN
    >>> first = LevelCounts(1 << 20, 1 << 24, 1, 16, open=1 << 20, open_entries=1 << 24)
    >>> times = level_times(BUILT_IN, first)
    >>> min(times, key=times.get)
    'TC'
    >>> half = {"open": 9e5, "open_entries": 1.2e7, "skewed": True}
    >>> large = LevelCounts(1 << 20, 1 << 24, 1 << 17, 1 << 22, **half)
    >>> times = level_times(BUILT_IN, large)
    >>> times["BC"] < times["TC"], times["BG"] < times["BC"]
    (True, True)
    """
    met, cpu, cuda = meets(counts), rates.cpu, rates.cuda
    # On the CPU the hub of a row is looked at first where degrees are skewed; most finds are there.
    pull_found = cpu.pull_at_hub if counts.skewed else cpu.pull_found
    top_down = LevelRates(cpu.push_level, cpu.push_edge, cpu.push_row, cpu.push_found)
    bottom_up = LevelRates(cpu.pull_level, cpu.pull_probe, cpu.pull_row, pull_found, cpu.pull_word)
    return {
        "TC": _push(top_down, counts, met),
        "TG": min(_push(cuda.small_push, counts, met), _push(cuda.push, counts, met)),
        "BC": _pull(bottom_up, counts, met),
        "BG": _pull(cuda.pull, counts, met),
        "BGC": _pull(cuda.cached_pull, counts, met),
    }


def _push(rates: LevelRates, counts: LevelCounts, met: Met) -> float:
    """t_TopDown."""
    nanoseconds = rates.level + rates.edge * counts.edges
    return (nanoseconds + rates.row * counts.frontier + rates.found * met.found) * 1e-9


def _pull(rates: LevelRates, counts: LevelCounts, met: Met) -> float:
    """t_BottomUp."""
    nanoseconds = rates.level + rates.edge * met.looked + rates.word * counts.vertices / 64
    return (nanoseconds + rates.row * counts.open + rates.found * met.found) * 1e-9


def switch_seconds(rates: SearchRates, counts: LevelCounts) -> float:
    """Seconds to go on with this level on the other device: the frontier and the visited set move,
    each as a list of 4 bytes a vertex or as bits, whichever is smaller, and what both devices found
    is put together in the end.

    Examples
    --------
    >>> from spbfs.planner.rates import BUILT_IN
    >>> few = LevelCounts(1 << 20, 1 << 24, 1, 16, open=1 << 20, open_entries=1 << 24)
    >>> many = LevelCounts(1 << 20, 1 << 24, 1 << 17, 1 << 22, open=9e5, open_entries=1.2e7)
    >>> switch_seconds(BUILT_IN, few) < switch_seconds(BUILT_IN, many)
    True
    """
    bits = counts.vertices / 8
    reached = max(counts.vertices - counts.open, counts.frontier)
    moved = min(4 * counts.frontier, bits) + min(4 * reached, bits)
    price = rates.switch
    return (price.switch + price.vertex * counts.vertices + price.byte * moved) * 1e-9


def most_saved(rates: SearchRates, counts: LevelCounts, here: str) -> float:
    """Seconds that all which is left of a search can take less on the other device, at most.

    Of edges, rows and finds of pushes by the whole device: what a level has to do in any case is
    little, and nearly alike on both.

    Examples
    --------
    >>> from spbfs.planner.rates import BUILT_IN
    >>> first = LevelCounts(1 << 20, 1 << 24, 1, 16, open=1 << 20, open_entries=1 << 24)
    >>> most_saved(BUILT_IN, first, "cuda"), most_saved(BUILT_IN, first, "cpu") > 0.01
    (0.0, True)
    """
    cpu, cuda = rates.cpu, rates.cuda.push
    edges, found = counts.edges + counts.open_entries, counts.open
    prices = {
        "cpu": cpu.push_edge * edges + (cpu.push_row + cpu.push_found) * found,
        "cuda": cuda.edge * edges + (cuda.row + cuda.found) * found,
    }
    return max(0.0, 2 * prices[here] - sum(prices.values())) * 1e-9


def choose(
    rates: SearchRates,
    counts: LevelCounts,
    strategies: Iterable[str],
    devices: Mapping[str, str],
    here: str,
) -> str:
    """The strategy that a level should have.

    A level on the other device has to be worth the way there and, as the next levels may be best
    here again, half of the way back.

    Parameters
    ----------
    rates : SearchRates
    counts : LevelCounts
    strategies : iterable of str
        Those to choose from.
    devices : mapping of str to str
        The device of each.
    here : str
        The device that has the frontier.

    Returns
    -------
    str

    Examples
    --------
    >>> from spbfs.planner.rates import BUILT_IN
    >>> devices = {"TC": "cpu", "BC": "cpu", "TG": "cuda", "BG": "cuda", "BGC": "cuda"}
    >>> first = LevelCounts(1 << 20, 1 << 24, 1, 16, open=1 << 20, open_entries=1 << 24)
    >>> choose(BUILT_IN, first, devices, devices, "cpu")
    'TC'
    >>> half = {"open": 9e5, "open_entries": 1.2e7, "skewed": True}
    >>> large = LevelCounts(1 << 20, 1 << 24, 1 << 17, 1 << 22, **half)
    >>> choose(BUILT_IN, large, devices, devices, "cpu")
    'BG'
    >>> choose(BUILT_IN, large, ["TC", "BC"], devices, "cpu")
    'BC'
    """
    times, way = level_times(rates, counts), switch_seconds(rates, counts)

    def cost(name: str) -> float:
        return times[name] + (0.0 if devices[name] == here else 1.5 * way)

    return min(strategies, key=cost)


def expected_seconds(
    rates: SearchRates, vertices: int, entries: int, *, skewed: bool, deep: bool
) -> dict[str, float]:
    """Seconds of a whole search on each device alone, from a graph's sizes.

    The search is played through level by level as `meets` expects it.  Of a deep graph, whose
    vertices have few neighbours and lie in the plane as those of a road network do, the frontier
    grows as a ring does.

    Parameters
    ----------
    rates : SearchRates
    vertices, entries : int
    skewed, deep : bool

    Returns
    -------
    dict of str to float
        Of "cpu" and "cuda".

    Examples
    --------
    >>> from spbfs.planner.rates import BUILT_IN
    >>> karate = expected_seconds(BUILT_IN, 34, 156, skewed=False, deep=False)
    >>> min(karate, key=karate.get)
    'cpu'
    >>> web = expected_seconds(BUILT_IN, 1 << 22, 1 << 26, skewed=True, deep=False)
    >>> min(web, key=web.get)
    'cuda'
    """
    if vertices <= 0:
        return {"cpu": 0.0, "cuda": rates.cuda.launch * 1e-9}
    totals = {"cpu": 0.0, "cuda": rates.cuda.launch * 1e-9}
    mean = max(entries / vertices, 1.0)
    ring = math.ceil(math.sqrt(vertices)) if deep else 0
    frontier, reached, explored = 1.0, 1.0, 0.0
    while frontier >= 1 and reached <= vertices:
        edges = frontier * mean
        counts = LevelCounts(
            vertices,
            max(entries, 1),
            int(frontier),
            int(edges),
            open=max(vertices - reached, 0.0),
            open_entries=max(entries - explored - edges, 0.0),
            skewed=skewed,
        )
        times = level_times(rates, counts)
        # The levels of a ring are all alike: one stands for as many as there are.
        repeated = 2.0 * ring if deep else 1.0
        totals["cpu"] += repeated * min(times["TC"], times["BC"])
        totals["cuda"] += repeated * min(times["TG"], times["BG"], times["BGC"])
        if deep and frontier > 1:
            break
        found = ring / 2 if deep else meets(counts).found
        explored += edges
        frontier = min(found, vertices - reached)
        reached += frontier
    return totals
