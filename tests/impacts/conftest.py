"""The classical case: a steel ball on the middle of a simply supported steel beam; and two others."""

import math
from dataclasses import dataclass

import pytest

import traction as tr
from reference_cases import reference_dynamics

E, NU, RHO, SPEED = 215746300000.0, 0.3, 7960.0, 0.01
BENDING, MASS = 179.78858333333335, 0.796


@dataclass(frozen=True)
class Case:
    beam: tr.Beam
    at: float
    striker: tr.Striker

    def strike(self, **options):
        return tr.impact(self.beam, self.at, self.striker, **options)


def steel_case(length, radius, supports, at):
    beam = tr.Beam(length, BENDING, MASS, supports=supports)
    mass = 4.0 / 3.0 * math.pi * radius**3 * RHO
    return Case(beam, at, tr.Striker(mass, SPEED, radius=radius, pair=E / (2.0 * (1.0 - NU**2))))


@pytest.fixture(scope="session")
def classical():
    return steel_case(0.1535, 0.01, ("pinned", "pinned"), 0.07675)


@pytest.fixture(scope="session")
def heavy():
    return steel_case(0.307, 0.02, ("pinned", "pinned"), 0.1535)


@pytest.fixture(scope="session")
def cantilever():
    return steel_case(0.1535, 0.01, ("clamped", "free"), 0.1535)


@pytest.fixture(scope="session")
def reference():
    return reference_dynamics()["impact"]["values"]["T1: SS centre L=0.1535 R=0.01"]
