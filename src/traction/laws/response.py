"""`Response`: what a contact law returns for an approach, and the memory that goes in and out with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

Memory = Mapping[str, np.ndarray]  #: named arrays, so that a file can hold them; never changed in place
NO_MEMORY: Memory = {}


class Response(NamedTuple):
    """Force and its derivatives at an approach; for line contact per metre."""

    force: float  #: F, N
    stiffness: float  #: dF/d(approach), N/m: exact for the contact as it is
    energy: float  #: work done on the contact, the integral of F over the approach at rest, J
    viscosity: float = 0.0  #: dF/d(rate of approach), N s/m
    memory: Memory = NO_MEMORY  #: of the contact

    def __eq__(self, other: object) -> bool:
        """Whether the numbers are equal; memories are not compared."""
        return isinstance(other, Response) and self[:-1] == other[:-1]

    def __hash__(self) -> int:
        return hash(self[:-1])

    def __repr__(self) -> str:
        numbers = zip(self._fields[:-1], self[:-1], strict=True)
        return f"Response({', '.join(f'{name}={value!r}' for name, value in numbers)})"
