"""Fields in a half space z >= 0 under piecewise-constant surface loads (Boussinesq, Cerruti; Love 1929).

The load (qx, qy, qz) points along x, y and into the half space. With

    Omega = z ln(r + z) - r,   chi = integral of Omega,   I = chi_z,   V = I_z = integral of 1/r

over the loaded rectangle, each load gives (Johnson, Contact Mechanics, equations 3.2 to 3.7)

    psi1 = qx chi_x + qy chi_y + qz I,   psi = psi1_z = qx I_x + qy I_y + qz V
    4 pi G u_x = 2 qx V - qz I_x + 2 nu psi1_x - z psi_x      (u_y likewise)
    4 pi G u_z = qz V + (1 - 2 nu) psi - z psi_z

and by Hooke's law, where div u = (1 - 2 nu) psi_z / (2 pi G),

    2 pi s_xx = 2 qx V_x - qz I_xx + 2 nu (psi1_xx + psi_z) - z psi_xx      (s_yy likewise)
    2 pi s_xy = qx V_y + qy V_x - qz I_xy + 2 nu psi1_xy - z psi_xy
    2 pi (s_xz, s_yz, s_zz) = (qx, qy, qz) V_z - z (psi_xz, psi_yz, psi_zz)

Derivatives of chi, I and V over a rectangle are differences of primitives between its corners. Rectangles of
a grid share corners, so the primitive of a corner is taken once, times `jumps`, the mixed difference of the
load. For strips the same holds with simple differences. Lengths are in cells.

Units: lengths in one unit of the caller; stresses in that of the load, displacements times 4 pi G.
"""

import math

import numpy as np

from traction.compiled import kernel

SHALLOWEST = 1e-12  #: depth, in cells, of points on the surface: no corner or edge is hit exactly


@kernel
def rectangle_stress(points, corners, jumps, nu):
    """Stress (xx, yy, zz, xy, xz, yz) at `points` (n, 3) from `jumps` (m, 3) at `corners` (m, 2)."""
    stress = np.zeros((points.shape[0], 6))
    for i in range(points.shape[0]):
        z = max(points[i, 2], SHALLOWEST)
        xx = yy = zz = xy = xz = yz = 0.0
        for k in range(corners.shape[0]):
            x, y = points[i, 0] - corners[k, 0], points[i, 1] - corners[k, 1]
            qx, qy, qz = jumps[k, 0], jumps[k, 1], jumps[k, 2]
            Vz = -math.atan2(x * y, z * math.sqrt(x * x + y * y + z * z))
            xz += qx * Vz
            yz += qy * Vz
            if qz != 0.0:
                a, b, c, d, e, f = pressure_corner_stress(x, y, z, Vz, nu)
                xx += qz * a
                yy += qz * b
                zz += qz * c
                xy += qz * d
                xz += qz * e
                yz += qz * f
            if qx != 0.0 or qy != 0.0:
                a, b, c, d, e, f = shear_corner_stress(x, y, z, qx, qy, nu)
                xx += a
                yy += b
                zz += c
                xy += d
                xz += e
                yz += f
        stress[i, 0], stress[i, 1], stress[i, 2] = xx, yy, zz
        stress[i, 3], stress[i, 4], stress[i, 5] = xy, xz, yz
    return stress / (2.0 * math.pi)


@kernel
def element_stress_table(xs, ys, depth, nu, direction):
    """Stress (6, ny - 1, nx - 1) under a unit load along x, y or z (0, 1, 2) on one element.

    `xs`, `ys` are distances of the point from corners: entry (j, i) is for an element with the corners
    i, i + 1 along x and j, j + 1 along y.
    """
    table = np.empty((6, ys.size - 1, xs.size - 1))
    z, scale = max(depth, SHALLOWEST), 0.5 / math.pi
    row = np.zeros((2, xs.size, 6))
    for j in range(ys.size):
        new, old = j % 2, 1 - j % 2
        for i in range(xs.size):
            corner = unit_corner_stress(xs[i], ys[j], z, nu, direction)
            for k in range(6):
                row[new, i, k] = corner[k]
        if j > 0:
            for k in range(6):
                for i in range(xs.size - 1):
                    upper, lower = row[new, i + 1, k] - row[new, i, k], row[old, i + 1, k] - row[old, i, k]
                    table[k, j - 1, i] = scale * (upper - lower)
    return table


@kernel
def unit_corner_stress(x, y, z, nu, direction):
    """2 pi (xx, yy, zz, xy, xz, yz) of a unit load along x, y or z (0, 1, 2), one corner."""
    Vz = -math.atan2(x * y, z * math.sqrt(x * x + y * y + z * z))
    if direction == 2:
        return pressure_corner_stress(x, y, z, Vz, nu)
    qx, qy = 1.0 - direction, 1.0 * direction
    xx, yy, zz, xy, xz, yz = shear_corner_stress(x, y, z, qx, qy, nu)
    return xx, yy, zz, xy, xz + qx * Vz, yz + qy * Vz


@kernel
def pressure_corner_stress(x, y, z, Vz, nu):
    """2 pi (xx, yy, zz, xy, xz, yz) of a unit pressure, one corner."""
    r = math.sqrt(x * x + y * y + z * z)
    to_x, to_y = inverse_sum(r, x, y * y + z * z) / r, inverse_sum(r, y, x * x + z * z) / r
    Ixx = half_angle(x, y, z, r)
    Iyy = -Vz - Ixx
    Vxx, Vyy = x * to_y, y * to_x
    return (
        (2.0 * nu - 1.0) * Ixx + 2.0 * nu * Vz - z * Vxx,
        (2.0 * nu - 1.0) * Iyy + 2.0 * nu * Vz - z * Vyy,
        Vz + z * (Vxx + Vyy),
        (2.0 * nu - 1.0) * math.log(r + z) - z / r,
        -z * z * to_y,
        -z * z * to_x,
    )


@kernel
def shear_corner_stress(x, y, z, qx, qy, nu):
    """2 pi (xx, yy, zz, xy, xz, yz) of the shear load (qx, qy), one corner, less (qx, qy) V_z in xz, yz."""
    r = math.sqrt(x * x + y * y + z * z)
    xr, yr = x / (r + z), y / (r + z)
    to_x, to_y = inverse_sum(r, x, y * y + z * z) / r, inverse_sum(r, y, x * x + z * z) / r
    Vx, Vy = log_sum(r, y, x * x + z * z), log_sum(r, x, y * y + z * z)
    Ixxy, Ixyy = xr / r, yr / r
    Ixxx, Iyyy = -Ixyy - z * to_y, -Ixxy - z * to_x
    return (
        qx * (2.0 * Vx + 2.0 * nu * yr - z * Ixxx) + qy * (2.0 * nu * (Vy - xr) - z * Ixxy),
        qx * (2.0 * nu * (Vx - yr) - z * Ixyy) + qy * (2.0 * Vy + 2.0 * nu * xr - z * Iyyy),
        -z * z * (qx * to_y + qy * to_x),
        qx * (Vy - 2.0 * nu * xr - z * Ixxy) + qy * (Vx - 2.0 * nu * yr - z * Ixyy),
        -z * (qx * x * to_y + qy / r),
        -z * (qx / r + qy * y * to_x),
    )


@kernel
def rectangle_displacement(points, corners, jumps, nu):
    """G u (x, y, z) at `points` (n, 3) from `jumps` (m, 3) of the load at `corners` (m, 2)."""
    moved = np.zeros((points.shape[0], 3))
    for i in range(points.shape[0]):
        z = max(points[i, 2], SHALLOWEST)
        for k in range(corners.shape[0]):
            x, y = points[i, 0] - corners[k, 0], points[i, 1] - corners[k, 1]
            ux, uy, uz = corner_displacement(x, y, z, jumps[k, 0], jumps[k, 1], jumps[k, 2], nu)
            moved[i, 0] += ux
            moved[i, 1] += uy
            moved[i, 2] += uz
    return moved / (4.0 * math.pi)


@kernel
def corner_displacement(x, y, z, qx, qy, qz, nu):
    """4 pi G (u_x, u_y, u_z) of the load (qx, qy, qz), one corner."""
    r = math.sqrt(x * x + y * y + z * z)
    Vx, Vy = log_sum(r, y, x * x + z * z), log_sum(r, x, y * y + z * z)
    Vz = -math.atan2(x * y, z * r)
    V = x * Vx + y * Vy + z * Vz
    Ixy = math.log(r + z)
    Ixx = half_angle(x, y, z, r)
    Iyy = -Vz - Ixx
    Ix, Iy = y * Ixy + z * Vx + x * Ixx, x * Ixy + z * Vy + y * Iyy
    chi_xx, chi_xy, chi_yy = z * Ixx - x * Vx, z * Ixy - r, z * Iyy - y * Vy
    psi1_x = qx * chi_xx + qy * chi_xy + qz * Ix
    psi1_y = qx * chi_xy + qy * chi_yy + qz * Iy
    psi = qx * Ix + qy * Iy + qz * V
    return (
        2.0 * qx * V - qz * Ix + 2.0 * nu * psi1_x - z * (qx * Ixx + qy * Ixy + qz * Vx),
        2.0 * qy * V - qz * Iy + 2.0 * nu * psi1_y - z * (qx * Ixy + qy * Iyy + qz * Vy),
        qz * V + (1.0 - 2.0 * nu) * psi - z * (qx * Vx + qy * Vy + qz * Vz),
    )


@kernel
def strip_stress(points, corners, jumps, nu):
    """Plane-strain stress (xx, yy, zz, xy, xz, yz) from `jumps` (m, 3) at strip edges `corners` (m,) along x.

    The fields are integrals of those of line loads (Johnson, sections 2.2 and 2.3); the load along y is
    antiplane: (s_xy, s_yz) = -(x, z) / (pi rho^2) per unit line load, with rho^2 = x^2 + z^2.
    """
    stress = np.zeros((points.shape[0], 6))
    for i in range(points.shape[0]):
        z = max(points[i, 2], SHALLOWEST)
        for k in range(corners.shape[0]):
            x = points[i, 0] - corners[k]
            qx, qy, qz = jumps[k, 0], jumps[k, 1], jumps[k, 2]
            rho2 = x * x + z * z
            angle, log, mixed, depth = math.atan2(x, z), math.log(rho2), x * z / rho2, z * z / rho2
            stress[i, 0] -= qz * (angle - mixed) + qx * (log + depth)
            stress[i, 2] -= qz * (angle + mixed) - qx * depth
            stress[i, 3] -= 0.5 * qy * log
            stress[i, 4] -= qx * (angle - mixed) - qz * depth
            stress[i, 5] -= qy * angle
        stress[i, 1] = nu * (stress[i, 0] + stress[i, 2])
    return stress / math.pi


@kernel
def strip_displacement(points, corners, jumps, nu, length):
    """G u (x, y, z) in plane strain: the rectangles of `length` along y, far longer than all else.

    There V = 2 ln(length / rho), I_x = 2 atan(x / z), chi_xx = 2 - V and chi_yy = -2 per unit line load.
    """
    moved = np.zeros((points.shape[0], 3))
    for i in range(points.shape[0]):
        z = max(points[i, 2], SHALLOWEST)
        for k in range(corners.shape[0]):
            x = points[i, 0] - corners[k]
            qx, qy, qz = jumps[k, 0], jumps[k, 1], jumps[k, 2]
            angle, log = math.atan2(x, z), 0.5 * math.log(x * x + z * z)
            V = x * (math.log(length) - log + 1.0) - z * angle
            Ix = x * angle - z * log
            moved[i, 0] += qx * (2.0 * (1.0 - nu) * V + 2.0 * nu * x - z * angle)
            moved[i, 0] += qz * ((2.0 * nu - 1.0) * Ix + z * log)
            moved[i, 1] += qy * (2.0 * V - 2.0 * nu * x)
            moved[i, 2] += qz * (2.0 * (1.0 - nu) * V + z * angle)
            moved[i, 2] += qx * ((1.0 - 2.0 * nu) * Ix + z * log)
    return moved / (2.0 * math.pi)


@kernel
def half_angle(x, y, z, r):
    """atan(y/x) - atan(y z / (x r)), free of cancellation: the primitive of I_xx."""
    return math.atan2(x * y * (x * x + y * y) / (r + z), x * x * r + y * y * z)


@kernel
def log_sum(r, y, rest):
    """ln(r + y) where r^2 = y^2 + rest, without cancellation for y < 0."""
    return math.log(r + y) if y >= 0.0 else math.log(rest / (r - y))


@kernel
def inverse_sum(r, y, rest):
    """1 / (r + y) where r^2 = y^2 + rest, without cancellation for y < 0."""
    return 1.0 / (r + y) if y >= 0.0 else (r - y) / rest
