"""`split_beam`: a beam cut at places, so that each is an end of a segment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from traction.beams.beam_description import BeamDescription
from traction.beams.segment import Segment
from traction.beams.supports import Support

SAME_PLACE = 1e-12  #: of the length of the beam, between a place that a user means and an end


@dataclass(frozen=True, eq=False)
class CutBeam:
    """A beam with segments between the ends of those of another and further places."""

    beam: BeamDescription  #: supports at further places are free
    loads: np.ndarray  #: uniform, of the segments, N/m
    ends: np.ndarray  #: places, m
    at: np.ndarray  #: end at each of the further places
    kept: np.ndarray  #: ends that were there before


def split_beam(
    beam: BeamDescription, loads: Sequence[float], places: Sequence[float], *, near: float
) -> CutBeam:
    """The beam with an end at each of the places (m); those within `near` of an end or another are one."""
    ends = beam.ends
    near = near * ends[-1]
    pieces: list[Segment] = []
    held, weights, kept, where = [beam.supports[0]], [], [0], [0.0]
    ordered = np.unique(np.asarray(places, dtype=float))
    first = np.searchsorted(ordered, ends[:-1] + near, "right")
    last = np.searchsorted(ordered, ends[1:] - near, "left")
    for s, segment in enumerate(beam.segments):
        inside = _apart(ordered[first[s] : last[s]].tolist(), near)
        for a, b in pairwise([ends[s], *inside, ends[s + 1]]):
            pieces.append(Segment(float(b - a), *segment.section) if inside else segment)
            weights.append(loads[s])
            held.append(Support())
            where.append(float(b))
        held[-1] = beam.supports[s + 1]
        kept.append(len(pieces))
    stops = np.array(where)
    at = _nearest(stops, np.asarray(places, dtype=float))
    cut = BeamDescription(tuple(pieces), tuple(held))
    return CutBeam(cut, np.array(weights), stops, at, np.array(kept))


def _nearest(ends: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Numbers of the ends, which ascend, next to places; of two as near, the first."""
    after = np.clip(np.searchsorted(ends, places), 1, ends.size - 1)
    return np.asarray(np.where(places - ends[after - 1] <= ends[after] - places, after - 1, after))


def _apart(places: list[float], near: float) -> list[float]:
    """Places without those that follow another at once."""
    kept: list[float] = []
    for x in places:
        if not kept or x - kept[-1] > near:
            kept.append(x)
    return kept
