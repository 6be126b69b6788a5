"""A creep table of a closed law that saturates and has the symmetries of rolling."""

import math

import numpy as np

import traction as tr

LINEAR = np.array([[-3.0, 0.0, 0.0], [0.0, -3.0, -1.0], [0.0, 1.0, -0.8]])


def saturating_law(creepages):
    """Reduced forces L v/sqrt(1 + |v|^2) at reduced creepages v, (..., 3)."""
    size = np.hypot(1.0, np.linalg.norm(creepages, axis=-1, keepdims=True))
    return (np.asarray(creepages) / size) @ LINEAR.T


def saturating_table(
    radials=17, azimuths=9, latitudes=17, ratios=(1.0,), coordinates="polar", shear_modulus=1.0
):
    """Table through the law, the same for all ratios, with C11 = C22 = C23 = a/b."""
    if coordinates == "polar":
        quarter = 0.5 * math.pi
        nodes = (
            np.linspace(0, 1, radials),
            np.linspace(0, quarter, azimuths),
            np.linspace(-quarter, quarter, latitudes),
        )
        s, azimuth, latitude = np.meshgrid(*nodes, indexing="ij")
        flat = np.cos(latitude)
        unit = np.stack((flat * np.cos(azimuth), flat * np.sin(azimuth), np.sin(latitude)), axis=-1)
        values = (unit / np.hypot(1.0 - s, s)[..., None]) @ LINEAR.T  # over s, with r = s/(1 - s)
    else:
        nodes = np.linspace(0, 2, radials), np.linspace(0, 2, azimuths), np.linspace(-2, 2, latitudes)
        u = np.stack(np.meshgrid(*nodes, indexing="ij"), axis=-1)
        values = saturating_law(np.where(np.abs(u) <= 1.0, u, np.sign(u) / np.maximum(2.0 - np.abs(u), 1e-6)))
    shapes = np.array(ratios)
    return tr.CreepTable.from_nodes(
        coordinates, nodes, np.stack([values] * shapes.size), ratios=shapes,
        creep_coefficients=np.stack([shapes] * 3), shear_modulus=shear_modulus, poisson_ratio=0.28,
    )  # fmt: skip
