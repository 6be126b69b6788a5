"""
Can local and global deformation be separated?
==============================================

`tr.rest` models a wheel on a bridge twice: locally as a half space, globally as a beam. Finite elements of
the whole body assume neither. **The separation holds while the beam is thicker than about three half widths
of the patch**: peak pressure and width differ by less than 0.3 % above four, whatever the slenderness, by 4 %
at 1.7 and by a third at 1. The deflection agrees throughout, within 0.2 % where the beam is 8 times as long
as thick and 2.5 % where 3 times.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.sparse import block_array, csc_array, kron
from scipy.sparse.linalg import splu

import traction as tr

E, nu, a, R = 2.1e11, 0.3, 1e-3, 0.5  # Pa; m, Hertz's half width; m, radius of the cylinder
steel, G, lame = tr.Material(E, nu), E / (2 * (1 + nu)), E * nu / ((1 + nu) * (1 - 2 * nu))
force = np.pi * E / (1 - nu**2) * a**2 / (4 * R)  # N/m, makes Hertz's half width a

# %%
# The mesh: rectangles of nine nodes, whose integrals are products of those along x and z, of f' f', f f and
# f' f with quadratic shape functions f. Displacements along x come first, then those along z; the stress in
# plane strain is :math:`\lambda\,\nabla\cdot u\,I + G(\nabla u + \nabla u^T)`.


def line(ends):
    """Nodes of the elements between these ends, and the three integrals."""
    h = np.diff(ends)[:, None, None]
    stiff = np.array([[7, -8, 1], [-8, 16, -8], [1, -8, 7]]) / (3 * h)
    mass = np.array([[4, 2, -1], [2, 16, 2], [-1, 2, 4]]) * (h / 30)
    mixed = np.array([[-3, -4, 1], [4, 0, -4], [-1, 4, 3]]) / (6 * h**0)
    i, j = (2 * np.arange(len(h))[:, None, None] + one for one in np.indices((3, 3)))
    nodes = np.interp(np.arange(2 * len(h) + 1) / 2, np.arange(len(ends)), ends)
    return nodes, *(csc_array((one.ravel(), (i.ravel(), j.ravel()))) for one in (stiff, mass, mixed))


def stiffness(x, z):
    """Matrix of a plate in plane strain between two lines."""
    (_, Kx, Mx, Cx), (_, Kz, Mz, Cz) = x, z
    xx, zz, xz = kron(Kx, Mz), kron(Mx, Kz), lame * kron(Cx, Cz.T) + G * kron(Cx.T, Cz)
    both = G * (xx + zz)
    return csc_array(block_array([[(lame + G) * xx + both, xz], [xz.T, (lame + G) * zz + both]]))


def graded(fine, within, end):
    """Ends of elements from 0 to `end`, about `fine` long up to `within` and growing beyond."""
    last = np.arcsinh(end / within)
    return within * np.sinh(np.linspace(0, last, round(last * within / fine) + 1))


# %%
# The contact of a rigid cylinder: nodes that touch carry pressure, the others do not penetrate. Half the beam
# is meshed; by symmetry its middle does not move along x. The end carries the parabolic shear stress of a
# support, and its neutral axis stays where it is. Unit forces on the top give the compliance C.


def touching(C, gap, force):
    """Forces f >= 0 that add up to `force`, with gap + C f - drop zero where they act and >= 0 elsewhere."""
    on, before = gap <= np.median(gap), None
    while not np.array_equal(on, before):
        n, f, before = on.sum(), np.zeros(gap.size), on
        matrix = np.block([[C[np.ix_(on, on)], -np.ones((n, 1))], [np.ones((1, n)), np.zeros((1, 1))]])
        *f[on], drop = np.linalg.solve(matrix, np.append(-gap[on], force))
        on = np.where(on, f > 0, gap + C @ f < drop)
    return f


def meshed(L, h, reach):
    """Places on the top, pressure and forces there, and the deflection of the neutral axis."""
    half = graded(0.2 * a, a, h / 2)
    x, z = line(graded(0.1 * a, reach, L / 2)), line(np.append(half, np.linspace(h / 2, h, 7)[1:]))
    axis, number = 2 * half.size - 2, np.arange(2 * x[0].size * z[0].size).reshape(2, x[0].size, -1)
    free = np.delete(number, np.append(number[0, 0], number[1, -1, axis]))
    top = number[1, x[0] <= reach, 0]
    loads, moved = np.zeros((2, number.size, top.size))
    loads[top, np.arange(top.size)] = 1.0
    loads[number[1, -1]] -= (z[2] @ (6 * z[0] * (h - z[0]) / h**3))[:, None]
    moved[free] = splu(stiffness(x, z)[free][:, free], permc_spec="MMD_AT_PLUS_A").solve(loads[free])
    f = touching(moved[top], x[0][: top.size] ** 2 / (2 * R), force / 2)
    return x[0][: top.size], f / x[2].sum(axis=1)[: top.size], f, moved[number[1, 0, axis]] @ f


def compared(h, L):  # shear coefficient of Seewald (1927), approach from the neutral axis (Johnson 1985, 5.6)
    """Thickness over half width; differences of pressure, width and deflection from `tr.rest`, %; curves."""
    x, p, f, w = meshed(L, h, (2.8 if h < 10 * a else 1.4) * a)
    width = 2 * np.sqrt(f @ x**2 / f.sum())  # half, of Hertz's pressure with the same second moment
    EI, kGA, pinned = E * h**3 / (12 * (1 - nu**2)), 20 / (24 - 9 * nu) * G * h, ("pinned", "pinned")
    bridge = tr.Bridge(tr.Beam(L, EI, 1.0, shear_stiffness=kGA, supports=pinned), steel)
    wheel = tr.Wheel(R, 1.0, profile=tr.Cylinder(R), material=tr.RIGID)
    grid = tr.Grid.line(500, max(width, x[p > 0].max()) / 125, length=h / 2 * np.exp(-0.5 / (1 - nu)))
    split = tr.rest(wheel, bridge, L / 2, force, grid=grid)
    c, sag = split.contacts[0], split.deflection(L / 2)
    ratios = np.divide((c.peak_pressure, c.semi_axes[0], sag), (p.max(), width, w))
    return h / width, *100 * np.abs(ratios - 1), (c.grid.x, c.pressure[0], x, p)


slender = [compared(h * a, 8 * h * a) for h in (40, 21, 10, 5, 4.5)]
stubby = [compared(h * a, 3 * h * a) for h in (40, 10, 5, 3, 2.5)]
figure, axes = plt.subplots(1, 2, figsize=(12.5, 4.8), layout="constrained")
for case, color in ((slender[1], "C0"), (slender[3], "C2"), (stubby[3], "C1")):
    X, P, x, p = (v / unit for v, unit in zip(case[4], (a, force / a) * 2, strict=True))
    axes[0].plot(X[X > 0], P[X > 0], color=color, label=f"tr.rest, thickness {case[0]:.1f} half widths")
    axes[0].plot(x[p > 0], p[p > 0], "o", color=color, ms=5, mfc="white", label="finite elements")
for cases, style, slenderness in ((slender, "o-", 8), (stubby, "o--", 3)):
    ratio, *rows = np.array([case[:4] for case in cases]).T
    for name, row, color in zip(("pressure", "width", "deflection"), rows, ("C0", "C1", "C2"), strict=True):
        axes[1].loglog(ratio, row, style, color=color, label=f"{name}, L/h = {slenderness}")
tr.view.style_axes(axes[0], "x over Hertz's half width a", "p a/F", "Pressure under the wheel", legend=True)
tr.view.style_axes(axes[1], "thickness over half width", "difference (%)", "tr.rest and mesh", legend=True)
plt.show()

assert max(max(case[1:3]) for case in slender + stubby if case[0] > 4) < 0.3
assert 30 < stubby[-1][1] < 36
assert max(case[3] for case in slender) < 0.2
