"""`Response`: what a contact law returns for an approach, and the memory that goes in and out with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

Memory = Mapping[str, np.ndarray]  #: named arrays, so that a file can hold them; never changed in place
NO_MEMORY: Memory = {}


@dataclass(frozen=True)
class Response:
    """Force and its derivatives at an approach; for line contact per metre."""

    force: float  #: F, N
    stiffness: float  #: dF/d(approach), N/m: exact for the contact as it is
    energy: float  #: work done on the contact, the integral of F over the approach at rest, J
    viscosity: float = 0.0  #: dF/d(rate of approach), N s/m
    memory: Memory = field(default_factory=lambda: NO_MEMORY, compare=False, repr=False)  #: of the contact
