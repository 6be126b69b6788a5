"""`Response`: result of a contact law at an approach, and the memory that is passed in and out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

Memory = Mapping[str, np.ndarray]  #: named arrays, so that a file can store them; never changed in place
NO_MEMORY: Memory = {}


class Response(NamedTuple):
    """Result of a contact law at an approach; per metre for line contact.

    Parameters
    ----------
    force
        F, N.
    stiffness
        dF/d(approach), N/m: exact for the current contact area.
    energy
        Work done on the contact, the integral of F over the approach at rest, J.
    viscosity
        dF/d(rate of approach), N s/m.
    memory
        Memory of the contact.

    Examples
    --------
    >>> print(f"{tr.PowerLaw(1e9, 1.5).response(1e-4).energy:.3f} J")
    0.040 J
    """

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
