"""Samples of several keys at once: points in a unit cube, random or as a Latin hypercube, from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.scenario.distributions import Distribution

LATIN, RANDOM = "latin-hypercube", "random"
METHODS = (LATIN, RANDOM)
MOST_SAMPLES = 10_000


@dataclass(frozen=True)
class Sampling:
    """How many samples are drawn, and how; the same seed draws the same ones."""

    count: int
    method: str = LATIN
    seed: int = 0

    def __post_init__(self) -> None:
        few = "give fewer samples"
        checks.keep(
            self,
            count=checks.count("samples", self.count, most=MOST_SAMPLES, remedy=few),
            method=checks.choice("sampling", self.method, METHODS),
            seed=checks.count("seed", self.seed, minimum=0),
        )

    @property
    def words(self) -> str:
        """Count, method and seed."""
        name = "Latin hypercube" if self.method == LATIN else "independent random values"
        return f"{self.count} samples ({name}, seed {self.seed})"

    def draw(self, distributions: Sequence[Distribution]) -> list[tuple[object, ...]]:
        """The values of each distribution, one for each sample."""
        points = self._points(len(distributions))
        return [one.values_at(points[:, k]) for k, one in enumerate(distributions)]

    def _points(self, dimensions: int) -> np.ndarray:
        rng = np.random.default_rng(self.seed)
        if self.method == RANDOM:
            return rng.random((self.count, dimensions))
        from scipy.stats import qmc

        return qmc.LatinHypercube(dimensions, seed=rng).random(self.count)


def choose_sampling(samples: int | None, method: str, seed: int) -> Sampling | None:
    """The sampling that was asked for; None where nothing is sampled."""
    if samples is not None:
        return Sampling(samples, method, seed)
    if checks.choice("sampling", method, METHODS) != LATIN or checks.count("seed", seed, minimum=0) != 0:
        raise InputError("sampling and seed say how samples are drawn; give their number by samples, too.")
    return None


def require_samples(sampling: Sampling | None, key: str, text: str) -> Sampling:
    """The sampling of a distribution; an error where none is given."""
    if sampling is None:
        raise InputError(
            f"{key} = {text} is a distribution; say how many samples to draw: samples=100, or --samples 100."
        )
    return sampling
