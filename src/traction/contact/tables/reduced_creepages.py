"""Coordinates of creep-force tables: reduced creepages (x, y, w) from bounded ones, and back."""

from __future__ import annotations

import numpy as np

from traction.contact.tables.spline_table import POLAR

#: reduced creepage that stands for an infinite one: full sliding
INFINITE = 1e6


def polar_creepages(
    nearness: np.ndarray, azimuth: np.ndarray, latitude: np.ndarray, radius: float
) -> np.ndarray:
    """(x, y, w) of polar coordinates, arrays of one shape, (..., 3); s = 1 is far sliding."""
    s = np.asarray(nearness)
    r = np.minimum(radius * s / np.maximum(1.0 - s, 0.1 * radius / INFINITE), INFINITE)
    flat = r * np.cos(latitude)
    return np.stack((flat * np.cos(azimuth), flat * np.sin(azimuth), r * np.sin(latitude)), axis=-1)


def polar_coordinates(creepages: np.ndarray, radius: float) -> np.ndarray:
    """(s, azimuth, latitude) of reduced creepages (..., 3) with x, y >= 0, (..., 3)."""
    x, y, w = np.moveaxis(np.asarray(creepages), -1, 0)
    flat = np.hypot(x, y)
    r = np.hypot(flat, w)
    return np.stack((r / (r + radius), np.arctan2(y, x), np.arctan2(w, flat)), axis=-1)


def box_coordinates(creepages: np.ndarray) -> np.ndarray:
    """u = x for |x| <= 1 and sign(x) (2 - 1/|x|) beyond, of any array."""
    x = np.asarray(creepages)
    size = np.maximum(np.abs(x), 1.0)
    return np.where(np.abs(x) <= 1.0, x, np.sign(x) * (2.0 - 1.0 / size))


def box_creepages(coordinates: np.ndarray) -> np.ndarray:
    """x of u, of any array; 2 stands for far sliding."""
    u = np.asarray(coordinates)
    rest = np.maximum(2.0 - np.abs(u), 1.0 / INFINITE)
    return np.where(np.abs(u) <= 1.0, u, np.sign(u) / rest)


def table_coordinates(coordinates: str, creepages: np.ndarray, radius: float) -> np.ndarray:
    """Coordinates of a table of reduced creepages (..., 3) with x, y >= 0."""
    return polar_coordinates(creepages, radius) if coordinates == POLAR else box_coordinates(creepages)


def stored_side(creepages: np.ndarray) -> np.ndarray:
    """Reduced creepages (m, 3) turned and mirrored to x, y >= 0, where tables have nodes."""
    side = np.where(creepages[:, 1] < 0.0, -1.0, 1.0)
    return np.column_stack((np.abs(creepages[:, :2]), side * creepages[:, 2]))


def find_cells(
    nodes: tuple[np.ndarray, np.ndarray, np.ndarray], places: np.ndarray
) -> tuple[np.ndarray, ...]:
    """Numbers of the intervals between nodes in which coordinates (m, 3) lie, the outer ones included."""
    return tuple(
        np.clip(np.searchsorted(one, places[:, k], side="right") - 1, 0, one.size - 2)
        for k, one in enumerate(nodes)
    )


def random_creepages(count: int, seed: int) -> np.ndarray:
    """Reduced creepages in all directions, from none to full sliding, (count, 3)."""
    rng = np.random.default_rng(seed)
    way = rng.normal(size=(count, 3))
    s = rng.uniform(0.0, 1.0, (count, 1))
    return way / np.linalg.norm(way, axis=1, keepdims=True) * s / (1.0 - s)
