"""
Coming from CONTACT
===================

CONTACT is the half-space program that E. A. H. Vollebregt develops after J. J. Kalker's
theory (*Three-Dimensional Elastic Bodies in Rolling Contact*, 1990), and the reference
of this field. This page translates its words and options, shows how to reproduce its
digits, and says what differs by default and why. Its numbers below are from the
open-source program, revision 2707 of July 2025, module 3.

**Words and options**

.. list-table::
   :header-rows: 1
   :widths: 42 58

   * - CONTACT
     - here
   * - mm, N, MPa, rad/mm
     - SI throughout: m, N, Pa, rad/m
   * - potential contact area: mx, my, xl, yl, dx, dy
     - ``tr.Grid(nx, ny, dx, dy, center=...)``, ``tr.Grid.around(...)``
   * - undeformed distance h, quadratic or tabulated
     - ``tr.Sphere``, ``tr.Paraboloid``, ``tr.HeightMap``, ``tr.RollingProfile``, a function or an array
   * - Hertzian options of IPOTCN
     - ``tr.hertz.ellipse`` for the semi-axes; the pressure is solved for
   * - G1, ν1 (body 1), G2, ν2 (body 2); Γ, ν, K combined
     - ``tr.Pair(tr.Material.from_shear_modulus(G1, nu1), ...)``; ``.shear_modulus``, ``.poisson_ratio``,
       ``.mismatch``
   * - N = 0, penetration; N = 1, normal force
     - ``tr.press(..., approach=)``; ``tr.press(..., force=)``
   * - T = 0, no tangential problem
     - ``tr.press``
   * - T = 1, shift
     - ``tr.shift(contact, friction, displacement=..., force=..., previous=...)``
   * - T = 2, transient rolling, dq
     - ``tr.roll(previous, friction, distance=...)``, with steps of any length
   * - T = 3, steady rolling
     - ``tr.roll_steady(contact, friction, creepage=...)``
   * - cksi, ceta, cphi; F = 0, 1, 2: which forces are given
     - ``creepage=(xi, eta, phi)`` and ``force=(Fx, Fy)``, None where the other is given
   * - chi = 0 or 180°
     - ``direction=+1`` or ``-1``
   * - adhesion and slip area
     - ``t.stick``, ``t.sliding``
   * - frictional power, negative, W
     - ``t.dissipation``, positive, J per metre rolled (times the speed: W) or J per step
   * - subsurface stress
     - ``contact.stress(points)``, ``t.stress(points)``
   * - L = 2, 3, 4, friction by slip velocity, with memory
     - ``tr.friction.linear``, ``.rational``, ``.exponential`` as ``friction``, with ``speed=``
   * - L = 6, friction by temperature
     - ``tr.friction.thermal([tref, tref + dtheat], [fref, fref + dfheat])``
   * - H = 3, surface temperature
     - ``tr.flash_temperature(t, speed, bulk=...)``; with classical elements as in CONTACT, otherwise without
       its double count of each element's own heat
   * - M = 4, layer between the bodies
     - ``layer=tr.Layer(...)``
   * - module 1, wheel and rail geometry
     - ``tr.wheel_rail(..., convention="contact")``, see :doc:`/wheel-rail-conventions`
   * - FASTSIM (modified material)
     - ``tr.fastsim``
   * - eps
     - ``tol``; every result has a certificate computed from the solution

Signs agree: body 1 is the upper one, z points into it, forces are those on body 1, and
creepages are those of body 1 relative to body 2.

Not in this package: conformal contact and viscoelastic layers.
"""

import matplotlib.pyplot as plt
import numpy as np

import traction as tr

# %%
# **The same digits.** A circular contact of 5 mm radius under 100 kN, G = 82 GPa, ν =
# 0.28, friction 0.3, 40 x 40 elements of 10/36 mm, steady rolling (T = 3). Creepages
# and what CONTACT prints: Fx, Fy (N), Mz (N mm), frictional power (W) at 1 m/s.
printed = {
    (0.001, 0.0, 0.0): (-8060.124996, 0.0, 0.0, 6.2968369),
    (0.003, 0.0, 0.0): (-19939.37897, 0.0, 0.0, 55.188148),
    (0.0, 0.002, 0.0): (0.0, -13153.2916, 17671.78468, 22.793088),
    (0.0, 0.0, 0.5): (0.0, -7496.966038, -25059.53414, 10.423037),
    (0.0, -0.002, 1.5): (0.0, -7960.070299, -63920.61272, 73.483241),
    (0.003, 0.002, 0.5): (-17426.63678, -17125.75039, -8294.628428, 84.9299),
}
steel = tr.Pair(tr.STEEL, tr.STEEL)  # tr.STEEL has these constants
radius = 0.5 / 2.634146341  # m


def pressed(cells):
    """The contact with so many elements across, and four beside it."""
    grid = tr.Grid(cells + 4, cells + 4, 10e-3 / cells, 10e-3 / cells)
    return tr.press(tr.Sphere(radius), grid, steel, force=1e5, tol=1e-9)


contact = pressed(36)
theirs = np.array(list(printed.values()))
classical = [
    tr.roll_steady(contact, 0.3, creepage=c, discretisation="classical") for c in printed
]
same = np.array([(*t.force, 1e3 * t.moment, t.dissipation) for t in classical])
for creepage, one, other in zip(printed, same, theirs, strict=True):
    both = "; CONTACT".join(
        f" {fx:10.3f} N {fy:10.3f} N {power:8.4f} W" for fx, fy, _, power in (one, other)
    )
    print(f"{creepage!s:20} {both}")
apart = np.abs(same - theirs).max(axis=0)
print(f"largest difference: {max(apart[:2]):.1e} N of 30 kN, {apart[3]:.1e} W")

# %%
# **By default** elements are not whole cells but the part of a cell that the contact
# covers, and particles that enter during a step are treated as such. On this grid forces
# differ by 1 to 2 % (3 % where creepage and spin nearly cancel), the frictional power by
# up to 26 % at these creepages.
ours = [tr.roll_steady(contact, 0.3, creepage=c) for c in printed]
for creepage, t, other in zip(printed, ours, theirs, strict=True):
    force = np.hypot(t.force[0] - other[0], t.force[1] - other[1]) / np.hypot(
        other[0], other[1]
    )
    power = t.dissipation / other[3] - 1
    print(
        f"{creepage!s:20} force differs by {100 * force:.1f} %, power by {100 * power:+.1f} %"
    )

# %%
# **Why the force?** Whole cells give the contact a staircase outline, and put the
# traction of its edge in the wrong place. That error falls with the first power of the
# cell; refined, whole cells tend to what covered ones have from the start.
cells = np.array([12, 18, 26, 32, 36, 52, 72])
forces = {
    name: [
        -tr.roll_steady(
            pressed(int(n)), 0.3, creepage=(0.001, 0, 0), discretisation=name
        ).force[0]
        for n in cells
    ]
    for name in ("classical", "covered")
}

# %%
# **Why the power?** In steady rolling all work of the creep forces becomes heat: power
# = -V (ξ Fx + η Fy + φ Mz). CONTACT multiplies the slip of a step with the tractions at
# its end; its printed power is then less than the work of its own printed forces. By
# default the slip is paired with the mean of the tractions at both ends of the step,
# which closes this balance to rounding.
creepages = np.array(list(printed))
work = -(creepages * theirs[:, :3] * [1.0, 1.0, 1e-3]).sum(axis=1)
own = [-np.dot(c, (*t.force, t.moment)) for c, t in zip(creepages, ours, strict=True)]
for creepage, w, p, t, o in zip(printed, work, theirs[:, 3], ours, own, strict=True):
    both = f"CONTACT {w:6.2f} and {p:6.2f} W, default {o:6.2f} and {t.dissipation:6.2f} W"
    print(f"{creepage!s:20} work and power: {both}")

# %%
# The difference grows as the slip zone becomes small against an element: with smaller
# creepages on the same grid,
for xi in (0.003, 0.001, 0.0005):
    default, whole = (
        tr.roll_steady(contact, 0.3, creepage=(xi, 0, 0), discretisation=name).dissipation
        for name in ("covered", "classical")
    )
    print(f"ξ = {xi:6g}: power differs by {100 * (default / whole - 1):+.0f} %")

# %%
# and with fewer elements: here over the number of elements across, for ξ = 0.001. At 32
# elements it is 30 %.
powers = {
    name: [
        tr.roll_steady(
            pressed(int(n)), 0.3, creepage=(0.001, 0, 0), discretisation=name
        ).dissipation
        for n in cells
    ]
    for name in ("classical", "covered")
}
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
for name, label in (
    ("classical", 'discretisation="classical" (CONTACT)'),
    ("covered", "default"),
):
    left.plot(cells, np.array(forces[name]) / 1e3, "o-", label=label)
    right.plot(cells, powers[name], "o-", label=label)
left.plot(36, -theirs[0, 0] / 1e3, "k*", ms=12, label="CONTACT, printed")
right.plot(36, theirs[0, 3], "k*", ms=12)
tr.view.style_axes(
    left,
    "elements across the contact",
    "creep force (kN)",
    "Force at ξ = 0.001",
    legend=True,
)
tr.view.style_axes(
    right,
    "elements across the contact",
    "frictional power (W at 1 m/s)",
    "Power at ξ = 0.001",
)
plt.show()

# %%
gap = {
    int(n): c / p - 1.0
    for n, c, p in zip(cells, powers["covered"], powers["classical"], strict=True)
}
print(
    "power, default over classical: "
    + ", ".join(f"{n} elements {100 * value:+.0f} %" for n, value in gap.items())
)
assert np.abs(same - theirs)[:, :2].max() < 0.01
assert np.abs(same - theirs)[:, 3].max() < 1e-3
assert max(abs(t.dissipation / o - 1.0) for t, o in zip(ours, own, strict=True)) < 1e-6
assert (
    abs(forces["classical"][-1] / forces["covered"][-1] - 1.0)
    < 0.5 * abs(forces["classical"][4] / forces["covered"][4] - 1.0) + 1e-3
)
assert 0.255 < gap[36] < 0.265
assert 0.29 < gap[32] < 0.305

# %%
# **Transient rolling.** CONTACT asks for steps of one element, dq = dx; with shorter
# ones tractions oscillate (van der Wekken, Vollebregt and Vuik). The default of
# ``tr.roll`` takes steps of any length: see
# :doc:`/gallery/friction/plot_rolling_steps`. To reproduce its steps, take
# ``discretisation="classical"`` with ``distance=grid.dx``.
