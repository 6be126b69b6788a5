"""
Use a table in your multibody program
=====================================

**Task**: compute creep forces of wheel and rail in a multibody program: in C, as a functional
mock-up unit (FMU), in MATLAB or in Python.

A table of creep forces serves all loads, sizes and coefficients of friction: forces over
μN depend on reduced creepages and a/b alone. It is solved once, with a stated error, and
then evaluated in a microsecond with exact derivatives, which implicit integrators need.
"""

import shutil
import subprocess
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

np.set_printoptions(suppress=True)
folder = Path(tempfile.mkdtemp())
steel = tr.Pair(tr.STEEL, tr.STEEL)

# %%
# **Python.** Here one shape of ellipse, and an error of 2 % of μN to be quick; ``ratios=(0.5, 2)``
# would hold for every a/b between, ``error=5e-3`` is the default. Arrays broadcast.
table = tr.creep_table(pair=steel, ratios=1.2, error=0.02)
a, b, load, friction = 6e-3, 5e-3, 80e3, 0.3
creepage = np.array([0.001, 0.0005, 0.1])  # xi, eta, spin in rad/m
force = np.array(table.forces(creepage, a, b, load, friction))
jacobian = table.jacobian(creepage, a, b, load, friction)
print("Fx, Fy (N), Mz (N m):", force.round(2))
print("derivatives by xi, eta, phi:\n", jacobian.round(1))
print(
    f"stated error here: {float(table.error_at(creepage, a, b, load, friction)):.4f} of mu N"
)

# %%
# ``table.save("table.nc")`` keeps it, ``tr.CreepTable.load("table.nc")`` brings it back.
table.save(folder / "table.nc")
again = tr.CreepTable.load(folder / "table.nc")
assert np.array_equal(again.forces(creepage, a, b, load, friction), force)

# %%
# **C.** ``to_c`` writes a header and a source file (C99): all numbers are in them, nothing is
# allocated, and threads may call the function at the same time. This program
#
# .. code-block:: c
#
#    #include <stdio.h>
#    #include "creep_forces.h"
#
#    int main(void)
#    {
#        const double creepage[3] = {0.001, 0.0005, 0.1};
#        double force[3], jacobian[9]; /* row by row; NULL where it is not needed */
#        traction_creep_forces(creepage, 6e-3, 5e-3, 80e3, 0.3, force, jacobian);
#        printf("%.9g %.9g %.9g", force[0], force[1], force[2]);
#        return 0;
#    }
#
# is compiled by ``gcc -O2 -std=c99 main.c creep_forces.c -lm`` and prints the same forces.
# Without load or friction they are 0; outside the table, where Python raises an error, NaN.
files = table.to_c(folder / "creep_forces.c")
print(*(f"{file.name}: {file.stat().st_size / 1e3:.0f} kB" for file in files), sep="\n")
(folder / "main.c").write_text(
    """
#include <stdio.h>
#include "creep_forces.h"
int main(void)
{
    const double creepage[3] = {0.001, 0.0005, 0.1};
    double force[3], jacobian[9];
    traction_creep_forces(creepage, 6e-3, 5e-3, 80e3, 0.3, force, jacobian);
    printf("%.17g %.17g %.17g", force[0], force[1], force[2]);
    return 0;
}
"""
)
compiler = shutil.which("gcc")
if compiler:
    command = [compiler, "-O2", "-std=c99", "main.c", "creep_forces.c", "-lm", "-o", "main"]
    subprocess.run(command, cwd=folder, check=True)
    printed = subprocess.run([folder / "main"], check=True, capture_output=True, text=True)
    in_c = np.array(printed.stdout.split(), dtype=float)
    print("C:", in_c.round(2))
    assert np.abs(in_c - force).max() <= 1e-12 * friction * load

# %%
# **FMU.** ``to_fmu`` compiles the same source to a unit of FMI 2.0, for co-simulation and
# model exchange: inputs xi, eta, phi, a, b, load, friction; outputs fx, fy, mz, and their
# directional derivatives. Simulink, Dymola, OpenModelica, SIMPACK and others import it; the
# sources inside can be compiled for another machine. Here FMPy runs it.
#
# .. code-block:: python
#
#    table.to_fmu("creep_forces.fmu")
#    fmpy.simulate_fmu("creep_forces.fmu", start_values={"xi": 0.001, "load": 80e3})
try:
    import fmpy
except ImportError:
    fmpy = None
if compiler and fmpy:
    unit = table.to_fmu(folder / "creep_forces.fmu")
    given = dict(
        zip(
            ("xi", "eta", "phi", "a", "b", "load", "friction"),
            (*creepage, a, b, load, friction),
            strict=True,
        )
    )
    found = fmpy.simulate_fmu(str(unit), start_values=given, output=["fx", "fy", "mz"])[-1]
    print("FMU:", np.round(list(found)[1:], 2))
    assert np.abs(list(found)[1:] - force).max() <= 1e-9 * friction * load

# %%
# **MATLAB.** ``save`` with the suffix ``.mat`` keeps all knots and coefficients. This function
# has the forces of Python, to rounding; it needs no toolbox:
#
# .. code-block:: matlab
#
#    function f = creep_forces(T, creepage, a, b, load, friction)
#    % T = load('table.mat'); f = [Fx Fy Mz], N and N m; creepage = [xi eta phi]
#    c = sqrt(a*b); limit = friction*load;
#    i0 = 1; w0 = 1;
#    if isfield(T, 'ratio_knots'), [i0, w0] = splines(T.ratio_knots, log(a/b)); end
#    v = T.shear_modulus*c^2/limit * [1/3; 1/3; c] .* exp(T.scales(:, i0)*w0) .* creepage(:);
#    ahead = 1 - 2*(v(1) < 0); aside = 1 - 2*(v(2) < 0);
#    x = abs(v(1)); y = abs(v(2)); w = aside*v(3);
#    r = norm(v); s = r/(r + T.radius);
#    [i1, w1] = splines(T.knots_1, s);
#    [i2, w2] = splines(T.knots_2, atan2(y, x));
#    [i3, w3] = splines(T.knots_3, atan2(w, hypot(x, y)));
#    f = zeros(1, 3);
#    for k = 1:3
#        part = w0.' * reshape(T.coefficients(i0, i1, i2, i3, k), numel(w0), 64);
#        part = w1.' * reshape(part, 4, 16);
#        f(k) = s * (w2.' * reshape(part, 4, 4) * w3);
#    end
#    f = limit * f .* [ahead, aside, aside*c];
#    end
#
#    function [index, b] = splines(t, x)
#    % the four cubic B-splines that are not zero at x
#    i = min(max(sum(t <= x), 4), numel(t) - 4);
#    b = 1;
#    for d = 1:3
#        left = x - t(i-d+1:i); right = t(i+1:i+d) - x;
#        e = b ./ (left + right);
#        b = [right .* e; 0] + [0; left .* e];
#    end
#    index = i-3:i;
#    end
print(table.save(folder / "table.mat").name)

# %%
# **USETAB.** Programs that read the tables of CONTACT take ``table.to_usetab("tabcon")``; a
# file holds a/b from 1/7 to 200, which ``tr.solve_usetab(cells=20)`` solves at all its 204,800
# nodes, in minutes on a processor. ``tr.CreepTable.from_usetab("tabcon")`` reads such a file,
# also one of CONTACT, as a table that has all the methods above.

# %%
# **What is in it**: forces over longitudinal creepage with spin, from rest to full sliding.
xi = np.linspace(0.0, 6e-3, 200)
figure, axes = plt.subplots(figsize=(8, 4.4), layout="constrained")
for spin in (0.0, 0.5, 1.0):
    rows = np.column_stack((xi, 0.0 * xi, np.full_like(xi, spin)))
    fx, fy, _ = table.forces(rows, a, b, load, friction)
    (line,) = axes.plot(1e3 * xi, -fx / (friction * load), label=f"φ = {spin:g} rad/m")
    axes.plot(1e3 * xi, -fy / (friction * load), "--", color=line.get_color())
tr.view.style_axes(
    axes,
    "longitudinal creepage ξ (‰)",
    "force over μN",
    "Forces along x (solid) and y (dashed), on the rail",
    legend=True,
)
plt.show()
