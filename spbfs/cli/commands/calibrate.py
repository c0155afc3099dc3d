"""``spbfs calibrate``: what searches cost on this machine, into a rates file."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from spbfs.cli.shared import formatting as text
from spbfs.cli.shared.files import check_place

if TYPE_CHECKING:
    from spbfs.planner.calibrated import CpuCalibration, CudaCalibration

__all__ = ["run"]


def run(arguments: argparse.Namespace) -> None:
    import spbfs

    check_place(arguments.output, arguments.force)
    found = spbfs.calibrate(
        arguments.output,
        device=arguments.device,
        seconds=arguments.seconds,
        threads=arguments.threads,
    )
    if arguments.json:
        text.print_json(
            {
                "output": arguments.output,
                "machine": str(found.machine),
                "date": found.date,
                **{
                    name: _summary(made)
                    for name, made in (("cpu", found.cpu), ("cuda", found.cuda))
                    if made is not None
                },
            }
        )
        return
    lines = [("machine", str(found.machine)), ("output", arguments.output)]
    for name, made in (("cpu", found.cpu), ("cuda", found.cuda)):
        if made is not None:
            lines += _lines(name, made)
    print(text.facts(lines))


def _summary(made: CpuCalibration | CudaCalibration) -> dict[str, Any]:
    """Both models, how well they fit and choose."""
    return {
        "graphs": made.training.graphs,
        "levels": made.training.levels,
        "seconds": made.training.seconds,
        "error": made.fit.error,
        "median_regret": made.fit.median_regret,
        "worst_regret": made.fit.worst_regret,
        "paper_error": made.paper_fit.error,
        "paper_median_regret": made.paper_fit.median_regret,
        "paper_worst_regret": made.paper_fit.worst_regret,
        "top_down": made.paper.top_down,
        "bottom_up": made.paper.bottom_up,
        "alpha": made.paper.alpha,
    }


def _lines(name: str, made: CpuCalibration | CudaCalibration) -> list[tuple[str, str]]:
    training, ours, theirs, paper = made.training, made.fit, made.paper_fit, made.paper
    return [
        (
            name,
            f"{text.count(training.levels)} levels of {training.graphs} of {training.asked} graphs "
            f"in {text.seconds(training.seconds)}",
        ),
        (
            "in use",
            f"times within a factor of {ours.error:.2f} (median); "
            f"regret {ours.median_regret:.2f} median, {ours.worst_regret:.2f} worst",
        ),
        (
            "paper",
            f"times within a factor of {theirs.error:.2f}; regret {theirs.median_regret:.2f} "
            f"median, {theirs.worst_regret:.2f} worst; top-down {text.rate(paper.top_down)}, "
            f"bottom-up {text.rate(paper.bottom_up)}, alpha {paper.alpha:.3f}",
        ),
    ]
