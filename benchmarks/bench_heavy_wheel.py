"""A heavy wheel without springs on an undamped beam, from rest to the crossing: what differs, and from where.

python benchmarks/bench_heavy_wheel.py [--fine 3 1.5 0.75]

The beam of `tr.cross`, an elastic strip (exact in plane strain) and meshes of the same strip; `fine` is the
length of elements in half widths of the patch. 0.75 takes some minutes.
"""

import argparse
import math

import numpy as np
from rich.console import Console
from rich.table import Table

from traction.app.checks.finite_element_checks import INSIDE, heavy_wheel
from traction.app.finite_elements.bridge_mesh import MeshModes
from traction.app.finite_elements.split_modes import SplitModes
from traction.app.finite_elements.strip_modes import StripModes

STEPS, MODES = 4000, 45
PLACES, HERTZ = (2.0, 5.0, 10.0), (5.0, 20.0, 33.0, 45.0)
console = Console(width=120)


def show(title, head, rows):
    """A table."""
    table = Table(*head, title=title)
    for row in rows:
        table.add_row(*row)
    console.print(table)


def at_rest(case, bodies, meshes):
    """Drop of the wheel per force, times Young's modulus."""
    E = case.bridge.material.youngs_modulus
    rows = [
        (name, *(f"{E * body.compliance(x, case.weight):.3f}" for x in PLACES))
        for name, body in bodies.items()
    ]
    rows += [
        (f"mesh, {fine:g} a", *(f"{E * mesh.compliance(x):.3f}" for x in PLACES)) for fine, mesh in meshes
    ]
    show("At rest: drop of the wheel, E z/F", ["", *(f"at {x:g} m" for x in PLACES)], rows)


def shaken(case, bodies):
    """Drop at midspan per harmonic force on the top there, times Young's modulus."""
    rows, middle = [], 0.5 * case.bridge.length
    for name, body in bodies.items():
        loads, left = body.loads(middle, case.weight), body.residual(middle, case.weight)
        found = [left + np.sum(loads**2 / (body.frequencies**2 - (2.0 * math.pi * f) ** 2)) for f in HERTZ]
        rows.append((name, *(f"{case.bridge.material.youngs_modulus * z:.2f}" for z in found)))
    show("Shaken at midspan: E z/F", ["", *(f"{f:g} Hz" for f in HERTZ)], rows)


def rolling(case, bodies, start):
    """Contact forces against those of the first body."""
    rows, first, W = [], None, case.weight
    for name, body, contact in bodies:
        force = case.vibrations(body, STEPS, start=start, contact=contact).force / W
        first = force if first is None else first
        off = force - first
        rows.append(
            (name, f"{np.ptp(force):.3f}", *(f"{100 * x:.2f} %" for x in (abs(off).max(), off.std())))
        )
    for residual in (False, True) if start == 0.0 else ():
        off = case.split(2 * STEPS, residual=residual).contact_forces[::2, 0] / W - first
        name = "tr.cross, 40 modes" + (", residual compliance" if residual else "")
        rows.append((name, "", *(f"{100 * x:.2f} %" for x in (abs(off).max(), off.std()))))
    head = ["", "force, peak to peak over weight", "largest difference", "root mean square"]
    show(f"At {case.speed:g} m/s from {start:g} m: contact force against the first row", head, rows)


def main():
    """Print the ladder."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--fine", type=float, nargs="+", default=[3.0, 1.5])
    case = heavy_wheel()
    body = case.bridge, case.weight
    meshes = [(fine, case.mesh(fine)) for fine in parser.parse_args().fine]
    strip, top, beam = StripModes(*body), SplitModes.of_strip(*body), SplitModes.of_beam(*body)
    plain = {"beam": beam, "strip, bending waves": top, "strip, all waves": strip}
    at_rest(case, plain, meshes)
    modes = {f"mesh, {fine:g} a": MeshModes(mesh, MODES) for fine, mesh in meshes}
    shaken(case, plain | modes)
    moving = {"strip, all waves": strip, "strip, waves to 600 Hz": StripModes(*body, cutoff=600.0)}
    ladder = [(name, each, "pressure") for name, each in {**moving, **plain, **modes}.items()]
    finest = list(modes)[-1]
    ladder.append((f"{finest}, nodes", modes[finest], "nodes"))
    rolling(case, ladder, INSIDE)
    like = top.resting_like(meshes[-1][1])
    whole = [(finest, modes[finest]), ("strip that rests like the mesh", like), ("strip, bending waves", top)]
    rolling(case, [(name, each, "pressure") for name, each in [*whole, ("beam", beam)]], 0.0)


if __name__ == "__main__":
    main()
