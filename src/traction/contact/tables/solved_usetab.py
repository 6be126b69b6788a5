"""`solve_usetab`: the creep table of a USETAB file, solved at all its nodes."""

from __future__ import annotations

from dataclasses import replace

from traction import checks
from traction.contact.batch.batch import DEVICES, PRECISIONS
from traction.contact.tables.creep_table import CreepTable, table_of_usetab
from traction.contact.tables.usetab.usetab_solution import solve_cases
from traction.outputs.progress import Progress, telling

MOST_CELLS = 100


def solve_usetab(
    cells: int = 20,
    *,
    device: str = "cpu",
    precision: str = "mixed",
    progress: Progress | bool | None = None,
) -> CreepTable:
    """Return the creep table of a USETAB file, solved at each of its 204,800 nodes.

    Parameters
    ----------
    cells
        Elements across a circle, 8 to 100; they are covered elements. An ellipse has cells (a/b)^0.1 along
        and cells (b/a)^0.1 across.
    device
        "cpu", or "gpu" with CuPy (``pip install traction[gpu]``).
    precision
        "mixed" or "float64" products, as in `tr.Batch`; results and certificates are in double precision.
    progress
        Function called with the number of ellipses that are solved, and of all 24; True shows a bar in
        terminals and notebooks, False nowhere. By default notebooks show one.

    Returns
    -------
    CreepTable
        Steel on steel, a/b from 1/7 to 200; ``to_usetab`` writes the file. Between its nodes it
        interpolates; `tr.creep_table` returns a table with a stated error.

    Raises
    ------
    InputError
        If a number or a choice is out of range.
    ConvergenceError
        If a case does not converge on any of four grids.

    Notes
    -----
    Takes 3 minutes on one core of a processor with 20 elements across. Ellipses of more than 1100 elements on
    a processor (37 across a circle), or 6000 on a GPU (87), are solved one by one, which takes far longer.

    Examples
    --------
    >>> table = tr.solve_usetab(40, device="gpu")  # doctest: +SKIP
    >>> table.to_usetab("tabcon")  # doctest: +SKIP
    """
    across = checks.count("cells", cells, 8, MOST_CELLS, "the cost grows with its fourth power.")
    checks.choice("device", device, DEVICES)
    checks.choice("precision", precision, PRECISIONS)
    with telling(progress, "ellipses of a USETAB file") as told:
        solved = solve_cases(across, device=device, precision=precision, tell=told)
    table = table_of_usetab(
        solved, None, f"solved at the nodes of a USETAB file, {across} elements across a circle"
    )
    return replace(table, discretisation="covered")
