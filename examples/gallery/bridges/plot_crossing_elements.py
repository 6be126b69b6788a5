"""
Does a crossing agree with elastodynamics of the whole beam?
============================================================

A rigid cylinder with a suspended body crosses a beam with a thirtieth of steel's stiffness at 36 km/h.
`tr.cross` separates local and global motion: modes of a beam, and a half space under the wheel. Finite
elements of the whole beam in plane strain do not. Hertz's pressure F p(s), of half width a, moves over their
top with the cylinder, whose drop z determines the force F (the last equation is the mean of
u = z - s²/(2R) weighted by p; s is the distance from the middle of the patch):

.. math:: M \\ddot u + \\beta K \\dot u + K u = F \\int N^T p\\,\\mathrm{d}s, \\qquad
   p = \\frac{2}{\\pi a} \\sqrt{1 - s^2/a^2}, \\qquad a^2 = \\frac{4 F R\\,(1 - \\nu^2)}{\\pi E}, \\qquad
   z = \\int p\\,u\\,\\mathrm{d}s + \\frac{a^2}{8R}.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.sparse import block_array, block_diag, csc_array, kron
from scipy.sparse.linalg import splu

import traction as tr

L, h, E, nu, rho, beta = 20.0, 1.8, 7e9, 0.3, 7850.0, 2e-4  # m, m, Pa, -, kg/m3, s: of the beam
R, V, g, m, body, k, c = 15.0, 10.0, 9.81, 15e3, 135e3, 7.6e6, 200e3  # m, m/s, m/s2, kg, kg, N/m, N s/m
G, lame, weight, steps = E / (2 * (1 + nu)), E * nu / ((1 + nu) * (1 - 2 * nu)), g * (m + body), 200
dt, give = L / V / steps, (1 - nu**2) / (2 * np.pi * E)  # give F = a^2/(8 R)

# %%
# The mesh: rectangles of nine nodes, whose integrals are products of those along x and z, of f' f', f f and
# f' f with quadratic shape functions f. It reaches beyond the supports, so that the cylinder does not start
# on a corner; these ends have no mass. A support holds the mean of :math:`u_z` over its section.


def line(ends, inside=1.0):
    """Nodes of the elements between these ends; the three integrals, and that of f f for the mass."""
    s = np.diff(ends)[:, None, None]
    stiff = np.array([[7, -8, 1], [-8, 16, -8], [1, -8, 7]]) / (3 * s)
    mass = np.array([[4, 2, -1], [2, 16, 2], [-1, 2, 4]]) * (s / 30)
    mixed = np.array([[-3, -4, 1], [4, 0, -4], [-1, 4, 3]]) / (6 * s**0)
    i, j = (2 * np.arange(len(s))[:, None, None] + one for one in np.indices((3, 3)))
    parts = (csc_array((v.ravel(), (i.ravel(), j.ravel()))) for v in (stiff, mass, mixed, mass * inside))
    return np.interp(np.arange(2 * len(s) + 1) / 2, np.arange(len(ends)), ends), *parts


n, beyond, dx, axis = 280, 26, L / 280, 10  # elements on the span, beyond; their length; row of nodes
ends = dx * np.arange(-beyond, n + beyond + 1)
x, Kx, Mx, Cx, Hx = line(ends, ((ends[1:] > dx / 2) & (ends[:-1] < L - dx / 2))[:, None, None])
z, Kz, Mz, Cz, _ = line(np.array([0.0, 0.07, 0.17, 0.35, 0.62, 0.9, 1.35, 1.8]))
xx, zz, xz = kron(Kx, Mz), kron(Mx, Kz), lame * kron(Cx, Cz.T) + G * kron(Cx.T, Cz)
K = block_array([[(lame + 2 * G) * xx + G * zz, xz], [xz.T, (lame + 2 * G) * zz + G * xx]])
M = rho * block_diag([kron(Hx, Mz)] * 2)
number = np.arange(M.shape[0]).reshape(2, x.size, z.size)  # of u_x, then of u_z
for place in (2 * beyond, 2 * (beyond + n)):
    mean = np.zeros((M.shape[0], 1))
    mean[number[1, place], 0] = Mz @ (6 * z * (h - z) / h**3)  # weighted like the shear stress
    K = K + 1e6 * E * csc_array(mean) @ csc_array(mean).T
free = np.delete(number, number[0, 2 * beyond, axis])
K, M = (csc_array(one)[free][:, free] for one in (K, M))
middle_axis = number[1, 2 * beyond + n, axis] - 1


def under(place, force):
    """The integral of N p, and -1 for the drop of the cylinder: its product with (u, z) is the overlap."""
    angle = np.pi * np.arange(1, 13) / 13  # Gauss' points of Hertz's pressure
    e, s = np.divmod((place + np.sqrt(8 * R * give * force) * np.cos(angle)) / dx + beyond, 1.0)
    shapes = np.array([(1 - s) * (1 - 2 * s), 4 * s * (1 - s), s * (2 * s - 1)]) * 2 / 13 * np.sin(angle) ** 2
    row = np.zeros(number.size)
    np.add.at(row, number[1, 2 * e.astype(int) + np.arange(3)[:, None], 0], shapes)
    return np.append(row[free], (-1.0, 0.0))


# %%
# Beam, cylinder and body are one system, which starts at rest over the first support with the deformation
# already rolling, :math:`\dot u = -V\,\partial u/\partial x`. Method of Hilber, Hughes and Taylor.
symmetric = {"permc_spec": "MMD_AT_PLUS_A", "diag_pivot_thresh": 0.0, "options": {"SymmetricMode": True}}
link, r, F = np.array([[1.0, -1.0], [-1.0, 1.0]]), under(0.0, weight), weight
u, v = splu(K, **symmetric).solve(r[:-2] * F), np.zeros(number.size)
v[free] = u
v = -V * np.gradient(v.reshape(number.shape), x, axis=1).ravel()[free]
drop = r[:-2] @ u + give * F
q, v = np.append(u, (drop, drop + g * body / k)), np.append(v, (0.0, 0.0))
load, C, acceleration = np.append(0.0 * u, (g * m, g * body)), beta * K, 0.0 * q
pairs = (M, np.diag((m, body))), (C, c * link), (K, k * link)
M, C, K = (block_diag(pair, format="csc") for pair in pairs)
alpha, b, gamma, new = 0.05, 1.05**2 / 4, 0.55, 0.95  # b and gamma of Newmark, new = 1 - alpha
step = splu(M + new * dt * (gamma * C + b * dt * K), **symmetric).solve
before, states = F, [(u[middle_axis], F)]
for t in dt * np.arange(1, steps + 1):
    old, r = load + F * r, under(V * t, 2 * F - before)  # the patch of the force that the last two lead to
    q0, v0 = q + dt * v + (0.5 - b) * dt**2 * acceleration, v + (1 - gamma) * dt * acceleration
    rest = alpha * old + new * load - C @ (new * v0 + alpha * v) - K @ (new * q0 + alpha * q)
    fixed, per_force = step(np.stack((rest, new * r), axis=1)).T
    before, F = F, -r @ (q0 + b * dt**2 * fixed) / (give + b * dt**2 * r @ per_force)
    acceleration = fixed + F * per_force
    q, v = q0 + b * dt**2 * acceleration, v0 + gamma * dt * acceleration
    states.append((q[middle_axis], F))

# %%
# `tr.cross`: in plane strain a beam bends with :math:`EI/(1-\nu^2)`, its shear coefficient is Seewald's, and
# the approach of wheel and bridge counts from the neutral axis (Johnson 1985, 5.6).
shear = {"shear_stiffness": 20 / (24 - 9 * nu) * G * h, "rotary_inertia": rho * h**3 / 12}
ends = {"supports": ("pinned", "pinned"), "damping": tr.Rayleigh(0.0, beta)}
beam = tr.Beam(L, E * h**3 / (12 * (1 - nu**2)), rho * h, **shear, **ends)
bridge, hung = tr.Bridge(beam, tr.Material(E, nu, rho)), tr.Suspension(k, c, body)
wheel = tr.Wheel(0.5, m, profile=tr.Cylinder(R), material=tr.RIGID, suspension=hung)
grid = tr.Grid.line(64, 3e-3, length=h / 2 * np.exp(-0.5 / (1 - nu)))
split = tr.cross(bridge, [(wheel, 0.0)], V, contact="half-space", grid=grid, dt=dt / 4, t_end=L / V)
ours = np.stack((100 * split.deflection(L / 2), split.contact_forces[:, 0] / weight), axis=1)
theirs = np.array(states) * (100, 1 / weight)
figure, axes = plt.subplots(1, 2, figsize=(12.5, 4.4), layout="constrained")
for i, label, title in ((0, "deflection (cm)", "Midspan"), (1, "force over weight", "Contact force")):
    axes[i].plot(V * split.t, ours[:, i], lw=2.2, label="tr.cross")
    axes[i].plot(V * split.t[::20], theirs[::5, i], "o", mfc="white", label="finite elements")
    tr.view.style_axes(axes[i], "position of the cylinder (m)", label, title, legend=True)
axes[0].invert_yaxis()
plt.show()
off = np.abs(ours[::4] - theirs).max(axis=0) / (ours[:, 0].max(), 1.0)
print("midspan differs by {:.2f} % of its peak, the force by {:.1f} % of the weight".format(*100 * off))
assert (off < (0.0025, 0.01)).all()
