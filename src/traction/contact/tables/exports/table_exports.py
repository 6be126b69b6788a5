"""`TableExports`: what a creep-force table writes for other programs."""

from __future__ import annotations

import math
import os
from pathlib import Path

from traction.contact.tables.exports.c_source import NAME, CFiles, write_c
from traction.contact.tables.exports.fmu import write_fmu
from traction.contact.tables.spline_table import SplineTable
from traction.contact.tables.usetab_file import tabulate, write_usetab


class TableExports:
    """Methods of a `CreepTable` that write it for other programs."""

    splines: SplineTable
    error: float
    cells: int
    origin: str

    def to_usetab(self, path: str | os.PathLike[str]) -> Path:
        """Write the forces at the nodes of a USETAB (TABCON) file, as CONTACT's `usetab_table` does.

        Parameters
        ----------
        path
            Name of the file; it is replaced.

        Returns
        -------
        Path
            The file: 204,800 rows of Fx, Fy and Mz, 8 MB.

        Raises
        ------
        InputError
            If a/b of the table is not 1/7 to 200, or Poisson's ratio not 0.28, which are those of the format.

        Notes
        -----
        Creepages are scaled by the coefficients of Kalker's printed table E.3 (1990), which programs that
        read such files use.

        Examples
        --------
        >>> table.to_usetab("tabcon")  # doctest: +SKIP
        """
        return write_usetab(path, tabulate(self.splines, self.cells or None))

    def to_c(self, path: str | os.PathLike[str], name: str = NAME) -> CFiles:
        """Write the table as C: one header and one source file (C99) without any library but libm.

        Parameters
        ----------
        path
            Name of one of the files, ending in .c or .h, or of both without the suffix.
        name
            Name of the function, for programs that have several tables.

        Returns
        -------
        CFiles
            `header` and `source`. The function ``void traction_creep_forces(const double creepage[3],
            double a, double b, double load, double friction, double force[3], double jacobian[9])``
            computes what `forces` and `jacobian` do; it allocates nothing and may be called by several
            threads. Where `forces` raises an error, its results are NaN; without load or friction they are 0,
            whatever the semi-axes.

        Raises
        ------
        InputError
            If the folder does not exist, or the name is none in C.

        Examples
        --------
        >>> table.to_c("creep_forces.c")  # doctest: +SKIP
        """
        return write_c(path, self.splines, self._describe(), name)

    def to_fmu(self, path: str | os.PathLike[str]) -> Path:
        """Write the table as a functional mock-up unit (FMI 2.0) for model exchange and co-simulation.

        Parameters
        ----------
        path
            Name of the file, ending in .fmu; without its suffix it is the name of the unit, a name in C.

        Returns
        -------
        Path
            The unit, with inputs xi, eta, phi, a, b, load, friction, outputs fx, fy, mz, their directional
            derivatives, the sources, and the library for this machine.

        Raises
        ------
        InputError
            If there is no C compiler, or the path is not that of a unit.

        Notes
        -----
        The compiler is that of the environment variable CC, or cc, gcc or clang.

        Examples
        --------
        >>> table.to_fmu("creep_forces.fmu")  # doctest: +SKIP
        """
        return write_fmu(path, self.splines, self._describe())

    def _describe(self) -> list[str]:
        """Sentences about the table."""
        known = "not known" if math.isnan(self.error) else f"{self.error:.3g} of mu N"
        across = f"; {self.cells} elements across a circle" if self.cells else ""
        origin = "".join(one if one.isprintable() else " " for one in self.origin)
        return [f"Stated error: {known}{across}.", f"Origin: {origin}."]
