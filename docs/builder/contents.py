"""The sections of the site and their pages, as the side bar lists them."""

from __future__ import annotations

__all__ = ["SECTIONS"]

SECTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Start", ("start/install.md", "start/first-search.md", "start/own-algorithm.md")),
    (
        "How to",
        (
            "how-to/data.md",
            "networkx.md",
            "csgraph.md",
            "how-to/gpu.md",
            "how-to/many-sources.md",
            "how-to/weights.md",
            "how-to/semirings.md",
            "how-to/traces.md",
            "how-to/pictures.md",
            "how-to/devices.md",
            "how-to/memory.md",
            "how-to/cluster.md",
            "how-to/command-line.md",
            "how-to/servers.md",
        ),
    ),
    (
        "Algorithms",
        (
            "algorithms/index.md",
            "algorithms/breadth-first.md",
            "algorithms/many-sources.md",
            "algorithms/shortest-paths.md",
            "algorithms/widest-paths.md",
            "algorithms/orders.md",
            "algorithms/components.md",
            "algorithms/ranks.md",
            "algorithms/distances.md",
            "algorithms/cohesion.md",
            "algorithms/sets.md",
            "algorithms/communities.md",
        ),
    ),
    (
        "Coming from",
        (
            "coming-from/networkx.md",
            "coming-from/scipy.md",
            "coming-from/python-graphblas.md",
            "coming-from/cugraph.md",
            "coming-from/igraph.md",
        ),
    ),
    (
        "Notebooks",
        ("notebooks/first_search.md", "notebooks/ranks.md", "notebooks/own_algorithm.md"),
    ),
    (
        "Under the hood",
        (
            "architecture.md",
            "figures.md",
            "notes.md",
            "papers/index.md",
            "what-differs.md",
        ),
    ),
    (
        "Reference",
        (
            "reference/objects.md",
            "reference/operators.md",
            "reference/files.md",
            "reference/rest.md",
        ),
    ),
    (
        "Project",
        (
            "project/CONTRIBUTING.md",
            "project/CHANGELOG.md",
            "project/examples/README.md",
            "project/SECURITY.md",
            "releasing.md",
        ),
    ),
)
